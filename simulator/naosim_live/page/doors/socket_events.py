"""What browsers send by the sockets of NiceGUI: a mistake in it ends its socket, and prints a line at most."""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from socketio.exceptions import ConnectionRefusedError as Refused  # type: ignore[import-untyped]

#: The libraries below NiceGUI, which print a traceback for a packet that is none.
_BELOW = ("engineio.server", "socketio.server")
#: Those that tell what went wrong above them.
_TELLING = ("nicegui", "uvicorn.error", "asyncio")
#: An event that would print what a browser says.
_LOG = "log"
#: The event of a socket that has gone.
_GONE = "disconnect"
#: Characters of a line that is printed.
_LONGEST = 300

log = logging.getLogger(__name__)


def guard_events(server: Any) -> None:
    """Guard the events of a Socket.IO server whose handlers trust what browsers send."""
    handlers: dict[str, Callable[..., Any]] = server.handlers["/"]
    handlers.pop(_LOG, None)
    # The library itself says that a socket has gone, and finds out by a TypeError how a handler takes that.
    for name in handlers.keys() - {_GONE}:
        handlers[name] = _forgiving(handlers[name], server)
    for name in _BELOW:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    in_one_line = _OneLine()
    for name in _TELLING:
        logging.getLogger(name).addFilter(in_one_line)


def _forgiving(handler: Callable[..., Any], server: Any) -> Callable[..., Awaitable[Any]]:
    async def handled(sid: str, *told: Any) -> Any:
        try:
            found = handler(sid, *told)
            return await found if inspect.isawaitable(found) else found
        except Refused:
            raise
        except Exception as error:
            # No page of ours sends this.
            log.debug("a browser sent %s", ascii(told)[:_LONGEST], exc_info=error)
            await server.disconnect(sid)
            return False

    return handled


class _OneLine(logging.Filter):
    """Has every record be a line of plain characters, and each place where something fails tell of it once.

    What an act does on a page fails by what a browser sent as well as by a mistake of ours.

    >>> record = logging.LogRecord("page", logging.ERROR, "", 0, "a\\x1b[2J\\nb", (), None)
    >>> _OneLine().filter(record), record.getMessage()
    (True, 'a\\\\x1b[2J b')
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: set[tuple[str, int | None]] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Change a record; tell whether it is to be printed."""
        said, error = record.getMessage(), record.exc_info[1] if record.exc_info else None
        if error is not None:
            last = traceback.extract_tb(error.__traceback__)[-1:]
            place = (last[0].filename, last[0].lineno) if last else ("", 0)
            if place in self._told:
                return False
            self._told.add(place)
            said = f"An act on the page failed ({type(error).__name__}: {said}) in {place[0]}:{place[1]}."
            record.exc_info, record.exc_text = None, None
        record.msg, record.args = ascii(" ".join(said.split())[:_LONGEST])[1:-1], ()
        return True
