"""Text to sound by espeak-ng, for NAO's voice and for simulated persons; a program of its own, found on the path."""

from __future__ import annotations

import functools
import io
import shutil
import subprocess
from typing import NamedTuple

from . import sound, speech_text
from .errors import VoiceError
from .recogniser import RATE
from .sound import Clip

_PROGRAM = "espeak-ng"
#: Real seconds for one text, and its characters.
_SPEAKS_WITHIN, _LONGEST_TEXT = 20, 2000
#: Words a minute and pitch that espeak-ng takes.
_SPEEDS, _PITCHES = (80, 450), (0, 99)


class VoiceChoice(NamedTuple):
    """A voice of espeak-ng, perhaps with a variant (`en-us+f2`), its words a minute and its pitch (0 to 99)."""

    name: str = "en-us"
    speed: int = 160
    pitch: int = 50

    def __str__(self) -> str:
        return f"{self.name}, {self.speed} words a minute, pitch {self.pitch}"


#: NAO's own: high and clear.
NAO = VoiceChoice("en-us+f5", 150, 75)


def naos(language: str) -> VoiceChoice:
    """Return NAO's voice for a language by its code.

    >>> naos("fr").name, naos("en") == NAO
    ('fr+f5', True)
    """
    return NAO if language == "en" else NAO._replace(name=f"{language}+f5")


@functools.cache
def installed() -> str:
    """Return the path of espeak-ng; raises VoiceError where there is none."""
    found = shutil.which(_PROGRAM)
    if found is None:
        raise VoiceError(
            "espeak-ng, which speaks here, is not installed: apt install espeak-ng, or brew install espeak-ng."
        )
    return found


def is_installed() -> bool:
    """Tell whether there is a voice."""
    return shutil.which(_PROGRAM) is not None


def speak(text: str, voice: VoiceChoice = NAO, rate: int = RATE) -> Clip:
    """Speak a text with NAO's tags; raises VoiceError for a voice that is not there, or a text that is too long."""
    if len(text) > _LONGEST_TEXT:
        raise VoiceError(f"The text {text[:40]!r}... has more than {_LONGEST_TEXT} characters.")
    pcm = b""
    for part in speech_text.parts(text):
        pcm += sound.silence(part.pause, rate) if part.pause else _part(part, voice).at(rate).pcm
    return Clip(pcm, rate)


def _part(part: speech_text.Part, voice: VoiceChoice) -> Clip:
    """Speak one part: the tags' percentages change the voice's own speed, pitch and volume."""
    speed = min(max(voice.speed * part.speed // 100, _SPEEDS[0]), _SPEEDS[1])
    pitch = min(max(voice.pitch * part.pitch // 100, _PITCHES[0]), _PITCHES[1])
    return _spoken(part.words, VoiceChoice(voice.name, speed, pitch), part.volume)


@functools.lru_cache(maxsize=2000)
def _spoken(words: str, voice: VoiceChoice, volume: int) -> Clip:
    command = [
        installed(),
        "-v",
        voice.name,
        "-s",
        str(voice.speed),
        "-p",
        str(voice.pitch),
        "-a",
        str(volume * 100 // speech_text.VOLUME),
        "-b",
        "1",
        "--stdin",
        "--stdout",
    ]
    try:
        done = subprocess.run(
            command, input=words.encode("utf-8"), capture_output=True, timeout=_SPEAKS_WITHIN, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise VoiceError(f"espeak-ng did not speak {words[:40]!r}.") from error
    if done.returncode or not done.stdout:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise VoiceError(f"espeak-ng cannot speak with the voice {voice.name!r}" + (f": {told[0]}" if told else "."))
    return sound.from_wave(io.BytesIO(done.stdout), "what espeak-ng speaks")
