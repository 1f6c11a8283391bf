"""What the page shows of a game of Jotto with NAO, worked out from what the robot keeps under `Jotto/Game`."""

from __future__ import annotations

import re
from typing import NamedTuple

from jotto import words
from jotto.rules import JottoError
from jotto_behaviour import memory, mind
from jotto_behaviour.talk import Talk
from jotto_desk.conversation.answers import NO_ANSWER, Question, question
from jotto_desk.conversation.game_record import capitals
from jotto_desk.history import BREAKER, MAKER, RACE
from naosim_live.page.texts import ENGLISH, Texts

from ..conversation.game_record import OVER, boards
from .board_view import BoardView, jotto_board

ROLES_SAID = {BREAKER: "NAO guesses your word", MAKER: "You guess NAO's word", RACE: "A race: you take turns guessing"}
UNDECIDED = "Nobody has picked who guesses yet"
#: What a text to be spoken has for the voice alone.
_VOICE = re.compile(r"\\\w+=\w+\\")


class GameView(NamedTuple):
    """A moment of the game: who guesses, the level, the boards, what NAO asks, and the letters spelled so far.

    `asked` is the sentence NAO asks with. `moment` changes whenever NAO has answered something; `talk` is what all was
    worked out from.
    """

    role: str
    level: str
    boards: tuple[BoardView, ...]
    question: Question
    asked: str
    spelled: str
    moment: tuple[str, int]
    talk: Talk

    @property
    def is_over(self) -> bool:
        """Tell whether the game is at its end."""
        return bool(self.talk.about.name == OVER)


def read(text: object, texts: Texts = ENGLISH) -> GameView | None:
    """Return what to show; None where there is no game, or nothing that can be read as one.

    >>> read("") is read("<b>") is read(5) is None
    True
    """
    if not isinstance(text, str) or not text or len(text) > memory.MAX_TALK_LENGTH:
        return None
    try:
        return view(memory.read_talk_text(text), texts)
    except JottoError:
        return None


def view(talk: Talk, texts: Texts = ENGLISH) -> GameView:
    """Return what to show of a talk, in the language of the texts."""
    asked = Question(NO_ANSWER) if talk.place.is_last else question(talk)
    drawn = tuple(jotto_board(board, texts) for board in boards(talk))
    return GameView(
        texts(_role(talk)),
        texts(talk.level),
        drawn,
        asked,
        _asked(talk),
        words.capitalise_word(talk.spelled),
        (talk.state, talk.beat),
        talk,
    )


def _asked(talk: Talk) -> str:
    """Return the last sentence NAO says or has said, without the signs for its voice."""
    said = talk.says or talk.last
    if not said or talk.place.is_last:
        return ""
    spoken = mind.load_lines(talk.language)
    try:
        text = spoken.speak(said[-1], talk.game.seed, talk.variety).text
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        # Notes of another version may hold a line this one does not have.
        return ""
    clean = mind.load_block_list(talk.language).clean(_VOICE.sub("", text), spoken.that_word)
    return capitals(re.sub(" +", " ", str(clean)).strip(), talk.language)


def _role(talk: Talk) -> str:
    if talk.race:
        return ROLES_SAID[RACE]
    if talk.riddle is not None:
        return ROLES_SAID[MAKER]
    return UNDECIDED if talk.about.name == "role" else ROLES_SAID[BREAKER]
