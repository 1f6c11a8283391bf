"""`naosim --talk FILE...`: run talks on a simulated robot, on one that is served, or on a real one."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from naosim.errors import NaosimError, WrongUse
from naosim_robots.addresses import read_password
from naosim_robots.child import find_python27

from .report import count, describe, write_junit
from .running import Opener, TalkOutcome, open_far, open_here, open_on_python, repeat_talk
from .talk import Talk, find_files, read_talks

_DESCRIPTION = "Runs talks: files that say what a person does to a robot, and what the robot must do then."
_EPILOG = "The exit status is 0 if all talks passed, 1 if one did not, 2 if they cannot run, 130 after Ctrl-C."

#: What a talk can choose of a robot that is made for it, and of no other.
_ONLY_SIMULATED = ("without", "faults")
#: Writes one page with all outcomes to a path.
PageWriter = Callable[[Path, Sequence[TalkOutcome]], object]


def main(arguments: list[str] | None = None, find_page_writer: Callable[[], PageWriter] | None = None) -> int:
    """Run the command line and return the exit status; `find_page_writer` finds what --html writes the page by."""
    options = _parse_options(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal may lack characters of a language.
            stream.reconfigure(errors="replace")
    try:
        write_page = find_page_writer() if options.html and find_page_writer is not None else None
        return _run(options, write_page)
    except NaosimError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _parse_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="naosim --talk", description=_DESCRIPTION, epilog=_EPILOG)
    files = "a file of talks, or a folder with files whose names end with .talk.yaml"
    parser.add_argument("--talk", required=True, nargs="+", type=Path, metavar="FILE", help=files)
    parser.add_argument("--only", default="", metavar="TEXT", help="run only talks whose names contain TEXT")
    robot = "run on this robot, such as nao.local or tcp://127.0.0.1:9559, instead of simulated ones"
    parser.add_argument("--robot", default="", metavar="ADDRESS", help=robot)
    parser.add_argument("--user", default="", metavar="NAME", help="the user of a robot that wants a login")
    parser.add_argument("--password-file", type=Path, metavar="FILE", help="the file with its password")
    parser.add_argument("--repeat", type=int, metavar="N", help="run each talk N times, each with the next seed")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write a report as JUnit XML")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a report as one page, with replays")
    parser.add_argument("--verbose", action="store_true", help="print the transcripts of talks that passed, too")
    options = parser.parse_args(arguments)
    if bool(options.user) != (options.password_file is not None):
        parser.error("give --user and --password-file together")
    if options.repeat is not None and not 0 < options.repeat <= 10_000:
        parser.error(f"--repeat {options.repeat} is not a number from 1 to 10000")
    return options


def _run(options: argparse.Namespace, write_page: PageWriter | None) -> int:
    talks = [talk for file in find_files(options.talk) for talk in read_talks(file) if options.only in talk.name]
    if not talks:
        raise WrongUse(f"no talk has a name with {options.only!r}: leave --only out to see all names.")
    outcomes = []
    for outcome in _run_all(options, talks):
        outcomes.append(outcome)
        shown = describe(outcome)
        print(
            "\n".join(shown + (outcome.transcript if options.verbose and outcome.difference is None else [])),
            flush=True,
        )
    if not outcomes:
        raise WrongUse("no talk can run on this robot: run them without --robot.")
    print(count(outcomes), flush=True)
    if options.junit is not None:
        write_junit(options.junit, outcomes)
    if write_page is not None:
        write_page(options.html, outcomes)
    return int(any(each.difference is not None for each in outcomes))


def _run_all(options: argparse.Namespace, talks: Iterable[Talk]) -> Iterator[TalkOutcome]:
    far = open_far(options.robot, **_read_login(options)) if options.robot else None
    for each in talks:
        talk = each._replace(repeat=options.repeat or each.repeat)
        if far is not None:
            reason = _find_obstacle(talk)
            if reason:
                print(f"left out  {talk.name}: {reason}")
            else:
                yield from repeat_talk(talk, far)
            continue
        for python in talk.setup.pythons:
            name = "" if talk.setup.pythons == ["3"] else f"Python {python}"
            yield from repeat_talk(talk, _choose_opener(python), name)


def _find_obstacle(talk: Talk) -> str:
    """Return why a talk cannot run on a robot far away; "" if it can."""
    chosen = [name for name in _ONLY_SIMULATED if talk.setup.robot.get(name)]
    if chosen:
        return f"it chooses {chosen[0]}, which only a robot in this program can have"
    if any(each.after for step in talk.steps for each in step.interruptions):
        return "it interrupts NAO, whose speech takes no time for boxes that run here"
    if any(check.does for check in (*talk.setup.end, *(step.check for step in talk.steps))):
        return "it looks at what NAO does, which only a robot in this program shows"
    return ""


def _choose_opener(python: str) -> Opener:
    if python == "3":
        return open_here
    found = find_python27(os.environ)
    if found is None:
        raise WrongUse("a talk needs Python 2.7, which is missing: install it, or name it by NAOSIM_PYTHON27.")
    return open_on_python(found)


def _read_login(options: argparse.Namespace) -> dict[str, Any]:
    if not options.user:
        return {}
    return {"user": options.user, "password": read_password(options.password_file)}
