"""A place in a recording: the state of that moment, which goes on and back."""

from __future__ import annotations

from typing import Any

from .recording import Change, Recording, Segment


class StateCursor:
    """The state of a recording at one time."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.state: dict[str, Any] = {}
        self._segment: Segment | None = None
        self._changes: list[Change] = []
        self._next = 0

    def move(self, time: float) -> bool:
        """Go to a time; return whether anything is otherwise there."""
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
