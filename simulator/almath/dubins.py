"""Dubins curves: from a place to another along two circles and the straight line that touches both."""

from __future__ import absolute_import, division, print_function

import math

from .vectors import Pose2D, Position2D

MYPY = False
if MYPY:
    from typing import List, Optional, Tuple

LEFT, RIGHT = 1, -1


def getDubinsSolutions(target, radius):  # type: (Pose2D, float) -> List[Pose2D]
    """Return the end of the first arc, the end of the straight line and the target, for the shortest straight line.

    Each heading counts the turn of its arc from the one before, whichever way the circle goes round; raise RuntimeError
    for a target nearer than four radii.

    >>> for pose in getDubinsSolutions(Pose2D(0.0, -0.4, 0.0), 0.04):
    ...     print("%.3f %.3f %.3f" % tuple(pose.toVector()))
    0.039 -0.050 -1.823
    -0.039 -0.350 -1.823
    0.000 -0.400 0.000
    """
    if math.hypot(target.x, target.y) < 4 * radius:
        raise RuntimeError(
            "ALMath: the target of a Dubins curve is at least four radii away, %g m, not %g m."
            % (4 * radius, math.hypot(target.x, target.y))
        )
    lines = [
        (line, first, last)
        for first in (LEFT, RIGHT)
        for last in (LEFT, RIGHT)
        for line in [_line(target, radius, first, last)]
        if line is not None
    ]
    (start, end), first, last = min(lines, key=lambda row: row[0][0].distance(row[0][1]))
    heading = math.atan2(end.y - start.y, end.x - start.x)
    turned = _turn(heading, first)
    final = target.theta - _turn(target.theta - heading, last)
    return [Pose2D(start.x, start.y, turned), Pose2D(end.x, end.y, final), Pose2D(target.x, target.y, target.theta)]


def _line(target, radius, first, last):  # type: (Pose2D, float, int, int) -> Optional[Tuple[Position2D, Position2D]]
    """Return the straight line from the circle at the start to that at the target, each left or right of its place."""
    start = Position2D(0.0, first * radius)
    end = target * Position2D(0.0, last * radius)
    way = Position2D(end.x - start.x, end.y - start.y)
    across = (last - first) * radius / way.norm() if way.norm() else 2.0
    if abs(across) > 1:
        return None
    heading = way.getAngle() - math.asin(across)
    aside = Position2D(math.sin(heading) * radius, -math.cos(heading) * radius)
    return start + aside * first, end + aside * last


def _turn(angle, side):  # type: (float, int) -> float
    """Return the angle as a turn to one side: from 0 to 2 pi to the left, from -2 pi to 0 to the right."""
    return side * ((side * angle) % (2 * math.pi))
