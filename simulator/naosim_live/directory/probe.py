"""A client of libqi's own messages that needs no libqi: it finds out whether a directory still answers."""

from __future__ import annotations

import socket
from itertools import count

from naosim_live.libqi_protocol import GREETING, HEAD_FORMAT, REPLY, make_call

#: Real seconds for an answer.
_ANSWERS_WITHIN = 5.0
#: The directory's service, the number of its object, and the action that returns this computer's name.
_DIRECTORY, _OBJECT, _MACHINE_ID = 1, 1, 108


class Probe:
    """A connection to the directory at a port of this computer, which has been greeted; raises OSError."""

    def __init__(self, port: int) -> None:
        self._numbers = count(1)
        self._socket = socket.create_connection(("127.0.0.1", port), _ANSWERS_WITHIN)
        try:
            #: What the answer to the greeting carried.
            self.greeted = self._ask(GREETING)
        except OSError:
            self._socket.close()
            raise

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *_error: object) -> None:
        self._socket.close()

    def ask(self) -> None:
        """Ask the directory something and wait for the answer; raises OSError."""
        self.call(_DIRECTORY, _MACHINE_ID)

    def call(self, service: int, action: int, payload: bytes = b"") -> bytes:
        """Call a method of a service and return what the answer carries; raises OSError."""
        return self._ask(make_call(next(self._numbers), service, _OBJECT, action, payload))

    def _ask(self, request: bytes) -> bytes:
        self._socket.sendall(request)
        _magic, _number, length, _version, kind, *_address = HEAD_FORMAT.unpack(self._exactly(HEAD_FORMAT.size))
        carried = self._exactly(length)
        if kind != REPLY:
            raise OSError(f"the directory answers with a message of type {kind}")
        return carried

    def _exactly(self, length: int) -> bytes:
        read = b""
        while len(read) < length:
            more = self._socket.recv(length - len(read))
            if not more:
                raise OSError("the directory ended the connection")
            read += more
        return read
