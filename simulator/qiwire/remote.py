"""Objects of another program: `RemoteObject`, whose attributes are its methods, signals and properties."""

from __future__ import annotations

import logging
import struct
import threading
from collections.abc import Callable, Iterable
from concurrent import futures
from functools import partial
from itertools import count
from typing import Any, Protocol

from .futures import Future, Strand, make_failed_future, make_finished_future, settle_like
from .limits import BadValue
from .messages import (
    DYNAMIC_PAYLOAD,
    FIRST_ACTION,
    GET_PROPERTY,
    REGISTER_EVENT,
    SET_PROPERTY,
    UNREGISTER_EVENT,
    Header,
)
from .metaobject import MetaObject
from .objects import HostedMethod, HostedObject, Signal
from .values import ObjectCodec, encode_value

_LOG = logging.getLogger(__name__)
_LINK_FORMAT = struct.Struct("<IIQ")
_UNSIGNED = encode_value("s", "I")  # before an unsigned integer inside a value of any type
_EVENT_BYTES = 300  # memory of an event that waits, without its values
_link_numbers = count(1)


class Caller(Protocol):
    """The connection to the program of an object; see `connection`."""

    ended: str
    capabilities: dict[str, bool]
    signal_groups: dict[tuple[int, int, int], Any]

    def call(self, service: int, object_: int, action: int, payload: bytes, returns: str, flags: int = 0) -> Future:
        """Call a method."""

    def post(self, service: int, object_: int, action: int, payload: bytes, flags: int = 0) -> None:
        """Call a method or emit a signal without an answer."""

    def listen(self, key: tuple[int, int, int], deliver: Callable[[Header, bytes], object] | None) -> None:
        """Have the events of a signal delivered, or no more."""

    def release(self, service: int, object_: int) -> None:
        """Let go of an object."""

    def argument_codec(self, service: int) -> ObjectCodec:
        """Return what writes the objects among the arguments of a call."""

    def decode(self, signature: str, payload: bytes, service: int = 0) -> tuple[Any, int]:
        """Return the value in a message, and the memory that it needs."""

    def count_event(self, size: int) -> None:
        """Count the memory of an event that waits for a callback, or that waits no more."""


class RemoteObject:
    """A service of another program, or an object that it has handed out.

    A method returns its result, or with `_async=True` a future; it raises RuntimeError with the other program's words.
    """

    def __init__(
        self, connection: Caller, service: int, number: int, meta: MetaObject, is_handed_out: bool = False
    ) -> None:
        self._qi_connection, self._qi_service, self._qi_number, self._qi_meta = connection, service, number, meta
        self._qi_is_handed_out = is_handed_out

    def __getattr__(self, name: str) -> Any:
        # This is not stored: a circle of references would keep the object alive on the other side.
        meta = self._qi_meta
        if name == "async":
            return lambda method, *args: self.call(method, *args, _async=True)
        if name in meta.property_numbers:
            return RemoteProperty(self, meta.property_numbers[name])
        if name in meta.signal_numbers:
            return RemoteSignal(self, meta.signal_numbers[name])
        if name in meta.names():
            return lambda *args, _async=False: self.call(name, *args, _async=_async)
        raise AttributeError(f"'qi.Object' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        named = [*self._qi_meta.names(), *self._qi_meta.signal_numbers, *self._qi_meta.property_numbers]
        return sorted({*named, "call", "async", "metaObject", "isValid"})

    def __del__(self) -> None:
        if getattr(self, "_qi_is_handed_out", False):
            self._qi_connection.release(self._qi_service, self._qi_number)

    def __repr__(self) -> str:
        return f"<RemoteObject {self._qi_service}/{self._qi_number}>"

    def metaObject(self) -> dict[str, Any]:
        """Return the object's meta-object."""
        return self._qi_meta.to_value()

    def isValid(self) -> bool:
        """Return whether its connection is open."""
        return not self._qi_connection.ended

    def call(self, name: str, *args: Any, _async: bool = False) -> Any:
        """Call a method by name."""
        try:
            future = self._qi_call(self._qi_meta.choose(name, args), args)
        except RuntimeError as error:
            if not _async:
                raise
            return make_failed_future(error)
        return future if _async else future.value()

    def _qi_call(self, number: int, args: tuple[Any, ...]) -> Future:
        """Call the method of a number; raises BadValue if the arguments cannot be sent."""
        method = self._qi_meta.methods[number]
        payload, flags = self._qi_encode(method.parameters, args)
        return self._qi_connection.call(self._qi_service, self._qi_number, number, payload, method.returns, flags)

    def _qi_pass_on(self, number: int, args: list[Any], _connection: Caller) -> Future:
        return self._qi_call(number, tuple(args))

    def _qi_emit(self, number: int, args: tuple[Any, ...]) -> None:
        """Have the other program emit the signal of a number."""
        payload, flags = self._qi_encode(self._qi_meta.signals[number][1], args)
        self._qi_connection.post(self._qi_service, self._qi_number, number, payload, flags)

    def _qi_encode(self, signature: str, args: tuple[Any, ...]) -> tuple[bytes, int]:
        objects = self._qi_connection.argument_codec(self._qi_service)
        try:
            return encode_value(signature, args, objects), 0
        except BadValue:
            # The other program converts what does not fit, or says why it cannot.
            if not self._qi_connection.capabilities.get("MessageFlags"):
                raise
            return encode_value("m", args, objects), DYNAMIC_PAYLOAD

    def _qi_host(self) -> HostedObject:
        """Return it as an object of this program, which passes calls and events on."""
        methods = {
            number: HostedMethod(method, partial(self._qi_pass_on, number))
            for number, method in self._qi_meta.methods.items()
            if number >= FIRST_ACTION
        }
        signals = {}
        for number, (name, signature) in self._qi_meta.signals.items():
            if number >= FIRST_ACTION:
                signals[number] = (name, _pass_on(RemoteSignal(self, number), signature))
        return HostedObject(methods, signals)


def _pass_on(remote: RemoteSignal, signature: str) -> Signal:
    links: list[int] = []

    def watch(is_first: bool) -> futures.Future[Any] | None:
        if not is_first:
            remote.disconnect(links.pop(), _async=True)
            return None
        made: Future = remote.connect(signal, _async=True)
        made.add_done_callback(lambda done: links.extend([] if done.exception() else [done.result()]))
        return made

    signal = Signal.make_watched(signature, watch)
    return signal


class _SignalGroup:
    """The callbacks of one signal of a remote object, for which the other program knows one connection."""

    def __init__(self, connection: Caller, key: tuple[int, int, int], signature: str) -> None:
        self._connection, self._key, self._signature = connection, key, signature
        self._lock = threading.Lock()
        self._strand = Strand()
        self._numbers = count(1)
        self._callbacks: dict[int, tuple[Callable[..., object], Strand]] = {}
        self._registered: Future = make_finished_future()
        self._number = 0
        self._is_unreadable = False

    def add(self, callback: Callable[..., object], strand: Strand | None) -> Future:
        """Return the future of a connection's number."""
        with self._lock:
            link = next(self._numbers)
            if not self._callbacks:
                self._number = next(_link_numbers)
                self._connection.listen(self._key, self._deliver)
                self._registered = self._tell(REGISTER_EVENT, "L")
            self._callbacks[link] = callback, self._strand if strand is None else strand
            registered = self._registered
        made = Future()

        def settle(done: futures.Future[Any]) -> None:
            if done.exception() is None:
                made.set_result(link)
            else:
                self._callbacks.pop(link, None)
                settle_like(made, done)

        registered.add_done_callback(settle)
        return made

    def remove(self, link: int) -> Future:
        """End a connection; return the future of whether there was one."""
        with self._lock:
            if self._callbacks.pop(link, None) is None:
                return make_finished_future(False)
            if self._callbacks:
                return make_finished_future(True)
            self._connection.listen(self._key, None)
            told = self._tell(UNREGISTER_EVENT, "v")
        ended = Future()
        told.add_done_callback(lambda _done: ended.set_result(True))
        return ended

    def links(self) -> list[int]:
        return list(self._callbacks)

    def _tell(self, action: int, returns: str) -> Future:
        service, object_, number = self._key
        payload = _LINK_FORMAT.pack(service, number, self._number)
        return self._connection.call(service, object_, action, payload, returns)

    def _deliver(self, head: Header, payload: bytes) -> None:
        try:
            is_dynamic = bool(head.flags & DYNAMIC_PAYLOAD)
            args, size = self._connection.decode("m" if is_dynamic else self._signature, payload, head.service)
        except BadValue as error:
            # Once, however many events come.
            if not self._is_unreadable:
                self._is_unreadable = True
                _LOG.warning("an event cannot be read: %s", error)
            return
        size += _EVENT_BYTES
        if isinstance(args, dict):
            args = tuple(args.values())
        for callback, strand in list(self._callbacks.values()):
            self._connection.count_event(size)
            given = args if isinstance(args, list | tuple) else (args,)
            strand.submit(partial(self._run, callback, given, size))

    def _run(self, callback: Callable[..., object], args: Iterable[Any], size: int) -> None:
        try:
            callback(*args)
        finally:
            self._connection.count_event(-size)


class RemoteSignal:
    """A signal of a remote object; its callbacks run on workers, in the order of the events."""

    def __init__(self, owner: RemoteObject, number: int) -> None:
        # The owner lives as long as its signal is used.
        self._owner, self._number = owner, number
        key = (owner._qi_service, owner._qi_number, number)
        groups = owner._qi_connection.signal_groups
        self._group = groups.get(key) or groups.setdefault(
            key, _SignalGroup(owner._qi_connection, key, owner._qi_meta.signals[number][1])
        )

    def __call__(self, *args: Any) -> None:
        self._owner._qi_emit(self._number, args)

    def connect(self, callback: Callable[..., object], _async: bool = False, strand: Strand | None = None) -> Any:
        """Connect a callback, and return the number of the connection.

        Callbacks of different signals run in the order of their events only if they get the same `strand`.
        """
        made = self._group.add(callback, strand)
        return made if _async else made.value()

    addCallback = connect

    def disconnect(self, id: int, _async: bool = False) -> Any:
        """End a connection; return whether there was one."""
        ended = self._group.remove(id)
        return ended if _async else ended.value()

    def disconnectAll(self, _async: bool = False) -> Any:
        """End every connection that this program has made."""
        ended = make_finished_future(True)
        for link in self._group.links():
            ended = self._group.remove(link)
        return ended if _async else ended.value()


class RemoteProperty(RemoteSignal):
    """A property of a remote object, and the signal of its changes."""

    def value(self, _async: bool = False) -> Any:
        """Return the value."""
        asked = self._ask(GET_PROPERTY, b"", "m")
        return asked if _async else asked.value()

    def setValue(self, value: Any, _async: bool = False) -> Any:
        """Set the value."""
        objects = self._owner._qi_connection.argument_codec(self._owner._qi_service)
        done = self._ask(SET_PROPERTY, encode_value("m", value, objects), "v")
        return done if _async else done.value()

    def _ask(self, action: int, payload: bytes, returns: str) -> Future:
        owner = self._owner
        which = _UNSIGNED + self._number.to_bytes(4, "little")
        return owner._qi_connection.call(owner._qi_service, owner._qi_number, action, which + payload, returns)
