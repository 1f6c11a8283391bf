"""A fake server of the gladiators challenge, for practice and tests; it listens only on this computer."""

import contextlib
import hashlib
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

from jotto.compat import is_integer
from jotto_desk.addresses import names_loopback
from jotto_desk.errors import DeskError
from jotto_desk.games import gladiators

#: Replies in the words of this server.
COMPLETED_REPLY = "Level already completed."
_NOT_STARTED_REPLY = "Get the level before you guess."
MALFORMED_REPLY = "A guess is a list of different weapons, one per gladiator, numbered from 0."
_UNKNOWN_REPLY = "There is no such level."
_NOT_YET_REPLY = "The challenge is not finished."
_RESET_REPLY = "Progress reset to level 1."
_NO_MAIL = "Send an e-mail address as 'email'."
_NO_TOKEN = "The header Auth-Token is missing or unknown; get one from /api-auth-token/."
_NO_SUCH_PAGE = "There is nothing at this address."
_NOT_ALLOWED = "This address takes another method."
_NOT_HERE = "This server answers only to the names of this computer."

#: Faults on purpose: an error page instead of the work, or a reply cut off or never sent after it.
PAGE, _CUT, _DROPPED = "page", "cut", "dropped"
MISHAPS = (PAGE, _CUT, _DROPPED)


@dataclass(frozen=True)
class ServerBehaviour:
    """Details of the challenge's own server that are not known, and faults to try a client with.

    `deadline` is the seconds for a guess, 0 for none. With `error_replaces`, "Too many guesses" replaces the reply to
    the last guess; otherwise only a further guess gets it. `error_status` is the HTTP status of the game's errors,
    `latency` the seconds before every reply, `trouble` the share of requests with a mishap. `mishaps` names the mishap
    of single requests, counted from 1.
    """

    levels: Mapping[int, gladiators.Level] = field(default_factory=lambda: dict(gladiators.LEVELS))
    deadline: float = 10.0
    error_replaces: bool = True
    error_status: int = 200
    latency: float = 0.0
    trouble: float = 0.0
    mishaps: Mapping[int, str] = field(default_factory=dict)


class Challenger:
    """The progress of one challenger through the levels; `now` is in seconds of any clock."""

    def __init__(self, mail: str, behaviour: ServerBehaviour, dice: random.Random, secret: str = "") -> None:
        self.mail, self.behaviour, self._dice, self._secret = mail, behaviour, dice, secret
        self.reset()

    def reset(self) -> dict[str, Any]:
        """Go back to the first level."""
        self.reached = min(self.behaviour.levels)
        self._leave()
        return {"message": _RESET_REPLY}

    def _leave(self) -> None:
        """Leave the level: its rounds start over at the next request for it."""
        self._round: gladiators.Code | None = None
        self._rounds_left = self._guesses = 0
        self._since = 0.0

    @property
    def is_done(self) -> bool:
        """Return whether all levels are won."""
        return self.reached > max(self.behaviour.levels)

    def show(self, number: int, now: float) -> dict[str, Any]:
        """Answer `GET /level/N/`: begin the level, or repeat its numbers between and within rounds."""
        if refused := self._find_refusal(number):
            return refused
        level = self.behaviour.levels[number]
        if self._round is None:
            self._rounds_left = level.rounds
            self._begin_round()
        self._since = now
        return level.plain()

    def guess(self, number: int, asked: Any, now: float) -> dict[str, Any]:
        """Answer `POST /level/N/`."""
        if refused := self._find_refusal(number):
            return refused
        if self._round is None:
            return {"error": _NOT_STARTED_REPLY}
        if 0 < self.behaviour.deadline < now - self._since:
            self._leave()
            return {"error": gladiators.TOO_LATE}
        self._since = now
        level = self.behaviour.levels[number]
        guess = _parse_guess(asked, level)
        return {"error": MALFORMED_REPLY} if guess is None else self._judge(level, guess)

    def answer_mark(self) -> dict[str, Any]:
        """Answer `GET /hash/`."""
        return (
            {"hash": gladiators.compute_mark(self.mail, self._secret)} if self.is_done else {"message": _NOT_YET_REPLY}
        )

    def _find_refusal(self, number: int) -> dict[str, Any]:
        if number not in self.behaviour.levels:
            return {"error": _UNKNOWN_REPLY}
        if number < self.reached:
            return {"error": COMPLETED_REPLY}
        return {"error": gladiators.LOCKED} if number > self.reached else {}

    def _begin_round(self) -> None:
        level = self.behaviour.levels[self.reached]
        self._round = tuple(self._dice.sample(range(level.weapons), level.gladiators))
        self._guesses = 0

    def _judge(self, level: gladiators.Level, guess: gladiators.Code) -> dict[str, Any]:
        if not self.behaviour.error_replaces and self._guesses >= level.guesses:
            self._leave()
            return {"error": gladiators.TOO_MANY}
        self._guesses += 1
        if guess == self._round:
            return self._win_round(level)
        if self.behaviour.error_replaces and self._guesses >= level.guesses:
            self._leave()
            return {"error": gladiators.TOO_MANY}
        assert self._round is not None
        words = (gladiators.write_code(code, level.rules) for code in (guess, self._round))
        feedback = level.rules.score(*words)
        return {"response": [feedback.common, feedback.exact]}

    def _win_round(self, level: gladiators.Level) -> dict[str, Any]:
        self._rounds_left -= 1
        if self._rounds_left:
            self._begin_round()
            return {**level.plain(), "roundsLeft": self._rounds_left}
        numbers = sorted(self.behaviour.levels)
        self.reached = next((number for number in numbers if number > self.reached), numbers[-1] + 1)
        self._leave()
        if self.is_done:
            return {**self.answer_mark(), "message": gladiators.CONGRATULATIONS}
        return {"message": gladiators.NEXT_LEVEL}


def _parse_guess(asked: Any, level: gladiators.Level) -> gladiators.Code | None:
    guess = asked.get("guess") if isinstance(asked, dict) else None
    if not isinstance(guess, list) or len(guess) != level.gladiators or not all(map(is_integer, guess)):
        return None
    is_code = all(0 <= weapon < level.weapons for weapon in guess) and len(set(guess)) == len(guess)
    return tuple(guess) if is_code else None


# The server.

#: Challengers kept; the oldest one is forgotten first.
MAX_CHALLENGERS = 1000
_MAX_MAIL_LENGTH = 254
#: Seconds after which an idle connection is closed.
_IDLE_TIMEOUT_S = 60.0
_LOOPBACK = "127.0.0.1"
_METHODS = {gladiators.SIGN_IN_PATH: ("POST",), gladiators.RESET_PATH: ("POST",), gladiators.HASH_PATH: ("GET",)}

_OnReply = Callable[[str], object]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "gladiators", ""
    # Requests that cannot be read get a whole reply, too.
    default_request_version = "HTTP/1.0"
    timeout = _IDLE_TIMEOUT_S
    # Send each reply immediately and in one piece.
    wbufsize = -1
    disable_nagle_algorithm = True
    server: "_Server"

    def _reply(self) -> None:
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdigit()):
            return self.send_error(411)
        if len(length) > 9 or int(length) > gladiators.MAX_REPLY_BYTES:
            return self.send_error(413)
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True
            return None
        if not names_loopback("//" + self.headers.get("Host", "")):
            return self.send_error(403, _NOT_HERE)
        behaviour = self.server.behaviour
        time.sleep(behaviour.latency)
        mishap = self.server.draw_mishap()
        if mishap == PAGE:
            return self._send(500, b"<html><body><h1>Server Error (500)</h1></body></html>", "text/html")
        path = re.sub("/+", "/", self.path.partition("?")[0])
        with self.server.lock:
            status, found = self._answer(path, body)
        location = path + "/" if status == 301 else ""
        if status == 200 and "error" in found:
            status = behaviour.error_status
        # Tokens and hashes contain the mail address.
        shown = {key: "..." if key in (gladiators.TOKEN_KEY, "hash") else value for key, value in found.items()}
        said = f"{status} {json.dumps(shown) if shown else location}{mishap and ' '}{mishap}"
        self.server.tell(f"{self.command} {gladiators.shorten_reply(path)}: {said}")
        if mishap == _DROPPED:
            self.close_connection = True
            return None
        raw = json.dumps(found).encode("ascii")
        return self._send(status, raw[: len(raw) // 2] if mishap == _CUT else raw, location=location)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = _reply

    def _answer(self, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        path, has_slash = path.rstrip("/") + "/", path.endswith("/")
        level = re.fullmatch(r"/level/([0-9]{1,6})/", path)
        methods = ("GET", "POST") if level else _METHODS.get(path, ())
        if not methods:
            return 404, {"error": _NO_SUCH_PAGE}
        if self.command not in methods:
            return 405, {"error": _NOT_ALLOWED}
        if self.command == "GET" and not has_slash:
            return 301, {}
        if path == gladiators.SIGN_IN_PATH:
            token = self.server.sign_in(_parse_mail(body))
            return (200, {gladiators.TOKEN_KEY: token}) if token else (400, {"error": _NO_MAIL})
        challenger = self.server.challengers.get(self.headers.get(gladiators.TOKEN_KEY, ""))
        if challenger is None:
            return 401, {"error": _NO_TOKEN}
        if level is None:
            return 200, challenger.reset() if path == gladiators.RESET_PATH else challenger.answer_mark()
        number, now = int(level[1]), time.monotonic()
        if self.command == "GET":
            return 200, challenger.show(number, now)
        return 200, challenger.guess(number, _parse_json(body), now)

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
        """Refuse a request as JSON, and close the connection."""
        self.close_connection = True
        text = message or self.responses.get(code, ("Error",))[0]
        with contextlib.suppress(OSError):
            self._send(code, json.dumps({"error": gladiators.shorten_reply(text)}).encode("ascii"))

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing; `_Server.tell` gets a line for each reply."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int, behaviour: ServerBehaviour, seed: int, tell: _OnReply) -> None:
        self.behaviour, self.tell, self.lock = behaviour, tell, threading.Lock()
        self.challengers: dict[str, Challenger] = {}
        self._seed, self._count, self._dice = seed, 0, random.Random(f"{seed}/mishaps")
        super().__init__((_LOOPBACK, port), _Handler)

    def sign_in(self, mail: str) -> str:
        """Return the token of a challenger; empty if this is not an e-mail address."""
        if not 0 < len(mail) <= _MAX_MAIL_LENGTH or "@" not in mail:
            return ""
        token = hashlib.sha256(f"{self._seed}/{mail}".encode("utf-8", "replace")).hexdigest()[:40]
        if token not in self.challengers:
            if len(self.challengers) >= MAX_CHALLENGERS:
                self.challengers.pop(next(iter(self.challengers)))
            dice = random.Random(f"{self._seed}/{mail}")
            self.challengers[token] = Challenger(mail, self.behaviour, dice, str(self._seed))
        return token

    def draw_mishap(self) -> str:
        """Count a request and return its fault, "" for none."""
        with self.lock:
            self._count += 1
            named = self.behaviour.mishaps.get(self._count, "")
            drawn = self._dice.random() < self.behaviour.trouble
            return named or (self._dice.choice(MISHAPS) if drawn else "")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing if a client has gone."""


def _parse_mail(body: bytes) -> str:
    """Return the mail address from a form or a JSON object; empty if none exists."""
    plain = _parse_json(body)
    if isinstance(plain, dict):
        mail = plain.get("email")
        return mail.strip() if isinstance(mail, str) else ""
    try:
        fields = urllib.parse.parse_qs(body.decode("utf-8", "replace"), max_num_fields=20)
    except ValueError:
        return ""
    return fields.get("email", [""])[0].strip()


def _parse_json(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


@contextlib.contextmanager
def serve_challenge(
    behaviour: ServerBehaviour | None = None, *, seed: int = 1, port: int = 0, tell: _OnReply = lambda line: None
) -> Iterator[str]:
    """Serve the challenge within a `with`; yields the address. Port 0 is any free one; `tell` gets a line per reply.

    Raises `DeskError` for a port that is taken.
    """
    try:
        server = _Server(port, behaviour or ServerBehaviour(), seed, tell)
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
