"""The signals of ALMemory's events, to which callbacks connect."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any, Callable, Sequence


class EventSignal(object):
    """The `signal` of an event: callbacks connect to it and are called with the value alone.

    `family` holds the events of all signals of one service: as in libqi, each of them can end the links of the others.
    """

    def __init__(self, memory, event):  # type: (Any, str) -> None
        self._memory, self._event = memory, event
        self.family = ()  # type: Sequence[str]

    def connect(self, callback):  # type: (Callable[[Any], Any]) -> int
        """Call `callback(value)` on every event from now on, and return the id of the link."""
        if not callable(callback):
            raise RuntimeError("\tSignal::connect\n\t%r cannot be called" % (callback,))
        return int(self._memory.link(self._event, callback))

    def disconnect(self, link):  # type: (int) -> bool
        """End a link; raise RuntimeError for an id that is not connected."""
        others = (event for event in self.family if link in self._memory.links(event))
        self._memory.unlink(next(others, self._event), link)
        return True

    def disconnectAll(self):  # type: () -> bool
        """End all links of callbacks to this event."""
        for link in self._memory.links(self._event):
            self._memory.unlink(self._event, link)
        return True


class Subscriber(object):
    """The result of ALMemory.subscriber: an object with the `signal` of one event."""

    def __init__(self, memory, event):  # type: (Any, str) -> None
        self.signal = EventSignal(memory, event)
