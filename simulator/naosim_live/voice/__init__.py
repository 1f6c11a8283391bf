"""Ears and a voice on this computer: recognisers, speech from text, sounds and the devices that carry them."""

__all__ = [
    "devices",
    "errors",
    "espeak",
    "names",
    "noise",
    "process",
    "pronunciation",
    "recogniser",
    "recordings",
    "sound",
    "speech_text",
    "sphinx",
    "transcribing",
]
