"""The display of a Wordle: coloured letters, two rankings of what is left, figures of many games."""

from collections.abc import Sequence

from rich.text import Text

from jotto.game import Turn

from ...sheet import Column, Sheet
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


def left(report: Report, unit: str, count: int) -> Sheet:
    """Lay out the most frequent words beside those that tell most."""
    sheet = Sheet(
        "",
        Column("most frequent", is_text=True),
        Column(unit, leaves=2),
        Column("tell most", is_text=True),
        Column("chance"),
        Column("bits"),
        Column("groups", leaves=1),
    )
    for place in range(min(count, len(report.fitting))):
        word, frequency = report.fitting[place]
        one = report.telling[place] if place < len(report.telling) else None
        told = (
            ("", "", "", "")
            if one is None
            else (one.word.upper(), f"{one.chance:.1%}", f"{one.bits:.2f}", str(one.groups))
        )
        sheet.add(word.upper(), f"{frequency:g}", *told)
    return sheet


def figures(rows: Sequence[HelperFigures], title: str, asked: int) -> Sheet:
    """Lay out how helpers fare; how many games they have played is shown where it is not as many as were asked for."""
    differ = any(row.games != asked for row in rows)
    sheet = Sheet(
        title,
        Column("helper", is_text=True),
        Column("games"),
        Column(f"solved in {ROUNDS}"),
        Column("answer lost"),
        Column("mean"),
        Column("guesses: games", is_text=True, folds=True, leaves=1, least=12),
    )
    for row in rows:
        counts = " ".join(f"{turns}:{count}" for turns, count in row.distribution.items())
        sheet.add(
            row.name,
            str(row.games) if differ else "",
            f"{row.in_six / row.games:.2%}",
            f"{row.lost / row.games:.2%}",
            f"{row.mean:.3f}",
            counts,
        )
    return sheet
