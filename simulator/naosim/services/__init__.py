"""The fake NAOqi services: `SERVICES` maps each name to the callable that makes the service for a world."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service
from naosim.services.device.audio_device import ALAudioDevice
from naosim.services.device.audio_player import ALAudioPlayer
from naosim.services.device.dcm import DCM
from naosim.services.device.leds import ALLeds
from naosim.services.device.microphones import ALAudioRecorder
from naosim.services.device.tablet import ALTabletService
from naosim.services.dialog.dialog import ALDialog
from naosim.services.memory.almemory import ALMemory
from naosim.services.motion.animation_player import ALAnimationPlayer
from naosim.services.motion.autonomous_life import (
    ALAutonomousBlinking,
    ALAutonomousMoves,
    ALBackgroundMovement,
    ALBasicAwareness,
    ALListeningMovement,
    ALSpeakingMovement,
)
from naosim.services.motion.motion import ALMotion
from naosim.services.motion.navigation import ALNavigation, ALRobotPose
from naosim.services.motion.posture import ALRobotPosture
from naosim.services.sensing.extractors import NAMES, extractor
from naosim.services.sensing.image_settings import (
    ALDarknessDetection,
    ALMovementDetection,
    ALSegmentation3D,
    ALVisualSpaceHistory,
)
from naosim.services.sensing.people import ALFaceCharacteristics, ALMood
from naosim.services.sensing.people_settings import (
    ALEngagementZones,
    ALGazeAnalysis,
    ALPeoplePerception,
    ALWavingDetection,
)
from naosim.services.sensing.photos import ALPhotoCapture
from naosim.services.sensing.ranges import ALLaser, ALSonar
from naosim.services.sensing.touch import ALTouch
from naosim.services.sensing.tracking import (
    ALFaceDetection,
    ALSensors,
    ALSoundDetection,
    ALSoundLocalization,
    ALTracker,
)
from naosim.services.sensing.video import ALVideoDevice
from naosim.services.speech.animated_speech import ALAnimatedSpeech
from naosim.services.speech.speech_recognition import ALSpeechRecognition
from naosim.services.speech.text_to_speech import ALTextToSpeech
from naosim.services.system.behavior_manager import ALBehaviorManager
from naosim.services.system.frame_manager import ALFrameManager
from naosim.services.system.knowledge import ALKnowledge
from naosim.services.system.life import ALAutonomousLife
from naosim.services.system.log_manager import LogManager
from naosim.services.system.notifications import ALNotificationManager
from naosim.services.system.package_manager import PackageManager
from naosim.services.system.preferences import ALPreferenceManager, ALPreferences
from naosim.services.system.python_bridge import ALPythonBridge
from naosim.services.system.service_manager import ALServiceManager
from naosim.services.system.system import (
    ALBattery,
    ALConnectionManager,
    ALLogger,
    ALRobotModel,
    ALSystem,
    ALUserSession,
)

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, FrozenSet

    from naosim.world import World

__all__ = ["LACKING", "SERVICES", "Service"]

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
SERVICES.update((name, extractor(name)) for name in NAMES if name not in SERVICES)
