"""A preemptive clock for scripts with endless loops: a task is interrupted every so many lines, as robot threads are.

Every box handler, callback and thread of a script is a task already; a task that never sleeps keeps its turn, though.
On this clock it yields after some lines of its script, and a run may have an end in real time.
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

#: Lines of scripts that a task may run at once, and the virtual seconds that pass for the first slice of a task; each
#: further one takes longer by as much, up to the last number: long loops shall be cheap, and short ones hardly count.
SLICE, SECONDS, MOST_SECONDS = 250, 0.001, 0.1


class PreemptiveClock(Clock):
    """Counts the lines that scripts run: the same lines, the same slices, every time.

    `share` lets others go on while a task runs without end; `max_time` ends a run after so many real seconds, with
    Overrun. Code that a script calls outside of its own package is not cut.
    """

    def __init__(self, real_time=False, speed=1.0, share=True, max_time=None):
        # type: (bool, float, bool, float | None) -> None
        Clock.__init__(self, real_time, speed)
        self._share = share
        self._max_time = max_time
        self._deadline = None if max_time is None else real_monotonic() + max_time
        self._lines = {}  # type: dict[Worker, int]
        self._slices = {}  # type: dict[Worker, tuple[ScheduledCall | None, int]]

    def _work(self, worker):
        # type: (Worker) -> None
        """Watches the lines of everything that this thread will run."""
        lines = self._lines
        lines[worker] = 0
        # At the interpreter's end 2.7 empties modules under running threads.
        trace, work, most = sys.settrace, Clock._work, SLICE

        def line(_frame, event, _argument):
            # type: (Any, str, Any) -> Any
            if event == "line":
                lines[worker] += 1
                if lines[worker] >= most:
                    self._cut(worker)
            return line

        def call(frame, _event, _argument):
            # type: (Any, str, Any) -> Any
            # A module that is being imported holds locks that others may need.
            is_script = "GeneratedClass" in frame.f_globals and frame.f_code.co_name != "<module>"
            return line if is_script else None
        trace(call)
        try:
            work(self, worker)
        finally:
            trace(None)
            del lines[worker]

    def _cut(self, worker):
        # type: (Worker) -> None
        self._lines[worker] = 0
        if self._is_late():
            raise TaskEnded("the time is up")
        if self._share:
            task, slices = self._slices.get(worker, (None, 0))
            slices = slices + 1 if task is worker.task else 1
            self._slices[worker] = worker.task, slices
            self.sleep(min(slices * SECONDS, MOST_SECONDS))

    def _is_late(self):
        # type: () -> bool
        """Whether the run's real time is up, which then is what ends it."""
        if self._deadline is None or real_monotonic() < self._deadline:
            return False
        if self._failure is None:
            self._failure = Overrun("the run has taken more than %g seconds of real time (--max-time)" % (
                self._max_time or 0))
        return True

    def _may_jump(self, due):
        # type: (float) -> bool
        return not self._is_late() and Clock._may_jump(self, due)

    def _next(self):
        # type: () -> ScheduledCall | None
        self._is_late()
        return Clock._next(self)
