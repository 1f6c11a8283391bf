"""Moonshine as a recogniser: the phrase that its network finds likeliest, with a confidence.

The confidence is the share of such phrases that were right. In a loud room pocketsphinx listens, too, if it is
installed: if it does not hear the same answer, Moonshine is less sure. Both know only English. In another language the
phrases are spelled and sounded as if they were English, and the confidence comes from both recognisers in every room.
If a user has brought a network of that language (`brought_model`), it listens instead, without a second opinion.
"""

import functools
from importlib.util import find_spec

from . import recogniser
from .analysis import CROWD_DOUBT, is_crowd, is_voice
from .endpoints import Stretch, measure_clarity
from .model import INSTALLED_BY, find_model, is_native
from .moonshine import OnnxNetwork, PhraseRecogniser, Weighed, count_words, is_sentence, is_too_long
from .sphinx import SphinxRecogniser

#: Clearer speech needs no second opinion, and larger vocabularies get none.
_CLEAR, _MAX_COMPARED = 0.6, 400
#: The odds of an answer are worth this share of themselves if pocketsphinx does not hear it: of 273 such answers,
#: recordings of people and voices of espeak-ng, 35 % were right, when Moonshine by itself had expected 49 %.
_DOUBT = 0.36
#: Below the first confidence Moonshine's answer gives way to one of which pocketsphinx is as sure as the second.
_UNSURE, _SURE = 0.5, 0.8

# Other languages than English: bounds, chosen for recordings of people in Spanish. In a loud room NAO only asks.

#: The confidence of an answer that both recognisers hear, which is enough for two numbers; NAO asks about one that only
#: one of them hears.
BELIEVED = 0.9
#: For pocketsphinx: the allowed distance of Moonshine's phrase to the best other one, the same if NAO asks to confirm,
#: and the distance to sounds in any order; all in thousandths of a logarithm per frame.
_AGREES, _NEARLY_AGREES, _FITS = -0.15, -0.6, -1.45
#: For Moonshine: the allowed distance of the phrase to the text that is written freely, the same if NAO asks to
#: confirm, and the least distance to any other phrase; natural logarithms of probabilities.
_WRITTEN, _NEARLY_WRITTEN, _CLEAR_MARGIN = -1.5, -8.0, 2.0
#: Words that Moonshine writes for each of a phrase's at most ("Those who know." for *dos uno*).
_MAX_WRITTEN_WORDS = 2
#: The lowest confidence of pocketsphinx, and phones, of a phrase that NAO asks about although only pocketsphinx hears
#: it, such as a command: short ones sound like any noise.
_SURE_ALONE, _MIN_PHONES = 0.9, 7


class MoonshineRecogniser(PhraseRecogniser):
    """Recognises phrases with Moonshine; raises VoiceError if it or its model is missing."""

    def __init__(self) -> None:
        super().__init__(_read_network("en"))
        has_second = all(map(find_spec, recogniser.RECOGNISERS[recogniser.PLAIN].libraries))
        self._second = SphinxRecogniser() if has_second else None

    def _weigh(self, stretch: Stretch) -> Weighed | None:
        return super()._weigh(stretch) if is_voice(stretch.pcm) else None

    def _learn(self, phrases: tuple[str, ...], language: str) -> None:
        self._is_native = is_native(language)
        self._network = _read_network(language if self._is_native else "en")
        if not self._is_native:
            # A letter sounds like many others to ears of English. NAO's own phrases come before the words of a list.
            phrases = (tuple(phrase for phrase in phrases if len(phrase) > 1) or phrases)[:_MAX_COMPARED]
        is_compared = len(phrases) <= _MAX_COMPARED and (language == "en" or not self._is_native)
        if self._second is not None and is_compared:
            self._second.open(recogniser.Vocabulary(phrases, language=language))
        super()._learn(phrases, language)

    def _judge(self, stretch: Stretch) -> recogniser.Recognised:
        if self._is_native:
            return super()._judge(stretch)
        weighed = self._weigh(stretch)
        if weighed is None or self._second is None:
            return recogniser.report_nothing(stretch, is_other_speech=True)
        phrase, confidence = self._judge_foreign(stretch, weighed, self._second)
        if not phrase:
            return recogniser.report_nothing(stretch, is_other_speech=is_sentence(weighed.text))
        return recogniser.report_phrase(stretch, phrase, confidence)

    def _judge_foreign(self, stretch: Stretch, weighed: Weighed, second: SphinxRecogniser) -> tuple[str, float]:
        """Return an answer in another language than English; "" if neither recogniser is sure enough."""
        found, phrase, is_asked = self._choose(weighed, stretch), "", False
        if found is not None:
            phrase, (margin, garbage, clarity, _) = found
            agrees, fits = second.compare(stretch, phrase)
            is_heard_twice = agrees >= _AGREES and fits >= _FITS
            is_long = count_words(weighed.text) > _MAX_WRITTEN_WORDS * len(
                recogniser.weighty_words(phrase, self._language)
            )
            is_written = garbage >= _WRITTEN and not is_long
            is_clear = clarity > _CLEAR and not second.is_slow(stretch, phrase)
            if is_heard_twice and is_written and is_clear and margin >= _CLEAR_MARGIN:
                return phrase, BELIEVED
            is_asked = (is_heard_twice and garbage >= _NEARLY_WRITTEN) or (is_written and agrees >= _NEARLY_AGREES)
        surer = self._find_surer(stretch, _SURE_ALONE)
        if second.count_phones(surer) >= _MIN_PHONES and not is_too_long(weighed.text, surer):
            return surer, recogniser.ASKED
        return (phrase, recogniser.ASKED) if is_asked else ("", 0.0)

    def _compare(self, stretch: Stretch, phrase: str, confidence: float) -> tuple[str, float]:
        """Return the phrase and its confidence if it was one voice and pocketsphinx has listened, too."""
        if is_crowd(stretch.pcm):
            return phrase, recogniser.doubt(confidence, CROWD_DOUBT)
        if not self._is_doubtful(stretch, phrase):
            return phrase, confidence
        confidence = recogniser.doubt(confidence, _DOUBT)
        if recogniser.MIN_CONFIDENCE <= confidence < _UNSURE:
            phrase = self._find_surer(stretch) or phrase
        return phrase, confidence

    def _is_doubtful(self, stretch: Stretch, phrase: str) -> bool:
        """Return whether pocketsphinx, in a loud room, hears another answer."""
        is_compared = self._language == "en" and len(self._phrases) <= _MAX_COMPARED
        if self._second is None or not is_compared or measure_clarity(stretch.pcm) > _CLEAR:
            return False
        return recogniser.weighty_words(self._second.nearest(stretch)) != recogniser.weighty_words(phrase)

    def _find_surer(self, stretch: Stretch, sure: float = _SURE) -> str:
        """Return what pocketsphinx is sure of, "" for nothing: NAO asks to confirm that one."""
        found = self._second.evidence(stretch) if self._second is not None else None
        return (
            found[0]
            if found is not None and recogniser.read_calibration("pocketsphinx").probability(found[1]) >= sure
            else ""
        )


@functools.lru_cache(maxsize=1)
def _read_network(language: str) -> OnnxNetwork:
    """Return the model of a language, which is read once; raises VoiceError if it is not there."""
    folder = find_model(language)
    if folder is None:
        raise recogniser.VoiceError(f"The model of the recogniser 'moonshine' is missing: run '{INSTALLED_BY}'.")
    return OnnxNetwork(folder) if language == "en" else OnnxNetwork(folder, "Bring it again, or delete the folder.")
