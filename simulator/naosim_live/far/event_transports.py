"""Three transports for events of ALMemory to the desk: signals, a module of ours, and polling.

No robot supports all of them: libqi 3 cannot read what NAOqi 2.5 answers for a subscriber ("Invalid signature"), and a
module needs a connection back to the desk. Each transport opens and closes events one by one and raises RuntimeError.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from naosim.services.memory import TOUCH_SENSOR_EVENTS

from ..libqi import python_future, qi
from .connection import Connection

_MEMORY = "ALMemory"
#: Seconds between two readings of the values in ALMemory.
_PERIOD = 0.05

Deliver = Callable[[str, Any], object]


class _EventTransport(Protocol):
    """An event transport: it delivers the events that are opened."""

    def open(self, event: str) -> None:
        """Have an event delivered from now on; raises RuntimeError."""

    def close(self, event: str) -> None:
        """End the delivery of an event; raises RuntimeError."""

    def forget(self) -> None:
        """Forget what was open in an earlier session."""

    def end(self) -> None:
        """Release what the transport needs for itself."""


class _SignalTransport:
    """`ALMemory.subscriber(event).signal`, and signals of services, named "Service/signal"."""

    def __init__(self, connection: Connection, deliver: Deliver) -> None:
        self._connection = connection
        self._deliver = deliver
        self._links: dict[str, tuple[Any, int]] = {}

    def open(self, event: str) -> None:
        """Connect to the event's signal."""
        signal = self._signal(event)
        connected = signal.connect(lambda *values: self._delivered(event, values), _async=True)
        link = self._connection.answer(python_future(connected))
        self._links[event] = (signal, link)

    def close(self, event: str) -> None:
        """Disconnect from the event's signal."""
        signal, link = self._links.pop(event)
        self._connection.answer(python_future(signal.disconnect(link, _async=True)))

    def forget(self) -> None:
        """Forget the links of a session that is gone."""
        self._links.clear()

    def end(self) -> None:
        """Do nothing: links are all there is."""

    def _signal(self, event: str) -> Any:
        service, _, name = event.partition("/")
        with contextlib.suppress(RuntimeError):
            if service.startswith("AL") and name and name in self._connection.members(service, "signals"):
                return getattr(self._connection.service(service), name)
        return self._connection.ask(_MEMORY, "subscriber", event).signal

    def _delivered(self, event: str, values: tuple[Any, ...]) -> None:
        self._deliver(event, values[0] if len(values) == 1 else list(values))


class _ModuleTransport:
    """`ALMemory.subscribeToEvent` with a module of ours, registered as a service of the robot."""

    _numbers = itertools.count(1)

    def __init__(self, connection: Connection, deliver: Deliver) -> None:
        self._connection = connection
        self._name = f"naosim_desk_{os.getpid():x}_{next(self._numbers)}"
        self._number: int | None = None
        self._deliver = deliver

    def open(self, event: str) -> None:
        """Subscribe our module, which is registered first."""
        if self._number is None:
            module = _CallbackModule(self._deliver)
            registered = self._connection.session().registerService(self._name, module, _async=True)
            self._number = self._connection.answer(python_future(registered))
        self._connection.ask(_MEMORY, "subscribeToEvent", event, self._name, "onEvent")

    def close(self, event: str) -> None:
        """End the subscription."""
        self._connection.ask(_MEMORY, "unsubscribeToEvent", event, self._name)

    def forget(self) -> None:
        """Forget the registration, which went with its session."""
        self._number = None

    def end(self) -> None:
        """Unregister the module."""
        number, self._number = self._number, None
        if number is not None:
            with contextlib.suppress(RuntimeError):
                session = self._connection.session()
                self._connection.answer(python_future(session.unregisterService(number, _async=True)))


@qi.multiThreaded()
class _CallbackModule:
    """The module that ALMemory calls back."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver

    def onEvent(self, event: str, value: Any, _message: Any) -> None:
        """Deliver one event."""
        self._deliver(event, value)


class PollingTransport:
    """Reads the values again and again: a new value, or a new stamp where the robot keeps stamps, is an event."""

    def __init__(self, connection: Connection, deliver: Deliver) -> None:
        self._connection = connection
        self._deliver = deliver
        self._guard = threading.Lock()
        self._known: dict[str, Any] = {}
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._has_stamps: bool | None = None

    def open(self, event: str) -> None:
        """Note how the value stands now, and compare it from now on."""
        stands = self._read([event])[0]
        with self._guard:
            self._known[event] = stands
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="naosim-polling", daemon=True)
                self._thread.start()

    def close(self, event: str) -> None:
        """Compare the value no longer."""
        with self._guard:
            self._known.pop(event, None)

    def forget(self) -> None:
        """Forget every value: a robot that is back may hold other ones."""
        with self._guard:
            self._known.clear()

    def end(self) -> None:
        """End the polling thread."""
        self._ending.set()

    def _watch(self) -> None:
        while not self._ending.wait(_PERIOD):
            with self._guard:
                events = list(self._known)
            with contextlib.suppress(RuntimeError):
                for event, now in zip(events, self._read(events) if events else [], strict=True):
                    self._compare(event, now)

    def _compare(self, event: str, now: Any) -> None:
        with self._guard:
            if event not in self._known or self._known[event] == now:
                return
            before, self._known[event] = self._known[event], now
        if event in TOUCH_SENSOR_EVENTS and now[0] == before[0] and not now[0]:
            # The sensor was pressed and released between two readings.
            self._deliver(event, 1.0)
        self._deliver(event, now[0])

    def _read(self, events: Sequence[str]) -> list[Any]:
        """Return value and stamp of each event, two times None for a key that was never written."""
        if self._has_stamps is None:
            self._has_stamps = "getTimestamp" in self._connection.members(_MEMORY)
        if not self._has_stamps:
            return [(value, None) for value in self._connection.ask(_MEMORY, "getListData", list(events))]
        calls = [self._connection.call(_MEMORY, "getTimestamp", (event,), urgent=True) for event in events]
        return [self._stamped(call) for call in calls]

    def _stamped(self, call: Any) -> Any:
        try:
            value, *stamp = self._connection.answer(call)
        except RuntimeError as error:
            if self._connection.is_loss(error):
                raise
            return None, None
        return value, stamp


TRANSPORTS: dict[str, Callable[[Connection, Deliver], _EventTransport]] = {
    "signal": _SignalTransport,
    "module": _ModuleTransport,
    "polling": PollingTransport,
}
