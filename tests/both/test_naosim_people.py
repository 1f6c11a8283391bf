"""People in sight and what is to be noticed of them, how far away things are, poses, and the robot's log."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest

from naosim.__main__ import main
from naosim.errors import WrongUse
from naosim.robot import Robot

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
        with pytest.raises(WrongUse, match="a person is a number, true, or some of age, smile, expression, gender"):
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


# Distances, poses.


def test_sonars_tell_what_their_devices_do_and_a_laser_is_only_checked(robot):
    sonar, laser = robot.service("ALSonar"), robot.service("ALLaser")
    assert sonar.getFilteredValues() == [5.0, 5.0]
    robot.event("Device/SubDeviceList/US/Left/Sensor/Value", 0.4)
    robot.event("SonarRightDetected", 0.25)
    robot.clock.run(seconds=0.1)
    assert sonar.getFilteredValues() == [0.4, 0.25]
    laser.laserON()
    laser.setOpeningAngle(-0.5, 0.5)
    laser.setDetectingLength(50, 3000)
    laser.laserOFF()
    wrong = [("setOpeningAngle", [0.5, -0.5]), ("setOpeningAngle", [-3.0, 0.0])]
    for method, arguments in wrong + [("setDetectingLength", [0, 100]), ("setDetectingLength", [3000, 50])]:
        with pytest.raises(RuntimeError, match="out of range"):
            laser.call(method, arguments)


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
    number = manager.addProvider(object())
    manager.removeProvider(number)
    with pytest.raises(RuntimeError, match="There is no provider %d" % number):
        manager.removeProvider(number)
    for message in (["a.py", 9, "x", "y", "z"], {"level": "x"}, [1, 2, 3, 4, 5]):
        with pytest.raises(RuntimeError):
            manager.call("log", [[message]])
