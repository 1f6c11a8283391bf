"""Why a word can or cannot be it, in a sentence: what people ask who wonder about one."""

from collections.abc import Callable, Sequence
from typing import Any

from jotto.explain import find_clashes
from jotto.feedback import COMMON, MARKS
from jotto.game import Turn
from jotto.rules import Rules

from .advice import Advisor, reason
from .slips import answered

#: So many guesses are compared in an answer to `why`.
COMPARED = 3


def against(word: Any, turns: Sequence[Turn], rules: Rules, shown: Callable[[Any], str]) -> str:
    """Say which turn speaks against a word: the first one that would have got another answer; empty for none.

    >>> from jotto.feedback import Feedback
    >>> from jotto.rules import JOTTO
    >>> against("stone", [Turn("ocean", Feedback(1, 2))], JOTTO, str.upper)
    'STONE cannot be it: turn 1, OCEAN, would have got 0 3, not 1 2.'
    """
    for number, turn in enumerate(turns, start=1):
        would = rules.score(turn.guess, word)
        if would != turn.feedback:
            return (
                f"{shown(word)} cannot be it: turn {number}, {shown(turn.guess)}, would have got "
                f"{answered(would, rules)}, not {answered(turn.feedback, rules)}."
            )
    return ""


def objections(code: Any, turns: Sequence[Turn], rules: Rules, against: Sequence[int] | None = None) -> str:
    """Say all turns that speak against a code, numbered from 0 in `against`: those that would have got another answer.

    >>> from jotto.feedback import Feedback
    >>> from jotto.rules import JOTTO
    >>> objections("stone", [Turn("ocean", Feedback(1, 2))], JOTTO)[:66]
    'STONE is out: turn 1, OCEAN, got 1 in place and 2 elsewhere; STONE'
    """
    places = [clash.turn for clash in find_clashes(code, turns, rules)] if against is None else against
    name = code.upper()
    said = [
        f"turn {place + 1}, {turns[place].guess.upper()}, got {spoken(turns[place].feedback, rules)}; {name} would "
        f"have answered {spoken(rules.score(turns[place].guess, code), rules)}"
        for place in places
    ]
    return f"{name} is out: {'; '.join(said)}." if said else f"{name} fits {all_turns(len(turns))}."


def spoken(feedback: Any, rules: Rules) -> str:
    """Return an answer as it stands in a sentence."""
    if rules.kind in (MARKS, COMMON):
        return answered(feedback, rules)
    return f"{feedback[0]} in place and {feedback[1]} elsewhere"


def all_turns(count: int) -> str:
    """Name all turns of a game."""
    return {0: "the rules; there is no turn yet", 1: "the one turn"}.get(count, f"all {count} turns")


def about(word: Any, turns: Sequence[Turn], advisor: Advisor, shown: Callable[[Any], str]) -> list[str]:
    """Say whether a word can be it, and what asking it would tell."""
    said = [against(word, turns, advisor.rules, shown)]
    if not said[0] and not advisor.look(word).fits:
        said = [f"{shown(word)} is not in the list, so it cannot be it here."]
    return [*filter(None, said), reason(advisor.look(word), advisor.count, advisor.rules, shown)]


def compared(ranked: Sequence[Any], fitting: int, rules: Rules, shown: Callable[[Any], str]) -> list[str]:
    """Say why the best guess is the best: what it tells, and what the next best ones tell."""
    first, *others = ranked[:COMPARED]
    said = [reason(first, fitting, rules, shown)]
    if others:
        rest = ", ".join(
            f"{shown(one.word)} {one.bits:.1f} bits{'' if one.fits else ' (cannot be it)'}" for one in others
        )
        said.append(f"The next best: {rest}.")
    return said
