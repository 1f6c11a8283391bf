"""News of ALMemory on their way to the desk: by signal, by a module of ours, or by looking again and again.

No robot takes all of them: libqi 3 cannot read what NAOqi 2.5 answers for a subscriber ("Invalid signature"), and a
module needs a way back to the desk. Each transport opens and closes events one by one and raises RuntimeError.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from naosim.compat import quoted
from naosim.errors import NaosimError
from naosim.services.memory.events import TOUCH

from ..libqi import asked, qi
from .connection import ONE_CALL, Connection

MEMORY = "ALMemory"
#: Seconds between two looks at what stands in ALMemory.
LOOK = 0.05

Deliver = Callable[[str, Any], object]


class Transport(Protocol):
    """One way news come."""

    def open(self, event: str) -> None:
        """Has the news of an event delivered."""

    def close(self, event: str) -> None:
        """Ends that."""

    def forget(self) -> None:
        """The session is a new one: nothing is open any more."""

    def end(self) -> None:
        """Gives back what the transport needed itself."""


class Signals:
    """`ALMemory.subscriber(event).signal`, and signals of services, named "Service/signal"."""

    def __init__(self, connection: Connection, deliver: Deliver) -> None:
        self._connection = connection
        self._deliver = deliver
        self._links: dict[str, tuple[Any, int]] = {}

    def open(self, event: str) -> None:
        """Connects to the event's signal."""
        signal = self._signal(event)
        link = self._connection.answer(asked(signal.connect(lambda *values: self._came(event, values), _async=True)))
        self._links[event] = (signal, link)

    def close(self, event: str) -> None:
        """Disconnects."""
        signal, link = self._links.pop(event)
        self._connection.answer(asked(signal.disconnect(link, _async=True)))

    def forget(self) -> None:
        """Drops the links of a session that is gone."""
        self._links.clear()

    def end(self) -> None:
        """Needs nothing."""

    def _signal(self, event: str) -> Any:
        service, _, name = event.partition("/")
        with contextlib.suppress(RuntimeError):
            if service.startswith("AL") and name and name in self._connection.members(service, "signals"):
                return getattr(self._connection.service(service), name)
        return self._connection.ask(MEMORY, "subscriber", event).signal

    def _came(self, event: str, values: tuple[Any, ...]) -> None:
        self._deliver(event, values[0] if len(values) == 1 else list(values))


class Modules:
    """`ALMemory.subscribeToEvent` with a module of ours, registered as a service of the robot."""

    _numbers = itertools.count(1)

    def __init__(self, connection: Connection, deliver: Deliver) -> None:
        self._connection = connection
        self._name = f"naosim_desk_{os.getpid():x}_{next(self._numbers)}"
        self._number: int | None = None
        self._deliver = deliver

    def open(self, event: str) -> None:
        """Subscribes our module; registers it first."""
        if self._number is None:
            session, made = self._connection.session(), _Module(self._deliver)
            self._number = self._connection.answer(asked(session.registerService(self._name, made, _async=True)))
        self._connection.ask(MEMORY, "subscribeToEvent", event, self._name, "onEvent")

    def close(self, event: str) -> None:
        """Ends the subscription."""
        self._connection.ask(MEMORY, "unsubscribeToEvent", event, self._name)

    def forget(self) -> None:
        """The module went with its session."""
        self._number = None

    def end(self) -> None:
        """Takes the module away."""
        number, self._number = self._number, None
        if number is not None:
            with contextlib.suppress(RuntimeError):
                session = self._connection.session()
                self._connection.answer(asked(session.unregisterService(number, _async=True)))


@qi.multiThreaded()
class _Module:
    """What ALMemory calls back."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver

    def onEvent(self, event: str, value: Any, _message: Any) -> None:
        """Takes one piece of news."""
        self._deliver(event, value)


class Polling:
    """Looks at the values again and again: a new value, or a new stamp where the robot keeps stamps, is news."""

    def __init__(self, connection: Connection, deliver: Deliver) -> None:
        self._connection = connection
        self._deliver = deliver
        self._guard = threading.Lock()
        self._seen: dict[str, Any] = {}
        self._leave = threading.Event()
        self._thread: threading.Thread | None = None
        self._has_stamps: bool | None = None

    def open(self, event: str) -> None:
        """Notes how the value stands now, and looks from here on."""
        stands = self._look([event])[0]
        with self._guard:
            self._seen[event] = stands
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="naosim-polling", daemon=True)
                self._thread.start()

    def close(self, event: str) -> None:
        """Looks no more."""
        with self._guard:
            self._seen.pop(event, None)

    def forget(self) -> None:
        """Whatever stands in the memory of a robot that is back will be looked at anew."""
        with self._guard:
            self._seen.clear()

    def end(self) -> None:
        """Ends the thread that looks."""
        self._leave.set()

    def _watch(self) -> None:
        while not self._leave.wait(LOOK):
            with self._guard:
                events = list(self._seen)
            with contextlib.suppress(RuntimeError):
                for event, now in zip(events, self._look(events) if events else [], strict=True):
                    self._compare(event, now)

    def _compare(self, event: str, now: Any) -> None:
        with self._guard:
            if event not in self._seen or self._seen[event] == now:
                return
            before, self._seen[event] = self._seen[event], now
        if event in TOUCH and now[0] == before[0] and not now[0]:
            # Pressed and let go between two looks.
            self._deliver(event, 1.0)
        self._deliver(event, now[0])

    def _look(self, events: Sequence[str]) -> list[Any]:
        """Value and stamp of each event; None stands for a key nobody has written."""
        if self._has_stamps is None:
            self._has_stamps = "getTimestamp" in self._connection.members(MEMORY)
        if not self._has_stamps:
            return [(value, None) for value in self._connection.ask(MEMORY, "getListData", list(events))]
        calls = [self._connection.call(MEMORY, "getTimestamp", (event,), urgent=True) for event in events]
        return [self._stamped(call) for call in calls]

    def _stamped(self, call: Any) -> Any:
        try:
            value, *stamp = self._connection.answer(call)
        except RuntimeError as error:
            if self._connection.is_loss(error):
                raise
            return None, None
        return value, stamp


TRANSPORTS: dict[str, Callable[[Connection, Deliver], Transport]] = {
    "signal": Signals, "module": Modules, "polling": Polling}


class News:
    """News of ALMemory by the first transport that works; `deliver(event, value)` is called on any thread.

    `wanted` is auto or one of TRANSPORTS; `tell` is given a sentence when a transport does not work.
    """

    def __init__(self, connection: Connection, deliver: Deliver, wanted: str = "auto",
                 tell: Callable[[str], object] = lambda _sentence: None) -> None:
        if wanted != "auto" and wanted not in TRANSPORTS:
            raise NaosimError(f"There is no transport {quoted(wanted[:40])}: use auto, {', '.join(TRANSPORTS)}.")
        self._connection = connection
        self._tell = tell
        self._guard = threading.RLock()
        names = list(TRANSPORTS) if wanted == "auto" else [wanted]
        self._transports = [(name, TRANSPORTS[name](connection, deliver)) for name in names]
        self._open: set[str] = set()
        connection.on_back.append(self._put_back)

    @property
    def transport(self) -> str:
        """The name of the transport in use."""
        return self._transports[0][0]

    @property
    def is_open(self) -> bool:
        """Whether any event is listened to."""
        return bool(self._open)

    def open(self, event: str) -> None:
        """Has the news of an event delivered from now on; raises RuntimeError when no transport can."""
        while True:
            try:
                with self._guard:
                    self._open_now(event)
                    self._open.add(event)
                return
            except RuntimeError as error:
                self._await(error)

    def close(self, event: str) -> None:
        """Ends that; a robot that refuses or is gone has ended it already."""
        with self._guard:
            if event in self._open:
                self._open.discard(event)
                with contextlib.suppress(RuntimeError, KeyError):
                    self._transports[0][1].close(event)

    def end(self) -> None:
        """Ends everything."""
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
        """Goes over to the next transport, with everything that is open."""
        transport = self._transports.pop(0)[1]
        self._tell(f"The robot does not tell events by {name} ({refusal}); going on by {self.transport}.")
        for event in self._open:
            with contextlib.suppress(RuntimeError, KeyError):
                transport.close(event)
        transport.end()
        for event in sorted(self._open):
            self._open_now(event)

    def _await(self, error: RuntimeError) -> None:
        """Waits for a robot that went away; raises the error for one that refuses, or does not come back."""
        if not self._connection.is_loss(error) or not self._connection.is_back(self._connection.patience + ONE_CALL):
            raise error

    def _put_back(self) -> None:
        with self._guard:
            for _, transport in self._transports:
                transport.forget()
            for event in sorted(self._open):
                self._open_now(event)
