"""The rules a flow must keep to become a behaviour; each finding is a sentence that says what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .model import ROOT, Box, End, Flow, FlowLink, Parameter, port_names

LONGEST_NAME = 60
#: Ports of the root box that may emit into the diagram, and the one that may receive.
ROOT_EMITTERS = ("onStart", "onStop")
ROOT_RECEIVERS = ("onStopped",)
SCRIPT_NAME = re.compile(r"[a-z][a-z0-9_]*\.py")
FOLDER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def flow_findings(flow: Flow) -> list[str]:
    """Everything wrong with a flow, in the order of the boxes, then of the links; empty when it may be built."""
    found = [*_behaviour_findings(flow)]
    for box in flow.boxes:
        found += _box_findings(box)
    found += _twice((box.name for box in flow.boxes), "two boxes are named {0}; rename one of them.")
    links = [finding for link in flow.links for finding in _link_findings(flow, link)]
    found += links
    found += _twice((f"[{link}]" for link in flow.links), "the link {0} stands there twice; remove one of them.")
    return found if found else [*_reach_findings(flow)]


def _behaviour_findings(flow: Flow) -> Iterator[str]:
    if not FOLDER_NAME.fullmatch(flow.behaviour):
        yield f'the behaviour is named "{flow.behaviour}"; a folder name of letters, digits and _ is needed.'
    if flow.preamble is not None and not SCRIPT_NAME.fullmatch(flow.preamble):
        yield f'the preamble is named "{flow.preamble}"; name a file of robot_boxes such as "preamble.py".'
    if not flow.boxes:
        yield "there are no boxes; add at least one."


def _box_findings(box: Box) -> Iterator[str]:
    if not box.name.strip() or len(box.name) > LONGEST_NAME or "\n" in box.name or box.name == ROOT:
        yield f'a box is named "{box.name}"; use a name of 1 to {LONGEST_NAME} characters other than "{ROOT}".'
    if not SCRIPT_NAME.fullmatch(box.script):
        yield f'box "{box.name}" has the script "{box.script}"; name a file of robot_boxes such as "say_score.py".'
    names = port_names(box)
    for name in names:
        if not name.strip() or "." in name or len(name) > LONGEST_NAME or name == "onLoad":
            yield f'box "{box.name}" has a port or parameter "{name}"; use a name without dots other than "onLoad".'
    yield from _twice(names, f'box "{box.name}" has two ports or parameters {{0}}; rename one of them.')
    for parameter in box.parameters:
        yield from _parameter_findings(box, parameter)


#: What each parameter type holds, for people, and the Python types that do.
HOLDS: dict[str, tuple[str, tuple[type, ...]]] = {
    "bool": ("true or false", (bool,)),
    "int": ("a whole number", (int,)),
    "double": ("a number", (int, float)),
    "string": ("a text", (str,)),
}


def _parameter_findings(box: Box, parameter: Parameter) -> Iterator[str]:
    where = f'parameter "{parameter.name}" of box "{box.name}"'
    wanted, types = HOLDS[parameter.type]
    value = parameter.value
    if not isinstance(value, types) or (isinstance(value, bool) and parameter.type != "bool"):
        yield f"{where} is {value!r}; write {wanted}."
        return
    low, high = parameter.minimum, parameter.maximum
    if parameter.type in ("int", "double"):
        if low is None or high is None or low > high:
            yield f'{where} lacks a range; write "min" and "max".'
        elif not isinstance(value, str) and not low <= value <= high:
            yield f"{where} is {value!r}; choose a value from {low} to {high}."
    elif low is not None or high is not None:
        yield f'{where} is {parameter.type}; remove its "min" and "max".'
    if parameter.choices and parameter.type != "string":
        yield f'{where} is {parameter.type}; only a string can have "choices".'
    elif parameter.choices and not parameter.custom and value not in parameter.choices:
        yield f"{where} is {value!r}; choose one of {', '.join(parameter.choices)}."


def _link_findings(flow: Flow, link: FlowLink) -> Iterator[str]:
    for end, wanted in ((link.emitter, "output"), (link.receiver, "input or parameter")):
        finding = _end_finding(flow, end, wanted)
        if finding:
            yield f"the link {link} {finding}"


def _end_finding(flow: Flow, end: End, wanted: str) -> str | None:
    if end.box == ROOT:
        ports: tuple[str, ...] = ROOT_EMITTERS if wanted == "output" else ROOT_RECEIVERS
        title = "the root box"
    else:
        matches = [box for box in flow.boxes if box.name == end.box]
        if not matches:
            return f'names the box "{end.box}", which does not exist; correct the name or add the box.'
        box = matches[0]
        outputs = [port.name for port in box.outputs]
        ports = tuple(outputs if wanted == "output" else (name for name in port_names(box) if name not in outputs))
        title = f'box "{box.name}"'
    if end.port in ports:
        return None
    return f'names "{end.port}", but {title} has no such {wanted}; choose from: {", ".join(ports) or "nothing"}.'


def _reach_findings(flow: Flow) -> Iterator[str]:
    reached = reached_boxes(flow)
    for box in flow.boxes:
        if box.name not in reached:
            yield f'box "{box.name}" is never started; link an output of a box that runs to it, or remove it.'
    ends = [link for link in flow.links if link.receiver.box == ROOT]
    if not any(link.emitter.box in reached for link in ends):
        yield 'nothing reaches "root.onStopped", so the behaviour would never end; link a last box to it.'


def reached_boxes(flow: Flow) -> set[str]:
    """Return the names of the boxes that a signal from root.onStart can reach."""
    parameters = {(box.name, parameter.name) for box in flow.boxes for parameter in box.parameters}
    starts: dict[str, list[str]] = {}
    for link in flow.links:
        if tuple(link.receiver) not in parameters and link.emitter != End(ROOT, "onStop"):
            starts.setdefault(link.emitter.box, []).append(link.receiver.box)
    reached: set[str] = set()
    waiting = [ROOT]
    while waiting:
        for name in starts.get(waiting.pop(), ()):
            if name not in reached and name != ROOT:
                reached.add(name)
                waiting.append(name)
    return reached


def _twice(names: Iterator[str] | list[str], sentence: str) -> Iterator[str]:
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        if seen[name] == 2:
            yield sentence.format(name if name.startswith("[") else f'"{name}"')
