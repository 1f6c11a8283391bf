"""Events of the robot for the clients behind a gate: one link to the robot per event, as long as somebody listens."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any

from ..binary_values import encoded
from ..hosting.client import RobotClient

#: Takes a value in libqi's binary form; called on the robot's thread, and does not wait.
Listener = Callable[[bytes], object]


class EventFeed:
    """One event and its listeners."""

    def __init__(self) -> None:
        self.listeners: dict[object, Listener] = {}
        self.link: Future[int] = Future()

    def tell(self, value: Any) -> None:
        """Hand a value on to every listener."""
        listeners = list(self.listeners.values())
        if listeners:
            carried = encoded("m", value)
            for listener in listeners:
                listener(carried)


class EventFeeds:
    """The events of one robot that clients listen to."""

    def __init__(self, robot: RobotClient) -> None:
        self._robot = robot
        self._lock = Lock()
        self._feeds: dict[str, EventFeed] = {}

    def add(self, event: str, key: object, listener: Listener) -> Future[int]:
        """Have an event told, and return the future of the link to the robot; the key is for `remove`."""
        with self._lock:
            feed = self._feeds.get(event)
            is_first = feed is None
            if feed is None:
                feed = self._feeds[event] = EventFeed()
            feed.listeners[key] = listener
            if is_first:
                feed.link = self._robot.link(event, feed.tell, is_quick=True)
            return feed.link

    def remove(self, event: str, key: object) -> None:
        """Have an event told no longer; the last listener ends the link to the robot."""
        with self._lock:
            feed = self._feeds.get(event)
            if feed is None or feed.listeners.pop(key, None) is None or feed.listeners:
                return
            del self._feeds[event]
        feed.link.add_done_callback(self._unlink)

    def _unlink(self, link: Future[int]) -> None:
        if not link.cancelled() and link.exception() is None:
            self._robot.unlink(link.result())
