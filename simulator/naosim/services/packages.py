"""PackageManager, which installs packages, and ALServiceManager, which runs the executables of installed packages.

Each executable is a process that reaches the robot over libqi; `process_watchdog` ends it with the robot.
"""

from __future__ import absolute_import, division, print_function

import os
import shlex
import subprocess
import sys

from naosim import packages
from naosim.clock import run_in_thread
from naosim.compat import PY2, native, start_new_thread
from naosim.packages import NewPackage, Package, PackageRefused, shorten_package
from naosim.scheduler import SimEvent
from naosim.services import system_packages
from naosim.services.base import Service, overloads, read_signals
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional

    from naosim.compat import ALValue
    from naosim.packages import Manifest

# PackageManager.


class PackageManager(Service):
    """Installs packages from files on the robot's machine, completely or not at all, and removes them."""

    signals = read_signals("packageInstalled(m) packageRemoved(m)")

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._manifests = {}  # type: Dict[str, Manifest]
        self._free = SimEvent(world.clock)
        self._free.set()
        system = system_packages.make_manifests(world)
        self._manifests.update(system)
        self._system = frozenset(system)
        if world.home is not None:
            for folder, manifest in packages.list_installed_packages(world.home):
                self._add(folder, manifest)

    @overloads("s", "s s", "s s s")
    def install(self, package, md5="", uuid=""):  # type: (str, str, str) -> bool
        """Install a package from its file; raise RuntimeError with one sentence when it is refused."""
        self._path(package, "install")
        for position, text in enumerate((md5, uuid), 1):
            self._text(text, "install", position)
        return self._install(package, md5, uuid, "install")

    def installCheckMd5(self, package, md5):  # type: (str, str) -> bool
        """Install a package whose file has this MD5 sum; raise RuntimeError if it has another."""
        self._path(package, "installCheckMd5")
        return self._install(package, self._text(md5, "installCheckMd5", 1), "", "installCheckMd5")

    def hasPackage(self, uuid):  # type: (str) -> bool
        """Return whether a package is installed."""
        return self._text(uuid, "hasPackage") in self._manifests

    def packages(self):  # type: () -> List[Manifest]
        """List the manifests of the installed packages, with everything in them."""
        return [dict(self._manifests[uuid]) for uuid in sorted(self._manifests)]

    def package(self, uuid):  # type: (str) -> Manifest
        """Return the manifest of an installed package, with everything in it."""
        return dict(self._require_package(uuid, "package"))

    def packages2(self):  # type: () -> List[Manifest]
        """List the manifests of the installed packages, most of each under "elems"."""
        return [shorten_package(manifest) for manifest in self.packages()]

    def package2(self, uuid):  # type: (str) -> Manifest
        """Return the manifest of an installed package, most of it under "elems"."""
        return shorten_package(self._require_package(uuid, "package2"))

    def getPackages(self):  # type: () -> ALValue
        """List the manifests of the installed packages: the old name of packages."""
        return self.packages()

    def getPackage(self, uuid):  # type: (str) -> ALValue
        """Return the manifest of an installed package; NAOqi's older name for `package`."""
        return dict(self._require_package(uuid, "getPackage"))

    def packageIcon(self, uuid):  # type: (str) -> ALValue
        """Return the bytes of a package's icon, no bytes when it has none."""
        return packages.read_package_icon(self._require_package(uuid, "packageIcon")["path"])

    def getPackageIcon(self, uuid):  # type: (str) -> ALValue
        """Return the bytes of a package's icon: the old name of packageIcon."""
        return packages.read_package_icon(self._require_package(uuid, "getPackageIcon")["path"])

    def removePkg(self, uuid):  # type: (str) -> None
        """Stop the behaviours and services of a package and delete it; raise RuntimeError if it is not installed."""
        self._remove(uuid, "removePkg")

    def remove(self, uuid):  # type: (str) -> int
        """Stop the behaviours and services of a package, delete it and return 1: the old name of removePkg."""
        self._remove(uuid, "remove")
        return 1

    def list_system_behaviours(self):  # type: () -> List[str]
        """List the behaviours of the maker's packages, except the animations."""
        own = [manifest for uuid, manifest in self._manifests.items() if self._is_system(uuid)]
        return sorted(name for manifest in own for name in system_packages.list_behaviours(manifest))

    def _is_system(self, uuid):  # type: (str) -> bool
        """Return whether a package is the maker's, and no newer one of its name was installed."""
        return uuid in self._system and uuid not in self.world.packages

    def manifest_of(self, uuid):  # type: (str) -> Optional[Manifest]
        """Return the manifest of an installed package, None if it is not installed."""
        return self._manifests.get(uuid)

    def _install(self, path, md5, uuid, method):  # type: (str, str, str, str) -> bool
        home = self.world.home_folder()
        self._reserve()
        try:
            needs_modes = self.world.naoqi == "2.8"
            fresh = run_in_thread(self.world.clock, NewPackage, path, home, md5, needs_modes)
            try:
                packages.check_manifest(fresh.manifest, uuid, self.version(), self.world.robot_type)
                self._replace(fresh, os.path.join(home, fresh.manifest["uuid"]))
            finally:
                run_in_thread(self.world.clock, fresh.clear)
        except PackageRefused as error:
            raise self._error(method, "The package is not installed: %s." % error)
        finally:
            self._free.set()
        return True

    def _replace(self, fresh, folder):  # type: (NewPackage, str) -> None
        """Move a new package to its folder, stopping and replacing an older one."""
        uuid = fresh.manifest["uuid"]
        before = self._behaviours(uuid)
        self._stop(uuid)
        fresh.place(folder)
        self._add(folder, fresh.manifest)
        after = self._behaviours(uuid)
        self.world.trace.note("package", uuid=uuid, version=fresh.manifest["version"], installed=True)
        self._raise_behaviours([each for each in before if each not in after], after)
        self._emit("packageInstalled", uuid)
        services = self.world.find(ALServiceManager)
        if services is not None:
            services.start_autorun(uuid)

    def _remove(self, uuid, method):  # type: (str, str) -> None
        self._require_package(uuid, method)
        self._reserve()
        try:
            manifest, before = self._require_package(uuid, method), self._behaviours(uuid)
            self._stop(uuid)
            if not self._is_system(uuid):
                run_in_thread(self.world.clock, packages.delete_package, manifest["path"])
            del self._manifests[uuid]
            self.world.packages.pop(uuid, None)
        except PackageRefused as error:
            raise self._error(method, "The package is not removed: %s." % error)
        finally:
            self._free.set()
        self.world.trace.note("package", uuid=uuid, version=manifest["version"], installed=False)
        self._raise_behaviours(before, [])
        self._emit("packageRemoved", uuid)

    def _reserve(self):  # type: () -> None
        """Wait until no other package is being installed or removed, and keep others from beginning."""
        while not self._free.is_set:
            self.world.clock.wait(self._free)
        self._free.clear()

    def _require_package(self, uuid, method):  # type: (str, str) -> Manifest
        if self._text(uuid, method) not in self._manifests:
            raise self._error(method, "Package %s is not installed." % uuid)
        return self._manifests[uuid]

    def adopt_package(self, package):  # type: (Package) -> None
        """List a package that was loaded, and whose manifest is valid, as if it were installed."""
        manifest = packages.read_folder_manifest(package.folder)
        self._manifests[manifest["uuid"]] = dict(manifest, path=os.path.abspath(package.folder))

    def _add(self, folder, manifest):  # type: (str, Manifest) -> None
        self._manifests[manifest["uuid"]] = dict(manifest, path=folder)
        self.world.packages[manifest["uuid"]] = packages.package_of_folder(folder, manifest)

    def _stop(self, uuid):  # type: (str) -> None
        manager = self.world.services.get("ALBehaviorManager")  # type: Any  # ALBehaviorManager, which imports this module
        if manager is not None:
            manager.forget_package(uuid)
        services = self.world.find(ALServiceManager)
        if services is not None:
            services.stop_package(uuid)

    def _behaviours(self, uuid):  # type: (str) -> List[str]
        if self._is_system(uuid) and uuid in self._manifests:
            return system_packages.list_behaviours(self._manifests[uuid])
        package = self.world.packages.get(uuid)
        return [] if package is None else [packages.name_behaviour(uuid, place.name) for place in package.behaviours]

    def _raise_behaviours(self, removed, added):  # type: (List[str], List[str]) -> None
        for signal, ids in (("behaviorsRemoved", removed), ("behaviorsAdded", added)):
            if ids:
                self.world.memory.raiseEvent("ALBehaviorManager/" + signal, ids)


# The process of an executable.

_WATCHDOG_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "process_watchdog.py")
_MAX_LINE_BYTES = 2000  # bytes of one line of output; a longer one comes in pieces
#: Names of the robot's Python in a manifest; each stands for the interpreter that runs the robot's behaviours.
_PYTHON_NAMES = ("python", "python2", "python2.7")
_URL_OPTION = "--qi-url"


class _BadCommand(Exception):
    """A command that cannot be run; the message is a sentence."""


class _Executable(object):
    """A running executable; `on_output(text)` and, once, `on_end(status)` are called on its own thread."""

    def __init__(self, command, folder, on_output, on_end):
        # type: (List[str], str, Callable[[str], object], Callable[[int], object]) -> None
        self._on_output, self._on_end = on_output, on_end
        try:
            process = subprocess.Popen(
                [sys.executable, "-E", _WATCHDOG_PATH] + command,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                close_fds=True,
                env=dict(os.environ, PYTHONUNBUFFERED="1"),
            )
        except (OSError, ValueError) as error:
            raise _BadCommand("No process can be started: %s." % (getattr(error, "strerror", None) or error))
        assert process.stdin is not None and process.stdout is not None
        self._process, self._input, self._output = process, process.stdin, process.stdout
        start_new_thread(self._listen, ())

    def end(self):  # type: () -> None
        """Have the executable end, politely first; it is over when `on_end` is called."""
        try:
            self._input.close()
        except (IOError, OSError):
            pass  # It is over already.

    def _listen(self):  # type: () -> None
        for line in iter(lambda: self._output.readline(_MAX_LINE_BYTES), b""):
            text = line if PY2 else line.decode("utf-8", "replace")
            self._on_output(native(text).rstrip())
        self._output.close()
        self._on_end(self._process.wait())


def _parse_command(text, folder, url):  # type: (str, str, str) -> List[str]
    """Return the command that a manifest gives, for this computer and with our address; raises BadCommand.

    The robot's Python is our own interpreter; any other executable has to be in the package.
    """
    try:
        words = [native(word) for word in shlex.split(text)]
    except ValueError as error:
        raise _BadCommand("Its command %r cannot be read: %s." % (text, error))
    if not words:
        raise _BadCommand("Its manifest gives no command (execStart).")
    if os.path.basename(words[0]) in _PYTHON_NAMES:
        words[0] = sys.executable
        if len(words) > 1 and not words[1].startswith("-"):
            _find_file(words[1], folder)
    else:
        words[0] = _find_file(words[0], folder)
    return _remove_url(words) + [_URL_OPTION, url]


def _find_file(name, folder):  # type: (str, str) -> str
    """Return the full path of a file of the package; raise BadCommand if none exists."""
    path = os.path.join(folder, name)
    if not os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep):
        raise _BadCommand("Its command needs %s, which is not in the package." % name)
    if not os.path.isfile(path):
        raise _BadCommand("The package has no file %s." % name)
    return path


def _remove_url(words):  # type: (List[str]) -> List[str]
    """Leave out an address in the manifest, which is the address of another robot."""
    left = []  # type: List[str]
    for before, word in zip([""] + words, words):
        if word != _URL_OPTION and not word.startswith(_URL_OPTION + "=") and before != _URL_OPTION:
            left.append(word)
    return left


# ALServiceManager.

_MAX_CRASHES = 5  # a service that crashes soon after its start more often is not started again
_SHORT_LIFE_S = 10.0  # real seconds; a crash within this time counts
_END_TIMEOUT_S = 5.0  # real seconds for a service to end
_MAX_LINES = 1000  # lines of output that wait to be noted; further ones are dropped
_NOT_SERVED_ERROR = (
    "Service %s is a process that reaches the robot over libqi, and nothing serves this robot there: "
    "install the package on one that naosim_robots.serve_robot starts."
)


class _RunningService(object):
    """One service that runs, from its start to its last end."""

    def __init__(self, world):  # type: (World) -> None
        self.executable = None  # type: Optional[_Executable]
        self.over = SimEvent(world.clock)
        self.is_stopping = False
        self.crashes = 0
        self.since = 0.0
        self.lines = self.dropped = 0


class ALServiceManager(Service):
    """Runs the services of packages, by their full names: the package, a dot and the name in its manifest."""

    signals = read_signals("serviceStarted(si) serviceStopped(si)")

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._running = {}  # type: Dict[str, _RunningService]
        #: Whether each service of the maker's packages runs; switching one changes only this value.
        self._system = dict.fromkeys(system_packages.list_services(world), True)  # type: Dict[str, bool]
        world.at_end.append(self._end_all)

    def services(self):  # type: () -> ALValue
        """List the services: whether each runs, its name, its command, whether it runs always, and its package."""
        rows = self._map_services()
        return [self._describe(name, rows[name]) for name in sorted(rows)]

    def service(self, name):  # type: (str) -> ALValue
        """Return what `services` tells of one service; raise RuntimeError if it is not installed."""
        row = self._map_services().get(self._text(name, "service"))
        if row is None:
            raise self._error("service", self._list_known(name))
        return self._describe(name, row)

    def startService(self, service):  # type: (str) -> bool
        """Start a service; return False if it runs already. Raise RuntimeError when it cannot be started."""
        return self._start(self._text(service, "startService"), "startService")

    def stopService(self, service):  # type: (str) -> bool
        """Stop a service and return when it has ended; return False if it does not run."""
        return self._stop(self._text(service, "stopService"))

    def restartService(self, service):  # type: (str) -> bool
        """Stop and start a service."""
        self._stop(self._text(service, "restartService"))
        return self._start(service, "restartService")

    def isServiceRunning(self, service):  # type: (str) -> bool
        """Return whether the process of a service runs."""
        return self._is_running(self._text(service, "isServiceRunning"))

    def start(self, service):  # type: (str) -> bool
        """Start a service; return False if it runs already: the short name of startService."""
        return self._start(self._text(service, "start"), "start")

    def stop(self, service):  # type: (str) -> bool
        """Stop a service; return False if it does not run: the short name of stopService."""
        return self._stop(self._text(service, "stop"))

    def restart(self, service):  # type: (str) -> bool
        """Stop and start a service: the short name of restartService."""
        return self.restartService(service)

    def stopAllServices(self):  # type: () -> None
        """Stop every service."""
        for name in sorted(set(self._running) | set(self._system)):
            self._stop(name)

    def leftovers(self):  # type: () -> List[str]
        """List the services still running, except those that run for as long as the robot."""
        rows = self._map_services()
        left = [name for name in sorted(self._running) if not rows.get(name, {}).get("autoRun")]
        return ["The service %s is still running." % name for name in left]

    def start_autorun(self, uuid=""):  # type: (str) -> None
        """Start the services of a package, or of all, that run for as long as the robot; note what cannot start."""
        for name, row in sorted(self._map_services().items()):
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

    def _map_services(self):  # type: () -> Manifest
        """Return the manifests' rows of all services by full name, with the uuid and the folder of their packages."""
        manager = self.world.find(PackageManager)
        found = {
            "%s.%s" % (each["uuid"], row["name"]): dict(row, uuid=each["uuid"], path=each["path"])
            for each in (manager.packages() if manager is not None else [])
            for row in each["services"]
        }
        for name in self._system:
            found[name] = {"uuid": name.partition(".")[0], "execStart": "", "autoRun": False}
        return found

    def _describe(self, name, row):  # type: (str, Manifest) -> ALValue
        told = [self._is_running(name), name, row["execStart"], row["autoRun"], row["uuid"]]
        return told if self.world.naoqi != "2.1" else told[:4]

    def _list_known(self, name):  # type: (str) -> str
        return "Service %s is not installed. Known: %s." % (name, ", ".join(sorted(self._map_services())) or "none")

    def _is_running(self, name):  # type: (str) -> bool
        return name in self._running or self._system.get(name, False)

    def _switch(self, name, runs):  # type: (str, bool) -> bool
        """Start or stop a service of the maker, and return whether that is a change."""
        is_change = self._system[name] is not runs
        self._system[name] = runs
        if is_change:
            self._emit("serviceStarted" if runs else "serviceStopped", name, 0)
        return is_change

    def _start(self, name, method):  # type: (str, str) -> bool
        if name in self._system:
            return self._switch(name, True)
        if name in self._running:
            return False
        row = self._map_services().get(name)
        if row is None and self.world.url:
            raise self._error(method, self._list_known(name))
        if row is None or not self.world.url:
            raise self._error(method, _NOT_SERVED_ERROR % name)
        running = _RunningService(self.world)
        try:
            self._run(name, row, running)
        except _BadCommand as error:
            raise self._error(method, "Service %s cannot be started. %s" % (name, error))
        self._running[name] = running
        self.world.trace.note("service", name=name, text="is started")
        self._emit("serviceStarted", name, 0)
        return True

    def _run(self, name, row, running):  # type: (str, Manifest, _RunningService) -> None
        clock = self.world.clock

        def take_output(text):  # type: (str) -> None
            if running.lines >= _MAX_LINES:
                running.dropped += 1
                return
            running.lines += 1
            clock.call_soon_threadsafe(self._note_output, name, running, text)

        def take_end(status):  # type: (int) -> None
            clock.call_soon_threadsafe(self._note_end, name, row, running, status)

        words = _parse_command(row["execStart"], row["path"], self.world.url)
        running.since = clock.now()
        running.executable = _Executable(words, row["path"], take_output, take_end)

    def _note_output(self, name, running, text):  # type: (str, _RunningService, str) -> None
        running.lines -= 1
        dropped, running.dropped = running.dropped, 0
        if dropped:
            self.world.trace.note("service", name=name, text="(%d lines of output were dropped)" % dropped)
        self.world.trace.note("service", name=name, text=text)

    def _note_end(self, name, row, running, status):  # type: (str, Manifest, _RunningService, int) -> None
        """Take in the end of a process; a crash is said, and the service is started again unless it crashes on."""
        how = "The service ended with status %d" % status
        if status and not running.is_stopping:
            is_short = self.world.clock.now() - running.since < _SHORT_LIFE_S * self.world.clock.speed
            running.crashes = running.crashes + 1 if is_short else 1
            if running.crashes <= _MAX_CRASHES:
                self._note_error(name, how + " and is started again.", True)
                try:
                    self._run(name, row, running)
                    return
                except _BadCommand as error:
                    how = "%s. %s It" % (how, error)
            self._note_error(name, how + " and is not started again.", False)
        elif not running.is_stopping:
            self.world.trace.note("service", name=name, text="has ended")
        if self._running.get(name) is running:
            del self._running[name]
        running.over.set()
        self._emit("serviceStopped", name, 0)

    def _stop(self, name):  # type: (str) -> bool
        if name in self._system:
            return self._switch(name, False)
        running = self._running.get(name)
        if running is None:
            return False
        running.is_stopping = True
        if running.executable is not None:
            running.executable.end()
        self.world.clock.wait(running.over, _END_TIMEOUT_S * self.world.clock.speed)
        return True

    def _end_all(self):  # type: () -> None
        for running in self._running.values():
            if running.executable is not None:
                running.executable.end()

    def _note_error(self, name, message, handled):  # type: (str, str, bool) -> None
        self.world.trace.note("error", where=name, message=" ".join(message.split()), handled=handled)
