"""The lint of a behaviour: ids, ports and links first, then each script against the ports of its box, and dialogs."""

from __future__ import absolute_import, division, print_function

import os
from collections import namedtuple

from naosim.compat import quoted
from naosim.formats import xar
from naosim.lint import dialogs, script

MYPY = False
if MYPY:
    from typing import Any, Iterator

#: One finding: severity "error", "warning" or "remark", the name of the rule, the path of the box, and a sentence.
Finding = namedtuple("Finding", "severity rule box sentence")
ERROR, WARNING, REMARK = "error", "warning", "remark"

#: Rules whose errors keep a behaviour from being loaded.
STRUCTURE = ("ids", "ports", "link")


def judge(project):  # type: (xar.Project) -> list[Finding]
    """List all findings, in the order of the file; they are computed once per project."""
    if project.findings is None:
        found = list(_file(project)) + list(_root(project.root, project.kind))
        for box in project.boxes():
            found += _box(box)
            for number, diagram in enumerate(xar.diagrams(box)):
                found += _diagram(box, diagram, number)
            found += script.judge(box)
            if box.dialog is not None and project.path is not None:
                found += dialogs.judge(box, os.path.dirname(project.path))
        found += _ending(project.root)
        project.findings = [Finding(*row) for row in found]
    return list(project.findings)


def _file(project):  # type: (xar.Project) -> Iterator[tuple[str, str, str, str]]
    # As Choregraphe's converter does, which looks for the version in the first two lines together.
    lines = project.head.splitlines()
    if not lines or not lines[0].lstrip(b"\xef\xbb\xbf").startswith(b"<?xml"):
        yield ERROR, "head", "root", "Line 1 of the file is no XML declaration: Choregraphe's converter refuses it."
    elif b"xar_version" not in b"".join(lines[:2]):
        yield ERROR, "head", "root", "Lines 1 and 2 of the file lack xar_version: Choregraphe's converter refuses it."


def _root(root, kind):  # type: (xar.Box, str) -> Iterator[tuple[str, str, str, str]]
    if kind != "ChoregrapheProject":
        return
    if root.name != "root" or root.id != -1:
        yield (
            WARNING,
            "root",
            root.path,
            'The root box is called %s with id %d instead of "root" with -1.' % (quoted(root.name), root.id),
        )
    if not any(port.nature == xar.ON_START for port in root.inputs):
        yield ERROR, "root", root.path, "The root has no onStart input, so nothing can start the behaviour."
    if not any(port.nature == xar.STOPPED for port in root.outputs):
        yield ERROR, "root", root.path, "The root has no output of nature stopped, so the behaviour never ends."


def _box(box):  # type: (xar.Box) -> Iterator[tuple[str, str, str, str]]
    ports = box.inputs + box.outputs + box.parameters
    if [port.id for port in ports] != list(range(1, len(ports) + 1)):
        severity = ERROR if len({port.id for port in ports}) < len(ports) else WARNING
        yield severity, "ports", box.path, "The ids of inputs, outputs and parameters are not 1 to %d." % len(ports)
    first = box.inputs[0] if box.inputs else None
    if first is None or first.nature != xar.ON_LOAD:
        yield ERROR, "ports", box.path, "The first input is not onLoad."
    for name in _duplicates(port.name for port in box.inputs + box.outputs):
        yield ERROR, "names", box.path, "Two ports are called %s." % quoted(name)
    for port in box.inputs:
        if port.nature not in range(5):
            yield ERROR, "ports", box.path, "Input %s has the unknown nature %d." % (quoted(port.name), port.nature)
        if port.nature == xar.ON_MEMORY and not port.key:
            yield ERROR, "ports", box.path, "ALMemory input %s names no key." % quoted(port.name)
    for parameter in box.parameters:
        is_ranged = parameter.type in (xar.INT, xar.DOUBLE) and None not in (parameter.low, parameter.high)
        if is_ranged and not parameter.low <= parameter.value <= parameter.high:
            yield (
                WARNING,
                "parameter",
                box.path,
                "Parameter %s is %s, outside %s to %s."
                % (quoted(parameter.name), parameter.value, parameter.low, parameter.high),
            )


def _diagram(owner, diagram, number):  # type: (xar.Box, xar.Diagram, int) -> Iterator[tuple[str, str, str, str]]
    place = owner.path if not number else "%s, keyframe %d" % (owner.path, number + 1)
    for child in diagram.boxes:
        if child.id <= 0:
            yield ERROR, "ids", child.path, "The box id is %d, it has to be above 0." % child.id
    for identifier in _duplicates(child.id for child in diagram.boxes):
        yield ERROR, "ids", place, "Two boxes have the id %s." % identifier
    boxes = {child.id: child for child in diagram.boxes}
    for link in diagram.links:
        why = _link_error(link, owner, boxes)
        if why:
            yield ERROR, "link", place, "The link in line %d %s." % (link.line, why)
    emitting = {(link.emitter, link.output) for link in diagram.links}
    receiving = {link.receiver for link in diagram.links}
    for child in diagram.boxes:
        for output in child.outputs:
            if (child.id, output.id) not in emitting:
                yield REMARK, "unused", child.path, "Output %s leads nowhere." % quoted(output.name)
        listens = any(port.nature == xar.ON_MEMORY for port in child.inputs)
        if child.id not in receiving and not listens and len(child.inputs) > 1:
            yield REMARK, "unused", child.path, "No link leads to this box."


def _link_error(link, owner, boxes):  # type: (xar.Link, xar.Box, dict[int, xar.Box]) -> str | None
    """Say why a link connects nothing, as the end of a sentence; return None for a sound link."""
    for number in (link.emitter, link.receiver):
        if number and number not in boxes:
            return "names box %d, which is not in the diagram" % number
    source = owner.inputs if not link.emitter else boxes[link.emitter].outputs
    if link.output not in [port.id for port in source]:
        side = "input of the owner" if not link.emitter else "output of box %s" % quoted(boxes[link.emitter].name)
        return "comes from port %d, which is no %s" % (link.output, side)
    if not link.receiver:
        if link.input not in [port.id for port in owner.outputs]:
            return "leads to port %d, which is no output of the owner" % link.input
        return None
    box = boxes[link.receiver]
    natures = {port.id: port.nature for port in box.inputs}
    if natures.get(link.input) in (xar.ON_LOAD, xar.ON_MEMORY):
        return "leads into input %d of box %s, which only its inside can see" % (link.input, quoted(box.name))
    if link.input not in natures and link.input not in [each.id for each in box.parameters]:
        return "leads to port %d, which is no input or parameter of box %s" % (link.input, quoted(box.name))
    return None


def _ending(root):  # type: (xar.Box) -> Iterator[tuple[str, str, str, str]]
    """Report a root whose onStopped no signal can reach from its inputs, so that the behaviour never ends."""
    wanted = {port.id for port in root.outputs if port.nature == xar.STOPPED}
    if not wanted or any("exitBehavior" in box.script for box in xar.walk(root)):
        return
    entered = {port.id for port in root.inputs if port.nature in (xar.ON_START, xar.ON_LOAD, xar.ON_MEMORY)}
    if not wanted & _fired(root, entered):
        yield ERROR, "end", root.path, "Nothing that can be reached fires the root's onStopped: it never ends."


def _fired(box, entered):  # type: (xar.Box, set[int]) -> set[int]
    """Collect the outputs a box may fire after these inputs; a script may fire every output that it names."""
    fired = {port.id for port in box.outputs if port.name in box.script or box.dialog is not None}
    timeline = box.timeline
    if timeline is None:
        return fired
    if timeline.enabled:
        fired |= {port.id for port in box.outputs if port.nature == xar.STOPPED}
    inside = entered | {port.id for port in box.inputs if port.nature in (xar.ON_LOAD, xar.ON_MEMORY)}
    for diagram in xar.diagrams(box):
        fired |= _carried(diagram, inside)
    return fired


def _carried(diagram, sources):  # type: (xar.Diagram, set[int]) -> set[int]
    """Collect the outputs of the owner that signals from these of its inputs can reach through one diagram."""
    boxes = {child.id: child for child in diagram.boxes}
    live = {(0, port) for port in sources}
    reached = {child.id: set() for child in diagram.boxes if _acts_alone(child)}  # type: dict[int, set[int]]
    for number in reached:
        live |= {(number, port) for port in _fired(boxes[number], set())}
    waiting = True
    while waiting:
        waiting = False
        for link in diagram.links:
            if (link.emitter, link.output) in live and link.receiver in boxes:
                entered = reached.setdefault(link.receiver, set())
                if link.input not in entered:
                    entered.add(link.input)
                    live |= {(link.receiver, port) for port in _fired(boxes[link.receiver], entered)}
                    waiting = True
    return {link.input for link in diagram.links if not link.receiver and (link.emitter, link.output) in live}


def _acts_alone(box):  # type: (xar.Box) -> bool
    """Tell whether a box may fire without being stimulated, because it acts on loading or on an event."""
    if any(port.nature == xar.ON_MEMORY for port in box.inputs):
        return True
    return "def onLoad" in box.script and any(word in box.script for word in ("subscribe", "connect", "Timer", "Task"))


def _duplicates(values):  # type: (Any) -> list[Any]
    seen, duplicates = set(), []  # type: tuple[set[Any], list[Any]]
    for value in values:
        if value in seen and value not in duplicates:
            duplicates.append(value)
        seen.add(value)
    return duplicates
