"""What the lights show as the clock goes on: fades, patterns, own groups, timed commands; and a look at the robot."""

from __future__ import absolute_import, division, print_function

import pytest
from live_programs import Program

from naosim.robot import Robot
from naosim.robot_requests import JOINTS, LIGHTS
from naosim.services.devices import LED_GROUPS

RED, GREEN, BLUE = ("Face/Led/%s/Left/45Deg/Actuator/Value" % colour for colour in ("Red", "Green", "Blue"))
EAR = "Ears/Led/Right/72Deg/Actuator/Value"


@pytest.fixture
def leds(robot):
    return robot.service("ALLeds")


def at(robot, seconds, *lights):
    """Run the clock until so many seconds, and return the brightnesses of lights then."""
    robot.clock.run(up_to=seconds)
    return [round(robot.world.lights.brightness(light), 3) for light in lights]


def test_every_light_is_on_when_the_robot_wakes_up_and_after_a_reset(robot, leds):
    assert at(robot, 0, *LIGHTS) == [1.0] * len(LIGHTS)
    leds.off("AllLeds")
    assert at(robot, 0, *LIGHTS) == [0.0] * len(LIGHTS)
    leds.reset("FaceLeds")
    assert at(robot, 0, RED, GREEN, BLUE, EAR) == [1, 1, 1, 0]


def test_a_fade_goes_from_what_is_shown_to_the_colour_in_its_time(robot, leds):
    robot.clock.soon(leds.fadeRGB, "FaceLeds", 0xFF0033, 2.0)
    assert at(robot, 1.0, RED, GREEN, BLUE, EAR) == [1, 0.5, 0.6, 1]
    robot.clock.soon(leds.fadeRGB, "LeftFaceLed2", "green", 1.0)
    assert at(robot, 1.5, RED, GREEN, BLUE) == [0.5, 0.75, 0.3]
    assert at(robot, 5.0, RED, GREEN, BLUE) == [0, 1, 0]
    assert at(robot, 5.0, RED.replace("Left", "Right")) == [1]
    robot.clock.soon(leds.fadeListRGB, "FaceLeds", [0xFF0000, 0x0000FF], [1.0, 3.0])
    assert at(robot, 6.0, RED, GREEN, BLUE) == [1, 0, 0]
    assert at(robot, 7.0, RED, GREEN, BLUE) == [0.5, 0, 0.5]
    assert at(robot, 14.0, RED, GREEN, BLUE) == [0, 0, 1]


@pytest.mark.parametrize(
    "name, lights",
    [
        ("FaceLeds", LED_GROUPS["FaceLeds"]),
        (RED, [RED]),
        ("Face/Led/Red/Left/45Deg", [RED]),
        ("mine", LED_GROUPS["LeftFaceLed2"]),
        ("nested", LED_GROUPS["ChestLeds"] + LED_GROUPS["LeftFaceLed2"]),
    ],
)
def test_a_brightness_is_that_of_all_lights_of_a_name(robot, leds, name, lights):
    leds.createGroup("mine", ["LeftFaceLed2"])
    leds.createGroup("nested", ["mine", "ChestLeds"])
    # A group may come to hold itself.
    leds.createGroup("mine", ["nested", "LeftFaceLed2"] if name == "nested" else ["LeftFaceLed2"])
    leds.setIntensity(name, 0.2)
    assert {light for light in LIGHTS if at(robot, 0, light) == [0.2]} == set(lights)


def test_a_light_goes_round_the_eyes(robot, leds):
    robot.clock.soon(leds.rotateEyes, 0xFF0000, 0.8, 2.0)
    shown = [at(robot, 0.05 + step / 10, RED)[0] for step in range(10)]
    assert shown == [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert at(robot, 3.0, RED, GREEN) == [1, 0]


def test_patterns_end_with_the_colour_that_is_noted_and_draw_one_random_number(robot, leds):
    with Robot() as other:
        numbers = [other.world.random.random() for _ in range(2)]
    for method, group in (("randomEyes", "FaceLeds"), ("rasta", "FaceLeds")):
        robot.clock.soon(getattr(leds, method), 1.0)
        start = robot.clock.now()
        assert at(robot, start + 0.05, RED, GREEN, BLUE) != at(robot, start + 0.55, RED, GREEN, BLUE)
        robot.clock.run(up_to=start + 1.5)
        noted = robot.trace.of("eyes")[-1].fields
        shown = "#" + "".join("%02x" % int(255 * each + 0.5) for each in at(robot, start + 1.5, RED, GREEN, BLUE))
        assert (noted["group"], noted["colour"]) == (group, shown)
    assert robot.world.random.random() == numbers[1]


@pytest.mark.parametrize("stays", [True, False])
def test_an_angle_is_shown_on_the_ears(robot, leds, stays):
    robot.clock.soon(leds.earLedsSetAngle, 70, 0.9, stays)
    assert at(robot, 0.1, EAR, EAR.replace("72", "0")) == [0, 1]
    assert at(robot, 0.8, EAR, EAR.replace("72", "0")) == [1, 0]
    assert at(robot, 2.0, EAR, EAR.replace("72", "0")) == [1.0 if stays else 0.0, 0]


def test_timed_commands_set_lights(robot):
    dcm = robot.service("DCM")
    dcm.createAlias(["Both", ["Device/SubDeviceList/" + RED, "Face/Led/Green/Left/45Deg", "HeadYaw/Position/Actuator"]])
    dcm.set(["Both", "ClearAll", [[0.0, dcm.getTime(-5)], [1.0, dcm.getTime(2000)], [0.25, dcm.getTime(3000)]]])
    assert at(robot, 1.0, RED, GREEN, BLUE) == [0.5, 0.5, 1]
    assert at(robot, 2.5, RED, GREEN) == [0.625, 0.625]
    dcm.set(["Both", "Merge", [[7.0, 0]]])
    assert at(robot, 2.5, RED, GREEN) == [1, 1]


def look(robot):
    return Program(robot).ask("look")


def test_a_look_sees_what_the_services_say(robot, leds):
    motion, voice = robot.service("ALMotion"), robot.service("ALTextToSpeech")
    robot.clock.soon(motion.angleInterpolation, ["LShoulderRoll", "HeadYaw"], [1.0, -1.0], [4.0, 2.0], True)
    robot.clock.soon(voice.say, "One, two, three, four, five, six, seven.")
    leds.fadeRGB("AllLeds", 0x3366FF, 0.0)
    robot.clock.run(seconds=1.0)
    seen = look(robot)
    assert seen["angles"] == motion.getAngles(list(JOINTS), True)
    assert dict(zip(JOINTS, seen["angles"]))["HeadYaw"] == pytest.approx(-0.5)
    assert (seen["seconds"], seen["posture"], seen["is_awake"], seen["is_speaking"]) == (1.0, "Stand", True, True)
    shown = dict(zip(LIGHTS, (seen["lights"][start : start + 2] for start in range(0, 2 * len(LIGHTS), 2))))
    assert [shown[light] for light in (RED, GREEN, BLUE, EAR)] == ["33", "66", "ff", "ff"]


def test_a_look_sees_touch_place_and_life(robot):
    assert (look(robot)["breath"], look(robot)["is_blinking"], look(robot)["place"]) == ([0, 0], False, [0, 0, 0])
    robot.press("ChestButtonPressed")
    robot.service("ALMotion").setBreathConfig([["Bpm", 20.0]])
    robot.service("ALMotion").moveTo(0.2, 0.0, 0.0)
    robot.service("ALAutonomousLife").setState("solitary")
    seen = look(robot)
    assert (seen["touched"], seen["breath"], seen["is_blinking"]) == (["ChestButtonPressed"], [20, 1], True)
    assert seen["place"] == pytest.approx([0.2, 0, 0])
    robot.service("ALAutonomousLife").setState("disabled")
    robot.service("ALMotion").setBreathEnabled("Arms", True)
    assert (look(robot)["breath"], look(robot)["is_blinking"]) == ([20, 1], False)
    robot.service("ALMotion").rest()
    assert (look(robot)["breath"], look(robot)["is_awake"], look(robot)["posture"]) == ([0, 0], False, "Crouch")


def test_a_robot_without_services_is_looked_at_too():
    with Robot(without=["ALMotion", "ALLeds", "ALTouch", "ALTextToSpeech", "ALAutonomousLife"]) as robot:
        seen = look(robot)
    assert (seen["touched"], seen["is_speaking"], seen["breath"]) == ([], False, [0, 0])
    assert seen["lights"] == "ff" * len(LIGHTS)
