"""The clock: virtual or real time, and one baton, so that exactly one task runs at any moment and in a fixed order.

Tasks run on worker threads, yet never two at once. A task that blocks while nothing else is due earlier simply lets
the time jump and goes on; only when something else comes first does another worker take the baton. The thread that
calls `run` (the driver) never executes a task itself, so `run` can come back while tasks are still blocked.

For a service: to let speech take time, `clock.wait(gate, seconds)` is the cheapest way (False: the time has passed,
True: somebody opened the gate, so the speech was interrupted); `clock.soon(...)` is how an event is delivered.
"""
from __future__ import absolute_import, division, print_function

import heapq
from collections import deque

from naosim.errors import Overrun, WrongUse
from naosim.pythons import (
    allocate_lock,
    get_ident,
    real_monotonic,
    real_sleep,
    start_new_thread,
    take,
    take_within,
)

MYPY = False
if MYPY:
    from typing import Any, Callable

WAITING, RUNNING, DONE, CANCELLED = "waiting", "running", "done", "cancelled"

#: Why a run ended.
UNTIL, TIME_PASSED, NOTHING_LEFT = "until", "time passed", "nothing left"

BUSIEST_INSTANT = 100000
MOST_WORKERS = 256
_FOREVER = float("inf")
_WORKERS = {}  # type: dict[int, _Worker]  # the worker of each thread: one process, one set of threads


class TaskEnded(BaseException):
    """Raised inside a task that is still blocked when its clock closes."""


class Appointment(object):
    """One call due at one time; `cancel` works as long as the state is "waiting"."""

    __slots__ = ("args", "call", "due", "state")
    sleeper = None  # type: _Worker | None

    def __init__(self, due, call, args):
        # type: (float, Any, tuple[Any, ...]) -> None
        self.due = due
        self.call = call
        self.args = args
        self.state = WAITING

    def cancel(self):
        # type: () -> bool
        """Withdraws the appointment; False when it is too late."""
        if self.state is not WAITING:
            return False
        self.state = CANCELLED
        return True


class _Wake(Appointment):
    """The moment at which a blocked task goes on."""

    __slots__ = ("opened", "sleeper")

    def __init__(self, due, sleeper):
        # type: (float, _Worker) -> None
        Appointment.__init__(self, due, None, ())
        self.sleeper = sleeper  # type: _Worker
        self.opened = False


class _Worker(object):
    """One thread that may hold the baton; it parks on its ticket."""

    __slots__ = ("clock", "ended", "first", "refusals", "task", "ticket")

    def __init__(self, clock):
        # type: (Clock) -> None
        self.clock = clock  # type: Clock
        self.ticket = allocate_lock()
        self.ticket.acquire()
        self.first = None  # type: Appointment | None
        self.task = None  # type: Appointment | None
        self.ended = False
        self.refusals = 0


class Gate(object):
    """Something a task can wait for; an open gate lets everybody through until it is shut."""

    __slots__ = ("_ready", "_waiting", "is_open")

    def __init__(self, clock):
        # type: (Clock) -> None
        self.is_open = False
        self._ready = clock._ready
        self._waiting = []  # type: list[_Wake]

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


class Clock(object):
    """Keeps the time and runs what is due, ordered by due time and then by the order of asking.

    >>> clock = Clock()
    >>> heard = []
    >>> _ = clock.later(2, heard.append, 2)
    >>> _ = clock.later(1, heard.append, 1)
    >>> print(clock.run(), heard, clock.now())
    nothing left [1, 2] 2.0
    >>> clock.close()
    """

    def __init__(self, real_time=False):
        # type: (bool) -> None
        self.real_time = real_time
        self.host = None  # type: Any
        self._start = real_monotonic()
        self._now = 0.0
        self._asked = 0
        self._ready = deque()  # type: deque[Appointment]
        self._later = []  # type: list[tuple[float, int, Appointment]]
        self._idle = []  # type: list[_Worker]
        self._blocked = {}  # type: dict[_Worker, _Wake]
        self._workers = 0
        self._driver = allocate_lock()
        self._driver.acquire()
        self._until = None  # type: Callable[[], object] | None
        self._limit = _FOREVER
        self._reason = NOTHING_LEFT
        self._failure = None  # type: BaseException | None
        self._steps = 0
        self._running = False
        self._closed = False

    def now(self):
        # type: () -> float
        """Seconds since the clock was made."""
        if self.real_time:
            self._now = max(self._now, real_monotonic() - self._start)
        return self._now

    def calm(self):
        # type: () -> bool
        """Whether no task is ready at the present instant."""
        ready = self._ready
        while ready and ready[0].state is not WAITING:
            ready.popleft()
        return not ready

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

    def sleep(self, seconds):
        # type: (float) -> None
        """Blocks the calling task for so many seconds; called by the driver it runs the clock for that long."""
        worker = _WORKERS.get(get_ident())
        if worker is None or worker.clock is not self:
            self.run(seconds=max(seconds, 0))
            return
        due = self.now() + max(seconds, 0)
        if self._may_jump(due):
            return
        wake = _Wake(due, worker)
        self._wake_at(wake)
        self._block(worker, wake)

    def wait(self, gate, timeout=None):
        # type: (Gate, float | None) -> bool
        """Blocks the calling task until the gate opens (True) or so many seconds have passed (False)."""
        if gate.is_open:
            return True
        worker = _WORKERS.get(get_ident())
        if worker is None or worker.clock is not self:
            self.run(lambda: gate.is_open, timeout)
            return gate.is_open
        due = _FOREVER if timeout is None else self.now() + max(timeout, 0)
        if timeout is not None and self._may_jump(due):
            return False
        wake = _Wake(due, worker)
        if timeout is not None:
            self._wake_at(wake)
        gate._waiting.append(wake)
        try:
            self._block(worker, wake)
        finally:
            if wake in gate._waiting:
                gate._waiting.remove(wake)
        return wake.opened

    def inline(self, appointment):
        # type: (Appointment) -> bool
        """Runs the appointment here and now if it is the very next one, for a task that would wait for it anyway."""
        ready = self._ready
        worker = _WORKERS.get(get_ident())
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

        The time is up after so many seconds, or when the clock shows `up_to`.
        """
        if self._closed:
            raise WrongUse("this clock is closed; make a new robot")
        if self._running:
            raise WrongUse("the clock runs already; a task cannot run it again")
        if until is not None and self.calm() and until():
            return UNTIL
        self._until = until
        self._limit = up_to if up_to is not None else _FOREVER if seconds is None else self.now() + seconds
        self._running = True
        self._idle_worker().ticket.release()
        take(self._driver)  # An interrupted driver leaves `_running` set: `close` then knows who holds the baton.
        self._running = False
        self._until, self._limit = None, _FOREVER
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
        if get_ident() in _WORKERS:
            raise WrongUse("a task cannot close the clock it runs on")
        self._closed = True
        if self._running and not take_within(self._driver, 1.0):
            return  # A task that never lets go keeps its thread; threads of tasks end with the process.
        self._ready.clear()
        del self._later[:]
        for worker in list(self._blocked):
            worker.ticket.release()
            take(self._driver)
        for worker in self._idle:
            worker.ended = True
            worker.ticket.release()

    # The rest runs on whichever thread holds the baton.

    def _push(self, appointment):
        # type: (Appointment) -> None
        self._asked += 1
        heapq.heappush(self._later, (appointment.due, self._asked, appointment))

    def _wake_at(self, wake):
        # type: (_Wake) -> None
        if wake.due > self._now:
            self._push(wake)
        else:
            self._ready.append(wake)

    def _earliest(self):
        # type: () -> float
        later = self._later
        while later and later[0][2].state is not WAITING:
            heapq.heappop(later)
        return later[0][0] if later else _FOREVER

    def _may_jump(self, due):
        # type: (float) -> bool
        """Lets the time pass without a switch, if nothing else comes first and nobody waits for this moment."""
        if self._closed or not self.calm() or self._earliest() <= due or due > self._limit:
            return False
        if due <= self._now:
            return self._count()
        if self._until is not None and self._holds():
            return False
        self._pass(due)
        return not self._closed

    def _holds(self):
        # type: () -> bool
        try:
            return self._until is not None and bool(self._until())
        except BaseException as error:
            self._failure = error
            return True

    def _count(self):
        # type: () -> bool
        self._steps += 1
        if self._steps > BUSIEST_INSTANT and self._failure is None:
            self._failure = Overrun(
                "more than %d things happened at second %.3f without time passing: "
                "look for a loop of links or a loop without sleep" % (BUSIEST_INSTANT, self._now)
            )
        return self._failure is None

    def _pass(self, due):
        # type: (float) -> None
        self._steps = 0
        if not self.real_time:
            self._now = due
            return
        while not self._closed and self.now() < due:
            real_sleep(min(due - self._now, 0.05))

    def _next(self):
        # type: () -> Appointment | None
        """The next thing to run, letting time pass up to it; None when the run is over."""
        ready = self._ready
        while self._failure is None and not self._closed:
            while ready:
                appointment = ready.popleft()
                if appointment.state is WAITING:
                    if not self._count():
                        return None
                    return appointment
            if self._until is not None and self._holds():
                self._reason = UNTIL
                return None
            due = self._earliest()
            if due > self._limit or due == _FOREVER:
                self._run_out()
                return None
            self._pass(due)
            while self._later and self._later[0][0] <= self._now:
                ready.append(heapq.heappop(self._later)[2])
        return None

    def _run_out(self):
        # type: () -> None
        if self._limit == _FOREVER:
            self._reason = NOTHING_LEFT
        else:
            self._pass(max(self._limit, self._now))
            self._reason = TIME_PASSED

    def _block(self, worker, wake):
        # type: (_Worker, _Wake) -> None
        """Passes the baton on until the wake comes up."""
        if self._closed:
            self._refuse(worker)
        self._blocked[worker] = wake
        chosen = self._next()
        if chosen is not wake:
            self._target(chosen).release()
            worker.ticket.acquire()
        wake.state = DONE
        del self._blocked[worker]
        if self._closed:
            self._refuse(worker)

    def _refuse(self, worker):
        # type: (_Worker) -> None
        """Ends a task of a closed clock; one that swallows its end again and again is put to rest for good."""
        worker.refusals += 1
        if worker.refusals > 1000:
            self._driver.release()
            worker.ticket.acquire()
        raise TaskEnded("the clock is closed")

    def _target(self, chosen):
        # type: (Appointment | None) -> Any
        if chosen is None:
            return self._driver
        if chosen.sleeper is not None:
            return chosen.sleeper.ticket
        other = self._idle_worker()
        other.first = chosen
        return other.ticket

    def _idle_worker(self):
        # type: () -> _Worker
        if self._idle:
            return self._idle.pop()
        self._workers += 1
        if self._workers > MOST_WORKERS and self._failure is None:
            self._failure = Overrun("more than %d box handlers block at the same time" % MOST_WORKERS)
        worker = _Worker(self)
        start_new_thread(self._work, (worker,))
        return worker

    def _work(self, worker):
        # type: (_Worker) -> None
        worker.ticket.acquire()
        workers, ident = _WORKERS, get_ident()  # At the interpreter's end 2.7 empties modules under running threads.
        workers[ident] = worker
        try:
            while not worker.ended:
                self._turn(worker)
        finally:
            del workers[ident]

    def _turn(self, worker):
        # type: (_Worker) -> None
        """Runs tasks until the baton must go elsewhere, then parks."""
        while True:
            chosen, worker.first = worker.first or self._next(), None
            if chosen is None or chosen.sleeper is not None:
                self._idle.append(worker)
                self._target(chosen).release()
                worker.ticket.acquire()
                return
            worker.task = chosen
            chosen.state = RUNNING
            try:
                chosen.call(*chosen.args)
            except TaskEnded:
                pass
            except SystemExit as error:
                self._failure = self._failure or WrongUse("a task called sys.exit(%s), which ends no robot" % error)
            except BaseException as error:
                self._failure = self._failure or error
            chosen.state = DONE
            worker.task = None


def here():
    # type: () -> Clock | None
    """The clock whose task calls this, None outside of all tasks."""
    worker = _WORKERS.get(get_ident())
    return None if worker is None else worker.clock
