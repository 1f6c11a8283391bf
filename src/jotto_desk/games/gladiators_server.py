"""A fake server of the gladiators challenge, for practice and tests: loopback only, with limits on every request."""

import contextlib
import hashlib
import io
import json
import random
import re
import socket
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from jotto.compat import is_integer
from jotto.rules import JottoError
from jotto_desk.addresses import names_loopback
from jotto_desk.errors import DeskError
from jotto_desk.games import gladiators
from jotto_desk.games.gladiators import LEVELS, Code, Level
from naosim_live.unfinished import Unfinished

# --- The challenge as it is played, without a network: one challenger's progress through the levels, and what is
# answered.
#
# What is not known about the challenge's own server is a setting.

COMPLETED_REPLY = "Level already completed."
_NOT_STARTED_REPLY = "Get the level before you guess."
MALFORMED_REPLY = "A guess is a list of different weapons, one per gladiator, numbered from 0."
_UNKNOWN_REPLY = "There is no such level."
_NOT_YET_REPLY = "The challenge is not finished."
_RESET_REPLY = "Progress reset to level 1."
#: Seconds per guess with the challenge.
_ROUND_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class ChallengeRules:
    """How the challenge behaves where it is not known: `deadline` in seconds, 0 for none.

    `error_replaces` tells whether "Too many guesses" comes in place of the last answer, or only to a guess beyond.
    """

    levels: Mapping[int, Level] = field(default_factory=lambda: dict(LEVELS))
    deadline: float = _ROUND_TIMEOUT_S
    error_replaces: bool = True


class Challenger:
    """One person's progress. Time is passed in, in seconds; so is chance."""

    def __init__(self, mail: str, customs: ChallengeRules, dice: random.Random, secret: str = "") -> None:
        self.mail, self.customs, self._dice, self._secret = mail, customs, dice, secret
        self.reset()

    def reset(self) -> dict[str, Any]:
        """Go back to the first level."""
        self.reached = min(self.customs.levels)
        self._leave()
        return {"message": _RESET_REPLY}

    def _leave(self) -> None:
        """End the level being played: its rounds start over when it is asked for again."""
        self._round: Code | None = None
        self._rounds_left = self._guesses = 0
        self._since = 0.0

    @property
    def is_done(self) -> bool:
        """Tell whether all levels are won."""
        return self.reached > max(self.customs.levels)

    def show(self, number: int, now: float) -> dict[str, Any]:
        """Answer `GET /level/N/`: begin the level, or (between and within rounds) tell its numbers again."""
        refused = self._refused(number)
        if refused:
            return refused
        level = self.customs.levels[number]
        if self._round is None:
            self._rounds_left = level.rounds
            self._new_round()
        self._since = now
        return level.plain()

    def guess(self, number: int, asked: Any, now: float) -> dict[str, Any]:
        """Answer `POST /level/N/`."""
        refused = self._refused(number)
        if refused:
            return refused
        if self._round is None:
            return {"error": _NOT_STARTED_REPLY}
        if 0 < self.customs.deadline < now - self._since:
            self._leave()
            return {"error": gladiators.TOO_LATE}
        self._since = now
        level = self.customs.levels[number]
        guess = _read_guess(asked, level)
        return {"error": MALFORMED_REPLY} if guess is None else self._judge(level, guess)

    def mark(self) -> dict[str, Any]:
        """Answer `GET /hash/`."""
        return {"hash": gladiators.mark_of(self.mail, self._secret)} if self.is_done else {"message": _NOT_YET_REPLY}

    def _refused(self, number: int) -> dict[str, Any]:
        if number not in self.customs.levels:
            return {"error": _UNKNOWN_REPLY}
        if number < self.reached:
            return {"error": COMPLETED_REPLY}
        return {"error": gladiators.LOCKED} if number > self.reached else {}

    def _new_round(self) -> None:
        level = self.customs.levels[self.reached]
        self._round = tuple(self._dice.sample(range(level.weapons), level.gladiators))
        self._guesses = 0

    def _judge(self, level: Level, guess: Code) -> dict[str, Any]:
        if not self.customs.error_replaces and self._guesses >= level.guesses:
            self._leave()
            return {"error": gladiators.TOO_MANY}
        self._guesses += 1
        if guess == self._round:
            return self._won(level)
        if self.customs.error_replaces and self._guesses >= level.guesses:
            self._leave()
            return {"error": gladiators.TOO_MANY}
        assert self._round is not None
        rules = level.rules
        return gladiators.feedback_answer(
            rules.score(gladiators.code_word(guess, rules), gladiators.code_word(self._round, rules))
        )

    def _won(self, level: Level) -> dict[str, Any]:
        self._rounds_left -= 1
        if self._rounds_left:
            self._new_round()
            return {**level.plain(), "roundsLeft": self._rounds_left}
        numbers = sorted(self.customs.levels)
        self.reached = next((number for number in numbers if number > self.reached), numbers[-1] + 1)
        self._leave()
        if self.is_done:
            return {**self.mark(), "message": gladiators.CONGRATULATIONS}
        return {"message": gladiators.NEXT_LEVEL}


def _read_guess(asked: Any, level: Level) -> Code | None:
    guess = asked.get("guess") if isinstance(asked, dict) else None
    if not isinstance(guess, list) or len(guess) != level.gladiators or not all(map(is_integer, guess)):
        return None
    code = tuple(int(weapon) for weapon in guess)
    if not all(0 <= weapon < level.weapons for weapon in code):
        return None
    try:
        level.rules.check(gladiators.code_word(code, level.rules))
    except JottoError:
        return None
    return code


# --- The fake server's connections that wait for a request: too many of them, or one that waits too long, are ended.

_LATE_REPLY = "The request did not come whole, and is too old or the oldest of too many; send it at once."
_FULL_REPLY = "Too many requests are under way; try again in a moment."


class _WaitingConnections:
    """Connections that wait: for the rest of a request, or, idle, for the next one. For many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._unfinished: Unfinished[socket.socket] = Unfinished()
        self._idle: dict[socket.socket, None] = {}

    def wait(self, connection: socket.socket, address: str) -> None:
        """Note that a request is waited for, the first one or one that has begun to come."""
        with self._lock:
            self._idle.pop(connection, None)
            self._unfinished.begin(connection, address, time.monotonic())

    def rest(self, connection: socket.socket) -> None:
        """Note that a connection is answered, and may be used again."""
        with self._lock:
            self._idle[connection] = None

    def take(self, connection: socket.socket) -> bool:
        """Note that a connection waits no more; return whether it was still waited for."""
        with self._lock:
            self._idle.pop(connection, None)
            return self._unfinished.end(connection)

    def give_up(self) -> None:
        """End those that are too late."""
        with self._lock:
            late = self._unfinished.given_up(time.monotonic())
            for connection in late:
                self._unfinished.end(connection)
        for connection in late:
            _refuse_connection(connection, 408, _LATE_REPLY)

    def make_room(self) -> bool:
        """End the unfinished request or the idle connection that is oldest; return whether there was one."""
        with self._lock:
            late = self._unfinished.oldest()
            idle = next(iter(self._idle), None)
            if late is not None:
                self._unfinished.end(late)
            elif idle is not None:
                self._idle.pop(idle)
        if late is not None:
            _refuse_connection(late, 408, _LATE_REPLY)
        elif idle is not None:
            _shut(idle)
        return late is not None or idle is not None


def _refuse_connection(connection: socket.socket, status: int, reason: str) -> None:
    """Answer on a connection that nothing was sent on yet, and end it; the thread that reads it finds its end."""
    body = json.dumps({"error": reason}).encode("ascii")
    head = (
        f"HTTP/1.1 {status} Refused\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    with contextlib.suppress(OSError):
        connection.sendall(head.encode("ascii") + body)
    _shut(connection)


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


# --- The fake server's replies: each challenger has a token and a progress of their own. No network here.

#: Challengers kept; the one who came first is forgotten first.
MAX_CHALLENGERS = 1000
_MAX_CHALLENGER_MAIL_LENGTH = 254
_NO_MAIL = "Send an e-mail address as 'email'."
_NO_TOKEN = "The header Auth-Token is missing or unknown; get one from /api-auth-token/."
_NO_SUCH_PAGE = "There is nothing at this address."
_NOT_ALLOWED = "This address takes another method."

#: What can go wrong on purpose: an error page before anything is done, or an answer cut off or never sent after it.
PAGE, _CUT_MISHAP, _DROPPED_MISHAP = "page", "cut", "dropped"
MISHAPS = (PAGE, _CUT_MISHAP, _DROPPED_MISHAP)


@dataclass(frozen=True)
class ServerBehaviour:
    """How the server behaves: what is not known of the challenge's own, and mishaps to try a client with.

    `error_status` goes with errors of the game; `trouble` is the share of requests that meet a mishap; `mishaps` names
    the mishap of single requests, counted from 1 over all challengers.
    """

    customs: ChallengeRules = field(default_factory=ChallengeRules)
    error_status: int = 200
    latency: float = 0.0
    trouble: float = 0.0
    mishaps: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """A request as it came; the path has no query and single slashes."""

    method: str
    path: str
    token: str = ""
    body: bytes = b""


@dataclass(frozen=True)
class _SiteReply:
    """Status and JSON body; `location` where the asker is sent on."""

    status: int
    body: dict[str, Any]
    location: str = ""


class Site:
    """All challengers; may be asked from many threads."""

    def __init__(self, habits: ServerBehaviour, seed: int) -> None:
        self.habits, self.seed = habits, seed
        self._challengers: dict[str, Challenger] = {}
        self._lock = threading.Lock()
        self._dice = random.Random(f"{seed}/mishaps")
        self._count = 0

    def mishap(self) -> str:
        """Count a request and name what goes wrong with it; empty for nothing."""
        with self._lock:
            self._count += 1
            named = self.habits.mishaps.get(self._count, "")
            drawn = self._dice.random() < self.habits.trouble
            return named or (self._dice.choice(MISHAPS) if drawn else "")

    def answer(self, request: Request, now: float) -> _SiteReply:
        """Answer a request that came at `now`, in seconds of any clock."""
        with self._lock:
            return self._answer(request, now)

    def _answer(self, request: Request, now: float) -> _SiteReply:
        path = request.path if request.path.endswith("/") else request.path + "/"
        level = re.fullmatch(r"/level/([0-9]{1,6})/", path)
        methods = ("GET", "POST") if level else _METHODS.get(path, ())
        if not methods:
            return _SiteReply(404, {"error": _NO_SUCH_PAGE})
        if request.method not in methods:
            return _SiteReply(405, {"error": _NOT_ALLOWED})
        if path != request.path and request.method == "GET":
            return _SiteReply(301, {}, path)
        if path == gladiators.SIGN_IN_PATH:
            return self._sign_in(request.body)
        challenger = self._challengers.get(request.token)
        if challenger is None:
            return _SiteReply(401, {"error": _NO_TOKEN})
        if level:
            return self._judged(_played(challenger, int(level[1]), request, now))
        return self._judged(challenger.reset() if path == gladiators.RESET_PATH else challenger.mark())

    def _judged(self, body: dict[str, Any]) -> _SiteReply:
        return _SiteReply(self.habits.error_status if "error" in body else 200, body)

    def _sign_in(self, body: bytes) -> _SiteReply:
        mail = _mail(body)
        if not 0 < len(mail) <= _MAX_CHALLENGER_MAIL_LENGTH or "@" not in mail:
            return _SiteReply(400, {"error": _NO_MAIL})
        token = hashlib.sha256(f"{self.seed}/{mail}".encode("utf-8", "replace")).hexdigest()[:40]
        if token not in self._challengers:
            if len(self._challengers) >= MAX_CHALLENGERS:
                self._challengers.pop(next(iter(self._challengers)))
            dice = random.Random(f"{self.seed}/{mail}")
            self._challengers[token] = Challenger(mail, self.habits.customs, dice, str(self.seed))
        return _SiteReply(200, {gladiators.TOKEN_KEY: token})


_METHODS = {gladiators.SIGN_IN_PATH: ("POST",), gladiators.RESET_PATH: ("POST",), gladiators.HASH_PATH: ("GET",)}


def _played(challenger: Challenger, number: int, request: Request, now: float) -> dict[str, Any]:
    if request.method == "GET":
        return challenger.show(number, now)
    return challenger.guess(number, _json(request.body), now)


def _mail(body: bytes) -> str:
    """Return the mail address from a form or a JSON object, whichever came."""
    plain = _json(body)
    if isinstance(plain, dict):
        mail = plain.get("email")
        return mail.strip() if isinstance(mail, str) else ""
    try:
        fields = urllib.parse.parse_qs(body.decode("utf-8", "replace"), max_num_fields=20)
    except ValueError:
        return ""
    return fields.get("email", [""])[0].strip()


def _json(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


# --- The fake server on the network: loopback only, many clients at once, every request bounded.

_LOOPBACK = "127.0.0.1"
#: Connections at a time; seconds an idle one is kept, or one that does not read its answer.
MAX_CONNECTIONS, REQUEST_TIMEOUT_S = 256, 60.0
_NOT_HERE = "This server answers to the name of this computer alone."

_OnAnswer = Callable[[str], object]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "gladiators", ""
    # Also what cannot be read gets a whole answer.
    default_request_version = "HTTP/1.0"
    timeout = REQUEST_TIMEOUT_S
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
            return self.send_error(403, _NOT_HERE)
        time.sleep(self.server.site.habits.latency)
        mishap = self.server.site.mishap()
        if mishap == PAGE:
            return self._send(500, b"<html><body><h1>Server Error (500)</h1></body></html>", "text/html")
        path = re.sub("/+", "/", urlsplit("//host" + self.path if self.path.startswith("/") else self.path).path)
        request = Request(self.command, path, self.headers.get(gladiators.TOKEN_KEY, ""), body)
        answer = self.server.site.answer(request, time.monotonic())
        asked = f"{self.command} {gladiators.shorten_reply(path)}"
        self.server.tell(f"{asked}: {answer.status} {_told(answer)}{mishap and ' '}{mishap}")
        if mishap == _DROPPED_MISHAP:
            self.close_connection = True
            return None
        raw = json.dumps(answer.body).encode("ascii")
        return self._send(
            answer.status, raw[: len(raw) // 2] if mishap == _CUT_MISHAP else raw, location=answer.location
        )

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = _answer

    def _body(self) -> bytes | None:
        """Read what was sent along; None after an answer that refuses it."""
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdigit() and len(length) < 10):
            self.send_error(411)
        elif int(length) > gladiators.MAX_REPLY_BYTES:
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
            self._send(code, json.dumps({"error": gladiators.shorten_reply(text)}).encode("ascii"))

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing: the server tells what it wants told."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, port: int, asked: Site, tell: _OnAnswer) -> None:
        self.site, self.tell, self.open = asked, tell, _WaitingConnections()
        self._places = threading.BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__((_LOOPBACK, port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection on a thread of its own; where there are too many, one that waits makes room."""
        if not (self._places.acquire(blocking=False) or (self.open.make_room() and self._places.acquire(timeout=1))):
            _refuse_connection(request, 503, _FULL_REPLY)
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


def _told(answer: _SiteReply) -> str:
    """Describe an answer for the log, without tokens and hashes: they contain the mail address."""
    hidden = {key: "..." if key in (gladiators.TOKEN_KEY, "hash") else value for key, value in answer.body.items()}
    return json.dumps(hidden) if hidden else answer.location


@contextlib.contextmanager
def serve_challenge(
    habits: ServerBehaviour | None = None, *, seed: int = 1, port: int = 0, tell: _OnAnswer = lambda line: None
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
        yield f"http://{_LOOPBACK}:{server.server_address[1]}"
    finally:
        server.shutdown()
        with contextlib.suppress(OSError):
            server.socket.shutdown(socket.SHUT_RDWR)
        server.server_close()
        thread.join(5)
