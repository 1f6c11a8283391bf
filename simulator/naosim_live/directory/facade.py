"""The libqi objects registered in a directory: they forward each call and answer when the robot has answered.

A few threads of libqi wait, for a moment, for an answer that comes at once; for others none does. No exception leaves
the objects: libqi would send paths of this computer to the client.
"""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future, TimeoutError
from functools import partial
from threading import BoundedSemaphore
from typing import Any

from ..libqi import qi
from .calls import CallCounter, client_error, failure
from .signatures import DYNAMIC, VOID, Method

#: Takes the arguments of a call and gives the future of its answer, one of Python's or one of libqi's.
Handler = Callable[[list[Any]], Any]

#: Threads of libqi's sixteen that wait for an answer at once, and for how many real seconds; a promise, which libqi
#: keeps on further threads, takes much longer than most answers.
_MOST_WAITING, _WAIT = 4, 0.003
#: What is answered at once is of any type or of none: libqi converts others with errors of its own.
_PROMPT = {DYNAMIC, VOID}
_WAITING = BoundedSemaphore(_MOST_WAITING)


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


def _forwarding(where: str, method: Method, handler: Handler, calls: CallCounter) -> Any:
    is_prompt = method.returns in _PROMPT

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
        return answer.exception(_WAIT) is None
    except (CancelledError, TimeoutError):
        return False
    finally:
        _WAITING.release()


def _answer(promise: Any, where: str, returns: str, answer: "Future[Any]") -> None:
    error = failure(answer)
    if error is not None:
        promise.setError(client_error(error))
        return
    try:
        promise.setValue(None if returns == VOID else answer.result())
    except Exception:
        promise.setError(f"\t{where}\n\tThe answer is no value of type {returns}.")
