"""What a page showed of a robot: its events, and its state from moment to moment, bounded.

A state is a flat dict of JSON values, such as {"posture": "Stand", "memory/Name": "\\"NAO\\""}. It is kept in segments:
each begins with the whole state and goes on with what changes, and one that is over is compressed. An event is kept as
its JSON, which takes a quarter of its memory, and no more of it than its bytes.
"""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from naosim.remote import DoesNotTravel, pack_value, unpack_value
from naosim.world import Event

#: Bytes of a recording as a file has it, of one event, and the events that are kept.
MAX_BYTES, _MAX_EVENT_BYTES, MAX_EVENTS = 32 * 1024 * 1024, 256 * 1024, 20_000
#: Seconds of the robot's time and changes after which a segment may end.
SEGMENT_S, MAX_CHANGES = 20.0, 200
#: Behaviours, loaded in turn, whose diagrams are kept.
_MAX_BLUEPRINTS = 20
#: How well the beginnings of a recording are compressed; more takes longer.
_LEVEL = 3


class Change(NamedTuple):
    """The changes at a time: values by their names, and names that are gone."""

    time: float
    values: dict[str, Any]
    gone: list[str]


class _Blueprint(NamedTuple):
    """The diagrams of a behaviour that was loaded at a time, as a live server tells them."""

    time: float
    behaviour: str
    told: dict[str, Any]
    size: int


class Segment:
    """Some seconds of states: the whole state, then changes, each as a line of JSON."""

    def __init__(self, time: float) -> None:
        self.time = time
        self.size = self.count = self._begins = 0
        self._lines: list[bytes] = []
        self._closed = b""

    def add(self, change: Change) -> None:
        """Add what has changed."""
        line = json.dumps(change, separators=(",", ":")).encode("ascii")
        self._lines.append(line)
        self.size += len(line)
        self._begins = self._begins or len(line)
        self.count += 1

    def is_over(self, time: float) -> bool:
        """Return whether a change at a time begins another segment: this one is long, and its changes are as large as
        its state.

        Without the second condition, the size of a recording whose states only grow would be their square.
        """
        is_long = time - self.time > SEGMENT_S or self.count > MAX_CHANGES
        return is_long and self.size >= 2 * self._begins

    def close(self) -> None:
        """Compress the segment, to which nothing will be added."""
        self._closed, self._lines = zlib.compress(b"\n".join(self._lines), _LEVEL), []

    def changes(self, first: int = 0) -> list[Change]:
        """List the changes from one on; the first of all holds the whole state."""
        # In this order: the segment may be closed meanwhile by another thread.
        lines = self._lines
        lines = zlib.decompress(self._closed).split(b"\n") if self._closed else lines
        return [Change(*json.loads(line)) for line in lines[first:]]


class Recording:
    """Events and states up to now; the oldest are dropped when there are too many, and `is_whole` is false then."""

    def __init__(self, title: str = "NAO", home: str = "") -> None:
        """Begin a recording; `home` is the path in a worker of the behaviour, "" if workers do not have it."""
        self.title, self.home = title, home
        self.is_whole = True
        self.segments: list[Segment] = []
        self.blueprints: list[_Blueprint] = []
        self.state: dict[str, Any] = {}
        self.ends = 0.0
        #: How many events were dropped.
        self.lost = 0
        self._events: list[bytes] = []
        self._times: list[float] = []
        self._changed_at = 0.0
        self.size = 0

    @property
    def begins(self) -> float:
        """Return the time of the first state."""
        return self.segments[0].time if self.segments else self.ends

    def copy(self) -> Recording:
        """Return the recording as it is now, to be read by another thread while this one goes on."""
        found = Recording(self.title, self.home)
        found.is_whole, found.ends, found.lost, found.size = self.is_whole, self.ends, self.lost, self.size
        found.segments, found.blueprints, found.state = [*self.segments], [*self.blueprints], dict(self.state)
        found._events, found._times = [*self._events], [*self._times]
        return found

    def add_event(self, event: Event) -> None:
        """Add an event; one that is too long is left out."""
        try:
            line = json.dumps([event.kind, pack_value(event.fields)], separators=(",", ":")).encode("ascii")
        except (DoesNotTravel, TypeError, ValueError):
            return
        if len(line) > _MAX_EVENT_BYTES:
            return
        # What ALMemory tells comes with a time that was guessed.
        time = max(event.time, self._times[-1] if self._times else 0.0)
        self._events.append(line)
        self._times.append(time)
        self.size += len(line)
        self.ends = max(self.ends, time)
        self._shorten()

    def add_state(self, time: float, values: Mapping[str, Any], gone: Iterable[str] = ()) -> bool:
        """Add what is different in a state; return whether anything is."""
        time = self._changed_at = max(time, self._changed_at)
        changed = {name: value for name, value in values.items() if name not in self.state or self.state[name] != value}
        left = [name for name in gone if name in self.state]
        self.ends = max(self.ends, time)
        if not changed and not left:
            return False
        self.state.update(changed)
        for name in left:
            del self.state[name]
        self._append(Change(time, changed, left))
        self._shorten()
        return True

    def _append(self, change: Change) -> None:
        last = self.segments[-1] if self.segments else None
        if last is None or last.is_over(change.time):
            if last is not None:
                last.close()
            last = Segment(change.time)
            self.segments.append(last)
            change = Change(change.time, self.state, [])
        before = last.size
        last.add(change)
        self.size += last.size - before

    def add_blueprint(self, time: float, behaviour: str, told: dict[str, Any]) -> None:
        """Add the diagrams of a behaviour, unless they are those that it had before."""
        known = self.blueprint(behaviour, time)
        if known == told:
            return
        size = len(json.dumps(told))
        self.blueprints.append(_Blueprint(time, behaviour, told, size))
        self.size += size
        if len(self.blueprints) > _MAX_BLUEPRINTS:
            self.size -= self.blueprints.pop(0).size
        self._shorten()

    def blueprint(self, behaviour: str, time: float) -> dict[str, Any] | None:
        """Return the diagrams that a behaviour had at a time, None when they were not recorded."""
        found = [each for each in self.blueprints if each.behaviour == behaviour]
        before = [each for each in found if each.time <= time] or found[:1]
        return before[-1].told if before else None

    def index_after(self, time: float) -> int:
        """Return how many events, counted from the first there ever was, there are up to a time."""
        return self.lost + bisect_right(self._times, time)

    def events(self, first: int, last: int) -> list[Event]:
        """List the events from one number up to before another, as far as they are still kept."""
        here = slice(max(first - self.lost, 0), max(last - self.lost, 0))
        return [_event(time, line) for time, line in zip(self._times[here], self._events[here], strict=True)]

    def neighbours(self, time: float) -> tuple[float, float]:
        """Return the times of the events before and after a time; the ends where there is none."""
        after = bisect_right(self._times, time + 1e-6)
        before = bisect_right(self._times, time - 1e-6) - 1
        return (
            max(self._times[before], self.begins) if before >= 0 else self.begins,
            self._times[after] if after < len(self._times) else self.ends,
        )

    def segment_at(self, time: float) -> Segment | None:
        """Return the segment that a time lies in, the first one for an earlier time."""
        at = bisect_right([segment.time for segment in self.segments], time) - 1
        return self.segments[max(at, 0)] if self.segments else None

    def _shorten(self) -> None:
        """Drop the oldest segments and their events while there is too much."""
        while (self.size > MAX_BYTES or len(self._events) > MAX_EVENTS) and len(self.segments) > 1:
            self.size -= self.segments.pop(0).size
            self.is_whole = False
            self._forget(bisect_right(self._times, self.begins))
        if len(self._events) > 2 * MAX_EVENTS:
            self.is_whole = False
            self._forget(MAX_EVENTS)

    def _forget(self, count: int) -> None:
        self.size -= sum(map(len, self._events[:count]))
        self.lost += count
        del self._events[:count], self._times[:count]


def _event(time: float, line: bytes) -> Event:
    kind, fields = json.loads(line)
    return Event(time, kind, unpack_value(fields, bytes))


class StateCursor:
    """The state of a recording at one time."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.state: dict[str, Any] = {}
        self._segment: Segment | None = None
        self._changes: list[Change] = []
        self._next = 0

    def move(self, time: float) -> bool:
        """Go to a time; return whether anything is different there."""
        segment = self._recording.segment_at(time)
        if segment is None:
            return False
        is_back = self._next > 1 and self._changes[self._next - 1].time > time
        if segment is not self._segment:
            self._segment, self._changes = segment, segment.changes()
            is_back = True
        elif len(self._changes) < segment.count:
            self._changes += segment.changes(len(self._changes))
        if is_back:
            self._next, self.state = 0, {}
        return self._go_on(time) or is_back

    def _go_on(self, time: float) -> bool:
        before = self._next
        # The first change is the state that the segment begins with: there is none before it.
        while self._next < len(self._changes) and (self._next == 0 or self._changes[self._next].time <= time):
            change = self._changes[self._next]
            self.state.update(change.values)
            for name in change.gone:
                self.state.pop(name, None)
            self._next += 1
        return self._next != before
