"""Web addresses: which are this computer's own; a login inside one goes to its own server, never shown or kept."""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

#: No address of a server is longer; to look into one of megabytes takes minutes.
LONGEST = 2000
#: The login in front of the host of an address.
_LOGIN = re.compile(r"//[^/?#\s]*@")
_DRIVE = re.compile(r"[a-zA-Z]:\\")


class Address(NamedTuple):
    """A web address without its login, and the login, if it has one."""

    plain: str
    login: tuple[str, str] | None

    def sent_on(self, location: str) -> "Address":
        """Return where a redirect leads; another server is not told the login. Raises ValueError for no address."""
        # The library reads headers as Latin-1; addresses are UTF-8.
        further = split(urljoin(self.plain, location.encode("latin-1").decode("utf-8")))
        same = origin(further.plain) == origin(self.plain)
        return further if further.login or not same else further._replace(login=self.login)


def split(address: str) -> Address:
    """Take the login out of an address."""
    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    if not at:
        return Address(address, None)
    name, _, password = user.partition(":")
    return Address(parts._replace(netloc=host).geturl(), (unquote(name), unquote(password)))


def shown(address: str) -> str:
    """Return what is typed for an address as it may be printed, kept and sent to others: without a login.

    >>> shown("https://ann:secret@example.org/list.txt"), shown("ann:secret@example.org"), shown("ann@home.txt")
    ('https://example.org/list.txt', 'example.org', 'ann@home.txt')
    """
    if len(address) <= LONGEST and origin(address) != "nowhere":
        return _LOGIN.sub("//", address, count=1)
    # Something is wrong with it; what may be a login all the same ends at the last of these signs.
    before, _, host = address.rpartition("@")
    front = before.strip().lstrip("/").partition("/")[0]
    return host if ":" in front and not _DRIVE.match(address) else address


def hide_logins(text: str) -> str:
    """Return a text without the logins of the addresses in it.

    >>> hide_logins("There is no list at http://ann:secret@example.org.")
    'There is no list at http://example.org.'
    """
    return _LOGIN.sub("//", text)


def origin(address: str) -> str:
    """Name the server of an address: scheme, host and port; `nowhere` for what is no address."""
    try:
        parts = urlsplit(address)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme.lower())
    except ValueError:
        return "nowhere"
    if not parts.hostname:
        return "nowhere"
    return f"{parts.scheme.lower()}://{parts.hostname.lower()}:{port}"


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
