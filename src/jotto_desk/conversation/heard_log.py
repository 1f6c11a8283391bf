"""The log of what NAO heard, read back: each answer with its confidence, and whether it was what the person meant.

NAO writes it where `Jotto/Settings` has "keep-log" (`jotto_behaviour.memory`). What was meant follows from the word,
which stands at the end of a game that was found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from jotto.rules import JOTTO
from jotto.words import replace_letters
from jotto_behaviour.files import MAX_NOTEBOOK_BYTES
from jotto_behaviour.lines import Lines
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_CODES
from jotto_behaviour.states import MY_WORD, NONE, NUMBERS, PAIRS, STATES, list_meanings

from ..errors import DeskError
from .typed_answers import TYPED

#: What returns the lines of a language by its code.
LinesIn = Callable[[str], Lines]


class LoggedAnswer(NamedTuple):
    """A phrase that was heard at a question; whether it is right, by what was meant."""

    question: str
    phrase: str
    confidence: float
    meant: str
    is_right: bool


class HeardLog(NamedTuple):
    """The answers of a log that can be judged, and how many lines tell nothing: of games not found, typed, damaged."""

    answers: tuple[LoggedAnswer, ...]
    left_out: int


def read(path: Path, lines_in: LinesIn) -> HeardLog:
    """Read a log, by the lines of each game's language; raises DeskError for a file that cannot be read, or is none."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_NOTEBOOK_BYTES + 1)
    except OSError as error:
        raise DeskError(f"The log '{path}' cannot be read ({(error.strerror or str(error)).lower()}).") from error
    if len(content) > MAX_NOTEBOOK_BYTES:
        raise DeskError(f"'{path}' has more than {MAX_NOTEBOOK_BYTES // 2**20} MB: NAO writes no such log.")
    entries = [_entry(line, lines_in) for line in content.decode("utf-8", "replace").splitlines() if line.strip()]
    if not any(entries):
        raise DeskError(
            f"'{path}' is no log of what NAO heard: NAO writes heard.jsonl where Jotto/Settings has "
            '{"keep-log": true}.'
        )
    answers = tuple(_answers(filter(None, entries), lines_in))
    words = sum("word" in entry for entry in entries if entry)
    return HeardLog(answers, len(entries) - words - len(answers))


def _entry(line: str, lines_in: LinesIn) -> dict[str, Any] | None:
    """Read a line; None for one that is damaged."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("game"), int):
        return None
    language = found.setdefault("language", DEFAULT_LANGUAGE)
    if language not in LANGUAGE_CODES:
        return None
    rules = replace_letters(JOTTO, lines_in(language).alphabet)
    if isinstance(found.get("word"), str):
        return found if rules.allows(found["word"]) else None
    fine = (
        all(isinstance(found.get(name), str) for name in ("question", "guess", "phrase"))
        and isinstance(found.get("confidence"), int | float)
        and 0 <= found["confidence"] <= 1
    )
    return found if fine and found["question"] in STATES and rules.allows(found["guess"]) else None


def _answers(entries: Iterable[dict[str, Any]], lines_in: LinesIn) -> Iterator[LoggedAnswer]:
    """Judge the answers of each game that has come to its word."""
    waiting: dict[int, list[dict[str, Any]]] = {}
    for entry in entries:
        if "word" in entry:
            for each in waiting.pop(entry["game"], []):
                answer = _judged(each, entry["word"], lines_in(each["language"]))
                if answer is not None:
                    yield answer
        elif entry["confidence"] not in (TYPED, 1.0):
            # What is typed or tapped is as sure as that, each time.
            waiting.setdefault(entry["game"], []).append(entry)


def _judged(entry: dict[str, Any], word: str, lines: Lines) -> LoggedAnswer | None:
    """Judge an answer by the word; None for what is no answer, such as a cry for help."""
    question, doubt = entry["question"], entry.get("doubt")
    taken = lines.meaning(entry["phrase"], list_meanings(question, doubt is not None))
    meant = _meant(question, entry["guess"], word, taken)
    if doubt is not None and taken in ("yes", "no"):
        # "Did you say two?" is right or wrong by what was asked first.
        if _meant(question, entry["guess"], word, doubt) is None:
            return None
        meant = "yes" if doubt == _meant(question, entry["guess"], word, doubt) else "no"
    if taken is None or meant is None:
        return None
    return LoggedAnswer(question, entry["phrase"], float(entry["confidence"]), meant, taken == meant)


def _meant(question: str, guess: str, word: str, taken: str | None) -> str | None:
    """Return what an answer of this kind had to be, in the words it was given in; None for what is no such answer."""
    exact, misplaced = JOTTO.score(guess, word)
    if taken in (MY_WORD, "yes", "no"):
        return ("yes" if taken == "no" else taken) if guess == word else "no"
    if taken in PAIRS:
        return f"{exact} {misplaced}"
    if taken == NONE and question == "both":
        return NONE if not exact + misplaced else f"{exact} {misplaced}"
    if taken in NUMBERS or taken == NONE:
        count = misplaced if question == "misplaced" else exact
        return NONE if taken == NONE and not count else str(count)
    return None
