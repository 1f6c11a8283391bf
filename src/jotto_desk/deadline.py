"""A time limit on a whole piece of work, however it spends its time."""

import queue
import threading
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def within(seconds: float, work: Callable[[threading.Event], Found], name: str) -> Found:
    """Return what `work` returns, or raise what it raises; raises `queue.Empty` after so many seconds.

    A server that sends a byte now and then never trips a socket's time-out, so the whole is timed from outside. The
    event is set once the result is no longer wanted; the thread, of this name, ends by itself.
    """
    answers: queue.Queue[tuple[bool, Found | Exception]] = queue.Queue()
    given_up = threading.Event()

    def run() -> None:
        try:
            answers.put((True, work(given_up)))
        except Exception as error:
            answers.put((False, error))

    threading.Thread(target=run, daemon=True, name=name).start()
    try:
        done, answer = answers.get(timeout=seconds)
    finally:
        given_up.set()
    if not done and isinstance(answer, Exception):
        raise answer
    return answer  # type: ignore[return-value]
