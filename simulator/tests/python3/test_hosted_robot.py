"""The hosted robot, a child process used by many threads at once, and behaviours in it, which are stepped."""

import io
import os
import signal
import sys
import threading
import time
from concurrent.futures import wait

import naosim_xar_writer as w
import package_files as kit
import pytest
from interpreters import ROOT, python27

from naosim import Robot, WireError
from naosim.remote import MAX_LINE_BYTES
from naosim_robots import hosting
from naosim_robots.hosting import HostedRobot, RemoteRobot, RobotGone

#: Real seconds after which a test gives up waiting.
PATIENCE = 30.0
TEXT, HEAD = "ALTextToSpeech", "FrontTactilTouched"


PYTHONS = pytest.mark.parametrize("python", ["3", "2.7"])


@pytest.fixture(scope="module")
def robot():
    """Provide one robot for the tests that leave it as it was."""
    with HostedRobot(speed=100) as made:
        yield made


@pytest.fixture
def nothing_left():
    """Check that the test leaves no thread and no file descriptor; those of earlier tests may end meanwhile."""
    names, count = threads(), descriptors()
    yield
    until(lambda: threads() <= names and descriptors() <= count)


def threads():
    return {thread.name for thread in threading.enumerate() if thread.name.startswith("naosim")}


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def ask(robot, service, method, *args):
    return robot.call(service, method, args).result(PATIENCE)


@PYTHONS
def test_a_robot_answers_under_either_python(python, nothing_left):
    with HostedRobot(python27() if python == "2.7" else sys.executable, speed=100) as robot:
        assert robot.python_version.startswith(f"{python}.")
        assert "PackageManager" in robot.services
        for value in (None, True, 3, 0.25, "grüße 🤖", [1, ["a", []]], b"\0\xff"):
            ask(robot, "ALMemory", "insertData", "Key", value)
            assert ask(robot, "ALMemory", "getData", "Key") == value
        with pytest.raises(RuntimeError, match="Data not found Nothing"):
            ask(robot, "ALMemory", "getData", "Nothing")


@PYTHONS
def test_a_folder_with_names_of_the_standard_library_hides_nothing(python, tmp_path, monkeypatch):
    tmp_path.joinpath("copy.py").write_text("raise ImportError('not the one of Python')\n")
    monkeypatch.chdir(tmp_path)
    with HostedRobot(python=python27() if python == "2.7" else "") as robot:
        assert ask(robot, TEXT, "getLanguage") == "English"


def test_options_reach_the_robot(tmp_path):
    options = {"without": ["ALLeds"], "languages": ["French"], "robot_type": "Pepper", "naoqi": "2.5"}
    options["home"] = tmp_path
    faults = {"raising": {"ALMemory.ping": "Invalid signature"}}
    with HostedRobot(speed=100, faults=faults, **options) as robot:
        assert "ALLeds" not in robot.services
        assert ask(robot, TEXT, "getAvailableLanguages") == ["French"]
        assert ask(robot, "ALRobotModel", "getRobotType") == "Juliette"
        assert ask(robot, "ALSystem", "systemVersion") == "2.5.10.7"
        with pytest.raises(RuntimeError, match="Invalid signature"):
            ask(robot, "ALMemory", "ping")
        robot.inject({"raising": {"ALTextToSpeech.say": ["no voice", 1]}}).result(PATIENCE)
        with pytest.raises(RuntimeError, match="no voice"):
            ask(robot, TEXT, "say", "Hello")
        ask(robot, TEXT, "say", "Hello")


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"python": "/no/such/python"}, "Cannot start the simulated robot with /no/such/python"),
        ({"python": "zero\0"}, "Cannot start"),
        ({"python": "/bin/true"}, "has ended"),
        ({"speed": 0}, "a speed of 0"),
        ({"robot_type": "R2D2"}, "no robot"),
        ({"naoqi": "3.0"}, "no NAOqi"),
        ({"faults": {"nonsense": 1}}, "nonsense"),
    ],
)
def test_a_robot_that_cannot_start_gives_the_reason(options, reason, nothing_left):
    with pytest.raises(RobotGone, match=reason):
        HostedRobot(**options)


def test_a_hundred_calls_at_once_from_many_threads(robot):
    answers = []
    lock = threading.Lock()

    def program(name):
        for number in range(10):
            stored = robot.call("ALMemory", "insertData", [f"{name}/{number}", number])
            mine = [stored, robot.call("ALMemory", "getData", [f"{name}/{number}"]), robot.person("stay_silent", 5)]
            with lock:
                answers.extend(mine)

    programs = [threading.Thread(target=program, args=(name,)) for name in range(20)]
    for each in programs:
        each.start()
    for each in programs:
        each.join()
    assert not wait(answers, PATIENCE).not_done
    numbers = [answer.result() for answer in answers if answer.result() is not None]
    assert sorted(numbers) == sorted(list(range(10)) * 20)


def test_events_come_in_order_and_callbacks_may_ask(robot):
    heard = []

    def on_event(value):
        # The deliveries have a thread of their own, so waiting for an answer holds no answer up.
        heard.append([value, ask(robot, "ALMemory", "getData", "Game/Event")[0:1]])

    number = robot.link("Game/Event", on_event).result(PATIENCE)
    for turn in range(20):
        ask(robot, "ALMemory", "raiseEvent", "Game/Event", [turn])
    until(lambda: len(heard) == 20)
    assert [value for value, _ in heard] == [[turn] for turn in range(20)]
    assert robot.unlink(number).result(PATIENCE) is True
    ask(robot, "ALMemory", "raiseEvent", "Game/Event", ["late"])
    with pytest.raises(RuntimeError, match="No link"):
        robot.unlink(number).result(PATIENCE)
    assert len(heard) == 20


def test_modules_of_other_programs_are_called(robot, caplog):
    heard = []

    def send(method, args):
        heard.append((method, args))
        raise ValueError("the program's own mistake")

    robot.offer("Mine", send).result(PATIENCE)
    with pytest.raises(RuntimeError, match="already registered"):
        robot.offer("Mine", send).result(PATIENCE)
    with pytest.raises(RuntimeError, match="already registered"):
        robot.offer(TEXT, send).result(PATIENCE)
    ask(robot, "ALMemory", "subscribeToEvent", "Game/Event", "Mine", "onEvent")
    for value in (1, 2):
        ask(robot, "ALMemory", "raiseEvent", "Game/Event", value)
    until(lambda: len(heard) == 2)
    assert heard == [("onEvent", ["Game/Event", 1, ""]), ("onEvent", ["Game/Event", 2, ""])]
    assert "the program's own mistake" in caplog.text
    robot.withdraw("Mine").result(PATIENCE)
    assert ask(robot, "ALMemory", "getSubscribers", "Game/Event") == []
    robot.offer("Mine", send).result(PATIENCE)
    robot.withdraw("Mine").result(PATIENCE)


def test_acts_of_a_person(robot):
    heard = []
    ask(robot, "ALSpeechRecognition", "setVocabulary", ["yes", "no"], False)
    ask(robot, "ALSpeechRecognition", "subscribe", "Test")
    robot.link("WordRecognized", heard.append).result(PATIENCE)
    robot.link(HEAD, heard.append).result(PATIENCE)
    ears = {"engine": "ALSpeechRecognition", "vocabulary": ["yes", "no"], "spotting": False, "touch": [HEAD]}
    assert robot.person("ears").result(PATIENCE) == ears
    robot.person("hear", "yes", 0.75).result(PATIENCE)
    until(lambda: ["yes", 0.75] in heard)
    robot.person("touch", HEAD).result(PATIENCE)
    until(lambda: heard[-2:] == [1.0, 0.0])
    robot.person("press", HEAD).result(PATIENCE)
    until(lambda: heard[-1] == 1.0)
    robot.person("release", HEAD).result(PATIENCE)
    until(lambda: heard[-1] == 0.0)
    robot.person("stay_silent").result(PATIENCE)
    state = robot.person("state").result(PATIENCE)
    assert (state["running"], state["failures"], state["leaks"]) == ([], [], [])
    assert robot.ask("behaviour").result(PATIENCE) == {"id": "", "runs": False}
    ask(robot, "ALSpeechRecognition", "unsubscribe", "Test")


def test_watchers_get_the_events_of_the_trace(robot):
    one, other = [], []
    robot.watch(one.append)
    robot.watch(other.append)
    ask(robot, TEXT, "say", "Hello")
    until(lambda: [event.fields["text"] for event in other if event.kind == "say"] == ["Hello"])
    assert one == other and all(event.time > 0 for event in one)


@pytest.mark.parametrize("value", [object(), {"a": object()}, ["x"] * 10 + [{1, 2}]])
def test_values_that_do_not_travel_and_unknown_acts_are_refused(robot, value):
    with pytest.raises(RuntimeError, match="cannot be sent"):
        ask(robot, "ALMemory", "insertData", "Key", value)
    with pytest.raises(RuntimeError, match="too long"):
        ask(robot, "ALMemory", "insertData", "Key", "x" * MAX_LINE_BYTES)
    for verb, args, reason in (("dance", (), "cannot"), ("touch", (HEAD, 1), "at most"), ("touch", ("Nose",), "Nose")):
        with pytest.raises(RuntimeError, match=reason):
            robot.person(verb, *args).result(PATIENCE)
    assert ask(robot, "ALMemory", "ping") is True


def test_the_end_of_the_child_fails_all_waiting_requests(nothing_left):
    def kill(robot):
        os.kill(robot._child.process.pid, signal.SIGKILL)

    robot = HostedRobot(speed=1)
    waiting = [robot.call(TEXT, "say", ["word " * 100]) for _ in range(50)]
    ask(robot, "ALMemory", "ping")
    kill(robot)
    for answer in waiting:
        with pytest.raises(RobotGone, match=r"has ended \(status -9\): start it again"):
            answer.result(PATIENCE)
    asked = [robot.call("ALMemory", "ping", []), robot.link("X", print), robot.offer("X", print)]
    for late in (*asked, robot.person("state"), robot.unlink(1), robot.inject({})):
        with pytest.raises(RobotGone, match="has ended"):
            late.result(PATIENCE)
    robot.close()
    robot.close()


def test_a_closed_robot_refuses_requests(nothing_left):
    robot = HostedRobot(speed=1)
    waiting = robot.call(TEXT, "say", ["word " * 100])
    ask(robot, "ALMemory", "ping")
    closers = [threading.Thread(target=robot.close) for _ in range(5)]
    for each in closers:
        each.start()
    for each in closers:
        each.join(PATIENCE)
    for answer in (waiting, robot.call("ALMemory", "ping", [])):
        with pytest.raises(RobotGone, match=r"The simulated robot is closed\."):
            answer.result(PATIENCE)
    assert robot._child.process.returncode == 0


def test_a_child_that_hangs_is_killed(nothing_left):
    robot = HostedRobot()
    process = robot._child.process
    os.kill(process.pid, signal.SIGSTOP)
    # The robot reads nothing any more: the pipe fills up, but no caller waits for it.
    for _ in range(20):
        robot.call("ALMemory", "insertData", ["K", "x" * 20000])
    robot.close()
    assert process.returncode == -signal.SIGKILL


def test_the_rest_of_a_line_to_a_killed_robot_reaches_no_other_file(monkeypatch):
    monkeypatch.setattr(hosting, "_WRITE_TIMEOUT_S", 0.05)
    write, writing, closed = os.write, [], []
    reader, number = os.pipe()

    def note_write(*arguments):
        writing.append(arguments)
        try:
            return write(*arguments)
        finally:
            writing.pop()

    class ToRobot(io.FileIO):
        def close(self):
            closed.append(len(writing))
            super().close()

    class Robot(hosting._Connection):
        def kill(self):
            # A killed process ends a little later.
            threading.Timer(0.2, os.close, [reader]).start()

    monkeypatch.setattr(os, "write", note_write)
    robot = Robot(ToRobot(number, "wb"), io.BytesIO())
    robot.write({"value": "x" * 200000})
    until(lambda: writing)
    robot.end()
    assert closed == [0]


def test_a_robot_that_reads_no_requests_for_a_long_time_is_busy(monkeypatch, nothing_left):
    monkeypatch.setattr(hosting, "MAX_UNREAD_BYTES", 1000000)
    with HostedRobot() as robot:
        os.kill(robot._child.process.pid, signal.SIGSTOP)
        answers = []

        def is_refused():
            """Ask once more; on a busy computer, the robot stops a little after its signal."""
            answers.append(robot.call("ALMemory", "insertData", ["K", "x" * 20000]))
            return answers[-1].done() and answers[-1].exception() is not None

        until(is_refused)
        with pytest.raises(RuntimeError, match="the robot is busy: it does not read"):
            answers[-1].result(0)
        os.kill(robot._child.process.pid, signal.SIGCONT)
        assert 40 < [answer.exception(PATIENCE) for answer in answers].count(None) == len(answers) - 1
        assert ask(robot, "ALMemory", "ping") is True


def test_callbacks_that_never_return_end_the_robot(monkeypatch, nothing_left):
    monkeypatch.setattr(hosting, "MAX_DELIVERIES", 50)
    held = threading.Event()
    robot = HostedRobot(speed=100)
    robot.link("Game/Event", lambda value: held.wait(PATIENCE)).result(PATIENCE)
    answers = [robot.call("ALMemory", "raiseEvent", ["Game/Event", turn]) for turn in range(100)]
    until(lambda: robot._child.process.poll() is not None)
    held.set()
    wait(answers, PATIENCE)
    with pytest.raises(RobotGone, match="has ended"):
        ask(robot, "ALMemory", "ping")
    robot.close()


def test_a_callback_may_close_the_robot(nothing_left):
    robot = HostedRobot(speed=100)
    robot.link("Game/Event", lambda value: robot.close()).result(PATIENCE)
    robot.call("ALMemory", "raiseEvent", ["Game/Event", 1])
    until(lambda: robot._child.process.poll() is not None)
    robot.close()


@PYTHONS
def test_behaviours_of_a_package_run(python, tmp_path):
    behaviours = {"dance": kit.xar("dance.xar"), "story": kit.xar("old_story.xar")}
    path = kit.package(tmp_path / "a.pkg", "others", behaviours=behaviours)
    with HostedRobot(python27() if python == "2.7" else "", speed=50) as robot:
        texts = []
        robot.watch(lambda each: each.kind == "say" and texts.append(each.fields.get("plain") or each.fields["text"]))
        ask(robot, "PackageManager", "install", path)
        ask(robot, "ALBehaviorManager", "runBehavior", "others/dance")
        assert texts == ["One.", "Two.", "That was my dance."]
        ask(robot, "ALBehaviorManager", "startBehavior", "others/story")
        until(lambda: robot.person("ears").result(PATIENCE)["vocabulary"] == ["yes", "no"])
        robot.person("hear", "yes").result(PATIENCE)
        until(lambda: HEAD in robot.person("ears").result(PATIENCE)["touch"])
        robot.person("touch", HEAD).result(PATIENCE)
        until(lambda: not robot.person("state").result(PATIENCE)["running"])
        assert texts[-1] == "Good bye."
        state = robot.person("state").result(PATIENCE)
        assert state["failures"] == []


GREETING = str(ROOT / "docs" / "greeting")


@pytest.fixture(scope="module", params=["", "2.7"], ids=["3", "2.7"])
def python(request):
    return python27() if request.param else ""


@pytest.fixture(scope="module")
def live_robot(python):
    with HostedRobot(python) as made:
        yield made


@pytest.fixture
def ask_live(live_robot):
    def asked(verb, **fields):
        return live_robot.ask(verb, **fields).result(PATIENCE)

    asked("pace", speed=0)
    return asked


def count_steps(ask_live, holds):
    """Step until something holds, and return how often."""
    for steps in range(100):
        if holds():
            return steps
        ask_live("step")
    raise AssertionError(holds)


def test_a_behaviour_runs_step_by_step_and_again(live_robot, ask_live):
    assert ask_live("load", file=GREETING) == {"id": "greeting/behavior_1", "runs": True}
    before = len(live_robot.person("said").result(PATIENCE))
    for _ in range(2):
        ask_live("start")
        count_steps(ask_live, lambda: ask_live("ears")["vocabulary"] == ["hello"])
        live_robot.person("hear", "hello").result(PATIENCE)
        count_steps(ask_live, lambda: not ask_live("behaviour")["runs"])
    assert live_robot.person("said").result(PATIENCE)[before:] == ["Is anybody there?", "Hello to you!"] * 2


def test_a_start_while_it_runs_begins_anew_and_a_stop_leaves_nothing_open(live_robot, ask_live):
    ask_live("load", file=GREETING)
    before = len(live_robot.person("said").result(PATIENCE))
    for _ in range(2):
        ask_live("start")
        count_steps(ask_live, lambda: ask_live("ears")["vocabulary"] == ["hello"])
    assert live_robot.person("said").result(PATIENCE)[before:] == ["Is anybody there?"] * 2
    assert ask_live("stop") == {"id": "greeting/behavior_1", "runs": False}
    assert ask_live("ears")["engine"] is None
    assert ask_live("state")["open"] == []


def test_time_is_paced_within_bounds(ask_live):
    stood = ask_live("pace")
    assert ask_live("pace") == stood and stood["speed"] == 0.0
    assert ask_live("pace", speed=1000)["speed"] == 1000.0
    for speed in (-1, 1001, float("nan"), "fast"):
        with pytest.raises(RuntimeError, match="speed"):
            ask_live("pace", speed=speed)
    assert ask_live("pace", speed=0)["seconds"] > stood["seconds"]


# A robot of virtual time.


def test_a_remote_robot_is_driven_like_one_here_until_its_interpreter_dies(python, tmp_path):
    ask = w.script("""
    def onLoad(self):
        self.asr, self.memory, self.open = ALProxy("ALSpeechRecognition"), ALProxy("ALMemory"), False
    def onUnload(self):
        if self.open:
            self.open = False
            self.memory.unsubscribeToEvent("WordRecognized", self.getName())
            self.memory.unsubscribeToEvent("FrontTactilTouched", self.getName())
            self.asr.popContexts()
    def onInput_onStart(self):
        self.asr.pushContexts()
        self.asr.setVocabulary(["yes", "no"], False)
        self.memory.subscribeToEvent("WordRecognized", self.getName(), "onWord")
        self.memory.subscribeToEvent("FrontTactilTouched", self.getName(), "onTouch")
        self.open = True
    def onWord(self, key, value, message):
        if value[0]:
            self.memory.insertData("Game/Answer", value[0])
            self.onUnload()
            self.word(value[0])
    def onTouch(self, key, value, message):
        if value:
            self.onWord(key, ["yes", 1.0], message)
""")
    say = w.script("""
    def onInput_onStart(self, p):
        ALProxy("ALTextToSpeech").say("You said " + p)
        self.onStopped()
""")
    word = w.port("word", "string", "punctual")
    boxes = [
        w.box("Ask", ask, outputs=[w.port("onStopped", nature="stopped"), word]),
        w.box("Say", say, inputs=[w.port("onStart", "string", "onStart")]),
    ]
    links = [("root.onStart", "Ask.onStart"), ("Ask.word", "Say.onStart"), ("Say.onStopped", "root.onStopped")]
    path = tmp_path / "asking.xar"
    path.write_bytes(w.behaviour(boxes, links))
    asking = str(path)

    def play(robot):
        """Play one conversation; return values that must not depend on where the robot runs."""
        robot.set("Player", "Ann")
        behaviour = robot.load(asking)
        robot.start(behaviour)
        pause = robot.advance()
        results = [(pause.ears, pause.ended, [event.kind for event in pause.events])]
        robot.hear("maybe")
        results.append(robot.advance().ears.engine)
        for seconds in (2.5, None):
            robot.wait(seconds)
            results.append((robot.advance().events, robot.now()))
        robot.hear("no", 0.7)
        pause = robot.advance()
        results.append((pause.ended, [event.fields["text"] for event in pause.events if event.kind == "say"]))
        robot.start(behaviour)
        robot.advance()
        robot.touch("FrontTactilTouched")
        results += [robot.advance().ended, robot.get("Game/Answer"), robot.get("Player"), robot.get("Nothing")]
        return results + [robot.leaks(behaviour), behaviour.failures, robot.ears()]

    with Robot() as here, RemoteRobot(python, without=["ALLeds"]) as there:
        assert play(here) == play(there)
        there.set("a", [1, "ü"])
        assert there.get("a") == [1, "ü"]
        for call, sentence in [
            (lambda: there.load("/no/such.xar"), "^cannot read /no/such.xar: No such file or directory$"),
            (lambda: there.touch("Nose"), "no sensor"),
        ]:
            with pytest.raises(WireError, match=sentence):
                call()
        there.start(there.load(asking))
        there.stop()
        assert there.stay_silent(2).ended is True
        there._client._child.process.kill()
        with pytest.raises(WireError, match="ended"):
            there.advance()
