"""Recognisers, speech from text, sounds and the devices that carry them, on this computer."""

__all__ = [
    "endpoints",
    "model",
    "names",
    "noise",
    "process",
    "pronunciation",
    "recogniser",
    "recordings",
    "sound",
    "speaking",
    "sphinx",
]
