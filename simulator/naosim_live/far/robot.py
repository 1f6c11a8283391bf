"""A robot far away, played at the desk: boxes run here, services are those of a qi session, on any NAOqi."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from naosim.compat import native
from naosim.kernel.clock import NOTHING_LEFT, Gate, here
from naosim.robot.listening import SENSORS, Waiting
from naosim.robot.robot import LONGEST_ADVANCE, Pause, Robot
from naosim.scripting import modules
from naosim.services import SERVICES

from .connection import Connection, ConnectionLost
from .desk_clock import DeskClock, beside
from .event_transports import News
from .memory import LinkedMemory
from .services import LinkedEngine, linked_service

HUMAN = "SimulatedHuman"
#: The event in which an engine's hearing comes.
HEARD_AS = {"ALSpeechRecognition": "WordRecognized", "ALDialog": "Dialog/LastInput"}
#: Threads for what libqi has no future for, and seconds for a robot to tell something of its own accord.
THREADS, MOMENT = 8, 1.0


class LinkedRobot(Robot):
    """The robot at `url`, with behaviours played in this Python.

    On a simulated robot the person is simulated too and time stands still while the robot is busy; on any other robot
    time is real and the person stands before it. `transport` is auto, signal, module or polling; `patience` is how many
    seconds the robot may be out of reach; `tell` is given sentences for people, on any thread.
    Raises NaosimError when there is no robot.
    """

    def __init__(self, url: str, user: str = "", password: str = "", transport: str = "auto", *,
                 patience: float = 60.0, seed: int = 0, folder: str | None = None,
                 tell: Callable[[str], object] = lambda _sentence: None) -> None:
        self.connection = Connection(url, user, password, patience, tell)
        self._threads = ThreadPoolExecutor(THREADS, "naosim-desk")
        self._stirred = threading.Event()
        try:
            names = self.connection.services()
            self.has_human = HUMAN in names
            clock = DeskClock(real_time=not self.has_human)
            Robot.__init__(self, without=SERVICES, seed=seed, folder=folder, clock=clock)
            self.news = News(self.connection, self._told, transport, tell)
            self._furnish(names)
        except BaseException:
            self.connection.close()
            raise
        self.connection.on_back.insert(0, self._put_back)
        self.connection.on_lost.append(clock.wake)
        if not self.has_human:
            clock.open()

    def _furnish(self, names: Sequence[str]) -> None:
        self.memory = LinkedMemory(self)
        self.services = {name: linked_service(self, name) for name in names if name[:1] != "_" and name != HUMAN}
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
        """The languages its recogniser understands; empty where there is none or it does not say."""
        engine = self.services.get("ALSpeechRecognition")
        return self._languages("ALSpeechRecognition") if engine is not None and engine.is_far else []

    def be_deaf(self) -> None:
        """Leaves the robot's recogniser alone: what is typed at the desk is heard as if there were another one."""
        self.services["ALSpeechRecognition"] = LinkedEngine(self, "ALSpeechRecognition", is_far=False)

    @property
    def is_deaf(self) -> bool:
        """Whether the robot has no ears but the head, so that answers are typed or touched."""
        engine = self.services.get("ALSpeechRecognition")
        return isinstance(engine, LinkedEngine) and not engine.is_far

    # The person

    def advance(self, seconds: float = LONGEST_ADVANCE) -> Pause:
        """Runs until the behaviour has ended or it is the person's turn; raises ConnectionLost.

        Where nothing is left to do at the desk, but events are listened to, the robot is given a moment to tell some.
        """
        while True:
            self._stirred.clear()
            reason = self._run(Turn(self), seconds)
            if reason != NOTHING_LEFT or not self.news.is_open or not self._stirred.wait(MOMENT):
                return self.pause()

    def attend(self, until: Callable[[], object]) -> Pause:
        """Runs until `until()` holds at a calm moment or the robot is lost; raises ConnectionLost."""
        self._run(until)
        return self.pause()

    def _run(self, until: Callable[[], object], seconds: float | None = None) -> str:
        with modules.PATCHES:
            reason = self.clock.run(lambda: bool(self.connection.lost) or until(), seconds)
        if self.connection.lost:
            raise ConnectionLost(self.connection.lost)
        return reason

    def has_news(self) -> bool:
        """Whether something has happened since the last `pause`."""
        return len(self.trace.events) > self._shown

    def listens(self) -> bool:
        """Whether somebody may answer: an engine is open or the head is felt, and nothing is under way."""
        ears = self.ears()
        return not self.clock.expected and (ears.engine is not None or bool(ears.touch))

    def hear(self, phrase: str, confidence: float = 0.9) -> None:
        """Says something to a simulated robot; with a real one, the boxes hear what was typed."""
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
        """Presses a sensor, named by its event, and releases it; raises WrongUse for an unknown one."""
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
        """Has the simulated person do something, and awaits the event that comes of it."""
        arrival = self.memory.arrivals.expect(event)
        try:
            self.ask(HUMAN, verb, args)
        except RuntimeError as error:
            self.trace.note("error", where=HUMAN, message=str(error), handled=False)
            self.memory.arrivals.drop(event, arrival)
        self.memory.arrivals.limit(event, arrival)

    def notice(self, event: str, value: Any) -> None:
        """Notes what a real robot has heard or felt."""
        if self.has_human:
            return
        if event == "WordRecognized" and isinstance(value, list | tuple) and len(value) > 1 and value[0]:
            self.trace.note("hear", phrase=str(value[0]), confidence=value[1], engine="ALSpeechRecognition")
        elif event == "Dialog/LastInput":
            self.trace.note("hear", phrase=str(value), confidence=1.0, engine="ALDialog")
        elif event in SENSORS and value == 1.0:
            self.trace.note("touch", sensor=event, pressed=True)

    # The wire

    def _told(self, event: str, value: Any) -> None:
        """Takes a piece of news, on any thread."""
        self.clock.outside(self.memory.arrived, event, value)
        self._stirred.set()

    def ask(self, service: str, method: str, args: Sequence[Any]) -> Any:
        """Calls a method on the robot; a task lets others run meanwhile. Raises RuntimeError."""
        return self._await(lambda: self.connection.call(service, method, tuple(args)))

    def apart(self, call: Callable[..., Any], *args: Any) -> Any:
        """Makes a call that blocks, on a thread of its own; a task lets others run meanwhile."""
        return self._await(lambda: self._threads.submit(call, *args))

    def _await(self, start: Callable[[], Future[Any]]) -> Any:
        clock = self.clock
        future = beside(start)
        if here() is clock:
            gate = Gate(clock)
            clock.expect(1)
            future.add_done_callback(lambda _done: clock.outside(self._came, gate))
            clock.wait(gate)
        return future.result()

    def _came(self, gate: Gate) -> None:
        self.clock.expect(-1)
        gate.open()

    def _put_back(self) -> None:
        """The robot is back: it gets what it has forgotten."""
        self.memory.put_back()
        for service in list(self.services.values()):
            if service is not self.memory and hasattr(service, "put_back"):
                service.put_back()

    def close(self) -> None:
        """Ends every task, the news and the session."""
        if not self.connection.lost:
            self.news.end()
        self.connection.close()
        Robot.close(self)
        self._threads.shutdown(wait=False, cancel_futures=True)


class Turn(Waiting):
    """Whether a person has to do something: not while an answer of the robot is under way."""

    __slots__ = ()

    def __call__(self) -> bool:
        """Asked whenever nothing is ready."""
        robot = self._robot
        if robot.behaviour is not None and robot.behaviour.ended:
            return True
        return not robot.clock.expected and Waiting.__call__(self)
