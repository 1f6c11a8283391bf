"""The picture of docs/four-guesses.md: the best average and its bound over the size of the vocabulary."""

import io
from pathlib import Path
from typing import Any, NamedTuple

import four_page
import numpy as np
from four_page import Row
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from jotto_desk import files

#: Keep text as text, and make the same file from the same figures.
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "jotto",
    "font.size": 9,
    "font.family": "sans-serif",
}
BEST, ARTICLE, GOAL, QUIET = "#1f618d", "#b9770e", "#b03a2e", "#555555"


class Panel(NamedTuple):
    """One half of the picture; four can be had up to `few` words, and never from the size `upto` on."""

    title: str
    rows: list[Row]
    few: str
    upto: int


def draw(figures: dict[str, Any], path: Path) -> Path:
    """Draw the figures and write the picture whole, as SVG or PNG by its name."""
    kind = path.suffix[1:]
    with rc_context(SETTINGS), io.BytesIO() as raw:
        figure = _figure(figures)
        figure.savefig(
            raw,
            format=kind,
            dpi=144,
            facecolor="white",
            metadata={"Date": None} if kind == "svg" else {"Software": None},
        )
        content = raw.getvalue()
    if kind == "svg":
        content = b"\n".join(line.rstrip() for line in content.splitlines()) + b"\n"
    return files.write_whole(path, content)


def _figure(figures: dict[str, Any]) -> Figure:
    low, high = four_page.span(figures)
    alike, common = four_page.rows(figures, "curve"), four_page.rows(figures, "weighed")
    few = f"{low}" if low == high else f"{low} to {high}"
    most = max(row.words for row in common if row.reached)
    panels = (
        Panel("every word as likely as the next", alike, few, high),
        Panel("common words likelier", common, f"{most}", most),
    )
    figure = Figure(figsize=(7.6, 4.2))
    both = figure.subplots(1, 2, sharey=True, width_ratios=[1.25, 1])
    for axes, panel in zip(both, panels, strict=True):
        _panel(axes, panel, alike[-1].words)
    _labels(both[0], panels[0])
    both[0].set_ylabel("guesses on average, the winning one counted", color=QUIET)
    figure.supxlabel("size of the vocabulary (its commonest words)", fontsize=9, color=QUIET, y=0.015)
    figure.subplots_adjust(left=0.07, right=0.985, top=0.93, bottom=0.125, wspace=0.06)
    return figure


def _panel(axes: Axes, panel: Panel, whole: int) -> None:
    axes.set(xlim=(0, whole * 1.02), ylim=(2.9, 5.3), xticks=range(0, whole, 500), yticks=[3, 3.5, 4, 4.5, 5])
    axes.set_title(panel.title, fontsize=9.5, loc="left")
    axes.grid(axis="y", color="#e5e5e5", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=QUIET)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    proven = [row for row in panel.rows if row.proven]
    # Where the search is complete, bound and best meet, and no bound is drawn.
    open_ = [row for row in panel.rows if not row.proven]
    sizes, least, best = [row.words for row in open_], [row.least for row in open_], [row.mean for row in open_]
    axes.fill_between(sizes, least, best, color=BEST, alpha=0.13, linewidth=0)
    axes.plot(sizes, least, color=BEST, linewidth=1, linestyle=(0, (4, 2)))
    axes.plot([row.words for row in panel.rows], [row.mean for row in panel.rows], color=BEST, linewidth=1.6)
    axes.plot([row.words for row in proven], [row.mean for row in proven], "o", color=BEST, markersize=4)
    axes.plot([row.words for row in panel.rows], [row.article or 0 for row in panel.rows], color=ARTICLE, linewidth=1.4)
    axes.axhline(four_page.GOAL, color=GOAL, linewidth=1.1)
    axes.plot([panel.upto] * 2, [2.9, four_page.GOAL], color=GOAL, linewidth=1, linestyle=(0, (2, 2)))
    axes.annotate(
        f"four can be had\nup to about\n{panel.few} words",
        (panel.upto, 3.3),
        xytext=(7, 0),
        va="center",
        textcoords="offset points",
        color=GOAL,
    )


def _labels(axes: Axes, panel: Panel) -> None:
    """Name the curves, each beside itself."""
    sizes = [row.words for row in panel.rows]
    for text, color, near, heights, off, side in (
        ("the article's way", ARTICLE, 1450, [row.article or 0 for row in panel.rows], 14, "right"),
        ("the best found\n(dots: proven to be the best)", BEST, 2200, [row.mean for row in panel.rows], 19, "center"),
        ("nothing is below", BEST, 2860, [row.least for row in panel.rows], -14, "right"),
    ):
        height = float(np.interp(near, sizes, heights))
        axes.annotate(
            text,
            (near, height),
            xytext=(0, off),
            textcoords="offset points",
            color=color,
            ha=side,
            va="bottom" if off > 0 else "top",
        )
