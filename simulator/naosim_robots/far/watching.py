"""Recordings of robots that other programs drive: `Watcher` follows events and the body, `WatchedFile` keeps them.

The recording is a watched one of `naosim.recording`. It has no sound, no picture and no face. The names of people that
the robot has learned become NAME in every text. It costs eight subscriptions and three short calls a second.
"""

from __future__ import annotations

import contextlib
import queue
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from naosim.body import LED_GROUPS
from naosim.compat import MOST_VALUES, quote, values_in
from naosim.errors import NaosimError, WrongUse
from naosim.models import MODELS, Model
from naosim.packages import NAOQI_VERSIONS, parse_robot_model
from naosim.recording import LOOK, make_look, make_watched_header
from naosim.services.memory_keys import DEVICE_PREFIX
from naosim.services.touch import list_touch_sensors
from naosim.speech_texts import parse_speech
from naosim.world import write_json_line

from .connection import Connection, ConnectionLost
from .events import EventFeed

# The file.

#: The most bytes and values of a recording: what a page can show.
_MAX_BYTES, _MAX_VALUES = 10_000_000, MOST_VALUES - 20_000


class WatchedFile:
    """A new file of a watched recording: each line is written whole, as it comes. Raises WrongUse if it is there."""

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        try:
            self._file = path.open("xb", buffering=0)
        except FileExistsError:
            raise WrongUse(f"'{path}' is there already: give the name of a new file.") from None
        except OSError as error:
            raise WrongUse(f"cannot write '{path}' ({error.strerror}): give another name.") from None
        self._values = 0
        #: Bytes, events, and the time of the last event in seconds.
        self.bytes, self.events, self.seconds = 0, 0, 0.0
        self._write(header)

    def add(self, seconds: float, kind: str, **fields: Any) -> None:
        """Add an event; its time is not before the last one."""
        self.seconds = max(self.seconds, round(seconds, 2))
        self._write({**fields, "time": self.seconds, "kind": kind})
        self.events += kind != LOOK

    @property
    def is_full(self) -> bool:
        """Return whether the recording has as much as a page can show."""
        return self.bytes > _MAX_BYTES or self._values > _MAX_VALUES

    def __enter__(self) -> WatchedFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._file.close()

    def _write(self, row: dict[str, Any]) -> None:
        line = write_json_line(row)
        self._file.write(line.encode("ascii") + b"\n")
        self.bytes += len(line) + 1
        self._values += values_in(line)


# Events.

#: What stands for the name of a person.
NAME = "[name]"
#: The most characters of a text, and of one that is a value of ALMemory.
_MAX_TEXT, _MAX_VALUE_TEXT = 500, 2000
#: The most events that are followed besides the usual ones, and values of ALMemory.
_MOST_MORE_EVENTS, _MOST_MORE_VALUES = 2, 10
#: Events about persons, whose values have faces or names.
_PERSONAL = re.compile(r"face|people|person|gaze|user|learn|picture|video|sound|audio", re.IGNORECASE)
#: A phrase of word spotting comes with marks for the words around it.
_SPOTTED = re.compile(r"<\.\.\.>")
_STOCK = ("animations/", "System/animations/", ".lastUploadedChoregrapheBehavior/animations/")

Row = tuple[str, dict[str, Any]]


class _Meanings:
    """The rows that each event means; the running behaviours and the touched sensors are known from the last event."""

    def __init__(self, model: Model, running: Iterable[str], more: Iterable[str]) -> None:
        self._sensors = dict(list_touch_sensors(model))
        self._running: list[str] = []
        self.begun = list(self._tell_running(list(running)))
        self._meanings: dict[str, Callable[[Any], Iterable[Row]]] = {
            "ALTextToSpeech/CurrentSentence": _tell_sentence,
            "WordRecognized": _tell_words,
            "Dialog/LastInput": _tell_input,
            "TouchChanged": self._tell_touches,
            "BehaviorsRun": self._tell_running,
            "AutonomousLife/State": lambda state: [("life", {"state": str(state), "activity": ""})],
            "PostureChanged": lambda posture: [(LOOK, {"posture": str(posture)[:40]})],
        }
        for key in ("robotHasFallen", *more):
            self._meanings[key] = partial(_tell_value, key)

    @property
    def events(self) -> list[str]:
        """Return the events to follow."""
        return list(self._meanings)

    def list_rows(self, event: str, value: Any) -> list[Row]:
        """Return the rows for an event; none if its value has another form than NAOqi's."""
        try:
            return list(self._meanings[event](value))
        except (TypeError, ValueError, IndexError, KeyError):
            return []

    def _tell_touches(self, parts: Any) -> Iterator[Row]:
        for name, is_touched, *_ in parts:
            if name in self._sensors:
                yield "touch", {"sensor": self._sensors[name], "pressed": bool(is_touched)}

    def _tell_running(self, names: Any) -> Iterator[Row]:
        now = [str(name) for name in names]
        for name in now:
            if name not in self._running:
                is_stock = name.startswith(_STOCK)
                yield ("animate", {"path": name}) if is_stock else ("start", {"behaviour": name})
        for name in self._running:
            if name not in now and not name.startswith(_STOCK):
                yield "end", {"behaviour": name}
        self._running = now


def _tell_sentence(text: Any) -> Iterator[Row]:
    said = str(text)[:_MAX_TEXT]
    plain = parse_speech(said).plain
    if plain:
        more = {"plain": plain} if plain != said else {}
        yield "say", {"text": said, "service": "ALTextToSpeech", **more}


def _tell_words(value: Any) -> Iterator[Row]:
    phrase, confidence = " ".join(_SPOTTED.sub(" ", str(value[0])).split()), float(value[1])
    if phrase:
        yield (
            "hear",
            {"phrase": phrase[:_MAX_TEXT], "confidence": round(confidence, 3), "engine": "ALSpeechRecognition"},
        )


def _tell_input(value: Any) -> Iterator[Row]:
    if value:
        yield "hear", {"phrase": str(value)[:_MAX_TEXT], "confidence": 1.0, "engine": "ALDialog"}


def _tell_value(key: str, value: Any) -> Iterator[Row]:
    """Yield the row of an event: its value if that is a number, a truth value or a short text, else true for any."""
    is_plain = isinstance(value, bool | int | float | str)
    shown = value[:_MAX_TEXT] if isinstance(value, str) else value if is_plain else bool(value)
    yield "event", {"key": key, "value": shown, "noticed": True}


def check_keys(events: Sequence[str], values: Sequence[str] = ()) -> None:
    """Check the events and the values of ALMemory that a user wants besides the usual ones; raises WrongUse."""
    for keys, most, what in ((events, _MOST_MORE_EVENTS, "events"), (values, _MOST_MORE_VALUES, "values of ALMemory")):
        if len(keys) > most:
            raise WrongUse(f"a recording follows at most {most} {what} of your choice: choose from {len(keys)}.")
    for key in (*events, *values):
        if _PERSONAL.search(key):
            raise WrongUse(
                f"{quote(key)} can have faces, names or sounds of people, which are not recorded: leave it out."
            )


class _Mask:
    """Replaces the names of people that a robot has learned."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def learn(self, names: Iterable[Any]) -> None:
        """Know these names, and those that were known before, because a robot can forget a face."""
        new = {" ".join(str(name).split()) for name in names} - self._names - {""}
        if new:
            self._names |= new
            longest_first = sorted(map(re.escape, self._names), key=len, reverse=True)
            self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE)

    def hide(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields with NAME for every name in a text."""
        pattern = self._pattern
        if pattern is None:
            return fields
        return {name: pattern.sub(NAME, value) if isinstance(value, str) else value for name, value in fields.items()}


# The robot.

#: Seconds between two looks at the joints; looks between two at the lights, and between two at names and motors.
_LOOK_S, _LIGHTS_EVERY, _NAMES_EVERY = 0.5, 2, 20
#: The smallest turn of a joint that is written, in radians: the noise of NAO's sensors is smaller.
_LEAST_TURN = 0.02
#: Bytes of looks a second in the long run, and at most at once: 18 kB a minute for a robot that never rests.
_LOOK_RATE, _LOOK_BURST = 300.0, 6000.0
_LIGHTS = tuple(LED_GROUPS["AllLeds"])
_LIGHT_KEYS = [DEVICE_PREFIX + light for light in _LIGHTS]


class Progress(NamedTuple):
    """The state of a recording: seconds, events and bytes so far, and the last words that the robot said or heard."""

    seconds: float
    events: int
    bytes: int
    words: str


class Watcher:
    """Records a robot from its creation; `more` are events besides the usual ones.

    `values` are keys of ALMemory: their values are written at the start and, if they have changed, at each event.
    `show` gets the progress twice a second. Raises NaosimError if the file cannot be written.
    """

    def __init__(
        self,
        connection: Connection,
        path: Path,
        more: Sequence[str] = (),
        show: Callable[[Progress], object] = lambda _progress: None,
        clock: Callable[[], float] = time.monotonic,
        values: Sequence[str] = (),
    ) -> None:
        check_keys(more, values)
        self._connection, self._show, self._clock = connection, show, clock
        self._services = set(connection.services())
        self._queue: queue.SimpleQueue[tuple[float, str, Any]] = queue.SimpleQueue()
        self._mask = _Mask()
        self._looks, self._credit, self._credit_at = 0, _LOOK_BURST, clock()
        self._seen: dict[str, Any] = {}
        self._values: dict[str, Any] = dict.fromkeys(values)
        self._is_away = False
        self._words = ""
        robot_type, self._model = self._find_model()
        self._joints = [str(name) for name in self._ask("ALMotion", "getBodyNames", "Body") or ()]
        self._learn_names()
        self._meanings = _Meanings(self._model, self._ask("ALBehaviorManager", "getRunningBehaviors") or (), more)
        spoken = self._ask("ALTextToSpeech", "getLanguage")
        languages = [str(spoken)] if spoken else ["English"]
        self._start = clock()
        header = make_watched_header(robot_type=robot_type, naoqi=self._find_version(), languages=languages)
        self.file = WatchedFile(path, header)
        self._feed = EventFeed(
            connection, lambda event, value: self._queue.put((clock(), event, value)), period_s=_LOOK_S
        )
        try:
            self._note_values(self._start)
            for kind, fields in self._meanings.begun:
                self._write(self._start, kind, fields)
            for event in self._meanings.events:
                self._feed.open(event)
        except BaseException:
            self.close()
            raise

    def run(self, is_over: Callable[[], bool] = lambda: False) -> str:
        """Record until the file is full, and return a sentence about that; "" if it is over.

        Raises ConnectionLost if the robot does not come back.
        """
        due = self._clock()
        while not is_over():
            if self.file.is_full:
                return f"The recording has {self.file.bytes / 1e6:.1f} MB, which is the most a page can show."
            self._take_events(due - self._clock())
            if self._clock() >= due:
                due = self._clock() + _LOOK_S
                self._look()
                self._show(Progress(self._clock() - self._start, self.file.events, self.file.bytes, self._words))
        return ""

    def close(self) -> None:
        """Write the events that have come, and close the file."""
        with contextlib.suppress(NaosimError, RuntimeError):
            self._feed.end()
        with self.file:
            self._take_events(0.0)

    # What it asks.

    def _ask(self, service: str, method: str, *args: Any) -> Any:
        """Return the robot's answer, None if it refuses; raises ConnectionLost if the connection broke."""
        if service not in self._services:
            return None
        try:
            return self._connection.ask(service, method, *args)
        except RuntimeError as error:
            if self._connection.is_loss(error):
                raise ConnectionLost(str(error)) from None
            return None

    def _find_model(self) -> tuple[str, Model]:
        told = self._ask("ALRobotModel", "getRobotType") or self._ask("ALMemory", "getData", "RobotConfig/Body/Type")
        try:
            robot_type = parse_robot_model(str(told))
        except WrongUse:
            robot_type = "Nao"
        return robot_type, MODELS[robot_type]

    def _find_version(self) -> str:
        """Return the version of NAOqi that the simulator knows: the newest that is not newer than the robot's."""
        told = re.match(r"\d+\.\d+", str(self._ask("ALSystem", "systemVersion") or ""))
        newest = _read_version(told.group()) if told else (99, 0)
        return max((each for each in NAOQI_VERSIONS if _read_version(each) <= newest), default=min(NAOQI_VERSIONS))

    def _learn_names(self) -> None:
        names = self._ask("ALFaceDetection", "getLearnedFacesList")
        self._mask.learn(names if isinstance(names, list | tuple) else ())

    def _take_events(self, seconds: float) -> None:
        """Write the events that come within this time, and those that have come."""
        end = self._clock() + seconds
        while True:
            try:
                left = end - self._clock()
                at, event, value = self._queue.get(timeout=left) if left > 0 else self._queue.get_nowait()
            except queue.Empty:
                return
            rows = self._meanings.list_rows(event, value)
            if rows:
                # A name that the robot has just learned is in its next sentence.
                with contextlib.suppress(ConnectionLost):
                    self._learn_names()
                    self._note_values(at)
            for kind, fields in rows:
                self._write(at, kind, fields)

    def _note_values(self, at: float) -> None:
        """Write the values of ALMemory that have changed; lists, objects and very long texts are left out."""
        keys = list(self._values)
        found = self._ask("ALMemory", "getListData", keys) if keys else None
        if not isinstance(found, list | tuple) or len(found) != len(keys):
            return
        for key, value in zip(keys, found, strict=True):
            is_short = isinstance(value, str) and len(value) <= _MAX_VALUE_TEXT
            if value != self._values[key] and (is_short or isinstance(value, bool | int | float)):
                self._values[key] = value
                self._write(at, "set", {"key": key, "value": value})

    def _look(self) -> None:
        """Write what has changed of the body, as far as the rate allows; note when the robot goes and comes back."""
        looks, self._looks = self._looks, self._looks + 1
        try:
            found = self._see(looks)
        except ConnectionLost:
            if self._connection.lost:
                raise ConnectionLost(self._connection.lost) from None
            self._note_away(True)
            return
        self._note_away(False)
        now = self._clock()
        self._credit = min(_LOOK_BURST, self._credit + (now - self._credit_at) * _LOOK_RATE)
        self._credit_at = now
        if found and self._credit > 0:
            before = self.file.bytes
            self._seen.update(found)
            self._write(now, LOOK, make_look(**found))
            self._credit -= self.file.bytes - before

    def _see(self, looks: int) -> dict[str, Any]:
        """Return the fields of the body that have changed since the last look that was written."""
        found: dict[str, Any] = {}
        angles = self._ask("ALMotion", "getAngles", "Body", True)
        if isinstance(angles, list | tuple) and len(angles) == len(self._joints):
            by_name = dict(zip(self._joints, angles, strict=True))
            found["angles"] = [float(by_name.get(joint, 0.0)) for joint in self._model.body]
        if looks % _LIGHTS_EVERY == 0:
            values = self._ask("ALMemory", "getListData", _LIGHT_KEYS)
            if isinstance(values, list | tuple) and len(values) == len(_LIGHTS):
                found["lights"] = "".join(f"{_read_brightness(value):02x}" for value in values)
        if looks % _NAMES_EVERY == 0:
            self._learn_names()
            is_awake = self._ask("ALMotion", "robotIsWakeUp")
            found |= {} if is_awake is None else {"is_awake": bool(is_awake)}
        if not looks:
            posture = self._ask("ALRobotPosture", "getPosture")
            found |= {} if posture is None else {"posture": str(posture)[:40]}
        return {name: value for name, value in found.items() if not _is_same(value, self._seen.get(name))}

    def _note_away(self, is_away: bool) -> None:
        if is_away != self._is_away:
            self._is_away = is_away
            text = "The robot is out of reach." if is_away else "The robot is back."
            self._write(self._clock(), "log", {"level": "recording", "text": text})

    def _write(self, at: float, kind: str, fields: dict[str, Any]) -> None:
        fields = self._mask.hide(fields)
        self.file.add(at - self._start, kind, **fields)
        if kind in ("say", "hear"):
            self._words = f"NAO {kind}s: {fields.get('phrase') or fields.get('plain') or fields['text']}"


def _read_version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _read_brightness(value: Any) -> int:
    """Return how bright a light is, 0 to 255; 0 for one that the robot lacks."""
    return int(255 * min(max(float(value), 0.0), 1.0) + 0.5) if isinstance(value, int | float) else 0


def _is_same(value: Any, before: Any) -> bool:
    if isinstance(value, list) and before is not None:
        return all(abs(new - old) < _LEAST_TURN for new, old in zip(value, before, strict=True))
    return bool(value == before)
