"""What our behaviour needs of a robot, checked on the robot itself; each lack with its remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from jotto_behaviour import mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_NAMES

OK, LACKS, FATAL = "ok", "lacks", "cannot play"

#: What our behaviour calls: it needs the first two services, one pair of ears will do, and it likes the rest.
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
DIALOG = (
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
PACKAGE, KEYS = "nao-jotto", "Jotto/"
#: Oldest NAOqi the behaviour is made for; percent at which a voice is quiet and loud, and a battery nearly empty.
OLDEST, QUIET, LOUD, EMPTY = (2, 1), 40, 60, 15
#: States of Autonomous Life in which the robot does not talk, look around or listen on its own.
CALM = ("disabled", "safeguard")


class Finding(NamedTuple):
    """One thing looked up: its state, what was found, and what to do about it."""

    name: str
    state: str
    found: str
    remedy: str = ""


class Examination:
    """The examination of one robot; `url` is how the person named it."""

    def __init__(self, connection: Any, url: str, events: str = "auto") -> None:
        self._connection = connection
        self._url = url
        self._events = events
        self._services = set(connection.services())
        self._languages = tuple(LANGUAGE_NAMES.values())

    def findings(self) -> Iterator[Finding]:
        """Everything our behaviour needs or likes, one after the other."""
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
        """Return the robot's answer, or None where it has none."""
        if service not in self._services:
            return None
        try:
            return self._connection.ask(service, method, *args)
        except RuntimeError as error:
            if self._connection.is_loss(error):
                raise
            return None

    def _missing(self, service: str, methods: tuple[str, ...]) -> str:
        """Name what is missing of a service; empty when everything is there."""
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
            return Finding("NAOqi", LACKS, "the robot does not say its version", "Any NAOqi from 2.1 on will do.")
        if numbers < OLDEST:
            return Finding("NAOqi", LACKS, found, "The behaviour is made for NAOqi 2.1 and newer: update the robot.")
        return Finding("NAOqi", OK, found)

    def _memory(self) -> Finding:
        lost = self._missing("ALMemory", MEMORY)
        if lost:
            return Finding("memory", FATAL, lost, "Start NAOqi again; without ALMemory nothing works.")
        return Finding("memory", OK, "ALMemory")

    def _tells_events(self) -> Finding:
        from naosim_live.far.event_feed import EventFeed

        said: list[str] = []
        feed = EventFeed(self._connection, lambda _event, _value: None, self._events, said.append)
        try:
            feed.open(f"{KEYS}Doctor")
            return Finding("events", OK, f"by {feed.transport}")
        except RuntimeError as error:
            return Finding(
                "events",
                FATAL,
                str(error).strip().splitlines()[-1][:100],
                "Start NAOqi again, or try --events polling.",
            )
        finally:
            feed.end()

    def _voice(self) -> Finding:
        lost = self._missing("ALTextToSpeech", VOICE)
        if lost:
            return Finding("voice", FATAL, lost, "NAO has to speak: take a robot with a voice, or 'jotto robot serve'.")
        return Finding("voice", OK, "ALTextToSpeech")

    def _voice_language(self) -> Finding:
        return self._speaks(
            "ALTextToSpeech",
            "speaks",
            FATAL,
            f"Install {LANGUAGE_NAMES[DEFAULT_LANGUAGE]} from the robot's web page or Aldebaran's store.",
        )

    def _ears_language(self) -> Finding:
        return self._speaks(
            "ALSpeechRecognition",
            "understands",
            LACKS,
            f"Install {LANGUAGE_NAMES[DEFAULT_LANGUAGE]} on the robot; until then type answers or touch the head.",
        )

    def _speaks(self, service: str, name: str, lack: str, remedy: str) -> Finding:
        known = [str(one) for one in self._ask(service, "getAvailableLanguages") or ()]
        ours = [language for language in self._languages if language in known]
        if ours:
            return Finding(name, OK, ", ".join(ours))
        return Finding(
            name,
            lack,
            f"no {LANGUAGE_NAMES[DEFAULT_LANGUAGE]}" + (f", only {', '.join(known)}" if known else ""),
            remedy,
        )

    def _volume(self) -> Finding:
        volume = self._ask("ALAudioDevice", "getOutputVolume")
        if not isinstance(volume, int | float):
            return Finding("volume", LACKS, "the robot does not say how loud it is", "Listen whether you hear it.")
        if volume < QUIET:
            return Finding("volume", LACKS, f"{volume:g} %", f"Turn it up: ALAudioDevice.setOutputVolume({LOUD}).")
        return Finding("volume", OK, f"{volume:g} %")

    def _ears(self) -> Finding:
        lost = self._missing("ALSpeechRecognition", EARS)
        if not lost:
            return Finding("recogniser", OK, "ALSpeechRecognition")
        if not self._missing("ALDialog", DIALOG):
            return Finding(
                "recogniser",
                LACKS,
                lost,
                "Answers are typed into the dialog panel, or into 'jotto play --robot', or touched.",
            )
        return Finding("recogniser", LACKS, lost, "Type your answers into 'jotto play --robot', or touch the head.")

    def _ears_free(self) -> Finding:
        users = [str(row[0]) for row in self._ask("ALSpeechRecognition", "getSubscribersInfo") or () if row]
        if not users:
            return Finding("ears free", OK, "no other program listens")
        return Finding(
            "ears free",
            LACKS,
            f"{', '.join(users[:5])} listens too",
            "Stop the other application, or Autonomous Life, so that it does not take NAO's ears.",
        )

    def _head(self) -> Finding:
        sensors = self._ask("ALTouch", "getSensorList")
        if sensors is None:
            return Finding("head", LACKS, "no ALTouch", "Answer by voice, or type.")
        if HEAD not in sensors:
            return Finding("head", LACKS, "no sensor at the front of the head", "Answer by voice, or type.")
        return Finding("head", OK, "touch sensors")

    def _liked(self, name: str) -> Finding:
        methods, without = LIKED[name]
        lost = self._missing(name, methods)
        if lost:
            return Finding(name, LACKS, lost, f"The game goes on without it: {without}.")
        return Finding(name, OK, ", ".join(methods))

    def _gestures(self) -> Finding:
        wanted = sorted({path for family in mind.load_lines().gestures.values() for path in family.values()})
        lost = [path for path in wanted if not self._ask("ALBehaviorManager", "isBehaviorInstalled", path)]
        if not lost:
            return Finding("gestures", OK, f"{len(wanted)} animations")
        return Finding(
            "gestures",
            LACKS,
            f"{len(lost)} of {len(wanted)} animations are missing, such as {lost[0]}",
            "NAO speaks without them; install the robot's animations from Aldebaran's store to have them.",
        )

    def _motors(self) -> Finding:
        if self._ask("ALMotion", "robotIsWakeUp"):
            return Finding("motors", OK, "awake")
        return Finding("motors", LACKS, "at rest", "NAO plays without moving; press its chest button twice to wake it.")

    def _life(self) -> Finding:
        state = self._ask("ALAutonomousLife", "getState")
        if state is None or state in CALM:
            return Finding("Autonomous Life", OK, str(state or "not there"))
        return Finding(
            "Autonomous Life",
            LACKS,
            str(state),
            "It may speak and listen in between: switch it off "
            '(ALAutonomousLife.setState("disabled"), or press the chest button twice).',
        )

    def _keys(self) -> Finding:
        game = self._ask("ALMemory", "getData", f"{KEYS}Game")
        if game:
            return Finding("memory keys", OK, "an unfinished game is kept; NAO offers to go on with it")
        return Finding("memory keys", OK, "free")

    def _package(self) -> Finding:
        remedy = f"To play without the desk: jotto robot deploy --robot {self._url}."
        if "PackageManager" not in self._services:
            return Finding("package", LACKS, "the robot installs none", "Play from the desk, or with Choregraphe.")
        if self._ask("PackageManager", "hasPackage", PACKAGE):
            return Finding("package", OK, f"{PACKAGE} is installed")
        return Finding("package", LACKS, f"{PACKAGE} is not installed", remedy)

    def _battery(self) -> Finding:
        charge = self._ask("ALBattery", "getBatteryCharge")
        if isinstance(charge, int | float) and charge < EMPTY:
            return Finding("battery", LACKS, f"{charge:g} %", "Plug the charger in.")
        return Finding("battery", OK, f"{charge:g} %" if isinstance(charge, int | float) else "not told")
