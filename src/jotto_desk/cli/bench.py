"""`jotto bench`: exact averages of strategies over all secrets of a game, next to published figures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from jotto.tree import MAX_TREE_BYTES
from jotto_desk import files
from jotto_desk.cli import bench_compare
from jotto_desk.cli import options as problem_options
from jotto_desk.cli.shell import OUTPUT, SEARCH, CommandLine, Json, examples, option, print_json
from jotto_desk.errors import DeskError
from jotto_desk.terminal import Column, FittedTable, stdout_console
from jotto_desk.termination import gather, interruptible

if TYPE_CHECKING:
    from jotto_desk.solver.benchmark import BenchmarkRow, Contender, PublishedGame
    from jotto_desk.solver.feedback_table import Core, FeedbackTable

_MAX_SEEDS = 1000
#: How much worse a guess may be to be heard better, in the strategy's own unit (bits, words or answers).
_TOLERANCE = 0.05

app = CommandLine()
app.declare(*bench_compare.EXAMPLES)(bench_compare.compare)
_EXAMPLES = examples(
    "jotto bench",
    "jotto bench --rules mastermind --json",
    "jotto bench --rules mastermind --symbols 7 --strategies entropy-all,minimax-all",
    "jotto bench --words mywords.txt --strategies entropy --picture mywords.svg",
    "jotto bench --rules wordle --words answers.txt --wider guesses.txt --with-blocked --strategies entropy-wider",
    "jotto bench --strategies robot,entropy-all --tree wordlists/en.tree --speech",
    "jotto bench --rules mastermind --strategies article --first 0012",
    "jotto bench compare --rules mastermind --first 0012 --tree own",
)
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
_SPEECH = "Prefer guesses whose answers do not sound alike, and count answers that may be misheard."


@dataclass(frozen=True)
class _BenchmarkOptions:
    """The strategies to measure, and how; with `speech`, they prefer answers that do not sound alike."""

    strategies: Annotated[
        str, option(STRATEGIES, panel=SEARCH, metavar="NAMES", autocompletion=problem_options.complete_strategies)
    ] = "all"
    first: bench_compare.First = ""
    seeds: Annotated[
        int, option("Games per secret of strategies that use chance.", panel=SEARCH, min=1, max=_MAX_SEEDS)
    ] = 20
    tree: bench_compare.TreeFile = ""
    speech: Annotated[bool, option(_SPEECH, "--speech", panel=SEARCH)] = False


@app.callback(invoke_without_command=True, epilog=_EXAMPLES)
def bench(
    context: typer.Context,
    *,
    game: problem_options.ProblemOptions,
    options: _BenchmarkOptions,
    picture: Annotated[
        Path | None, option("Draw the distributions (svg, png).", panel=OUTPUT, metavar="FILE.svg")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play strategies against every secret of a game: averages, worst cases and times, with published figures.

    Every average is over all secrets, without sampling, and counts the winning guess.
    """
    if problem_options.is_for_a_subcommand(context):
        return
    chosen = game.choose()
    if picture is not None:
        problem_options.require_picture(picture, "matplotlib")
    options = replace(options, tree=bench_compare.tree_path(chosen, options.tree))
    _measure(chosen, options, picture, as_json)


def _measure(
    chosen: problem_options.ChosenProblem, options: _BenchmarkOptions, picture: Path | None, as_json: bool
) -> None:
    from jotto_desk.solver import cores, feedback_table

    engine = cores.best_core(remark=lambda sentence: print(sentence, file=sys.stderr))
    laid = interruptible(
        lambda: feedback_table.make_table(chosen.problem, engine.codes, files.cache_folder() / "tables")
    )
    rows, end = gather(_played(_contenders(chosen, laid, engine, options)))
    if picture is not None and rows:
        from jotto_desk import plots

        plots.draw_benchmark(rows, chosen.title, picture)
    if as_json:
        from jotto_desk.solver.benchmark import benchmark_to_dict

        print_json({**benchmark_to_dict(laid, engine.name, rows, chosen.plain()), "stopped": end is not None})
    elif rows:
        _print(rows, chosen, laid)
    if end is not None:
        raise end


def _contenders(
    chosen: problem_options.ChosenProblem, table: FeedbackTable, core: Core, options: _BenchmarkOptions
) -> list[Contender]:
    from jotto_desk.solver import benchmark
    from jotto_desk.solver.strategies import MishearingPenalty, confusion_chances, read_first_guess

    if options.speech:
        confusion_chances(chosen.problem.rules)
    ear = MishearingPenalty(_TOLERANCE) if options.speech else None
    first = read_first_guess(options.first, chosen.problem) if options.first else None
    found = benchmark.strategy_contenders(
        table,
        core,
        problem_options.split_names(options.strategies),
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
        raise DeskError(f"No strategy is named by '{options.strategies}'; leave --strategies out to measure all.")
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


def _print(rows: list[BenchmarkRow], chosen: problem_options.ChosenProblem, table: FeedbackTable) -> None:
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
    counts = " ".join(f"{turn}:{count:.0f}" for turn, count in row.distribution.items())
    most = str(row.maximum) if row.maximum == row.least_maximum else f"{row.least_maximum}-{row.maximum}"
    published = ""
    if row.published is not None:
        difference = row.mean / row.published.mean - 1
        published = f"{row.published.mean:.3f} {f'{difference:+.2%}' if difference else 'same'}"
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


def _remark(known: PublishedGame, secrets: int) -> str:
    best = known.best
    return (
        f"Published figures: {known.game}; the {best.strategy} is {best.mean:.4f}, {best.total:,} over {secrets:,} "
        f"secrets ({best.source})."
    )
