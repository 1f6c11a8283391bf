"""Levels of too many codes to list: guesses are compared on a sample of codes."""

from collections.abc import Sequence

import numpy as np

from ....solver.contract import Core
from ..levels import Code, Level
from . import code_tables
from .code_tables import Codes, Turn
from .drawn import CodeSample, Growth
from .time_budget import Budget
from .weighing import Scales

#: How many beginnings are kept while codes are drawn: at first, and when fewer than `TOO_FEW` codes came of it.
DRAWS, TOO_FEW = (20_000, 100_000, 300_000), 2_000
#: Codes that guesses are compared on, and how many of these are guesses themselves where there are more.
COMPARED_ON = 2_000
#: Guesses drawn that cannot win, and rounds of changing the best in one or two places.
MIXED, ROUNDS = 600, 4
#: Sets of at most so many codes, all known, are searched to the end of the game.
MOST_SEARCHED = 400
#: Codes found by going deep instead, beginnings grown at a time, and the share of the time this may take.
ENOUGH, BLOCK = 500, 2_000


class Sampled:
    """Guesses worked out from a sample of codes, or from all that are left once these are known."""

    def __init__(self, level: Level, core: Core, dice: np.random.Generator) -> None:
        self.level, self.rules, self._dice = level, level.rules, dice
        self._scales = Scales(self.rules, core, "entropy")
        self._known: tuple[tuple[Turn, ...], Codes] | None = None

    def guess(self, turns: Sequence[Turn], budget: Budget) -> Code | None:
        """Name a guess; None where no code fits."""
        foreseen = self._scales.foreseen(turns)
        if foreseen is not None:
            return foreseen
        found = self._fitting(tuple(turns), budget)
        codes, left = found.codes, self.level.guesses - len(turns)
        if not len(codes) and not found.whole:
            # Some code may fit, but none was found in time: any guess tells something.
            drawn = self._dice.permutation(self.level.weapons)[: self.level.gladiators]
            codes = drawn[None].astype(np.uint8)
        if len(codes) <= 2 or left <= 1:
            return tuple(codes[0].tolist()) if len(codes) else None
        codes = self._some(codes, COMPARED_ON)
        others = code_tables.without(self._mixed(codes), codes)
        if found.whole and len(codes) <= MOST_SEARCHED:
            best = self._best(codes, others, budget)
            near = code_tables.without(self._near(best), np.concatenate((codes, others)))
            return self._scales.searched(turns, codes, np.concatenate((others, near)), left, budget) or best
        return self._best(codes, others, budget)

    def _fitting(self, turns: tuple[Turn, ...], budget: Budget) -> CodeSample:
        if self._known is not None and turns[: len(self._known[0])] == self._known[0]:
            known = code_tables.fitting(self._known[1], turns[len(self._known[0]) :], self.rules)
            self._known = turns, known
            return CodeSample(known, True)
        growth, found = Growth(self.rules, turns, self._dice), CodeSample(np.zeros((0, 0), dtype=np.uint8), False)
        for most in DRAWS:
            found = growth.sample(most)
            if found.whole or len(found.codes) >= TOO_FEW or not budget.goes_on(0.5):
                break
        if not found.whole and not len(found.codes):
            found = growth.search(ENOUGH, BLOCK, budget.goes_on)
        self._known = (turns, found.codes) if found.whole else None
        return found

    def _some(self, codes: Codes, most: int) -> Codes:
        return codes if len(codes) <= most else self._dice.choice(codes, most, replace=False, shuffle=False)

    def _mixed(self, codes: Codes) -> Codes:
        """Guesses put together from the weapons that codes have at each place, each weapon once."""
        picked = np.stack([self._dice.choice(codes[:, place], MIXED) for place in range(self.level.gladiators)], axis=1)
        return self._sound(picked)

    def _near(self, guess: Code) -> Codes:
        """Guesses that differ from one in one place, or by an exchange of two places."""
        base, changed = np.array(guess, dtype=np.uint8), []
        for place in range(len(guess)):
            other = np.tile(base, (self.level.weapons, 1))
            other[:, place] = np.arange(self.level.weapons)
            changed.append(other)
            for further in range(place):
                swapped = base.copy()
                swapped[[place, further]] = swapped[[further, place]]
                changed.append(swapped[None])
        return self._sound(np.concatenate(changed))

    @staticmethod
    def _sound(guesses: Codes) -> Codes:
        """Leave out what holds a weapon twice, and all but the first of equal guesses."""
        ordered = np.sort(guesses, axis=1)
        return np.unique(guesses[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)], axis=0)

    def _best(self, codes: Codes, others: Codes, budget: Budget) -> Code:
        """Improve the most telling guess place by place, as long as it tells more."""
        best = self._scales.most_telling(codes, others)
        for _ in range(ROUNDS):
            if not budget.goes_on():
                break
            near = np.concatenate((self._near(best), np.array([best], dtype=np.uint8)))
            better = self._scales.most_telling(codes, code_tables.without(np.unique(near, axis=0), codes))
            if better == best:
                break
            best = better
        return best
