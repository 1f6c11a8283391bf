"""The directory in a process of its own: when libqi no longer answers there, it is ended and started again.

The robot is in another process and lives on. Clients lose their connections, and what they had registered.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, Any

from naosim.errors import NaosimError
from naosim.remote import make_child_environment
from naosim_live.hosting import HostedRobot, JoinedRobot, RobotClient, without_libqi
from naosim_live.libqi_protocol import Address, encode_value, parse_listen_address

from ..directory.probe import Probe
from .gate import Gate
from .robot_calls import RobotCalls
from .subscribers import ObjectForm

#: Real seconds for a directory to start, to go without an answer, to end, and to wait before another try.
_STARTS_WITHIN, SILENT_FOR, _ENDS_WITHIN, _TRIES_AGAIN_AFTER = 60.0, 15.0, 2.0, 1.0
_LOOKS_EVERY = 0.5
#: glibc gives every thread a heap and a store of its own, and libqi has many threads. Without them memory stays small.
_HEAPS = {"MALLOC_ARENA_MAX": "2", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
AGAIN = "The libqi directory no longer answered and is started again: programs have to connect again."


class _DirectoryProcess:
    """One process with a directory; `port` is where it listens on this computer, `urls` what it tells clients."""

    def __init__(self) -> None:
        """Start the process, which then waits to be told what to serve."""
        self.port, self.urls = 0, [""]
        self._first: dict[str, Any] = {}
        self._calls: RobotCalls | None = None
        self._is_started = threading.Event()
        self._heard = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "naosim_live.directory.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**_HEAPS, **make_child_environment()},
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        threading.Thread(
            target=self._listen, args=(self._process.stdout,), name="naosim-directory", daemon=True
        ).start()

    def serve(self, door: str, listen: str, invalid_signature: bool) -> None:
        """Have it serve the robot behind a door, and wait until it listens; raises NaosimError when it does not."""
        asked = {"door": door, "listen": listen, "invalid_signature": invalid_signature}
        assert self._process.stdin is not None
        # An end of the process, or of our interest in it, shows itself in what it says.
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(asked).encode("ascii") + b"\n")
            self._process.stdin.flush()
        self._is_started.wait(_STARTS_WITHIN)
        if "port" not in self._first:
            raise NaosimError(self._first.get("error", "The libqi directory did not start."))
        self.port, self.urls = self._first["port"], self._first["urls"]

    def calls(self, robot: RobotClient) -> RobotCalls:
        """Return the calls that a gate can answer for it, once it serves."""
        numbers = self._first["numbers"]
        self._calls = RobotCalls(robot, numbers, self._object_form(numbers))
        return self._calls

    def _object_form(self, numbers: dict[str, Any]) -> ObjectForm:
        """Return how this libqi writes an object with a signal, by having it write one."""
        service, actions = numbers.get("ALMemory", (0, {}))
        if "subscriber(s)" not in actions:
            return ObjectForm(b"", False)
        try:
            with Probe(self.port) as probe:
                written = probe.call(service, actions["subscriber(s)"], encode_value("s", "naosim"))
                return ObjectForm.of(written, probe.greeted)
        except OSError as error:
            raise NaosimError(f"The libqi directory did not start: {error}.") from None

    def answers(self) -> bool:
        """Return whether it has answered of late."""
        return self._process.poll() is None and time.monotonic() - self._heard < SILENT_FOR

    def end(self) -> None:
        """End it, whatever it does."""
        process = self._process
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_ENDS_WITHIN)
        process.kill()
        process.wait()

    def _listen(self, stdout: IO[bytes]) -> None:
        with stdout:
            for line in stdout:
                self._heard = time.monotonic()
                told = json.loads(line)
                if not self._is_started.is_set():
                    self._first = told
                    self._is_started.set()
                elif "gone" in told and self._calls is not None:
                    self._calls.forget(told["gone"])
        self._is_started.set()


class WatchedDirectory:
    """A directory for a hosted robot with a door, behind a gate; the robot stays when the directory has to start again.

    `url` is where clients connect. `tell` is called with a sentence when the directory starts again.
    """

    def __init__(
        self,
        robot: HostedRobot,
        process: _DirectoryProcess,
        address: Address,
        *,
        door: str,
        invalid_signature: bool,
        tell: Callable[[str], object],
    ) -> None:
        """Serve the robot behind a door by a process, at first by this one; raises NaosimError as `Directory` does."""
        self.robot = robot
        self._tell = tell
        self._process = process
        self._lock = threading.Lock()
        self._closing = threading.Event()
        # What the gate asks for clients has a line of its own, with its own bounds.
        self._asked = JoinedRobot(door)
        try:
            self._gate = Gate(address)
        except BaseException:
            self._asked.close()
            raise
        self._served = (door, address._replace(port=self._gate.port).url, invalid_signature)
        self._watcher = threading.Thread(target=self._watch, name="naosim-watcher", daemon=True)
        try:
            process.serve(*self._served)
        except BaseException:
            self._gate.close()
            self._asked.close()
            raise
        self.url: str = process.urls[0]
        self._gate.lead_to(process.port, process.calls(self._asked))
        robot.serve_at(self.url)
        self._watcher.start()

    def __enter__(self) -> WatchedDirectory:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the directory and every connection; the robot stays."""
        with self._lock:
            self._closing.set()
            self._process.end()
        self._gate.close()
        self._asked.close()
        if self._watcher.is_alive():
            self._watcher.join()

    def _watch(self) -> None:
        while not self._closing.wait(_LOOKS_EVERY):
            if not self._process.answers():
                self._tell(AGAIN)
                self._gate.lead_to(None)
                while not self._closing.is_set() and not self._is_back():
                    self._closing.wait(_TRIES_AGAIN_AFTER)

    def _is_back(self) -> bool:
        """End the directory, start it again, and return whether it is there."""
        with self._lock:
            self._process.end()
            if self._closing.is_set():
                return False
            self._process = _DirectoryProcess()
        try:
            self._process.serve(*self._served)
        except NaosimError:
            return False
        self._gate.lead_to(self._process.port, self._process.calls(self._asked))
        return True


@contextmanager
def watched(
    python: str = "",
    *,
    listen: str = "tcp://127.0.0.1:0",
    insecure: bool = False,
    invalid_signature: bool = False,
    tell: Callable[[str], object] = lambda _sentence: None,
    **options: Any,
) -> Iterator[WatchedDirectory]:
    """Start a simulated robot behind a watched directory and end both at the end; `options` are HostedRobot's."""
    if find_spec("qi") is None:
        raise without_libqi()
    # A bad address is refused before anything starts; and robot and directory start at the same time.
    address = parse_listen_address(listen, insecure)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="naosim-", ignore_cleanup_errors=True))
        process = _DirectoryProcess()
        stack.callback(process.end)
        door = os.path.join(folder, "door")
        robot = stack.enter_context(HostedRobot(python, door=door, **options))
        yield stack.enter_context(
            WatchedDirectory(robot, process, address, door=door, invalid_signature=invalid_signature, tell=tell)
        )
