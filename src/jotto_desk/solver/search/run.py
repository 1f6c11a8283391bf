"""A whole search: a narrow beam, a wide one, then branch and bound, until proven or out of time."""

import contextlib
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from ...errors import DeskError
from ..contract import Core
from ..model.feedback_table import lay_out
from ..model.plan import Plan
from ..model.problem import Problem
from . import beam, branch_and_bound, cluster
from .checkpoint import Checkpoint, open_checkpoint
from .early import familiar, late_last
from .extract import cost_of
from .improve import improved
from .jobs import thread_executor
from .options import OnProgress, SearchContext, SearchOptions, SearchOutcome, SearchState, StopSignal

#: The width of a beam that takes a second or two: its tree is there when a wider one is stopped.
QUICK_WIDTH = 3


def no_report(state: SearchState) -> None:
    """Ignore the progress of a search."""


def search(
    problem: Problem,
    core: Core,
    options: SearchOptions,
    tell: OnProgress = no_report,
    *,
    stop: StopSignal | None = None,
    tables: Path | None = None,
    clock: Callable[[], float] = time.perf_counter,
    cpu: Callable[[], float] = time.process_time,
) -> SearchOutcome:
    """Find the best tree of a problem within the options; a search that is stopped returns the best so far.

    Large tables are kept in the folder `tables`. Raises `DeskError` when no tree can find every secret within the
    cap, or a checkpoint or a cluster cannot be used.
    """
    began, cpu_began = clock(), cpu()
    context = SearchContext(lay_out(problem, core.codes, tables), core, options, stop or StopSignal())
    table = context.table
    checkpoint = open_checkpoint(options.checkpoint, _mark(problem, options), table)
    with _helpers(options) as helpers, _stopped_after(context.stop, options.seconds):
        plan, cost, narrow_search = beam.narrow(context)
        for known in (options.start, checkpoint.plan):
            if known is not None:
                worth = cost_of(known, table, table.everything, options.left, context.miss)
                plan, cost = (known, worth) if worth < cost else (plan, cost)
        given = beam.cost_model(context, narrow_search, tell)
        if options.early is None:
            plan, cost = _widened(context, given, (plan, cost), tell)
        else:
            plan, cost = familiar(context, given, (plan, cost), tell)
        if options.late:
            plan = late_last(context, given, plan)
            cost = cost_of(plan, table, table.everything, options.left, context.miss)
        plan, cost, bound, trouble = _judged(context, (plan, cost), given, checkpoint, helpers=helpers, tell=tell)
    if options.miss is None and cost != cost_of(plan, table, table.everything, options.left, 0):
        raise DeskError(
            f"No tree that was found guesses every word within {options.cap} guesses; allow more, "
            "or count misses with --miss."
        )
    return SearchOutcome(table, plan, cost, bound, clock() - began, cpu() - cpu_began, trouble)


def _widened(
    context: SearchContext, given: beam.CostModel, best: tuple[Plan, int], tell: OnProgress
) -> tuple[Plan, int]:
    """Search with a quick beam, then with one as wide as the options say; improve the tree the search began with."""
    options = context.options
    quick = min(QUICK_WIDTH, options.width)
    for width in sorted({quick, quick if options.start else options.width} - {1}):
        # The quick beam does not use patience.
        patience = options.patience if width == options.width else None
        stage = replace(context, options=replace(options, width=width, patience=patience))
        best = beam.wide(stage, best, given, tell)
    return best if options.start is None else improved(context, given, best, tell)


def _judged(
    context: SearchContext,
    best: tuple[Plan, int],
    given: beam.CostModel,
    checkpoint: Checkpoint,
    *,
    helpers: cluster.Cluster | None,
    tell: OnProgress,
) -> tuple[Plan, int, int, str]:
    """Bound the best tree, or search for a better one and its proof; return plan, cost, lower bound, trouble."""
    table, options, stop = context.table, context.options, context.stop
    search = context.core.search(table, context.miss, 0, 0, options.memo_bytes, stop.flag)
    if not options.prove:
        return (*best, branch_and_bound.lower_bound_of(context, search, best[1], tell), "")
    search.estimate(given.costs)
    proof = branch_and_bound.Proof(context, best, search, checkpoint, tell)
    trouble = ""
    try:
        if helpers is None:
            proof.go_on(thread_executor(search, table, options.left, options.threads), options.threads)
        else:
            proof.go_on(helpers.executor(table.problem, options, stop), helpers.cores)
    except cluster.ClusterLost as lost:
        trouble = str(lost)
    finally:
        proof.keep(now=True)
    return proof.plan, proof.roots.best, proof.roots.bound, trouble


def _helpers(options: SearchOptions) -> contextlib.AbstractContextManager[cluster.Cluster | None]:
    if options.cluster is None:
        return contextlib.nullcontext()
    return cluster.connected(options.cluster, options.cluster_tls)


@contextlib.contextmanager
def _stopped_after(stop: StopSignal, seconds: float | None) -> Iterator[None]:
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


def _mark(problem: Problem, options: SearchOptions) -> str:
    rest = f"{problem.checksum} {options.cap} {options.miss} {options.first}"
    return hashlib.sha256(rest.encode("ascii")).hexdigest()
