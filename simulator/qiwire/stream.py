"""One socket: it sends without waiting, cuts what it receives into messages, and takes turns with other sockets."""

from __future__ import annotations

import logging
import socket
import ssl
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any

from .futures import get_loop, is_loop_thread
from .limits import MESSAGES_PER_TURN, SHORT_MESSAGE_BYTES, TURN_S, Limits, Shared
from .messages import DamagedMessage, Header, MessageReader

_LOG = logging.getLogger(__name__)

#: Bytes of one read, and the number of waiting bytes that pauses reading from a program.
_READ_BYTES, _PAUSE_BYTES = 64 * 1024, 1024 * 1024
_CHECKED_BYTES = 64 * 1024  # stored bytes before all connections are measured again
ENDED = "Socket disconnected"


class Stream(ABC):
    """A connected socket and its messages; a subclass takes them, and notices the end.

    Methods can be called from any thread, except those that begin with an underscore.
    """

    def __init__(self, connected: socket.socket, limits: Limits, shared: Shared, most_bytes: int) -> None:
        self.limits = limits
        self.ended = ""
        #: When it was made, when the last message came, and since when the other program has not read, as
        #: `time.monotonic()`; 0 if it reads.
        self.since = self.used_at = time.monotonic()
        self.unread_since = 0.0
        self.long_bytes = 0  # see `_LongTurns`
        self.own_host, self.other_host = _host(connected.getsockname), _host(connected.getpeername)
        self._shared = shared
        self._socket, self._loop = connected, get_loop()
        self._reader = MessageReader(most_bytes)
        self._sends_at_once = not isinstance(connected, ssl.SSLSocket)
        self._lock = threading.Lock()
        self._unsent: deque[bytes | memoryview] = deque()
        self._unsent_bytes = self._unchecked_bytes = 0
        self._is_paused = self._is_given_up = False
        connected.setblocking(False)
        if connected.family != getattr(socket, "AF_UNIX", None):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._loop.call_soon_threadsafe(self._start_reading)

    @abstractmethod
    def _take(self, head: Header, payload: bytes) -> None:
        """Take a message; raises DamagedMessage."""

    @abstractmethod
    def _let_go(self) -> None:
        """Let go of everything after the end."""

    @property
    def is_ending(self) -> bool:
        """Return whether nothing more can be sent."""
        return self._is_given_up or bool(self.ended)

    @property
    def stream_bytes(self) -> int:
        """Return the bytes that wait, in both directions."""
        return self._reader.kept + self._unsent_bytes

    # Sending.

    def send(self, message: bytes) -> bool:
        """Send a message without waiting; return False if the connection has ended."""
        with self._lock:
            if self.is_ending:
                return False
            sent = 0
            if self._sends_at_once and not self._unsent:
                try:
                    sent = self._socket.send(message)
                except (BlockingIOError, InterruptedError):
                    pass
                except OSError as error:
                    self._loop.call_soon_threadsafe(self.end, error.strerror or ENDED)
                    return False
                if sent == len(message):
                    return True
            is_first = not self._unsent
            self._unsent.append(memoryview(message)[sent:] if sent else message)
            self._unsent_bytes += len(message) - sent
            is_too_much = self._unsent_bytes > self.limits.unread
        if is_too_much:
            self.give_up("the other program does not read")
            return False
        if is_first:
            self._loop.call_soon_threadsafe(self._start_writing)
        self._count(len(message))
        return True

    def give_up(self, why: str) -> None:
        """Drop what waits to be sent, and end; any thread may call it."""
        with self._lock:
            if self.is_ending:
                return
            self._is_given_up = True
            self._unsent.clear()
            self._unsent_bytes = 0
        self._loop.call_soon_threadsafe(self.end, why)

    def _count(self, kept: int) -> None:
        self._unchecked_bytes += kept
        if self._unchecked_bytes > _CHECKED_BYTES:
            self._unchecked_bytes = 0
            self._shared.check_bytes()

    def _start_writing(self) -> None:
        if not self.ended:
            self.unread_since = time.monotonic()
            self._loop.add_writer(self._socket.fileno(), self._write)
            self._write()

    def _write(self) -> None:
        with self._lock:
            try:
                while self._unsent:
                    message = self._unsent[0]
                    sent = self._socket.send(message)
                    self.unread_since = time.monotonic()
                    self._unsent_bytes -= sent
                    if sent < len(message):
                        self._unsent[0] = memoryview(message)[sent:]
                        break
                    self._unsent.popleft()
            except (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                pass
            except (OSError, ValueError) as error:
                self._loop.call_soon(self.end, str(error) or ENDED)
                return
            if not self._unsent:
                self.unread_since = 0.0
                self._loop.remove_writer(self._socket.fileno())
        if self._is_paused and self._unsent_bytes < _PAUSE_BYTES // 2:
            self._is_paused = False
            self._resume()

    # Receiving.

    def _start_reading(self) -> None:
        if not self.ended:
            self._loop.add_reader(self._socket.fileno(), self._read)
            if isinstance(self._socket, ssl.SSLSocket):
                self._read()

    def _read(self) -> None:
        while not self.ended:
            try:
                data = self._socket.recv(_READ_BYTES)
            except (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return
            except (OSError, ValueError) as error:
                self.end(str(error) or ENDED)
                return
            if not data:
                self.end(ENDED)
                return
            self._reader.add(data)
            # A secured socket stores bytes that it has read already.
            if not self._serve() or not isinstance(self._socket, ssl.SSLSocket):
                return

    def _serve(self, may_be_long: bool = False) -> bool:
        """Take the messages that have come, until it is the turn of others; return whether more can be read."""
        end = time.monotonic() + TURN_S
        try:
            for _ in range(MESSAGES_PER_TURN):
                head = self._reader.peek()
                if head is None:
                    self._count(self._reader.kept and _READ_BYTES)
                    return True
                if head.length > SHORT_MESSAGE_BYTES:
                    if not may_be_long:
                        self._loop.remove_reader(self._socket.fileno())
                        _long_turns.wait(self, head.length)
                        return False
                    may_be_long = False
                self.used_at = time.monotonic()
                self._take_next()
                if self.ended:
                    return False
                if self._unsent_bytes > _PAUSE_BYTES:
                    self._is_paused = True
                    break
                if time.monotonic() > end:
                    break
        except DamagedMessage as error:
            self.end(str(error))
            return False
        except Exception as error:
            _LOG.debug("a message cannot be taken", exc_info=True)
            self.end(f"a message cannot be taken: {error}")
            return False
        self._loop.remove_reader(self._socket.fileno())
        if not self._is_paused:
            self._loop.call_soon(self._resume)
        return False

    def _take_next(self) -> None:
        message = self._reader.take()
        if message is not None:
            self._take(*message)

    def _resume(self, may_be_long: bool = False) -> None:
        """Take the messages that wait, then read again."""
        if not self.ended and self._serve(may_be_long):
            self._start_reading()

    # The end.

    def close(self) -> None:
        """End the connection; any thread may call it."""
        if is_loop_thread():
            self.end(ENDED)
        else:
            self._loop.call_soon_threadsafe(self.end, ENDED)

    def end(self, why: str) -> None:
        """End the connection, on the loop's thread."""
        with self._lock:
            if self.ended:
                return
            self.ended = why or ENDED
            self._unsent.clear()
            self._unsent_bytes = 0
        for remove in (self._loop.remove_reader, self._loop.remove_writer):
            remove(self._socket.fileno())
        self._socket.close()
        self._let_go()


class _LongTurns:
    """The sockets whose next message is long: one has its turn in each round of the event loop.

    The shortest message comes first; earlier bytes of its socket count, so that no message waits forever.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Stream]] = []
        self._numbers = count()
        self._now = 0  # bytes

    def wait(self, stream: Stream, length: int) -> None:
        """Let a socket wait for its turn; only on the loop's thread."""
        stream.long_bytes = max(stream.long_bytes, self._now) + length
        heappush(self._waiting, (stream.long_bytes, next(self._numbers), stream))
        if len(self._waiting) == 1:
            get_loop().call_soon(self._serve_next)

    def _serve_next(self) -> None:
        self._now, _number, stream = heappop(self._waiting)
        if self._waiting:
            get_loop().call_soon(self._serve_next)
        stream._resume(may_be_long=True)


_long_turns = _LongTurns()


def _host(ask: Callable[[], Any]) -> str:
    """Return the host of one end of a socket, empty if it lacks one."""
    try:
        name = ask()
    except OSError:
        return ""
    return str(name[0]) if isinstance(name, tuple) else ""
