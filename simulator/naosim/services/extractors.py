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
    """A service that runs while it has subscribers, counted by name, or somebody listens to one of its events."""

    def __init__(self, robot, name=None):
        # type: (Robot, Any) -> None
        Service.__init__(self, robot, name)
        self._subscribers = Subscribers()
        self._outputs = sorted(event for event, writer in WRITERS.items() if writer == self.name)
        self.is_running = False

    def subscribe(self, name, period=500, precision=0.0):
        # type: (str, int, float) -> None
        """Starts the service for a program; the same name again only updates its wishes."""
        self._number(period, "subscribe", 1, 0)
        self._number(precision, "subscribe", 2, 0)
        self._subscribers.add(self._text(name, "subscribe"), int(period), float(precision))
        self._recount()

    def unsubscribe(self, name):
        # type: (str) -> None
        """Ends a subscription; RuntimeError when there is none."""
        if not self._subscribers.remove(self._text(name, "unsubscribe")):
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)
        self._recount()

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

    def listened_to(self):
        # type: () -> None
        """Is told by ALMemory that one of the events got its first listener or lost its last one."""
        self._recount()

    def leftovers(self):
        # type: () -> List[str]
        """Lists the programs that are still subscribed."""
        return ["Module %r is still subscribed to %s." % (name, self.name) for name in self._subscribers]

    def _update(self, method, name, period, precision):
        # type: (str, str, int, float) -> None
        if self._text(name, method) not in self._subscribers:
            raise self._error(method, "Module %s is not subscribed." % name)
        self._subscribers.add(name, int(self._number(period, method, 1, 0)), self._number(precision, method, 1, 0))

    def _recount(self):
        # type: () -> None
        is_running = bool(self._subscribers) or any(map(self.robot.memory.is_heard, self._outputs))
        if is_running != self.is_running:
            self.is_running = is_running
            self._switched()

    def _switched(self):
        # type: () -> None
        """Notes that the service starts or stops."""
        self.robot.trace.note("call", service=self.name, method="start" if self.is_running else "stop", args=[])


def extractor(name):
    # type: (str) -> Callable[[Robot], Extractor]
    """Gives what makes the extractor of this name for a robot."""
    return lambda robot: Extractor(robot, name)
