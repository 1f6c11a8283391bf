"""Services of a robot far away, as the desk's boxes see them: every call goes over the wire, and some is remembered.

What a box opens at the recogniser or the dialogue is also done to a twin, one of the fake services: so the desk knows
what the robot listens to, what was left behind, and what to put back on a robot that was started again.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from naosim.services import SERVICES
from naosim.services.speech import speech_text
from naosim.services.speech.annotations import without
from naosim.world.faults import Faults

if TYPE_CHECKING:
    from .robot import LinkedRobot

#: Methods that open or close something, by service; what they did is done again on a robot that was started anew.
OPENING = {
    "ALSpeechRecognition": ("pause", "setVocabulary", "setWordListAsVocabulary", "subscribe", "unsubscribe",
                            "pushContexts", "popContexts", "removeAllContext"),
    "ALDialog": ("loadTopic", "loadTopicContent", "unloadTopic", "activateTopic", "deactivateTopic", "setConcept",
                 "setFocus", "subscribe", "unsubscribe", "resetAll"),
}
#: Methods that set something for as long as the robot is on; only the last call counts.
SETTING = ("setLanguage", "setVolume", "setVoice", "setParameter")
LASTING = ("ALTextToSpeech", "ALSpeechRecognition", "ALDialog")
VOICES = ("ALTextToSpeech", "ALAnimatedSpeech")
LARGEST_TOPIC = 1024 * 1024


class LinkedService:
    """One service of the robot."""

    is_speaking = False

    def __init__(self, robot: LinkedRobot, name: str) -> None:
        self.robot = robot
        self.name = name
        self._settings: dict[tuple[str, Any], tuple[Any, ...]] = {}

    def remote(self, method: str) -> Callable[..., Any]:
        """The method of this name; raises RuntimeError."""
        if method.startswith("_") or method not in self._members("methods"):
            raise RuntimeError(f"\t{self.name}::{method}\n\tCan't find method: {method}")
        return functools.partial(self._called, method)

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Calls a method on the robot, while other tasks go on."""
        answer = self.robot.ask(self.name, method, args)
        if method in SETTING and self.name in LASTING:
            key = args[0] if len(args) > 1 else None
            self._settings[method, key] = tuple(args)
        return answer

    def getMethodList(self) -> list[str]:
        """The methods of the service."""
        return sorted(self._members("methods"))

    @property
    def signals(self) -> set[str]:
        """What a qi session shows as signals of the service."""
        return self._members("signals")

    def leftovers(self) -> list[str]:
        """What a program left open here, as far as the desk knows."""
        return []

    def listened_to(self) -> None:
        """Is told that one of the service's events got its first listener or lost its last one."""

    def check_ears(self) -> None:
        """Is asked by a recogniser that opens; the robot itself minds what it hears."""

    def stopAll(self) -> None:
        """Cuts off what a posted call is doing, where the service knows how."""
        if "stopAll" in self._members("methods"):
            self.robot.ask(self.name, "stopAll", ())

    def put_back(self) -> None:
        """Does again, on a robot that is back, what holds for as long as a robot is on."""
        for (method, _), args in list(self._settings.items()):
            with contextlib.suppress(RuntimeError):
                self.robot.connection.ask(self.name, method, *args)

    def _called(self, method: str, *args: Any) -> Any:
        return self.call(method, args)

    def _members(self, kind: str) -> set[str]:
        names: set[str] = self.robot.apart(self.robot.connection.members, self.name, kind)
        return names


class LinkedVoice(LinkedService):
    """ALTextToSpeech or ALAnimatedSpeech: what is said is noted as it begins."""

    def __init__(self, robot: LinkedRobot, name: str) -> None:
        LinkedService.__init__(self, robot, name)
        self._under_way = 0

    @property
    def is_speaking(self) -> bool:  # type: ignore[override]
        """Whether a text of ours is being said."""
        return self._under_way > 0

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Calls a method on the robot."""
        if method != "say" or not args or not isinstance(args[0], str):
            return LinkedService.call(self, method, args)
        plain = words(args[0])
        self.robot.trace.note("say", text=args[0], plain=plain, duration=0.0, service=self.name, language="")
        self._under_way += 1
        try:
            return LinkedService.call(self, method, args)
        finally:
            self._under_way -= 1
            self.robot.trace.note("said", text=args[0], plain=plain, service=self.name, whole=True)

    def stopAll(self) -> None:
        """Falls silent: a robot whose animated speech cannot be stopped stops its voice."""
        known = self._members("methods")
        voice = self.name if "stopAll" in known else VOICES[0]
        self.robot.ask(voice, "stopAll", ())


class LinkedLeds(LinkedService):
    """ALLeds: the colour of the eyes is noted."""

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Calls a method on the robot."""
        if method == "fadeRGB" and len(args) == 3 and isinstance(args[1], int):
            self.robot.trace.note("eyes" if "Face" in str(args[0]) else "leds", group=args[0],
                                  colour=f"#{args[1] & 0xFFFFFF:06x}", duration=args[2], method=method)
        return LinkedService.call(self, method, args)


class LinkedEngine(LinkedService):
    """ALSpeechRecognition or ALDialog, with its twin; without a far end it is the twin alone, for typed answers."""

    def __init__(self, robot: LinkedRobot, name: str, is_far: bool = True) -> None:
        LinkedService.__init__(self, robot, name)
        self.is_far = is_far
        self._shadow = Shadow(robot)
        self._twin: Any = SERVICES[name](self._shadow)  # type: ignore[arg-type]
        self._opened: list[tuple[str, tuple[Any, ...]]] = []

    @property
    def is_open(self) -> bool:
        """Whether it listens because of us."""
        return bool(self._twin.is_open)

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The phrases it listens for."""
        return tuple(self._twin.vocabulary)

    @property
    def spotting(self) -> bool:
        """Whether phrases are found inside longer sentences."""
        return bool(self._twin.spotting)

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Calls a method on the robot, then on the twin."""
        if not self.is_far:
            return self._twin.call(method, args)
        method, args = _carried(method, args)
        answer = LinkedService.call(self, method, args)
        if method in OPENING[self.name]:
            self._opened.append((method, tuple(args)))
        if method in OPENING[self.name] or method in SETTING:
            with contextlib.suppress(RuntimeError):
                self._twin.call(method, args)
            if not self.is_open and not self._twin.leftovers():
                self._opened.clear()
        return answer

    def heard(self, phrase: str, confidence: float) -> bool:
        """Takes in what was typed at the desk, and tells our boxes alone."""
        self._shadow.raise_to = self.robot.memory.tell_here
        try:
            return bool(self._twin.heard(phrase, confidence))
        finally:
            self._shadow.raise_to = None

    def leftovers(self) -> list[str]:
        """What a program left open here, as far as the desk knows."""
        return list(self._twin.leftovers())

    def listened_to(self) -> None:
        """Is told that one of the service's events got its first listener or lost its last one."""
        told = getattr(self._twin, "listened_to", None)
        if told is not None:
            told()

    def put_back(self) -> None:
        """Opens again what a robot that was started anew has lost; one that was only out of reach has kept it."""
        LinkedService.put_back(self)
        if not self.is_far or self._is_kept():
            return
        for method, args in list(self._opened):
            with contextlib.suppress(RuntimeError):
                self.robot.connection.ask(self.name, method, *args)

    def _is_kept(self) -> bool:
        ours = {args[0] for method, args in self._opened if method == "subscribe" and args}
        with contextlib.suppress(RuntimeError):
            return any(row[0] in ours for row in self.robot.connection.ask(self.name, "getSubscribersInfo"))
        return False

    def _members(self, kind: str) -> set[str]:
        if self.is_far:
            return LinkedService._members(self, kind)
        return set(self._twin.getMethodList()) if kind == "methods" else set()


class Shadow:
    """The little that a twin asks of its robot; nothing of it reaches the real one."""

    def __init__(self, robot: LinkedRobot) -> None:
        self._robot = robot
        self.clock, self.trace, self.random = robot.clock, robot.trace, robot.random
        self.faults = Faults()
        self.services: dict[str, Any] = {}
        self.memory = self
        #: Whom to tell of the events that the twin raises, if anybody.
        self.raise_to: Callable[[str, Any], object] | None = None

    @property
    def languages(self) -> tuple[str, ...]:
        """The robot's languages."""
        return tuple(self._robot.languages)

    def text_out(self, value: Any, where: str) -> str:
        """The text that a twin was given."""
        return self._robot.text_out(value, where)

    def is_heard(self, event: str) -> bool:
        """Whether a box listens to an event."""
        return bool(self._robot.memory.is_heard(event))

    def raiseEvent(self, event: str, value: Any) -> None:
        """Tells nobody, or whoever wants to know."""
        if self.raise_to is not None:
            self.raise_to(event, value)

    def getData(self, key: str) -> Any:
        """Knows nothing."""
        raise RuntimeError(f"Data not found: {key}")

    def link(self, _event: str, _callback: Any) -> int:
        """Connects nothing."""
        return 0

    def unlink(self, _event: str, _link: int) -> None:
        """Disconnects nothing."""


def words(text: str) -> str:
    """What a person hears of a text: no tags, no annotations; a text that cannot be read is given as it is.

    >>> words("^start(animations/Stand/Gestures/Hey_1) Hello \\\\pau=300\\\\ you")
    'Hello you'
    """
    try:
        return str(speech_text.heard(without(text)).plain)
    except ValueError:
        return text


def _carried(method: str, args: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """A topic whose file lies at the desk is sent as text: the robot has other files."""
    if method == "loadTopic" and args and isinstance(args[0], str) and os.path.isfile(args[0]):
        with open(args[0], encoding="utf-8", errors="replace") as topic:
            return "loadTopicContent", (topic.read(LARGEST_TOPIC),)
    return method, args


def linked_service(robot: LinkedRobot, name: str) -> LinkedService:
    """The service of this name."""
    kinds: dict[str, type[LinkedService]] = {"ALLeds": LinkedLeds, **dict.fromkeys(VOICES, LinkedVoice),
                                             **dict.fromkeys(OPENING, LinkedEngine)}
    return kinds.get(name, LinkedService)(robot, name)
