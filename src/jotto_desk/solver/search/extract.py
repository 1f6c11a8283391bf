"""Extracting the plan: the tree a search has found, taken from its memo."""

from collections.abc import Sequence

import numpy as np

from ..contract import Members, Search
from ..model.feedback_table import FeedbackTable
from ..model.plan import Plan


class Stopped(Exception):
    """A search was stopped while its tree was built."""


def grow(
    search: Search,
    table: FeedbackTable,
    members: Members,
    left: int,
    played: Sequence[int] = (),
    *,
    first: int | None = None,
) -> Plan:
    """Build the plan for a set, beginning with the guess `first` where it is given.

    What the memo has dropped is searched again. Secrets that cannot be found within `left` turns get no plan. Raises
    `Stopped`.
    """
    if first is None and len(members) == 1:
        return Plan(int(members[0]), {})
    guess = first
    if guess is None:
        answer = search.solve(members, left, None, played)
        if answer is None or answer.guess < 0:
            raise Stopped
        guess = answer.guess
    children = {}
    if left > 1:
        for code, part in table.parts(guess, members).items():
            children[code] = grow(search, table, part, left - 1, (*played, guess))
    return Plan(guess, children)


def cost_of(plan: Plan, table: FeedbackTable, members: Members, left: int, miss: int) -> int:
    """Add up what a plan costs, from the table alone; secrets it does not find in `left` turns cost `miss` more."""
    weights = table.problem.weights
    if len(members) == 1 and plan.guess == members[0]:
        return int(weights[members[0]])
    cost = int(weights[members].sum())
    for code, part in table.parts(plan.guess, members).items():
        child = plan.children.get(code)
        weight = int(weights[part].sum())
        cost += miss * weight if child is None or left <= 1 else cost_of(child, table, part, left - 1, miss)
    return cost


def as_lists(plan: Plan) -> list[object]:
    """Return a plan as nested lists that JSON can hold: guess, then codes and children in turn."""
    found: list[object] = [plan.guess]
    for code, child in plan.children.items():
        found += [code, as_lists(child)]
    return found


def from_lists(lists: object, depth: int = 0) -> Plan:
    """Read a plan back; raises `ValueError` when it is damaged."""
    if not isinstance(lists, list) or len(lists) % 2 == 0 or not isinstance(lists[0], int) or depth > 100:
        raise ValueError("not a plan")
    if not all(isinstance(code, int) for code in lists[1::2]):
        raise ValueError("not a plan")
    children = {code: from_lists(child, depth + 1) for code, child in zip(lists[1::2], lists[2::2], strict=True)}
    return Plan(lists[0], children)


def is_sound(plan: Plan, table: FeedbackTable) -> bool:
    """Tell whether a plan has only guesses of this table."""
    numbers = np.array([guess for guess, _ in plan.walk()])
    return bool(((numbers >= 0) & (numbers < len(table.problem.guesses))).all())
