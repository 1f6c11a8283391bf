"""A NAO that a person pushes over: the fall manager, what ALMemory tells, and how the robot stands up."""

from __future__ import absolute_import, division, print_function

import json

import pytest

from naosim.errors import WrongUse
from naosim.recording import Recorder, replay_recording
from naosim.robot import Robot

ANGLE, ACCELERATION, WEIGHT = (
    "Device/SubDeviceList/" + part + "/Sensor/Value"
    for part in ("InertialSensor/AngleY", "InertialSensor/AccelerometerX", "LFoot/FSR/TotalWeight")
)


def push(robot, *direction):
    """Push the robot over, and return the events of the fall in their order, each with its time."""
    told = []
    for event in ("robotIsFalling", "ALMotion/RobotIsFalling", "PostureChanged", "robotHasFallen"):
        robot.memory.link(event, lambda value, event=event: told.append((event, value)))
    robot.person.push(*direction)
    robot.clock.run(seconds=2.0)
    return told


@pytest.mark.parametrize(
    "naoqi, direction, posture, sign, falling",
    [
        ("2.1", "back", "LyingBack", -1, "robotIsFalling"),
        ("2.5", "front", "LyingBelly", 1, "ALMotion/RobotIsFalling"),
        ("2.8", "front", "LyingBelly", 1, "ALMotion/RobotIsFalling"),
    ],
)
def test_the_fall_manager_protects_a_standing_nao(naoqi, direction, posture, sign, falling):
    with Robot(naoqi=naoqi) as robot:
        motion = robot.service("ALMotion")
        assert robot.get(WEIGHT) > 1
        told = push(robot, direction)
        assert told == [(falling, True), ("PostureChanged", posture), ("robotHasFallen", True)]
        assert set(motion.getStiffnesses("Body")) == {0.0} and motion.robotIsWakeUp() is False
        assert robot.service("ALRobotPosture").getPosture() == posture
        assert robot.get("robotHasFallen") is True
        assert robot.get(ANGLE) == pytest.approx(sign * 1.57, abs=0.01)
        assert (robot.get(ACCELERATION), robot.get(WEIGHT)) == (sign * 9.81, 0.0)
        assert motion.getAngles("LShoulderPitch", True) == pytest.approx(
            [robot.world.body.model.posture_angles(posture)["LShoulderPitch"]]
        )


def test_a_fall_ends_walks_and_movements(robot):
    motion, posture, answers = robot.service("ALMotion"), robot.service("ALRobotPosture"), []
    robot.clock.call_soon(lambda: answers.append(posture.goToPosture("Sit", 0.1)))
    robot.clock.call_soon(motion.move, 0.1, 0, 0)
    robot.clock.run(seconds=0.5)
    assert motion.moveIsActive()
    push(robot)
    assert answers == [False] and not motion.moveIsActive() and motion.getTaskList() == []
    assert posture.getPosture() == "LyingBelly"


def test_movements_that_a_program_orders_during_a_fall_end_with_it(robot):
    motion, posture, answers = robot.service("ALMotion"), robot.service("ALRobotPosture"), []
    robot.clock.call_later(0.3, lambda: answers.append(posture.goToPosture("Sit", 1.0)))
    robot.clock.call_later(0.3, lambda: answers.append(motion.moveTo(1.0, 0, 0)))
    push(robot)
    assert answers == [False, False] and not motion.moveIsActive()
    place = motion.getRobotPosition(False)
    robot.clock.run(seconds=3.0)
    assert (posture.getPosture(), motion.getRobotPosition(False)) == ("LyingBelly", place)


def test_a_robot_that_falls_already_cannot_be_pushed(robot):
    robot.clock.call_later(0.5, robot.person.push, "back")
    robot.person.push("back")
    told = push(robot, "front")
    assert [event for event, _ in told] == ["ALMotion/RobotIsFalling", "PostureChanged", "robotHasFallen"]
    assert robot.service("ALRobotPosture").getPosture() == "LyingBack"


@pytest.mark.parametrize("naoqi, stands_up", [("2.1", False), ("2.8", True)])
def test_a_nao_stands_up_from_a_fall(naoqi, stands_up):
    with Robot(naoqi=naoqi) as robot:
        motion, posture = robot.service("ALMotion"), robot.service("ALRobotPosture")
        push(robot)
        # NAOqi 2.1 wants wakeUp first, as for every robot that rests.
        assert posture.goToPosture("Stand", 0.8) is stands_up
        assert motion.wakeUp() and posture.goToPosture("Stand", 0.8)
        assert posture.getPosture() == "Stand" and robot.get(WEIGHT) > 1
        assert robot.get(ANGLE) == pytest.approx(0, abs=0.1)


def test_without_the_fall_manager_a_nao_falls_as_it_is(robot):
    motion = robot.service("ALMotion")
    motion.setFallManagerEnabled(False)
    before = motion.getAngles("Body", False)
    assert push(robot) == [("PostureChanged", "LyingBelly")]
    assert motion.getAngles("Body", False) == before and set(motion.getStiffnesses("Body")) == {1.0}
    assert robot.get("robotHasFallen") is False


@pytest.mark.parametrize("posture", ["Sit", "Crouch", "LyingBack"])
def test_a_nao_that_does_not_stand_stays_as_it_is(posture):
    with Robot(posture=posture) as robot:
        assert push(robot) == []
        assert robot.service("ALRobotPosture").getPosture() == posture


@pytest.mark.parametrize("is_guarded, states", [(True, ["solitary", "safeguard", "solitary"]), (False, ["solitary"])])
def test_autonomous_life_stands_up_by_itself(robot, is_guarded, states):
    life = robot.service("ALAutonomousLife")
    life.setState("solitary")
    life.setSafeguardEnabled("RobotFell", is_guarded)
    robot.person.push()
    robot.clock.run(seconds=0.5)
    assert life.getState() == states[min(1, len(states) - 1)]
    robot.clock.run(seconds=6)
    assert [state for state, _ in life.getStateHistory()] == states
    assert robot.service("ALRobotPosture").getPosture() == ("Stand" if is_guarded else "LyingBelly")


def test_autonomous_life_that_a_program_disables_during_a_fall_stays_disabled(robot):
    life = robot.service("ALAutonomousLife")
    life.setState("solitary")
    robot.clock.call_later(0.5, life.setState, "disabled")
    push(robot)
    robot.clock.run(seconds=6)
    assert (life.getState(), robot.service("ALRobotPosture").getPosture()) == ("disabled", "LyingBelly")


def test_what_cannot_fall(robot):
    with pytest.raises(WrongUse, match='to the front or the back, not to "left"'):
        robot.person.push("left")
    with Robot(robot_type="Pepper") as pepper, pytest.raises(WrongUse, match="not a Pepper"):
        pepper.person.push()


def test_a_fall_is_recorded_and_replayed():
    with Robot() as robot:
        recorder = Recorder(robot)
        push(robot, "back")
        lines = recorder.lines()
    assert [json.loads(line).get("act") for line in lines] == [None, "push", "end"]
    with Robot() as again:
        assert replay_recording(again, lines)
        assert again.service("ALRobotPosture").getPosture() == "LyingBack"
