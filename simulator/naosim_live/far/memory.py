"""ALMemory of a far robot: keys lie on the robot, subscriptions at the desk, and events come over the event feed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from naosim.services.memory import ALMemory

from .awaited_events import AwaitedEvents
from .event_writers import EventWriters
from .services import FarService
from .world import FarWorld

#: What the desk does itself: its modules are no modules of the robot.
HERE = ("subscribeToEvent", "unsubscribeToEvent", "subscribeToMicroEvent", "unsubscribeToMicroEvent", "subscriber")
_WRITING = ("insertData", "raiseEvent", "raiseMicroEvent")
#: Keys that are remembered for a robot that forgets them.
_MOST_KEYS = 500


class FarMemory(ALMemory):
    """The robot's shared memory, with the desk's own subscriptions."""

    world: FarWorld

    def __init__(self, world: FarWorld) -> None:
        ALMemory.__init__(self, world)
        self.name = "ALMemory"
        self.awaited = AwaitedEvents(world.clock, self.is_heard)
        self.writers = EventWriters(world.connection, self.getSubscribers)
        self._far = FarService(world, self.name)
        self._written: dict[str, Any] = {}

    def remote(self, method: str) -> Callable[..., Any]:
        """Return the method of this name; raises RuntimeError."""
        found: Callable[..., Any] = ALMemory.remote(self, method) if method in HERE else self._far.remote(method)
        return found

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Call a method, at the desk or on the robot."""
        if method in HERE:
            return ALMemory.call(self, method, args)
        if method not in _WRITING or len(args) != 2 or not isinstance(args[0], str):
            return self._far.call(method, args)
        key = args[0]
        # What we raise and listen to ourselves comes back from the robot.
        awaited = None if method == "insertData" else self.awaited.expect(key)
        try:
            answer = self._far.call(method, args)
        except RuntimeError:
            self.awaited.drop(key, awaited)
            raise
        self.awaited.limit(key, awaited)
        if key in self._written or len(self._written) < _MOST_KEYS:
            self._written[key] = args[1]
        return answer

    def getMethodList(self) -> list[str]:
        """Return the methods of ALMemory on this robot."""
        return self._far.getMethodList()

    def insertData(self, key: str, value: Any) -> None:
        """Store a value on the robot."""
        self.call("insertData", (key, value))

    def getData(self, key: str, period: int = 0) -> Any:
        """Read a value from the robot; RuntimeError when nothing was stored under the key."""
        return self.call("getData", (key,))

    def raiseEvent(self, event: str, value: Any) -> None:
        """Store a value on the robot and tell every subscriber."""
        self.call("raiseEvent", (event, value))

    def take_in(self, event: str, value: Any) -> None:
        """Take in an event from the robot; runs as a task."""
        self.tell_here(event, value)
        self.awaited.arrive(event)

    def tell_here(self, event: str, value: Any) -> None:
        """Tell the boxes at the desk of an event, without the robot."""
        self._values[event] = value
        self.world.notice(event, value)
        self._tell(event)

    def restore(self) -> None:
        """Write again, on a robot that is back, what it has forgotten."""
        connection = self.world.calls.connection
        self.writers.restore()
        for key, value in list(self._written.items()):
            try:
                connection.ask(self.name, "getData", key)
            except RuntimeError as error:
                if connection.is_loss(error):
                    raise
                connection.ask(self.name, "insertData", key, value)

    def link(self, event: str, callback: Callable[[Any], Any]) -> int:
        """Connect a callback to an event's signal; one that the robot does not tell is not connected to."""
        try:
            return ALMemory.link(self, event, callback)
        except RuntimeError:
            for number in [made for made, kept in self._links.get(event, {}).items() if kept is callback]:
                del self._links[event][number]
            if not self._links.get(event):
                self._links.pop(event, None)
            raise

    def _subscribe(self, call: str, event: str, module: str, method: str, message: str) -> None:
        before = list(self._subscriptions.get(event, ()))
        try:
            ALMemory._subscribe(self, call, event, module, method, message)
        except RuntimeError:
            # What the robot does not tell is not subscribed to.
            self._subscriptions[event] = before
            if not before:
                del self._subscriptions[event]
            raise

    def _wake(self, event: str, was_heard: bool) -> None:
        """Open the feed of an event for its first listener, and close it after its last one."""
        ALMemory._wake(self, event, was_heard)
        feed, calls = self.world.feed, self.world.calls
        if self.writers.needs_change(event):
            calls.apart(self.writers.change, event)
        if self.is_heard(event) == was_heard:
            return
        if was_heard:
            self.awaited.drop_all(event)
            calls.apart(feed.close, event)
        else:
            calls.apart(feed.open, event)
