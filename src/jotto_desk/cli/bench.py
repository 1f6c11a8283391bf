"""`jotto bench`: exact averages of strategies over all secrets of a game, also with wrong answers."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, track

from jotto import tree
from jotto.rules import ForeignTree, TreeError
from jotto.tree import MAX_TREE_BYTES
from jotto_desk import files
from jotto_desk import words as lists
from jotto_desk.cli import bench_compare, shell
from jotto_desk.cli import options as problem_options
from jotto_desk.cli import search as search_display
from jotto_desk.cli.shell import OUTPUT, SEARCH, CommandLine, Json, examples
from jotto_desk.errors import DeskError
from jotto_desk.terminal import Column, FittedTable, stdout_console
from jotto_desk.termination import gather, interruptible

if TYPE_CHECKING:
    from jotto_desk.solver.benchmark import BenchmarkRow, Contender, PublishedGame
    from jotto_desk.solver.feedback_table import Core, FeedbackTable
    from jotto_desk.solver.problem import Plan
    from jotto_desk.solver.wrong_answers import ErrorFigures

# --- The second table of `jotto bench`: the same games with wrong answers, stopped or played on when nothing fits.

#: The width of the beam that finds a tree for a list without one.
_WIDTH = 5
#: Every secret is played with the errors of so many seeds, unless fewer are asked for.
_MAX_WRONG_SEEDS = 3
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
_Kind = Annotated[
    str,
    shell.choice_option(
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


def _check_wrong(rate: float | None, kind: str) -> str:
    """Name the kind of errors; raises `DeskError` for a rate or kind there is not."""
    from jotto_desk.solver import wrong_answers

    if rate is None and kind:
        raise DeskError(f"--error-kind {kind} says how answers are wrong; say how many with --error 0.05.")
    if rate is not None:
        wrong_answers.check_errors(rate, kind or wrong_answers.UNIFORM_ERRORS)
    return kind or wrong_answers.UNIFORM_ERRORS


def _play_wrong(
    chosen: problem_options.ChosenProblem,
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
    seeds = min(seeds, _MAX_WRONG_SEEDS)
    with contextlib.suppress(KeyboardInterrupt):
        if plan is None:
            plan, name = _found(table, core), f"beam of width {_WIDTH}"
        rows = wrong_answers.benchmark_errors(
            table, rate, 1, seeds=seeds, kind=kind, plan=plan, core=core, progress=_shown
        )
        return Wrong(rate, kind, seeds, name, rows)
    return None


def _content(chosen: problem_options.ChosenProblem, tree: str) -> tuple[bytes | None, str]:
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


def _plan(
    content: bytes, chosen: problem_options.ChosenProblem, table: FeedbackTable, *, is_given: bool
) -> Plan | None:
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
    effort = SearchOptions(width=_WIDTH, prove=False, plies=1)
    outcome, interrupted = search_display.watch_search(
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


def show_wrong(wrong: Wrong) -> None:
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


# --- `jotto bench`: exact averages of strategies over all secrets of a game, beside what is published.

_MAX_SEEDS = 1000
#: How much worse a guess may be to be heard better, in the strategy's own unit (bits, words or answers).
_TOLERANCE = 0.05

app = CommandLine()
app.command(epilog=bench_compare.EXAMPLES)(bench_compare.compare)
app.command(epilog=examples("jotto bench article", "jotto bench article --json"))(bench_compare.article)
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
_TREE = "A tree file to compare with the strategies; own: the one that comes with the list or code game."
_SPEECH = "Prefer guesses whose answers do not sound alike, and count answers that may be misheard."


@app.callback(invoke_without_command=True, epilog=_EXAMPLES)
def bench(
    context: typer.Context,
    rules: problem_options.RulesName = "jotto",
    words: problem_options.ListName = problem_options.DEFAULT_LIST,
    length: problem_options.Length = None,
    symbols: problem_options.Symbols = None,
    repeats: problem_options.Repeats = None,
    wider: problem_options.Wider = "",
    weights: problem_options.Weights = "uniform",
    with_blocked: problem_options.Blocked = False,
    strategies: Annotated[
        str,
        typer.Option(
            metavar="NAMES", rich_help_panel=SEARCH, autocompletion=problem_options.complete_strategies, help=STRATEGIES
        ),
    ] = "all",
    first: bench_compare.First = "",
    seeds: Annotated[
        int,
        typer.Option(
            min=1, max=_MAX_SEEDS, rich_help_panel=SEARCH, help="Games per secret of strategies that use chance."
        ),
    ] = 20,
    tree: Annotated[str, typer.Option(metavar="FILE", rich_help_panel=SEARCH, help=_TREE)] = "",
    speech: Annotated[bool, typer.Option("--speech", rich_help_panel=SEARCH, help=_SPEECH)] = False,
    error: Rate = None,
    error_kind: _Kind = "",
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
    chosen = problem_options.choose_problem(
        rules,
        words,
        length=length,
        symbols=symbols,
        repeats=repeats,
        wider=wider,
        weights=weights,
        with_blocked=with_blocked,
    )
    kind = _check_wrong(error, error_kind)
    if picture is not None:
        _require_picture(picture)
    options = _BenchmarkOptions(strategies, first, seeds, bench_compare.tree_path(chosen, tree), speech, error, kind)
    _measure(chosen, options, picture, as_json)


class _BenchmarkOptions(NamedTuple):
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
    wrong: Wrong | None
    stopped: bool


def _measure(
    chosen: problem_options.ChosenProblem, options: _BenchmarkOptions, picture: Path | None, as_json: bool
) -> None:
    from jotto_desk.solver import cores, feedback_table

    engine = cores.best_core(remark=lambda sentence: print(sentence, file=sys.stderr))
    laid = interruptible(
        lambda: feedback_table.make_table(chosen.problem, engine.codes, files.cache_folder() / "tables")
    )
    rows, end = gather(_played(_contenders(chosen, laid, engine, options)))
    wrong = None
    if options.error is not None and end is None:
        wrong = _play_wrong(
            chosen, laid, engine, rate=options.error, kind=options.kind, seeds=options.seeds, tree=options.tree
        )
        end = KeyboardInterrupt() if wrong is None else None
    _tell(Told(rows, wrong, end is not None), chosen, laid, core=engine.name, picture=picture, as_json=as_json)
    if end is not None:
        raise end


def _require_picture(picture: Path) -> None:
    problem_options.require_modules("matplotlib")
    from jotto_desk import plots

    plots.check_picture_kind(picture)
    shell.check_outputs(picture)


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
    told: Told,
    chosen: problem_options.ChosenProblem,
    table: FeedbackTable,
    *,
    core: str,
    picture: Path | None,
    as_json: bool,
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
            show_wrong(wrong)


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
