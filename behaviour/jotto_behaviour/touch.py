"""What a touch of the head means, by how the question takes it."""

from __future__ import absolute_import, division, print_function, unicode_literals

from . import hearing
from .ears import FRONT, REAR
from .states import COUNT, NUMBERS, READY, ROLE, SPELL

MYPY = False
if MYPY:
    from .hearing import Hearing
    from .lines import Lines

#: What the front and the back of the head mean, where they do not mean yes and no.
FRONTS = {READY: "ready", ROLE: "you guess"}
REARS = {ROLE: "I guess"}


def felt(key, kind, taps, lines):  # type: (str, str, int, Lines) -> Hearing
    """Read a touch; `taps` are the touches of the front before it."""
    if key == FRONT:
        return hearing.sure(FRONTS.get(kind, "yes"))
    if key != REAR:
        return hearing.sure("stop")
    if kind in (COUNT, SPELL):
        return tapped(kind, taps, hearing.SURE, lines)
    return hearing.sure(REARS.get(kind, "no"))


def tapped(kind, taps, certainty, lines):  # type: (str, int, str, Lines) -> Hearing
    """Return what the taps mean: a number, or the letter of that number; nothing when there are too many."""
    meanings = ("back one",) + tuple(lines.alphabet) if kind == SPELL else NUMBERS
    if taps >= len(meanings):
        return hearing.NOTHING
    return hearing.Hearing(certainty, meanings[taps], lines.phrases([meanings[taps]])[0])
