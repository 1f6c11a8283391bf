"""The masses of NAO H25 V5 and their centres, as its maker publishes them: kilograms, metres from each joint."""

from __future__ import absolute_import, division, print_function

from almath import Position3D
from naosim.body import joints, skeleton

MYPY = False
if MYPY:
    from typing import Dict, List, Mapping, Optional, Tuple

_TORSO = (1.04956, (-0.00413, 0.0, 0.04342))
_HEAD = {"HeadYaw": (0.07842, (-0.00001, 0.0, -0.02742)), "HeadPitch": (0.60533, (-0.00112, 0.0, 0.05258))}
#: The left side; y of the right one has the other sign.
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
    found = {skeleton.TORSO: _TORSO}
    found.update(_HEAD)
    for name, (mass, (x, y, z)) in _SIDE.items():
        found.update({"L" + name: (mass, (x, y, z)), "R" + name: (mass, (x, -y, z))})
    return {part: (mass, Position3D(centre)) for part, (mass, centre) in found.items()}


MASSES = _masses()


def parts_of(name):  # type: (str) -> List[str]
    """List the parts with a mass that a joint, a chain, Torso or Body consists of; none for an unknown name.

    >>> parts_of("LHand"), len(parts_of("Body"))
    ([], 25)
    """
    if name == "Body":
        return sorted(MASSES)
    return [part for part in [name] + joints.CHAINS.get(name, []) if part in MASSES]


def mass(name):  # type: (str) -> float
    """Return the mass of a joint, a chain, Torso or Body."""
    return sum(MASSES[part][0] for part in parts_of(name))


def centre(name, angles):  # type: (str, Mapping[str, float]) -> Optional[Position3D]
    """Return the centre of mass of a joint, a chain, Torso or Body, seen from the torso; None where nothing weighs."""
    parts = parts_of(name)
    if not parts:
        return None
    total = Position3D()
    for part in parts:
        weight, inside = MASSES[part]
        total = total + (skeleton.transform(part, angles) * inside) * weight
    return total / mass(name)
