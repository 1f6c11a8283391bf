"""The jobs of a proof on a Dask cluster: its workers keep the search, with its memo, from job to job.

Dask has no login, and its parts exchange pickles, which can run any program: all of them, this one included, trust
everybody who reaches their ports. Over TLS that is everybody with a certificate of one authority.
"""

import contextlib
import hashlib
import itertools
import logging
import pkgutil
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from jotto import __version__

from ... import files, places
from ...errors import DeskError
from .. import cores
from ..contract import Search
from ..model.feedback_table import FeedbackTable, lay_out
from ..model.problem import Problem
from . import beam
from .estimate import learned
from .jobs import Executor, Job, JobResult, run_job
from .options import SearchContext, SearchOptions, StopSignal

#: Seconds to wait for the scheduler's answer; seconds between two polls of running jobs.
CONNECT_TIMEOUT, POLL_INTERVAL = 8, 0.5
#: Seconds to wait for a new worker when none is left.
NO_WORKER_TIMEOUT = 60.0
#: Jobs sent ahead per core, so that no core waits for its next one.
AHEAD = 2
#: The files of a folder for TLS: the authority's certificate, one's own, and its key.
MOST_PEM = 1 << 20
TLS_FILES = ("ca.pem", "cert.pem", "key.pem")
NEEDED = "every worker needs this version, as from: pip install 'nao-jotto[solve,cluster]'"


@dataclass(frozen=True, eq=False)
class SearchTask:
    """The search a job belongs to, as a worker needs it; `mark` is its identity."""

    problem: Problem
    options: SearchOptions
    mark: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SearchTask) and self.mark == other.mark

    def __hash__(self) -> int:
        return hash(self.mark)


class ClusterLost(DeskError):
    """A cluster that answered, and then was lost."""


class Cluster:
    """A connection to a scheduler that has workers."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        self._idle_polls = 0

    @property
    def cores(self) -> int:
        """Return how many jobs run at the same time; raises `ClusterLost`."""
        with self._asking():
            count: int = sum(self._client.ncores().values())
        return max(1, count)

    def executor(self, problem: Problem, options: SearchOptions, stop: StopSignal) -> Executor:
        """Return an executor that lets the workers do jobs.

        It raises `ClusterLost` when they cannot: workers that lack this program, or that die.
        """
        rest = f"{problem.checksum} {options.cap} {options.miss} {options.first} {options.memo_bytes}"
        mark = hashlib.sha256(rest.encode("ascii")).hexdigest()
        task = SearchTask(problem, replace(options, cluster=None, cluster_tls=None, checkpoint=None, threads=1), mark)
        return lambda jobs: self._run(task, iter(jobs), stop)

    def _run(self, task: SearchTask, jobs: Iterator[Job], stop: StopSignal) -> Iterator[JobResult]:
        running: set[Any] = set()

        def submit(more: Iterable[Job]) -> None:
            for job in more:
                # Every job carries all it needs: a worker may die or join at any time.
                with self._asking():
                    running.add(self._client.submit(work, task, job, pure=False))

        try:
            submit(itertools.islice(jobs, AHEAD * self.cores))
            while running and not stop.requested:
                for future in self._ended(running):
                    done = self._result(future)
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

    def _ended(self, running: set[Any]) -> list[Any]:
        """Remove the finished futures from those running and return them, after a short wait for the first."""
        import distributed

        wait: Any = distributed.wait
        with self._asking(), contextlib.suppress(TimeoutError):
            wait(list(running), timeout=POLL_INTERVAL, return_when="FIRST_COMPLETED")
        ended = [future for future in running if future.done()]
        running.difference_update(ended)
        if ended or self._has_workers():
            self._idle_polls = 0
        else:
            self._idle_polls += 1
        if self._idle_polls * POLL_INTERVAL > NO_WORKER_TIMEOUT:
            raise ClusterLost(f"The cluster at '{self._address}' has no workers any more.")
        return ended

    def _has_workers(self) -> bool:
        with self._asking():
            return bool(self._client.ncores())

    def _result(self, future: Any) -> JobResult:
        try:
            done: JobResult = future.result()
        except Exception as error:
            raise ClusterLost(
                f"A worker of the cluster at '{self._address}' failed ({_first_line(error)}); {NEEDED}."
            ) from error
        return done


@contextlib.contextmanager
def connected(address: str, tls: Path | None = None) -> Iterator[Cluster]:
    """Connect to the scheduler at an address such as `tcp://host:8786`, or `tls://host:8786` with a folder for TLS.

    Raises `DeskError` when Dask is not installed, the address is malformed, there is no answer, or no worker.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise DeskError("A cluster needs Dask; install it with: pip install 'nao-jotto[cluster]'") from error
    if not re.fullmatch(r"(tcp|tls)://[^\s/]+:[1-9]\d{0,4}", address) or int(address.rpartition(":")[2]) > 65535:
        raise DeskError(f"'{address}' is not the address of a Dask scheduler; give one like tcp://host:8786.")
    security = _security(address, tls)
    with _quiet():
        try:
            connect: Any = Client
            client = connect(address, timeout=CONNECT_TIMEOUT, set_as_default=True, security=security)
        except Exception as error:
            # Another program that listens there may answer anything.
            trust = " that trusts these certificates" if address.startswith("tls:") else ""
            raise DeskError(
                f"There is no Dask scheduler{trust} at '{address}'; start one with: dask scheduler"
            ) from error
        try:
            if not client.ncores():
                raise DeskError(
                    f"The Dask scheduler at '{address}' has no workers; start one with: dask worker {address}"
                )
            _require_program(client, address)
            yield Cluster(client, address)
        finally:
            with contextlib.suppress(Exception):
                client.close()


def _security(address: str, tls: Path | None) -> Any:
    """Return Dask's settings for TLS; None for those of Dask's own configuration. Raises `DeskError`."""
    from distributed import Security

    if tls is None:
        return None
    if not address.startswith("tls:"):
        raise DeskError(
            f"'{address}' is spoken to without TLS; give an address like tls://host:8786, or leave --cluster-tls out."
        )
    paths = [tls / name for name in TLS_FILES]
    for path in paths:
        files.read_bounded(path, MOST_PEM, "certificate or key")
    make: Any = Security
    try:
        security = make(
            tls_ca_file=str(paths[0]),
            tls_client_cert=str(paths[1]),
            tls_client_key=str(paths[2]),
            require_encryption=True,
        )
        security.get_connection_args("client")
    except (OSError, ValueError) as error:
        raise DeskError(
            f"The certificates in '{tls}' cannot be used ({_first_line(error)}); make them anew."
        ) from error
    return security


def _require_program(client: Any, address: str) -> None:
    """Refuse workers without this program: a job would kill them and never return."""
    try:
        versions = set(client.run(pkgutil.resolve_name, "jotto:__version__").values())
    except Exception as error:
        raise DeskError(f"The workers of '{address}' cannot do the work ({_first_line(error)}); {NEEDED}.") from error
    if versions != {__version__}:
        raise DeskError(
            f"The workers of '{address}' have nao-jotto {', '.join(sorted(versions))} where {__version__} "
            f"is running here; {NEEDED}."
        )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's log while connecting: errors are reported in a sentence."""
    log = logging.getLogger("distributed")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)


def work(task: SearchTask, job: Job) -> JobResult:
    """Do one job on a worker."""
    table, search, stop = _kept(task)
    with _watched(stop):
        return run_job(search, table, task.options.left, job)


_ONE_AT_A_TIME = threading.Lock()


def _kept(task: SearchTask) -> tuple[FeedbackTable, Search, StopSignal]:
    with _ONE_AT_A_TIME:
        return _begun(task)


@lru_cache(maxsize=1)
def _begun(task: SearchTask) -> tuple[FeedbackTable, Search, StopSignal]:
    """Begin a search as the proof in `.run` does; a worker keeps one at a time."""
    problem, options, engine = task.problem, task.options, cores.best()
    context = SearchContext(lay_out(problem, engine.codes, places.cache_folder() / "tables"), engine, options)
    _, _, narrow_search = beam.narrow(context)
    search = engine.search(context.table, context.miss, 0, 0, options.memo_bytes, context.stop.flag)
    search.estimate(learned(narrow_search, len(problem.weights), float(problem.weights.mean())))
    return context.table, search, context.stop


@contextlib.contextmanager
def _watched(stop: StopSignal) -> Iterator[None]:
    """Stop a job that is no longer needed: cancelled, or its sender gone."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()
    over = threading.Event()

    def watch() -> None:
        while not over.wait(POLL_INTERVAL):
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
