"""The scheduler of a clock: worker threads that run tasks, never two at once, in a fixed order.

A task that blocks chooses what runs next and wakes the thread that has to run it; the driver's thread only waits until
a run is over. The base of `Clock`.
"""

from __future__ import absolute_import, division, print_function

from naosim.compat import KNOWN_THREADS, allocate_lock, get_ident, start_new_thread, take
from naosim.errors import Overrun, WrongUse
from naosim.kernel.tasks import DONE, RUNNING, WORKERS, ScheduledCall, TaskEnded, Worker
from naosim.kernel.timetable import Timetable

MYPY = False
if MYPY:
    from typing import Any

    from naosim.kernel.tasks import Wake

MOST_WORKERS = 256


class Scheduler(Timetable):
    """The part of a clock that passes control from thread to thread."""

    def __init__(self, real_time=False, speed=1.0):  # type: (bool, float) -> None
        Timetable.__init__(self, real_time, speed)
        self._idle = []  # type: list[Worker]
        self._blocked = {}  # type: dict[Worker, Wake]
        self._workers = 0
        self._driver = allocate_lock()
        self._driver.acquire()

    def driver_returns(self, seconds):  # type: (float) -> bool
        """Wait for so many real seconds for the end of the run; return False when it has not ended."""
        return take(self._driver, seconds)

    def busy(self):  # type: () -> list[tuple[int, Worker]]
        """List the threads that run a task of this clock and are not blocked, each with its identifier."""
        return [
            (ident, worker)
            for ident, worker in list(WORKERS.items())
            if worker.clock is self and worker.task is not None and worker not in self._blocked
        ]

    def _block(self, worker, wake):  # type: (Worker, Wake) -> None
        """Park the calling worker and let other threads run until the wake is the next to run."""
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

    def _refuse(self, worker):  # type: (Worker) -> None
        """End a task of a closed clock by raising TaskEnded; one that catches it 1000 times is parked for good."""
        worker.refusals += 1
        if worker.refusals > 1000:
            self._driver.release()
            worker.ticket.acquire()
        raise TaskEnded("the clock is closed")

    def _target(self, chosen):  # type: (ScheduledCall | None) -> Any
        """Return the lock to release so that what was chosen runs; None returns control to the driver."""
        if chosen is None:
            return self._driver
        if chosen.sleeper is not None:
            return chosen.sleeper.ticket
        other = self._idle_worker()
        other.first = chosen
        return other.ticket

    def _idle_worker(self):  # type: () -> Worker
        if self._idle:
            return self._idle.pop()
        self._workers += 1
        if self._workers > MOST_WORKERS and self._failure is None:
            self._failure = Overrun("more than %d box handlers block at the same time" % MOST_WORKERS)
        worker = Worker(self)
        start_new_thread(self._work, (worker,))
        return worker

    def _work(self, worker):  # type: (Worker) -> None
        worker.ticket.acquire()
        # Local names: when the interpreter ends, 2.7 clears module globals while this thread may still run.
        workers, known, ident = WORKERS, KNOWN_THREADS, get_ident()
        workers[ident] = worker
        try:
            while not worker.ended:
                self._turn(worker)
        finally:
            del workers[ident]
            known.pop(ident, None)

    def _turn(self, worker):  # type: (Worker) -> None
        """Run tasks until another thread has to run, then park."""
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
