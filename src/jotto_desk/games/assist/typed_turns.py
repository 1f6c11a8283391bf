"""Turns as people type them, under any rules: `ocean 1 2`, `ocean 12`, `sugar GBBYY`, `rroo (1, 2)`, `canoe 3`.

For gladiators the pair in brackets is what the server answers, `[0, 3, 10, 1, 2] [3, 1]`: weapons right, of them in
place.
"""

import re
from typing import Any

from jotto.compat import is_integer
from jotto.feedback import COMMON, MARKS
from jotto.game import Turn
from jotto.rules import JottoError, Rules
from jotto.words import fold_word

from ...errors import DeskError
from ..mastermind.dialogue import COLOURS
from ..wordle import marks

_SERVER = re.compile(r"\s*\[([\d\s,]+)\]\s*[:=]?\s*\[([\d\s,]+)\]\s*")
_LONGEST = 400


def example(rules: Rules) -> str:
    """Show how a turn is written."""
    symbols = rules.alphabet if rules.repeats else rules.alphabet[: rules.length]
    word = {"jotto": "ocean", "paper-jotto": "ocean", "wordle": "sugar"}.get(rules.name) if rules.length == 5 else None
    word = word or "".join((symbols * rules.length)[: rules.length])
    return f"{word} " + {MARKS: "GBBYY"[: rules.length], COMMON: "3"}.get(rules.kind, "1 2")


def read_turn(typed: str, rules: Rules, guess: str = "") -> Turn:
    """Read a guess and its answer; with `guess` the answer alone will do. Raises `DeskError`."""
    if len(typed) > _LONGEST:
        raise DeskError(f"'{typed[:40]}...' is too long for a turn; write it as {example(rules)}.")
    if rules.kind == MARKS:
        return marks.read_round(typed, guess, rules)
    try:
        server = _SERVER.fullmatch(typed)
        if server is not None and rules.kind != COMMON:
            return _from_server(server[1], server[2], rules)
        return _plain(typed, rules, guess)
    except JottoError as error:
        raise DeskError(str(error)) from error


def read_guess(typed: str, rules: Rules) -> str:
    """Read a guess without an answer; raises `DeskError` for none."""
    word = _word(re.split(r"[\s,]+", typed.strip()[:_LONGEST]), rules)
    try:
        rules.check(word)
    except JottoError as error:
        raise DeskError(str(error)) from error
    return word


def _plain(typed: str, rules: Rules, guess: str) -> Turn:
    parts = re.split(r"[\s,;:=()/]+", typed.strip(" ,;:=()/"))
    count = 1 if rules.kind == COMMON else 2
    numbers, rest = parts[-count:], parts[:-count]
    compact = parts[-1]
    if count == 2 and len(compact) == 2 and compact.isdecimal() and (len(parts) == 2 or (guess and len(parts) == 1)):
        numbers, rest = list(compact), parts[:-1]
    if len(numbers) < count or not all(re.fullmatch(r"-?\d{1,6}", number) for number in numbers):
        raise DeskError(f"'{typed}' is not a guess and its answer; write it as {example(rules)}.")
    word = _word(rest, rules) or guess
    if not word:
        raise DeskError(f"'{typed}' has no guess; write it as {example(rules)}.")
    rules.check(word)
    told: Any = int(numbers[0]) if count == 1 else (int(numbers[0]), int(numbers[1]))
    return Turn(word, rules.read_feedback(told))


def _word(parts: list[str], rules: Rules) -> str:
    small = [part.lower() for part in parts]
    if small and all(part in COLOURS and COLOURS[part] in rules.alphabet for part in small):
        return "".join(COLOURS[part] for part in small)
    return str(fold_word("".join(parts), rules.alphabet))


def _from_server(guess: str, answer: str, rules: Rules) -> Turn:
    weapons = [int(number) for number in re.findall(r"\d{1,6}", guess)]
    told = [int(number) for number in re.findall(r"\d{1,6}", answer)]
    if any(weapon >= len(rules.alphabet) for weapon in weapons):
        raise DeskError(
            f"'[{guess}]' has the weapon {max(weapons)}; they are numbered from 0 to {len(rules.alphabet) - 1}."
        )
    if len(told) != 2 or not is_integer(told[0]) or told[1] > told[0]:
        raise DeskError(f"'[{answer}]' is not the weapons right and, of them, those in place, such as [3, 1].")
    word = "".join(rules.alphabet[weapon] for weapon in weapons)
    rules.check(word)
    return Turn(word, rules.read_feedback((told[1], told[0] - told[1])))
