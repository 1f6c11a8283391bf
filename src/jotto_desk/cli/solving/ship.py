"""`jotto solve ship`: the trees of the lists that come with the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from jotto.rules import JOTTO
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk import files
from jotto_desk.words import lists as recipes

from ... import words as lists
from ...errors import DeskError
from .. import problem_options
from ..shell import outputs
from ..shell.commands import examples
from .options import SolveOptions, Threads

EXAMPLES = examples("jotto solve ship", "jotto solve ship --check", "jotto solve ship fr de")


class ShippedTree(NamedTuple):
    """A tree that comes with the game: its list, the weights of the words, how hard to search."""

    source: str
    weights: str
    options: SolveOptions


def _beginning(first: str, width: int = 20, source: str = DEFAULT_LANGUAGE) -> SolveOptions:
    """Limit the beginning: words that may be asked early, and those that never are, stand in files beside the list."""
    return SolveOptions(width=width, prove=False, first=first, early=f"{source}-early.txt", late=f"{source}-late.txt")


#: The English trees by name. NAO draws one of `en` and its numbers; `en-hard` is for games with words of any kind.
SHIPPED = {
    "en": ShippedTree("en", "bands", _beginning("parts")),
    "en-2": ShippedTree("en", "bands", _beginning("cares", 16)),
    "en-3": ShippedTree("en", "bands", _beginning("dares", 30)),
    "en-4": ShippedTree("en", "bands", _beginning("tapes", 30)),
    "en-hard": ShippedTree("en", "uniform", _beginning("parts")),
    "en-sharpest": ShippedTree("en", "bands", SolveOptions(width=30, prove=False, late="en-late.txt")),
    "en-within-6": ShippedTree("en", "uniform", SolveOptions(width=20, prove=False, max_guesses=6)),
}
Languages = Annotated[
    list[str] | None,
    typer.Argument(metavar="LANG...", help="Language codes, such as fr; default: all that come with the game."),
]


def ship(
    languages: Languages = None,
    check_only: Annotated[bool, typer.Option("--check", help="Write nothing; exit with 1 if a tree differs.")] = False,
    threads: Threads = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder to write to; default: wordlists.")] = None,
) -> None:
    """Write the trees of the lists that come with the game; the output is reproducible."""
    problem_options.demand("numpy", "joblib")
    from . import search, tree_files

    folder, differ, wanted = out or _wordlists(), False, trees_of(languages or ())
    if not check_only:
        outputs.ready(*(folder / f"{name}.tree" for name in wanted))
    for name, (source, weights, options) in wanted.items():
        blocked = lists.block_list(own=False, language=source)
        wordlist = lists.read(lists.find(source), JOTTO, blocked).wordlist
        limited = replace(options, threads=threads, early=_beside(options.early), late=_beside(options.late))
        best = search.search(problem_options.of_words(wordlist.rules(JOTTO), wordlist, (), weights), limited)
        if best.interrupted:
            raise KeyboardInterrupt
        target, content = folder / f"{name}.tree", tree_files.content(best)
        same = target.is_file() and target.read_bytes() == content
        if not check_only:
            files.write_whole(target, content)
        differ |= not same
        print(f"{target}: {'the same' if same else 'another' if check_only else 'new'}, {len(content):,} bytes.")
    raise typer.Exit(int(check_only and differ))


def trees_of(languages: Sequence[str]) -> dict[str, ShippedTree]:
    """Return the trees of these languages by name, of all of them where none is named; raises `DeskError`."""
    folder = files.shipped_path("wordlists")
    found = dict[str, ShippedTree]()
    for code in map(recipes.language_code, languages or (DEFAULT_LANGUAGE, *recipes.recipe_codes(folder))):
        found.update(SHIPPED if code == DEFAULT_LANGUAGE else _by_recipe(recipes.read_recipe(folder, code), folder))
    return found


def _by_recipe(recipe: recipes.Recipe, folder: Path) -> dict[str, ShippedTree]:
    # A language that is only begun may have no such words yet, or a single one, which makes no list.
    has_late = len(recipes.read_own_list(folder / f"{recipe.code}-late.txt")) > 1
    kinds = ((recipe.code, "bands", recipe.openers), (f"{recipe.code}-hard", "uniform", recipe.hard_openers))
    begun = {
        f"{name}-{number}" if number > 1 else name: (weights, _beginning(first, source=recipe.code))
        for name, weights, openers in kinds
        for number, first in enumerate(openers, 1)
    }
    return {
        name: ShippedTree(recipe.code, weights, options if has_late else replace(options, late=""))
        for name, (weights, options) in begun.items()
    }


def _beside(name: str) -> str:
    return str(files.shipped_path("wordlists") / name) if name else ""


def _wordlists() -> Path:
    root = files.checkout_folder()
    if root is None:
        raise DeskError("There is no project folder here to write to; give one with --out DIR.")
    return root / "wordlists"
