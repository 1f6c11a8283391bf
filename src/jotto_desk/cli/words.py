"""`jotto words`: build, check and show word lists, and add words of one's own."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from jotto.rules import JOTTO, WORDLE, Rules
from jotto.words import ParsedList, WordList, fold_word
from jotto_desk import files, words
from jotto_desk.errors import printable
from jotto_desk.words import building

from ..errors import DeskError
from . import list_building
from .shell import choices
from .shell.commands import CommandLine, examples
from .shell.shared import Json

RULES = {"jotto": JOTTO, "any": WORDLE}
RulesName = Annotated[
    str,
    choices.chosen(
        "--rules", options=tuple(RULES), what="rules", help="jotto: five different letters; any: five letters."
    ),
]
COMMONNESS = {10: "very common", 20: "common", 35: "known to most", 40: "less common", 50: "seldom"}
SHOWN = 20

app = CommandLine(
    no_args_is_help=True,
    epilog=examples("jotto words show", "jotto words check mylist.txt", "jotto words add quilt zebra"),
    help="Build and check the lists that come with the game, show any list, or add your own words.",
)

app.command(epilog=list_building.BUILD)(list_building.build)
app.command(epilog=list_building.SOUNDS)(list_building.sounds)
app.command(epilog=list_building.NEW)(list_building.new)


@app.command(
    epilog=examples(
        "jotto words check",
        "jotto words check mylist.txt",
        "jotto words check https://example.org/words.txt --rules any --json",
    )
)
def check(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="LIST",
            autocompletion=choices.word_lists,
            help="A file, URL or name; default: all lists that come with the game.",
        ),
    ] = None,
    rules: RulesName = "jotto",
    as_json: Json = False,
) -> None:
    """Check the lists that come with the game, or show which words of another list would be kept and refused."""
    if source is None:
        verdicts = building.check_all_lists(files.shipped_path("wordlists"))
        _print_verdicts(verdicts, as_json)
        raise typer.Exit(1 if any(found.findings for found in verdicts) else 0)
    reading = words.read(words.find(source), _rules(rules))
    if as_json:
        _json(_reading_plain(reading))
    else:
        _print_reading(reading)


@app.command(
    epilog=examples(
        "jotto words show",
        "jotto words show --starts qu --rules any",
        "jotto words show en --band 10 --count 5",
        "jotto words show mylist.txt --json",
    )
)
def show(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="LIST", autocompletion=choices.word_lists, help="A file, URL or name; default: your usual list."
        ),
    ] = None,
    *,
    band: Annotated[int | None, typer.Option(help="Only words of this commonness: 10, 20, 35, 40 or 50.")] = None,
    rules: RulesName = "jotto",
    starts: Annotated[str, typer.Option(metavar="A", help="Only words that start with A.")] = "",
    count: Annotated[
        int | None, typer.Option(min=0, help=f"Number of words to show; default: {SHOWN} in the table; 0 is all.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the words of a list and how common they are."""
    chosen = _rules(rules)
    wordlist = words.default_list(chosen) if source is None else words.load(source, chosen)
    rows = [
        (wordlist.written(word), number)
        for word, number in zip(wordlist.words, wordlist.bands, strict=True)
        if word.startswith(fold_word(starts, wordlist.letters)) and band in (None, number)
    ]
    if not rows:
        raise DeskError(f"No word of the list '{wordlist.name}' {_wish(starts, band)}; ask for less.")
    most = (len(rows) if as_json else SHOWN) if count is None else count or len(rows)
    if as_json:
        _json(_list_plain(wordlist, rows[:most]))
    else:
        _print_rows(wordlist, rows, most)


@app.command(
    epilog=examples(
        "jotto words add quilt zebra", "jotto words add quilt --list mylist.txt", "jotto words add --block WORD"
    )
)
def add(
    new: Annotated[list[str], typer.Argument(metavar="WORD...", help="The words to add.")],
    file: Annotated[
        Path | None, typer.Option("--list", metavar="FILE", help="Add to this file; default: your own list.")
    ] = None,
    block: Annotated[
        bool, typer.Option("--block", help="Block the words: NAO never says them. Only their fingerprints are stored.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Add words to your own list, which is used together with the usual one."""
    added = words.add_blocked(new, file) if block else words.add_words(new, words.block_list(), file)
    if as_json:
        _json({"file": str(added.file), "new": list(added.new), "known": list(added.known)})
        return
    print(f"{len(added.new)} new in {added.file}, {len(added.known)} there before.")
    if not block:
        for word in added.new:
            if not JOTTO.allows(word):
                words.to_stderr(f"'{word}' has a letter twice, so it is used only in games that allow that.")


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
    table = Table("word", "commonness", title=escape(printable(wordlist.name)), title_justify="left")
    for word, band in rows[:most]:
        table.add_row(word, _commonness(band))
    Console().print(table)
    if most < len(rows):
        print(f"{most} of {len(rows)} words; --count 0 shows them all.")


def _print_reading(reading: ParsedList) -> None:
    wordlist = reading.wordlist
    table = Table("what", "words", "for example", title=escape(printable(wordlist.name)), title_justify="left")
    table.add_row("kept", str(len(wordlist.words)), ", ".join(wordlist.words[:5]))
    for reason, (count, samples) in sorted(reading.refused.items()):
        table.add_row(f"refused: {reason}", str(count), escape(", ".join(map(printable, samples))))
    table.add_row("met more than once", str(reading.duplicates), "")
    Console().print(table)
    print(f"Checksum of the words kept: {wordlist.checksum}")


def _print_verdicts(verdicts: list[building.ListCheck], as_json: bool) -> None:
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
