"""Lights as the clock goes on, joints, postures, sounds, animations, and services around a behaviour."""

from __future__ import absolute_import, division, print_function

import pytest
from robot_fixtures import Program

from naosim.body import LED_GROUPS
from naosim.models import NAO
from naosim.proxies import PostedTask
from naosim.robot import Robot
from naosim.robot_requests import LIGHTS
from naosim.services.audio import make_silence


def noted(robot, kind, *names):
    return [tuple(event.fields.get(name) for name in names) for event in robot.trace.of(kind)]


def test_lights_take_their_time(robot):
    leds, total = robot.service("ALLeds"), 0.0
    for method, arguments, kind, colour, seconds in [
        ("fadeRGB", ("FaceLeds", "blue", 0.5), "eyes", "#0000ff", 0.5),
        ("fadeRGB", ("FaceLeds", 0x00FF80, 0.5), "eyes", "#00ff80", 0.5),
        ("fadeRGB", ("FaceLeds", 1.0, 0, 0.5, 0.2), "eyes", "#ff007f", 0.2),
        ("fadeRGB", ("ChestLeds", "red", 1), "leds", "#ff0000", 1),
        ("rotateEyes", (0xFF0000, 1.0, 2.0), "eyes", "#ff0000", 2.0),
        ("on", ("EarLeds",), "leds", "#ffffff", 0),
        ("off", ("AllLeds",), "eyes", "#000000", 0),
        ("fade", ("LeftFaceLeds", 0.5, 0.3), "eyes", "#7f7f7f", 0.3),
        ("rasta", (1.5,), "eyes", "#00ff00", 1.5),
        ("reset", ("FaceLeds",), "eyes", "#ffffff", 0),
    ]:
        leds.call(method, arguments)
        assert noted(robot, kind, "method", "colour")[-1] == (method, colour)
        total += seconds
        assert robot.clock.now() == pytest.approx(total), method


def test_a_program_s_group_counts_as_eyes_if_an_eye_is_in_it(robot):
    lights = robot.service("ALLeds")
    lights.createGroup("mine", ["ChestLeds", "LeftFaceLed1"])
    lights.on("mine")
    assert lights.listGroup("mine") == ["ChestLeds", "LeftFaceLed1"]
    assert noted(robot, "eyes", "group") == [("mine",)]


def test_joints_move_for_their_time(robot):
    motion = robot.service("ALMotion")
    bezier = (["HeadYaw"], [[1.0, 2.0]], [[[0.3, [3, -0.1, 0], [3, 0.1, 0]], [0.6, [3, 0, 0]]]])
    for method, arguments, seconds, angle in [
        ("angleInterpolation", ("HeadYaw", 0.5, 1.5, True), 1.5, 0.5),
        ("angleInterpolation", ("HeadYaw", [0.1, 0.7], [1, 2.5], True), 2.5, 0.7),
        ("angleInterpolation", ("Head", [-0.3, 0.1], [1, 2], False), 2, 0.4),
        ("angleInterpolation", (["HeadYaw", "LHand"], [[0.1, 0.2], [1.0]], [[1, 3], [2]], True), 3, 0.2),
        ("angleInterpolation", ("HeadYaw", 9.0, 1.0, True), 1.0, 2.0857),
        ("angleInterpolationBezier", bezier, 2, 0.6),
        ("angleInterpolationWithSpeed", ("HeadYaw", 1.0, 0.5), 0.4 / 4.133985, 1.0),
    ]:
        begun = robot.clock.now()
        motion.call(method, arguments)
        assert robot.clock.now() - begun == pytest.approx(seconds, abs=1e-3), method
        assert motion.getAngles("HeadYaw", True) == [pytest.approx(angle)], method


def test_the_summary_is_the_table_that_robots_print(robot):
    motion = robot.service("ALMotion")
    motion.setStiffnesses("Head", 0.5)
    motion.setAngles(["HeadYaw", "HeadPitch"], [-1.0, 0.25], 1.0)
    robot.clock.run(seconds=1)
    PostedTask(robot.world, motion, "angleInterpolation", ("LElbowYaw", -1.0, 5.0, True))
    robot.clock.run(seconds=0.1)
    lines = motion.getSummary().split("\n")
    assert lines[:4] == [
        "---------------------- Model ---------------------------",
        "        BodyName   Stiffness     Command      Sensor",
        "         HeadYaw    0.500000   -1.000000   -1.000000",
        "       HeadPitch    0.500000    0.250000    0.250000",
    ]
    assert [line.split()[0] for line in lines[2:28]] == [joint for joint in NAO.body if not joint.endswith("Hand")] + [
        "LHand",
        "RHand",
    ]
    number = motion.getTaskList()[0][1]
    assert lines[28:] == [
        "---------------------- Tasks  --------------------------",
        "            Name         ID",
        "angleInterpolation%12d" % number,
        "----------------- Motion Cycle Time --------------------",
        "              20 ms",
    ]


def test_a_posture_that_is_stopped_is_not_reached(robot):
    posture = robot.service("ALRobotPosture")
    robot.clock.call_later(0.5, posture.stopMove)
    assert posture.goToPosture("Sit", 1.0) is False
    assert posture.getPosture() == "Stand"


def test_posted_calls_are_stopped_by_their_number(robot):
    for service, method, arguments, kind in [
        ("ALLeds", "rotateEyes", (0xFF, 1.0, 30.0), "eyes"),
        ("ALMotion", "angleInterpolation", ("HeadYaw", 1.0, 30.0, True), "motion"),
        ("ALAnimationPlayer", "run", ("animations/Stand/Gestures/Hey_1",), "animate"),
        ("ALAnimatedSpeech", "say", ("A long, long story. " * 20,), "say"),
    ]:
        begun, before = robot.clock.now(), len(robot.trace.of(kind))
        task = PostedTask(robot.world, robot.service(service), method, arguments)
        robot.clock.call_later(0.25, task.stop)
        robot.clock.run(lambda task=task: task.done.is_set)
        assert robot.clock.now() - begun == pytest.approx(0.25), service
        assert len(robot.trace.of(kind)) == before + 1, service
        assert robot.service(service).leftovers() == []


def test_a_sound_plays_for_its_duration_and_a_missing_one_is_an_error(robot, tmpdir):
    player, path = robot.service("ALAudioPlayer"), str(tmpdir.join("sound.wav"))
    tmpdir.join("sound.wav").write_binary(make_silence(1.5, 8000, 1))
    player.playFile(path)
    assert robot.clock.now() == pytest.approx(1.5)
    number = player.loadFile(path)
    assert player.getFileLength(number) == pytest.approx(1.5)
    assert len(player.leftovers()) == 1
    player.unloadFile(number)
    task = PostedTask(robot.world, player, "playFileInLoop", (path,))
    robot.clock.run(seconds=60)
    assert player.leftovers() == ["1 sound(s) are still playing."]
    player.stopAll()
    robot.clock.run()
    assert task.done.is_set
    assert player.leftovers() == []
    player = robot.service("ALAudioPlayer")
    other = tmpdir.join("sound.txt")
    other.write("no sound")
    for path in (str(tmpdir.join("none.wav")), str(tmpdir), str(other)):
        with pytest.raises(RuntimeError, match="Unable to open file"):
            player.playFile(path)
    player.playSoundSetFile("sfx_confirmation_1")
    messages = [event.fields["message"] for event in robot.trace.of("warning")]
    assert messages == ["The sound sfx_confirmation_1 is not known, and lasts as long as others."]


def test_a_change_of_posture_raises_events(robot):
    raised, memory, posture = [], robot.memory, robot.service("ALRobotPosture")
    events = ("PostureChanged", "PostureFamilyChanged", "robotPoseChanged")
    assert memory.getListData(list(events)) == ["Stand", "Standing", "Stand"]
    for event in events:
        memory.subscriber(event).signal.connect(raised.append)
    for name in ("StandInit", "Sit", "Sit"):
        posture.call("goToPosture", [name, 1.0])
    robot.clock.run()
    assert raised == ["StandInit", "Sit", "Sitting", "Sit"]
    robot.service("ALMotion").call("rest", [])
    posture.call("goToPosture", ["LyingBack", 1.0])
    assert memory.getListData(list(events)) == ["LyingBack", "LyingBack", "Back"]


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
    robot.clock.call_soon(leds.fadeRGB, "FaceLeds", 0xFF0033, 2.0)
    assert at(robot, 1.0, RED, GREEN, BLUE, EAR) == [1, 0.5, 0.6, 1]
    robot.clock.call_soon(leds.fadeRGB, "LeftFaceLed1", "green", 1.0)
    assert at(robot, 1.5, RED, GREEN, BLUE) == [0.5, 0.75, 0.3]
    assert at(robot, 5.0, RED, GREEN, BLUE) == [0, 1, 0]
    assert at(robot, 5.0, RED.replace("Left", "Right")) == [1]
    robot.clock.call_soon(leds.fadeListRGB, "FaceLeds", [0xFF0000, 0x0000FF], [1.0, 3.0])
    assert at(robot, 6.0, RED, GREEN, BLUE) == [1, 0, 0]
    assert at(robot, 7.0, RED, GREEN, BLUE) == [0.5, 0, 0.5]
    assert at(robot, 14.0, RED, GREEN, BLUE) == [0, 0, 1]


def test_every_colour_of_many_is_shown(robot, leds):
    for colour in list(range(100)) + [7]:
        leds.fadeRGB("FaceLeds", colour, 0.0)
        assert at(robot, 0, RED, BLUE) == [0, round(colour / 255.0, 3)]


@pytest.mark.parametrize(
    "name, lights",
    [
        ("FaceLeds", LED_GROUPS["FaceLeds"]),
        (RED, [RED]),
        ("Face/Led/Red/Left/45Deg", [RED]),
        ("mine", LED_GROUPS["LeftFaceLed1"]),
        ("nested", LED_GROUPS["ChestLeds"] + LED_GROUPS["LeftFaceLed1"]),
    ],
)
def test_a_brightness_is_that_of_all_lights_of_a_name(robot, leds, name, lights):
    leds.createGroup("mine", ["LeftFaceLed1"])
    leds.createGroup("nested", ["mine", "ChestLeds"])
    # A group may come to hold itself.
    leds.createGroup("mine", ["nested", "LeftFaceLed1"] if name == "nested" else ["LeftFaceLed1"])
    leds.setIntensity(name, 0.2)
    assert {light for light in LIGHTS if at(robot, 0, light) == [0.2]} == set(lights)


@pytest.mark.parametrize(
    "name, degrees",
    [
        ("FaceLedLeft0 LeftFaceLed1", ["Left/45Deg"]),
        ("FaceLedLeft1 LeftFaceLed2", ["Left/0Deg"]),
        ("FaceLedLeft2 LeftFaceLed3", ["Left/315Deg"]),
        ("FaceLedLeft7 LeftFaceLed8", ["Left/90Deg"]),
        ("FaceLedRight0 RightFaceLed8", ["Right/315Deg"]),
        ("FaceLedRight7 RightFaceLed1", ["Right/0Deg"]),
        ("FaceLed3", ["Right/180Deg", "Left/270Deg"]),
        ("FaceLedsLeftTop", ["Left/45Deg", "Left/90Deg"]),
        ("FaceLedsRightInternal", ["Right/270Deg", "Right/225Deg"]),
    ],
)
def test_the_lights_of_the_eyes_have_the_documented_numbers(leds, name, degrees):
    """NAOqi's documentation, leds_robot.html; the groups of parts by a program for NAO."""
    wanted = ["Face/Led/%s/%s/Actuator/Value" % (colour, at) for at in degrees for colour in ("Red", "Green", "Blue")]
    for each in name.split():
        assert sorted(leds.listGroup(each)) == sorted(wanted)


def test_a_light_goes_round_the_eyes(robot, leds):
    robot.clock.call_soon(leds.rotateEyes, 0xFF0000, 0.8, 2.0)
    shown = [at(robot, 0.05 + step / 10, RED)[0] for step in range(10)]
    assert shown == [1, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    assert at(robot, 3.0, RED, GREEN) == [1, 0]


def test_patterns_end_with_the_colour_that_is_noted_and_draw_one_random_number(robot, leds):
    with Robot() as other:
        numbers = [other.world.random.random() for _ in range(2)]
    for method, group in (("randomEyes", "FaceLeds"), ("rasta", "FaceLeds")):
        robot.clock.call_soon(getattr(leds, method), 1.0)
        start = robot.clock.now()
        assert at(robot, start + 0.05, RED, GREEN, BLUE) != at(robot, start + 0.55, RED, GREEN, BLUE)
        robot.clock.run(up_to=start + 1.5)
        noted = robot.trace.of("eyes")[-1].fields
        shown = "#" + "".join("%02x" % int(255 * each + 0.5) for each in at(robot, start + 1.5, RED, GREEN, BLUE))
        assert (noted["group"], noted["colour"]) == (group, shown)
    assert robot.world.random.random() == numbers[1]


@pytest.mark.parametrize("stays", [True, False])
def test_an_angle_is_shown_on_the_ears(robot, leds, stays):
    robot.clock.call_soon(leds.earLedsSetAngle, 70, 0.9, stays)
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
    robot.clock.call_soon(motion.angleInterpolation, ["LShoulderRoll", "HeadYaw"], [1.0, -1.0], [4.0, 2.0], True)
    robot.clock.call_soon(voice.say, "One, two, three, four, five, six, seven.")
    leds.fadeRGB("AllLeds", 0x3366FF, 0.0)
    robot.clock.run(seconds=1.0)
    seen = look(robot)
    assert seen["angles"] == motion.getAngles(NAO.body, True)
    assert dict(zip(NAO.body, seen["angles"]))["HeadYaw"] == pytest.approx(-0.5)
    assert (seen["seconds"], seen["posture"], seen["is_awake"], seen["is_speaking"]) == (1.0, "Stand", True, True)
    shown = dict(zip(LIGHTS, (seen["lights"][start : start + 2] for start in range(0, 2 * len(LIGHTS), 2))))
    assert [shown[light] for light in (RED, GREEN, BLUE, EAR)] == ["33", "66", "ff", "ff"]


def test_a_look_sees_touch_place_and_life(robot):
    assert (look(robot)["breath"], look(robot)["is_blinking"], look(robot)["place"]) == ([0, 0], False, [0, 0, 0])
    robot.person.press("ChestButtonPressed")
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
    with Robot(without=["ALMotion"]) as robot:
        life = robot.service("ALAutonomousLife")
        life.setState("disabled")
        life.setState("solitary")
        assert life.getState() == "solitary"
