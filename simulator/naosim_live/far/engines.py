"""The engines of a far robot that listen, ALSpeechRecognition and ALDialog, each with a local mirror.

The mirror is one of the simulated services. What a box opens on the robot is opened on the mirror as well: so the desk
knows what the robot listens to, what was left open, and what to open again on a robot that was restarted.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from typing import Any

from naosim.services import SERVICES
from naosim.world import World

from .services import SETTING, VOICES, FarLeds, FarService, FarVoice
from .world import FarWorld

#: Methods that open or close something, by service; what they did is done again on a robot that was restarted.
_OPENING = {
    "ALSpeechRecognition": (
        "pause",
        "setVocabulary",
        "setWordListAsVocabulary",
        "subscribe",
        "unsubscribe",
        "pushContexts",
        "popContexts",
        "removeAllContext",
    ),
    "ALDialog": (
        "loadTopic",
        "loadTopicContent",
        "unloadTopic",
        "activateTopic",
        "deactivateTopic",
        "setConcept",
        "setVariablePath",
        "setFocus",
        "subscribe",
        "unsubscribe",
        "resetAll",
    ),
}
_LARGEST_TOPIC = 1024 * 1024


class FarEngine(FarService):
    """ALSpeechRecognition or ALDialog, with its local mirror; without a far end the mirror alone, for typed answers."""

    def __init__(self, world: FarWorld, name: str, is_far: bool = True) -> None:
        FarService.__init__(self, world, name)
        self.is_far = is_far
        self._memory = _MirrorMemory(world)
        self._mirror: Any = SERVICES[name](_MirrorWorld(world, self._memory))
        self._opened: list[tuple[str, tuple[Any, ...]]] = []

    @property
    def is_open(self) -> bool:
        """Return whether it listens because a box opened it."""
        return bool(self._mirror.is_open)

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """Return the phrases it listens for."""
        return tuple(self._mirror.vocabulary)

    @property
    def spotting(self) -> bool:
        """Return whether phrases are found inside longer sentences."""
        return bool(self._mirror.spotting)

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Call a method on the robot, then on the mirror."""
        if not self.is_far:
            return self._mirror.call(method, args)
        method, args = _with_topic_text(method, args)
        answer = FarService.call(self, method, args)
        if method in _OPENING[self.name]:
            self._opened.append((method, tuple(args)))
        if method in _OPENING[self.name] or method in SETTING:
            with contextlib.suppress(RuntimeError):
                self._mirror.call(method, args)
            if not self.is_open and not self._mirror.leftovers():
                self._opened.clear()
        return answer

    def heard(self, phrase: str, confidence: float) -> bool:
        """Take in what was typed at the desk, and tell the boxes there alone."""
        self._memory.raise_to = self.world.memory.tell_here
        try:
            return bool(self._mirror.heard(phrase, confidence))
        finally:
            self._memory.raise_to = None

    def leftovers(self) -> list[str]:
        """Return what a program left open here, as far as the desk knows, one sentence each."""
        return list(self._mirror.leftovers())

    def listened_to(self) -> None:
        """Tell the mirror that one of its events got its first listener or lost its last one."""
        listened_to = getattr(self._mirror, "listened_to", None)
        if listened_to is not None:
            listened_to()

    def restore(self) -> None:
        """Open again what a restarted robot has lost; one that was only out of reach has kept it."""
        FarService.restore(self)
        if not self.is_far or self._is_kept():
            return
        for method, args in list(self._opened):
            with contextlib.suppress(RuntimeError):
                self.world.calls.connection.ask(self.name, method, *args)

    def _is_kept(self) -> bool:
        ours = {args[0] for method, args in self._opened if method == "subscribe" and args}
        with contextlib.suppress(RuntimeError):
            return any(row[0] in ours for row in self.world.calls.connection.ask(self.name, "getSubscribersInfo"))
        return False

    def _members(self, kind: str) -> dict[str, str]:
        if self.is_far:
            return FarService._members(self, kind)
        return dict.fromkeys(self._mirror.getMethodList() if kind == "methods" else (), "")


class _MirrorWorld(World):
    """The world of a local mirror: the desk's clock and trace, no other services; nothing of it reaches the robot."""

    def __init__(self, far: FarWorld, memory: _MirrorMemory) -> None:
        World.__init__(self, far.clock, languages=far.languages, trace=far.trace)
        self.random = far.random
        self.install(memory, {})


class _MirrorMemory:
    """The little of ALMemory that a local mirror needs."""

    def __init__(self, far: FarWorld) -> None:
        self._far = far
        #: What is called with the events that the mirror raises, if anything.
        self.raise_to: Callable[[str, Any], object] | None = None

    def is_heard(self, event: str) -> bool:
        """Return whether a box listens to an event."""
        return bool(self._far.memory.is_heard(event))

    def getSubscribers(self, event: str) -> list[str]:
        """List the modules at the desk that are subscribed to an event."""
        return list(self._far.memory.getSubscribers(event))

    def raiseEvent(self, event: str, value: Any) -> None:
        """Pass an event on to `raise_to`, if that is set."""
        if self.raise_to is not None:
            self.raise_to(event, value)

    def insertData(self, _key: str, _value: Any) -> None:
        """Keep nothing."""

    def removeData(self, _key: str) -> None:
        """Do nothing: nothing is kept."""

    def getData(self, key: str) -> Any:
        """Raise RuntimeError: no key is known here."""
        raise RuntimeError(f"Data not found: {key}")

    def link(self, _event: str, _callback: Any) -> int:
        """Connect nothing and return 0."""
        return 0

    def unlink(self, _event: str, _link: int) -> None:
        """Do nothing, as `link` does."""


def far_service(world: FarWorld, name: str) -> FarService:
    """Make the service of this name."""
    kinds: dict[str, type[FarService]] = {
        "ALLeds": FarLeds,
        **dict.fromkeys(VOICES, FarVoice),
        **dict.fromkeys(_OPENING, FarEngine),
    }
    return kinds.get(name, FarService)(world, name)


def _with_topic_text(method: str, args: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """Return a call that carries the text of a topic file at the desk, for the robot has other files."""
    if method == "loadTopic" and args and isinstance(args[0], str) and os.path.isfile(args[0]):
        with open(args[0], encoding="utf-8", errors="replace") as topic:
            return "loadTopicContent", (topic.read(_LARGEST_TOPIC),)
    return method, args
