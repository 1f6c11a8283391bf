"""Trees that begin with words people know: what may be asked in the first turns is limited, the rest is a beam.

A person has to know the first words NAO asks, and to hear them rightly. The first two guesses are familiar words. The
third is one too, unless another saves so much that it is worth its strangeness. Where one or two secrets are left, they
need not be familiar: one of them has to be asked. A late word is asked only if all secrets left are late.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ..contract import ENDLESS, Members
from ..model.plan import Plan
from .beam import CostModel, beam_search
from .extract import Stopped, cost_of, grow
from .jobs import in_threads
from .options import OnProgress, SearchContext, SearchState

#: Turns with familiar guesses alone, and turns in which a strange guess has its price.
FAMILIAR_TURNS, EARLY_TURNS = 2, 3
#: Sets of at most so many secrets are searched without limits.
FEW = 2
#: A strange third guess has to save more than one turn in so many games that come by. Costs are kept in this fraction.
STRANGE = 64
#: Guesses compared in place of a late one, with the late words below them asked last, too.
COMPARED = 8


class Branch(NamedTuple):
    """The cost of a set in 1 / STRANGE turns, strangeness included, the guess to ask there and the branches below it.

    Without a guess the beam's own plan is meant; without branches the beam goes on below the guess.
    """

    cost: int
    guess: int | None = None
    below: tuple[tuple[int, "Branch"], ...] = ()


def familiar(context: SearchContext, given: CostModel, best: tuple[Plan, int], tell: OnProgress) -> tuple[Plan, int]:
    """Find the best tree within the limits for every first guess that is tried; return it and its cost.

    A search that is stopped returns the best tree so far, `best` where there is none yet. The result does not depend on
    the number of threads.
    """
    search = _EarlySearch(context, given)
    table = context.table
    found: tuple[Plan, int] | None = None
    try:
        for first in search.first():
            plan = search.plan(first, tell, best[1])
            cost = cost_of(plan, table, table.everything, ENDLESS, context.miss)
            if found is None or cost < found[1]:
                found = plan, cost
    except Stopped:
        pass
    return found or best


def late_last(context: SearchContext, given: CostModel, plan: Plan) -> Plan:
    """Replace every late guess that a plan asks while a secret is left that is not late.

    A search that is stopped returns the plan as it was given.
    """
    beam, table, late = beam_search(context, given), context.table, context.options.late

    def likely(members: Members, played: tuple[int, ...]) -> list[int]:
        promising = [*beam.scan(members, ENDLESS, played)[0].tolist(), *members.tolist()]
        others = [guess for guess in dict.fromkeys(promising) if guess not in late][: context.options.width]
        costs = {guess: beam.attempt(members, ENDLESS, guess, None, played) for guess in others}
        return sorted(others, key=lambda guess: costs[guess] or 0)[:COMPARED]

    def replaced(plan: Plan, members: Members, played: tuple[int, ...]) -> Plan:
        if plan.guess not in late or late.issuperset(members.tolist()):
            return below(plan, members, played)
        plans = [
            below(grow(beam, table, members, ENDLESS, played, first=guess), members, played)
            for guess in likely(members, played)
        ]
        return min(plans, key=lambda each: cost_of(each, table, members, ENDLESS, context.miss))

    def below(plan: Plan, members: Members, played: tuple[int, ...]) -> Plan:
        parts, played = table.parts(plan.guess, members), (*played, plan.guess)
        children = {code: replaced(child, parts[code], played) for code, child in plan.children.items()}
        return Plan(plan.guess, children)

    try:
        return replaced(plan, table.everything, ())
    except Stopped:
        return plan


class _EarlySearch:
    """A beam whose first turns are limited."""

    def __init__(self, context: SearchContext, given: CostModel) -> None:
        assert context.options.early is not None
        self.context, self.table = context, context.table
        self.width, self.weights = context.options.width, context.table.problem.weights
        self.known, self.late = context.options.early, context.options.late
        self.beam = beam_search(context, given)

    def first(self) -> list[int]:
        """Choose the first guesses to try: the one asked for, else the most promising familiar ones."""
        asked = self.context.options.first
        return self._likely(self.table.everything, ())[0] if asked is None else [asked]

    def plan(self, first: int, tell: OnProgress, best: int) -> Plan:
        """Build the tree that begins with this guess; the sets it leaves are searched in parallel."""
        parts = self.table.parts(first, self.table.everything)
        order = sorted(parts, key=lambda code: -len(parts[code]))
        children = {}

        def solve(code: int) -> tuple[int, Plan]:
            return code, self._grown(parts[code], self._second(parts[code], (first,)), (first,))

        for done, (code, child) in enumerate(in_threads(solve, order, self.context.options.threads), 1):
            children[code] = child
            tell(SearchState("early", done, len(order), best, 0))
        return Plan(first, {code: children[code] for code in parts})

    def _second(self, members: Members, played: tuple[int, ...]) -> Branch:
        if len(members) <= FEW:
            return self._searched(members, played)
        known, others = self._likely(members, played)
        best: Branch | None = None
        for guess in known or others:
            found = self._asked(members, guess, played, None if best is None else best.cost)
            best = found if found is not None and (best is None or found.cost < best.cost) else best
        assert best is not None  # the first guess has no limit
        return best

    def _asked(self, members: Members, guess: int, played: tuple[int, ...], limit: int | None) -> Branch | None:
        """Ask a second guess: return its cost and the third guesses; None where it is not below the limit."""
        cost, below = STRANGE * self._weight(members), []
        parts = self.table.parts(guess, members)
        for code in sorted(parts, key=lambda code: -len(parts[code])):
            found = self._third(parts[code], (*played, guess), None if limit is None else limit - cost)
            cost += found.cost
            below.append((code, found))
            if limit is not None and cost >= limit:
                return None
        return Branch(cost, guess, tuple(below))

    def _third(self, members: Members, played: tuple[int, ...], limit: int | None) -> Branch:
        """Find a third guess; where none is below the limit, the cost is not below it either."""
        if len(members) <= FEW:
            return self._searched(members, played)
        known, others = self._likely(members, played)
        best: Branch | None = None
        for guesses, strange in ((known, 0), (others, self._weight(members))):
            for guess in guesses:
                most = limit if best is None else best.cost if limit is None else min(limit, best.cost)
                if most is not None and most <= strange:
                    continue
                below = None if most is None else -((strange - most) // STRANGE)
                cost = self.beam.attempt(members, ENDLESS, guess, below, played)
                if cost is None:
                    raise Stopped
                if best is None or STRANGE * cost + strange < best.cost:
                    best = Branch(STRANGE * cost + strange, guess)
        # Without a limit every guess was tried.
        return best or Branch(limit or 0)

    def _likely(self, members: Members, played: Sequence[int]) -> tuple[list[int], list[int]]:
        """Choose the most promising familiar guesses, and those of the others that are not late."""
        guesses: list[int] = self.beam.scan(members, ENDLESS, played)[0].tolist()
        known = [guess for guess in guesses if guess in self.known]
        others = [guess for guess in guesses if guess not in self.known and guess not in self.late]
        return known[: self.width], others[: self.width] if known or others else guesses[:1]

    def _searched(self, members: Members, played: Sequence[int]) -> Branch:
        answer = self.beam.solve(members, ENDLESS, None, played)
        if answer is None:
            raise Stopped
        return Branch(STRANGE * answer.cost)

    def _grown(self, members: Members, found: Branch, played: tuple[int, ...]) -> Plan:
        if found.guess is None or not found.below:
            return grow(self.beam, self.table, members, ENDLESS, played, first=found.guess)
        parts, below = self.table.parts(found.guess, members), dict(found.below)
        children = {code: self._grown(part, below[code], (*played, found.guess)) for code, part in parts.items()}
        return Plan(found.guess, children)

    def _weight(self, members: Members) -> int:
        return int(self.weights[members].sum())
