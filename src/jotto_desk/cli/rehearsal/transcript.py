"""What is said in a game, as lines people read."""

import re
from collections.abc import Iterable
from typing import Any

_TAG = re.compile(r"\\[a-z]+=[^\\]*\\|\^\w+\([^)]*\)")
TOUCHES = {"FrontTactilTouched": "front", "MiddleTactilTouched": "middle", "RearTactilTouched": "back"}


def plain(text: str, guess: str = "") -> str:
    r"""Take speech tags and gestures out of a text; the guess stands in capitals.

    >>> plain(r"^start(animations/Stand/Gestures/Hey_1) Is it ocean? \pau=400\ O, \pau=250\ C.", "ocean")
    'Is it OCEAN? O, C.'
    """
    text = " ".join(_TAG.sub(" ", text).split()).replace(" ,", ",").replace(" .", ".")
    if guess:
        text = re.sub(rf"\b{re.escape(guess)}\b", guess.upper(), text, flags=re.IGNORECASE)
    return text


class Transcript:
    """Collects the lines of one game."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def nao(self, events: Iterable[Any], guess: str) -> list[str]:
        """Add what NAO said among the events; give the texts alone."""
        texts = [plain(event.fields["text"], guess) for event in events if event.kind == "say"]
        self.lines.extend(f"NAO  {text}" for text in texts)
        return texts

    def person(self, text: str) -> None:
        """Add what the person said or did."""
        self.lines.append(f"YOU  {text}")

    def remark(self, text: str) -> None:
        """Add what neither of them said."""
        self.lines.append(f"     ({text})")

    def __str__(self) -> str:
        return "\n".join(self.lines)
