"""What any recogniser does: sound goes in, phrases of a closed vocabulary come out, each with a confidence.

Sound is 16-bit PCM, mono, at `RATE` samples a second. A recogniser is opened with the vocabulary of the moment and
opened again for the next one. What it hears that is no phrase of the vocabulary it refuses, by `Recognised(())`.
"""

from __future__ import annotations

import importlib
from typing import NamedTuple, Protocol

from .errors import VoiceError
from .names import RECOGNISERS

#: Samples a second, and bytes a sample.
RATE, WIDTH = 16_000, 2
#: Less sure than this is refused outright.
REFUSED_BELOW = 0.1
#: A vocabulary has at most so many phrases, and a phrase so many characters.
_MOST_PHRASES, _LONGEST_PHRASE = 6000, 100


class Vocabulary(NamedTuple):
    """What to listen for: as in ALSpeechRecognition.setVocabulary, with its parameter Sensitivity (0 to 1)."""

    phrases: tuple[str, ...]
    spotting: bool = False
    sensitivity: float = 0.5


class Hypothesis(NamedTuple):
    """A phrase of the vocabulary, and the share of such hypotheses that are right."""

    phrase: str
    confidence: float


def believed(phrase: str, confidence: float) -> tuple[Hypothesis, ...]:
    """Return a phrase with its confidence; nothing where that is too low."""
    return (Hypothesis(phrase, confidence),) if confidence >= REFUSED_BELOW else ()


class SpeechBegan(NamedTuple):
    """Somebody has begun to speak, so many seconds after the recogniser was opened."""

    at: float


class Recognised(NamedTuple):
    """Somebody has stopped speaking: hypotheses, best first; none when it was no phrase of the vocabulary.

    `nearest` is what a recogniser without any doubt would have said, for comparisons; empty for nothing at all.
    """

    hypotheses: tuple[Hypothesis, ...]
    began: float = 0.0
    ended: float = 0.0
    nearest: str = ""


Heard = SpeechBegan | Recognised


class Recogniser(Protocol):
    """The seam between what carries sound and what understands it."""

    def open(self, vocabulary: Vocabulary) -> None:
        """Listen for a vocabulary from now on, and forget the sound so far; raises VoiceError for a wrong one."""

    def feed(self, pcm: bytes) -> list[Heard]:
        """Take in the next sound, of any length; return what was heard by its end."""

    def close(self) -> None:
        """Stop listening, and drop what is being said."""

    def forget_room(self) -> None:
        """Forget how the room sounds: what is heard next is in another one."""


def recogniser(name: str = "pocketsphinx", model: str = "") -> Recogniser:
    """Return a recogniser by its name, with the folder of its model; raises VoiceError for one that is not there."""
    if name not in RECOGNISERS:
        raise VoiceError(f"There is no recogniser {name!r}; use one of {', '.join(RECOGNISERS)}.")
    module, kind = RECOGNISERS[name]
    made: Recogniser = getattr(importlib.import_module(f"{__package__}.{module}"), kind)(model)
    return made


def checked(vocabulary: Vocabulary) -> Vocabulary:
    """Return a vocabulary within bounds; raises VoiceError for an empty one, and one too large to listen for."""
    phrases = tuple(dict.fromkeys(phrase for phrase in vocabulary.phrases if phrase.strip()))
    if not phrases:
        raise VoiceError("The vocabulary is empty.")
    if len(phrases) > _MOST_PHRASES:
        raise VoiceError(f"The vocabulary has {len(phrases)} phrases; {_MOST_PHRASES} can be listened for.")
    for phrase in phrases:
        if len(phrase) > _LONGEST_PHRASE:
            raise VoiceError(f"The phrase {phrase[:40]!r}... has more than {_LONGEST_PHRASE} characters.")
    if not 0 <= vocabulary.sensitivity <= 1:
        raise VoiceError(f"The sensitivity {vocabulary.sensitivity!r} is not from 0 to 1.")
    return vocabulary._replace(phrases=phrases)
