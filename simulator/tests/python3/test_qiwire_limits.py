"""The limits of `qiwire`: hostile messages and clients of a server, hostile servers of a client; old clients."""

import contextlib
import gc
import socket
import threading

import pytest
from directory_clients import PATIENCE, until
from wire_clients import PLAIN_GREETING, Talker, answering, await_bytes, held_loop, serving

import qiwire
from naosim_robots.serving.server import serve_robot
from qiwire import session as sessions
from qiwire.limits import CLIENT_LIMITS, DEFAULT_LIMITS, BadValue
from qiwire.messages import (
    CALL,
    CAPABILITIES,
    CAPABILITY,
    DIRECTORY,
    DYNAMIC_PAYLOAD,
    ERROR,
    FIND_SERVICE,
    GREET,
    GREETER,
    HEADER_FORMAT,
    LIBQI_2014,
    LIBQI_2016,
    LIST_SERVICES,
    MACHINE_ID,
    MAGIC,
    META_OBJECT,
    POST,
    REGISTER_EVENT,
    REGISTER_SERVICE,
    REPLY,
    RETURN_TYPE,
    UPDATE_SERVICE,
    make_answer,
    make_message,
)
from qiwire.metaobject import META_OBJECT_SIGNATURE, MetaMethod, MetaObject
from qiwire.objects import HostedMethod, HostedObject
from qiwire.server import SERVICE_INFO
from qiwire.values import Codec, decode_value, encode_value


def dynamic(signature, payload=b""):
    return encode_value("s", signature) + payload


def number(value):
    return encode_value("I", value)


# The budget of a message.

#: Signatures of 1,000 characters, each another one, with an empty value: 26 of them.
MANY_SIGNATURES = [dynamic(f"(({'[i]' * place}[s]{'[i]' * (330 - place)}))", bytes(4 * 331)) for place in range(60)]


@pytest.mark.parametrize(
    "what, content",
    {
        "values without bytes": ("[v]", number(10_000)),
        "fields of tuples": ("m", dynamic(f"[({'v' * 20})]", number(99_999))),
        "optional values": ("m", dynamic(f"[{'+' * 30}v]", number(60_000) + bytes(60_000))),
        "tuples without fields": ("m", dynamic("[(()()())]", number(60_000))),
        "values of any type in each other": ("[m]", number(5000) + dynamic("m") * 40 + dynamic("v")),
        "more items than bytes": ("[[i]]", number(50_000) + number(0) * 10),
        "a longer text than bytes": ("s", number(2**32 - 1)),
        "signatures": ("[m]", number(60) + b"".join(MANY_SIGNATURES)),
        "keys chosen for their hashes": (
            "{lv}",
            number(20_000) + b"".join(encode_value("l", key << 32) for key in range(20_000)),
        ),
    }.items(),
)
def test_a_message_that_costs_too_much_is_refused(what, content):
    signature, payload = content
    with pytest.raises(BadValue, match="too "):
        decode_value(signature, payload, None, DEFAULT_LIMITS.each.values)


@pytest.mark.parametrize(
    "what, content",
    {
        "a picture of 16 MB": ("m", [1280, 960, 3, 13, 0, 0, bytearray(16_000_000), 0]),
        "a long list of floats": ("[f]", [0.5] * 150_000),
        "a list of any values": ("m", [0.5] * 90_000),
        "names": ("[s]", [f"Device/SubDeviceList/{each}" for each in range(20_000)]),
        "a map with names": ("m", {f"key {each}": each for each in range(30_000)}),
        "a map with numbers": ("{is}", dict.fromkeys(range(5000), "")),
        "a list of tuples": ("[(sfm)]", [("a", 0.5, [1, None])] * 10_000),
    }.items(),
)
def test_a_large_message_of_a_usual_kind_is_read(what, content):
    signature, value = content
    assert decode_value(signature, encode_value(signature, value), None, DEFAULT_LIMITS.each.values) == value


def test_few_codecs_of_signatures_from_messages_are_kept():
    def count():
        gc.collect()
        return sum(isinstance(each, Codec) for each in gc.get_objects())

    before = count()
    for place in range(150):
        decode_value("m", dynamic(f"({'[i]' * place}[s]{'[i]' * (1000 - place)})", bytes(4 * 1001)))
    assert count() - before < 40_000


# Messages of one connection.


def test_capabilities_are_known_ones():
    with serving() as found, Talker(found.address) as talker:
        talker.hear()
        said = {"ObjectPtrUID": True, "MessageFlags": "x" * 100, **{f"key {each}": "x" * 100 for each in range(300)}}
        talker.say(make_message(CAPABILITY, 0, GREETER, 0, 0, encode_value("{sm}", said)))
        talker.ask(CALL, 2, DIRECTORY, 1, MACHINE_ID)
        (connection,) = found.server.listener.connections
        assert connection.capabilities == {"ObjectPtrUID": True}


@pytest.mark.parametrize(
    ("kind", "action", "is_first"), [(CAPABILITY, 0, False), (CALL, GREET, False), (CALL, GREET, True)]
)
def test_a_long_greeting_ends_its_connection(kind, action, is_first):
    with serving() as found, Talker(found.address, b"" if is_first else make_message(CALL, 1, 0, 0, GREET)) as talker:
        talker.say(HEADER_FORMAT.pack(MAGIC, 2, 64 * 1024 + 1, 0, kind, 0, GREETER, 0, action))
        assert talker.has_ended()


@pytest.mark.parametrize("is_post", [False, True])
def test_posts_count_as_calls(is_post):
    with serving(calls=2) as found, Talker(found.address) as talker:
        talker.hear()
        for _ in range(5):
            talker.say(make_message(POST if is_post else CALL, 1, found.number, 1, 101))
        until(lambda: b"2 calls are under way" in talker.ask(CALL, 9, found.number, 1, 101)[1])
        assert len(found.begun) == 2


def test_the_arguments_of_calls_under_way_are_limited():
    """Small values need more memory than bytes."""
    with serving(call_bytes=1_000_000) as found, Talker(found.address) as talker:
        talker.hear()
        for value in (dynamic("[r]", number(12_000) + bytes(48_000)), encode_value("m", "x" * 600_000)):
            talker.say(make_message(CALL, 1, found.number, 1, 103, value))
        assert b"calls under way need" in talker.hear()[1]


# Services of clients.

INFO = {
    "name": "Mine",
    "serviceId": 0,
    "machineId": "m",
    "processId": 1,
    "endpoints": ["tcp://127.0.0.1:1"],
    "sessionId": "s",
    "objectUid": "",
}


def registers(talker, action=REGISTER_SERVICE, **changed):
    """Return the kind of the answer to a client that registers or updates a service."""
    return talker.ask(CALL, 3, DIRECTORY, 1, action, encode_value("m", ({**INFO, **changed},)), DYNAMIC_PAYLOAD)[0].kind


@pytest.mark.parametrize("action", [REGISTER_SERVICE, UPDATE_SERVICE])
def test_what_a_client_says_of_its_service_is_checked(action):
    bad_infos = [
        {"name": ""},
        {"name": 3},
        {"name": "x" * 201},
        {"machineId": "x" * 101},
        {"sessionId": ["x"]},
        {"objectUid": "x" * 101},
        {"processId": 2**40},
        {"processId": "x"},
        {"serviceId": -1},
        {"endpoints": "tcp://127.0.0.1:1"},
        {"endpoints": ["x"] * 33},
        {"endpoints": ["x" * 201]},
        {"endpoints": [1]},
    ]
    with serving() as found, Talker(found.address) as talker:
        talker.hear()
        assert registers(talker) == REPLY
        number = found.server._last
        for changed in bad_infos:
            assert registers(talker, action, **{"serviceId": number, **changed}) == ERROR, changed
        assert registers(talker, UPDATE_SERVICE, serviceId=number, more="x" * 1000) == REPLY
        assert found.server._entries[number].info == {**INFO, "serviceId": number}
        assert talker.ask(CALL, 4, DIRECTORY, 1, LIST_SERVICES)[0].kind == REPLY


def test_a_client_has_few_services():
    with serving(each={"services": 3}) as found, Talker(found.address) as talker:
        talker.hear()
        assert [registers(talker, name=f"Mine {each}") for each in range(4)] == [REPLY, REPLY, REPLY, ERROR]


def test_the_list_of_services_is_as_new_as_its_changes():
    with serving() as found, Talker(found.address) as talker:
        talker.hear()

        def listed(payload=b"", flags=0):
            answer = talker.ask(CALL, 3, DIRECTORY, 1, LIST_SERVICES, payload, flags)[1]
            rows = decode_value("(sm)" if flags else f"[{SERVICE_INFO}]", dynamic("m", answer) if flags else answer)
            return [row["name"] for row in (rows[1] if flags else rows)]

        wanted = encode_value("s", f"[{SERVICE_INFO}]")
        assert listed() == listed() == ["ServiceDirectory", "Echo"]
        raw = talker.ask(CALL, 3, DIRECTORY, 1, LIST_SERVICES, wanted, RETURN_TYPE)[1]
        assert [row["name"] for row in decode_value("m", raw)] == ["ServiceDirectory", "Echo"]
        later = found.server.register("Later", HostedObject({}))
        assert listed() == ["ServiceDirectory", "Echo", "Later"]
        found.server.unregister(later)
        assert listed() == ["ServiceDirectory", "Echo"]


# Many clients.


def test_the_client_idle_longest_from_the_busiest_address_makes_room():
    with serving(connections=4) as found, contextlib.ExitStack() as stack:

        def come(host):
            talker = stack.enter_context(Talker(found.address, PLAIN_GREETING, host))
            assert talker.hear()
            return talker

        other, *busy = [come(host) for host in ("127.0.0.2", *["127.0.0.1"] * 3)]
        assert busy[0].ask(CALL, 2, DIRECTORY, 1, MACHINE_ID)
        newcomer = come("127.0.0.1")
        assert busy[1].has_ended()
        for talker in (other, busy[0], busy[2], newcomer):
            assert talker.ask(CALL, 2, DIRECTORY, 1, MACHINE_ID)[0].kind == REPLY


def test_a_client_with_many_questions_lets_others_ask_in_between():
    came = []
    with serving() as found, Talker(found.address) as busy, Talker(found.address) as other:
        busy.hear(), other.hear()
        method = HostedMethod(MetaMethod("note", "(i)"), lambda args, _client: came.append(args[0]))
        number = found.server.register("Notes", HostedObject({100: method}))
        with held_loop():
            busy.say(b"".join(make_message(CALL, each, number, 1, 100, bytes(4)) for each in range(300)))
            other.say(make_message(CALL, 1, number, 1, 100, encode_value("i", 1)))
            await_bytes(found.server, 301 * 32)
        assert other.hear() and [busy.hear()[0].number for _ in range(300)] == list(range(300))
        assert came.index(1) < 50


def test_the_shortest_messages_of_several_clients_come_first():
    came = []
    with serving() as found, contextlib.ExitStack() as stack:
        talkers = [stack.enter_context(Talker(found.address)) for _ in range(10)]
        method = HostedMethod(MetaMethod("note", "(r)"), lambda args, _client: came.append(len(args[0])))
        number = found.server.register("Notes", HostedObject({100: method}))
        for talker in talkers:
            talker.hear()
        with held_loop():
            for talker, length in zip(talkers, [20_000] * 8 + [2000, 1]):
                talker.say(make_message(CALL, 1, number, 1, 100, encode_value("r", bytes(length))))
            await_bytes(found.server, 8 * 20_000 + 2001 + 10 * 32)
        for talker in talkers:
            talker.hear()
        assert came == [1, 2000] + [20_000] * 8


def test_a_client_with_many_calls_leaves_some_to_others():
    with serving(calls=6) as found, Talker(found.address) as busy, Talker(found.address) as other:
        busy.hear(), other.hear()
        for _ in range(8):
            busy.say(make_message(CALL, 1, found.number, 1, 101))
        assert b"6 calls are under way" in busy.hear()[1]
        for _ in range(3):
            other.say(make_message(CALL, 1, found.number, 1, 101))
        assert other.ask(CALL, 1, found.number, 1, 101)[0].kind == ERROR
        assert len(found.begun) == 9


def test_an_event_for_many_links_of_a_client_that_does_not_read_is_dropped():
    with serving(each={"unread": 1_000_000}) as found, Talker(found.address) as talker:
        talker.hear()
        for link in range(100):
            talker.ask(CALL, 2, found.number, 1, REGISTER_EVENT, encode_value("(IIL)", (found.number, 102, link)))
        (connection,) = found.server.listener.connections
        with held_loop():
            found.server.services[found.number].signals[102]("x" * 400_000)
            assert connection.stream_bytes < 2_000_000
        until(lambda: not found.server.listener.connections)


def test_connections_to_signals_of_all_clients_are_limited():
    with serving(links=3) as found, Talker(found.address) as one, Talker(found.address) as other:
        one.hear(), other.hear()
        link = [encode_value("(IIL)", (found.number, 102, each)) for each in range(2)]
        kinds = [
            talker.ask(CALL, 2, found.number, 1, REGISTER_EVENT, each)[0].kind
            for talker in (one, other)
            for each in link
        ]
        assert kinds == [REPLY, REPLY, REPLY, ERROR]


def test_the_client_for_which_most_is_kept_makes_room():
    with serving(kept_bytes=1_000_000) as found, contextlib.ExitStack() as stack:
        talkers = [stack.enter_context(Talker(found.address)) for _ in range(3)]
        for talker, size in zip(talkers, (300_000, 500_000, 400_000)):
            talker.hear()
            talker.say(make_message(CALL, 1, found.number, 1, 100, bytes(900_000))[:size])
        assert talkers[1].has_ended()
        until(lambda: len(found.server.listener.connections) == 2)


# Old clients.


@pytest.mark.parametrize("what", ["a greeting", "its capabilities", "a call"])
def test_every_beginning_of_libqi_has_its_answer(what):
    # A connection to the directory's signal serviceAdded, as a client asks for it, and its answer.
    asked = "42dead42070000001000000000000100010000000100000000000000" "010000006a0000000900000000000000"  # fmt: skip
    linked = "42dead42070000000800000000000200010000000100000000000000" "0900000000000000"  # fmt: skip
    # What our server can do, as the pairs of a map.
    capable = (
        "12000000436c69656e74536572766572536f636b657401000000" "6201"
        "0c0000004d657373616765466c61677301000000" "6201"
        "0f0000004d6574614f626a656374436163686501000000" "6200"
        "0c0000004f626a65637450747255494401000000" "6201"
        "1300000052656c6174697665456e64706f696e7455524901000000" "6200"
        "1500000052656d6f746543616e63656c61626c6543616c6c7301000000" "6201"
    )  # fmt: skip
    greeted = (
        "42dead4201000000bd00000000000200000000000000000008000000" "07000000" + capable
        + "0f0000005f5f71695f617574685f737461746501000000" "4903000000"
    )  # fmt: skip
    told = "42dead4200000000a100000000000600000000000000000000000000" "06000000" + capable  # fmt: skip
    # What a client says first, and what it is answered: the usual greeting, then those of libqi of June 2014.
    said, answer = {
        "a greeting": (PLAIN_GREETING.hex() + asked, greeted + linked),
        "its capabilities": ("42dead4200000000040000000000060000000000000000000000000000000000" + asked, told + linked),
        "a call": (asked, told + linked),
    }[what]
    with serving() as found, Talker(found.address, bytes.fromhex(said)) as talker:
        heard = b""
        while len(heard) < len(answer) // 2 and (more := talker.socket.recv(65536)):
            heard += more
        assert heard.hex() == answer


#: The capabilities of older servers as the pairs of a map; that of a cache is false, as this server has none.
OLDEST_CAPABILITIES = (
    "12000000436c69656e74536572766572536f636b657401000000" "6201"
    "0c0000004d657373616765466c61677301000000" "6201"
    "0f0000004d6574614f626a656374436163686501000000" "6200"
)  # fmt: skip


def test_a_server_of_naoqi_2_1_knows_no_logins():
    """libqi of June 2014, src/tcptransportsocket.cpp and server.cpp: its capabilities first, then an error."""
    refused = "can't find service, address: {0.0.8, id:1}"
    with serving(dialect=LIBQI_2014) as found, Talker(found.address, b"") as talker:
        head, payload = talker.hear()
        assert (head.kind, payload.hex()) == (CAPABILITY, "03000000" + OLDEST_CAPABILITIES)
        talker.say(PLAIN_GREETING)
        head, payload = talker.hear()
        assert (head.kind, head.action, decode_value("m", payload)) == (ERROR, GREET, refused)
        assert talker.ask(CALL, 2, DIRECTORY, 1, MACHINE_ID)[0].kind == REPLY
        # A client goes on without a login, and the directory tells of no identities.
        with contextlib.closing(qiwire.Session(found.server.url)) as session:
            assert session.services()[0]["objectUid"] == "" and session.service("Echo").echo(1) == 1


def test_a_server_of_naoqi_2_5_can_do_less():
    """libqi 2.5.7.1, src/messaging/streamcontext.cpp."""
    cancelling = "1500000052656d6f746543616e63656c61626c6543616c6c73010000006201"
    state = "0f0000005f5f71695f617574685f7374617465010000004903000000"
    with serving(dialect=LIBQI_2016) as found, Talker(found.address) as talker:
        assert talker.hear()[1].hex() == "05000000" + OLDEST_CAPABILITIES + cancelling + state


# Clients.


def answer(signature, value, flags=0):
    return lambda head: make_answer(head, REPLY, encode_value(signature, value), flags)


def nothing(_head):
    return b""


def answer_without_end(head):
    return HEADER_FORMAT.pack(MAGIC, head.number, CLIENT_LIMITS.message + 1, 0, REPLY, 0, *head[4:])


def rows(names):
    return answer(f"[{SERVICE_INFO}]", [{**INFO, "name": name} for name in names])


DIRECTORY_META = HostedObject(
    {
        FIND_SERVICE: HostedMethod(MetaMethod("service", "(s)", SERVICE_INFO), nothing),
        LIST_SERVICES: HostedMethod(MetaMethod("services", "()", f"[{SERVICE_INFO}]"), nothing),
    },
    {106: ("serviceAdded", qiwire.Signal("(Is)")), 107: ("serviceRemoved", qiwire.Signal("(Is)"))},
).meta
#: A server as a client expects it.
GOOD = {
    (GREETER, GREET): answer("{sm}", CAPABILITIES),
    (DIRECTORY, META_OBJECT): answer(META_OBJECT_SIGNATURE, DIRECTORY_META.to_value()),
    (DIRECTORY, REGISTER_EVENT): answer("L", 1),
    (DIRECTORY, LIST_SERVICES): rows(["One"]),
    (DIRECTORY, FIND_SERVICE): answer(SERVICE_INFO, {**INFO, "serviceId": 5, "endpoints": []}),
    (5, META_OBJECT): answer(META_OBJECT_SIGNATURE, DIRECTORY_META.to_value()),
}
NO_DIRECTORY = MetaObject({200: MetaMethod("other", "()")}).to_value()
WRONG_ROWS = {**NO_DIRECTORY, "methods": {"x": {"name": 3}}}


def use(url):
    session = qiwire.Session()
    try:
        session.connect(url)
        return [row["name"] for row in session.services(_async=True).value(int(PATIENCE * 1000))], session.service(
            "One"
        )
    finally:
        session.close()


def test_a_server_as_a_client_expects_it():
    with answering(GOOD) as url:
        assert use(url)[0] == ["One"]


@pytest.mark.parametrize(
    "what, changes",
    {
        "no greeting": {(GREETER, GREET): nothing},
        "no directory": {(DIRECTORY, META_OBJECT): nothing},
        "no connection to a signal": {(DIRECTORY, REGISTER_EVENT): nothing},
        "no list of services": {(DIRECTORY, LIST_SERVICES): nothing},
        "no service": {(DIRECTORY, FIND_SERVICE): nothing},
        "no object": {(5, META_OBJECT): nothing},
        "a greeting of a wrong type": {(GREETER, GREET): answer("m", 3, DYNAMIC_PAYLOAD)},
        "a directory of a wrong type": {(DIRECTORY, META_OBJECT): answer("m", 3, DYNAMIC_PAYLOAD)},
        "a directory with wrong rows": {(DIRECTORY, META_OBJECT): answer("m", WRONG_ROWS, DYNAMIC_PAYLOAD)},
        "a directory without services": {(DIRECTORY, META_OBJECT): answer(META_OBJECT_SIGNATURE, NO_DIRECTORY)},
        "an object of a wrong type": {(5, META_OBJECT): answer("m", ["x"], DYNAMIC_PAYLOAD)},
        "a list of a wrong type": {(DIRECTORY, LIST_SERVICES): answer("m", 3, DYNAMIC_PAYLOAD)},
        "a list with wrong rows": {(DIRECTORY, LIST_SERVICES): answer("m", [3], DYNAMIC_PAYLOAD)},
        "a list without end": {(DIRECTORY, LIST_SERVICES): rows(map(str, range(CLIENT_LIMITS.services + 1)))},
        "a message without end": {(DIRECTORY, LIST_SERVICES): answer_without_end},
        "a service of a wrong type": {(DIRECTORY, FIND_SERVICE): answer("m", 3, DYNAMIC_PAYLOAD)},
        "a damaged error": {(DIRECTORY, FIND_SERVICE): lambda head: make_answer(head, ERROR, b"x")},
    }.items(),
)
def test_a_client_of_a_hostile_server_gets_an_error(what, changes, monkeypatch, caplog):
    monkeypatch.setattr(sessions, "_ANSWERS_WITHIN_S", 0.5)
    with answering({**GOOD, **changes}) as url, pytest.raises(RuntimeError, match=r"\w+ \w+ \w+|disconnected"):
        use(url)
    assert [each.message for each in caplog.records] == []


def test_a_client_waits_for_tls_for_a_limited_time(monkeypatch):
    monkeypatch.setattr(sessions, "_ANSWERS_WITHIN_S", 0.3)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(RuntimeError, match=r"Cannot connect.*timed out"),
    ):
        qiwire.Session().connect(f"tcps://127.0.0.1:{silent.getsockname()[1]}")


def test_events_that_a_client_does_not_take_end_its_connection():
    with serving() as found:
        session, is_over = qiwire.Session(found.server.url), threading.Event()
        echo = session.service("Echo")
        echo._qi_connection.limits = CLIENT_LIMITS._replace(events=1_000_000)
        echo.told.connect(lambda _value: is_over.wait(PATIENCE))
        signal = found.server.services[found.number].signals[102]
        with contextlib.suppress(AssertionError):
            for _ in range(20):
                signal("x" * 100_000)
        until(lambda: not session.isConnected())
        is_over.set()
        session.close()


# The robot behind a server.


def test_a_client_with_many_calls_of_the_robot_lets_others_call_in_between():
    """Takes seconds: 120 sentences are spoken first."""
    with serve_robot(speed=2) as server:
        busy, other = qiwire.Session(server.url), qiwire.Session(server.url)
        speech = busy.service("ALTextToSpeech")
        for _ in range(600):
            speech.say("one two three four five", _async=True)
        until(lambda: server._calls._waiting)
        assert other.service("ALMemory").getDataListName()
        assert server._calls._waiting
        busy.close()
        other.close()
