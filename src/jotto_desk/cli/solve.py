"""`jotto solve`: the best decision tree of a game or a word list, and the trees of the shipped lists."""

import functools
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.progress import track

from jotto.rules import JOTTO
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk import files
from jotto_desk.cli import options as problem_options, search, shell
from jotto_desk.cli.search import WIDTH, SearchResult, SolveOptions, Threads
from jotto_desk.cli.shell import OUTPUT, CommandLine, Json, examples, option, print_json
from jotto_desk.errors import DeskError
from jotto_desk.terminal import Bar, Column, FittedTable, make_console
from jotto_desk.words import lists

# `jotto solve ship`: the trees of the lists that come with the game.


class _ShippedTree(NamedTuple):
    """A tree that comes with the game: its list, the weights of the words, how hard to search."""

    source: str
    weights: str
    options: SolveOptions


def _beginning(first: str, width: int = 20, source: str = DEFAULT_LANGUAGE) -> SolveOptions:
    """Limit the first guesses to early words, and avoid late ones; both are in files next to the list."""
    return SolveOptions(width=width, prove=False, first=first, early=f"{source}-early.txt", late=f"{source}-late.txt")


#: The English trees by name. NAO draws one of `en` and its numbers; `en-hard` is for games with words of any kind.
SHIPPED = {
    "en": _ShippedTree("en", "bands", _beginning("parts")),
    "en-2": _ShippedTree("en", "bands", _beginning("cares", 16)),
    "en-3": _ShippedTree("en", "bands", _beginning("dares", 30)),
    "en-4": _ShippedTree("en", "bands", _beginning("tapes", 30)),
    "en-hard": _ShippedTree("en", "uniform", _beginning("parts")),
    "en-sharpest": _ShippedTree("en", "bands", SolveOptions(width=30, prove=False, late="en-late.txt")),
    "en-within-6": _ShippedTree("en", "uniform", SolveOptions(width=20, prove=False, max_guesses=6)),
}


def ship(
    languages: Annotated[
        list[str] | None,
        typer.Argument(metavar="LANG...", help="Language codes, such as fr; default: all that come with the game."),
    ] = None,
    check_only: Annotated[bool, option("Write nothing; exit with 1 if a tree differs.", "--check")] = False,
    threads: Threads = None,
    out: Annotated[Path | None, option("Folder to write to; default: wordlists.", metavar="DIR")] = None,
) -> None:
    """Write the trees of the lists that come with the game; the output is reproducible."""
    problem_options.require_modules("numpy")
    folder, differ, wanted = out or _wordlists(), False, trees_of(languages or ())
    # The remark is the same for every tree, so it is made once.
    remark = functools.cache(lists.print_remark)
    if not check_only:
        shell.check_outputs(*(folder / f"{name}.tree" for name in wanted))
    for name, (source, weights, options) in wanted.items():
        blocked = lists.load_block_list(own=False, language=source)
        wordlist = lists.parse_list(lists.find(source), JOTTO, blocked).wordlist
        limited = replace(options, threads=threads, early=_beside(options.early), late=_beside(options.late))
        problem = problem_options.make_word_problem(wordlist.adapt_rules(JOTTO), wordlist, (), weights)
        best = search.run_search(problem, limited, remark)
        if best.interrupted:
            raise KeyboardInterrupt
        target, content = folder / f"{name}.tree", search.make_tree_file(best)
        same = target.is_file() and target.read_bytes() == content
        if not check_only:
            files.write_whole(target, content)
        differ |= not same
        print(f"{target}: {'the same' if same else 'another' if check_only else 'new'}, {len(content):,} bytes.")
    raise typer.Exit(int(check_only and differ))


def trees_of(languages: Sequence[str]) -> dict[str, _ShippedTree]:
    """Return the trees of these languages by name, or of all languages if none is named; raises `DeskError`."""
    folder = files.find_shipped_path("wordlists")
    found = dict[str, _ShippedTree]()
    for code in map(lists.parse_language_code, languages or (DEFAULT_LANGUAGE, *lists.list_recipe_codes(folder))):
        found.update(SHIPPED if code == DEFAULT_LANGUAGE else _by_recipe(lists.read_recipe(folder, code), folder))
    return found


def _by_recipe(recipe: lists.Recipe, folder: Path) -> dict[str, _ShippedTree]:
    # A language that is only begun may have no such words yet, or a single one, which makes no list.
    has_late = len(lists.read_own_list(folder / f"{recipe.code}-late.txt")) > 1
    kinds = ((recipe.code, "bands", recipe.openers), (f"{recipe.code}-hard", "uniform", recipe.hard_openers))
    found = {}
    for name, weights, openers in kinds:
        for number, first in enumerate(openers, 1):
            options = _beginning(first, source=recipe.code)
            tree = _ShippedTree(recipe.code, weights, options if has_late else replace(options, late=""))
            found[f"{name}-{number}" if number > 1 else name] = tree
    return found


def _beside(name: str) -> str:
    return str(files.find_shipped_path("wordlists") / name) if name else ""


def _wordlists() -> Path:
    root = files.find_checkout()
    if root is None:
        raise DeskError("There is no project folder here to write to; give one with --out DIR.")
    return root / "wordlists"


# The report of a search, for people and as JSON.


def _report_plainly(found: SearchResult) -> dict[str, Any]:
    """Return everything as a dict that JSON can hold; `lower_bound` is in the unit of `weighted_total`, if any."""
    problem, outcome, effort = found.chosen.problem, found.outcome, found.effort
    weighted = {} if problem.is_uniform else {"weighted_total": outcome.cost}
    return {
        **outcome.plain(),
        **weighted,
        **found.chosen.plain(),
        "words": len(problem.weights),
        "guesses": len(problem.guesses),
        "weights": problem.kind,
        "max_guesses": effort.cap,
        "width": effort.width,
        "command": search.command_line(found.chosen, found.options.named()),
        "core": found.core,
        "cores": os.cpu_count() or 1,
        "threads": effort.threads,
        "interrupted": found.interrupted,
        "trouble": outcome.trouble or None,
    }


def _show_report(found: SearchResult) -> None:
    """Print the distribution as a table, and plain sentences about it."""
    counts = found.outcome.plain()["distribution"]
    sheet = FittedTable(found.chosen.title, Column("guesses"), Column(found.things), Column("", is_text=True))
    most = max(counts.values(), default=1)
    for turns, count in counts.items():
        sheet.add(turns, f"{count:,}", Bar(count / most))
    console = make_console()
    console.print(sheet)
    for sentence in _describe_result(found):
        console.print(sentence, markup=False)


def _describe_result(found: SearchResult) -> list[str]:
    """Return how good the tree is, and how close to optimal it is."""
    counted, problem, outcome = found.outcome.plain(), found.chosen.problem, found.outcome
    if problem.is_uniform:
        total = f"{counted['total']:,} for {counted['secrets']:,} {found.things}"
        mean = f"{counted['mean']:.4f} guesses on average ({total})"
    else:
        mean = (
            f"{counted['weighted_mean']:.4f} guesses expected where common words are likelier "
            f"({counted['mean']:.4f} if all were alike)"
        )
    said = [f"First guess {counted['first'].upper()}. {mean}, {counted['max']} at most; the winning guess is counted."]
    if counted["missed"]:
        said.append(f"{counted['missed']:,} {found.things} are not found within {found.effort.cap} guesses.")
    said.append(_distance(found))
    if found.options.is_quick(problem) and not outcome.proven:
        said.append(f"This was a quick search: --width {WIDTH} finds better trees, --prove the best.")
    return said + ([outcome.trouble] if outcome.trouble else [])


def _distance(found: SearchResult) -> str:
    outcome, effort, weight = found.outcome, found.effort, int(found.chosen.problem.weights.sum())
    kind = " that begins so" if effort.first is not None else ""
    if effort.cap is not None:
        kind += f" of {effort.cap} guesses at most"
    if outcome.proven:
        return f"Proven: no tree{kind} does better."
    if outcome.lower_bound <= 0:
        return f"Nothing is known about better trees{kind}."
    bound, cost = outcome.lower_bound / weight, outcome.cost / weight
    counted = ", misses counted" if found.options.miss is not None else ""
    return (
        f"No tree{kind} is below {bound:.4f}{counted}: the best there is may be better by {cost - bound:.4f} "
        f"at most ({(cost - bound) / cost:.1%})."
    )


# `jotto solve`: the command.

app = CommandLine()
_EXAMPLES = examples(
    "jotto solve --rules mastermind",
    "jotto solve --words mywords.txt --out mywords.tree     (for jotto play --words mywords.txt)",
    "jotto solve --weights bands --width 20 --out common.tree",
    "jotto solve --words mywords.txt --prove --checkpoint mywords.check --out mywords.tree",
    "jotto solve --words mywords.txt --from mywords.tree --width 40 --out better.tree",
    "jotto solve --weights bands --first parts --early wordlists/en-early.txt --late wordlists/en-late.txt --width 20",
    "jotto solve --rules wordle --words answers.txt --wider guesses.txt --with-blocked --first salet --width 20",
    "jotto solve verify mywords.tree",
)


@app.callback(invoke_without_command=True, epilog=_EXAMPLES)
def solve(
    context: typer.Context,
    *,
    game: problem_options.ProblemOptions,
    options: SolveOptions,
    out: Annotated[
        Path | None, option("Write the tree to this file, for `jotto play` and robots.", panel=OUTPUT, metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the decision tree that needs the fewest guesses, and how close to optimal it is.

    Ctrl-C or --time ends the search and keeps the best tree so far.
    """
    if problem_options.is_for_a_subcommand(context):
        return
    options.check()
    raise typer.Exit(_solve(game.choose(), options, out, as_json))


def _solve(chosen: problem_options.ChosenProblem, options: SolveOptions, out: Path | None, as_json: bool) -> int:
    if out:
        search.check_tree_place(out, chosen)
    shell.check_outputs(options.checkpoint)
    best = search.run_search(chosen, options)
    if as_json:
        print_json({**_report_plainly(best), "out": str(out) if out else None})
    else:
        _show_report(best)
    if best.interrupted:
        lists.print_remark("This is the best tree so far.")
    if out:
        content = search.make_tree_file(best)
        files.write_whole(out, content)
        lists.print_remark(f"Wrote {out}, {len(content):,} bytes.{search.make_verify_hint(out, chosen)}")
    return 130 if best.interrupted else 0


@app.declare("jotto solve verify mine.tree", "jotto solve verify some.tree --words mine.txt --json")
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A tree file.")],
    words: Annotated[str, option("The tree's list; default: the one next to the tree.", metavar="LIST")] = "",
    as_json: Json = False,
) -> None:
    """Replay every secret of a tree file with the reference scorer, and check its certificate."""
    console = Console(stderr=True)

    def shown(secrets: Iterable[Any]) -> Iterable[Any]:
        return track(secrets, "playing every secret", console=console, transient=True, disable=not console.is_terminal)

    verdict = search.verify_tree(file, words, shown)
    if as_json:
        print_json({"file": str(file), **verdict.plain()})
        return
    for sentence in search.describe_verdict(file, verdict):
        Console(highlight=False, soft_wrap=True).print(sentence, markup=False)


app.declare("jotto solve ship", "jotto solve ship --check", "jotto solve ship fr de")(ship)
