"""The page's server under attack, and a robot that ends: without a browser, through plain sockets."""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from interpreters import ROOT
from page_browser import PATIENCE, served, until

pytest.importorskip("nicegui")
websocket = pytest.importorskip("websocket")

PAGE = ("-m", "naosim", str(ROOT / "docs" / "greeting"), "--page", "--port", "0")


@pytest.fixture(scope="module")
def page():
    with served(*PAGE) as made:
        yield made


def asked(page, method="GET", path="/", **headers):
    """Ask the server, and return status and body."""
    with contextlib.closing(http.client.HTTPConnection(urlsplit(page.address).netloc, timeout=PATIENCE)) as connection:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")


def connected(page, **options):
    """Open a socket to the server, as a page of its own does unless it is said otherwise."""
    url = f"ws://{urlsplit(page.address).netloc}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    return websocket.create_connection(url, timeout=PATIENCE, **{"origin": page.address.rstrip("/"), **options})


def test_foreign_pages_and_names_get_nothing(page):
    assert asked(page)[0] == 200
    assert asked(page, Host="evil.example") == (421, "This page answers only at its own address.")
    assert asked(page, Origin="http://evil.example") == (403, "Another page may not use this one.")
    assert asked(page, "POST")[0] == 405
    connected(page).close()
    for wrong in ({"origin": "http://evil.example"}, {"host": "evil.example"}):
        with pytest.raises(websocket.WebSocketBadStatusException):
            connected(page, **wrong)


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/_nicegui/3.18.0/static/..%2f..%2f..%2fclient.py",
        "/_nicegui/3.18.0/components/..%2f..%2fclient.py",
        "/docs",
        "/openapi.json",
    ],
)
def test_no_file_is_reached(page, path):
    status, body = asked(page, path=path)
    # NiceGUI answers an unknown path with the page itself.
    assert "root:" not in body and "class Client" not in body and "openapi" not in body.lower(), (status, body[:300])


def test_a_message_of_ten_megabytes_ends_its_socket_alone(page):
    socket, other = connected(page), connected(page)
    assert socket.recv().startswith("0{")
    with pytest.raises((websocket.WebSocketConnectionClosedException, OSError)):
        socket.send("x" * 10_000_000)
        while True:
            assert socket.recv()
    socket.close()
    assert other.recv().startswith("0{")
    other.close()
    assert asked(page)[0] == 200


def test_two_hundred_sockets_are_too_many_and_leave_room_when_they_go(page):
    opened, refused = [], 0
    for _ in range(200):
        try:
            opened.append(connected(page))
        except websocket.WebSocketBadStatusException:
            refused += 1
    assert len(opened) <= 40 and refused >= 160
    for socket in opened:
        socket.close()
    until(lambda: may_connect(page))
    assert asked(page)[0] == 200


def may_connect(page):
    try:
        connected(page).close()
    except websocket.WebSocketBadStatusException:
        return False
    return True


def test_a_terminated_server_ends_and_takes_its_robot_along():
    with served(*PAGE) as page:
        children = subprocess.run(["pgrep", "-P", str(page.process.pid)], capture_output=True, text=True, check=True)
        assert page.end(signal.SIGTERM) == 0
        for child in children.stdout.split():
            with pytest.raises(ProcessLookupError):
                os.kill(int(child), 0)
    assert len(page.said) == 1


def test_what_cannot_be_shown_is_one_sentence():
    command = [sys.executable, "-m", "naosim", "nowhere.xar", "--page", "--port", "0"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 2 and answer.stderr.count("\n") == 1 and "nowhere.xar" in answer.stderr, answer.stderr
