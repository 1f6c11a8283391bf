"""How other people's boxes use services on a far robot: events, modules, posted calls, futures, signals."""

import naosim_xar_writer as w
import pytest

from naosim_live import served
from naosim_live.far.robot import FarRobot


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
    # An event may end the box before its own call has returned, and a handler goes on only while the clock runs.
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
