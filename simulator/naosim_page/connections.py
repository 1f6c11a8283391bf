"""Limits on connections that uvicorn has no settings for: their number, unread bytes, idle and unfinished requests."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections import Counter
from collections.abc import Callable, Hashable
from http import HTTPStatus
from typing import Generic, NamedTuple, TypeVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

# Incomplete requests, and the choice of those that a server drops so that complete ones are served.

REQUEST_TIMEOUT_S = 20.0  # seconds in which a request, with its body, must be complete
#: Unfinished requests of one address and in all; beyond that the oldest are given up, unless they are younger than
#: these seconds: a crowd that comes together has done nothing wrong.
MAX_PER_ADDRESS, MAX_UNFINISHED, YOUNG_REQUEST_S = 100, 200, 1.0

Key = TypeVar("Key", bound=Hashable)


class _Begun(NamedTuple):
    address: str
    when: float


class Unfinished(Generic[Key]):
    """The unfinished requests by key, the oldest first. Time is passed in, in seconds; not for several threads."""

    def __init__(self) -> None:
        self._begun: dict[Key, _Begun] = {}

    def __len__(self) -> int:
        return len(self._begun)

    def __contains__(self, key: Key) -> bool:
        return key in self._begun

    def begin(self, key: Key, address: str, now: float) -> None:
        """Note that a request is waited for; one that is waited for already continues."""
        self._begun.setdefault(key, _Begun(address, now))

    def end(self, key: Key) -> bool:
        """Forget a request that is complete or will never be; return whether it was waited for."""
        return self._begun.pop(key, None) is not None

    def oldest(self) -> Key | None:
        """Return the one that is waited for longest."""
        return next(iter(self._begun), None)

    def list_given_up(self, now: float) -> list[Key]:
        """Return those to give up: they are too old, or the oldest of too many."""
        here = Counter(begun.address for begun in self._begun.values())
        left, found = len(self._begun), []
        for key, (address, when) in self._begun.items():
            too_many = here[address] > MAX_PER_ADDRESS or left > MAX_UNFINISHED
            if now - when > REQUEST_TIMEOUT_S or (too_many and now - when > YOUNG_REQUEST_S):
                found.append(key)
                here[address] -= 1
                left -= 1
        return found


# Connections.

MAX_OPEN_CONNECTIONS = 600
TICK_S = 0.5  # between two checks of the connections
IDLE_TIMEOUT_S = 30  # until a client must read its answer, or use an idle connection again
_MAX_UNREAD_BYTES = 64_000_000  # of answers that clients have not read yet
_CLOSE_TIMEOUT_S = 2.0  # for the other side to confirm the end of a TLS connection
UNREADABLE_REQUEST = "The request could not be read as HTTP, or its headers are too long."

#: Headers and body of the answer that refuses a request with a status, for a reason.
_Refusal = Callable[[int, str], tuple[list[tuple[bytes, bytes]], bytes]]


class _OpenConnections:
    """The open connections of one server, and which of them wait for a request."""

    def __init__(self) -> None:
        self.every: set[_BoundedConnection] = set()
        self.sockets: set[_BoundedConnection] = set()
        self.unfinished: Unfinished[_BoundedConnection] = Unfinished()
        self._is_watching = False

    def add(self, connection: _BoundedConnection, loop: asyncio.AbstractEventLoop) -> None:
        """Accept a new connection; if there are too many, another one is closed or this one is refused."""
        self.every.add(connection)
        if len(self.every) > MAX_OPEN_CONNECTIONS:
            self._make_room(connection)
        if not self._is_watching:
            self._is_watching = True
            loop.call_later(TICK_S, self._watch, loop)

    def leave(self, connection: _BoundedConnection) -> None:
        self.every.discard(connection)
        self.unfinished.end(connection)

    def _make_room(self, newest: _BoundedConnection) -> None:
        late = self.unfinished.oldest()
        if late is not None:
            late.refuse(408, "Too many requests are unfinished, and this one is the oldest; send it without pauses.")
            return
        idle = next((each for each in self.every if each.is_idle and each is not newest), None)
        if idle is None:
            newest.is_one_too_many = True
        else:
            idle.hang_up()

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for late in self.unfinished.list_given_up(now):
            late.refuse(
                408,
                f"The request did not arrive completely within {REQUEST_TIMEOUT_S:g} seconds, or is the oldest "
                "of too many unfinished ones.",
            )
        unread = 0
        for each in sorted(self.every, key=_BoundedConnection.unread):
            unread += each.unread()
            if each.seconds_unread(now) > IDLE_TIMEOUT_S or unread > _MAX_UNREAD_BYTES:
                each.transport.abort()
        for each in list(self.sockets):
            if each.transport.is_closing() and not each.unread():
                self.sockets.discard(each)
            elif each.seconds_unread(now) > IDLE_TIMEOUT_S:
                each.transport.abort()
        self._is_watching = bool(self.every or self.sockets)
        if self._is_watching:
            loop.call_later(TICK_S, self._watch, loop)


class _BoundedConnection(H11Protocol):
    """A connection that must send whole requests and read its answers, each within a time; see `make_bounded_protocol`.

    With TLS, the agreement on it is part of the first request. The server limits what comes through a web socket; here
    only one whose client no longer reads is closed.
    """

    open: _OpenConnections
    refusal: _Refusal
    tls: ssl.SSLContext | None = None
    is_one_too_many = is_socket = False
    _agreeing: asyncio.Task[None] | None = None
    _early = b""
    _unread_since: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.tls is not None:
            self._agreeing = self.loop.create_task(self._agree(self.tls), name="tls")
        self._wait()
        self.open.add(self, self.loop)

    async def _agree(self, tls: ssl.SSLContext) -> None:
        """Agree on TLS: asyncio's own server would wait a minute for that, for any number of connections."""
        try:
            secured = await self.loop.start_tls(
                self.transport, self, tls, server_side=True, ssl_handshake_timeout=REQUEST_TIMEOUT_S
            )
        except OSError:
            secured = None
        if secured is None:
            # asyncio does not tell the protocol about a connection that ends before TLS is agreed on.
            self.transport.abort()
            self.connection_lost(None)
            return
        self._agreeing = None
        super().connection_made(secured)
        early, self._early = self._early, b""
        if early:
            self.data_received(early)

    def connection_lost(self, exc: Exception | None) -> None:
        self.open.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read more bytes, and note whether the request is complete."""
        if self._agreeing is not None:
            self._early += data
            return
        self._wait()
        super().data_received(data)
        self._note()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave the connection to the protocol of web sockets."""
        self.is_socket = True
        self.open.leave(self)
        self.open.sockets.add(self)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note()

    def handle_events(self) -> None:
        """Serve the received bytes, unless there are too many connections."""
        if self.is_one_too_many:
            self.refuse(503, "Too many connections are open; try again in a moment.")
        else:
            super().handle_events()

    def _wait(self) -> None:
        if not (self.is_socket or self.transport.is_closing()):
            self.open.unfinished.begin(self, self.client[0] if self.client else "", self.loop.time())

    def _note(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY) or self.is_idle:
            self.open.unfinished.end(self)
        else:
            self._wait()

    @property
    def is_idle(self) -> bool:
        """Return whether every request is answered, and no byte of a next one has come."""
        return self.cycle is not None and self.cycle.response_complete and not self.conn.trailing_data[0]

    def unread(self) -> int:
        """Return the bytes of answers that wait for the client to read them."""
        return self.transport.get_write_buffer_size()

    def seconds_unread(self, now: float) -> float:
        """Return the seconds for which bytes have waited at every look; 0 at the first one."""
        if not self.unread():
            self._unread_since = None
        elif self._unread_since is None:
            self._unread_since = now
        return 0.0 if self._unread_since is None else now - self._unread_since

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are no HTTP."""
        self.refuse(400, UNREADABLE_REQUEST)

    def refuse(self, status: int, reason: str) -> None:
        """Answer instead of the application, unless it has begun to answer, and close the connection."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and self._agreeing is None:
            headers, raw = self.refusal(status, reason)
            with contextlib.suppress(h11.LocalProtocolError):
                for event in (
                    h11.Response(status_code=status, headers=headers, reason=HTTPStatus(status).phrase),
                    h11.Data(data=raw),
                    h11.EndOfMessage(),
                ):
                    self.transport.write(self.conn.send(event) or b"")
        self.hang_up()

    def hang_up(self) -> None:
        """Close the connection; an application that still waits for a body gets a disconnection."""
        self.open.unfinished.end(self)
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()
        self.loop.call_later(_CLOSE_TIMEOUT_S, self.transport.abort)


def make_bounded_protocol(refusal: _Refusal, tls: ssl.SSLContext | None = None) -> type[_BoundedConnection]:
    """Make the protocol of one server, whose connections are counted together.

    With TLS, uvicorn itself does not know of it, and runs on asyncio's own loop: uvloop reads before TLS can begin.
    """
    written, context = staticmethod(refusal), tls

    class Connection(_BoundedConnection):
        open = _OpenConnections()
        refusal = written
        tls = context

    return Connection


class PageSocket(WebSocketsSansIOProtocol):
    """A web socket that refuses a header of over 8 kB; uvicorn 0.54 neither answers it nor ends beside it."""

    def data_received(self, data: bytes) -> None:
        """Take in bytes."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.close_sent = True
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
