"""Helpers for tests of the directory: libqi clients, and waiting for a condition."""

import contextlib
import time

from naosim_robots.libqi import qi

PATIENCE = 30.0
#: Calls that are refused with an error.
REFUSED = [
    ("ALMemory", "getData", ["Test/Nothing"]),
    ("ALMemory", "insertData", ["Test/Map", {"a": 1}]),
    ("ALMemory", "insertData", ["Test/Large", 2**40]),
    ("ALMemory", "insertData", [3, 4]),
    ("ALMemory", "subscriber", [3]),
    ("ALMemory", "subscribeToEvent", ["a", "Nobody", "c"]),
    ("ALMemory", "subscribeToEvent", ["a", 3, "c"]),
    ("ALMemory", "unsubscribeToEvent", ["a", "b"]),
    ("ALMemory", "subscriber", ["x" * 5000]),
    ("ALTextToSpeech", "say", ["Hi", "Klingon"]),
    ("ALTextToSpeech", "setLanguage", ["Klingon"]),
    ("ALTextToSpeech", "setVolume", [float("nan")]),
    ("ALMotion", "setAngles", ["HeadYaw", "x", 0.1]),
    ("ALSpeechRecognition", "setVocabulary", [[], False]),
    ("ALBehaviorManager", "runBehavior", ["../nothing"]),
    ("ALPythonBridge", "eval", ["open('x')"]),
    ("SimulatedHuman", "touch", ["Nose"]),
    ("SimulatedHuman", "hear", ["yes", 2.0]),
    ("SimulatedHuman", "stay_silent", [-1.0]),
    ("SimulatedHuman", "event", ["FaceDetcted", True]),
    ("SimulatedHuman", "event", ["FaceDetected", 0.5]),
    ("SimulatedHuman", "stay_silent", [float("nan")]),
    ("SimulatedHuman", "hear", ["x" * 100000]),
]


def until(holds):
    """Wait until the condition holds, and return its value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("it did not happen")


@contextlib.contextmanager
def client(url):
    session = qi.Session()
    session.connect(url)
    with contextlib.closing(session):
        yield session
