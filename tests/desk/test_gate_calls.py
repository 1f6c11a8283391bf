"""What the gate answers itself: the robot's methods and the events of ALMemory, for libqi's clients."""

import contextlib
import itertools
import random
import socket
import subprocess
import threading
from types import SimpleNamespace

import pytest
from directory_clients import PATIENCE, REFUSED, client, until
from interpreters import path27, python27_with_qi

from naosim_live.directory.calls import finished
from naosim_live.libqi_protocol import (
    CALL,
    ERROR,
    GREETING,
    MAX_VALUES,
    MAX_WHOLE_MESSAGE_BYTES,
    POST,
    REPLY,
    DamagedMessage,
    MessageSplitter,
    UnreadableValue,
    decode_values,
    encode_value,
    make_answer as answered,
    make_call,
    read_head,
)
from naosim_live.watched.directory import watched
from naosim_live.watched.outlet import Outlet
from naosim_live.watched.robot_calls import Caller, RobotCalls
from naosim_live.watched.subscribers import FIRST_OBJECT, ObjectForm


@pytest.fixture(scope="module")
def directory():
    with watched(speed=50) as opened:
        yield opened


@pytest.fixture(scope="module")
def session(directory):
    with client(directory.url) as opened:
        yield opened


@pytest.fixture(scope="module")
def memory(session):
    return session.service("ALMemory")


def test_values_and_bytes_are_read_back(memory):
    image = bytes(range(256)) * 900
    texts = ["", "café 你", "x" * 20000, "b'\\xff'"]
    values = [None, True, -2147483648, 2.5, *texts, [], [1, 2.5, "x", [None, [False]]], b"\xff\xfe", image]
    for value in (*values, bytearray(b"\x00\xff" * 5), [1, [b"\xff", "ja"]]):
        memory.insertData("Gate/Value", value)
        assert memory.getData("Gate/Value") == memory.getData("Gate/Value", 0) == value
        assert memory.getListData(["Gate/Value"]) == [value]
    # libqi's binding for Python sends bytes of a text in the same way as the text.
    memory.insertData("Gate/Text", b"ocean")
    assert memory.getData("Gate/Text") == "ocean"


def test_the_camera_gives_bytes(session):
    video = session.service("ALVideoDevice")
    handle = video.subscribeCamera("gate", 0, 1, 11, 5)
    image = video.getImageRemote(handle)
    assert (type(image), type(image[6]), len(image[6])) == (list, bytearray, 320 * 240 * 3)
    with pytest.raises(RuntimeError, match="use getImageRemote"):
        video.getImageLocal(handle)
    video.unsubscribe(handle)


def test_bytes_for_a_client_of_python_27(directory):
    script = """
import qi, sys
from naoqi import ALProxy
session = qi.Session()
session.connect(sys.argv[1])
memory, video = session.service("ALMemory"), session.service("ALVideoDevice")
memory.insertData("Gate/Old", bytearray(b"a\\xff"))
handle = video.subscribeCamera("old", 0, 0, 11, 5)
image = video.getImageRemote(handle)[6]
classic = ALProxy("ALVideoDevice", "127.0.0.1", int(sys.argv[1].rpartition(":")[2])).getImageRemote(handle)[6]
video.unsubscribe(handle)
print([type(memory.getData("Gate/Old")).__name__, str(memory.getData("Gate/Old")) == "a\\xff", len(str(image)),
       type(classic).__name__, len(classic)])
session.close()
"""
    command = [python27_with_qi(), "-c", script, directory.url]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, env=path27())
    size = 160 * 120 * 3
    assert said.stdout.splitlines()[-1:] == [f"['bytearray', True, {size}, 'str', {size}]"], said.stderr


def test_errors_have_the_words_of_the_robot(session):
    for service, method, arguments in REFUSED:
        with pytest.raises(RuntimeError) as refused:
            getattr(session.service(service), method)(*arguments)
        said = str(refused.value)
        assert 0 < len(said) < 2500 and not any(part in said for part in ("Traceback", ".py", "\nAt:"))


def test_a_long_call_delays_no_other(session, memory):
    spoken = session.service("ALTextToSpeech").say("word " * 200, _async=True)
    memory.insertData("Gate/Quick", 1)
    assert memory.getData("Gate/Quick") == 1
    assert spoken.isRunning()
    session.service("ALTextToSpeech").stopAll()
    assert not spoken.hasError(20000)


def test_many_calls_at_once(memory):
    stored = [memory.insertData(f"Gate/{number}", number, _async=True) for number in range(500)]
    assert not any(future.hasError(20000) for future in stored)
    assert [memory.getData(f"Gate/{number}", _async=True).value() for number in range(500)] == list(range(500))


def test_events_reach_every_client_as_long_as_it_is_connected(directory, memory):
    got, links = {"here": [], "twice": [], "there": []}, {}
    with client(directory.url) as other:
        subscribers = {
            "here": memory.subscriber("Gate/Event"),
            "twice": memory.subscriber("Gate/Event"),
            "there": other.service("ALMemory").subscriber("Gate/Event"),
        }
        for name, subscriber in subscribers.items():
            links[name] = subscriber.signal.connect(got[name].append)
        for value in (1, b"\xff", "ja"):
            memory.raiseEvent("Gate/Event", value)
        until(lambda: all(len(values) == 3 for values in got.values()))
        assert all(sorted(values, key=repr) == sorted([1, b"\xff", "ja"], key=repr) for values in got.values())
        subscribers["twice"].signal.disconnect(links["twice"])
        memory.raiseEvent("Gate/Event", 2)
        until(lambda: 2 in got["here"] and 2 in got["there"])
        assert 2 not in got["twice"]
    memory.raiseEvent("Gate/Event", 3)
    until(lambda: 3 in got["here"])
    subscribers["here"].signal.disconnect(links["here"])
    memory.raiseEvent("Gate/Event", 4)
    memory.ping()
    assert not any(value in (3, 4) for value in got["there"] + got["twice"]) and 4 not in got["here"]


def test_a_deleted_subscriber_and_a_client_that_goes_are_forgotten(directory, memory):
    links = directory._gate.calls.links._links
    subscriber = memory.subscriber("Gate/Dropped")
    subscriber.signal.connect(lambda _value: None)
    with client(directory.url) as other:
        theirs = other.service("ALMemory").subscriber("Gate/Left")
        theirs.signal.connect(lambda _value: None)
        assert {"Gate/Dropped", "Gate/Left"} <= set(links)
        del subscriber
        until(lambda: "Gate/Dropped" not in links)
    until(lambda: "Gate/Left" not in links)


def test_subscriptions_of_a_closed_client_stay_as_on_a_robot(directory, session):
    services = ("ALSpeechRecognition", "ALFaceDetection")
    with client(directory.url) as other:
        for service in services:
            other.service(service).subscribe("Gone")
    for service in services:
        left = session.service(service)
        assert left.getSubscribersInfo() == [["Gone", 500, 0.0]]
        # Any client that knows the name can end it.
        left.unsubscribe("Gone")
        assert left.getSubscribersInfo() == []


def test_what_needs_libqi_goes_on_by_libqi(directory, session):
    class Module:
        got = []

        def onEvent(self, *event):
            self.got.append(event)

    with client(directory.url) as other:
        number = other.registerService("GateModule", Module())
        memory = session.service("ALMemory")
        memory.subscribeToEvent("Gate/Module", "GateModule", "onEvent")
        memory.raiseEvent("Gate/Module", 5)
        until(lambda: Module.got == [("Gate/Module", 5, "")])
        other.unregisterService(number)
    until(lambda: memory.getSubscribers("Gate/Module") == [])


def speak(connection, number, service, *asked, kind=CALL):
    """Send a message; what is asked is the object, the action, and what the message carries."""
    raw = bytearray(make_call(number, service, *asked))
    raw[14] = kind
    connection.sendall(raw)


def heard(connection):
    read = b""
    while len(read) < 28 or len(read) < read_head(read).size:
        more = connection.recv((28 if len(read) < 28 else read_head(read).size) - len(read))
        assert more, "the connection has ended"
        read += more
    return read_head(read), read[28:]


@pytest.fixture
def spoken(directory):
    """Provide a connection that has greeted and asked its first question, and the numbers of ALMemory."""
    service, actions = directory._process._first["numbers"]["ALMemory"]
    with socket.create_connection(("127.0.0.1", int(directory.url.rpartition(":")[2])), PATIENCE) as connection:
        connection.sendall(GREETING)
        heard(connection)
        connection.sendall(make_call(2, 1, 1, 108))
        heard(connection)
        yield connection, service, actions


@pytest.mark.parametrize(
    ("action", "payload"),
    [
        ("getData(s)", b"\x05\x00\x00\x00ab"),
        ("getData(s)", b""),
        ("insertData(sm)", encode_value("s", "k") + b"\x01\x00\x00\x00o"),
        ("insertData(sm)", encode_value("s", "k") + encode_value("s", "[v]") + b"\xff\xff\xff\xff"),
    ],
)
def test_damaged_arguments_end_nothing(spoken, action, payload):
    connection, service, actions = spoken
    speak(connection, 7, service, 1, actions[action], payload)
    speak(connection, 8, service, 1, actions["getData(s)"], encode_value("s", "Gate/Nothing"))
    said = {head.number: carried for head, carried in (heard(connection) for _ in range(2)) if head.kind == ERROR}
    assert b"The arguments cannot be read" in said[7]
    assert b"Data not found: Gate/Nothing" in said[8]


def test_a_subscriber_has_its_signal_alone(spoken):
    connection, service, actions = spoken
    speak(connection, 3, service, 1, actions["subscriber(s)"], encode_value("s", "Gate/Raw"))
    _head, written = heard(connection)
    number = int.from_bytes(written[-4:], "little")
    link = encode_value("I", service) + encode_value("I", 100) + encode_value("L", 9)
    asked = [(2, encode_value("I", service)), (0, link), (0, link), (77, b""), (0, b"x"), (1, link), (1, link)]
    answers = ["", "", "10000 connections at most, each with a number of its own."]
    answers += ["A subscriber has its signal alone.", "The arguments cannot be read: they are damaged."]
    for (action, payload), answer in zip(asked, [*answers, "", "No connection has the number 9."], strict=True):
        speak(connection, 4, service, number, action, payload)
        head, carried = heard(connection)
        assert (carried[9:].decode() if head.kind == ERROR else "") == answer
    speak(connection, 5, service, number, 3, encode_value("I", service), kind=POST)
    speak(connection, 6, service, number, 0, link)
    assert b"There is no such object." in heard(connection)[1]


def test_messages_are_cut_out_of_any_pieces():
    whole = [
        GREETING,
        make_call(2, 5, 1, 100, b"x" * 300),
        make_call(3, 5, 1, 100),
        make_call(4, 5, 1, 100, b"y" * (MAX_WHOLE_MESSAGE_BYTES + 1)),
        answered(read_head(GREETING), ERROR, b"z"),
    ]
    for step in (1000, 65536, 10**7):
        splitter, parts, said = MessageSplitter(), [], b"".join(whole)
        for start in range(0, len(said), step):
            parts += splitter.split(said[start : start + step])
        assert splitter.is_between
        assert [
            b"".join(part for _, part, _ in found)
            for _, found in itertools.groupby(parts, key=lambda row: row[0].number if row[0].kind == CALL else 0)
        ] == whole
        assert [is_last for _head, _part, is_last in parts].count(True) == len(whole)
    for damaged in (b"GET / HTTP/1.1\r\nHost: nao\r\n\r\n", make_call(5, 5, 1, 100)[:8] + b"\xff" * 20):
        with pytest.raises(DamagedMessage):
            list(MessageSplitter().split(damaged))


def test_values_are_read_as_they_are_written():
    simple = [("i", -7), ("f", 2.5), ("b", True), ("[s]", ["a", "é"]), ("[f]", [1.0, 2.5]), ("r", b"\xff")]
    for signature, value in (*simple, ("m", {"a": [1, None]}), ("m", [b"\xff", 2**40])):
        assert decode_values(f"({signature})", encode_value(signature, value)) == [value]
    text = encode_value("s", "ja")
    pairs = encode_value("I", 1) + text + encode_value("m", 3)
    assert decode_values("({sm})", pairs) == [{"ja": 3}]
    row = text + encode_value("i", 4) + encode_value("m", [])[7:]
    assert decode_values("(((si)<Name,text,number>[m]))", row) == [[["ja", 4], []]]


@pytest.mark.parametrize(
    ("signature", "payload"),
    [
        ("(i)", b"\x01"),
        ("(i)", b"\x01\x00\x00\x00\x00"),
        ("(s)", b"\xff\xff\xff\xff"),
        ("(m)", (encode_value("s", "[m]") + encode_value("I", 1)) * 40 + encode_value("m", 1)),
        *(("(m)", encode_value("s", text)) for text in ("[" * 500, "i" * 2000, "", "o", "(i<", "[i", "ii")),
        ("(m)", encode_value("s", "{[i]i}") + encode_value("I", 1) + encode_value("I", 0) + encode_value("i", 1)),
        ("(m)", encode_value("s", "[v]") + encode_value("I", MAX_VALUES + 1)),
    ],
)
def test_what_is_no_value_is_not_read(signature, payload):
    with pytest.raises(UnreadableValue):
        decode_values(signature, payload)


def test_what_has_another_type_is_not_written():
    odd = [("i", 2**31), ("s", 3), ("[s]", "ab"), ("m", object()), ("m", 2**63), ("s", "\udcff"), ("f", "x"), ("o", 1)]
    for signature, value in odd:
        with pytest.raises(TypeError):
            encode_value(signature, value)


def test_a_client_that_reads_late_gets_everything_in_order():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        outlet = Outlet(ours, lambda: None)
        sent = [bytes([number]) * 50_000 for number in range(100)]
        mixed = threading.Thread(target=lambda: [outlet.send(b"\xff" * 1000, number == 4) for number in range(5)])
        for number, part in enumerate(sent):
            outlet.offer(part)
            if number == 50:
                mixed.start()
        read = b""
        while len(read) < 5_005_000:
            read += theirs.recv(1 << 20)
        mixed.join()
        assert b"\xff" * 5000 in read
        assert read.replace(b"\xff" * 5000, b"") == b"".join(sent)


def test_a_client_that_does_not_read_is_disconnected(monkeypatch):
    monkeypatch.setattr("naosim_live.watched.outlet.MOST_UNREAD", 1_000_000)
    ours, theirs = socket.socketpair()
    ended = threading.Event()

    def end():
        ended.set()
        with contextlib.suppress(OSError):
            ours.shutdown(socket.SHUT_RDWR)

    with theirs:
        outlet = Outlet(ours, end)
        for _ in range(50):
            outlet.offer(bytes(100_000))
        assert ended.wait(PATIENCE)
        outlet.close()


def test_altered_calls_are_answered_once_each_and_break_nothing():
    # A robot that answers at once with what it was asked.
    robot = SimpleNamespace(
        call=lambda service, method, args: finished(args),
        link=lambda event, callback, is_quick=False: finished(1),
        unlink=lambda number: finished(True),
    )
    actions = {"insertData(sm)": 115, "getData(s)": 104, "getListData(m)": 107, "subscriber(s)": 121}
    calls = RobotCalls(robot, {"ALMemory": [29, actions]}, ObjectForm(b"", True))
    chance, said = random.Random(17), []
    caller = Caller(calls, True, said.append)
    link = encode_value("I", 29) + encode_value("I", 100) + encode_value("L", 9)
    value = encode_value("m", [1, {"a": b"\xff"}, [2.5, None]])
    plain = [(1, 115, encode_value("s", "Key") + value), (1, 104, encode_value("s", "Key"))]
    plain += [(1, 107, encode_value("m", ["a", "b"])), (1, 121, encode_value("s", "Event"))]
    plain += [(FIRST_OBJECT, 0, link), (FIRST_OBJECT, 1, link), (FIRST_OBJECT, 2, b"")]
    plain.append((FIRST_OBJECT, 8, link + encode_value("s", "(m)")))
    for _ in range(2000):
        of, action, payload = chance.choice(plain)
        altered = bytearray(payload)
        for _ in range(chance.randrange(4) if altered else 0):
            altered[chance.randrange(len(altered))] = chance.choice([0, 1, 255, *b"[m{(osv", chance.randrange(256)])
        altered = bytes(altered[: chance.choice([len(altered), chance.randrange(len(altered) + 1)])])
        sent = make_call(5, 29, of, action, altered)
        said.clear()
        if caller.takes(read_head(sent), sent):
            assert [read_head(each).kind in (REPLY, ERROR) for each in said] == [True], (action, altered)
    caller.end()
    assert calls.counter.count == 0 and calls.links._links == {}


# Any client may take a service away, as with a robot's own directory: here from a directory of its own.


def test_a_service_that_is_unregistered_answers_no_more():
    with watched(speed=50) as directory, client(directory.url) as session:
        spare = session.service("ALLeds")
        assert spare.ping() is True
        number = session.service("ServiceDirectory").service("ALLeds")["serviceId"]
        session.unregisterService(number)
        calls = directory._gate.calls
        until(lambda: not any(key[0] == number for key in calls._methods))
        with pytest.raises(RuntimeError):
            session.service("ALLeds").ping()
