"""Score a guess against a secret, by one of three kinds of feedback: places, marks or letters in common.

`SCORERS` has the fast functions that every game uses. `SLOW_SCORERS` has the same in the way of pencil and paper;
tests compare the two. The five blocks of the CS10 homework "Mastermind" call the fast ones.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import operator
from collections import namedtuple

from jotto import compat

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Sequence

# Scorers. `places` counts the symbols in place, then those elsewhere (Jotto by voice, Mastermind, Bulls and Cows).
# `marks` gives one mark per place (Wordle): `E` exact, `P` present elsewhere, `N` none. `common` counts the symbols in
# common (paper Jotto). Guess and secret are strings or tuples of symbols of one length.

if MYPY:
    Symbols = Sequence[Any]

PLACES = "places"
MARKS = "marks"
COMMON = "common"


class Feedback(namedtuple("Feedback", "exact misplaced")):
    """The number of symbols that are right and in place, and the number of those that are right but elsewhere."""

    __slots__ = ()

    @property
    def common(self):  # type: () -> int
        """Count the symbols that guess and secret share, in place or not."""
        return int(self.exact + self.misplaced)


def count_common(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the symbols shared, each copy once.

    >>> count_common("level", "hello")
    3
    """
    return sum(min(guess.count(symbol), secret.count(symbol)) for symbol in set(guess))


def count_exact(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the places where both agree."""
    return sum(map(operator.eq, guess, secret))


def score_places(guess, secret):  # type: (Symbols, Symbols) -> Feedback
    """Score by places; each symbol of the secret matches only one symbol of the guess.

    >>> score_places("hello", "world")
    Feedback(exact=1, misplaced=1)
    >>> tuple(score_places("YYYY", "VVYG"))
    (1, 0)
    """
    in_place = count_exact(guess, secret)
    return Feedback(in_place, count_common(guess, secret) - in_place)


def mark_places(guess, secret):  # type: (Symbols, Symbols) -> str
    """Mark each place of the guess; surplus copies of a symbol get `N`, from the right.

    >>> str(mark_places("SPEED", "ABIDE")), str(mark_places("GEESE", "THESE"))
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


SCORERS = {PLACES: score_places, MARKS: mark_places, COMMON: count_common}  # type: Dict[str, Callable[[Symbols, Symbols], Any]]


# Slow scorers, for tests: they cross symbols out as on paper, so that every symbol of the secret is used once.


def score_places_slowly(guess, secret):  # type: (Symbols, Symbols) -> Feedback
    """Score by places with pencil and eraser."""
    row = mark_places_slowly(guess, secret)
    return Feedback(row.count("E"), row.count("P"))


def mark_places_slowly(guess, secret):  # type: (Symbols, Symbols) -> str
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


def _count_common_slowly(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the symbols that could be crossed out."""
    paper = list(secret)
    for symbol in guess:
        if symbol in paper:
            paper.remove(symbol)
    return len(secret) - len(paper)


SLOW_SCORERS = {PLACES: score_places_slowly, MARKS: mark_places_slowly, COMMON: _count_common_slowly}  # type: Dict[str, Callable[[Symbols, Symbols], Any]]


# The five blocks of the CS10 homework "Mastermind". A word is text or a tuple of symbols, letters any sequence of them.


def generate_code(count, letters, seed):  # type: (int, Sequence[Any], int) -> Symbols
    """Draw `count` letters, repeats allowed; the same seed draws the same code on every Python.

    Text for letters that are text. Raises `ValueError` if `letters` is empty.

    >>> str(generate_code(4, "ROYGBV", 7))
    'GVYV'
    """
    drawn = [compat.draw_item(letters, seed, "code", place) for place in range(count)]
    return "".join(drawn) if isinstance(letters, compat.text_type) else tuple(drawn)


def count_correctly_placed(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the letters that are right and in place.

    >>> count_correctly_placed("VVOG", "GOVG")
    1
    """
    return count_exact(guess, secret)


def keep_different(word, other):  # type: (Symbols, Symbols) -> List[Any]
    """Return the letters of `word` that are not at the same place in `other`.

    >>> [str(letter) for letter in keep_different("VVOG", "GOVG")]
    ['V', 'V', 'O']
    >>> [str(letter) for letter in keep_different("GOVG", "VVOG")]
    ['G', 'O', 'V']
    """
    return [mine for mine, hers in zip(word, other) if mine != hers]


def count_occurrences(letter, letters):  # type: (Any, Sequence[Any]) -> int
    """Count the occurrences of a letter in a list.

    >>> count_occurrences("V", ["V", "V", "O"])
    2
    """
    return list(letters).count(letter)


def count_out_of_place(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the letters that are right but elsewhere; each letter of the secret matches one of the guess.

    >>> count_out_of_place("VVOG", "GOVG")
    2
    """
    return int(score_places(guess, secret).misplaced)
