"""ALNavigation and the old ALRobotPose: walks and maps of a floor without obstacles, and names of postures."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, overloads
from naosim.services.motion.exploration import Exploring
from naosim.services.motion.posture import pose_of

MYPY = False
if MYPY:
    from typing import Any, List

    from naosim.world import World

RADIUS, DISPLACEMENT = (0.0, 20.0), (0.0, 100.0)
FREE = 0  # the error code of a free zone that is as wanted


class ALNavigation(Exploring):
    """Walks to places; nothing is ever in the way."""

    def __init__(self, world):  # type: (World) -> None
        Exploring.__init__(self, world)
        self._distance = 0.4

    @overloads("f f f", "f f f m")
    def moveTo(self, x, y, theta, config=None):  # type: (float, float, float, Any) -> bool
        """Walk to a place relative to the robot, and return when it is there."""
        return bool(self.world.service("ALMotion").moveTo(x, y, theta))

    @overloads("f f f", "f f f m")
    def move(self, x, y, theta, config=None):  # type: (float, float, float, Any) -> None
        """Start walking at a speed, metres and radians a second, and return at once; zeros stop."""
        self.world.service("ALMotion").move(x, y, theta)

    @overloads("f f f", "f f f m")
    def moveToward(self, x, y, theta, config=None):  # type: (float, float, float, Any) -> None
        """Start walking at a fraction of full speed and return at once; zeros stop."""
        self.world.service("ALMotion").moveToward(x, y, theta)

    @overloads("f f", "f f m", "f f f", "f f f m")
    def navigateTo(self, x, y, theta=0.0, config=None):  # type: (float, float, Any, Any) -> bool
        """Walk to a place relative to the robot, and return when it is there: (x, y [, angle] [, settings])."""
        angle = 0.0 if isinstance(theta, (list, tuple)) else self._number(theta, "navigateTo", 2)
        return bool(self.moveTo(x, y, angle))

    def stopNavigateTo(self):  # type: () -> None
        """Stop a walk to a place."""
        self._stop_moving()

    def moveAlong(self, trajectory):  # type: (Any) -> bool
        """Walk along a trajectory, as Move Along boxes do, and tell whether its end was reached."""
        return bool(self.world.service("ALMotion").moveAlong(trajectory))

    def setSecurityDistance(self, metres):  # type: (float) -> None
        """Keep how far away obstacles have to be; none is ever met."""
        self._distance = self._number(metres, "setSecurityDistance", 0, 0, 10)

    def getSecurityDistance(self):  # type: () -> float
        """Return how far away obstacles have to be, in metres."""
        return self._distance

    def startFreeZoneUpdate(self):  # type: () -> None
        """Do nothing: the floor is free wherever the robot is."""

    def getFreeZone(self, radius, displacement):  # type: (float, float) -> Any
        """Return where the floor is free for so many metres: [0, metres, [x, y]], which is where the robot is."""
        return self._free_zone("getFreeZone", radius, displacement)

    def findFreeZone(self, radius, displacement):  # type: (float, float) -> Any
        """Return where the floor is free for so many metres: [0, metres, [x, y]], which is where the robot is."""
        return self._free_zone("findFreeZone", radius, displacement)

    def stopAndComputeFreeZone(self, radius, displacement):  # type: (float, float) -> Any
        """Return where the floor is free for so many metres: the old name of getFreeZone."""
        return self._free_zone("stopAndComputeFreeZone", radius, displacement)

    def _free_zone(self, method, radius, displacement):  # type: (str, Any, Any) -> List[Any]
        self._number(displacement, method, 1, *DISPLACEMENT)
        here = self.world.body.walk.place()
        return [FREE, self._number(radius, method, 0, *RADIUS), [here.x, here.y]]


#: The names of NAOqi 1.
POSES = ["Back", "Belly", "Crouch", "Frog", "HeadBack", "Knee", "Left", "Right", "Sit", "Stand", "Unknown"]


class ALRobotPose(Service):
    """Names the posture: the service of NAOqi 1 that ALRobotPosture replaced."""

    def getActualPoseAndTime(self):  # type: () -> Any
        """Return the name of the posture, and for how many seconds the robot has had it."""
        return [pose_of(self.world.posture), self.world.clock.now() - self.world.posture_since]

    def getPoseNames(self):  # type: () -> List[str]
        """List the names of the postures."""
        return list(POSES)
