"""Calls under way: how many there are, what follows on them, and what a client is told of their errors."""

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from threading import Lock
from typing import Any

from naosim.errors import NaosimError

#: Calls under way at once, and characters of an error.
_MOST_UNDER_WAY, LONGEST_ERROR = 5000, 2000


class CallCounter:
    """The number of calls that are not answered yet; more than a robot can hold are refused."""

    def __init__(self, most: int = _MOST_UNDER_WAY) -> None:
        self._lock = Lock()
        self._most = most
        self.count = 0

    def enter(self) -> None:
        """Count one call more; raises RuntimeError when there are too many."""
        with self._lock:
            if self.count >= self._most:
                raise RuntimeError(f"The robot is busy: {self._most} calls are under way.")
            self.count += 1

    def leave(self, _future: object = None) -> None:
        """Count one call less."""
        with self._lock:
            self.count -= 1


def finished(value: Any = None) -> "Future[Any]":
    """Return a future that already has its value."""
    future: Future[Any] = Future()
    future.set_result(value)
    return future


def chained(first: "Future[Any]", follow: Callable[[Any], "Future[Any]"]) -> "Future[Any]":
    """Return the future of what follows the first one's value; a failure of either is its failure."""
    last: Future[Any] = Future()

    def pass_on(second: "Future[Any]") -> None:
        error = failure(second)
        if error is None:
            last.set_result(second.result())
        else:
            last.set_exception(error)

    def go_on(ended: "Future[Any]") -> None:
        error = failure(ended)
        try:
            if error is not None:
                raise error
            follow(ended.result()).add_done_callback(pass_on)
        except Exception as problem:
            last.set_exception(problem)

    first.add_done_callback(go_on)
    return last


def client_error(error: BaseException) -> str:
    """Return what a client is told of an error: the robot's own text, and of other errors only that they happened."""
    if isinstance(error, RuntimeError | NaosimError):
        return str(error)[:LONGEST_ERROR]
    if isinstance(error, CancelledError):
        return "The call was cancelled."
    return "The robot did not answer."


def failure(future: "Future[Any]") -> BaseException | None:
    """Return the error of a future that is done, None where it has a value."""
    return CancelledError() if future.cancelled() else future.exception()
