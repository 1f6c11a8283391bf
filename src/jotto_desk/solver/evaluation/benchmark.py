"""A benchmark of strategies over all secrets of a game: exact averages, worst cases, distributions, times.

A `Contender` is anything that plays all secrets and fills a `Row`: `strategies` makes those of this package, `tree`
makes one of a tree file.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import stdev
from typing import Any

from jotto.rules import Rules
from jotto.tree import list_codes, read_tree

from ...errors import DeskError
from ..contract import Core
from ..model import certificate
from ..model.feedback_table import FeedbackTable
from ..strategies import mishearing
from ..strategies.heuristics import RandomConsistent, named
from ..strategies.openings import Opening
from ..strategies.position import TableStrategy
from . import playout
from .published import PublishedFigure, PublishedGame, known

#: Averages published with three digits are the same when they differ by less; some were rounded twice.
THREE_DIGITS = 0.0006

Tell = Callable[[int], object]


@dataclass(frozen=True)
class Row:
    """The result of a contender, counting the winning guess.

    `total` and `distribution` (turns -> secrets) count every secret once and are means over `runs` where a strategy
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
        published = self.published
        told = (
            None
            if published is None
            else {
                **published._asdict(),
                "difference_percent": round(100 * (self.mean / published.mean - 1), 3),
                "same": is_same(self, published),
            }
        )
        counts = {str(turn): count for turn, count in self.distribution.items()}
        return {**asdict(self), "distribution": counts, "published": told}


@dataclass(frozen=True)
class Contender:
    """A strategy or tree to measure; `play` reports `secrets` secrets in all while it fills the row."""

    name: str
    secrets: int
    play: Callable[[Tell], Row]


def is_same(row: Row, figure: PublishedFigure) -> bool:
    """Tell whether a row has the published total, or the average where only that was published."""
    return row.total == figure.total if figure.total is not None else abs(row.mean - figure.mean) < THREE_DIGITS


def strategies(
    table: FeedbackTable,
    core: Core,
    names: Iterable[str],
    *,
    seeds: int = 20,
    ear: mishearing.Ear | None = None,
    listen: bool = False,
    bands: Sequence[int | None] = (),
    first: int | None = None,
) -> list[Contender]:
    """Make contenders of strategies by name; those that draw at random are played with the seeds 1 to `seeds`.

    With `listen`, answers that sound alike are counted; `bands` says how common each secret is; `first` is the guess
    all begin with. Raises `DeskError` for an unknown name.
    """
    figures = known(table.problem) if first is None else None
    return [
        _contender(table, core, strategy, seeds=seeds, figures=figures, listen=listen, first=first)
        for strategy in named(names, table.problem, ear, bands)
    ]


def _contender(
    table: FeedbackTable,
    core: Core,
    strategy: TableStrategy,
    *,
    seeds: int,
    figures: PublishedGame | None,
    listen: bool,
    first: int | None,
) -> Contender:
    players: list[TableStrategy] = [strategy]
    if isinstance(strategy, RandomConsistent):
        players = [RandomConsistent(seed) for seed in range(1, seeds + 1)]
    if first is not None:
        players = [Opening(player, first) for player in players]
    # With an ear a strategy differs from the published one.
    published = figures.of(strategy.name) if figures and getattr(strategy, "ear", None) is None else None

    def fill(tell: Tell) -> Row:
        return _row(
            table, strategy.name, [playout.play(table, player, core, tell) for player in players], listen, published
        )

    return Contender(strategy.name, len(players) * len(table.problem.weights), fill)


def _row(
    table: FeedbackTable, name: str, games: Sequence[playout.Playout], listen: bool, published: PublishedFigure | None
) -> Row:
    problem = table.problem
    total = sum(game.total for game in games) / len(games)
    weighted = sum(game.weighted for game in games) / len(games) / int(problem.weights.sum())
    firsts = {str(problem.guesses[game.plan.guess]) for game in games}
    return Row(
        strategy=name,
        first=firsts.pop() if len(firsts) == 1 else "",
        total=total,
        mean=total / len(problem.weights),
        weighted_mean=None if problem.is_uniform else weighted,
        maximum=max(game.maximum for game in games),
        least_maximum=min(game.maximum for game in games),
        distribution=playout.mean_distribution(games),
        seconds=sum(game.seconds for game in games),
        runs=len(games),
        error=stdev(game.total / len(problem.weights) for game in games) / sqrt(len(games)) if games[1:] else None,
        misheard=sum(mishearing.misheard(table, game.plan) for game in games) / len(games) if listen else None,
        published=published,
        to_one=sum(sum(playout.to_one(game.funnels)) for game in games) / len(games) / len(problem.weights),
    )


def tree(
    name: str,
    content: bytes,
    rules: Rules,
    words: Sequence[Any] | None,
    bands: Sequence[int | None] = (),
    *,
    clock: Callable[[], float] = time.perf_counter,
) -> Contender:
    """Make a contender of a tree file: it is verified, every secret replayed with the reference scorer.

    `words` is the list in list order, with the bands; None stands for every code of the rules. Raises `TreeError` when
    the file is no tree of these rules and words, `DeskError` when it is for only the first of the words; playing raises
    `TreeMismatch` when it does not do what its certificate says.
    """
    secrets = list_codes(rules) if words is None else words
    bound = read_tree(content).bound_to(secrets, rules)
    count = bound.certificate["words"]
    if count < len(secrets):
        raise DeskError(
            f"The {name} was made for the first {count} of these {len(secrets)} words; name its own list with --words."
        )

    def fill(tell: Tell) -> Row:
        start = clock()
        verdict = certificate.verify(content, secrets, bands, lambda secrets: _told(secrets, tell))
        figures = verdict.figures
        counts = {int(turn): float(count) for turn, count in figures.distribution.items() if turn != "0"}
        return Row(
            name,
            str(bound.word(0)),
            figures.total,
            figures.mean or 0.0,
            figures.weighted_mean,
            figures.max,
            figures.max,
            counts,
            clock() - start,
            missed=figures.missed,
        )

    return Contender(name, count, fill)


def _told(secrets: Iterable[Any], tell: Tell) -> Iterator[Any]:
    for secret in secrets:
        yield secret
        tell(1)


def plain(table: FeedbackTable, core: str, rows: Sequence[Row], about: Mapping[str, Any]) -> dict[str, Any]:
    """Return a whole benchmark as a dict that JSON can hold; `about` names list and rules, `core` the core used."""
    problem, figures = table.problem, known(table.problem)
    best = figures.best if figures else None
    return {
        **about,
        "secrets": len(problem.weights),
        "guesses": len(problem.guesses),
        "weights": problem.kind,
        "core": core,
        "counts": "the winning guess is counted",
        "strategies": [row.plain() for row in rows],
        "known": None
        if figures is None
        else {"game": figures.game, "by_size": figures.by_size, "best": best and best._asdict()},
    }
