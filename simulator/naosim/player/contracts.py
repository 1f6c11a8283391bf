"""What the parts of the player know of each other: boxes, diagrams and behaviours that run."""
from __future__ import absolute_import, division, print_function

from naosim.scripting.box_contract import BehaviourContract, BoxContract

MYPY = False
if MYPY:
    from typing import Any

    from naosim.player.compiled import CompiledDiagram


class PlayedBox(BoxContract):
    """One box of a running behaviour, as timelines, Dialog boxes and resource locks see it."""

    __slots__ = ()

    diagrams = ()  # type: Any
    dialog = None  # type: Any
    is_loaded = False  # type: bool

    def is_inside(self, other):
        # type: (Any) -> bool
        """Tell whether this is the other box or lies in it."""
        raise NotImplementedError

    def lose(self, resource):
        # type: (str) -> None
        """React to another box demanding a resource of this one."""
        raise NotImplementedError


class PlayedDiagram(object):
    """One diagram of a running behaviour, as the timeline that loads it sees it."""

    __slots__ = ()

    plan = None  # type: CompiledDiagram  # type: ignore[assignment]

    def load(self):
        # type: () -> None
        """Load every box, in document order."""
        raise NotImplementedError

    def unload(self):
        # type: () -> None
        """Cut the links, then unload every box, in document order."""
        raise NotImplementedError

    def emit(self, box, port, value):
        # type: (int, int, Any) -> None
        """Queue one delivery for each link that leaves this port; box 0 is the owner."""
        raise NotImplementedError


class PlayedBehaviour(BehaviourContract):
    """A running behaviour, as its boxes see it."""

    dialogs = None  # type: Any
    times_stopped = 0  # type: int

    def box(self, path):
        # type: (str) -> Any
        """Find the box of this path; raises WrongUse when there is none."""
        raise NotImplementedError

    def names(self):
        # type: () -> dict[str, Any]
        """Return the names a script finds without import, fresh for every script."""
        raise NotImplementedError

    def translated(self, path, parameter, text):
        # type: (str, str, str) -> str
        """Translate the text of a box's parameter into the language that the robot speaks."""
        raise NotImplementedError

    def finish(self):
        # type: () -> None
        """Unload everything after the root's onStopped."""
        raise NotImplementedError
