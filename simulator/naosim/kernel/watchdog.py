"""The watchdog of a clock: ends a task that never gives up its turn, such as a loop without sleep."""

from __future__ import absolute_import, division, print_function

import sys

from naosim.compat import PY2, native
from naosim.errors import Overrun
from naosim.kernel.tasks import TaskEnded

MYPY = False
if MYPY:
    from typing import Any

    from naosim.kernel.scheduler import Scheduler

#: Real seconds: how long a task may keep all others from running, and how long to wait for its end once it is raised.
LONGEST_TURN, LONGEST_END = 15.0, 1.0
#: How often TaskEnded is raised in a task that catches it.
TRIES = 5


def await_end(clock):  # type: (Scheduler) -> bool
    """Wait for the end of a run, ending a task that keeps all others from running; return False if that fails."""
    seen = clock.progress()
    while not clock.driver_returns(LONGEST_TURN):
        reached = clock.progress()
        if reached == seen:
            return _end(clock)
        seen = reached
    return True


def _end(clock):  # type: (Scheduler) -> bool
    """Raise TaskEnded inside the busy task, several times if it catches that; return whether the run has ended."""
    import ctypes  # Only now: few runs need it, and a small Python may lack it.

    for _ in range(TRIES):
        for ident, _worker in clock.busy():
            clock.fail(
                Overrun(
                    "%s has kept the robot busy for more than %g seconds: look for a loop without sleep"
                    % (_place(ident), LONGEST_TURN)
                )
            )
            number = ctypes.c_long(ident) if PY2 else ctypes.c_ulong(ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(TaskEnded))
        if clock.driver_returns(LONGEST_END):
            return True
    return False


def _place(ident):  # type: (int) -> str
    """Name the box and the line of its script that a thread runs; only scripts know a name GeneratedClass."""
    frame = sys._current_frames().get(ident)  # type: Any
    while frame is not None and "GeneratedClass" not in frame.f_globals:
        frame = frame.f_back
    if frame is None:
        return "a task"
    return "box %s (line %d of the script)" % (native(frame.f_code.co_filename), frame.f_lineno)
