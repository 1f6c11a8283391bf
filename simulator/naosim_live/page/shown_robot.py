"""A robot as panels see it: questions to it and what it did of late, whether it lives or was recorded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from naosim.world import Event

from .latest_events import LatestEvents
from .recording.recording import Recording
from .shown import Shown


class EventModel(Protocol):
    """What is known of a robot from its events, shared by all browsers.

    An event of ALMemory under one of the `keys` comes as an event of the kind "memory", with its key and value; some
    that other models want may come too.
    """

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys whose events it notes."""

    def note(self, event: Event) -> None:
        """Take in an event."""


Model = TypeVar("Model", bound=EventModel)


class ShownRobot(Shown, ABC):
    """A robot, its latest events, and what was recorded of it; `speed` says how much faster than real time it is."""

    services: tuple[str, ...] = ()

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording
        self.speed = 1.0
        #: Microphones through which people speak with it.
        self.microphones = 0
        self._events = LatestEvents()
        self._models: dict[type[Any], Any] = {}

    @abstractmethod
    async def ask(self, verb: str, **fields: Any) -> Any:
        """Answer a request of a live server; raises RuntimeError with the robot's sentence."""

    @abstractmethod
    async def person(self, verb: str, *args: Any) -> Any:
        """Do what a person does (see `RobotClient.person`); raises RuntimeError with the robot's sentence."""

    @abstractmethod
    async def call(self, service: str, method: str, *args: Any) -> Any:
        """Call a method of a service; raises RuntimeError with the robot's sentence."""

    @abstractmethod
    async def ears(self) -> dict[str, Any]:
        """Return what the robot listens to."""

    @abstractmethod
    def remember(self, event: Event) -> None:
        """Have models note what the robot was asked for, as an event."""

    @abstractmethod
    def now(self) -> float:
        """Return the robot's time in seconds."""

    @abstractmethod
    async def set_speed(self, speed: float | None = None) -> None:
        """Let the robot's time pass so many times faster, at 0 not at all; without a speed only look at it."""

    @abstractmethod
    async def step(self) -> None:
        """Let the robot's time stand still, but for one step to what is due next."""

    async def catch_up(self) -> None:
        """Have the recording hold the present moment; raises RuntimeError with the robot's sentence."""

    def events(self, since: int) -> tuple[int, list[Event]]:
        """Return the next position, and the events from a position on that are still kept."""
        return self._events.position, self._events.since(since)

    def model(self, kind: Callable[[], Model]) -> Model:
        """Return the one model of a kind, which has noted the events that are kept and notes all that come."""
        assert isinstance(kind, type)
        if kind not in self._models:
            made = kind()
            self._acquaint(made)
            self._models[kind] = made
        found: Model = self._models[kind]
        return found

    def _acquaint(self, model: EventModel) -> None:
        """Have a new model note the events that are kept."""
        for event in self._events:
            model.note(event)
