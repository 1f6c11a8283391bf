"""Knows the part of ALMotion that moves the whole robot. Knows no joints."""
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
    """Walks nowhere, but remembers where it would stand and takes the time it would take."""

    def __init__(self, world):
        # type: (World) -> None
        Safety.__init__(self, world)
        self._awake = True
        self._place = [0.0, 0.0, 0.0]
        self._going = 0

    def moveInit(self):
        # type: () -> None
        """Goes to the posture from which NAO walks."""
        self._walk_check("moveInit")
        self._took("moveInit", 1.0)

    @overloads("f f f", "f f f f", "f f f m", "f f f f m", "m", "m m")
    def moveTo(self, x, y=None, theta=None, seconds=None, config=None):
        # type: (Any, Any, Any, Any, Any) -> bool
        """Walks to a place relative to the robot and returns when it is there.

        (x, y, theta [, seconds] [, settings]), or (a list of such places [, settings]); metres and radians.
        """
        return self._walked("moveTo", x, y, theta)

    @overloads("f f f", "f f f m", "m", "m m")
    def walkTo(self, x, y=None, theta=None, config=None):
        # type: (Any, Any, Any, Any) -> bool
        """Is the old name of moveTo."""
        return self._walked("walkTo", x, y, theta)

    @overloads("f f f", "f f f m")
    def move(self, x, y, theta, config=None):
        # type: (float, float, float, Any) -> None
        """Starts walking at a speed and returns at once."""
        self._strolled("move", (x, y, theta), 10)

    @overloads("f f f", "f f f m")
    def moveToward(self, x, y, theta, config=None):
        # type: (float, float, float, Any) -> None
        """Starts walking at a fraction of full speed and returns at once."""
        self._strolled("moveToward", (x, y, theta), 1)

    @overloads("f f f f", "f f f f m", "f f f f m m")
    def setWalkTargetVelocity(self, x, y, theta, frequency, *configs):
        # type: (float, float, float, float, *Any) -> None
        """Is the old moveToward: fractions of full speed, and how fast the steps are."""
        self._number(frequency, "setWalkTargetVelocity", 3, 0, 1)
        self._strolled("setWalkTargetVelocity", (x, y, theta), 1)

    def moveIsActive(self):
        # type: () -> bool
        """Tells whether a movement is under way."""
        return self._going > 0

    def stopMove(self):
        # type: () -> bool
        """Stops walking and tells that it worked."""
        self._took("stopMove", 0.0)
        return True

    def waitUntilMoveIsFinished(self):
        # type: () -> None
        """Returns when walking is over: a simulated walk never outlives its call."""

    def walkInit(self):
        # type: () -> None
        """Is the old name of moveInit."""
        self._walk_check("walkInit")
        self._took("walkInit", 1.0)

    def walkIsActive(self):
        # type: () -> bool
        """Is the old name of moveIsActive."""
        return self.moveIsActive()

    def stopWalk(self):
        # type: () -> bool
        """Is the old name of stopMove."""
        self._took("stopWalk", 0.0)
        return True

    def waitUntilWalkIsFinished(self):
        # type: () -> None
        """Is the old name of waitUntilMoveIsFinished."""

    def killWalk(self):
        # type: () -> None
        """Is the old name of killMove."""
        self._took("killWalk", 0.0)

    def killAll(self):
        # type: () -> None
        """Stops every movement."""
        self._took("killAll", 0.0)

    def killMove(self):
        # type: () -> None
        """Stops walking at once."""
        self._took("killMove", 0.0)

    def getRobotPosition(self, from_sensors):
        # type: (bool) -> List[float]
        """Tells where the robot stands: x, y in metres and an angle."""
        self._flag(from_sensors, "getRobotPosition")
        return list(self._place)

    def getNextRobotPosition(self):
        # type: () -> List[float]
        """Tells where the robot will stand after its steps: where it stands."""
        return list(self._place)

    def getRobotVelocity(self):
        # type: () -> List[float]
        """Tells how fast the robot walks: a simulated robot is there at once."""
        return [0.0, 0.0, 0.0]

    def leftovers(self):
        # type: () -> List[str]
        """Lists movements that have not ended."""
        return ["ALMotion is still moving."] if self._going else []

    def _walked(self, method, x, y, theta):
        # type: (str, Any, Any, Any) -> bool
        """Reads the places a walk goes to and takes the time of the whole way."""
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
        self._took(method, min(seconds, LONGEST), way=way)
        return True

    def _strolled(self, method, speeds, most):
        # type: (str, Sequence[Any], float) -> None
        self._walk_check(method)
        way = [self._number(each, method, at, -most, most) for at, each in enumerate(speeds)]
        self._took(method, 0.0, way=way)

    def _walk_check(self, method):
        # type: (str) -> None
        if not self._awake or self.world.posture.startswith(("Sit", "Lying", "Crouch")):
            raise self._error(method, "The robot cannot walk: it is %s." % (
                "resting" if not self._awake else "in posture %s" % self.world.posture))

    def _took(self, method, seconds, **fields):
        # type: (str, float, **Any) -> None
        self.world.trace.note("motion", method=method, duration=round(seconds, 3), **fields)
        self._going += 1
        try:
            self._linger(seconds)
        finally:
            self._going -= 1
