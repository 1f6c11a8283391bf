"""The panels of the game, for the page of a robot that plays it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from weakref import WeakKeyDictionary

from jotto_desk.conversation.game_record import GuessReasons
from naosim_live.page.panel import Panel, PanelMaker
from naosim_live.page.shown_robot import ShownRobot

from .answers_panel import AnswersPanel
from .board_panel import BoardPanel
from .watched_game import WatchedGames


def game_panels(words: str, folder_of: Callable[[ShownRobot], Path | None]) -> tuple[PanelMaker, ...]:
    """Return the makers of the game's panels: the answers to tap, and the board.

    `words` is the path of the list NAO plays with ("" for its own), `folder_of(robot)` has its notebook (None: it keeps
    none).
    """
    games = WatchedGames()
    reasons: WeakKeyDictionary[ShownRobot, GuessReasons] = WeakKeyDictionary()

    def answers(shown: ShownRobot) -> Panel:
        return AnswersPanel(shown, games.of(shown))

    def board(shown: ShownRobot) -> Panel:
        folder = folder_of(shown)
        return BoardPanel(shown, games.of(shown), reasons.setdefault(shown, GuessReasons(words, folder)), folder)

    return answers, board
