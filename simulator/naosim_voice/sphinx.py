"""The recogniser pocketsphinx, with the model of American English that it brings, without a download.

A segment of speech is decoded with the grammar of the vocabulary, with that grammar less its best answer, and with
phones in any order. The two margins make the confidence, and refuse what is not a phrase of the vocabulary.
"""

import math
import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from naosim.errors import install_command

from . import recogniser
from .analysis import CROWD_DOUBT, is_crowd, is_voice, make_views
from .endpoints import Stretch
from .pronunciation import ForeignPronunciations, Pronunciations

#: Names of the searches in the decoder: of the vocabulary, of a large one, of its best answer, of the others, and of
#: any sounds.
_ANSWERS, _MANY, _ONLY, _OTHERS, _SOUNDS = "answers", "many", "only", "others", "sounds"
#: The decoder's odds of a noise between words: high, so that noise before and after an answer is not a word.
_FILLER = 1e-3
_FRAMES_A_SECOND, _MILLI = 100, 1000.0
#: The dictionary numbers the ways in which a word may sound; it has fewer than this.
_ENGLAND = 99
#: The most phones that people say in a second, and seconds of speech that are too faint to be noticed.
_MOST_PHONES, _FAINT = 16.0, 0.09
#: Seconds of the longest phrase of a number of phones: 50 of 51 words of people in three languages took less.
_PAUSES_S, _PHONE_S = 0.6, 0.1
#: The margin of a vocabulary's only phrase, and of the best of too many to compare.
_LONE = 3.0
#: The score of no path at all.
_NOTHING = -1.0
#: Larger vocabularies take a second to prepare: that is done once, whatever can be said in the time, and they are not
#: decoded a second time without their best answer, but with only phones.
_MOST_COMPARED = 400


class _Decoded(NamedTuple):
    """The best answer to a segment of speech, or "" for none, and its score."""

    words: str
    score: float


class SphinxRecogniser(recogniser.StretchRecogniser):
    """Recognises phrases with pocketsphinx; raises VoiceError if it is not installed."""

    def __init__(self) -> None:
        pocketsphinx = _module()
        options: dict[str, Any] = {"lm": None, "loglevel": "FATAL", "fillprob": _FILLER, "bestpath": False}
        self._decoder = pocketsphinx.Decoder(**options)
        super().__init__(pocketsphinx.Vad(pocketsphinx.Vad.LOOSE, recogniser.RATE, 0.03).is_speech)
        self.pronunciations = Pronunciations(self._decoder.lookup_word)
        self._sounded, self._language = self.pronunciations, "en"
        self._added: set[str] = set()
        self._phrases: dict[str, str] = {}
        #: Their numbers of phones, those that the decoder knows as answers, and those of the large vocabulary before.
        self._phones: dict[str, int] = {}
        self._decoded: list[str] = []
        self._many: list[str] = []
        self._decoder.add_allphone_file(_SOUNDS, None)

    def _learn(self, phrases: tuple[str, ...], language: str) -> None:
        self._language = language
        self._sounded = self.pronunciations if language == "en" else ForeignPronunciations(language)
        # The first of phrases that sound the same, such as "x-ray" and "X-ray", is reported.
        words = {" ".join(self._sounded.words(phrase)): phrase for phrase in _list_audible(phrases)[::-1]}
        self._know(words)
        self._phrases, self._decoded = words, []
        self._phones = {spoken: len(self._sounded.of(phrase)) for spoken, phrase in words.items()}
        if self._is_large and list(words) != self._many:
            self._many = list(words)
            self._search(_MANY, self._many)

    def _judge(self, stretch: Stretch) -> recogniser.Recognised:
        found = self.evidence(stretch)
        if found is None:
            return recogniser.report_nothing(stretch)
        confidence = recogniser.read_calibration("pocketsphinx").probability(found[1])
        confidence = recogniser.doubt(confidence, CROWD_DOUBT) if is_crowd(stretch.pcm) else confidence
        return recogniser.report_phrase(stretch, found[0], confidence)

    def evidence(self, stretch: Stretch) -> tuple[str, recogniser.SphinxEvidence] | None:
        """Measure a segment of speech: the phrase that fits best, and its fit; None for no voice, or no phrase."""
        sayable = self._sayable(stretch.ended - stretch.began + _FAINT)
        if not sayable or not is_voice(stretch.pcm):
            return None
        clarity, sounds = make_views(stretch.pcm, stretch.room)
        bests = [self._decode(_MANY if self._is_large else _ANSWERS, sound) for sound in sounds]
        ended = list(dict.fromkeys(best.words for best in bests if best.words in self._phrases))
        if not ended:
            return None
        scales = [_MILLI / (len(sound) / recogniser.WIDTH / recogniser.RATE * _FRAMES_A_SECOND) for sound in sounds]
        scores = self._scores(ended, sounds, bests)
        votes = Counter(self._answer(best.words) for best in bests)
        words = max(
            ended, key=lambda answer: (votes[self._answer(answer)], sum(map(operator.mul, scores[answer], scales)))
        )
        rivals = self._rivals(
            [phrase for phrase in sayable if self._answer(phrase) != self._answer(words)], words, sounds, bests, scores
        )
        margins = [
            _LONE if rival is None else max(-_LONE, min(_LONE, (own - rival) * scale))
            for own, rival, scale in zip(scores[words], rivals, scales, strict=True)
        ]
        agreeing = sum(self._answer(best.words) == self._answer(words) for best in bests) / len(bests)
        garbage = (scores[words][0] - self._decode(_SOUNDS, sounds[0]).score) * scales[0]
        phones = self._phones[words]
        return self._phrases[words], recogniser.SphinxEvidence(
            sum(margins) / len(margins), garbage, agreeing, float(phones), clarity
        )

    def count_phones(self, phrase: str) -> int:
        """Return the number of phones of a phrase of the vocabulary, 0 for none."""
        return len(self._sounded.of(phrase)) if phrase else 0

    def is_slow(self, stretch: Stretch, phrase: str) -> bool:
        """Return whether a segment is so long that more than a phrase was said."""
        return stretch.ended - stretch.began > _PAUSES_S + self.count_phones(phrase) * _PHONE_S

    def nearest(self, stretch: Stretch) -> str:
        """Decode a segment once, without a confidence; return the phrase that fits best, or "" for none."""
        if not self._sayable(stretch.ended - stretch.began + _FAINT):
            return ""
        sounds = make_views(stretch.pcm, stretch.room)[1]
        return self._phrases.get(self._decode(_MANY if self._is_large else _ANSWERS, sounds[0]).words, "")

    def compare(self, stretch: Stretch, phrase: str) -> tuple[float, float]:
        """Return the lead of a phrase in a segment over the best other one, and over sounds in any order.

        Both are in thousandths of the logarithm per frame, the first as the mean over the views.
        """
        words = next((words for words, each in self._phrases.items() if each == phrase), "")
        if words not in self._sayable(stretch.ended - stretch.began + _FAINT):
            return -_LONE, -_LONE
        sounds = make_views(stretch.pcm, stretch.room)[1]
        bests = [self._decode(_ANSWERS, sound) for sound in sounds]
        others = [best.words for best in bests if best.words and self._answer(best.words) != self._answer(words)]
        scores = self._scores(list(dict.fromkeys([words, *others])), sounds, [_Decoded("", _NOTHING)] * len(sounds))
        better, known = [], 0.0
        for place, sound in enumerate(sounds):
            scale = _MILLI / (len(sound) / recogniser.WIDTH / recogniser.RATE * _FRAMES_A_SECOND)
            own = scores[words][place]
            other = max((scores[each][place] for each in others), default=_NOTHING)
            better.append(0.0 if not others else _bound((own - other) * scale))
            if not place:
                known = _bound((own - self._decode(_SOUNDS, sound).score) * scale)
        return sum(better) / len(better), known

    def _answer(self, words: str) -> tuple[str, ...]:
        """Return the answer that the decoder's words are."""
        return recogniser.weighty_words(self._phrases.get(words, words), self._language)

    @property
    def _is_large(self) -> bool:
        return len(self._phrases) > _MOST_COMPARED

    def _sayable(self, seconds: float) -> list[str]:
        """List the phrases that can be said in this number of seconds, and decode these as answers from now."""
        if self._is_large:
            return self._many
        found = [words for words, phones in self._phones.items() if phones <= seconds * _MOST_PHONES]
        if found and found != self._decoded:
            self._search(_ANSWERS, found)
            self._decoded = found
        return found

    def _scores(
        self, answers: Sequence[str], sounds: Sequence[bytes], bests: Sequence[_Decoded]
    ) -> dict[str, list[float]]:
        """Score some answers in every view; the best of a view is scored already."""
        scores = {}
        for words in answers:
            if any(best.words != words for best in bests):
                self._search(_ONLY, [words])
            scores[words] = [
                best.score if best.words == words else self._decode(_ONLY, sound).score
                for sound, best in zip(sounds, bests, strict=True)
            ]
        return scores

    def _rivals(
        self,
        others: Sequence[str],
        words: str,
        sounds: Sequence[bytes],
        bests: Sequence[_Decoded],
        scores: dict[str, list[float]],
    ) -> list[float | None]:
        """Score the best other answer in every view; None if that is not known."""
        is_compared = 0 < len(others) <= _MOST_COMPARED
        if is_compared:
            self._search(_OTHERS, others)
        known = [of for answer, of in scores.items() if self._answer(answer) != self._answer(words)]
        rivals: list[float | None] = []
        for place, (sound, best) in enumerate(zip(sounds, bests, strict=True)):
            found = [of[place] for of in known]
            if self._answer(best.words) == self._answer(words) and is_compared:
                found.append(self._decode(_OTHERS, sound).score)
            rivals.append(max(found) if found else None)
        return rivals

    def _decode(self, search: str, sound: bytes) -> _Decoded:
        self._decoder.activate_search(search)
        self._decoder.start_utt()
        self._decoder.process_raw(sound, full_utt=True)
        self._decoder.end_utt()
        found = self._decoder.hyp()
        # The score is given as a probability, which is comparable only within one segment.
        return (
            _Decoded("", _NOTHING)
            if found is None or found.score <= 0
            else _Decoded(found.hypstr, math.log(found.score))
        )

    def _search(self, name: str, phrases: Sequence[str]) -> None:
        self._decoder.add_jsgf_string(name, write_grammar(name, [phrase.split() for phrase in phrases]))

    def _know(self, phrases: dict[str, str]) -> None:
        """Add the words that the dictionary lacks, by the rules of spelling, and the sounds of words in England."""
        for word in sorted({word for phrase in phrases for word in phrase.split()} - self._added):
            phones = self._sounded.phones(word)
            if not self._sounded.is_known(word):
                self._decoder.add_word(word, " ".join(phones), True)
            other = self._sounded.variant(phones)
            if other not in ((), phones):
                self._decoder.add_word(f"{word}({_ENGLAND})", " ".join(other), True)
            self._added.add(word)


def _bound(margin: float) -> float:
    return max(-_LONE, min(_LONE, margin))


def _module() -> Any:
    try:
        import pocketsphinx
    except ImportError as error:
        raise recogniser.VoiceError(
            f"The recogniser 'pocketsphinx' is not installed: {install_command('voice')}"
        ) from error
    return pocketsphinx


def _list_audible(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out bare letters, unless there are only letters: to this recogniser a D sounds like an E."""
    return tuple(phrase for phrase in phrases if len(phrase) > 1) or phrases


def write_grammar(name: str, phrases: Iterable[Sequence[str]]) -> str:
    """Write a grammar in JSGF, the Java Speech Grammar Format, that accepts one of some phrases, each a list of words.

    >>> print(write_grammar("answers", [["yes"], ["go", "back"]]).splitlines()[-1])
    public <answers> = yes | go back;
    """
    return f"#JSGF V1.0;\ngrammar {name};\npublic <{name}> = {' | '.join(' '.join(words) for words in phrases)};\n"
