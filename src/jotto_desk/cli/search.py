"""The search of `jotto solve`: its options, its display, its result, and the tree file."""

from __future__ import annotations

import contextlib
import math
import os
import shlex
from collections.abc import Callable, Iterable
from concurrent.futures import wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from jotto import tree
from jotto.rules import JOTTO, ForeignTree, JottoError
from jotto.words import EMPTY_BLOCK_LIST, BlockList, WordList, fold_word
from jotto_desk import files
from jotto_desk.addresses import hide_login
from jotto_desk.cli import options as problem_options, shell
from jotto_desk.cli.shell import ADVANCED, SEARCH, option
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.games.advice import GAME_RULES
from jotto_desk.terminal import CHECK_INTERVAL_S, start_work
from jotto_desk.words import lists

if TYPE_CHECKING:
    from jotto_desk.solver.beam import OnProgress, SearchOptions, SearchOutcome, SearchState, StopSignal
    from jotto_desk.solver.problem import Plan, Problem
    from jotto_desk.solver.trees import VerifiedTree

# The options of `jotto solve`.

#: Most words of a list, and most exchangeable codes of a game, that are searched to the end.
_SMALL = 500
_SMALL_CODES = 5_100
#: Most exchangeable codes of a game that is searched on one core.
_FEW_CODES = 2_000
#: Guesses tried per set, for a good tree of thousands of words in seconds.
_QUICK_WIDTH = 3
#: Guesses tried per set, for a better tree in minutes.
WIDTH = 20
_MAX_SEARCH_S = 10_000_000.0

Threads = Annotated[int | None, option("Number of threads; default: one per core.", panel=ADVANCED, min=1, max=256)]


_search_option, _advanced_option = partial(option, panel=SEARCH), partial(option, panel=ADVANCED)


@dataclass(frozen=True)
class SolveOptions:
    """The options of a search; None, False or empty if not given."""

    max_guesses: Annotated[
        int | None, _search_option("Find every word within N guesses.", min=1, max=60, metavar="N")
    ] = None
    miss: Annotated[
        int | None,
        _search_option("Allow words to be missed; each adds TURNS to the cost.", min=1, max=70_000, metavar="TURNS"),
    ] = None
    first: Annotated[str, _search_option("Begin with this guess.", metavar="WORD")] = ""
    early: Annotated[
        str,
        _advanced_option(
            "Words for the first two guesses; the third is one of them if that costs little.", metavar="FILE"
        ),
    ] = ""
    late: Annotated[str, _advanced_option("Words asked only if no other word is left.", metavar="FILE")] = ""
    start: Annotated[
        Path | None, _search_option("Start from this tree and improve it if possible.", "--from", metavar="FILE")
    ] = None
    width: Annotated[
        int | None, _search_option("Try the K most promising guesses at every point.", min=1, max=1000, metavar="K")
    ] = None
    whole: Annotated[
        int | None,
        _advanced_option("Try every guess if at most N words are left (default: 8).", min=1, max=100, metavar="N"),
    ] = None
    patience: Annotated[
        int | None,
        _advanced_option("Try up to N more guesses per set until no word is missed.", min=0, max=30_000, metavar="N"),
    ] = None
    prove: Annotated[
        bool | None,
        _search_option("Search until the tree is proven optimal, or never prove it.", "--prove/--beam-only"),
    ] = None
    quick: Annotated[bool, _search_option("Find a good tree in seconds; the default for long lists.", "--quick")] = (
        False
    )
    seconds: Annotated[
        float | None, _search_option("Search for S seconds, then keep the best tree.", "--time", metavar="S")
    ] = None
    threads: Threads = None
    memory: Annotated[
        int, _advanced_option("Memory for the search's table of solved sets.", min=16, max=1 << 20, metavar="MB")
    ] = 512
    cluster: Annotated[
        str,
        _advanced_option(
            "A Dask scheduler whose workers do the proof. Dask has no login and exchanges pickles: use only trusted "
            "machines, or TLS.",
            metavar="tcp://HOST:PORT",
        ),
    ] = ""
    cluster_tls: Annotated[
        Path | None,
        _advanced_option(
            "Use TLS with a cluster at tls://HOST:PORT; the folder has ca.pem, cert.pem and key.pem.", metavar="FOLDER"
        ),
    ] = None
    checkpoint: Annotated[
        Path | None, _advanced_option("Save the proof's progress here, and resume from it.", metavar="FILE")
    ] = None

    def check(self) -> None:
        """Raise `DeskError` if they contradict each other or this machine cannot fulfil them."""
        if self.miss is not None and self.max_guesses is None:
            raise DeskError(f"--miss {self.miss} counts words not found in time; say the time with --max-guesses N.")
        if self.patience is not None and self.max_guesses is None:
            raise DeskError(
                f"--patience {self.patience} is for trees that find every word in time; say the time with "
                "--max-guesses N."
            )
        if self.seconds is not None and not (math.isfinite(self.seconds) and 0 < self.seconds <= _MAX_SEARCH_S):
            raise DeskError(f"--time {self.seconds} is no time to search; give seconds, up to {_MAX_SEARCH_S:.0f}.")
        if self.cluster_tls and not self.cluster:
            raise DeskError(f"--cluster-tls '{self.cluster_tls}' is for a cluster; give --cluster tls://HOST:PORT too.")
        self._check_early()
        only = "--checkpoint" if self.checkpoint else "--cluster" if self.cluster else ""
        if only and self.prove is False:
            raise DeskError(f"{only} is of use in a proof alone; leave --beam-only or {only} out.")
        if self.quick and (self.proves or self.width):
            raise DeskError(
                "--quick is a narrow beam and no more; leave it out, or --prove, --time, --width, "
                "--checkpoint and --cluster."
            )
        room = _machine_mb()
        if room is not None and self.memory > room:
            raise DeskError(f"--memory {self.memory} is more than this machine has ({room} MB); give less.")

    def _check_early(self) -> None:
        limit = "--early" if self.early else "--late" if self.late else ""
        if limit and (self.proves or self.max_guesses is not None or self.start is not None):
            raise DeskError(
                f"{limit} limits the guesses of a beam; leave it out, or --prove, --time, --cluster, "
                "--checkpoint, --max-guesses and --from."
            )

    @property
    def proves(self) -> bool:
        """Return whether a proof was asked for, by --prove or by an option that only a proof uses."""
        return self.prove is not False and bool(self.prove or self.seconds or self.cluster or self.checkpoint)

    def is_quick(self, problem: Problem) -> bool:
        """Return whether to find a good tree quickly: with --quick, or by default for a large problem."""
        return self.quick or not (self.proves or self.width or self.prove is False or _is_small(problem))

    def effort(self, problem: Problem, start: Plan | None = None) -> SearchOptions:
        """Turn the options, and the tree to start with, into those of the search.

        Raises `DeskError` for a first guess that may not be asked.
        """
        from jotto_desk.solver.beam import SearchOptions

        first = _number(problem, self.first)
        if start is not None and first not in (None, start.guess):
            raise DeskError(
                f"The tree of --from begins with another guess than '{self.first}'; leave --first out, or --from."
            )
        quick, small = self.is_quick(problem), _is_small(problem)
        prove = not (quick or self.early or self.late) and self.prove is not False and (self.proves or small)
        # What one core proves in a tenth of a second takes longer to share out.
        is_tiny = problem.is_symmetric and len(problem.weights) <= _FEW_CODES
        # A small problem is proven soon: a wide beam before that would cost more than it saves.
        return SearchOptions(
            width=self.width or (_QUICK_WIDTH if quick or (prove and small) else WIDTH),
            prove=prove,
            seconds=self.seconds,
            threads=self.threads or (1 if is_tiny else os.cpu_count() or 1),
            memo_bytes=self.memory << 20,
            cap=self.max_guesses,
            miss=self.miss,
            first=first,
            start=start,
            full=self.whole or SearchOptions.full,
            patience=self.patience,
            plies=1 if quick else 2,
            checkpoint=self.checkpoint,
            cluster=self.cluster or None,
            cluster_tls=self.cluster_tls,
            early=_numbers(problem, self.early, "--early") if self.early else None,
            late=_numbers(problem, self.late, "--late") if self.late else frozenset(),
        )

    def named(self) -> dict[str, Any]:
        """Return the options that shape the tree, for its certificate; those that only share the work out are not."""
        proof = {True: "--prove", False: "--beam-only", None: ""}[self.prove]
        early, late = (Path(hide_login(source)).name for source in (self.early, self.late))
        named: dict[str, Any] = {
            "--max-guesses": self.max_guesses,
            "--miss": self.miss,
            "--first": self.first,
            "--early": early,
        }
        named |= {"--late": late, "--from": self.start and self.start.name, "--width": self.width}
        named |= {"--whole": self.whole, "--patience": self.patience, proof: True}
        return named | {"--quick": self.quick, "--time": self.seconds}


def _is_small(problem: Problem) -> bool:
    return len(problem.weights) <= (_SMALL_CODES if problem.is_symmetric else _SMALL)


def _number(problem: Problem, first: str) -> int | None:
    if not first:
        return None
    alphabet = problem.rules.alphabet
    word = fold_word(first, alphabet if isinstance(alphabet, str) else "")
    if word not in problem.guesses:
        raise DeskError(f"'{first}' is not a word that may be asked here; give --first one of the list, or of --wider.")
    return problem.guesses.index(word)


def _numbers(problem: Problem, source: str, option: str) -> frozenset[int]:
    """Return the numbers of the words of a file that may be guessed; raises `DeskError` if there are none."""
    # A word that one language blocks may be an ordinary one of another: `problem.guesses` has what may be asked.
    listed = lists.parse_list(lists.find(source), problem.rules, EMPTY_BLOCK_LIST).wordlist
    numbers = {word: number for number, word in enumerate(problem.guesses)}
    known = frozenset(numbers[word] for word in listed.words if word in numbers)
    if not known:
        raise DeskError(
            f"None of the words of {option} '{hide_login(source)}' may be asked here; give words of the list."
        )
    return known


def _machine_mb() -> int | None:
    """Return the memory of this computer in MB; None if the system does not report it."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, ValueError, OSError):
        return None


# The result.


@dataclass(frozen=True)
class SearchResult:
    """A problem, the options of its search, and the outcome; `interrupted` if Ctrl-C ended the search."""

    chosen: problem_options.ChosenProblem
    options: SolveOptions
    effort: SearchOptions
    core: str
    outcome: SearchOutcome
    interrupted: bool

    @property
    def things(self) -> str:
        """Return the word for the secrets: words or codes."""
        return "words" if self.chosen.wordlist else "codes"


# The tree file.

_ENDINGS = (".txt", ".tsv", ".csv")


def check_tree_place(out: Path, chosen: problem_options.ChosenProblem) -> None:
    """Raise what would be in the way of writing the tree, before minutes are spent on finding it."""
    with as_desk_errors(JottoError):
        tree.list_answers(chosen.problem.rules)
    shell.check_outputs(out)


def command_line(chosen: problem_options.ChosenProblem, options: dict[str, Any]) -> str:
    """Return the command of a search for any machine: with the names of lists and no other paths."""
    rules, usual = chosen.problem.rules, GAME_RULES[chosen.problem.rules.name]
    given: dict[str, Any] = {"--rules": rules.name}
    if rules.length != usual.length:
        given["--length"] = rules.length
    if chosen.wordlist is None and len(rules.alphabet) != len(usual.alphabet):
        # Words are played with the letters of their list.
        given["--symbols"] = len(rules.alphabet)
    if rules.repeats != usual.repeats:
        given["--repeats" if rules.repeats else "--no-repeats"] = True
    listed = chosen.wordlist
    if listed is not None:
        given["--words"] = name_tree(listed.name)
        given["--weights"] = chosen.problem.kind
    parts = ["jotto", "solve"]
    for name, value in {**given, **options}.items():
        if name and value not in (None, False, ""):
            parts += [name] if value is True else [name, shlex.quote(str(value))]
    return " ".join(parts)


def name_tree(source: str) -> str:
    """Return the name of a list without folder, address or ending."""
    return source if source in lists.list_names() else Path(source.rstrip("/")).stem[:60] or "list"


def make_tree_file(found: SearchResult) -> bytes:
    """Return the tree file of a result; it does not depend on the day or the machine."""
    from jotto_desk.solver import problem

    outcome, listed = found.outcome, found.chosen.wordlist
    origin = problem.PlanOrigin(
        words=None if listed is None else listed.words,
        list_name=None if listed is None else name_tree(listed.name),
        objective=objective(found.chosen, found.effort),
        proven=outcome.proven,
        cap=found.effort.cap,
        lower_bound=outcome.lower_bound if outcome.lower_bound > 0 else None,
        command=command_line(found.chosen, found.options.named()),
    )
    return problem.encode_plan(found.chosen.problem, outcome.plan, origin)


def objective(chosen: problem_options.ChosenProblem, effort: SearchOptions) -> str:
    """Return in words what the search minimises."""
    said = "the fewest guesses over all secrets"
    if not chosen.problem.is_uniform:
        said = "the fewest expected guesses, words weighed by how common they are"
    if effort.cap is not None:
        said += f", at most {effort.cap} each"
        said += f", a word not found by then counting {effort.miss} more" if effort.miss is not None else ""
    return f"{said}, the first being given" if effort.first is not None else said


def make_verify_hint(out: Path, chosen: problem_options.ChosenProblem) -> str:
    """Return a sentence about how to play with a new tree; "" if `jotto play` cannot use it."""
    listed = chosen.wordlist
    is_jotto = listed is not None and chosen.problem.rules == listed.adapt_rules(JOTTO)
    if listed is None or not is_jotto or "://" in listed.name or listed.name in lists.list_names():
        return ""
    found_by_itself = out.resolve() == Path(listed.name).with_suffix(".tree").resolve()
    return f" Play with it: jotto play --words {listed.name}{'' if found_by_itself else f' --tree {out}'}"


def verify_tree(path: Path, source: str, progress: Callable[[Iterable[Any]], Iterable[Any]] = iter) -> VerifiedTree:
    """Replay every secret of a tree file with the reference scorer; the list is `source`, else looked for.

    Raises `DeskError` or `JottoError` if it is not a correct tree of these words.
    """
    from jotto_desk.solver import trees

    raw = files.read_bounded(path, tree.MAX_TREE_BYTES, "tree file")
    found = tree.parse_tree(raw)
    if found.certificate["list"] is None:
        if source:
            raise DeskError(f"'{path.name}' is a tree for every code of its game, not for a list; leave --words out.")
        return trees.verify_tree(raw, progress=progress)
    listed = find_tree_words(found, path, source)
    return trees.verify_tree(raw, listed.words, listed.bands, progress)


def _read_plan(path: Path, chosen: problem_options.ChosenProblem) -> Plan:
    """Read the tree a search is to begin with, for the secrets chosen.

    Raises `DeskError` if it is not a correct tree of these secrets.
    """
    from jotto_desk.solver import problem

    listed = chosen.wordlist
    raw = files.read_bounded(path, tree.MAX_TREE_BYTES, "tree file")
    try:
        return problem.parse_plan(f"tree '{path.name}'", raw, chosen.problem, None if listed is None else listed.words)
    except JottoError as error:
        raise DeskError(f"--from '{path.name}': {error}") from error


def find_tree_words(found: tree.Tree, path: Path, source: str) -> WordList:
    """Read the list of a tree: `source`, else a list that comes with the game or is next to the tree.

    It has the words that NAO never says if the tree was made with them. Raises `DeskError` or `JottoError`.
    """
    source = source or _list_of(path, found.certificate["list"])
    # The tree may have been made with or without the words that the user blocks here.
    language = lists.find_language(source)
    own, usual = lists.load_block_list(language=language), lists.load_block_list(own=False, language=language)
    for hidden in (usual, own, BlockList(frozenset())):
        listed: WordList = lists.parse_list(lists.find(source), found.rules, hidden).wordlist
        with contextlib.suppress(ForeignTree):
            found.bound_to(listed.words, found.rules)
            return listed
    return listed


def _list_of(path: Path, name: str) -> str:
    """Return the list of a tree by its name, next to the tree or with the game."""
    beside = next((str(path.with_suffix(ending)) for ending in _ENDINGS if path.with_suffix(ending).is_file()), "")
    if not beside and name not in lists.list_names():
        raise DeskError(f"'{path.name}' is a tree for the list '{name[:60]}'; name that list with --words.")
    return beside or name


def describe_verdict(path: Path, verdict: VerifiedTree) -> list[str]:
    """Return sentences about a verified tree."""
    certificate, figures = verdict.certificate, verdict.figures
    found = certificate["words"] - figures.missed
    named = f"words of the list '{certificate['list']}'" if certificate["list"] else "codes"
    said = [
        f"{path.name}: every one of its {certificate['words']:,} {named} was played by the plain scorer, and the "
        f"certificate holds."
    ]
    weighed = f", {figures.weighted_mean:.4f} expected where common words are likelier" if figures.weighted_mean else ""
    said.append(
        f"{found:,} are found, in {figures.total:,} guesses: {figures.mean or 0:.4f} on average{weighed}, "
        f"{figures.max} at most; the winning guess is counted."
    )
    bound = certificate["lower_bound"]
    if certificate["proven"]:
        said.append("The certificate says that no tree does better; a replay cannot tell that.")
    elif bound is not None:
        said.append(f"The certificate says that no tree has less than {bound:,} in all; a replay cannot tell that.")
    said.append(f"{verdict.nodes:,} nodes in {verdict.size:,} bytes; made by: {certificate.get('command') or '?'}")
    return said


# The display.

#: The names of the stages for users.
_STAGES = {"beam": "a good tree", "early": "a tree of familiar words", "risk": "what can be found in time"}
_STAGES |= {"improve": "improving the tree", "bounds": "how good it could be", "proof": "the best tree"}


def watch_search(
    search: Callable[[OnProgress], SearchOutcome], stop: StopSignal, weight: int
) -> tuple[SearchOutcome, bool]:
    """Run a search and show its progress; return the best result, and whether Ctrl-C ended the search.

    `weight` is that of all secrets: costs are shown per secret. A second Ctrl-C ends it without a result.
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

        return _by_hand(lambda: search(tell), stop)


def _describe_state(state: SearchState, weight: int) -> str:
    """Return the best cost so far, the bound, and the gap between them in percent."""
    best = f"best {state.best / weight:.4f}"
    if state.bound <= 0:
        return best
    return f"{best}, bound {state.bound / weight:.4f}, gap {state.best / state.bound - 1:.1%}"


def _by_hand(work: Callable[[], SearchOutcome], stop: StopSignal) -> tuple[SearchOutcome, bool]:
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

_TRUST = (
    "Dask has no login and exchanges pickles, which can run anything: keep such a cluster among machines and "
    "people you trust, or use tls:// with --cluster-tls."
)


def run_search(
    chosen: problem_options.ChosenProblem, options: SolveOptions, remark: lists.Remark = lists.print_remark
) -> SearchResult:
    """Search in the foreground; `remark` gets notes. Raises `DeskError` if an option cannot be fulfilled."""
    from jotto_desk.solver import cores, search
    from jotto_desk.solver.beam import StopSignal

    problem, stop = chosen.problem, StopSignal()
    if options.cluster and not options.cluster.startswith("tls:"):
        remark(_TRUST)
    effort = options.effort(problem, None if options.start is None else _read_plan(options.start, chosen))
    remarks: list[str] = []
    engine = cores.choose_core(problem, cores.SLOW_TO_SOLVE, remarks.append)

    def work(tell: OnProgress) -> SearchOutcome:
        def tell_all(state: SearchState) -> None:
            while remarks:  # The search has begun, so no option is wrong.
                remark(remarks.pop())
            tell(state)

        tables = files.find_cache_folder() / "tables"
        return search.search_tree(problem, engine, effort, tell_all, stop=stop, tables=tables)

    outcome, interrupted = watch_search(work, stop, int(problem.weights.sum()))
    return SearchResult(chosen, options, effort, engine.name, outcome, interrupted)
