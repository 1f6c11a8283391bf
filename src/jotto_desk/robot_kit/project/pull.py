"""Taking what was done in Choregraphe back into flow.json and the box scripts: all of it, or nothing with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from jotto_desk.files import write_whole

from ..errors import PullRefused
from ..flow.json_text import flow_text
from ..flow.model import Box, Flow, FlowLink
from ..flow.rules import flow_findings
from .box_script import script_findings, tidy, without_preamble
from .choregraphe_reader import SavedDiagram
from .sources import BOXES, FLOW, Sources


@dataclass(frozen=True)
class Edited:
    """A text found in a box: which box, and its script or preamble there."""

    box: str
    text: str


def pulled(sources: Sources, drawing: SavedDiagram) -> dict[str, str | None]:
    """Place in the checkout -> new text (None: the file goes) of every source that the drawing changes."""
    _refuse_twins(drawing)
    preambles, bodies = _taken_apart(sources.flow.preamble, drawing)
    preamble = _settled(sources.flow.preamble or "", sources.preamble, preambles)
    scripts = _settled_scripts(sources, bodies)
    files = _script_files(sources.flow, scripts, bodies)
    flow = _new_flow(sources.flow, drawing, files)
    scripts = {name: scripts[name] for name in flow.scripts()}
    named = {flow.preamble: preamble} if flow.preamble is not None else {}
    findings = flow_findings(flow) + script_findings(scripts | named)
    if findings:
        raise PullRefused("what was drawn cannot be built, so nothing was taken:", findings)
    return _changes(sources, flow, scripts | named)


def _changes(sources: Sources, flow: Flow, texts: Mapping[str, str]) -> dict[str, str | None]:
    before = dict(sources.scripts)
    if sources.flow.preamble is not None:
        before[sources.flow.preamble] = sources.preamble
    changes: dict[str, str | None] = {} if flow == sources.flow else {FLOW: flow_text(flow)}
    for name in sorted({*before, *texts}):
        if before.get(name) != texts.get(name):
            changes[f"{BOXES}/{name}"] = texts.get(name)
    return changes


def _refuse_twins(drawing: SavedDiagram) -> None:
    names = [drawn.box.name for drawn in drawing.boxes]
    for name in names:
        if names.count(name) > 1:
            raise PullRefused(f'two boxes are named "{name}"; rename one of them in Choregraphe.')


def _taken_apart(name: str | None, drawing: SavedDiagram) -> tuple[list[Edited], dict[str, str]]:
    preambles, bodies = [], {}
    for drawn in drawing.boxes:
        preamble, bodies[drawn.box.name] = without_preamble(drawn.content, name, drawn.box.name)
        if preamble is not None:
            preambles.append(Edited(drawn.box.name, preamble))
    return preambles, bodies


def _settled(file: str, before: str, found: Iterable[Edited]) -> str:
    """Return the one new text of a script used by several boxes; the old one where none of them was edited."""
    edits: dict[str, str] = {}
    for edited in found:
        if edited.text != tidy(before):
            edits.setdefault(edited.text, edited.box)
    if len(edits) > 1:
        first, second = list(edits.values())[:2]
        raise PullRefused(f'boxes "{first}" and "{second}" share {file} and were edited differently; make them alike.')
    return next(iter(edits), before)


def _settled_scripts(sources: Sources, bodies: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, list[Edited]] = {name: [] for name in sources.scripts}
    for box in sources.flow.boxes:
        if box.name in bodies:
            found[box.script].append(Edited(box.name, bodies[box.name]))
    return {name: _settled(name, text, found[name]) for name, text in sources.scripts.items()}


def _script_files(flow: Flow, scripts: dict[str, str], bodies: Mapping[str, str]) -> dict[str, str]:
    """Script file per drawn box: the known one, one with the same text, or a new one, which is added to `scripts`."""
    files = {box.name: box.script for box in flow.boxes}
    # A renamed box looks like a new one beside a gone one: its file is looked for first.
    gone = [box.script for box in flow.boxes if box.name not in bodies]
    for name, body in bodies.items():
        if name in files:
            continue
        if not body:
            raise PullRefused(f'the new box "{name}" has no script; write one in Choregraphe.')
        same = [file for file in (*gone, *scripts) if tidy(scripts[file]) == body]
        files[name] = same[0] if same else _free_name(name, {*scripts, flow.preamble or ""})
        scripts.setdefault(files[name], body)
    return files


def _free_name(box: str, taken: set[str]) -> str:
    stem = re.sub(r"[^a-z0-9]+", "_", box.lower()).strip("_")[:40]
    stem = stem if stem[:1].isalpha() else f"box_{stem}".rstrip("_")
    names = [f"{stem}.py", *(f"{stem}_{number}.py" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _new_flow(before: Flow, drawing: SavedDiagram, files: Mapping[str, str]) -> Flow:
    """Put boxes and links back into the order they had, a renamed box in its old place, new ones last."""
    drawn = {item.box.name: item for item in drawing.boxes}
    boxes = {name: replace(item.box, script=files[name]) for name, item in drawn.items()}
    known = {box.name: box for box in before.boxes}
    fresh = sorted((box for name, box in boxes.items() if name not in known), key=lambda box: drawn[box.name].number)
    order: list[Box] = []
    for old in before.boxes:
        renamed = [box for box in fresh if (box.script, box.x, box.y) == (old.script, old.x, old.y)]
        if old.name in boxes:
            order.append(old if boxes[old.name] == old else boxes[old.name])
        elif renamed:
            order.append(renamed[0])
            fresh.remove(renamed[0])
    return replace(before, boxes=(*order, *fresh), links=_ordered_links(before, drawing.links))


def _ordered_links(before: Flow, drawn: Iterable[FlowLink]) -> tuple[FlowLink, ...]:
    # A wire drawn twice looks like one in Choregraphe, and is taken as one.
    drawn = dict.fromkeys(drawn)
    return (*(link for link in before.links if link in drawn), *(link for link in drawn if link not in before.links))


def write_changes(root: Path, changes: Mapping[str, str | None]) -> None:
    """Write and remove the files; where one fails, those before it get their old content back."""
    old = {place: (root / place).read_bytes() if (root / place).is_file() else None for place in changes}
    done: list[str] = []
    try:
        for place, text in changes.items():
            _put(root / place, None if text is None else text.encode("utf-8"))
            done.append(place)
    except BaseException:
        for place in done:
            _put(root / place, old[place])
        raise


def _put(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
    else:
        write_whole(path, content)
