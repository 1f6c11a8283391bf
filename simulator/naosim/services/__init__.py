"""The fake NAOqi services: `SERVICES` maps each name to the callable that makes the service for a world.

A service is a class of one of the imported modules whose name begins with AL or is one of _OTHER_NAMES.
"""

from __future__ import absolute_import, division, print_function

from types import ModuleType

from naosim.services import (
    animations,
    audio,
    autonomous_life,
    behaviors,
    cameras,
    devices,
    dialog,
    extractors,
    memory,
    motion,
    motion_base,
    packages,
    seldom,
    sight,
    speech,
    system,
    walking,
)
from naosim.services.base import Service
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, FrozenSet

__all__ = [
    "LACKING",
    "SERVICES",
    "Service",
    "animations",
    "audio",
    "base",
    "devices",
    "memory",
    "motion_base",
    "sight",
    "speech",
]

_OTHER_NAMES = ("DCM", "LogManager", "PackageManager")


def _list_services():  # type: () -> Dict[str, Callable[[World], Any]]
    found = {name: extractors.make_extractor(name) for name in extractors.EXTRACTOR_NAMES}  # type: Dict[str, Callable[[World], Any]]
    for module in [value for value in globals().values() if isinstance(value, ModuleType)]:
        for name, value in vars(module).items():
            is_service = isinstance(value, type) and issubclass(value, Service) and value.__module__ == module.__name__
            if is_service and (name.startswith("AL") or name in _OTHER_NAMES):
                found[name] = value
    return found


SERVICES = _list_services()
#: What a kind of robot, by the name that ALRobotModel gives it, lacks: only Pepper has a tablet.
LACKING = {
    "Nao": frozenset(["ALRecharge", "ALTabletService"]),
    "Romeo": frozenset(["ALTabletService"]),
    "Juliette": frozenset(),
}  # type: Dict[str, FrozenSet[str]]
