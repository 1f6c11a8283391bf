"""A few gestures of our own, for the animations that behaviours ask for most; the robot's own files are not free.

Each takes the arms and the head some way and back to where they were. Other animations move nothing.
"""

from __future__ import absolute_import, division, print_function

import math
import re

from naosim.body import joints
from naosim.body.curves import Smooth

MYPY = False
if MYPY:
    from typing import Dict, List, Tuple

    from naosim.body.body import Body

    Way = Dict[str, List[Tuple[float, float]]]

# 57 degrees are one, which is open.
_OPEN = {"LHand": [(0.3, 57.0), (0.7, 57.0)], "RHand": [(0.3, 57.0), (0.7, 57.0)]}
_WAVE = {
    "RShoulderPitch": [(0.25, -50.0), (0.75, -50.0)],
    "RShoulderRoll": [(0.25, -25.0), (0.75, -25.0)],
    "RElbowYaw": [(0.25, 20.0), (0.75, 20.0)],
    "RElbowRoll": [(0.25, 70.0), (0.37, 30.0), (0.5, 70.0), (0.62, 30.0), (0.75, 70.0)],
    "RHand": [(0.25, 57.0), (0.75, 57.0)],
}
_NOD = {"HeadPitch": [(0.2, 20.0), (0.4, -15.0), (0.6, 20.0), (0.8, -10.0)]}
_SHAKE = {"HeadYaw": [(0.2, 30.0), (0.45, -30.0), (0.7, 25.0), (0.85, -10.0)]}
_BOTH_UP = dict(
    _OPEN,
    LShoulderPitch=[(0.4, 20.0), (0.7, 20.0)],
    RShoulderPitch=[(0.4, 20.0), (0.7, 20.0)],
    LShoulderRoll=[(0.4, 35.0), (0.7, 35.0)],
    RShoulderRoll=[(0.4, -35.0), (0.7, -35.0)],
    LElbowRoll=[(0.4, -50.0), (0.7, -50.0)],
    RElbowRoll=[(0.4, 50.0), (0.7, 50.0)],
)
_CHEER = dict(
    _OPEN,
    LShoulderPitch=[(0.3, -60.0), (0.5, -30.0), (0.7, -60.0)],
    RShoulderPitch=[(0.3, -60.0), (0.5, -30.0), (0.7, -60.0)],
    HeadPitch=[(0.3, -20.0), (0.7, -20.0)],
)
_TALK = {
    "LShoulderPitch": [(0.35, 50.0), (0.7, 65.0)],
    "LElbowRoll": [(0.35, -70.0), (0.7, -50.0)],
    "RShoulderPitch": [(0.45, 55.0), (0.75, 65.0)],
    "RElbowRoll": [(0.45, 65.0), (0.75, 50.0)],
    "HeadYaw": [(0.35, 8.0), (0.7, -8.0)],
}
_SHRUG = dict(_BOTH_UP, HeadPitch=[(0.4, 10.0), (0.7, 10.0)], HeadYaw=[(0.4, 15.0), (0.7, 15.0)])
_THINK = {
    "HeadYaw": [(0.3, 20.0), (0.7, 20.0)],
    "HeadPitch": [(0.3, -15.0), (0.7, -15.0)],
    "RShoulderPitch": [(0.35, 40.0), (0.75, 40.0)],
    "RElbowRoll": [(0.35, 85.0), (0.75, 85.0)],
    "RElbowYaw": [(0.35, 60.0), (0.75, 60.0)],
}
_SELF = {
    "RShoulderPitch": [(0.4, 60.0), (0.7, 60.0)],
    "RElbowRoll": [(0.4, 85.0), (0.7, 85.0)],
    "RElbowYaw": [(0.4, 20.0), (0.7, 20.0)],
}
_POINT = {
    "RShoulderPitch": [(0.35, 25.0), (0.7, 25.0)],
    "RShoulderRoll": [(0.35, -5.0), (0.7, -5.0)],
    "RElbowRoll": [(0.35, 15.0), (0.7, 15.0)],
    "RHand": [(0.35, 57.0), (0.7, 57.0)],
}
_BOW = {
    "HeadPitch": [(0.4, 25.0), (0.65, 25.0)],
    "RShoulderPitch": [(0.4, 70.0), (0.65, 70.0)],
    "RElbowRoll": [(0.4, 80.0), (0.65, 80.0)],
}
_SINK = {"HeadPitch": [(0.4, 25.0), (0.8, 25.0)], "HeadYaw": [(0.4, 10.0), (0.8, -10.0)]}

#: What the names of animations begin with, and the gesture for them.
GESTURES = {
    "Hey": _WAVE,
    "Hello": _WAVE,
    "Salute": _WAVE,
    "Yes": _NOD,
    "No": _SHAKE,
    "Reject": _SHAKE,
    "Explain": _BOTH_UP,
    "YouKnowWhat": _BOTH_UP,
    "Everything": _BOTH_UP,
    "Give": _BOTH_UP,
    "IDontKnow": _SHRUG,
    "Confused": _SHRUG,
    "Puzzled": _SHRUG,
    "Happy": _CHEER,
    "Enthusiastic": _CHEER,
    "Excited": _CHEER,
    "Joy": _CHEER,
    "Winner": _CHEER,
    "Proud": _CHEER,
    "Applause": _CHEER,
    "BodyTalk": _TALK,
    "HeSays": _TALK,
    "CalmDown": _BOTH_UP,
    "Thinking": _THINK,
    "Think": _THINK,
    "ScratchHead": _THINK,
    "Remember": _THINK,
    "Me": _SELF,
    "Please": _SELF,
    "You": _POINT,
    "This": _POINT,
    "WhatSThis": _POINT,
    "Far": _POINT,
    "Look": _POINT,
    "BowShort": _BOW,
    "Sad": _SINK,
    "Disappointed": _SINK,
    "Frustrated": _SINK,
    "Sorry": _SINK,
}  # type: Dict[str, Way]


def gesture(animation):  # type: (str) -> Way
    """Return the gesture for an animation; an empty one where there is none.

    >>> sorted(gesture("animations/Stand/Gestures/Yes_3"))
    ['HeadPitch']
    """
    return GESTURES.get(re.sub(r"_\d+$", "", animation.split("/")[-1]), {})


def perform(body, animation, seconds):  # type: (Body, str, float) -> List[str]
    """Let the joints follow the gesture for an animation and come back; return the joints, none without a gesture."""
    way = gesture(animation)
    for joint, keys in sorted(way.items()):
        start = body.target(joint)
        times = [part * seconds for part, _ in keys] + [seconds]
        angles = [joints.clamped(joint, math.radians(degrees)) for _, degrees in keys] + [start]
        body.move(joint, Smooth(body.angle(joint), times, angles))
    return sorted(way)
