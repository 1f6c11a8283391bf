"""`jotto solve`: the best decision tree of a game or a word list, and the trees of the shipped lists."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, track

from jotto.rules import JOTTO
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk import files
from jotto_desk.cli import shell, tree_files
from jotto_desk.cli.options import is_for_a_subcommand, require_modules
from jotto_desk.cli.problem_options import ChosenProblem, Hard, ProblemOptions, make_word_problem
from jotto_desk.cli.shell import GAME, OUTPUT, CommandLine, Json, examples, option, print_json
from jotto_desk.cli.solve_options import WIDTH, SolveOptions, Threads
from jotto_desk.errors import DeskError
from jotto_desk.games.advice import describe_answer
from jotto_desk.terminal import CHECK_INTERVAL_S, Bar, Column, FittedTable, make_console, start_work
from jotto_desk.words import lists

if TYPE_CHECKING:
    from jotto_desk.solver.beam import OnProgress, SearchOptions, SearchOutcome, SearchState, StopSignal
    from jotto_desk.solver.problem import Plan, Problem

# The result.


@dataclass(frozen=True)
class SearchResult:
    """A problem, the options of its search, the outcome, its certificate; `interrupted` if Ctrl-C ended the search."""

    chosen: ChosenProblem
    options: SolveOptions
    effort: SearchOptions
    core: str
    outcome: SearchOutcome
    interrupted: bool
    certificate: bytes

    @property
    def things(self) -> str:
        """Return the word for the secrets: words or codes."""
        return "words" if self.chosen.wordlist else "codes"

    def make_file(self) -> bytes:
        """Return the tree file."""
        return tree_files.make_tree_file(self.chosen, self.effort, self.outcome, self.options.to_dict())


# The display.

#: The names of the stages for users.
_STAGES = {"beam": "a good tree", "early": "a tree of familiar words"}
_STAGES |= {"improve": "improving the tree", "bounds": "how good it could be", "proof": "the best tree"}
_STAGES |= {"certificate": "the proof as a file"}


def watch_search(
    search: Callable[[OnProgress], SearchOutcome], stop: StopSignal, weight: int
) -> tuple[SearchOutcome, bool]:
    """Run a search and show its progress; return the best result, and whether Ctrl-C ended the search.

    `weight` is the sum over all secrets: costs are shown per secret. A second Ctrl-C ends it without a result.
    """
    figures = (TextColumn("{task.fields[figures]}"), TimeElapsedColumn())
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *figures)
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("setting out", total=None, figures="")

        def tell(state: SearchState) -> None:
            stage, _, rest = state.stage.partition(" ")
            doing, figures = f"{_STAGES.get(stage, stage)} {rest}".strip(), _describe_state(state, weight)
            progress.update(task, description=doing, completed=state.done, total=state.of, figures=figures)

        return _run_until_stopped(lambda: search(tell), stop)


def _describe_state(state: SearchState, weight: int) -> str:
    """Return the best cost so far, the bound, and the gap between them in percent."""
    best = f"best {state.best / weight:.4f}"
    if state.bound <= 0:
        return best
    return f"{best}, bound {state.bound / weight:.4f}, gap {state.best / state.bound - 1:.1%}"


def _run_until_stopped(work: Callable[[], SearchOutcome], stop: StopSignal) -> tuple[SearchOutcome, bool]:
    """Wait for the work; after Ctrl-C, for the best result so far. Return it, and whether Ctrl-C was pressed."""
    result, interrupted = start_work(work), False
    while True:
        try:
            if wait([result], CHECK_INTERVAL_S).done:
                return result.result(), interrupted
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            stop.request()


# The search.


def run_search(chosen: ChosenProblem, options: SolveOptions, remark: lists.Remark = lists.print_remark) -> SearchResult:
    """Search in the foreground; `remark` gets notes. Raises `DeskError` if an option cannot be fulfilled."""
    from jotto_desk.solver import certificate, cores, first_guesses, search
    from jotto_desk.solver.beam import StopSignal

    problem, stop = chosen.problem, StopSignal()
    if options.certificate:
        certificate.check_problem(problem)
    effort = options.make_search_options(
        problem, None if options.start is None else tree_files.read_plan(options.start, chosen)
    )
    remarks: list[str] = []
    proofs = [b""]
    engine = cores.choose_core(problem, cores.SLOW_TO_SOLVE, remarks.append)

    def work(tell: OnProgress) -> SearchOutcome:
        def tell_all(state: SearchState) -> None:
            while remarks:  # The search has begun, so no option is wrong.
                remark(remarks.pop())
            tell(state)

        with options.open_cluster(remark) as cluster:
            if options.top:
                return first_guesses.rank_first_guesses(
                    problem, engine, effort, options.top, tell_all, stop=stop, cluster=cluster
                )
            found = search.search_tree(problem, engine, effort, tell_all, stop=stop, cluster=cluster)
        if options.certificate:
            title = f"{chosen.title}, SHA-256 {chosen.wordlist.checksum}" if chosen.wordlist else chosen.title
            proofs.append(certificate.make_certificate(found, title, tell_all))
        return found

    outcome, interrupted = watch_search(work, stop, int(problem.weights.sum()))
    return SearchResult(chosen, options, effort, engine.name, outcome, interrupted, proofs[-1])


# `jotto solve ship`: the trees of the lists that come with the game.


class _ShippedTree(NamedTuple):
    """A tree that comes with the game: its list, the weights of the words, how hard to search."""

    source: str
    weights: str
    options: SolveOptions


def _make_options(first: str, width: int = 20, source: str = DEFAULT_LANGUAGE) -> SolveOptions:
    """Limit the first guesses to early words, and avoid late ones; both are in files next to the list."""
    return SolveOptions(width=width, prove=False, first=first, early=f"{source}-early.txt", late=f"{source}-late.txt")


#: The English trees by name. NAO draws one of `en` and its numbers; `en-hard` is for games with words of any kind.
SHIPPED = {
    "en": _ShippedTree("en", "bands", _make_options("parts")),
    "en-2": _ShippedTree("en", "bands", _make_options("cares", 16)),
    "en-3": _ShippedTree("en", "bands", _make_options("dares", 30)),
    "en-4": _ShippedTree("en", "bands", _make_options("tapes", 30)),
    "en-hard": _ShippedTree("en", "uniform", _make_options("parts")),
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
    require_modules("numpy")
    folder, differ, wanted = out or _find_wordlists(), False, list_shipped_trees(languages or ())
    # The remark is the same for every tree, so it is made once.
    remark = functools.cache(lists.print_remark)
    if not check_only:
        shell.check_outputs(*(folder / f"{name}.tree" for name in wanted))
    for name, (source, weights, options) in wanted.items():
        blocked = lists.load_block_list(own=False, language=source)
        wordlist = lists.parse_list(lists.find(source), JOTTO, blocked).wordlist
        limited = replace(
            options, threads=threads, early=_find_list_part(options.early), late=_find_list_part(options.late)
        )
        problem = make_word_problem(wordlist.adapt_rules(JOTTO), wordlist, (), weights)
        best = run_search(problem, limited, remark)
        if best.interrupted:
            raise KeyboardInterrupt
        target, content = folder / f"{name}.tree", best.make_file()
        same = target.is_file() and target.read_bytes() == content
        if not check_only:
            files.write_whole(target, content)
        differ |= not same
        print(f"{target}: {'the same' if same else 'another' if check_only else 'new'}, {len(content):,} bytes.")
    raise typer.Exit(int(check_only and differ))


def list_shipped_trees(languages: Sequence[str]) -> dict[str, _ShippedTree]:
    """Return the trees of these languages by name, or of all languages if `languages` is empty. Raises `DeskError`."""
    folder = files.find_shipped_path("wordlists")
    found = dict[str, _ShippedTree]()
    for code in map(lists.parse_language_code, languages or (DEFAULT_LANGUAGE, *lists.list_recipe_codes(folder))):
        found.update(
            SHIPPED if code == DEFAULT_LANGUAGE else _list_trees_of_recipe(lists.read_recipe(folder, code), folder)
        )
    return found


def _list_trees_of_recipe(recipe: lists.Recipe, folder: Path) -> dict[str, _ShippedTree]:
    # A language that is only begun can have no such words yet, or a single one, which makes no list.
    has_late = len(lists.read_own_list(folder / f"{recipe.code}-late.txt")) > 1
    kinds = ((recipe.code, "bands", recipe.openers), (f"{recipe.code}-hard", "uniform", recipe.hard_openers))
    found = {}
    for name, weights, openers in kinds:
        for number, first in enumerate(openers, 1):
            options = _make_options(first, source=recipe.code)
            tree = _ShippedTree(recipe.code, weights, options if has_late else replace(options, late=""))
            found[f"{name}-{number}" if number > 1 else name] = tree
    return found


def _find_list_part(name: str) -> str:
    return str(files.find_shipped_path("wordlists") / name) if name else ""


def _find_wordlists() -> Path:
    root = files.find_checkout()
    if root is None:
        raise DeskError("There is no project folder here to write to; give one with --out DIR.")
    return root / "wordlists"


# The report of a search, for people and as JSON.

#: The most lines of a tree that are printed.
_MAX_TREE_LINES = 60


def _report_plainly(found: SearchResult) -> dict[str, Any]:
    """Return everything as a dict that JSON can hold; `lower_bound` is in the unit of `weighted_total`, if any."""
    problem, outcome, effort = found.chosen.problem, found.outcome, found.effort
    weighted = {} if problem.is_uniform else {"weighted_total": outcome.cost}
    tree = {"tree": _convert_plan(outcome.plan, problem)} if found.chosen.turns else {}
    return {
        **tree,
        **outcome.plain(),
        **weighted,
        **found.chosen.plain(),
        "words": len(problem.weights),
        "guesses": len(problem.guesses),
        "weights": problem.kind,
        "max_guesses": effort.cap,
        "width": effort.width,
        "command": tree_files.make_command_line(found.chosen, found.options.to_dict()),
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
    if found.options.top:
        console.print(_make_ranking(found))
    if not (found.options.top and found.chosen.turns):
        console.print(sheet)
    for sentence in _describe_result(found):
        console.print(sentence, markup=False)
    if found.chosen.turns:
        lines = list(_list_tree_lines(_convert_plan(found.outcome.plan, found.chosen.problem)))
        if len(lines) > _MAX_TREE_LINES:
            lines[_MAX_TREE_LINES:] = [f"... and {len(lines) - _MAX_TREE_LINES:,} more; --json gives them all."]
        console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def _make_ranking(found: SearchResult) -> FittedTable:
    """Make the table of the best first guesses."""
    figures = found.outcome.plain()
    heading = "guess" if found.chosen.turns else "first guess"
    sheet = FittedTable(found.chosen.title, *map(Column, ("", heading, "total", "mean")), Column("", is_text=True))
    for place, row in enumerate(figures["first_guesses"], 1):
        note = "can be it" if row["can_be_secret"] and found.chosen.turns else ""
        note = note if row["proven"] else "at most"
        sheet.add(f"{place}", _show_guess(row["guess"]), f"{row['total']:,}", f"{row['mean']:.4f}", note)
    return sheet


def _show_guess(guess: Any) -> str:
    return (guess if isinstance(guess, str) else " ".join(map(str, guess))).upper()


def _convert_plan(plan: Plan, problem: Problem) -> dict[str, Any]:
    """Convert a tree to a dict for JSON: a guess, and the trees after its answers."""
    after = {
        describe_answer(problem.classes[code], problem.rules): _convert_plan(child, problem)
        for code, child in plan.children.items()
    }
    return {"guess": problem.guesses[plan.guess], "answers": after}


def _list_tree_lines(tree: dict[str, Any], answer: str = "", depth: int = 0) -> Iterator[str]:
    """Yield a line for each guess of a tree: the answer before it, then the guess."""
    yield f"{'  ' * depth}{answer}{_show_guess(tree['guess'])}"
    for told, child in tree["answers"].items():
        yield from _list_tree_lines(child, f"{told}: ", depth + 1)


def _describe_result(found: SearchResult) -> list[str]:
    """Return sentences about the tree's quality, and its distance from the optimum."""
    counted, problem, outcome = found.outcome.plain(), found.chosen.problem, found.outcome
    if problem.is_uniform:
        total = f"{counted['total']:,} for {counted['secrets']:,} {found.things}"
        mean = f"{counted['mean']:.4f} guesses on average ({total})"
    else:
        mean = (
            f"{counted['weighted_mean']:.4f} guesses expected where common words are likelier "
            f"({counted['mean']:.4f} if all were alike)"
        )
    which = "Next" if found.chosen.turns else "First"
    said = [
        f"{which} guess {counted['first'].upper()}. {mean}, {counted['max']} at most; the winning guess is counted."
    ]
    if counted["missed"]:
        said.append(f"{counted['missed']:,} {found.things} are not found within {found.effort.cap} guesses.")
    said.append(_describe_list(counted) if found.options.top else _describe_distance(found))
    if found.options.is_quick(problem) and not outcome.proven:
        said.append(f"This was a quick search: --width {WIDTH} finds better trees, --prove the best.")
    return said + ([outcome.trouble] if outcome.trouble else [])


def _describe_list(counted: dict[str, Any]) -> str:
    if counted["list_proven"]:
        return "Proven: these totals are exact, and no other guess has a lower total than the last one."
    return "Not proven: another guess may be better than the last one, and a total marked 'at most' may be lower."


def _describe_distance(found: SearchResult) -> str:
    outcome, effort, weight = found.outcome, found.effort, int(found.chosen.problem.weights.sum())
    kind = " in hard mode" if found.chosen.problem.is_hard else ""
    kind += " that begins so" if effort.first is not None else ""
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
    "jotto solve --rules wordle --words answers.txt --wider guesses.txt --with-blocked --top 10",
    'jotto solve --rules wordle --after "salet BYBGB"     (the best next guesses, with the tree after each answer)',
    "jotto solve verify mywords.tree",
)


@app.callback(invoke_without_command=True, epilog=_EXAMPLES)
def solve(
    context: typer.Context,
    *,
    game: ProblemOptions,
    options: SolveOptions,
    hard: Hard = False,
    after: Annotated[
        list[str] | None,
        option(
            "Start after a guess and its answer, once per turn; --max-guesses counts from here.",
            panel=GAME,
            metavar="TURN",
        ),
    ] = None,
    out: Annotated[
        Path | None, option("Write the tree to this file, for `jotto play` and robots.", panel=OUTPUT, metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the decision tree that needs the fewest guesses, and compare it with the optimum.

    Ctrl-C or --time ends the search with the best tree so far.
    """
    if is_for_a_subcommand(context):
        return
    options.check()
    chosen = game.choose()
    if hard:
        if options.start or options.early or options.late:
            raise DeskError("--from, --early and --late do not keep hard mode; leave them out, or --hard.")
        chosen = chosen.set_hard_mode()
    if after:
        if out:
            raise DeskError("A tree file starts with the first guess; leave --out or --after out. --json has the tree.")
        chosen, options = chosen.add_turns(after), options.list_next_guesses()
    raise typer.Exit(_solve(chosen, options, out, as_json))


def _solve(chosen: ChosenProblem, options: SolveOptions, out: Path | None, as_json: bool) -> int:
    if out:
        tree_files.check_tree_place(out, chosen)
    shell.check_outputs(options.checkpoint, options.certificate)
    best = run_search(chosen, options)
    if as_json:
        print_json({**_report_plainly(best), "out": str(out) if out else None})
    else:
        _show_report(best)
    if best.interrupted:
        lists.print_remark("This is the best tree so far.")
    if out:
        content = best.make_file()
        files.write_whole(out, content)
        lists.print_remark(f"Wrote {out}, {len(content):,} bytes.{tree_files.make_verify_hint(out, chosen)}")
    if options.certificate and best.certificate:
        files.write_whole(options.certificate, best.certificate)
        lists.print_remark(f"Wrote {options.certificate}, {len(best.certificate):,} bytes.")
    elif options.certificate:
        lists.print_remark("The proof was stopped, so no certificate was written.")
    return 130 if best.interrupted else 0


@app.declare("jotto solve verify mine.tree", "jotto solve verify some.tree --words mine.txt --json")
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A tree file.")],
    words: Annotated[str, option("The tree's list; default: the one next to the tree.", metavar="LIST")] = "",
    as_json: Json = False,
) -> None:
    """Replay every secret of a tree file with the reference scorer, and check its certificate."""
    console = Console(stderr=True)

    def show_progress(secrets: Iterable[Any]) -> Iterable[Any]:
        return track(secrets, "playing every secret", console=console, transient=True, disable=not console.is_terminal)

    verdict = tree_files.verify_tree(file, words, show_progress)
    if as_json:
        print_json({"file": str(file), **verdict.plain()})
        return
    for sentence in tree_files.describe_verdict(file, verdict):
        Console(highlight=False, soft_wrap=True).print(sentence, markup=False)


app.declare("jotto solve ship", "jotto solve ship --check", "jotto solve ship fr de")(ship)
