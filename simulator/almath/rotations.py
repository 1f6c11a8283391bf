"""Rotations of space: as a matrix of nine numbers, and as a quaternion."""

from __future__ import absolute_import, division, print_function

import math

from .numbers import NEAR, Numbers, Vector
from .vectors import Position3D, Velocity3D

MYPY = False
if MYPY:
    from typing import Any, Sequence

_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Rotation(Numbers):
    """A rotation as a matrix; `r2_c1` is the first number of the second row."""

    _fields = tuple("r%d_c%d" % (row, column) for row in (1, 2, 3) for column in (1, 2, 3))
    r1_c1 = r2_c2 = r3_c3 = 1.0
    r1_c2 = r1_c3 = r2_c1 = r2_c3 = r3_c1 = r3_c2 = 0.0

    def _default(self):  # type: () -> Any
        return _IDENTITY

    def __mul__(self, other):  # type: (Any) -> Any
        a = self.toVector()
        if isinstance(other, (Position3D, Velocity3D)):
            x, y, z = other.toVector()
            return type(other)([a[row] * x + a[row + 1] * y + a[row + 2] * z for row in (0, 3, 6)])
        b = other.toVector()
        return Rotation(
            [
                a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column]
                for row in (0, 3, 6)
                for column in (0, 1, 2)
            ]
        )

    def transpose(self):  # type: () -> Rotation
        """Return the transposed matrix, which is the inverse of a rotation."""
        a = self.toVector()
        return Rotation([a[row + 3 * column] for row in (0, 1, 2) for column in (0, 1, 2)])

    def determinant(self):  # type: () -> float
        """Return the determinant, 1 for a rotation."""
        a, b, c, d, e, f, g, h, i = self.toVector()
        return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))

    def isRotation(self, epsilon=NEAR):  # type: (float) -> bool
        """Tell whether the matrix is a rotation."""
        return (self * self.transpose()).isNear(Rotation(), epsilon) and abs(self.determinant() - 1) <= epsilon

    def normalizeRotation(self):  # type: () -> None
        """Make the columns of the matrix unit vectors at right angles, the first keeping its direction."""
        a = self.toVector()
        first = Position3D(a[0::3]).normalize()
        second = Position3D(a[1::3])
        second = (second - first * first.dotProduct(second)).normalize()
        for column, axis in enumerate((first, second, first.crossProduct(second))):
            for row, value in enumerate(axis.toVector()):
                setattr(self, "r%d_c%d" % (row + 1, column + 1), value)

    @staticmethod
    def fromRotX(angle):  # type: (float) -> Rotation
        """Make the turn about x."""
        c, s = math.cos(angle), math.sin(angle)
        return Rotation([1, 0, 0, 0, c, -s, 0, s, c])

    @staticmethod
    def fromRotY(angle):  # type: (float) -> Rotation
        """Make the turn about y."""
        c, s = math.cos(angle), math.sin(angle)
        return Rotation([c, 0, s, 0, 1, 0, -s, 0, c])

    @staticmethod
    def fromRotZ(angle):  # type: (float) -> Rotation
        """Make the turn about z."""
        c, s = math.cos(angle), math.sin(angle)
        return Rotation([c, -s, 0, s, c, 0, 0, 0, 1])

    @staticmethod
    def from3DRotation(wx, wy, wz):  # type: (float, float, float) -> Rotation
        """Make Rz(wz) Ry(wy) Rx(wx)."""
        made = Rotation.fromRotZ(wz) * Rotation.fromRotY(wy) * Rotation.fromRotX(wx)  # type: Rotation
        return made

    @staticmethod
    def fromQuaternion(a, b, c, d):  # type: (float, float, float, float) -> Rotation
        """Make the rotation of the quaternion a + bi + cj + dk."""
        n = math.sqrt(a * a + b * b + c * c + d * d)
        a, b, c, d = a / n, b / n, c / n, d / n
        return Rotation(
            [
                1 - 2 * (c * c + d * d),
                2 * (b * c - a * d),
                2 * (b * d + a * c),
                2 * (b * c + a * d),
                1 - 2 * (b * b + d * d),
                2 * (c * d - a * b),
                2 * (b * d - a * c),
                2 * (c * d + a * b),
                1 - 2 * (b * b + c * c),
            ]
        )

    @staticmethod
    def fromAngleDirection(angle, x, y, z):  # type: (float, float, float, float) -> Rotation
        """Make the turn by an angle about an axis."""
        return Rotation.fromQuaternion(*Quaternion.fromAngleAndAxisRotation(angle, x, y, z).toVector())

    def __str__(self):  # type: () -> str
        return _matrix(self.toVector(), 3)


class Quaternion(Vector):
    """A rotation as the quaternion w + xi + yj + zk."""

    _fields = ("w", "x", "y", "z")
    w, x, y, z = 1.0, 0.0, 0.0, 0.0

    def _default(self):  # type: () -> Any
        return (1.0, 0.0, 0.0, 0.0)

    def __mul__(self, other):  # type: (Any) -> Any
        if isinstance(other, Position3D):
            return Rotation.fromQuaternion(*self.toVector()) * other
        if not isinstance(other, Quaternion):
            return Vector.__mul__(self, other)
        w, x, y, z = self.toVector()
        return Quaternion(
            w * other.w - x * other.x - y * other.y - z * other.z,
            w * other.x + x * other.w + y * other.z - z * other.y,
            w * other.y + y * other.w + z * other.x - x * other.z,
            w * other.z + z * other.w + x * other.y - y * other.x,
        )

    def inverse(self):  # type: () -> Quaternion
        """Return the quaternion of the inverse rotation."""
        return Quaternion(self.w, -self.x, -self.y, -self.z) / self.norm() ** 2

    @staticmethod
    def fromAngleAndAxisRotation(angle, x, y, z):  # type: (float, float, float, float) -> Quaternion
        """Make the turn by an angle about an axis; raise RuntimeError for an axis of length 0."""
        axis = Position3D(x, y, z).normalize() * math.sin(angle / 2)
        return Quaternion(math.cos(angle / 2), axis.x, axis.y, axis.z)


def _matrix(numbers, width):  # type: (Sequence[float], int) -> str
    """Write a matrix row by row.

    >>> print(_matrix([1, 2, 3, 4], 2))
    [[1, 2]
     [3, 4]]
    """
    rows = [", ".join("%g" % each for each in numbers[at : at + width]) for at in range(0, len(numbers), width)]
    return "[%s]" % "\n ".join("[%s]" % row for row in rows)
