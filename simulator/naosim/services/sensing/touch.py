"""ALTouch: the sensors that a person can press and the events they raise."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service
from naosim.services.memory.events import TOUCH

MYPY = False
if MYPY:
    from typing import Any, Dict, List

    from naosim.world import World

BODY = {
    "FrontTactilTouched": "Head/Touch/Front",
    "MiddleTactilTouched": "Head/Touch/Middle",
    "RearTactilTouched": "Head/Touch/Rear",
    "HandLeftBackTouched": "LHand/Touch/Back",
    "HandLeftLeftTouched": "LHand/Touch/Left",
    "HandLeftRightTouched": "LHand/Touch/Right",
    "HandRightBackTouched": "RHand/Touch/Back",
    "HandRightLeftTouched": "RHand/Touch/Left",
    "HandRightRightTouched": "RHand/Touch/Right",
    "LeftBumperPressed": "LFoot/Bumper",
    "RightBumperPressed": "RFoot/Bumper",
    "ChestButtonPressed": "ChestBoard/Button",
}


class ALTouch(Service):
    """Raises one event per sensor and TouchChanged for all of them."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._pressed = dict.fromkeys(TOUCH, False)  # type: Dict[str, bool]

    def getSensorList(self):  # type: () -> List[str]
        """List the sensors by the part of the body they are on."""
        return [BODY[event] for event in TOUCH]

    def getStatus(self):  # type: () -> List[List[Any]]
        """List each sensor with whether it is pressed."""
        return [[BODY[event], self._pressed[event], []] for event in TOUCH]

    def press(self, event):  # type: (str) -> None
        """Press a sensor, named by its event, as a person does; raise ValueError for one that NAO does not have."""
        self._change(event, True)

    def release(self, event):  # type: (str) -> None
        """Release a sensor, named by its event, as a person does; raise ValueError for one that NAO does not have."""
        self._change(event, False)

    def events_heard(self):  # type: () -> List[str]
        """List the touch events that have listeners; TouchChanged stands for every sensor."""
        memory = self.world.memory
        return [event for event in TOUCH + ("TouchChanged",) if memory.is_heard(event)]

    def events_pressed(self):  # type: () -> List[str]
        """List the sensors held down now, named by their events."""
        return [event for event in TOUCH if self._pressed[event]]

    def leftovers(self):  # type: () -> List[str]
        """List the sensors still held down."""
        return ["%s is still held down." % event for event in self.events_pressed()]

    def _change(self, event, pressed):  # type: (str, bool) -> None
        if event not in self._pressed:
            raise ValueError("NAO has no touch event %r, known are: %s" % (event, ", ".join(TOUCH)))
        self._pressed[event] = pressed
        self.world.trace.note("touch", sensor=event, pressed=pressed)
        self.world.memory.raiseEvent(event, 1.0 if pressed else 0.0)
        self.world.memory.raiseEvent("TouchChanged", [[BODY[event], pressed]])
