"""Take edits made in Choregraphe back into flow.json and the box scripts: all of them, or none with a reason."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Protocol

from jotto_desk.files import write_whole
from jotto_desk.robot_kit.flow import (
    FARTHEST,
    INPUT_NATURES,
    LARGEST,
    LONGEST_TEXT,
    MOST_ITEMS,
    ON_LOAD,
    OUTPUT_NATURES,
    PARAMETER_TYPES,
    PORT_TYPES,
    ROOT,
    ROOT_PORTS,
    Box,
    End,
    Flow,
    FlowLink,
    Parameter,
    Port,
    PullRefused,
    Value,
    check_flow,
    format_flow,
    parse_flow,
)
from jotto_desk.robot_kit.sources import BOXES, FLOW, Sources, check_scripts, split_preamble, tidy

# Reading the diagram that Choregraphe saved, from a parsed tree of elements with any order of attributes.


class _SavedElement(Protocol):
    """An XML element; the robot kit does not import the simulator, which has the class."""

    @property
    def attributes(self) -> Mapping[str, str]: ...

    @property
    def text(self) -> str: ...

    def all(self, tag: str) -> Sequence[_SavedElement]: ...

    def first(self, tag: str) -> _SavedElement | None: ...


@dataclass(frozen=True)
class _SavedBox:
    """A box of the diagram: its flow value without a script file, and the script's text with the preamble."""

    box: Box
    number: int
    content: str


@dataclass(frozen=True)
class SavedDiagram:
    """The diagram that Choregraphe saved."""

    boxes: tuple[_SavedBox, ...]
    links: tuple[FlowLink, ...]


def parse_saved_diagram(project: _SavedElement) -> SavedDiagram:
    """Read the root diagram of a project; raises `PullRefused`, which names a box that a flow cannot contain."""
    root = project.first("Box")
    if root is None:
        raise PullRefused("the xar has no root box; save the project again in Choregraphe.")
    if _parse_ports(root) != {number: name for name, number in ROOT_PORTS.items()}:
        raise PullRefused("the ports of the root box were changed; it can have only onStart, onStop and onStopped.")
    diagrams = list(_find_diagrams(root))
    if len(diagrams) != 1:
        raise PullRefused(f"the root box has {len(diagrams)} diagrams; keep one, without a timeline.")
    elements = _list_few(diagrams[0].all("Box"), "boxes")
    boxes = tuple(map(_parse_box, elements))
    names = {"0": (ROOT, _parse_ports(root))}
    for element, drawn in zip(elements, boxes, strict=True):
        names[str(drawn.number)] = (drawn.box.name, _parse_ports(element))
    return SavedDiagram(boxes, tuple(_parse_link(link, names) for link in _list_few(diagrams[0].all("Link"), "links")))


def _find_diagrams(box: _SavedElement) -> Iterator[_SavedElement]:
    for timeline in box.all("Timeline"):
        if timeline.attributes.get("enable", "0") != "0":
            raise PullRefused(f'box "{_name(box)}" is a timeline; the kit builds only script boxes, so remove it.')
        for layer in timeline.all("BehaviorLayer"):
            for keyframe in layer.all("BehaviorKeyframe"):
                yield from keyframe.all("Diagram")


def _list_few(elements: Sequence[_SavedElement], what: str) -> Sequence[_SavedElement]:
    if len(elements) > MOST_ITEMS:
        raise PullRefused(f"the diagram has {len(elements)} {what}; keep at most {MOST_ITEMS}.")
    return elements


def _name(element: _SavedElement) -> str:
    return element.attributes.get("name", "")


def _parse_ports(element: _SavedElement) -> dict[int, str]:
    where = f'box "{_name(element)}"'
    ports = [port for tag in ("Input", "Output", "Parameter") for port in element.all(tag)]
    return {_parse_whole(port, "id", where): _name(port) for port in ports}


def _parse_box(element: _SavedElement) -> _SavedBox:
    name, where = _name(element), f'box "{_name(element)}"'
    if element.attributes.get("plugin"):
        raise PullRefused(f"{where} is made by the editor {element.attributes['plugin']}; use a Python script box.")
    if element.first("dialogFile") is not None:
        raise PullRefused(f"{where} is a dialogue box; the kit builds only script boxes, so remove it.")
    if any(diagram.all("Box") or diagram.all("Link") for diagram in _find_diagrams(element)):
        raise PullRefused(f"{where} contains its own diagram; move its boxes to the root diagram.")
    own_inputs = [port for port in element.all("Input") if port.attributes.get("id") != str(ON_LOAD)]
    box = Box(
        name=name,
        script="",
        tooltip=_parse_tooltip(element, where),
        x=_parse_whole(element, "x", where),
        y=_parse_whole(element, "y", where),
        inputs=tuple(_parse_port(port, f"an input of {where}", INPUT_NATURES) for port in own_inputs),
        outputs=tuple(_parse_port(port, f"an output of {where}", OUTPUT_NATURES) for port in element.all("Output")),
        parameters=tuple(_parse_parameter(item, where) for item in element.all("Parameter")),
        resources=tuple(_parse_resource(item, where) for item in element.all("Resource")),
    )
    script = element.first("script")
    content = None if script is None else script.first("content")
    return _SavedBox(box, _parse_whole(element, "id", where), "" if content is None else content.text)


def _parse_port(element: _SavedElement, where: str, natures: Mapping[str, int]) -> Port:
    name = _name(element)
    if element.attributes.get("type_size", "1") != "1":
        raise PullRefused(f'{where}, "{name}", is an array; the kit can build only single values.')
    kind = _find_name(element, "type", PORT_TYPES, f'{where}, "{name}",')
    nature = _find_name(element, "nature", natures, f'{where}, "{name}",')
    return Port(name, kind, nature, _parse_tooltip(element, where))


def _parse_parameter(element: _SavedElement, box: str) -> Parameter:
    where = f'parameter "{_name(element)}" of {box}'
    kind = _find_name(element, "content_type", PARAMETER_TYPES, where)
    limits = [element.attributes.get(key) for key in ("min", "max")]
    low, high = (None if limit is None else _parse_number(kind, limit, where) for limit in limits)
    return Parameter(
        name=_name(element),
        type=kind,
        value=_parse_value(kind, element.attributes.get("value", ""), where),
        tooltip=_parse_tooltip(element, where),
        minimum=low,
        maximum=high,
        choices=tuple(choice.attributes.get("value", "") for choice in element.all("Choice")),
        custom=element.attributes.get("custom_choice", "0") == "1",
        inherits=element.attributes.get("inherits_from_parent", "0") == "1",
    )


def _parse_resource(element: _SavedElement, where: str) -> str:
    if (element.attributes.get("type"), element.attributes.get("timeout")) != ("Lock", "0"):
        raise PullRefused(f'{where} takes the resource "{_name(element)}" in its own way; make it a Lock, timeout 0.')
    return _name(element)


def _parse_link(element: _SavedElement, names: Mapping[str, tuple[str, Mapping[int, str]]]) -> FlowLink:
    ends = []
    for owner, port in (("outputowner", "indexofoutput"), ("inputowner", "indexofinput")):
        box, ports = names.get(element.attributes.get(owner, ""), ("", {}))
        number = _parse_whole(element, port, "a link")
        if number not in ports:
            raise PullRefused(f'a link ends at port {number} of box "{box}", which does not exist; draw it again.')
        ends.append(End(box, ports[number]))
    return FlowLink(*ends)


def _find_name(element: _SavedElement, key: str, names: Mapping[str, int], where: str) -> str:
    number = element.attributes.get(key, "")
    for name, known in names.items():
        if number == str(known):
            return name
    raise PullRefused(f'{where} has {key} "{number}", which the kit cannot build; choose one of: {", ".join(names)}.')


def _parse_value(kind: str, text: str, where: str) -> Value:
    if kind == "string":
        return _shorten(text, where)
    return text == "1" if kind == "bool" else _parse_number(kind, text, where)


def _parse_number(kind: str, text: str, where: str) -> float:
    try:
        number = float(text) if kind == "double" else int(text)
    except ValueError:
        number = float("nan")
    if not abs(number) <= LARGEST:
        raise PullRefused(f'{where} has "{text[:40]}" instead of a number; correct it in Choregraphe.')
    return number


def _parse_whole(element: _SavedElement, key: str, where: str) -> int:
    number = _parse_number("int", element.attributes.get(key, ""), f"{key} of {where}")
    if abs(number) > FARTHEST:
        raise PullRefused(f"{key} of {where} is {number}; keep it between -{FARTHEST} and {FARTHEST}.")
    return int(number)


def _parse_tooltip(element: _SavedElement, where: str) -> str:
    return _shorten(element.attributes.get("tooltip", ""), f"the tooltip of {where}")


def _shorten(text: str, where: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise PullRefused(f"{where} has {len(text)} characters; keep it at {LONGEST_TEXT} or fewer.")
    return text


# Computing the changes of the sources.


#: A box and its script or preamble.
_Edited = tuple[str, str]


def find_changes(sources: Sources, drawing: SavedDiagram) -> dict[str, str | None]:
    """Return the new text (None: remove the file) of each changed source by its place in the checkout.

    Raises `PullRefused` if the sources cannot contain the drawing.
    """
    _refuse_twins(drawing)
    preambles, bodies = _split_preambles(sources.flow.preamble, drawing)
    preamble = _settle_script(sources.flow.preamble or "", sources.preamble, preambles)
    scripts = _settle_scripts(sources, bodies)
    files = _choose_script_files(sources.flow, scripts, bodies)
    flow = _make_flow(sources.flow, drawing, files)
    scripts = {name: scripts[name] for name in flow.list_scripts()}
    named = {flow.preamble: preamble} if flow.preamble is not None else {}
    findings = check_flow(flow) + check_scripts(scripts | named)
    if findings:
        raise PullRefused("the drawing cannot be built, so nothing was changed:", findings)
    return _describe_field_changes(sources, flow, scripts | named)


def _describe_field_changes(sources: Sources, flow: Flow, texts: Mapping[str, str]) -> dict[str, str | None]:
    before = dict(sources.scripts)
    if sources.flow.preamble is not None:
        before[sources.flow.preamble] = sources.preamble
    changes: dict[str, str | None] = {} if flow == sources.flow else {FLOW: format_flow(flow)}
    for name in sorted({*before, *texts}):
        if before.get(name) != texts.get(name):
            changes[f"{BOXES}/{name}"] = texts.get(name)
    return changes


def _refuse_twins(drawing: SavedDiagram) -> None:
    names = [drawn.box.name for drawn in drawing.boxes]
    for name in names:
        if names.count(name) > 1:
            raise PullRefused(f'two boxes are named "{name}"; rename one of them in Choregraphe.')


def _split_preambles(name: str | None, drawing: SavedDiagram) -> tuple[list[_Edited], dict[str, str]]:
    preambles, bodies = [], {}
    for drawn in drawing.boxes:
        preamble, bodies[drawn.box.name] = split_preamble(drawn.content, name, drawn.box.name)
        if preamble is not None:
            preambles.append((drawn.box.name, preamble))
    return preambles, bodies


def _settle_script(file: str, before: str, found: Iterable[_Edited]) -> str:
    """Return the new text of a script that several boxes use; the old text if the boxes were not edited."""
    edits: dict[str, str] = {}
    for box, text in found:
        if text != tidy(before):
            edits.setdefault(text, box)
    if len(edits) > 1:
        first, second = list(edits.values())[:2]
        raise PullRefused(f'boxes "{first}" and "{second}" share {file} and were edited differently; make them alike.')
    return next(iter(edits), before)


def _settle_scripts(sources: Sources, bodies: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, list[_Edited]] = {name: [] for name in sources.scripts}
    for box in sources.flow.boxes:
        if box.name in bodies:
            found[box.script].append((box.name, bodies[box.name]))
    return {name: _settle_script(name, text, found[name]) for name, text in sources.scripts.items()}


def _choose_script_files(flow: Flow, scripts: dict[str, str], bodies: Mapping[str, str]) -> dict[str, str]:
    """Return the script file of each box: the known one, one with the same text, or a new one, added to `scripts`."""
    files = {box.name: box.script for box in flow.boxes}
    # A renamed box looks like a removed one and a new one: the files of removed boxes are compared first.
    gone = [box.script for box in flow.boxes if box.name not in bodies]
    for name, body in bodies.items():
        if name in files:
            continue
        if not body:
            raise PullRefused(f'the new box "{name}" has no script; write one in Choregraphe.')
        same = [file for file in (*gone, *scripts) if tidy(scripts[file]) == body]
        files[name] = same[0] if same else _choose_free_name(name, {*scripts, flow.preamble or ""})
        scripts.setdefault(files[name], body)
    return files


def _choose_free_name(box: str, taken: set[str]) -> str:
    stem = re.sub(r"[^a-z0-9]+", "_", box.lower()).strip("_")[:40]
    stem = stem if stem[:1].isalpha() else f"box_{stem}".rstrip("_")
    names = [f"{stem}.py", *(f"{stem}_{number}.py" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _make_flow(before: Flow, drawing: SavedDiagram, files: Mapping[str, str]) -> Flow:
    """Return the flow with its boxes and links in the old order, a renamed box in its old place, new ones last."""
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
    return replace(before, boxes=(*order, *fresh), links=_order_links(before, drawing.links))


def _order_links(before: Flow, drawn: Iterable[FlowLink]) -> tuple[FlowLink, ...]:
    # Two equal links look like one in Choregraphe.
    drawn = dict.fromkeys(drawn)
    return (*(link for link in before.links if link in drawn), *(link for link in drawn if link not in before.links))


def write_changes(root: Path, changes: Mapping[str, str | None]) -> None:
    """Write and remove files; if one fails, restore the files before it."""
    old = {place: (root / place).read_bytes() if (root / place).is_file() else None for place in changes}
    done: list[str] = []
    try:
        for place, text in changes.items():
            _write_or_remove(root / place, None if text is None else text.encode("utf-8"))
            done.append(place)
    except BaseException:
        for place in done:
            _write_or_remove(root / place, old[place])
        raise


def _write_or_remove(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
    else:
        write_whole(path, content)


# Describing the changes.


def pull_report(sources: Sources, changes: Mapping[str, str | None]) -> list[str]:
    """Return a sentence for each change of the flow and a diff for each changed script."""
    lines: list[str] = []
    for place, text in changes.items():
        name = place.removeprefix(f"{BOXES}/")
        before = sources.preamble if name == sources.flow.preamble else sources.scripts.get(name)
        if place == FLOW and text is not None:
            lines += _describe_flow_changes(sources.flow, parse_flow(text))
        elif text is None:
            lines.append(f"{place} goes, as no box uses it any more")
        elif before is None:
            lines.append(f"{place} is new")
        else:
            old, new = before.splitlines(), text.splitlines()
            lines += difflib.unified_diff(old, new, place, f"{place} as pulled", n=1, lineterm="")
    return lines


def _describe_flow_changes(before: Flow, after: Flow) -> Iterator[str]:
    old = {box.name: box for box in before.boxes}
    new = {box.name: box for box in after.boxes}
    yield from (f'box "{name}" is new' for name in new if name not in old)
    yield from (f'box "{name}" goes' for name in old if name not in new)
    for name, box in old.items():
        if name in new:
            yield from _describe_box_changes(box, new[name])
    yield from (f"link {link} is new" for link in after.links if link not in before.links)
    yield from (f"link {link} goes" for link in before.links if link not in after.links)


def _describe_box_changes(old: Box, new: Box) -> Iterator[str]:
    if (old.x, old.y) != (new.x, new.y):
        yield f'box "{old.name}" moves from {old.x}, {old.y} to {new.x}, {new.y}'
    for field in fields(Box):
        if field.name not in ("x", "y") and getattr(old, field.name) != getattr(new, field.name):
            yield f'box "{old.name}" has other {field.name}'
