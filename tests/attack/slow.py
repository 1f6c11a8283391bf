"""Connections that send nothing, half a header or half a body: a client that sends its request at once is served."""

from __future__ import annotations

import contextlib
import http.client
import random
import socket
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from attack import services
from attack.outcome import Attack, Outcome

#: Connections that misbehave at a time: more than either server ever waited for.
CROWD = 300
#: What is sent, and no more.
HALVES = [
    b"",
    b"GET /level/1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    b"POST /AbcDatalogREST HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
    b"POST /api-auth-token/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
]
#: A server, and what a well-behaved client asks it.
SERVERS: list[tuple[Callable[[Path], AbstractContextManager[str]], str, str, object]] = [
    (services.expert, "GET", "/api/v1/games", None),
    (services.gladiators, "POST", "/api-auth-token/", {"email": "player@mail.example"}),
]


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Keep crowds of unfinished requests open, and ask beside them; in a long form wait until they are ended."""
    chance, outcome, longest = random.Random(seed), Outcome(), 0.0
    for serve, method, path, sent in SERVERS:
        with serve(folder) as url:
            for _ in range(how_many // len(SERVERS)):
                crowd = services.left_open(url, chance.choices(HALVES, k=CROWD))
                begun = time.monotonic()
                answer = services.ask(url, method, path, sent)
                longest = max(longest, time.monotonic() - begun)
                outcome.check(answer.status == 200 and answer.is_told,
                              f"{serve.__name__}: {method} {path} got {answer} beside {CROWD} unfinished requests.")
                if how_many > ATTACK.short:
                    kept, wrong = ended(crowd)
                    outcome.check(not wrong, f"{serve.__name__}: unfinished requests got {wrong!r}, no JSON error.")
                    outcome.check(not kept, f"{serve.__name__}: {kept} unfinished requests were never ended.")
                for each in crowd:
                    each.close()
    outcome.figure = f"beside {CROWD} of them an answer took at most {longest:.2f} s"
    return outcome


def ended(crowd: list[socket.socket]) -> tuple[int, str]:
    """Wait until the server ends the connections; return how many it keeps, and an answer that is no JSON error."""
    kept, wrong = 0, ""
    for each in crowd:
        came = http.client.HTTPResponse(each)
        try:
            came.begin()
            answer = services.answer_of(came)
            wrong = wrong or ("" if answer.is_told else answer.text)
        except TimeoutError:
            kept += 1
        except (OSError, http.client.HTTPException):
            # Ended without a word.
            pass
        finally:
            with contextlib.suppress(OSError):
                came.close()
    return kept, wrong


ATTACK = Attack("slow", "silent connections, half headers and half bodies beside a well-behaved client", rounds,
                short=2, long=4)
