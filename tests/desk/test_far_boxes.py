"""A far robot: boxes, modules, futures, signals, transports of events; and reasons why one cannot be used."""

import contextlib
import signal
import socket
import struct
import subprocess
import sys
import threading

import naosim_xar_writer as w
import pytest
from command_line import jotto
from directory_clients import until
from far_robots import environment, listening, refuse, speak_http
from processes import process

from jotto_desk.cli import options
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.robots import RobotAddress
from naosim.errors import NaosimError
from naosim_robots import serve_robot
from naosim_robots.addresses import WrongAddress, parse_robot_address
from naosim_robots.far import connection as connecting
from naosim_robots.far.connection import Connection, ConnectionLost, Login, open_session
from naosim_robots.far.events import TRANSPORTS, EventFeed, PollingTransport
from naosim_robots.far.robot import FarRobot
from naosim_robots.libqi import qi


@pytest.fixture(scope="module")
def directory():
    with serve_robot(speed=100) as found:
        yield found


@pytest.fixture(params=["signal", "polling"])
def robot(directory, request):
    with FarRobot(directory.url, transport=request.param) as found:
        yield found


def run(robot, body):
    """Run a behaviour of one box; return what it logged, after checking for failures and leaks."""
    links = [("root.onStart", "Box.onStart"), ("Box.onStopped", "root.onStopped")]
    behaviour = robot.load(w.behaviour([w.box("Box", w.script(body))], links))
    robot.start(behaviour)
    pause = robot.advance()
    assert behaviour.failures == []
    # An event may end the box before its call has returned, and a handler continues only while the clock runs.
    robot.attend(lambda: not robot.clock.expected)
    return [event.fields["text"] for event in pause.events if event.kind == "log"], pause.ended


def test_events_reach_methods_modules_and_subscribers_of_a_box(robot):
    body = """
    def onInput_onStart(self):
        box = self

        class Listener(ALModule):
            def heard(self, key, value, message):
                box.log("module %r" % (value,))
                box.count()

        self.left = 3
        self.memory = self.session().service("ALMemory")
        self.memory.insertData("Box/News", "")
        self.module = Listener("OwnModule")
        self.BIND_PYTHON(self.getName(), "came")
        ALProxy("ALMemory").subscribeToEvent("Box/News", self.getName(), "came")
        ALProxy("ALMemory").subscribeToEvent("Box/News", "OwnModule", "heard")
        self.subscriber = self.memory.subscriber("Box/News")
        self.link = self.subscriber.signal.connect(self.told)
        self.memory.raiseEvent("Box/News", ["a", 1, 0.5])

    def came(self, key, value, message):
        self.log("%s %r" % (key, value))
        self.count()

    def told(self, value):
        self.log("signal %r" % (value,))
        self.count()

    def count(self):
        self.left -= 1
        if not self.left:
            self.subscriber.signal.disconnect(self.link)
            for name in ("OwnModule", self.getName()):
                ALProxy("ALMemory").unsubscribeToEvent("Box/News", name)
            self.module.exit()
            self.onStopped()
"""
    said, ended = run(robot, body)
    assert sorted(said) == [f"{who} ['a', 1, 0.5]" for who in ("Box/News", "module", "signal")] and ended
    assert robot.leaks() == []


def test_posted_speech(robot, directory):
    body = """
    def onInput_onStart(self):
        voice = ALProxy("ALTextToSpeech")
        task = voice.post.say("A short one.")
        voice.wait(task, 0)
        self.log("said %s" % voice.isRunning(task))
        task = voice.pCall("say", "A very long sentence. " * 200)
        ALProxy("ALMemory").insertData("Box/Meanwhile", 1)
        self.log("meanwhile %s" % voice.isRunning(task))
        voice.stop(task)
        voice.wait(task, 0)
        future = self.session().service("ALTextToSpeech").say("Later.", _async=True)
        self.log("later %s" % future.isRunning())
        future.value()
        self.onStopped()
"""
    said, ended = run(robot, body)
    assert (said, ended) == (["said False", "meanwhile True", "later True"], True)
    with_human = robot.connection.ask("SimulatedHuman", "said")
    assert with_human[-3:] == ["A short one.", ("A very long sentence. " * 200).strip(), "Later."]


def test_errors_of_the_robot_reach_the_box(robot):
    body = """
    def onInput_onStart(self):
        for call in (lambda: ALProxy("ALMemory").getData("Box/Nothing"), lambda: ALProxy("ALNothing"),
                     lambda: ALProxy("ALLeds").noSuchMethod(), lambda: ALProxy("ALTextToSpeech").setLanguage("Elvish"),
                     lambda: ALProxy("ALMemory").subscribeToEvent("Box/X", "nobody", "heard")):
            try:
                call()
                self.log("nothing")
            except RuntimeError as error:
                self.log(str(error))
        self.onStopped()
"""
    said, ended = run(robot, body)
    assert ended
    for text, expected in zip(said, ["Box/Nothing", "ALNothing", "noSuchMethod", "Elvish", "nobody"], strict=True):
        assert expected in text and "Traceback" not in text and ".py" not in text


def test_leftovers_are_reported_at_the_desk(robot):
    body = """
    def onInput_onStart(self):
        ears = ALProxy("ALSpeechRecognition")
        ears.pause(True)
        ears.pushContexts()
        ears.setVocabulary(["yes", "no"], False)
        ears.subscribe("Box")
        ears.pause(False)
        ALProxy("ALMemory").subscribeToEvent("FrontTactilTouched", self.getName(), "felt")

    def felt(self, key, value, message):
        pass
"""
    run(robot, body)
    ears = robot.ears()
    assert (ears.engine, ears.vocabulary, ears.touch) == ("ALSpeechRecognition", ("yes", "no"), ("FrontTactilTouched",))
    left = " ".join(robot.leaks())
    assert "still subscribed to ALSpeechRecognition" in left and "pushed and not popped" in left
    assert "FrontTactilTouched" in left
    for method, args in (("unsubscribe", ("Box",)), ("popContexts", ())):
        robot.connection.ask("ALSpeechRecognition", method, *args)
    robot.stop()


def test_signals_of_services(directory):
    with FarRobot(directory.url, transport="signal") as robot:
        body = """
    def onInput_onStart(self):
        self.voice = self.session().service("ALTextToSpeech")
        self.link = self.voice.synchroTTS.connect(self.done)
        self.voice.say("Hello")

    def done(self, value):
        self.log("%r" % (value,))
        self.voice.synchroTTS.disconnect(self.link)
        self.onStopped()
"""
        said, ended = run(robot, body)
        assert ended and len(said) == 1
        assert robot.leaks() == []


@qi.multiThreaded()
class StampedMemory:
    """An ALMemory with time stamps, as on a robot; the time is the number of writes."""

    def __init__(self):
        self._kept = {}
        self._writes = 0

    def write(self, key, value):
        self._writes += 1
        self._kept[key] = [value, self._writes, 0]

    def getTimestamp(self, key):
        if key not in self._kept:
            raise RuntimeError(f"Data not found: {key}")
        return self._kept[key]


@pytest.fixture
def stamps():
    """Provide a connection to a robot with StampedMemory as its only service."""
    session = qi.Session()
    session.listenStandalone("tcp://127.0.0.1:0")
    session.registerService("ALMemory", StampedMemory())
    connection = Connection(session.endpoints()[0])
    yield connection
    connection.close()
    session.close()


def test_polling_reports_new_values_by_their_time_and_short_taps(stamps):
    received = []
    polling = PollingTransport(stamps, lambda event, value: received.append((event, value)))
    stamps.ask("ALMemory", "write", "WordRecognized", ["yes", 0.9])
    polling.open("WordRecognized")
    stamps.ask("ALMemory", "write", "WordRecognized", ["yes", 0.9])
    until(lambda: received == [("WordRecognized", ["yes", 0.9])])
    polling.close("WordRecognized")
    stamps.ask("ALMemory", "write", "WordRecognized", ["no", 0.9])
    # A head that is free in two polls but was written in between has been touched.
    stamps.ask("ALMemory", "write", "FrontTactilTouched", 0.0)
    polling.open("FrontTactilTouched")
    stamps.ask("ALMemory", "write", "FrontTactilTouched", 0.0)
    until(lambda: len(received) == 3)
    assert received[1:] == [("FrontTactilTouched", 1.0), ("FrontTactilTouched", 0.0)]
    polling.end()


def test_an_unsupported_transport_gives_way_to_polling(stamps):
    said, received = [], []
    news = EventFeed(stamps, lambda event, value: received.append((event, value)), tell=said.append)
    news.open("Some/Event")
    assert news.transport == "polling" and len(said) == 1
    stamps.ask("ALMemory", "write", "Some/Event", 3)
    until(lambda: received == [("Some/Event", 3)])
    news.close("Some/Event")
    news.close("Some/Event")
    assert not news.is_open
    news.end()


def test_only_the_requested_transport_is_used(stamps):
    news = EventFeed(stamps, print, "signal")
    with pytest.raises(RuntimeError, match="Can't find method"):
        news.open("Some/Event")
    news.end()
    with pytest.raises(NaosimError, match="use auto, " + ", ".join(TRANSPORTS)):
        EventFeed(stamps, print, "smoke")


def test_errors_come_without_tracebacks_and_after_the_end_with_its_reason(stamps):
    with pytest.raises(RuntimeError, match=r"^Data not found: Nothing$"):
        stamps.ask("ALMemory", "getTimestamp", "Nothing")
    with pytest.raises(RuntimeError, match="Cannot find service"):
        stamps.ask("ALNothing", "ping")
    stamps.close()
    with pytest.raises(ConnectionLost, match="closed"):
        stamps.ask("ALMemory", "write", "Some/Key", 1)
    with pytest.raises(ConnectionLost):
        stamps.call("ALMemory", "write", ("Some/Key", 1)).result(10)


def test_addresses():
    plain = {"nao.local": "tcp://nao.local:9559", " nao ": "tcp://nao:9559", "nao:1234": "tcp://nao:1234"}
    full = {"tcp://10.0.0.5": "tcp://10.0.0.5:9559", "tcps://pepper.local": "tcps://pepper.local:9503"}
    full |= {"pepper:9503": "tcps://pepper:9503", "tcp://pepper:9503": "tcp://pepper:9503"}
    numbers = {"::1": "tcp://[::1]:9559", "[fe80::2]:99": "tcp://[fe80::2]:99"}
    for text, url in (plain | full | numbers | {"tcps://pepper:9559/": "tcps://pepper:9559"}).items():
        assert parse_robot_address(text).url == url
    # With a login, a bare host is the port for logins.
    assert parse_robot_address("pepper", login=True).url == "tcps://pepper:9503"
    assert parse_robot_address("pepper:9559", login=True).url == "tcp://pepper:9559"


def test_wrong_addresses():
    wrong = ["", "http://nao", "nao:0", "nao:65536", "nao:port", "tcp://", "nao/local", "nao local", "-nao", "nao;rm"]
    for text in (*wrong, "n" * 254, "tcp://" + "a" * 400, "caf\u00e9", "[::1", "\x00", "tcp://user@nao"):
        with pytest.raises(WrongAddress, match="write it like nao"):
            parse_robot_address(text)


#: Runs `jotto play --robot` in another process.
PLAY = [sys.executable, "-m", "jotto_desk", "play", "--robot"]


def refused(capsys, url, *options):
    """Return the sentence with which `jotto play --robot` ends."""
    code, out, err = jotto(capsys, "play", "--robot", url, *options)
    assert (code, out) == (2, "") and err.count("\n") == 1
    return err


def test_nothing_answers_at_the_address(capsys):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    err = refused(capsys, f"127.0.0.1:{port}")
    assert err.startswith("Nothing answers at tcp://127.0.0.1:") and "connection refused" in err
    assert '"no-such-robot.invalid"' in refused(capsys, "no-such-robot.invalid")
    assert '"http://nao"' in refused(capsys, "http://nao")


def test_another_server_answers(capsys, monkeypatch):
    monkeypatch.setattr(connecting, "STEP_TIMEOUT_S", 1.0)
    for answer in (speak_http, lambda line: line.recv(100) and line.recv(1)):
        with listening(answer) as port:
            assert "is not NAOqi: give the robot's port, usually 9559" in refused(capsys, f"127.0.0.1:{port}")


@pytest.mark.parametrize("speaks", [1, 2])
def test_a_robot_that_dies_in_its_greeting(speaks):
    # After a reset in its greeting libqi returns neither from connect nor from close, but the program must end.
    callers = []

    def answer(line):
        callers.append(line)
        head = line.recv(28, socket.MSG_WAITALL)
        if len(callers) <= speaks:
            line.sendall(head[:14] + b"\2" + head[15:])
            line.recv(1000)

    with listening(answer) as port:
        ended = process(*PLAY, f"127.0.0.1:{port}", env=environment())
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert "does not finish its greeting" in ended.stderr


def test_a_directory_without_a_robot(capsys):
    session = qi.Session()
    session.listenStandalone("tcp://127.0.0.1:0")
    try:
        assert "has no ALMemory" in refused(capsys, session.endpoints()[0])
    finally:
        session.close()


def test_a_login_is_wanted(capsys, monkeypatch):
    with listening(refuse([])) as port:
        err = refused(capsys, f"127.0.0.1:{port}")
    assert "wants a user and a password: give them with --user NAME and --password-file FILE" in err
    monkeypatch.setenv(options.USER, "pepper")
    monkeypatch.setenv(options.PASSWORD, "from outside")
    seen = []
    with listening(refuse(seen)) as port:
        assert '"pepper"' in refused(capsys, f"127.0.0.1:{port}")
    assert b"from outside" in b"".join(seen)


def test_a_login_is_refused_and_the_password_stays_unseen(capsys, tmp_path):
    secret = tmp_path / "password"
    secret.write_text("tr0ub4dor\nsecond line\n", encoding="utf-8")
    seen = []
    with listening(refuse(seen)) as port:
        err = refused(capsys, f"127.0.0.1:{port}", "--user", "nao", "--password-file", str(secret))
    assert 'refuses the user "nao" with this password' in err and "tr0ub4dor" not in err
    said = b"".join(seen)
    for word in (b"auth_user", b"nao", b"auth_token", b"tr0ub4dor"):
        assert struct.pack("<I", len(word)) + word in said
    assert b"second" not in said


def test_a_robot_without_login_accepts_any_user():
    login = Login("nao", "tr0ub4dor")
    with (
        serve_robot(speed=50) as directory,
        contextlib.closing(open_session(parse_robot_address(directory.url), login)) as s,
    ):
        assert s.isConnected()
    assert "tr0ub4dor" not in repr(RobotAddress("nao", *login)) + repr(login) + str(login)


def test_options_that_do_not_fit(capsys, tmp_path):
    file = tmp_path / "FILE"
    file.write_text("x", encoding="utf-8")
    play, rehearse = ["play", "--robot", "nao.local"], ["rehearse", "--sample", "1", "--robot", "nao.local"]
    for command, quoted in [
        ([*play, "--password-file", file], "--user NAME"),
        ([*play, "--password-file", "gone", "--user", "nao"], "gone"),
        ([*play, "--patience", "0"], "--patience"),
        ([*rehearse, "--python", "python3"], "--python and --without"),
        ([*rehearse, "--without", "ALLeds"], "--python and --without"),
    ]:
        code, out, err = jotto(capsys, *command)
        assert (code, out) == (2, "") and quoted in err
    with pytest.raises(DeskError, match="--robot URL"):
        options.robot_address("", "", "anything")


def test_ctrl_c_while_waiting_for_a_robot():
    greeted = threading.Event()

    def keep_waiting(line):
        if line.recv(100):
            greeted.set()
            line.recv(1)

    with listening(keep_waiting) as port:
        pipes = {"text": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment()}
        child = subprocess.Popen([*PLAY, f"127.0.0.1:{port}"], **pipes)
        assert greeted.wait(60)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "") and "Traceback" not in err
