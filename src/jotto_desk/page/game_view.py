"""What the page shows of a game of Jotto with NAO, worked out from what the robot keeps under `Jotto/Game`."""

from __future__ import annotations

from typing import NamedTuple

from jotto.errors import JottoError
from jotto_behaviour import memory
from jotto_behaviour.states import SPELL
from jotto_behaviour.talk import Talk

from ..conversation.game_record import OVER, boards
from ..conversation.questions import NOTHING, Question, question
from ..history.kept_games import BREAKER, MAKER, RACE
from .board_view import BoardView, jotto_board

ROLES_SAID = {BREAKER: "NAO guesses your word", MAKER: "You guess NAO's word", RACE: "A race: you guess in turns"}
UNDECIDED = "Who guesses is not decided yet"


class GameView(NamedTuple):
    """A moment of the game: who guesses, the level, the boards, what NAO asks, and the letters spelled so far.

    `moment` changes whenever NAO has answered something; `talk` is what all was worked out from.
    """

    role: str
    level: str
    boards: tuple[BoardView, ...]
    question: Question
    spelled: str
    moment: tuple[str, int]
    talk: Talk

    @property
    def is_over(self) -> bool:
        """Tell whether the game is at its end."""
        return bool(self.talk.about.name == OVER)


def read(text: object) -> GameView | None:
    """Return what to show; None where there is no game, or nothing that can be read as one.

    >>> read("") is read("<b>") is read(5) is None
    True
    """
    if not isinstance(text, str) or not text or len(text) > memory.LONGEST:
        return None
    try:
        return view(memory.read(text))
    except JottoError:
        return None


def view(talk: Talk) -> GameView:
    """Return what to show of a talk."""
    asked = Question(NOTHING) if talk.place.is_last else question(talk)
    spelled = talk.spelled if talk.about.touch == SPELL or talk.spelled else ""
    return GameView(_role(talk), talk.level, tuple(map(jotto_board, boards(talk))), asked, spelled.upper(),
                    (talk.state, talk.beat), talk)


def _role(talk: Talk) -> str:
    if talk.race:
        return ROLES_SAID[RACE]
    if talk.riddle is not None:
        return ROLES_SAID[MAKER]
    return UNDECIDED if talk.about.name == "role" else ROLES_SAID[BREAKER]
