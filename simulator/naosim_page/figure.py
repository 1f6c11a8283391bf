"""NAO's and Pepper's figures for a page: solids that move with the joints, lamps, touch zones, the torso's place.

Metres and radians, seen from the joint; x points ahead, y to the left, z up, as in `naosim.models`.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from almath import Pose2D, Position3D, Transform, position6DFromTransform, quaternionFromTransform
from naosim.body import LED_GROUPS
from naosim.models import FRAME_WORLD, MODELS, NAO
from naosim.robot_requests import LIGHTS
from naosim.services.motion_base import POSTURE_FAMILIES

# The lamps.

Place = tuple[float, float, float]

_UP = (0.0, 0.0, 1.0)

#: The angle by which the eyes look outwards.
_EYE_TURN = math.radians(24)
#: The distance of the lights of an eye in front of its middle.
_EYE_DEPTH = 0.0065
#: The crown of lamps round the head's touch sensors: half its length and width, on a head of this size.
_CROWN = (0.036, 0.023)


class _Head(NamedTuple):
    """A head in metres, seen from its joint: a shell, the rings of its eyes and ears, and their lamps' sizes."""

    place: Place
    size: Place
    eye: Place
    eye_ring: float
    eye_lamp: float
    ear: Place
    ear_ring: float
    ear_lamp: float


_NAO_HEAD = _Head(
    place=(0.0, 0.0, 0.058),
    size=(0.057, 0.063, 0.058),
    eye=(0.0515, 0.0255, 0.061),
    eye_ring=0.0135,
    eye_lamp=0.0112,
    ear=(-0.004, 0.0725, 0.056),
    ear_ring=0.0195,
    ear_lamp=0.008,
)
_PEPPER_HEAD = _Head(
    place=(0.015, 0.0, 0.118),
    size=(0.086, 0.084, 0.096),
    eye=(0.0965, 0.038, 0.112),
    eye_ring=0.0189,
    eye_lamp=0.0157,
    ear=(0.005, 0.0965, 0.11),
    ear_ring=0.026,
    ear_lamp=0.0105,
)


class Lamp(NamedTuple):
    """One lamp: the joint it moves with, its place seen from there, the radius of its light, its lights in LIGHTS.

    `lights` are the numbers of red, green and blue; a lamp of only one colour has -1 for red and green. The light is
    seen from where `ahead` points.
    """

    name: str
    joint: str
    place: Place
    size: float
    lights: tuple[int, int, int]
    ahead: Place


def lamps(robot_type: str = "Nao") -> list[Lamp]:
    """List every lamp: both eyes, both ears, and NAO's brain, chest button and feet or Pepper's shoulders."""
    if robot_type == "Juliette":
        shoulders = ((side, sign * 0.085) for side, sign in (("Left", 1.0), ("Right", -1.0)))
        chest = [
            Lamp(f"ChestLeds{side}", "Torso", (0.034, y, 0.13), 0.026, _lights("ChestLeds"), _UP)
            for side, y in shoulders
        ]
        return _face_lamps(_PEPPER_HEAD) + chest
    found = _face_lamps(_NAO_HEAD)
    found += [_lamp(f"Brain{at}", "HeadPitch", _crown(at), 0.008, _UP) for at in range(12)]
    found.append(_lamp("ChestLeds", "Torso", (0.0625, 0.0, 0.055), 0.024, (1.0, 0.0, 0.0)))
    found += [
        _lamp(f"{side}FootLeds", f"{side[0]}AnkleRoll", (0.05, 0.0, -0.004), 0.016, _UP) for side in ("Left", "Right")
    ]
    return found


def _face_lamps(head: _Head) -> list[Lamp]:
    found = []
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        seen, aside = (math.cos(_EYE_TURN), sign * math.sin(_EYE_TURN), 0.0), (0.0, sign, 0.0)
        found += [
            _lamp(f"FaceLed{side}{at}", "HeadPitch", _eye(head, at, sign), head.eye_lamp, seen) for at in range(8)
        ]
        found += [
            _lamp(f"{side}EarLed{at + 1}", "HeadPitch", _ear(head, at, sign), head.ear_lamp, aside) for at in range(10)
        ]
    return found


def _lamp(name: str, joint: str, place: Place, size: float, ahead: Place) -> Lamp:
    return Lamp(name, joint, place, size, _lights(name), ahead)


def _lights(name: str) -> tuple[int, int, int]:
    numbers = [LIGHTS.index(light) for light in LED_GROUPS[name]]
    red, green, blue = numbers if len(numbers) == 3 else [-1, -1, *numbers]
    return red, green, blue


def _eye(head: _Head, at: int, sign: float) -> Place:
    """Return where a lamp of an eye is: the first is at the top, and they follow each other towards the inside."""
    turn = -at * math.pi / 4
    across, up = head.eye_ring * math.sin(turn), head.eye_ring * math.cos(turn)
    x, y, z = head.eye
    x, y = x + _EYE_DEPTH * math.cos(_EYE_TURN), y + _EYE_DEPTH * math.sin(_EYE_TURN)
    return x - across * math.sin(_EYE_TURN), sign * (y + across * math.cos(_EYE_TURN)), z + up


def _ear(head: _Head, at: int, sign: float) -> Place:
    """Return where a lamp of an ear is: the first is in front, and they follow each other upwards."""
    turn = at * math.pi / 5
    x, y, z = head.ear
    return x + head.ear_ring * math.cos(turn), sign * y, z + head.ear_ring * math.sin(turn)


def _crown(at: int) -> Place:
    """Return the place of a lamp of the brain: clockwise seen from above, beginning at the front."""
    turn = -(at + 0.5) * math.pi / 6
    x, y = _CROWN[0] * math.cos(turn), _CROWN[1] * math.sin(turn)
    return x, y, _find_head_height(_NAO_HEAD, x, y) + 0.002


def _find_head_height(head: _Head, x: float, y: float) -> float:
    """Return the height of the head's surface above a place."""
    radius = math.hypot((x - head.place[0]) / head.size[0], y / head.size[1])
    return head.place[2] + head.size[2] * math.pow(max(1 - radius**_SQUARENESS, 0.0), 1 / _SQUARENESS)


def _find_face_depth(head: _Head, y: float, up: float) -> float:
    """Return the distance of the head's surface ahead of its middle, `y` to the side and `up` above it."""
    radius = (1 - abs(up / head.size[2]) ** _SQUARENESS) ** (1 / _SQUARENESS)
    return head.place[0] + head.size[0] * math.sqrt(radius**2 - (y / head.size[1]) ** 2)


# The solids.

_WHITE, _GREY, _DARK, _ACCENT = "#f6f8fb", "#9aa5b3", "#39414c", "#e2593f"
_SILVER, _GLASS = "#c3cbd6", "#10151f"
_QUARTER = math.pi / 2
#: A shell is a ball that is a little square: the exponent of its outline.
_SQUARENESS = 2.6


def _outline(exponent: float, points: int) -> list[tuple[float, float]]:
    """Return the outline of a ball or a shell from the lowest point to the highest."""
    turns = [math.pi * at / (points - 1) - _QUARTER for at in range(points)]
    return [
        (max(math.cos(turn), 0.0) ** (2 / exponent), math.copysign(abs(math.sin(turn)) ** (2 / exponent), turn))
        for turn in turns
    ]


#: The outlines of the shapes that are round: radius and height, upwards. The ends of a tube are rounded.
OUTLINES = {
    "ball": _outline(2.0, 11),
    "shell": _outline(_SQUARENESS, 15),
    "tube": [(0.0, -0.5), (0.84, -0.5), (0.96, -0.46), (1.0, -0.4), (1.0, 0.4), (0.96, 0.46), (0.84, 0.5), (0.0, 0.5)],
}


class Solid(NamedTuple):
    """A ball, shell, box, or tube along its z axis: stretched by `size`, turned about x, y and z, put at its place.

    The joint "Pelvis" is the part of the torso that does not breathe, `zone` the event of the touch sensor that the
    solid belongs to; the upper end of a round shape is `taper` times as wide.
    """

    shape: str
    joint: str
    place: Place
    size: Place
    colour: str = _WHITE
    turn: Place = (0.0, 0.0, 0.0)
    zone: str = ""
    taper: float = 1.0


def solids(robot_type: str = "Nao") -> list[Solid]:
    """List every solid of the body."""
    if robot_type == "Juliette":
        return _pepper()
    found = _trunk() + _head()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        found += _arm(side, sign) + _hand(side, sign) + _leg(side) + _foot(side)
    return found


def _trunk() -> list[Solid]:
    ahead = (0.0, _QUARTER, 0.0)
    return [
        Solid("shell", "Torso", (0.0, 0.0, 0.06), (0.05, 0.063, 0.066), taper=1.2),
        Solid("ball", "Torso", (0.0, 0.0, -0.02), (0.043, 0.053, 0.056), _SILVER),
        Solid("shell", "Pelvis", (0.0, 0.0, -0.074), (0.046, 0.066, 0.034), _GREY),
        Solid("tube", "Torso", (0.0, 0.0, 0.1), (0.028, 0.028, 0.15), _GREY, (_QUARTER, 0.0, 0.0)),
        Solid("tube", "Torso", (0.0, 0.0, 0.126), (0.028, 0.028, 0.03), _DARK),
        Solid("shell", "Torso", (-0.03, 0.0, 0.05), (0.042, 0.05, 0.06), _SILVER),
        Solid("tube", "Torso", (0.052, 0.0, 0.055), (0.0195, 0.0195, 0.014), _ACCENT, ahead, "ChestButtonPressed"),
        Solid("tube", "Torso", (0.055, 0.0, 0.055), (0.0145, 0.0145, 0.0135), _GLASS, ahead, "ChestButtonPressed"),
    ]


def _head() -> list[Solid]:
    found = [
        Solid("tube", "HeadYaw", (0.0, 0.0, 0.002), (0.024, 0.024, 0.036), _DARK),
        Solid("ball", "HeadPitch", (0.0565, 0.0, 0.0836), (0.004, 0.0045, 0.0045), _DARK),
    ]
    return found + _face(_NAO_HEAD, (0.024, 0.0, -0.024), 1.0)


def _face(head: _Head, sensors: Sequence[float], scale: float) -> list[Solid]:
    """Return the skull, the eyes, the ears, a smile, and the touch sensors at these distances ahead of the joint."""
    found = [Solid("shell", "HeadPitch", head.place, head.size)]
    rim, pupil = head.eye_ring + 0.009 * scale, head.eye_ring - 0.0035 * scale
    for sign in (1.0, -1.0):
        x, y, z = head.eye
        cosine, sine = math.cos(_EYE_TURN), sign * math.sin(_EYE_TURN)
        # The rim, the glass, the pupil and its gleam: each is farther in front. Both gleams are on the same side.
        for depth, beside, thickness, radius, colour in (
            (-0.004, 0.0, 0.007, rim, _GREY),
            (-0.001, 0.0, 0.0066, rim - 0.0022 * scale, _GLASS),
            (0.0072, 0.0, 0.0038, pupil, _GLASS),
            (0.0103, 0.0036 * scale, 0.002, 0.0034 * scale, "#ffffff"),
        ):
            place = (x + depth * cosine - beside * sine, sign * y + depth * sine + beside * cosine, z + beside)
            size = (radius, radius, thickness)
            found.append(Solid("ball", "HeadPitch", place, size, colour, (0.0, _QUARTER, sign * _EYE_TURN)))
        x, y, z = head.ear
        for inward, radius, length, colour in ((0.0145, 0.031, 0.024, _ACCENT), (0.0085, 0.0255, 0.0165, _DARK)):
            size = (radius * scale, radius * scale, length)
            ear = (x, sign * (y - inward), z)
            found.append(Solid("tube", "HeadPitch", ear, size, colour, (_QUARTER, 0.0, 0.0)))
    for at in range(-4, 5):
        across, up = 0.0032 * scale * at, 0.0004 * scale * at * at - 0.56 * head.size[2]
        place = (_find_face_depth(head, across, up), across, head.place[2] + up)
        size = (0.0014 * scale, 0.003 * scale, 0.0014 * scale)
        found.append(Solid("ball", "HeadPitch", place, size, _GREY, (at * 0.25, 0.0, 0.0)))
    for zone, x in zip(("FrontTactilTouched", "MiddleTactilTouched", "RearTactilTouched"), sensors, strict=True):
        place = (x, 0.0, _find_head_height(head, x, 0.0) - 0.001)
        size = (0.0105 * scale, 0.0155 * scale, 0.006)
        turn = (0.0, 0.6 * math.asin((x - head.place[0]) / head.size[0]), 0.0)
        found.append(Solid("ball", "HeadPitch", place, size, _DARK, turn, zone))
    return found


def _arm(side: str, sign: float) -> list[Solid]:
    along = (0.0, _QUARTER, 0.0)
    return [
        Solid("ball", f"{side}ShoulderPitch", (0.0, 0.0, 0.0), (0.035, 0.03, 0.035), _ACCENT),
        Solid("tube", f"{side}ShoulderRoll", (0.052, sign * 0.01, 0.0), (0.029, 0.029, 0.088), turn=along, taper=0.85),
        Solid("ball", f"{side}ShoulderRoll", (0.014, sign * 0.008, 0.0), (0.031, 0.028, 0.031)),
        Solid("ball", f"{side}ElbowYaw", (0.0, 0.0, 0.0), (0.025, 0.024, 0.024), _GREY),
        Solid("tube", f"{side}ElbowRoll", (0.033, 0.0, 0.0), (0.028, 0.028, 0.06), turn=along, taper=0.8),
        Solid("ball", f"{side}WristYaw", (0.0, 0.0, 0.0), (0.02, 0.02, 0.02), _GREY),
    ]


def _hand(side: str, sign: float) -> list[Solid]:
    name = "Left" if side == "L" else "Right"
    wrist, fingers = f"{side}WristYaw", f"{side}Hand"
    found = [
        Solid("ball", wrist, (0.03, 0.0, -0.004), (0.031, 0.024, 0.022), _WHITE),
        Solid("ball", wrist, (0.028, 0.0, 0.011), (0.018, 0.012, 0.008), _SILVER, zone=f"Hand{name}BackTouched"),
        Solid("ball", wrist, (0.03, 0.019, -0.002), (0.018, 0.007, 0.01), _SILVER, zone=f"Hand{name}LeftTouched"),
        Solid("ball", wrist, (0.03, -0.019, -0.002), (0.018, 0.007, 0.01), _SILVER, zone=f"Hand{name}RightTouched"),
        Solid("ball", wrist, (0.036, -sign * 0.014, -0.022), (0.008, 0.008, 0.017), _GREY, (0.0, 0.5, 0.0)),
    ]
    found += [
        Solid("ball", fingers, (0.016, across, 0.0), (0.023, 0.0085, 0.0085), _GREY) for across in (-0.011, 0.011)
    ]
    return found


def _leg(side: str) -> list[Solid]:
    return [
        Solid("ball", f"{side}HipRoll", (0.0, 0.0, 0.0), (0.036, 0.034, 0.036), _GREY),
        Solid("tube", f"{side}HipPitch", (0.002, 0.0, -0.046), (0.036, 0.036, 0.1), _WHITE, taper=1.16),
        Solid("ball", f"{side}KneePitch", (0.0, 0.0, 0.0), (0.035, 0.033, 0.035), _GREY),
        Solid("tube", f"{side}KneePitch", (0.0, 0.0, -0.056), (0.037, 0.035, 0.092), _WHITE, taper=0.95),
        Solid("ball", f"{side}KneePitch", (0.028, 0.0, -0.018), (0.014, 0.022, 0.026), _ACCENT),
        Solid("ball", f"{side}AnklePitch", (0.0, 0.0, 0.0), (0.028, 0.026, 0.028), _GREY),
    ]


def _foot(side: str) -> list[Solid]:
    ankle, name = f"{side}AnkleRoll", "Left" if side == "L" else "Right"
    return [
        Solid("tube", ankle, (0.026, 0.0, -0.0365), (0.079, 0.045, 0.0175), _SILVER),
        Solid("ball", ankle, (0.024, 0.0, -0.032), (0.07, 0.04, 0.027), _WHITE),
        Solid("tube", ankle, (0.082, 0.0, -0.036), (0.028, 0.036, 0.0135), _DARK, zone=f"{name}BumperPressed"),
    ]


_TABLET_TURN = (0.0, -0.5236, 0.0)  # it leans backwards


def _pepper() -> list[Solid]:
    found = [
        Solid("shell", "Torso", (-0.035, 0.0, 0.06), (0.075, 0.1, 0.1), taper=1.2),
        Solid("ball", "Torso", (-0.02, 0.0, -0.04), (0.07, 0.088, 0.1), _SILVER),
        Solid("tube", "Torso", (-0.038, 0.0, 0.17), (0.036, 0.036, 0.09), _DARK),
        Solid("box", "Torso", (0.0839, 0.0, 0.0625), (0.0075, 0.123, 0.0875), _DARK, _TABLET_TURN),
        Solid("box", "Torso", (0.0915, 0.0, 0.0669), (0.002, 0.105, 0.066), "#2f6fb5", _TABLET_TURN),
        Solid("ball", "Torso", (0.05, 0.0, -0.05), (0.012, 0.014, 0.014), _ACCENT, zone="ChestButtonPressed"),
        Solid("ball", "HipRoll", (0.0, 0.0, -0.02), (0.06, 0.07, 0.06), _GREY),
        Solid("tube", "HipPitch", (0.0, 0.0, -0.13), (0.064, 0.072, 0.23), taper=1.1),
        Solid("ball", "HipPitch", (0.0, 0.0, -0.02), (0.066, 0.076, 0.055)),
        Solid("ball", "KneePitch", (0.0, 0.0, 0.0), (0.064, 0.074, 0.06), _GREY),
        Solid("tube", "KneePitch", (-0.01, 0.0, -0.135), (0.16, 0.16, 0.27), taper=0.48),
        Solid("shell", "KneePitch", (-0.01, 0.0, -0.275), (0.225, 0.225, 0.055)),
        Solid("ball", "HeadPitch", (0.098, 0.0, 0.163), (0.005, 0.007, 0.007), _DARK),
    ]
    found += _face(_PEPPER_HEAD, (0.045, 0.006, -0.034), 1.4)
    found += [
        Solid("ball", wheel, (0.0, 0.0, 0.0), (0.05, 0.06, 0.07), _DARK)
        for wheel in MODELS["Juliette"].chains["Wheels"]
    ]
    bumpers = (("Left", 0.165, 0.175, 0.82), ("Right", 0.165, -0.175, -0.82), ("Back", -0.24, 0.0, 0.0))
    for side, x, y, turn in bumpers:
        bumper = (x, y, -0.29)
        zone = f"{side}BumperPressed"
        found.append(Solid("ball", "KneePitch", bumper, (0.025, 0.09, 0.022), _DARK, (0.0, 0.0, turn), zone))
    for side, sign in (("L", 1.0), ("R", -1.0)):
        found += _pepper_arm(side, sign)
    return found


def _pepper_arm(side: str, sign: float) -> list[Solid]:
    along, wrist, fingers = (0.0, _QUARTER, 0.0), f"{side}WristYaw", f"{side}Hand"
    zone = f"Hand{'Left' if side == 'L' else 'Right'}BackTouched"
    found = [
        Solid("ball", f"{side}ShoulderPitch", (0.0, -sign * 0.01, 0.0), (0.056, 0.05, 0.056), _ACCENT),
        Solid("ball", f"{side}ShoulderRoll", (0.02, sign * 0.004, 0.0), (0.048, 0.044, 0.048)),
        Solid("tube", f"{side}ShoulderRoll", (0.092, sign * 0.008, 0.0), (0.042, 0.042, 0.17), turn=along, taper=0.8),
        Solid("ball", f"{side}ElbowYaw", (0.0, 0.0, 0.0), (0.038, 0.036, 0.036), _GREY),
        Solid("tube", f"{side}ElbowRoll", (0.077, 0.0, 0.0), (0.042, 0.042, 0.145), turn=along, taper=0.75),
        Solid("ball", wrist, (0.0, 0.0, 0.0), (0.028, 0.028, 0.028), _GREY),
        Solid("ball", wrist, (0.05, 0.0, 0.0), (0.045, 0.034, 0.024)),
        Solid("ball", wrist, (0.0523, 0.0, 0.018), (0.026, 0.02, 0.01), _SILVER, zone=zone),
        Solid("ball", wrist, (0.05, -sign * 0.026, -0.03), (0.01, 0.01, 0.024), _GREY, (0.0, 0.5, 0.0)),
    ]
    for across in (-0.024, -0.008, 0.008, 0.024):
        found.append(Solid("ball", fingers, (0.022, across, 0.0), (0.032, 0.009, 0.009), _GREY))
    return found


# The place of the torso.

#: The pitch of the torso of a lying robot; one that sits on a chair is upright.
_PITCHES = {"LyingBelly": math.pi / 2, "LyingBack": -math.pi / 2, "SittingOnChair": 0.0}
_SITTING = ("Sitting", "SittingOnGround")
#: The limits of a sitting robot's lean, back and forward, and the number of times that this interval is halved.
_LEANS, _HALVINGS = (-1.0, 0.5), 12
#: Points that can touch the floor, seen from the torso or from the joint that they move with.
_TRUNK = ((0.0, -0.107), (-0.06, 0.05), (0.056, 0.06), (-0.045, -0.07), (0.045, -0.07))
_FOOT = tuple((x, y, -0.04519) for x in (-0.05, 0.105) for y in (-0.04, 0.04))
_LEG = {"AnkleRoll": _FOOT, "KneePitch": ((0.036, 0.0, 0.0),)}
_HEAD = {"HeadPitch": ((-0.06, 0.0, 0.05), (0.058, 0.0, 0.03))}

Points = list[tuple[float, float]]


def torso_pose(
    angles: Mapping[str, float], posture: str, place: Sequence[float], robot_type: str = "Nao"
) -> list[float]:
    """Return the torso's x, y and z in metres, and its turn as a quaternion w, x, y, z.

    >>> torso_pose(NAO.posture_angles("StandZero"), "StandZero", (1.0, 0.0, 0.0))
    [1.0, 0.0, 0.33309, 1.0, 0.0, 0.0, 0.0]
    """
    family = POSTURE_FAMILIES.get(posture, "")
    if family in _PITCHES or family in _SITTING:
        torso = _find_resting_place(family, angles, place)
    else:
        torso = MODELS[robot_type].torso_transform(FRAME_WORLD, angles, Pose2D(*place))
    quaternion = quaternionFromTransform(torso)
    found = (torso.r1_c4, torso.r2_c4, torso.r3_c4, quaternion.w, quaternion.x, quaternion.y, quaternion.z)
    return [round(value, 5) + 0.0 for value in found]


def _find_resting_place(family: str, angles: Mapping[str, float], place: Sequence[float]) -> Transform:
    """Return the place of the torso of a robot that lies, or sits on its lowest point."""
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
    for joint, frame in NAO.joint_frames(part, angles):
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
#: What Pepper has instead of feet.
_PEPPER_ZONES = {
    "LeftBumperPressed": "Bumper, front left",
    "RightBumperPressed": "Bumper, front right",
    "BackBumperPressed": "Bumper, back",
}


def _list_zones(robot_type: str) -> dict[str, str]:
    """Return the touch sensors of a robot by their events, with the names that a page shows."""
    names = {**ZONES, **(_PEPPER_ZONES if robot_type == "Juliette" else {})}
    return {event: name for event, name in names.items() if event in MODELS[robot_type].touch_sensors}


# The data for a page.

#: Finger joints relative to the wrist, their angle closed, and the change when the hand opens.
_KNUCKLES, _CLOSED, _OPENING = (0.048, 0.0, 0.002), 1.3, -1.3
#: Digits of an angle in radians.
_ANGLE_DIGITS = 5


#: The heights of the robots, in metres.
_HEIGHTS = {"Nao": 0.574, "Juliette": 1.21}


def describe_figure(robot_type: str = "Nao") -> dict[str, Any]:
    """Return the data to draw the robot on a page: joints from the torso outwards, solids, lamps, touch zones."""
    model = MODELS[robot_type]
    hips = {model.chains[foot][0] for foot in model.feet}
    joints = []
    for joint, (parent, place, axis) in model.links.items():
        *middle, wx, wy, wz = position6DFromTransform(place).toVector()
        carrier = "Pelvis" if joint in hips else parent
        joints.append(_describe_joint(joint, carrier, middle, (wx, wy, wz), axis, 0.0, 1.0))
    knuckles = (0.09, 0.0, 0.004) if model.chains.get("Wheels") else _KNUCKLES
    for side in "LR":
        turned = (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), _CLOSED, _OPENING
        joints.append(_describe_joint(f"{side}Hand", f"{side}WristYaw", knuckles, *turned))
    return {
        "name": "Pepper" if robot_type == "Juliette" else "NAO",
        "height": _HEIGHTS.get(robot_type, _HEIGHTS["Nao"]),
        "joints": joints,
        "order": list(model.body),
        "outlines": OUTLINES,
        "solids": [solid._asdict() for solid in solids(robot_type)],
        "lamps": [{**lamp._asdict(), "isEye": lamp.name.startswith("Face")} for lamp in lamps(robot_type)],
        "zones": _list_zones(robot_type),
    }


def _describe_joint(
    name: str,
    parent: str,
    place: Sequence[float],
    turn: Sequence[float],
    axis: Sequence[float],
    base: float,
    gain: float,
) -> dict[str, Any]:
    return {"name": name, "parent": parent, "place": place, "turn": turn, "axis": axis, "base": base, "gain": gain}


def describe_frame(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data to draw one look at the robot on a page (`look` in naosim.robot_requests)."""
    robot_type = seen["robot_type"]
    angles = dict(zip(MODELS[robot_type].body, seen["angles"], strict=True))
    drawn = {
        name: seen[name]
        for name in ("robot_type", "lights", "touched", "posture", "is_awake", "is_speaking", "is_blinking", "breath")
    }
    return {
        **drawn,
        "angles": [round(angle, _ANGLE_DIGITS) for angle in seen["angles"]],
        "torso": torso_pose(angles, seen["posture"], seen["place"], robot_type),
    }


def frame_changes(frame: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a frame is different from an earlier one; everything if that is empty."""
    return {name: value for name, value in frame.items() if before.get(name) != value}
