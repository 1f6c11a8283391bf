"""What was said, heard and touched, line by line, as events of the robot tell it."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

from naosim.world.trace import Event

#: Lines that are kept, and the letters of one.
MOST_LINES, LONGEST_LINE = 500, 2000


@dataclass
class Line:
    """One line of the talk: by whom, the words, and of NAO's how many it has spoken (-1: all of them)."""

    number: int
    who: str
    text: str
    time: float
    spoken: int = -1
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the line as the browser gets it."""
        return asdict(self)


class Conversation:
    """The lines of late; `changes(since)` are those that are new or other than they were."""

    keys = ("ALTextToSpeech/CurrentWord",)

    def __init__(self) -> None:
        self._lines: deque[Line] = deque(maxlen=MOST_LINES)
        self._changed: dict[int, int] = {}
        self.version = 0
        self._count = 0

    def lines(self) -> list[Line]:
        """List all lines, the oldest first."""
        return list(self._lines)

    def changes(self, since: int) -> list[Line]:
        """List the lines that have changed since a version."""
        return [line for line in self._lines if self._changed[line.number] > since]

    def note(self, event: Event) -> None:
        """Take in an event; most kinds are no part of the talk."""
        taken = _KINDS.get(event.kind)
        if taken is not None:
            taken(self, event)

    def _word(self, _event: Event) -> None:
        """Count one word more of the line that NAO is saying."""
        line = self._last("NAO")
        if line is not None and line.spoken >= 0:
            line.spoken = min(line.spoken + 1, len(line.text.split()))
            self._touch(line)

    def _say(self, event: Event) -> None:
        fields = event.fields
        self._add(Line(0, "NAO", str(fields.get("plain") or fields["text"]), event.time, spoken=0))

    def _said(self, event: Event) -> None:
        line = self._last("NAO")
        if line is not None:
            line.spoken = -1
            line.note = "" if event.fields.get("whole", True) else "(interrupted)"
            self._touch(line)

    def _hear(self, event: Event) -> None:
        fields = event.fields
        note = f"{fields['confidence']:.0%}" if fields["engine"] else "NAO does not listen"
        self._add(Line(0, "you", str(fields["phrase"]), event.time, note=note))

    def _feel(self, event: Event) -> None:
        if event.fields["pressed"]:
            self._add(Line(0, "touch", str(event.fields["sensor"]), event.time))

    def _error(self, event: Event) -> None:
        if not event.fields.get("handled"):
            self._add(Line(0, "error", f"{event.fields['where']}: {event.fields['message']}", event.time))

    def _end(self, event: Event) -> None:
        self._add(Line(0, "end", str(event.fields["behaviour"]), event.time))

    def _add(self, line: Line) -> None:
        self._count += 1
        line.number, line.text = self._count, line.text[:LONGEST_LINE]
        if len(self._lines) == MOST_LINES:
            del self._changed[self._lines[0].number]
        self._lines.append(line)
        self._touch(line)

    def _touch(self, line: Line) -> None:
        self.version += 1
        self._changed[line.number] = self.version

    def _last(self, who: str) -> Line | None:
        return next((line for line in reversed(self._lines) if line.who == who), None)


_KINDS = {
    "memory": Conversation._word, "say": Conversation._say, "said": Conversation._said, "hear": Conversation._hear,
    "touch": Conversation._feel, "error": Conversation._error, "end": Conversation._end,
}
