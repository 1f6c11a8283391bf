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
_RESAMPLES, _PERCENTILES = 2000, (2.5, 97.5)
#: Resamples that are drawn at a time, for little memory.
_DRAWN = 100
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
    apart = {(one, other): samples[one] - samples[other] for one, other in combinations(samples, 2)}
    intervals = iter(_compute_intervals([*samples.values(), *apart.values()], seed, resamples))
    groups = tuple(_group(name, sample, next(intervals)) for name, sample in samples.items())
    pairs = [_pair(names, sample, next(intervals)) for names, sample in apart.items()]
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


def _group(name: str, sample: Sample, interval: tuple[float, float]) -> GroupFigures:
    normality = None
    if 3 <= len(sample) <= _MAX_SHAPIRO and np.ptp(sample):
        normality = float(_import_stats().shapiro(sample).pvalue)
    mean, variance, median = float(sample.mean()), float(sample.var(ddof=1)), float(np.median(sample))
    least, most = int(sample.min()), int(sample.max())
    return GroupFigures(name, len(sample), mean, *interval, variance, median, least, most, normality)


def _pair(names: tuple[str, str], apart: Sample, interval: tuple[float, float]) -> PairTest:
    if not apart.any():
        return PairTest(*names, 0.0, *interval, 1.0, 1.0)
    t = _compute_p(lambda: _import_stats().ttest_1samp(apart, 0)) if np.ptp(apart) else None
    return PairTest(*names, float(apart.mean()), *interval, t, _compute_p(lambda: _import_stats().wilcoxon(apart)))


def _compute_intervals(samples: Sequence[Sample], seed: int, resamples: int) -> list[tuple[float, float]]:
    """Return the bootstrap interval of each sample's mean; the same games are drawn for all samples."""
    games, chance, means = np.column_stack(samples), np.random.default_rng(seed), []
    for start in range(0, resamples, _DRAWN):
        drawn = chance.integers(0, len(games), (min(_DRAWN, resamples - start), len(games)))
        rows = len(games) * np.arange(len(drawn))[:, np.newaxis]
        counts = np.bincount((drawn + rows).ravel(), minlength=drawn.size).reshape(drawn.shape)
        means.append(counts @ games / len(games))
    return [(float(low), float(high)) for low, high in np.percentile(np.concatenate(means), _PERCENTILES, axis=0).T]


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
