"""Settings of services that detect nothing: kept, within their limits, and told when asked for."""

from __future__ import absolute_import, division, print_function

import pytest

from naosim.robot import Robot

NUMBERS = [
    (
        "ALPeoplePerception",
        [
            "MaximumDetectionRange",
            "MinimumBodyHeight",
            "MaximumBodyHeight",
            "TimeBeforePersonDisappears",
            "TimeBeforeVisiblePersonDisappears",
        ],
    ),
    ("ALEngagementZones", ["FirstLimitDistance", "SecondLimitDistance", "LimitAngle"]),
    ("ALGazeAnalysis", ["Tolerance"]),
    ("ALWavingDetection", ["MaxDistance", "MinSize"]),
    ("ALMovementDetection", ["ColorSensitivity", "DepthSensitivity"]),
    ("ALSegmentation3D", ["BlobTrackingDistance", "VerticalOffset", "DeltaDepthThreshold"]),
    ("ALVisualSpaceHistory", ["GridPrecision"]),
    ("ALDarknessDetection", ["DarknessThreshold"]),
]
SWITCHES = [
    ("ALPeoplePerception", ["FaceDetection", "MovementDetection", "FastMode", "GraphicalDisplay"]),
    ("ALGazeAnalysis", ["FaceAnalysis"]),
    ("ALSegmentation3D", ["BlobTracking"]),
]


@pytest.fixture
def robot():
    with Robot() as made:
        yield made


@pytest.mark.parametrize("service, setting", [(name, each) for name, settings in NUMBERS for each in settings])
def test_a_number_is_kept(robot, service, setting):
    made = robot.service(service)
    value = 1 if setting == "DarknessThreshold" else 0.75
    assert made.call("get" + setting, []) != value
    assert made.call("set" + setting, [value]) is None
    assert made.call("get" + setting, []) == value
    for wrong in (1e6, "far", True, float("nan")):
        with pytest.raises(RuntimeError, match="%s::set%s" % (service, setting)):
            made.call("set" + setting, [wrong])
    assert made.call("get" + setting, []) == value


@pytest.mark.parametrize("service, setting", [(name, each) for name, settings in SWITCHES for each in settings])
def test_a_switch_is_kept(robot, service, setting):
    made = robot.service(service)
    for wanted in (True, False, True):
        made.call("set%sEnabled" % setting, [wanted])
        assert made.call("is%sEnabled" % setting, []) is wanted
    with pytest.raises(RuntimeError, match="set%sEnabled" % setting):
        made.call("set%sEnabled" % setting, ["yes"])


@pytest.mark.parametrize("service", ["ALMovementDetection", "ALSegmentation3D", "ALFaceDetection", "ALBarcodeReader"])
def test_the_images_to_look_at_are_chosen(robot, service):
    made = robot.service(service)
    assert [made.setFrameRate(10), made.setResolution(2), made.setActiveCamera(1)] == [True] * 3
    assert [made.getFrameRate(), made.getResolution(), made.getActiveCamera()] == [10, 2, 1]


def test_what_has_nothing_to_forget_forgets_it(robot):
    robot.service("ALPeoplePerception").resetPopulation()
    robot.service("ALMovementDetection").resetDetection()
    robot.service("ALVisualSpaceHistory").resetGrid()
    robot.service("ALFaceDetection").setParameter("ResetFaces", 1)


def test_the_mood_knows_its_subscribers(robot):
    mood = robot.service("ALMood")
    assert mood.getSubscribersInfo() == {}
    mood.subscribe("game", "Active")
    assert mood.getSubscribersInfo() == {"game": "Active"}
    mood.unsubscribe("game")
