"""The panel of time: the robot's clock, stopped, stepped or faster, and its behaviour, started and stopped."""

from __future__ import annotations

import time
from typing import Any

from nicegui import ui

from ..acts import acted
from ..shown_robot import ShownRobot
from .recording_buttons import build_save, go_to

#: How often faster than real time, with the names of the buttons.
SPEEDS = {1.0: "1\u00d7", 10.0: "10\u00d7"}
#: Behaviours that are offered to be started; a robot has some hundred animations beside its own.
_MOST_OFFERED, _STOCK = 50, "animations/"
#: Real seconds between two looks at what is installed.
_LISTS_EVERY = 5.0


class TimePanel:
    """The clock and the behaviour of one robot, for one browser."""

    title, place = "Time", "stage"

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self._seen = -1
        self._speed = -1.0
        self._told: dict[str, Any] = {}
        self._offered: list[str] = []
        self._listed = 0.0
        self._speeds: dict[float, ui.button] = {}

    def build(self) -> None:
        """Draw the clock and the buttons."""
        texts = self._shown.texts
        with ui.element("div").classes("controls"):
            self._clock = ui.label().classes("clock").props(f'role="timer" aria-label="{texts("Clock of the robot")}"')
            self._pause = ui.button(texts("Pause"), on_click=self._pause_or_go_on).props("no-caps outline")
            ui.button(texts("One step"), on_click=self._step).props("no-caps outline")
            for speed, name in SPEEDS.items():
                self._speeds[speed] = ui.button(name, on_click=lambda speed=speed: self._go(speed)).props(
                    f'no-caps outline aria-label="{texts("{speed} times as fast", speed=f"{speed:g}")}"'
                )
        with ui.element("div").classes("controls"):
            ui.button(texts("Go back"), on_click=self._go_back).props(
                f'no-caps outline aria-label="{texts("Go back to an earlier moment")}"'
            )
            build_save(self._shown.recording, texts)
        with ui.element("div").classes("controls"):
            self._state = ui.label().props('role="status"')
            self._start = ui.button(texts("Start"), on_click=lambda: self._do("start")).props("no-caps outline")
            self._stop = ui.button(texts("Stop"), on_click=lambda: self._do("stop")).props("no-caps outline")
        with ui.element("div").classes("controls") as self._others:
            choice = ui.select([], label=texts("An installed behaviour"))
            self._choice = choice.props("outlined dense").classes("choice")
            ui.button(texts("Start it"), on_click=lambda: self._run("startBehavior")).props("no-caps outline")
            ui.button(texts("Stop it"), on_click=lambda: self._run("stopBehavior")).props("no-caps outline")
        self._others.set_visibility(False)

    async def refresh(self) -> None:
        """Let the clock tick, and look at the behaviour when something has happened."""
        shown = self._shown
        # Tenths of a time that passes would be ten messages a second to every browser.
        self._clock.set_text(f"{shown.now():.0f} s" if shown.speed else f"{shown.now():.2f} s")
        if shown.speed != self._speed:
            self._speed = shown.speed
            self._pause.set_text(shown.texts("Pause" if shown.speed else "Continue"))
            for speed, button in self._speeds.items():
                button.props(f'aria-pressed="{str(speed == shown.speed).lower()}"')
        if shown.changed != self._seen:
            self._seen = shown.changed
            self._show(await shown.ask("behaviour"))
        if time.monotonic() - self._listed > _LISTS_EVERY and "ALBehaviorManager" in shown.services:
            self._listed = time.monotonic()
            self._offer(await shown.call("ALBehaviorManager", "getInstalledBehaviors"))

    def _show(self, told: dict[str, Any]) -> None:
        if told == self._told:
            return
        self._told = told
        texts, state = self._shown.texts, "{name} is running." if told["runs"] else "{name} isn't running."
        self._state.set_text(texts(state, name=told["id"]) if told["id"] else texts("No behaviour is loaded."))
        self._start.set_visibility(bool(told["id"]))
        self._stop.set_visibility(bool(told["id"]))
        self._stop.set_enabled(told["runs"])

    def _offer(self, names: list[str]) -> None:
        """Offer the installed behaviours beside the loaded one."""
        own = [name for name in names if name != self._told.get("id") and not name.startswith(_STOCK)][:_MOST_OFFERED]
        if own != self._offered:
            self._offered = own
            self._others.set_visibility(bool(own))
            chosen = self._choice.value if self._choice.value in own else next(iter(own), None)
            self._choice.set_options(own, value=chosen)

    async def _go_back(self) -> None:
        """Go to the present moment of the recording, which then holds all that the page shows."""
        await acted(self._shown.catch_up())
        go_to(self._shown.recording.ends)

    async def _pause_or_go_on(self) -> None:
        await self._go(0.0 if self._shown.speed else 1.0)

    async def _go(self, speed: float) -> None:
        await acted(self._shown.set_speed(speed))

    async def _step(self) -> None:
        await acted(self._shown.step())

    async def _do(self, verb: str) -> None:
        await acted(self._shown.ask(verb))

    async def _run(self, method: str) -> None:
        if self._choice.value:
            await acted(self._shown.call("ALBehaviorManager", method, self._choice.value))
