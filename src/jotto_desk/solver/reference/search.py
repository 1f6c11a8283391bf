"""Tree search in numpy: the fewest turns, summed over a set of secrets, by branch and bound; a beam with a width.

Exact searches find the same costs as the C library (of guesses that cost the same, each core takes the first it comes
to), and beams without a cap the same trees. With a cap a beam here counts the secrets it misses, and goes a little
beyond its width to miss none: the C library's patience and its estimates by turns left have no counterpart.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ..contract import NO_LIMIT, Members, Numbers, Solution
from ..limits import check_left, check_look_ahead, units_by_turns
from ..model.feedback_table import FeedbackTable
from .bounds import at_once, by_reach, least, unseparated
from .memo import Memo, MemoEntry, key_of
from .partitions import Partitions
from .scan import Scanner

#: With fewer turns left than members, a beam searches sets up to this size whole, and no larger ones.
MOST_WHOLE_CAPPED = 8
#: A beam goes this many guesses beyond its width, as long as each tree it found misses a member.
MORE_WITHOUT_MISS = 8

#: The guesses played before a set.
Past = tuple[int, ...]
#: From members, turns left, limit and past to a lower bound or the cost.
Bounding = Callable[[Members, int, int, Past], int]


class _Stopped(Exception):
    """The search was asked to end."""


class NumpySearch:
    """A search with its memo; see `jotto_desk.solver.contract.Search`."""

    def __init__(
        self,
        table: FeedbackTable,
        miss: int,
        width: int,
        full: int,
        memo_bytes: int,
        stop: npt.NDArray[np.int32] | None,
    ) -> None:
        self._game, self._miss, self._width, self._full, self._stop = Partitions(table), miss, width, full, stop
        self._scanner = Scanner(self._game, miss)
        self._memo = Memo(memo_bytes)

    def estimate(self, costs: npt.NDArray[np.float64], capped: npt.NDArray[np.float64] | None = None) -> None:
        """Set the estimated cost of a set of each size, in turns; `capped` is checked, and else ignored."""
        self._scanner.estimate = units_by_turns(costs, capped, len(self._game.weights))[0].astype(np.int64)

    def reach(self) -> list[int]:
        """Return how many members of one set can be found in 0, 1, 2 ... turns at most."""
        return list(self._scanner.reach)

    def sizes(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        """Return the sum and the number of the exact costs in the memo, per size of set."""
        return self._memo.sizes(most)

    def solve(
        self, members: Members, left: int, limit: int | None = None, played: Sequence[int] = ()
    ) -> Solution | None:
        """Find the cost of a set."""
        check_left(left)
        settled = at_once(self._game, members, left, self._miss)
        try:
            return settled or self._solve(_contiguous(members), left, _limit(limit), tuple(played))
        except _Stopped:
            return None

    def attempt(
        self, members: Members, left: int, guess: int, limit: int | None = None, played: Sequence[int] = ()
    ) -> int | None:
        """Find the cost of asking `guess` at a set."""
        try:
            return self._attempt(members, left, guess, _limit(limit), played)
        except _Stopped:
            return None

    def look_ahead(self, members: Members, left: int, guess: int, played: Sequence[int] = ()) -> int:
        """Bound the cost of asking `guess` at a set from below, looking two guesses ahead."""
        check_look_ahead(self._width)
        return self._attempt(members, left, guess, NO_LIMIT, played, bounds_only=True)

    def scan(self, members: Members, left: int, played: Sequence[int] = ()) -> tuple[Members, Numbers, Numbers]:
        """List the guesses worth trying, most promising first, with bounds and estimates."""
        check_left(left)
        found = self._scanner.scan(_contiguous(members), left, NO_LIMIT, tuple(played))
        order = np.lexsort((found.guesses, found.lows, found.keys))
        return found.guesses[order], found.lows[order], found.keys[order]

    def _attempt(
        self, members: Members, left: int, guess: int, limit: int, played: Sequence[int], bounds_only: bool = False
    ) -> int:
        check_left(left)
        bound = by_reach(self._scanner.reach, left - 1, self._miss, len(members))
        parts = self._game.split(_contiguous(members), guess)
        return self._try(parts, self._game.weight(members), left, limit, (*played, guess), bound, bounds_only)

    def _solve(self, members: Members, left: int, limit: int, past: Past) -> Solution:
        """Find the cost of a set in which no member separates all others: exact below `limit`."""
        key = self._key_of(members, left, past)
        known = self._memo.get(key)
        if known is not None and (known.value is not None or known.low >= limit):
            return Solution(known.least, known.guess)
        cost, guess = self._best(members, left, limit, past)
        self._memo.put(key, MemoEntry(cost, None if guess < 0 else cost, guess, len(members)))
        return Solution(cost, guess)

    def _key_of(self, members: Members, left: int, past: Past) -> bytes:
        # In a beam the result depends on the guesses tried: where these depend on the past, so does the key.
        matters = self._width_at(len(members), left) and self._scanner.depends_on_past(len(members), past)
        return key_of(members, left, past if matters else ())

    def _width_at(self, size: int, left: int) -> int:
        """Return how many guesses to try at a set; 0 stands for all of them."""
        whole = self._full if left >= size else min(self._full, MOST_WHOLE_CAPPED)
        return self._width if size > whole else 0

    def _best(self, members: Members, left: int, limit: int, past: Past) -> Solution:
        """Try guesses, and return the best: its cost is exact below `limit`."""
        width = self._width_at(len(members), left)
        most = width
        if width and left < len(members):
            # Whether to go on depends on what was missed so far, and that must not depend on the caller's limit.
            limit, most = NO_LIMIT, width + MORE_WITHOUT_MISS
        # A beam tries the same guesses whatever the limit, so that its result does not depend on the order of work.
        found = self._scanner.scan(members, left, NO_LIMIT if width else limit, past)
        if not len(found.guesses) or found.least >= limit:
            return Solution(max(found.least, limit), -1)
        best = Solution(limit, -1)
        weight = self._game.weight(members)
        seen = set()
        for tried, (guess, low) in enumerate(self._scanner.in_order(members, found, most)):
            if best.cost <= found.least or (width and tried >= (width if best.cost < self._miss else most)):
                break
            if low >= best.cost:
                continue
            parts = self._game.split(members, guess)
            partition = frozenset(part.tobytes() for part in parts)
            if partition in seen:
                continue
            seen.add(partition)
            # Beyond its width a beam looks only for a tree without a miss.
            most_cost = best.cost if not width or tried < width else min(best.cost, self._miss)
            cost = self._try(parts, weight, left, most_cost, (*past, guess), found.bound)
            if cost < most_cost:
                best = Solution(cost, guess)
            if self._stop is not None and self._stop[0]:
                raise _Stopped
        return best

    def _try(
        self,
        parts: list[Members],
        weight: int,
        left: int,
        limit: int,
        past: Past,
        bound: Numbers,
        bounds_only: bool = False,
    ) -> int:
        """Return the cost of a guess that makes these parts, exact below `limit`; with `bounds_only` a lower bound.

        `weight` is that of the whole set, and `bound` bounds parts by size, where members weigh 1.
        """
        total, waiting, lows = weight, [], []
        for part in parts:
            settled = at_once(self._game, part, left - 1, self._miss)
            if settled is None:
                waiting.append(part)
            else:
                total += settled.cost
        waiting.sort(key=len)
        lows = [max(least(self._game, part, bound), unseparated(self._game, part)) for part in waiting]
        total += sum(lows)
        for sharpen in self._boundings(bounds_only):
            for number, part in enumerate(waiting):
                if total >= limit:
                    return total
                low = max(lows[number], sharpen(part, left - 1, limit - total + lows[number], past))
                total += low - lows[number]
                lows[number] = low
        return total

    def _boundings(self, bounds_only: bool) -> list[Bounding]:
        """Return the ways to bound the parts of a guess better and better, the cheapest first."""
        bounds: list[Bounding] = [self._remembered, self._scanned] if bounds_only or not self._width else []
        return bounds if bounds_only else [*bounds, self._solved]

    def _remembered(self, members: Members, left: int, limit: int, past: Past) -> int:
        known = self._memo.get(self._key_of(members, left, past))
        return 0 if known is None else known.least

    def _scanned(self, members: Members, left: int, limit: int, past: Past) -> int:
        key = self._key_of(members, left, past)
        known = self._memo.get(key)
        if known is not None:
            return known.least
        low = self._scanner.scan(members, left, 0, past).least
        self._memo.put(key, MemoEntry(low, None, -1, len(members)))
        return low

    def _solved(self, members: Members, left: int, limit: int, past: Past) -> int:
        return self._solve(members, left, limit, past).cost


def _contiguous(members: Members) -> Members:
    return np.ascontiguousarray(members, dtype=np.int32)


def _limit(limit: int | None) -> int:
    return NO_LIMIT if limit is None else limit
