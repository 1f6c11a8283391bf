"""Steps back: where "go back" and "I made a mistake" lead from each state, as the table of states names them."""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import game

from .counting import ask_score
from .giving_up import drop_letter
from .riddle_actions import drop_guessed_letter, drop_letters
from .roles import ROLES
from .sealed_note import leave_note
from .transitions import NOTHING_READ, ask, enter, go_to, lift, refuse, say_anew

MYPY = False
if MYPY:
    from typing import Callable, Dict

    from .mind import Mind
    from .talk import Talk

    Step = Callable[[Talk, Mind, str], Talk]


def go_back(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Go one question back."""
    return STEPS[talk.place.back.action](talk, mind, meaning)


def look_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Help the player to put a mistake right: count again, or read the answers, the latest first."""
    return STEPS[talk.place.mistake.action](lift(talk), mind, meaning)


def go_on(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Leave a question in between and take the game up again."""
    return ask(lift(talk).say("go on"), brief=True)


def _refuse(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say that there is nothing to take back."""
    return refuse(talk)


def _choose_role_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask again who guesses, unless the settings have decided it."""
    if talk.settings.role in ROLES:
        return _refuse(talk, mind, meaning)
    return go_to(talk.say("back"), "role", race=False)


# From the score


def _back_to_places(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask for the first half of the score again."""
    return go_to(talk.say("back"), "exact", exact=None)


def _leave_count(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Return from the first half of the score to the answer read aloud, or to the guess."""
    if talk.fixing is not None:
        return go_to(talk.say("back"), "doubtful", exact=None)
    return ask(enter(talk.say("back"), "word"), brief=True)


def _reopen_last_turn(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take back what came before NAO's guess: in a race the player's guess, else the last score."""
    if talk.riddle_is_open and len(talk.riddle.game.turns) > len(talk.game.turns):
        return _take_guess_back(talk, mind)
    if talk.game.turns:
        talk = talk._replace(game=talk.game.withdraw().undo())
        return ask_score(talk.say("back to", guess=talk.subject))
    return _refuse(talk, mind, meaning)


def _back_to_answer_before(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Return from an answer read aloud to the one read before it, else to where the reading began."""
    if talk.cleared:
        return go_to(talk.say("back"), "doubtful", fixing=talk.cleared[-1], cleared=talk.cleared[:-1])
    if talk.game.guess is not None and not mind.is_lost(talk.game):
        return ask(enter(talk.say("back"), "word", fixing=None), brief=True)
    talk = talk._replace(fixing=len(talk.game.turns) - 1)
    return ask_score(talk.say("back to", guess=talk.subject))


def _count_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Count the guess in question again from the start."""
    return ask_score(talk.say("count again"))


def _read_answers(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Read the answers aloud, the latest first."""
    if talk.game.turns and talk.fixing is None:
        return go_to(
            talk.say("look again"), "doubtful", exact=None, **dict(NOTHING_READ, fixing=len(talk.game.turns) - 1)
        )
    return _refuse(talk, mind, meaning)


def _read_answers_or_count_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Read the answers aloud; where there are none, or one is read already, ask for the count again."""
    if talk.game.turns and talk.fixing is None:
        return _read_answers(talk, mind, meaning)
    return ask(say_anew(talk, "count again"), brief=True)


# From the end of a game


def _back_from_spelling(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the last letter back; without letters, ask again whether the player will tell the word."""
    if talk.spelled:
        return drop_letter(talk, mind, meaning)
    return go_to(talk.say("back"), "tell")


def _back_from_telling(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Go on with a game that NAO takes for over: it was given up, or no word fits, and then NAO sorts out anew."""
    return enter(talk.say("go on"), "guess", game=talk.game.withdraw(), **NOTHING_READ)


def _reopen_game(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take back that the guess was the word."""
    if talk.game.outcome != game.SOLVED:
        return _refuse(talk, mind, meaning)
    return go_to(talk.say("not your word"), "word", game=talk.game.reopen())


# From the player's guess


def _back_from_players_guess(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Return from the player's guess to what came before: a letter, NAO's score in a race, the last guess, the role."""
    if talk.spelled:
        return drop_guessed_letter(talk, mind, meaning)
    mine, yours = talk.game.turns, talk.riddle.game.turns
    if talk.race and mine and len(mine) >= len(yours):
        talk = talk._replace(game=talk.game.undo())
        return ask_score(talk.say("back to", guess=talk.subject))
    if yours:
        return _take_guess_back(talk, mind)
    if talk.riddle.hints or talk.settings.role in ROLES:
        return _refuse(talk, mind, meaning)
    return go_to(talk.say("back"), "role", riddle=None, race=False)


def _take_guess_back(talk, mind):  # type: (Talk, Mind) -> Talk
    """Take back the player's last guess, and NAO's open guess with it."""
    guess, riddle = talk.riddle.game.turns[-1].guess, talk.riddle.take_back()
    talk = enter(talk, "your guess", riddle=riddle, game=talk.game.withdraw(), left=mind.left(riddle.game))
    return ask(talk.say("guess taken back", guess=guess), brief=True)


#: The steps that the columns `back` and `mistake` name.
STEPS = {
    "nothing to take back": _refuse,
    "go on": go_on,
    "go back": go_back,
    "look at the state beneath": look_again,
    "choose the role again": _choose_role_again,
    "back to the places": _back_to_places,
    "leave the count": _leave_count,
    "reopen the last turn": _reopen_last_turn,
    "back to the answer before": _back_to_answer_before,
    "count again": _count_again,
    "read the answers": _read_answers,
    "read the answers, or count again": _read_answers_or_count_again,
    "back from spelling": _back_from_spelling,
    "back from telling": _back_from_telling,
    "reopen the game": _reopen_game,
    "back from the player's guess": _back_from_players_guess,
    "leave the note": leave_note,
    "drop letters": drop_letters,
}  # type: Dict[str, Step]
