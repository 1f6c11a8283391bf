"""The noise of a room without a voice."""

import numpy

from naosim_voice import noise as room


def make_noise(noise, seconds, seed):
    """Return noise without a voice, as loud as it is with one."""
    silent = numpy.zeros(int(seconds * room.RATE))
    made = (
        room._piece(room._babble(seed % 3), len(silent), seed)
        if noise.kind == room.BABBLE
        else room._hiss(silent, seed)
    )
    return room.clip(room._unit(made) * room.LOUDNESS * 10 ** (-noise.decibels / 20))
