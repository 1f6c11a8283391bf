"""`python -m naosim.stdio_server`: a robot in virtual time, driven over pipes from another interpreter.

Each line of input is a request, such as {"do": "hear", "phrase": "yes"}. Each line of output is the answer: the events
since the last answer, what the robot listens to, and the state of the behaviour.
"""

from __future__ import absolute_import, division, print_function

import io
import sys

from naosim.compat import quoted
from naosim.errors import NaosimError, WireError
from naosim.remote import RequestReader, encode_line, error_sentence, find_action, parse_request
from naosim.robot import Pause, Robot
from naosim.world import Faults, event_as_dict

MYPY = False
if MYPY:
    from typing import Any

_ROBOT_OPTIONS = ("without", "seed", "posture", "languages", "folder", "strict")


class StdioServer(object):
    """The answers to requests about one robot, which the first request creates."""

    def __init__(self):  # type: () -> None
        self._robot = None  # type: Robot | None

    def answer(self, line):  # type: (str) -> dict[str, Any]
        """Return the answer to one line; what goes wrong becomes {"error": sentence}."""
        try:
            return self.answer_request(parse_request(line))
        except WireError as error:
            return _refusal(error)

    def answer_request(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Do what a request asks and return its answer (by default the state), or {"error": sentence} if that fails."""
        try:
            return find_action(self, request)(request) or self._state()
        except (NaosimError, RuntimeError, TypeError, ValueError) as error:
            return _refusal(error)

    def close(self):  # type: () -> None
        """Close the robot, if there is one."""
        robot, self._robot = self._robot, None
        if robot is not None:
            robot.close()

    def _do_open(self, request):  # type: (dict[str, Any]) -> None
        self.close()
        faults = Faults()
        faults.plan(_take_field(request, "faults", {}, dict))
        options = {key: request.pop(key) for key in _ROBOT_OPTIONS if key in request}
        self._robot = Robot(faults=faults, **options)
        self._set_memory(request)

    def _set_memory(self, request):  # type: (dict[str, Any]) -> None
        for key, value in sorted(_take_field(request, "memory", {}, dict).items()):
            self._open().set(key, value)

    def _do_load(self, request):  # type: (dict[str, Any]) -> None
        path = _take_field(request, "path", None, str)
        rewrite, parameters = bool(request.pop("rewrite", False)), _take_field(request, "parameters", {}, dict)
        if self._robot is None:
            self._do_open(request)
        self._set_memory(request)
        self._open().load(path, rewrite, parameters)

    def _do_start(self, _request):  # type: (dict[str, Any]) -> None
        self._open().start()

    def _do_advance(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        seconds = request.get("seconds")
        return self._state(self._open().advance() if seconds is None else self._open().advance(float(seconds)))

    def _do_hear(self, request):  # type: (dict[str, Any]) -> None
        self._open().hear(_take_field(request, "phrase", None, str), float(request.get("confidence", 0.9)))

    def _do_touch(self, request):  # type: (dict[str, Any]) -> None
        self._open().touch(_take_field(request, "sensor", None, str))

    def _do_event(self, request):  # type: (dict[str, Any]) -> None
        self._open().event(_take_field(request, "key", None, str), request.get("value"))

    def _do_silence(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        seconds = request.get("seconds")
        return self._state(self._open().stay_silent(None if seconds is None else float(seconds)))

    def _do_wait(self, request):  # type: (dict[str, Any]) -> None
        seconds = request.get("seconds")
        self._open().wait(None if seconds is None else float(seconds))

    def _do_ears(self, _request):  # type: (dict[str, Any]) -> None
        """Do nothing: the answer is the state."""

    def _do_stop(self, _request):  # type: (dict[str, Any]) -> None
        self._open().stop()

    def _do_forget(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        self._open().forget()
        return {"ok": True}

    def _do_leaks(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        return dict(self._state(), leaks=self._open().leaks())

    def _do_get(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        return dict(self._state(), value=self._open().get(_take_field(request, "key", None, str)))

    def _do_set(self, request):  # type: (dict[str, Any]) -> None
        self._open().set(_take_field(request, "key", None, str), request.get("value"))

    def _do_close(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        self.close()
        return {"closed": True}

    def _open(self):  # type: () -> Robot
        if self._robot is None:
            self._robot = Robot()
        return self._robot

    def _state(self, pause=None):  # type: (Pause | None) -> dict[str, Any]
        robot = self._open()
        pause = pause or robot.pause()
        behaviour = robot.behaviour
        return {
            "events": [event_as_dict(event) for event in pause.events],
            "ears": dict(pause.ears._asdict()),
            "ended": pause.ended,
            "failures": behaviour.failures if behaviour is not None else [],
            "now": robot.now(),
        }


def _refusal(error):  # type: (BaseException) -> dict[str, Any]
    return {"error": error_sentence(error)}


def _take_field(request, key, default, kind):  # type: (dict[str, Any], str, Any, type) -> Any
    value = request.pop(key, default)
    if not isinstance(value, kind):
        wanted = "object" if kind is dict else "string"
        raise WireError("%s is %s and should be a JSON %s" % (quoted(key), quoted(value), wanted))
    return value


def main():  # type: () -> int
    """Answer standard input line by line until it ends; return the exit status."""
    out = getattr(sys.stdout, "buffer", sys.stdout)  # type: Any
    server = StdioServer()

    def say(answer):  # type: (dict[str, Any]) -> None
        out.write(encode_line(answer))
        out.flush()

    requests = RequestReader(
        io.FileIO(sys.stdin.fileno(), closefd=False),
        lambda request: say(server.answer_request(request)),
        lambda error: say(_refusal(error)),
    )
    try:
        requests.read_all()
        return 0
    except KeyboardInterrupt:
        return 130
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main())
