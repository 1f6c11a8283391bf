"""The clock of a robot, in virtual or real time; it runs one task at any moment, in a fixed order.

Tasks run on worker threads, but never two at once. A task that waits while nothing else is due earlier moves the time
forward and continues; another thread runs only if its call is due first. The thread that calls `run` (the driver)
never executes a task, so `run` can return while tasks are blocked.

A service lets an action such as speech take time with `clock.wait(event, seconds)`: it returns False when the time has
passed, and True if the event was set because the action was interrupted. It delivers an event with `clock.soon(...)`.
"""

from __future__ import absolute_import, division, print_function

import sys

from naosim import scheduler
from naosim.compat import get_ident, real_monotonic, start_new_thread, take, watch_loops
from naosim.errors import Overrun, WrongUse

MYPY = False
if MYPY:
    from typing import Any, Callable

_MAX_POLLS = 1000  # calls of one task to the robot that take no time
_POLL_S = 0.01  # seconds that each further call takes, so that a loop without sleep lets time pass


class Clock(scheduler.Scheduler):
    """The time of one robot and its scheduled calls, which run by due time, then in the order of scheduling.

    >>> clock = Clock()
    >>> heard = []
    >>> _ = clock.later(2, heard.append, 2)
    >>> _ = clock.later(1, heard.append, 1)
    >>> print(clock.run(), heard, clock.now())
    nothing left [1, 2] 2.0
    >>> clock.close()
    """

    def soon(self, call, *args):  # type: (Callable[..., object], *Any) -> scheduler.ScheduledCall
        """Schedule a call of the robot itself for now, behind everything that is ready."""
        scheduled = scheduler.ScheduledCall(self._now, call, args)
        self._ready.append(scheduled)
        return scheduled

    def soon_for(self, owner, call, *args):  # type: (Any, Callable[..., object], *Any) -> scheduler.ScheduledCall
        """Schedule a call for now, with an owner (see `ScheduledCall`)."""
        scheduled = scheduler.ScheduledCall(self._now, call, args, owner)
        self._ready.append(scheduled)
        return scheduled

    def later(self, delay, call, *args):  # type: (float, Callable[..., object], *Any) -> scheduler.ScheduledCall
        """Schedule a call of the robot itself in `delay` seconds."""
        return self.later_for(None, delay, call, *args)

    def later_for(self, owner, delay, call, *args):
        # type: (Any, float, Callable[..., object], *Any) -> scheduler.ScheduledCall
        """Schedule a call in `delay` seconds, with an owner (see `ScheduledCall`)."""
        now = self.now()
        due = now + delay
        if not due > now:
            return self.soon_for(owner, call, *args)
        scheduled = scheduler.ScheduledCall(due, call, args, owner)
        self._push(scheduled)
        return scheduled

    def open(self, wakeup=None):  # type: (Any) -> None
        """Accept calls from other threads: a run then waits for them until its `until` is true or its time is up.

        `wakeup` is a signal with a source of its own (see `PipeWakeup`). Raises WrongUse on a clock of virtual time,
        because it would jump ahead of the callers.
        """
        if not self.real_time:
            raise WrongUse("a clock of virtual time cannot be open to calls from outside; make it one of real time")
        self._wakeup = wakeup or self._wakeup
        self._prepare_wakeup()
        self.is_open = True

    def expect(self, change=1):  # type: (int) -> None
        """Count the results that tasks expect from other threads: +1 for a new one, -1 for one that has arrived.

        While the count is above zero, virtual time is paused, and a run does not end for lack of calls.
        """
        self._prepare_wakeup()
        self.expected += change

    def outside(self, call, *args):  # type: (Callable[..., object], *Any) -> None
        """Schedule a call from any thread, to run as a task as soon as possible; wake a run that waits."""
        self._inbox.append(scheduler.ScheduledCall(0.0, call, args))
        if self._wakeup is not None:
            self._wakeup.send()

    def _prepare_wakeup(self):  # type: () -> None
        if self._wakeup is None:
            self._wakeup = scheduler.make_wakeup()

    def sleep(self, seconds):  # type: (float) -> None
        """Block the calling task for `seconds` seconds; outside a task, run the clock for that time."""
        worker = scheduler.WORKERS.get(get_ident())
        if worker is None or worker.clock is not self:
            self.run(seconds=max(seconds, 0))
            return
        due = self.now() + max(seconds, 0)
        if self._may_jump(due):
            return
        wake = scheduler.Wake(due, worker)
        self._wake_at(wake)
        self._block(worker, wake)

    def poll(self):  # type: () -> None
        """Count a task's call to the robot; after many calls without time passing, let a little time pass."""
        self._polls += 1
        if self._polls > _MAX_POLLS:
            self.sleep(_POLL_S)
            self._polls = _MAX_POLLS

    def wait(self, event, timeout=None):  # type: (scheduler.SimEvent, float | None) -> bool
        """Block the calling task until the event is set (True) or `timeout` seconds have passed (False)."""
        if event.is_set:
            return True
        worker = scheduler.WORKERS.get(get_ident())
        if worker is None or worker.clock is not self:
            return self._drive_until(event, timeout)
        due = scheduler.FOREVER_S if timeout is None else self.now() + max(timeout, 0)
        if timeout is not None and self._may_jump(due):
            return False
        wake = scheduler.Wake(due, worker)
        if timeout is not None:
            self._wake_at(wake)
        event.add(wake)
        try:
            self._block(worker, wake)
        finally:
            event.discard(wake)
        return wake.opened

    def _drive_until(self, event, timeout):  # type: (scheduler.SimEvent, float | None) -> bool
        end = None if timeout is None else self.now() + max(timeout, 0)
        if self.run(lambda: event.is_set, up_to=end) == scheduler.NOTHING_LEFT and end is not None:
            self.run(up_to=end)
        return event.is_set

    def inline(self, scheduled):  # type: (scheduler.ScheduledCall) -> bool
        """Run a scheduled call on the calling task if it is the next one; return whether it ran.

        This saves a switch of threads if the task would only wait for the call.
        """
        ready = self._ready
        worker = scheduler.WORKERS.get(get_ident())
        if not self.calm() and ready[0] is scheduled and worker is not None and worker.clock is self:
            ready.popleft()
            scheduled.state = scheduler.RUNNING
            scheduled.call(*scheduled.args)
            scheduled.state = scheduler.DONE
            return True
        return False

    def run(self, until=None, seconds=None, up_to=None):
        # type: (Callable[[], object] | None, float | None, float | None) -> str
        """Run scheduled calls until `until()` is true, the time is up or nothing is left; return which.

        `until` is checked whenever no call is ready. The time is up after `seconds` seconds, or when the clock shows
        `up_to`. If nothing is left, a run without `until` lets the rest of its time pass; one with `until` does not.
        """
        if self._closed:
            raise WrongUse("this clock is closed; make a new robot")
        if self._running:
            raise WrongUse("the clock runs already; a task cannot run it again")
        if until is not None and self.calm() and until():
            return scheduler.UNTIL
        self._until = until
        self._limit = up_to if up_to is not None else scheduler.FOREVER_S if seconds is None else self.now() + seconds
        self._running = True
        self._idle_worker().ticket.release()
        # If the driver is interrupted or a task never ends, `_running` stays True for `close`.
        self._running = not scheduler.await_end(self)
        self._until, self._limit = None, scheduler.FOREVER_S
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return self._reason

    @property
    def is_running(self):  # type: () -> bool
        """Return whether a run is in progress, or did not finish because its driver was interrupted."""
        return self._running

    def pending(self):  # type: () -> list[scheduler.ScheduledCall]
        """List the calls that wait, the earliest first, then the blocked tasks."""
        left = list(self._ready) + [call for _, _, call in sorted(self._later, key=lambda entry: entry[:2])]
        left = [call for call in left if call.state is scheduler.WAITING and call.sleeper is None]
        return left + [worker.task for worker in self._blocked if worker.task is not None]

    def next_due(self):  # type: () -> float | None
        """Return the time of the next scheduled call, else that at which the next task wakes, else None."""
        waiting = [(due, call.sleeper is None) for due, _, call in self._later if call.state is scheduler.WAITING]
        return min([due for due, is_call in waiting if is_call] or [due for due, _ in waiting]) if waiting else None

    def close(self):  # type: () -> None
        """Drop all scheduled calls and end the blocked tasks by raising TaskEnded inside them."""
        if self._closed:
            return
        if get_ident() in scheduler.WORKERS:
            raise WrongUse("a task cannot close the clock it runs on")
        self._closed = True
        if self._wakeup is not None:
            self._wakeup.send()
        if self._running and not take(self._driver, scheduler.MAX_TASK_END_S):
            return  # A task that cannot be ended keeps its thread until the process ends.
        self._ready.clear()
        del self._later[:]
        for worker in list(self._blocked):
            worker.ticket.release()
            take(self._driver, scheduler.MAX_TASK_END_S)
        for worker in self._idle:
            worker.ended = True
            worker.ticket.release()
        if self._wakeup is not None:
            self._wakeup.close()


def present_clock():  # type: () -> Clock | None
    """Return the clock of the calling task; None outside of all tasks."""
    worker = scheduler.WORKERS.get(get_ident())
    return None if worker is None else worker.clock


_SLICE_LINES = 250  # lines of scripts that a task runs before it yields: one slice
#: Virtual seconds of a task's first slice; each slice takes this much more than the one before, so that a short loop
#: hardly shifts the time and an endless one soon reaches the end of the run.
_SLICE_S = 0.001
_MAX_SLICE_S = 0.1  # virtual seconds of the longest slice


class PreemptiveClock(Clock):
    """A clock that interrupts scripts after some of their lines, in every run after the same ones.

    With `share`, other tasks continue while one never sleeps. A run of more than `max_time` real seconds ends with
    Overrun. Code that a script calls in other modules is neither counted nor interrupted.

    In a browser, `share` is refused, and the check of loops finds that the time is up: tracing and stacks crash there.
    """

    def __init__(self, real_time=False, speed=1.0, share=True, max_time=None):
        # type: (bool, float, bool, float | None) -> None
        Clock.__init__(self, real_time, speed)
        if share and watch_loops is not None:
            raise WrongUse("in a browser no other script can continue while one never sleeps (--threads)")
        self._share = share
        self._max_time = max_time
        self._deadline = None if max_time is None else real_monotonic() + max_time
        self._lines = {}  # type: dict[scheduler.Worker, int]
        self._slices = {}  # type: dict[scheduler.Worker, tuple[scheduler.ScheduledCall | None, int]]

    def _work(self, worker):  # type: (scheduler.Worker) -> None
        """Run the worker's tasks with a trace function that counts the lines of scripts on this thread."""
        if watch_loops is not None:
            Clock._work(self, worker)
            return
        lines = self._lines
        lines[worker] = 0
        # Local names: when the interpreter ends, 2.7 clears module globals while this thread may still run.
        trace, work, most = sys.settrace, Clock._work, _SLICE_LINES

        def line(_frame, event, _argument):  # type: (Any, str, Any) -> Any
            if event == "line":
                lines[worker] += 1
                if lines[worker] >= most:
                    self._cut(worker)
            return line

        def call(frame, _event, _argument):  # type: (Any, str, Any) -> Any
            # Do not interrupt an import: it holds locks that other tasks can need.
            is_script = "GeneratedClass" in frame.f_globals and frame.f_code.co_name != "<module>"
            return line if is_script else None

        trace(call)
        try:
            work(self, worker)
        finally:
            trace(None)
            del lines[worker]

    def check_turn(self):  # type: () -> None
        """End the calling task by raising TaskEnded if the time is up, or if it has kept all others from running."""
        if self._is_late():
            raise scheduler.TaskEnded("the time is up")
        Clock.check_turn(self)

    def _cut(self, worker):  # type: (scheduler.Worker) -> None
        self._lines[worker] = 0
        if self._is_late():
            raise scheduler.TaskEnded("the time is up")
        if self._share:
            task, slices = self._slices.get(worker, (None, 0))
            slices = slices + 1 if task is worker.task else 1
            self._slices[worker] = worker.task, slices
            self.sleep(min(slices * _SLICE_S, _MAX_SLICE_S))

    def _is_late(self):  # type: () -> bool
        """Return whether the real time of the run is up; if it is, let the run fail with Overrun."""
        if self._deadline is None or real_monotonic() < self._deadline:
            return False
        self.fail(Overrun("the run has taken more than %g seconds of real time (--max-time)" % (self._max_time or 0)))
        return True

    def _may_jump(self, due):  # type: (float) -> bool
        return not self._is_late() and Clock._may_jump(self, due)

    def _next(self):  # type: () -> scheduler.ScheduledCall | None
        self._is_late()
        return Clock._next(self)


def run_in_thread(clock, call, *args):  # type: (Clock, Callable[..., Any], *Any) -> Any
    """Run a call that takes real time on a new thread while other tasks continue; return its result or raise its error.

    >>> from naosim.clock import Clock
    >>> clock, found = Clock(), []
    >>> _ = clock.soon(lambda: found.append(run_in_thread(clock, max, 2, 3)))
    >>> print(clock.run(), found)
    nothing left [3]
    >>> clock.close()
    """
    done = scheduler.SimEvent(clock)
    results = []  # type: list[tuple[Any, BaseException | None]]

    def deliver():  # type: () -> None
        clock.expect(-1)
        done.set()

    def work():  # type: () -> None
        try:
            results.append((call(*args), None))
        except BaseException as error:
            results.append((None, error))
        clock.outside(deliver)

    clock.expect(1)
    start_new_thread(work, ())
    clock.wait(done)
    value, error = results[0]
    if error is not None:
        raise error
    return value
