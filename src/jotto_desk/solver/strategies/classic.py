"""The permissive rule of Moscatelli's expert system: which codes it keeps after an answer.

A code is kept when as many symbols are in place as the answer says, and when at least as many of the guess's other
symbols occur anywhere in the code as the answer says are elsewhere. So it keeps codes that would have got another
answer; answers themselves are right. It is here to recompute published figures, not to play by.
"""

from collections.abc import Callable

import numpy as np

from jotto.feedback import PLACES

from ...errors import DeskError
from ..contract import Members
from ..model.feedback_table import FeedbackTable

#: From guess, code of the answer, the codes before and those the exact rule keeps: the codes to keep.
Sift = Callable[[int, int, Members, Members], Members]


def sift(table: FeedbackTable) -> Sift:
    """Make the permissive rule for the codes of a table; raises `DeskError` where feedback is not by places."""
    problem = table.problem
    if problem.rules.kind != PLACES:
        raise DeskError(f"The classic rule is for answers by places; '{problem.rules.name}' has others.")
    secrets = table.letters[: len(problem.weights)]
    held = np.zeros((len(secrets), len(problem.rules.alphabet)), dtype=bool)
    held[np.arange(len(secrets))[:, None], secrets] = True

    def stands(guess: int, code: int, before: Members, fitting: Members) -> Members:
        letters = table.letters[guess]
        in_place = secrets[before] == letters
        somewhere = held[before][:, letters] & ~in_place
        exact, misplaced = problem.classes[code]
        standing = (in_place.sum(axis=1) == exact) & (somewhere.sum(axis=1) >= misplaced)
        return np.asarray(before[standing], dtype=np.int32)

    return stands
