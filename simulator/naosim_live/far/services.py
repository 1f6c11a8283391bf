"""Services of a far robot as boxes at the desk have them: calls go to the robot, and what has to last is remembered."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any

from naosim.services import speech
from naosim.services.animations import remove_annotations

from .world import FarWorld

#: Methods that set something for as long as the robot is on; only the last call counts.
SETTING = ("setLanguage", "setVolume", "setVoice", "setParameter")
_LASTING = ("ALTextToSpeech", "ALSpeechRecognition", "ALDialog")
VOICES = ("ALTextToSpeech", "ALAnimatedSpeech")


class FarService:
    """One service of the robot."""

    is_speaking = False

    def __init__(self, world: FarWorld, name: str) -> None:
        self.world = world
        self.name = name
        self._settings: dict[tuple[str, Any], tuple[Any, ...]] = {}

    def remote(self, method: str) -> Callable[..., Any]:
        """Return the method of this name; raises RuntimeError."""
        if method.startswith("_") or method not in self._members("methods"):
            raise RuntimeError(f"\t{self.name}::{method}\n\tCan't find method: {method}")
        return functools.partial(self._call, method)

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Call a method on the robot, while other tasks go on."""
        answer = self.world.calls.ask(self.name, method, args)
        if method in SETTING and self.name in _LASTING:
            key = args[0] if len(args) > 1 else None
            self._settings[method, key] = tuple(args)
        return answer

    def getMethodList(self) -> list[str]:
        """Return the names of the service's methods."""
        return sorted(self._members("methods"))

    @property
    def signals(self) -> dict[str, str]:
        """Return what a qi session shows as signals of the service, with their signatures."""
        return self._members("signals")

    def leftovers(self) -> list[str]:
        """Return what a program left open here, as far as the desk knows, one sentence each."""
        return []

    def listened_to(self) -> None:
        """Do nothing when one of the service's events gets its first listener or loses its last one."""

    def check_ears(self) -> None:
        """Do nothing when a recogniser opens; the robot itself minds what it hears."""

    def stopAll(self) -> None:
        """Cut off what a posted call is doing, where the service can."""
        if "stopAll" in self._members("methods"):
            self.world.calls.ask(self.name, "stopAll", ())

    def restore(self) -> None:
        """Set again, on a robot that is back, what holds for as long as a robot is on."""
        for (method, _), args in list(self._settings.items()):
            with contextlib.suppress(RuntimeError):
                self.world.calls.connection.ask(self.name, method, *args)

    def _call(self, method: str, *args: Any) -> Any:
        return self.call(method, args)

    def _members(self, kind: str) -> dict[str, str]:
        calls = self.world.calls
        names: dict[str, str] = calls.apart(calls.connection.members, self.name, kind)
        return names


class FarVoice(FarService):
    """ALTextToSpeech or ALAnimatedSpeech: what is said is noted as it begins."""

    def __init__(self, world: FarWorld, name: str) -> None:
        FarService.__init__(self, world, name)
        self._under_way = 0

    @property
    def is_speaking(self) -> bool:  # type: ignore[override]
        """Return whether a text of ours is being said."""
        return self._under_way > 0

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Call a method on the robot, and note what it says."""
        if method != "say" or not args or not isinstance(args[0], str):
            return FarService.call(self, method, args)
        plain = _plain_words(args[0])
        self.world.trace.note("say", text=args[0], plain=plain, duration=0.0, service=self.name, language="")
        self._under_way += 1
        try:
            return FarService.call(self, method, args)
        finally:
            self._under_way -= 1
            self.world.trace.note("said", text=args[0], plain=plain, service=self.name, whole=True)

    def stopAll(self) -> None:
        """Fall silent: a robot whose animated speech cannot be stopped stops its voice."""
        known = self._members("methods")
        voice = self.name if "stopAll" in known else VOICES[0]
        self.world.calls.ask(voice, "stopAll", ())


class FarLeds(FarService):
    """ALLeds: the colour of the eyes is noted."""

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Call a method on the robot, and note the colour it sets."""
        if method == "fadeRGB" and len(args) == 3 and isinstance(args[1], int):
            self.world.trace.note(
                "eyes" if "Face" in str(args[0]) else "leds",
                group=args[0],
                colour=f"#{args[1] & 0xFFFFFF:06x}",
                duration=args[2],
                method=method,
            )
        return FarService.call(self, method, args)


def _plain_words(text: str) -> str:
    """Return what a person hears of a text: no tags, no annotations; a text that cannot be read is given as it is.

    >>> _plain_words("^start(animations/Stand/Gestures/Hey_1) Hello \\\\pau=300\\\\ you")
    'Hello you'
    """
    try:
        return str(speech.parse_speech(remove_annotations(text)).plain)
    except ValueError:
        return text
