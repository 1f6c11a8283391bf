"""The bodies of NAO and Pepper as values: joints with their links and masses, sensors, postures, and the floor.

`NAO` is a NAO H25 V5. A simulated NAO6 has the same body, because we found no public description of a NAO6.
A `Model` computes the place of a part from the joints' angles; inverse kinematics are in `kinematics`.
Metres and radians: x points ahead, y to the left, z up.
Sources of the numbers:

- NAO: Aldebaran's documentation 2.1 (joints, links, motors, masses, contact sensors of the H25), and the sensors of
  naoV50 in github.com/ros-naoqi/nao_robot;
- Pepper: pepper1.0 in github.com/ros-naoqi/pepper_robot; its chains and move configuration are those of Aldebaran's
  documentation 2.5, its postures those of github.com/softbankrobotics-research/qibullet, rounded. StandInit is that of
  the maker's desktop NAOqi 2.5.10 (github.com/mfbergmann/PepperEvolution, robot_bridge), except for the head.

Pepper's LArm and RArm end where pepper1.0 has the joints of the hands, 25 mm from the wrists.
"""

from __future__ import absolute_import, division, print_function

import math
import re
from collections import OrderedDict

import almath
from almath import PI_4, Position3D, Transform

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

TORSO = "Torso"
# NAOqi's numbers of the frames of reference.
_FRAME_TORSO = 0
FRAME_WORLD = 1
FRAME_ROBOT = 2

_DIAGONAL = 0.5**0.5
_AXES = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    # NAO's HipYawPitch turns about an axis between y and z.
    "y-z": (0.0, _DIAGONAL, -_DIAGONAL),
    "y+z": (0.0, _DIAGONAL, _DIAGONAL),
}  # type: Dict[str, Tuple[float, float, float]]
_HIP_SLANTS = (Transform.fromRotX(-PI_4), Transform.fromRotX(PI_4))
_TURNS = {
    "x": Transform.fromRotX,
    "y": Transform.fromRotY,
    "z": Transform.fromRotZ,
    "y-z": lambda angle: _HIP_SLANTS[0] * Transform.fromRotY(angle) * _HIP_SLANTS[1],
    "y+z": lambda angle: _HIP_SLANTS[1] * Transform.fromRotY(angle) * _HIP_SLANTS[0],
}  # type: Dict[str, Callable[[float], Transform]]
_MIRRORED_AXES = {"y-z": "y+z", "y+z": "y-z"}

# Tables of bodies. A line with one word begins a chain. A joint is: its name, its parent, its place there (x, y, z
# and, if it is turned, wx, wy, wz), its axis ("-" for a hand, whose place is the end of the arm), least and greatest
# angle, greatest speed and torque, mass, and the centre of mass seen from the joint. The torso has only a mass. Other
# parts (ends of chains, cameras, sensors) have only a place. Parts on the left, L..., also stand for their mirror
# images on the right unless these are in the table, too.

_NAO_PARTS = """
Torso 1.04956 -.00413,0,.04342
Head
HeadYaw        Torso          0,0,.1265        z   -2.0857 2.0857 8.26797 1.547  .07842 -.00001,0,-.02742
HeadPitch      HeadYaw        0,0,0            y   -.6720  .5149  7.19407 1.532  .60533 -.00112,0,.05258
LArm
LShoulderPitch Torso          0,.098,.1        y   -2.0857 2.0857 8.26797 1.329  .09304 -.00165,-.02663,.00014
LShoulderRoll  LShoulderPitch 0,0,0            z   -.3142  1.3265 7.19407 1.7835 .15777 .02455,.00563,.0033
LElbowYaw      LShoulderRoll  .105,.015,0      x   -2.0857 2.0857 8.26797 1.547  .06483 -.02744,0,-.00014
LElbowRoll     LElbowYaw      0,0,0            z   -1.5446 -.0349 7.19407 1.532  .07761 .02556,.00281,.00076
LWristYaw      LElbowRoll     .05595,0,0       x   -1.8238 1.8238 24.6229 .4075  .18533 .03434,-.00088,.00308
LHand          LWristYaw      .05775,0,-.01231 -   0       1      8.33    .292   0      0,0,0
LLeg
LHipYawPitch   Torso          0,.05,-.085      y-z -1.1453 .7408  4.16174 3.348  .06981 -.00781,-.01114,.02661
LHipRoll       LHipYawPitch   0,0,0            x   -.3794  .7904  4.16174 3.348  .14053 -.01549,.00029,-.00515
LHipPitch      LHipRoll       0,0,0            y   -1.5359 .4840  6.40239 3.023  .38968 .00138,.00221,-.05373
LKneePitch     LHipPitch      0,0,-.1          y   -.0923  2.1125 6.40239 3.023  .30142 .00453,.00225,-.04936
LAnklePitch    LKneePitch     0,0,-.1029       y   -1.1894 .9227  6.40239 3.023  .13416 .00045,.00029,.00685
LAnkleRoll     LAnklePitch    0,0,0            x   -.3978  .7690  4.16174 3.348  .17184 .02542,.0033,-.03239
RKneePitch     RHipPitch      0,0,-.1          y   -.1030  2.1201 6.40239 3.023  .30142 .00453,-.00225,-.04936
RAnklePitch    RKneePitch     0,0,-.1029       y   -1.1863 .9320  6.40239 3.023  .13416 .00045,-.00029,.00685
Head                 HeadPitch  0,0,0
LArm                 LWristYaw  .05775,0,-.01231
LLeg                 LAnkleRoll 0,0,-.04519
CameraTop            HeadPitch  .05871,0,.06364,0,.0209,0
CameraBottom         HeadPitch  .05071,0,.01774,0,.6929,0
Accelerometer        Torso      -.008,.00606,.027
Gyrometer            Torso      -.008,.006,.029
ChestBoard/Button    Torso      .04987,.00159,.05516
Head/Touch/Front     HeadPitch  .0312,0,.1014,0,-1.1861,0
Head/Touch/Middle    HeadPitch  .001,0,.1099,3.1416,-1.5708,-3.1416
Head/Touch/Rear      HeadPitch  -.0257,0,.1045,3.1416,-1.3332,-3.1416
InfraredL            HeadPitch  .0441,.0257,.0466
InfraredR            HeadPitch  .0441,-.0257,.0466
Sonar/Left           Torso      .00558,.01921,.06239,-.0048,.0436,.3924
Sonar/Right          Torso      .00558,-.01921,.06239,.0048,.0436,-.3924
LHand/Touch/Back     LWristYaw  .038,0,.025,3.1416,-1.5708,3.1416
LHand/Touch/Left     LWristYaw  .032,.025,.003,0,0,1.5708
LHand/Touch/Right    LWristYaw  .035,-.025,.0035,0,0,-1.5708
RHand/Touch/Left     RWristYaw  .032,.025,.003,0,0,1.5708
RHand/Touch/Right    RWristYaw  .035,-.025,.0035,0,0,-1.5708
LFoot/Bumper/Left    LAnkleRoll .0876,.019,-.0353
LFoot/Bumper/Right   LAnkleRoll .0876,-.014,-.0353
LFoot/FSR/FrontLeft  LAnkleRoll .07025,.0299,-.04511
LFoot/FSR/FrontRight LAnkleRoll .07025,-.0231,-.04511
LFoot/FSR/RearLeft   LAnkleRoll -.03025,.0299,-.04511
LFoot/FSR/RearRight  LAnkleRoll -.02965,-.0191,-.04511
RFoot/FSR/RearLeft   RAnkleRoll -.03025,.0191,-.04511
RFoot/FSR/RearRight  RAnkleRoll -.02965,-.0299,-.04511
"""

_PEPPER_PARTS = """
Torso 3.99533 .00322,0,-.01029
Head
HeadYaw        Torso          -.038,0,.1699       z -2.08567 2.08567  7.33998 5.428   .27391  -.00207,0,-.02636
HeadPitch      HeadYaw        0,0,0               y -.706858 .637045  9.22756 2.666   1.51893 .00312,0,.11152
LArm
LShoulderPitch Torso          -.057,.14974,.08682 y -2.08567 2.08567  7.33998 5.428   .3125   .00018,-.01856,.00099
LShoulderRoll  LShoulderPitch 0,0,0               z .008727  1.56207  9.22756 2.666   .50527  .08151,.01284,-.01017
LElbowYaw LShoulderRoll .1812,.015,.00013,0,-.15708,0 x -2.08567 2.08567 7.33998 5.428 .27495 -.02297,-.00019,.00119
LElbowRoll     LElbowYaw      0,0,0               z -1.56207 -.008727 9.22756 2.666   .16579  .0593,.00271,-.01014
LWristYaw      LElbowRoll     .15,0,0             x -1.82387 1.82387  17.3835 .2014   .27555  .03536,-.00072,-.00207
LHand          LWristYaw      .025,0,0            - .02      .98      12.56   .144    0       0,0,0
Leg
HipRoll        Torso          .00002,0,-.139      x -.514872 .514872  2.27032 10.1884 1.02338 .00032,0,-.06039
HipPitch       HipRoll        0,0,-.079           y -1.03847 1.03847  2.93276 19.787  2.45917 .00237,0,-.09654
KneePitch      HipPitch       0,0,-.268           y -.514872 .514872  2.93276 27.702  11.6015 .0022,0,-.18573
Wheels
WheelFL        KneePitch      .09,.155,-.264,0,0,1.07517 x 0 0 6.28319 3.25 1.58028 0,0,0
WheelFR        KneePitch      .09,-.155,-.264,0,0,-1.07517 x 0 0 6.28319 3.25 1.58028 0,0,0
WheelB         KneePitch      -.17,0,-.264,0,0,-3.14159 x 0 0 6.28319 3.25 1.58028 0,0,0
Head                      HeadPitch 0,0,0
LArm                      LWristYaw .025,0,0
Leg                       KneePitch 0,0,-.334
CameraTop                 HeadPitch .08601,0,.16284
CameraBottom              HeadPitch .09262,0,.06177,0,.698132,0
CameraDepth               HeadPitch .05138,.039,.1194
Accelerometer             Torso     .00239,-.03575,.00626
AccelerometerBase         KneePitch .0147,-.0017,-.26319
Gyrometer                 Torso     .00204,-.03491,-.00959
ChestBoard/Button         Torso     .04987,.00159,.05516
Tablet                    Torso     .08392,0,.06251,0,-.523599,0
Head/Touch/Front          HeadPitch .02818,0,.21267,0,.20944,0
Head/Touch/Middle         HeadPitch .0041,0,.2159,0,-.0349,0
Head/Touch/Rear           HeadPitch -.03376,0,.21052,0,-.31416,0
LHand/Touch/Back          LWristYaw .0523,0,.0304,1.5708,-1.5708,-3.1416
RHand/Touch/Back          RWristYaw .0523,0,.0304,1.5708,-1.5708,-3.1416
Bumper/FrontLeft          KneePitch .129,.227,-.264,0,0,.48886
Bumper/FrontRight         KneePitch .129,-.227,-.264,0,0,-.48886
Bumper/Back               KneePitch -.251,0,-.264,0,0,-3.14159
Sonar/Front               KneePitch .0699,0,-.1023,0,-.322858,0
Sonar/Back                KneePitch -.0718,0,-.0534,0,-.209438,-3.14159
LaserSensor/Front         KneePitch .0562,0,-.0692,0,.349066,0
LaserSensor/Left          KneePitch -.018,.0899,-.0759,0,.349066,1.5708
LaserSensor/Right         KneePitch -.018,-.0899,-.0759,0,.349066,-1.5708
LaserSensor/Shovel        KneePitch .0562,0,-.0692,0,.349066,0
LaserSensor/VerticalLeft  KneePitch .0562,0,-.0692,0,.349066,0
LaserSensor/VerticalRight KneePitch .0562,0,-.0692,0,.349066,0
"""

# Postures: the name, its family, and rounded angles in degrees of HeadPitch, the left arm and the leg (without hands);
# the right side mirrors the left one.

_NAO_POSTURES = """
Stand      Standing        -10  82  11 -69 -24  6  -10  7   7  -5   5 -7
StandInit  Standing          0  80  10 -70 -60  0    0  0 -25  40 -20  0
StandZero  Standing          0   0   0   0  -2  0    0  0   0   0   0  0
Crouch     Crouching         2  82  12 -43 -68  5  -12  4 -40 121 -67 -4
Sit        Sitting         -10  45  16 -42 -70  9  -35 19 -88  79   5  3
SitRelax   SittingOnGround   5 118  10 -92  -3 54  -36  7 -46  75  41  0
SitOnChair SittingOnChair  -10  48  10 -45 -70  0  -20 10 -80  85   0  0
LyingBelly LyingBelly      -38 -71  33  34 -60 29  -24  1   1  -5  46 -1
LyingBack  LyingBack        -3 117  25 -33 -40  4  -12  9  16  -5  47 -6
"""
_PEPPER_POSTURES = """
Stand      Standing        -12  90   7 -70   -30   -2    0  -1.5  0
StandInit  Standing        -12  91.2 9 -72.7 -27.8  0    0  -2.3 -0.6
StandZero  Standing          0   0   0   0     0    0    0   0    0
Crouch     Crouching        37  64   2 -28     0  -45    0 -60   29
"""

# Settings of a walk: the name, its usual, least and greatest value.
_NAO_GAIT = """
MaxStepX .04 .001 .08; MaxStepY .14 .101 .16; MaxStepTheta .34906584 .001 .52359879; MaxStepFrequency 1 0 1;
StepHeight .02 .005 .04; TorsoWx 0 -.122 .122; TorsoWy 0 -.122 .122
"""
_PEPPER_GAIT = """
MaxVelXY .35 .1 .55; MaxVelTheta 1 .2 2; MaxAccXY .3 .1 .55; MaxAccTheta .75 .1 3; MaxJerkXY 1 .2 5;
MaxJerkTheta 2 .2 50
"""

_SENSOR_EVENTS = """
    Head/Touch/Front FrontTactilTouched, Head/Touch/Middle MiddleTactilTouched, Head/Touch/Rear RearTactilTouched,
    LHand/Touch/Back HandLeftBackTouched, LHand/Touch/Left HandLeftLeftTouched, LHand/Touch/Right HandLeftRightTouched,
    RHand/Touch/Back HandRightBackTouched, RHand/Touch/Left HandRightLeftTouched,
    RHand/Touch/Right HandRightRightTouched, LFoot/Bumper LeftBumperPressed, RFoot/Bumper RightBumperPressed,
    Bumper/Back BackBumperPressed, Bumper/FrontLeft LeftBumperPressed, Bumper/FrontRight RightBumperPressed,
    ChestBoard/Button ChestButtonPressed
"""
#: NAOqi 1's names of sensors, each with the current one.
_OLD_SENSORS = """
    LFsrFL LFoot/FSR/FrontLeft, LFsrFR LFoot/FSR/FrontRight, LFsrRL LFoot/FSR/RearLeft, LFsrRR LFoot/FSR/RearRight,
    RFsrFL RFoot/FSR/FrontLeft, RFsrFR RFoot/FSR/FrontRight, RFsrRL RFoot/FSR/RearLeft, RFsrRR RFoot/FSR/RearRight,
    LBumper LFoot/Bumper/Left, RBumper RFoot/Bumper/Right, USSensor1 Sonar/Right, USSensor2 Sonar/Left
"""
_OLD_NAMES = [pair.split() for pair in _OLD_SENSORS.split(",")]
_SENSOR_OF_EVENT = [pair.split() for pair in _SENSOR_EVENTS.split(",")]
_FRONT_SENSOR_X = 0.07025  # metres from the ankle to the front sensors of a foot
_REAR_SENSOR_X = -0.03  # metres from the ankle to its rear sensors
_WHEEL_RADIUS = 0.07  # metres: the wheels' axes are this far above the floor
_STANDING_MARGIN = 0.005  # metres: a robot falls if its centre of mass is less than this inside of the sensors
_SAME_SIGN_ENDINGS = ("Pitch", "Hand")  # the last parts of the names of joints that have the same sign on both sides


class Model(object):
    """A kind of robot's body. It never changes, so one value serves all robots.

    `chains`         the joints of each chain and of groups such as Body;
    `limits`         the smallest and the largest angle of each joint, 0 and 1 for NAO's hands;
    `speeds`, `torques`  the maximum of each motor, in radians a second and Nm;
    `links`          for each joint what carries it, its place there and its axis;
    `masses`         kilograms of each part and their centre, seen from its joint;
    `shared_motors`  the joints that another joint's motor turns, each with that joint;
    `feet`           the chains whose ends are on the floor;
    `effectors`      the parts that `kinematics` can bring to a place;
    `sensors`        the cameras and sensors;
    `touch_sensors`  the events of touch, each with its sensor as ALTouch names it;
    `families`       the family of each posture;
    `gait`           the settings of a walk: name, usual, least and greatest value;
    `full_speed`     of a walk, ahead, to the left and of turning, in metres and radians a second.

    >>> print("%.1f %.1f" % (NAO.part_mass("Body"), PEPPER.part_mass("Body")))
    5.3 28.7
    """

    def __init__(self, parts, body, feet, postures, hand, gait, full_speed, shared_motors):
        # type: (str, str, str, str, float, str, Tuple[float, float, float], Dict[str, str]) -> None
        self.feet, self.full_speed, self.shared_motors = feet.split(), full_speed, shared_motors
        self.gait = [(row[0],) + tuple(map(float, row[1:])) for row in map(str.split, gait.split(";"))]
        self.chains = {}  # type: Dict[str, List[str]]
        self.limits = {}  # type: Dict[str, Tuple[float, float]]
        self.speeds, self.torques = {}, {}  # type: Dict[str, float], Dict[str, float]
        self.links = {}  # type: Dict[str, Tuple[str, Transform, Tuple[float, float, float]]]
        self.masses = {}  # type: Dict[str, Tuple[float, Position3D]]
        self._turns = {}  # type: Dict[str, Callable[[float], Transform]]
        self._ends = {TORSO: (TORSO, Transform())}  # type: Dict[str, Tuple[str, Transform]]
        for row in _list_rows(parts):
            self._add(row)
        self._group_joints(body.split())
        #: The names of parts that reflexes know.
        self.body_parts = ["Head", "LArm", "RArm"] + self.feet + ["Torso", "Legs", "Arms", "Body", "All", "Move"]
        self.effectors = self.body_parts[: self.body_parts.index("Legs")]
        self.sensors = sorted(name for name in self._ends if name not in self.effectors + self.body)
        self._ends.update((old, self._ends[new]) for old, new in _OLD_NAMES if new in self._ends)
        self.parts = sorted(set(self.links) | set(self._ends))
        self._paths = {part: self._path_to(part) for part in self.parts}
        devices = self.parts + [part.rsplit("/", 1)[0] for part in self.parts]
        self.touch_sensors = OrderedDict((event, sensor) for sensor, event in _SENSOR_OF_EVENT if sensor in devices)
        places = {part: place for part, (_, place) in self._ends.items()}
        self.foot_sensors = {part: (at.r1_c4, at.r2_c4) for part, at in places.items() if "/FSR/" in part}
        rows = [row.split() for row in postures.strip().split("\n")]
        self.families = {row[0]: row[1] for row in rows}
        self._postures = {row[0]: self._posture([float(each) for each in row[2:]], hand) for row in rows}

    def _add(self, row):  # type: (List[str]) -> None
        """Add a row of the table."""
        name = row[0]
        if len(row) == 1:
            self._limb = self.chains[name] = []
        elif name == TORSO:
            self.masses[name] = float(row[1]), Position3D(_numbers(row[2]))
        elif len(row) == 3:
            self._ends[name] = row[1], _place(row[2])
        else:
            carrier, place, axis, low, high, speed, torque, mass, centre = row[1:]
            self._limb.append(name)
            self.limits[name] = float(low), float(high)
            self.speeds[name], self.torques[name] = float(speed), float(torque)
            if axis == "-":
                self._ends[name] = carrier, _place(place)
            else:
                self.links[name], self._turns[name] = (carrier, _place(place), _AXES[axis]), _TURNS[axis]
                self.masses[name] = float(mass), Position3D(_numbers(centre))

    def _group_joints(self, limbs):  # type: (List[str]) -> None
        """Add the groups of joints; `limbs` are the chains of the body in its order."""
        chains = self.chains
        self.body = chains["Body"] = chains["JointActuators"] = [joint for limb in limbs for joint in chains[limb]]
        chains["Actuators"] = [joint for joint in self.body if joint not in self.links]
        hands_and_wheels = chains.get("Wheels", []) + chains["Actuators"]
        chains["Joints"] = chains["BodyJoints"] = [joint for joint in self.body if joint not in hands_and_wheels]
        chains["Arms"] = chains["LArm"] + chains["RArm"]
        chains["Legs"] = [joint for foot in self.feet for joint in chains[foot]]

    def _path_to(self, part):  # type: (str) -> List[Tuple[str, Optional[Transform], Callable[[float], Transform]]]
        """List the joints from the torso to a part, each with its offset (None without one) and its turn."""
        joint, path = self._ends[part][0] if part in self._ends else part, []  # type: Tuple[str, List[Any]]
        while joint != TORSO:
            carrier, offset, _ = self.links[joint]
            path.insert(0, (joint, None if offset == Transform() else offset, self._turns[joint]))
            joint = carrier
        return path

    def _posture(self, degrees, hand):  # type: (List[float], float) -> Dict[str, float]
        joints = ["HeadPitch"] + self.chains["LArm"][:-1] + self.chains[self.feet[0]]
        found = dict.fromkeys(self.body, 0.0)
        for joint, angle in zip(joints, degrees):
            found[joint] = math.radians(angle)
            if joint.startswith("L"):
                found["R" + joint[1:]] = found[joint] if joint.endswith(_SAME_SIGN_ENDINGS) else -found[joint]
        found.update(LHand=hand, RHand=hand)
        return {joint: self.clamp_angle(joint, angle) for joint, angle in found.items()}

    def posture_angles(self, posture):  # type: (str) -> Dict[str, float]
        """Return the angle of every joint in a posture, in radians, as a new dict; an unknown posture is Stand.

        >>> angles = NAO.posture_angles("StandInit")
        >>> print("%.3f %.3f %.3f" % (angles["LShoulderRoll"], angles["RShoulderRoll"], angles["RKneePitch"]))
        0.175 -0.175 0.698
        """
        return dict(self._postures.get(posture, self._postures["Stand"]))

    def joints_of(self, name):  # type: (str) -> List[str]
        """List the joints of a joint's or chain's name; [] for an unknown name.

        >>> NAO.joints_of("Head"), PEPPER.joints_of("Leg")
        (['HeadYaw', 'HeadPitch'], ['HipRoll', 'HipPitch', 'KneePitch'])
        """
        return [name] if name in self.limits else list(self.chains.get(name, ()))

    def clamp_angle(self, joint, angle):  # type: (str, float) -> float
        """Clamp an angle to the joint's limits, as the robot does."""
        low, high = self.limits[joint]
        return min(max(angle, low), high)

    def list_moving_joints(self, part):  # type: (str) -> List[str]
        """List the joints that move an effector; the legs move the torso."""
        return self.chains["Legs"] if part == TORSO else [joint for joint, _, _ in self._paths[part]]

    # Forward kinematics.

    def joint_frames(self, part, angles):  # type: (str, Mapping[str, float]) -> List[Tuple[str, Transform]]
        """Return each joint from the torso to a part, with its frame (after its own rotation) seen from the torso."""
        found, here = [], Transform()
        for joint, offset, turn in self._paths[part]:
            here = (here if offset is None else here * offset) * turn(angles[joint])
            found.append((joint, here))
        return found

    def part_transform(self, part, angles):  # type: (str, Mapping[str, float]) -> Transform
        """Return the place of a part, seen from the torso."""
        return self.end_of_frames(part, self.joint_frames(part, angles))

    def end_of_frames(self, part, frames):  # type: (str, List[Tuple[str, Transform]]) -> Transform
        """Return the place of a part from the frames of `joint_frames`."""
        joint_frame = frames[-1][1] if frames else Transform()
        return joint_frame * self._ends[part][1] if part in self._ends else joint_frame

    def ground_frame(self, angles):  # type: (Mapping[str, float]) -> Transform
        """Return the robot's frame on the floor, in the middle between its feet, seen from the torso."""
        feet = [self.part_transform(foot, angles) for foot in self.feet]
        if len(feet) == 1:
            return feet[0]
        left, right = feet
        middle = (_column(left, 3) + _column(right, 3)) / 2
        up = (_column(left, 2) + _column(right, 2)).normalize()
        ahead = _column(left, 0) + _column(right, 0)
        ahead = (ahead - up * ahead.dotProduct(up)).normalize()
        turned = almath.rotationFromAxesXYZ(ahead, up.crossProduct(ahead), up)
        return almath.transformFromRotationPosition3D(turned, middle)

    def torso_transform(self, frame, angles, place):  # type: (int, Mapping[str, float], Any) -> Transform
        """Return the torso's place in a frame; `place` is the robot's place in the world."""
        if frame == _FRAME_TORSO:
            return Transform()
        torso = self.ground_frame(angles).inverse()
        if frame == FRAME_ROBOT:
            return torso
        found = Transform.fromPosition(place.x, place.y, 0.0, 0.0, 0.0, place.theta) * torso  # type: Transform
        return found

    def wheel_speed(self, wheel, velocity):  # type: (str, Sequence[float]) -> float
        """Return the speed of a wheel, in radians a second, if the robot moves at this velocity on the floor.

        >>> print("%.2f %.2f" % tuple(PEPPER.wheel_speed(wheel, (0.0, 0.0, 1.0)) for wheel in ("WheelFL", "WheelB")))
        -2.56 -2.43
        """
        place, (ahead, left, turn) = self.links[wheel][1], velocity
        ahead, left = ahead - turn * place.r2_c4, left + turn * place.r1_c4
        # A wheel turns about its x axis and rolls along its y axis, backwards for a positive angle.
        return -(ahead * place.r1_c2 + left * place.r2_c2) / _WHEEL_RADIUS

    # Masses.

    def list_weighed_parts(self, name):  # type: (str) -> List[str]
        """List the parts with a mass of a joint, a chain, Torso or Body; [] for an unknown name.

        >>> NAO.list_weighed_parts("LHand"), len(NAO.list_weighed_parts("Body"))
        ([], 25)
        """
        if name == "Body":
            return sorted(self.masses)
        return [part for part in [name] + self.chains.get(name, []) if part in self.masses]

    def part_mass(self, name):  # type: (str) -> float
        """Return the mass of a joint, a chain, Torso or Body, in kilograms."""
        return sum(self.masses[part][0] for part in self.list_weighed_parts(name))

    def centre_of_mass(self, name, angles):  # type: (str, Mapping[str, float]) -> Optional[Position3D]
        """Return the centre of mass of a joint, a chain, Torso or Body, seen from the torso; None if it has no mass."""
        parts = self.list_weighed_parts(name)
        if not parts:
            return None
        total = Position3D()
        for part in parts:
            weight, inside = self.masses[part]
            total = total + (self.part_transform(part, angles) * inside) * weight
        return total / self.part_mass(name)

    # The weight on the feet of a robot at rest.

    def foot_weights(self, angles):  # type: (Mapping[str, float]) -> Dict[str, float]
        """Return the kilograms on each of `foot_sensors` and on each foot, LFoot and RFoot.

        They are 0 if the centre of mass is not over the feet, because the robot then sits or lies.

        >>> found = NAO.foot_weights(NAO.posture_angles("StandZero"))
        >>> print("%.2f %.2f" % (found["LFoot"], found["RFoot"]))
        2.65 2.65
        """
        floor = self.ground_frame(angles).inverse()
        centre = self.centre_of_mass("Body", angles)
        over, total = floor * (centre or Position3D()), self.part_mass("Body")
        feet = {leg[0] + "Foot": floor * self.part_transform(leg, angles) for leg in self.feet}
        places = [foot.r1_c4 for foot in feet.values()]
        least, most = min(places) + _REAR_SENSOR_X, max(places) + _FRONT_SENSOR_X
        if not least + _STANDING_MARGIN < over.x < most - _STANDING_MARGIN:
            return dict.fromkeys(list(self.foot_sensors) + ["LFoot", "RFoot"], 0.0)
        left = _share_of_range(over.y, feet["RFoot"].r2_c4, feet["LFoot"].r2_c4)
        found = {"LFoot": left * total, "RFoot": (1.0 - left) * total}
        for name in self.foot_sensors:
            foot, _, corner = name.split("/")
            front = _share_of_range(over.x, feet[foot].r1_c4 + _REAR_SENSOR_X, feet[foot].r1_c4 + _FRONT_SENSOR_X)
            found[name] = found[foot] / 2 * (front if corner.startswith("Front") else 1.0 - front)
        return found

    def centre_of_pressure(self, angles, foot, axis):  # type: (Mapping[str, float], str, int) -> float
        """Return a foot's centre of pressure in metres from its ankle, along x (axis 0) or y (1); 0 without weight."""
        found = self.foot_weights(angles)
        if not found[foot]:
            return 0.0
        pulls = [place[axis] * found[name] for name, place in self.foot_sensors.items() if name.startswith(foot)]
        return sum(pulls) / found[foot]


def _list_rows(table):  # type: (str) -> List[List[str]]
    """Return the rows of a table, with the mirror images of the parts on the left."""
    given = [row.split() for row in table.strip().split("\n")]
    on_right = {row[0]: row for row in given if _is_of_side("R", row[0])}
    rows = [row for row in given if row[0] not in on_right]
    mirrored = [_mirror(row) for row in rows if _is_of_side("L", row[0])]
    return rows + [on_right.get(row[0], row) if len(row) > 1 else row for row in mirrored]


def _is_of_side(side, name):  # type: (str, str) -> bool
    return name[0] == side and name[1].isupper()


def _mirror(row):  # type: (List[str]) -> List[str]
    name = _mirror_name(row[0])
    if len(row) == 1:
        return [name]
    carrier = _mirror_name(row[1]) if _is_of_side("L", row[1]) else row[1]
    found = [name, carrier, _mirror_numbers(row[2])]
    if len(row) > 3:
        axis, low, high = row[3:6]
        limits = [low, high] if name.endswith(_SAME_SIGN_ENDINGS) else [repr(-float(high)), repr(-float(low))]
        found += [_MIRRORED_AXES.get(axis, axis)] + limits + row[6:9] + [_mirror_numbers(row[9])]
    return found


def _mirror_name(name):  # type: (str) -> str
    """Return the name of the part on the right for one on the left."""
    sides = {"Left": "Right", "Right": "Left"}
    return "R" + re.sub("Left|Right", lambda found: sides[found.group()], name[1:])


def _mirror_numbers(numbers):  # type: (str) -> str
    """Mirror a place: y, wx and wz change their signs."""
    return ",".join(repr(-each if at in (1, 3, 5) else each) for at, each in enumerate(_numbers(numbers)))


def _numbers(text):  # type: (str) -> List[float]
    return [float(each) for each in text.split(",")]


def _place(text):  # type: (str) -> Transform
    return Transform.fromPosition(*(_numbers(text) + [0.0] * 3)[:6])


def _column(given, column):  # type: (Transform, int) -> Position3D
    return Position3D(given.toVector()[column:12:4])


def _share_of_range(value, low, high):  # type: (float, float, float) -> float
    """Return the position of a value between low (0) and high (1)."""
    return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5


NAO = Model(
    _NAO_PARTS,
    body="Head LArm LLeg RLeg RArm",
    feet="LLeg RLeg",
    postures=_NAO_POSTURES,
    hand=0.3,
    gait=_NAO_GAIT,
    full_speed=(0.1, 0.1, 0.5),
    shared_motors={"RHipYawPitch": "LHipYawPitch"},  # one motor turns both: the left one has precedence
)
PEPPER = Model(
    _PEPPER_PARTS,
    body="Head LArm Leg RArm Wheels",
    feet="Leg",
    postures=_PEPPER_POSTURES,
    hand=0.59,
    gait=_PEPPER_GAIT,
    full_speed=(0.35, 0.35, 1.0),
    shared_motors={},
)
#: The bodies by ALRobotModel's names; Juliette is Pepper, and Romeo has NAO's body.
MODELS = {"Nao": NAO, "Juliette": PEPPER, "Romeo": NAO}
