"""How much a search may do, and what it found."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..contract import ENDLESS, Core
from ..model.feedback_table import FeedbackTable
from ..model.plan import Plan, distribution, turns_taken

#: Where every secret has to be found, missing all of them costs this: as much as the core's sums can hold.
NEVER = 1 << 30


@dataclass(frozen=True)
class SearchOptions:
    """What a search may spend: guesses tried per set in the beam, seconds, threads, bytes of memo.

    `cap` is the most guesses allowed; a secret not found by then costs `miss` turns more (None: all
    have to be found). `first` fixes the first guess. A search that is given the tree `start` finds none that is worse.
    `prove` goes on after the beam until the best tree is found and proven, or `seconds` are over; without it the lower
    bound plies 1 guess ahead (at once) or 2 (seconds for long lists). A `cluster`, the address of a Dask
    scheduler, does the jobs of the proof in place of the threads. Where a cap is hard to keep, a beam with a `patience`
    first learns how large sets may be, and tries so many guesses more at every set until a tree misses none.
    """

    width: int = 20
    full: int = 8
    patience: int | None = None
    prove: bool = True
    seconds: float | None = None
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    memo_bytes: int = 512 << 20
    cap: int | None = None
    miss: int | None = None
    first: int | None = None
    start: Plan | None = None
    plies: int = 2
    cluster: str | None = None
    checkpoint: Path | None = None

    @property
    def left(self) -> int:
        """The guesses allowed at the root."""
        return self.cap or ENDLESS


@dataclass(frozen=True)
class SearchState:
    """Where a search stands: the stage, jobs done and to do, the best cost so far and a bound no tree can be below."""

    stage: str
    done: int
    of: int
    best: int
    bound: int


OnProgress = Callable[[SearchState], None]


@dataclass(frozen=True)
class SearchOutcome:
    """The best tree found for the problem of a table: its cost (weight times turns, misses included), and a bound.

    No tree can cost less than `lower_bound`. `trouble` is a sentence about what ended the search before its time.
    """

    table: FeedbackTable
    plan: Plan
    cost: int
    lower_bound: int
    seconds: float
    cpu_seconds: float
    trouble: str = ""

    @property
    def proven(self) -> bool:
        """Whether no tree is better."""
        return self.lower_bound >= self.cost

    def plain(self) -> dict[str, Any]:
        """Give the figures as a dict for JSON; totals count the winning guess and every secret once."""
        problem = self.table.problem
        taken = turns_taken(self.plan, problem, self.table.rows)
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


class StopSignal:
    """The wish that a search ends, from a clock or a person; the core plies at `flag` between two guesses."""

    def __init__(self) -> None:
        self.flag: npt.NDArray[np.int32] = np.zeros(1, dtype=np.int32)
        self.requested = False
        self._held = False
        self._lock = threading.Lock()

    def request(self) -> None:
        """Let the search end as quick as may be; any thread may ask."""
        with self._lock:
            self.requested = True
            if not self._held:
                self.flag[0] = 1

    def clear(self) -> None:
        """Take the wish back."""
        with self._lock:
            self.requested = False
            self.flag[0] = 0

    @contextlib.contextmanager
    def deferred(self) -> Iterator[None]:
        """Let a short piece of work run to its end, whatever is requested."""
        with self._lock:
            self._held, self.flag[0] = True, 0
        try:
            yield
        finally:
            with self._lock:
                self._held, self.flag[0] = False, int(self.requested)


@dataclass
class SearchContext:
    """What all parts of one search share: the table, the core, the options, and what stops it."""

    table: FeedbackTable
    core: Core
    options: SearchOptions
    stop: StopSignal = field(default_factory=StopSignal)

    @property
    def miss(self) -> int:
        """The turns a secret not found in time costs more."""
        return NEVER // len(self.table.problem.weights) if self.options.miss is None else self.options.miss


def _shown(word: Any) -> str:
    return word if isinstance(word, str) else " ".join(map(str, word))
