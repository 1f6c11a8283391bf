"""The clock of a robot that is played at the desk: runs that take long leave the calling thread to Ctrl-C."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from naosim.kernel.clock import Clock
from naosim.kernel.tasks import aside

Made = TypeVar("Made")

#: Seconds for a run to come to a calm moment after Ctrl-C.
LETS_GO = 20.0


class DeskClock(Clock):
    """A clock whose runs happen on a thread of their own, while the caller waits and may be interrupted."""

    def __init__(self, real_time: bool = False, speed: float = 1.0) -> None:
        Clock.__init__(self, real_time, speed)
        self._leaving = False
        self._orders: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._drive, name="naosim-drive", daemon=True).start()

    def run(self, until: Callable[[], object] | None = None, seconds: float | None = None,
            up_to: float | None = None) -> str:
        """Runs as any clock does; Ctrl-C ends the run at its next calm moment, so that it can be run again."""
        over: Future[str] = Future()

        def order() -> None:
            try:
                over.set_result(Clock.run(self, lambda: self._leaving or (until is not None and until()),
                                          seconds, up_to))
            except BaseException as error:
                over.set_exception(error)
        try:
            self._orders.put(order)
            return over.result()
        except KeyboardInterrupt:
            self._come_to_rest()
            raise

    def close(self) -> None:
        """Closes the clock, and lets its thread go."""
        Clock.close(self)
        self._orders.put(None)

    def _drive(self) -> None:
        while (order := self._orders.get()) is not None:
            order()

    def _come_to_rest(self) -> None:
        """Ends the run under way, if there is one: Ctrl-C comes between any two steps."""
        rest: Future[None] = Future()
        self._leaving = True
        self.wake()
        self._orders.put(lambda: rest.set_result(None))
        rest.exception(LETS_GO)
        self._leaving = False

    def wake(self) -> None:
        """Lets a run ask its `until` again; any thread may call it."""
        self.outside(_nothing)


def _nothing() -> None:
    pass


def beside(call: Callable[..., Made], *args: Any) -> Made:
    """Makes a call that needs the real threads, locks and timers, also from within a task."""
    made: list[Made] = []
    aside(lambda: made.append(call(*args)))
    return made[0]
