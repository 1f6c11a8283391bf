"""Futures and promises of the `qi` module, on the robot's clock."""

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
    """The special values of a wait's time-out in milliseconds."""

    Infinite, NoWait = FOREVER_MS, 0


class Future(object):
    """A value that is known later, or an error or a cancellation instead."""

    def __init__(self, world, on_cancel=None):  # type: (World, Callable[[], Any] | None) -> None
        self._world = world
        self._done = SimEvent(world.clock)
        self._state = FutureState.Running
        self._value = None  # type: Any
        self._error = ""
        self._callbacks = []  # type: list[Callable[[Future], Any]]
        self._scheduled = None  # type: ScheduledCall | None
        self._on_cancel = on_cancel

    def wait(self, timeout=FOREVER_MS):  # type: (int) -> int
        """Block until the future is over or so many milliseconds have passed; return the state."""
        if not self._done.is_set:
            forever = timeout >= FOREVER_MS or timeout < 0
            if not (forever and self._scheduled is not None and self._world.clock.inline(self._scheduled)):
                self._world.clock.wait(self._done, None if forever else timeout / 1000.0)
        return self._state

    def value(self, timeout=FOREVER_MS):  # type: (int) -> Any
        """Wait for the value and return it; raises RuntimeError when there is none in time."""
        state = self.wait(timeout)
        if state == FutureState.FinishedWithValue:
            return self._value
        if state == FutureState.FinishedWithError:
            raise RuntimeError(self._error)
        raise RuntimeError("Future canceled." if state == FutureState.Canceled else "Future timeout.")

    def error(self, timeout=FOREVER_MS):  # type: (int) -> str
        """Wait for the error and return it; raises RuntimeError when there is none in time."""
        if self.wait(timeout) != FutureState.FinishedWithError:
            raise RuntimeError("Future has no error.")
        return self._error

    def cancel(self):  # type: () -> None
        """Ask for an early end: a call that has not begun is withdrawn, a promise's `on_cancel` is called."""
        if self._scheduled is not None and self._scheduled.cancel():
            self.end(FutureState.Canceled)
        elif self._on_cancel is not None and self._state == FutureState.Running:
            soon_guarded(self._world, self._on_cancel)

    def addCallback(self, callback):  # type: (Callable[[Future], Any]) -> None
        """Have a callback called with this future when it is over."""
        if self._done.is_set:
            soon_guarded(self._world, callback, self)
        else:
            self._callbacks.append(callback)

    def then(self, callback):  # type: (Callable[[Future], Any]) -> Future
        """Return a future of the result of the callback, called with this future when it is over."""
        following = Future(self._world)
        self.addCallback(lambda future: following.settle(callback, future))
        return following

    def andThen(self, callback):  # type: (Callable[[Any], Any]) -> Future
        """Return a future of the result of the callback, called with the value."""
        return self.then(lambda future: callback(future.value()))

    def unwrap(self):  # type: () -> Future
        """Return a future of the value of the future that is this future's value."""
        return self.then(lambda future: future.value().value())

    def state(self):  # type: () -> int
        """Return the state, one of `FutureState`."""
        return self._state

    def isFinished(self):  # type: () -> bool
        """Tell whether the future is over in any way."""
        return self._done.is_set

    def isRunning(self):  # type: () -> bool
        """Tell whether the future is not over yet."""
        return not self._done.is_set

    def isCanceled(self):  # type: () -> bool
        """Tell whether the future was cancelled."""
        return self._state == FutureState.Canceled

    isCancelable = isRunning

    def hasError(self, timeout=FOREVER_MS):  # type: (int) -> bool
        """Wait for the end and tell whether it was an error."""
        return self.wait(timeout) == FutureState.FinishedWithError

    def hasValue(self, timeout=FOREVER_MS):  # type: (int) -> bool
        """Wait for the end and tell whether it was a value."""
        return self.wait(timeout) == FutureState.FinishedWithValue

    def schedule(self, delay, call, args):  # type: (float, Any, tuple[Any, ...]) -> None
        """Schedule a call in so many seconds; its result or error ends the future."""
        self._scheduled = self._world.clock.later_for(call, delay, self.settle, call, *args)

    def settle(self, call, *args):  # type: (Any, *Any) -> None
        """Run a call and end the future with its result or its error."""
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

    def end(self, state, value=None, error=""):  # type: (int, Any, str) -> None
        """End the future and queue the callbacks; raises RuntimeError the second time."""
        if self._done.is_set:
            raise RuntimeError("promise already set")
        self._state, self._value, self._error = state, value, error
        self._done.set()
        for callback in self._callbacks:
            soon_guarded(self._world, callback, self)


def call_later(world, call, args, delay=0):  # type: (World, Any, tuple[Any, ...], float) -> Future
    """Schedule a call on the clock, so many seconds from now, and return its future."""
    future = Future(world)
    future.schedule(delay, call, args)
    return future


def run_async(call, *args, **kwargs):  # type: (Any, *Any, **Any) -> Future
    """Schedule a call after a `delay` in microseconds and return its future: `qi.async`."""
    delay = kwargs.pop("delay", 0)
    if kwargs:
        raise RuntimeError("qi.async takes delay and no %s" % ", ".join(sorted(kwargs)))
    return call_later(present_world(), call, args, delay / 1e6)


class Promise(object):
    """The writing end of a future."""

    def __init__(self, on_cancel=None):  # type: (Callable[[Promise], Any] | None) -> None
        self._future = Future(present_world(), self._request_cancel)
        self._is_cancel_requested = False
        self._on_cancel = on_cancel

    def future(self):  # type: () -> Future
        """Return the future that this promise ends."""
        return self._future

    def setValue(self, value):  # type: (Any) -> None
        """End the future with a value."""
        self._future.end(FutureState.FinishedWithValue, value)

    def setError(self, error):  # type: (str) -> None
        """End the future with an error."""
        self._future.end(FutureState.FinishedWithError, error=error)

    def setCanceled(self):  # type: () -> None
        """End the future as cancelled."""
        self._future.end(FutureState.Canceled)

    def isCancelRequested(self):  # type: () -> bool
        """Tell whether the future was asked to cancel."""
        return self._is_cancel_requested

    def _request_cancel(self):  # type: () -> None
        self._is_cancel_requested = True
        if self._on_cancel is not None:
            self._on_cancel(self)
