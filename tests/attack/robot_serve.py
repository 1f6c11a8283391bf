"""Damaged messages and silent connections for `jotto robot serve`: afterwards it serves and ends as before."""

from __future__ import annotations

import contextlib
import random
import signal
import socket
import struct
from collections.abc import Callable
from pathlib import Path

from directory_clients import client, until
from robot_server import Server, children, serving

from attack.outcome import Attack, Outcome
from qiwire.limits import DEFAULT_LIMITS
from qiwire.messages import CALL, MAGIC, make_greeting, make_message

MAX_HELD = 30  # connections that stay open meanwhile
CONNECT_TIMEOUT_S = 10.0


def text(value: str) -> bytes:
    """Return a text as libqi sends it."""
    return struct.pack("<I", len(value)) + value.encode()


GREETING = make_greeting({})
#: What a client says first: its greeting, and questions to the directory and to a service.
REAL = [
    GREETING,
    make_message(CALL, 2, 1, 1, 2, bytes(4)),
    make_message(CALL, 3, 1, 1, 0, struct.pack("<IIQ", 1, 106, 57 << 32)),
    make_message(CALL, 4, 1, 1, 100, text("ALMemory")),
    make_message(CALL, 5, 1, 1, 101),
    make_message(CALL, 6, 29, 1, 2, bytes(4)),
    make_message(CALL, 7, 29, 1, 112, text("Attack/Key") + text("s") + text("value")),
    make_message(CALL, 8, 29, 1, 104, text("Attack/Key")),
]


def noise(chance: random.Random) -> bytes:
    """Return random bytes, some with libqi's magic number before them."""
    return chance.choice([b"", struct.pack("<I", MAGIC)]) + chance.randbytes(chance.randrange(1, 400))


def cut(chance: random.Random) -> bytes:
    """Return real messages, the last incomplete."""
    before, last = _some(chance)
    return before + last[: chance.randrange(len(last))]


def altered(chance: random.Random) -> bytes:
    """Return real messages with some bytes of the last changed."""
    before, last = _some(chance)
    changed = bytearray(last)
    for _ in range(chance.randrange(1, 6)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return before + bytes(changed)


def mismeasured(chance: random.Random) -> bytes:
    """Return real messages, the last with a wrong length in its header."""
    before, last = _some(chance)
    length = chance.choice([chance.randrange(64), chance.randrange(2**32), 2**31 - 1, 2**32 - 1])
    return before + last[:8] + struct.pack("<I", length) + last[12:]


def wordy(chance: random.Random) -> bytes:
    """Return many greetings at once, or many questions."""
    return chance.choice([GREETING * 50, GREETING + REAL[1] * 50, REAL[1] * 50])


DAMAGES: list[Callable[[random.Random], bytes]] = [noise, cut, altered, mismeasured, wordy]


def _some(chance: random.Random) -> tuple[bytes, bytes]:
    number = chance.randrange(len(REAL))
    return b"".join(REAL[:number]), REAL[number]


def messages(how_many: int, seed: int, folder: Path) -> Outcome:
    """Send damaged messages, each on its own connection, some of which stay open; then check that the server works."""
    outcome, chance, held = Outcome(), random.Random(seed), []
    with serving() as server:
        before = _memory(server)
        for number in range(how_many):
            damage = DAMAGES[number % len(DAMAGES)]
            said = damage(chance)
            try:
                connection = _connected(server)
                with contextlib.suppress(ConnectionError):
                    connection.sendall(said)
            except OSError as error:
                outcome.check(False, f"after {number} messages there is no connection: {error}")
                break
            outcome.check(server.process.poll() is None, f"the server ended with {damage.__name__}: {said[:80]!r}")
            held.append(connection)
            if len(held) > MAX_HELD:
                held.pop(chance.randrange(len(held))).close()
        _check_all_is_well(server, outcome, f"{how_many} damaged messages")
        outcome.figure = f"{(_memory(server) - before) / 1e6:.1f} MB more memory"
        for connection in held:
            connection.close()
        _check_end(server, outcome)
    return outcome


def silence(how_many: int, seed: int, folder: Path) -> Outcome:
    """Open connections that say nothing, then as many that greet at the same moment and say no more."""
    outcome = Outcome()
    with serving() as server:
        silent = [_connected(server) for _ in range(how_many)]
        outcome.tried += how_many
        _check_all_is_well(server, outcome, f"{how_many} silent connections")
        until(lambda: sum(map(_is_open, silent)) <= DEFAULT_LIMITS.silent)
        still = sum(map(_is_open, silent))
        for connection in silent:
            connection.close()
        greeting = [_connected(server) for _ in range(min(how_many, DEFAULT_LIMITS.silent))]
        for connection in greeting:
            connection.sendall(GREETING)
        _check_all_is_well(server, outcome, f"{len(greeting)} greetings at once")
        for connection in greeting:
            connection.close()
        _check_end(server, outcome)
    outcome.figure = f"{still} of {how_many} are kept"
    return outcome


def _connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), CONNECT_TIMEOUT_S)


def _is_open(connection: socket.socket) -> bool:
    """Return whether the server keeps a silent connection open."""
    connection.setblocking(False)
    try:
        return bool(connection.recv(1))
    except BlockingIOError:
        return True
    except OSError:
        return False


def _memory(server: Server) -> int:
    """Return the bytes of memory that the server has."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096


def _check_all_is_well(server: Server, outcome: Outcome, what: str) -> None:
    """Check that the server answers a real client."""
    with client(server.url) as session:
        memory = session.service("ALMemory")
        memory.insertData("Attack/Alive", 1)
        outcome.check(memory.getData("Attack/Alive") == 1, f"after {what} ALMemory forgets")


def _check_end(server: Server, outcome: Outcome) -> None:
    """Check that SIGTERM ends the server and all that it started."""
    started = children(server.process.pid)
    server.process.send_signal(signal.SIGTERM)
    outcome.check(server.ended() == 0, "SIGTERM does not end it in an orderly way")
    left = [each for each in started if Path(f"/proc/{each}").exists()]
    outcome.check(not left, f"the processes {left} are left behind")


MESSAGES = Attack("messages", "damaged libqi messages for jotto robot serve", messages, short=50, long=5000)
SILENCE = Attack(
    "robot silence", "silent connections to jotto robot serve, and greetings at once", silence, short=60, long=3000
)
