"""Events of the robot as libqi signals: a link to the robot lasts as long as some client is connected."""

from concurrent.futures import Future
from contextlib import suppress
from threading import Lock
from typing import Any

from naosim.services.base import split_signature
from naosim_live.hosting import RobotClient

from ..libqi import object_future, qi
from .signatures import ANYTHING

MOST_EVENTS = 10_000
_LONGEST_NAME = 1000
#: Values that are shared, and the characters of one.
_MOST_SHARED, _LONGEST_SHARED = 1000, 200


class _SharedValues:
    """Gives the same object for equal values: libqi keeps every object for ever that a signal of Python's carries.

    >>> values = _SharedValues()
    >>> values.shared(["yes", 0.9]) is values.shared(["yes", 0.9])
    True
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def shared(self, value: Any) -> Any:
        """Return the value, or one that is equal to it and was passed before; of many and of long ones, only some."""
        key = repr(value)
        if len(key) > _LONGEST_SHARED:
            return value
        if len(self._values) >= _MOST_SHARED:
            self._values.clear()
        return self._values.setdefault(key, value)


class _SignalFeed:
    """One event, and the signal that clients connect to."""

    def __init__(self, robot: RobotClient, event: str, values: _SharedValues, signature: str) -> None:
        self._robot, self._event, self._values = robot, event, values
        self._count = len(split_signature(signature))
        self._lock = Lock()
        self._connections = 0
        self._link: Future[int] | None = None
        self.signal = qi.Signal(signature, self._connected)

    def close(self) -> None:
        """End the link, even if clients are still connected."""
        with self._lock:
            link, self._link = self._link, None
        self._end(link)

    def _connected(self, is_first: bool) -> None:
        """Link or unlink; called when the first client connects and the last one goes, not always in that order."""
        ended = None
        with self._lock:
            self._connections += 1 if is_first else -1
            if self._connections > 0 and self._link is None:
                self._link = self._robot.link(self._event, self._tell)
            elif self._connections <= 0 and self._link is not None:
                ended, self._link = self._link, None
        self._end(ended)

    def _tell(self, value: Any) -> None:
        value = self._values.shared(value)
        arguments = value if self._count > 1 and isinstance(value, list) else [value][: self._count]
        # Anyone can raise the event with a value that the signal does not carry.
        with suppress(RuntimeError):
            self.signal(*arguments)

    def _end(self, link: "Future[int] | None") -> None:
        if link is not None:
            link.add_done_callback(self._unlink)

    def _unlink(self, link: "Future[int]") -> None:
        if not link.cancelled() and link.exception() is None:
            self._robot.unlink(link.result())


class SignalFeeds:
    """The feeds of one directory, one per event."""

    def __init__(self, robot: RobotClient) -> None:
        self._robot = robot
        self._lock = Lock()
        self._values = _SharedValues()
        self._feeds: dict[tuple[str, str], _SignalFeed] = {}
        self._subscribers: dict[str, Any] = {}

    def signal(self, event: str, signature: str) -> Any:
        """Return the signal of an event, the same one for all clients."""
        with self._lock:
            return self._feed(event, signature).signal

    def subscriber(self, event: str) -> Any:
        """Return the libqi future of the object with the event's `signal`; raises RuntimeError for too many events."""
        if len(event) > _LONGEST_NAME:
            raise RuntimeError(f"The name of an event has at most {_LONGEST_NAME} characters.")
        with self._lock:
            if event not in self._subscribers:
                self._subscribers[event] = object_future(_Subscriber(self._feed(event).signal))
            return self._subscribers[event]

    def close(self) -> None:
        """End every link."""
        with self._lock:
            feeds = list(self._feeds.values())
        for feed in feeds:
            feed.close()

    def _feed(self, event: str, signature: str = ANYTHING) -> _SignalFeed:
        key = event, signature
        if key not in self._feeds:
            if len(self._feeds) >= MOST_EVENTS:
                raise RuntimeError(f"{MOST_EVENTS} events are subscribed to already.")
            self._feeds[key] = _SignalFeed(self._robot, event, self._values, signature)
        return self._feeds[key]


class _Subscriber:
    """The answer of ALMemory.subscriber: an object with a `signal`."""

    __qi_threading__ = "multi"

    def __init__(self, signal: Any) -> None:
        self.signal = signal
