"""The display of a Wordle: coloured letters, two rankings of what is left, figures of many games."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from jotto.game import Turn

from .helper import Report
from .marks import squares
from .measure import ROUNDS, HelperFigures

_STYLES = {"E": "bold white on green4", "P": "bold black on yellow3", "N": "bold white on grey37"}


def tiles(turn: Turn) -> Text:
    """Show a guess in colours, and its squares for who sees none."""
    shown = Text()
    for letter, mark in zip(turn.guess.upper(), turn.feedback, strict=True):
        shown.append(f" {letter} ", style=_STYLES[mark])
    return shown + Text(f"  {squares(turn.feedback)}  {turn.feedback}")


def listed(words: Sequence[str], count: int) -> str:
    """List words that still fit."""
    more = len(words) - count
    some = " ".join(word.upper() for word in words[:count])
    return f"{len(words):,} fit: {some}{f' and {more:,} more' if more > 0 else ''}" if words else "No word fits."


def left(report: Report, unit: str, count: int) -> Table:
    """Lay out the most frequent words beside those that tell most."""
    sheet = Table()
    for heading, side in (("most frequent", "left"), (unit, "right"), ("tell most", "left"), ("chance", "right"),
                          ("bits", "right"), ("groups", "right")):
        sheet.add_column(heading, justify="right" if side == "right" else "left")
    for place in range(min(count, len(report.fitting))):
        word, frequency = report.fitting[place]
        one = report.telling[place] if place < len(report.telling) else None
        told = ("", "", "", "") if one is None else (one.word.upper(), f"{one.chance:.1%}", f"{one.bits:.2f}",
                                                     str(one.groups))
        sheet.add_row(word.upper(), f"{frequency:g}", *told)
    return sheet


def figures(rows: Sequence[HelperFigures], title: str) -> Table:
    """Lay out how helpers fare."""
    sheet = Table(title=title, title_justify="left")
    turns = sorted({turn for row in rows for turn in row.distribution})
    for heading in ("", f"solved in {ROUNDS}", "answer lost", "mean", *map(str, turns)):
        sheet.add_column(heading, justify="right" if heading else "left")
    for row in rows:
        sheet.add_row(row.name, f"{row.in_six / row.games:.2%}", f"{row.lost / row.games:.2%}", f"{row.mean:.3f}",
                      *(str(row.distribution.get(turn, "")) for turn in turns))
    return sheet
