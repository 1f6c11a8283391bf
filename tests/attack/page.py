"""A page gets damaged requests and too many sockets; afterwards it serves as before."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import struct
from pathlib import Path
from urllib.parse import urlsplit

from interpreters import ROOT
from page_browser import ServedPage
from robot_server import children

from attack.outcome import Attack, Outcome

COMMAND = ("-m", "naosim", str(ROOT / "docs" / "greeting"), "--page", "--port", "0")
SOCKETS = "/robot"
ANSWER_TIMEOUT_S = 20.0
MAX_HELD = 200  # connections that stay open meanwhile
MAX_SOCKETS = 40  # at a time; the page refuses further ones
SCRIPT = "<script>document.title='taken over'</script>"


class Attacker:
    """What can be sent to one page."""

    def __init__(self, page: ServedPage, chance: random.Random) -> None:
        self._chance = chance
        self.host = urlsplit(page.address).netloc
        self._own = f"Host: {self.host}\r\nOrigin: http://{self.host}\r\n"

    def damaged(self) -> bytes:
        """Return a request that is cut, altered, too long or no HTTP at all."""
        chance = self._chance
        whole = bytearray(
            f"GET /?{'x' * chance.choice([1, 90_000])} HTTP/1.1\r\n{self._own}Cookie: {self.cookie()}\r\n"
            f"X-Long: {'y' * chance.choice([1, 70_000])}\r\n\r\n".encode()
        )
        for _ in range(chance.randrange(4)):
            whole[chance.randrange(len(whole))] = chance.randrange(256)
        return chance.choice([bytes(whole), bytes(whole[: chance.randrange(len(whole))]), chance.randbytes(500)])

    def cookie(self) -> str:
        """Return a cookie that this server has not set."""
        value = self._chance.choice(["", "../" * 12, SCRIPT, "x" * 32, "\x00" * 32, "y" * 9000])
        return f"nao-token-{self.host.rpartition(':')[2]}={value}"

    def upgrade(self, cookie: str) -> bytes:
        """Return the request for a web socket."""
        return (
            f"GET {SOCKETS} HTTP/1.1\r\n{self._own}Cookie: {cookie}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode("latin-1")

    def connected(self) -> socket.socket:
        name, _, port = self.host.rpartition(":")
        return socket.create_connection((name, int(port)), ANSWER_TIMEOUT_S)


def attack(how_many: int, seed: int, folder: Path) -> Outcome:
    """Send damaged requests, and sockets with forged cookies and messages too large; then see that it serves."""
    outcome, chance = Outcome(), random.Random(seed)
    page = ServedPage(*COMMAND)
    held: list[socket.socket] = []
    try:
        attacker = Attacker(page, chance)
        for number in range(how_many):
            outcome.check(page.process.poll() is None, f"the server ended before attack {number}")
            with contextlib.suppress(OSError):
                connection = attacker.connected()
                held.append(connection)
                connection.sendall(attacker.damaged() if number % 2 else attacker.upgrade(attacker.cookie()))
            if len(held) > MAX_HELD:
                held.pop(chance.randrange(len(held))).close()
        _flood(attacker, outcome)
        outcome.check(len(children(page.process.pid)) == 1, "the page has not one robot")
        _check_all_is_well(attacker, outcome)
    finally:
        for connection in held:
            connection.close()
        status = page.end(signal.SIGTERM)
    outcome.check(status == 0, f"SIGTERM ends it with {status}")
    return outcome


def _flood(attacker: Attacker, outcome: Outcome) -> None:
    """Open many sockets, and send 10 MB through those that are let in."""
    opened = []
    for _ in range(2 * MAX_SOCKETS):
        connection = attacker.connected()
        connection.sendall(attacker.upgrade(""))
        if b" 101 " in connection.recv(4096)[:20]:
            opened.append(connection)
        else:
            connection.close()
    outcome.check(0 < len(opened) <= MAX_SOCKETS, f"{len(opened)} sockets are open")
    for connection in opened:
        with contextlib.suppress(OSError):
            connection.sendall(b"\x81\xff" + struct.pack(">Q", 10_000_000) + os.urandom(4) + bytes(10_000_000))
        outcome.check(_is_closed(connection), "a message of 10 MB is taken in")
        connection.close()


def _is_closed(connection: socket.socket) -> bool:
    try:
        while connection.recv(65536):
            pass
    except OSError as error:
        return not isinstance(error, TimeoutError)
    return True


def _check_all_is_well(attacker: Attacker, outcome: Outcome) -> None:
    """Check that the page is still sent."""
    with contextlib.closing(attacker.connected()) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: {attacker.host}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    outcome.check(answer.startswith(b"HTTP/1.1 200"), f"the page answers {answer[:80]!r}")
    outcome.check(SCRIPT.encode() not in answer, "what was sent is in the page")


ATTACK = Attack("page", "damaged requests, forged cookies and floods for a page", attack, short=60, long=4000)
