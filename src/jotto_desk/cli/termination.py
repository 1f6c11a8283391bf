"""The orderly end of commands that stay up."""

import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def until_ended() -> Iterator[threading.Event]:
    """Yield an event that is set when the process is asked to end; Ctrl-C is left as it is."""
    ended = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        yield ended
    finally:
        signal.signal(signal.SIGTERM, before)
