"""Heuristic strategies over a feedback table: each scores the guesses at a set of secrets and chooses one.

Some count answers that are easily misheard, some look at the shape of a code. A strategy can start with a given guess
or follow a plan.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log2
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from jotto import compat, strategies
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import Rules, WordError
from jotto.words import fold_word
from jotto_desk.errors import DeskError, did_you_mean
from jotto_desk.solver import feedback_table
from jotto_desk.solver.feedback_table import Core, FeedbackTable, Members, Numbers
from jotto_desk.solver.problem import Plan, Problem, Word

# A position, and the protocol of a strategy.


class TablePosition(NamedTuple):
    """A position: the table, the secrets that fit (rising), and the turns (guess, code) that led here."""

    core: Core
    table: FeedbackTable
    members: Members
    turns: tuple[tuple[int, int], ...] = ()


class TableStrategy(Protocol):
    """A strategy: the same position always gets the same guess."""

    @property
    def name(self) -> str:
        """Return the name of the strategy."""

    def choose(self, position: TablePosition) -> int:
        """Return the number of the next guess."""


# Shapes of codes, and three strategies based on them (Moscatelli's article on a Mastermind in Datalog).
#
# The shape of a code lists the counts of its symbols, the largest first: `rryg` has 2-1-1. Shapes are
# ordered from all different (1-1-1-1) to all the same (4), and codes of one shape by their symbols.

_PLATYKURTIC, _MESOKURTIC, _LEPTOKURTIC = "platykurtic", "mesokurtic", "leptokurtic"
SHAPE_STRATEGIES = (_PLATYKURTIC, _MESOKURTIC, _LEPTOKURTIC)


def count_symbols(code: Word) -> tuple[int, ...]:
    """Count the occurrences of each symbol of a code, the most frequent first.

    >>> count_symbols("rryg")
    (2, 1, 1)
    """
    return tuple(sorted(Counter(code).values(), reverse=True))


@dataclass(frozen=True, eq=False)
class _ShapeStrategy:
    """Chooses the flattest code that still fits, the one in the middle, or the most peaked; ties go by symbols."""

    name: str
    problem: Problem

    def choose(self, position: TablePosition) -> int:
        """Choose the first, the middle (of n codes number n // 2) or the last of the candidates in their order."""
        members = position.members
        ranks = self._rank[members]
        if self.name == _MESOKURTIC:
            return int(members[np.argsort(ranks)[len(members) // 2]])
        return int(members[ranks.argmin() if self.name == _PLATYKURTIC else ranks.argmax()])

    @cached_property
    def _rank(self) -> npt.NDArray[np.int64]:
        symbols = feedback_table.number_letters(self.problem).tolist()
        order = sorted(range(len(self.problem.weights)), key=lambda code: (count_symbols(symbols[code]), symbols[code]))
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(len(order))
        return ranks


# Answers that sound alike: the chance that an answer is heard as another possible one.
#
# The player says two numbers, first those in place, then those elsewhere (one number where letters in common count).
# A misheard number misleads only if some candidate would give the answer heard; otherwise NAO notices.
#
# The figures were measured with pocketsphinx 5.1 (its US-English model, a closed grammar of zero to five) on utterances
# of ten espeak-ng 1.52 voices at two speeds and two pitches: quiet, white noise at 20 and 10 dB below the voice, babble
# at 20 dB. Four suffers most (heard as five or zero), then one (five). A robot has other figures, and NAO asks to
# confirm unclear answers: the risks compare guesses, and are not predictions.

#: Utterances per number.
_SAID_NUMBERS = 160
#: For each number said, the times that it was heard as 0, 1, 2, 3, 4, 5. The cases missing from `_SAID_NUMBERS` were
#: not recognised.
_HEARD_NUMBERS = (
    (157, 0, 1, 2, 0, 0),
    (3, 139, 0, 1, 4, 11),
    (0, 4, 155, 0, 0, 1),
    (0, 0, 0, 160, 0, 0),
    (6, 2, 2, 1, 130, 16),
    (0, 0, 0, 0, 0, 160),
)
#: The unit of risks: two numbers, each in `_SAID_NUMBERS` utterances.
WHOLE_CHANCE = _SAID_NUMBERS * _SAID_NUMBERS


@dataclass(frozen=True)
class MishearingPenalty:
    """A preference for guesses whose answers are rarely misheard, among those within `tolerance` of the best.

    The tolerance is in the measure's own unit: bits for entropy, words for expected size and minimax, parts.
    """

    tolerance: float = 0.0


@lru_cache(maxsize=8)
def compute_confusions(rules: Rules) -> npt.NDArray[np.int64]:
    """Return the chance of each code heard per code said, in 1/`WHOLE_CHANCE`: [said, heard], 0 if they are the same.

    The winning answer is a yes, not a number, so it is in no pair; numbers above five were not measured and count as
    always heard right. Raises `DeskError` for marks, which are not spoken.
    """
    if rules.kind == MARKS:
        raise DeskError("Marks per place are not spoken, so none sound alike; leave --speech out.")
    numbers = np.eye(max(rules.length + 1, len(_HEARD_NUMBERS)), dtype=np.int64) * _SAID_NUMBERS
    numbers[: len(_HEARD_NUMBERS), : len(_HEARD_NUMBERS)] = _HEARD_NUMBERS
    size = rules.length + 1
    once = numbers[:size, :size]
    # Codes of places are exact * size + misplaced.
    both = once * _SAID_NUMBERS if rules.kind == COMMON else np.kron(once, once)
    codes = size + 1 if rules.kind == COMMON else rules.length * size + 1
    table = np.zeros((codes, codes), dtype=np.int64)
    table[:-1, :-1] = both[: codes - 1, : codes - 1]
    np.fill_diagonal(table, 0)
    table.flags.writeable = False
    return table


def sum_risks(table: FeedbackTable, members: Members, guesses: Members) -> Numbers:
    """Sum up, per guess, the chances in 1/`WHOLE_CHANCE` that an answer is misheard, over `members` by weight.

    Only answers that some member would give count as heard.
    """
    alike = compute_confusions(table.problem.rules)
    found = [np.zeros(0, dtype=np.int64)]
    for start in range(0, len(guesses), 256):
        parts = _answer_weights(table, members, guesses[start : start + 256])
        found.append(((parts @ alike) * (parts > 0)).sum(axis=1))
    return np.concatenate(found)


def _answer_weights(table: FeedbackTable, members: Members, guesses: Members) -> Numbers:
    """Sum up the weights of the members that give each code to each guess: [guesses, codes], the winning code last."""
    codes = len(table.problem.classes)
    cells = table.rows[guesses[:, None], members] + codes * np.arange(len(guesses))[:, None]
    heavy = np.tile(table.problem.weights[members], len(guesses))
    sums = np.bincount(cells.ravel(), heavy, codes * len(guesses))
    return sums.astype(np.int64).reshape(-1, codes)


def estimate_misheard(table: FeedbackTable, plan: Plan) -> float:
    """Return the expected number of misheard answers per game, over all secrets by weight."""
    total = sum(int(sum_risks(table, members, np.array([guess]))[0]) for guess, members in _walk_plan(table, plan))
    return float(total / WHOLE_CHANCE / int(table.problem.weights.sum()))


def _walk_plan(table: FeedbackTable, plan: Plan) -> Iterator[tuple[int, Members]]:
    """Yield the guess of every node with the secrets that reach it."""
    waiting = [(plan, table.everything)]
    while waiting:
        here, members = waiting.pop()
        yield here.guess, members
        parts = table.split(here.guess, members) if here.children else {}
        waiting += [(child, parts[code]) for code, child in here.children.items() if code in parts]


# Heuristic strategies: each compares guesses at a set of secrets and chooses one.
#
# Scores are whole numbers and smaller is better, so ties are exact with any core. Of equal guesses a candidate comes
# before a word that cannot win, then the smaller number: a problem has its heaviest words first, else in the order of
# the list, which for the game's own lists is commonest first. Codes are in the order of their symbols. With a
# `MishearingPenalty` the guess whose answers are least often misheard comes before all that.

#: Scores count bits in whole steps: this many per bit.
BIT_UNITS = 1 << 24
#: Which words a strategy may ask: those that fit, all that can be the secret, all there are.
_CANDIDATE_GUESSES, _LIST_GUESSES, ALL_GUESSES = "cand", "all", "wider"
#: The names of Moscatelli's article for its strategies, and for one it lacks, with the names used here.
ARTICLE_STRATEGIES = {
    "first": "frequent-first",
    "random": "consistent",
    "platyk": _PLATYKURTIC,
    "mesok": _MESOKURTIC,
    "leptok": _LEPTOKURTIC,
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
class _FrequentFirst:
    """The most common word that still fits; of codes, the first that does (Shapiro 1983)."""

    name: str = "frequent-first"

    def choose(self, position: TablePosition) -> int:
        return int(position.members[0])


@dataclass(frozen=True, eq=False)
class _RobotStrategy:
    """The strategy of the robot without a tree: the engine's own, which compares few candidates per turn."""

    problem: Problem
    bands: tuple[int | None, ...] = ()
    seed: int = 1
    name: str = "robot"

    def choose(self, position: TablePosition) -> int:
        left = sum(1 << number for number in position.members.tolist())
        seen = strategies.Position(self._index, left, self.bands, len(position.turns), self.seed, (), 0)
        return int(self._index.select_word(strategies.Entropy().choose(seen)).bit_length() - 1)

    @cached_property
    def _index(self) -> Index:
        return Index(self.problem.secrets, self.problem.rules)


@dataclass(frozen=True)
class Measure:
    """A measure of partitions: `worth` of a part's size, summed over the parts or (`largest`) of the largest part.

    The winning part counts as `won`: it leaves nothing to ask. (With equal weights this makes a difference only for
    the most parts, and winning counts as one answer more.) `unit` is the score of one bit or word of the measure; where
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
    Measure("entropy", lambda size: round(size * log2(size) * BIT_UNITS) if size else 0, BIT_UNITS, True),
    # Irving 1978: the words expected to be left, (1/n) sum of s * s.
    Measure("expected-size", lambda size: size * size, 1, True),
    # Knuth 1977: the most words that can be left.
    Measure("minimax", lambda size: size, 1, False, largest=True),
    # Kooi 2005: the number of possible answers.
    Measure("most-parts", lambda size: -1 if size else 0, 1, False, won=-1),
)


@dataclass(frozen=True)
class BestPartition:
    """Chooses the guess with the best partition of the candidates, among the words of a scope.

    With an `ear` it is the one least often misheard of all guesses within its tolerance of the best. Weighted problems
    are measured by weight instead of number.
    """

    measure: Measure
    scope: str = _LIST_GUESSES
    ear: MishearingPenalty | None = None

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
        scores = self._compute_scores(position, members)
        if self.scope == _CANDIDATE_GUESSES:
            return self._find_best(position, members, scores)
        if self.ear is None and scores.min() <= self._find_least(problem, members):
            return int(members[scores.argmin()])
        others = np.arange(len(problem.weights if self.scope == _LIST_GUESSES else problem.guesses), dtype=np.int32)
        others = np.delete(others, members)
        both = np.concatenate((scores, self._compute_scores(position, others)))
        return self._find_best(position, np.concatenate((members, others)), both)

    def _compute_scores(self, position: TablePosition, guesses: Members) -> Numbers:
        table, members, measure = position.table, position.members, self.measure
        values = _compute_values(measure, int(table.problem.weights.sum()))
        if table.problem.is_uniform:
            short = values[: len(members) + 1]
            return position.core.score_guesses(table, members, guesses, short, measure.won, measure.largest)
        scores = [np.zeros(0, dtype=np.int64)]
        for start in range(0, len(guesses), 256):
            parts = _answer_weights(table, members, guesses[start : start + 256])
            worth = values[parts]
            worth[:, -1][parts[:, -1] > 0] = measure.won
            scores.append(worth.max(axis=1) if measure.largest else worth.sum(axis=1))
        return np.concatenate(scores)

    def _find_least(self, problem: Problem, members: Members) -> int:
        """Return the best score of a guess that cannot win: one that separates all members."""
        sizes = [1] * len(members) if problem.is_uniform else problem.weights[members].tolist()
        worths = [self.measure.worth(size) for size in sizes]
        return max(worths) if self.measure.largest else sum(worths)

    def _find_best(self, position: TablePosition, guesses: Members, scores: Numbers) -> int:
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
        return int(guesses[near][sum_risks(position.table, members, guesses[near]).argmin()])


@lru_cache(maxsize=8)
def _compute_values(measure: Measure, most: int) -> Numbers:
    return np.array([measure.worth(size) for size in range(most + 1)], dtype=np.int64)


def list_strategies(problem: Problem) -> list[str]:
    """List the names of strategies for a problem: wider scopes and shapes only if they make a difference."""
    wider = len(problem.guesses) > len(problem.weights)
    scopes = (_CANDIDATE_GUESSES, _LIST_GUESSES, ALL_GUESSES)[: 3 if wider else 2]
    robot = ["robot"] if problem.rules.kind == PLACES and not problem.is_symmetric else []
    compared = [f"{measure.name}-{scope}" for measure in MEASURES for scope in scopes]
    has_shapes = problem.rules.repeats and len({count_symbols(code) for code in problem.secrets}) > 1
    return ["consistent", "frequent-first", *robot, *(SHAPE_STRATEGIES if has_shapes else ()), *compared]


def make_strategies(
    names: Iterable[str], problem: Problem, ear: MishearingPenalty | None = None, bands: Sequence[int | None] = ()
) -> list[TableStrategy]:
    """Make strategies by name, in the order of `list_strategies`; `all` means all, `entropy` entropy at every scope.

    `article` means those of `ARTICLE_STRATEGIES`, whose names are accepted too. `bands` says how common each secret is,
    for the robot's strategy. Raises `DeskError` for an unknown name.
    """
    usual = list_strategies(problem)
    known = [*usual, *(name for name in SHAPE_STRATEGIES if name not in usual)]
    chosen: set[str] = set()
    for name in names:
        groups = {"all": usual, "article": list(ARTICLE_STRATEGIES.values())}
        ours = ARTICLE_STRATEGIES.get(name, name)
        meant = groups.get(name) or [other for other in known if ours in (other, other.rpartition("-")[0])]
        if not meant:
            scopes = (f"-{_CANDIDATE_GUESSES}", f"-{ALL_GUESSES}")
            choice = [other.removesuffix(f"-{_LIST_GUESSES}") for other in usual if not other.endswith(scopes)]
            choice = list(dict.fromkeys(choice))
            near = did_you_mean(name, ["all", "article", *choice])
            raise DeskError(
                f"There is no strategy '{name}' for this game; choose from: all, {', '.join(choice)}.{near}"
            )
        chosen.update(meant)
    return [_make(name, problem, ear, bands) for name in known if name in chosen]


def _make(name: str, problem: Problem, ear: MishearingPenalty | None, bands: Sequence[int | None]) -> TableStrategy:
    if name == "robot":
        return _RobotStrategy(problem, tuple(bands))
    if name in ("consistent", "frequent-first"):
        return RandomConsistent() if name == "consistent" else _FrequentFirst()
    if name in SHAPE_STRATEGIES:
        return _ShapeStrategy(name, problem)
    kind, _, scope = name.rpartition("-")
    return BestPartition(next(measure for measure in MEASURES if measure.name == kind), scope, ear)


# Strategies with a given first guess, and a plan played as a strategy.


@dataclass(frozen=True)
class FixedOpening:
    """A strategy with a given first guess, so that strategies are compared rather than their first guesses."""

    strategy: TableStrategy
    guess: int

    @property
    def name(self) -> str:
        """Return the name of the strategy."""
        return self.strategy.name

    def choose(self, position: TablePosition) -> int:
        """Choose the given guess, and later ones by the strategy."""
        return self.strategy.choose(position) if position.turns else self.guess


@dataclass(frozen=True)
class PlanStrategy:
    """A decision tree, played as a strategy."""

    name: str
    plan: Plan

    def choose(self, position: TablePosition) -> int:
        """Follow the turns from the root; raises `DeskError` if the tree ends before the secret is found."""
        here: Plan | None = self.plan
        for _, code in position.turns:
            here = here.children.get(code) if here else None
        if here is None:
            raise DeskError(f"The {self.name} does not find every secret, so it cannot be compared; give another.")
        return here.guess


def parse_first_guess(text: str, problem: Problem) -> int:
    """Return the number of a first guess as typed; symbols of codes can be given by number: 0012 is rroy.

    Raises `DeskError` for a forbidden guess.
    """
    alphabet = problem.rules.alphabet
    word = fold_word(text.strip(), alphabet if isinstance(alphabet, str) else "")
    if problem.is_symmetric and word.isascii() and word.isdigit() and not set(word) <= set(alphabet):
        word = "".join(alphabet[int(digit)] if int(digit) < len(alphabet) else digit for digit in word)
    try:
        problem.rules.check(word)
    except WordError as error:
        raise DeskError(f"'{text}' cannot be the first guess: {error}") from error
    if word not in problem.guesses:
        raise DeskError(
            f"The first guess '{text}' is not in the list, or not allowed here; name further guesses with --wider."
        )
    return problem.guesses.index(word)
