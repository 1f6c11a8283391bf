"""The server of a worker for a stranger's file: it unpacks projects, runs their behaviours, and replays recordings.

Besides the requests of `naosim_page.posted`:

* {"do": "unpack", "file": ...} returns the behaviours of a file, each as [name, file, behaviour, robot type] for "load"
  and "open". A behaviour is for a Pepper if it moves joints that only Pepper has. The file is a behaviour, a `.pkg`, or
  a zip archive with one or more projects.
* {"do": "replay", "file": ..., "behaviour": ..., "lines": [...]} repeats a recording on a robot of virtual time and
  returns its moments (see `replays`); that robot then answers requests that look, until "close".
"""

import os
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from naosim.errors import NaosimError, NotABehaviour
from naosim.formats import unpack_archive
from naosim.packages import BEHAVIOUR_FILE, MANIFEST_NAME, read_package
from naosim.remote import error_sentence, read_field, read_text_field
from naosim_page.posted import PostedServer
from naosim_page.replays import Replay

#: Files of one archive, and bytes when they are unpacked: a page has little memory.
_MAX_FILES, _MAX_BYTES = 2000, 64 * 1024 * 1024
#: Folders from the top of an archive downwards that are searched, folders in all, and behaviours that are offered.
_MAX_DEPTH, _MAX_FOLDERS, _MAX_OFFERS = 8, 2000, 200
#: A curve of a joint that only Pepper has.
_PEPPER_CURVE = re.compile(rb'actuator="(HipPitch|HipRoll|KneePitch)"')


class DroppedServer(PostedServer):
    """The server of a page for files that it is given."""

    _replay: Replay | None = None

    def _serve(self, request: dict[str, Any]) -> None:
        verb = request.get("do")
        if verb == "unpack":
            self._answer_by(request, lambda: list_behaviours(read_text_field(request, "file")))
        elif verb == "replay" and self._virtual is None:
            self._close_replay()
            self._answer_by(request, lambda: self._begin_replay(request))
        elif self._replay is None:
            PostedServer._serve(self, request)
        elif verb == "close":
            self._close_replay()
            self._answer(request)
        else:
            self._push(self._replay.answer(request))

    def _begin_replay(self, request: dict[str, Any]) -> dict[str, Any]:
        lines = [str(line) for line in read_field(request, "lines", (list,), [])]
        self._replay = Replay(read_text_field(request, "file"), read_text_field(request, "behaviour", ""), lines)
        return self._replay.told

    def _close_replay(self) -> None:
        replay, self._replay = self._replay, None
        if replay is not None:
            replay.close()

    def _answer_by(self, request: dict[str, Any], call: Callable[[], Any]) -> None:
        try:
            self._answer(request, call())
        except (NaosimError, OSError, RuntimeError, TypeError, ValueError) as error:
            self._answer(request, error=error_sentence(error))


def make_server(post: Callable[[str], object]) -> DroppedServer:
    """Return the server of a page for files that it is given."""
    return DroppedServer(post)


def list_behaviours(path: str) -> list[list[str]]:
    """Return the behaviours of a file as [name, file, behaviour, robot type]; raises NotABehaviour for a bad archive.

    An archive is unpacked next to the file.
    """
    name = os.path.basename(path)
    if not zipfile.is_zipfile(path):
        if name.lower().endswith((".zip", ".pkg")):
            raise NotABehaviour(f"{name} is not a zip archive")
        return [[name, path, "", _robot_type(path)]]
    try:
        unpacked = unpack_archive(path, tempfile.mkdtemp(dir=os.path.dirname(path)), _MAX_FILES, _MAX_BYTES)
    except NotABehaviour as error:
        raise NotABehaviour(str(error).replace(path, name)) from error
    found, refusal = [], f"{name} has no behaviour: no .xar file, no project file (.pml) and no manifest.xml"
    for project in _list_projects(unpacked):
        try:
            found += _offers(project, os.path.relpath(project, unpacked))
        except NotABehaviour as error:
            refusal = str(error).replace(unpacked, name)
    if not found:
        raise NotABehaviour(refusal)
    return found[:_MAX_OFFERS]


def _list_projects(top: str) -> Iterator[str]:
    """Yield project files, folders of packages, and single behaviours, from the top of a folder downwards."""
    waiting, seen = [(top, 0)], 0
    while waiting and seen < _MAX_FOLDERS:
        (folder, depth), seen = waiting.pop(0), seen + 1
        names = [name for name in sorted(os.listdir(folder)) if not name.startswith((".", "__MACOSX"))]
        projects = [name for name in names if name.lower().endswith(".pml")]
        if projects or MANIFEST_NAME in names:
            yield from (os.path.join(folder, name) for name in projects or [""])
            continue
        yield from (os.path.join(folder, name) for name in names if name.lower().endswith(".xar"))
        if depth < _MAX_DEPTH:
            paths = [os.path.join(folder, name) for name in names]
            waiting += [(path, depth + 1) for path in paths if os.path.isdir(path)]


def _offers(project: str, shown: str) -> list[list[str]]:
    package = read_package(project)
    if package is None:
        folder, _, last = shown.replace(os.sep, "/").rpartition("/")
        return [[folder if folder and last == BEHAVIOUR_FILE else last, project, "", _robot_type(project)]]
    return [
        [place.name if place.name != "." else package.uuid, project, place.name, _robot_type(place.file)]
        for place in package.behaviours
    ]


def _robot_type(path: str) -> str:
    """Return the robot type of a behaviour's file."""
    try:
        with open(path, "rb") as file:
            return "Pepper" if _PEPPER_CURVE.search(file.read(_MAX_BYTES)) else "Nao"
    except OSError:
        return "Nao"
