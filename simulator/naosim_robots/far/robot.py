"""A far robot, played from the desk: boxes run here, services belong to a qi session, on any NAOqi."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from naosim import scripting
from naosim.clock import NOTHING_LEFT
from naosim.compat import native
from naosim.errors import WrongUse
from naosim.robot import MAX_ADVANCE_S, Pause, Person, RobotDriver, Waiting

from .connection import Connection, ConnectionLost
from .services import FarEngine, FarMemory, far_service
from .world import HUMAN, FarWorld

# The person in front of it: simulated with a simulated robot, at the desk with any other.

#: The event in which an engine's hearing comes.
_HEARD_AS = {"ALSpeechRecognition": "WordRecognized", "ALDialog": "Dialog/LastInput"}


class FarPerson(Person):
    """The person at a far robot."""

    world: FarWorld

    def __init__(self, world: FarWorld) -> None:
        Person.__init__(self, world)

    def hear(self, phrase: str, confidence: float = 0.9) -> None:
        """Say something to a simulated robot; with a real one, the boxes hear the typed phrase."""
        world = self.world
        phrase = world.faults.distort_phrase(native(phrase))
        engine = self.ears().engine
        if engine is None or world.has_human:
            world.trace.note("hear", phrase=phrase, confidence=confidence, engine=engine)
        if engine is None:
            return
        listening: Any = world.services[engine]
        if world.has_human and listening.is_far:
            world.clock.call_soon(self._do, _HEARD_AS[engine], "hear", phrase, float(confidence))
        else:
            world.clock.call_soon(listening.hear_phrase, phrase, confidence)

    def event(self, key: str, value: Any) -> None:
        """Have the simulated person cause an event; raises WrongUse on a real robot, whose sensors are its own."""
        if not self.world.has_human:
            raise WrongUse(f"{key} cannot be raised on a real robot: let its sensors notice it.")
        self.world.clock.call_soon(self._do, key, "event", key, value)

    def _set_touched(self, sensor: str, pressed: bool) -> None:
        """Have the simulated person touch a sensor; with a real robot, tell only the boxes."""
        if self.world.has_human:
            self.world.trace.note("touch", sensor=sensor, pressed=pressed)
            self._do(sensor, "press" if pressed else "release", sensor)
        else:
            self.world.memory.tell_here(sensor, 1.0 if pressed else 0.0)

    def _do(self, event: str, verb: str, *args: Any) -> None:
        """Have the simulated person do something, and await the event that comes of it."""
        awaited = self.world.memory.awaited.expect(event)
        try:
            self.world.calls.ask(HUMAN, verb, args)
        except RuntimeError as error:
            self.world.trace.note("error", where=HUMAN, message=str(error), handled=False)
            self.world.memory.awaited.drop(event, awaited)
        self.world.memory.awaited.limit(event, awaited)


# The robot.

#: Engines that listen to a person.
_ENGINES = {"ALSpeechRecognition", "ALDialog"}
#: Real seconds for a robot to raise an event of its own accord.
_MOMENT = 1.0


class FarRobot(RobotDriver):
    """The robot at `url`, with behaviours played in this Python.

    On a simulated robot the person is simulated too and time stands still while the robot is busy; on any other robot
    time is real and the person is in front of it. `transport` is auto, signal or polling; `patience` is the
    seconds for which the robot can be out of reach; `tell` is called with sentences for people, on any thread.
    Raises NaosimError when there is no robot.
    """

    world: FarWorld

    @property
    def memory(self) -> FarMemory:
        """Return ALMemory of the robot and the boxes."""
        memory: FarMemory = self.world.memory
        return memory

    @property
    def services(self) -> dict[str, Any]:
        """Return the services by name."""
        return self.world.services

    def __init__(
        self,
        url: str,
        user: str = "",
        password: str = "",
        transport: str = "auto",
        *,
        patience: float = 60.0,
        seed: int = 0,
        folder: str | None = None,
        tell: Callable[[str], object] = lambda _sentence: None,
    ) -> None:
        self.connection = Connection(url, user, password, patience, tell)
        try:
            names = self.connection.services()
            world = FarWorld(self.connection, names, transport, seed=seed, folder=folder, tell=tell)
            RobotDriver.__init__(self, world, FarPerson(world))
            self._install(names)
        except BaseException:
            self.connection.close()
            raise
        self.feed = world.feed
        self.has_human = world.has_human
        self.connection.on_back.insert(0, self._restore)
        self.connection.on_lost.append(world.clock.wake)
        if not self.has_human:
            world.clock.open()

    def _install(self, names: Sequence[str]) -> None:
        world = self.world
        memory = FarMemory(world)
        services = {name: far_service(world, name) for name in names if name[:1] != "_" and name != HUMAN}
        world.install(memory, {**services, "ALMemory": memory})
        if not _ENGINES & set(services):
            self.be_deaf()

    def list_languages(self) -> list[str]:
        """Return the languages its recogniser understands; [] without a recogniser, or if it does not list them."""
        engine = self.services.get("ALSpeechRecognition")
        return self.world.languages_of("ALSpeechRecognition") if engine is not None and engine.is_far else []

    def be_deaf(self) -> None:
        """Do not use the robot's recogniser: its local mirror hears the answers typed at the desk."""
        self.services["ALSpeechRecognition"] = FarEngine(self.world, "ALSpeechRecognition", is_far=False)

    @property
    def is_deaf(self) -> bool:
        """Return whether the robot listens only with its head sensors, so that answers are typed or touched."""
        engine = self.services.get("ALSpeechRecognition")
        return isinstance(engine, FarEngine) and not engine.is_far

    # The person

    def advance(self, seconds: float = MAX_ADVANCE_S, awaited: str = "") -> Pause:
        """Run until the behaviour has ended or the robot waits for the person; raises ConnectionLost.

        If the desk is idle but listens to events, the robot gets a moment to raise some.
        """
        while True:
            self.world.has_events.clear()
            reason = self._run(_FarWaiting(self.world, self.is_over), seconds)
            if awaited and self.awaits(awaited):
                return self.pause()
            if reason != NOTHING_LEFT or not self.feed.is_open or not self.world.has_events.wait(_MOMENT):
                return self.pause()

    def attend(self, until: Callable[[], object]) -> Pause:
        """Run until `until()` holds at a calm moment or the robot is lost; raises ConnectionLost."""
        self._run(until)
        return self.pause()

    def _run(self, until: Callable[[], object], seconds: float | None = None) -> str:
        with scripting.run_as_robot(self.world):
            reason = self.clock.run(lambda: bool(self.connection.lost) or until(), seconds)
        if self.connection.lost:
            raise ConnectionLost(self.connection.lost)
        return reason

    def listens(self) -> bool:
        """Return whether a person can answer: an engine is open or the head is felt, and no task is under way."""
        ears = self.ears()
        return not self.clock.expected and (ears.engine is not None or bool(ears.touch))

    def touch(self, sensor: str) -> None:
        """Press a sensor, named by its event, and release it; raises WrongUse for an unknown one."""
        if not self.has_human:
            RobotDriver.touch(self, sensor)
            return
        self.person.press(sensor)
        self.attend(lambda: not self.clock.expected)
        self.person.release(sensor)
        self.attend(lambda: not self.clock.expected)

    # The connection

    def _restore(self) -> None:
        """Restore the state that a robot has forgotten when it is back."""
        self.memory.restore()
        for service in list(self.services.values()):
            if service is not self.memory:
                service.restore()

    def close(self) -> None:
        """End every task, the event feed and the session."""
        if not self.connection.lost:
            self.feed.end()
            self.memory.writers.end()
        self.connection.close()
        RobotDriver.close(self)
        self.world.calls.close()


class _FarWaiting(Waiting):
    """Whether it is the person's turn: not while an answer of the robot is under way."""

    __slots__ = ("_clock",)

    def __init__(self, world: FarWorld, is_over: Callable[[], bool]) -> None:
        Waiting.__init__(self, world, is_over)
        self._clock = world.clock

    def __call__(self) -> bool:
        """Return whether to pause; asked whenever no task is ready."""
        return self.is_over() or (not self._clock.expected and Waiting.__call__(self))
