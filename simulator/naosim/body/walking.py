"""Where the robot stands on the floor, as a function of time. Its legs do not step: it glides."""

from __future__ import absolute_import, division, print_function

import math

from almath import Pose2D

MYPY = False
if MYPY:
    from typing import Any, List, Sequence, Tuple

    from naosim.kernel.clock import Clock

    Leg = Tuple[float, float, float, float]  # x, y, angle, seconds

#: So far ahead the next steps are planned.
STEPS = 0.5
STRAIGHT = 1e-9  # a slower turn counts as none


class Walk(object):
    """The place on the floor: at rest, on the way along legs, or at a steady speed without end."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._start = Pose2D()
        self._since = 0.0
        self._legs = []  # type: List[Leg]
        self._speeds = None  # type: Any

    def place(self, ahead=0.0):  # type: (float) -> Pose2D
        """Return the place now, or so many seconds ahead if nothing is ordered till then."""
        passed = self._clock.now() - self._since + ahead
        if self._speeds is not None:
            return _composed(self._start, _driven(self._speeds, passed))
        here = self._start
        for x, y, angle, seconds in self._legs:
            part = 1.0 if passed >= seconds else max(passed, 0.0) / seconds
            here = _composed(here, Pose2D(x * part, y * part, angle * part))
            passed -= seconds
            if passed < 0:
                break
        return here

    def next_place(self):  # type: () -> Pose2D
        """Return where the robot will be after the steps that are planned already."""
        return self.place(STEPS)

    def velocity(self):  # type: () -> Tuple[float, float, float]
        """Return the speeds ahead, to the left and of turning."""
        if self._speeds is not None:
            found = self._speeds  # type: Tuple[float, float, float]
            return found
        passed = self._clock.now() - self._since
        for x, y, angle, seconds in self._legs:
            if 0 <= passed < seconds:
                return x / seconds, y / seconds, angle / seconds
            passed -= seconds
        return 0.0, 0.0, 0.0

    def is_endless(self):  # type: () -> bool
        """Tell whether the robot walks without a goal."""
        return self._speeds is not None

    def follow(self, legs):  # type: (Sequence[Leg]) -> None
        """Walk along legs, each relative to the end of the one before."""
        self.halt()
        self._legs = list(legs)

    def drive(self, speeds):  # type: (Tuple[float, float, float]) -> None
        """Walk at speeds until something else is ordered; stop for three zeros."""
        self.halt()
        self._speeds = speeds if any(speeds) else None

    def halt(self):  # type: () -> None
        """Stop at the place reached."""
        self._start, self._since, self._legs, self._speeds = self.place(), self._clock.now(), [], None


def _composed(place, way):  # type: (Pose2D, Pose2D) -> Pose2D
    return place * way  # type: ignore[no-any-return]


def _driven(speeds, seconds):  # type: (Tuple[float, float, float], float) -> Pose2D
    """Return where a steady speed and turn lead: along a line or an arc."""
    ahead, left, turn = speeds
    angle = turn * seconds
    if abs(turn) < STRAIGHT:
        return Pose2D(ahead * seconds, left * seconds, angle)
    sine, rest = math.sin(angle) / turn, (1 - math.cos(angle)) / turn
    return Pose2D(ahead * sine - left * rest, ahead * rest + left * sine, angle)
