"""The file of a recording: JSON, one object per line, read with limits and written whole. Replays nothing."""

from __future__ import absolute_import, division, print_function

import hashlib
import io
import os
from collections import namedtuple

from naosim.compat import INTEGERS, MOST_VALUES, TEXTS, TooManyValues, from_json, native, quoted, values_in
from naosim.errors import NaosimError
from naosim.formats import source

MYPY = False
if MYPY:
    from typing import Any, Iterable

FORMAT = 1
LARGEST, MOST_LINES, LONGEST_LINE = 16 * 1024 * 1024, 200000, 1024 * 1024
#: The latest time of an act, in virtual seconds.
LATEST = 1e7
#: What a person does, and the fields of each act with their types.
ACTS = {
    "start": (),
    "stop": (),
    "hear": (("phrase", TEXTS), ("confidence", INTEGERS + (float,))),
    "touch": (("sensor", TEXTS),),
    "silence": (("seconds", INTEGERS + (float,)),),
    "set": (("key", TEXTS), ("value", object)),
    "event": (("key", TEXTS), ("value", object)),
    "dialog": (("box", TEXTS), ("output", TEXTS), ("value", object)),
    "end": (("status", INTEGERS), ("events", INTEGERS), ("digest", TEXTS)),
}  # type: dict[str, tuple[tuple[str, Any], ...]]

#: The options a recording may keep, with their types: those that the robot was made and its behaviour loaded with.
OPTIONS = {
    "without": list,
    "seconds": INTEGERS + (float,),
    "parameters": dict,
    "seed": INTEGERS,
    "rewrite": bool,
    "languages": list,
    "behaviour": TEXTS,
    "dialogs": list,
    "threads": bool,
    "camera": TEXTS,
    "robot_type": TEXTS,
}  # type: dict[str, Any]

#: A recording that was read: the header and the acts, as dicts.
Recording = namedtuple("Recording", "header acts")


class NotARecording(NaosimError):
    """The file is not a recording that this robot can read."""


def load(path):  # type: (str) -> Recording
    """Load the recording in a file; raises NotARecording with a sentence for people."""
    try:
        if not os.path.isfile(path):
            raise NotARecording("there is no recording %s" % native(path))
        with io.open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except (IOError, OSError) as error:
        raise NotARecording("cannot read %s: %s" % (native(path), native(error.strerror or error)))
    if len(content) > LARGEST:
        raise NotARecording("%s is larger than %d MB: no recording is" % (native(path), LARGEST // 1048576))
    return read(content.decode("utf-8", "replace").splitlines())


def read(lines):  # type: (Iterable[str]) -> Recording
    """Read a recording from its lines; raises NotARecording, naming the line that is wrong."""
    rows, left = [], MOST_VALUES  # type: list[dict[str, Any]], int
    for number, line in enumerate(lines, 1):
        if number > MOST_LINES or len(line) > LONGEST_LINE:
            raise NotARecording("line %d of the recording is one too many or too long" % number)
        try:
            row = from_json(line, left)
            left -= values_in(line)
        except TooManyValues:
            raise NotARecording("the recording holds more than %d values: no recording does" % MOST_VALUES)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise NotARecording("line %d of the recording is damaged: it is no JSON object" % number)
        rows.append(row)
    if rows and rows[0].get("recording") == "page":
        raise NotARecording("this is a recording of what a page showed: show it again with --page")
    if not rows or rows[0].get("recording") != FORMAT or not isinstance(rows[0].get("options"), dict):
        raise NotARecording("this is no recording of format %d: its first line says otherwise" % FORMAT)
    for number, row in enumerate(rows[1:], 2):
        _check(number, row, rows[number - 2])
    if len(rows) < 2 or rows[-1]["act"] != "end" or any(row["act"] == "end" for row in rows[1:-1]):
        raise NotARecording("the recording is cut off: its last line is not the end")
    return Recording(rows[0], rows[1:])


def _check(number, row, before):  # type: (int, dict[str, Any], dict[str, Any]) -> None
    time, kind = row.get("time"), row.get("act")
    said = row.get("said")
    fields = ACTS.get(kind) if isinstance(kind, str) else None
    is_time = isinstance(time, INTEGERS + (float,)) and not isinstance(time, bool) and 0 <= time <= LATEST  # type: ignore
    if fields is None or not is_time or not isinstance(said, list) or not isinstance(row.get("ended"), bool):
        raise NotARecording("line %d of the recording is damaged: it is no act with a time" % number)
    if time < before.get("time", 0):
        raise NotARecording("line %d of the recording is damaged: it lies before the line above it" % number)
    for name, types in fields:
        if name not in row or not isinstance(row[name], types) or (types is not object and row[name] is True):
            raise NotARecording("line %d of the recording is damaged: %s is missing or wrong" % (number, quoted(name)))
    if "engine" not in row:
        raise NotARecording("line %d of the recording is damaged: %s is missing or wrong" % (number, '"engine"'))


def options_of(header):  # type: (dict[str, Any]) -> dict[str, Any]
    """Return the known options in the header of a recording; raises NotARecording for one of a wrong type."""
    found = {}  # type: dict[str, Any]
    for name, types in OPTIONS.items():
        if name not in header["options"]:
            continue
        value = found[name] = header["options"][name]
        fits = isinstance(value, types) and isinstance(value, bool) == (types is bool)
        if not fits or (types is list and not all(isinstance(each, TEXTS) for each in value)):
            raise NotARecording("the recording is damaged: its option %s is %s" % (quoted(name), quoted(value)))
    return found


def checksum(path):  # type: (str | None) -> str
    """Return the SHA-256 of a behaviour's file in hexadecimal, "" without a file."""
    return "" if path is None else str(hashlib.sha256(source.content(path)).hexdigest())
