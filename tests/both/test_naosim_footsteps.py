"""Walking by given steps and along given paths; the body is where its feet lead."""

from __future__ import absolute_import, division, print_function

import math

import pytest

from naosim.robot import Robot

LINE = ["Holonomic", ["Line", [0.0, -0.12]], 0, 2]
TURN = ["Holonomic", ["Line", [0.0, 0.0]], math.pi / 2, 3]
ARC = ["Holonomic", ["Circle", [0.0, 0.5], math.pi / 2], math.pi / 2, 4]
SIDES = ["Holonomic", ["Composed", ["Line", [0.3, 0.0]], ["Line", [0.0, 0.2]]], 0.0, 5]


@pytest.fixture
def robot():
    made = Robot(posture="StandInit")
    made.service("ALMotion").call("wakeUp", [])
    yield made
    made.close()


@pytest.fixture
def motion(robot):
    return robot.service("ALMotion")


def place(motion):
    return motion.call("getRobotPosition", [False])


def near(*numbers):
    return [pytest.approx(number, abs=1e-6) for number in numbers]


def test_two_steps_lead_the_body_to_the_middle_of_the_feet(robot, motion):
    motion.call("setFootSteps", [["LLeg", "RLeg"], [[0.06, 0.1, 0.0], [0.0, -0.1, 0.0]], [0.6, 1.2], False])
    assert motion.call("moveIsActive", [])
    feet, under_way, coming = motion.call("getFootSteps", [])
    assert feet == [near(0, 0.05, 0), near(0, -0.05, 0)]
    assert [row[0] for row in under_way + coming] == ["LLeg", "RLeg"]
    motion.call("waitUntilMoveIsFinished", [])
    assert place(motion) == near(0.06, 0.0, 0.0)
    assert not motion.call("moveIsActive", [])
    assert motion.call("getFootSteps", []) == [[near(0.06, 0.05, 0), near(0.06, -0.05, 0)], [], []]


def test_steps_follow_those_that_are_planned_or_replace_them(robot, motion):
    def step(clear):
        before = robot.clock.now()
        for forward in (0.04, 0.08):
            motion.call("setFootStepsWithSpeed", [["LLeg", "RLeg"], [[forward, 0.1, 0], [0, -0.1, 0]], [1, 1], clear])
        motion.call("waitUntilMoveIsFinished", [])
        return robot.clock.now() - before, place(motion)[0]

    assert step(False) == (pytest.approx(2.0), pytest.approx(0.12))
    assert step(True) == (pytest.approx(1.0), pytest.approx(0.2))


def test_a_step_that_is_too_long_is_shortened_and_the_feet_turn(motion):
    motion.call("setFootSteps", [["LLeg", "RLeg"], [[1, 0.01, 0.2], [0, -0.1, 0]], [1, 2], True])
    motion.call("waitUntilMoveIsFinished", [])
    left, right = motion.call("getFootSteps", [])[0]
    assert place(motion)[2] == pytest.approx(0.2)
    # At most 8 cm ahead, and at least 8.8 cm beside the other foot, which stands 5 cm to the right.
    assert left[:2] != near(1, 0.01) and math.hypot(left[0] - right[0], left[1] - right[1]) == pytest.approx(0.1)
    assert place(motion)[0] == pytest.approx(0.08 + 0.05 * math.sin(0.2), abs=0.02)


def test_stopping_ends_the_steps(robot, motion):
    motion.call("setFootSteps", [["LLeg", "RLeg"], [[0.06, 0.1, 0], [0, -0.1, 0]], [1, 2], False])
    robot.clock.run(seconds=1.0)
    motion.call("stopMove", [])
    assert motion.call("getFootSteps", [])[1:] == [[], []]
    stopped = place(motion)
    robot.clock.run(seconds=3.0)
    assert place(motion) == stopped


@pytest.mark.parametrize(
    "trajectory, seconds, end",
    [
        (LINE, 2, (0.0, -0.12, 0.0)),
        (["Composed", LINE, TURN, LINE], 7, (0.12, -0.12, math.pi / 2)),
        (ARC, 4, (0.5, 0.5, math.pi / 2)),
        (SIDES, 5, (0.3, 0.2, 0.0)),
        (["Composed", ["Composed", ARC], ARC], 8, (0.0, 1.0, math.pi)),
    ],
)
@pytest.mark.parametrize("service", ["ALMotion", "ALNavigation"])
def test_trajectories_are_walked(robot, motion, service, trajectory, seconds, end):
    before = robot.clock.now()
    assert robot.service(service).call("moveAlong", [trajectory]) is True
    assert robot.clock.now() - before == pytest.approx(seconds)
    assert place(motion) == near(*end)


def test_wrong_steps_and_trajectories_are_refused(motion):
    for method, arguments in [
        ("setFootSteps", (["LLeg"], [[0, 0.1, 0]], [1, 2], False)),
        ("setFootSteps", (["Nose"], [[0, 0.1, 0]], [1], False)),
        ("setFootSteps", (["LLeg"], [[0, 0.1]], [1], False)),
        ("setFootSteps", (["LLeg"] * 2, [[0] * 3] * 2, [2, 1], False)),
        ("setFootStepsWithSpeed", (["LLeg"], [[0, 0.1, 0]], [2], False)),
        ("setFootSteps", (["LLeg"] * 501, [[0] * 3] * 501, [1] * 501, False)),
        ("moveAlong", ("there",)),
        ("moveAlong", (["Line", [1, 0]],)),
        ("moveAlong", (["Holonomic", ["Line", [1]], 0, 1],)),
        ("moveAlong", (["Holonomic", ["Square", [1, 1]], 0, 1],)),
        ("moveAlong", (["Composed"] + [SIDES] * 251,)),
        ("moveAlong", (["Holonomic", [], 0, 1],)),
        ("moveAlong", (["Holonomic", ["Line", [1, 0]], 0, -1],)),
        ("isCollision", ("Nose",)),
    ]:
        with pytest.raises(RuntimeError, match="ALMotion::%s" % method):
            motion.call(method, arguments)
        assert place(motion) == near(0, 0, 0), method


def test_a_robot_that_sits_does_not_step(robot):
    robot.service("ALRobotPosture").call("goToPosture", ["Sit", 1.0])
    with pytest.raises(RuntimeError, match="cannot walk"):
        robot.service("ALMotion").call("setFootSteps", [["LLeg"], [[0, 0.1, 0]], [1], False])


def test_the_body_meets_nothing(motion):
    assert motion.call("isCollision", ["LArm"]) == "none"


def test_paths_of_one_place_and_of_several_go_together(motion):
    arm, torso = (motion.call("getTransform", [name, 2, False]) for name in ("LArm", "Torso"))
    lower = list(torso)
    lower[11] -= 0.02
    motion.call("transformInterpolations", [["LArm", "Torso"], 2, [arm, [lower, torso]], [7, 63], [[2.0], [1.0, 2.0]]])
    assert motion.call("getTransform", ["Torso", 2, False]) == [pytest.approx(each, abs=1e-3) for each in torso]
