"""A whole search: a narrow beam, a wide one, then branch and bound until the tree is proven or time is over.

A checkpoint saves a long proof, and a cluster can do the jobs of beam and proof."""

import contextlib
import hashlib
import json
import math
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from jotto_desk import files
from jotto_desk.cluster import Cluster, ClusterLost, watch_task
from jotto_desk.errors import DeskError
from jotto_desk.solver import beam, cores
from jotto_desk.solver.beam import Executor, Job, JobResult, OnProgress, SearchContext, SearchOptions, StopSignal
from jotto_desk.solver.feedback_table import Core, Costs, FeedbackTable, Search, make_table
from jotto_desk.solver.improvement import ask_late_last, improve_tree, search_familiar
from jotto_desk.solver.problem import Plan, Problem

# The checkpoint of a proof: a file from which it resumes.

_CHECKPOINT_VERSION = 1
#: A tree of 100,000 words has half of this; an empty list takes twenty times its bytes in memory.
_MAX_CHECKPOINT_BYTES, _MAX_CHECKPOINT_LISTS = 8 << 20, 500_000
#: The least number of seconds between two writes of the file.
_CHECKPOINT_INTERVAL_S = 20.0


@dataclass
class _Checkpoint:
    """The best tree so far and the bounds of first guesses; without a path it writes no file.

    `mark` names the problem and the options: a checkpoint of another search is refused.
    """

    path: Path | None
    mark: str
    plan: Plan | None = None
    cost: int = 0
    bounds: dict[int, int] = field(default_factory=dict)
    written: float = 0.0

    def keep(self, plan: Plan, cost: int, bounds: dict[int, int], now: bool = False) -> None:
        """Remember the progress; the file is written every few seconds at most."""
        self.plan, self.cost, self.bounds = plan, cost, dict(bounds)
        if self.path is None or (not now and time.monotonic() - self.written < _CHECKPOINT_INTERVAL_S):
            return
        self.written = time.monotonic()
        plain = {
            "version": _CHECKPOINT_VERSION,
            "mark": self.mark,
            "cost": cost,
            "plan": beam.plan_to_lists(plan),
            "bounds": {str(guess): low for guess, low in bounds.items()},
        }
        files.write_whole(self.path, json.dumps({**plain, "seal": _seal(plain)}) + "\n")


def open_checkpoint(path: Path | None, mark: str, table: FeedbackTable) -> _Checkpoint:
    """Read a checkpoint, or begin one if its file does not exist yet.

    Raises `DeskError` when the file is damaged or belongs to another search.
    """
    if path is None or not path.exists():
        return _Checkpoint(path, mark)
    try:
        raw = files.read_bounded(path, _MAX_CHECKPOINT_BYTES, "checkpoint")
        if raw.count(b"[") + raw.count(b"{") > _MAX_CHECKPOINT_LISTS:
            raise ValueError("more lists than a tree has")
        plain = json.loads(raw)
        if plain["version"] != _CHECKPOINT_VERSION:
            other = f"The checkpoint '{path}' is of version {plain['version']}"
            raise DeskError(f"{other}; this program reads {_CHECKPOINT_VERSION}.")
        # A wrong bound would make a wrong proof.
        if plain.pop("seal") != _seal(plain):
            raise ValueError("not as it was written")
        if plain["mark"] != mark:
            raise DeskError(f"The checkpoint '{path}' belongs to another search; name another file or remove it.")
        plan = beam.plan_from_lists(plain["plan"])
        bounds = {int(guess): int(low) for guess, low in plain["bounds"].items()}
        cost = int(plain["cost"])
        if not all(0 <= guess < len(table.problem.guesses) for guess in plan.walk()):
            raise ValueError("not of this table")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DeskError(f"The checkpoint '{path}' is damaged; remove it to start again.") from error
    return _Checkpoint(path, mark, plan=plan, cost=cost, bounds=bounds)


def _seal(plain: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode("ascii")).hexdigest()


# Branch and bound over first guesses: the best tree with its proof, or a lower bound.

#: With fewer first guesses than this per worker, the parts of a guess are searched in parallel instead of the guesses.
_FEW_ROOTS = 4
#: The bound of more first guesses than the first number is computed again after the second number of jobs, else after
#: each.
_FEW_BOUNDS, _JOBS_PER_BOUND = 5000, 64


@dataclass
class Roots:
    """First guesses that may still beat the best tree by more than the `gap`, a share of its cost that is left open.

    The bound of each rises during the search.
    """

    bounds: dict[int, int]
    best: int
    gap: float = 0.0

    @property
    def bound(self) -> int:
        """Return the lower bound of all trees."""
        return min([self.best, *self.bounds.values()])

    def limit(self, guess: int) -> int:
        """Return the bound that a guess has to reach; other threads may ask."""
        return math.ceil(self.best * (1 - self.gap))

    def is_open(self, guess: int) -> bool:
        """Return whether the bound of a guess is still below its limit."""
        return self.bounds[guess] < self.limit(guess)

    def open(self) -> list[int]:
        """List the open guesses, lowest bound first: the gap closes from below."""
        return sorted(filter(self.is_open, self.bounds), key=self.bounds.__getitem__)

    def raise_bound(self, guess: int, low: int) -> None:
        """Note a lower bound of the cost of a guess."""
        self.bounds[guess] = max(self.bounds[guess], low)


def try_first_guesses(
    context: SearchContext,
    executor: Executor,
    roots: Roots,
    stage: str,
    guesses: Iterable[int],
    tell: OnProgress,
    looks: bool = False,
) -> Iterator[JobResult]:
    """Yield a result for each of these guesses that is still open when its turn comes, until the search is stopped.

    With `looks` it is a bound, by a scan of every set that the guess leaves.
    """
    waiting, bound = list(filter(roots.is_open, guesses)), roots.bound

    def jobs() -> Iterator[Job]:
        for guess in waiting:
            if roots.is_open(guess) and not context.stop.requested:
                yield Job(guess, None, roots.limit(guess), looks)

    for done, result in enumerate(executor(jobs()), 1):
        if result.cost is not None:
            yield result
        if not done % _JOBS_PER_BOUND or len(roots.bounds) <= _FEW_BOUNDS:
            bound = roots.bound
        tell(beam.SearchState(stage, done, len(waiting), roots.best, bound))


class _Proof:
    """The search for the best tree and its proof; `plan`, `roots.best` and `roots.bound` are valid at any moment.

    An executor does the jobs, as many as `workers` at a time.
    """

    def __init__(
        self, context: SearchContext, best: tuple[Plan, int], search: Search, checkpoint: _Checkpoint, tell: OnProgress
    ) -> None:
        self.context, self.checkpoint, self.tell = context, checkpoint, tell
        self.plan, cost = best
        self.roots = _find_first_bounds(context, search, cost)
        for guess in checkpoint.bounds.keys() & self.roots.bounds:
            self.roots.raise_bound(guess, checkpoint.bounds[guess])

    def go_on(self, executor: Executor, workers: int) -> None:
        """Search on until the best tree is proven or the search is stopped."""
        context, roots = self.context, self.roots
        raise_bounds(context, executor, roots, roots.open(), self.tell)
        waiting = roots.open()
        results = try_first_guesses(context, executor, roots, "proof", waiting, self.tell)
        if len(waiting) < _FEW_ROOTS * workers:
            results = self._prove_by_parts(executor, waiting)
        for job, cost, plan in results:
            if plan is not None and cost is not None and cost < roots.best:
                self.plan, roots.best = plan, cost
            roots.raise_bound(job.guess, cost or 0)
            self.keep()

    def keep(self, now: bool = False) -> None:
        self.checkpoint.keep(self.plan, self.roots.best, self.roots.bounds, now)

    def _prove_by_parts(self, executor: Executor, guesses: list[int]) -> Iterator[JobResult]:
        for number, guess in enumerate(guesses, 1):
            if not self.context.stop.requested and self.roots.is_open(guess):
                job = Job(guess, None, self.roots.limit(guess))
                yield JobResult(job, *self._search_first_guess(guess, executor, f"proof {number}"))

    def _search_first_guess(self, guess: int, executor: Executor, stage: str) -> tuple[int, Plan | None]:
        """Find the cost of one first guess, searching the sets its answers leave in parallel."""
        table, roots = self.context.table, self.roots
        weights = table.problem.weights
        parts = dict(sorted(table.split(guess, table.everything).items(), key=lambda part: len(part[1])))
        lows = {code: int(weights[part].sum() * 2 - weights[part[0]]) for code, part in parts.items()}
        base = int(weights.sum())
        found, known = Plan(guess, {}), set[int | None]()

        def jobs() -> Iterator[Job]:
            for code in parts:
                limit = roots.limit(guess) - base - sum(lows.values()) + lows[code]
                if not self.context.stop.requested and limit > lows[code]:
                    yield Job(guess, code, limit)

        for count, done in enumerate(executor(jobs()), 1):
            code, cost = done.job.code, done.cost
            if code is not None and cost is not None:
                lows[code] = max(lows[code], cost)
                if cost < done.job.limit:
                    known.add(code)
                if done.plan is not None:
                    found.children[code] = done.plan
            roots.raise_bound(guess, min(base + sum(lows.values()), roots.best))
            self.tell(beam.SearchState(stage, count, len(parts), roots.best, roots.bound))
        total = base + sum(lows.values())
        return total, found if known == set(parts) else None


def find_lower_bound(context: SearchContext, search: Search, best: int, tell: OnProgress) -> int:
    """Return a lower bound of all trees without a search, looking one or two guesses ahead."""
    roots, options = _find_first_bounds(context, search, best), context.options
    if options.plies > 1:
        executor = beam.thread_executor(search, context.table, options.left, options.threads)
        raise_bounds(context, executor, roots, roots.open(), tell)
    return roots.bound


def _find_first_bounds(context: SearchContext, search: Search, best: int) -> Roots:
    table, options = context.table, context.options
    if options.first is not None:
        bounds = {options.first: search.look_ahead(table.everything, options.left, options.first, best)}
    else:
        guesses, lows, _ = search.scan(table.everything, options.left)
        bounds = {int(guess): int(low) for guess, low in zip(guesses, lows, strict=True)}
    return Roots(bounds, best, options.gap)


def raise_bounds(
    context: SearchContext, executor: Executor, roots: Roots, guesses: Iterable[int], tell: OnProgress
) -> None:
    """Raise the bounds of first guesses by a scan of every set their answers leave."""
    for job, low, _ in try_first_guesses(context, executor, roots, "bounds", guesses, tell, looks=True):
        roots.raise_bound(job.guess, low or 0)


# The jobs of a search on a cluster: a worker keeps the search and its memo from chunk to chunk.

_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class _SearchTask:
    """The search a job belongs to, as a worker needs it: a beam, or an exact one; `mark` is its identity."""

    problem: Problem = field(compare=False)
    options: SearchOptions = field(compare=False)
    given: Costs = field(compare=False)
    is_beam: bool
    mark: str


def make_executor(cluster: Cluster, context: SearchContext, given: Costs, is_beam: bool) -> Executor:
    """Return an executor that sends a search to the workers once, then its jobs in chunks; may raise `ClusterLost`."""
    problem, options = context.table.problem, context.options
    mark = _mark(problem, options, options.width, options.full, options.patience or 0, options.memo_bytes)
    lodged = cluster.lodge(
        _SearchTask(problem, replace(options, start=None, checkpoint=None, threads=1), given, is_beam, mark)
    )
    return lambda jobs: cluster.map_chunks(_run_jobs, lodged, jobs, lambda: context.stop.requested)


def _run_jobs(task: _SearchTask, jobs: list[Job]) -> Iterator[JobResult]:
    """Do jobs on a worker, until one is stopped."""
    with _ONE_AT_A_TIME:
        context, search = _begin_search(task)
    context.stop.clear()
    with watch_task(context.stop.request):
        for job in jobs:
            done = beam.run_job(search, context.table, context.options.left, job)
            # A worker that was still ending an older search leaves its jobs undone.
            if done.cost is None:
                return
            yield done


@lru_cache(maxsize=1)
def _begin_search(task: _SearchTask) -> tuple[SearchContext, Search]:
    """Begin a search as the client does; a worker keeps one at a time."""
    engine = cores.choose_best_core()
    context = SearchContext(make_table(task.problem, engine.add_planes), engine, task.options)
    return context, (beam.begin_beam if task.is_beam else begin_proof)(context, task.given)


# A whole search: a narrow beam, a wide one, then branch and bound, until proven or out of time.

#: The width of a beam that takes a second or two: its tree is there when a wider one is stopped.
_QUICK_WIDTH = 3


def ignore_progress(state: beam.SearchState) -> None:
    """Ignore the progress of a search."""


def search_tree(
    problem: Problem,
    core: Core,
    options: SearchOptions,
    tell: OnProgress = ignore_progress,
    *,
    stop: StopSignal | None = None,
    cluster: Cluster | None = None,
) -> beam.SearchOutcome:
    """Find the best tree of a problem within the options; a search that is stopped returns the best so far.

    A `cluster` does the jobs instead of threads. Raises `DeskError` when no tree can find every secret within the cap,
    or a checkpoint cannot be used.
    """
    began, cpu_began = time.perf_counter(), time.process_time()
    context = SearchContext(make_table(problem, core.add_planes), core, options, stop or StopSignal())
    table = context.table
    mark = _mark(problem, options) if options.checkpoint else ""
    checkpoint = open_checkpoint(options.checkpoint, mark, table)
    with stop_after(context.stop, options.seconds):
        plan, cost, narrow_search = beam.search_narrow(context)
        for known in (options.start, checkpoint.plan):
            if known is not None:
                worth = beam.plan_cost(known, table, table.everything, options.left, context.miss)
                plan, cost = (known, worth) if worth < cost else (plan, cost)
        given = beam.learn_costs(narrow_search, problem)
        if options.early is None:
            plan, cost = _search_wide(context, given, (plan, cost), tell, cluster)
        else:
            plan, cost = search_familiar(context, given, (plan, cost), tell)
        if options.late:
            plan = ask_late_last(context, given, plan)
            cost = beam.plan_cost(plan, table, table.everything, options.left, context.miss)
        search, best = begin_proof(context, given), (plan, cost)
        plan, cost, bound, trouble = _judge_plan(context, search, best, given, checkpoint, cluster=cluster, tell=tell)
    if options.miss is None and cost != beam.plan_cost(plan, table, table.everything, options.left, 0):
        none = f"No tree that was found guesses every word within {options.cap} guesses"
        raise DeskError(f"{none}; allow more, or count misses with --miss.")
    seconds = time.perf_counter() - began, time.process_time() - cpu_began
    return beam.SearchOutcome(table, plan, cost, bound, *seconds, trouble, search)


def _search_wide(
    context: SearchContext, given: Costs, best: tuple[Plan, int], tell: OnProgress, cluster: Cluster | None
) -> tuple[Plan, int]:
    """Search with a quick beam, then with one as wide as the options say; improve the tree the search began with."""
    options = context.options
    quick = min(_QUICK_WIDTH, options.width)
    for width in sorted({quick, quick if options.start else options.width} - {1}):
        # The quick beam does not use patience.
        patience = options.patience if width == options.width else None
        stage = replace(context, options=replace(options, width=width, patience=patience))
        executor = None if cluster is None else make_executor(cluster, stage, given, True)
        best = beam.search_wide(stage, best, given, tell, executor)
    return best if options.start is None else improve_tree(context, given, best, tell)


def _judge_plan(
    context: SearchContext,
    search: Search,
    best: tuple[Plan, int],
    given: Costs,
    checkpoint: _Checkpoint,
    *,
    cluster: Cluster | None,
    tell: OnProgress,
) -> tuple[Plan, int, int, str]:
    """Bound the best tree, or search for a better one and its proof; return plan, cost, lower bound, trouble."""
    options = context.options
    if not options.prove:
        return (*best, find_lower_bound(context, search, best[1], tell), "")
    proof = _Proof(context, best, search, checkpoint, tell)
    trouble = ""
    try:
        if cluster is None:
            proof.go_on(beam.thread_executor(search, context.table, options.left, options.threads), options.threads)
        else:
            proof.go_on(make_executor(cluster, context, given, False), cluster.cores)
    except ClusterLost as lost:
        trouble = str(lost)
    finally:
        proof.keep(now=True)
    return proof.plan, proof.roots.best, proof.roots.bound, trouble


def begin_proof(context: SearchContext, given: Costs) -> Search:
    """Begin an exact search that tries guesses in the order of a cost model."""
    options = context.options
    search = context.core.search(context.table, context.miss, 0, 0, options.memo_bytes, context.stop.flag)
    search.estimate(given)
    return search


@contextlib.contextmanager
def stop_after(stop: StopSignal, seconds: float | None) -> Iterator[None]:
    """Request a stop after `seconds`; None sets no time limit."""
    timer = threading.Timer(seconds or 0, stop.request)
    timer.daemon = True
    if seconds is not None:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _mark(problem: Problem, options: SearchOptions, *more: int) -> str:
    rest = (problem.checksum, options.cap, options.miss, options.first, *more)
    return hashlib.sha256(" ".join(map(str, rest)).encode("ascii")).hexdigest()
