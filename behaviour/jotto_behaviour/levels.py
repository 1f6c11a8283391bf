"""How hard a game is: which words NAO thinks of, how it guesses, and when it offers a hint.

*easy*: NAO thinks of very common words alone, offers hints, and guesses like a person, the words everybody knows first.
*normal*: NAO thinks of common words, and guesses as well as it can, common words being likelier. *hard*: NAO thinks of
any word of its list, and expects any. At every level NAO finds every word of its list.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from .settings import EASY
from .transitions import ask

MYPY = False
if MYPY:
    from .mind import Mind
    from .talk import Talk

#: In easy games NAO offers a hint after so many guesses, and after every second one from then on.
STUCK_AFTER = 4


def change(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Play at another level from now on, and ask again what was asked."""
    talk = talk._replace(level=meaning, settings=talk.settings._replace(level=meaning))
    return ask(talk.say("level, " + meaning), brief=True)


def offers_hint(talk):  # type: (Talk) -> bool
    """Tell whether a hint may be offered: in an easy game that is no race, with hints left, and not amid spelling."""
    if talk.level != EASY or talk.race or talk.spelled or not talk.riddle_is_open:
        return False
    return talk.riddle.hint() is not None


def is_stuck(talk):  # type: (Talk) -> bool
    """Tell whether the player has guessed often enough at NAO's word to be offered a hint."""
    beyond = talk.riddle.game.attempts - STUCK_AFTER
    return offers_hint(talk) and beyond >= 0 and beyond % 2 == 0
