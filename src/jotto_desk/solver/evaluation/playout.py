"""Playing a strategy out over all secrets at once: every position it can reach is visited once."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ..contract import Core, Members
from ..model.feedback_table import FeedbackTable
from ..model.plan import Plan
from ..strategies.classic import Sift
from ..strategies.position import TablePosition, TableStrategy

#: Sets up to this size are split word by word.
_FEW = 24

#: Secrets that led to a position, what fits there, turns, how many fitted before, and where its plan belongs.
_Waiting = tuple[Members, Members, tuple[tuple[int, int], ...], tuple[int, ...], dict[int, Plan], int]


@dataclass(frozen=True)
class Playout:
    """The plan a strategy amounts to, and in how many turns it finds the secrets, counting the winning guess.

    `total` and `distribution` (turns -> secrets) count every secret once, `weighted` (turns times weight) by weight.
    `funnels` has per secret the number of candidates before each of its guesses.
    """

    plan: Plan
    distribution: dict[int, int]
    total: int
    weighted: int
    seconds: float
    funnels: tuple[tuple[int, ...], ...]

    @property
    def maximum(self) -> int:
        """Return the most turns a secret takes."""
        return max(self.distribution)


def exactly(guess: int, code: int, before: Members, fitting: Members) -> Members:
    """Keep the candidates that fit: the rule of the game."""
    return fitting


def play(
    table: FeedbackTable,
    strategy: TableStrategy,
    core: Core,
    tell: Callable[[int], object] = lambda found: None,
    clock: Callable[[], float] = time.perf_counter,
    sift: Sift = exactly,
) -> Playout:
    """Play a strategy against all secrets of a table; `tell` gets the number of secrets found since its last call.

    At every position a strategy must separate some members or name one; all of this package do. It is shown the
    candidates that `sift` keeps (`jotto_desk.solver.strategies.classic`), usually those that fit.
    """
    start = clock()
    weights, win = table.problem.weights.tolist(), table.problem.win
    turns_of: Counter[int] = Counter()
    weighted = 0
    top: dict[int, Plan] = {}
    funnels: list[tuple[int, ...]] = [()] * len(weights)
    waiting: list[_Waiting] = [(table.everything, table.everything, (), (), top, 0)]
    while waiting:
        secrets, members, turns, funnel, siblings, place = waiting.pop()
        guess = strategy.choose(TablePosition(core, table, members, turns))
        siblings[place] = plan = Plan(guess, {})
        funnel = (*funnel, len(members))
        parts = split(table, guess, secrets)
        if parts.pop(win, None) is not None:
            turns_of[len(funnel)] += 1
            funnels[guess] = funnel
            weighted += weights[guess] * len(funnel)
            tell(1)
        waiting += [
            (part, sift(guess, code, members, part), (*turns, (guess, code)), funnel, plan.children, code)
            for code, part in reversed(parts.items())
        ]
    distribution = dict(sorted(turns_of.items()))
    total = sum(turn * count for turn, count in distribution.items())
    return Playout(top[0], distribution, total, weighted, clock() - start, tuple(funnels))


def split(table: FeedbackTable, guess: int, members: Members) -> dict[int, Members]:
    """Split a set by the code each member gives to `guess`, codes rising, the winning one included."""
    codes = table.rows[guess, members]
    if len(members) <= _FEW:
        parts: dict[int, list[int]] = {}
        for code, member in zip(codes.tolist(), members.tolist(), strict=True):
            parts.setdefault(code, []).append(member)
        return {code: np.array(part, dtype=np.int32) for code, part in sorted(parts.items())}
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.diff(ordered)) + 1
    return dict(zip(ordered[np.concatenate(([0], starts))].tolist(), np.split(members[order], starts), strict=True))


def mean_distribution(playouts: Iterable[Playout]) -> dict[int, float]:
    """Average the distributions of several playouts of one game."""
    all_of = list(playouts)
    counts: Counter[int] = Counter()
    for playout in all_of:
        counts.update(playout.distribution)
    return {turn: count / len(all_of) for turn, count in sorted(counts.items())}


def to_one(funnels: Iterable[tuple[int, ...]]) -> list[int]:
    """Count per funnel the guesses until one word is left; where that is only the winning one, all of them."""
    return [funnel.index(1) if 1 in funnel else len(funnel) for funnel in funnels]
