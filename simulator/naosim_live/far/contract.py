"""What the services of a far robot, its memory and its mirrors need to know of the robot they belong to."""

from __future__ import annotations

from typing import Any, Protocol

from naosim.kernel.clock import Clock
from naosim.world.trace import Trace

from .event_feed import EventFeed
from .task_calls import TaskCalls


class Listeners(Protocol):
    """The subscriptions of the boxes at the desk."""

    def is_heard(self, event: str) -> bool:
        """Return whether a box listens to an event."""

    def tell_here(self, event: str, value: Any) -> None:
        """Tell the boxes at the desk of an event, without the robot."""


class Desk(Protocol):
    """The near side of a far robot: the clock and the trace of the desk, the calls to the robot and its events."""

    @property
    def clock(self) -> Clock:
        """Return the clock whose tasks are the boxes."""

    @property
    def trace(self) -> Trace:
        """Return the trace of what boxes and robot do."""

    @property
    def random(self) -> Any:
        """Return the random numbers of the robot."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages that the robot speaks."""

    @property
    def calls(self) -> TaskCalls:
        """Return the way to call the robot."""

    @property
    def feed(self) -> EventFeed:
        """Return the events of the robot."""

    @property
    def memory(self) -> Listeners:
        """Return the robot's memory as the desk has it."""

    def text_out(self, value: Any, where: str) -> str:
        """Return the text that a service was given; raises the robot's RuntimeError for what is no text."""

    def notice(self, event: str, value: Any) -> None:
        """Note in the trace what a person in front of a real robot has said or touched."""
