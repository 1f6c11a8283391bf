"""The next guess of a level: walked on a tree where one fits, else worked out."""

from collections.abc import Sequence

import numpy as np

from jotto.tree import Tree

from ....errors import DeskError
from ....solver.contract import Core
from ..levels import Code, Level, code_of, word
from . import listed
from .code_tables import Turn
from .listed import Listed
from .sampled import Sampled
from .time_budget import Budget

#: Positions whose guess is remembered: the rounds of a level begin alike.
MOST_REMEMBERED = 20_000
#: What working out a guess may take, of the ten seconds a guess has with the challenge.
SECONDS = 2.5


class NothingFits(DeskError):
    """No code gives every guess the answer it got."""


class Strategist:
    """The player of one level; guesses once worked out are cached. The same seed plays the same if there is time."""

    def __init__(
        self, level: Level, core: Core, seed: int = 1, seconds: float = SECONDS, tree: Tree | None = None
    ) -> None:
        self.level, self.rules, self.seconds = level, level.rules, seconds
        self._tree = tree
        kind = Listed if level.codes <= listed.MOST_CODES else Sampled
        self._chooser: Listed | Sampled = kind(level, core, np.random.default_rng(seed))
        self._known: dict[tuple[Turn, ...], Code] = {}

    def guess(self, turns: Sequence[Turn]) -> Code:
        """Name the next guess; raises `NothingFits` where the answers contradict one another."""
        key = tuple(turns)
        if key not in self._known:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            self._known[key] = self._walked(turns) or self._worked_out(turns)
        return self._known[key]

    def _walked(self, turns: Sequence[Turn]) -> Code | None:
        if self._tree is None:
            return None
        written = self._tree.guess([(word(guess, self.rules), feedback) for guess, feedback in turns])
        return None if written is None else code_of(written, self.rules)

    def _worked_out(self, turns: Sequence[Turn]) -> Code:
        # Before the first answer all codes are alike.
        if not turns:
            return tuple(range(self.level.gladiators))
        with Budget(self.seconds) as budget:
            found = self._chooser.guess(turns, budget)
        if found is None:
            raise NothingFits(f"No code of {self.level.gladiators} weapons gives all {len(turns)} answers.")
        return found
