"""The built-in functions of Python 2 for box scripts that are rewritten for Python 3."""

from __future__ import absolute_import, division, print_function

import functools
import importlib

from naosim.compat import PY2

MYPY = False
if MYPY:
    from typing import Any

#: A longer range stays one: as a list it would fill the memory.
LONGEST = 1000000


def _range(*bounds):  # type: (*int) -> Any
    found = range(*bounds)
    is_short = all(abs(bound) < 1e9 for bound in bounds) and len(found) <= LONGEST
    return list(found) if is_short else found


def _listed(function):  # type: (Any) -> Any
    return lambda *arguments: list(function(*arguments))


def _compared(one, other):  # type: (Any, Any) -> int
    return int(one > other) - int(one < other)


#: `range`, `map` and their like give lists, as scripts expect that write into them or sort them.
OLD_NAMES = (
    {}
    if PY2
    else {
        "range": _range,
        "xrange": range,
        "map": _listed(map),
        "filter": _listed(filter),
        "zip": _listed(zip),
        "unicode": str,
        "basestring": str,
        "long": int,
        "unichr": chr,
        "cmp": _compared,
        "reduce": functools.reduce,
        "reload": getattr(importlib, "reload", None),
        "file": open,
    }
)  # type: dict[str, Any]
