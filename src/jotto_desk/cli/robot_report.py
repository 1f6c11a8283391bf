"""The report of `jotto robot doctor --report`: questions to the owner, the file, and the comparison of two reports."""

import functools
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from jotto import __version__
from jotto_desk import files
from jotto_desk.cli import shell
from jotto_desk.cli.shell import OUTPUT, option, print_json
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.rehearsal.robots import convert_robot_errors

if TYPE_CHECKING:
    from naosim_robots.far.connection import Connection
    from naosim_robots.report.interview import Consent

ReportFile = Annotated[
    Path | None,
    option(
        "Write a report on the robot into this new file. You are asked before the robot speaks or listens.",
        "--report",
        panel=OUTPUT,
        metavar="FILE",
    ),
]
EarlierFile = Annotated[
    Path | None,
    option("Ask the robot again, and print what differs from this report.", "--compare", panel=OUTPUT, metavar="FILE"),
]


class Task(NamedTuple):
    """The file to write, and the earlier report and its file; each can be None."""

    file: Path | None
    earlier: dict[str, Any] | None
    earlier_file: Path | None


def plan_report(file: Path | None, earlier_file: Path | None) -> Task | None:
    """Check the files of the options before the robot is asked; return None if there are none. Raises `DeskError`."""
    if file is None and earlier_file is None:
        return None
    if file is not None and file.exists():
        raise DeskError(f"'{file}' is there already: give a new name, or compare with it: --compare {file}.")
    earlier = None
    if earlier_file is not None:
        from naosim_robots.report import form

        raw = files.read_bounded(earlier_file, form.MAX_REPORT_BYTES, "report")
        with convert_robot_errors():
            earlier = form.read_text(raw.decode("utf-8", "replace"), str(earlier_file))
    shell.check_outputs(file)
    return Task(file, earlier, earlier_file)


def make_report(connection: "Connection", checks: dict[str, str], task: Task, as_json: bool) -> None:
    """Ask the robot, write and show the report; raises `DeskError`, and `typer.Exit` with 1 if reports differ."""
    from naosim_robots.report import form

    report = _ask_robot(connection, checks)
    if task.file is not None:
        files.write_whole(task.file, form.write_text(report))
    differences: list[str] = []
    told: dict[str, Any] = report
    if task.earlier is not None:
        from naosim_robots.report.comparison import compare_reports

        differences, remarks = compare_reports(task.earlier, report)
        told = {"report": report, "differences": differences, "remarks": remarks}
    if as_json:
        print_json(told)
    else:
        _print_report(report, task.file)
        if task.earlier is not None:
            _print_comparison(task.earlier_file, differences, told["remarks"])
    if differences:
        raise typer.Exit(1)


def _ask_robot(connection: "Connection", checks: dict[str, str]) -> dict[str, Any]:
    from naosim_robots.facts.runner import RobotLost, UnknownRobot
    from naosim_robots.facts.table import read_facts
    from naosim_robots.report.interview import Interview

    facts = read_facts()
    show = functools.partial(shell.show_progress, least=0)
    try:
        consent = _ask_owner()
        with as_desk_errors(UnknownRobot):
            return Interview(connection, facts, consent, _tell_owner, show).ask_all(checks, __version__)
    except (RobotLost, RuntimeError, TimeoutError) as error:
        why = "the connection broke" if isinstance(error, RobotLost) else str(error).strip()
        raise DeskError(f"The robot went away ({why}), so there is no report; try again.") from error


def _ask_owner() -> "Consent":
    """Return the owner's consent, which is empty without a terminal."""
    from naosim_robots.report.form import SENTENCES, WORDS
    from naosim_robots.report.interview import Consent

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return Consent()
    _tell("The report takes up to three minutes. The robot does not walk. Ctrl-C stops; then there is no report.")
    speech = _confirm(f"May the robot speak English? It says {len(SENTENCES)} sentences and some short texts.")
    person = _confirm(f"Will you say {len(WORDS)} words to it, and touch its head, when you are told?")
    return Consent(speech, person)


def _confirm(question: str) -> bool:
    return typer.confirm(question, default=False, err=True)


def _tell_owner(deed: str) -> None:
    _tell(f"Please {deed}.")


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _print_report(report: dict[str, Any], file: Path | None) -> None:
    from naosim_robots.report import form

    print("\nThe report:")
    for name, told in form.describe(report):
        print(f"  {name:<20} {told}")
    if file is not None:
        print(
            f"\nIt is in '{file}', with every value. It has no names, addresses, serial numbers or sounds."
            "\nNothing was sent. Read it; to share it, open an issue with the form 'My robot' and add the file."
        )


def _print_comparison(file: Path | None, differences: Iterable[str], remarks: Iterable[str]) -> None:
    lines = list(differences)
    print(
        f"\nCompared with '{file}': {len(lines)} difference{'' if len(lines) == 1 else 's'}."
        if lines
        else f"\nNothing differs from '{file}'."
    )
    for line in lines:
        print(f"  {line}")
    for line in remarks:
        print(f"  (not counted) {line}")
