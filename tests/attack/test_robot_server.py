"""Attacks on `jotto robot serve`, and hostile servers for `jotto robot doctor`.

During and after each attack another client has its answers soon, and the server's memory stays small.
"""

import contextlib
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from directory_clients import until
from hypothesis import given, strategies as st
from robot_server import PATH, children, kilobytes, serving
from wire_clients import Talker, answering

import qiwire
from jotto_behaviour import mind
from jotto_desk.rehearsal.game import Rehearsal, RehearsalSettings
from jotto_desk.rehearsal.robots import find_behaviour_file
from naosim_robots.far.robot import FarRobot
from qiwire.addresses import parse_url
from qiwire.limits import CLIENT_LIMITS, DEFAULT_LIMITS
from qiwire.messages import (
    CALL,
    CAPABILITIES,
    CAPABILITY,
    DIRECTORY,
    DYNAMIC_PAYLOAD,
    GREET,
    GREETER,
    LIST_SERVICES,
    MACHINE_ID,
    MAGIC,
    META_OBJECT,
    POST,
    REGISTER_EVENT,
    REGISTER_SERVICE,
    REPLY,
    SERVICE_ADDED,
    make_answer,
    make_greeting,
    make_message,
)
from qiwire.metaobject import META_OBJECT_SIGNATURE, MetaMethod
from qiwire.objects import HostedMethod, HostedObject, Signal
from qiwire.server import SERVICE_INFO
from qiwire.values import encode_value

ANSWER_TIMEOUT_S, PAUSE_S = 5.0, 0.1  # for another client, and between two of its questions
MAX_MEMORY_MB = 300  # of the server
QUESTIONS, FLOODING_CLIENTS = 300, 60
MAX_HELD = 30  # connections with damaged messages that stay open meanwhile


class Witness:
    """Another client: it asks all the time, and notes its slowest answer and the largest memory of the server."""

    def __init__(self, server):
        self.slowest, self.memory_mb, self.fault = 0.0, 0, ""
        self._server, self._ending = server, threading.Event()
        self._session = qiwire.Session(server.url)
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self):
        try:
            while not self._ending.wait(PAUSE_S):
                self._ask(self._session)
        except RuntimeError as error:
            self.fault = f"another client gets no answer: {error}"

    def _ask(self, session):
        """Ask the directory, then the robot."""
        begun = time.monotonic()
        memory = session.service("ALMemory")
        asked = time.monotonic()
        memory.call("getDataListName", _async=True).value(int(2000 * ANSWER_TIMEOUT_S))
        self.slowest = max(self.slowest, asked - begun, time.monotonic() - asked)
        self.memory_mb = max(self.memory_mb, kilobytes(self._server.process.pid) // 1000)

    def judge(self):
        """Stop asking, and judge; a client that comes now is answered, too."""
        self._ending.set()
        self._thread.join()
        newcomer = qiwire.Session(self._server.url)
        self._ask(newcomer)
        newcomer.close()
        self._session.close()
        assert not self.fault and self.slowest < ANSWER_TIMEOUT_S and self.memory_mb < MAX_MEMORY_MB, vars(self)


@pytest.fixture(scope="module")
def server():
    """Provide one server for all attacks; at the end SIGTERM ends it and all that it started."""
    with serving() as server:
        yield server
        started = children(server.process.pid)
        server.process.send_signal(signal.SIGTERM)
        assert server.ended() == 0
        assert [each for each in started if Path(f"/proc/{each}").exists()] == []


@pytest.fixture
def connect(server, figure):
    """Return a function that connects an attacker; another client looks on."""
    address, witness = parse_url(server.url), Witness(server)
    with contextlib.ExitStack() as attackers:
        yield lambda *said: attackers.enter_context(Talker(address, *said))
        witness.judge()
    figure(f"another client waits {witness.slowest:.2f} s, the server has {witness.memory_mb} MB")


def hear(talker):
    """Return the next message, None if none comes in time."""
    try:
        return talker.hear()
    except OSError:
        talker.socket.close()
        return None


# Costly messages.


def make_tuples(_number):
    """Return a post of 4,023 bytes with a list of 99,999 tuples of 3,990 values each, which have no bytes."""
    payload = encode_value("s", f"[({'v' * 3990})]") + encode_value("I", 99_999)
    return make_message(POST, 3, DIRECTORY, 1, LIST_SERVICES, payload, DYNAMIC_PAYLOAD)


def make_signatures(number):
    """Return a post of 14 MB with 1,500 values, each of another signature of 1,285 lists."""
    values = []
    for place in range(1500):
        kinds = ["[i]"] * 1285
        kinds[place % 1285] = "[s]"
        kinds[number % 1285] = "[f]" if place < 1285 else "[d]"
        values.append(encode_value("s", f"({''.join(kinds)})") + bytes(4 * 1285))
    payload = encode_value("s", "[m]") + encode_value("I", len(values)) + b"".join(values)
    return make_message(POST, 3, DIRECTORY, 1, LIST_SERVICES, payload, DYNAMIC_PAYLOAD)


def make_capabilities(number):
    """Return a message of 16 MB with unknown capabilities."""
    said = {f"key {number}": "x" * 15_999_000}
    return make_message(CAPABILITY, 3, GREETER, 0, 0, encode_value("{sm}", said))


def make_registration(number):
    """Return the registration of a service whose name has 8 MB."""
    info = (f"{number} {'x' * 8_000_000}", 0, "m", 1, [], "s", "")
    return make_message(CALL, 3, DIRECTORY, 1, REGISTER_SERVICE, encode_value(f"({SERVICE_INFO})", (info,)))


@pytest.mark.parametrize(
    "message, short, long",
    [(make_tuples, 3, 200), (make_signatures, 1, 20), (make_capabilities, 2, 60), (make_registration, 2, 150)],
)
def test_costly_messages(connect, form, message, short, long):
    """The client connects again if the server disconnects it."""
    last = 9  # the number of the question after each message
    talker = None
    for number in range(form(short, long)):
        heard = None
        with contextlib.suppress(ConnectionError):
            talker = talker or connect()
            talker.say(message(number) + make_message(CALL, last, DIRECTORY, 1, MACHINE_ID))
            while (heard := hear(talker)) and heard[0].number != last:
                pass
        talker = talker if heard else None


# Many clients.


def test_clients_that_ask_once_and_stay(connect, form):
    for _ in range(form(DEFAULT_LIMITS.connections + 20, 2000)):
        talker = connect()
        with contextlib.suppress(ConnectionError):
            talker.say(make_message(CALL, 2, DIRECTORY, 1, MACHINE_ID))
        assert None not in [hear(talker), hear(talker)]


def test_silent_clients_and_greetings_at_once(connect, form):
    def is_open(talker):
        """Return whether the server keeps a silent connection open."""
        talker.socket.setblocking(False)
        try:
            return bool(talker.socket.recv(1))
        except BlockingIOError:
            return True
        except OSError:
            return False

    silent = [connect(b"") for _ in range(form(60, 3000))]
    until(lambda: sum(map(is_open, silent)) <= DEFAULT_LIMITS.silent)
    for talker in silent:
        talker.socket.close()
    for talker in [connect(b"") for _ in range(min(len(silent), DEFAULT_LIMITS.silent))]:
        talker.say(GREETING)


def flood(connect, said, clients, answers):
    """Let many clients at once say something, and not wait for its answers; return the fewest that one of them gets."""
    found = []
    while len(found) < clients:
        talkers = [connect() for _ in range(FLOODING_CLIENTS)]
        for talker in talkers:
            hear(talker)
            with contextlib.suppress(ConnectionError):
                talker.say(said)
        for talker in talkers:
            found.append(sum(hear(talker) is not None for _ in range(answers)))
            talker.socket.close()
    return min(found)


def test_many_questions_at_once(connect, form):
    said = make_message(CALL, 2, DIRECTORY, 1, LIST_SERVICES) * QUESTIONS
    assert flood(connect, said, form(FLOODING_CLIENTS, 600), QUESTIONS) == QUESTIONS


@pytest.mark.attack
def test_questions_with_as_many_values_as_a_message_may_have(server, connect):
    """The server may disconnect such a client."""
    session = qiwire.Session(server.url)
    memory = session.service("ALMemory")
    names, data = [memory._qi_meta.choose(*each) for each in (("getDataListName", ()), ("getData", (1,)))]
    session.close()
    large = encode_value("m", [0.5] * 90_000)
    said = make_message(CALL, 2, memory._qi_service, 1, data, large, DYNAMIC_PAYLOAD)
    flood(connect, said + make_message(CALL, 2, memory._qi_service, 1, names) * 20, 120, 21)


@pytest.mark.attack
def test_large_events_for_clients_that_do_not_read(connect):
    """Each has as many connections to a signal as it may have."""
    links = [encode_value("(IIL)", (DIRECTORY, SERVICE_ADDED, each)) for each in range(DEFAULT_LIMITS.each.links)]
    said = b"".join(make_message(CALL, 2, DIRECTORY, 1, REGISTER_EVENT, link) for link in links)
    for talker in [connect() for _ in range(DEFAULT_LIMITS.links // len(links) - 1)]:
        talker.say(said)
        assert sum(hear(talker) is not None for _ in range(len(links) + 1)) == len(links) + 1
    event = encode_value("(Is)", (1, "x" * 4_000_000))
    for _ in range(20):
        with contextlib.suppress(ConnectionError):
            connect().say(make_message(POST, 3, DIRECTORY, 1, SERVICE_ADDED, event))


# Damaged messages.


GREETING = make_greeting({})


NOISE = st.tuples(st.sampled_from([b"", struct.pack("<I", MAGIC)]), st.binary(min_size=1, max_size=400)).map(b"".join)


def test_damaged_messages(server, connect):
    def damage(message):
        """Return a strategy that cuts a message, changes its bytes, or gives its header a wrong length."""
        place = st.integers(0, len(message) - 1)
        altered = st.dictionaries(place, st.integers(0, 255), min_size=1, max_size=6)
        lengths = st.integers(0, 63) | st.integers(0, 2**32 - 1) | st.sampled_from([2**31 - 1, 2**32 - 1])
        return (
            place.map(lambda end: message[:end])
            | altered.map(lambda new: bytes(new.get(at, byte) for at, byte in enumerate(message)))
            | lengths.map(lambda length: message[:8] + struct.pack("<I", length) + message[12:])
        )

    def encode_text(value):
        """Return a text as libqi sends it."""
        return struct.pack("<I", len(value)) + value.encode()

    # What a client says first: its greeting, and questions to the directory and to a service.
    real = [
        GREETING,
        make_message(CALL, 2, 1, 1, 2, bytes(4)),
        make_message(CALL, 3, 1, 1, 0, struct.pack("<IIQ", 1, 106, 57 << 32)),
        make_message(CALL, 4, 1, 1, 100, encode_text("ALMemory")),
        make_message(CALL, 5, 1, 1, 101),
        make_message(CALL, 6, 29, 1, 2, bytes(4)),
        make_message(CALL, 7, 29, 1, 112, encode_text("Attack/Key") + encode_text("s") + encode_text("value")),
        make_message(CALL, 8, 29, 1, 104, encode_text("Attack/Key")),
    ]
    damaged = st.integers(0, len(real) - 1).flatmap(lambda at: damage(real[at]).map(b"".join(real[:at]).__add__))
    wordy = st.sampled_from([GREETING * 50, GREETING + real[1] * 50, real[1] * 50])
    held = []

    @given(NOISE | wordy | damaged)
    def send(said):
        with contextlib.suppress(ConnectionError):
            held.append(connect(said))
        assert server.process.poll() is None
        if len(held) > MAX_HELD:
            held.pop(0).socket.close()

    send()


# Games.

MAX_GROWTH_KB = 2.0  # of all processes in a game
FIRST_GAMES, GAMES = 40, 1000  # the first are not measured: until then caches fill


@pytest.mark.attack
def test_many_games_do_not_make_the_server_grow(tmp_path, figure):
    games_each = 10  # of one client, which then connects again
    secrets = ("ocean", "later", "crane", "moist", "fudge", "light", "pound", "vapor", "chunk", "bread")
    lines, sizes = mind.load_lines(), {}
    settings = RehearsalSettings(strategy="belief", seed=1, folder=str(tmp_path))
    with serving("--speed", "1000") as server:
        for played in range(games_each, GAMES + 1, games_each):
            with FarRobot(server.url) as robot:
                for secret in secrets:
                    record = Rehearsal(robot, robot.load(str(find_behaviour_file())), settings, lines).play(secret)
                    assert record.found and not record.failures, (secret, record.failures)
            sizes[played] = sum(map(kilobytes, [server.process.pid, *children(server.process.pid)]))
    growth = (sizes[GAMES] - sizes[FIRST_GAMES]) / (GAMES - FIRST_GAMES)
    figure(f"{growth:.1f} kB per game")
    assert growth < MAX_GROWTH_KB


# Hostile servers.

DOCTOR_TIMEOUT_S = 120.0  # real seconds
#: `jotto robot doctor` without libqi, so that it uses `qiwire`.
DOCTOR = "import sys; sys.modules['qi'] = None; from jotto_desk.cli import main; main(sys.argv[1:])"
#: A service directory whose methods return values of any type.
RETURNING = HostedObject(
    {
        number: HostedMethod(MetaMethod(name, given, "m"), lambda _args, _client: None)
        for number, name, given in ((100, "service", "(s)"), (LIST_SERVICES, "services", "()"))
    },
    {number: (name, Signal("(Is)")) for number, name in ((106, "serviceAdded"), (107, "serviceRemoved"))},
)


def reply(payload, flags=0):
    return lambda head: make_answer(head, REPLY, payload, flags)


def reply_endlessly(head):
    return make_answer(head, REPLY, encode_value("m", [{"name": "x" * 200}] * 60_000))


META = reply(encode_value(META_OBJECT_SIGNATURE, RETURNING.meta.to_value()))
GREETS = {(GREETER, GREET): reply(encode_value("{sm}", CAPABILITIES))}
DIRECTS = {
    **GREETS,
    (DIRECTORY, META_OBJECT): META,
    (DIRECTORY, REGISTER_EVENT): reply(encode_value("L", 1)),
    (DIRECTORY, 100): reply(encode_value("m", {"name": "ALMemory", "serviceId": 5, "processId": 1, "endpoints": []})),
    (5, META_OBJECT): META,
}
EMPTY = encode_value("s", f"[({'v' * 3990})]") + encode_value("I", 99_999)
#: Servers by name: what they answer. The first is that of the short form.
SERVERS = {
    "with endless services": {**DIRECTS, (DIRECTORY, LIST_SERVICES): reply_endlessly},
    "whose directory is a number": {**GREETS, (DIRECTORY, META_OBJECT): reply(encode_value("m", 3), DYNAMIC_PAYLOAD)},
    "with many empty services": {**DIRECTS, (DIRECTORY, LIST_SERVICES): reply(EMPTY)},
    "with a message that is too long": {**DIRECTS, (DIRECTORY, LIST_SERVICES): reply(bytes(CLIENT_LIMITS.message + 1))},
    "without services": DIRECTS,
    "that greets and is silent": GREETS,
}


@pytest.mark.parametrize(
    "what", [pytest.param(each, marks=[pytest.mark.attack] * bool(at)) for at, each in enumerate(SERVERS)]
)
def test_the_doctor_of_a_hostile_server_ends_soon_with_a_sentence_and_needs_little_memory(what, figure):
    memory, pipes = 0, {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with answering(SERVERS[what]) as url:
        command = [sys.executable, "-c", DOCTOR, "robot", "doctor", "--robot", url]
        with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": PATH}, **pipes) as process:
            end = time.monotonic() + DOCTOR_TIMEOUT_S
            while process.poll() is None and time.monotonic() < end:
                with contextlib.suppress(OSError, StopIteration):
                    memory = max(memory, kilobytes(process.pid) // 1000)
                time.sleep(PAUSE_S)
            process.kill()
            said = process.stderr.read()
    figure(f"{memory} MB")
    assert process.returncode == 2 and said.count("\n") == 1 and "Traceback" not in said, said
    assert memory < MAX_MEMORY_MB
