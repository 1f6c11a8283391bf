"""The meaning of a phrase, and its certainty from the confidence of the recogniser.

The confidence is weighed with NAO's expectations: answers that fit many of the words left are likelier than others.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import re
from collections import namedtuple

from jotto.compat import as_text, count_ones
from jotto.feedback import Feedback
from jotto.game import Game
from jotto.words import fold_word
from jotto_behaviour import states
from jotto_behaviour.lines import Lines
from jotto_behaviour.mind import HearableWords, Mind
from jotto_behaviour.talk import Doubt, Talk, list_vain_commands

MYPY = False
if MYPY:
    from typing import Any, Container, Dict, Iterable, Optional, Sequence, Tuple

SURE = "sure"
UNSURE = "unsure"
MISSED = "missed"
SILENCE = "silence"

#: Phrases of an unmeasured recogniser, such as a robot's own, at most; players spell other words. The largest
#: vocabularies of a NAO that anyone reports are lists of an ALDialog topic: 2,000 Japanese words, compiled in 20 s
#: (http://www.ibot.co.jp/wpibot/?p=1110), later 20,000 in over 3 minutes (http://ibot.co.jp/wpibot/?p=2125). They were
#: compiled once. NAO sets a vocabulary at each question: at 10 ms a phrase it waits 5 s for this one.
MAX_UNMEASURED_PHRASES = 500

_SPOTTING_MARKS = re.compile(r"<\.\.\.>")


class Hearing(namedtuple("Hearing", "certainty meaning phrase")):
    """The result of listening: `certainty` is sure, unsure, missed or silence; `meaning` is None for the last two.

    `phrase` is how NAO names it to confirm it.
    """

    __slots__ = ()


NOTHING_HEARD = Hearing(MISSED, None, "")
SILENCE_HEARD = Hearing(SILENCE, None, "")


def make_sure(meaning):  # type: (str) -> Hearing
    """Return a certain hearing, as from a touch of the head."""
    return Hearing(SURE, meaning, meaning)


def find_best_phrase(value):  # type: (Any) -> Tuple[str, float]
    """Return the best phrase and its confidence from a `WordRecognized` value, even a damaged one.

    The value is [phrase, confidence, ...], best first; empty if no phrase was recognised. Word spotting
    decorates the phrase.

    >>> phrase, confidence = find_best_phrase([" <...> go back <...>", 0.5])
    >>> str(phrase), confidence
    ('go back', 0.5)
    >>> find_best_phrase([])[1]
    0.0
    """
    try:
        phrase, confidence = _SPOTTING_MARKS.sub(" ", as_text(value[0])), float(value[1])
    except (TypeError, ValueError, IndexError, KeyError, AttributeError, OverflowError):
        return "", 0.0
    return " ".join(phrase.split()), confidence


def understand_phrase(phrase, confidence, wanted, lines, words=(), certainty=None):
    # type: (str, float, Iterable[str], Lines, Container[str], Optional[Tuple[float, float]]) -> Hearing
    """Return the hearing of a phrase: missed below the lower of two bounds, unsure below the upper one.

    NAO confirms a meaning by its plainest phrase, as "I understood that's right. Is that right?" would confuse.
    If any of `words` can be said, the word itself is the phrase; a word that also has a meaning is an alphabet word.
    """
    meaning = lines.find_meaning(phrase, wanted) if phrase else None
    word = next((each for each in (phrase.lower(), fold_word(phrase, lines.alphabet)) if each in words), None)
    if states.ANY_WORD in wanted and word is not None:
        meaning = states.ANY_WORD if meaning is None else states.LETTER_OR_WORD
    reject, accept = certainty or (lines.certainty["reject"], lines.certainty["sure"])
    # Written this way round, NaN counts as no confidence.
    if meaning is None or not confidence >= reject:
        return NOTHING_HEARD
    said = word if meaning in states.SAID_WORDS and word is not None else lines.list_phrases([meaning])[0]
    return Hearing(SURE if confidence >= accept else UNSURE, meaning, said)


def list_sayable_words(wanted, mind, lines):  # type: (Sequence[str], Mind, Lines) -> Optional[HearableWords]
    """Return the words of the list that can be said while NAO listens for `wanted`; None if there are none.

    Phrases of another meaning are left out, alphabet words are not.
    """
    if states.ANY_WORD not in wanted:
        return None
    phrases = frozenset(phrase.lower() for phrase in lines.list_phrases(wanted) + lines.list_typed_phrases(wanted))
    return mind.list_hearable_words(phrases, phrases.intersection(name.lower() for name in lines.letters.values()))


def list_hearable_words(wanted, talk, mind, lines):  # type: (Sequence[str], Talk, Mind, Lines) -> Sequence[str]
    """List the words of the list that the recogniser listens for.

    A recogniser hears neither a yes nor a letter among thousands of words. So the list is empty while NAO confirms
    something, has a letter, or has asked the player to spell. For a recogniser with room for only some words, the words
    that fit NAO's answers come first.
    """
    is_word = talk.doubt is None and not talk.spelled and not asks_to_spell(talk)
    known = list_sayable_words(wanted, mind, lines) if is_word else None
    if known is None:
        return ()
    gone = [
        phrase if meaning in states.SAID_WORDS else lines.letters.get(meaning) for meaning, phrase in _list_denied(talk)
    ]
    words = [word for word in known.phrases if fold_word(word, lines.alphabet) not in gone] if gone else known.phrases
    if talk.settings.is_unmeasured and talk.riddle is not None:
        fitting = frozenset(mind.index.list_words(mind.find_fitting(talk.riddle.game)))
        return sorted(words, key=lambda word: fold_word(word, lines.alphabet) not in fitting)
    return words


def drop_denied(wanted, talk, lines):  # type: (Sequence[str], Talk, Lines) -> Sequence[str]
    """Leave out meanings that the player has just denied, as a recogniser often mishears the same answer again."""
    gone = [
        lines.find_meaning(phrase, wanted) if meaning in states.SAID_WORDS else meaning
        for meaning, phrase in _list_denied(talk)
    ]
    return [meaning for meaning in wanted if meaning not in gone] if gone else wanted


def _list_denied(talk):  # type: (Talk) -> Sequence[Doubt]
    """List the denied meanings; none for a recogniser without measured confidences."""
    is_open = talk.settings.certainty is not None and talk.doubt is None
    return talk.denied if is_open else ()


def asks_to_spell(talk):  # type: (Talk) -> bool
    """Return whether NAO asks only for letters: it has missed a spoken word, or taken it for another one twice.

    NAO misses a word after it has refused several sounds, so the same word said once more is rarely understood.
    """
    is_missed = talk.settings.is_spoken and talk.misses > (1 if talk.denied else 0)  # type: bool
    return is_missed and talk.state == "your guess" and not talk.spelled


# NAO's expectations. A recogniser's confidence assumes that all phrases are equally likely. NAO knows better: it
# believes a likely answer sooner, and a surprising one later. Players make mistakes and have their own words, so no
# answer is impossible.

if MYPY:
    #: The number of words left by the answer that they would give.
    Shares = Dict[Feedback, int]

#: Share of answers that fit no word left: the player's own words, and mistakes (an estimate).
_ODD_SHARE = 0.1
#: Lowest likelihood of an answer if the confidences were not measured, as they are only a rough guide.
_MIN_UNMEASURED_LIKELIHOOD = 0.25
#: Highest likelihood of an answer, compared with equally likely ones: NAO relies mostly on its hearing.
_MAX_LIKELIHOOD = 2.0
#: The same of a command after a question about a guess, as players mostly answer (an estimate).
_COMMAND_LIKELIHOOD = 0.15
#: The same of a number or a score if NAO has not understood something since the question, or hears it instead of yes or
#: no. An answer that was misheard once is often misheard again: 7 of 17 wrong answers that Moonshine believed in babble
#: followed a sound that it had not understood.
_REPEATED_LIKELIHOOD = 0.25
#: Share of the way from the upper bound to 1 that a letter, both numbers of a score and a command that does nothing now
#: need: an error costs more than a question.
_CAUTION = 0.4
#: The same for a word: among thousands, some sound alike or like a letter's. Typed words are certain.
_WORD_CAUTION = 0.93
#: The confidence of typed text. A change of language needs it, so by voice NAO must hear it twice: a player who does
#: not speak the new language would not find the way back.
_TYPED = 1.0
#: Least share of the player's guesses that fit NAO's answers; below it the player seems to try letters out.
_FITTING = 0.5
#: Shares of the way from rejection to belief that an easily believed answer, and a letter, need if the confidences were
#: not measured.
_EASY_SHARE = 0.5
_LETTER_SHARE = 0.75
#: Answers that need less confidence if it was not measured: NAO asks for them, and the player can take them back.
_EASILY_BELIEVED = ("yes", "no", "ready", "go on")
#: Further answers while NAO confirms something. Other wishes are rarer then than a misheard yes, which may sound like
#: race.
_FURTHER_ANSWERS = ("ready", "go on", "cancel", "back one")
#: The state in which the player spells a guess: a word of the list.
_SPELLED_GUESS = "your guess"
#: A score or a part of it.
_SCORES = states.NUMBERS + states.PAIRS + (states.NONE, states.BEYOND)
#: The questions about a guess.
_GUESS_QUESTIONS = ("word", "both", "exact", "misplaced")


def understand_report(phrase, confidence, wanted, talk, mind, lines, is_repeated=False):
    # type: (str, float, Sequence[str], Talk, Mind, Lines, bool) -> Hearing
    """Return the hearing of a recogniser's report, weighed with NAO's expectations.

    With `is_repeated`, NAO has heard something since the question that it did not understand.
    """
    words = list_sayable_words(wanted, mind, lines)
    known = words.words if words else ()  # type: Container[str]
    heard = understand_phrase(phrase, confidence, wanted, lines, known, talk.settings.certainty)
    unmeasured = lines.certainty["reject"], lines.certainty["sure"]
    heard = weigh_hearing(heard, confidence, talk, mind, unmeasured, is_repeated or talk.misses > 0)
    is_hard = heard.meaning == states.ANY_WORD or (heard.meaning in states.EVERY_LETTER and len(phrase) == 1)
    is_confirmed = talk.doubt is not None and talk.doubt == (heard.meaning, heard.phrase)
    if is_hard and talk.settings.is_unmeasured and heard.certainty == SURE and not is_confirmed and confidence < _TYPED:
        # No measurement says whether a robot can distinguish hundreds of words, or D from E.
        return heard._replace(certainty=UNSURE)
    return heard


def weigh_hearing(heard, confidence, talk, mind, unmeasured, is_repeated=False):
    # type: (Hearing, float, Talk, Mind, Tuple[float, float], bool) -> Hearing
    """Return the hearing with its certainty weighed by NAO's expectations.

    `unmeasured` are the bounds for rejection and for belief of a recogniser whose confidences were not measured.
    """
    if heard.meaning is None:
        return heard
    measured = talk.settings.certainty
    bound = (
        get_needed_confidence(heard.meaning, measured)
        if measured
        else _get_needed_unmeasured(heard.meaning, unmeasured)
    )
    if heard.meaning in list_vain_commands(talk):
        # Probably a misheard answer, such as ready: NAO does not answer a question that the player did not ask.
        high = (measured or unmeasured)[1]
        bound = high + (1 - high) * _CAUTION
    if heard.meaning == "yes" and talk.doubts_wish:
        # NAO must hear it twice, as it might have misheard it.
        bound = _TYPED
    is_sure = _weigh_confidence(confidence, heard, talk, mind.choose_level(talk.level), is_repeated) >= bound
    return heard._replace(certainty=SURE if is_sure else UNSURE)


def get_needed_confidence(meaning, certainty):  # type: (str, Tuple[float, float]) -> float
    """Return the confidence that a meaning needs, from the bounds for rejection and for belief.

    >>> [round(get_needed_confidence(meaning, (0.1, 0.7)), 3) for meaning in ("yes", "2 1", "d", "any word")]
    [0.7, 0.82, 0.82, 0.979]
    """
    if meaning in states.LANGUAGES:
        return _TYPED
    further = 0.0
    if meaning in states.PAIRS or meaning in states.EVERY_LETTER:
        further = _CAUTION
    elif meaning == states.ANY_WORD:
        further = _WORD_CAUTION
    return certainty[1] + (1 - certainty[1]) * further


def _get_needed_unmeasured(meaning, certainty):  # type: (str, Tuple[float, float]) -> float
    """Return the same for a recogniser whose confidences were not measured, such as a robot's own.

    A letter is between an answer that is easily believed and a score: the player hears it and can take it back.

    >>> [round(_get_needed_unmeasured(meaning, (0.3, 0.55)), 3) for meaning in ("yes", "e", "2 1", "language fr")]
    [0.425, 0.488, 0.55, 1.0]
    """
    if meaning in states.LANGUAGES:
        return _TYPED
    reject, sure = certainty
    share = _EASY_SHARE if meaning in _EASILY_BELIEVED else _LETTER_SHARE if meaning in states.EVERY_LETTER else 1.0
    return reject + (sure - reject) * share


def _weigh_confidence(confidence, heard, talk, mind, is_repeated):
    # type: (float, Hearing, Talk, Mind, bool) -> float
    """Return the confidence in an answer by Bayes' rule, from the recogniser's confidence and NAO's expectations.

    NAO expects nothing while the player counts an answer again.
    """
    expected = _rate_likelihood(heard, talk, mind)
    if talk.settings.certainty is None:
        expected = max(expected, _MIN_UNMEASURED_LIKELIHOOD)
    elif heard.meaning in _SCORES and (is_repeated if talk.doubt is None else heard.meaning != talk.doubt.meaning):
        expected *= _REPEATED_LIKELIHOOD
    odds = confidence * expected
    return odds / (odds + 1 - confidence) if 0 < confidence < 1 else confidence


def _rate_likelihood(heard, talk, mind):  # type: (Hearing, Talk, Mind) -> float
    """Return the factor by which an answer is likelier than if all of its kind were equally likely; 1 if unknown."""
    game, meaning = talk.game, heard.meaning
    if talk.doubt is not None:
        return 1.0 if _answers_doubt(meaning, talk) else _ODD_SHARE
    if talk.state == _SPELLED_GUESS and meaning in states.EVERY_LETTER:
        return _rate_letter(meaning, talk, mind)
    if meaning == states.ANY_WORD and talk.riddle is not None:
        return _rate_word(heard.phrase, talk.riddle.game, mind)
    if talk.state not in _GUESS_QUESTIONS or talk.fixing is not None or game.guess is None:
        return 1.0
    if meaning == states.BEYOND:
        return _ODD_SHARE
    parts = mind.index.split(game.guess, mind.find_fitting(game))
    shares = {feedback: count_ones(part) for feedback, part in parts.items() if _is_open(feedback, talk)}
    kind, total = _count_kind(meaning), sum(shares.values())
    if not kind and talk.settings.certainty:
        return _COMMAND_LIKELIHOOD
    if not kind or not total:
        return 1.0
    fitting = sum(count for feedback, count in shares.items() if _says_score(meaning, feedback, talk))
    return min(_MAX_LIKELIHOOD, kind * (1 - _ODD_SHARE) * fitting / total + _ODD_SHARE)


def _rate_letter(letter, talk, mind):  # type: (str, Talk, Mind) -> float
    """Return the same for the next letter of a guess: only a letter that begins no word of the list is a surprise."""
    words = [word for word in mind.wordlist.words if word.startswith(talk.spelled)]
    fitting = sum(word.startswith(talk.spelled + letter) for word in words)
    if not words or not fitting:
        return _ODD_SHARE if words else 1.0
    expected = len(mind.rules.alphabet) * (1 - _ODD_SHARE) * fitting / len(words) + _ODD_SHARE  # type: float
    return min(_MAX_LIKELIHOOD, max(1.0, expected))


def _rate_word(word, game, mind):  # type: (str, Game, Mind) -> float
    """Return the same for a guess: most guesses fit NAO's answers, misheard words hardly ever do."""
    fitting = mind.find_fitting(game)
    if not mind.index.select_word(word) & fitting:
        return 1.0
    return min(_MAX_LIKELIHOOD, _FITTING * len(mind.index.words) / count_ones(fitting) + 1 - _FITTING)


def _answers_doubt(meaning, talk):  # type: (str, Talk) -> bool
    """Return whether a meaning answers "did you say": yes, no, the same again, or a number, letter or word instead."""
    is_letter = len(meaning) == 1
    return (
        is_letter
        or bool(_count_kind(meaning))
        or meaning in states.SAID_WORDS + _FURTHER_ANSWERS + (talk.doubt.meaning,)
    )


def _is_open(feedback, talk):  # type: (Feedback, Talk) -> bool
    """Return whether an answer is still possible: not a denied word, nor another first number than the one given."""
    if talk.state == "misplaced" and feedback.exact != talk.exact:
        return False
    return talk.state == "word" or bool(feedback != talk.game.rules.win)


def _count_kind(meaning):  # type: (str) -> int
    """Return the number of answers of this kind, 0 if they say nothing about a guess."""
    for kind in (("yes", "no"), states.PAIRS, states.NUMBERS):
        if meaning in kind:
            return len(kind)
    return {states.NONE: len(states.NUMBERS), states.MY_WORD: 2}.get(meaning, 0)


def _says_score(meaning, feedback, talk):  # type: (str, Feedback, Talk) -> bool
    """Return whether an answer says this of the guess."""
    if meaning in ("yes", states.MY_WORD, "no"):
        return bool(feedback == talk.game.rules.win) == (meaning != "no")
    if meaning in states.PAIRS or (meaning == states.NONE and talk.state in ("word", "both")):
        return "%d %d" % tuple(feedback) == (meaning if meaning != states.NONE else "0 0")
    number = feedback.misplaced if talk.state == "misplaced" else feedback.exact  # type: int
    return number == (0 if meaning == states.NONE else int(meaning))
