"""A server whose connections are bounded, plain and over TLS: silent ones end, and make room for those that ask."""

import contextlib
import http.client
import socket
import ssl
import threading
from urllib.parse import urlsplit

import pytest
from tls_files import tls_files

from naosim_page.access import Access, raw_refusal, refuse

pytest.importorskip("uvicorn")
pytest.importorskip("websocket")

import uvicorn
import websocket

from naosim_page import connections
from naosim_page.connections import make_bounded_protocol

PATIENCE = 30.0


@pytest.fixture(scope="module", params=["http", "https"])
def tls(request, tmp_path_factory):
    """Provide what TLS is served by, None for plain connections."""
    return Access("", "", *tls_files(tmp_path_factory.mktemp("tls"))).tls() if request.param == "https" else None


@contextlib.contextmanager
def served(tls):
    """Serve a teapot, which says by a web socket what it is told, and provide its address."""

    async def teapot(scope, receive, send):
        if scope["type"] == "http":
            await refuse(send, 418, "I am a teapot.")
            return
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(
            uvicorn.Config(
                teapot,
                http=make_bounded_protocol(raw_refusal, tls),
                loop="asyncio",
                lifespan="off",
                log_level="critical",
                timeout_graceful_shutdown=1,
            )
        )
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield f"{'http' if tls is None else 'https'}://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
    assert not thread.is_alive()


def silent(url):
    """Open a connection that sends nothing."""
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname, parts.port), PATIENCE)


def ask(url):
    """Ask on a new connection, and return status and body."""
    parts = urlsplit(url)
    made = (
        http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
        if parts.scheme == "http"
        else http.client.HTTPSConnection(parts.netloc, timeout=PATIENCE, context=ssl._create_unverified_context())
    )
    with contextlib.closing(made) as connection:
        connection.request("GET", "/")
        answer = connection.getresponse()
        return answer.status, answer.read()


def read_to_end(wire):
    """Wait for the end of a connection, and return what came before it."""
    with contextlib.suppress(ConnectionResetError):
        return b"".join(iter(lambda: wire.recv(4096), b""))
    return b""


def test_a_silent_connection_is_ended(tls, monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_S", 0.1)
    with served(tls) as url, silent(url) as wire:
        # Where TLS is not agreed on, there is no way to say why.
        assert (b" 408 " in read_to_end(wire)) == (tls is None)


def test_a_silent_connection_is_dropped_for_a_request(tls, monkeypatch):
    monkeypatch.setattr(connections, "MAX_OPEN_CONNECTIONS", 2)
    with served(tls) as url, contextlib.ExitStack() as stack:
        wires = [stack.enter_context(silent(url)) for _ in range(2)]
        assert ask(url) == (418, b"I am a teapot.")
        read_to_end(wires[0])


def test_a_connection_without_tls_is_closed(tls):
    with served(tls) as url, silent(url) as wire:
        wire.sendall(b"\x00" * 100)
        read_to_end(wire)
        assert ask(url)[0] == 418


def test_a_web_socket_has_no_time_limit(tls, monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_S", 0.1)
    monkeypatch.setattr(connections, "TICK_S", 0.01)
    with (
        served(tls) as url,
        contextlib.closing(
            websocket.create_connection(url.replace("http", "ws"), PATIENCE, sslopt={"cert_reqs": ssl.CERT_NONE})
        ) as spoken,
        silent(url) as wire,
    ):
        # A silent connection that came later has been ended.
        read_to_end(wire)
        spoken.send("Tea?")
        assert spoken.recv() == "Tea?"
