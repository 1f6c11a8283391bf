"""Benchmarks of strategies over all secrets of a game, next to published averages."""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import stdev
from typing import Any, NamedTuple

import numpy as np

from jotto.rules import Rules
from jotto.tree import list_codes, read_tree
from jotto_desk.errors import DeskError
from jotto_desk.solver import strategies, trees
from jotto_desk.solver.feedback_table import Core, FeedbackTable, Members
from jotto_desk.solver.problem import Plan, Problem
from jotto_desk.solver.strategies import (
    CandidateRule,
    FixedOpening,
    RandomConsistent,
    TablePosition,
    TableStrategy,
    make_strategies,
)

# --- Playing a strategy out over all secrets at once: every position it can reach is visited once.

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


def keep_fitting(guess: int, code: int, before: Members, fitting: Members) -> Members:
    """Keep the candidates that fit: the rule of the game."""
    return fitting


def play(
    table: FeedbackTable,
    strategy: TableStrategy,
    core: Core,
    tell: Callable[[int], object] = lambda found: None,
    clock: Callable[[], float] = time.perf_counter,
    sift: CandidateRule = keep_fitting,
) -> Playout:
    """Play a strategy against all secrets of a table; `tell` gets the number of secrets found since its last call.

    At every position a strategy must separate some members or name one; all of this package do. It is shown the
    candidates that `sift` keeps (`jotto_desk.solver.strategies`), usually those that fit.
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
        parts = split_by_answer(table, guess, secrets)
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


def split_by_answer(table: FeedbackTable, guess: int, members: Members) -> dict[int, Members]:
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


def _average_distributions(playouts: Iterable[Playout]) -> dict[int, float]:
    """Average the distributions of several playouts of one game."""
    all_of = list(playouts)
    counts: Counter[int] = Counter()
    for playout in all_of:
        counts.update(playout.distribution)
    return {turn: count / len(all_of) for turn, count in sorted(counts.items())}


def guesses_to_one_left(funnels: Iterable[tuple[int, ...]]) -> list[int]:
    """Count per funnel the guesses until one word is left; where that is only the winning one, all of them."""
    return [funnel.index(1) if 1 in funnel else len(funnel) for funnel in funnels]


# --- Published averages of a game, and those a prototype of this solver found.
#
# An average counts the winning guess, over all secrets, each equally likely. A list is recognised by its words, in any
# order; where only its size is on record, by that (`by_size`).

_PROTOTYPE_SOURCE = "prototype of this solver"
#: The strategy names of optimal play, and of the best play known.
PROVEN_OPTIMUM, _BEST_KNOWN = "optimum", "best known"

SGB = 3834
_ANSWERS = "aa98dfe8e8e587663f5b343daf61b31a6da77170fa262f731a0592ec3ff212c1"
_WORDLE_ANSWERS = "5209b35f823f8b80f0404f863bd80df06d6a966c6eb1016d69f38badc6eed5d0"
_WORDLE_GUESSES = "99be2e38dadf3e26952af7cb4d963f65b632d5de91aa99e5ce308e4dc9617b65"
_SCOWL_50 = "ac4f042d870059e3c29e4d3a602b9b585fc1abf090bdfc9256139012b10909e6"


class PublishedFigure(NamedTuple):
    """A strategy's average, rounded as it was published; the total over all secrets where that is known."""

    strategy: str
    mean: float
    maximum: int | None
    source: str
    total: int | None = None


class PublishedGame(NamedTuple):
    """The published figures of one game; `by_size` where its list was recognised only by size."""

    game: str
    figures: tuple[PublishedFigure, ...]
    by_size: bool = False

    def of(self, strategy: str) -> PublishedFigure | None:
        """Return the figure of a strategy, None where there is none."""
        return next((figure for figure in self.figures if figure.strategy == strategy), None)

    @property
    def best(self) -> PublishedFigure | None:
        """Return the figure of the best play on record."""
        return self.of(PROVEN_OPTIMUM) or self.of(_BEST_KNOWN)


def _total(
    strategy: str, total: int, secrets: int, maximum: int | None, source: str = _PROTOTYPE_SOURCE
) -> PublishedFigure:
    return PublishedFigure(strategy, total / secrets, maximum, source, total)


def _table(*rows: tuple[str, float, int | None]) -> tuple[PublishedFigure, ...]:
    return tuple(PublishedFigure(strategy, mean, maximum, _PROTOTYPE_SOURCE) for strategy, mean, maximum in rows)


#: Length, symbols, repeats: figures. Feedback by places.
_CODES: dict[tuple[int, int, bool], tuple[PublishedFigure, ...]] = {
    (4, 6, True): (
        _total("frequent-first", 7471, 1296, 9, "Shapiro 1983"),
        _total("minimax-all", 5801, 1296, 5, "Kooi 2005"),
        _total("expected-size-all", 5696, 1296, 6, "Kooi 2005"),
        _total("entropy-all", 5722, 1296, 6, "Kooi 2005"),
        _total("most-parts-all", 5668, 1296, 6, "Kooi 2005"),
        _total(PROVEN_OPTIMUM, 5625, 1296, 6, "Koyama & Lai 1993"),
    ),
    (4, 7, True): (_total(PROVEN_OPTIMUM, 11228, 2401, None, "Ville 2013"),),
    (4, 6, False): (_total(PROVEN_OPTIMUM, 1446, 360, None),),
    (4, 10, False): (
        PublishedFigure("entropy-all", 5.243, None, _PROTOTYPE_SOURCE),
        _total(PROVEN_OPTIMUM, 26274, 5040, 7, "Tanaka 1996"),
    ),
    (5, 10, False): (
        *_table(("consistent", 5.955, None), ("entropy-all", 5.725, None), ("expected-size-all", 5.740, None)),
        _total(_BEST_KNOWN, 172091, 30240, 8),
    ),
}

#: Kind of feedback, list of secrets, list of further guesses: name of the list, figures.
LISTS: dict[tuple[str, str | int, str], tuple[str, tuple[PublishedFigure, ...]]] = {
    ("places", SGB, ""): (
        "isograms of Knuth's SGB",
        (
            *_table(
                ("consistent", 5.366, 12),
                ("entropy-cand", 4.886, 10),
                ("entropy-all", 4.797, 7),
                ("expected-size-cand", 4.926, 11),
                ("expected-size-all", 4.822, 7),
                ("minimax-cand", 4.969, 10),
                ("minimax-all", 4.915, 7),
                ("most-parts-cand", 4.949, 11),
                ("most-parts-all", 4.881, 9),
            ),
            _total(_BEST_KNOWN, 18200, 3834, 7),
        ),
    ),
    ("places", _ANSWERS, ""): (
        "isograms of the Wordle answers of 2021",
        (
            *_table(
                ("consistent", 4.835, 10),
                ("entropy-cand", 4.396, 8),
                ("entropy-all", 4.374, 6),
                ("expected-size-cand", 4.376, 7),
                ("expected-size-all", 4.369, 6),
                ("minimax-cand", 4.460, 9),
                ("minimax-all", 4.473, 6),
                ("most-parts-cand", 4.480, 8),
                ("most-parts-all", 4.459, 7),
            ),
            _total(PROVEN_OPTIMUM, 6776, 1566, 6),
        ),
    ),
    ("places", _SCOWL_50, ""): (
        "isograms of SCOWL up to size 50, in the order of the alphabet",
        (
            *_table(
                ("consistent", 5.226, 12),
                ("entropy-cand", 4.743, 10),
                ("entropy-all", 4.683, 7),
                ("expected-size-cand", 4.758, 10),
                ("expected-size-all", 4.707, 7),
                ("minimax-cand", 4.847, 10),
                ("minimax-all", 4.798, 7),
                ("most-parts-cand", 4.869, 10),
                ("most-parts-all", 4.821, 8),
            ),
            _total(_BEST_KNOWN, 13784, 2976, 7),
        ),
    ),
    ("marks", _WORDLE_ANSWERS, _WORDLE_GUESSES): (
        "Wordle's own lists of 2021",
        (_total(PROVEN_OPTIMUM, 7920, 2315, None, "Selby 2022"),),
    ),
}


def find_published(problem: Problem) -> PublishedGame | None:
    """Find the published figures of a problem; None where there are none, or where secrets weigh differently."""
    if not problem.is_uniform:
        return None
    rules, secrets = problem.rules, problem.secrets
    if problem.is_symmetric:
        figures = _CODES.get((rules.length, len(rules.alphabet), rules.repeats)) if rules.kind == "places" else None
        return PublishedGame(f"{len(secrets):,} codes", figures) if figures else None
    wider = words_checksum(problem.guesses[len(secrets) :])
    for mark in (words_checksum(secrets), len(secrets)):
        if (rules.kind, mark, wider) in LISTS:
            return PublishedGame(*LISTS[rules.kind, mark, wider], by_size=isinstance(mark, int))
    return None


def words_checksum(words: Iterable[str]) -> str:
    """Return the SHA-256 of the words in alphabetical order, one per line; an empty string without words."""
    ordered = sorted(words)
    return hashlib.sha256("\n".join(ordered).encode("utf-8")).hexdigest() if ordered else ""


# --- A benchmark of strategies over all secrets of a game: exact averages, worst cases, distributions, times.
#
# A `Contender` is anything that plays all secrets and fills a `Row`: `strategies` makes those of this package, `tree`
# makes one of a tree file.

#: Averages published with three digits are the same when they differ by less; some were rounded twice.
_THREE_DIGITS = 0.0006

_OnFound = Callable[[int], object]


@dataclass(frozen=True)
class BenchmarkRow:
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
                "same": matches_published(self, published),
            }
        )
        counts = {str(turn): count for turn, count in self.distribution.items()}
        return {**asdict(self), "distribution": counts, "published": told}


@dataclass(frozen=True)
class Contender:
    """A strategy or tree to measure; `play` reports `secrets` secrets in all while it fills the row."""

    name: str
    secrets: int
    play: Callable[[_OnFound], BenchmarkRow]


def matches_published(row: BenchmarkRow, figure: PublishedFigure) -> bool:
    """Tell whether a row has the published total, or the average where only that was published."""
    return row.total == figure.total if figure.total is not None else abs(row.mean - figure.mean) < _THREE_DIGITS


def strategy_contenders(
    table: FeedbackTable,
    core: Core,
    names: Iterable[str],
    *,
    seeds: int = 20,
    ear: strategies.MishearingPenalty | None = None,
    listen: bool = False,
    bands: Sequence[int | None] = (),
    first: int | None = None,
) -> list[Contender]:
    """Make contenders of strategies by name; those that draw at random are played with the seeds 1 to `seeds`.

    With `listen`, answers that sound alike are counted; `bands` says how common each secret is; `first` is the guess
    all begin with. Raises `DeskError` for an unknown name.
    """
    figures = find_published(table.problem) if first is None else None
    return [
        _contender(table, core, strategy, seeds=seeds, figures=figures, listen=listen, first=first)
        for strategy in make_strategies(names, table.problem, ear, bands)
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
        players = [FixedOpening(player, first) for player in players]
    # With an ear a strategy differs from the published one.
    published = figures.of(strategy.name) if figures and getattr(strategy, "ear", None) is None else None

    def fill(tell: _OnFound) -> BenchmarkRow:
        return _row(table, strategy.name, [play(table, player, core, tell) for player in players], listen, published)

    return Contender(strategy.name, len(players) * len(table.problem.weights), fill)


def _row(
    table: FeedbackTable, name: str, games: Sequence[Playout], listen: bool, published: PublishedFigure | None
) -> BenchmarkRow:
    problem = table.problem
    total = sum(game.total for game in games) / len(games)
    weighted = sum(game.weighted for game in games) / len(games) / int(problem.weights.sum())
    firsts = {str(problem.guesses[game.plan.guess]) for game in games}
    return BenchmarkRow(
        strategy=name,
        first=firsts.pop() if len(firsts) == 1 else "",
        total=total,
        mean=total / len(problem.weights),
        weighted_mean=None if problem.is_uniform else weighted,
        maximum=max(game.maximum for game in games),
        least_maximum=min(game.maximum for game in games),
        distribution=_average_distributions(games),
        seconds=sum(game.seconds for game in games),
        runs=len(games),
        error=stdev(game.total / len(problem.weights) for game in games) / sqrt(len(games)) if games[1:] else None,
        misheard=sum(strategies.expected_misheard(table, game.plan) for game in games) / len(games) if listen else None,
        published=published,
        to_one=sum(sum(guesses_to_one_left(game.funnels)) for game in games) / len(games) / len(problem.weights),
    )


def tree_contender(
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

    def fill(tell: _OnFound) -> BenchmarkRow:
        start = clock()
        verdict = trees.verify_tree(content, secrets, bands, lambda secrets: _told(secrets, tell))
        figures = verdict.figures
        counts = {int(turn): float(count) for turn, count in figures.distribution.items() if turn != "0"}
        return BenchmarkRow(
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


def _told(secrets: Iterable[Any], tell: _OnFound) -> Iterator[Any]:
    for secret in secrets:
        yield secret
        tell(1)


def benchmark_to_dict(
    table: FeedbackTable, core: str, rows: Sequence[BenchmarkRow], about: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a whole benchmark as a dict that JSON can hold; `about` names list and rules, `core` the core used."""
    problem, figures = table.problem, find_published(table.problem)
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
