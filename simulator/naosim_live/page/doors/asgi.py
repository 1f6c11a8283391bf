"""Words of ASGI that the doors of a page share: its types, cookies, and a refusal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]

#: What a sentence in place of the page is.
_PLAIN: Header = (b"content-type", b"text/plain; charset=utf-8")
#: Seconds for which a browser keeps a cookie: those who come back next week find their game.
_COOKIE_LASTS = 30 * 24 * 3600
#: Bytes of cookies that are looked into.
_LONGEST_COOKIES = 8192


def cookie(scope: Scope, name: str) -> str:
    """Return the value of a cookie that a request brings, "" where there is none."""
    for header, value in scope["headers"]:
        if header == b"cookie":
            for part in value[:_LONGEST_COOKIES].decode("latin-1").split(";"):
                key, _, found = part.strip().partition("=")
                if key == name:
                    return str(found)
    return ""


def set_cookie(name: str, value: str, is_tls: bool) -> Header:
    """Return the header that sets a cookie, which scripts cannot read and other sites cannot send along."""
    # Lax, not Strict: a link to the page on a school's site would else find a stranger each time.
    text = f"{name}={value}; Path=/; Max-Age={_COOKIE_LASTS}; HttpOnly; SameSite=Lax{'; Secure' if is_tls else ''}"
    return b"set-cookie", text.encode("ascii")


async def refuse(send: Send, status: int, sentence: str, *headers: Header) -> None:
    """Answer a request with a sentence in place of the page."""
    await send({"type": "http.response.start", "status": status, "headers": [_PLAIN, *headers]})
    await send({"type": "http.response.body", "body": sentence.encode("utf-8")})


def raw_refusal(_status: int, sentence: str) -> tuple[list[Header], bytes]:
    """Return headers and body of an answer in place of the page; the connection ends with it."""
    body = sentence.encode("utf-8")
    return [_PLAIN, (b"content-length", str(len(body)).encode("ascii")), (b"connection", b"close")], body
