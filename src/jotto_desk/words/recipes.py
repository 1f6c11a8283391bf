"""Recipes: what the list of a language is made from, as `wordlists/<code>.json` says it; English has its own way."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jotto.rules import LETTERS, JottoError
from jotto.words import read_letters

from .. import files
from ..errors import DeskError
from .debian import DebianPackage

CODE = re.compile("[a-z]{2,3}")
#: The language without a recipe: its list is built from SCOWL.
DEFAULT = "en"
#: The commonness that words have from such a Zipf frequency on; words below the last are not in the list.
BANDS: Mapping[int, float] = {10: 4.6, 20: 4.1, 35: 3.2, 40: 2.8, 50: 2.3}
#: The least frequency of inflected forms, which players seldom think of, and that from which on they are in band 40;
#: they are never in a commoner one.
INFLECTED, WELL_KNOWN = 2.5, 4.4
_MOST_BYTES = 1 << 20
_HASH = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Recipe:
    """What a list is made from.

    `frequencies` is wordfreq's file for the language and its SHA-256; `dictionary` the package that has hunspell's,
    `place` where in it, without `.aff` and `.dic`. With `nouns` in capitals a dictionary has them so, as German does.
    `openers` are the words that the usual trees begin with, `hard_openers` those of the trees for hard games.
    """

    code: str
    name: str
    letters: str
    frequencies: tuple[str, str]
    dictionary: DebianPackage
    place: str
    nouns_in_capitals: bool
    openers: tuple[str, ...]
    hard_openers: tuple[str, ...]


def code_of(raw: str) -> str:
    """Return the code of a language as files are named after it; raises `DeskError` for what is none."""
    code = raw.strip().lower()
    if not CODE.fullmatch(code):
        raise DeskError(f"'{raw[:40]}' is no code of a language; give two or three letters, as in 'it'.")
    return code


def codes(folder: Path) -> list[str]:
    """Name the languages that a folder has recipes for."""
    return sorted(path.stem for path in folder.glob("*.json") if CODE.fullmatch(path.stem))


def read(folder: Path, code: str) -> Recipe:
    """Read the recipe of a language; raises `DeskError` where there is none, or a field is missing or wrong."""
    path = folder / f"{code}.json"
    if not path.is_file():
        known = ", ".join([DEFAULT, *codes(folder)])
        raise DeskError(
            f"There is no recipe '{path.name}' for a list in {folder}; the languages are: {known}. "
            f"'jotto words new {code}' begins one."
        )
    try:
        plain = json.loads(files.read_bounded(path, _MOST_BYTES, "recipe"))
        return _recipe(code, plain)
    except (ValueError, RecursionError) as error:
        raise DeskError(f"'{path}' is not JSON ({error}); mend it.") from error
    except (KeyError, TypeError, JottoError) as error:
        raise DeskError(f"'{path}' is no recipe ({str(error).rstrip('.')}); see CONTRIBUTING.md.") from error


def _recipe(code: str, plain: Mapping[str, Any]) -> Recipe:
    frequencies, dictionary = plain["frequencies"], plain["dictionary"]
    texts = [
        plain["name"],
        plain["letters"],
        *(frequencies[field] for field in ("file", "sha256")),
        *(dictionary[field] for field in ("package", "version", "sha256", "place")),
        *plain["openers"],
        *plain["hard_openers"],
    ]
    if not all(isinstance(text, str) for text in texts) or not isinstance(dictionary["nouns_in_capitals"], bool):
        raise TypeError("a field is of another kind than text")
    for checksum in (frequencies["sha256"], dictionary["sha256"]):
        if not _HASH.fullmatch(checksum):
            raise TypeError(f"'{checksum[:20]}' is not a SHA-256 in hex")
    return Recipe(
        code,
        plain["name"],
        read_letters(f"# Letters: {plain['letters']}\n"),
        (frequencies["file"], frequencies["sha256"]),
        DebianPackage(dictionary["package"], dictionary["version"], dictionary["sha256"]),
        dictionary["place"],
        dictionary["nouns_in_capitals"],
        tuple(plain["openers"]),
        tuple(plain["hard_openers"]),
    )


def words_in(path: Path) -> frozenset[str]:
    """Read the words of one of our own lists, one a line below remarks; none where there is no such file."""
    if not path.is_file():
        return frozenset()
    lines = files.read_bounded(path, _MOST_BYTES, "list of words").decode("utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def head(recipe: Recipe) -> str:
    """Write the remarks at the top of a language's list."""
    named = "" if recipe.letters == LETTERS else f"# Letters: {recipe.letters}\n"
    return (
        f"# {recipe.name} words of five letters, the commonest first: word, tab, commonness.\n{named}"
        f"# Made by 'jotto words build {recipe.code}'. Sources, licences and checksums: SOURCES.md\n"
        "# Frequencies: wordfreq by Robyn Speer, CC BY-SA 4.0, changed; this list is under the same licence.\n"
    )


def blocked_name(code: str) -> str:
    """Name the file of the words NAO never says in a language."""
    return "blocked.sha256" if code == DEFAULT else f"{code}-blocked.sha256"
