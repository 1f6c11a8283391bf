"""Addresses of robots: where one is reached, and where a directory may listen for clients."""

from __future__ import annotations

import errno
import ipaddress
import os
import re
from typing import NamedTuple

from naosim.compat import quoted
from naosim.errors import NaosimError

#: The port at which every NAO listens, and that at which NAOqi 2.9 and newer ask for a user and a password, over TLS.
NAO_PORT, LOGIN_PORT = 9559, 9503
LONGEST_ADDRESS = 300
ADDRESS = re.compile(
    r"(?:(tcps?)://)?(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z_](?:[0-9A-Za-z_.-]{0,252})))"
    r"(?::(\d{1,5}))?/?"
)
LISTEN_ADDRESS = re.compile(r"tcp://(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z.-]{1,253}))(?::(\d{1,5}))?")
WHY = (
    "a libqi directory has no login, so whoever reaches the port can do everything with it; "
    "give --insecure if that is what you want"
)


class WrongAddress(NaosimError):
    """The text is no address of a robot."""


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


def robot_address(text: str, login: bool = False) -> Address:
    """Read `nao.local`, `192.168.1.5:9559`, `tcp://nao.local:9559` or `tcps://nao.local:9503`; raises WrongAddress.

    A host alone has the usual port, or with a login the one for logins.

    >>> robot_address("nao.local").url, robot_address("nao.local", login=True).url
    ('tcp://nao.local:9559', 'tcps://nao.local:9503')
    >>> robot_address("tcp://[::1]:40000").port
    40000
    """
    found = ADDRESS.fullmatch(text.strip()) if len(text) <= LONGEST_ADDRESS else None
    host = (found[2] or found[3]) if found else _bare_ipv6(text)
    if found is None:
        scheme, port = "", ""
    else:
        scheme, port = found[1] or "", found[4] or ""
    if not host or (port and not 0 < int(port) < 65536):
        raise WrongAddress(
            f"{quoted(text[:100])} is no address of a robot: write it like nao.local, "
            f"192.168.1.5:{NAO_PORT} or tcp://nao.local:{NAO_PORT}."
        )
    scheme = scheme or ("tcps" if login and not port else "tcp")
    return Address(host, int(port) if port else LOGIN_PORT if scheme == "tcps" else NAO_PORT, scheme)


def listen_address(text: str, insecure: bool = False) -> Address:
    """Read `tcp://HOST:PORT`; raises NaosimError for other texts, and for other computers unless `insecure`.

    >>> listen_address("tcp://localhost:9559").url
    'tcp://127.0.0.1:9559'
    """
    found = LISTEN_ADDRESS.fullmatch(text[:400])
    port = int(found[3] or NAO_PORT) if found else 65536
    if found is None or port > 65535:
        raise NaosimError(
            f"{quoted(text[:100])} is no address to listen at: write tcp://127.0.0.1:{NAO_PORT}, "
            "or port 0 for any free one."
        )
    host = "127.0.0.1" if found[2] == "localhost" else found[1] or found[2]
    if not (insecure or is_loopback(host)):
        raise NaosimError(f"{quoted(text)} can be reached from other computers: {WHY}.")
    return Address(host, port)


def refusal(address: Address, error: int | None) -> str:
    """Return why an address cannot be listened at, for an error number of the system.

    >>> refusal(Address("127.0.0.1", 9559), errno.EACCES)
    'Port 9559 of 127.0.0.1 cannot be listened at (permission denied): choose another address.'
    """
    if error == errno.EADDRINUSE:
        return (
            f"Port {address.port} of {address.host} is taken, perhaps by another robot: "
            "choose another one, such as tcp://127.0.0.1:0 for any free port."
        )
    why = f" ({os.strerror(error).lower()})" if error is not None and error > 0 else ""
    return f"Port {address.port} of {address.host} cannot be listened at{why}: choose another address."


def _bare_ipv6(text: str) -> str:
    try:
        return str(ipaddress.IPv6Address(text.strip()[:60]))
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Tell whether a host is this very computer.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "nao.local", "192.0.2.1")]
    [True, True, True, False, False]
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
