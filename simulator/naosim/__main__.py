"""`python -m naosim FILE.xar`: runs a behaviour and prints what the robot says and does, or judges it with --lint."""
from __future__ import absolute_import, division, print_function

import argparse
import errno
import sys

from naosim import xar
from naosim.errors import NaosimError, Overrun, WrongUse
from naosim.lint import judge
from naosim.pythons import PY2, native, unicoded
from naosim.robot import Robot
from naosim.services import SERVICES
from naosim.telling import told
from naosim.trace import as_line

MYPY = False
if MYPY:
    from typing import Any

    from naosim.player import Behaviour

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130
LONGEST = 1e6


class _Answer(argparse.Action):
    """Keeps --say and --touch in the order they were given."""

    def __call__(self, parser, namespace, values, option_string=None):
        # type: (Any, Any, Any, str | None) -> None
        namespace.answers = list(namespace.answers or []) + [(self.dest, native(values))]


def main(arguments=None):
    # type: (list[str] | None) -> int
    """Runs the command line and gives the exit status: 0 fine, 1 failures or lint errors, 2 bad input, 130 Ctrl-C."""
    options = _parser().parse_args(arguments)
    try:
        return _lint(options) if options.lint else _run(options)
    except NaosimError as error:
        _print(sys.stderr, str(error))
        return FAILED if isinstance(error, Overrun) else BAD_INPUT
    except KeyboardInterrupt:
        _print(sys.stderr, "interrupted")
        return INTERRUPTED
    except (IOError, OSError) as error:
        if error.errno == errno.EPIPE:
            return 0
        raise


def _parser():
    # type: () -> argparse.ArgumentParser
    parser = argparse.ArgumentParser(
        prog="python -m naosim", description="Runs a Choregraphe behaviour on a simulated robot.",
        epilog="Exit status: 0 fine, 1 failures or lint errors, 2 unreadable file or wrong arguments, 130 Ctrl-C.")
    parser.add_argument("file", help="behavior.xar, or the folder that holds it")
    parser.add_argument("--lint", action="store_true", help="judge the file instead of running it")
    parser.add_argument("--say", action=_Answer, metavar="PHRASE", help="answer the next time the robot listens")
    parser.add_argument("--touch", action=_Answer, metavar="SENSOR", help="touch a sensor, such as FrontTactilTouched")
    parser.add_argument("--without", action="append", default=[], type=_service, metavar="SERVICE",
                        help="a robot without a service")
    parser.add_argument("--seconds", type=_seconds, default=300.0, help="stop after so much time (default 300)")
    parser.add_argument("--parameter", action="append", default=[], type=_assignment, metavar="NAME=VALUE",
                        help='set "Name" in every box or "Box.Name" in one')
    parser.add_argument("--seed", type=int, default=0, help="the robot's chance (default 0)")
    parser.add_argument("--rewrite", action="store_true", help="turn simple Python 2 scripts into Python 3")
    parser.add_argument("--real-time", action="store_true", help="take the time that a robot takes")
    parser.add_argument("--json", action="store_true", help="one JSON object per event")
    parser.set_defaults(answers=[])
    return parser


def _seconds(text):
    # type: (str) -> float
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST:
        raise argparse.ArgumentTypeError("%s is no number of seconds between 0 and %d" % (text, LONGEST))
    return seconds


def _service(text):
    # type: (str) -> str
    if text not in SERVICES:
        raise argparse.ArgumentTypeError("the robot has no service %s" % text)
    return native(text)


def _assignment(text):
    # type: (str) -> tuple[str, str]
    name, sign, value = native(text).partition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError("%s is not NAME=VALUE" % text)
    return name, value


def _lint(options):
    # type: (argparse.Namespace) -> int
    findings = judge(xar.parse(options.file))
    for finding in findings:
        _print(sys.stdout, "%-7s  %s: %s" % (finding.severity, finding.box, finding.sentence))
    errors = sum(finding.severity == "error" for finding in findings)
    _print(sys.stdout, "%d findings, %d of them errors" % (len(findings), errors))
    return FAILED if errors else 0


def _run(options):
    # type: (argparse.Namespace) -> int
    out = sys.stdout

    def show(event):
        # type: (Any) -> None
        line = as_line(event) if options.json else told(event)
        if line is not None:
            _print(out, line)

    with Robot(options.without, seed=options.seed, real_time=options.real_time) as robot:
        robot.trace.listeners.append(show)
        behaviour = robot.load(options.file, options.rewrite, dict(options.parameter))
        robot.start(behaviour)
        _converse(robot, list(options.answers), options.seconds)
        return _sum_up(robot, behaviour, options)


def _converse(robot, answers, seconds):
    # type: (Robot, list[tuple[str, str]], float) -> None
    """Lets the robot act and gives it the answers in order, until the time is up or nothing more can happen."""
    while robot.clock.now() < seconds:
        pause = robot.advance(seconds - robot.clock.now())
        if pause.ended:
            return
        kind, value = answers[0] if answers else ("", "")
        if kind == "say" and pause.ears.engine is not None:
            robot.hear(value)
        elif kind == "touch" and (pause.ears.touch or pause.ears.engine is not None):
            robot.touch(value)
        else:
            kind = ""
        if kind:
            del answers[0]
            continue
        due = robot.clock.next_due()
        if due is None:
            return
        robot.stay_silent(min(due, seconds) - robot.clock.now())


def _sum_up(robot, behaviour, options):
    # type: (Robot, Behaviour, argparse.Namespace) -> int
    if not behaviour.ended:
        why = "the time is up" if robot.clock.now() >= options.seconds else "it waits for an answer: see --say"
        robot.stop(behaviour)
        if not options.json:
            _print(sys.stdout, "%7.1f s  stopped   %s" % (robot.clock.now(), why))
    for leak in robot.leaks(behaviour):
        _print(sys.stderr, "left behind: %s" % leak)
    for failure in behaviour.failures:
        _print(sys.stderr, "failure: %s" % failure)
    return FAILED if behaviour.failures else 0


def _print(out, line):
    # type: (Any, str) -> None
    """Prints a line whatever the terminal's encoding, and at once, so that a reader in a pipe can follow."""
    if not PY2:
        encoding = getattr(out, "encoding", None) or "ascii"
        line = unicoded(line).encode(encoding, "replace").decode(encoding)
    out.write(line + "\n")
    out.flush()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except WrongUse as error:
        sys.exit(str(error))
