"""ALTracker, ALSensors, and the detection of faces and sounds: a simulated robot sees and hears none of them."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import MAX_ITEMS, overloads
from naosim.services.sensing.aiming import FARTHEST, Aiming
from naosim.services.sensing.extractors import CameraExtractor, Extractor

MYPY = False
if MYPY:
    from typing import Any, List

    from naosim.world import World

TARGETS = ["Face", "RedBall", "LandMark", "LandMarks", "People", "Sound", "Text"]
RELATIVE = 6  # numbers of a relative position: x, y and angle, and the threshold of each
MODES = ["Head", "BodyRotation", "WholeBody", "Move", "Navigate"]


class ALTracker(Aiming):
    """Follows a target with the head; a simulated robot never detects one."""

    def __init__(self, world):  # type: (World) -> None
        Aiming.__init__(self, world)
        self._targets = []  # type: List[str]
        self._tracked = ""
        self._mode = "Head"
        self._effector = "None"
        self._searches = True
        self._time_out, self._distance = 2000, 1.0
        self._relative = [0.0] * RELATIVE

    def registerTarget(self, target, parameters):  # type: (str, Any) -> None
        """Register a target; its size is not used."""
        self._one_of(target, TARGETS, "registerTarget", "target")
        self._targets += [target] if target not in self._targets else []

    def unregisterTarget(self, target):  # type: (str) -> None
        """Forget a target; raise RuntimeError when it is not registered."""
        self._targets.remove(self._one_of(target, self._targets, "unregisterTarget", "target"))

    def unregisterAllTargets(self):  # type: () -> None
        """Forget every target."""
        self._targets = []

    def unregisterTargets(self, targets):  # type: (List[str]) -> None
        """Forget several targets; raise RuntimeError when one is not registered."""
        for target in self._names(
            self._texts(targets, "unregisterTargets"), self._targets, "unregisterTargets", "target"
        ):
            self.unregisterTarget(target)

    def getRegisteredTargets(self):  # type: () -> List[str]
        """List the registered targets."""
        return list(self._targets)

    def getSupportedTargets(self):  # type: () -> List[str]
        """List the targets that can be registered."""
        return list(TARGETS)

    def getAvailableModes(self):  # type: () -> List[str]
        """List the modes: what NAO can turn or move to follow a target."""
        return list(MODES)

    def setMode(self, mode):  # type: (str) -> None
        """Choose what NAO turns or moves to follow a target."""
        self._mode = self._one_of(mode, MODES, "setMode", "mode")

    def getMode(self):  # type: () -> str
        """Return what NAO turns or moves to follow a target."""
        return self._mode

    def track(self, target):  # type: (str) -> None
        """Start following a registered target."""
        self._tracked = self._one_of(target, self._targets, "track", "target")

    def trackEvent(self, event):  # type: (str) -> None
        """Start following the position that an event reports."""
        self._tracked = self._text(event, "trackEvent")

    def stopTracker(self):  # type: () -> None
        """Stop following the target."""
        self._tracked = ""

    def getActiveTarget(self):  # type: () -> str
        """Return the target or event that is followed, "" for none."""
        return self._tracked

    def isActive(self):  # type: () -> bool
        """Tell whether a target is followed."""
        return bool(self._tracked)

    def setEffector(self, effector):  # type: (str) -> None
        """Choose the arm that points at the target."""
        self._effector = self._one_of(effector, ["None", "Arms", "LArm", "RArm"], "setEffector", "effector")

    def getEffector(self):  # type: () -> str
        """Return the arm that points at the target."""
        return self._effector

    def setRelativePosition(self, position):  # type: (Any) -> None
        """Set where NAO stands from the target, as x, y, angle and their thresholds; it does not move for it."""
        numbers = [
            self._number(each, "setRelativePosition", 0, -FARTHEST, FARTHEST)
            for each in self._list(position, "setRelativePosition")
        ]
        if len(numbers) != RELATIVE:
            raise self._error(
                "setRelativePosition", "A relative position has %d numbers, not %r." % (RELATIVE, position)
            )
        self._relative = numbers

    def getRelativePosition(self):  # type: () -> Any
        """Return where NAO stands from the target: x, y, angle and their thresholds."""
        return list(self._relative)

    def isTargetLost(self):  # type: () -> bool
        """Tell whether a target is followed and not seen: a simulated robot sees none."""
        return bool(self._tracked)

    def isNewTargetDetected(self):  # type: () -> bool
        """Return False: no target was seen since the last call."""
        return False

    @overloads("", "i")
    def getTargetPosition(self, frame=0):  # type: (int) -> List[float]
        """Return an empty list: the target has no position."""
        self._number(frame, "getTargetPosition", 0, 0, 2)
        return []

    def toggleSearch(self, wanted):  # type: (bool) -> None
        """Set whether NAO looks around for a lost target."""
        self._searches = self._flag(wanted, "toggleSearch")

    def isSearchEnabled(self):  # type: () -> bool
        """Tell whether NAO looks around for a lost target."""
        return self._searches

    def setTimeOut(self, milliseconds):  # type: (int) -> None
        """Set after how many milliseconds a target counts as lost."""
        self._time_out = int(self._number(milliseconds, "setTimeOut", 0, 0, 3600000))

    def getTimeOut(self):  # type: () -> int
        """Return after how many milliseconds a target counts as lost."""
        return self._time_out

    def setMaximumDistanceDetection(self, metres):  # type: (float) -> None
        """Set how far away a target may be, in metres."""
        self._distance = self._number(metres, "setMaximumDistanceDetection", 0, 0, 100)

    def getMaximumDistanceDetection(self):  # type: () -> float
        """Return how far away a target may be, in metres."""
        return self._distance

    def leftovers(self):  # type: () -> List[str]
        """List the target that is still followed."""
        return ["ALTracker still follows %s." % self._tracked] if self._tracked else []


class ALSensors(Extractor):
    """Starts the older sensor events; touch events come without it."""

    def run(self):  # type: () -> None
        """Do nothing: the sensors have no new values."""


class ALFaceDetection(CameraExtractor):
    """Looks for faces: those that a person sets as its event."""

    def __init__(self, world):  # type: (World) -> None
        CameraExtractor.__init__(self, world)
        self._tracks, self._recognises, self._threshold = True, True, 0.5
        self._learned = []  # type: List[str]

    def setTrackingEnabled(self, enabled):  # type: (bool) -> None
        """Switch following a face on or off."""
        self._tracks = self._flag(enabled, "setTrackingEnabled")

    def isTrackingEnabled(self):  # type: () -> bool
        """Tell whether a face is followed."""
        return self._tracks

    def enableTracking(self, enabled):  # type: (bool) -> None
        """Switch following a face on or off: the old name of setTrackingEnabled."""
        self._tracks = self._flag(enabled, "enableTracking")

    def setRecognitionEnabled(self, enabled):  # type: (bool) -> None
        """Switch recognising faces on or off."""
        self._recognises = self._flag(enabled, "setRecognitionEnabled")

    def isRecognitionEnabled(self):  # type: () -> bool
        """Tell whether faces are recognised."""
        return self._recognises

    def enableRecognition(self, enabled):  # type: (bool) -> None
        """Switch recognising faces on or off: the old name of setRecognitionEnabled."""
        self._recognises = self._flag(enabled, "enableRecognition")

    def setRecognitionConfidenceThreshold(self, threshold):  # type: (float) -> None
        """Set the confidence needed to recognise a face, 0 to 1."""
        self._threshold = self._number(threshold, "setRecognitionConfidenceThreshold", 0, 0, 1)

    def getRecognitionConfidenceThreshold(self):  # type: () -> float
        """Return the confidence needed to recognise a face, 0 to 1."""
        return self._threshold

    def learnFace(self, name):  # type: (str) -> bool
        """Learn the face in sight under a name; return False when there is none, or the name is taken."""
        is_new = self._text(name, "learnFace") not in self._learned
        return is_new and self.reLearnFace(name)

    def reLearnFace(self, name):  # type: (str) -> bool
        """Learn the face in sight under a name, also one that is taken; return False when there is none."""
        is_seen = bool(self.world.sights.get("FaceDetected")) and len(self._learned) < MAX_ITEMS
        self._learned += [name] if is_seen and self._text(name, "reLearnFace") not in self._learned else []
        return is_seen

    def forgetPerson(self, name):  # type: (str) -> bool
        """Forget a face by its name; return False when none was learned under it."""
        is_known = self._text(name, "forgetPerson") in self._learned
        self._learned = [each for each in self._learned if each != name]
        return is_known

    def clearDatabase(self):  # type: () -> bool
        """Forget every face, and return True."""
        self._learned = []
        return True

    def getLearnedFacesList(self):  # type: () -> Any
        """List the names of the faces learned."""
        return list(self._learned)


class ALSoundLocalization(Extractor):
    """Locates where sounds come from; a simulated robot never hears one."""

    def setParameter(self, parameter, value):  # type: (str, float) -> None
        """Check and ignore Sensitivity or EnergyComputation, 0 to 1."""
        self._one_of(parameter, ["Sensitivity", "EnergyComputation"], "setParameter", "parameter")
        self._number(value, "setParameter", 1, 0, 1)


class ALSoundDetection(Extractor):
    """Listens for sounds; a simulated robot never hears one."""

    def setParameter(self, parameter, value):  # type: (str, float) -> None
        """Check and ignore Sensitivity or SensitivityThreshold, 0 to 1."""
        self._one_of(parameter, ["Sensitivity", "SensitivityThreshold"], "setParameter", "parameter")
        self._number(value, "setParameter", 1, 0, 1)
