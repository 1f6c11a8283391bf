"""Steps that moves are made of: to enter a state, to put its question, to ask something in between."""
from __future__ import absolute_import, division, print_function, unicode_literals

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Sequence

    from jotto.explain import Clash
    from jotto.game import Game

    from .talk import Talk

#: How many turns are read out at most when the player asks for the scores.
TURNS_READ_OUT = 5


def enter(talk, state, **changes):
    # type: (Talk, str, **Any) -> Talk
    """Go to a state of the flow, leaving any question in between."""
    return talk._replace(state=state, beneath=None, doubt=None, silences=0, misses=0, **changes)


def ask(talk, shortly=False):
    # type: (Talk, bool) -> Talk
    """Put the question of the present state."""
    key = talk.place.question
    if talk.state == "your guess" and talk.spelled:
        key = "spell on"
    elif shortly and talk.state not in ("stopping", "giving up", "paused"):
        key += ", shortly"
    return talk.say(key, **subject_words(talk))


def subject_words(talk):
    # type: (Talk) -> Dict[str, Any]
    """What questions may name: the guess talked about, its score, the word spelled so far."""
    guess = talk.subject or ""
    words = {"guess": guess, "word": talk.spelled, "number": len(talk.spelled) + 1,
             "spelling": talk.spelled if talk.state in ("spelled", "your word?") else guess, "letters": talk.spelled,
             "exact": talk.exact or 0, "misplaced": 0}  # type: Dict[str, Any]
    if talk.fixing is not None:
        words["exact"], words["misplaced"] = talk.game.turns[talk.fixing].feedback
    if talk.state == "misplaced":
        words["exact"] = talk.exact
    return words


def go_to(talk, state, **changes):
    # type: (Talk, str, **Any) -> Talk
    """Go to a listening state and put its question."""
    return ask(enter(talk, state, **changes))


def over(talk, state):
    # type: (Talk, str) -> Talk
    """Ask something in between; `beneath` keeps where to go back."""
    beneath = talk.beneath if talk.place.box == "" else talk.state
    return ask(talk._replace(state=state, beneath=beneath, doubt=None, silences=0, misses=0))


def lift(talk):
    # type: (Talk) -> Talk
    """Leave a question in between and stand where it was put."""
    return talk._replace(state=talk.beneath or talk.state, beneath=None, doubt=None, silences=0, misses=0)


def last_turns(game):
    # type: (Game) -> Any
    """List the latest guesses and answers, as many as people can listen to."""
    return [[turn.guess, list(turn.feedback)] for turn in game.turns[-TURNS_READ_OUT:]]


def name_slips(talk, clashes):
    # type: (Talk, Sequence[Clash]) -> Talk
    """Say which answer does not go with the word; of several, how many."""
    if len(clashes) != 1:
        return talk.say("several would differ", number=len(clashes)) if clashes else talk
    clash = clashes[0]
    (exact, misplaced), (old_exact, old_misplaced) = clash.expected, clash.got
    return talk.say("would have said", guess=clash.guess, exact=exact, misplaced=misplaced,
                    old_exact=old_exact, old_misplaced=old_misplaced)


def ended(talk):
    # type: (Talk) -> List[Any]
    """List what is over: NAO's game, the player's riddle."""
    found = [talk.game] if talk.game.outcome is not None else []  # type: List[Any]
    if talk.riddle is not None and talk.riddle.game.outcome is not None:
        found.append(talk.riddle)
    return found


def settled(talk):
    # type: (Talk) -> Talk
    """Note what is over, now that nobody can take it back any more."""
    for played in ended(talk):
        talk = talk.note("finished", played)
    return talk
