"""Noise around a voice: people who talk, music, a fan, a hiss, an echo; the same seed makes the same noise."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from .analysis import make_hiss
from .recogniser import RATE, VoiceError
from .sound import Clip, clip
from .speaking import VoiceChoice, speak_as

if TYPE_CHECKING:
    from .sound import Samples

QUIET, _WHITE, BABBLE, _ECHO, _TALKER, _MUSIC, _FAN = "quiet", "white", "babble", "echo", "talker", "music", "fan"
_KINDS = (QUIET, _WHITE, BABBLE, _ECHO, _TALKER, _MUSIC, _FAN)
#: Seconds of noise after the voice, of kinds that go on without it.
CONTINUED = {_TALKER: 10.0, _MUSIC: 10.0}
_AFTER = 1.2
#: Decibels by which a voice is louder than a quiet room, and the most and the least that can be asked for.
QUIET_ROOM, _LEAST, _MOST = 35.0, -10.0, 60.0
_GIVEN = re.compile(r"(?P<kind>[a-z]+)(?::(?P<decibels>-?[0-9]{1,3}(?:\.[0-9]+)?))?")
#: Loudness of a voice, as the root of the mean square of its samples.
LOUDNESS = 3000.0
#: People who talk at the same time, and seconds of noise that are made.
_TALKERS, _BABBLE_SECONDS = 8, 12.0
_SENTENCES = (
    "the weather was lovely yesterday so we walked along the river and had a late lunch near the old mill",
    "nobody could remember where the keys were until my sister looked under the blue chair",
    "please bring some bread and a bottle of milk when you come home from work this evening",
    "they say the train leaves from another platform now because of the building work",
)
#: The longest pause of a talker after a sentence, in seconds. Every second talker makes none.
_LONGEST_PAUSE = 0.8
#: Semitones of the notes of music above its lowest, that one in hertz, seconds of a note, and its overtones.
_SCALE, _LOWEST_NOTE, _NOTE_SECONDS, _OVERTONES = (0, 3, 5, 7, 10, 12, 15, 17), 110.0, 0.3, 5
_VOICES = ("en-us", "en-gb", "en-us+f3", "en-us+m2", "en-gb+f1", "en-gb+m5", "en-029+f5", "en-gb-scotland+m4")
#: Seconds in which the echo of a room fades by 60 decibels.
_FADES_WITHIN = 0.5


class Noise(NamedTuple):
    """A kind of noise, and the number of decibels by which the voice is louder."""

    kind: str = QUIET
    decibels: float = QUIET_ROOM

    def __str__(self) -> str:
        return self.kind if self.kind == QUIET else f"{self.kind}:{self.decibels:g}"


def parse(text: str) -> Noise:
    """Read a noise as it is written on the command line; raises VoiceError for other texts.

    >>> parse("babble:10"), str(parse("quiet"))
    (Noise(kind='babble', decibels=10.0), 'quiet')
    """
    found = _GIVEN.fullmatch(text)
    kind = found.group("kind") if found else ""
    if found is None or kind not in _KINDS or (kind != QUIET) != (found.group("decibels") is not None):
        names = ", ".join(f"{name}:DB" for name in _KINDS[1:])
        raise VoiceError(f"{text!r} is not a noise; use quiet, {names}, such as babble:10.")
    decibels = QUIET_ROOM if kind == QUIET else float(found.group("decibels"))
    if not _LEAST <= decibels <= _MOST:
        raise VoiceError(f"The noise {text!r} is not from {_LEAST:g} to {_MOST:g} dB.")
    return Noise(kind, decibels)


def add_noise(voice: Clip, noise: Noise, seed: int, before: float = 0.7, after: float | None = None) -> Clip:
    """Put a voice into a noise that begins before it and ends after it.

    By default it ends after 1.2 s; a talker and music go on for 10 s.
    """
    import numpy

    said = _trim(voice.at(RATE).samples())
    loudness = loudness_of(said)
    after = CONTINUED.get(noise.kind, _AFTER) if after is None else after
    room = numpy.concatenate([numpy.zeros(int(before * RATE)), said, numpy.zeros(int(after * RATE))])
    level = 10 ** (-noise.decibels / 20)
    if noise.kind == _ECHO:
        heard = room + level * loudness * _unit(_make_echo(room, seed)) + _hiss(room, seed) * loudness * _QUIET_LEVEL
    elif noise.kind == BABBLE:
        heard = room + level * loudness * _unit(_piece(_babble(seed % 3), len(room), seed))
    elif noise.kind in CONTINUED:
        around = _piece(_make_continued(noise.kind, seed % len(_VOICES)), len(room), seed)
        heard = room + loudness * (level * around + _hiss(room, seed) * _QUIET_LEVEL)
    elif noise.kind == _FAN:
        heard = room + level * loudness * make_hiss(len(room), seed)
    else:
        heard = room + level * loudness * _hiss(room, seed)
    return clip(heard * (LOUDNESS / loudness))


_QUIET_LEVEL = 10 ** (-QUIET_ROOM / 20)


def _hiss(like: Samples, seed: int) -> Samples:
    import numpy

    return numpy.random.default_rng([seed, 1]).standard_normal(len(like))


def _make_echo(room: Samples, seed: int) -> Samples:
    """Return the echo from the walls of a room: a hiss that fades, as often as the voice makes a sound."""
    import numpy

    count = int(_FADES_WITHIN * RATE)
    fading = numpy.random.default_rng([seed, 2]).standard_normal(count) * 10 ** (-3 * numpy.arange(count) / count)
    # The first walls are three metres away.
    fading[: int(0.018 * RATE)] = 0
    size = len(room) + count
    echo: Samples = numpy.fft.irfft(numpy.fft.rfft(room, size) * numpy.fft.rfft(fading, size), size)[: len(room)]
    return echo


@functools.lru_cache(maxsize=4)
def _babble(seed: int) -> Samples:
    """Return the sound of many people who talk about this and that."""
    import numpy

    chance, talk = numpy.random.default_rng([seed, 3]), " ".join(_SENTENCES).split()
    mixed = numpy.zeros(int(_BABBLE_SECONDS * RATE))
    for name in _VOICES[:_TALKERS]:
        words = " ".join(chance.permutation(talk))
        voice = VoiceChoice(name, int(chance.integers(130, 190)), int(chance.integers(25, 75)))
        said = speak_as(words, voice).samples()
        said = numpy.roll(numpy.resize(said, len(mixed)), int(chance.integers(len(mixed))))
        mixed += _unit(said)
    return _unit(mixed)


def _make_continued(kind: str, seed: int) -> Samples:
    """Return the sound of one talker or of music; while there is sound its loudness is one."""
    import numpy

    found = _make_talker(seed) if kind == _TALKER else _make_music(seed)
    # Pauses would otherwise make the words between them louder.
    sounding = numpy.abs(found) > 0.02 * numpy.abs(found).max()
    return found / max(1e-9, loudness_of(found[sounding]))


@functools.lru_cache(maxsize=len(_VOICES))
def _make_talker(seed: int) -> Samples:
    """Return the voice of one person who says sentence after sentence."""
    import numpy

    chance = numpy.random.default_rng([seed, 5])
    voice, parts = VoiceChoice(_VOICES[seed], int(chance.integers(140, 180)), int(chance.integers(25, 75))), []
    for sentence in chance.permutation(_SENTENCES):
        pause = float(chance.uniform(_LONGEST_PAUSE / 2, _LONGEST_PAUSE)) * (seed % 2)
        parts += [_trim(speak_as(str(sentence), voice).samples()), numpy.zeros(int(pause * RATE))]
    return numpy.concatenate(parts)


@functools.lru_cache(maxsize=len(_VOICES))
def _make_music(seed: int) -> Samples:
    """Return a chord and three notes of a melody, again and again; they fade like those of strings (our guess)."""
    import numpy

    chance, count = numpy.random.default_rng([seed, 6]), int(_NOTE_SECONDS * RATE)
    seconds, made = numpy.arange(4 * count) / RATE, numpy.zeros(int(_BABBLE_SECONDS * RATE) + 4 * count)
    for place, start in enumerate(range(0, len(made) - 4 * count, count)):
        for note in chance.choice(_SCALE, 1 if place % 4 else 4, replace=False):
            pitch = _LOWEST_NOTE * 2 ** (int(note) / 12) * (2 if place % 4 else 1)
            tones = (numpy.sin(2 * numpy.pi * pitch * k * seconds) / k for k in range(1, _OVERTONES + 1))
            made[start : start + len(seconds)] += sum(tones) * numpy.exp(-3 * seconds)
    return made


def _piece(noise: Samples, count: int, seed: int) -> Samples:
    """Return a piece of endless noise, from a place that the seed draws."""
    import numpy

    start = int(numpy.random.default_rng([seed, 4]).integers(len(noise)))
    return numpy.resize(numpy.roll(noise, -start), count)


def _trim(samples: Samples) -> Samples:
    """Return a voice without the silence around it; raises VoiceError if there is only silence."""
    import numpy

    loud = numpy.flatnonzero(numpy.abs(samples) > 0.02 * max(1.0, float(numpy.abs(samples).max(initial=0.0))))
    if not len(loud) or float(numpy.abs(samples).max()) < 10:
        raise VoiceError("The voice is silent.")
    return samples[loud[0] : loud[-1] + 1]


def loudness_of(samples: Samples) -> float:
    """Return the root of the mean square of some samples."""
    import numpy

    return float(numpy.sqrt(numpy.mean(samples**2)))


def _unit(samples: Samples) -> Samples:
    """Return sound with a loudness of one."""
    return samples / max(1e-9, loudness_of(samples))
