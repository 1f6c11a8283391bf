"""Benchmarks of strategies over all secrets of a game, next to published averages."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import sqrt
from statistics import stdev
from typing import Any, NamedTuple

import numpy as np

from jotto.feedback import PLACES
from jotto.rules import Rules
from jotto.tree import list_codes, parse_tree
from jotto_desk.cluster import Cluster, watch_task
from jotto_desk.errors import DeskError
from jotto_desk.solver import cores, strategies, trees
from jotto_desk.solver.feedback_table import Core, FeedbackTable, Members, make_table
from jotto_desk.solver.problem import Plan, Problem

# Playing a strategy against all secrets at the same time: every position is visited once.

#: A position to visit: the secrets that fit, the turns, the number that fitted before each, the place of its plan.
_Waiting = tuple[Members, tuple[tuple[int, int], ...], tuple[int, ...], dict[int, Plan], int]


@dataclass(frozen=True)
class Playout:
    """The plan of a strategy, and the turns in which it finds the secrets, counting the winning guess.

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


def play(
    table: FeedbackTable,
    strategy: strategies.TableStrategy,
    core: Core,
    tell: Callable[[int], object] = lambda found: None,
    clock: Callable[[], float] = time.perf_counter,
) -> Playout:
    """Play a strategy against all secrets of a table; `tell` gets the number of secrets found since its last call.

    At every position a strategy must separate some members or name one; all strategies of this package do.
    """
    start = clock()
    top: dict[int, Plan] = {}
    funnels: list[tuple[int, ...]] = [()] * len(table.problem.weights)
    waiting: list[_Waiting] = [(table.everything, (), (), top, 0)]
    while waiting:
        members, turns, funnel, siblings, place = waiting.pop()
        guess = strategy.choose(strategies.TablePosition(core, table, members, turns))
        siblings[place] = plan = Plan(guess, {})
        funnel = (*funnel, len(members))
        if (members == guess).any():
            funnels[guess] = funnel
            tell(1)
        parts = reversed(table.split(guess, members).items())
        waiting += [(part, (*turns, (guess, code)), funnel, plan.children, code) for code, part in parts]
    turns_of = [*map(len, funnels)]
    weighted = int(np.dot(turns_of, table.problem.weights))
    return Playout(
        top[0], dict(sorted(Counter(turns_of).items())), sum(turns_of), weighted, clock() - start, tuple(funnels)
    )


def count_guesses_to_one_left(funnels: Iterable[tuple[int, ...]]) -> list[int]:
    """Count per funnel the guesses until one word is left; if that is only the winning one, all of them."""
    return [funnel.index(1) if 1 in funnel else len(funnel) for funnel in funnels]


# Published averages: over all secrets, each equally likely; the winning guess counts.


class PublishedFigure(NamedTuple):
    """The published total of a strategy over all secrets, and its largest number of guesses (None: not published)."""

    strategy: str
    mean: float
    maximum: int | None
    source: str
    total: int


class PublishedGame(NamedTuple):
    """The published figures of one game; the last one is the optimum."""

    game: str
    figures: tuple[PublishedFigure, ...]

    def find_figure(self, strategy: str) -> PublishedFigure | None:
        """Return the figure of a strategy, or None if it has no published figure."""
        return next((figure for figure in self.figures if figure.strategy == strategy), None)

    @property
    def best(self) -> PublishedFigure:
        """Return the figure of optimal play."""
        return self.figures[-1]


def _total(strategy: str, total: int, secrets: int, maximum: int | None, source: str) -> PublishedFigure:
    return PublishedFigure(strategy, total / secrets, maximum, source, total)


#: The published figures of code games by length, symbols and repeats; their feedback is by places.
_PUBLISHED: dict[tuple[int, int, bool], tuple[PublishedFigure, ...]] = {
    (4, 6, True): (
        _total("frequent-first", 7471, 1296, 9, "Shapiro 1983"),
        _total("minimax-all", 5801, 1296, 5, "Kooi 2005"),
        _total("expected-size-all", 5696, 1296, 6, "Kooi 2005"),
        _total("entropy-all", 5722, 1296, 6, "Kooi 2005"),
        _total("most-parts-all", 5668, 1296, 6, "Kooi 2005"),
        _total("optimum", 5625, 1296, 6, "Koyama & Lai 1993"),
    ),
    (4, 7, True): (_total("optimum", 11228, 2401, None, "Ville 2013"),),
    (4, 8, True): (_total("optimum", 20471, 4096, 7, "arfst23/Mastermind"),),
    (4, 10, False): (_total("optimum", 26274, 5040, 7, "Tanaka 1996"),),
}


def find_published(problem: Problem) -> PublishedGame | None:
    """Return the published figures of a problem, or None if nobody published any."""
    rules = problem.rules
    figures = _PUBLISHED.get((rules.length, len(rules.alphabet), rules.repeats))
    if figures is None or rules.kind != PLACES or not (problem.is_symmetric and problem.is_uniform):
        return None
    return PublishedGame(f"{len(problem.secrets):,} codes", figures)


# The benchmark: exact averages, worst cases, distributions and times.
#
# A `Contender` is anything that plays all secrets and fills a `Row`: `strategies` makes those of this package, `tree`
# makes one of a tree file.

_OnFound = Callable[[int], object]


@dataclass(frozen=True)
class BenchmarkRow:
    """The result of a contender, counting the winning guess.

    `total` and `distribution` (turns -> secrets) count every secret once and are means over `runs` if a strategy
    draws at random (`error` is then the standard error of `mean`); `weighted_mean` counts by weight. `maximum` is the
    worst case, `least_maximum` the lowest worst case of a run; `missed` secrets are never found. `misheard` is the
    expected number of misheard answers per game; `to_one` is the mean number of guesses until one word is left (None
    where that was not counted).
    """

    strategy: str
    first: str
    total: float
    mean: float
    weighted_mean: float | None
    maximum: int
    least_maximum: int
    distribution: dict[int, float]
    seconds: float
    runs: int = 1
    error: float | None = None
    missed: float = 0
    misheard: float | None = None
    published: PublishedFigure | None = None
    to_one: float | None = None

    def plain(self) -> dict[str, Any]:
        """Return the row as a dict that JSON can hold, with the difference to the published average in per cent."""
        published, told = self.published, None
        if published is not None:
            difference = round(100 * (self.mean / published.mean - 1), 3)
            told = {**published._asdict(), "difference_percent": difference, "same": self.total == published.total}
        counts = {str(turn): count for turn, count in self.distribution.items()}
        return {**asdict(self), "distribution": counts, "published": told}


@dataclass(frozen=True)
class Contender:
    """A strategy or tree to measure; `play` reports `secrets` secrets in all while it fills the row."""

    name: str
    secrets: int
    play: Callable[[_OnFound], BenchmarkRow]


def make_strategy_contenders(
    table: FeedbackTable,
    core: Core,
    names: Iterable[str],
    *,
    seeds: int = 20,
    ear: strategies.MishearingPenalty | None = None,
    listen: bool = False,
    bands: Sequence[int | None] = (),
    first: int | None = None,
    cluster: Cluster | None = None,
) -> list[Contender]:
    """Make contenders of strategies by name; those that draw at random are played with the seeds 1 to `seeds`.

    With `listen`, answers that sound alike are counted; `bands` says how common each secret is; `first` is the guess
    all begin with. The workers of a `cluster` begin to play immediately. Raises `DeskError` for an unknown name.
    """
    lodged = None if cluster is None else cluster.lodge(table.problem)
    figures = find_published(table.problem) if first is None else None

    def make_contender(strategy: strategies.TableStrategy) -> Contender:
        players: list[strategies.TableStrategy] = [strategy]
        if isinstance(strategy, strategies.RandomConsistent):
            players = [strategies.RandomConsistent(seed) for seed in range(1, seeds + 1)]
        if first is not None:
            players = [strategies.FixedOpening(player, first) for player in players]
        # With an ear a strategy differs from the published one.
        published = figures.find_figure(strategy.name) if figures and getattr(strategy, "ear", None) is None else None

        played = [] if cluster is None else [cluster.submit(_play_on_worker, lodged, player) for player in players]

        def fill(tell: _OnFound) -> BenchmarkRow:
            for future in played:
                future.add_done_callback(lambda _: tell(len(table.problem.weights)))
            games = [future.result() for future in played] or [play(table, player, core, tell) for player in players]
            return _make_row(table, strategy.name, games, listen, published)

        return Contender(strategy.name, len(players) * len(table.problem.weights), fill)

    return [make_contender(strategy) for strategy in strategies.make_strategies(names, table.problem, ear, bands)]


def _play_on_worker(problem: Problem, player: strategies.TableStrategy) -> Playout:
    table, core = _begin_table(problem)
    with watch_task() as over:

        def check(_found: int) -> None:
            if over.is_set():
                raise CancelledError

        return play(table, player, core, check)


@lru_cache(maxsize=1)
def _begin_table(problem: Problem) -> tuple[FeedbackTable, Core]:
    core = cores.choose_best_core()
    return make_table(problem, core.add_planes), core


def _make_row(
    table: FeedbackTable, name: str, games: Sequence[Playout], listen: bool, published: PublishedFigure | None
) -> BenchmarkRow:
    problem = table.problem
    total = sum(game.total for game in games) / len(games)
    weighted = sum(game.weighted for game in games) / len(games) / int(problem.weights.sum())
    firsts = {str(problem.guesses[game.plan.guess]) for game in games}
    counts = sum((Counter(game.distribution) for game in games), Counter[int]())
    return BenchmarkRow(
        strategy=name,
        first=firsts.pop() if len(firsts) == 1 else "",
        total=total,
        mean=total / len(problem.weights),
        weighted_mean=None if problem.is_uniform else weighted,
        maximum=max(game.maximum for game in games),
        least_maximum=min(game.maximum for game in games),
        distribution={turn: count / len(games) for turn, count in sorted(counts.items())},
        seconds=sum(game.seconds for game in games),
        runs=len(games),
        error=stdev(game.total / len(problem.weights) for game in games) / sqrt(len(games)) if games[1:] else None,
        misheard=sum(strategies.estimate_misheard(table, game.plan) for game in games) / len(games) if listen else None,
        published=published,
        to_one=sum(sum(count_guesses_to_one_left(game.funnels)) for game in games) / len(games) / len(problem.weights),
    )


def make_tree_contender(
    name: str, content: bytes, rules: Rules, words: Sequence[Any] | None, bands: Sequence[int | None] = ()
) -> Contender:
    """Make a contender of a tree file: it is verified, every secret replayed with the reference scorer.

    `words` is the list in list order, with the bands; None means every code of the rules. Raises `TreeError` if the
    file is not a tree of these rules and words, `DeskError` if it is for only the first of the words; playing raises
    `TreeMismatch` if the tree differs from its certificate.
    """
    secrets = list_codes(rules) if words is None else words
    bound = parse_tree(content).bound_to(secrets, rules)
    count = bound.certificate["words"]
    if count < len(secrets):
        fewer = f"The {name} was made for the first {count} of these {len(secrets)} words"
        raise DeskError(f"{fewer}; name its own list with --words.")

    def fill(tell: _OnFound) -> BenchmarkRow:
        start = time.perf_counter()
        verdict = trees.verify_tree(content, secrets, bands, lambda secrets: _report_each(secrets, tell))
        figures = verdict.figures
        counts = {int(turn): float(count) for turn, count in figures.distribution.items() if turn != "0"}
        means = figures.mean or 0.0, figures.weighted_mean
        found = (figures.total, *means, figures.max, figures.max, counts, time.perf_counter() - start)
        return BenchmarkRow(name, str(bound.word(0)), *found, missed=figures.missed)

    return Contender(name, count, fill)


def _report_each(secrets: Iterable[Any], tell: _OnFound) -> Iterator[Any]:
    for secret in secrets:
        yield secret
        tell(1)


def benchmark_to_dict(
    table: FeedbackTable, core: str, rows: Sequence[BenchmarkRow], about: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a whole benchmark as a dict that JSON can hold; `about` names list and rules, `core` the core used."""
    problem, figures = table.problem, find_published(table.problem)
    return {
        **about,
        "secrets": len(problem.weights),
        "guesses": len(problem.guesses),
        "weights": problem.kind,
        "core": core,
        "counts": "the winning guess is counted",
        "strategies": [row.plain() for row in rows],
        "known": None if figures is None else {"game": figures.game, "best": figures.best._asdict()},
    }
