"""The part of ALMotion that walks by given steps and along given paths; the body glides to where they lead."""

from __future__ import absolute_import, division, print_function

import math

from almath import Pose2D
from naosim.scheduler import SimEvent
from naosim.services.base import overloads
from naosim.services.motion.locomotion import LONGEST, Walking

MYPY = False
if MYPY:
    from typing import Any, List, Tuple

    from naosim.body import Leg
    from naosim.world import World

    Step = Tuple[str, float, List[float], Pose2D, Pose2D]  # foot, when, the step, left foot then, right foot then

FEET = {"LLeg": 1, "RLeg": -1}
HALF = 0.05  # metres from the middle of the body to a foot
#: The longest step, and the nearest and farthest that a foot is put beside the other one.
AHEAD, NEAREST, FARTHEST, TURN = 0.08, 0.088, 0.16, 0.524
FASTEST = 0.5  # seconds of a step
MOST_STEPS, PIECES, DEEPEST = 500, 16, 8
SHAPE = 'A trajectory is ["Holonomic", path, angle, seconds] or ["Composed", trajectory, ...], not %.80r.'
PATH = 'A path is ["Line", [x, y]], ["Circle", [x, y], angle] or ["Composed", path, ...], not %.80r.'


class Footsteps(Walking):
    """Steps and paths: the place of the robot is the middle between its feet."""

    def __init__(self, world):  # type: (World) -> None
        Walking.__init__(self, world)
        self._steps = []  # type: List[Step]

    def setFootSteps(self, feet, steps, times, clear):  # type: (List[str], Any, List[float], bool) -> None
        """Plan steps and return at once: each is x, y, angle of a foot as the other sees it, at a time from now."""
        moments = [self._number(each, "setFootSteps", 2, 0, LONGEST) for each in self._list(times, "setFootSteps", 2)]
        if moments != sorted(moments):
            raise self._error("setFootSteps", "The times %.60r do not increase." % (moments,))
        self._plan_steps("setFootSteps", feet, steps, moments, clear)

    def setFootStepsWithSpeed(self, feet, steps, speeds, clear):  # type: (List[str], Any, List[float], bool) -> None
        """Plan steps, each with a fraction of full speed, and return at once."""
        method, passed, moments = "setFootStepsWithSpeed", 0.0, []
        for each in self._list(speeds, method, 2):
            passed += FASTEST / max(self._number(each, method, 2, 0, 1), 0.1)
            moments.append(passed)
        self._plan_steps(method, feet, steps, moments, clear)

    def getFootSteps(self):  # type: () -> Any
        """Return where the feet are, the step under way and those that come: [foot, seconds from now, [x, y, angle]].

        Only planned steps are steps: a walk to a place has none.
        """
        now = self.world.clock.now()
        left, right = self._feet()
        rows = [[foot, when - now, list(step)] for foot, when, step, _, _ in self._steps if when > now]
        return [[list(left.toVector()), list(right.toVector())], rows[:1], rows[1:]]

    @overloads("m", "m f")
    def moveAlong(self, trajectory, scale=1.0):  # type: (Any, float) -> bool
        """Walk along a trajectory and tell whether its end was reached; `scale` makes it slower or faster."""
        self._walk_check("moveAlong")
        faster = self._number(scale, "moveAlong", 1, 0.01, 100)
        legs = self._legs_of(trajectory, 0)
        return self._follow("moveAlong", [(x, y, angle, seconds / faster) for x, y, angle, seconds in legs])

    def _plan_steps(self, method, feet, steps, moments, clear):  # type: (str, Any, Any, List[float], Any) -> None
        self._walk_check(method)
        names, rows = self._texts(feet, method), self._list(steps, method, 1)
        is_new, now, planned = self._flag(clear, method, 3), self.world.clock.now(), []  # type: bool, float, List[Step]
        if not len(names) == len(rows) == len(moments) <= MOST_STEPS:
            raise self._error(
                method,
                "%d feet, %d steps and %d times: as many of each are needed, at most %d."
                % (len(names), len(rows), len(moments), MOST_STEPS),
            )
        kept = [] if is_new else [step for step in self._steps if step[1] > now]
        after = kept[-1][1] if kept else now
        left, right = kept[-1][3:] if kept else self._feet()
        for foot, row, moment in zip(names, rows, moments):
            step = self._step(self._one_of(foot, sorted(FEET), method, "foot"), row, method)
            if foot == "LLeg":
                left = right * Pose2D(step)
            else:
                right = left * Pose2D(step)
            planned.append((foot, after + moment, step, left, right))
        self._take_steps(method, kept + planned)

    def _step(self, foot, row, method):  # type: (str, Any, str) -> List[float]
        """Check a step and shorten it to what NAO can do."""
        given = [self._number(each, method, 1, -100, 100) for each in self._list(row, method, 1)]
        if len(given) != 3:
            raise self._error(method, "A step is x, y and an angle, not %.60r." % (row,))
        aside = min(max(given[1] * FEET[foot], NEAREST), FARTHEST) * FEET[foot]
        return [min(max(given[0], -AHEAD), AHEAD), aside, min(max(given[2], -TURN), TURN)]

    def _take_steps(self, method, steps):  # type: (str, List[Step]) -> None
        here, now, legs = self.world.body.walk.place(), self.world.clock.now(), []  # type: Pose2D, float, List[Leg]
        for _, when, _, left, right in steps:
            middle = _middle(left, right)
            way = here.diff(middle)
            legs.append((way.x, way.y, way.theta, when - now))
            here, now = middle, when
        self._end_walk()
        self._steps = steps
        self.world.body.walk.follow(legs)
        seconds = sum(leg[3] for leg in legs)
        self.world.trace.note(
            "motion",
            method=method,
            duration=round(seconds, 3),
            steps=[[foot] + list(step) for foot, _, step, _, _ in steps],
        )
        if steps:
            self._over = over = SimEvent(self.world.clock)
            self.world.clock.later(seconds, self._arrived, over)

    def _arrived(self, over):  # type: (SimEvent) -> None
        if self._over is over:
            self._end_walk()
            self.world.body.walk.halt()

    def _end_walk(self):  # type: () -> None
        self._steps = []
        Walking._end_walk(self)

    def _feet(self):  # type: () -> Tuple[Pose2D, Pose2D]
        """Return where the feet are: after the last planned step that is done, else beside the body."""
        done = [step for step in self._steps if step[1] <= self.world.clock.now()]
        if done:
            return done[-1][3:]
        here = self.world.body.walk.place()
        return here * Pose2D(0.0, HALF, 0.0), here * Pose2D(0.0, -HALF, 0.0)

    def _legs_of(self, trajectory, depth):  # type: (Any, int) -> List[Leg]
        """Return the way along a trajectory, each leg relative to the end of the one before."""
        parts = self._list(trajectory, "moveAlong")
        if parts and parts[0] == "Composed" and depth < DEEPEST:
            legs = [leg for part in parts[1:] for leg in self._legs_of(part, depth + 1)]
            if len(legs) > MOST_STEPS:
                raise self._error("moveAlong", "The trajectory has more than %d pieces." % MOST_STEPS)
            return legs
        if len(parts) != 4 or parts[0] != "Holonomic":
            raise self._error("moveAlong", SHAPE % (trajectory,))
        angle = self._number(parts[2], "moveAlong", 0, -100, 100)
        seconds = self._number(parts[3], "moveAlong", 0, 0, LONGEST)
        points = self._points(parts[1], 0)
        legs, here = [], Pose2D()
        for number, (x, y) in enumerate(points, 1):
            there = Pose2D(x, y, angle * number / len(points))
            way = here.diff(there)
            legs.append((way.x, way.y, way.theta, seconds / len(points)))
            here = there
        return legs

    def _points(self, path, depth):  # type: (Any, int) -> List[Tuple[float, float]]
        """Return the points along a path, from the place where it begins."""
        parts = self._list(path, "moveAlong")
        if parts and parts[0] == "Composed" and depth < DEEPEST and len(parts) <= PIECES:
            points, x, y = [], 0.0, 0.0  # type: List[Tuple[float, float]], float, float
            for part in parts[1:]:
                points += [(x + ahead, y + left) for ahead, left in self._points(part, depth + 1)]
                x, y = points[-1]
            return points
        if len(parts) not in (2, 3) or parts[0] != {2: "Line", 3: "Circle"}[len(parts)]:
            raise self._error("moveAlong", PATH % (path,))
        x, y = self._place(parts[1])
        if parts[0] == "Line":
            return [(x, y)]
        turn = self._number(parts[2], "moveAlong", 0, -100, 100)
        turns = [turn * number / PIECES for number in range(1, PIECES + 1)]
        return [
            (x - x * math.cos(each) + y * math.sin(each), y - x * math.sin(each) - y * math.cos(each)) for each in turns
        ]

    def _place(self, given):  # type: (Any) -> Tuple[float, float]
        numbers = [self._number(each, "moveAlong", 0, -100, 100) for each in self._list(given, "moveAlong")]
        if len(numbers) != 2:
            raise self._error("moveAlong", "A point is x and y, not %.60r." % (given,))
        return numbers[0], numbers[1]


def _middle(left, right):  # type: (Pose2D, Pose2D) -> Pose2D
    return Pose2D((left.x + right.x) / 2, (left.y + right.y) / 2, (left.theta + right.theta) / 2)
