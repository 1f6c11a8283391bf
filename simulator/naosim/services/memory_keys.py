"""The keys of ALMemory that a robot has from the start: first value, shape and source of each, by body and version.

A row of the table has, with two or more blanks between:

- the key; {a|b} stands for several parts of a key, and a word in {} for every part of the body of that kind;
- "data", "event", or an event's service that starts when a program subscribes to it; "gone" removes the keys of
  earlier rows;
- the robots: `any`, `NAO`, `Pepper`, also with versions of NAOqi as in `NAO 2.1`, `Pepper 2.5+`; `virtual` means that
  only the maker's simulator has the key. Of two rows for one robot the later one holds;
- the first value as JSON, "-" for none before the event, or "=" and the value's source: a quantity of the body, or
  the service that writes it at the start;
- the shape of every value, as in the patterns of the table of facts;
- the source: R (recorded on a robot), V (on the maker's simulator) or D (documented) with a name of `SOURCES`, and
  "guess" if the first value, or the whole row, is our guess.

Serial numbers are invented: they have a real number's shape, and zeros.
"""

from __future__ import absolute_import, division, print_function

import json
import math
import re
from collections import OrderedDict, namedtuple

from naosim.body import get_light_groups
from naosim.compat import natively
from naosim.models import MODELS, NAO, PEPPER, Model

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, Iterator, List, Tuple

#: The short names of sources.
SOURCES = {
    "charge": "cdondrup/naoqi_driver, the converter of the battery",
    "config": "documentation of NAOqi 1 and 2.1, DCM: configuration keys",
    "docs": "documentation of NAOqi 2.1 to 2.8",
    "driver": "ros-naoqi/naoqi_driver and naoqi_driver2, src/converters and src/event",
    "driver113": "ros-naoqi/naoqi_driver, pull request 113",
    "driver79": "ros-naoqi/naoqi_driver, pull request 79",
    "driver136": "ros-naoqi/naoqi_driver, pull request 136",
    "evolution": "mfbergmann/PepperEvolution, docs/HANDOFF.md (Pepper 1.8A, 2.5.10.7, 2026)",
    "fia": "FIA Robotics, NAO robot notes (two NAO V5, 2.1.4.13, 2026)",
    "groups": "scripts for robots by four groups, and a university's course",
    "hal": "a controller of the maker's simulated body, whose errors are in a public repository",
    "hub": "labbgulab-lab/robot-hub, docs/profiles (NAO6, 2.8.5.10; Pepper 1.8A, 2.5.10.7; 2026)",
    "gp": "MontyMango/NAO6-GP-Repo, kneeMem.txt: every key of the joints of a NAO6",
    "jsk": "jsk-ros-pkg/naoqi_bridge, naoqi_apps: it reads the first item at its start",
    "libqi32": "an engineer of the maker in aldebaran/libqi, issue 32",
    "lola": "ros-sports/nao_lola, docs: the number as LoLA tells it",
    "qicli": "output of qicli from a Pepper of 2.4 or 2.5, in a public repository of notes",
    "ros": "ros-naoqi/naoqi_bridge, nao_robot and nao_interaction",
    "script": "a script for robots in a public repository, which prints the values",
    "segments": "ros-naoqi/pepper_robot, pepper_sensors_py/nodes/laser.py",
}

_TABLE = """
RobotConfig/Body/Type                          data  NAO       "Nao"                   text  R hub
RobotConfig/Body/Type                          data  Romeo     "Romeo"                 text  D driver
RobotConfig/Body/Type                          data  Pepper    "Juliette"              text  R hub
RobotConfig/Body/BaseVersion                   data  NAO       "V5.0"                  text  R fia
RobotConfig/Body/BaseVersion                   data  NAO 2.8+  "V6.0"                  text  R hub
RobotConfig/Body/BaseVersion                   data  Pepper    "1.8A"                  text  R hub
RobotConfig/Body/Version                       data  NAO       "5.0"                   text  D driver, guess
RobotConfig/Body/Version                       data  NAO 2.8+  "6.0"                   text  D driver, guess
RobotConfig/Body/Version                       data  Pepper    "1.7.1"                 text  R hub
RobotConfig/Body/SoftwareRequirement           data  any       ""                      text  D driver, guess
RobotConfig/Body/Device/LeftArm/Version        data  any       "5"                     text  D driver, guess
RobotConfig/Body/Device/RightArm/Version       data  any       "5"                     text  D driver, guess
RobotConfig/Body/Device/Hand/Left/Version      data  any       "3"                     text  D config
RobotConfig/Body/Device/Hand/Right/Version     data  any       "3"                     text  D config
RobotConfig/Body/Device/Legs/Version           data  any       "5"                     text  D driver, guess
RobotConfig/Body/Device/Platform/Version       data  Pepper    "1"                     text  D driver, guess
RobotConfig/Body/Device/Brakes/Version         data  Pepper    "1"                     text  D driver, guess
RobotConfig/Body/Device/Wheel/Version          data  Pepper    "1"                     text  D driver, guess
RobotConfig/Head/Type                          data  NAO       "Nao"                   text  R hub
RobotConfig/Head/Type                          data  Romeo     "Romeo"                 text  guess
RobotConfig/Head/Type                          data  Pepper    "Juliette"              text  guess
RobotConfig/Head/BaseVersion                   data  NAO       "V5.0"                  text  D config, guess
RobotConfig/Head/BaseVersion                   data  NAO 2.8+  "V6.0"                  text  D config, guess
RobotConfig/Head/BaseVersion                   data  Pepper    "1.8A"                  text  D config, guess
RobotConfig/Head/Version                       data  any       ""                      text  D driver, guess
RobotConfig/Head/FullHeadId                    data  NAO       "ALDT0000N000000"       text  R fia
RobotConfig/Head/FullHeadId                    data  NAO 2.8+  "P0000074A00S00000000"  text  R hub
RobotConfig/Head/FullHeadId                    data  Pepper    "AP990237A00Y00000000"  text  R qicli
RobotConfig/Head/HeadId                        data  NAO       "ALDT0000N000000"       text  V hal
RobotConfig/Head/HeadId                        data  NAO 2.8+  "P0000074A00S00000000"  text  guess
RobotConfig/Head/HeadId                        data  Pepper    "AP990237A00Y00000000"  text  R qicli
RobotConfig/Head/Device/Camera/Version         data  any       "1"                     text  D config, guess
RobotConfig/Head/Device/Micro/Version          data  any       "1"                     text  D driver, guess
RobotConfig/Head/Device/TouchBoard/Version     data  any       "1"                     text  D config, guess
RobotConfig/Head/Device/LaserRangeFinder/Version  data  any    "0"                     text  D config
Device/DeviceList/ChestBoard/BodyId            data  NAO       "ALDR0000N000000"       text  R fia
Device/DeviceList/ChestBoard/BodyId            data  NAO 2.8+  "P0000073A00S00000000"  text  R lola
Device/DeviceList/ChestBoard/BodyId            data  Pepper    "AP990438A00Y00000000"  text  D driver, guess
Device/DeviceList/BatteryFuelGauge/SerialNumber     data  Pepper  "0000"               text  D driver, guess
Device/DeviceList/BatteryFuelGauge/FirmwareVersion  data  Pepper  "1"                  text  D driver, guess
Dialog/RobotModel                              data  virtual   -                       text  V driver136
DCM/Time                                       data  any       =clock                  int   V hal
DCM/CycleTime                                  data  any       10                      int   V hal, guess
DCM/TargetCycleTime                            data  any       10                      int   V hal

Device/SubDeviceList/{joint}/Position/Actuator/Value           data   any      =angle      float  D docs
Device/SubDeviceList/{joint}/Position/Sensor/Value             data   any      =angle      float  D docs
Device/SubDeviceList/{joint}/Hardness/Actuator/Value           data   any      =stiffness  float  R fia
Device/SubDeviceList/{wheel}/Speed/Actuator/Value              data   Pepper   =wheel      float  D docs
Device/SubDeviceList/{wheel}/Speed/Sensor/Value                data   Pepper   =wheel      float  D docs
Device/SubDeviceList/{wheel}/Stiffness/Actuator/Value          data   Pepper   =stiffness  float  D docs
Device/SubDeviceList/{motor}/ElectricCurrent/Sensor/Value      data   any      0.0         float  D docs, guess
Device/SubDeviceList/{motor}/Temperature/Sensor/Value          data   any      38.0        float  R fia
Device/SubDeviceList/{motor}/Temperature/Sensor/Status         data   any      0           int    R fia
Device/SubDeviceList/{motor}/ElectricCurrent/Sensor/Status     data   NAO 2.8+  0         int    R gp
Device/SubDeviceList/{motor}/Temperature/Sensor/Offset         data   NAO 2.8+  0.0       float  R gp
Device/SubDeviceList/RHipYawPitch/{Position/Actuator/Value|Position/Sensor/Value}  gone  NAO 2.8+  -  any  R gp
Device/SubDeviceList/RHipYawPitch/Hardness/Actuator/Value      gone   NAO 2.8+  -         any    R gp
Device/SubDeviceList/RHipYawPitch/ElectricCurrent/Sensor/{Value|Status}  gone  NAO 2.8+  -  any  R gp
Device/SubDeviceList/RHipYawPitch/Temperature/Sensor/{Value|Offset}  gone  NAO 2.8+  -    any    R gp
Device/SubDeviceList/Head/Temperature/Sensor/Value             data   any      50.0        float  R qicli
Motion/Position/Sensor/{motor}                                 data   any      =angle      float  D docs
Motion/Position/Command/{motor}                                data   any      =angle      float  D docs
Motion/Position/Sensor/{motor}                                 gone   NAO 2.8+  -          any    R gp
Motion/Position/Command/{motor}                                gone   NAO 2.8+  -          any    R gp
Motion/Velocity/Sensor/{turn}                                  data   NAO 2.1, NAO 2.5  =speed  float  D libqi32
Motion/Velocity/Sensor/{turn}                                  data   Pepper   =speed      float  R driver113
Motion/Torque/Sensor/{turn}                                    data   Pepper   0.0         float  R driver113, guess
Device/SubDeviceList/InertialSensor/Angle{axis}/Sensor/Value             data  NAO     =lean  float  R fia
Device/SubDeviceList/InertialSensor/Gyroscope{axis}/Sensor/Value         data  NAO     0.0    float  D driver
Device/SubDeviceList/InertialSensor/Accelerometer{axis}/Sensor/Value     data  NAO     =pull  float  D driver
Device/SubDeviceList/InertialSensor/Gyr{axis}/Sensor/Value               data  NAO     0.0    float  D config
Device/SubDeviceList/InertialSensor/Acc{axis}/Sensor/Value               data  NAO     =pull  float  D config
Device/SubDeviceList/InertialSensorBase/Angle{axis}/Sensor/Value         data  Pepper  0.0    float  D driver
Device/SubDeviceList/InertialSensorBase/AngleZ/Sensor/Value              data  Pepper  =lean 2  float  D driver, guess
Device/SubDeviceList/InertialSensorBase/Gyroscope{axis}/Sensor/Value     data  Pepper  0.0    float  D driver
Device/SubDeviceList/InertialSensorBase/Accelerometer{axis}/Sensor/Value  data  Pepper  0.0   float  D driver
Device/SubDeviceList/InertialSensorBase/AccelerometerZ/Sensor/Value      data  Pepper  -9.81  float  D driver, guess
Device/SubDeviceList/{fsr}/Sensor/Value                        data   NAO      =weight     float  R fia
Device/SubDeviceList/{foot}/FSR/TotalWeight/Sensor/Value       data   NAO      =weight     float  R fia
Device/SubDeviceList/{pressure}/Sensor/Value                   data   NAO      =pressure   float  D docs
leftFootTotalWeight                                            data   NAO      =weight LFoot  float  D docs
rightFootTotalWeight                                           data   NAO      =weight RFoot  float  D docs
Device/SubDeviceList/{touch}/Sensor/Value                      data   any      =touch      float  R evolution
Device/SubDeviceList/{light}                                   data   any      =light      float  D docs
Device/SubDeviceList/US/{echo}                                 data   NAO      5.0         float  R fia
Device/SubDeviceList/US/Actuator/Value                         data   NAO      0.0         float  D docs, guess
Device/SubDeviceList/Platform/InfraredSpot/{Left|Right}/Sensor/Value  data  Pepper  0.0    float  D docs
Device/SubDeviceList/Platform/Front/Sonar/Sensor/Value         data   Pepper   5.0         float  R hub, guess
Device/SubDeviceList/Platform/Back/Sonar/Sensor/Value          data   Pepper   5.0         float  R hub, guess
Device/SubDeviceList/Platform/LaserSensor/{laser}/Sensor/Value  data  Pepper   =constant   float  D segments, guess
Device/SubDeviceList/Platform/ILS/Sensor/Value                 data   Pepper   0.0         float  R driver79
Device/SubDeviceList/Battery/Charge/Sensor/Value               data   any      1.0         float  R evolution
Device/SubDeviceList/Battery/Charge/Sensor/Status              data   any      0           int    D ros, guess
Device/SubDeviceList/Battery/Charge/Sensor/TotalVoltage        data   any      25.0        float  D charge, guess
Device/SubDeviceList/Battery/Charge/Sensor/TotalVoltage        data   Pepper   28.7770004272  float  R driver79
Device/SubDeviceList/Battery/Charge/Sensor/Charging            data   any      =plug       float  D charge
Device/SubDeviceList/Battery/Charge/Sensor/RemainingCapacity   data   any      2.0         float  D script, guess
Device/SubDeviceList/Battery/Charge/Sensor/FullChargeCapacity  data   any      2.0         float  D script, guess
Device/SubDeviceList/Battery/Charge/Sensor/Age                 data   any      0.0         float  D script, guess
Device/SubDeviceList/Battery/Current/Sensor/Value              data   any      =current    float  R hub
Device/SubDeviceList/Battery/Temperature/Sensor/Value          data   any      38.0        float  D script, guess
Device/SubDeviceList/Battery/Temperature/Sensor/AmbientTemperature  data  any  25.0        float  D script, guess
BatteryChargeChanged                    event  any      100    int   D driver
BatteryLowDetected                      event  any      false  bool  D docs
BatteryPowerPluggedChanged              event  any      false  bool  D driver
BatteryFullChargedFlagChanged           event  any      true   bool  D driver
ALBattery/ConnectedToChargingStation    event  Pepper   false  bool  D charge
HeadProcessorIsHot                      event  any      null   any   R driver, guess
Diagnosis/Active/{CameraTop|CameraDepth|CameraBottom}/Error         data   Pepper   0      int   R qicli, guess
Diagnosis/Passive/{CameraTop|CameraDepth|CameraBottom}/Error        data   Pepper   0      int   R qicli, guess
Diagnosis/Temperature/{CameraTop|CameraDepth|CameraBottom}/Error    data   Pepper   0      int   R qicli, guess

{event}                                 event  any      0.0    float  D driver
Hand{LeftLeft|LeftRight|RightLeft|RightRight}Touched  event  Pepper  0.0  float  D driver, guess
TouchChanged                            event  any      []     [[text, bool, [int...]] or [text, bool]...]  guess
robotHasFallen                          event  any      false  bool   D docs
robotIsFalling                          event  NAO 2.1  -      bool   D docs
ALMotion/RobotIsFalling                 event  NAO 2.5+  -     bool   D docs
footContact                             event  any      1.0    float  D ros
footContactChanged                      event  NAO      true   bool   D ros, guess
BodyStiffnessChanged                    event  any      true   bool   D docs, guess
PostureChanged                          event  any      =ALRobotPosture  text  D docs
PostureFamilyChanged                    event  any      =ALRobotPosture    text  D docs
robotPoseChanged                        event  any      =ALRobotPosture      text  D docs
ALMotion/MoveFailed                     event  any      -      [text, int, any]  R hub
SonarLeftDetected                       ALSonar  any    null   float or null  D docs, guess
SonarRightDetected                      ALSonar  any    null   float or null  D docs, guess
SonarLeftNothingDetected                ALSonar  any    null   float or null  D docs, guess
SonarRightNothingDetected               ALSonar  any    null   float or null  D docs, guess

WordRecognized             ALSpeechRecognition  any  ["", -3.0]      list  R groups
WordRecognizedAndGrammar   ALSpeechRecognition  any  ["", -3.0, ""]  list  guess
SpeechDetected             ALSpeechRecognition  any  false           bool  D docs
ALSpeechRecognition/Status           event  any  -     text  D docs
ALSpeechRecognition/IsRunning        event  any  -     bool  D docs
ALSpeechRecognition/ActiveListening  event  any  -     bool  D docs
ALTextToSpeech/Status                 event  any  [0, "done"]  [int, text]  D jsk
ALTextToSpeech/TextStarted            event  any  0    int   guess
ALTextToSpeech/TextDone               event  any  1    int   guess
ALTextToSpeech/TextInterrupted        event  any  0    int   guess
ALTextToSpeech/CurrentSentence        event  any  ""   text  guess
ALTextToSpeech/CurrentWord            event  any  ""   text  guess
ALTextToSpeech/PositionOfCurrentWord  event  any  0    int   guess
ALTextToSpeech/CurrentBookMark        event  any  0    int   guess
{TextStarted|TextDone|TextInterrupted|CurrentSentence|CurrentWord}  event  any  -  any  D docs
{PositionOfCurrentWord|CurrentBookMark}  event  any  -  int  D docs
ALAnimatedSpeech/EndOfAnimatedSpeech  event  any  -    int   D docs
Dialog/{ActivateTopic|Answered|DeactivateTopic|Fallback|Focus|LastAnswer|LastInput}  event  any  -  text  D docs
Dialog/{NotUnderstood|NothingToSay|SaidMisunderstood|Tag}                            event  any  -  text  D docs
Dialog/{CurrentString|MatchedInput|MatchedTopic}                                     data   any  -  text  D docs
Dialog/MatchedLine                                                                   data   any  -  int   D docs
BehaviorsRun                          event  any  -    [text...]  D docs
AutonomousLife/{State|FocusedActivity|LaunchSuggestions|NextActivity|CompletedActivity}  event  any  -  any  D docs

FaceDetected                          ALFaceDetection       any  []  list  D ros
PictureDetected                       ALVisionRecognition   any  []  list  D docs
redBallDetected                       ALRedBallDetection    any  []  list  D docs
LandmarkDetected                      ALLandMarkDetection   any  []  list  D ros
MovementDetection/MovementDetected    ALMovementDetection   any  []  list  D ros, guess
MovementDetection/MovementInfo        data                  any  []  list  D ros, guess
SoundDetected                         ALSoundDetection      any  []  list  D docs
ALSoundLocalization/SoundLocated      ALSoundLocalization   any  []  list  D docs
ALAudioSourceLocalization/SoundLocated  event               any  []  list  D ros
BarcodeReader/BarcodeDetected         ALBarcodeReader       any  []  list  D docs
DarknessDetection/DarknessDetected    ALDarknessDetection   any  []  list  D docs, guess
PeoplePerception/PeopleList           ALPeoplePerception    any  []  [int...]  D docs
PeoplePerception/VisiblePeopleList    ALPeoplePerception    any  []  [int...]  D docs
PeoplePerception/NonVisiblePeopleList  ALPeoplePerception    any  []  [int...]  D docs
PeoplePerception/PeopleDetected       ALPeoplePerception    any  []  list  D docs, guess
PeoplePerception/PopulationUpdated    ALPeoplePerception    any  []  bool or list  D ros, guess
PeoplePerception/JustArrived          ALPeoplePerception    any  []  int or list  D docs, guess
PeoplePerception/JustLeft             ALPeoplePerception    any  -   int  D docs
EngagementZones/PersonEnteredZone1    ALEngagementZones     any  []  int or list  D docs, guess
FaceCharacteristics/PersonSmiling     ALFaceCharacteristics  any  []  int or list  D docs, guess
"""

DEVICE_PREFIX = "Device/SubDeviceList/"
NO_ECHO_M = 5.0  # metres that a sonar measures in an empty room (FIA Robotics), and a laser by our guess

#: A row of the table; `first` and `shape` are texts.
Row = namedtuple("Row", "key kind robots first shape source")
#: A key of one robot: its kind, the quantity that its value follows ("constant" for none), the part of the body that
#: has this quantity or the constant value, and the shape of its values.
Key = namedtuple("Key", "kind follows value shape")

ROWS = [Row(*re.split("  +", line)) for line in _TABLE.strip().split("\n") if line]
#: The services that begin to run when a program subscribes to an event of theirs, by event.
EVENT_WRITERS = {row.key: row.kind for row in ROWS if row.kind not in ("data", "event", "gone")}
#: The events of each such service, sorted.
EVENTS_BY_WRITER = {
    writer: sorted(event for event, each in EVENT_WRITERS.items() if each == writer)
    for writer in set(EVENT_WRITERS.values())
}
SPEECH_EVENTS = EVENTS_BY_WRITER["ALSpeechRecognition"]
#: The touch events of all robots; `touch_sensors` of a model has its own.
TOUCH_SENSOR_EVENTS = tuple(NAO.touch_sensors) + tuple(set(PEPPER.touch_sensors) - set(NAO.touch_sensors))

# The meanings of words in {}.

_ECHOES = ["Sensor/Value"] + ["Sensor/Value%d" % number for number in range(1, 10)]
#: Pepper's lasers: the number of segments of each, which are next to each other from left to right.
_LASERS = {"Front/Horizontal": 15, "Left/Horizontal": 15, "Right/Horizontal": 15, "Front/Shovel": 3}
_LASERS.update({"Front/Vertical/Left": 1, "Front/Vertical/Right": 1})
_LASER_STEP_RAD = math.radians(4)  # between two segments


def _list_parts(model, word):  # type: (Model, str) -> List[Tuple[str, Any]]
    """List what a word in {} stands for on a body: a part of a key, and the part of the body that the value follows."""
    wheels = model.chains.get("Wheels", [])
    if word == "joint":
        return [(joint, joint) for joint in model.body if joint not in wheels]
    if word in ("motor", "wheel", "turn"):
        joints = {"motor": model.body, "wheel": wheels, "turn": model.chains["Joints"]}
        return [(joint, joint) for joint in joints[word]]
    if word == "axis":
        return [(axis, at) for at, axis in enumerate("XYZ")]
    if word == "event":
        return [(event, event) for event in model.touch_sensors]
    if word == "light":
        return [(light, light) for light in get_light_groups(model)["AllLeds"]]
    if word == "touch":
        return list(_list_touch_devices(model))
    if word in ("fsr", "foot"):
        return [(name, name) for name in (model.foot_sensors if word == "fsr" else ("LFoot", "RFoot"))]
    if word == "pressure":
        places = [(foot, at) for foot in ("LFoot", "RFoot") for at in (0, 1)]
        return [("%s/FSR/CenterOfPressure/%s" % (foot, "XY"[at]), (foot, at)) for foot, at in places]
    if word == "laser":
        return list(_list_laser_values())
    if word == "echo":
        return [("%s/%s" % (side, echo), None) for side in ("Left", "Right") for echo in _ECHOES]
    return [(name, None) for name in word.split("|")]


def _list_touch_devices(model):  # type: (Model) -> Iterator[Tuple[str, str]]
    for event, sensor in model.touch_sensors.items():
        if sensor.startswith("Bumper/"):
            yield "Platform/%s/Bumper" % sensor[len("Bumper/") :], event
        elif sensor.endswith("/Bumper"):  # it has a device on either side of the foot
            yield sensor + "/Left", event
            yield sensor + "/Right", event
        else:
            yield sensor, event


def _list_laser_values():  # type: () -> Iterator[Tuple[str, float]]
    for laser, count in _LASERS.items():
        for at in range(count):
            angle = ((count - 1) / 2 - at) * _LASER_STEP_RAD
            yield "%s/Seg%02d/X" % (laser, at + 1), NO_ECHO_M * math.cos(angle)
            yield "%s/Seg%02d/Y" % (laser, at + 1), NO_ECHO_M * math.sin(angle)


# The keys of one robot.


def list_robot_keys(robot_type, naoqi):  # type: (str, str) -> Dict[str, Key]
    """Map each key of the table that a robot has to a `Key`; do not change the dict.

    >>> list_robot_keys("Nao", "2.1")["RobotConfig/Body/BaseVersion"].value
    'V5.0'
    """
    robot = robot_type, naoqi
    if robot not in _KEYS:
        model, found = MODELS[robot_type], OrderedDict()  # type: Model, OrderedDict[str, Key]
        for row in ROWS:
            if not _is_meant(row.robots, robot_type, naoqi):
                continue
            for name, key in _expand_row(row, model):
                if row.kind == "gone":
                    del found[name]
                else:
                    found[name] = key
        _KEYS[robot] = found
    return _KEYS[robot]


_KEYS = {}  # type: Dict[Tuple[str, str], Dict[str, Key]]


def _is_meant(robots, robot_type, naoqi):  # type: (str, str, str) -> bool
    names = {"any", "Pepper" if MODELS[robot_type] is PEPPER else "NAO", robot_type}
    for each in robots.split(", "):
        name, _, version = each.partition(" ")
        if name in names and (not version or naoqi == version or (version[-1] == "+" and naoqi >= version[:-1])):
            return True
    return False


def _expand_row(row, model):  # type: (Row, Model) -> Iterator[Tuple[str, Key]]
    before, _, rest = row.key.partition("{")
    word, _, after = rest.partition("}")
    for text, part in _list_parts(model, word) if word else [("", None)]:
        if row.first == "-":
            key = Key(row.kind, "nothing", None, row.shape)
        elif row.first[0] == "=":
            follows, _, given = row.first[1:].partition(" ")
            own = int(given) if given.isdigit() else given or part
            key = Key(row.kind, follows, own, row.shape)
        else:
            key = Key(row.kind, "constant", natively(json.loads(row.first)), row.shape)
        yield before + text + after, key


def list_events():  # type: () -> FrozenSet[str]
    """Return the events of the table, of every robot."""
    if not _EVENTS:
        models = [MODELS[robot_type] for robot_type in ("Nao", "Juliette")]
        rows = [row for row in ROWS if row.kind not in ("data", "gone")]
        # Other threads see all events or none.
        _EVENTS.append(frozenset(name for model in models for row in rows for name, _ in _expand_row(row, model)))
    return _EVENTS[0]


_EVENTS = []  # type: List[FrozenSet[str]]
