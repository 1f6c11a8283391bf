"""Events in simulated time, for which tasks wait: the end of a sentence, for example."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from naosim.kernel.tasks import Wake
    from naosim.kernel.timetable import Timetable


class SimEvent(object):
    """An event that tasks wait for; once set it lets every task through until it is cleared."""

    __slots__ = ("_clock", "_waiting", "is_set")

    def __init__(self, clock):  # type: (Timetable) -> None
        self.is_set = False
        self._clock = clock
        self._waiting = []  # type: list[Wake]

    def set(self):  # type: () -> None
        """Set the event and wake every task that waits, in the order in which they began to wait."""
        self.is_set = True
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for wake in waiting:
                wake.opened = True
                self._clock.make_ready(wake)

    def clear(self):  # type: () -> None
        """Clear the event: tasks that wait from now on block."""
        self.is_set = False

    def add(self, wake):  # type: (Wake) -> None
        """Add a wake to those that setting the event makes ready."""
        self._waiting.append(wake)

    def discard(self, wake):  # type: (Wake) -> None
        """Remove a wake, if it is still there: its task waits no longer."""
        if wake in self._waiting:
            self._waiting.remove(wake)
