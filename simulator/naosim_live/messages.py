"""The heads of libqi's messages, as far as a gate has to know them; what they carry is not looked at."""

from __future__ import annotations

import struct

#: Magic number, id, length of what follows, version, type, flags, service, object, action.
HEAD = struct.Struct("<IIIHBBIII")
MAGIC, VERSION = 0x42ADDE42, 0
CALL, REPLY, LAST_TYPE = 1, 2, 8
#: The service that greets a client, and its action: every connection begins with this call, and has only one.
GREETER, GREET = 0, 8
#: Bytes that follow the head of a greeting, and of any other message.
LONGEST_GREETING, LONGEST_MESSAGE = 64 * 1024, 16 * 1024 * 1024


class DamagedMessage(Exception):
    """The bytes are no message of libqi, or none that a client sends."""


def message(number: int, service: int, of: int, action: int, payload: bytes = b"") -> bytes:
    """Return a call: its number, the service, the number of the object there, the action and what it carries."""
    return HEAD.pack(MAGIC, number, len(payload), VERSION, CALL, 0, service, of, action) + payload


#: The greeting of a client without capabilities.
GREETING = message(1, GREETER, 0, GREET, bytes(4))


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
                self._head += data[at:at + step]
                at += step
                if len(self._head) == HEAD.size:
                    self._left = self._length()
                    self._head = b""
            if self._first and not self._left and not self.greeting:
                self.greeting = self._first

    def _length(self) -> int:
        """Return how much follows the head."""
        magic, _number, length, version, kind, _flags, service, _object, action = HEAD.unpack(self._head)
        if magic != MAGIC or version != VERSION or not CALL <= kind <= LAST_TYPE:
            raise DamagedMessage("no head of a message")
        if not self._first:
            if (kind, service, action) != (CALL, GREETER, GREET) or length > LONGEST_GREETING:
                raise DamagedMessage("no greeting")
            self._first = HEAD.size + length
        elif service == GREETER:
            raise DamagedMessage("a second greeting")
        elif length > LONGEST_MESSAGE:
            raise DamagedMessage("too long")
        return int(length)
