"""`jotto voice hear`: how well NAO hears recordings of people."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from jotto_behaviour import resources
from jotto_desk.errors import DeskError
from jotto_desk.sheet import Bar, Column, Sheet, screen

from ..rehearsal import options as given
from ..rehearsal.voice_settings import PLAIN, QUIET
from ..shell import PERSON, choices, progress
from ..shell.shared import Json

Folder = Annotated[Path, typer.Argument(
    metavar="FOLDER", help="A folder for each phrase, named as it is said (yes, no, two-and-one), with WAV files.")]
Question = Annotated[str, typer.Option(
    "--question", metavar="NAME", help="Ask this question of all of them, such as word, both or spell.")]
Sample = Annotated[int, typer.Option("--sample", min=0, max=100_000, help="At most so many of each phrase; 0 is all.")]
NoiseAround = Annotated[str, typer.Option(
    "--noise", metavar="NOISE", rich_help_panel=PERSON,
    help="quiet leaves them in their own rooms; or white:DB, babble:DB, echo:DB.")]
#: From so many recordings on it takes over a second.
MANY = 8


def hear(folder: Folder, question: Question = "", sample: Sample = 0, noise: NoiseAround = QUIET,  # noqa: PLR0917
         recogniser: given.RecogniserName = PLAIN, model: given.Model = "", seed: given.Seed = 1,
         as_json: Json = False) -> None:
    """Listen to recordings of people as NAO does, and tell which answers it understands.

    Google's Speech Commands and other collections of spoken words are such folders, and so are your own recordings.
    What is no answer to the question counts as another word: NAO had better not take it for one.
    """
    # The recogniser and the sound are imported late, so that the other commands start at once.
    from naosim_live.voice import noise as noises
    from naosim_live.voice import recordings
    from naosim_live.voice.errors import VoiceError
    from naosim_live.voice.recogniser import recogniser as made

    from . import alike, recorded

    if question and question not in alike.questions():
        raise DeskError(choices.unknown(question, alike.questions(), "question"))
    lines = resources.lines()
    try:
        ears = made(recogniser, model)
        chosen = recorded.asked(recordings.of_phrases(folder), lines, question, sample, seed)
        rows = {row.phrase: row for row in progress.shown(
            "listening", recorded.heard(chosen, ears, lines, noises.parse(noise), seed), len(chosen), MANY)}
    except VoiceError as error:
        raise DeskError(str(error)) from error
    if as_json:
        typer.echo(json.dumps({"recogniser": recogniser, "noise": noise, "phrases": [_as_json(row) for row in
                                                                                    rows.values()]}))
        return
    _print(list(rows.values()), recogniser, noise)


def _as_json(row: Any) -> dict[str, Any]:
    return {"phrase": row.phrase, "question": row.question, "is_answer": row.is_answer, "recordings": row.recordings,
            **{name.replace(", ", "_").replace(" ", "_"): count for name, count in sorted(row.counts.items())},
            "mixed_up": dict(row.mixed_up.most_common())}


def _print(rows: list[Any], recogniser: str, noise: str) -> None:
    answers, others = [row for row in rows if row.is_answer], [row for row in rows if not row.is_answer]
    console = screen()
    if answers:
        console.print(_sheet(f"answers, {recogniser}, {noise}", answers))
    if others:
        console.print(_sheet(f"other words, {recogniser}, {noise}", others))
    if answers:
        console.print(f"Of {_total(answers)} answers NAO understood {_share(answers, 'at once')} at once, and asked "
                      f"back {_share(answers, 'asked back')} rightly and {_share(answers, 'wrong, asked back')} "
                      f"wrongly. It believed {_share(answers, 'wrong')} wrongly.")
    if others:
        console.print(f"Of {_total(others)} other words NAO took {_share(others, 'wrong')} for an answer at once, and "
                      f"asked back at {_share(others, 'wrong, asked back')}.")


def _sheet(title: str, rows: Iterable[Any]) -> Sheet:
    sheet = Sheet(title, Column("said", is_text=True), Column("question", is_text=True, leaves=1), Column("of"),
                  Column("at once"), Column("asked back"), Column("wrong"), Column("wrong, asked back"),
                  Column("not understood"), Column("right", is_text=True, leaves=2),
                  Column("taken for", is_text=True, folds=True, leaves=3))
    for row in rows:
        right = (row.counts["at once"] + row.counts["asked back"]) / row.recordings
        sheet.add(row.phrase, row.question, str(row.recordings),
                  *(str(row.counts[name] or "") for name in ("at once", "asked back", "wrong", "wrong, asked back",
                                                             "not understood")),
                  Bar(right) if row.is_answer else "",
                  ", ".join(f"{phrase} {times}" for phrase, times in row.mixed_up.most_common(3)))
    return sheet


def _total(rows: Iterable[Any]) -> int:
    return sum(row.recordings for row in rows)


def _share(rows: list[Any], name: str) -> str:
    return f"{sum(row.counts[name] for row in rows) / _total(rows):.1%}"
