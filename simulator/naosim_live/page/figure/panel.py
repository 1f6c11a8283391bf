"""The panel with NAO on it: drawn in three dimensions or flat, and touched by mouse, finger and keys."""

from __future__ import annotations

import contextlib
from typing import Any

from nicegui import background_tasks, ui
from nicegui.elements.mixins.text_element import TextElement

from naosim.robot_requests import JOINTS

from ..shown_robot import ShownRobot
from .body_feed import BodyFeed
from .flat import flat_pose
from .flat_drawing import flat_binding, flat_markup
from .frame import Frame
from .scene import FigureScene
from .stage import STYLE, FigureStage
from .zones import ZONES


class FigurePanel:
    """NAO as one browser sees it."""

    title, place = "NAO", "stage"

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self._feed = shown.model(BodyFeed)
        self._sent: Frame | None = None
        self._is_flat: bool | None = None
        self._held: set[str] = set()

    def build(self) -> None:
        """Draw the stage, which fills once the browser has said what it can draw, and a button for each sensor."""
        ui.add_css(STYLE)
        texts = self._shown.texts
        with FigureStage(self._draw, self._touch) as self._stage:
            self._view = ui.element("div").classes("figure-view")
            with ui.element("div").classes("figure-bar"):
                self._posture = ui.label().classes("figure-posture")
                with ui.element("div"):
                    self._turn = ui.button(texts("Turn the view"), on_click=self._stage.turn).props(
                        "no-caps flat dense"
                    )
                    flat = ui.button(texts("Flat drawing"), on_click=lambda: self._draw(not self._is_flat))
                    self._switch = flat.props("no-caps flat dense")
            with ui.element("details").props("open"):
                TextElement(tag="summary", text=texts("Touch NAO"))
                with ui.element("div").classes("figure-zones"):
                    for zone, name in ZONES.items():
                        TextElement(tag="button", text=texts(name)).classes("figure-zone").props(
                            f'type="button" data-zone="{zone}" aria-pressed="false"'
                        )
        self._stage.client.on_disconnect(self._let_go)

    async def refresh(self) -> None:
        """Keep looking at the robot; what is new of it is shown as it comes."""
        self._feed.watch(self._shown, self._show)
        if self._feed.frame is not None and self._sent is not self._feed.frame:
            self._show(self._feed.frame)

    def _draw(self, is_flat: bool) -> None:
        """Draw NAO anew, flat or in three dimensions."""
        if is_flat == self._is_flat:
            return
        self._is_flat, self._sent = is_flat, None
        self._turn.set_visibility(not is_flat)
        self._switch.set_text(self._shown.texts("In 3-D" if is_flat else "Flat drawing"))
        self._view.clear()
        with self._view:
            if is_flat:
                ui.html(flat_markup(), sanitize=False).classes("flat-holder")
                self._stage.bind_flat(flat_binding())
            else:
                drawn = FigureScene()
                # Also after the browser has lost the scene and begun it anew.
                drawn.scene.on("init", lambda: self._stage.bind_solid(drawn.binding))
        if self._feed.frame is not None:
            self._show(self._feed.frame)

    def _show(self, frame: Frame) -> None:
        """Send the browser what it has not seen yet."""
        if self._is_flat is None:
            return
        changes = frame.changes(self._sent)
        if self._is_flat and ("angles" in changes or "posture" in changes):
            changes["flat"] = flat_pose(dict(zip(JOINTS, frame.angles, strict=True)), frame.posture)
        if "posture" in changes or "is_awake" in changes:
            awake = self._shown.texts("awake" if frame.is_awake else "at rest")
            self._posture.set_text(f"{frame.posture}, {awake}")
        self._sent = frame
        if changes:
            self._stage.show(changes)

    async def _touch(self, zone: str, is_pressed: bool) -> None:
        """Press or release a sensor of the robot; anything else that a browser says is no touch."""
        if zone not in ZONES or is_pressed == (zone in self._held):
            return
        (self._held.add if is_pressed else self._held.discard)(zone)
        with contextlib.suppress(RuntimeError):  # The page says that the robot is gone.
            await self._shown.person("press" if is_pressed else "release", zone)

    def _let_go(self, *_client: Any) -> None:
        """Release what a browser that has gone still holds."""
        for zone in sorted(self._held):
            background_tasks.create(self._touch(zone, False), name=f"release of {zone}")
