"""The pure step of the conversation: one talk and what was heard make the next talk.

A talk holds what NAO says now (`says`) and the box it belongs to (`box`); nothing in here speaks or listens.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from . import actions, counting, levels, roles, transitions
from . import hearing as ears
from .states import (
    AFTER_WAIT,
    ASKED_ANYWAY,
    COMMANDS,
    COUNT,
    EVERY_LETTER,
    MY_WORD,
    NONE,
    NUMBERS,
    PAIRS,
    SAID_WORDS,
    YES_NO,
    meanings,
)
from .talk import Doubt
from .talk_state import LEAVE_AT_ONCE, PAUSE

MYPY = False
if MYPY:
    from typing import List

    from .hearing import Hearing
    from .mind import Mind
    from .talk import Talk
    from .talk_state import Move

#: After so many silences in a row NAO pauses, with the game kept; after so many misses it offers touch.
PATIENCE = 3
#: After more misses than this NAO pauses, too.
MOST_MISSES = 5
#: Said while NAO asks "Did you say three?", these make NAO ask that again.
KEEP_DOUBT = ("help", "repeat", "wait")
#: What NAO asks about if it is unsure of it: scores, and one word among thousands or a letter of one.
CONFIRMED = frozenset(NUMBERS + PAIRS + (NONE, MY_WORD) + SAID_WORDS + EVERY_LETTER)


def welcome(talk, mind):  # type: (Talk, Mind) -> Talk
    """Greet, and offer to go on with an unfinished game."""
    talk = talk.say("hello")._replace(left=mind.left(talk.played))
    return transitions.go_to(talk, "unfinished") if actions.unfinished(talk) else roles.opening(talk, mind)


def think(talk, mind):  # type: (Talk, Mind) -> Talk
    """Do what NAO does alone, until the talk belongs to another box or it is the player's turn to speak."""
    box = talk.box
    while not talk.listens and talk.place.moves and talk.box == box:
        talk = _act(talk, mind.at(talk.level), talk.place.moves[""], "")
    return talk


def think_out(talk, mind):  # type: (Talk, Mind) -> Talk
    """Do what NAO does alone, from box to box, until it is the player's turn to speak or the conversation ends."""
    while not talk.listens and not talk.place.is_last:
        talk = think(talk, mind)
    return talk


def step(talk, mind, hearing):  # type: (Talk, Mind, Hearing) -> Talk
    """Answer what was heard: return the next talk, or the same one if NAO asks nothing and the answer comes late."""
    if not talk.listens:
        return talk
    talk, mind = talk._replace(says=(), beat=talk.beat + 1), mind.at(talk.level)
    if hearing.certainty == ears.SILENCE:
        return _silence(talk, mind)
    # A player who speaks is there, understood or not.
    talk = talk._replace(silences=0)
    if talk.doubt is not None:
        return _doubt(talk, mind, hearing)
    if hearing.certainty == ears.MISSED or hearing.meaning not in listening_for(talk):
        # It may have been what was denied, by mistake.
        return _miss(talk._replace(denied=()))
    if _is_misheard(talk, hearing):
        return _miss(talk)
    if _surprises(talk, mind, hearing) or (hearing.certainty == ears.UNSURE and hearing.meaning in CONFIRMED):
        return _confirm(talk, hearing)
    if _believed(talk, hearing) or (hearing.meaning == talk.unsure and not talk.doubts_wish):
        return _take(talk, mind, hearing)
    # Heard again, it is believed.
    return _miss(talk)._replace(unsure=hearing.meaning)


def listening_for(talk):  # type: (Talk) -> List[str]
    """List the meanings NAO listens for now: after "Take your time." also for "go on"."""
    wanted = meanings(talk.state, talk.doubt is not None)
    has_waited = any(line.key == "take your time" for line in talk.last)
    return wanted + [each for each in AFTER_WAIT if each not in wanted] if has_waited else wanted


def touch_kind(talk):  # type: (Talk) -> str
    """Return how a touch of the head is read now: as yes or no, as a count, as a letter's number or as ready."""
    kind = talk.place.touch if talk.doubt is None else YES_NO  # type: str
    return kind


def _move(talk, meaning):  # type: (Talk, str) -> Move
    own = talk.place.moves
    move = own[meaning] if meaning in own else dict(COMMANDS, **AFTER_WAIT)[meaning]  # type: Move
    return move


def _meant(meaning, phrase):  # type: (str, str) -> str
    """Return what an action is given: the meaning, or the word itself where any word of the list may be said."""
    return phrase if meaning in SAID_WORDS else meaning


def _act(talk, mind, move, meaning):  # type: (Talk, Mind, Move, str) -> Talk
    talk = actions.ACTIONS[move.action](talk, mind, meaning)
    return talk._replace(doubt=None, silences=0, misses=0, unsure="")


def _take(talk, mind, hearing):  # type: (Talk, Mind, Hearing) -> Talk
    """Act on what was heard; NAO remembers that it was unsure of the wish it asks about now."""
    talk = _act(talk, mind, _move(talk, hearing.meaning), _meant(hearing.meaning, hearing.phrase))
    is_asked = talk.place.is_between and hearing.certainty == ears.UNSURE
    return talk._replace(unsure=hearing.meaning) if is_asked else talk


def _believed(talk, hearing):  # type: (Talk, Hearing) -> bool
    """Tell whether to act at once: on what was heard for certain, and on commands that ask back by themselves.

    Asked back, a yes may sound like "I give up", which measured ears tell by their doubts.
    """
    is_odd = talk.doubt is not None and talk.settings.certainty is not None
    asks = hearing.meaning in ASKED_ANYWAY and hearing.meaning not in talk.place.moves and not is_odd
    # Without a game NAO leaves at once.
    asks = asks and (hearing.meaning != "stop" or actions.unfinished(talk))
    return hearing.certainty == ears.SURE or asks


def _surprises(talk, mind, hearing):  # type: (Talk, Mind, Hearing) -> bool
    """Tell whether the player calls a guess the word that they have denied, or that their answers speak against.

    So does a score that they have just called wrong: ears that are wrong about somebody are so again and again.
    """
    is_counted = talk.fixing is not None and talk.place.touch == COUNT
    if is_counted and hearing.meaning == "%d %d" % tuple(talk.game.turns[talk.fixing].feedback):
        return True
    wins = hearing.meaning in talk.place.word_found
    return wins and (talk.place.is_denied or mind.doubts(talk.game))


def _is_misheard(talk, hearing):  # type: (Talk, Hearing) -> bool
    """Tell whether this is a score that no word has, and NAO's mishearing rather than the player's slip.

    It is if NAO asked for yes or no, or heard the score unclearly.
    """
    if hearing.meaning not in PAIRS or (talk.place.touch != YES_NO and hearing.certainty == ears.SURE):
        return False
    return tuple(map(int, hearing.meaning.split())) not in talk.game.rules.possible()


def _confirm(talk, hearing):  # type: (Talk, Hearing) -> Talk
    """Ask the player to confirm what NAO heard."""
    return talk._replace(doubt=Doubt(hearing.meaning, hearing.phrase)).say("did you say", phrase=hearing.phrase)


def _doubt(talk, mind, hearing):  # type: (Talk, Mind, Hearing) -> Talk
    """Take the answer to "did you say": yes, no, or at once what the player meant instead."""
    meaning, phrase = talk.doubt
    if hearing.meaning == "no":
        # "Did you say no?" "No!" may be a yes.
        denied = talk if meaning in ("yes", "no") else talk.deny(meaning, phrase)
        return _miss(denied._replace(doubt=None), "ask again")
    # A player who is always heard badly must get on as well: from the second time on, an unsure yes is enough; but not
    # for the word where the player has denied it. Ears whose confidences were measured take a no for a yes so seldom
    # that it is enough at once.
    is_measured = talk.settings.certainty is not None
    is_enough = (talk.misses or is_measured) and not (talk.place.is_denied and meaning in talk.place.word_found)
    if hearing.meaning == "yes" and (is_enough or _believed(talk, hearing)):
        return _act(talk, mind, _move(talk, meaning), _meant(meaning, phrase))
    if hearing.meaning not in meanings(talk.state) or not _believed(talk, hearing):
        return _miss(talk)
    if hearing.meaning in KEEP_DOUBT:
        return talk._replace(silences=0).say("did you say, example", phrase=phrase)
    if _surprises(talk, mind, hearing):
        return _confirm(talk, hearing)
    return _take(talk, mind, hearing)


def _miss(talk, apology=""):  # type: (Talk, str) -> Talk
    """Ask again after a miss: in other words, then with an example, then with the offer of touch; then pause.

    NAO apologises twice, not every time.
    """
    talk = _undoubting(talk._replace(misses=talk.misses + 1))
    if talk.misses > MOST_MISSES:
        return _rest(talk)
    if apology or talk.misses < PATIENCE:
        talk = talk.say(apology or ("sorry" if talk.misses == 1 else "sorry again"))
    if talk.misses == PATIENCE:
        talk = talk.say("touch instead, " + touch_kind(talk))
    if talk.place.simpler is not None and talk.doubt is None:
        talk = talk._replace(state=talk.place.simpler, pace=counting.slower(talk.pace))
    return _prompt(talk)


def _silence(talk, mind):  # type: (Talk, Mind) -> Talk
    """Answer silence: with a short reminder, then an example, then a pause with the game kept."""
    talk = _undoubting(talk._replace(silences=talk.silences + 1, denied=()))
    if talk.silences >= PATIENCE or talk.place.on_silence == LEAVE_AT_ONCE:
        return _rest(talk)
    talk = _prompt(talk)
    wants_hint = talk.silences == 1 and talk.state == "your guess" and levels.offers_hint(talk)
    return talk.say("hint offered") if wants_hint else talk


def _undoubting(talk):  # type: (Talk) -> Talk
    """Drop what NAO has asked about in both its ways, without an answer: it asks its question itself again."""
    is_asked_twice = any(line.key == "did you say, example" for line in talk.last)
    return talk._replace(doubt=None) if is_asked_twice else talk


def _prompt(talk):  # type: (Talk) -> Talk
    """Ask again: in short, then with an example, and so on by turns; every second miss gets the example, too."""
    if talk.doubt is not None:
        return talk.say("did you say, example", phrase=talk.doubt.phrase)
    if ears.asks_to_spell(talk):
        return talk.say("your guess, letters")
    asked = transitions.ask(talk, brief=True)
    example = talk.place.question + ", example"
    said = [line.key for line in talk.last]
    is_reminded = asked.says[-1].key in said and (len(said) == 1 or said[0].startswith(actions.APOLOGIES))
    has_letters = talk.place.question_on is not None and talk.spelled
    if has_letters or example in said or not (is_reminded or (talk.misses and talk.misses % 2 == 0)):
        return asked
    return talk.say(example, **transitions.subject_words(talk))


def _rest(talk):  # type: (Talk) -> Talk
    """Stop waiting: pause once, and after a pause without an answer leave."""
    if talk.place.on_silence != PAUSE:
        return actions.ACTIONS["say good-bye"](talk, None, "")  # type: ignore[arg-type]
    return transitions.over(talk._replace(doubt=None), "paused")
