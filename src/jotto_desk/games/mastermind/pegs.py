"""Codes and answers as one sees them on a board: coloured pegs, and a grid two wide of black and white ones."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from jotto.feedback import Feedback
from jotto.game import Turn
from jotto.rules import Rules

from . import dialogue

BLACK, WHITE, NONE = "●", "○", "·"
_STYLES = {
    "r": "bold white on red3",
    "o": "bold black on dark_orange",
    "y": "bold black on yellow1",
    "g": "bold white on green4",
    "b": "bold white on blue3",
    "v": "bold white on purple4",
}
_OTHERS = ("bold white on grey37", "bold black on grey70")


def code(guess: str) -> Text:
    """Colour a code, the letters still readable."""
    shown = Text()
    for place, letter in enumerate(guess.lower()):
        shown.append(f" {letter.upper()} ", style=_STYLES.get(letter, _OTHERS[place % 2]))
    return shown


def legend(rules: Rules) -> Text:
    """Colour the names of the letters."""
    title, _, parts = dialogue.legend(rules).rstrip(".").partition(" ")
    shown = Text(title)
    for part in parts.split(", "):
        shown.append(" ").append_text(code(part[0])).append(part[1:])
    return shown.append(".")


def grid(feedback: Feedback, length: int) -> Text:
    """Lay an answer out two pegs wide: blacks first, then whites; where they lie says nothing about the places.

    >>> print(grid(Feedback(1, 2), 4).plain)
    ● ○
    ○ ·
    """
    row = BLACK * feedback.exact + WHITE * feedback.misplaced
    row += NONE * (length - len(row))
    shown = Text("\n".join(" ".join(row[start : start + 2]) for start in range(0, length, 2)))
    shown.highlight_regex(BLACK, "bold")
    shown.highlight_regex(NONE, "dim")
    return shown


def sheet(turns: Sequence[Turn], length: int, coloured: bool = True) -> Table:
    """Draw the history: guess, correct, out-of-place and pegs; codes in plain letters where colours cannot be seen."""
    table = Table()
    for number, heading in enumerate((*dialogue.COLUMNS, "Pegs")):
        table.add_column(heading, justify="right" if number in (1, 2) else "left", vertical="middle")
    for turn in turns:
        guess = code(turn.guess) if coloured else turn.guess.upper()
        table.add_row(guess, *map(str, turn.feedback), grid(turn.feedback, length))
    return table
