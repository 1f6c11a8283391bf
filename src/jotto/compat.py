"""Values that are alike on Python 2.7 and 3: text, paths, whole numbers, messages and random draws.

All other modules of the engine can import this one; it does not import them.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib
import sys

MYPY = False
if MYPY:
    from typing import Any, Callable, List, Sequence, TypeVar, Union

PYTHON2 = sys.version_info[0] == 2

text_type = type("")
_integer_types = (int, type(2**64))

_MAX_QUOTED_LENGTH = 60


def as_text(value):  # type: (Union[str, bytes]) -> str
    """Decode UTF-8 bytes (a Python 2 `str` too); leave text as it is."""
    return value.decode("utf-8") if isinstance(value, bytes) else value


def as_native(value):  # type: (Union[str, bytes]) -> str
    """Return the `str` of the running Python, which is what NAOqi's Python 2.7 proxies insist on.

    >>> type(as_native("ocean")) is str
    True
    """
    if PYTHON2:
        return value if isinstance(value, bytes) else value.encode("utf-8")  # type: ignore[return-value]
    return value if isinstance(value, str) else value.decode("utf-8")


def as_path(path):  # type: (str) -> str
    """Return a path as the file functions of the running Python take it, accents included.

    Python 2.7 on a robot without a locale takes no text with an accent, only its bytes.
    """
    if not PYTHON2 or isinstance(path, bytes):
        return path
    try:
        return path.encode(sys.getfilesystemencoding() or "utf-8")  # type: ignore[return-value]
    except UnicodeEncodeError:
        return path.encode("utf-8")  # type: ignore[return-value]


def format_path(path):  # type: (Union[str, bytes]) -> str
    """Return a path as text, for JSON and for people.

    >>> print(format_path(b"/data/nao"))
    /data/nao
    """
    try:
        return as_text(path)
    except UnicodeDecodeError:
        return bytes(path).decode(sys.getfilesystemencoding() or "utf-8", "replace")  # type: ignore[arg-type]


def is_integer(value):  # type: (object) -> bool
    """Tell whole numbers from everything else, `True` and `False` included."""
    return isinstance(value, _integer_types) and not isinstance(value, bool)


def quote_value(value):  # type: (object) -> str
    """Show any value in a message: alike on every Python, and short however long or deep it is.

    >>> print(quote_value(["ocean", (1, None), 10 ** 30]))
    ['ocean', (1, None), a huge number]
    """
    text = _shorten_value(value, 3)
    return text if len(text) <= _MAX_QUOTED_LENGTH else text[: _MAX_QUOTED_LENGTH - 3] + "..."


def _shorten_value(value, depth):  # type: (Any, int) -> str
    if isinstance(value, bytes):
        value = value[:_MAX_QUOTED_LENGTH].decode("utf-8", "replace")
    if isinstance(value, text_type):
        return "'%s'" % (value if len(value) <= _MAX_QUOTED_LENGTH - 10 else value[: _MAX_QUOTED_LENGTH - 13] + "...")
    if is_integer(value):
        return "%d" % value if abs(value) < 10**20 else "a huge number"
    if isinstance(value, (list, tuple)):
        parts = [_shorten_value(item, depth - 1) for item in value[:9]] if depth else []
        inside = ", ".join(parts + ["..."] * (len(value) > len(parts)))
        return ("[%s]" if isinstance(value, list) else "(%s)") % inside
    if isinstance(value, dict):
        pairs = (
            ["%s: %s" % (_shorten_value(key, 0), _shorten_value(value[key], depth - 1)) for key in value]
            if depth
            else ["..."]
        )
        return "{%s}" % ", ".join(sorted(pairs))
    return "%r" % value if value is None or isinstance(value, (bool, float)) else type(value).__name__


def _count_ones(number):  # type: (int) -> int
    return bin(number).count("1")


#: Number of set bits of a non-negative integer: the built-in method if there is one (3.10).
count_ones = getattr(int, "bit_count", _count_ones)  # type: Callable[[int], int]


# Chance. `random.choice` gives different results on 2.7 and 3, so a draw is computed from the SHA-256 of the seed and
# of its purpose. A draw is a pure function: an undone turn draws the same again.

if MYPY:
    Item = TypeVar("Item")


def draw_number(below, seed, *purpose):  # type: (int, int, *Any) -> int
    """Draw a whole number from 0 to `below` - 1; a purpose is made of words and whole numbers.

    >>> draw_number(1000, 1, "guess", 0), draw_number(1000, 1, "guess", 1)
    (829, 997)
    """
    if below < 1:
        raise ValueError("There is nothing to draw from.")
    named = "/".join("%s" % (as_text(part) if isinstance(part, bytes) else part,) for part in (seed,) + purpose)
    return int(int(hashlib.sha256(named.encode("utf-8")).hexdigest()[:16], 16) % below)


def draw_item(items, seed, *purpose):  # type: (Sequence[Item], int, *Any) -> Item
    """Choose one of `items`, all equally likely."""
    return items[draw_number(len(items), seed, *purpose)]


def draw_items(items, count, seed, *purpose):  # type: (Sequence[Item], int, int, *Any) -> List[Item]
    """Choose `count` different items in the order drawn (all of them when there are fewer)."""
    pool = list(items)
    count = max(0, min(count, len(pool)))
    for place in range(count):
        other = place + draw_number(len(pool) - place, seed, place, *purpose)
        pool[place], pool[other] = pool[other], pool[place]
    return pool[:count]
