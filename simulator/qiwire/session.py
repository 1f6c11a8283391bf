"""`Session` and `Application`: a program's connection with the services of a directory."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from .addresses import Address, parse_url
from .connection import Connection
from .futures import Future, FutureState, all_workers, run_on
from .limits import CLIENT_LIMITS, DEFAULT_LIMITS, ServerLimits
from .messages import (
    AUTH_DONE,
    AUTH_ERROR,
    AUTH_STATE,
    CAPABILITIES,
    CAPABILITY,
    DIRECTORY,
    GREET,
    GREETER,
    keep_capabilities,
    make_message,
)
from .objects import HostedObject, Signal, host_object
from .remote import RemoteObject
from .server import Listener, Server, check_service_info, get_machine_id
from .values import encode_value

Made = TypeVar("Made")

if TYPE_CHECKING:
    from naoqi_services import ServiceFinder

    _NamedServices = ServiceFinder[Future]
else:
    _NamedServices = object  # only type checkers read the types of NAOqi's services

#: Real seconds for a computer to answer, for the agreement on TLS, for the greeting, and for each answer that a session
#: needs by itself.
_ANSWERS_WITHIN_S = 30.0
_MAX_GREETINGS = 6
_LOCAL_HOSTS = ("127.", "localhost", "::1")


def open_connection(
    address: Address,
    services: dict[int, HostedObject],
    authenticator: Any = None,
    on_end: Callable[[Connection], object] = lambda _connection: None,
) -> Connection:
    """Connect to a program and greet it; raises RuntimeError, also if it refuses the login."""
    try:
        connected = socket.create_connection((address.host, address.port), _ANSWERS_WITHIN_S)
        connected = address.secure(connected)
    except (OSError, UnicodeError) as error:
        raise RuntimeError(f"Cannot connect to {address.url}: {getattr(error, 'strerror', None) or error}") from None
    connection = Connection(connected, services, on_end=on_end)
    try:
        _greet(connection, authenticator)
    except BaseException:
        connection.close()
        raise
    connection.is_greeted = True
    return connection


def _greet(connection: Connection, authenticator: Any) -> None:
    given = dict(authenticator.initialAuthData()) if authenticator is not None else {}
    end = time.monotonic() + _ANSWERS_WITHIN_S
    for _ in range(_MAX_GREETINGS):
        said = encode_value("{sm}", {**CAPABILITIES, **_prefix_keys(given)})
        asked = connection.call(GREETER, 0, GREET, said, "{sm}")
        if asked.wait(int(max(end - time.monotonic(), 0.0) * 1000)) == FutureState.Running:
            raise RuntimeError(f"The other program did not greet within {_ANSWERS_WITHIN_S:g} seconds.")
        if asked.hasError(0):
            if connection.ended:
                raise RuntimeError(f"The connection ended during its greeting: {connection.ended}")
            if authenticator is not None:
                raise RuntimeError(f"Authentication failed: {asked.error()}")
            # A robot without logins refuses the question, and gets only our capabilities.
            connection.send(make_message(CAPABILITY, 0, GREETER, 0, 0, encode_value("{sm}", CAPABILITIES)))
            return
        answer = asked.value(0)
        if not isinstance(answer, dict):
            raise RuntimeError("The answer to the greeting is not a map of capabilities.")
        connection.capabilities = keep_capabilities(answer)
        state = answer.get(AUTH_STATE, AUTH_DONE)
        if state == AUTH_DONE:
            return
        if state == AUTH_ERROR or authenticator is None:
            raise RuntimeError(f"Authentication failed: {answer.get('__qi_auth_err_reason', 'a login is needed')}")
        told = {key.removeprefix("auth_"): value for key, value in answer.items() if "auth_" in str(key)}
        given = dict(authenticator._processAuth(told))
        if "newToken" in told:
            given.setdefault("token", told["newToken"])
    raise RuntimeError("Authentication failed: the robot keeps asking for it.")


def _await(answer: Future, what: str) -> Any:
    """Return the value of a future, for which a session waits by itself; raises RuntimeError."""
    if answer.wait(int(_ANSWERS_WITHIN_S * 1000)) == FutureState.Running:
        raise RuntimeError(f"{what}: no answer within {_ANSWERS_WITHIN_S:g} seconds.")
    return answer.value(0)


def _prefix_keys(given: dict[str, Any]) -> dict[str, Any]:
    return {key if key.startswith("__qi_auth_") else f"auth_{key}": value for key, value in given.items()}


class Session(_NamedServices):
    """A connection with a service directory, at a robot (`connect`) or of this program (`listenStandalone`).

    Most methods return a future instead of waiting if `_async` is True; errors are RuntimeErrors.
    """

    def __init__(self, url: str = "", *, limits: ServerLimits = DEFAULT_LIMITS) -> None:
        self.connected, self.disconnected = Signal("()"), Signal("(s)")
        self.serviceRegistered, self.serviceUnregistered = Signal("(Is)"), Signal("(Is)")
        self._limits = limits
        self._services: dict[int, HostedObject] = {}
        self._directory: RemoteObject | None = None
        self._connection: Connection | None = None
        self._others: dict[str, Connection] = {}
        self._server: Server | None = None
        self._listener: Listener | None = None
        self._authenticators: Any = None
        self._url = ""
        self._id = str(uuid.uuid4())
        self._lock = threading.RLock()
        if url:
            self.connect(url)

    def connect(self, url: str = "tcp://127.0.0.1:9559", _async: bool = False) -> Any:
        """Connect to the service directory at an address."""
        return _perform(_async, self._connect, url)

    def listen(self, url: str = "tcp://127.0.0.1:0", _async: bool = False) -> Any:
        """Listen at an address for calls of this program's own services."""
        return _perform(_async, self._listen, url)

    def listenStandalone(self, url: str = "tcp://127.0.0.1:0", _async: bool = False) -> Any:
        """Open a service directory at an address."""
        return _perform(_async, self._listen_standalone, url)

    if not TYPE_CHECKING:

        def service(self, name: str, _async: bool = False) -> Any:
            """Return the object of a service."""
            return _perform(_async, self._find, name)

    def services(self, _async: bool = False) -> Any:
        """Return the directory's information about each service."""
        return _perform(_async, self._list)

    def registerService(self, name: str, object: Any, _async: bool = False) -> Any:
        """Offer a Python object as a service, and return its number."""
        return _perform(_async, self._register, name, object)

    def unregisterService(self, id: int, _async: bool = False) -> Any:
        """Offer a service no more."""
        return _perform(_async, self._unregister, id)

    def waitForService(self, name: str, timeout: int = 300_000, _async: bool = False) -> Any:
        """Wait until there is a service, for at most `timeout` milliseconds."""
        return _perform(_async, self._wait_for, name, timeout)

    def isConnected(self) -> bool:
        """Return whether there is a connection with a directory."""
        return self._server is not None or (self._connection is not None and not self._connection.ended)

    def url(self) -> str:
        """Return the address of the directory."""
        return self._server.url if self._server is not None else self._url

    def endpoints(self) -> list[str]:
        """Return the addresses at which this program listens."""
        listener = self._server.listener if self._server is not None else self._listener
        return listener.list_urls() if listener is not None else []

    def setClientAuthenticatorFactory(self, factory: Any) -> None:
        """Set what makes the authenticators of this session: `factory.newAuthenticator()`."""
        self._authenticators = factory

    def close(self, _async: bool = False) -> Any:
        """End every connection."""
        return _perform(_async, self._close)

    # What happens.

    def _connect(self, url: str) -> None:
        if self.isConnected():
            raise RuntimeError("Session is already connected.")
        self._connection = self._open(parse_url(url), self._lose)
        self._url = url
        try:
            directory = self._directory = self._fetch(self._connection, DIRECTORY)
            for name, told in (("serviceAdded", self.serviceRegistered), ("serviceRemoved", self.serviceUnregistered)):
                _await(getattr(directory, name).connect(told, _async=True), name)
        except AttributeError as error:
            self._connection.close()
            raise RuntimeError(f"There is no service directory at {url}: {error}") from None
        except BaseException:
            self._connection.close()
            raise
        self.connected()

    @staticmethod
    def _fetch(connection: Connection, service: int) -> RemoteObject:
        found: RemoteObject = _await(connection.fetch_object(service), f"what service {service} offers")
        return found

    def _open(self, address: Address, on_end: Callable[[Connection], object]) -> Connection:
        authenticator = None if self._authenticators is None else self._authenticators.newAuthenticator()
        return open_connection(address, self._services, authenticator, on_end)

    def _lose(self, connection: Connection) -> None:
        for other in list(self._others.values()):
            other.close()
        self.disconnected(connection.ended)

    def _listen(self, url: str) -> None:
        try:
            self._listener = Listener(parse_url(url), self._services, self._limits)
        except (OSError, ValueError) as error:
            raise RuntimeError(f"Cannot listen at {url}: {error}") from None

    def _listen_standalone(self, url: str) -> None:
        try:
            self._server = Server(parse_url(url), self._limits)
        except (OSError, ValueError) as error:
            raise RuntimeError(f"Cannot listen at {url}: {error}") from None
        self._server.added.connect(self.serviceRegistered)
        self._server.removed.connect(self.serviceUnregistered)
        self.connected()

    def _ask(self, method: str, *args: Any) -> Any:
        return _await(self._present_directory().call(method, *args, _async=True), method)

    def _list(self) -> list[dict[str, Any]]:
        if self._server is not None:
            return self._server.list_services()
        rows = self._ask("services")
        if not isinstance(rows, list) or len(rows) > CLIENT_LIMITS.services:
            raise RuntimeError(f"The directory's answer is not a list of at most {CLIENT_LIMITS.services} services.")
        return [check_service_info(row) for row in rows]

    def _present_directory(self) -> RemoteObject:
        """Return the directory's object; a program with its own directory asks it as others do."""
        with self._lock:
            if self._server is not None and (self._connection is None or self._connection.ended):
                self._connection = self._open(parse_url(self._server.url), lambda _connection: None)
                self._directory = self._fetch(self._connection, DIRECTORY)
        if self._directory is None or self._connection is None or self._connection.ended:
            raise RuntimeError("Session not connected.")
        return self._directory

    def _find(self, name: str) -> RemoteObject:
        directory = self._present_directory()
        if name == "ServiceDirectory":
            return directory
        info = check_service_info(self._ask("service", name))
        return self._fetch(self._connection_to(info), info["serviceId"])

    def _connection_to(self, info: dict[str, Any]) -> Connection:
        """Return a connection to the program that offers a service."""
        assert self._connection is not None
        endpoints = [each for each in info["endpoints"] if each.startswith(("tcp://", "tcps://"))]
        own = check_service_info(self._ask("service", "ServiceDirectory"))
        if set(endpoints) & {self._url, *own["endpoints"]} or not endpoints:
            return self._connection
        # One program can have several sessions, each with its own address.
        is_of_directory = all(info[key] == own[key] for key in ("machineId", "processId"))
        if is_of_directory and info["sessionId"] == own["sessionId"]:
            return self._connection
        local = [each for each in endpoints if each.partition("://")[2].startswith((*_LOCAL_HOSTS, "[::1]"))]
        if info["machineId"] == get_machine_id():
            endpoints = local or endpoints
        else:
            endpoints = [each for each in endpoints if each not in local] or endpoints
        error: Exception = RuntimeError(f"{info['name']} has no address")
        end = time.monotonic() + _ANSWERS_WITHIN_S
        with self._lock:
            for url in endpoints:
                if time.monotonic() > end:
                    break
                known = self._others.get(url)
                if known is not None and not known.ended:
                    return known
                try:
                    self._others[url] = self._open(parse_url(url), lambda _connection: None)
                    return self._others[url]
                except (RuntimeError, ValueError) as problem:
                    error = problem
        if is_of_directory:
            return self._connection
        raise RuntimeError(str(error))

    def _register(self, name: str, instance: Any) -> int:
        hosted = host_object(instance)
        if self._server is not None:
            return self._server.register(name, hosted)
        if self._listener is None:
            self._present_directory()
            connection = self._connection
            assert connection is not None
            # Programs that reach the directory where we do reach us, too; those on this computer only if it is here.
            self._listen(Address(connection.own_host, 0).url)
        number: int = self._ask(
            "registerService",
            {
                "name": name,
                "serviceId": 0,
                "machineId": get_machine_id(),
                "processId": os.getpid(),
                "endpoints": self.endpoints(),
                "sessionId": self._id,
                "objectUid": hosted.identity,
            },
        )
        self._services[number] = hosted
        self._ask("serviceReady", number)
        return number

    def _unregister(self, number: int) -> None:
        if self._server is not None:
            self._server.unregister(number)
            return
        self._ask("unregisterService", number)
        self._services.pop(number, None)

    def _wait_for(self, name: str, timeout: int) -> None:
        came = threading.Event()
        link = self.serviceRegistered.connect(lambda _number, added: came.set() if added == name else None)
        try:
            with contextlib.suppress(RuntimeError):
                self._ask("service", name)
                return
            if not came.wait(timeout / 1000):
                raise RuntimeError(f"The service '{name}' did not appear.")
        finally:
            self.serviceRegistered.disconnect(link)

    def _close(self) -> None:
        for closed in (self._connection, *self._others.values(), self._listener, self._server):
            if closed is not None:
                closed.close()
        self._others.clear()
        self._directory = self._server = self._listener = None


def _perform(is_async: bool, call: Callable[..., Made], *args: Any) -> Made | Future:
    return run_on(all_workers(), call, *args) if is_async else call(*args)


class Application:
    """A program with a session: `--qi-url URL` among its arguments, or `url`, is the address of the directory."""

    def __init__(
        self, args: list[str] | None = None, raw: bool = False, autoExit: bool = True, url: str | None = None
    ) -> None:
        args = sys.argv if args is None else args
        self.url = url or "tcp://127.0.0.1:9559"
        for at, each in enumerate(list(args)):
            if each == "--qi-url" and at + 1 < len(args):
                self.url = args[at + 1]
                del args[at : at + 2]
            elif each.startswith("--qi-url="):
                self.url = each.partition("=")[2]
                args.remove(each)
        self.session = Session()
        self._over = threading.Event()
        if autoExit:
            self.session.disconnected.connect(lambda _why: self._over.set())

    def start(self) -> None:
        """Connect the session."""
        if not self.session.isConnected():
            self.session.connect(self.url)

    def run(self) -> None:
        """Start, and wait until `stop` is called or the connection has ended."""
        self.start()
        while not self._over.wait(0.5):
            pass

    def stop(self) -> None:
        """End `run` and the session."""
        self._over.set()
        self.session.close()
