"""The world of a far robot: clock and trace of the desk, calls to the robot and its events."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from naosim.robot import TOUCH_EVENTS
from naosim.world import World

from .connection import Connection
from .desk_clock import DeskClock, TaskCalls
from .events import EventFeed

HUMAN = "SimulatedHuman"


class FarWorld(World):
    """The state that boxes at the desk, services and memory of a far robot share; `names` are the robot's services.

    A simulated robot has a simulated person (`has_human`), and time stands still while it is busy; with any other robot
    time is real. `tell` is called with sentences for people, on any thread.
    """

    clock: DeskClock
    #: A `FarMemory`, whose module imports this one.
    memory: Any

    def __init__(
        self,
        connection: Connection,
        names: Sequence[str],
        transport: str,
        *,
        seed: int,
        folder: str | None,
        tell: Callable[[str], object],
    ) -> None:
        self.connection = connection
        self.has_human = HUMAN in names
        clock = DeskClock(real_time=not self.has_human)
        spoken = self.languages_of("ALTextToSpeech") if "ALTextToSpeech" in names else []
        World.__init__(self, clock, seed=seed, folder=folder, languages=tuple(spoken) or ("English",))
        self.has_events = threading.Event()
        self.calls = TaskCalls(connection, clock)
        self.feed = EventFeed(connection, self._receive, transport, tell)

    def languages_of(self, service: str) -> list[str]:
        """Ask a service for its languages; return [] if it does not list them."""
        try:
            return [str(name) for name in self.connection.ask(service, "getAvailableLanguages")]
        except RuntimeError:
            return []

    def notice(self, event: str, value: Any) -> None:
        """Note in the trace the words and touches of a person in front of a real robot."""
        if self.has_human:
            return
        if event == "WordRecognized" and isinstance(value, list | tuple) and len(value) > 1 and value[0]:
            self.trace.note("hear", phrase=str(value[0]), confidence=value[1], engine="ALSpeechRecognition")
        elif event == "Dialog/LastInput":
            self.trace.note("hear", phrase=str(value), confidence=1.0, engine="ALDialog")
        elif event in TOUCH_EVENTS and value == 1.0:
            self.trace.note("touch", sensor=event, pressed=True)

    def _receive(self, event: str, value: Any) -> None:
        """Receive an event from the feed, on any thread."""
        self.clock.call_soon_threadsafe(self.memory.take_in, event, value)
        self.has_events.set()
