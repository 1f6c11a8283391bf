"""Whether a sound can be a voice: it has a tone, as every vowel has, and does not stay the same, as a whistle does.

Coughs, knocks and rustling have no tone, and whispers neither; beeps and engines do not change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .recogniser import RATE
from .sound import Clip

if TYPE_CHECKING:
    from .sound import Samples

#: Samples of a frame and between frames, and the periods of a voice's tone, from 62 to 400 hertz.
_FRAME, STEP = 640, 160
_SHORTEST, _LONGEST = RATE // 400, RATE // 62
#: Frames that count: the clearest of those that are not much quieter than the loudest.
_CLEAREST, _QUIETEST = 8, 0.02
#: A voice in other voices as loud as a third of it has 0.8 and more, a burst of noise less than 0.4.
_LEAST = 0.5
#: Voices say a long word such as "four" with up to 0.71; a tone, a chord or a buzzer in a quiet room has 0.93 and more.
_STEADIEST = 0.87
#: Frames fainter than this share of the loudest do not tell what a sound is like.
_FAINT = 0.05


def is_voice(pcm: bytes) -> bool:
    """Tell whether somebody may have said it."""
    return tone(pcm) >= _LEAST and steadiness(pcm) <= _STEADIEST


def tone(pcm: bytes) -> float:
    """Return how much a sound repeats itself at the pace of a voice, from 0 (noise) to 1 (a pure tone)."""
    import numpy

    samples = Clip(pcm).samples()
    if len(samples) < _FRAME:
        return 0.0
    frames, window = _frames(samples), numpy.hanning(_FRAME)
    alike = _correlated((frames - frames.mean(axis=1, keepdims=True)) * window)
    loudness = alike[:, 0]
    # A window fades towards its ends, and what is compared across it fades with it.
    fading = _correlated(window[None, :])[0]
    shares = alike / numpy.maximum(loudness[:, None], 1e-9) / numpy.maximum(fading / fading[0], 0.05)
    best = numpy.where(loudness > _QUIETEST * loudness.max(), shares[:, _SHORTEST:_LONGEST].max(axis=1), 0.0)
    return float(numpy.mean(numpy.sort(best)[-_CLEAREST:]))


def steadiness(pcm: bytes) -> float:
    """Return which share of its pitches a sound keeps from frame to frame, from 0 to 1 (it never changes)."""
    import numpy

    samples = Clip(pcm).samples()
    if len(samples) < _FRAME:
        return 0.0
    power = numpy.abs(numpy.fft.rfft(_frames(samples) * numpy.hanning(_FRAME))) ** 2
    loudness = power.sum(axis=1)
    counts = loudness > _FAINT * loudness.max()
    if not counts.any():
        return 0.0
    shares = power[counts] / loudness[counts, None]
    return float(numpy.minimum(shares, shares.mean(axis=0)).sum(axis=1).mean())


def _frames(samples: Samples) -> Samples:
    import numpy

    frames: Samples = numpy.lib.stride_tricks.sliding_window_view(samples, _FRAME)[::STEP]
    return frames


def _correlated(frames: Samples) -> Samples:
    """Compare each frame with itself, moved by 0, 1 and more samples."""
    import numpy

    power = numpy.abs(numpy.fft.rfft(frames, 2 * _FRAME)) ** 2
    alike: Samples = numpy.fft.irfft(power)[:, :_FRAME]
    return alike
