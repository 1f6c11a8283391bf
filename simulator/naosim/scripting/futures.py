"""Futures and promises as the `qi` module has them, on the robot's clock."""
from __future__ import absolute_import, division, print_function

from naosim.compat import reason
from naosim.kernel.sim_event import SimEvent
from naosim.kernel.tasks import TaskEnded
from naosim.world.callbacks import name_of, present_world, soon_guarded

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.clock import ScheduledCall
    from naosim.world.world import World

FOREVER_MS = 0x7FFFFFFF


class FutureState(object):
    """The states of a future."""

    NoState, Running, Canceled, FinishedWithError, FinishedWithValue = 0, 1, 2, 3, 4


class FutureTimeout(object):
    """What a wait may be told instead of milliseconds."""

    Infinite, NoWait = FOREVER_MS, 0


class Future(object):
    """A value that comes later."""

    def __init__(self, world, on_cancel=None):
        # type: (World, Callable[[], Any] | None) -> None
        self._world = world
        self._done = SimEvent(world.clock)
        self._state = FutureState.Running
        self._value = None  # type: Any
        self._error = ""
        self._callbacks = []  # type: list[Callable[[Future], Any]]
        self._scheduled = None  # type: ScheduledCall | None
        self._on_cancel = on_cancel

    def wait(self, timeout=FOREVER_MS):
        # type: (int) -> int
        """Blocks until it is over or so many milliseconds have passed, and gives the state."""
        if not self._done.is_set:
            forever = timeout >= FOREVER_MS or timeout < 0
            if not (forever and self._scheduled is not None and self._world.clock.inline(self._scheduled)):
                self._world.clock.wait(self._done, None if forever else timeout / 1000.0)
        return self._state

    def value(self, timeout=FOREVER_MS):
        # type: (int) -> Any
        """The value, waited for; raises RuntimeError when there is none."""
        state = self.wait(timeout)
        if state == FutureState.FinishedWithValue:
            return self._value
        if state == FutureState.FinishedWithError:
            raise RuntimeError(self._error)
        raise RuntimeError("Future canceled." if state == FutureState.Canceled else "Future timeout.")

    def error(self, timeout=FOREVER_MS):
        # type: (int) -> str
        """The error, waited for; raises RuntimeError when there is none."""
        if self.wait(timeout) != FutureState.FinishedWithError:
            raise RuntimeError("Future has no error.")
        return self._error

    def cancel(self):
        # type: () -> None
        """Asks for an early end: what has not begun does not begin."""
        if self._scheduled is not None and self._scheduled.cancel():
            self.end(FutureState.Canceled)
        elif self._on_cancel is not None and self._state == FutureState.Running:
            soon_guarded(self._world, self._on_cancel)

    def addCallback(self, callback):
        # type: (Callable[[Future], Any]) -> None
        """Calls back with this future when it is over."""
        if self._done.is_set:
            soon_guarded(self._world, callback, self)
        else:
            self._callbacks.append(callback)

    def then(self, callback):
        # type: (Callable[[Future], Any]) -> Future
        """A future of what the callback gives for this future."""
        following = Future(self._world)
        self.addCallback(lambda future: following.settle(callback, future))
        return following

    def andThen(self, callback):
        # type: (Callable[[Any], Any]) -> Future
        """A future of what the callback gives for the value."""
        return self.then(lambda future: callback(future.value()))

    def unwrap(self):
        # type: () -> Future
        """The future inside this future."""
        return self.then(lambda future: future.value().value())

    def state(self):
        # type: () -> int
        """The state, one of `FutureState`."""
        return self._state

    def isFinished(self):
        # type: () -> bool
        """Whether it is over in any way."""
        return self._done.is_set

    def isRunning(self):
        # type: () -> bool
        """Whether it is still to come."""
        return not self._done.is_set

    def isCanceled(self):
        # type: () -> bool
        """Whether it was cancelled."""
        return self._state == FutureState.Canceled

    isCancelable = isRunning

    def hasError(self, timeout=FOREVER_MS):
        # type: (int) -> bool
        """Whether it ended with an error."""
        return self.wait(timeout) == FutureState.FinishedWithError

    def hasValue(self, timeout=FOREVER_MS):
        # type: (int) -> bool
        """Whether it ended with a value."""
        return self.wait(timeout) == FutureState.FinishedWithValue

    def schedule(self, delay, call, args):
        # type: (float, Any, tuple[Any, ...]) -> None
        """Have a call made in so many seconds and end the future with what comes of it."""
        self._scheduled = self._world.clock.later_for(call, delay, self.settle, call, *args)

    def settle(self, call, *args):
        # type: (Any, *Any) -> None
        """Runs a call and ends the future with what comes of it."""
        try:
            value = call(*args)
        except (TaskEnded, KeyboardInterrupt):
            raise
        except BaseException as error:
            if type(error) is not RuntimeError:
                self._world.trace.note("error", where=name_of(call), message=reason(error), handled=False)
            self.end(FutureState.FinishedWithError, error=reason(error))
        else:
            self.end(FutureState.FinishedWithValue, value)

    def end(self, state, value=None, error=""):
        # type: (int, Any, str) -> None
        """Ends the future, once, and queues the callbacks."""
        if self._done.is_set:
            raise RuntimeError("promise already set")
        self._state, self._value, self._error = state, value, error
        self._done.set()
        for callback in self._callbacks:
            soon_guarded(self._world, callback, self)


def in_a_moment(world, call, args, delay=0):
    # type: (World, Any, tuple[Any, ...], float) -> Future
    """Runs a call on the clock, so many seconds from now, and gives its future."""
    future = Future(world)
    future.schedule(delay, call, args)
    return future


def run_async(call, *args, **kwargs):
    # type: (Any, *Any, **Any) -> Future
    """`qi.async`: runs a call later, `delay` in microseconds."""
    delay = kwargs.pop("delay", 0)
    if kwargs:
        raise RuntimeError("qi.async takes delay and no %s" % ", ".join(sorted(kwargs)))
    return in_a_moment(present_world(), call, args, delay / 1e6)


class Promise(object):
    """The writing end of a future."""

    def __init__(self, on_cancel=None):
        # type: (Callable[[Promise], Any] | None) -> None
        self._future = Future(present_world(), self._asked)
        self._cancel_asked = False
        self._on_cancel = on_cancel

    def future(self):
        # type: () -> Future
        """The reading end."""
        return self._future

    def setValue(self, value):
        # type: (Any) -> None
        """Ends the future with a value."""
        self._future.end(FutureState.FinishedWithValue, value)

    def setError(self, error):
        # type: (str) -> None
        """Ends the future with an error."""
        self._future.end(FutureState.FinishedWithError, error=error)

    def setCanceled(self):
        # type: () -> None
        """Ends the future as cancelled."""
        self._future.end(FutureState.Canceled)

    def isCancelRequested(self):
        # type: () -> bool
        """Whether somebody asked for the end."""
        return self._cancel_asked

    def _asked(self):
        # type: () -> None
        self._cancel_asked = True
        if self._on_cancel is not None:
            self._on_cancel(self)
