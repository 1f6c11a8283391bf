"""The options of a search, its progress and its outcome."""

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

#: Where every secret has to be found, missing all of them costs this much: the most the core's sums can hold.
NEVER = 1 << 30


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search, such as guesses tried per set in the beam (`width`), threads, bytes of memo.

    `cap` is the most guesses allowed; a secret not found by then costs `miss` turns more (None: all have to be found).
    `first` fixes the first guess. A search that begins with the tree `start` never returns a worse one. With `prove`
    it goes on after the beam until the best tree is found and proven, or `seconds` have passed; without it the lower
    bound looks 1 guess ahead (at once) or 2 `plies` (seconds for long lists). A `cluster`, the address of a Dask
    scheduler, does the jobs of the proof in place of the threads, over TLS where `cluster_tls` is a folder of
    certificates. Where a cap is hard to keep, a beam with `patience` first learns how large sets may be, and tries so
    many guesses more at every set until a tree misses no secret. With `early`, the tree begins with these guesses; it
    asks one of `late` only if all secrets left are late: see `jotto_desk.solver.search.early`.
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
    cluster_tls: Path | None = None
    checkpoint: Path | None = None
    early: frozenset[int] | None = None
    late: frozenset[int] = frozenset()

    @property
    def left(self) -> int:
        """Return the guesses allowed at the root."""
        return self.cap or ENDLESS


@dataclass(frozen=True)
class SearchState:
    """The progress of a search: the stage, jobs done and in all, the best cost so far, a lower bound of all trees."""

    stage: str
    done: int
    of: int
    best: int
    bound: int


OnProgress = Callable[[SearchState], None]


@dataclass(frozen=True)
class SearchOutcome:
    """The best tree found for a table: its cost (weight times turns, misses included), and a lower bound.

    No tree can cost less than `lower_bound`. `trouble` is a sentence about what ended the search early.
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
        """Tell whether no tree is better."""
        return self.lower_bound >= self.cost

    def plain(self) -> dict[str, Any]:
        """Return the figures as a dict for JSON; totals count the winning guess and every secret once."""
        problem = self.table.problem
        taken = turns_taken(self.plan, problem, self.table.rows)
        counts = distribution(taken)
        found = [turn for turn in taken if turn]
        weight = int(problem.weights.sum())
        plain = {
            "total": sum(found),
            "mean": round(sum(found) / max(1, len(found)), 6),
            "max": max(found, default=0),
            "distribution": {str(turn): count for turn, count in counts.items() if turn},
            "missed": counts.get(0, 0),
            "lower_bound": self.lower_bound,
            "proven": self.proven,
            "first": _shown(problem.guesses[self.plan.guess]),
            "secrets": len(taken),
            "seconds": round(self.seconds, 3),
            "cpu_seconds": round(self.cpu_seconds, 3),
        }
        if not problem.is_uniform:
            cost = sum(int(heavy) * (turn or 0) for heavy, turn in zip(problem.weights, taken, strict=True))
            plain["weighted_mean"] = round(cost / weight, 6)
            plain["weighted_lower_bound"] = round(self.lower_bound / weight, 6)
        return plain


class StopSignal:
    """The request that a search ends, from a clock or a person; the core checks `flag` between two guesses."""

    def __init__(self) -> None:
        self.flag: npt.NDArray[np.int32] = np.zeros(1, dtype=np.int32)
        self.requested = False
        self._held = False
        self._lock = threading.Lock()

    def request(self) -> None:
        """Ask the search to end as soon as possible; any thread may do so."""
        with self._lock:
            self.requested = True
            if not self._held:
                self.flag[0] = 1

    def clear(self) -> None:
        """Withdraw the request."""
        with self._lock:
            self.requested = False
            self.flag[0] = 0

    @contextlib.contextmanager
    def deferred(self) -> Iterator[None]:
        """Defer a request until a short piece of work has run to its end."""
        with self._lock:
            self._held, self.flag[0] = True, 0
        try:
            yield
        finally:
            with self._lock:
                self._held, self.flag[0] = False, int(self.requested)


@dataclass
class SearchContext:
    """The shared context of one search: its table, core, options and stop signal."""

    table: FeedbackTable
    core: Core
    options: SearchOptions
    stop: StopSignal = field(default_factory=StopSignal)

    @property
    def miss(self) -> int:
        """Return the extra turns a secret costs that is not found in time."""
        return NEVER // len(self.table.problem.weights) if self.options.miss is None else self.options.miss


def _shown(word: Any) -> str:
    return word if isinstance(word, str) else " ".join(map(str, word))
