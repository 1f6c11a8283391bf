"""Rooms in which nobody speaks."""

import numpy

from naosim_voice import noise, sound


def make_noise(kind, seconds, seed):
    """Return the samples of a noise without a voice, as loud as it is around one."""
    voice = sound.clip(numpy.full(sound.RATE // 10, noise.LOUDNESS))
    return noise.add_noise(voice, kind, seed, before=seconds).samples()[: int(seconds * sound.RATE)]
