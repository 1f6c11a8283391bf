"""Boxes and events on a far robot: modules, posted calls, futures, signals, and the transports of events."""

import naosim_xar_writer as w
import pytest
from directory_clients import until

from naosim.errors import NaosimError
from naosim_live import served
from naosim_live.far.connection import Connection, ConnectionLost
from naosim_live.far.event_feed import EventFeed
from naosim_live.far.event_transports import TRANSPORTS, PollingTransport
from naosim_live.far.robot import FarRobot
from naosim_live.libqi import qi


@pytest.fixture(scope="module")
def directory():
    with served(speed=100) as found:
        yield found


@pytest.fixture(params=["signal", "module", "polling"])
def robot(directory, request):
    with FarRobot(directory.url, transport=request.param) as found:
        yield found


def run(robot, body):
    """Run a behaviour of one box; return what it logged, after checking for failures and leaks."""
    behaviour = robot.load(
        w.behaviour(
            [w.box("Box", w.script(body))], [("root.onStart", "Box.onStart"), ("Box.onStopped", "root.onStopped")]
        )
    )
    robot.start(behaviour)
    pause = robot.advance()
    assert behaviour.failures == []
    # An event may end the box before its call has returned, and a handler continues only while the clock runs.
    robot.attend(lambda: not robot.clock.expected)
    return [event.fields["text"] for event in pause.events if event.kind == "log"], pause.ended


def test_own_events_come_back_to_the_box(robot):
    said, ended = run(
        robot,
        """
    def onInput_onStart(self):
        self.memory = ALProxy("ALMemory")
        self.BIND_PYTHON(self.getName(), "came")
        self.memory.insertData("Box/Ping", 0)
        self.memory.subscribeToEvent("Box/Ping", self.getName(), "came")
        self.memory.raiseEvent("Box/Ping", 7)

    def came(self, key, value, message):
        self.log("%s %r" % (key, value))
        self.memory.unsubscribeToEvent("Box/Ping", self.getName())
        self.onStopped()
""",
    )
    assert (said, ended) == (["Box/Ping 7"], True)
    assert robot.leaks() == []


def test_a_module_of_the_script_and_a_subscriber(robot):
    said, ended = run(
        robot,
        """
    def onInput_onStart(self):
        box = self

        class Listener(ALModule):
            def heard(self, key, value, message):
                box.log("module %r" % (value,))
                box.count()

        self.left = 2
        memory = self.session().service("ALMemory")
        memory.insertData("Box/News", "")
        self.module = Listener("OwnModule")
        ALProxy("ALMemory").subscribeToEvent("Box/News", "OwnModule", "heard")
        self.subscriber = memory.subscriber("Box/News")
        self.link = self.subscriber.signal.connect(self.told)
        memory.raiseEvent("Box/News", ["a", 1, 0.5])

    def told(self, value):
        self.log("signal %r" % (value,))
        self.count()

    def count(self):
        self.left -= 1
        if not self.left:
            self.subscriber.signal.disconnect(self.link)
            ALProxy("ALMemory").unsubscribeToEvent("Box/News", "OwnModule")
            self.module.exit()
            self.onStopped()
""",
    )
    assert sorted(said) == ["module ['a', 1, 0.5]", "signal ['a', 1, 0.5]"] and ended
    assert robot.leaks() == []


def test_posted_speech(robot, directory):
    said, ended = run(
        robot,
        """
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
""",
    )
    assert (said, ended) == (["said False", "meanwhile True", "later True"], True)
    with_human = robot.connection.ask("SimulatedHuman", "said")
    assert with_human[-3:] == ["A short one.", ("A very long sentence. " * 200).strip(), "Later."]


def test_errors_of_the_robot_reach_the_box(robot):
    said, ended = run(
        robot,
        """
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
""",
    )
    assert ended
    for text, expected in zip(said, ["Box/Nothing", "ALNothing", "noSuchMethod", "Elvish", "nobody"]):
        assert expected in text and "Traceback" not in text and ".py" not in text


def test_leftovers_are_reported_at_the_desk(robot):
    run(
        robot,
        """
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
""",
    )
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
        said, ended = run(
            robot,
            """
    def onInput_onStart(self):
        self.voice = self.session().service("ALTextToSpeech")
        self.link = self.voice.synchroTTS.connect(self.done)
        self.voice.say("Hello")

    def done(self, value):
        self.log("%r" % (value,))
        self.voice.synchroTTS.disconnect(self.link)
        self.onStopped()
""",
        )
        assert ended and len(said) == 1
        assert robot.leaks() == []


# The transports of events.


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


@pytest.fixture
def received():
    return []


@pytest.fixture
def polling(stamps, received):
    made = PollingTransport(stamps, lambda event, value: received.append((event, value)))
    yield made
    made.end()


def test_polling_reports_new_values_by_their_time(stamps, received, polling):
    stamps.ask("ALMemory", "write", "WordRecognized", ["yes", 0.9])
    polling.open("WordRecognized")
    stamps.ask("ALMemory", "write", "WordRecognized", ["yes", 0.9])
    until(lambda: received == [("WordRecognized", ["yes", 0.9])])
    polling.close("WordRecognized")
    stamps.ask("ALMemory", "write", "WordRecognized", ["no", 0.9])
    polling.open("Other/Key")
    stamps.ask("ALMemory", "write", "Other/Key", 1)
    until(lambda: ("Other/Key", 1) in received)
    assert ("WordRecognized", ["no", 0.9]) not in received


def test_a_tap_between_two_polls_is_noticed(stamps, received, polling):
    stamps.ask("ALMemory", "write", "FrontTactilTouched", 0.0)
    polling.open("FrontTactilTouched")
    stamps.ask("ALMemory", "write", "FrontTactilTouched", 0.0)
    until(lambda: len(received) == 2)
    assert received == [("FrontTactilTouched", 1.0), ("FrontTactilTouched", 0.0)]


def test_an_unsupported_transport_gives_way_to_polling(stamps, received):
    said = []
    news = EventFeed(stamps, lambda event, value: received.append((event, value)), tell=said.append)
    news.open("Some/Event")
    assert news.transport == "polling" and len(said) == 2
    stamps.ask("ALMemory", "write", "Some/Event", 3)
    until(lambda: received == [("Some/Event", 3)])
    news.close("Some/Event")
    news.close("Some/Event")
    assert not news.is_open
    news.end()


@pytest.mark.parametrize("wanted", ["signal", "module"])
def test_only_the_requested_transport_is_used(stamps, wanted):
    news = EventFeed(stamps, print, wanted)
    with pytest.raises(RuntimeError, match="Can't find method"):
        news.open("Some/Event")
    news.end()


def test_transports_are_named(stamps):
    with pytest.raises(NaosimError, match="use auto, " + ", ".join(TRANSPORTS)):
        EventFeed(stamps, print, "smoke")


def test_after_the_end_every_call_fails_with_the_reason(stamps):
    stamps.close()
    with pytest.raises(ConnectionLost, match="closed"):
        stamps.ask("ALMemory", "write", "Some/Key", 1)
    with pytest.raises(ConnectionLost):
        stamps.call("ALMemory", "write", ("Some/Key", 1)).result(10)


def test_errors_come_without_tracebacks(stamps):
    with pytest.raises(RuntimeError) as refused:
        stamps.ask("ALMemory", "getTimestamp", "Nothing")
    assert str(refused.value) == "Data not found: Nothing"
    with pytest.raises(RuntimeError, match="Cannot find service"):
        stamps.ask("ALNothing", "ping")
