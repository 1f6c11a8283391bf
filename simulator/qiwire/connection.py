"""One connection between two programs: each calls the objects of the other, and gets its answers and events."""

from __future__ import annotations

import logging
import socket
import ssl
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent import futures
from itertools import count
from typing import Any, NamedTuple

from .futures import Future, failed_future, get_loop, is_loop_thread, settle_like
from .messages import (
    AUTH_DONE,
    AUTH_STATE,
    CALL,
    CANCEL,
    CANCELED,
    CAPABILITIES,
    CAPABILITY,
    DYNAMIC_PAYLOAD,
    ERROR,
    EVENT,
    GET_PROPERTY,
    GREET,
    GREETER,
    KNOWS_IDENTITIES,
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
    Header,
    MessageReader,
    make_answer,
    make_error,
    make_message,
    read_greeting,
)
from .metaobject import META_OBJECT_SIGNATURE, MetaObject
from .objects import IDENTITY_BYTES, Emission, HostedObject, Signal, host_object
from .remote import RemoteObject
from .values import BadValue, Source, ValueLimits, decode_value, encode_value, get_codec

_LOG = logging.getLogger(__name__)


class Limits(NamedTuple):
    """What one connection may do. Sizes are in bytes, times in real seconds; None for no limit."""

    message: int = 256 * 1024 * 1024
    values: ValueLimits = ValueLimits()
    #: Bytes that wait until the other program reads; with more the connection ends.
    unread: int = 256 * 1024 * 1024
    #: Objects that the other program was given, and its connections to signals.
    objects: int = 1_000_000
    links: int = 1_000_000
    #: Time for the greeting, for the first call after it, and for a program that does not read to read on.
    greets_within: float | None = None
    asks_within: float | None = None
    reads_within: float | None = None


NO_LIMITS = Limits()
#: Bytes read at once, and bytes that may wait for a program before nothing more is read from it.
_READ_BYTES, _PAUSE_BYTES = 64 * 1024, 1024 * 1024
_OBJECT_FORMAT = struct.Struct("<II")  # the numbers of a service and of an object of it
#: Objects that are handed out as arguments have numbers from here on, so that they differ from the other side's own.
_FIRST_ARGUMENT_OBJECT = 0x80000000
ENDED = "Socket disconnected"


class CallCounter:
    """The calls of all connections of a server that are not answered yet."""

    def __init__(self, most: int) -> None:
        self.most, self.count = most, 0
        self._lock = threading.Lock()

    def add(self, change: int) -> None:
        """Count calls that begin or are answered; any thread may call it."""
        with self._lock:
            self.count += change


class Connection:
    """A connected socket. `services` are this program's, by number; `on_end(self)` is called when it ends.

    Methods may be called from any thread, except those that begin with an underscore.
    """

    def __init__(
        self,
        connected: socket.socket,
        services: Mapping[int, HostedObject],
        limits: Limits = NO_LIMITS,
        *,
        is_server: bool = False,
        calls: CallCounter | None = None,
        on_end: Callable[[Connection], object] = lambda _connection: None,
    ) -> None:
        self.limits = limits
        self.is_greeted = False
        self.has_asked = False
        self.ended = ""
        #: When it was made, and since when the other program has not read, as `time.monotonic()`; 0 if it reads.
        self.since, self.unread_since = time.monotonic(), 0.0
        self.capabilities: dict[str, Any] = {}
        self._services, self._is_server, self._calls, self._on_end = services, is_server, calls, on_end
        self._socket, self._loop = connected, get_loop()
        name = connected.getsockname()
        self.own_host = str(name[0]) if isinstance(name, tuple) else ""
        self._reader = MessageReader(limits.message)
        self._sends_at_once = not isinstance(connected, ssl.SSLSocket)
        self._lock = threading.Lock()
        self._unsent: deque[bytes | memoryview] = deque()
        self._unsent_bytes = 0
        self._is_paused = False
        self._numbers = count(1)
        self._asked: dict[int, tuple[Future, str]] = {}
        self._running: dict[int, futures.Future[Any]] = {}
        self._objects: dict[tuple[int, int], HostedObject] = {}
        self._object_numbers, self._argument_numbers = count(2), count(_FIRST_ARGUMENT_OBJECT)
        self._links: dict[tuple[int, int, int], tuple[Signal, int]] = {}
        self._listeners: dict[tuple[int, int, int], Callable[[Header, bytes], object]] = {}
        #: The callbacks for signals of the other program, by service, object and number; see `remote`.
        self.signal_groups: dict[tuple[int, int, int], Any] = {}
        connected.setblocking(False)
        if connected.family != getattr(socket, "AF_UNIX", None):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._loop.call_soon_threadsafe(self._start_reading)

    @property
    def kept_bytes(self) -> int:
        """Return the bytes that are kept for this connection, in both directions."""
        return self._reader.kept + self._unsent_bytes

    # Calls of the other program's objects.

    def call(self, service: int, object_: int, action: int, payload: bytes, returns: str, flags: int = 0) -> Future:
        """Call a method, and return the future of its result."""
        number = next(self._numbers) & 0xFFFFFFFF
        future = Future(lambda: self._cancel(number, service, object_))
        self._asked[number] = (future, returns)
        if not self.send(make_message(CALL, number, service, object_, action, payload, flags)):
            self._asked.pop(number, None)
            return future if future.done() else failed_future(RuntimeError(self.ended or ENDED))
        return future

    def post(self, service: int, object_: int, action: int, payload: bytes, flags: int = 0) -> None:
        """Call a method or emit a signal without an answer."""
        self.send(make_message(POST, next(self._numbers) & 0xFFFFFFFF, service, object_, action, payload, flags))

    def fetch_object(self, service: int) -> Future:
        """Return the future of a service's object."""
        made = Future()

        def take(done: futures.Future[Any]) -> None:
            if done.exception() is None:
                made.set_result(RemoteObject(self, service, MAIN_OBJECT, MetaObject.from_value(done.result())))
            else:
                settle_like(made, done)

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

    def decode(self, signature: str, payload: bytes, service: int = 0) -> Any:
        """Return the value in a message; raises BadValue."""
        return decode_value(signature, payload, _Objects(self, service, self._argument_numbers), self.limits.values)

    # Sending.

    def send(self, message: bytes) -> bool:
        """Send a message without waiting; return False if the connection has ended."""
        with self._lock:
            if self.ended:
                return False
            sent = 0
            if self._sends_at_once and not self._unsent:
                try:
                    sent = self._socket.send(message)
                except (BlockingIOError, InterruptedError):
                    pass
                except OSError as error:
                    self._loop.call_soon_threadsafe(self.end, error.strerror or ENDED)
                    return False
                if sent == len(message):
                    return True
            is_first = not self._unsent
            self._unsent.append(memoryview(message)[sent:] if sent else message)
            self._unsent_bytes += len(message) - sent
            is_too_much = self._unsent_bytes > self.limits.unread
        if is_too_much:
            self._loop.call_soon_threadsafe(self.end, "the other program does not read")
        elif is_first:
            self._loop.call_soon_threadsafe(self._start_writing)
        return True

    def _start_writing(self) -> None:
        if not self.ended:
            self.unread_since = time.monotonic()
            self._loop.add_writer(self._socket.fileno(), self._write)
            self._write()

    def _write(self) -> None:
        with self._lock:
            try:
                while self._unsent:
                    message = self._unsent[0]
                    sent = self._socket.send(message)
                    self.unread_since = time.monotonic()
                    self._unsent_bytes -= sent
                    if sent < len(message):
                        self._unsent[0] = memoryview(message)[sent:]
                        break
                    self._unsent.popleft()
            except (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                pass
            except (OSError, ValueError) as error:
                self._loop.call_soon(self.end, str(error) or ENDED)
                return
            if not self._unsent:
                self.unread_since = 0.0
                self._loop.remove_writer(self._socket.fileno())
        if self._is_paused and self._unsent_bytes < _PAUSE_BYTES // 2:
            self._is_paused = False
            self._start_reading()

    # Receiving.

    def _start_reading(self) -> None:
        if not self.ended:
            self._loop.add_reader(self._socket.fileno(), self._read)
            if isinstance(self._socket, ssl.SSLSocket):
                self._read()

    def _read(self) -> None:
        while not self.ended:
            try:
                data = self._socket.recv(_READ_BYTES)
            except (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return
            except (OSError, ValueError) as error:
                self.end(str(error) or ENDED)
                return
            if not data:
                self.end(ENDED)
                return
            try:
                for head, payload in self._reader.feed(data):
                    self._take(head, payload)
                    if self.ended:
                        return
            except DamagedMessage as error:
                self.end(str(error))
                return
            if self._unsent_bytes > _PAUSE_BYTES:
                self._is_paused = True
                self._loop.remove_reader(self._socket.fileno())
                return
            # A secured socket keeps what it has read already.
            if not isinstance(self._socket, ssl.SSLSocket):
                return

    def _take(self, head: Header, payload: bytes) -> None:
        if not self.is_greeted and self._is_server:
            if (head.kind, head.service, head.action) != (CALL, GREETER, GREET):
                raise DamagedMessage("no greeting")
            self._greet(head, payload)
        elif head.kind == CALL:
            self.has_asked = True
            if head.service == GREETER and self._is_server:
                self._greet(head, payload)
            else:
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
            self.capabilities.update(read_greeting(payload))

    def _greet(self, head: Header, payload: bytes) -> None:
        if len(payload) > 64 * 1024:
            raise DamagedMessage("a long greeting")
        self.capabilities = read_greeting(payload)
        self.is_greeted = True
        state = get_codec("I")
        said = bytearray(encode_value("{sm}", CAPABILITIES))
        # One more pair: libqi reads the state as an unsigned integer.
        said[:4] = (len(CAPABILITIES) + 1).to_bytes(4, "little")
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
                future.set_exception(RuntimeError(str(self.decode("m", payload, head.service))))
            else:
                signature = "m" if head.flags & DYNAMIC_PAYLOAD else returns
                future.set_result(self.decode(signature, payload, head.service) if signature else payload)
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
                raise RuntimeError("There is no such object.")
            if method is None:
                self._answer_common(target, head, payload)
                return
            args, wanted = self._read_args(method.meta.parameters, head, payload)
            calls = self._calls
            if calls is not None and calls.count >= calls.most:
                raise RuntimeError(f"The robot is busy: {calls.most} calls are under way.")
            made = method.call(args, self)
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
            except BadValue as error:
                self.send(make_error(head, f"The answer of {method.meta.name} cannot be sent: {error}."))

        if not isinstance(made, futures.Future):
            reply(made)
            return
        is_counted = calls is not None and not made.done()
        if calls is not None and is_counted:
            calls.add(1)
        self._running[head.number] = made

        def finish(done: futures.Future[Any]) -> None:
            if calls is not None and is_counted:
                calls.add(-1)
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

    def _make_reply(self, head: Header, returns: str, value: Any, wanted: str = "") -> bytes:
        """Return the answer, under the signature that the caller wants if there is one; raises BadValue."""
        objects = self._result_codec(head.service)
        if returns == "v":
            value = None
        if wanted:
            payload = encode_value("s", wanted) + encode_value(wanted, value, objects)
            return make_answer(head, REPLY, payload, 0 if returns == "m" else DYNAMIC_PAYLOAD)
        return make_answer(head, REPLY, encode_value(returns, value, objects))

    def _read_args(self, parameters: str, head: Header, payload: bytes) -> tuple[list[Any], str]:
        """Return the arguments, and the signature in which the caller wants the answer, empty for the declared one."""
        signature, wanted = "m" if head.flags & DYNAMIC_PAYLOAD else parameters, ""
        if head.flags & RETURN_TYPE:
            args, wanted = self.decode(f"({signature}s)", payload, head.service)
        else:
            args = self.decode(signature, payload, head.service)
        if isinstance(args, dict):
            args = list(args.values())
        return list(args) if isinstance(args, list | tuple) else [args], str(wanted)

    def _answer_common(self, target: HostedObject, head: Header, payload: bytes) -> None:
        """Answer what every object can be asked; raises RuntimeError."""
        action = head.action
        meta = target.meta.methods.get(action)
        if meta is None:
            raise RuntimeError(f"There is no method with the number {action}.")
        args, wanted = self._read_args(meta.parameters, head, payload)
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
                method = target.methods[head.action]
                method.call(self._read_args(method.meta.parameters, head, payload)[0], self)
        except Exception as error:
            _LOG.debug("a posted call fails: %s", error)

    def _connect(self, target: HostedObject, head: Header, number: int, link: int) -> None:
        signal, key = target.signals.get(number), (head.service, head.object, link)
        if signal is None:
            raise RuntimeError("No such signal")
        if key in self._links or len(self._links) >= self.limits.links:
            raise RuntimeError(f"{self.limits.links} connections at most, each with a number of its own.")

        def deliver(emission: Emission) -> None:
            try:
                payload = emission.encode(self._result_codec(head.service))
            except BadValue as error:
                _LOG.warning("an event cannot be sent: %s", error)
                return
            self.send(make_message(EVENT, next(self._numbers) & 0xFFFFFFFF, head.service, head.object, number, payload))

        def connected(done: futures.Future[Any] | None) -> None:
            error = None if done is None else done.exception()
            if error is None:
                self.send(make_answer(head, REPLY, link.to_bytes(8, "little")))
            else:
                self._links.pop(key, None)
                signal.remove_link(made)
                self.send(make_error(head, describe_error(error)))

        made, ready = signal.add_link(deliver)
        self._links[key] = (signal, made)
        if ready is None:
            connected(None)
        else:
            ready.add_done_callback(connected)

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

    def close(self) -> None:
        """End the connection; any thread may call it."""
        if is_loop_thread():
            self.end(ENDED)
        else:
            self._loop.call_soon_threadsafe(self.end, ENDED)

    def end(self, why: str) -> None:
        """End the connection, on the loop's thread: calls fail, links and objects are gone."""
        with self._lock:
            if self.ended:
                return
            self.ended = why or ENDED
            self._unsent.clear()
        for remove in (self._loop.remove_reader, self._loop.remove_writer):
            remove(self._socket.fileno())
        self._socket.close()
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
    """What reads and writes the objects in values of one service's messages."""

    __slots__ = ("_connection", "_numbers", "_service")

    def __init__(self, connection: Connection, service: int, numbers: count[int]) -> None:
        self._connection, self._service, self._numbers = connection, service, numbers

    def read_object(self, source: Source) -> RemoteObject | None:
        meta = get_codec(META_OBJECT_SIGNATURE).read(source)
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
