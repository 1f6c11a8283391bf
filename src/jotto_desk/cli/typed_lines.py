"""What a person types, line by line, for commands that have other things to do meanwhile."""

import os
import select
import sys
import time

LONGEST_LINE = 4000
CHUNK = 65536


class TypedLines:
    """Standard input line by line without ever blocking; it may be a terminal, a pipe, or nothing at all."""

    def __init__(self) -> None:
        self._rest = b""
        self.has_ended = False
        try:
            self._input = os.dup(sys.stdin.fileno())
        except (AttributeError, OSError, ValueError):
            self._input = -1
            self.has_ended = True
        self.is_terminal = self._input >= 0 and os.isatty(self._input)

    def close(self) -> None:
        """Let go of the input."""
        if self._input >= 0:
            os.close(self._input)

    def read(self, seconds: float) -> list[str]:
        """Return the lines that came within so many seconds; a line that is too long counts as two."""
        if self.has_ended or not self._is_ours():
            time.sleep(seconds)
            return []
        if not select.select([self._input], [], [], seconds)[0]:
            return []
        chunk = os.read(self._input, CHUNK)
        self.has_ended = not chunk
        lines = (self._rest + chunk).split(b"\n")
        self._rest = b"" if self.has_ended else lines.pop()
        if len(self._rest) > LONGEST_LINE:
            lines, self._rest = [*lines, self._rest], b""
        return [line.decode("utf-8", "replace").strip() for line in lines]

    def _is_ours(self) -> bool:
        """Tell whether a terminal is ours to read: the system stops a process that reads it in the background."""
        try:
            return not self.is_terminal or os.tcgetpgrp(self._input) == os.getpgrp()
        except OSError:
            return True
