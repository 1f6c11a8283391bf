"""What Choregraphe saved, as flow values: a diagram of script boxes, with each box's script as it stands there.

Reads a parsed tree of elements, by local names and in any order of attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..errors import PullRefused
from ..flow.json_fields import FARTHEST, LARGEST, LONGEST_TEXT, MOST_ITEMS
from ..flow.model import (
    INPUT_NATURES,
    ON_LOAD,
    OUTPUT_NATURES,
    PARAMETER_TYPES,
    PORT_TYPES,
    ROOT,
    ROOT_PORTS,
    Box,
    End,
    FlowLink,
    Parameter,
    Port,
    Value,
)


class SavedElement(Protocol):
    """An XML element, tag and attribute names without namespaces."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """Attribute name -> value."""

    @property
    def text(self) -> str:
        """The characters inside."""

    def all(self, tag: str) -> Sequence[SavedElement]:
        """Return the direct children with this tag."""

    def first(self, tag: str) -> SavedElement | None:
        """Return the first direct child with this tag."""


@dataclass(frozen=True)
class SavedBox:
    """A box as drawn: its flow value without a script file, and the script's text, preamble included."""

    box: Box
    number: int
    content: str


@dataclass(frozen=True)
class SavedDiagram:
    """A whole diagram as drawn."""

    boxes: tuple[SavedBox, ...]
    links: tuple[FlowLink, ...]


def read_saved_diagram(project: SavedElement) -> SavedDiagram:
    """Read the root diagram of a project element; raises `PullRefused`, which names the box a flow cannot hold."""
    root = project.first("Box")
    if root is None:
        raise PullRefused("the xar has no root box; save the project again in Choregraphe.")
    if _ports(root) != {number: name for name, number in ROOT_PORTS.items()}:
        raise PullRefused("the ports of the root box were changed; leave it onStart, onStop and onStopped alone.")
    diagrams = list(_diagrams(root))
    if len(diagrams) != 1:
        raise PullRefused(f"the root box has {len(diagrams)} diagrams; keep one, without a timeline.")
    elements = _few(diagrams[0].all("Box"), "boxes")
    boxes = tuple(map(_box, elements))
    names = {"0": (ROOT, _ports(root))}
    for element, drawn in zip(elements, boxes, strict=True):
        names[str(drawn.number)] = (drawn.box.name, _ports(element))
    return SavedDiagram(boxes, tuple(_link(link, names) for link in _few(diagrams[0].all("Link"), "links")))


def _diagrams(box: SavedElement) -> Iterator[SavedElement]:
    for timeline in box.all("Timeline"):
        if timeline.attributes.get("enable", "0") != "0":
            raise PullRefused(f'box "{_name(box)}" is a timeline; the kit builds script boxes only, take it out again.')
        for layer in timeline.all("BehaviorLayer"):
            for keyframe in layer.all("BehaviorKeyframe"):
                yield from keyframe.all("Diagram")


def _few(elements: Sequence[SavedElement], what: str) -> Sequence[SavedElement]:
    if len(elements) > MOST_ITEMS:
        raise PullRefused(f"the diagram has {len(elements)} {what}; keep at most {MOST_ITEMS}.")
    return elements


def _name(element: SavedElement) -> str:
    return element.attributes.get("name", "")


def _ports(element: SavedElement) -> dict[int, str]:
    where = f'box "{_name(element)}"'
    ports = [port for tag in ("Input", "Output", "Parameter") for port in element.all(tag)]
    return {_whole(port, "id", where): _name(port) for port in ports}


def _box(element: SavedElement) -> SavedBox:
    name, where = _name(element), f'box "{_name(element)}"'
    if element.attributes.get("plugin"):
        raise PullRefused(f"{where} is made by the editor {element.attributes['plugin']}; use a Python script box.")
    if element.first("dialogFile") is not None:
        raise PullRefused(f"{where} is a dialogue box; the kit builds script boxes only, take it out again.")
    if any(diagram.all("Box") or diagram.all("Link") for diagram in _diagrams(element)):
        raise PullRefused(f"{where} holds a diagram of its own; move its boxes to the root diagram.")
    own_inputs = [port for port in element.all("Input") if port.attributes.get("id") != str(ON_LOAD)]
    box = Box(
        name=name,
        script="",
        tooltip=_tooltip(element, where),
        x=_whole(element, "x", where),
        y=_whole(element, "y", where),
        inputs=tuple(_port(port, f"an input of {where}", INPUT_NATURES) for port in own_inputs),
        outputs=tuple(_port(port, f"an output of {where}", OUTPUT_NATURES) for port in element.all("Output")),
        parameters=tuple(_parameter(item, where) for item in element.all("Parameter")),
        resources=tuple(_resource(item, where) for item in element.all("Resource")),
    )
    script = element.first("script")
    content = None if script is None else script.first("content")
    return SavedBox(box, _whole(element, "id", where), "" if content is None else content.text)


def _port(element: SavedElement, where: str, natures: Mapping[str, int]) -> Port:
    name = _name(element)
    if element.attributes.get("type_size", "1") != "1":
        raise PullRefused(f'{where}, "{name}", is an array; the kit knows single values only.')
    return Port(
        name=name,
        type=_known(element, "type", PORT_TYPES, f'{where}, "{name}",'),
        nature=_known(element, "nature", natures, f'{where}, "{name}",'),
        tooltip=_tooltip(element, where),
    )


def _parameter(element: SavedElement, box: str) -> Parameter:
    where = f'parameter "{_name(element)}" of {box}'
    kind = _known(element, "content_type", PARAMETER_TYPES, where)
    limits = [element.attributes.get(key) for key in ("min", "max")]
    low, high = (None if limit is None else _number(kind, limit, where) for limit in limits)
    return Parameter(
        name=_name(element),
        type=kind,
        value=_value(kind, element.attributes.get("value", ""), where),
        tooltip=_tooltip(element, where),
        minimum=low,
        maximum=high,
        choices=tuple(choice.attributes.get("value", "") for choice in element.all("Choice")),
        custom=element.attributes.get("custom_choice", "0") == "1",
        inherits=element.attributes.get("inherits_from_parent", "0") == "1",
    )


def _resource(element: SavedElement, where: str) -> str:
    if (element.attributes.get("type"), element.attributes.get("timeout")) != ("Lock", "0"):
        raise PullRefused(f'{where} takes the resource "{_name(element)}" in its own way; make it a Lock, timeout 0.')
    return _name(element)


def _link(element: SavedElement, names: Mapping[str, tuple[str, Mapping[int, str]]]) -> FlowLink:
    ends = []
    for owner, port in (("outputowner", "indexofoutput"), ("inputowner", "indexofinput")):
        box, ports = names.get(element.attributes.get(owner, ""), ("", {}))
        number = _whole(element, port, "a link")
        if number not in ports:
            raise PullRefused(f'a link ends at port {number} of box "{box}", which is not there; draw it again.')
        ends.append(End(box, ports[number]))
    return FlowLink(*ends)


def _known(element: SavedElement, key: str, names: Mapping[str, int], where: str) -> str:
    number = element.attributes.get(key, "")
    for name, known in names.items():
        if number == str(known):
            return name
    raise PullRefused(f'{where} has {key} "{number}", which the kit cannot build; choose one of: {", ".join(names)}.')


def _value(kind: str, text: str, where: str) -> Value:
    if kind == "string":
        return _short(text, where)
    return text == "1" if kind == "bool" else _number(kind, text, where)


def _number(kind: str, text: str, where: str) -> float:
    try:
        number = float(text) if kind == "double" else int(text)
    except ValueError:
        number = float("nan")
    if not abs(number) <= LARGEST:
        raise PullRefused(f'{where} holds "{text[:40]}" where a number is needed; correct it in Choregraphe.')
    return number


def _whole(element: SavedElement, key: str, where: str) -> int:
    number = _number("int", element.attributes.get(key, ""), f"{key} of {where}")
    if abs(number) > FARTHEST:
        raise PullRefused(f"{key} of {where} is {number}; keep it between -{FARTHEST} and {FARTHEST}.")
    return int(number)


def _tooltip(element: SavedElement, where: str) -> str:
    return _short(element.attributes.get("tooltip", ""), f"the tooltip of {where}")


def _short(text: str, where: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise PullRefused(f"{where} has {len(text)} characters; keep it at {LONGEST_TEXT} or fewer.")
    return text
