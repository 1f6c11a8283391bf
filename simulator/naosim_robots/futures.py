"""Futures of `concurrent.futures`: one that has failed, libqi's, and waiting for one on an event loop."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import Future
from typing import Any


def make_failed_future(error: Exception) -> Future[Any]:
    """Return a future that has failed."""
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


def python_future(qi_future: Any) -> Future[Any]:
    """Return a libqi future as one of Python's; a failure is a RuntimeError."""
    if isinstance(qi_future, Future):
        return qi_future
    future: Future[Any] = Future()

    def settle(ended: Any) -> None:
        if ended.hasValue(0):
            future.set_result(ended.value())
        else:
            future.set_exception(RuntimeError(ended.error(0) if ended.hasError(0) else "The call was cancelled."))

    qi_future.addCallback(settle)
    return future


async def wait_for(answer: Future[Any], seconds: float) -> Any:
    """Wait on the event loop for an answer; raises TimeoutError.

    asyncio's own `wrap_future` prints a traceback if the loop closes at the moment of the answer, and before
    Python 3.12 its `wait_for` loses a cancel that comes together with the answer.
    """
    loop = asyncio.get_running_loop()
    awaited: asyncio.Future[Any] = loop.create_future()

    def settle() -> None:
        if not awaited.done():
            error = answer.exception()
            if error is None:
                awaited.set_result(answer.result())
            else:
                awaited.set_exception(error)

    def give_up() -> None:
        if not awaited.done():
            awaited.set_exception(TimeoutError())

    def pass_on(_answer: Future[Any]) -> None:
        with contextlib.suppress(RuntimeError):  # The loop is closed.
            loop.call_soon_threadsafe(settle)

    answer.add_done_callback(pass_on)
    timer = loop.call_later(seconds, give_up)
    try:
        return await awaited
    finally:
        timer.cancel()
