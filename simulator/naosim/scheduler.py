"""The scheduler of a clock: it runs tasks one at a time, in a fixed order.

A `_Timetable` keeps the time and the scheduled calls. A `Scheduler` runs them on worker threads. Tasks wait for a
`SimEvent` in simulated time. A wakeup signal from another thread ends a wait in real time. A watchdog ends a task that
never waits.
"""

from __future__ import absolute_import, division, print_function

import errno
import heapq
import os
import select
import sys
from collections import deque

from naosim import compat
from naosim.errors import NaosimError, Overrun, WrongUse

MYPY = False
if MYPY:
    from typing import Any, Callable

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


def outside_tasks(call, *args):  # type: (Any, *Any) -> None
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
    check for calls that a behaviour left behind reads it.
    """

    __slots__ = ("args", "call", "due", "owner", "state")
    #: The worker whose blocked task a `Wake` resumes; None for other calls.
    sleeper = None  # type: Worker | None

    def __init__(self, due, call, args, owner=None):  # type: (float, Any, tuple[Any, ...], Any) -> None
        self.due = due
        self.call = call
        self.args = args
        self.owner = owner
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

    def __init__(self, clock):  # type: (Any) -> None
        self.clock = clock  # type: Any
        self.ticket = compat.allocate_lock()
        self.ticket.acquire()
        self.first = None  # type: ScheduledCall | None
        self.task = None  # type: ScheduledCall | None
        self.ended = False
        self.refusals = 0


class SimEvent(object):
    """An event in simulated time, such as the end of a sentence: tasks wait until it is set."""

    __slots__ = ("_clock", "_waiting", "is_set")

    def __init__(self, clock):  # type: (_Timetable) -> None
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


# The time and the scheduled calls.

# The reasons for which a run ends.
UNTIL = "until"
TIME_PASSED = "time passed"
NOTHING_LEFT = "nothing left"

_MAX_CALLS_AT_ONE_INSTANT = 100000  # calls that may run without time passing; more mean an endless loop
#: Each call from outside raises that limit by this number, so that many of them are not taken for an endless loop.
_CALLS_PER_OUTSIDE_CALL = 20
#: Real seconds between two signs of life while a run only waits for calls from outside; the watchdog waits longer.
_HEARTBEAT_S = 1.0
FOREVER_S = float("inf")
_STEP_MARGIN_S = 1e-6  # seconds by which a step goes beyond the next call, because a sum of floats can fall short of it


class _Timetable(object):
    """The time, the calls that are ready or due later, and the choice of the next one; `Scheduler` runs them."""

    def __init__(self, real_time=False, speed=1.0):  # type: (bool, float) -> None
        self.real_time = real_time
        self.speed = speed
        self.host = None  # type: Any
        self._start, self._since = compat.real_monotonic(), 0.0
        self._now = 0.0
        self._pushed = 0
        self._ready = deque()  # type: deque[ScheduledCall]
        self._later = []  # type: list[tuple[float, int, ScheduledCall]]
        self._until = None  # type: Callable[[], object] | None
        self._limit = FOREVER_S
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
        """Return the time in seconds since the clock was made."""
        if self.real_time:
            self._now = max(self._now, self._since + (compat.real_monotonic() - self._start) * self.speed)
        return self._now

    def pace(self, speed):  # type: (float) -> None
        """Change the speed of real time; at 0 it is paused, but calls from outside still run."""
        self._since, self._start = self.now(), compat.real_monotonic()
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
        self._ready.append(scheduled)

    def fail(self, error):  # type: (BaseException) -> None
        """End the run with this error, unless it already fails with an earlier one."""
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
        return later[0][0] if later else FOREVER_S

    def _may_jump(self, due):  # type: (float) -> bool
        """Let the time pass to `due` without switching tasks; return False if something else must run first.

        Also return False if the run can end by then, or if calls from outside can arrive.
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
        while not self._closed and self.now() < due:
            compat.real_sleep(min((due - self._now) / self.speed, 0.05))

    def _expects_calls(self):  # type: () -> bool
        return self.is_open or self.expected > 0

    def _take_in(self):  # type: () -> None
        """Queue the calls that other threads have scheduled."""
        if self._ready and self.is_open:
            self._wait(0)  # A clock that never waits hears of them, too.
        while self._inbox:
            self._steps -= _CALLS_PER_OUTSIDE_CALL
            self._ready.append(self._inbox.popleft())

    def _called_before(self, due):  # type: (float) -> bool
        """Wait for calls from outside; return False when it is time for the next scheduled call.

        Real time passes up to `due` or the end of the run. Virtual time is paused while calls are expected.
        """
        while not self._closed and not self._inbox and self._failure is None:
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

    def _next(self):  # type: () -> ScheduledCall | None
        """Return the next call to run, after letting time pass up to it; None when the run is over."""
        ready = self._ready
        while self._failure is None and not self._closed:
            self._take_in()
            while ready:
                scheduled = ready.popleft()
                if scheduled.state is WAITING:
                    return scheduled if self._count() else None
            if self._until is not None and self._holds():
                self._reason = UNTIL
                return None
            due = self._earliest()
            if self._expects_calls() and self._called_before(due):
                continue
            if due > self._limit or due == FOREVER_S:
                self._run_out(due)
                return None
            self._pass(due)
            while self._later and self._later[0][0] <= self._now:
                ready.append(heapq.heappop(self._later)[2])
        return None

    def _run_out(self, due):  # type: (float) -> None
        """Set the reason why the run ends; let the rest of its time pass if it has a limit."""
        if self._limit == FOREVER_S or (due == FOREVER_S and self._until is not None and not self._expects_calls()):
            self._reason = NOTHING_LEFT
        else:
            self._pass(max(self._limit, self._now))
            self._reason = TIME_PASSED


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


_READ_SIGNS = 64  # bytes that are read at once; each is a signal


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

_MAX_WORKERS = 256  # threads of one clock; a behaviour in which more tasks block at once has a fault


class Scheduler(_Timetable):
    """The part of a clock that passes control from thread to thread.

    A task that blocks chooses the next call and wakes the thread that runs it. The driver's thread only waits until the
    run is over.
    """

    def __init__(self, real_time=False, speed=1.0):  # type: (bool, float) -> None
        _Timetable.__init__(self, real_time, speed)
        self._idle = []  # type: list[Worker]
        self._blocked = {}  # type: dict[Worker, Wake]
        self._workers = 0
        self._driver = compat.allocate_lock()
        self._driver.acquire()
        self._seen, self._seen_at = self.progress(), 0.0
        #: Gets an error that ends the call of an owner, so that it does not end the run.
        self.on_error = None  # type: Callable[[ScheduledCall, BaseException], None] | None

    def driver_returns(self, seconds):  # type: (float) -> bool
        """Wait up to `seconds` real seconds for the end of the run; return whether it has ended."""
        return compat.take(self._driver, seconds)

    def busy(self):  # type: () -> list[tuple[int, Worker]]
        """List the identifiers and workers of the threads that run a task of this clock and are not blocked."""
        return [
            (ident, worker)
            for ident, worker in list(WORKERS.items())
            if worker.clock is self and worker.task is not None and worker not in self._blocked
        ]

    def check_turn(self):  # type: () -> None
        """End the calling task by raising TaskEnded if it has kept all others from running for too long."""
        reached, now = self.progress(), compat.real_monotonic()
        if reached != self._seen:
            self._seen, self._seen_at = reached, now
        elif now - self._seen_at > MAX_TURN_S:
            self.fail(_never_waits(sys._getframe()))
            raise TaskEnded("the task never waits")

    def _block(self, worker, wake):  # type: (Worker, Wake) -> None
        """Park the calling worker and run other calls until its wake is next."""
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
        """End a task of a closed clock by raising TaskEnded; park a task for good that catches it 1000 times."""
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
        self._workers += 1
        if self._workers > _MAX_WORKERS and self._failure is None:
            self._failure = Overrun("more than %d box handlers block at the same time" % _MAX_WORKERS)
        worker = Worker(self)
        compat.start_new_thread(self._work, (worker,))
        return worker

    def _work(self, worker):  # type: (Worker) -> None
        worker.ticket.acquire()
        # Local names: when the interpreter ends, 2.7 clears module globals while this thread may still run.
        workers, known, ident = WORKERS, compat.KNOWN_THREADS, compat.get_ident()
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
                self._call(chosen)
            except TaskEnded:
                pass
            except SystemExit as error:
                self._failure = self._failure or WrongUse("a task called sys.exit(%s), which ends no robot" % error)
            except BaseException as error:
                self._failure = self._failure or error
            chosen.state = DONE
            worker.task = None

    def _call(self, chosen):  # type: (ScheduledCall) -> None
        """Make a scheduled call; an error in a call with an owner goes to `on_error`, if that is set."""
        try:
            chosen.call(*chosen.args)
        except (TaskEnded, KeyboardInterrupt, NaosimError):
            raise
        except BaseException as error:
            if chosen.owner is None or self.on_error is None:
                raise
            self.on_error(chosen, error)


# The watchdog, which ends a task that never waits, such as a loop without sleep.

MAX_TURN_S = 15.0  # real seconds that a task can keep all others from running
MAX_TASK_END_S = 1.0  # real seconds to wait for the end of a task after raising TaskEnded in it
_MAX_END_TRIES = 5  # attempts to end a task that catches TaskEnded


def await_end(clock):  # type: (Scheduler) -> bool
    """Wait for the end of a run and end a task that never waits; return False if that fails."""
    seen = clock.progress()
    while not clock.driver_returns(MAX_TURN_S):
        reached = clock.progress()
        if reached == seen:
            return _end_task(clock)
        seen = reached
    return True


def _end_task(clock):  # type: (Scheduler) -> bool
    """Raise TaskEnded inside the busy task, again if it catches that; return whether the run has ended."""
    import ctypes  # Imported here because few runs need it, and a small Python can lack it.

    for _ in range(_MAX_END_TRIES):
        for ident, _worker in clock.busy():
            clock.fail(_never_waits(sys._current_frames().get(ident)))
            number = ctypes.c_long(ident) if compat.PY2 else ctypes.c_ulong(ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(TaskEnded))
        if clock.driver_returns(MAX_TASK_END_S):
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
