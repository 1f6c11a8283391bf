"""Events of the robot as libqi signals: the link to the robot lasts as long as some client is connected."""

from concurrent.futures import Future
from threading import Lock
from typing import Any, Protocol

from ..libqi import qi, wrapped
from .signatures import ANYTHING

MOST_EVENTS = 10_000
LONGEST_NAME = 1000


class Linked(Protocol):
    """What a feed needs of a hosted robot."""

    def link(self, event: str, callback: Any) -> "Future[int]":
        """Calls `callback(value)` on every event from now on, and gives the number of the link."""

    def unlink(self, number: int) -> "Future[Any]":
        """Ends a link."""


class Feed:
    """One event and the signal that clients connect to; a signal of several values, or none, gets a list apart."""

    def __init__(self, robot: Linked, event: str, signature: str = ANYTHING) -> None:
        self._robot, self._event = robot, event
        self._is_single = _is_single(signature)
        self._lock = Lock()
        self._wishes = 0
        self._link: Future[int] | None = None
        self.signal = qi.Signal(signature, self._connected)

    def close(self) -> None:
        """Ends the link, whoever is still connected."""
        with self._lock:
            link, self._link = self._link, None
        self._end(link)

    def _connected(self, is_first: bool) -> None:
        """Is told when the first client connects and when the last one goes, in whatever order that is noticed."""
        ended = None
        with self._lock:
            self._wishes += 1 if is_first else -1
            if self._wishes > 0 and self._link is None:
                self._link = self._robot.link(self._event, self._tell)
            elif self._wishes <= 0 and self._link is not None:
                ended, self._link = self._link, None
        self._end(ended)

    def _tell(self, value: Any) -> None:
        if self._is_single:
            self.signal(value)
        else:
            self.signal(*(value if isinstance(value, list) else ()))

    def _end(self, link: "Future[int] | None") -> None:
        if link is not None:
            link.add_done_callback(self._unlink)

    def _unlink(self, link: "Future[int]") -> None:
        if not link.cancelled() and link.exception() is None:
            self._robot.unlink(link.result())


class Feeds:
    """The feeds of one directory, one per event."""

    def __init__(self, robot: Linked) -> None:
        self._robot = robot
        self._lock = Lock()
        self._feeds: dict[tuple[str, str], Feed] = {}
        self._subscribers: dict[str, Any] = {}

    def signal(self, event: str, signature: str) -> Any:
        """The signal of an event, the same one for everybody."""
        with self._lock:
            return self._feed(event, signature).signal

    def subscriber(self, event: str) -> Any:
        """The libqi object with the event's `signal`; raises RuntimeError for too many events."""
        if len(event) > LONGEST_NAME:
            raise RuntimeError(f"The name of an event has at most {LONGEST_NAME} characters.")
        with self._lock:
            if event not in self._subscribers:
                self._subscribers[event] = wrapped(_Subscriber(self._feed(event, ANYTHING).signal))
            return self._subscribers[event]

    def close(self) -> None:
        """Ends every link."""
        with self._lock:
            feeds = list(self._feeds.values())
        for feed in feeds:
            feed.close()

    def _feed(self, event: str, signature: str) -> Feed:
        key = event, signature
        if key not in self._feeds:
            if len(self._feeds) >= MOST_EVENTS:
                raise RuntimeError(f"{MOST_EVENTS} events are subscribed to already.")
            self._feeds[key] = Feed(self._robot, event, signature)
        return self._feeds[key]


class _Subscriber:
    """What ALMemory.subscriber gives: an object with a `signal`."""

    __qi_threading__ = "multi"

    def __init__(self, signal: Any) -> None:
        self.signal = signal



def _is_single(signature: str) -> bool:
    """Whether a signal's signature, such as `(m)` or `((ss))`, has exactly one value."""
    parts = depth = 0
    for letter in signature[1:-1]:
        parts += not depth and letter not in ")]}"
        depth += (letter in "([{") - (letter in ")]}")
    return parts == 1
