"""The diagram of a behaviour as SVG, as Choregraphe shows it: boxes, ports, links, and the strip of a timeline.

Names are people's texts and are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from statistics import median_low
from typing import Any, NamedTuple


def draw_diagram(told: dict[str, Any]) -> dict[str, Any]:
    """Return what a robot tells of a diagram (see `diagram` in naosim.robot_requests), with two drawings as SVG.

    `sheet` has the boxes, which have `data-id` and `data-address`, and the links with `data-ends`; `strip` has the
    timeline, whose keyframes have `data-place`, and is "" without a timeline.
    """
    if not told.get("behaviour"):
        return {**told, "sheet": "", "strip": ""}
    return {**told, "sheet": _drawn(_lay_out(told)), "strip": _strip(told)}


# The layout.

#: The size of a box without ports, and the room that each port takes on its side.
_WIDTH, _HEIGHT, _PORT_STEP = 104.0, 62.0, 13.0
#: The distance of the first port from the top of its box.
_FIRST_PORT = 25.0
#: Room between two boxes, around all of them, and for the ports of the diagram's owner at both edges and their names.
_GAP, _MARGIN, _EDGE, _NAMES = 14.0, 26.0, 122.0, 84.0
#: How far Choregraphe's places are drawn apart at most, and how far from the middle a box may stand.
_MOST_SCALE, _FARTHEST = 1.6, 6000
#: Boxes beside which a place is sought, boxes of a diagram that is no crowd, and by how much a gap may be smaller.
_NEAR, _MOST_TRIED, _SLACK = 6, 100, 0.1
#: How far a link goes straight on from a port, at least.
_REACH = 34.0
#: Natures of inputs that are seen only inside the box.
_INNER = ("onLoad", "memory")
#: Letters of a line of a box's name, and its lines.
_BOX_LETTERS, _LINES = 15, 2


class _Port(NamedTuple):
    """A port where it is drawn; `side` is "in", "out" or "parameter"."""

    id: int
    name: str
    type: int
    nature: str
    side: str
    x: float
    y: float


@dataclass(frozen=True)
class _PlacedBox:
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
    ports: tuple[_Port, ...]


class _PlacedLink(NamedTuple):
    """A link: emitter, output, receiver and input, the type of what it carries, and the curve as an SVG path."""

    ends: tuple[int, int, int, int]
    type: int
    path: str


@dataclass(frozen=True)
class _Sheet:
    """A whole diagram; `ports` are those of its owner, at both edges."""

    name: str
    boxes: tuple[_PlacedBox, ...]
    ports: tuple[_Port, ...]
    links: tuple[_PlacedLink, ...]
    width: float
    height: float


def _lay_out(told: dict[str, Any]) -> _Sheet:
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
    width = max([box.x + _WIDTH for box in boxes] or [_EDGE + _WIDTH]) + _EDGE
    height = max([box.y + box.height + _MARGIN for box in boxes] + [_MARGIN * 2 + 20 * each for each in edges])
    ports = (*_edge(owner["inputs"], "in", _NAMES), *_edge(owner["outputs"], "out", width - _NAMES))
    return _Sheet(owner["name"], boxes, ports, tuple(_links(told["links"], boxes, ports)), width, height)


def _height(row: dict[str, Any]) -> float:
    most = max(len(_outer(row["inputs"])), len(row["outputs"]))
    return max(_HEIGHT, _FIRST_PORT + _PORT_STEP * most)


def _outer(inputs: Iterable[list[Any]]) -> list[list[Any]]:
    return [port for port in inputs if port[3] not in _INNER]


def _clamped(places: Sequence[int]) -> list[int]:
    """Bring boxes that are far from all others near enough to be drawn.

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
    """Return the scale at which two boxes do not cover each other, 1 for those at the same place."""
    across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
    tall = min(one, other, key=lambda box: box[1])[2]
    rooms = [room / way for room, way in ((_WIDTH + _GAP, across), (tall + _GAP, down)) if way]
    return max(1.0, min(rooms, default=1.0))


def _beside(x: float, y: float, height: float, placed: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Return the place of a box: its own, or the nearest one beside, above or below the boxes that it would cover."""
    if _is_free(x, y, height, placed):
        return x, y
    near = sorted(placed, key=lambda other: (other[0] - x) ** 2 + (other[1] - y) ** 2)[:_NEAR]
    if len(placed) < _MOST_TRIED:
        columns = [x, *(u + way * (_WIDTH + _GAP) for u, _, _ in near for way in (-1, 1))]
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
        x < u + _WIDTH + _GAP - _SLACK
        and u < x + _WIDTH + _GAP - _SLACK
        and y < v + other + _GAP - _SLACK
        and v < y + height + _GAP - _SLACK
        for u, v, other in placed
    )


def _placed(row: dict[str, Any], x: float, y: float, height: float, linked: set[tuple[int, int]]) -> _PlacedBox:
    ports = [_port(port, "in", x, y + _FIRST_PORT + _PORT_STEP * at) for at, port in enumerate(_outer(row["inputs"]))]
    ports += [
        _port(port, "out", x + _WIDTH, y + _FIRST_PORT + _PORT_STEP * at) for at, port in enumerate(row["outputs"])
    ]
    fed = [(number, name) for number, name in row["parameters"] if (row["id"], number) in linked]
    ports += [
        _Port(number, name, 0, "parameter", "parameter", x + 16 + 14 * at, y + height)
        for at, (number, name) in enumerate(fed)
    ]
    return _PlacedBox(
        row["id"],
        row["address"],
        row["name"],
        _wrapped(row["name"]),
        row["kind"],
        row["opens"],
        row["tooltip"],
        row["findings"],
        x,
        y,
        height,
        tuple(ports),
    )


def _edge(ports: Sequence[list[Any]], side: str, x: float) -> list[_Port]:
    return [_port(port, side, x, _MARGIN + 14 + 20 * at) for at, port in enumerate(ports)]


def _port(told: list[Any], side: str, x: float, y: float) -> _Port:
    number, name, kind, nature = told
    return _Port(number, name, kind, nature, side, x, y)


def _links(links: Iterable[list[int]], boxes: Iterable[_PlacedBox], ports: Iterable[_Port]) -> list[_PlacedLink]:
    """Draw the links whose ends are both there; each pair of ends once."""
    # From the owner's inputs links go into the diagram, and to its outputs out of it.
    known = {(0, port.id): port for port in ports}
    known |= {(box.id, port.id): port for box in boxes for port in box.ports}
    found = {}
    for emitter, output, receiver, port in links:
        start, end = known.get((emitter, output)), known.get((receiver, port))
        if start is not None and end is not None:
            ends = (emitter, output, receiver, port)
            found[ends] = _PlacedLink(ends, start.type, _curve(start, end))
    return list(found.values())


def _curve(start: _Port, end: _Port) -> str:
    ahead = end.x - start.x
    reach = max(_REACH, ahead / 2) if ahead > 0 else min(140.0, _REACH - ahead / 3)
    bent = (end.x, end.y + reach) if end.side == "parameter" else (end.x - reach, end.y)
    return f"M{start.x:g} {start.y:g}C{start.x + reach:g} {start.y:g} {bent[0]:g} {bent[1]:g} {end.x:g} {end.y:g}"


def _wrapped(name: str) -> tuple[str, ...]:
    """Return a name in lines that fit into a box.

    >>> _wrapped("Say the score"), _wrapped("Speech recognition of numbers")
    (('Say the score',), ('Speech', 'recognition of…'))
    """
    lines, left = [""], name.split() or [""]
    for at, word in enumerate(left):
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= _BOX_LETTERS or not lines[-1]:
            lines[-1] = joined
        elif len(lines) < _LINES:
            lines.append(word)
        else:
            lines[-1] = " ".join([lines[-1], *left[at:]])
            break
    return tuple(line if len(line) <= _BOX_LETTERS else line[: _BOX_LETTERS - 1].rstrip() + "…" for line in lines)


# The drawing.

#: What kinds of boxes are called, and the sign that each bears.
_KINDS = {
    "script": "script box",
    "diagram": "diagram box",
    "timeline": "timeline box",
    "dialog": "dialog box",
    "empty": "empty box",
}
_SIGNS = {
    "script": "M0 4l-5 4 5 4M10 4l5 4-5 4M7 2l-4 12",
    "diagram": "M-5 2h8v5h-8zM7 9h8v5h-8zM3 4.5h4v7",
    "timeline": "M-5 13h20M-1 13v-9M5 13v-5M11 13v-11",
    "dialog": "M-5 2h20v9h-11l-4 4v-4h-5z",
    "empty": "M-5 3h20v10h-20z",
}
#: Letters of a port's name at the edge of the sheet.
_EDGE_LETTERS = 12


def _drawn(sheet: _Sheet) -> str:
    """Return the SVG of a sheet; boxes bear `data-id` and `data-address`, links `data-ends`."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram-sheet" viewBox="0 0 {sheet.width:g} {sheet.height:g}" '
        f'width="{sheet.width:g}" height="{sheet.height:g}" role="group" '
        f'aria-label="Diagram of {escape(sheet.name)}">',
        *(line for link in sheet.links for line in _link_lines(link)),
        *(line for port in sheet.ports for line in _edge_port(port)),
        '<g class="diagram-flow" aria-hidden="true"></g>',
        *(line for number, box in enumerate(sheet.boxes) for line in _box_lines(box, is_first=number == 0)),
        "</svg>",
    ]
    return "\n".join(lines)


def _link_lines(link: _PlacedLink) -> Iterator[str]:
    ends = ":".join(str(end) for end in link.ends)
    yield f'<path class="diagram-link type{link.type}" data-ends="{ends}" d="{link.path}" aria-hidden="true"/>'


def _box_lines(box: _PlacedBox, is_first: bool) -> Iterator[str]:
    label = f"{box.name}, {_KINDS.get(box.kind, 'box')}"
    # One box can be reached by Tab; from there the arrow keys lead to the others.
    yield (
        f'<g class="diagram-box kind-{escape(box.kind)}" role="button" tabindex="{0 if is_first else -1}" '
        f'data-id="{box.id}" data-address="{escape(box.address)}" data-opens="{int(box.opens)}" '
        f'data-label="{escape(label)}" aria-label="{escape(label)}">'
    )
    yield f"<title>{escape(box.name)}{escape(': ' + box.tooltip) if box.tooltip else ''}</title>"
    yield f'<rect class="diagram-body" x="{box.x:g}" y="{box.y:g}" width="{_WIDTH:g}" height="{box.height:g}" rx="8"/>'
    yield (
        f'<path class="diagram-sign" d="{_SIGNS.get(box.kind, _SIGNS["empty"])}" '
        f'transform="translate({box.x + _WIDTH / 2 - 5:g} {box.y + 8:g})"/>'
    )
    for number, line in enumerate(box.lines):
        yield (
            f'<text class="diagram-name" x="{box.x + _WIDTH / 2:g}" y="{box.y + 40 + 13 * number:g}">'
            f"{escape(line)}</text>"
        )
    yield from (line for port in box.ports for line in _port_lines(port))
    yield (f'<path class="diagram-runs" d="M0 0l9 5-9 5z" transform="translate({box.x + 6:g} {box.y + 5:g})"/>')
    yield (
        f'<g class="diagram-errors{"" if box.findings else " none"}" data-lint="{box.findings}" '
        f'transform="translate({box.x + _WIDTH - 9:g} {box.y + 2:g})"><circle r="9"/>'
        f'<text y="4">{"!" if box.findings else ""}</text></g>'
    )
    yield "</g>"


def _port_lines(port: _Port) -> Iterator[str]:
    name = f"{port.name} ({port.nature})" if port.nature else port.name
    yield f'<g class="diagram-port type{port.type}"><title>{escape(name)}</title>'
    yield f"{_mark(port)}</g>"


def _edge_port(port: _Port) -> Iterator[str]:
    yield from _port_lines(port)
    short = port.name if len(port.name) <= _EDGE_LETTERS else port.name[: _EDGE_LETTERS - 1] + "…"
    x, anchor = (port.x - 9, "end") if port.side == "in" else (port.x + 9, "start")
    yield (
        f'<text class="diagram-edge" x="{x:g}" y="{port.y + 3.5:g}" text-anchor="{anchor}" '
        f'aria-hidden="true">{escape(short)}</text>'
    )


def _mark(port: _Port) -> str:
    """Return the mark of a port: start a triangle, stop a square, a memory input a diamond, all others a circle."""
    x, y = port.x, port.y
    if port.nature == "onStart":
        return f'<path d="M{x - 4:g} {y - 5:g}l9 5-9 5z"/>'
    if port.nature in {"onStop", "stopped"}:
        return f'<path d="M{x - 4:g} {y - 4:g}h8v8h-8z"/>'
    if port.nature == "memory":
        return f'<path d="M{x:g} {y - 5:g}l5 5-5 5-5-5z"/>'
    return f'<circle cx="{x:g}" cy="{y:g}" r="4"/>'


# The strip of a timeline.

#: Width of the names at the left, of the frames and of the room at the right; the height of a row and of the seconds.
_STRIP_NAMES, _FRAMES, _STRIP_MARGIN, _ROW, _HEAD = 100.0, 800.0, 24.0, 16.0, 18.0
#: Seconds between two marks: the first of these that leaves room for their numbers.
_STEPS, _ROOM = (1, 2, 5, 10, 30, 60, 300, 1800), 40.0
#: Letters of a name at the left, and of a keyframe's for each unit of its width.
_ROW_LETTERS, _LETTER_WIDTH = 14, 6.5


def _strip(told: dict[str, Any]) -> str:
    """Return the SVG of a diagram's timeline, "" where there is none; keyframes bear `data-place`."""
    timeline = told["timeline"]
    if timeline is None:
        return ""
    layers = sorted({row[2] for row in told["keyframes"]})
    curves = timeline["curves"]
    height = _HEAD + _ROW * (len(layers) + len(curves)) + 4
    place = _Scale(timeline)
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="diagram-strip" '
        f'viewBox="0 0 {_STRIP_NAMES + _FRAMES + _STRIP_MARGIN:g} {height:g}" '
        f'role="group" aria-label="Timeline" data-start="{timeline["start"]}" data-frame="{place.each:.6g}" '
        f'data-left="{_STRIP_NAMES:g}">',
        *_seconds(timeline, place, height),
    ]
    for at, layer in enumerate(layers):
        lines += _layer(told, layer, _HEAD + _ROW * at, place)
    for at, (actuator, is_mute, keys) in enumerate(curves):
        lines += _joint(actuator, is_mute, keys, _HEAD + _ROW * (len(layers) + at), place)
    lines += [f'<path class="diagram-playhead" d="M{_STRIP_NAMES:g} 0V{height:g}" aria-hidden="true"/>', "</svg>"]
    return "\n".join(lines)


class _Scale:
    """Where a frame stands."""

    def __init__(self, timeline: dict[str, Any]) -> None:
        self._start: int = timeline["start"]
        self.last: int = timeline["end"]
        self.each: float = _FRAMES / max(1, timeline["end"] - timeline["start"])

    def __call__(self, frame: float) -> float:
        """Return the place of a frame, inside the strip."""
        return _STRIP_NAMES + max(0.0, min(_FRAMES, (frame - self._start) * self.each))


def _seconds(timeline: dict[str, Any], place: _Scale, height: float) -> Iterator[str]:
    second = timeline["fps"] * place.each
    step = next((step for step in _STEPS if step * second >= _ROOM), _STEPS[-1])
    for number in range(0, min(200 * step, int((place.last - timeline["start"]) / timeline["fps"]) + 1), step):
        x = place(timeline["start"] + number * timeline["fps"])
        yield f'<path class="diagram-tick" d="M{x:g} {_HEAD - 3:g}V{height:g}"/>'
        yield f'<text class="diagram-second" x="{x:g}" y="{_HEAD - 6:g}">{number} s</text>'


def _layer(told: dict[str, Any], layer: int, top: float, place: _Scale) -> Iterator[str]:
    names = told["timeline"]["layers"]
    yield _row_name(names[layer] if layer < len(names) else "", top)
    inside = [(at, row) for at, row in enumerate(told["keyframes"]) if row[2] == layer]
    for (at, (frame, name, _, boxes)), following in zip(inside, [*inside[1:], None], strict=True):
        left = place(frame)
        width = max(4.0, place(following[1][0] if following else place.last) - left - 1)
        label = f"Keyframe {name or at + 1} at frame {frame}, {boxes} box{'' if boxes == 1 else 'es'}"
        yield (
            f'<g class="diagram-keyframe" role="button" tabindex="0" data-place="{at}" '
            f'aria-label="{escape(label)}" aria-pressed="{str(at == told["place"]).lower()}">'
            f"<title>{escape(label)}</title>"
            f'<rect x="{left:g}" y="{top + 1:g}" width="{width:g}" height="{_ROW - 2:g}" rx="3"/>'
        )
        if width > _LETTER_WIDTH * 3:
            short = name[: int(width / _LETTER_WIDTH)]
            yield f'<text x="{left + 4:g}" y="{top + 12:g}" aria-hidden="true">{escape(short)}</text>'
        yield "</g>"


def _joint(actuator: str, is_mute: bool, keys: list[int], top: float, place: _Scale) -> Iterator[str]:
    yield _row_name(actuator, top, " mute" if is_mute else "")
    if keys:
        middle = top + _ROW / 2
        yield (
            f'<path class="diagram-motion{" mute" if is_mute else ""}" '
            f'd="M{place(min(keys)):g} {middle:g}H{place(max(keys)):g}"/>'
        )
        marks = "".join(f"M{place(key):g} {middle - 4:g}l4 4-4 4-4-4z" for key in keys)
        yield f'<path class="diagram-key{" mute" if is_mute else ""}" d="{marks}"/>'


def _row_name(name: str, top: float, more: str = "") -> str:
    short = name if len(name) <= _ROW_LETTERS else name[: _ROW_LETTERS - 1] + "…"
    return f'<text class="diagram-row{more}" x="{_STRIP_NAMES - 6:g}" y="{top + 12:g}">{escape(short)}</text>'
