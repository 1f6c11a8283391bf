"""The challenge's messages: paths, sentences, and what a reply means. Texts are those of the challenge's server."""

import json
from dataclasses import dataclass
from typing import Any

from jotto.compat import is_integer, quoted
from jotto.feedback import Feedback
from jotto.rules import JottoError

from ...errors import DeskError
from . import levels
from .levels import Level

TOKEN = "Auth-Token"
SIGN_IN, RESET, HASH = "/api-auth-token/", "/reset/", "/hash/"
NEXT_LEVEL = "Onto the next level"
CONGRATULATIONS = "Congratulations!"
TOO_MANY = "Too many guesses. Try again!"
TOO_LATE = "Guess took too long, please restart game."
LOCKED = "Requested level cannot yet be challenged, complete lower levels first."

#: The longest body that is read, and the longest text that is shown of it.
MOST_BYTES, MOST_SHOWN = 1 << 16, 120


def level_path(number: int) -> str:
    """Name a level's place on the server."""
    return f"/level/{number}/"


@dataclass(frozen=True)
class Scored:
    """The guess was wrong: its feedback."""

    feedback: Feedback


@dataclass(frozen=True)
class Given:
    """A level's numbers: asked for, or (with the rounds left) after a round was won."""

    level: Level
    rounds_left: int | None = None


@dataclass(frozen=True)
class LevelWon:
    """The level is won and another one waits."""


@dataclass(frozen=True)
class Finished:
    """The challenge is won; `mark` is its hash."""

    mark: str


@dataclass(frozen=True)
class ChallengeError:
    """An error of the challenge, in its own words."""

    text: str

    @property
    def is_locked(self) -> bool:
        """Tell whether lower levels have to be won first."""
        return "cannot yet be challenged" in self.text


Reply = Scored | Given | LevelWon | Finished | ChallengeError


class UnreadableReply(DeskError):
    """What came back is not a reply of the challenge."""


def read(raw: bytes) -> dict[str, Any]:
    """Read a body with any status; raises `UnreadableReply`."""
    try:
        plain = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        start = raw[:MOST_SHOWN].decode("utf-8", "replace").split("\n")[0].strip()
        raise UnreadableReply(f"The server's answer is not JSON ({quoted(start)}).") from None
    if not isinstance(plain, dict):
        raise UnreadableReply(f"The server's answer is not a JSON object ({quoted(plain)}).")
    return plain


def understood(plain: dict[str, Any], level: Level | None = None) -> Reply:
    """Say what a reply means; `level` is the one being played. Raises `UnreadableReply`."""
    for key in ("error", "detail"):
        if key in plain:
            return ChallengeError(shown(plain[key]))
    if isinstance(mark := plain.get("hash"), str):
        return Finished(mark[:MOST_BYTES])
    if "response" in plain and level is not None:
        return Scored(_feedback(plain["response"], level))
    if levels.KEYS[0] in plain:
        return _given(plain)
    if "message" in plain and "response" not in plain:
        return LevelWon()
    raise UnreadableReply(f"The server's answer is none of the challenge's ({quoted(plain)}).")


def shown(text: Any) -> str:
    """Return a server's text as one short line that cannot disturb a terminal."""
    line = text if isinstance(text, str) else quoted(text)
    return "".join(sign if sign.isprintable() else " " for sign in line[:MOST_SHOWN]).strip()


def _given(plain: dict[str, Any]) -> Given:
    left = plain.get("roundsLeft")
    if left is not None and not (is_integer(left) and 0 <= left <= levels.MOST_ROUNDS):
        raise UnreadableReply(f"{quoted(left)} rounds left is no number of rounds.")
    try:
        return Given(levels.from_plain(plain), left)
    except DeskError as error:
        raise UnreadableReply(str(error)) from error


def _feedback(pair: Any, level: Level) -> Feedback:
    """Read a feedback pair: weapons that are right, wherever they are, and gladiators, those of them in place."""
    if isinstance(pair, list) and len(pair) == 2 and all(map(is_integer, pair)):
        try:
            feedback = level.rules.read_feedback([pair[1], pair[0] - pair[1]])
        except JottoError:
            pass
        else:
            return Feedback(*feedback)
    raise UnreadableReply(f"{quoted(pair)} is not an answer to a guess of {level.gladiators} weapons.")


def answer(feedback: Feedback) -> dict[str, Any]:
    """Return the reply body for a feedback."""
    return {"response": [feedback.common, feedback.exact]}


def mark_of(mail: str, secret: str) -> str:
    """Make the hash of a winner: 64 hex digits, then the hex of `{"user": "<mail>"}`."""
    import hashlib

    digest = hashlib.sha256(f"{secret}/{mail}".encode("utf-8", "replace")).hexdigest()
    return digest + json.dumps({"user": mail}).encode("ascii").hex()
