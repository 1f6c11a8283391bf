"""Answers that sound alike: how likely an answer is misheard as another one that would be possible, too.

The player says two numbers, first those in place, then those elsewhere (one number where letters in common count).
A misheard number misleads only where some candidate would give the answer heard; otherwise NAO notices.

The figures were measured with pocketsphinx 5.1 (its US-English model, a closed grammar of zero to five) on utterances
of ten espeak-ng 1.52 voices at two speeds and two pitches: quiet, white noise at 20 and 10 dB below the voice, babble
at 20 dB. Four suffers most (heard as five or zero), then one (five). A robot's own ear will have other figures, and
asks back when it is unsure: the risks serve to compare guesses, not as predictions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from jotto.feedback import COMMON, MARKS
from jotto.rules import Rules

from ...errors import DeskError
from ..contract import Members, Numbers
from ..model.feedback_table import FeedbackTable
from ..model.plan import Plan
from ..model.problem import decode

#: Utterances per number.
SAID = 160
#: For each number said how often it was heard as 0, 1, 2, 3, 4, 5; in the cases missing from `SAID` nothing was
#: recognised.
HEARD = (
    (157, 0, 1, 2, 0, 0),
    (3, 139, 0, 1, 4, 11),
    (0, 4, 155, 0, 0, 1),
    (0, 0, 0, 160, 0, 0),
    (6, 2, 2, 1, 130, 16),
    (0, 0, 0, 0, 0, 160),
)
#: The unit of risks: two numbers, each in `SAID` utterances.
WHOLE = SAID * SAID


@dataclass(frozen=True)
class Ear:
    """A preference for guesses whose answers are seldom misheard, among those within `tolerance` of the best.

    The tolerance is in the measure's own unit: bits for entropy, words for expected size and minimax, parts.
    """

    tolerance: float = 0.0

    def risks(self, table: FeedbackTable, members: Members, guesses: Members) -> Numbers:
        """Sum up, per guess, the chances in 1/`WHOLE` that an answer is misheard, over `members` by weight."""
        return risks(table, members, guesses)


def confusions(rules: Rules) -> npt.NDArray[np.int64]:
    """Return the chance of each code heard per code said, in 1/`WHOLE`: [said, heard], 0 where they are the same.

    The winning answer is a yes, not a number, so it is in no pair; numbers above five were not measured and count as
    always heard right. Raises `DeskError` for marks, which are not spoken.
    """
    if rules.kind == MARKS:
        raise DeskError("Marks per place are not spoken, so none sound alike; leave --speech out.")
    return _confusions(rules)


@lru_cache(maxsize=8)
def _confusions(rules: Rules) -> npt.NDArray[np.int64]:
    numbers = np.eye(max(rules.length + 1, len(HEARD)), dtype=np.int64) * SAID
    numbers[: len(HEARD), : len(HEARD)] = HEARD
    size = rules.length + 1
    once = numbers[:size, :size]
    # Codes of places are exact * size + misplaced.
    both = once * SAID if rules.kind == COMMON else np.kron(once, once)
    codes = size + 1 if rules.kind == COMMON else rules.length * size + 1
    table = np.zeros((codes, codes), dtype=np.int64)
    table[:-1, :-1] = both[: codes - 1, : codes - 1]
    np.fill_diagonal(table, 0)
    table.flags.writeable = False
    return table


def chance_of(said: object, heard: object, rules: Rules) -> float:
    """Return the chance that one answer is heard as another; both are feedbacks of the rules.

    >>> from jotto.rules import JOTTO
    >>> chance_of((1, 0), (5, 0), JOTTO), chance_of((0, 1), (0, 4), JOTTO)
    (0.0, 0.02453125)
    """
    table = confusions(rules)
    known = {decode(code, rules): code for code in range(len(table)) if decode(code, rules) is not None}
    return float(table[known[said], known[heard]] / WHOLE)


def risks(table: FeedbackTable, members: Members, guesses: Members) -> Numbers:
    """Sum up, per guess, the chances in 1/`WHOLE` that an answer is misheard, over `members` by weight.

    Only answers that some member would give count as heard.
    """
    alike = confusions(table.problem.rules)
    found = [np.zeros(0, dtype=np.int64)]
    for start in range(0, len(guesses), 256):
        parts = part_weights(table, members, guesses[start : start + 256])
        found.append(((parts @ alike) * (parts > 0)).sum(axis=1))
    return np.concatenate(found)


def part_weights(table: FeedbackTable, members: Members, guesses: Members) -> Numbers:
    """Sum up the weights of the members that give each code to each guess: [guesses, codes], the winning code last."""
    codes = len(table.problem.classes)
    cells = table.rows[guesses[:, None], members] + codes * np.arange(len(guesses))[:, None]
    heavy = np.tile(table.problem.weights[members], len(guesses))
    sums = np.bincount(cells.ravel(), heavy, codes * len(guesses))
    return sums.astype(np.int64).reshape(-1, codes)


def misheard(table: FeedbackTable, plan: Plan) -> float:
    """Return the expected number of misheard answers per game, over all secrets by weight."""
    total = sum(int(risks(table, members, np.array([guess]))[0]) for guess, members in _reached(table, plan))
    return float(total / WHOLE / int(table.problem.weights.sum()))


def _reached(table: FeedbackTable, plan: Plan) -> Iterator[tuple[int, Members]]:
    """Yield the guess of every node with the secrets that reach it."""
    waiting = [(plan, table.everything)]
    while waiting:
        here, members = waiting.pop()
        yield here.guess, members
        parts = table.parts(here.guess, members) if here.children else {}
        waiting += [(child, parts[code]) for code, child in here.children.items() if code in parts]
