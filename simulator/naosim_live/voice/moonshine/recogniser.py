"""The recogniser Moonshine: how likely the network finds each phrase of the vocabulary, and how likely anything else.

The network was trained with many people to write down what they say. Asked freely it writes "For." for "four"; here it
is asked about the phrases alone, which it tells apart well, also of voices that it does not understand otherwise.
pocketsphinx listens, too: where it does not hear the same answer, Moonshine is less sure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .. import pronunciation, voicing
from ..confidence import calibration
from ..endpoints import Stretch
from ..grammar import weighty
from ..listening import StretchRecogniser, audible, heard, unheard
from ..recogniser import REFUSED_BELOW, Recognised, Vocabulary
from ..sound import Clip
from ..sphinx import SphinxRecogniser
from ..suppression import quieter
from ..transcribing.transcript import once, spoken_words
from ..views import clarity
from . import phrases as written
from .network import network
from .phrases import PhraseTree
from .search import Weighed, added, weigh

#: How much likelier a phrase must be than others, at most, to count: logarithms.
_MOST_MARGIN, _MOST_GARBAGE = 12.0, 15.0
#: What likelihoods are worth, fitted by `python -m naosim_live.voice.calibrate`.
_LIKELIHOOD = "moonshine/likelihood.json"
#: The odds of an answer are worth this share of themselves where pocketsphinx does not hear it. Of 273 such answers,
#: recordings of people and voices of espeak-ng, 35 % were right, where Moonshine alone had expected 49 %; the others
#: were right as often as expected, or oftener (96 %, expected 90 %).
_DIFFERING = 0.36
#: Below the first confidence Moonshine's answer gives way to one of which pocketsphinx is as sure as the second.
_UNSURE, _SURE = 0.5, 0.8
#: The logarithm of the probability of a phrase that was not followed to its end.
_UNLIKELY = -30.0

#: Somebody who says more words than so many for each of the phrase's, and so many more, has said something else.
_MORE_FOR_EACH, _MORE_AT_LEAST = 2, 3

Answer = tuple[str, ...]


class _Likelihoods(NamedTuple):
    """What the network finds of a phrase, in logarithms of probabilities.

    `margin` is how much likelier it is than the best other answer, `garbage` how much less likely than what is written
    without a vocabulary; `agreeing` is the share of views that chose it, `words` the length of the phrase. `clarity` is
    how far the speech stands out of the room, from 0 to 1.
    """

    margin: float
    garbage: float
    agreeing: float
    words: float
    clarity: float


class MoonshineRecogniser(StretchRecogniser):
    """Recognises phrases with Moonshine; raises VoiceError where it or its model is missing."""

    def __init__(self, model: str = "") -> None:
        super().__init__()
        self._network = network(model)
        self._second = SphinxRecogniser()
        self._phrases: tuple[str, ...] = ()
        self._tree: PhraseTree | None = None

    def evidence(self, stretch: Stretch) -> tuple[str, _Likelihoods] | None:
        """Measure a stretch of speech: the phrase that fits best, and how well; None for no voice, or no phrase."""
        if self._tree is None or not voicing.is_voice(stretch.pcm):
            return None
        views = [
            weigh(self._network, self._tree, Clip(pcm).floats())
            for pcm in dict.fromkeys([stretch.pcm, quieter(stretch.pcm, stretch.room)])
        ]
        answers = [self._answers(view) for view in views]
        known = dict.fromkeys(answer for view in answers for answer in view)
        if not known:
            return None
        totals = {answer: sum(view.get(answer, _UNLIKELY) for view in answers) / len(views) for answer in known}
        best, rival = sorted(totals, key=totals.__getitem__, reverse=True)[:2] if len(totals) > 1 else (*totals, ())
        margin = totals[best] - totals.get(rival, _UNLIKELY)
        garbage = totals[best] - sum(view.free for view in views) / len(views)
        agreeing = sum(max(view, key=view.__getitem__, default=()) == best for view in answers) / len(views)
        phrase = self._phrase(best, views)
        words = len(phrase.split())
        if min(len(once(spoken_words(view.text))) for view in views) > _MORE_FOR_EACH * words + _MORE_AT_LEAST:
            return None
        return phrase, _Likelihoods(
            min(_MOST_MARGIN, margin),
            max(-_MOST_GARBAGE, min(0.0, garbage)),
            agreeing,
            float(words),
            clarity(stretch.pcm),
        )

    def _learn(self, phrases: tuple[str, ...]) -> None:
        self._second.open(Vocabulary(phrases))
        self._phrases = audible(phrases)
        self._tree = written.tree(self._network.tokens, self._phrases)

    def _judge(self, stretch: Stretch) -> Recognised:
        found = self.evidence(stretch)
        if found is None:
            return unheard(stretch)
        phrase, evidence = found
        confidence = calibration(_LIKELIHOOD).probability(evidence)
        if answer(self._second.nearest(stretch)) != answer(phrase):
            confidence = doubted(confidence)
            if REFUSED_BELOW <= confidence < _UNSURE:
                phrase = self._surer(stretch) or phrase
        return heard(stretch, phrase, confidence)

    def _surer(self, stretch: Stretch) -> str:
        """Return what pocketsphinx is sure of, "" for nothing: where one has to ask back, that is asked."""
        found = self._second.evidence(stretch)
        return found[0] if found is not None and calibration().probability(found[1]) >= _SURE else ""

    def _answer(self, number: int) -> Answer:
        return answer(self._phrases[number])

    def _answers(self, view: Weighed) -> dict[Answer, float]:
        """Add up the phrases that are the same answer, such as "two one" and "two and one"."""
        found: dict[Answer, float] = {}
        for number, odds in view.phrases.items():
            answer = self._answer(number)
            found[answer] = odds if answer not in found else added(found[answer], odds)
        return found

    def _phrase(self, answer: Answer, views: Sequence[Weighed]) -> str:
        """Return the likeliest of the phrases that are an answer."""
        odds: Counter[int] = Counter()
        for view in views:
            odds.update(
                {number: view.phrases[number] - _UNLIKELY for number in view.phrases if self._answer(number) == answer}
            )
        return self._phrases[max(odds, key=odds.__getitem__)]


def answer(phrase: str) -> Answer:
    """Return what tells a phrase from others, as it is said."""
    return weighty(" ".join(pronunciation.plain_words(phrase)).lower())


def doubted(confidence: float) -> float:
    """Return a confidence that another recogniser does not share.

    >>> doubted(0.5), doubted(0.9), doubted(1.0)
    (0.265, 0.764, 1.0)
    """
    odds = confidence * _DIFFERING
    return round(odds / (odds + 1 - confidence), 3)
