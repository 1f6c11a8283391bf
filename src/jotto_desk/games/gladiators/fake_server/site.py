"""The fake server's replies: each challenger has a token and a progress of their own. No network here."""

import hashlib
import json
import random
import re
import threading
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import protocol
from .arena import Challenger, ChallengeRules

#: Challengers kept; the one who came first is forgotten first.
MOST_CHALLENGERS = 1000
LONGEST_MAIL = 254
NO_MAIL = "Send an e-mail address as 'email'."
NO_TOKEN = "The header Auth-Token is missing or unknown; get one from /api-auth-token/."
NO_SUCH_PAGE = "There is nothing at this address."
NOT_ALLOWED = "This address takes another method."

#: What can go wrong on purpose: an error page before anything is done, or an answer cut off or never sent after it.
PAGE, CUT, DROPPED = "page", "cut", "dropped"
MISHAPS = (PAGE, CUT, DROPPED)


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
class SiteReply:
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

    def answer(self, request: Request, now: float) -> SiteReply:
        """Answer a request that came at `now`, in seconds of any clock."""
        with self._lock:
            return self._answer(request, now)

    def _answer(self, request: Request, now: float) -> SiteReply:
        path = request.path if request.path.endswith("/") else request.path + "/"
        level = re.fullmatch(r"/level/([0-9]{1,6})/", path)
        methods = ("GET", "POST") if level else _METHODS.get(path, ())
        if not methods:
            return SiteReply(404, {"error": NO_SUCH_PAGE})
        if request.method not in methods:
            return SiteReply(405, {"error": NOT_ALLOWED})
        if path != request.path and request.method == "GET":
            return SiteReply(301, {}, path)
        if path == protocol.SIGN_IN:
            return self._sign_in(request.body)
        challenger = self._challengers.get(request.token)
        if challenger is None:
            return SiteReply(401, {"error": NO_TOKEN})
        if level:
            return self._judged(_played(challenger, int(level[1]), request, now))
        return self._judged(challenger.reset() if path == protocol.RESET else challenger.mark())

    def _judged(self, body: dict[str, Any]) -> SiteReply:
        return SiteReply(self.habits.error_status if "error" in body else 200, body)

    def _sign_in(self, body: bytes) -> SiteReply:
        mail = _mail(body)
        if not 0 < len(mail) <= LONGEST_MAIL or "@" not in mail:
            return SiteReply(400, {"error": NO_MAIL})
        token = hashlib.sha256(f"{self.seed}/{mail}".encode("utf-8", "replace")).hexdigest()[:40]
        if token not in self._challengers:
            if len(self._challengers) >= MOST_CHALLENGERS:
                self._challengers.pop(next(iter(self._challengers)))
            dice = random.Random(f"{self.seed}/{mail}")
            self._challengers[token] = Challenger(mail, self.habits.customs, dice, str(self.seed))
        return SiteReply(200, {protocol.TOKEN: token})


_METHODS = {protocol.SIGN_IN: ("POST",), protocol.RESET: ("POST",), protocol.HASH: ("GET",)}


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
