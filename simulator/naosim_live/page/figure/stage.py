"""The element of the page on which NAO is drawn: it shows frames, and tells what is touched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

# Named here, so that every page knows where the scene's own modules are, even if NAO is drawn flat.
import nicegui.elements.scene  # noqa: F401
from nicegui.element import Element
from nicegui.events import GenericEventArguments

STYLE = Path(__file__).with_name("figure.css")


class FigureStage(Element, component="browser/stage.js", esm={"nao-drawing": "browser/drawing"}):
    """The stage in one browser; `on_ready(is_flat)` is called once it is there, `on_touch(zone, is_pressed)` later."""

    def __init__(self, on_ready: Callable[[bool], None], on_touch: Callable[[str, bool], Any]) -> None:
        super().__init__()
        self.on("ready", lambda event: on_ready(bool(_told(event).get("flat"))))
        self.on("press", lambda event: on_touch(str(event.args), True))
        self.on("release", lambda event: on_touch(str(event.args), False))

    def bind_solid(self, binding: dict[str, Any]) -> None:
        """Tell the browser which objects of the scene to move and to light."""
        self.run_method("bindSolid", binding)

    def bind_flat(self, binding: dict[str, Any]) -> None:
        """Tell the browser of the lamps of the flat drawing."""
        self.run_method("bindFlat", binding)

    def show(self, changes: dict[str, Any]) -> None:
        """Show what has changed of the robot."""
        self.run_method("show", changes)

    def turn(self) -> None:
        """Look from the next side."""
        self.run_method("turn")


def _told(event: GenericEventArguments) -> dict[str, Any]:
    return event.args if isinstance(event.args, dict) else {}
