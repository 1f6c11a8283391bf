"""Extractors: services that run while programs subscribe to them or to the events that they write.

The base classes come first, then the extractors of images, distances and touches. They detect nothing by themselves.
"""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, Subscribers, overloads
from naosim.services.memory import EVENT_WRITERS, TOUCH_SENSOR_EVENTS

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Tuple, Type

    from naosim.world import World

# --- Services that run while programs are subscribed to them or to the events they write. They detect nothing.

#: Services that only have a name, extractors and those on camera images, without settings of their own.
_BARE_SERVICES = ("ALLaser", "ALFsr", "ALInertial")
_PLAIN_EXTRACTORS = ("ALRedBallDetection",)
_CAMERA_EXTRACTORS = ("ALLandMarkDetection", "ALVisionRecognition", "ALBarcodeReader")
EXTRACTOR_NAMES = _BARE_SERVICES + _PLAIN_EXTRACTORS + _CAMERA_EXTRACTORS
_DEFAULT_PERIOD_MS = 500  # milliseconds between two measurements, unless a program asks for another period


class Extractor(Service):
    """A service that runs while it has subscribers, counted by name, or one of its events has subscribed modules."""

    def __init__(self, world, name=None):  # type: (World, Any) -> None
        Service.__init__(self, world, name)
        self._subscribers = Subscribers()
        self._outputs = sorted(event for event, writer in EVENT_WRITERS.items() if writer == self.name)
        self._kept = {}  # type: Dict[str, float]
        self.is_running = False

    @overloads("s", "s i f")
    def subscribe(self, name, period=_DEFAULT_PERIOD_MS, precision=0.0):  # type: (str, int, float) -> None
        """Start the service for a program; the same name again only updates its settings."""
        self._number(period, "subscribe", 1, 0)
        self._number(precision, "subscribe", 2, 0)
        self._subscribers.add(self._text(name, "subscribe"), int(period), float(precision))
        self._update_running()

    def unsubscribe(self, name):  # type: (str) -> None
        """End a subscription; raise RuntimeError when there is none."""
        if not self._subscribers.remove(self._text(name, "unsubscribe")):
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)
        self._update_running()

    def getSubscribersInfo(self):  # type: () -> List[List[Any]]
        """List name, period and precision of each subscriber."""
        return self._subscribers.rows()

    def updatePeriod(self, name, period):  # type: (str, int) -> None
        """Change the period of a subscriber, in milliseconds; raise RuntimeError when it is not subscribed."""
        precision = self._settings(name, "updatePeriod")[1]
        self._subscribers.add(name, int(self._number(period, "updatePeriod", 1, 0)), precision)

    def updatePrecision(self, name, precision):  # type: (str, float) -> None
        """Change the precision of a subscriber; raise RuntimeError when it is not subscribed."""
        period = self._settings(name, "updatePrecision")[0]
        self._subscribers.add(name, period, self._number(precision, "updatePrecision", 1, 0))

    def getMyPeriod(self, name):  # type: (str) -> int
        """Return the period of a subscriber, in milliseconds; raise RuntimeError when it is not subscribed."""
        return self._settings(name, "getMyPeriod")[0]

    def getMyPrecision(self, name):  # type: (str) -> float
        """Return the precision of a subscriber; raise RuntimeError when it is not subscribed."""
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

    def getEventList(self):  # type: () -> List[str]
        """List the events this service raises."""
        return list(self._outputs)

    def getMemoryKeyList(self):  # type: () -> List[str]
        """List the keys, other than events, that this service writes: none."""
        return []

    def listened_to(self):  # type: () -> None
        """Start or stop when one of the events gets its first listener or loses its last one; called by ALMemory.

        A callback that is connected to the event's signal starts nothing, as on a robot.
        """
        self._update_running()

    def leftovers(self):  # type: () -> List[str]
        """List the programs that are still subscribed."""
        return ["Module %r is still subscribed to %s." % (name, self.name) for name in self._subscribers]

    def _keep(self, setting, value, limits):  # type: (str, Any, Tuple[float, float]) -> None
        """Keep the value of a setting within its limits."""
        self._kept[setting] = self._number(value, "set" + setting, 0, *limits)

    def _settings(self, name, method):  # type: (str, str) -> Tuple[int, float]
        if self._text(name, method) not in self._subscribers:
            raise self._error(method, "Module %s is not subscribed." % name)
        return self._subscribers.settings(name)

    def _update_running(self):  # type: () -> None
        is_running = bool(self._subscribers) or any(map(self.world.memory.getSubscribers, self._outputs))
        if is_running != self.is_running:
            self.is_running = is_running
            self._running_changed()

    def _running_changed(self):  # type: () -> None
        """Record that the service starts or stops."""
        self.world.trace.note("call", service=self.name, method="start" if self.is_running else "stop", args=[])
        for event in self._outputs if self.is_running else ():
            if event in self.world.sights:
                self.world.memory.raiseEvent(event, self.world.sights[event])


class SwitchedExtractor(Extractor):
    """An extractor that programs may pause."""

    def __init__(self, world, name=None):  # type: (World, Any) -> None
        Extractor.__init__(self, world, name)
        self._is_paused = False

    def pause(self, paused):  # type: (bool) -> None
        """Pause or resume the processing."""
        self._is_paused = self._flag(paused, "pause")

    def isPaused(self):  # type: () -> bool
        """Tell whether the processing is paused."""
        return self._is_paused

    def isProcessing(self):  # type: () -> bool
        """Tell whether the service runs and is not paused."""
        return self.is_running and not self._is_paused


class _ImageExtractor(SwitchedExtractor):
    """An extractor on images: it remembers their settings and receives none."""

    def __init__(self, world, name=None):  # type: (World, Any) -> None
        SwitchedExtractor.__init__(self, world, name)
        self._images = {"setFrameRate": 15, "setResolution": 1, "setActiveCamera": 0}

    def setFrameRate(self, rate):  # type: (int) -> bool
        """Set how many images a second are processed, 1 to 30."""
        return self._set("setFrameRate", rate, 1, 30)

    def getFrameRate(self):  # type: () -> int
        """Return how many images a second are processed."""
        return self._images["setFrameRate"]

    def setResolution(self, resolution):  # type: (int) -> bool
        """Set the number of the resolution, 0 to 8."""
        return self._set("setResolution", resolution, 0, 8)

    def getResolution(self):  # type: () -> int
        """Return the number of the resolution."""
        return self._images["setResolution"]

    def setActiveCamera(self, camera):  # type: (int) -> bool
        """Choose a camera: 0 above, 1 below, 2 for depth."""
        return self._set("setActiveCamera", camera, 0, 2)

    def getActiveCamera(self):  # type: () -> int
        """Return the camera in use."""
        return self._images["setActiveCamera"]

    def _set(self, method, value, low, high):  # type: (str, Any, int, int) -> bool
        self._images[method] = int(self._number(value, method, 0, low, high))
        return True


class CameraExtractor(_ImageExtractor):
    """An extractor on camera images, with settings for each subscriber."""

    @overloads("i", "s i")
    def setFrameRate(self, first, second=None):  # type: (Any, Any) -> bool
        """Set how many images a second are processed, 1 to 30: (rate) or (subscriber, rate)."""
        if second is not None:
            self._text(first, "setFrameRate")
        return self._set("setFrameRate", first if second is None else second, 1, 30)

    def setActiveCamera(self, camera):  # type: (int) -> bool
        """Choose a camera: 0 above, 1 below."""
        return self._set("setActiveCamera", camera, 0, 1)

    def setParameter(self, parameter, value):  # type: (str, Any) -> None
        """Check the name of a setting, and ignore its value."""
        self._text(parameter, "setParameter")


def make_extractor(name):  # type: (str) -> Callable[[World], Service]
    """Make the class of the service of this name, one of NAMES."""
    base = Service  # type: Type[Service]
    for names, kind in ((_PLAIN_EXTRACTORS, Extractor), (_CAMERA_EXTRACTORS, CameraExtractor)):
        base = kind if name in names else base
    return type(name, (base,), {"__doc__": "A service without input: it detects nothing.", "__module__": __name__})


# --- Services that look for movement, things and darkness: what programs set is kept, and nothing is found.

_DISTANCE_LIMITS_M, _SHARE_LIMITS = (0.0, 20.0), (0.0, 1.0)


class ALMovementDetection(_ImageExtractor):
    """Notices what moves before the robot: a simulated one sees nothing move."""

    def __init__(self, world):  # type: (World) -> None
        _ImageExtractor.__init__(self, world)
        self._kept = {"ColorSensitivity": 0.7, "DepthSensitivity": 0.3}

    def setColorSensitivity(self, share):  # type: (float) -> None
        """Set how much a pixel's colour has to change, 0 to 1."""
        self._keep("ColorSensitivity", share, _SHARE_LIMITS)

    def getColorSensitivity(self):  # type: () -> float
        """Return how much a pixel's colour has to change, 0 to 1."""
        return self._kept["ColorSensitivity"]

    def setDepthSensitivity(self, metres):  # type: (float) -> None
        """Set how much a pixel's distance has to change."""
        self._keep("DepthSensitivity", metres, _DISTANCE_LIMITS_M)

    def getDepthSensitivity(self):  # type: () -> float
        """Return how much a pixel's distance has to change, in metres."""
        return self._kept["DepthSensitivity"]

    def resetDetection(self):  # type: () -> None
        """Do nothing: there is no earlier picture to forget."""


class ALSegmentation3D(_ImageExtractor):
    """Divides what the depth camera sees into things: a simulated robot has no such camera."""

    def __init__(self, world):  # type: (World) -> None
        _ImageExtractor.__init__(self, world)
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
        self._keep("BlobTrackingDistance", metres, _DISTANCE_LIMITS_M)

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
        self._keep("DeltaDepthThreshold", metres, _DISTANCE_LIMITS_M)

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


# --- ALSonar and ALLaser: how far away things are. The sonars hear what a person sets; no robot here has a laser.

_SONAR_KEY = "Device/SubDeviceList/US/%s/Sensor/Value"
#: Radians to either side, and millimetres.
_MAX_LASER_ANGLE_RAD, _MIN_LASER_MM, _MAX_LASER_MM = 2.09439, 20, 5600


class ALSonar(Extractor):
    """Notices what is near: its distances are those of the devices, as a person sets them."""

    def getFilteredValues(self):  # type: () -> List[float]
        """Return how far away something is on the left and on the right, in metres."""
        return [float(self.world.memory.getData(_SONAR_KEY % side)) for side in ("Left", "Right")]


class ALLaser(Service):
    """The laser that some robots have in their heads: it is switched on and off, and measures nothing."""

    def laserON(self):  # type: () -> None
        """Do nothing: there is no laser to switch on."""

    def laserOFF(self):  # type: () -> None
        """Do nothing: there is no laser to switch off."""

    def setOpeningAngle(self, least, most):  # type: (float, float) -> None
        """Check and ignore where the laser looks, in radians to the left."""
        right = self._number(least, "setOpeningAngle", 0, -_MAX_LASER_ANGLE_RAD, _MAX_LASER_ANGLE_RAD)
        self._number(most, "setOpeningAngle", 1, right, _MAX_LASER_ANGLE_RAD)

    def setDetectingLength(self, least, most):  # type: (int, int) -> None
        """Check and ignore how near and how far the laser measures, in millimetres."""
        near = self._number(least, "setDetectingLength", 0, _MIN_LASER_MM, _MAX_LASER_MM)
        self._number(most, "setDetectingLength", 1, near, _MAX_LASER_MM)


# --- ALTouch: the sensors that a person can press and the events they raise.

_SENSOR_OF_EVENT = {
    "FrontTactilTouched": "Head/Touch/Front",
    "MiddleTactilTouched": "Head/Touch/Middle",
    "RearTactilTouched": "Head/Touch/Rear",
    "HandLeftBackTouched": "LHand/Touch/Back",
    "HandLeftLeftTouched": "LHand/Touch/Left",
    "HandLeftRightTouched": "LHand/Touch/Right",
    "HandRightBackTouched": "RHand/Touch/Back",
    "HandRightLeftTouched": "RHand/Touch/Left",
    "HandRightRightTouched": "RHand/Touch/Right",
    "LeftBumperPressed": "LFoot/Bumper",
    "RightBumperPressed": "RFoot/Bumper",
    "ChestButtonPressed": "ChestBoard/Button",
}


class ALTouch(Service):
    """Raises one event per sensor and TouchChanged for all of them."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._pressed = dict.fromkeys(TOUCH_SENSOR_EVENTS, False)  # type: Dict[str, bool]

    def getSensorList(self):  # type: () -> List[str]
        """List the sensors by the part of the body they are on."""
        return [_SENSOR_OF_EVENT[event] for event in TOUCH_SENSOR_EVENTS]

    def getStatus(self):  # type: () -> List[List[Any]]
        """List each sensor with whether it is pressed."""
        return [[_SENSOR_OF_EVENT[event], self._pressed[event], []] for event in TOUCH_SENSOR_EVENTS]

    def press(self, event):  # type: (str) -> None
        """Press a sensor, named by its event, as a person does; raise ValueError for one that NAO does not have."""
        self._change(event, True)

    def release(self, event):  # type: (str) -> None
        """Release a sensor, named by its event, as a person does; raise ValueError for one that NAO does not have."""
        self._change(event, False)

    def events_heard(self):  # type: () -> List[str]
        """List the touch events that have listeners; TouchChanged stands for every sensor."""
        memory = self.world.memory
        return [event for event in TOUCH_SENSOR_EVENTS + ("TouchChanged",) if memory.is_heard(event)]

    def events_pressed(self):  # type: () -> List[str]
        """List the sensors held down now, named by their events."""
        return [event for event in TOUCH_SENSOR_EVENTS if self._pressed[event]]

    def leftovers(self):  # type: () -> List[str]
        """List the sensors still held down."""
        return ["%s is still held down." % event for event in self.events_pressed()]

    def _change(self, event, pressed):  # type: (str, bool) -> None
        if event not in self._pressed:
            raise ValueError("NAO has no touch event %r, known are: %s" % (event, ", ".join(TOUCH_SENSOR_EVENTS)))
        self._pressed[event] = pressed
        self.world.trace.note("touch", sensor=event, pressed=pressed)
        self.world.memory.raiseEvent(event, 1.0 if pressed else 0.0)
        self.world.memory.raiseEvent("TouchChanged", [[_SENSOR_OF_EVENT[event], pressed]])
