"""The wakeup signal of a clock: other threads send it to wake a run that waits for time or for calls from outside."""

from __future__ import absolute_import, division, print_function

import errno
import os
import select

from naosim.compat import PY2, allocate_lock, real_select

MYPY = False
if MYPY:
    from typing import Any


class LockWakeup(object):
    """A wakeup signal made of a lock, for Python 3, whose locks wait with a time-out."""

    def __init__(self):  # type: () -> None
        self._lock = allocate_lock()  # type: Any
        self._lock.acquire()

    def send(self):  # type: () -> None
        """Wake the thread that waits, now or next; sending twice counts once."""
        try:
            self._lock.release()
        except RuntimeError:
            pass  # It was sent already, and no thread has waited since.

    def wait(self, seconds):  # type: (float) -> bool
        """Wait for so many real seconds; return True when the signal was sent."""
        return bool(self._lock.acquire(True, seconds))

    def close(self):  # type: () -> None
        """Do nothing: a lock holds no resources."""


class PipeWakeup(object):
    """A wakeup signal made of a pipe, for Python 2.7, whose locks can wait only by polling."""

    def __init__(self):  # type: () -> None
        self._guard = allocate_lock()
        self._sent = self._closed = False
        self._out, self._in = os.pipe()

    def send(self):  # type: () -> None
        """Wake the thread that waits, now or next; sending twice counts once."""
        with self._guard:
            if not self._sent and not self._closed:
                self._sent = True
                os.write(self._in, b"!")

    def wait(self, seconds):  # type: (float) -> bool
        """Wait for so many real seconds; return True when the signal was sent."""
        try:
            readable, _, _ = real_select([self._out], [], [], seconds)
        except select.error as error:
            if error.args[0] != errno.EINTR:
                raise
            return False
        if not readable:
            return False
        with self._guard:
            if self._sent:
                os.read(self._out, 1)
                self._sent = False
        return True

    def close(self):  # type: () -> None
        """Close the pipe."""
        with self._guard:
            if not self._closed:
                self._closed = True
                os.close(self._in)
                os.close(self._out)


def wakeup():  # type: () -> Any
    """Make a wakeup signal of the kind that this Python can wait for without polling."""
    return PipeWakeup() if PY2 else LockWakeup()
