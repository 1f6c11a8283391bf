"""Steps that actions are made of: to enter a state, to put its question, to ask something in between."""

from __future__ import absolute_import, division, print_function, unicode_literals

from .states import COUNT, STATES
from .talk import Doubt

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Sequence

    from jotto.explain import Clash
    from jotto.game import Game

    from .talk import Talk

#: How many turns are read out at most when the player asks for the scores.
TURNS_READ_OUT = 5
#: No answer is looked at again, and none was found right.
NOTHING_READ = {"fixing": None, "cleared": (), "corrected": ()}  # type: Dict[str, Any]


def enter(talk, state, **changes):  # type: (Talk, str, **Any) -> Talk
    """Enter a state of the flow, leaving any question in between, and what was denied of the question before.

    A score that the sealed note speaks against is believed the second time only as long as NAO asks for it.
    """
    is_recounted = talk.recounted and STATES[state].touch == COUNT
    return _settle(talk)._replace(state=state, beneath=None, recounted=is_recounted)._replace(**changes)


def _settle(talk):  # type: (Talk) -> Talk
    """Forget what was misheard or not answered."""
    return talk._replace(doubt=None, silences=0, misses=0, denied=(), unsure="")


def ask(talk, brief=False):  # type: (Talk, bool) -> Talk
    """Put the question of the present state; a question in between has no brief form."""
    key = talk.place.question
    if talk.place.question_on is not None and talk.spelled:
        key = talk.place.question_on
    elif brief and not talk.place.is_between:
        # Saved games hold the keys of the lines said last: their names stay.
        key += ", shortly"
    return talk.say(key, **subject_words(talk))


def subject_words(talk):  # type: (Talk) -> Dict[str, Any]
    """Return what questions may name: the guess talked about, its score, the word spelled so far."""
    guess = talk.subject or ""
    words = {
        "guess": guess,
        "word": talk.spelled,
        "number": len(talk.spelled) + 1,
        "spelling": talk.spelled,
        "letters": talk.spelled,
        "exact": talk.exact or 0,
        "misplaced": 0,
    }  # type: Dict[str, Any]
    if talk.fixing is not None:
        words["exact"], words["misplaced"] = talk.game.turns[talk.fixing].feedback
    if "places counted" in talk.place.needs:
        words["exact"] = talk.exact
    return words


def say_anew(talk, key, **words):  # type: (Talk, str, **Any) -> Talk
    """Say what may be wanted again and again: its wording goes round with every answer, not with every question."""
    return talk.say(key, beat=talk.beat, **words)


def refuse(talk):  # type: (Talk) -> Talk
    """Say that there is nothing to take back, and ask again."""
    return ask(say_anew(talk, "it is over" if talk.place.is_over else "nothing to take back"), brief=True)


def go_to(talk, state, **changes):  # type: (Talk, str, **Any) -> Talk
    """Go to a listening state and put its question."""
    return ask(enter(talk, state, **changes))


def over(talk, state):  # type: (Talk, str) -> Talk
    """Ask something in between; `beneath` keeps where to go back."""
    beneath = talk.beneath if talk.place.is_between else talk.state
    return ask(_settle(talk)._replace(state=state, beneath=beneath))


def lift(talk):  # type: (Talk) -> Talk
    """Return from a question in between to the state beneath it."""
    return _settle(talk)._replace(state=talk.beneath or talk.state, beneath=None)


def last_turns(game):  # type: (Game) -> Any
    """List the latest guesses and answers, as many as people can listen to."""
    return [[turn.guess, list(turn.feedback)] for turn in game.turns[-TURNS_READ_OUT:]]


def name_slips(talk, clashes):  # type: (Talk, Sequence[Clash]) -> Talk
    """Say which answer contradicts the word; of several, how many there are."""
    if len(clashes) != 1:
        return talk.say("several would differ", number=len(clashes)) if clashes else talk
    clash = clashes[0]
    (exact, misplaced), (old_exact, old_misplaced) = clash.expected, clash.got
    return talk.say(
        "would have said",
        guess=clash.guess,
        exact=exact,
        misplaced=misplaced,
        old_exact=old_exact,
        old_misplaced=old_misplaced,
    )


def ended(talk):  # type: (Talk) -> List[Any]
    """List the games that are over: NAO's, and the riddle the player guesses at."""
    found = [talk.game] if talk.game.outcome is not None else []  # type: List[Any]
    if talk.riddle is not None and talk.riddle.game.outcome is not None:
        found.append(talk.riddle)
    return found


def settled(talk):  # type: (Talk) -> Talk
    """Note what is over, now that it cannot be taken back any more."""
    for played in ended(talk):
        talk = talk.note("finished", played)
    return talk


def take_letter_back(talk, state):  # type: (Talk, str) -> Talk
    """Take the last letter spelled back, and ask for it again in `state`; refuse if there is none."""
    if not talk.spelled:
        return refuse(talk)
    last = talk.spelled[-1]
    talk = enter(talk, state, spelled=talk.spelled[:-1], denied=(Doubt(last, last),))
    return talk.say("spell, back", number=len(talk.spelled) + 1)
