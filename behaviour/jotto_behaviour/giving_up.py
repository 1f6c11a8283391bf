"""Actions at the end of a game that NAO did not win: the player gives up, or tells the word by spelling it."""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import game as games
from jotto.rules import WordError

from .roles import all_over, reveal
from .talk import Doubt
from .transitions import NOTHING_READ, ask, enter, go_to, name_slips, take_letter_back

MYPY = False
if MYPY:
    from .mind import Mind
    from .talk import Talk


def give_up(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """End the game for a player who gives up; where it was about NAO's word, tell the word."""
    if talk.is_about_riddle:
        return all_over(talk.say("given up by you"), games.GIVEN_UP)
    game = talk.game.withdraw().end(games.GIVEN_UP)
    talk = talk.say("race given up" if talk.race else "given up")
    return go_to(talk, "tell", game=game, exact=None, **NOTHING_READ)


def ask_to_spell(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask the player to spell the word."""
    return go_to(talk, "spell", spelled="")


def add_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Add a letter; after the last one, read the word back."""
    spelled = talk.spelled + meaning
    if len(spelled) == talk.game.rules.length:
        talk = enter(talk, "spelled", spelled=spelled)
        return ask(talk) if mind.may_say(spelled) else check_word(talk, mind, meaning)
    return enter(talk, "spell", spelled=spelled).say("spell, next", letter=meaning)


def drop_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the last letter back."""
    return take_letter_back(talk, "spell")


def spell_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Start the spelling again: the word read back was wrong."""
    return enter(talk, "spell", spelled="").say("spell again")


def leave_it(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """End the game without the word: the player keeps it secret."""
    return _end(talk.say("leave it"), games.UNSOLVED)


def check_word(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Compare the player's word with the answers, name the one that disagrees, and remember a new word."""
    word = talk.spelled
    if not mind.may_say(word):
        return _end(talk.say("not that word"), games.UNSOLVED)
    try:
        talk.game.rules.check(word)
    except WordError:
        return _end(talk.say("repeated letter", word=word), games.UNSOLVED)
    clashes = mind.clashes(word, talk.game)
    if clashes:
        talk = name_slips(talk, clashes)
    elif mind.knows(word):
        talk = talk.say("known and fitting")
    else:
        talk = talk.say("fits but unknown")
    if not mind.knows(word):
        talk = talk.say("learned", word=word).note("learned", word)
    return _end(talk, games.UNSOLVED)


def _end(talk, outcome):  # type: (Talk, str) -> Talk
    game = talk.game.withdraw().end(talk.game.outcome or outcome)
    return go_to(reveal(talk, games.UNSOLVED), "again", game=game, fixing=None, spelled="", left=None)
