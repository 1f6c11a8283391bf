"""`python -m naosim.remote.live_server`: a robot in real time, asked over pipes, many requests at once.

One JSON object per line. In: {"id": 1, "do": "call", "service": ..., "method": ..., "args": [...]}; the first line is
{"id": 0, "do": "open", ...} with what the robot is made of, and the path of a Unix socket ("door") where further
programs may use the same robot in the same way. Out, when it is done and in any order: {"id": 1, "value": ...} or
{"id": 1, "error": ...}, and what no request asked for: {"push": "event" | "link" | "module", ...}.
"""

from __future__ import absolute_import, division, print_function

import io
import os
import signal
import sys

from naosim.compat import INTEGERS, TEXTS, native, start_new_thread
from naosim.errors import NaosimError, Overrun, WireError
from naosim.remote.behaviour_requests import FASTEST
from naosim.remote.door import Door
from naosim.remote.json_lines import error_sentence, parse, read_line, read_requests
from naosim.remote.line_writer import LineWriter
from naosim.remote.live_requests import LiveRequests, about, number_of
from naosim.remote.spoken import SpokenTexts
from naosim.remote.values import packed
from naosim.robot.robot import Robot
from naosim.scripting import modules
from naosim.world.faults import Faults

MYPY = False
if MYPY:
    from typing import Any

OPTIONS = ("without", "seed", "posture", "languages", "speed", "home", "robot_type", "camera")
FINE, BAD_INPUT, LOST = 0, 2, 3


class LiveServer(object):
    """One robot from the first line of standard input to the last."""

    def __init__(self, lines, writer):  # type: (Any, LineWriter) -> None
        self._lines = lines
        self._writer = writer
        self._door = None  # type: Door | None
        self._over = False

    def run(self):  # type: () -> int
        """Open the robot, answer until the input ends, and return the exit status."""
        robot = self._opened()
        if robot is None:
            return BAD_INPUT
        spoken = SpokenTexts(robot)
        requests = LiveRequests(robot, self._writer.push, spoken)
        robot.clock.open()
        start_new_thread(self._read, (robot, requests))
        if self._door is not None:
            self._door.open(robot, spoken)
        try:
            return self._live(robot)
        finally:
            if self._door is not None:
                self._door.close()
            robot.close()

    def _opened(self):  # type: () -> Robot | None
        number = 0  # type: Any
        try:
            request = parse(read_line(self._lines))
            number = number_of(request)
            if request.get("do") != "open":
                raise WireError("the first request has to be open")
            options = {key: request[key] for key in OPTIONS if key in request}
            _check(request)
            faults = Faults()
            faults.plan(request.get("faults") or {})
            robot = Robot(faults=faults, real_time=True, **options)
            world = robot.world
            # What scripts keep in "~" belongs to the robot, and not to the user who runs it.
            os.environ["HOME"] = world.user_folder()
            if request.get("door"):
                self._door = Door(native(request["door"]))
        except (NaosimError, RuntimeError, TypeError, ValueError, EnvironmentError) as error:
            self._writer.push({"id": number, "error": error_sentence(error)})
            return None
        self._writer.push({"id": number, "value": packed(about(robot))})
        return robot

    def _live(self, robot):  # type: (Robot) -> int
        """Run the clock until the input ends; what fails a run is noted, and the robot goes on without behaviours."""
        while not self._over:
            try:
                with modules.running(robot.world):
                    robot.clock.run(lambda: self._over or self._writer.is_broken)
                self._over = self._over or self._writer.is_broken
            except Exception as error:
                robot.trace.note("error", where="robot", message=error_sentence(error), handled=False)
                if robot.clock.is_running:
                    return LOST  # A task that never lets go keeps the clock for good.
                if isinstance(error, Overrun):
                    _end_behaviours(robot)
        return FINE

    def _read(self, robot, requests):  # type: (Robot, LiveRequests) -> None
        """Hand request after request to the clock until the input ends, on a thread of its own."""

        def take_in(request):  # type: (dict[str, Any]) -> None
            try:
                number_of(request)
            except WireError as error:
                self._refuse(error)
            else:
                robot.clock.outside(requests.take, request)

        try:
            read_requests(self._lines, take_in, self._refuse)
        finally:
            robot.clock.outside(self._finish)

    def _refuse(self, error):  # type: (WireError) -> None
        self._writer.push({"id": None, "error": str(error)})

    def _finish(self):  # type: () -> None
        self._over = True


def _end_behaviours(robot):  # type: (Robot) -> None
    """Have every behaviour stopped as soon as the clock runs again."""
    if robot.behaviour is not None:
        robot.clock.outside(robot.behaviour.interrupt)
    if "ALBehaviorManager" in robot.services:
        robot.clock.outside(robot.services["ALBehaviorManager"].stopAllBehaviors)


def _check(options):  # type: (dict[str, Any]) -> None
    """Refuse what a robot would trip over only later; raises WireError."""
    for name in ("home", "door", "camera"):
        if not isinstance(options.get(name), TEXTS + (type(None),)):
            raise WireError("the %s %r is no path" % (name, options[name]))
    speed = options.get("speed", 1.0)
    if not isinstance(speed, (float,) + INTEGERS) or not 0 < float(speed) <= FASTEST:  # type: ignore[arg-type]
        raise WireError("a speed of %r is not between 0 and %d" % (speed, FASTEST))


def main():  # type: () -> int
    """Serve one robot on standard input and output, and return the exit status: 0 fine, 2 no robot, 3 lost."""
    lines = io.BufferedReader(io.FileIO(os.dup(0), "rb"))
    writer = LineWriter(os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    # Ctrl-C in a terminal is meant for the parent process; this one ends when its input does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return LiveServer(lines, writer).run()
    finally:
        writer.close()


if __name__ == "__main__":
    status = BAD_INPUT
    try:
        status = main()
    except Exception:
        sys.excepthook(*sys.exc_info())
    finally:
        # The reading thread may still wait for a line, and no thread should keep the process.
        sys.stderr.flush()
        os._exit(status)
