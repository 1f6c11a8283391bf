"""Sensors: events, keys of devices, and settings of services."""

from __future__ import absolute_import, division, print_function

import io
import json
import math

import naosim_xar_writer as w
import pytest

from naosim.__main__ import main
from naosim.errors import WrongUse
from naosim.robot import Robot

# Sensors that a person sets: events, devices behind them, what is in sight; on the command line and in recordings.

LIST = "Device/SubDeviceList/"
SONAR = LIST + "US/Left/Sensor/Value"
ROBOT = {"posture": "StandZero"}


@pytest.fixture
def path(tmpdir):
    guard = w.script("""
    def onLoad(self):
        self.memory = ALProxy("ALMemory")
        self.tts = ALProxy("ALTextToSpeech")
    def onInput_onStart(self):
        self.memory.subscribeToEvent("FaceDetected", self.getName(), "onFace")
        self.memory.subscribeToEvent("SonarLeftDetected", self.getName(), "onNear")
    def onFace(self, key, value, message):
        if value and not value[1][-1]:
            self.tts.say("Hello " + (value[1][0][1][2] or "stranger"))
    def onNear(self, key, value, message):
        self.memory.unsubscribeToEvent("FaceDetected", self.getName())
        self.memory.unsubscribeToEvent("SonarLeftDetected", self.getName())
        self.tts.say("Not so near")
        self.onStopped()
""")
    return w.save(tmpdir, w.sequence(w.box("Guard", guard)))


def happens(robot, key, value):
    """Let an event happen and return what is under its key then."""
    robot.event(key, value)
    robot.clock.run(seconds=0.1)
    return robot.get(key)


def test_events_have_a_key_before_they_first_happen():
    for key, first in [
        ("FaceDetected", []),
        ("LandmarkDetected", []),
        ("FrontTactilTouched", 0.0),
        ("SonarLeftDetected", None),
        ("robotHasFallen", False),
        ("BatteryChargeChanged", 100),
    ]:
        with Robot() as robot:
            assert robot.memory.getData(key) == first, key
            assert robot.memory.getType(key) == "Event", key
            assert key in robot.memory.getDataListName(), key


def test_feet_carry_the_weight_of_a_robot_that_stands():
    for posture, is_standing in [
        ("Stand", True),
        ("StandInit", True),
        ("Crouch", True),
        ("Sit", False),
        ("LyingBack", False),
    ]:
        with Robot(posture=posture) as robot:
            feet = [robot.get(LIST + "%s/FSR/TotalWeight/Sensor/Value" % foot) for foot in ("LFoot", "RFoot")]
            assert feet == pytest.approx([2.652675 * is_standing] * 2)
            corners = ["FrontLeft", "FrontRight", "RearLeft", "RearRight"]
            found = [robot.get(LIST + "LFoot/FSR/%s/Sensor/Value" % corner) for corner in corners]
            assert sum(found) == pytest.approx(feet[0])


def test_a_robot_that_leans_to_the_left_presses_on_its_left_foot(robot):
    robot.service("ALMotion").setAngles(
        ["LHipRoll", "RHipRoll", "LAnkleRoll", "RAnkleRoll"], [-0.2, -0.2, 0.2, 0.2], 1.0
    )
    robot.clock.run(seconds=2.0)
    left, right = [robot.get(LIST + "%s/FSR/TotalWeight/Sensor/Value" % foot) for foot in ("LFoot", "RFoot")]
    assert abs(left - right) > 1.0
    assert robot.memory.getListData(["leftFootTotalWeight", "rightFootTotalWeight"]) == pytest.approx([left, right])
    assert left + right == pytest.approx(5.30535)


def test_devices_follow_events():
    for key, value, device, wanted in [
        ("FrontTactilTouched", 1, "Head/Touch/Front/Sensor/Value", 1.0),
        (LIST + "RHand/Touch/Back/Sensor/Value", True, "RHand/Touch/Back/Sensor/Value", 1.0),
        ("SonarRightDetected", 0.25, "US/Right/Sensor/Value", 0.25),
        ("BatteryChargeChanged", 20, "Battery/Charge/Sensor/Value", 0.2),
        (LIST + "LFoot/FSR/FrontLeft/Sensor/Value", 0.7, "LFoot/FSR/FrontLeft/Sensor/Value", 0.7),
    ]:
        with Robot() as robot:
            happens(robot, key, value)
            assert robot.get(LIST + device) == wanted, key


def test_what_is_in_sight_is_noticed_by_who_looks_and_devices_raise_events(robot):
    happens(robot, LIST + "Battery/Charge/Sensor/Value", 0.05)
    assert (robot.get("BatteryChargeChanged"), robot.service("ALBattery").getBatteryCharge()) == (5, 5)
    happens(robot, LIST + "Head/Touch/Rear/Sensor/Value", 1)
    assert robot.get("RearTactilTouched") == 1.0
    robot.service("ALSonar").subscribe("test")
    happens(robot, SONAR, 0.3)
    assert robot.get("SonarLeftDetected") == 0.3
    happens(robot, SONAR, 2.0)
    assert robot.get("SonarLeftNothingDetected") == 2.0
    assert happens(robot, "LandmarkDetected", [64, 107]) == []
    robot.service("ALLandMarkDetection").subscribe("test")
    assert [mark[1] for mark in robot.get("LandmarkDetected")[1]] == [[64], [107]]
    # A mark is as wide as high.
    assert all(mark[0][3] == mark[0][4] > 0 for mark in robot.get("LandmarkDetected")[1])
    assert happens(robot, "LandmarkDetected", []) == []


def test_the_tracker_turns_the_head_to_what_is_in_sight():
    """A Pepper does so while Autonomous Life is disabled, too: jsk-ros-pkg/jsk_robot, issue 476."""
    with Robot(robot_type="Pepper", naoqi="2.5") as robot:
        tracker, motion = robot.service("ALTracker"), robot.service("ALMotion")
        robot.service("ALAutonomousLife").setState("disabled")
        motion.wakeUp()
        tracker.registerTarget("Face", 0.15)
        tracker.track("Face")
        assert tracker.isTargetLost() and tracker.getTargetPosition(0) == []
        seen = happens(robot, "FaceDetected", True)
        seen[1][0][0][1:3] = [0.5, 0.1]
        before = motion.getAngles("Head", True)
        happens(robot, "FaceDetected", seen)
        robot.clock.run(seconds=1.5)
        yaw, pitch = motion.getAngles("Head", True)
        assert yaw == pytest.approx(before[0] + 0.5, abs=0.1)
        assert pitch == pytest.approx(before[1] + 0.1, abs=0.1)
        assert not tracker.isTargetLost() and tracker.getTargetPosition(0)[1] > 0.3
        # The place stays the same while the robot finds out that it knows nobody.
        robot.clock.run(seconds=10)
        assert motion.getAngles("Head", True) == [yaw, pitch]
        happens(robot, "FaceDetected", [])
        assert tracker.isTargetLost()
        for odd in ([1, 2, 3], [[1, 0], [[]], []], [[1, 0], [[5]], [0.0] * 6], "face"):
            robot.memory.raiseEvent("FaceDetected", odd)
            robot.clock.run(seconds=0.1)
            assert tracker.isTargetLost()
        tracker.stopTracker()
        happens(robot, "FaceDetected", seen)
        assert tracker.getTargetPosition(0) == [] and not tracker.isTargetLost()


def test_the_layout_is_the_documented_one():
    for event, service, value, parts in [
        ("FaceDetected", "ALFaceDetection", True, (5, [])),
        ("redBallDetected", "ALRedBallDetection", True, (5, 0.05)),
        (
            "PictureDetected",
            "ALVisionRecognition",
            "book",
            (5, [["book"], 50, 0.5, [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]]),
        ),
    ]:
        with Robot() as robot:
            robot.service(service).subscribe("test")
            found = happens(robot, event, value)
            assert (len(found), found[1][-1]) == parts, event
            assert [len(pose) for pose in found[2:4]] == [6, 6], event
            assert happens(robot, event, found) == found, event


@pytest.mark.parametrize(
    "faces, seconds, told",
    [(True, 8.0, [4]), ("Ann", 0.5, [2, ["Ann"]]), (["Ann", "Ben", True], 0.5, [3, ["Ann", "Ben"]])],
)
def test_a_face_has_the_recorded_layout_and_is_known_later(robot, faces, seconds, told):
    """Recorded by ibot.co.jp, 2014-09-23; that a face is known later is documented."""
    robot.service("ALFaceDetection").subscribe("test")
    values = []
    robot.memory.link("FaceDetected", values.append)
    robot.event("FaceDetected", faces)
    robot.clock.run(seconds=seconds - 0.1)
    (second, microsecond), seen = values[0][:2]
    assert (second, microsecond, seen[-1], values[0][4]) == (1500000000, 0, [], 0)
    assert [len(part) for part in values[0][2:4]] == [6, 6]
    for shape, (_, score, name, left, right, left_brow, right_brow, nose, mouth) in seen[:-1]:
        assert (len(shape), score > 0) == (5, name != "")
        assert [len(part) for part in (left, right, nose, mouth)] == [14, 14, 6, 16]
        assert (left_brow, right_brow) == ([0.0] * 6, [0.0] * 6)
    assert len(values) == 1
    robot.clock.run(seconds=10)
    assert [value[1] for value in values[1:]] == [seen[:-1] + [told]]


def test_a_face_that_has_gone_is_not_known_later(robot):
    robot.service("ALFaceDetection").subscribe("test")
    happens(robot, "FaceDetected", "Ann")
    happens(robot, "FaceDetected", [])
    robot.clock.run(seconds=10)
    assert robot.get("FaceDetected") == []


def test_wrong_keys_and_values_are_refused_with_a_sentence():
    for key, value, sentence in [
        ("FaceDetcted", True, 'has no event "FaceDetcted": do you mean "FaceDetected"?'),
        (LIST + "US/Lft/Sensor/Value", 1, 'do you mean "Device/SubDeviceList/US/Left/Sensor/Value"?'),
        (LIST + "HeadYaw/Position/Sensor/Value", 1, "follows the body"),
        ("", 1, "a text of 1 to 200 letters"),
        (3, 1, "a text of 1 to 200 letters"),
        ("FrontTactilTouched", 2, "it is 1 \\(touched\\) or 0"),
        ("SonarLeftDetected", "near", "a number from 0 to 10"),
        (SONAR, float("nan"), "a number from 0 to 10"),
        ("FaceDetected", 3, "a face is a name"),
        ("LandmarkDetected", 300, "its number, 1 to 255"),
        ("LandmarkDetected", [64] * 11, "at most 10"),
        ("redBallDetected", 2, "a red ball is true"),
        ("Game/Go", {"a": 1}, "not text, a number"),
        ("Game/Go", object(), "not text, a number"),
    ]:
        with Robot() as robot, pytest.raises(WrongUse, match=sentence):
            robot.event(key, value)


def lines(capsys):
    return [line.split("s ", 1)[1].strip() for line in capsys.readouterr()[0].splitlines()]


def test_events_on_the_command_line_in_order_and_at_their_time(path, capsys):
    events = ["3:FaceDetected=true", 'FaceDetected="Ann"', "9.5:%s=0.2" % SONAR]
    assert main([path] + [word for event in events for word in ("--event", event)]) == 0
    out = lines(capsys)
    assert [line[10:] for line in out if line.startswith("says")] == ["Hello Ann", "Hello stranger", "Not so near"]
    assert [line.split()[0] for line in out if line.startswith("senses")] == ["senses"] * 3
    assert out[-1].startswith("ends")


def test_an_event_on_the_command_line_may_be_missed_or_impossible(path, capsys):
    assert main([path, "--seconds", "20", "--event", "1:LandmarkDetected=64"]) == 0
    assert lines(capsys)[0].startswith("misses    LandmarkDetected [[1500000001, 0],")
    assert main([path, "--event", "FaceDetected=7"]) == 2
    assert capsys.readouterr()[1].startswith('"FaceDetected" cannot be 7: a face is a name')


@pytest.mark.parametrize(
    "given, sentence",
    [
        ("FaceDetected", "FaceDetected is not KEY=JSON or SECONDS:KEY=JSON"),
        ("FaceDetected=Ann", 'Ann is not JSON: put a text in double quotes, as in FaceDetected="Ann"'),
        ("Face\u00e4=true,", "is not JSON"),
    ],
)
def test_a_damaged_event_is_refused(path, capsys, given, sentence):
    with pytest.raises(SystemExit) as end:
        main([path, "--event", given if str is not bytes else given.encode("utf-8")])
    assert end.value.code == 2
    assert sentence in capsys.readouterr()[1]


def test_events_are_recorded_and_replayed(path, capsys, tmpdir):
    record = str(tmpdir.join("bug.jsonl"))
    events = ["--event", "FaceDetected=true", "--event", "4:FrontTactilTouched=1", "--event", "5:%s=0.3" % SONAR]
    assert main([path, "--json", "--record", record] + events) == 0
    first = capsys.readouterr()
    with io.open(record, encoding="ascii") as file:
        acts = [json.loads(line).get("act") for line in file]
    assert [act for act in acts if act != "silence"] == [None, "start"] + ["event"] * 3 + ["end"]
    assert main([path, "--json", "--replay", record]) == 0
    assert capsys.readouterr() == first


# The keys of the devices in ALMemory: there before anything happens, and following the body.


def value(robot, key):
    return robot.memory.getData(LIST + key)


def test_keys_are_there_from_the_start(robot):
    for key, wanted in [
        ("HeadYaw/Position/Sensor/Value", 0.0),
        ("LHand/Position/Actuator/Value", 0.3),
        ("RHipPitch/Hardness/Actuator/Value", 1.0),
        ("Battery/Charge/Sensor/Value", 1.0),
        ("InertialSensor/AngleX/Sensor/Value", 0.0),
        ("InertialSensor/AccelerometerZ/Sensor/Value", -9.81),
        ("InertialSensor/GyroscopeY/Sensor/Value", 0.0),
        ("InertialSensor/AccZ/Sensor/Value", -9.81),
        ("LFoot/FSR/TotalWeight/Sensor/Value", 2.652675),
        ("RFoot/FSR/RearLeft/Sensor/Value", 0.64929227),
        ("US/Right/Sensor/Value9", 5.0),
        ("Head/Touch/Front/Sensor/Value", 0.0),
        ("ChestBoard/Button/Sensor/Value", 0.0),
    ]:
        assert value(robot, key) == pytest.approx(wanted), key
        assert robot.memory.getListData([LIST + key, "none"]) == [pytest.approx(wanted), None], key
        assert LIST + key in robot.memory.getDataList("Device") and LIST + key in robot.memory.getDataListName(), key
        assert robot.memory.getType(LIST + key) == "Data", key


def test_keys_follow_joints_touch_and_stored_values(robot):
    motion = robot.service("ALMotion")
    motion.setAngles("HeadYaw", 1.0, 0.1)
    robot.clock.run(seconds=0.5)
    keys = [LIST + "HeadYaw/Position/%s/Value" % kind for kind in ("Sensor", "Actuator")]
    assert robot.memory.getListData(keys) == pytest.approx([0.4133985] * 2)
    motion.setStiffnesses("HeadYaw", 0.5)
    assert value(robot, "HeadYaw/Hardness/Actuator/Value") == 0.5
    touch = robot.service("ALTouch")
    touch.press("LeftBumperPressed")
    assert [value(robot, "LFoot/Bumper/%s/Sensor/Value" % side) for side in ("Left", "Right")] == [1.0, 1.0]
    touch.release("LeftBumperPressed")
    assert value(robot, "LFoot/Bumper/Left/Sensor/Value") == 0.0
    robot.memory.insertData(LIST + "US/Left/Sensor/Value", 0.4)
    assert value(robot, "US/Left/Sensor/Value") == 0.4
    assert len(robot.memory.getDataList("US/Left/Sensor/Value")) == 10
    robot.memory.removeData(LIST + "US/Left/Sensor/Value")
    assert value(robot, "US/Left/Sensor/Value") == 5.0
    with pytest.raises(RuntimeError, match="Data not found"):
        robot.memory.getData(LIST + "Nose/Sensor/Value")


def test_the_inertial_unit_feels_how_the_torso_leans(robot):
    robot.service("ALMotion").angleInterpolation(["LAnklePitch", "RAnklePitch"], [0.2, 0.2], [1.0, 1.0], True)
    assert value(robot, "InertialSensor/AngleY/Sensor/Value") == pytest.approx(-0.2)
    assert value(robot, "InertialSensor/AccelerometerX/Sensor/Value") == pytest.approx(-9.81 * math.sin(0.2))
    robot.service("ALMotion").moveTo(0.0, 0.0, 1.0)
    assert value(robot, "InertialSensor/AngleZ/Sensor/Value") == pytest.approx(1.0)
