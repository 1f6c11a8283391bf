"""The table of a problem: the feedback code of every guess against every secret, laid out both ways."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from jotto.feedback import MARKS

from ...errors import DeskError
from . import feedback_codes, table_cache
from .problem import Problem

MOST_BYTES = 2 << 30
#: The function of a core that adds up planes: (rows, keys, out), as `feedback_codes.sums`.
Sums = Callable[[feedback_codes.Codes, feedback_codes.Keys, feedback_codes.Codes], None]


@dataclass(frozen=True, eq=False)
class FeedbackTable:
    """A problem with its codes: `rows` [guesses, secrets] and `columns` [secrets, guesses]."""

    problem: Problem
    rows: feedback_codes.Codes
    columns: feedback_codes.Codes

    @property
    def everything(self) -> npt.NDArray[np.int32]:
        """Return all secrets as a set."""
        return np.arange(len(self.problem.weights), dtype=np.int32)

    @cached_property
    def letters(self) -> feedback_codes.Codes:
        """Return the letters of all guesses as positions in the alphabet [guesses, length]."""
        return feedback_codes.numbered(self.problem).astype(np.uint8)

    def parts(self, guess: int, members: npt.NDArray[np.int32]) -> dict[int, npt.NDArray[np.int32]]:
        """Split a set by the code each member gives to `guess`, the winning one left out."""
        codes = self.rows[guess, members]
        return {int(code): members[codes == code] for code in np.unique(codes) if code != self.problem.win}


def lay_out(problem: Problem, add: Sums = feedback_codes.sums, folder: Path | None = None) -> FeedbackTable:
    """Compute the table of a problem; `add` is the core's function to add up planes, `folder` keeps large tables.

    Raises `DeskError` when it would take more memory than the solver allows itself.
    """
    guesses, secrets = len(problem.guesses), len(problem.weights)
    if guesses * secrets > MOST_BYTES:
        raise DeskError(
            f"{guesses} guesses against {secrets} secrets make a table of {guesses * secrets >> 20} MB; "
            f"the solver takes {MOST_BYTES >> 20} MB at most. Give a shorter list."
        )

    def make(rows: feedback_codes.Codes) -> None:
        add(*feedback_codes.planes(problem), rows)
        feedback_codes.mark_wins(problem, rows)

    rows = table_cache.rows_of(problem, folder, make)
    # By places and by common letters, feedback is symmetric.
    same = problem.rules.kind != MARKS and guesses == secrets
    return FeedbackTable(problem, rows, rows if same else np.ascontiguousarray(rows.T))
