"""Views of one stretch of speech: the same sound with other noise below it, and as said by a smaller head.

A model that was trained on clean speech takes other voices for words; a hiss covers them. In a quiet room a hiss covers
the speech itself, so its loudness follows from how clear the speech is. The hiss falls towards high pitches, as rooms
do, so that it does not cover an s. The views are decoded one by one.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

from .recogniser import RATE
from .sound import Clip, clip
from .suppression import quieter

if TYPE_CHECKING:
    from .sound import Samples

#: Decibels between the loudest and the quietest fifth of a stretch: speech in a loud room, and in a quiet one.
_LOUD_ROOM, _QUIET_ROOM = 15.0, 35.0
_FRAME, _SHARE = 480, 5
#: The hiss falls by three decibels an octave from this pitch on, in hertz.
_FALLS_FROM = 200.0


class _View(NamedTuple):
    """Noise below the speech in decibels, in a loud room and in a quiet one, and the factor that shortens the sound."""

    in_loud: float
    in_quiet: float
    factor: float = 1.0


VIEWS = (_View(16.0, 40.0), _View(9.0, 25.0, 0.92), _View(12.0, 20.0))


def views(pcm: bytes, room: bytes = b"") -> tuple[float, list[bytes]]:
    """Return how clear the speech is, from 0 in a loud room to 1 in a quiet one, and the views; `room` came before."""
    clear = clarity(pcm)
    voice = quieter(pcm, room)
    return clear, [_seen(voice, view, clear) for view in VIEWS]


def clarity(pcm: bytes) -> float:
    """Tell how far the speech stands out, from 0 to 1."""
    import numpy

    samples = Clip(pcm).samples()
    if len(samples) < _FRAME * _SHARE:
        return 0.0
    frames = samples[: len(samples) // _FRAME * _FRAME].reshape(-1, _FRAME)
    levels = numpy.sort(10 * numpy.log10(numpy.mean(frames**2, axis=1) + 1.0))
    count = max(1, len(levels) // _SHARE)
    above = float(numpy.mean(levels[-count:]) - numpy.mean(levels[:count]))
    return min(1.0, max(0.0, (above - _LOUD_ROOM) / (_QUIET_ROOM - _LOUD_ROOM)))


def _seen(pcm: bytes, view: _View, clear: float) -> bytes:
    """Make one view; the same sound gets the same noise."""
    import numpy

    sound = Clip(pcm) if view.factor == 1.0 else Clip(Clip(pcm).at(round(RATE * view.factor)).pcm)
    samples = sound.samples()
    loudness = float(numpy.sqrt(numpy.mean(samples**2))) if len(samples) else 0.0
    below = view.in_loud + (view.in_quiet - view.in_loud) * clear
    noise = _hiss(len(samples), zlib.crc32(pcm))
    return clip(samples + noise * max(1.0, loudness * 10 ** (-below / 20))).pcm


def _hiss(count: int, seed: int) -> Samples:
    """Return a hiss with a loudness of one."""
    import numpy

    if not count:
        return numpy.zeros(0)
    flat = numpy.fft.rfft(numpy.random.default_rng(seed).standard_normal(count))
    fallen = numpy.fft.irfft(flat / numpy.sqrt(numpy.maximum(numpy.fft.rfftfreq(count, 1 / RATE), _FALLS_FROM)), count)
    hiss: Samples = fallen / max(1e-9, float(numpy.sqrt(numpy.mean(fallen**2))))
    return hiss
