"""What is said in a game, as lines people read."""

from collections.abc import Iterable
from typing import Any

from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk.conversation.capitals import capitals

TOUCHES = {"FrontTactilTouched": "front", "MiddleTactilTouched": "middle", "RearTactilTouched": "back"}


class Transcript:
    """The lines of one game; guesses and secrets stand in capitals."""

    def __init__(self, language: str = DEFAULT_LANGUAGE) -> None:
        self.lines: list[str] = []
        #: The code of the language that NAO speaks, which may change.
        self.language = language

    @staticmethod
    def said(events: Iterable[Any], language: str = DEFAULT_LANGUAGE) -> list[str]:
        """Return what NAO said among the events.

        >>> from naosim.world import Event
        >>> Transcript.said([Event(0.0, "say", {"plain": "Is it ocean? O, C, E, A, N."})])
        ['Is it OCEAN? O, C, E, A, N.']
        """
        plain = (event.fields["plain"] for event in events if event.kind == "say" and event.fields["plain"])
        return [capitals(text, language) for text in plain]

    def nao(self, events: Iterable[Any]) -> list[str]:
        """Add what NAO said among the events; give the texts alone."""
        texts = self.said(events, self.language)
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
