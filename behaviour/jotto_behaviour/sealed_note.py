"""The sealed note: the player's word, given at the start, with which NAO checks how the player counts.

NAO guesses as if there were no note.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto.rules import WordError

from .roles import begin
from .transitions import enter, go_to, take_letter_back

MYPY = False
if MYPY:
    from .mind import Mind
    from .talk import Talk


def ask_for_note(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask the player to type or spell the word."""
    return enter(talk, "sealed note", spelled="", sealed="").say("note your word")


def add_noted_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Add a letter; after the last one, seal the note and begin."""
    spelled = talk.spelled + meaning
    if len(spelled) < talk.game.rules.length:
        return enter(talk, "sealed note", spelled=spelled).say("spell, next", letter=meaning)
    try:
        talk.game.rules.check(spelled)
    except WordError:
        # No word of the game: the player spells another one.
        talk = enter(talk, "sealed note", spelled="").say("repeated letter", word=spelled)
        return talk.say("spell, shortly", number=1)
    return begin(talk._replace(sealed=spelled, spelled="").say("note sealed"), mind, meaning)


def drop_noted_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the last letter back."""
    return take_letter_back(talk, "sealed note")


def leave_note(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Play without a note."""
    return go_to(talk._replace(spelled="", sealed="").say("back"), "ready")


def is_miscounted(talk, feedback):  # type: (Talk, object) -> bool
    """Tell whether the note speaks against a score of the guess in question that NAO has not doubted yet."""
    if not talk.sealed or talk.recounted:
        return False
    return bool(feedback != talk.game.rules.score(talk.subject, talk.sealed))


def count_once_more(talk):  # type: (Talk) -> Talk
    """Ask the player to count the guess in question again; the next score is believed."""
    talk = talk.say("count once more", guess=talk.subject)
    return go_to(talk, "exact", exact=None, recounted=True)
