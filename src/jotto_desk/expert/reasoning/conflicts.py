"""The smallest set of turns that cannot all be true: where to look for the slip."""

from collections.abc import Callable, Sequence

#: Questions asked before an answer that is small, if perhaps not the smallest, will do.
MOST_QUESTIONS = 2_000
#: Sets looked at in search of one that meets all others.
MOST_STEPS = 20_000

#: Of some turns: whether they agree; where they do not, some of them that already clash.
Agree = Callable[[Sequence[int]], tuple[bool, set[int]]]


class _Enough(Exception):
    """The bound is reached."""


def smallest(count: int, agree: Agree) -> tuple[list[int], bool]:
    """Find the smallest set of turns (numbered from 0) that clash, and whether it is proven that none is smaller.

    Empty where all agree. Every clash shares a turn with every correction set, whose removal leaves no clash; so the
    smallest set that meets all such sets, once it clashes, is the smallest clash (implicit hitting sets).
    """
    fits, core = agree(range(count))
    if fits:
        return [], True
    asked = _Counted(agree)
    corrections: list[frozenset[int]] = []
    try:
        while True:
            chosen = _meeting(corrections)
            if not asked(sorted(chosen))[0]:
                return sorted(chosen), True
            corrections.append(frozenset(range(count)) - _grown(chosen, count, asked))
    except _Enough:
        return _shrunk(core, agree), False


class _Counted:
    """A counter in front of `agree`, which allows a limited number of questions."""

    def __init__(self, agree: Agree) -> None:
        self._agree, self._left = agree, MOST_QUESTIONS

    def __call__(self, turns: Sequence[int]) -> tuple[bool, set[int]]:
        self._left -= 1
        if self._left < 0:
            raise _Enough
        return self._agree(turns)


def _grown(chosen: frozenset[int], count: int, agree: Agree) -> frozenset[int]:
    """Join turns as long as all agree."""
    grown = set(chosen)
    for turn in range(count):
        if turn not in grown and agree(sorted({*grown, turn}))[0]:
            grown.add(turn)
    return frozenset(grown)


def _meeting(sets: Sequence[frozenset[int]]) -> frozenset[int]:
    """Find a smallest set that has something in common with every set."""
    steps = 0

    def search(chosen: frozenset[int], most: int) -> frozenset[int] | None:
        nonlocal steps
        steps += 1
        if steps > MOST_STEPS:
            raise _Enough
        unmet = next((one for one in sets if not one & chosen), None)
        if unmet is None:
            return chosen
        if len(chosen) == most:
            return None
        for turn in sorted(unmet):
            found = search(chosen | {turn}, most)
            if found is not None:
                return found
        return None

    for most in range(len(sets) + 1):
        found = search(frozenset(), most)
        if found is not None:
            return found
    raise _Enough


def _shrunk(core: set[int], agree: Agree) -> list[int]:
    """Leave out what can be left out, one after the other."""
    left = sorted(core)
    for turn in sorted(core):
        fewer = [other for other in left if other != turn]
        if fewer and not agree(fewer)[0]:
            left = fewer
    return left
