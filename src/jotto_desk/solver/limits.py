"""The limits both cores rely on, checked in one place: beyond them sums would overflow, or results would mislead."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DeskError
from .model.feedback_table import FeedbackTable

#: The most turns a search looks ahead, as in native/core.h.
MOST_LEFT = 64
#: The core sums costs of secrets that weigh 1, and estimates in 1/256 turns, in 32 bits.
MOST_SUM = 2**31 - 1
UNIT = 256
#: With fewer turns left, as in native/search.h, estimates depend on them while no member may be missed.
CAPPED_TURNS = 8
#: How many guesses beyond its width a beam tries at a set until it has found a tree that misses no member.
DEFAULT_PATIENCE = 16


def check_search(table: FeedbackTable, miss: int, width: int, full: int, memo_bytes: int, patience: int) -> None:
    """Check the arguments of a new search.

    Raises `DeskError` for a miss that counts too little or too much, `ValueError` for negative sizes.
    """
    secrets = len(table.problem.weights)
    most = MOST_SUM // secrets - MOST_LEFT
    if not 1 <= miss <= most:
        raise DeskError(
            f"A secret that is not found cannot count {miss} turns more; with {secrets} secrets the solver "
            f"takes 1 to {most}."
        )
    if min(width, full, memo_bytes, patience) < 0:
        raise ValueError(
            f"a search of width {width}, full {full}, patience {patience} and {memo_bytes} bytes: none may be negative"
        )


def check_left(left: int) -> None:
    """Check the number of turns left; raises `ValueError`."""
    if left > MOST_LEFT:
        raise ValueError(f"{left} turns left; a search looks {MOST_LEFT} ahead at most")


def check_look_ahead(width: int) -> None:
    """Check that a search may bound guesses from below; raises `ValueError` for a beam."""
    if width:
        raise ValueError(f"a beam of width {width} cannot look ahead: the costs of its trees bound no other tree")


def units_by_turns(
    costs: npt.NDArray[np.float64], capped: npt.NDArray[np.float64] | None, secrets: int
) -> npt.NDArray[np.int32]:
    """Convert estimates as `units` does, by turns left and size: [CAPPED_TURNS, secrets + 1]; row 0 is `costs`."""
    rows = [costs] * CAPPED_TURNS if capped is None else [costs, *capped[1:]]
    if len(rows) != CAPPED_TURNS:
        raise ValueError(f"estimates for {len(rows)} numbers of turns left; there are {CAPPED_TURNS}")
    return np.stack([units(row, secrets) for row in rows])


def units(costs: npt.NDArray[np.float64], secrets: int) -> npt.NDArray[np.int32]:
    """Return estimates by size of set in 1/256 turns, the highest ones lowered so that no sum of them overflows.

    Raises `ValueError` unless there is one for each size from 0 to `secrets`, the first 0 and none negative.
    """
    wrong = "" if costs.shape == (secrets + 1,) else f"{costs.size} of them for {secrets} secrets"
    wrong = wrong or _wrong(costs)
    if wrong:
        raise ValueError(f"estimates of what sets cost: {wrong}")
    highest = (MOST_SUM // (UNIT * secrets) - 1) * np.arange(secrets + 1)
    lowered: npt.NDArray[Any] = np.rint(np.minimum(costs, highest) * UNIT)
    return lowered.astype(np.int32)


def _wrong(costs: npt.NDArray[np.float64]) -> str:
    if not np.isfinite(costs).all() or costs.min() < 0:
        return "one is negative or no number"
    return "" if costs[0] == 0 else f"{costs[0]} for a set of none"
