"""Hard mode, exactly: green letters stay, yellow ones are used as often again, grey ones may return."""

from collections import Counter
from collections.abc import Sequence

from jotto.game import Turn


def breach(guess: str, turns: Sequence[Turn]) -> str:
    """Say which hint a guess does not use; empty when it uses all.

    >>> breach("crane", [Turn("sugar", "ENNPP")])
    'CRANE: the 1st letter must be S; turn 1 (SUGAR) marked it green.'
    >>> breach("scrap", [Turn("sugar", "ENNPP")])
    ''
    """
    for number, turn in enumerate(turns, start=1):
        named = f"turn {number} ({turn.guess.upper()})"
        for place, (mark, letter) in enumerate(zip(turn.feedback, turn.guess, strict=True)):
            if mark == "E" and guess[place] != letter:
                must = f"the {_ordinal(place + 1)} letter must be {letter.upper()}"
                return f"{guess.upper()}: {must}; {named} marked it green."
    for number, turn in enumerate(turns, start=1):
        named = f"turn {number} ({turn.guess.upper()})"
        held = Counter(letter for mark, letter in zip(turn.feedback, turn.guess, strict=True) if mark != "N")
        for letter, count in held.items():
            if guess.count(letter) < count:
                many = letter.upper() if count == 1 else f"{letter.upper()} {'twice' if count == 2 else 'three times'}"
                return f"{guess.upper()}: it must hold {many}; {named} marked it."
    return ""


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"
