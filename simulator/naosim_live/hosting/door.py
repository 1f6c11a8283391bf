"""The line to a robot through its door, a Unix socket: the robot stays when the line ends."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from typing import Any

from naosim.remote import MAX_LINE_BYTES, decode_line

from ..errors import RobotGone
from .child import encoded


class DoorLine:
    """A connection to the door of a robot; any thread may write to it, one reads."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._writing = threading.Lock()
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise RobotGone(f"Cannot join the simulated robot: {error.strerror or error}.") from None

    def write(self, request: dict[str, Any]) -> None:
        """Send one request; raises DoesNotTravel for what is no JSON or too long, OSError when the robot is gone."""
        line = encoded(request)
        with self._writing:
            self._socket.sendall(line)

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield what the robot says, up to its end."""
        # Much faster than the file that a socket makes.
        with open(os.dup(self._socket.fileno()), "rb") as lines, contextlib.suppress(OSError, ValueError):
            while line := lines.readline(2 * MAX_LINE_BYTES):
                yield decode_line(line)

    def how_it_ended(self) -> str:
        """Return all that is known of the end."""
        return "the connection ended"

    def kill(self) -> None:
        """End the line at once."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """End the line."""
        self.kill()
        self._socket.close()
