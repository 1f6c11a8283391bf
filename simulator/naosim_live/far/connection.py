"""A connection to a robot that is kept up: calls are futures, and what is under way when it breaks is asked again."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple

from naosim.errors import NaosimError

from ..libqi import asked
from .connecting import STEP, Login, let_go, opened, place

#: Seconds between two signs of life, and how long one may take.
PULSE, SIGN = 5.0, 20.0
#: Seconds between two tries to come back, and for one call of those that put things back.
PAUSE, ONE_CALL = 0.25, 15.0
#: What libqi says of calls on a session that has ended.
ENDED = ("Session closed", "Socket is not connected", "Socket disconnected", "Session disconnected", "disconnected")


class ConnectionLost(NaosimError, RuntimeError):
    """The robot went away and did not come back in time."""


class Call(NamedTuple):
    """One call under way; an urgent one is not kept for later when the connection breaks."""

    service: str
    method: str
    args: tuple[Any, ...]
    answer: Future[Any]
    urgent: bool


class Connection:
    """A session with the robot at `url`; every method may be called from any thread.

    `patience` is how many seconds a robot that went away may stay away, `tell` is given sentences for people.
    Raises NaosimError when the robot cannot be reached.
    """

    def __init__(self, url: str, user: str = "", password: str = "", patience: float = 60.0,
                 tell: Callable[[str], object] = lambda _sentence: None) -> None:
        self.login = Login(user, password)
        self.place = place(url, bool(user and password))
        self.patience = patience
        #: Why there is no connection any more, empty as long as there is one.
        self.lost = ""
        #: Called on a thread of ours when the robot is back, before what waited is asked again; and when it is lost.
        self.on_back: list[Callable[[], object]] = []
        self.on_lost: list[Callable[[], object]] = []
        self._tell = tell
        self._guard = threading.Lock()
        self._objects: dict[str, Any] = {}
        self._used: set[str] = set()
        self._waiting: list[Call] = []
        self._is_away = False
        self._leave = threading.Event()
        self._here = threading.Event()
        self._session = self._watched(opened(self.place, self.login))
        self._here.set()
        threading.Thread(target=self._feel_pulse, name="naosim-pulse", daemon=True).start()

    def call(self, service: str, method: str, args: tuple[Any, ...] = (), urgent: bool = False) -> Future[Any]:
        """Calls a method; the future fails with RuntimeError and the robot's text, or with ConnectionLost."""
        call = Call(service, method, args, Future(), urgent)
        self._send(call)
        return call.answer

    def ask(self, service: str, method: str, *args: Any) -> Any:
        """Calls a method at once and waits for its answer, for those who find out or put back; raises RuntimeError."""
        return self.answer(self.call(service, method, args, urgent=True))

    @staticmethod
    def answer(future: Future[Any]) -> Any:
        """Waits for an answer, not for ever; raises RuntimeError."""
        try:
            return future.result(ONE_CALL)
        except TimeoutError:
            raise RuntimeError(f"The robot did not answer within {ONE_CALL:g} seconds.") from None

    def services(self) -> list[str]:
        """The names of what the robot offers."""
        return [str(row["name"]) for row in self.answer(asked(self._session.services(_async=True)))]

    def service(self, name: str) -> Any:
        """The libqi object of a service; raises RuntimeError."""
        with self._guard:
            found, session = self._objects.get(name), self._session
        if found is None:
            found = self.answer(asked(session.service(name, _async=True)))
            self._keep(session, name, found)
        return found

    def members(self, name: str, kind: str = "methods") -> set[str]:
        """The names of a service's methods, signals or properties; raises RuntimeError."""
        return {row["name"] for row in self.service(name).metaObject()[kind].values()}

    def session(self) -> Any:
        """The present libqi session."""
        return self._session

    def is_back(self, seconds: float) -> bool:
        """Waits until the robot is there, so many seconds; False when it is not."""
        return self._here.wait(seconds) and not self.lost

    def is_loss(self, error: BaseException) -> bool:
        """Whether an error means that the connection broke, not that the robot refused."""
        return isinstance(error, ConnectionLost) or worded(error) in ENDED or not _is_up(self._session)

    def close(self) -> None:
        """Ends the session; what is under way fails."""
        self._give_up("The connection is closed.")

    # One call

    def _send(self, call: Call) -> None:
        with self._guard:
            if self._is_away and not call.urgent and not self.lost:
                self._waiting.append(call)
                return
            found, session = self._objects.get(call.service), self._session
        if self.lost:
            call.answer.set_exception(ConnectionLost(self.lost))
        elif found is None:
            _then(lambda: session.service(call.service, _async=True), lambda got: self._found(call, session, got))
        else:
            _then(lambda: found.call(call.method, *call.args, _async=True),
                  lambda got: self._answered(call, session, got))

    def _found(self, call: Call, session: Any, got: Future[Any]) -> None:
        if got.exception() is not None:
            self._answered(call, session, got)
            return
        self._keep(session, call.service, got.result())
        self._send(call)

    def _keep(self, session: Any, name: str, found: Any) -> None:
        with self._guard:
            if session is self._session:
                self._objects[name] = found
                self._used.add(name)

    def _answered(self, call: Call, session: Any, got: Future[Any]) -> None:
        error = got.exception()
        if error is None:
            call.answer.set_result(got.result())
            return
        if not (self.is_loss(error) or session is not self._session):
            # A service that was stopped and started again is another object.
            with self._guard:
                self._objects.pop(call.service, None)
            call.answer.set_exception(RuntimeError(worded(error)))
            return
        self._went(session)
        if call.urgent:
            call.answer.set_exception(ConnectionLost(self.lost or worded(error)))
        else:
            self._send(call)

    # Going and coming back

    def _watched(self, session: Any) -> Any:
        session.disconnected.connect(lambda *_reason: self._went(session))
        return session

    def _went(self, session: Any) -> None:
        """The session has ended: whoever notices first starts the way back."""
        with self._guard:
            if session is not self._session or self._is_away or self.lost or self._leave.is_set():
                return
            self._is_away = True
            self._here.clear()
        threading.Thread(target=self._come_back, name="naosim-back", daemon=True).start()

    def _come_back(self) -> None:
        end = time.monotonic() + self.patience
        self._tell(f"The robot at {self.place.url} is gone; waiting up to {self.patience:g} s for it.")
        while not self._leave.wait(PAUSE):
            left = end - time.monotonic()
            if left <= 0:
                self._give_up(f"The robot at {self.place.url} went away and did not come back "
                              f"within {self.patience:g} seconds.")
                return
            # Whatever goes wrong on the way back, it is tried again as long as there is patience.
            with contextlib.suppress(Exception):
                self._settle_in(opened(self.place, self.login, min(STEP, max(left, 1.0))))
                return

    def _settle_in(self, session: Any) -> None:
        """Puts everything back on a new session, then asks what waited; raises RuntimeError when it breaks again."""
        with self._guard:
            self._session = session
            self._objects.clear()
        # A robot that starts has its services one after the other.
        if not self._used <= set(self.services()):
            raise RuntimeError("not all services are there yet")
        for put_back in self.on_back:
            put_back()
        self._watched(session)
        if not _is_up(session):
            raise RuntimeError("gone again")
        with self._guard:
            self._is_away = False
            waiting, self._waiting = self._waiting, []
        self._here.set()
        self._tell("The robot is back; the game goes on.")
        for call in waiting:
            self._send(call)

    def _give_up(self, sentence: str) -> None:
        with self._guard:
            if self.lost:
                return
            self.lost = sentence
            waiting, self._waiting = self._waiting, []
        self._leave.set()
        self._here.set()
        let_go(self._session)
        for call in waiting:
            call.answer.set_exception(ConnectionLost(sentence))
        for told in self.on_lost:
            told()

    def _feel_pulse(self) -> None:
        """Notices a robot that is silent though nothing has closed: switched off, or out of reach."""
        while not self._leave.wait(PULSE):
            session = self._session
            if self._here.is_set() and not self._lives(session):
                self._went(session)
                let_go(session)

    def _lives(self, session: Any) -> bool:
        try:
            asked(session.services(_async=True)).result(SIGN)
        except (TimeoutError, RuntimeError):
            return False
        return True


def worded(error: BaseException) -> str:
    """The robot's own words: libqi adds the places of a Python service."""
    return str(error).partition("\n\nAt:\n")[0].removeprefix("RuntimeError: ").rstrip("\n")


def _is_up(session: Any) -> bool:
    return bool(session.isConnected())


def _then(start: Callable[[], Any], went: Callable[[Future[Any]], None]) -> None:
    """Starts a libqi call and goes on with its future; what libqi refuses at once is a failed future too."""
    try:
        future = asked(start())
    except Exception as error:
        future = Future()
        future.set_exception(RuntimeError(str(error)))
    future.add_done_callback(went)
