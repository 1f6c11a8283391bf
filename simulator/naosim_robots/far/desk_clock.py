"""The clock of a robot that is played at the desk, and the calls that its tasks make."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from naosim.clock import Clock, present_clock
from naosim.scheduler import SimEvent, outside_tasks

from .connection import Connection

Made = TypeVar("Made")

#: Seconds for a run to come to a calm moment after Ctrl-C.
_RESTS_WITHIN = 20.0


class DeskClock(Clock):
    """A clock whose runs happen on their own thread, while the caller waits and can be interrupted."""

    def __init__(self, real_time: bool = False, speed: float = 1.0) -> None:
        Clock.__init__(self, real_time, speed)
        self._interrupted = False
        self._orders: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._drive, name="naosim-drive", daemon=True).start()

    def run(
        self, until: Callable[[], object] | None = None, seconds: float | None = None, up_to: float | None = None
    ) -> str:
        """Run as any clock does; Ctrl-C ends the run at its next calm moment, so that the clock can be run again."""
        over: Future[str] = Future()

        def order() -> None:
            try:
                over.set_result(
                    Clock.run(self, lambda: self._interrupted or (until is not None and until()), seconds, up_to)
                )
            except BaseException as error:
                over.set_exception(error)

        try:
            self._orders.put(order)
            return over.result()
        except KeyboardInterrupt:
            self._come_to_rest()
            raise

    def close(self) -> None:
        """Close the clock and end its thread."""
        Clock.close(self)
        self._orders.put(None)

    def _drive(self) -> None:
        while (order := self._orders.get()) is not None:
            order()

    def _come_to_rest(self) -> None:
        """End the run under way, if there is one: Ctrl-C comes between any two steps."""
        rest: Future[None] = Future()
        self._interrupted = True
        self.wake()
        self._orders.put(lambda: rest.set_result(None))
        rest.exception(_RESTS_WITHIN)
        self._interrupted = False

    def wake(self) -> None:
        """Make a run check its `until` again. Every thread can call this."""
        self.call_soon_threadsafe(_do_nothing)


def _do_nothing() -> None:
    pass


def call_outside(call: Callable[..., Made], *args: Any) -> Made:
    """Return the result of a call that needs the real threads, locks and timers, also from within a task."""
    made: list[Made] = []
    outside_tasks(lambda: made.append(call(*args)))
    return made[0]


#: Threads for calls that libqi has no future for.
_THREADS = 8


class TaskCalls:
    """Calls over one connection, made by tasks of one clock; a caller that is not a task simply waits."""

    def __init__(self, connection: Connection, clock: DeskClock) -> None:
        self.connection = connection
        self._clock = clock
        self._threads = ThreadPoolExecutor(_THREADS, "naosim-desk")

    def ask(self, service: str, method: str, args: Sequence[Any]) -> Any:
        """Call a method on the robot and return its answer; raises RuntimeError."""
        return self._await(lambda: self.connection.call(service, method, tuple(args)))

    def apart(self, call: Callable[..., Any], *args: Any) -> Any:
        """Make a call that blocks on its own thread, and return its result."""
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
            future.add_done_callback(lambda _done: clock.call_soon_threadsafe(self._take_answer, answered))
            clock.wait(answered)
        return future.result()

    def _take_answer(self, answered: SimEvent) -> None:
        self._clock.expect(-1)
        answered.set()
