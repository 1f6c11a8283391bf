"""Jobs of a search, on the cores of this machine (threads, since the C core lets them run) or on a Dask cluster."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import joblib

from ...errors import DeskError

Job = TypeVar("Job")
Done = TypeVar("Done")


def run(work: Callable[[Job], Done], jobs: Iterable[Job], threads: int, cluster: str | None = None) -> Iterator[Done]:
    """Do every job, giving what comes back as it comes; jobs are taken from the iterable when a worker is free.

    With `cluster`, the address of a Dask scheduler such as `tcp://host:8786`, jobs and work are sent there. Raises
    `DeskError` when it cannot be reached, or Dask is not installed.
    """
    if cluster is None and threads == 1:
        yield from map(work, jobs)
        return
    with _backend(cluster):
        parallel: Any = joblib.Parallel(
            n_jobs=threads if cluster is None else -1, batch_size=1, return_as="generator_unordered",
            pre_dispatch="n_jobs" if cluster is None else "2*n_jobs", **({"backend": "threading"} if cluster is None else {}),
        )  # fmt: skip
        yield from parallel(joblib.delayed(work)(job) for job in jobs)


@contextlib.contextmanager
def _backend(cluster: str | None) -> Iterator[None]:
    if cluster is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise DeskError("A cluster needs Dask; install it with: pip install 'nao-jotto[cluster]'") from error
    try:
        connect: Any = Client
        client = connect(cluster, timeout="10s", set_as_default=True)
    except (OSError, ValueError, TypeError) as error:
        raise DeskError(f"There is no Dask scheduler at '{cluster}'; start one with: dask scheduler") from error
    with client, joblib.parallel_config(backend="dask"):
        yield
