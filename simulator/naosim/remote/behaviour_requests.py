"""The requests of a live server about the behaviour of its robot, and about how fast time passes."""

from __future__ import absolute_import, division, print_function

from naosim.compat import INTEGERS
from naosim.errors import WireError
from naosim.remote.fields import field, text

MYPY = False
if MYPY:
    from typing import Any

    from naosim.robot.robot import Robot

#: Simulated seconds per second, and those of one step at most.
FASTEST, LONGEST_STEP = 1000.0, 0.5
NUMBERS = (float,) + INTEGERS


class BehaviourRequests(object):
    """Loads, starts and stops the one behaviour that stands in front of the others, and paces the clock."""

    def __init__(self, robot):  # type: (Robot) -> None
        self.robot = robot
        self._started = None  # type: Any

    def _do_load(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Read a file and load its boxes, after stopping what was loaded before."""
        robot = self.robot
        loaded = robot.read(
            text(request, "file"),
            field(request, "rewrite", (bool,), False),
            field(request, "parameters", (dict,), {}),
            text(request, "behaviour", ""),
            field(request, "dialogs", (list,), []),
        )
        self._interrupt()
        robot.take_on(loaded)
        loaded.load()
        return self._described()

    def _do_start(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Start the loaded behaviour, once more if it has ended."""
        behaviour = self._loaded()
        if self._started is behaviour:
            self._interrupt()
        self._started = behaviour
        self.robot.start(behaviour)
        return self._described()

    def _do_stop(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        self._loaded()
        self._interrupt()
        return self._described()

    def _do_behaviour(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        return self._described()

    def _do_pace(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Let time pass at another speed, at 0 not at all, and return the speed and the time."""
        clock = self.robot.clock
        speed = float(field(request, "speed", NUMBERS, clock.speed))
        if not 0 <= speed <= FASTEST:
            raise WireError("a speed of %r is not between 0 and %d" % (speed, FASTEST))
        clock.pace(speed)
        return {"speed": clock.speed, "seconds": clock.now()}

    def _do_step(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Let time stand still, but for one step: to what is due next."""
        clock = self.robot.clock
        clock.pace(0.0)
        clock.step(LONGEST_STEP)
        return {"speed": clock.speed, "seconds": clock.now()}

    def _interrupt(self):  # type: () -> None
        behaviour = self.robot.behaviour
        if behaviour is not None and behaviour.is_loaded:
            behaviour.interrupt()

    def _loaded(self):  # type: () -> Any
        if self.robot.behaviour is None:
            raise WireError("no behaviour is loaded: ask for load first")
        return self.robot.behaviour

    def _described(self):  # type: () -> dict[str, Any]
        """Return which behaviour is loaded and whether it runs."""
        behaviour = self.robot.behaviour
        return {
            "id": "" if behaviour is None else behaviour.id,
            "runs": behaviour is not None and behaviour.is_loaded and not behaviour.ended,
        }
