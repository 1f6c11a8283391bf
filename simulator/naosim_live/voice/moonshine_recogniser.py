"""Moonshine as a recogniser: the phrase that its network finds likeliest, with a confidence.

The confidence is the share of such phrases that were right. In a loud room pocketsphinx listens, too, if it is
installed: if it does not hear the same answer, Moonshine is less sure.
"""

from __future__ import annotations

import functools
from importlib.util import find_spec

from .analysis import clarity, is_voice
from .confidence import calibration
from .endpoints import Stretch
from .model import INSTALLED_BY, find_model
from .moonshine import Evidence, OnnxNetwork, choose_phrase, weigh
from .phrases import PhraseGraph
from .recogniser import (
    MIN_CONFIDENCE,
    PLAIN,
    RECOGNISERS,
    Recognised,
    StretchRecogniser,
    Vocabulary,
    VoiceError,
    report_nothing,
    report_phrase,
    weighty_words,
)
from .sphinx import SphinxRecogniser
from .spoken_forms import FORMS

#: Clearer speech needs no second opinion, and larger vocabularies get none.
_CLEAR, _MAX_COMPARED = 0.6, 400
#: The odds of an answer are worth this share of themselves if pocketsphinx does not hear it: of 273 such answers,
#: recordings of people and voices of espeak-ng, 35 % were right, where Moonshine alone had expected 49 %.
_DOUBT = 0.36
#: Below the first confidence Moonshine's answer gives way to one of which pocketsphinx is as sure as the second.
_UNSURE, _SURE = 0.5, 0.8


class MoonshineRecogniser(StretchRecogniser):
    """Recognises phrases with Moonshine; raises VoiceError if it or its model is missing."""

    def __init__(self) -> None:
        super().__init__()
        self._network = _read_network()
        has_second = all(map(find_spec, RECOGNISERS[PLAIN].libraries))
        self._second = SphinxRecogniser() if has_second else None
        self._phrases: tuple[str, ...] = ()
        self._graph: PhraseGraph | None = None

    def evidence(self, stretch: Stretch) -> tuple[str, Evidence] | None:
        """Return the likeliest phrase of a stretch of speech with the evidence; None for no voice, or no phrase."""
        if self._graph is None or not is_voice(stretch.pcm):
            return None
        return choose_phrase(weigh(self._network, self._graph, stretch.pcm), self._phrases)

    def _learn(self, phrases: tuple[str, ...]) -> None:
        if self._second is not None and len(phrases) <= _MAX_COMPARED:
            self._second.open(Vocabulary(phrases))
        self._phrases = phrases
        self._graph = _draw_graph(self._network, phrases)
        self.may_spell = self._graph.may_spell

    def _judge(self, stretch: Stretch) -> Recognised:
        found = self.evidence(stretch)
        if found is None:
            return report_nothing(stretch, is_other_speech=True)
        phrase, evidence = found
        worth = calibration("moonshine")
        if evidence.garbage < worth.bound:
            return report_nothing(stretch, is_other_speech=True)
        confidence = worth.probability(evidence)
        if self._is_doubtful(stretch, phrase):
            confidence = doubt(confidence)
            if MIN_CONFIDENCE <= confidence < _UNSURE:
                phrase = self._find_surer(stretch) or phrase
        return report_phrase(stretch, phrase, confidence)

    def _is_doubtful(self, stretch: Stretch, phrase: str) -> bool:
        """Return whether pocketsphinx, in a loud room, hears another answer."""
        if self._second is None or len(self._phrases) > _MAX_COMPARED or clarity(stretch.pcm) > _CLEAR:
            return False
        return weighty_words(self._second.nearest(stretch)) != weighty_words(phrase)

    def _find_surer(self, stretch: Stretch) -> str:
        """Return what pocketsphinx is sure of, "" for nothing: NAO asks to confirm that one."""
        found = self._second.evidence(stretch) if self._second is not None else None
        return found[0] if found is not None and calibration("pocketsphinx").probability(found[1]) >= _SURE else ""


def doubt(confidence: float) -> float:
    """Return a confidence that another recogniser does not share.

    >>> doubt(0.5), doubt(0.9), doubt(1.0)
    (0.265, 0.764, 1.0)
    """
    odds = confidence * _DOUBT
    return round(odds / (odds + 1 - confidence), 3)


@functools.lru_cache(maxsize=4)
def _draw_graph(network: OnnxNetwork, phrases: tuple[str, ...]) -> PhraseGraph:
    """Return the graph of some phrases; those of the last questions are kept."""
    return PhraseGraph(network.tokens, phrases, FORMS["en"])


@functools.lru_cache(maxsize=1)
def _read_network() -> OnnxNetwork:
    """Return the model, which is read once; raises VoiceError if it is not there."""
    folder = find_model()
    if folder is None:
        raise VoiceError(f"The model of the recogniser 'moonshine' is missing: run {INSTALLED_BY}.")
    return OnnxNetwork(folder)
