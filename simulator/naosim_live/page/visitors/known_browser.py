"""How a visitor is known again: by a cookie with a name that nobody can guess."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter

from ..doors.asgi import App, Header, Message, Receive, Scope, Send, cookie, set_cookie

#: Bytes of chance in the name of a browser, what such a name looks like, and where a request keeps it.
_NAME_BYTES, NAME, KEPT = 24, re.compile(r"[A-Za-z0-9_-]{32}"), "nao.visitor"
#: Sockets of one browser at a time.
MOST_SOCKETS = 8


class KnownBrowsers:
    """An ASGI application in front of another one, which gives every browser a name of its own."""

    def __init__(self, app: App, name: str, is_tls: bool) -> None:
        """Keep the names in the cookie of this name."""
        self._app, self._name, self._is_tls = app, name, is_tls
        self._sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or one socket with its browser's name."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        brought = cookie(scope, self._name)
        is_known = NAME.fullmatch(brought) is not None
        if scope["type"] == "websocket":
            await self._serve_socket(brought if is_known else "", scope, receive, send)
        else:
            browser = brought if is_known else secrets.token_urlsafe(_NAME_BYTES)
            scope[KEPT] = browser
            kept = set_cookie(self._name, browser, self._is_tls) if scope["path"] == "/" else None
            await self._app(scope, receive, _with_header(send, kept))

    async def _serve_socket(self, browser: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket of a known browser; one that keeps no cookies has none."""
        if not browser or self._sockets[browser] >= MOST_SOCKETS:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        scope[KEPT] = browser
        self._sockets[browser] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets[browser] -= 1
            self._sockets += Counter()  # Forgets the names that count nothing.


def public_name(browser: str) -> str:
    """Return what a browser's name becomes in the name of a folder: who reads that cannot pass for the browser."""
    return hashlib.sha256(browser.encode("utf-8")).hexdigest()[:32]


def _with_header(send: Send, header: Header | None) -> Send:
    async def sending(message: Message) -> None:
        if header is not None and message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), header]
        await send(message)

    return sending
