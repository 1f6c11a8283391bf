"""What stands in front of the cameras: pictures of the user's, one after the other, or a test card."""

from __future__ import absolute_import, division, print_function

import os

from naosim import formats
from naosim.compat import native
from naosim.errors import WrongUse
from naosim.formats import Picture

MYPY = False
if MYPY:
    from typing import List, Optional

MOST_FILES = 10000
CARD = 320, 240
#: The bars of the test card from left to right, and the part of it under them, which goes from black to white.
BARS = (
    (235, 235, 235),
    (235, 235, 16),
    (16, 235, 235),
    (16, 235, 16),
    (235, 16, 235),
    (235, 16, 16),
    (16, 16, 235),
    (16, 16, 16),
)
RAMP_FROM = 180


class Scene(object):
    """The pictures that a robot's cameras see: each image shows the next one, and after the last the first again.

    >>> Scene().picture(0).rgb[:3] == Scene().picture(7).rgb[:3]
    True
    """

    def __init__(self, path=None):  # type: (Optional[str]) -> None
        self._files = [] if path is None else listed(path)
        self._at, self._seen = -1, None  # type: int, Optional[Picture]

    def turn(self, number):  # type: (int) -> int
        """Return the number of the picture that the so-manyeth image shows."""
        return number % len(self._files) if self._files else 0

    def picture(self, number):  # type: (int) -> Picture
        """Return the picture that the so-manyeth image shows; raises a NaosimError for a file that is none."""
        at = self.turn(number)
        if self._seen is None or at != self._at:
            self._at, self._seen = at, formats.load_picture(self._files[at]) if self._files else card()
        return self._seen


def listed(path):  # type: (str) -> List[str]
    """List the pictures of a folder by name, or the one of a file; raises a NaosimError when the first one is none."""
    path = native(path)
    if not os.path.isdir(path):
        found = [path]
    else:
        names = sorted(name for name in os.listdir(path) if name.lower().endswith(formats.PICTURE_ENDINGS))
        found = [os.path.join(path, name) for name in names[:MOST_FILES]]
    if not found:
        raise WrongUse("the folder %s has no picture: put PNG, PPM or PGM files into it" % path)
    formats.load_picture(found[0])
    return found


def card():  # type: () -> Picture
    """Draw the test card: bars of colour, and under them all greys from black to white."""
    width, height = CARD
    bars = bytearray(part for x in range(width) for part in BARS[x * len(BARS) // width])
    ramp = bytearray(part for x in range(width) for part in [x * 255 // (width - 1)] * 3)
    return Picture(width, height, bytes(bars * RAMP_FROM + ramp * (height - RAMP_FROM)))
