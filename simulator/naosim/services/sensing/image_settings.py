"""Services that look for movement, things and darkness: what programs set is kept, and nothing is found."""

from __future__ import absolute_import, division, print_function

from naosim.services.sensing.extractors import CameraExtractor, Extractor, ImageExtractor

MYPY = False
if MYPY:
    from naosim.world import World

METRES, SHARE = (0.0, 20.0), (0.0, 1.0)


class ALMovementDetection(ImageExtractor):
    """Notices what moves before the robot: a simulated one sees nothing move."""

    def __init__(self, world):  # type: (World) -> None
        ImageExtractor.__init__(self, world)
        self._kept = {"ColorSensitivity": 0.7, "DepthSensitivity": 0.3}

    def setColorSensitivity(self, share):  # type: (float) -> None
        """Set how much a pixel's colour has to change, 0 to 1."""
        self._keep("ColorSensitivity", share, SHARE)

    def getColorSensitivity(self):  # type: () -> float
        """Return how much a pixel's colour has to change, 0 to 1."""
        return self._kept["ColorSensitivity"]

    def setDepthSensitivity(self, metres):  # type: (float) -> None
        """Set how much a pixel's distance has to change."""
        self._keep("DepthSensitivity", metres, METRES)

    def getDepthSensitivity(self):  # type: () -> float
        """Return how much a pixel's distance has to change, in metres."""
        return self._kept["DepthSensitivity"]

    def resetDetection(self):  # type: () -> None
        """Do nothing: there is no earlier picture to forget."""


class ALSegmentation3D(ImageExtractor):
    """Divides what the depth camera sees into things: a simulated robot has no such camera."""

    def __init__(self, world):  # type: (World) -> None
        ImageExtractor.__init__(self, world)
        self._kept = {"BlobTrackingDistance": 0.5, "VerticalOffset": 0.0, "DeltaDepthThreshold": 0.05}
        self._tracks = False

    def setBlobTrackingEnabled(self, enabled):  # type: (bool) -> None
        """Set whether the robot's gaze follows a thing."""
        self._tracks = self._flag(enabled, "setBlobTrackingEnabled")

    def isBlobTrackingEnabled(self):  # type: () -> bool
        """Tell whether the robot's gaze follows a thing."""
        return self._tracks

    def setBlobTrackingDistance(self, metres):  # type: (float) -> None
        """Set how far away the thing to follow is."""
        self._keep("BlobTrackingDistance", metres, METRES)

    def getBlobTrackingDistance(self):  # type: () -> float
        """Return how far away the thing to follow is, in metres."""
        return self._kept["BlobTrackingDistance"]

    def setVerticalOffset(self, metres):  # type: (float) -> None
        """Set how far below the top of a thing the robot looks."""
        self._keep("VerticalOffset", metres, (-20.0, 20.0))

    def getVerticalOffset(self):  # type: () -> float
        """Return how far below the top of a thing the robot looks, in metres."""
        return self._kept["VerticalOffset"]

    def setDeltaDepthThreshold(self, metres):  # type: (float) -> None
        """Set how far behind each other two things have to be."""
        self._keep("DeltaDepthThreshold", metres, METRES)

    def getDeltaDepthThreshold(self):  # type: () -> float
        """Return how far behind each other two things have to be, in metres."""
        return self._kept["DeltaDepthThreshold"]


class ALVisualSpaceHistory(Extractor):
    """Remembers where the robot has looked, on a grid."""

    def __init__(self, world):  # type: (World) -> None
        Extractor.__init__(self, world)
        self._kept = {"GridPrecision": 0.1}

    def setGridPrecision(self, radians):  # type: (float) -> None
        """Set how fine the grid is."""
        self._keep("GridPrecision", radians, (0.001, 3.2))

    def getGridPrecision(self):  # type: () -> float
        """Return how fine the grid is, in radians."""
        return self._kept["GridPrecision"]

    def resetGrid(self):  # type: () -> None
        """Do nothing: the grid is empty."""


class ALDarknessDetection(CameraExtractor):
    """Notices that it is dark: it never is."""

    def __init__(self, world):  # type: (World) -> None
        CameraExtractor.__init__(self, world)
        self._kept = {"DarknessThreshold": 60.0}

    def setDarknessThreshold(self, threshold):  # type: (int) -> None
        """Set how dark it has to be, 0 to 255."""
        self._keep("DarknessThreshold", threshold, (0.0, 255.0))

    def getDarknessThreshold(self):  # type: () -> int
        """Return how dark it has to be, 0 to 255."""
        return int(self._kept["DarknessThreshold"])
