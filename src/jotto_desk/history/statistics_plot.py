"""A picture of the games kept: how many guesses they took, one strip per role and level under one axis."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..solver.evaluation.benchmark_plot import BAR, MEAN, QUIET, check, write
from .statistics import GroupStatistics

__all__ = ["check", "draw"]


def draw(groups: Sequence[GroupStatistics], names: Mapping[str, str], path: Path) -> Path:
    """Draw the groups, `names` saying what each role is called, and write the picture in one step.

    Raises `DeskError` when it cannot be written.
    """
    return write(lambda: _figure(groups, names), path)


def _figure(groups: Sequence[GroupStatistics], names: Mapping[str, str]) -> Figure:
    figure = Figure(figsize=(7.2, 1.0 + 0.8 * len(groups)))
    strips = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    most = max(max(group.guesses, default=1) for group in groups)
    for strip, group in zip(strips, groups, strict=True):
        _strip(strip, group, most, f"{names[group.role]}\n{group.level}")
    strips[-1].tick_params(axis="x", length=0, labelbottom=True)
    strips[-1].set_xlabel("guesses, the winning one counted; red: the average", color=QUIET)
    games = sum(group.games for group in groups)
    figure.suptitle(f"{games} game{'s' * (games != 1)} of Jotto with NAO", fontsize=10, x=0.02, ha="left")
    height = float(figure.get_size_inches()[1])
    figure.subplots_adjust(left=0.25, right=0.79, top=1 - 0.38 / height, bottom=0.45 / height, hspace=0.2)
    return figure


def _strip(strip: Axes, group: GroupStatistics, most: int, name: str) -> None:
    counts = group.distribution
    tallest = max(counts.values(), default=1)
    for bar in strip.bar(list(counts), list(counts.values()), width=0.86, color=BAR):
        strip.text(
            bar.get_x() + bar.get_width() / 2,
            bar.get_height(),
            f"{bar.get_height():.0f}",
            ha="center",
            va="bottom",
            color=QUIET,
            fontsize=7,
        )
    if group.mean is not None:
        strip.plot([group.mean] * 2, [0, tallest], color=MEAN, linewidth=1.2)
    strip.set(xlim=(0.4, most + 0.6), ylim=(0, tallest * 1.25), xticks=range(1, most + 1), yticks=[])
    strip.tick_params(axis="x", length=0, labelbottom=False)
    strip.spines[["top", "left", "right"]].set_visible(False)
    strip.spines["bottom"].set_color(QUIET)
    strip.text(-0.02, 0.25, name, transform=strip.transAxes, ha="right")
    average = "" if group.mean is None else f"{group.mean:.2f} on average\n"
    strip.text(1.02, 0.25, f"{average}{group.found} of {group.games} found", transform=strip.transAxes, color=MEAN)
