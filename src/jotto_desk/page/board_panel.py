"""The panel with the board: what was guessed, what is certain, why NAO asks its guess, and how earlier games went."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.element import Element

from jotto.game import Turn
from jotto.rules import JOTTO
from jotto.words import capitalise_word
from jotto_desk.conversation import game_record
from jotto_desk.conversation.game_record import GuessReasons
from jotto_desk.history import ROLE_NAMES, GroupStatistics, describe_group, group_by_role_and_level
from jotto_desk.play.page.game_page import NONE_KEPT, NOT_KEPT
from jotto_desk.play.page.moments import GameView, find_objections
from naosim_live.page.recorded.recorded_robot import RecordedRobot
from naosim_live.page.shown_robot import ShownRobot
from naosim_live.page.texts import Texts

from ..errors import DeskError
from .drawing import add_style, draw_board, draw_legend, draw_letters, tagged
from .watched_game import WatchedGame
from .wonder import WonderField

NOT_RECORDED = "A recording has no statistics. To see yours, run: jotto stats"


class BoardPanel:
    """The board of the game on one robot, for one browser."""

    title, place = "Game", "aside"

    def __init__(self, shown: ShownRobot, game: WatchedGame, reasons: GuessReasons, folder: Path | None) -> None:
        self._game, self._reasons, self._folder = game, reasons, folder
        self._is_recorded = isinstance(shown, RecordedRobot)
        self._drawn = -1
        self._over: bool | None = None
        self._clicked = ""
        self._wonder = WonderField(self._why_not, shown.texts)
        self._texts = shown.texts

    def build(self) -> None:
        """Draw the frame; what the game is about comes with the first look at it."""
        add_style()
        self._line = tagged("p", classes="game-line")
        self._news = tagged("p", classes="game-heard", role="status")
        self._boards = ui.element("div").classes("boards")
        self._why = tagged("p", classes="board-why")
        self._why.set_visibility(False)
        draw_legend(self._texts)
        self._wonder.build()
        with tagged("details", classes="game-more"):
            tagged("summary", self._texts("Your games so far"))
            self._statistics = ui.element("div")

    async def refresh(self) -> None:
        """Draw what has changed."""
        await self._game.look()
        if self._game.changed == self._drawn:
            return
        self._drawn, view = self._game.changed, self._game.view
        self._draw(view)
        is_over = view is None or view.is_over
        if is_over != self._over:
            self._over = is_over
            await self._show_statistics()
        await self._show_why(view)

    def _draw(self, view: GameView | None) -> None:
        about = (
            self._texts("The game hasn't started yet.")
            if view is None
            else self._texts("{role}. Level: {level}.", role=view.role, level=view.level)
        )
        self._line.set_text(about)
        self._boards.clear()
        with self._boards:
            for board in () if view is None else view.boards:
                with ui.element("div"):
                    draw_board(board, self._pick(board.title), texts=self._texts)
                    draw_letters(board, self._texts)
        self._news.set_text(_news(view))

    def _pick(self, title: str) -> Any:
        async def pick(word: str) -> None:
            self._clicked = title
            await self._wonder.ask(word)

        return pick

    async def _why_not(self, word: str) -> str:
        """Say which answers speak against a word: those on the board it was clicked on, else those on the first one."""
        clicked, self._clicked = self._clicked, ""
        view = self._game.view
        rules = JOTTO if view is None else view.talk.game.rules
        return find_objections(word, self._turns(clicked), rules)

    def _turns(self, title: str) -> Sequence[Turn]:
        view = self._game.view
        if view is None or not view.boards:
            return ()
        is_naos = title == view.boards[-1].title and (view.talk.riddle is None or view.talk.race)
        if view.talk.riddle is not None and not is_naos:
            return tuple(view.talk.riddle.game.turns)
        return tuple(view.talk.game.turns)

    async def _show_why(self, view: GameView | None) -> None:
        said = "" if view is None else await asyncio.to_thread(self._reasons.sentence, view.talk)
        self._why.set_text(f"{self._texts('Why?')} {said}" if said else "")
        self._why.set_visibility(bool(said))

    async def _show_statistics(self) -> None:
        groups, trouble = await asyncio.to_thread(_statistics, self._folder)
        if self._is_recorded:
            trouble = NOT_RECORDED
        self._statistics.clear()
        with self._statistics:
            if trouble or not groups:
                tagged("p", self._texts(trouble or NONE_KEPT), "game-faint")
            for group in groups:
                tagged("p", f"{self._texts(ROLE_NAMES[group.role])}, {self._texts(group.level)}")
                tagged("p", "; ".join(describe_group(group)) + ".", "game-faint")
                _draw_bars(group, self._texts)


def _news(view: GameView | None) -> str:
    """Return what a screen reader says of the board: its last row, and what follows from it."""
    if view is None or not view.boards:
        return ""
    board = max(view.boards, key=lambda one: len(one.rows))
    row = [f"{capitalise_word(board.rows[-1].guess)}: {board.rows[-1].score}."] if board.rows else []
    return " ".join([*row, *board.remarks])


def _statistics(folder: Path | None) -> tuple[list[GroupStatistics], str]:
    if folder is None:
        return [], NOT_KEPT
    try:
        return group_by_role_and_level(game_record.read(game_record.place(folder)).games), ""
    except DeskError as error:
        return [], str(error)


def _draw_bars(group: GroupStatistics, texts: Texts) -> Element:
    most = max(group.distribution.values(), default=1)
    with ui.element("div") as bars:
        for number, count in group.distribution.items():
            with tagged("div", classes="stats-bar"):
                tagged("span", texts("1 guess" if number == 1 else "{number} guesses", number=number))
                bar = tagged("span", classes="stats-fill", aria_hidden="true")
                bar.style(f"width: {max(2, round(55 * count / most))}%")
                tagged("span", str(count))
    return bars
