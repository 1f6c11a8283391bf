"""Recordings of people: a folder with a folder for each phrase, named as it is said, and in it WAV files.

`yes/anna-1.wav`, `two-and-one/ben.wav`: so are many collections of spoken words, such as Google's Speech Commands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import sound
from .noise import LOUDNESS, QUIET_ROOM, loudness_of
from .recogniser import RATE, VoiceError, weighty_words
from .sound import Clip, clip

if TYPE_CHECKING:
    from .sound import Samples

#: Recordings of one collection, and seconds of one that are listened to.
_MOST, _LONGEST = 100_000, 20.0
#: Samples of a frame, and the share of the frames that are the sound of the room: the quietest ones.
_FRAME, _QUIETEST = 400, 8
#: Seconds of a recording that has a pause. In a shorter one even the quietest frames are speech.
_HAS_PAUSE = 0.8
#: Seconds between joined words, the share of the loudest sample below which a word has not begun, and samples that are
#: kept before and after it.
_PAUSE, _FAINT, _EDGE = 0.12, 0.03, 320
#: A recording whose loudest sample is below this is silent.
_SILENT = 10.0
#: The loudness of a silent room, in steps of 16 bits.
_HISS = 2.0


def map_phrases(folder: Path) -> dict[str, list[Path]]:
    """Map phrases (see `normalise_phrase`) to their recordings; raises VoiceError for a folder without any."""
    try:
        found: dict[str, list[Path]] = {}
        for path in sorted(folder.iterdir()):
            # Speech Commands has noises in _background_noise_.
            if path.is_dir() and not path.name.startswith(("_", ".")):
                paths = [each for each in sorted(path.iterdir()) if each.suffix.lower() == ".wav"]
                found.setdefault(normalise_phrase(path.name), []).extend(paths)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise VoiceError(f"The folder '{error.filename or folder}' cannot be read ({reason}).") from error
    found = {phrase: paths for phrase, paths in found.items() if phrase and paths}
    count = sum(map(len, found.values()))
    if not found:
        raise VoiceError(
            f"The folder '{folder}' has no recordings: put WAV files into folders named after the words "
            "in them, such as yes, no and one."
        )
    if count > _MOST:
        raise VoiceError(f"The folder '{folder}' has {count} recordings; the limit is {_MOST}.")
    return found


def normalise_phrase(text: str) -> str:
    """Return a phrase as folders are compared: x-ray, X_ray and "x ray" are the same.

    >>> normalise_phrase("Two-and_one "), normalise_phrase("X-ray")
    ('two and one', 'x ray')
    """
    # macOS writes an accent in a folder's name as a character of its own.
    return " ".join(re.split("[-_ ]+", unicodedata.normalize("NFC", text.strip().lower())))


class Speakers:
    """The people of a collection, by the words that they say."""

    def __init__(self, folder: Path) -> None:
        """Read who says what; raises VoiceError for a folder without recordings."""
        self._by_phrase: dict[str, dict[str, list[Path]]] = {}
        for phrase, paths in map_phrases(folder).items():
            said = self._by_phrase.setdefault(phrase, {})
            for path in paths:
                said.setdefault(speaker(path), []).append(path)

    def say(self, text: str, draw: Callable[[int, str], int]) -> Clip | None:
        """Choose a speaker's recording of a phrase, or join those of its words; return None if a word is missing.

        `draw` returns a number below its first argument by chance.
        """
        whole = normalise_phrase(text)
        is_spelled = all(len(word) == 1 for word in whole.split())
        parts = (whole,) if whole in self._by_phrase else whole.split() if is_spelled else weighty_words(whole)
        able = set.intersection(*(set(self._by_phrase.get(part, {})) for part in parts))
        if not able:
            return None
        who = sorted(able)[draw(len(able), "speaker")]
        takes = [self._by_phrase[part][who] for part in parts]
        chosen = [some[draw(len(some), f"take {place}")] for place, some in enumerate(takes)]
        clips = [read_speech(path) for path in chosen]
        for path, each in zip(chosen, clips, strict=True):
            if is_silent(each):
                raise VoiceError(f"The recording '{path}' is silent.")
        return clips[0] if len(clips) == 1 else join_clips(clips)


def speaker(path: Path) -> str:
    """Return the speaker, by the name of a recording without the numbers before and after it.

    >>> speaker(Path("7_jackson_32.wav")), speaker(Path("00176480_nohash_1.wav")), speaker(Path("ben-kitchen-1.wav"))
    ('jackson', '00176480', 'ben-kitchen')
    """
    name = path.stem.partition("_nohash_")[0]
    return re.sub("^[0-9]+[-_. ]+|[-_. ]+[0-9]+$", "", name)


def is_silent(recorded: Clip) -> bool:
    """Return whether a recording is silent."""
    import numpy

    return not recorded.pcm or float(numpy.abs(recorded.samples()).max()) < _SILENT


def join_clips(clips: Sequence[Clip]) -> Clip:
    """Return words one after the other, equally loud, with the pause between words."""
    import numpy

    words = []
    for each in clips:
        samples = _trim(each.at(RATE).samples())
        words += [samples * (LOUDNESS / max(1.0, loudness_of(samples))), numpy.zeros(int(_PAUSE * RATE))]
    return clip(numpy.concatenate(words[:-1]))


def _trim(samples: Samples) -> Samples:
    """Leave out the silence before and after a word."""
    import numpy

    loud = numpy.flatnonzero(numpy.abs(samples) > _FAINT * numpy.abs(samples).max())
    return samples[max(0, loud[0] - _EDGE) : loud[-1] + _EDGE] if len(loud) else samples


def add_room(recorded: Clip, seed: int, before: float = 0.7, after: float = 1.2) -> Clip:
    """Return a recording with more of its own room before and after it: noise that sounds like its quietest moments.

    Recordings are cut, and recognisers must know a room before somebody speaks in it. If a recording is too short to
    have a pause, its room is at least as quiet as a quiet one.
    """
    import numpy

    said = recorded.at(RATE).samples()
    if len(said) < 2 * _FRAME:
        raise VoiceError("it is too short for a word")
    chance = numpy.random.default_rng(seed)
    room = _room(said)
    if len(said) < _HAS_PAUSE * RATE:
        room *= min(1.0, loudness_of(said) * 10 ** (-QUIET_ROOM / 20) / max(1e-9, loudness_of(room)))
    return clip(numpy.concatenate([_noise(room, before, chance), said, _noise(room, after, chance)]))


def read_speech(path: Path) -> Clip:
    """Read the part of a recording that is listened to; raises VoiceError for a file that cannot be used."""
    return sound.read(path, _LONGEST)


def read(path: Path, seed: int) -> Clip:
    """Read a recording in its room; raises VoiceError for a file that cannot be used."""
    recorded = read_speech(path)
    try:
        return add_room(recorded, seed)
    except VoiceError as error:
        raise VoiceError(f"The recording '{path}' cannot be used: {error}.") from error


def _room(said: Samples) -> Samples:
    """Return the loudness of each pitch in the quietest frames."""
    import numpy

    frames = said[: len(said) // _FRAME * _FRAME].reshape(-1, _FRAME)
    loudness = numpy.mean(frames**2, axis=1)
    quietest = frames[numpy.argsort(loudness)[: max(2, len(frames) // _QUIETEST)]]
    window = numpy.hanning(_FRAME)
    power = numpy.abs(numpy.fft.rfft(quietest * window, axis=1)) ** 2
    heard: Samples = numpy.sqrt(power.mean(axis=0) / numpy.mean(window**2) / _FRAME)
    return heard


def _noise(room: Samples, seconds: float, chance: Any) -> Samples:
    import numpy

    count = int(seconds * RATE)
    pitches = numpy.interp(numpy.linspace(0, 1, count // 2 + 1), numpy.linspace(0, 1, len(room)), room)
    turned = numpy.exp(2j * numpy.pi * chance.random(count // 2 + 1))
    made: Samples = numpy.fft.irfft(pitches * turned * numpy.sqrt(count), count) + chance.normal(0, _HISS, count)
    return made
