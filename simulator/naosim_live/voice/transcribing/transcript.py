"""What a recogniser of free speech has written down, taken for the phrase of the vocabulary that sounds most like it.

Such a recogniser knows no vocabulary: it writes "For." for "four" and "1 and 2" for "one and two". How alike phrases
sound is counted in phones, by the dictionary of pocketsphinx.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from .. import voicing
from ..confidence import calibration
from ..endpoints import Stretch
from ..errors import VoiceError
from ..grammar import weighty
from ..listening import StretchRecogniser, weighed
from ..pronunciation import LONGEST_WORD, Pronunciations, distance
from ..recogniser import Recognised, Vocabulary, believed, checked
from ..suppression import quieter
from ..views import clarity

#: What a likeness is worth, fitted by `python -m naosim_live.voice.calibrate`.
_RESEMBLANCE = "transcribing/resemblance.json"
#: Words of a transcript that are looked at: recognisers that hear noise repeat themselves without end.
MOST_WORDS = 24
#: Sounds of which one is longer by more than this share are nothing alike.
_MOST_LONGER = 0.6
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
WORD = re.compile(r"[a-z]+(?:'[a-z]+)*|[0-9]")

_Phones = tuple[str, ...]


class Resemblance(NamedTuple):
    """How much a transcript sounds like a phrase: 1 for the same, 0 for nothing in common.

    `margin` is by how much it sounds less like any phrase that means something else, `phones` the length of the
    phrase; `clarity` is how far the speech stands out of the room, from 0 to 1.
    """

    closeness: float
    margin: float
    phones: float
    clarity: float


class WrittenPhrases:
    """The phrases of a vocabulary, as what to look for in transcripts; raises VoiceError for a wrong vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._pronunciations = english()
        self._phones = {phrase: self._pronunciations.of(phrase) for phrase in checked(vocabulary).phrases}

    def found(self, text: str) -> tuple[str, Resemblance] | None:
        """Return the phrase that a transcript sounds most like, and how much; None for one without words."""
        return nearest(text, self._phones, self._pronunciations)

    def recognised(self, texts: Sequence[str]) -> Recognised:
        """Return what was heard, of a few transcripts of the same sound, the likeliest first."""
        found = [each for each in map(self.found, texts) if each is not None]
        if not found:
            return Recognised(())
        phrase, resemblance = max(found, key=lambda each: each[1].closeness)
        return Recognised(believed(phrase, calibration(_RESEMBLANCE).probability(resemblance)), nearest=phrase)


class TranscribingRecogniser(StretchRecogniser):
    """Recognises phrases by a `transcribe` that writes down a sound, with the phrases it may hold to help it."""

    def __init__(self, transcribe: Callable[[bytes, Sequence[str]], str]) -> None:
        super().__init__()
        self._transcribe = transcribe
        self._written: WrittenPhrases | None = None

    def evidence(self, stretch: Stretch) -> tuple[str, Resemblance] | None:
        """Measure a stretch of speech: the phrase that it sounds like, and how much; None for no voice, or no words."""
        if self._written is None or not voicing.is_voice(stretch.pcm):
            return None
        found = self._written.found(self._transcribe(quieter(stretch.pcm, stretch.room), self._learned))
        return found and (found[0], found[1]._replace(clarity=clarity(stretch.pcm)))

    def _learn(self, phrases: tuple[str, ...]) -> None:
        self._written = WrittenPhrases(Vocabulary(phrases))

    def _judge(self, stretch: Stretch) -> Recognised:
        return weighed(stretch, self.evidence(stretch), calibration(_RESEMBLANCE))


def nearest(
    text: str, phrases: Mapping[str, _Phones], pronunciations: Pronunciations
) -> tuple[str, Resemblance] | None:
    """Return the phrase that a transcript sounds most like, and how much; None for a transcript without words.

    >>> sounds = Pronunciations({"for": "F AO R", "four": "F AO R", "five": "F AY V"}.get)
    >>> nearest("For!", {word: sounds.of(word) for word in ("four", "five")}, sounds)
    ('four', Resemblance(closeness=1.0, margin=0.667, phones=3.0, clarity=1.0))
    """
    words = spoken_words(text)
    if not words or not phrases:
        return None
    # "Zero zero" is an answer, and recognisers write "Yes. Yes." where there was one yes.
    sayings = dict.fromkeys([tuple(words), tuple(once(words))])
    return max(
        (_nearest(pronunciations.of(" ".join(saying)), phrases) for saying in sayings),
        key=lambda found: found[1].closeness,
    )


def _nearest(said: _Phones, phrases: Mapping[str, _Phones]) -> tuple[str, Resemblance]:
    alike = {phrase: _likeness(said, phones) for phrase, phones in phrases.items()}
    best = max(alike, key=alike.__getitem__)
    meant = weighty(best.lower())
    rival = max((close for phrase, close in alike.items() if weighty(phrase.lower()) != meant), default=0.0)
    return best, Resemblance(round(alike[best], 3), round(alike[best] - rival, 3), float(len(phrases[best])), 1.0)


def _likeness(said: _Phones, phones: _Phones) -> float:
    """Return 1 for the same sound, 0 for nothing in common; lengths that differ much are not looked at closely."""
    longest = max(len(said), len(phones))
    if abs(len(said) - len(phones)) > longest * _MOST_LONGER:
        return 0.0
    return 1 - distance(said, phones) / longest


def spoken_words(text: str) -> list[str]:
    """Return the words of a transcript as they are said.

    >>> spoken_words("1 and 2."), spoken_words("That\u2019s 12"), spoken_words("\u662f")
    (['one', 'and', 'two'], ["that's", 'one', 'two'], [])
    """
    return [
        _NUMBERS[int(word)] if word.isdigit() else word[:LONGEST_WORD].rstrip("'")
        for word in WORD.findall(text.lower().replace("\u2019", "'"))
    ][:MOST_WORDS]


def once(words: Sequence[str]) -> Sequence[str]:
    """Return words as they are said once, where they repeat themselves.

    >>> once(["yes", "yes", "yes"]), once(["one", "two", "one"])
    (['yes'], ['one', 'two', 'one'])
    """
    for period in range(1, len(words) // 2 + 1):
        if all(word == words[place % period] for place, word in enumerate(words)):
            return words[:period]
    return words


@cache
def english() -> Pronunciations:
    """Return how words sound, by pocketsphinx's dictionary; raises VoiceError where it is not installed.

    There is one, for the library keeps some bytes for ever for each word that is looked up.
    """
    try:
        import pocketsphinx
    except ImportError as error:
        raise VoiceError("The dictionary of pocketsphinx is not installed: pip install 'nao-jotto[voice]'.") from error
    decoder = pocketsphinx.Decoder(lm=None, loglevel="FATAL")
    return Pronunciations(decoder.lookup_word)
