"""From which confidence on NAO had better believe an answer, and when ask back: learned from logged answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..errors import DeskError
from .heard_log import LoggedAnswer

#: Fewer answers tell nothing.
LEAST = 60
#: At most this share of the answers that NAO believes at once may be wrong, one more wrong one than were seen allowed.
MOST_WRONG = 0.02
#: NAO asks back where at least this share of the answers is right, and has it said again where fewer are.
WORTH_ASKING = 0.5
#: Confidences are told to so many digits.
DIGITS = 3


class Tenth(NamedTuple):
    """How many answers were heard with confidences from one tenth to the next, and how many of them were right."""

    begins: float
    heard: int
    right: int


class Learned(NamedTuple):
    """Two confidences: below the first NAO has an answer said again, below the second it asks back.

    `wrong` of the `believed` ones were wrong all the same.
    """

    reject: float
    sure: float
    believed: int
    wrong: int
    tenths: tuple[Tenth, ...]


def learn(answers: Sequence[LoggedAnswer]) -> Learned:
    """Learn both confidences; raises DeskError where there is too little to learn from.

    The upper one is the lowest from which on, by the rule of succession, few enough answers are wrong; the lower one is
    the highest below which most answers are wrong.
    """
    if len(answers) < LEAST:
        raise DeskError(
            f"The log has {len(answers)} answers whose truth is known; {LEAST} are needed. Play on: an "
            "answer counts when NAO has found the word."
        )
    sure = _sure(answers)
    if sure is None:
        raise DeskError(
            f"At no confidence were at least {1 - MOST_WRONG:.0%} of the {len(answers)} answers right, "
            "with one more wrong one allowed for: play on, or let NAO ask back each time: "
            "--certainty 0,1."
        )
    believed = [answer for answer in answers if answer.confidence >= sure]
    return Learned(
        min(_reject(answers), sure),
        sure,
        len(believed),
        sum(not answer.is_right for answer in believed),
        _tenths(answers),
    )


def _sure(answers: Sequence[LoggedAnswer]) -> float | None:
    """Return the lowest confidence from which on answers may be believed; None where there is none."""
    found, heard, wrong = None, 0, 0
    ranked = sorted(answers, key=lambda answer: -answer.confidence)
    for place, answer in enumerate(ranked):
        heard, wrong = heard + 1, wrong + (not answer.is_right)
        # Answers of the same confidence are believed together.
        ends = place + 1 == len(ranked) or ranked[place + 1].confidence < answer.confidence
        if ends and (wrong + 1) / (heard + 2) <= MOST_WRONG:
            found = answer.confidence
    return None if found is None else round(found, DIGITS)


def _reject(answers: Sequence[LoggedAnswer]) -> float:
    """Return the highest confidence below which most answers are wrong; 0 where that is never so."""
    found, heard, right = 0.0, 0, 0
    ranked = sorted(answers, key=lambda answer: answer.confidence)
    for place, answer in enumerate(ranked):
        heard, right = heard + 1, right + answer.is_right
        above = ranked[place + 1].confidence if place + 1 < len(ranked) else 1.0
        if above > answer.confidence and right / heard < WORTH_ASKING:
            found = above
    return round(found, DIGITS)


def _tenths(answers: Sequence[LoggedAnswer]) -> tuple[Tenth, ...]:
    rows = []
    for tenth in range(10):
        here = [answer for answer in answers if min(int(answer.confidence * 10), 9) == tenth]
        if here:
            rows.append(Tenth(tenth / 10, len(here), sum(answer.is_right for answer in here)))
    return tuple(rows)
