"""A preemptive clock for scripts with endless loops: a task is interrupted every so many lines, as robot threads are.

Every box handler, callback and thread of a script is a task. On a plain clock a task that never sleeps keeps all others
from running; on this one it yields after some lines of its script, and a run may be limited in real time.
"""

from __future__ import absolute_import, division, print_function

import sys

from naosim.compat import real_monotonic
from naosim.errors import Overrun
from naosim.kernel.clock import Clock
from naosim.kernel.tasks import TaskEnded

MYPY = False
if MYPY:
    from typing import Any

    from naosim.kernel.tasks import ScheduledCall, Worker

#: A slice: the lines of scripts that a task runs before it yields. The first slice of a task takes SECONDS of virtual
#: time and each further one SECONDS more than the one before, up to MOST_SECONDS: a short loop hardly shifts the time,
#: and an endless one soon reaches the end of the run.
SLICE, SECONDS, MOST_SECONDS = 250, 0.001, 0.1


class PreemptiveClock(Clock):
    """A clock that counts the lines of scripts, so that every run is cut into the same slices.

    `share` lets other tasks go on while one runs without end; `max_time` ends a run after so many real seconds, with
    Overrun. Code that a script calls in other modules is neither counted nor interrupted.
    """

    def __init__(self, real_time=False, speed=1.0, share=True, max_time=None):
        # type: (bool, float, bool, float | None) -> None
        Clock.__init__(self, real_time, speed)
        self._share = share
        self._max_time = max_time
        self._deadline = None if max_time is None else real_monotonic() + max_time
        self._lines = {}  # type: dict[Worker, int]
        self._slices = {}  # type: dict[Worker, tuple[ScheduledCall | None, int]]

    def _work(self, worker):  # type: (Worker) -> None
        """Run the worker's tasks with a trace function that counts the lines of scripts on this thread."""
        lines = self._lines
        lines[worker] = 0
        # Local names: when the interpreter ends, 2.7 clears module globals while this thread may still run.
        trace, work, most = sys.settrace, Clock._work, SLICE

        def line(_frame, event, _argument):  # type: (Any, str, Any) -> Any
            if event == "line":
                lines[worker] += 1
                if lines[worker] >= most:
                    self._cut(worker)
            return line

        def call(frame, _event, _argument):  # type: (Any, str, Any) -> Any
            # A module that is being imported holds locks that others may need.
            is_script = "GeneratedClass" in frame.f_globals and frame.f_code.co_name != "<module>"
            return line if is_script else None

        trace(call)
        try:
            work(self, worker)
        finally:
            trace(None)
            del lines[worker]

    def _cut(self, worker):  # type: (Worker) -> None
        self._lines[worker] = 0
        if self._is_late():
            raise TaskEnded("the time is up")
        if self._share:
            task, slices = self._slices.get(worker, (None, 0))
            slices = slices + 1 if task is worker.task else 1
            self._slices[worker] = worker.task, slices
            self.sleep(min(slices * SECONDS, MOST_SECONDS))

    def _is_late(self):  # type: () -> bool
        """Tell whether the run's real time is up; if so, the run fails with Overrun unless it has failed already."""
        if self._deadline is None or real_monotonic() < self._deadline:
            return False
        if self._failure is None:
            self._failure = Overrun(
                "the run has taken more than %g seconds of real time (--max-time)" % (self._max_time or 0)
            )
        return True

    def _may_jump(self, due):  # type: (float) -> bool
        return not self._is_late() and Clock._may_jump(self, due)

    def _next(self):  # type: () -> ScheduledCall | None
        self._is_late()
        return Clock._next(self)
