"""One look at all guesses for a set of secrets: bounds, estimates, and which guesses are worth a try."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..contract import Members, Numbers
from ..limits import HURRIED, UNIT
from .bounds import by_reach, reach_by_parts, reach_within
from .game import Counts, Game
from .symmetry import representatives

#: Sets up to this size are looked at through the number of their parts alone, at first.
SHORT = 48
#: Games of more codes than this are bounded by their reach as a whole.
NARROW = 64
#: Turns after which guesses that are worth the same are no longer sought: few are. With more places than so many
#: there are too many exchanges of them to go through.
SYMMETRIC_TURNS, MOST_PLACES = 3, 8
#: Looking at some guesses pays where all are more than so many times as many.
FEWER = 4
#: How many guesses a beam weighs, per guess it tries, of those that tell most parts apart; and how many at most.
SHORTLIST, LONGEST_SHORTLIST = 4, 256


class Look(NamedTuple):
    """Guesses worth a try by rising number, with the bound of each and its estimate in 1/256 turns.

    They are `ranked` by the sizes of their parts, or else only by their number. `least` bounds the set, and `bound`
    its parts by size, members weighing 1; `estimate` is what these are thought to cost.
    """

    guesses: Members
    lows: Numbers
    keys: Numbers
    ranked: bool
    least: int
    bound: Numbers
    estimate: Numbers


class Looks:
    """How a search looks at sets; `reach` and `estimate` are those of the whole game, by turns and by size."""

    def __init__(self, game: Game, miss: int) -> None:
        self.game, self.miss = game, miss
        size = len(game.weights)
        self.reach = reach_within(game.counts(game.guesses[:size], self._worth_a_look(size, ())), game.win, size)
        self.estimate: Numbers = UNIT * np.maximum(0, 2 * np.arange(size + 1) - 1)[np.newaxis].repeat(HURRIED, axis=0)

    def look(self, members: Members, left: int, limit: int, played: tuple[int, ...], hopeful: bool = False) -> Look:
        """Look at every guess, and list those whose bound is below `limit`; `hopeful` when no member may be missed."""
        estimate = self.estimate[left - 1 if hopeful and 0 < left - 1 < HURRIED else 0]
        if len(members) <= SHORT and self.game.codes <= NARROW:
            return self._short(members, left, limit, estimate)
        return self._long(members, left, limit, played, estimate)

    def rank(self, members: Members, guesses: Members, bound: Numbers, estimate: Numbers,
             counts: Counts | None = None) -> tuple[Numbers, Numbers]:  # fmt: skip
        """Bounds and estimates of guesses from the sizes of their parts; `counts` are these, where known."""
        game, estimate = self.game, estimate[: len(members) + 1]
        total = game.weight(members)
        if game.plain:
            sizes = (game.counts(members, guesses) if counts is None else counts)[:, : game.win]
            lowest, likely = bound[sizes].sum(axis=1), estimate[sizes].sum(axis=1)
        else:
            lowest, likely = game.sums(members, guesses, bound, estimate)
        return total + lowest, total * UNIT + likely

    def in_order(self, members: Members, look: Look, width: int, patience: int) -> Iterator[tuple[int, int]]:
        """Guesses to try, with their bounds, most promising first; all where `width` is 0.

        A beam goes by estimates; of a short set it weighs `patience` guesses, where that is not 0, else a multiple of
        its width. A search of all guesses goes by bounds where the set is short.
        """
        guesses, lows, keys = look.guesses, look.lows, look.keys
        if not look.ranked:
            if width:
                wanted = min(patience or SHORTLIST * width, LONGEST_SHORTLIST)
                guesses = guesses[np.argsort(lows, kind="stable")[:wanted]]
            lows, keys = self.rank(members, guesses, look.bound, look.estimate)
            keys = keys if width else lows
        order = np.lexsort((guesses, lows, keys))
        return zip(guesses[order].tolist(), lows[order].tolist(), strict=True)

    def minds(self, size: int, played: tuple[int, ...]) -> bool:
        """Whether the guesses looked at hang on those played before, not on the set alone."""
        letters = self.game.letters
        return letters is not None and letters.shape[1] <= MOST_PLACES and size > SHORT \
            and len(played) <= SYMMETRIC_TURNS

    def _worth_a_look(self, size: int, played: tuple[int, ...]) -> Members:
        game = self.game
        if game.letters is None or not self.minds(size, played):
            return game.guesses
        chosen = representatives(game.letters, game.symbols, played)
        return chosen if FEWER * len(chosen) < len(game.guesses) else game.guesses

    def _short(self, members: Members, left: int, limit: int, estimate: Numbers) -> Look:
        game, weights = self.game, self.game.weights[members]
        before = np.concatenate([[0], np.cumsum(weights)])
        met = game.met(members)
        # The winning answer comes from the guess itself alone.
        parts, others = met.astype(np.intp), np.full(len(met), before[-1])
        parts[members] -= 1
        others[members] -= weights
        second = np.minimum(before[parts], others)
        lows = before[-1] + second + (others - second) * (2 if left > 2 else 1 + self.miss)
        reach = reach_by_parts(int(parts.max()), self.reach, len(members))
        bound = by_reach(reach, left - 1, self.miss, len(members))
        kept = np.flatnonzero((lows < limit) & (met > 1))
        return Look(game.guesses[kept], lows[kept], lows[kept], False, int(lows.min()), bound, estimate)

    def _long(self, members: Members, left: int, limit: int, played: tuple[int, ...], estimate: Numbers) -> Look:
        game, size = self.game, len(members)
        guesses = self._worth_a_look(size, played)
        counts = game.counts(members, guesses)
        reach = reach_within(counts, game.win, size) if game.codes <= NARROW else self.reach
        bound = by_reach(reach, left - 1, self.miss, size)
        useful = counts.max(axis=1) < size
        guesses = guesses[useful]
        lows, keys = self.rank(members, guesses, bound, estimate, counts[useful])
        kept = lows < limit
        return Look(guesses[kept], lows[kept], keys[kept], True, int(lows.min()), bound, estimate)
