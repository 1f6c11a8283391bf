"""The keys of the devices in ALMemory: there before anything happens, and following the body."""

from __future__ import absolute_import, division, print_function

import math

import pytest

from naosim.robot import Robot

LIST = "Device/SubDeviceList/"


@pytest.fixture
def robot():
    made = Robot(posture="StandZero")
    yield made
    made.close()


def value(robot, key):
    return robot.memory.getData(LIST + key)


def test_keys_are_there_from_the_start(robot):
    for key, wanted in [
        ("HeadYaw/Position/Sensor/Value", 0.0),
        ("LHand/Position/Actuator/Value", 0.3),
        ("RHipPitch/Hardness/Actuator/Value", 1.0),
        ("LKneePitch/ElectricCurrent/Sensor/Value", 0.0),
        ("Battery/Charge/Sensor/Value", 1.0),
        ("InertialSensor/AngleX/Sensor/Value", 0.0),
        ("InertialSensor/AccelerometerZ/Sensor/Value", -9.81),
        ("InertialSensor/GyroscopeY/Sensor/Value", 0.0),
        ("InertialSensor/GyrY/Sensor/Value", 0.0),
        ("InertialSensor/AccZ/Sensor/Value", -9.81),
        ("LFoot/FSR/TotalWeight/Sensor/Value", 2.652675),
        ("RFoot/FSR/RearLeft/Sensor/Value", 0.64929227),
        ("US/Left/Sensor/Value", 5.0),
        ("US/Right/Sensor/Value9", 5.0),
        ("Head/Touch/Front/Sensor/Value", 0.0),
        ("RFoot/Bumper/Right/Sensor/Value", 0.0),
        ("ChestBoard/Button/Sensor/Value", 0.0),
    ]:
        assert value(robot, key) == pytest.approx(wanted), key
        assert robot.memory.getListData([LIST + key, "none"]) == [pytest.approx(wanted), None], key
        assert LIST + key in robot.memory.getDataList("Device") and LIST + key in robot.memory.getDataListName(), key
        assert robot.memory.getType(LIST + key) == "Data", key


def test_keys_of_joints_follow_the_clock(robot):
    motion = robot.service("ALMotion")
    motion.setAngles("HeadYaw", 1.0, 0.1)
    robot.clock.run(seconds=0.5)
    keys = [LIST + "HeadYaw/Position/%s/Value" % kind for kind in ("Sensor", "Actuator")]
    assert robot.memory.getListData(keys) == pytest.approx([0.4133985] * 2)
    motion.setStiffnesses("HeadYaw", 0.5)
    assert value(robot, "HeadYaw/Hardness/Actuator/Value") == 0.5


def test_the_inertial_unit_feels_how_the_torso_leans(robot):
    robot.service("ALMotion").angleInterpolation(["LAnklePitch", "RAnklePitch"], [0.2, 0.2], [1.0, 1.0], True)
    assert value(robot, "InertialSensor/AngleY/Sensor/Value") == pytest.approx(-0.2)
    assert value(robot, "InertialSensor/AccelerometerX/Sensor/Value") == pytest.approx(-9.81 * math.sin(0.2))
    robot.service("ALMotion").moveTo(0.0, 0.0, 1.0)
    assert value(robot, "InertialSensor/AngleZ/Sensor/Value") == pytest.approx(1.0)


def test_touch_is_seen_while_it_lasts(robot):
    touch = robot.service("ALTouch")
    touch.press("LeftBumperPressed")
    assert [value(robot, "LFoot/Bumper/%s/Sensor/Value" % side) for side in ("Left", "Right")] == [1.0, 1.0]
    touch.release("LeftBumperPressed")
    assert value(robot, "LFoot/Bumper/Left/Sensor/Value") == 0.0


def test_a_stored_value_counts_from_then_on(robot):
    robot.memory.insertData(LIST + "US/Left/Sensor/Value", 0.4)
    assert value(robot, "US/Left/Sensor/Value") == 0.4
    assert len(robot.memory.getDataList("US/Left/Sensor/Value")) == 10
    robot.memory.removeData(LIST + "US/Left/Sensor/Value")
    assert value(robot, "US/Left/Sensor/Value") == 5.0
    with pytest.raises(RuntimeError, match="Data not found"):
        robot.memory.getData(LIST + "Nose/Sensor/Value")


def test_each_foot_tells_the_weight_on_it(robot):
    assert robot.memory.getData("leftFootTotalWeight") == pytest.approx(2.652675)
    assert robot.memory.getData("rightFootTotalWeight") == value(robot, "RFoot/FSR/TotalWeight/Sensor/Value")
