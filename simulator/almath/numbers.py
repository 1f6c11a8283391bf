"""What vectors, rotations and transforms share: named numbers that add, scale, compare and print."""

from __future__ import absolute_import, division, print_function

import math

MYPY = False
if MYPY:
    from typing import Any, Iterator, List, Tuple, TypeVar

    _N = TypeVar("_N", bound="Numbers")
    _V = TypeVar("_V", bound="Vector")

NEAR = 0.0001


class _Sequence(list):  # type: ignore[type-arg]
    """A list, with the methods of a C++ vector that scripts use."""

    def size(self):  # type: () -> int
        """Return the number of entries."""
        return len(self)

    def push_back(self, value):  # type: (Any) -> None
        """Append an entry."""
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


class Numbers(object):
    """A fixed set of named numbers; `_fields` names them in the order of `toVector`."""

    _fields = ()  # type: Tuple[str, ...]
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *values):  # type: (*Any) -> None
        given = list(self._default()) if not values else list(values)  # type: List[Any]
        if len(values) == 1:
            given = self._single(values[0])
        if len(given) != len(self._fields):
            raise ValueError(
                "%s takes %d numbers (%s), not %d: %.80r"
                % (type(self).__name__, len(self._fields), ", ".join(self._fields), len(given), given)
            )
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
        """Return the numbers as a list."""
        return vectorFloat(self._all())

    def isNear(self, other, epsilon=NEAR):  # type: (_N, _N, float) -> bool
        """Tell whether no number differs from the other's by more than `epsilon`."""
        return all(abs(mine - theirs) <= epsilon for mine, theirs in zip(self._all(), other._all()))

    def __eq__(self, other):  # type: (object) -> bool
        return isinstance(other, Numbers) and type(other) is type(self) and self.toVector() == other.toVector()

    def __ne__(self, other):  # type: (object) -> bool
        return not self == other

    def __repr__(self):  # type: () -> str
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%g" % pair for pair in zip(self._fields, self._all())))


class Vector(Numbers):
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
        """Return the vector of length 1 in the same direction; raise RuntimeError for a vector of length 0."""
        return self / self.norm()
