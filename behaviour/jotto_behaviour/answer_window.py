"""The time in which a question may be answered: the first thread with an answer takes it, or it runs out."""

from __future__ import absolute_import, division, print_function, unicode_literals

import threading

MYPY = False
if MYPY:
    from typing import Any, Callable


#: Count this many refused sounds as a person who speaks; one or two may be coughs.
MOST_REFUSALS = 3


class AnswerWindow(object):
    """Open from a question to its answer; a robot calls from many threads, so every step holds one lock.

    `timer` makes threading timers; `time_is_up` is called on the timer's thread, which has taken the window.
    """

    def __init__(self, timer, time_is_up):  # type: (Callable[..., Any], Callable[[], None]) -> None
        self._timer = timer
        self._time_is_up = time_is_up
        self._lock = threading.Lock()
        self._alarm = None  # type: Any
        self._open = False
        self._question = 0
        self.closed = False
        self.taps = 0
        self._refusals = 0

    def open(self):  # type: () -> int
        """Open the window for the next question and return the question's number; after `close` it stays shut."""
        with self._lock:
            self._open = not self.closed
            self._question += 1
            self.taps = self._refusals = 0
            return self._question

    def is_open(self, question):  # type: (int) -> bool
        """Tell whether the question of this number still waits for its answer."""
        with self._lock:
            return self._open and question == self._question

    def start_timer(self, question, seconds, show):  # type: (int, float, Callable[[], None]) -> None
        """Show that NAO listens and start the time for an answer, unless the question is answered already."""
        with self._lock:
            if self._open and question == self._question:
                # Under the lock, so that the colour shown for an answer comes after this one.
                show()
                self._set_alarm(seconds)

    def tap(self, seconds):  # type: (float) -> None
        """Count a tap and start the time again."""
        with self._lock:
            if self._open:
                self.taps += 1
                self._set_alarm(seconds)

    def refuse(self):  # type: () -> bool
        """Count a sound that was none of the phrases; return whether there have been many, and somebody may speak."""
        with self._lock:
            self._refusals += 1
            return self._open and not self.taps and self._refusals >= MOST_REFUSALS

    def take(self):  # type: () -> bool
        """Take the window, which closes it; return False when it is not open or another thread was first."""
        with self._lock:
            return self._taken()

    def close(self):  # type: () -> None
        """Close the window for good."""
        with self._lock:
            self.closed = True
            self._taken()

    def _taken(self):  # type: () -> bool
        was, self._open = self._open, False
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        return was

    def _set_alarm(self, seconds):  # type: (float) -> None
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._timer(seconds, self._on_alarm, (self._question, self.taps))
        self._alarm.daemon = True
        self._alarm.start()

    def _on_alarm(self, question, taps):  # type: (int, int) -> None
        """Take the window when time is up; an alarm that is out of date may still ring while it is being replaced."""
        with self._lock:
            taken = (question, taps) == (self._question, self.taps) and self._taken()
        if taken:
            self._time_is_up()
