"""Recordings of people: a folder with a folder for each phrase, named as it is said, and in it WAV files.

`yes/anna-1.wav`, `two-and-one/ben.wav`: so are many collections of spoken words, such as Google's Speech Commands.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import sound
from .errors import VoiceError
from .recogniser import RATE
from .sound import Clip, clip

if TYPE_CHECKING:
    from .sound import Samples

#: Recordings of one collection, and seconds of one that are listened to.
MOST, LONGEST = 100_000, 20.0
#: Samples of a frame, and the share of the frames that tell how the room sounds: the quietest ones.
FRAME, QUIETEST = 400, 8
#: How loud a room is in which nothing is heard, in steps of 16 bits.
HISS = 2.0


def of_phrases(folder: Path) -> dict[str, list[Path]]:
    """Map phrases to their recordings, both sorted; raises VoiceError for a folder without any."""
    try:
        inside = sorted(path for path in folder.iterdir() if path.is_dir())
        found = {path.name.replace("-", " ").replace("_", " ").strip().lower(): sorted(path.glob("*.[wW][aA][vV]"))
                 for path in inside}
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise VoiceError(f"The folder '{folder}' cannot be read ({reason}).") from error
    found = {phrase: paths for phrase, paths in found.items() if phrase and paths}
    count = sum(map(len, found.values()))
    if not found:
        raise VoiceError(f"The folder '{folder}' holds no recordings: put WAV files into folders named as what is said "
                         "in them, such as yes, no and one.")
    if count > MOST:
        raise VoiceError(f"The folder '{folder}' holds {count} recordings; {MOST} can be listened to.")
    return found


def in_its_room(recorded: Clip, seed: int, before: float = 0.7, after: float = 0.9) -> Clip:
    """Return a recording with more of its own room before and after it: noise that sounds like its quietest moments.

    Recordings are cut, and recognisers must know a room before somebody speaks in it.
    """
    import numpy

    said = recorded.at(RATE).samples()[:int(LONGEST * RATE)]
    if len(said) < 2 * FRAME:
        raise VoiceError("The recording is too short to hold a word.")
    chance = numpy.random.default_rng(seed)
    room = _room(said)
    return clip(numpy.concatenate([_noise(room, before, chance), said, _noise(room, after, chance)]))


def read(path: Path, seed: int) -> Clip:
    """Read a recording in its room; raises VoiceError for a file that cannot be used."""
    recorded = sound.read(path)
    try:
        return in_its_room(recorded, seed)
    except VoiceError as error:
        raise VoiceError(f"The recording '{path}' cannot be used: {error}") from error


def _room(said: Samples) -> Samples:
    """Return the loudness of each pitch in the quietest frames."""
    import numpy

    frames = said[:len(said) // FRAME * FRAME].reshape(-1, FRAME)
    loudness = numpy.mean(frames**2, axis=1)
    quietest = frames[numpy.argsort(loudness)[:max(2, len(frames) // QUIETEST)]]
    window = numpy.hanning(FRAME)
    power = numpy.abs(numpy.fft.rfft(quietest * window, axis=1)) ** 2
    heard: Samples = numpy.sqrt(power.mean(axis=0) / numpy.mean(window**2) / FRAME)
    return heard


def _noise(room: Samples, seconds: float, chance: Any) -> Samples:
    import numpy

    count = int(seconds * RATE)
    pitches = numpy.interp(numpy.linspace(0, 1, count // 2 + 1), numpy.linspace(0, 1, len(room)), room)
    turned = numpy.exp(2j * numpy.pi * chance.random(count // 2 + 1))
    made: Samples = numpy.fft.irfft(pitches * turned * numpy.sqrt(count), count) + chance.normal(0, HISS, count)
    return made
