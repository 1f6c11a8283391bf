"""The timetable of a clock: the time, the calls that are ready or due later, and which of them comes next.

The base of `Scheduler`, which runs what is chosen here.
"""

from __future__ import absolute_import, division, print_function

import heapq
from collections import deque

from naosim.compat import real_monotonic, real_sleep
from naosim.errors import Overrun
from naosim.kernel.tasks import WAITING, ScheduledCall

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.tasks import Wake

#: Why a run ended.
UNTIL, TIME_PASSED, NOTHING_LEFT = "until", "time passed", "nothing left"

#: Calls that may run at one instant before the run fails, and by how many each call from outside raises that limit.
BUSIEST_INSTANT, CALLS_EACH = 100000, 20
#: Real seconds between two signs of progress while a run only waits for calls from outside.
HEARTBEAT = 1.0
FOREVER = float("inf")
#: Seconds by which a step goes beyond what is due, as sums of floats may fall short of it.
INSTANT = 1e-6


class Timetable(object):
    """The time, the calls that are ready and those that are due later, and how a run of them ends."""

    def __init__(self, real_time=False, speed=1.0):  # type: (bool, float) -> None
        self.real_time = real_time
        self.speed = speed
        self.host = None  # type: Any
        self._start, self._since = real_monotonic(), 0.0
        self._now = 0.0
        self._pushed = 0
        self._ready = deque()  # type: deque[ScheduledCall]
        self._later = []  # type: list[tuple[float, int, ScheduledCall]]
        self._until = None  # type: Callable[[], object] | None
        self._limit = FOREVER
        self._reason = NOTHING_LEFT
        self._failure = None  # type: BaseException | None
        self._steps = 0
        self._polls = 0
        self._beats = 0
        self._running = False
        self._closed = False
        self._wakeup = None  # type: Any
        self._inbox = deque()  # type: deque[ScheduledCall]
        self.expected = 0
        self.is_open = False

    def now(self):  # type: () -> float
        """Return the seconds since the clock was made."""
        if self.real_time:
            self._now = max(self._now, self._since + (real_monotonic() - self._start) * self.speed)
        return self._now

    def pace(self, speed):  # type: (float) -> None
        """Let real time pass at another speed from now on; at 0 it stands still, and calls from outside still run."""
        self._since, self._start = self.now(), real_monotonic()
        self.speed = speed

    def step(self, longest):  # type: (float) -> None
        """Let real time jump to what is due next, by so many seconds at most."""
        self._since += min(max(self._earliest() - self.now(), 0.0) + INSTANT, longest)

    def calm(self):  # type: () -> bool
        """Tell whether no task is ready at the present instant."""
        ready = self._ready
        while ready and ready[0].state is not WAITING:
            ready.popleft()
        return not ready

    def progress(self):  # type: () -> tuple[float, int, int, int]
        """Return a value that changes whenever a task runs, time passes or a task calls the robot."""
        return self._now, self._steps, self._polls, self._beats

    def make_ready(self, scheduled):  # type: (ScheduledCall) -> None
        """Queue a call or a wake for the present instant, behind everything that is ready already."""
        self._ready.append(scheduled)

    def fail(self, error):  # type: (BaseException) -> None
        """End the run with this error, unless it ends with an earlier one already."""
        self._failure = self._failure or error

    def _push(self, scheduled):  # type: (ScheduledCall) -> None
        self._pushed += 1
        heapq.heappush(self._later, (scheduled.due, self._pushed, scheduled))

    def _wake_at(self, wake):  # type: (Wake) -> None
        if wake.due > self._now:
            self._push(wake)
        else:
            self._ready.append(wake)

    def _earliest(self):  # type: () -> float
        later = self._later
        while later and later[0][2].state is not WAITING:
            heapq.heappop(later)
        return later[0][0] if later else FOREVER

    def _may_jump(self, due):  # type: (float) -> bool
        """Let the time pass to `due` without switching tasks; return False if something else has to run first.

        It also stays as it is when the run may end by then, or calls from outside may come.
        """
        if self._closed or not self.calm() or self._earliest() <= due or due > self._limit or self._expects_calls():
            return False
        if due <= self._now:
            return self._count()
        if self._until is not None and self._holds():
            return False
        self._pass(due)
        return not self._closed

    def _holds(self):  # type: () -> bool
        """Tell whether the run's `until` holds; an error it raises ends the run."""
        try:
            return self._until is not None and bool(self._until())
        except BaseException as error:
            self._failure = error
            return True

    def _count(self):  # type: () -> bool
        """Count a step at the present instant; return False when the run has failed, for instance by too many."""
        self._steps += 1
        if self._steps > BUSIEST_INSTANT and self._failure is None:
            self._failure = Overrun(
                "more than %d things happened at second %.3f without time passing: "
                "look for a loop of links or a loop without sleep" % (BUSIEST_INSTANT, self._now)
            )
        return self._failure is None

    def _pass(self, due):  # type: (float) -> None
        """Let the time pass up to `due`."""
        self._steps = self._polls = 0
        if not self.real_time:
            self._now = due
            return
        while not self._closed and self.now() < due:
            real_sleep(min((due - self._now) / self.speed, 0.05))

    def _expects_calls(self):  # type: () -> bool
        """Tell whether calls may come from outside."""
        return self.is_open or self.expected > 0

    def _take_in(self):  # type: () -> None
        """Make ready the calls that other threads have scheduled."""
        while self._inbox:
            # Each call raises the limit of the instant by a few further ones: an endless loop is still noticed.
            self._steps -= CALLS_EACH
            self._ready.append(self._inbox.popleft())

    def _called_before(self, due):  # type: (float) -> bool
        """Wait for calls from outside; return False when it is time for what is due.

        Real time passes up to `due` or the end of the run; virtual time stands still while calls are expected.
        """
        while not self._closed and not self._inbox:
            seconds = HEARTBEAT
            if self.real_time:
                left = min(due, self._limit) - self.now()
                if left <= 0:
                    return False
                seconds = min(left / self.speed, HEARTBEAT) if self.speed else HEARTBEAT
            elif not self.expected:
                return False
            self._beats += 1
            self._steps = self._polls = 0
            if not self._wakeup.wait(seconds) and self._until is not None and self._holds():
                break
        return True

    def _next(self):  # type: () -> ScheduledCall | None
        """Choose the next thing to run, letting time pass up to it; None when the run is over."""
        ready = self._ready
        while self._failure is None and not self._closed:
            self._take_in()
            while ready:
                scheduled = ready.popleft()
                if scheduled.state is WAITING:
                    if not self._count():
                        return None
                    return scheduled
            if self._until is not None and self._holds():
                self._reason = UNTIL
                return None
            due = self._earliest()
            if self._expects_calls() and self._called_before(due):
                continue
            if due > self._limit or due == FOREVER:
                self._run_out(due)
                return None
            self._pass(due)
            while self._later and self._later[0][0] <= self._now:
                ready.append(heapq.heappop(self._later)[2])
        return None

    def _run_out(self, due):  # type: (float) -> None
        """Set why the run ends: its time has passed, which it then does, or nothing is left."""
        if self._limit == FOREVER or (due == FOREVER and self._until is not None and not self._expects_calls()):
            self._reason = NOTHING_LEFT
        else:
            self._pass(max(self._limit, self._now))
            self._reason = TIME_PASSED
