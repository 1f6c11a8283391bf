"""The patterns of ALLeds that move over several lights: round the eyes, at random, and an angle on the ears."""

from __future__ import absolute_import, division, print_function

from naosim.body import BrightnessSteps
from naosim.services.device.led_names import GROUPS, ROUND_EAR, ROUND_EYE, SIDES, part_of
from naosim.world import PortableRandom

MYPY = False
if MYPY:
    from typing import Any, Dict, List

#: Seconds that a random colour stays, and that each colour of the rasta pattern does.
BLINK, STRIPE = 0.1, 0.5
#: The least seconds for one light on the way round the eyes.
QUICKEST = 0.01
RASTA = (0x00FF00, 0xFFFF00, 0xFF0000)


def round_the_eyes(colour, rotation, seconds):  # type: (int, float, float) -> Dict[str, Any]
    """Return the curves of a light that goes round both eyes every `rotation` seconds; then all have its colour."""
    size = len(ROUND_EYE)
    step = max(rotation / size, QUICKEST)
    turns = [[colour if place == at else 0 for place in range(size)] for at in range(size)]
    return _in_the_eyes(turns, step, seconds, colour)


def random_eyes(seed, seconds):  # type: (int, float) -> Dict[str, Any]
    """Return the curves of eyes whose colours change at random, and which end with the colour `seed`."""
    random = PortableRandom(seed)
    turns = [[int(random.random() * 0xFFFFFF) for _ in ROUND_EYE] for _ in ROUND_EYE]
    return _in_the_eyes(turns, BLINK, seconds, seed)


def rasta(seconds):  # type: (float) -> Dict[str, Any]
    """Return the curves of green, yellow and red that go round the eyes."""
    turns = [[RASTA[(at + place) % len(RASTA)] for place in range(len(RASTA))] for at in range(len(ROUND_EYE))]
    return _in_the_eyes(turns, STRIPE, seconds, RASTA[0])


def angle_on_the_ears(degrees, seconds, stays):  # type: (float, float, bool) -> Dict[str, Any]
    """Return the curves of a light that goes along both ears up to an angle, where it stays on or goes off."""
    last = int((degrees * len(ROUND_EAR) / 360.0 + 0.5) // 1) % len(ROUND_EAR)
    step = max(seconds / (last + 1), QUICKEST)
    found = {}
    for side in SIDES:
        for at in range(len(ROUND_EAR)):
            for light in GROUPS["%sEarLed%d" % (side, at + 1)]:
                values = [1.0 if place == at else 0.0 for place in range(last + 1)]
                found[light] = BrightnessSteps(values, step, seconds, 1.0 if stays and at == last else 0.0)
    return found


def _in_the_eyes(turns, step, seconds, end):  # type: (List[List[int]], float, float, int) -> Dict[str, Any]
    """Return the curves of lights that have the same colours in turn in both eyes."""
    return {
        light: BrightnessSteps([part_of(colour, light) for colour in colours], step, seconds, part_of(end, light))
        for at, colours in enumerate(turns)
        for light in GROUPS["FaceLed%d" % at]
    }
