"""Why a decision tree asks a guess, in plain sentences."""

from typing import Any

from jotto.feedback import COMMON, MARKS
from jotto.rules import Rules
from jotto_desk.solver.trees import GuessValue, PathStep


def shown(word: Any) -> str:
    """Write a word or code as it stands out in a sentence."""
    return word.upper() if isinstance(word, str) else " ".join(map(str, word))


def answer(step: PathStep, rules: Rules, secret: Any) -> str:
    """Say an answer."""
    if step.look.guess == secret:
        return "right"
    if rules.kind == MARKS:
        return str(step.answer)
    if rules.kind == COMMON:
        return f"{step.answer} in common"
    return f"{step.answer.exact} in place, {step.answer.misplaced} elsewhere"


def why(step: PathStep, proven: bool) -> list[str]:
    """Say why this guess is asked: what it does, and what was passed over for it."""
    guess, look, fitting = shown(step.look.guess), step.look, step.before
    if fitting == 1:
        return [f"Only {guess} fits."]
    if fitting == 2 and look.fits:
        return [f"Two words fit, and {guess} is one of them."]
    if look.groups == fitting:
        if look.fits:
            return [f"{guess} fits, and its answer tells all {fitting} words apart: it is found now or with the next."]
        return [f"{guess} cannot be the word, but its answer tells all {fitting} words apart{_as_none(step)}."]
    said = [
        f"{guess} splits {fitting:,} words into {look.groups} groups, the largest of {look.largest:,}: "
        f"{step.turns:.2f} turns expected to the end."
    ]
    return said + _passed_over(step) + _tried(step, proven)


def _as_none(step: PathStep) -> str:
    """Name the best word that fits: one that told as much would have been asked instead."""
    best = step.fitting
    return "" if best is None else f"; of those that fit, {shown(best.guess)} makes {best.groups} groups"


def _passed_over(step: PathStep) -> list[str]:
    look, most, fitting = step.look, step.most, step.fitting
    guess, said = shown(look.guess), []
    if most is None:
        said.append(f"No other word tells more at once ({look.bits:.2f} bits).")
    else:
        said.append(
            f"{_praise(most)} would tell more at once ({most.bits:.2f} bits, {guess} {look.bits:.2f}), but the "
            "tree counts the turns to the end."
        )
    if fitting is not None and not look.fits:
        said.append(
            f"{guess} cannot be the word; of those that fit, {shown(fitting.guess)} tells most "
            f"({fitting.bits:.2f} bits)."
        )
    elif fitting is not None and fitting != most:
        said.append(f"Of those that fit, {shown(fitting.guess)} tells most ({fitting.bits:.2f} bits).")
    return said


def _praise(most: GuessValue) -> str:
    return f"{shown(most.guess)}, which {'may be the word too' if most.fits else 'cannot be the word'},"


def _tried(step: PathStep, proven: bool) -> list[str]:
    if step.turn > 1:
        return []
    return [
        "No first guess does better: this is proven." if proven else "No other first guess that was tried does better."
    ]
