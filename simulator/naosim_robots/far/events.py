"""Events of ALMemory on their way from a robot to the desk: signals, or polling where signals do not work.

libqi 3 cannot read what NAOqi 2.5 answers for a subscriber ("Invalid signature"). `EventFeed` uses the first transport
that works. `EventWriters` starts the services that write events, and `AwaitedEvents` lets the desk's clock wait for
events that have to come.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

from naosim.clock import Clock
from naosim.compat import quote
from naosim.errors import NaosimError
from naosim.scheduler import SimEvent
from naosim.services.memory_keys import EVENT_WRITERS, TOUCH_SENSOR_EVENTS
from naosim_robots.futures import python_future

from .connection import ONE_CALL, Connection
from .desk_clock import call_outside

# Transports.

_MEMORY = "ALMemory"
#: Seconds between two readings of the values in ALMemory, for a program that answers.
_PERIOD_S = 0.05

Deliver = Callable[[str, Any], object]


class _SignalTransport:
    """`ALMemory.subscriber(event).signal`, and signals of services, named "Service/signal"."""

    def __init__(self, connection: Connection, deliver: Deliver) -> None:
        self._connection = connection
        self._deliver = deliver
        self._links: dict[str, tuple[Any, int]] = {}

    def open(self, event: str) -> None:
        """Connect to the event's signal."""
        signal = self._signal(event)
        connected = signal.connect(lambda *values: self._deliver_values(event, values), _async=True)
        link = self._connection.answer(python_future(connected))
        self._links[event] = (signal, link)

    def close(self, event: str) -> None:
        """Disconnect from the event's signal."""
        signal, link = self._links.pop(event)
        self._connection.answer(python_future(signal.disconnect(link, _async=True)))

    def forget(self) -> None:
        """Forget the links of a session that has ended."""
        self._links.clear()

    def end(self) -> None:
        """Do nothing: links are all there is."""

    def _signal(self, event: str) -> Any:
        service, _, name = event.partition("/")
        with contextlib.suppress(RuntimeError):
            if service.startswith("AL") and name and name in self._connection.members(service, "signals"):
                return getattr(self._connection.service(service), name)
        return self._connection.ask(_MEMORY, "subscriber", event).signal

    def _deliver_values(self, event: str, values: tuple[Any, ...]) -> None:
        self._deliver(event, values[0] if len(values) == 1 else list(values))


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
        #: Seconds between two readings.
        self.period_s = _PERIOD_S

    def open(self, event: str) -> None:
        """Note the current value, and compare later values with it."""
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
        """Forget every value: a robot that is back can hold other ones."""
        with self._guard:
            self._known.clear()

    def end(self) -> None:
        """End the polling thread."""
        self._ending.set()

    def _watch(self) -> None:
        while not self._ending.wait(self.period_s):
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
        return [self._read_stamp(call) for call in calls]

    def _read_stamp(self, call: Any) -> Any:
        try:
            value, *stamp = self._connection.answer(call)
        except RuntimeError as error:
            if self._connection.is_loss(error):
                raise
            return None, None
        return value, stamp


TRANSPORTS: dict[str, type[_SignalTransport | PollingTransport]] = {
    "signal": _SignalTransport,
    "polling": PollingTransport,
}


class EventFeed:
    """Events of ALMemory by the first transport that works; `deliver(event, value)` is called on any thread.

    `wanted` is auto or one of TRANSPORTS; `tell` is called with a sentence when a transport does not work. Polling
    reads the events every `period_s` seconds.
    """

    def __init__(
        self,
        connection: Connection,
        deliver: Deliver,
        wanted: str = "auto",
        tell: Callable[[str], object] = lambda _sentence: None,
        period_s: float = _PERIOD_S,
    ) -> None:
        if wanted != "auto" and wanted not in TRANSPORTS:
            raise NaosimError(f"There is no transport {quote(wanted[:40])}: use auto, {', '.join(TRANSPORTS)}.")
        self._connection = connection
        self._tell = tell
        self._guard = threading.RLock()
        names = list(TRANSPORTS) if wanted == "auto" else [wanted]
        self._transports = [(name, TRANSPORTS[name](connection, deliver)) for name in names]
        for _, transport in self._transports:
            if isinstance(transport, PollingTransport):
                transport.period_s = period_s
        self._open: set[str] = set()
        connection.on_back.append(self._restore)

    @property
    def transport(self) -> str:
        """Return the name of the transport in use."""
        return self._transports[0][0]

    @property
    def is_open(self) -> bool:
        """Return whether any event is listened to."""
        return bool(self._open)

    def open(self, event: str) -> None:
        """Start the delivery of an event; raises RuntimeError if no transport can do it."""
        while True:
            try:
                with self._guard:
                    self._open_now(event)
                    self._open.add(event)
                return
            except RuntimeError as error:
                self._await_robot(error)

    def close(self, event: str) -> None:
        """End the delivery of an event; a robot that refuses or does not answer has ended it already."""
        with self._guard:
            if event in self._open:
                self._open.discard(event)
                with contextlib.suppress(RuntimeError, KeyError):
                    self._transports[0][1].close(event)

    def end(self) -> None:
        """End every delivery and every transport."""
        with self._guard:
            for event in sorted(self._open):
                self.close(event)
            for _, transport in self._transports:
                transport.end()

    def _open_now(self, event: str) -> None:
        while True:
            name, transport = self._transports[0]
            try:
                transport.open(event)
                return
            except RuntimeError as error:
                if self._connection.is_loss(error) or len(self._transports) == 1:
                    raise
                refusal = str(error).strip().splitlines()[-1][:100]
            self._change(name, refusal)

    def _change(self, name: str, refusal: str) -> None:
        """Change to the next transport, with everything that is open."""
        transport = self._transports.pop(0)[1]
        self._tell(f"The robot does not tell events by {name} ({refusal}); continuing by {self.transport}.")
        for event in self._open:
            with contextlib.suppress(RuntimeError, KeyError):
                transport.close(event)
        transport.end()
        for event in sorted(self._open):
            self._open_now(event)

    def _await_robot(self, error: RuntimeError) -> None:
        """Wait for a robot that went away; raises the error for one that refuses, or does not come back."""
        if not self._connection.is_loss(error) or not self._connection.wait_until_back(
            self._connection.patience + ONE_CALL
        ):
            raise error

    def _restore(self) -> None:
        with self._guard:
            for _, transport in self._transports:
                transport.forget()
            for event in sorted(self._open):
                self._open_now(event)


# The services that write events.


class EventWriters:
    """Keeps the services running that write the events for which `subscribers(event)` lists modules."""

    def __init__(self, connection: Connection, subscribers: Callable[[str], list[str]]) -> None:
        self._connection, self._subscribers = connection, subscribers
        self._name = f"naosim_desk_{os.getpid():x}"
        self._running: set[str] = set()

    def needs_change(self, event: str) -> bool:
        """Return whether the event's service is to be started or stopped."""
        return EVENT_WRITERS.get(event) is not None and bool(self._subscribers(event)) != (event in self._running)

    def change(self, event: str) -> None:
        """Subscribe to the service that raises an event if boxes listen to it, else unsubscribe.

        A robot may lack the service.
        """
        if self._subscribers(event):
            self._running.add(event)
            self._ask(event, "subscribe")
        else:
            self._running.discard(event)
            self._ask(event, "unsubscribe")

    def restore(self) -> None:
        """Start again the services that a robot has forgotten when it is back."""
        for event in sorted(self._running):
            self._ask(event, "subscribe")

    def end(self) -> None:
        """Stop everything."""
        for event in sorted(self._running):
            self._ask(event, "unsubscribe")
        self._running.clear()

    def _ask(self, event: str, method: str) -> None:
        with contextlib.suppress(RuntimeError):
            self._connection.ask(EVENT_WRITERS[event], method, f"{self._name}_{event.replace('/', '_')}")


# Awaited events.

#: Real seconds for a person's act to come back as an event.
_COMES_BACK = 5.0


class _AwaitedEvent:
    """One awaited event: `settled` is set when it has come or will not come."""

    def __init__(self, settled: SimEvent) -> None:
        self.settled = settled
        self.alarm: threading.Timer | None = None


class AwaitedEvents:
    """The events that have to come back from the robot before a person is asked for the next answer."""

    def __init__(self, clock: Clock, is_heard: Callable[[str], bool]) -> None:
        self._clock = clock
        self._is_heard = is_heard
        self._awaited: dict[str, list[_AwaitedEvent]] = {}

    def expect(self, event: str) -> _AwaitedEvent | None:
        """Await an event, if a box listens to it; None otherwise."""
        if not self._is_heard(event):
            return None
        self._clock.expect(1)
        awaited = _AwaitedEvent(SimEvent(self._clock))
        self._awaited.setdefault(event, []).append(awaited)
        return awaited

    def limit(self, event: str, awaited: _AwaitedEvent | None) -> None:
        """Begin to count the time that an awaited event can take."""
        if awaited is not None and not awaited.settled.is_set:
            awaited.alarm = call_outside(self._alarm, event, awaited)

    def arrive(self, event: str) -> None:
        """Settle the first of those who await an event that has come."""
        waiting = self._awaited.get(event)
        if waiting:
            self._settle(event, waiting[0])

    def drop(self, event: str, awaited: _AwaitedEvent | None) -> None:
        """Stop awaiting an event, because the call that should cause it has failed."""
        if awaited is not None:
            self._settle(event, awaited)

    def drop_all(self, event: str) -> None:
        """Stop awaiting an event, because no box listens to it now."""
        for awaited in list(self._awaited.get(event, ())):
            self._settle(event, awaited)

    def _alarm(self, event: str, awaited: _AwaitedEvent) -> threading.Timer:
        alarm = threading.Timer(_COMES_BACK, self._clock.call_soon_threadsafe, (self._settle, event, awaited))
        alarm.daemon = True
        alarm.start()
        return alarm

    def _settle(self, event: str, awaited: _AwaitedEvent) -> None:
        with contextlib.suppress(ValueError, KeyError):
            self._awaited[event].remove(awaited)
            self._clock.expect(-1)
            awaited.settled.set()
            if awaited.alarm is not None:
                awaited.alarm.cancel()
