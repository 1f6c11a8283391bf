"""Knows ALServiceManager, which starts and stops the services of packages. Runs no program of theirs."""
from __future__ import absolute_import, division, print_function

from .service import Service

MYPY = False
if MYPY:
    from typing import Dict, List

    from naosim.robot import Robot


class ALServiceManager(Service):
    """Pretends to start and stop the services of packages, by their full names."""

    signals = ("serviceAdded", "serviceRemoved", "serviceStarted", "serviceStopped")

    def __init__(self, robot):
        # type: (Robot) -> None
        Service.__init__(self, robot)
        self._running = {}  # type: Dict[str, bool]

    def services(self):
        # type: () -> List[str]
        """Lists the services that were ever started."""
        return sorted(self._running)

    def startService(self, service):
        # type: (str) -> bool
        """Starts a service; False when it runs already."""
        return self._switch(service, True, "startService")

    def stopService(self, service):
        # type: (str) -> bool
        """Stops a service; False when it does not run."""
        return self._switch(service, False, "stopService")

    def restartService(self, service):
        # type: (str) -> bool
        """Stops and starts a service."""
        self._switch(service, False, "restartService")
        return self._switch(service, True, "restartService")

    def isServiceRunning(self, service):
        # type: (str) -> bool
        """Tells whether a service runs."""
        return self._running.get(self._text(service, "isServiceRunning"), False)

    def start(self, service):
        # type: (str) -> bool
        """Is the short name of startService."""
        return self._switch(service, True, "start")

    def stop(self, service):
        # type: (str) -> bool
        """Is the short name of stopService."""
        return self._switch(service, False, "stop")

    def leftovers(self):
        # type: () -> List[str]
        """Lists the services still running."""
        return ["The service %s is still running." % name for name, runs in sorted(self._running.items()) if runs]

    def _switch(self, service, runs, method):
        # type: (str, bool, str) -> bool
        if self._running.get(self._text(service, method), False) == runs:
            return False
        self._running[service] = runs
        self.robot.trace.note("call", service=self.name, method=method, args=[service])
        self.robot.memory.raiseEvent("ALServiceManager/service%s" % ("Started" if runs else "Stopped"), service)
        return True
