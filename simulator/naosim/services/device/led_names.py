"""The names of NAO's lights: single lights as the devices call them, and the groups and short names of ALLeds."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Dict, List

SUFFIX = "/Actuator/Value"
COLOURS = ("Red", "Green", "Blue")
SIDES = ("Right", "Left")
ROUND_EYE, ROUND_EAR = range(0, 360, 45), range(0, 360, 36)
#: The lights of each part of an eye, by number; 0 is at 0 degrees.
EYE_PARTS = {"Top": (0, 1, 7), "Bottom": (3, 4, 5), "External": (0, 1, 2, 3, 4), "Internal": (0, 4, 5, 6, 7)}
#: The twelve lights on the head, clockwise from the front left.
BRAIN = (
    "Front/Right/1",
    "Front/Right/0",
    "Middle/Right/0",
    "Rear/Right/0",
    "Rear/Right/1",
    "Rear/Right/2",
    "Rear/Left/2",
    "Rear/Left/1",
    "Rear/Left/0",
    "Middle/Left/0",
    "Front/Left/0",
    "Front/Left/1",
)
COLOURED = {"ChestLeds": "ChestBoard/Led", "RightFootLeds": "RFoot/Led", "LeftFootLeds": "LFoot/Led"}


def _eyes():  # type: () -> Dict[str, List[str]]
    found = {}  # type: Dict[str, List[str]]
    for side in SIDES:
        for at, degrees in enumerate(ROUND_EYE):
            lights = ["Face/Led/%s/%s/%dDeg" % (colour, side, degrees) for colour in COLOURS]
            found["FaceLed%s%d" % (side, at)] = lights
            found["%sFaceLed%d" % (side, at + 1)] = lights
            found.setdefault("FaceLed%d" % at, []).extend(lights)
            for group in ("FaceLeds", "%sFaceLeds" % side):
                found.setdefault(group, []).extend(lights)
            for colour, light in zip(COLOURS, lights):
                found.setdefault("%sFaceLeds%s" % (side, colour), []).append(light)
            for part in (part for part, numbers in EYE_PARTS.items() if at in numbers):
                for group in ("FaceLeds" + part, "FaceLeds%s%s" % (side, part)):
                    found.setdefault(group, []).extend(lights)
    return found


def _ears():  # type: () -> Dict[str, List[str]]
    found = {}  # type: Dict[str, List[str]]
    for side in SIDES:
        for at, degrees in enumerate(ROUND_EAR):
            light = "Ears/Led/%s/%dDeg" % (side, degrees)
            found["%sEarLed%d" % (side, at + 1)] = [light]
            own = side + "EarLeds"
            halves = ("Front" if degrees < 90 or degrees > 270 else "Back", "Odd" if at % 2 else "Even")
            for group in ("EarLeds", own) + tuple(own + half for half in halves):
                found.setdefault(group, []).append(light)
    return found


def _brain():  # type: () -> Dict[str, List[str]]
    found = {}  # type: Dict[str, List[str]]
    for at, place in enumerate(BRAIN):
        part, side, _ = place.split("/")
        light = "Head/Led/" + place
        found["Brain%d" % at] = [light]
        for group in ("", "Back" if part == "Rear" else part, side):
            found.setdefault("BrainLeds" + group, []).append(light)
    return found


def _groups():  # type: () -> Dict[str, List[str]]
    found = _eyes()
    found.update(_ears())
    found.update(_brain())
    for group, device in COLOURED.items():
        found[group] = ["%s/%s" % (device, colour) for colour in COLOURS]
        found.update((group + colour, ["%s/%s" % (device, colour)]) for colour in COLOURS)
    found["FeetLeds"] = found["RightFootLeds"] + found["LeftFootLeds"]
    found["AllLeds"] = [
        light for group in ("FaceLeds", "EarLeds", "BrainLeds", "ChestLeds", "FeetLeds") for light in found[group]
    ]
    for colour in COLOURS:
        found["AllLeds" + colour] = [light for light in found["AllLeds"] if colour in light.split("/")]
    return {group: [light + SUFFIX for light in lights] for group, lights in found.items()}


#: The single lights that each group or short name stands for.
GROUPS = _groups()
#: Every single light, with the suffix and without it: a program may leave it out.
SINGLE = frozenset(GROUPS["AllLeds"]) | frozenset(light[: -len(SUFFIX)] for light in GROUPS["AllLeds"])

#: By how many bits the part of a light lies in 0xRRGGBB; the lights without a colour of their own are blue.
_SHIFTS = {
    light: 16 if "Red" in light.split("/") else 8 if "Green" in light.split("/") else 0 for light in GROUPS["AllLeds"]
}


def part_of(colour, light):  # type: (int, str) -> float
    """Return how bright a single light is when its place shows a colour, 0xRRGGBB.

    >>> [part_of(0xFF0033, light) for light in GROUPS["ChestLeds"]]
    [1.0, 0.0, 0.2]
    """
    return (colour >> _SHIFTS[light] & 0xFF) / 255.0


def is_eye(name):  # type: (str) -> bool
    """Tell whether a name stands for lights of the eyes, alone or among others.

    >>> [is_eye(name) for name in ("FaceLed3", "AllLedsRed", "Face/Led/Red/Left/0Deg", "BrainLeds", "mine")]
    [True, True, True, False, False]
    """
    return any(light.startswith("Face/") for light in GROUPS.get(name, [name]))
