"""Many requests for a page by clients that never show it, and damaged messages through its sockets."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import websocket
from page_browser import ServedPage
from robot_server import children

from attack.outcome import Attack, Outcome
from attack.robot_growth import kilobytes

COMMAND = ("-m", "jotto_desk", "play", "--page", "--port", "0", "--forget")
CLIENTS = 8  # at the same time
ANSWER_TIMEOUT_S = 60.0
MAX_MEMORY_MB = 150  # of the server in the end
ESCAPE = "\x1b]0;taken over\x07\x1b[2J"  # a command for the terminal
MAX_LINE_LENGTH = 500  # of the server's output
MAX_PRINTED = 20_000  # characters of the whole output
LARGE = 60_000  # characters of a value
EACH = 100  # messages of a socket, about as many as the page reads in a second


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
    """Send damaged requests, full of escapes, through sockets; check the server's output."""
    outcome, chance = Outcome(), random.Random(seed)
    with paged(folder) as page:
        while outcome.tried < how_many:
            with contextlib.suppress(OSError, websocket.WebSocketException), contextlib.closing(connected(page)) as way:
                for _ in range(EACH):
                    outcome.tried += 1
                    way.send(chance.choice(MESSAGES)(chance))
        outcome.check(get(page)[0] == 200, "the page is served no more")
    printed = "".join(page.said[1:])
    outcome.figure = f"{len(printed):,} characters printed"
    outcome.check("\x1b" not in printed, "an escape reaches the terminal raw")
    outcome.check("Traceback" not in printed, f"a traceback is printed: {printed[-300:]!r}")
    outcome.check(len(printed) <= MAX_PRINTED, f"{len(printed):,} characters are printed")
    outcome.check(all(len(line) <= MAX_LINE_LENGTH for line in page.said), "a long line is printed")
    return outcome


def store(how_many: int, seed: int, folder: Path) -> Outcome:
    """Store large values under new keys of ALMemory, link to new events and say long phrases, through sockets."""
    outcome = Outcome()
    with paged(folder) as page:
        robot = children(page.process.pid)[0]
        before = kilobytes(robot) // 1000
        while outcome.tried < how_many:
            with contextlib.suppress(OSError, websocket.WebSocketException), contextlib.closing(connected(page)) as way:
                for number in range(EACH):
                    outcome.tried += 1
                    name = f"{outcome.tried} {'x' * LARGE}"
                    made = {"do": "call", "service": "ALMemory", "method": "insertData", "args": [name[:9], name]}
                    other = {"do": "link", "event": name}, {"do": "hear", "phrase": name}, {"do": "event", "key": name}
                    way.send(json.dumps({"id": number, **(made if number % 2 else other[number // 2 % 3])}))
                    way.recv()
        outcome.check(get(page)[0] == 200, "the page is served no more")
        after = kilobytes(robot) // 1000
    outcome.figure = f"the robot has {before} MB, after {how_many:,} messages {after} MB"
    outcome.check(after < MAX_MEMORY_MB, f"the robot has {after} MB after {how_many:,} messages")
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
        f"ws://{urlsplit(page.address).netloc}/robot", ANSWER_TIMEOUT_S, origin=page.address.rstrip("/")
    )


def _request(chance: random.Random) -> str:
    """Return a request with wrong or missing fields."""
    verb = chance.choice(VERBS)
    fields = {name: chance.choice(VALUES) for name in chance.sample(FIELDS, chance.randrange(4))}
    return json.dumps({"id": chance.choice([1, 2, 3, None, "x", -1, 1e9]), "do": verb, **fields})


def _view(chance: random.Random) -> str:
    """Return a request of the game's page with wrong fields."""
    fields = {name: chance.choice(VALUES) for name in chance.sample(FIELDS, chance.randrange(4))}
    return json.dumps({"id": chance.randrange(99), "do": "page", **fields, "view": chance.choice(VIEWS)})


def _line(chance: random.Random) -> str:
    plain = ["", "{", "[]", "null", "[" * 30_000, '{"a":' * 5000, ESCAPE, '"\\ud800"', "\x00", "9" * 10_000]
    return chance.choice([*plain, json.dumps({"id": 1, "do": ESCAPE * 50})])


VERBS = [
    "hear",
    "call",
    "link",
    "unlink",
    "drawing",
    "box",
    "signals",
    "pace",
    "event",
    "touch",
    "watch",
    "load",
    ESCAPE,
]
VIEWS = ["game", "tap", "why", "objections", "statistics", "mastermind", "wordle", "start_options", ESCAPE]
FIELDS = ["phrase", "confidence", "service", "method", "args", "event", "link", "box", "behaviour", "place", "since"]
FIELDS += ["key", "value", "sensor", "act", "moment", "word", "board", "score", "lang", "seed", "length", "letters"]
VALUES: list[Any] = ["", "x", ESCAPE, -1, 0, 3, 1e308, None, True, [], [[]], {}, {"dict": 5}, {"bytes": "?"}, [1, 2]]
VALUES += ["ALMemory", "getListData", "3__1k2", "en", "new", "\ud800"]
MESSAGES: list[Callable[[random.Random], str]] = [_request, _request, _view, _line]

REQUESTS = Attack(
    "page requests", "plain requests for a page by clients that never show it", request, short=0, long=737
)
EVENTS = Attack(
    "page terminal", "damaged requests with escapes through the sockets of a page", tell, short=60, long=1500
)
MEMORY = Attack("page memory", "large values, phrases and names of events through a page's sockets", store, 0, 5000)
