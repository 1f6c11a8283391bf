"""One connection between two programs: each calls the objects of the other, and gets its answers and events."""

from __future__ import annotations

import logging
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from concurrent import futures
from itertools import count
from typing import Any

from .futures import Future, make_failed_future, settle_like
from .limits import CLIENT_LIMITS, MAX_GREETING_BYTES, BadValue, Limits, Shared
from .messages import (
    AUTH_DONE,
    AUTH_STATE,
    CALL,
    CANCEL,
    CANCELED,
    CAPABILITY,
    DYNAMIC_PAYLOAD,
    ERROR,
    EVENT,
    GET_PROPERTY,
    GREET,
    GREETER,
    KNOWS_IDENTITIES,
    LIBQI_2021,
    LIST_PROPERTIES,
    MAIN_OBJECT,
    META_OBJECT,
    POST,
    REGISTER_EVENT,
    REGISTER_EVENT_WITH_SIGNATURE,
    REPLY,
    RETURN_TYPE,
    SET_PROPERTY,
    TERMINATE,
    UNREGISTER_EVENT,
    DamagedMessage,
    Dialect,
    Header,
    describe_missing,
    keep_capabilities,
    make_answer,
    make_error,
    make_message,
    read_greeting,
)
from .metaobject import META_OBJECT_SIGNATURE, MetaObject
from .objects import IDENTITY_BYTES, Emission, HostedMethod, HostedObject, Prepared, Signal, host_object
from .remote import RemoteObject
from .stream import ENDED, Stream
from .values import Source, encode_value, get_codec

_LOG = logging.getLogger(__name__)

_OBJECT_FORMAT = struct.Struct("<II")  # the numbers of a service and of an object of it
#: Numbers of objects that are handed out as arguments begin here, so that they differ from the other side's own.
_FIRST_ARGUMENT_OBJECT = 0x80000000
_LINK_BYTES = 500  # memory of an object that was handed out, or of a connection to a signal


class Connection(Stream):
    """A connected socket. `services` are this program's, by number; `on_end(self)` is called when it ends.

    Methods can be called from any thread, except those that begin with an underscore.
    """

    def __init__(
        self,
        connected: socket.socket,
        services: Mapping[int, HostedObject],
        limits: Limits = CLIENT_LIMITS,
        *,
        is_server: bool = False,
        shared: Shared | None = None,
        dialect: Dialect = LIBQI_2021,
        on_end: Callable[[Connection], object] = lambda _connection: None,
    ) -> None:
        self.is_greeted = False
        self.has_asked = False
        self.capabilities: dict[str, bool] = {}
        self._has_introduced = not is_server
        self._dialect = dialect
        self._services, self._is_server, self._on_end = services, is_server, on_end
        self._numbers = count(1)
        self._asked: dict[int, tuple[Future, str]] = {}
        self._running: dict[int, futures.Future[Any]] = {}
        self._objects: dict[tuple[int, int], HostedObject] = {}
        self._object_numbers, self._argument_numbers = count(2), count(_FIRST_ARGUMENT_OBJECT)
        self._links: dict[tuple[int, int, int], tuple[Signal, int]] = {}
        self._listeners: dict[tuple[int, int, int], Callable[[Header, bytes], object]] = {}
        self.calls = self.call_bytes = 0
        self._event_bytes, self._event_lock = 0, threading.Lock()
        #: The callbacks for signals of the other program, by service, object and number; see `remote`.
        self.signal_groups: dict[tuple[int, int, int], Any] = {}
        super().__init__(connected, limits, shared or Shared(), MAX_GREETING_BYTES if is_server else limits.message)
        if not dialect.has_logins:
            self._introduce()

    @property
    def kept_bytes(self) -> int:
        """Return the bytes of memory of this connection."""
        return self.stream_bytes + (len(self._links) + len(self._objects)) * _LINK_BYTES

    @property
    def link_count(self) -> int:
        """Return the number of the other program's connections to signals."""
        return len(self._links)

    # Calls of the other program's objects.

    def call(self, service: int, object_: int, action: int, payload: bytes, returns: str, flags: int = 0) -> Future:
        """Call a method, and return the future of its result."""
        number = next(self._numbers) & 0xFFFFFFFF
        future = Future(lambda: self._cancel(number, service, object_))
        self._asked[number] = (future, returns)
        if not self.send(make_message(CALL, number, service, object_, action, payload, flags)):
            self._asked.pop(number, None)
            return future if future.done() else make_failed_future(RuntimeError(self.ended or ENDED))
        return future

    def post(self, service: int, object_: int, action: int, payload: bytes, flags: int = 0) -> None:
        """Call a method or emit a signal without an answer."""
        self.send(make_message(POST, next(self._numbers) & 0xFFFFFFFF, service, object_, action, payload, flags))

    def fetch_object(self, service: int) -> Future:
        """Return the future of a service's object."""
        made = Future()

        def take(done: futures.Future[Any]) -> None:
            if done.cancelled() or done.exception() is not None:
                settle_like(made, done)
                return
            try:
                made.set_result(RemoteObject(self, service, MAIN_OBJECT, MetaObject.from_value(done.result())))
            except BadValue as error:
                made.set_exception(RuntimeError(f"The other program does not say what service {service} is: {error}."))

        asked = self.call(service, MAIN_OBJECT, META_OBJECT, bytes(4), META_OBJECT_SIGNATURE)
        asked.add_done_callback(take)
        return made

    def _cancel(self, number: int, service: int, object_: int) -> None:
        if self.capabilities.get("RemoteCancelableCalls"):
            payload = number.to_bytes(4, "little")
            self.send(make_message(CANCEL, next(self._numbers) & 0xFFFFFFFF, service, object_, 0, payload))

    def listen(self, key: tuple[int, int, int], deliver: Callable[[Header, bytes], object] | None) -> None:
        """Have `deliver(head, payload)` called, on the loop's thread, for the events of a signal; or nothing more."""
        if deliver is None:
            self._listeners.pop(key, None)
        else:
            self._listeners[key] = deliver

    def release(self, service: int, object_: int) -> None:
        """Let go of an object that the other program has handed out; any thread may call it, at any moment."""

        def end() -> None:
            for kept in (self._listeners, self.signal_groups):
                for key in [key for key in kept if key[:2] == (service, object_)]:
                    del kept[key]
            self.post(service, object_, TERMINATE, service.to_bytes(4, "little"))

        if not self.ended and self._loop.is_running():
            self._loop.call_soon_threadsafe(end)

    def argument_codec(self, service: int) -> _Objects:
        """Return what writes the objects among the arguments of a call to a service."""
        return _Objects(self, service, self._argument_numbers)

    def decode(self, signature: str, payload: bytes, service: int = 0) -> tuple[Any, int]:
        """Return the value in a message, and its approximate memory in bytes; raises BadValue."""
        objects = _Objects(self, service, self._argument_numbers)
        source = Source(payload, self.limits.values, objects)
        return source.decode(signature), len(payload) + source.memory

    def count_event(self, size: int) -> None:
        """Count the memory of an event that waits for a callback; a negative size is one that waits no more."""
        with self._event_lock:
            self._event_bytes += size
            is_too_much = self._event_bytes > self.limits.events
        if is_too_much:
            self.give_up("more events come than this program takes")

    # Receiving.

    def _take(self, head: Header, payload: bytes) -> None:
        if self._is_server and not self.is_greeted:
            self._meet(head)
        if head.kind == CALL:
            if self._is_server and head.service == GREETER:
                self._greet(head, payload)
                return
            self._introduce()
            self.has_asked = True
            self._answer(head, payload)
        elif head.kind in (REPLY, ERROR, CANCELED):
            self._settle(head, payload)
        elif head.kind == EVENT:
            listener = self._listeners.get((head.service, head.object, head.action))
            if listener is not None:
                listener(head, payload)
        elif head.kind == POST:
            self.has_asked = True
            self._take_post(head, payload)
        elif head.kind == CANCEL:
            running = self._running.get(int.from_bytes(payload[:4], "little"))
            if running is not None:
                running.cancel()
        elif head.kind == CAPABILITY:
            self.capabilities.update(keep_capabilities(read_greeting(payload), self._dialect.capabilities))

    def _meet(self, head: Header) -> None:
        """Let a client begin with its greeting, with its capabilities, or with a call; raises DamagedMessage.

        libqi of 2014 begins with its capabilities, or directly with a call, and never logs in.
        """
        if head.kind != CAPABILITY and (head.kind != CALL or (head.service == GREETER and head.action != GREET)):
            raise DamagedMessage("no greeting")
        self.is_greeted = True
        self._reader.max_bytes = self.limits.message

    def _introduce(self) -> None:
        """Send our capabilities to a client that has not greeted, before its first answer, as libqi's servers do."""
        if not self._has_introduced:
            self._has_introduced = True
            self.send(make_message(CAPABILITY, 0, GREETER, 0, 0, encode_value("{sm}", self._dialect.capabilities)))

    def _greet(self, head: Header, payload: bytes) -> None:
        own = self._dialect.capabilities
        if not self._dialect.has_logins:
            self.send(make_error(head, describe_missing(head)))
            return
        self.capabilities = keep_capabilities(read_greeting(payload), own)
        self._has_introduced = True
        state = get_codec("I")
        said = bytearray(encode_value("{sm}", own))
        # One more pair: libqi reads the state as an unsigned integer.
        said[:4] = (len(own) + 1).to_bytes(4, "little")
        said += encode_value("s", AUTH_STATE) + encode_value("s", "I")
        state.write(said, AUTH_DONE, None)
        self.send(make_answer(head, REPLY, bytes(said)))

    def _settle(self, head: Header, payload: bytes) -> None:
        future, returns = self._asked.pop(head.number, (None, ""))
        if future is None:
            return
        try:
            if head.kind == CANCELED:
                future.set_cancelled()
            elif head.kind == ERROR:
                future.set_exception(RuntimeError(str(self.decode("m", payload, head.service)[0])))
            else:
                signature = "m" if head.flags & DYNAMIC_PAYLOAD else returns
                future.set_result(self.decode(signature, payload, head.service)[0] if signature else payload)
        except BadValue as error:
            future.set_exception(RuntimeError(f"The answer cannot be read: {error}."))

    # Calls of this program's objects.

    def _find(self, head: Header) -> HostedObject | None:
        if head.object == MAIN_OBJECT:
            return self._services.get(head.service)
        return self._objects.get((head.service, head.object))

    def _answer(self, head: Header, payload: bytes) -> None:
        target = self._find(head)
        method = None if target is None else target.methods.get(head.action)
        try:
            if target is None:
                raise RuntimeError(describe_missing(head))
            if method is None:
                self._answer_common(target, head, payload)
                return
            made, wanted = self._call_method(method, head, payload)
        except BadValue as error:
            name = head.action if method is None else method.meta.name
            self.send(make_error(head, f"The arguments of {name} cannot be read: {error}."))
            return
        except Exception as error:
            self.send(make_error(head, describe_error(error)))
            return

        def reply(value: Any) -> None:
            try:
                self.send(self._make_reply(head, method.meta.returns, value, wanted))
            except Exception as error:
                self.send(make_error(head, f"The answer of {method.meta.name} cannot be sent: {error}."))

        if not isinstance(made, futures.Future):
            reply(made)
            return
        self._running[head.number] = made

        def finish(done: futures.Future[Any]) -> None:
            self._running.pop(head.number, None)
            if done.cancelled():
                self.send(make_answer(head, CANCELED))
                return
            error = done.exception()
            if error is None:
                reply(done.result())
            else:
                self.send(make_error(head, describe_error(error)))

        made.add_done_callback(finish)

    def _call_method(self, method: HostedMethod, head: Header, payload: bytes) -> tuple[Any, str]:
        """Call a method; return its result or a future, and the signature in which the caller wants the answer."""
        args, wanted, size = self._read_args(method.meta.parameters, head, payload)
        self._shared.begin_call(self, size)
        try:
            made = method.call(args, self)
        except BaseException:
            self._shared.end_call(self, size)
            raise
        if isinstance(made, futures.Future):
            made.add_done_callback(lambda _done: self._shared.end_call(self, size))
        else:
            self._shared.end_call(self, size)
        return made, wanted

    def _make_reply(self, head: Header, returns: str, value: Any, wanted: str = "") -> bytes:
        """Return the answer, under the signature that the caller wants if there is one; raises BadValue."""
        objects = self._result_codec(head.service)
        if returns == "v":
            value = None
        signature = wanted or returns
        payload = value.encode(signature) if isinstance(value, Prepared) else encode_value(signature, value, objects)
        if not wanted:
            return make_answer(head, REPLY, payload)
        flags = 0 if returns == "m" else DYNAMIC_PAYLOAD
        return make_answer(head, REPLY, encode_value("s", wanted) + payload, flags)

    def _read_args(self, parameters: str, head: Header, payload: bytes) -> tuple[list[Any], str, int]:
        """Return the arguments, the signature in which the caller wants the answer, and the memory that they need.

        The signature is empty for the declared one.
        """
        signature, wanted = "m" if head.flags & DYNAMIC_PAYLOAD else parameters, ""
        if head.flags & RETURN_TYPE:
            (args, wanted), size = self.decode(f"({signature}s)", payload, head.service)
        else:
            args, size = self.decode(signature, payload, head.service)
        if isinstance(args, dict):
            args = list(args.values())
        return list(args) if isinstance(args, list | tuple) else [args], str(wanted), size

    def _answer_common(self, target: HostedObject, head: Header, payload: bytes) -> None:
        """Answer a call of an action of every object; raises RuntimeError."""
        action = head.action
        meta = target.meta.methods.get(action)
        if meta is None:
            raise RuntimeError(f"There is no method with the number {action}.")
        args, wanted, _size = self._read_args(meta.parameters, head, payload)
        if action in (REGISTER_EVENT, REGISTER_EVENT_WITH_SIGNATURE):
            self._connect(target, head, args[1], args[2])
            return
        if action == META_OBJECT and not wanted:
            self.send(make_answer(head, REPLY, target.meta.encoded))
            return
        # Statistics and traces are never on.
        value: Any = {"b": False, "v": None}.get(meta.returns, {})
        if action == UNREGISTER_EVENT:
            self._disconnect(head.service, head.object, args[2])
        elif action == META_OBJECT:
            value = target.meta.to_value()
        elif action == TERMINATE:
            self._terminate(head.service, head.object)
        elif action == SET_PROPERTY:
            target.find_property(args[0]).setValue(args[1])
        elif action == GET_PROPERTY:
            kept = target.find_property(args[0])
            value = kept.value()
            # A value of any type that says its own one.
            wanted = wanted or ("" if value is None or kept.value_signature == "m" else kept.value_signature)
        elif action == LIST_PROPERTIES:
            value = list(target.meta.property_numbers)
        self.send(self._make_reply(head, meta.returns, value, wanted))

    def _take_post(self, head: Header, payload: bytes) -> None:
        target = self._find(head)
        if target is None:
            return
        try:
            if head.action == TERMINATE:
                self._terminate(head.service, head.object)
            elif head.action in target.signals:
                signal = target.signals[head.action]
                signal(*self._read_args(signal.signature, head, payload)[0])
            elif head.action in target.methods:
                self._call_method(target.methods[head.action], head, payload)
        except Exception as error:
            _LOG.debug("a posted call fails: %s", error)

    def _connect(self, target: HostedObject, head: Header, number: int, link: int) -> None:
        signal, key = target.signals.get(number), (head.service, head.object, link)
        if signal is None:
            raise RuntimeError("No such signal")
        if key in self._links or len(self._links) >= self.limits.links:
            raise RuntimeError(f"{self.limits.links} connections at most, each with its own number.")

        def deliver(emission: Emission) -> None:
            if self.is_ending:
                return
            try:
                payload = emission.encode(self._result_codec(head.service))
            except BadValue as error:
                _LOG.warning("an event cannot be sent: %s", error)
                return
            self.send(make_message(EVENT, next(self._numbers) & 0xFFFFFFFF, head.service, head.object, number, payload))

        def finish(done: futures.Future[Any] | None) -> None:
            error = None if done is None else done.exception()
            if error is None:
                self.send(make_answer(head, REPLY, link.to_bytes(8, "little")))
            else:
                self._links.pop(key, None)
                signal.remove_link(made)
                self.send(make_error(head, describe_error(error)))

        self._shared.check_links()
        made, ready = signal.add_link(deliver)
        self._links[key] = (signal, made)
        if ready is None:
            finish(None)
        else:
            ready.add_done_callback(finish)

    def _disconnect(self, service: int, object_: int, link: int) -> None:
        found = self._links.pop((service, object_, link), None)
        if found is None:
            raise RuntimeError(f"No connection has the number {link}.")
        found[0].remove_link(found[1])

    def _terminate(self, service: int, object_: int) -> None:
        if self._objects.pop((service, object_), None) is not None:
            for key in [key for key in self._links if key[:2] == (service, object_)]:
                self._disconnect(*key)

    # Objects in values.

    def _result_codec(self, service: int) -> _Objects:
        return _Objects(self, service, self._object_numbers)

    def has_identities(self) -> bool:
        """Return whether both sides know objects by their identities."""
        return self.capabilities.get(KNOWS_IDENTITIES) is True

    def hand_out(self, service: int, numbers: count[int], hosted: HostedObject) -> int:
        """Give the other program an object, and return its number; raises BadValue if it has too many."""
        if len(self._objects) >= self.limits.objects:
            raise BadValue(f"{self.limits.objects} objects at most")
        number = next(numbers)
        self._objects[service, number] = hosted
        return number

    # The end.

    def _let_go(self) -> None:
        for signal, link in self._links.values():
            signal.remove_link(link)
        asked = list(self._asked.values())
        for kept in (self._links, self._objects, self._listeners, self._asked, self._running, self.signal_groups):
            kept.clear()
        for future, _ in asked:
            if not future.done():
                future.set_exception(RuntimeError(ENDED))
        self._on_end(self)


class _Objects:
    """The reader and writer of the objects in values of one service's messages."""

    __slots__ = ("_connection", "_numbers", "_service")

    def __init__(self, connection: Connection, service: int, numbers: count[int]) -> None:
        self._connection, self._service, self._numbers = connection, service, numbers

    def read_object(self, source: Source) -> RemoteObject | None:
        meta = source.read(get_codec(META_OBJECT_SIGNATURE))
        service, number = _OBJECT_FORMAT.unpack(source.take(_OBJECT_FORMAT.size))
        if self._connection.has_identities():
            source.take(IDENTITY_BYTES)
        return RemoteObject(self._connection, service, number, MetaObject.from_value(meta), True) if number else None

    def write_object(self, out: bytearray, value: Any) -> None:
        hosted = value._qi_host() if isinstance(value, RemoteObject) else host_object(value)
        number = self._connection.hand_out(self._service, self._numbers, hosted)
        out += hosted.meta.encoded
        out += _OBJECT_FORMAT.pack(self._service, number)
        if self._connection.has_identities():
            out += hosted.identity


def describe_error(error: BaseException) -> str:
    """Return the sentence for the caller of a method that failed."""
    if isinstance(error, RuntimeError):
        return str(error)
    return f"{type(error).__name__}: {error}"
