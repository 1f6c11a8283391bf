"""Heuristic strategies over a table: each compares its guesses at a set of secrets and names one.

Scores are whole numbers and smaller is better, so ties are exact with any core. Of equal guesses a candidate comes
before a word that cannot win, then the smaller number: in a problem, words stand heaviest first, else in the order of
the list, which for the game's own lists is commonest first. Codes stand in the order of their symbols. With a
`mishearing.Ear` the guess whose answers are least often misheard comes before all that.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log2

import numpy as np

from jotto import compat, strategies
from jotto.feedback import PLACES
from jotto.index import Index

from ...errors import DeskError
from ...errors import meant as meant_by
from ..contract import Members, Numbers
from ..model.problem import Problem
from . import shapes
from .mishearing import Ear, part_weights
from .position import TablePosition, TableStrategy

#: Scores count bits in whole steps: this many per bit.
BIT = 1 << 24
#: Which words a strategy may ask: those that fit, all that may be the secret, all there are.
CANDIDATES, LIST, WIDER = "cand", "all", "wider"
#: The names of Moscatelli's article for its strategies, and for one it lacks, with the names used here.
ARTICLE = {
    "first": "frequent-first",
    "random": "consistent",
    "platyk": shapes.PLATYKURTIC,
    "mesok": shapes.MESOKURTIC,
    "leptok": shapes.LEPTOKURTIC,
}


@dataclass(frozen=True)
class RandomConsistent:
    """The strategy of the original article: any word that still fits, drawn by a seed."""

    seed: int = 1
    name: str = "consistent"

    def choose(self, position: TablePosition) -> int:
        """Draw one candidate by the seed and the turns so far."""
        if len(position.members) == 1:
            return int(position.members[0])
        turns = (number for turn in position.turns for number in turn)
        return int(position.members[compat.draw_number(len(position.members), self.seed, "guess", *turns)])


@dataclass(frozen=True)
class FrequentFirst:
    """The most common word that still fits; of codes, the first that does (Shapiro 1983)."""

    name: str = "frequent-first"

    def choose(self, position: TablePosition) -> int:
        """Choose the first candidate."""
        return int(position.members[0])


@dataclass(frozen=True, eq=False)
class RobotStrategy:
    """The strategy of the robot without a tree: the engine's own, which compares few candidates per turn."""

    problem: Problem
    bands: tuple[int | None, ...] = ()
    seed: int = 1
    name: str = "robot"

    def choose(self, position: TablePosition) -> int:
        """Choose as the engine does."""
        left = sum(1 << number for number in position.members.tolist())
        seen = strategies.Position(self._index, left, self.bands, len(position.turns), self.seed, (), 0)
        return int(self._index.bit(strategies.Entropy().choose(seen)).bit_length() - 1)

    @cached_property
    def _index(self) -> Index:
        return Index(self.problem.secrets, self.problem.rules)


@dataclass(frozen=True)
class Measure:
    """A measure of partitions: `worth` of a part's size, summed over the parts or (`largest`) of the largest part.

    The winning part counts as `won`: it leaves nothing to ask. (With equal weights this makes a difference only for
    the most parts, where winning is one answer more.) `unit` is the score of one bit or word of the measure; where
    `shared`, per secret.
    """

    name: str
    worth: Callable[[int], int]
    unit: int
    shared: bool
    won: int = 0
    largest: bool = False


MEASURES = (
    # Shannon: log2 n - (1/n) sum of s log2 s over the part sizes s is to be as large as can be.
    Measure("entropy", lambda size: round(size * log2(size) * BIT) if size else 0, BIT, True),
    # Irving 1978: the words expected to be left, (1/n) sum of s * s.
    Measure("expected-size", lambda size: size * size, 1, True),
    # Knuth 1977: the most words that can be left.
    Measure("minimax", lambda size: size, 1, False, largest=True),
    # Kooi 2005: how many answers are possible.
    Measure("most-parts", lambda size: -1 if size else 0, 1, False, won=-1),
)


@dataclass(frozen=True)
class BestPartition:
    """Chooses the guess with the best partition of the candidates, among the words of a scope.

    With an `ear` it is the one least often misheard of all guesses within its tolerance of the best. Weighted problems
    are measured by weight instead of number.
    """

    measure: Measure
    scope: str = LIST
    ear: Ear | None = None

    @property
    def name(self) -> str:
        """Return the name of the strategy."""
        return f"{self.measure.name}-{self.scope}"

    def choose(self, position: TablePosition) -> int:
        """Compare the guesses of the scope."""
        members, problem = position.members, position.table.problem
        # Of two candidates either one is as good as a guess can be, and so is any first code of a game without
        # repeats.
        if len(members) <= 2 or (not position.turns and problem.is_symmetric and not problem.rules.repeats):
            return int(members[0])
        scores = self._scores(position, members)
        if self.scope == CANDIDATES:
            return self._best(position, members, scores)
        if self.ear is None and scores.min() <= self._least(problem, members):
            return int(members[scores.argmin()])
        others = np.arange(len(problem.weights if self.scope == LIST else problem.guesses), dtype=np.int32)
        others = np.delete(others, members)
        both = np.concatenate((scores, self._scores(position, others)))
        return self._best(position, np.concatenate((members, others)), both)

    def _scores(self, position: TablePosition, guesses: Members) -> Numbers:
        table, members, measure = position.table, position.members, self.measure
        values = _values(measure, int(table.problem.weights.sum()))
        if table.problem.is_uniform:
            short = values[: len(members) + 1]
            return position.core.scores(table, members, guesses, short, measure.won, measure.largest)
        scores = [np.zeros(0, dtype=np.int64)]
        for start in range(0, len(guesses), 256):
            parts = part_weights(table, members, guesses[start : start + 256])
            worth = values[parts]
            worth[:, -1][parts[:, -1] > 0] = measure.won
            scores.append(worth.max(axis=1) if measure.largest else worth.sum(axis=1))
        return np.concatenate(scores)

    def _least(self, problem: Problem, members: Members) -> int:
        """Return the best score of a guess that cannot win: one that separates all members."""
        sizes = [1] * len(members) if problem.is_uniform else problem.weights[members].tolist()
        worths = [self.measure.worth(size) for size in sizes]
        return max(worths) if self.measure.largest else sum(worths)

    def _best(self, position: TablePosition, guesses: Members, scores: Numbers) -> int:
        """Choose among the best of `guesses`, which have the candidates first."""
        if self.ear is None:
            return int(guesses[scores.argmin()])
        problem, members = position.table.problem, position.members
        size = len(members) if problem.is_uniform else int(problem.weights[members].sum())
        slack = self.ear.tolerance * self.measure.unit * (size if self.measure.shared else 1)
        # A guess that splits nothing is not good enough, however well it is heard.
        near = (scores <= scores.min() + slack) & (scores < self.measure.worth(size))
        if scores.argmin() < len(members):
            near[len(members) :] = False
        return int(guesses[near][self.ear.risks(position.table, members, guesses[near]).argmin()])


@lru_cache(maxsize=8)
def _values(measure: Measure, most: int) -> Numbers:
    return np.array([measure.worth(size) for size in range(most + 1)], dtype=np.int64)


def offered(problem: Problem) -> list[str]:
    """List the names of strategies for a problem: wider scopes and shapes only where they make a difference."""
    wider = len(problem.guesses) > len(problem.weights)
    scopes = (CANDIDATES, LIST, WIDER) if wider else (CANDIDATES, LIST)
    robot = ["robot"] if problem.rules.kind == PLACES and not problem.is_symmetric else []
    compared = [f"{measure.name}-{scope}" for measure in MEASURES for scope in scopes]
    return ["consistent", "frequent-first", *robot, *(shapes.SHAPED if shapes.differ(problem) else ()), *compared]


def named(
    names: Iterable[str], problem: Problem, ear: Ear | None = None, bands: Sequence[int | None] = ()
) -> list[TableStrategy]:
    """Make strategies by name, in the order of `offered`: `all` stands for all, `entropy` for entropy at every scope.

    `article` stands for those of `ARTICLE`, whose names are accepted too. `bands` says how common each secret is, for
    the robot's strategy. Raises `DeskError` for an unknown name.
    """
    usual = offered(problem)
    known = [*usual, *(name for name in shapes.SHAPED if name not in usual)]
    chosen: set[str] = set()
    for name in names:
        groups = {"all": usual, "article": list(ARTICLE.values())}
        meant = groups.get(name) or [other for other in known if _is_meant(name, other)]
        if not meant:
            choice = ", ".join(
                dict.fromkeys(
                    other.removesuffix(f"-{LIST}")
                    for other in usual
                    if not other.endswith((f"-{CANDIDATES}", f"-{WIDER}"))
                )
            )
            raise DeskError(
                f"There is no strategy '{name}' for this game; choose from: all, {choice}."
                f"{meant_by(name, ['all', 'article', *choice.split(', ')])}"
            )
        chosen.update(meant)
    return [_make(name, problem, ear, bands) for name in known if name in chosen]


def _is_meant(name: str, strategy: str) -> bool:
    return ARTICLE.get(name, name) in (strategy, strategy.rpartition("-")[0])


def _make(name: str, problem: Problem, ear: Ear | None, bands: Sequence[int | None]) -> TableStrategy:
    if name == "robot":
        return RobotStrategy(problem, tuple(bands))
    if name in ("consistent", "frequent-first"):
        return RandomConsistent() if name == "consistent" else FrequentFirst()
    if name in shapes.SHAPED:
        return shapes.Shaped(name, problem)
    kind, _, scope = name.rpartition("-")
    return BestPartition(next(measure for measure in MEASURES if measure.name == kind), scope, ear)
