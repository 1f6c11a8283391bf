"""`jotto bench compare`: strategies compared with statistics."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.console import Console

from jotto.tree import MAX_TREE_BYTES
from jotto_desk import files
from jotto_desk.cli import options
from jotto_desk.cli.shell import SEARCH, Json, option, print_json
from jotto_desk.errors import DeskError
from jotto_desk.terminal import Column, FittedTable, stdout_console
from jotto_desk.termination import interruptible

if TYPE_CHECKING:
    from jotto_desk.solver.comparison import Comparison, Contest
    from jotto_desk.solver.strategies import TableStrategy

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

First = Annotated[
    str, option("First guess of all strategies; codes also as numbers: 0012.", panel=SEARCH, metavar="GUESS")
]
NAMES = """article (first, random, platyk, mesok, leptok), all, or names as `jotto bench` has them, with commas
between."""
TreeFile = Annotated[
    str,
    option(
        "A tree file to compare with the strategies; own: the one that comes with the list or code game.",
        "--tree",
        panel=SEARCH,
        metavar="FILE",
    ),
]
EXAMPLES = (
    "jotto bench compare --rules mastermind --first 0012 --tree own",
    "jotto bench compare --rules mastermind --first 0012 --sample 72 --seed 7",
    "jotto bench compare --rules mastermind --symbols 8 --strategies article",
    "jotto bench compare --strategies random,robot,entropy-all --json",
)


def compare(
    *,
    game: options.GameOptions,
    strategies: Annotated[
        str, option(NAMES, panel=SEARCH, metavar="NAMES", autocompletion=options.complete_strategies)
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
    options.require_modules("scipy")
    held = _play_contest(chosen, strategies, first=first, tree=tree, sample=sample, seed=seed)
    if as_json:
        print_json({**chosen.plain(), **held.plain(seed)})
    elif held.playouts:
        looked = f"{len(held.secrets):,} drawn" if held.drawn else "all"
        show(held, f"{chosen.title}; games: {looked}", seed)
    if held.stopped:
        raise KeyboardInterrupt


def _play_contest(
    chosen: options.ChosenProblem, names: str, *, first: str, tree: str, sample: int | None, seed: int
) -> Contest:
    from jotto_desk.solver import comparison, cores, feedback_table, strategies

    problem = chosen.problem
    engine = cores.best_core(remark=lambda sentence: print(sentence, file=sys.stderr))
    guess = strategies.read_first_guess(first, problem) if first else None
    players = _players(chosen, names, tree)
    with Console(stderr=True).status("playing every secret"):
        laid = interruptible(lambda: feedback_table.make_table(problem, engine.codes, files.cache_folder() / "tables"))
        return comparison.contest(laid, engine, players, first=guess, sample=sample, seed=seed, run=interruptible)


def _players(chosen: options.ChosenProblem, names: str, tree: str) -> list[TableStrategy]:
    from jotto_desk.solver import comparison, strategies

    players = strategies.make_strategies(options.split_names(names), chosen.problem, bands=chosen.bands)
    if tree:
        listed = chosen.wordlist
        path = Path(tree_path(chosen, tree))
        content = files.read_bounded(path, MAX_TREE_BYTES, "tree file")
        players.append(comparison.plan_player(f"tree {path.stem}", content, chosen.problem, listed and listed.words))
    if not 1 <= len(players) <= _MOST_PLAYERS:
        raise DeskError(f"'{names}' names {len(players)} strategies; 1 to {_MOST_PLAYERS} can be compared.")
    return players


def tree_path(chosen: options.ChosenProblem, tree: str) -> str:
    """Find the tree file that is named; `own` is the one that comes with the list or game (`DeskError`: none does)."""
    if tree != _OWN_TREE:
        return tree
    rules, listed = chosen.problem.rules, chosen.wordlist
    if listed is not None:
        path = files.shipped_path("wordlists") / f"{listed.name}.tree"
    else:
        name = _TREES.get((rules.name, rules.length, len(rules.alphabet), rules.repeats), "")
        path = Path(__file__).parents[1] / "games" / "trees" / rules.name / name
    if not path.is_file():
        raise DeskError("No tree comes with this game; make one with jotto solve --out FILE, and give it as --tree.")
    return str(path)


# What is printed


def show(held: Contest, title: str, seed: int = 1) -> None:
    """Print the statistics of a contest, by each way to count."""
    console = stdout_console()
    console.print(title, markup=False)
    for comparison in held.compared(seed):
        console.print()
        _print(console, comparison, held.firsts)
    console.print()
    for sentence in _remarks(held):
        console.print(sentence, markup=False)


def _print(console: Console, comparison: Comparison, firsts: dict[str, str]) -> None:
    from jotto_desk.solver.comparison import COUNT_KINDS

    groups = FittedTable(COUNT_KINDS[comparison.count], *_GROUPS)
    for group in comparison.groups:
        counts = (f"{group.variance:.3f}", f"{group.median:g}", f"{group.least}-{group.most}", _p(group.normality))
        first, interval = firsts[group.name], f"{group.low:.3f}-{group.high:.3f}"
        groups.add(group.name, first, f"{group.mean:.4f}", interval, *counts)
    console.print(groups)
    if not comparison.pairs:
        return
    pairs = FittedTable("", *_PAIRS)
    for pair in comparison.pairs:
        chances = map(_p, (pair.t, pair.t_holm, pair.wilcoxon, pair.wilcoxon_holm))
        names, interval = f"{pair.one} - {pair.other}", f"{pair.low:+.3f} {pair.high:+.3f}"
        pairs.add(names, f"{pair.difference:+.3f}", interval, *chances)
    console.print(pairs)
    console.print(f"Equal variances (Levene): p {_p(comparison.variances)}.")


def _p(chance: float | None) -> str:
    if chance is None:
        return "-"
    return f"<{_SMALL:.4f}" if chance < _SMALL else f"{chance:.4f}" if chance < 0.01 else f"{chance:.3f}"


def _remarks(held: Contest) -> Iterable[str]:
    """Yield sentences that explain the figures."""
    if held.drawn:
        yield "A sample: other secrets would give other averages, as the intervals tell."
    else:
        yield (
            "Every secret was played, so the averages of this game are exact; intervals and p-values say how far as "
            "many secrets drawn anew could differ."
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
