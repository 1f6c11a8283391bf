"""Strategies compared game by game: means with intervals, paired tests, and checks of what the tests assume.

The design is paired: every strategy plays the same secrets, so that none looks better because its secrets were
easier. A p-value is the chance that the draw of the secrets alone makes a difference as large.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from .playout import Playout, to_one

Sample = npt.NDArray[np.float64]
#: Two ways to count a game: to the winning guess, or to the answer after which one code is left.
WINNING, TO_ONE = "winning", "to_one"
COUNTS = {
    WINNING: "guesses, the winning one counted",
    TO_ONE: "guesses until one word or code is left, the winning one not counted if it comes after",
}
RESAMPLES, CONFIDENCE = 2000, 0.95
#: Beyond this many games Shapiro's p is not to be trusted (and with so many, everything is significant).
MOST_SHAPIRO = 5000


@dataclass(frozen=True)
class Group:
    """The games of one strategy: `low` to `high` is the 95 % bootstrap interval of the mean, `variance` is by n - 1.

    `normality` is Shapiro and Wilk's p; None where the test does not apply.
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
class Pair:
    """One strategy compared with another: `difference` is the mean of one minus other, with its bootstrap interval.

    `t` and `wilcoxon` are the p-values of the paired tests, `t_holm` and `wilcoxon_holm` corrected for the number
    of pairs; None where a test does not apply.
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
    groups: tuple[Group, ...]
    pairs: tuple[Pair, ...]
    variances: float | None

    def plain(self) -> dict[str, Any]:
        """Return the comparison as a dict that JSON can hold."""
        return {**asdict(self), "counts": COUNTS[self.count]}


def games(playout: Playout, count: str) -> Sample:
    """Return per secret how many guesses its game took, counted to the winning guess or to one word left."""
    if count == WINNING:
        return np.array([len(funnel) for funnel in playout.funnels], dtype=np.float64)
    return np.array(to_one(playout.funnels), dtype=np.float64)


def compare(samples: Mapping[str, Sample], count: str, *, seed: int = 1, resamples: int = RESAMPLES) -> Comparison:
    """Compare strategies by their games [secrets], in the same order of secrets for all; at least two games each."""
    groups = tuple(_group(name, sample, seed, resamples) for name, sample in samples.items())
    pairs = [
        _pair((one, samples[one]), (other, samples[other]), seed, resamples) for one, other in combinations(samples, 2)
    ]
    t, wilcoxon = holm([pair.t for pair in pairs]), holm([pair.wilcoxon for pair in pairs])
    corrected = tuple(
        Pair(pair.one, pair.other, pair.difference, pair.low, pair.high, pair.t, pair.wilcoxon, *both)
        for pair, *both in zip(pairs, t, wilcoxon, strict=True)
    )
    return Comparison(count, groups, corrected, _levene(list(samples.values())))


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Correct p-values for multiple tests (Holm 1979); tests that were not made stay None and do not count.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    made = sorted((chance, number) for number, chance in enumerate(chances) if chance is not None)
    corrected: list[float | None] = [None] * len(chances)
    highest = 0.0
    for place, (chance, number) in enumerate(made):
        highest = max(highest, min(1.0, chance * (len(made) - place)))
        corrected[number] = highest
    return corrected


def t_from_summary(one: tuple[float, float], other: tuple[float, float], games: int, *, same: bool = True) -> float:
    """Return Student's p (Welch's unless the variances count as the `same`) of two groups from means and variances.

    The variances are by n, as the article has them; both groups have as many `games`.
    """
    wider = games / (games - 1)
    spread = [sqrt(variance * wider) for _, variance in (one, other)]
    found = stats.ttest_ind_from_stats(one[0], spread[0], games, other[0], spread[1], games, equal_var=same)
    return float(found.pvalue)


def _group(name: str, sample: Sample, seed: int, resamples: int) -> Group:
    low, high = _interval(sample, seed, resamples)
    normality = None
    if 3 <= len(sample) <= MOST_SHAPIRO and np.ptp(sample):
        normality = float(stats.shapiro(sample).pvalue)
    return Group(
        name,
        len(sample),
        float(sample.mean()),
        low,
        high,
        float(sample.var(ddof=1)),
        float(np.median(sample)),
        int(sample.min()),
        int(sample.max()),
        normality,
    )


def _pair(one: tuple[str, Sample], other: tuple[str, Sample], seed: int, resamples: int) -> Pair:
    apart = one[1] - other[1]
    low, high = _interval(apart, seed, resamples)
    if not apart.any():
        return Pair(one[0], other[0], 0.0, low, high, 1.0, 1.0)
    t = _p(lambda: stats.ttest_rel(one[1], other[1])) if np.ptp(apart) else None
    return Pair(one[0], other[0], float(apart.mean()), low, high, t, _p(lambda: stats.wilcoxon(apart)))


def _interval(sample: Sample, seed: int, resamples: int) -> tuple[float, float]:
    """Compute the 95 % percentile bootstrap interval of a mean."""
    if not np.ptp(sample):
        return float(sample[0]), float(sample[0])
    found = stats.bootstrap(
        (sample,),
        np.mean,
        n_resamples=resamples,
        batch=100,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def _levene(samples: Sequence[Sample]) -> float | None:
    """Apply Levene's test about the median (Brown and Forsythe), which does not assume normality."""
    if len(samples) < 2 or not any(np.ptp(np.abs(sample - np.median(sample))) for sample in samples):
        return None
    return _p(lambda: stats.levene(*samples, center="median"))


def _p(test: Callable[[], Any]) -> float | None:
    with warnings.catch_warnings():
        # scipy warns of few games; n stands beside every figure anyway.
        warnings.simplefilter("ignore")
        chance = float(test().pvalue)
    return None if np.isnan(chance) else chance
