"""A robot over pipes: one JSON object per line in, one out, so that another interpreter can run the behaviour."""
from __future__ import absolute_import, division, print_function

import json
import sys

from naosim.compat import natively, quoted, reason
from naosim.errors import NaosimError, WireError
from naosim.remote.subprocess_robot import RemoteRobot
from naosim.robot.robot import Robot
from naosim.world.faults import Faults
from naosim.world.trace import as_dict, json_line

MYPY = False
if MYPY:
    from typing import Any

    from naosim.robot.driver import Pause

__all__ = ["RemoteRobot", "Server", "main"]

LONGEST_LINE = 4 * 1024 * 1024
OPTIONS = ("without", "seed", "posture", "languages", "folder")


class Server(object):
    """Answers requests about one robot, which the first request makes."""

    def __init__(self):
        # type: () -> None
        self._robot = None  # type: Robot | None

    def answer(self, line):
        # type: (str) -> dict[str, Any]
        """The answer to one line, as a dict; what goes wrong becomes {"error": sentence}."""
        try:
            request = _request(line)
            verb = request.pop("do", None)
            act = getattr(self, "_do_%s" % verb, None) if isinstance(verb, str) else None
            if act is None:
                raise WireError("do not know how to %s" % quoted(verb))
            return act(request)  # type: ignore[no-any-return]
        except NaosimError as error:
            return {"error": str(error)}
        except (RuntimeError, TypeError, ValueError) as error:
            return {"error": reason(error)}

    def close(self):
        # type: () -> None
        """Closes the robot, if there is one."""
        robot, self._robot = self._robot, None
        if robot is not None:
            robot.close()

    def _do_open(self, request):
        # type: (dict[str, Any]) -> dict[str, Any]
        self.close()
        faults = Faults()
        faults.plan(_taken(request, "faults", {}, dict))
        options = {key: request.pop(key) for key in OPTIONS if key in request}
        self._robot = Robot(faults=faults, **options)
        for key, value in sorted(_taken(request, "memory", {}, dict).items()):
            self._robot.set(key, value)
        return self._state()

    def _do_load(self, request):
        # type: (dict[str, Any]) -> dict[str, Any]
        path = _taken(request, "path", None, str)
        rewrite, parameters = bool(request.pop("rewrite", False)), _taken(request, "parameters", {}, dict)
        if self._robot is None:
            self._do_open(request)
        else:
            for key, value in sorted(_taken(request, "memory", {}, dict).items()):
                self._robot.set(key, value)
        self._open().load(path, rewrite, parameters)
        return self._state()

    def _do_start(self, _request):
        # type: (dict[str, Any]) -> dict[str, Any]
        self._open().start()
        return self._state()

    def _do_advance(self, request):
        # type: (dict[str, Any]) -> dict[str, Any]
        seconds = request.get("seconds")
        return self._state(self._open().advance() if seconds is None else self._open().advance(float(seconds)))

    def _do_hear(self, request):
        # type: (dict[str, Any]) -> dict[str, Any]
        self._open().hear(_taken(request, "phrase", None, str), float(request.get("confidence", 0.9)))
        return self._state()

    def _do_touch(self, request):
        # type: (dict[str, Any]) -> dict[str, Any]
        self._open().touch(_taken(request, "sensor", None, str))
        return self._state()

    def _do_silence(self, request):
        # type: (dict[str, Any]) -> dict[str, Any]
        seconds = request.get("seconds")
        return self._state(self._open().stay_silent(None if seconds is None else float(seconds)))

    def _do_ears(self, _request):
        # type: (dict[str, Any]) -> dict[str, Any]
        return self._state()

    def _do_stop(self, _request):
        # type: (dict[str, Any]) -> dict[str, Any]
        self._open().stop()
        return self._state()

    def _do_forget(self, _request):
        # type: (dict[str, Any]) -> dict[str, Any]
        self._open().forget()
        return {"ok": True}

    def _do_leaks(self, _request):
        # type: (dict[str, Any]) -> dict[str, Any]
        return dict(self._state(), leaks=self._open().leaks())

    def _do_get(self, request):
        # type: (dict[str, Any]) -> dict[str, Any]
        return dict(self._state(), value=self._open().get(_taken(request, "key", None, str)))

    def _do_set(self, request):
        # type: (dict[str, Any]) -> dict[str, Any]
        self._open().set(_taken(request, "key", None, str), request.get("value"))
        return self._state()

    def _do_close(self, _request):
        # type: (dict[str, Any]) -> dict[str, Any]
        self.close()
        return {"closed": True}

    def _open(self):
        # type: () -> Robot
        if self._robot is None:
            self._robot = Robot()
        return self._robot

    def _state(self, pause=None):
        # type: (Pause | None) -> dict[str, Any]
        robot = self._open()
        pause = pause or robot.pause()
        behaviour = robot.behaviour
        return {"events": [as_dict(event) for event in pause.events], "ears": dict(pause.ears._asdict()),
                "ended": pause.ended, "failures": behaviour.failures if behaviour is not None else []}


def _request(line):
    # type: (str) -> dict[str, Any]
    if len(line) > LONGEST_LINE:
        raise WireError("a request of %d characters is too long" % len(line))
    try:
        request = natively(json.loads(line))
    except ValueError:
        raise WireError("the request %s is no JSON" % quoted(line.strip()[:60]))
    if not isinstance(request, dict):
        raise WireError("the request %s is no JSON object" % quoted(line.strip()[:60]))
    return request


def _taken(request, key, default, kind):
    # type: (dict[str, Any], str, Any, type) -> Any
    value = request.pop(key, default)
    if not isinstance(value, kind):
        raise WireError("%s is %s and should be a JSON %s" % (
            quoted(key), quoted(value), "object" if kind is dict else "string"))
    return value


def main():
    # type: () -> int
    """Answers standard input line by line until it ends."""
    lines = getattr(sys.stdin, "buffer", sys.stdin)  # type: Any
    out = getattr(sys.stdout, "buffer", sys.stdout)  # type: Any
    server = Server()
    try:
        while True:
            line = lines.readline(LONGEST_LINE + 2)
            if not line:
                return 0
            if line.strip():
                out.write((json_line(server.answer(line.decode("utf-8", "replace"))) + "\n").encode("ascii"))
                out.flush()
    except KeyboardInterrupt:
        return 130
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main())
