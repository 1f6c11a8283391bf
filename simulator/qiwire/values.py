"""libqi's values in binary form: `encode_value(signature, value)` and `decode_value(signature, data)`.

Numbers are little-endian; a string, a list and a map begin with their length in four bytes; a value of any type (`m`)
has its own signature before it, as a string. A tuple whose signature names its fields is a dict in Python, other tuples
are tuples. A string that is not UTF-8 is `bytes`, and raw data (`r`) is a `bytearray`; each is sent as it was received.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol


class BadValue(RuntimeError):
    """The bytes are no values of this signature, or the value cannot be sent under it."""


class ObjectCodec(Protocol):
    """What reads and writes objects inside values: a connection, which knows the objects of both sides."""

    def read_object(self, source: Source) -> Any:
        """Read an object."""

    def write_object(self, out: bytearray, value: Any) -> None:
        """Write an object; raises BadValue if the value is none."""


class ValueLimits(NamedTuple):
    """Limits of one message: how many values, and how deep lists, maps, tuples and dynamic values are in each other."""

    values: int = 16_000_000
    depth: int = 300


_NO_LIMITS = ValueLimits()
_MAX_SIGNATURE_LENGTH = 4000  # characters
_LENGTH = struct.Struct("<I")
_INT_FORMATS = {kind: struct.Struct("<" + letter) for kind, letter in zip("cCwWiIlL", "bBhHiIqQ", strict=True)}
_FLOAT_FORMATS = {kind: struct.Struct("<" + kind) for kind in "fd"}


class Source:
    """Bytes that are read, the position, and how many values may still come."""

    __slots__ = ("at", "data", "depth", "left", "objects")

    def __init__(self, data: bytes, limits: ValueLimits, objects: ObjectCodec | None) -> None:
        self.data, self.at, self.objects = data, 0, objects
        self.left, self.depth = limits

    def take(self, length: int) -> bytes:
        """Read this many bytes."""
        start = self.at
        self.at = start + length
        if self.at > len(self.data):
            raise BadValue("they are too short")
        return self.data[start : self.at]

    def count(self) -> int:
        """Read the length of a string, a list or a map."""
        (length,) = _LENGTH.unpack_from(self.data, self.at)
        self.at += 4
        return int(length)

    def count_values(self) -> int:
        """Read the length of a list or a map, and go one level deeper; `depth` is raised again by the caller."""
        length = self.count()
        self.left -= length
        self.depth -= 1
        if self.left < 0 or self.depth < 0:
            raise BadValue("they are too many" if self.left < 0 else "they are too deep in each other")
        return length


class Codec(NamedTuple):
    """How values of one signature are read and written; `parts` are the codecs of a tuple's fields."""

    read: Callable[[Source], Any]
    write: Callable[[bytearray, Any, ObjectCodec | None], None]
    parts: tuple[Codec, ...] = ()


def decode_value(
    signature: str, data: bytes, objects: ObjectCodec | None = None, limits: ValueLimits = _NO_LIMITS
) -> Any:
    """Return the value in a message; raises BadValue.

    >>> decode_value("(sm)", encode_value("(sm)", ("Key", [1, bytearray(b"ab")])))
    ('Key', [1, bytearray(b'ab')])
    """
    source = Source(data, limits, objects)
    try:
        value = get_codec(signature).read(source)
    except (struct.error, TypeError, RecursionError) as error:
        raise BadValue("they are damaged") from error
    if source.at != len(data):
        raise BadValue("they are too long")
    return value


def encode_value(signature: str, value: Any, objects: ObjectCodec | None = None) -> bytes:
    """Return the value as libqi sends it; raises BadValue for one of another type.

    >>> encode_value("s", "ja"), encode_value("v", None), encode_value("m", True)
    (b'\\x02\\x00\\x00\\x00ja', b'', b'\\x01\\x00\\x00\\x00b\\x01')
    """
    out = bytearray()
    try:
        get_codec(signature).write(out, value, objects)
    except (struct.error, ValueError, OverflowError, RecursionError):
        raise _mismatch(signature) from None
    return bytes(out)


def get_dynamic_signature(value: Any) -> str:
    """Return the signature under which a value of any type is sent, as libqi's module for Python does."""
    if value is None:
        return "v"
    for kind, signature in _DYNAMIC_SIGNATURES:
        if isinstance(value, kind):
            return signature
    if isinstance(value, tuple | set | frozenset):
        return f"({'m' * len(value)})"
    return "o"


@lru_cache(maxsize=4096)
def get_codec(signature: str) -> Codec:
    """Return what reads and writes values of this signature; raises BadValue if it is damaged."""
    if len(signature) > _MAX_SIGNATURE_LENGTH:
        raise BadValue(f"a signature of more than {_MAX_SIGNATURE_LENGTH} characters")
    codec, end = _parse(signature, 0, 0)
    if end != len(signature):
        raise BadValue("a value with several signatures")
    return codec


def split_tuple(signature: str) -> list[str]:
    """Return the signatures of a tuple's fields.

    >>> split_tuple("(s[i]((sf)<P,name,size>m))")
    ['s', '[i]', '((sf)<P,name,size>m)']
    """
    found, at = [], 1
    while signature[at : at + 1] != ")":
        _codec, end = _parse(signature, at, 0)
        found.append(signature[at:end])
        at = end
    return found


_DYNAMIC_SIGNATURES: tuple[tuple[type, str], ...] = (
    (bool, "b"), (int, "l"), (float, "d"), (str, "s"), (bytes, "s"), (bytearray, "r"), (list, "[m]"), (dict, "{mm}"),
)  # fmt: skip


def _mismatch(signature: str) -> BadValue:
    return BadValue(f"no value of type {signature}")


# Plain values.


def _make_number(kind: str, form: struct.Struct, convert: Callable[[Any], Any]) -> Codec:
    unpack, pack, size = form.unpack_from, form.pack, form.size

    def read(source: Source) -> Any:
        (value,) = unpack(source.data, source.at)
        source.at += size
        return value

    def write(out: bytearray, value: Any, _objects: ObjectCodec | None) -> None:
        if not isinstance(value, int | float):
            raise _mismatch(kind)
        out += pack(convert(value))

    return Codec(read, write)


def _read_bool(source: Source) -> bool:
    return source.take(1) != b"\0"


def _write_bool(out: bytearray, value: Any, _objects: ObjectCodec | None) -> None:
    if not isinstance(value, int) or value not in (0, 1):
        raise _mismatch("b")
    out.append(value)


def _read_text(source: Source) -> Any:
    raw = source.take(source.count())
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def _write_text(out: bytearray, value: Any, _objects: ObjectCodec | None) -> None:
    raw = value.encode("utf-8") if isinstance(value, str) else value
    if not isinstance(raw, bytes | bytearray):
        raise _mismatch("s")
    out += _LENGTH.pack(len(raw))
    out += raw


def _read_void(_source: Source) -> None:
    return None


def _write_void(_out: bytearray, value: Any, _objects: ObjectCodec | None) -> None:
    if value is not None:
        raise _mismatch("v")


def _read_object(source: Source) -> Any:
    if source.objects is None:
        raise BadValue("an object")
    return source.objects.read_object(source)


def _write_object(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
    if objects is None:
        raise _mismatch("o")
    objects.write_object(out, value)


def _read_dynamic(source: Source) -> Any:
    signature = source.take(source.count()).decode("latin-1")
    source.depth -= 1
    if source.depth < 0:
        raise BadValue("they are too deep in each other")
    value = (_PLAIN.get(signature) or get_codec(signature)).read(source) if signature else None
    source.depth += 1
    return value


def _write_dynamic(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
    signature = get_dynamic_signature(value)
    out += _LENGTH.pack(len(signature))
    out += signature.encode("ascii")
    (_PLAIN.get(signature) or get_codec(signature)).write(out, value, objects)


_PLAIN: dict[str, Codec] = {
    **{kind: _make_number(kind, form, int) for kind, form in _INT_FORMATS.items()},
    **{kind: _make_number(kind, form, float) for kind, form in _FLOAT_FORMATS.items()},
    "b": Codec(_read_bool, _write_bool),
    "s": Codec(_read_text, _write_text),
    "r": Codec(lambda source: bytearray(source.take(source.count())), _write_text),
    "v": Codec(_read_void, _write_void),
    "m": Codec(_read_dynamic, _write_dynamic),
    "o": Codec(_read_object, _write_object),
}

# Lists, maps, tuples and optional values.


def _make_list(item: Codec, signature: str) -> Codec:
    read_item, write_item = item.read, item.write

    def read(source: Source) -> list[Any]:
        found = [read_item(source) for _ in range(source.count_values())]
        source.depth += 1
        return found

    def write(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
        if not isinstance(value, list | tuple | set | frozenset):
            raise _mismatch(signature)
        out += _LENGTH.pack(len(value))
        for each in value:
            write_item(out, each, objects)

    return Codec(read, write)


def _make_map(key: Codec, item: Codec, signature: str) -> Codec:
    def read(source: Source) -> dict[Any, Any]:
        found = {key.read(source): item.read(source) for _ in range(source.count_values())}
        source.depth += 1
        return found

    def write(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
        if not isinstance(value, dict):
            raise _mismatch(signature)
        out += _LENGTH.pack(len(value))
        for each, content in value.items():
            key.write(out, each, objects)
            item.write(out, content, objects)

    return Codec(read, write)


def _make_tuple(parts: tuple[Codec, ...], names: list[str], signature: str) -> Codec:
    def read(source: Source) -> Any:
        source.depth -= 1
        if source.depth < 0:
            raise BadValue("they are too deep in each other")
        found = tuple([part.read(source) for part in parts])
        source.depth += 1
        return dict(zip(names, found, strict=True)) if names else found

    def write(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
        if names and isinstance(value, dict):
            value = [value.get(name) for name in names]
        if not isinstance(value, list | tuple | set | frozenset) or len(value) != len(parts):
            raise _mismatch(signature)
        for part, each in zip(parts, value, strict=True):
            part.write(out, each, objects)

    return Codec(read, write, parts)


def _make_optional(item: Codec) -> Codec:
    def read(source: Source) -> Any:
        return item.read(source) if _read_bool(source) else None

    def write(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
        out.append(value is not None)
        if value is not None:
            item.write(out, value, objects)

    return Codec(read, write)


def _parse(signature: str, at: int, depth: int) -> tuple[Codec, int]:
    """Return the codec of the value whose signature begins here, and the end of that signature."""
    kind = signature[at : at + 1]
    if depth > ValueLimits().depth:
        raise BadValue("a signature that is too deep")
    if kind in _PLAIN:
        return _PLAIN[kind], at + 1
    if kind == "[":
        item, end = _parse(signature, at + 1, depth + 1)
        end = _check_closed(signature, end, "]")
        return _make_list(item, signature[at:end]), end
    if kind in ("#", "~"):
        # All arguments from here on, which are sent as a list.
        item, end = _parse(signature, at + 1, depth + 1)
        return _make_list(item, signature[at:end]), end
    if kind == "+":
        item, end = _parse(signature, at + 1, depth + 1)
        return _make_optional(item), end
    if kind == "{":
        key, middle = _parse(signature, at + 1, depth + 1)
        item, end = _parse(signature, middle, depth + 1)
        end = _check_closed(signature, end, "}")
        return _make_map(key, item, signature[at:end]), end
    if kind == "(":
        parts, end = [], at + 1
        while signature[end : end + 1] != ")":
            part, end = _parse(signature, end, depth + 1)
            parts.append(part)
        end, names = _parse_names(signature, end + 1)
        return _make_tuple(tuple(parts), names if len(names) == len(parts) else [], signature[at:end]), end
    raise BadValue(f"a value of the unknown type {kind!r}")


def _check_closed(signature: str, at: int, sign: str) -> int:
    if signature[at : at + 1] != sign:
        raise BadValue("a damaged signature")
    return at + 1


def _parse_names(signature: str, at: int) -> tuple[int, list[str]]:
    """Return the end of a tuple's signature and the names of its fields, which are in angle brackets: <Type,a,b>."""
    if signature[at : at + 1] != "<":
        return at, []
    depth = 0
    for end in range(at, len(signature)):
        depth += {"<": 1, ">": -1}.get(signature[end], 0)
        if not depth:
            return end + 1, [] if "<" in signature[at + 1 : end] else signature[at + 1 : end].split(",")[1:]
    raise BadValue("a damaged signature")
