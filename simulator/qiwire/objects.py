"""Objects that this program offers: `Signal`, `Property`, and `HostedObject`, which other programs call."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from concurrent import futures
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from .futures import Future, Runner, Strand, all_workers, make_finished_future, run_on
from .limits import BadValue
from .messages import FIRST_ACTION
from .metaobject import MetaMethod, MetaObject, describe_method
from .values import ObjectCodec, encode_value

#: Bytes by which libqi distinguishes objects.
IDENTITY_BYTES = 20


class Emission:
    """The arguments of a signal that is emitted, encoded once for all programs that listen."""

    __slots__ = ("_payload", "args", "signature")

    def __init__(self, signature: str, args: tuple[Any, ...]) -> None:
        self.signature, self.args = signature, args
        self._payload: bytes | None = None

    def encode(self, objects: ObjectCodec) -> bytes:
        """Return the payload of an event; an object is written for each program. Raises BadValue."""
        if self._payload is None:
            try:
                self._payload = encode_value(self.signature, self.args)
            except BadValue:
                return encode_value(self.signature, self.args, objects)
        return self._payload


_MAX_PREPARED = 4  # signatures under which a prepared result is stored


class Prepared:
    """A result that is the same for many callers; it stores its bytes for the first few requested signatures."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self._payloads: dict[str, bytes] = {}

    def encode(self, signature: str) -> bytes:
        """Return the bytes; raises BadValue."""
        found = self._payloads.get(signature)
        if found is None:
            found = encode_value(signature, self.value)
            if len(self._payloads) < _MAX_PREPARED:
                self._payloads[signature] = found
        return found


class Signal:
    """A signal of an object: call it to emit its arguments to everything that is connected.

    `onConnect(True)` is called before the first connection is made, `onConnect(False)` after the last has ended.
    """

    def __init__(self, signature: str = "m", onConnect: Callable[[bool], object] | None = None) -> None:
        if signature != "m" and not signature.startswith("("):
            raise RuntimeError("Signal signature should be tuple, or AnyArguments")
        self.signature = signature
        self._links: dict[int, Callable[[Emission], object]] = {}
        self._numbers = count(1)
        self._lock = threading.RLock()
        self._ready: futures.Future[Any] | None = None
        strand = Strand()
        self._watch: Callable[[bool], Any] = lambda is_first: onConnect and run_on(strand, onConnect, is_first)

    @classmethod
    def make_watched(cls, signature: str, watch: Callable[[bool], futures.Future[Any] | None]) -> Signal:
        """Make a signal whose `watch(is_first)` is called on the thread that connects, and must not wait.

        A connection counts as made when the future that it returns is done.
        """
        signal = cls(signature)
        signal._watch = watch
        return signal

    def connect(self, callback: Callable[..., object], _async: bool = False) -> Any:
        """Connect a callback, which a worker calls, and return the number of the connection."""
        strand = Strand()
        link, ready = self.add_link(lambda emission: strand.submit(partial(callback, *emission.args)))
        if _async:
            return make_finished_future(link)
        if ready is not None:
            ready.result()
        return link

    def disconnect(self, id: int, _async: bool = False) -> Any:
        """End a connection; return whether there was one."""
        found = self.remove_link(id)
        return make_finished_future(found) if _async else found

    def disconnectAll(self, _async: bool = False) -> Any:
        """End every connection that was made here."""
        for link in list(self._links):
            self.remove_link(link)
        return make_finished_future(True) if _async else True

    def __call__(self, *args: Any) -> None:
        links = list(self._links.values())
        if links:
            emission = Emission(self.signature, args)
            for deliver in links:
                deliver(emission)

    def add_link(self, deliver: Callable[[Emission], object]) -> tuple[int, futures.Future[Any] | None]:
        """Connect `deliver`, called on the thread that emits; return the link, and a future if it is made later."""
        with self._lock:
            link = next(self._numbers)
            is_first = not self._links
            self._links[link] = deliver
            if is_first:
                made = self._watch(True)
                self._ready = made if isinstance(made, futures.Future) else None
            return link, self._ready

    def remove_link(self, link: int) -> bool:
        """End a link; return whether there was one."""
        with self._lock:
            found = self._links.pop(link, None) is not None
            if found and not self._links:
                self._watch(False)
            return found


class Property(Signal):
    """A value of an object: others read it, set it, and connect to its changes."""

    def __init__(self, signature: str = "m", value: Any = None) -> None:
        super().__init__(signature if signature.startswith("(") else f"({signature})")
        self.value_signature = self.signature[1:-1]
        self._value = value

    def value(self, _async: bool = False) -> Any:
        """Return the value."""
        return make_finished_future(self._value) if _async else self._value

    def setValue(self, value: Any, _async: bool = False) -> Any:
        """Set the value, and send it to every connected callback."""
        self._value = value
        self(value)
        return make_finished_future() if _async else None

    def addCallback(self, cb: Callable[[Any], object], _async: bool = False) -> Any:
        """Connect a callback, as `connect` does."""
        return self.connect(cb, _async)


class HostedMethod(NamedTuple):
    """A method and its function of arguments and connection, which returns a value or a future."""

    meta: MetaMethod
    call: Callable[[list[Any], Any], Any]


class HostedObject:
    """An object that other programs reach, with its members by number."""

    def __init__(
        self,
        methods: dict[int, HostedMethod],
        signals: dict[int, tuple[str, Signal]] | None = None,
        properties: dict[int, tuple[str, Property]] | None = None,
        description: str = "",
    ) -> None:
        self.methods, self.properties = methods, {number: kept for number, (_, kept) in (properties or {}).items()}
        named = {**(signals or {}), **(properties or {})}
        self.signals: dict[int, Signal] = {number: signal for number, (_, signal) in named.items()}
        self.identity = os.urandom(IDENTITY_BYTES)
        self.meta = MetaObject(
            {number: method.meta for number, method in methods.items()},
            {number: (name, signal.signature) for number, (name, signal) in named.items()},
            {number: (name, kept.value_signature) for number, (name, kept) in (properties or {}).items()},
            description,
        ).with_common()

    @classmethod
    def make_numbered(cls, members: Iterable[HostedMethod | tuple[str, Signal]]) -> HostedObject:
        """Make an object whose members have the numbers that libqi gives them."""
        methods, signals, properties = {}, {}, {}
        for number, member in enumerate(members, FIRST_ACTION):
            if isinstance(member, HostedMethod):
                methods[number] = member
            elif isinstance(member[1], Property):
                properties[number] = (member[0], member[1])
            else:
                signals[number] = member
        return cls(methods, signals, properties)

    def find_property(self, which: Any) -> Property:
        """Return the property of a number or a name; raises RuntimeError."""
        found = self.properties.get(self.meta.property_numbers.get(which, which))
        if found is None:
            raise RuntimeError(f"There is no property {which!r}.")
        return found


def host_object(instance: Any) -> HostedObject:
    """Return the hosted object of a Python object: its methods, and its attributes that are signals and properties.

    They get the numbers that libqi gives them. Calls run on workers: one after the other, or several together for a
    class that is marked with `multiThreaded`.
    """
    if isinstance(instance, HostedObject):
        return instance
    known = getattr(instance, "__dict__", {}).get("__qi_hosted__")
    if isinstance(known, HostedObject):
        return known
    kind = type(instance)
    if kind.__module__ == "builtins" or isinstance(instance, type) or not hasattr(instance, "__dict__"):
        raise BadValue(f"a {kind.__name__} is not an object with methods")
    runner: Runner = all_workers() if getattr(kind, "__qi_threading__", "") == "multi" else Strand()
    found: list[HostedMethod | tuple[str, Signal]] = []
    for name in dir(instance):
        if name.startswith("__"):
            continue
        member = getattr(instance, name)
        if isinstance(member, Signal):
            found.append((name, member))
        elif callable(member) and not isinstance(member, type):
            meta = describe_method(name, member)
            if meta is not None:
                found.append(HostedMethod(meta, _wrap_method(runner, member)))
    hosted = instance.__dict__["__qi_hosted__"] = HostedObject.make_numbered(found)
    return hosted


def _wrap_method(runner: Runner, method: Callable[..., Any]) -> Callable[[list[Any], Any], Future]:
    return lambda args, _connection: run_on(runner, method, *args)
