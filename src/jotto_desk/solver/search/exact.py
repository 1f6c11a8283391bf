"""Branch and bound over first guesses: the best tree there is, and the proof, or how far from it we are."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..core import Search
from ..plan import Plan
from .checkpoint import Checkpoint
from .effort import Bench, State, Tell
from .estimate import learned
from .grow import cost_of, grow
from .jobs import run

#: With fewer first guesses than this per thread, the parts of a guess are shared out instead of the guesses.
FEW = 4


@dataclass
class Roots:
    """First guesses that may still beat the best tree: the bound of each, sharpened as work goes on."""

    bounds: dict[int, int]
    best: int

    @property
    def bound(self) -> int:
        """What no tree can be below."""
        return min([self.best, *self.bounds.values()])

    def open(self) -> list[int]:
        """Guesses whose bound is still below the best, lowest bound first."""
        return sorted((guess for guess, low in self.bounds.items() if low < self.best), key=self.bounds.__getitem__)

    def raise_bound(self, guess: int, low: int) -> None:
        """Note that asking `guess` first costs at least `low`."""
        self.bounds[guess] = max(self.bounds[guess], low)


def prove(bench: Bench, best: tuple[Plan, int], teacher: Search, checkpoint: Checkpoint,
          tell: Tell) -> tuple[Plan, int, int]:  # fmt: skip
    """Search on until the best tree is proven or the search is stopped; gives plan, cost and lower bound."""
    table, effort = bench.table, bench.effort
    weights = table.problem.weights
    search = bench.core.search(table, effort.miss, 0, 0, effort.memo_bytes, bench.stop)
    search.estimate(learned(teacher, len(weights), float(weights.mean())))
    roots = _first_look(bench, search, best[1])
    for guess, low in checkpoint.bounds.items():
        if guess in roots.bounds:
            roots.raise_bound(guess, low)
    plan = best[0]
    _second_look(bench, search, roots, tell)
    few = len(roots.open()) < FEW * effort.threads
    for guess, cost in _by_parts(bench, search, roots, tell) if few else _by_guess(bench, search, roots, tell):
        if cost < roots.best:
            bench.stop[0], stopped = 0, int(bench.stop[0])
            roots.best = cost
            plan = grow(search, table, table.everything, effort.left, (), guess)
            bench.stop[0] = stopped
            roots.best = cost_of(plan, table, table.everything, effort.left, effort.miss)
        roots.raise_bound(guess, cost)
        checkpoint.keep(plan, roots.best, roots.bounds)
    checkpoint.keep(plan, roots.best, roots.bounds, now=True)
    return plan, roots.best, roots.bound


def look_ahead(bench: Bench, best: int, tell: Tell) -> int:
    """Give a lower bound for all trees without searching: two looks ahead from every first guess."""
    search = bench.core.search(bench.table, bench.effort.miss, 0, 0, bench.effort.memo_bytes // 4, bench.stop)
    roots = _first_look(bench, search, best)
    _second_look(bench, search, roots, tell)
    return roots.bound


def _first_look(bench: Bench, search: Search, best: int) -> Roots:
    table, effort = bench.table, bench.effort
    guesses, lows, _ = search.scan(table.everything, effort.left)
    bounds = {int(guess): int(low) for guess, low in zip(guesses, lows, strict=True)}
    if effort.first is not None:
        bounds = {effort.first: bounds.get(effort.first, 0)}
    return Roots(bounds, best)


def _second_look(bench: Bench, search: Search, roots: Roots, tell: Tell) -> None:
    """Sharpen the bounds of all first guesses by looking at every set their answers leave."""
    table, effort = bench.table, bench.effort
    waiting = roots.open()

    def foresee(guess: int) -> tuple[int, int]:
        if bench.stop[0]:
            return guess, 0
        return guess, search.foresee(table.everything, effort.left, guess)

    for done, (guess, low) in enumerate(run(foresee, waiting, effort.threads), 1):
        roots.raise_bound(guess, low)
        tell(State("bounds", done, len(waiting), roots.best, roots.bound))


def _by_guess(bench: Bench, search: Search, roots: Roots, tell: Tell) -> Iterator[tuple[int, int]]:
    table, effort = bench.table, bench.effort
    waiting = roots.open()

    def attempt(guess: int) -> tuple[int, int | None]:
        if bench.stop[0] or roots.bounds[guess] >= roots.best:
            return guess, None
        return guess, search.attempt(table.everything, effort.left, guess, roots.best)

    for done, (guess, cost) in enumerate(run(attempt, waiting, effort.threads), 1):
        if cost is not None:
            yield guess, cost
        tell(State("proof", done, len(waiting), roots.best, roots.bound))


def _by_parts(bench: Bench, search: Search, roots: Roots, tell: Tell) -> Iterator[tuple[int, int]]:
    for number, guess in enumerate(roots.open()):
        if not bench.stop[0] and roots.bounds[guess] < roots.best:
            yield guess, _share_out(bench, search, guess, roots, number, tell)


def _share_out(bench: Bench, search: Search, guess: int, roots: Roots, number: int, tell: Tell) -> int:
    """Find the cost of one first guess, the sets its answers leave being searched side by side."""
    table, effort = bench.table, bench.effort
    weights = table.problem.weights
    parts = sorted(table.parts(guess, table.everything).values(), key=len)
    lows = [int(weights[part].sum() * 2 - weights[part[0]]) for part in parts]
    base = int(weights.sum())

    def solve(place: int) -> tuple[int, int | None]:
        limit = roots.best - base - sum(lows) + lows[place]
        if bench.stop[0] or limit <= lows[place]:
            return place, None
        answer = search.solve(parts[place], effort.left - 1, limit, (guess,))
        return place, answer.cost if answer else None

    for done, (place, cost) in enumerate(run(solve, range(len(parts)), effort.threads), 1):
        if cost is not None:
            lows[place] = max(lows[place], cost)
        roots.raise_bound(guess, min(base + sum(lows), roots.best))
        tell(State(f"proof {number + 1}", done, len(parts), roots.best, roots.bound))
    return base + sum(lows)


