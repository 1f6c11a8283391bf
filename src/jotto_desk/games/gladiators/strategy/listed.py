"""Levels of few codes: all of them are listed, and what fits is known exactly."""

import itertools
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ....solver.contract import Core
from ....solver.reference.symmetry import representatives
from ..levels import Code, Level
from . import code_tables
from .code_tables import Codes, Turn
from .time_budget import Budget
from .weighing import MOST_SEARCHED, Scales

#: Levels of at most so many codes are listed.
MOST_CODES = 100_000
#: Exchanges of places and weapons are sought for so many turns, and for so few places: later there are hardly any left,
#: and of more places too many to go through.
EXCHANGED_TURNS, EXCHANGED_PLACES = 2, 6
#: Of guesses that cannot win, at most so many are looked at.
MOST_OTHERS = 40_000


class Listed:
    """Guesses worked out from the list of all codes."""

    def __init__(self, level: Level, core: Core, dice: np.random.Generator) -> None:
        self.level, self.rules, self._dice = level, level.rules, dice
        self._scales = Scales(self.rules, core, "expected-size")

    def guess(self, turns: Sequence[Turn], budget: Budget) -> Code | None:
        """Name a guess; None where no code fits."""
        foreseen = self._scales.foreseen(turns)
        if foreseen is not None:
            return foreseen
        fit = code_tables.fitting(self.codes, turns, self.rules)
        left = self.level.guesses - len(turns)
        if len(fit) <= 2:
            return tuple(fit[0].tolist()) if len(fit) else None
        if left > 1 and len(fit) <= MOST_SEARCHED:
            # All of them: what is alike now is so no more after the next guess.
            found = self._scales.searched(turns, fit, code_tables.without(self._some(self.codes), fit), left, budget)
            if found is not None:
                return found
        asked = code_tables.without(self._unlike(tuple(guess for guess, _ in turns)), fit)
        return self._scales.most_telling(fit, asked)

    def _some(self, codes: Codes) -> Codes:
        return codes if len(codes) <= MOST_OTHERS else self._dice.choice(codes, MOST_OTHERS, replace=False)

    @cached_property
    def codes(self) -> Codes:
        """Every code, in the order of the weapons."""
        every = itertools.permutations(range(self.level.weapons), self.level.gladiators)
        return np.array(list(every), dtype=np.uint8)

    def _unlike(self, played: tuple[Code, ...]) -> Codes:
        """Guesses of which none is like another under exchanges that leave those played as they are."""
        seen = {weapon for guess in played for weapon in guess}
        kept = self.codes[_in_order(self.codes, [weapon for weapon in range(self.level.weapons) if weapon not in seen])]
        if len(played) > EXCHANGED_TURNS or self.level.gladiators > EXCHANGED_PLACES:
            return self._some(kept)
        both = np.concatenate((np.array(played, dtype=np.uint8), kept))
        return np.unique(both[representatives(both, self.level.weapons, range(len(played)))], axis=0)


def _in_order(codes: Codes, weapons: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Tell which codes use these weapons from the first on, in their order: the others are like one of them."""
    right = np.ones(len(codes), dtype=bool)
    for before, weapon in itertools.pairwise(weapons):
        here, there = codes == weapon, codes == before
        # Wherever a weapon stands, the one before it stands further to the front.
        right &= ~here.any(axis=1) | (there.any(axis=1) & (there.argmax(axis=1) < here.argmax(axis=1)))
    return right
