"""The guard before the page's server: who may ask it, for what, how much at once and how fast."""

from __future__ import annotations

import asyncio
import time
from urllib.parse import urlsplit

from .doors.asgi import App, Message, Receive, Scope, Send, refuse
from .doors.entrance import HERE, Entrance

#: Sockets at a time, the messages of one in a second, and the bytes of a message.
MOST_SOCKETS, MOST_ACTS, LONGEST_MESSAGE = 40, 40, 64 * 1024
_METHODS = ("GET", "HEAD")
#: Where NiceGUI's sockets are; they are no place for plain requests.
_SOCKETS = "/_nicegui_ws/"
#: What there is besides the page itself; any other path would be another page.
PARTS = ("/_nicegui/", "/favicon.ico")
#: The ports that browsers leave out of a Host header.
_USUAL_PORTS = {"http": 80, "https": 443}
_POLICY = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' {sockets}; "
    "frame-ancestors 'none'; form-action 'none'; base-uri 'self'; object-src 'none'"
)
#: What a page may use of a computer: nothing but, where it hears, the microphone, and no page inside it anything.
_PERMISSIONS = "camera=(), display-capture=(), geolocation=(), usb=(), microphone={microphone}"


class Guard:
    """An ASGI application in front of another one; refuses foreign hosts and origins, and bounds the rest."""

    def __init__(
        self, app: App, port: int, entrance: Entrance = HERE, most_sockets: int = MOST_SOCKETS, hears: bool = False
    ) -> None:
        self._app, self._scheme, self._most_sockets = app, entrance.scheme, most_sockets
        names = entrance.names()
        self._hosts = {f"{name}:{port}" for name in names} | (
            set(names) if port == _USUAL_PORTS[entrance.scheme] else set()
        )
        scheme = "wss" if entrance.scheme == "https" else "ws"
        policy = _POLICY.format(sockets=" ".join(sorted(f"{scheme}://{host}" for host in self._hosts)))
        self._headers = [
            (b"content-security-policy", policy.encode("ascii")),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"x-frame-options", b"DENY"),
            (b"permissions-policy", _PERMISSIONS.format(microphone="(self)" if hears else "()").encode()),
        ]
        self._sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or one socket."""
        kind = scope["type"]
        if kind == "websocket":
            await self._serve_socket(scope, receive, send)
        elif kind == "http":
            refusal = self._refusal(scope) or _wrong_request(scope)
            if refusal:
                await refuse(send, *refusal, (b"allow", ", ".join(_METHODS).encode("ascii")))
            else:
                await self._app(scope, receive, self._with_headers(send))
        else:
            await self._app(scope, receive, send)

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._refusal(scope) or self._sockets >= self._most_sockets:
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
            return 421, "This page answers only at its own address."
        if not all(self._is_own(value.decode("latin-1").lower()) for value in origin):
            return 403, "Another page may not use this one."
        return None

    def _is_own(self, origin: str) -> bool:
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme == self._scheme and parts.netloc in self._hosts

    def _with_headers(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        return sending


def _wrong_request(scope: Scope) -> tuple[int, str] | None:
    """Return why a request to this server is refused: its method, or that it goes to the place of the sockets."""
    if scope["method"] not in _METHODS:
        return 405, "This page can only be read."
    if scope["path"].startswith(_SOCKETS):
        return 403, "This address is only for web sockets."
    if scope["path"] != "/" and not scope["path"].startswith(PARTS):
        return 404, "There is nothing here; the page is at /."
    return None


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
