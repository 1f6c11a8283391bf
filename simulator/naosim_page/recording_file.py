"""What a page on this computer has observed of its robot, in the file of a recording.

`naosim.recording` has the format and reads the file; it also holds the person's acts if the robot is simulated. Here
are the rows of events ("event": kind and fields), changes of the state ("set" and "gone") and diagrams ("behaviour"
and "blueprint").
"""

import contextlib
import heapq
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from naosim import recording as recordings
from naosim.cli import transcript_line
from naosim.compat import from_json
from naosim.errors import WrongUse
from naosim.models import MODELS
from naosim.recording import NotARecording
from naosim.remote import pack_value, unpack_value
from naosim.robot_requests import LIGHTS
from naosim.world import Event
from naosim_page.recording import Recording
from naosim_robots.hosting import RobotClient

# The shapes of values.

#: A shape: a type, a test, a list of such values, a dict with these keys, or one of several shapes.
_Shape = Any


class _Row(NamedTuple):
    """A list of so many values, each of its own shape."""

    shapes: tuple[_Shape, ...]


class _Table(NamedTuple):
    """A dict whose keys are any texts, and its values of one shape."""

    shape: _Shape


def _fits(value: Any, shape: _Shape) -> bool:
    """Return whether a value of JSON has a shape.

    >>> _fits([1, "a"], _Row((int, str))), _fits({"a": [True]}, {"a": [int]})
    (True, False)
    """
    if isinstance(shape, type):
        return isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
    if isinstance(shape, _Row):
        return isinstance(value, list) and len(value) == len(shape.shapes) and all(map(_fits, value, shape.shapes))
    if isinstance(shape, _Table):
        return isinstance(value, dict) and all(_fits(each, shape.shape) for each in value.values())
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(each, shape[0]) for each in value)
    if isinstance(shape, dict):
        return (
            isinstance(value, dict)
            and value.keys() == shape.keys()
            and all(_fits(value[key], each) for key, each in shape.items())
        )
    if isinstance(shape, tuple):
        return any(_fits(value, each) for each in shape)
    return bool(shape(value))


def _is_number(value: Any) -> bool:
    """Return whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_plain(value: Any) -> bool:
    """Return whether a value is a text, a number, true, false or null."""
    return value is None or isinstance(value, str | bool) or _is_number(value)


def _packed_text(value: Any) -> bool:
    """Return whether a value is the JSON of a value of ALMemory."""
    if not isinstance(value, str):
        return False
    try:
        unpack_value(from_json(value))
    except (ValueError, RecursionError):
        return False
    return True


def _is_lights(value: Any) -> bool:
    """Return whether a value says how bright each light is."""
    return isinstance(value, str) and len(value) == 2 * len(LIGHTS) and not value.strip("0123456789abcdef")


def _is_robot_type(value: Any) -> bool:
    return isinstance(value, str) and value in MODELS


_SIGNAL = _Row((int, _is_number, str, str, int, int, int, int, int, str))
_ERROR = _Row(([str], str, _is_number, str, str, bool))
_PORT = _Row((int, str, _is_plain, str))
_LIVE = {"lit": [str], "places": _Table([int]), "cursors": _Table(_Row((_is_number, bool, _is_number)))}
#: What a moment's state holds, by the part of a name before its first stroke.
_STATE: Mapping[str, _Shape] = {
    "speed": _is_number,
    "robot_type": _is_robot_type,
    "angles": tuple(_Row((_is_number,) * len(model.body)) for model in MODELS.values()),
    "lights": _is_lights,
    "posture": str,
    "place": _Row((_is_number,) * 3),
    "is_awake": bool,
    "is_speaking": bool,
    "touched": [str],
    "breath": _Row((_is_number,) * 2),
    "is_blinking": bool,
    "behaviour": {"id": str, "runs": bool},
    "ears": {"engine": _is_plain, "vocabulary": [str], "spotting": _is_plain, "touch": (_is_plain, [str])},
    "position": int,
    "loads": int,
    "latest": str,
    "known": [str],
    "live": _LIVE,
    "signal": _SIGNAL,
    "error": _ERROR,
    "memory": _packed_text,
    "device": _packed_text,
}
_BOX = {
    "id": int,
    "address": str,
    "name": str,
    "x": _is_number,
    "y": _is_number,
    "kind": str,
    "opens": bool,
    "tooltip": str,
    "inputs": [_PORT],
    "outputs": [_PORT],
    "parameters": [_Row((int, str))],
    "findings": int,
}
_TRAIL = [_Row((str, str, int))]
_TIMELINE = {
    "fps": _is_number,
    "start": int,
    "end": int,
    "layers": [str],
    "curves": [_Row((str, bool, [_is_number]))],
    "left_out": int,
}
_PARAMETER = {"name": str, "type": str, "inherits": bool, "value": _is_plain, "default": _is_plain}
_DIAGRAM = {
    "address": str,
    "trail": _TRAIL,
    "owner": _BOX,
    "place": int,
    "boxes": [_BOX],
    "links": [_Row((int, int, int, int))],
    "left_out": _Row((int, int)),
    "keyframes": [_Row((int, str, int, int))],
    "timeline": (_TIMELINE, lambda value: value is None),
}
_DETAILS = {
    **_BOX,
    **{
        "trail": _TRAIL,
        "path": str,
        "plugin": str,
        "script": str,
        "is_cut": bool,
        "script_line": _is_plain,
        "dialog": str,
        "parameters": [_PARAMETER],
        "resources": [_Row((str, str, _is_number))],
        "lint": [_Row((str, str, str))],
    },
}
#: The diagrams of one behaviour.
_BLUEPRINT: _Shape = {"diagrams": [_DIAGRAM], "boxes": _Table(_DETAILS)}
_DRAWN: _Shape = {"time": _is_number, "behaviour": str, "blueprint": _BLUEPRINT}

#: The fields that a page needs of events, by their kinds.
_EVENT: Mapping[str, Mapping[str, _Shape]] = {
    "say": {"text": str},
    "hear": {"phrase": str, "confidence": _is_number, "engine": _is_plain},
    "touch": {"sensor": str, "pressed": _is_plain},
    "error": {"where": str, "message": str},
    "end": {"behaviour": _is_plain},
    "memory": {"key": str, "value": object},
}


def _is_state(values: Any) -> bool:
    """Return whether a value is a state or a part of one: names with values of their shapes."""
    return isinstance(values, dict) and all(
        name.partition("/")[0] in _STATE and _fits(value, _STATE[name.partition("/")[0]])
        for name, value in values.items()
    )


def _is_event(event: Event) -> bool:
    """Return whether an event has the fields that panels show of its kind."""
    if not isinstance(event.fields, dict):
        return False
    try:
        transcript_line(event)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return False
    return all(
        name in event.fields and (shape is object or _fits(event.fields[name], shape))
        for name, shape in _EVENT.get(event.kind, {}).items()
    )


# The file.

_MAX_TITLE_LENGTH = 200
#: Real seconds in which a robot lists the acts.
_ASK_TIMEOUT_S = 20.0
#: The last row of a recording without acts.
_END: dict[str, Any] = {
    "act": "end",
    "time": 0.0,
    "said": [],
    "engine": None,
    "ended": False,
    "status": 0,
    "events": 0,
    "digest": "",
}


def list_lines(recording: Recording, acts: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of a recording's file; `acts` are the lines that `naosim.recording.Recorder` has of the robot."""
    header, *done, end = map(json.loads, acts) if acts else (recordings.make_header(), _END)
    file = {"file": {"home": recording.home}} if recording.home else {}
    yield json.dumps({**header, **file, "title": recording.title, "is_whole": recording.is_whole})
    told, ends = [(act["time"], act) for act in done], max(recording.ends, end["time"])
    for time, row in heapq.merge(
        told, _blueprints(recording), _states(recording), _events(recording), key=lambda each: each[0]
    ):
        ends = max(ends, time)
        yield json.dumps(row, separators=(",", ":"))
    yield json.dumps({**end, "time": ends})


def encode_recording(recording: Recording, acts: Sequence[str] = ()) -> bytes:
    """Return the whole file."""
    return b"".join(line.encode("ascii") + b"\n" for line in list_lines(recording, acts))


@contextlib.contextmanager
def keep_recording(recording: Recording | None, path: str, robot: RobotClient | None = None) -> Iterator[None]:
    """Write a recording of a robot to a file at the end, also after an error; "" for no file. Raises WrongUse."""
    if path:
        _check_place(path)
    try:
        yield
    finally:
        if path and recording is not None and recording.segments:
            acts = [] if robot is None else ask_acts(robot)
            recordings.write_recording(path, list_lines(recording, acts))


def ask_acts(robot: RobotClient) -> list[str]:
    """Return the recording of the acts that a robot has in its own process; [] if it records none, or is gone."""
    try:
        acts: list[str] = robot.ask("recording").result(_ASK_TIMEOUT_S)
    except (RuntimeError, TimeoutError):
        return []
    return acts


def _check_place(path: str) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path) or not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise WrongUse(f"cannot write {path}: it is a folder, or there is none for it that can be written to")


def load_recording(path: str) -> Recording:
    """Load what a page has observed from a recording; raises NotARecording with a sentence for people."""
    found = Recording()
    return _finish(found, recordings.load_recording(path, lambda place, row: _take(found, place, row)))


def read_recording(content: bytes) -> Recording:
    """Read what a page has observed from a file's bytes; raises NotARecording, naming the line that is wrong."""
    found, lines = Recording(), content.decode("utf-8", "replace").splitlines()
    return _finish(found, recordings.read_recording(lines, lambda place, row: _take(found, place, row)))


def _finish(recording: Recording, told: recordings.Recording) -> Recording:
    title, is_whole = told.header.get("title"), told.header.get("is_whole")
    if not recording.segments:
        raise NotARecording("this recording has only what a person did: drop it on the page, or leave --page out")
    if not isinstance(title, str) or not isinstance(is_whole, bool):
        raise _damaged(1)
    recording.title, recording.is_whole = title[:_MAX_TITLE_LENGTH], is_whole
    recording.ends = max(recording.ends, float(told.acts[-1]["time"]))
    return recording


def _take(recording: Recording, place: int, row: dict[str, Any]) -> None:
    """Take in one line."""
    time = float(row["time"])
    if row.keys() == {"time", "event"}:
        recording.add_event(_event(place, time, row["event"]))
    elif row.keys() == {"time", "set", "gone"} and _is_state(row["set"]) and _fits(row["gone"], [str]):
        recording.add_state(time, row["set"], row["gone"])
    elif row.keys() == {"time", "behaviour", "blueprint"} and _fits(row, _DRAWN):
        recording.add_blueprint(time, row["behaviour"], row["blueprint"])
    else:
        raise _damaged(place)


def _event(place: int, time: float, told: Any) -> Event:
    if not isinstance(told, list) or len(told) != 2 or not isinstance(told[0], str):
        raise _damaged(place)
    try:
        fields = unpack_value(told[1], bytes)
    except ValueError:
        raise _damaged(place) from None
    event = Event(time, told[0], fields)
    if not _is_event(event):
        raise _damaged(place)
    return event


def _damaged(place: int) -> NotARecording:
    return NotARecording(f"line {place} of the recording is damaged")


def _events(recording: Recording) -> Iterator[tuple[float, dict[str, Any]]]:
    for event in recording.events(recording.lost, recording.index_after(recordings.MAX_TIME_S)):
        yield event.time, {"time": event.time, "event": [event.kind, pack_value(event.fields)]}


def _states(recording: Recording) -> Iterator[tuple[float, dict[str, Any]]]:
    """Yield the changes; each segment begins with the whole state, of which only the changes are written."""
    state: dict[str, Any] = {}
    for segment in recording.segments:
        for place, change in enumerate(segment.changes()):
            gone = change.gone if place else [name for name in state if name not in change.values]
            values = {name: value for name, value in change.values.items() if state.get(name, state) != value}
            state.update(values)
            for name in gone:
                del state[name]
            yield change.time, {"time": change.time, "set": values, "gone": gone}


def _blueprints(recording: Recording) -> Iterator[tuple[float, dict[str, Any]]]:
    for each in recording.blueprints:
        time = max(each.time, recording.begins)
        yield time, {"time": time, "behaviour": each.behaviour, "blueprint": each.told}
