"""Functions on vectors and transforms: distances, products, changes of reference, means, logarithms."""

from __future__ import absolute_import, division, print_function

import math

from .conversions import rotationFromAngleDirection, rotationFromTransform
from .rotations import Quaternion, Rotation
from .transforms import Transform, _turned
from .vectors import Pose2D, Position3D, Velocity6D

MYPY = False
if MYPY:
    from typing import Any, List, Sequence

SMALL = 1e-9


def modulo2PI(angle):  # type: (float) -> float
    """Return the same direction between -pi and pi.

    >>> print("%.4f" % modulo2PI(4.0))
    -2.2832
    """
    return angle - 2 * math.pi * math.floor((angle + math.pi) / (2 * math.pi))


def weightedMeanAngle(angles, weights):  # type: (Sequence[float], Sequence[float]) -> float
    """Return the mean direction; raise RuntimeError when there is none.

    >>> print("%.4f" % meanAngle([3.0, -3.0]))
    3.1416
    """
    x = sum(weight * math.cos(angle) for angle, weight in zip(angles, weights))
    y = sum(weight * math.sin(angle) for angle, weight in zip(angles, weights))
    if math.hypot(x, y) < SMALL:
        raise RuntimeError("ALMath: the angles %.80r have no mean." % (list(angles),))
    return math.atan2(y, x)


def meanAngle(angles):  # type: (Sequence[float]) -> float
    """Return the mean direction; raise RuntimeError when there is none."""
    return weightedMeanAngle(angles, [1.0] * len(angles))


# The methods of the classes, as functions.


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
    """Make the quaternion of a turn by an angle about an axis."""
    return Quaternion.fromAngleAndAxisRotation(angle, x, y, z)


# Changes of reference write into their last argument, as the library does.


def changeReferencePose2D(theta, pose, result):  # type: (float, Pose2D, Pose2D) -> None
    """Turn the place of a pose by an angle; its heading stays."""
    cosine, sine = math.cos(theta), math.sin(theta)
    _write(result, [cosine * pose.x - sine * pose.y, sine * pose.x + cosine * pose.y, pose.theta])


def changeReferencePosition3D(transform, position, result):  # type: (Transform, Position3D, Position3D) -> None
    """Turn a position by the rotation of a transform."""
    _write(result, (rotationFromTransform(transform) * position).toVector())


def changeReferenceTransposePosition3D(transform, position, result):
    # type: (Transform, Position3D, Position3D) -> None
    """Turn a position back by the rotation of a transform."""
    _write(result, (rotationFromTransform(transform).transpose() * position).toVector())


def changeReferencePosition6D(transform, value, result):  # type: (Transform, Any, Any) -> None
    """Turn both halves of a position or velocity of six numbers by the rotation of a transform."""
    _write(result, _halves_turned(rotationFromTransform(transform), value))


def changeReferenceTransposePosition6D(transform, value, result):  # type: (Transform, Any, Any) -> None
    """Turn both halves of a position or velocity of six numbers back by the rotation of a transform."""
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
    w = (
        Position3D(rotation.r3_c2 - rotation.r2_c3, rotation.r1_c3 - rotation.r3_c1, rotation.r2_c1 - rotation.r1_c2)
        * factor
    )
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
    return _turned(turned, p.x, p.y, p.z)


def transformMean(first, second, value=0.5):  # type: (Transform, Transform, float) -> Transform
    """Return the transform on the way from the first (0) to the second (1)."""
    mean = first * velocityExponential(transformLogarithm(first.diff(second)) * value)  # type: Transform
    return mean


def _halves_turned(rotation, value):  # type: (Rotation, Any) -> List[float]
    given = value.toVector()
    halves = [(rotation * Position3D(given[start : start + 3])).toVector() for start in (0, 3)]
    return list(halves[0]) + list(halves[1])


def _write(result, numbers):  # type: (Any, Sequence[float]) -> None
    for name, value in zip(result._fields, numbers):
        setattr(result, name, value)
