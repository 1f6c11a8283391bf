"""How well NAO hears: phrases that sound alike in a dictionary, and recordings of people."""

import functools
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from jotto import compat
from jotto_behaviour import hearing, states
from jotto_behaviour.lines import Lines
from jotto_behaviour.mind import HearableWords, load_lines, load_mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY
from jotto_desk.terminal import Bar, Column, FittedTable
from naosim_voice import noise, recordings
from naosim_voice.noise import Noise
from naosim_voice.pronunciation import distance, variant
from naosim_voice.recogniser import RATE, WIDTH, Recognised, Recogniser, Vocabulary, VoiceError
from naosim_voice.sound import Clip

# Phrases of one question that sound alike, by a recogniser's dictionary.

_Phones = tuple[str, ...]


class _NearPair(NamedTuple):
    """Two phrases with different meanings, the sounds in which they differ, and the sounds of the longer one."""

    question: str
    one: str
    other: str
    changes: int
    sounds: int

    @property
    def likeness(self) -> float:
        return 1 - self.changes / self.sounds


def list_questions() -> list[str]:
    """List the names of the states in which NAO listens for an answer."""
    return [name for name, state in states.STATES.items() if state.touch is not None]


def list_closest_pairs(question: str, lines: Lines, sounded: Callable[[str], _Phones], most: int) -> list[_NearPair]:
    """List the pairs of a question's phrases that sound most alike, without words of the list.

    Common words at the beginnings and ends are left out, and each remaining pair is listed once.
    """
    meant = {
        phrase: meaning for meaning in states.list_meanings(question)[::-1] for phrase in lines.list_phrases([meaning])
    }
    heard = [phrase for phrase in meant if len(phrase) > 1]
    differences = {
        tuple(sorted(strip_common_words(one, other)))
        for place, one in enumerate(heard)
        for other in heard[place + 1 :]
        if meant[one] != meant[other]
    }
    pairs = []
    for one, other in differences:
        sounds = sounded(one), sounded(other)
        pairs.append(_NearPair(question, one, other, _count_changes(*sorted(sounds)), max(map(len, sounds))))
    return sorted(pairs, key=lambda pair: (pair.changes, -pair.likeness, pair.one, pair.other))[:most]


def strip_common_words(one: str, other: str) -> tuple[str, str]:
    """Return two phrases without common words at their beginnings and ends, as long as both have words left.

    >>> strip_common_words("it's four", "it's five"), strip_common_words("go on", "let's go on")
    (('four', 'five'), ('go on', "let's go on"))
    """
    first, second = one.split(), other.split()
    start = _count_equal(first, second)
    end = _count_equal(first[start:][::-1], second[start:][::-1])
    left = " ".join(first[start : len(first) - end]), " ".join(second[start : len(second) - end])
    return left if all(left) else (one, other)


def _count_equal(one: list[str], other: list[str]) -> int:
    """Return the number of words that are equal at the beginning of both."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, words in pairs if words[0] != words[1]), min(len(one), len(other)))


def list_all_pairs(asked: Iterable[str], lines: Lines, sounded: Callable[[str], _Phones], most: int) -> list[_NearPair]:
    """List the closest pairs of each question."""
    return [pair for question in asked for pair in list_closest_pairs(question, lines, functools.cache(sounded), most)]


@functools.cache
def _count_changes(one: _Phones, other: _Phones) -> int:
    """Count the sounds in which two words differ, in American or British pronunciation."""
    return min(distance(first, second) for first in {one, variant(one)} for second in {other, variant(other)})


# Recordings of people.

#: The questions of every game, which are searched first for a phrase.
_FIRST = ("word", "exact", "both", "spell", "ready")
#: The question whose answers include words of the list, said or spelled.
_GUESS = "your guess"
#: The results of a recording: NAO believes the right answer, asks to confirm it, does the same with a wrong one, or
#: does not understand it.
AT_ONCE = "at once"
_ASKED = "asked back"
_WRONG = "wrong"
_WRONG_ASKED = "wrong, asked back"
UNHEARD = "not understood"
OUTCOMES = (AT_ONCE, _ASKED, _WRONG, _WRONG_ASKED, UNHEARD)
#: Seconds of a room before a recording, and those of a talker and of music: in a game NAO has heard them for a while.
_BEFORE_S, _HEARD_BEFORE_S = 0.7, 10.0
#: Bytes of sound that NAO hears at a time, until it has understood something: half a second.
_BLOCK = RATE * WIDTH // 2
#: Other spellings of alphabet words.
_SPELLINGS = {"juliett": "juliet", "alfa": "alpha", "xray": "x ray", "whisky": "whiskey"}


class Recording(NamedTuple):
    """A recording: its file, the phrase, the question it answers, and its meaning, "" if it is not an answer.

    `word` is the word of a guess that is said or spelled.
    """

    path: Path
    phrase: str
    question: str
    meaning: str
    word: str = ""


@dataclass
class Heard:
    """The results of the recordings of one phrase; `mixed_up` counts the phrases that NAO took it for."""

    phrase: str
    question: str
    is_answer: bool
    counts: Counter[str] = field(default_factory=Counter)
    mixed_up: Counter[str] = field(default_factory=Counter)

    @property
    def recordings(self) -> int:
        """Return the number of recordings."""
        return self.counts.total()


class Questions:
    """NAO's questions with their phrases; the answers to "your guess" include a list's words and some more."""

    def __init__(self, lines: Lines, known: HearableWords, more: Iterable[str], language: str) -> None:
        self.lines, self._language = lines, language
        more = [word for word in dict.fromkeys(more) if word not in known.words]
        self.words = frozenset(known.words).union(more)
        self._guesses = (*known.phrases, *more)
        self._vocabularies: dict[str, Vocabulary] = {}

    def list_vocabulary(self, question: str) -> Vocabulary:
        """Return what NAO listens for after a question; thousands of words are collected once."""
        if question not in self._vocabularies:
            phrases = tuple(self.lines.list_phrases(states.list_meanings(question)))
            said = phrases + self._guesses if question == _GUESS else phrases
            self._vocabularies[question] = Vocabulary(said, language=self._language)
        return self._vocabularies[question]

    def list_words(self, question: str) -> Container[str]:
        """Return the words that answer a question."""
        return self.words if question == _GUESS else ()

    def find_place(self, phrase: str, question: str) -> tuple[str, str, str]:
        """Return the question that a phrase answers, its meaning, and the word that it is a guess of; "" for none."""
        names = [question] if question else [*_FIRST, *(name for name in list_questions() if name not in _FIRST)]
        wanted_phrase = _SPELLINGS.get(phrase, phrase)
        for name in names:
            wanted = states.list_meanings(name)
            # NAO does not listen for phrases that can only be typed, such as a short "stop".
            said = next(
                (
                    each
                    for each in self.lines.list_phrases(wanted)
                    if recordings.normalise_phrase(each) == wanted_phrase
                ),
                None,
            )
            if said is not None:
                return name, self.lines.find_meaning(said, wanted) or "", ""
        word = parse_word(phrase)
        if word in self.words and question in ("", _GUESS):
            return _GUESS, states.ANY_WORD, word
        return names[0], "", ""


def load_questions(found: Iterable[str], language: str = DEFAULT_LANGUAGE) -> Questions:
    """Return NAO's questions in a language with its list, and the spelled words of some phrases that it lacks."""
    mind, lines = load_mind("", "consistent", (), language), load_lines(language)
    known = hearing.list_sayable_words(states.list_meanings(_GUESS), mind, lines)
    assert known is not None
    more = [parse_word(phrase) for phrase in found if " " in phrase and parse_word(phrase)]
    return Questions(lines, known, more, language)


def parse_word(phrase: str) -> str:
    """Return the word of a phrase, which can be spelled.

    >>> parse_word("s t o r y"), parse_word("story"), parse_word("two words")
    ('story', 'story', '')
    """
    parts = phrase.split()
    is_word = len(parts) == 1 or (len(parts) > 2 and all(len(part) == 1 for part in parts))
    return phrase.replace(" ", "") if is_word else ""


def choose_recordings(
    found: Mapping[str, Sequence[Path]], known: Questions, question: str, sample: int, seed: int
) -> list[Recording]:
    """Choose recordings, at most `sample` of each phrase (0: all), and the question of each.

    If `question` is "", it is the first question that the phrase answers; for other words it is "Is it ...?".
    """
    chosen = []
    for phrase, paths in found.items():
        where, meaning, word = known.find_place(phrase, question)
        numbers = range(len(paths))
        some = compat.draw_items(numbers, sample, seed, phrase) if 0 < sample < len(paths) else numbers
        chosen += [Recording(paths[int(number)], phrase, where, meaning, word) for number in some]
    return chosen


def recognise_recordings(
    chosen: Sequence[Recording], ears: Recogniser, known: Questions, around: Noise, seed: int, left_out: list[str]
) -> Iterator[Heard]:
    """Listen to recordings; after each, yield the results of its phrase so far.

    Files that cannot be used are left out; `left_out` gets a sentence about each.
    """
    rows: dict[str, Heard] = {}
    for number, recording in enumerate(chosen):
        try:
            pcm = add_noise(recording.path, around, seed + number).pcm
        except VoiceError as error:
            left_out.append(str(error))
            continue
        row = rows.setdefault(recording.phrase, Heard(recording.phrase, recording.question, bool(recording.meaning)))
        ears.forget_room()
        ears.open(known.list_vocabulary(recording.question))
        became, taken_for = _find_result(recording, ears, pcm, known)
        row.counts[became] += 1
        if taken_for:
            row.mixed_up[taken_for] += 1
        yield row
    ears.close()


def add_noise(path: Path, around: Noise, seed: int) -> Clip:
    """Return a recording with noise; without noise if `around` is quiet or the recording is silent."""
    if around.kind != noise.QUIET:
        said = recordings.read_speech(path)
        if not recordings.is_silent(said):
            before = _HEARD_BEFORE_S if around.kind in noise.CONTINUED else _BEFORE_S
            return noise.add_noise(said, around, seed, before)
    return recordings.read(path, seed)


def _find_result(recording: Recording, ears: Recogniser, pcm: bytes, known: Questions) -> tuple[str, str]:
    """Return the result of a recording, and the phrase that NAO took it for if that is another answer."""
    blocks = (pcm[at : at + _BLOCK] for at in range(0, len(pcm), _BLOCK))
    events = (event for block in blocks for event in ears.feed(block))
    first = next((event for event in events if isinstance(event, Recognised) and event.hypotheses), None)
    if first is None:
        return UNHEARD, ""
    phrase, confidence = first.hypotheses[0]
    wanted = states.list_meanings(recording.question)
    words = known.list_words(recording.question)
    taken = hearing.understand_phrase(phrase, confidence, wanted, known.lines, words, VOICE_CERTAINTY)
    if taken.meaning is None:
        return UNHEARD, ""
    right = is_right(recording, taken)
    is_sure = confidence >= hearing.get_needed_confidence(taken.meaning, VOICE_CERTAINTY)
    return find_outcome(right, is_sure), "" if right else taken.phrase


def is_right(recording: Recording, taken: hearing.Hearing) -> bool:
    """Return whether NAO understood what was said."""
    return taken.meaning == recording.meaning and (not recording.word or taken.phrase == recording.word)


def find_outcome(is_right: bool, is_sure: bool) -> str:
    """Return the outcome of an answer that NAO understood rightly or wrongly, and is sure of or not."""
    if is_right:
        return AT_ONCE if is_sure else _ASKED
    return _WRONG if is_sure else _WRONG_ASKED


# The tables of `jotto voice hear`.

#: The most phrases in the column "taken for".
_MOST_MIXED_UP = 3


def plain(row: Heard) -> dict[str, Any]:
    """Return the results of a phrase as plain values."""
    return {
        "phrase": row.phrase,
        "question": row.question,
        "is_answer": row.is_answer,
        "recordings": row.recordings,
        **{name.replace(",", "").replace(" ", "_"): row.counts[name] for name in OUTCOMES},
        "mixed_up": dict(row.mixed_up.most_common()),
    }


def format_results(rows: list[Heard], how: str) -> Iterator[FittedTable | str]:
    """Yield tables and sentences; `how` names recogniser and noise."""
    answers, others = [row for row in rows if row.is_answer], [row for row in rows if not row.is_answer]
    if answers:
        yield _tabulate(f"answers, {how}", answers)
    if others:
        yield _tabulate(f"other words, {how}", others)
    if answers:
        yield (
            f"Answers: {_sum_up(answers)}. NAO understood {_share(answers, AT_ONCE)} without a question. It asked to "
            f"confirm {_share(answers, _ASKED)} rightly and {_share(answers, _WRONG_ASKED)} wrongly. It believed "
            f"{_share(answers, _WRONG)} wrongly."
        )
    if others:
        yield (
            f"Other words: {_sum_up(others)}. NAO took {_share(others, _WRONG)} for an answer without a question, and "
            f"asked to confirm {_share(others, _WRONG_ASKED)}."
        )


def _tabulate(title: str, rows: Iterable[Heard]) -> FittedTable:
    sheet = FittedTable(
        title,
        Column("said", is_text=True),
        Column("question", is_text=True, leaves=1),
        *map(Column, ("of", *OUTCOMES)),
        Column("right", is_text=True, leaves=2),
        Column("taken for", is_text=True, folds=True, leaves=3),
    )
    for row in rows:
        right = (row.counts[AT_ONCE] + row.counts[_ASKED]) / row.recordings
        sheet.add(
            row.phrase,
            row.question,
            str(row.recordings),
            *(str(row.counts[name] or "") for name in OUTCOMES),
            Bar(right) if row.is_answer else "",
            ", ".join(f"{phrase} {times}" for phrase, times in row.mixed_up.most_common(_MOST_MIXED_UP)),
        )
    return sheet


def _sum_up(rows: Iterable[Heard]) -> int:
    return sum(row.recordings for row in rows)


def _share(rows: list[Heard], name: str) -> str:
    return f"{sum(row.counts[name] for row in rows) / _sum_up(rows):.1%}"
