"""A hand on the robot: sensors, parts of the body and events, as robots were seen to have them."""

from __future__ import absolute_import, division, print_function

import pytest

from naosim.robot import Robot

NAO_SENSORS = """
    Head/Touch/Front Head/Touch/Middle Head/Touch/Rear LHand/Touch/Back LHand/Touch/Left LHand/Touch/Right
    RHand/Touch/Back RHand/Touch/Left RHand/Touch/Right LFoot/Bumper/Left LFoot/Bumper/Right RFoot/Bumper/Left
    RFoot/Bumper/Right
"""
NAO_STATUS = """
    Head LArm LLeg RLeg RArm LHand RHand Head/Touch/Front Head/Touch/Middle Head/Touch/Rear LFoot/Bumper/Left
    LFoot/Bumper/Right RFoot/Bumper/Left RFoot/Bumper/Right LHand/Touch/Left LHand/Touch/Back LHand/Touch/Right
    RHand/Touch/Left RHand/Touch/Back RHand/Touch/Right
"""
PEPPER_SENSORS = """
    Head/Touch/Front Head/Touch/Middle Head/Touch/Rear LHand/Touch/Back RHand/Touch/Back Bumper/Back Bumper/FrontLeft
    Bumper/FrontRight
"""
PEPPER_STATUS = """
    Head LArm Leg RArm LHand RHand Bumper/Back Bumper/FrontLeft Bumper/FrontRight Head/Touch/Front Head/Touch/Middle
    Head/Touch/Rear LHand/Touch/Back RHand/Touch/Back Base
"""


@pytest.mark.parametrize(
    "robot_type, naoqi, sensors, status",
    [
        ("Nao", "2.1", NAO_SENSORS, NAO_STATUS),
        ("Nao", "2.8", NAO_SENSORS, NAO_STATUS),
        ("Pepper", "2.5", PEPPER_SENSORS, PEPPER_STATUS),
    ],
)
def test_the_sensors_are_in_the_order_of_recordings(robot_type, naoqi, sensors, status):
    with Robot(robot_type=robot_type, naoqi=naoqi) as robot:
        touch = robot.service("ALTouch")
        assert touch.getSensorList() == sensors.split()
        assert touch.getStatus() == [[name, False, []] for name in status.split()]


def watch(robot, *events):
    """Return a list that collects the values of the events."""
    rows = []
    for event in events:
        robot.memory.link(event, rows.append)
    return rows


def on(*names):
    return [[name, True, [1]] for name in names]


def off(*names):
    return [[name, False] for name in names]


def test_the_end_of_a_touch_is_told_later_than_the_sensors_own_event(robot):
    touch, rows = robot.service("ALTouch"), watch(robot, "FrontTactilTouched", "TouchChanged")
    assert touch.events_heard() == ["FrontTactilTouched", "TouchChanged"]
    robot.touch("FrontTactilTouched")
    front = ("Head", "Head/Touch/Front")
    assert rows == [1.0, on(*front), 0.0]
    robot.clock.run()
    assert rows[3:] == [off(*front)]


@pytest.mark.parametrize(
    "sensors, names",
    [
        (["FrontTactilTouched"], ["Head", "Head/Touch/Front"]),
        # A hand on the whole head is one event, and the part is in it once.
        (
            ["RearTactilTouched", "FrontTactilTouched", "MiddleTactilTouched"],
            ["Head", "Head/Touch/Front", "Head/Touch/Middle", "Head/Touch/Rear"],
        ),
        (["HandRightBackTouched"], ["RArm", "RHand/Touch/Back"]),
        (["HandLeftRightTouched"], ["LArm", "LHand/Touch/Right"]),
        # Both bumpers of a foot mostly come together.
        (["LeftBumperPressed"], ["LLeg", "LFoot/Bumper/Left", "LFoot/Bumper/Right"]),
        # The button is not a sensor of ALTouch.
        (["ChestButtonPressed"], []),
    ],
)
def test_touchchanged_has_the_part_and_then_its_sensors(robot, sensors, names):
    rows, touch = watch(robot, "TouchChanged"), robot.service("ALTouch")
    for change, wanted in [(touch.press, on(*names)), (touch.release, off(*names))]:
        for sensor in sensors:
            change(sensor)
        robot.clock.run()
        assert rows == ([wanted] if names else [])
        del rows[:]


def test_touchchanged_has_all_that_is_touched_and_all_that_no_longer_is(robot):
    rows, touch = watch(robot, "TouchChanged"), robot.service("ALTouch")
    for change, sensor in [
        (touch.press, "FrontTactilTouched"),
        (touch.press, "HandLeftBackTouched"),
        (touch.release, "FrontTactilTouched"),
        (touch.press, "HandLeftBackTouched"),
    ]:
        change(sensor)
        robot.clock.run()
    front, hand = ("Head", "Head/Touch/Front"), ("LArm", "LHand/Touch/Back")
    both = [on("Head")[0], on("LArm")[0], on("Head/Touch/Front")[0], on("LHand/Touch/Back")[0]]
    ended = [off("Head")[0], on("LArm")[0], off("Head/Touch/Front")[0], on("LHand/Touch/Back")[0]]
    assert rows == [on(*front), both, ended]
    assert [row for row in touch.getStatus() if row[1]] == on(*hand)
    assert touch.leftovers() == ["HandLeftBackTouched is still held down."]
    with pytest.raises(ValueError, match="no touch event 'Nose'"):
        touch.press("Nose")
