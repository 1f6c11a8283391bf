"""A contest of strategies on the same secrets, and its statistics."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from jotto_desk.solver.benchmark import Playout, count_guesses_to_one_left, play
from jotto_desk.solver.feedback_table import Core, FeedbackTable
from jotto_desk.solver.problem import Problem, parse_plan
from jotto_desk.solver.strategies import FixedOpening, PlanStrategy, RandomConsistent, TableStrategy

# Strategies compared game by game: means with intervals, paired tests, and checks of their assumptions.
#
# The design is paired: every strategy plays the same secrets, so that none looks better because its secrets were
# easier. A p-value is the chance that only the draw of the secrets makes a difference as large.

Sample = npt.NDArray[np.float64]
#: Two ways to count a game: to the winning guess, or to the answer after which one code is left.
TO_WIN, TO_ONE = "winning", "to_one"
COUNT_KINDS = {
    TO_WIN: "guesses, the winning one counted",
    TO_ONE: "guesses until one word or code is left, the winning one not counted if it comes after",
}
_RESAMPLES, _CONFIDENCE_LEVEL = 2000, 0.95
#: Shapiro's p is not reliable for more games than this.
_MAX_SHAPIRO = 5000


@dataclass(frozen=True)
class GroupFigures:
    """The games of one strategy: `low` to `high` is the 95 % bootstrap interval of the mean, `variance` is by n - 1.

    `normality` is Shapiro and Wilk's p; None if the test does not apply.
    """

    name: str
    games: int
    mean: float
    low: float
    high: float
    variance: float
    median: float
    least: int
    most: int
    normality: float | None


@dataclass(frozen=True)
class PairTest:
    """One strategy compared with another: `difference` is the mean of one minus other, with its bootstrap interval.

    `t` and `wilcoxon` are the p-values of the paired tests, `t_holm` and `wilcoxon_holm` corrected for the number
    of pairs; None if a test does not apply.
    """

    one: str
    other: str
    difference: float
    low: float
    high: float
    t: float | None
    wilcoxon: float | None
    t_holm: float | None = None
    wilcoxon_holm: float | None = None


@dataclass(frozen=True)
class Comparison:
    """All strategies by one way to count; `variances` is Levene's p-value for equal variances."""

    count: str
    groups: tuple[GroupFigures, ...]
    pairs: tuple[PairTest, ...]
    variances: float | None

    def plain(self) -> dict[str, Any]:
        """Return the comparison as a dict that JSON can hold."""
        return {**asdict(self), "counts": COUNT_KINDS[self.count]}


def compare_games(
    samples: Mapping[str, Sample], count: str, *, seed: int = 1, resamples: int = _RESAMPLES
) -> Comparison:
    """Compare strategies by their games [secrets], in the same order of secrets for all; at least two games each."""
    groups = tuple(_group(name, sample, seed, resamples) for name, sample in samples.items())
    pairs = [
        _pair((one, samples[one]), (other, samples[other]), seed, resamples) for one, other in combinations(samples, 2)
    ]
    t, wilcoxon = correct_holm([pair.t for pair in pairs]), correct_holm([pair.wilcoxon for pair in pairs])
    both = zip(pairs, t, wilcoxon, strict=True)
    corrected = tuple(replace(pair, t_holm=one, wilcoxon_holm=other) for pair, one, other in both)
    return Comparison(count, groups, corrected, _apply_levene(list(samples.values())))


def correct_holm(chances: Sequence[float | None]) -> list[float | None]:
    """Correct p-values for multiple tests (Holm 1979); tests that were not made stay None and do not count.

    >>> correct_holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    made = sorted((chance, number) for number, chance in enumerate(chances) if chance is not None)
    corrected: list[float | None] = [None] * len(chances)
    highest = 0.0
    for place, (chance, number) in enumerate(made):
        highest = max(highest, min(1.0, chance * (len(made) - place)))
        corrected[number] = highest
    return corrected


def _import_stats() -> Any:
    """Return scipy's statistics; importing them takes seconds, so only comparisons do it."""
    from scipy import stats

    return stats


def _group(name: str, sample: Sample, seed: int, resamples: int) -> GroupFigures:
    low, high = _compute_interval(sample, seed, resamples)
    normality = None
    if 3 <= len(sample) <= _MAX_SHAPIRO and np.ptp(sample):
        normality = float(_import_stats().shapiro(sample).pvalue)
    mean, variance, median = float(sample.mean()), float(sample.var(ddof=1)), float(np.median(sample))
    least, most = int(sample.min()), int(sample.max())
    return GroupFigures(name, len(sample), mean, low, high, variance, median, least, most, normality)


def _pair(one: tuple[str, Sample], other: tuple[str, Sample], seed: int, resamples: int) -> PairTest:
    apart = one[1] - other[1]
    low, high = _compute_interval(apart, seed, resamples)
    if not apart.any():
        return PairTest(one[0], other[0], 0.0, low, high, 1.0, 1.0)
    t = _compute_p(lambda: _import_stats().ttest_rel(one[1], other[1])) if np.ptp(apart) else None
    return PairTest(
        one[0], other[0], float(apart.mean()), low, high, t, _compute_p(lambda: _import_stats().wilcoxon(apart))
    )


def _compute_interval(sample: Sample, seed: int, resamples: int) -> tuple[float, float]:
    if not np.ptp(sample):
        return float(sample[0]), float(sample[0])
    drawing = {"n_resamples": resamples, "batch": 100, "rng": np.random.default_rng(seed)}
    found = _import_stats().bootstrap(
        (sample,), np.mean, confidence_level=_CONFIDENCE_LEVEL, method="percentile", **drawing
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def _apply_levene(samples: Sequence[Sample]) -> float | None:
    """Apply Levene's test about the median (Brown and Forsythe), which does not assume normality."""
    if len(samples) < 2 or not any(np.ptp(np.abs(sample - np.median(sample))) for sample in samples):
        return None
    return _compute_p(lambda: _import_stats().levene(*samples, center="median"))


def _compute_p(test: Callable[[], Any]) -> float | None:
    with warnings.catch_warnings():
        # scipy warns of few games; the number of games is printed anyway.
        warnings.simplefilter("ignore")
        chance = float(test().pvalue)
    return None if np.isnan(chance) else chance


# A contest: strategies play the same secrets, and every game is saved for the statistics.

_StrategyRun = Callable[[Callable[[], Playout]], Playout]


@dataclass(frozen=True)
class Contest:
    """A contest: per name a play-out of all secrets, and the numbers of the secrets compared.

    `drawn` says that these are a sample; `stopped` that Ctrl-C came before all players had played.
    """

    problem: Problem
    playouts: Mapping[str, Playout]
    secrets: npt.NDArray[np.int32]
    drawn: bool = False
    stopped: bool = False

    @property
    def firsts(self) -> dict[str, str]:
        """Return the first guess of every player by name."""
        return {name: str(self.problem.guesses[game.plan.guess]) for name, game in self.playouts.items()}

    def collect_sample(self, count: str) -> dict[str, Sample]:
        """Return the games of the secrets compared by player's name, counted one way."""
        found = {}
        for name, playout in self.playouts.items():
            lengths = map(len, playout.funnels) if count == TO_WIN else count_guesses_to_one_left(playout.funnels)
            found[name] = np.array([*lengths], dtype=np.float64)[self.secrets]
        return found

    def compare_players(self, seed: int = 1) -> list[Comparison]:
        """Compare all players, by each way to count; no comparison before a game."""
        counts = COUNT_KINDS if self.playouts else ()
        return [compare_games(self.collect_sample(count), count, seed=seed) for count in counts]

    def plain(self, seed: int = 1) -> dict[str, Any]:
        """Return the contest as a dict that JSON can hold."""
        design = {"secrets": len(self.problem.weights), "games": len(self.secrets), "seed": seed, "drawn": self.drawn}
        comparisons = [comparison.plain() for comparison in self.compare_players(seed)]
        return {**design, "stopped": self.stopped, "first": self.firsts, "comparisons": comparisons}


def hold_contest(
    table: FeedbackTable,
    core: Core,
    players: Sequence[TableStrategy],
    *,
    first: int | None = None,
    sample: int | None = None,
    seed: int = 1,
    run: _StrategyRun = lambda work: work(),
) -> Contest:
    """Let players play all secrets; those that draw at random play one game per secret, by the seed.

    With `first`, all but trees begin with that guess. With `sample`, only that many secrets, drawn by the seed, are
    compared. After Ctrl-C the contest is among those that have played; `run` can be a way to notice it sooner.
    """
    playouts: dict[str, Playout] = {}
    stopped = False
    try:
        for player in players:
            playouts[player.name] = run(partial(_play_out, table, core, player, first, seed))
    except KeyboardInterrupt:
        stopped = True
    everything = table.everything
    if sample is None or sample >= len(everything):
        return Contest(table.problem, playouts, everything, stopped=stopped)
    drawn = np.sort(np.random.default_rng(seed).choice(everything, sample, replace=False))
    return Contest(table.problem, playouts, drawn, True, stopped)


def _play_out(table: FeedbackTable, core: Core, player: TableStrategy, first: int | None, seed: int) -> Playout:
    if isinstance(player, RandomConsistent):
        player = replace(player, seed=seed)
    if first is not None and not isinstance(player, PlanStrategy):
        player = FixedOpening(player, first)
    return play(table, player, core)


def make_plan_player(name: str, content: bytes, problem: Problem, words: Sequence[Any] | None) -> PlanStrategy:
    """Make a player of a tree file; `words` is its list, None means every code of the rules.

    Raises `TreeError` if the file is not a tree of these rules and words, `DeskError` when it is for fewer words.
    """
    return PlanStrategy(name, parse_plan(name, content, problem, words))
