"""Lines written to a pipe or socket, at once or by a thread of its own, so that no task ever waits for the reader."""

from __future__ import absolute_import, division, print_function

import os
import select
from collections import deque

from naosim.compat import allocate_lock, start_new_thread, take
from naosim.kernel.wakeup import wakeup
from naosim.remote.json_lines import LONGEST_LINE, encode_unsorted

MYPY = False
if MYPY:
    from typing import Any

#: Bytes that wait for a reader that does not read, and real seconds that the last of them may take.
MOST_UNREAD, LAST_LINES = 64 * 1024 * 1024, 2.0
#: Bytes for which there is room in a pipe or socket that is said to be writable.
AT_ONCE = 4096


class LineWriter(object):
    """Writes lines to a pipe; what the reader has no room for waits on a thread of its own, and no task does."""

    def __init__(self, number):  # type: (int) -> None
        self._number = number
        self._lines = deque()  # type: deque[bytes]
        self._writing = allocate_lock()
        self._room = _room(number)
        self._wakeup = wakeup()
        self._unread = 0
        self._ending = self.is_broken = False
        self._ended = allocate_lock()
        self._ended.acquire()
        start_new_thread(self._write, ())

    def push(self, message):  # type: (dict[str, Any]) -> None
        """Send one message; an answer that is too long is replaced by an error."""
        line = encode_unsorted(message)
        if len(line) > LONGEST_LINE:
            error = "an answer of %d characters is too long" % len(line)
            line = encode_unsorted({"id": message.get("id"), "error": error})
        if self._unread > MOST_UNREAD:
            self.is_broken = True
        if not self.is_broken and not self._written_at_once(line):
            self._unread += len(line)
            self._lines.append(line)
            self._wakeup.send()

    def close(self):  # type: () -> None
        """Wait a moment for the last lines to be read; what is sent later is dropped."""
        self._ending = True
        self._wakeup.send()
        if take(self._ended, LAST_LINES):
            self._wakeup.close()
        self.is_broken = True

    def _written_at_once(self, line):  # type: (bytes) -> bool
        """Write a line if no other one waits and there is room for it: this saves a switch of threads."""
        if self._lines or len(line) > AT_ONCE or self._room is None or not self._writing.acquire(False):
            return False
        try:
            # Another line may have come to wait meanwhile.
            if self._lines or not self._room.poll(0):
                return False
            self._write_whole(line)
        except (IOError, OSError, select.error):
            self.is_broken = True
        finally:
            self._writing.release()
        return True

    def _write_whole(self, line):  # type: (bytes) -> None
        while line:
            line = line[os.write(self._number, line) :]

    def _write(self):  # type: () -> None
        try:
            while self._lines or not self._ending:
                if not self._lines:
                    self._wakeup.wait(60.0)
                    continue
                with self._writing:
                    line = self._lines.popleft()
                    self._unread -= len(line)
                    self._write_whole(line)
        except (IOError, OSError):
            self.is_broken = True
        self._ended.release()


def _room(number):  # type: (int) -> Any
    """Return what tells whether there is room for a line, None where the system has no such thing."""
    if not hasattr(select, "poll"):
        return None
    room = select.poll()
    room.register(number, select.POLLOUT)
    return room
