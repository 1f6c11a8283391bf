"""The command line of `python -m naosim`: its options, the answers given in advance, and the printed transcript.

`parse_options` parses a command line; `list_kept_options` chooses the options for a recording. `give_answers` gives the
answers to the robot in order. `Transcript` describes the events for people.
"""

from __future__ import absolute_import, division, print_function

import argparse
import re

from naosim import recording
from naosim.compat import from_json, native, quote, to_unicode
from naosim.errors import WrongUse
from naosim.lint import TARGETS
from naosim.packages import parse_naoqi_version, parse_robot_model
from naosim.robot import Pause, Robot
from naosim.services import SERVICES
from naosim.world import Event
from naosim.xar import LANGUAGE_CODES

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.compat import JsonValue

# The options of `--page`; `naosim_page` has its default address.

MAX_PORT = 65535  # the largest port number
_MAX_QUOTED = 60  # letters of a wrong value that an error quotes


def _add_page_options(parser):  # type: (argparse.ArgumentParser) -> None
    group = parser.add_argument_group("a page in the browser")
    group.add_argument("--page", action="store_true", help="show NAO in the browser, and talk to it there")
    port = "the port of the page; 0: any free one"
    group.add_argument("--port", type=_number(0, MAX_PORT, "port"), metavar="N", help=port)
    host = "also serve other computers, at this address; 0.0.0.0: at every address; needs --tls or --insecure"
    group.add_argument("--host", type=native, metavar="ADDRESS", help=host)
    tls = "use TLS with a certificate made here: browsers warn once, then allow the microphone"
    group.add_argument("--tls", action="store_true", help=tls)
    group.add_argument("--tls-cert", type=native, default="", metavar="FILE", help="the certificate of the page (PEM)")
    group.add_argument("--tls-key", type=native, default="", metavar="FILE", help="the certificate's key (PEM)")
    token = "the token that a browser must send in the address; with TLS and --host, default: a new one"
    group.add_argument("--token", type=native, default="", metavar="TEXT", help=token)
    group.add_argument("--insecure", action="store_true", help="serve other computers without TLS and without a token")


def _list_options_without_page(parser, options):  # type: (argparse.ArgumentParser, argparse.Namespace) -> list[str]
    """List the given options that need --page, if it is not given."""
    names = ("host", "tls", "tls_cert", "tls_key", "token", "insecure")
    given = [name for name in names if getattr(options, name) != parser.get_default(name)]
    return [] if options.page else ["--" + name.replace("_", "-") for name in given]


NO_FILE = "name the file of a behaviour, or show a recording with --replay FILE --page"


def _describe_wrong_recording(options):  # type: (argparse.Namespace) -> str
    """Return the fault in the combination of the file, --record and --replay; "" without a fault."""
    shows = options.page and options.replay
    if not options.file and not options.replay:
        return NO_FILE
    if shows and options.record:
        return "--replay FILE --page only shows a recording; remove --record"
    return ""


def _number(least, most, what):  # type: (int, int, str) -> Any
    def parse(text):  # type: (str) -> int
        if not text.isdigit() or len(text) > _MAX_QUOTED or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError("%s is not a %s from %d to %d" % (text[:_MAX_QUOTED], what, least, most))
        return int(text)

    return parse


# The options of `python -m naosim`.

_MAX_SECONDS = 1e6  # the largest number of seconds in an option
#: Options that do not work on a page, which runs in real time.
_NOT_ON_A_PAGE = {
    "answers": "--say, --touch, --event and --dialog",
    "json": "--json",
    "lint": "--lint",
    "max_time": "--max-time",
    "strict": "--strict",
    "threads": "--threads",
    "verbose": "--verbose",
}
_MAX_EVENT_VALUES = 10000  # values in the JSON of an event: a limit on memory


class _Answer(argparse.Action):
    """The action of --say, --touch, --event and --dialog, which stores them in their order."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: (object, Any, object, str | None) -> None
        value = values if self.dest in {"dialog", "event"} else native(values)
        namespace.answers = list(namespace.answers or []) + [(self.dest, value)]


def parse_options(arguments=None):  # type: (list[str] | None) -> argparse.Namespace
    """Parse a command line; end the program with status 2 if it is wrong."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.replay and (options.answers or options.lint):
        parser.error(
            "the recording of --replay contains the answers; remove --say, --touch, --event, --dialog and --lint"
        )
    given = [named for name, named in sorted(_NOT_ON_A_PAGE.items()) if getattr(options, name)]
    if options.page and given:
        parser.error("--page runs a behaviour in real time, and a person answers it; remove %s" % given[0])
    stray = _list_options_without_page(parser, options)
    if stray:
        parser.error("%s works only with --page; add --page" % stray[0])
    wrong = _describe_wrong_recording(options)
    if wrong:
        parser.error(wrong)
    if options.target and not options.lint:
        parser.error("--target works only with --lint; add --lint")
    options.languages = [options.language] + [name for name in ("English",) if name != options.language]
    options.dialogs = sorted({value[0] for kind, value in options.answers if kind == "dialog"})
    options.parameters = dict(options.parameter)
    return options


def list_kept_options(options):  # type: (argparse.Namespace) -> dict[str, object]
    """Return the options for a recording, by name."""
    return {name: getattr(options, name) for name in recording.KEPT_OPTIONS}


def restore_options(options, header):  # type: (argparse.Namespace, dict[str, object]) -> None
    """Replace the options by the options of a recording.

    Raises NotARecording if they are impossible, WrongUse if they name a service that does not exist.
    """
    for name, value in recording.read_recorded_options(header).items():
        setattr(options, name, value)
    if not 0 < options.seconds <= _MAX_SECONDS or not options.languages:
        raise recording.NotARecording("the recording is damaged: its options are impossible")
    unknown = [name for name in options.without if name not in SERVICES]
    if unknown:
        raise WrongUse(
            "the recording names the service %s, which the simulated robot does not have" % quote(unknown[0])
        )


def _parser():  # type: () -> argparse.ArgumentParser
    exit_status = "0 fine, 1 failures or lint errors, 2 unreadable file or wrong arguments, 130 Ctrl-C."
    others = "Other commands, each with --help: naosim new, check, talk, facts; naosim --talk FILE runs talks."
    parser = argparse.ArgumentParser(
        prog="python -m naosim",
        description="Runs a Choregraphe behaviour on a simulated robot.",
        epilog="Exit status: %s %s" % (exit_status, others),
    )
    add = parser.add_argument
    file = "behavior.xar, its folder, a project folder or .pml, an installed package, a .pkg, a .crg"
    add("file", nargs="?", default="", help=file)
    which = "which behaviour of a project or package"
    add("--behaviour", "--behavior", default="", type=native, metavar="NAME", help=which)
    add("--lint", action="store_true", help="list the faults of the file instead of running it")
    target = "with --lint: also list the changes that an old behaviour needs for NAOqi VERSION (2.8)"
    add("--target", choices=TARGETS, default="", metavar="VERSION", help=target)
    add("--say", action=_Answer, metavar="PHRASE", help="say this phrase the next time the robot listens")
    add("--touch", action=_Answer, metavar="SENSOR", help="touch a sensor, such as FrontTactilTouched")
    event = "raise an event of a sensor, such as FaceDetected=true or 2.5:SonarLeftDetected=0.3"
    add("--event", action=_Answer, type=_parse_event, metavar="[SECONDS:]KEY=JSON", help=event)
    dialog = "fire an output of a Dialog box instead of running its topic"
    add("--dialog", action=_Answer, type=_output, metavar="BOX.OUTPUT=VALUE", help=dialog)
    add(
        "--without",
        action="append",
        default=[],
        type=_service,
        metavar="SERVICE",
        help="remove a service from the robot",
    )
    robot_type = "Nao (default), Pepper or Romeo"
    add("--robot-type", default="Nao", type=_robot_type, metavar="TYPE", help=robot_type)
    naoqi = "the version of NAOqi: 2.1 or 2.5 (NAO V5, Pepper) or 2.8 (NAO6, Pepper; default)"
    add("--naoqi", default="2.8", type=_naoqi_version, metavar="VERSION", help=naoqi)
    camera = "the pictures that the cameras see (PNG, PPM, PGM; default: a test card)"
    add("--camera", default="", type=native, metavar="FILE|FOLDER", help=camera)
    add("--language", default="English", type=_language, help="the language of the robot (default English)")
    add("--seconds", type=_seconds, default=300.0, help="stop after SECONDS of the robot's time (default 300)")
    add("--max-time", type=_seconds, metavar="SECONDS", help="stop after SECONDS of real time")
    add("--threads", action="store_true", help="let other boxes run while a script is in an endless loop")
    parameter = 'set the parameter "Name" of every box, or "Box.Name" of one box'
    add("--parameter", action="append", default=[], type=_assignment, metavar="NAME=VALUE", help=parameter)
    add("--strict", action="store_true", help="count warnings as failures")
    add("--seed", type=int, default=0, help="random seed (default 0)")
    add("--rewrite", action="store_true", help="translate simple Python 2 scripts into Python 3")
    add("--real-time", action="store_true", help="run in real time, as a robot does")
    add("--verbose", action="store_true", help="print a line for every joint and every movement")
    add("--json", action="store_true", help="print one JSON object for each event")
    add("--record", default="", metavar="FILE", help="save what the person did, for --replay")
    add(
        "--replay",
        default="",
        metavar="FILE",
        help="repeat a recording, or print that of a robot; with --page: show it in the browser",
    )
    _add_page_options(parser)
    parser.set_defaults(answers=[])
    return parser


def _seconds(text):  # type: (str) -> float
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _MAX_SECONDS:
        raise argparse.ArgumentTypeError("%s is not a number of seconds from 0 to %d" % (text, _MAX_SECONDS))
    return seconds


def _service(text):  # type: (str) -> str
    if text not in SERVICES:
        raise argparse.ArgumentTypeError("the robot does not have the service %s" % text)
    return native(text)


def _robot_type(text):  # type: (str) -> str
    try:
        parse_robot_model(text)
    except WrongUse as error:
        raise argparse.ArgumentTypeError(str(error))
    return native(text)


def _naoqi_version(text):  # type: (str) -> str
    try:
        return parse_naoqi_version(text)
    except WrongUse as error:
        raise argparse.ArgumentTypeError(str(error))


def _language(text):  # type: (str) -> str
    if text not in LANGUAGE_CODES:
        known = ", ".join(sorted(LANGUAGE_CODES))
        raise argparse.ArgumentTypeError("the robot does not speak %s; use one of %s" % (text, known))
    return native(text)


def _assignment(text):  # type: (str) -> tuple[str, str]
    name, sign, value = native(text).partition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError("%s is not NAME=VALUE" % text)
    return name, value


def _parse_event(text):  # type: (str) -> tuple[float | None, str, object]
    found = re.match(r"(?:(\d{1,6}(?:\.\d{1,6})?):)?([^=]+)=(.*)\Z", native(text), re.DOTALL)
    if found is None:
        raise argparse.ArgumentTypeError("%s is not KEY=JSON or SECONDS:KEY=JSON" % text)
    time, key, value = found.groups()
    try:
        return None if time is None else float(time), key, from_json(to_unicode(value), _MAX_EVENT_VALUES)
    except ValueError:
        advice = 'put a text in double quotes, as in %s="%s"' % (key, value[:_MAX_QUOTED])
        raise argparse.ArgumentTypeError("%s is not JSON: %s" % (value[:_MAX_QUOTED], advice))


def _output(text):  # type: (str) -> tuple[str, str, str]
    name, sign, value = native(text).partition("=")
    box, dot, output = name.rpartition(".")
    if not sign or not dot or not box or not output:
        raise argparse.ArgumentTypeError("%s is not BOX.OUTPUT=VALUE" % text)
    return box, output, value


# Answers given in advance.

if MYPY:
    #: ("say", phrase), ("touch", sensor), ("event", (seconds or None, key, value)), ("dialog", (box, output, value)).
    Answer = tuple[str, JsonValue]


def give_answers(robot, answers, seconds):  # type: (Robot, list[Answer], float) -> None
    """Run the robot and give it the answers in order when it waits, until the time is up or no call is left.

    Events with a time happen at that time.
    """
    timed = [value for kind, value in answers if kind == "event" and value[0] is not None]
    timed.sort(key=lambda event: event[0])
    answers = [answer for answer in answers if answer[0] != "event" or answer[1][0] is None]
    while robot.clock.now() < seconds:
        while timed and timed[0][0] <= robot.clock.now():
            robot.event(*timed.pop(0)[1:])
        until = min(timed[0][0], seconds) if timed else seconds
        awaited = answers[0][1][1] if answers and answers[0][0] == "event" else ""
        pause = robot.advance(until - robot.clock.now(), awaited)
        if pause.ended:
            return
        if answers and _give_answer(robot, pause, *answers[0]):
            del answers[0]
            continue
        due = robot.clock.next_due()
        if due is None and not timed:
            return
        robot.wait((until if due is None else min(due, until)) - robot.clock.now())


def _give_answer(robot, pause, kind, value):  # type: (Robot, Pause, str, JsonValue) -> bool
    """Give an answer if the robot waits for one of its kind; return whether it was given."""
    behaviour = robot.behaviour
    listens = pause.ears.engine is not None
    if kind == "dialog" and behaviour is not None:
        if behaviour.dialogs.is_open(behaviour, value[0]):
            behaviour.answer(*value)
            return True
    elif kind == "event" and (robot.awaits(value[1]) or robot.clock.next_due() is None):
        robot.event(*value[1:])
        return True
    elif kind == "say" and listens:
        robot.hear(value)
        return True
    elif kind == "touch" and (pause.ears.touch or listens):
        robot.touch(value)
        return True
    return False


# The transcript.

_MAX_SHOWN_VALUE_LENGTH = 60  # letters of an event's value
#: Fields of motion events that only a verbose transcript shows: a joint of a timeline, and a setting.
_BRIEFLY_OUT = {"actuator", "enabled"}


class Transcript(object):
    """The lines for successive events; a verbose transcript has a line for every joint and movement.

    >>> from naosim.world import Event
    >>> transcript = Transcript()
    >>> for time in range(3):
    ...     for line in transcript.lines(Event(time, "motion", {"method": "setAngles", "duration": 0.0})):
    ...         print(line.strip())
    0.0 s  moves     setAngles (0.0 s)
    >>> for line in transcript.rest():
    ...     print(line.strip())
    2.0 s  moves     setAngles, 2 times more
    """

    def __init__(self, verbose=False):  # type: (bool) -> None
        self._verbose = verbose
        self._gesture = None  # type: tuple[str, float | None] | None
        self._repeats, self._last = 0, (0.0, "")

    def lines(self, event):  # type: (Event) -> list[str]
        """Return the lines for an event: an empty list if it is left out or counted, two if a count ends."""
        line = transcript_line(event, self._verbose)
        if line is None:
            return []
        gesture = None if self._verbose else _gesture(event)
        if gesture is not None and gesture == self._gesture:
            self._repeats, self._last = self._repeats + 1, (event.time, line)
            return []
        shown = self.rest()
        self._gesture = gesture
        return shown + [line]

    def rest(self):  # type: () -> list[str]
        """Return the line for the movements that were counted, if any."""
        repeats, self._repeats = self._repeats, 0
        gesture, self._gesture = self._gesture, None
        if repeats < 2 or gesture is None:
            return [self._last[1]] * repeats
        return [_line(self._last[0], "moves", "%s, %d times more" % (gesture[0], repeats))]


def transcript_line(event, verbose=True):  # type: (Event, bool) -> str | None
    """Return a line that describes an event; None if the transcript leaves it out.

    >>> from naosim.world import Event
    >>> transcript_line(Event(1.5, "say", {"text": "Hello", "service": "ALTextToSpeech"}))
    '    1.5 s  says      Hello'
    """
    kind = native(event.kind)
    wording = _WORDINGS.get(kind)
    if wording is None or (kind == "timeline" if verbose else kind == "motion" and _BRIEFLY_OUT & set(event.fields)):
        return None
    verb, text = wording(event.fields)
    return _line(event.time, verb, text) if verb else None


def _line(time, verb, text):  # type: (float, str, str) -> str
    return "%7.1f s  %-9s %s" % (time, verb, text)


def _gesture(event):  # type: (Event) -> tuple[str, float | None] | None
    """Return the common part of repeated movements; walking and pointing repeat only at the same time."""
    fields = event.fields
    if event.kind != "motion" or "method" not in fields:
        return None
    return str(fields["method"]), event.time if {"way", "place"} & set(fields) else None


def _hear(fields):  # type: (dict[str, JsonValue]) -> tuple[str, str]
    if fields["engine"] is None:
        return "is deaf", "to %s, no engine listens" % quote(fields["phrase"])
    return "hears", "%s (%.2f)" % (quote(fields["phrase"]), fields["confidence"])


def _motion(fields):  # type: (dict[str, JsonValue]) -> tuple[str, str]
    if "actuator" in fields:
        seconds = fields["times"][-1] if fields["times"] else 0
        return "moves", "%s along %d keys in %.1f s" % (fields["actuator"], len(fields["values"]), seconds)
    return "moves", "%s (%.1f s)" % (fields.get("method"), fields.get("duration", 0))


def _timeline(fields):  # type: (dict[str, JsonValue]) -> tuple[str, str]
    if fields["state"] != "moves":
        return "", ""
    joints = "%d %s" % (fields["joints"], "joint" if fields["joints"] == 1 else "joints")
    return "moves", "%s: %s in %.1f s" % (fields["box"], joints, fields["duration"])


def _event(fields):  # type: (dict[str, JsonValue]) -> tuple[str, str]
    return "senses" if fields["noticed"] else "misses", _show_value(fields)


def _show_value(fields):  # type: (dict[str, JsonValue]) -> str
    """Return a key with its value, which is cut if it is long."""
    value = repr(fields["value"])
    if len(value) > _MAX_SHOWN_VALUE_LENGTH:
        value = value[:_MAX_SHOWN_VALUE_LENGTH] + "..."
    return "%s %s" % (fields["key"], value)


def _call(fields):  # type: (dict[str, JsonValue]) -> tuple[str, str]
    if fields["method"] == "setVocabulary" and fields["args"]:
        return "expects", ", ".join(fields["args"][0][:12]) + (" ..." if len(fields["args"][0]) > 12 else "")
    return "", ""


def _complaint(fields):  # type: (dict[str, object]) -> str
    return "%s: %s" % (fields["where"], fields["message"])


def _life(fields):  # type: (dict[str, JsonValue]) -> tuple[str, str]
    return "lives", fields["state"] + (", with %s" % fields["activity"] if fields["activity"] else "")


def _package(fields):  # type: (dict[str, object]) -> tuple[str, str]
    return "installs" if fields["installed"] else "removes", "%s %s" % (fields["uuid"], fields["version"])


#: For each kind of event: a function that returns a verb and a text; an empty verb leaves the event out.
_WORDINGS = {  # type: dict[str, Callable[[dict[str, JsonValue]], tuple[str, str]]]
    "say": lambda fields: ("says", fields.get("plain") or fields["text"]),
    "hear": _hear,
    "animate": lambda fields: ("moves", fields.get("path") or "while speaking (%s)" % fields.get("mode")),
    "motion": _motion,
    "timeline": _timeline,
    "touch": lambda fields: ("is touched", fields["sensor"]) if fields["pressed"] else ("", ""),
    "push": lambda fields: ("is pushed", "to the %s" % fields["direction"]),
    "event": _event,
    "set": lambda fields: ("stores", _show_value(fields)),
    "call": _call,
    "eyes": lambda fields: ("lights", "%s %s" % (fields.get("group"), fields.get("colour"))),
    "leds": lambda fields: ("lights", "%s %s" % (fields.get("group"), fields.get("colour"))),
    "error": lambda fields: ("copes" if fields.get("handled") else "ERROR", _complaint(fields)),
    "warning": lambda fields: ("warns", _complaint(fields)),
    "life": _life,
    "service": lambda fields: ("serves", "%s: %s" % (fields["name"], fields["text"])),
    "tablet": lambda fields: ("shows", "%s %s" % (fields["method"], fields["shown"])),
    "posture": lambda fields: ("moves", "into %s" % fields["posture"]),
    "sound": lambda fields: ("plays", fields["path"] or fields["method"]),
    "record": lambda fields: ("records", "%s (%s)" % (fields["path"], fields["what"])),
    "log": lambda fields: ("logs", "%s: %s" % (fields["level"], fields["text"])),
    "print": lambda fields: ("prints", fields["text"]),
    "lint": lambda fields: ("lint", "%s: %s" % (fields["box"], fields["text"])),
    "start": lambda fields: ("starts", fields["behaviour"]),
    "leak": lambda fields: ("leaves", "%s: %s" % (fields["behaviour"], fields["text"])),
    "package": _package,
    "end": lambda fields: ("ends", fields["behaviour"]),
}
