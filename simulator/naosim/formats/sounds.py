"""WAV files, opened in one way everywhere: what is wrong with one is one error."""

from __future__ import absolute_import, division, print_function

import contextlib
import struct
import wave

from naosim.errors import NaosimError

#: What `wave` raises for damage, and the caller who divides by a rate of zero.
FAULTS = (wave.Error, EOFError, RuntimeError, struct.error, ZeroDivisionError)

MYPY = False
if MYPY:
    from typing import IO, Iterator


class NotASound(NaosimError):
    """The file is not a WAV file, or it is damaged."""


@contextlib.contextmanager
def opened(file):  # type: (IO[bytes]) -> Iterator[wave.Wave_read]
    """Open a WAV file for a while; raises NotASound for a damaged one, also if the damage is found while reading."""
    try:
        with contextlib.closing(wave.open(file, "rb")) as sound:
            yield sound
    except FAULTS as error:
        raise NotASound("it is no WAV file, or it is damaged (%s)" % (str(error) or "it ends too soon"))
