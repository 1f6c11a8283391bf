"""Jobs of a search: plain values, done by threads of this machine or, in the same way, by a cluster (`.cluster`)."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import joblib

from ..contract import Search
from ..model.feedback_table import FeedbackTable
from ..model.plan import Plan
from .extract import Stopped, grow

Given = TypeVar("Given")
Back = TypeVar("Back")


class Job(NamedTuple):
    """Find the cost of asking `guess` first or, with a `code`, that of the secrets that give this answer to it.

    Costs that are not below `limit` need not be exact.
    """

    guess: int
    code: int | None
    limit: int


class JobResult(NamedTuple):
    """A job, its cost (a bound where it is not below the limit, None when stopped) and, below the limit, its plan."""

    job: Job
    cost: int | None
    plan: Plan | None


Executor = Callable[[Iterable[Job]], Iterator[JobResult]]


def run_job(search: Search, table: FeedbackTable, left: int, job: Job) -> JobResult:
    """Do one job, with `left` guesses allowed at the root; the plan is extracted while the memo is fresh."""
    try:
        if job.code is None:
            cost = search.attempt(table.everything, left, job.guess, job.limit)
            found = cost is not None and cost < job.limit
            return JobResult(job, cost, grow(search, table, table.everything, left, first=job.guess) if found else None)
        members, past = table.parts(job.guess, table.everything)[job.code], (job.guess,)
        answer = search.solve(members, left - 1, job.limit, past)
        cost = None if answer is None else answer.cost
        found = cost is not None and cost < job.limit and left > 1
        return JobResult(job, cost, grow(search, table, members, left - 1, past) if found else None)
    except Stopped:
        return JobResult(job, None, None)


def thread_executor(search: Search, table: FeedbackTable, left: int, threads: int) -> Executor:
    """Return an executor that does jobs in threads, all of them on one search and its memo."""
    return lambda jobs: in_threads(lambda job: run_job(search, table, left, job), jobs, threads)


def in_threads(work: Callable[[Given], Back], jobs: Iterable[Given], threads: int) -> Iterator[Back]:
    """Do every job in threads (the C core runs them in parallel), yielding results as they come.

    A job is taken from the iterable when a thread is free.
    """
    if threads == 1:
        yield from map(work, jobs)
        return
    parallel: Any = joblib.Parallel(
        n_jobs=threads, backend="threading", batch_size=1, return_as="generator_unordered", pre_dispatch="n_jobs"
    )
    yield from parallel(joblib.delayed(work)(job) for job in jobs)
