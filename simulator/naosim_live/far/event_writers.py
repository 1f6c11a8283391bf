"""The services of a far robot that write events: those whose events boxes at the desk have subscribed modules to.

On a robot such a subscription starts the service; the feed of the desk, which connects a signal or reads values, does
not. So the desk subscribes to the service by itself.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from naosim.services.memory import EVENT_WRITERS

from .connection import Connection


class EventWriters:
    """Keeps the services running that write the events for which `subscribers(event)` lists modules."""

    def __init__(self, connection: Connection, subscribers: Callable[[str], list[str]]) -> None:
        self._connection, self._subscribers = connection, subscribers
        self._name = f"naosim_desk_{os.getpid():x}"
        self._running: set[str] = set()

    def needs_change(self, event: str) -> bool:
        """Tell whether the event's service is to be started or stopped."""
        return EVENT_WRITERS.get(event) is not None and bool(self._subscribers(event)) != (event in self._running)

    def change(self, event: str) -> None:
        """Start or stop the event's service; a robot that lacks it tells the event by itself or never."""
        if self._subscribers(event):
            self._running.add(event)
            self._ask(event, "subscribe")
        else:
            self._running.discard(event)
            self._ask(event, "unsubscribe")

    def restore(self) -> None:
        """Start again what a robot that is back has forgotten."""
        for event in sorted(self._running):
            self._ask(event, "subscribe")

    def end(self) -> None:
        """Stop everything."""
        for event in sorted(self._running):
            self._ask(event, "unsubscribe")
        self._running.clear()

    def _ask(self, event: str, method: str) -> None:
        with contextlib.suppress(RuntimeError):
            self._connection.ask(EVENT_WRITERS[event], method, f"{self._name}_{event.replace('/', '_')}")
