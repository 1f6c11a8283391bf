"""A whole search: a narrow beam, a wide one, then branch and bound, until proven or out of time."""

import hashlib
import threading
import time
from collections.abc import Callable


from ...errors import DeskError
from ..core import Core, Search
from ..plan import Plan
from ..problem import Problem
from ..table import Table, lay_out
from . import beam, exact
from .checkpoint import Checkpoint, open_checkpoint
from .effort import NEVER, Bench, Effort, Outcome, State, Tell
from .grow import cost_of


def silent(state: State) -> None:
    """Tell nobody."""


def search(problem: Problem, core: Core, effort: Effort, tell: Tell = silent,
           clock: Callable[[], float] = time.perf_counter,
           cpu: Callable[[], float] = time.process_time) -> Outcome:  # fmt: skip
    """Find the best tree of a problem within the effort; Ctrl-C ends the search and keeps the best so far.

    Raises `DeskError` when no tree can find every secret within the cap, or a checkpoint does not fit.
    """
    began, cpu_began = clock(), cpu()
    table = lay_out(problem, core.codes)
    bench = Bench(table, core, effort)
    checkpoint = open_checkpoint(effort.checkpoint, _mark(problem, effort), table)
    plan, cost, teacher = beam.narrow(bench)
    if checkpoint.plan is not None and checkpoint.cost < cost:
        plan, cost = checkpoint.plan, cost_of(checkpoint.plan, table, table.everything, effort.left, effort.miss)
    bound, interrupted = 0, False
    timer = _stop_after(bench, effort.seconds)
    best = [(plan, cost)]
    try:
        plan, cost, bound = _deepen(bench, best, teacher, checkpoint, tell)
    except KeyboardInterrupt:
        bench.stop[0], interrupted = 1, True
        plan, cost = best[-1]
    finally:
        timer.cancel()
    if effort.miss == NEVER and cost != cost_of(plan, table, table.everything, effort.left, 0):
        raise DeskError(f"No tree that was found guesses every word within {effort.cap} guesses; allow more, "
                        "or count misses with --miss.")  # fmt: skip
    return Outcome(plan, cost, bound, clock() - began, cpu() - cpu_began, interrupted)


def _deepen(bench: Bench, best: list[tuple[Plan, int]], teacher: Search, checkpoint: Checkpoint,
            tell: Tell) -> tuple[Plan, int, int]:  # fmt: skip
    if bench.effort.width > 1:
        best.append(beam.wide(bench, best[-1], teacher, tell))
    if not bench.effort.prove:
        return (*best[-1], exact.look_ahead(bench, best[-1][1], tell))
    plan, cost, bound = exact.prove(bench, best[-1], teacher, checkpoint, tell)
    best.append((plan, cost))
    return plan, cost, bound


def _stop_after(bench: Bench, seconds: float | None) -> threading.Timer:
    def stop() -> None:
        bench.stop[0] = 1

    timer = threading.Timer(seconds if seconds is not None else threading.TIMEOUT_MAX, stop)
    timer.daemon = True
    if seconds is not None:
        timer.start()
    return timer


def _mark(problem: Problem, effort: Effort) -> str:
    rest = f"{problem.checksum} {effort.cap} {effort.miss} {effort.first}"
    return hashlib.sha256(rest.encode("ascii")).hexdigest()


