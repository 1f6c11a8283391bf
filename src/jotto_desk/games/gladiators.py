"""The gladiators challenge as values, its messages, and a client that asks the server at a polite pace."""

import contextlib
import json
import math
import queue
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import requests

from jotto.compat import is_integer, quote_value
from jotto.feedback import PLACES, Feedback
from jotto.rules import LETTERS, JottoError, Rules
from jotto_desk import web
from jotto_desk.addresses import find_origin, names_loopback
from jotto_desk.errors import DeskError

# Levels of the challenge: gladiators (places), weapons (symbols, no repeats), guesses and rounds.

#: Up to this many weapons are written as symbols, as in the tree files of `jotto solve`.
_CODE_SYMBOLS = "0123456789" + LETTERS
#: The largest level that is played; the challenge's own levels are far below.
_LEVEL_LIMITS = {"gladiators": 12, "weapons": 64, "guesses": 60, "rounds": 1000}
#: The keys of a level in the order of its fields.
_LEVEL_KEYS = ("numGladiators", "numWeapons", "numGuesses", "numRounds")

Code = tuple[int, ...]


@dataclass(frozen=True)
class Level:
    """The numbers of one level."""

    gladiators: int
    weapons: int
    guesses: int
    rounds: int = 1

    @property
    def codes(self) -> int:
        """The number of codes."""
        return math.perm(self.weapons, self.gladiators)

    @property
    def rules(self) -> Rules:
        """The rules of the engine that score this level."""
        symbols = _CODE_SYMBOLS[: self.weapons] if self.weapons <= len(_CODE_SYMBOLS) else tuple(range(self.weapons))
        return Rules("gladiators", self.gladiators, symbols, False, PLACES)

    def plain(self) -> dict[str, int]:
        """Return the level as the challenge's JSON has it."""
        return dict(zip(_LEVEL_KEYS, astuple(self), strict=True))

    def __str__(self) -> str:
        rounds = f", {self.rounds} rounds" if self.rounds > 1 else ""
        return f"{self.gladiators} gladiators, {self.weapons} weapons, {self.guesses} guesses{rounds}"


#: The challenge's levels: 1 and 6 are recorded, and 4 except its guesses; the rest is assumed.
LEVELS = {
    1: Level(4, 6, 8),
    2: Level(4, 8, 8),
    3: Level(5, 9, 9),
    4: Level(6, 25, 15),
    5: Level(4, 8, 8, 5),
    6: Level(5, 10, 7, 10),
}


def parse_level(plain: Any) -> Level:
    """Read a level from the challenge's JSON; raises `DeskError` for one that cannot be played."""
    numbers: list[Any] = [plain.get(key) for key in _LEVEL_KEYS] if isinstance(plain, dict) else [None]
    if not all(is_integer(number) for number in numbers):
        raise DeskError(f"{quote_value(plain)} is not a level, which has the whole numbers {', '.join(_LEVEL_KEYS)}.")
    return _check_level(Level(*numbers))


def parse_levels(text: str) -> Level:
    """Read a level as people write it: `5/10/7/10` (gladiators, weapons, guesses, rounds; rounds can be left out).

    Raises `DeskError`.
    """
    parts = text.split("/")
    if not 3 <= len(parts) <= 4 or not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        raise DeskError(f"'{text[:60]}' is not a level; write gladiators/weapons/guesses/rounds, like 5/10/7/10.")
    return _check_level(Level(*map(int, parts)))


def _check_level(level: Level) -> Level:
    """Return the level, or raise `DeskError` if no game can be played with its numbers."""
    for name, limit in _LEVEL_LIMITS.items():
        number = getattr(level, name)
        if not 1 <= number <= limit:
            raise DeskError(f"A level of {quote_value(number)} {name} cannot be played; 1 to {limit} are possible.")
    if level.gladiators > level.weapons:
        raise DeskError(f"{level.gladiators} gladiators need as many weapons, and there are {level.weapons}.")
    return level


def write_code(code: Code, rules: Rules) -> Any:
    """Write a code as a word of the rules."""
    symbols = tuple(rules.alphabet[weapon] for weapon in code)
    return "".join(symbols) if isinstance(rules.alphabet, str) else symbols


def word_code(written: Any, rules: Rules) -> Code:
    """Read a word of the rules as a code."""
    return tuple(rules.alphabet.index(symbol) for symbol in written)


# The challenge's messages, in the words of its server.

TOKEN_KEY = "Auth-Token"
SIGN_IN_PATH, RESET_PATH, HASH_PATH = "/api-auth-token/", "/reset/", "/hash/"
NEXT_LEVEL = "Onto the next level"
CONGRATULATIONS = "Congratulations!"
TOO_MANY = "Too many guesses. Try again!"
TOO_LATE = "Guess took too long, please restart game."
LOCKED = "Requested level cannot yet be challenged, complete lower levels first."

#: The longest body that is read, and the longest text that is shown of it.
MAX_REPLY_BYTES, _MAX_SHOWN_LENGTH = 1 << 16, 120


@dataclass(frozen=True)
class ScoredReply:
    """The guess was wrong: its feedback."""

    feedback: Feedback


@dataclass(frozen=True)
class GivenLevel:
    """A level as the server gives it; `rounds_left` is None at its start, and a number after a round was won."""

    level: Level
    rounds_left: int | None = None


@dataclass(frozen=True)
class _LevelWon:
    """The level is won and another one waits."""


@dataclass(frozen=True)
class ChallengeFinished:
    """The challenge is won; `mark` is its hash."""

    mark: str


@dataclass(frozen=True)
class ChallengeError:
    """An error of the challenge, in its own words."""

    text: str

    @property
    def is_locked(self) -> bool:
        """Return whether lower levels have to be won first."""
        return "cannot yet be challenged" in self.text


Reply = ScoredReply | GivenLevel | _LevelWon | ChallengeFinished | ChallengeError


class UnreadableReply(DeskError):
    """The reply is not one of the challenge."""


def parse_reply(raw: bytes) -> dict[str, Any]:
    """Read a body with any status; raises `UnreadableReply`."""
    try:
        plain = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        start = raw[:_MAX_SHOWN_LENGTH].decode("utf-8", "replace").split("\n")[0].strip()
        raise UnreadableReply(f"The server's answer is not JSON ({quote_value(start)}).") from None
    if not isinstance(plain, dict):
        raise UnreadableReply(f"The server's answer is not a JSON object ({quote_value(plain)}).")
    return plain


def understand_reply(plain: dict[str, Any], level: Level | None = None) -> Reply:
    """Return the meaning of a reply; `level` is the one being played. Raises `UnreadableReply`."""
    for key in ("error", "detail"):
        if key in plain:
            return ChallengeError(shorten_reply(plain[key]))
    if isinstance(mark := plain.get("hash"), str):
        return ChallengeFinished(mark[:MAX_REPLY_BYTES])
    if "response" in plain and level is not None:
        return ScoredReply(_parse_feedback(plain["response"], level))
    if _LEVEL_KEYS[0] in plain:
        return _parse_given_level(plain)
    if "message" in plain and "response" not in plain:
        return _LevelWon()
    raise UnreadableReply(f"The server's answer is not one of the challenge's ({quote_value(plain)}).")


def shorten_reply(text: Any) -> str:
    """Return a server's text as one short line that cannot disturb a terminal."""
    line = text if isinstance(text, str) else quote_value(text)
    return "".join(sign if sign.isprintable() else " " for sign in line[:_MAX_SHOWN_LENGTH]).strip()


def _parse_given_level(plain: dict[str, Any]) -> GivenLevel:
    left = plain.get("roundsLeft")
    if left is not None and not (is_integer(left) and 0 <= left <= _LEVEL_LIMITS["rounds"]):
        raise UnreadableReply(f"{quote_value(left)} rounds left is not a number of rounds.")
    try:
        return GivenLevel(parse_level(plain), left)
    except DeskError as error:
        raise UnreadableReply(str(error)) from error


def _parse_feedback(pair: Any, level: Level) -> Feedback:
    """Read a feedback pair: weapons that are right, wherever they are, and gladiators, those of them in place."""
    if isinstance(pair, list) and len(pair) == 2 and all(map(is_integer, pair)):
        try:
            feedback = level.rules.parse_feedback([pair[1], pair[0] - pair[1]])
        except JottoError:
            pass
        else:
            return Feedback(*feedback)
    raise UnreadableReply(f"{quote_value(pair)} is not an answer to a guess of {level.gladiators} weapons.")


def compute_mark(mail: str, secret: str) -> str:
    """Make the hash of a winner: 64 hex digits, then the hex of `{"user": "<mail>"}`."""
    import hashlib

    digest = hashlib.sha256(f"{secret}/{mail}".encode("utf-8", "replace")).hexdigest()
    return digest + json.dumps({"user": mail}).encode("ascii").hex()


# HTTP requests: limited in time and size, and never to another server.

_MAX_REDIRECTS = 5


class _NoAnswer(Exception):
    """No useful answer came back; the sentence says why. `was_sent` is False if the request was not sent."""

    def __init__(self, sentence: str, was_sent: bool = True) -> None:
        super().__init__(sentence)
        self.was_sent = was_sent


class _ReplyBody(NamedTuple):
    """A response: the status, the bytes, and the seconds the server asks to wait."""

    status: int
    raw: bytes
    wait: float = 0.0


class _HttpRequester:
    """Requests to one server through one session; `patience` is the longest time of an answer, in seconds."""

    def __init__(self, url: str, patience: float) -> None:
        self.base, self.patience = _check_answer(url), patience
        self._session: requests.Session | None = None

    def ask(self, method: str, path: str, headers: dict[str, str], body: dict[str, object]) -> _ReplyBody:
        """Send a request and follow redirects within the server; the body can have `data` or `json`.

        Raises `_NoAnswer`, or `DeskError` if asking again is of no use.
        """
        address = self.base + path
        for _ in range(_MAX_REDIRECTS + 1):
            found, further = self._ask_once(method, address, headers, body)
            if not further:
                return found
            address = self._follow_redirects(address, further)
        raise DeskError(f"'{self.base}' redirects in a circle; check the address.")

    def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _follow_redirects(self, address: str, location: str) -> str:
        try:
            further = urljoin(address, location)
        except ValueError:
            further = ""
        server = find_origin(further)
        if server != find_origin(self.base):
            raise DeskError(
                f"'{self.base}' redirects to '{shorten_reply(server)}'; give that as --url if you trust it."
            )
        return further

    def _ask_once(
        self, method: str, address: str, headers: dict[str, str], body: dict[str, Any]
    ) -> tuple[_ReplyBody, str]:
        if self._session is None:
            self._session = web.Session()
            # No proxy for this computer, and no passwords from .netrc.
            self._session.trust_env = not names_loopback(self.base)
        send = partial(self._send, self._session, method, address, headers, body)
        try:
            return web.run_within(self.patience, lambda _: send(), "ask the challenge")
        except queue.Empty:
            # The old session still waits for its answer; it cannot be used again.
            self._session = None
            raise self._describe_timeout() from None
        except web.TooLarge as error:
            raise _NoAnswer("The server's answer is far too long.") from error
        except requests.exceptions.SSLError as error:
            raise DeskError(f"The certificate of '{self.base}' cannot be trusted; check the address.") from error
        except requests.exceptions.ConnectTimeout as error:
            raise _NoAnswer("The server cannot be reached.", was_sent=False) from error
        except requests.exceptions.ReadTimeout as error:
            raise self._describe_timeout() from error
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, UnicodeError) as error:
            raise DeskError(f"'{self.base}' is not a web address; it begins with http:// or https://.") from error
        except requests.RequestException as error:
            if "ReadTimeoutError" in repr(error):
                raise self._describe_timeout() from error
            nothing = "NewConnectionError" in repr(error) or "NameResolutionError" in repr(error)
            said = "The server cannot be reached." if nothing else "The server broke off."
            raise _NoAnswer(said, was_sent=not nothing) from error

    def _describe_timeout(self) -> _NoAnswer:
        return _NoAnswer(f"The server did not answer within {self.patience:g} seconds.")

    def _send(
        self, session: requests.Session, method: str, address: str, headers: dict[str, str], body: dict[str, Any]
    ) -> tuple[_ReplyBody, str]:
        asked = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "nao-jotto", **headers}
        body = {"headers": asked, "timeout": self.patience, "stream": True, "allow_redirects": False, **body}
        with session.request(method, address, **body) as answer:
            raw = web.read_body(answer, MAX_REPLY_BYTES)
            location = answer.headers.get("Location", "") if answer.status_code in web.REDIRECT_STATUSES else ""
            wait = answer.headers.get("Retry-After", "")
            seconds = float(wait) if wait.isascii() and wait.isdigit() and len(wait) < 5 else 0.0
            return _ReplyBody(answer.status_code, raw, seconds), location


def _check_answer(url: str) -> str:
    with contextlib.suppress(ValueError):
        parts = urlsplit(url)
        plain = url.isascii() and url.isprintable() and " " not in url and not parts.username
        right = parts.scheme.lower() in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
        # A port that is none raises.
        if plain and right and parts.port != 0:
            return url.rstrip("/")
    shown = shorten_reply(url.rpartition("@")[2])
    raise DeskError(
        f"'{shown}' is not an address of the challenge; write it like https://server.example, without a query."
    )


# The client: it waits between requests, and repeats those that can be sent twice.

#: Seconds between requests to a server that is not on this computer.
_REQUEST_INTERVAL_S = 0.2
#: The longest pause between two tries, in seconds.
_MAX_PAUSE_S = 30.0
_MAX_MAIL_LENGTH, _MAX_TOKEN_LENGTH = 254, 1000


class LevelLost(Exception):
    """It is not known whether a guess was counted; the sentence says why."""


@dataclass(frozen=True)
class RequestPolicy:
    """The client's manners: seconds between requests (None: by the server's place) and for an answer, and tries.

    The pause before the second try is `pause` seconds, and doubles each time.
    """

    pace: float | None = None
    patience: float = 20.0
    tries: int = 5
    pause: float = 0.5


class Challenge:
    """The challenge as methods. The mail address is sent once per sign-in, and never shown."""

    def __init__(
        self,
        url: str,
        mail: str,
        manners: RequestPolicy | None = None,
        *,
        remark: Callable[[str], object] = lambda sentence: None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        manners = manners or RequestPolicy()
        self._asking, self._mail, self._manners = _HttpRequester(url, manners.patience), _check_token(mail), manners
        self._pace = manners.pace if manners.pace is not None else 0.0 if names_loopback(url) else _REQUEST_INTERVAL_S
        self._remark, self._sleep = remark, sleep
        self._token = ""
        self._last: float | None = None
        self.requests = 0

    def __enter__(self) -> "Challenge":
        return self

    def __exit__(self, *_error: object) -> None:
        self._asking.close()

    def sign_in(self) -> None:
        """Get a token; raises `DeskError` when there is none for us."""
        plain = self._ask("POST", SIGN_IN_PATH, data={"email": self._mail})
        token: Any = plain.get(TOKEN_KEY)
        is_text = isinstance(token, str) and token.isascii() and token.isprintable()
        if not is_text or not 0 < len(token) <= _MAX_TOKEN_LENGTH:
            raise DeskError(f"The server gives no token: {self._hide_secrets(shorten_reply(plain))}")
        self._token = token

    def ask_level(self, number: int) -> Reply:
        """Ask for a level, which begins it or repeats its numbers."""
        return self._understood(self._ask("GET", f"/level/{number}/"))

    def guess(self, number: int, code: Code, level: Level) -> Reply:
        """Guess; raises `LevelLost` if no answer came, because a guess must not be sent twice."""
        plain = self._ask("POST", f"/level/{number}/", once=True, json={"guess": list(code)})
        try:
            return self._understood(plain, level)
        except UnreadableReply as error:
            raise LevelLost(str(error)) from error

    def ask_mark(self) -> str:
        """Ask for the hash; empty while the challenge is not finished."""
        plain = self._ask("GET", HASH_PATH)
        reply = understand_reply(plain) if "hash" in plain else None
        return reply.mark if isinstance(reply, ChallengeFinished) else ""

    def reset(self) -> None:
        """Go back to level 1."""
        self._ask("POST", RESET_PATH)

    def _understood(self, plain: dict[str, Any], level: Level | None = None) -> Reply:
        reply = understand_reply(plain, level)
        return ChallengeError(self._hide_secrets(reply.text)) if isinstance(reply, ChallengeError) else reply

    def _ask(self, method: str, path: str, once: bool = False, **body: object) -> dict[str, Any]:
        """Ask until there is a JSON object; raises `DeskError`, or `LevelLost` if it is sent only `once`."""
        pause, why, signed = self._manners.pause, "", path == SIGN_IN_PATH
        for trial in range(1, self._manners.tries + 1):
            try:
                found = self._send(method, path, body)
                if found.status in (401, 403) and not signed:
                    # A token can expire; sign in again, once.
                    signed = True
                    self.sign_in()
                    continue
                if found.status != 429:
                    return parse_reply(found.raw)
                why, pause = "The server asks for a slower pace (429).", max(pause, found.wait)
            except (_NoAnswer, UnreadableReply) as error:
                why = self._hide_secrets(str(error))
                if once and getattr(error, "was_sent", True):
                    raise LevelLost(why) from error
            if trial < self._manners.tries:
                self._remark(f"{why} Trying again.")
                self._sleep(min(pause, _MAX_PAUSE_S))
                pause *= 2
        asked = f"'{self._asking.base}' was asked {self._manners.tries} times"
        raise DeskError(f"{why} {asked}; try again later. The challenge continues from there.")

    def _send(self, method: str, path: str, body: dict[str, object]) -> _ReplyBody:
        if self._last is not None:
            rest = self._last + self._pace - time.monotonic()
            if rest > 0:
                self._sleep(rest)
        self._last = time.monotonic()
        self.requests += 1
        headers = {TOKEN_KEY: self._token} if self._token and path != SIGN_IN_PATH else {}
        return self._asking.ask(method, path, headers, body)

    def _hide_secrets(self, text: str) -> str:
        return text.replace(self._mail, "...")


def _check_token(mail: str) -> str:
    mail = mail.strip()
    name, _, host = mail.rpartition("@")
    if not (name and host) or len(mail) > _MAX_MAIL_LENGTH or not mail.isprintable() or " " in mail:
        known = "give the one you take part with by --email, or in the environment as JOTTO_GLADIATORS_EMAIL"
        raise DeskError(f"That is not an e-mail address; {known}.")
    return mail
