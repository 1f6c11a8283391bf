"""The two elements of speech in a browser: its microphone, and its loudspeaker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui.element import Element

from ..texts import Texts

STYLE = Path(__file__).with_name("speech.css")
#: Languages of a browser's voices that are listened to.
_MOST_LANGUAGES = 100


class MicrophoneElement(Element, component="browser/microphone.js", esm={"nao-sound": "browser/sound"}):
    """The microphone; `on_wanted(by_browser)` is called once it needs a listener, `on_ended()` when it is off.

    `by_browser` says that the browser itself writes down what is said, as somebody has chosen.
    """

    def __init__(self, able: bool, texts: Texts, on_wanted: Callable[[bool], Any], on_ended: Callable[[], Any]) -> None:
        super().__init__()
        self._props["able"], self._props["texts"] = able, dict(texts.table)
        self.on("wanted", lambda event: on_wanted(event.args is True))
        self.on("ended", on_ended)

    def connect(self, ticket: str) -> None:
        """Have the browser send its sound to the listener of a ticket."""
        self.run_method("connect", ticket)

    def refuse(self, sentence: str) -> None:
        """Have the microphone turned off, and say why."""
        self.run_method("stop", sentence)


class LoudspeakerElement(Element, component="browser/loudspeaker.js"):
    """The loudspeaker; `on_turned(is_on)` is called when it is turned on and off, `on_spoken()` when it is quiet."""

    def __init__(self, texts: Texts, on_turned: Callable[[bool], Any], on_spoken: Callable[[], Any]) -> None:
        super().__init__()
        self._props["names"] = {"on": texts("Voice off"), "off": texts("Hear NAO")}
        self.languages: frozenset[str] = frozenset()
        self.on("voices", lambda event: self._learn(event.args))
        self.on("turned", lambda event: on_turned(event.args is True))
        self.on("spoken", on_spoken)

    def speak(self, number: int, language: str, parts: list[dict[str, Any]], seconds: float) -> None:
        """Speak words and pauses by the browser's own voice, in so many seconds."""
        self.run_method("speak", number, language, parts, seconds)

    def play(self, number: int, wave: str, volume: float) -> None:
        """Play a WAV file, in base64."""
        self.run_method("play", number, wave, volume)

    def hush(self) -> None:
        """Fall silent."""
        self.run_method("hush")

    def turn_on(self) -> None:
        """Turn it on, as a press on it does."""
        self.run_method("set", True)

    def _learn(self, told: Any) -> None:
        if isinstance(told, list):
            self.languages = frozenset(each for each in told[:_MOST_LANGUAGES] if isinstance(each, str))
