"""What notebooks/tour.ipynb shows: games played through the service, timed, and drawn.

A notebook is hard to test and to read as a difference, so what it does stands here, and it calls it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

if TYPE_CHECKING:
    from .expert import ExpertSystem

#: Guesses and answers of the two games that the original notebooks played.
GAMES: dict[str, list[tuple[str, str]]] = {
    "3024": [("0001", "b"), ("0555", "w"), ("5421", "bw"), ("3020", "bbb"), ("3023", "bbb")],
    "4241": [("0011", "b"), ("1431", "bw"), ("1312", "ww"), ("2521", "bw"), ("5241", "bbb"), ("4241", "bbbb")],
}
#: What the original needed to compile its knowledge again after a guess, in milliseconds (published).
ORIGINAL = (500.0, 19_000.0)
COLOURS = {"exact": "#2c6e91", "classic": "#b03a2e"}
QUIET = "#777777"


@dataclass(frozen=True)
class Course:
    """A game's course: how many codes fitted after 0, 1, 2 ... turns, and how long each turn took to be worked out."""

    funnel: list[int]
    milliseconds: list[float]


def played(
    expert: ExpertSystem,
    turns: Sequence[tuple[str, str]],
    rules: str = "exact",
    *,
    holes: int = 4,
    colours: int = 6,
    clock: Callable[[], float] = time.perf_counter,
) -> Course:
    """Tell a game's turns to the service, one by one, and take the time of each, HTTP included."""
    game = expert.new_game(rules, holes=holes, colours=colours)
    milliseconds = []
    for guess, answer in turns:
        before = clock()
        game.turn(guess, answer)
        milliseconds.append(1000 * (clock() - before))
    funnel = game.funnel
    game.delete()
    return Course(funnel, milliseconds)


def draw_funnels(courses: Mapping[str, Mapping[str, Course]]) -> Figure:
    """Draw how the codes that fit become fewer: one panel a game, one line a rule; the axis is logarithmic."""
    figure = Figure(figsize=(9.0, 3.4))
    panels = figure.subplots(1, len(courses), sharey=True, squeeze=False)[0]
    for panel, (secret, rules) in zip(panels, courses.items(), strict=True):
        for rule, course in rules.items():
            above = rule == "classic"
            panel.plot(course.funnel, marker="o", color=COLOURS[rule], label=rule)
            for turn, left in enumerate(course.funnel[1:], start=1):
                panel.annotate(
                    f"{left:,}",
                    (turn, left),
                    (0, 6 if above else -14),
                    textcoords="offset points",
                    ha="center",
                    fontsize=8,
                    color=COLOURS[rule],
                )
        turns = len(next(iter(rules.values())).funnel)
        panel.set(yscale="log", ylim=(0.45, 3000), xticks=range(turns), xlabel="turns", title=f"secret {secret}")
        panel.yaxis.set_major_formatter("{x:,.0f}")
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("codes that fit")
    panels[0].legend(frameon=False)
    figure.subplots_adjust(left=0.09, right=0.98, bottom=0.16, top=0.88, wspace=0.08)
    return figure


def draw_times(courses: Mapping[str, Course]) -> Figure:
    """Draw how long each turn took, beside what the original needed; the axis is logarithmic."""
    figure = Figure(figsize=(9.0, 3.4))
    panel = figure.subplots()
    panel.axhspan(*ORIGINAL, color="#eeeeee")
    panel.text(
        0.99,
        0.93,
        "the original, published: 0.5 to 19 s",
        transform=panel.transAxes,
        ha="right",
        va="top",
        color=QUIET,
        fontsize=9,
    )
    for name, course in courses.items():
        panel.plot(range(1, len(course.milliseconds) + 1), course.milliseconds, marker="o", label=name)
    most = max(len(course.milliseconds) for course in courses.values())
    panel.set(
        yscale="log", ylim=(1, 40_000), xticks=range(1, most + 1), xlabel="turn", ylabel="milliseconds, HTTP included"
    )
    panel.yaxis.set_major_formatter("{x:,.0f}")
    panel.spines[["top", "right"]].set_visible(False)
    panel.legend(frameon=False, loc="upper left")
    figure.subplots_adjust(left=0.09, right=0.98, bottom=0.16, top=0.96)
    return figure
