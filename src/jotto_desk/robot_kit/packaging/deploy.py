"""Installing a package on a robot, starting it and removing it, through any function that calls its services."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import PackageRefused

#: Asks a service of the robot and gives its answer: `ask("PackageManager", "packages")`; RuntimeError with its words.
Ask = Callable[..., Any]

UUID = re.compile(r"[_\-a-z0-9]{1,50}")
#: Seconds for a behaviour to be running, and between two looks.
PATIENCE, LOOK = 20.0, 0.1


@dataclass(frozen=True)
class PackageFile:
    """A package ready to be sent: its file, the robot's name for it, version, and behaviours by their full names."""

    path: Path
    uuid: str
    version: str
    behaviours: tuple[str, ...]

    @property
    def name(self) -> str:
        """A file name that needs no quoting anywhere."""
        return f"{self.uuid}-{self.version}.pkg"


def package_file(path: Path, manifest: Mapping[str, Any]) -> PackageFile:
    """Say what is to be sent, by what PackageManager would tell of the package's manifest."""
    uuid = manifest["uuid"]
    behaviours = tuple(f"{uuid}/{each['path']}" for each in manifest["behaviors"])
    return PackageFile(path, uuid, manifest["version"], behaviours)


def install(ask: Ask, sent: PackageFile, place: str) -> Iterator[str]:
    """Install the package that lies at `place` on the robot; a sentence for every step. Raises `PackageRefused`."""
    yield from _stop(ask, sent.uuid)
    before = _version(ask, sent.uuid)
    try:
        is_done = ask("PackageManager", "install", place)
    except RuntimeError as error:
        raise PackageRefused(f"The robot refuses the package: {worded(error)}") from error
    if is_done is False or not _is_installed(ask, sent):
        raise PackageRefused(
            "The robot took the package and did not install it, and gives no reason; does it have a "
            "newer version, or another NAOqi than the package asks for?"
        )
    yield f"Installed {sent.uuid} {sent.version}" + (f" in place of {before}." if before else ".")


def start(ask: Ask, behaviour: str) -> str:
    """Start a behaviour; the sentence to print. Raises `PackageRefused` where it does not come up."""
    try:
        ask("ALBehaviorManager", "startBehavior", behaviour)
        end = time.monotonic() + PATIENCE
        while not ask("ALBehaviorManager", "isBehaviorRunning", behaviour):
            if time.monotonic() > end:
                raise PackageRefused(
                    f"The robot accepted to start {behaviour}, and it does not run; look into the robot's log."
                )
            time.sleep(LOOK)
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not start {behaviour}: {worded(error)}") from error
    return f"Started {behaviour}."


def remove(ask: Ask, uuid: str) -> Iterator[str]:
    """Take a package away; a sentence for every step. Raises `PackageRefused`."""
    if not UUID.fullmatch(uuid):
        raise PackageRefused(f"'{uuid[:60]}' is no package's name: small letters, digits, - and _.")
    yield from _stop(ask, uuid)
    version = _version(ask, uuid)
    if version is None:
        yield f"There is no {uuid} on the robot; nothing was removed."
        return
    try:
        ask("PackageManager", "removePkg", uuid)
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not remove {uuid}: {worded(error)}") from error
    yield f"Removed {uuid} {version}."


def worded(error: RuntimeError) -> str:
    r"""Put a robot's error message on one line, without the name of the method.

    >>> worded(RuntimeError("\tPackageManager::install\n\tThe disk is full."))
    'The disk is full.'
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if not re.fullmatch(r"\w+::\w+", line)]
    return " ".join(told or lines or ["no reason given"])[:500]


def _stop(ask: Ask, uuid: str) -> Iterator[str]:
    """End what runs of a package: its files are about to go."""
    try:
        running = [str(name) for name in ask("ALBehaviorManager", "getRunningBehaviors")]
        for name in running:
            if name == uuid or name.startswith(f"{uuid}/"):
                ask("ALBehaviorManager", "stopBehavior", name)
                yield f"Stopped {name}."
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not say what runs on it: {worded(error)}") from error


def _version(ask: Ask, uuid: str) -> str | None:
    """Return the version that is installed, None for none."""
    for told in _packages(ask):
        row = told if isinstance(told, dict) else _pairs(told)
        if row.get("uuid") == uuid:
            return str(row.get("version") or "(of no version)")
    return None


def _packages(ask: Ask) -> list[Any]:
    try:
        return list(ask("PackageManager", "packages"))
    except RuntimeError:
        pass
    try:
        return list(ask("PackageManager", "getPackages"))
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not say what is installed: {worded(error)}") from error


def _pairs(told: Any) -> dict[str, Any]:
    """Name the first three fields of a row that came as a structure, which are the same in every NAOqi."""
    fields = list(told) if isinstance(told, list | tuple) else []
    return dict(zip(("uuid", "path", "version"), fields, strict=False))


def _is_installed(ask: Ask, sent: PackageFile) -> bool:
    return _version(ask, sent.uuid) == sent.version
