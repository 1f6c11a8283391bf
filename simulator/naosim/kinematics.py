"""The kinematics of NAO H25 V5: joints, places of its parts, masses, weight on the feet, and inverse kinematics.

`part_transform` computes the place of a part from the joints' angles. `reach_goals` finds the angles for given places.
`Plan` turns paths of effectors into paths of joints.
"""

from __future__ import absolute_import, division, print_function

import math

import almath
from almath import PI_4, Position3D, Position6D, Transform, position6DFromTransformDiff, rotationFromTransform

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

# Joints.

#: The smallest and the largest angle of each joint, in radians; 0 and 1 for hands.
_LIMITS = """
    HeadYaw -2.0857 2.0857; HeadPitch -0.6720 0.5149; LShoulderPitch -2.0857 2.0857; LShoulderRoll -0.3142 1.3265;
    LElbowYaw -2.0857 2.0857; LElbowRoll -1.5446 -0.0349; LWristYaw -1.8238 1.8238; LHand 0 1;
    LHipYawPitch -1.1453 0.7408; LHipRoll -0.3794 0.7904; LHipPitch -1.5359 0.4840; LKneePitch -0.0923 2.1125;
    LAnklePitch -1.1894 0.9227; LAnkleRoll -0.3978 0.7690; RHipYawPitch -1.1453 0.7408; RHipRoll -0.7904 0.3794;
    RHipPitch -1.5359 0.4840; RKneePitch -0.1030 2.1201; RAnklePitch -1.1863 0.9320; RAnkleRoll -0.7690 0.3978;
    RShoulderPitch -2.0857 2.0857; RShoulderRoll -1.3265 0.3142; RElbowYaw -2.0857 2.0857; RElbowRoll 0.0349 1.5446;
    RWristYaw -1.8238 1.8238; RHand 0 1
"""
JOINT_LIMITS = {joint: (float(low), float(high)) for joint, low, high in map(str.split, _LIMITS.split(";"))}

HEAD = ["HeadYaw", "HeadPitch"]
LEFT_ARM = ["LShoulderPitch", "LShoulderRoll", "LElbowYaw", "LElbowRoll", "LWristYaw", "LHand"]
LEFT_LEG = ["LHipYawPitch", "LHipRoll", "LHipPitch", "LKneePitch", "LAnklePitch", "LAnkleRoll"]
_RIGHT_LEG = ["R" + joint[1:] for joint in LEFT_LEG]
RIGHT_ARM = ["R" + joint[1:] for joint in LEFT_ARM]
BODY = HEAD + LEFT_ARM + LEFT_LEG + _RIGHT_LEG + RIGHT_ARM
ACTUATORS = [joint for joint in BODY if not joint.endswith("Hand")]

CHAINS = {
    "Body": BODY,
    "JointActuators": BODY,
    "Joints": ACTUATORS,
    "BodyJoints": ACTUATORS,
    "Head": HEAD,
    "LArm": LEFT_ARM,
    "RArm": RIGHT_ARM,
    "Arms": LEFT_ARM + RIGHT_ARM,
    "LLeg": LEFT_LEG,
    "RLeg": _RIGHT_LEG,
    "Legs": LEFT_LEG + _RIGHT_LEG,
}

#: The maximum speed (radians a second) and torque (Nm) of each motor.
_MOTOR_ROWS = """
    HeadYaw 8.26797 1.547; HeadPitch 7.19407 1.532; ShoulderPitch 8.26797 1.329; ShoulderRoll 7.19407 1.7835;
    ElbowYaw 8.26797 1.547; ElbowRoll 7.19407 1.532; WristYaw 24.6229 0.4075; Hand 8.33 0.292;
    HipYawPitch 4.16174 3.348; HipRoll 4.16174 3.348; HipPitch 6.40239 3.023; KneePitch 6.40239 3.023;
    AnklePitch 6.40239 3.023; AnkleRoll 4.16174 3.348
"""
_MOTORS = {name: (float(speed), float(torque)) for name, speed, torque in map(str.split, _MOTOR_ROWS.split(";"))}
MAX_SPEEDS = {joint: _MOTORS[joint if joint in HEAD else joint[1:]][0] for joint in BODY}
MAX_TORQUES = {joint: _MOTORS[joint if joint in HEAD else joint[1:]][1] for joint in BODY}
SHARED_MOTORS = {"RHipYawPitch": "LHipYawPitch"}  # one motor turns both HipYawPitch joints: the left one has precedence


def joints_of(name):  # type: (str) -> List[str]
    """List the joints of a joint's or chain's name; [] for an unknown name.

    >>> joints_of("Head")
    ['HeadYaw', 'HeadPitch']
    """
    return [name] if name in JOINT_LIMITS else list(CHAINS.get(name, ()))


def clamp_angle(joint, angle):  # type: (str, float) -> float
    """Clamp an angle to the joint's limits, as the robot does."""
    low, high = JOINT_LIMITS[joint]
    return min(max(angle, low), high)


# Forward kinematics, in metres and radians: x points ahead, y to the left, z up. Both feet are flat on the floor.

# NAOqi's numbers of the frames of reference.
_FRAME_TORSO = 0
FRAME_WORLD = 1
FRAME_ROBOT = 2

# Lengths in metres, as the maker publishes them.
_NECK_Z = 0.1265
_SHOULDER_Y, _SHOULDER_Z = 0.098, 0.1
_UPPER_ARM, _ELBOW_Y, _LOWER_ARM = 0.105, 0.015, 0.05595
_HAND_X, _HAND_Z = 0.05775, 0.01231
_HIP_Y, _HIP_Z = 0.05, 0.085
_THIGH, _TIBIA, FOOT_Z = 0.1, 0.1029, 0.04519

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_DIAGONAL = 0.5**0.5
_HIP_SLANTS = (Transform.fromRotX(-PI_4), Transform.fromRotX(PI_4))
TORSO = "Torso"

# The joints of the left side, from the torso outwards: name, offset from the joint before, and axis.
_ARM = [
    ("ShoulderPitch", (0.0, _SHOULDER_Y, _SHOULDER_Z), Y),
    ("ShoulderRoll", (0.0, 0.0, 0.0), Z),
    ("ElbowYaw", (_UPPER_ARM, _ELBOW_Y, 0.0), X),
    ("ElbowRoll", (0.0, 0.0, 0.0), Z),
    ("WristYaw", (_LOWER_ARM, 0.0, 0.0), X),
]
_LEG = [
    ("HipYawPitch", (0.0, _HIP_Y, -_HIP_Z), (0.0, _DIAGONAL, -_DIAGONAL)),
    ("HipRoll", (0.0, 0.0, 0.0), X),
    ("HipPitch", (0.0, 0.0, 0.0), Y),
    ("KneePitch", (0.0, 0.0, -_THIGH), Y),
    ("AnklePitch", (0.0, 0.0, -_TIBIA), Y),
    ("AnkleRoll", (0.0, 0.0, 0.0), X),
]


def _links():  # type: () -> Dict[str, Tuple[str, Any, Any]]
    """Return for each joint the joint before it, its offset from there, and its axis; the right side is mirrored."""
    links = {"HeadYaw": (TORSO, (0.0, 0.0, _NECK_Z), Z), "HeadPitch": ("HeadYaw", (0.0, 0.0, 0.0), Y)}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for chain in (_ARM, _LEG):
            parent = TORSO
            for name, (x, y, z), axis in chain:
                turned = (axis[0], axis[1], axis[2] * sign) if name == "HipYawPitch" else axis
                links[side + name] = (parent, (x, y * sign, z), turned)
                parent = side + name
    return links


JOINT_LINKS = _links()
_JOINT_OFFSETS = {joint: Transform(*place) for joint, (_, place, _) in JOINT_LINKS.items()}
#: The effectors and cameras: the joint that carries each, and its place seen from there.
_END_PARTS = {
    TORSO: (TORSO, Transform()),
    "Head": ("HeadPitch", Transform()),
    "LArm": ("LWristYaw", Transform(_HAND_X, 0.0, -_HAND_Z)),
    "RArm": ("RWristYaw", Transform(_HAND_X, 0.0, -_HAND_Z)),
    "LHand": ("LWristYaw", Transform(_HAND_X, 0.0, -_HAND_Z)),
    "RHand": ("RWristYaw", Transform(_HAND_X, 0.0, -_HAND_Z)),
    "LLeg": ("LAnkleRoll", Transform(0.0, 0.0, -FOOT_Z)),
    "RLeg": ("RAnkleRoll", Transform(0.0, 0.0, -FOOT_Z)),
    "CameraTop": ("HeadPitch", Transform.fromPosition(0.05871, 0.0, 0.06364, 0.0, 0.0209, 0.0)),
    "CameraBottom": ("HeadPitch", Transform.fromPosition(0.05071, 0.0, 0.01774, 0.0, 0.6929, 0.0)),
}  # type: Dict[str, Tuple[str, Transform]]
PARTS = sorted(set(JOINT_LINKS) | set(_END_PARTS))


def _path_to_part(part):  # type: (str) -> List[str]
    """List the joints from the torso to a part.

    >>> _path_to_part("CameraTop")
    ['HeadYaw', 'HeadPitch']
    """
    joint, path = _END_PARTS[part][0] if part in _END_PARTS else part, []  # type: Tuple[str, List[str]]
    while joint != TORSO:
        path.insert(0, joint)
        joint = JOINT_LINKS[joint][0]
    return path


def joint_frames(part, angles):  # type: (str, Mapping[str, float]) -> List[Tuple[str, Transform]]
    """Return each joint from the torso to a part, with its frame (after its own rotation) seen from the torso."""
    found, here = [], Transform()
    for joint in _path_to_part(part):
        here = here * _JOINT_OFFSETS[joint] * _turned(JOINT_LINKS[joint][2], angles[joint])
        found.append((joint, here))
    return found


def part_transform(part, angles):  # type: (str, Mapping[str, float]) -> Transform
    """Return the place of a part, seen from the torso."""
    return _part_transform_from_frames(part, joint_frames(part, angles))


def _part_transform_from_frames(part, way):  # type: (str, List[Tuple[str, Transform]]) -> Transform
    joint_frame = way[-1][1] if way else Transform()
    return joint_frame * _END_PARTS[part][1] if part in _END_PARTS else joint_frame


def ground_frame(angles):  # type: (Mapping[str, float]) -> Transform
    """Return the robot's frame on the floor, in the middle between both feet, seen from the torso."""
    left, right = part_transform("LLeg", angles), part_transform("RLeg", angles)
    middle = (_column(left, 3) + _column(right, 3)) / 2
    up = (_column(left, 2) + _column(right, 2)).normalize()
    ahead = _column(left, 0) + _column(right, 0)
    ahead = (ahead - up * ahead.dotProduct(up)).normalize()
    turned = almath.rotationFromAxesXYZ(ahead, up.crossProduct(ahead), up)
    return almath.transformFromRotationPosition3D(turned, middle)


def torso_transform(frame, angles, place):  # type: (int, Mapping[str, float], Any) -> Transform
    """Return the torso's place in a frame; `place` is the robot's place in the world."""
    if frame == _FRAME_TORSO:
        return Transform()
    torso = ground_frame(angles).inverse()
    if frame == FRAME_ROBOT:
        return torso
    found = Transform.fromPosition(place.x, place.y, 0.0, 0.0, 0.0, place.theta) * torso  # type: Transform
    return found


def list_moving_joints(part):  # type: (str) -> List[str]
    """List the joints that move an effector; both legs move the torso."""
    return CHAINS["Legs"] if part == TORSO else _path_to_part(part)


def _turned(axis, angle):  # type: (Tuple[float, float, float], float) -> Transform
    for known, turn in ((X, Transform.fromRotX), (Y, Transform.fromRotY), (Z, Transform.fromRotZ)):
        if axis == known:
            return turn(angle)
    # HipYawPitch turns about an axis between y and z.
    found = _HIP_SLANTS[axis[2] > 0] * Transform.fromRotY(angle) * _HIP_SLANTS[axis[2] <= 0]  # type: Transform
    return found


def _column(given, column):  # type: (Transform, int) -> Position3D
    return Position3D(given.toVector()[column:12:4])


# Masses in kilograms and their centres in metres from each joint, as the maker publishes them.

_TORSO = (1.04956, (-0.00413, 0.0, 0.04342))
_HEAD = {"HeadYaw": (0.07842, (-0.00001, 0.0, -0.02742)), "HeadPitch": (0.60533, (-0.00112, 0.0, 0.05258))}
#: The left side; the right one is mirrored in y.
_SIDE = {
    "ShoulderPitch": (0.09304, (-0.00165, -0.02663, 0.00014)),
    "ShoulderRoll": (0.15777, (0.02455, 0.00563, 0.0033)),
    "ElbowYaw": (0.06483, (-0.02744, 0.0, -0.00014)),
    "ElbowRoll": (0.07761, (0.02556, 0.00281, 0.00076)),
    "WristYaw": (0.18533, (0.03434, -0.00088, 0.00308)),
    "HipYawPitch": (0.06981, (-0.00781, -0.01114, 0.02661)),
    "HipRoll": (0.14053, (-0.01549, 0.00029, -0.00515)),
    "HipPitch": (0.38968, (0.00138, 0.00221, -0.05373)),
    "KneePitch": (0.30142, (0.00453, 0.00225, -0.04936)),
    "AnklePitch": (0.13416, (0.00045, 0.00029, 0.00685)),
    "AnkleRoll": (0.17184, (0.02542, 0.0033, -0.03239)),
}


def _masses():  # type: () -> Dict[str, Tuple[float, Position3D]]
    found = {TORSO: _TORSO}
    found.update(_HEAD)
    for name, (mass, (x, y, z)) in _SIDE.items():
        found.update({"L" + name: (mass, (x, y, z)), "R" + name: (mass, (x, -y, z))})
    return {part: (mass, Position3D(centre)) for part, (mass, centre) in found.items()}


PART_MASSES = _masses()


def list_weighed_parts(name):  # type: (str) -> List[str]
    """List the parts with a mass of a joint, a chain, Torso or Body; [] for an unknown name.

    >>> list_weighed_parts("LHand"), len(list_weighed_parts("Body"))
    ([], 25)
    """
    if name == "Body":
        return sorted(PART_MASSES)
    return [part for part in [name] + CHAINS.get(name, []) if part in PART_MASSES]


def part_mass(name):  # type: (str) -> float
    """Return the mass of a joint, a chain, Torso or Body, in kilograms."""
    return sum(PART_MASSES[part][0] for part in list_weighed_parts(name))


def centre_of_mass(name, angles):  # type: (str, Mapping[str, float]) -> Optional[Position3D]
    """Return the centre of mass of a joint, a chain, Torso or Body, seen from the torso; None if it has no mass."""
    parts = list_weighed_parts(name)
    if not parts:
        return None
    total = Position3D()
    for part in parts:
        weight, inside = PART_MASSES[part]
        total = total + (part_transform(part, angles) * inside) * weight
    return total / part_mass(name)


# The weight on the feet of a robot at rest.

#: The force sensors of the left foot, in metres from the ankle, as the maker publishes them; the right one is mirrored.
_FRONT = {"Left": (0.07025, 0.0299), "Right": (0.07025, -0.0231)}
_REAR = {"Left": (-0.03025, 0.0299), "Right": (-0.02965, -0.0191)}
_MIRRORED = {"Left": "Right", "Right": "Left"}
_FRONT_SENSOR_X = 0.07025  # metres from the ankle to the front sensors
_REAR_SENSOR_X = -0.03  # metres from the ankle to the rear sensors
_STANDING_MARGIN = 0.005  # metres: a robot falls if its centre of mass is less than this inside of the sensors


def _foot_sensors():  # type: () -> Dict[str, Tuple[float, float]]
    found = {}
    for end, sensors in (("Front", _FRONT), ("Rear", _REAR)):
        for side, (x, y) in sensors.items():
            found["LFoot/FSR/%s%s" % (end, side)] = x, y
            found["RFoot/FSR/%s%s" % (end, _MIRRORED[side])] = x, -y
    return found


FOOT_SENSORS = _foot_sensors()


def foot_weights(angles):  # type: (Mapping[str, float]) -> Dict[str, float]
    """Return the kilograms on each sensor of FOOT_SENSORS and on each foot, LFoot and RFoot.

    They are 0 if the centre of mass is not over the feet, because the robot then sits or lies.

    >>> from naosim.body import posture_angles
    >>> found = foot_weights(posture_angles("StandZero"))
    >>> print("%.2f %.2f" % (found["LFoot"], found["RFoot"]))
    2.65 2.65
    """
    floor = ground_frame(angles).inverse()
    centre = centre_of_mass("Body", angles)
    over, total = floor * (centre or Position3D()), part_mass("Body")
    feet = {foot: floor * part_transform(leg, angles) for foot, leg in (("LFoot", "LLeg"), ("RFoot", "RLeg"))}
    places = [foot.r1_c4 for foot in feet.values()]
    if not min(places) + _REAR_SENSOR_X + _STANDING_MARGIN < over.x < max(places) + _FRONT_SENSOR_X - _STANDING_MARGIN:
        return dict.fromkeys(list(FOOT_SENSORS) + ["LFoot", "RFoot"], 0.0)
    left = _share_of_range(over.y, feet["RFoot"].r2_c4, feet["LFoot"].r2_c4)
    found = {"LFoot": left * total, "RFoot": (1.0 - left) * total}
    for name in FOOT_SENSORS:
        foot, _, corner = name.split("/")
        front = _share_of_range(over.x, feet[foot].r1_c4 + _REAR_SENSOR_X, feet[foot].r1_c4 + _FRONT_SENSOR_X)
        found[name] = found[foot] / 2 * (front if corner.startswith("Front") else 1.0 - front)
    return found


def centre_of_pressure(angles, foot, axis):  # type: (Mapping[str, float], str, int) -> float
    """Return a foot's centre of pressure in metres from its ankle, along x (axis 0) or y (1); 0.0 without weight."""
    found = foot_weights(angles)
    if not found[foot]:
        return 0.0
    return sum(place[axis] * found[name] for name, place in FOOT_SENSORS.items() if name.startswith(foot)) / found[foot]


def _share_of_range(value, low, high):  # type: (float, float, float) -> float
    """Return the position of a value between low (0) and high (1)."""
    return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5


# Inverse kinematics: damped least squares with limited steps.

if MYPY:
    #: An effector, its wanted place seen from the torso, and the mask of the axes that count.
    Goal = Tuple[str, Transform, int]
    Three = Tuple[float, float, float]

_MAX_ROUNDS = 80  # iterations for the last goal of a path, where precision counts
_MAX_ROUNDS_ON_THE_WAY = 12  # iterations for each goal before
_MAX_STALLED_ROUNDS = 8  # iterations without progress after which the search ends
_PROGRESS_FACTOR = 0.98  # progress means an error below this fraction of the smallest one
_DAMPING = 0.02
_MAX_STEP_RAD = 0.25  # radians that a joint turns in one iteration
_NEAR_M = 2e-6  # metres; a smaller error counts as reached
#: Metres of position error that weigh as much as a radian of rotation error: often both cannot become zero, because an
#: arm has five joints and both hips share a motor.
_LEVER_M = 0.1
#: Radians of slightly bent legs; from straight ones the search cannot see which way the knees bend.
_BENT_KNEES = {"HipPitch": -0.08, "KneePitch": 0.16, "AnklePitch": -0.08}


def reach_goals(goals, free, angles, turn, is_last=True):
    # type: (Sequence[Goal], Sequence[str], Mapping[str, float], Any, bool) -> Dict[str, float]
    """Return angles of the free joints that bring the effectors to their goals, or as near as possible.

    The masks of the goals refer to the axes of the rotation `turn`, seen from the torso. For the last goal of a path,
    the search also starts from other angles.
    """
    motors = sorted({SHARED_MOTORS.get(joint, joint) for joint in free if joint in JOINT_LINKS})
    rounds = _MAX_ROUNDS if is_last else _MAX_ROUNDS_ON_THE_WAY
    best, least = _improved(goals, motors, dict(angles), turn, rounds)
    for start in (_bend_knees, _middle) if is_last else (_bend_knees,):
        if least > _NEAR_M and start(motors, best) != best:
            other, error = _improved(goals, motors, start(motors, best), turn, rounds)
            best, least = (other, error) if error < least else (best, least)
    return {joint: best[joint] for joint in motors}


def _bend_knees(motors, angles):  # type: (List[str], Mapping[str, float]) -> Dict[str, float]
    return dict(angles, **{joint: _BENT_KNEES[joint[1:]] for joint in motors if joint[1:] in _BENT_KNEES})


def _middle(motors, angles):  # type: (List[str], Mapping[str, float]) -> Dict[str, float]
    found = dict(angles, **{joint: sum(JOINT_LIMITS[joint]) / 2 for joint in motors})
    _share(found)
    return found


def _improved(goals, motors, angles, turn, rounds):
    # type: (Sequence[Goal], List[str], Dict[str, float], Any, int) -> Tuple[Dict[str, float], float]
    """Reduce the error step by step, from these angles; return the best angles and their error."""
    best, least, idle = dict(angles), float("inf"), 0
    for _ in range(rounds):
        errors, slopes = _linear(goals, motors, angles, turn)
        size = max([abs(error) for error in errors] or [0.0])
        idle = 0 if size < least * _PROGRESS_FACTOR else idle + 1
        if size < least:
            best, least = dict(angles), size
        if size < _NEAR_M or idle > _MAX_STALLED_ROUNDS:
            break
        steps = _damped_steps(errors, slopes, motors, angles)
        longest = max([abs(step) for step in steps] or [0.0])
        if longest < _NEAR_M / 100:
            break
        shrink = min(1.0, _MAX_STEP_RAD / longest)
        for joint, step in zip(motors, steps):
            angles[joint] = clamp_angle(joint, angles[joint] + step * shrink)
        _share(angles)
    return best, least


def _linear(goals, motors, angles, turn):
    # type: (Sequence[Goal], List[str], Dict[str, float], Any) -> Tuple[List[float], List[List[float]]]
    """Return the errors of all goals, and the change of each error with each joint."""
    errors, slopes = [], []  # type: Tuple[List[float], List[List[float]]]
    rows = [turn.toVector()[at::3] for at in range(3)]
    for effector, wanted, mask in goals:
        way = joint_frames(effector, angles)
        here = _part_transform_from_frames(effector, way)
        columns = dict.fromkeys(motors, [0.0] * 6)
        for joint, frame in way:
            motor = SHARED_MOTORS.get(joint, joint)
            if motor in columns:
                columns[motor] = _turned_back(rows, *_pull(joint, frame, here))
        off = position6DFromTransformDiff(here, wanted)
        error = _turned_back(rows, (off.x, off.y, off.z), (off.wx, off.wy, off.wz))
        for number in range(6):
            if mask & (1 << number):
                errors.append(error[number])
                slopes.append([columns[joint][number] for joint in motors])
    return errors, slopes


def _pull(joint, frame, end):  # type: (str, Transform, Transform) -> Tuple[Three, Three]
    """Return the movement and the rotation of an effector for each radian of a joint."""
    x, y, z = JOINT_LINKS[joint][2]
    x, y, z = (
        frame.r1_c1 * x + frame.r1_c2 * y + frame.r1_c3 * z,
        frame.r2_c1 * x + frame.r2_c2 * y + frame.r2_c3 * z,
        frame.r3_c1 * x + frame.r3_c2 * y + frame.r3_c3 * z,
    )
    u, v, w = end.r1_c4 - frame.r1_c4, end.r2_c4 - frame.r2_c4, end.r3_c4 - frame.r3_c4
    return (y * w - z * v, z * u - x * w, x * v - y * u), (x, y, z)


def _turned_back(rows, way, turn):  # type: (Any, Three, Three) -> List[float]
    """Return a movement and a rotation (in metres, by the lever) in the axes to which masks refer."""
    turn = (turn[0] * _LEVER_M, turn[1] * _LEVER_M, turn[2] * _LEVER_M)
    return [row[0] * x + row[1] * y + row[2] * z for x, y, z in (way, turn) for row in rows]


def _damped_steps(errors, slopes, motors, angles):
    # type: (List[float], List[List[float]], List[str], Dict[str, float]) -> List[float]
    """Return the damped steps that reduce the errors most; joints at a limit do not move beyond it."""
    held = set()  # type: set[int]
    steps = [0.0] * len(motors)
    for _ in range(3):
        rows = [[0.0 if at in held else value for at, value in enumerate(row)] for row in slopes]
        square = [[sum(a * b for a, b in zip(one, two)) for two in rows] for one in rows]
        for number in range(len(square)):
            square[number][number] += _DAMPING**2 * min(1.0, max(abs(each) for each in errors) * 10 + 1e-3)
        pulls = _solve_linear(square, errors)
        steps = [sum(row[at] * pull for row, pull in zip(rows, pulls)) for at in range(len(motors))]
        stuck = {at for at, joint in enumerate(motors) if at not in held and _blocked(joint, angles[joint], steps[at])}
        if not stuck:
            break
        held |= stuck
    return [0.0 if at in held else step for at, step in enumerate(steps)]


def _blocked(joint, angle, step):  # type: (str, float, float) -> bool
    low, high = JOINT_LIMITS[joint]
    return (angle <= low and step < 0) or (angle >= high and step > 0)


def _solve_linear(square, wanted):  # type: (List[List[float]], List[float]) -> List[float]
    """Solve a system of linear equations by Gaussian elimination with partial pivoting."""
    rows = [list(row) + [value] for row, value in zip(square, wanted)]
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for row in range(at + 1, size):
            factor = rows[row][at] / rows[at][at]
            rows[row] = [a - factor * b for a, b in zip(rows[row], rows[at])]
    found = [0.0] * size
    for at in reversed(range(size)):
        found[at] = (rows[at][size] - sum(rows[at][k] * found[k] for k in range(at + 1, size))) / rows[at][at]
    return found


def _share(angles):  # type: (Dict[str, float]) -> None
    for joint, motor in SHARED_MOTORS.items():
        if motor in angles:
            angles[joint] = angles[motor]


# Looking and pointing at a place.

_HEAD_ROUNDS = 8  # iterations of turning the head, because the camera moves with it


def head_angles_towards(place, angles):  # type: (Position3D, Mapping[str, float]) -> Dict[str, float]
    """Return the head's angles for which the upper camera looks at a place, seen from the torso, or nearly."""
    found = dict(angles, HeadYaw=0.0, HeadPitch=0.0)
    for _ in range(_HEAD_ROUNDS):
        there = part_transform("CameraTop", found).inverse() * place
        found["HeadYaw"] = clamp_angle("HeadYaw", found["HeadYaw"] + math.atan2(there.y, there.x))
        down = math.atan2(-there.z, math.hypot(there.x, there.y))
        found["HeadPitch"] = clamp_angle("HeadPitch", found["HeadPitch"] + down)
    return {joint: found[joint] for joint in HEAD}


def arm_angles_towards(arm, place):  # type: (str, Position3D) -> Dict[str, float]
    """Return the angles of a straight arm that points at a place, seen from the torso, or nearly."""
    side, sign = arm[0], 1.0 if arm == "LArm" else -1.0
    way = place - Position3D(0.0, sign * _SHOULDER_Y, _SHOULDER_Z)
    pitch, roll = math.atan2(-way.z, way.x), math.atan2(way.y, math.hypot(way.x, way.z))
    wanted = {"ShoulderPitch": pitch, "ShoulderRoll": roll, "ElbowYaw": 0.0, "ElbowRoll": 0.0, "WristYaw": 0.0}
    return {side + joint: clamp_angle(side + joint, angle) for joint, angle in wanted.items()}


# Paths of effectors.

_PIECE_SIZE = (0.02, 0.15)  # metres and radians of one piece of a path
_MAX_PIECES = 20  # pieces between two places of a path
_MAX_POINTS = 200  # points of the whole path: a limit on the computing time
_FEET = ("LLeg", "RLeg")


class Plan(object):
    """The paths of effectors in a frame, from the joints' present angles; `torso` is the torso's place in it."""

    def __init__(self, effectors, masks, angles, torso):
        # type: (Sequence[str], Sequence[int], Mapping[str, float], Transform) -> None
        self._effectors, self._masks = list(effectors), list(masks)
        self._angles, self._torso = dict(angles), torso
        self._starts = [torso * part_transform(name, angles) for name in effectors]
        self._feet = {foot: torso * part_transform(foot, angles) for foot in _FEET}
        self._free = sorted({joint for name in effectors for joint in list_moving_joints(name)})

    def along(self, paths, times, is_absolute):
        # type: (Sequence[Sequence[Any]], Sequence[Sequence[float]], bool) -> Dict[str, Tuple[List[float], List[float]]]
        """Return for each joint the times and angles on paths, which have places and times for each effector.

        A place is a Position6D or a Transform; without `is_absolute`, it is relative to the effector's start.
        """
        ways = [
            [(0.0, start)] + [(moment, _goal(start, place, is_absolute)) for moment, place in zip(row, path)]
            for start, path, row in zip(self._starts, paths, times)
        ]
        found = {}  # type: Dict[str, Tuple[List[float], List[float]]]
        moments = _moments(ways)
        for moment in moments:
            places = [_place(way, moment) for way in ways]
            for joint, angle in self._reached(places, moment == moments[-1]).items():
                self._angles[joint] = angle
                row = found.setdefault(joint, ([], []))
                row[0].append(moment)
                row[1].append(angle)
            self._angles.update({twin: self._angles[motor] for twin, motor in SHARED_MOTORS.items()})
        return found

    def _reached(self, places, is_last):  # type: (Sequence[Transform], bool) -> Dict[str, float]
        """Return the angles for which the effectors are at these places."""
        torso, goals, from_torso = self._torso, [], self._torso.inverse()
        wanted = dict(zip(self._effectors, places))
        if TORSO in wanted:
            # Feet that are not effectors stay in place while the torso moves.
            torso = _masked(self._torso, wanted[TORSO], self._masks[self._effectors.index(TORSO)])
            from_torso = torso.inverse()
            resting = [foot for foot in _FEET if foot not in wanted]
            goals = [(foot, from_torso * self._feet[foot], almath.AXIS_MASK_ALL) for foot in resting]
        for name, place, mask in zip(self._effectors, places, self._masks):
            if name != TORSO:
                goals.append((name, from_torso * place, mask))
        return reach_goals(goals, self._free, self._angles, rotationFromTransform(from_torso), is_last)


def _goal(start, place, is_absolute):  # type: (Transform, Any, bool) -> Transform
    """Return a place of a path as a Transform in the frame."""
    if isinstance(place, Position6D):
        if not is_absolute:
            place = almath.position6DFromTransform(start) + place
        return almath.transformFromPosition6D(place)
    if is_absolute:
        return place  # type: ignore[no-any-return]
    turned = rotationFromTransform(place) * rotationFromTransform(start)
    here = almath.position3DFromTransform(start) + almath.position3DFromTransform(place)
    return almath.transformFromRotationPosition3D(turned, here)


def _masked(current, wanted, mask):  # type: (Transform, Transform, int) -> Transform
    """Return the current place with the axes of the mask replaced by those of the wanted place."""
    here, there = (almath.position6DFromTransform(each).toVector() for each in (current, wanted))
    return Transform.fromPosition(*[there[at] if mask & (1 << at) else here[at] for at in range(6)])


def _moments(ways):  # type: (Sequence[Sequence[Tuple[float, Transform]]]) -> List[float]
    """Return the times of the points of the path: those of all places, and enough between them."""
    found = {way[-1][0] for way in ways}
    for way in ways:
        for (begin, one), (end, two) in _pairs(way):
            turn = almath.position6DFromTransformDiff(one, two).toVector()[3:]
            pieces = max(one.distance(two) / _PIECE_SIZE[0], max(abs(each) for each in turn) / _PIECE_SIZE[1])
            count = min(int(pieces) + 1, _MAX_PIECES) if end > begin else 1
            found |= {begin + (end - begin) * number / count for number in range(1, count + 1)}
    kept = sorted(found)
    return kept[:: len(kept) // _MAX_POINTS + 1][:-1] + kept[-1:]


def _place(way, moment):  # type: (Sequence[Tuple[float, Transform]], float) -> Transform
    for (begin, one), (end, two) in _pairs(way):
        if moment < end:
            return almath.transformMean(one, two, (moment - begin) / (end - begin)) if _turnable(one, two) else two
    return way[-1][1]


def _turnable(one, two):  # type: (Transform, Transform) -> bool
    """Return whether one rotation between two places is shortest; if they are opposite, there is none."""
    try:
        almath.transformLogarithm(one.diff(two))
    except RuntimeError:
        return False
    return True


def _pairs(way):  # type: (Sequence[Tuple[float, Transform]]) -> List[Sequence[Tuple[float, Transform]]]
    return [way[at : at + 2] for at in range(len(way) - 1)]
