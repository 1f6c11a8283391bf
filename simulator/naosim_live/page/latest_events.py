"""What a robot did of late: its events, bounded in number and in letters, for browsers that come later."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from typing import Any

from naosim.world import Event

#: Events that are kept, the letters of all, and those of one text in them: scripts print what they like.
MOST_EVENTS, MOST_LETTERS, LONGEST_TEXT = 5000, 4 * 1024 * 1024, 16 * 1024


class LatestEvents:
    """The events of late; `position` counts all there ever were.

    >>> latest = LatestEvents()
    >>> latest.add(Event(0.5, "say", {"text": "Hello"}))
    >>> latest.position, [event.kind for event in latest.since(0)], latest.since(1)
    (1, ['say'], [])
    """

    def __init__(self) -> None:
        self._kept: deque[tuple[Event, int]] = deque()
        self._letters = 0
        self.position = 0

    def __iter__(self) -> Iterator[Event]:
        return (event for event, _ in self._kept)

    def add(self, event: Event) -> None:
        """Add an event, and give up the oldest where there are too many."""
        letters = len(json.dumps(event.fields, default=str))
        self._kept.append((event, letters))
        self._letters += letters
        self.position += 1
        while len(self._kept) > MOST_EVENTS or (self._letters > MOST_LETTERS and len(self._kept) > 1):
            self._letters -= self._kept.popleft()[1]

    def since(self, position: int) -> list[Event]:
        """List the events from a position on that are still kept."""
        new = min(self.position - position, len(self._kept))
        return [self._kept[-number][0] for number in range(new, 0, -1)]

    def clear(self) -> None:
        """Forget all events, and count anew."""
        self._kept.clear()
        self._letters = self.position = 0


def cut(event: Event) -> Event:
    """Return an event with its long texts cut off.

    >>> len(cut(Event(0.0, "print", {"text": "x" * 10**6})).fields["text"]) == LONGEST_TEXT
    True
    """

    def shortened(value: Any) -> Any:
        is_long = isinstance(value, str) and len(value) > LONGEST_TEXT
        return value[: LONGEST_TEXT - 1] + "\u2026" if is_long else value

    return event._replace(fields={name: shortened(value) for name, value in event.fields.items()})
