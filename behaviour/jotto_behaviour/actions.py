"""What each action of the table does: from one talk and what was meant to the next talk. Nothing else happens here.

The moves of the game are in `guessing`, those at its end in `telling`, those of the other role in `riddling` and those
between the roles in `roles`; here are those at any moment, and the table.
"""
from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import game as games

from .explaining import say_why
from .giving_up import add_letter, ask_to_spell, check_word, drop_letter, give_up, leave_it, spell_again
from .guessing import ask_places, clear_turn, count_others, count_places, fix_turn, guess, rejoice, score, win
from .riddle_actions import (
    add_guessed_letter,
    choose,
    congratulate,
    drop_guessed_letter,
    drop_letters,
    hint,
    judge,
    spell_guess_again,
    step_back,
    take_guess,
    take_guess_back,
    take_spelled,
    tell_what_is_known,
)
from .roles import ROLES, be_the_breaker, be_the_maker, begin, change_roles, play_again, race, start_afresh, take_up
from .transitions import ask, enter, go_to, last_turns, lift, over, settled, subject_words

MYPY = False
if MYPY:
    from typing import Callable, Dict

    from .mind import Mind
    from .talk import Talk

    Action = Callable[[Talk, Mind, str], Talk]

#: After these alone there is no question to repeat.
ASKING_NOTHING = ("take your time", "spell, next")


def go_on(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Take the flow up again."""
    return ask(lift(talk).say("go on"), shortly=True)


def ask_to_stop(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Make sure, except when stopping is what was asked about."""
    if talk.state in ("stopping", "paused"):
        return say_good_bye(talk, mind, meaning)
    return over(talk, "stopping")


def ask_to_give_up(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Make sure, when there is a game to give up."""
    about = talk.beneath or talk.state
    if about in ("word", "exact", "misplaced", "doubtful", "your guess", "your word?"):
        return over(talk, "giving up")
    return ask(lift(talk).say("nothing to give up"), shortly=True)


def say_good_bye(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Leave; the game is kept where it was, unless it is over."""
    return settled(enter(lift(talk), "bye"))


def part(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Say good-bye."""
    return enter(talk, "gone").say("goodbye, saved" if unfinished(talk) else "goodbye")


def unfinished(talk):
    # type: (Talk) -> bool
    """Whether there is a game to go on with."""
    if talk.riddle is not None and talk.riddle.is_solved:
        return False
    if talk.race and talk.game.outcome is not None:
        # Given up: NAO only waits to hear the player's word.
        return False
    if talk.riddle_is_open and (talk.riddle.game.turns or talk.riddle.hints):
        return True
    return talk.game.outcome is None and bool(talk.game.turns or talk.game.guess)


def help_(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Explain what is wanted now, and ask again."""
    if talk.beneath is not None:
        return talk.say(talk.place.question + ", example")
    return ask(talk.say("help, " + talk.state, **subject_words(talk)), shortly=True)


def repeat(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Say the last thing NAO said again, or the question when that was said before; a guess is spelled slowly too."""
    said = tuple(line for line in talk.last if line.key not in ASKING_NOTHING + ("slowly",))
    talk = talk._replace(says=talk.says + said) if said else ask(talk, shortly=True)
    return talk.say("slowly", slowly=talk.game.guess) if talk.state == "word" else talk


def tell_scores(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Read the answers so far: those noted, or those NAO gave."""
    game = talk.played
    if not game.turns:
        return ask(talk.say("no guess yet" if talk.riddling else "no score yet"), shortly=True)
    return ask(talk.say("your guesses" if talk.riddling else "scores", turns=last_turns(game)), shortly=True)


def count_words(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Say how many words are left."""
    if talk.state == "again":
        return ask(talk.say("it is over"), shortly=True)
    left = mind.left(talk.played)
    key = {0: "no word left", 1: "one word left"}.get(left, "words left")
    if talk.riddling:
        # At least NAO's own word fits, be it taken out of the list meanwhile.
        key = "words would fit" if left > 1 else "one word would fit"
    return ask(talk._replace(left=left).say(key, count=left), shortly=True)


def wait(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Give the player time: the count of silences starts anew."""
    return talk._replace(silences=0, misses=0, doubt=None).say("take your time")


def look_again(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The player made a mistake: count again at once, or read the answers, the latest first."""
    if talk.state in ("stopping", "giving up"):
        return go_on(talk, mind, meaning)
    talk = lift(talk)
    if talk.state in ("misplaced", "doubtful"):
        return go_to(talk.say("count again"), "exact", exact=None)
    if talk.state in ("spell", "spelled", "again", "ready", "your guess", "your word?"):
        return go_back(talk, mind, meaning)
    if talk.state == "tell" and talk.game.turns:
        return ask(talk.say("spelling tells"), shortly=True)
    if talk.state in ("word", "exact") and talk.game.turns and talk.fixing is None:
        return go_to(talk.say("look again"), "doubtful", fixing=len(talk.game.turns) - 1, cleared=(), exact=None)
    return ask(talk.say("count again" if talk.state == "exact" else "nothing to take back"), shortly=True)


def go_back(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """One question back."""
    if talk.beneath is not None:
        return go_on(talk, mind, meaning)
    if talk.state in ("your guess", "your word?"):
        return step_back(talk, mind)
    if talk.state == "ready" and talk.settings.get("role") not in ROLES:
        return go_to(talk.say("back"), "role", race=False)
    if talk.state == "misplaced":
        return go_to(talk.say("back"), "exact", exact=None)
    if talk.state == "exact" and talk.fixing is not None:
        return go_to(talk.say("back"), "doubtful", exact=None)
    if talk.state == "doubtful":
        return _back_from_sorting(talk, mind)
    if talk.state == "exact":
        return ask(enter(talk.say("back"), "word"), shortly=True)
    if talk.state == "word" and talk.riddle_is_open and len(talk.riddle.game.turns) > len(talk.game.turns):
        return take_guess_back(talk, mind)
    if talk.state == "word" and talk.game.turns:
        talk = talk._replace(game=talk.game.withdraw().undo())
        return go_to(talk.say("back to", guess=talk.subject), "exact", exact=None)
    if talk.state in ("spell", "spelled") and talk.spelled:
        return drop_letter(talk, mind, meaning)
    if talk.state == "spell":
        return go_to(talk.say("back"), "tell")
    if talk.state == "again" and talk.game.outcome == games.SOLVED:
        return go_to(talk.say("not your word"), "word", game=talk.game.reopen())
    return ask(talk.say("nothing to take back"), shortly=True)


def _back_from_sorting(talk, mind):
    # type: (Talk, Mind) -> Talk
    """From an answer read aloud to the one read before, else to where the reading began."""
    if talk.cleared:
        return go_to(talk.say("back"), "doubtful", fixing=talk.cleared[-1], cleared=talk.cleared[:-1])
    if talk.game.guess is not None and not mind.is_lost(talk.game):
        return ask(enter(talk.say("back"), "word", fixing=None), shortly=True)
    talk = talk._replace(fixing=len(talk.game.turns) - 1)
    return go_to(talk.say("back to", guess=talk.subject), "exact", exact=None)


ACTIONS = {
    "take up": take_up, "start afresh": start_afresh, "play again": play_again, "begin": begin, "guess": guess,
    "win": win, "rejoice": rejoice, "ask places": ask_places, "count places": count_places,
    "count others": count_others, "score": score, "clear turn": clear_turn, "fix turn": fix_turn,
    "ask to spell": ask_to_spell, "add letter": add_letter, "drop letter": drop_letter, "spell again": spell_again,
    "leave it": leave_it, "check word": check_word, "give up": give_up, "go on": go_on, "ask to stop": ask_to_stop,
    "ask to give up": ask_to_give_up, "say good-bye": say_good_bye, "part": part, "help": help_, "repeat": repeat,
    "tell scores": tell_scores, "count words": count_words, "wait": wait, "go back": go_back,
    "look again": look_again, "be the breaker": be_the_breaker, "be the maker": be_the_maker, "race": race,
    "change roles": change_roles, "choose": choose, "take guess": take_guess, "judge": judge,
    "congratulate": congratulate, "add guessed letter": add_guessed_letter,
    "drop guessed letter": drop_guessed_letter, "drop letters": drop_letters, "take spelled": take_spelled,
    "spell guess again": spell_guess_again, "hint": hint, "tell what is known": tell_what_is_known, "say why": say_why,
}  # type: Dict[str, Action]
