"""Steps that NAO can do: shortened to an ellipse, and turned less where the feet would meet."""

from __future__ import absolute_import, division, print_function

import math

from .vectors import Pose2D, Position2D

MYPY = False
if MYPY:
    from typing import Any, Iterator, List, Sequence

#: So often the way between no turn and the whole turn is halved.
HALVINGS = 5


def clipFootWithEllipse(longest, widest, step):  # type: (float, float, Pose2D) -> bool
    """Shorten a step, in its direction, to an ellipse with these half axes; tell whether it was too long.

    >>> step = Pose2D(0.0, 0.3, 0.1)
    >>> clipFootWithEllipse(0.08, 0.07, step), step
    (True, Pose2D(x=4.28626e-18, y=0.07, theta=0.1))
    """
    if not longest or not widest:
        raise RuntimeError("ALMath: an ellipse needs two half axes, not %g and %g." % (longest, widest))
    beyond = math.hypot(step.x / longest, step.y / widest)
    if beyond**2 < 1.00001:
        return False
    direction = math.atan2(step.y, step.x)
    length = 1.0 / math.hypot(math.cos(direction) / longest, math.sin(direction) / widest)
    step.x, step.y = length * math.cos(direction), length * math.sin(direction)
    return True


def avoidFootCollision(left, right, is_left_support, step):
    # type: (Sequence[Any], Sequence[Any], bool, Pose2D) -> bool
    """Turn a step less, if the corners of the feet would meet; tell whether they would have.

    `left` and `right` hold the corners of each foot, in order; the step is that of the foot that is no support.
    """
    still, moving = (left, right) if is_left_support else (right, left)
    if not _meet(still, _moved(moving, step)):
        return False
    low, high = 0.0, step.theta
    for _ in range(HALVINGS):
        step.theta = (low + high) / 2
        if _meet(still, _moved(moving, step)):
            high = step.theta
        else:
            low = step.theta
    step.theta = low
    return True


def _moved(corners, step):  # type: (Sequence[Any], Pose2D) -> List[Any]
    return [step * Position2D(corner.x, corner.y) for corner in corners]


def _meet(one, other):  # type: (Sequence[Any], Sequence[Any]) -> bool
    """Tell whether two convex shapes overlap: no side of either has all corners of the other beyond it."""
    for x, y in list(_normals(one)) + list(_normals(other)):
        mine = [x * corner.x + y * corner.y for corner in one]
        theirs = [x * corner.x + y * corner.y for corner in other]
        if max(mine) < min(theirs) or max(theirs) < min(mine):
            return False
    return bool(one) and bool(other)


def _normals(corners):  # type: (Sequence[Any]) -> Iterator[Any]
    for start, end in zip(corners, list(corners[1:]) + list(corners[:1])):
        yield end.y - start.y, start.x - end.x
