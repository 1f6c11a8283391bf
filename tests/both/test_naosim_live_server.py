"""The server of a robot in real time, over pipes and through its socket."""

from __future__ import absolute_import, division, print_function

import json
import os
import socket
import subprocess
import sys
import threading
import time

import naosim_xar_writer as w
import package_files as kit
import pytest

from naosim.compat import natively
from naosim.live_server import SpokenTexts
from naosim.remote import DoesNotTravel, pack_value, unpack_value
from naosim.robot import Robot

# The live server seen from the other end of its pipes: JSON lines in and out, concurrent requests, any input.

#: Real seconds after which a test gives up waiting.
PATIENCE = 30.0
NOISY = w.script("""
    def onInput_onStart(self):
        import os, sys
        print("printed")
        sys.stdout.write("written\\n")
        os.write(1, b"to the file itself\\n")
        os.system("echo from a child")
        self.onStopped()
""")
#: Starts itself for ever.
LOOP = w.script("""
    def onInput_onStart(self):
        self.onStopped()
""")
LONG = w.script("""
    def onInput_onStart(self):
        ALProxy("ALTextToSpeech").say("word " * 1000)
""")


class Talk(object):
    """A server process, the requests sent to it, and every line it wrote."""

    def __init__(self, **options):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "naosim.live_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.raw, self.pushed, self._answers, self._number = [], [], {}, 0
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.daemon = True
        self._reader.start()
        if options.pop("opened", True):
            self.about = self.ask("open", **dict({"speed": 100}, **options))

    def send(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def post(self, verb, **fields):
        """Send a request and return its number."""
        number, self._number = self._number, self._number + 1
        self.send(json.dumps(dict(fields, id=number, do=verb)).encode("ascii"))
        return number

    def ask(self, verb, **fields):
        """Send a request, wait and return the value; RuntimeError with the server's error sentence."""
        answer = self.answer(self.post(verb, **fields))
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return unpack_value(answer["value"])

    def call(self, service, method, *args):
        return self.ask("call", service=service, method=method, args=pack_value(list(args)))

    def answer(self, number):
        return self.wait(lambda: self._answers.get(number))

    def wait(self, condition):
        end = time.time() + PATIENCE
        with self._news:
            while True:
                found = condition()
                if found:
                    return found
                assert time.time() < end, "nothing came: %s" % self.raw[-3:]
                self._news.wait(0.1)

    def close(self):
        """End the input and return the exit status."""
        self.process.stdin.close()
        self._reader.join(PATIENCE)
        assert not self._reader.is_alive()
        self.process.stdout.close()
        return self.process.wait()

    def _read(self):
        for line in iter(self.process.stdout.readline, b""):
            with self._news:
                self.raw.append(line)
                try:
                    said = json.loads(line.decode("ascii"))
                except ValueError:
                    continue
                if "push" in said:
                    self.pushed.append(said)
                else:
                    self._answers.setdefault(said["id"], said)
                self._news.notify_all()


def ended_well(made):
    """Let a server end, and check that it wrote nothing but answers."""
    if not made.process.stdin.closed:
        assert made.close() == 0
    assert not [line for line in made.raw if not line.startswith(b"{")]


@pytest.fixture
def talk():
    made = Talk()
    yield made
    ended_well(made)


@pytest.fixture(scope="module")
def shared():
    """Provide one server for the tests that leave it as it was."""
    made = Talk()
    yield made
    ended_well(made)


def test_it_says_what_it_is(shared):
    assert shared.about["python"] == ".".join(map(str, sys.version_info[:3]))
    assert {"ALMemory", "ALTextToSpeech", "PackageManager"} <= set(shared.about["services"])
    assert shared.call("ALTextToSpeech", "getLanguage") == "English"


def test_a_long_request_does_not_block_others(shared):
    speech = shared.post("call", service="ALTextToSpeech", method="say", args=["word " * 400])
    assert shared.call("ALMemory", "ping") is True
    assert speech not in shared._answers
    shared.call("ALTextToSpeech", "stopAll")
    assert shared.answer(speech) == {"id": speech, "value": None}


def test_values_come_back_as_they_went(shared):
    numbers = [0, -(2**31), 2**31 - 1, 0.5, -1e300]
    for value in numbers + [None, True, False, "", "a b", [], [[1, ["two", [None]]], 3.0], "x" * 20000]:
        shared.call("ALMemory", "insertData", "Key", value)
        back = shared.call("ALMemory", "getData", "Key")
        assert back == value and type(back) is type(value), value


def test_texts_and_bytes_come_back_as_they_went(shared):
    text = natively(u"gr\xfc\xdfe \u4f60 \U0001f916")
    shared.call("ALMemory", "insertData", "Key", text)
    assert shared.call("ALMemory", "getData", "Key") == text
    shared.call("ALMemory", "insertData", "Key", [bytearray(b"\x00\xff")])
    assert shared.call("ALMemory", "getData", "Key") == [bytearray(b"\x00\xff")]


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


def test_wrong_requests_are_answered_with_a_sentence(shared):
    for verb, fields, reason in [
        ("call", {"service": "ALNothing", "method": "say"}, "Can't find service: ALNothing"),
        ("call", {"service": "ALMemory", "method": "nothing"}, "Can't find method: nothing"),
        ("call", {"service": "ALMemory", "method": "__init__"}, "Can't find method"),
        ("call", {"service": "ALMemory", "method": "getData", "args": [1]}, "a string is needed"),
        ("call", {"service": "ALMemory", "method": "getData"}, "number mismatch"),
        ("call", {"service": "ALMemory", "method": "getData", "args": ["No/Key"]}, "Data not found: No/Key"),
        ("call", {"service": "ALMemory", "method": "insertData", "args": ["Key", 2**40]}, "32 bits"),
        (
            "call",
            {"service": "ALMemory", "method": "insertData", "args": ["Key", {"x": 1}]},
            "neither bytes nor a dict",
        ),
        ("call", {"service": "ALMemory", "method": "subscriber", "args": ["Key"]}, "a Subscriber does not travel"),
        ("call", {"service": 3, "method": "x"}, '"service" is 3'),
        ("call", {"service": "ALMemory", "method": "ping", "args": "x"}, '"args" is "x"'),
        ("call", {}, '"service" is None'),
        ("link", {}, '"event" is None'),
        ("unlink", {"link": 99}, "No link"),
        ("unlink", {"link": []}, '"link" is []'),
        ("offer", {"module": "ALMemory"}, "already registered"),
        ("withdraw", {"module": "Nobody"}, 'Cannot find service "Nobody"'),
        ("hear", {"phrase": "yes", "confidence": 2}, "no number from 0 to 1"),
        ("hear", {"phrase": None}, '"phrase" is None'),
        ("touch", {"sensor": "Nose"}, 'no sensor "Nose"'),
        ("stay_silent", {"seconds": "x"}, '"seconds" is "x"'),
        ("stay_silent", {"seconds": 1e9}, "too long"),
        ("inject", {"faults": 3}, '"faults" is 3'),
        ("inject", {"faults": {"nonsense": 1}}, "nonsense"),
        ("inject", {"faults": {"raising": {"say": "no"}}}, "ValueError"),
        ("open", {}, 'do not know how to "open"'),
        ("take", {}, 'do not know how to "take"'),
        ("_do_call", {}, "do not know"),
        (None, {}, "do not know how to None"),
        ([], {}, "do not know how to []"),
    ]:
        with pytest.raises(RuntimeError) as caught:
            shared.ask(verb, **fields)
        assert reason in str(caught.value), verb
        assert shared.call("ALMemory", "ping") is True, verb


def test_lines_that_are_no_requests_are_answered_and_do_no_harm(talk):
    bad = [
        b"rubbish",
        b"{",
        b"[]",
        b"3",
        b'"x"',
        b"{}",
        b'{"id": "x"}',
        b'{"id": true}',
        b'{"id": 1.5}',
        b"\xff\xfe\x00",
        b"[" * 100000,
        b'{"id": 7',
        b"\x00" * 1000,
        b"x" * (5 * 1024 * 1024),
    ]
    for line in bad:
        talk.send(line)
        talk.send(b"   ")
    assert talk.call("ALMemory", "ping") is True
    refused = [json.loads(line.decode("ascii")) for line in talk.raw if b'"id": null' in line]
    assert len(refused) == len(bad)
    assert all("the request" in said["error"] or "too long" in said["error"] for said in refused)
    assert max(len(said["error"]) for said in refused) < 500


def test_an_answer_that_is_too_long_is_an_error(talk):
    for number in range(350):
        talk.call("ALMemory", "insertData", "Key/%d" % number, "x" * 20000)
    with pytest.raises(RuntimeError, match="too long"):
        talk.call("ALMemory", "getListData", ["Key/%d" % number for number in range(350)])
    assert talk.call("ALMemory", "ping") is True


def test_far_more_requests_than_tasks(shared):
    numbers = [shared.post("stay_silent", seconds=20) for _ in range(1000)]
    for number in numbers:
        assert shared.answer(number)["value"] is None


def test_links_hear_events_until_they_end(talk):
    first, second = talk.ask("link", event="Game/Event"), talk.ask("link", event="Game/Event")
    talk.call("ALMemory", "raiseEvent", "Game/Event", [1, "x"])
    talk.wait(lambda: len(talk.pushed) == 2)
    assert talk.pushed == [{"push": "link", "link": number, "value": [1, "x"]} for number in (first, second)]
    assert talk.ask("unlink", link=first) is True
    talk.call("ALMemory", "raiseMicroEvent", "Game/Event", 2)
    talk.wait(lambda: len(talk.pushed) == 3)
    assert talk.pushed[2] == {"push": "link", "link": second, "value": 2}
    assert talk.ask("state")["open"] == []  # A client outside leaves nothing behind on the robot.


def test_modules_of_others_hear_events_until_they_are_withdrawn(talk):
    with pytest.raises(RuntimeError, match="Can't find service: Mine"):
        talk.call("ALMemory", "subscribeToEvent", "Game/Event", "Mine", "onEvent")
    talk.ask("offer", module="Mine")
    with pytest.raises(RuntimeError, match="already registered"):
        talk.ask("offer", module="Mine")
    talk.call("ALMemory", "subscribeToEvent", "Game/Event", "Mine", "onEvent")
    talk.call("ALMemory", "subscribeToEvent", "FrontTactilTouched", "Mine", "note", "onTouch")
    talk.call("ALMemory", "raiseEvent", "Game/Event", 1)
    talk.ask("touch", sensor="FrontTactilTouched")
    talk.wait(lambda: len(talk.pushed) == 3)
    assert [(said["module"], said["method"], said["args"]) for said in talk.pushed] == [
        ("Mine", "onEvent", ["Game/Event", 1, ""]),
        ("Mine", "onTouch", ["FrontTactilTouched", 1.0, "note"]),
        ("Mine", "onTouch", ["FrontTactilTouched", 0.0, "note"]),
    ]
    talk.ask("withdraw", module="Mine")
    assert talk.call("ALMemory", "getSubscribers", "Game/Event") == []
    assert talk.ask("ears")["touch"] == []


def test_a_person_is_heard(talk):
    talk.call("ALSpeechRecognition", "setVocabulary", ["yes", "no"], False)
    talk.ask("link", event="WordRecognized")
    talk.call("ALSpeechRecognition", "subscribe", "Test")
    ears = talk.ask("ears")
    assert (ears["engine"], ears["vocabulary"]) == ("ALSpeechRecognition", ["yes", "no"])
    talk.ask("hear", phrase="yes", confidence=0.75)
    talk.wait(lambda: [said for said in talk.pushed if said["value"] == ["yes", 0.75]])


def test_a_finger_stays_on_a_sensor(talk):
    talk.ask("link", event="FrontTactilTouched")
    talk.ask("press", sensor="FrontTactilTouched")
    talk.wait(lambda: [said["value"] for said in talk.pushed] == [1.0])
    talk.ask("release", sensor="FrontTactilTouched")
    talk.wait(lambda: [said["value"] for said in talk.pushed] == [1.0, 0.0])


def test_mishaps_can_be_planned_while_it_runs(talk):
    talk.ask("inject", faults={"raising": {"ALMemory.ping": ["Invalid signature", 1]}})
    with pytest.raises(RuntimeError, match="Invalid signature"):
        talk.call("ALMemory", "ping")
    assert talk.call("ALMemory", "ping") is True


def install(talk, tmpdir, **scripts):
    held = {
        name: w.behaviour([w.box("One", text)], [("root.onStart", "One.onStart"), link])
        for name, (text, link) in scripts.items()
    }
    talk.call("PackageManager", "install", kit.package(tmpdir.join("a.pkg"), "app", behaviours=held))


END, AGAIN = ("One.onStopped", "root.onStopped"), ("One.onStopped", "One.onStart")


def test_printing_scripts_do_not_get_into_the_lines(talk, tmpdir):
    install(talk, tmpdir, Noisy=(NOISY, END))
    talk.ask("watch")
    talk.call("ALBehaviorManager", "runBehavior", "app")
    texts = talk.wait(
        lambda: (
            [said["fields"]["text"] for said in talk.pushed if said["kind"] == "print"][1:]
            and [said["fields"]["text"] for said in talk.pushed if said["kind"] == "print"]
        )
    )
    assert texts == ["printed", "written"]


def test_a_loop_of_links_stops_the_behaviour_and_not_the_robot(talk, tmpdir):
    install(talk, tmpdir, Loop=(LOOP, AGAIN))
    talk.ask("link", event="BehaviorsRun")
    talk.call("ALBehaviorManager", "startBehavior", "app")
    talk.wait(lambda: [said["value"] for said in talk.pushed] == [["app/Loop"], []])
    state = talk.ask("state")
    assert "look for a loop of links" in state["failures"][0]
    assert talk.call("ALMemory", "ping") is True


def test_the_end_of_the_input_ends_everything(tmpdir):
    talk = Talk(speed=1)
    install(talk, tmpdir, Long=(LONG, END))
    talk.call("ALBehaviorManager", "startBehavior", "app")
    talk.post("call", service="ALTextToSpeech", method="say", args=["word " * 100])
    folder = talk.call("PackageManager", "package", "app")["path"]
    assert os.path.isdir(folder)
    assert talk.close() == 0
    assert not os.path.exists(folder)


def test_a_robot_that_cannot_be_made_is_refused():
    for line, reason in [
        (b"rubbish", "is no JSON"),
        (b'{"id": 0, "do": "call"}', "has to be open"),
        (b"", "is no JSON"),
        (b'{"id": 0, "do": "open", "speed": 0}', "a speed of 0"),
        (b'{"id": 0, "do": "open", "speed": "x"}', "a speed"),
        (b'{"id": 0, "do": "open", "speed": 1e9}', "a speed of"),
        (b'{"id": 0, "do": "open", "robot_type": "R2"}', '"R2"'),
        (b'{"id": 0, "do": "open", "faults": {"x": 1}}', "TypeError"),
        (b'{"id": 0, "do": "open", "home": 3}', "no path"),
    ]:
        talk = Talk(opened=False)
        talk.send(line)
        said = talk.wait(lambda talk=talk: talk.raw)[0]
        assert talk.close() == 2, line
        assert reason in json.loads(said.decode("ascii"))["error"], line


# The door of a live server: further programs use the same robot, each for itself, and leave nothing behind.



class Line(object):
    """One end of a robot's line: requests out, answers and pushed messages in."""

    def __init__(self, write, lines):
        self._write, self._lines, self._number, self.pushed = write, lines, 0, []

    def ask(self, verb, **fields):
        """Send a request and return the answer's value, or its error as a RuntimeError."""
        self._number += 1
        self._write(json.dumps(dict(fields, id=self._number, do=verb)).encode("ascii") + b"\n")
        answer = self.read(lambda said: said.get("id") == self._number)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return unpack_value(answer["value"])

    def read(self, wanted):
        """Read until a message is the wanted one."""
        while True:
            said = json.loads(self._lines.readline().decode("ascii"))
            if wanted(said):
                return said
            self.pushed.append(said)

    def call(self, service, method, *args):
        return self.ask("call", service=service, method=method, args=pack_value(list(args)))


class Visit(Line):
    """A program that has come through the door."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(path)
        Line.__init__(self, self._socket.sendall, self._socket.makefile("rb"))

    def go(self):
        """Leave without a farewell."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._lines.close()
        self._socket.close()


@pytest.fixture
def robot(tmpdir):
    """Provide a robot with a door."""
    process = subprocess.Popen(
        [sys.executable, "-m", "naosim.live_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    path = str(tmpdir.join("door"))
    made = Line(process.stdin.write, process.stdout)
    made.door = path
    made.about = made.ask("open", speed=1000, door=path)
    yield made
    process.stdin.close()
    assert process.wait() == 0
    process.stdout.close()
    assert not os.path.exists(path)


def until(condition):
    end = time.time() + PATIENCE
    while not condition():
        assert time.time() < end
        time.sleep(0.01)


def test_a_visitor_finds_the_same_robot(robot):
    visit = Visit(robot.door)
    assert visit.ask("about") == robot.about
    robot.call("ALMemory", "insertData", "Key", u"gr\xfc\xdfe")
    assert visit.call("ALMemory", "getData", "Key") == robot.call("ALMemory", "getData", "Key")
    visit.call("ALTextToSpeech", "say", "Hello")
    assert robot.ask("said") == visit.ask("said") == ["Hello"]
    with pytest.raises(RuntimeError, match=r"do not know how to .fly."):
        visit.ask("fly")
    visit.go()
    assert robot.ask("said") == ["Hello"]


def test_what_a_visitor_leaves_goes_with_it(robot):
    def state():
        return [sorted(robot.call("ALMemory", "getSubscribers", "Test/Event")), robot.ask("state")["open"]]

    before = state()
    for _ in range(3):
        visit = Visit(robot.door)
        visit.ask("link", event="Test/Event")
        visit.ask("offer", module="Module")
        visit.call("ALMemory", "subscribeToEvent", "Test/Event", "Module", "onEvent")
        visit.ask("watch")
        robot.call("ALMemory", "raiseEvent", "Test/Event", 7)
        assert visit.read(lambda said: said.get("push") == "module")["args"][1] == 7
        assert "Module" in robot.call("ALMemory", "getSubscribers", "Test/Event")
        with pytest.raises(RuntimeError, match="Cannot find service"):
            robot.ask("withdraw", module="Module")
        visit.go()
        until(lambda: state() == before)
        robot.call("ALMemory", "raiseEvent", "Test/Event", 8)


def test_two_visitors_do_not_hear_each_others_answers(robot):
    one, other = Visit(robot.door), Visit(robot.door)
    for number in range(20):
        assert (one.call("ALMemory", "ping"), other.ask("state")["running"]) == (True, [])
        assert one._number == other._number == number + 1
    assert (one.pushed, other.pushed) == ([], [])
    for each in (one, other):
        each.go()


def test_a_visitor_that_goes_while_the_robot_speaks(robot):
    visit = Visit(robot.door)
    visit._write(
        json.dumps(
            {"id": 1, "do": "call", "service": "ALTextToSpeech", "method": "say", "args": ["word " * 200]}
        ).encode("ascii")
        + b"\n"
    )
    until(lambda: robot.ask("said"))
    visit.go()
    assert robot.call("ALMemory", "ping") is True


def test_a_visitor_that_says_nonsense(robot):
    for line, answer in [
        (b"no json\n", "is no JSON"),
        (b"[]\n", "is no JSON object"),
        (b"{}\n", "has no number as its id"),
        (b'{"id": 3, "do": "open"}\n', 'do not know how to "open"'),
    ]:
        visit = Visit(robot.door)
        visit._write(line)
        assert answer in visit.read(lambda said: "error" in said)["error"], line
        assert visit.call("ALMemory", "ping") is True, line
        visit.go()


def test_a_thousand_texts_are_kept(robot):
    for number in range(1005):
        robot.call("ALTextToSpeech", "say", "a%d" % number)
    said = robot.ask("said")
    assert (len(said), said[0], said[-1]) == (1000, "a5", "a1004")


def test_long_texts_push_out_more():
    with Robot() as robot:
        spoken = SpokenTexts(robot)
        for letter in "abcd":
            robot.trace.note("say", text=letter * 300000)
        assert [text[0] for text in spoken.texts()] == ["b", "c", "d"]


def test_a_door_that_cannot_be_made():
    process = subprocess.Popen(
        [sys.executable, "-m", "naosim.live_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    made = Line(process.stdin.write, process.stdout)
    with pytest.raises(RuntimeError):
        made.ask("open", door="/nowhere/at/all")
    process.stdin.close()
    assert process.wait() == 2
    process.stdout.close()
