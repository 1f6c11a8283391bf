"""How well NAO hears: phrases that sound alike by a dictionary, and recordings of people, phrase by phrase."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from jotto import compat
from jotto_behaviour import hearing, states
from jotto_behaviour.hearing import get_needed_confidence
from jotto_behaviour.lines import Lines
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY
from jotto_desk.terminal import Bar, Column, FittedTable
from naosim_live.voice import noise, recordings
from naosim_live.voice.noise import Noise
from naosim_live.voice.pronunciation import distance, variant
from naosim_live.voice.recogniser import Recognised, Recogniser, Vocabulary
from naosim_live.voice.sound import Clip

# --- Phrases that sound alike among those NAO listens for with one question, by a recogniser's dictionary.

_Phones = tuple[str, ...]


class _NearPair(NamedTuple):
    """Two phrases that mean different things, the sounds to change from one to the other, and those of the longer."""

    question: str
    one: str
    other: str
    changes: int
    sounds: int

    @property
    def likeness(self) -> float:
        """Return the share of the sounds that stay."""
        return 1 - self.changes / self.sounds


def questions() -> list[str]:
    """List the questions that NAO listens for an answer to."""
    return [name for name, state in states.STATES.items() if state.touch is not None]


def closest(question: str, lines: Lines, sounded: Callable[[str], _Phones], most: int) -> list[_NearPair]:
    """List the pairs of a question's phrases that sound most alike; words of the list are not compared.

    What two phrases share at their beginnings and ends is left out, and every such difference listed once.
    """
    meant = {phrase: meaning for meaning in states.list_meanings(question)[::-1] for phrase in lines.phrases([meaning])}
    heard = [phrase for phrase in meant if len(phrase) > 1]
    differences = {
        tuple(sorted(differing(one, other)))
        for place, one in enumerate(heard)
        for other in heard[place + 1 :]
        if meant[one] != meant[other]
    }
    pairs = []
    for one, other in differences:
        sounds = sounded(one), sounded(other)
        pairs.append(_NearPair(question, one, other, _changes(*sorted(sounds)), max(map(len, sounds))))
    return sorted(pairs, key=lambda pair: (pair.changes, -pair.likeness, pair.one, pair.other))[:most]


def differing(one: str, other: str) -> tuple[str, str]:
    """Leave out the words that two phrases share at the beginning and at the end, as long as something is left of both.

    >>> differing("it's four", "it's five"), differing("go on", "let's go on")
    (('four', 'five'), ('go on', "let's go on"))
    """
    first, second = one.split(), other.split()
    start = next(
        (place for place, words in enumerate(zip(first, second, strict=False)) if words[0] != words[1]),
        min(len(first), len(second)),
    )
    end = next(
        (
            place
            for place, words in enumerate(zip(first[start:][::-1], second[start:][::-1], strict=False))
            if words[0] != words[1]
        ),
        min(len(first), len(second)) - start,
    )
    left = " ".join(first[start : len(first) - end]), " ".join(second[start : len(second) - end])
    return left if all(left) else (one, other)


def of_all(asked: Iterable[str], lines: Lines, sounded: Callable[[str], _Phones], most: int) -> list[_NearPair]:
    """List the closest pairs of several questions, question by question."""
    return [pair for question in asked for pair in closest(question, lines, functools.cache(sounded), most)]


@functools.cache
def _changes(one: _Phones, other: _Phones) -> int:
    """Count the sounds to change, as said in America or in England."""
    return min(distance(first, second) for first in {one, variant(one)} for second in {other, variant(other)})


# --- What NAO makes of recordings of people: phrase by phrase, and of words that it does not listen for.

#: The questions that a phrase is looked for in first: those that are asked in every game.
_FIRST = ("word", "exact", "both", "spell", "ready")
#: What becomes of a recording: the right answer, another one, or none; at once, or after NAO has asked back.
AT_ONCE, _ASKED, _WRONG, _WRONG_ASKED, _UNHEARD = (
    "at once",
    "asked back",
    "wrong",
    "wrong, asked back",
    "not understood",
)
_OUTCOMES = (AT_ONCE, _ASKED, _WRONG, _WRONG_ASKED, _UNHEARD)


class Recording(NamedTuple):
    """A recording: the phrase, the question it answers, and what is meant by it, "" for no answer at all."""

    path: Path
    phrase: str
    question: str
    meaning: str


@dataclass
class Heard:
    """What became of the recordings of one phrase; `mixed_up` are the phrases it was taken for."""

    phrase: str
    question: str
    is_answer: bool
    counts: Counter[str] = field(default_factory=Counter)
    mixed_up: Counter[str] = field(default_factory=Counter)

    @property
    def recordings(self) -> int:
        """Return how many there are."""
        return self.counts.total()


def asked(found: Mapping[str, Sequence[Path]], lines: Lines, question: str, sample: int, seed: int) -> list[Recording]:
    """List the recordings that are listened to, at most so many of a phrase (0: all), each at its question.

    Without a question each phrase answers the first one that it is an answer to; what answers none is said where NAO
    asks whether its guess is right.
    """
    chosen = []
    for phrase, paths in found.items():
        where, meaning = _place(phrase, lines, question)
        some = (
            [paths[int(number)] for number in compat.draw_items(range(len(paths)), sample, seed, phrase)]
            if (0 < sample < len(paths))
            else paths
        )
        chosen += [Recording(path, phrase, where, meaning) for path in some]
    return chosen


def heard(chosen: Sequence[Recording], ears: Recogniser, lines: Lines, around: Noise, seed: int) -> Iterator[Heard]:
    """Listen to recordings, and yield after each what became of those of its phrase so far."""
    rows: dict[str, Heard] = {}
    vocabularies = {
        question: Vocabulary(tuple(lines.phrases(states.list_meanings(question))))
        for question in {recording.question for recording in chosen}
    }
    for number, recording in enumerate(chosen):
        row = rows.setdefault(recording.phrase, Heard(recording.phrase, recording.question, bool(recording.meaning)))
        ears.forget_room()
        ears.open(vocabularies[recording.question])
        became, taken_for = _became(recording, ears, _room(recording.path, around, seed + number).pcm, lines)
        row.counts[became] += 1
        if taken_for:
            row.mixed_up[taken_for] += 1
        yield row
    ears.close()


def _room(path: Path, around: Noise, seed: int) -> Clip:
    """Return a recording in a noise; in its own room where that is wanted, or where nothing can be heard in it."""
    if around.kind != noise.QUIET:
        said = recordings.said_in(path)
        if not recordings.is_silent(said):
            return noise.around(said, around, seed)
    return recordings.read(path, seed)


def _place(phrase: str, lines: Lines, question: str) -> tuple[str, str]:
    """Return the question that a phrase answers, and what it means there."""
    names = (
        [question]
        if question
        else [
            *_FIRST,
            *(name for name, state in states.STATES.items() if state.touch is not None and name not in _FIRST),
        ]
    )
    for name in names:
        wanted = states.list_meanings(name)
        # What may only be typed, such as a short "stop", is not listened for.
        said = next((each for each in lines.phrases(wanted) if recordings.said_as(each) == phrase), None)
        if said is not None:
            return name, lines.meaning(said, wanted) or ""
    return names[0], ""


def _became(recording: Recording, ears: Recogniser, pcm: bytes, lines: Lines) -> tuple[str, str]:
    """Return what became of a recording, and what it was taken for if that is another answer."""
    events = [event for event in ears.feed(pcm) if isinstance(event, Recognised)]
    first = next((event for event in events if event.hypotheses), None)
    if first is None:
        return _UNHEARD, ""
    phrase, confidence = first.hypotheses[0]
    wanted = states.list_meanings(recording.question)
    taken = hearing.understand_phrase(phrase, confidence, wanted, lines, (), VOICE_CERTAINTY)
    if taken.meaning is None:
        return _UNHEARD, ""
    is_sure = confidence >= get_needed_confidence(taken.meaning, VOICE_CERTAINTY)
    if taken.meaning == recording.meaning:
        return (AT_ONCE if is_sure else _ASKED), ""
    return (_WRONG if is_sure else _WRONG_ASKED), taken.phrase


# --- What `jotto voice hear` tells of the recordings: phrase by phrase, and altogether.

#: Phrases that are named as what one was taken for.
_MOST_MIXED_UP = 3


def plain(row: Heard) -> dict[str, Any]:
    """Return what became of a phrase, for programs."""
    return {
        "phrase": row.phrase,
        "question": row.question,
        "is_answer": row.is_answer,
        "recordings": row.recordings,
        **{name.replace(",", "").replace(" ", "_"): row.counts[name] for name in _OUTCOMES},
        "mixed_up": dict(row.mixed_up.most_common()),
    }


def parts(rows: list[Heard], how: str) -> Iterator[FittedTable | str]:
    """Yield tables and sentences; `how` names the recogniser and the noise."""
    answers, others = [row for row in rows if row.is_answer], [row for row in rows if not row.is_answer]
    if answers:
        yield _sheet(f"answers, {how}", answers)
    if others:
        yield _sheet(f"other words, {how}", others)
    if answers:
        yield (
            f"Of {_total(answers)} answers NAO understood {_share(answers, AT_ONCE)} at once, and asked back "
            f"{_share(answers, _ASKED)} rightly and {_share(answers, _WRONG_ASKED)} wrongly. It believed "
            f"{_share(answers, _WRONG)} wrongly."
        )
    if others:
        yield (
            f"Of {_total(others)} other words NAO took {_share(others, _WRONG)} for an answer at once, and asked "
            f"back at {_share(others, _WRONG_ASKED)}."
        )


def _sheet(title: str, rows: Iterable[Heard]) -> FittedTable:
    sheet = FittedTable(
        title,
        Column("said", is_text=True),
        Column("question", is_text=True, leaves=1),
        Column("of"),
        *(Column(name) for name in _OUTCOMES),
        Column("right", is_text=True, leaves=2),
        Column("taken for", is_text=True, folds=True, leaves=3),
    )
    for row in rows:
        right = (row.counts[AT_ONCE] + row.counts[_ASKED]) / row.recordings
        sheet.add(
            row.phrase,
            row.question,
            str(row.recordings),
            *(str(row.counts[name] or "") for name in _OUTCOMES),
            Bar(right) if row.is_answer else "",
            ", ".join(f"{phrase} {times}" for phrase, times in row.mixed_up.most_common(_MOST_MIXED_UP)),
        )
    return sheet


def _total(rows: Iterable[Heard]) -> int:
    return sum(row.recordings for row in rows)


def _share(rows: list[Heard], name: str) -> str:
    return f"{sum(row.counts[name] for row in rows) / _total(rows):.1%}"
