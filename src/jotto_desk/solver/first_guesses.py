"""The best first guesses of a problem, with the exact cost of each.

The last guess on the list sets the limit of the search: a guess that cannot be on the list is only bounded."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from jotto_desk.cluster import Cluster
from jotto_desk.errors import DeskError
from jotto_desk.solver import beam
from jotto_desk.solver.beam import (
    Executor,
    Job,
    OnProgress,
    SearchContext,
    SearchOptions,
    SearchOutcome,
    SearchState,
    StopSignal,
)
from jotto_desk.solver.feedback_table import NO_LIMIT, Core, make_table
from jotto_desk.solver.problem import Plan, Problem
from jotto_desk.solver.search import ignore_progress, make_executor, stop_after

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


class _Ranking:
    """The cheapest tree found for each first guess, and what is known of the others."""

    def __init__(self, count: int, bounds: dict[int, int], limit: int) -> None:
        self.count, self.bounds = count, bounds
        self.trees: dict[int, int] = {}
        #: The trees that a cluster has found; those found here are in the memo of the search.
        self.plans: dict[int, Plan] = {}
        self.proven: set[int] = set()
        self._last = (limit, -1)

    @property
    def best(self) -> int:
        """Return the cost of the best tree, or the limit while there is none."""
        return min(self.trees.values(), default=self._last[0])

    def list_best(self) -> list[tuple[int, int]]:
        """List cost and guess of the best trees, one per first guess."""
        return sorted((cost, guess) for guess, cost in self.trees.items())[: self.count]

    def limit(self, guess: int) -> int:
        """Return the cost below which a guess is on the list; other threads may ask."""
        cost, last = self._last
        return cost + (guess <= last)

    def is_open(self, guess: int) -> bool:
        return guess not in self.proven and self.bounds[guess] < self.limit(guess)

    def note_beam(self, guess: int, cost: int, limit: int) -> None:
        """Note the cost of a tree, if it is below the limit that the beam had."""
        if cost < min(limit, self.limit(guess)):
            self.trees[guess] = min(cost, self.trees.get(guess, cost))
            best = self.list_best()
            self._last = best[-1] if len(best) == self.count else self._last

    def note_bound(self, guess: int, low: int, limit: int) -> None:
        """Note a lower bound of the cost."""
        self.bounds[guess] = max(low, self.bounds[guess])

    def note_exact(self, guess: int, cost: int, limit: int) -> None:
        """Note the result of a search with a limit: the cost if it is below the limit, else a bound."""
        self.note_bound(guess, cost, limit)
        if cost < limit:
            self.proven.add(guess)
            self.note_beam(guess, cost, limit)


def rank_first_guesses(
    problem: Problem,
    core: Core,
    options: SearchOptions,
    count: int,
    tell: OnProgress = ignore_progress,
    *,
    stop: StopSignal | None = None,
    tables: Path | None = None,
    cluster: Cluster | None = None,
) -> RankedOutcome:
    """Find the `count` best first guesses with their exact costs, and the best tree.

    A search that is stopped returns the best trees so far. Of `options` only width, cap, time, threads and memory
    count. A `cluster` does the jobs instead of threads. Raises `DeskError` if no tree that was found keeps the cap.
    """
    began, cpu_began = time.perf_counter(), time.process_time()
    context = SearchContext(make_table(problem, core.add_planes, tables), core, options, stop or StopSignal())
    table, left = context.table, options.left
    with stop_after(context.stop, options.seconds):
        plan, quick_cost, narrow_search = beam.search_narrow(context)
        given = beam.learn_cost_model(context, narrow_search, tell)
        search = core.search(table, context.miss, 0, 0, options.memo_bytes, context.stop.flag)
        search.estimate(given.costs)
        guesses, lows, _ = search.scan(table.everything, left)
        bounds = dict(zip(map(int, guesses), map(int, lows), strict=True))
        bounds.setdefault(plan.guess, 0)
        # A tree that misses a word costs more than any other.
        most = NO_LIMIT if options.cap is None else options.cap * table.weigh(table.everything) + 1
        ranking = _Ranking(count, bounds, most)
        ranking.note_beam(plan.guess, quick_cost, most)
        half = replace(context, options=replace(options, memo_bytes=options.memo_bytes // 2))
        wide = beam.begin_beam(half, given)
        if cluster is None:
            try_beam, prove = (
                beam.thread_executor(one, table, left, options.threads, plans=False) for one in (wide, search)
            )
        else:
            try_beam, prove = make_executor(cluster, half, given, True), make_executor(cluster, context, given, False)
        promising = list(bounds)[: _TREES_PER_GUESS * count]
        _try_guesses(context, ranking, "beam", promising, try_beam, ranking.note_beam, tell)
        likely = [guess for _, guess in ranking.list_best()]
        _try_guesses(context, ranking, "proof", likely, prove, ranking.note_exact, tell)
        _try_guesses(context, ranking, "bounds", bounds, prove, ranking.note_bound, tell, looks=True)
        _try_guesses(context, ranking, "proof", sorted(bounds, key=bounds.__getitem__), prove, ranking.note_exact, tell)
        if not ranking.trees:
            raise DeskError(f"No tree that was found guesses every word within {options.cap} guesses; allow more.")
        cost, first = ranking.list_best()[0]
        if (cost, first) != (quick_cost, plan.guess):
            with context.stop.defer():
                source = search if first in ranking.proven else wide
                found = ranking.plans.get(first)
                plan = found or beam.extract_plan(source, table, table.everything, left, first=first)
    seconds = time.perf_counter() - began, time.process_time() - cpu_began
    listed = [RankedGuess(guess, cost, guess in ranking.proven) for cost, guess in ranking.list_best()]
    others = [low for guess, low in bounds.items() if guess not in {row.guess for row in listed}]
    lowest = min([cost, *bounds.values()])
    bound = min(others, default=listed[-1].cost)
    return RankedOutcome(table, plan, cost, lowest, *seconds, ranked=tuple(listed), others_bound=bound)


def _try_guesses(
    context: SearchContext,
    ranking: _Ranking,
    stage: str,
    guesses: Iterable[int],
    executor: Executor,
    note: Callable[[int, int, int], None],
    tell: OnProgress,
    looks: bool = False,
) -> None:
    """Measure guesses that may be on the list: the executor gets a guess and its limit, `note` the result as well."""
    waiting = list(filter(ranking.is_open, guesses))

    def jobs() -> Iterator[Job]:
        for guess in waiting:
            if ranking.is_open(guess) and not context.stop.requested:
                yield Job(guess, None, ranking.limit(guess), looks)

    for done, (job, cost, plan) in enumerate(executor(jobs()), 1):
        if cost is not None:
            note(job.guess, cost, job.limit)
            if plan is not None and ranking.trees.get(job.guess) == cost:
                ranking.plans[job.guess] = plan
        tell(SearchState(stage, done, len(waiting), ranking.best, 0))
