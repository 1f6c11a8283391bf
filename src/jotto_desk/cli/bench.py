"""`jotto bench`: exact averages of strategies over all secrets of a game, next to published figures.

`jotto bench compare` compares strategies with statistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from jotto.tree import MAX_TREE_BYTES
from jotto_desk import files
from jotto_desk.cli.options import ClusterOptions, is_for_a_subcommand, require_modules, require_picture
from jotto_desk.cli.problem_options import ChosenProblem, GameOptions, ProblemOptions, complete_strategies, split_names
from jotto_desk.cli.shell import OUTPUT, SEARCH, CommandLine, Json, examples, option, print_json
from jotto_desk.errors import DeskError
from jotto_desk.terminal import Column, FittedTable, gather, make_console, run_interruptible
from jotto_desk.words import lists

if TYPE_CHECKING:
    from jotto_desk.cluster import Cluster
    from jotto_desk.solver.benchmark import BenchmarkRow, Contender, PublishedGame
    from jotto_desk.solver.comparison import Comparison, Contest
    from jotto_desk.solver.feedback_table import Core, FeedbackTable
    from jotto_desk.solver.strategies import TableStrategy

_MAX_SEEDS = 1000
#: The score that a guess can lose to be heard better, in the strategy's own unit (bits, words or answers).
_TOLERANCE = 0.05

app = CommandLine()
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
    Column("guesses: secrets", is_text=True, folds=True, leaves=3, least=20),
    Column("misheard a game", leaves=5),
    Column("published", leaves=4),
    Column("seconds", leaves=1),
)
STRATEGIES = """all, or names with commas between: consistent, frequent-first, robot, entropy, expected-size, minimax,
most-parts, each with the ending -cand, -all or -wider (asks fitting words, the list, or more); platykurtic,
mesokurtic, leptokurtic; article: first, random and these three."""
First = Annotated[
    str, option("First guess of all strategies; codes also as numbers: 0012.", panel=SEARCH, metavar="GUESS")
]
TreeFile = Annotated[
    str,
    option(
        "A tree file to compare with the strategies; own: the one that comes with the list or code game.",
        "--tree",
        panel=SEARCH,
        metavar="FILE",
    ),
]
_SPEECH = "Prefer guesses whose answers do not sound alike, and count answers that may be misheard."


@dataclass(frozen=True)
class _BenchmarkOptions(ClusterOptions):
    """The strategies to measure, and how; with `speech`, they prefer answers that do not sound alike."""

    strategies: Annotated[
        str, option(STRATEGIES, panel=SEARCH, metavar="NAMES", autocompletion=complete_strategies)
    ] = "all"
    first: First = ""
    seeds: Annotated[
        int, option("Games per secret of strategies that use chance.", panel=SEARCH, min=1, max=_MAX_SEEDS)
    ] = 20
    tree: TreeFile = ""
    speech: Annotated[bool, option(_SPEECH, "--speech", panel=SEARCH)] = False


@app.callback(invoke_without_command=True, epilog=_EXAMPLES)
def bench(
    context: typer.Context,
    *,
    game: ProblemOptions,
    options: _BenchmarkOptions,
    picture: Annotated[
        Path | None, option("Draw the distributions (svg, png).", panel=OUTPUT, metavar="FILE.svg")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play strategies against every secret of a game: averages, worst cases and times, with published figures.

    Every average is over all secrets, without sampling, and counts the winning guess.
    """
    if is_for_a_subcommand(context):
        return
    chosen = game.choose()
    if picture is not None:
        require_picture(picture, "matplotlib")
    options = replace(options, tree=find_tree_path(chosen, options.tree))
    _measure(chosen, options, picture, as_json)


def _measure(chosen: ChosenProblem, options: _BenchmarkOptions, picture: Path | None, as_json: bool) -> None:
    from jotto_desk.solver import cores
    from jotto_desk.solver.feedback_table import make_table

    remarks: list[str] = []
    engine = cores.choose_core(chosen.problem, cores.SLOW_TO_PLAY, remarks.append)
    laid = run_interruptible(lambda: make_table(chosen.problem, engine.add_planes))
    with options.open_cluster() as cluster:
        contenders = _make_contenders(chosen, laid, engine, options, cluster)
        for remark in remarks:  # A wrong option gets only its error.
            lists.print_remark(remark)
        rows, end = gather(_play_contenders(contenders))
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


def _make_contenders(
    chosen: ChosenProblem, table: FeedbackTable, core: Core, options: _BenchmarkOptions, cluster: Cluster | None
) -> list[Contender]:
    from jotto_desk.solver import benchmark
    from jotto_desk.solver.strategies import MishearingPenalty, compute_confusions, parse_first_guess

    if options.speech:
        compute_confusions(chosen.problem.rules)
    ear = MishearingPenalty(_TOLERANCE) if options.speech else None
    first = parse_first_guess(options.first, chosen.problem) if options.first else None
    found = benchmark.make_strategy_contenders(
        table,
        core,
        split_names(options.strategies),
        seeds=options.seeds,
        ear=ear,
        listen=options.speech,
        bands=chosen.bands,
        first=first,
        cluster=cluster,
    )
    if options.tree:
        content = files.read_bounded(options.tree, MAX_TREE_BYTES, "tree file")
        listed = chosen.wordlist
        words, bands = (listed.words, listed.bands) if listed else (None, ())
        found.append(
            benchmark.make_tree_contender(
                f"tree {Path(options.tree).name}", content, chosen.problem.rules, words, bands
            )
        )
    if not found:
        raise DeskError(f"--strategies '{options.strategies}' names no strategy; leave it out to measure all.")
    return found


def _play_contenders(contenders: list[Contender]) -> Iterator[BenchmarkRow]:
    """Play one after the other, with a bar on the terminal; small games need none."""
    few = sum(contender.secrets for contender in contenders) < 20_000
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=few or not console.is_terminal) as progress:
        for contender in contenders:
            task = progress.add_task(contender.name, total=contender.secrets)
            yield run_interruptible(partial(contender.play, partial(progress.advance, task)))
            progress.remove_task(task)


def _print(rows: list[BenchmarkRow], chosen: ChosenProblem, table: FeedbackTable) -> None:
    from jotto_desk.solver.benchmark import find_published

    figures = find_published(table.problem)
    sheet = FittedTable(chosen.title, *COLUMNS)
    for row in rows:
        sheet.add(*_list_cells(row, not chosen.problem.is_uniform))
    console = make_console()
    console.print(sheet)
    console.print("Averages are over all secrets; the winning guess is counted.")
    if figures:
        console.print(_remark(figures, len(chosen.problem.weights)), markup=False)


def _list_cells(row: BenchmarkRow, weighted: bool) -> list[str]:
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


# `jotto bench compare`.

_MOST_SAMPLE = 100_000
_MOST_PLAYERS = 12
_OWN_TREE = "own"
#: Codes whose best tree comes with the game: length, symbols, repeats.
_TREES = {("mastermind", 4, 6, True): "four-of-six.tree"}
#: Below this p-values are said to be so.
_SMALL = 0.0001
_GROUPS = (
    Column("strategy", is_text=True, folds=True),
    Column("first", is_text=True, leaves=3),
    Column("mean"),
    Column("95 %"),
    Column("var.", leaves=4),
    Column("med.", leaves=2),
    Column("range", leaves=5),
    Column("normal", leaves=1),
)
_PAIRS = (
    Column("pair", is_text=True, folds=True),
    Column("apart"),
    Column("95 %", folds=True),
    Column("t", leaves=1),
    Column("t (Holm)", leaves=3),
    Column("Wilcoxon", leaves=2),
    Column("Wilcoxon (Holm)", leaves=4),
)
NAMES = """article (first, random, platyk, mesok, leptok), all, or names as `jotto bench` has them, with commas
between."""


@app.declare(
    "jotto bench compare --rules mastermind --first 0012 --tree own",
    "jotto bench compare --rules mastermind --first 0012 --sample 72 --seed 7",
    "jotto bench compare --rules mastermind --symbols 8 --strategies article",
    "jotto bench compare --strategies random,robot,entropy-all --json",
)
def compare(
    *,
    game: GameOptions,
    strategies: Annotated[
        str, option(NAMES, panel=SEARCH, metavar="NAMES", autocompletion=complete_strategies)
    ] = "article,entropy-all",
    first: First = "",
    tree: TreeFile = "",
    sample: Annotated[int | None, option("Compare on N random secrets.", panel=SEARCH, min=3, max=_MOST_SAMPLE)] = None,
    seed: Annotated[
        int, option("Random seed of sample, random play and intervals.", panel=SEARCH, min=0, max=2**31)
    ] = 1,
    as_json: Json = False,
) -> None:
    """Compare strategies on the same secrets: intervals, corrected paired tests, and tests of their assumptions."""
    chosen = game.choose()
    require_modules("scipy")
    held = _play_contest(chosen, strategies, first=first, tree=tree, sample=sample, seed=seed)
    if as_json:
        print_json({**chosen.plain(), **held.plain(seed)})
    elif held.playouts:
        looked = f"{len(held.secrets):,} drawn" if held.drawn else "all"
        show(held, f"{chosen.title}; games: {looked}", seed)
    if held.stopped:
        raise KeyboardInterrupt


def _play_contest(
    chosen: ChosenProblem, names: str, *, first: str, tree: str, sample: int | None, seed: int
) -> Contest:
    from jotto_desk.solver import comparison, cores, strategies
    from jotto_desk.solver.feedback_table import make_table

    problem = chosen.problem
    guess = strategies.parse_first_guess(first, problem) if first else None
    players = _make_players(chosen, names, tree)
    engine = cores.choose_core(problem, cores.SLOW_TO_PLAY, lists.print_remark)
    with Console(stderr=True).status("playing every secret"):
        laid = run_interruptible(lambda: make_table(problem, engine.add_planes))
        return comparison.hold_contest(
            laid, engine, players, first=guess, sample=sample, seed=seed, run=run_interruptible
        )


def _make_players(chosen: ChosenProblem, names: str, tree: str) -> list[TableStrategy]:
    from jotto_desk.solver import comparison, strategies

    players = strategies.make_strategies(split_names(names), chosen.problem, bands=chosen.bands)
    if tree:
        listed = chosen.wordlist
        path = Path(find_tree_path(chosen, tree))
        content = files.read_bounded(path, MAX_TREE_BYTES, "tree file")
        players.append(
            comparison.make_plan_player(f"tree {path.stem}", content, chosen.problem, listed and listed.words)
        )
    if not 1 <= len(players) <= _MOST_PLAYERS:
        raise DeskError(f"'{names}' names {len(players)} strategies; 1 to {_MOST_PLAYERS} can be compared.")
    return players


def find_tree_path(chosen: ChosenProblem, tree: str) -> str:
    """Find the tree file that is named; `own` is the one that comes with the list or game (`DeskError`: none does)."""
    if tree != _OWN_TREE:
        return tree
    rules, listed = chosen.problem.rules, chosen.wordlist
    if listed is not None:
        path = files.find_shipped_path("wordlists") / f"{listed.name}.tree"
    else:
        name = _TREES.get((rules.name, rules.length, len(rules.alphabet), rules.repeats), "")
        path = Path(__file__).parents[1] / "games" / "trees" / rules.name / name
    if not path.is_file():
        raise DeskError("No tree comes with this game; make one with jotto solve --out FILE, and give it as --tree.")
    return str(path)


# The printed tables


def show(held: Contest, title: str, seed: int = 1) -> None:
    """Print the statistics of a contest, by each way to count."""
    console = make_console()
    console.print(title, markup=False)
    for comparison in held.compare_players(seed):
        console.print()
        _print_comparison(console, comparison, held.firsts)
    console.print()
    for sentence in _remarks(held):
        console.print(sentence, markup=False)


def _print_comparison(console: Console, comparison: Comparison, firsts: dict[str, str]) -> None:
    from jotto_desk.solver.comparison import COUNT_KINDS

    groups = FittedTable(COUNT_KINDS[comparison.count], *_GROUPS)
    for group in comparison.groups:
        counts = (
            f"{group.variance:.3f}",
            f"{group.median:g}",
            f"{group.least}-{group.most}",
            _format_p(group.normality),
        )
        first, interval = firsts[group.name], f"{group.low:.3f}-{group.high:.3f}"
        groups.add(group.name, first, f"{group.mean:.4f}", interval, *counts)
    console.print(groups)
    if not comparison.pairs:
        return
    pairs = FittedTable("", *_PAIRS)
    for pair in comparison.pairs:
        chances = map(_format_p, (pair.t, pair.t_holm, pair.wilcoxon, pair.wilcoxon_holm))
        names, interval = f"{pair.one} - {pair.other}", f"{pair.low:+.3f} {pair.high:+.3f}"
        pairs.add(names, f"{pair.difference:+.3f}", interval, *chances)
    console.print(pairs)
    console.print(f"Equal variances (Levene): p {_format_p(comparison.variances)}.")


def _format_p(chance: float | None) -> str:
    if chance is None:
        return "-"
    return f"<{_SMALL:.4f}" if chance < _SMALL else f"{chance:.4f}" if chance < 0.01 else f"{chance:.3f}"


def _remarks(held: Contest) -> Iterable[str]:
    """Yield sentences that explain the figures."""
    if held.drawn:
        yield "A sample: other secrets would give other averages, as the intervals tell."
    else:
        yield (
            "Every secret was played, so the averages of this game are exact; intervals and p-values show how "
            "the averages of as many secrets, drawn again, could differ."
        )
    yield (
        "95 %: of the means of games drawn from these again (bootstrap). Under the tests' names p-values; they are "
        "paired by secret, and corrected for the number of pairs (Holm)."
    )
    yield (
        "Whole numbers of guesses are never normal (Shapiro), so t rests on the number of games, and Wilcoxon does "
        "without; both stand here."
    )
    if len(set(held.firsts.values())) > 1:
        yield (
            "The first guesses differ, so guess and strategy are compared together; --first fixes it (a tree keeps "
            "its own)."
        )
    if "consistent" in held.playouts:
        yield "Random play is one game a secret, by the seed; jotto bench --seeds has its average over many."
