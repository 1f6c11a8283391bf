"""A robot over pipes: one JSON object per line in, one out, so that another interpreter can run the behaviour."""
from __future__ import absolute_import, division, print_function

import json
import os
import subprocess
import sys
import threading

from naosim.errors import NaosimError, WireError
from naosim.faults import Faults
from naosim.pythons import TEXTS, native, quoted, reason
from naosim.robot import Ears, Pause, Robot
from naosim.trace import Event, as_dict, json_line

MYPY = False
if MYPY:
    from typing import Any

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
        faults = _taken(request, "faults", {}, dict)
        options = {key: request.pop(key) for key in OPTIONS if key in request}
        raising = {tuple(key.split(".", 1)): value for key, value in faults.pop("raising", {}).items()}
        self._robot = Robot(faults=Faults(raising=raising, **faults), **options)
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

    def _do_stop(self, _request):
        # type: (dict[str, Any]) -> dict[str, Any]
        self._open().stop()
        return self._state()

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
        request = _native(json.loads(line))
    except ValueError:
        raise WireError("the request %s is no JSON" % quoted(line.strip()[:60]))
    if not isinstance(request, dict):
        raise WireError("the request %s is no JSON object" % quoted(line.strip()[:60]))
    return request


def _native(value):
    # type: (Any) -> Any
    if isinstance(value, TEXTS):
        return native(value)
    if isinstance(value, list):
        return [_native(item) for item in value]
    if isinstance(value, dict):
        return {_native(key): _native(item) for key, item in value.items()}
    return value


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
    lines, out = getattr(sys.stdin, "buffer", sys.stdin), getattr(sys.stdout, "buffer", sys.stdout)
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


class RemoteBehaviour(object):
    """What is known here of a behaviour that another interpreter runs."""

    def __init__(self, path):
        # type: (str) -> None
        self.path = path
        self.failures = []  # type: list[str]
        self.ended = False


class RemoteRobot(object):
    """A robot inside another interpreter, driven like a `Robot`; closing it ends that interpreter."""

    def __init__(self, python_path, extra_path=(), patience=300.0, **options):
        # type: (str, Any, float, **Any) -> None
        here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        extra = [extra_path] if isinstance(extra_path, TEXTS) else list(extra_path)
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(extra + [here]), PYTHONIOENCODING="utf-8")
        self._patience = patience
        self._events = []  # type: list[Event]
        self.behaviour = None  # type: RemoteBehaviour | None
        self._process = subprocess.Popen([python_path, "-m", "naosim.wire"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, env=environment)
        self._ask("open", **options)

    def __enter__(self):
        # type: () -> RemoteRobot
        return self

    def __exit__(self, *_error):
        # type: (*Any) -> None
        self.close()

    def load(self, path, rewrite=False, parameters=None):
        # type: (str, bool, dict[str, Any] | None) -> RemoteBehaviour
        """Reads a behaviour by its path and constructs its boxes; raises WireError with the robot's sentence."""
        self.behaviour = RemoteBehaviour(path)
        self._ask("load", path=path, rewrite=rewrite, parameters=parameters or {})
        return self.behaviour

    def start(self, behaviour=None):
        # type: (RemoteBehaviour | None) -> None
        """Stimulates the onStart of the root."""
        self._ask("start")

    def advance(self, seconds=None):
        # type: (float | None) -> Pause
        """Runs until the behaviour has ended, the robot waits for a person, nothing is left or the time is up."""
        return self._pause("advance", seconds=seconds)

    def hear(self, phrase, confidence=0.9):
        # type: (str, float) -> None
        """Says something to the robot."""
        self._ask("hear", phrase=phrase, confidence=confidence)

    def touch(self, sensor):
        # type: (str) -> None
        """Presses and releases a sensor."""
        self._ask("touch", sensor=sensor)

    def stay_silent(self, seconds=None):
        # type: (float | None) -> Pause
        """Lets time pass until the next time-out has fired, or for so many seconds, then advances."""
        return self._pause("silence", seconds=seconds)

    def stop(self, behaviour=None):
        # type: (RemoteBehaviour | None) -> None
        """Stops the behaviour as a user does."""
        self._ask("stop")

    def leaks(self, behaviour=None):
        # type: (RemoteBehaviour | None) -> list[str]
        """What was left behind, in plain sentences."""
        return [native(leak) for leak in self._ask("leaks")["leaks"]]

    def ears(self):
        # type: () -> Ears
        """What the robot listens to at the moment."""
        return _ears(self._ask("advance", seconds=0)["ears"])

    def get(self, key):
        # type: (str) -> Any
        """The value under a key of ALMemory, None when there is none."""
        return self._ask("get", key=key)["value"]

    def set(self, key, value):
        # type: (str, Any) -> None
        """Stores a value under a key of ALMemory."""
        self._ask("set", key=key, value=value)

    def close(self):
        # type: () -> None
        """Ends the other interpreter."""
        process = self._process
        if process.poll() is None and process.stdin is not None:
            process.stdin.close()
            killer = threading.Timer(5.0, process.kill)
            killer.start()
            process.wait()
            killer.cancel()
        if process.stdout is not None:
            process.stdout.close()

    def _pause(self, verb, **fields):
        # type: (str, **Any) -> Pause
        answer = self._ask(verb, **fields)
        events, self._events = self._events, []
        return Pause(events, _ears(answer["ears"]), answer["ended"])

    def _ask(self, verb, **fields):
        # type: (str, **Any) -> dict[str, Any]
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        killer = threading.Timer(self._patience, process.kill)
        killer.start()
        try:
            process.stdin.write((json_line(dict(fields, do=verb)) + "\n").encode("ascii"))
            process.stdin.flush()
            line = process.stdout.readline()
        except (IOError, OSError, ValueError):
            line = b""
        finally:
            killer.cancel()
        if not line:
            raise WireError("the other interpreter ended (status %s) instead of answering to %s" % (
                process.poll(), quoted(verb)))
        return self._heard(_native(json.loads(line.decode("ascii"))))

    def _heard(self, answer):
        # type: (dict[str, Any]) -> dict[str, Any]
        if "error" in answer:
            raise WireError(answer["error"])
        for event in answer.get("events", ()):
            self._events.append(Event(event.pop("time"), event.pop("kind"), event))
        if self.behaviour is not None and "failures" in answer:
            self.behaviour.failures, self.behaviour.ended = answer["failures"], answer["ended"]
        return answer


def _ears(ears):
    # type: (dict[str, Any]) -> Ears
    return Ears(ears["engine"], tuple(ears["vocabulary"]), ears["spotting"], tuple(ears["touch"]))


if __name__ == "__main__":
    sys.exit(main())
