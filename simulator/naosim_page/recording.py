"""The recording of a page's robot: the acts of a robot that this program runs, the events of one that others drive.

The acts, with the robot's seed and the file of its behaviour, are a recording of `naosim.recording`, which repeats
them. The events are a watched recording of that module.
"""

import base64
import contextlib
import json
import os
import tempfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from naosim.errors import WrongUse
from naosim.recording import load_recording, make_watched_header, write_recording
from naosim.world import Event, event_as_line, write_json_line
from naosim_page.bundle import write_archive
from naosim_robots.hosting import RobotClient

#: The most characters of events in a recording, which has the latest ones.
_MAX_CHARACTERS = 32 * 1024 * 1024
#: Files of a behaviour and their bytes, and the bytes of the file or archive of them in a recording.
_MAX_SOURCE_FILES, _MAX_SOURCE_BYTES, _MAX_KEPT_BYTES = 2000, 8 * 1024 * 1024, 700_000
#: Real seconds in which a robot lists the acts.
_ASK_TIMEOUT_S = 20.0

#: A recording's data about the file of its behaviour: its `home` in a worker, or its `name` and `content`.
Source = dict[str, str]


def describe_source(path: str, behaviour: str = "") -> Source:
    """Return the file of a behaviour for a recording, a folder as an archive; without content if it is too large.

    Raises WrongUse if it cannot be read.
    """
    place = Path(path).resolve()
    place = place.parent if place.suffix == ".pml" else place
    found = {"name": f"{place.name}.zip" if place.is_dir() else place.name, "behaviour": behaviour}
    try:
        content = _read_source(place) if _is_small(place) else b""
    except OSError as error:
        raise WrongUse(f"cannot read {path}: {error.strerror}") from None
    is_kept = 0 < len(content) <= _MAX_KEPT_BYTES
    return {**found, "content": base64.b64encode(content).decode("ascii")} if is_kept else found


def _is_small(place: Path) -> bool:
    size = 0
    for count, each in enumerate(place.rglob("*") if place.is_dir() else [place]):
        size += 0 if each.is_dir() else each.stat().st_size
        if size > _MAX_SOURCE_BYTES or count > _MAX_SOURCE_FILES:
            return False
    return True


def _read_source(place: Path) -> bytes:
    if not place.is_dir():
        return place.read_bytes()
    with tempfile.TemporaryDirectory() as temporary:
        archive = Path(temporary) / "project.zip"
        write_archive(archive, {place.name: place}, left_out={".pyc"})
        return archive.read_bytes()


def add_source(lines: list[str], source: Source) -> list[str]:
    """Return the lines of a recording with the file of its behaviour in the first one."""
    return [json.dumps({**json.loads(lines[0]), "file": source}), *lines[1:]]


class PageRecording:
    """The recording of one robot; without a source, others drive the robot.

    `note` keeps an event; any thread may call `lines`.
    """

    def __init__(self, robot: RobotClient, source: Source | None) -> None:
        self._robot, self._source = robot, source
        self._events: deque[str] = deque()
        self._characters = 0

    def note(self, event: Event) -> None:
        """Keep an event, and drop the oldest ones if there are too many."""
        line = event_as_line(event)
        self._events.append(line)
        self._characters += len(line)
        while self._characters > _MAX_CHARACTERS:
            self._characters -= len(self._events.popleft())

    def lines(self) -> list[str]:
        """Return the acts so far; the events if others drive the robot, or it has ended. Blocks."""
        if self._source is not None:
            with contextlib.suppress(RuntimeError, TimeoutError):
                return add_source(self._robot.ask("recording").result(_ASK_TIMEOUT_S), self._source)
        return [write_json_line(make_watched_header()), *self._events]


@contextlib.contextmanager
def keep_recording(recording: PageRecording | None, path: str) -> Iterator[None]:
    """Write a recording to a file at the end, also after an error; "" for no file. Raises WrongUse."""
    folder = os.path.dirname(os.path.abspath(path))
    if path and (os.path.isdir(path) or not os.path.isdir(folder) or not os.access(folder, os.W_OK)):
        raise WrongUse(f"cannot write {path}: it is a folder, or its folder cannot be written to")
    try:
        yield
    finally:
        if path and recording is not None:
            write_recording(path, recording.lines())


def read_acts(path: str, behaviour: str = "") -> list[str]:
    """Return the lines of a recording for a page; raises NotARecording.

    `behaviour` is the path of its behaviour, "" if the recording has it.
    """
    header, acts = load_recording(path)
    lines = [json.dumps(row) for row in (header, *acts)]
    return add_source(lines, describe_source(behaviour, header["options"].get("behaviour", ""))) if behaviour else lines
