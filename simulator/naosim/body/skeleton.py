"""Forward kinematics: where each part of the body is, from the joints' angles and the published lengths of NAO H25.

Metres and radians; x points ahead, y to the left, z up. Both feet are taken to stand flat on the floor.
"""

from __future__ import absolute_import, division, print_function

from almath import PI_4, Position3D, Transform, rotationFromAxesXYZ, transformFromRotationPosition3D
from naosim.body import joints

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Mapping, Tuple

FRAME_TORSO, FRAME_WORLD, FRAME_ROBOT = 0, 1, 2

NECK_Z = 0.1265
SHOULDER_Y, SHOULDER_Z = 0.098, 0.1
UPPER_ARM, ELBOW_Y, LOWER_ARM = 0.105, 0.015, 0.05595
HAND_X, HAND_Z = 0.05775, 0.01231
HIP_Y, HIP_Z = 0.05, 0.085
THIGH, TIBIA, FOOT = 0.1, 0.1029, 0.04519

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_DIAGONAL = 0.5**0.5
SLANTS = (Transform.fromRotX(-PI_4), Transform.fromRotX(PI_4))
TORSO = "Torso"

#: Each joint with the one before it, where it lies seen from there, and the axis it turns about.
_ARM = [
    ("ShoulderPitch", (0.0, SHOULDER_Y, SHOULDER_Z), Y),
    ("ShoulderRoll", (0.0, 0.0, 0.0), Z),
    ("ElbowYaw", (UPPER_ARM, ELBOW_Y, 0.0), X),
    ("ElbowRoll", (0.0, 0.0, 0.0), Z),
    ("WristYaw", (LOWER_ARM, 0.0, 0.0), X),
]
_LEG = [
    ("HipYawPitch", (0.0, HIP_Y, -HIP_Z), (0.0, _DIAGONAL, -_DIAGONAL)),
    ("HipRoll", (0.0, 0.0, 0.0), X),
    ("HipPitch", (0.0, 0.0, 0.0), Y),
    ("KneePitch", (0.0, 0.0, -THIGH), Y),
    ("AnklePitch", (0.0, 0.0, -TIBIA), Y),
    ("AnkleRoll", (0.0, 0.0, 0.0), X),
]


def _links():  # type: () -> Dict[str, Tuple[str, Any, Any]]
    """Spell the chains of both sides out: the right one mirrors places, and the axis of the hip's slanted joint."""
    links = {"HeadYaw": (TORSO, (0.0, 0.0, NECK_Z), Z), "HeadPitch": ("HeadYaw", (0.0, 0.0, 0.0), Y)}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for chain in (_ARM, _LEG):
            parent = TORSO
            for name, (x, y, z), axis in chain:
                turned = (axis[0], axis[1], axis[2] * sign) if name == "HipYawPitch" else axis
                links[side + name] = (parent, (x, y * sign, z), turned)
                parent = side + name
    return links


LINKS = _links()
OFFSETS = {joint: Transform(*place) for joint, (_, place, _) in LINKS.items()}
#: What is fixed to a joint: effectors and cameras.
ENDS = {
    TORSO: (TORSO, Transform()),
    "Head": ("HeadPitch", Transform()),
    "LArm": ("LWristYaw", Transform(HAND_X, 0.0, -HAND_Z)),
    "RArm": ("RWristYaw", Transform(HAND_X, 0.0, -HAND_Z)),
    "LHand": ("LWristYaw", Transform(HAND_X, 0.0, -HAND_Z)),
    "RHand": ("RWristYaw", Transform(HAND_X, 0.0, -HAND_Z)),
    "LLeg": ("LAnkleRoll", Transform(0.0, 0.0, -FOOT)),
    "RLeg": ("RAnkleRoll", Transform(0.0, 0.0, -FOOT)),
    "CameraTop": ("HeadPitch", Transform.fromPosition(0.05871, 0.0, 0.06364, 0.0, 0.0209, 0.0)),
    "CameraBottom": ("HeadPitch", Transform.fromPosition(0.05071, 0.0, 0.01774, 0.0, 0.6929, 0.0)),
}  # type: Dict[str, Tuple[str, Transform]]
PARTS = sorted(set(LINKS) | set(ENDS))


def path_to(part):  # type: (str) -> List[str]
    """List the joints from the torso to a part.

    >>> path_to("CameraTop")
    ['HeadYaw', 'HeadPitch']
    """
    joint, path = ENDS[part][0] if part in ENDS else part, []  # type: Tuple[str, List[str]]
    while joint != TORSO:
        path.insert(0, joint)
        joint = LINKS[joint][0]
    return path


def frames(part, angles):  # type: (str, Mapping[str, float]) -> List[Tuple[str, Transform]]
    """Return the frame of each joint on the way to a part, seen from the torso, each after its own turn."""
    found, here = [], Transform()
    for joint in path_to(part):
        here = here * OFFSETS[joint] * _turned(LINKS[joint][2], angles[joint])
        found.append((joint, here))
    return found


def transform(part, angles):  # type: (str, Mapping[str, float]) -> Transform
    """Return where a part is, seen from the torso."""
    return end_of(part, frames(part, angles))


def end_of(part, way):  # type: (str, List[Tuple[str, Transform]]) -> Transform
    """Return where a part is, at the end of the frames of its joints."""
    joint_frame = way[-1][1] if way else Transform()
    return joint_frame * ENDS[part][1] if part in ENDS else joint_frame


def ground(angles):  # type: (Mapping[str, float]) -> Transform
    """Return the frame of the robot on the floor, seen from the torso: in the middle between both feet."""
    left, right = transform("LLeg", angles), transform("RLeg", angles)
    middle = (_column(left, 3) + _column(right, 3)) / 2
    up = (_column(left, 2) + _column(right, 2)).normalize()
    ahead = _column(left, 0) + _column(right, 0)
    ahead = (ahead - up * ahead.dotProduct(up)).normalize()
    return transformFromRotationPosition3D(rotationFromAxesXYZ(ahead, up.crossProduct(ahead), up), middle)


def torso_in(frame, angles, place):  # type: (int, Mapping[str, float], Any) -> Transform
    """Return where the torso is in a frame; `place` is where the robot stands in the world."""
    if frame == FRAME_TORSO:
        return Transform()
    torso = ground(angles).inverse()
    if frame == FRAME_ROBOT:
        return torso
    found = Transform.fromPosition(place.x, place.y, 0.0, 0.0, 0.0, place.theta) * torso  # type: Transform
    return found


def movable(part):  # type: (str) -> List[str]
    """List the joints that move an effector; both legs move the torso."""
    return joints.CHAINS["Legs"] if part == TORSO else path_to(part)


def _turned(axis, angle):  # type: (Tuple[float, float, float], float) -> Transform
    for known, turn in ((X, Transform.fromRotX), (Y, Transform.fromRotY), (Z, Transform.fromRotZ)):
        if axis == known:
            return turn(angle)
    # The slanted axis of the hip: y turned about x, up or down.
    found = SLANTS[axis[2] > 0] * Transform.fromRotY(angle) * SLANTS[axis[2] <= 0]  # type: Transform
    return found


def _column(given, column):  # type: (Transform, int) -> Position3D
    return Position3D(given.toVector()[column:12:4])
