"""ALMemory: the robot's keys, values and events, and the programs that subscribe to events.

A subscription to an event starts the service that writes it. Values are checked and copied when they are stored. The
keys of devices follow the simulated body.
"""

from __future__ import absolute_import, division, print_function

import math
from types import MethodType

from almath import Position3D, position6DFromTransform, rotationFromTransform
from naosim.compat import INTEGERS, NUMBER_TYPES
from naosim.models import FRAME_WORLD
from naosim.scheduler import SimEvent
from naosim.services.base import Service, is_numpy_scalar, overloads, split_signature
from naosim.services.memory_keys import DEVICE_PREFIX, EVENT_WRITERS, EVENTS_BY_WRITER, list_events, list_robot_keys
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
            raise NotAnALValue("lists can be nested %d deep and have %d entries" % (_MAX_VALUE_DEPTH, _MAX_VALUE_ITEMS))
        return [to_alvalue(item, depth + 1) for item in value]
    if is_numpy_scalar(value):
        return value.item()
    raise NotAnALValue("%s %.60r is not text, a number, a bool or a list of those" % (kind.__name__, value))


def copy_alvalue(value):  # type: (ALValue) -> ALValue
    """Copy nested lists of values that `to_alvalue` has already checked."""
    return [copy_alvalue(item) for item in value] if type(value) is list else value


# The robot's own keys. Those of joints, lights, inertial unit, feet and touch follow the body; a stored value replaces
# them.

_GRAVITY = 9.81  # metres per second squared
#: How far the torso leans forward in a lying posture, in radians.
_LYING_LEANS = {"LyingBelly": math.pi / 2, "LyingBack": -math.pi / 2}
_CHARGING_A = 5.7  # amperes into the battery, as recorded on a Pepper (labbgulab-lab/robot-hub, pepper.md)
_USED_A = -1.5  # amperes out of it without the charger: our guess
#: The sources of keys without a first value in the table.
_WRITTEN_LATER = ("nothing", "ALRobotPosture")


class _DeviceKeys(object):
    """The first values of the robot's keys, and the values of its devices; `values` are those of ALMemory."""

    def __init__(self, world, values):  # type: (World, Mapping[str, Any]) -> None
        self._clock, self._body, self._lights, self._values = world.clock, world.body, world.lights, values
        self._world = world
        self._keys = list_robot_keys(world.robot_type, world.naoqi)

    def __contains__(self, key):  # type: (str) -> bool
        return key in self._keys and self._keys[key].follows not in _WRITTEN_LATER

    def names(self):  # type: () -> List[str]
        return [name for name in self._keys if name in self]

    def read(self, key):  # type: (str) -> ALValue
        follows, part = self._keys[key][1:3]
        if follows == "constant":
            return list(part) if isinstance(part, list) else part
        model = self._body.model
        if follows == "angle":
            return self._body.angle(part)
        if follows == "speed":
            return self._body.speed(part)
        if follows == "wheel":
            return model.wheel_speed(part, self._body.walk.velocity())
        if follows == "stiffness":
            return self._body.stiffness(part)
        if follows == "touch":
            value = self._values.get(part)  # type: Any  # a program can write anything there
            return float(value) if type(value) in NUMBER_TYPES or type(value) is bool else 0.0
        if follows == "light":
            return self._lights.brightness(part)
        if follows == "weight":
            return 0.0 if self._world.posture in _LYING_LEANS else model.foot_weights(self._body.angles())[part]
        if follows == "pressure":
            lies = self._world.posture in _LYING_LEANS
            return 0.0 if lies else model.centre_of_pressure(self._body.angles(), *part)
        if follows == "clock":
            return int(1000 * self._clock.now())
        if follows in ("plug", "current"):
            is_plugged = bool(self._values.get("BatteryPowerPluggedChanged"))
            return float(is_plugged) if follows == "plug" else _CHARGING_A if is_plugged else _USED_A
        return (self._measure_lean() if follows == "lean" else self._pull())[part]

    def _measure_lean(self):  # type: () -> List[float]
        """Return the lean of the torso about x and y, and the heading of the robot."""
        torso = self._body.model.torso_transform(FRAME_WORLD, self._body.angles(), self._body.walk.place())
        roll, pitch, heading = position6DFromTransform(torso).toVector()[3:]
        lean = _LYING_LEANS.get(self._world.posture)
        return [roll, pitch, heading] if lean is None else [0.0, lean, heading]

    def _pull(self):  # type: () -> List[float]
        """Return gravity, as the torso feels it."""
        lean = _LYING_LEANS.get(self._world.posture)
        if lean is not None:
            return [math.copysign(_GRAVITY, lean), 0.0, 0.0]
        ground = rotationFromTransform(self._body.model.ground_frame(self._body.angles()))
        return list((ground * Position3D(0.0, 0.0, -_GRAVITY)).toVector())


# Signals of events.


class _EventSignal(object):
    """The `signal` of an event: callbacks connect to it and are called with only the value.

    `family` has the events of all signals of one service: as in libqi, each of them can end the links of the others.
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
        self._devices = _DeviceKeys(world, self._values)
        self._events = {}  # type: Dict[str, str]
        self._subscriptions = {}  # type: Dict[str, List[Subscription]]
        self._links = {}  # type: Dict[str, Dict[int, Callable[[object], object]]]
        self._links_made = 0
        #: The services of the robot that are subscribed to an event, by name.
        self._hearing = {}  # type: Dict[str, Dict[str, Service]]
        self._times = {}  # type: Dict[str, float]
        self._descriptions = {}  # type: Dict[str, str]
        self._changed = {}  # type: Dict[str, SimEvent]
        self._mappings = {}  # type: Dict[str, Dict[str, str]]

    def insertData(self, key, value):  # type: (str, ALValue) -> None
        """Store a value without raising an event."""
        if type(key) is not str:
            self._text(key, "insertData")
        kind, given = type(value), value  # type: Any, Any
        is_plain = kind in _PLAIN_TYPES or (kind is int and _MIN_INTEGER <= given <= _MAX_INTEGER)
        self._values[key] = value if is_plain else self._convert_value(value, "insertData")
        self._times[key] = self.world.clock.now()
        if key in self._changed:
            self._changed.pop(key).set()

    def getData(self, key, period=0):  # type: (str, int) -> ALValue
        """Return a value; raise RuntimeError if the key has no value."""
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
        """Return the last value of an event with its time; older ones are not stored."""
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
        return list(EVENTS_BY_WRITER.get(service, ()))

    def removeEvent(self, event):  # type: (str) -> None
        """Forget an event and its value; raise RuntimeError if none exists."""
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
        """Remove a value; raise RuntimeError if none exists."""
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
        if key in list_events() or key in self._links:
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
        if event not in self._events:
            self._events[event] = "Event"
        # Of the hundreds of events of a game, few are heard.
        if event in self._hearing or event in self._subscriptions or event in self._links:
            self._tell(event)

    def raiseMicroEvent(self, event, value):  # type: (str, ALValue) -> None
        """Store a value and notify every subscriber, without a history."""
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
        """End a subscription; raise RuntimeError if none exists."""
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
        return sorted(self._hearing.get(event, ())) + [module for module, _, _ in rows]

    def hear_for(self, service, events):  # type: (Service, Sequence[str]) -> None
        """Subscribe a service of the robot to these events, and to no others: each calls its `take_event`, if any.

        Such a subscription is not a listener that a program could wait for: `is_heard` and `leftovers` leave it out.
        """
        before = [event for event, services in self._hearing.items() if service.name in services]
        for event in before:
            del self._hearing[event][service.name]
        for event in events:
            self._hearing.setdefault(event, {})[service.name] = service
        for event in sorted(set(before).symmetric_difference(events)):
            self._wake(event, False)

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

    def get_stored(self, key):  # type: (str) -> Any
        """Return the value that was stored under a key, not copied; None if none exists."""
        return self._values.get(key)

    def copy_values(self):  # type: () -> Dict[str, ALValue]
        """Return the values that were stored, by key, in its own dict; the values themselves are not copied."""
        return dict(self._values)

    def leftovers(self):  # type: () -> List[str]
        """List subscriptions and connected callbacks, except those of programs outside the robot."""
        modules = [(row[0], event) for event in sorted(self._subscriptions) for row in self._subscriptions[event]]
        own = [pair for pair in modules if not is_outside(self.world.modules.get(pair[0]))]
        links = self._links
        counts = [(sum(not is_outside(each) for each in links[event].values()), event) for event in sorted(links)]
        sentences = ["Module %r is still subscribed to event %r." % pair for pair in own]
        return sentences + ["%d callback(s) are still connected to event %r." % pair for pair in counts if pair[0]]

    def _make_missing_error(self, key, method):  # type: (ALValue, str) -> RuntimeError
        # NAOqi 2.8 has no colon here: ros-naoqi/nao_virtual, issue 32.
        sentence = "Data not found %s" if self.world.naoqi == "2.8" else "Data not found: %s"
        return self._error(method, sentence % self._text(key, method))

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
        for name, service in sorted(self._hearing[event].items()) if event in self._hearing else ():
            if service.take_event is not None:
                self.world.clock.call_soon(self._deliver_own, event, name, copy_alvalue(self._values[event]))
        for row in self._subscriptions.get(event, ()):
            self.world.clock.call_soon(self._deliver, event, row, copy_alvalue(self._values[event]))
        for link in sorted(self._links.get(event, ())):
            self.world.clock.call_soon(self._deliver_link, event, link, copy_alvalue(self._values[event]))

    def _deliver_own(self, event, name, value):  # type: (str, str, ALValue) -> None
        service = self._hearing.get(event, {}).get(name)
        if service is not None and service.take_event is not None:
            service.take_event(event, value)

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
