"""What is said in a game, as lines people read."""

import re
from collections.abc import Iterable
from typing import Any

TOUCHES = {"FrontTactilTouched": "front", "MiddleTactilTouched": "middle", "RearTactilTouched": "back"}


class Transcript:
    """The lines of one game; the words NAO asks stand in capitals."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._asked: dict[str, str] = {}

    def said(self, events: Iterable[Any], guess: str) -> list[str]:
        """Return what NAO said among the events; `guess` is the word NAO asks about now.

        >>> from naosim.world.trace import Event
        >>> Transcript().said([Event(0.0, "say", {"plain": "Is it ocean? O, C, E, A, N."})], "ocean")
        ['Is it OCEAN? O, C, E, A, N.']
        """
        if guess:
            self._asked[guess] = guess.upper()
        texts = [event.fields["plain"] for event in events if event.kind == "say" and event.fields["plain"]]
        return [re.sub(r"[a-zA-Z]{5}\b", self._capitals, text) for text in texts]

    def _capitals(self, found: re.Match[str]) -> str:
        word = found.group()
        whole = found.start() == 0 or not found.string[found.start() - 1].isalpha()
        return self._asked.get(word.lower(), word) if whole else word

    def nao(self, events: Iterable[Any], guess: str) -> list[str]:
        """Add what NAO said among the events; give the texts alone."""
        texts = self.said(events, guess)
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
