"""What is said in a game, as lines people read."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from jotto_behaviour import resources
from jotto_behaviour.states import STATES, meanings

TOUCHES = {"FrontTactilTouched": "front", "MiddleTactilTouched": "middle", "RearTactilTouched": "back"}

#: What stands for a guess or a secret in a wording, and what stands for something else at its ends.
_WORD = re.compile(r"\{(?:guess|word|phrase)\}", re.IGNORECASE)
_OTHER_ENDS = re.compile(r"^\{(?!guess|word|phrase)\w+\}|\{(?!guess|word|phrase)\w+\}$", re.IGNORECASE)


class Transcript:
    """The lines of one game; guesses and secrets stand in capitals."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    @staticmethod
    def said(events: Iterable[Any]) -> list[str]:
        """Return what NAO said among the events.

        >>> from naosim.world.trace import Event
        >>> Transcript.said([Event(0.0, "say", {"plain": "Is it ocean? O, C, E, A, N."})])
        ['Is it OCEAN? O, C, E, A, N.']
        """
        return [_capitals(event.fields["plain"]) for event in events if event.kind == "say" and event.fields["plain"]]

    def nao(self, events: Iterable[Any]) -> list[str]:
        """Add what NAO said among the events; give the texts alone."""
        texts = self.said(events)
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


def _capitals(text: str) -> str:
    """Write in capitals what stands in NAO's lines for a guess or a secret, and no other word that is spelled alike.

    >>> _capitals("Place: two in place, one elsewhere. How many letters of place are in place?")
    'PLACE: two in place, one elsewhere. How many letters of PLACE are in place?'
    """
    spans = {found.span(name): name for literal, pattern in _wordings() if literal in text
             for found in pattern.finditer(text) for name in pattern.groupindex}
    for (start, end), name in spans.items():
        word = text[start:end]
        if not (name.startswith("phrase") and word.lower() in _phrases()):
            text = text[:start] + word.upper() + text[end:]
    return text


@cache
def _phrases() -> frozenset[str]:
    """Return what NAO listens for besides words of the list: asked back, "three" is no guess."""
    wanted = {meaning for name, state in STATES.items() if state.listens for meaning in meanings(name, True)}
    return frozenset(phrase.lower() for phrase in resources.lines().phrases(wanted))


@cache
def _wordings() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the wordings that hold a guess or a secret: their longest piece of plain text, and a pattern."""
    lines = resources.lines()
    keys = lines.keys()
    wordings = (wording for key in keys for wording in lines.variants(key))
    return tuple(_pattern(_OTHER_ENDS.sub("", wording)) for wording in wordings if _WORD.search(wording))


def _pattern(wording: str) -> tuple[str, re.Pattern[str]]:
    pieces = re.split(r"(\{\w+\})", wording)
    return max(pieces[::2], key=len).strip(), re.compile("".join(_translated(pieces)))


def _translated(pieces: list[str]) -> Iterator[str]:
    for number, piece in enumerate(pieces):
        if _WORD.match(piece):
            yield rf"\b(?P<{piece[1:-1].lower()}{number}>[A-Za-z]{{5}})\b"
        else:
            yield ".*?" if piece.startswith("{") else re.escape(piece)
