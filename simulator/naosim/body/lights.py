"""The lights of one robot: the brightness of each, 0 to 1, as a function of the clock."""

from __future__ import absolute_import, division, print_function

from bisect import bisect_right

MYPY = False
if MYPY:
    from typing import Any, Dict, Sequence, Tuple

    from naosim.kernel.clock import Clock

#: All lights are on when the robot has woken up.
AWAKE = 1.0


class Lights(object):
    """What each light does at the moment: it shines steadily, or follows a curve since a time.

    >>> from naosim.body.curves import Steady
    >>> from naosim.kernel.clock import Clock
    >>> clock = Clock()
    >>> lights = Lights(clock)
    >>> lights.follow("Ears/Led/Left/0Deg", Steady(1.0, 0.0, 4.0))
    >>> _ = clock.run(seconds=1.0)
    >>> lights.brightness("Ears/Led/Left/0Deg"), lights.brightness("Ears/Led/Left/36Deg")
    (0.75, 1.0)
    """

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._steady = {}  # type: Dict[str, float]
        self._curves = {}  # type: Dict[str, Tuple[float, Any]]

    def brightness(self, light):  # type: (str) -> float
        """Return the brightness of a light now."""
        if light not in self._curves:
            return self._steady.get(light, AWAKE)
        since, curve = self._curves[light]
        passed = self._clock.now() - since
        if passed < curve.seconds:
            return float(curve.at(passed))
        self.set(light, curve.end)
        return self._steady[light]

    def set(self, light, brightness):  # type: (str, float) -> None
        """Give a light a brightness at once."""
        self._steady[light] = float(brightness)
        self._curves.pop(light, None)

    def follow(self, light, curve):  # type: (str, Any) -> None
        """Let a light follow a curve from now on; its `end` stays after its `seconds`."""
        self._curves[light] = self._clock.now(), curve


class Ramps(object):
    """Through brightnesses at their times, in straight lines.

    >>> curve = Ramps(0.0, [(1.0, 1.0), (3.0, 0.5)])
    >>> curve.at(0.5), curve.at(2.0), curve.seconds, curve.end
    (0.5, 0.75, 3.0, 0.5)
    """

    def __init__(self, start, points):  # type: (float, Sequence[Tuple[float, float]]) -> None
        self._times = [0.0] + [time for time, _ in points]
        self._values = [start] + [value for _, value in points]
        self.seconds, self.end = self._times[-1], self._values[-1]

    def at(self, seconds):  # type: (float) -> float
        """Return the brightness so many seconds after the start."""
        after = bisect_right(self._times, seconds)
        if after == len(self._times):
            return self.end
        begin, end = self._times[after - 1 : after + 1]
        one, two = self._values[after - 1 : after + 1]
        return one + (two - one) * (seconds - begin) / (end - begin)


class Steps(object):
    """Brightnesses that take turns, each for as long as the others, until the time is up.

    >>> curve = Steps([1.0, 0.0], 0.5, 2.0, 0.25)
    >>> [curve.at(seconds) for seconds in (0.0, 0.75, 1.25)], curve.end
    ([1.0, 0.0, 1.0], 0.25)
    """

    def __init__(self, values, step, seconds, end):  # type: (Sequence[float], float, float, float) -> None
        self._values, self._step, self.seconds, self.end = values, step, seconds, end

    def at(self, seconds):  # type: (float) -> float
        """Return the brightness so many seconds after the start."""
        return self._values[int(seconds / self._step) % len(self._values)]
