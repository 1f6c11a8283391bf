"""Events that are awaited from a robot: until they have come, the desk's clock does not end a run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from naosim.clock import Clock
from naosim.scheduler import SimEvent

from .desk_clock import call_outside

#: Real seconds for what a person does to come back as an event.
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
        """Begin to count the time that an awaited event may take."""
        if awaited is not None and not awaited.settled.is_set:
            awaited.alarm = call_outside(self._alarm, event, awaited)

    def arrive(self, event: str) -> None:
        """Settle the first of those who await an event that has come."""
        waiting = self._awaited.get(event)
        if waiting:
            self._settle(event, waiting[0])

    def drop(self, event: str, awaited: _AwaitedEvent | None) -> None:
        """Await an event no longer, because what was to bring it about has failed."""
        if awaited is not None:
            self._settle(event, awaited)

    def drop_all(self, event: str) -> None:
        """Await an event no longer, because no box listens to it any more."""
        for awaited in list(self._awaited.get(event, ())):
            self._settle(event, awaited)

    def _alarm(self, event: str, awaited: _AwaitedEvent) -> threading.Timer:
        alarm = threading.Timer(_COMES_BACK, self._clock.outside, (self._settle, event, awaited))
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
