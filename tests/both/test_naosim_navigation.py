"""Maps: a floor is explored, kept, loaded, and walked on by its map."""

from __future__ import absolute_import, division, print_function

import math

import pytest

from naosim.robot import Robot

ALMOST = 1e-6


@pytest.fixture
def robot():
    with Robot(posture="StandInit", robot_type="Pepper") as made:
        yield made


@pytest.fixture
def navigation(robot):
    return robot.service("ALNavigation")


def place(robot):
    return robot.service("ALMotion").getRobotPosition(False)


def test_an_exploration_is_kept_and_loaded(robot, navigation):
    assert navigation.explore(2) == 0
    path = navigation.saveExploration()
    assert path == "/home/nao/.local/share/Explorer/1.explo"
    assert navigation.saveExploration() == "/home/nao/.local/share/Explorer/2.explo"
    robot.service("ALMotion").moveTo(1.0, 0.0, 0.0)
    assert navigation.loadExploration(path) is True
    navigation.startLocalization()
    where, uncertainty = navigation.getRobotPositionInMap()
    assert where == pytest.approx([0, 0, 0], abs=ALMOST)
    assert len(uncertainty) == 3
    assert navigation.getExplorationPath() == [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]


def test_a_robot_walks_to_places_of_its_map(robot, navigation):
    robot.service("ALMotion").moveTo(0.5, 0.0, math.pi / 2)
    navigation.explore(2.0)
    navigation.startLocalization()
    assert navigation.navigateToInMap([1.0, 0.0, 0.0]) == 0
    assert place(robot)[:2] == pytest.approx([0.5, 1.0], abs=ALMOST)
    assert navigation.getRobotPositionInMap()[0][:2] == pytest.approx([1.0, 0.0], abs=ALMOST)
    assert navigation.navigateToInMap([3.0, 0.0, 0.0]) == 5
    assert navigation.navigateToInMap([0.0, 0.0]) == 0
    assert place(robot)[:2] == pytest.approx([0.5, 0.0], abs=ALMOST)


def test_a_robot_is_told_where_it_stands(robot, navigation):
    navigation.explore(2.0)
    assert navigation.relocalizeInMap([0.5, 0.0, math.pi])[0] == pytest.approx([0.5, 0.0, math.pi], abs=ALMOST)
    navigation.startLocalization()
    navigation.navigateToInMap([0.0, 0.0, 0.0])
    assert place(robot)[:2] == pytest.approx([0.5, 0.0], abs=ALMOST)


def test_a_map_is_a_round_free_floor(navigation):
    for radius, metres, size in [(1.0, 0.05, 40), (10.0, 0.2, 100)]:
        navigation.explore(radius)
        resolution, width, height, first, pixels = navigation.getMetricalMap()
        assert (resolution, width, height, len(pixels)) == (pytest.approx(metres), size, size, size * size), radius
        assert first == pytest.approx([-radius, radius]), radius
        assert (pixels[0], pixels[size * size // 2 + size // 2]) == (0.0, 100.0), radius


def test_an_exploration_can_be_stopped(robot, navigation):
    ended = []
    robot.clock.soon(lambda: ended.append(navigation.explore(2.0)))
    robot.clock.run(seconds=3)
    navigation.stopExploration()
    robot.clock.run(seconds=1)
    assert ended == [2]
    with pytest.raises(RuntimeError, match="ALNavigation::saveExploration\n\tNo exploration is loaded"):
        navigation.saveExploration()


def test_without_an_exploration_there_is_no_map(navigation):
    for method, arguments in [
        ("getMetricalMap", []),
        ("startLocalization", []),
        ("getExplorationPath", []),
        ("relocalizeInMap", [[0.0, 0.0]]),
        ("getRobotPositionInMap", []),
        ("navigateToInMap", [[0.0, 0.0, 0.0]]),
    ]:
        with pytest.raises(RuntimeError, match="No exploration is loaded"):
            navigation.call(method, arguments)


def test_a_place_in_the_map_needs_the_localization(navigation):
    navigation.explore(1.0)
    navigation.startLocalization()
    navigation.stopLocalization()
    navigation.stopLocalization()
    for method, arguments in (("getRobotPositionInMap", []), ("navigateToInMap", [[0.0, 0.0, 0.0]])):
        with pytest.raises(RuntimeError, match="The localization is not running"):
            navigation.call(method, arguments)


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
def test_other_files_are_no_explorations(robot, navigation, tmpdir, content):
    file = tmpdir.join("other.explo")
    if content is not None:
        file.write_binary(content)
    assert navigation.loadExploration(str(file)) is False
    warnings = [event.fields["message"] for event in robot.trace.events if event.kind == "warning"]
    assert warnings == ["%s is no exploration of a simulated robot." % file]


@pytest.mark.parametrize("way", [[0.5, 0.0], [0.5, 0.0, [["SpeedFactor", 0.5]]], [0.5, 0.0, 0.0, []]])
def test_a_way_may_have_an_angle_and_settings(robot, navigation, way):
    assert navigation.call("navigateTo", way) is True
    assert place(robot) == pytest.approx([0.5, 0.0, 0.0], abs=ALMOST)
    navigation.move(0.1, 0.0, 0.0)
    navigation.moveToward(1.0, 0.0, 0.0)
    navigation.stopNavigateTo()
    assert not robot.service("ALMotion").moveIsActive()


def test_the_floor_is_free_where_the_robot_is(robot, navigation):
    robot.service("ALMotion").moveTo(0.5, 0.0, 0.0)
    navigation.startFreeZoneUpdate()
    for method in (navigation.getFreeZone, navigation.findFreeZone, navigation.stopAndComputeFreeZone):
        code, radius, centre = method(0.6, 0.5)
        assert (code, radius) == (0, 0.6)
        assert centre == pytest.approx([0.5, 0.0], abs=ALMOST)


def test_distances_to_obstacles_are_kept(robot):
    motion = robot.service("ALMotion")
    motion.setOrthogonalSecurityDistance(0.25)
    motion.setTangentialSecurityDistance(0.05)
    assert (motion.getOrthogonalSecurityDistance(), motion.getTangentialSecurityDistance()) == (0.25, 0.05)
    with pytest.raises(RuntimeError, match="out of range"):
        motion.setTangentialSecurityDistance(-1)
