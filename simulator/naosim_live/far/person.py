"""The person in front of a far robot: simulated with a simulated robot, at the desk with any other."""

from __future__ import annotations

from typing import Any

from naosim.compat import native
from naosim.errors import WrongUse
from naosim.robot import Person

from .world import HUMAN, FarWorld

#: The event in which an engine's hearing comes.
_HEARD_AS = {"ALSpeechRecognition": "WordRecognized", "ALDialog": "Dialog/LastInput"}


class FarPerson(Person):
    """What a person does with a far robot."""

    world: FarWorld

    def __init__(self, world: FarWorld) -> None:
        Person.__init__(self, world)

    def hear(self, phrase: str, confidence: float = 0.9) -> None:
        """Say something to a simulated robot; with a real one, the boxes hear what was typed."""
        world = self.world
        phrase = world.faults.heard(native(phrase))
        engine = self.ears().engine
        if engine is None or world.has_human:
            world.trace.note("hear", phrase=phrase, confidence=confidence, engine=engine)
        if engine is None:
            return
        if world.has_human and world.services[engine].is_far:
            world.clock.soon(self._do, _HEARD_AS[engine], "hear", phrase, float(confidence))
        else:
            world.clock.soon(world.services[engine].heard, phrase, confidence)

    def cause(self, key: str, value: Any) -> None:
        """Refuse: the sensors of a far robot are its own."""
        raise WrongUse("events are set on a simulated robot here: at a far one use its service SimulatedHuman")

    def _set_touched(self, sensor: str, pressed: bool) -> None:
        """Have the simulated person touch a sensor; with a real robot, tell the boxes alone."""
        if self.world.has_human:
            self.world.trace.note("touch", sensor=sensor, pressed=pressed)
            self._do(sensor, "press" if pressed else "release", sensor)
        else:
            self.world.memory.tell_here(sensor, 1.0 if pressed else 0.0)

    def _do(self, event: str, verb: str, *args: Any) -> None:
        """Have the simulated person do something, and await the event that comes of it."""
        awaited = self.world.memory.awaited.expect(event)
        try:
            self.world.calls.ask(HUMAN, verb, args)
        except RuntimeError as error:
            self.world.trace.note("error", where=HUMAN, message=str(error), handled=False)
            self.world.memory.awaited.drop(event, awaited)
        self.world.memory.awaited.limit(event, awaited)
