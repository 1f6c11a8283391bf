"""The fake NAOqi services: `SERVICES` maps each name to the callable that makes the service for a world.

A service is a class of one of the imported modules whose name begins with AL or is one of _OTHER_NAMES. Which services
and methods each version of NAOqi has stands here, too.
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
    listed_services,
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
from naosim.services.base import COMMON_METHODS, Service
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
    "autonomous_life",
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
    found.update((name, listed_services.make_bare_service(name)) for name in listed_services.BARE_SERVICES)
    for module in [value for value in globals().values() if isinstance(value, ModuleType)]:
        for name, value in vars(module).items():
            is_service = isinstance(value, type) and issubclass(value, Service) and value.__module__ == module.__name__
            if is_service and (name.startswith("AL") or name in _OTHER_NAMES):
                found[name] = value
    return found


SERVICES = _list_services()
#: The services that only Pepper has: it has a tablet and a charging station.
PEPPER_SERVICES = ("ALRecharge", "ALTabletService")
#: The services that each version of NAOqi lacks, from documentation, `qicli info` of a NAO V5, lugu/qiloop's lists of a
#: NAO V5 and a NAO6, and nao-sim's tests with the maker's NAOqi (see `naosim facts`). The row of 2.5 is our guess.
_LACKING_SERVICES = {
    "2.1": """
        ALAnimationPlayer ALAutonomousBlinking ALBackgroundMovement ALKnowledge ALListeningMovement ALMood
        ALSpeakingMovement ALUserInfo Conversation Knowledge
    """,
    "2.5": """
        ALAutomaticVolume ALBonjour ALChestButton ALFastPersonTracking ALFindPersonHead ALMecaLogger ALMemoryWatcher
        ALRobotHealthMonitor ALTelepathe ALUserInfo ALVolumeSlider AudioFilterLoader Conversation Knowledge
        _ALAutonomousBlinking _ALExpressiveness
    """,
    "2.8": """
        ALAutomaticVolume ALBacklightingDetection ALBonjour ALChestButton ALCloseObjectDetection ALFastPersonTracking
        ALFindPersonHead ALMecaLogger ALMemoryWatcher ALRedBallTracker ALRobotHealthMonitor ALTelepathe ALVolumeSlider
        AudioFilterLoader _ALAutonomousBlinking
    """,
}
#: The services that are not modules of NAOqi, and so lack its methods of every module.
_NO_MODULES = "ALDebug LogManager PackageManager "
_LIBQI_SERVICES = """
    ALAnimationPlayer ALAutonomousBlinking ALBackgroundMovement ALConnectionManager ALKnowledge ALListeningMovement
    ALMood ALSpeakingMovement ALTabletService
"""
_NEW_LIBQI_SERVICES = "ALExpressionWatcher ALServiceManager ALUserInfo ALUserSession Conversation Knowledge"
_WITHOUT_MODULE_METHODS = {
    "2.1": _NO_MODULES,
    "2.5": _NO_MODULES + _LIBQI_SERVICES,
    "2.8": _NO_MODULES + _LIBQI_SERVICES + _NEW_LIBQI_SERVICES,
}
#: The methods and signals that each version lacks, from the lists of a NAO V5's and a NAO6's methods
#: (simulator/tests/naoqi_api/SOURCES.md).
_LACKING_METHODS = {
    "2.1": """
        ALAutonomousLife.getAutonomousAbilitiesStatus ALAutonomousLife.getAutonomousAbilityEnabled
        ALAutonomousLife.setAutonomousAbilityEnabled ALPreferenceManager.setValues ALRobotModel.getRobotType
        ALRobotModel.hasArms ALRobotModel.hasHands ALRobotModel.hasLegs ALServiceManager.restart
        ALServiceManager.service ALServiceManager.start ALServiceManager.stop ALServiceManager.stopAllServices
        ALTextToSpeech._sayWithLocale ALTextToSpeech._started ALTextToSpeech.languageTTS ALUserSession.doesUserExist
        ALUserSession.isUserPermanent
        ALUserSession.isUserSessionOpen
    """,
    "2.5": "",
    "2.8": """
        ALBattery.enablePowerMonitoring ALBodyTemperature.setEnableNotifications
        ALTextToSpeech.disableNotifications ALTextToSpeech.enableNotifications
        ALTextToSpeech.getLanguageEncoding ALTextToSpeech.sayToFileAndPlay
    """,
}


def list_lacking(robot_type, naoqi):  # type: (str, str) -> Tuple[FrozenSet[str], FrozenSet[str]]
    """Return the services and the methods ("service.method") that a robot type with a version of NAOqi lacks."""
    robot = robot_type, naoqi
    if robot not in _LACKING:
        _LACKING[robot] = _find_lacking(robot_type, naoqi)
    return _LACKING[robot]


_LACKING = {}  # type: Dict[Tuple[str, str], Tuple[FrozenSet[str], FrozenSet[str]]]


def _find_lacking(robot_type, naoqi):  # type: (str, str) -> Tuple[FrozenSet[str], FrozenSet[str]]
    peppers = () if robot_type == "Juliette" else PEPPER_SERVICES
    methods = set(_LACKING_METHODS[naoqi].split())
    for name in _WITHOUT_MODULE_METHODS[naoqi].split():
        kinds = getattr(SERVICES[name], "__mro__", (Service, object))
        own = {method for kind in kinds[: kinds.index(Service)] for method in vars(kind)}
        methods.update("%s.%s" % (name, method) for method in COMMON_METHODS - own)
    return frozenset(peppers).union(_LACKING_SERVICES[naoqi].split()), frozenset(methods)
