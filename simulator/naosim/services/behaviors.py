"""Knows ALFrameManager and ALBehaviorManager: where behaviours lie and which run. Runs only stock animations itself."""
from __future__ import absolute_import, division, print_function

from naosim.clock import Gate

from . import animations
from .service import Service

MYPY = False
if MYPY:
    from typing import Dict, List

    from naosim.robot import Robot


class ALFrameManager(Service):
    """Tells a box where its behaviour lies."""

    def getBehaviorPath(self, behavior):
        # type: (str) -> str
        """Tells the folder of a behaviour, by the id a box has; RuntimeError for an unknown id."""
        return self._folder(behavior, "getBehaviorPath")

    def getLoadedBehaviors(self):
        # type: () -> List[str]
        """Lists the ids of the loaded behaviours."""
        return sorted(self._known())

    def getBehaviors(self):
        # type: () -> List[str]
        """Lists the ids of the loaded behaviours."""
        return sorted(self._known())

    def isBehaviorLoaded(self, behavior):
        # type: (str) -> bool
        """Tells whether a behaviour is loaded."""
        return self._text(behavior, "isBehaviorLoaded") in self._known()

    def getRunningBehaviors(self):
        # type: () -> List[str]
        """Lists the ids of the loaded behaviours."""
        return sorted(self._known())

    def _folder(self, behavior, method):
        # type: (str, str) -> str
        known = self._known()
        if self._text(behavior, method) not in known:
            raise self._error(method, "Behavior %s does not exist." % behavior)
        return known[behavior]

    def _known(self):
        # type: () -> Dict[str, str]
        """The folder of every behaviour the robot has loaded, by id."""
        return self.robot.behaviour_folders


class ALBehaviorManager(Service):
    """Starts the stock animations as behaviours, and lists what runs."""

    signals = ("behaviorStarted", "behaviorStopped")

    def __init__(self, robot):
        # type: (Robot) -> None
        Service.__init__(self, robot)
        self._running = {}  # type: Dict[str, Gate]

    def getInstalledBehaviors(self):
        # type: () -> List[str]
        """Lists the behaviours that can be started."""
        return list(animations.PATHS)

    def getBehaviorNames(self):
        # type: () -> List[str]
        """Is the old name of getInstalledBehaviors."""
        return self.getInstalledBehaviors()

    def isBehaviorInstalled(self, behavior):
        # type: (str) -> bool
        """Tells whether a behaviour can be started."""
        return self._text(behavior, "isBehaviorInstalled") in animations.POSTURE_OF

    def isBehaviorPresent(self, behavior):
        # type: (str) -> bool
        """Is the old name of isBehaviorInstalled."""
        return self.isBehaviorInstalled(behavior)

    def getRunningBehaviors(self):
        # type: () -> List[str]
        """Lists the behaviours that run."""
        return sorted(self._running)

    def isBehaviorRunning(self, behavior):
        # type: (str) -> bool
        """Tells whether a behaviour runs."""
        return self._text(behavior, "isBehaviorRunning") in self._running

    def startBehavior(self, behavior):
        # type: (str) -> None
        """Starts a behaviour and returns at once."""
        self._begin(behavior, "startBehavior")
        self.robot.clock.soon(self._last, behavior)

    def runBehavior(self, behavior):
        # type: (str) -> None
        """Starts a behaviour and returns at its end."""
        self._begin(behavior, "runBehavior")
        self._last(behavior)

    def stopBehavior(self, behavior):
        # type: (str) -> None
        """Stops a behaviour; RuntimeError when it does not run."""
        if self._text(behavior, "stopBehavior") not in self._running:
            raise self._error("stopBehavior", "Behavior %s is not running." % behavior)
        self._running[behavior].open()

    def stopAllBehaviors(self):
        # type: () -> None
        """Stops every behaviour that was started here."""
        for behavior in self.getRunningBehaviors():
            self._running[behavior].open()

    def preloadBehavior(self, behavior):
        # type: (str) -> bool
        """Tells whether a behaviour could be loaded."""
        return self.isBehaviorInstalled(behavior)

    def leftovers(self):
        # type: () -> List[str]
        """Lists the behaviours still running."""
        return ["Behavior %s is still running." % behavior for behavior in self.getRunningBehaviors()]

    def _begin(self, behavior, method):
        # type: (str, str) -> None
        if not self.isBehaviorInstalled(behavior):
            raise self._error(method, "Behavior %s is not installed." % behavior)
        if behavior in self._running:
            raise self._error(method, "Behavior %s is already running." % behavior)
        self._running[behavior] = Gate(self.robot.clock)
        self.robot.trace.note("animate", path=behavior, service=self.name, duration=animations.SECONDS)
        self.robot.memory.raiseEvent("ALBehaviorManager/behaviorStarted", behavior)

    def _last(self, behavior):
        # type: (str) -> None
        try:
            self.robot.clock.wait(self._running[behavior], animations.SECONDS)
        finally:
            del self._running[behavior]
        self.robot.memory.raiseEvent("ALBehaviorManager/behaviorStopped", behavior)
