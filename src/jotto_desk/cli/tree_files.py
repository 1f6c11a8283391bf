"""The file of a tree that `jotto solve` writes: its command, its list, and its check."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jotto.rules import JOTTO, ForeignTree, JottoError
from jotto.tree import MAX_TREE_BYTES, Tree, list_answers, parse_tree
from jotto.words import BlockList, WordList
from jotto_desk import files
from jotto_desk.cli import shell
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.games.advice import GAME_RULES
from jotto_desk.words import lists

if TYPE_CHECKING:
    from jotto_desk.cli.problem_options import ChosenProblem
    from jotto_desk.solver.beam import SearchOptions, SearchOutcome
    from jotto_desk.solver.problem import Plan
    from jotto_desk.solver.trees import VerifiedTree

_ENDINGS = (".txt", ".tsv", ".csv")


def check_tree_place(out: Path, chosen: ChosenProblem) -> None:
    """Raise what would be in the way of writing the tree, before minutes are spent on finding it."""
    with as_desk_errors(JottoError):
        list_answers(chosen.problem.rules)
    shell.check_outputs(out)


def make_command_line(chosen: ChosenProblem, options: dict[str, Any]) -> str:
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
    given["--hard"] = chosen.problem.is_hard
    turns = [("--after", turn) for turn in chosen.list_turns()]
    for name, value in [*given.items(), *turns, *options.items()]:
        if name and value not in (None, False, ""):
            parts += [name] if value is True else [name, shlex.quote(str(value))]
    return " ".join(parts)


def name_tree(source: str) -> str:
    """Return the name of a list without folder, address or ending."""
    return source if source in lists.list_names() else Path(source.rstrip("/")).stem[:60] or "list"


def make_tree_file(
    chosen: ChosenProblem, effort: SearchOptions, outcome: SearchOutcome, options: dict[str, Any]
) -> bytes:
    """Return the tree file of a search with these options; it does not depend on the day or the machine."""
    from jotto_desk.solver import problem

    listed = chosen.wordlist
    origin = problem.PlanOrigin(
        words=None if listed is None else listed.words,
        list_name=None if listed is None else name_tree(listed.name),
        objective=describe_objective(chosen, effort),
        proven=outcome.proven,
        cap=effort.cap,
        lower_bound=outcome.lower_bound if outcome.lower_bound > 0 else None,
        command=make_command_line(chosen, options),
    )
    return problem.encode_plan(chosen.problem, outcome.plan, origin)


def describe_objective(chosen: ChosenProblem, effort: SearchOptions) -> str:
    """Return a description of the search's objective."""
    said = "the fewest guesses over all secrets"
    if not chosen.problem.is_uniform:
        said = "the fewest expected guesses, words weighed by how common they are"
    if effort.cap is not None:
        said += f", at most {effort.cap} each"
        said += f", a word not found by then counting {effort.miss} more" if effort.miss is not None else ""
    said += ", in hard mode" if chosen.problem.is_hard else ""
    return f"{said}, the first being given" if effort.first is not None else said


def make_verify_hint(out: Path, chosen: ChosenProblem) -> str:
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
    from jotto_desk.games.wordle import find_unused_hint
    from jotto_desk.solver import trees

    raw = files.read_bounded(path, MAX_TREE_BYTES, "tree file")
    found = parse_tree(raw)
    if found.certificate["list"] is None:
        if source:
            raise DeskError(f"'{path.name}' is a tree for every code of its game, not for a list; leave --words out.")
        return trees.verify_tree(raw, progress=progress, find_unused_hint=find_unused_hint)
    listed = find_tree_words(found, path, source)
    return trees.verify_tree(raw, listed.words, listed.bands, progress, find_unused_hint)


def read_plan(path: Path, chosen: ChosenProblem) -> Plan:
    """Read the tree that a search is to begin with, for the secrets chosen.

    Raises `DeskError` if it is not a correct tree of these secrets.
    """
    from jotto_desk.solver import problem

    listed = chosen.wordlist
    raw = files.read_bounded(path, MAX_TREE_BYTES, "tree file")
    try:
        return problem.parse_plan(f"tree '{path.name}'", raw, chosen.problem, None if listed is None else listed.words)
    except JottoError as error:
        raise DeskError(f"--from '{path.name}': {error}") from error


def find_tree_words(found: Tree, path: Path, source: str) -> WordList:
    """Read the list of a tree: `source`, else a list that comes with the game or is next to the tree.

    It has the words that NAO never says if the tree was made with them. Raises `DeskError` or `JottoError`.
    """
    source = source or _find_list(path, found.certificate["list"])
    # The tree might have been made with or without the words that the user blocks here.
    language = lists.find_language(source)
    own, usual = lists.load_block_list(language=language), lists.load_block_list(own=False, language=language)
    for hidden in (usual, own, BlockList(frozenset())):
        listed: WordList = lists.parse_list(lists.find(source), found.rules, hidden).wordlist
        with contextlib.suppress(ForeignTree):
            found.bound_to(listed.words, found.rules)
            return listed
    return listed


def _find_list(path: Path, name: str) -> str:
    """Return the list of a tree by name, next to the tree or with the game."""
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
