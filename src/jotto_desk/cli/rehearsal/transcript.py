"""What is said in a game, as lines people read."""

import re
from collections.abc import Iterable
from typing import Any

TOUCHES = {"FrontTactilTouched": "front", "MiddleTactilTouched": "middle", "RearTactilTouched": "back"}


def capitals(text: str, guess: str = "") -> str:
    """Show the guess in capitals.

    >>> capitals("Is it ocean? O, C, E, A, N.", "ocean")
    'Is it OCEAN? O, C, E, A, N.'
    """
    if guess:
        text = re.sub(rf"\b{re.escape(guess)}\b", guess.upper(), text, flags=re.IGNORECASE)
    return text


class Transcript:
    """Collects the lines of one game."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def nao(self, events: Iterable[Any], guess: str) -> list[str]:
        """Add what NAO said among the events; give the texts alone."""
        texts = [capitals(event.fields["plain"], guess) for event in events if event.kind == "say" and event.fields["plain"]]
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
