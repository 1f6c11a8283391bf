"""Knows services that work for as long as somebody subscribes to them or to what they write. They see nothing."""
from __future__ import absolute_import, division, print_function

from .events import WRITERS
from .service import Service, Subscribers

MYPY = False
if MYPY:
    from typing import Any, Callable, List

    from naosim.robot import Robot

NAMES = ("ALFaceDetection", "ALSoundLocalization", "ALSoundDetection", "ALPeoplePerception", "ALSonar",
         "ALLandMarkDetection", "ALRedBallDetection", "ALMovementDetection", "ALVisionRecognition",
         "ALBarcodeReader", "ALDarknessDetection", "ALEngagementZones", "ALLaser", "ALFsr", "ALInertial",
         "ALGazeAnalysis", "ALFaceCharacteristics", "ALWavingDetection", "ALSegmentation3D", "ALVisualSpaceHistory")


class Extractor(Service):
    """A service that runs while it has subscribers, counted by name."""

    def __init__(self, robot, name=None):
        # type: (Robot, Any) -> None
        Service.__init__(self, robot, name)
        self._subscribers = Subscribers()
        self._outputs = sorted(event for event, writer in WRITERS.items() if writer == self.name)

    @property
    def is_running(self):
        # type: () -> bool
        """Whether somebody subscribed to the service or listens to one of its events."""
        return bool(self._subscribers) or any(map(self.robot.memory.is_heard, self._outputs))

    def subscribe(self, name, period=500, precision=0.0):
        # type: (str, int, float) -> None
        """Starts the service for a program; the same name again only updates its wishes."""
        self._number(period, "subscribe", 1, 0)
        self._number(precision, "subscribe", 2, 0)
        was_running = self.is_running
        self._subscribers.add(self._text(name, "subscribe"), int(period), float(precision))
        self._changed(was_running)

    def unsubscribe(self, name):
        # type: (str) -> None
        """Ends a subscription; RuntimeError when there is none."""
        if not self._subscribers.remove(self._text(name, "unsubscribe")):
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)
        self._changed(True)

    def getSubscribersInfo(self):
        # type: () -> List[List[Any]]
        """Lists name, period and precision of each subscriber."""
        return self._subscribers.rows()

    def updatePeriod(self, name, period):
        # type: (str, int) -> None
        """Changes how often a subscriber wants news."""
        self._update("updatePeriod", name, period, 0.0)

    def updatePrecision(self, name, precision):
        # type: (str, float) -> None
        """Changes how precise a subscriber wants news."""
        self._update("updatePrecision", name, 500, precision)

    def getOutputNames(self):
        # type: () -> List[str]
        """Lists the events this service writes."""
        return list(self._outputs)

    def listened_to(self, event, starts):
        # type: (str, bool) -> None
        """Is told by ALMemory that an event got its first listener or lost its last one."""
        others = bool(self._subscribers) or any(
            self.robot.memory.is_heard(other) for other in self._outputs if other != event)
        self._changed(others or not starts)

    def leftovers(self):
        # type: () -> List[str]
        """Lists the programs that are still subscribed."""
        return ["Module %r is still subscribed to %s." % (name, self.name) for name in self._subscribers]

    def _update(self, method, name, period, precision):
        # type: (str, str, int, float) -> None
        if self._text(name, method) not in self._subscribers:
            raise self._error(method, "Module %s is not subscribed." % name)
        self._subscribers.add(name, int(self._number(period, method, 1, 0)), self._number(precision, method, 1, 0))

    def _changed(self, was_running):
        # type: (bool) -> None
        """Notes when the service starts or stops."""
        if self.is_running != was_running:
            self.robot.trace.note("call", service=self.name, method="start" if self.is_running else "stop", args=[])


def extractor(name):
    # type: (str) -> Callable[[Robot], Extractor]
    """Gives what makes the extractor of this name for a robot."""
    return lambda robot: Extractor(robot, name)
