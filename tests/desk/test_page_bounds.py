"""The guard of the page's server: foreign hosts and origins, methods, sizes and rates, without a browser."""

import asyncio

import pytest
from open_sockets import OpenSockets

pytest.importorskip("nicegui")

from naosim_live.page import bounds
from naosim_live.page.bounds import MOST_ACTS, MOST_SOCKETS, Guard

PORT = 9580
OWN = (b"host", b"127.0.0.1:9580")


def asked(guard, **scope):
    """Ask the guard, and return the messages it sent."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "websocket.connect"}

    asyncio.run(guard({"type": "http", "method": "GET", "path": "/", "headers": [OWN], **scope}, receive, send))
    return sent


async def page(scope, receive, send):
    """Stand behind the guard: accept every socket, and answer every request."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await send({"type": "http.response.start", "status": 200, "headers": []})


@pytest.mark.parametrize(
    "headers, status",
    [
        ([OWN], 200),
        ([(b"host", b"LOCALHOST:9580")], 200),
        ([OWN, (b"origin", b"http://127.0.0.1:9580")], 200),
        ([], 421),
        ([OWN, OWN], 421),
        ([(b"host", b"evil.example")], 421),
        ([(b"host", b"127.0.0.1:80")], 421),
        ([(b"host", b"127.0.0.1:9580.evil.example")], 421),
        ([(b"host", b"\xff")], 421),
        ([OWN, (b"origin", b"http://evil.example")], 403),
        ([OWN, (b"origin", b"null")], 403),
        ([OWN, (b"origin", b"http://evil.example:9580")], 403),
        ([OWN, (b"origin", b"http://127.0.0.1:9581")], 403),
        ([OWN, (b"origin", b"http://127.0.0.1:9580@evil.example")], 403),
    ],
)
def test_only_this_computers_own_pages_are_answered(headers, status):
    guard = Guard(page, PORT)
    assert asked(guard, headers=headers)[0]["status"] == status
    opened = asked(guard, type="websocket", path="/_nicegui_ws/socket.io", headers=headers)[0]
    assert opened["type"] == ("websocket.accept" if status == 200 else "websocket.close")


@pytest.mark.parametrize(
    "method, path, status",
    [
        ("GET", "/", 200),
        ("HEAD", "/", 200),
        ("POST", "/", 405),
        ("PUT", "/x", 405),
        ("OPTIONS", "/", 405),
        ("GET", "/_nicegui_ws/socket.io/?EIO=4&transport=polling", 403),
        ("POST", "/_nicegui_ws/socket.io/", 405),
    ],
)
def test_pages_are_read_alone_and_sockets_are_sockets(method, path, status):
    assert asked(Guard(page, PORT), method=method, path=path)[0]["status"] == status


@pytest.mark.parametrize("hears, microphone", [(False, b"microphone=()"), (True, b"microphone=(self)")])
def test_every_answer_says_what_a_page_may_do(hears, microphone):
    headers = dict(asked(Guard(page, PORT, hears=hears))[0]["headers"])
    assert headers[b"permissions-policy"].endswith(microphone) and b"camera=()" in headers[b"permissions-policy"]
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-frame-options"] == b"DENY"


def test_sockets_are_counted_and_come_free_again():
    async def story():
        sockets = OpenSockets()
        guard = Guard(sockets.stay, PORT)
        for _ in range(MOST_SOCKETS + 1):
            await sockets.ask(guard, [OWN])
        assert sockets.opened == ["websocket.accept"] * MOST_SOCKETS + ["websocket.close"]
        await sockets.close()
        await sockets.ask(guard, [OWN])
        assert sockets.opened[-1] == "websocket.accept"

    asyncio.run(story())


def test_acts_beyond_the_rate_wait(monkeypatch):
    waits, now = [], [0.0]

    async def sleep(seconds):
        waits.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(bounds.asyncio, "sleep", sleep)
    monkeypatch.setattr(bounds.time, "monotonic", lambda: now[0])

    async def receive():
        return {"type": "websocket.receive"}

    async def story():
        receiving = bounds._slowed(receive)
        for _ in range(3 * MOST_ACTS):
            await receiving()

    asyncio.run(story())
    assert now[0] == pytest.approx(2.0) and len(waits) == 2
