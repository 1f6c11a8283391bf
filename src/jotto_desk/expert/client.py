"""A client for the service, and, for its Datalog interface, for the original's too.

expert = ExpertSystem("http://127.0.0.1:8080")
expert.submitkb("after(ann, bob). before(X, Y) :- after(Y, X).")
expert.submitquery("before(X, Y)")["ans"]            # ["before(bob, ann)"]
game = expert.new_game(holes=4, colours=6)
game.turn("0011", "bw")["left"]
game.suggest()["guess"]
"""

import json
import queue
from types import TracebackType
from typing import Any
from urllib.parse import quote, urlsplit

import requests

from jotto_desk.web import run_within

from .. import web
from ..addresses import is_loopback, shown, split
from ..errors import DeskError

_DATALOG = "/AbcDatalogREST"
_MODERN = "/api/v1/games"
#: Bytes of an answer that are read, and seconds it is waited for.
MOST_BYTES, _PATIENCE = 8_000_000, 60.0
#: Lists and objects in an answer: an empty one takes twenty times its bytes in memory.
_MOST_LISTS = 200_000


class ExpertError(DeskError):
    """The service refused, or could not be reached; `status` is HTTP's, 0 where there was no answer."""

    def __init__(self, status: int, reason: str) -> None:
        self.status = status
        super().__init__(reason)


class ExpertSystem:
    """One connection to a service; `url` with or without the path of the Datalog face."""

    def __init__(self, url: str = "http://127.0.0.1:8080", patience: float = _PATIENCE) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise DeskError(f"'{shown(url)[:80]}' is not the address of a service; write like http://127.0.0.1:8080.")
        asked = split(url)
        self.url = asked.plain.rstrip("/").removesuffix(_DATALOG)
        self.patience = patience
        self._session = web.Session()
        self._session.auth = asked.login
        # A proxy knows nothing of services on this computer.
        self._session.trust_env = not is_loopback(parts.hostname)

    def submitkb(self, kb: str) -> dict[str, Any]:
        """Join facts and rules to the knowledge base; raises `ExpertError` where they are refused."""
        return self.call("POST", _DATALOG, json={"kb": kb})

    def resetkb(self) -> dict[str, Any]:
        """Empty the knowledge base."""
        return self.call("DELETE", _DATALOG)

    def getkbstat(self) -> dict[str, Any]:
        """Say how the knowledge base stands; empty where none was loaded."""
        return self.call("GET", _DATALOG)

    def submitquery(self, query: str) -> dict[str, Any]:
        """Ask the knowledge base; the `?` may be left out. No answer is `ans` without anything in it."""
        asked = query.strip()
        asked = asked if asked.endswith("?") else asked + "?"
        found = self.call("GET", _DATALOG, params={"rule": asked})
        return found or {"ans": [], "ans_sz": 0, "qs": asked, "ret_msg": "no answer."}

    def knowledge(self) -> str:
        """Read the knowledge base of Mastermind."""
        return self._answer("GET", "/api/v1/knowledge").decode("utf-8", "replace")

    def new_game(self, rules: str = "exact", **asked: Any) -> "RemoteGame":
        """Begin a game: `rules`, and `holes`, `colours`, `repeats`, `seed` as they are wanted."""
        return self.game(self.call("POST", _MODERN, json={"rules": rules, **asked})["id"])

    def game(self, number: str) -> "RemoteGame":
        """Return the game with an id."""
        return RemoteGame(self, number)

    def games(self) -> list[dict[str, Any]]:
        """List the games."""
        found: list[dict[str, Any]] = self._plain(self._answer("GET", _MODERN))
        return found

    def call(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        """Ask for anything; returns the JSON, empty for an empty answer (204). Raises `ExpertError`."""
        found = self._plain(self._answer(method, path, **sent))
        if not isinstance(found, dict):
            raise ExpertError(200, f"The answer of {self.url} is no JSON object.")
        return found

    def _answer(self, method: str, path: str, **sent: Any) -> bytes:
        try:
            status, raw = run_within(self.patience, lambda given_up: self._asked(method, path, sent), "ask the expert")
        except web.TooLarge as error:
            raise ExpertError(0, f"The answer of {self.url} has more than {MOST_BYTES:,} bytes.") from error
        except (requests.RequestException, OSError, queue.Empty) as error:
            raise ExpertError(
                0,
                f"{self.url} does not answer ({type(error).__name__}); is the service there? "
                "Start it with: jotto expert serve",
            ) from error
        if status in web.REDIRECT_STATUSES:
            raise ExpertError(status, f"{self.url} sends us on to another address; give that one.")
        if status >= 400:
            raise ExpertError(status, _reason(status, raw))
        return raw

    def _asked(self, method: str, path: str, sent: dict[str, Any]) -> tuple[int, bytes]:
        with self._session.request(
            method, self.url + path, timeout=self.patience, stream=True, headers={"Accept-Encoding": "identity"}, **sent
        ) as answer:
            return answer.status_code, web.read_body(answer, MOST_BYTES)

    def _plain(self, raw: bytes) -> Any:
        # The original, too, answers 204 without a body where there is nothing to say.
        if not raw.strip():
            return {}
        try:
            if raw.count(b"[") + raw.count(b"{") > _MOST_LISTS:
                raise ValueError("too many lists")
            return json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise ExpertError(200, f"The answer of {self.url} is no JSON.") from error

    def close(self) -> None:
        """Hang up."""
        self._session.close()

    def __enter__(self) -> "ExpertSystem":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class RemoteGame:
    """One game of a service, known by its id; all that is known of it lies there."""

    def __init__(self, expert: ExpertSystem, number: str) -> None:
        self.expert, self.id = expert, number

    def _call(self, method: str, *path: str, **sent: Any) -> dict[str, Any]:
        steps = "".join("/" + quote(step, safe="") for step in (self.id, *path))
        return self.expert.call(method, _MODERN + steps, **sent)

    def state(self) -> dict[str, Any]:
        """Say how the game stands."""
        return self._call("GET")

    @property
    def funnel(self) -> list[int]:
        """How many codes fitted after 0, 1, 2 ... turns of this game."""
        found: list[int] = self.state()["funnel"]
        return found

    def turn(self, guess: str, answer: Any) -> dict[str, Any]:
        """Tell a guess and its answer: (1, 2), "bww", 3 or "EPNNN"; returns the state."""
        return self._call("POST", "turns", json=_turn(guess, answer))

    def change(self, number: int, guess: str, answer: Any) -> dict[str, Any]:
        """Put turn `number`, from 1, right; returns the state."""
        return self._call("PUT", "turns", str(number), json=_turn(guess, answer))

    def undo(self, number: int | None = None) -> dict[str, Any]:
        """Take the last turn back, or turn `number`; returns the state."""
        return self._call("POST", "undo") if number is None else self._call("DELETE", "turns", str(number))

    def codes(self, limit: int = 100) -> list[str]:
        """List what fits."""
        found: list[str] = self._call("GET", "codes", params={"limit": limit})["codes"]
        return found

    def suggest(self, strategy: str = "strongest") -> dict[str, Any]:
        """Suggest a guess, and say why."""
        return self._call("GET", "suggest", params={"strategy": strategy})

    def why(self, guess: str) -> dict[str, Any]:
        """Say how good a guess is."""
        return self._call("GET", "why", guess)

    def why_not(self, code: str) -> dict[str, Any]:
        """Say what speaks against a code."""
        return self._call("GET", "why-not", code)

    def what_if(self, guess: str, answer: Any, limit: int = 20) -> dict[str, Any]:
        """Say what would fit after one more turn."""
        return self._call("POST", "what-if", json=_turn(guess, answer), params={"limit": limit})

    def clash(self) -> dict[str, Any]:
        """Name the smallest set of turns that clash."""
        return self._call("GET", "clash")

    def delete(self) -> None:
        """Forget the game."""
        self._call("DELETE")


def _turn(guess: str, answer: Any) -> dict[str, Any]:
    return {"guess": guess, "answer": list(answer) if isinstance(answer, tuple) else answer}


def _reason(status: int, raw: bytes) -> str:
    try:
        said = json.loads(raw)
        reason = said.get("ret_msg") or said.get("error")
    except (ValueError, AttributeError, RecursionError):
        reason = None
    if isinstance(reason, str):
        return "".join(sign if sign.isprintable() else " " for sign in reason[:500])
    return f"The service refused with status {status} and no reason."
