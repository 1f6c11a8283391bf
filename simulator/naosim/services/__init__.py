"""The fake NAOqi services: `SERVICES` maps each name to the callable that makes the service for a world."""

from __future__ import absolute_import, division, print_function

from naosim.services.animations import ALAnimatedSpeech, ALAnimationPlayer
from naosim.services.audio import ALAudioDevice, ALAudioPlayer, ALAudioRecorder
from naosim.services.autonomous_life import (
    ALAutonomousBlinking,
    ALAutonomousLife,
    ALAutonomousMoves,
    ALBackgroundMovement,
    ALBasicAwareness,
    ALListeningMovement,
    ALSpeakingMovement,
)
from naosim.services.base import Service
from naosim.services.behaviors import ALBehaviorManager, ALFrameManager, ALPythonBridge
from naosim.services.cameras import ALPhotoCapture, ALVideoDevice
from naosim.services.devices import DCM, ALLeds, ALTabletService
from naosim.services.dialog import ALDialog
from naosim.services.extractors import (
    EXTRACTOR_NAMES,
    ALDarknessDetection,
    ALLaser,
    ALMovementDetection,
    ALSegmentation3D,
    ALSonar,
    ALTouch,
    ALVisualSpaceHistory,
    make_extractor,
)
from naosim.services.memory import ALMemory
from naosim.services.motion import ALMotion
from naosim.services.motion_base import ALRobotPosture
from naosim.services.packages import ALServiceManager, PackageManager
from naosim.services.people import (
    ALEngagementZones,
    ALFaceCharacteristics,
    ALGazeAnalysis,
    ALMood,
    ALPeoplePerception,
    ALWavingDetection,
)
from naosim.services.speech import ALSpeechRecognition, ALTextToSpeech
from naosim.services.system import (
    ALBattery,
    ALConnectionManager,
    ALKnowledge,
    ALLogger,
    ALNotificationManager,
    ALPreferenceManager,
    ALPreferences,
    ALRobotModel,
    ALSystem,
    ALUserSession,
    LogManager,
)
from naosim.services.tracking import ALFaceDetection, ALSensors, ALSoundDetection, ALSoundLocalization, ALTracker
from naosim.services.walking import ALNavigation, ALRobotPose

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, FrozenSet

    from naosim.world import World

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
    "people",
    "speech",
    "tracking",
]

_CLASSES = (
    ALAnimatedSpeech,
    ALAnimationPlayer,
    ALAudioDevice,
    ALAudioPlayer,
    ALAudioRecorder,
    ALAutonomousBlinking,
    ALAutonomousLife,
    ALAutonomousMoves,
    ALBackgroundMovement,
    ALBasicAwareness,
    ALBattery,
    ALBehaviorManager,
    ALConnectionManager,
    ALDialog,
    DCM,
    ALFaceDetection,
    ALFrameManager,
    ALLeds,
    ALListeningMovement,
    ALLogger,
    ALMemory,
    ALMotion,
    ALPreferenceManager,
    ALPreferences,
    ALPythonBridge,
    ALRobotModel,
    ALRobotPosture,
    ALSensors,
    ALServiceManager,
    ALSoundDetection,
    ALSoundLocalization,
    ALSpeakingMovement,
    ALSpeechRecognition,
    ALSystem,
    ALTabletService,
    ALTextToSpeech,
    ALTouch,
    ALTracker,
    ALUserSession,
    ALVideoDevice,
    ALNavigation,
    ALRobotPose,
    PackageManager,
    ALFaceCharacteristics,
    ALMood,
    ALPhotoCapture,
    ALLaser,
    ALSonar,
    LogManager,
    ALKnowledge,
    ALNotificationManager,
    ALPeoplePerception,
    ALEngagementZones,
    ALGazeAnalysis,
    ALWavingDetection,
    ALMovementDetection,
    ALSegmentation3D,
    ALVisualSpaceHistory,
    ALDarknessDetection,
)

SERVICES = {each.__name__: each for each in _CLASSES}  # type: Dict[str, Callable[[World], Any]]
#: What a kind of robot, by the name that ALRobotModel gives it, lacks: only Pepper has a tablet.
LACKING = {"Nao": frozenset(["ALTabletService"]), "Romeo": frozenset(["ALTabletService"]), "Juliette": frozenset()}  # type: Dict[str, FrozenSet[str]]
SERVICES.update((name, make_extractor(name)) for name in EXTRACTOR_NAMES if name not in SERVICES)
