"""Dear messages and many clients for `jotto robot serve`, and hostile servers for `jotto robot doctor`.

During and after each attack another client has its answers soon, and the server's memory stays small.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from robot_server import PATH, Server, serving
from wire_clients import Talker, answering

import qiwire
from attack.outcome import Attack, Outcome
from attack.robot_growth import kilobytes
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
    META_OBJECT,
    POST,
    REGISTER_EVENT,
    REGISTER_SERVICE,
    REPLY,
    SERVICE_ADDED,
    Header,
    make_answer,
    make_message,
)
from qiwire.metaobject import META_OBJECT_SIGNATURE, MetaMethod
from qiwire.objects import HostedMethod, HostedObject, Signal
from qiwire.server import SERVICE_INFO
from qiwire.values import encode_value

ANSWER_TIMEOUT_S, PAUSE_S = 5.0, 0.1  # for another client, and between two of its questions
MAX_MEMORY_MB = 300  # of the server
QUESTIONS, FLOODING_CLIENTS = 300, 60
LAST = 9  # the number of the question after each message


class Witness:
    """Another client: it asks all the time, and notes its slowest answer and the largest memory of the server."""

    def __init__(self, server: Server) -> None:
        self.slowest, self.memory_mb, self.fault = 0.0, 0, ""
        self._process, self._url = server.process.pid, server.url
        self._ending = threading.Event()
        self._session = qiwire.Session(server.url)
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        try:
            while not self._ending.wait(PAUSE_S):
                self._ask(self._session)
        except RuntimeError as error:
            self.fault = f"another client gets no answer: {error}"

    def _ask(self, session: Any) -> None:
        """Ask the directory, then the robot."""
        begun = time.monotonic()
        memory = session.service("ALMemory")
        asked = time.monotonic()
        memory.call("getDataListName", _async=True).value(int(2000 * ANSWER_TIMEOUT_S))
        self.slowest = max(self.slowest, asked - begun, time.monotonic() - asked)
        self.memory_mb = max(self.memory_mb, kilobytes(self._process) // 1000)

    def end(self, outcome: Outcome) -> None:
        """Stop asking, and judge; a client that comes now is answered, too."""
        self._ending.set()
        self._thread.join()
        try:
            newcomer = qiwire.Session(self._url)
            self._ask(newcomer)
            newcomer.close()
        except RuntimeError as error:
            self.fault = f"a client that comes after the attack gets no answer: {error}"
        self._session.close()
        outcome.check(not self.fault, self.fault)
        outcome.check(self.slowest < ANSWER_TIMEOUT_S, f"another client waits {self.slowest:.1f} s for an answer")
        outcome.check(self.memory_mb < MAX_MEMORY_MB, f"the server has {self.memory_mb} MB")
        outcome.figure = f"another client waits {self.slowest:.2f} s, {self.memory_mb} MB"


@contextlib.contextmanager
def watched(outcome: Outcome) -> Iterator[tuple[Callable[[], Talker], str]]:
    """Serve a robot for an attack, with another client; yield what connects an attacker, and the address."""
    with serving() as server:
        address, witness = parse_url(server.url), Witness(server)
        with contextlib.ExitStack() as attackers:
            yield lambda: attackers.enter_context(Talker(address)), server.url
            witness.end(outcome)


def hear(talker: Talker) -> Any:
    """Return the next message, None if none comes in time."""
    try:
        return talker.hear()
    except OSError:
        talker.socket.close()
        return None


def repeat(message: Callable[[int], bytes]) -> Callable[[int, int, Path], Outcome]:
    """Return an attack of one client that sends messages; it connects again if the server disconnects it."""

    def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
        outcome = Outcome()
        with watched(outcome) as (connect, _url):
            talker = None
            for number in range(how_many):
                outcome.tried += 1
                heard = None
                with contextlib.suppress(ConnectionError):
                    talker = talker or connect()
                    talker.say(message(number) + make_message(CALL, LAST, DIRECTORY, 1, MACHINE_ID))
                    while (heard := hear(talker)) and heard[0].number != LAST:
                        pass
                talker = talker if heard else None
        return outcome

    return rounds


def dear_tuples(_number: int) -> bytes:
    """Return a post of 4,023 bytes with a list of 99,999 tuples of 3,990 values each, which have no bytes."""
    payload = encode_value("s", f"[({'v' * 3990})]") + encode_value("I", 99_999)
    return make_message(POST, 3, DIRECTORY, 1, LIST_SERVICES, payload, DYNAMIC_PAYLOAD)


def dear_signatures(number: int) -> bytes:
    """Return a post of 14 MB with 1,500 values, each of another signature of 1,285 lists."""
    values = []
    for place in range(1500):
        kinds = ["[i]"] * 1285
        kinds[place % 1285] = "[s]"
        kinds[number % 1285] = "[f]" if place < 1285 else "[d]"
        values.append(encode_value("s", f"({''.join(kinds)})") + bytes(4 * 1285))
    payload = encode_value("s", "[m]") + encode_value("I", len(values)) + b"".join(values)
    return make_message(POST, 3, DIRECTORY, 1, LIST_SERVICES, payload, DYNAMIC_PAYLOAD)


def large_capabilities(number: int) -> bytes:
    """Return a message of 16 MB with unknown capabilities."""
    said = {f"key {number}": "x" * 15_999_000}
    return make_message(CAPABILITY, 3, GREETER, 0, 0, encode_value("{sm}", said))


def large_registration(number: int) -> bytes:
    """Return the registration of a service whose name has 8 MB."""
    info = (f"{number} {'x' * 8_000_000}", 0, "m", 1, [], "s", "")
    return make_message(CALL, 3, DIRECTORY, 1, REGISTER_SERVICE, encode_value(f"({SERVICE_INFO})", (info,)))


def idle(how_many: int, seed: int, folder: Path) -> Outcome:
    """Connect clients that greet, ask once and stay: each newcomer gets its answer."""
    outcome = Outcome()
    with watched(outcome) as (connect, _url):
        for number in range(how_many):
            talker = connect()
            with contextlib.suppress(ConnectionError):
                talker.say(make_message(CALL, 2, DIRECTORY, 1, MACHINE_ID))
            answers = [hear(talker), hear(talker)]
            outcome.check(None not in answers, f"client {number + 1} gets no answer")
    return outcome


def flood(outcome: Outcome, connect: Callable[[], Talker], said: bytes, how_many: int, answers: int) -> list[int]:
    """Let many clients at once say something, and not wait for its answers; return how many each of them gets."""
    found: list[int] = []
    while len(found) < how_many:
        talkers = [connect() for _ in range(FLOODING_CLIENTS)]
        for talker in talkers:
            hear(talker)
            with contextlib.suppress(ConnectionError):
                talker.say(said)
        for talker in talkers:
            found.append(sum(hear(talker) is not None for _ in range(answers)))
            talker.socket.close()
    outcome.tried += len(found)
    return found


def questions(how_many: int, seed: int, folder: Path) -> Outcome:
    """Ask the directory many questions at once."""
    outcome = Outcome()
    with watched(outcome) as (connect, _url):
        said = make_message(CALL, 2, DIRECTORY, 1, LIST_SERVICES) * QUESTIONS
        answered = flood(outcome, connect, said, how_many, QUESTIONS)
        outcome.check(min(answered) == QUESTIONS, f"a client gets {min(answered)} answers of {QUESTIONS}")
    return outcome


def arguments(how_many: int, seed: int, folder: Path) -> Outcome:
    """Ask the robot questions with as many values as a message may have; the server may disconnect such a client."""
    outcome = Outcome()
    with watched(outcome) as (connect, url):
        session = qiwire.Session(url)
        memory = session.service("ALMemory")
        numbers = [memory._qi_meta.choose(name, args) for name, args in (("getDataListName", ()), ("getData", (1,)))]
        session.close()
        large = encode_value("m", [0.5] * 90_000)
        said = make_message(CALL, 2, memory._qi_service, 1, numbers[1], large, DYNAMIC_PAYLOAD)
        said += make_message(CALL, 2, memory._qi_service, 1, numbers[0]) * 20
        flood(outcome, connect, said, how_many, 21)
    return outcome


def events(how_many: int, seed: int, folder: Path) -> Outcome:
    """Emit large events to clients with as many connections to a signal as they may have, and that do not read."""
    outcome = Outcome()
    links = [encode_value("(IIL)", (DIRECTORY, SERVICE_ADDED, each)) for each in range(DEFAULT_LIMITS.each.links)]
    said = b"".join(make_message(CALL, 2, DIRECTORY, 1, REGISTER_EVENT, link) for link in links)
    event = encode_value("(Is)", (1, "x" * 4_000_000))
    with watched(outcome) as (connect, _url):
        talkers = [connect() for _ in range(DEFAULT_LIMITS.links // len(links) - 1)]
        for talker in talkers:
            talker.say(said)
            heard = sum(hear(talker) is not None for _ in range(len(links) + 1))
            outcome.check(heard == len(links) + 1, f"a client gets {heard} answers")
        for _ in range(how_many):
            outcome.tried += 1
            with contextlib.suppress(ConnectionError):
                connect().say(make_message(POST, 3, DIRECTORY, 1, SERVICE_ADDED, event))
    return outcome


# Hostile servers.

DOCTOR_TIMEOUT_S = 120.0  # real seconds
#: `jotto robot doctor` without libqi, so that it uses `qiwire`.
DOCTOR = "import sys; sys.modules['qi'] = None; from jotto_desk.cli import main; main(sys.argv[1:])"


def directory(returns: str) -> HostedObject:
    """Return the object of a service directory whose methods return values of a signature."""
    methods = {
        number: HostedMethod(MetaMethod(name, given, returns), lambda _args, _client: None)
        for number, name, given in ((100, "service", "(s)"), (LIST_SERVICES, "services", "()"))
    }
    signals = {number: (name, Signal("(Is)")) for number, name in ((106, "serviceAdded"), (107, "serviceRemoved"))}
    return HostedObject(methods, signals)


def reply(signature: str, value: object, flags: int = 0) -> Callable[[Header], bytes]:
    payload = encode_value(signature, value)
    return lambda head: make_answer(head, REPLY, payload, flags)


GREETS = {(GREETER, GREET): reply("{sm}", CAPABILITIES)}
DIRECTS = {
    **GREETS,
    (DIRECTORY, META_OBJECT): reply(META_OBJECT_SIGNATURE, directory("m").meta.to_value()),
    (DIRECTORY, REGISTER_EVENT): reply("L", 1),
    (DIRECTORY, 100): reply("m", {"name": "ALMemory", "serviceId": 5, "processId": 1, "endpoints": []}),
    (5, META_OBJECT): reply(META_OBJECT_SIGNATURE, directory("m").meta.to_value()),
}
#: Servers by name: what they answer.
SERVERS = {
    "with endless services": {**DIRECTS, (DIRECTORY, LIST_SERVICES): reply("m", [{"name": "x" * 200}] * 60_000)},
    "whose directory is a number": {**GREETS, (DIRECTORY, META_OBJECT): reply("m", 3, DYNAMIC_PAYLOAD)},
    "with many empty services": {
        **DIRECTS,
        (DIRECTORY, LIST_SERVICES): lambda head: make_answer(
            head, REPLY, encode_value("s", f"[({'v' * 3990})]") + encode_value("I", 99_999)
        ),
    },
    "with a message that is too long": {
        **DIRECTS,
        (DIRECTORY, LIST_SERVICES): lambda head: make_answer(head, REPLY, bytes(CLIENT_LIMITS.message + 1)),
    },
    "without services": DIRECTS,
    "that greets and is silent": GREETS,
}


def doctor(how_many: int, seed: int, folder: Path) -> Outcome:
    """Let `jotto robot doctor` look at hostile servers: it ends soon, with a sentence, and needs little memory."""
    outcome, most = Outcome(), 0
    for what in list(SERVERS)[:how_many]:
        with answering(SERVERS[what]) as url:
            command = [sys.executable, "-c", DOCTOR, "robot", "doctor", "--robot", url]
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
            with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": PATH}, **pipes) as process:
                end = time.monotonic() + DOCTOR_TIMEOUT_S
                memory = 0
                while process.poll() is None and time.monotonic() < end:
                    with contextlib.suppress(OSError, StopIteration):
                        memory = max(memory, kilobytes(process.pid) // 1000)
                    time.sleep(PAUSE_S)
                process.kill()
                said = process.stderr.read()
        outcome.check(process.returncode == 2, f"a server {what}: exit code {process.returncode}")
        outcome.check(said.count("\n") == 1 and "Traceback" not in said, f"a server {what}: {said[:500]!r}")
        outcome.check(memory < MAX_MEMORY_MB, f"a server {what}: {memory} MB")
        most = max(most, memory)
    outcome.figure = f"{most} MB at most"
    return outcome


ATTACKS = [
    Attack("robot values", "libqi messages with values without bytes", repeat(dear_tuples), 3, 200),
    Attack("robot signatures", "libqi messages with many signatures", repeat(dear_signatures), 1, 20),
    Attack("robot capabilities", "libqi messages with large capabilities", repeat(large_capabilities), 2, 60),
    Attack("robot services", "services with large names", repeat(large_registration), 2, 150),
    Attack("robot idle", "libqi clients that ask once and stay", idle, DEFAULT_LIMITS.connections + 20, 2000),
    Attack("robot questions", "libqi clients with 300 questions each", questions, FLOODING_CLIENTS, 600),
    Attack("robot arguments", "libqi clients with large questions for the robot", arguments, 0, 120),
    Attack("robot events", "large events for libqi clients that do not read", events, 0, 20),
    Attack("robot doctor", "hostile servers for robot doctor", doctor, 1, len(SERVERS)),
]
