"""The way to a client, on which several threads send whole messages: those that may wait and those that may not."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections import deque
from collections.abc import Callable

#: Bytes that wait for a client that does not read; with more its connection ends.
MOST_UNREAD = 64 * 1024 * 1024


class Outlet:
    """Sends messages to a client, one after the other; `end` is called when it does not read them."""

    def __init__(self, client: socket.socket, end: Callable[[], object]) -> None:
        self._client, self._end = client, end
        self._sending = threading.Lock()
        self._waiting: deque[bytes] = deque()
        self._unread = 0
        self._is_helped = self._is_held = False

    def send(self, part: bytes, is_last: bool) -> None:
        """Send a message or a part of one, and wait until it is sent; no other comes between. Raises OSError."""
        if not self._is_held:
            self._sending.acquire()
            self._is_held = True
            self._send_waiting()
        self._client.sendall(part)
        if is_last:
            self._is_held = False
            self._sending.release()
            self._send_at_once()

    def offer(self, message: bytes) -> None:
        """Send a message without waiting for anything: what the client has no room for is sent by another thread."""
        self._waiting.append(message)
        self._unread += len(message)
        if self._unread > MOST_UNREAD:
            self._end()
        else:
            self._send_at_once()

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _send_at_once(self) -> None:
        """Send what waits, as far as there is room for it and no other thread sends."""
        while self._waiting and self._sending.acquire(blocking=False):
            try:
                message = self._waiting.popleft()
                sent = self._client.send(message, socket.MSG_DONTWAIT)
                self._unread -= sent
                if sent < len(message):
                    self._waiting.appendleft(message[sent:])
                    self._have_sent()
                    return
            except BlockingIOError:
                self._waiting.appendleft(message)
                self._have_sent()
                return
            except OSError:
                self._waiting.clear()
            finally:
                self._sending.release()

    def _have_sent(self) -> None:
        """Have a thread send what waits, one at a time."""
        if not self._is_helped:
            self._is_helped = True
            threading.Thread(target=self._help, name="naosim-outlet", daemon=True).start()

    def _help(self) -> None:
        try:
            with self._sending:
                self._is_helped = False
                self._send_waiting()
        except OSError:
            self._end()
        else:
            self._send_at_once()

    def _send_waiting(self) -> None:
        with contextlib.suppress(IndexError):
            while True:
                message = self._waiting.popleft()
                self._unread -= len(message)
                self._client.sendall(message)
