"""The trace: an ordered list of everything the robot did, with the time. Knows nothing of what the events mean."""

from __future__ import absolute_import, division, print_function

import json
from collections import namedtuple

from naosim.kernel.tasks import aside

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.clock import Clock

#: One thing that happened: seconds since the robot was made, its kind, and a dict of its details.
Event = namedtuple("Event", "time kind fields")


class Trace(object):
    """An append-only list of events, in the order in which they happened.

    >>> from naosim.kernel.clock import Clock
    >>> trace = Trace(Clock())
    >>> _ = trace.note("say", text="Hello")
    >>> print(as_line(trace.events[0]))
    {"kind": "say", "text": "Hello", "time": 0.0}
    """

    __slots__ = ("_clock", "errors", "events", "listeners")

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self.events = []  # type: list[Event]
        self.errors = []  # type: list[Event]
        self.listeners = []  # type: list[Callable[[Event], object]]

    def note(self, kind, **fields):  # type: (str, **Any) -> Event
        """Record an event at the present moment, call the listeners with it, and return it."""
        event = Event(self._clock.now(), kind, fields)
        self.events.append(event)
        if kind == "error":
            self.errors.append(event)
        for listener in self.listeners:
            aside(listener, event)
        return event

    def since(self, index):  # type: (int) -> list[Event]
        """List the events from this position on."""
        return self.events[index:]

    def of(self, kind):  # type: (str) -> list[Event]
        """List the events of one kind.

        >>> from naosim.kernel.clock import Clock
        >>> Trace(Clock()).of("say")
        []
        """
        return [event for event in self.events if event.kind == kind]


def failures(errors):  # type: (list[Event]) -> list[str]
    """List the error events that no box handled itself, one sentence each."""
    return [
        "%s: %s" % (event.fields["where"], event.fields["message"])
        for event in errors
        if not event.fields.get("handled")
    ]


def as_dict(event):  # type: (Event) -> dict[str, Any]
    """Convert the event to one flat dict for JSON; the time, in seconds, is rounded to microseconds."""
    flat = dict(event.fields)
    flat["time"] = float("%.6f" % event.time)
    flat["kind"] = event.kind
    return flat


def as_line(event):  # type: (Event) -> str
    """Write the event as one line of ASCII JSON, the same bytes on 2.7 and 3."""
    return json_line(as_dict(event))


def json_line(value):  # type: (Any) -> str
    """Write a value as one line of ASCII JSON with sorted keys; sets become sorted lists, other objects their types."""
    return str(json.dumps(value, sort_keys=True, default=_foreign))


def _foreign(value):  # type: (Any) -> Any
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return "<%s>" % type(value).__name__
