"""Knows the services about the robot itself: its name, version, log, battery and network. Knows no behaviour."""
from __future__ import absolute_import, division, print_function

from .service import Service

MYPY = False
if MYPY:
    from typing import Any, List

    from naosim.robot import Robot


class ALSystem(Service):
    """Tells the robot's name and version."""

    def __init__(self, robot):
        # type: (Robot) -> None
        Service.__init__(self, robot)
        self._name = "nao"

    def robotName(self):
        # type: () -> str
        """Tells the robot's name."""
        return self._name

    def setRobotName(self, name):
        # type: (str) -> bool
        """Renames the robot."""
        self._name = self._text(name, "setRobotName")
        return True

    def systemVersion(self):
        # type: () -> str
        """Tells the version of the system."""
        return self.version()

    def systemInfo(self):
        # type: () -> str
        """Tells that this is a simulated robot."""
        return "naosim"

    def timezone(self):
        # type: () -> str
        """Tells the time zone."""
        return "Etc/UTC"

    def freeMemory(self):
        # type: () -> int
        """Tells the free memory in kilobytes."""
        return 500000

    def totalMemory(self):
        # type: () -> int
        """Tells the memory in kilobytes."""
        return 1000000

    def reboot(self):
        # type: () -> None
        """Refuses: a behaviour should not restart the robot."""
        raise self._error("reboot", "A simulated robot does not reboot.")

    def shutdown(self):
        # type: () -> None
        """Refuses: a behaviour should not switch the robot off."""
        raise self._error("shutdown", "A simulated robot does not shut down.")


class ALLogger(Service):
    """Takes in log messages; errors count as errors of the run no more than on the robot."""

    def fatal(self, module, message):
        # type: (str, str) -> None
        """Logs the end of everything."""
        self._log("fatal", module, message)

    def error(self, module, message):
        # type: (str, str) -> None
        """Logs an error."""
        self._log("error", module, message)

    def warn(self, module, message):
        # type: (str, str) -> None
        """Logs a warning."""
        self._log("warn", module, message)

    def info(self, module, message):
        # type: (str, str) -> None
        """Logs a remark."""
        self._log("info", module, message)

    def verbose(self, module, message):
        # type: (str, str) -> None
        """Logs a detail."""
        self._log("verbose", module, message)

    def debug(self, module, message):
        # type: (str, str) -> None
        """Logs a detail for programmers."""
        self._log("debug", module, message)

    def _log(self, level, module, message):
        # type: (str, str, str) -> None
        self._text(module, level)
        self.robot.trace.note("log", level=level, name=module, text=self._text(message, level, 1))


class ALBattery(Service):
    """Tells how full the battery is."""

    def getBatteryCharge(self):
        # type: () -> int
        """Tells the charge in per cent."""
        return 100

    def enablePowerMonitoring(self, enabled):
        # type: (bool) -> None
        """Switches the warnings."""
        self._flag(enabled, "enablePowerMonitoring")


class ALConnectionManager(Service):
    """Tells about the network: there is none."""

    def state(self):
        # type: () -> str
        """Tells the state of the network."""
        return "offline"

    def services(self):
        # type: () -> List[Any]
        """Lists the networks in reach."""
        return []

    def scan(self):
        # type: () -> None
        """Looks for networks."""


class ALUserSession(Service):
    """Tells about known people: there are none."""

    def getFocusedUser(self):
        # type: () -> int
        """Tells the person in focus, -1 for nobody."""
        return -1

    def getOpenUserSessions(self):
        # type: () -> List[int]
        """Lists the people in sight."""
        return []

    def getNumUsers(self):
        # type: () -> int
        """Counts the known people."""
        return 0


class ALPythonBridge(Service):
    """Refuses to run code by text: it would share one interpreter with everything else on the robot."""

    def eval(self, code):
        # type: (str) -> str
        """Refuses."""
        raise self._error("eval", "Refused: put the code into a box script instead of %.60r." % (code,))

    def evalReturn(self, code):
        # type: (str) -> str
        """Refuses."""
        raise self._error("evalReturn", "Refused: put the code into a box script instead of %.60r." % (code,))

    def evalFull(self, code):
        # type: (str) -> List[str]
        """Refuses."""
        raise self._error("evalFull", "Refused: put the code into a box script instead of %.60r." % (code,))


class ALRobotModel(Service):
    """Tells which robot this is."""

    def getRobotType(self):
        # type: () -> str
        """Tells the kind of robot."""
        return "Nao"

    def hasArms(self):
        # type: () -> bool
        """Tells whether there are arms."""
        return True

    def hasLegs(self):
        # type: () -> bool
        """Tells whether there are legs."""
        return True
