"""libqi's values in binary form: `encode_value(signature, value)` and `decode_value(signature, data)`.

Numbers are little-endian; a string, a list and a map begin with their length in four bytes; a value of any type (`m`)
has its own signature before it, as a string. A tuple whose signature names its fields is a dict in Python, other tuples
are tuples. A string that is not UTF-8 is `bytes`, and raw data (`r`) is a `bytearray`; each is sent as it was received.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from .limits import BadValue, Budget, ValueLimits


class ObjectCodec(Protocol):
    """The reader and writer of objects inside values: a connection, which knows the objects of both sides."""

    def read_object(self, source: Source) -> Any:
        """Read an object."""

    def write_object(self, out: bytearray, value: Any) -> None:
        """Write an object; raises BadValue if the value is none."""


_DEFAULT_LIMITS = ValueLimits()
_MAX_SIGNATURE_LENGTH = 4000  # characters
_MAX_QUOTED_LENGTH = 60  # characters of a signature that an error quotes
_MAX_KNOWN_CHARACTERS = 50_000  # of all signatures whose codecs are stored: about 15 MB at most
#: A map with this many keys that are not strings costs as many values more. Python's dict needs a time that grows with
#: the square of their number if somebody chose them for that.
_KEYS_AS_DEAR = 1024
_LENGTH = struct.Struct("<I")
_INT_FORMATS = {kind: struct.Struct("<" + letter) for kind, letter in zip("cCwWiIlL", "bBhHiIqQ", strict=True)}
_FLOAT_FORMATS = {kind: struct.Struct("<" + kind) for kind in "fd"}


class Source(Budget):
    """Bytes that are read, the position, and the remaining allowance."""

    __slots__ = ("at", "data", "objects")

    def __init__(self, data: bytes, limits: ValueLimits, objects: ObjectCodec | None) -> None:
        super().__init__(limits, len(data))
        self.data, self.at, self.objects = data, 0, objects

    def decode(self, signature: str) -> Any:
        """Return the value of which all the bytes are; raises BadValue."""
        try:
            value = self.read(get_codec(signature, self))
        except (struct.error, TypeError, RecursionError) as error:
            raise BadValue("they are damaged") from error
        if self.at != len(self.data):
            raise BadValue("they are too long")
        return value

    def read(self, codec: Codec) -> Any:
        """Read a value that no list, map or tuple has counted."""
        self.spend(codec.cost)
        return codec.read(self)

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

    def count_items(self, cost: int, least_bytes: int) -> int:
        """Read the length of a list or a map, count its items, and go one level deeper; see `descend`."""
        length = self.count()
        if length * least_bytes > len(self.data) - self.at:
            raise BadValue("they are too short")
        self.spend(length * cost)
        self.descend()
        return length


class Codec(NamedTuple):
    """How values of one signature are read and written.

    A value of it costs as many values, without the items of lists and maps, and has at least as many bytes.
    """

    read: Callable[[Source], Any]
    write: Callable[[bytearray, Any, ObjectCodec | None], None]
    cost: int
    least_bytes: int


def decode_value(
    signature: str, data: bytes, objects: ObjectCodec | None = None, limits: ValueLimits = _DEFAULT_LIMITS
) -> Any:
    """Return the value in a message; raises BadValue.

    >>> decode_value("(sm)", encode_value("(sm)", ("Key", [1, bytearray(b"ab")])))
    ('Key', [1, bytearray(b'ab')])
    """
    return Source(data, limits, objects).decode(signature)


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


class _KnownCodecs:
    """The codecs of signatures that were parsed; other programs choose some of them, so their number is limited."""

    def __init__(self) -> None:
        self._codecs: dict[str, Codec] = {}
        self._characters = 0
        self.find = self._codecs.get

    def keep(self, signature: str, codec: Codec) -> None:
        if self._characters + len(signature) > _MAX_KNOWN_CHARACTERS:
            self._codecs.clear()
            self._characters = 0
        self._characters += len(signature)
        self._codecs[signature] = codec


_known = _KnownCodecs()


def get_codec(signature: str, budget: Budget | None = None) -> Codec:
    """Return what reads and writes values of this signature; raises BadValue if it is damaged.

    A signature that is not known is paid for from the budget. Any thread may call it.
    """
    found = _PLAIN.get(signature) or _known.find(signature)
    if found is not None:
        return found
    if len(signature) > _MAX_SIGNATURE_LENGTH:
        raise BadValue(f"a signature of more than {_MAX_SIGNATURE_LENGTH} characters")
    if budget is not None:
        budget.spend_signature(len(signature))
    codec, end = _parse(signature, 0, 0)
    if end != len(signature):
        raise BadValue("a value with several signatures")
    _known.keep(signature, codec)
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
    return BadValue(f"no value of type {_quote(signature)}")


def _quote(signature: str) -> str:
    return signature if len(signature) <= _MAX_QUOTED_LENGTH else f"{signature[:_MAX_QUOTED_LENGTH]}..."


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

    return Codec(read, write, 1, size)


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
    length = source.count()
    if not length:
        return None
    if length > _MAX_SIGNATURE_LENGTH:
        raise BadValue(f"a signature of more than {_MAX_SIGNATURE_LENGTH} characters")
    codec = get_codec(source.take(length).decode("latin-1"), source)
    source.descend()
    value = source.read(codec)
    source.depth += 1
    return value


def _write_dynamic(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
    signature = get_dynamic_signature(value)
    out += _LENGTH.pack(len(signature))
    out += signature.encode("ascii")
    get_codec(signature).write(out, value, objects)


_PLAIN: dict[str, Codec] = {
    **{kind: _make_number(kind, form, int) for kind, form in _INT_FORMATS.items()},
    **{kind: _make_number(kind, form, float) for kind, form in _FLOAT_FORMATS.items()},
    "b": Codec(_read_bool, _write_bool, 1, 1),
    "s": Codec(_read_text, _write_text, 1, 4),
    "r": Codec(lambda source: bytearray(source.take(source.count())), _write_text, 1, 4),
    "v": Codec(_read_void, _write_void, 1, 0),
    "m": Codec(_read_dynamic, _write_dynamic, 1, 4),
    "o": Codec(_read_object, _write_object, 1, 16),
}

# Lists, maps, tuples and optional values.


def _make_list(item: Codec, signature: str) -> Codec:
    read_item, write_item, cost, least_bytes = item

    def read(source: Source) -> list[Any]:
        found = [read_item(source) for _ in range(source.count_items(cost, least_bytes))]
        source.depth += 1
        return found

    def write(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
        if not isinstance(value, list | tuple | set | frozenset):
            raise _mismatch(signature)
        out += _LENGTH.pack(len(value))
        for each in value:
            write_item(out, each, objects)

    return Codec(read, write, 1, 4)


def _make_map(key: Codec, item: Codec, signature: str) -> Codec:
    cost, least_bytes = key.cost + item.cost, key.least_bytes + item.least_bytes

    def read(source: Source) -> dict[Any, Any]:
        pairs = [(key.read(source), item.read(source)) for _ in range(source.count_items(cost, least_bytes))]
        odd = sum(type(each) is not str for each, _ in pairs)
        source.spend(odd * odd // _KEYS_AS_DEAR)
        source.depth += 1
        return dict(pairs)

    def write(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
        if not isinstance(value, dict):
            raise _mismatch(signature)
        out += _LENGTH.pack(len(value))
        for each, content in value.items():
            key.write(out, each, objects)
            item.write(out, content, objects)

    return Codec(read, write, 1, 4)


def _make_tuple(parts: tuple[Codec, ...], names: list[str], signature: str) -> Codec:
    def read(source: Source) -> Any:
        source.descend()
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

    return Codec(read, write, 1 + sum(part.cost for part in parts), sum(part.least_bytes for part in parts))


def _make_optional(item: Codec) -> Codec:
    def read(source: Source) -> Any:
        return item.read(source) if _read_bool(source) else None

    def write(out: bytearray, value: Any, objects: ObjectCodec | None) -> None:
        out.append(value is not None)
        if value is not None:
            item.write(out, value, objects)

    return Codec(read, write, 1 + item.cost, 1)


def _parse(signature: str, at: int, depth: int) -> tuple[Codec, int]:
    """Return the codec of the value whose signature begins here, and the end of that signature."""
    kind = signature[at : at + 1]
    if depth > _DEFAULT_LIMITS.depth:
        raise BadValue("a signature that is too deep")
    if kind in _PLAIN:
        return _PLAIN[kind], at + 1
    if kind == "[":
        item, end = _parse(signature, at + 1, depth + 1)
        end = _check_closed(signature, end, "]")
        return _make_list(item, _quote(signature[at:end])), end
    if kind in ("#", "~"):
        # All further arguments, which are sent as a list.
        item, end = _parse(signature, at + 1, depth + 1)
        return _make_list(item, _quote(signature[at:end])), end
    if kind == "+":
        item, end = _parse(signature, at + 1, depth + 1)
        return _make_optional(item), end
    if kind == "{":
        key, middle = _parse(signature, at + 1, depth + 1)
        item, end = _parse(signature, middle, depth + 1)
        end = _check_closed(signature, end, "}")
        return _make_map(key, item, _quote(signature[at:end])), end
    if kind == "(":
        parts, end = [], at + 1
        while signature[end : end + 1] != ")":
            part, end = _parse(signature, end, depth + 1)
            parts.append(part)
        end, names = _parse_names(signature, end + 1)
        return _make_tuple(tuple(parts), names if len(names) == len(parts) else [], _quote(signature[at:end])), end
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
