"""A connection to a robot that is kept up: calls are futures, and those under way when it breaks are made again."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple

from naosim.errors import NaosimError
from naosim_live.libqi_protocol import parse_robot_address

from ..libqi import python_future
from .connecting import STEP, Login, close_or_keep, open_session

#: Seconds between two heartbeats, and how long the answer to one may take.
_HEARTBEAT, _HEARTBEAT_ANSWER = 5.0, 20.0
#: Seconds between two tries to connect again, and for one call that has to be answered at once.
_RETRY, ONE_CALL = 0.25, 15.0
#: What libqi says of calls on a session that has ended.
_ENDED = ("Session closed", "Socket is not connected", "Socket disconnected", "Session disconnected", "disconnected")


class ConnectionLost(NaosimError, RuntimeError):
    """The robot went away and did not come back in time."""


class _PendingCall(NamedTuple):
    """One call under way; an urgent one is not kept for later when the connection breaks."""

    service: str
    method: str
    args: tuple[Any, ...]
    answer: Future[Any]
    urgent: bool


class Connection:
    """A session with the robot at `url`; every method may be called from any thread.

    `patience` is how many seconds a robot that went away may stay away; `tell` is called with sentences for people.
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
        self.login = Login(user, password)
        self.address = parse_robot_address(url, bool(user and password))
        self.patience = patience
        #: Why there is no connection any more, empty as long as there is one.
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
        self._session = self._watched(open_session(self.address, self.login))
        self._is_here.set()
        threading.Thread(target=self._watch_heartbeat, name="naosim-heartbeat", daemon=True).start()

    def call(self, service: str, method: str, args: tuple[Any, ...] = (), urgent: bool = False) -> Future[Any]:
        """Call a method; the future fails with RuntimeError and the robot's text, or with ConnectionLost."""
        call = _PendingCall(service, method, args, Future(), urgent)
        self._send(call)
        return call.answer

    def ask(self, service: str, method: str, *args: Any) -> Any:
        """Call a method at once and wait for its answer, also while the connection is restored; raises RuntimeError."""
        return self.answer(self.call(service, method, args, urgent=True))

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

    def is_back(self, seconds: float) -> bool:
        """Wait so many seconds for the robot to be there; return whether it is."""
        return self._is_here.wait(seconds) and not self.lost

    def is_loss(self, error: BaseException) -> bool:
        """Return whether an error means that the connection broke, not that the robot refused."""
        return isinstance(error, ConnectionLost) or _robot_words(error) in _ENDED or not _is_up(self._session)

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
            _then(lambda: session.service(call.service, _async=True), lambda future: self._found(call, session, future))
        else:
            _then(
                lambda: found.call(call.method, *call.args, _async=True),
                lambda future: self._answered(call, session, future),
            )

    def _found(self, call: _PendingCall, session: Any, future: Future[Any]) -> None:
        if future.exception() is not None:
            self._answered(call, session, future)
            return
        self._keep(session, call.service, future.result())
        self._send(call)

    def _keep(self, session: Any, name: str, found: Any) -> None:
        with self._guard:
            if session is self._session:
                self._objects[name] = found
                self._used.add(name)

    def _answered(self, call: _PendingCall, session: Any, future: Future[Any]) -> None:
        error = future.exception()
        if error is None:
            call.answer.set_result(future.result())
            return
        if not (self.is_loss(error) or session is not self._session):
            # A service that was stopped and started again is another object.
            with self._guard:
                self._objects.pop(call.service, None)
            call.answer.set_exception(RuntimeError(_robot_words(error)))
            return
        self._note_end(session)
        if call.urgent:
            call.answer.set_exception(ConnectionLost(self.lost or _robot_words(error)))
        else:
            self._send(call)

    # Losing the connection and getting it back

    def _watched(self, session: Any) -> Any:
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
        self._tell(f"The robot at {self.address.url} is gone; waiting up to {self.patience:g} s for it.")
        while not self._closing.wait(_RETRY):
            left = end - time.monotonic()
            if left <= 0:
                self._give_up(
                    f"The robot at {self.address.url} went away and did not come back within {self.patience:g} seconds."
                )
                return
            # A try that fails in any way is followed by another one until the time is up.
            with contextlib.suppress(Exception):
                self._restore(open_session(self.address, self.login, min(STEP, max(left, 1.0))))
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
        self._watched(session)
        if not _is_up(session):
            raise RuntimeError("gone again")
        with self._guard:
            self._is_away = False
            waiting, self._waiting = self._waiting, []
        self._is_here.set()
        self._tell("The robot is back; the game goes on.")
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
        """Notice a robot that is silent though nothing has closed: switched off, or out of reach."""
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


def _robot_words(error: BaseException) -> str:
    """Return the robot's own words in an error, without the source lines that libqi adds for a Python service."""
    return str(error).partition("\n\nAt:\n")[0].removeprefix("RuntimeError: ").rstrip("\n")


def _is_up(session: Any) -> bool:
    return bool(session.isConnected())


def _then(start: Callable[[], Any], follow: Callable[[Future[Any]], None]) -> None:
    """Start a libqi call and go on with its future; what libqi refuses at once is a failed future, too."""
    try:
        future = python_future(start())
    except Exception as error:
        future = Future()
        future.set_exception(RuntimeError(str(error)))
    future.add_done_callback(follow)
