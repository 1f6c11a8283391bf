"""Pepper's body, sensors and wheels, and the robots of the three versions of NAOqi."""

from __future__ import absolute_import, division, print_function

import math

import naosim_xar_writer as w
import package_files as kit
import pytest

from naosim import Robot, WrongUse
from naosim.__main__ import main
from naosim.models import NAO, PEPPER

LEG = ["HipRoll", "HipPitch", "KneePitch"]
WHEELS = ["WheelFL", "WheelFR", "WheelB"]
DEVICE = "Device/SubDeviceList/%s/Sensor/Value"


@pytest.fixture
def pepper():
    with Robot(robot_type="Pepper", posture="StandInit") as made:
        yield made


@pytest.mark.parametrize(
    "method, arguments, wanted",
    [
        ("getBodyNames", ("Leg",), LEG),
        ("getBodyNames", ("Wheels",), WHEELS),
        ("getBodyNames", ("Actuators",), ["LHand", "RHand"]),
        ("getBodyNames", ("Chains",), ["Head", "LArm", "RArm", "Leg"]),
        ("getBodyNames", ("Head",), ["HeadYaw", "HeadPitch"]),
        ("getLimits", ("KneePitch",), [[-0.5149, 0.5149, 2.9328, 27.702]]),
        ("getLimits", ("RShoulderRoll",), [[-1.5621, -0.0087, 9.2276, 2.666]]),
        ("getMass", ("Body",), 28.6812),
        ("getMass", ("Leg",), 15.084),
        ("getPosition", ("Leg", 2, True), [0, 0, 0, 0, 0, 0]),
        ("getPosition", ("Torso", 2, True), [0.0138, 0, 0.8197, 0, 0.0506, 0]),
        ("getAngles", ("Wheels", True), [0, 0, 0]),
    ],
)
def test_pepper_has_its_own_body(pepper, method, arguments, wanted):
    def round_numbers(value):
        if isinstance(value, list):
            return [round_numbers(each) for each in value]
        return round(value, 4) + 0.0 if isinstance(value, float) else value

    assert round_numbers(pepper.service("ALMotion").call(method, arguments)) == wanted
    assert pepper.service("ALMotion").getMoveConfig("Max")[0] == ["MaxVelXY", pytest.approx(0.55)]


def test_pepper_has_no_legs_of_a_nao(pepper):
    motion = pepper.service("ALMotion")
    names = motion.getBodyNames("Body")
    assert len(names) == 20 and set(LEG + WHEELS) < set(names) and names[-3:] == WHEELS
    refusals = r"not a joint|Unknown part|wheels, not feet|not exist|no sensor"
    for call in (
        lambda: motion.setAngles("LKneePitch", 0.1, 0.5),
        lambda: motion.getPosition("LLeg", 2, True),
        lambda: motion.setFootSteps(["LLeg"], [[0.02, 0.1, 0.0]], [0.6], True),
        motion.getFootSteps,
        lambda: pepper.service("ALRobotPosture").goToPosture("Sit", 0.5),
        lambda: pepper.person.touch("HandLeftLeftTouched"),
    ):
        with pytest.raises((RuntimeError, WrongUse), match=refusals):
            call()


def test_pepper_drives_faster_than_a_nao_walks_and_its_wheels_turn(pepper):
    motion, memory = pepper.service("ALMotion"), pepper.memory
    before = pepper.clock.now()
    assert motion.moveTo(0.7, 0.0, 0.0)
    assert pepper.clock.now() - before == pytest.approx(2.0)
    motion.moveToward(1.0, 0.0, 0.0)
    assert motion.getRobotVelocity() == [0.35, 0.0, 0.0]
    left, right, back = [memory.getData(DEVICE % (wheel + "/Speed")) for wheel in WHEELS]
    assert left == pytest.approx(-right) and abs(left) > 4 and back == pytest.approx(0.0, abs=1e-4)
    motion.stopMove()
    assert [memory.getData(DEVICE % (wheel + "/Speed")) for wheel in WHEELS] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "side, echo, metres, protects, drives",
    [
        # The first one was seen on a Pepper 1.8A (labbgulab-lab/robot-hub, pepper.md).
        ("Front", 0.42, 0.2, True, False),
        ("Front", 0.7, 0.2, True, True),
        ("Front", 0.42, 0.2, False, True),
        ("Front", 0.42, -0.2, True, True),
        ("Back", 0.3, -0.2, True, False),
        ("Front", 0.0, 0.2, True, True),
        ("Front", 5.0, 9.0, True, True),
    ],
)
def test_pepper_does_not_drive_into_an_obstacle(pepper, side, echo, metres, protects, drives):
    motion = pepper.service("ALMotion")
    motion.setExternalCollisionProtectionEnabled("Move", protects)
    pepper.event(DEVICE % ("Platform/%s/Sonar" % side), echo)
    pepper.clock.run(seconds=0.1)
    assert motion.moveTo(metres, 0.0, 0.0) is drives
    assert motion.getRobotPosition(True)[0] == pytest.approx(metres if drives else 0.0)
    assert pepper.get("ALMotion/MoveFailed") == (None if drives else ["Internal stop", 0, None])


def test_the_summary_of_a_pepper_ends_with_hands_and_wheels(pepper):
    lines = pepper.service("ALMotion").getSummary().split("\n")
    assert [line.split()[0] for line in lines[16:22]] == ["RWristYaw", "LHand", "RHand"] + WHEELS


def test_programs_change_the_stiffness_of_the_upper_body_only(pepper):
    motion = pepper.service("ALMotion")
    motion.setStiffnesses("Body", 0.5)
    assert dict(zip(motion.getBodyNames("Body"), motion.getStiffnesses("Body"))) == {
        joint: 1.0 if joint in LEG else 0.0 if joint in WHEELS else 0.5 for joint in PEPPER.body
    }
    motion.stiffnessInterpolation("Leg", 0.0, 0.1)
    assert "leg and wheels" in pepper.trace.of("warning")[-1].fields["message"]
    motion.rest()
    assert set(motion.getStiffnesses("Body")) == {0.0}


def test_the_wheels_are_stiff_only_while_they_turn(pepper):
    """Recorded on a robot: jsk-ros-pkg/jsk_robot, issue 640."""
    motion = pepper.service("ALMotion")
    standing = motion.getStiffnesses("Body")
    assert standing == [1.0] * 17 + [0.0] * 3
    motion.setStiffnesses("WheelFL", 1.0)
    assert motion.getStiffnesses("WheelFL") == [0.0]
    motion.moveToward(0.5, 0.0, 0.0)
    assert motion.getStiffnesses("Body") == [1.0] * 20
    motion.stopMove()
    assert motion.getStiffnesses("Body") == standing


def test_a_standing_pepper_plans_no_steps(pepper):
    """Recorded on a robot: ros-naoqi/naoqi_bridge, pull request 61."""
    motion = pepper.service("ALMotion")
    motion.moveTo(0.14, 0.16, 0.63)
    assert motion.getRobotPosition(False) == pytest.approx([0.14, 0.16, 0.63])
    assert motion.getNextRobotPosition() == motion.getRobotVelocity() == [0.0, 0.0, 0.0]


def test_life_switches_the_protection_of_moves_on(pepper):
    """Recorded on a robot: jsk-ros-pkg/jsk_robot, issue 547."""
    life, motion = pepper.service("ALAutonomousLife"), pepper.service("ALMotion")
    life.setState("disabled")
    motion.setExternalCollisionProtectionEnabled("All", False)
    assert not motion.getExternalCollisionProtectionEnabled("Move")
    life.setState("solitary")
    assert motion.getExternalCollisionProtectionEnabled("Move")
    assert not motion.getExternalCollisionProtectionEnabled("Arms")


def test_a_place_outside_the_map_is_refused(pepper):
    """Recorded on a robot: aldebaran/naoqi_navigation_samples, issues 10 and 27."""
    navigation = pepper.service("ALNavigation")
    with pytest.raises(RuntimeError, match=r"ALNavigation::getMetricalMap\n\tNo exploration loaded\."):
        navigation.getMetricalMap()
    navigation.explore(1.0)
    with pytest.raises(RuntimeError, match=r"Target is too far from explored area\."):
        navigation.relocalizeInMap([50.0, 50.0, 0.0])
    assert navigation.relocalizeInMap([0.5, 0.0, 0.0])[0] == pytest.approx([0.5, 0.0, 0.0])


def test_pepper_goes_to_its_postures(pepper):
    posture = pepper.service("ALRobotPosture")
    assert posture.getPostureList() == ["Crouch", "Stand", "StandInit", "StandZero"]
    for name in posture.getPostureList():
        assert posture.goToPosture(name, 1.0) and posture.getPosture() == name
        angles = dict(zip(PEPPER.body, pepper.service("ALMotion").getAngles("Body", True)))
        assert angles == pytest.approx(PEPPER.posture_angles(name))
    motion = pepper.service("ALMotion")
    motion.rest()
    assert posture.getPosture() == "Crouch" and motion.getAngles("HipPitch", True)[0] < -1.0
    motion.wakeUp()
    assert posture.getPostureFamily() == "Standing" and motion.moveTo(0.1, 0.0, 0.0)


def test_pepper_moves_its_arms_while_it_speaks(pepper):
    pepper.clock.call_soon(
        lambda: pepper.service("ALAnimatedSpeech").say("^start(animations/Stand/Gestures/Hey_1) Hello")
    )
    pepper.clock.run(seconds=1.0)
    angles = pepper.world.body.angles()
    assert angles["RShoulderPitch"] < 0.5 and angles["HipPitch"] == PEPPER.posture_angles("StandInit")["HipPitch"]
    assert all(low <= angles[joint] <= high for joint, (low, high) in PEPPER.limits.items())


def test_a_timeline_moves_the_joints_that_the_robot_has(tmpdir):
    curves = [("KneePitch", [(10, 10.0)]), ("HipPitch", [(10, -20.0)]), ("LKneePitch", [(10, 30.0)])]
    path = w.save(tmpdir, w.sequence(w.box("Bow", curves=curves, timeline={"end_frame": 12, "size": 12})))
    for robot_type, wanted in (("Pepper", {"KneePitch": 10.0, "HipPitch": -20.0}), ("Nao", {"LKneePitch": 30.0})):
        with Robot(robot_type=robot_type, posture="StandZero") as robot:
            robot.load(path).start()
            robot.advance()
            angles = robot.world.body.angles()
            assert {joint: math.degrees(angles[joint]) for joint in wanted} == pytest.approx(wanted, abs=0.01)


def test_the_command_says_that_a_pepper_has_a_missing_joint(tmpdir, capsys):
    curves = [("HipPitch", [(10, -20.0)]), ("LKneePitch", [(10, 30.0)])]
    moves = w.box("Bow", curves=curves, timeline={"end_frame": 12, "size": 12})
    turns = w.box("Only", w.on_start('ALProxy("ALMotion").setAngles("HipPitch", 0.1, 0.5)\nself.onStopped()'))
    for box, options, status, hint in (
        (moves, [], 0, "a Nao has no joint HipPitch: see --robot-type Pepper\n"),
        (turns, [], 1, "a Nao has no joint HipPitch: see --robot-type Pepper\n"),
        (moves, ["--robot-type", "Pepper"], 0, ""),
        (turns, ["--robot-type", "Pepper"], 0, ""),
    ):
        assert main([w.save(tmpdir, w.sequence(box))] + options) == status
        said = capsys.readouterr()[1]
        assert said.endswith(hint) and ("no joint" in said) is bool(hint)


@pytest.mark.parametrize(
    "event, part, sensor, device",
    [
        ("LeftBumperPressed", "Base", "Bumper/FrontLeft", "Platform/FrontLeft/Bumper"),
        ("RightBumperPressed", "Base", "Bumper/FrontRight", "Platform/FrontRight/Bumper"),
        ("BackBumperPressed", "Base", "Bumper/Back", "Platform/Back/Bumper"),
        ("HandRightBackTouched", "RArm", "RHand/Touch/Back", "RHand/Touch/Back"),
        ("HandLeftBackTouched", "LArm", "LHand/Touch/Back", "LHand/Touch/Back"),
        ("MiddleTactilTouched", "Head", "Head/Touch/Middle", "Head/Touch/Middle"),
    ],
)
def test_pepper_is_touched(pepper, event, part, sensor, device):
    pepper.person.press(event)
    pepper.clock.run(seconds=0.1)
    memory, touch = pepper.memory, pepper.service("ALTouch")
    assert (memory.getData(event), memory.getData(DEVICE % device)) == (1.0, 1.0)
    assert sorted(row for row in touch.getStatus() if row[1]) == sorted([[sensor, True, [1]], [part, True, [1]]])
    assert memory.getData("TouchChanged") == [[part, True, [1]], [sensor, True, [1]]]


def test_a_pepper_has_the_events_of_hands_that_ros_drivers_subscribe_to(pepper):
    for hand in ("Left", "Right"):
        for side in ("Left", "Back", "Right"):
            assert pepper.get("Hand%s%sTouched" % (hand, side)) == 0.0


def test_pepper_has_lasers_and_sonars_that_see_an_empty_room(pepper):
    names = pepper.memory.getDataListName()
    lasers = [name for name in names if "/LaserSensor/" in name]
    assert len(lasers) == 2 * (3 * 15 + 3 + 2) and not [name for name in names if "/US/" in name or "/FSR/" in name]
    ahead = "Platform/LaserSensor/Front/Horizontal/Seg08/"
    assert [pepper.memory.getData(DEVICE % (ahead + axis)) for axis in "XY"] == [5.0, 0.0]
    pepper.event(DEVICE % "Platform/Front/Sonar", 0.4)
    pepper.clock.run(seconds=0.1)
    assert pepper.memory.getData(DEVICE % "Platform/Front/Sonar") == 0.4
    with Robot() as nao:
        assert not [name for name in nao.memory.getDataListName() if "Platform" in name or name == "BackBumperPressed"]


def test_every_sensor_has_a_place(pepper):
    motion = pepper.service("ALMotion")
    assert {"Accelerometer", "Bumper/Back", "CameraDepth", "LaserSensor/Left", "Sonar/Front", "Tablet"} <= set(
        motion.getSensorNames()
    )
    for name in motion.getSensorNames():
        assert len(motion.getTransform(name, 0, True)) == 16
    assert motion.getPosition("Bumper/Back", 2, True)[:3] == pytest.approx([-0.251, 0.0, 0.07], abs=1e-6)
    with Robot() as nao:
        motion = nao.service("ALMotion")
        assert motion.getPosition("LFsrFL", 0, True) == motion.getPosition("LFoot/FSR/FrontLeft", 0, True)
        assert set(nao.service("ALMotion").getSensorNames()) == set(NAO.sensors) > {"LFoot/Bumper/Left", "Sonar/Left"}


# The versions of NAOqi.


@pytest.mark.parametrize(
    "robot_type, naoqi, version, config",
    [
        ("Nao", "2.1", "2.1.4.13", ["naoH25", "VERSION_50", False, 2]),
        ("Nao", "2.5", "2.5.10.7", ["naoH25", "VERSION_50", False, 2]),
        ("Nao", "2.8", "2.8.6.23", ["naoH25", "VERSION_60", False, 2]),
        ("Pepper", "2.5", "2.5.10.7", ["julietteY20MP", "VERSION_18", True, 1]),
        ("Romeo", "2.8", "2.8.6.23", ["naoH25", "VERSION_60", False, 2]),
    ],
)
def test_a_robot_reports_its_version(robot_type, naoqi, version, config):
    with Robot(robot_type=robot_type, naoqi=naoqi) as robot:
        system, motion = robot.service("ALSystem"), robot.service("ALMotion")
        assert system.systemVersion() == motion.version() == system.systemInfo()[2] == version
        names, values = motion.getRobotConfig()
        found = dict(zip(names, values))
        wanted = ["Model Type", "Body Version", "Laser", "Number of Legs"]
        assert [found[name] for name in wanted] == config


@pytest.mark.parametrize(
    "naoqi, service, method, has_it",
    [
        ("2.1", "ALAnimationPlayer", "run", False),
        ("2.5", "ALAnimationPlayer", "run", True),
        ("2.1", "ALAutonomousLife", "setAutonomousAbilityEnabled", False),
        ("2.5", "ALAutonomousLife", "setAutonomousAbilityEnabled", True),
        ("2.1", "ALTextToSpeech", "sayToFileAndPlay", True),
        ("2.5", "ALTextToSpeech", "sayToFileAndPlay", True),
        ("2.8", "ALTextToSpeech", "sayToFileAndPlay", False),
        ("2.8", "ALTextToSpeech", "sayToFile", True),
    ],
)
def test_services_and_methods_differ_by_version(naoqi, service, method, has_it):
    with Robot(naoqi=naoqi) as robot:
        found = robot.services.get(service)
        assert (found is not None and method in found.getMethodList()) is has_it
        if found is not None and not has_it:
            with pytest.raises(RuntimeError, match="Can't find method: " + method):
                found.remote(method)


@pytest.mark.parametrize(
    "least, most, takes",
    [("2.1", "2.1", ["2.1"]), ("2.1", "2.5", ["2.1", "2.5"]), ("2.5.5", "", ["2.5", "2.8"]), ("2.8", "2.8.7", ["2.8"])],
)
def test_packages_are_for_versions(tmpdir, least, most, takes):
    more = '<requirements><naoqiRequirement minVersion="%s" maxVersion="%s"/></requirements>' % (least, most)
    path = kit.package(
        tmpdir.join("hello.pkg"), "hello", "1.0.0", {"a": w.one_box(w.on_start("self.onStopped()"))}, more
    )
    for naoqi in ("2.1", "2.5", "2.8"):
        with Robot(naoqi=naoqi) as robot:
            if naoqi in takes:
                assert robot.service("PackageManager").install(path)
            else:
                with pytest.raises(RuntimeError, match="NAOqi"):
                    robot.service("PackageManager").install(path)


def test_the_command_chooses_the_version_and_a_recording_keeps_it(tmpdir, capsys):
    body = 'ALProxy("ALTextToSpeech").say(ALProxy("ALSystem").systemVersion())\nself.onStopped()'
    path, recorded = w.save(tmpdir, w.sequence(w.box("Only", w.on_start(body)))), str(tmpdir.join("run.jsonl"))
    assert main([path, "--naoqi", "2.1", "--record", recorded]) == 0
    assert "2.1.4.13" in capsys.readouterr()[0]
    assert main([path, "--replay", recorded]) == 0
    assert "2.1.4.13" in capsys.readouterr()[0]
    with pytest.raises(SystemExit) as caught:
        main([path, "--naoqi", "3.0"])
    assert caught.value.code == 2 and 'there is no NAOqi "3.0" here: use 2.1 or 2.5' in capsys.readouterr()[1]
    body = 'ALProxy("ALAnimationPlayer").run("animations/Stand/Gestures/Hey_1")'
    assert main([w.save(tmpdir, w.sequence(w.box("Only", w.on_start(body)))), "--naoqi", "2.1"]) == 1
    assert "NAOqi 2.1 has no ALAnimationPlayer: see --naoqi" in capsys.readouterr()[1]
