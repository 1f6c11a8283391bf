"""Pictures (matplotlib): a benchmark, a player's games, and the notebook's tour."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jotto_desk import files
from jotto_desk.errors import DeskError
from jotto_desk.history import GroupStatistics
from jotto_desk.solver.benchmark import BenchmarkRow

# matplotlib is imported only to draw a picture: it takes seconds, and this module also checks file names.
if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from jotto_desk.expert import ExpertSystem

# A benchmark: the guesses that the secrets take, one strip per strategy.

_PICTURE_KINDS = (".svg", ".png")
#: Text stays text in an SVG, and the same rows make the same file.
_PLOT_SETTINGS: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "jotto", "font.size": 9}
_BAR_COLOUR, _MEAN_COLOUR, _QUIET_COLOUR = "#7fb3d5", "#b03a2e", "#888888"


def check_picture_kind(path: Path) -> None:
    """Check that a file name ends like a picture's; raises `DeskError`."""
    if path.suffix.lower() not in _PICTURE_KINDS:
        raise DeskError(f"'{path}' does not end like a picture; end it with {' or '.join(_PICTURE_KINDS)}.")


def draw_benchmark(rows: Sequence[BenchmarkRow], title: str, path: Path) -> Path:
    """Draw the rows, the best average first, and write the picture in one step.

    Raises `DeskError` when it cannot be written.
    """
    return _write_picture(lambda: _draw_benchmark(sorted(rows, key=_mean), title), path)


def _write_picture(drawn: Callable[[], Figure], path: Path) -> Path:
    """Draw a figure and write it in one step, the same bytes every time.

    Raises `DeskError` when it cannot be written.
    """
    from matplotlib import rc_context

    check_picture_kind(path)
    kind = path.suffix.lower()[1:]
    with rc_context(_PLOT_SETTINGS), io.BytesIO() as raw:
        drawn().savefig(raw, format=kind, dpi=144, metadata={"Date": None} if kind == "svg" else {"Software": None})
        content = raw.getvalue()
    if kind == "svg":
        content = b"\n".join(line.rstrip() for line in content.splitlines()) + b"\n"
    return files.write_whole(path, content)


def _make_figure(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def _draw_benchmark(rows: Sequence[BenchmarkRow], title: str) -> Figure:
    figure = _make_figure(7.2, 1.0 + 0.42 * len(rows))
    strips = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    most = max(row.maximum for row in rows)
    tallest = max(max(_shares(row).values()) for row in rows)
    for strip, row in zip(strips, rows, strict=True):
        _draw_benchmark_strip(strip, row, most, tallest)
    return _finish_figure(figure, strips[-1], title, left=0.21, right=0.85, hspace=0.12)


def _finish_figure(figure: Figure, lowest: Axes, title: str, **margins: float) -> Figure:
    lowest.tick_params(axis="x", length=0, labelbottom=True)
    lowest.set_xlabel("guesses, the winning one counted; red: the average", color=_QUIET_COLOUR)
    figure.suptitle(title, fontsize=10, x=0.02, ha="left")
    height = float(figure.get_size_inches()[1])
    figure.subplots_adjust(top=1 - 0.38 / height, bottom=0.45 / height, **margins)
    return figure


def _draw_benchmark_strip(strip: Axes, row: BenchmarkRow, most: int, tallest: float) -> None:
    shares = _shares(row)
    strip.bar(list(shares), list(shares.values()), width=0.86, color=_BAR_COLOUR)
    strip.plot([_mean(row)] * 2, [0, tallest], color=_MEAN_COLOUR, linewidth=1.2)
    _label_strip(strip, most, tallest * 1.05, 0.15, (row.strategy, f"{_mean(row):.3f}, max {row.maximum}"))


def _label_strip(strip: Axes, most: int, top: float, height: float, texts: tuple[str, str]) -> None:
    """Set the axes of a strip for 1 to `most` guesses, and write the texts on its left and right at a height."""
    strip.set(xlim=(0.4, most + 0.6), ylim=(0, top), xticks=range(1, most + 1), yticks=[])
    strip.tick_params(axis="x", length=0, labelbottom=False)
    strip.spines[["top", "left", "right"]].set_visible(False)
    strip.spines["bottom"].set_color(_QUIET_COLOUR)
    strip.text(-0.02, height, texts[0], transform=strip.transAxes, ha="right")
    strip.text(1.02, height, texts[1], transform=strip.transAxes, color=_MEAN_COLOUR)


def _shares(row: BenchmarkRow) -> dict[int, float]:
    secrets = sum(row.distribution.values())
    return {turn: count / secrets for turn, count in row.distribution.items()}


def _mean(row: BenchmarkRow) -> float:
    return row.mean if row.weighted_mean is None else row.weighted_mean


# The saved games: the guesses they took, one strip per role and level.


def draw_statistics(groups: Sequence[GroupStatistics], names: Mapping[str, str], path: Path) -> Path:
    """Draw the groups, `names` saying what each role is called, and write the picture in one step.

    Raises `DeskError` when it cannot be written.
    """
    return _write_picture(lambda: _draw_statistics(groups, names), path)


def _draw_statistics(groups: Sequence[GroupStatistics], names: Mapping[str, str]) -> Figure:
    figure = _make_figure(7.2, 1.0 + 0.8 * len(groups))
    strips = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    most = max(max(group.guesses, default=1) for group in groups)
    for strip, group in zip(strips, groups, strict=True):
        _draw_statistics_strip(strip, group, most, f"{names[group.role]}\n{group.level}")
    games = sum(group.games for group in groups)
    title = f"{games} game{'s' * (games != 1)} of Jotto with NAO"
    return _finish_figure(figure, strips[-1], title, left=0.25, right=0.79, hspace=0.2)


def _draw_statistics_strip(strip: Axes, group: GroupStatistics, most: int, name: str) -> None:
    counts = group.distribution
    tallest = max(counts.values(), default=1)
    for bar in strip.bar(list(counts), list(counts.values()), width=0.86, color=_BAR_COLOUR):
        middle, top = bar.get_x() + bar.get_width() / 2, bar.get_height()
        strip.text(middle, top, f"{top:.0f}", ha="center", va="bottom", color=_QUIET_COLOUR, fontsize=7)
    if group.mean is not None:
        strip.plot([group.mean] * 2, [0, tallest], color=_MEAN_COLOUR, linewidth=1.2)
    average = "" if group.mean is None else f"{group.mean:.2f} on average\n"
    _label_strip(strip, most, tallest * 1.25, 0.25, (name, f"{average}{group.found} of {group.games} found"))


# Functions for notebooks/tour.ipynb: games played through the expert service, timed, and drawn.
#
# A notebook is hard to test and to compare in git, so its code is here.

#: Guesses and answers of the two games that the original notebooks played.
TOUR_GAMES: dict[str, list[tuple[str, str]]] = {
    "3024": [("0001", "b"), ("0555", "w"), ("5421", "bw"), ("3020", "bbb"), ("3023", "bbb")],
    "4241": [("0011", "b"), ("1431", "bw"), ("1312", "ww"), ("2521", "bw"), ("5241", "bbb"), ("4241", "bbbb")],
}
#: Milliseconds in which the original recompiled its knowledge after a guess (published).
_ORIGINAL_COMPILE_MS = (500.0, 19_000.0)
_RULE_COLOURS = {"exact": "#2c6e91", "classic": "#b03a2e"}
_TOUR_QUIET_COLOUR = "#777777"


@dataclass(frozen=True)
class Course:
    """The codes that fit after 0, 1, 2 ... turns of a game, and the milliseconds of each turn."""

    funnel: list[int]
    milliseconds: list[float]


def time_turns(
    expert: ExpertSystem,
    turns: Sequence[tuple[str, str]],
    rules: str = "exact",
    *,
    holes: int = 4,
    colours: int = 6,
    clock: Callable[[], float] = time.perf_counter,
) -> Course:
    """Send the turns of a game to the service one by one, and return their times, HTTP included."""
    game = expert.begin_game(rules, holes=holes, colours=colours)
    milliseconds = []
    for guess, answer in turns:
        before = clock()
        game.turn(guess, answer)
        milliseconds.append(1000 * (clock() - before))
    funnel = game.funnel
    game.delete()
    return Course(funnel, milliseconds)


def draw_funnels(courses: Mapping[str, Mapping[str, Course]]) -> Figure:
    """Draw the number of codes that fit by turn, one panel per game and one line per rule, on a logarithmic axis."""
    figure = _make_figure(9.0, 3.4)
    panels = figure.subplots(1, len(courses), sharey=True, squeeze=False)[0]
    for panel, (secret, rules) in zip(panels, courses.items(), strict=True):
        for rule, course in rules.items():
            panel.plot(course.funnel, marker="o", color=_RULE_COLOURS[rule], label=rule)
            style: dict[str, Any] = {"ha": "center", "fontsize": 8, "color": _RULE_COLOURS[rule]}
            for turn, left in enumerate(course.funnel[1:], start=1):
                shift = 0, 6 if rule == "classic" else -14
                panel.annotate(f"{left:,}", (turn, left), shift, textcoords="offset points", **style)
        turns = len(next(iter(rules.values())).funnel)
        panel.set(yscale="log", ylim=(0.45, 3000), xticks=range(turns), xlabel="turns", title=f"secret {secret}")
        panel.yaxis.set_major_formatter("{x:,.0f}")
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("codes that fit")
    panels[0].legend(frameon=False)
    figure.subplots_adjust(left=0.09, right=0.98, bottom=0.16, top=0.88, wspace=0.08)
    return figure


def draw_boxes(samples: Mapping[str, Mapping[str, Sequence[float]]]) -> Figure:
    """Draw the guesses of each strategy as box plots, one panel per sample: quartiles, median and mean.

    All panels need the same strategies. The whiskers end at the farthest games within 1.5 times the box.
    """
    names = list(next(iter(samples.values())))
    figure = _make_figure(9.0, 1.2 + 0.34 * len(names))
    panels = figure.subplots(1, len(samples), sharex=True, sharey=True, squeeze=False)[0]
    line, mean = {"color": _RULE_COLOURS["exact"]}, {"marker": "D", "markersize": 4}
    mean |= {"markerfacecolor": _MEAN_COLOUR, "markeredgecolor": _MEAN_COLOUR}
    for panel, (title, strategies) in zip(panels, samples.items(), strict=True):
        panel.boxplot(
            [strategies[name] for name in names],
            orientation="horizontal",
            tick_labels=names,
            # The panels share their ticks.
            manage_ticks=panel is panels[0],
            widths=0.6,
            showmeans=True,
            medianprops={**line, "linewidth": 2},
            meanprops=mean,
            flierprops={"marker": "o", "markersize": 3, "markeredgecolor": _QUIET_COLOUR},
        )
        panel.set(title=title, xlabel="guesses, the winning one counted; red: the mean")
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].invert_yaxis()
    figure.subplots_adjust(left=0.13, right=0.98, bottom=0.2, top=0.9, wspace=0.06)
    return figure


def draw_times(courses: Mapping[str, Course]) -> Figure:
    """Draw the time of each turn, next to the original's, on a logarithmic axis."""
    figure = _make_figure(9.0, 3.4)
    panel = figure.subplots()
    panel.axhspan(*_ORIGINAL_COMPILE_MS, color="#eeeeee")
    style: dict[str, Any] = {"ha": "right", "va": "top", "color": _TOUR_QUIET_COLOUR, "fontsize": 9}
    panel.text(0.99, 0.93, "the original, published: 0.5 to 19 s", transform=panel.transAxes, **style)
    for name, course in courses.items():
        panel.plot(range(1, len(course.milliseconds) + 1), course.milliseconds, marker="o", label=name)
    most = max(len(course.milliseconds) for course in courses.values())
    panel.set(yscale="log", ylim=(1, 40_000), xticks=range(1, most + 1))
    panel.set(xlabel="turn", ylabel="milliseconds, HTTP included")
    panel.yaxis.set_major_formatter("{x:,.0f}")
    panel.spines[["top", "right"]].set_visible(False)
    panel.legend(frameon=False, loc="upper left")
    figure.subplots_adjust(left=0.09, right=0.98, bottom=0.16, top=0.96)
    return figure
