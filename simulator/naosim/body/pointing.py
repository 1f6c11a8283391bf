"""Turning the head towards a place, and pointing at one with an arm."""

from __future__ import absolute_import, division, print_function

import math

from almath import Position3D
from naosim.body import joints, skeleton

MYPY = False
if MYPY:
    from typing import Dict, Mapping

#: How often the head's turn is corrected: the camera moves with it.
ROUNDS = 8


def looking_at(place, angles):  # type: (Position3D, Mapping[str, float]) -> Dict[str, float]
    """Return the angles of the head with which the upper camera looks at a place seen from the torso, or nearly."""
    found = dict(angles, HeadYaw=0.0, HeadPitch=0.0)
    for _ in range(ROUNDS):
        # Where the place is, seen from the camera.
        there = skeleton.transform("CameraTop", found).inverse() * place
        found["HeadYaw"] = joints.clamped("HeadYaw", found["HeadYaw"] + math.atan2(there.y, there.x))
        down = math.atan2(-there.z, math.hypot(there.x, there.y))
        found["HeadPitch"] = joints.clamped("HeadPitch", found["HeadPitch"] + down)
    return {joint: found[joint] for joint in joints.HEAD}


def pointing_at(arm, place):  # type: (str, Position3D) -> Dict[str, float]
    """Return the angles of a straight arm that points at a place seen from the torso, or nearest to it."""
    side, sign = arm[0], 1.0 if arm == "LArm" else -1.0
    way = place - Position3D(0.0, sign * skeleton.SHOULDER_Y, skeleton.SHOULDER_Z)
    pitch, roll = math.atan2(-way.z, way.x), math.atan2(way.y, math.hypot(way.x, way.z))
    wanted = {"ShoulderPitch": pitch, "ShoulderRoll": roll, "ElbowYaw": 0.0, "ElbowRoll": 0.0, "WristYaw": 0.0}
    return {side + joint: joints.clamped(side + joint, angle) for joint, angle in wanted.items()}
