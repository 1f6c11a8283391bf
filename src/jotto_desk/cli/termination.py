"""The orderly end of commands that stay up or measure for long."""

import contextlib
import signal
import threading
from collections.abc import Iterable, Iterator
from typing import TypeVar

from ..errors import DeskError

Item = TypeVar("Item")


@contextlib.contextmanager
def until_ended() -> Iterator[threading.Event]:
    """Yield an event that is set when the process is asked to end; Ctrl-C is left as it is."""
    ended = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        yield ended
    finally:
        signal.signal(signal.SIGTERM, before)


def gathered(items: Iterable[Item]) -> tuple[list[Item], BaseException | None]:
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
