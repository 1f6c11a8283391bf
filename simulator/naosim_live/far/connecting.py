"""Reaches a robot: opens a libqi session at its address, and says in one sentence why that fails."""

from __future__ import annotations

import contextlib
import ctypes
import socket
import ssl
import struct
import threading
import time
from typing import Any, NamedTuple

from naosim.compat import quoted
from naosim.errors import NaosimError
from naosim_live.addresses import LOGIN_PORT, NAO_PORT, Address

#: Real seconds for each step of reaching a robot, between two looks whether it is done, and for a session to close.
STEP, _LOOK, _CLOSES_WITHIN = 10.0, 0.1, 3.0
#: A message of libqi: magic, id, length, version, type, flags, service, object, action; the first asks who is there.
_HEADER, _MAGIC, _CALL, REPLY, ERROR, _AUTHENTICATE = "<IIIHBBIII", 0x42ADDE42, 1, 2, 3, 8
_TYPE_AT, _STRANGER = 14, 0
#: How often a robot may ask on after it was given the password.
_MOST_ROUNDS = 5


class NotReached(NaosimError):
    """There is no robot to play with at the address; subclasses say why."""


class _UnknownHost(NotReached):
    """No computer has this name."""


class _NoAnswer(NotReached):
    """Nothing listens at the address."""


class _NotNaoqi(NotReached):
    """What answers at the address is no NAOqi."""


class LoginRefused(NotReached):
    """The robot wants a user and a password, or other ones."""


class Login(NamedTuple):
    """A user and a password; without a user, no login is offered."""

    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"<Login of {self.user}>"


class _AuthenticatorFactory:
    """The factory that libqi asks for an authenticator, once per session."""

    def __init__(self, login: Login) -> None:
        self._login = login

    def newAuthenticator(self) -> _Authenticator:
        """Make an authenticator for a session."""
        return _Authenticator(self._login)


class _Authenticator:
    """The login in the form in which libqi hands it to NAOqi 2.9."""

    def __init__(self, login: Login) -> None:
        self._login = login
        self._rounds = 0

    def initialAuthData(self) -> dict[str, str]:
        """Return the login, which the robot gets first."""
        return {"user": self._login.user, "token": self._login.password}

    def _processAuth(self, _asked: dict[str, Any]) -> dict[str, str]:
        """Repeat the login for a robot that asks on, a few times at most."""
        self._rounds += 1
        if self._rounds > _MOST_ROUNDS:
            raise RuntimeError("Authentication failed")
        return self.initialAuthData()


def open_session(where: Address, login: Login, seconds: float | None = None) -> Any:
    """Open a session with a robot that has an ALMemory; each step may take so many seconds. Raises NotReached."""
    from ..libqi import qi

    step = seconds or STEP
    greeting = _greet(where, step)
    if greeting == _STRANGER:
        raise _NotNaoqi(
            f"What answers at {where.url} is no NAOqi: give the robot's port, usually {NAO_PORT} "
            f"({LOGIN_PORT} where it asks for a password)."
        )
    session = qi.Session()
    if login.user:
        session.setClientAuthenticatorFactory(_AuthenticatorFactory(login))
    try:
        error = _await_error(session.connect(where.url, _async=True), step)
        if error:
            raise _refusal(where, login, error, greeting == ERROR)
        error = _await_error(session.service("ALMemory", _async=True), step)
        if error:
            raise _NotNaoqi(
                f"What answers at {where.url} has no ALMemory, so it is no robot, or one that is still "
                "starting: wait a minute and try again."
            )
    except BaseException:
        close_or_keep(session)
        raise
    return session


def close_or_keep(session: Any) -> None:
    """Close a session, or keep it for ever: libqi never comes back from closing one whose greeting was cut off."""
    from ..libqi import close_session

    closing = threading.Thread(target=close_session, args=(session,), name="naosim-close", daemon=True)
    closing.start()
    closing.join(_CLOSES_WITHIN)
    if closing.is_alive():
        # Its destructor would wait as long as `close` does, at the end of the program at the latest.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(session))


def _await_error(future: Any, seconds: float) -> str:
    """Return the error of a libqi future, empty when it went well; between two looks Ctrl-C gets through."""
    end = time.monotonic() + seconds
    while not future.isFinished():
        if time.monotonic() > end:
            return "no answer in time"
        future.wait(int(_LOOK * 1000))
    return str(future.error(0)) or "no reason given" if future.hasError(0) else ""


def _refusal(where: Address, login: Login, error: str, is_unwelcome: bool) -> NotReached:
    """Say why a session cannot be opened with a NAOqi; libqi words a refused login like a broken connection."""
    if not (is_unwelcome or "uthenticat" in error):
        return _NotNaoqi(f"The robot at {where.url} does not finish its greeting ({error[:100]}): start it again.")
    if login.user:
        return LoginRefused(
            f"The robot at {where.url} refuses the user {quoted(login.user)} with this password: give the right ones."
        )
    return LoginRefused(
        f"The robot at {where.url} wants a user and a password: give them with --user NAME and --password-file FILE."
    )


def _greet(where: Address, seconds: float) -> int:
    """Send libqi's greeting without a name and return the kind of answer: REPLY, ERROR or STRANGER.

    A robot that knows no logins answers ERROR, too. Asked first because libqi itself never comes back from some
    strangers. Raises NotReached when nothing listens there at all.
    """
    size = struct.calcsize(_HEADER)
    head = b""
    try:
        line = socket.create_connection((where.host, where.port), seconds)
    except (socket.gaierror, UnicodeError):
        raise _UnknownHost(
            f"There is no computer named {quoted(where.host)} in this network: press the robot's chest "
            "button, it says its address."
        ) from None
    except OSError as error:
        why = "no answer" if isinstance(error, TimeoutError) else (error.strerror or str(error)).lower()
        raise _NoAnswer(
            f"Nothing answers at {where.url} ({why}): is the robot on, in the same network, and is "
            "this its address and port?"
        ) from None
    with line, contextlib.suppress(OSError), _secured(where, line) as secured:
        # An empty map of what we can do: no names, no tokens.
        secured.sendall(struct.pack(_HEADER, _MAGIC, 1, 4, 0, _CALL, 0, 0, 0, _AUTHENTICATE) + struct.pack("<I", 0))
        while len(head) < size and (more := secured.recv(size - len(head))):
            head += more
    if len(head) < size or head[:4] != struct.pack("<I", _MAGIC):
        return _STRANGER
    return ERROR if head[_TYPE_AT] == ERROR else REPLY


def _secured(where: Address, line: socket.socket) -> socket.socket:
    if where.scheme == "tcp":
        return line
    # Robots sign for themselves, and nothing secret is said here.
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(line)
