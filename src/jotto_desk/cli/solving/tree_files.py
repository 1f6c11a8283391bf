"""The tree file of a search: written with its certificate, and checked."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jotto import tree
from jotto.rules import JOTTO, ForeignTree, JottoError
from jotto.tree import MAX_TREE_BYTES, Tree
from jotto.words import BlockList, WordList
from jotto_desk.games.advice import GAME_RULES

from ... import files, words
from ...errors import DeskError
from .. import problem_options
from ..shell import outputs

if TYPE_CHECKING:
    from jotto_desk.solver.beam import SearchOptions
    from jotto_desk.solver.problem import Plan
    from jotto_desk.solver.trees import VerifiedTree

    from .result import SearchResult

ENDINGS = (".txt", ".tsv", ".csv")


def check(out: Path, chosen: problem_options.Chosen) -> None:
    """Raise what would be in the way of writing the tree, before minutes are spent on finding it."""
    try:
        tree.list_answers(chosen.problem.rules)
    except JottoError as error:
        raise DeskError(str(error)) from error
    outputs.ready(out)


def command_line(chosen: problem_options.Chosen, options: dict[str, Any]) -> str:
    """Write the command down as it may be given again, on any machine: lists by their own name, no other paths."""
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
        given["--words"] = own_name(listed.name)
        given["--weights"] = chosen.problem.kind
    parts = ["jotto", "solve"]
    for name, value in {**given, **options}.items():
        if name and value not in (None, False, ""):
            parts += [name] if value is True else [name, shlex.quote(str(value))]
    return " ".join(parts)


def own_name(source: str) -> str:
    """Name a list by its file alone, without folder or address."""
    return source if source in words.names() else Path(source.rstrip("/")).stem[:60] or "list"


def content(found: SearchResult) -> bytes:
    """Make the tree file of what was found; nothing in it depends on the day or the machine."""
    from jotto_desk.solver import problem

    outcome, listed = found.outcome, found.chosen.wordlist
    origin = problem.PlanOrigin(
        words=None if listed is None else listed.words,
        list_name=None if listed is None else own_name(listed.name),
        objective=objective(found.chosen, found.effort),
        proven=outcome.proven,
        cap=found.effort.cap,
        lower_bound=outcome.lower_bound if outcome.lower_bound > 0 else None,
        command=command_line(found.chosen, found.options.named()),
    )
    return problem.encode_plan(found.chosen.problem, outcome.plan, origin)


def objective(chosen: problem_options.Chosen, effort: SearchOptions) -> str:
    """Say what the search was to find."""

    said = "the fewest guesses over all secrets"
    if not chosen.problem.is_uniform:
        said = "the fewest expected guesses, words weighed by how common they are"
    if effort.cap is not None:
        said += f", at most {effort.cap} each"
        said += f", a word not found by then counting {effort.miss} more" if effort.miss is not None else ""
    return f"{said}, the first being given" if effort.first is not None else said


def hint(out: Path, chosen: problem_options.Chosen) -> str:
    """Say how to play with a tree just written, where that is a matter of one option or two."""
    listed = chosen.wordlist
    is_jotto = listed is not None and chosen.problem.rules == listed.rules(JOTTO)
    if listed is None or not is_jotto or "://" in listed.name or listed.name in words.names():
        return ""
    found_by_itself = out.resolve() == Path(listed.name).with_suffix(".tree").resolve()
    return f" Play with it: jotto play --words {listed.name}{'' if found_by_itself else f' --tree {out}'}"


def verified(path: Path, source: str, progress: Callable[[Iterable[Any]], Iterable[Any]] = iter) -> VerifiedTree:
    """Replay every secret of a tree file with the reference scorer; the list is `source`, else looked for.

    Raises `DeskError` or `JottoError` for what is no sound tree of these words.
    """
    from jotto_desk.solver import trees

    raw = files.read_bounded(path, MAX_TREE_BYTES, "tree file")
    found = tree.read_tree(raw)
    if found.certificate["list"] is None:
        if source:
            raise DeskError(f"'{path.name}' is a tree for every code of its game, not for a list; leave --words out.")
        return trees.verify_tree(raw, progress=progress)
    listed = words_of(found, path, source)
    return trees.verify_tree(raw, listed.words, listed.bands, progress)


def plan(path: Path, chosen: problem_options.Chosen) -> Plan:
    """Read the tree a search is to begin with, for the secrets chosen.

    Raises `DeskError` for what is no sound tree of these secrets.
    """
    from jotto_desk.solver import problem

    listed = chosen.wordlist
    raw = files.read_bounded(path, MAX_TREE_BYTES, "tree file")
    try:
        return problem.read_plan(f"tree '{path.name}'", raw, chosen.problem, None if listed is None else listed.words)
    except JottoError as error:
        raise DeskError(f"--from '{path.name}': {error}") from error


def words_of(found: Tree, path: Path, source: str) -> WordList:
    """Read the list of a tree: the one named `source`, else one that comes with the game or lies beside the tree.

    Words the robot never says are in it where the tree was made with them. Raises `DeskError` or `JottoError`.
    """
    source = source or _list_of(path, found.certificate["list"])
    # What a person blocks on this machine was not blocked where the tree was made, or it was.
    language = words.language_of(source)
    blocked = (
        words.block_list(own=False, language=language),
        words.block_list(language=language),
        BlockList(frozenset()),
    )
    for hidden in blocked:
        listed: WordList = words.read(words.find(source), found.rules, hidden).wordlist
        with contextlib.suppress(ForeignTree):
            found.bound_to(listed.words, found.rules)
            return listed
    return listed


def _list_of(path: Path, name: str) -> str:
    """Find the list of a tree by its name: beside the tree, or with the game."""
    beside = next((str(path.with_suffix(ending)) for ending in ENDINGS if path.with_suffix(ending).is_file()), "")
    if not beside and name not in words.names():
        raise DeskError(f"'{path.name}' is a tree for the list '{name[:60]}'; name that list with --words.")
    return beside or name


def sentences(path: Path, verdict: VerifiedTree) -> list[str]:
    """Say what a verified tree is and does."""
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
