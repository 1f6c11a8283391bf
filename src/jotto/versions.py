"""Everything that differs between Python 2.7 and 3, in one place."""
from __future__ import absolute_import, division, print_function, unicode_literals

import sys

MYPY = False
if MYPY:
    from typing import Any, Callable, Union

PYTHON2 = sys.version_info[0] == 2

text_type = type("")
integer_types = (int, type(2 ** 64))


def as_text(value):
    # type: (Union[str, bytes]) -> str
    """Decode UTF-8 bytes (a Python 2 `str` too); leave text as it is."""
    return value.decode("utf-8") if isinstance(value, bytes) else value


def as_native(value):
    # type: (Union[str, bytes]) -> str
    """Give the `str` of the running Python, which is what NAOqi's Python 2.7 proxies insist on.

    >>> type(as_native("ocean")) is str
    True
    """
    if PYTHON2 and not isinstance(value, bytes):
        return value.encode("utf-8")  # type: ignore[return-value]
    return as_text(value)


def is_integer(value):
    # type: (object) -> bool
    """Tell whole numbers from everything else, `True` and `False` included."""
    return isinstance(value, integer_types) and not isinstance(value, bool)


def _count_ones(number):
    # type: (int) -> int
    return bin(number).count("1")


#: Number of set bits of a non-negative integer: the built-in method where there is one (3.10).
count_ones = getattr(int, "bit_count", _count_ones)  # type: Callable[[int], int]
