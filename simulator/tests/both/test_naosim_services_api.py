"""Services that keep more than a declared setting, notifications, facts, the tablet, people in sight, and the log."""

from __future__ import absolute_import, division, print_function

import json

import naosim_xar_writer as w
import pytest
from robot_fixtures import Program

from naosim.__main__ import main
from naosim.errors import WrongUse
from naosim.robot import Robot


def test_an_extractor_on_images_is_paused_and_counts_its_subscribers(robot):
    faces = robot.service("ALFaceDetection")
    faces.subscribe("Game")
    assert (faces.isProcessing(), faces.isPaused()) == (True, False)
    faces.pause(True)
    assert (faces.isProcessing(), faces.isPaused()) == (False, True)
    assert faces.setFrameRate(5) and faces.setFrameRate("Game", 10) and faces.getFrameRate() == 10
    faces.subscribe("Game", 200, 0.5)
    faces.subscribe("Other", 100, 0.0)
    assert faces.getSubscribersInfo() == [["Game", 200, 0.5], ["Other", 100, 0.0]]
    faces.unsubscribe("Game")
    assert faces.leftovers() == ["Module 'Other' is still subscribed to ALFaceDetection."]
    with pytest.raises(RuntimeError, match="not subscribed"):
        faces.unsubscribe("Game")
    faces.unsubscribe("Other")
    link = robot.memory.link("FaceDetected", lambda value: None)
    assert not faces.is_running
    robot.memory.unlink("FaceDetected", link)


def test_sounds_and_the_device(robot, tmpdir):
    path = str(tmpdir.join("beep.wav"))
    with open(path, "wb") as sound:
        sound.write(b"no header")
    player, device = robot.service("ALAudioPlayer"), robot.service("ALAudioDevice")
    number = player.loadFile(path)
    assert (player.getLoadedFilesIds(), player.getLoadedFilesNames()) == ([str(number)], [path])
    player.call("playFile", [path, 0.5, 0.0])
    player.call("playSoundSetFile", ["Aldebaran", "bip_gentle", 0.0, 0.5, 0.0, False])
    player.call("playSoundSetFile", ["bip_gentle", 0.0, 0.5, 0.0, False])
    assert player.isSoundSetFileInstalled("Aldebaran", "bip_gentle") and not player.isSoundSetInstalled("Other")
    with pytest.raises(RuntimeError):
        player.call("playSoundSetFile", ["bip_gentle", 0.0, 2.0, 0.0, False])
    player.setVolume(number, 0.25)
    assert player.getVolume(number) == 0.25
    device.setParameter("outputSampleRate", 16000)
    assert device.getParameter("outputSampleRate") == 16000
    device.closeAudioInputs()
    assert (device.isInputClosed(), device.isOutputClosed()) == (True, False)
    player.playSine(440, 50, 0, 1.0)
    for call in ((440, 50, 2, 1.0), (1, 50, 0, 1.0), (440, 200, 0, 1.0)):
        with pytest.raises(RuntimeError, match="ALAudioPlayer::playSine"):
            player.playSine(*call)
    player.loadSoundSet("Aldebaran")
    with pytest.raises(RuntimeError, match="not an address of a stream"):
        player.playWebStream("radio", 1.0, 0.0)


def test_names_of_lights_stand_for_single_ones(robot):
    leds = robot.service("ALLeds")
    for names, count in [
        ("AllLeds", 48 + 20 + 12 + 9),
        ("FaceLeds", 48),
        ("EarLeds", 20),
        ("BrainLeds", 12),
        ("FaceLedsLeftTop", 6),
        ("LeftFaceLedsRed RightFaceLedsBlue", 8),
        ("FaceLed0 BrainLedsBack FeetLeds", 6),
        ("LeftEarLedsEven RightEarLedsBack", 5),
        ("FaceLedLeft0 ChestLeds", 3),
        ("BrainLedsMiddle", 2),
        ("RightEarLed10 Brain0 Brain11 ChestLedsRed Ears/Led/Left/36Deg Face/Led/Red/Left/0Deg", 1),
        ("Face/Led/Red/Left/0Deg/Actuator/Value Head/Led/Front/Right/1/Actuator/Value", 1),
    ]:
        for name in names.split():
            members = leds.listGroup(name)
            assert len(set(members)) == len(members) == count, name
            assert [leds.listLED(each) for each in members] == [[each] for each in members]
            kind = "eyes" if "Face" in name or name == "AllLeds" else "leds"
            before = len(robot.trace.of(kind))
            leds.setIntensity(name, 0.5)
            assert (leds.getIntensity(name), len(robot.trace.of(kind))) == (0.5, before + 1), name
    leds.createGroup("two", ["FaceLed1", "FaceLed2"])
    assert leds.listLED("two") == ["FaceLed1", "FaceLed2"]
    assert "FaceLed1" in leds.listLEDs() and "FaceLeds" not in leds.listLEDs()
    assert {"two", "FaceLed0", "BrainLedsBack"} < set(leds.listGroups()) and "Brain0" not in leds.listGroups()
    for name in ("Ears/Led/Left/37Deg", "Head/Led/Front/Right/2", "Brain12", "Face/Led/Pink/Left/0"):
        with pytest.raises(RuntimeError, match="Unknown led or group"):
            leds.on(name)


def test_a_pepper_has_no_lights_of_a_nao():
    with Robot(robot_type="Pepper") as pepper:
        leds = pepper.service("ALLeds")
        for name in ("BrainLeds", "Head/Led/Front/Right/1", "LFoot/Led/Red/Actuator/Value"):
            with pytest.raises(RuntimeError, match="Unknown led or group"):
                leds.on(name)
        assert leds.listLED("Ears/Led/Left/0Deg") == ["Ears/Led/Left/0Deg/Actuator/Value"]


def test_commands_to_devices(robot):
    dcm = robot.service("DCM")
    assert dcm.getTime(500) == 500
    assert dcm.createAlias(["Both", ["Ears/Led/Left/0Deg/Actuator/Value", "HeadYaw/Position/Actuator/Value"]])
    dcm.set(["Both", "Merge", [[0.25, dcm.getTime(0)], [1.0, dcm.getTime(200)]]])
    ear = "Device/SubDeviceList/Ears/Led/Left/0Deg/Actuator/Value"
    assert robot.memory.getData(ear) == 0.25
    robot.clock.run(seconds=0.2)
    assert robot.memory.getData(ear) == 1.0
    assert robot.memory.getData("Device/SubDeviceList/HeadYaw/Position/Actuator/Value") == 0.0
    dcm.set(["US/Actuator/Value", "ClearAll", [[4.0, dcm.getTime(0)]]])
    assert robot.memory.getData("Device/SubDeviceList/US/Actuator/Value") == 4.0
    for wrong in (
        "Both",
        ["Both", "Merge"],
        ["Both", "Later", []],
        ["Both", "Merge", [[1.0]]],
        ["Both", "Merge", [["a", 1]]],
    ):
        with pytest.raises(RuntimeError, match="DCM::"):
            dcm.set(wrong)


def test_topics_run_and_stop_together(robot, tmpdir):
    path = str(tmpdir.join("quiz.top"))
    with open(path, "w") as topic:
        topic.write("topic: ~quiz()\nlanguage: enu\nu:(hello) Hi\n")
    dialog = robot.service("ALDialog")
    assert dialog.runTopics([path]) == ["quiz"]
    dialog.subscribe("me")
    assert dialog.isListening() is True
    dialog.unsubscribe("me")
    dialog.stopTopics(["quiz"])
    assert dialog.getAllLoadedTopics() == []
    dialog.setAnimatedSpeechConfiguration({"bodyLanguageMode": "random"})
    assert dialog.getAnimatedSpeechConfiguration() == {"bodyLanguageMode": "random"}


def test_a_notification_stays_until_it_is_removed(robot):
    notes = robot.service("ALNotificationManager")
    for given, kept in [
        ({"message": "Hello!", "severity": "error", "removeOnRead": False}, ["Hello!", "error", False]),
        ([["message", "Hello!"], ["severity", "warning"]], ["Hello!", "warning", True]),
        ({}, ["", "info", True]),
    ]:
        number = notes.call("add", [given])
        pairs = [["id", number]] + [list(pair) for pair in zip(("message", "severity", "removeOnRead"), kept)]
        assert notes.call("notifications", []) == [pairs] and notes.call("notification", [number]) == pairs, given
        assert robot.memory.getData("ALNotificationManager/notificationAdded") == number, given
        notes.call("remove", [number])
        assert notes.call("notifications", []) == [], given


def test_notifications_are_bounded(robot):
    notes = robot.service("ALNotificationManager")
    for _ in range(1000):
        notes.call("add", [{"message": "again"}])
    with pytest.raises(RuntimeError, match="remove some"):
        notes.call("add", [{"message": "again"}])


def test_a_page_is_shown_touched_and_hidden(tmpdir, capsys):
    page = w.script("""
    def onLoad(self):
        self.tablet = self.session().service("ALTabletService")
    def onInput_onStart(self):
        self.down = self.tablet.onTouchDown.connect(self.onDown)
        self.go = self.tablet.onJSEvent.connect(self.onGo)
        self.tablet.showWebview("http://%s/apps/quiz/index.html" % self.tablet.robotIp())
    def onDown(self, x, y):
        ALProxy("ALTextToSpeech").say("touched at %d %d" % (x, y))
    def onGo(self, word):
        self.tablet.onTouchDown.disconnect(self.down)
        self.tablet.onJSEvent.disconnect(self.go)
        self.tablet.hideWebview()
        ALProxy("ALTextToSpeech").say(word)
        self.onStopped()
""")
    path = w.save(tmpdir, w.sequence(w.box("Page", page)))
    events = ["ALTabletService/onTouchDown=[3, 4]", 'ALTabletService/onJSEvent="bye"']
    assert main([path, "--robot-type", "Pepper"] + [word for event in events for word in ("--event", event)]) == 0
    out = [line.split("s ", 1)[1].strip() for line in capsys.readouterr()[0].splitlines()]
    address = "http://198.18.0.1/apps/quiz/index.html"
    assert [line for line in out if line.startswith(("shows", "says"))] == [
        "shows     loadUrl " + address,
        "shows     showWebview " + address,
        "says      touched at 3 4",
        "shows     hideWebview " + address,
        "says      bye",
    ]


@pytest.mark.parametrize(
    "event, value, sentence",
    [
        ("ALTabletService/onTouchDown", True, "has 2 values, in a list, not True"),
        ("ALTabletService/onTouchDown", [0.5], "has 2 values, in a list, not [0.5]"),
        ("ALTabletService/onTouchDown", [0.5, 0.5, 0.5], "has 2 values, in a list"),
        ("ALTabletService/onJSEvent", ["a", "b"], "has one value, not ['a', 'b']"),
        ("ALTabletService/videoStarted", True, "has no value, so give null, not True"),
    ],
)
def test_an_event_of_a_signal_has_as_many_values_as_the_signal(tmpdir, capsys, event, value, sentence):
    path = w.save(tmpdir, w.only("ALProxy('ALTextToSpeech').say('hello')"))
    assert main([path, "--robot-type", "Pepper", "--event", "0:%s=%s" % (event, json.dumps(value))]) == 2
    said = capsys.readouterr()[1]
    assert '"%s" %s' % (event, sentence) in said and said.count("\n") == 1
    with Robot(robot_type="Pepper") as robot:
        program = Program(robot)
        with pytest.raises(WrongUse) as raised:
            robot.event(event, value)
        assert sentence in str(raised.value)
        for method in ("raiseEvent", "raiseMicroEvent"):
            with pytest.raises(RuntimeError) as refused:
                program.ask("call", service="ALMemory", method=method, args=[event, value])
            assert sentence in str(refused.value)
        with pytest.raises(RuntimeError) as refused:
            program.ask("event", key=event, value=value)
        assert sentence in str(refused.value)


def test_signals_of_the_tablet_have_as_many_arguments_as_on_a_robot(tmpdir, capsys):
    video = w.script("""
    def onLoad(self):
        self.tablet = self.session().service("ALTabletService")
    def onInput_onStart(self):
        self.tablet.videoStarted.connect(self.begun)
        self.tablet.videoFinished.connect(self.onStopped)
        self.tablet.playVideo("http://198.18.0.1/apps/film/film.mp4")
    def begun(self):
        ALProxy("ALTextToSpeech").say("begun")
""")
    assert main([w.save(tmpdir, w.sequence(w.box("Play Video", video))), "--robot-type", "Pepper"]) == 0
    assert "begun" in capsys.readouterr()[0]


def test_what_the_calls_return():
    for method, arguments, wanted in [
        ("showWebview", (), False),
        ("showWebview", ("a.example",), True),
        ("hideWebview", (), False),
        ("loadUrl", ("",), False),
        ("loadApplication", ("quiz",), True),
        ("showImage", ("http://a.example/a.png",), True),
        ("hideImage", (), None),
        ("setBackgroundColor", ("#ff0000",), True),
        ("setBackgroundColor", ("red",), False),
        ("stopVideo", (), False),
        ("playVideo", ("http://a.example/a.mp4",), True),
        ("getWifiStatus", (), "DISCONNECTED"),
    ]:
        with Robot(robot_type="Pepper") as robot:
            assert robot.service("ALTabletService").call(method, arguments) is wanted or wanted == "DISCONNECTED"


def test_only_pepper_has_a_tablet():
    for robot_type, without, has_one in [
        ("Nao", [], False),
        ("Romeo", [], False),
        ("Pepper", [], True),
        ("Juliette", [], True),
        ("Pepper", ["ALTabletService"], False),
    ]:
        with Robot(without, robot_type=robot_type) as robot:
            assert ("ALTabletService" in robot.services) is has_one
            if not has_one:
                with pytest.raises(RuntimeError, match="Can't find service: ALTabletService"):
                    robot.service("ALTabletService")


def test_an_app_for_the_tablet_on_a_nao_goes_on_without(tmpdir, capsys):
    """As Choregraphe's Show Image, it logs what it lacks; a recording keeps the kind of robot."""
    guarded = w.script("""
    def onInput_onStart(self):
        try:
            tablet = self.session().service("ALTabletService")
        except Exception as error:
            tablet = None
            self.logger.%s(error)
        if tablet:
            tablet.showImage("http://a.example/a.png")
        else:
            self.logger.warning("No ALTabletService, can't display the image.")
        self.onStopped()
""")
    for options, level, errors in [
        (["--robot-type", "Pepper"], "error", []),
        ([], "info", []),
        ([], "error", ["a Nao has no ALTabletService: see --robot-type Pepper"]),
        (
            ["--strict"],
            "error",
            [
                "failure: root/Page.log: Cannot find service 'ALTabletService' in index",
                "a Nao has no ALTabletService: see --robot-type Pepper",
            ],
        ),
    ]:
        path = w.save(tmpdir, w.sequence(w.box("Page", guarded.replace("%s", level))))
        assert main([path] + options) == ("--strict" in options), options
        out, found = capsys.readouterr()
        assert found.splitlines() == errors, options
        assert ("can't display the image" in out) is ("Pepper" not in options), options
        assert ("warns" in out) is (level == "error" and not options), options
        assert " ends " in out, options
    recording = ["--record", str(tmpdir.join("bug.jsonl"))]
    assert main([path, "--robot-type", "Pepper"] + recording) == 0
    first = capsys.readouterr()
    assert main([path, "--replay", recording[1]]) == 0
    assert capsys.readouterr() == first


def test_there_are_three_kinds_of_robot(tmpdir, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["behavior.xar", "--robot-type", "R2D2"])
    assert caught.value.code == 2
    assert 'the simulator has no robot "R2D2"; use Nao, Pepper or Romeo' in capsys.readouterr()[1]


PEOPLE = "PeoplePerception/PeopleList"
ADA = {"age": 36, "gender": "female", "smile": 0.9, "expression": "happy"}


def stand_there(robot, people):
    robot.event(PEOPLE, people)
    robot.clock.run(seconds=0.1)


def test_people_have_numbers_and_are_no_other_values(robot):
    for people, listed in [
        ([], []),
        (None, []),
        (True, [1]),
        (ADA, [1]),
        ([ADA, True, {}], [1, 2, 3]),
        ([7, 4], [4, 7]),
    ]:
        stand_there(robot, people)
        assert robot.get(PEOPLE) == listed, people
    wrong = [{"age": -1}, {"age": "old"}, {"age": True}, {"age": float("nan")}, {"gender": "x"}, {"height": 2}]
    wrong += [{"smile": 2}, {"expression": []}, [1, 1], [0], [[1]], [[[1]]], [None], [True] * 11, "Ada", "", 2**31]
    for people in wrong:
        traits = "age, angle, distance, smile, expression, gender"
        with pytest.raises(WrongUse, match="a person is a number, true, or some of " + traits):
            robot.event(PEOPLE, people)
    assert sorted(robot.world.people) == [4, 7]


def test_a_face_is_analysed_as_the_person_is_set_and_a_smile_told_to_those_who_listen(robot):
    faces = robot.service("ALFaceCharacteristics")
    assert faces.analyzeFaceCharacteristics(1) is False
    stand_there(robot, [ADA, True])
    assert [faces.analyzeFaceCharacteristics(number) for number in (1, 2, 3)] == [True, True, False]
    for name, ada, other in [
        ("Age", [36.0, 0.9], [0.0, 0.0]),
        ("Gender", [0.0, 0.9], [0.0, 0.0]),
        ("Smile", [0.9, 0.9], [0.0, 0.0]),
        ("Expression", [0.0, 1.0, 0.0, 0.0, 0.0], [0.2] * 5),
    ]:
        found = [robot.get("PeoplePerception/Person/%d/%sProperties" % (number, name)) for number in (1, 2)]
        assert found == [ada, other], name
    smiles = []
    robot.memory.subscriber("FaceCharacteristics/PersonSmiling").signal.connect(smiles.append)
    robot.clock.run(seconds=0.1)
    assert smiles == []
    faces.subscribe("Test")
    faces.analyzeFaceCharacteristics(1)
    robot.clock.run(seconds=0.1)
    assert smiles == [1]


def test_the_mood_follows_from_what_is_set(robot):
    mood = robot.service("ALMood")
    for people, reaction, valence, joy in [
        ([], "unknown", (0.0, 0.0), 0.0),
        ([True], "unknown", (0.0, 0.0), 0.0),
        ([ADA], "positive", (1.0, 0.9), 1.0),
        ([{"expression": "sad"}], "negative", (-1.0, 0.9), 0.0),
        ([{"smile": 0.1}], "neutral", (0.1, 0.9), 0.0),
        ([9, {"smile": 1}], "positive", (1.0, 0.9), 0.0),
    ]:
        stand_there(robot, people)
        state, begin = mood.currentPersonState(), robot.now()
        assert (state["valence"]["value"], state["valence"]["confidence"]) == valence, people
        assert state["expressions"]["joy"]["value"] == joy, people
        assert mood.getEmotionalReaction() == reaction, people
        assert robot.now() == pytest.approx(begin + 3.0), people


def test_the_mood_of_nobody_is_the_robots_error(robot):
    mood = robot.service("ALMood")
    with pytest.raises(RuntimeError, match="Nobody of number 5 is in sight"):
        mood.personStateFromPeoplePerception(5)
    assert mood.subscribe("Game", "Active") is True
    assert mood.leftovers() == ["Module 'Game' is still subscribed to ALMood."]
    assert (mood.unsubscribe("Game"), mood.unsubscribe("Game")) == (True, False)
    with pytest.raises(RuntimeError, match="Unknown mode"):
        mood.subscribe("Game", "Loud")


@pytest.mark.parametrize(
    "people, said",
    [
        ('{"gender": "male"}', "male"),
        ('[{"gender": "female", "age": 9}]', "female"),
        ("true", "unsure"),
        ("[1, 2]", "2 people"),
    ],
)
def test_a_person_on_the_command_line(tmpdir, capsys, people, said):
    """As the box Get Gender asks for one, and as a recording keeps it."""
    waits = w.script("""
    def onInput_onStart(self):
        ALProxy("ALMemory").subscribeToEvent("PeoplePerception/PeopleList", self.getName(), "onPeople")
    def onPeople(self, key, value, message):
        ALProxy("ALMemory").unsubscribeToEvent("PeoplePerception/PeopleList", self.getName())
        self.onStopped()
""")
    gender = w.on_start("""
        memory, faces = ALProxy("ALMemory"), self.session().service("ALFaceCharacteristics")
        people = memory.getData("PeoplePerception/PeopleList")
        if len(people) != 1:
            self.logger.info("%d people" % len(people))
        else:
            faces.analyzeFaceCharacteristics(people[0])
            value = memory.getData("PeoplePerception/Person/%d/GenderProperties" % people[0])
            self.logger.info("unsure" if value[1] < 0.6 else "female" if value[0] < 0.5 else "male")
        self.onStopped()
    """)
    path = w.save(tmpdir, w.behaviour([w.box("Wait", waits), w.box("Gender", gender)]))
    recording = str(tmpdir.join("bug.jsonl"))
    assert main([path, "--event", PEOPLE + "=" + people, "--record", recording]) == 0
    out = capsys.readouterr()[0]
    assert "info: " + said in out
    assert main([path, "--replay", recording]) == 0
    assert capsys.readouterr()[0] == out


@pytest.mark.parametrize(
    "posture, pose",
    [("StandInit", "Stand"), ("Crouch", "Crouch"), ("SitRelax", "Sit"), ("LyingBelly", "Belly"), ("LyingBack", "Back")],
)
def test_poses_have_the_names_of_naoqi_1_and_tell_since_when(posture, pose):
    """The stock box Get Robot Pose waits until the robot has had its pose for half a second."""
    with Robot(posture=posture) as robot:
        poses = robot.service("ALRobotPose")
        robot.clock.run(seconds=2.0)
        assert poses.getActualPoseAndTime() == [pose, pytest.approx(2.0)]
        assert pose in poses.getPoseNames()
        robot.service("ALRobotPosture").goToPosture("StandZero", 1.0)
        robot.clock.run(seconds=0.25)
        assert poses.getActualPoseAndTime() == ["Stand", pytest.approx(0.25)]


def test_the_log_is_told_to_listeners(robot):
    manager, heard = robot.service("LogManager"), []
    listener = manager.createListener()
    link = listener.onLogMessage.connect(lambda message: heard.append((message["level"], message["message"])))
    diary = robot.service("ALLogger")
    for level in ("fatal", "error", "warn", "info", "debug"):
        getattr(diary, level)("game", level)
    listener.addFilter("game*", 6)
    diary.debug("game.part", "more")
    listener.clearFilters()
    listener.setLevel(2)
    diary.info("game", "less")
    manager.log([{"level": 2, "category": "mine", "message": "dict"}, ["a.py", 1, "mine", "here", "list", 0, 0, 0]])
    robot.clock.run(seconds=0.1)
    assert heard == [(1, "fatal"), (2, "error"), (3, "warn"), (4, "info"), (6, "more"), (2, "dict"), (1, "list")]
    assert listener.onLogMessage.disconnect(link) is True
    diary.error("game", "gone")
    robot.clock.run(seconds=0.1)
    assert len(heard) == 7
    number = manager.addProvider(object())
    manager.removeProvider(number)
    with pytest.raises(RuntimeError, match="There is no provider %d" % number):
        manager.removeProvider(number)
    for message in (["a.py", 9, "x", "y", "z"], {"level": "x"}, [1, 2, 3, 4, 5]):
        with pytest.raises(RuntimeError):
            manager.call("log", [[message]])
