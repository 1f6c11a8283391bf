"""Actions that take the score of a guess: both numbers in one breath, or one after the other."""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto.rules import ImpossibleFeedback

from .sealed_note import count_once_more, is_miscounted
from .states import IN_ONE_BREATH, NONE, ONE_BY_ONE
from .transitions import NOTHING_READ, ask, enter, go_to

MYPY = False
if MYPY:
    from typing import Any, Optional

    from jotto.game import Game

    from .mind import Mind
    from .talk import Talk


def faster(pace):  # type: (int) -> int
    """Return the pace of a player who has given both numbers in one breath.

    >>> faster(0), faster(IN_ONE_BREATH), faster(ONE_BY_ONE)
    (1, 2, 1)
    """
    return min(max(pace, 0) + 1, IN_ONE_BREATH)


def slower(pace):  # type: (int) -> int
    """Return the pace of a player who has given one number alone, or was not understood.

    >>> slower(0), slower(IN_ONE_BREATH), slower(ONE_BY_ONE)
    (-1, -1, -2)
    """
    return max(min(pace, 0) - 1, ONE_BY_ONE)


def ask_score(talk, **changes):  # type: (Talk, **Any) -> Talk
    """Ask for the score of the guess in question, in the way that suits the player.

    One number is asked where it tells the other, or from a player who gives one at a time.
    """
    talk = talk._replace(**changes)
    if talk.pace <= ONE_BY_ONE or letters_found(talk) is not None:
        return go_to(talk, "exact", exact=None)
    talk = enter(talk, "both", exact=None)
    return talk.say("two numbers") if talk.pace >= IN_ONE_BREATH else ask(talk)


def letters_found(talk):  # type: (Talk) -> Optional[int]
    """Return how many letters of the guess in question are in the word, where an earlier answer tells: it had the same.

    None while an answer is looked at again: then the answers are in doubt.
    """
    if talk.fixing is None:
        letters = sorted(talk.subject or "")
        for turn in talk.game.turns:
            if sorted(turn.guess) == letters:
                return int(sum(turn.feedback))
    return None


def ask_places(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask for the score, as the guess is not the word."""
    return ask_score(talk)


def count_places(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the first half of the score, and ask for the other where it is not certain.

    Five in place is the word, even where the player has said no; with four, the fifth letter has nowhere else to go.
    """
    exact = _number(meaning)
    if exact == talk.game.rules.length:
        return win(talk.say("five in place", guess=talk.subject), mind, meaning)
    found = letters_found(talk)
    if exact == talk.game.rules.length - 1:
        return _note(talk, exact, 0)
    if found is not None and exact <= found:
        return _note(talk, exact, found - exact)
    pace = slower(talk.pace) if talk.place.simpler else talk.pace
    return go_to(talk, "misplaced", exact=exact, pace=pace)


def count_others(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the second half of the score."""
    return _note(talk, talk.exact, _number(meaning))


def name_range(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say which numbers can be: more letters than a word has were counted."""
    return ask(talk.say("from zero to five"), brief=True)


def count_both(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take both halves of the score, said in one breath."""
    exact, misplaced = (0, 0) if meaning == NONE else map(int, meaning.split())
    return _note(talk._replace(pace=faster(talk.pace)), exact, misplaced)


def fix_turn(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Count again: the answer read was wrong."""
    return ask_score(talk)


def _agreed(game, corrected):  # type: (Game, int) -> Game
    """Correct the answers to guesses of the same letters, which were completed by the one now corrected."""
    fixed = game.turns[corrected]
    found = sum(fixed.feedback)
    for number, turn in enumerate(game.turns):
        if number != corrected and sorted(turn.guess) == sorted(fixed.guess) and turn.feedback[0] <= found:
            feedback = (turn.feedback[0], found - turn.feedback[0])
            game = game.amend(number, feedback) if feedback in game.rules.possible() else game
    return game


def _number(meaning):  # type: (str) -> int
    return 0 if meaning == NONE else int(meaning)


def win(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """End the game: the guess in question is the word."""
    if talk.fixing is None:
        return enter(talk, "solved", game=talk.game.solve(), exact=None)
    game = talk.game.amend(talk.fixing, talk.game.rules.win)
    return enter(talk, "solved", game=game, exact=None, **NOTHING_READ)


def _note(talk, exact, misplaced):  # type: (Talk, int, int) -> Talk
    """Write the score down; refuse an impossible one and ask for its halves one by one."""
    feedback = (exact, misplaced)
    try:
        game = talk.game.answer(feedback) if talk.fixing is None else talk.game.amend(talk.fixing, feedback)
    except ImpossibleFeedback:
        key = "four and one" if sum(feedback) == talk.game.rules.length else "too many"
        talk = talk.say(key, exact=exact, misplaced=misplaced)
        return go_to(talk, "exact", exact=None, pace=slower(talk.pace))
    if is_miscounted(talk, feedback):
        return count_once_more(talk)
    if talk.fixing is None:
        return enter(talk, "scored", game=game, exact=None)
    if talk.fixing not in talk.cleared:
        talk = talk._replace(cleared=talk.cleared + (talk.fixing,), corrected=talk.corrected + (talk.fixing,))
    return enter(talk, "scored", game=_agreed(game, talk.fixing), exact=None)
