"""What a person may answer now, for buttons: NAO's question by its kind, and each answer as the phrase NAO hears."""

from __future__ import annotations

from typing import NamedTuple

from jotto_behaviour import mind, states
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LEVELS
from jotto_behaviour.states import COMMANDS, COUNT, NONE, NUMBERS, PAIRS, READY, SPELL, STATES, YES_NO, TalkState
from jotto_behaviour.talk import Talk

#: Kinds of questions: answered by one of a few phrases, by two numbers or one, or by letters; or nothing is asked.
CHOICE, TWO_NUMBERS, ONE_NUMBER, WORD, NOTHING = "choice", "two numbers", "one number", "word", "nothing"
#: The answers that matter most, in this order; other answers of a question come after them.
FIRST = ("yes", "no", "ready", "you guess", "I guess", "race", states.MY_WORD, NONE, "go on", "hint", "know")
#: Answers that say once more what another one says, by how the question is asked. At "Is it ...?" no letter at all is a
#: no, and the next question has a control for it.
SPARED = {READY: ("yes", "no", "go on"), YES_NO: ("go on", "give up", NONE)}
#: Where NAO asks for another one of them than it usually does.
SPARED_IN = {"paused": ("yes", "ready")}
#: Numbers and words have controls of their own.
_TYPED = {*NUMBERS, *PAIRS, *states.EVERY_LETTER, *states.SAID_WORDS, *states.LANGUAGES, states.BEYOND, ""}


class Choice(NamedTuple):
    """An answer: what it means, and the phrase that says it."""

    meaning: str
    phrase: str

    @property
    def label(self) -> str:
        """Return the phrase as it stands on a button."""
        return self.phrase[:1].upper() + self.phrase[1:]


class Question(NamedTuple):
    """What NAO wants to hear: the kind, the answers to it, and what may be said at any moment."""

    kind: str
    answers: tuple[Choice, ...] = ()
    commands: tuple[Choice, ...] = ()


def question(talk: Talk) -> Question:
    """Return the question of this moment.

    >>> from jotto import game, rules
    >>> talk = Talk(game.start_game(rules.JOTTO, "en", "", 1).ask("ocean"), state="word")
    >>> question(talk).kind, [answer.label for answer in question(talk).answers]
    ('choice', ['Yes', 'No', "That's my word", 'Tell me why'])
    """
    if not talk.listens and talk.doubt is None:
        return Question(NOTHING)
    if talk.doubt is not None:
        return Question(CHOICE, _choices(talk, ("yes", "no")), _commands(talk, ("yes", "no")))
    place = STATES[talk.state]
    same = SPARED_IN.get(talk.state, SPARED.get(place.touch or "", ()))
    spared = _TYPED.union(same, () if _has_hint(talk) else ("hint",))
    own = [meaning for meaning in place.moves if meaning not in spared]
    return Question(_kind(place), _choices(talk, sorted(own, key=_order)), _commands(talk, own))


def _kind(place: TalkState) -> str:
    if place.touch == COUNT:
        return TWO_NUMBERS if place.simpler else ONE_NUMBER
    return WORD if place.touch == SPELL else CHOICE


def _has_hint(talk: Talk) -> bool:
    return bool(talk.riddle is not None and talk.riddle.hint() is not None)


def _order(meaning: str) -> tuple[int, int]:
    if meaning in FIRST:
        return FIRST.index(meaning), 0
    return len(FIRST), LEVELS.index(meaning) if meaning in LEVELS else len(LEVELS)


def _choices(talk: Talk, meanings: tuple[str, ...] | list[str]) -> tuple[Choice, ...]:
    spoken = mind.load_lines(talk.language)
    return tuple(Choice(meaning, str(spoken.phrases([meaning])[0])) for meaning in meanings)


def _commands(talk: Talk, own: tuple[str, ...] | list[str]) -> tuple[Choice, ...]:
    """List what may be said at any moment and means something here."""
    vain = {"score", "left"} if not talk.played.turns else set()
    if not talk.about.can_give_up:
        vain.add("give up")
    return _choices(talk, [meaning for meaning in COMMANDS if meaning not in own and meaning not in vain])


def number_phrase(number: int, language: str = DEFAULT_LANGUAGE) -> str:
    """Return what says one number."""
    return str(mind.load_lines(language).number(number))


def score_phrase(exact: int, misplaced: int, length: int, language: str = DEFAULT_LANGUAGE) -> str:
    """Return what says both numbers in one breath; all in place is said as the one number it is.

    >>> score_phrase(1, 2, 5), score_phrase(5, 0, 5)
    ('one and two', 'five')
    """
    if exact >= length:
        return number_phrase(exact, language)
    return str(mind.load_lines(language).phrases([f"{exact} {misplaced}"])[0])
