"""The robot: clock, trace, services and behaviour, put together, and the person in front of it.

What the robot asks of a service, beside NAOqi's own methods: `remote(method)` and `call(method, args)` for the scripts,
`leftovers()` for the leak check; of ALSpeechRecognition and ALDialog `is_open`, `vocabulary`, `spotting` and
`heard(phrase, confidence)`; of ALTextToSpeech `is_speaking`; of ALMemory `is_heard(event)`; of ALTouch `press` and
`release`.
"""
from __future__ import absolute_import, division, print_function

import shutil
import tempfile
from collections import namedtuple

from naosim import leaks, surface, xar
from naosim.clock import Clock
from naosim.dice import Dice
from naosim.ears import Ears, Waiting, ears
from naosim.errors import BrokenBehaviour, WrongUse
from naosim.faults import Faults
from naosim.interpreter import Interpreter
from naosim.lint import STRUCTURE, judge
from naosim.player import Behaviour
from naosim.proxies import PythonService
from naosim.pythons import PY2, UNICODE, native, quoted
from naosim.services import SERVICES
from naosim.services.events import TOUCH
from naosim.session import Session
from naosim.trace import Trace

MYPY = False
if MYPY:
    from typing import Any, Iterable

#: With what `advance` came back: the events since the last time, what the robot listens to, and whether it is all over.
Pause = namedtuple("Pause", "events ears ended")

#: Virtual seconds: the longest `advance`, the longest load or stop, and how long a finger stays on a sensor.
LONGEST_ADVANCE, LONGEST_UNLOAD, PRESS = 3600.0, 120.0, 0.1


class Robot(object):
    """One simulated robot and the person who talks to it.

    >>> robot = Robot(without=["ALSpeechRecognition"])
    >>> robot.set("Game/Round", 3)
    >>> robot.get("Game/Round"), robot.get("Game/Score")
    (3, None)
    >>> robot.close()
    """

    def __init__(self, without=(), faults=None, seed=0, posture="Stand", languages=("English",),  # noqa: PLR0917
                 real_time=False, folder=None):
        # type: (Iterable[str], Faults | None, int, str, Iterable[str], bool, str | None) -> None
        self.clock = Clock(real_time)
        self.clock.host = self
        self.trace = Trace(self.clock)
        self.faults = faults or Faults()
        self.random = Dice(seed)
        self.posture = posture
        self.languages = tuple(languages)
        self.folder = folder
        self.preferences = {}  # type: dict[str, Any]
        self.modules = {}  # type: dict[str, Any]
        self.tasks = {}  # type: dict[int, Any]
        self.behaviour_folders = {}  # type: dict[str, str]
        self.behaviour = None  # type: Behaviour | None
        self.services = {}  # type: dict[str, Any]
        self.memory = SERVICES["ALMemory"](self)  # type: Any
        lost = self.faults.without.union(native(name) for name in without)
        for name in sorted(set(SERVICES) - lost):
            self.services[name] = self.memory if name == "ALMemory" else SERVICES[name](self)
        self._session = None  # type: Any
        self._names = None  # type: dict[str, Any] | None
        self._writable = None  # type: str | None
        self._last_task = 0
        self._shown = 0
        self._before = Interpreter()

    def __enter__(self):
        # type: () -> Robot
        return self

    def __exit__(self, *_error):
        # type: (*Any) -> None
        self.close()

    # What a person does.

    def load(self, source, rewrite=False, parameters=None):
        # type: (Any, bool, dict[str, Any] | None) -> Behaviour
        """Reads a behaviour (path, bytes or project) and constructs its boxes; raises a NaosimError.

        A behaviour that is still loaded is stopped first. What the lint calls an error is noted; broken ids, ports and
        links are refused, as nothing could run.
        """
        project = xar.parse(source)
        behaviour = Behaviour(self, project, rewrite, parameters)
        self._note_findings(project)
        if self.behaviour is not None and self.behaviour.is_loaded:
            self.stop()
        self.behaviour = behaviour
        self.behaviour_folders[behaviour.id] = behaviour.folder
        self._do(behaviour.load)
        return behaviour

    def start(self, behaviour=None):
        # type: (Behaviour | None) -> None
        """Stimulates the onStart of the root; `advance` then lets things happen."""
        behaviour = behaviour or self._current()
        self.clock.soon(behaviour.start)
        if self.faults.stop_at is not None and self.faults.stop_at >= self.clock.now():
            self.clock.later(self.faults.stop_at - self.clock.now(), behaviour.interrupt)

    def advance(self, seconds=LONGEST_ADVANCE):
        # type: (float) -> Pause
        """Runs until the behaviour has ended, the robot waits for a person, nothing is left or the time is up."""
        with surface.STAND_INS:
            self.clock.run(Waiting(self), seconds)
        return self.pause()

    def hear(self, phrase, confidence=0.9):
        # type: (str, float) -> None
        """Says something to the robot, through whichever engine is open; `advance` shows what comes of it."""
        phrase = self.faults.heard(native(phrase))
        engine = self.ears().engine
        self.trace.note("hear", phrase=phrase, confidence=confidence, engine=engine)
        if engine is not None:
            self.clock.soon(self.services[engine].heard, phrase, confidence)

    def touch(self, sensor):
        # type: (str) -> None
        """Presses a sensor, named by its event, and releases it a moment later; raises WrongUse for an unknown one."""
        sensor = native(sensor)
        if sensor not in TOUCH:
            raise WrongUse("the robot has no sensor %s: use one of %s" % (quoted(sensor), ", ".join(TOUCH)))
        self.clock.soon(self._press, sensor, True)
        self.clock.later(PRESS, self._press, sensor, False)
        with surface.STAND_INS:
            self.clock.run(seconds=PRESS)

    def stay_silent(self, seconds=None):
        # type: (float | None) -> Pause
        """Lets time pass until the next time-out has fired, or for so many seconds, then advances."""
        due = self.clock.next_due() if seconds is None else self.clock.now() + seconds
        if due is not None:
            with surface.STAND_INS:
                self.clock.run(up_to=due)
        return self.advance()

    def stop(self, behaviour=None):
        # type: (Behaviour | None) -> None
        """Stops a behaviour as a user does in Choregraphe: everything is unloaded, without any onStop."""
        self._do((behaviour or self._current()).interrupt)

    def ears(self):
        # type: () -> Ears
        """What the robot listens to at the moment."""
        return ears(self)

    def leaks(self, behaviour=None):
        # type: (Behaviour | None) -> list[str]
        """What was left behind, in plain sentences: subscriptions, timers, contexts, tasks, loaded boxes."""
        behaviour = behaviour or self._current()
        found = behaviour.leaks()
        for name in sorted(self.services):
            found += getattr(self.services[name], "leftovers", list)()
        found += [left for left in map(leaks.left, self.clock.pending()) if left is not None]
        return found + self._before.leaks()

    def get(self, key):
        # type: (str) -> Any
        """The value under a key of ALMemory, None when there is none."""
        try:
            return self.memory.getData(native(key))
        except RuntimeError:
            return None

    def set(self, key, value):
        # type: (str, Any) -> None
        """Stores a value under a key of ALMemory."""
        self.memory.insertData(native(key), value)

    def close(self):
        # type: () -> None
        """Ends every task and gives the interpreter back as it was found."""
        with surface.STAND_INS:
            self.clock.close()
        self._before.restore(list(self.behaviour_folders.values()))
        if self._writable is not None:
            shutil.rmtree(self._writable, ignore_errors=True)
            self._writable = None

    def forget(self):
        # type: () -> None
        """Drops the events recorded so far, for those who play thousands of games on one robot."""
        del self.trace.events[:], self.trace.errors[:]
        self._shown = 0
        if self.behaviour is not None:
            self.behaviour.forget()

    # What services, boxes and scripts ask for.

    def service(self, name):
        # type: (str) -> Any
        """The service itself; raises the robot's RuntimeError when there is none of this name."""
        found = self.services.get(name)
        if found is None:
            made = self.modules.get(name)
            if made is None:
                raise RuntimeError("Can't find service: %s" % name)
            found = PythonService(name, made)
        return found

    def session(self):
        # type: () -> Any
        """The qi session that boxes get."""
        if self._session is None:
            self._session = Session(self)
        return self._session

    def names(self):
        # type: () -> dict[str, Any]
        """The names a script finds without import, fresh for every script."""
        if self._names is None:
            self._names = surface.names(self)
        return dict(self._names)

    def next_task_number(self):
        # type: () -> int
        """The number of the next posted call."""
        self._last_task += 1
        return self._last_task

    def text_out(self, value, where):
        # type: (Any, str) -> str
        """The text that a service was given; raises the robot's RuntimeError for what is no `str` (2.7: unicode)."""
        if isinstance(value, str):
            return value
        if PY2 and isinstance(value, UNICODE):
            raise RuntimeError("%s: unicode %r given, NAOqi on Python 2.7 takes UTF-8 str" % (where, value))
        raise RuntimeError("%s: a string is needed, not %r" % (where, value))

    def writable_folder(self):
        # type: () -> str
        """A folder for files that scripts write; it goes with the robot."""
        if self._writable is None:
            self._writable = tempfile.mkdtemp(prefix="naosim-")
        return self._writable

    def _note_findings(self, project):
        # type: (xar.Project) -> None
        errors = [finding for finding in judge(project) if finding.severity == "error"]
        broken = [finding for finding in errors if finding.rule in STRUCTURE]
        if broken:
            raise BrokenBehaviour("%s: box %s: %s%s" % (
                project.name, quoted(broken[0].box), broken[0].sentence,
                " (and %d more)" % (len(broken) - 1) if len(broken) > 1 else ""))
        for finding in errors:
            self.trace.note("lint", box=finding.box, rule=finding.rule, text=finding.sentence)
            if finding.rule == "handler":
                self.trace.note("error", where=finding.box, message=finding.sentence, handled=False)

    def _current(self):
        # type: () -> Behaviour
        if self.behaviour is None:
            raise WrongUse("no behaviour is loaded: call load first")
        return self.behaviour

    def _do(self, call):
        # type: (Any) -> None
        """Runs one thing as a task, up to its end."""
        done = []  # type: list[bool]

        def task():
            # type: () -> None
            call()
            done.append(True)
        self.clock.soon(task)
        with surface.STAND_INS:
            self.clock.run(lambda: done, LONGEST_UNLOAD)

    def pause(self):
        # type: () -> Pause
        """The events since the last time anybody asked, what the robot listens to, and whether it is all over."""
        events = self.trace.since(self._shown)
        self._shown += len(events)
        return Pause(events, self.ears(), self.behaviour is None or self.behaviour.ended)

    def _press(self, sensor, pressed):
        # type: (str, bool) -> None
        touch = self.services.get("ALTouch")
        if touch is not None:
            (touch.press if pressed else touch.release)(sensor)
        else:
            self.trace.note("touch", sensor=sensor, pressed=pressed)
            self.memory.raiseEvent(sensor, 1.0 if pressed else 0.0)
