"""Recognisers, speech from text, sounds and the devices that carry them, on this computer."""

__all__ = [
    "brought_model",
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
