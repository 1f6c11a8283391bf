"""A server of a folder's files for a class: plain files, with or without TLS, for a limited number of browsers."""

import functools
import http.server
import os
import socket
import ssl
import threading
from pathlib import Path
from typing import Any

#: Connections at a time, six for each of about forty browsers; the next ones wait for the system or are hung up on.
MAX_CONNECTIONS = 256
#: Seconds for a client to agree on TLS, to ask again, or to take a part of a file.
CLIENT_TIMEOUT_S = 30.0
#: The types of files that Python's own server does not know everywhere.
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".crt": "application/x-x509-ca-cert",
}


class FileServer(http.server.ThreadingHTTPServer):
    """Serves a folder until it is closed; `more` has files from elsewhere, by name in the folder's address."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        folder: Path,
        host: str,
        port: int,
        *,
        tls: ssl.SSLContext | None = None,
        more: dict[str, str] | None = None,
    ) -> None:
        """Listen at `port`, or at any free one if it is 0. Raises OSError."""
        self._tls, self._free = tls, threading.BoundedSemaphore(MAX_CONNECTIONS)
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), functools.partial(_FileHandler, more or {}, directory=str(folder)))

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in its own thread, if there are not too many."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Agree on TLS first: here a client that says nothing keeps only its own thread waiting."""
        try:
            request.settimeout(CLIENT_TIMEOUT_S)
            if self._tls is not None:
                try:
                    request = self._tls.wrap_socket(request, server_side=True)
                except OSError:  # It does not trust the certificate, does not speak TLS, or has gone.
                    self.shutdown_request(request)
                    return
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing: phones come and go."""


class _FileHandler(http.server.SimpleHTTPRequestHandler):
    """Serves the files; browsers check their copies each time, so that a new site is seen immediately."""

    protocol_version = "HTTP/1.1"  # Browsers keep their connections, and agree on TLS once.
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, **_TYPES}

    def __init__(self, more: dict[str, str], *arguments: Any, **options: Any) -> None:
        self._more = more
        super().__init__(*arguments, **options)

    def translate_path(self, path: str) -> str:
        """Return the file of an address."""
        elsewhere = self._more.get(path.partition("?")[0].lstrip("/"))
        return os.fspath(super().translate_path(path)) if elsewhere is None else elsewhere

    def end_headers(self) -> None:
        """Add the header that has browsers ask whether a file has changed."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Print nothing: a class makes hundreds of requests."""
