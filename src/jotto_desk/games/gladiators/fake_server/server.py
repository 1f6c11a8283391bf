"""The fake server on the network: loopback only, many clients at once, every request bounded."""

import contextlib
import io
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from ....addresses import names_loopback
from ....errors import DeskError
from .. import protocol
from . import connections, site
from .connections import WaitingConnections
from .site import Request, ServerBehaviour, Site, SiteReply

HERE = "127.0.0.1"
#: Connections at a time; seconds an idle one is kept, or one that does not read its answer.
MOST_CONNECTIONS, PATIENCE = 256, 60.0
NOT_HERE = "This server answers to the name of this computer alone."

Told = Callable[[str], object]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "gladiators", ""
    # Also what cannot be read gets a whole answer.
    default_request_version = "HTTP/1.0"
    timeout = PATIENCE
    # Answers go out in one piece, at once.
    wbufsize = -1
    disable_nagle_algorithm = True
    server: "_Server"
    _is_used = False

    def handle_one_request(self) -> None:
        """Wait for a request, and answer it."""
        if self._is_used:
            self.server.open.rest(self.connection)
            assert isinstance(self.rfile, io.BufferedReader)
            with contextlib.suppress(OSError):
                self.rfile.peek(1)
        self._is_used = True
        self.server.open.wait(self.connection, self.client_address[0])
        super().handle_one_request()

    def finish(self) -> None:
        """End the connection."""
        self.server.open.take(self.connection)
        super().finish()

    def _answer(self) -> None:
        body = self._body()
        if body is None:
            return
        if not names_loopback("//" + self.headers.get("Host", "")):
            return self.send_error(403, NOT_HERE)
        time.sleep(self.server.site.habits.latency)
        mishap = self.server.site.mishap()
        if mishap == site.PAGE:
            return self._send(500, b"<html><body><h1>Server Error (500)</h1></body></html>", "text/html")
        path = re.sub("/+", "/", urlsplit("//host" + self.path if self.path.startswith("/") else self.path).path)
        request = Request(self.command, path, self.headers.get(protocol.TOKEN, ""), body)
        answer = self.server.site.answer(request, time.monotonic())
        asked = f"{self.command} {protocol.shown(path)}"
        self.server.tell(f"{asked}: {answer.status} {_told(answer)}{mishap and ' '}{mishap}")
        if mishap == site.DROPPED:
            self.close_connection = True
            return None
        raw = json.dumps(answer.body).encode("ascii")
        return self._send(answer.status, raw[: len(raw) // 2] if mishap == site.CUT else raw, location=answer.location)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = _answer

    def _body(self) -> bytes | None:
        """Read what was sent along; None after an answer that refuses it."""
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdigit() and len(length) < 10):
            self.send_error(411)
        elif int(length) > protocol.MOST_BYTES:
            self.send_error(413)
        else:
            body = self.rfile.read(int(length))
            # What was given up, or broken off, is not worked on.
            if self.server.open.take(self.connection) and len(body) == int(length):
                return body
            self.close_connection = True
        return None

    def _send(self, status: int, raw: bytes, kind: str = "application/json", location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)
        self.wfile.flush()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request that cannot be read, as JSON, and hang up."""
        self.close_connection = True
        self.server.open.take(self.connection)
        text = message or self.responses.get(code, ("Error",))[0]
        with contextlib.suppress(OSError):
            self._send(code, json.dumps({"error": protocol.shown(text)}).encode("ascii"))

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing: the server tells what it wants told."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, port: int, asked: Site, tell: Told) -> None:
        self.site, self.tell, self.open = asked, tell, WaitingConnections()
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__((HERE, port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection on a thread of its own; where there are too many, one that waits makes room."""
        if not (self._places.acquire(blocking=False) or (self.open.make_room() and self._places.acquire(timeout=1))):
            connections.refuse(request, 503, connections.FULL)
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._places.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def service_actions(self) -> None:
        """Look for requests that are too late, now and then."""
        self.open.give_up()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that went away."""


def _told(answer: SiteReply) -> str:
    """Describe an answer for the log, without tokens and hashes: they contain the mail address."""
    hidden = {key: "..." if key in (protocol.TOKEN, "hash") else value for key, value in answer.body.items()}
    return json.dumps(hidden) if hidden else answer.location


@contextlib.contextmanager
def served(
    habits: ServerBehaviour | None = None, *, seed: int = 1, port: int = 0, tell: Told = lambda line: None
) -> Iterator[str]:
    """Serve the challenge while the `with` lasts; returns the address. Port 0 is any free one; `tell` hears of answers.

    Raises `DeskError` for a port that is taken.
    """
    try:
        server = _Server(port, Site(habits or ServerBehaviour(), seed), tell)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise DeskError(f"Port {port} cannot be used ({reason}); choose another with --port, or 0 for any.") from error
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), name="gladiators", daemon=True)
    thread.start()
    try:
        yield f"http://{HERE}:{server.server_address[1]}"
    finally:
        server.shutdown()
        with contextlib.suppress(OSError):
            server.socket.shutdown(socket.SHUT_RDWR)
        server.server_close()
        thread.join(5)
