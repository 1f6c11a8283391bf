"""How one joint moves: its angle as a function of the seconds since it began to move."""

from __future__ import absolute_import, division, print_function

from bisect import bisect_right

MYPY = False
if MYPY:
    from typing import List, Sequence, Tuple

    Handle = Tuple[float, float]  # seconds and radians from its key

#: How often the interval in which a Bezier curve has a time is halved.
HALVINGS = 40
CONSTANT, LINEAR = 0, 1


class Steady(object):
    """One speed from an angle to another."""

    def __init__(self, start, end, seconds):  # type: (float, float, float) -> None
        self.start, self.end, self.seconds = start, end, seconds

    def at(self, seconds):  # type: (float) -> float
        """Return the angle so many seconds after the start."""
        if seconds >= self.seconds:
            return self.end
        return self.start + (self.end - self.start) * max(seconds, 0.0) / self.seconds


class Smooth(object):
    """Through angles at their times, from rest to rest and without swinging over them: a monotone cubic spline.

    >>> curve = Smooth(0.0, [1.0, 3.0], [0.5, 0.5])
    >>> curve.at(0.5), curve.at(1.0), curve.at(2.0), curve.seconds
    (0.25, 0.5, 0.5, 3.0)
    """

    def __init__(self, start, times, angles):  # type: (float, Sequence[float], Sequence[float]) -> None
        self._times, self._angles = [0.0] + list(times), [start] + list(angles)
        if len(self._times) > 1 and self._times[1] <= 0:
            del self._times[0], self._angles[0]
        self.end, self.seconds = self._angles[-1], self._times[-1]
        self._slopes = _slopes(self._times, self._angles)

    def at(self, seconds):  # type: (float) -> float
        """Return the angle so many seconds after the start."""
        index = bisect_right(self._times, seconds) - 1
        if index < 0:
            return self._angles[0]
        if index >= len(self._times) - 1:
            return self.end
        width = self._times[index + 1] - self._times[index]
        u = (seconds - self._times[index]) / width
        one, two = self._angles[index : index + 2]
        slope, next_slope = self._slopes[index : index + 2]
        return (
            one * (1 + 2 * u) * (1 - u) ** 2
            + two * u * u * (3 - 2 * u)
            + width * (slope * u * (1 - u) ** 2 + next_slope * u * u * (u - 1))
        )


class Bezier(object):
    """Bezier curves from key to key: each key is (time, angle, handle before it, handle after it, kind after it)."""

    def __init__(self, start, keys):  # type: (float, Sequence[Tuple[float, float, Handle, Handle, int]]) -> None
        first = keys[0][0]
        self._keys = list(keys) if first <= 0 else [(0.0, start, (0.0, 0.0), (first / 3, 0.0), keys[0][4])] + list(keys)
        self._times = [key[0] for key in self._keys]
        self.end, self.seconds = self._keys[-1][1], self._times[-1]

    def at(self, seconds):  # type: (float) -> float
        """Return the angle so many seconds after the start."""
        index = bisect_right(self._times, seconds) - 1
        if index < 0:
            return self._keys[0][1]
        if index >= len(self._keys) - 1:
            return self.end
        (begin, one, _, after, kind), (end, two, before, _, _) = self._keys[index : index + 2]
        width, passed = end - begin, seconds - begin
        if kind == CONSTANT:
            return one
        if kind == LINEAR:
            return one + (two - one) * passed / width
        out, back = min(max(after[0], 0.0), width), width + max(min(before[0], 0.0), -width)
        u = _parameter(passed, (0.0, out, back, width))
        return _bezier(u, (one, one + after[1], two + before[1], two))


def _slopes(times, angles):  # type: (List[float], List[float]) -> List[float]
    """Return a slope for each key: 0 at both ends and at turning points, else the harmonic mean of both sides."""
    rises = [(angles[at + 1] - angles[at]) / (times[at + 1] - times[at]) for at in range(len(times) - 1)]
    pairs = [rises[at : at + 2] for at in range(len(rises) - 1)]
    inner = [2 * one * two / (one + two) if one * two > 0 else 0.0 for one, two in pairs]
    return [0.0] + inner + [0.0]


def _bezier(u, points):  # type: (float, Tuple[float, float, float, float]) -> float
    a, b, c, d = points
    v = 1 - u
    return v * v * v * a + 3 * v * v * u * b + 3 * v * u * u * c + u * u * u * d


def _parameter(wanted, points):  # type: (float, Tuple[float, float, float, float]) -> float
    """Find where a curve that never goes back has a value."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _bezier(middle, points) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2
