"""The part of ALMotion that moves the whole robot."""
from __future__ import absolute_import, division, print_function

import math

from naosim.services.base import overloads
from naosim.services.motion.safety import Safety

MYPY = False
if MYPY:
    from typing import Any, List, Sequence

    from naosim.world.world import World

SPEED = 0.1  # metres a second
TURNING = 0.5  # radians a second
LONGEST = 36000.0  # seconds of one walk


class Walking(Safety):
    """Walking: the robot stays where it is, remembers where it would stand and takes the time a walk takes."""

    def __init__(self, world):
        # type: (World) -> None
        Safety.__init__(self, world)
        self._awake = True
        self._place = [0.0, 0.0, 0.0]
        self._moving = 0

    def moveInit(self):
        # type: () -> None
        """Go to the posture from which NAO walks."""
        self._walk_check("moveInit")
        self._move_for("moveInit", 1.0)

    @overloads("f f f", "f f f f", "f f f m", "f f f f m", "m", "m m")
    def moveTo(self, x, y=None, theta=None, seconds=None, config=None):
        # type: (Any, Any, Any, Any, Any) -> bool
        """Walk to a place relative to the robot and return when it is there.

        (x, y, theta [, seconds] [, settings]), or (a list of such places [, settings]); metres and radians.
        """
        return self._walk("moveTo", x, y, theta)

    @overloads("f f f", "f f f m", "m", "m m")
    def walkTo(self, x, y=None, theta=None, config=None):
        # type: (Any, Any, Any, Any) -> bool
        """Walk to a place relative to the robot and return when it is there: the old name of moveTo."""
        return self._walk("walkTo", x, y, theta)

    @overloads("f f f", "f f f m")
    def move(self, x, y, theta, config=None):
        # type: (float, float, float, Any) -> None
        """Start walking at a speed and return at once."""
        self._start_walking("move", (x, y, theta), 10)

    @overloads("f f f", "f f f m")
    def moveToward(self, x, y, theta, config=None):
        # type: (float, float, float, Any) -> None
        """Start walking at a fraction of full speed and return at once."""
        self._start_walking("moveToward", (x, y, theta), 1)

    @overloads("f f f f", "f f f f m", "f f f f m m")
    def setWalkTargetVelocity(self, x, y, theta, frequency, *configs):
        # type: (float, float, float, float, *Any) -> None
        """Start walking at fractions of full speed, with a step frequency, and return at once: the old moveToward."""
        self._number(frequency, "setWalkTargetVelocity", 3, 0, 1)
        self._start_walking("setWalkTargetVelocity", (x, y, theta), 1)

    def moveIsActive(self):
        # type: () -> bool
        """Tell whether a movement is under way."""
        return self._moving > 0

    def stopMove(self):
        # type: () -> bool
        """Stop walking and return True."""
        self._move_for("stopMove", 0.0)
        return True

    def waitUntilMoveIsFinished(self):
        # type: () -> None
        """Return when walking is over: at once, since a simulated walk ends with its call."""

    def walkInit(self):
        # type: () -> None
        """Go to the posture from which NAO walks: the old name of moveInit."""
        self._walk_check("walkInit")
        self._move_for("walkInit", 1.0)

    def walkIsActive(self):
        # type: () -> bool
        """Tell whether a movement is under way: the old name of moveIsActive."""
        return self.moveIsActive()

    def stopWalk(self):
        # type: () -> bool
        """Stop walking and return True: the old name of stopMove."""
        self._move_for("stopWalk", 0.0)
        return True

    def waitUntilWalkIsFinished(self):
        # type: () -> None
        """Return when walking is over: the old name of waitUntilMoveIsFinished."""

    def killWalk(self):
        # type: () -> None
        """Stop walking at once: the old name of killMove."""
        self._move_for("killWalk", 0.0)

    def killAll(self):
        # type: () -> None
        """Stop every movement."""
        self._move_for("killAll", 0.0)

    def killMove(self):
        # type: () -> None
        """Stop walking at once."""
        self._move_for("killMove", 0.0)

    def getRobotPosition(self, from_sensors):
        # type: (bool) -> List[float]
        """Return where the robot stands: x, y in metres and an angle in radians."""
        self._flag(from_sensors, "getRobotPosition")
        return list(self._place)

    def getNextRobotPosition(self):
        # type: () -> List[float]
        """Return where the robot will stand after its steps: where it stands now."""
        return list(self._place)

    def getRobotVelocity(self):
        # type: () -> List[float]
        """Return zero for each speed: a simulated robot is at its goal at once."""
        return [0.0, 0.0, 0.0]

    def leftovers(self):
        # type: () -> List[str]
        """List movements that have not ended."""
        return ["ALMotion is still moving."] if self._moving else []

    def _walk(self, method, x, y, theta):
        # type: (str, Any, Any, Any) -> bool
        """Check the places of a walk, move the position and take the time of the whole way."""
        self._walk_check(method)
        places = self._list(x, method) if theta is None else [(x, y, theta)]  # type: List[Any]
        if places and not isinstance(places[0], (list, tuple)):
            places = [places]
        way, seconds = [0.0, 0.0, 0.0], 0.0
        for place in places:
            step = [self._number(each, method, at, -100, 100) for at, each in enumerate(self._list(place, method))]
            if len(step) != 3:
                raise self._error(method, "A place is x, y and an angle, not %.60r." % (place,))
            way = [have + more for have, more in zip(way, step)]
            seconds += math.hypot(step[0], step[1]) / SPEED + abs(step[2]) / TURNING
        self._place = [have + more for have, more in zip(self._place, way)]
        self._move_for(method, min(seconds, LONGEST), way=way)
        return True

    def _start_walking(self, method, speeds, most):
        # type: (str, Sequence[Any], float) -> None
        self._walk_check(method)
        way = [self._number(each, method, at, -most, most) for at, each in enumerate(speeds)]
        self._move_for(method, 0.0, way=way)

    def _walk_check(self, method):
        # type: (str) -> None
        if not self._awake or self.world.posture.startswith(("Sit", "Lying", "Crouch")):
            raise self._error(method, "The robot cannot walk: it is %s." % (
                "resting" if not self._awake else "in posture %s" % self.world.posture))

    def _move_for(self, method, seconds, **fields):
        # type: (str, float, **Any) -> None
        self.world.trace.note("motion", method=method, duration=round(seconds, 3), **fields)
        self._moving += 1
        try:
            self._take_time(seconds)
        finally:
            self._moving -= 1
