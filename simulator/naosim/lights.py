"""The lights of a robot: their names and groups, and the brightness of each as a function of time."""

from __future__ import absolute_import, division, print_function

import re
from bisect import bisect_right

from naosim.models import PEPPER, Model

MYPY = False
if MYPY:
    from typing import Dict, List, Sequence, Tuple

    from naosim.body import TimedCurve
    from naosim.clock import Clock

# The names of lights: single lights, groups and short names.

LIGHT_SUFFIX = "/Actuator/Value"
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
    return {group: [light + LIGHT_SUFFIX for light in lights] for group, lights in found.items()}


LED_GROUPS = _make_nao_groups()  # the single lights that each group or short name of a NAO stands for
_PEPPER_GROUPS = _make_pepper_groups()
#: Every single light, with the suffix and without it: a program may leave it out.
SINGLE_LIGHTS = frozenset(LED_GROUPS["AllLeds"] + [light[: -len(LIGHT_SUFFIX)] for light in LED_GROUPS["AllLeds"]])
_SHORT_NAMES = re.compile(r"Brain\d+|(Left|Right)(Face|Ear)Led\d+|(Chest|(Left|Right)Foot)Leds(Red|Green|Blue)")


def get_light_groups(model):  # type: (Model) -> Dict[str, List[str]]
    """Return the single lights that each group or short name of a body stands for; do not change the dict."""
    return _PEPPER_GROUPS if model is PEPPER else LED_GROUPS


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
    return (colour >> _COLOUR_SHIFTS[light] & 0xFF) / 255.0


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

    >>> from naosim.body import Steady
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
        """Set the brightness of a light at once."""
        self._steady[light] = float(brightness)
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
