"""People in sight and what is to be noticed of them, how far away things are, poses, and the robot's log."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest

from naosim.__main__ import main
from naosim.errors import WrongUse
from naosim.robot import Robot

PEOPLE = "PeoplePerception/PeopleList"
PERSON = "PeoplePerception/Person/%d/%sProperties"
ADA = {"age": 36, "gender": "female", "smile": 0.9, "expression": "happy"}
ECHO = "Device/SubDeviceList/US/%s/Sensor/Value"


def stand_there(robot, people):
    robot.event(PEOPLE, people)
    robot.clock.run(seconds=0.1)


def test_people_have_numbers():
    for people, listed in [
        ([], []),
        (None, []),
        (True, [1]),
        (ADA, [1]),
        ([ADA, True, {}], [1, 2, 3]),
        ([7, 4], [4, 7]),
    ]:
        with Robot() as robot:
            stand_there(robot, people)
            assert robot.get(PEOPLE) == listed, people


def test_people_are_no_other_values():
    for people in [
        {"age": -1},
        {"age": "old"},
        {"gender": "x"},
        {"height": 2},
        [1, 1],
        [0],
        "Ada",
        [True] * 11,
        {"smile": 2},
        {"age": True},
        {"age": float("nan")},
        {"expression": []},
        [[1]],
        [[[1]]],
        [None],
        "",
        2**31,
    ]:
        with Robot() as robot:
            with pytest.raises(WrongUse, match="a person is a number, true, or some of age, smile, expression, gender"):
                robot.event(PEOPLE, people)
            assert robot.world.people == {}, people


def test_a_face_is_analysed_as_the_person_is_set(robot):
    faces = robot.service("ALFaceCharacteristics")
    assert faces.analyzeFaceCharacteristics(1) is False
    stand_there(robot, [ADA, True])
    assert [faces.analyzeFaceCharacteristics(number) for number in (1, 2, 3)] == [True, True, False]
    found = {
        name: [robot.get(PERSON % (number, name)) for number in (1, 2)]
        for name in ("Age", "Gender", "Smile", "Expression")
    }
    assert found == {
        "Age": [[36.0, 0.9], [0.0, 0.0]],
        "Gender": [[0.0, 0.9], [0.0, 0.0]],
        "Smile": [[0.9, 0.9], [0.0, 0.0]],
        "Expression": [[0.0, 1.0, 0.0, 0.0, 0.0], [0.2] * 5],
    }


def test_a_smile_is_told_to_those_who_listen(robot):
    stand_there(robot, ADA)
    faces, smiles = robot.service("ALFaceCharacteristics"), []
    faces.analyzeFaceCharacteristics(1)
    robot.memory.subscriber("FaceCharacteristics/PersonSmiling").signal.connect(smiles.append)
    robot.clock.run(seconds=0.1)
    assert smiles == []
    faces.subscribe("Test")
    faces.analyzeFaceCharacteristics(1)
    robot.clock.run(seconds=0.1)
    assert smiles == [1]


def test_the_mood_follows_from_what_is_set():
    for people, reaction, valence, joy in [
        ([], "unknown", (0.0, 0.0), 0.0),
        ([True], "unknown", (0.0, 0.0), 0.0),
        ([ADA], "positive", (1.0, 0.9), 1.0),
        ([{"expression": "sad"}], "negative", (-1.0, 0.9), 0.0),
        ([{"smile": 0.1}], "neutral", (0.1, 0.9), 0.0),
        ([9, {"smile": 1}], "positive", (1.0, 0.9), 0.0),
    ]:
        with Robot() as robot:
            stand_there(robot, people)
            mood, begin = robot.service("ALMood"), robot.now()
            state = mood.currentPersonState()
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


GENDER = w.script("""
    def onInput_onStart(self):
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


def test_a_person_on_the_command_line(tmpdir, capsys):
    """As the box Get Gender asks for one, and as a recording keeps it."""
    for people, said in [
        ('{"gender": "male"}', "male"),
        ('[{"gender": "female", "age": 9}]', "female"),
        ("true", "unsure"),
        ("[1, 2]", "2 people"),
    ]:
        waits = w.script("""
    def onInput_onStart(self):
        self.memory = ALProxy("ALMemory")
        self.memory.subscribeToEvent("PeoplePerception/PeopleList", self.getName(), "onPeople")
    def onPeople(self, key, value, message):
        self.memory.unsubscribeToEvent("PeoplePerception/PeopleList", self.getName())
        self.onStopped()
""")
        links = [
            ("root.onStart", "Wait.onStart"),
            ("Wait.onStopped", "Gender.onStart"),
            ("Gender.onStopped", "root.onStopped"),
        ]
        path = w.save(tmpdir, w.behaviour([w.box("Wait", waits), w.box("Gender", GENDER)], links))
        recording = str(tmpdir.join("bug.jsonl"))
        assert main([path, "--event", PEOPLE + "=" + people, "--record", recording]) == 0, people
        out = capsys.readouterr()[0]
        assert "info: " + said in out, people
        assert main([path, "--replay", recording]) == 0, people
        assert capsys.readouterr()[0] == out, people


# Distances, poses.


def test_sonars_tell_what_their_devices_do(robot):
    sonar = robot.service("ALSonar")
    assert sonar.getFilteredValues() == [5.0, 5.0]
    robot.event(ECHO % "Left", 0.4)
    robot.event("SonarRightDetected", 0.25)
    robot.clock.run(seconds=0.1)
    assert sonar.getFilteredValues() == [0.4, 0.25]


def test_a_laser_is_checked_and_measures_nothing(robot):
    laser = robot.service("ALLaser")
    laser.laserON()
    laser.setOpeningAngle(-0.5, 0.5)
    laser.setDetectingLength(50, 3000)
    laser.laserOFF()
    for method, arguments in (
        ("setOpeningAngle", [0.5, -0.5]),
        ("setOpeningAngle", [-3.0, 0.0]),
        ("setDetectingLength", [0, 100]),
        ("setDetectingLength", [3000, 50]),
    ):
        with pytest.raises(RuntimeError, match="out of range"):
            laser.call(method, arguments)


def test_poses_have_the_names_of_naoqi_1_and_tell_since_when():
    """The stock box Get Robot Pose waits until the robot has had its pose for half a second."""
    for posture, pose in [
        ("StandInit", "Stand"),
        ("Crouch", "Crouch"),
        ("SitRelax", "Sit"),
        ("LyingBelly", "Belly"),
        ("LyingBack", "Back"),
    ]:
        with Robot(posture=posture) as robot:
            poses = robot.service("ALRobotPose")
            robot.clock.run(seconds=2.0)
            assert poses.getActualPoseAndTime() == [pose, pytest.approx(2.0)]
            assert pose in poses.getPoseNames()
            robot.service("ALRobotPosture").goToPosture("StandZero", 1.0)
            robot.clock.run(seconds=0.25)
            assert poses.getActualPoseAndTime() == ["Stand", pytest.approx(0.25)]


# The log, and what is refused.


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


def test_a_provider_has_a_number(robot):
    manager = robot.service("LogManager")
    number = manager.addProvider(object())
    manager.removeProvider(number)
    with pytest.raises(RuntimeError, match="There is no provider %d" % number):
        manager.removeProvider(number)
    for message in (["a.py", 9, "x", "y", "z"], {"level": "x"}, [1, 2, 3, 4, 5]):
        with pytest.raises(RuntimeError):
            manager.call("log", [[message]])
