"""A far robot, played from the desk: boxes run here, services are those of a qi session, on any NAOqi."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from naosim.compat import native
from naosim.kernel.clock import NOTHING_LEFT
from naosim.robot.listening import SENSORS, Waiting
from naosim.robot.robot import LONGEST_ADVANCE, Pause, Robot
from naosim.scripting import modules
from naosim.services import SERVICES

from .connection import Connection, ConnectionLost
from .desk_clock import DeskClock
from .engines import FarEngine, far_service
from .event_feed import EventFeed
from .memory import FarMemory
from .task_calls import TaskCalls

HUMAN = "SimulatedHuman"
#: The event in which an engine's hearing comes.
HEARD_AS = {"ALSpeechRecognition": "WordRecognized", "ALDialog": "Dialog/LastInput"}
#: Real seconds for a robot to raise an event of its own accord.
MOMENT = 1.0


class FarRobot(Robot):
    """The robot at `url`, with behaviours played in this Python.

    On a simulated robot the person is simulated too and time stands still while the robot is busy; on any other robot
    time is real and the person stands before it. `transport` is auto, signal, module or polling; `patience` is how many
    seconds the robot may be out of reach; `tell` is called with sentences for people, on any thread.
    Raises NaosimError when there is no robot.
    """

    def __init__(self, url: str, user: str = "", password: str = "", transport: str = "auto", *,
                 patience: float = 60.0, seed: int = 0, folder: str | None = None,
                 tell: Callable[[str], object] = lambda _sentence: None) -> None:
        self.connection = Connection(url, user, password, patience, tell)
        self._has_events = threading.Event()
        try:
            names = self.connection.services()
            self.has_human = HUMAN in names
            clock = DeskClock(real_time=not self.has_human)
            Robot.__init__(self, without=SERVICES, seed=seed, folder=folder, clock=clock)
            self.calls = TaskCalls(self.connection, clock)
            self.feed = EventFeed(self.connection, self._receive, transport, tell)
            self._make_services(names)
        except BaseException:
            self.connection.close()
            raise
        self.connection.on_back.insert(0, self._restore)
        self.connection.on_lost.append(clock.wake)
        if not self.has_human:
            clock.open()

    def _make_services(self, names: Sequence[str]) -> None:
        self.memory = FarMemory(self, self)
        self.services = {name: far_service(self, name) for name in names if name[:1] != "_" and name != HUMAN}
        self.services["ALMemory"] = self.memory
        if "ALTextToSpeech" in self.services:
            spoken = self._languages("ALTextToSpeech")
            self.languages = tuple(spoken) or self.languages
        if not set(HEARD_AS) & set(self.services):
            self.be_deaf()

    def _languages(self, service: str) -> list[str]:
        try:
            return [str(name) for name in self.connection.ask(service, "getAvailableLanguages")]
        except RuntimeError:
            return []

    def heard_languages(self) -> list[str]:
        """Return the languages its recogniser understands; none where it has no recogniser or that does not say."""
        engine = self.services.get("ALSpeechRecognition")
        return self._languages("ALSpeechRecognition") if engine is not None and engine.is_far else []

    def be_deaf(self) -> None:
        """Leave the robot's recogniser alone: what is typed at the desk is heard by a local mirror of it."""
        self.services["ALSpeechRecognition"] = FarEngine(self, "ALSpeechRecognition", is_far=False)

    @property
    def is_deaf(self) -> bool:
        """Return whether the robot listens with its head sensors alone, so that answers are typed or touched."""
        engine = self.services.get("ALSpeechRecognition")
        return isinstance(engine, FarEngine) and not engine.is_far

    # The person

    def advance(self, seconds: float = LONGEST_ADVANCE) -> Pause:
        """Run until the behaviour has ended or the robot waits for the person; raises ConnectionLost.

        Where nothing is left to do at the desk, but events are listened to, the robot is given a moment to raise some.
        """
        while True:
            self._has_events.clear()
            reason = self._run(FarPauseCondition(self), seconds)
            if reason != NOTHING_LEFT or not self.feed.is_open or not self._has_events.wait(MOMENT):
                return self.pause()

    def attend(self, until: Callable[[], object]) -> Pause:
        """Run until `until()` holds at a calm moment or the robot is lost; raises ConnectionLost."""
        self._run(until)
        return self.pause()

    def _run(self, until: Callable[[], object], seconds: float | None = None) -> str:
        with modules.PATCHES:
            reason = self.clock.run(lambda: bool(self.connection.lost) or until(), seconds)
        if self.connection.lost:
            raise ConnectionLost(self.connection.lost)
        return reason

    def has_news(self) -> bool:
        """Return whether something has happened since the last `pause`."""
        return len(self.trace.events) > self._shown

    def listens(self) -> bool:
        """Return whether a person may answer: an engine is open or the head is felt, and nothing is under way."""
        ears = self.ears()
        return not self.clock.expected and (ears.engine is not None or bool(ears.touch))

    def hear(self, phrase: str, confidence: float = 0.9) -> None:
        """Say something to a simulated robot; with a real one, the boxes hear what was typed."""
        phrase = self.faults.heard(native(phrase))
        engine = self.ears().engine
        if engine is None or self.has_human:
            self.trace.note("hear", phrase=phrase, confidence=confidence, engine=engine)
        if engine is None:
            return
        if self.has_human and self.services[engine].is_far:
            self.clock.soon(self._as_person, HEARD_AS[engine], "hear", phrase, float(confidence))
        else:
            self.clock.soon(self.services[engine].heard, phrase, confidence)

    def touch(self, sensor: str) -> None:
        """Press a sensor, named by its event, and release it; raises WrongUse for an unknown one."""
        if not self.has_human:
            Robot.touch(self, sensor)
            return
        self.press(sensor)
        self.attend(lambda: not self.clock.expected)
        self.press(sensor, False)
        self.attend(lambda: not self.clock.expected)

    def _press(self, sensor: str, pressed: bool) -> None:
        if self.has_human:
            self.trace.note("touch", sensor=sensor, pressed=pressed)
            self._as_person(sensor, "press" if pressed else "release", sensor)
        else:
            self.memory.tell_here(sensor, 1.0 if pressed else 0.0)

    def _as_person(self, event: str, verb: str, *args: Any) -> None:
        """Have the simulated person do something, and await the event that comes of it."""
        awaited = self.memory.awaited.expect(event)
        try:
            self.calls.ask(HUMAN, verb, args)
        except RuntimeError as error:
            self.trace.note("error", where=HUMAN, message=str(error), handled=False)
            self.memory.awaited.drop(event, awaited)
        self.memory.awaited.limit(event, awaited)

    def notice(self, event: str, value: Any) -> None:
        """Note in the trace what a person in front of a real robot has said or touched."""
        if self.has_human:
            return
        if event == "WordRecognized" and isinstance(value, list | tuple) and len(value) > 1 and value[0]:
            self.trace.note("hear", phrase=str(value[0]), confidence=value[1], engine="ALSpeechRecognition")
        elif event == "Dialog/LastInput":
            self.trace.note("hear", phrase=str(value), confidence=1.0, engine="ALDialog")
        elif event in SENSORS and value == 1.0:
            self.trace.note("touch", sensor=event, pressed=True)

    # The connection

    def _receive(self, event: str, value: Any) -> None:
        """Receive an event from the feed, on any thread."""
        self.clock.outside(self.memory.take_in, event, value)
        self._has_events.set()

    def _restore(self) -> None:
        """Give a robot that is back what it has forgotten."""
        self.memory.restore()
        for service in list(self.services.values()):
            if service is not self.memory:
                service.restore()

    def close(self) -> None:
        """End every task, the event feed and the session."""
        if not self.connection.lost:
            self.feed.end()
        self.connection.close()
        Robot.close(self)
        self.calls.close()


class FarPauseCondition(Waiting):
    """The condition on which a run pauses for the person: not while an answer of the robot is under way."""

    __slots__ = ()

    def __call__(self) -> bool:
        """Return whether to pause; asked whenever nothing is ready."""
        robot = self._robot
        if robot.behaviour is not None and robot.behaviour.ended:
            return True
        return not robot.clock.expected and Waiting.__call__(self)
