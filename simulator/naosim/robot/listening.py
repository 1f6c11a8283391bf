"""What the robot listens to, and whether it waits for a person."""

from __future__ import absolute_import, division, print_function

from collections import namedtuple

from naosim.services.memory.events import TOUCH

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.world.world import World

#: What the robot listens to: the open engine or None, its phrases, whether it spots words, and the touch events in use.
Ears = namedtuple("Ears", "engine vocabulary spotting touch")

#: Who may listen, in this order; Autonomous Life, to the trigger sentences of packages, only while no program does.
ENGINES = ("ALSpeechRecognition", "ALDialog", "ALAutonomousLife")
SENSORS = TOUCH + ("TouchChanged",)

#: Virtual seconds: a robot that listens to touch alone waits for a person if nothing else is due within the first time,
#: or if it has listened for the second one, as a periodic task may keep something due all the time.
IDLE, LONGEST_WAIT = 1.0, 5.0
#: More events are not named in a sentence.
MOST_NAMED = 10


def ears(world):  # type: (World) -> Ears
    """Return what the robot listens to at the moment."""
    touch = tuple(event for event in SENSORS if world.memory.is_heard(event))
    name, engine = _open_engine(world)
    if engine is None:
        return Ears(None, (), False, touch)
    return Ears(name, tuple(engine.vocabulary), engine.spotting, touch)


def awaited(world):  # type: (World) -> str
    """Say in words what the robot waits for: an answer, a touch, other events of ALMemory, or nothing at all."""
    now = ears(world)
    if now.engine is not None:
        return "it waits for an answer: see --say"
    if now.touch:
        return "it waits for a touch: see --touch %s" % now.touch[0]
    events = world.memory.heard_events()
    more = ", ..." if len(events) > MOST_NAMED else ""
    return "it waits for: %s%s" % (", ".join(events[:MOST_NAMED]), more) if events else "nothing is left to happen"


class Waiting(object):
    """The condition that ends a run: the robot waits for a person, or `is_over()` says that the behaviour has ended."""

    __slots__ = ("_touch_since", "_world", "is_over")

    def __init__(self, world, is_over):  # type: (World, Callable[[], bool]) -> None
        self._world = world
        self.is_over = is_over
        self._touch_since = None  # type: float | None

    def __call__(self):  # type: () -> bool
        if self.is_over():
            return True
        voice = self._world.services.get("ALTextToSpeech")
        if voice is not None and voice.is_speaking:
            return False
        if getattr(self._world.services.get("ALDialog"), "is_answering", False):
            return False
        return _open_engine(self._world)[1] is not None or self._awaits_touch()

    def _awaits_touch(self):  # type: () -> bool
        is_heard = self._world.memory.is_heard
        if not any(is_heard(event) for event in SENSORS):
            return False
        clock = self._world.clock
        if self._touch_since is None:
            self._touch_since = clock.now()
        due = clock.next_due()
        return due is None or due - clock.now() >= IDLE or clock.now() - self._touch_since >= LONGEST_WAIT


def _open_engine(world):  # type: (World) -> tuple[str | None, Any]
    for name in ENGINES:
        engine = world.services.get(name)
        if engine is not None and getattr(engine, "is_open", False) and (name == "ALDialog" or engine.vocabulary):
            return name, engine
    return None, None
