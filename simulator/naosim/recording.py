"""Recordings of a person's acts with a robot, and their replay, so that a bug report becomes a test.

A recording has one JSON object per line, in the order of their times: a header; a line for each act with its virtual
time, the robot's words before it and the phrases it was listening for; then the end.
`Recorder` records the acts, `write_recording` writes a file, and `load_recording` and `read_recording` read it.
`replay_recording` repeats the acts; runs are deterministic, so it raises `Diverged` if the robot acts differently.

The recording of a robot that others drive, such as a real one, is watched: its header has `"watched": true`, and every
other line is an event as `python -m naosim --json` prints it, or a look at the robot's body (LOOK). It needs no
end, because its program can be cut off at any line.
"""

from __future__ import absolute_import, division, print_function

import hashlib
import io
import os
import platform
import re
from collections import namedtuple

from naosim import formats, scripting
from naosim.compat import INTEGERS, MOST_VALUES, NUMBER_TYPES, TEXTS, TooManyValues, from_json, native, quote, values_in
from naosim.errors import NaosimError, WrongUse
from naosim.formats import write_whole
from naosim.robot import Robot
from naosim.world import Event, event_as_line, write_json_line

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterable

    from naosim.compat import JsonValue

# The file.

_RECORDING_FORMAT = 1
# Limits of a file, because recordings come from others.
_MAX_FILE_BYTES = 128 * 1024 * 1024
_MAX_LINES = 500000
_MAX_LINE_BYTES = 8 * 1024 * 1024
_MAX_ACTS = 200000
_MAX_ACT_CHARACTERS = 32 * 1024 * 1024  # of the acts that a recorder keeps
_MAX_TIME_S = 1e7  # the latest time of an act, in virtual seconds
#: The acts, with the fields of each and their types.
_ACTS = {
    "start": (),
    "stop": (),
    "hush": (),
    "hear": (("phrase", TEXTS), ("confidence", NUMBER_TYPES)),
    "touch": (("sensor", TEXTS),),
    "push": (("direction", TEXTS),),
    "silence": (("seconds", NUMBER_TYPES),),
    "set": (("key", TEXTS), ("value", object)),
    "event": (("key", TEXTS), ("value", object)),
    "raise": (("key", TEXTS), ("value", object)),
    "dialog": (("box", TEXTS), ("output", TEXTS), ("value", object)),
    "end": (("status", INTEGERS), ("events", INTEGERS), ("digest", TEXTS)),
}  # type: dict[str, tuple[tuple[str, Any], ...]]
_MAX_JOINTS = 100
_HUNDREDTHS = re.compile(r"-?\d{1,4}\Z")

#: The options of a robot and its behaviour that a recording can contain, with their types.
KEPT_OPTIONS = {
    "without": list,
    "seconds": NUMBER_TYPES,
    "parameters": dict,
    "seed": INTEGERS,
    "rewrite": bool,
    "languages": list,
    "behaviour": TEXTS,
    "dialogs": list,
    "threads": bool,
    "camera": TEXTS,
    "robot_type": TEXTS,
    "naoqi": TEXTS,
}  # type: dict[str, JsonValue]

#: The kind of a line of a watched recording with the changes of the robot's body, as `look` of naosim.robot_requests
#: has them; angles are whole hundredths of a radian in one text, because a text is a fraction of a list.
LOOK = "look"
#: The fields of a look, with their types.
_LOOK_FIELDS = {"angles": TEXTS, "lights": TEXTS, "posture": TEXTS, "is_awake": bool}  # type: dict[str, Any]
#: The events of a watched recording whose fields are read, with their types; those of other kinds are only shown.
_EVENTS = {
    "say": (("text", TEXTS),),
    "hear": (("phrase", TEXTS), ("confidence", NUMBER_TYPES), ("engine", (str, type(None)) + TEXTS)),
    "touch": (("sensor", TEXTS), ("pressed", bool)),
    "event": (("key", TEXTS), ("value", object), ("noticed", bool)),
    "set": (("key", TEXTS), ("value", object)),
    "start": (("behaviour", TEXTS),),
    "end": (("behaviour", TEXTS),),
    "life": (("state", TEXTS), ("activity", TEXTS)),
    "log": (("level", TEXTS), ("text", TEXTS)),
}  # type: dict[str, tuple[tuple[str, Any], ...]]

#: A recording: the header and the acts, as dicts; the events and looks of a watched one.
Recording = namedtuple("Recording", "header acts")


class NotARecording(NaosimError):
    """The file is not a recording that this robot can read."""


def load_recording(path):  # type: (str) -> Recording
    """Load a recording from a file as `read_recording` does; raises NotARecording if that is impossible."""
    content = formats.read_bounded(path, _MAX_FILE_BYTES, NotARecording, "a recording")
    return read_recording(content.decode("utf-8", "replace").splitlines())


def read_recording(lines):  # type: (Iterable[str]) -> Recording
    """Read a recording from its lines; raises NotARecording with the line that is wrong."""
    rows, left, time = [], MOST_VALUES, 0.0  # type: list[dict[str, JsonValue]], int, float
    lines = list(lines)
    for number, line in enumerate(lines, 1):
        if number > _MAX_LINES or len(line) > _MAX_LINE_BYTES:
            raise NotARecording("line %d of the recording is too long, or beyond the last line allowed" % number)
        watched = bool(rows) and is_watched(rows[0])
        if watched and number == len(lines) and not line.endswith("}"):
            break  # The program was cut off while it wrote this line.
        row = _read_row(number, line, left)
        if number == 1:
            _check_header(row)
        else:
            if rows[-1].get("act") == "end":
                raise _cut_off()
            time = _read_time(number, row, time)
            (_check_event if watched else _check_act)(number, row)
        left -= values_in(line)
        rows.append(row)
    if not rows:
        raise _no_recording()
    if rows[-1].get("act") != "end" and not is_watched(rows[0]):
        raise _cut_off()
    return Recording(rows[0], rows[1:])


def is_watched(header):  # type: (dict[str, JsonValue]) -> bool
    """Return whether a recording with this header has events of a robot instead of a person's acts."""
    return header.get("watched") is True


def make_watched_header(**options):  # type: (object) -> dict[str, JsonValue]
    """Return the header of a watched recording; the options are those of KEPT_OPTIONS that describe the robot."""
    return {"recording": _RECORDING_FORMAT, "watched": True, "options": options}


def _check_event(number, row):  # type: (int, dict[str, JsonValue]) -> None
    kind = row.get("kind")
    if not isinstance(kind, str):
        raise NotARecording("line %d of the recording is damaged: it has no kind" % number)
    wrong = [name for name, types in _EVENTS.get(kind, ()) if name not in row or not isinstance(row[name], types)]
    if kind == LOOK:
        wrong = [name for name, types in _LOOK_FIELDS.items() if name in row and not isinstance(row[name], types)]
    if wrong:
        raise NotARecording("line %d of the recording is damaged: %s is missing or wrong" % (number, quote(wrong[0])))


def make_look(**fields):  # type: (object) -> dict[str, JsonValue]
    """Return the fields of an event LOOK: those of `look`, with the angles in radians.

    >>> make_look(angles=[0.5, -1.25])
    {'angles': '50 -125'}
    """
    angles = fields.get("angles")
    written = " ".join("%d" % round(100 * each) for each in angles) if isinstance(angles, list) else None
    return dict(fields, angles=written) if written is not None else fields


def read_look(row):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
    """Return the fields of `look` that an event LOOK has; angles that are not numbers are left out.

    >>> read_look({"kind": "look", "time": 1.0, "angles": "50 -125"})
    {'angles': [0.5, -1.25]}
    """
    found = {name: row[name] for name in _LOOK_FIELDS if name in row}
    if "angles" in found:
        numbers = found.pop("angles").split()[:_MAX_JOINTS]
        if all(_HUNDREDTHS.match(each) for each in numbers):
            found["angles"] = [int(each) / 100 for each in numbers]
    return found


def _read_row(number, line, most_values):  # type: (int, str, int) -> dict[str, JsonValue]
    try:
        row = from_json(line, most_values)
    except TooManyValues:
        raise NotARecording("the recording contains more than %d values, which is the limit" % MOST_VALUES)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise NotARecording("line %d of the recording is damaged: it is not a JSON object" % number)
    return row


def _check_header(header):  # type: (dict[str, JsonValue]) -> None
    if header.get("recording") != _RECORDING_FORMAT or not isinstance(header.get("options"), dict):
        raise _no_recording()


def _no_recording():  # type: () -> NotARecording
    return NotARecording("this is not a recording of format %d: its first line has no such number" % _RECORDING_FORMAT)


def _cut_off():  # type: () -> NotARecording
    return NotARecording("the recording is cut off: its last line is not the end")


def _read_time(number, row, before):  # type: (int, dict[str, JsonValue], float) -> float
    time = row.get("time")
    is_time = isinstance(time, NUMBER_TYPES) and not isinstance(time, bool) and 0 <= time <= _MAX_TIME_S
    if not is_time:
        raise NotARecording("line %d of the recording is damaged: it has no time" % number)
    if time < before:  # type: ignore
        raise NotARecording(
            "line %d of the recording is damaged: its time is before the time of the line above" % number
        )
    return float(time)  # type: ignore


def _check_act(number, row):  # type: (int, dict[str, JsonValue]) -> None
    kind, said = row.get("act"), row.get("said")
    fields = _ACTS.get(kind) if isinstance(kind, str) else None
    if fields is None or not isinstance(said, list) or not isinstance(row.get("ended"), bool):
        raise NotARecording("line %d of the recording is damaged: it is not an act" % number)
    for name, types in fields + (("engine", object),):
        if name not in row or not isinstance(row[name], types) or (types is not object and row[name] is True):
            raise NotARecording("line %d of the recording is damaged: %s is missing or wrong" % (number, quote(name)))


def write_recording(path, lines):  # type: (str, Iterable[str]) -> None
    """Write the lines of a recording to a file atomically; raises WrongUse if that fails."""
    write_whole(path, "".join(line + "\n" for line in lines).encode("ascii"))


def read_recorded_options(header):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
    """Return the known options in the header of a recording; raises NotARecording for wrong types."""
    found = {}  # type: dict[str, JsonValue]
    for name, types in KEPT_OPTIONS.items():
        if name not in header["options"]:
            continue
        value = found[name] = header["options"][name]
        fits = isinstance(value, types) and isinstance(value, bool) == (types is bool)
        if not fits or (types is list and not all(isinstance(each, TEXTS) for each in value)):
            raise NotARecording("the recording is damaged: its option %s is %s" % (quote(name), quote(value)))
    return found


def file_checksum(path):  # type: (str | None) -> str
    """Return the SHA-256 of a behaviour's file in hexadecimal, "" without a file."""
    return "" if path is None else str(hashlib.sha256(formats.read_behaviour_file(path)).hexdigest())


# Recording and replay.

_MAX_TEXTS = 10  # the latest texts of the robot that the line of an act has
_MAX_TEXT_LENGTH = 200  # letters of each text


class Diverged(NaosimError):
    """The behaviour acts differently than in the recording."""


class Recorder(object):
    """A recorder of a person's acts with one robot, from its creation until `close`.

    The header stores `options`, which are needed to make the same robot again, as JSON values.
    """

    def __init__(self, robot, **options):  # type: (Robot, **object) -> None
        self._robot = robot
        self._options = options
        self._acts = []  # type: list[dict[str, JsonValue]]
        self._characters = 0
        #: Whether there were too many acts; they are forgotten then, and the robot still works.
        self._is_full = False
        self._digest = hashlib.sha256()
        self._events = 0
        self._said = []  # type: list[str]
        self._end = None  # type: dict[str, JsonValue] | None
        robot.trace.listeners.append(self._note)
        robot.person.listeners.append(self._act)

    def lines(self, status=0):  # type: (int) -> list[str]
        """List the lines of the recording up to now or up to `close`; the end has this exit status.

        Raises WrongUse if there were too many acts.
        """
        if self._is_full:
            limits = "%d acts and %d MB" % (_MAX_ACTS, _MAX_ACT_CHARACTERS // 1048576)
            raise WrongUse("a recording contains at most %s, and this one has more" % limits)
        end = dict(self._end or self._last(), status=status)
        return [write_json_line(row) for row in [self._header()] + self._acts + [end]]

    def write(self, path, status=0):  # type: (str, int) -> None
        """Write the recording to a file atomically; raises WrongUse if that fails."""
        write_recording(path, self.lines(status))

    def close(self):  # type: () -> None
        """End the recording and stop listening to the robot."""
        self._end = self._end or self._last()
        if self._act in self._robot.person.listeners:
            self._robot.person.listeners.remove(self._act)
            self._robot.trace.listeners.remove(self._note)

    def _header(self):  # type: () -> dict[str, JsonValue]
        behaviour = self._robot.behaviour
        path = None if behaviour is None else behaviour.project.path
        return {
            "recording": _RECORDING_FORMAT,
            "behaviour": None if behaviour is None else behaviour.id,
            "checksum": file_checksum(path),
            "options": self._options,
            "python": str(platform.python_version()),
        }

    def _note(self, event):  # type: (Event) -> None
        self._digest.update(event_as_line(event).encode("ascii"))
        self._events += 1
        if event.kind == "say":
            self._said = self._said[1 - _MAX_TEXTS :] + [_get_said_text(event)]
        elif event.kind == "dialog":
            fields = event.fields
            self._add("dialog", box=fields["box"], output=fields["output"], value=fields["value"])

    def _row(self, act, **fields):  # type: (str, **object) -> dict[str, JsonValue]
        now, engine = self._robot.clock.now(), self._robot.ears().engine
        return dict(fields, act=act, time=now, said=self._said, engine=engine, ended=_has_ended(self._robot))

    def _last(self):  # type: () -> dict[str, JsonValue]
        return self._row("end", events=self._events, digest=str(self._digest.hexdigest()))

    def _add(self, act, **fields):  # type: (str, **object) -> None
        if self._is_full:
            return
        if not self._acts:
            self._digest, self._events = hashlib.sha256(), 0
        self._acts.append(self._row(act, **fields))
        self._characters += len(write_json_line(self._acts[-1]))
        self._said = []
        if self._characters > _MAX_ACT_CHARACTERS or len(self._acts) > _MAX_ACTS:
            self._is_full, self._acts = True, []

    def _act(self, act, fields):  # type: (str, dict[str, JsonValue]) -> None
        if act == "silence":
            self._silent(fields["due"])
        else:
            self._add(act, **fields)

    def _silent(self, due):  # type: (float) -> None
        """Record silence up to a time; extend the last silence if the robot has said nothing since."""
        now = self._robot.clock.now()
        due = max(due, now)
        last = self._acts[-1] if self._acts else {}
        if last.get("act") == "silence" and not self._said:
            last["seconds"] = due - last["time"]
        else:
            self._add("silence", seconds=due - now)


def replay_recording(robot, lines, run_to=None):
    # type: (Robot, Iterable[str] | Recording, Callable[[Robot, float], object] | None) -> bool
    """Replay a recording on a robot whose behaviour is loaded; return whether all events are the same.

    `run_to` runs the robot up to a virtual time, such as `run_robot_to`. Raises NotARecording for wrong lines, and
    Diverged with the act before which the robot acted differently.
    """
    recording = lines if isinstance(lines, Recording) else read_recording(lines)
    if is_watched(recording.header):
        raise NotARecording(
            "this recording has what a robot did, and no acts to repeat: show it with --replay and --page"
        )
    run_to = run_to or run_robot_to
    listener = _Listener()
    robot.trace.listeners.append(listener)
    try:
        for number, act in enumerate(recording.acts, 1):
            run_to(robot, act["time"])
            if act["act"] != "end":
                listener.compare(robot, number, act)
                _perform(robot, number, act)
        end = recording.acts[-1]
        return bool(end["act"] == "end" and end["digest"] == listener.digest.hexdigest())
    finally:
        robot.trace.listeners.remove(listener)


class _Listener(object):
    """A listener that compares the robot during a replay with the recording."""

    def __init__(self):  # type: () -> None
        self.digest = hashlib.sha256()
        # The robot's words now and in the recording, since the last act that was compared.
        self._said, self._recorded = [], []  # type: list[str], list[str]

    def __call__(self, event):  # type: (Event) -> None
        self.digest.update(event_as_line(event).encode("ascii"))
        if event.kind == "say":
            self._said.append(_get_said_text(event))

    def compare(self, robot, number, act):  # type: (Robot, int, dict[str, JsonValue]) -> None
        """Raise Diverged if the robot's texts, its listening or the behaviour's end differ before this act."""
        if number == 1:
            self.digest = hashlib.sha256()
        self._recorded += act["said"]
        # A page stores values at any moment, also while the robot begins to speak: the next act is compared.
        if act["act"] == "set":
            return
        told, said = self._recorded[-_MAX_TEXTS:], self._said[-_MAX_TEXTS:]
        self._said, self._recorded = [], []
        if said != told:
            old, new = ["; ".join(each) for each in (told, said)]
            texts = (quote(old) if old else "nothing", quote(new) if new else "nothing")
            raise _make_divergence(number, act, "before it the robot said %s and now says %s" % texts)
        if act["ended"] != _has_ended(robot):
            how = "had ended by then and now has not" if act["ended"] else "has ended by then"
            raise _make_divergence(number, act, "the behaviour %s" % how)
        engine = robot.ears().engine
        if engine != act["engine"]:
            engines = (act["engine"] or "nothing", engine or "nothing")
            raise _make_divergence(number, act, "%s listened then and now %s does" % engines)


def _perform(robot, number, act):  # type: (Robot, int, dict[str, JsonValue]) -> None
    kind = act["act"]
    fields = [act[name] for name, _ in _ACTS[kind]]
    try:
        if kind in ("hear", "touch", "push", "event"):
            getattr(robot.person, kind)(*fields)
        elif kind in ("set", "start", "stop"):
            getattr(robot, kind)(*fields)
        elif kind == "raise":
            robot.memory.raiseEvent(native(fields[0]), fields[1])
        elif kind == "hush":
            robot.service("ALTextToSpeech").call("stopAll", ())
        elif kind == "dialog" and robot.behaviour is not None:
            robot.behaviour.answer(*fields)
    except (WrongUse, RuntimeError) as error:
        raise _make_divergence(number, act, str(error))


def run_robot_to(robot, time):  # type: (Robot, float) -> None
    """Run the robot up to a virtual time; if that is now, run what is ready."""
    with scripting.run_as_robot(robot.world):
        robot.clock.run(up_to=time)


def _make_divergence(number, act, why):  # type: (int, dict[str, JsonValue], str) -> Diverged
    shown = act.get("phrase") or act.get("sensor") or act.get("key") or act.get("direction") or act.get("output") or ""
    what = act["act"] + (" " + quote(shown) if shown else "")
    return Diverged("the recording no longer fits at act %d (%s at %.1f s): %s" % (number, what, act["time"], why))


def _get_said_text(event):  # type: (Event) -> str
    return native(event.fields.get("plain") or event.fields["text"])[:_MAX_TEXT_LENGTH]


def _has_ended(robot):  # type: (Robot) -> bool
    return robot.behaviour is not None and robot.behaviour.ended
