"""A person's hand on the robot's body: ALTouch, the events of sensors, and the parts of the body that are touched."""

from __future__ import absolute_import, division, print_function

from collections import OrderedDict

from naosim.services.base import Service
from naosim.world import World

MYPY = False
if MYPY:
    from typing import FrozenSet, List, Tuple

    from naosim.compat import ALValue
    from naosim.models import Model

#: The part of the body that a sensor belongs to, by the first part of the sensor's name. The head was seen on a NAO V5
#: (SeanXP/Nao-Robot, python/touch), the arms on a Pepper (a greeter in a public repository); the others are our guess.
_PARTS = {"Head": "Head", "LHand": "LArm", "RHand": "RArm", "LFoot": "LLeg", "RFoot": "RLeg", "Bumper": "Base"}
#: The parts and sensors in the order of getStatus, as seen on a NAO V5 (SeanXP/Nao-Robot, python/touch) and on Peppers
#: (ros-naoqi/naoqi_driver, pull request 48).
_NAO_STATUS = """
    Head LArm LLeg RLeg RArm LHand RHand Head/Touch/Front Head/Touch/Middle Head/Touch/Rear LFoot/Bumper/Left
    LFoot/Bumper/Right RFoot/Bumper/Left RFoot/Bumper/Right LHand/Touch/Left LHand/Touch/Back LHand/Touch/Right
    RHand/Touch/Left RHand/Touch/Back RHand/Touch/Right
"""
_PEPPER_STATUS = """
    Head LArm Leg RArm LHand RHand Bumper/Back Bumper/FrontLeft Bumper/FrontRight Head/Touch/Front Head/Touch/Middle
    Head/Touch/Rear LHand/Touch/Back RHand/Touch/Back Base
"""
_CHEST_BUTTON = "ChestBoard/Button"  # no sensor of ALTouch: neither list has it
#: The sources of a touch in TouchChanged: sensors, for every name. A NAO V5 also reports [3], motors.
_BY_SENSORS = [1]
#: Seconds until TouchChanged says that a hand has gone: later than the sensor's own event on a NAO V5; the delay is
#: our guess.
_END_S = 0.3


def list_touch_sensors(model):  # type: (Model) -> OrderedDict[str, str]
    """Map the sensors of ALTouch, in NAOqi's order, to the events that they raise; both bumpers of a foot raise one."""
    found = []  # type: List[Tuple[str, str]]
    for event, sensor in model.touch_sensors.items():
        sides = [sensor + "/Left", sensor + "/Right"] if sensor.endswith("/Bumper") else [sensor]
        found += [(side, event) for side in sides if side != _CHEST_BUTTON]
    return OrderedDict(found)


class ALTouch(Service):
    """Raises one event per sensor, and TouchChanged with all that is touched and all that no longer is."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._pressed = OrderedDict.fromkeys(world.body.model.touch_sensors, False)  # type: OrderedDict[str, bool]
        self._sensors = list_touch_sensors(world.body.model)
        status = _PEPPER_STATUS if "Bumper/Back" in self._sensors else _NAO_STATUS
        self._order = status.split()
        self._told = frozenset()  # type: FrozenSet[str]

    def getSensorList(self):  # type: () -> List[str]
        """List the sensors by the part of the body they are on."""
        return list(self._sensors)

    def getStatus(self):  # type: () -> List[List[ALValue]]
        """List each part of the body and each sensor: its name, whether it is touched, and the sources."""
        touched = self._find_touched()
        return [[name, name in touched, list(_BY_SENSORS) if name in touched else []] for name in self._order]

    def press(self, event):  # type: (str) -> None
        """Press a sensor, named by its event, as a person does; raise ValueError for one that NAO does not have."""
        self._change(event, True)

    def release(self, event):  # type: (str) -> None
        """Release a sensor, named by its event, as a person does; raise ValueError for one that NAO does not have."""
        self._change(event, False)

    def events_heard(self):  # type: () -> List[str]
        """List the touch events that have listeners; TouchChanged stands for every sensor."""
        memory = self.world.memory
        return [event for event in list(self._pressed) + ["TouchChanged"] if memory.is_heard(event)]

    def events_pressed(self):  # type: () -> List[str]
        """List the sensors held down now, named by their events."""
        return [event for event, is_pressed in self._pressed.items() if is_pressed]

    def leftovers(self):  # type: () -> List[str]
        """List the sensors still held down."""
        return ["%s is still held down." % event for event in self.events_pressed()]

    def _find_touched(self):  # type: () -> FrozenSet[str]
        """Return the sensors that are touched, and their parts of the body."""
        sensors = [sensor for sensor, event in self._sensors.items() if self._pressed[event]]
        return frozenset(sensors + [_PARTS[sensor.split("/")[0]] for sensor in sensors])

    def _change(self, event, pressed):  # type: (str, bool) -> None
        if event not in self._pressed:
            raise ValueError("the robot has no touch event %r, known are: %s" % (event, ", ".join(self._pressed)))
        self._pressed[event] = pressed
        self.world.trace.note("touch", sensor=event, pressed=pressed)
        self.world.memory.raiseEvent(event, 1.0 if pressed else 0.0)
        if event in self._sensors.values():
            # Sensors that are touched in one instant, as by a hand on the whole head, come in one TouchChanged.
            self.world.clock.call_later(0.0 if pressed else _END_S, self._tell)

    def _tell(self):  # type: () -> None
        """Raise TouchChanged if other parts and sensors are touched than in the last event; parts come first."""
        touched, before = self._find_touched(), self._told
        if touched == before:
            return
        self._told = touched
        names = sorted((name for name in self._order if name in touched | before), key=lambda name: "/" in name)
        rows = [[name, True, list(_BY_SENSORS)] if name in touched else [name, False] for name in names]
        self.world.memory.raiseEvent("TouchChanged", rows)
