"""The element that shows a diagram and its timeline in the browser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui.element import Element
from nicegui.events import GenericEventArguments

#: Letters of an address that a browser sends.
_LONGEST_ADDRESS = 2000


class Canvas(Element, component="canvas.js"):
    """A sheet of boxes and links, with the strip of a timeline above it; both are SVG, "" for none."""

    def __init__(self) -> None:
        super().__init__()
        self._props["sheet"] = self._props["strip"] = self._props["scene"] = self._props["address"] = ""

    def draw(self, sheet: str, strip: str, scene: str, address: str) -> None:
        """Show another diagram, that of the box with an address; `scene` tells it from all others."""
        self._props["sheet"], self._props["strip"] = sheet, strip
        self._props["scene"], self._props["address"] = scene, address
        self.update()

    def pick(self, address: str | None) -> None:
        """Mark another box as picked, None for none."""
        self.run_method("pick", address)

    def show(self, state: dict[str, Any], scene: str) -> None:
        """Show what runs, what failed and which signals travel in a scene, as the robot's process tells it."""
        self.run_method("show", {**state, "scene": scene})

    def scale(self, by: float | None) -> None:
        """Show everything larger or smaller; None lets it fit again."""
        self.run_method("scale", by)

    def on_box(self, event: str, call: Callable[[str], Awaitable[None]]) -> None:
        """Have `call(address)` made when a box is picked ("pick") or opened ("open")."""

        async def take(arguments: GenericEventArguments) -> None:
            address = arguments.args
            if isinstance(address, str) and len(address) <= _LONGEST_ADDRESS:
                await call(address)

        self.on(event, take)

    def on_keyframe(self, call: Callable[[int], Awaitable[None]]) -> None:
        """Have `call(place)` made when a keyframe of the timeline is chosen."""

        async def take(arguments: GenericEventArguments) -> None:
            place = arguments.args
            if isinstance(place, int) and 0 <= place < 2**31:
                await call(place)

        self.on("keyframe", take)
