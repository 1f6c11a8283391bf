"""`jotto voice check`: which answers NAO's ears may mix up, by the dictionary and as it was measured."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from jotto_behaviour import mind
from jotto_desk.conversation import confusions
from jotto_desk.conversation.confusions import Confusions
from jotto_desk.errors import DeskError
from jotto_desk.terminal import Bar, Column, FittedTable, stdout_console

from ..shell import OUTPUT, choices
from ..shell.shared import Json

MOST = 50
Question = Annotated[
    str, typer.Option("--question", metavar="NAME", help="Only this question, such as word, both or spell.")
]
Measured = Annotated[
    Path | None,
    typer.Option(
        "--confusions",
        metavar="FILE",
        help="Also list measured confusions: a file of jotto rehearse --voice --write-confusions.",
    ),
]
Top = Annotated[
    int, typer.Option("--top", min=1, max=MOST, rich_help_panel=OUTPUT, help="Number of pairs to show per question.")
]


def check(question: Question = "", measured: Measured = None, top: Top = 3, as_json: Json = False) -> None:
    """List the most similar phrases of each question, by the recogniser's own dictionary."""
    # The dictionary's side is imported late, so that the other commands start at once.
    from . import alike

    if question and question not in alike.questions():
        raise DeskError(choices.unknown(question, alike.questions(), "question"))
    found = None if measured is None else confusions.read(measured)
    pairs = alike.of_all([question] if question else alike.questions(), mind.load_lines(), _sounded(), top)
    real = [] if found is None else [row for row in found.mixed_up() if question in ("", row[0])]
    if as_json:
        told: dict[str, Any] = {"pairs": [pair._asdict() | {"likeness": round(pair.likeness, 3)} for pair in pairs]}
        if found is not None:
            names = ("question", "said", "heard", "times", "believed", "sayings")
            told |= {"source": found.source, "mixed_up": [dict(zip(names, row, strict=True)) for row in real]}
        typer.echo(json.dumps(told))
        return
    stdout_console().print(
        _alike(
            [(pair.question, pair.one, pair.other, f"{pair.changes} of {pair.sounds}", pair.likeness) for pair in pairs]
        )
    )
    if found is not None:
        _print_measured(found, real[: top * 10])


def _sounded() -> Any:
    """Return what sounds a phrase by the dictionary of pocketsphinx; raises DeskError where that is not installed."""
    from naosim_live.voice.errors import VoiceError
    from naosim_live.voice.sphinx import SphinxRecogniser

    try:
        return SphinxRecogniser().pronunciations.of
    except VoiceError as error:
        raise DeskError(str(error)) from error


def _alike(rows: list[tuple[str, str, str, str, float]]) -> FittedTable:
    sheet = FittedTable(
        "what sounds alike, by the dictionary",
        Column("question", is_text=True),
        Column("answer", is_text=True),
        Column("another", is_text=True),
        Column("sounds to change"),
        Column("alike", is_text=True, leaves=1),
    )
    before = ""
    for question, one, other, changes, likeness in rows:
        sheet.add("" if question == before else question, one, other, changes, Bar(likeness))
        before = question
    return sheet


def _print_measured(found: Confusions, rows: list[tuple[str, str, str, int, int, int]]) -> None:
    lines = mind.load_lines()
    sheet = FittedTable(
        "what was mixed up",
        *(Column(name, is_text=True) for name in ("question", "said", "heard")),
        Column("times"),
        Column("of"),
        Column("believed"),
    )
    for question, said, heard, times, believed, of in rows:
        sheet.add(question, *(_phrase(meaning, lines) for meaning in (said, heard)), str(times), str(of), str(believed))
    console = stdout_console()
    console.print(sheet if rows else "Nothing was mixed up.")
    console.print(f"Measured by {found.source}.", markup=False)


def _phrase(meaning: str, lines: Any) -> str:
    """Return how a meaning is said; a word of the list is its own."""
    try:
        return str(next(iter(lines.phrases([meaning])), meaning))
    except KeyError:
        return meaning
