"""Reaches a robot: reads its address, opens a libqi session, and says in one sentence why that fails."""

from __future__ import annotations

import contextlib
import ctypes
import ipaddress
import re
import socket
import ssl
import struct
import threading
import time
from typing import Any, NamedTuple

from naosim.compat import quoted
from naosim.errors import NaosimError

from ..directory.addresses import NAO_PORT

#: The port at which NAOqi 2.9 and newer ask for a user and a password, over TLS.
LOGIN_PORT = 9503
LONGEST_ADDRESS, LONGEST_LOGIN = 300, 200
#: Real seconds for a step of reaching a robot, and between two looks whether it is done.
STEP, LOOK = 10.0, 0.1
#: Real seconds for a session to close.
LETS_GO = 3.0
#: A message of libqi: magic, id, length, version, type, flags, service, object, action; the first asks who is there.
HEADER, MAGIC, CALL, REPLY, ERROR, AUTHENTICATE = "<IIIHBBIII", 0x42ADDE42, 1, 2, 3, 8
TYPE_AT, STRANGER = 14, 0
#: How often a robot may ask on after it was given the password.
MOST_ROUNDS = 5


class WrongAddress(NaosimError):
    """The text is no address of a robot."""


class NotReached(NaosimError):
    """There is no robot to play with at the address; subclasses say why."""


class UnknownHost(NotReached):
    """No computer has this name."""


class NobodyThere(NotReached):
    """Nothing answers at the address."""


class NotNaoqi(NotReached):
    """Something answers that is no NAOqi."""


class LoginRefused(NotReached):
    """The robot wants a user and a password, or other ones."""


class Place(NamedTuple):
    """Where a robot is: `scheme` is tcp or tcps."""

    scheme: str
    host: str
    port: int

    @property
    def url(self) -> str:
        """The address as libqi writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


def place(text: str, login: bool = False) -> Place:
    """Reads `nao.local`, `192.168.1.5:9559`, `tcp://nao.local:9559` or `tcps://nao.local:9503`; raises WrongAddress.

    A bare host is the usual port, or with a login the one for logins.

    >>> place("nao.local").url, place("nao.local", login=True).url, place("tcp://[::1]:40000").port
    ('tcp://nao.local:9559', 'tcps://nao.local:9503', 40000)
    """
    found = re.fullmatch(r"(?:(tcps?)://)?(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z_](?:[0-9A-Za-z_.-]{0,252})))"
                         r"(?::(\d{1,5}))?/?", text.strip()) if len(text) <= LONGEST_ADDRESS else None
    host = (found[2] or found[3]) if found else _bare_ipv6(text)
    if found is None:
        scheme, port = "", ""
    else:
        scheme, port = found[1] or "", found[4] or ""
    if not host or (port and not 0 < int(port) < 65536):
        raise WrongAddress(f"{quoted(text[:100])} is no address of a robot: write it like nao.local, "
                           f"192.168.1.5:{NAO_PORT} or tcp://nao.local:{NAO_PORT}.")
    scheme = scheme or ("tcps" if login and not port else "tcp")
    return Place(scheme, host, int(port) if port else LOGIN_PORT if scheme == "tcps" else NAO_PORT)


def _bare_ipv6(text: str) -> str:
    try:
        return str(ipaddress.IPv6Address(text.strip()[:60]))
    except ValueError:
        return ""


class Login(NamedTuple):
    """Who we say we are; without a user we say nothing."""

    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"<Login of {self.user}>"


class Authenticators:
    """What libqi asks for an authenticator, once per session."""

    def __init__(self, login: Login) -> None:
        self._login = login

    def newAuthenticator(self) -> Authenticator:
        """A new one."""
        return Authenticator(self._login)


class Authenticator:
    """Gives libqi what NAOqi 2.9 wants to know."""

    def __init__(self, login: Login) -> None:
        self._login = login
        self._rounds = 0

    def initialAuthData(self) -> dict[str, str]:
        """The first thing the robot is told."""
        return {"user": self._login.user, "token": self._login.password}

    def _processAuth(self, _asked: dict[str, Any]) -> dict[str, str]:
        """Says the same to a robot that asks on, but not for ever."""
        self._rounds += 1
        if self._rounds > MOST_ROUNDS:
            raise RuntimeError("Authentication failed")
        return self.initialAuthData()


def opened(where: Place, login: Login, seconds: float | None = None) -> Any:
    """A session with the robot, which has an ALMemory; each step may take so many seconds. Raises NotReached."""
    from ..libqi import qi

    step = seconds or STEP
    greeting = _greeted(where, step)
    if greeting == STRANGER:
        raise NotNaoqi(f"What answers at {where.url} is no NAOqi: give the robot's port, usually {NAO_PORT} "
                       f"({LOGIN_PORT} where it asks for a password).")
    session = qi.Session()
    if login.user:
        session.setClientAuthenticatorFactory(Authenticators(login))
    try:
        error = _waited(session.connect(where.url, _async=True), step)
        if error:
            raise _refusal(where, login, error, greeting == ERROR)
        error = _waited(session.service("ALMemory", _async=True), step)
        if error:
            raise NotNaoqi(f"What answers at {where.url} has no ALMemory, so it is no robot, or one that is still "
                           "starting: wait a minute and try again.")
    except BaseException:
        let_go(session)
        raise
    return session


def let_go(session: Any) -> None:
    """Closes a session, or keeps it for ever: libqi never comes back from closing one whose greeting was cut off."""
    from ..libqi import closed

    over = threading.Thread(target=closed, args=(session,), name="naosim-close", daemon=True)
    over.start()
    over.join(LETS_GO)
    if over.is_alive():
        # Its destructor would wait as long as `close` does, at the end of the program at the latest.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(session))


def _waited(future: Any, seconds: float) -> str:
    """The error of a libqi future, empty when it went well; looks up now and then, for Ctrl-C."""
    end = time.monotonic() + seconds
    while not future.isFinished():
        if time.monotonic() > end:
            return "no answer in time"
        future.wait(int(LOOK * 1000))
    return str(future.error(0)) or "no reason given" if future.hasError(0) else ""


def _refusal(where: Place, login: Login, error: str, is_unwelcome: bool) -> NotReached:
    """Says why a session cannot be opened with a NAOqi; libqi words a refused login like a broken line."""
    if not (is_unwelcome or "uthenticat" in error):
        return NotNaoqi(f"The robot at {where.url} does not finish its greeting ({error[:100]}): start it again.")
    if login.user:
        return LoginRefused(f"The robot at {where.url} refuses the user {quoted(login.user)} with this password: "
                            "give the right ones.")
    return LoginRefused(f"The robot at {where.url} wants a user and a password: give them with --user NAME and "
                        "--password-file FILE.")


def _greeted(where: Place, seconds: float) -> int:
    """What answers libqi's greeting without a name: REPLY, ERROR (also from robots that know no logins), or STRANGER.

    libqi itself never comes back from some strangers. Raises NotReached unless something listens there at all.
    """
    size = struct.calcsize(HEADER)
    head = b""
    try:
        line = socket.create_connection((where.host, where.port), seconds)
    except (socket.gaierror, UnicodeError):
        raise UnknownHost(f"There is no computer named {quoted(where.host)} in this network: press the robot's chest "
                          "button, it says its address.") from None
    except OSError as error:
        why = "no answer" if isinstance(error, TimeoutError) else (error.strerror or str(error)).lower()
        raise NobodyThere(f"Nothing answers at {where.url} ({why}): is the robot on, in the same network, and is "
                          "this its address and port?") from None
    with line, contextlib.suppress(OSError), _secured(where, line) as sure:
        # An empty map of what we can do: no names, no tokens.
        sure.sendall(struct.pack(HEADER, MAGIC, 1, 4, 0, CALL, 0, 0, 0, AUTHENTICATE) + struct.pack("<I", 0))
        while len(head) < size and (more := sure.recv(size - len(head))):
            head += more
    if len(head) < size or head[:4] != struct.pack("<I", MAGIC):
        return STRANGER
    return ERROR if head[TYPE_AT] == ERROR else REPLY


def _secured(where: Place, line: socket.socket) -> socket.socket:
    if where.scheme == "tcp":
        return line
    # Robots sign for themselves, and nothing secret is said here.
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(line)
