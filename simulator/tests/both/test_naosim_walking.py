"""Walking: footsteps, navigation and places on the floor."""

from __future__ import absolute_import, division, print_function

import datetime
import math
import re

import pytest

from naosim.patches import ROBOT_START_S
from naosim.robot import Robot

# Walking by given steps and along given paths; the body is where its feet lead.


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
    assert motion.call("moveIsActive", []) and motion.call("isCollision", ["LArm"]) == "none"
    feet, under_way, coming = motion.call("getFootSteps", [])
    assert feet == [near(0, 0.05, 0), near(0, -0.05, 0)]
    assert [row[0] for row in under_way + coming] == ["LLeg", "RLeg"]
    motion.call("waitUntilMoveIsFinished", [])
    assert place(motion) == near(0.06, 0.0, 0.0)
    assert not motion.call("moveIsActive", [])
    assert motion.call("getFootSteps", []) == [[near(0.06, 0.05, 0), near(0.06, -0.05, 0)], [], []]


def test_feet_stay_where_they_are_planted_and_steps_keep_the_time_given(robot, motion):
    motion.call("setFootSteps", [["LLeg"], [[0.0578, 0.1081, 0.2654]], [0.5], False])
    robot.clock.run(seconds=0.25)
    standing = [near(0, 0.05, 0), near(0, -0.05, 0)]
    assert motion.call("getFootSteps", []) == [standing, [["LLeg", 0.5, [0.0578, 0.1081, 0.2654]]], []]
    motion.call("waitUntilMoveIsFinished", [])
    planted = [near(0.0578, 0.0581, 0.2654), near(0, -0.05, 0)]
    assert motion.call("getFootSteps", []) == [planted, [], []]
    motion.call("setFootSteps", [["RLeg"], [[0.054, -0.0998, -0.2624]], [0.5], False])
    robot.clock.run(seconds=0.1)
    assert motion.call("getFootSteps", []) == [planted, [["RLeg", 0.5, [0.054, -0.0998, -0.2624]]], []]
    motion.call("waitUntilMoveIsFinished", [])
    motion.call("moveTo", [0.0, 0.0, 1.0])
    left, right = motion.call("getFootSteps", [])[0]
    assert math.hypot(left[0] - right[0], left[1] - right[1]) == pytest.approx(0.1)


def test_steps_follow_those_that_are_planned_or_replace_them(robot, motion):
    def step(clear):
        before = robot.clock.now()
        for forward in (0.04, 0.08):
            motion.call("setFootStepsWithSpeed", [["LLeg", "RLeg"], [[forward, 0.1, 0], [0, -0.1, 0]], [1, 1], clear])
        motion.call("waitUntilMoveIsFinished", [])
        return robot.clock.now() - before, place(motion)[0]

    assert step(False) == (pytest.approx(2.0), pytest.approx(0.12))
    assert step(True) == (pytest.approx(1.0), pytest.approx(0.2))


def test_feet_that_are_told_to_stop_stop_and_long_steps_are_shortened(motion, robot):
    motion.call("setFootSteps", [["LLeg", "RLeg"], [[1, 0.01, 0.2], [0, -0.1, 0]], [1, 2], True])
    motion.call("waitUntilMoveIsFinished", [])
    left, right = motion.call("getFootSteps", [])[0]
    assert place(motion)[2] == pytest.approx(0.2)
    # At most 8 cm ahead, and at least 8.8 cm beside the other foot, which stands 5 cm to the right.
    assert left[:2] != near(1, 0.01) and math.hypot(left[0] - right[0], left[1] - right[1]) == pytest.approx(0.1)
    assert place(motion)[0] == pytest.approx(0.08 + 0.05 * math.sin(0.2), abs=0.02)
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
        ("LINE", 2, (0.0, -0.12, 0.0)),
        (["Composed", "LINE", "TURN", "LINE"], 7, (0.12, -0.12, math.pi / 2)),
        ("ARC", 4, (0.5, 0.5, math.pi / 2)),
        ("SIDES", 5, (0.3, 0.2, 0.0)),
        (["Composed", ["Composed", "ARC"], "ARC"], 8, (0.0, 1.0, math.pi)),
    ],
)
@pytest.mark.parametrize("service", ["ALMotion", "ALNavigation"])
def test_trajectories_are_walked(robot, motion, service, trajectory, seconds, end):
    parts = {
        "LINE": ["Holonomic", ["Line", [0.0, -0.12]], 0, 2],
        "TURN": ["Holonomic", ["Line", [0.0, 0.0]], math.pi / 2, 3],
        "ARC": ["Holonomic", ["Circle", [0.0, 0.5], math.pi / 2], math.pi / 2, 4],
        "SIDES": ["Holonomic", ["Composed", ["Line", [0.3, 0.0]], ["Line", [0.0, 0.2]]], 0.0, 5],
    }

    def spell_out(path):
        return parts.get(path, path) if type(path) is str else [spell_out(part) for part in path]

    trajectory, before = spell_out(trajectory), robot.clock.now()
    assert robot.service(service).call("moveAlong", [trajectory]) is True
    assert robot.clock.now() - before == pytest.approx(seconds)
    assert place(motion) == near(*end)


def test_paths_of_one_place_and_of_several_go_together(motion):
    arm, torso = (motion.call("getTransform", [name, 2, False]) for name in ("LArm", "Torso"))
    lower = list(torso)
    lower[11] -= 0.02
    motion.call("transformInterpolations", [["LArm", "Torso"], 2, [arm, [lower, torso]], [7, 63], [[2.0], [1.0, 2.0]]])
    assert motion.call("getTransform", ["Torso", 2, False]) == [pytest.approx(each, abs=1e-3) for each in torso]


# Maps: a floor is explored, kept, loaded, and walked on by its map.

ALMOST = 1e-6


@pytest.fixture
def pepper():
    with Robot(posture="StandInit", robot_type="Pepper") as made:
        yield made


@pytest.fixture
def navigation(pepper):
    return pepper.service("ALNavigation")


def place_of(pepper):
    return pepper.service("ALMotion").getRobotPosition(False)


def test_an_exploration_is_kept_and_loaded(pepper, navigation):
    assert navigation.explore(2) == 0
    begin = 1000 * (ROBOT_START_S + pepper.now())
    path = navigation.saveExploration()
    moment, thousandths = re.match(r"/home/nao/\.local/share/Explorer/([-\dT]{17})\.(\d{3})Z\.explo\Z", path).groups()
    passed = datetime.datetime.strptime(moment, "%Y-%m-%dT%H%M%S") - datetime.datetime(1970, 1, 1)
    assert 1000 * passed.total_seconds() + int(thousandths) == pytest.approx(begin, abs=1)
    pepper.clock.run(seconds=0.25)
    assert navigation.saveExploration() != path
    pepper.service("ALMotion").moveTo(1.0, 0.0, 0.0)
    assert navigation.loadExploration(path) is True
    navigation.startLocalization()
    where, uncertainty = navigation.getRobotPositionInMap()
    assert where == pytest.approx([0, 0, 0], abs=ALMOST)
    assert len(uncertainty) == 3
    assert navigation.getExplorationPath() == [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]


def test_a_map_is_a_round_free_floor_and_the_robot_is_on_it(navigation, pepper):
    # Floats of 32 bits: the first one was recorded on a Pepper.
    for radius, metres, size in [(1.0, 0.05000000074505806, 40), (10.0, 0.20000000298023224, 100)]:
        navigation.explore(radius)
        resolution, width, height, first, pixels = navigation.getMetricalMap()
        assert (resolution, width, height, len(pixels)) == (metres, size, size, size * size), radius
        assert first == pytest.approx([-radius, radius]), radius
        assert (pixels[0], pixels[size * size // 2 + size // 2]) == (0.0, 100.0), radius
    pepper.service("ALMotion").moveTo(0.5, 0.0, 0.0)
    navigation.startFreeZoneUpdate()
    for method in (navigation.getFreeZone, navigation.findFreeZone, navigation.stopAndComputeFreeZone):
        code, radius, centre = method(0.6, 0.5)
        assert (code, radius) == (0, 0.6)
        assert centre == pytest.approx([0.5, 0.0], abs=ALMOST)


def test_an_exploration_can_be_stopped(pepper, navigation):
    ended = []
    pepper.clock.call_soon(lambda: ended.append(navigation.explore(2.0)))
    pepper.clock.run(seconds=3)
    navigation.stopExploration()
    pepper.clock.run(seconds=1)
    assert ended == [2]
    with pytest.raises(RuntimeError, match="ALNavigation::saveExploration\n\tNo exploration loaded"):
        navigation.saveExploration()


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"\xff\x00",
        b"[]",
        b"{}",
        b'{"kind": "exploration of a simulated robot", "radius": "2"}',
        b'{"kind": "exploration of a simulated robot", "radius": 1e300}',
    ],
)
def test_other_files_are_no_explorations(pepper, navigation, tmpdir, content):
    file = tmpdir.join("other.explo")
    if content is not None:
        file.write_binary(content)
    assert navigation.loadExploration(str(file)) is False
    warnings = [event.fields["message"] for event in pepper.trace.events if event.kind == "warning"]
    assert warnings == ["%s is not an exploration of a simulated robot." % file]


@pytest.mark.parametrize("way", [[0.5, 0.0], [0.5, 0.0, [["SpeedFactor", 0.5]]], [0.5, 0.0, 0.0, []]])
def test_a_way_may_have_an_angle_and_settings(pepper, navigation, way):
    assert navigation.call("navigateTo", way) is True
    assert place_of(pepper) == pytest.approx([0.5, 0.0, 0.0], abs=ALMOST)
    assert navigation.moveTo(0.2, 0.0, 0.0) is True
    assert place_of(pepper) == pytest.approx([0.7, 0.0, 0.0], abs=ALMOST)
    navigation.move(0.1, 0.0, 0.0)
    navigation.moveToward(1.0, 0.0, 0.0)
    navigation.stopNavigateTo()
    assert not pepper.service("ALMotion").moveIsActive()
