"""The threads of a program that uses libqi: one event loop, workers for callbacks, and futures with libqi's methods."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent import futures
from typing import Any, TypeVar

_LOG = logging.getLogger(__name__)
Made = TypeVar("Made")

# The event loop, on its own thread.

_loop_lock = threading.Lock()
_loop: asyncio.SelectorEventLoop | None = None
_loop_thread: threading.Thread | None = None


def get_loop() -> asyncio.SelectorEventLoop:
    """Return the event loop of this process, which runs on a daemon thread after its first use."""
    global _loop, _loop_thread  # noqa: PLW0603
    with _loop_lock:
        if _loop is None or _loop_thread is None or not _loop_thread.is_alive():
            _loop = asyncio.SelectorEventLoop()
            _loop_thread = threading.Thread(target=_loop.run_forever, name="qiwire", daemon=True)
            _loop_thread.start()
        return _loop


def is_loop_thread() -> bool:
    """Return whether this is the thread of the event loop, which must not wait."""
    return threading.current_thread() is _loop_thread


def call_on_loop(call: Callable[..., Made], *args: Any, timeout: float | None = None) -> Made:
    """Call on the thread of the event loop and return the result; raises TimeoutError after `timeout` seconds."""
    if is_loop_thread():
        return call(*args)
    done: futures.Future[Made] = futures.Future()

    def run() -> None:
        try:
            done.set_result(call(*args))
        except BaseException as error:
            done.set_exception(error)

    get_loop().call_soon_threadsafe(run)
    return done.result(timeout)


# Workers.

_MAX_WORKERS = 200
_IDLE_S = 2.0  # real seconds after which a worker without work ends


def _run_logged(call: Callable[[], object]) -> None:
    try:
        call()
    except Exception:
        _LOG.exception("a callback failed")


class _Workers:
    """Daemon threads that run calls; a call never waits for another one as long as there are fewer than the limit."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: deque[Callable[[], object]] = deque()
        self._idle = self._count = 0

    def submit(self, call: Callable[[], object]) -> None:
        """Run a call on a worker."""
        with self._changed:
            self._calls.append(call)
            if self._idle >= len(self._calls) or self._count >= _MAX_WORKERS:
                self._changed.notify()
                return
            self._count += 1
        threading.Thread(target=self._work, name="qiwire-worker", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._idle += 1
                self._changed.wait_for(lambda: self._calls, _IDLE_S)
                self._idle -= 1
                if not self._calls:
                    self._count -= 1
                    return
                call = self._calls.popleft()
            _run_logged(call)
            del call


_WORKERS = _Workers()


class Strand:
    """Runs calls on workers one after the other, in the order in which they came."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: deque[Callable[[], object]] = deque()
        self._is_running = False

    def submit(self, call: Callable[[], object]) -> None:
        """Run a call after those before it."""
        with self._lock:
            self._calls.append(call)
            if self._is_running:
                return
            self._is_running = True
        _WORKERS.submit(self._run)

    def __len__(self) -> int:
        return len(self._calls)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._calls:
                    self._is_running = False
                    return
                call = self._calls.popleft()
            _run_logged(call)
            del call


#: A runner of calls: a strand, or all workers at the same time.
Runner = _Workers | Strand


def all_workers() -> Runner:
    """Return what runs calls without an order."""
    return _WORKERS


# Futures.


class FutureState:
    """The states of a future, as `Future.wait` returns them."""

    Running, Canceled, FinishedWithError, FinishedWithValue = (
        "Running",
        "Canceled",
        "FinishedWithError",
        "FinishedWithValue",
    )


class FutureTimeout:
    """Timeouts in milliseconds."""

    Infinite = 0x7FFFFFFF


class Future(futures.Future[Any]):
    """A future with the methods of libqi's and those of `concurrent.futures`; its callbacks run on workers.

    Timeouts are in milliseconds. An error is a RuntimeError with its sentence.
    """

    def __init__(self, on_cancel: Callable[[], object] | None = None) -> None:
        super().__init__()
        self._on_cancel = on_cancel

    def value(self, timeout: int = FutureTimeout.Infinite) -> Any:
        """Return the value; raises RuntimeError for an error, a cancelled future, or after the timeout."""
        self.wait(timeout)
        if not self.done():
            raise RuntimeError("Future timeout.")
        if self.cancelled():
            raise RuntimeError("Future canceled.")
        return self.result()

    def wait(self, timeout: int = FutureTimeout.Infinite) -> str:
        """Wait, and return the state."""
        if not self.done() and timeout > 0:
            if is_loop_thread():
                raise RuntimeError("The thread of the event loop must not wait.")
            futures.wait([self], None if timeout == FutureTimeout.Infinite else timeout / 1000)
        if not self.done():
            return FutureState.Running
        if self.cancelled():
            return FutureState.Canceled
        return FutureState.FinishedWithValue if self.exception() is None else FutureState.FinishedWithError

    def error(self, timeout: int = FutureTimeout.Infinite) -> str:
        """Return the sentence of the error; raises RuntimeError if none exists."""
        if not self.hasError(timeout):
            raise RuntimeError("Future has no error." if self.done() else "Future timeout.")
        return str(self.exception())

    def hasError(self, timeout: int = FutureTimeout.Infinite) -> bool:
        """Return whether it ended with an error."""
        return self.wait(timeout) == FutureState.FinishedWithError

    def hasValue(self, timeout: int = FutureTimeout.Infinite) -> bool:
        """Return whether it ended with a value."""
        return self.wait(timeout) == FutureState.FinishedWithValue

    def isFinished(self) -> bool:
        """Return whether it has ended in any way."""
        return self.done()

    def isRunning(self) -> bool:
        """Return whether it has not ended."""
        return not self.done()

    def isCanceled(self) -> bool:
        """Return whether it was cancelled."""
        return self.cancelled()

    def isCancelable(self) -> bool:
        """Return whether `cancel` has an effect."""
        return self._on_cancel is not None and not self.done()

    def cancel(self) -> bool:
        """Ask for the end; a running call can still end with a value or an error."""
        if self._on_cancel is None or self.done():
            return False
        self._on_cancel()
        return True

    def set_cancelled(self) -> None:
        """End as cancelled."""
        super().cancel()
        self.set_running_or_notify_cancel()

    def addCallback(self, callback: Callable[[Future], object]) -> None:
        """Have `callback(future)` called on a worker when it has ended."""
        self.add_done_callback(lambda _done: _WORKERS.submit(lambda: callback(self)))

    def then(self, callback: Callable[[Future], Any]) -> Future:
        """Return the future of what `callback(future)` returns."""
        after = Promise()
        self.addCallback(lambda done: _fulfil(after, callback, done))
        return after.future()

    def andThen(self, callback: Callable[[Any], Any]) -> Future:
        """Return the future of what `callback(value)` returns; an error of this future is its error, too."""
        after = Promise()
        self.add_done_callback(
            lambda _done: (
                _WORKERS.submit(lambda: _fulfil(after, callback, self.value()))
                if self.hasValue(0)
                else settle_like(after.future(), self)
            )
        )
        return after.future()

    def unwrap(self) -> Future:
        """Return the future that is the value of this one."""
        inner = Future()
        self.add_done_callback(
            lambda _done: (
                self.result().add_done_callback(lambda last: settle_like(inner, last))
                if self.hasValue(0)
                else settle_like(inner, self)
            )
        )
        return inner


class Promise:
    """Sets the value, the error or the cancellation of its future; `on_cancel(promise)` is called by `cancel`."""

    def __init__(self, on_cancel: Callable[[Promise], object] | None = None) -> None:
        self._is_cancel_requested = False
        self._on_cancel = on_cancel
        self._future = Future(self._cancel if on_cancel else None)

    def future(self) -> Future:
        """Return the future."""
        return self._future

    def setValue(self, value: Any) -> None:
        """Set the value."""
        self._future.set_result(value)

    def setError(self, error: str) -> None:
        """Set the error."""
        self._future.set_exception(RuntimeError(error))

    def setCanceled(self) -> None:
        """End the future as cancelled."""
        self._future.set_cancelled()

    def isCancelRequested(self) -> bool:
        """Return whether the future was asked to end."""
        return self._is_cancel_requested

    def _cancel(self) -> None:
        self._is_cancel_requested = True
        if self._on_cancel is not None:
            on_cancel = self._on_cancel
            _WORKERS.submit(lambda: on_cancel(self))


def settle_like(future: futures.Future[Any], done: futures.Future[Any]) -> None:
    """End a future as another one has ended, unless it has ended already."""
    if future.done():
        return
    if done.cancelled():
        futures.Future.cancel(future)  # libqi's own `cancel` only asks.
        future.set_running_or_notify_cancel()
        return
    error = done.exception()
    if error is None:
        future.set_result(done.result())
    else:
        future.set_exception(error)


def _fulfil(promise: Promise, call: Callable[..., Any], *args: Any) -> None:
    try:
        promise.setValue(call(*args))
    except Exception as error:
        promise.future().set_exception(error if isinstance(error, RuntimeError) else RuntimeError(str(error)))


def make_finished_future(value: Any = None) -> Future:
    """Return a future that has its value."""
    future = Future()
    future.set_result(value)
    return future


def make_failed_future(error: BaseException) -> Future:
    """Return a future that has failed."""
    future = Future()
    future.set_exception(error)
    return future


def run_on(runner: Runner, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Future:
    """Run a call on workers, and return the future of its result; if the result is a future, wait for it.

    A request to cancel is passed on to the future that the call returns.
    """
    inner: list[Future] = []
    is_requested = threading.Event()

    def cancel() -> None:
        is_requested.set()
        for future in inner:
            future.cancel()

    def run() -> None:
        try:
            made = call(*args, **kwargs)
        except Exception as error:
            future.set_exception(error)
            return
        if not isinstance(made, futures.Future):
            future.set_result(made)
            return
        made.add_done_callback(lambda done: settle_like(future, done))
        if isinstance(made, Future):
            inner.append(made)
            if is_requested.is_set():
                made.cancel()

    future = Future(cancel)
    runner.submit(run)
    return future


def runAsync(callback: Callable[..., Any], *args: Any, **kwargs: Any) -> Future:
    """Run a call on a worker, after `delay` microseconds if given, and return its future."""
    delay = kwargs.pop("delay", 0) / 1e6
    if not delay:
        return run_on(_WORKERS, callback, *args, **kwargs)
    future = Future()
    future._on_cancel = future.set_cancelled

    def begin() -> None:
        if not future.done():
            run_on(_WORKERS, callback, *args, **kwargs).add_done_callback(lambda done: settle_like(future, done))

    get_loop().call_soon_threadsafe(lambda: get_loop().call_later(delay, begin))
    return future


def futureBarrier(waited: Sequence[Future]) -> Future:
    """Return the future of the list of these futures, which ends when all of them have."""
    return run_on(_WORKERS, lambda: futures.wait(waited) and list(waited))


class PeriodicTask:
    """Calls a callback again and again, on a worker."""

    def __init__(self) -> None:
        self._callback: Callable[[], object] = lambda: None
        self._period = 1.0
        self._ending: threading.Event | None = None

    def setCallback(self, callable: Callable[[], object]) -> None:
        """Set the callback."""
        self._callback = callable

    def setUsPeriod(self, usPeriod: int) -> None:
        """Set the microseconds between two calls."""
        self._period = usPeriod / 1e6

    def setName(self, name: str) -> None:
        """Accept a name, which has no effect."""

    def compensateCallbackTime(self, compensate: bool) -> None:
        """Accept a setting that has no effect: the period is the time between two calls."""

    def start(self, immediate: bool) -> None:
        """Begin, with a call now if `immediate`."""
        self.stop()
        ending = self._ending = threading.Event()
        _WORKERS.submit(lambda: self._run(ending, immediate))

    def stop(self) -> None:
        """End; a call under way ends by itself."""
        if self._ending is not None:
            self._ending.set()
            self._ending = None

    asyncStop = stop

    def isRunning(self) -> bool:
        """Return whether it was started and not stopped."""
        return self._ending is not None

    def isStopping(self) -> bool:
        """Return False: it stops immediately."""
        return False

    def _run(self, ending: threading.Event, immediate: bool) -> None:
        while immediate or not ending.wait(self._period):
            immediate = False
            self._callback()
