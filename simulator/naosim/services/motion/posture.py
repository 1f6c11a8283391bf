"""ALRobotPosture: the postures, their families and the time to change between them."""

from __future__ import absolute_import, division, print_function

from naosim.body import posture_angles
from naosim.services.base import Service

MYPY = False
if MYPY:
    from typing import Dict, List

    from naosim.world import World

FAMILIES = {
    "Stand": "Standing",
    "StandInit": "Standing",
    "StandZero": "Standing",
    "Crouch": "Crouching",
    "Sit": "Sitting",
    "SitRelax": "SittingOnGround",
    "LyingBelly": "LyingBelly",
    "LyingBack": "LyingBack",
    "SitOnChair": "SittingOnChair",
}
#: The names that NAOqi 1 has for the families.
POSE_OF = {
    "Standing": "Stand",
    "Crouching": "Crouch",
    "Sitting": "Sit",
    "SittingOnGround": "Sit",
    "SittingOnChair": "Sit",
    "LyingBelly": "Belly",
    "LyingBack": "Back",
}
SAME_FAMILY = 1.0  # seconds at full speed
OTHER_FAMILY = 3.0


def pose_of(posture):  # type: (str) -> str
    """Return the name that NAOqi 1 has for a posture."""
    return POSE_OF.get(FAMILIES.get(posture, ""), "Unknown")


def take_posture(world, posture):  # type: (World, str) -> None
    """Note that the robot is in a posture now, and raise the events of what has changed."""
    before, world.posture = _told(world.posture), posture
    for event, value in sorted(_told(posture).items()):
        if value != before[event]:
            world.memory.raiseEvent(event, value)


def _told(posture):  # type: (str) -> Dict[str, str]
    """Return the events that tell of a posture; the last is that of NAOqi 1."""
    return {
        "PostureChanged": posture,
        "PostureFamilyChanged": FAMILIES.get(posture, "Unknown"),
        "robotPoseChanged": pose_of(posture),
    }


class ALRobotPosture(Service):
    """Changes the robot's posture, on which animations and walking depend."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        for event, value in _told(world.posture).items():
            world.memory.insertData(event, value)

    def goToPosture(self, posture, speed):  # type: (str, float) -> bool
        """Go to a posture by a safe way and tell whether it was reached."""
        return self._change_to(posture, speed, "goToPosture")

    def applyPosture(self, posture, speed):  # type: (str, float) -> bool
        """Set the joints of a posture without a safe way and tell whether it was reached."""
        return self._change_to(posture, speed, "applyPosture")

    def getPosture(self):  # type: () -> str
        """Return the posture."""
        return str(self.world.posture)

    def getPostureFamily(self):  # type: () -> str
        """Return the family of the posture."""
        return FAMILIES.get(self.world.posture, "Unknown")

    def getPostureList(self):  # type: () -> List[str]
        """List the postures."""
        return sorted(FAMILIES)

    def getPostureFamilyList(self):  # type: () -> List[str]
        """List the families."""
        return sorted(set(FAMILIES.values()))

    def setMaxTryNumber(self, count):  # type: (int) -> None
        """Check and ignore how often a posture is tried, -1 to 100."""
        self._number(count, "setMaxTryNumber", 0, -1, 100)

    def stopMove(self):  # type: () -> None
        """Stop changing the posture: the call that changes it returns False."""
        self.stopAll()
        self.world.trace.note("posture", method="stopMove", posture=self.getPosture(), duration=0.0)

    def _change_to(self, posture, speed, method):  # type: (str, float, str) -> bool
        if self._text(posture, method) not in FAMILIES:
            raise self._error(method, "Posture %s does not exist." % posture)
        fraction = self._number(speed, method, 1, 0.01, 1)
        near = FAMILIES[posture] == self.getPostureFamily()
        away = self.world.posture != posture
        seconds = (SAME_FAMILY if near else OTHER_FAMILY) / fraction if away else 0.1
        self.world.trace.note("posture", method=method, posture=posture, duration=round(seconds, 3))
        self.world.body.take(posture_angles(posture), seconds)
        if self._take_time(seconds):
            self.world.body.halt()
            return False
        take_posture(self.world, posture)
        return True
