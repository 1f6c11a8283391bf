"""ALServiceManager: the executables of installed packages, each a process that reaches the robot over libqi."""

from __future__ import absolute_import, division, print_function

from naosim.scheduler import SimEvent
from naosim.services.base import Service
from naosim.services.system.executable import BadCommand, Executable, command

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional

    from naosim.world import World

#: A service is started again after a crash; after more crashes than these, each within so many real seconds of its
#: start, it is given up.
MOST_CRASHES, SHORT_LIFE = 5, 10.0
#: Real seconds to wait for the end of a service, and lines of output under way; more of them are dropped.
ENDS_WITHIN, MOST_LINES = 5.0, 1000
NOT_SERVED = (
    "Service %s is a process that reaches the robot over libqi, and nothing serves this robot there: "
    "install the package on one started with 'jotto robot serve'."
)


class Running(object):
    """One service that runs, from its start to its last end."""

    def __init__(self, world):  # type: (World) -> None
        self.executable = None  # type: Optional[Executable]
        self.over = SimEvent(world.clock)
        self.is_stopping = False
        self.crashes = 0
        self.since = 0.0
        self.lines = self.dropped = 0


class ALServiceManager(Service):
    """Runs the services of packages, by their full names: the package, a dot and the name in its manifest."""

    signals = ("serviceAdded", "serviceRemoved", "serviceStarted", "serviceStopped")

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._running = {}  # type: Dict[str, Running]
        world.at_end.append(self._end_all)

    def services(self):  # type: () -> List[str]
        """List the services of the installed packages."""
        return sorted(self._installed())

    def startService(self, service):  # type: (str) -> bool
        """Start a service; return False when it runs already. Raise RuntimeError when it cannot be started."""
        return self._start(self._text(service, "startService"), "startService")

    def stopService(self, service):  # type: (str) -> bool
        """Stop a service and return when it has ended; return False when it does not run."""
        return self._stop(self._text(service, "stopService"))

    def restartService(self, service):  # type: (str) -> bool
        """Stop and start a service."""
        self._stop(self._text(service, "restartService"))
        return self._start(service, "restartService")

    def isServiceRunning(self, service):  # type: (str) -> bool
        """Tell whether the process of a service runs."""
        return self._text(service, "isServiceRunning") in self._running

    def start(self, service):  # type: (str) -> bool
        """Start a service; return False when it runs already: the short name of startService."""
        return self._start(self._text(service, "start"), "start")

    def stop(self, service):  # type: (str) -> bool
        """Stop a service; return False when it does not run: the short name of stopService."""
        return self._stop(self._text(service, "stop"))

    def stopAllServices(self):  # type: () -> None
        """Stop every service."""
        for name in sorted(self._running):
            self._stop(name)

    def leftovers(self):  # type: () -> List[str]
        """List the services still running, except those that run for as long as the robot."""
        rows = self._installed()
        return [
            "The service %s is still running." % name
            for name in sorted(self._running)
            if not rows.get(name, {}).get("autoRun")
        ]

    def start_autorun(self, uuid=""):  # type: (str) -> None
        """Start the services of a package, or of all, that run for as long as the robot; note what cannot start."""
        for name, row in sorted(self._installed().items()):
            if self.world.url and row["autoRun"] and uuid in ("", row["uuid"]) and name not in self._running:
                try:
                    self._start(name, "startService")
                except RuntimeError as error:
                    self._note_error(name, str(error), False)

    def stop_package(self, uuid):  # type: (str) -> None
        """Stop the services of a package that is about to be removed or replaced."""
        for name in sorted(self._running):
            if name.partition(".")[0] == uuid:
                self._stop(name)

    def _installed(self):  # type: () -> Dict[str, Any]
        """Return the manifests' rows of all services by full name, with the uuid and the folder of their packages."""
        packages = self.world.services.get("PackageManager")
        return {
            "%s.%s" % (each["uuid"], row["name"]): dict(row, uuid=each["uuid"], path=each["path"])
            for each in (packages.packages() if packages is not None else [])
            for row in each["services"]
        }

    def _start(self, name, method):  # type: (str, str) -> bool
        if name in self._running:
            return False
        row = self._installed().get(name)
        if row is None and self.world.url:
            raise self._error(
                method, "Service %s is not installed. Known: %s." % (name, ", ".join(self.services()) or "none")
            )
        if row is None or not self.world.url:
            raise self._error(method, NOT_SERVED % name)
        running = Running(self.world)
        try:
            self._run(name, row, running)
        except BadCommand as error:
            raise self._error(method, "Service %s cannot be started. %s" % (name, error))
        self._running[name] = running
        self.world.trace.note("service", name=name, text="is started")
        self._raise("serviceStarted", name)
        return True

    def _run(self, name, row, running):  # type: (str, Any, Running) -> None
        clock = self.world.clock

        def heard(text):  # type: (str) -> None
            if running.lines >= MOST_LINES:
                running.dropped += 1
                return
            running.lines += 1
            clock.outside(self._heard, name, running, text)

        words = command(row["execStart"], row["path"], self.world.url)
        running.since = clock.now()
        running.executable = Executable(
            words, row["path"], heard, lambda status: clock.outside(self._ended, name, row, running, status)
        )

    def _heard(self, name, running, text):  # type: (str, Running, str) -> None
        running.lines -= 1
        dropped, running.dropped = running.dropped, 0
        if dropped:
            self.world.trace.note("service", name=name, text="(%d lines of output were dropped)" % dropped)
        self.world.trace.note("service", name=name, text=text)

    def _ended(self, name, row, running, status):  # type: (str, Any, Running, int) -> None
        """Take in the end of a process; a crash is said, and the service is started again unless it crashes on."""
        how = "The service ended with status %d" % status
        if status and not running.is_stopping:
            is_short = self.world.clock.now() - running.since < SHORT_LIFE * self.world.clock.speed
            running.crashes = running.crashes + 1 if is_short else 1
            if running.crashes <= MOST_CRASHES:
                self._note_error(name, how + " and is started again.", True)
                try:
                    self._run(name, row, running)
                    return
                except BadCommand as error:
                    how = "%s. %s It" % (how, error)
            self._note_error(name, how + " and is not started again.", False)
        elif not running.is_stopping:
            self.world.trace.note("service", name=name, text="has ended")
        if self._running.get(name) is running:
            del self._running[name]
        running.over.set()
        self._raise("serviceStopped", name)

    def _stop(self, name):  # type: (str) -> bool
        running = self._running.get(name)
        if running is None:
            return False
        running.is_stopping = True
        self._end(running)
        self.world.clock.wait(running.over, ENDS_WITHIN * self.world.clock.speed)
        return True

    def _end_all(self):  # type: () -> None
        for running in self._running.values():
            self._end(running)

    @staticmethod
    def _end(running):  # type: (Running) -> None
        if running.executable is not None:
            running.executable.end()

    def _note_error(self, name, message, handled):  # type: (str, str, bool) -> None
        self.world.trace.note("error", where=name, message=" ".join(message.split()), handled=handled)

    def _raise(self, signal, name):  # type: (str, str) -> None
        self.world.memory.raiseEvent("%s/%s" % (self.name, signal), name)
