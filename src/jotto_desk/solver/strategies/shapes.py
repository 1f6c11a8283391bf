"""Shapes of codes, and the three strategies that go by them (Moscatelli's article on a Mastermind in Datalog).

The shape of a code is how often its symbols stand in it, the most frequent first: `rryg` has 2-1-1. Shapes rise from
all different (1-1-1-1) to all the same (4), and codes of one shape stand in the order of their symbols.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..model import feedback_codes
from ..model.problem import Problem, Word
from .position import TablePosition

PLATYKURTIC, MESOKURTIC, LEPTOKURTIC = "platykurtic", "mesokurtic", "leptokurtic"
SHAPED = (PLATYKURTIC, MESOKURTIC, LEPTOKURTIC)


def shape(code: Word) -> tuple[int, ...]:
    """Count how often each symbol of a code stands in it, the most frequent first.

    >>> shape("rryg")
    (2, 1, 1)
    """
    return tuple(sorted(Counter(code).values(), reverse=True))


def differ(problem: Problem) -> bool:
    """Whether the secrets have more than one shape, so that it tells something."""
    return problem.rules.repeats and len({shape(code) for code in problem.secrets}) > 1


@dataclass(frozen=True, eq=False)
class Shaped:
    """The flattest code that still fits, the one in the middle, or the most peaked; by shape, then by symbols."""

    name: str
    problem: Problem

    def choose(self, position: TablePosition) -> int:
        """Name the first, the middle (of n codes number n // 2) or the last of the candidates in their order."""
        members = position.members
        ranks = self._rank[members]
        if self.name == MESOKURTIC:
            return int(members[np.argsort(ranks)[len(members) // 2]])
        return int(members[ranks.argmin() if self.name == PLATYKURTIC else ranks.argmax()])

    @cached_property
    def _rank(self) -> npt.NDArray[np.int64]:
        """Per secret its place in the order."""
        symbols = feedback_codes.numbered(self.problem).tolist()
        order = sorted(range(len(self.problem.weights)), key=lambda code: (shape(symbols[code]), symbols[code]))
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(len(order))
        return ranks
