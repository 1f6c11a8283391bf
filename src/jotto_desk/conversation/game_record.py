"""What the desk sees of a game while it is played: the talk as the robot keeps it, the boards, the finished games."""

from __future__ import annotations

from typing import Any

from jotto.rules import JottoError
from jotto_behaviour import memory, mind
from jotto_behaviour.lines import Lines
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_behaviour.talk import Talk
from jotto_desk.history import GuessBoard, KeptGame, board_of_game, board_of_riddle

#: The state in which a game is over and NAO asks for another one.
OVER = "again"


def talk_of(robot: Any) -> Talk | None:
    """Read where the conversation stands; None before it begins, and with a robot that is gone."""
    try:
        text = robot.get(memory.GAME_KEY)
        return memory.read_talk_text(str(text)) if text else None
    except (JottoError, RuntimeError):
        return None


def lines_of(robot: Any) -> Lines:
    """Return the lines of the language that is spoken at this moment."""
    talk = talk_of(robot)
    return mind.load_lines(DEFAULT_LANGUAGE if talk is None else talk.language)


def boards(talk: Talk) -> list[GuessBoard]:
    """Lay out the game of this moment, in a race the person's side first; nothing before the first guess."""
    left = None if talk.race else talk.left
    found = [] if talk.riddle is None else [board_of_riddle(talk.riddle, left)]
    if talk.riddle is None or talk.race:
        found.append(board_of_game(talk.game, left))
    return found if any(board.rows or board.told for board in found) else []


class FinishedGames:
    """The games of one sitting that are over, for the board at their end and for what is shared."""

    def __init__(self) -> None:
        self._by_seed: dict[int, KeptGame] = {}

    def note(self, talk: Talk | None) -> bool:
        """Note a game that is over; tell whether it is news."""
        if talk is None or talk.state != OVER:
            return False
        guessed = talk.riddle is None or talk.race
        one = KeptGame(talk.level, talk.game if guessed else None, talk.riddle)
        news = self._by_seed.get(talk.game.seed) != one
        self._by_seed[talk.game.seed] = one
        return news

    def all(self) -> list[KeptGame]:
        """List the games, the first one first."""
        return list(self._by_seed.values())
