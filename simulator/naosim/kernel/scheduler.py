"""The baton of a clock: worker threads that run tasks, never two at once, and the order in which they come.

Whoever blocks takes the next thing that is due and passes the baton to the thread that has to run it; the driver's
thread only waits until a run is over.
"""
from __future__ import absolute_import, division, print_function

import heapq
from collections import deque

from naosim.compat import KNOWN_THREADS, allocate_lock, get_ident, real_monotonic, real_sleep, start_new_thread
from naosim.errors import Overrun, WrongUse
from naosim.kernel.tasks import DONE, RUNNING, WAITING, WORKERS, Appointment, TaskEnded, Worker
from naosim.kernel.wakeup import bell

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.tasks import Wake

#: Why a run ended.
UNTIL, TIME_PASSED, NOTHING_LEFT = "until", "time passed", "nothing left"

BUSIEST_INSTANT = 100000
MOST_WORKERS = 256
#: So many things may happen because of one call from outside.
SHARE = 20
#: Real seconds between two signs of life while nothing but news from outside is waited for.
BEAT = 1.0
FOREVER = float("inf")


class Baton(object):
    """The part of a clock that runs on whichever thread holds the baton."""

    def __init__(self, real_time=False, speed=1.0):
        # type: (bool, float) -> None
        self.real_time = real_time
        self.speed = speed
        self.host = None  # type: Any
        self._start = real_monotonic()
        self._now = 0.0
        self._asked = 0
        self._ready = deque()  # type: deque[Appointment]
        self._later = []  # type: list[tuple[float, int, Appointment]]
        self._idle = []  # type: list[Worker]
        self._blocked = {}  # type: dict[Worker, Wake]
        self._workers = 0
        self._driver = allocate_lock()
        self._driver.acquire()
        self._until = None  # type: Callable[[], object] | None
        self._limit = FOREVER
        self._reason = NOTHING_LEFT
        self._failure = None  # type: BaseException | None
        self._steps = 0
        self._polls = 0
        self._beats = 0
        self._running = False
        self._closed = False
        self._bell = None  # type: Any
        self._inbox = deque()  # type: deque[Appointment]
        self.expected = 0
        self.is_open = False

    def now(self):
        # type: () -> float
        """Seconds since the clock was made."""
        if self.real_time:
            self._now = max(self._now, (real_monotonic() - self._start) * self.speed)
        return self._now

    def calm(self):
        # type: () -> bool
        """Whether no task is ready at the present instant."""
        ready = self._ready
        while ready and ready[0].state is not WAITING:
            ready.popleft()
        return not ready

    def progress(self):
        # type: () -> tuple[float, int, int, int]
        """What changes as long as tasks come and go, time passes or a task asks for something."""
        return self._now, self._steps, self._polls, self._beats

    def _push(self, appointment):
        # type: (Appointment) -> None
        self._asked += 1
        heapq.heappush(self._later, (appointment.due, self._asked, appointment))

    def _wake_at(self, wake):
        # type: (Wake) -> None
        if wake.due > self._now:
            self._push(wake)
        else:
            self._ready.append(wake)

    def _earliest(self):
        # type: () -> float
        later = self._later
        while later and later[0][2].state is not WAITING:
            heapq.heappop(later)
        return later[0][0] if later else FOREVER

    def _may_jump(self, due):
        # type: (float) -> bool
        """Lets the time pass without a switch, if nothing else comes first and nobody waits for this moment."""
        if self._closed or not self.calm() or self._earliest() <= due or due > self._limit or self._attends():
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
        self._steps = self._polls = 0
        if not self.real_time:
            self._now = due
            return
        while not self._closed and self.now() < due:
            real_sleep(min((due - self._now) / self.speed, 0.05))

    def _attends(self):
        # type: () -> bool
        """Whether news may come from outside."""
        return self.is_open or self.expected > 0

    def _take_in(self):
        # type: () -> None
        """Makes ready what other threads have handed in."""
        while self._inbox:
            # Each brings its own share of things to do, and no more: a loop is still noticed.
            self._steps -= SHARE
            self._ready.append(self._inbox.popleft())

    def _hears_before(self, due):
        # type: (float) -> bool
        """Waits for news from outside; False when it is time for what is due.

        Real time passes up to `due` or the end of the run; virtual time stands still while news is expected.
        """
        while not self._closed and not self._inbox:
            seconds = BEAT
            if self.real_time:
                left = min(due, self._limit) - self.now()
                if left <= 0:
                    return False
                seconds = min(left / self.speed, BEAT)
            elif not self.expected:
                return False
            self._beats += 1
            self._steps = self._polls = 0
            if not self._bell.wait(seconds) and self._until is not None and self._holds():
                break
        return True

    def _next(self):
        # type: () -> Appointment | None
        """The next thing to run, letting time pass up to it; None when the run is over."""
        ready = self._ready
        while self._failure is None and not self._closed:
            self._take_in()
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
            if self._attends() and self._hears_before(due):
                continue
            if due > self._limit or due == FOREVER:
                self._run_out(due)
                return None
            self._pass(due)
            while self._later and self._later[0][0] <= self._now:
                ready.append(heapq.heappop(self._later)[2])
        return None

    def _run_out(self, due):
        # type: (float) -> None
        """Ends the run: at its limit when something is due later, or when only the time itself was waited for."""
        if self._limit == FOREVER or (due == FOREVER and self._until is not None and not self._attends()):
            self._reason = NOTHING_LEFT
        else:
            self._pass(max(self._limit, self._now))
            self._reason = TIME_PASSED

    def _block(self, worker, wake):
        # type: (Worker, Wake) -> None
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
        # type: (Worker) -> None
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
        # type: () -> Worker
        if self._idle:
            return self._idle.pop()
        self._workers += 1
        if self._workers > MOST_WORKERS and self._failure is None:
            self._failure = Overrun("more than %d box handlers block at the same time" % MOST_WORKERS)
        worker = Worker(self)
        start_new_thread(self._work, (worker,))
        return worker

    def _work(self, worker):
        # type: (Worker) -> None
        worker.ticket.acquire()
        # At the interpreter's end 2.7 empties modules under running threads.
        workers, known, ident = WORKERS, KNOWN_THREADS, get_ident()
        workers[ident] = worker
        try:
            while not worker.ended:
                self._turn(worker)
        finally:
            del workers[ident]
            known.pop(ident, None)

    def _turn(self, worker):
        # type: (Worker) -> None
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
            self._polls = 0
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
