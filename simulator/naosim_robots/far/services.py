"""Services of a far robot as boxes at the desk have them: calls go to the robot, and lasting settings are remembered.

The engines that listen, ALSpeechRecognition and ALDialog, have a local mirror each, which is one of the simulated
services: every box that opens one on the robot opens the mirror as well. So the desk knows the phrases that the robot
listens for, the engines left open, and the engines to open again after a restart. ALMemory's keys are on the robot,
its subscriptions at the desk.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Sequence
from typing import Any

from naosim.services import SERVICES
from naosim.services.animations import remove_annotations
from naosim.services.memory import ALMemory
from naosim.speech_texts import parse_speech
from naosim.world import World

from .events import AwaitedEvents, EventWriters
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
        """Call a method on the robot, while other tasks continue."""
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
        """Return the signals of the service in a qi session, with their signatures."""
        return self._members("signals")

    def leftovers(self) -> list[str]:
        """List the things that a program left open here and the desk knows, one sentence each."""
        return []

    def follow_listeners(self) -> None:
        """Do nothing when one of the service's events gets its first listener or loses its last one."""

    def check_ears(self) -> None:
        """Do nothing when a recogniser opens; the robot itself handles the phrases that it hears."""

    def stopAll(self) -> None:
        """Interrupt a posted call, if the service can."""
        if "stopAll" in self._members("methods"):
            self.world.calls.ask(self.name, "stopAll", ())

    def restore(self) -> None:
        """Repeat, on a robot that is back, the settings that last until a robot is switched off."""
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
    """ALTextToSpeech or ALAnimatedSpeech: each sentence is noted as it begins."""

    def __init__(self, world: FarWorld, name: str) -> None:
        FarService.__init__(self, world, name)
        self._under_way = 0

    @property
    def is_speaking(self) -> bool:  # type: ignore[override]
        """Return whether a text of ours is being said."""
        return self._under_way > 0

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Call a method on the robot, and note the robot's words."""
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
    """Return a text as a person hears it, without tags and annotations; a text that cannot be read is given as it is.

    >>> _plain_words("^start(animations/Stand/Gestures/Hey_1) Hello \\\\pau=300\\\\ you")
    'Hello you'
    """
    try:
        return str(parse_speech(remove_annotations(text)).plain)
    except ValueError:
        return text


# The engines that listen.

#: Methods that open or close something, by service; they are repeated on a robot that was restarted.
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
    """ALSpeechRecognition or ALDialog, with its local mirror; without a far end only the mirror, for typed answers."""

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
        method, args = _add_topic_text(method, args)
        answer = FarService.call(self, method, args)
        if method in _OPENING[self.name]:
            self._opened.append((method, tuple(args)))
        if method in _OPENING[self.name] or method in SETTING:
            with contextlib.suppress(RuntimeError):
                self._mirror.call(method, args)
            if not self.is_open and not self._mirror.leftovers():
                self._opened.clear()
        return answer

    def hear_phrase(self, phrase: str, confidence: float) -> bool:
        """Take in a phrase typed at the desk, and tell only the boxes there."""
        self._memory.raise_to = self.world.memory.tell_here
        try:
            return bool(self._mirror.hear_phrase(phrase, confidence))
        finally:
            self._memory.raise_to = None

    def leftovers(self) -> list[str]:
        """List the things that a program left open here and the desk knows, one sentence each."""
        return list(self._mirror.leftovers())

    def follow_listeners(self) -> None:
        """Notify the mirror that one of its events got its first listener or lost its last one."""
        follow_listeners = getattr(self._mirror, "follow_listeners", None)
        if follow_listeners is not None:
            follow_listeners()

    def restore(self) -> None:
        """Open again the engines that a restarted robot has lost; a robot that was only out of reach still has them."""
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
    """The world of a local mirror: the desk's clock and trace, no other services. It does not reach the robot."""

    def __init__(self, far: FarWorld, memory: _MirrorMemory) -> None:
        World.__init__(self, far.clock, languages=far.languages, trace=far.trace)
        self.random = far.random
        self.install(memory, {})  # type: ignore[arg-type]  # it has the methods that an engine calls


class _MirrorMemory:
    """The little of ALMemory that a local mirror needs."""

    def __init__(self, far: FarWorld) -> None:
        self._far = far
        #: A function for the events that the mirror raises, or None.
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
        """Do nothing: the mirror stores no data."""

    def getData(self, key: str) -> Any:
        """Raise RuntimeError: no key is known here."""
        raise RuntimeError(f"Data not found: {key}")

    def link(self, _event: str, _callback: Any) -> int:
        """Connect nothing and return 0."""
        return 0

    def unlink(self, _event: str, _link: int) -> None:
        """Do nothing, as `link` does."""


def _add_topic_text(method: str, args: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """Return a call that carries the text of a topic file at the desk, for the robot has other files."""
    if method == "loadTopic" and args and isinstance(args[0], str) and os.path.isfile(args[0]):
        with open(args[0], encoding="utf-8", errors="replace") as topic:
            return "loadTopicContent", (topic.read(_LARGEST_TOPIC),)
    return method, args


def far_service(world: FarWorld, name: str) -> FarService:
    """Make the service of this name."""
    kinds: dict[str, type[FarService]] = {
        "ALLeds": FarLeds,
        **dict.fromkeys(VOICES, FarVoice),
        **dict.fromkeys(_OPENING, FarEngine),
    }
    return kinds.get(name, FarService)(world, name)


# ALMemory.

#: The methods that the desk answers itself: its modules are not modules of the robot.
HERE = ("subscribeToEvent", "unsubscribeToEvent", "subscribeToMicroEvent", "unsubscribeToMicroEvent", "subscriber")
_WRITING = ("insertData", "raiseEvent", "raiseMicroEvent")
#: Keys that are remembered for a robot that forgets them.
_MOST_KEYS = 500


class FarMemory(ALMemory):
    """The robot's shared memory, with the desk's own subscriptions."""

    world: FarWorld

    def __init__(self, world: FarWorld) -> None:
        ALMemory.__init__(self, world)
        self.name = "ALMemory"
        self.awaited = AwaitedEvents(world.clock, self.is_heard)
        self.writers = EventWriters(world.connection, self.getSubscribers)
        self._far = FarService(world, self.name)
        self._written: dict[str, Any] = {}

    def remote(self, method: str) -> Callable[..., Any]:
        """Return the method of this name; raises RuntimeError."""
        found: Callable[..., Any] = ALMemory.remote(self, method) if method in HERE else self._far.remote(method)
        return found

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Call a method, at the desk or on the robot."""
        if method in HERE:
            return ALMemory.call(self, method, args)
        if method not in _WRITING or len(args) != 2 or not isinstance(args[0], str):
            return self._far.call(method, args)
        key = args[0]
        # Our own events, if we listen to them, come back from the robot.
        awaited = None if method == "insertData" else self.awaited.expect(key)
        try:
            answer = self._far.call(method, args)
        except RuntimeError:
            self.awaited.drop(key, awaited)
            raise
        self.awaited.limit(key, awaited)
        if key in self._written or len(self._written) < _MOST_KEYS:
            self._written[key] = args[1]
        return answer

    def getMethodList(self) -> list[str]:
        """Return the methods of ALMemory on this robot."""
        return self._far.getMethodList()

    def insertData(self, key: str, value: Any) -> None:
        """Store a value on the robot."""
        self.call("insertData", (key, value))

    def getData(self, key: str, period: int = 0) -> Any:
        """Read a value from the robot; raises RuntimeError if the key has no value."""
        return self.call("getData", (key,))

    def raiseEvent(self, event: str, value: Any) -> None:
        """Store a value on the robot and tell every subscriber."""
        self.call("raiseEvent", (event, value))

    def take_in(self, event: str, value: Any) -> None:
        """Take in an event from the robot; runs as a task."""
        self.tell_here(event, value)
        self.awaited.arrive(event)

    def tell_here(self, event: str, value: Any) -> None:
        """Raise an event for the boxes at the desk, without the robot."""
        self._values[event] = value
        self.world.notice(event, value)
        self._tell(event)

    def restore(self) -> None:
        """Write again, on a robot that is back, the values it has forgotten."""
        connection = self.world.calls.connection
        self.writers.restore()
        for key, value in list(self._written.items()):
            try:
                connection.ask(self.name, "getData", key)
            except RuntimeError as error:
                if connection.is_loss(error):
                    raise
                connection.ask(self.name, "insertData", key, value)

    def link(self, event: str, callback: Callable[[Any], Any]) -> int:
        """Connect a callback to an event's signal; one that the robot does not tell is not connected to."""
        try:
            return ALMemory.link(self, event, callback)
        except RuntimeError:
            for number in [made for made, kept in self._links.get(event, {}).items() if kept is callback]:
                del self._links[event][number]
            if not self._links.get(event):
                self._links.pop(event, None)
            raise

    def _subscribe(self, call: str, event: str, module: str, method: str, message: str) -> None:
        before = list(self._subscriptions.get(event, ()))
        try:
            ALMemory._subscribe(self, call, event, module, method, message)
        except RuntimeError:
            # Events that the robot refuses are not subscribed to.
            self._subscriptions[event] = before
            if not before:
                del self._subscriptions[event]
            raise

    def _wake(self, event: str, was_heard: bool) -> None:
        """Open the feed of an event for its first listener, and close it after its last one."""
        ALMemory._wake(self, event, was_heard)
        feed, calls = self.world.feed, self.world.calls
        if self.writers.needs_change(event):
            calls.apart(self.writers.change, event)
        if self.is_heard(event) == was_heard:
            return
        if was_heard:
            self.awaited.drop_all(event)
            calls.apart(feed.close, event)
        else:
            calls.apart(feed.open, event)
