"""Playing on through wrong answers, over a whole list: a hard filter beside the weights of `jotto.strategies.Belief`.

The weights are those of the engine and depend neither on the kind of errors nor on their rate, so games with and
without errors are played by one rule.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from jotto import strategies

from .. import cores
from ..contract import Core, Members
from ..model.feedback_table import FeedbackTable
from ..model.plan import Plan
from ..model.problem import Problem
from .wrong_answers import UNIFORM, NoisyPlayer, NoisyPosition, draw_errors, play

Floats = npt.NDArray[np.float64]

#: Only the heaviest secrets are weighed; so many compare guesses as well as thousands.
MOST_WEIGHED = 256
#: Guesses compared at once: their counts stay in the processor's cache.
BLOCK = 256
#: Bits are compared in whole steps: this many per bit.
STEPS = 1 << 20


@dataclass(frozen=True)
class ErrorFigures:
    """The result of a strategy: shares of all games (by weight), mean and maximum over the games solved."""

    strategy: str
    rate: float
    kind: str
    games: int
    solved: float
    dead_ends: float
    mean: float | None
    max: int

    def plain(self) -> dict[str, Any]:
        """Return the figures as a dict that JSON can hold."""
        return asdict(self)


class ConsistentPlayer:
    """The strategy of the original article: any secret that still fits, drawn for each game."""

    def __init__(self, seed: int) -> None:
        self.plan: Plan | None = None
        self._chance = np.random.default_rng([seed, 1])

    def guesses(self, state: NoisyPosition) -> Members | None:
        """Draw a guess for every game."""
        if not len(state.fitting):
            return None
        return state.fitting[self._chance.integers(len(state.fitting), size=len(state.games))]


class FilterPlayer:
    """Follows a plan, and off it asks the guess with most information on the secrets that fit; fails when none fits."""

    def __init__(self, table: FeedbackTable, plan: Plan | None = None, core: Core | None = None) -> None:
        self.table = table
        self.plan = plan
        self._core = core or cores.best()
        self._known: dict[bytes, int] = {}
        sizes = np.arange(len(table.problem.weights) + 1, dtype=np.float64)
        self._values = np.rint(sizes * np.log2(np.maximum(sizes, 1)) * STEPS).astype(np.int64)
        self._every = np.arange(len(table.problem.guesses), dtype=np.int32)

    def guesses(self, state: NoisyPosition) -> Members | None:
        """Choose one guess for all games."""
        if not len(state.fitting):
            return None
        return _for_all(state, self._most_informative(state.fitting) if state.plan is None else state.plan.guess)

    def _most_informative(self, fitting: Members) -> int:
        if len(fitting) <= 2:
            return int(fitting[0])
        key = fitting.tobytes()
        if key not in self._known:
            scores = self._core.scores(self.table, fitting, self._every, self._values, 0, False) * 2 + 1
            scores[fitting] -= 1
            self._known[key] = int(scores.argmin())
        return self._known[key]


class BeliefPlayer:
    """Asks as `base` while secrets fit every answer; then the likely word, or the guess with most information."""

    def __init__(self, base: FilterPlayer, rate: float = strategies.ERROR_RATE) -> None:
        self.table = base.table
        self.plan = base.plan
        self._base = base
        problem = self.table.problem
        self._likelihoods = likelihoods(problem, rate)
        # Among equals, words are taken in an order that has nothing to do with their letters.
        self._shuffled = np.random.default_rng(0).permutation(len(problem.weights))

    def guesses(self, state: NoisyPosition) -> Members | None:
        """Choose one guess for all games."""
        if len(state.fitting):
            return self._base.guesses(state)
        weights = posterior(self.table, state.turns, self._likelihoods)
        if not weights.any():
            return None
        top = int(weights.argmax())
        return _for_all(
            state, top if weights[top] >= strategies.BELIEVED_PROBABILITY else self._most_informative(weights)
        )

    def _most_informative(self, weights: Floats) -> int:
        active, heavy = self._heaviest(weights)
        shares = parts(self.table, active, heavy)
        won = shares[:, self.table.problem.win]
        bits = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1) + strategies.FOUND_BITS * won
        worth = np.rint(bits * STEPS)
        best = np.flatnonzero(worth == worth.max())
        return int(best[won[best].argmax()])

    def _heaviest(self, weights: Floats) -> tuple[Members, Floats]:
        """Select the heaviest secrets, weights adding up to 1; the last also represent equally heavy ones left out."""
        order = np.lexsort((self._shuffled, -np.round(weights, 12)))
        active = order[: min(MOST_WEIGHED, int((weights > 0).sum()))]
        heavy = weights[active]
        alike = np.isclose(heavy, heavy[-1], rtol=1e-6, atol=0)
        heavy[alike] *= np.isclose(weights, heavy[-1], rtol=1e-6, atol=0).sum() / alike.sum()
        return active.astype(np.int32), heavy / heavy.sum()


def likelihoods(problem: Problem, rate: float = strategies.ERROR_RATE) -> Floats:
    """Return the relative chance of every answer given the right one: [noted, right], 1 where they are the same.

    From `jotto.strategies.Belief`: nothing is noted in place of the winning answer.
    """
    off, far = strategies.rate_near_answers(problem.rules, rate)
    found = np.full((len(problem.classes), len(problem.classes)), far)
    known = {feedback: code for code, feedback in enumerate(problem.classes) if feedback is not None}
    for feedback, code in known.items():
        close = [known[other] for other in strategies.list_near_answers(feedback, problem.rules) if other in known]
        found[code, close] = off
        found[code, code] = 1.0
    found[:, problem.win] = 0.0
    return found


def posterior(table: FeedbackTable, turns: Iterable[tuple[int, int]], likelihood: Floats) -> Floats:
    """Compute the probabilities of all secrets after `turns` (guess, code noted); all 0 once every secret was asked."""
    weights = table.problem.weights.astype(np.float64)
    for guess, noted in turns:
        weights = weights * likelihood[noted, table.rows[guess]]
        weights /= weights.max() or 1.0
    return np.asarray(weights / (weights.sum() or 1.0))


def parts(table: FeedbackTable, members: Members, weights: Floats) -> Floats:
    """Sum up the weights of the parts every guess splits `members` into: [guesses, codes]."""
    width = len(table.problem.classes)
    found = np.empty((len(table.problem.guesses), width))
    for start in range(0, len(found), BLOCK):
        block = table.rows[start : start + BLOCK, members].astype(np.int64)
        block += np.arange(len(block))[:, None] * width
        heavy = np.broadcast_to(weights, block.shape).ravel()
        found[start : start + BLOCK] = np.bincount(block.ravel(), heavy, len(block) * width).reshape(-1, width)
    return found


def bench_errors(
    table: FeedbackTable,
    rate: float,
    seed: int,
    *,
    seeds: int = 3,
    kind: str = UNIFORM,
    plan: Plan | None = None,
    core: Core | None = None,
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> list[ErrorFigures]:
    """Play every secret `seeds` times with wrong answers, and clean games, in three ways.

    `consistent` draws what fits; `filter` follows the plan (without one, maximises information) until nothing fits;
    `belief` weighs. `progress` may wrap the runs. Raises `DeskError` for an invalid rate or kind.
    """
    base = FilterPlayer(table, plan, core)
    weighing = BeliefPlayer(base)
    numbers = range(seed, seed + seeds)
    runs = [
        (name, share, number)
        for share in dict.fromkeys((rate, 0.0))
        for name in ("consistent", "filter", "belief")
        for number in (numbers if share or name == "consistent" else [seed])
    ]
    taken: dict[tuple[str, float], list[npt.NDArray[np.int64]]] = {}
    for name, share, number in progress(runs):
        way: NoisyPlayer = base if name == "filter" else weighing if name == "belief" else ConsistentPlayer(number)
        taken.setdefault((name, share), []).append(play(table, way, draw_errors(table.problem, share, number, kind)))
    return [_figures(name, share, kind, table.problem, np.stack(rows)) for (name, share), rows in taken.items()]


def _figures(name: str, rate: float, kind: str, problem: Problem, taken: npt.NDArray[np.int64]) -> ErrorFigures:
    """Sum up the turns of all runs: [runs, secrets]."""
    weights = np.broadcast_to(problem.weights, taken.shape)
    solved = taken > 0
    share = float(weights[solved].sum() / weights.sum())
    mean = float((taken * weights)[solved].sum() / weights[solved].sum()) if solved.any() else None
    return ErrorFigures(name, rate, kind, taken.size, share, 1 - share, mean, int(taken.max()))


def _for_all(state: NoisyPosition, guess: int) -> Members:
    return np.full(len(state.games), guess, dtype=np.int32)
