"""`jotto explain`: the path a word takes down a decision tree, and why each guess is asked."""

from __future__ import annotations

import difflib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from jotto import tree as engine
from jotto.rules import JOTTO, Rules
from jotto.tree import MAX_TREE_BYTES, Tree
from jotto.words import WordList, fold_word
from jotto_desk import files
from jotto_desk.games.advice import GAME_RULES
from jotto_desk.solver.trees import PathStep, TreeExplorer
from jotto_desk.words.lists import DEFAULT_LANGUAGE as USUAL

from ... import words as lists
from ...addresses import shown
from ...errors import DeskError
from .. import problem_options
from ..shell import choices
from ..shell.commands import CommandLine
from ..shell.shared import Json
from . import reasons, tree_files

app = CommandLine()
_EXAMPLES = """
Examples:

  jotto explain ocean

  jotto explain ocean --words mywords.txt        (walks mywords.tree, which lies beside it)

  jotto explain 1234 --rules bulls --tree bulls.tree --json
"""
Word = Annotated[str, typer.Argument(metavar="WORD", help="The secret word.")]
RulesName = Annotated[
    str,
    choices.chosen(
        "--rules", options=tuple(GAME_RULES), what="rules", help="The game; default: jotto, or the game of the tree."
    ),
]
Words = Annotated[
    str,
    typer.Option(
        "--words",
        metavar="LIST",
        autocompletion=choices.word_lists,
        help="The tree's list: a file, URL or name; default: en.",
    ),
]
TreeFile = Annotated[
    Path | None, typer.Option("--tree", metavar="FILE", help="The tree; default: the one next to the list.")
]


@app.command(epilog=_EXAMPLES)
def explain(word: Word, rules: RulesName = "", words: Words = "", tree: TreeFile = None, as_json: Json = False) -> None:
    """Show the tree's guesses until it finds a word, with the effect of each answer and the reason for each guess."""
    path = tree or _tree_for(rules, words)
    found = engine.read_tree(files.read_bounded(path, MAX_TREE_BYTES, "tree file"))
    if rules and rules != found.rules.name:
        raise DeskError(f"'{path.name}' is a tree for the rules '{found.rules.name}', not for '{rules}'.")
    listed = _listed(found, path, words)
    bound = found.bound_to(listed.words, found.rules)
    secret = _secret(word, found.rules, listed)
    explorer = TreeExplorer(bound, listed.words, _weights(found, listed))
    steps = list(_walked(explorer, secret))
    if as_json:
        typer.echo(json.dumps(_plain(secret, path, found, listed, steps)))
    else:
        _print(secret, found, listed, steps)


def _tree_for(rules: str, words: str) -> Path:
    """Find the tree of a list: beside it, or with the game."""
    from jotto_behaviour import mind

    if rules not in ("", *GAME_RULES):
        raise DeskError(f"There are no rules '{rules}'; choose one of: {', '.join(GAME_RULES)}.")
    if rules not in ("", JOTTO.name):
        raise DeskError(
            f"A tree for '{rules}' does not come with the game; make one with 'jotto solve --rules {rules} "
            f"--out {rules}.tree' and name it with --tree {rules}.tree."
        )
    if words in ("", problem_options.DEFAULT, *lists.names()):
        return files.shipped_path("wordlists") / f"{words if words in lists.names() else USUAL}.tree"
    beside = Path(mind.get_tree_path(words))
    if "://" in words or not beside.is_file():
        named = shown(words)
        raise DeskError(
            f"There is no tree for the list '{named}'; make one with 'jotto solve --words {named} --out {beside.name}'."
        )
    return beside


def _listed(found: Tree, path: Path, words: str) -> WordList:
    if found.certificate["list"] is None:
        every = engine.list_codes(found.rules)
        return WordList(found.rules.name, every, (None,) * len(every))
    source = "" if words == problem_options.DEFAULT else words
    wordlist = tree_files.words_of(found, path, source)
    # Words joined behind those of the tree are on no path.
    count = found.certificate["words"]
    return WordList(tree_files.own_name(wordlist.name), wordlist.words[:count], wordlist.bands[:count])


def _weights(found: Tree, listed: WordList) -> list[int]:
    weighting = found.certificate.get("weighting")
    if not isinstance(weighting, dict) or not weighting:
        return []
    least = min(weighting.values())
    weights = [weighting.get(str(band), least) for band in listed.bands]
    if not all(isinstance(weight, int) and weight > 0 for weight in weights):
        raise DeskError("The tree weighs its words by what are no weights; make it again with 'jotto solve'.")
    return weights


def _secret(word: str, rules: Rules, listed: WordList) -> Any:
    spelled = isinstance(rules.alphabet, str)
    secret: Any = fold_word(word.strip(), rules.alphabet) if spelled else _symbols(word, rules)
    rules.check(secret)
    if secret in listed.words:
        return secret
    near = difflib.get_close_matches(secret, listed.words, 5) if spelled else []
    hint = f"; near it are {', '.join(near)}" if near else ""
    raise DeskError(f"'{word}' is not in the list '{listed.name}', so the tree does not lead to it{hint}.")


def _symbols(word: str, rules: Rules) -> tuple[Any, ...]:
    """Read symbols that are no letters: `red blue 3`."""
    known = {str(symbol): symbol for symbol in rules.alphabet}
    return tuple(known.get(part, part) for part in word.replace(",", " ").split())


def _walked(explorer: TreeExplorer, secret: Any) -> list[PathStep]:
    console = Console(stderr=True)
    with Progress(
        SpinnerColumn(),
        TextColumn("comparing guesses: {task.completed}"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("comparing")
        return list(explorer.path(secret, lambda guess: progress.advance(task)))


def _plain(secret: Any, path: Path, found: Tree, listed: WordList, steps: list[PathStep]) -> dict[str, Any]:
    proven = found.certificate.get("proven") is True
    rows = []
    for step in steps:
        row = asdict(step)
        look = row.pop("look")
        rows.append({**row, **look, "expected": look["bits"], "why": reasons.why(step, proven)})
    return {
        "word": secret,
        "rules": found.rules.name,
        "list": found.certificate["list"],
        "tree": path.name,
        "checksum": found.certificate["checksum"],
        "proven": proven,
        "found": steps[-1].look.guess == secret,
        "turns": len(steps),
        "expected_turns": round(steps[0].turns, 6),
        "steps": rows,
    }


def _print(secret: Any, found: Tree, listed: WordList, steps: list[PathStep]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    proven = found.certificate.get("proven") is True
    for step in steps:
        told = (
            f"{step.before:,} fit before, {step.after:,} after; "
            f"told {step.told:.2f} bits, {step.look.bits:.2f} were expected."
        )
        console.print(
            f"{step.turn}. {reasons.shown(step.look.guess)}: {reasons.answer(step, found.rules, secret)}",
            style="bold",
            markup=False,
        )
        for sentence in [*reasons.why(step, proven), *([told] if step.before > 1 else []), *_left(step)]:
            console.print(f"   {sentence}", markup=False)
    if steps[-1].look.guess != secret:
        console.print(f"Here the tree ends: it does not find {reasons.shown(secret)}.", markup=False)
        return
    console.print(
        f"{reasons.shown(secret)} takes {len(steps)} turns; all {len(listed.words):,} words take "
        f"{steps[0].turns:.2f} on average{_by_weight(found)}.",
        markup=False,
    )


def _left(step: PathStep) -> list[str]:
    if step.after == 1 or step.before == 1:
        return []
    some = ", ".join(map(reasons.shown, step.some))
    more = step.after - len(step.some)
    return [f"Still fitting: {some}{f' and {more:,} more' if more else ''}."]


def _by_weight(found: Tree) -> str:
    return ", the common ones weighing more" if found.certificate.get("weighting") else ""
