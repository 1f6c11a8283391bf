"""The body of one robot: joints whose angles are functions of the clock, stiffnesses, and the place on the floor."""

from __future__ import absolute_import, division, print_function

from naosim.body import joints
from naosim.body.curves import Smooth, Steady
from naosim.body.postures import angles_of
from naosim.body.walking import Walk

MYPY = False
if MYPY:
    from typing import Any, Dict, Iterable, Optional, Tuple

    from naosim.kernel.clock import Clock

#: At the least part of full speed a way still ends.
SLOWEST = 0.01
LONGEST = 600.0  # seconds of one movement


class Body(object):
    """What each joint does at the moment: it rests, or follows a curve since a time. A new curve takes over.

    >>> from naosim.kernel.clock import Clock
    >>> clock = Clock()
    >>> body = Body(clock)
    >>> body.move("HeadYaw", Steady(0.0, 1.0, 4.0))
    >>> _ = clock.run(seconds=1.0)
    >>> body.angle("HeadYaw"), body.target("HeadYaw"), body.is_moving("HeadYaw")
    (0.25, 1.0, True)
    """

    def __init__(self, clock, posture="Stand"):  # type: (Clock, str) -> None
        self._clock = clock
        self.walk = Walk(clock)
        self.is_awake = True
        self._rest = angles_of(posture)
        self._moves = {}  # type: Dict[str, Tuple[float, Any]]
        self._stiffness = {}  # type: Dict[str, Tuple[float, Any]]

    def angle(self, joint):  # type: (str) -> float
        """Return the angle of a joint now."""
        joint = joints.SHARED.get(joint, joint)
        move = self._moves.get(joint)
        if move is None:
            return self._rest[joint]
        since, curve = move
        return joints.clamped(joint, curve.at(self._clock.now() - since))

    def angles(self):  # type: () -> Dict[str, float]
        """Return the angle of every joint now."""
        return {joint: self.angle(joint) for joint in joints.BODY}

    def target(self, joint):  # type: (str) -> float
        """Return the angle at which a joint will come to rest."""
        joint = joints.SHARED.get(joint, joint)
        move = self._moves.get(joint)
        return self._rest[joint] if move is None else joints.clamped(joint, move[1].end)

    def is_moving(self, joint):  # type: (str) -> bool
        """Tell whether a joint is on its way."""
        move = self._moves.get(joints.SHARED.get(joint, joint))
        return move is not None and self._clock.now() - move[0] < move[1].seconds

    def move(self, joint, curve):  # type: (str, Any) -> None
        """Let a joint follow a curve from now on; without stiffness it stays where it is."""
        joint = joints.SHARED.get(joint, joint)
        if self.stiffness(joint) > 0:
            self._moves[joint] = self._clock.now(), curve

    def turn(self, joint, angle, fraction):  # type: (str, float, float) -> float
        """Turn a joint to an angle at a fraction of its full speed, and return the seconds this takes."""
        start, end = self.angle(joint), joints.clamped(joint, angle)
        seconds = min(abs(end - start) / (joints.SPEEDS[joint] * max(fraction, SLOWEST)), LONGEST)
        self.move(joint, Steady(start, end, seconds))
        return seconds

    def take(self, angles, seconds):  # type: (Dict[str, float], float) -> None
        """Move joints to angles in so many seconds."""
        for joint in sorted(angles, reverse=True):  # The left hip comes last, so that it counts.
            self.move(joint, Smooth(self.angle(joint), [seconds], [angles[joint]]))

    def halt(self, names=joints.BODY):  # type: (Iterable[str]) -> None
        """Stop joints at the angles they have reached."""
        for joint in {joints.SHARED.get(name, name) for name in names}:
            self._rest[joint] = self.angle(joint)
            self._moves.pop(joint, None)

    def stiffness(self, joint):  # type: (str) -> float
        """Return the stiffness of a joint now, 0 to 1."""
        since, curve = self._stiffness.get(joint, (0.0, None))
        if curve is None:
            return 1.0 if self.is_awake else 0.0
        return float(curve.at(self._clock.now() - since))

    def stiffen(self, joint, value, seconds=0.0, curve=None):  # type: (str, float, float, Optional[Any]) -> None
        """Change the stiffness of a joint at one rate, or along a curve; one that becomes limp stops moving."""
        now = self._clock.now()
        self._stiffness[joint] = now, curve or Steady(self.stiffness(joint), value, seconds)
        if self.stiffness(joint) <= 0:
            self.halt([joint])

    def stiffen_all(self, is_awake):  # type: (bool) -> None
        """Switch every motor on or off."""
        self._stiffness.clear()
        self.is_awake = is_awake
        if not is_awake:
            self.halt()
