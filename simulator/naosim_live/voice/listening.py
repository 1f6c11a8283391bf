"""What recognisers share that judge a whole stretch of speech: where it begins and ends, and when it is judged."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence

from .confidence import Logistic
from .endpoints import Endpoints, Stretch
from .recogniser import Heard, Recognised, SpeechBegan, Vocabulary, believed, checked


class StretchRecogniser(abc.ABC):
    """Finds stretches of speech in the sound, and leaves it to its children what was said."""

    def __init__(self, is_voice: Callable[[bytes], bool] = lambda frame: True) -> None:
        self._vocabulary: Vocabulary | None = None
        self._learned: tuple[str, ...] = ()
        self._endpoints = Endpoints(is_voice, may_end=self._judge_early)
        #: What was recognised in the silence in which the endpoints wait for more: judging takes as long as they wait.
        self._early: tuple[Stretch, Recognised] | None = None

    def open(self, vocabulary: Vocabulary) -> None:
        """Listen for a vocabulary from now on, and forget the sound so far; raises VoiceError for a wrong one."""
        wanted = checked(vocabulary)
        if wanted.phrases != self._learned:
            self._learned = ()
            self._learn(wanted.phrases)
            self._learned = wanted.phrases
        self._vocabulary, self._early = wanted, None
        self._endpoints.restart(wanted.sensitivity)

    def feed(self, pcm: bytes) -> list[Heard]:
        """Take in the next sound, of any length; return what was heard by its end."""
        if self._vocabulary is None:
            return []
        return [
            self._judged(event) if isinstance(event, Stretch) else SpeechBegan(event)
            for event in self._endpoints.feed(pcm)
        ]

    def close(self) -> None:
        """Stop listening, and drop what is being said."""
        self._vocabulary = None

    def forget_room(self) -> None:
        """Forget how the room sounds: what is heard next is in another one."""
        self._endpoints.forget_room()

    @abc.abstractmethod
    def _learn(self, phrases: tuple[str, ...]) -> None:
        """Get ready to listen for some phrases; raises VoiceError for those that cannot be listened for."""

    @abc.abstractmethod
    def _judge(self, stretch: Stretch) -> Recognised:
        """Return what was said in a stretch of speech."""

    def _judge_early(self, stretch: Stretch) -> None:
        self._early = stretch, self._judge(stretch)

    def _judged(self, stretch: Stretch) -> Recognised:
        if self._early is not None and self._early[0] == stretch:
            return self._early[1]
        return self._judge(stretch)


def unheard(stretch: Stretch) -> Recognised:
    """Return that a stretch of speech was no phrase at all."""
    return Recognised((), stretch.began, stretch.ended)


def heard(stretch: Stretch, phrase: str, confidence: float) -> Recognised:
    """Return that a stretch of speech was a phrase, or that it is too unsure to be one."""
    return Recognised(believed(phrase, confidence), stretch.began, stretch.ended, phrase)


def weighed(stretch: Stretch, found: tuple[str, Sequence[float]] | None, calibration: Logistic) -> Recognised:
    """Return what was recognised: a phrase with what was measured of it, or None for no phrase at all."""
    return unheard(stretch) if found is None else heard(stretch, found[0], calibration.probability(found[1]))


def audible(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out bare letters, unless there is nothing else: a D sounds like an E."""
    return tuple(phrase for phrase in phrases if len(phrase) > 1) or phrases
