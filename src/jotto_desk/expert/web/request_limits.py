"""Limits on requests: one from another web page, to another host name or of too many bytes gets no further."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ...addresses import names_loopback
from . import responses

_LOG = logging.getLogger(__name__)
#: Bytes of a request's body, and of all that are being read or worked out.
MOST_BYTES, MOST_IN_ALL = 4_000_000, 64_000_000
TOO_LARGE = 413, f"The request has more than {MOST_BYTES:,} bytes; send less."
TOO_MUCH = 503, f"Requests of more than {MOST_IN_ALL:,} bytes are under way; try again in a moment."

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class Refused(Exception):
    """A request that is answered by a status and a reason, or, with status 0, not at all: the client has gone."""

    def __init__(self, status: int, reason: str) -> None:
        self.status, self.reason = status, reason
        super().__init__(reason)


class RequestLimits:
    """A filter in front of `app`: requests must name this computer, unless `is_public`; bodies are read whole."""

    def __init__(self, app: Application, is_public: bool = False) -> None:
        self.app, self.is_public = app, is_public
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            return
        responses.begin(scope)
        body = bytearray()
        try:
            self._check(scope)
            await self._read(receive, body)
            await self._served(scope, receive, send, bytes(body))
        except Refused as refused:
            if refused.status:
                await _refuse(scope, send, refused)
        except asyncio.CancelledError:
            await _refuse(scope, send, Refused(503, "The service is ending."))
        except Exception:
            _LOG.exception("%s %s was not carried out.", scope["method"], ascii(scope["path"][:200]))
            await _refuse(scope, send, Refused(500, responses.ACCIDENT))
        finally:
            self._held -= len(body)

    async def _served(self, scope: Scope, receive: Receive, send: Send, body: bytes) -> None:
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def again() -> Message:
            return next(messages, None) or await receive()

        await self.app(scope, again, send)

    async def _read(self, receive: Receive, body: bytearray) -> None:
        """Read a body; its bytes count until the request is answered."""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise Refused(0, "The client has gone.")
            part = message.get("body", b"")
            body += part
            self._held += len(part)
            if len(body) > MOST_BYTES:
                raise Refused(*TOO_LARGE)
            if self._held > MOST_IN_ALL:
                raise Refused(*TOO_MUCH)
            if not message.get("more_body", False):
                return

    def _check(self, scope: Scope) -> None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        # A web page elsewhere can send requests here from a visitor's browser, even by a name of its own.
        if not (self.is_public or names_loopback("//" + headers.get(b"host", ""))):
            raise Refused(403, "This service answers to the name of this computer alone.")
        if not self.is_public and b"origin" in headers and not names_loopback(headers[b"origin"]):
            raise Refused(403, "This service does not answer other web pages.")
        length = headers.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 15 or int(length) > MOST_BYTES:
            raise Refused(*TOO_LARGE)


async def _refuse(scope: Scope, send: Send, refused: Refused) -> None:
    headers, raw = responses.raw_refusal(refused.status, refused.reason, responses.elapsed_ms(scope))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": raw})
