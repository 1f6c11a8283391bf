"""Whether a sound has a tone, as every vowel has: coughs, knocks and rustling have none, and whispers neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .recogniser import RATE
from .sound import Clip

if TYPE_CHECKING:
    from .sound import Samples

#: Samples of a frame and between frames, and the periods of a voice's tone, from 62 to 400 hertz.
FRAME, STEP = 640, 160
SHORTEST, LONGEST = RATE // 400, RATE // 62
#: Frames that count: the clearest of those that are not much quieter than the loudest.
CLEAREST, QUIETEST = 8, 0.02
#: A voice in other voices as loud as a third of it has 0.8 and more, a burst of noise less than 0.4.
LEAST = 0.5


def tone(pcm: bytes) -> float:
    """Return how much a sound repeats itself at the pace of a voice, from 0 (noise) to 1 (a pure tone)."""
    import numpy

    samples = Clip(pcm).samples()
    if len(samples) < FRAME:
        return 0.0
    frames = numpy.lib.stride_tricks.sliding_window_view(samples, FRAME)[::STEP]
    window = numpy.hanning(FRAME)
    alike = _correlated((frames - frames.mean(axis=1, keepdims=True)) * window)
    loudness = alike[:, 0]
    # A window fades towards its ends, and what is compared across it fades with it.
    fading = _correlated(window[None, :])[0]
    shares = alike / numpy.maximum(loudness[:, None], 1e-9) / numpy.maximum(fading / fading[0], 0.05)
    best = numpy.where(loudness > QUIETEST * loudness.max(), shares[:, SHORTEST:LONGEST].max(axis=1), 0.0)
    return float(numpy.mean(numpy.sort(best)[-CLEAREST:]))


def _correlated(frames: Samples) -> Samples:
    """Compare each frame with itself, moved by 0, 1 and more samples."""
    import numpy

    power = numpy.abs(numpy.fft.rfft(frames, 2 * FRAME)) ** 2
    alike: Samples = numpy.fft.irfft(power)[:, :FRAME]
    return alike
