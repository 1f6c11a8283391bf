"""The services about the robot itself: its name, version, log, battery and network."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, overloads

MYPY = False
if MYPY:
    from typing import Any, List, Optional

    from naosim.world import World


#: The levels of a log, the least verbose first.
LEVELS = ["silent", "fatal", "error", "warning", "info", "verbose", "debug"]


class ALSystem(Service):
    """The robot's name, version, time zone and memory."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._name = "nao"
        self._timezone = "Etc/UTC"

    def robotName(self):  # type: () -> str
        """Return the robot's name."""
        return self._name

    def setRobotName(self, name):  # type: (str) -> bool
        """Rename the robot."""
        self._name = self._text(name, "setRobotName")
        return True

    def systemVersion(self):  # type: () -> str
        """Return the version of the system."""
        return self.version()

    def previousSystemVersion(self):  # type: () -> str
        """Return "", the version before the last update: there was none."""
        return ""

    def systemInfo(self):  # type: () -> Any
        """Return the robot's system, kind and version, which say that it is simulated."""
        return ["naosim", "simulated", self.version()]

    def timezone(self):  # type: () -> str
        """Return the time zone."""
        return self._timezone

    def setTimezone(self, timezone):  # type: (str) -> bool
        """Change the name of the time zone; the robot's clock stays as it is."""
        self._timezone = self._text(timezone, "setTimezone")
        return True

    def diskFree(self, everything):  # type: (bool) -> Any
        """List the disks: place, kind, bytes used, bytes free."""
        self._flag(everything, "diskFree")
        return [["/", "simulated", 1000000, 1000000]]

    def freeMemory(self):  # type: () -> int
        """Return the free memory in kilobytes."""
        return 500000

    def totalMemory(self):  # type: () -> int
        """Return the memory in kilobytes."""
        return 1000000

    def reboot(self):  # type: () -> None
        """Refuse: a behaviour should not restart the robot."""
        raise self._error("reboot", "A simulated robot does not reboot.")

    def shutdown(self):  # type: () -> None
        """Refuse: a behaviour should not switch the robot off."""
        raise self._error("shutdown", "A simulated robot does not shut down.")


class ALLogger(Service):
    """Records log messages; as on the robot, a logged error does not count as an error of the run."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._verbosity = LEVELS.index("info")

    def fatal(self, module, message):  # type: (str, str) -> None
        """Log a fatal error."""
        self._log("fatal", module, message)

    def error(self, module, message):  # type: (str, str) -> None
        """Log an error."""
        self._log("error", module, message)

    def warn(self, module, message):  # type: (str, str) -> None
        """Log a warning."""
        self._log("warn", module, message)

    def info(self, module, message):  # type: (str, str) -> None
        """Log a remark."""
        self._log("info", module, message)

    def debug(self, module, message):  # type: (str, str) -> None
        """Log a detail for programmers."""
        self._log("debug", module, message)

    def setVerbosity(self, level):  # type: (str) -> None
        """Set the level of logging; a simulated robot logs everything all the same."""
        self._verbosity = LEVELS.index(self._one_of(level, LEVELS, "setVerbosity", "level"))

    def verbosity(self):  # type: () -> int
        """Return the level of logging, 0 for nothing to 6 for everything."""
        return self._verbosity

    def _log(self, level, module, message):  # type: (str, str, str) -> None
        self._text(module, level)
        self.world.trace.note("log", level=level, name=module, text=self._text(message, level, 1))


CHARGE = "Device/SubDeviceList/Battery/Charge/Sensor/Value"


class ALBattery(Service):
    """The charge of the battery: full, unless a person sets it otherwise."""

    def getBatteryCharge(self):  # type: () -> int
        """Return the charge in per cent."""
        return int(100 * self.world.memory.getData(CHARGE) + 0.5)

    def enablePowerMonitoring(self, enabled):  # type: (bool) -> None
        """Check and ignore whether the battery warns: its events are raised all the same."""
        self._flag(enabled, "enablePowerMonitoring")


class ALConnectionManager(Service):
    """The network: there is none."""

    def state(self):  # type: () -> str
        """Return the state of the network: always "offline"."""
        return "offline"

    def services(self):  # type: () -> Any
        """List the networks in reach: none."""
        return []

    def technologies(self):  # type: () -> Any
        """List the technologies to reach a network: none."""
        return []

    def interfaces(self):  # type: () -> Any
        """List the network interfaces: none."""
        return []

    @overloads("", "s")
    def scan(self, technology=None):  # type: (Optional[str]) -> None
        """Look for networks, by one technology or by all: there are none to find."""
        if technology is not None:
            self._text(technology, "scan")


class ALUserSession(Service):
    """The known people: there are none."""

    def getFocusedUser(self):  # type: () -> int
        """Return -1: no person is in focus."""
        return -1

    def getOpenUserSessions(self):  # type: () -> List[int]
        """List the people in sight: none."""
        return []

    def getNumUsers(self):  # type: () -> int
        """Return the number of known people: 0."""
        return 0

    def getUserList(self):  # type: () -> List[int]
        """List the known people: none."""
        return []

    def doesUserExist(self, user):  # type: (int) -> bool
        """Return False: no person is known."""
        return self._is_known(user, "doesUserExist")

    def isUserSessionOpen(self, user):  # type: (int) -> bool
        """Return False: no person is in sight."""
        return self._is_known(user, "isUserSessionOpen")

    def isUserPermanent(self, user):  # type: (int) -> bool
        """Return False: no person is known permanently."""
        return self._is_known(user, "isUserPermanent")

    def _is_known(self, user, method):  # type: (int, str) -> bool
        self._number(user, method)
        return False


class ALRobotModel(Service):
    """The kind of robot and its limbs."""

    def getRobotType(self):  # type: () -> str
        """Return the kind of robot: "Nao", "Juliette" (which is Pepper) or "Romeo"."""
        return str(self.world.robot_type)

    def hasArms(self):  # type: () -> bool
        """Return True: the robot has arms."""
        return True

    def hasHands(self):  # type: () -> bool
        """Return True: the robot has hands."""
        return True

    def hasLegs(self):  # type: () -> bool
        """Return True: the robot has legs."""
        return True
