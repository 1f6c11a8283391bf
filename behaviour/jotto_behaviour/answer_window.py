"""The player's turn: whichever thread brings an answer first takes it, and after a while the time is up."""
from __future__ import absolute_import, division, print_function, unicode_literals

import threading

MYPY = False
if MYPY:
    from typing import Any, Callable


class Turn(object):
    """Is open from a question to its answer; a robot calls from many threads, so each step is one under a lock.

    `timer` makes threading timers; `time_is_up` is called on a timer's thread that has taken the turn.
    """

    def __init__(self, timer, time_is_up):
        # type: (Callable[..., Any], Callable[[], None]) -> None
        self._timer = timer
        self._time_is_up = time_is_up
        self._lock = threading.Lock()
        self._alarm = None  # type: Any
        self._open = False
        self._question = 0
        self.closed = False
        self.taps = 0

    def begin(self):
        # type: () -> int
        """Open the turn of the next question and give its number; after `close` it stays shut."""
        with self._lock:
            self._open = not self.closed
            self._question += 1
            self.taps = 0
            return self._question

    def allow(self, question, seconds, show):
        # type: (int, float, Callable[[], None]) -> None
        """Show that NAO listens and give so much time, unless the question is answered already."""
        with self._lock:
            if self._open and question == self._question:
                # Under the lock: whoever answers now shows its own colour after this one.
                show()
                self._ring(seconds)

    def tap(self, seconds):
        # type: (float) -> None
        """Count a tap and give time anew."""
        with self._lock:
            if self._open:
                self.taps += 1
                self._ring(seconds)

    def take(self):
        # type: () -> bool
        """Take the turn; False when it is not open or another was quicker."""
        with self._lock:
            return self._taken()

    def close(self):
        # type: () -> None
        """Shut it for good."""
        with self._lock:
            self.closed = True
            self._taken()

    def _taken(self):
        # type: () -> bool
        was, self._open = self._open, False
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        return was

    def _ring(self, seconds):
        # type: (float) -> None
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._timer(seconds, self._late, (self._question, self.taps))
        self._alarm.daemon = True
        self._alarm.start()

    def _late(self, question, taps):
        # type: (int, int) -> None
        """An alarm for an earlier question, or from before the last tap, may ring in the moment it is put off."""
        with self._lock:
            taken = (question, taps) == (self._question, self.taps) and self._taken()
        if taken:
            self._time_is_up()
