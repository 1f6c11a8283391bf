"""Threads, timers, locks and events for scripts, on the robot's clock instead of the machine's."""

from __future__ import absolute_import, division, print_function

from naosim.compat import get_ident, real_sleep
from naosim.kernel.clock import here
from naosim.kernel.sim_event import SimEvent
from naosim.world.callbacks import guarded, present_world

MYPY = False
if MYPY:
    from typing import Any

    from naosim.kernel.clock import Clock, ScheduledCall


class TimerTask(object):
    """A `threading.Timer` on the robot's clock."""

    daemon = False
    name = "Timer"

    def __init__(self, interval, function, args=(), kwargs=None):
        # type: (float, Any, Any, dict[str, Any] | None) -> None
        self._world = present_world()
        self.interval = interval
        self._call = (function, tuple(args or ()), dict(kwargs or {}))
        self._done = SimEvent(self._world.clock)
        self._scheduled = None  # type: ScheduledCall | None

    def start(self):  # type: () -> None
        """Start the timer; raises RuntimeError the second time."""
        if self._scheduled is not None:
            raise RuntimeError("threads can only be started once")
        self._scheduled = self._world.clock.later_for(self._call[0], self.interval, self._run)

    def cancel(self):  # type: () -> None
        """Cancel the timer, if its function does not run yet."""
        if self._scheduled is not None:
            self._scheduled.cancel()
        self._done.set()

    def join(self, timeout=None):  # type: (float | None) -> None
        """Wait until the function has run or the timer was cancelled, at most so many seconds."""
        self._world.clock.wait(self._done, timeout)

    def is_alive(self):  # type: () -> bool
        """Tell whether the timer was started and has neither run nor been cancelled."""
        return self._scheduled is not None and not self._done.is_set

    isAlive = is_alive

    def setDaemon(self, daemon):  # type: (bool) -> None
        """Accept and ignore the flag: tasks end with the robot."""

    def setName(self, name):  # type: (str) -> None
        """Set the name."""
        self.name = name

    def _run(self):  # type: () -> None
        function, args, kwargs = self._call
        try:
            guarded(self._world, function, *args, **kwargs)
        finally:
            self._done.set()


class TaskLock(object):
    """A `threading.Lock` between tasks; a task that waits for it lets the others run."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._freed = SimEvent(clock)
        self._held = False

    def acquire(self, blocking=True, timeout=-1):  # type: (object, float) -> bool
        """Take the lock; return False when it is held and may not be waited for, or not any longer."""
        end = None if timeout is None or timeout < 0 else self._clock.now() + timeout
        while self._held:
            left = None if end is None else end - self._clock.now()
            if not blocking or (left is not None and left <= 0):
                return False
            _pause(self._clock, self._freed, left)
        self._held = True
        return True

    def release(self):  # type: () -> None
        """Release the lock; raises RuntimeError when it is free."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False
        self._freed.set()
        self._freed.clear()

    def locked(self):  # type: () -> bool
        """Tell whether the lock is held."""
        return self._held

    acquire_lock, release_lock, locked_lock = acquire, release, locked

    def _at_fork_reinit(self):  # type: () -> None
        """Free the lock; some modules of Python 3 register this method with `os` when they are first imported."""
        self._held = False

    def __enter__(self):  # type: () -> bool
        return self.acquire()

    def __exit__(self, *_error):  # type: (*Any) -> None
        self.release()


class TaskRLock(object):
    """A `threading.RLock` between tasks."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._lock = TaskLock(clock)
        self._owner = None  # type: int | None
        self._depth = 0

    def acquire(self, blocking=True, timeout=-1):  # type: (object, float) -> bool
        """Take the lock, once more if the task holds it already; return False as the plain lock does."""
        if self._owner != get_ident() and not self._lock.acquire(blocking, timeout):
            return False
        self._owner = get_ident()
        self._depth += 1
        return True

    def release(self):  # type: () -> None
        """Release the lock once; raises RuntimeError when the task does not hold it."""
        if self._owner != get_ident():
            raise RuntimeError("cannot release un-acquired lock")
        self._depth -= 1
        if not self._depth:
            self._owner = None
            self._lock.release()

    def __enter__(self):  # type: () -> bool
        return self.acquire()

    def __exit__(self, *_error):  # type: (*Any) -> None
        self.release()


class TaskEvent(object):
    """A `threading.Event` between tasks."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._event = SimEvent(clock)

    def set(self):  # type: () -> None
        """Set the event and wake all who wait."""
        self._event.set()

    def clear(self):  # type: () -> None
        """Clear the event."""
        self._event.clear()

    def is_set(self):  # type: () -> bool
        """Tell whether the event is set."""
        return self._event.is_set

    isSet = is_set

    def wait(self, timeout=None):  # type: (float | None) -> bool
        """Wait until the event is set; return False when the time is up first."""
        if not self._event.is_set:
            _pause(self._clock, self._event, timeout)
        return self._event.is_set


class TaskCondition(object):
    """A `threading.Condition` between tasks."""

    def __init__(self, clock, lock=None):  # type: (Clock, Any) -> None
        self._clock = clock
        self._lock = lock if lock is not None else TaskRLock(clock)
        self._waiting = []  # type: list[SimEvent]
        self.acquire = self._lock.acquire
        self.release = self._lock.release

    def wait(self, timeout=None):  # type: (float | None) -> bool
        """Release the lock until notified; return False when the time is up first."""
        notified = SimEvent(self._clock)
        self._waiting.append(notified)
        self.release()
        try:
            _pause(self._clock, notified, timeout)
        finally:
            self.acquire()
            if notified in self._waiting:
                self._waiting.remove(notified)
        return notified.is_set

    def notify(self, n=1):  # type: (int) -> None
        """Wake so many of the tasks that wait, in the order in which they began."""
        woken, self._waiting = self._waiting[:n], self._waiting[n:]
        for notified in woken:
            notified.set()

    def notify_all(self):  # type: () -> None
        """Wake all tasks that wait."""
        self.notify(len(self._waiting))

    notifyAll = notify_all

    def __enter__(self):  # type: () -> Any
        return self._lock.__enter__()

    def __exit__(self, *error):  # type: (*Any) -> None
        self._lock.__exit__(*error)


def start_thread(thread):  # type: (Any) -> None
    """Start a thread inside a robot, as `Thread.start` does: its `run` becomes a task."""
    if getattr(thread, "_naosim_done", None) is not None:
        raise RuntimeError("threads can only be started once")
    world = present_world()
    thread._naosim_done = SimEvent(world.clock)
    world.clock.soon_for(thread.run, _run_thread, world, thread.run, thread._naosim_done)


def start_function(function, args, kwargs=None):  # type: (Any, tuple[Any, ...], dict[str, Any] | None) -> int
    """Start a function inside a robot, as `thread.start_new_thread` does: it becomes a task; return a number."""
    world = present_world()
    world.clock.soon_for(function, lambda: guarded(world, function, *args, **(kwargs or {})))
    return world.next_task_number()


def _run_thread(world, run, event):  # type: (Any, Any, SimEvent) -> None
    try:
        guarded(world, run)
    finally:
        event.set()


def _pause(clock, event, seconds):  # type: (Clock, SimEvent, float | None) -> None
    """Wait for an event inside a task; a thread outside the robot just sleeps a millisecond before it looks again."""
    if here() is clock:
        clock.wait(event, seconds)
    else:
        real_sleep(0.001)
