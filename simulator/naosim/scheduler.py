"""The parts of a clock: scheduled calls, events, wakeup signals, and the worker threads that run tasks.

`Workers` run the calls that a clock chooses, one at a time. Tasks wait for a `SimEvent` in simulated time. A wakeup
signal from another thread ends a wait in real time. A watchdog ends a task that never waits.
"""

from __future__ import absolute_import, division, print_function

import errno
import os
import select
import sys

from naosim import compat
from naosim.errors import NaosimError, Overrun, WrongUse

MYPY = False
if MYPY:
    from typing import Any, Callable, Protocol

    class TaskClock(Protocol):
        """The clock as events and workers need it."""

        is_closed = False  # type: bool
        #: Gets an error that ends the call of an owner, so that it does not end the run.
        on_error = None  # type: Callable[[ScheduledCall, BaseException], None] | None

        def next_call(self):  # type: () -> ScheduledCall | None
            """Return the next call to run, None when the run is over."""

        def make_ready(self, scheduled):  # type: (ScheduledCall) -> None
            """Let a call run now, after all calls that are ready."""

        def fail(self, error):  # type: (BaseException) -> None
            """End the run with this error."""

        def progress(self):  # type: () -> tuple[float, int, int, int]
            """Return a value that changes whenever a task runs, time passes or a task calls the robot."""

        def check_turn(self):  # type: () -> None
            """End the calling task if it has run for too long."""


# Tasks of a clock.

# States of a scheduled call.
WAITING = "waiting"
RUNNING = "running"
DONE = "done"
_CANCELLED = "cancelled"

#: The workers of all clocks in this process, by thread identifier.
WORKERS = {}  # type: dict[int, Worker]


class TaskEnded(BaseException):
    """Raised inside a task to end it: its clock was closed, it never waited, or the real time is up."""


def outside_tasks(call, *args):  # type: (Any, *object) -> None
    """Make a call as if no task were running, so that what an observer prints does not count as a script's output."""
    ident = compat.get_ident()
    worker = WORKERS.pop(ident, None)
    try:
        call(*args)
    finally:
        if worker is not None:
            WORKERS[ident] = worker


class ScheduledCall(object):
    """A call that is due at the time `due`.

    `owner` is the script's callback, box, diagram or behaviour that the call belongs to; None for the robot itself. The
    check for calls that a behaviour left behind reads it. A call that `is_routine` only repeats itself, as a look at
    people who stay: nobody waits for it.
    """

    __slots__ = ("args", "call", "due", "is_routine", "owner", "state")
    #: The worker whose blocked task a `Wake` resumes; None for other calls.
    sleeper = None  # type: Worker | None

    def __init__(self, due, call, args, owner=None):  # type: (float, Any, tuple[object, ...], object) -> None
        self.due = due
        self.call = call
        self.args = args
        self.owner = owner
        self.is_routine = False
        self.state = WAITING

    def cancel(self):  # type: () -> bool
        """Cancel the call; return False if it has run, is running or was cancelled before."""
        if self.state is not WAITING:
            return False
        self.state = _CANCELLED
        return True


class Wake(ScheduledCall):
    """The moment at which a blocked task resumes; `opened` is True if the event that it waited for was set."""

    __slots__ = ("opened", "sleeper")

    def __init__(self, due, sleeper):  # type: (float, Worker) -> None
        ScheduledCall.__init__(self, due, None, ())
        self.sleeper = sleeper  # type: Worker
        self.opened = False


class Worker(object):
    """A thread that runs tasks; it waits on its lock `ticket` for its turn."""

    __slots__ = ("clock", "ended", "first", "refusals", "task", "ticket")

    def __init__(self, clock):  # type: (TaskClock) -> None
        self.clock = clock
        self.ticket = compat.allocate_lock()
        self.ticket.acquire()
        self.first = None  # type: ScheduledCall | None
        self.task = None  # type: ScheduledCall | None
        self.ended = False
        self.refusals = 0


class SimEvent(object):
    """An event in simulated time, such as the end of a sentence: tasks wait until it is set."""

    __slots__ = ("_clock", "_waiting", "is_set")

    def __init__(self, clock):  # type: (TaskClock) -> None
        self.is_set = False
        self._clock = clock
        self._waiting = []  # type: list[Wake]

    def set(self):  # type: () -> None
        """Set the event and wake the waiting tasks in the order in which they began to wait."""
        self.is_set = True
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for wake in waiting:
                wake.opened = True
                self._clock.make_ready(wake)

    def clear(self):  # type: () -> None
        """Clear the event, so that tasks wait for it again."""
        self.is_set = False

    def add(self, wake):  # type: (Wake) -> None
        """Add the wake of a task that waits for the event."""
        self._waiting.append(wake)

    def discard(self, wake):  # type: (Wake) -> None
        """Remove the wake of a task that no longer waits, if it is there."""
        if wake in self._waiting:
            self._waiting.remove(wake)


# Wakeup signals: other threads wake a run that waits for real time or for calls from outside.


class _LockWakeup(object):
    """A wakeup signal for Python 3: a lock, because its locks wait with a time-out."""

    def __init__(self):  # type: () -> None
        self._lock = compat.allocate_lock()  # type: Any
        self._lock.acquire()

    def send(self):  # type: () -> None
        """Wake the thread that waits now, else the next one; sending twice counts once."""
        try:
            self._lock.release()
        except RuntimeError:
            pass  # It was sent before, and no thread has waited since.

    def wait(self, seconds):  # type: (float) -> bool
        """Wait up to `seconds` real seconds; return whether the signal was sent."""
        return bool(self._lock.acquire(True, seconds))

    def close(self):  # type: () -> None
        """Do nothing: a lock needs no clean-up."""


_READ_SIGNS = 64  # bytes of one read; each is a signal


class PipeWakeup(object):
    """A wakeup signal for Python 2.7: a pipe, because its locks can wait with a time-out only by polling.

    `source` is a file, too, until it is closed: if there is something to read, the thread that waits calls its `read`.
    The calls that this schedules need no other thread and no other signal.
    """

    def __init__(self, source=None):  # type: (Any) -> None
        self._guard = compat.allocate_lock()
        self._sent = self._closed = False
        self._out, self._in = os.pipe()
        self._source = source

    def send(self):  # type: () -> None
        """Wake the thread that waits now, else the next one; sending twice counts once."""
        with self._guard:
            if not self._sent and not self._closed:
                self._sent = True
                os.write(self._in, b"!")

    def wait(self, seconds):  # type: (float) -> bool
        """Wait up to `seconds` real seconds; return whether the signal was sent."""
        files = [self._out] if self._source is None or self._source.closed else [self._out, self._source]
        try:
            readable, _, _ = compat.real_select(files, [], [], seconds)
        except select.error as error:
            if error.args[0] != errno.EINTR:
                raise
            return False
        if self._out in readable:
            with self._guard:
                os.read(self._out, _READ_SIGNS)
                self._sent = False
        if self._source in readable:
            self._read_source()
        return bool(readable)

    def _read_source(self):  # type: () -> None
        # No wakeup is needed: this thread is the one that waits.
        self._sent = True
        try:
            self._source.read()
        finally:
            self._sent = False

    def close(self):  # type: () -> None
        """Close the pipe."""
        with self._guard:
            if not self._closed:
                self._closed = True
                os.close(self._in)
                os.close(self._out)


def make_wakeup():  # type: () -> Any
    """Make the wakeup signal that suits this Python."""
    return PipeWakeup() if compat.PY2 else _LockWakeup()


# Worker threads, of which one runs at a time.

_MAX_WORKERS = 256  # threads of one clock; a behaviour in which more tasks block at the same time has a fault
MAX_TURN_S = 15.0  # real seconds that a task can keep all others from running
MAX_TASK_END_S = 1.0  # real seconds to wait for the end of a task after raising TaskEnded in it
_MAX_END_TRIES = 5  # attempts to end a task that catches TaskEnded


class Workers(object):
    """The threads that run the calls of a clock: they pass control from thread to thread.

    A task that blocks chooses the next call and wakes the thread that runs it. The driver's thread only waits until the
    run is over. `make_trace` makes the trace function of a worker's thread.
    """

    def __init__(self, clock, make_trace=None):  # type: (TaskClock, Callable[[Worker], Any] | None) -> None
        self._clock = clock
        self._make_trace = make_trace
        self._idle = []  # type: list[Worker]
        self._blocked = {}  # type: dict[Worker, Wake]
        self._count = 0
        self._driver = compat.allocate_lock()
        self._driver.acquire()
        self._seen, self._seen_at = clock.progress(), 0.0

    def start(self):  # type: () -> None
        """Let a worker begin the run."""
        self._idle_worker().ticket.release()

    def await_end(self):  # type: () -> bool
        """Wait for the end of a run and end a task that never waits; return False if that fails."""
        seen = self._clock.progress()
        while not self.driver_returns(MAX_TURN_S):
            reached = self._clock.progress()
            if reached == seen:
                return self._end_task()
            seen = reached
        return True

    def end(self, is_running):  # type: (bool) -> bool
        """End the run of a closed clock, then all tasks and threads; return False if a task cannot be ended."""
        if is_running and not self.driver_returns(MAX_TASK_END_S):
            return False
        for worker in list(self._blocked):
            worker.ticket.release()
            self.driver_returns(MAX_TASK_END_S)
        for worker in self._idle:
            worker.ended = True
            worker.ticket.release()
        return True

    def list_blocked_tasks(self):  # type: () -> list[ScheduledCall]
        """List the tasks that wait."""
        return [worker.task for worker in self._blocked if worker.task is not None]

    def driver_returns(self, seconds):  # type: (float) -> bool
        """Wait up to `seconds` real seconds for the end of the run; return whether it has ended."""
        return compat.take(self._driver, seconds)

    def check_turn(self):  # type: () -> None
        """End the calling task by raising TaskEnded if it has kept all others from running for too long."""
        reached, now = self._clock.progress(), compat.real_monotonic()
        if reached != self._seen:
            self._seen, self._seen_at = reached, now
        elif now - self._seen_at > MAX_TURN_S:
            self._clock.fail(_never_waits(sys._getframe()))
            raise TaskEnded("the task never waits")

    def block(self, worker, wake):  # type: (Worker, Wake) -> None
        """Park the calling worker and run other calls until its wake is next."""
        if self._clock.is_closed:
            self._refuse(worker)
        self._blocked[worker] = wake
        chosen = self._clock.next_call()
        if chosen is not wake:
            self._target(chosen).release()
            worker.ticket.acquire()
        wake.state = DONE
        del self._blocked[worker]
        if self._clock.is_closed:
            self._refuse(worker)

    def _refuse(self, worker):  # type: (Worker) -> None
        """End a task of a closed clock by raising TaskEnded; park a task forever that catches it 1000 times."""
        worker.refusals += 1
        if worker.refusals > 1000:
            self._driver.release()
            worker.ticket.acquire()
        raise TaskEnded("the clock is closed")

    def _target(self, chosen):  # type: (ScheduledCall | None) -> Any
        """Return the lock to release so that the chosen call runs; None returns control to the driver."""
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
        self._count += 1
        if self._count > _MAX_WORKERS:
            self._clock.fail(Overrun("more than %d box handlers block at the same time" % _MAX_WORKERS))
        worker = Worker(self._clock)
        compat.start_new_thread(self._work, (worker,))
        return worker

    def _work(self, worker):  # type: (Worker) -> None
        # Local names: when the interpreter ends, 2.7 clears module globals while this thread may still run.
        workers, known, ident, set_trace = WORKERS, compat.KNOWN_THREADS, compat.get_ident(), sys.settrace
        if self._make_trace is not None:
            set_trace(self._make_trace(worker))
        worker.ticket.acquire()
        workers[ident] = worker
        try:
            while not worker.ended:
                self._turn(worker)
        finally:
            if self._make_trace is not None:
                set_trace(None)
            del workers[ident]
            known.pop(ident, None)

    def _turn(self, worker):  # type: (Worker) -> None
        """Run tasks until another thread has to run, then park."""
        while True:
            chosen, worker.first = worker.first or self._clock.next_call(), None
            if chosen is None or chosen.sleeper is not None:
                self._idle.append(worker)
                self._target(chosen).release()
                worker.ticket.acquire()
                return
            worker.task = chosen
            chosen.state = RUNNING
            try:
                self._call(chosen)
            except TaskEnded:
                pass
            except SystemExit as error:
                self._clock.fail(WrongUse("a task called sys.exit(%s), which does not end the robot" % error))
            except BaseException as error:
                self._clock.fail(error)
            chosen.state = DONE
            worker.task = None

    def _call(self, chosen):  # type: (ScheduledCall) -> None
        """Make a scheduled call; an error in a call with an owner goes to the clock's `on_error`, if that is set."""
        try:
            chosen.call(*chosen.args)
        except (TaskEnded, KeyboardInterrupt, NaosimError):
            raise
        except BaseException as error:
            if chosen.owner is None or self._clock.on_error is None:
                raise
            self._clock.on_error(chosen, error)

    def _end_task(self):  # type: () -> bool
        """Raise TaskEnded inside the busy task, again if it catches that; return whether the run has ended."""
        import ctypes  # Imported here because few runs need it, and a small Python can lack it.

        for _ in range(_MAX_END_TRIES):
            for ident, worker in list(WORKERS.items()):
                if worker.clock is self._clock and worker.task is not None and worker not in self._blocked:
                    self._clock.fail(_never_waits(sys._current_frames().get(ident)))
                    number = ctypes.c_long(ident) if compat.PY2 else ctypes.c_ulong(ident)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(TaskEnded))
            if self.driver_returns(MAX_TASK_END_S):
                return True
        return False


def _check_calling_task():  # type: () -> None
    worker = WORKERS.get(compat.get_ident())
    if worker is not None:
        worker.clock.check_turn()


if compat.watch_loops is not None:
    compat.watch_loops(_check_calling_task, os.path.dirname(os.path.abspath(__file__)))


def _never_waits(frame):  # type: (Any) -> Overrun
    """Return the error for a task that runs this frame and never waits."""
    busy = "%s has kept the robot busy for more than %g seconds" % (_script_position(frame), MAX_TURN_S)
    return Overrun("%s: look for a loop without sleep" % busy)


def _script_position(frame):  # type: (Any) -> str
    """Return the box and the line of its script that a frame runs; only scripts have a global GeneratedClass."""
    while frame is not None and "GeneratedClass" not in frame.f_globals:
        frame = frame.f_back
    if frame is None:
        return "a task"
    return "box %s (line %d of the script)" % (compat.native(frame.f_code.co_filename), frame.f_lineno)
