"""libqi's binary form of values, by signature: what a call carries and what its answer does.

Numbers are little-endian; a text, a list and a map begin with their length in four bytes; a value of any type (`m`) has
its own signature before it, as a text. libqi's binding for Python cannot send bytes inside such a value. Here they are
`r`, as a robot's are, and texts that are no UTF-8 are read as bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

#: Values of one call, lists in one another, and letters of a signature that are read.
MOST_VALUES, DEEPEST, LONGEST_SIGNATURE = 100_000, 32, 1000
LENGTH = struct.Struct("<I")
NUMBERS = {kind: struct.Struct("<" + letter) for kind, letter in zip("bcCwWiIlLfd", "?bBhHiIqQfd", strict=True)}


class Unreadable(Exception):
    """The bytes are no values of this signature, or more than are read, or objects."""


class _Source:
    """The bytes that are read, how far, and how many values may still come."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.left, self.depth = MOST_VALUES, 0

    def raw(self) -> bytes:
        """Read bytes that stand behind their length."""
        (length,) = LENGTH.unpack_from(self.data, self.at)
        start = self.at + 4
        self.at = start + length
        if self.at > len(self.data):
            raise Unreadable("they are too short")
        return self.data[start : self.at]

    def count(self) -> int:
        """Read the length of a list."""
        (length,) = LENGTH.unpack_from(self.data, self.at)
        self.at += 4
        self.left -= length
        if self.left < 0:
            raise Unreadable(f"more than {MOST_VALUES} values")
        return int(length)


_Read = Callable[[_Source], Any]


def decoded(signature: str, data: bytes) -> list[Any]:
    """Return the values of a tuple, such as the arguments of a call; raises Unreadable.

    >>> decoded("(sm)", encoded("s", "Key") + encoded("m", [1, b"ab"]))
    ['Key', [1, b'ab']]
    """
    source = _Source(data)
    try:
        values = [read(source) for read in _parts(signature)]
    except (struct.error, TypeError) as error:
        raise Unreadable("they are damaged") from error
    if source.at != len(data):
        raise Unreadable("they are too long")
    return values


def encoded(signature: str, value: Any) -> bytes:
    """Return the value as libqi sends it; raises TypeError for one of another type.

    >>> encoded("s", "ja"), encoded("v", None), encoded("m", True)
    (b'\\x02\\x00\\x00\\x00ja', b'', b'\\x01\\x00\\x00\\x00b\\x01')
    """
    try:
        return b"".join(_written(signature, value))
    except (struct.error, UnicodeEncodeError, OverflowError):
        raise TypeError(f"no value of type {signature}") from None


def _written(signature: str, value: Any) -> list[bytes]:
    if signature == "m":
        kind = _kind(value)
        return [LENGTH.pack(len(kind)), kind.encode("ascii"), *_written(kind, value)]
    if signature == "v":
        return []
    if signature == "s" and isinstance(value, str):
        raw = value.encode("utf-8")
        return [LENGTH.pack(len(raw)), raw]
    if signature == "r":
        return [LENGTH.pack(len(value)), bytes(value)]
    if signature in NUMBERS and isinstance(value, int | float):
        return [NUMBERS[signature].pack(value)]
    parts = [LENGTH.pack(len(value))]
    if signature.startswith("[") and isinstance(value, list):
        for item in value:
            parts += _written(signature[1:-1], item)
        return parts
    if signature == "{mm}" and isinstance(value, dict):
        for key, item in value.items():
            parts += [*_written("m", key), *_written("m", item)]
        return parts
    raise TypeError(f"no value of type {signature}")


def _kind(value: Any) -> str:
    """Return the signature under which libqi's binding sends a value of any type; bytes alone are other ones."""
    if value is None:
        return "v"
    for kind, name in (
        (bool, "b"),
        (int, "l"),
        (float, "d"),
        (str, "s"),
        (bytes | bytearray, "r"),
        (list, "[m]"),
        (dict, "{mm}"),
    ):
        if isinstance(value, kind):
            return name
    raise TypeError("no value of any type")


def _text(source: _Source) -> Any:
    raw = source.raw()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def _anything(source: _Source) -> Any:
    signature = source.raw()
    if len(signature) > LONGEST_SIGNATURE:
        raise Unreadable(f"a signature of more than {LONGEST_SIGNATURE} letters")
    source.depth += 1
    if source.depth > DEEPEST:
        raise Unreadable(f"lists may be {DEEPEST} deep")
    value = _reader(signature.decode("latin-1"))(source)
    source.depth -= 1
    return value


def _number(kind: str) -> _Read:
    form = NUMBERS[kind]

    def read(source: _Source) -> Any:
        (value,) = form.unpack_from(source.data, source.at)
        source.at += form.size
        return value

    return read


PLAIN: dict[str, _Read] = {
    "s": _text,
    "r": _Source.raw,
    "m": _anything,
    "v": lambda _source: None,
    **{kind: _number(kind) for kind in NUMBERS},
}


@lru_cache(maxsize=500)
def _reader(signature: str) -> _Read:
    """Return what reads one value of a signature."""
    (read, end) = _parsed(signature, 0, 0)
    if end != len(signature):
        raise Unreadable("a value with several signatures")
    return read


@lru_cache(maxsize=2000)
def _parts(signature: str) -> tuple[_Read, ...]:
    """Return what reads each value of a tuple, whose signature is in parentheses."""
    return _several(signature, 1, 0)[0]


def _parsed(signature: str, at: int, depth: int) -> tuple[_Read, int]:
    """Return what reads the value whose signature begins here, and where it ends."""
    kind = signature[at : at + 1]
    if depth > DEEPEST:
        raise Unreadable(f"lists may be {DEEPEST} deep")
    if kind in PLAIN:
        return PLAIN[kind], at + 1
    if kind == "[":
        item, end = _parsed(signature, at + 1, depth + 1)
        after = _closed(signature, end, "]")
        return (lambda source: [item(source) for _ in range(source.count())]), after
    if kind == "{":
        key, middle = _parsed(signature, at + 1, depth + 1)
        value, end = _parsed(signature, middle, depth + 1)
        after = _closed(signature, end, "}")
        return (lambda source: {key(source): value(source) for _ in range(source.count())}), after
    if kind == "(":
        parts, end = _several(signature, at + 1, depth + 1)
        return (lambda source: [part(source) for part in parts]), _without_names(signature, end)
    raise Unreadable("an object, or a value of an unknown type")


def _several(signature: str, at: int, depth: int) -> tuple[tuple[_Read, ...], int]:
    parts = []
    while signature[at : at + 1] != ")":
        part, at = _parsed(signature, at, depth)
        parts.append(part)
    return tuple(parts), at + 1


def _closed(signature: str, at: int, sign: str) -> int:
    if signature[at : at + 1] != sign:
        raise Unreadable("a damaged signature")
    return at + 1


def _without_names(signature: str, at: int) -> int:
    """Return where a tuple ends whose fields may have names, in angle brackets."""
    depth = 0
    if signature[at : at + 1] != "<":
        return at
    for end in range(at, len(signature)):
        depth += {"<": 1, ">": -1}.get(signature[end], 0)
        if not depth:
            return end + 1
    raise Unreadable("a damaged signature")
