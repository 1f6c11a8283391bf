"""The panel of time of a recording: go to any moment of it, or let it go on."""

from __future__ import annotations

from nicegui import ui
from nicegui.events import GenericEventArguments

from ..acts import number
from ..recorded.recorded_robot import RecordedRobot
from .panel import SPEEDS
from .recording_buttons import build_save, extent, go_to_now

#: Seconds of a press on an arrow key.
STEP = 0.1


class ReplayPanel:
    """One browser's place in a recording."""

    title, place = "Recording", "top"

    def __init__(self, shown: RecordedRobot) -> None:
        self._shown = shown
        self._moment, self._extent = -1.0, (-1.0, -1.0)
        self._speed = -1.0
        self._speeds: dict[float, ui.button] = {}

    def build(self) -> None:
        """Draw the scrubber and the buttons."""
        texts = self._shown.texts
        with ui.element("div").classes("controls"):
            self._clock = ui.label().classes("clock").props(f'role="timer" aria-label="{texts("The moment shown")}"')
            self._slider = (
                ui.slider(min=0, max=1, step=STEP, value=0).props(f'aria-label="{texts("Moment")}"').classes("grow")
            )
        # What the slider itself is set to is no wish of a person.
        self._slider.on("update:model-value", self._seek, throttle=0.1)
        # The keys that sliders usually have, and this one lacks.
        self._slider.on("keydown.home.prevent", lambda: self._go(self._shown.recording.begins))
        self._slider.on("keydown.end.prevent", lambda: self._go(self._shown.recording.ends))
        with ui.element("div").classes("controls"):
            self._play = ui.button(texts("Play"), on_click=self._play_or_pause).props("no-caps outline")
            for speed, name in SPEEDS.items():
                self._speeds[speed] = ui.button(name, on_click=lambda speed=speed: self._shown.set_speed(speed)).props(
                    f'no-caps outline aria-label="{texts("{speed} times as fast", speed=f"{speed:g}")}"'
                )
            for direction, name in ((-1, texts("Step back")), (1, texts("Step forward"))):
                ui.button(name, on_click=lambda direction=direction: self._shown.step_by(direction)).props(
                    "no-caps outline"
                )
            if self._shown.is_live:
                ui.button(texts("Back to now"), on_click=go_to_now).props("no-caps unelevated")
            build_save(self._shown.recording, texts)
        self._state = ui.label().classes("faint").props('role="status"')

    async def refresh(self) -> None:
        """Show the moment."""
        shown = self._shown
        self._show_extent()
        moment = round(shown.now(), 1)
        if moment != self._moment:
            self._moment = moment
            self._clock.set_text(f"{moment:.1f} s")
            self._slider.set_value(moment)
        if shown.speed != self._speed:
            self._speed = shown.speed
            self._play.set_text(shown.texts("Pause" if shown.speed else "Play"))
            for speed, button in self._speeds.items():
                button.props(f'aria-pressed="{str(speed == shown.speed).lower()}"')

    def _show_extent(self) -> None:
        recording = self._shown.recording
        found = (round(recording.begins, 1), round(recording.ends, 1))
        if found != self._extent:
            self._extent = found
            self._slider.props(f"min={found[0]} max={found[1]}")
            self._state.set_text(extent(recording, self._shown.texts))

    async def _play_or_pause(self) -> None:
        shown = self._shown
        if not shown.speed and shown.now() >= shown.recording.ends - STEP:
            shown.seek(shown.recording.begins)
        await shown.set_speed(0.0 if shown.speed else 1.0)

    def _seek(self, event: GenericEventArguments) -> None:
        recording = self._shown.recording
        moment = number(event.args, recording.begins, recording.ends)
        if abs(moment - self._moment) >= STEP / 2:
            self._go(moment)

    def _go(self, moment: float) -> None:
        self._shown.seek(moment)
        self._shown.tell()
