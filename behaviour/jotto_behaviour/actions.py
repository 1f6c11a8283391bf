"""What each action of the table of states does: from one talk and what was meant to the next talk, and nothing else.

The actions of the game are in `guessing`, those at its end in `giving_up`, those of the other role in `riddle_actions`,
those between the roles in `roles` and the steps back in `going_back`; here are those at any moment, and the table.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from .counting import ask_places, count_both, count_others, count_places, fix_turn, name_range, win
from .explaining import say_why
from .giving_up import add_letter, ask_to_spell, check_word, drop_letter, give_up, leave_it, spell_again
from .going_back import go_back, go_on, look_again
from .guessing import clear_turn, correct_turn, guess, rejoice, score
from .levels import change
from .riddle_actions import (
    add_guessed_letter,
    ask_which,
    choose,
    congratulate,
    drop_guessed_letter,
    drop_letters,
    hint,
    judge,
    spell_guess_again,
    spell_on,
    take_guess,
    take_it_said_twice,
    take_spelled,
    take_the_letter,
    tell_what_is_known,
)
from .roles import (
    be_the_breaker,
    be_the_maker,
    begin,
    change_language,
    change_roles,
    play_again,
    play_in_another_role,
    race,
    start_over,
    take_up,
)
from .sealed_note import add_noted_letter, ask_for_note, drop_noted_letter, leave_note
from .talk_state import GUESS, LEAVE_AT_ONCE
from .transitions import ask, enter, last_turns, lift, over, refuse, say_anew, settled, subject_words

MYPY = False
if MYPY:
    from typing import Callable, Dict

    from .mind import Mind
    from .talk import Talk

    Action = Callable[[Talk, Mind, str], Talk]

#: Lines that are not repeated: after what is no question there is nothing to repeat, and an apology is said once,
#: whatever the line of it: its key begins so.
ASKING_NOTHING = ("take your time", "spell, next")
APOLOGIES = ("sorry", "ask again", "touch instead")


def ask_to_stop(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask whether to stop a game in progress; else leave at once."""
    if talk.place.on_silence == LEAVE_AT_ONCE or not unfinished(talk):
        return say_good_bye(talk, mind, meaning)
    return over(talk, "stopping")


def ask_to_give_up(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask whether to give up, when there is a game to give up."""
    if talk.about.can_give_up:
        return over(talk, "giving up")
    talk = lift(talk)
    if talk.place.is_over:
        return refuse(talk)
    return ask(say_anew(talk, "leave that game" if unfinished(talk) else "nothing to give up"), brief=True)


def say_good_bye(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Leave, and keep the game where it was unless it is over."""
    return settled(enter(lift(talk), "bye"))


def part(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say good-bye."""
    return enter(talk, "gone").say("goodbye, saved" if unfinished(talk) else "goodbye")


def unfinished(talk):  # type: (Talk) -> bool
    """Tell whether there is a game to go on with."""
    if talk.riddle is not None and talk.riddle.is_solved:
        return False
    if talk.race and talk.game.outcome is not None:
        # Given up: NAO only waits to hear the player's word.
        return False
    if talk.riddle_is_open and (talk.riddle.game.turns or talk.riddle.hints):
        return True
    return talk.game.outcome is None and bool(talk.game.turns or talk.game.guess)


def help_(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Explain what NAO waits for, and ask again."""
    if talk.beneath is not None:
        return talk.say(talk.place.question + ", example")
    talk = talk.say("help, " + talk.state, **subject_words(talk))
    return ask(talk.say("check, ready") if talk.state == "ready" else talk, brief=True)


def explain_rules(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Explain the game with an example, and ask again."""
    return ask(say_anew(talk, "help, rules"), brief=True)


def repeat(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say again what NAO said last, or the question where that was a repetition; spell a guess slowly, too."""
    said = tuple(
        line
        for line in talk.last
        if line.key not in ASKING_NOTHING + ("slowly",) and not line.key.startswith(APOLOGIES)
    )
    talk = talk._replace(says=talk.says + said) if said else ask(talk, brief=True)
    return talk.say("slowly", slowly=talk.game.guess) if talk.place.spells == GUESS else talk


def tell_scores(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Read the answers so far: those NAO noted, or those NAO gave."""
    game = talk.played
    if not game.turns:
        return ask(say_anew(talk, "no guess yet" if talk.is_about_riddle else "no score yet"), brief=True)
    return ask(talk.say("your guesses" if talk.is_about_riddle else "scores", turns=last_turns(game)), brief=True)


def count_words(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say how many words are left."""
    if talk.place.is_over:
        return refuse(talk)
    left = mind.left(talk.played)
    key = {0: "no word left", 1: "one word left"}.get(left, "words left")
    if talk.is_about_riddle:
        # At least NAO's own word fits, be it taken out of the list meanwhile.
        key = "words would fit" if left > 1 else "one word would fit"
    return ask(say_anew(talk._replace(left=left), key, count=left), brief=True)


def wait(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Return the player time: the count of silences starts again."""
    return say_anew(talk._replace(silences=0, misses=0, doubt=None), "take your time")


def ask_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Put the question again for a player who has taken their time."""
    return ask(talk, brief=True)


ACTIONS = {
    "take up": take_up,
    "start over": start_over,
    "play again": play_again,
    "begin": begin,
    "guess": guess,
    "win": win,
    "rejoice": rejoice,
    "ask places": ask_places,
    "count places": count_places,
    "count others": count_others,
    "count both": count_both,
    "score": score,
    "clear turn": clear_turn,
    "fix turn": fix_turn,
    "correct turn": correct_turn,
    "explain the rules": explain_rules,
    "ask for the note": ask_for_note,
    "add noted letter": add_noted_letter,
    "drop noted letter": drop_noted_letter,
    "leave the note": leave_note,
    "ask to spell": ask_to_spell,
    "add letter": add_letter,
    "drop letter": drop_letter,
    "spell again": spell_again,
    "leave it": leave_it,
    "check word": check_word,
    "give up": give_up,
    "go on": go_on,
    "ask to stop": ask_to_stop,
    "ask to give up": ask_to_give_up,
    "say good-bye": say_good_bye,
    "part": part,
    "help": help_,
    "repeat": repeat,
    "tell scores": tell_scores,
    "count words": count_words,
    "wait": wait,
    "ask again": ask_again,
    "go back": go_back,
    "look again": look_again,
    "be the breaker": be_the_breaker,
    "be the maker": be_the_maker,
    "race": race,
    "change roles": change_roles,
    "choose": choose,
    "take guess": take_guess,
    "judge": judge,
    "congratulate": congratulate,
    "add guessed letter": add_guessed_letter,
    "drop guessed letter": drop_guessed_letter,
    "drop letters": drop_letters,
    "take spelled": take_spelled,
    "spell guess again": spell_guess_again,
    "hint": hint,
    "tell what is known": tell_what_is_known,
    "say why": say_why,
    "ask which": ask_which,
    "spell on": spell_on,
    "take it said twice": take_it_said_twice,
    "take the letter": take_the_letter,
    "name the range": name_range,
    "play in another role": play_in_another_role,
    "change the level": change,
    "change the language": change_language,
}  # type: Dict[str, Action]
