"""The modules of the robot that scripts import (naoqi, qi, almath, ...), and the names they find without import."""

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
from naosim.compat import PY2, native
from naosim.scripting import alproxy, futures, mutex_module, periodic, session
from naosim.scripting.generated_class import BoxBase
from naosim.scripting.patches import Patches
from naosim.world.callbacks import present_world, soon_guarded

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterator

    from naosim.world.world import World

DEFAULT_PROXIES = ("ALFrameManager", "ALLeds", "ALLogger", "ALMemory", "ALMotion", "ALSensors")
LEVELS = ("fatal", "error", "warning", "info", "verbose", "debug")


class Logger(object):
    """The `qi.Logger`: every line becomes an event, and an error fails the run."""

    def __init__(self, category):  # type: (str) -> None
        self._category = category

    def __getattr__(self, level):  # type: (str) -> Callable[..., None]
        if level not in LEVELS:
            raise AttributeError(level)
        category = self._category

        def log(message, *args):  # type: (Any, *Any) -> None
            _log(level, category, message, args)

        return log


class Signal(object):
    """The `qi.Signal`: connected callbacks are called through the queue."""

    def __init__(self, *_signature):  # type: (*Any) -> None
        self._world = present_world()
        self._calls = {}  # type: dict[int, Any]
        self._made = 0

    def connect(self, call):  # type: (Any) -> int
        """Connect a callback and return the number of the link."""
        self._made += 1
        self._calls[self._made] = call
        return self._made

    def disconnect(self, link):  # type: (int) -> bool
        """End a link; raises RuntimeError for an unknown one."""
        if self._calls.pop(link, None) is None:
            raise RuntimeError("signal: no link %r" % (link,))
        return True

    def disconnectAll(self):  # type: () -> bool
        """End all links."""
        self._calls.clear()
        return True

    def __call__(self, *values):  # type: (*Any) -> None
        for link in sorted(self._calls):
            soon_guarded(self._world, self._calls[link], *values)


class Property(Signal):
    """The `qi.Property`: a value whose changes are signalled."""

    def __init__(self, *_signature):  # type: (*Any) -> None
        Signal.__init__(self)
        self._value = None  # type: Any

    def value(self):  # type: () -> Any
        """Return the value."""
        return self._value

    def setValue(self, value):  # type: (Any) -> None
        """Set the value and signal it to the connected callbacks."""
        self._value = value
        self(value)


class Application(object):
    """The `qi.Application`: inside the robot it is always connected."""

    def __init__(self, *_arguments, **_options):  # type: (*Any, **Any) -> None
        self.session = session.Session()

    def start(self):  # type: () -> None
        """Do nothing: the session is connected already."""


def names(world):  # type: (World) -> dict[str, Any]
    """Return the names a script finds without import, in a new dict."""
    found = {
        "__name__": "__main__",
        "naoqi": NAOQI,
        "qi": QI,
        "motion": motion,
        "allog": ALLOG,
        "os": os,
        "sys": sys,
        "logging": logging,
        "inspect": inspect,
        "weakref": weakref,
        "time": time,
        "random": random,
    }
    try:
        import ctypes
    except ImportError:
        pass
    else:
        found["ctypes"] = ctypes
    found.update((name, value) for name, value in NAOQI.__dict__.items() if not name.startswith("_"))
    for name in DEFAULT_PROXIES:
        if name in world.services:
            found[name] = alproxy.ALProxy(name)
    return found


@contextlib.contextmanager
def running(world):  # type: (World) -> Iterator[None]
    """Let the interpreter be the robot's own while its clock runs: the patches, and the modules of its behaviours."""
    with PATCHES, world.interpreter:
        yield


def _log(level, category, message, args):  # type: (str, str, Any, tuple[Any, ...]) -> None
    text = " ".join([native(message)] + [native(arg) for arg in args])
    world = present_world()
    world.trace.note("log", level=level, box=category, text=text)
    if level in ("error", "fatal"):
        world.trace.note("error", where=native(category), message=text, handled=False)


def _module(name, **members):  # type: (str, **Any) -> Any
    made = types.ModuleType(name, "The %s module of a simulated robot." % name)
    made.__dict__.update(members)
    return made


def _identity(value):  # type: (Any) -> Any
    return value


def _decorator(*_arguments, **_options):  # type: (*Any, **Any) -> Callable[[Any], Any]
    return _identity


def _writable(*parts):  # type: (*str) -> str
    return os.path.join(present_world().writable_folder(), *[part for part in parts if part])


def _nanoseconds():  # type: () -> int
    return int(present_world().clock.now() * 1e9)


def _level_functions():  # type: () -> dict[str, Any]
    def function(level):  # type: (str) -> Callable[..., None]
        return lambda category, message, *args: _log(level, category, message, args)

    return {level: function(level) for level in LEVELS}


NAOQI = _module(
    "naoqi",
    ALProxy=alproxy.ALProxy,
    ALModule=alproxy.ALModule,
    ALBroker=alproxy.ALBroker,
    ALBehavior=BoxBase,
    ALDocable=object,
)
LOGGING = _module("qi.logging", Logger=Logger, getLogger=Logger, setLevel=lambda *_args: None, **_level_functions())
PATH = _module(
    "qi.path",
    userWritableDataPath=_writable,
    userWritableConfPath=_writable,
    findData=lambda app, name, *rest: _writable(app, name),
    sdkPrefix=lambda: "/opt/aldebaran",
)
QI = _module(
    "qi",
    Session=session.Session,
    Application=Application,
    ApplicationSession=Application,
    Future=futures.Future,
    Promise=futures.Promise,
    FutureState=futures.FutureState,
    FutureTimeout=futures.FutureTimeout,
    PeriodicTask=periodic.PeriodicTask,
    Signal=Signal,
    Property=Property,
    Logger=Logger,
    runAsync=futures.run_async,
    logging=LOGGING,
    path=PATH,
    nobind=_identity,
    singleThreaded=_decorator,
    multiThreaded=_decorator,
    bind=_decorator,
    clockNow=_nanoseconds,
    steadyClockNow=_nanoseconds,
    systemClockNow=lambda: int(time.time() * 1e9),
)
vars(QI).update(_level_functions())
setattr(QI, "async", futures.run_async)
ALLOG = _module("allog", **_level_functions())

MODULES = {
    "naoqi": NAOQI,
    "qi": QI,
    "qi.logging": LOGGING,
    "qi.path": PATH,
    "motion": motion,
    "allog": ALLOG,
    "almath": almath,
    "vision_definitions": vision_definitions,
}
if not PY2:
    MODULES["mutex"] = mutex_module
PATCHES = Patches(MODULES)
