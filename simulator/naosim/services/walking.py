"""Knows the part of ALMotion that moves the whole robot, and its safety switches. Knows no joints."""
from __future__ import absolute_import, division, print_function

import math

from .service import Service

MYPY = False
if MYPY:
    from typing import Any, Dict, List

    from naosim.robot import Robot

SPEED = 0.1  # metres a second
TURNING = 0.5  # radians a second
PARTS = ["Head", "LArm", "RArm", "LLeg", "RLeg", "Torso", "Legs", "Arms", "Body", "All", "Move"]


class Walking(Service):
    """Walks nowhere, but remembers where it would stand and takes the time it would take."""

    def __init__(self, robot):
        # type: (Robot) -> None
        Service.__init__(self, robot)
        self._awake = True
        self._place = [0.0, 0.0, 0.0]
        self._switches = {}  # type: Dict[str, bool]
        self._going = 0

    def moveInit(self):
        # type: () -> None
        """Goes to the posture from which NAO walks."""
        self._walk_check("moveInit")
        self._took("moveInit", 1.0)

    def moveTo(self, x, y, theta, config=None):
        # type: (float, float, float, Any) -> bool
        """Walks to a place relative to the robot and returns when it is there."""
        self._walk_check("moveTo")
        way = [self._number(each, "moveTo", at, -100, 100) for at, each in enumerate((x, y, theta))]
        self._place = [have + more for have, more in zip(self._place, way)]
        self._took("moveTo", math.hypot(way[0], way[1]) / SPEED + abs(way[2]) / TURNING, way=way)
        return True

    def move(self, x, y, theta, config=None):
        # type: (float, float, float, Any) -> None
        """Starts walking at a speed and returns at once."""
        self._walk_check("move")
        way = [self._number(each, "move", at, -10, 10) for at, each in enumerate((x, y, theta))]
        self._took("move", 0.0, way=way)

    def moveToward(self, x, y, theta, config=None):
        # type: (float, float, float, Any) -> None
        """Starts walking at a fraction of full speed and returns at once."""
        self._walk_check("moveToward")
        way = [self._number(each, "moveToward", at, -1, 1) for at, each in enumerate((x, y, theta))]
        self._took("moveToward", 0.0, way=way)

    def moveIsActive(self):
        # type: () -> bool
        """Tells whether a movement is under way."""
        return self._going > 0

    def stopMove(self):
        # type: () -> None
        """Stops walking."""
        self._took("stopMove", 0.0)

    def waitUntilMoveIsFinished(self):
        # type: () -> None
        """Returns when walking is over: a simulated walk never outlives its call."""

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

    def setBreathEnabled(self, chain, enabled):
        # type: (str, bool) -> None
        """Lets a chain breathe or not."""
        self._switch("Breath", chain, enabled)

    def getBreathEnabled(self, chain):
        # type: (str) -> bool
        """Tells whether a chain breathes."""
        return self._switched("Breath", chain)

    def setIdlePostureEnabled(self, chain, enabled):
        # type: (str, bool) -> None
        """Lets a chain go back to its idle posture or not."""
        self._switch("IdlePosture", chain, enabled)

    def getIdlePostureEnabled(self, chain):
        # type: (str) -> bool
        """Tells whether a chain goes back to its idle posture."""
        return self._switched("IdlePosture", chain)

    def setExternalCollisionProtectionEnabled(self, chain, enabled):
        # type: (str, bool) -> None
        """Lets the robot avoid obstacles or not."""
        self._switch("ExternalCollisionProtection", chain, enabled)

    def getExternalCollisionProtectionEnabled(self, chain):
        # type: (str) -> bool
        """Tells whether the robot avoids obstacles."""
        return self._switched("ExternalCollisionProtection", chain)

    def setCollisionProtectionEnabled(self, chain, enabled):
        # type: (str, bool) -> bool
        """Lets the robot keep its arms off its body or not."""
        self._switch("CollisionProtection", chain, enabled)
        return True

    def setFallManagerEnabled(self, enabled):
        # type: (bool) -> None
        """Lets the robot protect itself when it falls or not."""
        self._switch("FallManager", "Body", enabled)

    def setSmartStiffnessEnabled(self, enabled):
        # type: (bool) -> None
        """Lets motors rest when they are not needed or not."""
        self._switch("SmartStiffness", "Body", enabled)

    def setMoveArmsEnabled(self, left, right):
        # type: (bool, bool) -> None
        """Lets the arms swing while walking or not."""
        self._switch("MoveArms", "LArm", left)
        self._switch("MoveArms", "RArm", right)

    def setWalkArmsEnabled(self, left, right):
        # type: (bool, bool) -> None
        """Is the old name of setMoveArmsEnabled."""
        self.setMoveArmsEnabled(left, right)

    def setMotionConfig(self, config):
        # type: (List[Any]) -> None
        """Accepts pairs of a setting and its value."""
        self._list(config, "setMotionConfig")

    def leftovers(self):
        # type: () -> List[str]
        """Lists movements that have not ended."""
        return ["ALMotion is still moving."] if self._going else []

    def _switch(self, what, chain, enabled):
        # type: (str, str, bool) -> None
        method = "set%sEnabled" % what
        self._one_of(chain, PARTS, method, "chain")
        self._switches[what + chain] = self._flag(enabled, method, 1)
        self.robot.trace.note("motion", method=method, duration=0.0, chain=chain, enabled=bool(enabled))

    def _switched(self, what, chain):
        # type: (str, str) -> bool
        return self._switches.get(what + self._one_of(chain, PARTS, "get%sEnabled" % what, "chain"), False)

    def _walk_check(self, method):
        # type: (str) -> None
        if not self._awake or self.robot.posture.startswith(("Sit", "Lying", "Crouch")):
            raise self._error(method, "The robot cannot walk: it is %s." % (
                "resting" if not self._awake else "in posture %s" % self.robot.posture))

    def _took(self, method, seconds, **fields):
        # type: (str, float, **Any) -> None
        self.robot.trace.note("motion", method=method, duration=round(seconds, 3), **fields)
        self._going += 1
        try:
            self._linger(seconds)
        finally:
            self._going -= 1
