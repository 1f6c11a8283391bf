"""What a set costs at once, and what it costs at least; the formulas are those of `native/search.c`.

`reach[d]` bounds how many members of one set can be found in d turns, so a set of n of weight 1 costs at least the
sum over d of max(0, n - reach[d]).
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..contract import Answer, Members, Numbers
from .game import Counts, Game

#: How many turns a reach tells about, turn 0 included.
TURNS = 66


def at_once(game: Game, members: Members, left: int, miss: int) -> Answer | None:
    """The cost of a set that needs no search, else None.

    That is: none, one or two members, no turn to look further, or a member that tells all others apart and is heavy
    enough that no other guess can do better.
    """
    size = len(members)
    if not size:
        return Answer(0, -1)
    first, weights = int(members[0]), game.weights[members]
    heaviest, total = int(weights[0]), int(weights.sum())
    if left <= 0:
        return Answer(miss * total, first)
    if size == 1 or left == 1:
        return Answer(heaviest + (1 + miss) * (total - heaviest), first)
    if size == 2:
        return Answer(2 * total - heaviest, first)
    if size > game.codes:
        return None
    told = game.tells_all(members, members[weights >= heaviest - weights[-1]])
    return None if told is None else Answer(2 * total - int(game.weights[told]), told)


def untold(game: Game, members: Members) -> int:
    """What a set costs at least in which no member tells all others apart."""
    return 2 * game.weight(members) - int(game.weights[members[0]]) + int(game.weights[members[-1]])


def least(game: Game, members: Members, bound: Numbers) -> int:
    """What a set costs at least, given the bound of sets of every size of weight 1."""
    if game.plain:
        return int(bound[len(members)])
    return int((game.weights[members] * np.diff(bound[: len(members) + 1])).sum())


def by_reach(reach: Sequence[int], left: int, miss: int, most: int) -> Numbers:
    """What sets of 0 to `most` members of weight 1 cost at least, given how far 0, 1, 2 ... turns reach."""
    sizes = np.arange(1, most + 1)
    limits = np.array(reach)
    turns = np.minimum(np.searchsorted(limits[: max(left, 0)], sizes), max(left, 0))
    steps = turns + miss * (sizes > limits[turns])
    return np.concatenate([[0], np.cumsum(steps)])


def reach_within(counts: Counts, win: int, size: int) -> list[int]:
    """How far turns reach within a set, from the sizes of its parts under every guess [guesses, codes]."""
    others = counts.copy()
    others[:, win] = 0
    return _reached(lambda turns, reach: 1 + int(np.minimum(others, np.uint16(reach)).sum(axis=1).max()), size)


def reach_by_parts(parts: int, known: Sequence[int], size: int) -> list[int]:
    """How far turns reach within a set that guesses split into at most so many parts; `known` holds as well."""
    return _reached(lambda turns, reach: min(1 + parts * reach, known[turns]), size)


def _reached(further: Callable[[int, int], int], size: int) -> list[int]:
    reach = [0, 1]
    while reach[-1] < size and len(reach) < TURNS:
        reach.append(further(len(reach), reach[-1]))
    return reach + [size] * (TURNS - len(reach))
