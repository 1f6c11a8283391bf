"""Feedback tables of some guesses against some codes, made for one turn: never all against all."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from jotto.feedback import Feedback
from jotto.rules import Rules

from ....solver.contract import Core
from ....solver.model import feedback_codes
from ....solver.model.feedback_table import FeedbackTable
from ....solver.model.problem import Problem
from ..levels import Code

#: Codes as numbers of weapons [codes, gladiators].
Codes = npt.NDArray[np.uint8]
#: A guess and its answer.
Turn = tuple[Code, Feedback]


def table_of(codes: Codes, others: Codes, rules: Rules, core: Core) -> FeedbackTable:
    """Lay out `codes` as the secrets, with themselves and `others` as the guesses; no code may stand there twice.

    In place of its word each guess has its number: thousands of words would take longer than the answers do.
    """
    both = np.concatenate((codes, others))
    problem = Problem(rules, tuple(range(len(both))), np.ones(len(codes), dtype=np.int32))
    # Who guesses and who is guessed makes no difference to an answer; turning the rows would take longer.
    return FeedbackTable(problem, answers(codes, both, rules, core), answers(both, codes, rules, core))


def answers(codes: Codes, guesses: Codes, rules: Rules, core: Core) -> Codes:
    """Return the answers of guesses against codes, coded as in `solver.model.feedback_codes`: [guesses, codes]."""
    weapons, length = len(rules.alphabet), rules.length
    rows = [
        feedback_codes.plane(codes, weapon, (place,), rules.kind)
        for place in range(length)
        for weapon in range(weapons)
    ]
    keys = guesses.astype(np.int32) + np.arange(length, dtype=np.int32) * weapons
    out = np.empty((len(guesses), len(codes)), dtype=np.uint8)
    core.codes(np.stack(rows), keys, out)
    return out


def fitting(codes: Codes, turns: Sequence[Turn], rules: Rules) -> Codes:
    """Keep the codes that give every guess of `turns` its answer."""
    for guess, (exact, misplaced) in turns:
        found = np.zeros(len(codes), dtype=np.uint8)
        for place, weapon in enumerate(guess):
            found += feedback_codes.plane(codes, weapon, (place,), rules.kind)
        codes = codes[found == exact * (rules.length + 1) + misplaced]
    return codes


def without(codes: Codes, others: Codes) -> Codes:
    """Leave out of `codes` those that are among `others`."""
    # As bytes of one length; that they lose zeros at their ends makes no two of them equal.
    kind = f"S{codes.shape[1]}"
    every, taken = (np.ascontiguousarray(rows).view(kind).ravel() for rows in (codes, others))
    return codes[~np.isin(every, taken)]
