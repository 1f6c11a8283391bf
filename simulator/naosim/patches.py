"""Patches of the standard library for scripts: sleep, time, dates, threads, sockets, random numbers and printing.

While a robot's clock runs, `Patches` replaces the functions that wait, return the time or draw random numbers. Each
replacement works on the robot whose task runs on the calling thread; on any other thread it calls the original.
"""

from __future__ import absolute_import, division, print_function

import datetime
import io
import os
import random
import select
import socket
import sys
import threading
import time
import types

from naosim import compat
from naosim.clock import Clock, present_clock
from naosim.compiler import OLD_MODULES_FINDER
from naosim.scheduler import ScheduledCall, SimEvent
from naosim.world import World, call_guarded, present_world

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterable, Sequence, TextIO, TypeVar

    Seen = TypeVar("Seen")

# Dates: `datetime` and the calendar functions of `time`, on the robot's clock and in its time zone, UTC.
#
# Classes cannot be replaced for one thread, so they are replaced among the names of a script that has imported them.

ROBOT_START_S = 1500000000.0  # the time at which every robot starts, in seconds since 1970

_gmtime = time.gmtime
_asctime = time.asctime
_strftime = time.strftime
_date, _datetime = datetime.date, datetime.datetime


class _ReplacementType(type):
    """The metaclass of a replacement: instances and subclasses of the original count as its own."""

    def __instancecheck__(cls, value):  # type: (object) -> bool
        return isinstance(value, cls.__mro__[1])

    def __subclasscheck__(cls, kind):  # type: (type) -> bool
        return issubclass(kind, cls.__mro__[1])


def _replacement_class(original, readings):  # type: (type, dict[str, Callable[[float], object]]) -> object
    """Make a class that creates objects of the original; inside a robot, these methods use the robot's clock."""

    def make_clock_method(name, read):  # type: (str, Callable[[float], object]) -> object
        def method(_cls, *args, **kwargs):  # type: (type, *object, **object) -> object
            clock = present_clock()
            if clock is None or clock.host is None or args or kwargs:
                return getattr(original, name)(*args, **kwargs)
            clock.poll()
            return read(ROBOT_START_S + clock.now())

        return classmethod(method)  # type: ignore[arg-type]

    members = {name: make_clock_method(name, read) for name, read in readings.items()}  # type: dict[str, object]
    members["__new__"] = lambda _cls, *args, **kwargs: original(*args, **kwargs)
    return _ReplacementType(compat.native(original.__name__), (original,), members)


def _moment(seconds):  # type: (float) -> datetime.datetime
    return _datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)


def _fill_moment(call, place):  # type: (Callable[..., object], int) -> Callable[..., object]
    """Wrap a call so that its optional argument at this position defaults to the robot's time."""

    def fill(clock, *args):  # type: (Clock, *object) -> object
        return call(*args) if len(args) > place else call(*(args + (_gmtime(ROBOT_START_S + clock.now()),)))

    return fill


def _virtual_gmtime(clock, seconds=None):  # type: (Clock, float | None) -> time.struct_time
    return _gmtime(ROBOT_START_S + clock.now() if seconds is None else seconds)


def _virtual_ctime(clock, seconds=None):  # type: (Clock, float | None) -> str
    return _asctime(_virtual_gmtime(clock, seconds))


def _calendar_functions():  # type: () -> list[tuple[str, Callable[..., object]]]
    """List the functions of `time` about dates, each with the one that is called with the clock instead."""
    gmtimes = [("localtime", _virtual_gmtime), ("gmtime", _virtual_gmtime), ("ctime", _virtual_ctime)]  # type: list[tuple[str, Callable[..., object]]]
    return gmtimes + [("asctime", _fill_moment(_asctime, 0)), ("strftime", _fill_moment(_strftime, 1))]


def replace_datetime(names):  # type: (dict[str, object]) -> None
    """Replace the machine's `datetime` by the robot's among the names of a script."""
    for name, value in list(names.items()):
        if value is datetime or value is _datetime or value is _date:
            names[name] = _DATETIME_MODULE if value is datetime else _DATETIME_CLASSES[value.__name__]


_DATETIME_CLASSES = {
    "datetime": _replacement_class(_datetime, {"now": _moment, "utcnow": _moment, "today": _moment}),
    "date": _replacement_class(_date, {"today": lambda seconds: _moment(seconds).date()}),
}
_DATETIME_MODULE = types.ModuleType(compat.native("datetime"))
_DATETIME_MODULE.__dict__.update(datetime.__dict__)
_DATETIME_MODULE.__dict__.update(_DATETIME_CLASSES)


# Files: inside a robot, paths in the home folder of its user lead to the folder that stands for it.

_ROBOT_HOME = "/home/nao/"
#: The functions of `os` that take paths; other functions of the standard library call these.
_PATH_FUNCTIONS = "access chmod listdir lstat mkdir open remove rename replace rmdir scandir stat unlink utime"


def _file_functions():  # type: () -> list[tuple[object, str, Callable[..., object]]]
    """List the functions that take paths of files: owner, name and the function that uses the clock instead."""
    places = [(compat.builtins_module, "open"), (io, "open")] + [(os, name) for name in _PATH_FUNCTIONS.split()]
    made = [(os.path, "expanduser", _expand_user)]  # type: list[tuple[object, str, Callable[..., object]]]
    return made + [(owner, name, _make_path_call(vars(owner)[name])) for owner, name in places if hasattr(owner, name)]


def _make_path_call(original):  # type: (Callable[..., object]) -> Callable[..., object]
    def call(clock, *args, **kwargs):  # type: (Clock, *object, **object) -> object
        world = clock.host  # type: Any
        return original(*[_local_path(world, value) for value in args], **kwargs)

    return call


def _local_path(world, value):  # type: (World, object) -> object
    """Return the local path for one in the home folder of the robot's user; other values unchanged."""
    text = value.__fspath__() if hasattr(value, "__fspath__") else value
    return world.file_path(text) if isinstance(text, compat.TEXTS) else value  # type: ignore[arg-type]


def _expand_user(_clock, path):  # type: (Clock, str) -> str
    """Replace `~` by the home folder of the robot's user."""
    name, _, rest = path.partition("/")
    return (_ROBOT_HOME if rest else _ROBOT_HOME.rstrip("/")) + rest if name in ("~", "~nao") else path


# Sockets: other tasks continue while one waits at a socket, as a server does for its next client.

_SOCKET_POLL_S = 0.1  # virtual seconds between two checks of a socket
_SOCKET_WAIT_S = 0.002  # real seconds that the first check waits, for programs that do not use the robot's clock


def _socket_functions():  # type: () -> list[tuple[object, str, Callable[..., object]]]
    """List the functions that wait at sockets: owner, name and the function that uses the clock instead."""
    made = [(select, "select", _select)]  # type: list[tuple[object, str, Callable[..., object]]]
    made += [(kind, "select", _make_selector(kind.__dict__["select"])) for kind in _selectors()]
    return made + [(socket.socket, "accept", _make_accept(socket.socket.__dict__["accept"]))]


def _selectors():  # type: () -> list[object]
    """List the classes of Python 3's `selectors` that define `select`."""
    kinds = (
        {each for each in vars(compat.selectors_module).values() if isinstance(each, type)}
        if compat.selectors_module
        else set()
    )
    waiting = [kind for kind in kinds if "select" in kind.__dict__]
    return [kind for kind in waiting if not getattr(kind.__dict__["select"], "__isabstractmethod__", False)]


def _select(clock, readable, writable, broken, timeout=None):
    # type: (Clock, Sequence[Any], Sequence[Any], Sequence[Any], float | None) -> tuple[list[object], ...]
    return _wait_at_socket(
        clock, lambda patience: compat.real_select(readable, writable, broken, patience), timeout, any
    )


def _make_selector(original):  # type: (Callable[..., object]) -> Callable[..., object]
    def select(clock, selector, timeout=None):  # type: (Clock, object, float | None) -> object
        return _wait_at_socket(clock, lambda patience: original(selector, patience), timeout, bool)

    return select


def _make_accept(original):  # type: (Callable[..., object]) -> Callable[..., object]
    def accept(clock, listener):  # type: (Clock, socket.socket) -> object
        timeout = listener.gettimeout()
        try:
            comes = timeout == 0 or any(_select(clock, [listener], [], [], timeout))
        except ValueError:
            # The socket was closed: its own `accept` raises the error for that.
            comes = True
        if not comes:
            raise socket.timeout("timed out")
        return original(listener)

    return accept


def _wait_at_socket(clock, look, timeout, is_enough):
    # type: (Clock, Callable[[float], Seen], float | None, Callable[[Seen], bool]) -> Seen
    """Check a socket until the result is enough or the robot's time is up; return the last result."""
    end = None if timeout is None else clock.now() + timeout
    seen = look(_SOCKET_WAIT_S)
    while not is_enough(seen):
        left = _SOCKET_POLL_S if end is None else end - clock.now()
        if left <= 0:
            break
        clock.sleep(min(left, _SOCKET_POLL_S))
        seen = look(0)
    return seen


# Threads, timers, locks and events on the robot's clock.


class _TimerTask(object):
    """A `threading.Timer` on the robot's clock."""

    daemon = False
    name = "Timer"

    def __init__(self, interval, function, args=(), kwargs=None):
        # type: (float, Callable[..., object], Iterable[object], dict[str, object] | None) -> None
        self._world = present_world()
        self.interval = interval
        self._call = (function, tuple(args or ()), dict(kwargs or {}))
        self._done = SimEvent(self._world.clock)
        self._scheduled = None  # type: ScheduledCall | None

    def start(self):  # type: () -> None
        if self._scheduled is not None:
            raise RuntimeError("threads can only be started once")
        self._scheduled = self._world.clock.call_later_for(self._call[0], self.interval, self._run)

    def cancel(self):  # type: () -> None
        if self._scheduled is not None:
            self._scheduled.cancel()
        self._done.set()

    def join(self, timeout=None):  # type: (float | None) -> None
        self._world.clock.wait(self._done, timeout)

    def is_alive(self):  # type: () -> bool
        return self._scheduled is not None and not self._done.is_set

    isAlive = is_alive

    def setDaemon(self, daemon):  # type: (bool) -> None
        """Ignore the flag: tasks end with the robot."""

    def setName(self, name):  # type: (str) -> None
        self.name = name

    def _run(self):  # type: () -> None
        function, args, kwargs = self._call
        try:
            call_guarded(self._world, function, *args, **kwargs)
        finally:
            self._done.set()


class _TaskLock(object):
    """A `threading.Lock` between tasks; others continue while a task waits for it."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._freed = None  # type: SimEvent | None
        self._held = False

    def acquire(self, blocking=True, timeout=-1):  # type: (object, float) -> bool
        end = None if timeout is None or timeout < 0 else self._clock.now() + timeout
        while self._held:
            left = None if end is None else end - self._clock.now()
            if not blocking or (left is not None and left <= 0):
                return False
            self._freed = self._freed or SimEvent(self._clock)
            _pause(self._clock, self._freed, left)
        self._held = True
        return True

    def release(self):  # type: () -> None
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False
        if self._freed is not None:
            self._freed.set()
            self._freed = None

    def locked(self):  # type: () -> bool
        return self._held

    acquire_lock, release_lock, locked_lock = acquire, release, locked

    def _at_fork_reinit(self):  # type: () -> None
        """Free the lock; some modules of Python 3 register this method with `os` when they are imported."""
        self._held = False

    def __enter__(self):  # type: () -> bool
        return self.acquire()

    def __exit__(self, *_error):  # type: (*object) -> None
        self.release()


class _TaskRLock(object):
    """A `threading.RLock` between tasks."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._lock = _TaskLock(clock)
        self._owner = None  # type: int | None
        self._depth = 0

    def acquire(self, blocking=True, timeout=-1):  # type: (object, float) -> bool
        if self._owner != compat.get_ident() and not self._lock.acquire(blocking, timeout):
            return False
        self._owner = compat.get_ident()
        self._depth += 1
        return True

    def release(self):  # type: () -> None
        if self._owner != compat.get_ident():
            raise RuntimeError("cannot release un-acquired lock")
        self._depth -= 1
        if not self._depth:
            self._owner = None
            self._lock.release()

    def _is_owned(self):  # type: () -> bool
        """Return whether the calling thread has the lock; Python 2.7's own conditions ask for that after a fork."""
        return bool(self._owner == compat.get_ident())

    def __enter__(self):  # type: () -> bool
        return self.acquire()

    def __exit__(self, *_error):  # type: (*object) -> None
        self.release()


class _TaskEvent(object):
    """A `threading.Event` between tasks."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._event = SimEvent(clock)

    def set(self):  # type: () -> None
        self._event.set()

    def clear(self):  # type: () -> None
        self._event.clear()

    def is_set(self):  # type: () -> bool
        return self._event.is_set

    isSet = is_set

    def wait(self, timeout=None):  # type: (float | None) -> bool
        if not self._event.is_set:
            _pause(self._clock, self._event, timeout)
        return self._event.is_set

    def _reset_internal_locks(self):  # type: () -> None
        """Do nothing: Python 2.7 calls this in the child of a fork."""


class _TaskCondition(object):
    """A `threading.Condition` between tasks."""

    def __init__(self, clock, lock=None):  # type: (Clock, _TaskLock | _TaskRLock | None) -> None
        self._clock = clock
        self._lock = lock if lock is not None else _TaskRLock(clock)
        self._waiting = []  # type: list[SimEvent]
        self.acquire = self._lock.acquire
        self.release = self._lock.release

    def wait(self, timeout=None):  # type: (float | None) -> bool
        notified = SimEvent(self._clock)
        self._waiting.append(notified)
        self.release()
        try:
            _pause(self._clock, notified, timeout)
        finally:
            self.acquire()
            if notified in self._waiting:
                self._waiting.remove(notified)
        return notified.is_set

    def notify(self, n=1):  # type: (int) -> None
        woken, self._waiting = self._waiting[:n], self._waiting[n:]
        for notified in woken:
            notified.set()

    def notify_all(self):  # type: () -> None
        self.notify(len(self._waiting))

    notifyAll = notify_all

    def __enter__(self):  # type: () -> object
        return self._lock.__enter__()

    def __exit__(self, *error):  # type: (*object) -> None
        self._lock.__exit__(*error)


def _start_thread(thread):  # type: (Any) -> None
    """Start a thread inside a robot: its `run` becomes a task."""
    if getattr(thread, "_naosim_done", None) is not None:
        raise RuntimeError("threads can only be started once")
    world = present_world()
    thread._naosim_done = SimEvent(world.clock)
    world.clock.call_soon_for(thread.run, _run_thread, world, thread.run, thread._naosim_done)


def _start_function(_clock, function, args, kwargs=None):
    # type: (Clock, Callable[..., object], tuple[object, ...], dict[str, object] | None) -> int
    """Run a function as a task, as `thread.start_new_thread` runs it in a thread; return a number."""
    world = present_world()
    world.clock.call_soon_for(function, lambda: call_guarded(world, function, *args, **(kwargs or {})))
    return world.next_task_number()


def _run_thread(world, run, event):  # type: (World, Callable[[], object], SimEvent) -> None
    try:
        call_guarded(world, run)
    finally:
        event.set()


def _pause(clock, event, seconds):  # type: (Clock, SimEvent, float | None) -> None
    """Wait for an event inside a task; outside the robot, sleep a millisecond."""
    if present_clock() is clock:
        clock.wait(event, seconds)
    else:
        compat.real_sleep(0.001)


# The patches.

#: The functions of `random` that use the robot's generator.
_DRAWS = "random uniform triangular gauss randint randrange choice choices shuffle sample getrandbits "
_DRAWS += "betavariate expovariate normalvariate"
#: The functions that return the time, with the time at the robot's start.
_TIME_FUNCTIONS = (("time", ROBOT_START_S), ("monotonic", 0.0), ("perf_counter", 0.0), ("clock", 0.0))


class Patches(object):
    """A context with a patched standard library: the first to enter patches it, the last to leave restores it."""

    def __init__(self, modules):  # type: (dict[str, types.ModuleType]) -> None
        self._modules = modules
        self._lock = compat.allocate_lock()
        self._running = 0
        self._kept = []  # type: list[tuple[object, str, object]]
        self._kept_modules = {}  # type: dict[str, types.ModuleType | None]
        self._made = None  # type: list[tuple[object, str, object]] | None

    def __enter__(self):  # type: () -> Patches
        with self._lock:
            self._running += 1
            if self._running == 1:
                self._replace()
        return self

    def __exit__(self, *_error):  # type: (*object) -> None
        with self._lock:
            self._running -= 1
            if self._running == 0:
                self._restore()

    def _replace(self):  # type: () -> None
        if self._made is None:
            self._made = _list_patches()
        streams = [(sys, name, _Stream(getattr(sys, name), name)) for name in ("stdout", "stderr")]
        for owner, name, made in self._made + streams:
            self._kept.append((owner, name, owner.__dict__[name]))
            setattr(owner, name, made)
        sys.meta_path.insert(0, OLD_MODULES_FINDER)
        for name, module in self._modules.items():
            self._kept_modules[name] = sys.modules.get(name)
            sys.modules[name] = module

    def _restore(self):  # type: () -> None
        while self._kept:
            owner, name, original = self._kept.pop()
            setattr(owner, name, original)
        if OLD_MODULES_FINDER in sys.meta_path:
            sys.meta_path.remove(OLD_MODULES_FINDER)
        for name, module in self._kept_modules.items():
            if module is not None:
                sys.modules[name] = module
            elif sys.modules.get(name) is self._modules[name]:
                del sys.modules[name]
        self._kept_modules.clear()


def _list_patches():  # type: () -> list[tuple[object, str, object]]
    """List the patches: owner, name and replacement."""
    virtual = [(time, "sleep", lambda clock, seconds: clock.sleep(seconds))]  # type: list[tuple[object, str, Callable[..., object]]]
    virtual += [(time, name, _time_since(start)) for name, start in _TIME_FUNCTIONS]
    virtual += [(random, name, _draw(name)) for name in _DRAWS.split()]
    virtual += [(random, "SystemRandom", lambda _clock, *_seed: present_world().random), (random, "seed", _seed)]
    kinds = {"Lock": _TaskLock, "RLock": _TaskRLock, "Event": _TaskEvent, "Condition": _TaskCondition}
    virtual += [(threading, name, kind) for name, kind in kinds.items()]
    virtual += [(threading, "Timer", lambda clock, *args, **kwargs: _TimerTask(*args, **kwargs))]
    virtual += _file_functions() + _socket_functions() + [(time, name, call) for name, call in _calendar_functions()]
    virtual += [(compat.thread_module, name, _start_function) for name in ("start_new_thread", "start_new")]
    # Not on Python 3: its import system creates locks with these functions.
    virtual += [
        (compat.thread_module, name, _TaskLock) for name in (("allocate_lock", "allocate") if compat.PY2 else ())
    ]
    virtual += _queue_functions()
    made = [
        (owner, name, _make_replacement(owner.__dict__[name], call))
        for owner, name, call in virtual
        if hasattr(owner, name)
    ]
    return made + _thread_methods()


def _thread_methods():  # type: () -> list[tuple[object, str, object]]
    kind = threading.Thread
    made = [  # type: list[tuple[object, str, object]]
        (kind, "start", _method(kind.start, lambda thread: present_clock() is not None, _start_thread)),
        (kind, "join", _method(kind.join, _is_task, lambda thread, timeout=None: _join(thread, timeout))),
    ]
    for name in ("is_alive", "isAlive"):
        if name in kind.__dict__:
            made.append((kind, name, _method(kind.__dict__[name], _is_task, lambda t: not t._naosim_done.is_set)))
    return made


def _queue_functions():  # type: () -> list[tuple[object, str, Callable[..., object]]]
    """List the clock functions that `queue` and `threading` import, and Python 3's SimpleQueue.

    SimpleQueue waits in C, out of reach of patches, so its version in Python replaces it.
    """
    places = [(module, name) for module in (compat.queue_module, threading) for name in ("time", "_time")]
    made = [(module, name, _time_since(0.0)) for module, name in places if callable(module.__dict__.get(name))]
    plain = getattr(compat.queue_module, "_PySimpleQueue", None)
    return made + ([(compat.queue_module, "SimpleQueue", lambda clock: plain())] if plain is not None else [])


def _make_replacement(original, virtual):  # type: (Callable[..., object], Callable[..., object]) -> object
    """Make a function that calls the original outside of robots, and `virtual(clock, ...)` inside."""

    def replacement(*args, **kwargs):  # type: (*object, **object) -> object
        clock = present_clock()
        if clock is None or clock.host is None:
            return original(*args, **kwargs)
        return virtual(clock, *args, **kwargs)

    replacement.__name__ = compat.native(getattr(original, "__name__", "replacement"))
    return replacement


def _method(original, is_ours, virtual):
    # type: (Callable[..., object], Callable[[object], object], Callable[..., object]) -> object
    def method(self, *args, **kwargs):  # type: (object, *object, **object) -> object
        return virtual(self, *args, **kwargs) if is_ours(self) else original(self, *args, **kwargs)

    return method


def _time_since(start):  # type: (float) -> Callable[[Clock], float]
    def read(clock):  # type: (Clock) -> float
        clock.poll()
        return start + clock.now()

    return read


def _draw(name):  # type: (str) -> Callable[..., object]
    return lambda _clock, *args, **kwargs: getattr(present_world().random, name)(*args, **kwargs)


def _seed(clock, seed=None, *_version):  # type: (Clock, object, *object) -> None
    """Seed the robot's random numbers with an integer; ignore other seeds, which would make runs differ."""
    if isinstance(seed, int):
        present_world().random.seed(seed)


def _is_task(thread):  # type: (object) -> bool
    return getattr(thread, "_naosim_done", None) is not None


def _join(thread, timeout):  # type: (Any, float | None) -> None
    clock = present_clock()
    if clock is not None:
        clock.wait(thread._naosim_done, timeout)


class _Stream(object):
    """Standard output or error while scripts run: lines of scripts become events, others go to the original."""

    def __init__(self, original, name):  # type: (TextIO, str) -> None
        self._original = original
        self._name = name
        self._begun = {}  # type: dict[int, str]

    def write(self, text):  # type: (str) -> int
        """Record each complete line of a script's text, and store the rest until its line ends."""
        clock = present_clock()
        if clock is None or clock.host is None:
            return self._original.write(text)
        clock.poll()
        lines = (self._begun.pop(id(clock), "") + compat.native(text)).split("\n")
        for line in lines[:-1]:
            present_world().trace.note("print", text=line, stream=self._name)
        if lines[-1]:
            self._begun[id(clock)] = lines[-1]
        return len(text)

    def writelines(self, lines):  # type: (Iterable[str]) -> None
        for line in lines:
            self.write(line)

    def flush(self):  # type: () -> None
        """Flush the original; inside a robot, do nothing."""
        if present_clock() is None:
            self._original.flush()

    def __getattr__(self, name):  # type: (str) -> object
        return getattr(self._original, name)
