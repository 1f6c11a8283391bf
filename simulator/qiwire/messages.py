"""The messages of libqi, a header of 28 bytes and the payload; `MessageReader` cuts bytes into them."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from .limits import MAX_GREETING_BYTES, BadValue, ValueLimits
from .values import decode_value, encode_value

HEADER_FORMAT = struct.Struct("<IIIHBBIII")
HEADER_BYTES = HEADER_FORMAT.size
MAGIC, _VERSION = 0x42ADDE42, 0
#: Kinds of messages.
CALL, REPLY, ERROR, POST, EVENT, CAPABILITY, CANCEL, CANCELED = range(1, 9)
#: A flag: the message carries a value of any type instead of the declared one.
DYNAMIC_PAYLOAD = 1
#: A flag: the signature of the expected answer follows the arguments.
RETURN_TYPE = 2
#: The service that greets, its action, and the service directory, whose object has the number of every main object.
GREETER, GREET, DIRECTORY, MAIN_OBJECT = 0, 8, 1, 1
#: The actions of every object.
REGISTER_EVENT, UNREGISTER_EVENT, META_OBJECT, TERMINATE, GET_PROPERTY, SET_PROPERTY, LIST_PROPERTIES = (
    0,
    1,
    2,
    3,
    5,
    6,
    7,
)
REGISTER_EVENT_WITH_SIGNATURE = 8
#: The first number of an object's own methods, signals and properties.
FIRST_ACTION = 100
#: The actions of the service directory, and its two signals.
(
    FIND_SERVICE, LIST_SERVICES, REGISTER_SERVICE, UNREGISTER_SERVICE, SERVICE_READY, UPDATE_SERVICE, SERVICE_ADDED,
    SERVICE_REMOVED, MACHINE_ID,
) = range(100, 109)  # fmt: skip

#: The name of a greeting's progress.
AUTH_STATE = "__qi_auth_state"
AUTH_ERROR, AUTH_DONE = 1, 3
KNOWS_IDENTITIES = "ObjectPtrUID"
#: The capabilities of this implementation, in libqi's names. Dynamic arguments, cancelled calls, calls in both
#: directions and the identities of objects work; meta-objects are sent whole, and endpoints are complete addresses.
CAPABILITIES = {
    "ClientServerSocket": True,
    "MessageFlags": True,
    "MetaObjectCache": False,
    KNOWS_IDENTITIES: True,
    "RelativeEndpointURI": False,
    "RemoteCancelableCalls": True,
}


class Dialect(NamedTuple):
    """The beginning of a conversation with a server: what it can do, and whether it knows logins.

    A server that knows no logins tells at once what it can do; it answers a greeting by an error.
    """

    capabilities: dict[str, bool] = CAPABILITIES
    has_logins: bool = True

    @property
    def has_identities(self) -> bool:
        """Return whether the server knows objects by their identities."""
        return KNOWS_IDENTITIES in self.capabilities


def _select_capabilities(*names: str) -> dict[str, bool]:
    return {name: CAPABILITIES[name] for name in names}


_FIRST = ("ClientServerSocket", "MessageFlags", "MetaObjectCache")
#: What servers of libqi say, by its source: of June 2014 (NAOqi 2.1), of 2.5.0 to 2.6, and of 2021. The older ones can
#: also cache meta-objects, which this implementation cannot.
LIBQI_2014 = Dialect(_select_capabilities(*_FIRST), has_logins=False)
LIBQI_2016 = Dialect(_select_capabilities(*_FIRST, "RemoteCancelableCalls"))
LIBQI_2021 = Dialect()


class DamagedMessage(Exception):
    """The bytes are not a message of libqi, or one that is too long."""


class Header(NamedTuple):
    """The header of a message, without its magic number and version."""

    number: int
    length: int
    kind: int
    flags: int
    service: int
    object: int
    action: int


def make_message(
    kind: int, number: int, service: int, object_: int, action: int, payload: bytes = b"", flags: int = 0
) -> bytes:
    """Return a message of any kind."""
    return HEADER_FORMAT.pack(MAGIC, number, len(payload), _VERSION, kind, flags, service, object_, action) + payload


def make_answer(head: Header, kind: int, payload: bytes = b"", flags: int = 0) -> bytes:
    """Return the answer to a call: REPLY, ERROR or CANCELED."""
    return make_message(kind, head.number, head.service, head.object, head.action, payload, flags)


def make_error(head: Header, sentence: str) -> bytes:
    """Return the answer to a call that fails."""
    return make_answer(head, ERROR, encode_value("m", sentence))


def make_greeting(capabilities: dict[str, Any], number: int = 1) -> bytes:
    """Return the call with which every connection begins: the client's capabilities, and its login."""
    return make_message(CALL, number, GREETER, 0, GREET, encode_value("{sm}", capabilities))


_GREETING_LIMITS = ValueLimits(1000, 8, 1000)


def read_greeting(payload: bytes) -> dict[str, Any]:
    """Return the content of a greeting, its answer or a message with capabilities; {} if it cannot be read."""
    try:
        return dict(decode_value("{sm}", payload, None, _GREETING_LIMITS))
    except BadValue:
        return {}


def keep_capabilities(said: dict[str, Any], own: dict[str, bool] = CAPABILITIES) -> dict[str, bool]:
    """Return those of a program's capabilities that this side has, too."""
    return {key: said[key] for key in own if isinstance(said.get(key), bool)}


def describe_missing(head: Header) -> str:
    """Return libqi's sentence for a call to a service that is not there."""
    return f"can't find service, address: {{{head.service}.{head.object}.{head.action}, id:{head.number}}}"


def read_header(data: bytes | bytearray, at: int = 0) -> Header:
    """Return the header that begins here; raises DamagedMessage."""
    magic, number, length, version, kind, flags, service, object_, action = HEADER_FORMAT.unpack_from(data, at)
    if magic != MAGIC or version != _VERSION or not CALL <= kind <= CANCELED:
        raise DamagedMessage("no header of a message")
    return Header(number, length, kind, flags, service, object_, action)


def _is_greeting(head: Header) -> bool:
    return head.kind == CAPABILITY or (head.kind == CALL and head.service == GREETER)


class MessageReader:
    """Cuts bytes into messages, as they come; `max_bytes` is the longest message, a greeting has its own limit.

    >>> reader = MessageReader(1000)
    >>> greeting = make_greeting({})
    >>> reader.add(greeting[:30])
    >>> reader.take()
    >>> reader.add(greeting[30:] + b"B")
    >>> head, payload = reader.take()
    >>> head.service, head.action, payload, reader.kept
    (0, 8, b'\\x00\\x00\\x00\\x00', 1)
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._kept = bytearray()
        self._head: Header | None = None

    @property
    def kept(self) -> int:
        """Return the number of bytes that wait to be taken, or for the rest of their message."""
        return len(self._kept)

    def add(self, data: bytes) -> None:
        """Add bytes that have come."""
        self._kept += data

    def peek(self) -> Header | None:
        """Return the header of the next message, None if it is not complete; raises DamagedMessage."""
        head = self._head
        if head is None:
            if len(self._kept) < HEADER_BYTES:
                return None
            head = read_header(self._kept)
            if head.length > (MAX_GREETING_BYTES if _is_greeting(head) else self.max_bytes):
                raise DamagedMessage(f"a message of {head.length} bytes")
            self._head = head
        return head if len(self._kept) >= HEADER_BYTES + head.length else None

    def take(self) -> tuple[Header, bytes] | None:
        """Return the header and the content of the next message, None if it is not complete; raises DamagedMessage."""
        head = self.peek()
        if head is None:
            return None
        end = HEADER_BYTES + head.length
        with memoryview(self._kept) as kept:
            payload = bytes(kept[HEADER_BYTES:end])
        del self._kept[:end]
        self._head = None
        return head, payload
