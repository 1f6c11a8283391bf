"""The one scorer: what a secret says about a guess.

Three kinds of feedback exist. `places` counts the symbols right and in place, then those right but
elsewhere (Jotto by voice, Mastermind, Bulls and Cows). `marks` gives one mark per place (Wordle): `E`
exact, `P` present elsewhere, `N` none. `common` only counts the symbols in common (paper Jotto).
Guess and secret are strings or tuples of symbols of one length.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Sequence, Union

    Symbols = Sequence[Any]

PLACES = "places"
MARKS = "marks"
COMMON = "common"


class Feedback(namedtuple("Feedback", "exact misplaced")):
    """How many symbols are right and in place, and how many right but elsewhere."""

    __slots__ = ()

    @property
    def common(self):  # type: () -> int
        """Count the symbols that guess and secret share, in place or not."""
        return int(self.exact + self.misplaced)


def common(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the symbols shared, each copy once.

    >>> common("level", "hello")
    3
    """
    return sum(min(guess.count(symbol), secret.count(symbol)) for symbol in set(guess))


def exact(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the places where both agree."""
    return sum(map(_same, guess, secret))


def _same(one, other):  # type: (Any, Any) -> bool
    return bool(one == other)


def places(guess, secret):  # type: (Symbols, Symbols) -> Feedback
    """Score by places; a symbol of the secret answers for one symbol of the guess only.

    >>> places("hello", "world")
    Feedback(exact=1, misplaced=1)
    >>> tuple(places("YYYY", "VVYG"))
    (1, 0)
    """
    in_place = exact(guess, secret)
    return Feedback(in_place, common(guess, secret) - in_place)


def marks(guess, secret):  # type: (Symbols, Symbols) -> str
    """Mark each place of the guess; surplus copies of a symbol get `N`, from the right.

    >>> str(marks("SPEED", "ABIDE")), str(marks("GEESE", "THESE"))
    ('NNPNP', 'NNEEE')
    """
    left = {}  # type: Dict[Any, int]
    for mine, hers in zip(guess, secret):
        if mine != hers:
            left[hers] = left.get(hers, 0) + 1
    row = []
    for mine, hers in zip(guess, secret):
        if mine == hers:
            row.append("E")
        elif left.get(mine, 0):
            left[mine] -= 1
            row.append("P")
        else:
            row.append("N")
    return "".join(row)


SCORERS = {PLACES: places, MARKS: marks, COMMON: common}  # type: Dict[str, Callable[[Symbols, Symbols], Any]]
