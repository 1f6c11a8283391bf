"""The threads of a Python in a web browser (Pyodide), which has none: each thread is its own stack.

The names are those of `_thread`. A thread that waits is suspended until a promise is resolved (WebAssembly's JavaScript
Promise Integration, JSPI). Other threads run meanwhile. `naosim.compat` imports this module on Emscripten.
"""

from __future__ import absolute_import, division, print_function

import asyncio
import gc
import itertools
import sys
from collections import deque

import js  # type: ignore[import-not-found]
from pyodide.ffi import can_run_sync, run_sync  # type: ignore[import-not-found]

MYPY = False
if MYPY:
    from typing import Any, Callable

_MAX_TIMER_MS = 2**31 - 1  # milliseconds of the longest timer of a browser
_GARBAGE_COUNT = 50000  # new containers after which a thread that is about to wait collects garbage
_JUMPS_PER_CALL = 500  # jumps of scripts after which `watch_loops` calls back

# Python's automatic collection follows the frames of suspended threads. Their C stack can be overwritten by then, which
# crashes Python (pyodide/pyodide#6464). Full collections do not follow them, so `_collect` makes those.
gc.disable()

_idents = itertools.count(2)
_running = [1]


def get_ident():  # type: () -> int
    """Return the number of the running thread."""
    return _running[0]


def start_new_thread(function, args):  # type: (Callable[..., object], tuple[object, ...]) -> int
    """Call the function on a new thread as soon as the others wait; return the number of the thread."""
    ident = next(_idents)

    def begin():  # type: () -> None
        _running[0] = ident
        function(*args)

    asyncio.get_event_loop().call_soon(begin)
    return ident


def real_sleep(seconds):  # type: (float) -> None
    """Suspend the thread for `seconds` real seconds."""
    timer = js.Promise.withResolvers()
    js.setTimeout(timer.resolve, min(seconds * 1000, _MAX_TIMER_MS))
    _wait_for(timer.promise)


def wait_for(promise):  # type: (object) -> None
    """Suspend the thread until a promise is resolved; a call from JavaScript cannot be suspended and does not wait."""
    if can_run_sync():
        _wait_for(promise)


def _wait_for(promise):  # type: (object) -> None
    collect_garbage()
    ident = _running[0]
    try:
        run_sync(promise)
    finally:
        _running[0] = ident


def collect_garbage():  # type: () -> None
    """Collect garbage if there can be much, instead of Python's automatic collection."""
    if gc.get_count()[0] > _GARBAGE_COUNT:
        gc.collect()


class StackLock(object):
    """A lock between threads; a release hands it to the thread that has waited longest."""

    def __init__(self):  # type: () -> None
        self._is_held = False
        self._waiting = deque()  # type: deque[Any]

    def acquire(self, blocking=True, timeout=-1):  # type: (bool, float) -> bool
        """Wait for the lock, at most `timeout` real seconds if that is not negative; return whether it was acquired."""
        if not self._is_held:
            self._is_held = True
            return True
        if not blocking or timeout == 0:
            return False
        waiter = js.Promise.withResolvers()
        self._waiting.append(waiter)
        timer = None if timeout < 0 else js.setTimeout(waiter.resolve, min(timeout * 1000, _MAX_TIMER_MS))
        _wait_for(waiter.promise)
        if timer is not None:
            js.clearTimeout(timer)
        # A release takes the waiter from the queue, even if the timer resolves the promise before this thread runs.
        if waiter in self._waiting:
            self._waiting.remove(waiter)
            return False
        return True

    def release(self):  # type: () -> None
        """Hand the lock to the next thread; raises RuntimeError if nobody holds it."""
        if not self._is_held:
            raise RuntimeError("release unlocked lock")
        if self._waiting:
            self._waiting.popleft().resolve()
        else:
            self._is_held = False

    def locked(self):  # type: () -> bool
        """Return whether a thread holds the lock."""
        return self._is_held

    def __enter__(self):  # type: () -> bool
        return self.acquire()

    def __exit__(self, *_error):  # type: (*object) -> None
        self.release()


allocate_lock = StackLock


def watch_loops(call, library):  # type: (Callable[[], object], str) -> None
    """Call `call` after some jumps of loops outside the folder `library`; an error that it raises ends the loop.

    The only thread that can run is the one with the loop, so no other thread can end it.
    """
    monitoring = sys.monitoring  # type: ignore[attr-defined]
    left = [_JUMPS_PER_CALL]

    def jump(code, _from, _to):  # type: (Any, int, int) -> object
        if code.co_filename.startswith(library):
            return monitoring.DISABLE
        left[0] -= 1
        if left[0] <= 0:
            left[0] = _JUMPS_PER_CALL
            call()
        return None

    monitoring.use_tool_id(monitoring.DEBUGGER_ID, "naosim")
    monitoring.register_callback(monitoring.DEBUGGER_ID, monitoring.events.JUMP, jump)
    monitoring.set_events(monitoring.DEBUGGER_ID, monitoring.events.JUMP)
