"""The contract of every service: the robot's errors for wrong calls, nothing left open, a sentence per method."""

from __future__ import absolute_import, division, print_function

import itertools

import pytest

from naosim.clock import Clock
from naosim.robot import Robot
from naosim.services import SERVICES

FOREIGN_TEXT = u"Hello" if str is bytes else b"Hello"
#: Values of every kind, fitting or not.
VALUES = ["", "Stand", -1, 0, 1, 0.5, True, None, [], ["HeadYaw"], [[]], {}, FOREIGN_TEXT, float("nan"), object()]


@pytest.fixture
def robot():
    made = Robot(robot_type="Pepper")
    yield made
    made.clock.close()


def methods():
    robot = Robot(robot_type="Pepper")
    found = [(name, method) for name in sorted(SERVICES) for method in robot.service(name).getMethodList()]
    robot.clock.close()
    return found


METHODS = methods()


def test_the_services_that_box_scripts_use_are_there():
    wanted = {
        "ALMemory",
        "ALTextToSpeech",
        "ALAnimatedSpeech",
        "ALSpeechRecognition",
        "ALDialog",
        "ALLeds",
        "ALMotion",
        "ALRobotPosture",
        "ALFrameManager",
        "ALBehaviorManager",
        "ALAutonomousLife",
        "ALPreferences",
        "ALPreferenceManager",
        "ALAudioPlayer",
        "ALAudioDevice",
        "ALSystem",
        "ALTouch",
        "ALListeningMovement",
        "ALSpeakingMovement",
        "ALBasicAwareness",
        "ALAutonomousMoves",
        "ALBackgroundMovement",
        "ALConnectionManager",
        "ALUserSession",
        "ALAnimationPlayer",
        "ALPythonBridge",
        "ALLogger",
        "ALSensors",
        "ALServiceManager",
        "ALTracker",
        "ALFaceDetection",
        "ALSoundLocalization",
        "ALBattery",
        "ALTabletService",
    }
    assert wanted <= set(SERVICES)


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_a_fresh_service_is_sound(robot, name):
    service = robot.service(name)
    assert service.name == name
    assert type(service.name) is str
    assert service.leftovers() == []
    assert service.call("ping", []) is True
    for method in ("nothing", "leftovers", "_error", "robot", "heard", "call", "is_open", "__init__"):
        with pytest.raises(RuntimeError, match="Can't find method: %s" % method):
            service.call(method, [])


@pytest.mark.parametrize("name, method", METHODS)
def test_methods_tell_what_they_do_and_count_their_arguments(robot, name, method):
    service = robot.service(name)
    sentence = (getattr(service, method).__doc__ or "").strip()
    assert sentence.endswith(".")
    assert sentence[0].isupper()
    with pytest.raises(RuntimeError, match="%s::%s\n\tCall argument number mismatch" % (name, method)):
        service.call(method, [None] * 12)


def test_any_arguments_give_a_value_or_the_error_of_the_robot():
    robot = Robot(robot_type="Pepper")
    for name, method in METHODS:
        service = robot.service(name)
        for count in (each for each in service._counts(getattr(service, method)) if each <= 3):
            for values in itertools.islice(itertools.product(VALUES, repeat=count), 400):
                try:
                    service.call(method, list(values))
                except RuntimeError as error:
                    assert type(str(error)) is str
    robot.clock.close()


def test_only_native_text_goes_in(robot):
    for name, method, arguments in [
        ("ALTextToSpeech", "say", [FOREIGN_TEXT]),
        ("ALMemory", "insertData", ["key", FOREIGN_TEXT]),
        ("ALMemory", "getData", [FOREIGN_TEXT]),
        ("ALSpeechRecognition", "setVocabulary", [[FOREIGN_TEXT], False]),
        ("ALLeds", "fadeRGB", [FOREIGN_TEXT, "red", 0.1]),
        ("ALDialog", "forceInput", [FOREIGN_TEXT]),
        ("ALMotion", "setAngles", [FOREIGN_TEXT, 0.1, 0.1]),
        ("ALRobotPosture", "goToPosture", [FOREIGN_TEXT, 1.0]),
    ]:
        with pytest.raises(RuntimeError):
            robot.service(name).call(method, arguments)


def test_text_comes_out_native(robot):
    for name, method in (
        ("ALTextToSpeech", "getLanguage"),
        ("ALSpeechRecognition", "getLanguage"),
        ("ALRobotPosture", "getPosture"),
        ("ALRobotPosture", "getPostureFamily"),
        ("ALSystem", "robotName"),
        ("ALDialog", "getLanguage"),
        ("ALAutonomousLife", "getState"),
    ):
        assert type(robot.service(name).call(method, [])) is str
    assert {type(each) for each in robot.service("ALTextToSpeech").getAvailableLanguages()} == {str}


def test_services_share_one_clock(robot):
    assert isinstance(robot.clock, Clock)
    robot.service("ALLeds").fadeRGB("FaceLeds", "green", 1.0)
    robot.service("ALMotion").angleInterpolation("HeadYaw", 0.3, 2.0, True)
    assert robot.clock.now() == pytest.approx(3.0)
