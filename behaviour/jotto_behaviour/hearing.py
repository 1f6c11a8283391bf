"""From what the ears report to what was meant, and how sure NAO may be of it."""

from __future__ import absolute_import, division, print_function, unicode_literals

import re
from collections import namedtuple

from jotto.compat import as_text
from jotto.words import fold_word

from .states import ANY_WORD, LETTER_OR_WORD, SAID_WORDS

MYPY = False
if MYPY:
    from typing import Any, Container, Iterable, Optional, Sequence, Tuple

    from .lines import Lines
    from .mind import HearableWords, Mind
    from .talk import Doubt, Talk

SURE = "sure"
UNSURE = "unsure"
MISSED = "missed"
SILENCE = "silence"

#: After so many misses of a word its letters are asked for.
SPELLED_AFTER = 2

_SPOTTED = re.compile(r"<\.\.\.>")


class Hearing(namedtuple("Hearing", "certainty meaning phrase")):
    """What was understood: `certainty` is sure, unsure, missed or silence; `meaning` is None for the last two.

    `phrase` is what NAO says when it asks back.
    """

    __slots__ = ()


NOTHING = Hearing(MISSED, None, "")
QUIET = Hearing(SILENCE, None, "")


def sure(meaning):  # type: (str) -> Hearing
    """Return a certain hearing, as from a touch of the head."""
    return Hearing(SURE, meaning, meaning)


def best(value):  # type: (Any) -> Tuple[str, float]
    """Return the best phrase and its confidence from a `WordRecognized` value, even a damaged one.

    The value is [phrase, confidence, ...], best first; empty when nothing was recognised. Word spotting
    decorates the phrase.

    >>> phrase, confidence = best([" <...> go back <...>", 0.5])
    >>> str(phrase), confidence
    ('go back', 0.5)
    >>> best([])[1]
    0.0
    """
    try:
        phrase, confidence = _SPOTTED.sub(" ", as_text(value[0])), float(value[1])
    except (TypeError, ValueError, IndexError, KeyError, AttributeError, OverflowError):
        return "", 0.0
    return " ".join(phrase.split()), confidence


def understand(phrase, confidence, wanted, lines, words=(), certainty=None):
    # type: (str, float, Iterable[str], Lines, Container[str], Optional[Tuple[float, float]]) -> Hearing
    """Judge a phrase: below the lower bound it is missed, below the upper one unsure; `lines` have them if not given.

    What is said back is the plainest phrase of a meaning: "I understood that's right. Is that right?" helps nobody.
    Where any of `words` may be said, the word itself is the phrase; one that has a meaning too is an alphabet word.
    """
    meaning = lines.meaning(phrase, wanted) if phrase else None
    word = next((each for each in (phrase.lower(), fold_word(phrase, lines.alphabet)) if each in words), None)
    if ANY_WORD in wanted and word is not None:
        meaning = ANY_WORD if meaning is None else LETTER_OR_WORD
    reject, accept = certainty or (lines.certainty["reject"], lines.certainty["sure"])
    # Written this way round, a confidence that is no number is no confidence.
    if meaning is None or not confidence >= reject:
        return NOTHING
    said = word if meaning in SAID_WORDS and word is not None else lines.phrases([meaning])[0]
    return Hearing(SURE if confidence >= accept else UNSURE, meaning, said)


def words(wanted, mind, lines):  # type: (Sequence[str], Mind, Lines) -> Optional[HearableWords]
    """Return the words of the list that may be said where NAO listens for `wanted`; None for none.

    A phrase of another meaning is no such word, but an alphabet word is.
    """
    if ANY_WORD not in wanted:
        return None
    phrases = frozenset(phrase.lower() for phrase in lines.phrases(wanted) + lines.typed(wanted))
    return mind.hearable(phrases, phrases.intersection(name.lower() for name in lines.letters.values()))


def aloud(wanted, talk, mind, lines):  # type: (Sequence[str], Talk, Mind, Lines) -> Sequence[str]
    """List the words of the list that the recogniser listens for.

    Among thousands of words neither a yes is heard nor a letter: there are none once NAO asks back or has a letter, nor
    where NAO has asked to spell.
    """
    is_word = talk.doubt is None and not talk.spelled and not asks_to_spell(talk)
    known = words(wanted, mind, lines) if is_word else None
    if known is None:
        return ()
    gone = [phrase if meaning in SAID_WORDS else lines.letters.get(meaning) for meaning, phrase in denied(talk)]
    return [word for word in known.phrases if fold_word(word, lines.alphabet) not in gone] if gone else known.phrases


def undenied(wanted, talk, lines):  # type: (Sequence[str], Talk, Lines) -> Sequence[str]
    """Leave out what the player has just denied: ears that are wrong about somebody are so again and again."""
    gone = [lines.meaning(phrase, wanted) if meaning in SAID_WORDS else meaning for meaning, phrase in denied(talk)]
    return [meaning for meaning in wanted if meaning not in gone] if gone else wanted


def denied(talk):  # type: (Talk) -> Sequence[Doubt]
    """List what the player has denied to have said, to ears whose confidences were measured."""
    is_open = talk.settings.certainty is not None and talk.doubt is None
    return talk.denied if is_open else ()


def asks_to_spell(talk):  # type: (Talk) -> bool
    """Tell whether NAO asks for letters alone: ears whose confidences were measured have missed a word twice."""
    is_missed = talk.settings.certainty is not None and talk.misses >= SPELLED_AFTER  # type: bool
    return is_missed and talk.state == "your guess" and not talk.spelled
