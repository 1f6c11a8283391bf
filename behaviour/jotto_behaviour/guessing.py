"""Actions of the game itself: guessing, reading the score back, and sorting out answers that do not fit."""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import game

from .counting import ask_score, count_both
from .roles import onward, reveal
from .transitions import NOTHING_READ, ask, enter, go_to, name_slips

MYPY = False
if MYPY:
    from typing import Tuple

    from .mind import Mind
    from .talk import Talk

# Guessing


def guess(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Choose the next guess and ask it."""
    game = talk.game
    chosen = mind.next_guess(game)
    if chosen is None:
        return sort_out(talk._replace(left=0).say("nothing fits"), mind)
    talk = talk._replace(game=game.ask(chosen), left=mind.left(game), exact=None, **NOTHING_READ)
    if mind.doubts(talk.game):
        # Its answer to "is it?" is certain.
        return ask_score(talk.say("trial", guess=chosen))
    key = "is it, first" if not game.turns else "is it, last" if mind.is_certain(game) else "is it"
    return enter(talk, "word").say(key, guess=chosen)


def rejoice(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say in how many attempts the word was found and which answers it does not fit, and ask for another game."""
    attempts = talk.game.attempts
    key = "wonderful" if attempts > 1 else "wonderful, at once"
    talk = talk.say(key, attempts=attempts, guess=talk.game.guess)
    talk = name_slips(talk, mind.clashes(talk.game.guess, talk.game))
    if talk.riddle_is_open:
        talk = reveal(talk.say("race won"), game.UNSOLVED)
    return go_to(talk, "again", left=None)


def score(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say the score back and see whether a word still fits, or the game can go on without one."""
    turn = talk.game.turns[-1 if talk.fixing is None else talk.fixing]
    key = "score" if sum(turn.feedback) else "score, none"
    if talk.fixing is not None:
        key = "corrected"
    if key != "score" or not is_confirmed(talk):
        talk = talk.say(key, guess=turn.guess, exact=turn.feedback[0], misplaced=turn.feedback[1])
    left = mind.left(talk.game)
    if not mind.is_lost(talk.game):
        if not left and (talk.fixing is not None or mind.left(talk.game.undo())):
            # Said once: from the next answer on it is nothing new.
            talk = talk.say("may be off")
        return onward(talk, left=left)
    talk = talk._replace(left=0).say("nothing fits" if talk.fixing is None else "still nothing fits")
    return sort_out(talk, mind)


def is_confirmed(talk):  # type: (Talk) -> bool
    """Tell whether the player has just said yes to this score: NAO asked for that last."""
    return any(line.key.startswith("did you say") for line in talk.last)


# Sorting out


def sort_out(talk, mind):  # type: (Talk, Mind) -> Talk
    """Read the most suspicious answer that is not confirmed yet, or conclude that the word is unknown.

    An answer that was corrected meanwhile is read once more before that: the correction may have been misheard.
    """
    suspects = mind.suspects(talk.game)
    for turn in suspects:
        if turn not in talk.cleared:
            return go_to(talk, "doubtful", fixing=turn, exact=None)
    for turn in suspects:
        if turn in talk.corrected:
            return go_to(talk, "doubtful", fixing=turn, exact=None, corrected=_without(talk.corrected, turn))
    return go_to(talk.say("not in my list"), "tell", fixing=None, exact=None)


def clear_turn(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Confirm the answer read: go on to the next one, or back to the game when all are right."""
    talk = talk._replace(
        cleared=_without(talk.cleared, talk.fixing) + (talk.fixing,), corrected=_without(talk.corrected, talk.fixing)
    )
    if not mind.left(talk.game):
        return sort_out(talk, mind)
    for turn in reversed(range(len(talk.game.turns))):
        if turn not in talk.cleared:
            return go_to(talk, "doubtful", fixing=turn)
    talk = talk._replace(**NOTHING_READ).say("all is right")
    if talk.game.guess is None:
        return enter(talk, "guess")
    return ask(enter(talk, "word"), brief=True)


def correct_turn(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the player's new score for the answer read; the score that was read means yes."""
    noted = talk.game.turns[talk.fixing].feedback
    return (clear_turn if meaning == "%d %d" % tuple(noted) else count_both)(talk, mind, meaning)


def _without(turns, turn):  # type: (Tuple[int, ...], int) -> Tuple[int, ...]
    return tuple(other for other in turns if other != turn)
