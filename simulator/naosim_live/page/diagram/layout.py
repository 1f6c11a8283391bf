"""Where boxes, ports and links of a diagram stand: Choregraphe's own places, moved apart only as far as needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Any, NamedTuple

#: The size of a box without ports, and the room that each port takes on its side.
WIDTH, _HEIGHT, _PORT_STEP = 104.0, 62.0, 13.0
#: Where the first port stands below the top of its box.
_FIRST_PORT = 25.0
#: Room between two boxes, around all of them, and for the ports of the diagram's owner at both edges and their names.
_GAP, _MARGIN, _EDGE, NAMES = 14.0, 26.0, 122.0, 84.0
#: How far Choregraphe's places are drawn apart at most, and how far from the middle a box may stand.
_MOST_SCALE, _FARTHEST = 1.6, 6000
#: Boxes beside which a place is sought, boxes of a diagram that is no crowd, and by how much a gap may be smaller.
_NEAR, _MOST_TRIED, _SLACK = 6, 100, 0.1
#: How far a link goes straight on from a port, at least.
_REACH = 34.0
#: Natures of inputs that are seen from inside the box alone.
_INNER = ("onLoad", "memory")
#: Letters of a line of a box's name, and its lines.
LETTERS, _LINES = 15, 2


class Port(NamedTuple):
    """A port where it is drawn; `side` is "in", "out" or "parameter"."""

    id: int
    name: str
    type: int
    nature: str
    side: str
    x: float
    y: float


@dataclass(frozen=True)
class PlacedBox:
    """A box with its upper left corner."""

    id: int
    address: str
    name: str
    lines: tuple[str, ...]
    kind: str
    opens: bool
    tooltip: str
    findings: int
    x: float
    y: float
    height: float
    ports: tuple[Port, ...]


class PlacedLink(NamedTuple):
    """A link: emitter, output, receiver and input, the type of what it carries, and the curve as an SVG path."""

    ends: tuple[int, int, int, int]
    type: int
    path: str


@dataclass(frozen=True)
class Sheet:
    """A whole diagram; `ports` are those of its owner, at both edges."""

    name: str
    boxes: tuple[PlacedBox, ...]
    ports: tuple[Port, ...]
    links: tuple[PlacedLink, ...]
    width: float
    height: float


def lay_out(told: dict[str, Any]) -> Sheet:
    """Return the sheet of a diagram as the robot's process tells it."""
    rows: Sequence[dict[str, Any]] = told["boxes"]
    linked = {(receiver, port) for _, _, receiver, port in told["links"]}
    heights = [_height(row) for row in rows]
    places = _apart(
        list(zip(_clamped([row["x"] for row in rows]), _clamped([row["y"] for row in rows]), heights, strict=True))
    )
    boxes = tuple(_placed(row, x, y, height, linked) for row, (x, y), height in zip(rows, places, heights, strict=True))
    owner = told["owner"]
    edges = (len(owner["inputs"]), len(owner["outputs"]))
    width = max([box.x + WIDTH for box in boxes] or [_EDGE + WIDTH]) + _EDGE
    height = max([box.y + box.height + _MARGIN for box in boxes] + [_MARGIN * 2 + 20 * each for each in edges])
    ports = (*_edge(owner["inputs"], "in", NAMES), *_edge(owner["outputs"], "out", width - NAMES))
    return Sheet(owner["name"], boxes, ports, tuple(_links(told["links"], boxes, ports)), width, height)


def _height(row: dict[str, Any]) -> float:
    most = max(len(_outer(row["inputs"])), len(row["outputs"]))
    return max(_HEIGHT, _FIRST_PORT + _PORT_STEP * most)


def _outer(inputs: Iterable[list[Any]]) -> list[list[Any]]:
    return [port for port in inputs if port[3] not in _INNER]


def _clamped(places: Sequence[int]) -> list[int]:
    """Bring boxes that stand far from all others near enough to be drawn.

    >>> _clamped([0, 100, 100000])
    [0, 100, 6100]
    """
    middle = median_low(places) if places else 0
    return [max(middle - _FARTHEST, min(middle + _FARTHEST, place)) for place in places]


def _apart(boxes: Sequence[tuple[int, int, float]]) -> list[tuple[float, float]]:
    """Return the places drawn: all scaled by what most boxes need not to cover each other, then the others moved."""
    needs = sorted(
        (need for at, box in enumerate(boxes) for other in boxes[:at] if (need := _needed(box, other)) > 1),
        reverse=True,
    )
    few = len(boxes) // 10
    scale = min(needs[few], _MOST_SCALE) if len(needs) > few else 1.0
    left, top = min([x for x, _, _ in boxes] or [0]), min([y for _, y, _ in boxes] or [0])
    placed: list[tuple[float, float, float]] = []
    for x, y, height in boxes:
        placed.append((*_beside(_EDGE + (x - left) * scale, _MARGIN + (y - top) * scale, height, placed), height))
    return [(round(x, 1), round(y, 1)) for x, y, _ in placed]


def _needed(one: tuple[int, int, float], other: tuple[int, int, float]) -> float:
    """Return the scale at which two boxes do not cover each other, 1 for those that stand at one place."""
    across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
    tall = min(one, other, key=lambda box: box[1])[2]
    rooms = [room / way for room, way in ((WIDTH + _GAP, across), (tall + _GAP, down)) if way]
    return max(1.0, min(rooms, default=1.0))


def _beside(x: float, y: float, height: float, placed: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Return the place of a box: its own, or the nearest one beside, above or below the boxes that it would cover."""
    if _is_free(x, y, height, placed):
        return x, y
    near = sorted(placed, key=lambda other: (other[0] - x) ** 2 + (other[1] - y) ** 2)[:_NEAR]
    if len(placed) < _MOST_TRIED:
        columns = [x, *(u + way * (WIDTH + _GAP) for u, _, _ in near for way in (-1, 1))]
        rows = [y, *(each for _, v, other in near for each in (v + other + _GAP, v - height - _GAP))]
        places = [(u, v) for u in columns for v in rows if u >= _EDGE and v >= _MARGIN]
        for place in sorted(places, key=lambda place: (place[0] - x) ** 2 + (place[1] - y) ** 2):
            if _is_free(*place, height, placed):
                return place
    # In a crowd it goes below all that are in its way.
    for box in sorted(placed, key=lambda box: box[1]):
        if not _is_free(x, y, height, [box]):
            y = box[1] + box[2] + _GAP
    return x, y


def _is_free(x: float, y: float, height: float, placed: Sequence[tuple[float, float, float]]) -> bool:
    return not any(
        x < u + WIDTH + _GAP - _SLACK
        and u < x + WIDTH + _GAP - _SLACK
        and y < v + other + _GAP - _SLACK
        and v < y + height + _GAP - _SLACK
        for u, v, other in placed
    )


def _placed(row: dict[str, Any], x: float, y: float, height: float, linked: set[tuple[int, int]]) -> PlacedBox:
    ports = [_port(port, "in", x, y + _FIRST_PORT + _PORT_STEP * at) for at, port in enumerate(_outer(row["inputs"]))]
    ports += [
        _port(port, "out", x + WIDTH, y + _FIRST_PORT + _PORT_STEP * at) for at, port in enumerate(row["outputs"])
    ]
    fed = [(number, name) for number, name in row["parameters"] if (row["id"], number) in linked]
    ports += [
        Port(number, name, 0, "parameter", "parameter", x + 16 + 14 * at, y + height)
        for at, (number, name) in enumerate(fed)
    ]
    return PlacedBox(
        row["id"],
        row["address"],
        row["name"],
        wrapped(row["name"]),
        row["kind"],
        row["opens"],
        row["tooltip"],
        row["findings"],
        x,
        y,
        height,
        tuple(ports),
    )


def _edge(ports: Sequence[list[Any]], side: str, x: float) -> list[Port]:
    return [_port(port, side, x, _MARGIN + 14 + 20 * at) for at, port in enumerate(ports)]


def _port(told: list[Any], side: str, x: float, y: float) -> Port:
    number, name, kind, nature = told
    return Port(number, name, kind, nature, side, x, y)


def _links(links: Iterable[list[int]], boxes: Iterable[PlacedBox], ports: Iterable[Port]) -> list[PlacedLink]:
    """Draw the links whose ends are both there; each pair of ends once."""
    # From the owner's inputs links go into the diagram, and to its outputs out of it.
    known = {(0, port.id): port for port in ports}
    known |= {(box.id, port.id): port for box in boxes for port in box.ports}
    found = {}
    for emitter, output, receiver, port in links:
        start, end = known.get((emitter, output)), known.get((receiver, port))
        if start is not None and end is not None:
            ends = (emitter, output, receiver, port)
            found[ends] = PlacedLink(ends, start.type, _curve(start, end))
    return list(found.values())


def _curve(start: Port, end: Port) -> str:
    ahead = end.x - start.x
    reach = max(_REACH, ahead / 2) if ahead > 0 else min(140.0, _REACH - ahead / 3)
    bent = (end.x, end.y + reach) if end.side == "parameter" else (end.x - reach, end.y)
    return f"M{start.x:g} {start.y:g}C{start.x + reach:g} {start.y:g} {bent[0]:g} {bent[1]:g} {end.x:g} {end.y:g}"


def wrapped(name: str) -> tuple[str, ...]:
    """Return a name in lines that fit into a box.

    >>> wrapped("Say the score"), wrapped("Speech recognition of numbers")
    (('Say the score',), ('Speech', 'recognition of…'))
    """
    lines, left = [""], name.split() or [""]
    for at, word in enumerate(left):
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= LETTERS or not lines[-1]:
            lines[-1] = joined
        elif len(lines) < _LINES:
            lines.append(word)
        else:
            lines[-1] = " ".join([lines[-1], *left[at:]])
            break
    return tuple(line if len(line) <= LETTERS else line[: LETTERS - 1].rstrip() + "…" for line in lines)
