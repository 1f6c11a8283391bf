"""What the feet carry: the weight of a robot at rest, shared out by where its centre of mass lies over them."""

from __future__ import absolute_import, division, print_function

from almath import Position3D
from naosim.body import masses, skeleton

MYPY = False
if MYPY:
    from typing import Dict, Mapping, Tuple

#: The sensors of the left foot as its maker publishes them, metres from the ankle; y of the right ones is mirrored.
_LEFT = {
    "FrontLeft": (0.07025, 0.0299),
    "FrontRight": (0.07025, -0.0231),
    "RearLeft": (-0.03025, 0.0299),
    "RearRight": (-0.02965, -0.0191),
}
_MIRRORED = {"Left": "Right", "Right": "Left"}
#: Where the sensors lie in front of and behind the ankle, and how far inside of them a robot still stands.
FRONT, REAR, MARGIN = 0.07025, -0.03, 0.005


def _sensors():  # type: () -> Dict[str, Tuple[float, float]]
    found = {}
    for corner, (x, y) in _LEFT.items():
        end = "Front" if corner.startswith("Front") else "Rear"
        found["LFoot/FSR/" + corner] = x, y
        found["RFoot/FSR/%s%s" % (end, _MIRRORED[corner[len(end) :]])] = x, -y
    return found


SENSORS = _sensors()


def weights(angles):  # type: (Mapping[str, float]) -> Dict[str, float]
    """Return the kilograms on each sensor of SENSORS and on each foot, LFoot and RFoot.

    A robot whose centre of mass is not over its feet sits or lies, and they carry nothing.

    >>> from naosim.body.postures import angles_of
    >>> found = weights(angles_of("StandZero"))
    >>> print("%.2f %.2f" % (found["LFoot"], found["RFoot"]))
    2.65 2.65
    """
    floor = skeleton.ground(angles).inverse()
    centre = masses.centre("Body", angles)
    over, total = floor * (centre or Position3D()), masses.mass("Body")
    feet = {foot: floor * skeleton.transform(leg, angles) for foot, leg in (("LFoot", "LLeg"), ("RFoot", "RLeg"))}
    places = [foot.r1_c4 for foot in feet.values()]
    if not min(places) + REAR + MARGIN < over.x < max(places) + FRONT - MARGIN:
        return dict.fromkeys(list(SENSORS) + ["LFoot", "RFoot"], 0.0)
    left = _share(over.y, feet["RFoot"].r2_c4, feet["LFoot"].r2_c4)
    found = {"LFoot": left * total, "RFoot": (1.0 - left) * total}
    for name in SENSORS:
        foot, _, corner = name.split("/")
        front = _share(over.x, feet[foot].r1_c4 + REAR, feet[foot].r1_c4 + FRONT)
        found[name] = found[foot] / 2 * (front if corner.startswith("Front") else 1.0 - front)
    return found


def pressure(angles, foot, axis):  # type: (Mapping[str, float], str, int) -> float
    """Return where a foot is pressed on, in metres from its ankle along x (axis 0) or y (1); 0.0 if it is not."""
    found = weights(angles)
    if not found[foot]:
        return 0.0
    return sum(place[axis] * found[name] for name, place in SENSORS.items() if name.startswith(foot)) / found[foot]


def _share(value, low, high):  # type: (float, float, float) -> float
    """Return how far a value lies from low to high, 0 to 1."""
    return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5
