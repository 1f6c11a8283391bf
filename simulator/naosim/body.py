"""The body of one robot: joints, lights and the place on the floor as functions of time; postures and gestures.

Each joint of a `Body` follows a curve (`Steady`, `Smooth` or `Bezier`), and its `Walk` is the place on the floor.
`Lights` has the brightness of each light, `get_light_groups` their names. Without physics, the robot
glides over the floor.
"""

from __future__ import absolute_import, division, print_function

import math
import re
from bisect import bisect_right

from almath import Pose2D
from naosim.clock import Clock
from naosim.models import NAO, PEPPER, Model

MYPY = False
if MYPY:
    from typing import Dict, Iterable, List, Optional, Protocol, Sequence, Tuple

    class Curve(Protocol):
        """A value that changes with time."""

        @property
        def end(self):  # type: () -> float
            """The last value."""

        def at(self, seconds):  # type: (float) -> float
            """Return the value after some seconds."""

    class TimedCurve(Curve, Protocol):
        """A curve that ends."""

        @property
        def seconds(self):  # type: () -> float
            """The seconds until the last value."""

# Curves: the angle of a joint as a function of the seconds since it began to move.

if MYPY:
    Handle = Tuple[float, float]  # the seconds and radians from a key to its handle

_BEZIER_HALVINGS = 40  # steps of the bisection that finds a time on a Bezier curve: enough for the precision of floats
# NAOqi's numbers for interpolations without handles.
CONSTANT_CURVE = 0
LINEAR_CURVE = 1


class Steady(object):
    """A motion from one angle to another at constant speed."""

    def __init__(self, start, end, seconds):  # type: (float, float, float) -> None
        self.start, self.end, self.seconds = start, end, seconds

    def at(self, seconds):  # type: (float) -> float
        """Return the angle `seconds` seconds after the start."""
        if seconds >= self.seconds:
            return self.end
        return self.start + (self.end - self.start) * max(seconds, 0.0) / self.seconds


class Smooth(object):
    """A motion through angles at given times, from rest to rest, without overshoot: a monotone cubic spline.

    >>> curve = Smooth(0.0, [1.0, 3.0], [0.5, 0.5])
    >>> curve.at(0.5), curve.at(1.0), curve.at(2.0), curve.seconds
    (0.25, 0.5, 0.5, 3.0)
    """

    def __init__(self, start, times, angles):  # type: (float, Sequence[float], Sequence[float]) -> None
        self._times, self._angles = [0.0] + list(times), [start] + list(angles)
        if len(self._times) > 1 and self._times[1] <= 0:
            del self._times[0], self._angles[0]
        self.end, self.seconds = self._angles[-1], self._times[-1]
        self._slopes = _slopes(self._times, self._angles)

    def at(self, seconds):  # type: (float) -> float
        """Return the angle `seconds` seconds after the start."""
        index = bisect_right(self._times, seconds) - 1
        if index < 0:
            return self._angles[0]
        if index >= len(self._times) - 1:
            return self.end
        width = self._times[index + 1] - self._times[index]
        u = (seconds - self._times[index]) / width
        one, two = self._angles[index : index + 2]
        slope, next_slope = self._slopes[index : index + 2]
        bend = width * (slope * u * (1 - u) ** 2 + next_slope * u * u * (u - 1))
        return one * (1 + 2 * u) * (1 - u) ** 2 + two * u * u * (3 - 2 * u) + bend


class Bezier(object):
    """A motion along Bezier curves; a key is (time, angle, handle before, handle after, interpolation after)."""

    def __init__(self, start, keys):  # type: (float, Sequence[Tuple[float, float, Handle, Handle, int]]) -> None
        first = keys[0][0]
        self._keys = list(keys) if first <= 0 else [(0.0, start, (0.0, 0.0), (first / 3, 0.0), keys[0][4])] + list(keys)
        self._times = [key[0] for key in self._keys]
        self.end, self.seconds = self._keys[-1][1], self._times[-1]

    def at(self, seconds):  # type: (float) -> float
        """Return the angle `seconds` seconds after the start."""
        index = bisect_right(self._times, seconds) - 1
        if index < 0:
            return self._keys[0][1]
        if index >= len(self._keys) - 1:
            return self.end
        (begin, one, _, after, kind), (end, two, before, _, _) = self._keys[index : index + 2]
        width, passed = end - begin, seconds - begin
        if kind == CONSTANT_CURVE:
            return one
        if kind == LINEAR_CURVE:
            return one + (two - one) * passed / width
        out, back = min(max(after[0], 0.0), width), width + max(min(before[0], 0.0), -width)
        u = _bezier_parameter(passed, (0.0, out, back, width))
        return _bezier(u, (one, one + after[1], two + before[1], two))


def _slopes(times, angles):  # type: (List[float], List[float]) -> List[float]
    """Return the slope at each key: 0 at the ends and at turning points, else the harmonic mean of both sides."""
    rises = [(angles[at + 1] - angles[at]) / (times[at + 1] - times[at]) for at in range(len(times) - 1)]
    pairs = [rises[at : at + 2] for at in range(len(rises) - 1)]
    inner = [2 * one * two / (one + two) if one * two > 0 else 0.0 for one, two in pairs]
    return [0.0] + inner + [0.0]


def _bezier(u, points):  # type: (float, Tuple[float, float, float, float]) -> float
    a, b, c, d = points
    v = 1 - u
    return v * v * v * a + 3 * v * v * u * b + 3 * v * u * u * c + u * u * u * d


def _bezier_parameter(wanted, points):  # type: (float, Tuple[float, float, float, float]) -> float
    """Return the parameter at which an increasing curve has the value `wanted`."""
    low, high = 0.0, 1.0
    for _ in range(_BEZIER_HALVINGS):
        middle = (low + high) / 2
        if _bezier(middle, points) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


# The place on the floor.

if MYPY:
    #: A part of a walk: metres ahead and to the left, radians of turning, and seconds.
    Leg = Tuple[float, float, float, float]

_PLANNED_STEPS_S = 0.5  # seconds for which the robot plans its steps ahead
_MIN_TURN_SPEED = 1e-9  # radians a second; a slower turn counts as none


class Walk(object):
    """The place on the floor: at rest, on the way along legs, or at constant speed without end."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._start = Pose2D()
        self._since = 0.0
        self._legs = []  # type: List[Leg]
        self._speeds = None  # type: Optional[Tuple[float, float, float]]

    def place(self, ahead=0.0):  # type: (float) -> Pose2D
        """Return the place in `ahead` seconds if the walk is not changed until then."""
        passed = self._clock.now() - self._since + ahead
        if self._speeds is not None:
            return _compose_place(self._start, _driven(self._speeds, passed))
        here = self._start
        for x, y, angle, seconds in self._legs:
            part = 1.0 if passed >= seconds else max(passed, 0.0) / seconds
            here = _compose_place(here, Pose2D(x * part, y * part, angle * part))
            passed -= seconds
            if passed < 0:
                break
        return here

    def next_place(self):  # type: () -> Pose2D
        """Return the place after the steps that are planned already."""
        return self.place(_PLANNED_STEPS_S)

    def velocity(self):  # type: () -> Tuple[float, float, float]
        """Return the speeds ahead and to the left in metres a second, and of turning in radians a second."""
        if self._speeds is not None:
            found = self._speeds
            return found
        passed = self._clock.now() - self._since
        for x, y, angle, seconds in self._legs:
            if 0 <= passed < seconds:
                return x / seconds, y / seconds, angle / seconds
            passed -= seconds
        return 0.0, 0.0, 0.0

    def is_active(self):  # type: () -> bool
        """Return whether the robot moves over the floor now."""
        return any(self.velocity())

    def follow(self, legs):  # type: (Sequence[Leg]) -> None
        """Walk along legs, each relative to the end of the one before."""
        self.halt()
        self._legs = list(legs)

    def drive(self, speeds):  # type: (Tuple[float, float, float]) -> None
        """Walk at these speeds until the next order; three zeros stop the walk."""
        self.halt()
        self._speeds = speeds if any(speeds) else None

    def halt(self):  # type: () -> None
        """Stop the walk."""
        self._start, self._since, self._legs, self._speeds = self.place(), self._clock.now(), [], None


def _compose_place(place, way):  # type: (Pose2D, Pose2D) -> Pose2D
    return place * way  # type: ignore[no-any-return]


def _driven(speeds, seconds):  # type: (Tuple[float, float, float], float) -> Pose2D
    """Return the place after walking at constant speeds, on a line or an arc."""
    ahead, left, turn = speeds
    angle = turn * seconds
    if abs(turn) < _MIN_TURN_SPEED:
        return Pose2D(ahead * seconds, left * seconds, angle)
    sine, rest = math.sin(angle) / turn, (1 - math.cos(angle)) / turn
    return Pose2D(ahead * sine - left * rest, ahead * rest + left * sine, angle)


# The body.

_MIN_SHARE = 0.01  # the smallest fraction of a joint's full speed: at 0 a movement would never end
_MAX_MOVEMENT_S = 600.0  # seconds of the longest movement
_SPEED_SPAN_S = 0.02  # seconds over which the speed of a joint is measured: a cycle of the robot's motion


class Body(object):
    """The joints of a model, with angles and stiffnesses, and the walk; a joint rests or follows its latest curve.

    >>> from naosim.clock import Clock
    >>> clock = Clock()
    >>> body = Body(clock)
    >>> body.move("HeadYaw", Steady(0.0, 1.0, 4.0))
    >>> _ = clock.run(seconds=1.0)
    >>> body.angle("HeadYaw"), body.target("HeadYaw")
    (0.25, 1.0)
    """

    def __init__(self, clock, posture="Stand", model=NAO):  # type: (Clock, str, Model) -> None
        self._clock, self.model = clock, model
        self.walk = Walk(clock)
        self.is_awake = True
        self._rest = model.posture_angles(posture)
        self._moves = {}  # type: Dict[str, Tuple[float, Curve]]
        self._stiffness = {}  # type: Dict[str, Tuple[float, Curve]]

    def angle(self, joint):  # type: (str) -> float
        """Return the angle of a joint now."""
        joint = self.model.shared_motors.get(joint, joint)
        move = self._moves.get(joint)
        if move is None:
            return self._rest[joint]
        since, curve = move
        return self.model.clamp_angle(joint, curve.at(self._clock.now() - since))

    def speed(self, joint):  # type: (str) -> float
        """Return the speed of a joint now, in radians a second."""
        move = self._moves.get(self.model.shared_motors.get(joint, joint))
        if move is None:
            return 0.0
        since, curve = move
        passed = self._clock.now() - since
        return (curve.at(passed + _SPEED_SPAN_S / 2) - curve.at(passed - _SPEED_SPAN_S / 2)) / _SPEED_SPAN_S

    def angles(self):  # type: () -> Dict[str, float]
        """Return the angle of every joint now."""
        return {joint: self.angle(joint) for joint in self.model.body}

    def target(self, joint):  # type: (str) -> float
        """Return the angle at which a joint will stop."""
        joint = self.model.shared_motors.get(joint, joint)
        move = self._moves.get(joint)
        return self._rest[joint] if move is None else self.model.clamp_angle(joint, move[1].end)

    def move(self, joint, curve):  # type: (str, Curve) -> None
        """Let a joint follow a curve from now on; a joint without stiffness does not move."""
        joint = self.model.shared_motors.get(joint, joint)
        if self.stiffness(joint) > 0:
            self._moves[joint] = self._clock.now(), curve

    def turn(self, joint, angle, fraction):  # type: (str, float, float) -> float
        """Turn a joint to an angle at a fraction of its full speed, and return the seconds that this takes."""
        start, end = self.angle(joint), self.model.clamp_angle(joint, angle)
        seconds = min(abs(end - start) / (self.model.speeds[joint] * max(fraction, _MIN_SHARE)), _MAX_MOVEMENT_S)
        self.move(joint, Steady(start, end, seconds))
        return seconds

    def take(self, angles, seconds):  # type: (Dict[str, float], float) -> None
        """Move joints to angles in `seconds` seconds."""
        # Both hips share one motor: apply the left one last, as NAO does.
        for joint in sorted(angles, reverse=True):
            self.move(joint, Smooth(self.angle(joint), [seconds], [angles[joint]]))

    def halt(self, names=None):  # type: (Optional[Iterable[str]]) -> None
        """Stop joints, all by default, at their current angles."""
        for joint in {
            self.model.shared_motors.get(name, name) for name in (self.model.body if names is None else names)
        }:
            self._rest[joint] = self.angle(joint)
            self._moves.pop(joint, None)

    def stiffness(self, joint):  # type: (str) -> float
        """Return the stiffness of a joint now, 0 to 1; the wheels of a Pepper have it only while they turn."""
        if joint in self.model.chains.get("Wheels", ()):
            return 1.0 if self.is_awake and self.walk.is_active() else 0.0
        since, curve = self._stiffness.get(joint, (0.0, None))
        if curve is None:
            return 1.0 if self.is_awake else 0.0
        return float(curve.at(self._clock.now() - since))

    def stiffen(self, joint, value, seconds=0.0, curve=None):  # type: (str, float, float, Optional[Curve]) -> None
        """Change the stiffness of a joint in `seconds` seconds, or along a curve; without stiffness, it stops."""
        now = self._clock.now()
        self._stiffness[joint] = now, curve or Steady(self.stiffness(joint), value, seconds)
        if self.stiffness(joint) <= 0:
            self.halt([joint])

    def stiffen_all(self, is_awake):  # type: (bool) -> None
        """Switch every motor on or off."""
        self._stiffness.clear()
        self.is_awake = is_awake
        if not is_awake:
            self.halt()


# The names of lights: single lights, groups and short names.

_LIGHT_SUFFIX = "/Actuator/Value"
_COLOUR_PARTS = ("Red", "Green", "Blue")
LIGHT_SIDES = ("Right", "Left")
#: The degrees of the eight lights of each eye by their numbers: documentation of NAOqi 2.5, leds_robot.html.
_EYE_ANGLES = {"Right": range(315, -1, -45), "Left": [degrees % 360 for degrees in range(405, 45, -45)]}
EYE_SIZE = 8  # places of an eye that have lights
EAR_ANGLES = range(0, 360, 36)  # degrees of the ten lights of an ear
#: The lights of each part of an eye, by number, as a program for NAO in a public repository gives them.
_EYE_PARTS = {"Top": (7, 0), "Internal": (1, 2), "Bottom": (3, 4), "External": (5, 6)}
#: The twelve lights on the head, clockwise from the front left.
_BRAIN_LIGHTS = """
    Front/Right/1 Front/Right/0 Middle/Right/0 Rear/Right/0 Rear/Right/1 Rear/Right/2
    Rear/Left/2 Rear/Left/1 Rear/Left/0 Middle/Left/0 Front/Left/0 Front/Left/1
"""
_COLOURED_DEVICES = {"ChestLeds": "ChestBoard/Led", "RightFootLeds": "RFoot/Led", "LeftFootLeds": "LFoot/Led"}


def _make_eye_groups():  # type: () -> Dict[str, List[str]]
    found = {}  # type: Dict[str, List[str]]
    for side in LIGHT_SIDES:
        for at, degrees in enumerate(_EYE_ANGLES[side]):
            lights = ["Face/Led/%s/%s/%dDeg" % (colour, side, degrees) for colour in _COLOUR_PARTS]
            found["FaceLed%s%d" % (side, at)] = lights
            # The short names count in the other direction in the right eye.
            found["%sFaceLed%d" % (side, at + 1 if side == "Left" else EYE_SIZE - at)] = lights
            found.setdefault("FaceLed%d" % at, []).extend(lights)
            for group in ("FaceLeds", "%sFaceLeds" % side):
                found.setdefault(group, []).extend(lights)
            for colour, light in zip(_COLOUR_PARTS, lights):
                found.setdefault("%sFaceLeds%s" % (side, colour), []).append(light)
            for part in (part for part, numbers in _EYE_PARTS.items() if at in numbers):
                for group in ("FaceLeds" + part, "FaceLeds%s%s" % (side, part)):
                    found.setdefault(group, []).extend(lights)
    return found


def _make_ear_groups():  # type: () -> Dict[str, List[str]]
    found = {}  # type: Dict[str, List[str]]
    for side in LIGHT_SIDES:
        for at, degrees in enumerate(EAR_ANGLES):
            light = "Ears/Led/%s/%dDeg" % (side, degrees)
            found["%sEarLed%d" % (side, at + 1)] = [light]
            own = side + "EarLeds"
            halves = ("Front" if degrees < 90 or degrees > 270 else "Back", "Odd" if at % 2 else "Even")
            for group in ("EarLeds", own) + tuple(own + half for half in halves):
                found.setdefault(group, []).append(light)
    return found


def _make_brain_groups():  # type: () -> Dict[str, List[str]]
    found = {}  # type: Dict[str, List[str]]
    for at, place in enumerate(_BRAIN_LIGHTS.split()):
        part, side, _ = place.split("/")
        light = "Head/Led/" + place
        found["Brain%d" % at] = [light]
        for group in ("", "Back" if part == "Rear" else part, side):
            found.setdefault("BrainLeds" + group, []).append(light)
    return found


def _make_coloured_groups(devices):  # type: (Dict[str, str]) -> Dict[str, List[str]]
    found = {}  # type: Dict[str, List[str]]
    for group, device in devices.items():
        found[group] = ["%s/%s" % (device, colour) for colour in _COLOUR_PARTS]
        found.update((group + colour, ["%s/%s" % (device, colour)]) for colour in _COLOUR_PARTS)
    return found


def _make_nao_groups():  # type: () -> Dict[str, List[str]]
    found = _make_eye_groups()
    found.update(_make_ear_groups())
    found.update(_make_brain_groups())
    found.update(_make_coloured_groups(_COLOURED_DEVICES))
    found["FeetLeds"] = found["RightFootLeds"] + found["LeftFootLeds"]
    return _add_groups_of_all(found, ("FaceLeds", "EarLeds", "BrainLeds", "ChestLeds", "FeetLeds"))


def _make_pepper_groups():  # type: () -> Dict[str, List[str]]
    """Return Pepper's groups: no brain or feet, the shoulders as the chest, and names for both ears.

    They are those of a Pepper's `listGroups` in slides of a public repository.
    """
    found = _make_eye_groups()
    found.update(_make_ear_groups())
    for at in range(1, len(EAR_ANGLES) + 1):
        found["EarLed%d" % at] = [light for side in LIGHT_SIDES for light in found["%sEarLed%d" % (side, at)]]
    found.update(_make_coloured_groups({"ChestLeds": _COLOURED_DEVICES["ChestLeds"]}))
    return _add_groups_of_all(found, ("FaceLeds", "EarLeds", "ChestLeds"))


def _add_groups_of_all(found, groups):  # type: (Dict[str, List[str]], Sequence[str]) -> Dict[str, List[str]]
    found["AllLeds"] = [light for group in groups for light in found[group]]
    for colour in _COLOUR_PARTS:
        found["AllLeds" + colour] = [light for light in found["AllLeds"] if colour in light.split("/")]
    return {group: [light + _LIGHT_SUFFIX for light in lights] for group, lights in found.items()}


LED_GROUPS = _make_nao_groups()  # the single lights that each group or short name of a NAO stands for
_PEPPER_GROUPS = _make_pepper_groups()
_SHORT_NAMES = re.compile(r"Brain\d+|(Left|Right)(Face|Ear)Led\d+|(Chest|(Left|Right)Foot)Leds(Red|Green|Blue)")


def get_light_groups(model):  # type: (Model) -> Dict[str, List[str]]
    """Return the single lights that each group or short name of a body stands for; do not change the dict."""
    return _PEPPER_GROUPS if model is PEPPER else LED_GROUPS


def find_light(model, name):  # type: (Model, str) -> str
    """Return the whole name of a single light of a body; a program can leave out its suffix. "" for other names.

    >>> find_light(NAO, "Ears/Led/Left/0Deg"), find_light(PEPPER, "Head/Led/Rear/Left/0"), find_light(NAO, "Brain0")
    ('Ears/Led/Left/0Deg/Actuator/Value', '', '')
    """
    light = name if name.endswith(_LIGHT_SUFFIX) else name + _LIGHT_SUFFIX
    return light if light in get_light_groups(model)["AllLeds"] else ""


def is_short_name(name):  # type: (str) -> bool
    """Return whether a name is one that only ALLeds has for a place of the body, not a group.

    >>> [is_short_name(name) for name in ("Brain3", "LeftFaceLed1", "FaceLedLeft0", "EarLed1")]
    [True, True, False, False]
    """
    return _SHORT_NAMES.match(name) is not None


#: By how many bits the part of a light is in 0xRRGGBB; the lights without their own colour are blue.
_COLOUR_SHIFTS = dict.fromkeys(LED_GROUPS["AllLeds"], 0)
_COLOUR_SHIFTS.update(dict.fromkeys(LED_GROUPS["AllLedsGreen"], 8))
_COLOUR_SHIFTS.update(dict.fromkeys(LED_GROUPS["AllLedsRed"], 16))


def get_brightness(colour, light):  # type: (int, str) -> float
    """Return how bright a single light is when its place shows a colour, 0xRRGGBB.

    >>> [get_brightness(0xFF0033, light) for light in LED_GROUPS["ChestLeds"]]
    [1.0, 0.0, 0.2]
    """
    return get_brightnesses(colour, (light,))[light]


def get_brightnesses(colour, lights):  # type: (int, Iterable[str]) -> Dict[str, float]
    """Return how bright each single light is when its place shows a colour, 0xRRGGBB."""
    parts = {shift: (colour >> shift & 0xFF) / 255.0 for shift in (0, 8, 16)}
    return {light: parts[_COLOUR_SHIFTS[light]] for light in lights}


def is_eye_name(name):  # type: (str) -> bool
    """Return whether a name stands for lights of the eyes, alone or among others.

    >>> [is_eye_name(name) for name in ("FaceLed3", "AllLedsRed", "Face/Led/Red/Left/0Deg", "BrainLeds", "mine")]
    [True, True, True, False, False]
    """
    return any(light.startswith("Face/") for light in LED_GROUPS.get(name, [name]))


# The brightness of lights.

_AWAKE_BRIGHTNESS = 1.0  # the brightness of lights that were never set: all are on when the robot has woken up


class Lights(object):
    """The brightness of each light, 0 to 1: constant, or along a curve.

    >>> from naosim.clock import Clock
    >>> clock = Clock()
    >>> lights = Lights(clock)
    >>> lights.follow("Ears/Led/Left/0Deg", Steady(1.0, 0.0, 4.0))
    >>> _ = clock.run(seconds=1.0)
    >>> lights.brightness("Ears/Led/Left/0Deg"), lights.brightness("Ears/Led/Left/36Deg")
    (0.75, 1.0)
    """

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._steady = {}  # type: Dict[str, float]
        self._curves = {}  # type: Dict[str, Tuple[float, TimedCurve]]

    def brightness(self, light):  # type: (str) -> float
        """Return the brightness of a light now."""
        if light not in self._curves:
            return self._steady.get(light, _AWAKE_BRIGHTNESS)
        since, curve = self._curves[light]
        passed = self._clock.now() - since
        if passed < curve.seconds:
            return float(curve.at(passed))
        self.set(light, curve.end)
        return self._steady[light]

    def set(self, light, brightness):  # type: (str, float) -> None
        """Set the brightness of a light immediately."""
        self._steady[light] = float(brightness)
        self._curves.pop(light, None)

    def set_all(self, brightnesses):  # type: (Dict[str, float]) -> None
        """Set the brightness of several lights immediately.

        >>> from naosim.clock import Clock
        >>> lights = Lights(Clock())
        >>> lights.follow("Ears/Led/Left/0Deg", Steady(1.0, 0.0, 4.0))
        >>> lights.set_all({"Ears/Led/Left/0Deg": 0.5})
        >>> lights.brightness("Ears/Led/Left/0Deg")
        0.5
        """
        self._steady.update(brightnesses)
        if self._curves:
            for light in brightnesses:
                self._curves.pop(light, None)

    def follow(self, light, curve):  # type: (str, TimedCurve) -> None
        """Let a light follow a curve from now on, and keep the curve's `end` after its `seconds`."""
        self._curves[light] = self._clock.now(), curve


class BrightnessRamps(object):
    """A brightness that changes linearly between points (seconds, brightness).

    >>> curve = BrightnessRamps(0.0, [(1.0, 1.0), (3.0, 0.5)])
    >>> curve.at(0.5), curve.at(2.0), curve.seconds, curve.end
    (0.5, 0.75, 3.0, 0.5)
    """

    def __init__(self, start, points):  # type: (float, Sequence[Tuple[float, float]]) -> None
        self._times = [0.0] + [time for time, _ in points]
        self._values = [start] + [value for _, value in points]
        self.seconds, self.end = self._times[-1], self._values[-1]

    def at(self, seconds):  # type: (float) -> float
        """Return the brightness `seconds` seconds after the start."""
        after = bisect_right(self._times, seconds)
        if after == len(self._times):
            return self.end
        begin, end = self._times[after - 1 : after + 1]
        one, two = self._values[after - 1 : after + 1]
        return one + (two - one) * (seconds - begin) / (end - begin)


class BrightnessSteps(object):
    """A brightness that repeats `values`, each for `step` seconds, for `seconds` seconds, and then is `end`.

    >>> curve = BrightnessSteps([1.0, 0.0], 0.5, 2.0, 0.25)
    >>> [curve.at(seconds) for seconds in (0.0, 0.75, 1.25)], curve.end
    ([1.0, 0.0, 1.0], 0.25)
    """

    def __init__(self, values, step, seconds, end):  # type: (Sequence[float], float, float, float) -> None
        self._values, self._step, self.seconds, self.end = values, step, seconds, end

    def at(self, seconds):  # type: (float) -> float
        """Return the brightness `seconds` seconds after the start."""
        return self._values[int(seconds / self._step) % len(self._values)]


# Gestures for the animations that behaviours use most, because the robot's own files are not free.
#
# Each moves the arms or the head and returns. Other animations move nothing.

if MYPY:
    #: For each joint, keys of a fraction of the gesture's time and an angle in degrees.
    Way = Dict[str, List[Tuple[float, float]]]

# 57 degrees are 1 radian, which opens a hand.
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

#: Gestures by the last part of an animation's path, without its number.
_GESTURE_NAMES = (
    (_WAVE, "Hey Hello Salute"),
    (_NOD, "Yes"),
    (_SHAKE, "No Reject"),
    (_BOTH_UP, "Explain YouKnowWhat Everything Give CalmDown"),
    (_SHRUG, "IDontKnow Confused Puzzled"),
    (_CHEER, "Happy Enthusiastic Excited Joy Winner Proud Applause"),
    (_TALK, "BodyTalk HeSays"),
    (_THINK, "Thinking Think ScratchHead Remember"),
    (_SELF, "Me Please"),
    (_POINT, "You This WhatSThis Far Look"),
    (_BOW, "BowShort"),
    (_SINK, "Sad Disappointed Frustrated Sorry"),
)  # type: Tuple[Tuple[Way, str], ...]
GESTURES = {name: way for way, names in _GESTURE_NAMES for name in names.split()}


def _find_gesture(animation):  # type: (str) -> Way
    """Return the gesture for an animation, an empty one if none exists.

    >>> sorted(_find_gesture("animations/Stand/Gestures/Yes_3"))
    ['HeadPitch']
    """
    return GESTURES.get(re.sub(r"_\d+$", "", animation.split("/")[-1]), {})


def perform_gesture(body, animation, seconds):  # type: (Body, str, float) -> List[str]
    """Perform the gesture for an animation in `seconds` seconds, and return its joints, [] without a gesture."""
    way = _find_gesture(animation)
    for joint, keys in sorted(way.items()):
        start = body.target(joint)
        times = [part * seconds for part, _ in keys] + [seconds]
        angles = [body.model.clamp_angle(joint, math.radians(degrees)) for _, degrees in keys] + [start]
        body.move(joint, Smooth(body.angle(joint), times, angles))
    return sorted(way)
