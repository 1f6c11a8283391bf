"""Transforms: a rotation and a translation as the upper three rows of a 4 by 4 matrix."""

from __future__ import absolute_import, division, print_function

import math

from .numbers import NEAR, Numbers, vectorFloat
from .rotations import Rotation, _matrix
from .vectors import Position2D, Position3D, Velocity6D

MYPY = False
if MYPY:
    from typing import Any, List, Tuple

    Twelve = Tuple[float, float, float, float, float, float, float, float, float, float, float, float]

_IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
_LAST_ROW = [0.0, 0.0, 0.0, 1.0]


class Transform(Numbers):
    """A rotation and a translation; `r1_c4`, `r2_c4` and `r3_c4` are the translation.

    Made from nothing, from a translation (x, y, z), or from a list of 12 or 16 numbers, row by row.
    """

    _fields = tuple("r%d_c%d" % (row, column) for row in (1, 2, 3) for column in (1, 2, 3, 4))
    r1_c1 = r2_c2 = r3_c3 = 1.0
    r1_c2 = r1_c3 = r1_c4 = r2_c1 = r2_c3 = r2_c4 = r3_c1 = r3_c2 = r3_c4 = 0.0

    def __init__(self, *values):  # type: (*Any) -> None
        if len(values) == 3:
            x, y, z = values
            values = ([1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z],)
        Numbers.__init__(self, *values)

    def _default(self):  # type: () -> Any
        return _IDENTITY

    def _single(self, value):  # type: (Any) -> List[Any]
        given = list(value)
        return given[:12] if len(given) == 16 else given

    def toVector(self):  # type: () -> vectorFloat
        """Return all 16 numbers of the matrix, row by row."""
        return vectorFloat(list(self._all()) + _LAST_ROW)

    def __mul__(self, other):  # type: (Any) -> Any
        a, b, c, x, d, e, f, y, g, h, i, z = self._twelve()
        if isinstance(other, (Position2D, Position3D)):
            u, v, w = other.x, other.y, getattr(other, "z", 0.0)
            return Position3D([a * u + b * v + c * w + x, d * u + e * v + f * w + y, g * u + h * v + i * w + z])
        j, k, m, u, n, o, p, v, q, r, s, w = other._twelve()
        return _made(
            (
                a * j + b * n + c * q,
                a * k + b * o + c * r,
                a * m + b * p + c * s,
                a * u + b * v + c * w + x,
                d * j + e * n + f * q,
                d * k + e * o + f * r,
                d * m + e * p + f * s,
                d * u + e * v + f * w + y,
                g * j + h * n + i * q,
                g * k + h * o + i * r,
                g * m + h * p + i * s,
                g * u + h * v + i * w + z,
            )
        )

    def _twelve(self):  # type: () -> Twelve
        return (
            self.r1_c1,
            self.r1_c2,
            self.r1_c3,
            self.r1_c4,
            self.r2_c1,
            self.r2_c2,
            self.r2_c3,
            self.r2_c4,
            self.r3_c1,
            self.r3_c2,
            self.r3_c3,
            self.r3_c4,
        )

    def inverse(self):  # type: () -> Transform
        """Return the inverse."""
        a, b, c, x, d, e, f, y, g, h, i, z = self._twelve()
        return _made(
            (a, d, g, -(a * x + d * y + g * z), b, e, h, -(b * x + e * y + h * z), c, f, i, -(c * x + f * y + i * z))
        )

    def diff(self, other):  # type: (Transform) -> Transform
        """Return another transform, seen from this one."""
        found = self.inverse() * other  # type: Transform
        return found

    def norm(self):  # type: () -> float
        """Return the length of the translation."""
        return math.sqrt(self.r1_c4**2 + self.r2_c4**2 + self.r3_c4**2)

    def distanceSquared(self, other):  # type: (Transform) -> float
        """Return the square of the distance of the translations."""
        return self.distance(other) ** 2

    def distance(self, other):  # type: (Transform) -> float
        """Return the distance of the translations."""
        return math.sqrt(
            sum(
                (mine - theirs) ** 2
                for mine, theirs in zip((self.r1_c4, self.r2_c4, self.r3_c4), (other.r1_c4, other.r2_c4, other.r3_c4))
            )
        )

    def determinant(self):  # type: () -> float
        """Return the determinant of the rotation, 1 for a transform."""
        return self._rotation().determinant()

    def isTransform(self, epsilon=NEAR):  # type: (float) -> bool
        """Tell whether the matrix is a rotation and a translation."""
        return self._rotation().isRotation(epsilon)

    def normalizeTransform(self):  # type: () -> None
        """Make the rotation a true one, as Rotation.normalizeRotation does."""
        rotation = self._rotation()
        rotation.normalizeRotation()
        for name in rotation._fields:
            setattr(self, name, getattr(rotation, name))

    def _rotation(self):  # type: () -> Rotation
        return Rotation([getattr(self, name) for name in Rotation._fields])

    @staticmethod
    def fromRotX(angle):  # type: (float) -> Transform
        """Make the turn about x."""
        c, s = math.cos(angle), math.sin(angle)
        return _made((1.0, 0.0, 0.0, 0.0, 0.0, c, -s, 0.0, 0.0, s, c, 0.0))

    @staticmethod
    def fromRotY(angle):  # type: (float) -> Transform
        """Make the turn about y."""
        c, s = math.cos(angle), math.sin(angle)
        return _made((c, 0.0, s, 0.0, 0.0, 1.0, 0.0, 0.0, -s, 0.0, c, 0.0))

    @staticmethod
    def fromRotZ(angle):  # type: (float) -> Transform
        """Make the turn about z."""
        c, s = math.cos(angle), math.sin(angle)
        return _made((c, -s, 0.0, 0.0, s, c, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0))

    @staticmethod
    def from3DRotation(wx, wy, wz):  # type: (float, float, float) -> Transform
        """Make Rz(wz) Ry(wy) Rx(wx)."""
        return _turned(Rotation.from3DRotation(wx, wy, wz))

    @staticmethod
    def fromPosition(x, y, z, wx=0.0, wy=0.0, wz=0.0):  # type: (float, float, float, float, float, float) -> Transform
        """Make a translation, with Rz(wz) Ry(wy) Rx(wx) if angles are given."""
        return _turned(Rotation.from3DRotation(wx, wy, wz), x, y, z)

    def __str__(self):  # type: () -> str
        return _matrix(self.toVector(), 4)


def _made(numbers):  # type: (Twelve) -> Transform
    """Make a transform of numbers that need no check: this is done very often."""
    made = Transform.__new__(Transform)
    (
        made.r1_c1,
        made.r1_c2,
        made.r1_c3,
        made.r1_c4,
        made.r2_c1,
        made.r2_c2,
        made.r2_c3,
        made.r2_c4,
        made.r3_c1,
        made.r3_c2,
        made.r3_c3,
        made.r3_c4,
    ) = numbers
    return made


def _turned(rotation, x=0.0, y=0.0, z=0.0):  # type: (Rotation, float, float, float) -> Transform
    a = rotation.toVector()
    return Transform([a[0], a[1], a[2], x, a[3], a[4], a[5], y, a[6], a[7], a[8], z])


class TransformAndVelocity6D(object):
    """A transform `T` and a velocity `V`."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self):  # type: () -> None
        self.T, self.V = Transform(), Velocity6D()

    def isNear(self, other, epsilon=NEAR):  # type: (TransformAndVelocity6D, float) -> bool
        """Tell whether no number differs from the other's by more than `epsilon`."""
        return self.T.isNear(other.T, epsilon) and self.V.isNear(other.V, epsilon)

    def __eq__(self, other):  # type: (object) -> bool
        return isinstance(other, TransformAndVelocity6D) and (self.T, self.V) == (other.T, other.V)

    def __ne__(self, other):  # type: (object) -> bool
        return not self == other

    def __repr__(self):  # type: () -> str
        return "TransformAndVelocity6D(T=%r, V=%r)" % (self.T, self.V)
