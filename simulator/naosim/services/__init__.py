"""The fake NAOqi services: `SERVICES` maps each name to the callable that makes the service for a world.

A service is a class of one of the imported modules whose name begins with AL or is one of _OTHER_NAMES.
"""

from __future__ import absolute_import, division, print_function

from types import ModuleType

from naosim.services import (
    animations,
    audio,
    autonomous_life,
    awareness,
    behaviors,
    cameras,
    devices,
    dialog,
    extractors,
    memory,
    memory_keys,
    motion,
    motion_base,
    packages,
    people,
    rare_services,
    sight,
    speech,
    system,
    touch,
    voice,
    walking,
)
from naosim.services.base import Service
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Callable, Dict, FrozenSet, Tuple

__all__ = [
    "PEPPER_SERVICES",
    "SERVICES",
    "Service",
    "animations",
    "audio",
    "base",
    "behaviors",
    "devices",
    "extractors",
    "list_lacking",
    "memory",
    "memory_keys",
    "motion",
    "motion_base",
    "packages",
    "people",
    "sight",
    "speech",
    "touch",
    "voice",
]

_OTHER_NAMES = ("DCM", "LogManager", "PackageManager")


def _list_services():  # type: () -> Dict[str, Callable[[World], Service]]
    found = {name: extractors.make_extractor(name) for name in extractors.EXTRACTOR_NAMES}  # type: Dict[str, Callable[[World], Service]]
    for module in [value for value in globals().values() if isinstance(value, ModuleType)]:
        for name, value in vars(module).items():
            is_service = isinstance(value, type) and issubclass(value, Service) and value.__module__ == module.__name__
            if is_service and (name.startswith("AL") or name in _OTHER_NAMES):
                found[name] = value
    return found


SERVICES = _list_services()
#: The services that only Pepper has: it has a tablet and a charging station.
PEPPER_SERVICES = ("ALRecharge", "ALTabletService")
#: The services that each version of NAOqi lacks: its documentation does not have them.
_NEWER_SERVICES = (
    "ALAnimationPlayer ALAutonomousBlinking ALBackgroundMovement ALListeningMovement ALMood ALSpeakingMovement"
)
_LACKING_SERVICES = {"2.1": _NEWER_SERVICES, "2.5": "", "2.8": ""}
#: The methods and signals that each version lacks, from the lists of a NAO V5's and a NAO6's methods
#: (simulator/tests/naoqi_api/SOURCES.md).
_LACKING_METHODS = {
    "2.1": """
        ALAutonomousLife.getAutonomousAbilitiesStatus ALAutonomousLife.getAutonomousAbilityEnabled
        ALAutonomousLife.setAutonomousAbilityEnabled ALPreferenceManager.setValues ALRobotModel.getRobotType
        ALRobotModel.hasArms ALRobotModel.hasHands ALRobotModel.hasLegs ALServiceManager.start ALServiceManager.stop
        ALServiceManager.stopAllServices ALTextToSpeech._sayWithLocale ALTextToSpeech._started
        ALTextToSpeech.languageTTS ALUserSession.doesUserExist ALUserSession.isUserPermanent
        ALUserSession.isUserSessionOpen
    """,
    "2.5": "",
    "2.8": """
        ALBattery.enablePowerMonitoring ALTextToSpeech.disableNotifications ALTextToSpeech.enableNotifications
        ALTextToSpeech.getLanguageEncoding ALTextToSpeech.sayToFileAndPlay
    """,
}


def list_lacking(robot_type, naoqi):  # type: (str, str) -> Tuple[FrozenSet[str], FrozenSet[str]]
    """Return the services and the methods ("service.method") that a robot type with a version of NAOqi lacks."""
    peppers = () if robot_type == "Juliette" else PEPPER_SERVICES
    return frozenset(peppers).union(_LACKING_SERVICES[naoqi].split()), frozenset(_LACKING_METHODS[naoqi].split())
