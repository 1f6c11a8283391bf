"""Views of one stretch of speech: the same sound with other noise below it, and as said by a smaller head.

A model that was trained on clean speech takes other voices for words; a hiss covers them. In a quiet room a hiss covers
the speech itself, so its loudness follows from how clear the speech is. The views are decoded one by one.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

from .recogniser import RATE
from .sound import Clip, clip

#: Decibels between the loudest and the quietest fifth of a stretch: speech in a loud room, and in a quiet one.
LOUD_ROOM, QUIET_ROOM = 15.0, 35.0
FRAME, SHARE = 480, 5


class View(NamedTuple):
    """Noise below the speech in decibels, in a loud room and in a quiet one, and the factor that shortens the sound."""

    in_loud: float
    in_quiet: float
    factor: float = 1.0


VIEWS = (View(16.0, 40.0), View(9.0, 25.0, 0.92), View(12.0, 20.0))


def views(pcm: bytes) -> tuple[float, list[bytes]]:
    """Return how clear the speech is, from 0 in a loud room to 1 in a quiet one, and the views."""
    clear = clarity(pcm)
    return clear, [_seen(pcm, view, clear) for view in VIEWS]


def clarity(pcm: bytes) -> float:
    """Tell how far the speech stands out, from 0 to 1."""
    import numpy

    samples = Clip(pcm).samples()
    if len(samples) < FRAME * SHARE:
        return 0.0
    frames = samples[:len(samples) // FRAME * FRAME].reshape(-1, FRAME)
    levels = numpy.sort(10 * numpy.log10(numpy.mean(frames**2, axis=1) + 1.0))
    count = max(1, len(levels) // SHARE)
    above = float(numpy.mean(levels[-count:]) - numpy.mean(levels[:count]))
    return min(1.0, max(0.0, (above - LOUD_ROOM) / (QUIET_ROOM - LOUD_ROOM)))


def _seen(pcm: bytes, view: View, clear: float) -> bytes:
    """Make one view; the same sound gets the same noise."""
    import numpy

    sound = Clip(pcm) if view.factor == 1.0 else Clip(Clip(pcm).at(round(RATE * view.factor)).pcm)
    samples = sound.samples()
    loudness = float(numpy.sqrt(numpy.mean(samples**2))) if len(samples) else 0.0
    below = view.in_loud + (view.in_quiet - view.in_loud) * clear
    noise = numpy.random.default_rng(zlib.crc32(pcm)).standard_normal(len(samples))
    return clip(samples + noise * max(1.0, loudness * 10 ** (-below / 20))).pcm
