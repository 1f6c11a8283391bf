"""NAO as a flat drawing, seen from the front: for browsers without WebGL, and for those who like it plain."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from almath import Position3D, Quaternion, Transform, transformFromQuaternion
from naosim import kinematics

from .lamps import EAR_PLACE, HEAD_PLACE, Lamp, lamps
from .pose import torso_pose

#: Units of the drawing for a metre, its width and height, and how steeply one looks down at the robot.
SCALE, WIDTH, HEIGHT, _DOWN = 500.0, 330, 330, 0.3
FLOOR = 300.0
#: What a line of a limb leads from and to: joints, each with a place seen from it.
_LIMBS = {
    "Thigh": (("HipPitch", (0.0, 0.0, 0.0)), ("KneePitch", (0.0, 0.0, 0.0))),
    "Shin": (("KneePitch", (0.0, 0.0, 0.0)), ("AnklePitch", (0.0, 0.0, 0.0))),
    "Foot": (("AnkleRoll", (-0.01, 0.0, -0.03)), ("AnkleRoll", (0.085, 0.0, -0.034))),
    "UpperArm": (("ShoulderRoll", (0.0, 0.0, 0.0)), ("ElbowYaw", (0.0, 0.0, 0.0))),
    "LowerArm": (("ElbowRoll", (0.0, 0.0, 0.0)), ("WristYaw", (0.0, 0.0, 0.0))),
    "Hand": (("WristYaw", (0.01, 0.0, -0.004)), ("WristYaw", (0.05, 0.0, -0.004))),
}
#: The places of zones and lamps on the limbs and the trunk, by name.
_MARKS = {
    "HandBack": ("WristYaw", (0.012, 0.0, 0.016)),
    "HandLeft": ("WristYaw", (0.038, 0.024, 0.0)),
    "HandRight": ("WristYaw", (0.038, -0.024, 0.0)),
    "Bumper": ("AnkleRoll", (0.11, 0.0, -0.034)),
    "FootLeds": ("AnkleRoll", (0.052, 0.0, -0.014)),
}
_TRUNK = (
    ("LShoulder", (0.0, 0.075, 0.12)),
    ("LHip", (0.0, 0.058, -0.085)),
    ("RHip", (0.0, -0.058, -0.085)),
    ("RShoulder", (0.0, -0.075, 0.12)),
)
_CHEST = (0.0565, 0.0, 0.055)
#: How far the face goes sideways and up or down on the head, in units a radian, and half the head's width and height.
_YAW, _PITCH, HEAD = 22.0, 16.0, (30.0, 30.0)
#: Where the middle of the head's top is.
CROWN_UP = -26.0

Point = tuple[float, float]


def flat_pose(angles: Mapping[str, float], posture: str) -> dict[str, Any]:
    """Return where all parts are: lines and marks by name, the trunk's outline, and the head with its turn."""
    _, _, height, *quaternion = torso_pose(angles, posture, (0.0, 0.0, 0.0))
    room = transformFromQuaternion(Quaternion(*quaternion))
    room.r3_c4 = height
    frames = {
        joint: room * frame
        for part in ("Head", "LArm", "RArm", "LLeg", "RLeg")
        for joint, frame in kinematics.joint_frames(part, angles)
    }
    lines = {
        side + limb: [*_seen(frames[side + start], place), *_seen(frames[side + end], target)]
        for side in "LR"
        for limb, ((start, place), (end, target)) in _LIMBS.items()
    }
    marks = {
        side + mark: _seen(frames[side + joint], place) for side in "LR" for mark, (joint, place) in _MARKS.items()
    }
    marks["Chest"] = _seen(room, _CHEST)
    trunk = [each for _, place in _TRUNK for each in _seen(room, place)]
    yaw, pitch = angles["HeadYaw"], angles["HeadPitch"]
    x, y = _seen(frames["HeadPitch"], HEAD_PLACE)
    return {
        "lines": lines,
        "marks": marks,
        "trunk": trunk,
        "head": [x, y, round(_YAW * math.sin(yaw), 2), round(_PITCH * math.sin(pitch), 2)],
    }


def lamp_places() -> Iterator[tuple[Lamp, Point | None]]:
    """Give each lamp with its place on the head, from the head's middle; None for those elsewhere."""
    for lamp in lamps():
        x, y, z = lamp.place
        if lamp.joint != "HeadPitch":
            yield lamp, None
        elif lamp.name.startswith("Brain"):
            yield lamp, (y * SCALE * 1.4, CROWN_UP + x * SCALE * 0.62)
        elif "Ear" in lamp.name:
            outwards = math.copysign(1.0, y) * (x - EAR_PLACE[0]) * 0.45
            yield lamp, ((y + outwards) * SCALE, -(z - HEAD_PLACE[2]) * SCALE)
        else:
            yield lamp, (y * SCALE, -(z - HEAD_PLACE[2]) * SCALE)


def _seen(frame: Transform, place: Sequence[float]) -> list[float]:
    """Return where a place is in the drawing: the robot's left is to the right, what is nearer lies lower."""
    point = frame * Position3D(*place)
    across = WIDTH / 2 + SCALE * point.y
    down = FLOOR - SCALE * (point.z * math.cos(_DOWN) - point.x * math.sin(_DOWN))
    return [round(across, 1), round(down, 1)]
