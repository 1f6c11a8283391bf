"""The table of ALMemory's first values, compared with what fresh robots hold and with the keys of ROS drivers."""

from __future__ import absolute_import, division, print_function

import io
import itertools
import os
import re

import pytest

from naosim.compat import native
from naosim.errors import WrongUse
from naosim.robot import Robot
from naosim.services import memory_keys

DRIVER_KEYS = os.path.join(os.path.dirname(__file__), os.pardir, "naoqi_api", "driver_keys.txt")
#: A NAO V5, a NAO6 and a Pepper.
ROBOTS = [("Nao", "2.1"), ("Nao", "2.8"), ("Pepper", "2.5")]

#: What drivers read in vain: a NAO6's joint without a motor of its own (MontyMango/NAO6-GP-Repo), and the inertial
#: unit in a Pepper's torso, of which the driver warns (ros-naoqi/naoqi_driver, issue 117).
MISSING = {
    ("Nao", "2.8"): "Device/SubDeviceList/RHipYawPitch/",
    ("Juliette", "2.5"): "Device/SubDeviceList/InertialSensor/",
}


@pytest.fixture(params=ROBOTS, ids=" ".join)
def fresh(request):
    """Provide a robot to which nothing has happened."""
    robot_type, naoqi = request.param
    with Robot(robot_type=robot_type, naoqi=naoqi) as made:
        yield made


def list_keys(robot):
    return memory_keys.list_robot_keys(robot.world.robot_type, robot.world.naoqi)


def list_driver_keys(robot):
    """List the keys that drivers read on a robot like this one."""
    names = {"joint": robot.world.body.model.body, "turning": robot.service("ALMotion").getBodyNames("Body")}
    names["turning"] = [joint for joint in names["turning"] if not joint.startswith("Wheel")]
    found, is_meant = [], False
    with io.open(DRIVER_KEYS, encoding="utf-8") as file:
        lines = [native(line.strip()) for line in file if not line.startswith("#")]
    for line in lines:
        if line in ("any", "NAO", "Pepper"):
            is_meant = line == "any" or (line == "Pepper") == (robot.world.robot_type == "Juliette")
        elif line and is_meant:
            parts = re.split("[<>]", line)
            choices = [names.get(part, part.split("|")) if at % 2 else [part] for at, part in enumerate(parts)]
            found += ["".join(each) for each in itertools.product(*choices)]
    return found


def test_a_fresh_robot_holds_what_the_table_says_and_nothing_else(fresh):
    keys, memory = list_keys(fresh), fresh.memory
    held = {key: memory.getData(key) for key in memory.getDataListName()}
    assert set(held) == {name for name, key in keys.items() if key.follows != "nothing"}
    told = {name: key.value for name, key in keys.items() if key.follows == "constant"}
    assert {name: held[name] for name in told} == told


def test_ros_drivers_find_each_key_that_they_read(fresh):
    wanted = list_driver_keys(fresh)
    values = dict(zip(wanted, fresh.memory.getListData(wanted)))
    start = MISSING.get((fresh.world.robot_type, fresh.world.naoqi), "-")
    absent = [key for key in wanted if key.startswith(start) and not key.endswith("/Status")]
    # The driver's own note: HeadProcessorIsHot has no value.
    assert [key for key in wanted if values[key] is None] == absent + ["HeadProcessorIsHot"]
    config = [key for key in wanted if key.startswith(("RobotConfig/", "Device/DeviceList/"))]
    assert len(config) >= 14 and all(type(values[key]) is str for key in config)


def test_each_row_has_a_source_that_the_table_explains():
    named = set()
    for row in memory_keys.ROWS:
        found = re.match("(?:([RVD]) ([a-z0-9]+)(, guess)?|guess)$", row.source)
        assert found, row
        assert found.group(2) is None or found.group(2) in memory_keys.SOURCES, row
        named.add(found.group(2))
    assert named - {None} == set(memory_keys.SOURCES)


def test_the_keys_of_a_nao6_with_a_joint_are_those_of_its_devices():
    """Recorded on a robot: MontyMango/NAO6-GP-Repo, kneeMem.txt."""
    with Robot(naoqi="2.8") as robot:
        keys = robot.memory.getDataListName()
        for joint in ("LShoulderPitch", "LHipYawPitch", "HeadYaw"):
            assert sorted(key for key in keys if joint in key) == sorted(
                "Device/SubDeviceList/%s/%s" % (joint, key) for key in NAO6_KEYS.split()
            )
        assert [key for key in keys if "RHipYawPitch" in key] == [
            "Device/SubDeviceList/RHipYawPitch/Temperature/Sensor/Status"
        ]


NAO6_KEYS = """
    Temperature/Sensor/Value Temperature/Sensor/Status Temperature/Sensor/Offset Position/Sensor/Value
    Position/Actuator/Value Hardness/Actuator/Value ElectricCurrent/Sensor/Value ElectricCurrent/Sensor/Status
"""


def test_before_2_8_a_key_has_the_speed_of_a_joint():
    """So says an engineer of the maker: aldebaran/libqi, issue 32."""
    key = "Motion/Velocity/Sensor/HeadPitch"
    with Robot(naoqi="2.1") as robot:
        motion = robot.service("ALMotion")
        motion.wakeUp()
        assert robot.memory.getData(key) == 0.0
        robot.clock.call_soon(motion.angleInterpolation, "HeadPitch", 0.4, 2.0, True)
        robot.clock.run(seconds=1.0)
        assert robot.memory.getData(key) > 0.1
    with Robot(naoqi="2.8") as robot:
        assert key not in robot.memory.getDataListName()


@pytest.mark.parametrize(
    "robot_type, naoqi, head, body, version",
    [
        ("Nao", "2.1", r"ALDT\d{4}[A-Z]\d{6}$", r"ALDR\d{4}[A-Z]\d{6}$", "V5.0"),
        ("Nao", "2.5", r"ALDT\d{4}[A-Z]\d{6}$", r"ALDR\d{4}[A-Z]\d{6}$", "V5.0"),
        ("Nao", "2.8", r"P0000074[A-Z0-9]{12}$", r"P0000073[A-Z0-9]{12}$", "V6.0"),
        ("Pepper", "2.5", r"AP990237[A-Z0-9]{12}$", r"AP990438[A-Z0-9]{12}$", "1.8A"),
        ("Pepper", "2.8", r"AP990237[A-Z0-9]{12}$", r"AP990438[A-Z0-9]{12}$", "1.8A"),
    ],
)
def test_a_robot_has_one_identity(robot_type, naoqi, head, body, version):
    with Robot(robot_type=robot_type, naoqi=naoqi) as robot:
        assert re.match(head, robot.get("RobotConfig/Head/FullHeadId"))
        assert robot.get("RobotConfig/Head/HeadId") == robot.get("RobotConfig/Head/FullHeadId")
        assert re.match(body, robot.get("Device/DeviceList/ChestBoard/BodyId"))
        assert robot.get("RobotConfig/Body/BaseVersion") == version
        assert robot.get("RobotConfig/Body/Type") == robot.service("ALRobotModel").getRobotType()
        assert robot.service("ALSystem").robotName() == ("Pepper" if robot_type == "Pepper" else "nao")
        # Only the maker's simulator has this key.
        assert robot.get("Dialog/RobotModel") is None


def test_the_clock_of_the_dcm_is_a_key(fresh):
    fresh.clock.run(seconds=1.5)
    assert fresh.get("DCM/Time") == fresh.service("DCM").getTime(0) == 1500


def test_each_light_has_a_key_that_follows_alleds_and_the_dcm(fresh):
    memory, leds, dcm = fresh.memory, fresh.service("ALLeds"), fresh.service("DCM")
    keys = memory.getDataList("/Led/")
    prefix = "Device/SubDeviceList/"
    assert sorted(keys) == sorted(prefix + light for light in leds.listGroup("AllLeds"))
    assert len(keys) == (71 if fresh.world.robot_type == "Juliette" else 89)
    assert {memory.getType(key) for key in keys} == {"Data"}
    assert set(memory.getListData(keys)) == {1.0}
    red, green = (prefix + "Face/Led/%s/Left/0Deg/Actuator/Value" % colour for colour in ("Red", "Green"))
    fresh.clock.call_soon(leds.fadeRGB, "FaceLeds", "green", 1.0)
    fresh.clock.run(seconds=0.25)
    assert (memory.getData(red), memory.getData(green)) == (0.75, 1.0)
    fresh.clock.run(seconds=1)
    dcm.set([red, "ClearAll", [[0.5, dcm.getTime(0)]]])
    assert (memory.getData(red), memory.getData(green)) == (0.5, 1.0)
    assert fresh.service("ALLeds").getIntensity("FaceLeds") == 0.0
    with pytest.raises(WrongUse, match="change it by ALLeds"):
        fresh.event(red, 1.0)


#: The groups of a Pepper's ALLeds.listGroups, in slides of a public repository; {0-7} stands for several numbers.
PEPPER_GROUPS = """
    AllLeds AllLedsBlue AllLedsGreen AllLedsRed ChestLeds EarLed{1-10} EarLeds FaceLed{0-7} FaceLedLeft{0-7}
    FaceLedRight{0-7} FaceLeds FaceLedsBottom FaceLedsExternal FaceLedsInternal FaceLedsLeftBottom FaceLedsLeftExternal
    FaceLedsLeftInternal FaceLedsLeftTop FaceLedsRightBottom FaceLedsRightExternal FaceLedsRightInternal
    FaceLedsRightTop FaceLedsTop LeftEarLeds LeftEarLedsBack LeftEarLedsEven LeftEarLedsFront LeftEarLedsOdd
    LeftFaceLeds LeftFaceLedsBlue LeftFaceLedsGreen LeftFaceLedsRed RightEarLeds RightEarLedsBack RightEarLedsEven
    RightEarLedsFront RightEarLedsOdd RightFaceLeds RightFaceLedsBlue RightFaceLedsGreen RightFaceLedsRed
"""


def test_a_pepper_has_the_groups_of_lights_that_were_recorded():
    wanted = []
    for name in PEPPER_GROUPS.split():
        stem, _, rest = name.partition("{")
        low, _, high = rest[:-1].partition("-")
        wanted += ["%s%d" % (stem, number) for number in range(int(low), int(high) + 1)] if rest else [name]
    with Robot(robot_type="Pepper", naoqi="2.5") as pepper:
        leds = pepper.service("ALLeds")
        assert leds.listGroups() == sorted(wanted)
        for lacking in ("BrainLeds", "FeetLeds"):
            with pytest.raises(RuntimeError, match="Unknown led or group"):
                leds.on(lacking)
        leds.on("EarLed3")


def test_the_current_of_the_battery_follows_the_charger(fresh):
    keys = ["Device/SubDeviceList/Battery/" + part for part in ("Current/Sensor/Value", "Charge/Sensor/Charging")]
    current, charging = (fresh.get(key) for key in keys)
    assert current < 0 and charging == 0.0
    fresh.event("BatteryPowerPluggedChanged", True)
    fresh.clock.run(seconds=0.1)
    assert [fresh.get(key) for key in keys] == [5.7, 1.0]


def test_a_pepper_has_the_velocity_of_joints_but_not_of_hands():
    with Robot(robot_type="Pepper", naoqi="2.5") as pepper:
        assert pepper.get("Motion/Velocity/Sensor/HeadYaw") == 0.0
        assert pepper.get("Motion/Velocity/Sensor/LHand") is None
        pepper.service("ALMotion").setAngles("HeadYaw", 1.0, 0.1)
        pepper.clock.run(seconds=0.5)
        # A tenth of the joint's full speed.
        assert pepper.get("Motion/Velocity/Sensor/HeadYaw") == pytest.approx(0.733998)


def test_events_of_a_robot_in_use_are_in_the_table_too(robot):
    """Whatever services store in ALMemory has a row, or is the signal of a service."""
    robot.service("ALTextToSpeech").say("Hello")
    robot.touch("FrontTactilTouched")
    robot.service("ALMotion").rest()
    robot.service("ALMotion").wakeUp()
    robot.service("ALAnimatedSpeech").say("^start(animations/Stand/Gestures/Hey_1) Hello")
    robot.service("ALAutonomousLife").setState("solitary")
    recogniser = robot.service("ALSpeechRecognition")
    recogniser.setVocabulary(["yes"], False)
    recogniser.subscribe("Test")
    robot.clock.run(seconds=1)
    robot.hear("yes")
    robot.clock.run(seconds=3)
    keys, memory = list_keys(robot), robot.memory
    stored = [key for key in memory.copy_values() if memory.signal_types(key) is None]
    assert {"ALTextToSpeech/TextDone", "WordRecognized", "AutonomousLife/State"} < set(stored)
    assert [key for key in stored if key not in keys] == []


def test_identity_is_no_event_of_a_person(fresh):
    with pytest.raises(WrongUse, match="no device"):
        fresh.event("Device/DeviceList/ChestBoard/BodyId", 1)
