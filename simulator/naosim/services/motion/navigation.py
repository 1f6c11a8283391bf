"""ALNavigation and the old ALRobotPose: walks as ALMotion does, as no obstacle is ever met, and names of postures."""
from __future__ import absolute_import, division, print_function

from naosim.services.base import Service
from naosim.services.motion.posture import FAMILIES

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

    def setSecurityDistance(self, metres):
        # type: (float) -> None
        """Keep how far away obstacles have to be; none is ever met."""
        self._distance = self._number(metres, "setSecurityDistance", 0, 0, 10)

    def getSecurityDistance(self):
        # type: () -> float
        """Return how far away obstacles have to be, in metres."""
        return self._distance


class ALRobotPose(Service):
    """Names the posture: the service of NAOqi 1 that ALRobotPosture replaced."""

    def getActualPoseAndTime(self):
        # type: () -> Any
        """Return the name of the posture, and since when it is known, 0.0."""
        return [str(self.world.posture), 0.0]

    def getPoseNames(self):
        # type: () -> List[str]
        """List the names of the postures."""
        return sorted(FAMILIES)
