"""NAO's eyes: one colour per state, so that people see when to speak."""

from __future__ import absolute_import, division, print_function, unicode_literals

import threading

from jotto.compat import as_native

MYPY = False
if MYPY:
    from .services import Services

SPEAKING = 0xFFFFFF
LISTENING = 0x0000FF
THINKING = 0x8000FF
PUZZLED = 0xFFFF00
TOUCH = 0x00FF00
CALM = 0xFFFFFF

_GROUP = as_native("FaceLeds")
#: A fade of no length returns at once; any other would keep the box waiting.
_AT_ONCE = 0.0


class Face(object):
    """Shows a colour in the eyes, where there are eyes; without waiting for a fade."""

    def __init__(self, services):  # type: (Services) -> None
        self._services = services
        self._shown = None  # type: object
        self._lock = threading.Lock()
        self._rests = False

    def forget(self):  # type: () -> None
        """Forget the colour shown: other boxes and programs may have changed the eyes since."""
        self._shown = None

    def show(self, colour):  # type: (int) -> None
        """Fade both eyes to a colour (0xRRGGBB)."""
        with self._lock:
            if not self._rests:
                self._fade(colour)

    def rest(self):  # type: () -> None
        """Show the calm colour and leave the eyes alone from then on, even if another thread is about to show one."""
        with self._lock:
            if self._shown is not None:
                self._fade(CALM)
            self._rests = True

    def _fade(self, colour):  # type: (int) -> None
        leds = self._services.find("ALLeds")
        if leds is None or colour == self._shown:
            return
        self._shown = colour
        try:
            leds.fadeRGB(_GROUP, colour, _AT_ONCE)
        except RuntimeError:
            # The eyes are not needed: a robot that refuses them still plays.
            self._shown = None
