"""The robot behind the game's page: in the same process, or in another process behind a client."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from naosim.robot import Robot

#: Seconds that a robot in another process has for an answer.
_ANSWER_TIMEOUT_S = 20.0


class PageRobot(Protocol):
    """The robot as the page needs it. All methods block; they raise RuntimeError with the robot's sentence."""

    def call(self, service: str, method: str, *args: Any) -> Any:
        """Call a method of a service."""

    def ears(self) -> dict[str, Any]:
        """Return the open speech engine (None if none exists) as `engine`, and its phrases as `vocabulary`."""

    def hear(self, phrase: str, confidence: float) -> None:
        """Say a phrase to the robot."""

    def start(self) -> None:
        """Start the loaded behaviour, again if it has run before."""

    def stop_talking(self) -> None:
        """Cut short the robot's speech, if it speaks."""

    def runs(self) -> bool:
        """Return whether the behaviour has been started and has not ended."""

    def sleep(self, seconds: float) -> None:
        """Let the robot's time pass; raise RuntimeError if time is paused."""


class RobotHere:
    """A simulated robot in this process; call its methods from a task of the robot's clock."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot

    def call(self, service: str, method: str, *args: Any) -> Any:
        """Call a method of a service."""
        self._robot.person.announce_call(service, method, args)
        return self._robot.service(service).call(method, args)

    def ears(self) -> dict[str, Any]:
        """Return the open speech engine and its phrases."""
        return dict(self._robot.ears()._asdict())

    def hear(self, phrase: str, confidence: float) -> None:
        """Say a phrase to the robot."""
        self._robot.hear(phrase, confidence)

    def start(self) -> None:
        """Start the loaded behaviour, again if it has run before."""
        behaviour = self._robot.behaviour
        if behaviour is None:
            raise RuntimeError("The robot has no behaviour: load one first.")
        if behaviour.is_loaded and behaviour.ended:
            behaviour.interrupt()
        self._robot.start(behaviour)

    def stop_talking(self) -> None:
        """Cut short the robot's speech, with its gesture."""
        if getattr(self._robot.services.get("ALTextToSpeech"), "is_speaking", False):
            _stop_speech(self)

    def runs(self) -> bool:
        """Return whether the behaviour runs."""
        behaviour = self._robot.behaviour
        return behaviour is not None and behaviour.is_loaded and bool(behaviour.root.is_started)

    def sleep(self, seconds: float) -> None:
        """Let the robot's time pass."""
        if not self._robot.clock.speed:
            raise RuntimeError("The robot's time is paused: continue it first.")
        self._robot.clock.sleep(seconds)


class RobotOverClient:
    """A robot in another process, behind a `naosim_robots.hosting.RobotClient`; blocks the calling thread."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def call(self, service: str, method: str, *args: Any) -> Any:
        """Call a method of a service."""
        return self._client.call(service, method, args).result(_ANSWER_TIMEOUT_S)

    def ears(self) -> dict[str, Any]:
        """Return the open speech engine and its phrases."""
        return dict(self._client.person("ears").result(_ANSWER_TIMEOUT_S))

    def hear(self, phrase: str, confidence: float) -> None:
        """Say a phrase to the robot."""
        self._client.person("hear", phrase, confidence).result(_ANSWER_TIMEOUT_S)

    def start(self) -> None:
        """Start the loaded behaviour, again if it has run before."""
        self._client.ask("start").result(_ANSWER_TIMEOUT_S)

    def stop_talking(self) -> None:
        """Cut short the robot's speech, with its gesture."""
        _stop_speech(self)

    def runs(self) -> bool:
        """Return whether the behaviour runs."""
        return bool(self._client.ask("behaviour").result(_ANSWER_TIMEOUT_S)["runs"])

    def sleep(self, seconds: float) -> None:
        """Let real time pass."""
        if not self._client.ask("pace").result(_ANSWER_TIMEOUT_S)["speed"]:
            raise RuntimeError("The robot's time is paused: continue it first.")
        time.sleep(seconds)


class NoRobot:
    """Stands for the robot of a page without one, such as that of Mastermind."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("This page has no NAO.")


def _stop_speech(robot: PageRobot) -> None:
    """Cut speech short as on a real NAO."""
    robot.call("ALTextToSpeech", "stopAll")
