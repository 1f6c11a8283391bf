"""Positions, poses, angles and velocities: named numbers with their own notions of distance and product."""

from __future__ import absolute_import, division, print_function

import math

from .numbers import NEAR, Numbers, Vector

MYPY = False
if MYPY:
    from typing import Any


class _Distant(Vector):
    """A vector that has a distance to others."""

    def distanceSquared(self, other):  # type: (Any) -> float
        """Return the square of the distance."""
        return float((self - other).norm()) ** 2

    def distance(self, other):  # type: (Any) -> float
        """Return the distance."""
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
        """Return the height of the cross product of two vectors of the plane."""
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

    def isUnitVector(self, epsilon=NEAR):  # type: (float) -> bool
        """Tell whether the length is 1."""
        return abs(self.norm() - 1) <= epsilon

    def isOrthogonal(self, other, epsilon=NEAR):  # type: (Position3D, float) -> bool
        """Tell whether two vectors stand at right angles."""
        return abs(self.dotProduct(other)) <= epsilon


class Position6D(_Distant):
    """A position and an orientation: x, y, z, then the turns about x, y and z, applied as Rz(wz) Ry(wy) Rx(wx)."""

    _fields = ("x", "y", "z", "wx", "wy", "wz")
    x = y = z = wx = wy = wz = 0.0

    def distanceSquared(self, other):  # type: (Position6D) -> float
        """Return the square of the distance of the positions; orientations do not count."""
        return (self.x - other.x) ** 2 + (self.y - other.y) ** 2 + (self.z - other.z) ** 2

    def distance(self, other):  # type: (Position6D) -> float
        """Return the distance of the positions; orientations do not count."""
        return math.sqrt(self.distanceSquared(other))


class Pose2D(Vector):
    """A place on the floor and a heading; the product of two is the second, seen from the first."""

    _fields = ("x", "y", "theta")
    x = y = theta = 0.0

    @staticmethod
    def fromPolarCoordinates(radius, angle):  # type: (float, float) -> Pose2D
        """Make the place at a distance from the origin, in a direction, with that heading."""
        return Pose2D(radius * math.cos(angle), radius * math.sin(angle), angle)

    def __mul__(self, other):  # type: (Any) -> Any
        if not isinstance(other, (Pose2D, Position2D)):
            return Vector.__mul__(self, other)
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
        """Return the place at distance 1 in the same direction; raise RuntimeError at the origin."""
        norm = self.norm()
        if norm < NEAR:
            raise RuntimeError("ALMath: Pose2D cannot be normalized at the origin.")
        return Pose2D(self.x / norm, self.y / norm, self.theta)

    def getAngle(self):  # type: () -> float
        """Return the direction from the origin."""
        return math.atan2(self.y, self.x)


class Rotation3D(Vector):
    """The turns about x, y and z, applied as Rz(wz) Ry(wy) Rx(wx)."""

    _fields = ("wx", "wy", "wz")
    wx = wy = wz = 0.0


class Velocity3D(Vector):
    """A velocity in metres a second."""

    _fields = ("xd", "yd", "zd")
    xd = yd = zd = 0.0


class Velocity6D(Vector):
    """A velocity in metres and radians a second."""

    _fields = ("xd", "yd", "zd", "wxd", "wyd", "wzd")
    xd = yd = zd = wxd = wyd = wzd = 0.0


class PositionAndVelocity(Numbers):
    """The angle of a joint and its speed."""

    _fields = ("q", "dq")
    q = dq = 0.0

    def __init__(self, q=0.0, dq=0.0):  # type: (float, float) -> None
        Numbers.__init__(self, q, dq)
