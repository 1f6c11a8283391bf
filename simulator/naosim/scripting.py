"""The names that box scripts find: GeneratedClass with `self.logger`, and the modules naoqi, qi and allog.

`make_generated_class` makes the base class of a box script, whose `_naosim_box` is the player's box. `run_as_robot`
applies the patches of the standard library while a robot's clock runs.
"""

from __future__ import absolute_import, division, print_function

import contextlib
import inspect
import logging
import os
import random
import sys
import time
import types
import weakref

import almath
import motion
import vision_definitions
from naosim import compiler, proxies, xar
from naosim.compat import PY2, TEXTS, native, quote, reason
from naosim.patches import Patches
from naosim.world import World, present_world, schedule_guarded

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterator, Protocol

    class ScriptTimeline(Protocol):
        """The timeline of a box for scripts."""

        def play(self):  # type: () -> None
            """Start it."""

        def pause(self):  # type: () -> None
            """Stop it at its current frame."""

        def stop(self):  # type: () -> None
            """Stop it and go back to its beginning."""

        def gotoAndPlay(self, frame):  # type: (object) -> None
            """Move its cursor and start it."""

        def gotoAndStop(self, frame):  # type: (object) -> None
            """Move its cursor and stop it."""

# The logger of box scripts.


def _make_log_method(level):  # type: (str) -> Callable[..., None]
    def log(self, message, *args, **_options):  # type: (_BoxLogger, object, *object, **object) -> None
        self._log(level, message, args)

    log.__name__ = level
    return log


class _BoxLogger(object):
    """The `self.logger` of a box: every line becomes an event, and an error fails the run."""

    __slots__ = ("_box",)
    name = "behavior.box"  # the category of the lines

    def __init__(self, box):  # type: (Any) -> None
        self._box = box

    debug, verbose = _make_log_method("debug"), _make_log_method("verbose")
    info = _make_log_method("info")
    warn = warning = _make_log_method("warning")

    def error(self, message, *args, **_options):  # type: (object, *object, **object) -> None
        """Log an error and fail the run; only warn if it is about a service that no robot of this type has."""
        text, world = self._log("error", message, args), self._box.behaviour.world
        if any(name in text for name in world.lacking):
            world.warn("%s.log" % self._box.path, text)
        else:
            self._box.fail("log", text)

    exception = critical = fatal = error

    def log(self, level, message, *args, **_options):  # type: (object, object, *object, **object) -> None
        """Log at a numeric level of the logging module: an error from 40, below that an info."""
        if isinstance(level, int) and level >= 40:
            self.error(message, *args)
        else:
            self.info(message, *args)

    def setLevel(self, level):  # type: (object) -> None
        """Do nothing: lines of all levels are recorded."""

    def isEnabledFor(self, level):  # type: (object) -> bool
        return True

    def _log(self, level, message, args):  # type: (str, object, tuple[object, ...]) -> str
        """Record and return a line; as in `logging`, wrong arguments do not raise: they fail the run."""
        self._box.behaviour.world.clock.poll()
        try:
            text = _format_message(message, args)
        except (TypeError, ValueError, KeyError) as error:
            text = native(message)
            self._box.fail("log", "%s cannot be filled with %r: %s" % (quote(text), args, reason(error)))
        self._box.note("log", level=level, text=text)
        return text


def _format_message(message, args):  # type: (object, tuple[object, ...]) -> str
    """Format a line like the logging module: a single dict fills in names."""
    text = native(message)
    if len(args) == 1 and isinstance(args[0], dict):
        args = args[0]  # type: ignore[assignment]
    return native(text % args) if args else text


# GeneratedClass, the base class of every box script.


class _BoxId(object):
    """The `id` of a box: its module name, which a script can replace."""

    def __get__(self, instance, _owner):  # type: (BoxBase | None, object) -> object
        return self if instance is None else instance._naosim_box.name


class BoxBase(object):
    """The methods that every box script has; its outputs are added by `make_generated_class`."""

    _naosim_box = None  # type: Any
    id = _BoxId()

    def __init__(self, autoBind=True):  # type: (object) -> None
        box = self._naosim_box
        box.is_based = True
        # From this line, ALMemory can call the box, before __init__ has ended.
        box.behaviour.world.modules[box.name] = self

    @property
    def logger(self):  # type: () -> _BoxLogger
        """Return the logger of this box."""
        return _BoxLogger(self._naosim_box)

    @property
    def behaviorId(self):  # type: () -> str
        """Return the id of the behaviour, for ALFrameManager."""
        return self._naosim_box.behaviour.id  # type: ignore[no-any-return]

    @property
    def boxName(self):  # type: () -> str
        """Return the name in the diagram."""
        return self._naosim_box.plan.box.name  # type: ignore[no-any-return]

    @property
    def parentId(self):  # type: () -> str
        """Return the module name of the enclosing box, "" for the root."""
        return getattr(self._naosim_box.parent, "name", "")

    @property
    def parentBoxName(self):  # type: () -> str
        """Return the name of the enclosing box, "" for the root."""
        parent = self._naosim_box.parent
        return parent.plan.box.name if parent is not None else ""

    def getName(self):  # type: () -> str
        """Return the module name of this box."""
        return self._naosim_box.name  # type: ignore[no-any-return]

    def getParameter(self, name):  # type: (str) -> object
        """Return the value of a parameter; raises RuntimeError for an unknown name."""
        return self._naosim_box.parameter(name)

    def setParameter(self, name, value):  # type: (str, object) -> None
        """Change a parameter until the behaviour is unloaded."""
        self._naosim_box.set_parameter(name, value)

    def log(self, message):  # type: (object) -> None
        """Log information: the old name of `logger.info`."""
        self.logger.info(message)

    def session(self):  # type: () -> object
        """Return the qi session of the robot."""
        return proxies.get_shared_session(self._naosim_box.behaviour.world)

    def packageUid(self):  # type: () -> str
        """Return the id of the package that holds this behaviour."""
        return self._naosim_box.behaviour.package  # type: ignore[no-any-return]

    def behaviorAbsolutePath(self):  # type: () -> str
        """Return the folder of the behaviour."""
        return self._naosim_box.behaviour.folder  # type: ignore[no-any-return]

    def behaviorRelativePath(self):  # type: () -> str
        """Return the folder of the behaviour inside the package."""
        return self._naosim_box.behaviour.relative  # type: ignore[no-any-return]

    def BIND_PYTHON(self, module, method, nargs=-1):  # type: (str, str, int) -> None
        """Allow ALMemory to call a method of this box; raises RuntimeError if it does not exist."""
        if not callable(getattr(self, method, None)):
            raise RuntimeError("BIND_PYTHON: box %s has no method %s" % (quote(self.getName()), quote(method)))

    def getTimeline(self):  # type: () -> ScriptTimeline | None
        """Return the timeline of this box, None if it lacks one."""
        return self._naosim_box.script_timeline()  # type: ignore[no-any-return]

    def getParentTimeline(self):  # type: () -> ScriptTimeline | None
        """Return the timeline that contains this box, None if none does."""
        return self._naosim_box.parent_timeline()  # type: ignore[no-any-return]

    def playTimeline(self):  # type: () -> None
        """Start the box's timeline."""
        self._timeline(self.getTimeline()).play()

    def stopTimeline(self):  # type: () -> None
        """Stop the box's timeline."""
        self._timeline(self.getTimeline()).pause()

    def gotoAndPlay(self, frame):  # type: (object) -> None
        """Move the box's time cursor and start it."""
        self._timeline(self.getTimeline()).gotoAndPlay(frame)

    def gotoAndStop(self, frame):  # type: (object) -> None
        """Move the box's time cursor and stop it."""
        self._timeline(self.getTimeline()).gotoAndStop(frame)

    def playTimelineParent(self):  # type: () -> None
        """Start the parent's timeline."""
        self._timeline(self.getParentTimeline()).play()

    def stopTimelineParent(self):  # type: () -> None
        """Stop the parent's timeline."""
        self._timeline(self.getParentTimeline()).pause()

    def gotoAndPlayParent(self, frame):  # type: (object) -> None
        """Move the parent's time cursor and start it."""
        self._timeline(self.getParentTimeline()).gotoAndPlay(frame)

    def gotoAndStopParent(self, frame):  # type: (object) -> None
        """Move the parent's time cursor and stop it."""
        self._timeline(self.getParentTimeline()).gotoAndStop(frame)

    def exitBehavior(self):  # type: () -> None
        """Stop the whole behaviour."""
        self._naosim_box.behaviour.exit()

    def exitBehaviorParent(self):  # type: () -> None
        """Stop the timeline that contains this box, or the whole behaviour if none does."""
        timeline = self.getParentTimeline()
        if timeline is None:
            self.exitBehavior()
        else:
            timeline.stop()

    def releaseResource(self):  # type: () -> None
        """Release the resources of this box."""
        self._naosim_box.behaviour.locks.drop(self._naosim_box)

    def waitResources(self):  # type: () -> bool
        """Wait for the resources of this box and take them; return False if the time is up before."""
        return self._naosim_box.behaviour.locks.take(self._naosim_box)  # type: ignore[no-any-return]

    def waitResourcesCallback(self, callback):  # type: (Callable[[], object]) -> None
        """Call a callback when the resources of this box are taken; never if the time is up before."""
        box = self._naosim_box
        box.behaviour.world.clock.call_soon_for(callback, lambda: box.behaviour.locks.take(box) and callback())

    def waitResourceFree(self):  # type: () -> bool
        """Wait for the resources and release them immediately; return False if the time is up before."""
        taken = self.waitResources()
        self.releaseResource()
        return taken

    def stimulateIO(self, name, value=None):  # type: (str, object) -> None
        """Fire an output by name."""
        self._naosim_box.fire_by_name(name, value)

    @classmethod
    def getModule(cls, name):  # type: (str) -> object
        """Return the object of a box or another module of a script by name, None if none exists."""
        return cls._naosim_box.behaviour.world.modules.get(name)

    def exit(self):  # type: () -> None
        """Do nothing: the player removes the module of a box when it unloads the behaviour."""

    def _timeline(self, timeline):  # type: (ScriptTimeline | None) -> ScriptTimeline
        if timeline is None:
            raise RuntimeError("box %s has no timeline" % quote(self.getName()))
        return timeline


def make_generated_class(box):  # type: (Any) -> type
    """Make the GeneratedClass of one box: BoxBase with a method for each output."""
    members = {"_naosim_box": box}  # type: dict[str, object]
    for port in box.plan.box.outputs:
        members[port.name] = output = _output(box, port)
        output.__name__ = port.name
    return type("GeneratedClass", (BoxBase,), members)


def _output(box, port):  # type: (Any, xar.Port) -> Callable[..., None]
    def bang(self, p=None):  # type: (object, object) -> None
        box.behaviour.world.clock.poll()
        box.fire(port, None)

    def output(self, p):  # type: (object, object) -> None
        box.behaviour.world.clock.poll()
        box.fire_checked(port, p)

    return bang if port.type == xar.BANG else output


def is_value_of_type(port, value):  # type: (xar.Port, object) -> bool
    """Return whether a value fits the type that an output declares."""
    if port.size > 1:
        return isinstance(value, (list, tuple)) and len(value) == port.size
    if port.type == xar.STRING:
        return isinstance(value, str)
    if port.type == xar.NUMBER:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return not isinstance(value, TEXTS) or isinstance(value, str)


# Modules that scripts import (naoqi, qi, almath, ...), and names that they find without import.

#: The proxies that scripts find without creating them.
_DEFAULT_PROXIES = ("ALFrameManager", "ALLeds", "ALLogger", "ALMemory", "ALMotion", "ALSensors")
_GIVEN_MODULES = (motion, os, sys, logging, inspect, weakref, time, random)  # that scripts find without an import
_LOG_LEVELS = ("fatal", "error", "warning", "info", "verbose", "debug")


class Logger(object):
    """The `qi.Logger`: every line becomes an event, and an error fails the run."""

    def __init__(self, category):  # type: (str) -> None
        self._category = category

    def __getattr__(self, level):  # type: (str) -> Callable[..., None]
        if level not in _LOG_LEVELS:
            raise AttributeError(level)
        category = self._category

        def log(message, *args):  # type: (object, *object) -> None
            _log_line(level, category, message, args)

        return log


class Signal(object):
    """The `qi.Signal`: it schedules calls of the connected callbacks."""

    def __init__(self, *_signature):  # type: (*object) -> None
        self._world = present_world()
        self._calls = {}  # type: dict[int, object]
        self._made = 0

    def connect(self, call):  # type: (object) -> int
        """Connect a callback and return the number of the connection."""
        self._made += 1
        self._calls[self._made] = call
        return self._made

    def disconnect(self, link):  # type: (int) -> bool
        """End a connection; raises RuntimeError if its number is unknown."""
        if self._calls.pop(link, None) is None:
            raise RuntimeError("signal: no link %r" % (link,))
        return True

    def disconnectAll(self):  # type: () -> bool
        """End all connections."""
        self._calls.clear()
        return True

    def __call__(self, *values):  # type: (*object) -> None
        for link in sorted(self._calls):
            schedule_guarded(self._world, self._calls[link], *values)


class Property(Signal):
    """The `qi.Property`: a value with a signal of its changes."""

    def __init__(self, *_signature):  # type: (*object) -> None
        Signal.__init__(self)
        self._value = None  # type: object

    def value(self):  # type: () -> object
        """Return the value."""
        return self._value

    def setValue(self, value):  # type: (object) -> None
        """Set the value and call the connected callbacks with it."""
        self._value = value
        self(value)


class Application(object):
    """The `qi.Application`: inside the robot it is always connected."""

    def __init__(self, *_arguments, **_options):  # type: (*object, **object) -> None
        self.session = proxies.Session()

    def start(self):  # type: () -> None
        """Do nothing: the session is connected already."""


def list_script_names(world):  # type: (World) -> dict[str, object]
    """Return the names that a script has without an import, as a new dict."""
    found = {"__name__": "__main__", "naoqi": _NAOQI, "qi": _QI, "allog": _ALLOG}  # type: dict[str, object]
    found.update((module.__name__, module) for module in _GIVEN_MODULES)
    try:
        import ctypes
    except ImportError:
        pass
    else:
        found["ctypes"] = ctypes
    found.update((name, value) for name, value in _NAOQI.__dict__.items() if not name.startswith("_"))
    found.update((name, proxies.ALProxy(name)) for name in _DEFAULT_PROXIES if name in world.services)
    return found


@contextlib.contextmanager
def run_as_robot(world):  # type: (World) -> Iterator[None]
    """Apply the patches and the behaviours' changes to sys.path and sys.modules while the robot's clock runs."""
    with _PATCHES, world.interpreter:
        yield


def _log_line(level, category, message, args):  # type: (str, str, object, tuple[object, ...]) -> None
    text = " ".join([native(message)] + [native(arg) for arg in args])
    world = present_world()
    world.trace.note("log", level=level, box=category, text=text)
    if level in ("error", "fatal"):
        world.trace.note("error", where=native(category), message=text, handled=False)


def _module(name, **members):  # type: (str, **object) -> types.ModuleType
    made = types.ModuleType(name, "The %s module of a simulated robot." % name)
    made.__dict__.update(members)
    return made


def _identity(value):  # type: (object) -> object
    return value


def _decorator(*_arguments, **_options):  # type: (*object, **object) -> Callable[[object], object]
    return _identity


class _QiType(object):
    """A type of libqi for `qi.bind`, which the simulated robot does not check."""

    def __init__(self, *_inner):  # type: (*object) -> None
        pass


#: The types of libqi.
_TYPE_NAMES = """
    Void Bool Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Float Double String Object Dynamic Buffer AnyArguments
    List Map Struct
"""


def _writable(*parts):  # type: (*str) -> str
    return os.path.join(present_world().writable_folder(), *filter(None, parts))


def _nanoseconds():  # type: () -> int
    return int(present_world().clock.now() * 1e9)


def _level_function(level):  # type: (str) -> Callable[..., None]
    return lambda category, message, *args: _log_line(level, category, message, args)


_LEVEL_FUNCTIONS = {level: _level_function(level) for level in _LOG_LEVELS}
_PROXIES = {"ALProxy": proxies.ALProxy, "ALModule": proxies.ALModule, "ALBroker": proxies.ALBroker}
_NAOQI = _module("naoqi", ALBehavior=BoxBase, ALDocable=object, **_PROXIES)
_LOGGING = _module("qi.logging", Logger=Logger, getLogger=Logger, setLevel=lambda *_args: None, **_LEVEL_FUNCTIONS)
PATH = _module(
    "qi.path",
    userWritableDataPath=_writable,
    userWritableConfPath=_writable,
    findData=lambda app, name, *rest: _writable(app, name),
    sdkPrefix=lambda: "/opt/aldebaran",
)
_QI = _module(
    "qi",
    Application=Application,
    ApplicationSession=Application,
    Signal=Signal,
    Property=Property,
    Logger=Logger,
    runAsync=proxies.run_async,
    logging=_LOGGING,
    path=PATH,
    nobind=_identity,
    singleThreaded=_decorator,
    multiThreaded=_decorator,
    bind=_decorator,
    clockNow=_nanoseconds,
    steadyClockNow=_nanoseconds,
    systemClockNow=lambda: int(time.time() * 1e9),
)
vars(_QI).update(_LEVEL_FUNCTIONS)
vars(_QI).update((name, _QiType) for name in _TYPE_NAMES.split())
for _name in ("Session", "Future", "Promise", "FutureState", "FutureTimeout", "PeriodicTask"):
    setattr(_QI, _name, getattr(proxies, _name))
setattr(_QI, "async", proxies.run_async)
_ALLOG = _module("allog", **_LEVEL_FUNCTIONS)
# The SDK's module imports these, and scripts take them from it.
vars(_NAOQI).update((module.__name__, module) for module in (_QI, _ALLOG, motion, os, sys, logging, inspect, weakref))

_MODULES = [_NAOQI, _QI, _LOGGING, PATH, motion, _ALLOG, almath, vision_definitions]
if not PY2:
    _MODULES.append(_module("mutex", mutex=compiler.mutex))
if sys.version_info >= (3, 13):
    _MODULES.append(_module("cgi", **compiler.CGI_NAMES))
_PATCHES = Patches({module.__name__: module for module in _MODULES})
