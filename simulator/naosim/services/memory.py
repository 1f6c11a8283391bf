"""ALMemory: the robot's keys, values and events, and the programs that subscribe to events.

A subscription to an event starts the service that writes it. Values are checked and copied when they are stored. The
keys of devices follow the simulated body.
"""

from __future__ import absolute_import, division, print_function

import math
from types import MethodType

from almath import Position3D, position6DFromTransform, rotationFromTransform
from naosim.body import Body
from naosim.compat import INTEGERS
from naosim.models import FRAME_WORLD, NAO, PEPPER, Model
from naosim.scheduler import SimEvent
from naosim.services.base import Service, is_numpy_scalar, overloads, split_signature
from naosim.world import World, call_guarded, find_callback, is_outside

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

    from naosim.compat import ALValue

# Values that ALMemory can hold.

_MAX_VALUE_DEPTH = 20  # lists in lists
_MAX_VALUE_ITEMS = 100000  # entries of one list
_MIN_INTEGER = -(2**31)
_MAX_INTEGER = 2**31 - 1
_PLAIN_TYPES = frozenset([str, float, bool, type(None), bytearray])


class NotAnALValue(ValueError):
    """The value has a type or a size that the robot's memory cannot hold."""


def to_alvalue(value, depth=0):  # type: (Any, int) -> ALValue
    """Copy a value as the robot's memory does; raise NotAnALValue for a value that it cannot hold.

    >>> to_alvalue(("yes", [1, 0.5, None]))
    ['yes', [1, 0.5, None]]
    """
    kind = type(value)
    if kind in _PLAIN_TYPES:
        return value
    if isinstance(value, INTEGERS):
        if not _MIN_INTEGER <= value <= _MAX_INTEGER:
            raise NotAnALValue("integer %d does not fit into the robot's 32 bits" % value)
        return int(value)
    if isinstance(value, float):
        return float(value)
    if kind is list or isinstance(value, tuple):
        if depth >= _MAX_VALUE_DEPTH or len(value) > _MAX_VALUE_ITEMS:
            raise NotAnALValue("lists may be %d deep and hold %d entries" % (_MAX_VALUE_DEPTH, _MAX_VALUE_ITEMS))
        return [to_alvalue(item, depth + 1) for item in value]
    if is_numpy_scalar(value):
        return value.item()
    raise NotAnALValue("%s %.60r is not text, a number, a bool or a list of those" % (kind.__name__, value))


def copy_alvalue(value):  # type: (ALValue) -> ALValue
    """Copy nested lists of values that `to_alvalue` has already checked."""
    return [copy_alvalue(item) for item in value] if type(value) is list else value


# The services that write events.

SPEECH_EVENTS = ("WordRecognized", "WordRecognizedAndGrammar", "SpeechDetected")

#: The touch events of all robots; `touch_sensors` of a model has its own.
TOUCH_SENSOR_EVENTS = tuple(NAO.touch_sensors) + tuple(set(PEPPER.touch_sensors) - set(NAO.touch_sensors))

_WRITERS = """
    FaceDetected ALFaceDetection, PictureDetected ALVisionRecognition, redBallDetected ALRedBallDetection,
    LandmarkDetected ALLandMarkDetection, MovementDetection/MovementDetected ALMovementDetection,
    SoundDetected ALSoundDetection, ALSoundLocalization/SoundLocated ALSoundLocalization, SonarLeftDetected ALSonar,
    SonarRightDetected ALSonar, SonarLeftNothingDetected ALSonar, SonarRightNothingDetected ALSonar,
    BarcodeReader/BarcodeDetected ALBarcodeReader, DarknessDetection/DarknessDetected ALDarknessDetection,
    PeoplePerception/PeopleList ALPeoplePerception, PeoplePerception/JustArrived ALPeoplePerception,
    FaceCharacteristics/PersonSmiling ALFaceCharacteristics, EngagementZones/PersonEnteredZone1 ALEngagementZones
"""
EVENT_WRITERS = dict(pair.split() for pair in _WRITERS.split(","))
EVENT_WRITERS.update((event, "ALSpeechRecognition") for event in SPEECH_EVENTS)

#: Events whose keys exist from the start, with their first values.
INITIAL_VALUES = dict.fromkeys(TOUCH_SENSOR_EVENTS, 0.0)  # type: Dict[str, object]
INITIAL_VALUES.update((event, []) for event, writer in EVENT_WRITERS.items() if writer != "ALSonar")
INITIAL_VALUES.update(
    {
        "SonarLeftDetected": None,
        "SonarRightDetected": None,
        "SonarLeftNothingDetected": None,
        "SonarRightNothingDetected": None,
        "TouchChanged": [],
        "robotHasFallen": False,
        "footContact": 1.0,
        "BatteryChargeChanged": 100,
        "BatteryLowDetected": False,
        "BatteryFullChargedFlagChanged": True,
        "BatteryPowerPluggedChanged": False,
        "BodyStiffnessChanged": True,
        # A robot has these values after every text; that it begins with them is our guess.
        "ALTextToSpeech/TextStarted": 0,
        "ALTextToSpeech/TextDone": 1,
        "ALTextToSpeech/TextInterrupted": 0,
        "ALTextToSpeech/CurrentSentence": "",
        "ALTextToSpeech/CurrentWord": "",
        "ALTextToSpeech/PositionOfCurrentWord": 0,
        "ALTextToSpeech/CurrentBookMark": 0,
    }
)


# The robot's own keys: devices (`Device/SubDeviceList/...`) and events. Joints, inertial unit, feet and touch follow
# the body; the others have the values of a robot in an empty room with a full battery. A stored value replaces them.

DEVICE_PREFIX = "Device/SubDeviceList/"
_JOINT_TEMPERATURE_C = 38.0  # of a joint at rest
_GRAVITY = 9.81  # metres per second squared
_NO_ECHO_M = 5.0  # distance that a sonar measures in an empty room
_ECHO_SUFFIXES = [""] + [str(number) for number in range(1, 10)]
#: Pepper's lasers: the number of segments of each, which lie next to each other from left to right.
_LASERS = {"Front/Horizontal": 15, "Left/Horizontal": 15, "Right/Horizontal": 15, "Front/Shovel": 3}
_LASERS.update({"Front/Vertical/Left": 1, "Front/Vertical/Right": 1})
_LASER_STEP_RAD = math.radians(4)  # between two segments


class _DeviceKeys(object):
    """The values under the keys of a body's devices; `values` are those of ALMemory, for the events of touch."""

    def __init__(self, body, values):  # type: (Body, Mapping[str, Any]) -> None
        self._body, self._values, self.kinds = body, values, built_in_keys(body.model)

    def __contains__(self, key):  # type: (ALValue) -> bool
        return key in self.kinds

    def names(self):  # type: () -> List[str]
        return list(self.kinds)

    def read(self, key):  # type: (str) -> ALValue
        kind, what = self.kinds[key]
        model = self._body.model
        if kind == "constant":
            return list(what) if isinstance(what, list) else what
        if kind == "angle":
            return self._body.angle(what)
        if kind == "wheel":
            return model.wheel_speed(what, self._body.walk.velocity())
        if kind == "stiffness":
            return self._body.stiffness(what)
        if kind == "touch":
            return float(self._values.get(what) or 0.0)
        if kind == "weight":
            return model.foot_weights(self._body.angles())[what]
        if kind == "pressure":
            return model.centre_of_pressure(self._body.angles(), *what)
        return (self._measure_lean() if kind == "lean" else self._pull())[what]

    def _measure_lean(self):  # type: () -> List[float]
        """Return how the torso leans about x and y, and where the robot heads."""
        torso = self._body.model.torso_transform(FRAME_WORLD, self._body.angles(), self._body.walk.place())
        return list(position6DFromTransform(torso).toVector()[3:])

    def _pull(self):  # type: () -> List[float]
        """Return gravity, as the torso feels it."""
        ground = rotationFromTransform(self._body.model.ground_frame(self._body.angles()))
        return list((ground * Position3D(0.0, 0.0, -_GRAVITY)).toVector())


def built_in_keys(model):  # type: (Model) -> Dict[str, Tuple[str, Any]]
    """Map each key of a body to a kind and a joint, event, axis or the constant itself; do not change the dict."""
    if model not in _KEYS:
        found = {DEVICE_PREFIX + name: what for name, what in _list_devices(model).items()}
        missing = set(TOUCH_SENSOR_EVENTS) - set(model.touch_sensors)
        found.update((event, ("constant", value)) for event, value in INITIAL_VALUES.items() if event not in missing)
        if model.foot_sensors:
            found.update({"leftFootTotalWeight": ("weight", "LFoot"), "rightFootTotalWeight": ("weight", "RFoot")})
        for kind in ("Sensor", "Command"):
            found.update(("Motion/Position/%s/%s" % (kind, joint), ("angle", joint)) for joint in model.body)
        _KEYS[model] = found
    return _KEYS[model]


_KEYS = {}  # type: Dict[Model, Dict[str, Tuple[str, object]]]


def _list_devices(model):  # type: (Model) -> Dict[str, Tuple[str, ALValue]]
    found = {name: ("constant", value) for name, value in _list_constants(model).items()}  # type: Dict[str, Tuple[str, object]]
    wheels = model.chains.get("Wheels", [])
    for joint in model.body:
        # Wheels have a speed instead of an angle.
        way, kind, stiffness = ("Speed", "wheel", "Stiffness") if joint in wheels else ("Position", "angle", "Hardness")
        found["%s/%s/Actuator/Value" % (joint, way)] = found["%s/%s/Sensor/Value" % (joint, way)] = kind, joint
        found["%s/%s/Actuator/Value" % (joint, stiffness)] = "stiffness", joint
    for at, axis in enumerate("XYZ"):
        found["InertialSensor/Angle%s/Sensor/Value" % axis] = "lean", at
        # The second name is that of NAOqi 1.
        for name in ("Accelerometer", "Acc"):
            found["InertialSensor/%s%s/Sensor/Value" % (name, axis)] = "pull", at
    for event, sensor in model.touch_sensors.items():
        if sensor.startswith("Bumper/"):
            devices = ["Platform/%s/Bumper" % sensor[len("Bumper/") :]]
        else:
            # A bumper has a device on either side of the foot.
            devices = [sensor + "/Left", sensor + "/Right"] if sensor.endswith("/Bumper") else [sensor]
        found.update(("%s/Sensor/Value" % device, ("touch", event)) for device in devices)
    for name in model.foot_sensors:
        found["%s/Sensor/Value" % name] = "weight", name
        foot = name.split("/")[0]
        found["%s/FSR/TotalWeight/Sensor/Value" % foot] = "weight", foot
        for at, axis in enumerate("XY"):
            found["%s/FSR/CenterOfPressure/%s/Sensor/Value" % (foot, axis)] = "pressure", (foot, at)
    return found


def _list_constants(model):  # type: (Model) -> Dict[str, ALValue]
    found = {
        "Battery/Charge/Sensor/Value": 1.0,
        "Battery/Current/Sensor/Value": 0.0,
        "Battery/Temperature/Sensor/Value": _JOINT_TEMPERATURE_C,
    }  # type: Dict[str, object]
    for joint in model.body:
        found[joint + "/ElectricCurrent/Sensor/Value"] = 0.0
        found[joint + "/Temperature/Sensor/Value"] = _JOINT_TEMPERATURE_C
        found[joint + "/Temperature/Sensor/Status"] = 0
    for name in ("Gyroscope", "Gyr"):
        found.update(("InertialSensor/%s%s/Sensor/Value" % (name, axis), 0.0) for axis in "XYZ")
    if "Sonar/Left" in model.sensors:
        for side in ("Left", "Right"):
            found.update(("US/%s/Sensor/Value%s" % (side, echo), _NO_ECHO_M) for echo in _ECHO_SUFFIXES)
        return found
    found.update(("Platform/%s/Sonar/Sensor/Value" % side, _NO_ECHO_M) for side in ("Front", "Back"))
    for laser, count in _LASERS.items():
        for at in range(count):
            angle = ((count - 1) / 2 - at) * _LASER_STEP_RAD
            for axis, value in (("X", math.cos(angle)), ("Y", math.sin(angle))):
                key = "Platform/LaserSensor/%s/Seg%02d/%s/Sensor/Value" % (laser, at + 1, axis)
                found[key] = _NO_ECHO_M * value
    return found


# Signals of events.


class _EventSignal(object):
    """The `signal` of an event: callbacks connect to it and are called with only the value.

    `family` holds the events of all signals of one service: as in libqi, each of them can end the links of the others.
    """

    def __init__(self, memory, event):  # type: (ALMemory, str) -> None
        self._memory, self._event = memory, event
        self.family = ()  # type: Sequence[str]

    def connect(self, callback):  # type: (Callable[[object], object]) -> int
        """Call `callback(value)` on every event from now on, and return the id of the link."""
        if not callable(callback):
            raise RuntimeError("\tSignal::connect\n\t%r cannot be called" % (callback,))
        return int(self._memory.link(self._event, callback))

    def disconnect(self, link):  # type: (int) -> bool
        """End a link; raise RuntimeError for an id that is not connected."""
        others = (event for event in self.family if link in self._memory.links(event))
        self._memory.unlink(next(others, self._event), link)
        return True

    def disconnectAll(self):  # type: () -> bool
        """End all links of callbacks to this event."""
        for link in self._memory.links(self._event):
            self._memory.unlink(self._event, link)
        return True


class Subscriber(object):
    """The result of ALMemory.subscriber: an object with the `signal` of one event."""

    def __init__(self, memory, event):  # type: (ALMemory, str) -> None
        self.signal = _EventSignal(memory, event)


# ALMemory.

_SHORT_CALLBACK = 3  # arguments of a callback without a value: the object, the event and the message
_VARIADIC = 0x04  # the flag in `co_flags` of a function with *args
_MAX_CHANGE_S = 600.0  # seconds that a program waits for a value to change

if MYPY:
    Subscription = Tuple[str, str, str]  # module, method, message


class ALMemory(Service):
    """The robot's shared memory; events reach their subscribers through the clock, never by a nested call."""

    _hidden = frozenset(["stopAll", "link", "links", "unlink"])

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._values = {}  # type: Dict[str, object]
        self._devices = _DeviceKeys(world.body, self._values)
        self._events = {}  # type: Dict[str, str]
        self._subscriptions = {}  # type: Dict[str, List[Subscription]]
        self._links = {}  # type: Dict[str, Dict[int, Callable[[object], object]]]
        self._links_made = 0
        self._times = {}  # type: Dict[str, float]
        self._descriptions = {}  # type: Dict[str, str]
        self._changed = {}  # type: Dict[str, SimEvent]
        self._mappings = {}  # type: Dict[str, Dict[str, str]]

    def insertData(self, key, value):  # type: (str, ALValue) -> None
        """Store a value without raising an event."""
        if type(key) is not str:
            self._text(key, "insertData")
        self._values[key] = value if type(value) in _PLAIN_TYPES else self._convert_value(value, "insertData")
        self._times[key] = self.world.clock.now()
        if key in self._changed:
            self._changed.pop(key).set()

    def getData(self, key, period=0):  # type: (str, int) -> ALValue
        """Return a value; raise RuntimeError if nothing was stored under the key."""
        if type(key) is str and key in self._values:
            value = self._values[key]
            return copy_alvalue(value) if type(value) is list else value
        if type(key) is str and key in self._devices:
            return self._devices.read(key)
        raise self._make_missing_error(key, "getData")

    def getTimestamp(self, key):  # type: (str) -> Any
        """Return a value, and the second and the microsecond in which it was stored; devices have those of now."""
        value = self.getData(key)
        time = self.world.clock.now() if key.startswith(DEVICE_PREFIX) else self._times.get(key, 0.0)
        return [value, int(time), int(time % 1 * 1e6)]

    def getEventHistory(self, event):  # type: (str) -> ALValue
        """Return the last value of an event with its time: older ones are not kept."""
        value, second, microsecond = self.getTimestamp(self._text(event, "getEventHistory"))
        return [[value, second, microsecond]]

    def getDataOnChange(self, key, period):  # type: (str, int) -> ALValue
        """Wait until a value is stored under a key, at most ten minutes, and return it."""
        self._number(period, "getDataOnChange", 1)
        changed = self._changed.setdefault(self._text(key, "getDataOnChange"), SimEvent(self.world.clock))
        self._take_time(_MAX_CHANGE_S, changed)
        return self.getData(key)

    def setDescription(self, key, description):  # type: (str, str) -> None
        """Describe a key."""
        self._descriptions[self._text(key, "setDescription")] = self._text(description, "setDescription", 1)

    def getDescriptionList(self, keys):  # type: (List[str]) -> ALValue
        """List the type and the description of keys, of all that are described for an empty list."""
        wanted = self._texts(keys, "getDescriptionList") or sorted(self._descriptions)
        return [[key, self.getType(key), self._descriptions.get(key, "")] for key in wanted]

    def getExtractorEvent(self, service):  # type: (str) -> List[str]
        """List the events that a service writes."""
        self._text(service, "getExtractorEvent")
        return sorted(event for event, writer in EVENT_WRITERS.items() if writer == service)

    def removeEvent(self, event):  # type: (str) -> None
        """Forget an event and its value; raise RuntimeError if there is none."""
        self.removeData(event)
        self._events.pop(event, None)

    removeMicroEvent = removeEvent

    def unregisterModuleReference(self, module):  # type: (str) -> None
        """End all subscriptions of a module."""
        self._text(module, "unregisterModuleReference")
        for event in [event for event in self.list_heard_events() if module in self.getSubscribers(event)]:
            self.unsubscribeToEvent(event, module)

    @overloads("s s s", "s {ss}")
    def addMapping(self, service, first, second=None):  # type: (str, ALValue, ALValue) -> None
        """Keep that values of a service have keys in ALMemory: (service, member, key) or (service, a map of them)."""
        given = first if second is None else {self._text(first, "addMapping", 1): self._text(second, "addMapping", 2)}
        if not isinstance(given, dict):
            raise self._make_type_error(given, "Map", "addMapping", 1)
        self._mappings.setdefault(self._text(service, "addMapping"), {}).update(given)

    def removeData(self, key):  # type: (str) -> None
        """Remove a value; raise RuntimeError if there is none."""
        if self._text(key, "removeData") not in self._values:
            raise self._make_missing_error(key, "removeData")
        del self._values[key]

    def getDataListName(self):  # type: () -> List[str]
        """List every key."""
        return sorted(set(self._values).union(self._devices.names()))

    def getDataList(self, part):  # type: (str) -> List[str]
        """List the keys that contain a text."""
        part = self._text(part, "getDataList")
        return [key for key in self.getDataListName() if part in key]

    def getListData(self, keys):  # type: (ALValue) -> List[ALValue]
        """Return several values, None for a key that is missing."""
        stored, devices = self._values, self._devices
        wanted = [(key, key in devices and key not in stored) for key in self._texts(keys, "getListData")]
        return [devices.read(key) if is_device else copy_alvalue(stored.get(key)) for key, is_device in wanted]

    def insertListData(self, pairs):  # type: (List[List[ALValue]]) -> None
        """Store several [key, value] pairs."""
        for pair in self._list(pairs, "insertListData"):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise self._error("insertListData", "%.60r is not a [key, value] pair." % (pair,))
            self.insertData(pair[0], pair[1])

    def getType(self, key):  # type: (str) -> str
        """Return whether a key is "Data", an "Event" or a "MicroEvent"; raise RuntimeError for an unknown key."""
        if self._text(key, "getType") in self._events:
            return self._events[key]
        if key in INITIAL_VALUES or key in self._links:
            return "Event"
        if key in self._values or key in self._devices:
            return "Data"
        raise self._make_missing_error(key, "getType")

    def declareEvent(self, event, module=None):  # type: (str, Optional[str]) -> None
        """Declare an event before it is first raised."""
        if module is not None:
            self._text(module, "declareEvent", 1)
        self._events.setdefault(self._text(event, "declareEvent"), "Event")

    def raiseEvent(self, event, value):  # type: (str, ALValue) -> None
        """Store a value and notify every subscriber."""
        self.insertData(event, value)
        self._events.setdefault(event, "Event")
        self._tell(event)

    def raiseMicroEvent(self, event, value):  # type: (str, ALValue) -> None
        """Store a value and notify every subscriber; no history is kept."""
        self.insertData(event, value)
        self._events.setdefault(event, "MicroEvent")
        self._tell(event)

    def getEventList(self):  # type: () -> List[str]
        """List the events known so far."""
        return sorted({event for event, kind in self._events.items() if kind == "Event"} | set(self._links))

    def getMicroEventList(self):  # type: () -> List[str]
        """List the micro-events known so far."""
        return sorted(event for event, kind in self._events.items() if kind == "MicroEvent")

    def subscribeToEvent(self, event, module, method, overload=None):  # type: (str, str, str, Optional[str]) -> None
        """Call `module.method(key, value, message)` on every event; of four arguments, message is third."""
        message, method = ("", method) if overload is None else (method, overload)
        self._subscribe("subscribeToEvent", event, module, method, message)
        self._events.setdefault(event, "Event")

    def subscribeToMicroEvent(self, event, module, message, method):  # type: (str, str, str, str) -> None
        """Call `module.method(key, value, message)` on every micro-event."""
        self._subscribe("subscribeToMicroEvent", event, module, method, message)
        self._events.setdefault(event, "MicroEvent")

    def unsubscribeToEvent(self, event, module):  # type: (str, str) -> None
        """End a subscription; raise RuntimeError if there is none."""
        rows = self._subscriptions.get(self._text(event, "unsubscribeToEvent"), [])
        left = [row for row in rows if row[0] != self._text(module, "unsubscribeToEvent", 1)]
        if len(left) == len(rows):
            raise self._error("unsubscribeToEvent", "Module %s is not subscribed to event %s." % (module, event))
        self._subscriptions[event] = left
        if not left:
            del self._subscriptions[event]
        self._wake(event, True)

    unsubscribeToMicroEvent = unsubscribeToEvent

    def getSubscribers(self, event):  # type: (str) -> List[str]
        """List the modules that are subscribed to an event, the robot's own first."""
        rows = self._subscriptions.get(self._text(event, "getSubscribers"), ())
        services = sorted(self.world.services.items())
        own = [name for name, service in services if event in getattr(service, "heard_events", ())]
        return own + [module for module, _, _ in rows]

    def subscriber(self, event):  # type: (str) -> Subscriber
        """Return an object whose `signal` is the event's."""
        return Subscriber(self, self._text(event, "subscriber"))

    def is_heard(self, event):  # type: (str) -> bool
        """Return whether an event has listeners: subscribed modules or connected callbacks."""
        return event in self._subscriptions or event in self._links

    def list_heard_events(self):  # type: () -> List[str]
        """List the events that have listeners."""
        return sorted(set(self._subscriptions) | set(self._links))

    def links(self, event):  # type: (str) -> List[int]
        """List the ids of the callbacks connected to an event's signal."""
        return sorted(self._links.get(event, ()))

    def link(self, event, callback):  # type: (str, Callable[[object], object]) -> int
        """Connect a callback to an event's signal and return the id of the link."""
        self._links_made += 1
        was_heard = self.is_heard(event)
        self._links.setdefault(event, {})[self._links_made] = callback
        self._wake(event, was_heard)
        return self._links_made

    def unlink(self, event, link):  # type: (str, int) -> None
        """Disconnect a callback from an event's signal; raise RuntimeError for an id that is not connected."""
        links = self._links.get(event, {})
        if links.pop(link, None) is None:
            raise RuntimeError("\tSignal::disconnect\n\tNo subscription with id %r on event %r" % (link, event))
        if not links:
            del self._links[event]
        self._wake(event, True)

    def signal_types(self, event):  # type: (str) -> Optional[List[str]]
        """Return the signature of each value of a service's signal, by its event "Service/signal"; None for others."""
        service, _, signal = event.partition("/")
        signature = getattr(self.world.services.get(service), "signals", {}).get(signal)
        return None if signature is None else split_signature(signature)

    def copy_values(self):  # type: () -> Dict[str, ALValue]
        """Return the values that were stored, by key, in a dict of its own; the values themselves are not copied."""
        return dict(self._values)

    def device_values(self):  # type: () -> Dict[str, ALValue]
        """Return the values of the devices that nobody has stored, by key."""
        return {key: self._devices.read(key) for key in self._devices.names() if key not in self._values}

    def leftovers(self):  # type: () -> List[str]
        """List subscriptions and connected callbacks, except those of programs outside the robot."""
        modules = [(row[0], event) for event in sorted(self._subscriptions) for row in self._subscriptions[event]]
        own = [pair for pair in modules if not is_outside(self.world.modules.get(pair[0]))]
        links = self._links
        counts = [(sum(not is_outside(each) for each in links[event].values()), event) for event in sorted(links)]
        sentences = ["Module %r is still subscribed to event %r." % pair for pair in own]
        return sentences + ["%d callback(s) are still connected to event %r." % pair for pair in counts if pair[0]]

    def _make_missing_error(self, key, method):  # type: (ALValue, str) -> RuntimeError
        return self._error(method, "Data not found: %s" % self._text(key, method))

    def _convert_value(self, value, method):  # type: (ALValue, str) -> ALValue
        try:
            return to_alvalue(value)
        except NotAnALValue as error:
            raise self._error(method, "Call argument number 1 conversion failure to ALValue: %s." % error)

    def _subscribe(self, call, event, module, method, message):  # type: (str, str, str, str, str) -> None
        for position, text in enumerate((event, module, method, message)):
            self._text(text, call, position)
        target = self.world.modules.get(module)
        if target is None:
            raise self._error(call, "Can't find service: %s" % module)
        if method.startswith("_") or not callable(getattr(target, method, None)):
            raise self._error(call, "Module %s has no bound method %s." % (module, method))
        was_heard = self.is_heard(event)
        # A second subscription of a module replaces its first one.
        others = [row for row in self._subscriptions.get(event, ()) if row[0] != module]
        self._subscriptions[event] = others + [(module, method, message)]
        self._wake(event, was_heard)

    def _wake(self, event, was_heard):  # type: (str, bool) -> None
        """Notify the service that writes an event when listeners have come or gone."""
        writer = self.world.services.get(EVENT_WRITERS.get(event, ""))
        follow_listeners = getattr(writer, "follow_listeners", None)
        if follow_listeners is not None:
            follow_listeners()

    def _tell(self, event):  # type: (str) -> None
        if event not in self._subscriptions and event not in self._links:
            return
        for row in self._subscriptions.get(event, ()):
            self.world.clock.call_soon(self._deliver, event, row, copy_alvalue(self._values[event]))
        for link in sorted(self._links.get(event, ())):
            self.world.clock.call_soon(self._deliver_link, event, link, copy_alvalue(self._values[event]))

    def _deliver(self, event, row, value):  # type: (str, Subscription, ALValue) -> None
        """Call one module, unless it unsubscribed or was removed while the event was under way."""
        module, method, message = row
        if row in self._subscriptions.get(event, ()) and module in self.world.modules:
            callback = find_callback(self.world, self.world.modules[module], method)
            # Stock boxes have callbacks without a value, for events that have none.
            takes = getattr(callback.__func__, "__code__", None) if isinstance(callback, MethodType) else None
            is_short = takes is not None and takes.co_argcount == _SHORT_CALLBACK and not takes.co_flags & _VARIADIC
            if callback is not None:
                call_guarded(self.world, callback, *((event, message) if is_short else (event, value, message)))

    def _deliver_link(self, event, link, value):  # type: (str, int, ALValue) -> None
        callback = self._links.get(event, {}).get(link)
        if callback is not None:
            arguments = [value] if is_outside(callback) else self._spread(event, value)
            call_guarded(self.world, callback, *arguments)

    def _spread(self, event, value):  # type: (str, ALValue) -> List[ALValue]
        """Return the arguments of a callback: a service's signal has as many as its signature, an event has one."""
        types = self.signal_types(event)
        count = 1 if types is None else len(types)
        return list(value) if count > 1 and isinstance(value, list) else [value][:count]
