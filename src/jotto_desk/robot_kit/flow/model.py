"""The flow of the behaviour as values: boxes, ports, parameters, links. Knows nothing of files or XML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

#: Flow name -> number in the xar of what a port carries.
PORT_TYPES = {"dynamic": 0, "bang": 1, "number": 2, "string": 3}
#: Flow name -> number in the xar of what an input does to its box.
INPUT_NATURES = {"event": 1, "onStart": 2, "onStop": 3}
#: Flow name -> number in the xar of what an output does to its box.
OUTPUT_NATURES = {"stopped": 1, "punctual": 2}
#: Flow name -> number in the xar of a parameter's kind of value.
PARAMETER_TYPES = {"bool": 0, "int": 1, "double": 2, "string": 3}

ROOT = "root"
#: The root box's ports and their ids, the same in every behaviour.
ROOT_PORTS = {"onLoad": 1, "onStart": 2, "onStop": 3, "onStopped": 4}
#: Id of the input every box has without saying so.
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
    """A setting of a box that a person changes in Choregraphe; `inherits` takes a same-named setting of the parent."""

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
    """One box of the diagram; several may share one script file."""

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
    """A wire from an emitter's port to a receiver's port."""

    emitter: End
    receiver: End

    def __str__(self) -> str:
        return f'"{self.emitter}" -> "{self.receiver}"'


@dataclass(frozen=True)
class Flow:
    """A whole diagram; a box's id in the xar is its place in the list, counted from 1."""

    behaviour: str
    preamble: str | None
    boxes: tuple[Box, ...]
    links: tuple[FlowLink, ...]

    def box(self, name: str) -> Box:
        """Return the box of that name; raises `KeyError` where there is none."""
        for box in self.boxes:
            if box.name == name:
                return box
        raise KeyError(name)

    def scripts(self) -> tuple[str, ...]:
        """Every script file named by a box, once, in the order of the boxes."""
        return tuple(dict.fromkeys(box.script for box in self.boxes))


def numbered(box: Box) -> dict[str, int]:
    """Id of each port and parameter of a box: inputs, outputs, then parameters, counted on from onLoad.

    >>> port = Port("onStart", "bang", "onStart")
    >>> numbered(Box("Say", "say.py", "", 0, 0, (port,), (Port("done", "bang", "stopped"),)))
    {'onStart': 2, 'done': 3}
    """
    return {name: number for number, name in enumerate(port_names(box), start=ON_LOAD + 1)}


def port_names(box: Box) -> list[str]:
    """Names of the inputs, outputs and parameters of a box, in that order."""
    ports = [port.name for port in (*box.inputs, *box.outputs)]
    return ports + [parameter.name for parameter in box.parameters]


def end(text: str) -> End:
    """Read a link end from its text, split at the last dot.

    >>> end("Say the word.done")
    End(box='Say the word', port='done')
    """
    box, _, port = text.rpartition(".")
    return End(box, port)
