"""A picture of a benchmark: how many guesses the secrets take, one strip per strategy under one axis."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ... import files
from ...errors import DeskError
from .benchmark import Row

KINDS = (".svg", ".png")
#: Text stays text in an SVG, and the same rows make the same file.
SETTINGS: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "jotto", "font.size": 9}
BAR, MEAN, QUIET = "#7fb3d5", "#b03a2e", "#888888"


def check(path: Path) -> None:
    """Check that a file name ends like a picture's; raises `DeskError`."""
    if path.suffix.lower() not in KINDS:
        raise DeskError(f"'{path}' names no kind of picture; end it with {' or '.join(KINDS)}.")


def draw(rows: Sequence[Row], title: str, path: Path) -> Path:
    """Draw the rows, the best average first, and write the picture in one step.

    Raises `DeskError` when it cannot be written.
    """
    return write(lambda: _figure(sorted(rows, key=_mean), title), path)


def write(drawn: Callable[[], Figure], path: Path) -> Path:
    """Draw a figure and write it in one step, the same bytes every time.

    Raises `DeskError` when it cannot be written.
    """
    check(path)
    kind = path.suffix.lower()[1:]
    with rc_context(SETTINGS), io.BytesIO() as raw:
        drawn().savefig(raw, format=kind, dpi=144, metadata={"Date": None} if kind == "svg" else {"Software": None})
        content = raw.getvalue()
    return files.write_whole(path, trimmed(content) if kind == "svg" else content)


def _figure(rows: Sequence[Row], title: str) -> Figure:
    figure = Figure(figsize=(7.2, 1.0 + 0.42 * len(rows)))
    strips = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    most = max(row.maximum for row in rows)
    tallest = max(max(_shares(row).values()) for row in rows)
    for strip, row in zip(strips, rows, strict=True):
        _strip(strip, row, most, tallest)
    strips[-1].tick_params(axis="x", length=0, labelbottom=True)
    strips[-1].set_xlabel("guesses, the winning one counted; red: the average", color=QUIET)
    figure.suptitle(title, fontsize=10, x=0.02, ha="left")
    height = float(figure.get_size_inches()[1])
    figure.subplots_adjust(left=0.21, right=0.85, top=1 - 0.38 / height, bottom=0.45 / height, hspace=0.12)
    return figure


def _strip(strip: Axes, row: Row, most: int, tallest: float) -> None:
    shares = _shares(row)
    strip.bar(list(shares), list(shares.values()), width=0.86, color=BAR)
    strip.plot([_mean(row)] * 2, [0, tallest], color=MEAN, linewidth=1.2)
    strip.set(xlim=(0.4, most + 0.6), ylim=(0, tallest * 1.05), xticks=range(1, most + 1), yticks=[])
    strip.tick_params(axis="x", length=0, labelbottom=False)
    strip.spines[["top", "left", "right"]].set_visible(False)
    strip.spines["bottom"].set_color(QUIET)
    strip.text(-0.02, 0.15, row.strategy, transform=strip.transAxes, ha="right")
    strip.text(1.02, 0.15, f"{_mean(row):.3f}, max {row.maximum}", transform=strip.transAxes, color=MEAN)


def _shares(row: Row) -> dict[int, float]:
    secrets = sum(row.distribution.values())
    return {turn: count / secrets for turn, count in row.distribution.items()}


def _mean(row: Row) -> float:
    return row.mean if row.weighted_mean is None else row.weighted_mean


def trimmed(content: bytes) -> bytes:
    """Remove blanks at the ends of lines."""
    return b"\n".join(line.rstrip() for line in content.splitlines()) + b"\n"
