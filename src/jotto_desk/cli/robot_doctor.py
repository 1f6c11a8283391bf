"""`jotto robot doctor`: check everything on a robot that our behaviour needs, and say how to fix it."""

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import typer

from jotto_behaviour import mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_NAMES
from jotto_desk.cli import options, robot_report
from jotto_desk.cli.shell import Json, print_json
from jotto_desk.errors import DeskError

_OK, _LACKS, _FATAL = "ok", "lacks", "cannot play"

#: Methods that our behaviour calls. It needs MEMORY and VOICE, and EARS or a dialog; it can do without the rest.
MEMORY = ("getData", "insertData", "subscribeToEvent", "unsubscribeToEvent")
VOICE = ("say", "getLanguage", "setLanguage", "getAvailableLanguages")
EARS = (
    *("pause", "getLanguage", "setLanguage", "getAvailableLanguages", "setVocabulary", "subscribe", "unsubscribe"),
    *("pushContexts", "popContexts", "removeAllContext"),
)
_DIALOG = (
    *("getLoadedTopics", "loadTopic", "activateTopic", "getActivatedTopics", "setConcept", "subscribe"),
    *("unsubscribe", "deactivateTopic", "unloadTopic"),
)
LIKED = {
    "ALAnimatedSpeech": (("say",), "NAO speaks without gestures"),
    "ALLeds": (("fadeRGB",), "the eyes do not show when to speak"),
    "ALRobotPosture": (("getPostureFamily",), "NAO makes no gestures"),
    "ALBehaviorManager": (("isBehaviorInstalled",), "NAO makes no gestures"),
}
HEAD = "Head/Touch/Front"
_PACKAGE = "nao-jotto"
_LANGUAGE = LANGUAGE_NAMES[DEFAULT_LANGUAGE]
#: Prefix of our keys in the robot's memory.
_KEYS = "Jotto/"
#: Oldest NAOqi that the behaviour is made for.
_OLDEST = (2, 1)
#: A lower volume is quiet, in percent.
_QUIET = 40
#: The volume to set instead, in percent.
_LOUD = 60
#: A battery with less charge is nearly empty, in percent.
_EMPTY = 15
#: The page with more help, and its heading for each check that can fail.
PAGE = "docs/troubleshooting.md"
HEADINGS = {
    "NAOqi": "Which NAOqi do I need?",
    "memory": "NAOqi does not answer correctly",
    "events": "NAOqi does not answer correctly",
    "voice": "No sound",
    "speaks": "NAO speaks the wrong language",
    "volume": "No sound",
    "recogniser": "NAO does not hear me",
    "understands": "NAO cannot understand my language",
    "ears free": "Another program listens",
    "head": "The head does not react",
    "ALAnimatedSpeech": "NAO makes no gestures",
    "ALLeds": "NAO's eyes stay dark",
    "ALRobotPosture": "NAO makes no gestures",
    "ALBehaviorManager": "NAO makes no gestures",
    "gestures": "NAO makes no gestures",
    "motors": "NAO makes no gestures",
    "Autonomous Life": "NAO moves and speaks by itself",
    "package": "The game is not on the robot",
    "battery": "The battery is empty",
}
#: The headings about a robot that cannot be reached, by the class of `naosim_robots.far.connection`'s error.
UNREACHED_HEADINGS = {
    "NoAnswer": "Nothing answers",
    "UnknownHost": "The name nao.local is not found",
    "NotNaoqi": "It answers, but it is not NAOqi",
    "LoginRefused": "The robot wants a user and a password",
    "NotReached": "The connection breaks",
}
#: States of Autonomous Life in which the robot does nothing on its own.
_CALM = ("disabled", "safeguard")


class Finding(NamedTuple):
    """The result of one check: its state, the finding, and the remedy."""

    name: str
    state: str
    found: str
    remedy: str = ""

    @property
    def heading(self) -> str:
        """Return the heading in `PAGE` about this finding; "" if everything is fine."""
        return "" if self.state == _OK else HEADINGS[self.name]


class Examination:
    """The checks of one robot; `url` is its address as the user typed it."""

    def __init__(self, connection: Any, url: str) -> None:
        self._connection = connection
        self._url = url
        self._services: set[str] = set()

    def check_all(self) -> Iterator[Finding]:
        """Yield the results of all checks, one after the other; raises RuntimeError if the robot goes away."""
        self._services = set(self._connection.services())
        speaking = (
            self._check_naoqi,
            self._check_memory,
            self._tells_events,
            self._check_voice,
            self._check_voice_language,
            self._check_volume,
        )
        listening = (self._check_ears, self._check_ears_language, self._check_ears_free, self._check_head)
        rest = (
            self._check_gestures,
            self._check_motors,
            self._check_life,
            self._check_keys,
            self._check_package,
            self._check_battery,
        )
        yield from (check() for check in (*speaking, *listening))
        yield from map(self._check_liked, LIKED)
        yield from (check() for check in rest)

    def _ask(self, service: str, method: str, *args: Any) -> Any:
        """Return the robot's answer, None if it lacks one."""
        return self._connection.ask_if_offered(self._services, service, method, *args)

    def _find_missing(self, service: str, methods: tuple[str, ...]) -> str:
        """Return the missing parts of a service; "" if everything is there."""
        if service not in self._services:
            return f"no {service}"
        try:
            known = self._connection.members(service)
        except RuntimeError:
            return f"{service} does not answer"
        lost = [method for method in methods if method not in known]
        return f"{service} has no {', '.join(lost)}" if lost else ""

    def _check_naoqi(self) -> Finding:
        version = str(self._ask("ALSystem", "systemVersion") or "unknown")
        numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
        kind = self._ask("ALRobotModel", "getRobotType")
        found = f"{version}{f' on a {kind}' if kind else ''}"
        if not numbers:
            return Finding("NAOqi", _LACKS, "the robot does not say its version", "NAOqi 2.1 and later versions work.")
        if numbers < _OLDEST:
            return Finding("NAOqi", _LACKS, found, "The behaviour is made for NAOqi 2.1 and newer: update the robot.")
        return Finding("NAOqi", _OK, found)

    def _check_memory(self) -> Finding:
        lost, remedy = self._find_missing("ALMemory", MEMORY), "Start NAOqi again; without ALMemory nothing works."
        return _judge("memory", lost, remedy, "ALMemory", _FATAL)

    def _tells_events(self) -> Finding:
        from naosim_robots.far.events import EventFeed

        said: list[str] = []
        feed = EventFeed(self._connection, lambda _event, _value: None, tell=said.append)
        try:
            feed.open(f"{_KEYS}Doctor")
            return Finding("events", _OK, f"by {feed.transport}")
        except RuntimeError as error:
            return Finding("events", _FATAL, str(error).strip().splitlines()[-1][:100], "Start NAOqi again.")
        finally:
            feed.end()

    def _check_voice(self) -> Finding:
        lost = self._find_missing("ALTextToSpeech", VOICE)
        remedy = "NAO has to speak: take a robot with a voice, or 'jotto robot serve'."
        return _judge("voice", lost, remedy, "ALTextToSpeech", _FATAL)

    def _check_voice_language(self) -> Finding:
        remedy = f"Install {_LANGUAGE} from the robot's web page or Aldebaran's store."
        return self._knows_language("ALTextToSpeech", "speaks", _FATAL, remedy)

    def _check_ears_language(self) -> Finding:
        remedy = f"Install {_LANGUAGE} on the robot; until then type answers or touch the head."
        return self._knows_language("ALSpeechRecognition", "understands", _LACKS, remedy)

    def _knows_language(self, service: str, name: str, verdict: str, remedy: str) -> Finding:
        known = [str(one) for one in self._ask(service, "getAvailableLanguages") or ()]
        ours = [language for language in LANGUAGE_NAMES.values() if language in known]
        lost = "" if ours else f"no {_LANGUAGE}" + (f", only {', '.join(known)}" if known else "")
        return _judge(name, lost, remedy, ", ".join(ours), verdict)

    def _check_volume(self) -> Finding:
        volume = self._ask("ALAudioDevice", "getOutputVolume")
        if not isinstance(volume, int | float):
            return Finding("volume", _LACKS, "the robot does not report its volume", "Check whether you hear it.")
        lost = f"{volume:g} %" if volume < _QUIET else ""
        return _judge("volume", lost, f"Turn it up: ALAudioDevice.setOutputVolume({_LOUD}).", f"{volume:g} %")

    def _check_ears(self) -> Finding:
        remedy = "Answers are typed into the dialog panel, or into 'jotto play --robot', or touched."
        lost = self._find_missing("ALSpeechRecognition", EARS)
        if lost and self._find_missing("ALDialog", _DIALOG):
            remedy = "Type your answers into 'jotto play --robot', or touch the head."
        return _judge("recogniser", lost, remedy, "ALSpeechRecognition")

    def _check_ears_free(self) -> Finding:
        users = [str(row[0]) for row in self._ask("ALSpeechRecognition", "getSubscribersInfo") or () if row]
        remedy = "Stop the other application, or Autonomous Life, so that it does not take NAO's ears."
        lost = f"{', '.join(users[:5])} listens too" if users else ""
        return _judge("ears free", lost, remedy, "no other program listens")

    def _check_head(self) -> Finding:
        sensors = self._ask("ALTouch", "getSensorList")
        lost = "" if HEAD in (sensors or ()) else "no sensor at the front of the head"
        return _judge("head", "no ALTouch" if sensors is None else lost, "Answer by voice, or type.", "touch sensors")

    def _check_liked(self, name: str) -> Finding:
        methods, without = LIKED[name]
        lost = self._find_missing(name, methods)
        return _judge(name, lost, f"The game works without it: {without}.", ", ".join(methods))

    def _check_gestures(self) -> Finding:
        wanted = sorted({path for family in mind.load_lines().gestures.values() for path in family.values()})
        lost = [path for path in wanted if not self._ask("ALBehaviorManager", "isBehaviorInstalled", path)]
        found = f"{len(lost)} of {len(wanted)} animations are missing, such as {lost[0]}" if lost else ""
        remedy = "NAO speaks without them; install the robot's animations from Aldebaran's store to have them."
        return _judge("gestures", found, remedy, f"{len(wanted)} animations")

    def _check_motors(self) -> Finding:
        lost = "" if self._ask("ALMotion", "robotIsWakeUp") else "at rest"
        return _judge("motors", lost, "NAO plays without moving; press its chest button twice to wake it.", "awake")

    def _check_life(self) -> Finding:
        state = self._ask("ALAutonomousLife", "getState")
        remedy = (
            "It may speak and listen in between: switch it off "
            '(ALAutonomousLife.setState("disabled"), or press the chest button twice).'
        )
        lost = "" if state is None or state in _CALM else str(state)
        return _judge("Autonomous Life", lost, remedy, str(state or "not there"))

    def _check_keys(self) -> Finding:
        game = self._ask("ALMemory", "getData", f"{_KEYS}Game")
        return Finding("memory keys", _OK, "an unfinished game is saved; NAO offers to continue it" if game else "free")

    def _check_package(self) -> Finding:
        if "PackageManager" not in self._services:
            lost = "the robot cannot install packages"
            return Finding("package", _LACKS, lost, "Play from this computer, or with Choregraphe.")
        lost = "" if self._ask("PackageManager", "hasPackage", _PACKAGE) else f"{_PACKAGE} is not installed"
        remedy = f"To play without this computer: jotto robot deploy --robot {self._url}."
        return _judge("package", lost, remedy, f"{_PACKAGE} is installed")

    def _check_battery(self) -> Finding:
        charge = self._ask("ALBattery", "getBatteryCharge")
        found = f"{charge:g} %" if isinstance(charge, int | float) else "not told"
        is_empty = isinstance(charge, int | float) and charge < _EMPTY
        return _judge("battery", found if is_empty else "", "Plug the charger in.", found)


def _judge(name: str, lost: str, remedy: str, good: str, verdict: str = _LACKS) -> Finding:
    """Return the finding of a check: the part that the robot lacks, if any, with its remedy, or a good result."""
    return Finding(name, verdict, lost, remedy) if lost else Finding(name, _OK, good)


# The command.

EXAMPLES = (
    "jotto robot doctor --robot nao.local",
    "jotto robot doctor --robot nao.local --report my-robot.md",
    "jotto robot doctor --robot nao.local --compare my-robot.md",
    "jotto robot doctor --robot tcp://127.0.0.1:9559 --json",
)


def doctor(
    url: options.Url = "",
    user: options.User = "",
    password_file: options.PasswordFile = None,
    report: robot_report.ReportFile = None,
    compare: robot_report.EarlierFile = None,
    as_json: Json = False,
) -> None:
    """Check a robot for everything that the game needs; exit with 1 if it cannot play at all.

    With --report, also compare the robot with recordings of real robots, and write the result into a file to share. It
    has no names, addresses, serial numbers or sounds, and is not sent. With --compare, the exit code is 1 if
    something differs.
    """
    far = options.require_robot(url, user, password_file)
    task = robot_report.plan_report(report, compare)
    with contextlib.ExitStack() as stack:
        try:
            connection = stack.enter_context(options.open_connection(far))
        except DeskError as error:
            heading = UNREACHED_HEADINGS.get(type(error.__cause__).__name__)
            raise DeskError(f"{error} See '{heading}' in {PAGE}." if heading else str(error)) from error
        address = connection.address.url
        findings = _print_findings(Examination(connection, far.url), as_json)
        if connection.lost:
            raise DeskError(connection.lost)
        can_play = not any(finding.state == _FATAL for finding in findings)
        if not as_json:
            typer.echo(_describe_verdict(findings, can_play))
        if task is not None:
            robot_report.make_report(connection, {one.name: one.state for one in findings}, task, as_json)
    if as_json and task is None:
        print_json(
            {
                "robot": address,
                "can_play": can_play,
                "findings": [one._asdict() | {"see": one.heading} for one in findings],
            }
        )
    if not can_play:
        raise typer.Exit(1)


def _print_findings(examination: Examination, as_json: bool) -> list[Finding]:
    """Print the findings as they are known, and return them."""
    findings = []
    try:
        for finding in examination.check_all():
            findings.append(finding)
            if not as_json:
                remedy = f"  -> {finding.remedy} (see: {finding.heading})" if finding.remedy else ""
                print(f"{finding.state:<12} {finding.name}: {finding.found}{remedy}", flush=True)
    except RuntimeError as error:
        raise DeskError(f"The robot went away while it was checked ({str(error).strip()}).") from error
    return findings


def _describe_verdict(findings: list[Finding], can_play: bool) -> str:
    if not can_play:
        return f"NAO cannot play on this robot until that is repaired: {PAGE} has more about each 'see'."
    good = sum(finding.state == _OK for finding in findings)
    lacking = sum(finding.state == _LACKS for finding in findings)
    more = f", {lacking} could be better: {PAGE} has more about each 'see'." if lacking else "."
    return f"NAO can play on this robot: {good} things are as they should be{more}"
