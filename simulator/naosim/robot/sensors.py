"""What a person sets of the robot's surroundings: events of its sensors, and the values of its devices behind them."""

from __future__ import absolute_import, division, print_function

import difflib

from naosim.compat import INTEGERS, natively, quoted
from naosim.errors import WrongUse
from naosim.services.memory.alvalue import NotAnALValue, stored
from naosim.services.memory.device_keys import KEYS, PREFIX, TOUCHED
from naosim.services.memory.events import FIRST, SPEECH, TOUCH, WRITERS
from naosim.services.sensing.people import PEOPLE, in_sight
from naosim.services.sensing.sightings import SIGHTS, seen

MYPY = False
if MYPY:
    from typing import Any

    from naosim.world.world import World

LONGEST_KEY = 200
CHARGE = PREFIX + "Battery/Charge/Sensor/Value"
#: Metres: the nearest and farthest echo, and how near something counts as an obstacle.
ECHOES, NEAR = (0.0, 10.0), 0.5
SONARS = {PREFIX + "US/%s/Sensor/Value" % side: side for side in ("Left", "Right")}
#: What stays in sight or near until it is set anew, for a service that starts later.
LASTING = frozenset(SIGHTS) | {PEOPLE} | {event for event, writer in WRITERS.items() if writer == "ALSonar"}
LIMITS = {"SonarLeftDetected": ECHOES, "SonarRightDetected": ECHOES, "BatteryChargeChanged": (0, 100)}
DEVICE_LIMITS = (("Battery/Charge/", (0.0, 1.0)), ("US/", ECHOES), ("/FSR/", (-50.0, 50.0)), ("", (-1e6, 1e6)))
#: Keys of a joint that only the joint itself can change.
OF_JOINTS = ("angle", "stiffness")


def checked(world, key, value):  # type: (World, Any, Any) -> tuple[str, Any]
    """Return the key and the value of an event as they are stored; raises WrongUse with a sentence for wrong ones."""
    key, value = natively(key), natively(value)
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY:
        raise WrongUse("the name of an event is a text of 1 to %d letters, not %s" % (LONGEST_KEY, quoted(key)))
    _check_key(world, key)
    try:
        if key == PEOPLE:
            in_sight(value)
            return key, value
        if key in SIGHTS:
            seen(world, key, value)
        elif key in TOUCH or (key.startswith(PREFIX) and KEYS[key][0] == "touch"):
            value = _within(value, (0, 1), "1 (touched) or 0")
        elif key in LIMITS:
            value = _within(value, LIMITS[key])
        elif key.startswith(PREFIX):
            value = float(_within(value, next(limits for part, limits in DEVICE_LIMITS if part in key)))
        return key, stored(value)
    except NotAnALValue as error:
        raise WrongUse("%s cannot take %s: %s" % (quoted(key), quoted(value), error))
    except ValueError as error:
        raise WrongUse("%s cannot be %s: %s" % (quoted(key), quoted(value), error))


def noticed(world, key):  # type: (World, str) -> bool
    """Tell whether an event of this name is noticed at the moment: the service that raises it, if any, runs."""
    writer = world.services.get(WRITERS.get(key, ""))
    return writer is None or key in SPEECH or bool(writer.is_running)


def is_awaited(world, key):  # type: (World, str) -> bool
    """Tell whether anyone listens to an event, or the service that raises it runs."""
    return bool(world.memory.is_heard(key)) or (WRITERS.get(key, "") in world.services and noticed(world, key))


def happen(world, key, value):  # type: (World, str, Any) -> None
    """Let an event that was checked happen: set the devices behind it, and raise it when it is noticed."""
    if key == PEOPLE:
        world.people = in_sight(value)
        value = sorted(world.people)
    value = seen(world, key, value) if key in SIGHTS else value
    is_noticed = noticed(world, key)
    world.trace.note("event", key=key, value=value, noticed=is_noticed)
    if key in LASTING:
        world.sights[key] = value
    if key.startswith(PREFIX):
        _set_device(world, key, value)
    elif is_noticed:
        world.memory.raiseEvent(key, value)
    elif key == PEOPLE:
        # On a robot that is alive ALBasicAwareness keeps ALPeoplePerception running: programs only read the key.
        world.memory.insertData(key, value)
    if key == "BatteryChargeChanged":
        world.memory.insertData(CHARGE, value / 100.0)
    elif key in ("SonarLeftDetected", "SonarRightDetected"):
        world.memory.insertData(PREFIX + "US/%s/Sensor/Value" % ("Left" if "Left" in key else "Right"), float(value))


def touch_behind(key):  # type: (str) -> str
    """Return the event of touch that a key stands for, itself or that of its device; "" for every other key."""
    if key in TOUCH:
        return key
    return TOUCHED.get(key[len(PREFIX) : -len("/Sensor/Value")], "") if key.startswith(PREFIX) else ""


def _set_device(world, key, value):  # type: (World, str, float) -> None
    """Set the value of a device, and raise the event that follows from it."""
    world.memory.insertData(key, value)
    if key == CHARGE:
        world.memory.raiseEvent("BatteryChargeChanged", int(100 * value + 0.5))
    elif key in SONARS:
        for kind, is_so in (("Detected", value <= NEAR), ("NothingDetected", value > NEAR)):
            event = "Sonar%s%s" % (SONARS[key], kind)
            world.sights.pop(event, None)
            if is_so:
                world.sights[event] = value
                if noticed(world, event):
                    world.memory.raiseEvent(event, value)


def _check_key(world, key):  # type: (World, str) -> None
    """Refuse a device that the robot lacks, a joint's key, and what looks like a slip in the name of an event."""
    if key in FIRST or world.memory.is_heard(key):
        return
    if key.startswith("Device/"):
        near = difflib.get_close_matches(key, [name for name in KEYS if name.startswith(PREFIX)], 1, 0.6)
        if key not in KEYS:
            raise WrongUse("the robot has no device %s%s" % (quoted(key), _instead(near)))
        if KEYS[key][0] in OF_JOINTS:
            raise WrongUse("%s follows the body: move it by ALMotion" % quoted(key))
        return
    near = difflib.get_close_matches(key, sorted(FIRST), 1, 0.88)
    if near and key not in world.memory.getEventList():
        raise WrongUse("the robot has no event %s%s" % (quoted(key), _instead(near)))


def _instead(near):  # type: (list[str]) -> str
    return ": do you mean %s?" % quoted(near[0]) if near else ""


def _within(value, limits, what=""):  # type: (Any, tuple[float, float], str) -> Any
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, (float,) + INTEGERS) or not limits[0] <= value <= limits[1]:  # type: ignore[operator]
        raise ValueError("it is %s" % (what or "a number from %g to %g" % limits))
    return value
