"""The picture of the flow: the places of the boxes, curves for the wires, and the SVG.

All arithmetic uses only sums, products and square roots, so that every computer draws the same picture.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import sqrt
from typing import NamedTuple

from jotto_desk.robot_kit.flow import INPUT_NATURES, ROOT, Box, End, Flow, FlowLink, escaped

# Points, rectangles and curves.

#: The straight pieces of a curve in calculations.
_SAMPLES = 16


class Point(NamedTuple):
    """A place in units of the picture, x to the right and y downwards."""

    x: float
    y: float


class _Rect(NamedTuple):
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def center(self) -> Point:
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def grown(self, by: float) -> _Rect:
        return _Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def holds(self, point: Point) -> bool:
        return self.left < point.x < self.right and self.top < point.y < self.bottom

    def held(self, points: Iterable[Point]) -> int:
        """Count the points that are strictly inside."""
        left, top, right, bottom = self
        return sum(left < x < right and top < y < bottom for x, y in points)

    def meets(self, other: _Rect) -> bool:
        """Return whether the two rectangles overlap.

        >>> _Rect(0, 0, 2, 2).meets(_Rect(1, 1, 3, 3)), _Rect(0, 0, 2, 2).meets(_Rect(2, 0, 3, 1))
        (True, False)
        """
        is_level = self.left < other.right and other.left < self.right
        return is_level and self.top < other.bottom and other.top < self.bottom


def around(center: Point, width: float, height: float) -> _Rect:
    """Return the rectangle of that size around a point."""
    return _Rect(center.x - width / 2, center.y - height / 2, center.x + width / 2, center.y + height / 2)


def distance(one: Point, other: Point) -> float:
    """Return the distance between two points."""
    return sqrt((one.x - other.x) ** 2 + (one.y - other.y) ** 2)


class Curve:
    """A cubic curve from `start` to `end`, bent towards `first` and `second`."""

    def __init__(self, start: Point, first: Point, second: Point, end: Point) -> None:
        self.controls = (start, first, second, end)

    def at(self, t: float) -> Point:
        """Return the point at `t`, which runs from 0 (start) to 1 (end)."""
        start, first, second, end = self.controls
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        x = a * start.x + b * first.x + c * second.x + d * end.x
        return Point(x, a * start.y + b * first.y + c * second.y + d * end.y)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Return points along the curve, with its ends."""
        return tuple(self.at(number / _SAMPLES) for number in range(_SAMPLES + 1))

    @cached_property
    def fine_points(self) -> tuple[Point, ...]:
        """Return points along the curve that are closer together than a label is wide."""
        return tuple(self.at(number / (_SAMPLES * 5)) for number in range(_SAMPLES * 5 + 1))

    @cached_property
    def segments(self) -> tuple[tuple[Point, Point, _Rect], ...]:
        """Return the straight pieces between the points, each with the rectangle around it."""
        pairs = zip(self.points, self.points[1:], strict=False)
        return tuple(
            (a, b, _Rect(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)).grown(0.1)) for a, b in pairs
        )

    @cached_property
    def length(self) -> float:
        """Return the approximate length."""
        return sum(distance(one, other) for one, other in zip(self.points, self.points[1:], strict=False))

    @cached_property
    def bounds(self) -> _Rect:
        """Return the rectangle around the curve."""
        xs, ys = zip(*self.points, strict=True)
        return _Rect(min(xs), min(ys), max(xs), max(ys)).grown(1)

    def crossings(self, other: Curve) -> int:
        """Return how often two curves cross."""
        if not self.bounds.meets(other.bounds):
            return 0
        mine = [segment for segment in self.segments if segment[2].meets(other.bounds)]
        others = [segment for segment in other.segments if segment[2].meets(self.bounds)]
        return sum(a[2].meets(b[2]) and _cross(a[0], a[1], b[0], b[1]) for a in mine for b in others)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Point, b: Point, c: Point) -> float:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


# The places of the boxes: those of Choregraphe, aligned in columns and rows. Lengths are in units of the picture.

_MARGIN = 26.0
_MIN_BOX_WIDTH = 106.0
#: The space around a name or label.
_ROOM = 14.0
#: Font sizes.
_NAME_SIZE = 12.5
_LABEL_SIZE = 11.0
_TAG_SIZE = 10.0
#: The height of a box without tags.
HEAD = 34.0
_TAG_HEIGHT = 15.0
_TAG_GAP = 4.0
#: The least distance between two boxes.
_GAP = 56.0
#: Boxes whose places differ by less are in the same column or row.
_SAME = 60
#: Farther than any place.
_FAR = 10**6
#: The radius of a dot, and its distance from its box.
_DOT = 11.0
_DOT_AWAY = 40.0
#: Outward direction of each side of a box.
_SIDES = {"right": (1, 0), "left": (-1, 0), "top": (0, -1), "bottom": (0, 1)}
_TITLE_HEIGHT = 78.0
#: An output that leads from at least this number of boxes to the same box is drawn as a tag.
_EXIT_BOXES = 3
#: An output that leads from at least this share of the boxes to the same box is only in the legend.
_EXIT_SHARE = 0.75
#: Names of the two dots; no box has them, as a box's name contains no line break.
START = "\nstart"
END = "\nend"


class Exit(NamedTuple):
    """An output of many boxes that always leads to the same box."""

    output: str
    target: str


class _Wire(NamedTuple):
    """A curve for all links between the same two boxes."""

    source: str
    target: str
    label: str


@dataclass(frozen=True)
class _Placed:
    """A box of the picture; the two dots are boxes without tags."""

    name: str
    rect: _Rect
    tags: tuple[tuple[int, _Rect], ...] = ()
    entries: tuple[tuple[int, _Rect], ...] = ()

    def rects(self) -> list[_Rect]:
        """Return the rectangles that no label may cover: the box, and the tags on its edge."""
        return [self.rect, *(rect for _, rect in self.entries)]


@dataclass(frozen=True)
class _Layout:
    """Everything with its place; `common` exits are only in the legend."""

    boxes: dict[str, _Placed]
    dots: dict[str, _Placed]
    exits: tuple[Exit, ...]
    common: tuple[Exit, ...]
    wires: tuple[_Wire, ...]
    width: float
    height: float

    def places(self) -> dict[str, _Placed]:
        return self.boxes | self.dots


def _text_width(text: str, size: float) -> float:
    """Estimate the width of a text, a little too large.

    >>> _text_width("stop", 10.0)
    22.4
    """
    return round(len(text) * size * 0.56, 1)


class _Shape(NamedTuple):
    """The size of a box and the rows of tags in it."""

    width: float
    height: float
    rows: list[list[int]]


def lay_out(flow: Flow) -> _Layout:
    """Return the places of everything in the flow."""
    exits = _exits(flow)
    common = tuple(exit for exit in exits if _users(flow, exit) >= _EXIT_SHARE * len(flow.boxes))
    tagged = tuple(exit for exit in exits if exit not in common)
    wires = _wires(flow, exits)
    shapes = {box.name: _shape(box.name, _tags(flow, box, tagged), tagged) for box in flow.boxes}
    widths = {name: shape.width for name, shape in shapes.items()}
    heights = {name: shape.height for name, shape in shapes.items()}
    left = _MARGIN + _DOT_AWAY + _DOT
    columns = _lines({box.name: box.x for box in flow.boxes}, widths, left, _column_gaps(flow, wires))
    rows = _lines({box.name: box.y for box in flow.boxes}, heights, _TITLE_HEIGHT, {})
    boxes = {name: _placed(name, Point(columns[name], rows[name]), shape, tagged) for name, shape in shapes.items()}
    dots = _dots(wires, boxes)
    everything = [placed.rect for placed in (*boxes.values(), *dots.values())]
    width = max(rect.right for rect in everything) + _MARGIN
    return _Layout(boxes, dots, tagged, common, wires, width, max(rect.bottom for rect in everything) + _GAP)


def _users(flow: Flow, exit: Exit) -> int:
    return sum(link.emitter.port == exit.output and link.receiver.box == exit.target for link in flow.links)


def _exits(flow: Flow) -> tuple[Exit, ...]:
    found = dict.fromkeys(Exit(link.emitter.port, link.receiver.box) for link in flow.links if link.emitter.box != ROOT)
    return tuple(exit for exit in found if _users(flow, exit) >= _EXIT_BOXES)


def _tags(flow: Flow, box: Box, exits: tuple[Exit, ...]) -> list[int]:
    targets = {(link.emitter.port, link.receiver.box) for link in flow.links if link.emitter.box == box.name}
    return [number for number, exit in enumerate(exits) if exit in targets]


def _wires(flow: Flow, exits: tuple[Exit, ...]) -> tuple[_Wire, ...]:
    labels: dict[tuple[str, str], list[str]] = {}
    for link in flow.links:
        if link.emitter.box == ROOT or Exit(link.emitter.port, link.receiver.box) not in exits:
            ends = (_node(link.emitter, START), _node(link.receiver, END))
            labels.setdefault(ends, []).append(_place_label(flow, link))
    return tuple(_Wire(*ends, ", ".join(filter(None, dict.fromkeys(names)))) for ends, names in labels.items())


def _node(end: End, dot: str) -> str:
    return dot if end.box == ROOT else end.box


def _place_label(flow: Flow, link: FlowLink) -> str:
    emitter = "" if link.emitter.box == ROOT and link.emitter.port == "onStart" else link.emitter.port
    if link.receiver.box == ROOT:
        return "" if emitter == "onStopped" else emitter
    starts = [port.name for port in flow.box(link.receiver.box).inputs if INPUT_NATURES[port.nature] == 2]
    return emitter if link.receiver.port in starts else f"{emitter} \u2192 {link.receiver.port}".strip()


def _shape(name: str, tags: list[int], exits: tuple[Exit, ...]) -> _Shape:
    width = max(_MIN_BOX_WIDTH, _text_width(name, _NAME_SIZE * 1.06) + _ROOM)
    rows: list[list[int]] = []
    used = width
    for tag in tags:
        wide = _tag_width(exits[tag].output) + _TAG_GAP
        if used + wide > width - 4:
            rows.append([])
            used = _TAG_GAP
        rows[-1].append(tag)
        used += wide
    return _Shape(width, HEAD + len(rows) * (_TAG_HEIGHT + _TAG_GAP) + (2 if rows else 0), rows)


def _tag_width(text: str) -> float:
    return _text_width(text, _TAG_SIZE) + 10


_Gaps = dict[frozenset[str], float]


def _column_gaps(flow: Flow, wires: tuple[_Wire, ...]) -> _Gaps:
    """Return the distances between boxes in one row that the labels of straight wires need."""
    rows = {box.name: box.y for box in flow.boxes}
    return {
        frozenset((wire.source, wire.target)): _text_width(wire.label, _LABEL_SIZE) + _ROOM
        for wire in wires
        if abs(rows.get(wire.source, _FAR) - rows.get(wire.target, -_FAR)) < _SAME
    }


def _lines(places: dict[str, int], sizes: dict[str, float], start: float, gaps: _Gaps) -> dict[str, float]:
    """Return the middle of each name's column (or row); similar places share a column."""
    groups: list[list[str]] = []
    for name in sorted(places, key=lambda name: (places[name], name)):
        if groups and places[name] - places[groups[-1][0]] < _SAME:
            groups[-1].append(name)
        else:
            groups.append([name])
    middles: dict[str, float] = {}
    for group, after in zip(groups, [*groups[1:], []], strict=True):
        size = max(sizes[name] for name in group)
        middles.update(dict.fromkeys(group, start + size / 2))
        start += size + max([_GAP, *(gaps.get(frozenset((one, other)), 0.0) for one in group for other in after)])
    return middles


def _placed(name: str, center: Point, shape: _Shape, exits: tuple[Exit, ...]) -> _Placed:
    rect = around(center, shape.width, shape.height)
    tags = []
    top = rect.top + HEAD - 3
    for row in shape.rows:
        sizes = [_tag_width(exits[tag].output) for tag in row]
        left = center.x - (sum(sizes) + _TAG_GAP * (len(row) - 1)) / 2
        for tag, size in zip(row, sizes, strict=True):
            tags.append((tag, _Rect(left, top, left + size, top + _TAG_HEIGHT)))
            left += size + _TAG_GAP
        top += _TAG_HEIGHT + _TAG_GAP
    return _Placed(name, rect, tuple(tags), tuple(_entries(name, rect, exits)))


def _entries(name: str, rect: _Rect, exits: tuple[Exit, ...]) -> Iterator[tuple[int, _Rect]]:
    """Yield the tags on the upper edge of a box, for the exits that lead to it."""
    left, top = rect.left + 8, rect.top - _TAG_HEIGHT + 4
    for number, exit in enumerate(exits):
        if exit.target == name:
            right = left + _tag_width(_entry_text(exit))
            yield number, _Rect(left, top, right, top + _TAG_HEIGHT)
            left = right + _TAG_GAP


def _entry_text(exit: Exit) -> str:
    return f"\u2192 {exit.output}"


def _dots(wires: tuple[_Wire, ...], boxes: dict[str, _Placed]) -> dict[str, _Placed]:
    """Return the dots by name, each at a free side of the first box it is linked to."""
    dots: dict[str, _Placed] = {}
    started = [wire.target for wire in wires if wire.source == START and wire.target in boxes]
    ended = [wire.source for wire in wires if wire.target == END and wire.source in boxes]
    for name, neighbours, sides in ((START, started, "left top bottom right"), (END, ended, "right bottom left top")):
        if neighbours:
            taken = [placed.rect for placed in (*boxes.values(), *dots.values())]
            rects = [_beside(boxes[neighbours[0]].rect, _SIDES[side]) for side in sides.split()]
            free = [rect for rect in rects if not any(rect.grown(6).meets(other) for other in taken)]
            dots[name] = _Placed(name, (free or rects)[0])
    return dots


def _beside(box: _Rect, side: tuple[int, int]) -> _Rect:
    x, y = box.center
    center = Point(x + side[0] * (box.right - x + _DOT_AWAY), y + side[1] * (box.bottom - y + _DOT_AWAY))
    return around(center, 2 * _DOT, 2 * _DOT)


# Curves for the wires: of many possible curves, those that avoid boxes and each other.

#: Distance from the middle of a vertical and of a horizontal side to the other two points where a wire may begin.
_UPRIGHT = 11.0
_LEVEL = 34.0
#: How far a curve bends at its start and its end, as shares of the distance between them.
_BENDS = ((0.35, 0.35), (0.6, 0.6), (0.95, 0.95), (0.2, 0.7), (0.7, 0.2), (0.09, 0.09))
_LEAST_BEND = 20.0
_MOST_BEND = 260.0
#: A curve should have this distance from other boxes.
_CLEAR = 5.0
#: A curve should not stay within this distance of a box where it begins or ends.
_HUGGED = 8.0
#: Points of two curves within this distance are too near each other.
_NEAR = 9.0
#: Curves that are kept for each wire.
_KEPT = 20
#: The most rounds in which every wire may choose another curve.
_PASSES = 8
#: The costs of faults, in units of length: a point in a box, near a box, outside the picture, and a missing label.
_HIT = 350.0
_HUG = 30.0
_OUTSIDE = 200.0
_NO_LABEL = 400.0
#: The costs of a crossing, of points too near to another curve, and of a shared end.
_CROSSING = 90.0
_CROWDED = 14.0
_SHARED_PORT = 160.0
#: The costs of an end that is not in the middle of a side, of an S-shaped curve, and of a sharp bend.
_OFF_MIDDLE = 8.0
_S_BEND = 24.0
_SHARP = 200.0
#: The places of a label on its curve, the best first.
_LABEL_AT = (0.35, 0.4, 0.3, 0.45, 0.5, 0.25, 0.55, 0.2, 0.6, 0.65, 0.15, 0.7)
_LABEL_HEIGHT = _LABEL_SIZE + 4


@dataclass(frozen=True, eq=False)  # Compared by identity, which makes the cache of `_between` fast.
class _Route:
    """A wire with a possible curve, the cost of that curve, and possible places of its label."""

    wire: _Wire
    curve: Curve
    cost: float
    labels: tuple[_Rect, ...]


def route(layout: _Layout) -> list[tuple[_Route, _Rect | None]]:
    """Choose a curve for every wire, and a place for its label (None if it has no label)."""
    choices = [_choices(wire, layout) for wire in layout.wires]
    chosen = [routes[0] for routes in choices]
    between = cache(_between)
    for _ in range(_PASSES):
        before = list(chosen)
        for place, routes in enumerate(choices):
            others = [other for at, other in enumerate(chosen) if at != place]
            chosen[place] = min(routes, key=lambda one: one.cost + sum(between(one, other) for other in others))
        if chosen == before:
            break
    return list(zip(chosen, _labels(chosen), strict=True))


def _choices(wire: _Wire, layout: _Layout) -> list[_Route]:
    """Return the cheapest curves for a wire, regardless of other wires."""
    places = layout.places()
    source, target = places[wire.source], places[wire.target]
    routes = []
    for cost, curve in _cheapest(source, target, _surroundings(source, target, layout)):
        labels = tuple(_label_places(wire, curve, places.values()))
        if labels or not wire.label:
            routes.append(_Route(wire, curve, cost, labels))
        else:
            routes.append(_Route(wire, curve, cost + _NO_LABEL, (_label_place(wire, curve, 0.5),)))
    return sorted(routes, key=lambda found: found.cost)


def _cheapest(source: _Placed, target: _Placed, surroundings: _Surroundings) -> list[tuple[float, Curve]]:
    """Return the cheapest curves between two boxes, cheapest first."""
    # No curve is shorter than the straight line, so a curve is skipped if even that costs too much.
    least = {
        curve.controls: (distance(start[0], end[0]) + _unease(start, end, bends), _unease(start, end, bends), curve)
        for start, end, bends in product(_ports(source), _ports(target), _BENDS)
        if source != target or start[1] != end[1]
        for curve in (_curve(start, end, bends),)
    }
    found: list[tuple[float, Curve]] = []
    for lowest, unease, curve in sorted(least.values(), key=lambda entry: entry[0]):
        if len(found) >= _KEPT and lowest >= found[_KEPT - 1][0]:
            break
        insort(found, (surroundings.cost(curve) + unease, curve), key=lambda entry: entry[0])
    return found[:_KEPT]


Port = tuple[Point, tuple[int, int], float]


def _ports(placed: _Placed) -> list[Port]:
    """Return the places where a wire may begin: point, outward direction, cost of the place."""
    rect = placed.rect
    shifts = (0,) if rect.right - rect.left <= 2 * _DOT else (-1, 0, 1)
    x, y = rect.center
    ports = []
    for across, down in _SIDES.values():
        edge = Point(x + across * (rect.right - x), y + down * (rect.bottom - y))
        for shift in shifts:
            at = Point(edge.x + shift * _LEVEL * abs(down), edge.y + shift * _UPRIGHT * abs(across))
            ports.append((at, (across, down), _OFF_MIDDLE * abs(shift)))
    return ports


def _unease(start: Port, end: Port, bends: tuple[float, float]) -> float:
    """Return the cost of a curve's shape and of its ends."""
    facing = start[1] == (-end[1][0], -end[1][1])
    in_line = start[0].x == end[0].x or start[0].y == end[0].y
    sharp = _SHARP if max(bends) < 0.2 and not in_line else 0.0
    return start[2] + end[2] + (_S_BEND if facing and not in_line else 0.0) + sharp


def _curve(start: Port, end: Port, bends: tuple[float, float]) -> Curve:
    apart = distance(start[0], end[0])
    bent = []
    for (at, way, _), bend in zip((start, end), bends, strict=True):
        reach = min(_MOST_BEND, max(_LEAST_BEND, bend * apart))
        bent.append(Point(at.x + way[0] * reach, at.y + way[1] * reach))
    return Curve(start[0], bent[0], bent[1], end[0])


@dataclass(frozen=True)
class _Surroundings:
    """The rectangles that a curve between two boxes should avoid."""

    others: tuple[_Rect, ...]
    own: tuple[_Rect, ...]
    hugged: tuple[_Rect, ...]
    bounds: _Rect

    def cost(self, curve: Curve) -> float:
        """Return the cost of a curve: its length and its faults."""
        points = curve.points
        hits = sum(rect.held(points) for rect in self.others if rect.meets(curve.bounds))
        hits += sum(rect.held(points[1:-1]) for rect in self.own)
        hugs = sum(rect.held(points[3:-3]) for rect in self.hugged)
        outside = len(points) - self.bounds.held(points)
        return curve.length + _HIT * hits + _HUG * hugs + _OUTSIDE * outside


def _surroundings(source: _Placed, target: _Placed, layout: _Layout) -> _Surroundings:
    places = layout.places().values()
    others = [placed.rect.grown(_CLEAR) for placed in places if placed not in (source, target)]
    own = tuple(dict.fromkeys((source.rect, target.rect)))
    return _Surroundings(
        others=(*others, *(rect.grown(3) for placed in places for _, rect in placed.entries)),
        own=tuple(rect.grown(-0.5) for rect in own),
        # A curve close to its own box looks like a part of the box's frame.
        hugged=tuple(rect.grown(_HUGGED) for rect in own),
        bounds=_Rect(4, 36, layout.width - 4, layout.height - 4),
    )


def _between(one: _Route, other: _Route) -> float:
    """Return the cost of two curves together: crossings, points near each other, shared ends."""
    cost = _CROSSING * one.curve.crossings(other.curve)
    # Only wires into the same box may share their ends: there the tips look like one.
    joined = one.wire.target == other.wire.target
    pairs = [(a, b) for a in (0, 3) for b in (0, 3) if not (a == b == 3 and joined)]
    cost += _SHARED_PORT * sum(distance(one.curve.controls[a], other.curve.controls[b]) < _NEAR for a, b in pairs)
    if one.curve.bounds.grown(8).meets(other.curve.bounds):
        mine, theirs = one.curve.points[2:-2:2], other.curve.points[2:-2:2]
        near = _NEAR * _NEAR
        cost += _CROWDED * sum((x - u) * (x - u) + (y - v) * (y - v) < near for x, y in mine for u, v in theirs)
    return cost


def _label_places(wire: _Wire, curve: Curve, placed: Iterable[_Placed]) -> Iterable[_Rect]:
    if not wire.label:
        return
    rects = [rect.grown(2) for one in placed for rect in one.rects()]
    for t in _LABEL_AT:
        label = _label_place(wire, curve, t)
        if not any(label.meets(rect) for rect in rects):
            yield label


def _label_place(wire: _Wire, curve: Curve, t: float) -> _Rect:
    return around(curve.at(t), _text_width(wire.label, _LABEL_SIZE) + 6, _LABEL_HEIGHT)


def _labels(routes: Sequence[_Route]) -> list[_Rect | None]:
    """Return a place for each label, away from other labels and curves; labels with few possible places come first."""
    taken: dict[int, _Rect] = {}
    for place in sorted(range(len(routes)), key=lambda at: (len(routes[at].labels), at)):
        if routes[place].labels:
            taken[place] = min(routes[place].labels, key=lambda label: _label_cost(label, place, routes, taken))
    return [taken.get(place) for place in range(len(routes))]


def _label_cost(label: _Rect, place: int, routes: Sequence[_Route], taken: Mapping[int, _Rect]) -> float:
    cost = float(routes[place].labels.index(label))
    cost += 100 * sum(label.grown(2).meets(other) for other in taken.values())
    for at, other in enumerate(routes):
        if at != place:
            cost += 25 * bool(label.held(other.curve.fine_points))
    return cost


# The SVG: boxes coloured by script, wires with the output's name, exits as tags.

_TITLE = "How NAO plays Jotto: the boxes of the behaviour"
#: Fill and line, then dark fill and dark line, for each script in the order of the boxes.
_KIND_COLOURS = (
    ("#fff3d6", "#b7791f", "#453411", "#e0aa4a"),
    ("#e0f2e6", "#2f7d4f", "#173a26", "#63c08a"),
    ("#e2edfb", "#2f6bb0", "#17304f", "#6faaf0"),
    ("#f0e6fa", "#7a4bb0", "#33214c", "#b48cf0"),
    ("#eeeeee", "#666666", "#333333", "#aaaaaa"),
)
#: The colour and the dark colour of each exit's tags.
_EXIT_COLOURS = [("#b3382c", "#f08a7e"), ("#0f7c86", "#4cc3cf"), ("#8a4b9c", "#d39be4")]
_EXIT_COLOURS += [("#7a6a00", "#d8c24a"), ("#2e7d46", "#7fcf95")]
_LEGEND_HEIGHT = 22.0

_STYLE = """\
text{font-family:"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif;fill:#1f2328}
.panel{fill:#ffffff;stroke:#d0d7de}
.title{font-size:16px;font-weight:600}
.name{font-weight:600;text-anchor:middle}
.wire{fill:none;stroke:#6b7683;stroke-width:1.5}
.tip{fill:#6b7683}
.label{text-anchor:middle;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
.note{fill:#57606a}
.box{stroke-width:1.6}
.tag{stroke-width:1.1;fill:#ffffff}
.dot{fill:#1f2328}
.mark{fill:#ffffff}
"""
_DARK_STYLE = """\
text{fill:#e6edf3}
.panel{fill:#0d1117;stroke:#30363d}
.wire{stroke:#8b949e}
.tip{fill:#8b949e}
.label{stroke:#0d1117}
.note{fill:#9aa4af}
.tag{fill:#0d1117}
.dot{fill:#e6edf3}
.mark{fill:#0d1117}
"""


def diagram_text(flow: Flow) -> str:
    """Return the picture of a flow as SVG."""
    layout = lay_out(flow)
    kinds = {script: number % len(_KIND_COLOURS) for number, script in enumerate(flow.scripts())}
    legend, height = _legend(layout, kinds)
    description = "; ".join(f"{link.emitter} to {link.receiver}" for link in flow.links)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(layout.width)} {_n(height)}" '
        f'width="{_n(layout.width)}" height="{_n(height)}" role="img" aria-labelledby="title description">',
        f'<title id="title">{_TITLE}</title>',
        f'<desc id="description">{escaped(description)}</desc>',
        f"<style>\n{_style(len(layout.exits))}</style>",
        f'<rect class="panel" x="0.5" y="0.5" width="{_n(layout.width - 1)}" height="{_n(height - 1)}" rx="10" />',
        f'<text class="title" x="{_n(_MARGIN)}" y="32">{_TITLE}</text>',
    ]
    routes = route(layout)
    lines += [line for found, _ in routes for line in _wire(found)]
    for box in flow.boxes:
        lines += _box(layout.boxes[box.name], kinds[box.script], layout.exits)
    lines += [line for placed in layout.dots.values() for line in _dot(placed)]
    for placed in layout.boxes.values():
        for number, rect in placed.entries:
            lines += _tag(number, _entry_text(layout.exits[number]), rect)
    labels = ((found.wire.label, place) for found, place in routes if place is not None)
    lines += [_text(label, place.center, _LABEL_SIZE, "label") for label, place in labels]
    return "\n".join([*lines, *legend, "</svg>"]) + "\n"


def _style(exits: int) -> str:
    light, dark = [_STYLE], [_DARK_STYLE]
    for number, (fill, line, dark_fill, dark_line) in enumerate(_KIND_COLOURS):
        light.append(f".kind{number}{{fill:{fill};stroke:{line}}}\n")
        dark.append(f".kind{number}{{fill:{dark_fill};stroke:{dark_line}}}\n")
    for number in range(exits):
        colours = _EXIT_COLOURS[number % len(_EXIT_COLOURS)]
        for rules, colour in zip((light, dark), colours, strict=True):
            rules.append(f".tag{number}{{stroke:{colour}}} .word{number}{{fill:{colour}}}\n")
    return f"{''.join(light)}@media (prefers-color-scheme:dark){{\n{''.join(dark)}}}\n"


def _box(placed: _Placed, kind: int, exits: Sequence[Exit]) -> Iterator[str]:
    rect = placed.rect
    middle = Point((rect.left + rect.right) / 2, rect.top + HEAD / 2)
    yield _rect(rect, f"box kind{kind}", 9)
    yield _text(placed.name, middle, _NAME_SIZE, "name")
    for number, tag in placed.tags:
        yield from _tag(number, exits[number].output, tag)


def _tag(number: int, text: str, rect: _Rect) -> Iterator[str]:
    yield _rect(rect, f"tag tag{number}", 7)
    yield _text(text, rect.center, _TAG_SIZE, f"name word{number}")


def _dot(placed: _Placed) -> Iterator[str]:
    rect = placed.rect
    x, y = rect.center
    yield f'<circle class="dot" cx="{_n(x)}" cy="{_n(y)}" r="{_n((rect.right - rect.left) / 2)}" />'
    if placed.name == START:
        yield f'<path class="mark" d="M{_n(x - 3)} {_n(y - 5)}L{_n(x + 6)} {_n(y)}L{_n(x - 3)} {_n(y + 5)}Z" />'
    else:
        yield f'<rect class="mark" x="{_n(x - 4)}" y="{_n(y - 4)}" width="8" height="8" />'


def _wire(found: _Route) -> Iterator[str]:
    start, first, second, end = found.curve.controls
    yield f'<path class="wire" d="M{_p(start)}C{_p(first)} {_p(second)} {_p(end)}" />'
    yield f'<path class="tip" d="{_tip(found.curve)}" />'


def _tip(curve: Curve) -> str:
    end, before = curve.controls[3], curve.controls[2]
    length = max(abs(end.x - before.x) + abs(end.y - before.y), 0.1)
    # A wire meets its box at a right angle, so x or y is 0.
    x, y = (end.x - before.x) / length, (end.y - before.y) / length
    back = Point(end.x - 8 * x, end.y - 8 * y)
    sides = (Point(back.x - 4 * y, back.y + 4 * x), Point(back.x + 4 * y, back.y - 4 * x))
    return f"M{_p(end)}L{_p(sides[0])}L{_p(sides[1])}Z"


def _legend(layout: _Layout, kinds: Mapping[str, int]) -> tuple[list[str], float]:
    """Return the lines of the legend, and the height of the picture with it."""
    lines: list[str] = []
    top = layout.height
    left = _MARGIN
    for script, kind in kinds.items():
        lines.append(_rect(_Rect(left, top - 8, left + 18, top + 4), f"box kind{kind}", 4))
        lines.append(_text(script, Point(left + 24, top - 2), _LABEL_SIZE, "note"))
        left += 24 + _text_width(script, _LABEL_SIZE) + 14
    for number, exit in enumerate(layout.exits):
        width = _tag_width(exit.output)
        text = f"leads to {_target(exit)}"
        if left + width + 6 + _text_width(text, _LABEL_SIZE) > layout.width - _MARGIN:
            left, top = _MARGIN, top + _LEGEND_HEIGHT
        lines += _tag(number, exit.output, _Rect(left, top - 10, left + width, top + 5))
        lines.append(_text(text, Point(left + width + 6, top - 2), _LABEL_SIZE, "note"))
        left += width + 6 + _text_width(text, _LABEL_SIZE) + 14
    for exit in layout.common:
        top += _LEGEND_HEIGHT
        text = f"\u201c{exit.output}\u201d, on nearly every box and not drawn, leads to {_target(exit)}."
        lines.append(_text(text, Point(_MARGIN, top - 2), _LABEL_SIZE, "note"))
    return lines, top + _LEGEND_HEIGHT


def _target(exit: Exit) -> str:
    return "the end" if exit.target == "root" else exit.target


def _rect(rect: _Rect, kind: str, radius: int) -> str:
    size = f'width="{_n(rect.right - rect.left)}" height="{_n(rect.bottom - rect.top)}"'
    return f'<rect class="{kind}" x="{_n(rect.left)}" y="{_n(rect.top)}" {size} rx="{radius}" />'


def _text(text: str, middle: Point, size: float, kind: str) -> str:
    # A line of text looks centred if its base line is a third of the font size below the middle.
    y = middle.y + size * 0.34
    return f'<text class="{kind}" font-size="{_n(size)}" x="{_n(middle.x)}" y="{_n(y)}">{escaped(text)}</text>'


def _p(point: Point) -> str:
    return f"{_n(point.x)} {_n(point.y)}"


def _n(number: float) -> str:
    return f"{round(number, 1):g}"
