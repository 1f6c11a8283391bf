"""NAO's trust in recognised phrases: measured confusions, the log of phrases, and thresholds learned from it."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from jotto.rules import JOTTO
from jotto.words import replace_letters
from jotto_behaviour.files import MAX_NOTEBOOK_BYTES
from jotto_behaviour.lines import Lines
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_CODES, is_certainty
from jotto_behaviour.states import MY_WORD, NONE, NUMBERS, PAIRS, STATES, list_meanings
from jotto_desk import files
from jotto_desk.conversation.answers import TYPED_CONFIDENCE
from jotto_desk.errors import DeskError

# Files of confusions: counts of each answer and of the answer that was heard.

FORMAT = "jotto confusions 1"
#: The steps of the confidence in a file; the usual thresholds are between two steps.
STEPS = 20
#: The largest file that is read.
MOST_BYTES = 4 << 20
_MAX_ROWS = 50_000
_MAX_NAME_LENGTH = 2000
_MAX_TIMES = 10**9
#: An answer that was measured less often is misheard like all answers together.
_LEAST_SAID = 10
#: The heard meaning of an answer that NAO refused; it is None for an answer that NAO did not notice.
REFUSED = ""
#: The measurements that come with the game, by noise; made by `jotto rehearse --voice --sample 300 --noise NOISE`.
MEASURED = {"quiet": "quiet.json", "babble:20": "babble-20.json", "babble:10": "babble-10.json"}


class Saying(NamedTuple):
    """A kind of answer: the question, the meaning said, the meaning heard, and the step of the confidence."""

    question: str
    said: str
    heard: str | None
    step: int

    @property
    def confidence(self) -> float:
        """Return the middle of the step."""
        return (self.step + 0.5) / STEPS if self.heard else 0.0


class Misheard(NamedTuple):
    """The heard meaning (or `REFUSED` or None); with `is_other` it is any other phrase of the vocabulary."""

    heard: str | None
    confidence: float
    is_other: bool = False


def step(confidence: float) -> int:
    """Return the step of a confidence.

    >>> step(0.0), step(0.2), step(0.749), step(0.75), step(1.0)
    (0, 4, 14, 15, 19)
    """
    return min(STEPS - 1, max(0, int(confidence * STEPS + 1e-9)))


@dataclass(frozen=True)
class Confusions:
    """Counts of answers and of the answers heard instead; their source, and the thresholds that NAO uses with it."""

    source: str
    certainty: tuple[float, float]
    counts: Mapping[Saying, int]

    @cached_property
    def _by_answer(self) -> dict[tuple[str, str], Counter[Saying]]:
        found: dict[tuple[str, str], Counter[Saying]] = {}
        for saying, times in self.counts.items():
            found.setdefault((saying.question, saying.said), Counter())[saying] += times
        return found

    def draw(self, question: str, said: str, below: Callable[[int], int]) -> Misheard:
        """Draw the phrase that NAO hears for an answer; `below(n)` draws a number from 0 to n - 1.

        An answer that was rarely measured is drawn like all answers together: right, refused, or any other phrase.
        """
        here = self._by_answer.get((question, said), Counter())
        if here.total() >= _LEAST_SAID:
            saying = _draw_saying(here, below)
            return Misheard(saying.heard, saying.confidence)
        saying = _draw_saying(self.counts, below)
        if saying.heard == saying.said:
            return Misheard(said, saying.confidence)
        return Misheard(saying.heard, saying.confidence, is_other=bool(saying.heard))

    def list_mixed_up(self) -> list[tuple[str, str, str, int, int, int]]:
        """List confusions, the most frequent first.

        A row has question, said, heard, its count, the count that NAO believed, and the count of the answer said.
        """
        pairs: Counter[tuple[str, str, str]] = Counter()
        believed: Counter[tuple[str, str, str]] = Counter()
        for saying, times in self.counts.items():
            if saying.heard and saying.heard != saying.said:
                key = (saying.question, saying.said, saying.heard)
                pairs[key] += times
                believed[key] += times if saying.step >= step(self.certainty[1]) else 0
        keys = sorted(pairs, key=lambda key: (-pairs[key], key))
        return [(*key, pairs[key], believed[key], self._by_answer[key[:2]].total()) for key in keys]

    def format_text(self) -> str:
        """Return the content of the file, with one row per line."""
        rows = [json.dumps([*saying, self.counts[saying]]) for saying in _sort_sayings(self.counts)]
        head = {"format": FORMAT, "source": self.source, "certainty": list(self.certainty), "steps": STEPS}
        told = json.dumps(head, indent=1)[:-2]
        return f'{told},\n "rows": [\n  ' + ",\n  ".join(rows) + "\n ]\n}\n"


def _sort_sayings(counts: Iterable[Saying]) -> list[Saying]:
    return sorted(counts, key=lambda saying: [str(part) for part in saying])


def _draw_saying(counts: Mapping[Saying, int], below: Callable[[int], int]) -> Saying:
    left = below(sum(counts.values()))
    for saying in _sort_sayings(counts):
        left -= counts[saying]
        if left < 0:
            return saying
    raise AssertionError("the counts do not add up")


def add_counts(measured: Iterable[Mapping[Saying, int]]) -> Counter[Saying]:
    """Add up the counts of many games."""
    total: Counter[Saying] = Counter()
    for counts in measured:
        total.update(counts)
    return total


def load_measured(noise: str) -> Confusions:
    """Return the shipped confusions for a noise of `MEASURED`."""
    return _parse_confusions(
        json.loads(resources.files(__package__).joinpath("heard").joinpath(MEASURED[noise]).read_bytes())
    )


def read_confusions(path: Path) -> Confusions:
    """Read a file of confusions; raises DeskError for any other file."""
    raw = files.read_bounded(path, MOST_BYTES, "file of confusions")
    try:
        return _parse_confusions(json.loads(raw))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DeskError(
            f"'{path}' is not a file of confusions; jotto rehearse --voice --write-confusions FILE makes one."
        ) from error


def _parse_confusions(plain: Any) -> Confusions:
    """Read a parsed file; raises ValueError, KeyError or TypeError if it is wrong."""
    rows = plain["rows"]
    if plain["format"] != FORMAT or plain["steps"] != STEPS or not is_certainty(plain["certainty"]):
        raise ValueError("another format")
    if not isinstance(rows, list) or not 0 < len(rows) <= _MAX_ROWS:
        raise ValueError("no rows, or too many")
    low, high = plain["certainty"]
    counts = add_counts({saying: times} for saying, times in map(_format_row, rows))
    return Confusions(_name(plain["source"]), (float(low), float(high)), counts)


def _format_row(row: Any) -> tuple[Saying, int]:
    question, said, heard, number, times = row
    for count, most in ((number, STEPS - 1), (times, _MAX_TIMES)):
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= most:
            raise ValueError("no count")
    if not times:
        raise ValueError("never")
    return Saying(_name(question), _name(said), None if heard is None else _name(heard), number), times


def _name(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _MAX_NAME_LENGTH:
        raise ValueError("no name")
    return value


# The log of phrases heard, which NAO writes if `Jotto/Settings` has "keep-log" (`jotto_behaviour.memory`). The word at
# the end of a game says which answers were right.

#: Returns the lines of a language by its code.
_LinesIn = Callable[[str], Lines]


class LoggedAnswer(NamedTuple):
    """A phrase that NAO heard at a question, the meaning that was right, and whether NAO heard it."""

    question: str
    phrase: str
    confidence: float
    meant: str
    is_right: bool


class HeardLog(NamedTuple):
    """The answers of a log, and the number of other lines: of games without a word, typed, or damaged."""

    answers: tuple[LoggedAnswer, ...]
    left_out: int


def read_heard_log(path: Path, lines_in: _LinesIn) -> HeardLog:
    """Read a log; raises DeskError for a file that cannot be read or is not a log."""
    content = files.read_bounded(path, MAX_NOTEBOOK_BYTES, "log of what NAO heard")
    entries = [_parse_entry(line, lines_in) for line in content.decode("utf-8", "replace").splitlines() if line.strip()]
    if not any(entries):
        raise DeskError(
            f"'{path}' is not a log of heard phrases: NAO writes heard.jsonl if Jotto/Settings has "
            '{"keep-log": true}.'
        )
    answers = tuple(_collect_answers(filter(None, entries), lines_in))
    words = sum("word" in entry for entry in entries if entry)
    return HeardLog(answers, len(entries) - words - len(answers))


def _parse_entry(line: str, lines_in: _LinesIn) -> dict[str, Any] | None:
    """Read a line; return None if it is damaged."""
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
    confidence, texts = found.get("confidence"), [found.get(name) for name in ("question", "guess", "phrase")]
    fine = all(isinstance(text, str) for text in texts) and isinstance(confidence, int | float) and 0 <= confidence <= 1
    return found if fine and found["question"] in STATES and rules.allows(found["guess"]) else None


def _collect_answers(entries: Iterable[dict[str, Any]], lines_in: _LinesIn) -> Iterator[LoggedAnswer]:
    """Yield the answers of each game whose word is in the log."""
    waiting: dict[int, list[dict[str, Any]]] = {}
    for entry in entries:
        if "word" in entry:
            for each in waiting.pop(entry["game"], []):
                answer = _judge_answer(each, entry["word"], lines_in(each["language"]))
                if answer is not None:
                    yield answer
        elif entry["confidence"] not in (TYPED_CONFIDENCE, 1.0):
            # Only typed and tapped answers have such a confidence.
            waiting.setdefault(entry["game"], []).append(entry)


def _judge_answer(entry: dict[str, Any], word: str, lines: Lines) -> LoggedAnswer | None:
    """Compare an answer with the word; return None for a command, such as "help"."""
    question, doubt = entry["question"], entry.get("doubt")
    taken = lines.find_meaning(entry["phrase"], list_meanings(question, doubt is not None))
    meant = _find_right_answer(question, entry["guess"], word, taken)
    if doubt is not None and taken in ("yes", "no"):
        # Whether yes is right at "Did you say two?" depends on the answer to the question before.
        if _find_right_answer(question, entry["guess"], word, doubt) is None:
            return None
        meant = "yes" if doubt == _find_right_answer(question, entry["guess"], word, doubt) else "no"
    if taken is None or meant is None:
        return None
    return LoggedAnswer(question, entry["phrase"], float(entry["confidence"]), meant, taken == meant)


def _find_right_answer(question: str, guess: str, word: str, taken: str | None) -> str | None:
    """Return the right answer in the form of the given one; None if the given one is a command."""
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


# Learning the two thresholds of the confidence from a log.

#: The least number of answers.
_LEAST = 60
#: The largest share of wrong answers among the answers that NAO believes immediately (by the rule of succession).
_MOST_WRONG = 0.02
#: NAO asks to confirm an answer if at least this share of such answers is right; else it asks the question again.
_WORTH_ASKING = 0.5
#: The digits of a threshold.
_DIGITS = 3


class _Tenth(NamedTuple):
    """The answers with a confidence from `begins` to the next tenth, and the number of right ones."""

    begins: float
    heard: int
    right: int


class Learned(NamedTuple):
    """Two thresholds: below `reject` NAO asks the question again, below `sure` it asks to confirm the answer.

    Of the `believed` answers of the log, `wrong` were wrong.
    """

    reject: float
    sure: float
    believed: int
    wrong: int
    tenths: tuple[_Tenth, ...]


def learn(answers: Sequence[LoggedAnswer]) -> Learned:
    """Learn both thresholds; raises DeskError if the log has too few or too bad answers.

    `sure` is the lowest threshold above which few enough answers are wrong, `reject` the highest below which most are.
    """
    if len(answers) < _LEAST:
        raise DeskError(
            f"The log has {len(answers)} answers whose truth is known; {_LEAST} are needed. Play on: an "
            "answer counts when NAO has found the word."
        )
    sure = _find_sure_confidence(answers)
    if sure is None:
        raise DeskError(
            f"At every confidence, fewer than {1 - _MOST_WRONG:.0%} of the {len(answers)} answers were right (with one "
            "more counted as wrong); play more games, or let NAO confirm every answer with --certainty 0,1."
        )
    believed = [answer for answer in answers if answer.confidence >= sure]
    wrong = sum(not answer.is_right for answer in believed)
    return Learned(min(_reject(answers), sure), sure, len(believed), wrong, _round_down(answers))


def _find_sure_confidence(answers: Sequence[LoggedAnswer]) -> float | None:
    """Return the lowest confidence from which NAO may believe answers; None if none exists."""
    found, heard, wrong = None, 0, 0
    ranked = sorted(answers, key=lambda answer: -answer.confidence)
    for place, answer in enumerate(ranked):
        heard, wrong = heard + 1, wrong + (not answer.is_right)
        # Answers of the same confidence are believed together.
        ends = place + 1 == len(ranked) or ranked[place + 1].confidence < answer.confidence
        if ends and (wrong + 1) / (heard + 2) <= _MOST_WRONG:
            found = answer.confidence
    return None if found is None else round(found, _DIGITS)


def _reject(answers: Sequence[LoggedAnswer]) -> float:
    """Return the highest confidence below which most answers are wrong; 0 if none exists."""
    found, heard, right = 0.0, 0, 0
    ranked = sorted(answers, key=lambda answer: answer.confidence)
    for place, answer in enumerate(ranked):
        heard, right = heard + 1, right + answer.is_right
        above = ranked[place + 1].confidence if place + 1 < len(ranked) else 1.0
        if above > answer.confidence and right / heard < _WORTH_ASKING:
            found = above
    return round(found, _DIGITS)


def _round_down(answers: Sequence[LoggedAnswer]) -> tuple[_Tenth, ...]:
    rows = []
    for tenth in range(10):
        here = [answer for answer in answers if min(int(answer.confidence * 10), 9) == tenth]
        if here:
            rows.append(_Tenth(tenth / 10, len(here), sum(answer.is_right for answer in here)))
    return tuple(rows)
