"""libqi's protocol: addresses of robots, the heads of messages, and values in binary form.

`MessageSplitter` cuts bytes into messages, and `MessageCheck` checks those of a client. `decode_values` reads the
values of a message, and `encode_value` writes them. Numbers are little-endian; a text, a list and a map begin with
their length in four bytes; a value of any type (`m`) has its own signature before it, as a text. libqi's binding for
Python cannot send bytes inside such a value. Here they are `r`, as a robot's are, and texts that are not UTF-8 are read
as bytes.
"""

import errno
import ipaddress
import os
import re
import struct
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from naosim.compat import quoted
from naosim.errors import NaosimError

# Addresses.

#: The port at which every NAO listens, and that at which NAOqi 2.9 and newer ask for a user and a password, over TLS.
NAO_PORT, LOGIN_PORT = 9559, 9503
_MAX_ADDRESS_LENGTH = 300
_ADDRESS_PATTERN = re.compile(
    r"(?:(tcps?)://)?(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z_](?:[0-9A-Za-z_.-]{0,252})))"
    r"(?::(\d{1,5}))?/?"
)
_LISTEN_PATTERN = re.compile(r"tcp://(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z.-]{1,253}))(?::(\d{1,5}))?")
_INSECURE_REASON = (
    "a libqi directory has no login, so whoever reaches the port can do everything with it; "
    "give --insecure if that is what you want"
)


class WrongAddress(NaosimError):
    """The text is no address of a robot."""


class Address(NamedTuple):
    """A host, a port and a scheme, tcp or tcps; for a listener, port 0 is any free one."""

    host: str
    port: int
    scheme: str = "tcp"

    @property
    def url(self) -> str:
        """Return the address as libqi writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


def parse_robot_address(text: str, login: bool = False) -> Address:
    """Read `nao.local`, `192.168.1.5:9559`, `tcp://nao.local:9559` or `tcps://nao.local:9503`; raises WrongAddress.

    A host without a port gets the usual port, or with a login the one for logins.

    >>> parse_robot_address("nao.local").url, parse_robot_address("nao.local", login=True).url
    ('tcp://nao.local:9559', 'tcps://nao.local:9503')
    >>> parse_robot_address("tcp://[::1]:40000").port
    40000
    """
    found = _ADDRESS_PATTERN.fullmatch(text.strip()) if len(text) <= _MAX_ADDRESS_LENGTH else None
    host = (found[2] or found[3]) if found else _parse_bare_ipv6(text)
    scheme, port = (found[1] or "", found[4] or "") if found else ("", "")
    if not host or (port and not 0 < int(port) < 65536):
        raise WrongAddress(
            f"{quoted(text[:100])} is no address of a robot: write it like nao.local, "
            f"192.168.1.5:{NAO_PORT} or tcp://nao.local:{NAO_PORT}."
        )
    scheme = scheme or ("tcps" if login and not port else "tcp")
    return Address(host, int(port) if port else LOGIN_PORT if scheme == "tcps" else NAO_PORT, scheme)


def parse_listen_address(text: str, insecure: bool = False) -> Address:
    """Read `tcp://HOST:PORT`; raises NaosimError for other texts, and for other computers unless `insecure`.

    >>> parse_listen_address("tcp://localhost:9559").url
    'tcp://127.0.0.1:9559'
    """
    found = _LISTEN_PATTERN.fullmatch(text[:400])
    port = int(found[3] or NAO_PORT) if found else 65536
    if found is None or port > 65535:
        advice = f"write tcp://127.0.0.1:{NAO_PORT}, or port 0 for any free one"
        raise NaosimError(f"{quoted(text[:100])} is no address to listen at: {advice}.")
    host = "127.0.0.1" if found[2] == "localhost" else found[1] or found[2]
    if not (insecure or is_loopback(host)):
        raise NaosimError(f"{quoted(text)} can be reached from other computers: {_INSECURE_REASON}.")
    return Address(host, port)


def explain_refusal(address: Address, error: int | None) -> str:
    """Return why an address cannot be listened at, for an error number of the system.

    >>> explain_refusal(Address("127.0.0.1", 9559), errno.EACCES)
    'Port 9559 of 127.0.0.1 cannot be listened at (permission denied): choose another address.'
    """
    if error == errno.EADDRINUSE:
        return (
            f"Port {address.port} of {address.host} is taken, perhaps by another robot: "
            "choose another one, such as tcp://127.0.0.1:0 for any free port."
        )
    why = f" ({os.strerror(error).lower()})" if error is not None and error > 0 else ""
    return f"Port {address.port} of {address.host} cannot be listened at{why}: choose another address."


def _parse_bare_ipv6(text: str) -> str:
    try:
        return str(ipaddress.IPv6Address(text.strip()[:60]))
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Return whether a host is this very computer.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "nao.local", "192.0.2.1")]
    [True, True, True, False, False]
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


# Headers of libqi's messages.

#: Magic number, id, length of what follows, version, type, flags, service, object, action.
HEAD_FORMAT = struct.Struct("<IIIHBBIII")
MAGIC, _VERSION = 0x42ADDE42, 0
CALL, REPLY, ERROR, POST, EVENT, _LAST_TYPE = 1, 2, 3, 4, 5, 8
#: The service that greets a client, and its action: every connection begins with this call, and has only one.
GREETER, _GREET = 0, 8
_MAX_GREETING_BYTES = 64 * 1024  # after the header of a greeting
_MAX_MESSAGE_BYTES = 16 * 1024 * 1024  # after the header of any other message
#: Bytes of a message that is waited for until all of it has come; of a longer one, each part is passed on.
MAX_WHOLE_MESSAGE_BYTES = 1024 * 1024


class DamagedMessage(Exception):
    """The bytes are no message of libqi that a client may send."""


def make_call(number: int, service: int, of: int, action: int, payload: bytes = b"") -> bytes:
    """Return a call: its number, the service, the number of the object there, the action and its arguments."""
    return HEAD_FORMAT.pack(MAGIC, number, len(payload), _VERSION, CALL, 0, service, of, action) + payload


class MessageHead(NamedTuple):
    """The head of a message, its magic number and version aside."""

    number: int
    length: int
    kind: int
    flags: int
    service: int
    of: int
    action: int

    @property
    def size(self) -> int:
        """Return the bytes of the whole message."""
        return HEAD_FORMAT.size + self.length


def read_head(raw: bytes, at: int = 0) -> MessageHead:
    """Return the head that begins here; raises DamagedMessage."""
    magic, number, length, version, kind, flags, service, of, action = HEAD_FORMAT.unpack_from(raw, at)
    if magic != MAGIC or version != _VERSION or not CALL <= kind <= _LAST_TYPE:
        raise DamagedMessage("no head of a message")
    return MessageHead(number, length, kind, flags, service, of, action)


def make_answer(head: MessageHead, kind: int, payload: bytes) -> bytes:
    """Return the answer to a call, REPLY or ERROR."""
    target = (head.service, head.of, head.action)
    return HEAD_FORMAT.pack(MAGIC, head.number, len(payload), _VERSION, kind, 0, *target) + payload


def make_post(kind: int, service: int, of: int, action: int, payload: bytes) -> bytes:
    """Return a message that nothing answers, POST or EVENT."""
    return HEAD_FORMAT.pack(MAGIC, 0, len(payload), _VERSION, kind, 0, service, of, action) + payload


GREETING = make_call(1, GREETER, 0, _GREET, bytes(4))  # the greeting of a client without capabilities


class MessageSplitter:
    """Cuts bytes into messages, as they come; a message that is longer than LONGEST_WHOLE into several parts.

    >>> splitter = MessageSplitter()
    >>> [data for _head, data, _is_last in splitter.split(GREETING[:30])]
    []
    >>> [data == GREETING for _head, data, _is_last in splitter.split(GREETING[30:] + GREETING[:5])]
    [True]
    """

    def __init__(self) -> None:
        self._kept = bytearray()
        self._needed = HEAD_FORMAT.size
        self._long: MessageHead | None = None
        self._left = 0

    @property
    def is_between(self) -> bool:
        """Return whether every message that has begun is complete."""
        return not self._kept and not self._left

    def split(self, data: bytes) -> Iterator[tuple[MessageHead, bytes, bool]]:
        """Yield the head of each message, its bytes or a part of them, and whether these are the last of it."""
        if self._kept:
            self._kept += data
            if len(self._kept) < self._needed:
                return
            data = bytes(self._kept)
            self._kept.clear()
        at = 0
        head: MessageHead | None
        while at < len(data):
            if self._long is not None:
                part = data[at : at + self._left]
                self._left -= len(part)
                head, self._long = self._long, self._long if self._left else None
            else:
                self._needed = HEAD_FORMAT.size
                head = read_head(data, at) if len(data) - at >= HEAD_FORMAT.size else None
                part = self._first_part(head, data, at)
                if head is None or not part:
                    self._kept += data[at:]
                    return
            at += len(part)
            yield head, part, not self._left

    def _first_part(self, head: MessageHead | None, data: bytes, at: int) -> bytes:
        """Return a complete message, or the part of a long one that has come; no bytes if more has to come first."""
        if head is None:
            return b""
        if head.length > _MAX_MESSAGE_BYTES:
            raise DamagedMessage("too long")
        whole = head.size
        if head.length > MAX_WHOLE_MESSAGE_BYTES:
            part = data[at : at + whole]
            self._left = whole - len(part)
            self._long = head if self._left else None
            return part
        self._needed = whole
        return data[at : at + whole] if len(data) - at >= whole else b""


class MessageCheck:
    """Follows the messages of one client through its bytes, however they are cut.

    >>> check = MessageCheck()
    >>> check.feed(GREETING[:10]), check.greeting
    (None, 0)
    >>> check.feed(GREETING[10:]), check.greeting == len(GREETING)
    (None, True)
    >>> check.feed(GREETING)
    Traceback (most recent call last):
    ...
    naosim_live.libqi_protocol.DamagedMessage: a second greeting
    """

    def __init__(self) -> None:
        self.greeting = 0  # the length of the first message, with its head, once all of it has come
        self._head = b""
        self._left = 0
        self._first = 0

    @property
    def is_between(self) -> bool:
        """Return whether every message that has begun is complete."""
        return not self._left and not self._head

    def feed(self, data: bytes) -> None:
        """Follow further bytes; raises DamagedMessage."""
        at, end = 0, len(data)
        while at < end:
            if self._left:
                step = min(self._left, end - at)
                self._left -= step
                at += step
            else:
                step = min(HEAD_FORMAT.size - len(self._head), end - at)
                self._head += data[at : at + step]
                at += step
                if len(self._head) == HEAD_FORMAT.size:
                    self._left = self._length()
                    self._head = b""
            if self._first and not self._left and not self.greeting:
                self.greeting = self._first

    def _length(self) -> int:
        """Return how much follows the head."""
        head = read_head(self._head)
        if not self._first:
            if (head.kind, head.service, head.action) != (CALL, GREETER, _GREET) or head.length > _MAX_GREETING_BYTES:
                raise DamagedMessage("no greeting")
            self._first = head.size
        elif head.service == GREETER:
            raise DamagedMessage("a second greeting")
        elif head.length > _MAX_MESSAGE_BYTES:
            raise DamagedMessage("too long")
        return head.length


# libqi's binary values.

MAX_VALUES = 100_000  # of one call
_MAX_DEPTH = 32  # lists in one another
_MAX_SIGNATURE_LENGTH = 1000  # characters
_LENGTH_FORMAT = struct.Struct("<I")
_NUMBER_FORMATS = {kind: struct.Struct("<" + letter) for kind, letter in zip("bcCwWiIlLfd", "?bBhHiIqQfd", strict=True)}


class UnreadableValue(Exception):
    """The bytes are no values of this signature, or more than are read, or objects."""


class _Source:
    """The bytes that are read, how far, and how many values may still come."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.left, self.depth = MAX_VALUES, 0

    def raw(self) -> bytes:
        """Read bytes that follow their length."""
        (length,) = _LENGTH_FORMAT.unpack_from(self.data, self.at)
        start = self.at + 4
        self.at = start + length
        if self.at > len(self.data):
            raise UnreadableValue("they are too short")
        return self.data[start : self.at]

    def count(self) -> int:
        """Read the length of a list."""
        (length,) = _LENGTH_FORMAT.unpack_from(self.data, self.at)
        self.at += 4
        self.left -= length
        if self.left < 0:
            raise UnreadableValue(f"more than {MAX_VALUES} values")
        return int(length)


_Read = Callable[[_Source], Any]


def decode_values(signature: str, data: bytes) -> list[Any]:
    """Return the values of a tuple, such as the arguments of a call; raises Unreadable.

    >>> decode_values("(sm)", encode_value("s", "Key") + encode_value("m", [1, b"ab"]))
    ['Key', [1, b'ab']]
    """
    source = _Source(data)
    try:
        values = [read(source) for read in _make_part_readers(signature)]
    except (struct.error, TypeError) as error:
        raise UnreadableValue("they are damaged") from error
    if source.at != len(data):
        raise UnreadableValue("they are too long")
    return values


def encode_value(signature: str, value: Any) -> bytes:
    """Return the value as libqi sends it; raises TypeError for one of another type.

    >>> encode_value("s", "ja"), encode_value("v", None), encode_value("m", True)
    (b'\\x02\\x00\\x00\\x00ja', b'', b'\\x01\\x00\\x00\\x00b\\x01')
    """
    try:
        return b"".join(_encode(signature, value))
    except (struct.error, UnicodeEncodeError, OverflowError):
        raise TypeError(f"no value of type {signature}") from None


def _encode(signature: str, value: Any) -> list[bytes]:
    if signature == "m":
        kind = _get_signature(value)
        return [_LENGTH_FORMAT.pack(len(kind)), kind.encode("ascii"), *_encode(kind, value)]
    if signature == "v":
        return []
    if signature == "s" and isinstance(value, str):
        raw = value.encode("utf-8")
        return [_LENGTH_FORMAT.pack(len(raw)), raw]
    if signature == "r":
        return [_LENGTH_FORMAT.pack(len(value)), bytes(value)]
    if signature in _NUMBER_FORMATS and isinstance(value, int | float):
        return [_NUMBER_FORMATS[signature].pack(value)]
    parts = [_LENGTH_FORMAT.pack(len(value))]
    if signature.startswith("[") and isinstance(value, list):
        for item in value:
            parts += _encode(signature[1:-1], item)
        return parts
    if signature == "{mm}" and isinstance(value, dict):
        for key, item in value.items():
            parts += [*_encode("m", key), *_encode("m", item)]
        return parts
    raise TypeError(f"no value of type {signature}")


_PLAIN_SIGNATURES = ((type(None), "v"), (bool, "b"), (int, "l"), (float, "d"), (str, "s"))
_SIGNATURES = (*_PLAIN_SIGNATURES, (bytes, "r"), (bytearray, "r"), (list, "[m]"), (dict, "{mm}"))


def _get_signature(value: Any) -> str:
    """Return the signature under which libqi's binding sends a value of any type; only bytes have another one."""
    for kind, name in _SIGNATURES:
        if isinstance(value, kind):
            return name
    raise TypeError("no value of any type")


def _read_text(source: _Source) -> Any:
    raw = source.raw()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def _read_any(source: _Source) -> Any:
    signature = source.raw()
    if len(signature) > _MAX_SIGNATURE_LENGTH:
        raise UnreadableValue(f"a signature of more than {_MAX_SIGNATURE_LENGTH} letters")
    source.depth += 1
    if source.depth > _MAX_DEPTH:
        raise UnreadableValue(f"lists may be {_MAX_DEPTH} deep")
    value = _make_reader(signature.decode("latin-1"))(source)
    source.depth -= 1
    return value


def _make_number_reader(kind: str) -> _Read:
    form = _NUMBER_FORMATS[kind]

    def read(source: _Source) -> Any:
        (value,) = form.unpack_from(source.data, source.at)
        source.at += form.size
        return value

    return read


_PLAIN_READERS: dict[str, _Read] = {
    "s": _read_text,
    "r": _Source.raw,
    "m": _read_any,
    "v": lambda _source: None,
    **{kind: _make_number_reader(kind) for kind in _NUMBER_FORMATS},
}


@lru_cache(maxsize=500)
def _make_reader(signature: str) -> _Read:
    (read, end) = _parse_signature(signature, 0, 0)
    if end != len(signature):
        raise UnreadableValue("a value with several signatures")
    return read


@lru_cache(maxsize=2000)
def _make_part_readers(signature: str) -> tuple[_Read, ...]:
    """Return the readers of the values of a tuple, whose signature is in parentheses."""
    return _parse_several(signature, 1, 0)[0]


def _parse_signature(signature: str, at: int, depth: int) -> tuple[_Read, int]:
    """Return the reader of the value whose signature begins here, and the end of that signature."""
    kind = signature[at : at + 1]
    if depth > _MAX_DEPTH:
        raise UnreadableValue(f"lists may be {_MAX_DEPTH} deep")
    if kind in _PLAIN_READERS:
        return _PLAIN_READERS[kind], at + 1
    if kind == "[":
        item, end = _parse_signature(signature, at + 1, depth + 1)
        after = _check_closed(signature, end, "]")
        return (lambda source: [item(source) for _ in range(source.count())]), after
    if kind == "{":
        key, middle = _parse_signature(signature, at + 1, depth + 1)
        value, end = _parse_signature(signature, middle, depth + 1)
        after = _check_closed(signature, end, "}")
        return (lambda source: {key(source): value(source) for _ in range(source.count())}), after
    if kind == "(":
        parts, end = _parse_several(signature, at + 1, depth + 1)
        return (lambda source: [part(source) for part in parts]), _skip_names(signature, end)
    raise UnreadableValue("an object, or a value of an unknown type")


def _parse_several(signature: str, at: int, depth: int) -> tuple[tuple[_Read, ...], int]:
    parts = []
    while signature[at : at + 1] != ")":
        part, at = _parse_signature(signature, at, depth)
        parts.append(part)
    return tuple(parts), at + 1


def _check_closed(signature: str, at: int, sign: str) -> int:
    if signature[at : at + 1] != sign:
        raise UnreadableValue("a damaged signature")
    return at + 1


def _skip_names(signature: str, at: int) -> int:
    """Return the end of a tuple's signature, whose fields may have names in angle brackets."""
    depth = 0
    if signature[at : at + 1] != "<":
        return at
    for end in range(at, len(signature)):
        depth += {"<": 1, ">": -1}.get(signature[end], 0)
        if not depth:
            return end + 1
    raise UnreadableValue("a damaged signature")
