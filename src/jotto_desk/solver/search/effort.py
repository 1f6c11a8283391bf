"""How much a search may do, and what it found."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..core import ENDLESS, Core
from ..plan import Plan, distribution, turns_taken
from ..table import Table

#: Turns added for a secret that is not found in time, where every secret ought to be found.
NEVER = 10_000


@dataclass(frozen=True)
class Effort:
    """What a search may spend: guesses tried per set in the beam, seconds, threads, bytes of memo.

    `cap` is the most guesses allowed; a secret not found by then costs `miss` turns more. `first` fixes the first
    guess. `prove` goes on after the beam until the best tree is found and proven, or `seconds` are over.
    """

    width: int = 20
    full: int = 8
    prove: bool = True
    seconds: float | None = None
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    memo_bytes: int = 512 << 20
    cap: int | None = None
    miss: int = NEVER
    first: int | None = None
    cluster: str | None = None
    checkpoint: Path | None = None

    @property
    def left(self) -> int:
        """The guesses allowed at the root."""
        return self.cap or ENDLESS


@dataclass(frozen=True)
class State:
    """Where a search stands: the stage, jobs done and to do, the best cost so far and a bound no tree can be below."""

    stage: str
    done: int
    of: int
    best: int
    bound: int


Tell = Callable[[State], None]


@dataclass(frozen=True)
class Outcome:
    """The best tree found: its cost (weight times turns, misses included) and what is known about better ones."""

    plan: Plan
    cost: int
    lower_bound: int
    seconds: float
    cpu_seconds: float
    interrupted: bool = False

    @property
    def proven(self) -> bool:
        """Whether no tree is better."""
        return self.lower_bound >= self.cost

    def plain(self, table: Table) -> dict[str, Any]:
        """Give the figures as a dict for JSON; totals count the winning guess and every secret once."""
        problem = table.problem
        taken = turns_taken(self.plan, problem, table.rows)
        counts = distribution(taken)
        found = [turn for turn in taken if turn]
        weight = int(problem.weights.sum())
        plain = {
            "total": sum(found), "mean": round(sum(found) / max(1, len(found)), 6), "max": max(found, default=0),
            "distribution": {str(turn): count for turn, count in counts.items() if turn}, "missed": counts.get(0, 0),
            "lower_bound": self.lower_bound, "proven": self.proven, "first": _shown(problem.guesses[self.plan.guess]),
            "secrets": len(taken), "seconds": round(self.seconds, 3), "cpu_seconds": round(self.cpu_seconds, 3),
        }  # fmt: skip
        if not problem.is_uniform:
            cost = sum(int(heavy) * (turn or 0) for heavy, turn in zip(problem.weights, taken, strict=True))
            plain["weighted_mean"] = round(cost / weight, 6)
            plain["weighted_lower_bound"] = round(self.lower_bound / weight, 6)
        return plain


@dataclass
class Bench:
    """What all parts of one search share: the table, the core, the effort, and the flag that stops it."""

    table: Table
    core: Core
    effort: Effort
    stop: "np.ndarray[Any, np.dtype[np.int32]]" = field(default_factory=lambda: np.zeros(1, dtype=np.int32))


def _shown(word: Any) -> str:
    return word if isinstance(word, str) else " ".join(map(str, word))
