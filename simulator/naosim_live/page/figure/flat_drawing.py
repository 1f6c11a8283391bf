"""The markup of the flat drawing: what never changes of it; the browser moves and lights its parts by name."""

from __future__ import annotations

from typing import Any

from .flat import CROWN_UP, FLOOR, HEAD, HEIGHT, SCALE, WIDTH, lamp_places
from .lamps import EYE_PLACE, HEAD_PLACE, lamps
from .zones import ZONES

#: Widths of the limbs' lines, in units of the drawing.
_LEG, _ARM = {"Thigh": 40, "Shin": 33, "Foot": 30}, {"UpperArm": 27, "LowerArm": 24, "Hand": 22}
#: Radii of the lamps of a kind, and of the sockets of the eyes.
_RADII = {
    "FaceLed": 2.3,
    "LeftEar": 1.9,
    "RightEar": 1.9,
    "Brain": 1.7,
    "Chest": 7.0,
    "LeftFoot": 4.0,
    "RightFoot": 4.0,
}
_SOCKET = 9.8
#: The head's touch zones: how far below its top's middle, and half of width and height.
_HEAD_ZONES = {
    "RearTactilTouched": (-7.5, 9.0, 3.4),
    "MiddleTactilTouched": (0.0, 10.0, 3.4),
    "FrontTactilTouched": (7.5, 9.0, 3.4),
}
_SIDES = {"R": "Right", "L": "Left"}
_NUMBERS = {lamp.name: number for number, lamp in enumerate(lamps())}


def flat_binding() -> dict[str, Any]:
    """Return what a browser has to know of the drawing: the lights of its lamps, and which of them are in the eyes."""
    return {"lamps": [{"lights": lamp.lights, "isEye": lamp.name.startswith("Face")} for lamp in lamps()]}


def flat_markup() -> str:
    """Return the drawing as SVG; its parts have no place yet."""
    parts = [
        f'<svg class="flat" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="NAO, drawn flat">',
        f'<ellipse class="flat-floor" cx="{WIDTH / 2:g}" cy="{FLOOR + 6:g}" rx="130" ry="18"/>',
    ]
    for side, name in _SIDES.items():
        parts += [_line(side + limb, width) for limb, width in _LEG.items()]
        parts.append(_mark(f"{side}Bumper", _zone(f"{name}BumperPressed", 0.0, 13.0, 7.0)))
        parts.append(_mark(f"{side}FootLeds", _lamp(f"{name}FootLeds")))
    parts.append('<polygon class="flat-trunk" data-part="trunk"/>')
    parts.append(_mark("Chest", _zone("ChestButtonPressed", 0.0, 11.0, 11.0) + _lamp("ChestLeds")))
    parts.append(_head())
    for side, name in _SIDES.items():
        parts += [_line(side + limb, width) for limb, width in _ARM.items()]
        parts += [
            _mark(f"{side}Hand{place}", _zone(f"Hand{name}{place}Touched", 0.0, 5.5, 5.5))
            for place in ("Left", "Right", "Back")
        ]
    return "".join([*parts, "</svg>"])


def _head() -> str:
    """Draw the head round its middle: the eyes go with the face, which turns."""
    across, up = HEAD
    places = {lamp.name: place for lamp, place in lamp_places() if place is not None}
    eyes = [name for name in places if name.startswith("Face")]
    x, y = EYE_PLACE[1] * SCALE, (HEAD_PLACE[2] - EYE_PLACE[2]) * SCALE
    return "".join(
        [
            '<g data-part="head">',
            *(f'<ellipse class="flat-ear" cx="{sign * (across + 3):g}" cy="-0.5" rx="8" ry="15"/>' for sign in (-1, 1)),
            f'<ellipse class="flat-body" rx="{across:g}" ry="{up:g}"/>',
            *(_zone(zone, CROWN_UP + below, *size) for zone, (below, *size) in _HEAD_ZONES.items()),
            *(_lamp(name, *place) for name, place in places.items() if name not in eyes),
            '<g data-part="face">',
            *(f'<circle class="flat-socket" cx="{sign * x:g}" cy="{y:g}" r="{_SOCKET}"/>' for sign in (-1, 1)),
            '<circle class="flat-socket" cy="15" r="2.5"/>',
            *(_lamp(name, *places[name]) for name in eyes),
            "</g></g>",
        ]
    )


def _line(name: str, width: float) -> str:
    return f'<line class="flat-limb" data-part="{name}" stroke-width="{width:g}"/>'


def _mark(name: str, inside: str) -> str:
    return f'<g data-part="{name}">{inside}</g>'


def _zone(event: str, below: float, across: float, up: float) -> str:
    return (
        f'<ellipse class="flat-zone" data-zone="{event}" cy="{below:g}" rx="{across:g}" ry="{up:g}">'
        f"<title>{ZONES[event]}</title></ellipse>"
    )


def _lamp(name: str, x: float = 0.0, y: float = 0.0) -> str:
    radius = next(size for kind, size in _RADII.items() if name.startswith(kind))
    return f'<circle class="flat-lamp" data-lamp="{_NUMBERS[name]}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>'
