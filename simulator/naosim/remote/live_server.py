"""`python -m naosim.remote.live_server`: a robot in real time, asked over pipes, many requests at once.

One JSON object per line. In: {"id": 1, "do": "call", "service": ..., "method": ..., "args": [...]}; the first line is
{"id": 0, "do": "open", ...} with what the robot is made of. Out, when it is done and in any order: {"id": 1, "value":
...} or {"id": 1, "error": ...}, and what nobody asked for: {"push": "event" | "link" | "module", ...}.
"""
from __future__ import absolute_import, division, print_function

import io
import json
import os
import platform
import signal
import sys
from collections import deque

from naosim.compat import INTEGERS, TEXTS, allocate_lock, natively, quoted, start_new_thread, take
from naosim.errors import NaosimError, Overrun, WireError
from naosim.kernel.wakeup import wakeup
from naosim.remote.live_requests import Requests, sentence
from naosim.remote.values import LONGEST_LINE
from naosim.robot.robot import Robot
from naosim.scripting import modules
from naosim.world.faults import Faults
from naosim.world.trace import json_line

MYPY = False
if MYPY:
    from typing import Any

OPTIONS = ("without", "seed", "posture", "languages", "speed", "home", "robot_type")
#: Bytes that wait for a reader who does not come, and real seconds for the last of them.
MOST_UNREAD, LAST_WORDS = 64 * 1024 * 1024, 2.0
FINE, BAD_INPUT, LOST = 0, 2, 3
#: The folder that is "~" on a robot with a home of packages; no package can have its name.
DWELLING = ".nao"
#: Simulated seconds per second.
FASTEST = 1000


class Mouth(object):
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
        """Sends one message; an answer that is too long is replaced by an error."""
        line = json_line(message)
        if len(line) > LONGEST_LINE:
            line = json_line({"id": message.get("id"), "error": "an answer of %d characters is too long" % len(line)})
        if self._unread > MOST_UNREAD:
            self.is_broken = True
        if not self.is_broken:
            self._unread += len(line)
            self._lines.append((line + "\n").encode("ascii"))
            self._wakeup.send()

    def close(self):
        # type: () -> None
        """Waits a moment for the last lines."""
        self._ending = True
        self._wakeup.send()
        take(self._ended, LAST_WORDS)

    def _write(self):
        # type: () -> None
        try:
            while self._lines or not self._ending:
                if not self._lines:
                    self._wakeup.wait(60.0)
                    continue
                line = self._lines.popleft()
                self._unread -= len(line) - 1
                while line:
                    line = line[os.write(self._number, line):]
        except (IOError, OSError):
            self.is_broken = True
        self._ended.release()


class Host(object):
    """One robot from the first line of standard input to the last."""

    def __init__(self, lines, mouth):
        # type: (Any, Mouth) -> None
        self._lines = lines
        self._mouth = mouth
        self._over = False
        self._requests = None  # type: Requests | None

    def run(self):
        # type: () -> int
        """Opens the robot, answers until the input ends, and gives the exit status."""
        robot = self._opened()
        if robot is None:
            return BAD_INPUT
        self._requests = Requests(robot, self._mouth.push)
        robot.clock.open()
        start_new_thread(self._read, (robot,))
        try:
            return self._live(robot)
        finally:
            robot.close()

    def _opened(self):
        # type: () -> Robot | None
        number = 0  # type: Any
        try:
            request = self._request(self._lines.readline(LONGEST_LINE + 2))
            number = request["id"]
            if request.get("do") != "open":
                raise WireError("the first request has to be open")
            options = {key: request[key] for key in OPTIONS if key in request}
            _check(options)
            faults = Faults()
            faults.plan(request.get("faults") or {})
            robot = Robot(faults=faults, real_time=True, **options)
            world = robot.world
            # What scripts keep in "~" belongs to the robot, and not to whoever runs it.
            os.environ["HOME"] = os.path.join(world.home, DWELLING) if world.home else world.writable_folder()
        except (NaosimError, RuntimeError, TypeError, ValueError, EnvironmentError) as error:
            self._mouth.push({"id": number, "error": sentence(error)})
            return None
        self._mouth.push({"id": number, "value": {"dict": {
            "python": platform.python_version(), "services": sorted(robot.services)}}})
        return robot

    def _live(self, robot):
        # type: (Robot) -> int
        """Runs the clock; what fails the run is noted and the robot goes on, its behaviours stopped."""
        while not self._over:
            try:
                with modules.PATCHES:
                    robot.clock.run(lambda: self._over or self._mouth.is_broken)
                self._over = self._over or self._mouth.is_broken
            except Exception as error:
                robot.trace.note("error", where="robot", message=sentence(error), handled=False)
                if robot.clock.is_running:
                    return LOST  # A task that never lets go holds the baton for good.
                if isinstance(error, Overrun) and "ALBehaviorManager" in robot.services:
                    robot.clock.outside(robot.services["ALBehaviorManager"].stopAllBehaviors)
        return FINE

    def _read(self, robot):
        # type: (Robot) -> None
        """Hands in request after request, on the thread of its own, until the input ends."""
        requests = self._requests
        assert requests is not None
        try:
            while True:
                line = self._lines.readline(LONGEST_LINE + 2)
                if not line:
                    return
                if line.strip():
                    self._hand_in(robot, requests, line)
        finally:
            robot.clock.outside(self._finish)

    def _hand_in(self, robot, requests, line):
        # type: (Robot, Requests, bytes) -> None
        try:
            request = self._request(line)
        except WireError as error:
            self._mouth.push({"id": None, "error": str(error)})
        else:
            robot.clock.outside(requests.take, request)

    def _finish(self):
        # type: () -> None
        self._over = True

    def _request(self, line):
        # type: (bytes) -> dict[str, Any]
        if len(line) > LONGEST_LINE:
            while line and not line.endswith(b"\n"):
                line = self._lines.readline(LONGEST_LINE)
            raise WireError("a request of more than %d characters is too long" % LONGEST_LINE)
        try:
            request = natively(json.loads(line.decode("utf-8")))
        except (ValueError, RuntimeError):
            raise WireError("the request %s is no JSON" % quoted(line.strip()[:60]))
        number = request.get("id") if isinstance(request, dict) else None
        if isinstance(number, bool) or not isinstance(number, INTEGERS):
            raise WireError("the request %s has no number as its id" % quoted(line.strip()[:60]))
        return request  # type: ignore[no-any-return]


def _check(options):
    # type: (dict[str, Any]) -> None
    """Refuses what a robot would trip over only later."""
    if not isinstance(options.get("home"), TEXTS + (type(None),)):
        raise WireError("the home %r is no path" % (options["home"],))
    speed = options.get("speed", 1.0)
    if not isinstance(speed, (float,) + INTEGERS) or not 0 < float(speed) <= FASTEST:  # type: ignore[arg-type]
        raise WireError("a speed of %r is not between 0 and %d" % (speed, FASTEST))


def main():
    # type: () -> int
    """Serves one robot on standard input and output, and gives the exit status: 0 fine, 2 no robot, 3 lost."""
    lines = io.BufferedReader(io.FileIO(os.dup(0), "rb"))
    mouth = Mouth(os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    # Ctrl-C in a terminal is for whoever holds the other ends; the end of the input is this one's sign.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return Host(lines, mouth).run()
    finally:
        mouth.close()


if __name__ == "__main__":
    status = BAD_INPUT
    try:
        status = main()
    except Exception:
        sys.excepthook(*sys.exc_info())
    finally:
        # The reader may still wait for a line, and no thread should keep a robot that is over.
        sys.stderr.flush()
        os._exit(status)
