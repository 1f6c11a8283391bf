"""Addresses of programs: tcp://HOST:PORT, or tcps:// for a secured connection."""

from __future__ import annotations

import re
import socket
import ssl
from typing import NamedTuple

#: The port at which every NAO listens, and that at which NAOqi 2.9 and newer ask for a user and a password, over TLS.
NAO_PORT, LOGIN_PORT = 9559, 9503
_URL = re.compile(r"(?:(tcps?)://)?(?:\[([0-9A-Fa-f:.%]{2,60})\]|([^\s:/\[\]]{1,253}))(?::(\d{1,5}))?/?")


class Address(NamedTuple):
    """A host, a port and a scheme, tcp or tcps; for a listener, port 0 is any free one."""

    host: str
    port: int
    scheme: str = "tcp"

    @property
    def url(self) -> str:
        """Return the address as libqi writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    def secure(self, connected: socket.socket) -> socket.socket:
        """Return a socket that is connected to this address, with TLS if the scheme says so; raises OSError."""
        if self.scheme == "tcp":
            return connected
        # Robots have certificates that they signed themselves.
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(connected)


def parse_url(text: str) -> Address:
    """Read an address; raises ValueError.

    >>> parse_url("tcp://nao.local").url, parse_url("[::1]:40000").host
    ('tcp://nao.local:9559', '::1')
    """
    found = _URL.fullmatch(text.strip())
    port = int(found[4] or NAO_PORT) if found else 65536
    if found is None or port > 65535:
        raise ValueError(f"{text[:100]!r} is not an address: write it like tcp://127.0.0.1:{NAO_PORT}")
    return Address(found[2] or found[3], port, found[1] or "tcp")
