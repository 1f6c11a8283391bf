"""Feedback codes of all guesses against all secrets, as sums of planes.

A code is a sum over the letters of the guess: what a letter at given places of the guess contributes depends on the
secret alone, for all three kinds of feedback and with repeated letters. So one plane per letter and set of places is
computed once, and a row of the table is the sum of at most `length` planes.

Codes: `places` exact * (length + 1) + misplaced; `marks` base 3, first place lowest, N 0, P 1, E 2; `common` the count,
and length + 1 for the word itself.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from jotto.feedback import COMMON, MARKS

from .problem import Problem

Codes = npt.NDArray[np.uint8]
Keys = npt.NDArray[np.int32]


def numbered(problem: Problem) -> npt.NDArray[np.int16]:
    """Return the letters of all guesses as positions in the alphabet: [guesses, length]."""
    number = {symbol: place for place, symbol in enumerate(problem.rules.alphabet)}
    return np.array([[number[symbol] for symbol in guess] for guess in problem.guesses], dtype=np.int16)


def planes(problem: Problem) -> tuple[Codes, Keys]:
    """Return the planes [plane, secrets], plane 0 empty, and the numbers of each guess's planes [guesses, length]."""
    letters = numbered(problem)
    secrets = letters[: len(problem.weights)]
    rows = [np.zeros(len(secrets), dtype=np.uint8)]
    known: dict[tuple[int, int], int] = {}
    keys = np.zeros(letters.shape, dtype=np.int32)
    for guess, word in enumerate(letters.tolist()):
        for spot, letter in enumerate(dict.fromkeys(word)):
            places = tuple(place for place, other in enumerate(word) if other == letter)
            key = (letter, sum(1 << place for place in places))
            if key not in known:
                known[key] = len(rows)
                rows.append(plane(secrets, letter, places, problem.rules.kind))
            keys[guess, spot] = known[key]
    return np.stack(rows), keys


def sums(rows: Codes, keys: Keys, out: Codes) -> None:
    """Add up the planes of every guess into `out` [guesses, secrets]: the numpy form of the native core's `codes`."""
    for guess in range(0, len(keys), 256):
        block = keys[guess : guess + 256]
        total = rows[block[:, 0]]
        for spot in range(1, keys.shape[1]):
            total += rows[block[:, spot]]
        out[guess : guess + 256] = total


def mark_wins(problem: Problem, out: Codes) -> None:
    """Give the word itself a code of its own where feedback does not distinguish it from its anagrams."""
    if problem.rules.kind == COMMON:
        np.fill_diagonal(out, problem.win)


def plane(secrets: npt.NDArray[Any], letter: int, places: tuple[int, ...], kind: str) -> Codes:
    """Compute what a letter at these places of a guess adds to the code of each secret [secrets, length]."""
    length = secrets.shape[1]
    here = secrets == letter
    held = here.sum(axis=1)
    if kind == COMMON:
        return np.asarray(np.minimum(held, len(places)), dtype=np.uint8)
    exact = here[:, places]
    if kind != MARKS:
        return np.asarray(exact.sum(axis=1) * length + np.minimum(held, len(places)), dtype=np.uint8)
    left = held - exact.sum(axis=1)
    total = np.zeros(len(secrets), dtype=np.int64)
    for column, place in enumerate(places):
        present = ~exact[:, column] & (left > 0)
        left = left - present
        total += 3**place * (2 * exact[:, column] + present)
    return total.astype(np.uint8)
