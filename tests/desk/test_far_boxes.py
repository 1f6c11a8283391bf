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
    links = [("root.onStart", "Box.onStart"), ("Box.onStopped", "root.onStopped")]
    behaviour = robot.load(w.behaviour([w.box("Box", w.script(body))], links))
    robot.start(behaviour)
    pause = robot.advance()
    assert behaviour.failures == []
    # An event may end the box before its call has returned, and a handler continues only while the clock runs.
    robot.attend(lambda: not robot.clock.expected)
    return [event.fields["text"] for event in pause.events if event.kind == "log"], pause.ended


def test_events_reach_methods_modules_and_subscribers_of_a_box(robot):
    said, ended = run(
        robot,
        """
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
""",
    )
    assert sorted(said) == [f"{who} ['a', 1, 0.5]" for who in ("Box/News", "module", "signal")] and ended
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
    for text, expected in zip(said, ["Box/Nothing", "ALNothing", "noSuchMethod", "Elvish", "nobody"], strict=True):
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


def test_polling_reports_new_values_by_their_time_and_short_taps(stamps, received):
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


def test_only_the_requested_transport_is_used(stamps):
    for wanted in ("signal", "module"):
        news = EventFeed(stamps, print, wanted)
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
