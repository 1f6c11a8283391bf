"""Mending a tree: the sets it leads to are searched, and asked a better guess where one is found."""

from collections.abc import Iterator
from typing import NamedTuple

from ..core import Members, Search
from ..plan import Plan
from .effort import Bench, State, Tell
from .grow import Stopped, grow
from .jobs import run

#: Sets that are left after so many turns are searched; the guesses before are those of the tree.
KEPT = 2

#: The answers that lead to a set.
Path = tuple[int, ...]


class Place(NamedTuple):
    """A set a tree leads to: its plan (None where the tree ends there), its secrets, the turns left, how it came."""

    plan: Plan | None
    members: Members
    left: int
    played: tuple[int, ...]
    path: Path


def mended(bench: Bench, search: Search, best: tuple[Plan, int], tell: Tell) -> tuple[Plan, int]:
    """Search the sets a tree leads to after two turns, and below; give it with what is better put in, and its cost.

    It never costs more than the tree given. A search that is stopped leaves the rest as it is.
    """
    mender = _Mender(bench, search)
    root = Place(best[0], bench.table.everything, bench.effort.left, (), ())
    jobs = sorted(mender.below(root, KEPT), key=lambda place: -len(place.members))
    for done, (path, found) in enumerate(run(mender.job, jobs, bench.effort.threads), 1):
        mender.known[path] = found
        tell(State("mend", done, len(jobs), best[1], 0))
    plan, cost = mender.mend(root)
    return (plan, cost) if plan is not None and cost < best[1] else best


class _Mender:
    """Mends sets, and knows those that were mended before."""

    def __init__(self, bench: Bench, search: Search) -> None:
        self.table, self.miss, self.search = bench.table, bench.miss, search
        self.known: dict[Path, tuple[Plan | None, int]] = {}

    def job(self, place: Place) -> tuple[Path, tuple[Plan | None, int]]:
        return place.path, self.mend(place)

    def below(self, place: Place, turns: int) -> Iterator[Place]:
        """The sets so many turns below one."""
        if not turns:
            yield place
            return
        for part in self._parts(place):
            yield from self.below(part, turns - 1)

    def mend(self, place: Place) -> tuple[Plan | None, int]:
        """The best that is known for a set, and its cost."""
        if place.path in self.known:
            return self.known[place.path]
        weight = int(self.table.problem.weights[place.members].sum())
        if place.plan is not None and len(place.members) == 1 and place.plan.guess == place.members[0]:
            return place.plan, weight
        own: Plan | None = None
        cost = self.miss * weight
        if place.plan is not None:
            children, cost = {}, weight
            for part in self._parts(place):
                child, worth = self.mend(part)
                cost += worth
                if child is not None:
                    children[part.path[-1]] = child
            own = Plan(place.plan.guess, children)
        if place.left < 1 or len(place.path) < KEPT:
            return own, cost
        try:
            found = self.search.solve(place.members, place.left, cost, place.played)
            if found is not None and found.cost < cost:
                return grow(self.search, self.table, place.members, place.left, place.played), found.cost
        except Stopped:
            pass
        return own, cost

    def _parts(self, place: Place) -> Iterator[Place]:
        plan = place.plan
        if plan is None or (len(place.members) == 1 and plan.guess == place.members[0]):
            return
        for code, part in self.table.parts(plan.guess, place.members).items():
            child = plan.children.get(code) if place.left > 1 else None
            yield Place(child, part, place.left - 1, (*place.played, plan.guess), (*place.path, code))
