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
from .extract import cost_of
from .improve import mended
from .jobs import hands
from .options import Bench, Effort, Outcome, State, Stop, Tell

#: The width of a beam that is done in a second or two: whoever stops a wider one has at least its tree.
SOON = 3


def silent(state: State) -> None:
    """Tell nobody."""


def search(problem: Problem, core: Core, effort: Effort, tell: Tell = silent, *,
           stop: Stop | None = None, tables: Path | None = None, clock: Callable[[], float] = time.perf_counter,
           cpu: Callable[[], float] = time.process_time) -> Outcome:  # fmt: skip
    """Find the best tree of a problem within the effort; a search that is stopped gives the best so far.

    Large tables are kept in the folder `tables`. Raises `DeskError` when no tree can find every secret within the
    cap, or a checkpoint or a cluster cannot be used.
    """
    began, cpu_began = clock(), cpu()
    bench = Bench(lay_out(problem, core.codes, tables), core, effort, stop or Stop())
    table = bench.table
    checkpoint = open_checkpoint(effort.checkpoint, _mark(problem, effort), table)
    with _helpers(effort) as helpers, _stopped_after(bench.stop, effort.seconds):
        plan, cost, teacher = beam.narrow(bench)
        for known in (effort.start, checkpoint.plan):
            if known is not None and (worth := cost_of(known, table, table.everything, effort.left, bench.miss)) < cost:
                plan, cost = known, worth
        given = beam.lesson(bench, teacher, tell)
        soon = min(SOON, effort.width)
        for width in sorted({soon, soon if effort.start else effort.width} - {1}):
            # A tree soon is not the time for patience.
            patience = effort.patience if width == effort.width else None
            stage = replace(bench, effort=replace(effort, width=width, patience=patience))
            plan, cost = beam.wide(stage, (plan, cost), given, tell)
        if effort.start is not None:
            plan, cost = mended(bench, given, (plan, cost), tell)
        plan, cost, bound, trouble = _judged(bench, (plan, cost), given, checkpoint, helpers=helpers, tell=tell)
    if effort.miss is None and cost != cost_of(plan, table, table.everything, effort.left, 0):
        raise DeskError(f"No tree that was found guesses every word within {effort.cap} guesses; allow more, "
                        "or count misses with --miss.")  # fmt: skip
    return Outcome(table, plan, cost, bound, clock() - began, cpu() - cpu_began, trouble)


def _judged(bench: Bench, best: tuple[Plan, int], given: beam.Lesson, checkpoint: Checkpoint, *,
            helpers: cluster.Cluster | None, tell: Tell) -> tuple[Plan, int, int, str]:  # fmt: skip
    """Bound the best tree, or search on for a better one and its proof: plan, cost, lower bound, trouble."""
    table, effort, stop = bench.table, bench.effort, bench.stop
    search = bench.core.search(table, bench.miss, 0, 0, effort.memo_bytes, stop.flag)
    if not effort.prove:
        return (*best, branch_and_bound.look_ahead(bench, search, best[1], tell), "")
    search.estimate(given.costs)
    proof = branch_and_bound.Proof(bench, best, search, checkpoint, tell)
    trouble = ""
    try:
        if helpers is None:
            proof.go_on(hands(search, table, effort.left, effort.threads), effort.threads)
        else:
            proof.go_on(helpers.hands(table.problem, effort, stop), helpers.cores)
    except cluster.ClusterLost as lost:
        trouble = str(lost)
    finally:
        proof.keep(now=True)
    return proof.plan, proof.roots.best, proof.roots.bound, trouble


def _helpers(effort: Effort) -> contextlib.AbstractContextManager[cluster.Cluster | None]:
    return contextlib.nullcontext() if effort.cluster is None else cluster.connected(effort.cluster)


@contextlib.contextmanager
def _stopped_after(stop: Stop, seconds: float | None) -> Iterator[None]:
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, stop.ask)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _mark(problem: Problem, effort: Effort) -> str:
    rest = f"{problem.checksum} {effort.cap} {effort.miss} {effort.first}"
    return hashlib.sha256(rest.encode("ascii")).hexdigest()
