"""Periodic tasks of the `qi` module, on the robot's clock."""

from __future__ import absolute_import, division, print_function

from naosim.kernel.clock import WAITING
from naosim.world.callbacks import guarded, present_world

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.clock import ScheduledCall


class PeriodicTask(object):
    """The `qi.PeriodicTask`: a callback called at a fixed period until it is stopped."""

    def __init__(self):  # type: () -> None
        self._world = present_world()
        self._callback = None  # type: Callable[[], Any] | None
        self._period = 0.0
        self._next = None  # type: ScheduledCall | None
        self._runs = False

    def setCallback(self, callback):  # type: (Callable[[], Any]) -> None
        """Set the callback."""
        self._callback = callback

    def setUsPeriod(self, period):  # type: (int) -> None
        """Set the time between two calls, in microseconds; raises RuntimeError below one."""
        if period < 1:
            raise RuntimeError("Period cannot be %r, it needs at least one microsecond" % (period,))
        self._period = period / 1e6

    def setName(self, name):  # type: (str) -> None
        """Accept and ignore a name, which is for the robot's log."""

    def compensateCallbackTime(self, wanted):  # type: (bool) -> None
        """Accept and ignore: callbacks take no virtual time unless they block."""

    def start(self, immediate):  # type: (bool) -> None
        """Start, with a first call at once or after one period; raises RuntimeError without callback or period."""
        if self._callback is None or not self._period:
            raise RuntimeError("Periodic task cannot start without a setCallback() call and a setUsPeriod() call first")
        if not self._runs:
            self._runs = True
            self._next = self._world.clock.later_for(self._callback, 0 if immediate else self._period, self._call)

    def stop(self):  # type: () -> None
        """Stop the calls."""
        self._runs = False
        if self._next is not None and self._next.state is WAITING:
            self._next.cancel()

    asyncStop = stop

    def isRunning(self):  # type: () -> bool
        """Tell whether the task was started and not stopped since."""
        return self._runs

    isStopping = property(lambda self: lambda: False)

    def _call(self):  # type: () -> None
        guarded(self._world, self._callback)
        if self._runs:
            self._next = self._world.clock.later_for(self._callback, self._period, self._call)
