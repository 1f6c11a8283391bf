"""The file of a recording: JSON, one object per line, written whole, and read with limits.

The first line is the header, the last one says how many lines there are. Between them, by their times, are events
("event": kind and fields), changes of the state ("set" and "gone") and diagrams ("behaviour" and "blueprint").
"""

from __future__ import annotations

import contextlib
import heapq
import json
import os
from collections.abc import Iterator
from typing import Any

from naosim.compat import TooManyValues, from_json
from naosim.errors import NaosimError, WrongUse
from naosim.formats import write_whole
from naosim.remote import pack_value, unpack_value
from naosim.world import Event

from .recording import LARGEST, Recording
from .shapes import BLUEPRINT, fits, is_event, is_state, number

KIND, VERSION = "page", 1
#: Lines of a file, bytes of one and of all, and values of one; the file has some signs more than what it holds.
_MOST_LINES, _LONGEST_LINE, LARGEST_FILE, _MOST_VALUES = 500_000, 8 * 1024 * 1024, 4 * LARGEST, 400_000
#: The latest time, in the robot's seconds, and letters of a title.
_LATEST, _LONGEST_TITLE = 1e7, 200


class NotAPageRecording(NaosimError):
    """The file is no recording that a page can show."""


def lines(recording: Recording) -> Iterator[str]:
    """Yield the lines of a recording's file."""
    header = {
        "recording": KIND,
        "version": VERSION,
        "title": recording.title,
        "begins": recording.begins,
        "ends": recording.ends,
        "is_whole": recording.is_whole,
    }
    yield json.dumps(header)
    count = 2
    for _, row in heapq.merge(_blueprints(recording), _states(recording), _events(recording), key=lambda each: each[0]):
        count += 1
        yield json.dumps(row, separators=(",", ":"))
    yield json.dumps({"lines": count})


def content(recording: Recording) -> bytes:
    """Return the whole file."""
    found = bytearray()
    for line in lines(recording):
        found += line.encode("ascii") + b"\n"
    return bytes(found)


def write(recording: Recording, path: str) -> None:
    """Write the recording to a file, whole or not at all; raises WrongUse when it cannot be written."""
    write_whole(path, content(recording))


@contextlib.contextmanager
def keeping(recording: Recording, path: str) -> Iterator[None]:
    """Write a recording to a file at the end, however it comes; "" for no file. Raises WrongUse, at once if it can."""
    if path:
        _check_place(path)
    try:
        yield
    finally:
        if path and recording.segments:
            write(recording, path)


def _check_place(path: str) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path) or not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise WrongUse(f"cannot write {path}: it is a folder, or there is none for it that can be written to")


def load(path: str) -> Recording:
    """Load the recording in a file; raises NotAPageRecording with a sentence for people."""
    try:
        if not os.path.isfile(path):
            raise NotAPageRecording(f"there is no recording {path}")
        with open(path, "rb") as file:
            found = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise NotAPageRecording(f"cannot read {path}: {error.strerror or error}") from None
    if len(found) > LARGEST_FILE:
        raise NotAPageRecording(f"{path} is larger than {LARGEST_FILE // 1048576} MB: no recording is")
    return read(found)


def read(found: bytes) -> Recording:
    """Read a recording from the bytes of its file; raises NotAPageRecording, naming the line that is wrong."""
    rows = found.split(b"\n")
    if len(rows) > _MOST_LINES:
        raise NotAPageRecording(f"the recording has more than {_MOST_LINES} lines: no recording has")
    recording = _begun(_row(1, rows[0]))
    if rows[-1]:
        raise _cut_off()
    time = 0.0
    for place, line in enumerate(rows[1:-2], 2):
        time = _take(recording, place, _row(place, line), time)
    if len(rows) < 3 or _row(len(rows) - 1, rows[-2]) != {"lines": len(rows) - 1}:
        raise _cut_off()
    if not recording.segments:
        raise NotAPageRecording("the recording shows nothing: it has no state of the robot")
    return recording


def _begun(header: dict[str, Any]) -> Recording:
    if isinstance(header.get("recording"), int):
        raise NotAPageRecording("this is a recording of what a person did, which a robot repeats: leave --page out")
    if header.get("recording") != KIND:
        raise NotAPageRecording("this is no recording of a page: its first line says otherwise")
    if header.get("version") != VERSION:
        raise NotAPageRecording(f"the recording is of another version than {VERSION}, the only one known here")
    if not isinstance(header.get("title"), str) or not isinstance(header.get("is_whole"), bool):
        raise _damaged(1)
    recording = Recording(header["title"][:_LONGEST_TITLE])
    recording.is_whole = header["is_whole"]
    return recording


def _take(recording: Recording, place: int, row: dict[str, Any], before: float) -> float:
    """Take in one line, and return its time."""
    time = row.get("time")
    if not number(time) or not before <= float(time or 0) <= _LATEST:
        raise _damaged(place)
    at = float(time or 0)
    if row.keys() == {"time", "event"}:
        recording.add_event(_event(place, at, row["event"]))
    elif row.keys() == {"time", "set", "gone"}:
        if not is_state(row["set"]) or not fits(row["gone"], [str]):
            raise _damaged(place)
        recording.add_state(at, row["set"], row["gone"])
    elif row.keys() == {"time", "behaviour", "blueprint"}:
        if not isinstance(row["behaviour"], str) or not fits(row["blueprint"], BLUEPRINT):
            raise _damaged(place)
        recording.add_blueprint(at, row["behaviour"], row["blueprint"])
    else:
        raise _damaged(place)
    return at


def _event(place: int, time: float, told: Any) -> Event:
    if not isinstance(told, list) or len(told) != 2 or not isinstance(told[0], str):
        raise _damaged(place)
    try:
        fields = unpack_value(told[1], bytes)
    except ValueError:
        raise _damaged(place) from None
    event = Event(time, told[0], fields)
    if not is_event(event):
        raise _damaged(place)
    return event


def _row(place: int, line: bytes) -> dict[str, Any]:
    try:
        if len(line) > _LONGEST_LINE:
            raise NotAPageRecording(f"line {place} of the recording is too long")
        row = from_json(line.decode("ascii"), _MOST_VALUES)
    except TooManyValues:
        raise NotAPageRecording(f"line {place} of the recording holds more than {_MOST_VALUES} values") from None
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise _damaged(place)
    return row


def _damaged(place: int) -> NotAPageRecording:
    return NotAPageRecording(f"line {place} of the recording is damaged")


def _cut_off() -> NotAPageRecording:
    return NotAPageRecording("the recording is cut off: its last line is not the end")


def _events(recording: Recording) -> Iterator[tuple[float, dict[str, Any]]]:
    for event in recording.events(recording.lost, recording.index_after(_LATEST)):
        yield event.time, {"time": event.time, "event": [event.kind, pack_value(event.fields)]}


def _states(recording: Recording) -> Iterator[tuple[float, dict[str, Any]]]:
    """Yield the changes; each segment begins with the whole state, of which what is known already is left out."""
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
