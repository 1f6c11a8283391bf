"""The clock: virtual or real time, with one task running at any moment, in a fixed order.

Tasks run on worker threads, yet never two at once. A task that blocks while nothing else is due earlier lets the time
jump and continues; only when something else is due first does another worker take its turn. The thread that calls
`run` (the driver) never executes a task itself, so `run` can return while tasks are still blocked.

For a service: to let speech take time, `clock.wait(event, seconds)` is the cheapest way (False: the time has passed,
True: the event was set, so the speech was interrupted); `clock.soon(...)` is how an event is delivered.
"""
from __future__ import absolute_import, division, print_function

from naosim.compat import get_ident, take
from naosim.errors import WrongUse
from naosim.kernel.scheduler import Scheduler
from naosim.kernel.sim_event import SimEvent
from naosim.kernel.tasks import DONE, RUNNING, WAITING, WORKERS, ScheduledCall, TaskEnded, Wake
from naosim.kernel.timetable import FOREVER, NOTHING_LEFT, TIME_PASSED, UNTIL
from naosim.kernel.wakeup import wakeup
from naosim.kernel.watchdog import LONGEST_END, await_end

MYPY = False
if MYPY:
    from typing import Any, Callable

__all__ = ["NOTHING_LEFT", "TIME_PASSED", "UNTIL", "WAITING", "Clock", "ScheduledCall", "SimEvent", "TaskEnded", "here"]


#: How often a task may ask for something without letting time pass, and the seconds each further time takes.
MOST_POLLS, POLL = 1000, 0.01


class Clock(Scheduler):
    """Keeps the time and runs what is due, ordered by due time and then by the order of asking.

    >>> clock = Clock()
    >>> heard = []
    >>> _ = clock.later(2, heard.append, 2)
    >>> _ = clock.later(1, heard.append, 1)
    >>> print(clock.run(), heard, clock.now())
    nothing left [1, 2] 2.0
    >>> clock.close()
    """

    def soon(self, call, *args):
        # type: (Callable[..., object], *Any) -> ScheduledCall
        """Run a call of the robot's own at the present instant, after everything that is ready already."""
        scheduled = ScheduledCall(self._now, call, args)
        self._ready.append(scheduled)
        return scheduled

    def soon_for(self, owner, call, *args):
        # type: (Any, Callable[..., object], *Any) -> ScheduledCall
        """Run a call as `soon` does, on behalf of an owner (see `ScheduledCall`)."""
        scheduled = ScheduledCall(self._now, call, args, owner)
        self._ready.append(scheduled)
        return scheduled

    def later(self, delay, call, *args):
        # type: (float, Callable[..., object], *Any) -> ScheduledCall
        """Run a call of the robot's own in so many seconds."""
        return self.later_for(None, delay, call, *args)

    def later_for(self, owner, delay, call, *args):
        # type: (Any, float, Callable[..., object], *Any) -> ScheduledCall
        """Run a call as `later` does, on behalf of an owner (see `ScheduledCall`)."""
        now = self.now()
        due = now + delay
        if not due > now:
            return self.soon_for(owner, call, *args)
        scheduled = ScheduledCall(due, call, args, owner)
        self._push(scheduled)
        return scheduled

    def open(self):
        # type: () -> None
        """Lets calls come from outside: a run then waits for them, and ends only by its `until` or its time.

        Needs real time: nobody outside keeps step with a time that jumps; raises WrongUse.
        """
        if not self.real_time:
            raise WrongUse("a clock of virtual time cannot be open to calls from outside; make it one of real time")
        self._prepare_wakeup()
        self.is_open = True

    def expect(self, change=1):
        # type: (int) -> None
        """Counts what a task has asked of the world outside (+1) and what has come back (-1).

        As long as something is expected a run does not end for want of things to do, and virtual time stands still.
        """
        self._prepare_wakeup()
        self.expected += change

    def outside(self, call, *args):
        # type: (Callable[..., object], *Any) -> None
        """Runs the call as a task as soon as may be; any thread may ask, and a run that waits is woken."""
        self._inbox.append(ScheduledCall(0.0, call, args))
        if self._wakeup is not None:
            self._wakeup.send()

    def _prepare_wakeup(self):
        # type: () -> None
        if self._wakeup is None:
            self._wakeup = wakeup()

    def sleep(self, seconds):
        # type: (float) -> None
        """Blocks the calling task for so many seconds; called by the driver it runs the clock for that long."""
        worker = WORKERS.get(get_ident())
        if worker is None or worker.clock is not self:
            self.run(seconds=max(seconds, 0))
            return
        due = self.now() + max(seconds, 0)
        if self._may_jump(due):
            return
        wake = Wake(due, worker)
        self._wake_at(wake)
        self._block(worker, wake)

    def poll(self):
        # type: () -> None
        """Counts what a task asks; one that asks on and on, in a loop without sleep, lets a little time pass."""
        self._polls += 1
        if self._polls > MOST_POLLS:
            self.sleep(POLL)
            self._polls = MOST_POLLS

    def wait(self, event, timeout=None):
        # type: (SimEvent, float | None) -> bool
        """Blocks the calling task until the event is set (True) or so many seconds have passed (False)."""
        if event.is_set:
            return True
        worker = WORKERS.get(get_ident())
        if worker is None or worker.clock is not self:
            return self._drive_until(event, timeout)
        due = FOREVER if timeout is None else self.now() + max(timeout, 0)
        if timeout is not None and self._may_jump(due):
            return False
        wake = Wake(due, worker)
        if timeout is not None:
            self._wake_at(wake)
        event.add(wake)
        try:
            self._block(worker, wake)
        finally:
            event.discard(wake)
        return wake.opened

    def _drive_until(self, event, timeout):
        # type: (SimEvent, float | None) -> bool
        end = None if timeout is None else self.now() + max(timeout, 0)
        if self.run(lambda: event.is_set, up_to=end) == NOTHING_LEFT and end is not None:
            self.run(up_to=end)
        return event.is_set

    def inline(self, scheduled):
        # type: (ScheduledCall) -> bool
        """Runs the scheduled here and now if it is the very next one, for a task that would wait for it anyway."""
        ready = self._ready
        worker = WORKERS.get(get_ident())
        if not self.calm() and ready[0] is scheduled and worker is not None and worker.clock is self:
            ready.popleft()
            scheduled.state = RUNNING
            scheduled.call(*scheduled.args)
            scheduled.state = DONE
            return True
        return False

    def run(self, until=None, seconds=None, up_to=None):
        # type: (Callable[[], object] | None, float | None, float | None) -> str
        """Runs what is due until `until()` holds at a calm moment, the time is up or nothing is left; says which.

        The time is up after so many seconds, or when the clock shows `up_to`; a run without `until` that has nothing
        left lets the rest of its time pass, one with `until` stays where it is.
        """
        if self._closed:
            raise WrongUse("this clock is closed; make a new robot")
        if self._running:
            raise WrongUse("the clock runs already; a task cannot run it again")
        if until is not None and self.calm() and until():
            return UNTIL
        self._until = until
        self._limit = up_to if up_to is not None else FOREVER if seconds is None else self.now() + seconds
        self._running = True
        self._idle_worker().ticket.release()
        # An interrupted driver, or a task that never ends, leaves `_running` set: `close` then knows that a task runs.
        self._running = not await_end(self)
        self._until, self._limit = None, FOREVER
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return self._reason

    @property
    def is_running(self):
        # type: () -> bool
        """Whether a run is under way, or was left by a driver that was interrupted."""
        return self._running

    def pending(self):
        # type: () -> list[ScheduledCall]
        """What is left: scheduleds that still wait and tasks that are blocked, the earliest first."""
        left = list(self._ready) + [a for _, _, a in sorted(self._later, key=lambda entry: entry[:2])]
        left = [a for a in left if a.state is WAITING and a.sleeper is None]
        return left + [worker.task for worker in self._blocked if worker.task is not None]

    def next_due(self):
        # type: () -> float | None
        """When the next scheduled is due, tasks that merely sleep left aside unless there is nothing else."""
        calls = [due for due, _, a in self._later if a.state is WAITING and a.sleeper is None]
        wakes = [due for due, _, a in self._later if a.state is WAITING]
        return min(calls or wakes) if wakes else None

    def close(self):
        # type: () -> None
        """Forgets all scheduleds and unwinds the tasks that are blocked, by raising TaskEnded inside them."""
        if self._closed:
            return
        if get_ident() in WORKERS:
            raise WrongUse("a task cannot close the clock it runs on")
        self._closed = True
        if self._wakeup is not None:
            self._wakeup.send()
        if self._running and not take(self._driver, LONGEST_END):
            return  # A task that never lets go keeps its thread; threads of tasks end with the process.
        self._ready.clear()
        del self._later[:]
        for worker in list(self._blocked):
            worker.ticket.release()
            take(self._driver, LONGEST_END)
        for worker in self._idle:
            worker.ended = True
            worker.ticket.release()
        if self._wakeup is not None:
            self._wakeup.close()


def here():
    # type: () -> Clock | None
    """The clock whose task calls this, None outside of all tasks."""
    worker = WORKERS.get(get_ident())
    return None if worker is None else worker.clock
