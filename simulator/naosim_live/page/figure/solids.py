"""NAO's body as simple solids: each moves with a joint, and lies where the published lengths put it.

Metres and radians, seen from the joint; x points ahead, y to the left, z up, as in `naosim.kinematics`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .lamps import EAR_PLACE, EYE_PLACE, EYE_TURN, HEAD_PLACE, HEAD_SIZE, Place, on_head

_WHITE, _GREY, _DARK, _ACCENT = "#f2f4f7", "#a9b2bd", "#39414c", "#c8503c"
_QUARTER = math.pi / 2


class Solid(NamedTuple):
    """A ball, or a tube along its z axis: stretched by `size`, turned about x, y and z, and put at its place.

    The joint "Pelvis" is what of the torso does not breathe, `zone` the event of the touch sensor that the solid
    belongs to; the upper end of a tube is `taper` times as wide.
    """

    shape: str
    joint: str
    place: Place
    size: Place
    colour: str = _WHITE
    turn: Place = (0.0, 0.0, 0.0)
    zone: str = ""
    taper: float = 1.0


def solids() -> list[Solid]:
    """List every solid of the body."""
    found = _trunk() + _head()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        found += _arm(side, sign) + _hand(side, sign) + _leg(side) + _foot(side)
    return found


def _trunk() -> list[Solid]:
    return [
        Solid("ball", "Torso", (0.0, 0.0, 0.062), (0.056, 0.076, 0.07)),
        Solid("ball", "Torso", (0.0, 0.0, -0.01), (0.047, 0.06, 0.06)),
        Solid("ball", "Pelvis", (0.0, 0.0, -0.072), (0.046, 0.066, 0.036), _GREY),
        Solid("tube", "Torso", (0.0, 0.0, 0.1), (0.03, 0.03, 0.15), _GREY, (_QUARTER, 0.0, 0.0)),
        Solid("tube", "Torso", (0.0, 0.0, 0.122), (0.026, 0.026, 0.03), _DARK),
        Solid("ball", "Torso", (-0.03, 0.0, 0.05), (0.042, 0.052, 0.062), _GREY),
        Solid(
            "tube",
            "Torso",
            (0.052, 0.0, 0.055),
            (0.018, 0.018, 0.012),
            _ACCENT,
            (0.0, _QUARTER, 0.0),
            "ChestButtonPressed",
        ),
    ]


def _head() -> list[Solid]:
    found = [
        Solid("tube", "HeadYaw", (0.0, 0.0, 0.005), (0.024, 0.024, 0.03), _DARK),
        Solid("ball", "HeadPitch", HEAD_PLACE, HEAD_SIZE),
        Solid("ball", "HeadPitch", (0.022, 0.0, 0.03), (0.036, 0.042, 0.03)),
        Solid("ball", "HeadPitch", (0.0575, 0.0, 0.0836), (0.005, 0.007, 0.007), _DARK),
        Solid("ball", "HeadPitch", (0.0565, 0.0, 0.0177), (0.005, 0.007, 0.007), _DARK),
    ]
    for sign in (1.0, -1.0):
        x, y, z = EYE_PLACE
        found.append(
            Solid(
                "ball",
                "HeadPitch",
                (x - 0.004, sign * (y - 0.002), z),
                (0.007, 0.021, 0.021),
                _DARK,
                (0.0, 0.0, sign * EYE_TURN),
            )
        )
        x, y, z = EAR_PLACE
        found.append(
            Solid("tube", "HeadPitch", (x, sign * (y - 0.007), z), (0.029, 0.029, 0.016), _GREY, (_QUARTER, 0.0, 0.0))
        )
        found.append(
            Solid("tube", "HeadPitch", (x, sign * (y - 0.001), z), (0.012, 0.012, 0.008), _DARK, (_QUARTER, 0.0, 0.0))
        )
    for zone, x in (("FrontTactilTouched", 0.024), ("MiddleTactilTouched", 0.0), ("RearTactilTouched", -0.024)):
        found.append(
            Solid(
                "ball",
                "HeadPitch",
                (x, 0.0, on_head(x, 0.0) - 0.001),
                (0.0105, 0.0155, 0.006),
                _DARK,
                (0.0, math.asin(x / HEAD_SIZE[0]), 0.0),
                zone,
            )
        )
    return found


def _arm(side: str, sign: float) -> list[Solid]:
    along = (0.0, _QUARTER, 0.0)
    return [
        Solid("ball", f"{side}ShoulderPitch", (0.0, 0.0, 0.0), (0.036, 0.03, 0.036)),
        Solid("tube", f"{side}ShoulderRoll", (0.055, sign * 0.008, 0.0), (0.027, 0.027, 0.08), turn=along, taper=0.85),
        Solid("ball", f"{side}ShoulderRoll", (0.02, sign * 0.005, 0.0), (0.03, 0.028, 0.03)),
        Solid("ball", f"{side}ElbowYaw", (0.0, 0.0, 0.0), (0.026, 0.024, 0.024), _GREY),
        Solid("tube", f"{side}ElbowRoll", (0.033, 0.0, 0.0), (0.026, 0.026, 0.052), turn=along, taper=0.8),
        Solid("ball", f"{side}WristYaw", (0.0, 0.0, 0.0), (0.02, 0.02, 0.02), _GREY),
    ]


def _hand(side: str, sign: float) -> list[Solid]:
    name = "Left" if side == "L" else "Right"
    wrist, fingers = f"{side}WristYaw", f"{side}Hand"
    found = [
        Solid("ball", wrist, (0.03, 0.0, -0.004), (0.03, 0.022, 0.02), _WHITE),
        Solid("ball", wrist, (0.028, 0.0, 0.01), (0.018, 0.011, 0.008), _GREY, zone=f"Hand{name}BackTouched"),
        Solid("ball", wrist, (0.03, 0.018, -0.002), (0.018, 0.007, 0.01), _GREY, zone=f"Hand{name}LeftTouched"),
        Solid("ball", wrist, (0.03, -0.018, -0.002), (0.018, 0.007, 0.01), _GREY, zone=f"Hand{name}RightTouched"),
        Solid("tube", wrist, (0.036, -sign * 0.013, -0.022), (0.0065, 0.0065, 0.026), _DARK, (0.0, 0.5, 0.0)),
    ]
    found += [
        Solid("tube", fingers, (0.014, across, 0.0), (0.0065, 0.0065, 0.03), _DARK, (0.0, _QUARTER, 0.0))
        for across in (-0.011, 0.011)
    ]
    found += [
        Solid("ball", fingers, (0.03, across, 0.0), (0.0075, 0.0075, 0.0075), _DARK) for across in (-0.011, 0.011)
    ]
    return found


def _leg(side: str) -> list[Solid]:
    return [
        Solid("ball", f"{side}HipRoll", (0.0, 0.0, 0.0), (0.036, 0.034, 0.036), _GREY),
        Solid("tube", f"{side}HipPitch", (0.0, 0.0, -0.052), (0.036, 0.036, 0.08), _WHITE, taper=1.15),
        Solid("ball", f"{side}HipPitch", (0.003, 0.0, -0.02), (0.042, 0.04, 0.042)),
        Solid("ball", f"{side}KneePitch", (0.0, 0.0, 0.0), (0.036, 0.033, 0.036), _GREY),
        Solid("tube", f"{side}KneePitch", (0.0, 0.0, -0.055), (0.032, 0.032, 0.08), _WHITE, taper=1.1),
        Solid("ball", f"{side}AnklePitch", (0.0, 0.0, 0.0), (0.028, 0.026, 0.028), _GREY),
    ]


def _foot(side: str) -> list[Solid]:
    ankle, name = f"{side}AnkleRoll", "Left" if side == "L" else "Right"
    return [
        Solid("tube", ankle, (0.027, 0.0, -0.0365), (0.077, 0.043, 0.0175), _WHITE, taper=0.9),
        Solid("ball", ankle, (0.02, 0.0, -0.026), (0.06, 0.036, 0.02), _WHITE),
        Solid("tube", ankle, (0.082, 0.0, -0.036), (0.026, 0.037, 0.011), _DARK, zone=f"{name}BumperPressed"),
    ]
