"""The clock: virtual or real time, and one baton, so that exactly one task runs at any moment and in a fixed order.

Tasks run on worker threads, yet never two at once. A task that blocks while nothing else is due earlier simply lets
the time jump and goes on; only when something else comes first does another worker take the baton. The thread that
calls `run` (the driver) never executes a task itself, so `run` can come back while tasks are still blocked.

For a service: to let speech take time, `clock.wait(gate, seconds)` is the cheapest way (False: the time has passed,
True: somebody opened the gate, so the speech was interrupted); `clock.soon(...)` is how an event is delivered.
"""
from __future__ import absolute_import, division, print_function

from naosim.compat import get_ident, take
from naosim.errors import WrongUse
from naosim.kernel.scheduler import FOREVER, NOTHING_LEFT, TIME_PASSED, UNTIL, Baton
from naosim.kernel.tasks import DONE, RUNNING, WAITING, WORKERS, Appointment, TaskEnded, Wake
from naosim.kernel.wakeup import bell
from naosim.kernel.watchdog import LONGEST_END, await_end

MYPY = False
if MYPY:
    from typing import Any, Callable

__all__ = ["NOTHING_LEFT", "TIME_PASSED", "UNTIL", "WAITING", "Appointment", "Clock", "Gate", "TaskEnded", "here"]


#: How often a task may ask for something without letting time pass, and the seconds each further time takes.
MOST_POLLS, POLL = 1000, 0.01


class Gate(object):
    """Something a task can wait for; an open gate lets everybody through until it is shut."""

    __slots__ = ("_ready", "_waiting", "is_open")

    def __init__(self, clock):
        # type: (Clock) -> None
        self.is_open = False
        self._ready = clock._ready
        self._waiting = []  # type: list[Wake]

    def open(self):
        # type: () -> None
        """Wakes everybody who waits, in the order of their coming."""
        self.is_open = True
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for wake in waiting:
                wake.opened = True
                self._ready.append(wake)

    def shut(self):
        # type: () -> None
        """Makes the next comers wait again."""
        self.is_open = False


class Clock(Baton):
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
        # type: (Callable[..., object], *Any) -> Appointment
        """Runs the call at the present instant, after everything that is ready already."""
        appointment = Appointment(self._now, call, args)
        self._ready.append(appointment)
        return appointment

    def later(self, delay, call, *args):
        # type: (float, Callable[..., object], *Any) -> Appointment
        """Runs the call so many seconds from now."""
        now = self.now()
        due = now + delay
        if not due > now:
            return self.soon(call, *args)
        appointment = Appointment(due, call, args)
        self._push(appointment)
        return appointment

    def open(self):
        # type: () -> None
        """Lets calls come from outside: a run then waits for them, and ends only by its `until` or its time.

        Needs real time: nobody outside keeps step with a time that jumps; raises WrongUse.
        """
        if not self.real_time:
            raise WrongUse("a clock of virtual time cannot be open to calls from outside; make it one of real time")
        self._hang_bell()
        self.is_open = True

    def expect(self, change=1):
        # type: (int) -> None
        """Counts what a task has asked of the world outside (+1) and what has come back (-1).

        As long as something is expected a run does not end for want of things to do, and virtual time stands still.
        """
        self._hang_bell()
        self.expected += change

    def outside(self, call, *args):
        # type: (Callable[..., object], *Any) -> None
        """Runs the call as a task as soon as may be; any thread may ask, and a run that waits is woken."""
        self._inbox.append(Appointment(0.0, call, args))
        if self._bell is not None:
            self._bell.ring()

    def _hang_bell(self):
        # type: () -> None
        if self._bell is None:
            self._bell = bell()

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

    def wait(self, gate, timeout=None):
        # type: (Gate, float | None) -> bool
        """Blocks the calling task until the gate opens (True) or so many seconds have passed (False)."""
        if gate.is_open:
            return True
        worker = WORKERS.get(get_ident())
        if worker is None or worker.clock is not self:
            return self._drive_until(gate, timeout)
        due = FOREVER if timeout is None else self.now() + max(timeout, 0)
        if timeout is not None and self._may_jump(due):
            return False
        wake = Wake(due, worker)
        if timeout is not None:
            self._wake_at(wake)
        gate._waiting.append(wake)
        try:
            self._block(worker, wake)
        finally:
            if wake in gate._waiting:
                gate._waiting.remove(wake)
        return wake.opened

    def _drive_until(self, gate, timeout):
        # type: (Gate, float | None) -> bool
        end = None if timeout is None else self.now() + max(timeout, 0)
        if self.run(lambda: gate.is_open, up_to=end) == NOTHING_LEFT and end is not None:
            self.run(up_to=end)
        return gate.is_open

    def inline(self, appointment):
        # type: (Appointment) -> bool
        """Runs the appointment here and now if it is the very next one, for a task that would wait for it anyway."""
        ready = self._ready
        worker = WORKERS.get(get_ident())
        if not self.calm() and ready[0] is appointment and worker is not None and worker.clock is self:
            ready.popleft()
            appointment.state = RUNNING
            appointment.call(*appointment.args)
            appointment.state = DONE
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
        # An interrupted driver leaves `_running` set, as a deaf task does: `close` then knows who holds the baton.
        self._running = not await_end(self)
        self._until, self._limit = None, FOREVER
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return self._reason

    def pending(self):
        # type: () -> list[Appointment]
        """What is left: appointments that still wait and tasks that are blocked, the earliest first."""
        left = list(self._ready) + [a for _, _, a in sorted(self._later, key=lambda entry: entry[:2])]
        left = [a for a in left if a.state is WAITING and a.sleeper is None]
        return left + [worker.task for worker in self._blocked if worker.task is not None]

    def next_due(self):
        # type: () -> float | None
        """When the next appointment is due, tasks that merely sleep left aside unless there is nothing else."""
        calls = [due for due, _, a in self._later if a.state is WAITING and a.sleeper is None]
        wakes = [due for due, _, a in self._later if a.state is WAITING]
        return min(calls or wakes) if wakes else None

    def close(self):
        # type: () -> None
        """Forgets all appointments and unwinds the tasks that are blocked, by raising TaskEnded inside them."""
        if self._closed:
            return
        if get_ident() in WORKERS:
            raise WrongUse("a task cannot close the clock it runs on")
        self._closed = True
        if self._bell is not None:
            self._bell.ring()
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
        if self._bell is not None:
            self._bell.close()


def here():
    # type: () -> Clock | None
    """The clock whose task calls this, None outside of all tasks."""
    worker = WORKERS.get(get_ident())
    return None if worker is None else worker.clock
