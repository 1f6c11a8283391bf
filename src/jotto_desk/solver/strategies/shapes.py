"""Shapes of codes, and the three strategies based on them (Moscatelli's article on a Mastermind in Datalog).

The shape of a code lists how often each of its symbols occurs, the most frequent first: `rryg` has 2-1-1. Shapes are
ordered from all different (1-1-1-1) to all the same (4), and codes of one shape by their symbols.
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
    """Count the occurrences of each symbol of a code, the most frequent first.

    >>> shape("rryg")
    (2, 1, 1)
    """
    return tuple(sorted(Counter(code).values(), reverse=True))


def differ(problem: Problem) -> bool:
    """Tell whether the secrets have more than one shape."""
    return problem.rules.repeats and len({shape(code) for code in problem.secrets}) > 1


@dataclass(frozen=True, eq=False)
class Shaped:
    """Chooses the flattest code that still fits, the one in the middle, or the most peaked; ties go by symbols."""

    name: str
    problem: Problem

    def choose(self, position: TablePosition) -> int:
        """Choose the first, the middle (of n codes number n // 2) or the last of the candidates in their order."""
        members = position.members
        ranks = self._rank[members]
        if self.name == MESOKURTIC:
            return int(members[np.argsort(ranks)[len(members) // 2]])
        return int(members[ranks.argmin() if self.name == PLATYKURTIC else ranks.argmax()])

    @cached_property
    def _rank(self) -> npt.NDArray[np.int64]:
        """Return the place of every secret in the order."""
        symbols = feedback_codes.numbered(self.problem).tolist()
        order = sorted(range(len(self.problem.weights)), key=lambda code: (shape(symbols[code]), symbols[code]))
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(len(order))
        return ranks
