"""Which addresses are this very computer's."""

import ipaddress
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Tell whether a host is this very computer, whatever the network says.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "nao.local", "192.0.2.1", "")]
    [True, True, True, False, False, False]
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def names_loopback(address: str) -> bool:
    """Tell whether an address such as `http://HOST:PORT` names this very computer; a Host header has `//` before it.

    >>> names_loopback("http://127.0.0.1:8080/games"), names_loopback("//[::1]:80"), names_loopback("http://evil.example")
    (True, True, False)
    """
    try:
        return is_loopback(urlsplit(address).hostname or "")
    except ValueError:
        return False
