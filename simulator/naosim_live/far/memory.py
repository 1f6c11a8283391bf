"""ALMemory of a robot far away: keys over the wire, subscriptions kept at the desk, news by whatever way there is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from naosim.kernel.clock import Gate
from naosim.services.memory.almemory import ALMemory

from .desk_clock import beside
from .services import LinkedService

if TYPE_CHECKING:
    import threading

    from .robot import LinkedRobot

#: What the desk does itself: its modules are no modules of the robot.
HERE = ("subscribeToEvent", "unsubscribeToEvent", "subscribeToMicroEvent", "unsubscribeToMicroEvent", "subscriber")
WRITING = ("insertData", "raiseEvent", "raiseMicroEvent")
#: Keys that are remembered for a robot that forgets them.
MOST_KEYS = 500
#: Real seconds for what a person does to come back as an event.
COMES_BACK = 5.0


class LinkedMemory(ALMemory):
    """The robot's shared memory, with the desk's own subscriptions."""

    def __init__(self, robot: LinkedRobot) -> None:
        ALMemory.__init__(self, robot)
        self.name = "ALMemory"
        self._linked = robot
        self._far = LinkedService(robot, self.name)
        self._written: dict[str, Any] = {}
        self.arrivals = Arrivals(robot)

    def remote(self, method: str) -> Callable[..., Any]:
        """The method of this name; raises RuntimeError."""
        found: Callable[..., Any] = ALMemory.remote(self, method) if method in HERE else self._far.remote(method)
        return found

    def call(self, method: str, args: Sequence[Any]) -> Any:
        """Calls a method, at the desk or on the robot."""
        if method in HERE:
            return ALMemory.call(self, method, args)
        if method not in WRITING or len(args) != 2 or not isinstance(args[0], str):
            return self._far.call(method, args)
        key = args[0]
        # What we raise and listen to ourselves comes round by the robot.
        arrival = None if method == "insertData" else self.arrivals.expect(key)
        try:
            answer = self._far.call(method, args)
        except RuntimeError:
            self.arrivals.drop(key, arrival)
            raise
        self.arrivals.limit(key, arrival)
        if key in self._written or len(self._written) < MOST_KEYS:
            self._written[key] = args[1]
        return answer

    def getMethodList(self) -> list[str]:
        """The methods of ALMemory on this robot."""
        return self._far.getMethodList()

    def insertData(self, key: str, value: Any) -> None:
        """Stores a value on the robot."""
        self.call("insertData", (key, value))

    def getData(self, key: str, period: int = 0) -> Any:
        """Reads a value from the robot; RuntimeError when nothing was stored under the key."""
        return self.call("getData", (key,))

    def raiseEvent(self, event: str, value: Any) -> None:
        """Stores a value on the robot and tells every subscriber."""
        self.call("raiseEvent", (event, value))

    def last(self, key: str) -> Any:
        """What the desk last wrote under a key, for when the robot cannot be asked any more; None if nothing."""
        return self._written.get(key)

    def arrived(self, event: str, value: Any) -> None:
        """Takes in a piece of news; runs as a task."""
        self.tell_here(event, value)
        self.arrivals.came(event)

    def tell_here(self, event: str, value: Any) -> None:
        """Tells the desk's boxes of an event, and nobody else."""
        self._values[event] = value
        self._linked.notice(event, value)
        self._tell(event)

    def put_back(self) -> None:
        """Writes again, on a robot that is back, what it has forgotten."""
        connection = self._linked.connection
        for key, value in list(self._written.items()):
            try:
                connection.ask(self.name, "getData", key)
            except RuntimeError as error:
                if connection.is_loss(error):
                    raise
                connection.ask(self.name, "insertData", key, value)

    def link(self, event: str, callback: Callable[[Any], Any]) -> int:
        """Connects a callback to an event's signal."""
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
        """Opens the way for an event's news with its first listener, and closes it with its last one."""
        ALMemory._wake(self, event, was_heard)
        if self.is_heard(event) == was_heard:
            return
        if was_heard:
            self.arrivals.gone(event)
            self._linked.apart(self._linked.news.close, event)
        else:
            self._linked.apart(self._linked.news.open, event)


class Arrivals:
    """What a simulated person did and must come back as an event before it is anybody's turn again."""

    def __init__(self, robot: LinkedRobot) -> None:
        self._robot = robot
        self._awaited: dict[str, list[Arrival]] = {}

    def expect(self, event: str) -> Arrival | None:
        """Awaits an event, if a box listens to it; None otherwise."""
        if not self._robot.memory.is_heard(event):
            return None
        self._robot.clock.expect(1)
        arrival = Arrival(Gate(self._robot.clock))
        self._awaited.setdefault(event, []).append(arrival)
        return arrival

    def limit(self, event: str, arrival: Arrival | None) -> None:
        """Begins to count the time that an awaited event may take."""
        if arrival is not None and not arrival.gate.is_open:
            arrival.alarm = beside(self._alarm, event, arrival)

    def came(self, event: str) -> None:
        """An event has come: the first who awaits it goes on."""
        awaited = self._awaited.get(event)
        if awaited:
            self._settle(event, awaited[0])

    def drop(self, event: str, arrival: Arrival | None) -> None:
        """What was to bring the event about has failed."""
        if arrival is not None:
            self._settle(event, arrival)

    def gone(self, event: str) -> None:
        """Nobody listens to an event any more, so it will not come."""
        for arrival in list(self._awaited.get(event, ())):
            self._settle(event, arrival)

    def _alarm(self, event: str, arrival: Arrival) -> threading.Timer:
        import threading

        alarm = threading.Timer(COMES_BACK, self._robot.clock.outside, (self._settle, event, arrival))
        alarm.daemon = True
        alarm.start()
        return alarm

    def _settle(self, event: str, arrival: Arrival) -> None:
        with contextlib.suppress(ValueError, KeyError):
            self._awaited[event].remove(arrival)
            self._robot.clock.expect(-1)
            arrival.gate.open()
            if arrival.alarm is not None:
                arrival.alarm.cancel()


class Arrival:
    """One awaited event: `gate` opens when it has come or will not come."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.alarm: threading.Timer | None = None
