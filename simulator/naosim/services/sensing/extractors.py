"""Services that run while programs are subscribed to them or to the events they write. They detect nothing."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, Subscribers, overloads
from naosim.services.memory.events import WRITERS

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Tuple, Type

    from naosim.world import World

#: Services that only have a name, extractors and those on camera images, without settings of their own.
BARE = ("ALLaser", "ALFsr", "ALInertial")
PLAIN = ("ALRedBallDetection",)
CAMERA = ("ALLandMarkDetection", "ALVisionRecognition", "ALBarcodeReader")
NAMES = BARE + PLAIN + CAMERA
PERIOD = 500  # milliseconds between two measurements, unless a program asks for another period


class Extractor(Service):
    """A service that runs while it has subscribers, counted by name, or one of its events has subscribed modules."""

    def __init__(self, world, name=None):  # type: (World, Any) -> None
        Service.__init__(self, world, name)
        self._subscribers = Subscribers()
        self._outputs = sorted(event for event, writer in WRITERS.items() if writer == self.name)
        self._kept = {}  # type: Dict[str, float]
        self.is_running = False

    @overloads("s", "s i f")
    def subscribe(self, name, period=PERIOD, precision=0.0):  # type: (str, int, float) -> None
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
        return min([self._subscribers.settings(name)[0] for name in self._subscribers] or [PERIOD])

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


class ImageExtractor(SwitchedExtractor):
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


class CameraExtractor(ImageExtractor):
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


def extractor(name):  # type: (str) -> Callable[[World], Service]
    """Make the class of the service of this name, one of NAMES."""
    base = Service  # type: Type[Service]
    for names, kind in ((PLAIN, Extractor), (CAMERA, CameraExtractor)):
        base = kind if name in names else base
    return type(name, (base,), {"__doc__": "A service without input: it detects nothing.", "__module__": __name__})
