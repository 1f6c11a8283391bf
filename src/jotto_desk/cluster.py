"""The workers of a Dask cluster as an executor, for `jotto solve`, `jotto bench` and `jotto rehearse`.

Dask has no login, and its parts exchange pickles, which can run any program: all of them, this one included, trust
everybody who reaches their ports. Over TLS that is everybody with a certificate of one authority."""

import contextlib
import itertools
import logging
import pkgutil
import queue
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from jotto import __version__
from jotto_desk import files
from jotto_desk.errors import DeskError, MissingExtra

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Seconds to wait for the scheduler's answer; seconds between two looks at the workers, or at a cancelled task.
CONNECT_TIMEOUT_S, POLL_INTERVAL_S = 8, 0.5
#: Seconds to wait for a new worker when all are lost.
NO_WORKER_TIMEOUT_S = 60.0
#: Least seconds of a chunk of work; most chunks a second, so that many cores get longer chunks: one takes the scheduler
#: 3 ms of processor time, and this program 2 ms (measured on loopback, 3,000 chunks).
_LEAST_CHUNK_S, _CHUNKS_A_SECOND = 1.0, 100.0
#: Chunks sent ahead per core, so that no core waits for its next one; most items of a chunk.
_CHUNKS_AHEAD, _MOST_ITEMS = 2, 4096
#: The files of a folder for TLS: the authority's certificate, one's own, and its key.
_MAX_PEM_BYTES = 1 << 20
TLS_FILES = ("ca.pem", "cert.pem", "key.pem")
_WORKER_REQUIREMENT = "every worker needs this version of nao-jotto with the extras solve and cluster"


class ClusterLost(DeskError):
    """A cluster that answered, and then was lost."""


class Cluster(Executor):
    """An executor for the workers of a scheduler; `tell` gets a sentence when some of them leave.

    Dask repeats the work of a worker that dies. Futures raise `ClusterLost` if the work cannot be done.
    """

    def __init__(self, client: Any, address: str, tell: Callable[[str], object]) -> None:
        self._client, self._address, self._tell = client, address, tell
        #: Our futures and Dask's.
        self._running: dict[Future[Any], Any] = {}
        self._lost: ClusterLost | None = None
        self._workers: dict[str, int] = client.ncores()
        self._closed = threading.Event()
        threading.Thread(target=self._watch_workers, daemon=True).start()

    @property
    def cores(self) -> int:
        """Return the number of tasks that run at the same time."""
        return max(1, sum(self._workers.values()))

    def lodge(self, value: Any) -> Any:
        """Send a value to all workers, once; what is returned stands for it among the arguments of `submit`."""
        with self._asking():
            # As the result of a task it can be made again when all workers that had it are lost.
            lodged = self._client.submit(_keep, value, pure=False)
            lodged.exception(NO_WORKER_TIMEOUT_S)  # `replicate` has no limit of time.
            self._client.replicate([lodged])
        return lodged

    def submit(self, work: Callable[..., Result], /, *arguments: Any, **named: Any) -> "Future[Result]":
        """Let a worker do `work`, a function on top of a module."""
        ours: Future[Result] = Future()
        with self._asking():
            theirs = self._client.submit(work, *arguments, pure=False, **named)
        self._running[ours] = theirs
        ours.add_done_callback(self._forget)
        theirs.add_done_callback(partial(self._settle, ours))
        return ours

    def map_chunks(
        self,
        work: Callable[[Any, list[Item]], Iterator[Result]],
        lodged: Any,
        items: Iterable[Item],
        is_stopped: Callable[[], bool],
    ) -> Iterator[Result]:
        """Do all items in chunks and yield results as they come; items are taken from the iterable when they are sent.

        `work(lodged, chunk)` yields a result for each item; the items for which it does not are done again.
        """
        waiting, again, size = iter(items), deque[Item](), 1
        running: dict[Future[tuple[bool, list[Result]]], list[Item]] = {}
        ended: queue.SimpleQueue[Future[tuple[bool, list[Result]]]] = queue.SimpleQueue()

        def take() -> list[Item]:
            return [again.popleft() for _ in range(min(size, len(again)))] or list(itertools.islice(waiting, size))

        try:
            while not is_stopped():
                seconds = max(_LEAST_CHUNK_S, self.cores / _CHUNKS_A_SECOND)
                while len(running) < _CHUNKS_AHEAD * self.cores and (chunk := take()):
                    future = self.submit(_do_chunk, work, lodged, chunk, seconds)
                    running[future] = chunk
                    future.add_done_callback(ended.put)
                if not running:
                    return
                with contextlib.suppress(queue.Empty):
                    future = ended.get(timeout=POLL_INTERVAL_S)
                    chunk, (is_late, results) = running.pop(future), future.result()
                    again.extend(chunk[len(results) :])
                    # A worker leaves undone what does not fit into the seconds.
                    is_short = len(results) == len(chunk) and not is_late
                    size = min(2 * len(chunk), _MOST_ITEMS) if is_short else max(1, len(results))
                    yield from results
        finally:
            for future in running:
                future.cancel()

    def close(self) -> None:
        """Cancel all work, which the workers end soon, and leave the cluster."""
        self._closed.set()
        for future in list(self._running):
            future.cancel()
        with contextlib.suppress(Exception):
            self._client.close()

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Turn any exception of the client into `ClusterLost`: without a scheduler it may raise anything."""
        if self._lost is not None:
            raise self._lost
        try:
            yield
        except Exception as error:
            raise self._explain(error) from error

    def _explain(self, error: BaseException, is_of_worker: bool = False) -> ClusterLost:
        if is_of_worker:
            failed = f"A worker of the cluster at '{self._address}' failed ({_first_line(error)})"
            return ClusterLost(f"{failed}; {_WORKER_REQUIREMENT}.")
        return ClusterLost(f"The cluster at '{self._address}' was lost ({_first_line(error)}).")

    def _forget(self, ours: "Future[Any]") -> None:
        theirs = self._running.pop(ours, None)
        if ours.cancelled() and theirs is not None:
            with contextlib.suppress(Exception):
                theirs.cancel(force=True)

    def _settle(self, ours: "Future[Any]", theirs: Any) -> None:
        """Take over the outcome of Dask's future."""
        with contextlib.suppress(InvalidStateError):  # It was cancelled, or the cluster was lost.
            try:
                ours.set_result(theirs.result())
            except InvalidStateError:
                raise
            except DeskError as error:
                ours.set_exception(error)
            except BaseException as error:
                ours.set_exception(self._explain(error, theirs.status == "error"))

    def _watch_workers(self) -> None:
        """Tell when workers leave; end all work when the scheduler is lost, or all workers for a minute."""
        seen = time.monotonic()
        while not self._closed.wait(POLL_INTERVAL_S):
            try:
                with self._asking():
                    present: dict[str, int] = self._client.ncores()
                    seen = time.monotonic() if present else seen
                    if time.monotonic() - seen > NO_WORKER_TIMEOUT_S:
                        raise TimeoutError("no workers any more")
            except ClusterLost as lost:
                self._lost = lost
                for future in list(self._running):
                    with contextlib.suppress(InvalidStateError):
                        future.set_exception(lost)
                continue
            left = len(self._workers.keys() - present.keys())
            if left and self._running:
                again = f"{len(present)} still there; lost work is done again"
                self._tell(f"Workers that left the cluster at '{self._address}': {left} ({again}).")
            self._workers = present


def _keep(value: Any) -> Any:
    return value


def _do_chunk(
    work: Callable[[Any, list[Item]], Iterator[Result]], lodged: Any, chunk: list[Item], seconds: float
) -> tuple[bool, list[Result]]:
    """Do the items of a chunk on a worker until `seconds` are over; return whether they are, and the results."""
    began, results = time.perf_counter(), list[Result]()
    for result in work(lodged, chunk):
        results.append(result)
        if time.perf_counter() - began > seconds:
            return True, results
    return False, results


@contextlib.contextmanager
def watch_task(stop: Callable[[], object] = lambda: None) -> Iterator[threading.Event]:
    """Set an event on a worker, and call `stop`, when its task is cancelled or the task's sender has disconnected."""
    from distributed import get_worker

    worker: Any = get_worker()
    key = worker.get_current_task()
    ended, cancelled = threading.Event(), threading.Event()

    def watch() -> None:
        while not ended.wait(POLL_INTERVAL_S):
            state = worker.state.tasks.get(key)
            if state is None or state.state == "cancelled":
                cancelled.set()
                stop()

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield cancelled
    finally:
        ended.set()


@contextlib.contextmanager
def connect_cluster(
    address: str, tls: Path | None = None, tell: Callable[[str], object] = lambda _sentence: None
) -> Iterator[Cluster]:
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
    # Errors are reported in a sentence.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        connect: Any = Client
        client = connect(address, timeout=CONNECT_TIMEOUT_S, set_as_default=False, security=security)
    except Exception as error:
        # Another program that listens there may answer anything.
        trust = " that trusts these certificates" if address.startswith("tls:") else ""
        none = f"There is no Dask scheduler{trust} at '{address}'"
        raise DeskError(f"{none}; start one with: dask scheduler") from error
    with contextlib.closing(Cluster(client, address, tell)) as cluster:
        if not client.ncores():
            idle = f"The Dask scheduler at '{address}' has no workers"
            raise DeskError(f"{idle}; start one with: dask worker {address}")
        _require_program(client, address)
        yield cluster


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


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".split("\n", maxsplit=1)[0][:200]
