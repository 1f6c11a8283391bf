"""Points, rectangles and curves of the diagram: only sums, products and square roots, so every computer agrees."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import sqrt
from typing import NamedTuple

SAMPLES = 16


class Point(NamedTuple):
    """A place, in units of the picture, x to the right and y downwards."""

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

    def holds(self, point: Point) -> bool:
        """Tells whether the point lies strictly inside."""
        return self.left < point.x < self.right and self.top < point.y < self.bottom

    def held(self, points: Iterable[Point]) -> int:
        """Count the points that lie strictly inside."""
        left, top, right, bottom = self
        return sum(left < x < right and top < y < bottom for x, y in points)

    def meets(self, other: Rect) -> bool:
        """Tells whether the two rectangles overlap.

        >>> Rect(0, 0, 2, 2).meets(Rect(1, 1, 3, 3)), Rect(0, 0, 2, 2).meets(Rect(2, 0, 3, 1))
        (True, False)
        """
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def around(center: Point, width: float, height: float) -> Rect:
    """Return the rectangle of that size around a point."""
    return Rect(center.x - width / 2, center.y - height / 2, center.x + width / 2, center.y + height / 2)


def distance(one: Point, other: Point) -> float:
    """How far apart two points are."""
    return sqrt((one.x - other.x) ** 2 + (one.y - other.y) ** 2)


class Curve:
    """A cubic curve from its first to its last point, bent towards the two in between."""

    def __init__(self, start: Point, first: Point, second: Point, end: Point) -> None:
        self.controls = (start, first, second, end)

    def at(self, t: float) -> Point:
        """Return the point at 0 (start) to 1 (end)."""
        start, first, second, end = self.controls
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        return Point(
            a * start.x + b * first.x + c * second.x + d * end.x, a * start.y + b * first.y + c * second.y + d * end.y
        )

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Points along the curve, ends included."""
        return tuple(self.at(number / SAMPLES) for number in range(SAMPLES + 1))

    @cached_property
    def fine_points(self) -> tuple[Point, ...]:
        """Points along the curve, close enough that no label slips between two."""
        return tuple(self.at(number / (SAMPLES * 5)) for number in range(SAMPLES * 5 + 1))

    @cached_property
    def segments(self) -> tuple[tuple[Point, Point, Rect], ...]:
        """The short straight pieces between the points, each with the rectangle around it."""
        pairs = zip(self.points, self.points[1:], strict=False)
        return tuple(
            (a, b, Rect(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)).grown(0.1)) for a, b in pairs
        )

    @cached_property
    def length(self) -> float:
        """The length, near enough for comparing."""
        return sum(distance(one, other) for one, other in zip(self.points, self.points[1:], strict=False))

    @cached_property
    def bounds(self) -> Rect:
        """The rectangle around the curve."""
        xs, ys = zip(*self.points, strict=True)
        return Rect(min(xs), min(ys), max(xs), max(ys)).grown(1)

    def crossings(self, other: Curve) -> int:
        """How often two curves cross."""
        if not self.bounds.meets(other.bounds):
            return 0
        mine = [segment for segment in self.segments if segment[2].meets(other.bounds)]
        others = [segment for segment in other.segments if segment[2].meets(self.bounds)]
        return sum(a[2].meets(b[2]) and _cross(a[0], a[1], b[0], b[1]) for a in mine for b in others)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Point, b: Point, c: Point) -> float:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
