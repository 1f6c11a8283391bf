"""Lines written to a pipe or socket by a thread of its own, so that no task ever waits for the reader."""
from __future__ import absolute_import, division, print_function

import os
from collections import deque

from naosim.compat import allocate_lock, start_new_thread, take
from naosim.kernel.wakeup import wakeup
from naosim.remote.json_lines import LONGEST_LINE, encode

MYPY = False
if MYPY:
    from typing import Any

#: Bytes that wait for a reader that does not read, and real seconds that the last of them may take.
MOST_UNREAD, LAST_LINES = 64 * 1024 * 1024, 2.0


class LineWriter(object):
    """Writes lines to a pipe on a thread of its own, so that no task ever waits for the reader."""

    def __init__(self, number):
        # type: (int) -> None
        self._number = number
        self._lines = deque()  # type: deque[bytes]
        self._wakeup = wakeup()
        self._unread = 0
        self._ending = self.is_broken = False
        self._ended = allocate_lock()
        self._ended.acquire()
        start_new_thread(self._write, ())

    def push(self, message):
        # type: (dict[str, Any]) -> None
        """Send one message; an answer that is too long is replaced by an error."""
        line = encode(message)
        if len(line) > LONGEST_LINE:
            line = encode({"id": message.get("id"), "error": "an answer of %d characters is too long" % len(line)})
        if self._unread > MOST_UNREAD:
            self.is_broken = True
        if not self.is_broken:
            self._unread += len(line)
            self._lines.append(line)
            self._wakeup.send()

    def close(self):
        # type: () -> None
        """Wait a moment for the last lines to be read; what is sent later is dropped."""
        self._ending = True
        self._wakeup.send()
        if take(self._ended, LAST_LINES):
            self._wakeup.close()
        self.is_broken = True

    def _write(self):
        # type: () -> None
        try:
            while self._lines or not self._ending:
                if not self._lines:
                    self._wakeup.wait(60.0)
                    continue
                line = self._lines.popleft()
                self._unread -= len(line)
                while line:
                    line = line[os.write(self._number, line):]
        except (IOError, OSError):
            self.is_broken = True
        self._ended.release()
