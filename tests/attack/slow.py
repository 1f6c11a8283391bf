"""Connections that send nothing, half a header or half a body do not keep a good client from its answer."""

from __future__ import annotations

import contextlib
import http.client
import random
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from attack import services
from attack.outcome import Attack, Outcome

MAX_ANSWER_S = 1.0  # of a page for a good client
#: Beginnings of requests, which are never completed.
HALVES = [
    b"",
    b"GET /level/1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    b"POST /AbcDatalogREST HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
    b"POST /api-auth-token/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
]


class Server(NamedTuple):
    """A server, the request of a good client, the number of bad connections, and the bytes that they send."""

    serve: Callable[[Path], AbstractContextManager[str]]
    method: str
    path: str
    sent: object
    crowd: int = 300
    halves: list[bytes] = HALVES
    is_page: bool = False

    def answers(self, answer: services.Answer) -> bool:
        """Return whether an answer is the right one."""
        return answer.status == 200 and (answer.text.startswith("<!doctype html>") if self.is_page else answer.is_told)

    def refuses(self, answer: services.Answer) -> bool:
        """Return whether an answer is the server's own refusal."""
        return answer.status >= 400 if self.is_page else answer.is_told


#: The first page gets as many silent connections as a process may have files: it once stopped there.
SERVERS = [
    Server(services.page, "GET", "/", None, crowd=1020, halves=[b""], is_page=True),
    Server(services.expert, "GET", "/api/v1/games", None),
    Server(services.page, "GET", "/", None, is_page=True),
]


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Keep many unfinished requests open, and send a complete one; the long form waits until the server ends them."""
    chance, outcome, told = random.Random(seed), Outcome(), []
    for server in SERVERS[:how_many]:
        name, longest = server.serve.__name__, 0.0
        with server.serve(folder) as url, more_files():
            for _ in range(max(1, how_many // len(SERVERS))):
                crowd = services.left_open(url, chance.choices(server.halves, k=server.crowd))
                begun = time.monotonic()
                answer = services.ask(url, server.method, server.path, server.sent)
                longest = max(longest, time.monotonic() - begun)
                outcome.check(
                    server.answers(answer),
                    f"{name}: {server.method} {server.path} got {answer} beside {server.crowd} unfinished requests.",
                )
                if how_many > ATTACK.short:
                    kept, wrong = ended(crowd, server)
                    outcome.check(not wrong, f"{name}: unfinished requests got {wrong!r}, no refusal.")
                    outcome.check(not kept, f"{name}: {kept} unfinished requests were never ended.")
                for each in crowd:
                    each.close()
        told.append(f"{name} {longest:.2f} s beside {server.crowd:,}")
        if how_many > ATTACK.short and server.is_page:
            outcome.check(longest <= MAX_ANSWER_S, f"{name}: an answer took {longest:.2f} s beside {server.crowd:,}.")
    outcome.figure = ", ".join(told)
    return outcome


@contextlib.contextmanager
def more_files() -> Iterator[None]:
    """Let this process have more files, and sockets, than the server it attacks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    services.limit_files(hard)
    try:
        yield
    finally:
        services.limit_files(soft)


def ended(crowd: list[socket.socket], server: Server) -> tuple[int, str]:
    """Wait until the server ends the connections; return how many it keeps, and an answer that is no refusal."""
    kept, wrong = 0, ""
    for each in crowd:
        came = http.client.HTTPResponse(each)
        try:
            came.begin()
            answer = services.answer_of(came)
            wrong = wrong or ("" if server.refuses(answer) else answer.text)
        except TimeoutError:
            kept += 1
        except (OSError, http.client.HTTPException):
            # Ended without a word.
            pass
        finally:
            with contextlib.suppress(OSError):
                came.close()
    return kept, wrong


ATTACK = Attack(
    "slow", "silent connections, half headers and half bodies beside a well-behaved client", rounds, short=1, long=9
)
