"""The angles of the postures, in degrees, rounded; the right side mirrors the left one."""

from __future__ import absolute_import, division, print_function

import math

from naosim.body import joints

MYPY = False
if MYPY:
    from typing import Dict, Tuple

#: HeadPitch; the left ShoulderPitch, ShoulderRoll, ElbowYaw, ElbowRoll, WristYaw; the left HipYawPitch, HipRoll,
#: HipPitch, KneePitch, AnklePitch, AnkleRoll.
_DEGREES = {
    "Stand": (-10, (82, 11, -69, -24, 6), (-10, 7, 7, -5, 5, -7)),
    "StandInit": (0, (80, 10, -70, -60, 0), (0, 0, -25, 40, -20, 0)),
    "StandZero": (0, (0, 0, 0, -2, 0), (0, 0, 0, 0, 0, 0)),
    "Crouch": (2, (82, 12, -43, -68, 5), (-12, 4, -40, 121, -67, -4)),
    "Sit": (-10, (45, 16, -42, -70, 9), (-35, 19, -88, 79, 5, 3)),
    "SitRelax": (5, (118, 10, -92, -3, 54), (-36, 7, -46, 75, 41, 0)),
    "SitOnChair": (-10, (48, 10, -45, -70, 0), (-20, 10, -80, 85, 0, 0)),
    "LyingBelly": (-38, (-71, 33, 34, -60, 29), (-24, 1, 1, -5, 46, -1)),
    "LyingBack": (-3, (117, 25, -33, -40, 4), (-12, 9, 16, -5, 47, -6)),
}  # type: Dict[str, Tuple[float, Tuple[float, ...], Tuple[float, ...]]]
HANDS = 0.3
#: Joints whose sign is the same on both sides.
_ALIKE = ("Pitch", "Hand")


def angles_of(posture):  # type: (str) -> Dict[str, float]
    """Return the angle of every joint in a posture, that of Stand for an unknown one, in a new dict.

    >>> angles = angles_of("StandInit")
    >>> print("%.3f %.3f %.3f" % (angles["LShoulderRoll"], angles["RShoulderRoll"], angles["RKneePitch"]))
    0.175 -0.175 0.698
    """
    return dict(_ANGLES.get(posture, _ANGLES["Stand"]))


def _angles(pitch, arm, leg):  # type: (float, Tuple[float, ...], Tuple[float, ...]) -> Dict[str, float]
    degrees = dict(zip(joints.LEFT_ARM + joints.LEFT_LEG, arm + (0,) + leg), HeadYaw=0.0, HeadPitch=pitch)
    for joint in joints.LEFT_ARM + joints.LEFT_LEG:
        degrees["R" + joint[1:]] = degrees[joint] if joint.endswith(_ALIKE) else -degrees[joint]
    radians = {joint: joints.clamped(joint, math.radians(degrees[joint])) for joint in joints.BODY}
    return dict(radians, LHand=HANDS, RHand=HANDS)


_ANGLES = {posture: _angles(*degrees) for posture, degrees in _DEGREES.items()}
