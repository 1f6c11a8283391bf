"""Which service writes which ALMemory event: a subscription to the event alone starts the service."""
from __future__ import absolute_import, division, print_function

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
    "BarcodeReader/BarcodeDetected": "ALBarcodeReader",
    "DarknessDetection/DarknessDetected": "ALDarknessDetection",
    "PeoplePerception/PeopleList": "ALPeoplePerception",
    "PeoplePerception/JustArrived": "ALPeoplePerception",
    "EngagementZones/PersonEnteredZone1": "ALEngagementZones",
}
WRITERS.update((event, "ALSpeechRecognition") for event in SPEECH)
