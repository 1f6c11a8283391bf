"""Sound on its way to programs: modules that ask for it get the silence of the microphones, piece by piece."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import overloads
from naosim.services.device.microphones import MICROPHONES, RATES, SAMPLE, Microphones
from naosim.world import call_guarded, is_outside

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Tuple

    from naosim.clock import ScheduledCall
    from naosim.world import World

#: The method of a module that is called with each piece, and how many seconds a piece lasts.
METHOD, PIECE = "processRemote", 0.17
ALL_FOUR = 0
USUAL = 48000, MICROPHONES


class SoundStream(Microphones):
    """A service that sends what the microphones hear, which is silence, to the modules that want it."""

    def __init__(self, world):  # type: (World) -> None
        Microphones.__init__(self, world)
        self._wanted = {}  # type: Dict[str, Tuple[int, int]]
        self._next = {}  # type: Dict[str, ScheduledCall]

    @overloads("s i i i", "s i m i i")
    def setClientPreferences(self, name, rate, channels, deinterleaved, stamped=0):
        # type: (str, int, Any, int, int) -> None
        """Choose what a module gets: samples a second, and the microphone, 0 for all four, 1 left to 4 rear.

        A list of flags chooses microphones, too. Whether samples lie beside each other makes no difference in silence.
        """
        method = "setClientPreferences"
        chosen = self._number(rate, method, 1, *RATES)
        self._number(deinterleaved, method, 3, 0, 1)
        self._number(stamped, method, 4, 0, 1)
        if isinstance(channels, (list, tuple)):
            count = sum(self._flag(each, method, 2) for each in channels[:MICROPHONES]) or MICROPHONES
        else:
            count = 1 if self._number(channels, method, 2, ALL_FOUR, MICROPHONES) else MICROPHONES
        self._wanted[self._text(name, method)] = int(chosen), count

    def subscribe(self, name):  # type: (str) -> None
        """Send sound to a module's `processRemote(channels, samples, time, bytes)` until it unsubscribes."""
        made = self.world.modules.get(self._text(name, "subscribe"))
        if made is None:
            raise self._error("subscribe", "Can't find service: %s" % name)
        if not callable(getattr(made, METHOD, None)):
            raise self._error("subscribe", "Module %s has no bound method %s." % (name, METHOD))
        self._end_stream(name)
        self._next[name] = self.world.clock.later(PIECE, self._send, name)

    def unsubscribe(self, name):  # type: (str) -> None
        """Send no more sound to a module; raise RuntimeError when it gets none."""
        if self._text(name, "unsubscribe") not in self._next:
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)
        self._end_stream(name)

    def leftovers(self):  # type: () -> List[str]
        """List what is still recorded, and the behaviour's modules that still get sound."""
        own = [name for name in sorted(self._next) if not is_outside(self.world.modules.get(name))]
        told = ["Module %r is still subscribed to %s." % (name, self.name) for name in own]
        return Microphones.leftovers(self) + told

    def _send(self, name):  # type: (str) -> None
        """Hand a piece over and see to the next; a module that is gone gets none."""
        made = self.world.modules.get(name)
        if made is None:
            del self._next[name]
            return
        rate, channels = self._wanted.get(name, USUAL)
        samples, sent, now = int(rate * PIECE), self._next[name], self.world.clock.now()
        stamp = [int(now), int(now % 1 * 1e6)]
        call_guarded(self.world, getattr(made, METHOD), channels, samples, stamp, piece(samples * channels))
        if self._next.get(name) is sent:
            self._next[name] = self.world.clock.later(PIECE, self._send, name)

    def _end_stream(self, name):  # type: (str) -> None
        if name in self._next:
            self._next.pop(name).cancel()


def piece(samples):  # type: (int) -> Any
    """Return a piece of silence as scripts get bytes: a `str` on Python 2.7, a `bytearray` on 3.

    >>> len(piece(2720))
    5440
    """
    sound = b"\0" * (samples * SAMPLE)
    return sound if isinstance(sound, str) else bytearray(sound)
