"""What was said, heard and touched, line by line, as events of the robot tell it."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass, field
from typing import Any

from naosim.world import Event

from ..texts import ENGLISH, Texts

#: Lines that are kept, and the letters of one.
MOST_LINES, _LONGEST_LINE = 500, 2000
#: The engine that says what it has recognised.
_RECOGNISER = "ALSpeechRecognition"
#: Where ALMemory has what was recognised; an event of this name tells what came of the line heard at a time ("heard").
RECOGNISED = "WordRecognized"
#: What is noted of a line, in English, and what stands for one of which nothing was understood.
UNDERSTOOD, NOTHING = "NAO understood {phrase} ({sure})", "NAO didn't understand"
DEAF, BROKEN, UNCLEAR = "NAO isn't listening", "(interrupted)", "(not understood)"


@dataclass
class Line:
    """One line of the talk: by whom, the words, and of NAO's how many it has spoken (-1: all of them).

    The note is an English text, with words to put in.
    """

    number: int
    who: str
    text: str
    time: float
    spoken: int = -1
    note: str = ""
    version: int = 0
    words: dict[str, str] = field(default_factory=dict)

    def as_dict(self, texts: Texts = ENGLISH) -> dict[str, Any]:
        """Return the line as the browser gets it, in the language of the texts."""
        found = asdict(self)
        del found["words"]
        text = texts(UNCLEAR) if self.who == "you" and self.text == UNCLEAR else self.text
        return found | {"note": texts(self.note, **self.words), "text": text}


class Conversation:
    """The lines of late; `changes(since)` are those that are new or other than they were."""

    keys = ("ALTextToSpeech/CurrentWord",)

    def __init__(self) -> None:
        self._lines: deque[Line] = deque(maxlen=MOST_LINES)
        self.version = 0
        self._count = 0
        self._asked: list[Line] = []

    def lines(self) -> list[Line]:
        """List all lines, the oldest first."""
        return list(self._lines)

    def changes(self, since: int) -> list[Line]:
        """List the lines that have changed since a version."""
        return [line for line in self._lines if line.version > since]

    def unrecognised(self) -> list[Line]:
        """List, once, the lines of which it is not known yet what NAO made of them."""
        asked, self._asked = self._asked, []
        return asked

    def _recognise(self, heard: float, value: Any) -> None:
        """Note what NAO made of a line: the value of WordRecognized, phrases and their confidences in turn."""
        line = next((each for each in reversed(self._lines) if each.who == "you" and each.time == heard), None)
        if line is None:
            return
        phrase, sure = value[:2] if isinstance(value, list) and len(value) >= 2 else ("", 0.0)
        line.note = UNDERSTOOD if phrase else NOTHING
        line.words = {"phrase": str(phrase), "sure": f"{sure:.0%}"} if phrase else {}
        self._touch(line)

    def note(self, event: Event) -> None:
        """Take in an event; most kinds are no part of the talk."""
        taken = _KINDS.get(event.kind)
        if taken is not None:
            taken(self, event)

    def _remember(self, event: Event) -> None:
        if event.fields["key"] == RECOGNISED:
            self._recognise(event.fields.get("heard", 0.0), event.fields["value"])
        elif event.fields["key"] in self.keys:
            self._say_word()

    def _say_word(self) -> None:
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
            line.note = "" if event.fields.get("whole", True) else BROKEN
            self._touch(line)

    def _hear(self, event: Event) -> None:
        fields = event.fields
        # What came of real sound may be nothing.
        line = Line(0, "you", str(fields["phrase"]) or UNCLEAR, event.time)
        line.note = f"{fields['confidence']:.0%}" if fields["engine"] else DEAF
        if fields["engine"] == _RECOGNISER:
            self._asked.append(line)
        self._add(line)

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
        line.number, line.text = self._count, line.text[:_LONGEST_LINE]
        self._lines.append(line)
        self._touch(line)

    def _touch(self, line: Line) -> None:
        self.version += 1
        line.version = self.version

    def _last(self, who: str) -> Line | None:
        return next((line for line in reversed(self._lines) if line.who == who), None)


_KINDS = {
    "memory": Conversation._remember,
    "say": Conversation._say,
    "said": Conversation._said,
    "hear": Conversation._hear,
    "touch": Conversation._feel,
    "error": Conversation._error,
    "end": Conversation._end,
}
