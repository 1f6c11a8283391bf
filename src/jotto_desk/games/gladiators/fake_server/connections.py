"""The fake server's connections that wait for a request: too many of them, or one that waits too long, are ended."""

import contextlib
import json
import socket
import threading
import time

from naosim_live.unfinished import Unfinished

LATE = "The request did not come whole, and is too old or the oldest of too many; send it at once."
FULL = "Too many requests are under way; try again in a moment."


class WaitingConnections:
    """Connections that wait: for the rest of a request, or, idle, for the next one. For many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._unfinished: Unfinished[socket.socket] = Unfinished()
        self._idle: dict[socket.socket, None] = {}

    def wait(self, connection: socket.socket, address: str) -> None:
        """Note that a request is waited for, the first one or one that has begun to come."""
        with self._lock:
            self._idle.pop(connection, None)
            self._unfinished.begin(connection, address, time.monotonic())

    def rest(self, connection: socket.socket) -> None:
        """Note that a connection is answered, and may be used again."""
        with self._lock:
            self._idle[connection] = None

    def take(self, connection: socket.socket) -> bool:
        """Note that a connection waits no more; return whether it was still waited for."""
        with self._lock:
            self._idle.pop(connection, None)
            return self._unfinished.end(connection)

    def give_up(self) -> None:
        """End those that are too late."""
        with self._lock:
            late = self._unfinished.given_up(time.monotonic())
            for connection in late:
                self._unfinished.end(connection)
        for connection in late:
            refuse(connection, 408, LATE)

    def make_room(self) -> bool:
        """End the unfinished request or the idle connection that is oldest; return whether there was one."""
        with self._lock:
            late = self._unfinished.oldest()
            idle = next(iter(self._idle), None)
            if late is not None:
                self._unfinished.end(late)
            elif idle is not None:
                self._idle.pop(idle)
        if late is not None:
            refuse(late, 408, LATE)
        elif idle is not None:
            _shut(idle)
        return late is not None or idle is not None


def refuse(connection: socket.socket, status: int, reason: str) -> None:
    """Answer on a connection that nothing was sent on yet, and end it; the thread that reads it finds its end."""
    body = json.dumps({"error": reason}).encode("ascii")
    head = (
        f"HTTP/1.1 {status} Refused\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    with contextlib.suppress(OSError):
        connection.sendall(head.encode("ascii") + body)
    _shut(connection)


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
