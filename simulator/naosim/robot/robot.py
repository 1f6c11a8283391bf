"""The robot: clock, trace, services and behaviour, put together, and the person in front of it.

What the robot asks of a service, beside NAOqi's own methods: `remote(method)` and `call(method, args)` for the scripts,
`leftovers()` for the leak check; of ALSpeechRecognition and ALDialog `is_open`, `vocabulary`, `spotting` and
`heard(phrase, confidence)`; of ALTextToSpeech `is_speaking`; of ALMemory `is_heard(event)`; of ALTouch `press` and
`release`.
"""
from __future__ import absolute_import, division, print_function

import os
import shutil
import tempfile
from collections import namedtuple

from naosim.compat import PY2, UNICODE, native, quoted
from naosim.errors import WrongUse
from naosim.formats import xar
from naosim.formats.manifest import model
from naosim.formats.project import behaviour_file
from naosim.kernel.clock import Clock
from naosim.kernel.rng import Dice
from naosim.lint.admission import note_findings
from naosim.player import leftovers as leaks
from naosim.player.behaviour import Behaviour
from naosim.robot.listening import Waiting
from naosim.robot.person import PRESS, Person
from naosim.scripting import modules
from naosim.scripting.alproxy import PythonService
from naosim.scripting.interpreter import Interpreter
from naosim.scripting.session import Session
from naosim.services import SERVICES
from naosim.world.faults import Faults
from naosim.world.trace import Trace

MYPY = False
if MYPY:
    from typing import Any, Iterable

#: With what `advance` came back: the events since the last time, what the robot listens to, and whether it is all over.
Pause = namedtuple("Pause", "events ears ended")

#: Virtual seconds: the longest `advance`, and the longest load or stop.
LONGEST_ADVANCE, LONGEST_UNLOAD = 3600.0, 120.0


class Robot(Person):
    """One simulated robot and the person who talks to it.

    >>> robot = Robot(without=["ALSpeechRecognition"])
    >>> robot.set("Game/Round", 3)
    >>> robot.get("Game/Round"), robot.get("Game/Score")
    (3, None)
    >>> robot.close()
    """

    def __init__(self, without=(), faults=None, seed=0, posture="Stand", languages=("English",),  # noqa: PLR0917
                 real_time=False, folder=None, speed=1.0, home=None, robot_type="Nao", clock=None):
        # type: (Iterable[str], Faults | None, int, str, Iterable[str], bool, str | None, float, str | None, str, Clock | None) -> None
        self.clock = clock or Clock(real_time, speed)
        self.clock.host = self
        self.trace = Trace(self.clock)
        self.faults = faults or Faults()
        self.random = Dice(seed)
        self.posture = posture
        self.languages = tuple(languages)
        self.folder = folder
        self.home = None if home is None else os.path.abspath(native(home))
        self.robot_type = model(robot_type)
        self.packages = {}  # type: dict[str, Any]
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

    def load(self, source, rewrite=False, parameters=None, behaviour="", dialogs=()):
        # type: (Any, bool, dict[str, Any] | None, str, Iterable[str]) -> Behaviour
        """Reads a behaviour (path, bytes or project) and constructs its boxes; raises a NaosimError.

        `behaviour` names one of several in a project or package, `dialogs` the Dialog boxes that are answered by hand.
        A behaviour still loaded is stopped first; what the lint calls an error is noted, or refused if none could run.
        """
        project = xar.parse(behaviour_file(source, behaviour, self.writable_folder))
        loaded = Behaviour(self, project, rewrite, parameters, dialogs)
        note_findings(self, project)
        if self.behaviour is not None and self.behaviour.is_loaded:
            self.stop()
        self.behaviour = loaded
        if project.package is not None and project.package[0] is not None:
            # What lies beside it can be run too, as if the whole project were installed.
            self.packages[project.package[0].uuid] = project.package[0]
        self.behaviour_folders[loaded.id] = loaded.folder
        self._do(loaded.load)
        return loaded

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
        with modules.STAND_INS:
            self.clock.run(Waiting(self), seconds)
        return self.pause()

    def touch(self, sensor):
        # type: (str) -> None
        """Presses a sensor, named by its event, and releases it a moment later; raises WrongUse for an unknown one."""
        self.tap(sensor)
        with modules.STAND_INS:
            self.clock.run(seconds=PRESS)

    def stay_silent(self, seconds=None):
        # type: (float | None) -> Pause
        """Lets time pass until the next time-out has fired, or for so many seconds, then advances."""
        due = self.clock.next_due() if seconds is None else self.clock.now() + seconds
        if due is not None:
            with modules.STAND_INS:
                self.clock.run(up_to=due)
        return self.advance()

    def stop(self, behaviour=None):
        # type: (Behaviour | None) -> None
        """Stops a behaviour as a user does in Choregraphe: everything is unloaded, without any onStop."""
        self._do((behaviour or self._current()).interrupt)

    def leaks(self, behaviour=None):
        # type: (Behaviour | None) -> list[str]
        """What was left behind, in plain sentences: subscriptions, timers, contexts, tasks, loaded boxes."""
        return (behaviour or self._current()).leaks() + self.left_open()

    def left_open(self):
        # type: () -> list[str]
        """What of all this does not lie in the boxes of one behaviour."""
        found = []  # type: list[str]
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
        with modules.STAND_INS:
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
            self._names = modules.names(self)
        return dict(self._names)

    def next_task_number(self):
        # type: () -> int
        """The number of the next posted call."""
        self._last_task += 1
        return self._last_task

    def home_folder(self):
        # type: () -> str
        """The folder of installed packages; without a `home` it goes with the robot."""
        home = self.home or os.path.join(self.writable_folder(), "PackageManager", "apps")
        if not os.path.isdir(home):
            os.makedirs(home)
        return home

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
        with modules.STAND_INS:
            self.clock.run(lambda: done, LONGEST_UNLOAD)

    def pause(self):
        # type: () -> Pause
        """The events since the last time anybody asked, what the robot listens to, and whether it is all over."""
        events = self.trace.since(self._shown)
        self._shown += len(events)
        return Pause(events, self.ears(), self.behaviour is None or self.behaviour.ended)
