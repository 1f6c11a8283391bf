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
    """`threading.Timer` on the clock."""

    daemon = False
    name = "Timer"

    def __init__(self, interval, function, args=(), kwargs=None):
        # type: (float, Any, Any, dict[str, Any] | None) -> None
        self._world = present_world()
        self.interval = interval
        self._call = (function, tuple(args or ()), dict(kwargs or {}))
        self._done = SimEvent(self._world.clock)
        self._scheduled = None  # type: ScheduledCall | None

    def start(self):
        # type: () -> None
        """Begins to count; raises RuntimeError the second time."""
        if self._scheduled is not None:
            raise RuntimeError("threads can only be started once")
        self._scheduled = self._world.clock.later_for(self._call[0], self.interval, self._run)

    def cancel(self):
        # type: () -> None
        """Ends the count, if it has not come to its end."""
        if self._scheduled is not None:
            self._scheduled.cancel()
        self._done.set()

    def join(self, timeout=None):
        # type: (float | None) -> None
        """Waits for its end."""
        self._world.clock.wait(self._done, timeout)

    def is_alive(self):
        # type: () -> bool
        """Whether it counts or runs."""
        return self._scheduled is not None and not self._done.is_set

    isAlive = is_alive

    def setDaemon(self, daemon):
        # type: (bool) -> None
        """Is accepted."""

    def setName(self, name):
        # type: (str) -> None
        """Gives it a name."""
        self.name = name

    def _run(self):
        # type: () -> None
        function, args, kwargs = self._call
        try:
            guarded(self._world, function, *args, **kwargs)
        finally:
            self._done.set()


class TaskLock(object):
    """`threading.Lock` between tasks; a task that waits for it lets the others run."""

    def __init__(self, clock):
        # type: (Clock) -> None
        self._clock = clock
        self._freed = SimEvent(clock)
        self._held = False

    def acquire(self, blocking=True, timeout=-1):
        # type: (object, float) -> bool
        """Takes the lock; False when it is held and may not be waited for."""
        end = None if timeout is None or timeout < 0 else self._clock.now() + timeout
        while self._held:
            left = None if end is None else end - self._clock.now()
            if not blocking or (left is not None and left <= 0):
                return False
            _pause(self._clock, self._freed, left)
        self._held = True
        return True

    def release(self):
        # type: () -> None
        """Gives the lock back; raises RuntimeError when it is free."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False
        self._freed.set()
        self._freed.clear()

    def locked(self):
        # type: () -> bool
        """Whether somebody holds it."""
        return self._held

    acquire_lock, release_lock, locked_lock = acquire, release, locked

    def _at_fork_reinit(self):
        # type: () -> None
        """Is asked for by modules of Python 3 that a script is the first to import."""
        self._held = False

    def __enter__(self):
        # type: () -> bool
        return self.acquire()

    def __exit__(self, *_error):
        # type: (*Any) -> None
        self.release()


class TaskRLock(object):
    """`threading.RLock` between tasks."""

    def __init__(self, clock):
        # type: (Clock) -> None
        self._lock = TaskLock(clock)
        self._owner = None  # type: int | None
        self._depth = 0

    def acquire(self, blocking=True, timeout=-1):
        # type: (object, float) -> bool
        """Takes the lock, once more if it is one's own."""
        if self._owner != get_ident() and not self._lock.acquire(blocking, timeout):
            return False
        self._owner = get_ident()
        self._depth += 1
        return True

    def release(self):
        # type: () -> None
        """Gives the lock back once; raises RuntimeError when it is not one's own."""
        if self._owner != get_ident():
            raise RuntimeError("cannot release un-acquired lock")
        self._depth -= 1
        if not self._depth:
            self._owner = None
            self._lock.release()

    def __enter__(self):
        # type: () -> bool
        return self.acquire()

    def __exit__(self, *_error):
        # type: (*Any) -> None
        self.release()


class TaskEvent(object):
    """`threading.Event` between tasks."""

    def __init__(self, clock):
        # type: (Clock) -> None
        self._clock = clock
        self._event = SimEvent(clock)

    def set(self):
        # type: () -> None
        """Lets everybody through."""
        self._event.set()

    def clear(self):
        # type: () -> None
        """Makes everybody wait again."""
        self._event.clear()

    def is_set(self):
        # type: () -> bool
        """Whether everybody is let through."""
        return self._event.is_set

    isSet = is_set

    def wait(self, timeout=None):
        # type: (float | None) -> bool
        """Waits to be let through; False when the time is over first."""
        if not self._event.is_set:
            _pause(self._clock, self._event, timeout)
        return self._event.is_set


class TaskCondition(object):
    """`threading.Condition` between tasks."""

    def __init__(self, clock, lock=None):
        # type: (Clock, Any) -> None
        self._clock = clock
        self._lock = lock if lock is not None else TaskRLock(clock)
        self._waiting = []  # type: list[SimEvent]
        self.acquire = self._lock.acquire
        self.release = self._lock.release

    def wait(self, timeout=None):
        # type: (float | None) -> bool
        """Gives the lock back until notified; False when the time is over first."""
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

    def notify(self, n=1):
        # type: (int) -> None
        """Wakes so many of those who wait."""
        woken, self._waiting = self._waiting[:n], self._waiting[n:]
        for notified in woken:
            notified.set()

    def notify_all(self):
        # type: () -> None
        """Wakes all who wait."""
        self.notify(len(self._waiting))

    notifyAll = notify_all

    def __enter__(self):
        # type: () -> Any
        return self._lock.__enter__()

    def __exit__(self, *error):
        # type: (*Any) -> None
        self._lock.__exit__(*error)


def start_thread(thread):
    # type: (Any) -> None
    """`Thread.start` inside a robot: its `run` becomes a task."""
    if getattr(thread, "_naosim_done", None) is not None:
        raise RuntimeError("threads can only be started once")
    world = present_world()
    thread._naosim_done = SimEvent(world.clock)
    world.clock.soon_for(thread.run, _run_thread, world, thread.run, thread._naosim_done)


def start_function(function, args, kwargs=None):
    # type: (Any, tuple[Any, ...], dict[str, Any] | None) -> int
    """`thread.start_new_thread` inside a robot: the function becomes a task."""
    world = present_world()
    world.clock.soon_for(function, lambda: guarded(world, function, *args, **(kwargs or {})))
    return world.next_task_number()


def _run_thread(world, run, event):
    # type: (Any, Any, SimEvent) -> None
    try:
        guarded(world, run)
    finally:
        event.set()


def _pause(clock, event, seconds):
    # type: (Clock, SimEvent, float | None) -> None
    """Waits inside a task; a thread outside the robot can only look again in a moment."""
    if here() is clock:
        clock.wait(event, seconds)
    else:
        real_sleep(0.001)
