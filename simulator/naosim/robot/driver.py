"""Driving a robot: loading, starting and stopping behaviours and advancing the time. Knows no simulated service."""

from __future__ import absolute_import, division, print_function

from collections import namedtuple

from naosim.compat import native
from naosim.errors import WrongUse
from naosim.formats import xar
from naosim.formats.project import behaviour_file
from naosim.lint.admission import note_findings
from naosim.player.behaviour import Behaviour
from naosim.player.leftovers import left_open
from naosim.robot.listening import Ears, Waiting
from naosim.robot.person import PRESS
from naosim.robot.sensors import is_awaited
from naosim.scripting import modules

MYPY = False
if MYPY:
    from typing import Any, Iterable, Sequence

    from naosim.kernel.clock import Clock
    from naosim.robot.person import Person
    from naosim.world.faults import Faults
    from naosim.world.trace import Trace
    from naosim.world.world import World

#: What `advance` returns: the events since the last pause, what the robot listens to, whether the behaviour has ended.
Pause = namedtuple("Pause", "events ears ended")

#: Virtual seconds: the default limit of `advance`, and the limit of a load or stop.
LONGEST_ADVANCE, LONGEST_UNLOAD = 3600.0, 120.0


class RobotDriver(object):
    """The robot of a `world` and the `person` in front of it, driven by a program outside the clock's tasks."""

    def __init__(self, world, person):  # type: (World, Person) -> None
        self.world = world
        self.world.clock.host = world
        self.person = person
        self.behaviour = None  # type: Behaviour | None
        self._shown = 0

    def __enter__(self):  # type: () -> Any
        return self

    def __exit__(self, *_error):  # type: (*Any) -> None
        self.close()

    # Parts of the world, by the names that tests and programs use.

    clock = property(lambda self: self.world.clock)  # type: Clock  # type: ignore[assignment]
    trace = property(lambda self: self.world.trace)  # type: Trace  # type: ignore[assignment]
    faults = property(lambda self: self.world.faults)  # type: Faults  # type: ignore[assignment]
    memory = property(lambda self: self.world.memory)  # type: Any
    services = property(lambda self: self.world.services)  # type: dict[str, Any]  # type: ignore[assignment]

    def service(self, name):  # type: (str) -> Any
        """Return the service of this name; raises the robot's RuntimeError when there is none."""
        return self.world.service(name)

    def now(self):  # type: () -> float
        """Return the seconds on the robot's clock, which is at zero when the robot is made."""
        return self.world.clock.now()

    # Loading, and what a person does.

    def load(self, source, rewrite=False, parameters=None, behaviour="", dialogs=()):
        # type: (Any, bool, dict[str, Any] | None, str, Iterable[str]) -> Behaviour
        """Read a behaviour (path, bytes or project), construct and load its boxes, and return it; raises a NaosimError.

        `behaviour` names one of several in a project or package, `dialogs` the Dialog boxes that are answered by hand.
        A behaviour still loaded is stopped first. Errors that the lint finds are recorded; broken ids, ports and links
        are refused.
        """
        loaded = self.read(source, rewrite, parameters, behaviour, dialogs)
        if self.behaviour is not None and self.behaviour.is_loaded:
            self.stop()
        self.take_on(loaded)
        self._do(loaded, loaded.load)
        return loaded

    def read(self, source, rewrite=False, parameters=None, behaviour="", dialogs=()):
        # type: (Any, bool, dict[str, Any] | None, str, Iterable[str]) -> Behaviour
        """Read a behaviour as `load` does, without constructing its boxes; raises a NaosimError."""
        project = xar.parse(behaviour_file(source, behaviour, self.world.writable_folder))
        loaded = Behaviour(self.world, project, rewrite, parameters, dialogs)
        note_findings(self.world, project)
        return loaded

    def take_on(self, loaded):  # type: (Behaviour) -> None
        """Make a behaviour the one that `start` and `stop` mean."""
        self.behaviour = loaded
        self.world.rewrites = loaded.rewrite
        package = loaded.project.package
        if package is not None and package[0] is not None:
            # The other behaviours of the project can be run too, as if it were installed as a package.
            self.world.packages[package[0].uuid] = package[0]
            self.world.last_uploaded = package[0].uuid
        self.world.behaviour_folders[loaded.id] = loaded.folder

    def start(self, behaviour=None):  # type: (Behaviour | None) -> None
        """Schedule the stimulation of the root's onStart; `advance` then runs the behaviour."""
        self.person.announce("start")
        behaviour = behaviour or self._current()
        clock, stop_at = self.world.clock, self.world.faults.stop_at
        clock.soon_for(behaviour, behaviour.start)
        if stop_at is not None and stop_at >= clock.now():
            clock.later_for(behaviour, stop_at - clock.now(), behaviour.interrupt)

    def advance(self, seconds=LONGEST_ADVANCE, awaited=""):  # type: (float, str) -> Pause
        """Run until the behaviour has ended, the robot waits for a person, nothing is left or the time is up.

        The run also ends when an event that is `awaited` would be noticed.
        """
        waiting = Waiting(self.world, self.is_over)
        with modules.running(self.world):
            self.world.clock.run(lambda: waiting() or self.awaits(awaited), seconds)
        return self.pause()

    def is_over(self):  # type: () -> bool
        """Tell whether the behaviour that was loaded has ended."""
        return self.behaviour is not None and self.behaviour.ended

    def ears(self):  # type: () -> Ears
        """Return what the robot listens to at the moment."""
        return self.person.ears()

    def hear(self, phrase, confidence=0.9):  # type: (str, float) -> None
        """Say something to the robot, for the engine that is open to hear during the next `advance`."""
        self.person.hear(phrase, confidence)

    def begin_to_speak(self):  # type: () -> None
        """Let the recogniser notice during the next `advance` that somebody speaks."""
        self.person.begin_to_speak()

    def speak(self, hypotheses):  # type: (Sequence[tuple[str, float]]) -> None
        """Let the recogniser take in real sound: what it may have been, best first, or nothing it knows."""
        self.person.speak(hypotheses)

    def tap(self, sensor):  # type: (str) -> None
        """Press a sensor and release it a moment later; raises WrongUse for an unknown one."""
        self.person.tap(sensor)

    def press(self, sensor, pressed=True):  # type: (str, bool) -> None
        """Press a sensor or, with `pressed` False, release it; raises WrongUse for an unknown sensor."""
        self.person.press(sensor, pressed)

    def touch(self, sensor):  # type: (str) -> None
        """Tap a sensor, named by its event, and run the clock up to its release; raises WrongUse for an unknown one."""
        self.person.announce("touch", sensor=native(sensor))
        self.person.tap(sensor)
        with modules.running(self.world):
            self.world.clock.run(seconds=PRESS)

    def event(self, key, value):  # type: (str, Any) -> None
        """Let an event of the sensors happen during the next `advance`, such as ("FaceDetected", True).

        A key of a device, such as "Device/SubDeviceList/US/Left/Sensor/Value", is set; the events that follow from it
        are raised. Raises WrongUse for an impossible key or value.
        """
        self.person.cause(key, value)

    def awaits(self, key):  # type: (str) -> bool
        """Tell whether a behaviour or service waits for an event of this name."""
        return bool(key) and is_awaited(self.world, key)

    def stay_silent(self, seconds=None):  # type: (float | None) -> Pause
        """Let time pass until the next time-out has fired, or for so many seconds, then advance."""
        clock = self.world.clock
        self._pass_until(clock.next_due() if seconds is None else clock.now() + seconds)
        return self.advance()

    def wait(self, seconds=None):  # type: (float | None) -> None
        """Let time pass until the next time-out fires, or for so many seconds if they are over before.

        `advance` then lets the robot do what it does at the time-out.
        """
        clock = self.world.clock
        due, ends = clock.next_due(), None if seconds is None else clock.now() + seconds
        self._pass_until(due if ends is None or (due is not None and due < ends) else ends)

    def _pass_until(self, due):  # type: (float | None) -> None
        self.person.announce("silence", due=self.world.clock.now() if due is None else due)
        if due is not None:
            with modules.running(self.world):
                self.world.clock.run(up_to=due)

    def stop(self, behaviour=None):  # type: (Behaviour | None) -> None
        """Stop a behaviour as a user does in Choregraphe: everything is unloaded, and no onStop input is stimulated."""
        self.person.announce("stop")
        behaviour = behaviour or self._current()
        self._do(behaviour, behaviour.interrupt)

    def leaks(self, behaviour=None):  # type: (Behaviour | None) -> list[str]
        """List what was left behind, one sentence each: subscriptions, timers, contexts, tasks, loaded boxes."""
        return (behaviour or self._current()).leaks() + self.left_open()

    def left_open(self):  # type: () -> list[str]
        """List those of the leftovers that belong to no single behaviour: all but loaded boxes."""
        return left_open(self.world)

    def get(self, key):  # type: (str) -> Any
        """Return the value under a key of ALMemory, None when there is none."""
        try:
            return self.world.memory.getData(native(key))
        except RuntimeError:
            return None

    def set(self, key, value):  # type: (str, Any) -> None
        """Store a value under a key of ALMemory."""
        self.person.announce("set", key=native(key), value=value)
        self.world.memory.insertData(native(key), value)

    def pause(self):  # type: () -> Pause
        """Return the events since the last pause, what the robot listens to, and whether the behaviour has ended."""
        # Asked first: at a far robot another thread may record events and end the behaviour meanwhile.
        has_ended = self.behaviour is None or self.behaviour.ended
        events = self.world.trace.since(self._shown)
        self._shown += len(events)
        return Pause(events, self.ears(), has_ended)

    def has_new_events(self):  # type: () -> bool
        """Tell whether events have been recorded since the last `pause`."""
        return len(self.world.trace.events) > self._shown

    def forget(self):  # type: () -> None
        """Drop the events recorded so far, which saves memory in programs that run one robot thousands of times."""
        del self.world.trace.events[:], self.world.trace.errors[:]
        self._shown = 0
        if self.behaviour is not None:
            self.behaviour.forget()

    def close(self):  # type: () -> None
        """End every task, forget what behaviours imported and remove temporary files."""
        with modules.running(self.world):
            self.world.clock.close()
        self.world.close()

    def _current(self):  # type: () -> Behaviour
        if self.behaviour is None:
            raise WrongUse("no behaviour is loaded: call load first")
        return self.behaviour

    def _do(self, behaviour, call):  # type: (Behaviour, Any) -> None
        """Run a call as a task until it has returned, on behalf of the behaviour."""
        done = []  # type: list[bool]

        def task():  # type: () -> None
            call()
            done.append(True)

        self.world.clock.soon_for(behaviour, task)
        with modules.running(self.world):
            self.world.clock.run(lambda: done, LONGEST_UNLOAD)
