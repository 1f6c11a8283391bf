"""Tree search in numpy: the fewest turns, summed over a set of secrets, by branch and bound; a beam with a width.

In a beam the same algorithm as `native/search.c`, guess for guess. Exact searches find the same costs; of guesses that
cost the same, each core takes the first it comes to.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..contract import NO_LIMIT, Answer, Members, Numbers
from ..limits import check_foresight, check_left, check_search, units_by_turns
from ..model.feedback_table import Table
from .bounds import at_once, by_reach, least, untold
from .game import Game
from .looks import Looks
from .memo import Known, Memo, key_of

#: Sets up to this size a beam may search whole even where members have to be missed.
FEWEST = 8


class Past(NamedTuple):
    """How a search came to a set: the guesses played, and whether it is looking for trees that miss no member."""

    played: tuple[int, ...]
    hopeful: bool = False

    def then(self, guess: int) -> "Past":
        """After one more guess."""
        return Past((*self.played, guess), self.hopeful)


#: From members, turns left, limit and past to a bound or the cost.
Way = Callable[[Members, int, int, Past], int]


class _Stopped(Exception):
    """Somebody asked the search to end."""


class NumpySearch:
    """A search with its memo; see `jotto_desk.solver.contract.Search`."""

    def __init__(self, table: Table, miss: int, width: int, full: int, memo_bytes: int,
                 stop: npt.NDArray[np.int32] | None, patience: int) -> None:  # fmt: skip
        check_search(table, miss, width, full, memo_bytes, patience)
        self._game, self._miss, self._width, self._full, self._stop = Game(table), miss, width, full, stop
        self._patience = patience
        self._looks = Looks(self._game, miss)
        self._memo = Memo(memo_bytes)

    def estimate(self, costs: npt.NDArray[np.float64], hurried: npt.NDArray[np.float64] | None = None) -> None:
        """Set what a set of each size is thought to cost, in turns."""
        self._looks.estimate = units_by_turns(costs, hurried, len(self._game.weights)).astype(np.int64)

    def reach(self) -> list[int]:
        """How many members of one set can be found in 0, 1, 2 ... turns at most."""
        return list(self._looks.reach)

    def sizes(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        """Sum and number of the exact costs in the memo, per size of set."""
        return self._memo.sizes(most)

    def solve(self, members: Members, left: int, limit: int | None = None, played: Sequence[int] = ()) -> Answer | None:
        """Find the cost of a set."""
        check_left(left)
        settled = at_once(self._game, members, left, self._miss)
        try:
            return settled or self._solve(_solid(members), left, _limit(limit), Past(tuple(played)))
        except _Stopped:
            return None

    def attempt(self, members: Members, left: int, guess: int, limit: int | None = None,
                played: Sequence[int] = ()) -> int | None:  # fmt: skip
        """Find the cost of asking `guess` at a set."""
        try:
            return self._attempt(members, left, guess, _limit(limit), played)
        except _Stopped:
            return None

    def foresee(self, members: Members, left: int, guess: int, played: Sequence[int] = ()) -> int:
        """Bound the cost of asking `guess` at a set, looking two guesses ahead."""
        check_foresight(self._width)
        return self._attempt(members, left, guess, NO_LIMIT, played, deep=True)

    def scan(self, members: Members, left: int, played: Sequence[int] = ()) -> tuple[Members, Numbers, Numbers]:
        """List guesses worth a look, most promising first, with bounds and estimates."""
        check_left(left)
        look = self._looks.look(_solid(members), left, NO_LIMIT, tuple(played))
        order = np.lexsort((look.guesses, look.lows, look.keys))
        return look.guesses[order], look.lows[order], look.keys[order]

    def _attempt(self, members: Members, left: int, guess: int, limit: int, played: Sequence[int],
                 deep: bool = False) -> int:  # fmt: skip
        check_left(left)
        bound = by_reach(self._looks.reach, left - 1, self._miss, len(members))
        parts, past = self._game.split(_solid(members), guess), Past((*played, guess))
        return self._try(parts, self._game.weight(members), left, limit, past, bound, deep)

    def _solve(self, members: Members, left: int, limit: int, past: Past) -> Answer:
        """The cost of a set in which no member tells all others apart, exact below `limit`."""
        key = self._key_of(members, left, past)
        known = self._memo.get(key)
        if known is not None and (known.value is not None or known.low >= limit):
            return Answer(known.least, known.guess)
        cost, guess = self._search(members, left, limit, past)
        self._memo.put(key, Known(cost, None if guess < 0 else cost, guess, len(members)))
        return Answer(cost, guess)

    def _key_of(self, members: Members, left: int, past: Past) -> bytes:
        # In a beam the guesses tried are part of the outcome: where they hang on the past, so does the key.
        matters = self._is_narrow(len(members)) and self._looks.minds(len(members), past.played)
        return key_of(members, left, past.hopeful, past.played if matters else ())

    def _is_narrow(self, size: int) -> bool:
        """Whether a beam may leave guesses out at a set of so many members."""
        return self._width > 0 and size > min(self._full, FEWEST)

    def _search(self, members: Members, left: int, limit: int, past: Past) -> Answer:
        capped = self._is_narrow(len(members)) and left < len(members)
        hoping = capped and past.hopeful
        # Larger sets are searched whole only for trees that miss nobody: of the others there are too many.
        width = self._width if len(members) > self._full or (capped and not hoping) else 0
        if capped and not hoping:
            hoped = self._hope(members, left, past)
            if hoped is not None:
                return hoped
        elif hoping:
            # The same limit for every caller, so that the outcome does not hang on the order of work.
            limit = left * self._game.weight(members) + 1
        best = self._best(members, left, limit, past, width, self._patience + width if hoping and width else 0)
        # A tree that misses no member costs less.
        return Answer(max(best.cost, self._miss), -1) if hoping and best.guess < 0 else best

    def _hope(self, members: Members, left: int, past: Past) -> Answer | None:
        """Where there is a cap, a beam first hopes to miss no member; gives None where it finds no such tree.

        It then goes beyond its width until it finds one. A tree that misses a member costs more than all that do not,
        or there is no use in hoping.
        """
        whole = left * self._game.weight(members)
        if self._miss <= whole:
            return None
        hoped = self._solve(members, left, whole + 1, past._replace(hopeful=True))
        return hoped if hoped.cost <= whole else None

    def _best(self, members: Members, left: int, limit: int, past: Past, width: int, patience: int) -> Answer:
        """Try guesses: all, or `width`, and more, up to `patience`, as long as there is none below the limit."""
        # A beam tries the same guesses whatever the limit, so that its outcome does not hang on the order of work.
        look = self._looks.look(members, left, NO_LIMIT if width else limit, past.played, past.hopeful)
        if not len(look.guesses) or look.least >= limit:
            return Answer(max(look.least, limit), -1)
        best = Answer(limit, -1)
        weight = self._game.weight(members)
        seen = set()
        for tried, (guess, low) in enumerate(self._looks.in_order(members, look, width, patience)):
            if best.cost <= look.least or (width and tried >= (width if best.guess >= 0 else max(width, patience))):
                break
            if low >= best.cost:
                continue
            parts = self._game.split(members, guess)
            partition = frozenset(part.tobytes() for part in parts)
            if partition in seen:
                continue
            seen.add(partition)
            cost = self._try(parts, weight, left, best.cost, past.then(guess), look.bound)
            if cost < best.cost:
                best = Answer(cost, guess)
            if self._stop is not None and self._stop[0]:
                raise _Stopped
        return best

    def _try(self, parts: list[Members], weight: int, left: int, limit: int, past: Past, bound: Numbers,
             deep: bool = False) -> int:  # fmt: skip
        """The cost of a guess that makes these parts, exact below `limit`; with `deep` a bound from another look.

        `weight` is that of the whole set, and `bound` bounds parts by size, members weighing 1.
        """
        total, waiting, lows = weight, [], []
        for part in parts:
            settled = at_once(self._game, part, left - 1, self._miss)
            if settled is None:
                waiting.append(part)
            else:
                total += settled.cost
        waiting.sort(key=len)
        if past.hopeful:
            waiting.reverse()  # while none may be missed, the largest fail most
        lows = [max(least(self._game, part, bound), untold(self._game, part)) for part in waiting]
        total += sum(lows)
        for sharpen in self._ways(deep):
            for number, part in enumerate(waiting):
                if total >= limit:
                    return total
                low = max(lows[number], sharpen(part, left - 1, limit - total + lows[number], past))
                total += low - lows[number]
                lows[number] = low
        return total

    def _ways(self, deep: bool) -> list[Way]:
        """How to bound the parts of a guess better and better, the cheapest way first."""
        bounds: list[Way] = [self._remembered, self._looked_at] if deep or not self._width else []
        return bounds if deep else [*bounds, self._solved]

    def _remembered(self, members: Members, left: int, limit: int, past: Past) -> int:
        known = self._memo.get(self._key_of(members, left, past))
        return 0 if known is None else known.least

    def _looked_at(self, members: Members, left: int, limit: int, past: Past) -> int:
        key = self._key_of(members, left, past)
        known = self._memo.get(key)
        if known is not None:
            return known.least
        low = self._looks.look(members, left, 0, past.played).least
        self._memo.put(key, Known(low, None, -1, len(members)))
        return low

    def _solved(self, members: Members, left: int, limit: int, past: Past) -> int:
        return self._solve(members, left, limit, past).cost


def _solid(members: Members) -> Members:
    return np.ascontiguousarray(members, dtype=np.int32)


def _limit(limit: int | None) -> int:
    return NO_LIMIT if limit is None else limit
