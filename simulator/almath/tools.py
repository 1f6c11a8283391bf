"""Functions on positions, rotations and transforms, with the names of NAOqi's library.

Conversions come first, then distances, products, changes of reference, means and logarithms, then Dubins curves and
steps that NAO can do.
"""

from __future__ import absolute_import, division, print_function

import math

from .geometry import (
    AXIS_MASK_X,
    AXIS_MASK_Y,
    AXIS_MASK_Z,
    Pose2D,
    Position2D,
    Position3D,
    Position6D,
    Quaternion,
    Rotation,
    Rotation3D,
    Transform,
    Velocity6D,
    _build_transform,
)

MYPY = False
if MYPY:
    from typing import Any, Iterator, List, Optional, Sequence, Tuple, Union

# Conversions.

# To a transform.


def transformFromRotation(rotation):  # type: (Rotation) -> Transform
    """Make the transform with a rotation and no translation."""
    return _build_transform(rotation)


def transformFromRotationPosition3D(rotation, *position):  # type: (Rotation, *Any) -> Transform
    """Make a transform from a rotation and a Position3D, or x, y and z."""
    given = position[0] if len(position) == 1 else Position3D(*position)
    return _build_transform(rotation, given.x, given.y, given.z)


def transformFromPosition3D(position):  # type: (Position3D) -> Transform
    """Make the transform with a translation and no rotation."""
    return Transform(position.x, position.y, position.z)


def transformFromPosition6D(position):  # type: (Position6D) -> Transform
    """Make a transform from a position and its angles."""
    return Transform.fromPosition(*position.toVector())


def transformFromPose2D(pose):  # type: (Pose2D) -> Transform
    """Make the transform of a place on the floor."""
    return Transform.fromPosition(pose.x, pose.y, 0.0, 0.0, 0.0, pose.theta)


def transformFromRotation3D(rotation):  # type: (Rotation3D) -> Transform
    """Make a transform from angles."""
    return Transform.from3DRotation(rotation.wx, rotation.wy, rotation.wz)


def transformFromQuaternion(quaternion):  # type: (Quaternion) -> Transform
    """Make the transform of a quaternion."""
    return _build_transform(rotationFromQuaternion(quaternion))


def transformFromRotVec(*values):  # type: (*Any) -> Transform
    """Make a transform from (axis mask, angle), (axis mask, angle, Position3D) or (Position3D)."""
    if len(values) == 1:
        return transformFromPosition3D(values[0])
    axis, angle = values[0], values[1]
    turns = {AXIS_MASK_X: Transform.fromRotX, AXIS_MASK_Y: Transform.fromRotY, AXIS_MASK_Z: Transform.fromRotZ}
    turned = turns[axis](angle) if axis in turns else Transform()
    moved = transformFromPosition3D(values[2]) if len(values) > 2 else Transform()
    made = moved * turned  # type: Transform
    return made


# From a transform.


def rotationFromTransform(transform):  # type: (Transform) -> Rotation
    """Return the rotation of a transform."""
    return transform._rotation()


def position3DFromTransform(transform):  # type: (Transform) -> Position3D
    """Return the translation of a transform."""
    return Position3D(transform.r1_c4, transform.r2_c4, transform.r3_c4)


def position2DFromTransform(transform):  # type: (Transform) -> Position2D
    """Return the translation of a transform on the floor."""
    return Position2D(transform.r1_c4, transform.r2_c4)


def rotation3DFromRotation(rotation):  # type: (Union[Rotation, Transform]) -> Rotation3D
    """Return the angles of a rotation, which is Rz(wz) Ry(wy) Rx(wx)."""
    wz = math.atan2(rotation.r2_c1, rotation.r1_c1)
    sine, cosine = math.sin(wz), math.cos(wz)
    wy = math.atan2(-rotation.r3_c1, cosine * rotation.r1_c1 + sine * rotation.r2_c1)
    wx = math.atan2(sine * rotation.r1_c3 - cosine * rotation.r2_c3, cosine * rotation.r2_c2 - sine * rotation.r1_c2)
    return Rotation3D(wx, wy, wz)


rotation3DFromTransform = rotation3DFromRotation


def position6DFromTransform(transform):  # type: (Transform) -> Position6D
    """Return the position and the angles of a transform."""
    turned = rotation3DFromRotation(transform)
    return Position6D(transform.r1_c4, transform.r2_c4, transform.r3_c4, turned.wx, turned.wy, turned.wz)


def pose2DFromTransform(transform):  # type: (Transform) -> Pose2D
    """Return the place on the floor and the heading of a transform."""
    return Pose2D(transform.r1_c4, transform.r2_c4, math.atan2(transform.r2_c1, transform.r1_c1))


def quaternionFromTransform(transform):  # type: (Transform) -> Quaternion
    """Return the quaternion of a transform's rotation."""
    return quaternionFromRotation3D(rotation3DFromRotation(transform))


def position6DFromTransformDiff(current, target):  # type: (Transform, Transform) -> Position6D
    """Return the difference from a transform to a target: the translation, and for small angles the rotation vector."""
    turned = Position3D(0.0, 0.0, 0.0)
    for mine, theirs in zip(_columns(current), _columns(target)):
        turned = turned + mine.crossProduct(theirs) * 0.5
    way = position3DFromTransform(target) - position3DFromTransform(current)
    return Position6D(way.x, way.y, way.z, turned.x, turned.y, turned.z)


# Rotations and quaternions.


def rotationFromAngleDirection(angle, *axis):  # type: (float, *Any) -> Rotation
    """Make the rotation by an angle about an axis, given as a Position3D or as x, y and z."""
    given = axis[0] if len(axis) == 1 else Position3D(*axis)
    return Rotation.fromAngleDirection(angle, given.x, given.y, given.z)


def rotationFromQuaternion(*quaternion):  # type: (*Any) -> Rotation
    """Make the rotation of a Quaternion, or of the four numbers of one."""
    given = quaternion[0].toVector() if len(quaternion) == 1 else quaternion
    return Rotation.fromQuaternion(*given)


def quaternionFromRotation3D(rotation):  # type: (Rotation3D) -> Quaternion
    """Make the quaternion of Rz(wz) Ry(wy) Rx(wx)."""
    x, y, z = ((math.cos(angle / 2), math.sin(angle / 2)) for angle in rotation.toVector())
    return Quaternion(
        z[0] * y[0] * x[0] + z[1] * y[1] * x[1],
        z[0] * y[0] * x[1] - z[1] * y[1] * x[0],
        z[0] * y[1] * x[0] + z[1] * y[0] * x[1],
        z[1] * y[0] * x[0] - z[0] * y[1] * x[1],
    )


def rotation3DFromQuaternion(quaternion):  # type: (Quaternion) -> Rotation3D
    """Return the angles of a quaternion."""
    return rotation3DFromRotation(rotationFromQuaternion(quaternion))


def angleAndAxisRotationFromQuaternion(quaternion):  # type: (Quaternion) -> Any
    """Return the angle of a quaternion's rotation and the three numbers of its axis."""
    unit = quaternion.normalize()
    sine = math.sqrt(max(0.0, 1.0 - unit.w**2))
    axis = [unit.x / sine, unit.y / sine, unit.z / sine] if sine > 1e-7 else [0.0, 0.0, 0.0]
    return [2 * math.acos(max(-1.0, min(1.0, unit.w)))] + axis


def rotationFromAxesXYZ(x, y, z):  # type: (Position3D, Position3D, Position3D) -> Rotation
    """Make the rotation whose columns are three axes."""
    return Rotation([each for row in zip(x.toVector(), y.toVector(), z.toVector()) for each in row])


def rotationFromAxesXY(x, y):  # type: (Position3D, Position3D) -> Rotation
    """Make the rotation of an x axis and a y axis."""
    return rotationFromAxesXYZ(x, y, x.crossProduct(y))


def rotationFromAxesXZ(x, z):  # type: (Position3D, Position3D) -> Rotation
    """Make the rotation of an x axis and a z axis."""
    return rotationFromAxesXYZ(x, z.crossProduct(x), z)


def rotationFromAxesYZ(y, z):  # type: (Position3D, Position3D) -> Rotation
    """Make the rotation of a y axis and a z axis."""
    return rotationFromAxesXYZ(y.crossProduct(z), y, z)


# Poses, positions and velocities.


def position2DFromPose2D(pose):  # type: (Pose2D) -> Position2D
    """Return the place of a pose."""
    return Position2D(pose.x, pose.y)


def pose2DFromPosition2D(position, angle=0.0):  # type: (Position2D, float) -> Pose2D
    """Make a pose from a place and a heading."""
    return Pose2D(position.x, position.y, angle)


def pose2DFromPosition6D(position):  # type: (Position6D) -> Pose2D
    """Return the place on the floor and the heading of a position."""
    return Pose2D(position.x, position.y, position.wz)


def position3DFromPosition6D(position):  # type: (Position6D) -> Position3D
    """Return a position without its angles."""
    return Position3D(position.x, position.y, position.z)


def position6DFromPose2D(pose):  # type: (Pose2D) -> Position6D
    """Make a position from a place on the floor."""
    return Position6D(pose.x, pose.y, 0.0, 0.0, 0.0, pose.theta)


def position6DFromPosition3D(position):  # type: (Position3D) -> Position6D
    """Make a position without angles."""
    return Position6D(position.x, position.y, position.z, 0.0, 0.0, 0.0)


def position6DFromVelocity6D(velocity):  # type: (Velocity6D) -> Position6D
    """Return the movement of a velocity in one second."""
    return Position6D(velocity.toVector())


def _columns(transform):  # type: (Transform) -> Any
    a = transform.toVector()
    return [Position3D(a[column], a[column + 4], a[column + 8]) for column in (0, 1, 2)]


# Distances, products, changes of reference, means, logarithms.

SMALL = 1e-9


def modulo2PI(angle):  # type: (float) -> float
    """Return the same direction between -pi and pi.

    >>> print("%.4f" % modulo2PI(4.0))
    -2.2832
    """
    return angle - 2 * math.pi * math.floor((angle + math.pi) / (2 * math.pi))


def weightedMeanAngle(angles, weights):  # type: (Sequence[float], Sequence[float]) -> float
    """Return the mean direction; raises RuntimeError if none exists.

    >>> print("%.4f" % meanAngle([3.0, -3.0]))
    3.1416
    """
    x = sum(weight * math.cos(angle) for angle, weight in zip(angles, weights))
    y = sum(weight * math.sin(angle) for angle, weight in zip(angles, weights))
    if math.hypot(x, y) < SMALL:
        raise RuntimeError("ALMath: the angles %.80r have no mean." % (list(angles),))
    return math.atan2(y, x)


def meanAngle(angles):  # type: (Sequence[float]) -> float
    """Return the mean direction; raises RuntimeError if none exists."""
    return weightedMeanAngle(angles, [1.0] * len(angles))


# Methods of the classes, as functions.


def norm(value):  # type: (Any) -> float
    """Return the length of a vector, or of a transform's translation."""
    return float(value.norm())


def normalize(value):  # type: (Any) -> Any
    """Return the vector of length 1 in the same direction."""
    return value.normalize()


def distance(first, second):  # type: (Any, Any) -> float
    """Return the distance of two positions, poses or transforms."""
    return float(first.distance(second))


def distanceSquared(first, second):  # type: (Any, Any) -> float
    """Return the square of the distance of two positions, poses or transforms."""
    return float(first.distanceSquared(second))


transformDistance, transformDistanceSquared = distance, distanceSquared


def dotProduct(first, second):  # type: (Any, Any) -> float
    """Return the scalar product of two positions."""
    return float(first.dotProduct(second))


def crossProduct(first, second):  # type: (Any, Any) -> Any
    """Return the cross product of two positions."""
    return first.crossProduct(second)


def pinv(value):  # type: (Any) -> Any
    """Return the inverse of a pose or a transform."""
    return value.inverse()


pose2DInverse = transformInverse = quaternionInverse = pinv


def pose2dDiff(first, second):  # type: (Pose2D, Pose2D) -> Pose2D
    """Return the second pose, seen from the first."""
    return first.diff(second)


def transformDiff(first, second):  # type: (Transform, Transform) -> Transform
    """Return the second transform, seen from the first."""
    return first.diff(second)


def transpose(rotation):  # type: (Rotation) -> Rotation
    """Return the transposed matrix of a rotation."""
    return rotation.transpose()


def determinant(value):  # type: (Any) -> float
    """Return the determinant of a rotation or a transform."""
    return float(value.determinant())


def transformToFloatVector(transform):  # type: (Transform) -> List[float]
    """Return the 16 numbers of a transform."""
    return transform.toVector()


def quaternionFromAngleAndAxisRotation(angle, x, y, z):  # type: (float, float, float, float) -> Quaternion
    """Make the quaternion of the rotation by an angle about an axis."""
    return Quaternion.fromAngleAndAxisRotation(angle, x, y, z)


# Changes of reference, which change their last argument, as in the library.


def changeReferencePose2D(theta, pose, result):  # type: (float, Pose2D, Pose2D) -> None
    """Rotate the place of a pose by an angle; its heading does not change."""
    cosine, sine = math.cos(theta), math.sin(theta)
    _write(result, [cosine * pose.x - sine * pose.y, sine * pose.x + cosine * pose.y, pose.theta])


def changeReferencePosition3D(transform, position, result):  # type: (Transform, Position3D, Position3D) -> None
    """Rotate a position by the rotation of a transform."""
    _write(result, (rotationFromTransform(transform) * position).toVector())


def changeReferenceTransposePosition3D(transform, position, result):
    # type: (Transform, Position3D, Position3D) -> None
    """Rotate a position by the inverse rotation of a transform."""
    _write(result, (rotationFromTransform(transform).transpose() * position).toVector())


def changeReferencePosition6D(transform, value, result):  # type: (Transform, Any, Any) -> None
    """Rotate both halves of a position or velocity of six numbers by the rotation of a transform."""
    _write(result, _halves_turned(rotationFromTransform(transform), value))


def changeReferenceTransposePosition6D(transform, value, result):  # type: (Transform, Any, Any) -> None
    """Rotate both halves of a position or velocity of six numbers by the inverse rotation of a transform."""
    _write(result, _halves_turned(rotationFromTransform(transform).transpose(), value))


changeReferenceVelocity6D = changeReferencePosition6D
changeReferenceTransposeVelocity6D = changeReferenceTransposePosition6D


def changeReferenceTransform(transform, value, result):  # type: (Transform, Transform, Transform) -> None
    """Multiply a transform by another from the left."""
    _write(result, list((transform * value)._all()))


def changeReferenceTransposeTransform(transform, value, result):  # type: (Transform, Transform, Transform) -> None
    """Multiply a transform by the inverse of another from the left."""
    _write(result, list((transform.inverse() * value)._all()))


# Between two transforms.


def transformLogarithm(transform):  # type: (Transform) -> Velocity6D
    """Return the constant velocity that leads to a transform in one second."""
    rotation = rotationFromTransform(transform)
    half = (rotation.r1_c1 + rotation.r2_c2 + rotation.r3_c3 - 1) / 2
    angle = math.acos(max(-1.0, min(1.0, half)))
    if math.pi - angle < 1e-4:
        raise RuntimeError("ALMath: the logarithm of a turn by pi has no direction.")
    factor = 0.5 if angle < SMALL else angle / (2 * math.sin(angle))
    r = rotation
    w = Position3D(r.r3_c2 - r.r2_c3, r.r1_c3 - r.r3_c1, r.r2_c1 - r.r1_c2) * factor
    p = Position3D(transform.r1_c4, transform.r2_c4, transform.r3_c4)
    bend = 0.0 if angle < 1e-4 else (1 - angle * math.cos(angle / 2) / (2 * math.sin(angle / 2))) / angle**2
    v = p - w.crossProduct(p) * 0.5 + w.crossProduct(w.crossProduct(p)) * (bend or 1 / 12.0)
    return Velocity6D(v.x, v.y, v.z, w.x, w.y, w.z)


def velocityExponential(velocity):  # type: (Velocity6D) -> Transform
    """Return the transform to which a constant velocity leads in one second."""
    given = velocity.toVector()
    v, w = Position3D(given[:3]), Position3D(given[3:])
    angle = w.norm()
    if angle < SMALL:
        return Transform(v.x, v.y, v.z)
    turned = rotationFromAngleDirection(angle, w)
    side = w.crossProduct(v) * ((1 - math.cos(angle)) / angle**2)
    along = w.crossProduct(w.crossProduct(v)) * ((angle - math.sin(angle)) / angle**3)
    p = v + side + along
    return _build_transform(turned, p.x, p.y, p.z)


def transformMean(first, second, value=0.5):  # type: (Transform, Transform, float) -> Transform
    """Interpolate between two transforms: 0 returns the first, 1 the second."""
    mean = first * velocityExponential(transformLogarithm(first.diff(second)) * value)  # type: Transform
    return mean


def _halves_turned(rotation, value):  # type: (Rotation, Any) -> List[float]
    given = value.toVector()
    halves = [(rotation * Position3D(given[start : start + 3])).toVector() for start in (0, 3)]
    return list(halves[0]) + list(halves[1])


def _write(result, numbers):  # type: (Any, Sequence[float]) -> None
    for name, value in zip(result._fields, numbers):
        setattr(result, name, value)


# Dubins curves: paths between two places along two circles and the line that touches both.

_LEFT, _RIGHT = 1, -1


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
    away = math.hypot(target.x, target.y)
    if away < 4 * radius:
        rule = "the target of a Dubins curve is at least four radii away"
        raise RuntimeError("ALMath: %s, %g m, not %g m." % (rule, 4 * radius, away))
    sides = [(first, last) for first in (_LEFT, _RIGHT) for last in (_LEFT, _RIGHT)]
    lines = [(_line(target, radius, first, last), first, last) for first, last in sides]  # type: List[Any]
    lines = [row for row in lines if row[0] is not None]
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
    """Return an angle as a turn to one side: 0 to 2 pi to the left, -2 pi to 0 to the right."""
    return side * ((side * angle) % (2 * math.pi))


# Limits of NAO's steps.

_HALVINGS = 5  # steps of the bisection between no turn and the whole turn


def clipFootWithEllipse(longest, widest, step):  # type: (float, float, Pose2D) -> bool
    """Shorten a step to an ellipse with these half axes; return whether it was too long.

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
    """Reduce the turn of a step until the feet do not collide; return whether they would have.

    `left` and `right` are the corners of each foot, in order; the step is the move of the foot that is not a support.
    """
    still, moving = (left, right) if is_left_support else (right, left)
    if not _meet(still, _move_corners(moving, step)):
        return False
    low, high = 0.0, step.theta
    for _ in range(_HALVINGS):
        step.theta = (low + high) / 2
        if _meet(still, _move_corners(moving, step)):
            high = step.theta
        else:
            low = step.theta
    step.theta = low
    return True


def _move_corners(corners, step):  # type: (Sequence[Any], Pose2D) -> List[Any]
    return [step * Position2D(corner.x, corner.y) for corner in corners]


def _meet(one, other):  # type: (Sequence[Any], Sequence[Any]) -> bool
    """Return whether two convex shapes overlap: no side of either separates them."""
    for x, y in list(_normals(one)) + list(_normals(other)):
        mine = [x * corner.x + y * corner.y for corner in one]
        theirs = [x * corner.x + y * corner.y for corner in other]
        if max(mine) < min(theirs) or max(theirs) < min(mine):
            return False
    return bool(one) and bool(other)


def _normals(corners):  # type: (Sequence[Any]) -> Iterator[Any]
    for start, end in zip(corners, list(corners[1:]) + list(corners[:1])):
        yield end.y - start.y, start.x - end.x
