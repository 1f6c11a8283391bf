"""The beam: a good tree early. At every set only the most promising guesses are tried."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..contract import ENDLESS, Search
from ..limits import DEFAULT_PATIENCE
from ..model.plan import Plan
from .cap_risk import with_cap_risk
from .estimate import assumed, learned
from .extract import cost_of, grow
from .jobs import in_threads
from .options import OnProgress, SearchContext, SearchState


def narrow(context: SearchContext) -> tuple[Plan, int, Search]:
    """Follow only the most promising guess: return a quick tree, its cost, and a search to learn estimates from.

    The tree keeps a cap as well as it can; the search to learn from ignores it.
    """
    table, left = context.table, context.options.left
    search = _promising_alone(context)
    plan = grow(search, table, table.everything, left, first=context.options.first)
    cost = cost_of(plan, table, table.everything, left, context.miss)
    if context.options.cap is not None:
        # Which sets are searched to keep the cap depends on the order of work, and the costs of sets that miss secrets
        # say nothing about those that miss none: learn without the cap.
        search = _promising_alone(context)
        grow(search, table, table.everything, ENDLESS, first=context.options.first)
    return plan, cost, search


def _promising_alone(context: SearchContext) -> Search:
    search = context.core.search(context.table, context.miss, 1, 0, context.options.memo_bytes // 4)
    search.estimate(assumed(len(context.table.problem.weights)))
    return search


class CostModel(NamedTuple):
    """The estimated costs of sets by size and, where a cap is hard to keep, by turns left."""

    costs: npt.NDArray[np.float64]
    capped: npt.NDArray[np.float64] | None = None


def cost_model(context: SearchContext, narrow_search: Search, tell: OnProgress) -> CostModel:
    """Learn costs from a narrow search and, where the options ask for patience, the risk of missing the cap."""
    weights = context.table.problem.weights
    costs = learned(narrow_search, len(weights), float(weights.mean()))
    hard = context.options.cap is not None and context.options.patience is not None
    return CostModel(costs, with_cap_risk(context, costs, tell) if hard else None)


def beam_search(context: SearchContext, given: CostModel) -> Search:
    """Begin a beam as wide as the options allow."""
    options = context.options
    patience = DEFAULT_PATIENCE if options.patience is None else options.patience
    search = context.core.search(
        context.table, context.miss, options.width, options.full, options.memo_bytes, context.stop.flag, patience
    )
    search.estimate(*given)
    return search


def wide(context: SearchContext, best: tuple[Plan, int], given: CostModel, tell: OnProgress) -> tuple[Plan, int]:
    """Try the `width` most promising guesses at every set; return the best tree, the given one where none is better.

    The result does not depend on the number of threads: at every set the same guesses are tried, whatever the limit.
    """
    table, options = context.table, context.options
    search = beam_search(context, given)
    guesses, _, _ = search.scan(table.everything, options.left)
    tried = guesses[: options.width].tolist() if options.first is None else [options.first]
    plan, cost = best
    first: int | None = None

    def attempt(place: int) -> tuple[int, int | None]:
        # One above the best: of two guesses that cost the same, the more promising one wins, whichever is done first.
        return place, search.attempt(table.everything, options.left, tried[place], cost + 1)

    tell(SearchState("beam", 0, len(tried), cost, 0))
    if len(tried) < options.threads:
        _share_out(context, search, tried, cost, tell)
    for done, (place, found) in enumerate(in_threads(attempt, range(len(tried)), options.threads), 1):
        # What is not below the limit is a bound, not a cost.
        if found is not None and (found < cost or (found == cost and (first is None or place < first))):
            cost, first = found, place
        tell(SearchState("beam", done, len(tried), cost, 0))
    if first is None:
        return plan, cost
    with context.stop.deferred():
        plan = grow(search, table, table.everything, options.left, first=tried[first])
    return plan, cost_of(plan, table, table.everything, options.left, context.miss)


def _share_out(context: SearchContext, search: Search, tried: list[int], best: int, tell: OnProgress) -> None:
    """Search the sets that a few first guesses leave in parallel, to fill the memo while no thread has to wait."""
    table, options = context.table, context.options
    parts = [(guess, part) for guess in tried for part in table.parts(guess, table.everything).values()]
    parts.sort(key=lambda job: -len(job[1]))

    def solve(place: int) -> None:
        guess, part = parts[place]
        search.solve(part, options.left - 1, None, (guess,))

    for done, _ in enumerate(in_threads(solve, range(len(parts)), options.threads), 1):
        tell(SearchState("beam", done, len(parts), best, 0))
