"""Writing behavior.xar as text, since XML libraries lose CDATA, the order of attributes and the first two lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    Flow,
    FlowLink,
    Parameter,
    Port,
    Value,
    numbered,
)
from ..xml_text import escaped

#: Projects saved by Choregraphe 1.x to 2.5 have it, the maker's own converter writes it, and later releases open such
#: projects. The later one (ald.softbankrobotics.com) is found beside .pml files of format 5 alone, unknown to 2.1.
NAMESPACE = "http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd"
DECLARATION = '<?xml version="1.0" encoding="UTF-8" ?>'
LOCALIZATION = "8"
ROOT_ICON = "media/images/box/root.png"
BOX_ICON = "media/images/box/box-python-script.png"
ON_LOAD_TIP = "Fires when the diagram around this box is loaded."

Attributes = list[tuple[str, object]]


def xar_text(flow: Flow, scripts: Mapping[str, str]) -> str:
    """Write the whole file; `scripts` holds, per script file, the text that goes into the xar, preamble included."""
    lines = [
        DECLARATION,
        f'<ChoregrapheProject xmlns="{NAMESPACE}" xar_version="3">',
        *_root(flow, scripts),
        "</ChoregrapheProject>",
    ]
    return "\n".join(lines) + "\n"


def _root(flow: Flow, scripts: Mapping[str, str]) -> Iterator[str]:
    head: Attributes = [("name", ROOT), ("id", -1), ("localization", LOCALIZATION)]
    head += [("tooltip", "The whole behaviour."), ("x", 0), ("y", 0)]
    ports = [
        _tag("Input", _port_attributes(Port("onStart", "bang", "onStart", "Starts the behaviour."), 2, INPUT_NATURES)),
        _tag("Input", _port_attributes(Port("onStop", "bang", "onStop", "Stops the behaviour."), 3, INPUT_NATURES)),
        _tag("Output", _port_attributes(Port("onStopped", "bang", "stopped", "The end."), 4, OUTPUT_NATURES)),
    ]
    yield f"  <Box {_attributes(head)}>"
    yield from _indented(_head_lines(ROOT_ICON, "") + ports, 4)
    yield '    <Timeline enable="0">'
    yield '      <BehaviorLayer name="behavior_layer1">'
    yield '        <BehaviorKeyframe name="keyframe1" index="1">'
    yield '          <Diagram scale="100">'
    for number, box in enumerate(flow.boxes, start=1):
        yield from _box(box, number, scripts[box.script])
    yield from _indented(_links(flow), 12)
    yield "          </Diagram>"
    yield "        </BehaviorKeyframe>"
    yield "      </BehaviorLayer>"
    yield "    </Timeline>"
    yield "  </Box>"


def _box(box: Box, number: int, script: str) -> Iterator[str]:
    head: Attributes = [("name", box.name), ("id", number), ("localization", LOCALIZATION)]
    head += [("tooltip", box.tooltip), ("x", box.x), ("y", box.y)]
    ids = numbered(box)
    lines = _head_lines(BOX_ICON, script)
    lines += [_tag("Input", _port_attributes(port, ids[port.name], INPUT_NATURES)) for port in box.inputs]
    lines += [_tag("Output", _port_attributes(port, ids[port.name], OUTPUT_NATURES)) for port in box.outputs]
    for parameter in box.parameters:
        lines += _parameter(parameter, ids[parameter.name])
    lines += [_tag("Resource", [("name", name), ("type", "Lock"), ("timeout", 0)]) for name in box.resources]
    yield f"            <Box {_attributes(head)}>"
    yield from _indented(lines, 14)
    yield "            </Box>"


def _head_lines(icon: str, script: str) -> list[str]:
    on_load: Attributes = [("name", "onLoad"), ("type", 1), ("type_size", 1), ("nature", 0), ("inner", 1)]
    on_load += [("tooltip", ON_LOAD_TIP), ("id", ON_LOAD)]
    return [
        f"<bitmap>{icon}</bitmap>",
        '<script language="4">',
        "  <content>",
        f"    <![CDATA[{script}]]>",
        "  </content>",
        "</script>",
        _tag("Input", on_load),
    ]


def _port_attributes(port: Port, number: int, natures: dict[str, int]) -> Attributes:
    head: Attributes = [("name", port.name), ("type", PORT_TYPES[port.type]), ("type_size", 1)]
    return [*head, ("nature", natures[port.nature]), ("inner", 0), ("tooltip", port.tooltip), ("id", number)]


def _parameter(parameter: Parameter, number: int) -> list[str]:
    text = value_text(parameter.type, parameter.value)
    attributes: Attributes = [
        ("name", parameter.name),
        ("inherits_from_parent", int(parameter.inherits)),
        ("content_type", PARAMETER_TYPES[parameter.type]),
        ("value", text),
        ("default_value", text),
    ]
    if parameter.minimum is not None and parameter.maximum is not None:
        attributes += [(key, value_text(parameter.type, limit)) for key, limit in _limits(parameter)]
    elif parameter.type == "string":
        attributes.append(("custom_choice", int(parameter.custom)))
    attributes += [("tooltip", parameter.tooltip), ("id", number)]
    if not parameter.choices:
        return [_tag("Parameter", attributes)]
    choices = ["  " + _tag("Choice", [("value", choice)]) for choice in parameter.choices]
    return [f"<Parameter {_attributes(attributes)}>", *choices, "</Parameter>"]


def _limits(parameter: Parameter) -> list[tuple[str, Value]]:
    return [("min", parameter.minimum or 0), ("max", parameter.maximum or 0)]


def value_text(kind: str, value: Value) -> str:
    """Return the text of a parameter's value in the xar.

    >>> value_text("bool", True), value_text("int", 8), value_text("double", 8)
    ('1', '8', '8.0')
    """
    if kind == "string":
        return str(value)
    return repr(float(value)) if kind == "double" else str(int(value))


def _links(flow: Flow) -> list[str]:
    owners = {box.name: number for number, box in enumerate(flow.boxes, start=1)}
    ports = {box.name: numbered(box) for box in flow.boxes}

    def ids(end: End) -> tuple[int, int]:
        if end.box == ROOT:
            return 0, ROOT_PORTS[end.port]
        return owners[end.box], ports[end.box][end.port]

    def line(link: FlowLink) -> str:
        (receiver, entry), (emitter, exit_) = ids(link.receiver), ids(link.emitter)
        attributes: Attributes = [("inputowner", receiver), ("indexofinput", entry)]
        return _tag("Link", [*attributes, ("outputowner", emitter), ("indexofoutput", exit_)])

    return [line(link) for link in flow.links]


def _tag(name: str, attributes: Attributes) -> str:
    return f"<{name} {_attributes(attributes)} />"


def _attributes(attributes: Attributes) -> str:
    return " ".join(f'{name}="{escaped(str(value))}"' for name, value in attributes)


def _indented(lines: list[str], depth: int) -> Iterator[str]:
    for line in lines:
        # A script keeps its own lines: only the element around it is moved.
        yield " " * depth + line
