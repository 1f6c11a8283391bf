"""Events of the robot for the clients behind a gate: one link to the robot per event, as long as somebody listens."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any

from naosim_live.hosting import RobotClient
from naosim_live.libqi_protocol import encode_value

#: Takes a value in libqi's binary form; called on the robot's thread, and does not wait.
Listener = Callable[[bytes], object]


class _SharedLink:
    """One event and its listeners."""

    def __init__(self) -> None:
        self.listeners: dict[object, Listener] = {}
        self.number: Future[int] = Future()

    def tell(self, value: Any) -> None:
        """Hand a value on to every listener."""
        listeners = list(self.listeners.values())
        if listeners:
            carried = encode_value("m", value)
            for listener in listeners:
                listener(carried)


class SharedLinks:
    """The events of one robot that clients listen to."""

    def __init__(self, robot: RobotClient) -> None:
        self._robot = robot
        self._lock = Lock()
        self._links: dict[str, _SharedLink] = {}

    def add(self, event: str, key: object, listener: Listener) -> Future[int]:
        """Have an event told, and return the future of the link's number; the key is for `remove`."""
        with self._lock:
            link = self._links.get(event)
            is_first = link is None
            if link is None:
                link = self._links[event] = _SharedLink()
            link.listeners[key] = listener
            if is_first:
                link.number = self._robot.link(event, link.tell, is_quick=True)
            return link.number

    def remove(self, event: str, key: object) -> None:
        """Have an event told no longer; the last listener ends the link to the robot."""
        with self._lock:
            link = self._links.get(event)
            if link is None or link.listeners.pop(key, None) is None or link.listeners:
                return
            del self._links[event]
        link.number.add_done_callback(self._unlink)

    def _unlink(self, number: Future[int]) -> None:
        if not number.cancelled() and number.exception() is None:
            self._robot.unlink(number.result())
