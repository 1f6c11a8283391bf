"""The options of `python -m naosim`, and those of them that a recording keeps."""

from __future__ import absolute_import, division, print_function

import argparse
import re

from naosim.cli import page_options
from naosim.compat import from_json, native, quoted, unicoded
from naosim.errors import WrongUse
from naosim.formats.manifest import model
from naosim.formats.translations import CODES
from naosim.recording import recording_file
from naosim.services import SERVICES

MYPY = False
if MYPY:
    from typing import Any

LONGEST = 1e6
#: What a robot in virtual time does, and one on a page does not.
NOT_ON_A_PAGE = {
    "answers": "--say, --touch, --event and --dialog",
    "json": "--json",
    "lint": "--lint",
    "max_time": "--max-time",
    "strict": "--strict",
    "threads": "--threads",
    "verbose": "--verbose",
}
#: Values in the JSON of an event, and letters of it that a refusal quotes.
MOST_IN_EVENT, LONGEST_SHOWN = 10000, 60


class _Answer(argparse.Action):
    """The action of --say, --touch, --event and --dialog, which keeps their common order."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: (Any, Any, Any, str | None) -> None
        value = values if self.dest in {"dialog", "event"} else native(values)
        namespace.answers = list(namespace.answers or []) + [(self.dest, value)]


def parsed(arguments=None):  # type: (list[str] | None) -> argparse.Namespace
    """Parse a command line; a wrong one ends the program with status 2."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.replay and (options.answers or options.lint):
        parser.error("--replay brings its own answers: leave --say, --touch, --event, --dialog and --lint out")
    given = [named for name, named in sorted(NOT_ON_A_PAGE.items()) if getattr(options, name)]
    if options.page and given:
        parser.error("--page shows a behaviour in real time, to a person who answers: leave %s out" % given[0])
    stray = page_options.given_without_page(parser, options)
    if stray:
        parser.error("%s is for a page: give --page, too" % stray[0])
    wrong = page_options.wrong_recording(options)
    if wrong:
        parser.error(wrong)
    options.languages = [options.language] + [name for name in ("English",) if name != options.language]
    options.dialogs = sorted({value[0] for kind, value in options.answers if kind == "dialog"})
    options.parameters = dict(options.parameter)
    return options


def kept(options):  # type: (argparse.Namespace) -> dict[str, Any]
    """Return the options that a recording keeps, by name."""
    return {name: getattr(options, name) for name in recording_file.OPTIONS}


def restore(options, header):  # type: (argparse.Namespace, dict[str, Any]) -> None
    """Replace the options by those of a recording; raises NotARecording for impossible ones.

    Raises WrongUse when the recorded robot lacks a service that is unknown here.
    """
    for name, value in recording_file.options_of(header).items():
        setattr(options, name, value)
    if not 0 < options.seconds <= LONGEST or not options.languages:
        raise recording_file.NotARecording("the recording is damaged: its options are impossible")
    unknown = [name for name in options.without if name not in SERVICES]
    if unknown:
        raise WrongUse("the recording is of a robot without %s, which no robot here has" % quoted(unknown[0]))


def _parser():  # type: () -> argparse.ArgumentParser
    parser = argparse.ArgumentParser(
        prog="python -m naosim",
        description="Runs a Choregraphe behaviour on a simulated robot.",
        epilog="Exit status: 0 fine, 1 failures or lint errors, 2 unreadable file or wrong arguments, 130 Ctrl-C.",
    )
    parser.add_argument(
        "file",
        nargs="?",
        default="",
        help="behavior.xar, its folder, a project folder or .pml, an installed package, a .pkg",
    )
    parser.add_argument(
        "--behaviour",
        "--behavior",
        default="",
        type=native,
        metavar="NAME",
        help="which behaviour of a project or package",
    )
    parser.add_argument("--lint", action="store_true", help="judge the file instead of running it")
    parser.add_argument("--say", action=_Answer, metavar="PHRASE", help="answer the next time the robot listens")
    parser.add_argument("--touch", action=_Answer, metavar="SENSOR", help="touch a sensor, such as FrontTactilTouched")
    parser.add_argument(
        "--event",
        action=_Answer,
        type=_event,
        metavar="[SECONDS:]KEY=JSON",
        help="what its sensors notice, such as FaceDetected=true or 2.5:SonarLeftDetected=0.3",
    )
    parser.add_argument(
        "--dialog",
        action=_Answer,
        type=_output,
        metavar="BOX.OUTPUT=VALUE",
        help="fire an output of a Dialog box, whose topic is then left out",
    )
    parser.add_argument(
        "--without", action="append", default=[], type=_service, metavar="SERVICE", help="a robot without a service"
    )
    parser.add_argument(
        "--robot-type",
        default="Nao",
        type=_robot_type,
        metavar="TYPE",
        help="Nao, Pepper or Romeo (default Nao); only Pepper has a tablet",
    )
    parser.add_argument(
        "--camera",
        default="",
        type=native,
        metavar="FILE|FOLDER",
        help="the picture or pictures (PNG, PPM, PGM) that the cameras see (default a test card)",
    )
    parser.add_argument("--language", default="English", type=_language, help="what the robot speaks (default English)")
    parser.add_argument("--seconds", type=_seconds, default=300.0, help="stop after so much time (default 300)")
    parser.add_argument("--max-time", type=_seconds, metavar="SECONDS", help="give up after so much real time")
    parser.add_argument("--threads", action="store_true", help="let others go on while a script loops without end")
    parser.add_argument(
        "--parameter",
        action="append",
        default=[],
        type=_assignment,
        metavar="NAME=VALUE",
        help='set "Name" in every box or "Box.Name" in one',
    )
    parser.add_argument("--strict", action="store_true", help="count warnings as failures")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default 0)")
    parser.add_argument("--rewrite", action="store_true", help="turn simple Python 2 scripts into Python 3")
    parser.add_argument("--real-time", action="store_true", help="take the time that a robot takes")
    parser.add_argument("--verbose", action="store_true", help="a line for every joint and every movement")
    parser.add_argument("--json", action="store_true", help="one JSON object per event")
    parser.add_argument("--record", default="", metavar="FILE", help="write down what the person did (--page: all)")
    parser.add_argument("--replay", default="", metavar="FILE", help="do what a recording holds (--page: show it)")
    page_options.add(parser)
    parser.set_defaults(answers=[])
    return parser


def _seconds(text):  # type: (str) -> float
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST:
        raise argparse.ArgumentTypeError("%s is no number of seconds between 0 and %d" % (text, LONGEST))
    return seconds


def _service(text):  # type: (str) -> str
    if text not in SERVICES:
        raise argparse.ArgumentTypeError("the robot has no service %s" % text)
    return native(text)


def _robot_type(text):  # type: (str) -> str
    try:
        model(text)
    except WrongUse as error:
        raise argparse.ArgumentTypeError(str(error))
    return native(text)


def _language(text):  # type: (str) -> str
    if text not in CODES:
        raise argparse.ArgumentTypeError("no robot speaks %s: use one of %s" % (text, ", ".join(sorted(CODES))))
    return native(text)


def _assignment(text):  # type: (str) -> tuple[str, str]
    name, sign, value = native(text).partition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError("%s is not NAME=VALUE" % text)
    return name, value


def _event(text):  # type: (str) -> tuple[float | None, str, Any]
    found = re.match(r"(?:(\d{1,6}(?:\.\d{1,6})?):)?([^=]+)=(.*)\Z", native(text), re.DOTALL)
    if found is None:
        raise argparse.ArgumentTypeError("%s is not KEY=JSON or SECONDS:KEY=JSON" % text)
    time, key, value = found.groups()
    try:
        return None if time is None else float(time), key, from_json(unicoded(value), MOST_IN_EVENT)
    except ValueError:
        raise argparse.ArgumentTypeError(
            '%s is not JSON: a text stands in double quotes, as in %s="%s"'
            % (value[:LONGEST_SHOWN], key, value[:LONGEST_SHOWN])
        )


def _output(text):  # type: (str) -> tuple[str, str, str]
    name, sign, value = native(text).partition("=")
    box, dot, output = name.rpartition(".")
    if not sign or not dot or not box or not output:
        raise argparse.ArgumentTypeError("%s is not BOX.OUTPUT=VALUE" % text)
    return box, output, value
