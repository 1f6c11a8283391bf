"""Knows ALTracker and ALSensors: services that follow or measure something a simulated robot never sees."""
from __future__ import absolute_import, division, print_function

from .extractors import Extractor
from .service import Service

MYPY = False
if MYPY:
    from typing import Any, List

    from naosim.robot import Robot

TARGETS = ["Face", "RedBall", "LandMark", "LandMarks", "People", "Sound", "Text"]
MODES = ["Head", "BodyRotation", "WholeBody", "Move", "Navigate"]


class ALTracker(Service):
    """Follows a target with the head, if there ever was one."""

    def __init__(self, robot):
        # type: (Robot) -> None
        Service.__init__(self, robot)
        self._targets = []  # type: List[str]
        self._tracked = ""
        self._mode = "Head"

    def registerTarget(self, target, parameters):
        # type: (str, Any) -> None
        """Makes a target known, with its size."""
        self._one_of(target, TARGETS, "registerTarget", "target")
        self._targets += [target] if target not in self._targets else []

    def unregisterTarget(self, target):
        # type: (str) -> None
        """Forgets a target; RuntimeError when it is not registered."""
        self._targets.remove(self._one_of(target, self._targets, "unregisterTarget", "target"))

    def unregisterAllTargets(self):
        # type: () -> None
        """Forgets every target."""
        self._targets = []

    def setMode(self, mode):
        # type: (str) -> None
        """Chooses what NAO turns."""
        self._mode = self._one_of(mode, MODES, "setMode", "mode")

    def getMode(self):
        # type: () -> str
        """Tells what NAO turns."""
        return self._mode

    def track(self, target):
        # type: (str) -> None
        """Starts following a registered target."""
        self._tracked = self._one_of(target, self._targets, "track", "target")

    def trackEvent(self, event):
        # type: (str) -> None
        """Starts following what an event tells."""
        self._tracked = self._text(event, "trackEvent")

    def stopTracker(self):
        # type: () -> None
        """Stops following."""
        self._tracked = ""

    def getActiveTarget(self):
        # type: () -> str
        """Tells what is followed."""
        return self._tracked

    def isActive(self):
        # type: () -> bool
        """Tells whether anything is followed."""
        return bool(self._tracked)

    def setEffector(self, effector):
        # type: (str) -> None
        """Chooses the arm that points."""
        self._one_of(effector, ["None", "Arms", "LArm", "RArm"], "setEffector", "effector")

    def lookAt(self, position, frame, fraction, whole_body=False):
        # type: (List[float], int, float, bool) -> None
        """Looks at a place in space."""
        self._point("lookAt", position, fraction)

    def pointAt(self, effector, position, frame, fraction):
        # type: (str, List[float], int, float) -> None
        """Points at a place in space."""
        self._one_of(effector, ["LArm", "RArm", "Arms"], "pointAt", "effector")
        self._point("pointAt", position, fraction)

    def leftovers(self):
        # type: () -> List[str]
        """Lists what is still followed."""
        return ["ALTracker still follows %s." % self._tracked] if self._tracked else []

    def _point(self, method, position, fraction):
        # type: (str, List[float], float) -> None
        if len([self._number(each, method, 0) for each in self._list(position, method)]) != 3:
            raise self._error(method, "A place has three coordinates, not %r." % (position,))
        self._number(fraction, method, 2, 0, 1)
        self.robot.trace.note("motion", method=method, duration=1.0, place=list(position))
        self._linger(1.0)


class ALSensors(Extractor):
    """Starts the older sensor events; touch events come without it."""


class ALFaceDetection(Extractor):
    """Looks for faces, and never sees one."""

    def enableTracking(self, enabled):
        # type: (bool) -> None
        """Switches following a face."""
        self._flag(enabled, "enableTracking")

    def setTrackingEnabled(self, enabled):
        # type: (bool) -> None
        """Switches following a face."""
        self._flag(enabled, "setTrackingEnabled")

    def setRecognitionEnabled(self, enabled):
        # type: (bool) -> None
        """Switches telling faces apart."""
        self._flag(enabled, "setRecognitionEnabled")

    def getLearnedFacesList(self):
        # type: () -> List[str]
        """Lists the faces learned."""
        return []


class ALSoundLocalization(Extractor):
    """Listens where noises come from, and never hears one."""

    def setParameter(self, parameter, value):
        # type: (str, float) -> None
        """Sets Sensitivity (0 to 1) or EnergyComputation."""
        self._one_of(parameter, ["Sensitivity", "EnergyComputation"], "setParameter", "parameter")
        self._number(value, "setParameter", 1, 0, 1)


class ALSoundDetection(Extractor):
    """Listens for noises, and never hears one."""

    def setParameter(self, parameter, value):
        # type: (str, float) -> None
        """Sets Sensitivity (0 to 1)."""
        self._one_of(parameter, ["Sensitivity", "SensitivityThreshold"], "setParameter", "parameter")
        self._number(value, "setParameter", 1, 0, 1)
