"""Knows signals: what callbacks connect to for the news of one ALMemory event. Knows no service but ALMemory."""
from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.services.memory.almemory import ALMemory


class Signal(object):
    """The `signal` of an event: callbacks connect to it and are given the value alone."""

    def __init__(self, memory, event):
        # type: (ALMemory, str) -> None
        self._memory, self._event = memory, event

    def connect(self, callback):
        # type: (Callable[[Any], Any]) -> int
        """Calls `callback(value)` on every event from now on, and tells the id of the link."""
        if not callable(callback):
            raise RuntimeError("\tSignal::connect\n\t%r cannot be called" % (callback,))
        return self._memory.link(self._event, callback)

    def disconnect(self, link):
        # type: (int) -> bool
        """Ends a link; RuntimeError for an id that is not connected."""
        self._memory.unlink(self._event, link)
        return True

    def disconnectAll(self):
        # type: () -> bool
        """Ends all links of this event that callbacks connected."""
        for link in self._memory.links(self._event):
            self._memory.unlink(self._event, link)
        return True


class Subscriber(object):
    """What ALMemory.subscriber gives: an object with the `signal` of one event."""

    def __init__(self, memory, event):
        # type: (ALMemory, str) -> None
        self.signal = Signal(memory, event)
