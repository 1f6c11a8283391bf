"""ALMemory: keys, values, events and their listeners; a service starts when its event gets its first listener."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service
from naosim.services.memory.alvalue import PLAIN, NotAnALValue, copied, stored
from naosim.services.memory.device_keys import DeviceKeys
from naosim.services.memory.events import FIRST, SPREAD, WRITERS
from naosim.services.memory.signals import Subscriber
from naosim.world import call_guarded, is_outside

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from naosim.world import World

    Subscription = Tuple[str, str, str]  # module, method, message


class ALMemory(Service):
    """The robot's shared memory; events reach their subscribers through the clock, never by a nested call."""

    _hidden = frozenset(["stopAll", "link", "links", "unlink"])

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._values = {}  # type: Dict[str, Any]
        self._devices = DeviceKeys(world.body, self._values)
        self._events = {}  # type: Dict[str, str]
        self._subscriptions = {}  # type: Dict[str, List[Subscription]]
        self._links = {}  # type: Dict[str, Dict[int, Callable[[Any], Any]]]
        self._links_made = 0

    def insertData(self, key, value):  # type: (str, Any) -> None
        """Store a value without raising an event."""
        if type(key) is not str:
            self._text(key, "insertData")
        self._values[key] = value if type(value) in PLAIN else self._stored(value, "insertData")

    def getData(self, key, period=0):  # type: (str, int) -> Any
        """Return a value; raise RuntimeError when nothing was stored under the key."""
        if type(key) is str and key in self._values:
            value = self._values[key]
            return copied(value) if type(value) is list else value
        if type(key) is str and key in self._devices:
            return self._devices.read(key)
        raise self._missing(key, "getData")

    def removeData(self, key):  # type: (str) -> None
        """Remove a value; raise RuntimeError when there is none."""
        if self._text(key, "removeData") not in self._values:
            raise self._missing(key, "removeData")
        del self._values[key]

    def getDataListName(self):  # type: () -> List[str]
        """List every key."""
        return sorted(set(self._values).union(self._devices.names()))

    def getDataList(self, part):  # type: (str) -> List[str]
        """List the keys that contain a text."""
        part = self._text(part, "getDataList")
        return [key for key in self.getDataListName() if part in key]

    def getListData(self, keys):  # type: (Any) -> List[Any]
        """Return several values, None for a key that is missing."""
        return [
            self._devices.read(key)
            if key in self._devices and key not in self._values
            else copied(self._values.get(key))
            for key in self._texts(keys, "getListData")
        ]

    def insertListData(self, pairs):  # type: (List[List[Any]]) -> None
        """Store several [key, value] pairs."""
        for pair in self._list(pairs, "insertListData"):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise self._error("insertListData", "%.60r is not a [key, value] pair." % (pair,))
            self.insertData(pair[0], pair[1])

    def getType(self, key):  # type: (str) -> str
        """Return whether a key is "Data", an "Event" or a "MicroEvent"; raise RuntimeError for an unknown key."""
        if self._text(key, "getType") in self._events:
            return self._events[key]
        if key in FIRST:
            return "Event"
        if key in self._values or key in self._devices:
            return "Data"
        raise self._missing(key, "getType")

    def declareEvent(self, event, module=None):  # type: (str, Optional[str]) -> None
        """Declare an event before it is first raised."""
        if module is not None:
            self._text(module, "declareEvent", 1)
        self._events.setdefault(self._text(event, "declareEvent"), "Event")

    def raiseEvent(self, event, value):  # type: (str, Any) -> None
        """Store a value and notify every subscriber."""
        self.insertData(event, value)
        self._events.setdefault(event, "Event")
        self._tell(event)

    def raiseMicroEvent(self, event, value):  # type: (str, Any) -> None
        """Store a value and notify every subscriber; no history is kept."""
        self.insertData(event, value)
        self._events.setdefault(event, "MicroEvent")
        self._tell(event)

    def getEventList(self):  # type: () -> List[str]
        """List the events known so far."""
        return sorted(event for event, kind in self._events.items() if kind == "Event")

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
        """End a subscription; raise RuntimeError when there is none."""
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
        """List the modules that are subscribed to an event."""
        return [module for module, _, _ in self._subscriptions.get(self._text(event, "getSubscribers"), [])]

    def subscriber(self, event):  # type: (str) -> Subscriber
        """Return an object whose `signal` is the event's."""
        return Subscriber(self, self._text(event, "subscriber"))

    def is_heard(self, event):  # type: (str) -> bool
        """Tell whether an event has listeners: subscribed modules or connected callbacks."""
        return event in self._subscriptions or event in self._links

    def heard_events(self):  # type: () -> List[str]
        """List the events that have listeners."""
        return sorted(set(self._subscriptions) | set(self._links))

    def links(self, event):  # type: (str) -> List[int]
        """List the ids of the callbacks connected to an event's signal."""
        return sorted(self._links.get(event, ()))

    def link(self, event, callback):  # type: (str, Callable[[Any], Any]) -> int
        """Connect a callback to an event's signal and return the id of the link."""
        self._links_made += 1
        was_heard = self.is_heard(event)
        self._links.setdefault(event, {})[self._links_made] = callback
        self._events.setdefault(event, "Event")
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

    def stored_values(self):  # type: () -> Dict[str, Any]
        """Return the values that were stored, by key, in a dict of its own; the values themselves are not copied."""
        return dict(self._values)

    def device_values(self):  # type: () -> Dict[str, Any]
        """Return the values of the devices that nobody has stored, by key."""
        return {key: self._devices.read(key) for key in self._devices.names() if key not in self._values}

    def leftovers(self):  # type: () -> List[str]
        """List subscriptions and connected callbacks, except those of programs outside the robot."""
        own = {event: [link for link in links.values() if not is_outside(link)] for event, links in self._links.items()}
        sentences = [
            "Module %r is still subscribed to event %r." % (row[0], event)
            for event in sorted(self._subscriptions)
            for row in self._subscriptions[event]
            if not is_outside(self.world.modules.get(row[0]))
        ]
        return sentences + [
            "%d callback(s) are still connected to event %r." % (len(links), event)
            for event, links in sorted(own.items())
            if links
        ]

    def _missing(self, key, method):  # type: (Any, str) -> RuntimeError
        return self._error(method, "Data not found: %s" % self._text(key, method))

    def _stored(self, value, method):  # type: (Any, str) -> Any
        try:
            return stored(value)
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
        if module in self.getSubscribers(event):
            raise self._error(call, "Module %s is already subscribed to event %s." % (module, event))
        was_heard = self.is_heard(event)
        self._subscriptions.setdefault(event, []).append((module, method, message))
        self._wake(event, was_heard)

    def _wake(self, event, was_heard):  # type: (str, bool) -> None
        """Notify the service that writes an event when listeners have come or gone."""
        if event in WRITERS:
            writer = self.world.services.get(WRITERS[event])
            if writer is not None:
                writer.listened_to()

    def _tell(self, event):  # type: (str) -> None
        if event not in self._subscriptions and event not in self._links:
            return
        for row in self._subscriptions.get(event, ()):
            self.world.clock.soon(self._deliver, event, row, copied(self._values[event]))
        for link in sorted(self._links.get(event, ())):
            self.world.clock.soon(self._deliver_link, event, link, copied(self._values[event]))

    def _deliver(self, event, row, value):  # type: (str, Subscription, Any) -> None
        """Call one module, unless it unsubscribed or was removed while the event was under way."""
        module, method, message = row
        if row in self._subscriptions.get(event, ()) and module in self.world.modules:
            call_guarded(self.world, getattr(self.world.modules[module], method), event, value, message)

    def _deliver_link(self, event, link, value):  # type: (str, int, Any) -> None
        callback = self._links.get(event, {}).get(link)
        if callback is not None:
            is_spread = event in SPREAD and isinstance(value, list) and not is_outside(callback)
            call_guarded(self.world, callback, *(value if is_spread else [value]))
