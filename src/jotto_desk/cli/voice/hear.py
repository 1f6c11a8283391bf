"""`jotto voice hear`: how well NAO hears recordings of people."""

import json
from pathlib import Path
from typing import Annotated

import typer

from jotto_behaviour import resources
from jotto_desk.errors import DeskError
from jotto_desk.sheet import screen
from naosim_live.voice.names import RECOGNISERS

from ..rehearsal import options as given
from ..rehearsal.voice_settings import QUIET
from ..shell import ADVANCED, PERSON, choices, progress
from ..shell.shared import Json

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="FOLDER", help="A folder for each phrase, named as it is said (yes, no, two-and-one), with WAV files."
    ),
]
Question = Annotated[
    str,
    typer.Option("--question", metavar="NAME", help="Ask this question of all of them, such as word, both or spell."),
]
Sample = Annotated[int, typer.Option("--sample", min=0, max=100_000, help="At most so many of each phrase; 0 is all.")]
NoiseAround = Annotated[
    str,
    typer.Option(
        "--noise",
        metavar="NOISE",
        rich_help_panel=PERSON,
        help="quiet leaves them in their own rooms; or white:DB, babble:DB, echo:DB.",
    ),
]
RecogniserName = Annotated[
    str,
    choices.chosen(
        "--recogniser",
        options=tuple(RECOGNISERS),
        what="recogniser",
        panel=ADVANCED,
        help="What hears: moonshine where it is installed, else pocketsphinx.",
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
    """Listen to recordings of people as NAO does, and tell which answers it understands.

    Google's Speech Commands and other collections of spoken words are such folders, and so are your own recordings.
    What is no answer to the question counts as another word: NAO had better not take it for one.
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
    lines, name = resources.lines(), wanted(recogniser, model)
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
    console = screen()
    for part in recorded_report.parts(list(rows.values()), f"{name}, {noise}"):
        console.print(part)
