"""What a rehearsal tells: the outcome on the screen or as JSON, and what was said in a file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer

from jotto_desk import files
from jotto_desk.terminal import Bar, Column, FittedTable, stdout_console

from . import mishearing, voice_report
from .game import GameRecord


class Wanted(NamedTuple):
    """What people want to see: the whole of a single game, JSON, a file with what was said."""

    whole: bool
    as_json: bool
    transcripts: Path | None
    confusions: Path | None = None


def tell(records: Sequence[GameRecord], outcome: dict[str, Any], wanted: Wanted) -> None:
    """Print the outcome, and of a single game all of it; write what was said into a file, where that is wanted."""
    if not wanted.as_json:
        _print(records, outcome, wanted.whole)
    else:
        if wanted.whole and records:
            outcome |= {"transcript": records[0].transcript.splitlines(), "attempts": records[0].attempts}
        typer.echo(json.dumps(outcome))
    if wanted.transcripts is not None:
        _write(wanted.transcripts, records, "game_seconds" in outcome)
    if wanted.confusions is not None:
        mishearing.write(wanted.confusions, records, outcome)


def _write(file: Path, records: Sequence[GameRecord], is_timed: bool) -> None:
    """Write what was said in every game, under its word and, on a simulated robot at the desk, its times."""
    games = (f"# {one.secret}{': ' + _took(one) if is_timed else ''}\n{one.transcript}" for one in records)
    files.write_whole(file, "\n\n".join(games) + "\n")


def _took(game: GameRecord) -> str:
    """Return how long a game took NAO and the person."""
    robot, person = game.robot_seconds, game.person_seconds
    return f"{robot + person:.1f} s, NAO {robot:.1f} s, the person {person:.1f} s"


def _print(records: Sequence[GameRecord], outcome: dict[str, Any], whole: bool) -> None:
    console = stdout_console()
    if whole:
        console.print(records[0].transcript, markup=False)
        if "game_seconds" in outcome:
            console.print(f"     ({_took(records[0])})", markup=False)
        for failure in records[0].failures:
            console.print(f"FAILED: {failure}", style="bold red", markup=False)
        return
    console.print(_attempts(outcome))
    attempts = f", mean {outcome['mean']} attempts (the winning guess counted), at most {outcome['max']}"
    console.print(
        f"found {outcome['found']} of {outcome['games']}{attempts if outcome['found'] else ''}; {outcome['seconds']} s"
    )
    if "game_seconds" in outcome:
        console.print(_times(outcome))
    if "voice" in outcome:
        console.print(voice_report.understood(outcome["voice"]))
        console.print(voice_report.calibration(outcome["voice"]))
        console.print(voice_report.honestly(outcome["voice"]))
    for failed in outcome["failures"][:20]:
        console.print(f"FAILED {failed['secret']}: {'; '.join(failed['failures'])[:500]}", markup=False)


def _attempts(outcome: dict[str, Any]) -> FittedTable:
    """Lay out how many games took how many attempts."""
    how = f"strategy {outcome['strategy']}" if "role" not in outcome else f"{outcome['scores']} scores checked"
    games = f"the first {outcome['games']} of {outcome['asked']}" if outcome["stopped"] else outcome["games"]
    sheet = FittedTable(
        f"{games} games on list {outcome['list']}, {how}, seed {outcome['seed']}",
        Column("attempts"),
        Column("games"),
        Column("", is_text=True),
    )
    most = max(outcome["histogram"].values(), default=1)
    for number, count in outcome["histogram"].items():
        sheet.add(number, str(count), Bar(count / most))
    return sheet


def _times(outcome: dict[str, Any]) -> FittedTable:
    """Lay out how long games take on the robot's clock."""
    took = f"; {outcome['answer_seconds']:g} s for an answer" if outcome["answer_seconds"] else ""
    sheet = FittedTable(
        f"simulated seconds of a game{took}",
        Column("", is_text=True, folds=True),
        *map(Column, ("median", "p90", "share")),
    )
    person = outcome["person_share"]
    for name, key, share in (
        ("NAO speaks, thinks, moves, opens its ears", "robot_seconds", 1 - person),
        ("the person answers", "person_seconds", person),
        ("the whole game", "game_seconds", 1.0),
    ):
        sheet.add(name, f"{outcome[key]['median']:.1f}", f"{outcome[key]['p90']:.1f}", f"{share:.0%}")
    return sheet
