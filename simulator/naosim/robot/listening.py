"""What the robot listens to, and when it is a person's turn."""
from __future__ import absolute_import, division, print_function

from collections import namedtuple

from naosim.services.memory.events import TOUCH

MYPY = False
if MYPY:
    from typing import Any

    from naosim.robot.robot import Robot

#: What the robot listens to: the engine that is open (or None), its phrases, word spotting, and touch events in use.
Ears = namedtuple("Ears", "engine vocabulary spotting touch")

ENGINES = ("ALSpeechRecognition", "ALDialog")
SENSORS = TOUCH + ("TouchChanged",)

#: Seconds: touch alone is awaited when nothing follows so soon, or when it was awaited so long already.
QUIET, UNQUIET = 1.0, 5.0


def ears(robot):
    # type: (Robot) -> Ears
    """What the robot listens to at the moment."""
    touch = tuple(event for event in SENSORS if robot.memory.is_heard(event))
    name, engine = _open_engine(robot)
    if engine is None:
        return Ears(None, (), False, touch)
    return Ears(name, tuple(engine.vocabulary), engine.spotting, touch)


class Waiting(object):
    """Whether a person has to do something, asked whenever nothing is ready."""

    __slots__ = ("_robot", "_touch_since")

    def __init__(self, robot):
        # type: (Robot) -> None
        self._robot = robot
        self._touch_since = None  # type: float | None

    def __call__(self):
        # type: () -> bool
        robot = self._robot
        if robot.behaviour is not None and robot.behaviour.ended:
            return True
        voice = robot.services.get("ALTextToSpeech")
        if voice is not None and voice.is_speaking:
            return False
        return _open_engine(robot)[1] is not None or self._awaits_touch()

    def _awaits_touch(self):
        # type: () -> bool
        is_heard = self._robot.memory.is_heard
        if not any(is_heard(event) for event in SENSORS):
            return False
        clock = self._robot.clock
        if self._touch_since is None:
            self._touch_since = clock.now()
        due = clock.next_due()
        return due is None or due - clock.now() >= QUIET or clock.now() - self._touch_since >= UNQUIET


def _open_engine(robot):
    # type: (Robot) -> tuple[str | None, Any]
    for name in ENGINES:
        engine = robot.services.get(name)
        if engine is not None and engine.is_open and (name == "ALDialog" or engine.vocabulary):
            return name, engine
    return None, None
