"""The server of a robot, over pipes and in virtual time."""

from __future__ import absolute_import, division, print_function

import io
import json
import os
import subprocess
import sys
from argparse import Namespace

import naosim_xar_writer as w
import package_files as kit
import pytest

from naosim import json_server, remote
from naosim.compat import natively
from naosim.json_server import JsonServer, SpokenTexts, _PipedServer
from naosim.remote import MAX_LINE_BYTES, DoesNotTravel, RequestReader, pack_value, unpack_value
from naosim.robot import Robot


class Server(object):
    """A server process: requests in, answers and pushed messages out."""

    def __init__(self):
        command = [sys.executable, "-m", "naosim.json_server"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._lines, self._number, self.pushed, self.answers = self.process.stdout, 0, [], {}

    def send(self, line):
        self.process.stdin.write(line + b"\n")

    def post(self, verb, **fields):
        """Send a request and return its number."""
        self._number += 1
        self.send(json.dumps(dict(fields, id=self._number, do=verb)).encode("ascii"))
        return self._number

    def read(self):
        """Read a message; every line of the server is one."""
        said = json.loads(self._lines.readline().decode("ascii"))
        if "push" in said:
            self.pushed.append(said)
        else:
            self.answers[said["id"]] = said
        return said

    def answer(self, number):
        while number not in self.answers:
            self.read()
        return self.answers[number]

    def ask(self, verb, **fields):
        """Send a request and return the answer's value, or its error as a RuntimeError."""
        answer = self.answer(self.post(verb, **fields))
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return unpack_value(answer["value"])

    def call(self, service, method, *args):
        return self.ask("call", service=service, method=method, args=pack_value(list(args)))

    def pushes(self, count):
        """Wait for so many pushed messages and return them."""
        while len(self.pushed) < count:
            self.read()
        return self.pushed

    def close(self):
        """End the input and return the exit status."""
        self.process.stdin.close()
        while self._lines.readline():
            pass
        self.process.stdout.close()
        return self.process.wait()


def serve():
    made = Server()
    made.ask("open", speed=1000)
    yield made
    assert made.close() == 0


#: A server for all tests that leave nothing behind, and one for a single test.
robot, own = pytest.fixture(scope="module", name="robot")(serve), pytest.fixture(name="own")(serve)


def test_a_long_request_does_not_block_others(robot):
    speech = robot.post("call", service="ALTextToSpeech", method="say", args=["word " * 4000])
    assert robot.call("ALMemory", "ping") is True
    assert speech not in robot.answers
    robot.call("ALTextToSpeech", "stopAll")
    assert robot.answer(speech) == {"id": speech, "value": None}


def test_values_come_back_as_they_went(robot):
    values = [0, -(2**31), 2**31 - 1, 0.5, -1e300, None, True, False, "", "a b", [], [[1, ["two", [None]]], 3.0]]
    for value in values + ["x" * 20000, natively(u"gr\xfc\xdfe \u4f60 \U0001f916"), [bytearray(b"\x00\xff")]]:
        robot.call("ALMemory", "insertData", "Key", value)
        back = robot.call("ALMemory", "getData", "Key")
        assert back == value and type(back) is type(value), value


def test_what_is_no_value_is_refused():
    deep = []
    for _ in range(100):
        deep = [deep]
    for value in (object(), deep, {"a": object()}):
        with pytest.raises(DoesNotTravel):
            pack_value(value)
    for value in ({"a": 1}, {"bytes": "\xe9"}, {"bytes": 3}, {"dict": []}):
        with pytest.raises(ValueError):
            unpack_value(value)
    assert unpack_value(pack_value({"a": [1, {"b": bytearray(b"c")}]})) == {"a": [1, {"b": bytearray(b"c")}]}


MEMORY, DANCE = {"service": "ALMemory"}, os.path.join(kit.BEHAVIOURS, "dance.xar")


@pytest.mark.parametrize(
    "verb, fields, reason",
    [
        ("call", {"service": "ALNothing", "method": "say"}, "Can't find service: ALNothing"),
        ("call", dict(MEMORY, method="nothing"), "Can't find method: nothing"),
        ("call", dict(MEMORY, method="__init__"), "Can't find method"),
        ("call", dict(MEMORY, method="getData", args=[1]), "a string is needed"),
        ("call", dict(MEMORY, method="getData"), "types did not match for getData"),
        ("call", dict(MEMORY, method="getData", args=["No/Key"]), "Data not found No/Key"),
        ("call", dict(MEMORY, method="insertData", args=["Key", 2**40]), "32 bits"),
        ("call", dict(MEMORY, method="insertData", args=["Key", {"x": 1}]), "neither bytes nor a dict"),
        ("call", dict(MEMORY, method="subscriber", args=["Key"]), "a Subscriber cannot be sent"),
        ("call", {"service": 3, "method": "x"}, '"service" is 3'),
        ("call", dict(MEMORY, method="ping", args="x"), '"args" is "x"'),
        ("call", {}, '"service" is None'),
        ("link", {}, '"event" is None'),
        ("unlink", {"link": 99}, "No link"),
        ("unlink", {"link": []}, '"link" is []'),
        ("offer", {"module": "ALMemory"}, "already registered"),
        ("withdraw", {"module": "Nobody"}, 'Cannot find service "Nobody"'),
        ("hear", {"phrase": "yes", "confidence": 2}, "not a number from 0 to 1"),
        ("hear", {"phrase": None}, '"phrase" is None'),
        ("touch", {"sensor": "Nose"}, 'no sensor "Nose"'),
        ("push", {"direction": "left"}, 'the front or the back, not to "left"'),
        ("push", {"direction": 1}, '"direction" is 1'),
        ("stay_silent", {"seconds": "x"}, '"seconds" is "x"'),
        ("stay_silent", {"seconds": 1e9}, "too long"),
        ("inject", {"faults": 3}, '"faults" is 3'),
        ("inject", {"faults": {"nonsense": 1}}, "nonsense"),
        ("inject", {"faults": {"raising": {"say": "no"}}}, "ValueError"),
        ("start", {}, "no behaviour is loaded: ask for load first"),
        ("stop", {}, "no behaviour is loaded: ask for load first"),
        ("load", {"file": "nowhere.xar"}, "nowhere.xar"),
        ("load", {"file": 3}, '"file" is 3'),
        ("load", {}, '"file" is'),
        ("load", {"file": DANCE, "behaviour": "other"}, 'is a single behaviour: leave the name "other" out'),
        ("load", {"file": DANCE, "parameters": []}, '"parameters" is'),
        ("load", {"file": DANCE, "parameters": {"Wish": "1"}}, "Wish"),
        ("open", {}, 'do not know how to "open"'),
        ("take", {}, 'do not know how to "take"'),
        ("_do_call", {}, "do not know"),
        (None, {}, "do not know how to None"),
        ([], {}, "do not know how to []"),
    ],
)
def test_wrong_requests_are_answered_with_a_sentence(robot, verb, fields, reason):
    with pytest.raises(RuntimeError) as caught:
        robot.ask(verb, **fields)
    assert reason in str(caught.value)


def test_lines_that_are_no_requests_are_answered_and_do_no_harm(robot):
    bad = [b"rubbish", b"{", b"[]", b"3", b'"x"', b"{}", b'{"id": "x"}', b'{"id": true}', b'{"id": 1.5}', b'{"id": 7']
    for line in bad + [b"\xff\xfe\x00", b"[" * 100000, b"\x00" * 1000, b"x" * (5 * 1024 * 1024)]:
        robot.send(line)
        robot.send(b"   ")
        refused = robot.read()
        assert refused["id"] is None, line
        assert ("the request" in refused["error"] or "too long" in refused["error"]) and len(refused["error"]) < 500
    assert robot.call("ALMemory", "ping") is True


def test_an_answer_that_is_too_long_is_an_error_and_far_more_requests_than_tasks_are_none(robot):
    robot.call("ALMemory", "insertData", "Key", "x" * 20000)
    with pytest.raises(RuntimeError, match="too long"):
        robot.call("ALMemory", "getListData", ["Key"] * (MAX_LINE_BYTES // 20000 + 1))
    assert robot.call("ALMemory", "ping") is True
    for number in [robot.post("stay_silent", seconds=50) for _ in range(500)]:
        assert robot.answer(number)["value"] is None


def test_links_hear_events_until_they_end(own):
    first, second = own.ask("link", event="Game/Event"), own.ask("link", event="Game/Event")
    own.call("ALMemory", "raiseEvent", "Game/Event", [1, "x"])
    assert own.pushes(2) == [{"push": "link", "link": number, "value": [1, "x"]} for number in (first, second)]
    assert own.ask("unlink", link=first) is True
    own.call("ALMemory", "raiseMicroEvent", "Game/Event", 2)
    assert own.pushes(3)[2] == {"push": "link", "link": second, "value": 2}
    assert own.ask("state")["open"] == []  # A client outside leaves nothing behind on the robot.


def test_modules_of_others_hear_events_until_they_are_withdrawn(own):
    with pytest.raises(RuntimeError, match="Can't find service: Mine"):
        own.call("ALMemory", "subscribeToEvent", "Game/Event", "Mine", "onEvent")
    own.ask("offer", module="Mine")
    with pytest.raises(RuntimeError, match="already registered"):
        own.ask("offer", module="Mine")
    own.call("ALMemory", "subscribeToEvent", "Game/Event", "Mine", "onEvent")
    own.call("ALMemory", "subscribeToEvent", "FrontTactilTouched", "Mine", "note", "onTouch")
    own.call("ALMemory", "raiseEvent", "Game/Event", 1)
    own.ask("touch", sensor="FrontTactilTouched")
    assert [(said["module"], said["method"], said["args"]) for said in own.pushes(3)] == [
        ("Mine", "onEvent", ["Game/Event", 1, ""]),
        ("Mine", "onTouch", ["FrontTactilTouched", 1.0, "note"]),
        ("Mine", "onTouch", ["FrontTactilTouched", 0.0, "note"]),
    ]
    own.ask("withdraw", module="Mine")
    assert own.call("ALMemory", "getSubscribers", "Game/Event") == []
    assert own.ask("ears")["touch"] == []


def test_a_person_is_heard_and_touches(own):
    own.call("ALSpeechRecognition", "setVocabulary", ["yes", "no"], False)
    own.ask("link", event="WordRecognized")
    own.call("ALSpeechRecognition", "subscribe", "Test")
    ears = own.ask("ears")
    assert (ears["engine"], ears["vocabulary"]) == ("ALSpeechRecognition", ["yes", "no"])
    own.ask("hear", phrase="yes", confidence=0.75)
    while own.pushes(1)[-1]["value"] != ["yes", 0.75]:
        own.read()
    own.call("ALSpeechRecognition", "unsubscribe", "Test")
    own.ask("link", event="FrontTactilTouched")
    for verb, value in (("press", 1.0), ("release", 0.0)):
        count = len(own.pushed) + 1
        own.ask(verb, sensor="FrontTactilTouched")
        assert own.pushes(count)[-1]["value"] == value


def install(line, tmpdir, code, links=None):
    """Install a package of one behaviour with one box."""
    held = {"Only": w.behaviour([w.box("One", w.on_start(code))], links)}
    line.call("PackageManager", "install", kit.package(tmpdir.join("a.pkg"), "app", behaviours=held))


def test_printing_scripts_do_not_get_into_the_lines(own, tmpdir):
    code = """
        import os, sys
        print("printed")
        sys.stdout.write("written\\n")
        os.write(1, b"to the file itself\\n")
        os.system("echo from a child")
        self.onStopped()
    """
    install(own, tmpdir, code)
    own.ask("watch")
    own.call("ALBehaviorManager", "runBehavior", "app")
    assert [said["fields"]["text"] for said in own.pushed if said["kind"] == "print"] == ["printed", "written"]
    assert own.call("ALMemory", "ping") is True


@pytest.mark.only_python_3
def test_a_loop_of_links_stops_the_behaviour_and_not_the_robot(own, tmpdir):
    install(own, tmpdir, "self.onStopped()", [("root.onStart", "One.onStart"), ("One.onStopped", "One.onStart")])
    own.ask("link", event="BehaviorsRun")
    own.call("ALBehaviorManager", "startBehavior", "app")
    assert [said["value"] for said in own.pushes(2)] == [["app/Only"], []]
    assert "look for a loop of links" in own.ask("state")["failures"][-1]
    assert own.call("ALMemory", "ping") is True


def test_the_end_of_the_input_ends_everything(tmpdir):
    server = Server()
    server.ask("open", speed=1)
    install(server, tmpdir, 'ALProxy("ALTextToSpeech").say("word " * 1000)')
    server.call("ALBehaviorManager", "startBehavior", "app")
    server.post("call", service="ALTextToSpeech", method="say", args=["word " * 100])
    folder = server.call("PackageManager", "package", "app")["path"]
    assert os.path.isdir(folder)
    assert server.close() == 0
    assert not os.path.exists(folder)


@pytest.mark.parametrize(
    "line, reason",
    [
        (b"rubbish", "is not JSON"),
        (b"", "is not JSON"),
        (b'{"id": 0, "do": "call"}', 'must be "open"'),
        (b'{"id": 0, "do": "open", "speed": 0}', "a speed of 0"),
        (b'{"id": 0, "do": "open", "speed": "x"}', "a speed"),
        (b'{"id": 0, "do": "open", "speed": 1e9}', "a speed of"),
        (b'{"id": 0, "do": "open", "robot_type": "R2"}', '"R2"'),
        (b'{"id": 0, "do": "open", "faults": {"x": 1}}', "TypeError"),
        (b'{"id": 0, "do": "open", "home": 3}', "not a path"),
    ],
)
def test_a_robot_that_cannot_be_made_is_refused(line, reason):
    written = []
    assert _PipedServer(io.BytesIO(line + b"\n"), Namespace(push=written.append)).serve() == 2
    assert reason in written[0]["error"] and len(written) == 1


@pytest.mark.parametrize("can_watch_pipes", [True, False])
def test_requests_are_answered_up_to_the_end_with_and_without_a_thread_that_reads(can_watch_pipes, monkeypatch):
    monkeypatch.setattr(json_server, "_CAN_WATCH_PIPES", can_watch_pipes)
    out, end = os.pipe()
    os.write(end, b'{"id": 0, "do": "open", "speed": 1000}\n{"id": 1, "do": "ears"}\nrubbish\n{"id": 2, "do": "said"}')
    os.close(end)
    written = []
    writer = Namespace(push=written.append, is_broken=False)
    assert _PipedServer(io.FileIO(out), writer).serve() == 0
    assert sorted(each["id"] or -1 for each in written[1:]) == [-1, 1, 2]


def test_a_robot_says_what_it_is_and_plans_mishaps_while_it_runs(own, robot):
    about = own.ask("about")
    assert about["python"] == ".".join(map(str, sys.version_info[:3]))
    assert {"ALMemory", "ALTextToSpeech", "PackageManager"} <= set(about["services"])
    own.call("ALTextToSpeech", "say", "Hello")
    assert own.ask("said") == ["Hello"]
    robot.ask("inject", faults={"raising": {"ALMemory.ping": ["Invalid signature", 1]}})
    with pytest.raises(RuntimeError, match="Invalid signature"):
        robot.call("ALMemory", "ping")
    assert robot.call("ALMemory", "ping") is True


def test_a_thousand_texts_are_kept_and_long_ones_push_out_more():
    with Robot() as made:
        spoken = SpokenTexts(made)
        for number in range(1005):
            made.trace.note("say", text="a%d" % number)
        said = spoken.texts()
        assert (len(said), said[0], said[-1]) == (1000, "a5", "a1004")
        for letter in "abcd":
            made.trace.note("say", text=letter * 300000)
        assert [text[0] for text in spoken.texts()] == ["b", "c", "d"]


def test_large_answers_that_nobody_reads_do_not_end_the_robot(monkeypatch):
    monkeypatch.setattr(remote, "MAX_UNREAD_BYTES", 100000)
    out, end = os.pipe()
    writer = remote.LineWriter(end)
    for number in range(20):
        writer.push({"id": number, "value": "x" * 20000})
    writer.push({"id": 20, "value": 1})
    assert not writer.is_broken
    with io.open(out, "rb") as lines:
        answers = [json.loads(lines.readline().decode("ascii")) for _ in range(21)]
    writer.close()
    os.close(end)
    assert [each["id"] for each in answers] == list(range(21)) and answers[20]["value"] == 1
    refused = [each for each in answers if "error" in each]
    assert 5 < len(refused) < 20 and "its answers are not read" in refused[0]["error"]


def test_lines_that_are_no_requests_are_refused_one_by_one():
    lines = [
        b"",
        b'{"do": "first"}',
        b"x" * (MAX_LINE_BYTES + 10),
        b"\xff",
        b"[1]",
        b"[" * 100000,
        b"  ",
        b"[" + b"[]," * 300000 + b"0]",
        b"9" * 3000000,
        b'{"do": "last"}',
    ]
    taken, refused = [], []
    RequestReader(io.BytesIO(b"\n".join(lines)), taken.append, refused.append).read_all()
    assert taken == [{"do": "first"}, {"do": "last"}]
    assert [str(error).split(" is ")[1] for error in refused] == [
        "too long",
        "not JSON",
        "not a JSON object",
        "not JSON",
        "too long",
        "not JSON",
    ]


def ask_virtually(*requests):
    """Return the values of a robot in virtual time, or its sentences."""
    sent = []
    server = JsonServer(sent.append)
    assert server.open({"id": 0, "do": "open", "clock": "virtual"})
    try:
        for request in requests:
            server.take(request)
    finally:
        server.close()
    return [answer.get("error") or unpack_value(answer["value"]) for answer in sent[1:]]


@pytest.mark.parametrize(
    "request_, sentence",
    [
        ({"do": "dance"}, 'do not know how to "dance"'),
        ({"do": "said"}, 'do not know how to "said"'),
        ({}, "do not know how to None"),
        ({"do": "load"}, '"file" is None'),
        ({"do": "load", "file": "/no/such.xar"}, "cannot read /no/such.xar: No such file or directory"),
        ({"do": "start"}, "no behaviour is loaded: call load first"),
        ({"do": "hear", "phrase": 3}, '"phrase" is 3'),
        ({"do": "hear", "phrase": "x" * 4001}, "a phrase of 4001 characters is too long"),
        ({"do": "speak", "hypotheses": [["yes", 1, 2]]}, "a hypothesis is a phrase with a confidence"),
        ({"do": "speak", "hypotheses": [["yes", 0.5]] * 11}, "11 hypotheses are too many: use at most 10"),
        ({"do": "stay_silent", "seconds": -1}, "a silence of -1 seconds is shorter than none"),
        ({"do": "touch", "sensor": "Nose"}, 'the robot has no sensor "Nose"'),
    ],
)
def test_wrong_requests_in_virtual_time_are_answered_with_a_sentence(request_, sentence):
    (answer,) = ask_virtually(dict(request_, id=1))
    assert sentence in answer


def test_wrong_requests_in_virtual_time():
    (answer,) = ask_virtually({"do": "start"})
    assert "has no number as its id" in answer
