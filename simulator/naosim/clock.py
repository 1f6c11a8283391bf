"""The clock of a robot, in virtual or real time; it runs one task at any moment, in a fixed order.

Tasks run on worker threads, but never two at the same time. A task that waits while no other is due earlier moves
the time forward and continues; another thread runs only if its call is due first. The thread that calls `run`
(the driver) never executes a task, so `run` can return while tasks are blocked.

A service lets an action such as speech take time with `clock.wait(event, seconds)`: it returns False when the time has
passed, and True if the event was set because the action was interrupted. `clock.call_soon(...)` delivers an event.
"""

from __future__ import absolute_import, division, print_function

import heapq
from collections import deque

from naosim.compat import get_ident, real_monotonic, real_sleep, start_new_thread, watch_loops
from naosim.errors import Overrun, WrongUse
from naosim.scheduler import (
    DONE,
    RUNNING,
    WAITING,
    WORKERS,
    ScheduledCall,
    SimEvent,
    TaskEnded,
    Wake,
    Workers,
    make_wakeup,
)

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.scheduler import Worker

_MAX_POLLS = 1000  # calls of one task to the robot that take no time
_POLL_S = 0.01  # seconds that each further call takes, so that a loop without sleep lets time pass
# The reasons for which a run ends.
UNTIL = "until"
TIME_PASSED = "time passed"
NOTHING_LEFT = "nothing left"

_MAX_CALLS_AT_ONE_INSTANT = 100000  # calls that can run without time passing; more mean an endless loop
#: Each call from outside raises that limit by this number, so that many of them are not taken for an endless loop.
_CALLS_PER_OUTSIDE_CALL = 20
#: Real seconds between two signs of life while a run only waits for calls from outside; the watchdog waits longer.
_HEARTBEAT_S = 1.0
_FOREVER_S = float("inf")
_STEP_MARGIN_S = 1e-6  # seconds by which a step goes beyond the next call, because a sum of floats can fall short of it


class Clock(object):
    """The time of one robot and its scheduled calls, which run by due time, then in the order of scheduling.

    A run of more than `max_time` real seconds ends with Overrun. `make_trace` makes the trace functions of its threads.

    >>> clock = Clock()
    >>> heard = []
    >>> _ = clock.call_later(2, heard.append, 2)
    >>> _ = clock.call_later(1, heard.append, 1)
    >>> print(clock.run(), heard, clock.now())
    nothing left [1, 2] 2.0
    >>> clock.close()
    """

    def __init__(self, real_time=False, speed=1.0, max_time=None, make_trace=None):
        # type: (bool, float, float | None, Callable[[Worker], object] | None) -> None
        self.real_time = real_time
        self.speed = speed
        self.host = None  # type: object
        #: Gets an error that ends the call of an owner, so that it does not end the run.
        self.on_error = None  # type: Callable[[ScheduledCall, BaseException], None] | None
        self.is_closed = False
        self._max_time = max_time
        self._deadline = None if max_time is None else real_monotonic() + max_time
        self._start, self._since = real_monotonic(), 0.0
        self._now = 0.0
        self._pushed = 0
        self._ready = deque()  # type: deque[ScheduledCall]
        self._later = []  # type: list[tuple[float, int, ScheduledCall]]
        self._until = None  # type: Callable[[], object] | None
        self._limit = _FOREVER_S
        self._reason = NOTHING_LEFT
        self._failure = None  # type: BaseException | None
        self._steps = 0
        self._polls = 0
        self._beats = 0
        #: Whether a run is in progress, or did not finish because its driver was interrupted.
        self.is_running = False
        self._wakeup = None  # type: Any
        self._inbox = deque()  # type: deque[ScheduledCall]
        self.expected = 0
        self.is_open = False
        self._workers = Workers(self, make_trace)

    def now(self):  # type: () -> float
        """Return the time in seconds since the clock was made."""
        if self.real_time:
            self._now = max(self._now, self._since + (real_monotonic() - self._start) * self.speed)
        return self._now

    def pace(self, speed):  # type: (float) -> None
        """Change the speed of real time; at 0 it is paused, but calls from outside still run."""
        self._since, self._start = self.now(), real_monotonic()
        self.speed = speed

    def step(self, longest):  # type: (float) -> None
        """Let real time jump to the next scheduled call, by at most `longest` seconds."""
        self._since += min(max(self._earliest() - self.now(), 0.0) + _STEP_MARGIN_S, longest)

    def calm(self):  # type: () -> bool
        """Return whether no call is ready now."""
        ready = self._ready
        while ready and ready[0].state is not WAITING:
            ready.popleft()
        return not ready

    def progress(self):  # type: () -> tuple[float, int, int, int]
        """Return a value that changes whenever a task runs, time passes or a task calls the robot."""
        return self._now, self._steps, self._polls, self._beats

    def make_ready(self, scheduled):  # type: (ScheduledCall) -> None
        """Let a call run now, after all calls that are ready."""
        self._ready.append(scheduled)

    def fail(self, error):  # type: (BaseException) -> None
        """End the run with this error, unless it already fails with an earlier one."""
        self._failure = self._failure or error

    def call_soon(self, call, *args):  # type: (Callable[..., object], *object) -> ScheduledCall
        """Schedule a call of the robot itself for now, after all calls that are ready."""
        return self.call_soon_for(None, call, *args)

    def call_soon_for(self, owner, call, *args):  # type: (object, Callable[..., object], *object) -> ScheduledCall
        """Schedule a call for now, with an owner (see `ScheduledCall`)."""
        scheduled = ScheduledCall(self._now, call, args, owner)
        self._ready.append(scheduled)
        return scheduled

    def call_later(self, delay, call, *args):  # type: (float, Callable[..., object], *object) -> ScheduledCall
        """Schedule a call of the robot itself in `delay` seconds."""
        return self.call_later_for(None, delay, call, *args)

    def call_later_for(self, owner, delay, call, *args):
        # type: (object, float, Callable[..., object], *object) -> ScheduledCall
        """Schedule a call in `delay` seconds, with an owner (see `ScheduledCall`)."""
        now = self.now()
        due = now + delay
        if not due > now:
            return self.call_soon_for(owner, call, *args)
        scheduled = ScheduledCall(due, call, args, owner)
        self._push(scheduled)
        return scheduled

    def open(self, wakeup=None):  # type: (object) -> None
        """Accept calls from other threads: a run then waits for them until its `until` is true or its time is up.

        `wakeup` is a signal with its own source (see `PipeWakeup`). Raises WrongUse on a clock of virtual time,
        because it would jump ahead of the callers.
        """
        if not self.real_time:
            raise WrongUse("a clock of virtual time cannot take calls from outside; make a clock of real time")
        self._wakeup = wakeup or self._wakeup
        self._prepare_wakeup()
        self.is_open = True

    def expect(self, change=1):  # type: (int) -> None
        """Count the results that tasks expect from other threads: +1 for a new one, -1 for one that has arrived.

        While the count is above zero, virtual time is paused, and a run does not end for lack of calls.
        """
        self._prepare_wakeup()
        self.expected += change

    def call_soon_threadsafe(self, call, *args):  # type: (Callable[..., object], *object) -> None
        """Schedule a call from any thread, to run as a task as soon as possible; wake a run that waits."""
        self._inbox.append(ScheduledCall(0.0, call, args))
        if self._wakeup is not None:
            self._wakeup.send()

    def sleep(self, seconds):  # type: (float) -> None
        """Block the calling task for `seconds` seconds; outside a task, run the clock for that time."""
        worker = self._find_worker()
        if worker is None:
            self.run(seconds=max(seconds, 0))
            return
        due = self.now() + max(seconds, 0)
        if self._may_jump(due):
            return
        wake = Wake(due, worker)
        self._wake_at(wake)
        self._workers.block(worker, wake)

    def poll(self):  # type: () -> None
        """Count a task's call to the robot; after many calls without time passing, let a little time pass."""
        self._polls += 1
        if self._polls > _MAX_POLLS:
            self.sleep(_POLL_S)
            self._polls = _MAX_POLLS

    def wait(self, event, timeout=None):  # type: (SimEvent, float | None) -> bool
        """Block the calling task until the event is set (True) or `timeout` seconds have passed (False)."""
        if event.is_set:
            return True
        worker = self._find_worker()
        if worker is None:
            return self._drive_until(event, timeout)
        due = _FOREVER_S if timeout is None else self.now() + max(timeout, 0)
        if timeout is not None and self._may_jump(due):
            return False
        wake = Wake(due, worker)
        if timeout is not None:
            self._wake_at(wake)
        event.add(wake)
        try:
            self._workers.block(worker, wake)
        finally:
            event.discard(wake)
        return wake.opened

    def inline(self, scheduled):  # type: (ScheduledCall) -> bool
        """Run a scheduled call on the calling task if it is the next one; return whether it ran.

        This saves a switch of threads if the task would only wait for the call.
        """
        if not self.calm() and self._ready[0] is scheduled and self._find_worker() is not None:
            self._ready.popleft()
            scheduled.state = RUNNING
            scheduled.call(*scheduled.args)
            scheduled.state = DONE
            return True
        return False

    def run(self, until=None, seconds=None, up_to=None):
        # type: (Callable[[], object] | None, float | None, float | None) -> str
        """Run scheduled calls until `until()` is true, the time is up or no call is left; return the reason.

        `until` is checked whenever no call is ready. The time is up after `seconds` seconds, or when the clock shows
        `up_to`. If no call is left, a run without `until` lets the rest of its time pass; one with `until` does not.
        """
        if self.is_closed:
            raise WrongUse("this clock is closed; make a new robot")
        if self.is_running:
            raise WrongUse("the clock runs already; a task cannot run it again")
        if until is not None and self.calm() and until():
            return UNTIL
        self._until = until
        self._limit = up_to if up_to is not None else _FOREVER_S if seconds is None else self.now() + seconds
        self.is_running = True
        self._workers.start()
        # If the driver is interrupted or a task never ends, `is_running` stays True for `close`.
        self.is_running = not self._workers.await_end()
        self._until, self._limit = None, _FOREVER_S
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return self._reason

    def pending(self):  # type: () -> list[ScheduledCall]
        """List the calls that wait, the earliest first, then the blocked tasks."""
        left = list(self._ready) + [call for _, _, call in sorted(self._later, key=lambda entry: entry[:2])]
        left = [call for call in left if call.state is WAITING and call.sleeper is None]
        return left + self._workers.list_blocked_tasks()

    def next_due(self):  # type: () -> float | None
        """Return the time of the next scheduled call, routine left out, else when the next task wakes, else None."""
        calls = [call for _, _, call in self._later if call.state is WAITING and not call.is_routine]
        if not calls:
            return None
        return min([call.due for call in calls if call.sleeper is None] or [call.due for call in calls])

    def does_routine(self):  # type: () -> bool
        """Return whether calls wait, all of them routine (see `ScheduledCall`)."""
        return {call.is_routine for _, _, call in self._later if call.state is WAITING} == {True}

    def close(self):  # type: () -> None
        """Drop all scheduled calls and end the blocked tasks by raising TaskEnded inside them."""
        if self.is_closed:
            return
        if get_ident() in WORKERS:
            raise WrongUse("a task cannot close the clock it runs on")
        self.is_closed = True
        if self._wakeup is not None:
            self._wakeup.send()
        if not self._workers.end(self.is_running):
            return  # The thread of a task that cannot be ended lives until the process ends.
        self._ready.clear()
        del self._later[:]
        if self._wakeup is not None:
            self._wakeup.close()

    def check_turn(self):  # type: () -> None
        """End the calling task by raising TaskEnded if the time is up, or if it has kept all others from running."""
        self.check_deadline()
        self._workers.check_turn()

    def check_deadline(self):  # type: () -> None
        """End the calling task by raising TaskEnded if the real time of the run is up."""
        if self._is_late():
            raise TaskEnded("the time is up")

    def next_call(self):  # type: () -> ScheduledCall | None
        """Return the next call to run, after letting time pass up to it; None when the run is over."""
        self._is_late()
        ready = self._ready
        while self._failure is None and not self.is_closed:
            self._take_in()
            while ready:
                scheduled = ready.popleft()
                if scheduled.state is WAITING:
                    if scheduled.sleeper is None:
                        self._polls = 0
                    return scheduled if self._count() else None
            if self._until is not None and self._holds():
                self._reason = UNTIL
                return None
            due = self._earliest()
            if self._expects_calls() and self._wait_for_calls(due):
                continue
            if due > self._limit or due == _FOREVER_S:
                self._run_out(due)
                return None
            self._pass(due)
            while self._later and self._later[0][0] <= self._now:
                ready.append(heapq.heappop(self._later)[2])
        return None

    def _find_worker(self):  # type: () -> Worker | None
        """Return the worker that runs the calling task of this clock, None outside of such a task."""
        worker = WORKERS.get(get_ident())
        return worker if worker is not None and worker.clock is self else None

    def _prepare_wakeup(self):  # type: () -> None
        if self._wakeup is None:
            self._wakeup = make_wakeup()

    def _drive_until(self, event, timeout):  # type: (SimEvent, float | None) -> bool
        end = None if timeout is None else self.now() + max(timeout, 0)
        if self.run(lambda: event.is_set, up_to=end) == NOTHING_LEFT and end is not None:
            self.run(up_to=end)
        return event.is_set

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
        return later[0][0] if later else _FOREVER_S

    def _may_jump(self, due):  # type: (float) -> bool
        """Let the time pass to `due` without switching tasks; return False if something else must run first.

        Also return False if the run can end by then, or if calls from outside can arrive.
        """
        if self.is_closed or self._is_late() or due > self._limit or self._expects_calls():
            return False
        if not self.calm() or self._earliest() <= due:
            return False
        if due <= self._now:
            return self._count()
        if self._until is not None and self._holds():
            return False
        self._pass(due)
        return not self.is_closed

    def _holds(self):  # type: () -> bool
        """Return whether the run's `until` is true; an error that it raises ends the run."""
        try:
            return self._until is not None and bool(self._until())
        except BaseException as error:
            self._failure = error
            return True

    def _count(self):  # type: () -> bool
        """Count a call without time passing; return False if the run has failed, for example because of too many."""
        self._steps += 1
        if self._steps > _MAX_CALLS_AT_ONE_INSTANT and self._failure is None:
            self._failure = Overrun(
                "more than %d things happened at second %.3f without time passing: "
                "look for a loop of links or a loop without sleep" % (_MAX_CALLS_AT_ONE_INSTANT, self._now)
            )
        return self._failure is None

    def _pass(self, due):  # type: (float) -> None
        self._steps = self._polls = 0
        if not self.real_time:
            self._now = due
            return
        while not self.is_closed and self.now() < due:
            real_sleep(min((due - self._now) / self.speed, 0.05))

    def _expects_calls(self):  # type: () -> bool
        return self.is_open or self.expected > 0

    def _take_in(self):  # type: () -> None
        """Queue the calls that other threads have scheduled."""
        if self._ready and self.is_open:
            self._wait(0)  # A clock that never waits hears of them, too.
        while self._inbox:
            self._steps -= _CALLS_PER_OUTSIDE_CALL
            self._ready.append(self._inbox.popleft())

    def _wait_for_calls(self, due):  # type: (float) -> bool
        """Wait for calls from outside; return False when it is time for the next scheduled call.

        Real time passes up to `due` or the end of the run. Virtual time is paused while calls are expected.
        """
        while not self.is_closed and not self._inbox and self._failure is None:
            seconds = _HEARTBEAT_S
            if self.real_time:
                left = min(due, self._limit) - self.now()
                if left <= 0:
                    return False
                seconds = min(left / self.speed, _HEARTBEAT_S) if self.speed else _HEARTBEAT_S
            elif not self.expected:
                return False
            self._beats += 1
            self._steps = self._polls = 0
            if not self._wait(seconds) and self._until is not None and self._holds():
                break
        return True

    def _wait(self, seconds):  # type: (float) -> bool
        """Wait for the wakeup signal; return whether it was sent. An error in its source ends the run."""
        try:
            return bool(self._wakeup.wait(seconds))
        except Exception as error:
            self._failure = error
            return True

    def _run_out(self, due):  # type: (float) -> None
        """Set the reason why the run ends; let the rest of its time pass if it has a limit."""
        if self._limit == _FOREVER_S or (due == _FOREVER_S and self._until is not None and not self._expects_calls()):
            self._reason = NOTHING_LEFT
        else:
            self._pass(max(self._limit, self._now))
            self._reason = TIME_PASSED

    def _is_late(self):  # type: () -> bool
        """Return whether the real time of the run is up; if it is, let the run fail with Overrun."""
        if self._deadline is None or real_monotonic() < self._deadline:
            return False
        self.fail(Overrun("the run has taken more than %g seconds of real time (--max-time)" % (self._max_time or 0)))
        return True


def present_clock():  # type: () -> Clock | None
    """Return the clock of the calling task; None outside of all tasks."""
    worker = WORKERS.get(get_ident())
    return None if worker is None else worker.clock  # type: ignore[return-value]  # only clocks have workers


_SLICE_LINES = 250  # lines of scripts that a task runs before it yields: one slice
#: Virtual seconds of a task's first slice; each slice takes this much more than the one before, so that a short loop
#: hardly shifts the time and an endless one soon reaches the end of the run.
_SLICE_S = 0.001
_MAX_SLICE_S = 0.1  # virtual seconds of the longest slice


class PreemptiveClock(Clock):
    """A clock that interrupts scripts after some of their lines, in every run after the same ones.

    With `share`, other tasks continue while one never sleeps. Code that a script calls in other modules is neither
    counted nor interrupted.

    In a browser, `share` is refused, and the check of loops finds that the time is up: tracing and stacks crash there.
    """

    def __init__(self, real_time=False, speed=1.0, share=True, max_time=None):
        # type: (bool, float, bool, float | None) -> None
        if share and watch_loops is not None:
            raise WrongUse("in a browser no other script can continue while one never sleeps (--threads)")
        self._share = share
        Clock.__init__(self, real_time, speed, max_time, self._trace if watch_loops is None else None)

    def _trace(self, worker):  # type: (Worker) -> object
        """Return a trace function that counts the lines of scripts on a worker's thread."""
        # Local names: when the interpreter ends, 2.7 clears module globals while this thread may still run.
        most, lines, slices = _SLICE_LINES, [0], [None, 0]  # type: int, list[int], list[object]

        def line(_frame, event, _argument):  # type: (object, str, object) -> object
            if event == "line":
                lines[0] += 1
                if lines[0] >= most:
                    lines[0] = 0
                    self._end_slice(worker, slices)
            return line

        def call(frame, _event, _argument):  # type: (Any, str, object) -> object
            # Do not interrupt an import: it holds locks that other tasks can need.
            is_script = "GeneratedClass" in frame.f_globals and frame.f_code.co_name != "<module>"
            return line if is_script else None

        return call

    def _end_slice(self, worker, slices):  # type: (Worker, list[Any]) -> None
        """End the task if the time is up, else let it sleep; `slices` has the last task and its number of slices."""
        self.check_deadline()
        if self._share:
            slices[:] = [worker.task, slices[1] + 1 if slices[0] is worker.task else 1]
            self.sleep(min(slices[1] * _SLICE_S, _MAX_SLICE_S))


def run_in_thread(clock, call, *args):  # type: (Clock, Callable[..., object], *object) -> Any
    """Run a call that takes real time on a new thread while other tasks continue; return its result or raise its error.

    >>> from naosim.clock import Clock
    >>> clock, found = Clock(), []
    >>> _ = clock.call_soon(lambda: found.append(run_in_thread(clock, max, 2, 3)))
    >>> print(clock.run(), found)
    nothing left [3]
    >>> clock.close()
    """
    done = SimEvent(clock)
    results = []  # type: list[tuple[object, BaseException | None]]

    def deliver():  # type: () -> None
        clock.expect(-1)
        done.set()

    def work():  # type: () -> None
        try:
            results.append((call(*args), None))
        except BaseException as error:
            results.append((None, error))
        clock.call_soon_threadsafe(deliver)

    clock.expect(1)
    start_new_thread(work, ())
    clock.wait(done)
    value, error = results[0]
    if error is not None:
        raise error
    return value
