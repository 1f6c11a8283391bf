"""`jotto voice hear`: how well NAO hears recordings of people."""

import json
from pathlib import Path
from typing import Annotated

import typer

from jotto_behaviour import mind
from jotto_desk.errors import DeskError
from jotto_desk.terminal import stdout_console
from naosim_live.voice.names import RECOGNISERS

from ..rehearsal import options as given
from ..rehearsal.voice_settings import QUIET
from ..shell import ADVANCED, PERSON, choices, progress
from ..shell.shared import Json

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="FOLDER", help="One folder of WAV files per phrase, named as it is said (yes, no, two-and-one)."
    ),
]
Question = Annotated[
    str,
    typer.Option("--question", metavar="NAME", help="The question for all recordings, such as word, both or spell."),
]
Sample = Annotated[int, typer.Option("--sample", min=0, max=100_000, help="Most recordings per phrase; 0 is all.")]
NoiseAround = Annotated[
    str,
    typer.Option(
        "--noise",
        metavar="NOISE",
        rich_help_panel=PERSON,
        help="Noise to add: quiet (none), white:DB, babble:DB or echo:DB; the voice is DB decibels louder.",
    ),
]
RecogniserName = Annotated[
    str,
    choices.chosen(
        "--recogniser",
        options=tuple(RECOGNISERS),
        what="recogniser",
        panel=ADVANCED,
        help="Speech recogniser; default: moonshine if it is installed, else pocketsphinx.",
    ),
]
#: From so many recordings on it takes over a second.
MANY = 8


def hear(
    folder: Folder,
    question: Question = "",
    sample: Sample = 0,
    noise: NoiseAround = QUIET,
    recogniser: RecogniserName = "",
    model: given.Model = "",
    seed: given.Seed = 1,
    as_json: Json = False,
) -> None:
    """Listen to recordings of people as NAO does, and report which answers it understands.

    Use Google's Speech Commands, another collection of spoken words, or your own recordings. A phrase that does not
    answer the question counts as another word, which NAO should reject.
    """
    # The recogniser and the sound are imported late, so that the other commands start at once.
    from naosim_live.voice import noise as noises
    from naosim_live.voice import recordings
    from naosim_live.voice.errors import VoiceError
    from naosim_live.voice.names import wanted
    from naosim_live.voice.recogniser import recogniser as made

    from . import alike, recorded, recorded_report

    if question and question not in alike.questions():
        raise DeskError(choices.unknown(question, alike.questions(), "question"))
    lines, name = mind.load_lines(), wanted(recogniser, model)
    try:
        ears = made(name, model)
        chosen = recorded.asked(recordings.of_phrases(folder), lines, question, sample, seed)
        rows = {
            row.phrase: row
            for row in progress.shown(
                "listening", recorded.heard(chosen, ears, lines, noises.parse(noise), seed), len(chosen), MANY
            )
        }
    except VoiceError as error:
        raise DeskError(str(error)) from error
    if as_json:
        typer.echo(
            json.dumps({"recogniser": name, "noise": noise, "phrases": list(map(recorded_report.plain, rows.values()))})
        )
        return
    console = stdout_console()
    for part in recorded_report.parts(list(rows.values()), f"{name}, {noise}"):
        console.print(part)
