"""What NAO expects to hear of a guess: answers that fit many of the words left are likelier than those that fit few.

A recogniser's confidence says how likely a phrase is right if any other is as likely. NAO knows better: it believes a
likely answer sooner, and a surprising one later. Players err and have words of their own, so no answer is impossible.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto.compat import count_ones

from . import hearing
from .states import ANY_WORD, BEYOND, EVERY_LETTER, LANGUAGES, MY_WORD, NONE, NUMBERS, PAIRS, SAID_WORDS

MYPY = False
if MYPY:
    from typing import Container, Dict, Sequence, Tuple

    from jotto.feedback import Feedback
    from jotto.game import Game

    from .hearing import Hearing
    from .lines import Lines
    from .mind import Mind
    from .talk import Talk

    #: How many of the words left would have each answer.
    Shares = Dict[Feedback, int]

#: The share of answers that may be anything: of words that NAO does not know, and of slips.
ODD = 0.1
#: The least that an answer counts for a recogniser whose confidences were not measured: they are only a rough guide.
LEAST_UNMEASURED = 0.25
#: No answer counts for more than so many times as likely as another: NAO leans on what it hears.
MOST = 2.0
#: How far of the way to certainty NAO goes further for both numbers of a score: a wrong one costs more than a question.
CAREFUL = 0.4
#: And of a word: among thousands some sound alike, and like a letter's. What is typed is certain.
MOST_CAREFUL = 0.9
#: What is typed has this confidence. Nothing less is enough for a change of language, so that by voice it must be heard
#: twice: a player who does not speak the language NAO has changed to would not find the way back.
TYPED = 1.0
#: The least share of the player's guesses that fit what NAO has told; who tries letters out is believed as before.
FITTING = 0.5
#: Shares of the way from rejection to belief that such an answer, and a letter, need if confidences were not measured.
EASY_SHARE, LETTER_SHARE = 0.5, 0.75
#: Answers that need less confidence if it was not measured: NAO asks for them, and the player can take them back.
EASILY_BELIEVED = ("yes", "no", "ready", "go on")
#: Further answers where NAO asks back. Any other wish is rarer there than a misheard answer: yes may sound like race.
OTHERWISE = ("ready", "go on", "cancel", "back one")
#: The state in which the player spells a guess: a word of NAO's list.
SPELLED_GUESS = "your guess"
#: The questions about a guess.
ASKED = ("word", "both", "exact", "misplaced")


def understood(phrase, confidence, wanted, talk, mind, lines):
    # type: (str, float, Sequence[str], Talk, Mind, Lines) -> Hearing
    """Understand what the recogniser reports, and weigh it with what NAO expects."""
    words = hearing.words(wanted, mind, lines)
    known = words.words if words else ()  # type: Container[str]
    heard = hearing.understand(phrase, confidence, wanted, lines, known, talk.settings.certainty)
    return reconsidered(heard, confidence, talk, mind, (lines.certainty["reject"], lines.certainty["sure"]))


def reconsidered(heard, confidence, talk, mind, unmeasured):
    # type: (Hearing, float, Talk, Mind, Tuple[float, float]) -> Hearing
    """Return what was heard with NAO's own certainty.

    `unmeasured` are the bounds for rejection and for belief of a recogniser whose confidences were not measured.
    """
    if heard.meaning is None:
        return heard
    measured = talk.settings.certainty
    bound = needed(heard.meaning, measured) if measured else needed_unmeasured(heard.meaning, unmeasured)
    if heard.meaning == "yes" and talk.doubts_wish:
        # It may be misheard as well: it must be heard twice.
        bound = TYPED
    is_sure = weighed(confidence, heard, talk, mind.at(talk.level)) >= bound
    return heard._replace(certainty=hearing.SURE if is_sure else hearing.UNSURE)


def needed(meaning, certainty):  # type: (str, Tuple[float, float]) -> float
    """Return the confidence from which on NAO believes a meaning, by the bounds for what is refused and for certainty.

    >>> [round(needed(meaning, (0.1, 0.7)), 2) for meaning in ("yes", "2 1", "any word", "language fr")]
    [0.7, 0.82, 0.97, 1.0]
    """
    if meaning in LANGUAGES:
        return TYPED
    further = CAREFUL if meaning in PAIRS else MOST_CAREFUL if meaning == ANY_WORD else 0.0  # type: float
    return certainty[1] + (1 - certainty[1]) * further


def needed_unmeasured(meaning, certainty):  # type: (str, Tuple[float, float]) -> float
    """Return the same for a recogniser whose confidences were not measured, such as a robot's own.

    A letter lies between an answer that is easily believed and a score: the player hears it and can take it back.

    >>> [round(needed_unmeasured(meaning, (0.3, 0.55)), 3) for meaning in ("yes", "e", "2 1", "language fr")]
    [0.425, 0.488, 0.55, 1.0]
    """
    if meaning in LANGUAGES:
        return TYPED
    reject, sure = certainty
    share = EASY_SHARE if meaning in EASILY_BELIEVED else LETTER_SHARE if meaning in EVERY_LETTER else 1.0
    return reject + (sure - reject) * share


def weighed(confidence, heard, talk, mind):  # type: (float, Hearing, Talk, Mind) -> float
    """Return the confidence in an answer as NAO may have it: by Bayes' rule, from what it heard and what it expects.

    Nothing is expected of commands, and where NAO has an answer counted again.
    """
    expected = likelihood(heard, talk, mind)
    odds = confidence * (expected if talk.settings.certainty else max(expected, LEAST_UNMEASURED))
    return odds / (odds + 1 - confidence) if 0 < confidence < 1 else confidence


def likelihood(heard, talk, mind):  # type: (Hearing, Talk, Mind) -> float
    """Return how many times likelier an answer is than if all of its kind were equally likely; 1 where that is open."""
    game, meaning = talk.game, heard.meaning
    if talk.doubt is not None:
        return 1.0 if _answers(meaning, talk) else ODD
    if talk.state == SPELLED_GUESS and meaning in EVERY_LETTER:
        return _likelihood_of_letter(meaning, talk, mind)
    if meaning == ANY_WORD and talk.riddle is not None:
        return _likelihood_of_word(heard.phrase, talk.riddle.game, mind)
    if talk.state not in ASKED or talk.fixing is not None or game.guess is None:
        return 1.0
    if meaning == BEYOND:
        return ODD
    parts = mind.index.split(game.guess, mind.fitting(game))
    shares = {feedback: count_ones(part) for feedback, part in parts.items() if _is_open(feedback, talk)}
    kind, total = _kind(meaning), sum(shares.values())
    if not kind or not total:
        return 1.0
    fitting = sum(count for feedback, count in shares.items() if _says(meaning, feedback, talk))
    return min(MOST, kind * (1 - ODD) * fitting / total + ODD)


def _likelihood_of_letter(letter, talk, mind):  # type: (str, Talk, Mind) -> float
    """Return the same for the next letter of a guess: only a letter that begins no word of the list is a surprise."""
    words = [word for word in mind.wordlist.words if word.startswith(talk.spelled)]
    fitting = sum(word.startswith(talk.spelled + letter) for word in words)
    if not words or not fitting:
        return ODD if words else 1.0
    expected = len(mind.rules.alphabet) * (1 - ODD) * fitting / len(words) + ODD  # type: float
    return min(MOST, max(1.0, expected))


def _likelihood_of_word(word, game, mind):  # type: (str, Game, Mind) -> float
    """Return the same for a guess: a word misheard hardly ever fits what NAO has told, most guesses do."""
    fitting = mind.fitting(game)
    if not mind.index.bit(word) & fitting:
        return 1.0
    return min(MOST, FITTING * len(mind.index.words) / count_ones(fitting) + 1 - FITTING)


def _answers(meaning, talk):  # type: (str, Talk) -> bool
    """Tell whether it is an answer to "did you say": yes, no, the same again, or a number, letter or word instead."""
    is_letter = len(meaning) == 1
    return is_letter or bool(_kind(meaning)) or meaning in SAID_WORDS + OTHERWISE + (talk.doubt.meaning,)


def _is_open(feedback, talk):  # type: (Feedback, Talk) -> bool
    """Tell whether an answer is still possible: a word that was denied is not, nor another number than the one told."""
    if talk.state == "misplaced" and feedback.exact != talk.exact:
        return False
    return talk.state == "word" or bool(feedback != talk.game.rules.win)


def _kind(meaning):  # type: (str) -> int
    """Return how many answers of this kind there are, 0 for those that tell nothing of a guess."""
    for kind in (("yes", "no"), PAIRS, NUMBERS):
        if meaning in kind:
            return len(kind)
    return {NONE: len(NUMBERS), MY_WORD: 2}.get(meaning, 0)


def _says(meaning, feedback, talk):  # type: (str, Feedback, Talk) -> bool
    """Tell whether an answer says this of the guess."""
    if meaning in ("yes", MY_WORD, "no"):
        return bool(feedback == talk.game.rules.win) == (meaning != "no")
    if meaning in PAIRS or (meaning == NONE and talk.state in ("word", "both")):
        return "%d %d" % tuple(feedback) == (meaning if meaning != NONE else "0 0")
    number = feedback.misplaced if talk.state == "misplaced" else feedback.exact  # type: int
    return number == (0 if meaning == NONE else int(meaning))
