"""Many game clients at once, beside slow headers and large posts: every body is right, every error is JSON."""

from __future__ import annotations

import math
import random
import threading
import time
from pathlib import Path

from attack import services
from attack.outcome import Attack, Outcome
from attack.services import Answer, Wire

DATALOG = "/AbcDatalogREST"
GAMES = "/api/v1/games"
REQUESTS = 10  # of a client
CLIENTS = 200  # at the same time in the long form
SLOW = 200  # connections with slow headers in the long form
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
KNOWN = "known(a). known(b)."
#: A rule that takes too long: 30 constants in 14 places.
LARGE = " ".join(f"c({number})." for number in range(30)) + " all({0}) :- {1}.".format(
    ", ".join(f"X{number}" for number in range(14)), ", ".join(f"c(X{number})" for number in range(14))
)
LARGE_POSTS = 6


class Client:
    """One game client with the seconds that its requests took."""

    def __init__(self, url: str, number: int, outcome: Outcome, lock: threading.Lock) -> None:
        self._wire, self._outcome, self._lock = Wire(url), outcome, lock
        self._code = "".join(random.Random(number).choice("012345") for _ in range(4))
        self.light: list[float] = []
        self.every: list[float] = []

    def play(self) -> None:
        """Play a game of ten requests, light ones among them."""
        begun = self._ask("POST", GAMES, {"rules": "exact", "seed": 1})
        name = begun.body["id"] if isinstance(begun.body, dict) and "id" in begun.body else "none"
        self._ask("GET", DATALOG + "?rule=known(X)", light=True, right={"ans": ["known(a)", "known(b)"]})
        self._ask("POST", f"{GAMES}/{name}/turns", {"guess": self._code, "answer": [4, 0]}, right={"left": 1})
        self._ask("GET", DATALOG, light=True, right={"ans_kb_sz": 2})
        self._ask("GET", f"{GAMES}/{name}/codes", right={"codes": [self._code]})
        self._ask("GET", GAMES, light=True)
        self._ask("GET", f"{GAMES}/{name}", right={"funnel": [1296, 1]})
        self._ask("GET", "/openapi.json", light=True, right={"openapi": "3.1.0"})
        self._ask("GET", f"{GAMES}/{name}/suggest", right={"guess": self._code})
        self._ask("DELETE", f"{GAMES}/{name}")
        self._wire.close()

    def _ask(
        self, method: str, path: str, sent: object = None, light: bool = False, right: dict[str, object] | None = None
    ) -> Answer:
        begun = time.monotonic()
        answer = self._wire.ask(method, path, sent)
        seconds = time.monotonic() - begun
        self.every.append(seconds)
        if light:
            self.light.append(seconds)
        is_right = (
            answer.status in (200, 201, 204)
            and answer.is_told
            and (
                right is None
                or (
                    isinstance(answer.body, dict) and all(answer.body.get(key) == value for key, value in right.items())
                )
            )
        )
        with self._lock:
            self._outcome.check(is_right, f"{method} {path} got {answer}, not {right}, after {seconds:.1f} s.")
        return answer


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Let clients play all at once; the long form has slow headers open, and in a second half large posts under way."""
    outcome, told = Outcome(), []
    clients, is_long = how_many // REQUESTS, how_many > ATTACK.short
    with services.expert(folder) as url:
        services.ask(url, "POST", DATALOG, {"kb": KNOWN})
        slow = services.left_open(url, [HALF] * (SLOW if is_long else 20))
        told.append(crowd(url, clients // 2 if is_long else clients, seed, outcome))
        if is_long:
            posts = [threading.Thread(target=post_large, args=(url, outcome)) for _ in range(LARGE_POSTS)]
            for post in posts:
                post.start()
            time.sleep(1)
            slow += services.left_open(url, [HALF] * SLOW)
            told.append(
                f"beside {LARGE_POSTS} large posts: a small post {small_post(url, outcome):.1f} s, "
                + crowd(url, clients // 2, seed + 1, outcome)
            )
            for post in posts:
                post.join()
        for each in slow:
            each.close()
    outcome.figure = "; ".join(told)
    return outcome


def crowd(url: str, clients: int, seed: int, outcome: Outcome) -> str:
    lock = threading.Lock()
    players = [Client(url, seed * 1000 + number, outcome, lock) for number in range(clients)]
    threads = [threading.Thread(target=player.play) for player in players]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - begun
    light = [each for player in players for each in player.light]
    every = [each for player in players for each in player.every]
    return (
        f"{clients} clients, {len(every) / seconds:.0f} requests a second, p99 of light ones {p99(light):.2f} s, "
        f"of all {p99(every):.2f} s"
    )


def p99(seconds: list[float]) -> float:
    return sorted(seconds)[max(0, math.ceil(0.99 * len(seconds)) - 1)]


def small_post(url: str, outcome: Outcome) -> float:
    begun = time.monotonic()
    answer = services.ask(url, "POST", DATALOG, {"kb": "small(a)."})
    outcome.check(answer.status == 201, f"A small post got {answer} beside large ones.")
    seconds = time.monotonic() - begun
    services.ask(url, "DELETE", DATALOG)
    services.ask(url, "POST", DATALOG, {"kb": KNOWN})
    return seconds


def post_large(url: str, outcome: Outcome) -> None:
    """Post a rule that takes too long; the server refuses it with a reason."""
    answer = services.ask(url, "POST", DATALOG, {"kb": LARGE})
    outcome.check(answer.status in (400, 503) and answer.is_told, f"A large post got {answer}.")


ATTACK = Attack(
    "load",
    "game clients at once beside slow headers and large posts",
    rounds,
    short=10 * REQUESTS,
    long=2 * CLIENTS * REQUESTS,
)
