"""A client of the challenge: signs in, asks for levels, guesses; retries what may be asked twice, at a polite pace."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...addresses import names_loopback
from ...errors import DeskError
from . import protocol
from .http_request import HttpRequester, ReplyBody, Unanswered
from .levels import Code, Level
from .protocol import Reply

#: Seconds between requests to a server that is not on this computer.
PACE = 0.2
#: The longest pause between two tries, in seconds.
LONGEST_PAUSE = 30.0
LONGEST_MAIL, LONGEST_TOKEN = 254, 1000


class Lost(Exception):
    """It is not known whether a guess was counted; the sentence says why."""


@dataclass(frozen=True)
class RequestPolicy:
    """How the client behaves: seconds between requests (None: by where the server is) and for an answer, and tries.

    The pause before the second try is `pause` seconds, and doubles each time.
    """

    pace: float | None = None
    patience: float = 20.0
    tries: int = 5
    pause: float = 0.5


class Challenge:
    """The challenge as methods. The mail address is sent once per sign-in, and stands in no text that is given out."""

    def __init__(
        self,
        url: str,
        mail: str,
        manners: RequestPolicy | None = None,
        *,
        remark: Callable[[str], object] = lambda sentence: None,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        manners = manners or RequestPolicy()
        self._asking, self._mail, self._manners = HttpRequester(url, manners.patience), _checked(mail), manners
        self._pace = manners.pace if manners.pace is not None else 0.0 if names_loopback(url) else PACE
        self._remark, self._sleep, self._clock = remark, sleep, clock
        self._token = ""
        self._last: float | None = None
        self.requests = 0

    def __enter__(self) -> "Challenge":
        return self

    def __exit__(self, *_error: object) -> None:
        self._asking.close()

    def sign_in(self) -> None:
        """Get a token; raises `DeskError` when there is none for us."""
        plain = self._ask("POST", protocol.SIGN_IN, data={"email": self._mail})
        token = plain.get(protocol.TOKEN)
        if (
            not isinstance(token, str)
            or not 0 < len(token) <= LONGEST_TOKEN
            or not (token.isascii() and token.isprintable())
        ):
            raise DeskError(f"The server gives no token: {self._hidden(protocol.shown(plain))}")
        self._token = token

    def level(self, number: int) -> Reply:
        """Ask for a level, which begins it or tells its numbers again."""
        return self._understood(self._ask("GET", protocol.level_path(number)))

    def guess(self, number: int, code: Code, level: Level) -> Reply:
        """Guess; raises `Lost` where no answer came, for a guess may not be sent twice."""
        plain = self._ask("POST", protocol.level_path(number), once=True, json={"guess": list(code)})
        try:
            return self._understood(plain, level)
        except protocol.UnreadableReply as error:
            raise Lost(str(error)) from error

    def mark(self) -> str:
        """Ask for the hash; empty while the challenge is not finished."""
        plain = self._ask("GET", protocol.HASH)
        reply = protocol.understood(plain) if "hash" in plain else None
        return reply.mark if isinstance(reply, protocol.Finished) else ""

    def reset(self) -> None:
        """Go back to level 1."""
        self._ask("POST", protocol.RESET)

    def _understood(self, plain: dict[str, Any], level: Level | None = None) -> Reply:
        reply = protocol.understood(plain, level)
        if isinstance(reply, protocol.ChallengeError):
            return protocol.ChallengeError(self._hidden(reply.text))
        return reply

    def _ask(self, method: str, path: str, once: bool = False, **body: object) -> dict[str, Any]:
        """Ask until there is a JSON object, with any status; raises `DeskError`, or `Lost` for what is sent `once`."""
        pause, why, signed = self._manners.pause, "", path == protocol.SIGN_IN
        for trial in range(1, self._manners.tries + 1):
            try:
                found = self._sent(method, path, body)
                if found.status in (401, 403) and not signed:
                    # A token may run out; who has none any more gets a new one, once.
                    signed = True
                    self.sign_in()
                    continue
                if found.status != 429:
                    return protocol.read(found.raw)
                why, pause = "The server asks for a slower pace (429).", max(pause, found.wait)
            except (Unanswered, protocol.UnreadableReply) as error:
                why = self._hidden(str(error))
                if once and getattr(error, "was_sent", True):
                    raise Lost(why) from error
            if trial < self._manners.tries:
                self._remark(f"{why} Trying again.")
                self._sleep(min(pause, LONGEST_PAUSE))
                pause *= 2
        raise DeskError(
            f"{why} '{self._asking.base}' was asked {self._manners.tries} times; try again later, "
            "the challenge goes on where it stands."
        )

    def _sent(self, method: str, path: str, body: dict[str, object]) -> ReplyBody:
        if self._last is not None:
            rest = self._last + self._pace - self._clock()
            if rest > 0:
                self._sleep(rest)
        self._last = self._clock()
        self.requests += 1
        headers = {protocol.TOKEN: self._token} if self._token and path != protocol.SIGN_IN else {}
        return self._asking.ask(method, path, headers, body)

    def _hidden(self, text: str) -> str:
        return text.replace(self._mail, "...")


def _checked(mail: str) -> str:
    mail = mail.strip()
    name, _, host = mail.rpartition("@")
    if not (name and host) or len(mail) > LONGEST_MAIL or not mail.isprintable() or " " in mail:
        raise DeskError(
            "That is no e-mail address; give the one you take part with by --email, or in the environment "
            "as JOTTO_GLADIATORS_EMAIL."
        )
    return mail
