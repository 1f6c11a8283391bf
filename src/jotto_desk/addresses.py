"""Web addresses: whether they are this computer's own, and the logins in them, which are never shown or saved."""

import re
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

#: Longest address in characters: to parse one of megabytes takes minutes.
LONGEST = 2000
#: The login before the host of an address.
_LOGIN = re.compile(r"//[^/?#\s]*@")
_DRIVE = re.compile(r"[a-zA-Z]:\\")


class Address(NamedTuple):
    """A web address without its login; `login` is the name and the password, or None."""

    plain: str
    login: tuple[str, str] | None

    def follow_redirect(self, location: str) -> "Address":
        """Return the address that a redirect leads to; only the same server gets the login. Raises ValueError."""
        # requests reads headers as Latin-1; addresses are UTF-8.
        further = split(urljoin(self.plain, location.encode("latin-1").decode("utf-8")))
        same = find_origin(further.plain) == find_origin(self.plain)
        return further if further.login or not same else further._replace(login=self.login)


def split(address: str) -> Address:
    """Split an address into the address without its login and the login."""
    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    if not at:
        return Address(address, None)
    name, _, password = user.partition(":")
    return Address(parts._replace(netloc=host).geturl(), (unquote(name), unquote(password)))


def hide_login(address: str) -> str:
    """Return a typed address without its login, to be printed or saved.

    >>> hide_login("https://ann:secret@example.org/list.txt"), hide_login("ann:secret@example.org")
    ('https://example.org/list.txt', 'example.org')
    """
    if len(address) <= LONGEST and find_origin(address) != "nowhere":
        return _LOGIN.sub("//", address, count=1)
    # It is not a proper address; a possible login ends at the last "@".
    before, _, host = address.rpartition("@")
    front = before.strip().lstrip("/").partition("/")[0]
    return host if ":" in front and not _DRIVE.match(address) else address


def hide_logins(text: str) -> str:
    """Return a text without the logins of the addresses in it.

    >>> hide_logins("There is no list at http://ann:secret@example.org.")
    'There is no list at http://example.org.'
    """
    return _LOGIN.sub("//", text)


def find_origin(address: str) -> str:
    """Return the server of an address as scheme, host and port, or `nowhere` if it is not an address."""
    try:
        parts = urlsplit(address)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme.lower())
    except ValueError:
        return "nowhere"
    if not parts.hostname:
        return "nowhere"
    return f"{parts.scheme.lower()}://{parts.hostname.lower()}:{port}"


def names_loopback(address: str) -> bool:
    """Return whether an address such as `http://HOST:PORT` names this computer. Put `//` before a Host header.

    >>> names_loopback("http://127.0.0.1:8080/games"), names_loopback("//[::1]:80"), names_loopback("http://evil.example")
    (True, True, False)
    """
    # It brings libqi's protocol, which most commands do without.
    from naosim_robots.addresses import is_loopback

    try:
        return is_loopback(urlsplit(address).hostname or "")
    except ValueError:
        return False
