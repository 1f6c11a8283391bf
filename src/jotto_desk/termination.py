"""The orderly end of commands that stay up or measure for long."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from typing import TypeVar

from jotto_desk.errors import DeskError

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Seconds between two looks for Ctrl-C: the system may wake another thread with it, and the main one would sleep on.
CHECK_INTERVAL_S = 0.2


@contextlib.contextmanager
def until_ended() -> Iterator[threading.Event]:
    """Yield an event that is set when the process is asked to end; Ctrl-C is left as it is."""
    ended = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        yield ended
    finally:
        signal.signal(signal.SIGTERM, before)


def interruptible(work: Callable[[], Result]) -> Result:
    """Return what work returns; Ctrl-C ends the wait for it at once, also while the C core is at work.

    What is left of the work then ends with the process.
    """
    result = start_work(work)
    while not wait([result], CHECK_INTERVAL_S).done:
        pass
    return result.result()


def start_work(work: Callable[[], Result]) -> Future[Result]:
    """Begin work on a thread: on the main one, Ctrl-C would wait for the C core to come back."""
    result: Future[Result] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return result


def gather(items: Iterable[Item]) -> tuple[list[Item], BaseException | None]:
    """Gather items to their end, or until Ctrl-C or a `DeskError`; return what came, and what ended it before its time.

    Whoever calls this tells what came, and then raises that. A `DeskError` before the first item is raised at once.
    """
    found: list[Item] = []
    try:
        for item in items:
            found.append(item)
    except KeyboardInterrupt as end:
        return found, end
    except DeskError as end:
        if not found:
            raise
        return found, end
    return found, None
