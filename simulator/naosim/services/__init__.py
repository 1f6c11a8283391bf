"""The fake NAOqi services: `SERVICES` maps each name to what makes the service for a robot."""
from __future__ import absolute_import, division, print_function

from .animated_speech import ALAnimatedSpeech
from .animation_player import ALAnimationPlayer
from .audio import ALAudioDevice, ALAudioPlayer
from .behaviors import ALBehaviorManager
from .dialog import ALDialog
from .extractors import NAMES, extractor
from .frames import ALFrameManager
from .leds import ALLeds
from .life import (
    ALAutonomousBlinking,
    ALAutonomousLife,
    ALAutonomousMoves,
    ALBackgroundMovement,
    ALBasicAwareness,
    ALListeningMovement,
    ALSpeakingMovement,
)
from .memory import ALMemory
from .motion import ALMotion
from .packages import ALServiceManager, PackageManager
from .posture import ALRobotPosture
from .preferences import ALPreferenceManager, ALPreferences
from .recognition import ALSpeechRecognition
from .service import Service
from .system import (
    ALBattery,
    ALConnectionManager,
    ALLogger,
    ALPythonBridge,
    ALRobotModel,
    ALSystem,
    ALUserSession,
)
from .touch import ALTouch
from .tracking import ALFaceDetection, ALSensors, ALSoundDetection, ALSoundLocalization, ALTracker
from .voice import ALTextToSpeech

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict

    from naosim.robot import Robot

__all__ = ["SERVICES", "Service"]

_CLASSES = (
    ALAnimatedSpeech, ALAnimationPlayer, ALAudioDevice, ALAudioPlayer, ALAutonomousBlinking, ALAutonomousLife,
    ALAutonomousMoves, ALBackgroundMovement, ALBasicAwareness, ALBattery, ALBehaviorManager, ALConnectionManager,
    ALDialog,
    ALFaceDetection, ALFrameManager, ALLeds, ALListeningMovement, ALLogger, ALMemory, ALMotion, ALPreferenceManager,
    ALPreferences, ALPythonBridge, ALRobotModel, ALRobotPosture, ALSensors, ALServiceManager, ALSoundDetection,
    ALSoundLocalization, ALSpeakingMovement, ALSpeechRecognition, ALSystem, ALTextToSpeech, ALTouch, ALTracker,
    ALUserSession, PackageManager,
)

SERVICES = {each.__name__: each for each in _CLASSES}  # type: Dict[str, Callable[[Robot], Any]]
SERVICES.update((name, extractor(name)) for name in NAMES if name not in SERVICES)
