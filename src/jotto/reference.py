"""Slow scorers a child could check, kept beside the fast ones of `jotto.feedback`.

They cross symbols out on paper: every symbol of the secret can be used up once. Tests hold both to the
same table of cases.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from .feedback import COMMON, MARKS, PLACES, Feedback

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List

    from .feedback import Symbols


def places(guess, secret):  # type: (Symbols, Symbols) -> Feedback
    """Score by places with pencil and eraser."""
    row = marks(guess, secret)
    return Feedback(row.count("E"), row.count("P"))


def marks(guess, secret):  # type: (Symbols, Symbols) -> str
    """Cross out the exact ones first, then look each other symbol up from left to right."""
    paper = list(secret)  # type: List[Any]
    row = ["N"] * len(guess)
    for place in range(len(guess)):
        if guess[place] == secret[place]:
            row[place] = "E"
            paper[place] = None
    for place in range(len(guess)):
        if row[place] != "E" and guess[place] in paper:
            row[place] = "P"
            paper[paper.index(guess[place])] = None
    return "".join(row)


def common(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the symbols that could be crossed out."""
    paper = list(secret)
    for symbol in guess:
        if symbol in paper:
            paper.remove(symbol)
    return len(secret) - len(paper)


SCORERS = {PLACES: places, MARKS: marks, COMMON: common}  # type: Dict[str, Callable[[Symbols, Symbols], Any]]
