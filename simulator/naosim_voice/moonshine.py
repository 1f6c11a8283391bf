"""The recogniser Moonshine: its network's probabilities of each phrase of the vocabulary, and of any other text.

The network was trained with many people to write down their words. Its own text is often wrong in the end: "For." for
"four". Here it is asked only about the phrases, in all the ways in which they can be written (`phrases`). The same
search follows the text that the network would write freely. If that text is much likelier than every phrase, somebody
said something else.

Only `OnnxNetwork` needs more than the standard library; a browser has its own network.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from naosim.errors import install_command

from .endpoints import Stretch, measure_clarity
from .model import DECODER, ENCODER, INSTALLED_BY, TOKENS, describe_failure, start_network
from .phrases import ALPHABET_WORDS, BEGIN, END, FORMS, NATIVE_FORMS, OTHER, PhraseGraph, Places, Tokens
from .recogniser import (
    ASKED,
    RATE,
    Hypothesis,
    Recognised,
    StretchRecogniser,
    Vocabulary,
    VoiceError,
    doubt,
    read_calibration,
    read_letter_odds,
    report_nothing,
    report_phrase,
    weighty_words,
)

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

#: Tokens of the longest text.
_MAX_TOKENS = 40
#: Beginnings of texts that are followed at a time; those less likely than the best one by more than this (a natural
#: logarithm) are dropped.
_BEAM, _FAR = 12, 11.0
#: The same if words can be spelled: these texts are long, and their beginnings clear.
_SPELLING_BEAM, _SPELLING_FAR = 8, 8.0
#: Tokens of the longest text that is written freely.
_MAX_FREE_TOKENS = 24


class Writing(Protocol):
    """Some beginnings of texts for one sound, one in each row."""

    def odds(self, row: int, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural logarithms of the probabilities of some next tokens."""

    def likeliest(self, row: int) -> int:
        """Return the likeliest next token."""

    def extend(self, rows: Sequence[int], tokens: Sequence[int]) -> Writing:
        """Continue some of the beginnings, each with one more token."""


class Network(Protocol):
    """A model of Moonshine."""

    tokens: Tokens

    def begin(self, pcm: bytes) -> Writing:
        """Listen to 16-bit PCM at 16 kHz; return a writing of one row without text."""


class Weighed(NamedTuple):
    """Natural logarithms of probabilities: of phrases by their numbers, and of the text that is written freely."""

    phrases: dict[int, float]
    free: float
    text: str


class _Beginning(NamedTuple):
    odds: float
    places: Places


def weigh(network: Network, graph: PhraseGraph, pcm: bytes, beam: int = 0, far: float = 0.0) -> Weighed:
    """Weigh the phrases of a graph for a sound; `beam` and `far` are chosen for the graph unless they are given."""
    beam = beam or (_SPELLING_BEAM if graph.may_spell else _BEAM)
    far = far or (_SPELLING_FAR if graph.may_spell else _FAR)
    found: dict[int, float] = {}
    writing, living, free, text = network.begin(pcm), [_Beginning(0.0, graph.start)], 0.0, list[int]()
    free_row = 0
    for _ in range(_MAX_TOKENS):
        after: list[tuple[float, int, int, Places]] = []
        for row, beginning in enumerate(living):
            following = graph.follow(beginning.places)
            end, *odds = writing.odds(row, [END, *following])
            for number in graph.phrases_at(beginning.places):
                found[number] = add_odds(found.get(number, -math.inf), beginning.odds + end)
            after += [
                (beginning.odds + more, row, token, places)
                for more, (token, places) in zip(odds, following.items(), strict=True)
            ]
        best = max([*found.values(), *(each[0] for each in after)], default=-math.inf)
        after = [each for each in sorted(after, key=lambda each: -each[0])[:beam] if each[0] > best - far]
        rows, tokens = [each[1] for each in after], [each[2] for each in after]
        if free_row >= 0:
            token = writing.likeliest(free_row)
            free += writing.odds(free_row, [token])[0]
            if token == END or len(text) == _MAX_FREE_TOKENS:
                free_row = -1
            else:
                text.append(token)
                rows, tokens, free_row = [*rows, free_row], [*tokens, token], len(rows)
        if not rows:
            break
        living = [_Beginning(odds, places) for odds, _, _, places in after]
        writing = writing.extend(rows, tokens)
    return Weighed(found, free, network.tokens.text(text))


def add_odds(one: float, other: float) -> float:
    """Add two probabilities that are given as natural logarithms, and return the logarithm of the sum.

    >>> round(math.exp(add_odds(math.log(0.25), math.log(0.5))), 6)
    0.75
    """
    high, low = max(one, other), min(one, other)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


# From likelihoods to an answer.

#: The largest margin over other answers, and over other speech, that counts: natural logarithms. A margin beyond this
#: made no answer surer, of the recordings of people.
_MAX_MARGIN, _MAX_GARBAGE = 6.0, 15.0
#: The logarithm of the probability of a phrase that was not followed to its end.
_UNLIKELY = -30.0

#: The most words that somebody says for each word of the phrase (or letter of a word), and the most further words:
#: a person with more says something else. Single letters do not count.
_MAX_WORDS_EACH, _MAX_WORDS_MORE = 2, 3
#: A text without an answer that has this number of words, or more, is a sentence, which was not for NAO.
_SENTENCE_WORDS = 5
#: If two numbers can be said, a single one takes at most `_MAX_NUMBER_S`, and `_MAX_MORE_S` for each further
#: word ("it's two"): 98 % of 450 numbers of people, and 2 % of 420 pairs of voices. If a longer sound has a text of
#: more words, the network might have missed the other number: the odds of the answer fall to the share.
_MAX_NUMBER_S, _MAX_MORE_S, _LENGTH_DOUBT = 0.65, 0.15, 0.02
#: The confidence of a whole answer, for which NAO waits for no silence if people talk in the room. A letter, or half of
#: a score, is none.
_WHOLE = 0.9
#: Next to people who talk, the odds of an answer fall to this share. Of 88 numbers of 12 people NAO believes 64 instead
#: of 65 rightly, and of 57 other words 6 instead of 9.
_NEAR_DOUBT = 0.66
#: Seconds of the longest letter; of 572 letters of people 99 % took at most this. A longer sound is a word.
_MAX_LETTER_S = 1.0
#: A list's word that takes at least this number of seconds is spelled: five letters of ten voices took 1.8 and more.
_SPELLED_S = 1.5
#: The lowest `garbage` of spelled words and of alphabet words. NAO asks about those below the bound of other answers:
#: the network writes letters as others ("D-r-i-t-k" for trick), and "Pepper" for papa. Of 625 other sounds, one was so.
_SPELLING_BOUND = -7.0
#: NAO asks about an answer with a lower `garbage`, unless it is a number or spelled. In quiet, 2 of 557 such answers
#: that people gave and NAO believed had less, and 19 of 45 words of a dictionary that were not answers. The network
#: often writes numbers as other words, such as "Hero." for zero.
_SURE_BOUND, _NUMBERS = -2.0, frozenset(("zero", "one", "two", "three", "four", "five"))
#: A figure in a text, or the beginning of its word, and the longest pause inside a long number, in seconds (the next
#: answer of a player comes later: NAO asks again before).
_FIGURE = re.compile(
    r"\d|\b(?:zero|oh\b|one|two|twel|twen|three|thirt|four|fort|five|fift|six|seven|eigh|nine|ten\b|hundred)"
)
_PAUSE_IN_NUMBER_S = 1.0
#: The network writes this, without a full stop, for breaths and noises; for the letter U it writes "You."
_NOTHING_SAID = "You"
_WORD = re.compile(r"[^\W_]{2,}(?:'[^\W_]+)*")
#: A letter by itself, and the fewest different ones in the text of somebody who spells.
_LETTER, _MIN_LETTERS = re.compile(r"(?<!')\b[a-z]\b"), 3

Answer = tuple[str, ...]
_NO_ANSWER: Answer = ()


class Evidence(NamedTuple):
    """The network's evidence for a phrase, in natural logarithms of probabilities.

    `margin` is its distance to the best other answer, or to a common word (then it can be negative), and
    `garbage` its distance to the text that is written freely (at most 0). `clarity` is the clarity of the speech
    above the noise of the room, from 0 to 1, and `clear_margin` the product of it and the margin.
    """

    margin: float
    garbage: float
    clarity: float = 0.0
    clear_margin: float = 0.0

    def set_clarity(self, clarity: float) -> Evidence:
        """Return the evidence of speech with a clarity."""
        return self._replace(clarity=clarity, clear_margin=clarity * self.margin)


def choose_phrase(
    weighed: Weighed, phrases: Sequence[str], language: str = "en", favours: Mapping[int, float] | None = None
) -> tuple[str, Evidence] | None:
    """Return the likeliest phrase and the evidence for it; None if no phrase was followed to its end.

    Phrases that differ only in light words are one answer: "two one" and "two and one". `favours` are added to the odds
    of phrases when they are compared, not to `garbage`.
    """
    answers: dict[Answer, float] = {}
    favours = favours or {}
    for number, odds in weighed.phrases.items():
        answer = _NO_ANSWER if number == OTHER else weighty_words(phrases[number], language)
        answers[answer] = add_odds(answers.get(answer, -math.inf), odds + favours.get(number, 0.0))
    best = max((answer for answer in answers if answer != _NO_ANSWER), key=answers.__getitem__, default=_NO_ANSWER)
    if best == _NO_ANSWER:
        return None
    margin = answers[best] - max((odds for answer, odds in answers.items() if answer != best), default=_UNLIKELY)
    same = [
        number for number in weighed.phrases if number != OTHER and weighty_words(phrases[number], language) == best
    ]
    likeliest = max(same, key=weighed.phrases.__getitem__)
    garbage = max(-_MAX_GARBAGE, min(0.0, answers[best] - favours.get(likeliest, 0.0) - weighed.free))
    return phrases[likeliest], Evidence(max(-_MAX_MARGIN, min(_MAX_MARGIN, margin)), garbage)


def is_too_long(text: str, phrase: str) -> bool:
    """Return whether a text has many more words than a phrase.

    >>> is_too_long("S as in Sierra, T, O, R, Y", "story"), is_too_long("Will you come and eat with them all now", "no")
    (False, True)
    """
    words = weighty_words(phrase)
    most = _MAX_WORDS_EACH * (len(phrase) if len(words) == 1 and " " in text else len(words)) + _MAX_WORDS_MORE
    return count_words(text) > most


def find_parts(phrases: Sequence[str], language: str = "en") -> frozenset[Answer]:
    """Return the answers of one word of which two are another answer, such as the numbers of a score.

    >>> sorted(find_parts(["two", "it's one", "one and two", "one more", "no"]))
    [('one',), ('two',)]
    """
    answers = {weighty_words(phrase, language) for phrase in phrases}
    pairs = ({(word,) for word in answer} for answer in answers if len(answer) == 2)
    return frozenset(answer for pair in pairs if pair <= answers for answer in pair)


def count_figures(text: str, is_short: bool = False) -> int:
    """Count the figures of a text, without repetitions for a short sound: the network may write its only word again.

    >>> count_figures("Six, oh, oh, oh, five."), count_figures("9:08"), count_figures("Two. Two.", is_short=True)
    (5, 3, 1)
    """
    figures = _FIGURE.findall(text.lower())
    return sum(1 for _ in itertools.groupby(figures)) if is_short else len(figures)


def is_nothing(text: str, phrase: str) -> bool:
    """Return whether a text shows silence, although it sounds like a letter.

    >>> is_nothing("You", "U"), is_nothing("You.", "U"), is_nothing("You", "two")
    (True, False, False)
    """
    return text == _NOTHING_SAID and phrase.lower() == "u"


def is_sentence(text: str) -> bool:
    """Return whether a text without an answer has too many words to be for NAO."""
    return count_words(text) >= _SENTENCE_WORDS


def find_spelling(text: str) -> str:
    """Return the first letter of a text that somebody has spelled, "" if it is no such text.

    >>> find_spelling("S-d-i-r-e"), find_spelling("I'd like a walk."), find_spelling("C. C. C.")
    ('s', '', '')
    """
    letters = list(dict.fromkeys(_LETTER.findall(text.lower())))
    return letters[0] if len(letters) >= _MIN_LETTERS else ""


def count_words(text: str) -> int:
    """Count the different words of a text: of a short sound the network may write the same words again and again."""
    return len(set(_WORD.findall(text.lower())))


# The model, by ONNX Runtime.

#: The sound is made this loud, as a share of full scale, and gets this much silence before and after it: the network
#: was trained with longer sounds, and writes "C. C. C. C." for short ones.
_LOUDNESS, _PAUSE_S = 0.6, 0.45


def prepare(pcm: bytes) -> array[float]:
    """Return a sound as numbers from -1 to 1 in single precision, loud, with silence around it."""
    samples, pause = array("h", pcm), array("f", bytes(4 * int(_PAUSE_S * RATE)))
    factor = _LOUDNESS / max(33, max(samples, default=0), -min(samples, default=0))
    return pause + array("f", [sample * factor for sample in samples]) + pause


class OnnxNetwork:
    """A model in a folder; raises VoiceError for a folder without one, with advice about a damaged one."""

    def __init__(self, folder: Path, advice: str = f"'{INSTALLED_BY}' repairs it.") -> None:
        _check_runtime()
        for name in (ENCODER, DECODER, TOKENS):
            if not (folder / name).is_file():
                raise VoiceError(f"The folder {str(folder)!r} has no model of Moonshine: it lacks {name}.")
        try:
            self._encoder, self._decoder = start_network(folder / ENCODER), start_network(folder / DECODER)
            self._wanted = [each.name for each in self._decoder.get_inputs()]
            self._past = {each.name: each.shape for each in self._decoder.get_inputs() if each.name.startswith("past")}
            self._given = [each.name for each in self._decoder.get_outputs()]
            size = self._measure_vocabulary()
            self.tokens = Tokens((folder / TOKENS).read_bytes())
            if len(self.tokens) != size:
                raise VoiceError(f"it has {size} tokens, and its {TOKENS} has {len(self.tokens)}")
        except Exception as error:
            where, reason = f"The model of Moonshine in {str(folder)!r}", describe_failure(error)
            raise VoiceError(f"{where} cannot be read: {reason}. {advice}") from error

    def begin(self, pcm: bytes) -> OnnxWriting:
        """Listen to 16-bit PCM at 16 kHz; return a writing of one row without text."""
        import numpy

        samples = numpy.frombuffer(prepare(pcm), numpy.float32)
        sound = {"input_values": samples[None], "attention_mask": numpy.ones((1, len(samples)), numpy.int64)}
        heard = self._encoder.run(None, {each.name: sound[each.name] for each in self._encoder.get_inputs()})[0]
        nothing = {name: numpy.zeros((1, shape[1], 0, shape[3]), numpy.float32) for name, shape in self._past.items()}
        return self.write([BEGIN], nothing | {"encoder_hidden_states": heard}, is_first=True)

    def write(self, tokens: Sequence[int], kept: dict[str, Array], is_first: bool) -> OnnxWriting:
        """Write one more token in each row; `kept` is the network's state for each row."""
        import numpy

        heard = kept["encoder_hidden_states"]
        given: dict[str, Any] = {
            **kept,
            "input_ids": numpy.array(tokens, numpy.int64)[:, None],
            "use_cache_branch": numpy.array([not is_first]),
            # One element stands for the whole sound: of more, the decoder takes every 384th.
            "encoder_attention_mask": numpy.ones((len(heard), 1), numpy.int64),
        }
        found = dict(
            zip(self._given, self._decoder.run(None, {name: given[name] for name in self._wanted}), strict=True)
        )
        logits = found["logits"][:, -1].astype(numpy.float32)
        most = logits.max(axis=1, keepdims=True)
        odds = logits - most - numpy.log(numpy.exp(logits - most).sum(axis=1, keepdims=True))
        # The first token puts the sound into the cache, where it stays.
        now = {
            name: found[name.replace("past_key_values", "present")] if is_first or ".decoder." in name else kept[name]
            for name in self._past
        }
        return OnnxWriting(self, odds, {**now, "encoder_hidden_states": heard})

    def _measure_vocabulary(self) -> int:
        """Run the network once on a tenth of a second of silence; return its number of tokens."""
        return int(self.begin(bytes(3200)).extend([0], [BEGIN]).all_odds.shape[1])


class OnnxWriting(NamedTuple):
    """Some beginnings of texts for one sound, with the network's state for each: rows are beginnings."""

    network: OnnxNetwork
    all_odds: Array
    kept: dict[str, Array]

    def odds(self, row: int, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural logarithms of the probabilities of some next tokens."""
        found: list[float] = self.all_odds[row, list(tokens)].tolist()
        return found

    def likeliest(self, row: int) -> int:
        """Return the likeliest next token."""
        return int(self.all_odds[row].argmax())

    def extend(self, rows: Sequence[int], tokens: Sequence[int]) -> OnnxWriting:
        """Continue some of the beginnings, each with one more token."""
        chosen = list(rows)
        return self.network.write(tokens, {name: value[chosen] for name, value in self.kept.items()}, is_first=False)


def _check_runtime() -> None:
    try:
        import onnxruntime  # noqa: F401
    except ModuleNotFoundError as error:
        raise VoiceError(f"The recogniser 'moonshine' is not installed: {install_command('voice')}") from error
    except ImportError as error:
        raise VoiceError(f"The recogniser 'moonshine' does not start: {str(error)[:200]}.") from error


# The recogniser. It needs nothing but the standard library: on a desktop the network runs by ONNX Runtime, in a browser
# by the same library for JavaScript.


class PhraseRecogniser(StretchRecogniser):
    """Recognises the phrase that a network finds likeliest, with the share of such phrases that were right."""

    #: Whether the network was trained with the language of the vocabulary.
    _is_native = True

    def __init__(self, network: Network) -> None:
        super().__init__()
        self._network = network
        self._phrases: tuple[str, ...] = ()
        self._language = "en"
        self._parts: frozenset[Answer] = frozenset()
        self._graph: PhraseGraph | None = None
        #: Bare letters by number, each with what is added to its odds.
        self._letters: dict[int, float] = {}
        #: When segments with figures ended, by their beginnings, since the question.
        self._figures_ended: dict[float, float] = {}
        #: The surest answer at an end of the last near voice.
        self._surest = Recognised(())

    def open(self, vocabulary: Vocabulary) -> None:
        """Listen for a vocabulary from now on, and forget the sound so far; raises VoiceError for a wrong one."""
        self._figures_ended.clear()
        self._surest = Recognised(())
        super().open(vocabulary)

    def evidence(self, stretch: Stretch) -> tuple[str, Evidence] | None:
        """Return the likeliest phrase of a segment of speech with the evidence; None for no voice, or no phrase."""
        weighed = self._weigh(stretch)
        return None if weighed is None else self._choose(weighed, stretch)

    def is_doubtful(self, stretch: Stretch, phrase: str, evidence: Sequence[float]) -> bool:
        """Return whether the network would rather write something else; numbers and spelled words can be so."""
        is_exempt = _NUMBERS.issuperset(weighty_words(phrase)) or self._may_spell(stretch, phrase)
        return evidence[1] < _SURE_BOUND and not is_exempt

    def _learn(self, phrases: tuple[str, ...], language: str) -> None:
        self._phrases, self._language, self._parts = phrases, language, find_parts(phrases, language)
        self._graph = _draw_graph(self._network.tokens, phrases, language, self._is_native)
        self.may_spell = self._graph.may_spell
        self.favour_letters(read_letter_odds())

    def favour_letters(self, odds: Mapping[str, float]) -> None:
        """Set what is added to the odds of each bare letter: natural logarithms."""
        self._letters = {n: odds.get(phrase.lower(), 0.0) for n, phrase in enumerate(self._phrases) if len(phrase) == 1}

    def weigh_letters(self, stretch: Stretch) -> dict[str, float]:
        """Return the network's odds of bare letters for a segment of speech, natural logarithms."""
        weighed = self._weigh(stretch)
        odds = {} if weighed is None else weighed.phrases
        return {self._phrases[number].lower(): odds[number] for number in self._letters if number in odds}

    def _weigh(self, stretch: Stretch) -> Weighed | None:
        """Weigh the phrases for a segment of speech; None if it is not a voice."""
        return None if self._graph is None else weigh(self._network, self._graph, stretch.pcm)

    def _choose(self, weighed: Weighed, stretch: Stretch) -> tuple[str, Evidence] | None:
        if stretch.ended - stretch.began > _MAX_LETTER_S:
            words = {number: odds for number, odds in weighed.phrases.items() if number not in self._letters}
            weighed = weighed._replace(phrases=words)
        found = choose_phrase(weighed, self._phrases, self._language, self._letters)
        if found is None or is_too_long(weighed.text, found[0]) or is_nothing(weighed.text, found[0]):
            return None
        return found[0], found[1].set_clarity(measure_clarity(stretch.pcm))

    def _judge(self, stretch: Stretch) -> Recognised:
        weighed = self._weigh(stretch)
        found = self._judge_weighed(stretch, weighed)
        if stretch.is_near and weighed is not None:
            before, self._surest = self._surest, found
            if before.began == found.began and _is_surer(before, found, weighed.text):
                self._surest = before
            return self._surest
        return found

    def _judge_weighed(self, stretch: Stretch, weighed: Weighed | None) -> Recognised:
        found = None if weighed is None else self._choose(weighed, stretch)
        phrase, evidence = found or ("", None)
        text = weighed.text if weighed else ""
        if count_figures(text):
            earliest = stretch.began - _PAUSE_IN_NUMBER_S
            self._figures_ended = {at: end for at, end in self._figures_ended.items() if end >= earliest}
            self._figures_ended[stretch.began] = stretch.ended
        worth = read_calibration("moonshine", is_letter=len(phrase) == 1)
        bound = _SPELLING_BOUND if self._may_spell(stretch, phrase) else worth.bound
        if evidence is None or evidence.garbage < bound:
            return self._report_unknown(stretch, weighed)
        confidence = worth.probability(evidence)
        is_doubtful = self.is_doubtful(stretch, phrase, evidence) or self._may_be_others(stretch, phrase, text)
        if evidence.garbage < worth.bound or is_doubtful or self._is_part(stretch, phrase, text):
            confidence = min(confidence, ASKED)
        if self._may_be_pair(stretch, phrase, text):
            confidence = doubt(confidence, _LENGTH_DOUBT)
        phrase, confidence = self._compare(stretch, phrase, confidence)
        return report_phrase(stretch, phrase, doubt(confidence, _NEAR_DOUBT) if stretch.is_near else confidence)

    def _is_whole(self, stretch: Stretch) -> bool:
        heard = self._judge_once(stretch).hypotheses
        return any(
            found.confidence >= _WHOLE
            and len(found.phrase) > 1
            and weighty_words(found.phrase, self._language) not in self._parts
            for found in heard
        )

    def _report_unknown(self, stretch: Stretch, weighed: Weighed | None) -> Recognised:
        """Return that a segment was not a phrase; `weighed` is None if it was not a voice.

        If somebody has spelled a word, report its first letter without confidence. NAO answers that immediately, as it
        does not take a spelled word for a cough.
        """
        if weighed is None or is_sentence(weighed.text):
            return report_nothing(stretch, is_other_speech=True)
        letter = find_spelling(weighed.text) if self.may_spell else ""
        found = tuple(Hypothesis(phrase, 0.0) for phrase in self._phrases if phrase.lower() == letter)
        return report_nothing(stretch)._replace(hypotheses=found)

    def _may_spell(self, stretch: Stretch, phrase: str) -> bool:
        """Return whether a phrase is an alphabet word, or a word that took as long as its letters."""
        is_long = stretch.ended - stretch.began >= _SPELLED_S
        return self._is_word(phrase) and (phrase.lower() in ALPHABET_WORDS or is_long)

    def _is_word(self, phrase: str) -> bool:
        """Return whether a phrase is a word of a vocabulary of which words can be spelled."""
        return self.may_spell and len(phrase) > 1 and " " not in phrase

    def _may_be_others(self, stretch: Stretch, phrase: str, text: str) -> bool:
        """Return whether a word can be made of the talk of others.

        In 50 games next to a talker NAO believed 2.5 % of 921 answers wrongly; without this rule, 7.0 % in 34 of them.
        """
        has_others = stretch.is_near or (is_sentence(text) and not find_spelling(text))
        return has_others and self._is_word(phrase) and phrase.lower() not in ALPHABET_WORDS

    def _is_part(self, stretch: Stretch, phrase: str, text: str) -> bool:
        """Return whether an answer is a part of a longer number, such as a phone number: NAO only asks about it."""
        asked, before = count_figures(phrase), self._figures_ended.items()
        is_end = any(began < stretch.began <= ended + _PAUSE_IN_NUMBER_S for began, ended in before)
        is_short = stretch.ended - stretch.began <= _MAX_NUMBER_S
        return asked > 0 and (is_end or count_figures(text, is_short) > asked)

    def _may_be_pair(self, stretch: Stretch, phrase: str, text: str) -> bool:
        """Return whether a number took as long as two numbers."""
        more = phrase.count(" ")
        is_long = stretch.ended - stretch.began > _MAX_NUMBER_S + _MAX_MORE_S * more and len(text.split()) > 1 + more
        return is_long and weighty_words(phrase, self._language) in self._parts

    def _compare(self, stretch: Stretch, phrase: str, confidence: float) -> tuple[str, float]:
        """Return the phrase and its confidence after a second opinion; here there is none."""
        return phrase, confidence


def _is_surer(before: Recognised, found: Recognised, text: str) -> bool:
    """Return whether an answer was surer at an earlier end of a near voice: then others talked after it.

    The voice itself has gone on if the later text or answer has more figures.
    """
    sure, surer = (each.hypotheses[0].confidence if each.hypotheses else 0.0 for each in (found, before))
    figures = [count_figures(each.nearest) for each in (before, found)]
    return surer > sure and max(figures[1], count_figures(text, is_short=True)) <= figures[0]


@functools.lru_cache(maxsize=4)
def _draw_graph(tokens: Tokens, phrases: tuple[str, ...], language: str, is_native: bool) -> PhraseGraph:
    """Return the graph of some phrases; the graphs of the last questions are cached."""
    return PhraseGraph(tokens, phrases, (NATIVE_FORMS if is_native else FORMS)[language])
