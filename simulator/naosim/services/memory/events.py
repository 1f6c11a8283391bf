"""Which service writes which ALMemory event: a subscription to the event alone starts the service."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any, Dict

SPEECH = ("WordRecognized", "WordRecognizedAndGrammar", "SpeechDetected")

TOUCH = (
    "FrontTactilTouched",
    "MiddleTactilTouched",
    "RearTactilTouched",
    "HandLeftBackTouched",
    "HandLeftLeftTouched",
    "HandLeftRightTouched",
    "HandRightBackTouched",
    "HandRightLeftTouched",
    "HandRightRightTouched",
    "LeftBumperPressed",
    "RightBumperPressed",
    "ChestButtonPressed",
)

WRITERS = {
    "FaceDetected": "ALFaceDetection",
    "PictureDetected": "ALVisionRecognition",
    "redBallDetected": "ALRedBallDetection",
    "LandmarkDetected": "ALLandMarkDetection",
    "MovementDetection/MovementDetected": "ALMovementDetection",
    "SoundDetected": "ALSoundDetection",
    "ALSoundLocalization/SoundLocated": "ALSoundLocalization",
    "SonarLeftDetected": "ALSonar",
    "SonarRightDetected": "ALSonar",
    "SonarLeftNothingDetected": "ALSonar",
    "SonarRightNothingDetected": "ALSonar",
    "BarcodeReader/BarcodeDetected": "ALBarcodeReader",
    "DarknessDetection/DarknessDetected": "ALDarknessDetection",
    "PeoplePerception/PeopleList": "ALPeoplePerception",
    "PeoplePerception/JustArrived": "ALPeoplePerception",
    "FaceCharacteristics/PersonSmiling": "ALFaceCharacteristics",
    "EngagementZones/PersonEnteredZone1": "ALEngagementZones",
}
WRITERS.update((event, "ALSpeechRecognition") for event in SPEECH)

#: Events whose signals hand a list over value by value, as those of ALTabletService do.
SPREAD = frozenset(
    "ALTabletService/" + name
    for name in (
        "onTouch",
        "onTouchDown",
        "onTouchUp",
        "onTouchMove",
        "onTouchDownRatio",
        "onLoadPageError",
        "onInputText",
    )
)

#: Events whose keys are there before anything happens, and what is read under them.
FIRST = dict.fromkeys(TOUCH, 0.0)  # type: Dict[str, Any]
FIRST.update((event, []) for event, writer in WRITERS.items() if writer != "ALSonar")
FIRST.update(
    {
        "SonarLeftDetected": None,
        "SonarRightDetected": None,
        "SonarLeftNothingDetected": None,
        "SonarRightNothingDetected": None,
        "TouchChanged": [],
        "robotHasFallen": False,
        "footContact": 1.0,
        "BatteryChargeChanged": 100,
        "BatteryLowDetected": False,
        "BatteryFullChargedFlagChanged": True,
        "BatteryPowerPluggedChanged": False,
        "BodyStiffnessChanged": True,
    }
)
