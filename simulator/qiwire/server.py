"""A program that others connect to: `Listener` accepts connections within limits, `Server` has a service directory."""

from __future__ import annotations

import contextlib
import os
import socket
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any, NamedTuple

from .addresses import Address
from .connection import Connection
from .futures import call_on_loop, get_loop
from .limits import DEFAULT_LIMITS, ServerLimits, Shared
from .messages import (
    FIND_SERVICE,
    LIBQI_2021,
    LIST_SERVICES,
    MACHINE_ID,
    REGISTER_SERVICE,
    SERVICE_ADDED,
    SERVICE_READY,
    SERVICE_REMOVED,
    UNREGISTER_SERVICE,
    UPDATE_SERVICE,
    Dialect,
)
from .metaobject import MetaMethod
from .objects import HostedMethod, HostedObject, Prepared, Signal

_BACKLOG = 512  # connections that the system keeps waiting
_ACCEPTED_AT_ONCE = 50
_CLOSE_TIMEOUT_S = 2.0  # real seconds
_RETRY_S, _SWEEP_S = 0.1, 0.1  # real seconds before another try without resources, and between two looks at the limits


class Listener:
    """Accepts connections at an address, to these services; raises OSError."""

    def __init__(
        self,
        address: Address,
        services: dict[int, HostedObject],
        limits: ServerLimits = DEFAULT_LIMITS,
        on_end: Callable[[Connection], object] = lambda _connection: None,
        dialect: Dialect = LIBQI_2021,
    ) -> None:
        self.limits, self._dialect = limits, dialect
        self._services, self._told_end = services, on_end
        self._shared = Shared(limits)
        self.connections: dict[Connection, None] = self._shared.members
        self._socket = _bind(address)
        self.address = address._replace(port=int(self._socket.getsockname()[1]))
        self._loop = get_loop()
        self._is_open = True
        self._loop.call_soon_threadsafe(self._begin)

    def list_urls(self, connection: Connection | None = None) -> list[str]:
        """Return the address of this program; of a listener at all addresses, the one that a connection uses."""
        host = self.address.host
        if host in ("0.0.0.0", "::"):
            host = _own_host(host) if connection is None else connection.own_host
        return [self.address._replace(host=host).url]

    def close(self) -> None:
        """Accept no more connections, and end those there are."""
        # A loop that something holds up ends them later.
        with contextlib.suppress(TimeoutError, futures.TimeoutError):
            call_on_loop(self._end, timeout=_CLOSE_TIMEOUT_S)

    def _begin(self) -> None:
        if self._is_open:
            self._loop.add_reader(self._socket.fileno(), self._accept)
            self._sweep()

    def _end(self) -> None:
        if self._is_open:
            self._is_open = False
            self._loop.remove_reader(self._socket.fileno())
            self._socket.close()
            for connection in list(self.connections):
                connection.end("the server ends")

    def _accept(self) -> None:
        for _ in range(_ACCEPTED_AT_ONCE):
            try:
                accepted, _place = self._socket.accept()
            except BlockingIOError:
                return
            except OSError:
                self._loop.remove_reader(self._socket.fileno())
                self._loop.call_later(_RETRY_S, self._resume)
                return
            self._make_room()
            connection = Connection(
                accepted,
                self._services,
                self.limits.each,
                is_server=True,
                shared=self._shared,
                dialect=self._dialect,
                on_end=self._forget,
            )
            self.connections[connection] = None

    def call_later(self, seconds: float, call: Callable[..., object], *args: Any) -> None:
        """Call something later, on the thread of the event loop, if this listens still."""
        self._loop.call_later(seconds, lambda: call(*args) if self._is_open else None)

    def _make_room(self) -> None:
        """End connections so that there is room for another one."""
        silent = [each for each in self.connections if not each.is_greeted]
        if len(silent) >= self.limits.silent:
            # Its bytes can still be unread.
            silent[0]._read()
            if not silent[0].is_greeted:
                silent[0].end("too many silent connections")
        if len(self.connections) >= self.limits.connections:
            count = Counter(each.other_host for each in self.connections)
            idlest = min(self.connections, key=lambda each: (-count[each.other_host], each.used_at))
            idlest.end("too many connections, and this one has been idle longest")

    def _resume(self) -> None:
        if self._is_open:
            self._loop.add_reader(self._socket.fileno(), self._accept)

    def _forget(self, connection: Connection) -> None:
        self.connections.pop(connection, None)
        self._told_end(connection)

    def _sweep(self) -> None:
        """End connections that take too long."""
        if not self._is_open:
            return
        now, each = time.monotonic(), self.limits.each
        for connection in list(self.connections):
            if each.greets_within and not connection.is_greeted and now - connection.since > each.greets_within:
                connection.end("no greeting")
            elif each.asks_within and not connection.has_asked and now - connection.since > each.asks_within:
                connection.end("no call")
            elif each.reads_within and 0 < connection.unread_since < now - each.reads_within:
                connection.end("the other program does not read")
        self._shared.check_bytes()
        self._loop.call_later(_SWEEP_S, self._sweep)


def _bind(address: Address) -> socket.socket:
    family, kind, protocol, _, place = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name != "nt":  # Windows would let two programs listen at one port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(_BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def _own_host(listens_at: str) -> str:
    """Return this computer's address in its network; its own loopback address without a network."""
    is_six = ":" in listens_at
    try:
        with socket.socket(socket.AF_INET6 if is_six else socket.AF_INET, socket.SOCK_DGRAM) as asked:
            # It sends no bytes: the system only chooses the address from which it would send.
            asked.connect(("2001:db8::1" if is_six else "192.0.2.1", 9))
            return str(asked.getsockname()[0])
    except OSError:
        return "::1" if is_six else "127.0.0.1"


# The service directory.

SERVICE_INFO = "(sIsI[s]ss)<ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId,objectUid>"
#: Of servers that do not know objects by their identities.
_OLD_SERVICE_INFO = "(sIsI[s]s)<ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId>"
_INFO_KEYS = ("name", "serviceId", "machineId", "processId", "endpoints", "sessionId", "objectUid")
_MACHINE_ID_FILE = Path("~/.config/qimessaging/machine_id")
_MAX_MACHINE_ID_LENGTH = 100  # characters
_MAX_SERVICES = 1000
_MAX_OWN_HOSTS = 16  # own addresses for which the list of services is stored
#: Characters of a service's name, of its other texts, and of each of its addresses; the number of its addresses.
_MAX_NAME_LENGTH, _MAX_TEXT_LENGTH, _MAX_ENDPOINT_LENGTH, _MAX_ENDPOINTS = 200, 100, 200, 32


def get_machine_id() -> str:
    """Return libqi's number of this computer, from libqi's file for it.

    libqi connects to 127.0.0.1 only for services whose computer has its own number.
    """
    path = _MACHINE_ID_FILE.expanduser()
    try:
        known = path.read_text("ascii")[:_MAX_MACHINE_ID_LENGTH].strip()
        if known:
            return known
    except (OSError, ValueError):
        pass
    made = str(uuid.uuid4())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made, "ascii")
    except OSError:
        pass
    return made


def check_service_info(info: Any) -> dict[str, Any]:
    """Return what another program says of a service; raises RuntimeError if it is of a wrong type or too long."""
    if not isinstance(info, dict) or not isinstance(info.get("name"), str) or not info["name"]:
        raise RuntimeError("A service needs a name.")
    name, endpoints = info["name"], info.get("endpoints")
    if len(name) > _MAX_NAME_LENGTH:
        raise RuntimeError(f"The name of a service has at most {_MAX_NAME_LENGTH} characters: {name[:20]!r}...")
    for key in ("machineId", "sessionId", "objectUid"):
        text = info.get(key, "")
        if not isinstance(text, str | bytes) or len(text) > _MAX_TEXT_LENGTH:
            raise RuntimeError(f"The {key} of {name!r} is not a text of at most {_MAX_TEXT_LENGTH} characters.")
    for key in ("serviceId", "processId"):
        number = info.get(key)
        if not isinstance(number, int) or not 0 <= number < 2**32:
            raise RuntimeError(f"The {key} of {name!r} is not a number of 32 bits.")
    if not isinstance(endpoints, list) or len(endpoints) > _MAX_ENDPOINTS:
        raise RuntimeError(f"{name!r} has no list of at most {_MAX_ENDPOINTS} addresses.")
    if not all(isinstance(each, str) and len(each) <= _MAX_ENDPOINT_LENGTH for each in endpoints):
        raise RuntimeError(f"An address of {name!r} is not a text of at most {_MAX_ENDPOINT_LENGTH} characters.")
    return {key: info.get(key, "") for key in _INFO_KEYS}


class _Entry(NamedTuple):
    """A service and the connection of its program, None for this one; only that program finds it while it `is_late`."""

    info: dict[str, Any]
    owner: Connection | None
    is_ready: bool
    is_late: bool = False

    def is_for(self, connection: Connection | None) -> bool:
        """Return whether the program of a connection finds it, None for a program that has not offered it."""
        return self.is_ready and (not self.is_late or self.owner is connection)


class Server:
    """A listener with a service directory: hosts services of this program, and lists those of others.

    A service of another program is found by third ones `late_s` real seconds after it was registered. Raises OSError if
    the address cannot be listened at.
    """

    def __init__(
        self,
        address: Address,
        limits: ServerLimits = DEFAULT_LIMITS,
        late_s: float = 0.0,
        dialect: Dialect = LIBQI_2021,
    ) -> None:
        self._late_s = late_s
        self._info = SERVICE_INFO if dialect.has_identities else _OLD_SERVICE_INFO
        self.machine_id = get_machine_id()
        self.services: dict[int, HostedObject] = {}
        #: Emitted with the number and the name of a service, on the thread of the event loop or of `register`.
        self.added, self.removed = Signal("(Is)"), Signal("(Is)")
        #: Emitted like `removed`, but also for a service that other programs have not heard of yet.
        self.withdrawn = Signal("(Is)")
        self._entries: dict[int, _Entry] = {}
        #: The list of services, by the own address of the connection that asks; empty after a change.
        self._lists: dict[str, Prepared] = {}
        self._last = 0
        self._session = str(uuid.uuid4())
        self.listener = Listener(address, self.services, limits, self._forget_owner, dialect)
        self._add("ServiceDirectory", self._make_directory())

    @property
    def url(self) -> str:
        """Return the address at which programs connect."""
        return self.listener.list_urls()[0]

    def close(self) -> None:
        """End every connection."""
        self.listener.close()

    def register(self, name: str, hosted: HostedObject) -> int:
        """Offer a service, and return its number; raises RuntimeError if the name is taken."""
        return call_on_loop(self._add, name, hosted)

    def unregister(self, number: int) -> None:
        """Remove a service of any program; raises RuntimeError if none exists of this number."""
        call_on_loop(self._remove, number)

    def owner(self, name: str) -> tuple[int, Connection | None] | None:
        """Return the number of a service and the connection of its program, None for this one; None if unknown."""
        for number, entry in list(self._entries.items()):
            if entry.info["name"] == name and entry.is_ready:
                return number, entry.owner
        return None

    def list_services(self, connection: Connection | None = None) -> list[dict[str, Any]]:
        """Return the information about each service; the endpoints of this program's own are for a connection."""
        return [self._describe(entry, connection) for entry in list(self._entries.values()) if entry.is_for(connection)]

    def _add(self, name: str, hosted: HostedObject) -> int:
        number = self._enter({"name": name, "objectUid": hosted.identity}, None)
        self.services[number] = hosted
        self._make_ready(number)
        return number

    def _enter(self, info: dict[str, Any], owner: Connection | None) -> int:
        name = info["name"]
        for number, entry in self._entries.items():
            if entry.info["name"] == name:
                raise RuntimeError(f'Service "{name}" (#{number}) is already registered.')
        if len(self._entries) >= _MAX_SERVICES:
            raise RuntimeError(f"{_MAX_SERVICES} services at most.")
        most = self.listener.limits.each.services
        if owner is not None and sum(entry.owner is owner for entry in self._entries.values()) >= most:
            raise RuntimeError(f"A program offers {most} services at most.")
        self._last += 1
        self._entries[self._last] = _Entry({**info, "serviceId": self._last}, owner, False)
        return self._last

    def _make_ready(self, number: int) -> None:
        entry = self._entries.get(number)
        if entry is None or entry.is_ready:
            raise RuntimeError(f"Can't find pending service #{number}")
        is_late = self._late_s > 0 and entry.owner is not None
        self._entries[number] = entry._replace(is_ready=True, is_late=is_late)
        if is_late:
            self.listener.call_later(self._late_s, self._show, number)
        else:
            self._show(number)

    def _show(self, number: int) -> None:
        entry = self._entries.get(number)
        if entry is not None:
            self._entries[number] = entry._replace(is_late=False)
            self._lists.clear()
            self.added(number, entry.info["name"])

    def _remove(self, number: int) -> None:
        entry = self._entries.pop(number, None)
        if entry is None:
            raise RuntimeError(f"Unregister Service: Can't find service #{number}")
        self.services.pop(number, None)
        self._lists.clear()
        if entry.is_ready:
            self.withdrawn(number, entry.info["name"])
            if not entry.is_late:
                self.removed(number, entry.info["name"])

    def _forget_owner(self, connection: Connection) -> None:
        for number in [number for number, entry in self._entries.items() if entry.owner is connection]:
            self._remove(number)

    def _describe(self, entry: _Entry, connection: Connection | None) -> dict[str, Any]:
        if entry.owner is not None:
            return entry.info
        return {
            "machineId": self.machine_id,
            "processId": os.getpid(),
            "sessionId": self._session,
            "endpoints": self.listener.list_urls(connection),
            **entry.info,
        }

    def _find(self, name: str, connection: Connection) -> dict[str, Any]:
        for entry in self._entries.values():
            if entry.info["name"] == name and entry.is_for(connection):
                return self._describe(entry, connection)
        raise RuntimeError(f"Cannot find service '{name}' in index")

    def _list(self, connection: Connection) -> Prepared:
        if any(entry.is_late and entry.owner is connection for entry in self._entries.values()):
            return Prepared(self.list_services(connection))
        found = self._lists.get(connection.own_host)
        if found is None:
            if len(self._lists) >= _MAX_OWN_HOSTS:
                self._lists.clear()
            found = self._lists[connection.own_host] = Prepared(self.list_services(connection))
        return found

    def _update(self, given: Any) -> None:
        info = check_service_info(given)
        entry = self._entries.get(info["serviceId"])
        if entry is None:
            raise RuntimeError(f"updateServiceInfo: Can't find service #{info['serviceId']}")
        for number, other in list(self._entries.items()):
            if other.info.get("sessionId") == info["sessionId"]:
                self._entries[number] = other._replace(info={**other.info, "endpoints": info["endpoints"]})
        self._entries[info["serviceId"]] = entry._replace(info={**info, "name": entry.info["name"]})
        self._lists.clear()

    def _make_directory(self) -> HostedObject:
        def method(name: str, parameters: str, returns: str, call: Callable[..., Any]) -> HostedMethod:
            def answer(args: list[Any], connection: Connection) -> Any:
                if parameters == "(s)" and not isinstance(args[0], str):
                    raise RuntimeError("The name of a service is a string.")
                return call(*args, connection)

            return HostedMethod(MetaMethod(name, parameters, returns), answer)

        methods = {
            FIND_SERVICE: method("service", "(s)", self._info, self._find),
            LIST_SERVICES: method("services", "()", f"[{self._info}]", self._list),
            REGISTER_SERVICE: method("registerService", f"({self._info})", "I", self._enter_given),
            UNREGISTER_SERVICE: method("unregisterService", "(I)", "v", lambda number, _: self._remove(number)),
            SERVICE_READY: method("serviceReady", "(I)", "v", lambda number, _: self._make_ready(number)),
            UPDATE_SERVICE: method("updateServiceInfo", f"({self._info})", "v", lambda info, _: self._update(info)),
            MACHINE_ID: method("machineId", "()", "s", lambda _: self.machine_id),
        }
        signals = {SERVICE_ADDED: ("serviceAdded", self.added), SERVICE_REMOVED: ("serviceRemoved", self.removed)}
        return HostedObject(methods, signals)

    def _enter_given(self, info: Any, connection: Connection) -> int:
        return self._enter(check_service_info(info), connection)
