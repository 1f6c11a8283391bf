"""`jotto voice learn`: from which confidence on NAO had better believe an answer, by a log of real games."""

import json
from pathlib import Path
from typing import Annotated

import typer

from jotto_behaviour import mind
from jotto_desk.conversation import heard_log, thresholds
from jotto_desk.conversation.heard_log import HeardLog
from jotto_desk.conversation.thresholds import Learned
from jotto_desk.terminal import Bar, Column, FittedTable, stdout_console

from ..shell.shared import Json

LogFile = Annotated[Path, typer.Argument(metavar="FILE", help="The log heard.jsonl of NAO's notebook.")]


def learn(path: LogFile, as_json: Json = False) -> None:
    """Find the confidences at which NAO should believe an answer or ask to confirm it, from a log of real games.

    NAO writes the log with jotto play --keep-log, or if Jotto/Settings has "keep-log". An answer counts if NAO found
    the word, because the right answer is then known. A player's wrong score counts as misheard.
    """
    log = heard_log.read(path, mind.load_lines)
    found = thresholds.learn(log.answers)
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "certainty": [found.reject, found.sure],
                    "answers": len(log.answers),
                    "left_out": log.left_out,
                    "believed": found.believed,
                    "wrong": found.wrong,
                    "calibration": [tenth._asdict() for tenth in found.tenths],
                }
            )
        )
        return
    _print(log, found)


def _print(log: HeardLog, found: Learned) -> None:
    console = stdout_console()
    sheet = FittedTable(
        "what a confidence was worth", Column("from"), Column("heard"), Column("right"), Column("share", is_text=True)
    )
    for tenth in found.tenths:
        sheet.add(
            f"{tenth.begins:.1f}", str(tenth.heard), f"{tenth.right / tenth.heard:.0%}", Bar(tenth.right / tenth.heard)
        )
    console.print(sheet)
    left_out = f"; {log.left_out} lines tell nothing" if log.left_out else ""
    console.print(f"{len(log.answers)} answers whose truth is known{left_out}.")
    console.print(
        f"From {found.sure:g} on NAO believes at once: {found.wrong} of {found.believed} such answers were "
        f"wrong. From {found.reject:g} to there it asks back, and below it has the answer said again."
    )
    console.print(
        f"Play so: jotto play --voice --certainty {found.reject:g},{found.sure:g}; on a robot "
        f'Jotto/Settings has {{"certainty": [{found.reject:g}, {found.sure:g}]}}.',
        markup=False,
    )
    console.print("Confidences of another recogniser, or of other ears, are worth something else.")
