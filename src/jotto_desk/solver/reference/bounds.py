"""Costs that need no search, and lower bounds of the others; the formulas are those of the C library.

`reach[d]` bounds how many members of one set can be found within d turns, so a set of n members of weight 1 costs at
least the sum over d of max(0, n - reach[d]).
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..contract import Members, Numbers, Solution
from .partitions import Counts, Partitions

#: The length of a reach, turn 0 included.
TURNS = 66


def at_once(game: Partitions, members: Members, left: int, miss: int) -> Solution | None:
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
    separating = game.separating(members, members[weights >= heaviest - weights[-1]])
    return None if separating is None else Solution(2 * total - int(game.weights[separating]), separating)


def unseparated(game: Partitions, members: Members) -> int:
    """Bound the cost of a set from below where no member separates all others."""
    return 2 * game.weight(members) - int(game.weights[members[0]]) + int(game.weights[members[-1]])


def least(game: Partitions, members: Members, bound: Numbers) -> int:
    """Bound the cost of a set from below, given the bounds by size of sets whose members weigh 1."""
    if game.plain:
        return int(bound[len(members)])
    return int((game.weights[members] * np.diff(bound[: len(members) + 1])).sum())


def by_reach(reach: Sequence[int], left: int, miss: int, most: int) -> Numbers:
    """Bound the costs of sets of 0 to `most` members of weight 1 from below, given the reach of 0, 1, 2 ... turns."""
    sizes = np.arange(1, most + 1)
    limits = np.array(reach)
    turns = np.minimum(np.searchsorted(limits[: max(left, 0)], sizes), max(left, 0))
    steps = turns + miss * (sizes > limits[turns])
    return np.concatenate([[0], np.cumsum(steps)])


def reach_within(counts: Counts, win: int, size: int) -> list[int]:
    """Return the reach within a set of `size`, from the sizes of its parts under every guess [guesses, codes]."""
    others = counts.copy()
    others[:, win] = 0
    return _reached(lambda turns, reach: 1 + int(np.minimum(others, np.uint16(reach)).sum(axis=1).max()), size)


def reach_by_parts(parts: int, known: Sequence[int], size: int) -> list[int]:
    """Return the reach within a set that no guess splits into more than `parts` parts; `known` is a bound as well."""
    return _reached(lambda turns, reach: min(1 + parts * reach, known[turns]), size)


def _reached(further: Callable[[int, int], int], size: int) -> list[int]:
    reach = [0, 1]
    while reach[-1] < size and len(reach) < TURNS:
        reach.append(further(len(reach), reach[-1]))
    return reach + [size] * (TURNS - len(reach))
