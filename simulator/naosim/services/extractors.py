"""Extractors: services that run while programs subscribe to them or to the events that they write.

The base classes and common settings come first, then the extractors of images and distances. They detect only what a
test sets.
"""

from __future__ import absolute_import, division, print_function

from naosim.services.base import (
    Service,
    Setting,
    Subscribers,
    declare,
    no_effect,
    nothing,
    number_setting,
    overloads,
    switch,
)
from naosim.services.memory_keys import DEVICE_PREFIX, EVENTS_BY_WRITER
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Callable, List, Optional, Tuple

    from naosim.compat import ALValue

# Base classes of the extractors, and their common settings.

_PLAIN_EXTRACTORS = ("ALRedBallDetection",)  # extractors with only the common methods
#: Extractors on camera images with only the common methods.
_CAMERA_EXTRACTORS = ("ALLandMarkDetection", "ALBarcodeReader")
EXTRACTOR_NAMES = _PLAIN_EXTRACTORS + _CAMERA_EXTRACTORS
_DEFAULT_PERIOD_MS = 500  # between two measurements


class Extractor(Service):
    """A service that runs while it has subscribers, counted by name, or one of its events has subscribed modules."""

    def __init__(self, world, name=None):  # type: (World, Optional[str]) -> None
        Service.__init__(self, world, name)
        self._subscribers = Subscribers()
        self._outputs = EVENTS_BY_WRITER.get(self.name, [])
        self.is_running = False

    @overloads("s", "s i f")
    def subscribe(self, name, period=_DEFAULT_PERIOD_MS, precision=0.0):  # type: (str, int, float) -> None
        """Start the service for a program; the same name again only updates its settings."""
        self._number(period, "subscribe", 1, 0)
        self._number(precision, "subscribe", 2, 0)
        self._subscribers.add(self._text(name, "subscribe"), int(period), float(precision))
        self._update_running()

    def unsubscribe(self, name):  # type: (str) -> None
        """End a subscription; raise RuntimeError if none exists."""
        if not self._subscribers.remove(self._text(name, "unsubscribe")):
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)
        self._update_running()

    def getSubscribersInfo(self):  # type: () -> List[List[ALValue]]
        """List name, period and precision of each subscriber."""
        return self._subscribers.rows()

    def updatePeriod(self, name, period):  # type: (str, int) -> None
        """Change the period of a subscriber, in milliseconds; raise RuntimeError if it is not subscribed."""
        precision = self._settings(name, "updatePeriod")[1]
        self._subscribers.add(name, int(self._number(period, "updatePeriod", 1, 0)), precision)

    def updatePrecision(self, name, precision):  # type: (str, float) -> None
        """Change the precision of a subscriber; raise RuntimeError if it is not subscribed."""
        period = self._settings(name, "updatePrecision")[0]
        self._subscribers.add(name, period, self._number(precision, "updatePrecision", 1, 0))

    def getMyPeriod(self, name):  # type: (str) -> int
        """Return the period of a subscriber, in milliseconds; raise RuntimeError if it is not subscribed."""
        return self._settings(name, "getMyPeriod")[0]

    def getMyPrecision(self, name):  # type: (str) -> float
        """Return the precision of a subscriber; raise RuntimeError if it is not subscribed."""
        return self._settings(name, "getMyPrecision")[1]

    def getCurrentPeriod(self):  # type: () -> int
        """Return the shortest period any subscriber asked for, in milliseconds."""
        return min([self._subscribers.settings(name)[0] for name in self._subscribers] or [_DEFAULT_PERIOD_MS])

    def getCurrentPrecision(self):  # type: () -> float
        """Return the greatest precision any subscriber asked for."""
        return max([self._subscribers.settings(name)[1] for name in self._subscribers] or [0.0])

    def getOutputNames(self):  # type: () -> List[str]
        """List the events this service writes."""
        return list(self._outputs)

    getEventList = getOutputNames

    def getMemoryKeyList(self):  # type: () -> List[str]
        """List the keys, other than events, that this service writes: none."""
        return []

    def follow_listeners(self):  # type: () -> None
        """Start or stop when one of the events gets its first listener or loses its last one; called by ALMemory.

        A callback that is connected to the event's signal starts nothing, as on a robot.
        """
        self._update_running()

    def leftovers(self):  # type: () -> List[str]
        """List the programs that are still subscribed."""
        return ["Module %r is still subscribed to %s." % (name, self.name) for name in self._subscribers]

    def _settings(self, name, method):  # type: (str, str) -> Tuple[int, float]
        if self._text(name, method) not in self._subscribers:
            raise self._error(method, "Module %s is not subscribed." % name)
        return self._subscribers.settings(name)

    def _is_wanted(self):  # type: () -> bool
        """Return whether a program is subscribed to the service or to one of its events."""
        return bool(self._subscribers) or any(map(self.world.memory.getSubscribers, self._outputs))

    def _update_running(self):  # type: () -> None
        is_wanted = self._is_wanted()
        if is_wanted != self.is_running:
            self.is_running = is_wanted
            self._note_running()

    def _note_running(self):  # type: () -> None
        """Record that the service starts or stops."""
        self.world.trace.note("call", service=self.name, method="start" if self.is_running else "stop", args=[])
        for event in self._outputs if self.is_running else ():
            if event in self.world.sights:
                self.world.memory.raiseEvent(event, self.world.sights[event])


@declare(switch("Paused", False, "the processing is paused", ("pause", "isPaused")))
class SwitchedExtractor(Extractor):
    """An extractor that programs may pause."""

    def isProcessing(self):  # type: () -> bool
        """Return whether the service runs and is not paused."""
        return self.is_running and not self._kept["Paused"]


def _subscriber_rate():  # type: () -> Setting
    """Declare the setFrameRate of extractors on camera images, for all subscribers or for one."""
    setting = Setting()

    def set_frame_rate(extractor, first, second=None):  # type: (Extractor, ALValue, ALValue) -> bool
        if second is not None:
            extractor._text(first, "setFrameRate")
        extractor._kept["FrameRate"] = extractor._frame_rate(first if second is None else second, "setFrameRate")
        return True

    doc = "Set the number of images processed a second, 1 to 30: (rate) or (subscriber, rate)."
    setting.add("setFrameRate", overloads("i", "s i")(set_frame_rate), "(ALValue, ALValue) -> bool", doc)
    return setting


_IMAGE_SETTINGS = (
    number_setting("FrameRate", 15, (1, 30), "the number of images processed a second, 1 to 30", answer=True),
    number_setting("Resolution", 1, (0, 8), "the number of the resolution, 0 to 8", answer=True),
)
#: The settings of an extractor on images of any camera, which remembers them and receives no images.
_DEPTH_SETTINGS = _IMAGE_SETTINGS + (
    number_setting("ActiveCamera", 0, (0, 2), "the camera: 0 above, 1 below, 2 for depth", answer=True),
)
#: The settings of an extractor on images of the cameras in the head.
CAMERA_SETTINGS = (
    _subscriber_rate(),
    number_setting("ActiveCamera", 0, (0, 1), "the camera: 0 above, 1 below", answer=True),
    no_effect("setParameter(sm)v", "The name of a setting is checked, and its value has no effect"),
) + _IMAGE_SETTINGS


def make_extractor(name):  # type: (str) -> Callable[[World], Service]
    """Make the class of the service of this name, one of EXTRACTOR_NAMES."""
    base = SwitchedExtractor if name in _CAMERA_EXTRACTORS else Extractor
    members = {"__doc__": "A service without input: it detects nothing.", "__module__": __name__}
    made = type(name, (base,), members)
    if name in _CAMERA_EXTRACTORS:
        declare(*CAMERA_SETTINGS)(made)
    return made


# Detectors of movement, things and darkness.

_DISTANCE_LIMITS_M = (0.0, 20.0)
_SHARE_LIMITS = (0.0, 1.0)


@declare(
    number_setting("ColorSensitivity", 0.7, _SHARE_LIMITS, "the change of a pixel's colour that counts, 0 to 1"),
    number_setting(
        "DepthSensitivity", 0.3, _DISTANCE_LIMITS_M, "the change of a pixel's distance that counts, in metres"
    ),
    nothing("resetDetection", "there is no earlier picture to forget"),
)
@declare(*_DEPTH_SETTINGS)
class ALMovementDetection(SwitchedExtractor):
    """Notices what moves before the robot: a simulated one sees nothing move."""


@declare(
    switch("BlobTracking", False, "the robot's gaze follows a thing"),
    number_setting("BlobTrackingDistance", 0.5, _DISTANCE_LIMITS_M, "the distance of the thing to follow, in metres"),
    number_setting("VerticalOffset", 0.0, (-20.0, 20.0), "how far below a thing's top the robot looks, in metres"),
    number_setting(
        "DeltaDepthThreshold", 0.05, _DISTANCE_LIMITS_M, "the difference in depth between two things, in metres"
    ),
    no_effect("getTopOfBlob(fib)m", "Nothing is in sight"),
)
@declare(*_DEPTH_SETTINGS)
class ALSegmentation3D(SwitchedExtractor):
    """Divides the depth camera's view into things; a simulated NAO has no such camera."""


@declare(
    number_setting("GridPrecision", 0.1, (0.001, 3.2), "the width of a cell of the grid, in radians"),
    nothing("resetGrid", "the grid is empty"),
)
class ALVisualSpaceHistory(Extractor):
    """Remembers where the robot has looked, on a grid."""


_DATABASE_METHODS = """
    clearCurrentDatabase()v setParam(sm)v learnFromFile(ss[s]bb)b getSize()i detectFromFile(s)v
    getDefaultDatabaseDirectory()s getDefaultDatabaseName()s
"""


@declare(
    no_effect("changeDatabase(ss)b", "There is no database of pictures", True),
    no_effect(_DATABASE_METHODS, "There is no database of pictures"),
    number_setting("MaxOutObjs", 1, (0, 1000), "the number of things that are noticed together"),
)
@declare(*CAMERA_SETTINGS)
class ALVisionRecognition(SwitchedExtractor):
    """Recognises pictures that it has learned: it sees none."""

    def getParam(self, parameter):  # type: (str) -> ALValue
        """Return "", the value of every setting."""
        self._text(parameter, "getParam")
        return ""


@declare(number_setting("DarknessThreshold", 60, (0, 255), "the darkness that counts as dark, 0 to 255"))
@declare(*CAMERA_SETTINGS)
class ALDarknessDetection(SwitchedExtractor):
    """Notices that it is dark: it never is."""


# ALSonar and ALLaser.

_SONAR_KEY = DEVICE_PREFIX + "US/%s/Sensor/Value"
_MAX_LASER_ANGLE_RAD = 2.09439  # to either side
_MIN_LASER_MM = 20
_MAX_LASER_MM = 5600


class ALSonar(Extractor):
    """Notices near objects; its distances are the values of the devices, as a person sets them."""

    def getFilteredValues(self):  # type: () -> List[float]
        """Return the distances of objects on the left and on the right, in metres."""
        return [
            self._number(self.world.memory.getData(_SONAR_KEY % side), "getFilteredValues")
            for side in ("Left", "Right")
        ]


@declare(nothing("laserON laserOFF", "there is no laser"))
class ALLaser(Service):
    """The laser that some robots have in their heads: it is switched on and off, and measures nothing."""

    def setOpeningAngle(self, least, most):  # type: (float, float) -> None
        """Check and ignore where the laser looks, in radians to the left."""
        right = self._number(least, "setOpeningAngle", 0, -_MAX_LASER_ANGLE_RAD, _MAX_LASER_ANGLE_RAD)
        self._number(most, "setOpeningAngle", 1, right, _MAX_LASER_ANGLE_RAD)

    def setDetectingLength(self, least, most):  # type: (int, int) -> None
        """Check and ignore the least and greatest distance of the laser, in millimetres."""
        near = self._number(least, "setDetectingLength", 0, _MIN_LASER_MM, _MAX_LASER_MM)
        self._number(most, "setDetectingLength", 1, near, _MAX_LASER_MM)
