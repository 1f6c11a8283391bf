"""Calls of a robot from the tasks of the desk's clock: while one waits for its answer, the other tasks go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from naosim.clock import present_clock
from naosim.scheduler import SimEvent

from .connection import Connection
from .desk_clock import DeskClock, call_outside

#: Threads for calls that libqi has no future for.
_THREADS = 8


class TaskCalls:
    """Calls over one connection, made by tasks of one clock; a caller that is no task simply waits."""

    def __init__(self, connection: Connection, clock: DeskClock) -> None:
        self.connection = connection
        self._clock = clock
        self._threads = ThreadPoolExecutor(_THREADS, "naosim-desk")

    def ask(self, service: str, method: str, args: Sequence[Any]) -> Any:
        """Call a method on the robot and return its answer; raises RuntimeError."""
        return self._await(lambda: self.connection.call(service, method, tuple(args)))

    def apart(self, call: Callable[..., Any], *args: Any) -> Any:
        """Make a call that blocks on a thread of its own, and return what it gives."""
        return self._await(lambda: self._threads.submit(call, *args))

    def close(self) -> None:
        """Let the threads go; calls that have not begun are dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _await(self, start: Callable[[], Future[Any]]) -> Any:
        clock = self._clock
        future = call_outside(start)
        if present_clock() is clock:
            answered = SimEvent(clock)
            clock.expect(1)
            future.add_done_callback(lambda _done: clock.outside(self._answered, answered))
            clock.wait(answered)
        return future.result()

    def _answered(self, answered: SimEvent) -> None:
        self._clock.expect(-1)
        answered.set()
