"""What the robot listens to, and when it is a person's turn."""
from __future__ import absolute_import, division, print_function

from collections import namedtuple

from naosim.services.memory.events import TOUCH

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.world.world import World

#: What the robot listens to: the engine that is open (or None), its phrases, word spotting, and touch events in use.
Ears = namedtuple("Ears", "engine vocabulary spotting touch")

ENGINES = ("ALSpeechRecognition", "ALDialog")
SENSORS = TOUCH + ("TouchChanged",)

#: Seconds: touch alone is awaited when nothing follows so soon, or when it was awaited so long already.
QUIET, UNQUIET = 1.0, 5.0


def ears(world):
    # type: (World) -> Ears
    """Tell what the robot listens to at the moment."""
    touch = tuple(event for event in SENSORS if world.memory.is_heard(event))
    name, engine = _open_engine(world)
    if engine is None:
        return Ears(None, (), False, touch)
    return Ears(name, tuple(engine.vocabulary), engine.spotting, touch)


class Waiting(object):
    """Whether it is a person's turn, asked whenever nothing is ready; `is_over` tells whether the behaviour ended."""

    __slots__ = ("_touch_since", "_world", "is_over")

    def __init__(self, world, is_over):
        # type: (World, Callable[[], bool]) -> None
        self._world = world
        self.is_over = is_over
        self._touch_since = None  # type: float | None

    def __call__(self):
        # type: () -> bool
        if self.is_over():
            return True
        voice = self._world.services.get("ALTextToSpeech")
        if voice is not None and voice.is_speaking:
            return False
        return _open_engine(self._world)[1] is not None or self._awaits_touch()

    def _awaits_touch(self):
        # type: () -> bool
        is_heard = self._world.memory.is_heard
        if not any(is_heard(event) for event in SENSORS):
            return False
        clock = self._world.clock
        if self._touch_since is None:
            self._touch_since = clock.now()
        due = clock.next_due()
        return due is None or due - clock.now() >= QUIET or clock.now() - self._touch_since >= UNQUIET


def _open_engine(world):
    # type: (World) -> tuple[str | None, Any]
    for name in ENGINES:
        engine = world.services.get(name)
        if engine is not None and engine.is_open and (name == "ALDialog" or engine.vocabulary):
            return name, engine
    return None, None
