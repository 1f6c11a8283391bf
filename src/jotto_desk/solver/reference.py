"""The core in plain numpy: the C library is tested against it, and the solver uses it if no library is built.

`Partitions` splits sets by their answers, the bounds need no search, `_Scanner` ranks guesses for a set, and
`_NumpySearch` is the branch and bound with its memo. The C library has the same formulas."""

import hashlib
import itertools
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jotto_desk.solver import feedback_table
from jotto_desk.solver.feedback_table import NO_LIMIT, FeedbackTable, Members, Numbers, Played, Solution, StopFlag
from jotto_desk.solver.partitions import (
    Counts,
    Partitions,
    bound_by_reach,
    bound_cost,
    find_cost_at_once,
    list_reach_by_parts,
    list_reach_within,
)

# The memo of a search: results for sets of secrets, bounded in size.

#: Bytes an entry takes in memory, about.
_ENTRY_BYTES = 400


class _MemoEntry(NamedTuple):
    """The known bounds of a set of `size` members: its cost is at least `low`, and `value` (with `guess`) if known."""

    low: int
    value: int | None
    guess: int
    size: int

    @property
    def least(self) -> int:
        return self.low if self.value is None else self.value


class _Memo:
    """A memo shared by threads; once it is full, the oldest entry goes first."""

    def __init__(self, memo_bytes: int) -> None:
        self._most = max(1, memo_bytes // _ENTRY_BYTES)
        self._entries: dict[bytes, _MemoEntry] = {}
        self._lock = threading.Lock()

    def get(self, key: bytes) -> _MemoEntry | None:
        return self._entries.get(key)

    def store(self, key: bytes, entry: _MemoEntry) -> None:
        """Remember an entry; a bound does not replace a cost."""
        with self._lock:
            before = self._entries.get(key)
            if before is None and len(self._entries) >= self._most:
                del self._entries[next(iter(self._entries))]
            if before is None or before.value is None or entry.value is not None:
                self._entries[key] = entry

    def sum_costs(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        """Return the sum and the number of the costs known, per size of set up to `most`."""
        sums, numbers = np.zeros(most + 1), np.zeros(most + 1, dtype=np.int64)
        with self._lock:
            for entry in self._entries.values():
                if entry.value is not None and entry.size <= most:
                    sums[entry.size] += entry.value
                    numbers[entry.size] += 1
        return sums, numbers


# Games whose places and symbols can be exchanged: guesses that differ only by an exchange are worth the same.

Letters = npt.NDArray[np.uint8]
_UNNAMED = -1


def list_representatives(letters: Letters, symbols: int, played: Played) -> Members:
    """Return one guess per class under the exchanges of places and symbols that leave `played` unchanged.

    `letters` has the letters of all guesses [guesses, length]. The guess of the lowest number represents its class.
    """
    least = np.full(len(letters), np.iinfo(np.int64).max)
    for order, names in _list_exchanges(letters[list(played)], symbols):
        renamed, _ = _rename(letters[:, order], np.tile(names, (len(letters), 1)))
        np.minimum(least, renamed @ (symbols + 1) ** np.arange(letters.shape[1]), out=least)
    _, first = np.unique(least, return_index=True)
    return np.sort(first).astype(np.int32)


def _list_exchanges(played: Letters, symbols: int) -> list[tuple[list[int], npt.NDArray[np.int64]]]:
    """Return the orders of places that leave the renamed words played unchanged, each with the names it gives."""
    found = []
    now: npt.NDArray[np.int64] | None = None
    for order in itertools.permutations(range(played.shape[1])):
        words, names = _rename(played[:, order].reshape(1, -1), np.full((1, symbols), _UNNAMED))
        if now is None:
            now = words
        if np.array_equal(words, now):
            found.append((list(order), names[0]))
    return found


def _rename(words: Letters, names: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Replace symbols by numbers, in order of appearance in each word; `names` [words, symbols] has earlier ones."""
    row = np.arange(len(words))
    renamed = np.empty(words.shape, dtype=np.int64)
    free = names.max(axis=1, initial=_UNNAMED) + 1
    for place in range(words.shape[1]):
        symbol = words[:, place]
        new = names[row, symbol] == _UNNAMED
        names[row[new], symbol[new]] = free[new]
        free += new
        renamed[:, place] = names[row, symbol]
    return renamed, names


# A scan of all guesses for a set: lower bounds, estimates, and the guesses to try.

#: In sets up to this size, guesses are first bounded by only the number of their parts.
_SMALL_SET_SIZE = 48
#: If weights differ, sets up to this size are bounded by it, too.
_BOUNDED_SET_SIZE = 128
#: In games of more codes than this, the reach within a set follows from the most parts a guess makes, and the bound of
#: a set from the number of its parts.
_EXACT_REACH_CODES = 64
#: After this many turns few guesses are equivalent, so their classes are not sought. With more places than _MAX_PLACES
#: there are too many exchanges to go through.
_SYMMETRIC_TURNS, _MAX_PLACES = 3, 8
#: Scanning one guess per class pays off where all guesses are more than this many times as many.
_MIN_CLASS_SAVING = 4
#: A beam ranks this many guesses per guess it tries, of those that make most parts; and at most MAX_SHORTLIST.
_SHORTLIST_FACTOR, _MAX_SHORTLIST = 4, 256


class Scan(NamedTuple):
    """The guesses worth trying, by rising number, with the lower bound of each and its estimate in 1/256 turns.

    They are `ranked` by the sizes of their parts, or else only by the number of their parts. `least` bounds the set,
    and `bound` its parts by size, if members weigh 1.
    """

    guesses: Members
    lows: Numbers
    keys: Numbers
    ranked: bool
    least: int
    bound: Numbers


class _Scanner:
    """Scans sets; `reach` (by number of turns) and `estimate` (by size of set) are for the whole game."""

    def __init__(self, game: Partitions, miss: int, is_beam: bool) -> None:
        self.game, self.miss, self.is_beam = game, miss, is_beam
        size = len(game.weights)
        self.reach = list_reach_within(
            game.count_parts(game.guesses[:size], self._list_candidates(size, ())), game.win, size
        )
        self.estimate: Numbers = feedback_table.UNITS_PER_TURN * np.maximum(0, 2 * np.arange(size + 1) - 1)

    def scan(self, members: Members, left: int, limit: int, played: tuple[int, ...]) -> Scan:
        """Scan every guess, and list those whose bound is below `limit`."""
        if len(members) <= _SMALL_SET_SIZE:
            found = self._bound_by_number(members, left, limit)
        else:
            found = self._bound_by_sizes(members, left, limit, played)
        if not self.game.is_hard:
            return found
        kept = self.game.select_allowed(int(members[0]), played)[found.guesses]
        return found._replace(guesses=found.guesses[kept], lows=found.lows[kept], keys=found.keys[kept])

    def bound_set(self, members: Members, left: int, played: tuple[int, ...]) -> int:
        """Bound the cost of a set by one scan."""
        most = _SMALL_SET_SIZE if self.game.plain else _BOUNDED_SET_SIZE
        if self.game.codes > _EXACT_REACH_CODES or len(members) <= most:
            return self._bound_by_number(members, left, 0).least
        return self.scan(members, left, 0, played).least

    def rank(
        self, members: Members, guesses: Members, bound: Numbers, counts: Counts | None = None
    ) -> tuple[Numbers, Numbers]:
        """Return bounds and estimates of guesses from the sizes of their parts: `counts`, if they are known."""
        game, estimate = self.game, self.estimate[: len(members) + 1]
        total = game.weigh(members)
        if game.plain:
            sizes = (game.count_parts(members, guesses) if counts is None else counts)[:, : game.win]
            lowest, likely = bound[sizes].sum(axis=1), estimate[sizes].sum(axis=1)
        else:
            lowest, likely = game.sum_costs(members, guesses, bound, estimate)
        return total + lowest, total * feedback_table.UNITS_PER_TURN + likely

    def order_guesses(self, members: Members, found: Scan, width: int) -> Iterator[tuple[int, int]]:
        """Return the guesses to try with their bounds, most promising first; all where `width` is 0.

        A beam goes by estimates, and ranks only the head of a scan by number of parts. A search of all guesses goes by
        bounds there.
        """
        guesses, lows, keys = found.guesses, found.lows, found.keys
        if not found.ranked:
            if width:
                guesses = guesses[np.argsort(lows, kind="stable")[: min(_SHORTLIST_FACTOR * width, _MAX_SHORTLIST)]]
            lows, keys = self.rank(members, guesses, found.bound)
            keys = keys if width else lows
        order = np.lexsort((guesses, lows, keys))
        return zip(guesses[order].tolist(), lows[order].tolist(), strict=True)

    def depends_on_past(self, size: int, played: tuple[int, ...]) -> bool:
        """Return whether the guesses scanned depend on those played before, not only on the set."""
        letters = self.game.letters
        is_symmetric = letters is not None and letters.shape[1] <= _MAX_PLACES
        return is_symmetric and size > _SMALL_SET_SIZE and len(played) <= _SYMMETRIC_TURNS

    def _list_candidates(self, size: int, played: tuple[int, ...]) -> Members:
        game = self.game
        if game.letters is None or not self.depends_on_past(size, played):
            return game.guesses
        chosen = list_representatives(game.letters, game.symbols, played)
        return chosen if _MIN_CLASS_SAVING * len(chosen) < len(game.guesses) else game.guesses

    def _bound_by_number(self, members: Members, left: int, limit: int) -> Scan:
        game, total = self.game, self.game.weigh(members)
        numbers = game.count_answers(members)
        # Only the guess itself gives the winning answer.
        parts, won = numbers.astype(np.intp), np.zeros(len(numbers), dtype=np.int64)
        parts[members] -= 1
        won[members] = game.weights[members]
        # In a beam only the number of parts counts, so that the shipped trees stay the same.
        before = np.concatenate([[0], np.cumsum(game.weights[members])])
        second = np.minimum(before[parts], total - won) if self.is_beam else game.sum_heaviest(members) - won
        lows = total + second + (total - won - second) * (2 if left > 2 else 1 + self.miss)
        reach = list_reach_by_parts(int(parts.max()), self.reach, len(members))
        bound = bound_by_reach(reach, left - 1, self.miss, len(members))
        kept = np.flatnonzero((lows < limit) & (numbers > 1))
        return Scan(game.guesses[kept], lows[kept], lows[kept], False, int(lows.min()), bound)

    def _bound_by_sizes(self, members: Members, left: int, limit: int, played: tuple[int, ...]) -> Scan:
        game, size = self.game, len(members)
        guesses = self._list_candidates(size, played)
        counts = game.count_parts(members, guesses)
        if game.codes <= _EXACT_REACH_CODES:
            reach = list_reach_within(counts, game.win, size)
        else:
            parts = np.count_nonzero(counts[:, : game.win], axis=1)
            reach = list_reach_by_parts(int(parts.max()), self.reach, size)
        bound = bound_by_reach(reach, left - 1, self.miss, size)
        useful = counts.max(axis=1) < size
        guesses = guesses[useful]
        lows, keys = self.rank(members, guesses, bound, counts[useful])
        kept = lows < limit
        return Scan(guesses[kept], lows[kept], keys[kept], True, int(lows.min()), bound)


# Tree search in numpy: branch and bound for the fewest turns of a set, or a beam of a given width.
#
# Exact searches find the same costs as the C library (of guesses that cost the same, each core takes the first it comes
# to), and beams without a cap the same trees. With a cap a beam here counts the secrets it misses, and goes a little
# beyond its width to miss none: the C library's patience has no counterpart.

#: With fewer turns left than members, a beam searches sets up to this size whole, and no larger ones.
_MAX_WHOLE_CAPPED = 8
#: A beam goes this many guesses beyond its width, as long as each tree it found misses a member.
_MORE_WITHOUT_MISS = 8

#: The guesses played before a set.
_Past = tuple[int, ...]
#: From members, turns left, limit and past to a lower bound or the cost.
_Bounding = Callable[[Members, int, int, _Past], int]


class _Stopped(Exception):
    """The search was asked to end."""


class _NumpySearch:
    """A search with its memo; see `jotto_desk.solver.feedback_table.Search`."""

    def __init__(self, table: FeedbackTable, miss: int, width: int, full: int, memo_bytes: int, stop: StopFlag) -> None:
        self._game, self._miss, self._width, self._full, self._stop = Partitions(table), miss, width, full, stop
        self._scanner = _Scanner(self._game, miss, bool(width))
        self._memo = _Memo(memo_bytes)

    def estimate(self, costs: feedback_table.Costs) -> None:
        self._scanner.estimate = feedback_table.convert_costs(costs, len(self._game.weights)).astype(np.int64)

    def reach(self) -> list[int]:
        return list(self._scanner.reach)

    def sum_costs(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        return self._memo.sum_costs(most)

    def solve(self, members: Members, left: int, limit: int | None = None, played: Played = ()) -> Solution | None:
        feedback_table.check_left(left)
        settled, most = find_cost_at_once(self._game, members, left, self._miss), NO_LIMIT if limit is None else limit
        try:
            return settled or self._solve(_make_contiguous(members), left, most, tuple(played))
        except _Stopped:
            return None

    def attempt(
        self, members: Members, left: int, guess: int, limit: int | None = None, played: Played = ()
    ) -> int | None:
        try:
            return self._attempt(members, left, guess, NO_LIMIT if limit is None else limit, played)
        except _Stopped:
            return None

    def look_ahead(self, members: Members, left: int, guess: int, limit: int | None = None) -> int:
        feedback_table.check_look_ahead(self._width)
        most = NO_LIMIT if limit is None else limit
        return self._attempt(members, left, guess, most, (), bounds_only=True)

    def scan(self, members: Members, left: int, played: Played = ()) -> tuple[Members, Numbers, Numbers]:
        feedback_table.check_left(left)
        found = self._scanner.scan(_make_contiguous(members), left, NO_LIMIT, tuple(played))
        order = np.lexsort((found.guesses, found.lows, found.keys))
        return found.guesses[order], found.lows[order], found.keys[order]

    def _attempt(
        self, members: Members, left: int, guess: int, limit: int, played: Played, bounds_only: bool = False
    ) -> int:
        feedback_table.check_left(left)
        bound = bound_by_reach(self._scanner.reach, left - 1, self._miss, len(members))
        parts = self._game.split(_make_contiguous(members), guess)
        return self._try(parts, self._game.weigh(members), left, limit, (*played, guess), bound, bounds_only)

    def _solve(self, members: Members, left: int, limit: int, past: _Past) -> Solution:
        """Find the cost of a set in which no member separates all others: exact below `limit`."""
        key = self._make_key(members, left, past)
        known = self._memo.get(key)
        if known is not None and (known.value is not None or known.low >= limit):
            return Solution(known.least, known.guess)
        found = self._find_best(members, left, limit, past)
        self._memo.store(
            key, _MemoEntry(found.cost, None if found.guess < 0 else found.cost, found.guess, len(members))
        )
        return found

    def _make_key(self, members: Members, left: int, past: _Past) -> bytes:
        """Return the key of a set with `left` turns left: 128 bits, which no two sets will share."""
        # A set of n members never needs more than n turns, so beyond that `left` plays no part. In a beam the result
        # depends on the guesses tried: where these depend on the past, in any order, so does the key.
        matters = self._choose_width(len(members), left) and self._scanner.depends_on_past(len(members), past)
        capped = left < len(members)
        around = np.array([capped * (left + 1), *(sorted(past) if matters else ())], dtype=np.int32)
        if self._game.is_hard:
            allowed = self._game.select_allowed(int(members[0]), past).tobytes()
            return hashlib.blake2b(allowed + members.tobytes(), digest_size=16, key=around.tobytes()).digest()
        return hashlib.blake2b(members.tobytes(), digest_size=16, key=around.tobytes()).digest()

    def _choose_width(self, size: int, left: int) -> int:
        """Return the number of guesses to try at a set; 0 means all of them."""
        whole = self._full if left >= size else min(self._full, _MAX_WHOLE_CAPPED)
        return self._width if size > whole else 0

    def _find_best(self, members: Members, left: int, limit: int, past: _Past) -> Solution:
        """Try guesses, and return the best: its cost is exact below `limit`."""
        width = self._choose_width(len(members), left)
        most = width
        if width and left < len(members):
            # Whether to continue depends on the misses so far, and must not depend on the caller's limit.
            limit, most = NO_LIMIT, width + _MORE_WITHOUT_MISS
        # A beam tries the same guesses with any limit, so that its result does not depend on the order of work.
        found = self._scanner.scan(members, left, NO_LIMIT if width else limit, past)
        if not len(found.guesses) or found.least >= limit:
            return Solution(max(found.least, limit), -1)
        best = Solution(limit, -1)
        weight = self._game.weigh(members)
        seen = set()
        for tried, (guess, low) in enumerate(self._scanner.order_guesses(members, found, most)):
            if best.cost <= found.least or (width and tried >= (width if best.cost < self._miss else most)):
                break
            if low >= best.cost:
                continue
            parts = self._game.split(members, guess)
            partition = frozenset(part.tobytes() for part in parts)
            # In hard mode, guesses that make the same parts tell different letters.
            if partition in seen and not self._game.is_hard:
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
        past: _Past,
        bound: Numbers,
        bounds_only: bool = False,
    ) -> int:
        """Return the cost of a guess that makes these parts, exact below `limit`; with `bounds_only` a lower bound.

        `weight` is the weight of the whole set, and `bound` bounds parts by size, if members weigh 1.
        """
        total, waiting = weight, []
        for part in parts:
            settled = find_cost_at_once(self._game, part, left - 1, self._miss)
            if settled is None:
                waiting.append(part)
            else:
                total += settled.cost
        waiting.sort(key=len)
        lows = [bound_cost(self._game, part, bound) for part in waiting]
        total += sum(lows)
        for sharpen in self._list_boundings(bounds_only):
            for number, part in enumerate(waiting):
                if total >= limit:
                    return total
                low = max(lows[number], sharpen(part, left - 1, limit - total + lows[number], past))
                total += low - lows[number]
                lows[number] = low
        return total

    def _list_boundings(self, bounds_only: bool) -> list[_Bounding]:
        """Return the ways to bound the parts of a guess better and better, the cheapest first."""
        bounds: list[_Bounding] = [self._recall_bound, self._scan_bound] if bounds_only or not self._width else []
        return bounds if bounds_only else [*bounds, self._solve_cost]

    def _recall_bound(self, members: Members, left: int, limit: int, past: _Past) -> int:
        known = self._memo.get(self._make_key(members, left, past))
        return 0 if known is None else known.least

    def _scan_bound(self, members: Members, left: int, limit: int, past: _Past) -> int:
        key = self._make_key(members, left, past)
        known = self._memo.get(key)
        if known is not None:
            return known.least
        low = self._scanner.bound_set(members, left, past)
        self._memo.store(key, _MemoEntry(low, None, -1, len(members)))
        return low

    def _solve_cost(self, members: Members, left: int, limit: int, past: _Past) -> int:
        return self._solve(members, left, limit, past).cost


def _make_contiguous(members: Members) -> Members:
    return np.ascontiguousarray(members, dtype=np.int32)


# The core in numpy: the same tables, scores and exact costs as the C library, but slower.


class NumpyCore:
    """The numpy form of a `Core`."""

    name = "numpy"

    add_planes = staticmethod(feedback_table.sum_planes)

    def score_guesses(
        self, table: FeedbackTable, members: Members, guesses: Members, values: Numbers, won: int, largest: bool
    ) -> Numbers:
        """Return per guess the sum (or the largest) of `values[size]` over the sizes of its parts."""
        game = Partitions(table)
        sizes = game.count_parts(members, guesses)[:, table.problem.used]
        worth = np.asarray(values, dtype=np.int64)[sizes]
        worth[:, -1][sizes[:, -1] > 0] = won
        if largest:
            return np.asarray(worth.max(axis=1, where=sizes > 0, initial=np.iinfo(np.int64).min))
        return np.asarray(worth.sum(axis=1))

    def search(
        self,
        table: FeedbackTable,
        miss: int,
        width: int = 0,
        full: int = 0,
        memo_bytes: int = 1 << 28,
        stop: StopFlag = None,
        patience: int = feedback_table.DEFAULT_PATIENCE,
    ) -> _NumpySearch:
        """Begin a search over a table; see `jotto_desk.solver.feedback_table.Core.search`. `patience` is ignored."""
        feedback_table.check_search(table, miss, width, full, memo_bytes, patience)
        return _NumpySearch(table, miss, width, full, memo_bytes, stop)
