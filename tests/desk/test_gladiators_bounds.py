"""The gladiators' server and connections that misbehave: it serves the others, and every refusal is JSON."""

import contextlib
import http.client
import json
import select
import socket
import threading
from urllib.parse import urlsplit

import pytest

from jotto_desk.games import gladiators_server
from naosim_live import unfinished

SIGN_IN = b'POST /api-auth-token/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 24\r\n\r\n{"email": "a@b.example"}'
HALVES = {
    "nothing": b"",
    "half a line": b"GET /le",
    "half a header": b"GET /hash/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "half a body": SIGN_IN[:-9],
    "half a second request": SIGN_IN + b"GET /ha",
}


@pytest.fixture
def url():
    with gladiators_server.serve_challenge() as found:
        yield found


def sent(url, raw):
    """Open a connection and send something."""
    parts = urlsplit(url)
    wire = socket.create_connection((parts.hostname, parts.port), timeout=30)
    wire.sendall(raw)
    return wire


def told(wire):
    """Return the status and the JSON of the next answer."""
    came = http.client.HTTPResponse(wire)
    came.begin()
    return came.status, json.loads(came.read())


@pytest.mark.parametrize("raw", HALVES.values(), ids=HALVES)
def test_an_unfinished_request_is_ended_with_a_reason(url, monkeypatch, raw):
    monkeypatch.setattr(unfinished, "REQUEST_TIMEOUT_S", 0.3)
    with sent(url, raw) as wire:
        if raw.endswith(b"/ha"):
            assert told(wire)[0] == 200
        assert told(wire)[0] == 408 and wire.recv(10) == b""


def test_too_many_unfinished_requests_make_room(url, monkeypatch):
    # Which are the oldest is decided by the threads that began to read; test_unfinished.py has their order.
    monkeypatch.setattr(unfinished, "MAX_PER_ADDRESS", 3)
    monkeypatch.setattr(unfinished, "YOUNG_REQUEST_S", 0)
    with contextlib.ExitStack() as stack:
        wires = {stack.enter_context(sent(url, SIGN_IN[:20])) for _ in range(5)}
        given_up = set()
        while len(given_up) < 2:
            answered = select.select(wires - given_up, [], [], 30)[0]
            assert answered, "none of too many was given up"
            given_up.update(answered)
        assert [told(wire)[0] for wire in given_up] == [408, 408]
        for wire in wires - given_up:
            wire.sendall(SIGN_IN[20:])
            assert told(wire)[0] == 200


def test_beyond_the_most_connections_one_that_waits_goes_or_the_newest_is_refused(monkeypatch):
    monkeypatch.setattr(gladiators_server, "MAX_CONNECTIONS", 2)
    going_on, begun = threading.Event(), threading.Semaphore(0)
    with gladiators_server.serve_challenge() as url, contextlib.ExitStack() as stack:
        first = stack.enter_context(sent(url, b""))
        second = stack.enter_context(sent(url, SIGN_IN))
        assert told(second)[0] == 200
        third = stack.enter_context(sent(url, SIGN_IN))
        # An unfinished request goes before an idle connection does.
        assert told(third)[0] == 200 and told(first)[0] == 408
        fourth = stack.enter_context(sent(url, SIGN_IN))
        assert told(fourth)[0] == 200
        # Both idle: which has been so for longer is decided by the threads that served them.
        [gone] = select.select([second, third], [], [], 30)[0]
        assert gone.recv(10) == b""
        kept = third if gone is second else second
        monkeypatch.setattr(gladiators_server.Site, "mishap", lambda _: begun.release() or (going_on.wait(30) and ""))
        kept.sendall(SIGN_IN)
        fourth.sendall(SIGN_IN)
        # A connection whose request is not read yet counts as idle.
        assert begun.acquire(timeout=30) and begun.acquire(timeout=30)
        refused = None
        for _ in range(100):
            with sent(url, b"GET /hash/ HTTP/1.1\r\n") as wire:
                refused = told(wire)
            if refused[0] == 503:
                break
        assert refused[0] == 503 and "try again" in refused[1]["error"]
        going_on.set()
        assert told(kept)[0] == told(fourth)[0] == 200


@pytest.mark.parametrize(
    "raw, status",
    [
        (b"NOTHING\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 505),
        (b"DANCE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n", 431),
        (b"GET /" + b"x" * 70_000, 414),
        (b"POST /reset/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 411),
        (b"POST /reset/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999\r\n\r\n", 413),
    ],
)
def test_what_cannot_be_served_is_refused_in_json(url, raw, status):
    with sent(url, raw) as wire:
        assert told(wire)[0] == status


@pytest.mark.parametrize(
    "host, status",
    [("localhost:80", 401), ("127.0.0.1", 401), ("[::1]:8000", 401), ("evil.example", 403), ("", 403), ("[", 403)],
)
def test_another_host_name_is_refused(url, host, status):
    with sent(url, f"GET /hash/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()) as wire:
        assert told(wire)[0] == status


def test_a_body_broken_off_is_not_worked_on(url):
    with sent(url, SIGN_IN[:-9]) as wire:
        wire.shutdown(socket.SHUT_WR)
        assert wire.recv(10) == b""
