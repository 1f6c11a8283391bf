"""Access to a page: where it listens, TLS and token, and the guard in front of its server.

By default only browsers of this computer come in. All parts are ASGI applications, or values that they use.
"""

import asyncio
import contextlib
import hmac
import re
import secrets
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from naosim.compat import quote
from naosim.errors import NaosimError
from naosim_page import PAGE_HOST, PAGE_PORT
from naosim_page.certificates import find_certificate_folder, make_certificate
from naosim_robots.addresses import is_loopback

# ASGI.

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]

#: The type of a sentence instead of the page.
_PLAIN: Header = (b"content-type", b"text/plain; charset=utf-8")
#: Seconds for which a browser keeps a cookie.
_COOKIE_LASTS = 30 * 24 * 3600
#: Bytes of cookies that are searched.
_LONGEST_COOKIES = 8192


def cookie(scope: Scope, name: str) -> str:
    """Return the value of a request's cookie, "" if it lacks one."""
    for header, value in scope["headers"]:
        if header == b"cookie":
            for part in value[:_LONGEST_COOKIES].decode("latin-1").split(";"):
                key, _, found = part.strip().partition("=")
                if key == name:
                    return str(found)
    return ""


def set_cookie(name: str, value: str, is_tls: bool) -> Header:
    """Return the header that sets a cookie, which scripts cannot read and other sites cannot send along."""
    # Lax, not Strict: a link to the page on a school's site would not send it.
    text = f"{name}={value}; Path=/; Max-Age={_COOKIE_LASTS}; HttpOnly; SameSite=Lax{'; Secure' if is_tls else ''}"
    return b"set-cookie", text.encode("ascii")


async def refuse(send: Send, status: int, sentence: str, *headers: Header) -> None:
    """Answer a request with a sentence instead of the page."""
    await send({"type": "http.response.start", "status": status, "headers": [_PLAIN, *headers]})
    await send({"type": "http.response.body", "body": sentence.encode("utf-8")})


def raw_refusal(_status: int, sentence: str) -> tuple[list[Header], bytes]:
    """Return headers and body of an answer instead of the page; the connection ends with it."""
    body = sentence.encode("utf-8")
    return [_PLAIN, (b"content-length", str(len(body)).encode("ascii")), (b"connection", b"close")], body


# Where a page listens.

#: The names by which a computer reaches itself, and the hosts that mean all addresses of a computer.
_LOOPBACK, _EVERYWHERE = ("127.0.0.1", "localhost"), ("0.0.0.0", "::")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,128}")
#: Random bytes of a drawn token, and letters of a wrong value that an error quotes.
_TOKEN_BYTES, _LONGEST_SHOWN = 18, 100
#: An address for documentation (RFC 5737): the route to it shows this computer's address, without sending.
_ELSEWHERE = ("192.0.2.1", 9)

_OPEN_TO_ALL = "Anyone who can reach this address can use the page."
_NO_TLS = "Others on the way can read along, and browsers of other computers allow no microphone: add --tls."
_OWN_CERTIFICATE = (
    "This computer made the certificate itself, so each browser warns once: press Advanced (Safari: Show Details), "
    "then continue to the page."
)


class WrongAccess(NaosimError):
    """The page would be more open than asked for, or cannot be opened."""


@dataclass(frozen=True)
class Access:
    """A host and a port to listen at, 0 for any free port; a token for browsers and the files of TLS, "" for none.

    `authority` is the certificate of the authority that signed, if this computer made them.
    """

    host: str = PAGE_HOST
    token: str = ""
    certificate: str = ""
    key: str = ""
    port: int = PAGE_PORT
    authority: str = ""

    @property
    def is_public(self) -> bool:
        """Return whether other computers can reach it."""
        return not is_loopback(self.host)

    @property
    def scheme(self) -> str:
        """Return http or https."""
        return "https" if self.certificate else "http"

    def tls(self) -> ssl.SSLContext | None:
        """Return the context of TLS, None without TLS; raises WrongAccess for files that cannot be used."""
        if not self.certificate:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self.certificate, self.key, password=lambda: "")
        except (OSError, ValueError) as error:
            # An SSLError is an OSError, too.
            why = (error.strerror if isinstance(error, OSError) else "") or str(error)
            raise WrongAccess(
                f"TLS cannot use {quote(self.certificate[:_LONGEST_SHOWN])} with "
                f"{quote(self.key[:_LONGEST_SHOWN])}: {why}."
            ) from None
        return context

    def names(self) -> tuple[str, ...]:
        """List the names by which browsers may call this computer."""
        if not self.is_public:
            return tuple(dict.fromkeys((*_LOOPBACK, _bracket_host(self.host))))
        if self.host in _EVERYWHERE:
            return tuple(dict.fromkeys((*_own_names(), *_LOOPBACK)))
        return tuple(dict.fromkeys((_bracket_host(self.host.lower()), *_addresses(self.host))))

    def address(self) -> str:
        """Return the address for a browser, with the token."""
        name = self.names()[0] if self.host in _EVERYWHERE else _bracket_host(self.host)
        return f"{self.scheme}://{name}:{self.port}/{f'?token={self.token}' if self.token else ''}"

    def list_warnings(self) -> list[str]:
        """List the sentences about who can use and read the page, and what browsers ask."""
        is_due = {
            _OPEN_TO_ALL: self.is_public and not self.token,
            _NO_TLS: self.is_public and not self.certificate,
            _OWN_CERTIFICATE: bool(self.authority),
        }
        return [warning for warning, due in is_due.items() if due]


#: Only browsers of this computer.
HERE = Access()


def check_access(
    host: str = PAGE_HOST,
    port: int = PAGE_PORT,
    *,
    insecure: bool = False,
    token: str = "",
    tls: bool = False,
    certificate: str = "",
    key: str = "",
) -> Access:
    """Check where a page listens; draw a token for other computers with TLS. Raises NaosimError.

    With `tls` this computer makes the certificate.
    """
    if not re.fullmatch(r"[0-9A-Za-z.:_-]{1,253}", host):
        raise WrongAccess(
            f"{quote(host[:_LONGEST_SHOWN])} is not a host to listen at: write 127.0.0.1, the address of "
            "this computer, or 0.0.0.0 for all of its addresses."
        )
    if token and not _TOKEN.fullmatch(token):
        raise WrongAccess("A token has 16 to 128 letters, digits, - and _.")
    if tls and (certificate or key):
        raise WrongAccess("--tls makes a certificate: leave out either --tls, or --tls-cert and --tls-key.")
    if bool(certificate) != bool(key):
        raise WrongAccess("TLS needs both files: --tls-cert and --tls-key.")
    opened = Access(host, token, certificate, key, port)
    if tls:
        opened = replace(opened, **make_certificate(find_certificate_folder(), opened.names())._asdict())
    opened.tls()
    if not is_loopback(host) and not insecure:
        if not opened.certificate:
            raise WrongAccess(
                f"{quote(host)} lets other computers in: give --tls, or --tls-cert and --tls-key, so that only people "
                "with the printed address can use the page and read it, and browsers allow the microphone; or "
                "--insecure to let anyone use it, without a microphone."
            )
        opened = replace(opened, token=token or secrets.token_urlsafe(_TOKEN_BYTES))
    return opened


def _bracket_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_names() -> list[str]:
    """List the names by which other computers may call this one, the most likely first."""
    name = socket.gethostname().lower()
    return [*_list_route_addresses(), *_addresses(name), name, f"{name}.local"]


def _list_route_addresses() -> list[str]:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect(_ELSEWHERE)
        return [str(way.getsockname()[0])]
    return []


def _addresses(name: str) -> list[str]:
    with contextlib.suppress(OSError, UnicodeError):
        return [_bracket_host(str(found[4][0])) for found in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]
    return []


# The token.

_MISSING = "This page opens by the whole address that was printed where it was started, with its token."
#: Characters of a query that are searched for a token.
_LONGEST_QUERY = 300


class TokenLock:
    """An ASGI application in front of another one; the token of an address moves into a cookie."""

    def __init__(self, app: App, token: str, name: str, is_tls: bool) -> None:
        """Lock `app` with a token, which browsers keep in the cookie of this name."""
        self._app, self._token, self._name, self._is_tls = app, token, name, is_tls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve requests with the token."""
        if scope["type"] == "lifespan" or self._fits(cookie(scope, self._name)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        elif self._fits(_token_of_address(scope)):
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


def _token_of_address(scope: Scope) -> str:
    query = str(scope["query_string"][:_LONGEST_QUERY], "latin-1")
    return parse_qs(query, max_num_fields=_LONGEST_QUERY).get("token", [""])[0]


# The guard.

#: Sockets at a time, the messages of one per second, and the bytes of a message.
MAX_SOCKETS, MAX_MESSAGES_PER_S, MAX_MESSAGE_BYTES = 40, 120, 64 * 1024
_METHODS = ("GET", "HEAD")
#: The ports that browsers leave out of a Host header.
_USUAL_PORTS = {"http": 80, "https": 443}
_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self' {sockets}; "
    "frame-ancestors 'none'; form-action 'none'; base-uri 'self'; object-src 'none'"
)
#: The policy of a worker in which a visitor's behaviour runs: it fetches only Python.
_WORKER, _WORKER_FILES = "/worker.js", ("/pyodide/", "/nao.zip.packed")
_WORKER_POLICY = "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; connect-src {files}"
#: The page can only use the computer's microphone, and only if NAO can listen.
_PERMISSIONS = "camera=(), display-capture=(), geolocation=(), usb=(), microphone={microphone}"


class Guard:
    """An ASGI application in front of another one: it refuses foreign hosts and origins, and limits sockets."""

    def __init__(self, app: App, access: Access = HERE, hears: bool = False) -> None:
        self._app, self._scheme = app, access.scheme
        names = access.names()
        self._hosts = {f"{name}:{access.port}" for name in names}
        if access.port == _USUAL_PORTS[access.scheme]:
            self._hosts |= set(names)
        scheme = "wss" if access.scheme == "https" else "ws"
        hosts = sorted(self._hosts)
        policy = _POLICY.format(sockets=" ".join(f"{scheme}://{host}" for host in hosts))
        files = " ".join(f"{access.scheme}://{host}{file}" for host in hosts for file in _WORKER_FILES)
        self._policy, self._worker_policy = policy.encode("ascii"), _WORKER_POLICY.format(files=files).encode("ascii")
        self._headers = [
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
            refusal = self._refusal(scope)
            if refusal is None and scope["method"] not in _METHODS:
                refusal = 405, "This page can only be read."
            if refusal:
                await refuse(send, *refusal, (b"allow", ", ".join(_METHODS).encode("ascii")))
            else:
                await self._app(scope, receive, self._add_headers(send, scope["path"]))
        else:
            await self._app(scope, receive, send)

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._refusal(scope) or self._sockets >= MAX_SOCKETS:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        self._sockets += 1
        try:
            await self._app(scope, _slow_down(receive), send)
        finally:
            self._sockets -= 1

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return why a request is refused: its host or origin is not this computer's own."""
        headers = scope["headers"]
        host = [value for name, value in headers if name == b"host"]
        origin = [value for name, value in headers if name == b"origin"]
        if len(host) != 1 or host[0].decode("latin-1").lower() not in self._hosts:
            return 421, "This page answers only at its own address."
        if not all(self._is_own_origin(value.decode("latin-1").lower()) for value in origin):
            return 403, "Another page must not use this one."
        return None

    def _is_own_origin(self, origin: str) -> bool:
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme == self._scheme and parts.netloc in self._hosts

    def _add_headers(self, send: Send, path: str) -> Send:
        policy = self._worker_policy if path == _WORKER else self._policy

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(b"content-security-policy", policy), *self._headers]
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        return sending


def _slow_down(receive: Receive) -> Receive:
    """Return a `receive` that lets MAX_MESSAGES_PER_S through; further messages wait."""
    times: list[float] = []

    async def receiving() -> Message:
        message = await receive()
        if message["type"] == "websocket.receive":
            now = time.monotonic()
            times[:] = [each for each in times if each > now - 1.0]
            if len(times) >= MAX_MESSAGES_PER_S:
                await asyncio.sleep(times[0] + 1.0 - now)
            times.append(time.monotonic())
        return message

    return receiving
