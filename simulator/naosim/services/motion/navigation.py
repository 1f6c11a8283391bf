"""ALNavigation and the old ALRobotPose: walks as ALMotion does, as no obstacle is ever met, and names of postures."""
from __future__ import absolute_import, division, print_function

from naosim.services.base import Service
from naosim.services.motion.posture import pose_of

MYPY = False
if MYPY:
    from typing import Any, List

    from naosim.world.world import World


class ALNavigation(Service):
    """Walks to places; nothing is ever in the way."""

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._distance = 0.4

    def moveTo(self, x, y, theta):
        # type: (float, float, float) -> bool
        """Walk to a place relative to the robot, and return when it is there."""
        return bool(self.world.service("ALMotion").moveTo(x, y, theta))

    def navigateTo(self, x, y):
        # type: (float, float) -> bool
        """Walk to a place relative to the robot, without turning, and return when it is there."""
        return self.moveTo(x, y, 0.0)

    def moveAlong(self, trajectory):
        # type: (Any) -> bool
        """Walk along a trajectory, as Move Along boxes do, and tell whether its end was reached."""
        return bool(self.world.service("ALMotion").moveAlong(trajectory))

    def setSecurityDistance(self, metres):
        # type: (float) -> None
        """Keep how far away obstacles have to be; none is ever met."""
        self._distance = self._number(metres, "setSecurityDistance", 0, 0, 10)

    def getSecurityDistance(self):
        # type: () -> float
        """Return how far away obstacles have to be, in metres."""
        return self._distance


#: The names of NAOqi 1.
POSES = ["Back", "Belly", "Crouch", "Frog", "HeadBack", "Knee", "Left", "Right", "Sit", "Stand", "Unknown"]


class ALRobotPose(Service):
    """Names the posture: the service of NAOqi 1 that ALRobotPosture replaced."""

    def getActualPoseAndTime(self):
        # type: () -> Any
        """Return the name of the posture, and for how many seconds the robot has had it."""
        return [pose_of(self.world.posture), self.world.clock.now() - self.world.posture_since]

    def getPoseNames(self):
        # type: () -> List[str]
        """List the names of the postures."""
        return list(POSES)
