"""The person in front of a robot, who speaks to it, touches it and moves what its sensors notice."""

from __future__ import absolute_import, division, print_function

from naosim.compat import native, quoted
from naosim.errors import WrongUse
from naosim.robot import sensors
from naosim.robot.listening import Ears, ears
from naosim.services.memory.events import TOUCH

MYPY = False
if MYPY:
    from typing import Any, Callable, Sequence

    from naosim.world.world import World

#: The service that hears real sound.
RECOGNISER = "ALSpeechRecognition"
#: Seconds that a finger stays on a sensor.
PRESS = 0.1


class Person(object):
    """What a person does with the robot of a world; each act is scheduled and happens when the clock runs next.

    `listeners` are called with the name and the fields of each act before it is scheduled.
    """

    def __init__(self, world):  # type: (World) -> None
        self.world = world
        self.listeners = []  # type: list[Callable[[str, dict[str, Any]], object]]

    def announce(self, act, **fields):  # type: (str, **Any) -> None
        """Call the listeners with what the person is about to do."""
        for listener in self.listeners:
            listener(act, fields)

    def ears(self):  # type: () -> Ears
        """Return what the robot listens to at the moment."""
        return ears(self.world)

    def hear(self, phrase, confidence=0.9):  # type: (str, float) -> None
        """Say something to the robot, for the engine that is open to hear when the clock runs next."""
        self.announce("hear", phrase=native(phrase), confidence=confidence)
        phrase = self.world.faults.heard(native(phrase))
        engine = self.ears().engine
        self.world.trace.note("hear", phrase=phrase, confidence=confidence, engine=engine)
        if engine is not None:
            self.world.clock.soon(self.world.services[engine].heard, phrase, confidence)

    def begin_to_speak(self):  # type: () -> None
        """Let the recogniser notice that somebody speaks; `speak` then says what it made of that."""
        engine = self.world.services.get(RECOGNISER)
        if engine is not None:
            self.world.clock.soon(engine.speech_began)

    def speak(self, hypotheses):  # type: (Sequence[tuple[str, float]]) -> None
        """Let the recogniser take in what became of real sound: phrases with confidences, best first, or none.

        Where another engine listens, it hears the best phrase.
        """
        best, confidence = hypotheses[0] if hypotheses else ("", 0.0)
        if self.ears().engine != RECOGNISER:
            self.hear(best, confidence)
            return
        self.announce("hear", phrase=native(best), confidence=confidence)
        self.world.trace.note("hear", phrase=native(best), confidence=confidence, engine=RECOGNISER)
        found = [(native(phrase), sure) for phrase, sure in hypotheses]
        self.world.clock.soon(self.world.services[RECOGNISER].speech_ended, found)

    def tap(self, sensor):  # type: (str) -> None
        """Press a sensor and release it a moment later; raises WrongUse for an unknown one."""
        self.press(sensor)
        self.world.clock.later(PRESS, self.press, sensor, False)

    def press(self, sensor, pressed=True):  # type: (str, bool) -> None
        """Press a sensor or, with `pressed` False, release it; raises WrongUse for an unknown sensor."""
        sensor = native(sensor)
        if sensor not in TOUCH:
            raise WrongUse("the robot has no sensor %s: use one of %s" % (quoted(sensor), ", ".join(TOUCH)))
        self.world.clock.soon(self._set_touched, sensor, pressed)

    def cause(self, key, value):  # type: (str, Any) -> None
        """Let an event of the sensors happen, or set a device; raises WrongUse for an impossible key or value."""
        key, value = sensors.checked(self.world, key, value)
        self.announce("event", key=key, value=value)
        touched = sensors.touch_behind(key)
        if touched:
            self.press(touched, bool(value))
        else:
            self.world.clock.soon(sensors.happen, self.world, key, value)

    def _set_touched(self, sensor, pressed):  # type: (str, bool) -> None
        """Let ALTouch press or release a sensor; without that service only raise the event."""
        touch = self.world.services.get("ALTouch")
        if touch is not None:
            (touch.press if pressed else touch.release)(sensor)
        else:
            self.world.trace.note("touch", sensor=sensor, pressed=pressed)
            self.world.memory.raiseEvent(sensor, 1.0 if pressed else 0.0)
