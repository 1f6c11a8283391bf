"""The recogniser that asks a network of Moonshine about phrases, with nothing but the standard library.

The network runs wherever it can: on a desktop by ONNX Runtime, in a browser by the same library for JavaScript.
"""

import functools

from .confidence import calibration
from .endpoints import Stretch, measure_clarity
from .moonshine import Evidence, Network, Weighed, choose_phrase, is_nothing, is_sentence, is_too_long, weigh
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
        self._language = "en"
        self._graph: PhraseGraph | None = None

    def evidence(self, stretch: Stretch) -> tuple[str, Evidence] | None:
        """Return the likeliest phrase of a stretch of speech with the evidence; None for no voice, or no phrase."""
        weighed = self._weigh(stretch)
        return None if weighed is None else self._choose(weighed, stretch)

    def _learn(self, phrases: tuple[str, ...], language: str) -> None:
        self._phrases, self._language = phrases, language
        self._graph = _draw_graph(self._network.tokens, phrases, language)
        self.may_spell = self._graph.may_spell

    def _weigh(self, stretch: Stretch) -> Weighed | None:
        """Weigh the phrases for a stretch of speech; None if it is no voice."""
        return None if self._graph is None else weigh(self._network, self._graph, stretch.pcm)

    def _choose(self, weighed: Weighed, stretch: Stretch) -> tuple[str, Evidence] | None:
        found = choose_phrase(weighed, self._phrases, self._language)
        if found is None or is_too_long(weighed.text, found[0]) or is_nothing(weighed.text, found[0]):
            return None
        return found[0], found[1].in_room(measure_clarity(stretch.pcm))

    def _judge(self, stretch: Stretch) -> Recognised:
        weighed = self._weigh(stretch)
        found = None if weighed is None else self._choose(weighed, stretch)
        phrase, evidence = found or ("", None)
        worth = calibration("moonshine", is_letter=len(phrase) == 1)
        if evidence is None or evidence.garbage < worth.bound:
            return report_nothing(stretch, is_other_speech=weighed is None or is_sentence(weighed.text))
        return report_phrase(stretch, *self._compare(stretch, phrase, worth.probability(evidence)))

    def _compare(self, stretch: Stretch, phrase: str, confidence: float) -> tuple[str, float]:
        """Return the phrase and its confidence after a second opinion; here there is none."""
        return phrase, confidence


@functools.lru_cache(maxsize=4)
def _draw_graph(tokens: Tokens, phrases: tuple[str, ...], language: str) -> PhraseGraph:
    """Return the graph of some phrases; those of the last questions are kept."""
    return PhraseGraph(tokens, phrases, FORMS[language])
