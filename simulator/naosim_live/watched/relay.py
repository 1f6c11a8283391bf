"""One client's messages once it has greeted, passed on between it and the directory by two threads of their own.

An event loop takes a tenth of a millisecond for a call and its answer, which is a third of what libqi needs for all of
it. The calls of the robot's methods are answered here, and never reach the directory.
"""

from __future__ import annotations

import contextlib
import math
import socket
import struct
import threading
from collections.abc import Callable

from naosim_live.libqi_protocol import GREETER, DamagedMessage, MessageSplitter

from .outlet import Outlet
from .robot_calls import Caller

#: Bytes read at once.
_MOST_AT_ONCE = 64 * 1024


class Relay:
    """Passes on what two connected sockets say, each with copies of its own, until one of them ends."""

    def __init__(
        self,
        client: socket.socket,
        directory: socket.socket,
        reads_within: float,
        caller: Callable[[Callable[[bytes], object]], Caller],
        tell_end: Callable[[], object],
    ) -> None:
        """Begin, between two messages on both sides; `tell_end` is called when all is over.

        `caller(send)` makes what answers calls, by `send`.
        """
        self._client, self._directory = _copy(client, reads_within), _copy(directory, reads_within)
        self._outlet = Outlet(self._client, self.end)
        self._caller = caller(self._outlet.offer)
        self._tell_end = tell_end
        self._lock = threading.Lock()
        self._ended = 0
        for work in (self._ask, self._answer):
            threading.Thread(target=self._run, args=(work,), name="naosim-relay", daemon=True).start()

    def end(self) -> None:
        """End both connections at once; the threads notice."""
        for way in (self._client, self._directory):
            with contextlib.suppress(OSError):
                way.shutdown(socket.SHUT_RDWR)

    def _ask(self) -> None:
        """Answer the client's calls of the robot, and pass on what else it says; raises DamagedMessage."""
        read, write, takes = self._client.recv, self._directory.sendall, self._caller.takes
        split = MessageSplitter().split
        while data := read(_MOST_AT_ONCE):
            for head, part, is_last in split(data):
                if head.service == GREETER:
                    raise DamagedMessage("a second greeting")
                if not is_last or len(part) != head.size or not takes(head, part):
                    write(part)

    def _answer(self) -> None:
        """Pass on what the directory says; a client that does not read it in time is let go."""
        read, send, split = self._directory.recv, self._outlet.send, MessageSplitter().split
        while data := read(_MOST_AT_ONCE):
            for _head, part, is_last in split(data):
                send(part, is_last)

    def _run(self, work: Callable[[], None]) -> None:
        # A socket that is shut down, a client that does not read, or a damaged message.
        with contextlib.suppress(OSError, DamagedMessage):
            work()
        self.end()
        with self._lock:
            self._ended += 1
            is_last = self._ended == 2
        if is_last:
            self._caller.end()
            self._outlet.close()
            self._directory.close()
            self._tell_end()


def _copy(connection: socket.socket, seconds: float) -> socket.socket:
    """Return a copy of a connected socket that blocks, but for so many seconds at most when it sends."""
    copy = connection.dup()
    copy.setblocking(True)
    fraction, whole = math.modf(seconds)
    copy.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", int(whole), int(fraction * 1e6)))
    return copy
