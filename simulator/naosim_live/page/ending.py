"""The end of a page's server: it comes within seconds, whatever is under way."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import signal
import socket
import time
from collections.abc import Iterator
from types import FrameType

import uvicorn

#: Real seconds for tasks to take that they are cancelled, and between two times they are told so.
TASKS_END_WITHIN, _TOLD_EVERY = 5.0, 0.2
#: Real seconds from Ctrl-C to the end of a server that hangs: it says where, and its process ends at once.
_ENDS_AT_LAST = 45.0

log = logging.getLogger(__name__)


class PageServer(uvicorn.Server):
    """uvicorn's server, of which nothing is left to wait for once it has ended."""

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until the server is interrupted, and end what is under way then."""
        try:
            await super().serve(sockets)
        finally:
            await end_tasks()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        # Where nobody reads what a process says, there is no one to tell either.
        with contextlib.suppress(AttributeError, OSError, RuntimeError, ValueError):
            faulthandler.dump_traceback_later(_ENDS_AT_LAST, exit=True)
        super().handle_exit(sig, frame)


async def end_tasks() -> None:
    """Cancel all other tasks of the loop, again and again: one that took its end for something else goes on.

    `asyncio.run` cancels once, and waits for ever.
    """
    end = time.monotonic() + TASKS_END_WITHIN
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        if time.monotonic() > end:
            log.error("tasks do not end: %s", ", ".join(sorted(task.get_name() for task in others)))
            return
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=_TOLD_EVERY)


@contextlib.contextmanager
def ending() -> Iterator[None]:
    """Take Ctrl-C and SIGTERM as the way to end: uvicorn sends the signal on once it has ended."""

    def end(*_signal: object) -> None:
        raise SystemExit(0)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with contextlib.suppress(SystemExit):
            yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        for number, handler in before.items():
            signal.signal(number, handler)
        log.debug("the page's server has ended")
