"""What a page is made of: panels, each drawn once for every browser and kept up to date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar, runtime_checkable

from .shown import Shown
from .shown_robot import ShownRobot


class Panel(Protocol):
    """One part of the page for one browser: a section with its title as heading.

    `place` says where it stands on a wide screen: at the "top" across it, on the "stage" at the left, "talk" beside it,
    "aside" in a third column, or among the "tools" below, which are folded away but for the first. Styles are CSS of
    one's own (`ui.add_css`): there is no Tailwind.
    """

    title: str
    place: str

    def build(self) -> None:
        """Draw it, once, inside the NiceGUI slot that is open."""

    async def refresh(self) -> None:
        """Bring it up to date; called ten times a second while the browser is connected, and after every event."""


@runtime_checkable
class Rewinding(Protocol):
    """A panel that has kept what it was told, and is to forget it when time goes back, in a recording.

    Panels that show what they ask for need not do anything then.
    """

    def rewind(self) -> None:
        """Begin anew at the moment that is shown now; called before the next refresh, in the panel's slot."""


#: Makes a panel of a robot for a browser that has just come; pages show other things likewise.
PanelMaker = Callable[[ShownRobot], Panel]
ShownT = TypeVar("ShownT", bound=Shown)
