"""PackageManager, which installs packages."""

from __future__ import absolute_import, division, print_function

import os

from naosim import packages
from naosim.clock import run_in_thread
from naosim.packages import PackageRefused, shorten_package
from naosim.scheduler import SimEvent
from naosim.services.base import Service, overloads

MYPY = False
if MYPY:
    from typing import Any, Dict, List

    from naosim.world import World


class PackageManager(Service):
    """Installs packages from files on the robot's machine, completely or not at all, and removes them."""

    signals = ("packageInstalled", "packageRemoved")

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._manifests = {}  # type: Dict[str, Dict[str, Any]]
        self._free = SimEvent(world.clock)
        self._free.set()
        if world.home is not None:
            for folder, manifest in packages.list_installed_packages(world.home):
                self._add(folder, manifest)

    @overloads("s", "s s", "s s s")
    def install(self, package, md5="", uuid=""):  # type: (str, str, str) -> bool
        """Install a package from its file; raise RuntimeError with one sentence when it is refused."""
        for position, text in enumerate((package, md5, uuid)):
            self._text(text, "install", position)
        return self._install(package, md5, uuid, "install")

    def installCheckMd5(self, package, md5):  # type: (str, str) -> bool
        """Install a package whose file has this MD5 sum; raise RuntimeError when it has another."""
        self._text(package, "installCheckMd5")
        return self._install(package, self._text(md5, "installCheckMd5", 1), "", "installCheckMd5")

    def hasPackage(self, uuid):  # type: (str) -> bool
        """Tell whether a package is installed."""
        return self._text(uuid, "hasPackage") in self._manifests

    def packages(self):  # type: () -> List[Dict[str, Any]]
        """List the manifests of the installed packages, with everything in them."""
        return [dict(self._manifests[uuid]) for uuid in sorted(self._manifests)]

    def package(self, uuid):  # type: (str) -> Dict[str, Any]
        """Return the manifest of an installed package, with everything in it."""
        return dict(self._known(uuid, "package"))

    def packages2(self):  # type: () -> List[Dict[str, Any]]
        """List the manifests of the installed packages, most of each under "elems"."""
        return [shorten_package(manifest) for manifest in self.packages()]

    def package2(self, uuid):  # type: (str) -> Dict[str, Any]
        """Return the manifest of an installed package, most of it under "elems"."""
        return shorten_package(self._known(uuid, "package2"))

    def getPackages(self):  # type: () -> Any
        """List the manifests of the installed packages: the old name of packages."""
        return self.packages()

    def getPackage(self, uuid):  # type: (str) -> Any
        """Return the manifest of an installed package: the old name of package."""
        return dict(self._known(uuid, "getPackage"))

    def packageIcon(self, uuid):  # type: (str) -> Any
        """Return the bytes of a package's icon, no bytes when it has none."""
        return packages.read_package_icon(self._known(uuid, "packageIcon")["path"])

    def getPackageIcon(self, uuid):  # type: (str) -> Any
        """Return the bytes of a package's icon: the old name of packageIcon."""
        return packages.read_package_icon(self._known(uuid, "getPackageIcon")["path"])

    def removePkg(self, uuid):  # type: (str) -> None
        """Stop the behaviours and services of a package and delete it; raise RuntimeError when it is not installed."""
        self._remove(uuid, "removePkg")

    def remove(self, uuid):  # type: (str) -> int
        """Stop the behaviours and services of a package, delete it and return 1: the old name of removePkg."""
        self._remove(uuid, "remove")
        return 1

    def manifest_of(self, uuid):  # type: (str) -> Any
        """Return the manifest of an installed package, None when it is not installed."""
        return self._manifests.get(uuid)

    def _install(self, path, md5, uuid, method):  # type: (str, str, str, str) -> bool
        home = self.world.home_folder()
        self._reserve()
        try:
            fresh = run_in_thread(self.world.clock, packages.NewPackage, path, home, md5)
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

    def _replace(self, fresh, folder):  # type: (Any, str) -> None
        """Move a new package to its folder, stopping and replacing an older one."""
        uuid = fresh.manifest["uuid"]
        before = self._behaviours(uuid)
        self._stop(uuid)
        fresh.place(folder)
        self._add(folder, fresh.manifest)
        after = self._behaviours(uuid)
        self.world.trace.note("package", uuid=uuid, version=fresh.manifest["version"], installed=True)
        self._raise_behaviours([each for each in before if each not in after], after)
        self.world.memory.raiseEvent("PackageManager/packageInstalled", uuid)
        services = self.world.services.get("ALServiceManager")
        if services is not None:
            services.start_autorun(uuid)

    def _remove(self, uuid, method):  # type: (str, str) -> None
        self._known(uuid, method)
        self._reserve()
        try:
            manifest, before = self._known(uuid, method), self._behaviours(uuid)
            self._stop(uuid)
            run_in_thread(self.world.clock, packages.delete_package, manifest["path"])
            del self._manifests[uuid]
            self.world.packages.pop(uuid, None)
        except PackageRefused as error:
            raise self._error(method, "The package is not removed: %s." % error)
        finally:
            self._free.set()
        self.world.trace.note("package", uuid=uuid, version=manifest["version"], installed=False)
        self._raise_behaviours(before, [])
        self.world.memory.raiseEvent("PackageManager/packageRemoved", uuid)

    def _reserve(self):  # type: () -> None
        """Wait until no other package is being installed or removed, and keep others from beginning."""
        while not self._free.is_set:
            self.world.clock.wait(self._free)
        self._free.clear()

    def _known(self, uuid, method):  # type: (str, str) -> Dict[str, Any]
        if self._text(uuid, method) not in self._manifests:
            raise self._error(method, "Package %s is not installed." % uuid)
        return self._manifests[uuid]

    def _add(self, folder, manifest):  # type: (str, Dict[str, Any]) -> None
        self._manifests[manifest["uuid"]] = dict(manifest, path=folder)
        self.world.packages[manifest["uuid"]] = packages.package_of_folder(folder, manifest)

    def _stop(self, uuid):  # type: (str) -> None
        manager = self.world.services.get("ALBehaviorManager")
        if manager is not None:
            manager.forget_package(uuid)
        services = self.world.services.get("ALServiceManager")
        if services is not None:
            services.stop_package(uuid)

    def _behaviours(self, uuid):  # type: (str) -> List[str]
        package = self.world.packages.get(uuid)
        return [] if package is None else ["%s/%s" % (uuid, place.name) for place in package.behaviours]

    def _raise_behaviours(self, removed, added):  # type: (List[str], List[str]) -> None
        for signal, ids in (("behaviorsRemoved", removed), ("behaviorsAdded", added)):
            if ids:
                self.world.memory.raiseEvent("ALBehaviorManager/" + signal, ids)
