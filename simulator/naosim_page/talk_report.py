"""A report on talks as one HTML page, which shows each talk again: it needs no server and no network.

The page has the front end's own modules inside, by name in an import map, and what the robot did in each talk.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from naosim.errors import NaosimError
from naosim.formats import write_whole
from naosim.remote import unpack_value
from naosim_page.recording import Source, describe_source
from naosim_page.replays import Replay
from naosim_page.site import PAGE_LIBRARIES, STATIC, SiteError, find_page_libraries
from naosim_robots.talks.report import count, describe_name
from naosim_robots.talks.running import TalkOutcome

#: The module that the page begins with, and the styles.
_START, _STYLES = "report.js", ("style.css", "report.css")
_IMPORT = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\./[\w./-]+\.js)\2""")
#: Talks that are shown again, the failed ones first, and the characters of all of them: the page is read as a whole.
_MAX_REPLAYS, _MAX_CHARACTERS = 60, 24 * 1024 * 1024
#: What a moment of the report has; values of ALMemory and running boxes are in the recording.
_MOMENT_FIELDS = ("seconds", "events", "frame", "ears")


def write_page(path: Path, outcomes: Sequence[TalkOutcome]) -> None:
    """Write the report; raises WrongUse, or SiteError if the page's libraries cannot be found."""
    bodies: dict[str, Any] = {}
    shown = {id(each): told for each, told in _replay_all(outcomes, bodies)}
    by_source = {_name_source(each): each for each in outcomes if id(each) in shown}
    sources = {name: _describe_source(each) for name, each in by_source.items()}
    rows = [
        {
            "name": describe_name(each),
            "file": each.talk.place.file.name,
            "passed": each.difference is None,
            "sentence": str(each.difference or ""),
            "transcript": each.transcript,
            "seconds": each.seconds,
            "replay": shown.get(id(each)),
            "recording": each.recording if id(each) in shown else None,
            "source": _name_source(each),
        }
        for each in outcomes
    ]
    write_whole(
        str(path), _make_page(count(outcomes), {"talks": rows, "bodies": bodies, "sources": sources}).encode("utf-8")
    )


def _name_source(outcome: TalkOutcome) -> str:
    return f"{outcome.talk.setup.behaviour} {outcome.talk.setup.name}"


def _describe_source(outcome: TalkOutcome) -> Source:
    return describe_source(str(outcome.talk.setup.behaviour), outcome.talk.setup.name)


def _replay_all(
    outcomes: Sequence[TalkOutcome], bodies: dict[str, Any]
) -> Iterable[tuple[TalkOutcome, dict[str, Any]]]:
    """Yield outcomes with what their recordings show; note the bodies of the robots by type."""
    left, characters = _MAX_REPLAYS, _MAX_CHARACTERS
    for each in sorted(outcomes, key=lambda each: each.difference is None):
        if each.recording is None or left <= 0:
            continue
        try:
            replay = Replay(str(each.talk.setup.behaviour), each.talk.setup.name, each.recording)
        except NaosimError:
            continue
        try:
            kind = replay.robot.world.robot_type
            if kind not in bodies:
                bodies[kind] = unpack_value(replay.answer({"id": 0, "do": "figure"})["value"])
            told: dict[str, Any] = replay.told
        finally:
            replay.close()
        moments = [
            {**{name: moment[name] for name in _MOMENT_FIELDS if name in moment}, "memory": {}, "gone": []}
            for moment in told["moments"]
        ]
        found = {**told, "moments": moments, "body": kind}
        characters -= len(json.dumps(found))
        if characters < 0:
            return
        left -= 1
        yield each, found


def _make_page(title: str, content: dict[str, Any]) -> str:
    styles = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in _STYLES)
    imports = json.dumps({"imports": _list_modules()})
    start = f'import "{_START}";'
    hashes = " ".join(f"'sha256-{_hash(text)}'" for text in (imports, start))
    policy = f"default-src 'none'; script-src {hashes} data:; style-src 'sha256-{_hash(styles)}'; img-src data:"
    data = json.dumps(content).replace("<", "\\u003c")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Talks with NAO: {html.escape(title)}</title>
<style>{styles}</style>
<script type="importmap">{imports}</script>
<script type="application/json" id="content">{data}</script>
</head>
<body>
<main class="report"><h1>Talks with NAO</h1><p>{html.escape(title)}</p><div id="talks"></div></main>
<noscript>This page needs JavaScript.</noscript>
<script type="module">{start}</script>
</body>
</html>
"""


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _list_modules() -> dict[str, str]:
    """Return the addresses of the page's modules by name, with their sources inside; raises SiteError."""
    libraries = find_page_libraries()
    files = {
        f"lib/{name}/{Path(file).name}": libraries / name / file
        for name in PAGE_LIBRARIES
        for file in PAGE_LIBRARIES[name]
    }
    found: dict[str, str] = {}
    waiting = [_START]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        path = files.get(name, STATIC / name)
        if not path.is_file():
            raise SiteError(f"'{path}', which the report needs, is missing: install naosim again.")
        source = path.read_text(encoding="utf-8")
        folder = Path(name).parent
        waiting += [(folder / each[3]).as_posix() for each in _IMPORT.finditer(source)]
        source = _IMPORT.sub(partial(_write_import, folder), source)
        found[name] = f"data:text/javascript;base64,{base64.b64encode(source.encode('utf-8')).decode('ascii')}"
    return found


def _write_import(folder: Path, found: re.Match[str]) -> str:
    """Return an import by a module's name on the page: an address inside an address means nothing."""
    return f"{found[1]}{found[2]}{(folder / found[3]).as_posix()}{found[2]}"
