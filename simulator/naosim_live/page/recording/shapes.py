"""What a recording may hold, value by value: a damaged one is refused before anything of it is shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from naosim.cli import transcript_line
from naosim.compat import from_json
from naosim.remote import unpack_value
from naosim.robot_requests import JOINTS, LIGHTS
from naosim.world import Event

#: A shape: a type, a test, a list of such values, a dict with these keys, or one of several shapes.
_Shape = Any


class _Row(NamedTuple):
    """A list of so many values, each of its own shape."""

    shapes: tuple[_Shape, ...]


class Table(NamedTuple):
    """A dict whose keys are any texts, and its values of one shape."""

    shape: _Shape


def fits(value: Any, shape: _Shape) -> bool:
    """Tell whether a value of JSON has a shape.

    >>> fits([1, "a"], _Row((int, str))), fits({"a": [True]}, {"a": [int]})
    (True, False)
    """
    if isinstance(shape, type):
        return isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
    if isinstance(shape, _Row):
        return isinstance(value, list) and len(value) == len(shape.shapes) and all(map(fits, value, shape.shapes))
    if isinstance(shape, Table):
        return isinstance(value, dict) and all(fits(each, shape.shape) for each in value.values())
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(each, shape[0]) for each in value)
    if isinstance(shape, dict):
        return (
            isinstance(value, dict)
            and value.keys() == shape.keys()
            and all(fits(value[key], each) for key, each in shape.items())
        )
    if isinstance(shape, tuple):
        return any(fits(value, each) for each in shape)
    return bool(shape(value))


def number(value: Any) -> bool:
    """Tell whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def plain(value: Any) -> bool:
    """Tell whether a value is a text, a number, true, false or null."""
    return value is None or isinstance(value, str | bool) or number(value)


def _packed_text(value: Any) -> bool:
    """Tell whether a value is the JSON of a value of ALMemory."""
    if not isinstance(value, str):
        return False
    try:
        unpack_value(from_json(value))
    except (ValueError, RecursionError):
        return False
    return True


def lights(value: Any) -> bool:
    """Tell whether a value says how bright each light is."""
    return isinstance(value, str) and len(value) == 2 * len(LIGHTS) and not value.strip("0123456789abcdef")


_SIGNAL = _Row((int, number, str, str, int, int, int, int, int, str))
_ERROR = _Row(([str], str, number, str, str, bool))
_PORT = _Row((int, str, plain, str))
_LIVE = {"lit": [str], "places": Table([int]), "cursors": Table(_Row((number, bool, number)))}
#: What a moment's state holds, by the part of a name before its first stroke.
_STATE: Mapping[str, _Shape] = {
    "speed": number,
    "angles": _Row((number,) * len(JOINTS)),
    "lights": lights,
    "posture": str,
    "place": _Row((number,) * 3),
    "is_awake": bool,
    "is_speaking": bool,
    "touched": [str],
    "breath": _Row((number,) * 2),
    "is_blinking": bool,
    "behaviour": {"id": str, "runs": bool},
    "ears": {"engine": plain, "vocabulary": [str], "spotting": plain, "touch": (plain, [str])},
    "position": int,
    "loads": int,
    "latest": str,
    "known": [str],
    "live": _LIVE,
    "signal": _SIGNAL,
    "error": _ERROR,
    "memory": _packed_text,
    "device": _packed_text,
}
_BOX = {
    "id": int,
    "address": str,
    "name": str,
    "x": number,
    "y": number,
    "kind": str,
    "opens": bool,
    "tooltip": str,
    "inputs": [_PORT],
    "outputs": [_PORT],
    "parameters": [_Row((int, str))],
    "findings": int,
}
_TRAIL = [_Row((str, str, int))]
_TIMELINE = {
    "fps": number,
    "start": int,
    "end": int,
    "layers": [str],
    "curves": [_Row((str, bool, [number]))],
    "left_out": int,
}
_PARAMETER = {"name": str, "type": str, "inherits": bool, "value": plain, "default": plain}
_DIAGRAM = {
    "address": str,
    "trail": _TRAIL,
    "owner": _BOX,
    "place": int,
    "boxes": [_BOX],
    "links": [_Row((int, int, int, int))],
    "left_out": _Row((int, int)),
    "keyframes": [_Row((int, str, int, int))],
    "timeline": (_TIMELINE, lambda value: value is None),
}
_DETAILS = {
    **_BOX,
    **{
        "trail": _TRAIL,
        "path": str,
        "plugin": str,
        "script": str,
        "is_cut": bool,
        "script_line": plain,
        "dialog": str,
        "parameters": [_PARAMETER],
        "resources": [_Row((str, str, number))],
        "lint": [_Row((str, str, str))],
    },
}
#: The diagrams of one behaviour.
BLUEPRINT: _Shape = {"diagrams": [_DIAGRAM], "boxes": Table(_DETAILS)}

#: What panels take for granted of events, by their kinds.
_EVENT: Mapping[str, Mapping[str, _Shape]] = {
    "say": {"text": str},
    "hear": {"phrase": str, "confidence": number, "engine": plain},
    "touch": {"sensor": str, "pressed": plain},
    "error": {"where": str, "message": str},
    "end": {"behaviour": plain},
    "memory": {"key": str, "value": object},
}


def is_state(values: Any) -> bool:
    """Tell whether a value is a state or a part of one: names with values of their shapes."""
    return isinstance(values, dict) and all(
        name.partition("/")[0] in _STATE and fits(value, _STATE[name.partition("/")[0]])
        for name, value in values.items()
    )


def is_event(event: Event) -> bool:
    """Tell whether an event has the fields that panels show of its kind."""
    if not isinstance(event.fields, dict):
        return False
    try:
        transcript_line(event)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return False
    return all(
        name in event.fields and (shape is object or fits(event.fields[name], shape))
        for name, shape in _EVENT.get(event.kind, {}).items()
    )
