"""`jotto robot migrate`: an old behaviour for NAOqi 2.8, the change as a diff, and a run before and after it."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from jotto_desk import files
from jotto_desk.cli.shell import option
from jotto_desk.errors import DeskError, as_desk_errors

if TYPE_CHECKING:
    from naosim.recording import Recording

EXAMPLES = (
    "jotto robot migrate dance/behavior.xar",
    "jotto robot migrate old.xar --to new.xar --check",
    "jotto robot migrate old.xar --to new.xar --recording run.jsonl",
)
LARGEST_XAR = 16 * 1024 * 1024
#: The versions of NAOqi that the behaviour runs on before and after, and the seconds of the robot that a run takes.
_OLD, _NEW, _RUN_S = "2.1", "2.8", 300.0
#: Lines that are about the code and not about the robot.
_NOT_COMPARED = ("warning", "log", "lint", "print", "start")
_MAX_LINES = 200


class _Run(NamedTuple):
    """What a robot did, and why it did not do what a recording has; "" if it did."""

    lines: list[str]
    parted: str = ""


def migrate(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="An old behavior.xar.")],
    to: Annotated[Path | None, option("The file to write; default: the same file.", metavar="FILE")] = None,
    check: Annotated[
        bool, option("Run it before and after on simulated robots, and print what differs.", "--check")
    ] = False,
    recording: Annotated[
        Path | None, option("Check it by repeating this recording of naosim --record.", "--recording", metavar="FILE")
    ] = None,
) -> None:
    """Change an old behaviour for NAOqi 2.8: make the changes that a rule can make, as a diff, and list the others.

    A check runs the old file on NAOqi 2.1 and the new one on 2.8, which executes their scripts on this computer. The
    exit code is 1 if the robot does something else afterwards.
    """
    # The simulator is imported late, so that the other commands start fast.
    from naosim import errors, lint, recording as recordings, xar

    is_checked = check or recording is not None
    content = files.read_bounded(path, LARGEST_XAR, "behaviour")
    with as_desk_errors(errors.NaosimError):
        before = lint.judge_for_target(xar.parse(content))
        made = lint.migrate_file(content)
        left = lint.judge_for_target(xar.parse(made))
        acts = recordings.load_recording(str(recording)) if recording is not None else None
        was = _run(path, _OLD, acts) if is_checked else _Run([])
    if was.parted:
        raise DeskError(f"The recording is of another behaviour: {was.parted}.")
    if made != content or to is not None:
        files.write_whole(to or path, made)
        print(f"Wrote {to or path}: {len(before) - len(left)} changes.")
    for line in _diff(content.decode("utf-8", "replace"), made.decode("utf-8", "replace"), path, to or path):
        print(line)
    for finding in left:
        print(f"{finding.box}: {finding.sentence}")
    print(f"{len(left)} changes are left." if left else "No change is left.")
    if is_checked:
        with as_desk_errors(errors.NaosimError):
            now = _run(to or path, _NEW, acts)
        _compare(was.lines, now.lines + ([f"parts     {now.parted}"] if now.parted else []))


def _diff(before: str, after: str, path: Path, to: Path) -> list[str]:
    """Return the changed lines as a diff; characters that a terminal would obey become `?`."""
    rows = difflib.unified_diff(before.splitlines(), after.splitlines(), str(path), str(to), n=0, lineterm="")
    return ["".join(each if each.isprintable() or each == "\t" else "?" for each in row) for row in rows]


def _run(path: Path, naoqi: str, acts: Recording | None) -> _Run:
    """Return what the robot does with a behaviour, without times: with the acts of a recording, or without a person."""
    from naosim.cli import give_answers, transcript_line
    from naosim.recording import Diverged, replay_recording
    from naosim.robot import Robot

    parted = ""
    with Robot(naoqi=naoqi) as robot:
        behaviour = robot.load(str(path), True)
        if acts is None:
            robot.start(behaviour)
            give_answers(robot, [], _RUN_S)
        else:
            try:
                replay_recording(robot, acts)
            except Diverged as error:
                parted = str(error)
        events = [event for event in robot.trace.events if event.kind not in _NOT_COMPARED]
        lines = [_leave_time_out(line) for line in map(transcript_line, events) if line is not None]
        robot.stop(behaviour)
        # Every behaviour is named after its folder, which is not what the robot does.
        return _Run([line for line in lines if not line.startswith("ends ")], parted)


def _leave_time_out(line: str) -> str:
    """Return a line of a transcript without its time; a method that has another name on NAOqi 2.8 has that one."""
    from naosim.lint import migrate_script

    verb, blanks, text = line.partition(" s  ")[2].partition("  ")
    return verb + blanks + (migrate_script("." + text.lstrip())[1:] if verb == "moves" else text)


def _compare(was: list[str], now: list[str]) -> None:
    """Print what differs between two runs; raises `typer.Exit` with 1 if something does."""
    if was == now:
        print(f"Checked: NAO does the same on NAOqi {_OLD} before and on {_NEW} after, in {len(was)} lines.")
        return
    print(f"NAO does something else after the change (- before on NAOqi {_OLD}, + after on {_NEW}):")
    rows = list(difflib.unified_diff(was, now, n=1, lineterm=""))[2:]
    for row in rows[:_MAX_LINES]:
        print(f"  {row}")
    if len(rows) > _MAX_LINES:
        print(f"  and {len(rows) - _MAX_LINES} lines more")
    raise typer.Exit(1)
