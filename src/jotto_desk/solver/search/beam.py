"""The beam: a good tree soon. At every set only the most promising guesses are tried."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..contract import ENDLESS, Search
from ..limits import PATIENCE
from ..model.plan import Plan
from .cap_risk import doubted
from .estimate import assumed, learned
from .extract import cost_of, grow
from .jobs import run
from .options import Bench, State, Tell


def narrow(bench: Bench) -> tuple[Plan, int, Search]:
    """Follow the most promising guess alone: a tree in no time, its cost, and a search to learn estimates from.

    The tree keeps a cap as well as it can; the search to learn from knows of none.
    """
    table, left = bench.table, bench.effort.left
    search = _promising_alone(bench)
    plan = grow(search, table, table.everything, left, first=bench.effort.first)
    cost = cost_of(plan, table, table.everything, left, bench.miss)
    if bench.effort.cap is not None:
        # Which sets were met in trying to keep the cap hangs on the order of work, and what sets cost that miss
        # secrets says nothing about sets that miss none: learn without the cap.
        search = _promising_alone(bench)
        grow(search, table, table.everything, ENDLESS, first=bench.effort.first)
    return plan, cost, search


def _promising_alone(bench: Bench) -> Search:
    search = bench.core.search(bench.table, bench.miss, 1, 0, bench.effort.memo_bytes // 4)
    search.estimate(assumed(len(bench.table.problem.weights)))
    return search


class Lesson(NamedTuple):
    """What sets are thought to cost by size, and, where a cap is hard to keep, by turns left."""

    costs: npt.NDArray[np.float64]
    hurried: npt.NDArray[np.float64] | None = None


def lesson(bench: Bench, teacher: Search, tell: Tell) -> Lesson:
    """Learn from a narrow search and, where the effort is a patient one, by trying how large sets may be."""
    weights = bench.table.problem.weights
    costs = learned(teacher, len(weights), float(weights.mean()))
    hard = bench.effort.cap is not None and bench.effort.patience is not None
    return Lesson(costs, doubted(bench, costs, tell) if hard else None)


def taught(bench: Bench, given: Lesson) -> Search:
    """Begin a beam as wide as the effort allows."""
    effort = bench.effort
    search = bench.core.search(bench.table, bench.miss, effort.width, effort.full, effort.memo_bytes, bench.stop.flag,
                               PATIENCE if effort.patience is None else effort.patience)  # fmt: skip
    search.estimate(*given)
    return search


def wide(bench: Bench, best: tuple[Plan, int], given: Lesson, tell: Tell) -> tuple[Plan, int]:
    """Try the `width` most promising guesses at every set; gives the best tree found, the old one where none is better.

    The outcome does not hang on the number of threads: at every set the same guesses are tried, whatever the limit.
    """
    table, effort = bench.table, bench.effort
    search = taught(bench, given)
    guesses, _, _ = search.scan(table.everything, effort.left)
    tried = guesses[: effort.width].tolist() if effort.first is None else [effort.first]
    plan, cost = best
    first: int | None = None

    def attempt(place: int) -> tuple[int, int | None]:
        # One above the best: of two guesses worth the same, the more promising one is taken, whoever is done first.
        return place, search.attempt(table.everything, effort.left, tried[place], cost + 1)

    tell(State("beam", 0, len(tried), cost, 0))
    if len(tried) < effort.threads:
        _share_out(bench, search, tried, cost, tell)
    for done, (place, found) in enumerate(run(attempt, range(len(tried)), effort.threads), 1):
        # What is not below the limit is a bound, not a cost.
        if found is not None and (found < cost or (found == cost and (first is None or place < first))):
            cost, first = found, place
        tell(State("beam", done, len(tried), cost, 0))
    if first is None:
        return plan, cost
    with bench.stop.put_off():
        plan = grow(search, table, table.everything, effort.left, first=tried[first])
    return plan, cost_of(plan, table, table.everything, effort.left, bench.miss)


def _share_out(bench: Bench, search: Search, tried: list[int], best: int, tell: Tell) -> None:
    """Fill the memo with the sets a few first guesses leave, side by side, so that no thread has to wait."""
    table, effort = bench.table, bench.effort
    parts = [(guess, part) for guess in tried for part in table.parts(guess, table.everything).values()]
    parts.sort(key=lambda job: -len(job[1]))

    def solve(place: int) -> None:
        guess, part = parts[place]
        search.solve(part, effort.left - 1, None, (guess,))

    for done, _ in enumerate(run(solve, range(len(parts)), effort.threads), 1):
        tell(State("beam", done, len(parts), best, 0))
