"""Properties of a segment of sound, and the sound without its room, for the recognisers.

A voice has a tone, as every vowel has, and does not stay the same, as a whistle does: coughs, knocks and whispers have
no tone; beeps and engines do not change. Several voices together have no common tone. A Wiener filter makes a room
fainter that was heard just before the voice.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from .endpoints import RATE, WIDTH, measure_clarity
from .sound import Clip, clip

if TYPE_CHECKING:
    import numpy

    from .sound import Samples

    Spectra = numpy.ndarray[Any, numpy.dtype[numpy.complex128]]

# Whether a sound can be a voice.

#: Samples of a frame and between frames, and the periods of a voice's tone, from 62 to 400 hertz.
_VOICE_FRAME, _VOICE_STEP = 640, 160
_SHORTEST_PERIOD, _LONGEST_PERIOD = RATE // 400, RATE // 62
#: Frames that count: the clearest of those that are not much quieter than the loudest.
_CLEAREST, _QUIETEST_SHARE = 8, 0.02
#: A voice in other voices as loud as a third of it has 0.8 and more, a burst of noise less than 0.4.
_MIN_TONE = 0.5
#: Voices say a long word such as "four" with up to 0.71; a tone, a chord or a buzzer in a quiet room has 0.93 and more.
_MAX_STEADINESS = 0.87
#: In speech that is clearer than the first number, several voices talk together if three quarters of the loud frames
#: (those above the second, a share of the loudest) have less tone than the third. In 90 bursts of
#: eight voices they had 0.52 to 0.65; of four voices about half have less, and of people 3 %: they say a long s, or
#: something hums.
_CLEAR, _LOUD_SHARE, _MAX_TONE_OF_MANY = 0.6, 0.1, 0.74
#: Two or three people talk together if the second tone is above the first number: that of 44 % of 108 numbers by two
#: people, of 80 % by three, and of 1 of 167 by one. If the clearest tone leaves a smaller part of the sound than the
#: second number, there is no other. Tones at these shares of its period, or nearly, are the same voice.
_MAX_SECOND_TONE, _CLEAR_TONE, _SAME_TONE, _NEARLY_SAME = 0.4, 0.12, (1 / 3, 1 / 2, 1, 2, 3), 0.06
#: Of several voices, the odds of an answer fall to this share: about as few people sound like several.
CROWD_DOUBT = 0.02
#: Frames fainter than this share of the loudest are not used to describe a sound.
_FAINT_SHARE = 0.05


def is_voice(pcm: bytes) -> bool:
    """Return whether it could be a voice."""
    return tone(pcm) >= _MIN_TONE and steadiness(pcm) <= _MAX_STEADINESS


def is_crowd(pcm: bytes) -> bool:
    """Return whether several people at the same time might have said it, in a quiet room: they have no common tone."""
    import numpy

    if measure_clarity(pcm) <= _CLEAR:
        return False
    loudness, tones = _tones(pcm)
    is_many = numpy.quantile(tones[loudness > _LOUD_SHARE * loudness.max()], 0.75) < _MAX_TONE_OF_MANY
    return bool(is_many) or second_tone(pcm) > _MAX_SECOND_TONE


def second_tone(pcm: bytes) -> float:
    """Return the tonality of a sound without its clearest tone: near 0 for one voice, and at most 1."""
    import numpy

    samples = Clip(pcm).samples()
    if len(samples) < _VOICE_FRAME + _LONGEST_PERIOD:
        return 0.0
    samples -= samples.mean()
    frames = _cut_frames(samples, _VOICE_FRAME + _LONGEST_PERIOD)
    loudness = numpy.mean(frames[:, :_VOICE_FRAME] ** 2, axis=1)
    frames = frames[loudness >= _LOUD_SHARE * loudness.max()]
    differences = _compare_periods(frames)
    periods = _SHORTEST_PERIOD + differences.argmin(axis=1)
    # A voice cancels itself, a period later.
    rests = numpy.stack([numpy.append(x[:-n] - x[n:], numpy.zeros(n)) for x, n in zip(frames, periods, strict=True)])
    others, lags = _compare_periods(rests), numpy.arange(_SHORTEST_PERIOD, _LONGEST_PERIOD)
    for share in _SAME_TONE:
        same = periods[:, None] * share
        others[numpy.abs(lags - same) <= numpy.maximum(3, _NEARLY_SAME * same)] = 1.0
    return float(numpy.mean(numpy.where(differences.min(axis=1) > _CLEAR_TONE, 1 - others.min(axis=1), 0.0)))


def _compare_periods(frames: Samples) -> Samples:
    """Return the difference of each frame to itself after each period of a voice: 0 for a tone, 1 for noise."""
    import numpy

    size, count = 2 * frames.shape[1], frames.shape[1] - _LONGEST_PERIOD
    still, moved = numpy.fft.rfft(frames[:, :count], size), numpy.fft.rfft(frames, size)
    alike = numpy.fft.irfft(still.conj() * moved)[:, _SHORTEST_PERIOD:_LONGEST_PERIOD]
    power = numpy.cumsum(numpy.pad(frames**2, ((0, 0), (1, 0))), axis=1)
    later = (power[:, count:] - power[:, :-count])[:, _SHORTEST_PERIOD:_LONGEST_PERIOD]
    found: Samples = 1 - 2 * alike / (power[:, [count]] + later + 1e-9)
    return found


def tone(pcm: bytes) -> float:
    """Return the tonality of a sound at the pitch of a voice, from 0 (noise) to 1 (a pure tone)."""
    import numpy

    if len(pcm) < _VOICE_FRAME * WIDTH:
        return 0.0
    loudness, tones = _tones(pcm)
    tones = numpy.where(loudness > _QUIETEST_SHARE * loudness.max(), tones, 0.0)
    return float(numpy.mean(numpy.sort(tones)[-_CLEAREST:]))


def _tones(pcm: bytes) -> tuple[Samples, Samples]:
    """Return the loudness of each frame of a sound, and its tonality."""
    import numpy

    samples = Clip(pcm).samples()
    frames, window = _cut_frames(samples), numpy.hanning(_VOICE_FRAME)
    alike = _correlate((frames - frames.mean(axis=1, keepdims=True)) * window)
    loudness = alike[:, 0]
    # A window fades towards its ends, and comparisons across it fade with it.
    fading = _correlate(window[None, :])[0]
    shares = alike / numpy.maximum(loudness[:, None], 1e-9) / numpy.maximum(fading / fading[0], 0.05)
    return loudness, shares[:, _SHORTEST_PERIOD:_LONGEST_PERIOD].max(axis=1)


def steadiness(pcm: bytes) -> float:
    """Return which share of its pitches a sound keeps from frame to frame, from 0 to 1 (it never changes)."""
    import numpy

    samples = Clip(pcm).samples()
    if len(samples) < _VOICE_FRAME:
        return 0.0
    power = numpy.abs(numpy.fft.rfft(_cut_frames(samples) * numpy.hanning(_VOICE_FRAME))) ** 2
    loudness = power.sum(axis=1)
    counts = loudness > _FAINT_SHARE * loudness.max()
    if not counts.any():
        return 0.0
    shares = power[counts] / loudness[counts, None]
    return float(numpy.minimum(shares, shares.mean(axis=0)).sum(axis=1).mean())


def _cut_frames(samples: Samples, size: int = _VOICE_FRAME) -> Samples:
    import numpy

    frames: Samples = numpy.lib.stride_tricks.sliding_window_view(samples, size)[::_VOICE_STEP]
    return frames


def _correlate(frames: Samples) -> Samples:
    """Compare each frame with itself, moved by 0, 1 and more samples."""
    import numpy

    power = numpy.abs(numpy.fft.rfft(frames, 2 * _VOICE_FRAME)) ** 2
    alike: Samples = numpy.fft.irfft(power)[:, :_VOICE_FRAME]
    return alike


# A voice without the sound of its room.
#
# The share of the voice in each pitch is estimated from frame to frame, as Ephraim and Malah do ("decision-directed",
# 1984). Noise gets fainter by ten decibels and not silent: holes sound less like speech than the room does.

#: Samples of a frame, and between two: 32 and 8 milliseconds.
_FRAME, STEP = 512, 128
#: The least remainder of a pitch, and the weight of the frame before in the estimate.
_FLOOR, _SMOOTH = 0.3, 0.92
#: Neighbouring pitches over which the room is averaged.
_SPREAD = 5
#: Bytes of a room's sound that are enough to describe it.
_LEAST_ROOM = int(0.15 * RATE) * WIDTH


def quieter(pcm: bytes, room: bytes) -> bytes:
    """Return a sound with the preceding noise of the room reduced; unchanged if too little noise was recorded."""
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
    """Return the gain of each pitch in each frame; `louder` is its loudness as a multiple of the room's."""
    import numpy

    gains = numpy.empty_like(louder)
    before = numpy.ones(louder.shape[1])
    for number, now in enumerate(louder):
        voice = _SMOOTH * before + (1 - _SMOOTH) * numpy.maximum(now - 1, 0)
        gains[number] = numpy.maximum(voice / (1 + voice), _FLOOR)
        before = gains[number] ** 2 * now
    return gains


# Views of one segment of speech, for pocketsphinx: with other noise below it, and as said by a smaller head.
#
# A model that was trained on clean speech takes other voices for words; a hiss covers them. In a quiet room a hiss
# covers the speech itself, so its loudness follows from the clarity of the speech. It falls towards high pitches, as
# rooms do, so that it does not cover an s.

#: The hiss falls by three decibels an octave above this pitch, in hertz.
_FALLS_FROM = 200.0


class _View(NamedTuple):
    """Noise below the speech in decibels, in a loud room and in a quiet one, and the factor that shortens the sound."""

    in_loud: float
    in_quiet: float
    factor: float = 1.0


VIEWS = (_View(16.0, 40.0), _View(9.0, 25.0, 0.92), _View(12.0, 20.0))


def make_views(pcm: bytes, room: bytes = b"") -> tuple[float, list[bytes]]:
    """Return the clarity of the speech, 0 in a loud room to 1 in a quiet one, and the views; `room` came before."""
    clear = measure_clarity(pcm)
    voice = quieter(pcm, room)
    return clear, [_make_view(voice, view, clear) for view in VIEWS]


def _make_view(pcm: bytes, view: _View, clear: float) -> bytes:
    """Make one view; the same sound gets the same noise."""
    import numpy

    sound = Clip(pcm) if view.factor == 1.0 else Clip(Clip(pcm).at(round(RATE * view.factor)).pcm)
    samples = sound.samples()
    loudness = float(numpy.sqrt(numpy.mean(samples**2))) if len(samples) else 0.0
    below = view.in_loud + (view.in_quiet - view.in_loud) * clear
    noise = make_hiss(len(samples), zlib.crc32(pcm))
    return clip(samples + noise * max(1.0, loudness * 10 ** (-below / 20))).pcm


def make_hiss(count: int, seed: int) -> Samples:
    """Return a hiss with a loudness of one that falls towards high pitches."""
    import numpy

    if not count:
        return numpy.zeros(0)
    flat = numpy.fft.rfft(numpy.random.default_rng(seed).standard_normal(count))
    fallen = numpy.fft.irfft(flat / numpy.sqrt(numpy.maximum(numpy.fft.rfftfreq(count, 1 / RATE), _FALLS_FROM)), count)
    hiss: Samples = fallen / max(1e-9, float(numpy.sqrt(numpy.mean(fallen**2))))
    return hiss
