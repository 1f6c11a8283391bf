"""A server of `qiwire` for tests of its limits, and a client of it that sends any bytes."""

import contextlib
import socket
import threading
from types import SimpleNamespace

from directory_clients import PATIENCE, until

import qiwire
from qiwire.addresses import Address
from qiwire.futures import get_loop
from qiwire.limits import ServerLimits
from qiwire.messages import HEADER_FORMAT, LIBQI_2021, DamagedMessage, make_greeting, make_message, read_header
from qiwire.metaobject import MetaMethod
from qiwire.objects import HostedMethod, HostedObject, Signal
from qiwire.server import Server

#: The greeting of a client that can do nothing in particular.
PLAIN_GREETING = make_greeting({})


class Talker:
    """A client that sends what it likes."""

    def __init__(self, address, said=PLAIN_GREETING, host=""):
        self.socket = socket.create_connection((address.host, address.port), PATIENCE, (host, 0) if host else None)
        self.say(said)

    def say(self, said):
        self.socket.sendall(said)

    def hear(self):
        """Return the next message, None after the end of the connection."""
        raw = self._exactly(HEADER_FORMAT.size)
        head = raw and read_header(raw)
        return (head, self._exactly(head.length)) if raw else None

    def ask(self, *message):
        self.say(make_message(*message))
        return self.hear()

    def has_ended(self):
        """Wait for the end; raises TimeoutError if the connection stays open."""
        with contextlib.suppress(ConnectionError):
            while self.socket.recv(65536):
                pass
        return True

    def _exactly(self, length):
        read = b""
        with contextlib.suppress(ConnectionError):
            while len(read) < length and (more := self.socket.recv(length - len(read))):
                read += more
        return read if len(read) == length else b""

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.socket.close()


@contextlib.contextmanager
def serving(**limits):
    """Yield a server with a service that echoes, its number, its address, and the arguments of calls that never end."""
    each, dialect = limits.pop("each", {}), limits.pop("dialect", LIBQI_2021)
    given = ServerLimits()._replace(**limits)
    server = Server(Address("127.0.0.1", 0), given._replace(each=given.each._replace(**each)), dialect=dialect)
    begun = []

    def wait(args, _client):
        begun.append(args)
        return qiwire.Promise().future()

    methods = {
        100: HostedMethod(MetaMethod("echo", "(m)"), lambda args, _client: args[0]),
        101: HostedMethod(MetaMethod("wait", "()"), wait),
        103: HostedMethod(MetaMethod("keep", "(m)"), wait),
    }
    try:
        number = server.register("Echo", HostedObject(methods, {102: ("told", Signal("(m)"))}))
        yield SimpleNamespace(server=server, number=number, address=server.listener.address, begun=begun)
    finally:
        server.close()


@contextlib.contextmanager
def held_loop():
    """Hold up the event loop, as if it were busy; what comes meanwhile waits."""
    is_held, go_on = threading.Event(), threading.Event()
    get_loop().call_soon_threadsafe(lambda: (is_held.set(), go_on.wait(PATIENCE)))
    assert is_held.wait(PATIENCE)
    try:
        yield
    finally:
        go_on.set()


def await_bytes(server, expected):
    """Wait until `expected` bytes of all clients are there for a server whose loop is held."""

    def count(connection):
        with contextlib.suppress(BlockingIOError):
            return len(connection._socket.recv(expected, socket.MSG_PEEK))
        return 0

    until(lambda: sum(map(count, server.listener.connections)) >= expected)


@contextlib.contextmanager
def answering(answers):
    """Yield the address of a server that answers a call by `answers[service, action](head)`; None is no answer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()

        def talk(connection):
            with connection, contextlib.suppress(OSError, DamagedMessage):
                while raw := connection.recv(HEADER_FORMAT.size, socket.MSG_WAITALL):
                    head = read_header(raw)
                    if head.length:
                        connection.recv(head.length, socket.MSG_WAITALL)
                    answer = answers.get((head.service, head.action))
                    connection.sendall(answer(head) or b"" if answer else b"")

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
