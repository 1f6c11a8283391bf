"""The best first guesses of a problem, with the exact cost of each.

The last guess on the list sets the limit of the search: a guess that cannot be on the list is only bounded."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from jotto_desk.cluster import Cluster
from jotto_desk.errors import DeskError
from jotto_desk.solver import beam
from jotto_desk.solver.beam import Executor, OnProgress, SearchContext, SearchOptions, SearchOutcome, StopSignal
from jotto_desk.solver.feedback_table import NO_LIMIT, Core, make_table
from jotto_desk.solver.problem import Plan, Problem
from jotto_desk.solver.search import (
    Roots,
    begin_proof,
    ignore_progress,
    make_executor,
    raise_bounds,
    stop_after,
    try_first_guesses,
)

#: The beam gives trees for this many guesses per guess wanted: a low limit saves more than these trees cost.
_TREES_PER_GUESS = 4


class RankedGuess(NamedTuple):
    """A first guess and the cost of the best tree that begins with it; of the best one found if it is not `proven`."""

    guess: int
    cost: int
    proven: bool


@dataclass(frozen=True)
class RankedOutcome(SearchOutcome):
    """The outcome of a search with its best first guesses; no other first guess costs less than `others_bound`.

    Guesses of equal cost are in the order of their numbers, those that can be the secret first.
    """

    ranked: tuple[RankedGuess, ...] = ()
    others_bound: int = 0

    @property
    def list_proven(self) -> bool:
        """Return whether no guess is missing on the list, and every cost is exact."""
        return all(row.proven for row in self.ranked) and self.others_bound >= self.ranked[-1].cost

    def plain(self) -> dict[str, Any]:
        """Return the figures as a dict for JSON; a `total` counts every secret by its weight."""
        problem = self.table.problem
        weight, secrets = int(problem.weights.sum()), len(problem.weights)
        rows = [
            {
                "guess": problem.guesses[row.guess],
                "total": row.cost,
                "mean": round(row.cost / weight, 6),
                "proven": row.proven,
                "can_be_secret": row.guess < secrets,
            }
            for row in self.ranked
        ]
        more = {"first_guesses": rows, "others_bound": self.others_bound, "list_proven": self.list_proven}
        return {**super().plain(), **more}


class _Ranking(Roots):
    """The cost of the cheapest tree found for each first guess; `best` is a limit while there is none."""

    def __init__(self, count: int, bounds: dict[int, int], limit: int) -> None:
        super().__init__(bounds, limit)
        self.count = count
        self.trees: dict[int, int] = {}
        #: The trees that a cluster has found; those found here are in the memo of the search.
        self.plans: dict[int, Plan] = {}
        self.proven: set[int] = set()
        self._last = (limit, -1)

    def list_best(self) -> list[tuple[int, int]]:
        """List cost and guess of the best trees, one per first guess."""
        return sorted((cost, guess) for guess, cost in self.trees.items())[: self.count]

    def limit(self, guess: int) -> int:
        """Return the cost below which a guess is on the list; other threads may ask."""
        cost, last = self._last
        return cost + (guess <= last)

    def is_open(self, guess: int) -> bool:
        return guess not in self.proven and super().is_open(guess)

    def note_tree(self, guess: int, cost: int, limit: int, plan: Plan | None = None) -> None:
        """Note the cost of a tree, if it is below the limit that its search had."""
        if cost < min(limit, self.limit(guess)):
            if plan is not None and cost <= self.trees.get(guess, cost):
                self.plans[guess] = plan
            self.trees[guess] = min(cost, self.trees.get(guess, cost))
            best = self.list_best()
            self.best, self._last = best[0][0], best[-1] if len(best) == self.count else self._last


def rank_first_guesses(
    problem: Problem,
    core: Core,
    options: SearchOptions,
    count: int,
    tell: OnProgress = ignore_progress,
    *,
    stop: StopSignal | None = None,
    cluster: Cluster | None = None,
) -> RankedOutcome:
    """Find the `count` best first guesses with their exact costs, and the best tree.

    A search that is stopped returns the best trees so far. Of `options` only width, cap, time, threads and memory
    count. A `cluster` does the jobs instead of threads. Raises `DeskError` if no tree that was found keeps the cap.
    """
    began, cpu_began = time.perf_counter(), time.process_time()
    context = SearchContext(make_table(problem, core.add_planes), core, options, stop or StopSignal())
    table, left = context.table, options.left
    with stop_after(context.stop, options.seconds):
        plan, quick_cost, narrow_search = beam.search_narrow(context)
        given = beam.learn_costs(narrow_search, problem)
        search = begin_proof(context, given)
        guesses, lows, _ = search.scan(table.everything, left)
        bounds = dict(zip(map(int, guesses), map(int, lows), strict=True))
        bounds.setdefault(plan.guess, 0)
        # A tree that misses a word costs more than any other.
        most = NO_LIMIT if options.cap is None else options.cap * table.weigh(table.everything) + 1
        ranking = _Ranking(count, bounds, most)
        ranking.note_tree(plan.guess, quick_cost, most)
        half = replace(context, options=replace(options, memo_bytes=options.memo_bytes // 2))
        wide = beam.begin_beam(half, given)
        if cluster is None:
            try_beam, prove = (
                beam.thread_executor(one, table, left, options.threads, plans=False) for one in (wide, search)
            )
        else:
            try_beam, prove = make_executor(cluster, half, given, True), make_executor(cluster, context, given, False)
        promising = list(bounds)[: _TREES_PER_GUESS * count]
        for job, cost, found in try_first_guesses(context, try_beam, ranking, "beam", promising, tell):
            ranking.note_tree(job.guess, cost or 0, job.limit, found)
        _prove_guesses(context, ranking, [guess for _, guess in ranking.list_best()], prove, tell)
        raise_bounds(context, prove, ranking, bounds, tell)
        _prove_guesses(context, ranking, ranking.open(), prove, tell)
        if not ranking.trees:
            raise DeskError(f"No tree that was found guesses every word within {options.cap} guesses; allow more.")
        cost, first = ranking.list_best()[0]
        if (cost, first) != (quick_cost, plan.guess):
            with context.stop.defer():
                source, found = search if first in ranking.proven else wide, ranking.plans.get(first)
                plan = found or beam.extract_plan(source, table, table.everything, left, first=first)
    seconds = time.perf_counter() - began, time.process_time() - cpu_began
    listed = [RankedGuess(guess, cost, guess in ranking.proven) for cost, guess in ranking.list_best()]
    others = [low for guess, low in bounds.items() if guess not in {row.guess for row in listed}]
    bound = min(others, default=listed[-1].cost)
    return RankedOutcome(table, plan, cost, ranking.bound, *seconds, ranked=tuple(listed), others_bound=bound)


def _prove_guesses(
    context: SearchContext, ranking: _Ranking, guesses: Iterable[int], prove: Executor, tell: OnProgress
) -> None:
    """Find the exact cost of every guess that may be on the list."""
    for job, cost, plan in try_first_guesses(context, prove, ranking, "proof", guesses, tell):
        ranking.raise_bound(job.guess, cost or 0)
        if cost is not None and cost < job.limit:
            ranking.proven.add(job.guess)
            ranking.note_tree(job.guess, cost, job.limit, plan)
