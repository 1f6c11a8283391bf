"""Curves for the wires: of many possible ones, those that keep clear of boxes and of each other."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from .geometry import Curve, Point, Rect, around, distance
from .layout import DOT, LABEL_SIZE, SIDES, Layout, Placed, Wire, text_width

#: How far from the middle of an upright and of a level side a wire may touch; alike for all, so that wires run level.
UPRIGHT, LEVEL = 11.0, 34.0
BENDS = ((0.35, 0.35), (0.6, 0.6), (0.95, 0.95), (0.2, 0.7), (0.7, 0.2), (0.09, 0.09))
LEAST_BEND, MOST_BEND = 20.0, 260.0
CLEAR, HUGGED, NEAR = 5.0, 8.0, 9.0
KEPT = 20
PASSES = 8
# What a fault costs, in units of length.
HIT, HUG, OUTSIDE, NO_LABEL = 350.0, 30.0, 200.0, 400.0
CROSSING, CROWDED, SHARED_PORT, OFF_MIDDLE, S_BEND, SHARP = 90.0, 14.0, 160.0, 8.0, 24.0, 200.0
LABEL_AT = (0.35, 0.4, 0.3, 0.45, 0.5, 0.25, 0.55, 0.2, 0.6, 0.65, 0.15, 0.7)
LABEL_HEIGHT = LABEL_SIZE + 4


@dataclass(frozen=True, eq=False)  # Looked up so often by what it costs beside another that it is known by identity.
class Route:
    """A wire with the curve chosen for it, what that costs alone, and where its label may stand."""

    wire: Wire
    curve: Curve
    cost: float
    labels: tuple[Rect, ...]


def route(layout: Layout) -> list[tuple[Route, Rect | None]]:
    """Choose a curve for every wire and a place for its label (None where it has none)."""
    choices = [_choices(wire, layout) for wire in layout.wires]
    chosen = [routes[0] for routes in choices]
    between = cache(_between)
    for _ in range(PASSES):
        before = list(chosen)
        for place, routes in enumerate(choices):
            others = [other for at, other in enumerate(chosen) if at != place]
            chosen[place] = min(routes, key=lambda one: one.cost + sum(between(one, other) for other in others))
        if chosen == before:
            break
    return list(zip(chosen, _labels(chosen), strict=True))


def _choices(wire: Wire, layout: Layout) -> list[Route]:
    """Return the best few curves for a wire on its own, best first."""
    places = layout.places()
    source, target = places[wire.source], places[wire.target]
    routes = []
    for cost, curve in _cheapest(source, target, _surroundings(source, target, layout)):
        labels = tuple(_label_places(wire, curve, places.values()))
        if labels or not wire.label:
            routes.append(Route(wire, curve, cost, labels))
        else:
            routes.append(Route(wire, curve, cost + NO_LABEL, (_label_place(wire, curve, 0.5),)))
    return sorted(routes, key=lambda found: found.cost)


def _cheapest(source: Placed, target: Placed, surroundings: Surroundings) -> list[tuple[float, Curve]]:
    """Return the cheapest curves between two boxes, cheapest first."""
    # No curve is shorter than the straight line: those that start out too dear are never looked at.
    least = {
        curve.controls: (distance(start[0], end[0]) + _unease(start, end, bends), _unease(start, end, bends), curve)
        for start, end, bends in product(_ports(source), _ports(target), BENDS)
        if source != target or start[1] != end[1]
        for curve in (_curve(start, end, bends),)
    }
    found: list[tuple[float, Curve]] = []
    for lowest, unease, curve in sorted(least.values(), key=lambda entry: entry[0]):
        if len(found) >= KEPT and lowest >= found[KEPT - 1][0]:
            break
        insort(found, (surroundings.cost(curve) + unease, curve), key=lambda entry: entry[0])
    return found[:KEPT]


Port = tuple[Point, tuple[int, int], float]


def _ports(placed: Placed) -> list[Port]:
    """Where a wire may touch: point, outward direction, cost of not being in the middle of a side."""
    rect = placed.rect
    shifts = (0,) if rect.right - rect.left <= 2 * DOT else (-1, 0, 1)
    x, y = (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2
    ports = []
    for across, down in SIDES.values():
        edge = Point(x + across * (rect.right - x), y + down * (rect.bottom - y))
        for shift in shifts:
            at = Point(edge.x + shift * LEVEL * abs(down), edge.y + shift * UPRIGHT * abs(across))
            ports.append((at, (across, down), OFF_MIDDLE * abs(shift)))
    return ports


def _unease(start: Port, end: Port, bends: tuple[float, float]) -> float:
    """Rate a curve for leaving the middle of a side, meeting a facing side out of line, and bending sharply."""
    facing = start[1] == (-end[1][0], -end[1][1])
    in_line = start[0].x == end[0].x or start[0].y == end[0].y
    sharp = SHARP if max(bends) < 0.2 and not in_line else 0.0
    return start[2] + end[2] + (S_BEND if facing and not in_line else 0.0) + sharp


def _curve(start: Port, end: Port, bends: tuple[float, float]) -> Curve:
    apart = distance(start[0], end[0])
    bent = []
    for (at, way, _), bend in zip((start, end), bends, strict=True):
        reach = min(MOST_BEND, max(LEAST_BEND, bend * apart))
        bent.append(Point(at.x + way[0] * reach, at.y + way[1] * reach))
    return Curve(start[0], bent[0], bent[1], end[0])


@dataclass(frozen=True)
class Surroundings:
    """What a curve between two boxes must keep clear of."""

    others: tuple[Rect, ...]
    own: tuple[Rect, ...]
    hugged: tuple[Rect, ...]
    bounds: Rect

    def cost(self, curve: Curve) -> float:
        """Return the cost of a curve: its length and its faults."""
        points = curve.points
        hits = sum(rect.held(points) for rect in self.others if rect.meets(curve.bounds))
        hits += sum(rect.held(points[1:-1]) for rect in self.own)
        hugs = sum(rect.held(points[3:-3]) for rect in self.hugged)
        outside = len(points) - self.bounds.held(points)
        return curve.length + HIT * hits + HUG * hugs + OUTSIDE * outside


def _surroundings(source: Placed, target: Placed, layout: Layout) -> Surroundings:
    places = layout.places().values()
    others = [placed.rect.grown(CLEAR) for placed in places if placed not in (source, target)]
    own = tuple(dict.fromkeys((source.rect, target.rect)))
    return Surroundings(
        others=(*others, *(rect.grown(3) for placed in places for _, rect in placed.entries)),
        own=tuple(rect.grown(-0.5) for rect in own),
        # A curve that hugs the box it leaves reads as part of its frame.
        hugged=tuple(rect.grown(HUGGED) for rect in own),
        bounds=Rect(4, 36, layout.width - 4, layout.height - 4),
    )


def _between(one: Route, other: Route) -> float:
    """Return what two curves cost each other: crossings, running side by side, leaving from one point."""
    cost = CROSSING * one.curve.crossings(other.curve)
    # Only wires into the same box may share a point: their tips become one.
    joined = one.wire.target == other.wire.target
    pairs = [(a, b) for a in (0, 3) for b in (0, 3) if not (a == b == 3 and joined)]
    cost += SHARED_PORT * sum(distance(one.curve.controls[a], other.curve.controls[b]) < NEAR for a, b in pairs)
    if one.curve.bounds.grown(8).meets(other.curve.bounds):
        mine, theirs = one.curve.points[2:-2:2], other.curve.points[2:-2:2]
        near = NEAR * NEAR
        cost += CROWDED * sum((x - u) * (x - u) + (y - v) * (y - v) < near for x, y in mine for u, v in theirs)
    return cost


def _label_places(wire: Wire, curve: Curve, placed: Iterable[Placed]) -> Iterable[Rect]:
    if not wire.label:
        return
    rects = [rect.grown(2) for one in placed for rect in one.rects()]
    for t in LABEL_AT:
        label = _label_place(wire, curve, t)
        if not any(label.meets(rect) for rect in rects):
            yield label


def _label_place(wire: Wire, curve: Curve, t: float) -> Rect:
    return around(curve.at(t), text_width(wire.label, LABEL_SIZE) + 6, LABEL_HEIGHT)


def _labels(routes: Sequence[Route]) -> list[Rect | None]:
    """Place each label: off the other labels first, off the other curves next; labels with fewest choices go first."""
    taken: dict[int, Rect] = {}
    for place in sorted(range(len(routes)), key=lambda at: (len(routes[at].labels), at)):
        if routes[place].labels:
            taken[place] = min(routes[place].labels, key=lambda label: _label_cost(label, place, routes, taken))
    return [taken.get(place) for place in range(len(routes))]


def _label_cost(label: Rect, place: int, routes: Sequence[Route], taken: Mapping[int, Rect]) -> float:
    cost = float(routes[place].labels.index(label))
    cost += 100 * sum(label.grown(2).meets(other) for other in taken.values())
    for at, other in enumerate(routes):
        if at != place:
            cost += 25 * bool(label.held(other.curve.fine_points))
    return cost
