"""The libqi objects registered in a directory: they forward each call and answer when the robot has answered.

A few threads of libqi wait, for a moment, for an answer that comes at once; for others none does. No exception leaves
the objects: libqi would send paths of this computer to the client.
"""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future, wait
from functools import partial
from threading import BoundedSemaphore, Lock
from typing import Any

from naosim.errors import NaosimError

from ..libqi import LONGEST_ERROR, qi
from .signatures import DYNAMIC, VOID, Method

#: Takes the arguments of a call and gives the future of its answer, one of Python's or one of libqi's.
Handler = Callable[[list[Any]], Any]

#: Calls that one directory has under way at once.
MOST_UNDER_WAY = 5000
#: Threads of libqi's sixteen that wait for an answer at once, and for how many real seconds; a promise, which libqi
#: keeps on further threads, takes much longer than most answers.
MOST_WAITING, WAIT = 4, 0.003
#: What is answered at once is of any type or of none: libqi converts others with errors of its own.
PROMPT = {DYNAMIC, VOID}
_WAITING = BoundedSemaphore(MOST_WAITING)


class CallCounter:
    """The number of calls that are not answered yet; more than a robot can hold are refused."""

    def __init__(self, most: int = MOST_UNDER_WAY) -> None:
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


def facade(name: str, offers: Iterable[tuple[Method, Handler]], signals: Mapping[str, Any], calls: CallCounter) -> Any:
    """Make an object for `registerService`, called on many threads at once: methods by overload, signals by name."""
    members: dict[str, Any] = {"__qi_threading__": "multi"}
    for number, (method, handler) in enumerate(offers):
        bound = qi.bind(method.returns, method.parameters, method.name)
        members[f"{method.name}_{number}"] = bound(_forwarding(f"{name}::{method.name}", method, handler, calls))
    instance = type(name, (), members)()
    for member, signal in signals.items():
        setattr(instance, member, signal)
    return instance


def finished(value: Any = None) -> "Future[Any]":
    """Return a future that already has its value."""
    future: Future[Any] = Future()
    future.set_result(value)
    return future


def chained(first: "Future[Any]", follow: Callable[[Any], "Future[Any]"]) -> "Future[Any]":
    """Return the future of what follows the first one's value; a failure of either is its failure."""
    last: Future[Any] = Future()

    def pass_on(second: "Future[Any]") -> None:
        error = _failure(second)
        if error is None:
            last.set_result(second.result())
        else:
            last.set_exception(error)

    def go_on(ended: "Future[Any]") -> None:
        error = _failure(ended)
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


def _forwarding(where: str, method: Method, handler: Handler, calls: CallCounter) -> Any:
    is_prompt = method.returns in PROMPT

    def call(_facade: object, *args: Any) -> Any:
        try:
            calls.enter()
            try:
                answer = handler(list(args))
            except BaseException:
                calls.leave()
                raise
            if isinstance(answer, qi.Future):
                calls.leave()
                return answer
            answer.add_done_callback(calls.leave)
            if is_prompt and _comes_at_once(answer):
                return None if method.returns == VOID else answer.result()
        except Exception as error:
            promise = qi.Promise()
            promise.setError(client_error(error))
            return promise.future()
        promise = qi.Promise()
        answer.add_done_callback(partial(_answer, promise, where, method.returns))
        return promise.future()
    return call


def _comes_at_once(answer: "Future[Any]") -> bool:
    """Wait for a moment, and return whether there is an answer that is no error."""
    if not _WAITING.acquire(blocking=False):
        return False
    try:
        wait([answer], WAIT)
    finally:
        _WAITING.release()
    return answer.done() and _failure(answer) is None


def _answer(promise: Any, where: str, returns: str, answer: "Future[Any]") -> None:
    error = _failure(answer)
    if error is not None:
        promise.setError(client_error(error))
        return
    try:
        promise.setValue(None if returns == VOID else answer.result())
    except Exception:
        promise.setError(f"\t{where}\n\tThe answer is no value of type {returns}.")


def _failure(future: "Future[Any]") -> BaseException | None:
    return CancelledError() if future.cancelled() else future.exception()
