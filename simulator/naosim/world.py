"""The world of one robot: the state that its services, boxes and scripts share.

A `World` has the robot's trace, planned faults, random numbers and body, and the changes of its behaviours to
`sys.path` and `sys.modules`. `call_guarded` calls a script's function: an exception fails the run, not the robot.
"""

from __future__ import absolute_import, division, print_function

import json
import os
import posixpath
import random
import shutil
import sys
import tempfile
import types
from collections import OrderedDict, namedtuple

from naosim.body import Body, Lights
from naosim.clock import Clock, present_clock
from naosim.compat import PY2, UNICODE, allocate_lock, native, quote, reason
from naosim.models import MODELS
from naosim.packages import NAOQI_VERSIONS, UPLOADED_PACKAGE, parse_naoqi_version, parse_robot_model
from naosim.scheduler import TaskEnded, outside_tasks

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterable, Protocol, Sequence, Type, TypeVar

    from naosim.compat import ALValue, JsonValue
    from naosim.packages import Package
    from naosim.scheduler import ScheduledCall, SimEvent
    from naosim.xar import Project

    Item = TypeVar("Item")
    Result = TypeVar("Result")
    Found = TypeVar("Found")

    # The classes are in higher modules, which this one must not import.

    class RobotService(Protocol):
        """A service, the robot's or a script's, as proxies and other services use it."""

        name = ""  # type: str

        def remote(self, method):  # type: (str) -> Callable[..., ALValue]
            """Return the method with this name; raise the robot's RuntimeError if programs cannot call it."""

        def call(self, method, args):  # type: (str, Sequence[ALValue]) -> ALValue
            """Call a method and return its result; raise the robot's RuntimeError if it refuses."""

        def getMethodList(self):  # type: () -> list[str]
            """List the methods that programs can call."""

    class RobotMemory(RobotService, Protocol):
        """ALMemory, as other services and the robot use it."""

        def getData(self, key, period=0):  # type: (str, int) -> ALValue
            """Return a value; raise the robot's RuntimeError if none exists."""

        def insertData(self, key, value):  # type: (str, ALValue) -> None
            """Store a value without an event."""

        def raiseEvent(self, event, value):  # type: (str, ALValue) -> None
            """Store a value and call the subscribers."""

        def removeData(self, key):  # type: (str) -> None
            """Remove a value."""

        def getDataListName(self):  # type: () -> list[str]
            """List the keys."""

        def getSubscribers(self, event):  # type: (str) -> list[str]
            """List the modules that are subscribed to an event."""

        def subscriber(self, event):  # type: (str) -> Any
            """Return an object with the signal of an event."""

        def is_heard(self, event):  # type: (str) -> bool
            """Return whether an event has listeners."""

        def link(self, event, callback):  # type: (str, Callable[[ALValue], object]) -> int
            """Connect a callback to the signal of an event; return the number of the link."""

        def unlink(self, event, link):  # type: (str, int) -> None
            """Disconnect a callback."""

        def list_heard_events(self):  # type: () -> list[str]
            """List the events that have listeners."""

        def hear_for(self, service, events):  # type: (Any, Sequence[str]) -> None
            """Subscribe a service of the robot to these events, and to no others."""

        def getEventList(self):  # type: () -> list[str]
            """List the events."""

        def getMicroEventList(self):  # type: () -> list[str]
            """List the events of which every value counts."""

        def unsubscribeToEvent(self, event, module):  # type: (str, str) -> None
            """End the subscription of a module."""

        def signal_types(self, event):  # type: (str) -> list[str] | None
            """Return the signatures of the values of a service's signal, None for other events."""

        def get_stored(self, key):  # type: (str) -> Any
            """Return a stored value, not copied; None if none exists."""

        def copy_values(self):  # type: () -> dict[str, ALValue]
            """Return the stored values by key."""

    class LoadedBehaviour(Protocol):
        """A loaded behaviour."""

        id = ""  # type: str

        @property
        def root(self):  # type: () -> object
            """The box around all others."""

    class BoxObserver(Protocol):
        """A witness of boxes: the player calls it while they run, so it must not wait or raise."""

        def notice_load(self, behaviour):  # type: (LoadedBehaviour) -> None
            """Notice that a behaviour was loaded."""

        def notice_unload(self, behaviour):  # type: (LoadedBehaviour) -> None
            """Notice that a behaviour was unloaded."""

        def notice_change(self, box):  # type: (object) -> None
            """Notice that a box or one of its handlers has begun or ended something."""

        def notice_signal(self, diagram, box, port, route, value):  # type: (Any, int, int, Any, ALValue) -> None
            """Notice that a box of a diagram has sent a signal."""

    class Task(Protocol):
        """A posted call that has not ended."""

        @property
        def done(self):  # type: () -> SimEvent
            """The event that is set when the call has ended."""

        @property
        def scheduled(self):  # type: () -> ScheduledCall
            """The call in the clock."""

        def stop(self):  # type: () -> None
            """Cancel or interrupt the call."""

# The trace.

#: An event: seconds since the robot was made, its kind, and a dict of its details.
Event = namedtuple("Event", "time kind fields")


class Trace(object):
    """An append-only list of everything the robot did, in order.

    >>> from naosim.clock import Clock
    >>> trace = Trace(Clock())
    >>> _ = trace.note("say", text="Hello")
    >>> print(event_as_line(trace.events[0]))
    {"kind": "say", "text": "Hello", "time": 0.0}
    """

    __slots__ = ("_clock", "errors", "events", "listeners")

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self.events = []  # type: list[Event]
        self.errors = []  # type: list[Event]
        self.listeners = []  # type: list[Callable[[Event], object]]

    def note(self, kind, **fields):  # type: (str, **object) -> Event
        """Record an event now, call the listeners with it, and return it."""
        event = Event(self._clock.now(), kind, fields)
        self.events.append(event)
        if kind == "error":
            self.errors.append(event)
        for listener in self.listeners:
            outside_tasks(listener, event)
        return event

    def list_since(self, index):  # type: (int) -> list[Event]
        """List the events from this position to the end."""
        return self.events[index:]

    def of(self, kind):  # type: (str) -> list[Event]
        """List the events of one kind.

        >>> from naosim.clock import Clock
        >>> Trace(Clock()).of("say")
        []
        """
        return [event for event in self.events if event.kind == kind]


def list_failures(errors):  # type: (list[Event]) -> list[str]
    """List the errors that no script handled, one sentence each."""
    failures = [event.fields for event in errors if not event.fields.get("handled")]
    return ["%s: %s" % (fields["where"], fields["message"]) for fields in failures]


def event_as_dict(event):  # type: (Event) -> dict[str, object]
    """Convert the event to one flat dict for JSON, with the time in seconds, rounded to microseconds."""
    flat = dict(event.fields)
    flat["time"] = float("%.6f" % event.time)
    flat["kind"] = event.kind
    return flat


def event_as_line(event):  # type: (Event) -> str
    """Write the event as one line of ASCII JSON, the same bytes on 2.7 and 3."""
    return write_json_line(event_as_dict(event))


def write_json_line(value):  # type: (object) -> str
    """Write a value as one line of ASCII JSON with sorted keys; sets become sorted lists, other objects their types."""
    return str(json.dumps(value, sort_keys=True, default=_foreign))


def _foreign(value):  # type: (object) -> object
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return "<%s>" % type(value).__name__


# Planned faults.


class Faults(object):
    """The planned faults of one robot; by default there are none.

    `without`   names of services that the robot lacks;
    `mishear`   the phrases that are understood instead of others, {"two": "ten"};
    `grammar`   the number of next setVocabulary calls that fail with the robot's "modifiable_grammar" error;
    `cure`      ends that error immediately: "language" (changing it), "context" (removing all contexts) or None;
    `raising`   calls that raise, {("ALMemory", "subscriber"): "Invalid signature"}, or (sentence, number of times);
    `stop_at`   the virtual second at which a user stops the behaviour.

    >>> faults = Faults(mishear={"two": "ten"}, grammar=1)
    >>> faults.distort_phrase("two"), faults.distort_phrase("one")
    ('ten', 'one')
    >>> faults.grammar_fails(), faults.grammar_fails()
    (True, False)
    """

    __slots__ = ("_raising", "cure", "grammar", "mishear", "stop_at", "without")

    def __init__(self, without=(), mishear=None, grammar=0, cure=None, raising=None, stop_at=None):
        # type: (Iterable[str], dict[str, str] | None, int, str | None, dict[tuple[str, str], object] | None, float | None) -> None
        self.without = frozenset(without)
        self.mishear = dict(mishear or {})
        self.grammar = grammar
        self.cure = cure
        self.stop_at = stop_at
        self._raising = {}  # type: dict[tuple[str, str], tuple[str, int]]
        for (service, method), planned in sorted((raising or {}).items()):
            sentence, times = planned if isinstance(planned, (tuple, list)) else (planned, -1)
            self.fail(service, method, sentence, times)

    def fail(self, service, method, sentence, times=-1):  # type: (str, str, str, int) -> None
        """Make the next `times` calls of a service's method raise RuntimeError(sentence); -1 means all."""
        self._raising[(service, method)] = sentence, times

    def plan(self, fields):  # type: (dict[str, JsonValue]) -> None
        """Add faults from JSON, with calls as {"ALMemory.subscriber": sentence}; raises TypeError for unknown keys.

        >>> faults = Faults()
        >>> faults.plan({"mishear": {"two": "ten"}, "raising": {"ALMemory.subscriber": ["Invalid signature", 1]}})
        >>> faults.distort_phrase("two")
        'ten'
        """
        more = dict(fields)
        raising = {tuple(call.split(".", 1)): planned for call, planned in dict(more.pop("raising", {})).items()}
        planned = Faults(raising=raising, **more)
        self.without = self.without.union(planned.without)
        self.mishear.update(planned.mishear)
        self._raising.update(planned._raising)
        for name in ("grammar", "cure", "stop_at"):
            if name in more:
                setattr(self, name, getattr(planned, name))

    def distort_phrase(self, phrase):  # type: (str) -> str
        """Return the phrase that the robot understands if a person says this one."""
        return self.mishear.get(phrase, phrase)

    def grammar_fails(self):  # type: () -> bool
        """Return whether this call of setVocabulary fails, and count it."""
        if self.grammar <= 0:
            return False
        self.grammar -= 1
        return True

    def grammar_cured(self, how):  # type: (str) -> None
        """End the grammar error if `how` is its cure: "language" was changed, or every "context" was removed."""
        if how == self.cure:
            self.grammar = 0

    def check(self, service, method):  # type: (str, str) -> None
        """Raise the planned RuntimeError of this call, if any; made before every call from a script."""
        sentence, times = self._raising.get((service, method), ("", 0)) if self._raising else ("", 0)
        if times != 0:
            self._raising[(service, method)] = sentence, times - 1
            raise RuntimeError(sentence)


# Changes of behaviours to sys.path and sys.modules.
#
# A real robot has its own interpreter; a simulated one shares the interpreter of the program around it. So its
# behaviours' changes last only while its clock runs: projects with a `lib` folder import modules whose names the
# program can use too.


class _Turn(object):
    """The robots whose clocks run: the first is the `owner`, and the others share its changes until all clocks stop.

    `path` and `modules` are the saved sys.path and sys.modules of the program.
    """

    def __init__(self):  # type: () -> None
        self.lock = allocate_lock()
        self.running = 0
        self.owner = None  # type: _Interpreter | None
        self.path = []  # type: list[str]
        self.modules = {}  # type: dict[str, types.ModuleType]


_TURN = _Turn()


class _Interpreter(object):
    """The changes of a robot's behaviours to sys.path and sys.modules, applied while its clock runs.

    `folders` has the folders of the behaviours, by behaviour id; `local` returns the local path of a robot's file.
    """

    def __init__(self, folders, local):  # type: (dict[str, str], Callable[[str], str]) -> None
        self._folders, self._local = folders, local
        self.forget()

    def forget(self):  # type: () -> None
        self._front = []  # type: list[str]
        self._back = []  # type: list[str]
        #: The names of the robot's own top-level packages.
        self._packages = set()  # type: set[str]
        self._modules = {}  # type: dict[str, types.ModuleType]

    def owns(self, path):  # type: (str) -> bool
        """Return whether a file is next to the behaviours, or in a folder that they added to sys.path."""
        return _is_below(os.path.abspath(path), self._roots(_list_added_paths(_TURN.path)))

    def leaks(self):  # type: () -> list[str]
        """List the entries of sys.path that behaviours added and did not remove, one sentence each."""
        with _TURN.lock:
            left = self._front + self._back if _TURN.owner is None else _list_added_paths(_TURN.path)
        return ["sys.path still contains %s." % quote(entry) for entry in left]

    def __enter__(self):  # type: () -> _Interpreter
        with _TURN.lock:
            _TURN.running += 1
            if _TURN.running == 1:
                _TURN.owner, _TURN.path, _TURN.modules = self, list(sys.path), sys.modules.copy()
                self._restore()
        return self

    def __exit__(self, *_error):  # type: (*object) -> None
        with _TURN.lock:
            _TURN.running -= 1
            if _TURN.running == 0 and _TURN.owner is not None:
                _TURN.owner._take_away()
                _TURN.owner, _TURN.path, _TURN.modules = None, [], {}

    def _roots(self, added):  # type: (list[str]) -> list[str]
        """List the folders whose modules belong to the behaviours."""
        return [os.path.dirname(folder) for folder in self._folders.values()] + [self._local(entry) for entry in added]

    def _own(self, modules):  # type: (dict[str, types.ModuleType]) -> dict[str, types.ModuleType]
        return {name: module for name, module in list(modules.items()) if _package(name) in self._packages}

    def _restore(self):  # type: () -> None
        if self._front or self._back:
            sys.path[:] = self._front + sys.path + self._back
        for name in self._own(sys.modules) if self._packages else ():
            del sys.modules[name]
        sys.modules.update(self._modules)

    def _take_away(self):  # type: () -> None
        """Save the behaviours' changes and restore the program's."""
        added = _list_added_paths(_TURN.path)
        self.forget()
        # One comparison, because nearly all runs change nothing, and tests make many runs.
        if sys.modules != _TURN.modules:
            self._packages = _own_packages(self._roots(added))
            self._modules = self._own(sys.modules)
            for name in self._modules:
                del sys.modules[name]
            sys.modules.update(self._own(_TURN.modules))
        if sys.path != _TURN.path:
            first = min([sys.path.index(entry) for entry in _TURN.path if entry in sys.path] or [0])
            self._front, self._back = sys.path[:first], [entry for entry in sys.path[first:] if entry in added]
            sys.path[:] = _TURN.path


def _list_added_paths(path):  # type: (list[str]) -> list[str]
    return [entry for entry in sys.path if entry not in path]


def _own_packages(roots):  # type: (list[str]) -> set[str]
    """Return the top-level packages of which a module was replaced or removed, or was imported from these folders."""
    found = {_package(name) for name, module in _TURN.modules.items() if sys.modules.get(name, _TURN) is not module}
    fresh = [(name, module) for name, module in list(sys.modules.items()) if name not in _TURN.modules]
    places = [(name, getattr(module, "__file__", None)) for name, module in fresh]
    return found | {_package(name) for name, place in places if place and _is_below(os.path.abspath(place), roots)}


def _package(name):  # type: (str) -> str
    return name.partition(".")[0]


def _is_below(place, roots):  # type: (str, list[str]) -> bool
    return any(place.startswith(os.path.join(os.path.abspath(root), "")) for root in roots)


# Services of scripts.


class PythonService(object):
    """A service with the methods of a script's object."""

    def __init__(self, name, made):  # type: (str, object) -> None
        self.name = name
        self._made = made

    def remote(self, method):  # type: (str) -> Callable[..., object]
        """Return the method with this name; raises the robot's RuntimeError if none exists or it is private."""
        found = None if method.startswith("_") else getattr(self._made, method, None)
        if not callable(found):
            raise RuntimeError("\t%s::%s\n\tCan't find method: %s" % (self.name, method, method))
        return found  # type: ignore[no-any-return]

    def call(self, method, args):  # type: (str, Sequence[object]) -> object
        """Call a method with positional arguments and return its result; raises RuntimeError for unknown methods."""
        return self.remote(method)(*args)

    def getMethodList(self):  # type: () -> list[str]
        """List the public methods."""
        return sorted(name for name in dir(self._made) if name[0] != "_" and callable(getattr(self._made, name)))


# Calls of scripts' functions (callbacks, timers, threads).


def present_world():  # type: () -> World
    """Return the world of the robot whose task is running; raises RuntimeError outside all robots."""
    clock = present_clock()
    world = clock.host if clock is not None else None
    if not isinstance(world, World):
        raise RuntimeError("there is no robot here: naoqi and qi work only inside a running behaviour")
    return world


def call_guarded(world, call, *args, **kwargs):
    # type: (World, Callable[..., Result], *object, **object) -> Result | None
    """Make a call and return its result; after an exception, record an error and return None."""
    try:
        return call(*args, **kwargs)
    except (TaskEnded, KeyboardInterrupt):
        raise
    except BaseException as error:
        world.trace.note("error", where=name_callback(call), message=reason(error), handled=False)
        return None


def find_callback(world, made, method, is_optional=False):
    # type: (World, object, str, bool) -> Callable[..., object] | None
    """Return a method of a script's object, None if it lacks one, which is an error unless it is optional."""
    try:
        return getattr(made, method)  # type: ignore[no-any-return]
    except (TaskEnded, KeyboardInterrupt):
        raise
    except BaseException as error:
        if not (is_optional and isinstance(error, AttributeError)):
            where = "%s.%s" % (_find_box_path(made) or type(made).__name__, method)
            world.trace.note("error", where=where, message=reason(error), handled=False)
        return None


def is_outside(made):  # type: (object) -> bool
    """Return whether a callback or a module belongs to a program outside the robot."""
    return getattr(type(made), "is_foreign", False) is True


def schedule_guarded(world, callback, *values):  # type: (World, object, *object) -> None
    """Schedule a guarded call of a script's callback for now; the callback is its owner."""
    world.clock.call_soon_for(callback, call_guarded, world, callback, *values)


def name_callback(call):  # type: (object) -> str
    """Return a callback's name for messages: the box and the method, or the function."""
    if not isinstance(call, _NAMED_TYPES):
        return type(call).__name__
    path = _find_box_path(getattr(call, "__self__", None))
    return "%s.%s" % (path, call.__name__) if path else str(call.__name__)


#: The types of callbacks that have names; other objects of scripts can raise when they are asked for one.
_NAMED_TYPES = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, type)


def _find_box_path(made):  # type: (object) -> str
    """Return the path of the box whose object or class this is; "" for others."""
    box = getattr(made if isinstance(made, type) else type(made), "_naosim_box", None)
    return str(box.path) if box is not None else ""


# Random numbers.


class PortableRandom(random.Random):
    """A `random.Random` that gives the same numbers on Python 2.7 and 3, because it only uses `random()`.

    >>> PortableRandom(7).choice("abc"), PortableRandom(7).randint(1, 6)
    ('a', 2)
    """

    def randrange(self, start, stop=None, step=1):  # type: (int, int | None, int) -> int
        """Draw a number of `range(start, stop, step)`; raises ValueError if it is empty."""
        if stop is None:
            start, stop = 0, start
        count = (stop - start + step - (1 if step > 0 else -1)) // step
        if count <= 0:
            raise ValueError("empty range for randrange() (%r, %r, %r)" % (start, stop, step))
        return int(start + step * int(self.random() * count))

    def randint(self, a, b):  # type: (int, int) -> int
        """Draw a number from a to b, both included."""
        return self.randrange(a, b + 1)

    def choice(self, seq):  # type: ignore[override]
        # type: (Sequence[Item]) -> Item
        """Draw one item; raises IndexError for an empty sequence."""
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[int(self.random() * len(seq))]

    def shuffle(self, x):  # type: ignore[override]
        # type: (list[Item]) -> None
        """Shuffle the list in place."""
        for i in range(len(x) - 1, 0, -1):
            j = int(self.random() * (i + 1))
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k):  # type: ignore[override]
        # type: (Iterable[Item], int) -> list[Item]
        """Draw k items at different positions, in random order; raises ValueError if there are fewer."""
        pool = list(population)
        if not 0 <= k <= len(pool):
            raise ValueError("sample larger than population: %r of %r" % (k, len(pool)))
        self.shuffle(pool)
        return pool[:k]


# The world.

#: The home folder of the user on every robot, by name.
_NAO_HOMES = ("/home/nao/", "/data/home/nao/", "/var/persistent/home/nao/")
_HAS_REAL_HOME = os.path.isdir(_NAO_HOMES[0])  # whether this computer has a user of that name, who owns the folder
_APPS = ".local/share/PackageManager/apps"  # the folder of installed packages in the user's home
_USER_FOLDER = ".nao"  # the folder that replaces it, next to the installed packages; no package can have this name


class World(object):
    """The shared state of one robot: clock, trace, faults, random numbers, memory, services and more.

    `body`               the joints and the place on the floor;
    `lights`             the brightness of every light;
    `modules`            the modules of scripts and boxes, by name;
    `shared_names`       the names that ALPythonBridge has given to all scripts;
    `tasks`              the posted calls that have not ended, by task number;
    `packages`           the installed packages, by uuid;
    `camera`             the picture, or the folder of pictures, for the cameras; None for a test card;
    `sights`             everything in sight or near, as the events of the services that notice it;
    `people`             the people in sight, by number: their features, by name;
    `behaviour_folders`  the folders of the loaded behaviours, by behaviour id;
    `behaviours`         the loaded behaviours, by id;
    `projects`           the parsed files of the behaviours loaded last, by id, in the order of loading;
    `observers`          the observers of boxes (such as naosim.robot_requests._SignalLog), usually none;
    `session`            the qi session that all boxes share, None before its first use;
    `last_uploaded`      the uuid of the project that was loaded last, as if Choregraphe had uploaded it;
    `lacking`            the services that no robot of this type and version of NAOqi has;
    `missing_joints`     the joints that behaviours tried to move and that the robot lacks;
    `lacking_methods`    the methods, as "service.method", that its version of NAOqi lacks;
    `rewrites`           whether scripts are rewritten as Python 3, None before the first behaviour is loaded;
    `is_strict`          whether warnings count as failures;
    `folder`             the folder of the package, None to find it from the project's place;
    `home`               the folder of installed packages, None for a temporary one;
    `url`                the address of the robot over libqi, "" if nothing serves it;
    `at_end`             the calls that `close` makes.
    """

    def __init__(
        self,
        clock,
        faults=None,
        seed=0,
        posture="Stand",
        languages=("English",),
        folder=None,
        home=None,
        robot_type="Nao",
        trace=None,
        camera=None,
        naoqi="2.8",
    ):
        # type: (Clock, Faults | None, int, str, Iterable[str], str | None, str | None, str, Trace | None, str | None, str) -> None
        self.clock = clock
        self.trace = trace or Trace(clock)
        self.faults = faults or Faults()
        self.seed, self.random = seed, PortableRandom(seed)
        self._posture, self.posture_since = posture, clock.now()
        self.languages = tuple(languages)
        self.folder = folder
        self.home = None if home is None else os.path.abspath(native(home))
        self.robot_type, self.naoqi = parse_robot_model(robot_type), parse_naoqi_version(naoqi)
        self.naoqi_version = NAOQI_VERSIONS[self.naoqi]
        self.body, self.lights = Body(clock, posture, MODELS[self.robot_type]), Lights(clock)
        self.camera = camera
        self.memory = None  # type: RobotMemory  # type: ignore[assignment]
        self.services = {}  # type: dict[str, RobotService]
        self.modules = {}  # type: dict[str, object]
        self.shared_names = {}  # type: dict[str, object]
        self.tasks = {}  # type: dict[int, Task]
        self.packages = {}  # type: dict[str, Package]
        self.sights = {}  # type: dict[str, object]
        self.people = {}  # type: dict[int, dict[str, JsonValue]]
        self.preferences = {}  # type: dict[str, object]
        self.behaviour_folders = {}  # type: dict[str, str]
        self.behaviours = {}  # type: dict[str, LoadedBehaviour]
        self.projects = OrderedDict()  # type: OrderedDict[str, Project]
        self.observers = []  # type: list[BoxObserver]
        self.session = None  # type: object
        self.lacking = self.lacking_methods = frozenset()  # type: frozenset[str]
        self.missing_joints = set()  # type: set[str]
        self.last_uploaded = ""
        self.is_strict = False
        self.rewrites = None  # type: bool | None
        self.url = ""
        self.at_end = []  # type: list[Callable[[], object]]
        self.interpreter = _Interpreter(self.behaviour_folders, self.file_path)
        self._writable = None  # type: str | None
        self._last_task = 0

    @property
    def posture(self):  # type: () -> str
        """Return the name of the posture; the robot has it since the time `posture_since`."""
        return self._posture

    @posture.setter
    def posture(self, posture):  # type: (str) -> None
        """Set the name of the posture."""
        if posture != self._posture:
            self._posture, self.posture_since = posture, self.clock.now()

    def install(self, memory, services):  # type: (RobotMemory, dict[str, RobotService]) -> None
        """Set ALMemory, which the robot uses even if scripts find no such service, and the services by name."""
        self.memory = memory
        self.services = dict(services)

    def warn(self, where, message, **fields):  # type: (str, str, **object) -> None
        """Record a mistake that a robot tolerates as a warning; if the world is strict, as a failure."""
        if self.is_strict:
            fields["handled"] = False
        self.trace.note("error" if self.is_strict else "warning", where=where, message=message, **fields)

    def service(self, name):  # type: (str) -> RobotService
        """Return the service with this name; raises the robot's RuntimeError if none exists."""
        found = self.services.get(name)
        if found is not None:
            return found
        made = self.modules.get(name)
        if made is None:
            raise RuntimeError("Can't find service: %s" % name)
        return PythonService(name, made)

    def find(self, kind):  # type: (Type[Found]) -> Found | None
        """Return the robot's own service of a class, None if it lacks one."""
        found = self.services.get(kind.__name__)
        return found if isinstance(found, kind) else None

    def need(self, kind):  # type: (Type[Found]) -> Found
        """Return the robot's own service of a class; raises the robot's RuntimeError if it lacks one."""
        found = self.find(kind)
        if found is None:
            raise RuntimeError("Can't find service: %s" % kind.__name__)
        return found

    def language(self):  # type: () -> str
        """Return the language that the robot speaks now; without ALTextToSpeech, its first language."""
        voice = self.services.get("ALTextToSpeech")
        return str(voice.call("getLanguage", ())) if voice is not None else str(self.languages[0])

    def next_task_number(self):  # type: () -> int
        """Return the number for the next posted call: 1, 2, 3, ..."""
        self._last_task += 1
        return self._last_task

    def text_out(self, value, where):  # type: (object, str) -> str
        """Return a text given to a service; raises the robot's RuntimeError if it is not a `str` (2.7: for unicode)."""
        if isinstance(value, str):
            return value
        if PY2 and isinstance(value, UNICODE):
            raise RuntimeError("%s: unicode %r given, NAOqi on Python 2.7 takes UTF-8 str" % (where, value))
        raise RuntimeError("%s: a string is needed, not %r" % (where, value))

    def home_folder(self):  # type: () -> str
        """Return the folder of installed packages, created if missing; without a `home`, `close` removes it."""
        home = self.home or os.path.join(self.writable_folder(), "PackageManager", "apps")
        if not os.path.isdir(home):
            os.makedirs(home)
        return home

    def user_folder(self):  # type: () -> str
        """Return the home folder of the robot's user: next to the installed packages, or a temporary one."""
        if self.home is None:
            return self.writable_folder()
        folder = os.path.join(self.home, _USER_FOLDER)
        if not os.path.isdir(folder):
            os.makedirs(folder)
        return folder

    def file_path(self, path):  # type: (str) -> str
        """Return the local path of a robot's file, below its home folder if that does not exist here."""
        plain = path.replace(os.sep, "/")
        if _HAS_REAL_HOME or not (plain + "/").startswith(_NAO_HOMES):
            return path
        home = next(each for each in _NAO_HOMES if (plain + "/").startswith(each))
        inside = posixpath.normpath("/" + plain[len(home) :]).lstrip("/")
        if (inside + "/").startswith(_APPS + "/"):
            uuid, _, file = inside[len(_APPS) + 1 :].partition("/")
            return os.path.join(self._package_folder(uuid), file) if file else self._package_folder(uuid)
        return os.path.join(self.user_folder(), inside)

    def has_file(self, path):  # type: (str) -> bool
        """Return whether the robot has a file; other files of the owner's computer stay secret."""
        return posixpath.normpath(path).startswith(_NAO_HOMES) and os.path.isfile(self.file_path(path))

    def prepare_folder(self, path):  # type: (str) -> bool
        """Make the folder of a robot's file if it is in the robot's home; return whether it exists."""
        place = self.file_path(path)
        folder = os.path.dirname(place)
        if place != path and not os.path.isdir(folder):
            os.makedirs(folder)
        return os.path.isabs(path) and os.path.isdir(folder)

    def _package_folder(self, uuid):  # type: (str) -> str
        """Return the folder of an installed package, or of a project that was loaded as if it were installed."""
        uuid = self.last_uploaded if uuid == UPLOADED_PACKAGE and uuid not in self.packages else uuid
        package = self.packages.get(uuid)
        return os.path.abspath(package.folder) if package is not None else os.path.join(self.home_folder(), uuid)

    def link_uploaded(self, package, root):  # type: (str, str) -> str
        """Return a link below PackageManager/apps to the folder of a package, or the folder if links are impossible."""
        place = os.path.join(self.writable_folder(), ".uploaded", "PackageManager", "apps")
        link = os.path.join(place, os.path.basename(package))
        try:
            if not os.path.isdir(place):
                os.makedirs(place)
            if not os.path.islink(link):
                os.symlink(os.path.abspath(root), link)
            return link
        except (AttributeError, OSError):
            return root

    def writable_folder(self):  # type: () -> str
        """Return a temporary folder for files that scripts write; `close` removes it."""
        if self._writable is None:
            self._writable = tempfile.mkdtemp(prefix="naosim-")
        return self._writable

    def close(self):  # type: () -> None
        """Make the calls of `at_end`, forget the behaviours' modules and remove the temporary folder.

        Close the clock before.
        """
        for end in self.at_end:
            end()
        self.interpreter.forget()
        if self._writable is not None:
            shutil.rmtree(self._writable, ignore_errors=True)
            self._writable = None
