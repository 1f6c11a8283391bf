"""Positions, poses, angles, velocities, rotations and transforms, and the constants of NAOqi's `almath`.

`_Numbers` and `_Vector` are the bases of the classes: named numbers that add, scale, compare and print.
"""

from __future__ import absolute_import, division, print_function

import math
from operator import attrgetter

MYPY = False
if MYPY:
    from typing import Any, Iterator, List, Sequence, Tuple, TypeVar

# Angles and masks of axes.

PI = math.pi
PI_2 = math.pi / 2
PI_4 = math.pi / 4
_2_PI_ = 2 * math.pi
_4_PI_ = 4 * math.pi
TO_RAD = math.pi / 180
TO_DEG = 180 / math.pi

AXIS_MASK_X = 1
AXIS_MASK_Y = 2
AXIS_MASK_XY = 3
AXIS_MASK_Z = 4
AXIS_MASK_WX = 8
AXIS_MASK_WY = 16
AXIS_MASK_WZ = 32
AXIS_MASK_WYWZ = 48
AXIS_MASK_ALL = 63
AXIS_MASK_VEL = 7
AXIS_MASK_ROT = 56
AXIS_MASK_NONE = 0
AXIS_MASK_PLANEZ = 28


def isAxisMask(mask):  # type: (int) -> bool
    """Return whether a number is a mask of the six axes.

    >>> isAxisMask(63), isAxisMask(64)
    (True, False)
    """
    return 0 <= mask <= AXIS_MASK_ALL


# Common parts of vectors, rotations and transforms.

if MYPY:
    _N = TypeVar("_N", bound="_Numbers")
    _V = TypeVar("_V", bound="_Vector")

_NEAR = 0.0001


class _Sequence(list):  # type: ignore[type-arg]
    """A list, with the methods of a C++ vector that scripts use."""

    def size(self):  # type: () -> int
        return len(self)

    def push_back(self, value):  # type: (Any) -> None
        self.append(value)


class vectorFloat(_Sequence):
    """A list of numbers, as `toVector` returns it."""

    def __repr__(self):  # type: () -> str
        return "vectorFloat([%s])" % ", ".join("%g" % each for each in self)


class vectorPosition2D(_Sequence):
    """A list of points of the plane."""


class vectorPose2D(_Sequence):
    """A list of places on the floor."""


class vectorPosition6D(_Sequence):
    """A list of positions with their orientations."""


class _Numbers(object):
    """A fixed set of named numbers; `_fields` names them in the order of `toVector`."""

    _fields = ()  # type: Tuple[str, ...]
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *values):  # type: (*Any) -> None
        given = list(self._default()) if not values else list(values)  # type: List[Any]
        if len(values) == 1:
            given = self._single(values[0])
        if len(given) != len(self._fields):
            takes = "%s takes %d numbers (%s)" % (type(self).__name__, len(self._fields), ", ".join(self._fields))
            raise ValueError("%s, not %d: %.80r" % (takes, len(given), given))
        for name, value in zip(self._fields, given):
            setattr(self, name, float(value))

    def _default(self):  # type: () -> List[float]
        return [0.0] * len(self._fields)

    def _single(self, value):  # type: (Any) -> List[Any]
        """Read the only argument: a list of all numbers."""
        return list(value)

    def _all(self):  # type: () -> Iterator[float]
        return (getattr(self, name) for name in self._fields)

    def toVector(self):  # type: () -> vectorFloat
        return vectorFloat(self._all())

    def isNear(self, other, epsilon=_NEAR):  # type: (_N, _N, float) -> bool
        """Return whether no number differs from the other's by more than `epsilon`."""
        return all(abs(mine - theirs) <= epsilon for mine, theirs in zip(self._all(), other._all()))

    def __eq__(self, other):  # type: (object) -> bool
        return isinstance(other, _Numbers) and type(other) is type(self) and self.toVector() == other.toVector()

    def __ne__(self, other):  # type: (object) -> bool
        return not self == other

    def __repr__(self):  # type: () -> str
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%g" % pair for pair in zip(self._fields, self._all())))


class _Vector(_Numbers):
    """Numbers that are added one by one and scaled together."""

    def _single(self, value):  # type: (Any) -> List[Any]
        """Read the only argument: a list of all numbers, or one number for all of them."""
        return list(value) if hasattr(value, "__len__") else [value] * len(self._fields)

    def __add__(self, other):  # type: (_V, _V) -> _V
        return type(self)([mine + theirs for mine, theirs in zip(self._all(), other._all())])

    def __sub__(self, other):  # type: (_V, _V) -> _V
        return type(self)([mine - theirs for mine, theirs in zip(self._all(), other._all())])

    def __pos__(self):  # type: (_V) -> _V
        return self

    def __neg__(self):  # type: (_V) -> _V
        return type(self)([-each for each in self._all()])

    def __mul__(self, factor):  # type: (_V, Any) -> Any
        return type(self)([each * float(factor) for each in self._all()])

    def __rmul__(self, factor):  # type: (_V, Any) -> _V
        return type(self)([each * float(factor) for each in self._all()])

    def __truediv__(self, divisor):  # type: (_V, float) -> _V
        if divisor == 0:
            raise RuntimeError("ALMath: %s cannot be divided by zero." % type(self).__name__)
        return type(self)([each / float(divisor) for each in self._all()])

    __div__ = __truediv__

    def norm(self):  # type: () -> float
        """Return the length: the square root of the sum of all squares."""
        return math.sqrt(sum(each * each for each in self._all()))

    def normalize(self):  # type: (_V) -> _V
        """Return the vector of length 1 in the same direction; raises RuntimeError for length 0."""
        return self / self.norm()


# Positions, poses, angles and velocities.


class _Distant(_Vector):
    """A vector that has a distance to others."""

    def distanceSquared(self, other):  # type: (Any) -> float
        """Return the square of the distance."""
        return float((self - other).norm()) ** 2

    def distance(self, other):  # type: (Any) -> float
        return float((self - other).norm())


class Position2D(_Distant):
    """A point of the plane, in metres."""

    _fields = ("x", "y")
    x = y = 0.0

    @staticmethod
    def fromPolarCoordinates(radius, angle):  # type: (float, float) -> Position2D
        """Make the point at a distance from the origin, in a direction."""
        return Position2D(radius * math.cos(angle), radius * math.sin(angle))

    def dotProduct(self, other):  # type: (Position2D) -> float
        """Return the scalar product."""
        return self.x * other.x + self.y * other.y

    def crossProduct(self, other):  # type: (Position2D) -> float
        """Return the z component of the cross product of two vectors of the plane."""
        return self.x * other.y - self.y * other.x

    def getAngle(self):  # type: () -> float
        """Return the direction from the origin."""
        return math.atan2(self.y, self.x)


class Position3D(_Distant):
    """A point of space, in metres."""

    _fields = ("x", "y", "z")
    x = y = z = 0.0

    def dotProduct(self, other):  # type: (Position3D) -> float
        """Return the scalar product."""
        return self.x * other.x + self.y * other.y + self.z * other.z

    def crossProduct(self, other):  # type: (Position3D) -> Position3D
        """Return the cross product."""
        return Position3D(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def isUnitVector(self, epsilon=_NEAR):  # type: (float) -> bool
        """Return whether the length is 1."""
        return abs(self.norm() - 1) <= epsilon

    def isOrthogonal(self, other, epsilon=_NEAR):  # type: (Position3D, float) -> bool
        """Return whether two vectors are orthogonal."""
        return abs(self.dotProduct(other)) <= epsilon


class Position6D(_Distant):
    """A position and an orientation: x, y, z, then the rotations about x, y and z, applied as Rz(wz) Ry(wy) Rx(wx)."""

    _fields = ("x", "y", "z", "wx", "wy", "wz")
    x = y = z = wx = wy = wz = 0.0

    def distanceSquared(self, other):  # type: (Position6D) -> float
        """Return the square of the distance of the positions; orientations do not count."""
        return (self.x - other.x) ** 2 + (self.y - other.y) ** 2 + (self.z - other.z) ** 2

    def distance(self, other):  # type: (Position6D) -> float
        """Return the distance of the positions; orientations do not count."""
        return math.sqrt(self.distanceSquared(other))


class Pose2D(_Vector):
    """A place on the floor and a heading; the product of two is the second, seen from the first."""

    _fields = ("x", "y", "theta")
    x = y = theta = 0.0

    @staticmethod
    def fromPolarCoordinates(radius, angle):  # type: (float, float) -> Pose2D
        """Make the place at a distance from the origin, in a direction, with that heading."""
        return Pose2D(radius * math.cos(angle), radius * math.sin(angle), angle)

    def __mul__(self, other):  # type: (Any) -> Any
        if not isinstance(other, (Pose2D, Position2D)):
            return _Vector.__mul__(self, other)
        cosine, sine = math.cos(self.theta), math.sin(self.theta)
        x, y = self.x + cosine * other.x - sine * other.y, self.y + sine * other.x + cosine * other.y
        return Pose2D(x, y, self.theta + other.theta) if isinstance(other, Pose2D) else Position2D(x, y)

    def inverse(self):  # type: () -> Pose2D
        """Return the origin, seen from this place."""
        cosine, sine = math.cos(self.theta), math.sin(self.theta)
        return Pose2D(-self.x * cosine - self.y * sine, self.x * sine - self.y * cosine, -self.theta)

    def diff(self, other):  # type: (Pose2D) -> Pose2D
        """Return another place, seen from this one."""
        found = self.inverse() * other  # type: Pose2D
        return found

    def distanceSquared(self, other):  # type: (Pose2D) -> float
        """Return the square of the distance of the places; headings do not count."""
        return (self.x - other.x) ** 2 + (self.y - other.y) ** 2

    def distance(self, other):  # type: (Pose2D) -> float
        """Return the distance of the places; headings do not count."""
        return math.sqrt(self.distanceSquared(other))

    def norm(self):  # type: () -> float
        """Return the distance from the origin."""
        return math.hypot(self.x, self.y)

    def normalize(self):  # type: () -> Pose2D
        """Return the place at distance 1 in the same direction; raises RuntimeError at the origin."""
        norm = self.norm()
        if norm < _NEAR:
            raise RuntimeError("ALMath: Pose2D cannot be normalized at the origin.")
        return Pose2D(self.x / norm, self.y / norm, self.theta)

    def getAngle(self):  # type: () -> float
        """Return the direction from the origin."""
        return math.atan2(self.y, self.x)


class Rotation3D(_Vector):
    """The rotations about x, y and z, applied as Rz(wz) Ry(wy) Rx(wx)."""

    _fields = ("wx", "wy", "wz")
    wx = wy = wz = 0.0


class Velocity3D(_Vector):
    """A velocity in metres a second."""

    _fields = ("xd", "yd", "zd")
    xd = yd = zd = 0.0


class Velocity6D(_Vector):
    """A velocity in metres and radians a second."""

    _fields = ("xd", "yd", "zd", "wxd", "wyd", "wzd")
    xd = yd = zd = wxd = wyd = wzd = 0.0


class PositionAndVelocity(_Numbers):
    """The angle of a joint and its speed."""

    _fields = ("q", "dq")
    q = dq = 0.0

    def __init__(self, q=0.0, dq=0.0):  # type: (float, float) -> None
        _Numbers.__init__(self, q, dq)


# Rotations, as matrices and quaternions.

_IDENTITY_ROTATION = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Rotation(_Numbers):
    """A rotation as a matrix; `r2_c1` is the first number of the second row."""

    _fields = tuple("r%d_c%d" % (row, column) for row in (1, 2, 3) for column in (1, 2, 3))
    r1_c1 = r2_c2 = r3_c3 = 1.0
    r1_c2 = r1_c3 = r2_c1 = r2_c3 = r3_c1 = r3_c2 = 0.0

    def _default(self):  # type: () -> Any
        return _IDENTITY_ROTATION

    def __mul__(self, other):  # type: (Any) -> Any
        a = self.toVector()
        if isinstance(other, (Position3D, Velocity3D)):
            x, y, z = other.toVector()
            return type(other)([a[row] * x + a[row + 1] * y + a[row + 2] * z for row in (0, 3, 6)])
        b = other.toVector()
        places = [(row, column) for row in (0, 3, 6) for column in (0, 1, 2)]
        return Rotation([a[row] * b[at] + a[row + 1] * b[3 + at] + a[row + 2] * b[6 + at] for row, at in places])

    def transpose(self):  # type: () -> Rotation
        """Return the transposed matrix, which is the inverse of a rotation."""
        a = self.toVector()
        return Rotation([a[row + 3 * column] for row in (0, 1, 2) for column in (0, 1, 2)])

    def determinant(self):  # type: () -> float
        """Return the determinant, 1 for a rotation."""
        a, b, c, d, e, f, g, h, i = self.toVector()
        return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))

    def isRotation(self, epsilon=_NEAR):  # type: (float) -> bool
        """Return whether the matrix is a rotation."""
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
        """Make the rotation about x."""
        c, s = math.cos(angle), math.sin(angle)
        return Rotation([1, 0, 0, 0, c, -s, 0, s, c])

    @staticmethod
    def fromRotY(angle):  # type: (float) -> Rotation
        """Make the rotation about y."""
        c, s = math.cos(angle), math.sin(angle)
        return Rotation([c, 0, s, 0, 1, 0, -s, 0, c])

    @staticmethod
    def fromRotZ(angle):  # type: (float) -> Rotation
        """Make the rotation about z."""
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
        """Make the rotation by an angle about an axis."""
        return Rotation.fromQuaternion(*Quaternion.fromAngleAndAxisRotation(angle, x, y, z).toVector())

    def __str__(self):  # type: () -> str
        return _matrix(self.toVector(), 3)


class Quaternion(_Vector):
    """A rotation as the quaternion w + xi + yj + zk."""

    _fields = ("w", "x", "y", "z")
    w, x, y, z = 1.0, 0.0, 0.0, 0.0

    def _default(self):  # type: () -> Any
        return (1.0, 0.0, 0.0, 0.0)

    def __mul__(self, other):  # type: (Any) -> Any
        if isinstance(other, Position3D):
            return Rotation.fromQuaternion(*self.toVector()) * other
        if not isinstance(other, Quaternion):
            return _Vector.__mul__(self, other)
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
        """Make the rotation by an angle about an axis; raises RuntimeError for an axis of length 0."""
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


# Transforms.

if MYPY:
    Twelve = Tuple[float, float, float, float, float, float, float, float, float, float, float, float]

_IDENTITY_TRANSFORM = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
_LAST_ROW = [0.0, 0.0, 0.0, 1.0]
_TRANSFORM_FIELDS = tuple("r%d_c%d" % (row, column) for row in (1, 2, 3) for column in (1, 2, 3, 4))
_READ_TWELVE = attrgetter(*_TRANSFORM_FIELDS)  # type: Any


class Transform(_Numbers):
    """A rotation and a translation, as the upper three rows of a 4 by 4 matrix; the last column is the translation.

    Made from nothing, from a translation (x, y, z), or from a list of 12 or 16 numbers, row by row.
    """

    _fields = _TRANSFORM_FIELDS
    r1_c1 = r2_c2 = r3_c3 = 1.0
    r1_c2 = r1_c3 = r1_c4 = r2_c1 = r2_c3 = r2_c4 = r3_c1 = r3_c2 = r3_c4 = 0.0

    def __init__(self, *values):  # type: (*Any) -> None
        if len(values) == 3:
            x, y, z = values
            values = ([1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z],)
        _Numbers.__init__(self, *values)

    def _default(self):  # type: () -> Any
        return _IDENTITY_TRANSFORM

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
        return _make_unchecked(
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
        return _READ_TWELVE(self)  # type: ignore[no-any-return]

    def inverse(self):  # type: () -> Transform
        """Return the inverse."""
        a, b, c, x, d, e, f, y, g, h, i, z = self._twelve()
        return _make_unchecked(
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
        x, y, z = self.r1_c4 - other.r1_c4, self.r2_c4 - other.r2_c4, self.r3_c4 - other.r3_c4
        return math.sqrt(x**2 + y**2 + z**2)

    def determinant(self):  # type: () -> float
        """Return the determinant of the rotation, 1 for a transform."""
        return self._rotation().determinant()

    def isTransform(self, epsilon=_NEAR):  # type: (float) -> bool
        """Return whether the matrix is a rotation and a translation."""
        return self._rotation().isRotation(epsilon)

    def normalizeTransform(self):  # type: () -> None
        """Make the columns of the rotation unit vectors at right angles, as Rotation.normalizeRotation does."""
        rotation = self._rotation()
        rotation.normalizeRotation()
        for name in rotation._fields:
            setattr(self, name, getattr(rotation, name))

    def _rotation(self):  # type: () -> Rotation
        return Rotation([getattr(self, name) for name in Rotation._fields])

    @staticmethod
    def fromRotX(angle):  # type: (float) -> Transform
        """Make the rotation about x."""
        c, s = math.cos(angle), math.sin(angle)
        return _make_unchecked((1.0, 0.0, 0.0, 0.0, 0.0, c, -s, 0.0, 0.0, s, c, 0.0))

    @staticmethod
    def fromRotY(angle):  # type: (float) -> Transform
        """Make the rotation about y."""
        c, s = math.cos(angle), math.sin(angle)
        return _make_unchecked((c, 0.0, s, 0.0, 0.0, 1.0, 0.0, 0.0, -s, 0.0, c, 0.0))

    @staticmethod
    def fromRotZ(angle):  # type: (float) -> Transform
        """Make the rotation about z."""
        c, s = math.cos(angle), math.sin(angle)
        return _make_unchecked((c, -s, 0.0, 0.0, s, c, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0))

    @staticmethod
    def from3DRotation(wx, wy, wz):  # type: (float, float, float) -> Transform
        """Make Rz(wz) Ry(wy) Rx(wx)."""
        return _build_transform(Rotation.from3DRotation(wx, wy, wz))

    @staticmethod
    def fromPosition(x, y, z, wx=0.0, wy=0.0, wz=0.0):  # type: (float, float, float, float, float, float) -> Transform
        """Make a translation, with Rz(wz) Ry(wy) Rx(wx) if angles are given."""
        return _build_transform(Rotation.from3DRotation(wx, wy, wz), x, y, z)

    def __str__(self):  # type: () -> str
        return _matrix(self.toVector(), 4)


def _make_unchecked(numbers):  # type: (Twelve) -> Transform
    """Make a transform without checking its numbers, because this is done very often."""
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


def _build_transform(rotation, x=0.0, y=0.0, z=0.0):  # type: (Rotation, float, float, float) -> Transform
    a = rotation.toVector()
    return Transform([a[0], a[1], a[2], x, a[3], a[4], a[5], y, a[6], a[7], a[8], z])


class TransformAndVelocity6D(object):
    """A transform `T` and a velocity `V`."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self):  # type: () -> None
        self.T, self.V = Transform(), Velocity6D()

    def isNear(self, other, epsilon=_NEAR):  # type: (TransformAndVelocity6D, float) -> bool
        """Return whether no number differs from the other's by more than `epsilon`."""
        return self.T.isNear(other.T, epsilon) and self.V.isNear(other.V, epsilon)

    def __eq__(self, other):  # type: (object) -> bool
        return isinstance(other, TransformAndVelocity6D) and (self.T, self.V) == (other.T, other.V)

    def __ne__(self, other):  # type: (object) -> bool
        return not self == other

    def __repr__(self):  # type: () -> str
        return "TransformAndVelocity6D(T=%r, V=%r)" % (self.T, self.V)
