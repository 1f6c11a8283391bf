"""ALSonar and ALLaser: how far away things are. The sonars hear what a person sets; no robot here has a laser."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service
from naosim.services.sensing.extractors import Extractor

MYPY = False
if MYPY:
    from typing import List

ECHO = "Device/SubDeviceList/US/%s/Sensor/Value"
#: Radians to either side, and millimetres.
WIDEST, NEAREST, FARTHEST = 2.09439, 20, 5600


class ALSonar(Extractor):
    """Notices what is near: its distances are those of the devices, as a person sets them."""

    def getFilteredValues(self):  # type: () -> List[float]
        """Return how far away something is on the left and on the right, in metres."""
        return [float(self.world.memory.getData(ECHO % side)) for side in ("Left", "Right")]


class ALLaser(Service):
    """The laser that some robots have in their heads: it is switched on and off, and measures nothing."""

    def laserON(self):  # type: () -> None
        """Do nothing: there is no laser to switch on."""

    def laserOFF(self):  # type: () -> None
        """Do nothing: there is no laser to switch off."""

    def setOpeningAngle(self, least, most):  # type: (float, float) -> None
        """Check and ignore where the laser looks, in radians to the left."""
        right = self._number(least, "setOpeningAngle", 0, -WIDEST, WIDEST)
        self._number(most, "setOpeningAngle", 1, right, WIDEST)

    def setDetectingLength(self, least, most):  # type: (int, int) -> None
        """Check and ignore how near and how far the laser measures, in millimetres."""
        near = self._number(least, "setDetectingLength", 0, NEAREST, FARTHEST)
        self._number(most, "setDetectingLength", 1, near, FARTHEST)
