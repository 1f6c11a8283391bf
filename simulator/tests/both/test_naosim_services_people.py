"""People in front of the robot: who comes and goes, where they are, and what ALBasicAwareness does about them."""

from __future__ import absolute_import, division, print_function

import math

import pytest

from naosim.robot import Robot

PEOPLE = "PeoplePerception/"
LISTS = [PEOPLE + name for name in ("PeopleList", "VisiblePeopleList", "NonVisiblePeopleList")]


def stand_there(robot, *people):
    """Let people come or go, and let the robot notice this."""
    robot.event(PEOPLE + "PeopleList", list(people))
    robot.clock.run(seconds=0.05)


def read_lists(robot):
    return [robot.get(key) for key in LISTS]


def read_person(robot, number, *names):
    return [robot.get("%sPerson/%d/%s" % (PEOPLE, number, name)) for name in names]


def collect(robot, *events):
    """Return a list that gets a pair of name and value at each of these events."""
    rows = []
    for event in events:
        robot.memory.link(event, lambda value, event=event: rows.append((event.split("/")[1], value)))
    return rows


def test_nothing_is_published_without_a_subscriber(robot):
    """As on a Pepper of 2.5.10.7 (mfbergmann/PepperEvolution)."""
    rows = collect(robot, PEOPLE + "JustArrived", PEOPLE + "VisiblePeopleList", PEOPLE + "PeopleDetected")
    stand_there(robot, True)
    robot.clock.run(seconds=2)
    assert (rows, read_lists(robot)[1:], read_person(robot, 1, "Distance")) == ([], [[], []], [None])
    robot.service("ALPeoplePerception").subscribe("Test")
    robot.clock.run(seconds=1)
    assert rows[:2] == [("JustArrived", 1), ("VisiblePeopleList", [1])]
    assert read_lists(robot) == [[1], [1], []] and read_person(robot, 1, "IsVisible") == [True]


@pytest.mark.parametrize(
    "event, service",
    [(event, "") for event in ("PopulationUpdated", "PeopleDetected", "JustLeft", "VisiblePeopleList")]
    + [("", "ALEngagementZones"), ("", "ALGazeAnalysis")],
)
def test_events_and_services_that_need_people_start_the_perception(robot, event, service):
    robot.world.modules["Listener"] = type("Listener", (), {"onEvent": lambda self, key, value, message: None})()
    perception = robot.service("ALPeoplePerception")
    assert not perception.is_running
    if event:
        robot.memory.subscribeToEvent(PEOPLE + event, "Listener", "onEvent")
    else:
        robot.service(service).subscribe("Test")
    assert perception.is_running
    if event:
        robot.memory.unsubscribeToEvent(PEOPLE + event, "Listener")
    else:
        robot.service(service).unsubscribe("Test")
    assert not perception.is_running


def test_a_person_disappears_after_the_documented_times(robot):
    """Documented by the maker: 2 s for a person who should be in the picture, else 10 s."""
    perception = robot.service("ALPeoplePerception")
    assert perception.getTimeBeforePersonDisappears() == 10.0
    assert perception.getTimeBeforeVisiblePersonDisappears() == 2.0
    assert perception.getMaximumDetectionRange() == 3.5
    perception.subscribe("Test", 100, 0.0)
    rows = collect(robot, PEOPLE + "JustArrived", PEOPLE + "JustLeft")
    stand_there(robot, True, True)
    stand_there(robot, 2)
    assert read_lists(robot) == [[1, 2], [2], [1]] and read_person(robot, 1, "IsVisible") == [False]
    robot.clock.run(seconds=1.5)
    assert ("JustLeft", 1) not in rows
    robot.clock.run(seconds=1.0)
    assert rows == [("JustArrived", 1), ("JustArrived", 2), ("JustLeft", 1)]
    assert read_lists(robot) == [[2], [2], []] and read_person(robot, 1, "Distance", "IsVisible") == [None, None]
    # The robot looks away: the person is out of the picture.
    robot.service("ALMotion").setAngles("HeadYaw", 1.5, 1.0)
    robot.clock.run(seconds=8)
    assert read_lists(robot) == [[2], [], [2]] and read_person(robot, 2, "NotSeenSince")[0] > 6
    robot.clock.run(seconds=4)
    assert read_lists(robot) == [[], [], []] and rows[-1] == ("JustLeft", 2)


def test_a_person_too_far_away_or_behind_the_robot_is_nobody(robot):
    robot.service("ALPeoplePerception").subscribe("Test")
    stand_there(robot, {"distance": 5}, {"angle": 3.0})
    assert read_lists(robot) == [[], [], []]
    robot.service("ALMotion").moveTo(2.5, 0.0, 0.0)
    robot.clock.run(seconds=1)
    assert read_lists(robot) == [[1], [1], []]


def test_the_keys_of_a_person_are_the_places_seen_from_the_robot(robot):
    robot.service("ALPeoplePerception").subscribe("Test")
    robot.service("ALEngagementZones").subscribe("Test")
    robot.service("ALMotion").moveTo(1.0, 0.0, math.pi / 2)
    stand_there(robot, {"distance": 2.0, "angle": 0.2})
    world, ground, torso = read_person(robot, 1, "PositionInWorldFrame", "PositionInRobotFrame", "PositionInTorsoFrame")
    assert world == pytest.approx([1.0 - 2 * math.sin(0.2), 2 * math.cos(0.2), 1.5])
    assert ground == pytest.approx([2 * math.cos(0.2), 2 * math.sin(0.2), 1.5])
    assert torso[2] == pytest.approx(1.5 - robot.service("ALMotion").getPosition("Torso", 2, True)[2], abs=0.01)
    yaw, pitch = read_person(robot, 1, "AnglesYawPitch")[0]
    assert yaw == pytest.approx(0.2, abs=0.01) and pitch < 0
    assert 2.0 < read_person(robot, 1, "Distance")[0] < 2.5
    assert read_person(robot, 1, "EngagementZone", "IsFaceDetected", "RealHeight") == [2, True, 1.6]
    assert read_person(robot, 1, "IsLookingAtRobot") == [None]
    robot.service("ALGazeAnalysis").subscribe("Test")
    robot.clock.run(seconds=3)
    assert read_person(robot, 1, "IsLookingAtRobot") == [True] and read_person(robot, 1, "PresentSince")[0] > 2.5


def test_a_look_at_three_people_asks_for_the_joints_as_often_as_a_look_at_one(robot, monkeypatch):
    robot.service("ALPeoplePerception").subscribe("Test")
    body, asked, counts = robot.world.body, [], []
    angles = body.angles
    monkeypatch.setattr(body, "angles", lambda: asked.append(True) or angles())
    for people in ((True,), (True, True, True)):
        stand_there(robot, *people)
        del asked[:]
        robot.service("ALPeoplePerception")._look()
        counts.append(len(asked))
    assert counts[0] == counts[1] > 0


def test_a_run_ends_soon_while_the_robot_only_looks_at_people_who_stay(robot):
    robot.service("ALPeoplePerception").subscribe("Test")
    rows = collect(robot, PEOPLE + "PeopleDetected", PEOPLE + "JustLeft")
    stand_there(robot, True)
    assert robot.clock.next_due() is None
    robot.advance()
    assert 5.0 <= robot.now() < 6.0 and len(rows) > 10
    stand_there(robot)
    assert robot.clock.next_due() is not None, "the person will be forgotten"
    robot.advance()
    assert rows[-1] == ("JustLeft", 1) and robot.clock.pending() == []


def test_peopledetected_has_the_layout_that_ros_reads(robot):
    robot.service("ALPeoplePerception").subscribe("Test")
    rows = collect(robot, PEOPLE + "PeopleDetected", PEOPLE + "PopulationUpdated")
    stand_there(robot, True, {"distance": 2.0, "angle": 0.3})
    stamp, people, in_torso, in_robot, camera = dict(rows)["PeopleDetected"]
    assert (stamp[0], len(in_torso), len(in_robot), camera) == (1500000000, 6, 6, 0)
    assert [row[0] for row in people] == [1, 2] and people[1][1] == pytest.approx(2.3, abs=0.2)
    assert people[1][2] < 0 < people[1][3]
    assert ("PopulationUpdated", True) in rows
    robot.clock.run(seconds=1.2)
    assert len([name for name, _ in rows if name == "PeopleDetected"]) == 3, "one at each look"
    stand_there(robot)
    assert [value for name, value in rows if name == "PeopleDetected"][-1] == []


def test_a_population_can_be_forgotten_and_the_perception_paused(robot):
    perception = robot.service("ALPeoplePerception")
    perception.subscribe("Test")
    stand_there(robot, True)
    perception.resetPopulation()
    assert read_lists(robot) == [[], [], []] and read_person(robot, 1, "Distance") == [None]
    robot.clock.run(seconds=1)
    assert read_lists(robot) == [[1], [1], []]
    perception.pause(True)
    stand_there(robot)
    robot.clock.run(seconds=5)
    assert read_lists(robot) == [[1], [1], []]
    perception.pause(False)
    robot.clock.run(seconds=1)
    assert read_lists(robot) == [[], [], []]
    perception.unsubscribe("Test")
    assert perception.leftovers() == []


INPUTS = [PEOPLE + "PopulationUpdated", "MovementDetection/MovementDetected", "TouchChanged"]


def list_subscribers(robot):
    return [robot.memory.getSubscribers(event) for event in INPUTS]


def test_awareness_listens_to_three_events_while_it_runs(robot):
    """Measured on NAOqi 2.1.4.13 and 2.8.7.4 (funwithagents/nao-sim, specs/_overview.md)."""
    awareness = robot.service("ALBasicAwareness")
    assert list_subscribers(robot) == [[], [], []]
    awareness.startAwareness()
    assert list_subscribers(robot) == [["ALBasicAwareness"]] * 3
    assert robot.service("ALPeoplePerception").is_running
    assert robot.ears().touch == (), "the robot waits for no touch"
    awareness.setEnabled(False)
    assert list_subscribers(robot) == [[], [], []] and not robot.service("ALPeoplePerception").is_running
    assert robot.list_left_open() == []


AWARE = "ALBasicAwareness/"


def test_awareness_tracks_a_person_and_loses_them(robot):
    rows = collect(robot, AWARE + "StimulusDetected", AWARE + "HumanTracked", AWARE + "HumanLost")
    tracked = []
    robot.service("ALBasicAwareness").startAwareness()
    robot.memory.link(AWARE + "humanTracked", tracked.append)
    stand_there(robot, {"angle": 0.4})
    assert rows == [("StimulusDetected", "People"), ("HumanTracked", 1)]
    robot.clock.run(seconds=2)
    yaw, pitch = robot.service("ALMotion").getAngles("Head", True)
    assert yaw == pytest.approx(0.4, abs=0.05) and pitch < -0.1
    assert len(rows) == 2
    # A tracker pulls the head back to the person (seen on a Pepper).
    robot.service("ALMotion").setAngles("HeadYaw", 0.6, 1.0)
    robot.clock.run(seconds=3)
    assert robot.service("ALMotion").getAngles("HeadYaw", True) == [yaw]
    robot.touch("FrontTactilTouched")
    assert rows[2:] == [("StimulusDetected", "Touch")]
    stand_there(robot)
    robot.clock.run(seconds=5)
    assert rows[3:] == [("HumanLost", 1), ("HumanTracked", -1)] and tracked == [1, -1]


def test_awareness_follows_the_keys_that_a_program_writes(robot):
    """The population of nao-sim's test: the maker's ALBasicAwareness tracked it."""
    memory = robot.memory
    robot.service("ALBasicAwareness").startAwareness()
    rows = collect(robot, AWARE + "HumanTracked")
    for key, value in [
        ("PeopleList", [42]),
        ("VisiblePeopleList", [42]),
        ("NonVisiblePeopleList", []),
        ("Person/42/PositionInTorsoFrame", [1.0, 0.7, 0.3]),
    ]:
        memory.insertData(PEOPLE + key, value)
    memory.raiseEvent(PEOPLE + "PopulationUpdated", [])
    robot.clock.run(seconds=2)
    assert rows == [("HumanTracked", 42)]
    assert robot.service("ALMotion").getAngles("HeadYaw", True)[0] > 0.5


@pytest.mark.parametrize(
    "prepare",
    [
        lambda awareness: awareness.setStimulusDetectionEnabled("People", False),
        lambda awareness: awareness.pauseAwareness(),
        lambda awareness: awareness.stopAwareness(),
    ],
    ids=["no stimulus", "paused", "stopped"],
)
def test_awareness_that_does_not_look_tracks_nobody(robot, prepare):
    awareness = robot.service("ALBasicAwareness")
    awareness.startAwareness()
    prepare(awareness)
    rows = collect(robot, AWARE + "HumanTracked")
    stand_there(robot, True)
    robot.clock.run(seconds=2)
    assert rows == [] and robot.service("ALMotion").getAngles("HeadYaw", True) == [0.0]


@pytest.mark.parametrize("value", [3, "x", [], ["x", None, [1]], [[1, 2]], None])
def test_awareness_takes_anything_that_a_program_writes(robot, value):
    robot.service("ALBasicAwareness").startAwareness()
    for key in (PEOPLE + "VisiblePeopleList", PEOPLE + "Person/7/PositionInTorsoFrame"):
        robot.memory.insertData(key, value)
    for event in INPUTS:
        robot.memory.raiseEvent(event, value)
    robot.memory.insertData(PEOPLE + "VisiblePeopleList", [7])
    robot.memory.raiseEvent(INPUTS[0], True)
    robot.clock.run(seconds=1)
    assert robot.trace.errors == []


def test_awareness_engages_a_person_in_sight(robot):
    awareness = robot.service("ALBasicAwareness")
    awareness.startAwareness()
    rows = collect(robot, AWARE + "HumanTracked")
    stand_there(robot, True, True)
    assert (awareness.engagePerson(2), awareness.engagePerson(5)) == (True, False)
    robot.clock.run(seconds=1)
    assert rows == [("HumanTracked", 1), ("HumanTracked", 2)]


def test_a_pepper_has_the_same_people():
    with Robot(robot_type="Pepper", naoqi="2.5") as pepper:
        pepper.service("ALPeoplePerception").subscribe("Test")
        stand_there(pepper, True)
        assert read_lists(pepper) == [[1], [1], []]


@pytest.mark.parametrize("forget", [False, True], ids=["the person leaves", "the population is reset"])
def test_the_lists_lose_a_person_who_left_while_nothing_was_subscribed(robot, forget):
    perception = robot.service("ALPeoplePerception")
    perception.subscribe("Test")
    stand_there(robot, True)
    perception.unsubscribe("Test")
    stand_there(robot)
    if forget:
        perception.resetPopulation()
        assert read_lists(robot) == [[], [], []]
    perception.subscribe("Test")
    robot.clock.run(seconds=3)
    assert read_lists(robot) == [[], [], []]


def test_awareness_loses_a_person_who_is_forgotten_at_once(robot):
    robot.service("ALPeoplePerception").setTimeBeforeVisiblePersonDisappears(0.0)
    robot.service("ALBasicAwareness").startAwareness()
    rows = collect(robot, AWARE + "HumanTracked", AWARE + "HumanLost")
    stand_there(robot, True)
    stand_there(robot)
    assert rows == [("HumanTracked", 1), ("HumanLost", 1), ("HumanTracked", -1)]


def test_a_service_does_nothing_after_exit(robot):
    robot.service("ALPeoplePerception").subscribe("Test")
    robot.service("ALBasicAwareness").startAwareness()
    robot.service("ALBasicAwareness").exit()
    rows = collect(robot, AWARE + "HumanTracked", PEOPLE + "PeopleDetected")
    assert list_subscribers(robot) == [[], [], []]
    stand_there(robot, True)
    assert [name for name, _ in rows] == ["PeopleDetected"]
    robot.service("ALPeoplePerception").exit()
    robot.clock.run(seconds=3)
    assert len(rows) == 1
