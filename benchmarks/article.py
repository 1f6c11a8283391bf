"""The original article's way to play, written plainly: the yardstick of the benchmarks, for Python 2.7 and 3.

Keep every word that would have given the same score, and ask any of them. The scorer counts as the article's does, on
words without repeated letters.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import random

MYPY = False
if MYPY:
    from typing import List, Tuple


def score(guess, secret):  # type: (str, str) -> Tuple[int, int]
    """Compare two words letter by letter."""
    exact = 0
    misplaced = 0
    for place in range(len(guess)):
        if guess[place] == secret[place]:
            exact += 1
        elif guess[place] in secret:
            misplaced += 1
    return exact, misplaced


def turn(words, guess, answer):  # type: (List[str], str, Tuple[int, int]) -> List[str]
    """Keep the words that fit one more answer."""
    return [word for word in words if word != guess and score(guess, word) == answer]


def play(words, secret, rng):  # type: (List[str], str, random.Random) -> int
    """Play a game; return the number of guesses."""
    attempts = 0
    while True:
        guess = rng.choice(words)
        attempts += 1
        if guess == secret:
            return attempts
        words = turn(words, guess, score(guess, secret))
