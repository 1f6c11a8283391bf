"""The orderly end of commands that run for long."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from typing import TypeVar

from jotto_desk.errors import DeskError

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Seconds between two checks for Ctrl-C: the system may wake another thread with it instead of the main one.
CHECK_INTERVAL_S = 0.2


@contextlib.contextmanager
def until_ended() -> Iterator[threading.Event]:
    """Yield an event that is set when the process gets SIGTERM; Ctrl-C still raises KeyboardInterrupt."""
    ended = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        yield ended
    finally:
        signal.signal(signal.SIGTERM, before)


def interruptible(work: Callable[[], Result]) -> Result:
    """Return what work returns; Ctrl-C ends the wait for it at once, even in the C core.

    The work then ends with the process.
    """
    result = start_work(work)
    while not wait([result], CHECK_INTERVAL_S).done:
        pass
    return result.result()


def start_work(work: Callable[[], Result]) -> Future[Result]:
    """Start work on a thread: on the main thread, Ctrl-C would wait for the C core to return."""
    result: Future[Result] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return result


def gather(items: Iterable[Item]) -> tuple[list[Item], BaseException | None]:
    """Collect items until Ctrl-C or a `DeskError`; return them, and the exception or None.

    The caller reports the items and then raises the exception. A `DeskError` before the first item is raised at once.
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
