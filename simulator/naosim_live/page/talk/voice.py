"""The robot's voice on the page: its language, how loud and how fast it speaks."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from ..acts import acted, number
from ..shown_robot import ShownRobot

_VOICE = "ALTextToSpeech"
#: Percent: of the loudest, and of the usual speed.
_LOUDNESS, SPEED = (0, 100), (50, 400)


class VoiceControls:
    """Language, volume and speed of one robot's voice, for one browser; folded away until they are wanted."""

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self._has_read = False

    def build(self) -> None:
        """Draw the controls."""
        texts = self._shown.texts
        with ui.element("details").classes("voice") as box:
            with ui.element("summary"):
                ui.label(texts("Voice"))
            with ui.element("div").classes("controls"):
                chosen = ui.select([], label=texts("Language"), on_change=self._speak_language)
                self._language = chosen.props("outlined dense")
                self._volume = _slider(texts("Volume"), _LOUDNESS, lambda value: self._call("setVolume", value / 100))
                self._speed = _slider(texts("Speed"), SPEED, lambda value: self._call("setParameter", "speed", value))
        box.on("toggle", self._read)

    async def _read(self) -> None:
        """Set the controls to what the robot knows."""
        languages = await self._call("getAvailableLanguages")
        if languages is None:
            return
        now = await self._call("getLanguage")
        self._has_read = False
        self._language.set_options(languages, value=now)
        self._has_read = True
        self._volume.set_value(round(100 * (await self._call("getVolume") or 0)))
        self._speed.set_value(round(await self._call("getParameter", "speed") or 100))

    async def _speak_language(self) -> None:
        if self._has_read and self._language.value:
            await self._call("setLanguage", self._language.value)

    async def _call(self, method: str, *args: Any) -> Any:
        return await acted(self._shown.call(_VOICE, method, *args))


def _slider(name: str, limits: tuple[int, int], tell: Any) -> ui.slider:
    """Draw a slider in percent that tells its value when it is let go."""
    with ui.element("div").classes("voice-slider"):
        ui.label(name)
        slider = ui.slider(min=limits[0], max=limits[1], step=5, value=100).props(f'label aria-label="{name}"')
    slider.on("change", lambda event: tell(number(event.args, *limits)))
    return slider
