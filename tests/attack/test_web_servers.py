"""Attacks on the expert service and on pages, each in a process of its own: requests many, large or damaged."""

import contextlib
import http.client
import json
import math
import random
import resource
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
import websocket
from interpreters import ROOT
from page_browser import ServedPage
from robot_server import children, kilobytes

GREETING = ("-m", "naosim", str(ROOT / "docs" / "greeting"), "--page", "--port", "0")
TIMEOUT_S = 60.0  # for a client's connection and answer
USUAL_FILES = 1024  # that a user's process may have open


@contextlib.contextmanager
def served(*command, folder):
    """Serve, with as many open files as users have: computers on which tests run often allow more."""
    page = ServedPage(*command, environ={"XDG_DATA_HOME": str(folder)})
    limit_files(USUAL_FILES, page.process.pid)
    try:
        yield page
    finally:
        page.end(signal.SIGTERM)


@contextlib.contextmanager
def expert(folder):
    command = ("-m", "jotto_desk", "expert", "serve", "--port", "0", "--state", str(folder / "expert.sqlite"))
    with served(*command, folder=folder) as service:
        yield service.address.rstrip("/;")


def limit_files(most, pid=0):
    """Let a process, this one without a number, have so many files and sockets open."""
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


@contextlib.contextmanager
def more_files():
    """Let this process have more files, and sockets, than the server it attacks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit_files(hard)
    try:
        yield
    finally:
        limit_files(soft)


class Wire:
    """The connection of a good client, which the server may keep open."""

    def __init__(self, url):
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=TIMEOUT_S)

    def ask(self, method, path, sent=None):
        """Return the status and the body of an answer, JSON if it is any."""
        text = None if sent is None else json.dumps(sent)
        self._connection.request(method, path, text, {"Content-Type": "application/json"})
        return read_answer(self._connection.getresponse())

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self._connection.close()


def read_answer(came):
    raw = came.read()
    try:
        return came.status, json.loads(raw or b"null")
    except ValueError:
        return came.status, raw.decode("utf-8", "replace")


def ask(url, method, path, sent=None):
    with Wire(url) as wire:
        return wire.ask(method, path, sent)


def open_unfinished(url, beginnings):
    """Open connections that send only these beginnings; return those that are accepted."""
    parts, found = urlsplit(url), []
    for beginning in beginnings:
        with contextlib.suppress(OSError):
            found.append(socket.create_connection((parts.hostname, parts.port), timeout=TIMEOUT_S))
            found[-1].sendall(beginning)
    return found


# Unfinished requests.

#: Beginnings of requests, which are never completed.
HALVES = [
    b"",
    b"GET /level/1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    b"POST /AbcDatalogREST HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
    b"POST /api-auth-token/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
]
MAX_ANSWER_S = 1.0  # of a page for a good client


@pytest.mark.parametrize(
    "is_page, size, beginnings",
    [
        # As many silent connections as a process may have files: a page once stopped there.
        (True, 1020, [b""]),
        pytest.param(True, 300, HALVES, marks=pytest.mark.attack),
        pytest.param(False, 300, HALVES, marks=pytest.mark.attack),
    ],
)
def test_a_good_client_is_answered_beside_unfinished_requests(
    is_page, size, beginnings, form, chance, tmp_path, figure
):
    """The long form waits until the server ends them, with a refusal or without a word."""
    serve = served(*GREETING, folder=tmp_path) if is_page else expert(tmp_path)
    path, longest = "/" if is_page else "/api/v1/games", 0.0
    with serve as server, more_files():
        url = server.address if is_page else server
        for _ in range(form(1, 3)):
            crowd = open_unfinished(url, chance.choices(beginnings, k=size))
            begun = time.monotonic()
            status, body = ask(url, "GET", path)
            longest = max(longest, time.monotonic() - begun)
            assert status == 200 and (str(body).startswith("<!doctype html>") or not is_page)
            for each in crowd if form(False, True) else ():
                came = http.client.HTTPResponse(each)
                with contextlib.suppress(http.client.HTTPException, ConnectionError):
                    came.begin()
                    assert read_answer(came)[0] >= 400
                came.close()
            for each in crowd:
                each.close()
    figure(f"{longest:.2f} s")
    assert longest <= MAX_ANSWER_S or form(True, not is_page)


# Many clients of the expert service.

DATALOG, GAMES = "/AbcDatalogREST", "/api/v1/games"
KNOWN = "known(a). known(b)."
#: A rule that takes too long: 30 constants in 14 places.
LARGE = " ".join(f"c({number})." for number in range(30)) + " all({0}) :- {1}.".format(
    ", ".join(f"X{number}" for number in range(14)), ", ".join(f"c(X{number})" for number in range(14))
)
LARGE_POSTS, SLOW, CLIENTS = 6, 200, 200


def play_game(url, number):
    """Play a game of ten requests; return the seconds of each, and whether it is a light one."""
    code = "".join(random.Random(number).choice("012345") for _ in range(4))
    seconds = []
    with Wire(url) as wire:

        def check(method, path, sent=None, light=False, **right):
            begun = time.monotonic()
            status, body = wire.ask(method, path, sent)
            seconds.append((time.monotonic() - begun, light))
            assert status in (200, 201, 204), (method, path, status, body)
            assert {name: body[name] for name in right} == right
            return body

        name = check("POST", GAMES, {"rules": "exact", "seed": 1})["id"]
        check("GET", f"{DATALOG}?rule=known(X)", light=True, ans=["known(a)", "known(b)"])
        check("POST", f"{GAMES}/{name}/turns", {"guess": code, "answer": [4, 0]}, left=1)
        check("GET", DATALOG, light=True, ans_kb_sz=2)
        check("GET", f"{GAMES}/{name}/codes", codes=[code])
        check("GET", GAMES, light=True)
        check("GET", f"{GAMES}/{name}", funnel=[1296, 1])
        check("GET", "/openapi.json", light=True, openapi="3.1.0")
        check("GET", f"{GAMES}/{name}/suggest", guess=code)
        check("DELETE", f"{GAMES}/{name}")
    return seconds


def play_at_once(url, clients):
    """Let clients play all at once; return what they wait."""
    with ThreadPoolExecutor(clients) as pool:
        every = [each for played in pool.map(play_game, [url] * clients, range(clients)) for each in played]

    def p99(seconds):
        return sorted(seconds)[max(0, math.ceil(0.99 * len(seconds)) - 1)]

    light = p99([seconds for seconds, is_light in every if is_light])
    return f"{clients} clients, p99 of light requests {light:.2f} s, of all {p99([each for each, _ in every]):.2f} s"


@pytest.mark.attack
def test_many_clients_of_the_expert_beside_slow_headers_and_large_posts(tmp_path, figure):
    """A rule that takes too long is refused with a reason."""
    with expert(tmp_path) as url, contextlib.ExitStack() as stack, ThreadPoolExecutor(LARGE_POSTS) as pool:
        ask(url, "POST", DATALOG, {"kb": KNOWN})
        for each in open_unfinished(url, HALVES[1:2] * SLOW):
            stack.enter_context(each)
        figure(play_at_once(url, CLIENTS))
        large = [pool.submit(ask, url, "POST", DATALOG, {"kb": LARGE}) for _ in range(LARGE_POSTS)]
        time.sleep(1)
        assert ask(url, "POST", DATALOG, {"kb": "small(a)."})[0] == 201
        ask(url, "DELETE", DATALOG)
        ask(url, "POST", DATALOG, {"kb": KNOWN})
        figure(play_at_once(url, CLIENTS))
        answers = [each.result() for each in large]
    assert [answer for answer in answers if answer[0] not in (400, 503) or not answer[1]["error"]] == []


# Damaged requests for a page.

MAX_HELD = 200  # connections that stay open meanwhile
SCRIPT = "<script>document.title='taken over'</script>"


def connect(page):
    parts = urlsplit(page.address)
    return socket.create_connection((parts.hostname, parts.port), TIMEOUT_S)


def upgrade(page, cookie):
    """Return the request for a web socket."""
    host = urlsplit(page.address).netloc
    return (
        f"GET /robot HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode("latin-1")


def damaged(page, chance):
    """Return a request that is cut, altered, too long, no HTTP at all, or has a cookie that the server never set."""
    value = chance.choice(["", "../" * 12, SCRIPT, "x" * 32, "\x00" * 32, "y" * 9000])
    cookie = f"nao-token-{urlsplit(page.address).port}={value}"
    whole = bytearray(upgrade(page, cookie))
    if chance.random() < 0.5:
        return bytes(whole)
    whole[5:5] = b"?" + b"x" * chance.choice([1, 90_000])
    whole[-2:-2] = b"X-Long: %s\r\n" % (b"y" * chance.choice([1, 70_000]))
    for _ in range(chance.randrange(4)):
        whole[chance.randrange(len(whole))] = chance.randrange(256)
    return chance.choice([bytes(whole), bytes(whole[: chance.randrange(len(whole))]), chance.randbytes(500)])


def test_a_web_socket_with_a_long_cookie_is_refused():
    page = ServedPage(*GREETING)
    with connect(page) as connection:
        connection.sendall(upgrade(page, "x" * 9000))
        refusal = connection.makefile("rb").read()
        assert refusal.startswith(b"HTTP/1.1 431 ") and page.end(signal.SIGTERM) == 0


def test_damaged_requests_leave_a_page_as_it_was(form, chance, tmp_path):
    page, held = ServedPage(*GREETING), []
    try:
        for _ in range(form(60, 4000)):
            assert page.process.poll() is None
            with contextlib.suppress(OSError):
                held.append(connect(page))
                held[-1].sendall(damaged(page, chance))
            if len(held) > MAX_HELD:
                held.pop(chance.randrange(len(held))).close()
        assert len(children(page.process.pid)) == 1
        status, body = ask(page.address, "GET", "/")
        assert status == 200 and SCRIPT not in body
    finally:
        for connection in held:
            connection.close()
        ended = page.end(signal.SIGTERM)
    assert ended == 0


# Messages through the sockets of a game's page.

GAME = ("-m", "jotto_desk", "play", "--page", "--port", "0", "--forget")
ESCAPE = "\x1b]0;taken over\x07\x1b[2J"  # a command for the terminal
MAX_PRINTED, MAX_LINE_LENGTH = 20_000, 500  # characters of the whole output and of a line
MAX_MEMORY_MB = 150  # of the robot and of the server
LARGE_VALUE = 60_000  # characters
EACH = 100  # messages of a socket, about as many as the page reads in a second
VERBS = ["hear", "call", "link", "unlink", "drawing", "box", "signals", "pace", "event", "touch", "watch", "load"]
VERBS += [ESCAPE]
VIEWS = ["game", "tap", "why", "objections", "statistics", "mastermind", "wordle", "start_options", ESCAPE]
FIELDS = ["phrase", "confidence", "service", "method", "args", "event", "link", "box", "behaviour", "place", "since"]
FIELDS += ["key", "value", "sensor", "act", "moment", "word", "board", "score", "lang", "seed", "length", "letters"]
VALUES = ["", "x", ESCAPE, -1, 0, 3, 1e308, None, True, [], [[]], {}, {"dict": 5}, {"bytes": "?"}, [1, 2]]
VALUES += ["ALMemory", "getListData", "3__1k2", "en", "new", "\ud800"]
LINES = ["", "{", "[]", "null", "[" * 30_000, '{"a":' * 5000, ESCAPE, '"\\ud800"', "\x00", "9" * 10_000]


def make_message(chance):
    """Return a request with wrong or missing fields, half of them for the robot, or a line that is none."""
    fields = {name: chance.choice(VALUES) for name in chance.sample(FIELDS, chance.randrange(4))}
    robot = {"id": chance.choice([1, 2, 3, None, "x", -1, 1e9]), "do": chance.choice(VERBS), **fields}
    view = {"id": chance.randrange(99), "do": "page", **fields, "view": chance.choice(VIEWS)}
    line = chance.choice([*LINES, json.dumps({"id": 1, "do": ESCAPE * 50})])
    return chance.choice([json.dumps(robot), json.dumps(robot), json.dumps(view), line])


def send_all(page, messages, answered=False):
    """Send messages through sockets, which the page may close; each socket sends EACH of them."""
    for start in range(0, len(messages), EACH):
        with contextlib.suppress(OSError, websocket.WebSocketException):
            host = urlsplit(page.address).netloc
            way = websocket.create_connection(f"ws://{host}/robot", TIMEOUT_S, origin=page.address.rstrip("/"))
            with contextlib.closing(way):
                for message in messages[start : start + EACH]:
                    way.send(message)
                    _ = answered and way.recv()
    assert ask(page.address, "GET", "/")[0] == 200


def test_damaged_messages_print_little_and_no_escapes(form, chance, tmp_path, figure):
    with served(*GAME, folder=tmp_path) as page:
        send_all(page, [make_message(chance) for _ in range(form(60, 1500))])
    printed = "".join(page.said[1:])
    figure(f"{len(printed):,} characters printed")
    assert "\x1b" not in printed and "Traceback" not in printed and len(printed) <= MAX_PRINTED
    assert all(len(line) <= MAX_LINE_LENGTH for line in page.said)


@pytest.mark.attack
def test_large_values_phrases_and_names_of_events_fill_no_memory(tmp_path, figure):
    def make_large(number):
        name = f"{number} {'x' * LARGE_VALUE}"
        call = {"do": "call", "service": "ALMemory", "method": "insertData", "args": [name[:9], name]}
        other = {"do": "link", "event": name}, {"do": "hear", "phrase": name}, {"do": "event", "key": name}
        return json.dumps({"id": number, **(call if number % 2 else other[number // 2 % 3])})

    with served(*GAME, folder=tmp_path) as page:
        (robot,) = children(page.process.pid)
        for start in range(0, 5000, EACH):
            send_all(page, [make_large(number) for number in range(start, start + EACH)], answered=True)
        megabytes = kilobytes(robot) // 1000
    figure(f"the robot has {megabytes} MB")
    assert megabytes < MAX_MEMORY_MB


@pytest.mark.attack
def test_clients_that_never_show_the_page_leave_no_memory_behind(tmp_path, figure):
    with served(*GAME, folder=tmp_path) as page:
        with ThreadPoolExecutor(8) as pool:
            assert {status for status, _ in pool.map(lambda _: ask(page.address, "GET", "/"), range(737))} == {200}
        megabytes = kilobytes(page.process.pid) // 1000
    figure(f"the server has {megabytes} MB")
    assert megabytes < MAX_MEMORY_MB
