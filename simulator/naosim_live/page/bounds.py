"""The guard before the page's server: who may ask it, for what, how much at once and how fast."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: Sockets at a time, the messages of one in a second, and the bytes of a message.
MOST_SOCKETS, MOST_ACTS, LONGEST_MESSAGE = 40, 40, 64 * 1024
#: The names under which a computer reaches itself.
LOOPBACK = ("127.0.0.1", "localhost")
METHODS = ("GET", "HEAD")
#: Where NiceGUI's sockets are; they are no place for plain requests.
SOCKETS = "/_nicegui_ws/"
POLICY = ("default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' {sockets}; "
          "frame-ancestors 'none'; form-action 'none'; base-uri 'self'; object-src 'none'")


class Guard:
    """An ASGI application in front of another one; refuses foreign hosts and origins, and bounds the rest."""

    def __init__(self, app: App, port: int, names: tuple[str, ...] = LOOPBACK) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())
        policy = POLICY.format(sockets=" ".join(sorted(f"ws://{host}" for host in self._hosts)))
        self._headers = [(b"content-security-policy", policy.encode("ascii")), (b"x-content-type-options", b"nosniff"),
                         (b"referrer-policy", b"no-referrer"), (b"x-frame-options", b"DENY")]
        self._sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or one socket."""
        kind = scope["type"]
        if kind == "websocket":
            await self._serve_socket(scope, receive, send)
        elif kind == "http":
            refusal = self._refusal(scope) or _wrong_request(scope)
            if refusal:
                await _refuse(send, *refusal)
            else:
                await self._app(scope, receive, self._with_headers(send))
        else:
            await self._app(scope, receive, send)

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._refusal(scope) or self._sockets >= MOST_SOCKETS:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        self._sockets += 1
        try:
            await self._app(scope, _slowed(receive), send)
        finally:
            self._sockets -= 1

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return why a request is refused: a host or an origin that is not this computer's own."""
        headers = scope["headers"]
        host = [value for name, value in headers if name == b"host"]
        origin = [value for name, value in headers if name == b"origin"]
        if len(host) != 1 or host[0].decode("latin-1").lower() not in self._hosts:
            return 421, "This page answers under its own address alone."
        if any(urlsplit(value.decode("latin-1").lower()).netloc not in self._hosts for value in origin):
            return 403, "Another page may not use this one."
        return None

    def _with_headers(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)
        return sending


def _wrong_request(scope: Scope) -> tuple[int, str] | None:
    """Return why a request to this server is refused: its method, or that it goes to the place of the sockets."""
    if scope["method"] not in METHODS:
        return 405, "This page is read, not written to."
    if scope["path"].startswith(SOCKETS):
        return 403, "This place is for web sockets alone."
    return None


async def _refuse(send: Send, status: int, sentence: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"allow", ", ".join(METHODS).encode("ascii"))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode("utf-8")})


def _slowed(receive: Receive) -> Receive:
    """Let no more messages through in a second than a person's hands make; further ones wait."""
    times: list[float] = []

    async def receiving() -> Message:
        message = await receive()
        if message["type"] == "websocket.receive":
            now = time.monotonic()
            times[:] = [each for each in times if each > now - 1.0]
            if len(times) >= MOST_ACTS:
                await asyncio.sleep(times[0] + 1.0 - now)
            times.append(time.monotonic())
        return message
    return receiving
