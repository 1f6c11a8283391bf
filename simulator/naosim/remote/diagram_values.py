"""Diagrams of behaviours as plain values for a program that draws them: boxes, links and timelines, bounded.

A box is known by its address: the ids on the way to it from the root, which is "", joined by two underlines, such as
"3__1". Where a box has several keyframes, "k" and the keyframe's place among them follow the id: "3__1k2".
"""

from __future__ import absolute_import, division, print_function

import re
from collections import Counter

from naosim.compat import TEXTS, quoted, unicoded
from naosim.errors import WireError
from naosim.formats import xar
from naosim.lint.diagram import judge
from naosim.player.compiled import last_frame

MYPY = False
if MYPY:
    from typing import Any, Iterable, Mapping

#: Boxes and links of one diagram, ports on one side of a box, and keyframes of a timeline.
MOST_BOXES, MOST_LINKS, MOST_PORTS, MOST_KEYFRAMES = 300, 1000, 30, 60
#: Joints that a timeline moves, and keys of each.
MOST_CURVES, MOST_KEYS = 30, 200
#: Letters of a name, of a longer text and of a script.
LONGEST_NAME, LONGEST_TEXT, LONGEST_SCRIPT = 80, 1000, 20000
#: Parameters, resources and findings that are told of one box.
MOST_ROWS = 40

STEP = re.compile(r"([0-9]{1,10})(?:k([0-9]{1,9}))?\Z")
INPUT_NATURES = ("onLoad", "event", "onStart", "onStop", "memory")
OUTPUT_NATURES = {xar.STOPPED: "stopped", xar.PUNCTUAL: "punctual"}
PARAMETER_TYPES = ("bool", "int", "double", "string", "resource", "localized")


def steps(address):  # type: (str) -> list[tuple[int, int]]
    """Return the way to a box: at each step the place of a keyframe and a box's id; raises WireError.

    >>> steps("3__1k2"), steps("")
    ([(0, 3), (2, 1)], [])
    """
    found = []
    for part in address.split("__") if address else ():
        step = STEP.match(part)
        if step is None:
            raise WireError("%s is no address of a box" % quoted(address))
        found.append((int(step.group(2) or 0), int(step.group(1))))
    return found


def box_at(root, address):  # type: (xar.Box, str) -> tuple[xar.Box, list[list[Any]]]
    """Return the box with an address and the way to it, as [address, name, keyframe] each; raises WireError."""
    box, trail, so_far = root, [["", name_of(root), 0]], ""
    for keyframe, number in steps(address):
        inside = xar.diagrams(box)
        children = inside[keyframe].boxes if keyframe < len(inside) else ()
        child = next((each for each in children if each.id == number), None)
        if child is None:
            raise WireError("the behaviour has no box at %s" % quoted(address))
        trail[-1][2] = keyframe
        so_far = inner(so_far, number, keyframe)
        trail.append([so_far, name_of(child), 0])
        box = child
    return box, trail


def inner(address, number, keyframe):  # type: (str, int, int) -> str
    """Return the address of a box inside the box with this address.

    >>> inner("", 3, 0), inner("3", 1, 2)
    ('3', '3__1k2')
    """
    own = "%dk%d" % (number, keyframe) if keyframe else str(number)
    return "%s__%s" % (address, own) if address else own


def error_counts(paths, numbers):  # type: (Iterable[str], dict[str, int]) -> list[list[int]]
    """Count errors by the paths of the boxes that made them, as [number, count] each, for the boxes of a diagram.

    `numbers` has the numbers of these boxes by their paths, 0 for the box around them. An error inside a box counts for
    that box; one in another diagram of the box around them counts for none.

    >>> error_counts(["A/B", "A/B/C", "A", "A/D"], {"A": 0, "A/B": 3})
    [[0, 1], [3, 2]]
    """
    counts = {}  # type: dict[int, int]
    for first in paths:
        path = first
        while path and path not in numbers:
            path = path.rpartition("/")[0]
        if path in numbers and (numbers[path] or path == first):
            counts[numbers[path]] = counts.get(numbers[path], 0) + 1
    return sorted([number, count] for number, count in counts.items())


def diagram(project, address, place):  # type: (xar.Project, str, int) -> dict[str, Any]
    """Describe what is drawn of one box: its content at the keyframe of this place, and its timeline."""
    box, trail = box_at(project.root, address)
    inside = xar.diagrams(box)
    place = max(0, min(place, len(inside) - 1))
    trail[-1][2] = place
    children, links = (inside[place].boxes, inside[place].links) if inside else ((), ())
    findings = _errors(project)
    shown = children[:MOST_BOXES]
    known = {child.id for child in shown} | {0}
    drawn = [link for link in links if link.emitter in known and link.receiver in known]
    return {
        "address": address,
        "trail": trail,
        "owner": box_values(box, address, findings),
        "place": place,
        "boxes": [box_values(child, inner(address, child.id, place), findings) for child in shown],
        "links": [[link.emitter, link.output, link.receiver, link.input] for link in drawn[:MOST_LINKS]],
        "left_out": [len(children) - len(shown), len(links) - len(drawn[:MOST_LINKS])],
        "keyframes": keyframes(box)[:MOST_KEYFRAMES],
        "timeline": timeline(box),
    }


def box_values(box, address, findings):  # type: (xar.Box, str, Mapping[str, int]) -> dict[str, Any]
    """Describe a box as it is drawn: place, name, kind and ports."""
    return {
        "id": box.id,
        "address": address,
        "name": name_of(box),
        "x": box.x,
        "y": box.y,
        "kind": kind(box),
        "opens": _is_diagram(box) or bool(box.timeline is not None and box.timeline.curves),
        "tooltip": short(box.tooltip, LONGEST_TEXT),
        "inputs": [
            [port.id, short(port.name), port.type, _nature(INPUT_NATURES, port.nature)]
            for port in box.inputs[:MOST_PORTS]
        ],
        "outputs": [
            [port.id, short(port.name), port.type, OUTPUT_NATURES.get(port.nature, "")]
            for port in box.outputs[:MOST_PORTS]
        ],
        "parameters": [[each.id, short(each.name)] for each in box.parameters[:MOST_ROWS]],
        "findings": findings.get(box.path, 0),
    }


def details(project, address):  # type: (xar.Project, str) -> dict[str, Any]
    """Describe what a person asks of one box: script, parameters, resources, and what the lint says of it."""
    box, trail = box_at(project.root, address)
    told = [each for each in judge(project) if each.box == box.path and each.severity != "remark"]
    found = box_values(box, address, _errors(project))
    found.update(
        {
            "trail": trail,
            "path": short(box.path, LONGEST_TEXT),
            "plugin": short(box.plugin),
            "script": short(box.script, LONGEST_SCRIPT),
            "is_cut": len(box.script) > LONGEST_SCRIPT,
            "script_line": box.script_line,
            "dialog": short(box.dialog or "", LONGEST_TEXT),
            "parameters": [
                {
                    "name": short(each.name),
                    "type": PARAMETER_TYPES[each.type],
                    "inherits": each.inherits,
                    "value": value_of(each.value),
                    "default": value_of(each.default),
                }
                for each in box.parameters[:MOST_ROWS]
            ],
            "resources": [[short(each.name), short(each.type), each.timeout] for each in box.resources[:MOST_ROWS]],
            "lint": [[each.severity, each.rule, short(each.sentence, LONGEST_TEXT)] for each in told[:MOST_ROWS]],
        }
    )
    return found


def keyframes(box):  # type: (xar.Box) -> list[list[Any]]
    """List the keyframes of a box by their places: [frame, name, layer, boxes]."""
    layers = box.timeline.layers if box.timeline is not None else ()
    return [
        [keyframe.index, short(keyframe.name), number, len(keyframe.diagram.boxes)]
        for number, layer in enumerate(layers)
        for keyframe in layer.keyframes
    ]


def timeline(box):  # type: (xar.Box) -> dict[str, Any] | None
    """Describe the timeline of a box, None when it has none that runs."""
    model = box.timeline
    if model is None or not model.enabled:
        return None
    curves = [curve for curve in model.curves if curve.keys]
    return {
        "fps": model.fps,
        "start": model.start,
        "end": last_frame(model),
        "layers": [short(layer.name) for layer in model.layers[:MOST_KEYFRAMES]],
        "curves": [
            [short(curve.actuator), bool(curve.mute), [frame for frame, _ in curve.keys[:MOST_KEYS]]]
            for curve in curves[:MOST_CURVES]
        ],
        "left_out": max(0, len(curves) - MOST_CURVES),
    }


def kind(box):  # type: (xar.Box) -> str
    """Return what a box is: "dialog", "timeline", "diagram", "script", or "empty".

    A script that comes with a diagram or timeline is part of it.
    """
    if box.dialog is not None:
        return "dialog"
    if box.timeline is not None and box.timeline.enabled:
        return "timeline"
    if _is_diagram(box):
        return "diagram"
    return "script" if box.script else "empty"


def _is_diagram(box):  # type: (xar.Box) -> bool
    return any(each.boxes for each in xar.diagrams(box))


def short(text, longest=LONGEST_NAME):  # type: (Any, int) -> Any
    """Return the beginning of a text."""
    return unicoded(text)[:longest]


def name_of(box):  # type: (xar.Box) -> Any
    """Return the name of a box, the beginning of a long one."""
    return short(box.name)


def value_of(value):  # type: (Any) -> Any
    """Return a parameter's value: a number as it is, of a text the beginning."""
    return short(value, LONGEST_TEXT) if isinstance(value, TEXTS) else value


def _errors(project):  # type: (xar.Project) -> Mapping[str, int]
    """Count the errors that the lint finds in each box, by its path."""
    return Counter(each.box for each in judge(project) if each.severity == "error")


def _nature(names, number):  # type: (tuple[str, ...], int) -> str
    return names[number] if 0 <= number < len(names) else ""
