"""Which answer most likely holds a slip, when nothing fits: in sentences for people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from jotto import explain
from jotto.explain import Slip
from jotto.feedback import COMMON, MARKS
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import Rules

#: So many suspicions are named, and so many words that would fit then.
SHOWN, WORDS_SHOWN = 3, 6


@dataclass(frozen=True)
class Suspicion:
    """A slip that would explain everything (or most), and what would fit were it put right."""

    slip: Slip
    fitting: tuple[Any, ...]


def suspicions(turns: Sequence[Turn], index: Index) -> list[Suspicion]:
    """List the likeliest slips with what fits when that one answer is put right; first those that explain all."""
    found = []
    for likely in explain.rank_slips(turns, index):
        slip = likely
        others = [turn for number, turn in enumerate(turns) if number != slip.turn]
        fitting = index.chosen(index.candidates([*others, Turn(slip.guess, slip.meant)]))
        if not fitting:
            slip, fitting = _other_reading(slip, others, index)
        if slip.probability > 0.001:
            found.append(Suspicion(slip, tuple(fitting)))
    return sorted(found, key=lambda one: not one.fitting)


def _other_reading(slip: Slip, others: Sequence[Turn], index: Index) -> tuple[Slip, list[Any]]:
    """Where the likeliest answer leaves nothing, take the one that leaves most."""
    parts = index.split(slip.guess, index.candidates(others))
    parts.pop(slip.got, None)
    if not parts:
        return slip, []
    meant = max(sorted(parts), key=lambda feedback: parts[feedback].bit_count())
    return slip._replace(meant=meant), index.chosen(parts[meant])


def sentences(turns: Sequence[Turn], index: Index, shown: Callable[[Any], str]) -> list[str]:
    """Say that nothing fits, and which answers to look at again."""
    said = ["Nothing fits all the answers: one of them holds a slip, or the word is not in the list."]
    if index.rules.kind not in (COMMON, MARKS) and len(index.rules.alphabet) < 26:
        said = ["Nothing fits all the answers: one of them holds a slip."]
    for one in suspicions(turns, index)[:SHOWN]:
        slip = one.slip
        if not one.fitting:
            continue
        some, more = ", ".join(map(shown, one.fitting[:WORDS_SHOWN])), len(one.fitting) - WORDS_SHOWN
        meant, got = answered(slip.meant, index.rules), answered(slip.got, index.rules)
        said.append(
            f"If turn {slip.turn + 1}, {shown(slip.guess)}, had been {meant} instead of {got}: {some}"
            f"{f' and {more:,} more' if more > 0 else ''}."
        )
    if len(said) == 1:
        said.append("No single answer explains it; take turns back with 'undo', or change them.")
    return said


def answered(feedback: Any, rules: Rules) -> str:
    """Write an answer down."""
    if rules.kind in (MARKS, COMMON):
        return str(feedback)
    return f"{feedback[0]} {feedback[1]}"
