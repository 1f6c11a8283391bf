"""The keys that are there from the start: of the devices, `Device/SubDeviceList/...`, and of the robot's own events.

Joints, inertial unit, feet and touch follow the body; the others have the values of a robot in an empty room with a
full battery. A value that a program stores under a key of this kind, or a person sets, is read from then on.
"""

from __future__ import absolute_import, division, print_function

from almath import Position3D, position6DFromTransform, rotationFromTransform
from naosim import kinematics
from naosim.kinematics import FOOT_SENSORS, centre_of_pressure, foot_weights
from naosim.services.memory.events import FIRST

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Mapping, Tuple

    from naosim.body import Body

PREFIX = "Device/SubDeviceList/"
WARM = 38.0  # degrees Celsius of a joint at rest
GRAVITY = 9.81
NO_ECHO = 5.0  # metres
ECHOES = [""] + [str(number) for number in range(1, 10)]
#: The sensors that people touch, and the events that tell of them.
TOUCHED = {
    "Head/Touch/Front": "FrontTactilTouched",
    "Head/Touch/Middle": "MiddleTactilTouched",
    "Head/Touch/Rear": "RearTactilTouched",
    "LHand/Touch/Back": "HandLeftBackTouched",
    "LHand/Touch/Left": "HandLeftLeftTouched",
    "LHand/Touch/Right": "HandLeftRightTouched",
    "RHand/Touch/Back": "HandRightBackTouched",
    "RHand/Touch/Left": "HandRightLeftTouched",
    "RHand/Touch/Right": "HandRightRightTouched",
    "LFoot/Bumper/Left": "LeftBumperPressed",
    "LFoot/Bumper/Right": "LeftBumperPressed",
    "RFoot/Bumper/Left": "RightBumperPressed",
    "RFoot/Bumper/Right": "RightBumperPressed",
    "ChestBoard/Button": "ChestButtonPressed",
}


class DeviceKeys(object):
    """What is read under each key of a device; `values` are those of ALMemory, for the events of touch."""

    def __init__(self, body, values):  # type: (Body, Mapping[str, Any]) -> None
        self._body, self._values = body, values

    def __contains__(self, key):  # type: (object) -> bool
        return key in KEYS

    def names(self):  # type: () -> List[str]
        """List the keys."""
        return list(KEYS)

    def read(self, key):  # type: (str) -> Any
        """Return the value under a key now."""
        kind, what = KEYS[key]
        if kind == "constant":
            return list(what) if isinstance(what, list) else what
        if kind == "angle":
            return self._body.angle(what)
        if kind == "stiffness":
            return self._body.stiffness(what)
        if kind == "touch":
            return float(self._values.get(what) or 0.0)
        if kind == "weight":
            return foot_weights(self._body.angles())[what]
        if kind == "pressure":
            return centre_of_pressure(self._body.angles(), *what)
        return (self._leaning() if kind == "lean" else self._pull())[what]

    def _leaning(self):  # type: () -> List[float]
        """Return how the torso leans about x and y, and where the robot heads."""
        torso = kinematics.torso_transform(kinematics.FRAME_WORLD, self._body.angles(), self._body.walk.place())
        return list(position6DFromTransform(torso).toVector()[3:])

    def _pull(self):  # type: () -> List[float]
        """Return gravity, as the torso feels it."""
        ground = rotationFromTransform(kinematics.ground_frame(self._body.angles()))
        return list((ground * Position3D(0.0, 0.0, -GRAVITY)).toVector())


def _keys():  # type: () -> Dict[str, Tuple[str, Any]]
    """List what is read under each key: a kind, and a joint, an event, an axis or the value itself."""
    found = {name: ("constant", value) for name, value in _constants().items()}  # type: Dict[str, Tuple[str, Any]]
    for joint in kinematics.BODY:
        found.update(
            {
                joint + "/Position/Actuator/Value": ("angle", joint),
                joint + "/Position/Sensor/Value": ("angle", joint),
                joint + "/Hardness/Actuator/Value": ("stiffness", joint),
            }
        )
    for at, axis in enumerate("XYZ"):
        found["InertialSensor/Angle%s/Sensor/Value" % axis] = "lean", at
        # The second name is that of NAOqi 1.
        for name in ("Accelerometer", "Acc"):
            found["InertialSensor/%s%s/Sensor/Value" % (name, axis)] = "pull", at
    found.update(("%s/Sensor/Value" % place, ("touch", event)) for place, event in TOUCHED.items())
    for name in FOOT_SENSORS:
        found["%s/Sensor/Value" % name] = "weight", name
    for foot in ("LFoot", "RFoot"):
        found["%s/FSR/TotalWeight/Sensor/Value" % foot] = "weight", foot
        for at, axis in enumerate("XY"):
            found["%s/FSR/CenterOfPressure/%s/Sensor/Value" % (foot, axis)] = "pressure", (foot, at)
    return {PREFIX + name: what for name, what in found.items()}


def _constants():  # type: () -> Dict[str, Any]
    found = {
        "Battery/Charge/Sensor/Value": 1.0,
        "Battery/Current/Sensor/Value": 0.0,
        "Battery/Temperature/Sensor/Value": WARM,
    }  # type: Dict[str, Any]
    for side in ("Left", "Right"):
        found.update(("US/%s/Sensor/Value%s" % (side, echo), NO_ECHO) for echo in ECHOES)
    for joint in kinematics.BODY:
        found.update(
            {
                joint + "/ElectricCurrent/Sensor/Value": 0.0,
                joint + "/Temperature/Sensor/Value": WARM,
                joint + "/Temperature/Sensor/Status": 0,
            }
        )
    found.update(
        ("InertialSensor/%s%s/Sensor/Value" % (name, axis), 0.0) for name in ("Gyroscope", "Gyr") for axis in "XYZ"
    )
    return found


KEYS = _keys()
KEYS.update((event, ("constant", value)) for event, value in FIRST.items())
KEYS.update({"leftFootTotalWeight": ("weight", "LFoot"), "rightFootTotalWeight": ("weight", "RFoot")})
