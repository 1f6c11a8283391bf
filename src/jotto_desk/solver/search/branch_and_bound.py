"""Branch and bound over first guesses: the best tree there is with its proof, or a bound of how far it may be."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..contract import Search
from ..model.plan import Plan
from .checkpoint import Checkpoint
from .jobs import Executor, Job, in_threads
from .options import OnProgress, SearchContext, SearchState

#: With fewer first guesses than this per worker, the parts of a guess are searched in parallel instead of the guesses.
FEW = 4


@dataclass
class Roots:
    """First guesses that may still beat the best tree: the bound of each, raised as work goes on."""

    bounds: dict[int, int]
    best: int

    @property
    def bound(self) -> int:
        """Return the lower bound of all trees."""
        return min([self.best, *self.bounds.values()])

    def open(self) -> list[int]:
        """List the guesses whose bound is still below the best, lowest bound first."""
        return sorted((guess for guess, low in self.bounds.items() if low < self.best), key=self.bounds.__getitem__)

    def raise_bound(self, guess: int, low: int) -> None:
        """Note that asking `guess` first costs at least `low`."""
        self.bounds[guess] = max(self.bounds[guess], low)


class Proof:
    """The search for the best tree and its proof; `plan`, `roots.best` and `roots.bound` are valid at any moment.

    `search` bounds first guesses here; `executor` does the jobs, as many as `workers` at a time.
    """

    def __init__(
        self, context: SearchContext, best: tuple[Plan, int], search: Search, checkpoint: Checkpoint, tell: OnProgress
    ) -> None:
        self.context, self.checkpoint, self.tell, self.search = context, checkpoint, tell, search
        self.plan, cost = best
        self.roots = _first_bounds(context, search, cost)
        for guess, low in checkpoint.bounds.items():
            if guess in self.roots.bounds:
                self.roots.raise_bound(guess, low)
        _raise_bounds(context, search, self.roots, tell)

    def go_on(self, executor: Executor, workers: int) -> None:
        """Search on until the best tree is proven or the search is stopped."""
        few = len(self.roots.open()) < FEW * workers
        for guess, cost, plan in self._by_parts(executor) if few else self._by_guess(executor):
            if plan is not None and cost < self.roots.best:
                self.plan, self.roots.best = plan, cost
            self.roots.raise_bound(guess, cost)
            self.keep()

    def keep(self, now: bool = False) -> None:
        """Save the checkpoint when it is due, or `now`."""
        self.checkpoint.keep(self.plan, self.roots.best, self.roots.bounds, now)

    def _by_guess(self, executor: Executor) -> Iterator[tuple[int, int, Plan | None]]:
        """Raise the bounds of first guesses to the best cost, lowest bound first: the gap closes from below."""
        roots = self.roots
        waiting = roots.open()
        for job, cost, plan in executor(self._jobs(waiting)):
            if cost is not None:
                yield job.guess, cost, plan
            left = sum(roots.bounds[guess] < roots.best for guess in waiting)
            self.tell(SearchState("proof", len(waiting) - left, len(waiting), roots.best, roots.bound))

    def _jobs(self, waiting: list[int]) -> Iterator[Job]:
        for guess in waiting:
            if not self.context.stop.requested and self.roots.bounds[guess] < self.roots.best:
                yield Job(guess, None, self.roots.best)

    def _by_parts(self, executor: Executor) -> Iterator[tuple[int, int, Plan | None]]:
        for number, guess in enumerate(self.roots.open(), 1):
            if not self.context.stop.requested and self.roots.bounds[guess] < self.roots.best:
                yield (guess, *self._share_out(guess, executor, f"proof {number}"))

    def _share_out(self, guess: int, executor: Executor, stage: str) -> tuple[int, Plan | None]:
        """Find the cost of one first guess, searching the sets its answers leave in parallel."""
        table, roots = self.context.table, self.roots
        weights = table.problem.weights
        parts = dict(sorted(table.parts(guess, table.everything).items(), key=lambda part: len(part[1])))
        lows = {code: int(weights[part].sum() * 2 - weights[part[0]]) for code, part in parts.items()}
        base = int(weights.sum())
        found, known = Plan(guess, {}), set[int | None]()

        def jobs() -> Iterator[Job]:
            for code in parts:
                limit = roots.best - base - sum(lows.values()) + lows[code]
                if not self.context.stop.requested and limit > lows[code]:
                    yield Job(guess, code, limit)

        for count, done in enumerate(executor(jobs()), 1):
            code, cost = done.job.code, done.cost
            if code is not None and cost is not None:
                lows[code] = max(lows[code], cost)
                if cost < done.job.limit:
                    known.add(code)
                if done.plan is not None:
                    found.children[code] = done.plan
            roots.raise_bound(guess, min(base + sum(lows.values()), roots.best))
            self.tell(SearchState(stage, count, len(parts), roots.best, roots.bound))
        total = base + sum(lows.values())
        return total, found if known == set(parts) else None


def lower_bound_of(context: SearchContext, search: Search, best: int, tell: OnProgress) -> int:
    """Return a lower bound of all trees without a search, looking one or two guesses ahead."""
    roots = _first_bounds(context, search, best)
    if context.options.plies > 1:
        _raise_bounds(context, search, roots, tell)
    return roots.bound


def _first_bounds(context: SearchContext, search: Search, best: int) -> Roots:
    table, options = context.table, context.options
    guesses, lows, _ = search.scan(table.everything, options.left)
    bounds = {int(guess): int(low) for guess, low in zip(guesses, lows, strict=True)}
    if options.first is not None:
        bounds = {options.first: bounds.get(options.first, 0)}
    return Roots(bounds, best)


def _raise_bounds(context: SearchContext, search: Search, roots: Roots, tell: OnProgress) -> None:
    """Raise the bounds of all first guesses by a scan of every set their answers leave."""
    table, options = context.table, context.options
    waiting = roots.open()

    def bound(guess: int) -> tuple[int, int]:
        if context.stop.requested:
            return guess, 0
        return guess, search.look_ahead(table.everything, options.left, guess)

    for done, (guess, low) in enumerate(in_threads(bound, waiting, options.threads), 1):
        roots.raise_bound(guess, low)
        tell(SearchState("bounds", done, len(waiting), roots.best, roots.bound))
