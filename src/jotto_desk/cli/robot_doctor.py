"""`jotto robot doctor`: check everything on a robot that our behaviour needs, and say how to fix it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import typer

from jotto_behaviour import mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_NAMES
from jotto_desk.cli import options
from jotto_desk.cli.shell import Json, examples
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.robots import robot_errors

# The checks.

_OK_VERDICT, _LACKS_VERDICT, _FATAL_VERDICT = "ok", "lacks", "cannot play"

#: Methods that our behaviour calls. It needs MEMORY and VOICE, and EARS or a dialog; it can do without the rest.
MEMORY = ("getData", "insertData", "subscribeToEvent", "unsubscribeToEvent")
VOICE = ("say", "getLanguage", "setLanguage", "getAvailableLanguages")
EARS = (
    "pause",
    "getLanguage",
    "setLanguage",
    "getAvailableLanguages",
    "setVocabulary",
    "subscribe",
    "unsubscribe",
    "pushContexts",
    "popContexts",
    "removeAllContext",
)
_DIALOG = (
    "getLoadedTopics",
    "loadTopic",
    "activateTopic",
    "getActivatedTopics",
    "setConcept",
    "subscribe",
    "unsubscribe",
    "deactivateTopic",
    "unloadTopic",
)
LIKED = {
    "ALAnimatedSpeech": (("say",), "NAO speaks without gestures"),
    "ALLeds": (("fadeRGB",), "the eyes do not show when to speak"),
    "ALRobotPosture": (("getPostureFamily",), "NAO makes no gestures"),
    "ALBehaviorManager": (("isBehaviorInstalled",), "NAO makes no gestures"),
}
HEAD = "Head/Touch/Front"
_PACKAGE = "nao-jotto"
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
#: States of Autonomous Life in which the robot does nothing on its own.
_CALM = ("disabled", "safeguard")


class Finding(NamedTuple):
    """The result of one check: its state, what was found, and what to do about it."""

    name: str
    state: str
    found: str
    remedy: str = ""


class Examination:
    """The checks of one robot; `url` is its address as the user typed it."""

    def __init__(self, connection: Any, url: str) -> None:
        self._connection = connection
        self._url = url
        self._services = set(connection.services())
        self._languages = tuple(LANGUAGE_NAMES.values())

    def findings(self) -> Iterator[Finding]:
        """Yield the results of all checks, one after the other."""
        checks: list[Callable[[], Finding]] = [
            self._naoqi,
            self._memory,
            self._tells_events,
            self._voice,
            self._voice_language,
            self._volume,
            self._ears,
            self._ears_language,
            self._ears_free,
            self._head,
            *(lambda name=name: self._liked(name) for name in LIKED),
            self._gestures,
            self._motors,
            self._life,
            self._keys,
            self._package,
            self._battery,
        ]
        for check in checks:
            yield check()

    def _ask(self, service: str, method: str, *args: Any) -> Any:
        """Return the robot's answer, None if it has none."""
        if service not in self._services:
            return None
        try:
            return self._connection.ask(service, method, *args)
        except RuntimeError as error:
            if self._connection.is_loss(error):
                raise
            return None

    def _missing(self, service: str, methods: tuple[str, ...]) -> str:
        """Return what is missing of a service; "" if everything is there."""
        if service not in self._services:
            return f"no {service}"
        try:
            known = self._connection.members(service)
        except RuntimeError:
            return f"{service} does not answer"
        lost = [method for method in methods if method not in known]
        return f"{service} has no {', '.join(lost)}" if lost else ""

    def _naoqi(self) -> Finding:
        said = self._ask("ALSystem", "systemVersion")
        version = str(said or "unknown")
        numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
        kind = self._ask("ALRobotModel", "getRobotType")
        found = f"{version}{f' on a {kind}' if kind else ''}"
        if not numbers:
            return Finding(
                "NAOqi", _LACKS_VERDICT, "the robot does not say its version", "Any NAOqi from 2.1 on will do."
            )
        if numbers < _OLDEST:
            return Finding(
                "NAOqi", _LACKS_VERDICT, found, "The behaviour is made for NAOqi 2.1 and newer: update the robot."
            )
        return Finding("NAOqi", _OK_VERDICT, found)

    def _memory(self) -> Finding:
        lost = self._missing("ALMemory", MEMORY)
        if lost:
            return Finding("memory", _FATAL_VERDICT, lost, "Start NAOqi again; without ALMemory nothing works.")
        return Finding("memory", _OK_VERDICT, "ALMemory")

    def _tells_events(self) -> Finding:
        from naosim_live.far.event_feed import EventFeed

        said: list[str] = []
        feed = EventFeed(self._connection, lambda _event, _value: None, tell=said.append)
        try:
            feed.open(f"{_KEYS}Doctor")
            return Finding("events", _OK_VERDICT, f"by {feed.transport}")
        except RuntimeError as error:
            return Finding("events", _FATAL_VERDICT, str(error).strip().splitlines()[-1][:100], "Start NAOqi again.")
        finally:
            feed.end()

    def _voice(self) -> Finding:
        lost = self._missing("ALTextToSpeech", VOICE)
        if lost:
            return Finding(
                "voice", _FATAL_VERDICT, lost, "NAO has to speak: take a robot with a voice, or 'jotto robot serve'."
            )
        return Finding("voice", _OK_VERDICT, "ALTextToSpeech")

    def _voice_language(self) -> Finding:
        return self._speaks(
            "ALTextToSpeech",
            "speaks",
            _FATAL_VERDICT,
            f"Install {LANGUAGE_NAMES[DEFAULT_LANGUAGE]} from the robot's web page or Aldebaran's store.",
        )

    def _ears_language(self) -> Finding:
        return self._speaks(
            "ALSpeechRecognition",
            "understands",
            _LACKS_VERDICT,
            f"Install {LANGUAGE_NAMES[DEFAULT_LANGUAGE]} on the robot; until then type answers or touch the head.",
        )

    def _speaks(self, service: str, name: str, lack: str, remedy: str) -> Finding:
        known = [str(one) for one in self._ask(service, "getAvailableLanguages") or ()]
        ours = [language for language in self._languages if language in known]
        if ours:
            return Finding(name, _OK_VERDICT, ", ".join(ours))
        return Finding(
            name,
            lack,
            f"no {LANGUAGE_NAMES[DEFAULT_LANGUAGE]}" + (f", only {', '.join(known)}" if known else ""),
            remedy,
        )

    def _volume(self) -> Finding:
        volume = self._ask("ALAudioDevice", "getOutputVolume")
        if not isinstance(volume, int | float):
            return Finding(
                "volume", _LACKS_VERDICT, "the robot does not say how loud it is", "Listen whether you hear it."
            )
        if volume < _QUIET:
            return Finding(
                "volume", _LACKS_VERDICT, f"{volume:g} %", f"Turn it up: ALAudioDevice.setOutputVolume({_LOUD})."
            )
        return Finding("volume", _OK_VERDICT, f"{volume:g} %")

    def _ears(self) -> Finding:
        lost = self._missing("ALSpeechRecognition", EARS)
        if not lost:
            return Finding("recogniser", _OK_VERDICT, "ALSpeechRecognition")
        if not self._missing("ALDialog", _DIALOG):
            return Finding(
                "recogniser",
                _LACKS_VERDICT,
                lost,
                "Answers are typed into the dialog panel, or into 'jotto play --robot', or touched.",
            )
        return Finding(
            "recogniser", _LACKS_VERDICT, lost, "Type your answers into 'jotto play --robot', or touch the head."
        )

    def _ears_free(self) -> Finding:
        users = [str(row[0]) for row in self._ask("ALSpeechRecognition", "getSubscribersInfo") or () if row]
        if not users:
            return Finding("ears free", _OK_VERDICT, "no other program listens")
        return Finding(
            "ears free",
            _LACKS_VERDICT,
            f"{', '.join(users[:5])} listens too",
            "Stop the other application, or Autonomous Life, so that it does not take NAO's ears.",
        )

    def _head(self) -> Finding:
        sensors = self._ask("ALTouch", "getSensorList")
        if sensors is None:
            return Finding("head", _LACKS_VERDICT, "no ALTouch", "Answer by voice, or type.")
        if HEAD not in sensors:
            return Finding("head", _LACKS_VERDICT, "no sensor at the front of the head", "Answer by voice, or type.")
        return Finding("head", _OK_VERDICT, "touch sensors")

    def _liked(self, name: str) -> Finding:
        methods, without = LIKED[name]
        lost = self._missing(name, methods)
        if lost:
            return Finding(name, _LACKS_VERDICT, lost, f"The game goes on without it: {without}.")
        return Finding(name, _OK_VERDICT, ", ".join(methods))

    def _gestures(self) -> Finding:
        wanted = sorted({path for family in mind.load_lines().gestures.values() for path in family.values()})
        lost = [path for path in wanted if not self._ask("ALBehaviorManager", "isBehaviorInstalled", path)]
        if not lost:
            return Finding("gestures", _OK_VERDICT, f"{len(wanted)} animations")
        return Finding(
            "gestures",
            _LACKS_VERDICT,
            f"{len(lost)} of {len(wanted)} animations are missing, such as {lost[0]}",
            "NAO speaks without them; install the robot's animations from Aldebaran's store to have them.",
        )

    def _motors(self) -> Finding:
        if self._ask("ALMotion", "robotIsWakeUp"):
            return Finding("motors", _OK_VERDICT, "awake")
        return Finding(
            "motors", _LACKS_VERDICT, "at rest", "NAO plays without moving; press its chest button twice to wake it."
        )

    def _life(self) -> Finding:
        state = self._ask("ALAutonomousLife", "getState")
        if state is None or state in _CALM:
            return Finding("Autonomous Life", _OK_VERDICT, str(state or "not there"))
        return Finding(
            "Autonomous Life",
            _LACKS_VERDICT,
            str(state),
            "It may speak and listen in between: switch it off "
            '(ALAutonomousLife.setState("disabled"), or press the chest button twice).',
        )

    def _keys(self) -> Finding:
        game = self._ask("ALMemory", "getData", f"{_KEYS}Game")
        if game:
            return Finding("memory keys", _OK_VERDICT, "an unfinished game is kept; NAO offers to go on with it")
        return Finding("memory keys", _OK_VERDICT, "free")

    def _package(self) -> Finding:
        remedy = f"To play without the desk: jotto robot deploy --robot {self._url}."
        if "PackageManager" not in self._services:
            return Finding(
                "package", _LACKS_VERDICT, "the robot installs none", "Play from the desk, or with Choregraphe."
            )
        if self._ask("PackageManager", "hasPackage", _PACKAGE):
            return Finding("package", _OK_VERDICT, f"{_PACKAGE} is installed")
        return Finding("package", _LACKS_VERDICT, f"{_PACKAGE} is not installed", remedy)

    def _battery(self) -> Finding:
        charge = self._ask("ALBattery", "getBatteryCharge")
        if isinstance(charge, int | float) and charge < _EMPTY:
            return Finding("battery", _LACKS_VERDICT, f"{charge:g} %", "Plug the charger in.")
        return Finding("battery", _OK_VERDICT, f"{charge:g} %" if isinstance(charge, int | float) else "not told")


# The command.

EXAMPLES = examples("jotto robot doctor --robot nao.local", "jotto robot doctor --robot tcp://127.0.0.1:9559 --json")


def doctor(
    url: options.Url = "", user: options.User = "", password_file: options.PasswordFile = None, as_json: Json = False
) -> None:
    """Check a robot for everything that the game needs; exit with 1 if it cannot play at all."""
    far = options.require_robot(url, user, password_file)
    with robot_errors():
        # libqi is imported late, so that the other commands start at once.
        from naosim_live.far.connection import Connection

        connection = Connection(far.url, far.user, far.password, patience=1.0)
        try:
            address = connection.address.url
            findings = _shown(Examination(connection, far.url), as_json)
            lost = connection.lost
        finally:
            connection.close()
    if lost:
        raise DeskError(lost)
    can_play = not any(finding.state == _FATAL_VERDICT for finding in findings)
    if as_json:
        typer.echo(
            json.dumps(
                {"robot": address, "can_play": can_play, "findings": [finding._asdict() for finding in findings]}
            )
        )
    else:
        typer.echo(_verdict(findings, can_play))
    if not can_play:
        raise typer.Exit(1)


def _shown(examination: Examination, as_json: bool) -> list[Finding]:
    """Return the findings; print each as soon as it is known."""
    findings = []
    try:
        for finding in examination.findings():
            findings.append(finding)
            if not as_json:
                typer.echo(_line(finding))
                sys.stdout.flush()
    except RuntimeError as error:
        raise DeskError(f"The robot went away while it was looked over ({str(error).strip()}).") from error
    return findings


def _line(finding: Finding) -> str:
    remedy = f"  -> {finding.remedy}" if finding.remedy else ""
    return f"{finding.state:<12} {finding.name}: {finding.found}{remedy}"


def _verdict(findings: list[Finding], can_play: bool) -> str:
    good = sum(finding.state == _OK_VERDICT for finding in findings)
    lacking = sum(finding.state == _LACKS_VERDICT for finding in findings)
    if not can_play:
        return "NAO cannot play on this robot until that is mended."
    return f"NAO can play on this robot: {good} things are as they should be" + (
        f", {lacking} could be better." if lacking else "."
    )
