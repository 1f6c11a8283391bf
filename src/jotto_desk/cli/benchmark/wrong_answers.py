"""The second table of `jotto bench`: the same games with wrong answers, stopped or played on when nothing fits."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from jotto import tree
from jotto.rules import ForeignTree, TreeError
from jotto.tree import MAX_TREE_BYTES
from jotto_desk import files
from jotto_desk.terminal import Column, FittedTable, stdout_console

from ... import words as lists
from ...errors import DeskError
from .. import problem_options
from ..shell import SEARCH, choices
from ..solving import search_display

if TYPE_CHECKING:
    from jotto_desk.solver.feedback_table import Core, FeedbackTable
    from jotto_desk.solver.problem import Plan
    from jotto_desk.solver.wrong_answers import ErrorFigures

#: The width of the beam that finds a tree for a list without one.
WIDTH = 5
#: Every secret is played with the errors of so many seeds, unless fewer are asked for.
MOST_SEEDS = 3
#: What people call the ways to play.
WAYS = {"consistent": "consistent, stops", "filter": "{base}, stops", "belief": "{base}, plays on"}

Rate = Annotated[
    float | None,
    typer.Option(
        "--error",
        metavar="RATE",
        rich_help_panel=SEARCH,
        help="Play with wrong answers too: 0.05 is one in twenty (0 to 0.5).",
    ),
]
Kind = Annotated[
    str,
    choices.chosen(
        "--error-kind",
        options=("uniform", "near"),
        what="kind of errors",
        panel=SEARCH,
        help="near: wrong by one letter; uniform: any wrong answer (if not given).",
    ),
]


@dataclass(frozen=True)
class Wrong:
    """How games go with wrong answers; `base` names the tree the ways follow, but for the consistent one."""

    rate: float
    kind: str
    seeds: int
    base: str
    rows: Sequence[ErrorFigures]

    def of(self, strategy: str, rate: float) -> ErrorFigures:
        """Find the figures of a way to play."""
        return next(row for row in self.rows if (row.strategy, row.rate) == (strategy, rate))

    @property
    def clean_cost(self) -> float:
        """How many guesses more a game takes when all answers are right and NAO is ready for wrong ones."""
        return (self.of("belief", 0.0).mean or 0.0) - (self.of("filter", 0.0).mean or 0.0)

    def plain(self) -> dict[str, Any]:
        """Return all of it as a dict that JSON can hold."""
        return {
            "rate": self.rate,
            "kind": self.kind,
            "seeds": self.seeds,
            "base": self.base,
            "clean_cost": self.clean_cost,
            "strategies": [row.plain() for row in self.rows],
        }


def check(rate: float | None, kind: str) -> str:
    """Name the kind of errors; raises `DeskError` for a rate or kind there is not."""
    from jotto_desk.solver import wrong_answers

    if rate is None and kind:
        raise DeskError(f"--error-kind {kind} says how answers are wrong; say how many with --error 0.05.")
    if rate is not None:
        wrong_answers.check_errors(rate, kind or wrong_answers.UNIFORM_ERRORS)
    return kind or wrong_answers.UNIFORM_ERRORS


def play(
    chosen: problem_options.Chosen,
    table: FeedbackTable,
    core: Core,
    *,
    rate: float,
    kind: str,
    seeds: int,
    tree: str = "",
) -> Wrong | None:
    """Play every secret with wrong answers, following the tree given, else the list's own, else one found soon.

    None after Ctrl-C.
    """
    from jotto_desk.solver import wrong_answers

    content, name = _content(chosen, tree)
    plan = None if content is None else _plan(content, chosen, table, is_given=bool(tree))
    seeds = min(seeds, MOST_SEEDS)
    with contextlib.suppress(KeyboardInterrupt):
        if plan is None:
            plan, name = _found(table, core), f"beam of width {WIDTH}"
        rows = wrong_answers.benchmark_errors(
            table, rate, 1, seeds=seeds, kind=kind, plan=plan, core=core, progress=_shown
        )
        return Wrong(rate, kind, seeds, name, rows)
    return None


def _content(chosen: problem_options.Chosen, tree: str) -> tuple[bytes | None, str]:
    """Read the tree file given, or the one of the list."""
    from jotto_behaviour import mind

    path = Path(tree)
    if not tree:
        name = chosen.wordlist.name if chosen.wordlist else ""
        path = (
            files.shipped_path("wordlists") / f"{name}.tree"
            if name in lists.names()
            else Path(mind.get_tree_path(name))
        )
        if not name or "://" in name or not path.is_file():
            return None, ""
    return files.read_bounded(path, MAX_TREE_BYTES, "tree file"), f"tree {path.name}"


def _plan(content: bytes, chosen: problem_options.Chosen, table: FeedbackTable, *, is_given: bool) -> Plan | None:
    """Read a plan; a tree found by default is passed over when it cannot be used."""
    from jotto_desk.solver import problem

    rules, listed = table.problem.rules, chosen.wordlist
    with contextlib.nullcontext() if is_given else contextlib.suppress(TreeError, ForeignTree, DeskError):
        words = tree.list_codes(rules) if listed is None else listed.words
        return problem.plan_of_tree(tree.read_tree(content).bound_to(words, rules), table.problem)
    return None


def _found(table: FeedbackTable, core: Core) -> Plan:
    from jotto_desk.solver import search
    from jotto_desk.solver.beam import SearchOptions, StopSignal

    stop = StopSignal()
    effort = SearchOptions(width=WIDTH, prove=False, plies=1)
    outcome, interrupted = search_display.watched(
        lambda tell: search.search_tree(table.problem, core, effort, tell, stop=stop),
        stop,
        int(table.problem.weights.sum()),
    )
    if interrupted:
        raise KeyboardInterrupt
    return outcome.plan


def _shown(runs: Sequence[Any]) -> Iterable[Any]:
    console = Console(stderr=True)
    return track(runs, "wrong answers", console=console, transient=True, disable=not sys.stderr.isatty())


def show(wrong: Wrong) -> None:
    """Print the table, and what being ready for wrong answers costs."""
    kind = "off by one letter" if wrong.kind == "near" else "any other answer"
    sheet = FittedTable(
        f"{wrong.rate:.3g} of the answers wrong ({kind}), {wrong.seeds} games a secret",
        Column("strategy", is_text=True, folds=True),
        Column("solved"),
        Column("dead ends", leaves=3),
        Column("mean"),
        Column("most", leaves=2),
        Column("mean if all are right", leaves=1),
    )
    for strategy, called in WAYS.items():
        row, clean = wrong.of(strategy, wrong.rate), wrong.of(strategy, 0.0)
        sheet.add(
            called.format(base=wrong.base),
            f"{row.solved:.3%}",
            f"{row.dead_ends:.2%}",
            "" if row.mean is None else f"{row.mean:.4f}",
            str(row.max),
            f"{clean.mean:.4f}",
        )
    console = stdout_console()
    console.print(sheet)
    console.print(
        "Averages are over the games solved. Being ready for wrong answers costs "
        f"{wrong.clean_cost:.4f} guesses where all are right."
    )
