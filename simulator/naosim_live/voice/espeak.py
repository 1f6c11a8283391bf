"""Text to sound by espeak-ng, for NAO's voice and for simulated persons; a program of its own, found on the path."""

from __future__ import annotations

import functools
import io
import re
import shutil
import subprocess
from typing import NamedTuple

from naosim.services.speech import NUMBER_TAGS

from . import sound
from .recogniser import RATE, VoiceError
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


#: NAO's own: of the high voices the one that is understood best.
NAO = VoiceChoice("en-us+f3", 145, 60)
#: The words a minute of a language in which NAO otherwise says more than 12 letters a second, as the robot does.
_NAO_SPEEDS = {"fr": 125}


def naos(language: str) -> VoiceChoice:
    """Return NAO's voice for a language by its code.

    >>> str(naos("fr")), naos("en") == NAO
    ('fr+f3, 125 words a minute, pitch 60', True)
    """
    name = NAO.name if language == "en" else f"{language}+f3"
    return NAO._replace(name=name, speed=_NAO_SPEEDS.get(language, NAO.speed))


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
    pcm = b""
    for part in split_speech(text):
        pcm += sound.silence(part.pause, rate) if part.pause else _part(part, voice).at(rate).pcm
    return Clip(pcm, rate)


def _part(part: SpeechPart, voice: VoiceChoice) -> Clip:
    """Speak one part: the tags' percentages change the voice's own speed, pitch and volume."""
    speed = min(max(voice.speed * part.speed // 100, _SPEEDS[0]), _SPEEDS[1])
    pitch = min(max(voice.pitch * part.pitch // 100, _PITCHES[0]), _PITCHES[1])
    return _spoken(part.words, VoiceChoice(voice.name, speed, pitch), part.volume)


@functools.lru_cache(maxsize=2000)
def _spoken(words: str, voice: VoiceChoice, volume: int) -> Clip:
    settings = {"-s": voice.speed, "-p": voice.pitch, "-a": volume * 100 // VOLUME}
    options = [text for name, value in settings.items() for text in (name, str(value))]
    content = _run(words, voice.name, *options, "--stdout")
    return sound.from_wave(io.BytesIO(content), "what espeak-ng speaks")


def write_clauses(words: str, name: str = NAO.name) -> list[str]:
    """Return the phonemes of each clause of a text, in the international phonetic alphabet."""
    return [" ".join(line.split()) for line in _run(words, name, "-q", "--ipa").decode("utf-8").splitlines()]


def _run(words: str, name: str, *options: str) -> bytes:
    command = [installed(), "-v", name, "-b", "1", "--stdin", *options]
    try:
        done = subprocess.run(
            command, input=words.encode("utf-8"), capture_output=True, timeout=_SPEAKS_WITHIN, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise VoiceError(f"espeak-ng did not speak {words[:40]!r}.") from error
    if done.returncode or not done.stdout:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise VoiceError(f"espeak-ng cannot speak with the voice {name!r}" + (f": {told[0]}" if told else "."))
    return done.stdout


# A text with NAO's tags, in parts to be spoken one after the other: tags are obeyed or left out, never read aloud.

_TAG = re.compile(r"\\([a-zA-Z]+)(?:=([^\\]*))?\\")
NUMBER = re.compile(r"[0-9]{1,6}")
#: Tags with an effect here, each with the range that the robot takes.
_LIMITS = {name: NUMBER_TAGS[name] for name in ("pau", "rspd", "vct", "vol")}
#: A robot starts with these, and `\\rst\\` brings them back.
SPEED, _PITCH, VOLUME = 100, 100, 80
#: What animated speech puts between words: ^start(animation), ^wait(...), ^mode(disabled).
_GESTURE = re.compile(r"\^(?:[a-zA-Z]+\([^)]*\)|[a-zA-Z]+)")


class SpeechPart(NamedTuple):
    """Words to be spoken at a speed, a pitch and a volume (percent), or a pause in seconds where there are none."""

    words: str
    pause: float = 0.0
    speed: int = SPEED
    pitch: int = _PITCH
    volume: int = VOLUME


def split_speech(text: str) -> list[SpeechPart]:
    r"""Split a text at its tags; raises VoiceError for a text that is too long.

    >>> [(part.words, part.pause, part.speed) for part in split_speech(r"One. \pau=500\ \rspd=80\ Two.")]
    [('One.', 0.0, 100), ('', 0.5, 100), ('Two.', 0.0, 80)]
    >>> [part.words for part in split_speech(r"\style=joyful\ Hello \mrk=3\ ^start(wave) you\unknown=1\.")]
    ['Hello', 'you', '.']
    """
    if len(text) > _LONGEST_TEXT:
        raise VoiceError(f"The text {text[:40]!r}... has more than {_LONGEST_TEXT} characters.")
    found: list[SpeechPart] = []
    state, start, text = SpeechPart(""), 0, _GESTURE.sub(" ", text)
    for tag in _TAG.finditer(text):
        found += _spoken_part(text[start : tag.start()], state)
        start = tag.end()
        name, value = tag.group(1).lower(), (tag.group(2) or "").strip()
        if name == "rst":
            state = SpeechPart("")
        number = _number(name, value)
        if number is None:
            continue
        if name == "pau":
            found.append(state._replace(pause=number / 1000))
        else:
            state = _changed(state, name, number)
    return found + _spoken_part(text[start:], state)


def _changed(state: SpeechPart, name: str, number: int) -> SpeechPart:
    if name == "rspd":
        return state._replace(speed=number)
    return state._replace(pitch=number) if name == "vct" else state._replace(volume=number)


def _spoken_part(text: str, state: SpeechPart) -> list[SpeechPart]:
    """Return a stretch of words as a part; a lone backslash is no word."""
    words = " ".join(text.replace("\\", " ").split())
    return [state._replace(words=words)] if words else []


def _number(name: str, value: str) -> int | None:
    """Return the value of a tag with an effect, within its range; None for any other tag."""
    if name not in _LIMITS or not NUMBER.fullmatch(value):
        return None
    low, high = _LIMITS[name]
    return min(max(int(value), low), high)
