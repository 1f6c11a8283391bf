"""Values of options that need no check by typer: it asks pydantic, whose import takes as long as many a command."""

from __future__ import annotations

import re
from typing import Any

_WHOLE, _DECIMAL = re.compile(r"-?[0-9]{1,9}"), re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")
_MARKS = ("parser", "click_type", "clamp", "path_type", "allow_dash", "resolve_path")


def take_plainly(param: Any) -> None:
    """Let an option or argument take plain texts and numbers as they are; all else, and what is wrong, is typer's."""
    if "process_value" in vars(param):
        return
    judged = param.process_value

    def process(ctx: Any, value: Any) -> Any:
        if value is None and not (param.required or param.multiple or param.nargs != 1):
            plain, found = True, None
        else:
            plain, found = _read(param, value)
        if not plain:
            return judged(ctx, value)
        return param.callback(ctx, param, found) if param.callback else found

    param.process_value = process


def _read(param: Any, value: Any) -> tuple[bool, Any]:
    """Return whether a value is plain, and what it says."""
    kind = getattr(param, "type_descriptor", None)
    if kind is None or param.multiple or param.nargs != 1:
        return False, None
    told = kind.parameter_info
    if any(getattr(told, mark, None) for mark in _MARKS):
        return False, None
    if kind.annotation is str:
        return isinstance(value, str) and _is_text(value), value
    if kind.annotation in (int, float):
        found = _number(kind.annotation, value)
        within = (
            found is not None and (told.min is None or found >= told.min) and (told.max is None or found <= told.max)
        )
        return within, found
    return False, None


def _number(annotation: Any, value: Any) -> Any:
    """Read a number as everybody writes it; None where it is written otherwise."""
    if isinstance(value, str):
        written = _WHOLE if annotation is int else _DECIMAL
        return annotation(value) if written.fullmatch(value) else None
    return value if type(value) is annotation else None


def _is_text(value: str) -> bool:
    """Tell whether a text has no bytes in it that were none of a text."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
