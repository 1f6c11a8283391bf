"""A robot inside another interpreter, driven over pipes like a `Robot` in this one."""

from __future__ import absolute_import, division, print_function

import subprocess
import threading

from naosim.compat import native, quoted
from naosim.errors import WireError
from naosim.remote.child_environment import child_environment
from naosim.remote.json_lines import decode, encode
from naosim.robot.driver import Pause
from naosim.robot.listening import Ears
from naosim.world.trace import Event

MYPY = False
if MYPY:
    from typing import Any


class RemoteBehaviour(object):
    """What is known here of a behaviour that another interpreter runs."""

    def __init__(self, path):  # type: (str) -> None
        self.path = path
        self.failures = []  # type: list[str]
        self.ended = False


class RemoteRobot(object):
    """A robot inside another interpreter, driven like a `Robot`; `close` ends that interpreter."""

    def __init__(self, python_path, extra_path=(), patience=300.0, **options):  # type: (str, Any, float, **Any) -> None
        self._patience = patience
        self._events = []  # type: list[Event]
        self._time = 0.0
        self.behaviour = None  # type: RemoteBehaviour | None
        self._process = subprocess.Popen(
            [python_path, "-m", "naosim.remote.stdio_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=child_environment(extra_path),
            close_fds=True,
        )
        self._ask("open", **options)

    def __enter__(self):  # type: () -> RemoteRobot
        return self

    def __exit__(self, *_error):  # type: (*Any) -> None
        self.close()

    def load(self, path, rewrite=False, parameters=None):  # type: (str, bool, dict[str, Any] | None) -> RemoteBehaviour
        """Read a behaviour by its path and construct its boxes; raises WireError with the robot's sentence."""
        self.behaviour = RemoteBehaviour(path)
        self._ask("load", path=path, rewrite=rewrite, parameters=parameters or {})
        return self.behaviour

    def start(self, behaviour=None):  # type: (RemoteBehaviour | None) -> None
        """Stimulate the onStart of the root."""
        self._ask("start")

    def advance(self, seconds=None):  # type: (float | None) -> Pause
        """Run until the behaviour has ended, the robot waits for a person, nothing is left or the time is up."""
        return self._pause("advance", seconds=seconds)

    def hear(self, phrase, confidence=0.9):  # type: (str, float) -> None
        """Say something to the robot."""
        self._ask("hear", phrase=phrase, confidence=confidence)

    def touch(self, sensor):  # type: (str) -> None
        """Press and release a sensor."""
        self._ask("touch", sensor=sensor)

    def event(self, key, value):  # type: (str, Any) -> None
        """Let an event of the sensors happen, or set a device."""
        self._ask("event", key=key, value=value)

    def stay_silent(self, seconds=None):  # type: (float | None) -> Pause
        """Let time pass until the next time-out has fired, or for so many seconds, then advance."""
        return self._pause("silence", seconds=seconds)

    def wait(self, seconds=None):  # type: (float | None) -> None
        """Let time pass until the next time-out fires, or for so many seconds if they are over before."""
        self._ask("wait", seconds=seconds)

    def now(self):  # type: () -> float
        """Return the seconds on the robot's clock when it answered last."""
        return self._time

    def stop(self, behaviour=None):  # type: (RemoteBehaviour | None) -> None
        """Stop the behaviour as a user does in Choregraphe."""
        self._ask("stop")

    def leaks(self, behaviour=None):  # type: (RemoteBehaviour | None) -> list[str]
        """Return what the behaviour left behind, one sentence each."""
        return [native(leak) for leak in self._ask("leaks")["leaks"]]

    def forget(self):  # type: () -> None
        """Drop the events recorded so far."""
        self._ask("forget")

    def ears(self):  # type: () -> Ears
        """Return what the robot listens to at the moment."""
        return _ears(self._ask("ears")["ears"])

    def get(self, key):  # type: (str) -> Any
        """Return the value under a key of ALMemory, None when there is none."""
        return self._ask("get", key=key)["value"]

    def set(self, key, value):  # type: (str, Any) -> None
        """Store a value under a key of ALMemory."""
        self._ask("set", key=key, value=value)

    def close(self):  # type: () -> None
        """End the other interpreter."""
        process = self._process
        killer = threading.Timer(5.0, process.kill)
        killer.start()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.close()
        except (IOError, OSError):
            pass  # It ended before it read what was sent last.
        finally:
            process.wait()
            killer.cancel()
        process.stdout.close()

    def _pause(self, verb, **fields):  # type: (str, **Any) -> Pause
        answer = self._ask(verb, **fields)
        events, self._events = self._events, []
        return Pause(events, _ears(answer["ears"]), answer["ended"])

    def _ask(self, verb, **fields):  # type: (str, **Any) -> dict[str, Any]
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        killer = threading.Timer(self._patience, process.kill)
        killer.start()
        try:
            process.stdin.write(encode(dict(fields, do=verb)))
            process.stdin.flush()
            line = process.stdout.readline()
        except (IOError, OSError, ValueError):
            line = b""
        finally:
            killer.cancel()
        if not line:
            raise WireError(
                "the other interpreter ended (status %s) instead of answering to %s" % (process.poll(), quoted(verb))
            )
        return self._heard(decode(line))

    def _heard(self, answer):  # type: (dict[str, Any]) -> dict[str, Any]
        if "error" in answer:
            raise WireError(answer["error"])
        for event in answer.get("events", ()):
            self._events.append(Event(event.pop("time"), event.pop("kind"), event))
        self._time = answer.get("now", self._time)
        if self.behaviour is not None and "failures" in answer:
            self.behaviour.failures, self.behaviour.ended = answer["failures"], answer["ended"]
        return answer


def _ears(ears):  # type: (dict[str, Any]) -> Ears
    return Ears(ears["engine"], tuple(ears["vocabulary"]), ears["spotting"], tuple(ears["touch"]))
