"""Limits on requests: one from another web page, to another host name or of too many bytes gets no further."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from . import responses

#: Bytes of a request's body, and seconds it may take to come.
MOST_BYTES, SECONDS = 4_000_000, 20.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class RequestLimits:
    """A filter in front of `app`: requests must name one of `hosts` (any, where it is None); bodies are read whole."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]],
                 hosts: Collection[str] | None = LOOPBACK) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        responses.begin(scope)
        refused = self._refused(scope)
        if refused is not None:
            await _refuse(scope, send, *refused)
            return
        try:
            body = await asyncio.wait_for(_body(receive), SECONDS)
        except asyncio.TimeoutError:
            await _refuse(scope, send, 408, f"The request did not come whole within {SECONDS:g} seconds.")
            return
        if body is None:
            await _refuse(scope, send, 413, f"The request has more than {MOST_BYTES:,} bytes; send less.")
            return
        parts = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def again() -> MutableMapping[str, Any]:
            return next(parts, None) or await receive()

        await self.app(scope, again, send)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if self.hosts is not None:
            # A web page elsewhere can send requests here from a visitor's browser, even by a name of its own.
            if _host("//" + headers.get(b"host", "")) not in self.hosts:
                return 403, "This service answers to the name of this computer alone."
            if b"origin" in headers and _host(headers[b"origin"]) not in self.hosts:
                return 403, "This service does not answer other web pages."
        length = headers.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 15 or int(length) > MOST_BYTES:
            return 413, f"The request has more than {MOST_BYTES:,} bytes; send less."
        return None


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


async def _body(receive: Receive) -> bytes | None:
    """Read a body; None where it is too large."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BYTES:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


async def _refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    raw = json.dumps(responses.reasons(reason, responses.elapsed_ms(scope))).encode("ascii")
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(raw)).encode("ascii")),
               (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": raw})
