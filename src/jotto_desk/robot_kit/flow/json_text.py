"""Reading and writing flow.json: one port, parameter or link per line, so that a diff shows what changed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..errors import FlowRefused
from .json_fields import Fields
from .model import (
    INPUT_NATURES,
    OUTPUT_NATURES,
    PARAMETER_TYPES,
    PORT_TYPES,
    Box,
    End,
    Flow,
    FlowLink,
    Parameter,
    Port,
    end,
)

LONGEST_FLOW = 1_000_000
INDENT = "    "


def read_flow(text: str) -> Flow:
    """Read the flow in a flow.json; raises `FlowRefused`, which quotes the first thing that is not understood."""
    if len(text) > LONGEST_FLOW:
        raise FlowRefused(f"flow.json has {len(text)} characters; keep it below {LONGEST_FLOW}.")
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FlowRefused(f"flow.json is not JSON ({error}); correct that line.") from error
    fields = Fields(record, "flow.json")
    flow = Flow(
        behaviour=fields.text("behaviour"),
        preamble=fields.text("preamble", "") or None,
        boxes=tuple(_box(item, number) for number, item in enumerate(fields.items("boxes"), start=1)),
        links=tuple(_link(item) for item in fields.items("links")),
    )
    fields.done()
    return flow


def _box(record: Any, number: int) -> Box:
    name = record.get("name") if isinstance(record, dict) else None
    where = f'box "{name}"' if isinstance(name, str) else f"box {number}"
    fields = Fields(record, where)
    box = Box(
        name=fields.text("name"),
        script=fields.text("script"),
        tooltip=fields.text("tooltip", ""),
        x=fields.whole("x"),
        y=fields.whole("y"),
        inputs=tuple(_port(item, f"an input of {where}", INPUT_NATURES) for item in fields.items("inputs")),
        outputs=tuple(_port(item, f"an output of {where}", OUTPUT_NATURES) for item in fields.items("outputs")),
        parameters=tuple(_parameter(item, f"a parameter of {where}") for item in fields.items("parameters")),
        resources=fields.texts("resources"),
    )
    fields.done()
    return box


def _port(record: Any, where: str, natures: dict[str, int]) -> Port:
    fields = Fields(record, where)
    port = Port(
        name=fields.text("name"),
        type=fields.one_of("type", PORT_TYPES),
        nature=fields.one_of("nature", natures),
        tooltip=fields.text("tooltip", ""),
    )
    fields.done()
    return port


def _parameter(record: Any, where: str) -> Parameter:
    fields = Fields(record, where)
    parameter = Parameter(
        name=fields.text("name"),
        type=fields.one_of("type", PARAMETER_TYPES),
        value=fields.value("value"),
        tooltip=fields.text("tooltip", ""),
        minimum=fields.number("min"),
        maximum=fields.number("max"),
        choices=fields.texts("choices"),
        custom=fields.truth("custom"),
        inherits=fields.truth("inherits"),
    )
    fields.done()
    return parameter


def _link(record: Any) -> FlowLink:
    if not isinstance(record, list) or len(record) != 2 or not all(isinstance(item, str) for item in record):
        raise FlowRefused(f'a link is {json.dumps(record)[:60]}; write ["box.output", "box.input"].')
    emitter, receiver = record
    return FlowLink(_end(emitter), _end(receiver))


def _end(text: str) -> End:
    found = end(text)
    if not found.box or not found.port:
        raise FlowRefused(f'a link ends at "{text[:60]}"; write "box name.port name".')
    return found


def flow_text(flow: Flow) -> str:
    """Write the flow as flow.json in the layout of this project."""
    links = [_line([str(link.emitter), str(link.receiver)]) for link in flow.links]
    return (
        "{\n"
        f' "behaviour": {_line(flow.behaviour)},\n'
        f' "preamble": {_line(flow.preamble or "")},\n'
        f' "boxes": [\n{",".join(map(_box_text, flow.boxes)).lstrip()}],\n'
        f' "links": [{_rows(links, "  ")}]\n'
        "}\n"
    )


def _box_text(box: Box) -> str:
    head = f'"name": {_line(box.name)}, "script": {_line(box.script)}, "x": {box.x}, "y": {box.y}'
    return (
        f"\n  {{{head},\n"
        f'   "tooltip": {_line(box.tooltip)},\n'
        f'   "inputs": [{_rows(map(_port_text, box.inputs), INDENT)}],\n'
        f'   "outputs": [{_rows(map(_port_text, box.outputs), INDENT)}],\n'
        f'   "parameters": [{_rows(map(_parameter_text, box.parameters), INDENT)}],\n'
        f'   "resources": {_line(list(box.resources))}}}'
    )


def _port_text(port: Port) -> str:
    return _line({"name": port.name, "type": port.type, "nature": port.nature, "tooltip": port.tooltip})


def _parameter_text(parameter: Parameter) -> str:
    record: dict[str, Any] = {"name": parameter.name, "type": parameter.type, "value": parameter.value}
    if parameter.minimum is not None:
        record["min"] = parameter.minimum
    if parameter.maximum is not None:
        record["max"] = parameter.maximum
    if parameter.type == "string":
        record |= {"choices": list(parameter.choices), "custom": parameter.custom}
    if parameter.inherits:
        record["inherits"] = True
    return _line(record | {"tooltip": parameter.tooltip})


def _rows(lines: Iterable[str], indent: str) -> str:
    return ",".join(f"\n{indent}{line}" for line in lines)


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
