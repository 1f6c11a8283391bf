"""Which guess to ask where these codes fit: compared by what the answer tells, or searched to the end of the game."""

import contextlib
from collections.abc import Sequence
from typing import NamedTuple

from jotto.feedback import Feedback
from jotto.rules import Rules

from ....solver.contract import Core
from ....solver.model.plan import Plan
from ....solver.model.problem import Problem
from ....solver.search.estimate import assumed
from ....solver.search.extract import Stopped, grow
from ....solver.strategies.heuristics import MEASURES, WIDER, BestPartition
from ....solver.strategies.position import TablePosition
from ..levels import Code
from . import code_tables
from .code_tables import Codes, Turn
from .time_budget import Budget

#: Sets of at most so many codes are searched to their end, trying the most promising guesses at every point.
MOST_SEARCHED, WIDTH = 1_300, 3
#: A code that is not found in time counts so many guesses, so that finding all goes before finding them soon.
MISS = 60_000
#: A search of the core looks no further ahead.
FURTHEST = 60
MEMORY = 1 << 26


class Scales:
    """A comparison of guesses on codes that fit; `measure` is the name of one of the solver's measures."""

    def __init__(self, rules: Rules, core: Core, measure: str) -> None:
        self.rules, self.core = rules, core
        self._ahead: tuple[tuple[Turn, ...], _Node | None] = (), None
        self._strategy = BestPartition(next(one for one in MEASURES if one.name == measure), WIDER)

    def most_telling(self, codes: Codes, others: Codes) -> Code:
        """Return the guess, of the codes and `others`, whose answer tells most by the measure; codes win ties."""
        table = code_tables.table_of(codes, others, self.rules, self.core)
        # With a turn played, so that no first move is taken for granted.
        number = self._strategy.choose(TablePosition(self.core, table, table.everything, ((0, 0),)))
        return _code(codes, others, number)

    def searched(self, turns: Sequence[Turn], codes: Codes, others: Codes, left: int, budget: Budget) -> Code | None:
        """Return the guess after which most codes are found within `left` guesses, and among those soonest.

        None where there is no time for it. What the search has found for later turns is remembered: see `foreseen`.
        """
        if len(codes) > MOST_SEARCHED:
            return None
        table = code_tables.table_of(codes, others, self.rules, self.core)
        search = self.core.search(table, MISS, WIDTH, 0, MEMORY, budget.flag)
        search.estimate(assumed(len(codes)))
        found = search.solve(table.everything, min(left, FURTHEST))
        if found is None or found.guess < 0:
            return None
        with contextlib.suppress(Stopped):
            plan = grow(search, table, table.everything, min(left, FURTHEST), first=found.guess)
            self._ahead = tuple(turns), _compact(plan, codes, others, table.problem)
        return _code(codes, others, found.guess)

    def foreseen(self, turns: Sequence[Turn]) -> Code | None:
        """Return the guess the last search found for these turns; None where they do not continue it."""
        before, node = self._ahead
        if node is None or tuple(turns[: len(before)]) != before:
            return None
        for guess, feedback in turns[len(before) :]:
            further = node.further.get(feedback)
            if node.code != guess or further is None:
                return None
            node = further
        return node.code


class _Node(NamedTuple):
    """A guess, and what to ask after each answer to it: a plan without its table."""

    code: Code
    further: dict[Feedback, "_Node"]


def _compact(plan: Plan, codes: Codes, others: Codes, problem: Problem) -> _Node:
    children = plan.children.items()
    further = {problem.classes[code]: _compact(child, codes, others, problem) for code, child in children}
    return _Node(_code(codes, others, plan.guess), further)


def _code(codes: Codes, others: Codes, number: int) -> Code:
    """Return the guess of this number in a table of both."""
    row = codes[number] if number < len(codes) else others[number - len(codes)]
    return tuple(row.tolist())
