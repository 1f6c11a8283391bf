"""Better trees from a found one: early guesses that people know, and cheaper subtrees."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jotto_desk.solver import beam
from jotto_desk.solver.beam import OnProgress, SearchContext, SearchOptions, SearchState, SearchStopped
from jotto_desk.solver.feedback_table import ENDLESS, Costs, Members, Search
from jotto_desk.solver.problem import Plan

# Trees that begin with words people know: the first guesses are limited, the rest is a beam.
#
# A person has to know the first words NAO asks, and to hear them rightly. The first two guesses are familiar words. The
# third is one too, unless another saves so much that it is worth its strangeness. Where one or two secrets are left,
# they need not be familiar: one of them has to be asked. A late word is asked only if all secrets left are late.

#: Sets of at most this many secrets are searched without limits.
FEW_SECRETS = 2
#: An unfamiliar third guess has to save more than one turn in this many games. Costs are multiples of 1/64.
STRANGE_GUESS_GAMES = 64
#: Guesses compared instead of a late one.
_COMPARED_GUESSES = 8


class EarlyBranch(NamedTuple):
    """The cost of a set in 1/64 turns, strangeness included, the guess to ask there and the branches below it.

    Without a guess it is the beam's own plan; without branches the beam continues below the guess.
    """

    cost: int
    guess: int | None = None
    below: tuple[tuple[int, "EarlyBranch"], ...] = ()


def search_familiar(context: SearchContext, given: Costs, best: tuple[Plan, int], tell: OnProgress) -> tuple[Plan, int]:
    """Find the best tree within the limits for every first guess that is tried; return it and its cost.

    A search that is stopped returns the best tree so far, `best` if none exists yet. The result does not depend on
    the number of threads.
    """
    search = _EarlySearch(context, given)
    table = context.table
    found: tuple[Plan, int] | None = None
    try:
        for first in search.list_first_guesses():
            plan = search.plan(first, tell, best[1])
            cost = beam.plan_cost(plan, table, table.everything, ENDLESS, context.miss)
            if found is None or cost < found[1]:
                found = plan, cost
    except SearchStopped:
        pass
    return found or best


def ask_late_last(context: SearchContext, given: Costs, plan: Plan) -> Plan:
    """Replace every late guess that a plan asks while a secret is left that is not late.

    A search that is stopped returns the plan as it was given.
    """
    search, table, late = beam.begin_beam(context, given), context.table, context.options.late

    def choose_likely(members: Members, played: tuple[int, ...]) -> list[int]:
        promising = [*search.scan(members, ENDLESS, played)[0].tolist(), *members.tolist()]
        others = [guess for guess in dict.fromkeys(promising) if guess not in late][: context.options.width]
        costs = {guess: search.attempt(members, ENDLESS, guess, None, played) for guess in others}
        return sorted(others, key=lambda guess: costs[guess] or 0)[:_COMPARED_GUESSES]

    def replace_late(plan: Plan, members: Members, played: tuple[int, ...]) -> Plan:
        if plan.guess not in late or late.issuperset(members.tolist()):
            return replace_below(plan, members, played)
        plans = [
            replace_below(beam.extract_plan(search, table, members, ENDLESS, played, first), members, played)
            for first in choose_likely(members, played)
        ]
        return min(plans, key=lambda each: beam.plan_cost(each, table, members, ENDLESS, context.miss))

    def replace_below(plan: Plan, members: Members, played: tuple[int, ...]) -> Plan:
        parts, played = table.split(plan.guess, members), (*played, plan.guess)
        children = {code: replace_late(child, parts[code], played) for code, child in plan.children.items()}
        return Plan(plan.guess, children)

    try:
        return replace_late(plan, table.everything, ())
    except SearchStopped:
        return plan


class _EarlySearch:
    """A beam whose first turns are limited."""

    def __init__(self, context: SearchContext, given: Costs) -> None:
        assert context.options.early is not None
        self.context, self.table = context, context.table
        self.width = context.options.width
        self.known, self.late = context.options.early, context.options.late
        self.beam = beam.begin_beam(context, given)

    def list_first_guesses(self) -> list[int]:
        """Choose the first guesses to try: the one asked for, else the most promising familiar ones."""
        asked = self.context.options.first
        return self._choose_likely(self.table.everything, ())[0] if asked is None else [asked]

    def plan(self, first: int, tell: OnProgress, best: int) -> Plan:
        """Build the tree that begins with this guess; the sets it leaves are searched in parallel."""
        parts = self.table.split(first, self.table.everything)
        order = sorted(parts, key=lambda code: -len(parts[code]))
        children = {}

        def solve(code: int) -> tuple[int, Plan]:
            return code, self._grow_plan(parts[code], self._find_second(parts[code], (first,)), (first,))

        for done, (code, child) in enumerate(beam.map_in_threads(solve, order, self.context.options.threads), 1):
            children[code] = child
            tell(SearchState("early", done, len(order), best, 0))
        return Plan(first, {code: children[code] for code in parts})

    def _find_second(self, members: Members, played: tuple[int, ...]) -> EarlyBranch:
        if len(members) <= FEW_SECRETS:
            return self._search_set(members, played)
        known, others = self._choose_likely(members, played)
        best: EarlyBranch | None = None
        for guess in known or others:
            found = self._ask_second(members, guess, played, None if best is None else best.cost)
            best = found if found is not None and (best is None or found.cost < best.cost) else best
        assert best is not None  # the first guess has no limit
        return best

    def _ask_second(
        self, members: Members, guess: int, played: tuple[int, ...], limit: int | None
    ) -> EarlyBranch | None:
        """Ask a second guess: return its cost and the third guesses; None if it is not below the limit."""
        cost, below = STRANGE_GUESS_GAMES * self.table.weigh(members), []
        parts = self.table.split(guess, members)
        for code in sorted(parts, key=lambda code: -len(parts[code])):
            found = self._find_third(parts[code], (*played, guess), None if limit is None else limit - cost)
            cost += found.cost
            below.append((code, found))
            if limit is not None and cost >= limit:
                return None
        return EarlyBranch(cost, guess, tuple(below))

    def _find_third(self, members: Members, played: tuple[int, ...], limit: int | None) -> EarlyBranch:
        """Find a third guess; if all cost at least the limit, the returned cost does, too."""
        if len(members) <= FEW_SECRETS:
            return self._search_set(members, played)
        known, others = self._choose_likely(members, played)
        best: EarlyBranch | None = None
        for guesses, strange in ((known, 0), (others, self.table.weigh(members))):
            for guess in guesses:
                most = limit if best is None else best.cost if limit is None else min(limit, best.cost)
                if most is not None and most <= strange:
                    continue
                below = None if most is None else -((strange - most) // STRANGE_GUESS_GAMES)
                cost = self.beam.attempt(members, ENDLESS, guess, below, played)
                if cost is None:
                    raise SearchStopped
                if best is None or STRANGE_GUESS_GAMES * cost + strange < best.cost:
                    best = EarlyBranch(STRANGE_GUESS_GAMES * cost + strange, guess)
        # Without a limit every guess was tried.
        return best or EarlyBranch(limit or 0)

    def _choose_likely(self, members: Members, played: Sequence[int]) -> tuple[list[int], list[int]]:
        """Choose the most promising familiar guesses, and the other promising guesses that are not late."""
        guesses: list[int] = self.beam.scan(members, ENDLESS, played)[0].tolist()
        known = [guess for guess in guesses if guess in self.known]
        others = [guess for guess in guesses if guess not in self.known and guess not in self.late]
        return known[: self.width], others[: self.width] if known or others else guesses[:1]

    def _search_set(self, members: Members, played: Sequence[int]) -> EarlyBranch:
        answer = self.beam.solve(members, ENDLESS, None, played)
        if answer is None:
            raise SearchStopped
        return EarlyBranch(STRANGE_GUESS_GAMES * answer.cost)

    def _grow_plan(self, members: Members, found: EarlyBranch, played: tuple[int, ...]) -> Plan:
        if found.guess is None or not found.below:
            return beam.extract_plan(self.beam, self.table, members, ENDLESS, played, found.guess)
        parts, below = self.table.split(found.guess, members), dict(found.below)
        children = {code: self._grow_plan(part, below[code], (*played, found.guess)) for code, part in parts.items()}
        return Plan(found.guess, children)


# Improving a tree: its sets are searched again for better guesses.
#
# The sizes of the parts a guess makes tell good guesses from bad ones, but hardly the best from the second best. A
# play-out does: the tree that asks the most promising guess everywhere. So large sets are probed: promising guesses are
# played out, the best of those are searched by a narrow beam, and below the best of these the same begins again.

#: The guesses of this many turns stay the same; the sets left after them are searched.
_FIXED_TURNS = 2
#: Only sets of at least this many members are probed; in smaller ones the number of parts tells as much.
MIN_PROBED = 49
#: Sets are probed only in this many turns after the kept ones: where guesses tell little, large sets follow on large
#: sets for dozens of turns.
_PROBED_TURNS = 3
#: Guesses played out at a large set, per guess of the beam's width. As many as its width are then searched.
_PLAYED_OUT = 8
#: The width of the beam that searches them; one in _PROBED_SHARE of them is probed, half as many at every further turn.
_PROBE_WIDTH, _PROBED_SHARE = 4, 5

#: The codes of the answers that lead to a set.
_SubtreePath = tuple[int, ...]


class _Subtree(NamedTuple):
    """A set a tree leads to: its plan (None if the tree has no plan), its secrets, turns left, guesses and answers."""

    plan: Plan | None
    members: Members
    left: int
    played: tuple[int, ...]
    path: _SubtreePath


class SubtreeResult(NamedTuple):
    """The cost found for a set: with a guess and the results of its parts or, without a guess, as the beam has it."""

    cost: int
    guess: int | None = None
    parts: tuple[tuple[_Subtree, "SubtreeResult"], ...] = ()


def improve_tree(context: SearchContext, given: Costs, best: tuple[Plan, int], tell: OnProgress) -> tuple[Plan, int]:
    """Search the sets a tree leads to after two turns, and below; return the improved tree and its cost.

    It never costs more than the tree given. When the search is stopped, the rest stays as it was. The result does not
    depend on the number of threads.
    """
    improver = _Improver(context, given)
    root = _Subtree(best[0], context.table.everything, context.options.left, (), ())
    jobs = sorted(improver.list_below(root, _FIXED_TURNS), key=lambda place: -len(place.members))
    for done, (path, found) in enumerate(beam.map_in_threads(improver.make_job, jobs, context.options.threads), 1):
        improver.known[path] = found
        tell(SearchState("improve", done, len(jobs), best[1], 0))
    plan, cost = improver.assemble(root)
    return (plan, cost) if plan is not None and cost < best[1] else best


class _Improver:
    """Improves sets, and stores the results by path."""

    def __init__(self, context: SearchContext, given: Costs) -> None:
        self.table, self.miss, self.options, self.stop = context.table, context.miss, context.options, context.stop
        self.known: dict[_SubtreePath, tuple[Plan | None, int]] = {}
        wide = replace(context.options, memo_bytes=context.options.memo_bytes // 3)
        light = replace(wide, full=min(wide.full, SearchOptions.full), patience=None)
        self.alone, self.narrow, self.wide = (
            beam.begin_beam(replace(context, options=options), given)
            for options in (replace(light, width=1), replace(light, width=min(_PROBE_WIDTH, wide.width)), wide)
        )

    def list_below(self, place: _Subtree, turns: int) -> Iterator[_Subtree]:
        """Yield the sets `depth` turns below one, and earlier ones if the tree ends."""
        if not turns or place.plan is None:
            yield place
            return
        for part in self._list_parts(place, place.plan.guess):
            yield from self.list_below(part, turns - 1)

    def make_job(self, place: _Subtree) -> tuple[_SubtreePath, tuple[Plan | None, int]]:
        cost = self._find_own_cost(place)
        try:
            found = None if self.stop.requested else self._probe(place)
            if found is not None and found.cost < cost:
                with self.stop.defer():
                    return place.path, (self._grow_plan(place, found), found.cost)
        except SearchStopped:
            pass
        return place.path, (place.plan, cost)

    def assemble(self, place: _Subtree) -> tuple[Plan | None, int]:
        """Assemble the tree from a set on, with all improvements, and its cost."""
        if place.path in self.known:
            return self.known[place.path]
        assert place.plan is not None  # else it was improved
        children, cost = {}, self.table.weigh(place.members)
        for part in self._list_parts(place, place.plan.guess):
            child, worth = self.assemble(part)
            cost += worth
            if child is not None:
                children[part.path[-1]] = child
        return Plan(place.plan.guess, children), cost

    def _probe(self, place: _Subtree) -> SubtreeResult:
        """Find the best for a set, never worse than its own plan; when stopped, the best so far."""
        own = [] if place.plan is None else [place.plan.guess]
        late = place.left <= 2 or len(place.path) >= _FIXED_TURNS + _PROBED_TURNS
        large = not late and len(place.members) > max(MIN_PROBED - 1, self.options.full)
        best = self._search_set(place)
        try:
            for guess in self._choose_likely(place, own) if large else own:
                found = self._try_guess(place, guess, best.cost)
                best = best if found is None else found
        except SearchStopped:
            pass
        return best

    def _try_guess(self, place: _Subtree, guess: int, limit: int) -> SubtreeResult | None:
        """Find the cost of a guess by probing the sets it leaves; None if it is not below the limit."""
        cost, parts = self.table.weigh(place.members), []
        for part in self._list_parts(place, guess):
            found = self._probe(part)
            parts.append((part, found))
            cost += found.cost
            if cost >= limit:
                return None
        return SubtreeResult(cost, guess, tuple(parts))

    def _search_set(self, place: _Subtree) -> SubtreeResult:
        answer = self.wide.solve(place.members, place.left, None, place.played)
        if answer is None:
            raise SearchStopped
        return SubtreeResult(answer.cost)

    def _choose_likely(self, place: _Subtree, own: list[int]) -> list[int]:
        """Choose the best guesses at a set by play-outs, then by a narrow beam; its own guess is always among them."""
        width, guesses = self.options.width, self.alone.scan(place.members, place.left, place.played)
        first = np.arange(len(guesses[0]))
        if self.table.problem.is_symmetric:
            # Guesses with the same key mostly differ only by the names of their symbols.
            first = np.sort(np.unique(guesses[2], return_index=True)[1])
        likely: list[int] = guesses[0][first[: _PLAYED_OUT * width]].tolist()
        probed = max(1, -(-width // _PROBED_SHARE) >> max(0, len(place.path) - _FIXED_TURNS))
        for search, kept in ((self.alone, width), (self.narrow, probed)):
            likely = self._find_best(search, place, likely, kept)
            likely += [guess for guess in own if guess not in likely]
        return likely

    def _find_best(self, search: Search, place: _Subtree, guesses: Sequence[int], kept: int) -> list[int]:
        costs = []
        for guess in guesses:
            cost = search.attempt(place.members, place.left, guess, None, place.played)
            if cost is None:
                raise SearchStopped
            costs.append(cost)
        return [guesses[number] for number in np.argsort(np.array(costs, dtype=np.int64), kind="stable")[:kept]]

    def _grow_plan(self, place: _Subtree, found: SubtreeResult) -> Plan:
        if found.guess is None:
            return beam.extract_plan(self.wide, self.table, place.members, place.left, place.played)
        children = {part.path[-1]: self._grow_plan(part, each) for part, each in found.parts if part.left > 0}
        return Plan(found.guess, children)

    def _list_parts(self, place: _Subtree, guess: int) -> Iterator[_Subtree]:
        """Yield the sets a guess leaves, with their plans if it is the tree's own guess."""
        if len(place.members) == 1 and guess == place.members[0]:
            return
        own = place.plan.children if place.plan and place.plan.guess == guess and place.left > 1 else {}
        for code, part in self.table.split(guess, place.members).items():
            yield _Subtree(own.get(code), part, place.left - 1, (*place.played, guess), (*place.path, code))

    def _find_own_cost(self, place: _Subtree) -> int:
        if place.plan is None or place.left < 1:
            return self.miss * self.table.weigh(place.members)
        return beam.plan_cost(place.plan, self.table, place.members, place.left, self.miss)
