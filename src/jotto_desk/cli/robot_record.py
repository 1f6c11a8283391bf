"""`jotto robot record`: a file of everything that a robot says, hears, feels and does."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jotto_behaviour import memory
from jotto_desk.cli import options
from jotto_desk.cli.robot_serve import end_politely
from jotto_desk.cli.shell import option
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.robots import convert_robot_errors

if TYPE_CHECKING:
    from naosim_robots.far.watching import Progress, WatchedFile

EXAMPLES = (
    "jotto robot record day.jsonl --robot nao.local",
    "jotto robot record class.jsonl --robot 192.168.1.5 --event MyApp/Score --memory MyApp/Level",
)
_MAX_SHOWN_WORDS = 60


def record(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, such as day.jsonl.")],
    robot: options.Url = "",
    event: Annotated[list[str] | None, option("Also record this event; at most two.", "--event", metavar="KEY")] = None,
    value: Annotated[
        list[str] | None, option("Also record this value of ALMemory; at most nine.", "--memory", metavar="KEY")
    ] = None,
    user: options.User = "",
    password_file: options.PasswordFile = None,
    patience: options.Patience = 60.0,
) -> None:
    """Record a robot until Ctrl-C: speech, heard words, touches, joints, lights and behaviours.

    The file has no sound, no picture, no face, and no names of people that the robot has learned. See it with
    python -m naosim --page --replay FILE; make a test of it with naosim talk FILE BEHAVIOUR.
    """
    far = options.require_robot(robot, user, password_file)
    with end_politely(), options.open_connection(far, patience) as connection, convert_robot_errors():
        from naosim.errors import NaosimError
        from naosim_robots.far.watching import Watcher

        with _show_line(f"recording {connection.address.url}") as show:
            # The settings decide everything in a game of ours.
            watcher = Watcher(connection, file, event or (), show, values=(memory.SETTINGS_KEY, *(value or ())))
            trouble = ""
            try:
                print("Recording; Ctrl-C ends it.", file=sys.stderr, flush=True)
                print(watcher.run(), file=sys.stderr)
            except (KeyboardInterrupt, SystemExit):
                pass
            except NaosimError as error:
                trouble = str(error)
            finally:
                watcher.close()
    if trouble:
        raise DeskError(f"{trouble} '{file}' has everything up to then.")
    print(_describe(file, watcher.file))


@contextlib.contextmanager
def _show_line(doing: str) -> Iterator[Callable[[Progress], object]]:
    """Show the progress in one line of a terminal; give the function that changes it."""
    # rich is imported late, so that the other commands start fast.
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _progress: None
        return

    def describe(progress: Progress) -> str:
        minutes, seconds = divmod(int(progress.seconds), 60)
        counted = f"{minutes}:{seconds:02d}  {progress.events} events  {progress.bytes / 1000:.1f} kB"
        return escape(f"{doing}  {counted}  {progress.words[:_MAX_SHOWN_WORDS]}")

    with console.status(escape(doing)) as status:
        yield lambda progress: status.update(describe(progress))


def _describe(path: Path, file: WatchedFile) -> str:
    minutes, seconds = divmod(int(file.seconds), 60)
    return (
        f"Wrote {path}: {minutes} min {seconds} s, {file.events} events, {file.bytes / 1000:.1f} kB. "
        f"See it: python -m naosim --page --replay {path}"
    )
