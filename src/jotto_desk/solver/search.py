"""A whole search: a narrow beam, a wide one, then branch and bound until the tree is proven or time is over.

A checkpoint saves a long proof, and a Dask cluster can do its jobs."""

import contextlib
import hashlib
import itertools
import json
import logging
import math
import pkgutil
import re
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from jotto import __version__
from jotto_desk import files
from jotto_desk.errors import DeskError, MissingExtra
from jotto_desk.solver import beam, cores
from jotto_desk.solver.beam import Executor, Job, JobResult, OnProgress, SearchContext, SearchOptions, StopSignal
from jotto_desk.solver.feedback_table import Core, FeedbackTable, Search, make_table
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
        if not all(0 <= guess < len(table.problem.guesses) for guess, _ in plan.walk()):
            raise ValueError("not of this table")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DeskError(f"The checkpoint '{path}' is damaged; remove it to start again.") from error
    return _Checkpoint(path, mark, plan=plan, cost=cost, bounds=bounds)


def _seal(plain: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode("ascii")).hexdigest()


# Branch and bound over first guesses: the best tree with its proof, or a lower bound.

#: With fewer first guesses than this per worker, the parts of a guess are searched in parallel instead of the guesses.
_FEW_ROOTS = 4


@dataclass
class _Roots:
    """First guesses that may still beat the best tree by more than the `gap`, a share of its cost that is left open.

    The bound of each rises during the search.
    """

    bounds: dict[int, int]
    best: int
    gap: float = 0.0

    @property
    def bound(self) -> int:
        return min([self.best, *self.bounds.values()])

    @property
    def target(self) -> int:
        """Return the bound that every guess has to reach."""
        return math.ceil(self.best * (1 - self.gap))

    def is_open(self, guess: int) -> bool:
        return self.bounds[guess] < self.target

    def open(self) -> list[int]:
        """List the guesses whose bound is still below the target, lowest bound first."""
        return sorted(filter(self.is_open, self.bounds), key=self.bounds.__getitem__)

    def raise_bound(self, guess: int, low: int) -> None:
        self.bounds[guess] = max(self.bounds[guess], low)


class _Proof:
    """The search for the best tree and its proof; `plan`, `roots.best` and `roots.bound` are valid at any moment.

    `search` bounds first guesses here; `executor` does the jobs, as many as `workers` at a time.
    """

    def __init__(
        self, context: SearchContext, best: tuple[Plan, int], search: Search, checkpoint: _Checkpoint, tell: OnProgress
    ) -> None:
        self.context, self.checkpoint, self.tell, self.search = context, checkpoint, tell, search
        self.plan, cost = best
        self.roots = _find_first_bounds(context, search, cost)
        for guess in checkpoint.bounds.keys() & self.roots.bounds:
            self.roots.raise_bound(guess, checkpoint.bounds[guess])
        _raise_bounds(context, search, self.roots, tell)

    def go_on(self, executor: Executor, workers: int) -> None:
        """Search on until the best tree is proven or the search is stopped."""
        few = len(self.roots.open()) < _FEW_ROOTS * workers
        for guess, cost, plan in self._prove_by_parts(executor) if few else self._prove_by_guess(executor):
            if plan is not None and cost < self.roots.best:
                self.plan, self.roots.best = plan, cost
            self.roots.raise_bound(guess, cost)
            self.keep()

    def keep(self, now: bool = False) -> None:
        self.checkpoint.keep(self.plan, self.roots.best, self.roots.bounds, now)

    def _prove_by_guess(self, executor: Executor) -> Iterator[tuple[int, int, Plan | None]]:
        """Raise the bounds of first guesses to the target, lowest bound first: the gap closes from below."""
        roots = self.roots
        waiting = roots.open()
        for job, cost, plan in executor(self._make_jobs(waiting)):
            if cost is not None:
                yield job.guess, cost, plan
            left = sum(map(roots.is_open, waiting))
            self.tell(beam.SearchState("proof", len(waiting) - left, len(waiting), roots.best, roots.bound))

    def _make_jobs(self, waiting: list[int]) -> Iterator[Job]:
        for guess in waiting:
            if not self.context.stop.requested and self.roots.is_open(guess):
                yield Job(guess, None, self.roots.target)

    def _prove_by_parts(self, executor: Executor) -> Iterator[tuple[int, int, Plan | None]]:
        for number, guess in enumerate(self.roots.open(), 1):
            if not self.context.stop.requested and self.roots.is_open(guess):
                yield (guess, *self._search_first_guess(guess, executor, f"proof {number}"))

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
                limit = roots.target - base - sum(lows.values()) + lows[code]
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
    roots = _find_first_bounds(context, search, best)
    if context.options.plies > 1:
        _raise_bounds(context, search, roots, tell)
    return roots.bound


def _find_first_bounds(context: SearchContext, search: Search, best: int) -> _Roots:
    table, options = context.table, context.options
    if options.first is not None:
        bounds = {options.first: search.look_ahead(table.everything, options.left, options.first, best)}
    else:
        guesses, lows, _ = search.scan(table.everything, options.left)
        bounds = {int(guess): int(low) for guess, low in zip(guesses, lows, strict=True)}
    return _Roots(bounds, best, options.gap)


def _raise_bounds(context: SearchContext, search: Search, roots: _Roots, tell: OnProgress) -> None:
    """Raise the bounds of all first guesses by a scan of every set their answers leave."""
    table, options = context.table, context.options
    waiting = roots.open()

    def bound(guess: int) -> tuple[int, int]:
        if context.stop.requested:
            return guess, 0
        return guess, search.look_ahead(table.everything, options.left, guess, roots.best)

    for done, (guess, low) in enumerate(beam.map_in_threads(bound, waiting, options.threads), 1):
        roots.raise_bound(guess, low)
        tell(beam.SearchState("bounds", done, len(waiting), roots.best, roots.bound))


# The jobs of a proof on a Dask cluster: workers keep the search and its memo from job to job.
#
# Dask has no login, and its parts exchange pickles, which can run any program: all of them, this one included, trust
# everybody who reaches their ports. Over TLS that is everybody with a certificate of one authority.

#: Seconds to wait for the scheduler's answer; seconds between two polls of running jobs.
CONNECT_TIMEOUT, _POLL_INTERVAL = 8, 0.5
#: Seconds to wait for a new worker when all are lost.
NO_WORKER_TIMEOUT = 60.0
#: Jobs sent ahead per core, so that no core waits for its next one.
_JOBS_AHEAD = 2
#: The files of a folder for TLS: the authority's certificate, one's own, and its key.
_MAX_PEM_BYTES = 1 << 20
TLS_FILES = ("ca.pem", "cert.pem", "key.pem")
_WORKER_REQUIREMENT = "install this version of nao-jotto with the extras solve and cluster on every worker"


@dataclass(frozen=True)
class _SearchTask:
    """The search a job belongs to, as a worker needs it; `mark` is its identity."""

    problem: Problem = field(compare=False)
    options: SearchOptions = field(compare=False)
    mark: str


class ClusterLost(DeskError):
    """A cluster that answered, and then was lost."""


class _Cluster:
    """A connection to a scheduler that has workers."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address, self._idle_polls = client, address, 0

    @property
    def cores(self) -> int:
        """Return the number of jobs that run at the same time; raises `ClusterLost`."""
        with self._asking():
            return max(1, int(sum(self._client.ncores().values())))

    def make_executor(self, problem: Problem, options: SearchOptions, stop: StopSignal) -> Executor:
        """Return an executor that lets the workers do jobs.

        It raises `ClusterLost` when they cannot: workers that lack this program, or that die.
        """
        here = replace(options, cluster=None, cluster_tls=None, checkpoint=None, threads=1)
        task = _SearchTask(problem, here, _mark(problem, options, options.memo_bytes))
        return lambda jobs: self._run(task, iter(jobs), stop)

    def _run(self, task: _SearchTask, jobs: Iterator[Job], stop: StopSignal) -> Iterator[JobResult]:
        running: set[Any] = set()

        def submit(more: Iterable[Job]) -> None:
            for job in more:
                # Every job carries all it needs: a worker may die or join at any time.
                with self._asking():
                    running.add(self._client.submit(_work_on_cluster, task, job, pure=False))

        try:
            submit(itertools.islice(jobs, _JOBS_AHEAD * self.cores))
            while running and not stop.requested:
                for future in self._take_ended(running):
                    done = self._take_result(future)
                    # A worker that was still ending an older search returns its job undone.
                    if done.cost is None and not stop.requested:
                        submit([done.job])
                        continue
                    yield done
                    submit(itertools.islice(jobs, 1))
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel(list(running), force=True)

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Turn any exception of the client into `ClusterLost`: without a scheduler it may raise anything."""
        try:
            yield
        except Exception as error:
            raise ClusterLost(f"The cluster at '{self._address}' was lost ({_first_line(error)}).") from error

    def _take_ended(self, running: set[Any]) -> list[Any]:
        """Remove the finished futures from those running and return them, after a short wait for the first."""
        import distributed

        wait: Any = distributed.wait
        with self._asking(), contextlib.suppress(TimeoutError):
            wait(list(running), timeout=_POLL_INTERVAL, return_when="FIRST_COMPLETED")
        ended = [future for future in running if future.done()]
        running.difference_update(ended)
        with self._asking():
            is_idle = not ended and not self._client.ncores()
        self._idle_polls = self._idle_polls + 1 if is_idle else 0
        if self._idle_polls * _POLL_INTERVAL > NO_WORKER_TIMEOUT:
            raise ClusterLost(f"The cluster at '{self._address}' has no workers any more.")
        return ended

    def _take_result(self, future: Any) -> JobResult:
        try:
            done: JobResult = future.result()
        except Exception as error:
            failed = f"A worker of the cluster at '{self._address}' failed ({_first_line(error)})"
            raise ClusterLost(f"{failed}; {_WORKER_REQUIREMENT}.") from error
        return done


@contextlib.contextmanager
def connect_cluster(address: str, tls: Path | None = None) -> Iterator[_Cluster]:
    """Connect to the scheduler at an address such as `tcp://host:8786`, or `tls://host:8786` with a folder for TLS.

    Raises `DeskError` when Dask is not installed, the address is malformed, there is no answer, or no worker.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtra("A cluster needs Dask", "cluster") from error
    if not re.fullmatch(r"(tcp|tls)://[^\s/]+:[1-9]\d{0,4}", address) or int(address.rpartition(":")[2]) > 65535:
        raise DeskError(f"'{address}' is not the address of a Dask scheduler; give one like tcp://host:8786.")
    security = _load_security(address, tls)
    with _silence_dask():
        try:
            connect: Any = Client
            client = connect(address, timeout=CONNECT_TIMEOUT, set_as_default=True, security=security)
        except Exception as error:
            # Another program that listens there may answer anything.
            trust = " that trusts these certificates" if address.startswith("tls:") else ""
            none = f"There is no Dask scheduler{trust} at '{address}'"
            raise DeskError(f"{none}; start one with: dask scheduler") from error
        try:
            if not client.ncores():
                idle = f"The Dask scheduler at '{address}' has no workers"
                raise DeskError(f"{idle}; start one with: dask worker {address}")
            _require_program(client, address)
            yield _Cluster(client, address)
        finally:
            with contextlib.suppress(Exception):
                client.close()


def _load_security(address: str, tls: Path | None) -> Any:
    """Return Dask's settings for TLS; None for those of Dask's own configuration. Raises `DeskError`."""
    from distributed import Security

    if tls is None:
        return None
    if not address.startswith("tls:"):
        known = "give an address like tls://host:8786, or leave --cluster-tls out"
        raise DeskError(f"The connection to '{address}' is without TLS; {known}.")
    paths = [tls / name for name in TLS_FILES]
    for path in paths:
        files.read_bounded(path, _MAX_PEM_BYTES, "certificate or key")
    make: Any = Security
    names = ("tls_ca_file", "tls_client_cert", "tls_client_key")
    try:
        security = make(**dict(zip(names, map(str, paths), strict=True)), require_encryption=True)
        security.get_connection_args("client")
    except (OSError, ValueError) as error:
        raise DeskError(
            f"The certificates in '{tls}' cannot be used ({_first_line(error)}); create them again."
        ) from error
    return security


def _require_program(client: Any, address: str) -> None:
    """Refuse workers without this program: a job would kill them and never return."""
    try:
        versions = set(client.run(pkgutil.resolve_name, "jotto:__version__").values())
    except Exception as error:
        wrong = f"The workers of '{address}' cannot do the work ({_first_line(error)})"
        raise DeskError(f"{wrong}; {_WORKER_REQUIREMENT}.") from error
    if versions != {__version__}:
        others = f"The workers of '{address}' have nao-jotto {', '.join(sorted(versions))}"
        raise DeskError(f"{others} where {__version__} is running here; {_WORKER_REQUIREMENT}.")


@contextlib.contextmanager
def _silence_dask() -> Iterator[None]:
    """Silence Dask's log while connecting: errors are reported in a sentence."""
    log = logging.getLogger("distributed")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)


def _work_on_cluster(task: _SearchTask, job: Job) -> JobResult:
    with _ONE_AT_A_TIME:
        table, search, stop = _begin_search(task)
    with _watch_job(stop):
        return beam.run_job(search, table, task.options.left, job)


_ONE_AT_A_TIME = threading.Lock()


@lru_cache(maxsize=1)
def _begin_search(task: _SearchTask) -> tuple[FeedbackTable, Search, StopSignal]:
    """Begin a search as `_judge_plan` does; a worker keeps one at a time."""
    problem, options, engine = task.problem, task.options, cores.choose_best_core()
    context = SearchContext(
        make_table(problem, engine.add_planes, files.find_cache_folder() / "tables"), engine, options
    )
    _, _, narrow_search = beam.search_narrow(context)
    search = engine.search(context.table, context.miss, 0, 0, options.memo_bytes, context.stop.flag)
    search.estimate(beam.learn_costs(narrow_search, len(problem.weights), float(problem.weights.mean())))
    return context.table, search, context.stop


@contextlib.contextmanager
def _watch_job(stop: StopSignal) -> Iterator[None]:
    """Stop a job that was cancelled, or whose sender has disconnected."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_POLL_INTERVAL):
            state = worker.state.tasks.get(key)
            if state is None or state.state == "cancelled":
                stop.request()

    stop.clear()
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".split("\n", maxsplit=1)[0][:200]


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
    tables: Path | None = None,
) -> beam.SearchOutcome:
    """Find the best tree of a problem within the options; a search that is stopped returns the best so far.

    Large tables are saved in the folder `tables`. Raises `DeskError` when no tree can find every secret within the
    cap, or a checkpoint or a cluster cannot be used.
    """
    began, cpu_began = time.perf_counter(), time.process_time()
    context = SearchContext(make_table(problem, core.add_planes, tables), core, options, stop or StopSignal())
    table = context.table
    checkpoint = open_checkpoint(options.checkpoint, _mark(problem, options), table)
    cluster: contextlib.AbstractContextManager[_Cluster | None] = contextlib.nullcontext()
    if options.cluster is not None:
        cluster = connect_cluster(options.cluster, options.cluster_tls)
    with cluster as helpers, stop_after(context.stop, options.seconds):
        plan, cost, narrow_search = beam.search_narrow(context)
        for known in (options.start, checkpoint.plan):
            if known is not None:
                worth = beam.plan_cost(known, table, table.everything, options.left, context.miss)
                plan, cost = (known, worth) if worth < cost else (plan, cost)
        given = beam.learn_cost_model(context, narrow_search, tell)
        widen = _search_wide if options.early is None else search_familiar
        plan, cost = widen(context, given, (plan, cost), tell)
        if options.late:
            plan = ask_late_last(context, given, plan)
            cost = beam.plan_cost(plan, table, table.everything, options.left, context.miss)
        plan, cost, bound, trouble = _judge_plan(context, (plan, cost), given, checkpoint, helpers=helpers, tell=tell)
    if options.miss is None and cost != beam.plan_cost(plan, table, table.everything, options.left, 0):
        none = f"No tree that was found guesses every word within {options.cap} guesses"
        raise DeskError(f"{none}; allow more, or count misses with --miss.")
    seconds = time.perf_counter() - began, time.process_time() - cpu_began
    return beam.SearchOutcome(table, plan, cost, bound, *seconds, trouble)


def _search_wide(
    context: SearchContext, given: beam.CostModel, best: tuple[Plan, int], tell: OnProgress
) -> tuple[Plan, int]:
    """Search with a quick beam, then with one as wide as the options say; improve the tree the search began with."""
    options = context.options
    quick = min(_QUICK_WIDTH, options.width)
    for width in sorted({quick, quick if options.start else options.width} - {1}):
        # The quick beam does not use patience.
        patience = options.patience if width == options.width else None
        stage = replace(context, options=replace(options, width=width, patience=patience))
        best = beam.search_wide(stage, best, given, tell)
    return best if options.start is None else improve_tree(context, given, best, tell)


def _judge_plan(
    context: SearchContext,
    best: tuple[Plan, int],
    given: beam.CostModel,
    checkpoint: _Checkpoint,
    *,
    helpers: _Cluster | None,
    tell: OnProgress,
) -> tuple[Plan, int, int, str]:
    """Bound the best tree, or search for a better one and its proof; return plan, cost, lower bound, trouble."""
    table, options, stop = context.table, context.options, context.stop
    search = context.core.search(table, context.miss, 0, 0, options.memo_bytes, stop.flag)
    if not options.prove:
        return (*best, find_lower_bound(context, search, best[1], tell), "")
    search.estimate(given.costs)
    proof = _Proof(context, best, search, checkpoint, tell)
    trouble = ""
    try:
        if helpers is None:
            proof.go_on(beam.thread_executor(search, table, options.left, options.threads), options.threads)
        else:
            proof.go_on(helpers.make_executor(table.problem, options, stop), helpers.cores)
    except ClusterLost as lost:
        trouble = str(lost)
    finally:
        proof.keep(now=True)
    return proof.plan, proof.roots.best, proof.roots.bound, trouble


@contextlib.contextmanager
def stop_after(stop: StopSignal, seconds: float | None) -> Iterator[None]:
    """Request a stop after `seconds`; None sets no time limit."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, stop.request)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _mark(problem: Problem, options: SearchOptions, *more: int) -> str:
    rest = (problem.checksum, options.cap, options.miss, options.first, *more)
    return hashlib.sha256(" ".join(map(str, rest)).encode("ascii")).hexdigest()
