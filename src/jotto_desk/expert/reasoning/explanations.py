"""Explanations: why a code is out, why a guess is good, which turns clash; as JSON values with sentences."""

import time
from collections.abc import Sequence
from typing import Any

from jotto import explain
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import JottoError, Rules
from jotto.strategies import Entropy

from ...errors import DeskError
from ...games import whys
from . import conflicts, knowledge
from .candidates import CandidateSource
from .reasoner import Fitting

#: Seconds spent on how many codes would remain, and codes more than which are too many for it.
SECONDS, MOST_HELD = 5.0, 10_000


def why_not(source: CandidateSource, turns: Sequence[Turn], code: str) -> dict[str, Any]:
    """Say which turns speak against a code: what it would have answered, and what was."""
    rules = source.setup.rules
    against = source.clashing(code, turns)
    reasons = [
        {
            "turn": place + 1,
            "guess": turns[place].guess,
            "got": plain(turns[place].feedback),
            "expected": plain(rules.score(turns[place].guess, code)),
        }
        for place in against
    ]
    text = whys.objections(code, turns, rules, against)
    return {"code": code, "fits": not reasons, "reasons": reasons, "text": text}


def why(source: CandidateSource, turns: Sequence[Turn], guess: str, fitting: Fitting, index: Index) -> dict[str, Any]:
    """Say what a guess would leave: per answer, in the mean and at worst. `index` holds what fits now.

    The secret is taken for any of what fits, all alike. Raises `DeskError` where that is too much to work out.
    """
    rules = source.setup.rules
    chances = {answer: members.bit_count() for answer, members in index.split(guess, index.everything).items()}
    left = _remaining(source, turns, guess, chances)
    total = len(index)
    answers = [
        {"answer": plain(answer), "chance": round(count / total, 6), "left": left[answer]}
        for answer, count in sorted(chances.items(), key=lambda pair: -pair[1])
    ]
    seen = explain.measure_guess(guess, index, index.everything)
    if left is not chances and total:
        mean = sum(count * left[answer] for answer, count in chances.items()) / total
        seen = seen._replace(mean=mean, worst=max(left.values()))
    bits = Entropy.bits(index, guess, index.everything)
    things, shown = _things(rules, total), guess.upper()
    first = "" if fitting.is_all else f"Of the first {total:,} codes found that fit: "
    can = "may" if seen.fits else "cannot"
    text = (
        (
            f"{first}{shown} {can} be it. {total:,} {things} fit now; after its answer "
            f"{seen.mean:,.1f} would remain on average, {seen.worst:,} at worst."
        )
        if total
        else ("Nothing fits, so no guess tells anything; ask which turns clash.")
    )
    return {
        "guess": guess,
        "fits": seen.fits,
        "left": total,
        "is_all": fitting.is_all,
        "mean": round(seen.mean, 4),
        "worst": seen.worst,
        "groups": len(chances),
        "bits": round(bits, 4),
        "answers": answers,
        "text": text,
    }


def _remaining(source: CandidateSource, turns: Sequence[Turn], guess: str, chances: dict[Any, int]) -> dict[Any, int]:
    if source.setup.reading != knowledge.CLASSIC:
        return chances
    # Read the classic way, codes remain that would not have given the very answer: the knowledge has to be asked.
    if sum(chances.values()) > MOST_HELD:
        raise DeskError("Too many codes fit to work out how many would remain by the classic rules; take a turn first.")
    found, until = {}, time.monotonic() + SECONDS
    for answer in chances:
        if time.monotonic() > until:
            raise DeskError(f"How many would remain was not worked out in {SECONDS:g} seconds; take a turn first.")
        found[answer] = len(source.fitting([*turns, Turn(guess, answer)]).codes)
    return found


def clashing(source: CandidateSource, turns: Sequence[Turn]) -> dict[str, Any]:
    """Name the smallest set of turns that cannot all be true; none where something fits."""
    found, is_smallest = conflicts.smallest(len(turns), _between(source, turns))
    numbers = [place + 1 for place in found]
    told = [{"turn": place + 1, "guess": turns[place].guess, "answer": plain(turns[place].feedback)} for place in found]
    return {"fits": not found, "turns": told, "is_smallest": is_smallest, "text": _clash_said(numbers, len(turns))}


def _between(source: CandidateSource, turns: Sequence[Turn]) -> conflicts.Agree:
    def agree(places: Sequence[int]) -> tuple[bool, set[int]]:
        chosen = list(places)
        fits, core = source.agree([turns[place] for place in chosen])
        return fits, {chosen[place] for place in core}

    return agree


def _clash_said(numbers: Sequence[int], count: int) -> str:
    if not numbers:
        return f"Something fits {whys.all_turns(count)}."
    if len(numbers) == 1:
        return f"Turn {numbers[0]} alone cannot be: nothing gives that answer. Change it, or take it back."
    named = f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
    return (
        f"Turns {named} cannot {'both' if len(numbers) == 2 else 'all'} be true: one of them holds a slip. Change "
        "it, or take it back."
    )


def plain(feedback: Any) -> Any:
    """Return an answer as JSON holds it: two numbers, one, or marks."""
    return list(feedback) if isinstance(feedback, tuple) else feedback


def allowed(code: str, rules: Rules) -> str:
    """Read a code or word as a person wrote it; raises `DeskError` where the rules do not allow it."""
    read = code.strip().lower()
    try:
        rules.check(read)
    except JottoError as error:
        raise DeskError(str(error)) from error
    return read


def _things(rules: Rules, count: int) -> str:
    thing = "word" if rules.name in ("jotto", "wordle", "paper-jotto") else "code"
    return thing if count == 1 else thing + "s"
