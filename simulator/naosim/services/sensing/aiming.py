"""The part of ALTracker that looks at a place in space or points at it."""

from __future__ import absolute_import, division, print_function

from almath import Position3D
from naosim import kinematics
from naosim.services.base import Service, overloads

MYPY = False
if MYPY:
    from typing import Dict, List, Optional

SECONDS = 1.0  # how long looking and pointing take
FARTHEST = 1000.0  # metres


class Aiming(Service):
    """Turns the head or an arm towards a place; the whole body stays where it is."""

    @overloads("[f] f b", "[f] i f b")
    def lookAt(self, position, first, second, third=None):  # type: (List[float], float, float, Optional[bool]) -> None
        """Look at a place in space: (place, fraction, whole body) or (place, frame, fraction, whole body)."""
        self._flag(second if third is None else third, "lookAt", 2 if third is None else 3)
        place = self._place("lookAt", position, 0 if third is None else first)
        self._move(
            "lookAt",
            position,
            kinematics.head_angles_towards(place, self.world.body.angles()),
            first if third is None else second,
        )

    @overloads("s [f] f", "s [f] i f")
    def pointAt(self, effector, position, first, second=None):
        # type: (str, List[float], float, Optional[float]) -> None
        """Point at a place in space: (arm, place, fraction) or (arm, place, frame, fraction)."""
        self._one_of(effector, ["LArm", "RArm", "Arms"], "pointAt", "effector")
        place = self._place("pointAt", position, 0 if second is None else first)
        arms = ["LArm", "RArm"] if effector == "Arms" else [effector]
        angles = {joint: angle for arm in arms for joint, angle in kinematics.arm_angles_towards(arm, place).items()}
        self._move("pointAt", position, angles, first if second is None else second)

    def _place(self, method, position, frame):  # type: (str, List[float], float) -> Position3D
        """Check a place in a frame and return it as it is seen from the torso."""
        numbers = [self._number(each, method, 0, -FARTHEST, FARTHEST) for each in self._list(position, method)]
        if len(numbers) != 3:
            raise self._error(method, "A place has three coordinates, not %r." % (position,))
        body = self.world.body
        which = int(self._number(frame, method, 1, 0, 2))
        torso = kinematics.torso_transform(which, body.angles(), body.walk.place())
        return torso.inverse() * Position3D(numbers)  # type: ignore[no-any-return]

    def _move(self, method, position, angles, fraction):  # type: (str, List[float], Dict[str, float], float) -> None
        self._number(fraction, method, 2, 0, 1)
        self.world.trace.note("motion", method=method, duration=SECONDS, place=list(position))
        self.world.body.take(angles, SECONDS)
        if self._take_time(SECONDS):
            self.world.body.halt(angles)
