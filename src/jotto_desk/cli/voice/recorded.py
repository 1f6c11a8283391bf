"""What NAO makes of recordings of people: phrase by phrase, and of words that it does not listen for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from jotto import compat
from jotto_behaviour import hearing, states
from jotto_behaviour.hearing import get_needed_confidence
from jotto_behaviour.lines import Lines
from naosim_live.voice import noise, recordings
from naosim_live.voice.noise import Noise
from naosim_live.voice.recogniser import Recognised, Recogniser, Vocabulary
from naosim_live.voice.sound import Clip

from ..rehearsal.voice_settings import CERTAINTY

#: The questions that a phrase is looked for in first: those that are asked in every game.
FIRST = ("word", "exact", "both", "spell", "ready")
#: What becomes of a recording: the right answer, another one, or none; at once, or after NAO has asked back.
AT_ONCE, ASKED, WRONG, WRONG_ASKED, UNHEARD = "at once", "asked back", "wrong", "wrong, asked back", "not understood"
OUTCOMES = (AT_ONCE, ASKED, WRONG, WRONG_ASKED, UNHEARD)


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
        else [*FIRST, *(name for name, state in states.STATES.items() if state.touch is not None and name not in FIRST)]
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
        return UNHEARD, ""
    phrase, confidence = first.hypotheses[0]
    wanted = states.list_meanings(recording.question)
    taken = hearing.understand_phrase(phrase, confidence, wanted, lines, (), CERTAINTY)
    if taken.meaning is None:
        return UNHEARD, ""
    is_sure = confidence >= get_needed_confidence(taken.meaning, CERTAINTY)
    if taken.meaning == recording.meaning:
        return (AT_ONCE if is_sure else ASKED), ""
    return (WRONG if is_sure else WRONG_ASKED), taken.phrase
