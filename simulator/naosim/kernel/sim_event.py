"""Events in simulated time: what a task can wait for, such as the end of a sentence."""
from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from naosim.kernel.tasks import Wake
    from naosim.kernel.timetable import Timetable


class SimEvent(object):
    """An event that tasks wait for; once set it lets every task through until it is cleared."""

    __slots__ = ("_clock", "_waiting", "is_set")

    def __init__(self, clock):
        # type: (Timetable) -> None
        self.is_set = False
        self._clock = clock
        self._waiting = []  # type: list[Wake]

    def set(self):
        # type: () -> None
        """Wake every task that waits, in the order in which they came."""
        self.is_set = True
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for wake in waiting:
                wake.opened = True
                self._clock.make_ready(wake)

    def clear(self):
        # type: () -> None
        """Make tasks wait again."""
        self.is_set = False

    def add(self, wake):
        # type: (Wake) -> None
        """Let a blocked task wait for this event."""
        self._waiting.append(wake)

    def discard(self, wake):
        # type: (Wake) -> None
        """Let a task wait no longer."""
        if wake in self._waiting:
            self._waiting.remove(wake)
