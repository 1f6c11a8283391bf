"""Many requests for a page by clients that never show it, and damaged events through its sockets."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import websocket
from page_browser import ServedPage

from attack.outcome import Attack, Outcome
from attack.robot_growth import kilobytes

COMMAND = ("-m", "jotto_desk", "play", "--page", "--port", "0", "--forget")
CLIENTS = 8  # at the same time
ANSWER_TIMEOUT_S = 60.0
MAX_MEMORY_MB = 150  # of the server in the end
ESCAPE = "\x1b]0;taken over\x07\x1b[2J"  # a command for the terminal
MAX_LINE_LENGTH = 500  # of the server's output
MAX_PRINTED = 20_000  # characters of the whole output
EACH = 30  # messages of a socket, as many as the page reads in a second
MESSAGES_READ = 5  # of a new page, to learn its elements


def request(how_many: int, seed: int, folder: Path) -> Outcome:
    """Request the page from several clients at once, which never connect; measure the server's memory afterwards."""
    outcome, lock = Outcome(), threading.Lock()
    with paged(folder) as page:

        def ask() -> None:
            while True:
                with lock:
                    if outcome.tried >= how_many:
                        return
                    outcome.tried += 1
                status = get(page)[0]
                if status != 200:
                    outcome.faults.append(f"GET / got {status}")

        before = kilobytes(page.process.pid) // 1000
        clients = [threading.Thread(target=ask) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        after = kilobytes(page.process.pid) // 1000
    outcome.figure = f"{before} MB, after {how_many:,} requests {after} MB"
    outcome.check(after < MAX_MEMORY_MB, f"the page's server has {after} MB after {how_many:,} requests")
    return outcome


def tell(how_many: int, seed: int, folder: Path) -> Outcome:
    """Send damaged events and logs full of escapes through sockets after their handshake; check the server's output."""
    outcome, chance = Outcome(), random.Random(seed)
    with paged(folder) as page:
        while outcome.tried < how_many:
            with contextlib.suppress(OSError, websocket.WebSocketException), contextlib.closing(connected(page)) as way:
                shown = greeted(page, way)
                for number in range(EACH):
                    outcome.tried += 1
                    way.send((chance.choice(MESSAGES) if number else _log)(chance, shown))
        outcome.check(get(page)[0] == 200, "the page is served no more")
    printed = "".join(page.said[1:])
    outcome.figure = f"{len(printed):,} characters printed"
    outcome.check("\x1b" not in printed, "an escape reaches the terminal raw")
    outcome.check("Traceback" not in printed, f"a traceback is printed: {printed[-300:]!r}")
    outcome.check(len(printed) <= MAX_PRINTED, f"{len(printed):,} characters are printed")
    outcome.check(all(len(line) <= MAX_LINE_LENGTH for line in page.said), "a long line is printed")
    return outcome


@contextlib.contextmanager
def paged(folder: Path) -> Iterator[ServedPage]:
    """Serve the page of a game in a process of its own."""
    page = ServedPage(*COMMAND, environ={"XDG_DATA_HOME": str(folder)})
    try:
        yield page
    finally:
        page.end()


def get(page: ServedPage) -> tuple[int, str]:
    """Ask for the page; return status and body."""
    with contextlib.closing(
        http.client.HTTPConnection(urlsplit(page.address).netloc, timeout=ANSWER_TIMEOUT_S)
    ) as connection:
        connection.request("GET", "/")
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8")


def connected(page: ServedPage) -> Any:
    """Open a socket as the page's own script does."""
    return websocket.create_connection(
        f"ws://{urlsplit(page.address).netloc}/_nicegui_ws/socket.io/?EIO=4&transport=websocket",
        ANSWER_TIMEOUT_S,
        origin=page.address.rstrip("/"),
    )


class Shown(NamedTuple):
    """A page that is shown: its name, and the elements that listen, each with the name of its listener."""

    name: str
    listeners: list[tuple[int, str]]


def greeted(page: ServedPage, way: Any) -> Shown:
    """Request a page, do the handshake through the socket, and return the page's elements."""
    found = re.search(r"'client_id': '([0-9a-f-]+)'", get(page)[1])
    assert found is not None
    way.recv()
    way.send("40")
    way.recv()
    way.send(
        "420"
        + json.dumps(["handshake", {"client_id": found[1], "tab_id": "t", "document_id": "d", "next_message_id": 0}])
    )
    shown = Shown(found[1], [(0, "none")])
    for _ in range(MESSAGES_READ):
        for elements in re.findall(r'^42\["update",(.*)\]$', way.recv()):
            for number, element in json.loads(elements).items():
                if isinstance(element, dict):
                    shown.listeners.extend((int(number), each["listener_id"]) for each in element.get("events", ()))
    return shown


def _log(chance: random.Random, shown: Shown) -> str:
    level = chance.choice(["info", "warning", "error", "error", "error", "no level"])
    return "42" + json.dumps(["log", {"client_id": shown.name, "level": level, "message": ESCAPE * 500}])


def _event(chance: random.Random, shown: Shown) -> str:
    """Return an event of any element with wrong arguments."""
    args = [
        chance.choice(["", "{", "null", "[]", "1e999", '"x"', json.dumps(ESCAPE), '{"value": 3}', None])
        for _ in range(chance.randrange(3))
    ]
    number, listener = chance.choice(shown.listeners)
    content = {"id": number, "client_id": shown.name, "listener_id": listener, "args": args}
    for key in chance.sample(sorted(content), chance.choice([0, 0, 1])):
        content[key] = chance.choice([None, [], {}, ESCAPE, -1])
    return "42" + json.dumps(["event", content])


def _other(chance: random.Random, shown: Shown) -> str:
    kind = chance.choice(["handshake", "javascript_response", "ack", "connect", "disconnect", ESCAPE])
    own = {"client_id": shown.name}
    content = chance.choice(
        [None, [], "x", {}, own, {**own, "next_message_id": "x"}, {**own, "request_id": ESCAPE, "result": ESCAPE}]
    )
    return "42" + json.dumps([kind, content])


def _packet(chance: random.Random, shown: Shown) -> str:
    """Return a damaged packet."""
    plain = ["4", "42", "42[", "42{}", "42[]", "451-[]", '42["event"', "43", "44", "9", "x", "4299999999999[]"]
    return chance.choice([*plain, ESCAPE, f"42/{ESCAPE},[]", "[" * 3000, "42" + "[" * 3000])


MESSAGES: list[Callable[[random.Random, Shown], str]] = [_log, _event, _event, _event, _other, _packet]

REQUESTS = Attack(
    "page requests", "plain requests for a page by clients that never show it", request, short=0, long=737
)
EVENTS = Attack(
    "page terminal", "logs with escapes, damaged events and packets by the sockets of a page", tell, short=60, long=1500
)
