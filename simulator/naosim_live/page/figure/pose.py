"""Where NAO's torso is in the room: its feet are on the floor, or what it sits or lies on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from almath import Pose2D, Position3D, Transform, quaternionFromTransform
from naosim import kinematics
from naosim.services.motion_base import POSTURE_FAMILIES

#: By how much the torso of a lying robot is pitched; one that sits on a chair is upright.
_PITCHES = {"LyingBelly": math.pi / 2, "LyingBack": -math.pi / 2, "SittingOnChair": 0.0}
_SITTING = ("Sitting", "SittingOnGround")
#: How far a robot that sits leans back or forward at most, and how often that interval is halved.
_LEANS, _HALVINGS = (-1.0, 0.5), 12
#: What may touch the floor, seen from the torso or from the joint that it moves with.
_TRUNK = ((0.0, -0.107), (-0.06, 0.05), (0.056, 0.06), (-0.045, -0.07), (0.045, -0.07))
_FOOT = tuple((x, y, -kinematics.FOOT_Z) for x in (-0.05, 0.105) for y in (-0.04, 0.04))
_LEG = {"AnkleRoll": _FOOT, "KneePitch": ((0.036, 0.0, 0.0),)}
_HEAD = {"HeadPitch": ((-0.06, 0.0, 0.05), (0.058, 0.0, 0.03))}

Points = list[tuple[float, float]]


def torso_pose(angles: Mapping[str, float], posture: str, place: Sequence[float]) -> list[float]:
    """Return the torso's x, y and z in metres, and its turn as a quaternion w, x, y, z.

    >>> from naosim.body import posture_angles
    >>> torso_pose(posture_angles("StandZero"), "StandZero", (1.0, 0.0, 0.0))
    [1.0, 0.0, 0.33309, 1.0, 0.0, 0.0, 0.0]
    """
    family = POSTURE_FAMILIES.get(posture, "")
    if family in _PITCHES or family in _SITTING:
        torso = _resting(family, angles, place)
    else:
        torso = kinematics.torso_transform(kinematics.FRAME_WORLD, angles, Pose2D(*place))
    quaternion = quaternionFromTransform(torso)
    found = (torso.r1_c4, torso.r2_c4, torso.r3_c4, quaternion.w, quaternion.x, quaternion.y, quaternion.z)
    return [round(value, 5) + 0.0 for value in found]


def _resting(family: str, angles: Mapping[str, float], place: Sequence[float]) -> Transform:
    """Return where the torso of a robot is that lies, or sits on what is lowest of it."""
    legs = [
        point
        for side in "LR"
        for point in _points(f"{side}Leg", {side + part: at for part, at in _LEG.items()}, angles)
    ]
    pitch = _PITCHES.get(family)
    if pitch is None:
        pitch = _lean(legs)
    height = -min(_lowest(list(_TRUNK), pitch), _lowest(legs + _points("Head", _HEAD, angles), pitch))
    x, y, theta = place
    standing: Transform = Transform.fromPosition(x, y, height, 0.0, 0.0, theta) * Transform.fromRotY(pitch)
    return standing


def _lean(legs: Points) -> float:
    """Return the pitch at which both the trunk and the legs of a sitting robot touch the floor."""
    low, high = _LEANS
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _lowest(legs, middle) > _lowest(list(_TRUNK), middle):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _points(part: str, contacts: Mapping[str, Sequence[tuple[float, ...]]], angles: Mapping[str, float]) -> Points:
    """Return the contacts on the way to a part as x and z, seen from the torso."""
    found = []
    for joint, frame in kinematics.joint_frames(part, angles):
        seen = [frame * Position3D(*point) for point in contacts.get(joint, ())]
        found += [(point.x, point.z) for point in seen]
    return found


def _lowest(points: Points, pitch: float) -> float:
    """Return the height of the lowest of points when the torso is pitched."""
    sine, cosine = math.sin(pitch), math.cos(pitch)
    return min(z * cosine - x * sine for x, z in points)
