"""Patches of the standard library while scripts run: sleep, time, threads, sockets, random numbers and printing.

Each replacement acts on the robot whose task runs on the calling thread; on any other thread it calls the original, so
the rest of the program notices nothing. Nothing is patched while no script runs.
"""

from __future__ import absolute_import, division, print_function

import random
import sys
import threading
import time

from naosim.compat import PY2, allocate_lock, native, queue_module, thread_module
from naosim.kernel.clock import here
from naosim.scripting import datetime_api, sockets_api, threading_api
from naosim.scripting.old_modules import FINDER

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.clock import Clock

#: The functions of `random` that draw from the robot's own generator.
DRAWS = (
    "random",
    "uniform",
    "triangular",
    "gauss",
    "randint",
    "randrange",
    "choice",
    "choices",
    "shuffle",
    "sample",
    "betavariate",
    "expovariate",
    "normalvariate",
    "getrandbits",
)


class Patches(object):
    """A context that patches while at least one robot runs: made by the first to enter, undone by the last to leave."""

    def __init__(self, modules):  # type: (dict[str, Any]) -> None
        self._modules = modules
        self._lock = allocate_lock()
        self._running = 0
        self._kept = []  # type: list[tuple[Any, str, Any]]
        self._kept_modules = {}  # type: dict[str, Any]
        self._made = None  # type: list[tuple[Any, str, Any]] | None

    def __enter__(self):  # type: () -> Patches
        with self._lock:
            self._running += 1
            if self._running == 1:
                self._replace()
        return self

    def __exit__(self, *_error):  # type: (*Any) -> None
        with self._lock:
            self._running -= 1
            if self._running == 0:
                self._restore()

    def _replace(self):  # type: () -> None
        if self._made is None:
            self._made = _patches()
        streams = [(sys, name, _Stream(getattr(sys, name), name)) for name in ("stdout", "stderr")]
        for owner, name, made in self._made + streams:
            self._kept.append((owner, name, owner.__dict__[name]))
            setattr(owner, name, made)
        if FINDER is not None:
            sys.meta_path.insert(0, FINDER)
        for name, module in self._modules.items():
            self._kept_modules[name] = sys.modules.get(name)
            sys.modules[name] = module

    def _restore(self):  # type: () -> None
        while self._kept:
            owner, name, original = self._kept.pop()
            setattr(owner, name, original)
        if FINDER in sys.meta_path:
            sys.meta_path.remove(FINDER)
        for name, module in self._kept_modules.items():
            if module is not None:
                sys.modules[name] = module
            elif sys.modules.get(name) is self._modules[name]:
                del sys.modules[name]
        self._kept_modules.clear()


def _patches():  # type: () -> list[tuple[Any, str, Any]]
    made = [(time, "sleep", _on_clock(time.sleep, _sleep))]
    made += [
        (time, name, _on_clock(getattr(time, name), _reading(start)))
        for name, start in (("time", datetime_api.EPOCH), ("monotonic", 0.0), ("perf_counter", 0.0), ("clock", 0.0))
        if hasattr(time, name)
    ]
    made += [(random, name, _on_clock(getattr(random, name), _draw(name))) for name in DRAWS if hasattr(random, name)]
    made.append((random, "SystemRandom", _on_clock(random.SystemRandom, lambda clock, *_seed: clock.host.random)))
    made.append((random, "seed", _on_clock(random.seed, _seed)))
    made += [
        (threading, name, _on_clock(getattr(threading, name), _factory(kind)))
        for name, kind in (
            ("Lock", threading_api.TaskLock),
            ("RLock", threading_api.TaskRLock),
            ("Event", threading_api.TaskEvent),
            ("Condition", threading_api.TaskCondition),
        )
    ]
    timer = _on_clock(threading.Timer, lambda clock, *a, **k: threading_api.TimerTask(*a, **k))
    made.append((threading, "Timer", timer))
    made += sockets_api.waits(_on_clock) + datetime_api.calendar(_on_clock)
    return made + _thread_methods() + _thread_functions() + _queue_parts()


def _thread_methods():  # type: () -> list[tuple[Any, str, Any]]
    kind = threading.Thread
    made = [
        (kind, "start", _method(kind.start, lambda thread: here() is not None, threading_api.start_thread)),
        (kind, "join", _method(kind.join, _is_task, lambda thread, timeout=None: _join(thread, timeout))),
    ]
    for name in ("is_alive", "isAlive"):
        if name in kind.__dict__:
            made.append((kind, name, _method(kind.__dict__[name], _is_task, lambda t: not t._naosim_done.is_set)))
    return made


def _thread_functions():  # type: () -> list[tuple[Any, str, Any]]
    names = [name for name in ("start_new_thread", "start_new") if hasattr(thread_module, name)]
    made = [
        (
            thread_module,
            name,
            _on_clock(
                getattr(thread_module, name),
                lambda clock, function, args, kwargs=None: threading_api.start_function(function, args, kwargs),
            ),
        )
        for name in names
    ]
    if PY2:
        # On Python 3 the import system makes its own locks through this name.
        made += [
            (thread_module, name, _on_clock(getattr(thread_module, name), _factory(threading_api.TaskLock)))
            for name in ("allocate_lock", "allocate")
        ]
    return made


def _queue_parts():  # type: () -> list[tuple[Any, str, Any]]
    """Patch the clocks that `queue` and `threading` keep under names of their own, and Python 3's SimpleQueue.

    The latter has a lock in C that no patch reaches, so its version in Python takes its place.
    """
    made = [
        (module, name, _on_clock(module.__dict__[name], _reading(0.0)))
        for module in (queue_module, threading)
        for name in ("time", "_time")
        if callable(module.__dict__.get(name))
    ]
    plain = getattr(queue_module, "_PySimpleQueue", None)
    if plain is not None:
        made.append((queue_module, "SimpleQueue", _on_clock(queue_module.SimpleQueue, lambda clock: plain())))
    return made


def _on_clock(original, virtual):  # type: (Any, Callable[..., Any]) -> Any
    """Make a function that calls the original outside of robots and `virtual(clock, ...)` inside."""

    def replacement(*args, **kwargs):  # type: (*Any, **Any) -> Any
        clock = here()
        if clock is None or clock.host is None:
            return original(*args, **kwargs)
        return virtual(clock, *args, **kwargs)

    replacement.__name__ = native(getattr(original, "__name__", "replacement"))
    return replacement


def _method(original, is_ours, virtual):  # type: (Any, Callable[[Any], object], Callable[..., Any]) -> Any
    def method(self, *args, **kwargs):  # type: (Any, *Any, **Any) -> Any
        return virtual(self, *args, **kwargs) if is_ours(self) else original(self, *args, **kwargs)

    return method


def _sleep(clock, seconds):  # type: (Clock, float) -> None
    clock.sleep(seconds)


def _reading(start):  # type: (float) -> Callable[[Clock], float]
    def read(clock):  # type: (Clock) -> float
        clock.poll()
        return start + clock.now()

    return read


def _draw(name):  # type: (str) -> Callable[..., Any]
    return lambda clock, *args, **kwargs: getattr(clock.host.random, name)(*args, **kwargs)


def _seed(clock, seed=None, *_version):  # type: (Clock, Any, *Any) -> None
    """Seed the robot's random numbers with an integer; any other seed would make runs differ and is ignored."""
    if isinstance(seed, int):
        clock.host.random.seed(seed)


def _factory(kind):  # type: (Any) -> Callable[..., Any]
    def make(clock, *args):  # type: (Clock, *Any) -> Any
        return kind(clock, *args)

    return make


def _is_task(thread):  # type: (Any) -> bool
    return getattr(thread, "_naosim_done", None) is not None


def _join(thread, timeout):  # type: (Any, float | None) -> None
    clock = here()
    if clock is not None:
        clock.wait(thread._naosim_done, timeout)


class _Stream(object):
    """Standard output or error while scripts run: their lines become events, other output goes to the original."""

    def __init__(self, original, name):  # type: (Any, str) -> None
        self._original = original
        self._name = name
        self._begun = {}  # type: dict[int, str]

    def write(self, text):  # type: (Any) -> int
        """Record each complete line of a script's text; the rest waits for the end of its line."""
        clock = here()
        if clock is None or clock.host is None:
            return self._original.write(text)  # type: ignore[no-any-return]
        clock.poll()
        lines = (self._begun.pop(id(clock), "") + native(text)).split("\n")
        for line in lines[:-1]:
            clock.host.trace.note("print", text=line, stream=self._name)
        if lines[-1]:
            self._begun[id(clock)] = lines[-1]
        return len(text)

    def writelines(self, lines):  # type: (Any) -> None
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self):  # type: () -> None
        """Flush the original; inside a robot do nothing."""
        if here() is None:
            self._original.flush()

    def __getattr__(self, name):  # type: (str) -> Any
        return getattr(self._original, name)
