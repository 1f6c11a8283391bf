"""Knows the services about the robot itself: its name, version, log, battery and network. Knows no behaviour."""
from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, overloads

MYPY = False
if MYPY:
    from typing import Any, List, Optional

    from naosim.world.world import World


#: What a log may be asked to hold, the least first.
LEVELS = ["silent", "fatal", "error", "warning", "info", "verbose", "debug"]


class ALSystem(Service):
    """Tells the robot's name and version."""

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._name = "nao"
        self._timezone = "Etc/UTC"

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

    def previousSystemVersion(self):
        # type: () -> str
        """Tells the version before the last update: there was none."""
        return ""

    def systemInfo(self):
        # type: () -> Any
        """Tells that this is a simulated robot: its system, kind and version."""
        return ["naosim", "simulated", self.version()]

    def timezone(self):
        # type: () -> str
        """Tells the time zone."""
        return self._timezone

    def setTimezone(self, timezone):
        # type: (str) -> bool
        """Changes the name of the time zone; the robot's clock stays as it is."""
        self._timezone = self._text(timezone, "setTimezone")
        return True

    def diskFree(self, everything):
        # type: (bool) -> Any
        """Lists the disks: place, kind, bytes used, bytes free."""
        self._flag(everything, "diskFree")
        return [["/", "simulated", 1000000, 1000000]]

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

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._verbosity = LEVELS.index("info")

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

    def debug(self, module, message):
        # type: (str, str) -> None
        """Logs a detail for programmers."""
        self._log("debug", module, message)

    def setVerbosity(self, level):
        # type: (str) -> None
        """Says what is worth logging; a simulated robot logs everything."""
        self._verbosity = LEVELS.index(self._one_of(level, LEVELS, "setVerbosity", "level"))

    def verbosity(self):
        # type: () -> int
        """Tells what is worth logging, 0 for nothing to 6 for everything."""
        return self._verbosity

    def _log(self, level, module, message):
        # type: (str, str, str) -> None
        self._text(module, level)
        self.world.trace.note("log", level=level, name=module, text=self._text(message, level, 1))


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
        # type: () -> Any
        """Lists the networks in reach."""
        return []

    def technologies(self):
        # type: () -> Any
        """Lists the ways to reach a network."""
        return []

    def interfaces(self):
        # type: () -> Any
        """Lists the network cards."""
        return []

    @overloads("", "s")
    def scan(self, technology=None):
        # type: (Optional[str]) -> None
        """Looks for networks, by one technology or by all."""
        if technology is not None:
            self._text(technology, "scan")


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

    def getUserList(self):
        # type: () -> List[int]
        """Lists the known people."""
        return []

    def doesUserExist(self, user):
        # type: (int) -> bool
        """Tells whether a person is known."""
        return self._knows(user, "doesUserExist")

    def isUserSessionOpen(self, user):
        # type: (int) -> bool
        """Tells whether a person is in sight."""
        return self._knows(user, "isUserSessionOpen")

    def isUserPermanent(self, user):
        # type: (int) -> bool
        """Tells whether a person is known for good."""
        return self._knows(user, "isUserPermanent")

    def _knows(self, user, method):
        # type: (int, str) -> bool
        self._number(user, method)
        return False


class ALPythonBridge(Service):
    """Refuses to run code by text: it would share one interpreter with everything else on the robot."""

    def eval(self, code):
        # type: (str) -> str
        """Refuses."""
        raise self._error("eval", "Refused: put the code into a box script instead of %.60r." % (code,))

    def evalReturn(self, code):
        # type: (str) -> Any
        """Refuses."""
        raise self._error("evalReturn", "Refused: put the code into a box script instead of %.60r." % (code,))

    def evalFull(self, code):
        # type: (str) -> Any
        """Refuses."""
        raise self._error("evalFull", "Refused: put the code into a box script instead of %.60r." % (code,))


class ALRobotModel(Service):
    """Tells which robot this is."""

    def getRobotType(self):
        # type: () -> str
        """Tells the kind of robot: "Nao", "Juliette" (which is Pepper) or "Romeo"."""
        return str(self.world.robot_type)

    def hasArms(self):
        # type: () -> bool
        """Tells whether there are arms."""
        return True

    def hasHands(self):
        # type: () -> bool
        """Tells whether there are hands."""
        return True

    def hasLegs(self):
        # type: () -> bool
        """Tells whether there are legs."""
        return True
