"""Addresses of robots, as people write them, with the file of a password, and addresses to listen at."""

import errno
import ipaddress
import os
import re
from pathlib import Path

from naosim.compat import quote
from naosim.errors import NaosimError
from naosim.formats import read_bounded
from qiwire.addresses import LOGIN_PORT, NAO_PORT, Address

__all__ = [
    "LOGIN_PORT",
    "NAO_PORT",
    "Address",
    "WrongAddress",
    "explain_refusal",
    "is_loopback",
    "parse_listen_address",
    "parse_robot_address",
    "read_password",
]

_MAX_ADDRESS_LENGTH = 300
_MAX_PASSWORD_BYTES = 4096
_ADDRESS_PATTERN = re.compile(
    r"(?:(tcps?)://)?(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z_](?:[0-9A-Za-z_.-]{0,252})))"
    r"(?::(\d{1,5}))?/?"
)
_LISTEN_PATTERN = re.compile(r"tcp://(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z.-]{1,253}))(?::(\d{1,5}))?")
_INSECURE_REASON = (
    "a libqi directory has no login, so anyone who reaches the port controls the robot; give --insecure to allow that"
)


class WrongAddress(NaosimError):
    """The text is not an address of a robot."""


def parse_robot_address(text: str, login: bool = False) -> Address:
    """Read `nao.local`, `192.168.1.5:9559`, `tcp://nao.local:9559` or `tcps://nao.local:9503`; raises WrongAddress.

    A host without a port gets the usual port, or with a login the one for logins, which is always secured.

    >>> parse_robot_address("nao.local").url, parse_robot_address("nao.local", login=True).url
    ('tcp://nao.local:9559', 'tcps://nao.local:9503')
    >>> parse_robot_address("tcp://[::1]:40000").port
    40000
    """
    found = _ADDRESS_PATTERN.fullmatch(text.strip()) if len(text) <= _MAX_ADDRESS_LENGTH else None
    host = (found[2] or found[3]) if found else _parse_bare_ipv6(text)
    scheme, port = (found[1] or "", found[4] or "") if found else ("", "")
    if not host or (port and not 0 < int(port) < 65536):
        raise WrongAddress(
            f"{quote(text[:100])} is not an address of a robot: write it like nao.local, "
            f"192.168.1.5:{NAO_PORT} or tcp://nao.local:{NAO_PORT}."
        )
    scheme = scheme or ("tcps" if port == str(LOGIN_PORT) or (login and not port) else "tcp")
    return Address(host, int(port) if port else LOGIN_PORT if scheme == "tcps" else NAO_PORT, scheme)


def parse_listen_address(text: str, insecure: bool = False) -> Address:
    """Read `tcp://HOST:PORT`; raises NaosimError for other texts, and for other computers unless `insecure`.

    >>> parse_listen_address("tcp://localhost:9559").url
    'tcp://127.0.0.1:9559'
    """
    found = _LISTEN_PATTERN.fullmatch(text[:400])
    port = int(found[3] or NAO_PORT) if found else 65536
    if found is None or port > 65535:
        advice = f"write tcp://127.0.0.1:{NAO_PORT}, or port 0 for any free one"
        raise NaosimError(f"{quote(text[:100])} is not an address to listen at: {advice}.")
    host = "127.0.0.1" if found[2] == "localhost" else found[1] or found[2]
    if not (insecure or is_loopback(host)):
        raise NaosimError(f"{quote(text)} can be reached from other computers: {_INSECURE_REASON}.")
    return Address(host, port)


def explain_refusal(address: Address, error: int | None) -> str:
    """Return why an address cannot be listened at, for an error number of the system.

    >>> explain_refusal(Address("127.0.0.1", 9559), errno.EACCES)
    'Port 9559 of 127.0.0.1 cannot be listened at (permission denied): choose another address.'
    """
    if error == errno.EADDRINUSE:
        return (
            f"Port {address.port} of {address.host} is taken, perhaps by another robot: "
            "choose another one, such as tcp://127.0.0.1:0 for any free port."
        )
    why = f" ({os.strerror(error).lower()})" if error is not None and error > 0 else ""
    return f"Port {address.port} of {address.host} cannot be listened at{why}: choose another address."


def _parse_bare_ipv6(text: str) -> str:
    try:
        return str(ipaddress.IPv6Address(text.strip()[:60]))
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Return whether a host is this very computer.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "nao.local", "192.0.2.1")]
    [True, True, True, False, False]
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_password(path: Path) -> str:
    """Return the first line of a plain file of at most 4096 bytes, a robot's password; raises NaosimError."""
    content = read_bounded(str(path), _MAX_PASSWORD_BYTES, NaosimError, "a password file")
    try:
        return (content.decode("utf-8").splitlines() or [""])[0]
    except UnicodeDecodeError:
        raise NaosimError(f"The password file {quote(str(path))} is not UTF-8 text: save it as text.") from None
