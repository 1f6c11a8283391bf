"""Decision trees that come with the game: `5-of-10.tree` is for 5 gladiators and 10 weapons."""

from pathlib import Path
from typing import Any

from jotto import tree
from jotto.compat import is_integer
from jotto.rules import JottoError
from jotto.tree import Tree

from ... import files
from ...errors import DeskError
from .levels import Level
from .strategy.listed import MOST_CODES

FOLDER = Path(__file__).resolve().parent


def shipped(level: Level, folder: Path = FOLDER) -> Tree | None:
    """Return the tree for a level; None where there is none, or one made for more guesses than the level allows.

    Raises `DeskError` for a file that is damaged or for another game.
    """
    path = folder / f"{level.gladiators}-of-{level.weapons}.tree"
    if level.codes > MOST_CODES or not path.is_file():
        return None
    try:
        found = tree.read_tree(files.read_bounded(path, tree.MAX_TREE_BYTES, "tree file"))
        cap: Any = found.certificate.get("cap") or found.certificate.get("max")
        if not is_integer(cap) or cap > level.guesses:
            return None
        return found.bound_to(tree.list_codes(level.rules), level.rules)
    except JottoError as error:
        raise DeskError(f"'{path.name}' is not used: {error}") from error
