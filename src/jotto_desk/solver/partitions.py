"""How guesses split sets of secrets in numpy, and the costs and bounds that need no search."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from jotto_desk.solver.feedback_table import BLOCK_CELLS, FeedbackTable, Members, Numbers, Solution

# How guesses split sets of secrets into parts, one part per answer.
#
# A set is a rising array of secret numbers, so its heaviest member comes first.

Counts = npt.NDArray[np.uint16]

#: The bits of the widest mask; the answers of games with more codes are counted by sorting.
_MASK_BITS = 64


class Partitions:
    """The codes and weights of a problem; `letters` is None unless symbols and places can be exchanged."""

    def __init__(self, table: FeedbackTable) -> None:
        problem = table.problem
        self._table, self.rows, self.columns, self.weigh = table, table.rows, table.columns, table.weigh
        self.codes, self.win = len(problem.classes), problem.win
        self.weights: Numbers = problem.weights.astype(np.int64)
        self.plain = problem.is_uniform and int(self.weights[0]) == 1
        self.letters = table.letters if problem.is_symmetric else None
        self.is_hard = problem.is_hard
        self.symbols = len(problem.rules.alphabet)
        self.guesses: Members = np.arange(len(self.rows), dtype=np.int32)

    def split(self, members: Members, guess: int) -> list[Members]:
        """Split a set by the answers to a guess; the winning part is left out."""
        return list(self._table.split(guess, members).values())

    def select_allowed(self, member: int, played: tuple[int, ...]) -> npt.NDArray[np.bool_]:
        """Return which guesses hard mode allows after those played; `member` gives the answers."""
        letters = self._table.letters
        allowed = np.ones(len(letters), dtype=np.bool_)
        for guess in played:
            marks = int(self.rows[guess, member]) // 3 ** np.arange(letters.shape[1]) % 3
            green, told = marks == 2, letters[guess][marks > 0]
            allowed &= (letters[:, green] == letters[guess][green]).all(axis=1)
            for letter in np.unique(told):
                allowed &= (letters == letter).sum(axis=1) >= (told == letter).sum()
        return allowed

    def find_separating(self, members: Members, guesses: Members) -> int | None:
        """Return the first of `guesses` that gets a different answer from every member; None if none exists."""
        codes = np.sort(self.rows[guesses[:, None], members], axis=1)
        alike = (codes[:, 1:] == codes[:, :-1]).any(axis=1)
        first = int(alike.argmin())
        return None if alike[first] else int(guesses[first])

    def count_answers(self, members: Members) -> npt.NDArray[np.uint8]:
        """Count the different answers that each possible guess gets from a set."""
        if self.codes > _MASK_BITS:
            codes = np.sort(self.columns[members], axis=0)
            return np.asarray(1 + np.count_nonzero(codes[1:] != codes[:-1], axis=0), dtype=np.uint8)
        kind = np.uint32 if self.codes <= 32 else np.uint64
        bits = np.left_shift(kind(1), self.columns[members], dtype=kind)
        return np.asarray(np.bitwise_count(np.bitwise_or.reduce(bits, axis=0)))

    def sum_heaviest(self, members: Members) -> Numbers:
        """Sum up the weights of the heaviest members of the parts that each possible guess makes of a set."""
        weights = self.weights[members]
        ends = np.flatnonzero(np.diff(weights, append=0)) + 1
        falls = -np.diff(weights[ends - 1], append=0)
        sums = [
            fall * self.count_answers(members[:end]).astype(np.int64) for end, fall in zip(ends, falls, strict=True)
        ]
        return np.asarray(np.sum(sums, axis=0), dtype=np.int64)

    def count_parts(self, members: Members, guesses: Members) -> Counts:
        """Count the parts of a set by code, for every listed guess: [guesses, codes]."""
        counts = np.empty((len(guesses), self.codes), dtype=np.uint16)
        for block in _blocks(len(guesses), len(members)):
            codes = self.rows[guesses[block, None], members]
            first = np.arange(0, len(codes) * self.codes, self.codes)
            met = np.bincount((first[:, None] + codes).ravel(), minlength=len(codes) * self.codes)
            counts[block] = met.reshape(-1, self.codes)
        return counts

    def sum_costs(self, members: Members, guesses: Members, *costs: Numbers) -> list[Numbers]:
        """Sum up the costs of the parts of a set for every listed guess; the winning part is left out.

        `costs` are the costs of parts by size where every member weighs 1. Within a part the heavier members come
        first; each one's weight multiplies the cost it adds to the part.
        """
        steps = [np.diff(cost) for cost in costs]
        sums = [np.empty(len(guesses), dtype=np.int64) for _ in costs]
        for block in _blocks(len(guesses), len(members)):
            codes = self.rows[guesses[block, None], members]
            order = codes.argsort(axis=1, kind="stable")
            codes = np.take_along_axis(codes, order, axis=1)
            weights = np.where(codes == self.win, 0, self.weights[members][order])
            earlier = _count_earlier(codes)
            for one, step in zip(sums, steps, strict=True):
                one[block] = (weights * step[earlier]).sum(axis=1)
        return sums


def _count_earlier(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
    """Count the equal codes before each one in its row; rows are sorted."""
    places = np.broadcast_to(np.arange(codes.shape[1]), codes.shape)
    starts = np.zeros(codes.shape, dtype=np.intp)
    np.multiply(places[:, 1:], codes[:, 1:] != codes[:, :-1], out=starts[:, 1:])
    return places - np.maximum.accumulate(starts, axis=1)


def _blocks(guesses: int, members: int) -> Iterator[slice]:
    step = max(1, BLOCK_CELLS // members)
    return (slice(start, start + step) for start in range(0, guesses, step))


# Costs that need no search, and lower bounds of the others, by the formulas of the C library.
#
# `reach[d]` bounds the number of members of one set that can be found within d turns, so a set of n members of weight 1
# costs at least the sum over d of max(0, n - reach[d]).

#: The length of a reach, turn 0 included.
_BOUNDED_TURNS = 66


def find_cost_at_once(game: Partitions, members: Members, left: int, miss: int) -> Solution | None:
    """Return the cost of a set that needs no search, else None.

    These are sets of at most two members, sets with at most one turn left, and sets with a member that separates all
    others and is heavy enough that no other guess can do better.
    """
    size = len(members)
    if not size:
        return Solution(0, -1)
    first, weights = int(members[0]), game.weights[members]
    heaviest, total = int(weights[0]), int(weights.sum())
    if left <= 0:
        return Solution(miss * total, first)
    if size == 1 or left == 1:
        return Solution(heaviest + (1 + miss) * (total - heaviest), first)
    if size == 2:
        return Solution(2 * total - heaviest, first)
    if size > game.codes:
        return None
    separating = game.find_separating(members, members[weights >= heaviest - weights[-1]])
    return None if separating is None else Solution(2 * total - int(game.weights[separating]), separating)


def bound_cost(game: Partitions, members: Members, bound: Numbers) -> int:
    """Bound the cost of a set from below if no member separates all others.

    `bound` bounds sets by size, if members weigh 1.
    """
    weights = game.weights[members]
    unseparated = 2 * int(weights.sum()) - int(weights[0]) + int(weights[-1])
    if game.plain:
        return max(int(bound[len(members)]), unseparated)
    return max(int((weights * np.diff(bound[: len(members) + 1])).sum()), unseparated)


def bound_by_reach(reach: Sequence[int], left: int, miss: int, most: int) -> Numbers:
    """Bound the costs of sets of 0 to `most` members of weight 1 from below, given the reach of 0, 1, 2 ... turns."""
    sizes = np.arange(1, most + 1)
    limits = np.array(reach)
    turns = np.minimum(np.searchsorted(limits[: max(left, 0)], sizes), max(left, 0))
    steps = turns + miss * (sizes > limits[turns])
    return np.concatenate([[0], np.cumsum(steps)])


def list_reach_within(counts: Counts, win: int, size: int) -> list[int]:
    """Return the reach within a set of `size`, from the sizes of its parts under every guess [guesses, codes]."""
    others = counts.copy()
    others[:, win] = 0
    return _list_reach(lambda turns, reach: 1 + int(np.minimum(others, np.uint16(reach)).sum(axis=1).max()), size)


def list_reach_by_parts(parts: int, known: Sequence[int], size: int) -> list[int]:
    """Return the reach within a set that no guess splits into more than `parts` parts; `known` is a bound as well."""
    return _list_reach(lambda turns, reach: min(1 + parts * reach, known[turns]), size)


def _list_reach(further: Callable[[int, int], int], size: int) -> list[int]:
    reach = [0, 1]
    while reach[-1] < size and len(reach) < _BOUNDED_TURNS:
        reach.append(further(len(reach), reach[-1]))
    return reach + [size] * (_BOUNDED_TURNS - len(reach))
