"""A board drawn with NiceGUI: tiles, pegs that shape and colour tell apart, and the letters by what is certain.

Every text goes in as text, never as HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from jotto_desk.play.page.boards import ELSEWHERE, IN_PLACE, KEYBOARD, LETTERS_SAID, BoardRow, BoardView, Tile
from naosim_live.page.texts import ENGLISH, Texts

_STYLE = Path(__file__).with_name("game.css")
#: Called with a guess that was clicked.
Pick = Callable[[str], Any]


def tagged(tag: str, text: str = "", classes: str = "", **attributes: str) -> TextElement:
    """Draw an element of HTML with a text and attributes (`aria_label` stands for `aria-label`)."""
    element = TextElement(tag=tag, text=text)
    if classes:
        element.classes(classes)
    for name, value in attributes.items():
        element.props[name.rstrip("_").replace("_", "-")] = value
    return element


def hidden(text: str) -> TextElement:
    """Draw a text that only screen readers read."""
    return tagged("span", text, "game-heard")


def draw_board(
    board: BoardView, pick: Pick | None = None, open_row: Sequence[Tile] = (), texts: Texts = ENGLISH
) -> None:
    """Draw a board as a table; a click on a guess calls `pick`, `open_row` is a guess that is still put together."""
    with tagged("table", classes="board"):
        tagged("caption", board.title)
        with tagged("thead", classes="game-heard"), tagged("tr"):
            for heading in ("Number", "Guess", "Score"):
                tagged("th", texts(heading), scope="col")
        with tagged("tbody"):
            for row in board.rows:
                _draw_row(row, pick, texts)
            if open_row:
                with tagged("tr", classes="board-open"):
                    tagged("th", str(len(board.rows) + 1), scope="row")
                    with tagged("td"), tagged("span", classes="tiles"):
                        draw_tiles(open_row)
                    tagged("td")
    if not board.rows and not open_row:
        tagged("p", texts("No guess yet."), "game-faint")
    for remark in board.remarks:
        tagged("p", remark, "board-remark")


def _draw_row(row: BoardRow, pick: Pick | None, texts: Texts) -> None:
    with tagged("tr"):
        tagged("th", str(row.number), scope="row")
        with tagged("td"):
            said = ", ".join(tile.said for tile in row.tiles) if any(tile.said for tile in row.tiles) else row.guess
            with tagged("button" if pick is not None else "span", classes="tiles") as guess:
                if pick is not None:
                    guess.props["type"], guess.props["title"] = "button", texts("Could it be this one?")
                    guess.props["aria-label"] = texts("{guess}: could it be this one?", guess=said)
                    guess.on("click", lambda _event, word=row.guess: pick(word))
                else:
                    guess.props["aria-label"], guess.props["role"] = said, "img"
                draw_tiles(row.tiles)
        with tagged("td", classes="board-score"):
            _draw_pegs(row.pegs)
            tagged("span", row.score, "score-said")


def draw_tiles(tiles: Sequence[Tile]) -> None:
    """Draw the symbols of a guess."""
    for tile in tiles:
        tagged("span", tile.symbol, f"tile tile-{tile.look or 'plain'}", aria_hidden="true")


def _draw_pegs(pegs: Sequence[str]) -> None:
    """Draw pegs: a filled square is in place, a ring elsewhere, a dot neither; words say the same beside them."""
    if pegs:
        with tagged("span", classes="pegs", aria_hidden="true"):
            for peg in pegs:
                tagged("span", classes=f"peg peg-{peg}")


def draw_legend(texts: Texts = ENGLISH) -> None:
    """Say what the pegs mean."""
    with tagged("p", classes="game-faint legend"):
        for peg, said in ((IN_PLACE, "in the right place"), (ELSEWHERE, "in the wrong place")):
            with tagged("span", classes="legend-entry"):
                _draw_pegs((peg,))
                tagged("span", texts(said))


def draw_letters(board: BoardView, texts: Texts = ENGLISH) -> None:
    """Draw all letters by what is certain of them, and those whose place is known."""
    if not any(state != "open" for _, state in board.letters):
        return
    with tagged("ul", classes="letters", aria_label=texts("Letters: what you know for sure")):
        for letter, state in board.letters:
            with tagged("li", classes=f"letter letter-{state}"):
                tagged("span", letter)
                if state in LETTERS_SAID:
                    hidden(f" {texts(LETTERS_SAID[state])}")
    if board.places:
        places = " ".join(board.places)
        tagged(
            "p",
            texts("By place: {places}", places=places),
            "board-places",
            aria_label=texts("By place: {places}", places=places.replace("_", texts("open"))),
        )


def draw_keyboard(
    letters: Sequence[tuple[str, str]], press: Pick, texts: Texts = ENGLISH, keyboard: Sequence[str] = KEYBOARD
) -> None:
    """Draw a keyboard of letters, each as certain as it is; `press` is called with the letter."""
    states = dict(letters)
    with tagged("div", classes="keyboard", role="group", aria_label=texts("Letters")):
        for row in keyboard:
            with tagged("div", classes="keyboard-row"):
                for letter in row:
                    state = states.get(letter, "open")
                    said = f"{letter}, {texts(LETTERS_SAID[state])}" if state in LETTERS_SAID else letter
                    key = tagged("button", letter, f"key letter letter-{state}", type="button", aria_label=said)
                    key.on("click", lambda _event, letter=letter: press(letter))


def add_style() -> None:
    """Give the page of this browser the styles of boards."""
    ui.add_css(_STYLE)
