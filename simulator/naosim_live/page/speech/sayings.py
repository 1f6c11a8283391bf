"""What NAO says, as its voice on a page needs to know it, and whether it speaks right now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from naosim.world import Event


@dataclass
class Saying:
    """One text that NAO says, with its tags, and the seconds that it takes; `is_over` once it was said or cut off."""

    number: int
    text: str
    plain: str
    seconds: float
    language: str
    is_over: bool = False
    is_whole: bool = True


class Sayings:
    """The text that NAO has said last; `number` grows with every text."""

    #: Nothing is noted of it, but who looks at the robot is woken when it begins or ends to listen.
    keys = ("ALSpeechRecognition/ActiveListening",)

    def __init__(self) -> None:
        self.last = Saying(0, "", "", 0.0, "", is_over=True)

    @property
    def speaks(self) -> bool:
        """Tell whether NAO speaks."""
        return not self.last.is_over

    def note(self, event: Event) -> None:
        """Take in an event; most kinds are no speech."""
        fields = event.fields
        if event.kind == "say":
            self.last = Saying(
                self.last.number + 1,
                str(fields["text"]),
                str(fields.get("plain") or ""),
                _seconds(fields.get("duration")),
                str(fields.get("language") or ""),
            )
        elif event.kind == "said":
            self.last.is_over, self.last.is_whole = True, bool(fields.get("whole", True))
        elif event.kind == "end":
            # A behaviour that was stopped may leave its sentence unfinished.
            self.last.is_over = True


def _seconds(told: Any) -> float:
    return float(told) if isinstance(told, int | float) else 0.0
