"""Knows ALTracker and ALSensors: services that follow or measure something a simulated robot never sees."""
from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, overloads
from naosim.services.sensing.extractors import CameraExtractor, Extractor

MYPY = False
if MYPY:
    from typing import Any, List, Optional

    from naosim.world.world import World

TARGETS = ["Face", "RedBall", "LandMark", "LandMarks", "People", "Sound", "Text"]
MODES = ["Head", "BodyRotation", "WholeBody", "Move", "Navigate"]


class ALTracker(Service):
    """Follows a target with the head, if there ever was one."""

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._targets = []  # type: List[str]
        self._tracked = ""
        self._mode = "Head"
        self._effector = "None"
        self._searches = True
        self._seconds, self._distance = 2000, 1.0

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

    def unregisterTargets(self, targets):
        # type: (List[str]) -> None
        """Forgets several targets; RuntimeError when one is not registered."""
        for target in self._names(self._texts(targets, "unregisterTargets"), self._targets, "unregisterTargets",
                                  "target"):
            self.unregisterTarget(target)

    def getRegisteredTargets(self):
        # type: () -> List[str]
        """Lists the registered targets."""
        return list(self._targets)

    def getSupportedTargets(self):
        # type: () -> List[str]
        """Lists what could be registered."""
        return list(TARGETS)

    def getAvailableModes(self):
        # type: () -> List[str]
        """Lists what NAO could turn."""
        return list(MODES)

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
        self._effector = self._one_of(effector, ["None", "Arms", "LArm", "RArm"], "setEffector", "effector")

    def getEffector(self):
        # type: () -> str
        """Tells the arm that points."""
        return self._effector

    def isTargetLost(self):
        # type: () -> bool
        """Tells whether a target is followed and not seen: a simulated robot sees none."""
        return bool(self._tracked)

    def isNewTargetDetected(self):
        # type: () -> bool
        """Tells whether a target was seen since the last call: never."""
        return False

    @overloads("", "i")
    def getTargetPosition(self, frame=0):
        # type: (int) -> List[float]
        """Tells where the target is: nowhere."""
        self._number(frame, "getTargetPosition", 0, 0, 2)
        return []

    def toggleSearch(self, wanted):
        # type: (bool) -> None
        """Lets NAO look around for a lost target or not."""
        self._searches = self._flag(wanted, "toggleSearch")

    def isSearchEnabled(self):
        # type: () -> bool
        """Tells whether NAO looks around for a lost target."""
        return self._searches

    def setTimeOut(self, milliseconds):
        # type: (int) -> None
        """Says after how long a target counts as lost."""
        self._seconds = int(self._number(milliseconds, "setTimeOut", 0, 0, 3600000))

    def getTimeOut(self):
        # type: () -> int
        """Tells after how many milliseconds a target counts as lost."""
        return self._seconds

    def setMaximumDistanceDetection(self, metres):
        # type: (float) -> None
        """Says how far a target may be."""
        self._distance = self._number(metres, "setMaximumDistanceDetection", 0, 0, 100)

    def getMaximumDistanceDetection(self):
        # type: () -> float
        """Tells how far a target may be, in metres."""
        return self._distance

    @overloads("[f] f b", "[f] i f b")
    def lookAt(self, position, first, second, third=None):
        # type: (List[float], float, float, Optional[bool]) -> None
        """Looks at a place in space: (place, fraction, whole body) or (place, frame, fraction, whole body)."""
        self._flag(second if third is None else third, "lookAt", 2 if third is None else 3)
        self._point("lookAt", position, first if third is None else second)

    @overloads("s [f] f", "s [f] i f")
    def pointAt(self, effector, position, first, second=None):
        # type: (str, List[float], float, Optional[float]) -> None
        """Points at a place in space: (arm, place, fraction) or (arm, place, frame, fraction)."""
        self._one_of(effector, ["LArm", "RArm", "Arms"], "pointAt", "effector")
        self._point("pointAt", position, first if second is None else second)

    def leftovers(self):
        # type: () -> List[str]
        """Lists what is still followed."""
        return ["ALTracker still follows %s." % self._tracked] if self._tracked else []

    def _point(self, method, position, fraction):
        # type: (str, List[float], float) -> None
        if len([self._number(each, method, 0) for each in self._list(position, method)]) != 3:
            raise self._error(method, "A place has three coordinates, not %r." % (position,))
        self._number(fraction, method, 2, 0, 1)
        self.world.trace.note("motion", method=method, duration=1.0, place=list(position))
        self._linger(1.0)


class ALSensors(Extractor):
    """Starts the older sensor events; touch events come without it."""

    def run(self):
        # type: () -> None
        """Looks at the sensors once: there is nothing new."""


class ALFaceDetection(CameraExtractor):
    """Looks for faces, and never sees one."""

    def __init__(self, world):
        # type: (World) -> None
        CameraExtractor.__init__(self, world)
        self._tracks, self._recognises, self._threshold = True, True, 0.5

    def setTrackingEnabled(self, enabled):
        # type: (bool) -> None
        """Switches following a face."""
        self._tracks = self._flag(enabled, "setTrackingEnabled")

    def isTrackingEnabled(self):
        # type: () -> bool
        """Tells whether a face is followed."""
        return self._tracks

    def enableTracking(self, enabled):
        # type: (bool) -> None
        """Is the old name of setTrackingEnabled."""
        self._tracks = self._flag(enabled, "enableTracking")

    def setRecognitionEnabled(self, enabled):
        # type: (bool) -> None
        """Switches telling faces apart."""
        self._recognises = self._flag(enabled, "setRecognitionEnabled")

    def isRecognitionEnabled(self):
        # type: () -> bool
        """Tells whether faces are told apart."""
        return self._recognises

    def enableRecognition(self, enabled):
        # type: (bool) -> None
        """Is the old name of setRecognitionEnabled."""
        self._recognises = self._flag(enabled, "enableRecognition")

    def setRecognitionConfidenceThreshold(self, threshold):
        # type: (float) -> None
        """Says how sure it has to be of a face, 0 to 1."""
        self._threshold = self._number(threshold, "setRecognitionConfidenceThreshold", 0, 0, 1)

    def getRecognitionConfidenceThreshold(self):
        # type: () -> float
        """Tells how sure it has to be of a face."""
        return self._threshold

    def learnFace(self, name):
        # type: (str) -> bool
        """Learns the face in sight: there is none, so it gives False."""
        self._text(name, "learnFace")
        return False

    def reLearnFace(self, name):
        # type: (str) -> bool
        """Learns a face again: there is none, so it gives False."""
        self._text(name, "reLearnFace")
        return False

    def forgetPerson(self, name):
        # type: (str) -> bool
        """Forgets a face: none was learned, so it gives False."""
        self._text(name, "forgetPerson")
        return False

    def clearDatabase(self):
        # type: () -> bool
        """Forgets every face."""
        return True

    def getLearnedFacesList(self):
        # type: () -> Any
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
