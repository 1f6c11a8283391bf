"""NAO's figure for a page: solids that move with the joints, lamps, touch zones, and where the torso is in the room.

Metres and radians, seen from the joint; x points ahead, y to the left, z up, as in `naosim.kinematics`.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from almath import Pose2D, Position3D, Transform, quaternionFromTransform
from naosim import kinematics
from naosim.kinematics import JOINT_LINKS
from naosim.robot_requests import JOINTS, LIGHTS
from naosim.services.devices import LED_GROUPS
from naosim.services.memory import TOUCH_SENSOR_EVENTS
from naosim.services.motion_base import POSTURE_FAMILIES

# The lamps.

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

    `lights` are the numbers of red, green and blue; a lamp of only one colour has -1 for red and green.
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


# The solids.

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


# The place of the torso.

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


# The touch zones.

#: The sensors by their events, in the order of the keyboard, with the names that a page shows.
ZONES = {
    "FrontTactilTouched": "Head, front",
    "MiddleTactilTouched": "Head, middle",
    "RearTactilTouched": "Head, back",
    "ChestButtonPressed": "Chest button",
    "HandLeftBackTouched": "Left hand, back",
    "HandLeftLeftTouched": "Left hand, left side",
    "HandLeftRightTouched": "Left hand, right side",
    "HandRightBackTouched": "Right hand, back",
    "HandRightLeftTouched": "Right hand, left side",
    "HandRightRightTouched": "Right hand, right side",
    "LeftBumperPressed": "Left foot, front",
    "RightBumperPressed": "Right foot, front",
}
assert set(ZONES) == set(TOUCH_SENSOR_EVENTS)


# What a page is told.

#: Where the fingers turn, seen from the wrist, and how far they are turned when the hand is closed and opens.
_KNUCKLES, _CLOSED, _OPENING = (0.048, 0.0, 0.002), 1.3, -1.3
#: Digits of an angle in radians.
_ANGLE_DIGITS = 5


def describe_figure() -> dict[str, Any]:
    """Return what a page needs to draw the robot: joints from the torso outwards, solids, lamps and touch zones."""
    joints = [
        {
            "name": joint,
            "parent": "Pelvis" if joint.endswith("HipYawPitch") else parent,
            "place": place,
            "axis": axis,
            "base": 0.0,
            "gain": 1.0,
        }
        for joint, (parent, place, axis) in JOINT_LINKS.items()
    ]
    joints += [
        {
            "name": f"{side}Hand",
            "parent": f"{side}WristYaw",
            "place": _KNUCKLES,
            "axis": (0.0, 1.0, 0.0),
            "base": _CLOSED,
            "gain": _OPENING,
        }
        for side in "LR"
    ]
    return {
        "joints": joints,
        "order": list(JOINTS),
        "solids": [solid._asdict() for solid in solids()],
        "lamps": [{**lamp._asdict(), "isEye": lamp.name.startswith("Face")} for lamp in lamps()],
        "zones": ZONES,
    }


def describe_frame(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page draws of one look at the robot (see `look` in naosim.robot_requests)."""
    angles = dict(zip(JOINTS, seen["angles"], strict=True))
    drawn = {
        name: seen[name]
        for name in ("lights", "touched", "posture", "is_awake", "is_speaking", "is_blinking", "breath")
    }
    return {
        **drawn,
        "angles": [round(angle, _ANGLE_DIGITS) for angle in seen["angles"]],
        "torso": torso_pose(angles, seen["posture"], seen["place"]),
    }


def frame_changes(frame: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a frame is different from an earlier one; everything if that is empty."""
    return {name: value for name, value in frame.items() if before.get(name) != value}
