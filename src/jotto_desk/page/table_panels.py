"""The panels of a game at the desk: the board with what it is played with, and what is left with its whys."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from nicegui import ui

from .drawing import add_style, draw_board, draw_keyboard, draw_legend, draw_tiles, tagged
from .guessing_table import ShownCodeTable, ShownTable, ShownWordleTable
from .score_pad import ScorePad
from .wonder import WonderField

#: Characters of a typed guess.
_LONGEST_TYPED = 100


def _button(text: str, press: Callable[[], Any], classes: str = "", label: str = "") -> None:
    button = tagged("button", text, f"tap {classes}", type="button")
    if label:
        button.props["aria-label"] = label
    button.on("click", press)


class WhysPanel:
    """What is left, and why a code or word can or cannot be it, for one browser."""

    title, place = "What is still possible, and why", "talk"

    def __init__(self, table: ShownTable[Any]) -> None:
        self._table = table
        self._drawn = -1
        self._wonder = WonderField(table.why_not)

    def build(self) -> None:
        """Draw the frame."""
        add_style()
        self._wonder.build()
        self._count = tagged("p", classes="board-remark", role="status")
        with tagged("details", classes="game-more"):
            tagged("summary", "Show them")
            self._named = tagged("div", classes="taps")

    async def refresh(self) -> None:
        """Count again what is left."""
        if self._drawn == self._table.changed:
            return
        self._drawn = self._table.changed
        count, named = await self._table.left()
        if self._count.text != count:
            self._count.set_text(count)
            self._named.clear()
            with self._named:
                for word in named:
                    self._name(word)

    def _name(self, word: str) -> None:
        button = tagged("button", word, "tap tap-small", type="button", title="Why not?")
        button.on("click", lambda: self._wonder.ask(word))


class _TypedGuess:
    """A field to type a guess in, for those who would rather type."""

    def __init__(self, judge: Callable[[str], Any]) -> None:
        self._judge = judge

    def build(self) -> None:
        """Draw it."""
        with tagged("div", classes="spell"):
            self._field = (
                ui.input("Type a guess")
                .classes("spell-field")
                .props(
                    f'maxlength={_LONGEST_TYPED} autocomplete="off" autocapitalize="off" '
                    'spellcheck="false" outlined dense'
                )
            )
            self._field.on("keydown.enter", self._take)

    def _take(self) -> None:
        typed = str(self._field.value or "")[:_LONGEST_TYPED]
        self._field.set_value("")
        if typed.strip():
            self._judge(typed)


class _TablePanel:
    """The board of a game, for one browser; a click on a guess says why it cannot be it, or can."""

    title, place = "Board", "stage"

    def __init__(self, table: ShownTable[Any]) -> None:
        self._shown = table
        self._drawn = -1
        self._controls_for: object = None

    def build(self) -> None:
        """Draw the frame."""
        add_style()
        self._board = ui.element("div")
        self._picked = tagged("p", classes="game-faint", role="status")
        self._said = tagged("p", classes="question", role="status")
        self._controls = ui.element("div")
        self._typed = ui.element("div")
        with self._typed:
            _TypedGuess(self._judge).build()
        self._others = tagged("div", classes="taps")

    async def refresh(self) -> None:
        """Draw what has changed."""
        if self._drawn == self._shown.changed:
            return
        self._drawn = self._shown.changed
        self._board.clear()
        with self._board:
            self._draw_board()
        if self._said.text != self._shown.table.said:
            self._said.set_text(self._shown.table.said)
        state = self._state()
        # A key that is drawn anew while it is pressed would miss the press.
        if state != self._controls_for:
            self._controls_for = state
            self._picked.set_text("")
            self._controls.clear()
            with self._controls:
                self._draw_controls()
            self._typed.set_visibility(self._is_typed())
            self._others.clear()
            with self._others:
                self._draw_others()

    def _acts(self, act: Callable[[], object]) -> Callable[[], None]:
        """Return the act as a button does it."""
        return lambda: self._shown.act(act)

    async def _pick(self, guess: str) -> None:
        self._picked.set_text(await self._shown.why_not(guess))

    def _draw_board(self) -> None:
        raise NotImplementedError

    def _draw_controls(self) -> None:
        """Draw what a guess is put together with, or answered."""
        raise NotImplementedError

    def _draw_others(self) -> None:
        """Draw the buttons for other games."""
        raise NotImplementedError

    def _state(self) -> object:
        """Return what the controls are drawn for."""
        raise NotImplementedError

    def _is_typed(self) -> bool:
        """Tell whether a guess may be typed now."""
        raise NotImplementedError

    def _judge(self, typed: str) -> None:
        raise NotImplementedError


class CodePanel(_TablePanel):
    """Mastermind: colours to tap, or two numbers for the computer's guess."""

    def __init__(self, table: ShownCodeTable) -> None:
        super().__init__(table)
        self._live, self._table = table, table.table

    async def refresh(self) -> None:
        """Draw what has changed; the computer guesses where it is its turn."""
        await self._live.begin()
        await super().refresh()

    def _draw_board(self) -> None:
        draw_board(self._table.board(), self._pick, self._table.open_tiles())
        draw_legend()

    def _draw_controls(self) -> None:
        table = self._table
        if table.is_flipped and table.guess:
            ScorePad(table.rules, self._live.answer).build()
        elif not table.is_flipped and not table.is_over:
            self._draw_colours()

    def _draw_others(self) -> None:
        table = self._table
        if table.is_flipped and table.turns:
            _button("Take the last answer back", self._acts(table.take_back), "tap-small")
        if not table.is_flipped and not table.is_over:
            _button("Give up", self._acts(table.reveal), "tap-small")
        _button("New game", self._acts(lambda: table.new(table.is_flipped)), "tap-small")
        _button(
            "You guess instead" if table.is_flipped else "Let the computer guess yours",
            self._acts(lambda: table.new(not table.is_flipped)),
            "tap-small",
        )

    def _state(self) -> object:
        return self._table.is_flipped, self._table.turns, self._table.guess

    def _is_typed(self) -> bool:
        return not self._table.is_flipped and not self._table.is_over

    def _judge(self, typed: str) -> None:
        self._acts(lambda: self._table.judge(typed))()

    def _draw_colours(self) -> None:
        table = self._table
        with tagged("div", classes="code-keys", role="group", aria_label="Colours and symbols"):
            for tile in table.symbols():
                with tagged("button", classes="code-key", type="button", aria_label=tile.said) as key:
                    draw_tiles([tile])
                    if tile.look:
                        tagged("span", tile.said, aria_hidden="true")
                key.on("click", self._acts(functools.partial(table.press, tile.symbol.lower())))
        with tagged("div", classes="taps"):
            _button("Guess", self._acts(table.judge), "tap-main")
            _button("\u232b", self._acts(table.delete), label="Delete the last one")


class WordlePanel(_TablePanel):
    """Wordle: a keyboard of letters, each as certain as it is."""

    def __init__(self, table: ShownWordleTable) -> None:
        super().__init__(table)
        self._table = table.table

    def _draw_board(self) -> None:
        board = self._table.board()
        draw_board(board, self._pick, self._table.open_tiles())
        with tagged("p", classes="game-faint legend"):
            for look, said in (
                ("in-place", "in the right place"),
                ("elsewhere", "in the wrong place"),
                ("neither", "not in the word"),
            ):
                with tagged("span", classes="legend-entry"):
                    tagged("span", classes=f"tile tile-small tile-{look}", aria_hidden="true")
                    tagged("span", said)

    def _draw_controls(self) -> None:
        table = self._table
        if table.is_over:
            tagged("pre", table.result(), "result", aria_label="What to share")
        else:
            draw_keyboard(table.board().letters, lambda letter: self._acts(lambda: table.press(letter))())
            with tagged("div", classes="taps"):
                _button("Guess", self._acts(table.judge), "tap-main")
                _button("\u232b", self._acts(table.delete), label="Delete the last letter")

    def _draw_others(self) -> None:
        _button("New game", self._acts(self._table.new), "tap-small")

    def _state(self) -> object:
        return self._table.game

    def _is_typed(self) -> bool:
        return not self._table.is_over

    def _judge(self, typed: str) -> None:
        self._acts(lambda: self._table.judge(typed))()
