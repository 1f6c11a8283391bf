"""`jotto bench`: exact averages of strategies over all secrets of a game, beside what is published."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from jotto.tree import MAX_TREE_BYTES
from jotto_desk import files
from jotto_desk.terminal import Column, FittedTable, stdout_console

from ...errors import DeskError
from .. import problem_options
from ..shell import OUTPUT, SEARCH, outputs
from ..shell.commands import CommandLine, examples
from ..shell.shared import Json
from ..termination import gathered, interruptible
from . import compare, wrong_answers

if TYPE_CHECKING:
    from jotto_desk.solver.benchmark import BenchmarkRow, Contender, PublishedGame
    from jotto_desk.solver.feedback_table import Core, FeedbackTable

MOST_SEEDS = 1000
#: How much worse a guess may be to be heard better, in the strategy's own unit (bits, words or answers).
TOLERANCE = 0.05

app = CommandLine()
app.command(epilog=compare.EXAMPLES)(compare.compare)
app.command(epilog=examples("jotto bench article", "jotto bench article --json"))(compare.article)
_EXAMPLES = """
Examples:

  jotto bench

  jotto bench --rules mastermind --json

  jotto bench --rules mastermind --symbols 7 --strategies entropy-all,minimax-all

  jotto bench --words mywords.txt --strategies entropy --picture mywords.svg

  jotto bench --rules wordle --words answers.txt --wider guesses.txt --with-blocked --strategies entropy-wider

  jotto bench --strategies robot,entropy-all --tree wordlists/en.tree --speech

  jotto bench --strategies robot --error 0.05

  jotto bench --rules mastermind --strategies article --first 0012

  jotto bench compare --rules mastermind --first 0012 --tree own

  jotto bench article
"""
COLUMNS = (
    Column("strategy", is_text=True, folds=True),
    Column("first", is_text=True, leaves=2),
    Column("mean"),
    Column("by weight", leaves=6),
    Column("most"),
    Column("guesses: secrets", is_text=True, folds=True, leaves=4, least=20),
    Column("misheard a game", leaves=5),
    Column("published", leaves=3),
    Column("seconds", leaves=1),
)
STRATEGIES = """all, or names with commas between: consistent, frequent-first, robot, entropy, expected-size, minimax,
most-parts, each with the ending -cand, -all or -wider (asks fitting words, the list, or more); platykurtic,
mesokurtic, leptokurtic; article: first, random and these three."""
TREE = "A tree file to compare with the strategies; own: the one that comes with the list or code game."
SPEECH = "Prefer guesses whose answers do not sound alike, and count answers that may be misheard."


@app.callback(invoke_without_command=True, epilog=_EXAMPLES)
def bench(
    context: typer.Context,
    rules: problem_options.RulesName = "jotto",
    words: problem_options.Words = problem_options.DEFAULT,
    length: problem_options.Length = None,
    symbols: problem_options.Symbols = None,
    repeats: problem_options.Repeats = None,
    wider: problem_options.Wider = "",
    weights: problem_options.Weights = "uniform",
    with_blocked: problem_options.Blocked = False,
    strategies: Annotated[
        str,
        typer.Option(
            metavar="NAMES", rich_help_panel=SEARCH, autocompletion=problem_options.strategies, help=STRATEGIES
        ),
    ] = "all",
    first: compare.First = "",
    seeds: Annotated[
        int,
        typer.Option(
            min=1, max=MOST_SEEDS, rich_help_panel=SEARCH, help="Games per secret of strategies that use chance."
        ),
    ] = 20,
    tree: Annotated[str, typer.Option(metavar="FILE", rich_help_panel=SEARCH, help=TREE)] = "",
    speech: Annotated[bool, typer.Option("--speech", rich_help_panel=SEARCH, help=SPEECH)] = False,
    error: wrong_answers.Rate = None,
    error_kind: wrong_answers.Kind = "",
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", rich_help_panel=OUTPUT, help="Draw the distributions (svg, png).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play strategies against every secret of a game: averages, worst cases and times, with published figures.

    Every average is over all secrets, without sampling, and counts the winning guess. With --error, a second table has
    the same games with wrong answers: the strategy stops when no word fits, or plays on with the likeliest words.
    """
    if problem_options.is_for_a_subcommand(context):
        return
    chosen = problem_options.choose(
        rules,
        words,
        length=length,
        symbols=symbols,
        repeats=repeats,
        wider=wider,
        weights=weights,
        with_blocked=with_blocked,
    )
    kind = wrong_answers.check(error, error_kind)
    if picture is not None:
        _require_picture(picture)
    options = BenchmarkOptions(strategies, first, seeds, compare.tree_path(chosen, tree), speech, error, kind)
    _measure(chosen, options, picture, as_json)


class BenchmarkOptions(NamedTuple):
    """Whom to measure: names of strategies, the first guess of all of them, games of those that draw, a tree file.

    `speech`: by how answers sound; `error`: how many answers are wrong, of which `kind`.
    """

    names: str
    first: str
    seeds: int
    tree: str
    speech: bool
    error: float | None
    kind: str


class Told(NamedTuple):
    """What was measured: rows of the first table, those of the second, and whether it was stopped."""

    rows: list[BenchmarkRow]
    wrong: wrong_answers.Wrong | None
    stopped: bool


def _measure(chosen: problem_options.Chosen, options: BenchmarkOptions, picture: Path | None, as_json: bool) -> None:
    from jotto_desk.solver import cores, feedback_table

    engine = cores.best_core(remark=lambda sentence: print(sentence, file=sys.stderr))
    laid = interruptible(
        lambda: feedback_table.make_table(chosen.problem, engine.codes, files.cache_folder() / "tables")
    )
    rows, end = gathered(_played(_contenders(chosen, laid, engine, options)))
    wrong = None
    if options.error is not None and end is None:
        wrong = wrong_answers.play(
            chosen, laid, engine, rate=options.error, kind=options.kind, seeds=options.seeds, tree=options.tree
        )
        end = KeyboardInterrupt() if wrong is None else None
    _tell(Told(rows, wrong, end is not None), chosen, laid, core=engine.name, picture=picture, as_json=as_json)
    if end is not None:
        raise end


def _require_picture(picture: Path) -> None:
    problem_options.demand("matplotlib")
    from jotto_desk import plots

    plots.check_picture_kind(picture)
    outputs.ready(picture)


def _contenders(
    chosen: problem_options.Chosen, table: FeedbackTable, core: Core, options: BenchmarkOptions
) -> list[Contender]:
    from jotto_desk.solver import benchmark
    from jotto_desk.solver.strategies import MishearingPenalty, confusion_chances, read_first_guess

    if options.speech:
        confusion_chances(chosen.problem.rules)
    ear = MishearingPenalty(TOLERANCE) if options.speech else None
    first = read_first_guess(options.first, chosen.problem) if options.first else None
    found = benchmark.strategy_contenders(
        table,
        core,
        problem_options.split_names(options.names),
        seeds=options.seeds,
        ear=ear,
        listen=options.speech,
        bands=chosen.bands,
        first=first,
    )
    if options.tree:
        content = files.read_bounded(options.tree, MAX_TREE_BYTES, "tree file")
        listed = chosen.wordlist
        words, bands = (listed.words, listed.bands) if listed else (None, ())
        found.append(
            benchmark.tree_contender(f"tree {Path(options.tree).name}", content, chosen.problem.rules, words, bands)
        )
    if not found:
        raise DeskError(f"No strategy is named by '{options.names}'; leave --strategies out to measure all.")
    return found


def _played(contenders: list[Contender]) -> Iterator[BenchmarkRow]:
    """Play one after the other, with a bar on the terminal; small games need none."""
    few = sum(contender.secrets for contender in contenders) < 20_000
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=few or not console.is_terminal) as progress:
        for contender in contenders:
            task = progress.add_task(contender.name, total=contender.secrets)
            yield interruptible(partial(contender.play, partial(progress.advance, task)))
            progress.remove_task(task)


def _tell(
    told: Told, chosen: problem_options.Chosen, table: FeedbackTable, *, core: str, picture: Path | None, as_json: bool
) -> None:
    rows, wrong = told.rows, told.wrong
    if picture is not None and rows:
        from jotto_desk import plots

        plots.draw_benchmark(rows, chosen.title, picture)
    if as_json:
        from jotto_desk.solver.benchmark import benchmark_to_dict

        found = {**benchmark_to_dict(table, core, rows, chosen.plain()), "stopped": told.stopped}
        typer.echo(json.dumps(found if wrong is None else {**found, "wrong_answers": wrong.plain()}))
    elif rows:
        _print(rows, chosen, table)
        if wrong is not None:
            wrong_answers.show(wrong)


def _print(rows: list[BenchmarkRow], chosen: problem_options.Chosen, table: FeedbackTable) -> None:
    from jotto_desk.solver.benchmark import find_published

    figures = find_published(table.problem)
    sheet = FittedTable(chosen.title, *COLUMNS)
    for row in rows:
        sheet.add(*_cells(row, not chosen.problem.is_uniform))
    console = stdout_console()
    console.print(sheet)
    console.print("Averages are over all secrets; the winning guess is counted.")
    if figures:
        console.print(_remark(figures, len(chosen.problem.weights)), markup=False)


def _cells(row: BenchmarkRow, weighted: bool) -> list[str]:
    from jotto_desk.solver.benchmark import matches_published

    counts = " ".join(f"{turn}:{count:.0f}" for turn, count in row.distribution.items())
    most = str(row.maximum) if row.maximum == row.least_maximum else f"{row.least_maximum}-{row.maximum}"
    published = ""
    if row.published is not None:
        difference = row.mean / row.published.mean - 1
        published = f"{row.published.mean:.3f} " + (
            "same" if matches_published(row, row.published) else f"{difference:+.2%}"
        )
    return [
        row.strategy,
        row.first or f"{row.runs} seeds",
        f"{row.mean:.4f}" if row.error is None else f"{row.mean:.4f} ± {row.error:.3f}",
        f"{row.weighted_mean:.4f}" if weighted else "",
        f"{most}, {row.missed:.0f} missed" if row.missed else most,
        counts,
        "" if row.misheard is None else f"{row.misheard:.3f}",
        published,
        f"{row.seconds:.2f}",
    ]


def _remark(figures: PublishedGame, secrets: int) -> str:
    game = f"{figures.game}{', known by its size alone' if figures.by_size else ''}"
    best = figures.best
    if best is None:
        return f"Published figures: {game}."
    total = f", {best.total:,} over {secrets:,} secrets" if best.total else ""
    return f"Published figures: {game}; the {best.strategy} is {best.mean:.4f}{total} ({best.source})."
