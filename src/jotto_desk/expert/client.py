"""A client for the expert service; its Datalog part also works with the original service.

expert = ExpertSystem("http://127.0.0.1:8080")
expert.submitkb("after(ann, bob). before(X, Y) :- after(Y, X).")
expert.submitquery("before(X, Y)")["ans"]            # ["before(bob, ann)"]
game = expert.begin_game(holes=4, colours=6)
game.turn("0011", "bw")["left"]
game.suggest()["guess"]
"""

import json
import queue
from typing import Any
from urllib.parse import quote, urlsplit

import requests

from jotto_desk import web
from jotto_desk.addresses import hide_login, names_loopback, split
from jotto_desk.errors import DeskError

_DATALOG = "/AbcDatalogREST"
_MODERN = "/api/v1/games"
#: The largest answer that is read.
MOST_BYTES = 8_000_000
#: The longest time to wait for an answer.
_TIMEOUT_S = 60.0
#: The most lists and objects in an answer: an empty one takes twenty times its bytes in memory.
_MOST_LISTS = 200_000


class ExpertError(DeskError):
    """The service refused or did not answer; `status` is the HTTP status, 0 without a usable answer."""

    def __init__(self, status: int, reason: str) -> None:
        self.status = status
        super().__init__(reason)


class ExpertSystem:
    """A connection to the service at `url`, which may include the path of the Datalog interface.

    `patience` is the longest time in seconds to wait for an answer. Raises `DeskError` for a wrong address.
    """

    def __init__(self, url: str = "http://127.0.0.1:8080", patience: float = _TIMEOUT_S) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise DeskError(
                f"'{hide_login(url)[:80]}' is not the address of a service; write like http://127.0.0.1:8080."
            )
        asked = split(url)
        self.url = asked.plain.rstrip("/").removesuffix(_DATALOG)
        self.patience = patience
        self._session = web.Session()
        self._session.auth = asked.login
        # A proxy cannot reach services on this computer.
        self._session.trust_env = not names_loopback(url)

    def submitkb(self, kb: str) -> dict[str, Any]:
        """Add facts and rules to the knowledge base; raises `ExpertError` if they are refused."""
        return self.call("POST", _DATALOG, json={"kb": kb})

    def resetkb(self) -> dict[str, Any]:
        """Empty the knowledge base."""
        return self.call("DELETE", _DATALOG)

    def getkbstat(self) -> dict[str, Any]:
        """Return size and age of the knowledge base; empty before one was loaded."""
        return self.call("GET", _DATALOG)

    def submitquery(self, query: str) -> dict[str, Any]:
        """Ask the knowledge base; the `?` is optional. Without results, `ans` is empty."""
        asked = query.strip()
        asked = asked if asked.endswith("?") else asked + "?"
        found = self.call("GET", _DATALOG, params={"rule": asked})
        return found or {"ans": [], "ans_sz": 0, "qs": asked, "ret_msg": "no answer."}

    def get_knowledge(self) -> str:
        """Return the knowledge base of Mastermind as text."""
        return self._answer("GET", "/api/v1/knowledge").decode("utf-8", "replace")

    def begin_game(self, rules: str = "exact", **asked: Any) -> "RemoteGame":
        """Begin a game; `asked` may contain `holes`, `colours`, `repeats` and `seed`."""
        return self.get_game(self.call("POST", _MODERN, json={"rules": rules, **asked})["id"])

    def get_game(self, number: str) -> "RemoteGame":
        """Return the game with an id."""
        return RemoteGame(self, number)

    def list_games(self) -> list[dict[str, Any]]:
        """List the games."""
        found: list[dict[str, Any]] = self._plain(self._answer("GET", _MODERN))
        return found

    def call(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        """Send a request and return the JSON object of the answer, empty for 204; raises `ExpertError`."""
        found = self._plain(self._answer(method, path, **sent))
        if not isinstance(found, dict):
            raise ExpertError(200, f"The answer of {self.url} is not a JSON object.")
        return found

    def _answer(self, method: str, path: str, **sent: Any) -> bytes:
        try:
            status, raw = web.run_within(self.patience, lambda _: self._request(method, path, sent), "ask the expert")
        except web.TooLarge as error:
            raise ExpertError(0, f"The answer of {self.url} has more than {MOST_BYTES:,} bytes.") from error
        except (requests.RequestException, OSError, queue.Empty) as error:
            trouble = f"{self.url} does not answer ({type(error).__name__})"
            raise ExpertError(0, f"{trouble}; is the service there? Start it with: jotto expert serve") from error
        if status in web.REDIRECT_STATUSES:
            raise ExpertError(status, f"{self.url} redirects to another address; give that one.")
        if status >= 400:
            raise ExpertError(status, _find_reason(status, raw))
        return raw

    def _request(self, method: str, path: str, sent: dict[str, Any]) -> tuple[int, bytes]:
        sent = {"timeout": self.patience, "stream": True, "headers": {"Accept-Encoding": "identity"}, **sent}
        with self._session.request(method, self.url + path, **sent) as answer:
            return answer.status_code, web.read_body(answer, MOST_BYTES)

    def _plain(self, raw: bytes) -> Any:
        # An answer with status 204 has no body.
        if not raw.strip():
            return {}
        try:
            if raw.count(b"[") + raw.count(b"{") > _MOST_LISTS:
                raise ValueError("too many lists")
            return json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise ExpertError(200, f"The answer of {self.url} is not JSON.") from error

    def close(self) -> None:
        """Close the connection."""
        self._session.close()

    def __enter__(self) -> "ExpertSystem":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class RemoteGame:
    """A game of the service, by its id; the service stores everything else."""

    def __init__(self, expert: ExpertSystem, number: str) -> None:
        self.expert, self.id = expert, number

    def _call(self, method: str, *path: str, **sent: Any) -> dict[str, Any]:
        steps = "".join("/" + quote(step, safe="") for step in (self.id, *path))
        return self.expert.call(method, _MODERN + steps, **sent)

    def get_state(self) -> dict[str, Any]:
        """Return the state of the game."""
        return self._call("GET")

    @property
    def funnel(self) -> list[int]:
        """The number of codes that fitted after 0, 1, 2 ... turns of this game."""
        return list(self.get_state()["funnel"])

    def turn(self, guess: str, answer: Any) -> dict[str, Any]:
        """Add a guess and its answer, such as (1, 2), "bww", 3 or "EPNNN"; return the state."""
        return self._call("POST", "turns", json=_turn(guess, answer))

    def change(self, number: int, guess: str, answer: Any) -> dict[str, Any]:
        """Correct turn `number`, counted from 1; return the state."""
        return self._call("PUT", "turns", str(number), json=_turn(guess, answer))

    def undo(self, number: int | None = None) -> dict[str, Any]:
        """Take back the last turn, or turn `number`; return the state."""
        return self._call("POST", "undo") if number is None else self._call("DELETE", "turns", str(number))

    def list_codes(self, limit: int = 100) -> list[str]:
        """List the first codes that fit."""
        return list(self._call("GET", "codes", params={"limit": limit})["codes"])

    def suggest(self, strategy: str = "strongest") -> dict[str, Any]:
        """Return a suggested guess and the reason for it."""
        return self._call("GET", "suggest", params={"strategy": strategy})

    def why(self, guess: str) -> dict[str, Any]:
        """Rate a guess."""
        return self._call("GET", "why", guess)

    def why_not(self, code: str) -> dict[str, Any]:
        """Return the turns that speak against a code."""
        return self._call("GET", "why-not", code)

    def what_if(self, guess: str, answer: Any, limit: int = 20) -> dict[str, Any]:
        """Return what would fit after one more turn."""
        return self._call("POST", "what-if", json=_turn(guess, answer), params={"limit": limit})

    def find_clash(self) -> dict[str, Any]:
        """Return the smallest set of turns that cannot all be true."""
        return self._call("GET", "clash")

    def delete(self) -> None:
        """Delete the game."""
        self._call("DELETE")


def _turn(guess: str, answer: Any) -> dict[str, Any]:
    return {"guess": guess, "answer": list(answer) if isinstance(answer, tuple) else answer}


def _find_reason(status: int, raw: bytes) -> str:
    try:
        said = json.loads(raw)
        reason = said.get("ret_msg") or said.get("error")
    except (ValueError, AttributeError, RecursionError):
        reason = None
    if isinstance(reason, str):
        return "".join(sign if sign.isprintable() else " " for sign in reason[:500])
    return f"The service refused with status {status} and no reason."
