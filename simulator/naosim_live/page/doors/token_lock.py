"""A lock before a page's server: only browsers that have come by the printed address are let in."""

from __future__ import annotations

import hmac
from urllib.parse import parse_qs

from .asgi import App, Receive, Scope, Send, cookie, refuse, set_cookie

_MISSING = "This page opens by the whole address that was printed where it was started, with its token."
#: Characters of a query that are looked into for a token.
_LONGEST_QUERY = 300


class TokenLock:
    """An ASGI application in front of another one; the token of an address becomes a cookie, and leaves the address."""

    def __init__(self, app: App, token: str, name: str, is_tls: bool) -> None:
        """Lock `app` by a token, which browsers keep in the cookie of this name."""
        self._app, self._token, self._name, self._is_tls = app, token, name, is_tls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve who brings the token."""
        if scope["type"] == "lifespan" or self._fits(cookie(scope, self._name)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        elif self._fits(_asked(scope)):
            headers = [
                (b"location", b"/"),
                (b"cache-control", b"no-store"),
                set_cookie(self._name, self._token, self._is_tls),
            ]
            await send({"type": "http.response.start", "status": 303, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
        else:
            await refuse(send, 403, _MISSING)

    def _fits(self, brought: str) -> bool:
        return hmac.compare_digest(brought.encode("utf-8"), self._token.encode("utf-8"))


def _asked(scope: Scope) -> str:
    query = str(scope["query_string"][:_LONGEST_QUERY], "latin-1")
    return parse_qs(query, max_num_fields=_LONGEST_QUERY).get("token", [""])[0]
