"""The common part of recognisers: they take sound, and return phrases of a vocabulary, each with a confidence.

Sound is 16-bit PCM, mono, at `RATE` samples a second. A recogniser is opened with the vocabulary of each question.
"""

import abc
import importlib
import json
import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

from naosim.errors import NaosimError

from .endpoints import RATE, WIDTH, Endpoints, Stretch
from .names import BEST, LANGUAGES, PLAIN, RECOGNISERS

__all__ = ["BEST", "LANGUAGES", "PLAIN", "RATE", "RECOGNISERS", "WIDTH"]

#: A recogniser reports nothing with a lower confidence.
MIN_CONFIDENCE = 0.1
#: The confidence of an answer that NAO only asks about.
ASKED = 0.4
#: The most phrases of a vocabulary, and characters of a phrase.
_MAX_PHRASES, _MAX_CHARACTERS = 6000, 100
#: Words that make no other answer of a phrase, by language.
_LIGHT_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "a am and i i'm it's please the",
        "de": "und es sind ich glaube nur alle",
        "es": "y hay creo que solo las",
        "fr": "et il y en a je crois les toutes seule",
    }.items()
}
#: Forms of a number that are the same answer, in languages other than English.
_SAME_WORDS = {"einer": "eins", "zwo": "zwei", "una": "uno", "une": "un"}
_PUNCTUATION = '.,;:!?"()'
#: The English phrases that end NAO's sentence while it speaks; NAO sounds like "now". In Spanish too few were
#: understood: of "para" 3 of 6 synthetic voices, of "NAO, para" none.
STOPS = ("stop", "now stop")


class VoiceError(NaosimError):
    """Something to hear or to speak with is missing or cannot be used; the message is one sentence for people."""


class Vocabulary(NamedTuple):
    """The phrases to listen for, as in ALSpeechRecognition.setVocabulary, with its parameter Sensitivity (0 to 1).

    `language` is the code of the phrases' language; `LANGUAGES` has those that are understood well enough.
    """

    phrases: tuple[str, ...]
    spotting: bool = False
    sensitivity: float = 0.5
    language: str = "en"


class Hypothesis(NamedTuple):
    """A phrase of the vocabulary, and the share of such hypotheses that are right."""

    phrase: str
    confidence: float


class SpeechBegan(NamedTuple):
    """Somebody has begun to speak, this number of seconds after the recogniser was opened."""

    at: float


class Recognised(NamedTuple):
    """Somebody has stopped speaking: hypotheses, best first; empty if NAO did not understand.

    `is_other_speech`: it was certainly no answer, so NAO needs not react to it. `nearest` is the phrase that fits best,
    however badly; "" for none.
    """

    hypotheses: tuple[Hypothesis, ...]
    began: float = 0.0
    ended: float = 0.0
    nearest: str = ""
    is_other_speech: bool = False


Heard = SpeechBegan | Recognised


def is_stop(heard: Heard) -> bool:
    """Return whether somebody has told NAO to end its sentence: a recogniser that listens for `STOPS` is sure."""
    return isinstance(heard, Recognised) and any(found.confidence > ASKED for found in heard.hypotheses[:1])


class Recogniser(Protocol):
    """A recogniser as the code that carries sound knows it."""

    def open(self, vocabulary: Vocabulary) -> None:
        """Listen for a vocabulary from now on, and forget the sound so far; raises VoiceError for a wrong one."""

    def feed(self, pcm: bytes) -> list[Heard]:
        """Take in the next sound, of any length; return what was heard by its end."""

    def close(self) -> None:
        """Stop listening, and drop unfinished speech."""

    def forget_room(self) -> None:
        """Forget the sound of the room: the next sound is from another one."""


# The recognisers by name.


def open_recogniser(name: str) -> Recogniser:
    """Return a recogniser by name; raises VoiceError if it is unknown or not installed."""
    if name not in RECOGNISERS:
        raise VoiceError(f"There is no recogniser {name!r}; use one of {', '.join(RECOGNISERS)}.")
    found = RECOGNISERS[name]
    made: Recogniser = getattr(importlib.import_module(f"{__package__}.{found.module}"), found.kind)()
    return made


# Vocabularies and phrases.


def check_vocabulary(vocabulary: Vocabulary) -> Vocabulary:
    """Return a vocabulary without repetitions; raises VoiceError if it is empty or too large."""
    phrases = tuple(dict.fromkeys(phrase for phrase in vocabulary.phrases if phrase.strip()))
    if not phrases:
        raise VoiceError("The vocabulary is empty.")
    if len(phrases) > _MAX_PHRASES:
        raise VoiceError(f"The vocabulary has {len(phrases)} phrases; the limit is {_MAX_PHRASES}.")
    for phrase in phrases:
        if len(phrase) > _MAX_CHARACTERS:
            raise VoiceError(f"The phrase {phrase[:40]!r}... has more than {_MAX_CHARACTERS} characters.")
    if vocabulary.language not in _LIGHT_WORDS:
        raise VoiceError(f"The language {vocabulary.language!r} is not one of {', '.join(_LIGHT_WORDS)}.")
    if not 0 <= vocabulary.sensitivity <= 1:
        raise VoiceError(f"The sensitivity {vocabulary.sensitivity!r} is not from 0 to 1.")
    return vocabulary._replace(phrases=phrases)


def list_letters(phrases: Iterable[str]) -> list[str]:
    """Return the phrases that are a letter."""
    return [phrase for phrase in phrases if len(phrase) == 1]


def plain_words(phrase: str) -> list[str]:
    """Return the words of a phrase without punctuation, in the case in which they are written.

    >>> plain_words("That\u2019s right - HAL!")
    ["That's", 'right', '-', 'HAL']
    """
    words = [word.strip(_PUNCTUATION) for word in phrase.replace("\u2019", "'").split()]
    return [word for word in words if word]


def weighty_words(phrase: str, language: str = "en") -> tuple[str, ...]:
    """Return the words that tell an answer from others: "two one" and "two and one" are the same answer.

    >>> weighty_words("Two and one."), weighty_words("I am"), weighty_words("creo que una", "es")
    (('two', 'one'), ('i', 'am'), ('uno',))
    """
    words = [word.lower() for word in plain_words(phrase)]
    if language != "en":
        words = [_SAME_WORDS.get(word, word) for word in words]
    return tuple(word for word in words if word not in _LIGHT_WORDS[language]) or tuple(words)


# Recognisers that judge a whole segment of speech.


class StretchRecogniser(abc.ABC):
    """Finds segments of speech in the sound; subclasses recognise the words in one."""

    #: Whether a word of the vocabulary can be spelled.
    may_spell = False

    def __init__(self, is_voice: Callable[[bytes], bool] = lambda frame: True) -> None:
        self._vocabulary: Vocabulary | None = None
        self._learned: tuple[tuple[str, ...], str] = (), ""
        self._endpoints = Endpoints(is_voice, 0.5, self._is_whole, self._is_other_speech)
        #: The results in a silence that can be the end: judging takes as long as waiting for more.
        self._early: dict[Stretch, Recognised] = {}
        #: For answers, and while NAO speaks: its voice is not a talker's in the room.
        self._all_endpoints = self._endpoints, Endpoints(is_voice)

    def open(self, vocabulary: Vocabulary) -> None:
        """Listen for a vocabulary from now on, and forget the sound so far; raises VoiceError for a wrong one."""
        wanted = check_vocabulary(vocabulary)
        if (wanted.phrases, wanted.language) != self._learned:
            self._learned = (), ""
            self._learn(wanted.phrases, wanted.language)
            self._learned = wanted.phrases, wanted.language
        self._vocabulary = wanted
        self._early.clear()
        self._endpoints = self._all_endpoints[wanted.phrases == STOPS]
        self._endpoints.restart(wanted.sensitivity, self.may_spell)

    def feed(self, pcm: bytes) -> list[Heard]:
        """Take in the next sound, of any length; return what was heard by its end."""
        if self._vocabulary is None:
            return []
        heard = [
            self._judge_once(event) if isinstance(event, Stretch) else SpeechBegan(event)
            for event in self._endpoints.feed(pcm)
        ]
        if not self._endpoints.is_inside:
            self._early.clear()
        return heard

    def close(self) -> None:
        """Stop listening, and drop unfinished speech."""
        self._vocabulary = None

    def forget_room(self) -> None:
        """Forget the sound of the room: the next sound is from another one."""
        for each in self._all_endpoints:
            each.forget_room()

    def is_doubtful(self, stretch: Stretch, phrase: str, evidence: Sequence[float]) -> bool:
        """Return whether NAO only asks about a phrase with such evidence, at any confidence."""
        return False

    @abc.abstractmethod
    def _learn(self, phrases: tuple[str, ...], language: str) -> None:
        """Get ready to listen for some phrases; raises VoiceError for those that cannot be listened for."""

    @abc.abstractmethod
    def _judge(self, stretch: Stretch) -> Recognised:
        """Return the words in a segment of speech."""

    def _judge_once(self, stretch: Stretch) -> Recognised:
        if stretch not in self._early:
            self._early[stretch] = self._judge(stretch)
        return self._early[stretch]

    def _is_whole(self, stretch: Stretch) -> bool:
        """Judge a segment early; return whether it is certainly a whole answer."""
        self._judge_once(stretch)
        return False

    def _is_other_speech(self, stretch: Stretch) -> bool:
        return self._judge_once(stretch).is_other_speech


def report_nothing(stretch: Stretch, is_other_speech: bool = False) -> Recognised:
    """Return that a segment of speech was not a phrase."""
    return Recognised((), stretch.began, stretch.ended, is_other_speech=is_other_speech)


def report_phrase(stretch: Stretch, phrase: str, confidence: float) -> Recognised:
    """Return that a segment of speech was a phrase, or that it is too unsure to be one."""
    found = (Hypothesis(phrase, confidence),) if confidence >= MIN_CONFIDENCE else ()
    return Recognised(found, stretch.began, stretch.ended, phrase)


# The confidence of a recogniser: from its measurements to the share of such answers that are right.
#
# The logistic function and its coefficients were fitted to answers whose truth is known: each file says which.


class SphinxEvidence(NamedTuple):
    """The measurements of a decoding, scores as thousandths of their logarithm per frame.

    `margin` is the phrase's lead over the best other one of the vocabulary, `garbage` its lead over sounds in any
    order; `agreeing` is the share of views that chose it, `phones` the length of the phrase.
    `clarity` is the clarity of the speech above the noise of the room, from 0 to 1.
    """

    margin: float
    garbage: float
    agreeing: float
    phones: float
    clarity: float


class Logistic(NamedTuple):
    """A fitted logistic function of evidence: the weights, and the constant.

    `bound` is the lowest `garbage` of an answer: below it, somebody said something else. If there are fewer weights
    than evidence, the rest of it does not count.
    """

    weights: tuple[float, ...]
    bias: float
    bound: float = -math.inf

    def probability(self, evidence: Sequence[float]) -> float:
        """Return the probability that the phrase is right, rounded as a robot reports it."""
        total = self.bias + sum(weight * value for weight, value in zip(self.weights, evidence, strict=False))
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 3)


def doubt(confidence: float, share: float) -> float:
    """Return a confidence whose odds are only worth a share of themselves.

    >>> doubt(0.5, 0.36), doubt(0.9, 0.36), doubt(1.0, 0.36)
    (0.265, 0.764, 1.0)
    """
    odds = confidence * share
    return round(odds / (odds + 1 - confidence), 3)


#: By recogniser: the file of its coefficients, which were fitted to recordings of people.
CALIBRATION_FILES = {name: Path(__file__).with_name(f"{name}.json") for name in ("moonshine", "pocketsphinx")}


@cache
def read_calibration(name: str, is_letter: bool = False) -> Logistic:
    """Read the coefficients of a recogniser, for bare letters if it hears them: they sound alike."""
    found = json.loads(CALIBRATION_FILES[name].read_text(encoding="utf-8"))
    found = found.get("letters", found) if is_letter else found
    return Logistic(tuple(found["weights"]), found["bias"], found.get("bound", -math.inf))


@cache
def read_letter_odds() -> dict[str, float]:
    """Read what to add to Moonshine's odds of bare letters, natural logarithms: its network writes some too rarely."""
    letters = json.loads(CALIBRATION_FILES["moonshine"].read_text(encoding="utf-8"))["letters"]
    return dict(letters.get("odds", {}))
