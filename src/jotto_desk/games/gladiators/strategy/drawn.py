"""A sample of the codes that fit, where there are too many to list: grown place by place, thinned by chance.

Beginnings of codes grow by one place at a time, and those that cannot lead to the answers any more are dropped. Where
more are left than memory shall hold, some are kept, all equally likely: then every code that fits is met with the same
chance, and those met are a fair sample. Where nothing was thinned they are all there are.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jotto.rules import Rules

from .code_tables import Codes, Turn

Left = npt.NDArray[np.int8]


class CodeSample(NamedTuple):
    """Codes that fit; `whole` where they are all that do."""

    codes: Codes
    whole: bool


class Grown(NamedTuple):
    """Beginnings of codes [n, places filled], and per turn the weapons in place and in common still missing [n, t]."""

    codes: Codes
    placed: Left
    shared: Left


class Growth:
    """Codes grown so that they answer `turns` as they were answered; chance comes from `dice`."""

    def __init__(self, rules: Rules, turns: Sequence[Turn], dice: np.random.Generator) -> None:
        self.length, self.weapons, self.dice = rules.length, len(rules.alphabet), dice
        count = len(turns)
        self._here = np.zeros((self.length, self.weapons, count), dtype=np.int8)
        self._held = np.zeros((self.weapons, count), dtype=np.int8)
        for number, (guess, _) in enumerate(turns):
            for place, weapon in enumerate(guess):
                self._here[place, weapon, number] = 1
                self._held[weapon, number] = 1
        placed = np.array([feedback[0] for _, feedback in turns], dtype=np.int8).reshape(1, count)
        shared = np.array([sum(feedback) for _, feedback in turns], dtype=np.int8).reshape(1, count)
        self._start = Grown(np.zeros((1, 0), dtype=np.uint8), placed, shared)

    def sample(self, most: int) -> CodeSample:
        """Grow codes with at most so many beginnings at a time."""
        grown, whole = self._start, True
        for _ in range(self.length):
            grown, thinned = self._longer(grown, most)
            whole &= not thinned
        return CodeSample(grown.codes, whole)

    def search(self, enough: int, block: int, goes_on: Callable[[], bool]) -> CodeSample:
        """Grow some beginnings to their end before others: finds codes, not a fair sample, where few fit."""
        stack, found, count = [self._start], [np.zeros((0, self.length), dtype=np.uint8)], 0
        while stack and count < enough and goes_on():
            grown, _ = self._longer(stack.pop(), 0)
            if grown.codes.shape[1] == self.length:
                found.append(grown.codes)
                count += len(grown.codes)
            elif len(grown.codes):
                order = self.dice.permutation(len(grown.codes))
                starts = range(0, len(order), block)
                stack += [_of(grown, order[start : start + block]) for start in starts]
        return CodeSample(np.concatenate(found), not stack)

    def _longer(self, grown: Grown, most: int) -> tuple[Grown, bool]:
        """Fill one more place, and thin to `most` unless that is 0; tells whether any were left out."""
        place = grown.codes.shape[1]
        after = self.length - place - 1
        parents, chosen = [], []
        for weapon in range(self.weapons):
            fits = self._fits(grown, place, weapon, after)
            parents.append(fits)
            chosen.append(np.full(len(fits), weapon, dtype=np.uint8))
        parent, weapons = np.concatenate(parents), np.concatenate(chosen)
        thinned = 0 < most < len(parent)
        if thinned:
            kept = self.dice.choice(len(parent), most, replace=False, shuffle=False)
            parent, weapons = parent[kept], weapons[kept]
        codes = np.concatenate((grown.codes[parent], weapons[:, None]), axis=1)
        placed = grown.placed[parent] - self._here[place, weapons]
        return Grown(codes, placed, grown.shared[parent] - self._held[weapons]), thinned

    def _fits(self, grown: Grown, place: int, weapon: int, after: int) -> npt.NDArray[np.int32]:
        """Return the beginnings that may go on with this weapon, when `after` places are still free behind it."""
        here, held = self._here[place, weapon], self._held[weapon]
        fits = np.ones(len(grown.codes), dtype=bool)
        for spot in range(place):
            fits &= grown.codes[:, spot] != weapon
        for turn, (exact, known) in enumerate(zip(here.tolist(), held.tolist(), strict=True)):
            shared = grown.shared[:, turn]
            # What is missing in place is missing in common too, and there is room for no more than `after`.
            fits &= grown.placed[:, turn] >= exact
            fits &= (shared >= known) & (shared <= after + known)
            fits &= shared - grown.placed[:, turn] >= known - exact
        return np.flatnonzero(fits).astype(np.int32)


def _of(grown: Grown, rows: npt.NDArray[np.int64]) -> Grown:
    return Grown(grown.codes[rows], grown.placed[rows], grown.shared[rows])
