"""`qiwire` compared with libqi's own clients and services on both Pythons; damaged bytes; the limits of a server."""

import contextlib
import queue
import random
import socket
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest
from directory_clients import PATIENCE, until
from interpreters import ROOT, path27, python27_with_qi
from wire_clients import PLAIN_GREETING, Talker, serving

import qiwire
from qiwire.addresses import parse_url
from qiwire.futures import make_finished_future
from qiwire.limits import DEFAULT_LIMITS, BadValue
from qiwire.messages import (
    CALL,
    DIRECTORY,
    ERROR,
    GREET,
    GREETER,
    LIST_SERVICES,
    MACHINE_ID,
    POST,
    REPLY,
    DamagedMessage,
    MessageReader,
    make_message,
    read_header,
)
from qiwire.values import decode_value, encode_value

# Compared with libqi.


def talk(service, client):
    """Return what a client says of a service; each is a Python and a library."""
    (python, library), (other, other_library) = service, client
    environment = {**path27(), "PYTHONIOENCODING": "utf-8"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": environment}
    tests = ROOT / "simulator" / "tests"
    with subprocess.Popen([python, str(tests / "wire_service.py"), library], **pipes) as server:
        url = server.stdout.readline().strip()
        said = subprocess.run(
            [other, str(tests / "wire_talk.py"), other_library, url],
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            env=environment,
        )
        server.stdin.close()
    assert said.returncode == 0, said.stderr.decode()
    return said.stdout.decode().splitlines()


@pytest.fixture(scope="module")
def libqi():
    """Return libqi's Python and its name; skip where it is not installed."""
    pytest.importorskip("qi")
    return sys.executable, "qi"


@pytest.fixture(scope="module")
def expected(libqi):
    """Return what libqi's client says of libqi's service."""
    lines = talk(libqi, libqi)
    assert len(lines) == 295
    return lines


OURS = (sys.executable, "qiwire")


def test_libqis_client_with_our_service(libqi, expected):
    assert talk(OURS, libqi) == expected


def test_our_client_with_libqis_service(libqi, expected):
    assert talk(libqi, OURS) == expected


@pytest.mark.whole_site
def test_our_client_with_our_service(expected):
    assert talk(OURS, OURS) == expected


@pytest.mark.whole_site
def test_libqi_on_python_27_with_our_service(libqi):
    old = python27_with_qi(), "qi"
    assert talk(OURS, old) == talk(libqi, old)


@pytest.mark.whole_site
def test_our_client_with_a_service_on_python_27(libqi):
    old = python27_with_qi(), "qi"
    assert talk(old, OURS) == talk(old, libqi)


@pytest.mark.parametrize(
    ("signature", "value", "raw"),
    [
        (
            "m",
            [1, "x", None, 2.5, True],
            "030000005b6d5d05000000010000006c010000000000000001000000730100000078010000007601"
            "000000640000000000000440010000006201",
        ),
        ("m", {"a": 1}, "040000007b6d6d7d0100000001000000730100000061010000006c0100000000000000"),
        ("m", (1, "x"), "04000000286d6d29010000006c010000000000000001000000730100000078"),
        ("m", (), "020000002829"),
        ("m", "\u00e9", "010000007302000000c3a9"),
        ("(f[i])", (1.0, [1, 2]), "0000803f020000000100000002000000"),
        ("(is)<P,x,name>", {"x": 1, "name": "b"}, "010000000100000062"),
        ("(IIL)", (2, 107, (35 << 32) + 107), "020000006b0000006b00000023000000"),
    ],
)
def test_values_have_libqis_bytes(signature, value, raw):
    assert encode_value(signature, value).hex() == raw
    assert decode_value(signature, bytes.fromhex(raw)) == value


def test_a_call_has_libqis_bytes():
    call = make_message(CALL, 19, 2, 1, 103, encode_value("m", "k"))
    assert call.hex() == "42dead42130000000a00000000000100020000000100000067000000" + "0100000073010000006b"


# Damaged values and messages.


@pytest.mark.parametrize(
    ("signature", "payload"),
    [
        ("(i)", b"\x01"),
        ("(i)", b"\x01\x00\x00\x00\x00"),
        ("(s)", b"\xff\xff\xff\xff"),
        ("(m)", (encode_value("s", "[m]") + encode_value("I", 1)) * 40 + encode_value("m", 1)),
        *(
            ("(m)", encode_value("s", text))
            for text in ("[" * 500, "i" * 2000, "X", "o", "(i<", "[i", "ii", "[[" * 999)
        ),
        ("(m)", encode_value("s", "{[i]i}") + encode_value("I", 1) + encode_value("I", 0) + encode_value("i", 1)),
        ("(m)", encode_value("s", "[v]") + encode_value("I", 200_001)),
        ("(m)", encode_value("s", "[[v]]") + encode_value("I", 2) + encode_value("I", 199_999)),
    ],
)
def test_what_is_no_value_is_not_read(signature, payload):
    with pytest.raises(BadValue):
        decode_value(signature, payload, None, DEFAULT_LIMITS.each.values)


def test_what_has_another_type_is_not_written():
    deep = []
    deep.append(deep)
    odd = [("i", 2**31), ("s", 3), ("[s]", "ab"), ("m", object()), ("m", 2**63), ("s", "\udcff"), ("f", "x"), ("o", 1)]
    for signature, value in (*odd, ("b", 2), ("(ii)", (1,)), ("i", float("nan")), ("v", 1), ("m", deep)):
        with pytest.raises(BadValue):
            encode_value(signature, value)


def test_bytes_and_texts_that_are_not_utf_8_stay_what_they_are():
    for value in (b"\xff", bytearray(b"ab\xff"), [bytearray()]):
        again = decode_value("m", encode_value("m", value))
        assert (again, type(again)) == (value, type(value))
    assert decode_value("+i", encode_value("+i", None)) is None and decode_value("+i", encode_value("+i", 3)) == 3


def test_messages_are_cut_out_of_any_pieces():
    question = make_message(CALL, 2, DIRECTORY, 1, MACHINE_ID)
    sent = [PLAIN_GREETING, question, make_message(POST, 3, 5, 1, 100, b"x" * 3000)]
    for step in (1, 28, 1000, 10**6):
        reader, said, found = MessageReader(5000), b"".join(sent), []
        for start in range(0, len(said), step):
            reader.add(said[start : start + step])
            found += iter(reader.take, None)
        assert [(head, payload) for head, payload in found] == [(read_header(each), each[28:]) for each in sent]
        assert reader.kept == 0
    for damaged in (b"GET / HTTP/1.1\r\nHost: nao\r\n\r\n", make_message(CALL, 5, 5, 1, 100, bytes(5001)), b"\0" * 28):
        reader = MessageReader(5000)
        reader.add(damaged)
        with pytest.raises(DamagedMessage):
            reader.take()


# The limits of a server.


def test_damaged_messages_end_only_their_connection():
    with serving() as found, Talker(found.address) as other:
        assert other.hear()[0].kind == REPLY
        post = make_message(POST, 2, found.number, 1, 100, encode_value("m", 1))
        for said in (b"\0" * 28, b"GET / HTTP/1.1\r\n\r\nHost: nao\r\n", post, PLAIN_GREETING[:8] + b"\xff" * 20):
            with Talker(found.address, said) as talker:
                assert talker.has_ended()
        assert other.ask(CALL, 2, DIRECTORY, 1, MACHINE_ID)[0].kind == REPLY
        assert other.ask(CALL, 3, GREETER, 0, GREET, bytes(4))[0].kind == REPLY
        assert b"can't find service, address: {77.1.100" in other.ask(CALL, 4, 77, 1, 100)[1]
        for action, payload in (
            (100, b""),
            (100, b"\xff\xff\xff\xff"),
            (55, b""),
            (0, bytes(16)),
            (1, bytes(16)),
            (5, b""),
        ):
            assert other.ask(CALL, 5, found.number, 1, action, payload)[0].kind == ERROR


def test_the_oldest_silent_clients_are_disconnected():
    with serving(silent=3) as found, contextlib.ExitStack() as stack:
        silent = [stack.enter_context(Talker(found.address, PLAIN_GREETING[:number])) for number in range(5)]
        assert all(talker.has_ended() for talker in silent[:2])
        for number, talker in enumerate(silent[2:], 2):
            talker.say(PLAIN_GREETING[number:])
            assert talker.hear()[0].kind == REPLY


@pytest.mark.parametrize(
    ("within", "said"),
    [("greets_within", b""), ("greets_within", PLAIN_GREETING[:30]), ("asks_within", PLAIN_GREETING)],
)
def test_a_silent_client_is_disconnected(within, said):
    with serving(each={within: 0.1}) as found, Talker(found.address, said) as talker:
        assert talker.has_ended()


def test_a_client_that_does_not_read_is_disconnected():
    with serving(each={"reads_within": 0.2}) as found, Talker(found.address) as talker:
        payload = encode_value("m", "x" * 100_000)
        talker.socket.settimeout(0.5)
        with contextlib.suppress(OSError):
            while True:
                talker.say(make_message(CALL, 3, found.number, 1, 100, payload))
        until(lambda: not found.server.listener.connections)


def test_a_client_that_reads_late_gets_everything_in_order():
    with serving() as found, Talker(found.address) as talker:
        talker.hear()
        sender = threading.Thread(
            target=lambda: [
                talker.say(make_message(CALL, number, found.number, 1, 100, encode_value("m", "x" * 50_000)))
                for number in range(200)
            ]
        )
        sender.start()
        time.sleep(0.05)
        assert [talker.hear()[0].number for _ in range(200)] == list(range(200))
        sender.join()


def test_events_that_a_client_does_not_read_end_its_connection():
    with serving(each={"unread": 1_000_000}) as found, Talker(found.address) as talker:
        talker.hear()
        link = encode_value("(IIL)", (found.number, 102, 9))
        assert talker.ask(CALL, 2, found.number, 1, 0, link)[0].kind == REPLY
        signal = found.server.services[found.number].signals[102]
        for _ in range(100):
            signal("x" * 100_000)
        until(lambda: not found.server.listener.connections)
        assert not signal._links


def test_calls_under_way_and_objects_are_limited():
    with serving(calls=2, each={"links": 1}) as found, Talker(found.address) as talker:
        talker.hear()
        for number in (1, 2):
            talker.say(make_message(CALL, number, found.number, 1, 101))
        assert b"2 calls are under way" in talker.ask(CALL, 3, found.number, 1, 101)[1]
        links = [encode_value("(IIL)", (found.number, 102, number)) for number in (1, 1, 2)]
        assert [talker.ask(CALL, 4, found.number, 1, 0, link)[0].kind for link in links] == [REPLY, ERROR, ERROR]


def test_sessions_of_one_program_call_each_others_services():
    with serving() as found:
        first, second = qiwire.Session(found.server.url), qiwire.Session(found.server.url)
        try:
            first.registerService("Plain", SimpleNamespace(double=lambda number: 2 * number))
            for session in (first, second):
                assert session.service("Plain").double(21) == 42
        finally:
            second.close()
            first.close()


def test_the_end_of_a_server_ends_every_connection():
    with serving() as found, Talker(found.address) as one, Talker(found.address, b"") as silent:
        one.hear()
        found.server.close()
        assert one.has_ended() and silent.has_ended()
        with pytest.raises(OSError):
            Talker(found.address)


def test_altered_calls_are_answered_once_each_and_break_nothing():
    """A seeded walk over calls whose bytes are changed."""
    with serving() as found, Talker(found.address) as talker:
        talker.hear()
        chance = random.Random(17)
        link = encode_value("(IIL)", (found.number, 102, 9))
        value = encode_value("m", [1, {"a": bytearray(b"\xff")}, [2.5, None]])
        service = encode_value("s", "Echo")
        plain = [
            (found.number, 100, value),
            (found.number, 0, link),
            (found.number, 1, link),
            (found.number, 2, bytes(4)),
        ]
        plain += [
            (found.number, 8, link + encode_value("s", "(m)")),
            (found.number, 5, value),
            (found.number, 6, value * 2),
        ]
        plain += [
            (DIRECTORY, LIST_SERVICES, b""),
            (DIRECTORY, 100, service),
            (DIRECTORY, 102, service * 3),
            (DIRECTORY, 105, service),
        ]
        for number in range(1500):
            target, action, payload = chance.choice(plain)
            altered = bytearray(payload)
            for _ in range(chance.randrange(4) if altered else 0):
                altered[chance.randrange(len(altered))] = chance.choice([0, 1, 255, *b"[m{(osv", chance.randrange(256)])
            altered = bytes(altered[: chance.choice([len(altered), chance.randrange(len(altered) + 1)])])
            head, _carried = talker.ask(CALL, number, target, 1, action, altered, chance.choice([0, 0, 1, 2, 3]))
            assert head.number == number and head.kind in (REPLY, ERROR)
        talker.socket.close()
        until(lambda: not found.server.listener.connections)
        assert not found.server.services[found.number].signals[102]._links


# The client.


def test_a_login_is_sent_and_a_refused_one_is_an_error():
    class Authenticator:
        def initialAuthData(self):
            return {"user": "nao", "token": "secret"}

        def _processAuth(self, _asked):
            return self.initialAuthData()

    said = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse():
            connection, _ = listener.accept()
            with connection:
                head = read_header(connection.recv(28, socket.MSG_WAITALL))
                said.append(decode_value("{sm}", connection.recv(head.length, socket.MSG_WAITALL)))
                connection.sendall(make_message(ERROR, head.number, 0, 0, GREET, encode_value("m", "no")))
                connection.recv(1)

        threading.Thread(target=refuse, daemon=True).start()
        session = qiwire.Session()
        session.setClientAuthenticatorFactory(SimpleNamespace(newAuthenticator=Authenticator))
        with pytest.raises(RuntimeError, match="Authentication failed"):
            session.connect(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
    assert (said[0]["auth_user"], said[0]["auth_token"]) == ("nao", "secret")
    assert not session.isConnected()


def test_a_session_notices_the_end_of_its_directory():
    directory, session, ended = qiwire.Session(), qiwire.Session(), threading.Event()
    directory.listenStandalone()
    session.disconnected.connect(lambda _why: ended.set())
    session.connect(directory.url())
    never = session.service("ServiceDirectory").call("services", _async=True)
    assert [row["name"] for row in never.value()] == ["ServiceDirectory"]
    directory.close()
    assert ended.wait(PATIENCE) and not session.isConnected()
    with pytest.raises(RuntimeError):
        session.service("ServiceDirectory")
    for url in ("tcp://127.0.0.1:1", "http://nao", "tcp://no-such-robot.invalid:9559"):
        with pytest.raises((RuntimeError, ValueError)):
            qiwire.Session().connect(url)


def test_the_thread_of_the_event_loop_does_not_wait():
    said = []

    class Service:
        def __init__(self):
            self.told = qiwire.Signal.make_watched("(m)", self.watch)

        def watch(self, _is_first):
            try:
                qiwire.Future().value()
            except RuntimeError as error:
                said.append(str(error))

    server, client = qiwire.Session(), qiwire.Session()
    server.listenStandalone()
    server.registerService("Service", Service())
    client.connect(server.url())
    client.service("Service").told.connect(print)
    assert said == ["The thread of the event loop must not wait."]
    client.close()
    server.close()


def test_callbacks_with_one_strand_run_in_the_order_of_the_events():
    class Service:
        def __init__(self):
            self.first, self.second = qiwire.Signal("(i)"), qiwire.Signal("(i)")

    server, client = qiwire.Session(), qiwire.Session()
    server.listenStandalone()
    service, strand, came = Service(), qiwire.futures.Strand(), queue.SimpleQueue()
    server.registerService("Service", service)
    client.connect(server.url())
    theirs = client.service("Service")
    for name in ("first", "second"):
        getattr(theirs, name).connect(lambda number, name=name: came.put((name, number)), strand=strand)
    for number in range(100):
        service.first(number)
        service.second(number)
    got = [came.get(timeout=30) for _ in range(200)]
    assert got == [(name, number) for number in range(100) for name in ("first", "second")]
    client.close()
    server.close()


def test_an_application_gets_its_address_from_its_arguments():
    args = ["program", "--qi-url", "tcp://nao.local:1", "more"]
    assert qiwire.Application(args).url == "tcp://nao.local:1" and args == ["program", "more"]
    assert qiwire.Application(["program", "--qi-url=tcp://nao:2"]).url == "tcp://nao:2"
    assert parse_url("nao").url == "tcp://nao:9559"


def test_periodic_tasks_and_delayed_calls():
    came, task = [], qiwire.PeriodicTask()
    task.setCallback(lambda: came.append(1))
    task.setUsPeriod(1000)
    task.start(True)
    until(lambda: len(came) > 3)
    task.stop()
    assert not task.isRunning()
    assert qiwire.runAsync(lambda: 3, delay=1000).value() == 3
    assert [
        each.value() for each in qiwire.futureBarrier([make_finished_future(1), make_finished_future(2)]).value()
    ] == [1, 2]
    assert make_finished_future(make_finished_future(4)).unwrap().value() == 4
    with pytest.raises(RuntimeError, match="timeout"):
        qiwire.Promise().future().value(1)
