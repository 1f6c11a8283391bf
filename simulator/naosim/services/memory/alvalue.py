"""The values that ALMemory can hold."""

from __future__ import absolute_import, division, print_function

from naosim.compat import INTEGERS

MYPY = False
if MYPY:
    from typing import Any

MAX_DEPTH = 20
MAX_ITEMS = 100000  # entries of one list
SMALLEST, LARGEST = -(2**31), 2**31 - 1
PLAIN = frozenset([str, float, bool, type(None), bytearray])


class NotAnALValue(ValueError):
    """The value has a type or a size that the robot's memory cannot hold."""


def stored(value, depth=0):  # type: (Any, int) -> Any
    """Copy a value as the robot's memory does; raise NotAnALValue, which says what it cannot hold.

    >>> stored(("yes", [1, 0.5, None]))
    ['yes', [1, 0.5, None]]
    """
    kind = type(value)
    if kind in PLAIN:
        return value
    if isinstance(value, INTEGERS):
        return _integer(value)
    if kind is list or isinstance(value, tuple):
        return _list(value, depth)
    raise NotAnALValue("%s %.60r is not text, a number, a bool or a list of those" % (kind.__name__, value))


def copied(value):  # type: (Any) -> Any
    """Copy nested lists that `stored` has already checked."""
    return [copied(item) for item in value] if type(value) is list else value


def _integer(value):  # type: (int) -> int
    if not SMALLEST <= value <= LARGEST:
        raise NotAnALValue("integer %d does not fit into the robot's 32 bits" % value)
    return int(value)


def _list(value, depth):  # type: (Any, int) -> Any
    if depth >= MAX_DEPTH or len(value) > MAX_ITEMS:
        raise NotAnALValue("lists may be %d deep and hold %d entries" % (MAX_DEPTH, MAX_ITEMS))
    return [stored(item, depth + 1) for item in value]
