"""Games whose places and symbols may be exchanged: guesses that differ only by an exchange are worth the same."""

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..contract import Members

Letters = npt.NDArray[np.uint8]
UNNAMED = -1


def representatives(letters: Letters, symbols: int, played: Sequence[int]) -> Members:
    """Return one guess per class under the exchanges of places and symbols that leave `played` unchanged.

    `letters` are those of all guesses [guesses, length]. The guess of the lowest number represents its class.
    """
    least = np.full(len(letters), np.iinfo(np.int64).max)
    for order, names in _exchanges(letters[list(played)], symbols):
        renamed, _ = _rename(letters[:, order], np.tile(names, (len(letters), 1)))
        np.minimum(least, renamed @ (symbols + 1) ** np.arange(letters.shape[1]), out=least)
    _, first = np.unique(least, return_index=True)
    return np.sort(first).astype(np.int32)


def _exchanges(played: Letters, symbols: int) -> list[tuple[list[int], npt.NDArray[np.int64]]]:
    """Return the orders of places that leave the renamed words played unchanged, each with the names it gives."""
    found = []
    now: npt.NDArray[np.int64] | None = None
    for order in itertools.permutations(range(played.shape[1])):
        words, names = _rename(played[:, order].reshape(1, -1), np.full((1, symbols), UNNAMED))
        if now is None:
            now = words
        if np.array_equal(words, now):
            found.append((list(order), names[0]))
    return found


def _rename(words: Letters, names: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Replace symbols by numbers, in order of appearance in each word; `names` [words, symbols] has earlier ones."""
    row = np.arange(len(words))
    renamed = np.empty(words.shape, dtype=np.int64)
    free = names.max(axis=1, initial=UNNAMED) + 1
    for place in range(words.shape[1]):
        symbol = words[:, place]
        new = names[row, symbol] == UNNAMED
        names[row[new], symbol[new]] = free[new]
        free += new
        renamed[:, place] = names[row, symbol]
    return renamed, names
