"""Games with wrong answers, and three strategies that play on: consistent, with a filter, with beliefs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from jotto import strategies
from jotto.game import MAX_TURNS
from jotto_desk.errors import DeskError
from jotto_desk.solver import cores
from jotto_desk.solver.feedback_table import Codes, Core, FeedbackTable, Members
from jotto_desk.solver.problem import Plan, Problem

# --- Games with wrong answers: drawing which answers are wrong, and playing a strategy over all secrets.
#
# A wrong answer is another answer a secret could give, never the winning one: any of them (`uniform`), or one off by
# one letter (as in `jotto.strategies.list_near_answers`). Whether a guess is the word is always answered correctly.

UNIFORM_ERRORS, NEAR_ERRORS = "uniform", "near"


class _AnswerErrors(NamedTuple):
    """Errors drawn beforehand, the same for every strategy.

    `wrong` and `which` are [secrets, turns]; a code may be replaced by the first `counts` of its row of `others`.
    """

    wrong: npt.NDArray[np.bool_]
    which: npt.NDArray[np.float64]
    others: Codes
    counts: npt.NDArray[np.int64]

    def noted(self, codes: Codes, games: Members, turn: int) -> Codes:
        """Return the answers noted in place of the right ones to a turn, counted from 0."""
        picks = (self.which[games, turn] * self.counts[codes]).astype(np.int64)
        return np.where(self.wrong[games, turn], self.others[codes, picks], codes)


def check_errors(rate: float, kind: str) -> None:
    """Check rate and kind of errors; raises `DeskError`."""
    if not 0 <= rate <= 0.5:
        raise DeskError(f"{rate} is no share of wrong answers; give a number from 0 to 0.5, such as 0.05.")
    if kind not in (UNIFORM_ERRORS, NEAR_ERRORS):
        raise DeskError(f"There are no '{kind}' errors; choose {UNIFORM_ERRORS} or {NEAR_ERRORS}.")


def draw_errors(problem: Problem, rate: float, seed: int, kind: str = UNIFORM_ERRORS) -> _AnswerErrors:
    """Draw which answers are wrong; raises `DeskError` for an invalid rate or kind."""
    check_errors(rate, kind)
    possible = set(problem.rules.possible()) - {problem.rules.win}
    known = [code for code, feedback in enumerate(problem.classes) if feedback in possible]
    rows: list[list[int]] = [[0]] * len(problem.classes)
    for code in known:
        close = (
            set(strategies.list_near_answers(problem.classes[code], problem.rules)) if kind == NEAR_ERRORS else possible
        )
        others = [other for other in known if other != code and problem.classes[other] in close]
        rows[code] = others or [other for other in known if other != code]
    others_of = np.zeros((len(rows), max(map(len, rows))), dtype=np.uint8)
    for code, row in enumerate(rows):
        others_of[code, : len(row)] = row
    chance = np.random.default_rng([seed, 0])
    size = (len(problem.weights), MAX_TURNS)
    wrong = chance.random(size) < rate
    return _AnswerErrors(wrong, chance.random(size), others_of, np.array([len(row) for row in rows]))


@dataclass(frozen=True, eq=False)
class NoisyPosition:
    """Games (by their secrets) with the same turns (guess, code noted), the secrets that fit, and the plan."""

    games: Members
    fitting: Members
    turns: tuple[tuple[int, int], ...] = ()
    plan: Plan | None = None


class _NoisyPlayer(Protocol):
    """A strategy that goes on after wrong answers; its games begin with `plan`."""

    plan: Plan | None

    def guesses(self, state: NoisyPosition) -> Members | None:
        """Choose a guess per game, or None where nothing is left to ask."""


def play_with_errors(table: FeedbackTable, way: _NoisyPlayer, errors: _AnswerErrors) -> npt.NDArray[np.int64]:
    """Play every secret; return the turn each is found in, 0 where the strategy fails."""
    taken = np.zeros(len(table.problem.weights), dtype=np.int64)
    waiting = [NoisyPosition(table.everything, table.everything, plan=way.plan)]
    while waiting:
        state = waiting.pop()
        turn = len(state.turns)
        guesses = way.guesses(state) if turn < MAX_TURNS else None
        if guesses is None:
            continue
        codes = table.rows[guesses, state.games]
        found = codes == table.problem.win
        taken[state.games[found]] = turn + 1
        left = replace(state, games=state.games[~found])
        waiting += _parted(table, left, guesses[~found], errors.noted(codes[~found], left.games, turn))
    return taken


def _parted(table: FeedbackTable, state: NoisyPosition, guesses: Members, noted: Codes) -> list[NoisyPosition]:
    """Group games by their guess and the answer noted."""
    keys = guesses.astype(np.int64) * 256 + noted
    found = []
    for key in np.unique(keys):
        guess, code = divmod(int(key), 256)
        fitting = state.fitting[table.rows[guess, state.fitting] == code]
        on_plan = state.plan is not None and state.plan.guess == guess
        plan = state.plan.children.get(code) if state.plan is not None and on_plan else None
        found.append(NoisyPosition(state.games[keys == key], fitting, (*state.turns, (guess, code)), plan))
    return found


# --- Playing on through wrong answers, over a whole list: a hard filter beside the weights of
# `jotto.strategies.Belief`.
#
# The weights are those of the engine and depend neither on the kind of errors nor on their rate, so games with and
# without errors are played by one rule.

_Probabilities = npt.NDArray[np.float64]

#: Only the heaviest secrets are weighed; so many compare guesses as well as thousands.
_MAX_WEIGHED_SECRETS = 256
#: Guesses compared at once: their counts stay in the processor's cache.
_BLOCK_GUESSES = 256
#: Bits are compared in whole steps: this many per bit.
_ROUNDING_STEPS = 1 << 20


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


class _ConsistentPlayer:
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
        self._core = core or cores.best_core()
        self._known: dict[bytes, int] = {}
        sizes = np.arange(len(table.problem.weights) + 1, dtype=np.float64)
        self._values = np.rint(sizes * np.log2(np.maximum(sizes, 1)) * _ROUNDING_STEPS).astype(np.int64)
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

    def _most_informative(self, weights: _Probabilities) -> int:
        active, heavy = self._heaviest(weights)
        shares = answer_weights(self.table, active, heavy)
        won = shares[:, self.table.problem.win]
        bits = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1) + strategies.FOUND_BITS * won
        worth = np.rint(bits * _ROUNDING_STEPS)
        best = np.flatnonzero(worth == worth.max())
        return int(best[won[best].argmax()])

    def _heaviest(self, weights: _Probabilities) -> tuple[Members, _Probabilities]:
        """Select the heaviest secrets, weights adding up to 1; the last also represent equally heavy ones left out."""
        order = np.lexsort((self._shuffled, -np.round(weights, 12)))
        active = order[: min(_MAX_WEIGHED_SECRETS, int((weights > 0).sum()))]
        heavy = weights[active]
        alike = np.isclose(heavy, heavy[-1], rtol=1e-6, atol=0)
        heavy[alike] *= np.isclose(weights, heavy[-1], rtol=1e-6, atol=0).sum() / alike.sum()
        return active.astype(np.int32), heavy / heavy.sum()


def likelihoods(problem: Problem, rate: float = strategies.ERROR_RATE) -> _Probabilities:
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


def posterior(table: FeedbackTable, turns: Iterable[tuple[int, int]], likelihood: _Probabilities) -> _Probabilities:
    """Compute the probabilities of all secrets after `turns` (guess, code noted); all 0 once every secret was asked."""
    weights = table.problem.weights.astype(np.float64)
    for guess, noted in turns:
        weights = weights * likelihood[noted, table.rows[guess]]
        weights /= weights.max() or 1.0
    return np.asarray(weights / (weights.sum() or 1.0))


def answer_weights(table: FeedbackTable, members: Members, weights: _Probabilities) -> _Probabilities:
    """Sum up the weights of the parts every guess splits `members` into: [guesses, codes]."""
    width = len(table.problem.classes)
    found = np.empty((len(table.problem.guesses), width))
    for start in range(0, len(found), _BLOCK_GUESSES):
        block = table.rows[start : start + _BLOCK_GUESSES, members].astype(np.int64)
        block += np.arange(len(block))[:, None] * width
        heavy = np.broadcast_to(weights, block.shape).ravel()
        found[start : start + _BLOCK_GUESSES] = np.bincount(block.ravel(), heavy, len(block) * width).reshape(-1, width)
    return found


def benchmark_errors(
    table: FeedbackTable,
    rate: float,
    seed: int,
    *,
    seeds: int = 3,
    kind: str = UNIFORM_ERRORS,
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
        way: _NoisyPlayer = base if name == "filter" else weighing if name == "belief" else _ConsistentPlayer(number)
        taken.setdefault((name, share), []).append(
            play_with_errors(table, way, draw_errors(table.problem, share, number, kind))
        )
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
