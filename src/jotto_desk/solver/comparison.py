"""A contest of strategies on the same secrets, its statistics and log, and the figures of Moscatelli's article."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from jotto.rules import MASTERMIND
from jotto_desk import files
from jotto_desk.solver import problem as tree_file
from jotto_desk.solver.benchmark import Playout, guesses_to_one_left, keep_fitting, play
from jotto_desk.solver.feedback_table import Core, FeedbackTable, make_table
from jotto_desk.solver.problem import Problem, Word, symbol_problem
from jotto_desk.solver.strategies import (
    ARTICLE_STRATEGIES,
    CandidateRule,
    FixedOpening,
    PlanStrategy,
    RandomConsistent,
    TableStrategy,
    code_shape,
    make_strategies,
    permissive_rule,
    read_first_guess,
)
from jotto_desk.solver.strategies import permissive_rule as classic_sift

# --- Strategies compared game by game: means with intervals, paired tests, and checks of what the tests assume.
#
# The design is paired: every strategy plays the same secrets, so that none looks better because its secrets were
# easier. A p-value is the chance that the draw of the secrets alone makes a difference as large.

Sample = npt.NDArray[np.float64]
#: Two ways to count a game: to the winning guess, or to the answer after which one code is left.
TO_WIN, TO_ONE = "winning", "to_one"
COUNT_KINDS = {
    TO_WIN: "guesses, the winning one counted",
    TO_ONE: "guesses until one word or code is left, the winning one not counted if it comes after",
}
_RESAMPLES, _CONFIDENCE_LEVEL = 2000, 0.95
#: Beyond this many games Shapiro's p is not to be trusted (and with so many, everything is significant).
_MAX_SHAPIRO = 5000


@dataclass(frozen=True)
class GroupFigures:
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
class PairTest:
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
    groups: tuple[GroupFigures, ...]
    pairs: tuple[PairTest, ...]
    variances: float | None

    def plain(self) -> dict[str, Any]:
        """Return the comparison as a dict that JSON can hold."""
        return {**asdict(self), "counts": COUNT_KINDS[self.count]}


def _game_lengths(playout: Playout, count: str) -> Sample:
    """Return per secret how many guesses its game took, counted to the winning guess or to one word left."""
    if count == TO_WIN:
        return np.array([len(funnel) for funnel in playout.funnels], dtype=np.float64)
    return np.array(guesses_to_one_left(playout.funnels), dtype=np.float64)


def compare_games(
    samples: Mapping[str, Sample], count: str, *, seed: int = 1, resamples: int = _RESAMPLES
) -> Comparison:
    """Compare strategies by their games [secrets], in the same order of secrets for all; at least two games each."""
    groups = tuple(_group(name, sample, seed, resamples) for name, sample in samples.items())
    pairs = [
        _pair((one, samples[one]), (other, samples[other]), seed, resamples) for one, other in combinations(samples, 2)
    ]
    t, wilcoxon = correct_holm([pair.t for pair in pairs]), correct_holm([pair.wilcoxon for pair in pairs])
    corrected = tuple(
        PairTest(pair.one, pair.other, pair.difference, pair.low, pair.high, pair.t, pair.wilcoxon, *both)
        for pair, *both in zip(pairs, t, wilcoxon, strict=True)
    )
    return Comparison(count, groups, corrected, _levene(list(samples.values())))


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


def _t_from_summary(one: tuple[float, float], other: tuple[float, float], games: int, *, same: bool = True) -> float:
    """Return Student's p (Welch's unless the variances count as the `same`) of two groups from means and variances.

    The variances are by n, as the article has them; both groups have as many `games`.
    """
    wider = games / (games - 1)
    spread = [sqrt(variance * wider) for _, variance in (one, other)]
    found = stats.ttest_ind_from_stats(one[0], spread[0], games, other[0], spread[1], games, equal_var=same)
    return float(found.pvalue)


def _group(name: str, sample: Sample, seed: int, resamples: int) -> GroupFigures:
    low, high = _interval(sample, seed, resamples)
    normality = None
    if 3 <= len(sample) <= _MAX_SHAPIRO and np.ptp(sample):
        normality = float(stats.shapiro(sample).pvalue)
    return GroupFigures(
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


def _pair(one: tuple[str, Sample], other: tuple[str, Sample], seed: int, resamples: int) -> PairTest:
    apart = one[1] - other[1]
    low, high = _interval(apart, seed, resamples)
    if not apart.any():
        return PairTest(one[0], other[0], 0.0, low, high, 1.0, 1.0)
    t = _p(lambda: stats.ttest_rel(one[1], other[1])) if np.ptp(apart) else None
    return PairTest(one[0], other[0], float(apart.mean()), low, high, t, _p(lambda: stats.wilcoxon(apart)))


def _interval(sample: Sample, seed: int, resamples: int) -> tuple[float, float]:
    """Compute the 95 % percentile bootstrap interval of a mean."""
    if not np.ptp(sample):
        return float(sample[0]), float(sample[0])
    found = stats.bootstrap(
        (sample,),
        np.mean,
        n_resamples=resamples,
        batch=100,
        confidence_level=_CONFIDENCE_LEVEL,
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


# --- A contest: strategies play the same secrets, and their games are kept one by one for statistics, log and picture.

_OnGame = Callable[[int], object]
_StrategyRun = Callable[[Callable[[], Playout]], Playout]


@dataclass(frozen=True)
class Contest:
    """A contest: per name a play-out of all secrets, and the numbers of the secrets compared.

    `drawn` tells that these are a sample; `classic` that codes were filtered by the permissive rule; `stopped` that
    Ctrl-C came before all players had played.
    """

    problem: Problem
    playouts: Mapping[str, Playout]
    secrets: npt.NDArray[np.int32]
    drawn: bool = False
    classic: bool = False
    stopped: bool = False

    @property
    def firsts(self) -> dict[str, str]:
        """Return the first guess of every player by name."""
        return {name: str(self.problem.guesses[game.plan.guess]) for name, game in self.playouts.items()}

    def sample(self, count: str) -> dict[str, npt.NDArray[np.float64]]:
        """Return the games of the secrets compared by player's name, counted one way."""
        return {name: _game_lengths(playout, count)[self.secrets] for name, playout in self.playouts.items()}

    def compared(self, seed: int = 1) -> list[Comparison]:
        """Compare all players, by each way to count; no comparison where nobody has played."""
        return (
            [] if not self.playouts else [compare_games(self.sample(count), count, seed=seed) for count in COUNT_KINDS]
        )

    def plain(self, seed: int = 1) -> dict[str, Any]:
        """Return the contest as a dict that JSON can hold."""
        return {
            "secrets": len(self.problem.weights),
            "games": len(self.secrets),
            "seed": seed,
            "drawn": self.drawn,
            "stopped": self.stopped,
            "filter": "classic" if self.classic else "exact",
            "first": self.firsts,
            "comparisons": [comparison.plain() for comparison in self.compared(seed)],
        }


def contest(
    table: FeedbackTable,
    core: Core,
    players: Sequence[TableStrategy],
    *,
    first: int | None = None,
    classic: bool = False,
    sample: int | None = None,
    seed: int = 1,
    tell: _OnGame = lambda found: None,
    run: _StrategyRun = lambda work: work(),
) -> Contest:
    """Let players play all secrets; those that draw at random play one game per secret, by the seed.

    With `first`, all but trees begin with that guess. With `sample`, only that many secrets, drawn by the seed, are
    compared. After Ctrl-C the contest is among those that have played; `run` may be a way to notice it sooner.
    """
    sift = classic_sift(table) if classic else keep_fitting
    playouts: dict[str, Playout] = {}
    stopped = False
    try:
        for player in players:
            playouts[player.name] = run(partial(_played, table, core, player, first, seed, sift, tell))
    except KeyboardInterrupt:
        stopped = True
    everything = table.everything
    if sample is None or sample >= len(everything):
        return Contest(table.problem, playouts, everything, classic=classic, stopped=stopped)
    drawn = np.sort(np.random.default_rng(seed).choice(everything, sample, replace=False))
    return Contest(table.problem, playouts, drawn, True, classic, stopped)


def _played(
    table: FeedbackTable,
    core: Core,
    player: TableStrategy,
    first: int | None,
    seed: int,
    sift: CandidateRule,
    tell: _OnGame,
) -> Playout:
    if isinstance(player, PlanStrategy):
        return play(table, player, core, tell)
    drawing = replace(player, seed=seed) if isinstance(player, RandomConsistent) else player
    opened: TableStrategy = drawing if first is None else FixedOpening(drawing, first)
    return play(table, opened, core, tell, sift=sift)


def plan_player(name: str, content: bytes, problem: Problem, words: Sequence[Any] | None) -> PlanStrategy:
    """Make a player of a tree file; `words` is its list, None stands for every code of the rules.

    Raises `TreeError` when the file is no tree of these rules and words, `DeskError` when it is for fewer words.
    """
    return PlanStrategy(name, tree_file.read_plan(name, content, problem, words))


# --- A log of games, one per line, in the columns of the log that Moscatelli published with his article.
#
# A line alternates names and values, separated by tabs: `game` (number, from 0), `final_guess`, `first_guess`,
# `first_guess_kurts` (its shape, K2-1-1), `guesses` (until one code is left), `funnel` (the number of candidates:
# before the first guess, and after each; F1296-222-29-1), `subseqpickmode` (the strategy), `secret`, `SUCCESS`; we add
# `guesses_to_win`. Symbols of codes are c0, c1 ... by their place in the alphabet; of words, their letters.

_CALLED = {strategy: name for name, strategy in ARTICLE_STRATEGIES.items()}


def write_log(contest: Contest, path: Path) -> Path:
    """Write the games of the secrets compared, secret by secret; raises `DeskError` when the file cannot be written."""
    return files.write_whole(path, "".join(f"{line}\n" for line in log_lines(contest)))


def log_lines(contest: Contest) -> Iterator[str]:
    """Return the lines of the log."""
    problem = contest.problem
    left = {name: guesses_to_one_left(playout.funnels) for name, playout in contest.playouts.items()}
    for game, secret in enumerate(contest.secrets.tolist()):
        code = _symbols(problem.secrets[secret], problem)
        for name, playout in contest.playouts.items():
            first = problem.guesses[playout.plan.guess]
            funnel = playout.funnels[secret]
            shown = (*funnel, 1)[: left[name][secret] + 1]
            yield "\t".join(
                (
                    "game",
                    str(game),
                    "final_guess",
                    ", ".join(code),
                    "first_guess",
                    ",".join(_symbols(first, problem)),
                    "first_guess_kurts",
                    "K" + "-".join(map(str, code_shape(first))),
                    "guesses",
                    str(len(shown) - 1),
                    "funnel",
                    "F" + "-".join(map(str, shown)),
                    "subseqpickmode",
                    _CALLED.get(name, name),
                    "secret",
                    ",".join(code),
                    "SUCCESS",
                    "True",
                    "guesses_to_win",
                    str(len(funnel)),
                )
            )


def _symbols(code: Word, problem: Problem) -> list[str]:
    if not problem.is_symmetric:
        return [str(symbol) for symbol in code]
    return [f"c{problem.rules.alphabet.index(symbol)}" for symbol in code]


# --- The figures Moscatelli's article published of its four strategies, recomputed.
#
# The article played 72 games per strategy, counted guesses until one code is left, and used the permissive rule of
# `solver.strategies.classic`; every strategy had first guesses of its own. The averages over all secrets count the
# winning guess; they are not the article's, but were measured earlier for this project, with another program.

_ARTICLE_GAMES = 72
#: The article's second run: sum of the guesses of 72 games, variance by n (from the published log, to two digits).
_ARTICLE_SUMMARY = {"first": (406, 1.56), "platyk": (429, 2.21), "mesok": (437, 0.93), "leptok": (447, 1.03)}
#: The p-values it gives for Student's t, by pair.
_ARTICLE_CHANCES = {
    ("mesok", "platyk"): 0.598,
    ("leptok", "mesok"): 0.404,
    ("leptok", "platyk"): 0.243,
    ("first", "mesok"): 0.023,
    ("first", "platyk"): 0.168,
    ("first", "leptok"): 0.003,
}
#: The article's own first guesses (one of them for each strategy), and one for the strategy it lacks.
_ARTICLE_FIRST_GUESSES = {"first": "0000", "platyk": "2301", "mesok": "2424", "leptok": "0000", "random": "0011"}
#: Rule, first guess ("" for `ARTICLE_FIRST_GUESSES`): averages over all secrets as measured before, in the order of
#: `ARTICLE_ORDER`.
ARTICLE_ORDER = ("first", "platyk", "mesok", "leptok", "random")
ARTICLE_AVERAGES = {
    ("classic", ""): (6.81, 6.80, 6.16, 6.57, 6.13),
    ("exact", ""): (5.76, 4.71, 4.59, 5.76, 4.61),
    ("exact", "0011"): (5.02, 4.65, 4.59, 5.06, 4.60),
    ("exact", "0012"): (5.04, 4.57, 4.55, 5.15, 4.62),
    ("exact", "0123"): (5.15, 4.72, 4.63, 5.16, 4.66),
}
#: Averages with two digits are the same when they differ by less (some were rounded twice). Random play differs from
#: seed to seed: the averages of 60 seeds have a standard deviation of 0.032, and three of these are allowed.
_AVERAGE_TOLERANCE, _RANDOM_TOLERANCE = 0.006, 0.096
#: P-values with three digits; the summary they are worked out from has two.
_CHANCE_TOLERANCE = 0.001


@dataclass(frozen=True)
class ArticleAverage:
    """One strategy's average over all secrets under a rule, from a first guess, and the one measured before."""

    rule: str
    first: str
    strategy: str
    mean: float
    before: float

    @property
    def same(self) -> bool:
        """Tell whether the average is the one measured before, to the digits given; random play within its error."""
        return abs(self.mean - self.before) < (_RANDOM_TOLERANCE if self.strategy == "random" else _AVERAGE_TOLERANCE)


@dataclass(frozen=True)
class ArticleChance:
    """A p-value of the article, recomputed from its summary, and corrected for six tests (Holm)."""

    one: str
    other: str
    published: float
    student: float
    welch: float
    holm: float | None

    @property
    def same(self) -> bool:
        """Tell whether Student's p is the published one."""
        return abs(self.student - self.published) < _CHANCE_TOLERANCE


def play_article(core: Core, seeds: int = 5) -> list[ArticleAverage]:
    """Play all strategies over all 1,296 secrets, by each rule and first guess; random play with `seeds` seeds."""
    table = make_table(symbol_problem(MASTERMIND), core.codes)
    found = []
    for (rule, first), before in ARTICLE_AVERAGES.items():
        stands = permissive_rule(table) if rule == "classic" else keep_fitting
        for name, mean in zip(ARTICLE_ORDER, before, strict=True):
            guess = read_first_guess(first or _ARTICLE_FIRST_GUESSES[name], table.problem)
            games = [play(table, player, core, sift=stands) for player in _players(table, name, guess, seeds)]
            total = fmean(game.total for game in games)
            found.append(
                ArticleAverage(
                    rule, first or _ARTICLE_FIRST_GUESSES[name], name, total / len(table.problem.weights), mean
                )
            )
    return found


def _players(table: FeedbackTable, name: str, guess: int, seeds: int) -> Sequence[FixedOpening]:
    if name == "random":
        return [FixedOpening(RandomConsistent(seed), guess) for seed in range(1, seeds + 1)]
    return [FixedOpening(player, guess) for player in make_strategies([ARTICLE_STRATEGIES[name]], table.problem)]


def recompute_chances() -> list[ArticleChance]:
    """Recompute the article's p-values from means, variances and the number of games."""
    told = {name: (total / _ARTICLE_GAMES, variance) for name, (total, variance) in _ARTICLE_SUMMARY.items()}
    student = [_t_from_summary(told[one], told[other], _ARTICLE_GAMES) for one, other in _ARTICLE_CHANCES]
    return [
        ArticleChance(
            one, other, published, p, _t_from_summary(told[one], told[other], _ARTICLE_GAMES, same=False), corrected
        )
        for ((one, other), published), p, corrected in zip(
            _ARTICLE_CHANCES.items(), student, correct_holm(student), strict=True
        )
    ]
