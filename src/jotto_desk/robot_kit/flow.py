"""The flow of boxes and links as values, its rules, and flow.json; the errors of the robot kit.

`parse_flow` refuses unknown fields and wrong types. `format_flow` writes one port or link per line for readable diffs.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from jotto_desk.errors import DeskError

# The errors of the robot kit.


class KitError(DeskError):
    """The robot kit refuses something; its text has a line for each finding."""

    def __init__(self, title: str, findings: Sequence[str] = ()) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join([title, *(f"  - {finding}" for finding in findings)]))


class FlowRefused(KitError):
    """The flow or a box script contradicts itself."""


class PullRefused(KitError):
    """An edit in Choregraphe that the sources cannot contain."""


class StageRefused(KitError):
    """The library folder of the Choregraphe project cannot be made."""


class PackageRefused(KitError):
    """The project cannot become a package, or a package cannot go onto a robot."""


_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#x0A;"}


def escape_xml(text: str) -> str:
    """Return a text for XML that is written as text, between double quotes or tags.

    >>> escape_xml('5 < "6"')
    '5 &lt; &quot;6&quot;'
    """
    return "".join(_ESCAPES.get(character, character) for character in text)


def format_attributes(**attributes: object) -> str:
    """Return the attributes of an XML element as text, in the order given."""
    return " ".join(f'{name}="{escape_xml(str(value))}"' for name, value in attributes.items())


def format_tag(element: str, /, **attributes: object) -> str:
    """Return an XML element without content.

    >>> format_tag("Choice", value="calm")
    '<Choice value="calm" />'
    """
    return f"<{element} {format_attributes(**attributes)} />"


# The flow as values.

#: The type of a port's signal -> its number in the xar.
PORT_TYPES = {"dynamic": 0, "bang": 1, "number": 2, "string": 3}
#: The effect of an input on its box -> its number in the xar.
INPUT_NATURES = {"event": 1, "onStart": 2, "onStop": 3}
#: The effect of an output on its box -> its number in the xar.
OUTPUT_NATURES = {"stopped": 1, "punctual": 2}
#: The type of a parameter -> its number in the xar.
PARAMETER_TYPES = {"bool": 0, "int": 1, "double": 2, "string": 3}

ROOT = "root"
#: The ports of the root box and their ids, the same in every behaviour.
ROOT_PORTS = {"onLoad": 1, "onStart": 2, "onStop": 3, "onStopped": 4}
#: The id of the input `onLoad`, which every box has and flow.json does not list.
ON_LOAD = 1

Value = bool | int | float | str


@dataclass(frozen=True)
class Port:
    """An input or output of a box."""

    name: str
    type: str
    nature: str
    tooltip: str = ""


@dataclass(frozen=True)
class Parameter:
    """A setting of a box in Choregraphe; with `inherits` the parent's setting of the same name counts."""

    name: str
    type: str
    value: Value
    tooltip: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    custom: bool = False
    inherits: bool = False


@dataclass(frozen=True)
class Box:
    """A box of the diagram; several boxes may share a script file."""

    name: str
    script: str
    tooltip: str
    x: int
    y: int
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    parameters: tuple[Parameter, ...] = ()
    resources: tuple[str, ...] = ()


class End(NamedTuple):
    """One end of a link."""

    box: str
    port: str

    def __str__(self) -> str:
        return f"{self.box}.{self.port}"


class FlowLink(NamedTuple):
    """A link from an output to an input or parameter."""

    emitter: End
    receiver: End

    def __str__(self) -> str:
        return f'"{self.emitter}" -> "{self.receiver}"'


@dataclass(frozen=True)
class Flow:
    """The whole diagram; a box's id in the xar is its place in `boxes`, counted from 1."""

    behaviour: str
    preamble: str | None
    boxes: tuple[Box, ...]
    links: tuple[FlowLink, ...]

    def find_box(self, name: str) -> Box:
        """Return the box of that name; raises `KeyError` if none exists."""
        for box in self.boxes:
            if box.name == name:
                return box
        raise KeyError(name)

    def list_scripts(self) -> tuple[str, ...]:
        """Return the script files of the boxes, each once, in the order of the boxes."""
        return tuple(dict.fromkeys(box.script for box in self.boxes))


def number_ports(box: Box) -> dict[str, int]:
    """Return the ids of the inputs, outputs and parameters of a box, which follow that of onLoad.

    >>> port = Port("onStart", "bang", "onStart")
    >>> number_ports(Box("Say", "say.py", "", 0, 0, (port,), (Port("done", "bang", "stopped"),)))
    {'onStart': 2, 'done': 3}
    """
    return {name: number for number, name in enumerate(_list_port_names(box), start=ON_LOAD + 1)}


def _list_port_names(box: Box) -> list[str]:
    ports = [port.name for port in (*box.inputs, *box.outputs)]
    return ports + [parameter.name for parameter in box.parameters]


def end(text: str) -> End:
    """Read a link end from its text, split at the last dot.

    >>> end("Say the word.done")
    End(box='Say the word', port='done')
    """
    box, _, port = text.rpartition(".")
    return End(box, port)


# Reading flow.json.

#: The most characters of a text.
LONGEST_TEXT = 500
#: The most items of a list.
MOST_ITEMS = 400
#: The largest coordinate of a box.
FARTHEST = 100_000
#: The largest number: the robot has 32 bits.
LARGEST = 2_147_483_647


class _Fields:
    """A JSON object that is read field by field; `where` names it in messages."""

    def __init__(self, record: Any, where: str) -> None:
        if not isinstance(record, dict):
            raise FlowRefused(f"{where} is {_shorten_value(record)}; write an object in curly braces there.")
        self._left: dict[str, Any] = dict(record)
        self._where = where

    def take_text(self, name: str, default: str | None = None) -> str:
        """Read a text of at most 500 characters without control characters other than a line break."""
        value = self._take(name, default)
        if not isinstance(value, str) or len(value) > LONGEST_TEXT or any(c < " " and c != "\n" for c in value):
            raise self._refuse(name, value, f"a text of at most {LONGEST_TEXT} characters")
        return value

    def take_choice(self, name: str, choices: Mapping[str, int]) -> str:
        value = self._take(name, None)
        if not isinstance(value, str) or value not in choices:
            raise self._refuse(name, value, "one of " + ", ".join(choices))
        return value

    def take_whole(self, name: str) -> int:
        """Read a whole number between -100000 and 100000."""
        value = self._take(name, None)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > FARTHEST:
            raise self._refuse(name, value, f"a whole number from -{FARTHEST} to {FARTHEST}")
        return value

    def take_number(self, name: str) -> float | None:
        """Read a number; None if the field is absent."""
        value = self._left.pop(name, None)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
            raise self._refuse(name, value, f"a number from -{LARGEST} to {LARGEST}")
        return value

    def take_flag(self, name: str) -> bool:
        """Read true or false; false if the field is absent."""
        value = self._take(name, False)
        if not isinstance(value, bool):
            raise self._refuse(name, value, "true or false")
        return value

    def take_value(self, name: str) -> bool | int | float | str:
        """Read true or false, a number or a text."""
        if isinstance(self._left.get(name), str):
            return self.take_text(name)
        value = self._take(name, None)
        if not isinstance(value, int | float) or not abs(value) <= LARGEST:
            raise self._refuse(name, value, "a text, a number, true or false")
        return value

    def take_items(self, name: str) -> list[Any]:
        """Read a list of at most 400 items; empty if the field is absent."""
        value = self._take(name, [])
        if not isinstance(value, list) or len(value) > MOST_ITEMS:
            raise self._refuse(name, value, f"a list of at most {MOST_ITEMS} items")
        return value

    def take_texts(self, name: str) -> tuple[str, ...]:
        return tuple(_Fields({name: item}, self._where).take_text(name) for item in self.take_items(name))

    def refuse_unknown(self) -> None:
        """Refuse unknown fields, which are often misspelt ones."""
        for name in self._left:
            raise FlowRefused(
                f'{self._where} has a field "{name}" that has no meaning in this file; correct or remove it.'
            )

    def _take(self, name: str, default: Any) -> Any:
        value = self._left.pop(name, default)
        if value is None:
            raise FlowRefused(f'{self._where} has no field "{name}"; add it.')
        return value

    def _refuse(self, name: str, value: Any, wanted: str) -> FlowRefused:
        return FlowRefused(f'{self._where} has "{name}": {_shorten_value(value)}; write {wanted}.')


def _shorten_value(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


#: The most characters of a flow.json.
LONGEST_FLOW = 1_000_000


def parse_flow(text: str) -> Flow:
    """Read the text of a flow.json; raises `FlowRefused`, which quotes the first thing that is wrong."""
    if len(text) > LONGEST_FLOW:
        raise FlowRefused(f"flow.json has {len(text)} characters; keep it below {LONGEST_FLOW}.")
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FlowRefused(f"flow.json is not JSON ({error}); correct that line.") from error
    fields = _Fields(record, "flow.json")
    flow = Flow(
        behaviour=fields.take_text("behaviour"),
        preamble=fields.take_text("preamble", "") or None,
        boxes=tuple(_parse_box(item, number) for number, item in enumerate(fields.take_items("boxes"), start=1)),
        links=tuple(_parse_link(item) for item in fields.take_items("links")),
    )
    fields.refuse_unknown()
    return flow


def _parse_box(record: Any, number: int) -> Box:
    name = record.get("name") if isinstance(record, dict) else None
    where = f'box "{name}"' if isinstance(name, str) else f"box {number}"
    fields = _Fields(record, where)
    box = Box(
        name=fields.take_text("name"),
        script=fields.take_text("script"),
        tooltip=fields.take_text("tooltip", ""),
        x=fields.take_whole("x"),
        y=fields.take_whole("y"),
        inputs=tuple(_parse_port(item, f"an input of {where}", INPUT_NATURES) for item in fields.take_items("inputs")),
        outputs=tuple(
            _parse_port(item, f"an output of {where}", OUTPUT_NATURES) for item in fields.take_items("outputs")
        ),
        parameters=tuple(_parse_parameter(item, f"a parameter of {where}") for item in fields.take_items("parameters")),
        resources=fields.take_texts("resources"),
    )
    fields.refuse_unknown()
    return box


def _parse_port(record: Any, where: str, natures: dict[str, int]) -> Port:
    fields = _Fields(record, where)
    name, kind = fields.take_text("name"), fields.take_choice("type", PORT_TYPES)
    port = Port(name, kind, fields.take_choice("nature", natures), fields.take_text("tooltip", ""))
    fields.refuse_unknown()
    return port


def _parse_parameter(record: Any, where: str) -> Parameter:
    fields = _Fields(record, where)
    parameter = Parameter(
        name=fields.take_text("name"),
        type=fields.take_choice("type", PARAMETER_TYPES),
        value=fields.take_value("value"),
        tooltip=fields.take_text("tooltip", ""),
        minimum=fields.take_number("min"),
        maximum=fields.take_number("max"),
        choices=fields.take_texts("choices"),
        custom=fields.take_flag("custom"),
        inherits=fields.take_flag("inherits"),
    )
    fields.refuse_unknown()
    return parameter


def _parse_link(record: Any) -> FlowLink:
    if not isinstance(record, list) or len(record) != 2 or not all(isinstance(item, str) for item in record):
        raise FlowRefused(f'a link is {json.dumps(record)[:60]}; write ["box.output", "box.input"].')
    emitter, receiver = record
    return FlowLink(_end(emitter), _end(receiver))


def _end(text: str) -> End:
    found = end(text)
    if not found.box or not found.port:
        raise FlowRefused(f'a link ends at "{text[:60]}"; write "box name.port name".')
    return found


# Writing flow.json.

_INDENT = "    "


def format_flow(flow: Flow) -> str:
    """Return the text of flow.json, with one port, parameter or link per line."""
    links = [_format_line([str(link.emitter), str(link.receiver)]) for link in flow.links]
    return (
        "{\n"
        f' "behaviour": {_format_line(flow.behaviour)},\n'
        f' "preamble": {_format_line(flow.preamble or "")},\n'
        f' "boxes": [\n{",".join(map(_format_box, flow.boxes)).lstrip()}],\n'
        f' "links": [{_format_rows(links, "  ")}]\n'
        "}\n"
    )


def _format_box(box: Box) -> str:
    head = f'"name": {_format_line(box.name)}, "script": {_format_line(box.script)}, "x": {box.x}, "y": {box.y}'
    return (
        f"\n  {{{head},\n"
        f'   "tooltip": {_format_line(box.tooltip)},\n'
        f'   "inputs": [{_format_rows(map(_format_port, box.inputs), _INDENT)}],\n'
        f'   "outputs": [{_format_rows(map(_format_port, box.outputs), _INDENT)}],\n'
        f'   "parameters": [{_format_rows(map(_format_parameter, box.parameters), _INDENT)}],\n'
        f'   "resources": {_format_line(list(box.resources))}}}'
    )


def _format_port(port: Port) -> str:
    return _format_line({"name": port.name, "type": port.type, "nature": port.nature, "tooltip": port.tooltip})


def _format_parameter(parameter: Parameter) -> str:
    record: dict[str, Any] = {"name": parameter.name, "type": parameter.type, "value": parameter.value}
    if parameter.minimum is not None:
        record["min"] = parameter.minimum
    if parameter.maximum is not None:
        record["max"] = parameter.maximum
    if parameter.type == "string":
        record |= {"choices": list(parameter.choices), "custom": parameter.custom}
    if parameter.inherits:
        record["inherits"] = True
    return _format_line(record | {"tooltip": parameter.tooltip})


def _format_rows(lines: Iterable[str], indent: str) -> str:
    return ",".join(f"\n{indent}{line}" for line in lines)


def _format_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# The rules of a flow; each finding is a sentence that says what to do.

#: The most characters of a name.
_LONGEST_NAME = 60
#: Ports of the root box where a link may begin.
_ROOT_EMITTERS = ("onStart", "onStop")
#: Ports of the root box where a link may end.
_ROOT_RECEIVERS = ("onStopped",)
SCRIPT_NAME = re.compile(r"[a-z][a-z0-9_]*\.py")
_FOLDER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def check_flow(flow: Flow) -> list[str]:
    """Return all findings about a flow, first about boxes, then about links; an empty list if it can be built."""
    found = [*_check_behaviour(flow)]
    for box in flow.boxes:
        found += _check_box(box)
    found += _find_duplicates((box.name for box in flow.boxes), "two boxes are named {0}; rename one of them.")
    for link in flow.links:
        ends = (_end_finding(flow, link.emitter, "output"), _end_finding(flow, link.receiver, "input or parameter"))
        found += [f"the link {link} {finding}" for finding in ends if finding]
    found += _find_duplicates((f"[{link}]" for link in flow.links), "the link {0} is listed twice; remove one of them.")
    return found if found else [*_reach_findings(flow)]


def _check_behaviour(flow: Flow) -> Iterator[str]:
    if not _FOLDER_NAME.fullmatch(flow.behaviour):
        yield f'the behaviour is named "{flow.behaviour}"; a folder name of letters, digits and _ is needed.'
    if flow.preamble is not None and not SCRIPT_NAME.fullmatch(flow.preamble):
        yield f'the preamble is named "{flow.preamble}"; name a file of robot_boxes such as "preamble.py".'
    if not flow.boxes:
        yield "there are no boxes; add at least one."


def _check_box(box: Box) -> Iterator[str]:
    if not box.name.strip() or len(box.name) > _LONGEST_NAME or "\n" in box.name or box.name == ROOT:
        yield f'a box is named "{box.name}"; use a name of 1 to {_LONGEST_NAME} characters other than "{ROOT}".'
    if not SCRIPT_NAME.fullmatch(box.script):
        yield f'box "{box.name}" has the script "{box.script}"; name a file of robot_boxes such as "say_score.py".'
    names = _list_port_names(box)
    for name in names:
        if not name.strip() or "." in name or len(name) > _LONGEST_NAME or name == "onLoad":
            yield f'box "{box.name}" has a port or parameter "{name}"; use a name without dots other than "onLoad".'
    yield from _find_duplicates(names, f'box "{box.name}" has two ports or parameters {{0}}; rename one of them.')
    for parameter in box.parameters:
        yield from _check_parameter(box, parameter)


#: Parameter type -> its values in words, and their Python types.
_HOLDS: dict[str, tuple[str, tuple[type, ...]]] = {
    "bool": ("true or false", (bool,)),
    "int": ("a whole number", (int,)),
    "double": ("a number", (int, float)),
    "string": ("a text", (str,)),
}


def _check_parameter(box: Box, parameter: Parameter) -> Iterator[str]:
    where = f'parameter "{parameter.name}" of box "{box.name}"'
    wanted, types = _HOLDS[parameter.type]
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


def _end_finding(flow: Flow, end: End, wanted: str) -> str | None:
    if end.box == ROOT:
        ports: tuple[str, ...] = _ROOT_EMITTERS if wanted == "output" else _ROOT_RECEIVERS
        title = "the root box"
    else:
        matches = [box for box in flow.boxes if box.name == end.box]
        if not matches:
            return f'names the box "{end.box}", which does not exist; correct the name or add the box.'
        box = matches[0]
        outputs = [port.name for port in box.outputs]
        ports = tuple(
            outputs if wanted == "output" else (name for name in _list_port_names(box) if name not in outputs)
        )
        title = f'box "{box.name}"'
    if end.port in ports:
        return None
    return f'names "{end.port}", but {title} has no such {wanted}; choose from: {", ".join(ports) or "nothing"}.'


def _reach_findings(flow: Flow) -> Iterator[str]:
    reached = _find_reached_boxes(flow)
    for box in flow.boxes:
        if box.name not in reached:
            yield f'box "{box.name}" is never started; link an output of a box that runs to it, or remove it.'
    ends = [link for link in flow.links if link.receiver.box == ROOT]
    if not any(link.emitter.box in reached for link in ends):
        yield 'nothing reaches "root.onStopped", so the behaviour would never end; link a last box to it.'


def _find_reached_boxes(flow: Flow) -> set[str]:
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


def _find_duplicates(names: Iterator[str] | list[str], sentence: str) -> Iterator[str]:
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        if seen[name] == 2:
            yield sentence.format(name if name.startswith("[") else f'"{name}"')
