"""A connection to a robot that reconnects: calls are futures, and unfinished calls are repeated when it breaks.

`find_robot` opens a libqi session at an address as people write it, and says in one sentence why that fails.
"""

from __future__ import annotations

import contextlib
import ctypes
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

from naosim.compat import quote
from naosim.errors import NaosimError
from naosim_robots.addresses import LOGIN_PORT, NAO_PORT, Address, parse_robot_address
from naosim_robots.futures import python_future
from naosim_robots.libqi import close_session, qi
from qiwire.messages import (
    AUTH_DONE,
    AUTH_ERROR,
    AUTH_STATE,
    CAPABILITY,
    ERROR,
    DamagedMessage,
    MessageReader,
    make_greeting,
    read_greeting,
)

# Reaching a robot.

#: Real seconds for each step of reaching a robot, between two looks whether it is done, and for a session to close.
STEP_TIMEOUT_S, _LOOK_S, _CLOSE_TIMEOUT_S = 10.0, 0.1, 3.0
#: Libqi 3 loses about one connection in three to NAOqi 2.1, so connections that break immediately are opened again: at
#: most five, within 20 seconds in all, with a pause before each. `naoqi.classic` does the same, on Python 2.7, too.
_TRIES, _TRIES_LIMIT_S, _PAUSE_S = 5, 20.0, 0.5
#: The number of times that a robot can continue to ask after it got the password.
_MOST_ROUNDS = 5
_MAX_GREETING_BYTES = 64 * 1024
_BROKEN, _LATE = "disconnected", "no answer in time"
#: Libqi's words for a refused login, also inside the robot's answer.
_REFUSED_LOGIN = "uthenticat"

_USUAL_PORTS = f"usually {NAO_PORT} ({LOGIN_PORT} where it asks for a password)"

_Made = TypeVar("_Made")


class NotReached(NaosimError):
    """There is no robot to play with at the address; subclasses say why."""


class UnknownHost(NotReached):
    """No computer has this name."""


class NoAnswer(NotReached):
    """Nothing listens at the address."""


class NotNaoqi(NotReached):
    """The program that answers at the address is not NAOqi."""


class _Interrupted(Exception):
    """The connection with a robot broke before the session was open; the text is the reason."""


class LoginRefused(NotReached):
    """The robot wants a user and a password, or other ones."""


class Login(NamedTuple):
    """A user and a password; no login is offered unless there are both."""

    user: str = ""
    password: str = ""

    def __bool__(self) -> bool:
        return bool(self.user and self.password)

    def __repr__(self) -> str:
        return f"<Login of {self.user}>"


class _Authenticator:
    """The login in libqi's form for NAOqi 2.9, and libqi's factory of such logins."""

    def __init__(self, login: Login) -> None:
        self._login = login
        self._rounds = 0

    def newAuthenticator(self) -> _Authenticator:
        """Make an authenticator for a session."""
        return _Authenticator(self._login)

    def initialAuthData(self) -> dict[str, str]:
        """Return the login, which the robot gets first."""
        return {"user": self._login.user, "token": self._login.password}

    def _processAuth(self, _asked: dict[str, Any]) -> dict[str, str]:
        """Repeat the login for a robot that asks on, a few times at most."""
        self._rounds += 1
        if self._rounds > _MOST_ROUNDS:
            raise RuntimeError("Authentication failed")
        return self.initialAuthData()


class Tries:
    """Tries to open a session: after `most` broken connections, or after `seconds` seconds, there are no more."""

    def __init__(
        self,
        most: int = _TRIES,
        seconds: float = _TRIES_LIMIT_S,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.clock = clock
        self._most, self._end, self._sleep = most, clock() + seconds, sleep
        self._broken = 0

    def step_end(self) -> float:
        """Return the time at which a step that begins now has to be done."""
        return min(self._end, self.clock() + STEP_TIMEOUT_S)

    def repeat(self, where: Address, attempt: Callable[[], _Made]) -> _Made:
        """Return the result of an attempt; make another one if the connection breaks. Raises NotReached."""
        while True:
            try:
                return attempt()
            except _Interrupted as error:
                self._broken += 1
                if self._broken >= self._most or self.clock() + _PAUSE_S >= self._end:
                    tries = "1 try" if self._broken == 1 else f"{self._broken} tries"
                    raise NotReached(
                        f"The program at {where.url} does not finish its greeting ({str(error)[:100]}; {tries}): "
                        f"start the robot again, or give its port, {_USUAL_PORTS}."
                    ) from None
            self._sleep(_PAUSE_S)


def find_robot(url: str, login: Login, tell: Callable[[str], object], library: Any = qi) -> tuple[Address, Login, Any]:
    """Open a session with the robot at an address as people write it; return the complete address, the login, and it.

    `library` has the session's class: libqi, or `qiwire`.

    With a login, an address without a port means the port for logins. If no robot is there, it is the usual port,
    unsecured and without the login; `tell` gets a sentence about it. Raises NaosimError.
    """
    where, plain, tries = parse_robot_address(url, bool(login)), parse_robot_address(url), Tries()
    try:
        return where, login, open_session(where, login, tries, library)
    except (NoAnswer, NotNaoqi):
        if where == plain:
            raise
    tell(f"There is no robot at {where.url}, the port for logins: trying {plain.url} without the login.")
    try:
        return plain, Login(), open_session(plain, Login(), tries, library)
    except LoginRefused:
        raise LoginRefused(
            f"The robot at {plain.url} wants a user and a password, which were not sent because the connection is "
            f"not encrypted: give --robot {plain.host}:{plain.port} to send them anyway."
        ) from None


def open_session(where: Address, login: Login, tries: Tries | None = None, library: Any = qi) -> Any:
    """Open a session with a robot that has an ALMemory; it gets the login only if it wants one. Raises NotReached."""
    tries = tries or Tries()
    if tries.repeat(where, lambda: _greet(where, Login(), tries)) == AUTH_DONE:
        login = Login()
    # Asked first because libqi tells a refused login like a broken connection.
    elif not login or tries.repeat(where, lambda: _greet(where, login, tries)) == AUTH_ERROR:
        raise _refusal(where, login)
    return tries.repeat(where, lambda: _connect(where, login, tries, library))


def _connect(where: Address, login: Login, tries: Tries, library: Any) -> Any:
    session = library.Session()
    if login:
        session.setClientAuthenticatorFactory(_Authenticator(login))
    try:
        error = _await_error(session.connect(where.url, _async=True), tries)
        if _REFUSED_LOGIN in error:
            raise _refusal(where, login)
        if not error:
            error = _await_error(session.service("ALMemory", _async=True), tries)
            # Libqi can need a second connection for a service. If that one breaks, libqi may never return.
            if error and _is_up(session) and error not in (*_ENDED, _LATE):
                raise NotNaoqi(
                    f"The program at {where.url} has no ALMemory, so it is not a robot, or it is still "
                    "starting: wait a minute and try again."
                )
        if error:
            raise _Interrupted(error)
    except BaseException:
        close_or_keep(session)
        raise
    return session


def close_or_keep(session: Any) -> None:
    """Close a session, or keep it if its greeting was cut off: libqi would never finish closing such a session."""
    closing = threading.Thread(target=close_session, args=(session,), name="naosim-close", daemon=True)
    closing.start()
    closing.join(_CLOSE_TIMEOUT_S)
    if closing.is_alive():
        # Its destructor would wait as long as `close` does, at the end of the program at the latest.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(session))


def _await_error(future: Any, tries: Tries) -> str:
    """Return the error of a libqi future, empty when it went well; between two looks Ctrl-C gets through."""
    end = tries.step_end()
    while not future.isFinished():
        if tries.clock() > end:
            return _LATE
        future.wait(int(_LOOK_S * 1000))
    return str(future.error(0)) or "no reason given" if future.hasError(0) else ""


def _refusal(where: Address, login: Login) -> LoginRefused:
    if login:
        return LoginRefused(
            f"The robot at {where.url} refuses the user {quote(login.user)} with this password: give the right ones."
        )
    return LoginRefused(
        f"The robot at {where.url} wants a user and a password: give them with --user NAME and --password-file FILE."
    )


def _greet(where: Address, login: Login, tries: Tries) -> Any:
    """Send libqi's greeting and return the state of the login: AUTH_DONE, AUTH_ERROR or another one if it continues.

    A robot that knows no logins is done, too. Asked first because libqi itself never comes back from some strangers.
    Raises NotReached.
    """
    end = tries.step_end()
    try:
        line = socket.create_connection((where.host, where.port), max(_LOOK_S, end - tries.clock()))
    except (socket.gaierror, UnicodeError):
        raise UnknownHost(
            f"There is no computer named {quote(where.host)} in this network: press the robot's chest "
            "button to hear its address."
        ) from None
    except ConnectionResetError:
        raise _Interrupted(_BROKEN) from None
    except OSError as error:
        why = "no answer" if isinstance(error, TimeoutError) else (error.strerror or str(error)).lower()
        raise NoAnswer(
            f"Nothing answers at {where.url} ({why}): is the robot on, in the same network, and is "
            "this its address and port?"
        ) from None
    try:
        with line, where.secure(line) as secured:
            said = {"auth_user": login.user, "auth_token": login.password} if login else {}
            secured.sendall(make_greeting(said))
            return _read_state(secured, end, tries)
    except (ConnectionError, ssl.SSLEOFError):
        raise _Interrupted(_BROKEN) from None
    except (OSError, DamagedMessage):
        raise NotNaoqi(f"The program at {where.url} is not NAOqi: give the robot's port, {_USUAL_PORTS}.") from None


def _read_state(line: socket.socket, end: float, tries: Tries) -> Any:
    """Read the answer to a greeting and return the state of the login; raises OSError or DamagedMessage."""
    reader = MessageReader(_MAX_GREETING_BYTES)
    while True:
        line.settimeout(max(_LOOK_S, end - tries.clock()))
        data = line.recv(_MAX_GREETING_BYTES)
        if not data:
            raise ConnectionResetError
        if tries.clock() > end:
            raise TimeoutError
        reader.add(data)
        while (message := reader.take()) is not None:
            head, payload = message
            if head.kind == ERROR:
                return AUTH_ERROR if _REFUSED_LOGIN.encode() in payload else AUTH_DONE
            if head.kind != CAPABILITY:
                return read_greeting(payload).get(AUTH_STATE, AUTH_DONE)


# Keeping the connection up.

#: Seconds between two heartbeats, and the most seconds for the answer to one.
_HEARTBEAT, _HEARTBEAT_ANSWER = 5.0, 20.0
#: Seconds between two tries to connect again, and for one call that must be answered immediately.
_RETRY, ONE_CALL = 0.25, 15.0
#: Libqi's words for calls on a session that has ended.
_ENDED = (
    *("Session closed", "Session disconnected", "Session not connected.", "Socket is not connected"),
    *("Socket disconnected", "Socket Disconnected", "Socket has been reset", "disconnected"),
)


class ConnectionLost(NaosimError, RuntimeError):
    """The robot went away and did not come back in time."""


class _PendingCall(NamedTuple):
    """One call under way; an urgent one is not repeated when the connection breaks."""

    service: str
    method: str
    args: tuple[Any, ...]
    answer: Future[Any]
    urgent: bool


class Connection:
    """A session with the robot at `url`; every method can be called from any thread.

    `patience` is the seconds for which a robot can be out of reach; `tell` is called with sentences for people.
    Raises NaosimError when the robot cannot be reached.
    """

    def __init__(
        self,
        url: str,
        user: str = "",
        password: str = "",
        patience: float = 60.0,
        tell: Callable[[str], object] = lambda _sentence: None,
    ) -> None:
        self.patience = patience
        #: The reason why the connection ended, empty as long as it exists.
        self.lost = ""
        #: Called on a thread of this object: when the robot is back, before the calls that waited; and when it is lost.
        self.on_back: list[Callable[[], object]] = []
        self.on_lost: list[Callable[[], object]] = []
        self._tell = tell
        self._guard = threading.Lock()
        self._objects: dict[str, Any] = {}
        self._used: set[str] = set()
        self._waiting: list[_PendingCall] = []
        self._is_away = False
        self._closing = threading.Event()
        self._is_here = threading.Event()
        self.address, self.login, session = find_robot(url, Login(user, password), tell)
        self._session = self._watch(session)
        self._is_here.set()
        threading.Thread(target=self._watch_heartbeat, name="naosim-heartbeat", daemon=True).start()

    def call(self, service: str, method: str, args: tuple[Any, ...] = (), urgent: bool = False) -> Future[Any]:
        """Call a method; the future fails with RuntimeError and the robot's text, or with ConnectionLost."""
        call = _PendingCall(service, method, args, Future(), urgent)
        self._send(call)
        return call.answer

    def ask(self, service: str, method: str, *args: Any) -> Any:
        """Call a method now and wait for its answer, also while the connection is restored; raises RuntimeError."""
        return self.answer(self.call(service, method, args, urgent=True))

    def ask_if_offered(self, services: Collection[str], service: str, method: str, *args: Any) -> Any:
        """Return the answer of one of these services; None for another one, and if the robot refuses.

        Raises ConnectionLost if the connection broke.
        """
        if service not in services:
            return None
        try:
            return self.ask(service, method, *args)
        except RuntimeError as error:
            if self.is_loss(error):
                raise ConnectionLost(str(error)) from None
            return None

    @staticmethod
    def answer(future: Future[Any]) -> Any:
        """Wait for an answer, 15 seconds at most; raises RuntimeError."""
        try:
            return future.result(ONE_CALL)
        except TimeoutError:
            raise RuntimeError(f"The robot did not answer within {ONE_CALL:g} seconds.") from None

    def services(self) -> list[str]:
        """Return the names of the robot's services."""
        return [str(row["name"]) for row in self.answer(python_future(self._session.services(_async=True)))]

    def service(self, name: str) -> Any:
        """Return the libqi object of a service; raises RuntimeError."""
        with self._guard:
            found, session = self._objects.get(name), self._session
        if found is None:
            found = self.answer(python_future(session.service(name, _async=True)))
            self._keep(session, name, found)
        return found

    def members(self, name: str, kind: str = "methods") -> dict[str, str]:
        """Return a service's methods, signals or properties by name, with the signatures of signals and properties.

        Raises RuntimeError.
        """
        return {row["name"]: row.get("signature", "") for row in self.service(name).metaObject()[kind].values()}

    def session(self) -> Any:
        """Return the present libqi session."""
        return self._session

    def wait_until_back(self, seconds: float) -> bool:
        """Wait for the robot for this number of seconds; return whether it is there."""
        return self._is_here.wait(seconds) and not self.lost

    def is_loss(self, error: BaseException) -> bool:
        """Return whether an error means that the connection broke, not that the robot refused."""
        return isinstance(error, ConnectionLost) or read_robot_words(error) in _ENDED or not _is_up(self._session)

    def close(self) -> None:
        """End the session; calls under way fail."""
        self._give_up("The connection is closed.")

    # One call

    def _send(self, call: _PendingCall) -> None:
        with self._guard:
            if self._is_away and not call.urgent and not self.lost:
                self._waiting.append(call)
                return
            found, session = self._objects.get(call.service), self._session
        if self.lost:
            call.answer.set_exception(ConnectionLost(self.lost))
        elif found is None:
            _then(
                lambda: session.service(call.service, _async=True),
                lambda future: self._take_service(call, session, future),
            )
        else:
            _then(
                lambda: found.call(call.method, *call.args, _async=True),
                lambda future: self._take_answer(call, session, future),
            )

    def _take_service(self, call: _PendingCall, session: Any, future: Future[Any]) -> None:
        if future.exception() is not None:
            self._take_answer(call, session, future)
            return
        self._keep(session, call.service, future.result())
        self._send(call)

    def _keep(self, session: Any, name: str, found: Any) -> None:
        with self._guard:
            if session is self._session:
                self._objects[name] = found
                self._used.add(name)

    def _take_answer(self, call: _PendingCall, session: Any, future: Future[Any]) -> None:
        error = future.exception()
        if error is None:
            call.answer.set_result(future.result())
            return
        if not (self.is_loss(error) or session is not self._session):
            # A service that was stopped and started again is another object.
            with self._guard:
                self._objects.pop(call.service, None)
            call.answer.set_exception(RuntimeError(read_robot_words(error)))
            return
        self._note_end(session)
        if call.urgent:
            call.answer.set_exception(ConnectionLost(self.lost or read_robot_words(error)))
        else:
            self._send(call)

    # Losing the connection and getting it back

    def _watch(self, session: Any) -> Any:
        session.disconnected.connect(lambda *_reason: self._note_end(session))
        return session

    def _note_end(self, session: Any) -> None:
        """Note that a session has ended; the first thread to notice starts the one that connects again."""
        with self._guard:
            if session is not self._session or self._is_away or self.lost or self._closing.is_set():
                return
            self._is_away = True
            self._is_here.clear()
        threading.Thread(target=self._reconnect, name="naosim-reconnect", daemon=True).start()

    def _reconnect(self) -> None:
        end = time.monotonic() + self.patience
        if self.patience:
            self._tell(f"The robot at {self.address.url} does not answer; waiting up to {self.patience:g} s for it.")
        while not self._closing.wait(_RETRY):
            left = end - time.monotonic()
            if left <= 0:
                self._give_up(
                    f"The robot at {self.address.url} went away and did not come back within {self.patience:g} seconds."
                )
                return
            # A try that fails in any way is followed by another one until the time is up.
            with contextlib.suppress(Exception):
                self._restore(open_session(self.address, self.login, Tries(1, max(left, 1.0))))
                return

    def _restore(self, session: Any) -> None:
        """Restore everything on a new session, then make the calls that waited; raises RuntimeError when it breaks."""
        with self._guard:
            self._session = session
            self._objects.clear()
        # A robot that starts has its services one after the other.
        if not self._used <= set(self.services()):
            raise RuntimeError("not all services are there yet")
        for restore in self.on_back:
            restore()
        self._watch(session)
        if not _is_up(session):
            raise RuntimeError("gone again")
        with self._guard:
            self._is_away = False
            waiting, self._waiting = self._waiting, []
        self._is_here.set()
        self._tell("The robot is back.")
        for call in waiting:
            self._send(call)

    def _give_up(self, sentence: str) -> None:
        with self._guard:
            if self.lost:
                return
            self.lost = sentence
            waiting, self._waiting = self._waiting, []
        self._closing.set()
        self._is_here.set()
        close_or_keep(self._session)
        for call in waiting:
            call.answer.set_exception(ConnectionLost(sentence))
        for end in self.on_lost:
            end()

    def _watch_heartbeat(self) -> None:
        """Notice a robot that is silent on an open connection: switched off, or out of reach."""
        while not self._closing.wait(_HEARTBEAT):
            session = self._session
            if self._is_here.is_set() and not self._is_alive(session):
                self._note_end(session)
                close_or_keep(session)

    def _is_alive(self, session: Any) -> bool:
        try:
            python_future(session.services(_async=True)).result(_HEARTBEAT_ANSWER)
        except (TimeoutError, RuntimeError):
            return False
        return True


def read_robot_words(error: BaseException) -> str:
    """Return the robot's own words in an error, without the source lines that libqi adds for a Python service."""
    return str(error).partition("\n\nAt:\n")[0].removeprefix("RuntimeError: ").rstrip("\n")


def _is_up(session: Any) -> bool:
    return bool(session.isConnected())


def _then(start: Callable[[], Any], follow: Callable[[Future[Any]], None]) -> None:
    """Start a libqi call and continue with its future; a call that libqi refuses becomes a failed future, too."""
    try:
        future = python_future(start())
    except Exception as error:
        future = Future()
        future.set_exception(RuntimeError(str(error)))
    future.add_done_callback(follow)
