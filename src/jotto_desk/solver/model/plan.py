"""A plan: the decision tree of a problem as a value."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .problem import Problem


class Plan(NamedTuple):
    """A decision tree: the number of the `guess` to ask, and the plans for all codes but the winning one."""

    guess: int
    children: dict[int, "Plan"]

    def walk(self, depth: int = 1) -> Iterator[tuple[int, int]]:
        """Yield every guess of the tree with the turn it is asked in, parents first."""
        waiting = [(self, depth)]
        while waiting:
            plan, turn = waiting.pop()
            yield plan.guess, turn
            waiting.extend((child, turn + 1) for child in plan.children.values())


def turns_taken(plan: Plan, problem: Problem, codes: npt.NDArray[np.uint8]) -> list[int | None]:
    """Play every secret; return the turn each is found in, None for secrets the plan misses."""
    taken: list[int | None] = []
    for secret in range(len(problem.weights)):
        here: Plan | None = plan
        turn = 0
        while here is not None:
            turn += 1
            code = int(codes[here.guess, secret])
            if code == problem.win:
                break
            here = here.children.get(code)
        taken.append(turn if here is not None else None)
    return taken


def distribution(taken: list[int | None]) -> dict[int, int]:
    """Count the secrets per turn they were found in; missed ones count under 0."""
    return dict(sorted(Counter(turn or 0 for turn in taken).items()))
