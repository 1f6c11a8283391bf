"""`naosim facts ADDRESS`: compare a robot with recordings of real robots."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import qiwire
from naosim.errors import NaosimError
from naosim_robots.addresses import read_password
from naosim_robots.far.connection import Login, close_or_keep, find_robot

from .runner import COMPARED, DIFFERS, DOES_NOT_APPLY, HOLDS, LEFT_OUT, MISSING, Outcome, RobotLost, Runner
from .table import FOLDER, MARKS, Fact, Robot, read_facts

_BAR_WIDTH = 30  # characters
_EXPLANATION = """\
Each row of the table is one thing that a robot, or the maker's own simulator, was seen to do. Rows that make a robot
move or speak, that write something or need a person, run only if you ask for them; on a simulated robot all run
without a flag.
The exit code is 0 if all compared rows hold, 1 if one does not, 2 if the robot cannot be compared."""
_ASKS = {
    "fresh": "rows that need a robot that has just started",
    "installs": "rows that write something that stays: a file, a name, a setting",
    "moves": "rows that move the robot: give it room",
    "person": "rows that need you in front of the robot; you are told what to do",
    "speaks": "rows that make the robot speak",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code: 0 all rows hold, 1 some do not; raises NaosimError."""
    return _run(_parse_options(arguments))


def compare_robot(
    session: Any, facts: Iterable[Fact], library: Any = qiwire, tell: Any = None, **options: Any
) -> tuple[Robot, list[Outcome]]:
    """Return the kind of the robot and the outcome of each row; `tell(done, outcome)` is called after each.

    `options` are those of Runner. Raises UnknownRobot and RobotLost.
    """
    runner = Runner(session, library, **options)
    outcomes: list[Outcome] = []
    for outcome in runner.run(facts):
        outcomes.append(outcome)
        if tell is not None:
            tell(len(outcomes), outcome)
    return runner.robot, outcomes


def count_outcomes(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Count the outcomes by state; rows about which sources disagree are counted as "disputed"."""
    states = Counter("disputed" if each.fact.disputed and each.state in COMPARED else each.state for each in outcomes)
    return {state: states[state] for state in (*COMPARED, "disputed", LEFT_OUT, DOES_NOT_APPLY)}


def _parse_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="naosim facts", description=__doc__, epilog=_EXPLANATION)
    parser.add_argument("address", metavar="ADDRESS", help="the robot, such as nao.local or tcp://127.0.0.1:9559")
    for mark, title in _ASKS.items():
        parser.add_argument(f"--{mark}", action="store_true", help=f"run {title}")
    parser.add_argument("--all", action="store_true", help="run all rows")
    parser.add_argument("--only", default="", metavar="TEXT", help="run rows whose name contains TEXT")
    parser.add_argument("--table", type=Path, default=FOLDER, metavar="FOLDER", help="read another table")
    parser.add_argument("--json", action="store_true", help="print one object with all outcomes")
    parser.add_argument("--user", default="", metavar="NAME", help="the user of a robot that wants a login")
    parser.add_argument("--password-file", type=Path, metavar="FILE", help="the file with its password")
    parser.add_argument("--naoqi", default="", metavar="VERSION", help="the version, if the robot does not say it")
    parser.add_argument("--body", choices=("NAO", "Pepper"), help="the body, if the robot does not say it")
    options = parser.parse_args(arguments)
    if bool(options.naoqi) != bool(options.body):
        parser.error("give --naoqi and --body together")
    if bool(options.user) != (options.password_file is not None):
        parser.error("give --user and --password-file together")
    return options


def _run(options: argparse.Namespace) -> int:
    facts = [fact for fact in read_facts(options.table) if options.only in fact.id]
    if not facts:
        raise NaosimError(f"No row has {options.only!r} in its name: see {options.table}.")
    marks = [mark for mark in MARKS if options.all or getattr(options, mark)]
    login = Login(options.user, read_password(options.password_file)) if options.user else Login()
    address, _, session = find_robot(options.address, login, lambda told: print(told, file=sys.stderr), qiwire)
    bar = _Bar(len(facts))
    try:
        robot, outcomes = compare_robot(
            session,
            facts,
            tell=bar.show,
            marks=marks or None,
            robot=Robot(options.body, options.naoqi) if options.body else None,
            ask_owner=bar.ask,
        )
    except (RuntimeError, TimeoutError) as error:
        raise RobotLost(f"The robot at {address.url} does not answer: {str(error).rstrip('.')}.") from None
    finally:
        bar.clear()
        close_or_keep(session)
    print(_as_json(address.url, robot, outcomes) if options.json else describe(address.url, robot, outcomes))
    return int(any(each.counts and each.state != HOLDS for each in outcomes))


def describe(url: str, robot: Robot, outcomes: list[Outcome]) -> str:
    """Return the outcomes for people: the rows that do not hold, then the counts."""
    lines = [f"{robot} at {url}"]
    for each in outcomes:
        if each.state in (DIFFERS, MISSING):
            state = f"disputed, {each.state}" if each.fact.disputed else each.state
            lines += [
                "",
                f"{state}: {each.fact.id}: {each.fact.title}",
                f"  step    {each.step}",
                f"  came    {each.came}",
                f"  wanted  {each.wanted}",
                f"  source  {each.fact.kind}, {each.fact.source}",
            ]
            if each.fact.disputed:
                lines.append(f"  but     {each.fact.disputed}")
    counts = count_outcomes(outcomes)
    compared = sum(counts[state] for state in COMPARED)
    lines += [
        "",
        f"{counts[HOLDS]} of {compared} rows hold: {counts[DIFFERS]} differ, {counts[MISSING]} lack a service.",
    ]
    if counts[LEFT_OUT]:
        needed = sorted(set().union(*(each.fact.marks for each in outcomes if each.state == LEFT_OUT)))
        lines.append(f"{counts[LEFT_OUT]} rows are left out: {', '.join(f'--{mark}' for mark in needed)} runs them.")
    lines.append(f"{counts[DOES_NOT_APPLY]} rows are about other robots; {counts['disputed']} are disputed.")
    return "\n".join(lines)


def _as_json(url: str, robot: Robot, outcomes: list[Outcome]) -> str:
    rows = [
        {
            "id": each.fact.id,
            "title": each.fact.title,
            "state": each.state,
            "step": each.step,
            "came": each.came,
            "wanted": each.wanted,
            "kind": each.fact.kind,
            "source": each.fact.source,
            "disputed": each.fact.disputed,
        }
        for each in outcomes
    ]
    head = {"address": url, "body": robot.body, "naoqi": robot.version, "place": robot.place}
    return json.dumps({**head, "counts": count_outcomes(outcomes), "facts": rows}, indent=1)


class _Bar:
    """A progress bar on the terminal; nothing if the errors go elsewhere."""

    def __init__(self, rows: int) -> None:
        self._rows, self._shows = rows, sys.stderr.isatty()

    def show(self, done: int, outcome: Outcome) -> None:
        filled = _BAR_WIDTH * done // self._rows
        self._write(f"[{'#' * filled}{'.' * (_BAR_WIDTH - filled)}] {done} of {self._rows}  {outcome.fact.id}"[:79])

    def ask(self, deed: str) -> None:
        self.clear()
        print(f"Please do this now: {deed}", file=sys.stderr)

    def clear(self) -> None:
        self._write("")

    def _write(self, text: str) -> None:
        if self._shows:
            sys.stderr.write(f"\r{text}\x1b[K")
            sys.stderr.flush()
