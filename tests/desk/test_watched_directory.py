"""The directory behind its gate: limits for clients, and a robot that survives when libqi does not answer."""

import contextlib
import itertools
import os
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import threading

import pytest
from directory_clients import client, until
from robot_server import PATH, child

from naosim.errors import NaosimError
from naosim_live.directory.probe import Probe
from naosim_live.libqi_protocol import GREETING, HEAD_FORMAT, MAGIC, Address, DamagedMessage, MessageCheck, make_call
from naosim_live.watched import directory as module, gate, visitor
from naosim_live.watched.directory import AGAIN, watched
from naosim_live.watched.gate import Gate

QUESTION = make_call(2, 1, 1, 108)
PATIENCE = 30.0


def port(directory):
    return int(directory.url.rpartition(":")[2])


def head(length=0, magic=MAGIC, version=0, kind=1, service=1):
    return HEAD_FORMAT.pack(magic, 1, length, version, kind, 0, service, 1, 8)


@pytest.mark.parametrize(
    ("problem", "messages"),
    [
        ("", [GREETING + QUESTION * 3, GREETING + head(5) + b"12345" + QUESTION, GREETING + head(16 * 1024 * 1024)]),
        ("", [GREETING[:-1], b""]),
        ("no greeting", [QUESTION, head(65537, service=0), head(4, kind=4, service=0)]),
        ("second greeting", [GREETING + GREETING, GREETING + head(4, kind=2, service=0)]),
        ("too long", [GREETING + head(16 * 1024 * 1024 + 1)]),
        (
            "no head",
            [head(magic=MAGIC + 1), *(GREETING + odd for odd in (head(version=1), head(kind=0), head(kind=9)))],
        ),
    ],
)
def test_messages_of_clients(problem, messages):
    for said, step in itertools.product(messages, (1, 13, 28, 10**6)):
        check = MessageCheck()
        with pytest.raises(DamagedMessage, match=problem) if problem else contextlib.nullcontext():
            for start in range(0, len(said), step):
                check.feed(said[start : start + step])
        assert (check.greeting == len(GREETING)) == (said.startswith(GREETING)), (said, step)


class Echo:
    """A directory that sends every message back; `got` lists what each connection received."""

    def __init__(self):
        self.got, self.answers = [], threading.Event()
        self.answers.set()
        behind = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                behind.got.append(got := [])
                with contextlib.suppress(OSError):
                    while data := self.request.recv(65536):
                        got.append(data)
                        behind.answers.wait(PATIENCE)
                        self.request.sendall(data)

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def echo():
    """Provide a gate with an echo behind it, which it first has to wait for."""
    behind, made = Echo(), Gate(Address("127.0.0.1", 0))
    with visiting(made, GREETING) as connection:
        until(lambda: made._waiting)
        made.lead_to(behind.port)
        assert answer(connection, len(GREETING)) == GREETING
    until(lambda: not made._visitors)
    behind.got.clear()
    behind.gate = made
    yield behind
    made.close()
    behind.answers.set()
    behind.server.shutdown()
    behind.server.server_close()


@contextlib.contextmanager
def visiting(gate, said=b""):
    with socket.create_connection(("127.0.0.1", gate.port), PATIENCE) as connection:
        connection.sendall(said)
        yield connection


def answer(connection, length):
    read = b""
    with contextlib.suppress(ConnectionError):
        while len(read) < length and (more := connection.recv(length - len(read))):
            read += more
    return read


def test_bytes_pass_both_ways(echo):
    with visiting(echo.gate, GREETING + QUESTION) as connection:
        assert answer(connection, len(GREETING + QUESTION)) == GREETING + QUESTION
        # The gate passes on the question only after the answer to the greeting.
        assert echo.got[0][0] == GREETING
        large = make_call(3, 1, 1, 100, bytes(3_000_000))
        sender = threading.Thread(target=connection.sendall, args=(large,))
        sender.start()
        assert answer(connection, len(large)) == large
        sender.join()
    until(lambda: not echo.gate._visitors)


def test_a_damaged_message_ends_only_its_connection(echo):
    with visiting(echo.gate, GREETING) as other:
        for said in (b"\0" * 28, b"GET / HTTP/1.1\r\n\r\nHost: nao\r\n", QUESTION, GREETING + GREETING):
            with visiting(echo.gate, said) as connection:
                answer(connection, 10**6)
        assert answer(other, len(GREETING)) == GREETING
        other.sendall(QUESTION)
        assert answer(other, len(QUESTION)) == QUESTION


def test_the_oldest_silent_clients_are_disconnected(echo, monkeypatch):
    monkeypatch.setattr(gate, "MOST_SILENT", 3)
    with contextlib.ExitStack() as stack:
        silent = [stack.enter_context(visiting(echo.gate, GREETING[:number])) for number in range(5)]
        assert [answer(connection, 1) for connection in silent[:2]] == [b"", b""]
        for number, connection in enumerate(silent[2:], 2):
            connection.sendall(GREETING[number:])
            assert answer(connection, len(GREETING)) == GREETING


def test_clients_above_the_limit_are_disconnected(echo, monkeypatch):
    monkeypatch.setattr(gate, "MOST_VISITORS", 2)
    with visiting(echo.gate, GREETING) as one, visiting(echo.gate, GREETING) as other:
        assert answer(one, len(GREETING)) == answer(other, len(GREETING)) == GREETING
        with visiting(echo.gate) as third:
            assert answer(third, 1) == b""
    until(lambda: not echo.gate._visitors)
    with visiting(echo.gate, GREETING) as fourth:
        assert answer(fourth, len(GREETING)) == GREETING


def test_the_number_of_greetings_at_once_is_limited(echo):
    echo.answers.clear()
    with contextlib.ExitStack() as stack:
        guests = [stack.enter_context(visiting(echo.gate, GREETING)) for _ in range(10)]
        until(lambda: len(echo.gate._waiting) == 10 - gate.MOST_GREETING)
        assert len(echo.got) == gate.MOST_GREETING
        echo.answers.set()
        assert {answer(guest, len(GREETING)) for guest in guests} == {GREETING}


@pytest.mark.parametrize(
    ("within", "said"),
    [
        ("GREETS_WITHIN", b""),
        ("GREETS_WITHIN", GREETING[:30]),
        ("ASKS_WITHIN", GREETING),
        ("ANSWERED_WITHIN", GREETING),
    ],
)
def test_a_silent_client_is_disconnected(echo, monkeypatch, within, said):
    monkeypatch.setattr(visitor, within, 0.1)
    if within == "ANSWERED_WITHIN":
        echo.answers.clear()
    with visiting(echo.gate, said) as connection:
        assert answer(connection, 10**6) in (b"", GREETING)


def test_a_client_that_does_not_read_is_disconnected(echo, monkeypatch):
    monkeypatch.setattr(visitor, "READS_WITHIN", 0.2)
    with visiting(echo.gate, GREETING + QUESTION) as connection:
        with contextlib.suppress(OSError):
            while True:
                connection.sendall(make_call(3, 1, 1, 100, bytes(100_000)))
        until(lambda: not echo.gate._visitors)


def test_the_end_of_a_gate_ends_every_connection(echo):
    with visiting(echo.gate, GREETING) as open_one, visiting(echo.gate) as silent:
        assert answer(open_one, len(GREETING)) == GREETING
        echo.gate.close()
        assert answer(open_one, 1) == answer(silent, 1) == b""
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", echo.gate.port), PATIENCE)


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_the_robot_survives_its_directory(monkeypatch, number):
    monkeypatch.setattr(module, "SILENT_FOR", 1.5)
    told = []

    def answers(directory):
        with contextlib.suppress(OSError, struct.error), Probe(port(directory)) as probe:
            probe.ask()
            return True

    with watched(speed=50, tell=told.append) as directory:
        with client(directory.url) as session:
            # Clients get only the address of the gate.
            assert all(row["endpoints"][-1] == directory.url for row in session.services())
            memory = session.service("ALMemory")
            memory.insertData("Test/Kept", 7)
            session.service("ALTextToSpeech").say("Hello")
            subscriber = memory.subscriber("Test/Event")
            subscriber.signal.connect(print)
            os.kill(child(os.getpid(), "naosim_live.directory.process"), number)
            until(lambda: not session.isConnected())
        until(lambda: answers(directory))
        with client(directory.url) as session:
            assert session.service("ALMemory").getData("Test/Kept") == 7
            assert session.service("SimulatedHuman").said() == ["Hello"]
            assert session.service("ALMemory").getSubscribers("Test/Event") == []
        assert told == [AGAIN]
        assert directory.robot.person("state").result(PATIENCE)["open"] == []


@pytest.mark.parametrize(("listen", "why"), [("tcp://0.0.0.0:0", "other computers"), ("nao", "is no address")])
def test_an_address_that_is_refused(listen, why):
    with pytest.raises(NaosimError, match=why), watched(listen=listen):
        pass


def test_every_network_on_request():
    with watched(listen="tcp://0.0.0.0:0", insecure=True, speed=50) as directory, client(directory.url) as session:
        told = session.service("ServiceDirectory").service("ALMemory")["endpoints"]
        assert f"tcp://127.0.0.1:{port(directory)}" in told
        assert "tcp://0.0.0.0:0" not in told


def test_a_directory_started_by_a_large_process_is_small():
    asked = "from naosim_live.directory.process import memory; print(memory())"
    large = b"x" * 300_000_000
    command, environ = [sys.executable, "-c", asked], {**os.environ, "PYTHONPATH": PATH}
    said = subprocess.run(command, capture_output=True, env=environ, timeout=60, check=True).stdout
    assert 1_000_000 < int(said) < len(large)


def test_a_directory_that_cannot_join_a_robot_ends(tmp_path):
    command, environ = [sys.executable, "-m", "naosim_live.directory.process"], {**os.environ, "PYTHONPATH": PATH}
    asked = b'{"door": "%s", "listen": "tcp://127.0.0.1:1", "invalid_signature": false}\n' % bytes(tmp_path / "door")
    ended = subprocess.run(command, input=asked, capture_output=True, timeout=60, check=False, env=environ)
    # The process may end because its input has ended.
    assert ended.returncode in (0, 2) and b"Traceback" not in ended.stderr
