"""The five blocks of the CS10 homework "Mastermind", as functions; what counts is counted by the one scorer.

A word is text or a tuple of symbols, letters any sequence of them.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from . import chance, feedback
from .versions import text_type

MYPY = False
if MYPY:
    from typing import Any, List, Sequence

    from .feedback import Symbols


def generate_code(count, letters, seed):  # type: (int, Sequence[Any], int) -> Symbols
    """Draw `count` letters, repeats allowed; the same seed draws the same code on every Python.

    Text for letters that are text. Raises `ValueError` where there are no letters to draw from.

    >>> str(generate_code(4, "ROYGBV", 7))
    'GVYV'
    """
    drawn = [chance.choose(letters, seed, "code", place) for place in range(count)]
    return "".join(drawn) if isinstance(letters, text_type) else tuple(drawn)


def correctly_placed(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the letters that are right and in place.

    >>> correctly_placed("VVOG", "GOVG")
    1
    """
    return feedback.exact(guess, secret)


def keep_different(word, other):  # type: (Symbols, Symbols) -> List[Any]
    """Keep the letters of `word` that do not stand at the same place in `other`.

    >>> [str(letter) for letter in keep_different("VVOG", "GOVG")]
    ['V', 'V', 'O']
    >>> [str(letter) for letter in keep_different("GOVG", "VVOG")]
    ['G', 'O', 'V']
    """
    return [mine for mine, hers in zip(word, other) if mine != hers]


def occurrences(letter, letters):  # type: (Any, Sequence[Any]) -> int
    """Count how often a letter stands in a list.

    >>> occurrences("V", ["V", "V", "O"])
    2
    """
    return list(letters).count(letter)


def out_of_place(guess, secret):  # type: (Symbols, Symbols) -> int
    """Count the letters that are right but elsewhere, each letter of the secret answering for one of the guess.

    >>> out_of_place("VVOG", "GOVG")
    2
    """
    return int(feedback.places(guess, secret).misplaced)
