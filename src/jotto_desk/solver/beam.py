"""The beam search: at every set of secrets it tries only the guesses that look best, and gives a good tree early.

The options and jobs of a search come first, then the plan taken from a search's memo, then the estimated cost of a set,
then the beam."""

import contextlib
import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from jotto_desk.solver import feedback_table
from jotto_desk.solver.feedback_table import ENDLESS, Core, Costs, FeedbackTable, Members, Search
from jotto_desk.solver.problem import Plan, Problem, count_by_turn

# The plan of a search, taken from its memo.

#: A set on a level of a plan: its members, the guesses before it, and where its plan goes, by the code of its answer.
_Place = tuple[Members, tuple[int, ...], dict[int, Plan], int]


class SearchStopped(Exception):
    """A search was stopped while its tree was built."""


def extract_plan(
    search: Search,
    table: FeedbackTable,
    members: Members,
    left: int,
    played: Sequence[int] = (),
    first: int | None = None,
) -> Plan:
    """Build the plan for a set, beginning with the guess `first` if it is given.

    Sets that the memo has dropped are searched again. Secrets that cannot be found within `left` turns get no
    plan. Raises `SearchStopped`.
    """
    top: dict[int, Plan] = {}
    level: list[_Place] = [(members, tuple(played), top, 0)]
    while level:
        asked, places = [], []
        for part, past, siblings, code in level:
            guess = _choose_guess(search, part, left, past) if first is None else first
            siblings[code], first = Plan(guess, {}), None
            if left > 1 and (len(part) > 1 or guess != part[0]):
                asked.append((guess, part))
                places.append(((*past, guess), siblings[code].children))
        parts = table.split_all(asked) if asked else []
        level = [
            (part, *place, code) for place, found in zip(places, parts, strict=True) for code, part in found.items()
        ]
        left -= 1
    return top[0]


def _choose_guess(search: Search, members: Members, left: int, played: tuple[int, ...]) -> int:
    if len(members) == 1:
        return int(members[0])
    answer = search.solve(members, left, None, played)
    if answer is None or answer.guess < 0:
        raise SearchStopped
    return answer.guess


def plan_cost(plan: Plan, table: FeedbackTable, members: Members, left: int, miss: int) -> int:
    """Return the cost of a plan, from the table; secrets it does not find in `left` turns cost `miss` more."""
    turns, found = table.play(plan, members, left)
    return int((table.problem.weights[members] * (turns + miss * ~found)).sum())


def plan_to_lists(plan: Plan) -> list[object]:
    """Return a plan as nested lists for JSON: guess, then codes and children alternately."""
    found: list[object] = [plan.guess]
    for code, child in plan.children.items():
        found += [code, plan_to_lists(child)]
    return found


def plan_from_lists(lists: object, depth: int = 0) -> Plan:
    """Read a plan back; raises `ValueError` when it is damaged."""
    if not isinstance(lists, list) or len(lists) % 2 == 0 or depth > 100:
        raise ValueError("not a plan")
    if not all(isinstance(number, int) for number in (lists[0], *lists[1::2])):
        raise ValueError("not a plan")
    children = {code: plan_from_lists(child, depth + 1) for code, child in zip(lists[1::2], lists[2::2], strict=True)}
    return Plan(lists[0], children)


# Jobs of a search: plain values, done by threads of this computer or by a cluster.

Given = TypeVar("Given")
Back = TypeVar("Back")


class Job(NamedTuple):
    """Find the cost of asking `guess` first or, with a `code`, the cost of the secrets that give this answer to it.

    Costs that are not below `limit` need not be exact. A job that only `looks` two guesses ahead finds a bound.
    """

    guess: int
    code: int | None
    limit: int
    looks: bool = False


class JobResult(NamedTuple):
    """A job, its cost (a bound if it is not below the limit, None if stopped) and its plan if it is below the limit."""

    job: Job
    cost: int | None
    plan: Plan | None


Executor = Callable[[Iterable[Job]], Iterator[JobResult]]


def run_job(search: Search, table: FeedbackTable, left: int, job: Job, plans: bool = True) -> JobResult:
    """Return the cost of one job and, with `plans`, its plan; `left` guesses are allowed from the root.

    The plan is read immediately, before the memo changes.
    """
    try:
        if job.looks:
            return JobResult(job, search.look_ahead(table.everything, left, job.guess, job.limit), None)
        if job.code is None:
            cost = search.attempt(table.everything, left, job.guess, job.limit)
            found = plans and cost is not None and cost < job.limit
            plan = extract_plan(search, table, table.everything, left, first=job.guess) if found else None
            return JobResult(job, cost, plan)
        members, past = table.split(job.guess, table.everything)[job.code], (job.guess,)
        answer = search.solve(members, left - 1, job.limit, past)
        cost = None if answer is None else answer.cost
        found = cost is not None and cost < job.limit and left > 1
        return JobResult(job, cost, extract_plan(search, table, members, left - 1, past) if found else None)
    except SearchStopped:
        return JobResult(job, None, None)


def thread_executor(search: Search, table: FeedbackTable, left: int, threads: int, plans: bool = True) -> Executor:
    """Return an executor that does jobs in threads, all of them on one search and its memo."""
    return lambda jobs: map_in_threads(lambda job: run_job(search, table, left, job, plans), jobs, threads)


def map_in_threads(work: Callable[[Given], Back], jobs: Iterable[Given], threads: int) -> Iterator[Back]:
    """Do every job in threads (the C core runs them in parallel), yielding results as they come.

    A job is taken from the iterable when a thread is free.
    """
    if threads == 1:
        yield from map(work, jobs)
        return
    waiting = iter(jobs)
    with ThreadPoolExecutor(threads) as pool:
        running = {pool.submit(work, job) for job in itertools.islice(waiting, threads)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(work, job) for job in itertools.islice(waiting, len(done))}
            yield from (future.result() for future in done)


# The options of a search, its progress and its outcome.

#: Where every secret has to be found, missing all of them costs this much: the most the core's sums can hold.
_NEVER_MISS_COST = 1 << 30


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search, such as guesses tried per set in the beam (`width`), threads, bytes of memo.

    `cap` is the most guesses allowed; a secret not found by then costs `miss` turns more (None: all have to be found).
    `first` fixes the first guess. A search that begins with the tree `start` never returns a worse one. With `prove`
    it continues after the beam until the best tree is found and proven, or `seconds` have passed, or no tree can be
    better by more than the share `gap` of its cost; without it the lower bound looks 1 guess ahead (immediate) or 2
    `plies` (seconds for long lists). With a cap, a beam tries `patience` more guesses at every set until a tree finds
    every secret. With `early`, the tree begins with these guesses; it asks one of `late` only if all secrets left are
    late: see `jotto_desk.solver.improvement`.
    """

    width: int = 20
    full: int = 8
    patience: int | None = None
    prove: bool = True
    seconds: float | None = None
    gap: float = 0.0
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    memo_bytes: int = 512 << 20
    cap: int | None = None
    miss: int | None = None
    first: int | None = None
    start: Plan | None = None
    plies: int = 2
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

    No tree can cost less than `lower_bound`. `trouble` is a sentence about what ended the search early; `search` is the
    one of the proof, with its memo.
    """

    table: FeedbackTable
    plan: Plan
    cost: int
    lower_bound: int
    seconds: float
    cpu_seconds: float
    trouble: str = ""
    search: Search | None = None

    @property
    def proven(self) -> bool:
        """Return whether no tree is better."""
        return self.lower_bound >= self.cost

    def plain(self) -> dict[str, Any]:
        """Return the figures as a dict for JSON; totals count the winning guess and every secret once."""
        problem = self.table.problem
        turns, is_found = self.table.play(self.plan, self.table.everything, ENDLESS)
        taken = np.where(is_found, turns, 0).tolist()
        counts = count_by_turn(taken)
        found = [turn for turn in taken if turn]
        first = problem.guesses[self.plan.guess]
        plain = {
            "total": sum(found),
            "mean": round(sum(found) / max(1, len(found)), 6),
            "max": max(found, default=0),
            "distribution": {str(turn): count for turn, count in counts.items() if turn},
            "missed": counts.get(0, 0),
            "lower_bound": self.lower_bound,
            "proven": self.proven,
            "first": first if isinstance(first, str) else " ".join(map(str, first)),
            "secrets": len(taken),
            "seconds": round(self.seconds, 3),
            "cpu_seconds": round(self.cpu_seconds, 3),
        }
        if not problem.is_uniform:
            weight = int(problem.weights.sum())
            cost = int((problem.weights * taken).sum())
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
    def defer(self) -> Iterator[None]:
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
        return _NEVER_MISS_COST // len(self.table.problem.weights) if self.options.miss is None else self.options.miss


# The estimated cost of a set by its size: first assumed, then learned from a narrow beam.

#: The effective number of parts a guess is assumed to make, before anything was measured.
_ASSUMED_PARTS = 5.5
#: Trees that take at least this many turns on average are not worth learning from.
_MAX_MEAN_TURNS = 20


def assume_costs(secrets: int) -> Costs:
    """Return assumed costs by size of set, in turns [secrets + 1]: n (0.9 + ln n / ln parts), at least 2 n - 1."""
    sizes = np.arange(secrets + 1, dtype=np.float64)
    curve = sizes * (0.9 + np.log(np.maximum(sizes, 1)) / np.log(_ASSUMED_PARTS))
    costs = np.maximum(curve, 2 * sizes - 1)
    costs[0] = 0
    return np.asarray(costs, dtype=np.float64)


def learn_costs(search: Search, problem: Problem) -> Costs:
    """Fit the curve to the sets a search has solved: n (a ln n + b), by least squares, through the mean per size."""
    secrets, mean_weight = len(problem.weights), float(problem.weights.mean())
    most = min(secrets, 20_000)
    sums, numbers = search.sum_costs(most)
    sizes = np.arange(most + 1)
    # Sets that miss a secret say nothing about those that miss none.
    known = (numbers > 0) & (sizes >= 3) & (sums < _MAX_MEAN_TURNS * mean_weight * np.maximum(numbers * sizes, 1))
    if known.sum() < 8:
        return assume_costs(secrets)
    means = sums[known] / numbers[known] / sizes[known] / mean_weight
    slope, height = np.polyfit(np.log(sizes[known]), means, 1, w=np.minimum(np.sqrt(numbers[known]), 10))
    every = np.arange(secrets + 1, dtype=np.float64)
    costs = np.maximum(every * (slope * np.log(np.maximum(every, 1)) + height), 2 * every - 1)
    costs[0] = 0
    # Small sets were solved often: there the mean itself is the best estimate.
    often = known & (numbers >= 20) & (sizes <= 60)
    costs[: most + 1][often] = (sums[often] / numbers[often]) / mean_weight
    return np.asarray(costs, dtype=np.float64)


# The beam: at every set it tries only the most promising guesses.

#: The memo of a beam of width 1, per secret: room for dozens of sets, although its tree has about one.
_NARROW_MEMO_BYTES = 4096


def search_narrow(context: SearchContext) -> tuple[Plan, int, Search]:
    """Follow only the most promising guess: return a quick tree, its cost, and a search to learn estimates from.

    The tree stays within a cap if it can; the search to learn from ignores it.
    """
    table, left = context.table, context.options.left
    search = _promising_alone(context)
    plan = extract_plan(search, table, table.everything, left, first=context.options.first)
    cost = plan_cost(plan, table, table.everything, left, context.miss)
    if context.options.cap is not None:
        # The sets searched for a cap depend on the order of work, and the costs of sets that miss secrets
        # say nothing about those that miss none: learn without the cap.
        search = _promising_alone(context)
        extract_plan(search, table, table.everything, ENDLESS, first=context.options.first)
    return plan, cost, search


def _promising_alone(context: SearchContext) -> Search:
    secrets = len(context.table.problem.weights)
    # The memo of such a search remains small, and `learn_costs` reads all of it.
    memo_bytes = min(context.options.memo_bytes // 4, secrets * _NARROW_MEMO_BYTES)
    search = context.core.search(context.table, context.miss, 1, 0, memo_bytes)
    search.estimate(assume_costs(secrets))
    return search


def begin_beam(context: SearchContext, given: Costs) -> Search:
    """Begin a beam as wide as the options allow."""
    options = context.options
    patience = feedback_table.DEFAULT_PATIENCE if options.patience is None else options.patience
    search = context.core.search(
        context.table, context.miss, options.width, options.full, options.memo_bytes, context.stop.flag, patience
    )
    search.estimate(given)
    return search


def search_wide(
    context: SearchContext, best: tuple[Plan, int], given: Costs, tell: OnProgress, executor: Executor | None = None
) -> tuple[Plan, int]:
    """Try the `width` most promising guesses at every set; return the best tree, which can be the given one.

    The result does not depend on the number of threads, or on an executor for such a beam that does the jobs instead:
    at every set the same guesses are tried with any limit.
    """
    table, options = context.table, context.options
    search = begin_beam(context, given)
    if options.first is None:
        tried = search.scan(table.everything, options.left)[0][: options.width].tolist()
    else:
        tried = [options.first]
    plan, cost = best
    first: int | None = None
    known: Plan | None = None

    tell(SearchState("beam", 0, len(tried), cost, 0))
    if executor is None:
        executor = thread_executor(search, table, options.left, options.threads, plans=False)
        if len(tried) < options.threads:
            _share_out(context, search, tried, cost, tell)
    # One above the best: of two guesses that cost the same, the more promising one wins, whichever is done first.
    jobs = (Job(guess, None, cost + 1) for guess in tried)
    for done, (job, found, made) in enumerate(executor(jobs), 1):
        place = tried.index(job.guess)
        # A value that is not below the limit is a bound, not a cost.
        if found is not None and (found < cost or (found == cost and (first is None or place < first))):
            cost, first, known = found, place, made
        tell(SearchState("beam", done, len(tried), cost, 0))
    if first is None:
        return plan, cost
    if known is None:
        with context.stop.defer():
            known = extract_plan(search, table, table.everything, options.left, first=tried[first])
    return known, plan_cost(known, table, table.everything, options.left, context.miss)


def _share_out(context: SearchContext, search: Search, tried: list[int], best: int, tell: OnProgress) -> None:
    """Search the sets that a few first guesses leave in parallel, to fill the memo while no thread has to wait."""
    table, options = context.table, context.options
    parts = [(guess, part) for guess in tried for part in table.split(guess, table.everything).values()]
    parts.sort(key=lambda job: -len(job[1]))
    solved = map_in_threads(lambda job: search.solve(job[1], options.left - 1, None, (job[0],)), parts, options.threads)
    for done, _ in enumerate(solved, 1):
        tell(SearchState("beam", done, len(parts), best, 0))
