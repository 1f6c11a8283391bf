"""The clock of a robot that is played at the desk: Ctrl-C reaches the calling thread also during long runs."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from naosim.clock import Clock
from naosim.scheduler import outside_tasks

Made = TypeVar("Made")

#: Seconds for a run to come to a calm moment after Ctrl-C.
_RESTS_WITHIN = 20.0


class DeskClock(Clock):
    """A clock whose runs happen on a thread of their own, while the caller waits and may be interrupted."""

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
        """Have a run ask its `until` again; any thread may call it."""
        self.outside(_nothing)


def _nothing() -> None:
    pass


def call_outside(call: Callable[..., Made], *args: Any) -> Made:
    """Return what a call gives that needs the real threads, locks and timers, also from within a task."""
    made: list[Made] = []
    outside_tasks(lambda: made.append(call(*args)))
    return made[0]
