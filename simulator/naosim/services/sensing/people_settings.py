"""Services that look at people: what programs set is kept and changes nothing, as nobody is seen but who is set."""

from __future__ import absolute_import, division, print_function

from naosim.services.sensing.extractors import SwitchedExtractor

MYPY = False
if MYPY:
    from typing import Any

    from naosim.world import World

METRES, SECONDS, DEGREES = (0.0, 20.0), (0.0, 3600.0), (0.0, 180.0)


class ALPeoplePerception(SwitchedExtractor):
    """Keeps track of the people in sight, who are those that a person sets."""

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._kept = {
            "MaximumDetectionRange": 3.5,
            "MinimumBodyHeight": 1.0,
            "MaximumBodyHeight": 2.0,
            "TimeBeforePersonDisappears": 15.0,
            "TimeBeforeVisiblePersonDisappears": 5.0,
        }
        self._on = {"FaceDetection": True, "MovementDetection": True, "FastMode": False, "GraphicalDisplay": False}

    def setMaximumDetectionRange(self, metres):  # type: (float) -> None
        """Set how far away people are noticed, in metres."""
        self._keep("MaximumDetectionRange", metres, METRES)

    def getMaximumDetectionRange(self):  # type: () -> float
        """Return how far away people are noticed, in metres."""
        return self._kept["MaximumDetectionRange"]

    def setMinimumBodyHeight(self, metres):  # type: (float) -> None
        """Set how tall somebody has to be."""
        self._keep("MinimumBodyHeight", metres, METRES)

    def getMinimumBodyHeight(self):  # type: () -> float
        """Return how tall somebody has to be."""
        return self._kept["MinimumBodyHeight"]

    def setMaximumBodyHeight(self, metres):  # type: (float) -> None
        """Set how tall somebody may be."""
        self._keep("MaximumBodyHeight", metres, METRES)

    def getMaximumBodyHeight(self):  # type: () -> float
        """Return how tall somebody may be."""
        return self._kept["MaximumBodyHeight"]

    def setTimeBeforePersonDisappears(self, seconds):  # type: (float) -> None
        """Set for how long somebody is remembered who is not seen any more."""
        self._keep("TimeBeforePersonDisappears", seconds, SECONDS)

    def getTimeBeforePersonDisappears(self):  # type: () -> float
        """Return for how long somebody is remembered who is not seen any more, in seconds."""
        return self._kept["TimeBeforePersonDisappears"]

    def setTimeBeforeVisiblePersonDisappears(self, seconds):  # type: (float) -> None
        """Set for how long somebody is remembered who should be in the picture and is not."""
        self._keep("TimeBeforeVisiblePersonDisappears", seconds, SECONDS)

    def getTimeBeforeVisiblePersonDisappears(self):  # type: () -> float
        """Return for how long somebody is remembered who should be in the picture and is not, in seconds."""
        return self._kept["TimeBeforeVisiblePersonDisappears"]

    def setFaceDetectionEnabled(self, enabled):  # type: (bool) -> None
        """Set whether people are found by their faces."""
        self._switch("FaceDetection", enabled)

    def isFaceDetectionEnabled(self):  # type: () -> bool
        """Tell whether people are found by their faces."""
        return self._on["FaceDetection"]

    def setMovementDetectionEnabled(self, enabled):  # type: (bool) -> None
        """Set whether people are found by their movements."""
        self._switch("MovementDetection", enabled)

    def isMovementDetectionEnabled(self):  # type: () -> bool
        """Tell whether people are found by their movements."""
        return self._on["MovementDetection"]

    def setFastModeEnabled(self, enabled):  # type: (bool) -> None
        """Set whether people are found quickly, by their faces alone."""
        self._switch("FastMode", enabled)

    def isFastModeEnabled(self):  # type: () -> bool
        """Tell whether people are found quickly, by their faces alone."""
        return self._on["FastMode"]

    def setGraphicalDisplayEnabled(self, enabled):  # type: (bool) -> None
        """Set whether what is found is drawn on the robot's screen, which it lacks."""
        self._switch("GraphicalDisplay", enabled)

    def isGraphicalDisplayEnabled(self):  # type: () -> bool
        """Tell whether what is found is drawn on the robot's screen, which it lacks."""
        return self._on["GraphicalDisplay"]

    def resetPopulation(self):  # type: () -> None
        """Do nothing: whoever is in sight would be found again at once."""

    def _switch(self, what, enabled):  # type: (str, Any) -> None
        self._on[what] = self._flag(enabled, "set%sEnabled" % what)


class ALEngagementZones(SwitchedExtractor):
    """Divides the floor before the robot into zones by distance and angle."""

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._kept = {"FirstLimitDistance": 1.5, "SecondLimitDistance": 2.5, "LimitAngle": 90.0}

    def setFirstLimitDistance(self, metres):  # type: (float) -> None
        """Set where the first zone ends."""
        self._keep("FirstLimitDistance", metres, METRES)

    def getFirstLimitDistance(self):  # type: () -> float
        """Return where the first zone ends, in metres."""
        return self._kept["FirstLimitDistance"]

    def setSecondLimitDistance(self, metres):  # type: (float) -> None
        """Set where the second zone ends."""
        self._keep("SecondLimitDistance", metres, METRES)

    def getSecondLimitDistance(self):  # type: () -> float
        """Return where the second zone ends, in metres."""
        return self._kept["SecondLimitDistance"]

    def setLimitAngle(self, degrees):  # type: (float) -> None
        """Set how wide the first two zones are."""
        self._keep("LimitAngle", degrees, DEGREES)

    def getLimitAngle(self):  # type: () -> float
        """Return how wide the first two zones are, in degrees."""
        return self._kept["LimitAngle"]


class ALGazeAnalysis(SwitchedExtractor):
    """Tells who looks at the robot: nobody that it sees does."""

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._kept = {"Tolerance": 0.2}
        self._analyses_faces = True

    def setTolerance(self, tolerance):  # type: (float) -> None
        """Set how far beside the robot somebody may look, 0 to 1."""
        self._keep("Tolerance", tolerance, (0.0, 1.0))

    def getTolerance(self):  # type: () -> float
        """Return how far beside the robot somebody may look, 0 to 1."""
        return self._kept["Tolerance"]

    def setFaceAnalysisEnabled(self, enabled):  # type: (bool) -> None
        """Set whether faces are analysed."""
        self._analyses_faces = self._flag(enabled, "setFaceAnalysisEnabled")

    def isFaceAnalysisEnabled(self):  # type: () -> bool
        """Tell whether faces are analysed."""
        return self._analyses_faces


class ALWavingDetection(SwitchedExtractor):
    """Notices people who wave: nobody that it sees does."""

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._kept = {"MaxDistance": 1.5, "MinSize": 0.1}

    def setMaxDistance(self, metres):  # type: (float) -> None
        """Set how far away waving is noticed."""
        self._keep("MaxDistance", metres, METRES)

    def getMaxDistance(self):  # type: () -> float
        """Return how far away waving is noticed, in metres."""
        return self._kept["MaxDistance"]

    def setMinSize(self, metres):  # type: (float) -> None
        """Set how large a movement has to be."""
        self._keep("MinSize", metres, METRES)

    def getMinSize(self):  # type: () -> float
        """Return how large a movement has to be, in metres."""
        return self._kept["MinSize"]
