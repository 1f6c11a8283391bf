"""The answers of `ALMemory.subscriber` that the gate gives a client: libqi objects with one signal, the event's."""

from __future__ import annotations

import itertools
import os
import struct
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import NamedTuple

from naosim_live.libqi_protocol import (
    CALL,
    ERROR,
    EVENT,
    HEAD_FORMAT,
    POST,
    REPLY,
    MessageHead,
    UnreadableValue,
    decode_values,
    encode_value,
    make_answer,
    make_post,
)

from .shared_links import SharedLinks

#: Objects with the numbers from here on are the gate's; libqi counts its own from 1.
FIRST_OBJECT = 0x40000000
#: What every libqi object can be asked.
_REGISTER, _UNREGISTER, _META_OBJECT, _TERMINATE, _REGISTER_TYPED = 0, 1, 2, 3, 8
#: Objects and connections of one client, and the letters of an event's name.
_MOST_OBJECTS, _MOST_LINKS, _LONGEST_NAME = 10_000, 10_000, 1000
#: The numbers of a service and of an object of it, at the end of an object.
_OBJECT_NUMBERS = struct.Struct("<II")
#: Bytes by which libqi tells objects apart.
_IDENTITY = 20


def knows_identities(greeting: bytes) -> bool:
    """Tell whether a greeting, or the answer to one, says that its sender knows objects by their identities."""
    try:
        (said,) = decode_values("({sm})", greeting[HEAD_FORMAT.size :])
    except UnreadableValue:
        return False
    return said.get("ObjectPtrUID") is True


class ObjectForm(NamedTuple):
    """How a subscriber is written: what it can be asked, in libqi's form, and whether an identity follows."""

    meta: bytes
    has_identity: bool

    @classmethod
    def of(cls, written: bytes, greeted: bytes) -> ObjectForm:
        """Return the form of an object that libqi wrote for a client without identities, which it greeted so."""
        return cls(written[: -_OBJECT_NUMBERS.size], knows_identities(bytes(HEAD_FORMAT.size) + greeted))

    def written(self, service: int, number: int) -> bytes:
        """Return the object of this number as the value of an answer."""
        return self.meta + _OBJECT_NUMBERS.pack(service, number) + (os.urandom(_IDENTITY) if self.has_identity else b"")


class Subscribers:
    """The subscribers that one client was given, and what it has connected to them."""

    def __init__(self, shared: SharedLinks, form: ObjectForm, send: Callable[[bytes], object]) -> None:
        """Begin without any; `send` takes messages to the client, on other threads too, and does not wait."""
        self._shared, self._form, self._send = shared, form, send
        self._numbers = itertools.count(FIRST_OBJECT)
        self._events: dict[int, str] = {}
        self._links: dict[tuple[int, int], str] = {}

    def give(self, head: MessageHead, event: str) -> bool:
        """Answer a call of `subscriber`, and return True; False for a name that is left to the directory."""
        if len(event) > _LONGEST_NAME or len(self._events) >= _MOST_OBJECTS:
            return False
        number = next(self._numbers)
        self._events[number] = event
        self._send(make_answer(head, REPLY, self._form.written(head.service, number)))
        return True

    def takes(self, head: MessageHead, message: bytes) -> bool:
        """Do what a message to one of the objects asks, and return True; False for other messages."""
        if head.of < FIRST_OBJECT or head.kind not in (CALL, POST):
            return False
        event = self._events.get(head.of)
        try:
            problem = (
                "There is no such object." if event is None else self._done(head, event, message[HEAD_FORMAT.size :])
            )
        except UnreadableValue as error:
            problem = f"The arguments cannot be read: {error}."
        if problem and head.kind == CALL:
            self._send(make_answer(head, ERROR, encode_value("m", problem)))
        return True

    def end(self) -> None:
        """Disconnect everything: the client is gone."""
        for number in list(self._events):
            self._terminate(number)

    def _done(self, head: MessageHead, event: str, payload: bytes) -> str:
        """Do what is asked of an object, and return what is wrong with it."""
        if head.action in (_REGISTER, _REGISTER_TYPED):
            _service, signal, link, *_type = decode_values("(IIL)" if head.action == _REGISTER else "(IILs)", payload)
            return self._connect(head, event, signal, link)
        if head.action == _UNREGISTER:
            _service, _signal, link = decode_values("(IIL)", payload)
            return self._disconnect(head, link)
        if head.action == _TERMINATE:
            self._terminate(head.of)
        elif head.action == _META_OBJECT:
            self._send(make_answer(head, REPLY, self._form.meta))
        else:
            return "A subscriber has its signal alone."
        return ""

    def _connect(self, head: MessageHead, event: str, signal: int, link: int) -> str:
        key = head.of, link
        if key in self._links or len(self._links) >= _MOST_LINKS:
            return f"{_MOST_LINKS} connections at most, each with a number of its own."
        self._links[key] = event
        told = partial(self._tell, head.service, head.of, signal)
        self._shared.add(event, (self, key), told).add_done_callback(partial(self._connected, head, link))
        return ""

    def _connected(self, head: MessageHead, link: int, made: Future[int]) -> None:
        error = None if made.cancelled() else made.exception()
        if error is None:
            self._send(make_answer(head, REPLY, encode_value("L", link)))
        else:
            self._send(make_answer(head, ERROR, encode_value("m", str(error))))

    def _disconnect(self, head: MessageHead, link: int) -> str:
        event = self._links.pop((head.of, link), None)
        if event is None:
            return f"No connection has the number {link}."
        self._shared.remove(event, (self, (head.of, link)))
        self._send(make_answer(head, REPLY, b""))
        return ""

    def _terminate(self, number: int) -> None:
        self._events.pop(number, None)
        for key in [key for key in self._links if key[0] == number]:
            self._shared.remove(self._links.pop(key), (self, key))

    def _tell(self, service: int, number: int, signal: int, carried: bytes) -> None:
        self._send(make_post(EVENT, service, number, signal, carried))
