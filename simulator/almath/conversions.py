"""Conversions between poses, positions, rotations and transforms, by the names that NAOqi's library has for them."""

from __future__ import absolute_import, division, print_function

import math

from .constants import AXIS_MASK_X, AXIS_MASK_Y, AXIS_MASK_Z
from .rotations import Quaternion, Rotation
from .transforms import Transform, _turned
from .vectors import Pose2D, Position2D, Position3D, Position6D, Rotation3D, Velocity6D

MYPY = False
if MYPY:
    from typing import Any, Union


# To a transform.


def transformFromRotation(rotation):  # type: (Rotation) -> Transform
    """Make the transform that only turns."""
    return _turned(rotation)


def transformFromRotationPosition3D(rotation, *position):  # type: (Rotation, *Any) -> Transform
    """Make a transform from a rotation and a Position3D, or x, y and z."""
    given = position[0] if len(position) == 1 else Position3D(*position)
    return _turned(rotation, given.x, given.y, given.z)


def transformFromPosition3D(position):  # type: (Position3D) -> Transform
    """Make the transform that only moves."""
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
    return _turned(rotationFromQuaternion(quaternion))


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
    """Return the angles wx, wy and wz of which a rotation is Rz(wz) Ry(wy) Rx(wx)."""
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
    """Return how far a target lies from a transform: the way, and for small turns the vector of rotation."""
    turned = Position3D(0.0, 0.0, 0.0)
    for mine, theirs in zip(_columns(current), _columns(target)):
        turned = turned + mine.crossProduct(theirs) * 0.5
    way = position3DFromTransform(target) - position3DFromTransform(current)
    return Position6D(way.x, way.y, way.z, turned.x, turned.y, turned.z)


# Rotations and quaternions.


def rotationFromAngleDirection(angle, *axis):  # type: (float, *Any) -> Rotation
    """Make the turn by an angle about an axis, a Position3D or x, y and z."""
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
    """Return the angle of a quaternion's turn and the three numbers of its axis."""
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
    """Return the way that a velocity goes in one second."""
    return Position6D(velocity.toVector())


def _columns(transform):  # type: (Transform) -> Any
    a = transform.toVector()
    return [Position3D(a[column], a[column + 4], a[column + 8]) for column in (0, 1, 2)]
