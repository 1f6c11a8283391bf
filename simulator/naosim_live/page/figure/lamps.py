"""The lamps of NAO: where each of them is on the body, and which of the robot's single lights it is made of."""

from __future__ import annotations

import math
from typing import NamedTuple

from naosim.robot_requests import LIGHTS
from naosim.services.devices import LED_GROUPS

Place = tuple[float, float, float]

#: Metres: the rings of the eyes and the ears, and where their middles are, seen from the head's joint.
_EYE_RING, _EAR_RING = 0.0135, 0.0215
EYE_PLACE, EAR_PLACE = (0.0525, 0.0245, 0.062), (-0.004, 0.0665, 0.056)
#: How far the eyes look outwards.
EYE_TURN = math.radians(24)
#: The crown of lamps round the head's touch sensors: half its length and width, on a head of this size.
_CROWN, HEAD_PLACE, HEAD_SIZE = (0.036, 0.023), (0.0, 0.0, 0.055), (0.058, 0.06, 0.06)


class Lamp(NamedTuple):
    """One lamp: the joint it moves with, its place seen from there, its size, and its lights in LIGHTS.

    `lights` are the numbers of red, green and blue; of a lamp that is blue by itself the last alone, the others are -1.
    """

    name: str
    joint: str
    place: Place
    size: float
    lights: tuple[int, int, int]


def lamps() -> list[Lamp]:
    """List every lamp: both eyes, both ears, the brain, the chest button and both feet."""
    found = []
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        found += [_lamp(f"FaceLed{side}{at}", "HeadPitch", _eye(at, sign), 0.0046) for at in range(8)]
        found += [_lamp(f"{side}EarLed{at + 1}", "HeadPitch", _ear(at, sign), 0.0032) for at in range(10)]
    found += [_lamp(f"Brain{at}", "HeadPitch", _crown(at), 0.0035) for at in range(12)]
    found.append(_lamp("ChestLeds", "Torso", (0.0565, 0.0, 0.055), 0.013))
    found += [
        _lamp(f"{side}FootLeds", f"{side[0]}AnkleRoll", (0.052, 0.0, -0.0135), 0.007) for side in ("Left", "Right")
    ]
    return found


def _lamp(name: str, joint: str, place: Place, size: float) -> Lamp:
    numbers = [LIGHTS.index(light) for light in LED_GROUPS[name]]
    red, green, blue = numbers if len(numbers) == 3 else [-1, -1, *numbers]
    return Lamp(name, joint, place, size, (red, green, blue))


def _eye(at: int, sign: float) -> Place:
    """Return where a lamp of an eye is: the first is at the top, and they follow each other towards the outside."""
    turn = at * math.pi / 4
    across, up = _EYE_RING * math.sin(turn), _EYE_RING * math.cos(turn)
    x, y, z = EYE_PLACE
    return x - across * math.sin(EYE_TURN), sign * (y + across * math.cos(EYE_TURN)), z + up


def _ear(at: int, sign: float) -> Place:
    """Return where a lamp of an ear is: the first is in front, and they follow each other upwards."""
    turn = at * math.pi / 5
    x, y, z = EAR_PLACE
    return x + _EAR_RING * math.cos(turn), sign * y, z + _EAR_RING * math.sin(turn)


def _crown(at: int) -> Place:
    """Return where a lamp of the brain is: clockwise seen from above, from the front on."""
    turn = -(at + 0.5) * math.pi / 6
    x, y = _CROWN[0] * math.cos(turn), _CROWN[1] * math.sin(turn)
    return x, y, on_head(x, y)


def on_head(x: float, y: float) -> float:
    """Return how high the head's surface is above a place."""
    inside = 1 - (x / HEAD_SIZE[0]) ** 2 - (y / HEAD_SIZE[1]) ** 2
    return HEAD_PLACE[2] + HEAD_SIZE[2] * math.sqrt(max(inside, 0.0))
