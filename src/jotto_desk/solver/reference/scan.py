"""A scan of all guesses for a set of secrets: lower bounds, estimates, and which guesses are worth trying."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..contract import Members, Numbers
from ..limits import UNIT
from .bounds import by_reach, reach_by_parts, reach_within
from .partitions import Counts, Partitions
from .symmetry import representatives

#: In sets up to this size, guesses are first bounded by the number of their parts alone.
SHORT = 48
#: Games of more codes than this are bounded by the reach of the whole game.
NARROW = 64
#: After this many turns few guesses are equivalent, so their classes are not sought. With more places than MOST_PLACES
#: there are too many exchanges to go through.
SYMMETRIC_TURNS, MOST_PLACES = 3, 8
#: Scanning one guess per class pays off where all guesses are more than this many times as many.
FEWER = 4
#: A beam ranks this many guesses per guess it tries, of those that make most parts; and at most LONGEST_SHORTLIST.
SHORTLIST, LONGEST_SHORTLIST = 4, 256


class Scan(NamedTuple):
    """The guesses worth trying, by rising number, with the lower bound of each and its estimate in 1/256 turns.

    They are `ranked` by the sizes of their parts, or else only by how many parts they make. `least` bounds the set,
    and `bound` its parts by size, where members weigh 1.
    """

    guesses: Members
    lows: Numbers
    keys: Numbers
    ranked: bool
    least: int
    bound: Numbers


class Scanner:
    """Scans sets; `reach` and `estimate` are those of the whole game, by number of turns and by size of set."""

    def __init__(self, game: Partitions, miss: int) -> None:
        self.game, self.miss = game, miss
        size = len(game.weights)
        self.reach = reach_within(game.counts(game.guesses[:size], self._candidates(size, ())), game.win, size)
        self.estimate: Numbers = UNIT * np.maximum(0, 2 * np.arange(size + 1) - 1)

    def scan(self, members: Members, left: int, limit: int, played: tuple[int, ...]) -> Scan:
        """Scan every guess, and list those whose bound is below `limit`."""
        if len(members) <= SHORT and self.game.codes <= NARROW:
            return self._by_number(members, left, limit)
        return self._by_sizes(members, left, limit, played)

    def rank(
        self, members: Members, guesses: Members, bound: Numbers, counts: Counts | None = None
    ) -> tuple[Numbers, Numbers]:
        """Return bounds and estimates of guesses from the sizes of their parts: `counts`, where they are known."""
        game, estimate = self.game, self.estimate[: len(members) + 1]
        total = game.weight(members)
        if game.plain:
            sizes = (game.counts(members, guesses) if counts is None else counts)[:, : game.win]
            lowest, likely = bound[sizes].sum(axis=1), estimate[sizes].sum(axis=1)
        else:
            lowest, likely = game.sums(members, guesses, bound, estimate)
        return total + lowest, total * UNIT + likely

    def in_order(self, members: Members, found: Scan, width: int) -> Iterator[tuple[int, int]]:
        """Return the guesses to try with their bounds, most promising first; all where `width` is 0.

        A beam goes by estimates, and ranks only the head of a scan by number of parts. A search of all guesses goes by
        bounds there.
        """
        guesses, lows, keys = found.guesses, found.lows, found.keys
        if not found.ranked:
            if width:
                guesses = guesses[np.argsort(lows, kind="stable")[: min(SHORTLIST * width, LONGEST_SHORTLIST)]]
            lows, keys = self.rank(members, guesses, found.bound)
            keys = keys if width else lows
        order = np.lexsort((guesses, lows, keys))
        return zip(guesses[order].tolist(), lows[order].tolist(), strict=True)

    def depends_on_past(self, size: int, played: tuple[int, ...]) -> bool:
        """Tell whether the guesses scanned depend on those played before, not on the set alone."""
        letters = self.game.letters
        return (
            letters is not None and letters.shape[1] <= MOST_PLACES and size > SHORT and len(played) <= SYMMETRIC_TURNS
        )

    def _candidates(self, size: int, played: tuple[int, ...]) -> Members:
        game = self.game
        if game.letters is None or not self.depends_on_past(size, played):
            return game.guesses
        chosen = representatives(game.letters, game.symbols, played)
        return chosen if FEWER * len(chosen) < len(game.guesses) else game.guesses

    def _by_number(self, members: Members, left: int, limit: int) -> Scan:
        game, weights = self.game, self.game.weights[members]
        before = np.concatenate([[0], np.cumsum(weights)])
        numbers = game.part_numbers(members)
        # Only the guess itself gives the winning answer.
        parts, others = numbers.astype(np.intp), np.full(len(numbers), before[-1])
        parts[members] -= 1
        others[members] -= weights
        second = np.minimum(before[parts], others)
        lows = before[-1] + second + (others - second) * (2 if left > 2 else 1 + self.miss)
        reach = reach_by_parts(int(parts.max()), self.reach, len(members))
        bound = by_reach(reach, left - 1, self.miss, len(members))
        kept = np.flatnonzero((lows < limit) & (numbers > 1))
        return Scan(game.guesses[kept], lows[kept], lows[kept], False, int(lows.min()), bound)

    def _by_sizes(self, members: Members, left: int, limit: int, played: tuple[int, ...]) -> Scan:
        game, size = self.game, len(members)
        guesses = self._candidates(size, played)
        counts = game.counts(members, guesses)
        reach = reach_within(counts, game.win, size) if game.codes <= NARROW else self.reach
        bound = by_reach(reach, left - 1, self.miss, size)
        useful = counts.max(axis=1) < size
        guesses = guesses[useful]
        lows, keys = self.rank(members, guesses, bound, counts[useful])
        kept = lows < limit
        return Scan(guesses[kept], lows[kept], keys[kept], True, int(lows.min()), bound)
