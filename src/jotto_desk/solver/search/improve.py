"""Improving a tree: the sets it leads to are searched, and get a better guess where one is found.

The sizes of the parts a guess makes tell good guesses from bad ones, but hardly the best from the second best. A
play-out does: the tree that asks the most promising guess everywhere. So large sets are probed: promising guesses are
played out, the best of those are searched by a narrow beam, and below the best of these the same begins again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..contract import Members, Search
from ..model.plan import Plan
from .beam import CostModel, beam_search
from .extract import Stopped, cost_of, grow
from .jobs import in_threads
from .options import OnProgress, SearchContext, SearchOptions, SearchState

#: The guesses of this many turns are kept; the sets left after them are searched.
FIXED_TURNS = 2
#: Only sets of at least so many members are probed; in smaller ones a scan tells no more than the number of parts.
MIN_PROBED = 49
#: Sets are probed only in this many turns after the kept ones: where guesses tell little, large sets follow on large
#: sets for dozens of turns.
PROBED_TURNS = 3
#: Guesses played out at a large set, per guess of the beam's width. As many as its width are then searched.
PLAYED_OUT = 8
#: The width of the beam that searches them; one in PROBED_SHARE of them is probed, half as many at every further turn.
PROBE_WIDTH, PROBED_SHARE = 4, 5

#: The codes of the answers that lead to a set.
Path = tuple[int, ...]


class Subtree(NamedTuple):
    """A set a tree leads to: its plan (None where the tree has none), its secrets, turns left, guesses and answers."""

    plan: Plan | None
    members: Members
    left: int
    played: tuple[int, ...]
    path: Path


class SubtreeResult(NamedTuple):
    """The cost found for a set: with a guess and the results of its parts or, without a guess, as the beam has it."""

    cost: int
    guess: int | None = None
    parts: tuple[tuple[Subtree, "SubtreeResult"], ...] = ()


def improved(context: SearchContext, given: CostModel, best: tuple[Plan, int], tell: OnProgress) -> tuple[Plan, int]:
    """Search the sets a tree leads to after two turns, and below; return the improved tree and its cost.

    It never costs more than the tree given. When the search is stopped, the rest stays as it was. The result does not
    depend on the number of threads.
    """
    improver = _Improver(context, given)
    root = Subtree(best[0], context.table.everything, context.options.left, (), ())
    jobs = sorted(improver.below(root, FIXED_TURNS), key=lambda place: -len(place.members))
    for done, (path, found) in enumerate(in_threads(improver.job, jobs, context.options.threads), 1):
        improver.known[path] = found
        tell(SearchState("improve", done, len(jobs), best[1], 0))
    plan, cost = improver.whole(root)
    return (plan, cost) if plan is not None and cost < best[1] else best


class _Improver:
    """Improves sets, and keeps the results by path."""

    def __init__(self, context: SearchContext, given: CostModel) -> None:
        self.table, self.miss, self.options, self.stop = context.table, context.miss, context.options, context.stop
        self.known: dict[Path, tuple[Plan | None, int]] = {}
        wide = replace(context.options, memo_bytes=context.options.memo_bytes // 3)
        light = replace(wide, full=min(wide.full, SearchOptions.full), patience=None)
        self.alone, self.narrow, self.wide = (
            beam_search(replace(context, options=options), given)
            for options in (replace(light, width=1), replace(light, width=min(PROBE_WIDTH, wide.width)), wide)
        )

    def below(self, place: Subtree, turns: int) -> Iterator[Subtree]:
        """Yield the sets so many turns below one, and earlier ones where the tree ends."""
        if not turns or place.plan is None:
            yield place
            return
        for part in self._parts(place, place.plan.guess):
            yield from self.below(part, turns - 1)

    def job(self, place: Subtree) -> tuple[Path, tuple[Plan | None, int]]:
        """Improve one set; return its path, plan and cost."""
        cost = self._own_cost(place)
        try:
            found = None if self.stop.requested else self._probe(place)
            if found is not None and found.cost < cost:
                with self.stop.deferred():
                    return place.path, (self._grown(place, found), found.cost)
        except Stopped:
            pass
        return place.path, (place.plan, cost)

    def whole(self, place: Subtree) -> tuple[Plan | None, int]:
        """Assemble the tree from a set on, with all improvements, and its cost."""
        if place.path in self.known:
            return self.known[place.path]
        assert place.plan is not None  # else it was improved
        children, cost = {}, self._weight(place)
        for part in self._parts(place, place.plan.guess):
            child, worth = self.whole(part)
            cost += worth
            if child is not None:
                children[part.path[-1]] = child
        return Plan(place.plan.guess, children), cost

    def _probe(self, place: Subtree) -> SubtreeResult:
        """Find the best for a set, never worse than its own plan; when stopped, the best so far."""
        own = [] if place.plan is None else [place.plan.guess]
        late = place.left <= 2 or len(place.path) >= FIXED_TURNS + PROBED_TURNS
        large = not late and len(place.members) > max(MIN_PROBED - 1, self.options.full)
        best = self._searched(place)
        try:
            for guess in self._likely(place, own) if large else own:
                found = self._tried(place, guess, best.cost)
                best = best if found is None else found
        except Stopped:
            pass
        return best

    def _tried(self, place: Subtree, guess: int, limit: int) -> SubtreeResult | None:
        """Find the cost of a guess by probing the sets it leaves; None where it is not below the limit."""
        cost, parts = self._weight(place), []
        for part in self._parts(place, guess):
            found = self._probe(part)
            parts.append((part, found))
            cost += found.cost
            if cost >= limit:
                return None
        return SubtreeResult(cost, guess, tuple(parts))

    def _searched(self, place: Subtree) -> SubtreeResult:
        answer = self.wide.solve(place.members, place.left, None, place.played)
        if answer is None:
            raise Stopped
        return SubtreeResult(answer.cost)

    def _likely(self, place: Subtree, own: list[int]) -> list[int]:
        """Choose the best guesses at a set by play-outs, then by a narrow beam; its own guess is always among them."""
        width, guesses = self.options.width, self.alone.scan(place.members, place.left, place.played)
        first = np.arange(len(guesses[0]))
        if self.table.problem.is_symmetric:
            # Guesses with the same key mostly differ only by the names of their symbols.
            first = np.sort(np.unique(guesses[2], return_index=True)[1])
        likely: list[int] = guesses[0][first[: PLAYED_OUT * width]].tolist()
        probed = max(1, -(-width // PROBED_SHARE) >> max(0, len(place.path) - FIXED_TURNS))
        for search, kept in ((self.alone, width), (self.narrow, probed)):
            likely = self._best(search, place, likely, kept)
            likely += [guess for guess in own if guess not in likely]
        return likely

    def _best(self, search: Search, place: Subtree, guesses: Sequence[int], kept: int) -> list[int]:
        costs = []
        for guess in guesses:
            cost = search.attempt(place.members, place.left, guess, None, place.played)
            if cost is None:
                raise Stopped
            costs.append(cost)
        return [guesses[number] for number in np.argsort(np.array(costs, dtype=np.int64), kind="stable")[:kept]]

    def _grown(self, place: Subtree, found: SubtreeResult) -> Plan:
        if found.guess is None:
            return grow(self.wide, self.table, place.members, place.left, place.played)
        children = {part.path[-1]: self._grown(part, each) for part, each in found.parts if part.left > 0}
        return Plan(found.guess, children)

    def _parts(self, place: Subtree, guess: int) -> Iterator[Subtree]:
        """Yield the sets a guess leaves, with their plans where it is the tree's own guess."""
        if len(place.members) == 1 and guess == place.members[0]:
            return
        own = place.plan.children if place.plan and place.plan.guess == guess and place.left > 1 else {}
        for code, part in self.table.parts(guess, place.members).items():
            yield Subtree(own.get(code), part, place.left - 1, (*place.played, guess), (*place.path, code))

    def _weight(self, place: Subtree) -> int:
        return int(self.table.problem.weights[place.members].sum())

    def _own_cost(self, place: Subtree) -> int:
        if place.plan is None or place.left < 1:
            return self.miss * self._weight(place)
        return cost_of(place.plan, self.table, place.members, place.left, self.miss)
