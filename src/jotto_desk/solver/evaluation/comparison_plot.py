"""A picture of a contest: per strategy and way to count a histogram of the games, with a box plot below it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .benchmark_plot import BAR, MEAN, QUIET, write
from .comparison import Contest
from .statistics import TO_ONE, WINNING, Sample

HEADINGS = {WINNING: "guesses to win", TO_ONE: "guesses until one is left"}
#: The share of a strip's height, below the bars, that belongs to the box.
BELOW = 0.5


def draw(contest: Contest, title: str, path: Path) -> Path:
    """Draw the games of the secrets compared, and write the picture in one step; raises `DeskError`."""
    return write(lambda: figure(contest, title), path)


def figure(contest: Contest, title: str) -> Figure:
    """Draw the games, the best average first, as a figure to be shown or written."""
    samples = {count: contest.sample(count) for count in HEADINGS}
    names = sorted(contest.playouts, key=lambda name: float(samples[WINNING][name].mean()))
    drawn = Figure(figsize=(9.0, 1.15 + 0.62 * len(names)))
    strips = drawn.subplots(len(names), len(HEADINGS), sharex="col", squeeze=False)
    for column, (count, heading) in zip(strips.T, HEADINGS.items(), strict=True):
        _column(column, [samples[count][name] for name in names])
        column[0].set_title(heading, fontsize=9, color=QUIET)
    for strip, name in zip(strips[:, 0], names, strict=True):
        strip.text(
            -0.03,
            0.42,
            f"{name}\nbegins {contest.firsts[name]}",
            transform=strip.transAxes,
            ha="right",
            va="center",
            linespacing=1.3,
        )
    drawn.suptitle(title, fontsize=10, x=0.02, ha="left")
    height = float(drawn.get_size_inches()[1])
    drawn.text(
        0.98,
        0.12 / height,
        "bars: games; box: the middle half; diamond and number: the average",
        ha="right",
        color=QUIET,
        fontsize=8,
    )
    drawn.subplots_adjust(left=0.17, right=0.93, top=1 - 0.62 / height, bottom=0.52 / height, hspace=0.16, wspace=0.26)
    return drawn


def _column(column: Sequence[Axes], samples: list[Sample]) -> None:
    most = int(max(sample.max() for sample in samples))
    tallest = max(np.bincount(sample.astype(int)).max() / len(sample) for sample in samples)
    for strip, sample in zip(column, samples, strict=True):
        _strip(strip, sample, most, float(tallest))
    column[-1].tick_params(axis="x", length=0, labelbottom=True)


def _strip(strip: Axes, sample: Sample, most: int, tallest: float) -> None:
    shares = np.bincount(sample.astype(int), minlength=most + 1) / len(sample)
    strip.bar(range(most + 1), shares, width=0.86, color=BAR)
    strip.boxplot(
        [sample],
        positions=[-BELOW / 2 * tallest],
        widths=[BELOW / 2 * tallest],
        orientation="horizontal",
        showmeans=True,
        manage_ticks=False,
        medianprops={"color": "black"},
        boxprops={"color": QUIET},
        whiskerprops={"color": QUIET},
        capprops={"color": QUIET},
        flierprops={"marker": ".", "markersize": 4, "markeredgecolor": QUIET},
        meanprops={"marker": "D", "markersize": 4, "markerfacecolor": MEAN, "markeredgecolor": MEAN},
    )
    strip.set(xlim=(0.3, most + 0.7), ylim=(-BELOW * tallest, tallest * 1.05), xticks=range(1, most + 1), yticks=[])
    strip.tick_params(axis="x", length=0, labelbottom=False)
    strip.spines[["top", "left", "right"]].set_visible(False)
    strip.spines["bottom"].set_color(QUIET)
    strip.text(1.02, 0.42, f"{sample.mean():.3f}", transform=strip.transAxes, color=MEAN, va="center")
