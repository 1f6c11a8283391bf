"""What a person types, line by line, for commands that have other things to do meanwhile."""

import os
import queue
import select
import sys
import threading
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
        # Windows waits for sockets alone, and knows no programs in the background.
        self._chunks = _Chunks(self._input) if self._input >= 0 and not hasattr(os, "getpgrp") else None

    def close(self) -> None:
        """Let go of the input."""
        if self._input >= 0 and self._chunks is None:
            os.close(self._input)

    def read(self, seconds: float) -> list[str]:
        """Return the lines that came within so many seconds; a line that is too long counts as two."""
        if self.has_ended or not self._is_ours():
            time.sleep(seconds)
            return []
        chunk = self._chunk(seconds)
        if chunk is None:
            return []
        self.has_ended = not chunk
        lines = (self._rest + chunk).split(b"\n")
        self._rest = b"" if self.has_ended else lines.pop()
        if len(self._rest) > LONGEST_LINE:
            lines, self._rest = [*lines, self._rest], b""
        return [line.decode("utf-8", "replace").strip() for line in lines]

    def _chunk(self, seconds: float) -> bytes | None:
        """Return what came within so many seconds, nothing at the end of the input; None when nothing came."""
        if self._chunks is not None:
            return self._chunks.next(seconds)
        return os.read(self._input, CHUNK) if select.select([self._input], [], [], seconds)[0] else None

    def _is_ours(self) -> bool:
        """Tell whether a terminal is ours to read: the system stops a process that reads it in the background."""
        try:
            return not self.is_terminal or self._chunks is not None or os.tcgetpgrp(self._input) == os.getpgrp()
        except OSError:
            return True


class _Chunks:
    """The input read by a thread of its own, which is left behind: nothing can call it back from a read."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._read: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._collect, name="jotto-input", daemon=True).start()

    def _collect(self) -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = os.read(self._source, CHUNK)
            except OSError:
                chunk = b""
            self._read.put(chunk)

    def next(self, seconds: float) -> bytes | None:
        """Return what was read next, within so many seconds; None when nothing came."""
        try:
            return self._read.get(timeout=seconds)
        except queue.Empty:
            return None
