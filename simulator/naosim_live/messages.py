"""The heads of libqi's messages, as far as a gate has to know them; what they carry is not looked at."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

#: Magic number, id, length of what follows, version, type, flags, service, object, action.
HEAD = struct.Struct("<IIIHBBIII")
MAGIC, VERSION = 0x42ADDE42, 0
CALL, REPLY, ERROR, POST, EVENT, LAST_TYPE = 1, 2, 3, 4, 5, 8
#: The service that greets a client, and its action: every connection begins with this call, and has only one.
GREETER, GREET = 0, 8
#: Bytes that follow the head of a greeting, and of any other message.
LONGEST_GREETING, LONGEST_MESSAGE = 64 * 1024, 16 * 1024 * 1024
#: Bytes of a message that is waited for until all of it has come; of a longer one, each part is passed on.
LONGEST_WHOLE = 1024 * 1024


class DamagedMessage(Exception):
    """The bytes are no message of libqi, or none that a client sends."""


def message(number: int, service: int, of: int, action: int, payload: bytes = b"") -> bytes:
    """Return a call: its number, the service, the number of the object there, the action and what it carries."""
    return HEAD.pack(MAGIC, number, len(payload), VERSION, CALL, 0, service, of, action) + payload


class Head(NamedTuple):
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
        return HEAD.size + self.length


def head_of(raw: bytes, at: int = 0) -> Head:
    """Return the head that begins here; raises DamagedMessage."""
    magic, number, length, version, kind, flags, service, of, action = HEAD.unpack_from(raw, at)
    if magic != MAGIC or version != VERSION or not CALL <= kind <= LAST_TYPE:
        raise DamagedMessage("no head of a message")
    return Head(number, length, kind, flags, service, of, action)


def answer(head: Head, kind: int, payload: bytes) -> bytes:
    """Return the answer to a call, REPLY or ERROR."""
    return HEAD.pack(MAGIC, head.number, len(payload), VERSION, kind, 0, head.service, head.of, head.action) + payload


def posted(kind: int, service: int, of: int, action: int, payload: bytes) -> bytes:
    """Return a message that nothing answers, POST or EVENT."""
    return HEAD.pack(MAGIC, 0, len(payload), VERSION, kind, 0, service, of, action) + payload


#: The greeting of a client without capabilities.
GREETING = message(1, GREETER, 0, GREET, bytes(4))


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
        self._needed = HEAD.size
        self._long: Head | None = None
        self._left = 0

    @property
    def is_between(self) -> bool:
        """Tell whether every message that has begun is complete."""
        return not self._kept and not self._left

    def split(self, data: bytes) -> Iterator[tuple[Head, bytes, bool]]:
        """Yield the head of each message, its bytes or a part of them, and whether these are the last of it."""
        if self._kept:
            self._kept += data
            if len(self._kept) < self._needed:
                return
            data = bytes(self._kept)
            self._kept.clear()
        at = 0
        head: Head | None
        while at < len(data):
            if self._long is not None:
                part = data[at : at + self._left]
                self._left -= len(part)
                head, self._long = self._long, self._long if self._left else None
            else:
                self._needed = HEAD.size
                head = head_of(data, at) if len(data) - at >= HEAD.size else None
                part = self._first_part(head, data, at)
                if head is None or not part:
                    self._kept += data[at:]
                    return
            at += len(part)
            yield head, part, not self._left

    def _first_part(self, head: Head | None, data: bytes, at: int) -> bytes:
        """Return a whole message, or what there is of a long one; nothing where more has to come first."""
        if head is None:
            return b""
        if head.length > LONGEST_MESSAGE:
            raise DamagedMessage("too long")
        whole = head.size
        if head.length > LONGEST_WHOLE:
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
    naosim_live.messages.DamagedMessage: a second greeting
    """

    def __init__(self) -> None:
        #: The length of the first message, with its head, once all of it has come.
        self.greeting = 0
        self._head = b""
        self._left = 0
        self._first = 0

    @property
    def is_between(self) -> bool:
        """Tell whether every message that has begun is complete."""
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
                step = min(HEAD.size - len(self._head), end - at)
                self._head += data[at : at + step]
                at += step
                if len(self._head) == HEAD.size:
                    self._left = self._length()
                    self._head = b""
            if self._first and not self._left and not self.greeting:
                self.greeting = self._first

    def _length(self) -> int:
        """Return how much follows the head."""
        head = head_of(self._head)
        if not self._first:
            if (head.kind, head.service, head.action) != (CALL, GREETER, GREET) or head.length > LONGEST_GREETING:
                raise DamagedMessage("no greeting")
            self._first = head.size
        elif head.service == GREETER:
            raise DamagedMessage("a second greeting")
        elif head.length > LONGEST_MESSAGE:
            raise DamagedMessage("too long")
        return head.length
