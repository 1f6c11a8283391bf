"""The child process of a hosted robot: started on an interpreter, written to line by line, ended in time."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from naosim.remote import MAX_LINE_BYTES, DoesNotTravel, decode_line, make_child_environment

from ..errors import RobotGone

#: Real seconds: for another writer to finish, for a child whose input has ended to end, and for one that was killed.
WRITES_WITHIN, ENDS_WITHIN, DIES_WITHIN = 0.5, 2.5, 1.0


def encoded(request: dict[str, Any]) -> bytes:
    """Return a request as one line; raises DoesNotTravel for what is no JSON or too long."""
    try:
        line = (json.dumps(request) + "\n").encode("ascii")
    except (TypeError, ValueError) as error:
        raise DoesNotTravel(str(error)) from None
    if len(line) > MAX_LINE_BYTES:
        raise DoesNotTravel(f"a request of {len(line)} characters is too long")
    return line


class Child:
    """An interpreter that runs `naosim.live_server`; any thread may write to it, one reads."""

    def __init__(self, python: str, import_paths: Iterable[str | os.PathLike[str]]) -> None:
        environment = make_child_environment([os.fspath(path) for path in import_paths])
        command = [python, "-m", "naosim.live_server"]
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise RobotGone(f"Cannot start the simulated robot with {python}: {reason}.") from None
        self._writing = threading.Lock()

    def write(self, request: dict[str, Any]) -> None:
        """Send one request; raises DoesNotTravel for what is no JSON or too long, OSError when the child is gone."""
        line = encoded(request)
        stdin = self.process.stdin
        assert stdin is not None
        with self._writing:
            if stdin.closed:
                raise BrokenPipeError
            while line:
                line = line[os.write(stdin.fileno(), line) :]

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield what the child says, up to its end."""
        stdout = self.process.stdout
        assert stdout is not None
        with stdout, contextlib.suppress(OSError, ValueError):
            while line := stdout.readline(2 * MAX_LINE_BYTES):
                yield decode_line(line)

    def how_it_ended(self) -> str:
        """Return the exit status of a child whose output has ended; the process itself may end a little later."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(DIES_WITHIN)
        return f"status {self.process.poll()}"

    def kill(self) -> None:
        """End the child at once."""
        self.process.kill()

    def end(self) -> None:
        """End the child's input, give it a moment to end, and kill it then."""
        process, stdin = self.process, self.process.stdin
        assert stdin is not None
        # A thread that writes to a child which does not read holds the lock: then only killing helps.
        if self._writing.acquire(timeout=WRITES_WITHIN):
            with self._released(), contextlib.suppress(OSError):
                stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(ENDS_WITHIN)
        process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(DIES_WITHIN)
        with self._writing, contextlib.suppress(OSError):
            stdin.close()

    @contextlib.contextmanager
    def _released(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._writing.release()
