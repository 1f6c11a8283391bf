"""Where a page listens and what it asks of browsers: by default this computer's own, else a token and TLS."""

from __future__ import annotations

import contextlib
import re
import secrets
import socket
import ssl
from dataclasses import dataclass, replace

from naosim.cli import PAGE_HOST
from naosim.compat import quoted
from naosim.errors import NaosimError
from naosim_live.libqi_protocol import is_loopback

#: The names under which a computer reaches itself, and the hosts that stand for all addresses of a computer.
_LOOPBACK, _EVERYWHERE = ("127.0.0.1", "localhost"), ("0.0.0.0", "::")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,128}")
#: Bytes of chance in a token that is drawn here, and letters of what was typed that a refusal quotes.
_TOKEN_BYTES, _LONGEST_SHOWN = 18, 100
#: An address of the documentation's own (RFC 5737): a way there names our address, and nothing is sent.
_ELSEWHERE = ("192.0.2.1", 9)


class WrongEntrance(NaosimError):
    """The page would be open in a way that was not asked for, or cannot be."""


@dataclass(frozen=True)
class Entrance:
    """A host to listen at, the token that browsers have to bring ("" for none), and the files of TLS ("" for none)."""

    host: str = PAGE_HOST
    token: str = ""
    certificate: str = ""
    key: str = ""

    @property
    def is_public(self) -> bool:
        """Tell whether other computers can reach it."""
        return not is_loopback(self.host)

    @property
    def scheme(self) -> str:
        """Return http or https."""
        return "https" if self.certificate else "http"

    def tls(self) -> ssl.SSLContext | None:
        """Return what TLS is served by, None without TLS; raises WrongEntrance for files that cannot be used."""
        if not self.certificate:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self.certificate, self.key, password=lambda: "")
        except (OSError, ValueError) as error:
            # An SSLError is an OSError, too.
            why = (error.strerror if isinstance(error, OSError) else "") or str(error)
            raise WrongEntrance(
                f"TLS cannot use {quoted(self.certificate[:_LONGEST_SHOWN])} with "
                f"{quoted(self.key[:_LONGEST_SHOWN])}: {why}."
            ) from None
        return context

    def names(self) -> tuple[str, ...]:
        """List the names that browsers may call this computer by."""
        if not self.is_public:
            return tuple(dict.fromkeys((*_LOOPBACK, _written(self.host))))
        if self.host in _EVERYWHERE:
            return tuple(dict.fromkeys((*_own_names(), *_LOOPBACK)))
        return tuple(dict.fromkeys((_written(self.host.lower()), *_addresses(self.host))))

    def address(self, port: int) -> str:
        """Return what is typed into a browser, with the token."""
        name = self.names()[0] if self.host in _EVERYWHERE else _written(self.host)
        return f"{self.scheme}://{name}:{port}/{f'?token={self.token}' if self.token else ''}"


#: This computer's browsers alone.
HERE = Entrance()


def entrance(
    host: str = PAGE_HOST, *, insecure: bool = False, token: str = "", certificate: str = "", key: str = ""
) -> Entrance:
    """Check how a page is to be open; with TLS for other computers a token is drawn. Raises WrongEntrance."""
    if not re.fullmatch(r"[0-9A-Za-z.:_-]{1,253}", host):
        raise WrongEntrance(
            f"{quoted(host[:_LONGEST_SHOWN])} is no host to listen at: write 127.0.0.1, the address of "
            "this computer, or 0.0.0.0 for all of its addresses."
        )
    if token and not _TOKEN.fullmatch(token):
        raise WrongEntrance("A token is 16 to 128 letters, digits, - and _.")
    if bool(certificate) != bool(key):
        raise WrongEntrance("TLS needs both files: --tls-cert and --tls-key.")
    opened = Entrance(host, token, certificate, key)
    opened.tls()
    if not is_loopback(host) and not insecure:
        if not certificate:
            raise WrongEntrance(
                f"{quoted(host)} lets other computers in: give --tls-cert and --tls-key, so that only "
                "who knows the printed address comes in and nobody reads along, or --insecure where "
                "anyone may use the page."
            )
        opened = replace(opened, token=token or secrets.token_urlsafe(_TOKEN_BYTES))
    return opened


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_names() -> list[str]:
    """List what other computers may call this one, the most likely first."""
    name = socket.gethostname().lower()
    return [*_way_out(), *_addresses(name), name, f"{name}.local"]


def _way_out() -> list[str]:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect(_ELSEWHERE)
        return [str(way.getsockname()[0])]
    return []


def _addresses(name: str) -> list[str]:
    with contextlib.suppress(OSError, UnicodeError):
        return [_written(str(found[4][0])) for found in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]
    return []
