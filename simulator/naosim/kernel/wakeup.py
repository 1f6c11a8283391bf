"""The bell of a clock: other threads ring it, and the one who waits for time to pass or for news is woken at once."""
from __future__ import absolute_import, division, print_function

import errno
import os
import select

from naosim.compat import PY2, allocate_lock

MYPY = False
if MYPY:
    from typing import Any


class LockBell(object):
    """A bell made of a lock, for Python 3, whose locks wait with a time-out."""

    def __init__(self):
        # type: () -> None
        self._lock = allocate_lock()  # type: Any
        self._lock.acquire()

    def ring(self):
        # type: () -> None
        """Wakes who waits, now or next; ringing twice is ringing once."""
        try:
            self._lock.release()
        except RuntimeError:
            pass  # It was rung already and nobody has come yet.

    def wait(self, seconds):
        # type: (float) -> bool
        """Waits for so many real seconds; True when the bell was rung."""
        return bool(self._lock.acquire(True, seconds))

    def close(self):
        # type: () -> None
        """Needs nothing."""


class PipeBell(object):
    """A bell made of a pipe, for Python 2.7, whose locks can wait only by asking again and again."""

    def __init__(self):
        # type: () -> None
        self._guard = allocate_lock()
        self._rung = self._closed = False
        self._out, self._in = os.pipe()

    def ring(self):
        # type: () -> None
        """Wakes who waits, now or next; ringing twice is ringing once."""
        with self._guard:
            if not self._rung and not self._closed:
                self._rung = True
                os.write(self._in, b"!")

    def wait(self, seconds):
        # type: (float) -> bool
        """Waits for so many real seconds; True when the bell was rung."""
        try:
            heard, _, _ = select.select([self._out], [], [], seconds)
        except select.error as error:
            if error.args[0] != errno.EINTR:
                raise
            return False
        if not heard:
            return False
        with self._guard:
            if self._rung:
                os.read(self._out, 1)
                self._rung = False
        return True

    def close(self):
        # type: () -> None
        """Gives the pipe back."""
        with self._guard:
            if not self._closed:
                self._closed = True
                os.close(self._in)
                os.close(self._out)


def bell():
    # type: () -> Any
    """A new bell of the kind that this Python waits for best."""
    return PipeBell() if PY2 else LockBell()
