"""The keys of the devices, `Device/SubDeviceList/...`: joints, inertial unit, feet, sonars, touch and battery.

Joints, inertial unit and touch follow the body; the others have the values of a robot that stands in an empty room with
a full battery. A value that a program stores under a key of this kind is read from then on.
"""
from __future__ import absolute_import, division, print_function

from functools import partial

from almath import Position3D, position6DFromTransform, rotationFromTransform
from naosim.body import joints, masses, skeleton

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Mapping

    from naosim.body.body import Body

PREFIX = "Device/SubDeviceList/"
WARM = 38.0  # degrees Celsius of a joint at rest
GRAVITY = 9.81
NO_ECHO = 5.0  # metres
ECHOES = [""] + [str(number) for number in range(1, 10)]
#: The sensors that people touch, and the events that tell of them.
TOUCHED = {
    "Head/Touch/Front": "FrontTactilTouched", "Head/Touch/Middle": "MiddleTactilTouched",
    "Head/Touch/Rear": "RearTactilTouched", "LHand/Touch/Back": "HandLeftBackTouched",
    "LHand/Touch/Left": "HandLeftLeftTouched", "LHand/Touch/Right": "HandLeftRightTouched",
    "RHand/Touch/Back": "HandRightBackTouched", "RHand/Touch/Left": "HandRightLeftTouched",
    "RHand/Touch/Right": "HandRightRightTouched", "LFoot/Bumper/Left": "LeftBumperPressed",
    "LFoot/Bumper/Right": "LeftBumperPressed", "RFoot/Bumper/Left": "RightBumperPressed",
    "RFoot/Bumper/Right": "RightBumperPressed", "ChestBoard/Button": "ChestButtonPressed",
}


class DeviceKeys(object):
    """What is read under each key of a device; `values` are those of ALMemory, for the events of touch."""

    def __init__(self, body, values):
        # type: (Body, Mapping[str, Any]) -> None
        self._body, self._values = body, values
        self._reads = {}  # type: Dict[str, Callable[[], Any]]
        for joint in joints.BODY:
            self._add_joint(joint)
        for axis in "XYZ":
            self._add_inertial(axis)
        for place, event in TOUCHED.items():
            self._add("%s/Sensor/Value" % place, partial(self._touched, event))

    def __contains__(self, key):
        # type: (object) -> bool
        return key in self._reads or key in CONSTANTS

    def names(self):
        # type: () -> List[str]
        """List the keys."""
        return list(self._reads) + list(CONSTANTS)

    def read(self, key):
        # type: (str) -> Any
        """Return the value under a key now."""
        return self._reads[key]() if key in self._reads else CONSTANTS[key]

    def _add(self, name, read):
        # type: (str, Callable[[], Any]) -> None
        self._reads[PREFIX + name] = read

    def _add_joint(self, joint):
        # type: (str) -> None
        body = self._body
        self._add(joint + "/Position/Actuator/Value", lambda: body.angle(joint))
        self._add(joint + "/Position/Sensor/Value", lambda: body.angle(joint))
        self._add(joint + "/Hardness/Actuator/Value", lambda: body.stiffness(joint))
        self._add(joint + "/ElectricCurrent/Sensor/Value", lambda: 0.0)
        self._add(joint + "/Temperature/Sensor/Value", lambda: WARM)
        self._add(joint + "/Temperature/Sensor/Status", lambda: 0)

    def _add_inertial(self, axis):
        # type: (str) -> None
        at = "XYZ".index(axis)
        self._add("InertialSensor/Angle%s/Sensor/Value" % axis, lambda: self._leaning()[at])
        self._add("InertialSensor/Accelerometer%s/Sensor/Value" % axis, lambda: self._pull()[at])
        self._add("InertialSensor/Gyroscope%s/Sensor/Value" % axis, lambda: 0.0)

    def _touched(self, event):
        # type: (str) -> float
        return float(self._values.get(event) or 0.0)

    def _leaning(self):
        # type: () -> List[float]
        """Return how the torso leans about x and y, and where the robot heads."""
        torso = skeleton.torso_in(skeleton.FRAME_WORLD, self._body.angles(), self._body.walk.place())
        return list(position6DFromTransform(torso).toVector()[3:])

    def _pull(self):
        # type: () -> List[float]
        """Return gravity, as the torso feels it."""
        ground = rotationFromTransform(skeleton.ground(self._body.angles()))
        return list((ground * Position3D(0.0, 0.0, -GRAVITY)).toVector())


def _constants():
    # type: () -> Dict[str, Any]
    weight = masses.mass("Body") / 2
    found = {"Battery/Charge/Sensor/Value": 1.0, "Battery/Current/Sensor/Value": 0.0,
             "Battery/Temperature/Sensor/Value": WARM}  # type: Dict[str, Any]
    for foot in ("LFoot", "RFoot"):
        for corner in ("FrontLeft", "FrontRight", "RearLeft", "RearRight"):
            found["%s/FSR/%s/Sensor/Value" % (foot, corner)] = weight / 4
        found["%s/FSR/TotalWeight/Sensor/Value" % foot] = weight
        for axis in "XY":
            found["%s/FSR/CenterOfPressure/%s/Sensor/Value" % (foot, axis)] = 0.0
    for side in ("Left", "Right"):
        found.update(("US/%s/Sensor/Value%s" % (side, echo), NO_ECHO) for echo in ECHOES)
    return {PREFIX + name: value for name, value in found.items()}


CONSTANTS = _constants()
