"""The recogniser that asks a network of Moonshine about phrases, with nothing but the standard library.

The network runs wherever it can: on a desktop by ONNX Runtime, in a browser by the same library for JavaScript.
"""

from __future__ import annotations

import functools

from .confidence import calibration
from .endpoints import Stretch
from .moonshine import Evidence, Network, choose_phrase, weigh
from .phrases import PhraseGraph
from .recogniser import Recognised, StretchRecogniser, report_nothing, report_phrase
from .spoken_forms import FORMS
from .tokens import Tokens


class PhraseRecogniser(StretchRecogniser):
    """Recognises the phrase that a network finds likeliest, with the share of such phrases that were right."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self._network = network
        self._phrases: tuple[str, ...] = ()
        self._graph: PhraseGraph | None = None

    def evidence(self, stretch: Stretch) -> tuple[str, Evidence] | None:
        """Return the likeliest phrase of a stretch of speech with the evidence; None for no phrase."""
        if self._graph is None:
            return None
        return choose_phrase(weigh(self._network, self._graph, stretch.pcm), self._phrases)

    def _learn(self, phrases: tuple[str, ...]) -> None:
        self._phrases = phrases
        self._graph = _draw_graph(self._network.tokens, phrases)

    def _judge(self, stretch: Stretch) -> Recognised:
        found = self.evidence(stretch)
        worth = calibration("moonshine")
        if found is None or found[1].garbage < worth.bound:
            return report_nothing(stretch, is_other_speech=True)
        phrase, evidence = found
        return report_phrase(stretch, *self._compare(stretch, phrase, worth.probability(evidence)))

    def _compare(self, stretch: Stretch, phrase: str, confidence: float) -> tuple[str, float]:
        """Return the phrase and its confidence after a second opinion; here there is none."""
        return phrase, confidence


@functools.lru_cache(maxsize=4)
def _draw_graph(tokens: Tokens, phrases: tuple[str, ...]) -> PhraseGraph:
    """Return the graph of some phrases; those of the last questions are kept."""
    return PhraseGraph(tokens, phrases, FORMS["en"])
