"""The part of ALMotion that walks: the place on the floor follows time, and the legs do not step."""

from __future__ import absolute_import, division, print_function

import math

from almath import Pose2D
from naosim import kinematics
from naosim.body import posture_angles
from naosim.scheduler import SimEvent
from naosim.services.base import overloads
from naosim.services.motion.motion_tasks import MotionTasks

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Sequence

    from naosim.body import Leg
    from naosim.world import World

SPEED = 0.1  # metres a second
TURNING = 0.5  # radians a second
FULL = (SPEED, SPEED, TURNING)
LONGEST = 36000.0  # seconds of one walk


#: How NAO walks: the name of a setting, its usual, least and greatest value.
GAIT = [
    ("MaxStepX", 0.04, 0.001, 0.08),
    ("MaxStepY", 0.14, 0.101, 0.16),
    ("MaxStepTheta", 0.349, 0.001, 0.524),
    ("MaxStepFrequency", 1.0, 0.0, 1.0),
    ("StepHeight", 0.02, 0.005, 0.04),
    ("TorsoWx", 0.0, -0.122, 0.122),
    ("TorsoWy", 0.0, -0.122, 0.122),
]


class Walking(MotionTasks):
    """Walking: the robot glides to where it would walk, in the time a walk takes."""

    def __init__(self, world):  # type: (World) -> None
        MotionTasks.__init__(self, world)
        self._over = None  # type: Optional[SimEvent]

    def moveInit(self):  # type: () -> None
        """Go to the posture from which NAO walks."""
        self._stand_to_walk("moveInit")

    @overloads("f f f", "f f f f", "f f f m", "f f f f m", "m", "m m")
    def moveTo(self, x, y=None, theta=None, seconds=None, config=None):  # type: (Any, Any, Any, Any, Any) -> bool
        """Walk to a place relative to the robot and return when it is there.

        (x, y, theta [, seconds] [, settings]), or (a list of such places [, settings]); metres and radians.
        """
        return self._walk("moveTo", x, y, theta)

    @overloads("f f f", "f f f m", "m", "m m")
    def walkTo(self, x, y=None, theta=None, config=None):  # type: (Any, Any, Any, Any) -> bool
        """Walk to a place relative to the robot and return when it is there: the old name of moveTo."""
        return self._walk("walkTo", x, y, theta)

    @overloads("f f f", "f f f m")
    def move(self, x, y, theta, config=None):  # type: (float, float, float, Any) -> None
        """Start walking at a speed, metres and radians a second, and return at once; zeros stop."""
        self._start_walking("move", (x, y, theta), 10, (1.0, 1.0, 1.0))

    @overloads("f f f", "f f f m")
    def moveToward(self, x, y, theta, config=None):  # type: (float, float, float, Any) -> None
        """Start walking at a fraction of full speed and return at once; zeros stop."""
        self._start_walking("moveToward", (x, y, theta), 1, FULL)

    @overloads("f f f f", "f f f f m", "f f f f m m")
    def setWalkTargetVelocity(self, x, y, theta, frequency, *configs):
        # type: (float, float, float, float, *Any) -> None
        """Start walking at fractions of full speed, with a step frequency, and return at once: the old moveToward."""
        self._number(frequency, "setWalkTargetVelocity", 3, 0, 1)
        self._start_walking("setWalkTargetVelocity", (x, y, theta), 1, FULL)

    def moveIsActive(self):  # type: () -> bool
        """Tell whether the robot walks."""
        return self._over is not None

    def stopMove(self):  # type: () -> bool
        """Stop walking at the place reached and return True."""
        self._stop_walking("stopMove")
        return True

    def waitUntilMoveIsFinished(self):  # type: () -> None
        """Return when walking is over."""
        if self._over is not None:
            self._take_time(None, self._over)

    def walkInit(self):  # type: () -> None
        """Go to the posture from which NAO walks: the old name of moveInit."""
        self._stand_to_walk("walkInit")

    def walkIsActive(self):  # type: () -> bool
        """Tell whether the robot walks: the old name of moveIsActive."""
        return self.moveIsActive()

    def stopWalk(self):  # type: () -> bool
        """Stop walking and return True: the old name of stopMove."""
        self._stop_walking("stopWalk")
        return True

    def waitUntilWalkIsFinished(self):  # type: () -> None
        """Return when walking is over: the old name of waitUntilMoveIsFinished."""
        self.waitUntilMoveIsFinished()

    def killWalk(self):  # type: () -> None
        """Stop walking at once: the old name of killMove."""
        self._stop_walking("killWalk")

    def killAll(self):  # type: () -> None
        """End walking and every movement; the joints keep the angles they have reached."""
        for task in list(self._tasks):
            task.kill()
        self._postponed.clear()
        self.world.body.halt()
        self._stop_walking("killAll")

    def killMove(self):  # type: () -> None
        """Stop walking at once."""
        self._stop_walking("killMove")

    def getMoveConfig(self, which):  # type: (str) -> Any
        """List the settings of the walk, each as its name and its value: Default, Min or Max."""
        return self._gait(which, "getMoveConfig")

    def getFootGaitConfig(self, which):  # type: (str) -> Any
        """List the settings of the walk: the old name of getMoveConfig."""
        return self._gait(which, "getFootGaitConfig")

    def getRobotPosition(self, from_sensors):  # type: (bool) -> List[float]
        """Return where the robot stands: x, y in metres and an angle in radians."""
        self._flag(from_sensors, "getRobotPosition")
        return list(self.world.body.walk.place().toVector())

    def getNextRobotPosition(self):  # type: () -> List[float]
        """Return where the robot will stand after the steps that are planned already."""
        return list(self.world.body.walk.next_place().toVector())

    def getRobotVelocity(self):  # type: () -> List[float]
        """Return the speeds ahead, to the left and of turning, in metres and radians a second."""
        return list(self.world.body.walk.velocity())

    def stopAll(self):  # type: () -> None
        """End walking and every call that is taking time."""
        self._end_walk()
        self.world.body.walk.halt()
        MotionTasks.stopAll(self)

    def leftovers(self):  # type: () -> List[str]
        """List a walk and movements that have not ended."""
        return (["ALMotion is still walking."] if self._over is not None else []) + MotionTasks.leftovers(self)

    def _walk(self, method, x, y, theta):  # type: (str, Any, Any, Any) -> bool
        """Check the places of a walk, take the time of the whole way, and return whether the robot is there."""
        self._walk_check(method)
        places = self._list(x, method) if theta is None else [(x, y, theta)]  # type: List[Any]
        if places and not isinstance(places[0], (list, tuple)):
            places = [places]
        return self._follow(method, [self._leg(place, method) for place in places])

    def _follow(self, method, legs):  # type: (str, Sequence[Leg]) -> bool
        """Take the time of a way along legs, and return whether the robot is there."""
        way = Pose2D()
        for leg in legs:
            way *= Pose2D(leg[:3])
        seconds = min(sum(leg[3] for leg in legs), LONGEST)
        self._end_walk()
        over = self._over = SimEvent(self.world.clock)
        self.world.body.walk.follow(legs)
        self.world.trace.note("motion", method=method, duration=round(seconds, 3), way=list(way.toVector()))
        try:
            return not self._take_time(seconds, over)
        finally:
            if self._over is over:
                self._end_walk()
                self.world.body.walk.halt()

    def _leg(self, place, method):  # type: (Any, str) -> Leg
        """Check a place, relative to the one before it, and add the seconds to get there."""
        given = [self._number(each, method, at, -100, 100) for at, each in enumerate(self._list(place, method))]
        if len(given) != 3:
            raise self._error(method, "A place is x, y and an angle, not %.60r." % (place,))
        x, y, angle = given
        return x, y, angle, math.hypot(x, y) / SPEED + abs(angle) / TURNING

    def _start_walking(self, method, speeds, most, full):  # type: (str, Sequence[Any], float, Sequence[float]) -> None
        """Walk at speeds, in units of `full`, without end; no faster than NAO can."""
        self._walk_check(method)
        way = [self._number(each, method, at, -most, most) for at, each in enumerate(speeds)]
        self._end_walk()
        wanted = [max(min(each * unit, limit), -limit) for each, unit, limit in zip(way, full, FULL)]
        self.world.body.walk.drive((wanted[0], wanted[1], wanted[2]))
        if any(wanted):
            self._over = SimEvent(self.world.clock)
        self.world.trace.note("motion", method=method, duration=0.0, way=way)

    def _stop_walking(self, method):  # type: (str) -> None
        self._end_walk()
        self.world.body.walk.halt()
        self.world.trace.note("motion", method=method, duration=0.0)

    def _end_walk(self):  # type: () -> None
        """Let the calls go on that wait for the end of the walk."""
        over, self._over = self._over, None
        if over is not None:
            over.set()

    def _walk_check(self, method):  # type: (str) -> None
        is_awake = self.world.body.is_awake
        if not is_awake or self.world.posture.startswith(("Sit", "Lying", "Crouch")):
            raise self._error(
                method,
                "The robot cannot walk: it is %s."
                % ("resting" if not is_awake else "in posture %s" % self.world.posture),
            )

    def _stand_to_walk(self, method):  # type: (str) -> None
        self._walk_check(method)
        legs = {
            joint: angle for joint, angle in posture_angles("StandInit").items() if joint in kinematics.CHAINS["Legs"]
        }
        self._perform(method, legs, self._taking(legs, 1.0))

    def _taking(self, angles, seconds):  # type: (Dict[str, float], float) -> Callable[[], float]
        """Return a call that moves joints to angles and returns how long this takes."""

        def take():  # type: () -> float
            self.world.body.take(angles, seconds)
            return seconds

        return take

    def _gait(self, which, method):  # type: (str, str) -> List[List[Any]]
        column = ("Default", "Min", "Max").index(self._one_of(which, ["Default", "Min", "Max"], method, "kind"))
        return [[setting[0], setting[1 + column]] for setting in GAIT]
