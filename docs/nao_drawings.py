"""The flat drawings of NAO, nao.svg and icon.svg: `python docs/nao_drawings.py` draws them from the figure of the page.

The solids, lamps and joints are those of `naosim_page.figure`, so that NAO is the same robot everywhere.
"""

import math
import operator
import sys
from collections.abc import Iterator
from pathlib import Path

from almath import Position3D, Transform
from jotto_desk import files
from naosim.models import NAO
from naosim_page.figure import OUTLINES, Lamp, Solid, describe_figure, lamps, solids

STATIC = Path(__file__).resolve().parent.parent / "simulator" / "naosim_page" / "static"
#: The camera: how far it is turned to NAO's left and above it, in radians.
TURN, LIFT = 0.2, 0.06
#: The corners of an outline that is not an ellipse.
CORNERS = 20
#: Twice the triangle of three points that count as straight on, in units of a drawing.
STRAIGHT = 60
#: The light of lamps of all colours, and of those that are only blue.
WHITE_LIGHT, BLUE_LIGHT = "#8fd0ff", "#4aa3ff"
#: How bright a surface is in the light, at its colour's own, and in its own shadow.
SHADES = ((0.0, 1.06), (0.6, 0.98), (1.0, 0.76))
#: What moves with these joints is drawn first; then come the other solids, the lights, and what is before a light.
BEHIND = ("Pelvis", "Torso", "HeadYaw")
#: How far a light reaches that a solid before it covers, in metres.
NEAR_M = 0.03

Point = tuple[float, float, float]


def place_joints() -> dict[str, Transform]:
    """Return where the joints of a standing NAO are, seen from the torso."""
    angles = NAO.posture_angles("StandInit")
    places = {"Torso": Transform(), "Pelvis": Transform()}
    for joint in describe_figure()["joints"]:
        x, y, z = joint["place"]
        place = Transform.fromPosition(x, y, z, *joint["turn"])
        turn = joint["base"] + joint["gain"] * angles[joint["name"]]
        about = dict(
            zip(
                ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
                (Transform.fromRotX, Transform.fromRotY, Transform.fromRotZ),
                strict=True,
            )
        )
        axis = tuple(int(part) for part in joint["axis"])
        places[joint["name"]] = places[joint["parent"]] * place * (about[axis](turn) if axis in about else Transform())
    return places


def project(frame: Transform, place: Point) -> Point:
    """Return a place as the camera sees it, in metres: to the right, downwards, and how near it is."""
    point = frame * Position3D(*place)
    ahead = point.x * math.cos(TURN) + point.y * math.sin(TURN)
    right = point.y * math.cos(TURN) - point.x * math.sin(TURN)
    return right, ahead * math.sin(LIFT) - point.z * math.cos(LIFT), ahead * math.cos(LIFT) + point.z * math.sin(LIFT)


def list_surface(solid: Solid) -> Iterator[Point]:
    """Yield points on the surface of a round solid, seen from its middle, not yet turned."""
    outline = OUTLINES[solid.shape]
    low, high = outline[0][1], outline[-1][1]
    for radius, up in outline:
        wide = radius * (1 + (solid.taper - 1) * (up - low) / (high - low))
        for at in range(CORNERS):
            turn = 2 * math.pi * at / CORNERS
            yield solid.size[0] * wide * math.cos(turn), solid.size[1] * wide * math.sin(turn), solid.size[2] * up


def find_outline(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the corners of the smallest convex shape around points."""
    points = sorted(set(points))
    halves = []
    for way in (points, points[::-1]):
        half: list[tuple[int, int]] = []
        for x, y in way:
            while len(half) > 1 and turns_right(half[-2], half[-1], (x, y)):
                half.pop()
            half.append((x, y))
        halves += half[:-1]
    return halves


def turns_right(one: tuple[int, int], two: tuple[int, int], three: tuple[int, int]) -> bool:
    """Return whether the way over three points turns right, or goes nearly straight on."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0]) < STRAIGHT


def find_ellipse(frame: Transform, size: Point) -> tuple[float, float, float]:
    """Return half the width and height of a ball as the camera sees it, and by how many degrees they are turned."""
    middle = project(frame, (0.0, 0.0, 0.0))
    ends = [project(frame, place) for place in ((size[0], 0.0, 0.0), (0.0, size[1], 0.0), (0.0, 0.0, size[2]))]
    right, down = ([end[at] - middle[at] for end in ends] for at in (0, 1))
    wide, tall = (sum(each * each for each in way) for way in (right, down))
    both = sum(map(operator.mul, right, down))
    mean, spread = (wide + tall) / 2, math.hypot((wide - tall) / 2, both)
    return (
        math.sqrt(mean + spread),
        math.sqrt(max(mean - spread, 0.0)),
        math.degrees(math.atan2(2 * both, wide - tall) / 2),
    )


def draw_ellipse(place: tuple[int, int], wide: float, tall: float, fill: str, turn: float = 0.0) -> str:
    """Return an ellipse of a drawing."""
    (x, y), turned = place, round(turn) if round(wide) != round(tall) else 0
    more = f' transform="rotate({turned} {x} {y})"' if turned else ""
    return f'<ellipse {fill} cx="{x}" cy="{y}" rx="{wide:.0f}" ry="{tall:.0f}"{more}/>'


def shade(colour: str, light: float) -> str:
    """Return a colour in more or less light."""
    return "#" + "".join(f"{min(255, round(int(colour[at : at + 2], 16) * light)):02x}" for at in (1, 3, 5))


def find_layer(solid: Solid, lights: list[Lamp]) -> int:
    """Return when a solid is drawn: 0 behind others, 1 among them, 3 before a light."""
    for lamp in lights:
        way = [one - other for one, other in zip(solid.place, lamp.place, strict=True)]
        if lamp.joint == solid.joint and math.hypot(*way) < NEAR_M and sum(map(operator.mul, way, lamp.ahead)) > 0:
            return 3
    return int(solid.joint not in BEHIND)


def draw(width: int, height: int, lowest: float, middle: float, scale: float) -> str:
    """Draw what is above a height, with another height in the middle, and `scale` units of the picture for a metre."""
    joints, lights, found, colours = place_joints(), lamps(), [], []

    def place(point: Point) -> tuple[int, int]:
        return round(width / 2 + scale * point[0]), round(height / 2 + scale * (point[1] + middle))

    for solid in solids():
        seen = project(joints[solid.joint], solid.place)
        if -seen[1] < lowest:
            continue
        whole = joints[solid.joint] * Transform.fromPosition(*solid.place, *solid.turn)
        surface = [project(whole, point) for point in list_surface(solid)]
        if solid.colour not in colours:
            colours.append(solid.colour)
        fill = f'fill="url(#c{colours.index(solid.colour)})"'
        if solid.shape == "ball":
            wide, tall, turn = find_ellipse(whole, solid.size)
            drawn = draw_ellipse(place(seen), scale * wide, scale * tall, fill, turn)
        else:
            corners = find_outline([place(point) for point in surface])
            drawn = f'<path {fill} d="M{"L".join(f"{x} {y}" for x, y in corners)}"/>'
        found.append(((find_layer(solid, lights), seen[2] + max(near for _, _, near in surface)), drawn))
    for lamp in lights:
        seen = project(joints[lamp.joint], lamp.place)
        x, y, z = (one + other for one, other in zip(lamp.place, lamp.ahead, strict=True))
        facing = project(joints[lamp.joint], (x, y, z))[2] - seen[2]
        if -seen[1] < lowest or facing < 0.1:
            continue
        size, fill = scale * lamp.size, f'fill="url(#{"w" if lamp.lights[0] >= 0 else "b"})"'
        found.append(((2, seen[2]), draw_ellipse(place(seen), size * facing, size, fill)))
    stops = [
        f'<radialGradient id="c{at}" cx=".5" cy=".38" r=".7" fx=".38" fy=".25">'
        + "".join(f'<stop offset="{offset:g}" stop-color="{shade(colour, light)}"/>' for offset, light in SHADES)
        + "</radialGradient>"
        for at, colour in enumerate(colours)
    ]
    stops += [
        f'<radialGradient id="{name}"><stop stop-color="{colour}"/><stop offset=".5" stop-color="{colour}" '
        f'stop-opacity=".6"/><stop offset="1" stop-color="{colour}" stop-opacity="0"/></radialGradient>'
        for name, colour in (("w", WHITE_LIGHT), ("b", BLUE_LIGHT))
    ]
    return "<defs>" + "".join(stops) + "</defs>\n" + "\n".join(drawn for _, drawn in sorted(found))


def draw_all() -> dict[str, str]:
    """Return the drawings by their files' names."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}"{}>\n'
    return {
        "nao.svg": head.format(1600, 1500, ' role="img" aria-label="NAO"')
        + draw(1600, 1500, -0.1, 0.1, 4700)
        + "\n</svg>\n",
        "icon.svg": head.format(640, 640, "")
        + '<rect width="640" height="640" rx="140" fill="#0b5cad"/>\n'
        + draw(640, 640, 0.13, 0.187, 3600)
        + "\n</svg>\n",
    }


def main() -> int:
    """Write the drawings."""
    for name, text in draw_all().items():
        files.write_whole(STATIC / name, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
