"""Layouts of diagrams: places of boxes, and curves for the links.

Links between the same two boxes share a curve, with their labels below each other; an output that leads from many boxes
to the same box becomes a tag. All arithmetic uses only sums, products and square roots, so that every computer draws
the same picture.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import inf, sqrt
from typing import NamedTuple

# Points, rectangles and curves.

#: The straight pieces of a curve in calculations.
_SAMPLES = 16


class Point(NamedTuple):
    """A place in units of the picture, x to the right and y downwards."""

    x: float
    y: float


class Rect(NamedTuple):
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def grown(self, by: float) -> Rect:
        """Return the rectangle with every edge moved outwards."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    @property
    def middle(self) -> Point:
        """Return the point in the middle."""
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def holds(self, point: Point) -> bool:
        """Return whether the point is strictly inside."""
        return self.left < point.x < self.right and self.top < point.y < self.bottom

    def count_inside(self, points: Iterable[Point]) -> int:
        """Count the points that are strictly inside."""
        left, top, right, bottom = self
        return sum(left < x < right and top < y < bottom for x, y in points)

    def meets(self, other: Rect) -> bool:
        """Return whether the two rectangles overlap.

        >>> Rect(0, 0, 2, 2).meets(Rect(1, 1, 3, 3)), Rect(0, 0, 2, 2).meets(Rect(2, 0, 3, 1))
        (True, False)
        """
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def make_rect_around(center: Point, width: float, height: float) -> Rect:
    """Return the rectangle of that size around a point."""
    return Rect(center.x - width / 2, center.y - height / 2, center.x + width / 2, center.y + height / 2)


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
        return Point(
            a * start.x + b * first.x + c * second.x + d * end.x, a * start.y + b * first.y + c * second.y + d * end.y
        )

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Return points along the curve, with its ends."""
        return tuple(self.at(number / _SAMPLES) for number in range(_SAMPLES + 1))

    @cached_property
    def fine_points(self) -> tuple[Point, ...]:
        """Return points along the curve that are closer together than a label is wide."""
        return tuple(self.at(number / (_SAMPLES * 5)) for number in range(_SAMPLES * 5 + 1))

    @cached_property
    def segments(self) -> tuple[tuple[Point, Point, Rect], ...]:
        """Return the straight pieces between the points, each with the rectangle around it."""
        pairs = zip(self.points, self.points[1:], strict=False)
        return tuple(
            (a, b, Rect(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)).grown(0.1)) for a, b in pairs
        )

    @cached_property
    def length(self) -> float:
        """Return the approximate length."""
        return sum(distance(one, other) for one, other in zip(self.points, self.points[1:], strict=False))

    @cached_property
    def bounds(self) -> Rect:
        """Return the rectangle around the curve."""
        xs, ys = zip(*self.points, strict=True)
        return Rect(min(xs), min(ys), max(xs), max(ys)).grown(1)

    def crossings(self, other: Curve) -> int:
        """Return the number of crossings of two curves."""
        if not self.bounds.meets(other.bounds):
            return 0
        mine = [segment for segment in self.segments if segment[2].meets(other.bounds)]
        others = [segment for segment in other.segments if segment[2].meets(self.bounds)]
        return sum(a[2].meets(b[2]) and _cross(a[0], a[1], b[0], b[1]) for a in mine for b in others)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Point, b: Point, c: Point) -> float:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


# The places of the boxes. Lengths are in units of the picture.

MARGIN = 26.0
_MIN_BOX_WIDTH = 106.0
#: The space around a name or label.
_ROOM = 14.0
#: Font sizes: the page opens a diagram a little larger, so that all of it is read.
NAME_SIZE = LABEL_SIZE = TAG_SIZE = 12.5
#: The height of a line of a label, and the most lines.
LABEL_HEIGHT = LABEL_SIZE + 4
_MAX_LINES = 8
#: The height of a box without tags.
HEAD = 34.0
_TAG_HEIGHT = 17.0
_TAG_GAP = 4.0
#: The least distance between two boxes that are aligned.
_GAP = 56.0
#: Boxes whose places differ by less are in the same column or row.
_SAME = 60
#: Farther than any place.
_FAR = 10**6
#: The radius of a dot, and its distance from its box.
_DOT = 11.0
_DOT_AWAY = 40.0
#: The space above this height is for lines of text.
_ABOVE = 36.0
#: Outward direction of each side of a box.
_SIDES = {"right": (1, 0), "left": (-1, 0), "top": (0, -1), "bottom": (0, 1)}
#: An output that leads from at least this number of boxes to the same box is drawn as a tag.
_EXIT_BOXES = 3
#: An output that leads from at least this share of more boxes than a few to the same box is only in the legend.
_EXIT_SHARE, _FEW_BOXES = 0.75, 6
#: The keys of the two dots at which a diagram begins and ends; no box has them.
START = "\nstart"
END = "\nend"


class Node(NamedTuple):
    """A box by its key, with the name to draw and its place in Choregraphe."""

    key: str
    name: str
    x: float
    y: float


class Link(NamedTuple):
    """A link from an output to a box; `ends` are its numbers for the page."""

    source: str
    output: str
    target: str
    label: str
    ends: str = ""


class Exit(NamedTuple):
    """An output of many boxes that always leads to the same box."""

    output: str
    target: str


class Wire(NamedTuple):
    """A curve for all links between the same two boxes, with a line for each of their labels."""

    source: str
    target: str
    labels: tuple[str, ...]
    ends: str

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the labels, of which a long list is cut."""
        if len(self.labels) <= _MAX_LINES:
            return self.labels
        return (*self.labels[: _MAX_LINES - 1], f"and {len(self.labels) - _MAX_LINES + 1} more")

    @property
    def label_size(self) -> tuple[float, float]:
        """Return width and height of the lines of labels together; 0 without labels."""
        if not self.labels:
            return 0.0, 0.0
        return max(text_width(line, LABEL_SIZE) for line in self.lines) + 6, LABEL_HEIGHT * len(self.lines)


@dataclass(frozen=True)
class Placed:
    """A box of the picture; the two dots are boxes without tags."""

    name: str
    rect: Rect
    tags: tuple[tuple[int, Rect], ...] = ()
    entries: tuple[tuple[int, Rect], ...] = ()

    def rects(self) -> list[Rect]:
        """Return the rectangles that no label may cover: the box, and the tags on its edge."""
        return [self.rect, *(rect for _, rect in self.entries)]


@dataclass(frozen=True)
class Layout:
    """Everything with its place; `common` exits are only in the legend."""

    boxes: dict[str, Placed]
    dots: dict[str, Placed]
    exits: tuple[Exit, ...]
    common: tuple[Exit, ...]
    wires: tuple[Wire, ...]
    width: float
    height: float

    def places(self) -> dict[str, Placed]:
        """Return boxes and dots by key."""
        return self.boxes | self.dots


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text, a little too large.

    >>> text_width("stop", 10.0)
    22.4
    """
    return round(len(text) * size * 0.56, 1)


class _Shape(NamedTuple):
    """The size of a box and the rows of tags in it."""

    width: float
    height: float
    rows: list[list[int]]


def lay_out(nodes: Sequence[Node], links: Sequence[Link], *, top: float, room: float = _ROOM) -> Layout:
    """Return the places of everything: boxes begin at `top`, and have `room` around their names."""
    if not nodes:
        return Layout({}, {}, (), (), (), 2 * MARGIN, 2 * MARGIN)
    exits, common = _find_exits(nodes, links)
    wires = _wires(links, {*exits, *common})
    shapes = {node.key: _shape(node, links, exits, room) for node in nodes}
    least = min(node.x for node in nodes)
    first = {node.key for node in nodes if node.x - least < _SAME}
    began = [_dot_away(wire) for wire in wires if wire.source == START and wire.target in first]
    left = MARGIN + max([_DOT_AWAY, *began]) + _DOT
    centers = _align(nodes, shapes, wires, left, top)
    boxes = {node.key: _place_node(node, centers[node.key], shapes[node.key], exits) for node in nodes}
    dots = _dots(wires, boxes)
    wires = tuple(wire for wire in wires if {wire.source, wire.target} <= {*boxes, *dots})
    everything = [placed.rect for placed in (*boxes.values(), *dots.values())]
    width = max(rect.right for rect in everything) + MARGIN
    return Layout(boxes, dots, exits, common, wires, width, max(rect.bottom for rect in everything) + _GAP)


def _find_exits(nodes: Sequence[Node], links: Sequence[Link]) -> tuple[tuple[Exit, ...], tuple[Exit, ...]]:
    """Return the exits that become tags, and those that are only in the legend."""
    users = Counter(Exit(link.output, link.target) for link in links if link.source != START and link.label)
    found = [exit for exit, count in users.items() if count >= _EXIT_BOXES]
    common = tuple(exit for exit in found if len(nodes) > _FEW_BOXES and users[exit] >= _EXIT_SHARE * len(nodes))
    return tuple(exit for exit in found if exit not in common), common


def _wires(links: Iterable[Link], exits: set[Exit]) -> tuple[Wire, ...]:
    found: dict[tuple[str, str], list[Link]] = {}
    for link in links:
        if link.source == START or Exit(link.output, link.target) not in exits:
            found.setdefault((link.source, link.target), []).append(link)
    return tuple(
        Wire(
            *ends,
            tuple(filter(None, dict.fromkeys(each.label for each in group))),
            " ".join(dict.fromkeys(each.ends for each in group)),
        )
        for ends, group in found.items()
    )


def _shape(node: Node, links: Sequence[Link], exits: tuple[Exit, ...], room: float) -> _Shape:
    width = max(_MIN_BOX_WIDTH, text_width(node.name, NAME_SIZE * 1.06) + room)
    targets = {Exit(link.output, link.target) for link in links if link.source == node.key}
    rows: list[list[int]] = []
    used = width
    for tag in [number for number, exit in enumerate(exits) if exit in targets]:
        wide = tag_width(exits[tag].output) + _TAG_GAP
        if used + wide > width - 4:
            rows.append([])
            used = _TAG_GAP
        rows[-1].append(tag)
        used += wide
    return _Shape(width, HEAD + len(rows) * (_TAG_HEIGHT + _TAG_GAP) + (2 if rows else 0), rows)


def tag_width(text: str) -> float:
    """Return the width of a tag."""
    return text_width(text, TAG_SIZE) + 10


_Gaps = dict[frozenset[str], float]


def _align(
    nodes: Sequence[Node], shapes: Mapping[str, _Shape], wires: Iterable[Wire], left: float, top: float
) -> dict[str, Point]:
    """Return places in columns and rows; similar places of Choregraphe share them."""
    widths = {key: shape.width for key, shape in shapes.items()}
    heights = _row_heights(nodes, shapes, wires)
    columns = _lines({node.key: node.x for node in nodes}, widths, left, _column_gaps(nodes, wires))
    rows = _lines(_push_apart(nodes), heights, top, {})
    return {key: Point(columns[key], rows[key]) for key in shapes}


def _column_gaps(nodes: Iterable[Node], wires: Iterable[Wire]) -> _Gaps:
    """Return the distances between boxes in one row that the labels of straight wires need."""
    rows = {node.key: node.y for node in nodes}
    return {
        frozenset((wire.source, wire.target)): wire.label_size[0] + _ROOM
        for wire in wires
        if abs(rows.get(wire.source, _FAR) - rows.get(wire.target, -_FAR)) < _SAME
    }


def _row_heights(nodes: Iterable[Node], shapes: Mapping[str, _Shape], wires: Iterable[Wire]) -> dict[str, float]:
    """Return the heights of the boxes, or of the labels between boxes in one row if they are higher."""
    heights = {key: shape.height for key, shape in shapes.items()}
    rows = {node.key: node.y for node in nodes}
    for wire in wires:
        # A dot is in the row of its box.
        source = rows.get(wire.source, rows.get(wire.target, _FAR))
        if abs(source - rows.get(wire.target, source)) < _SAME:
            key = wire.source if wire.source in rows else wire.target
            heights[key] = max(heights.get(key, 0.0), wire.label_size[1])
    return heights


def _push_apart(nodes: Sequence[Node]) -> dict[str, float]:
    """Return the heights of the boxes; of those that share a column and a row, all but one go down."""
    found: dict[str, float] = {}
    heights = {node.key: node.y for node in nodes}
    for column in _group({node.key: node.x for node in nodes}):
        least = -inf
        for key in sorted(column, key=lambda key: (heights[key], key)):
            found[key] = max(heights[key], least)
            least = found[key] + _SAME
    return found


def _group(places: Mapping[str, float]) -> list[list[str]]:
    """Return the keys in groups of similar places, from the least to the greatest."""
    groups: list[list[str]] = []
    for key in sorted(places, key=lambda key: (places[key], key)):
        if groups and places[key] - places[groups[-1][0]] < _SAME:
            groups[-1].append(key)
        else:
            groups.append([key])
    return groups


def _lines(places: dict[str, float], sizes: dict[str, float], start: float, gaps: _Gaps) -> dict[str, float]:
    """Return the middle of each name's column (or row); similar places share a column."""
    groups = _group(places)
    middles: dict[str, float] = {}
    for group, after in zip(groups, [*groups[1:], []], strict=True):
        size = max(sizes[name] for name in group)
        middles.update(dict.fromkeys(group, start + size / 2))
        start += size + max([_GAP, *(gaps.get(frozenset((one, other)), 0.0) for one in group for other in after)])
    return middles


def _place_node(node: Node, center: Point, shape: _Shape, exits: tuple[Exit, ...]) -> Placed:
    rect = make_rect_around(center, shape.width, shape.height)
    tags = []
    top = rect.top + HEAD - 3
    for row in shape.rows:
        sizes = [tag_width(exits[tag].output) for tag in row]
        left = center.x - (sum(sizes) + _TAG_GAP * (len(row) - 1)) / 2
        for tag, size in zip(row, sizes, strict=True):
            tags.append((tag, Rect(left, top, left + size, top + _TAG_HEIGHT)))
            left += size + _TAG_GAP
        top += _TAG_HEIGHT + _TAG_GAP
    return Placed(node.name, rect, tuple(tags), tuple(_entries(node.key, rect, exits)))


def _entries(key: str, rect: Rect, exits: tuple[Exit, ...]) -> Iterator[tuple[int, Rect]]:
    """Yield the tags on the upper edge of a box, for the exits that lead to it."""
    left, top = rect.left + 8, rect.top - _TAG_HEIGHT + 4
    for number, exit in enumerate(exits):
        if exit.target == key:
            right = left + tag_width(entry_text(exit))
            yield number, Rect(left, top, right, top + _TAG_HEIGHT)
            left = right + _TAG_GAP


def entry_text(exit: Exit) -> str:
    """Return the text of an exit's tag at the box that it leads to."""
    return f"\u2192 {exit.output}"


def _dots(wires: tuple[Wire, ...], boxes: dict[str, Placed]) -> dict[str, Placed]:
    """Return the dots by name, each at a free side of the first box it is linked to."""
    dots: dict[str, Placed] = {}
    started = [wire.target for wire in wires if wire.source == START and wire.target in boxes]
    ended = [wire.source for wire in wires if wire.target == END and wire.source in boxes]
    for name, neighbours, sides in ((START, started, "left top bottom right"), (END, ended, "right bottom left top")):
        if neighbours:
            taken = [placed.rect for placed in (*boxes.values(), *dots.values())]
            ends = {name, neighbours[0]}
            away = max(_dot_away(wire) for wire in wires if {wire.source, wire.target} == ends)
            # A longer wire without room is as short as usual.
            aways = dict.fromkeys((away, _DOT_AWAY))
            box = boxes[neighbours[0]].rect
            rects = [_place_dot(box, _SIDES[side], away) for away in aways for side in sides.split()]
            rects = [rect for rect in rects if rect.left >= 0 and rect.top >= _ABOVE] or rects
            free = [rect for rect in rects if not any(rect.grown(6).meets(other) for other in taken)]
            dots[name] = Placed(name, (free or rects)[0])
    return dots


def _dot_away(wire: Wire) -> float:
    """Return the distance of a dot from its box that leaves room for the wire's labels."""
    return max(_DOT_AWAY, wire.label_size[0] + 2 * _DOT + _ROOM) if wire.labels else _DOT_AWAY


def _place_dot(box: Rect, side: tuple[int, int], away: float) -> Rect:
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    center = Point(x + side[0] * (box.right - x + away), y + side[1] * (box.bottom - y + away))
    return make_rect_around(center, 2 * _DOT, 2 * _DOT)


# Curves for the wires: of many possible curves, those that avoid boxes and each other.

#: Distance from the middle of a vertical and of a horizontal side to the other two points where a wire may begin.
_UPRIGHT = 11.0
_LEVEL = 34.0
#: The bends of a curve at its start and its end, as shares of the distance between them.
_BENDS = ((0.35, 0.35), (0.6, 0.6), (0.95, 0.95), (0.2, 0.7), (0.7, 0.2), (0.09, 0.09))
_LEAST_BEND = 20.0
_MOST_BEND = 260.0
#: A curve should have this distance from other boxes.
_CLEAR = 5.0
#: A curve should not stay within this distance of a box where it begins or ends.
_HUGGED = 8.0
#: Points of two curves within this distance are too near each other.
_NEAR = 9.0
#: The number of curves considered for each wire.
_KEPT = 20
#: The most rounds in which every wire may choose another curve.
_PASSES = 8
#: The same for the page, which cannot wait a second; from this product of wires and boxes on, curves are the shortest.
_QUICK_KEPT, _QUICK_PASSES, _MANY = 6, 2, 1500
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
#: The greatest distance of a label from a curve without room, in heights of a line.
_MOST_AWAY = 12
#: The width of a cell when free places are searched.
_CELL = 64.0


@dataclass(frozen=True, eq=False)  # Compared by identity, which makes the cache of `_between` fast.
class Route:
    """A wire with a possible curve, the cost of that curve, and possible places of its label."""

    wire: Wire
    curve: Curve
    cost: float
    labels: tuple[Rect, ...]


#: The curve of each wire, and the place of its label; None for a wire without one.
Routes = list[tuple[Route, "Rect | None"]]


def route(layout: Layout, is_quick: bool = False) -> Routes:
    """Choose the curve of each wire and the place of its label.

    Takes a second for 30 wires, or a fifth of that if it `is_quick`: then most curves begin in the middle of a side.
    """
    if len(layout.wires) * len(layout.boxes) > _MANY:
        shortest = [_shortest(wire, layout) for wire in layout.wires]
        return list(zip(shortest, _labels(shortest, layout), strict=True))
    kept, passes = (_QUICK_KEPT, _QUICK_PASSES) if is_quick else (_KEPT, _PASSES)
    pairs = {(wire.target, wire.source) for wire in layout.wires}
    shifts = {(True, False): (0,), (True, True): (-1, 1)}
    choices = [
        _choices(wire, layout, kept, shifts.get((is_quick, (wire.source, wire.target) in pairs), (-1, 0, 1)))
        for wire in layout.wires
    ]
    chosen = [routes[0] for routes in choices]
    between = cache(_between)
    for _ in range(passes):
        before = list(chosen)
        for place, routes in enumerate(choices):
            others = [other for at, other in enumerate(chosen) if at != place]
            chosen[place] = min(routes, key=lambda one: one.cost + sum(between(one, other) for other in others))
        if chosen == before:
            break
    return list(zip(chosen, _labels(chosen, layout), strict=True))


def _shortest(wire: Wire, layout: Layout) -> Route:
    """Return the shortest curve between two boxes, even through others."""
    places = layout.places()
    pairs = product(_ports(places[wire.source], (0,)), _ports(places[wire.target], (0,)))
    ends = [pair for pair in pairs if wire.source != wire.target or pair[0][1] != pair[1][1]]
    start, end = min(ends, key=lambda pair: distance(pair[0][0], pair[1][0]))
    curve = _curve(start, end, _BENDS[0])
    return Route(wire, curve, 0.0, ())


def _choices(wire: Wire, layout: Layout, kept: int, shifts: tuple[int, ...]) -> list[Route]:
    """Return the cheapest curves for a wire, regardless of other wires."""
    places = layout.places()
    source, target = places[wire.source], places[wire.target]
    routes = []
    for cost, curve in _cheapest(source, target, _surroundings(source, target, layout), kept, shifts):
        labels = tuple(_label_places(wire, curve, places.values()))
        routes.append(Route(wire, curve, cost if labels or not wire.labels else cost + _NO_LABEL, labels))
    return sorted(routes, key=lambda found: found.cost)


def _cheapest(
    source: Placed, target: Placed, surroundings: _Surroundings, kept: int, shifts: tuple[int, ...]
) -> list[tuple[float, Curve]]:
    """Return the cheapest curves between two boxes, cheapest first."""
    # No curve is shorter than the straight line, so a curve is skipped if even that costs too much.
    least = {
        curve.controls: (distance(start[0], end[0]) + _unease(start, end, bends), _unease(start, end, bends), curve)
        for start, end, bends in product(_ports(source, shifts), _ports(target, shifts), _BENDS)
        if source != target or start[1] != end[1]
        for curve in (_curve(start, end, bends),)
    }
    found: list[tuple[float, Curve]] = []
    for lowest, unease, curve in sorted(least.values(), key=lambda entry: entry[0]):
        if len(found) >= kept and lowest >= found[kept - 1][0]:
            break
        insort(found, (surroundings.cost(curve) + unease, curve), key=lambda entry: entry[0])
    return found[:kept]


Port = tuple[Point, tuple[int, int], float]


def _ports(placed: Placed, shifts: Sequence[int]) -> list[Port]:
    """Return the places where a wire may begin: point, outward direction, cost of the place."""
    rect = placed.rect
    if rect.right - rect.left <= 2 * _DOT:
        shifts = (0,)
    x, y = (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2
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

    others: tuple[Rect, ...]
    own: tuple[Rect, ...]
    hugged: tuple[Rect, ...]
    bounds: Rect

    def cost(self, curve: Curve) -> float:
        """Return the cost of a curve: its length and its faults."""
        points = curve.points
        hits = sum(rect.count_inside(points) for rect in self.others if rect.meets(curve.bounds))
        hits += sum(rect.count_inside(points[1:-1]) for rect in self.own)
        hugs = sum(rect.count_inside(points[3:-3]) for rect in self.hugged)
        outside = len(points) - self.bounds.count_inside(points)
        return curve.length + _HIT * hits + _HUG * hugs + _OUTSIDE * outside


def _surroundings(source: Placed, target: Placed, layout: Layout) -> _Surroundings:
    places = layout.places().values()
    others = [placed.rect.grown(_CLEAR) for placed in places if placed not in (source, target)]
    own = tuple(dict.fromkeys((source.rect, target.rect)))
    return _Surroundings(
        others=(*others, *(rect.grown(3) for placed in places for _, rect in placed.entries)),
        own=tuple(rect.grown(-0.5) for rect in own),
        # A curve close to its own box looks like a part of the box's frame.
        hugged=tuple(rect.grown(_HUGGED) for rect in own),
        bounds=Rect(4, _ABOVE, layout.width - 4, layout.height - 4),
    )


def _between(one: Route, other: Route) -> float:
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


def _label_places(wire: Wire, curve: Curve, placed: Iterable[Placed]) -> Iterable[Rect]:
    if not wire.labels:
        return
    rects, size = [rect.grown(2) for one in placed for rect in one.rects()], wire.label_size
    for t in _LABEL_AT:
        label = make_rect_around(curve.at(t), *size)
        if not any(label.meets(rect) for rect in rects):
            yield label


def _labels(routes: Sequence[Route], layout: Layout) -> list[Rect | None]:
    """Return a place for each label, away from other labels, boxes and curves; None if there is no room.

    Labels with few possible places come first, and those without a place on their curve last.
    """
    taken: dict[int, Rect] = {}
    occupied = _Occupied([Rect(0, 0, layout.width, _ABOVE)])
    for placed in layout.places().values():
        for rect in placed.rects():
            occupied.add(rect.grown(2))
    labelled = [at for at, found in enumerate(routes) if found.wire.labels]
    for place in sorted(labelled, key=lambda at: (not routes[at].labels, len(routes[at].labels), at)):
        free = [label for label in routes[place].labels if not occupied.meets(label)]
        label = (
            min(free, key=lambda label: _label_cost(label, place, routes, taken))
            if free
            else _find_room(routes[place], occupied)
        )
        if label is not None:
            taken[place] = label
            occupied.add(label)
    return [taken.get(place) for place in range(len(routes))]


def _find_room(found: Route, occupied: _Occupied) -> Rect | None:
    """Return the nearest place next to a curve for its label, or None."""
    width, height = found.wire.label_size
    for away in range(_MOST_AWAY + 1):
        for t in _LABEL_AT[::3]:
            x, y = found.curve.at(t)
            for across, down in _SIDES.values():
                center = Point(x + across * away * LABEL_HEIGHT, y + down * away * LABEL_HEIGHT)
                label = make_rect_around(center, width, height)
                if not occupied.meets(label):
                    return label
    return None


class _Occupied:
    """Rectangles by the cells of a grid, to find quickly whether a place is free."""

    def __init__(self, rects: Iterable[Rect]) -> None:
        self._cells: dict[tuple[int, int], list[Rect]] = {}
        for rect in rects:
            self.add(rect)

    def add(self, rect: Rect) -> None:
        """Note that a place is occupied."""
        for cell in self._list_cells(rect):
            self._cells.setdefault(cell, []).append(rect)

    def meets(self, rect: Rect) -> bool:
        """Return whether a place is at least partly occupied."""
        return any(rect.meets(other) for cell in self._list_cells(rect) for other in self._cells.get(cell, ()))

    def _list_cells(self, rect: Rect) -> Iterator[tuple[int, int]]:
        left, top, right, bottom = (int(edge // _CELL) for edge in rect)
        return product(range(left, right + 1), range(top, bottom + 1))


def _label_cost(label: Rect, place: int, routes: Sequence[Route], taken: Mapping[int, Rect]) -> float:
    cost = float(routes[place].labels.index(label))
    cost += 10 * sum(label.grown(3).meets(other) for other in taken.values())
    for at, other in enumerate(routes):
        if at != place:
            is_near = label.meets(other.curve.bounds)
            cost += 25 * bool(is_near and label.count_inside(other.curve.fine_points))
    return cost
