"""The sound of a room taken out of a voice: a Wiener filter that knows how the room sounded just before.

How much of each pitch is voice is estimated from frame to frame, as Ephraim and Malah do ("decision-directed", 1984).
What is held for noise is made fainter by ten decibels and not silent: holes sound less like speech than the room does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .recogniser import RATE, WIDTH
from .sound import Clip, clip

if TYPE_CHECKING:
    import numpy

    from .sound import Samples

    Spectra = numpy.ndarray[Any, numpy.dtype[numpy.complex128]]

#: Samples of a frame, and between two: 32 and 8 milliseconds.
_FRAME, STEP = 512, 128
#: The least that is left of a pitch, and how far the estimate follows the frame before.
_FLOOR, _SMOOTH = 0.3, 0.92
#: Neighbouring pitches over which the room is averaged.
_SPREAD = 5
#: Bytes of a room that tell how it sounds.
_LEAST_ROOM = int(0.15 * RATE) * WIDTH


def quieter(pcm: bytes, room: bytes) -> bytes:
    """Return a sound with less of the room that was heard before it; as it is where that was too short to be known."""
    import numpy

    if len(room) < _LEAST_ROOM or not pcm:
        return pcm
    window = numpy.sqrt(numpy.hanning(_FRAME + 1)[:_FRAME])
    known = numpy.mean(numpy.abs(_spectra(Clip(room).samples(), window)) ** 2, axis=0)
    known = numpy.convolve(numpy.pad(known, _SPREAD // 2, "edge"), numpy.ones(_SPREAD) / _SPREAD, "valid") + 1.0
    samples = Clip(pcm).samples()
    # Frames reach over both ends, so that every sample is in as many of them.
    spectra = _spectra(numpy.pad(samples, _FRAME), window)
    frames = numpy.fft.irfft(spectra * _gains(numpy.abs(spectra) ** 2 / known), _FRAME) * window
    made, weight = numpy.zeros((2, len(samples) + 2 * _FRAME))
    for number, frame in enumerate(frames):
        made[number * STEP : number * STEP + _FRAME] += frame
        weight[number * STEP : number * STEP + _FRAME] += window**2
    return clip((made / numpy.maximum(weight, 1e-3))[_FRAME:-_FRAME]).pcm


def _spectra(samples: Samples, window: Samples) -> Spectra:
    import numpy

    found: Spectra = numpy.fft.rfft(numpy.lib.stride_tricks.sliding_window_view(samples, _FRAME)[::STEP] * window)
    return found


def _gains(louder: Samples) -> Samples:
    """Return what is left of each pitch in each frame, by how often it is as loud as the room."""
    import numpy

    gains = numpy.empty_like(louder)
    before = numpy.ones(louder.shape[1])
    for number, now in enumerate(louder):
        voice = _SMOOTH * before + (1 - _SMOOTH) * numpy.maximum(now - 1, 0)
        gains[number] = numpy.maximum(voice / (1 + voice), _FLOOR)
        before = gains[number] ** 2 * now
    return gains
