"""The person in front of a robot: what is said to it and where it is touched."""
from __future__ import absolute_import, division, print_function

from naosim.compat import native, quoted
from naosim.errors import WrongUse
from naosim.robot.listening import Ears, ears
from naosim.services.memory.events import TOUCH

MYPY = False
if MYPY:
    from typing import Any

    from naosim.kernel.clock import Clock
    from naosim.world.faults import Faults
    from naosim.world.trace import Trace

#: Seconds that a finger stays on a sensor.
PRESS = 0.1


class Person(object):
    """What a person does with a robot, whoever drives the clock."""

    clock = None  # type: Clock  # type: ignore[assignment]
    faults = None  # type: Faults  # type: ignore[assignment]
    trace = None  # type: Trace  # type: ignore[assignment]
    memory = None  # type: Any
    services = {}  # type: dict[str, Any]

    def ears(self):
        # type: () -> Ears
        """What the robot listens to at the moment."""
        return ears(self)  # type: ignore[arg-type]

    def hear(self, phrase, confidence=0.9):
        # type: (str, float) -> None
        """Says something to the robot, through whichever engine is open; `advance` shows what comes of it."""
        phrase = self.faults.heard(native(phrase))
        engine = self.ears().engine
        self.trace.note("hear", phrase=phrase, confidence=confidence, engine=engine)
        if engine is not None:
            self.clock.soon(self.services[engine].heard, phrase, confidence)

    def tap(self, sensor):
        # type: (str) -> None
        """Has a sensor pressed and released a moment later; raises WrongUse for an unknown one."""
        self.press(sensor)
        self.clock.later(PRESS, self.press, sensor, False)

    def press(self, sensor, pressed=True):
        # type: (str, bool) -> None
        """Lays a finger on a sensor or, with `pressed` False, takes it off; raises WrongUse for an unknown sensor."""
        sensor = native(sensor)
        if sensor not in TOUCH:
            raise WrongUse("the robot has no sensor %s: use one of %s" % (quoted(sensor), ", ".join(TOUCH)))
        self.clock.soon(self._press, sensor, pressed)

    def _press(self, sensor, pressed):
        # type: (str, bool) -> None
        touch = self.services.get("ALTouch")
        if touch is not None:
            (touch.press if pressed else touch.release)(sensor)
        else:
            self.trace.note("touch", sensor=sensor, pressed=pressed)
            self.memory.raiseEvent(sensor, 1.0 if pressed else 0.0)
