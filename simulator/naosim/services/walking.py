"""Walking: the parts of ALMotion that walk, ALNavigation and the old ALRobotPose.

The robot glides over the floor in the time that a walk takes; its legs do not step. Steps and paths come after plain
walks; maps of the floor have no obstacles.
"""

from __future__ import absolute_import, division, print_function

import json
import math
import os
import struct
import time

from almath import Pose2D
from naosim.errors import NaosimError
from naosim.formats import write_whole
from naosim.patches import ROBOT_START_S
from naosim.scheduler import SimEvent
from naosim.services.base import Service, compose, declare, nothing, number_setting, overloads
from naosim.services.motion_base import MOTION, JointTasks, Reflexes, get_pose_name

MYPY = False
if MYPY:
    from typing import List, Optional, Sequence, Tuple

    from naosim.body import Leg
    from naosim.compat import ALValue
    from naosim.world import World

    Step = Tuple[str, float, float, List[float], Pose2D, Pose2D]  # foot, end, time given, step, left foot then, right

# Walking by speed or to a place (ALMotion).

_MAX_WALK_S = 36000.0  # seconds of one walk


class Walking(Service):
    """The part of ALMotion that walks, or drives a Pepper: it glides to where it would walk, in the time this takes."""

    def __init__(self, world, tasks, reflexes):  # type: (World, JointTasks, Reflexes) -> None
        Service.__init__(self, world, MOTION)
        self._model = world.body.model
        self._tasks, self._reflexes = tasks, reflexes
        self._over = None  # type: Optional[SimEvent]
        self._was_killed = False  # by killAll, without a stopMove since
        #: The planned footsteps of the walk under way; a walk to a place has none.
        self.footsteps = []  # type: List[Step]

    def moveInit(self):  # type: () -> None
        """Go to the posture from which NAO walks."""
        self._stand_to_walk("moveInit")

    @overloads("f f f", "f f f f", "f f f m", "f f f f m", "m", "m m")
    def moveTo(self, x, y=None, theta=None, seconds=None, config=None):  # type: (object, object, object, object, object) -> bool
        """Walk to a place relative to the robot and return when it is there.

        (x, y, theta [, seconds] [, settings]), or (a list of such places [, settings]); metres and radians.
        """
        return self._walk("moveTo", x, y, theta)

    @overloads("f f f", "f f f m", "m", "m m")
    def walkTo(self, x, y=None, theta=None, config=None):  # type: (ALValue, ALValue, ALValue, ALValue) -> bool
        """Walk to a place relative to the robot and return when it is there: the old name of moveTo."""
        return self._walk("walkTo", x, y, theta)

    @overloads("f f f", "f f f m")
    def move(self, x, y, theta, config=None):  # type: (float, float, float, ALValue) -> None
        """Start walking at a speed, metres and radians a second, and return immediately; zeros stop."""
        self._start_walking("move", (x, y, theta), 10, (1.0, 1.0, 1.0))

    @overloads("f f f", "f f f m")
    def moveToward(self, x, y, theta, config=None):  # type: (float, float, float, ALValue) -> None
        """Start walking at a fraction of full speed and return immediately; zeros stop."""
        self._start_walking("moveToward", (x, y, theta), 1, self._model.full_speed)

    @overloads("f f f f", "f f f f m", "f f f f m m")
    def setWalkTargetVelocity(self, x, y, theta, frequency, *configs):
        # type: (float, float, float, float, *ALValue) -> None
        """Start walking at fractions of full speed, with a step frequency, without waiting: the old moveToward."""
        self._number(frequency, "setWalkTargetVelocity", 3, 0, 1)
        self._start_walking("setWalkTargetVelocity", (x, y, theta), 1, self._model.full_speed)

    def moveIsActive(self):  # type: () -> bool
        """Return whether the robot walks."""
        return self._over is not None

    def stopMove(self):  # type: () -> bool
        """Stop walking at the place reached and return True."""
        self._stop_walking("stopMove")
        return True

    def waitUntilMoveIsFinished(self):  # type: () -> None
        """Return when walking is over."""
        if self._over is not None:
            self._take_time(None, self._over)

    walkIsActive, waitUntilWalkIsFinished = moveIsActive, waitUntilMoveIsFinished  # the old names

    def walkInit(self):  # type: () -> None
        """Go to the posture from which NAO walks: the old name of moveInit."""
        self._stand_to_walk("walkInit")

    def stopWalk(self):  # type: () -> bool
        """Stop walking and return True: the old name of stopMove."""
        self._stop_walking("stopWalk")
        return True

    def killWalk(self):  # type: () -> None
        """Stop walking immediately: the old name of killMove."""
        self._stop_walking("killWalk")

    def killAll(self):  # type: () -> None
        """End walking and every movement; the joints keep the angles they have reached."""
        self._tasks.end_all()
        self._stop_walking("killAll")
        self._was_killed = True

    def may_rest(self):  # type: () -> bool
        """Return False once after killAll if no walk was stopped since, on a Pepper with NAOqi 2.5."""
        was_killed, self._was_killed = self._was_killed, False
        # Seen on a Pepper 1.8A: mfbergmann/PepperEvolution, docs/HANDOFF.md.
        return not (was_killed and self.world.naoqi == "2.5" and "Wheels" in self._model.chains)

    def killMove(self):  # type: () -> None
        """Stop walking immediately."""
        self._stop_walking("killMove")

    def getMoveConfig(self, which):  # type: (str) -> ALValue
        """List the settings of the walk, each as its name and its value: Default, Min or Max."""
        return self._gait(which, "getMoveConfig")

    def getFootGaitConfig(self, which):  # type: (str) -> ALValue
        """List the settings of the walk: the old name of getMoveConfig."""
        return self._gait(which, "getFootGaitConfig")

    def getRobotPosition(self, from_sensors):  # type: (bool) -> List[float]
        """Return where the robot stands: x, y in metres and an angle in radians."""
        self._flag(from_sensors, "getRobotPosition")
        return list(self.world.body.walk.place().toVector())

    def getNextRobotPosition(self):  # type: () -> List[float]
        """Return the robot's place after the steps that are planned already; a Pepper plans none and returns zeros."""
        # Recorded on a Pepper that stood: ros-naoqi/naoqi_bridge, pull request 61.
        if "Wheels" in self.world.body.model.chains:
            return [0.0, 0.0, 0.0]
        return list(self.world.body.walk.next_place().toVector())

    def getRobotVelocity(self):  # type: () -> List[float]
        """Return the speeds ahead, to the left and of turning, in metres and radians a second."""
        return list(self.world.body.walk.velocity())

    def stopAll(self):  # type: () -> None
        """End walking and every call that waits for its end."""
        self._end_walk()
        self.world.body.walk.halt()
        Service.stopAll(self)

    def leftovers(self):  # type: () -> List[str]
        """List a walk that has not ended."""
        return ["ALMotion is still walking."] if self._over is not None else []

    def _walk(self, method, x, y, theta):  # type: (str, ALValue, ALValue, ALValue) -> bool
        """Check the places of a walk, take the time of the whole way, and return whether the robot is there."""
        self.check_posture(method)
        places = self._list(x, method) if theta is None else [(x, y, theta)]  # type: List[object]
        if places and not isinstance(places[0], (list, tuple)):
            places = [places]
        legs = [self._leg(place, method) for place in places]
        if legs and abs(legs[0][0]) > max(self._reflexes.free_distance("Front" if legs[0][0] > 0 else "Back"), 0.0):
            # Seen on a Pepper 1.8A with an obstacle 0.42 m ahead: labbgulab-lab/robot-hub, pepper.md.
            self.world.trace.note("motion", method=method, duration=0.0, way=[0.0, 0.0, 0.0])
            self.world.memory.raiseEvent("ALMotion/MoveFailed", ["Internal stop", 0, None])
            return False
        return self.follow_legs(method, legs)

    def follow_legs(self, method, legs):  # type: (str, Sequence[Leg]) -> bool
        """Take the time of a way along legs, and return whether the robot is there."""
        way = Pose2D()
        for leg in legs:
            way *= Pose2D(leg[:3])
        seconds = min(sum(leg[3] for leg in legs), _MAX_WALK_S)
        self._end_walk()
        over = self._over = SimEvent(self.world.clock)
        self.world.body.walk.follow(legs)
        self.world.trace.note("motion", method=method, duration=round(seconds, 3), way=list(way.toVector()))
        try:
            return not self._take_time(seconds, over)
        finally:
            self._arrive(over)

    def take_footsteps(self, steps, legs):  # type: (List[Step], List[Leg]) -> float
        """Walk by footsteps from now on, along legs, and return the seconds that this takes."""
        self._end_walk()
        self.footsteps = steps
        self.world.body.walk.follow(legs)
        seconds = sum(leg[3] for leg in legs)
        if steps:
            self._over = over = SimEvent(self.world.clock)
            self.world.clock.call_later(seconds, self._arrive, over)
        return seconds

    def _leg(self, place, method):  # type: (ALValue, str) -> Leg
        """Check a place, relative to the one before it, and add the seconds to get there."""
        given = [self._number(each, method, at, -100, 100) for at, each in enumerate(self._list(place, method))]
        if len(given) != 3:
            raise self._error(method, "A place is x, y and an angle, not %.60r." % (place,))
        x, y, angle = given
        ahead, _, turn = self._model.full_speed
        return x, y, angle, math.hypot(x, y) / ahead + abs(angle) / turn

    def _start_walking(self, method, speeds, most, full):  # type: (str, Sequence[object], float, Sequence[float]) -> None
        """Walk at speeds, in units of `full`, without end; no faster than the robot can."""
        way = [self._number(each, method, at, -most, most) for at, each in enumerate(speeds)]
        if any(way):
            self.check_posture(method)
        self._end_walk()
        wanted = [max(min(each * unit, limit), -limit) for each, unit, limit in zip(way, full, self._model.full_speed)]
        self.world.body.walk.drive((wanted[0], wanted[1], wanted[2]))
        if any(wanted):
            self._over = SimEvent(self.world.clock)
        self.world.trace.note("motion", method=method, duration=0.0, way=way)

    def _stop_walking(self, method):  # type: (str) -> None
        self._was_killed = False
        self._end_walk()
        self.world.body.walk.halt()
        self.world.trace.note("motion", method=method, duration=0.0)

    def _arrive(self, over):  # type: (SimEvent) -> None
        if self._over is over:
            self._end_walk()
            self.world.body.walk.halt()

    def _end_walk(self):  # type: () -> None
        """Let the calls continue that wait for the end of the walk."""
        over, self._over, self.footsteps = self._over, None, []
        if over is not None:
            over.set()

    def check_posture(self, method):  # type: (str) -> None
        """Raise RuntimeError if the robot rests or does not stand."""
        is_awake, on_feet = self.world.body.is_awake, len(self._model.feet) == 2
        if not is_awake or (on_feet and self.world.posture.startswith(("Sit", "Lying", "Crouch"))):
            state = "in posture %s" % self.world.posture if is_awake else "resting"
            raise self._error(method, "The robot cannot walk: it is %s." % state)

    def _stand_to_walk(self, method):  # type: (str) -> None
        self.check_posture(method)
        angles = self._model.posture_angles("StandInit")
        legs = {joint: angles[joint] for joint in self._model.chains["Legs"]}
        self._tasks.take_angles(method, legs, legs, 1.0)

    def _gait(self, which, method):  # type: (str, str) -> List[List[ALValue]]
        column = ("Default", "Min", "Max").index(self._one_of(which, ["Default", "Min", "Max"], method, "kind"))
        return [[setting[0], _round_to_32_bits(float(setting[1 + column]))] for setting in self._model.gait]


def _round_to_32_bits(value):  # type: (float) -> float
    """Return the float of 32 bits that is nearest: NAOqi's settings of a walk and the pixel of a map have no more.

    >>> _round_to_32_bits(0.04)
    0.03999999910593033
    """
    return float(struct.unpack("f", struct.pack("f", value))[0])


# Footsteps and paths (ALMotion).

_FOOT_SIDES = {"LLeg": 1, "RLeg": -1}
_FOOT_OFFSET_M = 0.05  # metres from the middle of the body to a foot
_MAX_STEP_M = 0.08  # ahead or back
_MIN_FOOT_DISTANCE_M = 0.088  # between the feet, to the side
_MAX_FOOT_DISTANCE_M = 0.16
_MAX_STEP_TURN_RAD = 0.524
_MIN_STEP_S = 0.5  # duration of a step
_MAX_STEPS = 500  # in one call
_MAX_PATH_PIECES = 16  # of a composed path; also the pieces of a circle
_MAX_PATH_DEPTH = 8  # composed paths in one another
_TRAJECTORY_RULE = 'A trajectory is ["Holonomic", path, angle, seconds] or ["Composed", trajectory, ...], not %.80r.'
_PATH_RULE = 'A path is ["Line", [x, y]], ["Circle", [x, y], angle] or ["Composed", path, ...], not %.80r.'


class Footsteps(Service):
    """The part of ALMotion that plans steps and paths: the place of the robot is the middle between its feet."""

    def __init__(self, world, walk):  # type: (World, Walking) -> None
        Service.__init__(self, world, MOTION)
        self._model = world.body.model
        self._walk = walk
        #: The feet before the last planned steps, and after them.
        self._before = self._after = Pose2D(0.0, _FOOT_OFFSET_M, 0.0), Pose2D(0.0, -_FOOT_OFFSET_M, 0.0)

    def setFootSteps(self, feet, steps, times, clear):  # type: (List[str], ALValue, List[float], bool) -> None
        """Plan steps and return immediately: each is x, y, angle of a foot as the other sees it, at a time from now."""
        method = "setFootSteps"
        moments = [self._number(each, method, 2, 0, _MAX_WALK_S) for each in self._list(times, method, 2)]
        if moments != sorted(moments):
            raise self._error(method, "The times %.60r do not increase." % (moments,))
        self._plan_steps(method, feet, steps, moments, clear)

    def setFootStepsWithSpeed(self, feet, steps, speeds, clear):  # type: (List[str], object, List[float], bool) -> None
        """Plan steps, each with a fraction of full speed, and return immediately."""
        method, passed, moments = "setFootStepsWithSpeed", 0.0, []
        for each in self._list(speeds, method, 2):
            passed += _MIN_STEP_S / max(self._number(each, method, 2, 0, 1), 0.1)
            moments.append(passed)
        self._plan_steps(method, feet, steps, moments, clear)

    def getFootSteps(self):  # type: () -> ALValue
        """Return where the feet are, the step under way and those that come: [foot, the time given, [x, y, angle]].

        A foot is where it was planted last. Only planned steps are steps: a walk to a place has none. Recorded on the
        maker's naoqi-bin 2.1.4.13: larissadj/naoqi_pak, .ros/log, nao_footsteps-1-stdout.log.
        """
        self._check_feet("getFootSteps")
        left, right = self._feet()
        coming = [step for step in self._walk.footsteps if step[1] > self.world.clock.now()]
        rows = [[foot, given, list(step)] for foot, _, given, step, _, _ in coming]
        return [[list(left.toVector()), list(right.toVector())], rows[:1], rows[1:]]

    @overloads("m", "m f")
    def moveAlong(self, trajectory, scale=1.0):  # type: (ALValue, float) -> bool
        """Walk along a trajectory and return whether its end was reached; `scale` makes it slower or faster."""
        self._walk.check_posture("moveAlong")
        faster = self._number(scale, "moveAlong", 1, 0.01, 100)
        legs = self._legs_of(trajectory, 0)
        return self._walk.follow_legs("moveAlong", [(x, y, angle, seconds / faster) for x, y, angle, seconds in legs])

    def _plan_steps(self, method, feet, steps, moments, clear):  # type: (str, object, object, List[float], object) -> None
        self._check_feet(method)
        self._walk.check_posture(method)
        names, rows = self._texts(feet, method), self._list(steps, method, 1)
        is_new, now, planned = self._flag(clear, method, 3), self.world.clock.now(), []  # type: bool, float, List[Step]
        if not len(names) == len(rows) == len(moments) <= _MAX_STEPS:
            counts = (len(names), len(rows), len(moments), _MAX_STEPS)
            reason = "%d feet, %d steps and %d times: as many of each are needed, at most %d." % counts
            raise self._error(method, reason)
        kept = [] if is_new else [step for step in self._walk.footsteps if step[1] > now]
        after = kept[-1][1] if kept else now
        left, right = kept[-1][4:] if kept else self._feet()
        for foot, row, moment in zip(names, rows, moments):
            step = self._step(self._one_of(foot, sorted(_FOOT_SIDES), method, "foot"), row, method)
            if foot == "LLeg":
                left = right * Pose2D(step)
            else:
                right = left * Pose2D(step)
            planned.append((foot, after + moment, moment, step, left, right))
        self._take_steps(method, kept + planned)

    def _check_feet(self, method):  # type: (str) -> None
        if len(self._model.feet) < 2:
            raise self._error(method, "The robot has wheels, not feet: use moveTo.")

    def _step(self, foot, row, method):  # type: (str, ALValue, str) -> List[float]
        """Check a step and shorten it to NAO's limits."""
        given = [self._number(each, method, 1, -100, 100) for each in self._list(row, method, 1)]
        if len(given) != 3:
            raise self._error(method, "A step is x, y and an angle, not %.60r." % (row,))
        aside = min(max(given[1] * _FOOT_SIDES[foot], _MIN_FOOT_DISTANCE_M), _MAX_FOOT_DISTANCE_M) * _FOOT_SIDES[foot]
        turn = min(max(given[2], -_MAX_STEP_TURN_RAD), _MAX_STEP_TURN_RAD)
        return [min(max(given[0], -_MAX_STEP_M), _MAX_STEP_M), aside, turn]

    def _take_steps(self, method, steps):  # type: (str, List[Step]) -> None
        here, now, legs = self.world.body.walk.place(), self.world.clock.now(), []  # type: Pose2D, float, List[Leg]
        self._before = self._feet()
        for _, when, _, _, left, right in steps:
            middle = _find_middle(left, right)
            way = here.diff(middle)
            legs.append((way.x, way.y, way.theta, when - now))
            here, now, self._after = middle, when, (left, right)
        seconds = self._walk.take_footsteps(steps, legs)
        rows = [[foot] + list(step) for foot, _, _, step, _, _ in steps]
        self.world.trace.note("motion", method=method, duration=round(seconds, 3), steps=rows)

    def _feet(self):  # type: () -> Tuple[Pose2D, Pose2D]
        """Return where the feet were planted by steps, or next to the body if it has been elsewhere since."""
        steps = self._walk.footsteps
        if steps:
            done = [step for step in steps if step[1] <= self.world.clock.now()]
            return done[-1][4:] if done else self._before
        here = self.world.body.walk.place()
        if _find_middle(*self._after).isNear(here):
            return self._after
        return here * Pose2D(0.0, _FOOT_OFFSET_M, 0.0), here * Pose2D(0.0, -_FOOT_OFFSET_M, 0.0)

    def _legs_of(self, trajectory, depth):  # type: (ALValue, int) -> List[Leg]
        """Return the way along a trajectory, each leg relative to the end of the one before."""
        parts = self._list(trajectory, "moveAlong")
        if parts and parts[0] == "Composed" and depth < _MAX_PATH_DEPTH:
            legs = [leg for part in parts[1:] for leg in self._legs_of(part, depth + 1)]
            if len(legs) > _MAX_STEPS:
                raise self._error("moveAlong", "The trajectory has more than %d pieces." % _MAX_STEPS)
            return legs
        if len(parts) != 4 or parts[0] != "Holonomic":
            raise self._error("moveAlong", _TRAJECTORY_RULE % (trajectory,))
        angle = self._number(parts[2], "moveAlong", 0, -100, 100)
        seconds = self._number(parts[3], "moveAlong", 0, 0, _MAX_WALK_S)
        points = self._points(parts[1], 0)
        legs, here = [], Pose2D()
        for count, (x, y) in enumerate(points, 1):
            there = Pose2D(x, y, angle * count / len(points))
            way = here.diff(there)
            legs.append((way.x, way.y, way.theta, seconds / len(points)))
            here = there
        return legs

    def _points(self, path, depth):  # type: (ALValue, int) -> List[Tuple[float, float]]
        """Return the points along a path, from the place where it begins."""
        parts = self._list(path, "moveAlong")
        if parts and parts[0] == "Composed" and depth < _MAX_PATH_DEPTH and len(parts) <= _MAX_PATH_PIECES:
            points, x, y = [], 0.0, 0.0  # type: List[Tuple[float, float]], float, float
            for part in parts[1:]:
                points += [(x + ahead, y + left) for ahead, left in self._points(part, depth + 1)]
                x, y = points[-1]
            return points
        if len(parts) not in (2, 3) or parts[0] != {2: "Line", 3: "Circle"}[len(parts)]:
            raise self._error("moveAlong", _PATH_RULE % (path,))
        x, y = self._place(parts[1])
        if parts[0] == "Line":
            return [(x, y)]
        turn = self._number(parts[2], "moveAlong", 0, -100, 100)
        turns = [turn * number / _MAX_PATH_PIECES for number in range(1, _MAX_PATH_PIECES + 1)]
        bows = [(math.cos(each), math.sin(each)) for each in turns]
        return [(x - x * cosine + y * sine, y - x * sine - y * cosine) for cosine, sine in bows]

    def _place(self, given):  # type: (ALValue) -> Tuple[float, float]
        numbers = [self._number(each, "moveAlong", 0, -100, 100) for each in self._list(given, "moveAlong")]
        if len(numbers) != 2:
            raise self._error("moveAlong", "A point is x and y, not %.60r." % (given,))
        return numbers[0], numbers[1]


def _find_middle(left, right):  # type: (Pose2D, Pose2D) -> Pose2D
    """Return the place of the body between its feet."""
    return Pose2D((left.x + right.x) / 2, (left.y + right.y) / 2, (left.theta + right.theta) / 2)


# Exploration and maps (ALNavigation).

_EXPLORATION_FOLDER = "/home/nao/.local/share/Explorer"  # the folder of explorations on a robot
_EXPLORATION_KIND = "exploration of a simulated robot"
_DONE, _CANCELLED, _NOT_IN_MAP = 0, 2, 5  # error codes of ALNavigation
_MAX_RADIUS_M = 50.0  # greatest radius of an exploration
_MIN_PIXEL_M = 0.05  # width of a pixel of a map; larger if the map would be too wide
_MAX_MAP_PIXELS = 100  # width of a map
#: The uncertainty of the place in the map: metres ahead, metres to the side, angle of the ellipse.
_UNCERTAINTY_ELLIPSE = [0.05, 0.05, 0.0]


class _Exploration(Service):
    """The part of ALNavigation that explores the floor, saves and loads maps, and walks by them."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world, "ALNavigation")
        self._radius = None  # type: Optional[float]
        self._origin = Pose2D()
        self._is_localizing = False

    def explore(self, radius):  # type: (float) -> int
        """Explore the floor up to `radius` metres away; return 0 if it is done and 2 if it was stopped.

        The robot walks half of the way ahead and back.
        """
        radius = self._number(radius, "explore", 0, 0.1, _MAX_RADIUS_M)
        origin, motion = self.world.body.walk.place(), self.world.service("ALMotion")
        for x in (radius / 2, -radius / 2):
            if not motion.call("moveTo", [x, 0.0, 0.0]):
                return _CANCELLED
        self._radius, self._origin = radius, origin
        return _DONE

    def stopExploration(self):  # type: () -> None
        """Stop exploring and localizing."""
        self.world.service("ALMotion").call("stopMove", [])
        self._is_localizing = False

    def saveExploration(self):  # type: () -> str
        """Keep the exploration in a file and return its path, which has the time in UTC.

        Recorded on a Pepper: stevebong31/NAOqi_SDK_DOC_KR, ALNavigation/ex_proxy.ipynb.
        """
        content = json.dumps({"kind": _EXPLORATION_KIND, "radius": self._get_radius("saveExploration")})
        seconds, thousandths = divmod(round(1000 * (ROBOT_START_S + self.world.clock.now())), 1000)
        moment = time.strftime("%Y-%m-%dT%H%M%S", time.gmtime(seconds))
        path = "%s/%s.%03dZ.explo" % (_EXPLORATION_FOLDER, moment, thousandths)
        file_path = self.world.file_path(path)
        try:
            if not os.path.isdir(os.path.dirname(file_path)):
                os.makedirs(os.path.dirname(file_path))
            write_whole(file_path, content.encode("ascii"))
        except (EnvironmentError, NaosimError) as error:
            raise self._error("saveExploration", "Unable to save the exploration: %s." % error)
        return path

    def loadExploration(self, path):  # type: (str) -> bool
        """Load an exploration, which is taken to have begun where the robot stands; return False for other files."""
        self._path(path, "loadExploration")
        radius = _read_radius(self.world.file_path(path))
        if radius is None:
            self.world.warn("ALNavigation.loadExploration", "%s is not an exploration of a simulated robot." % path)
            return False
        self._radius, self._origin, self._is_localizing = radius, self.world.body.walk.place(), False
        return True

    def getExplorationPath(self):  # type: () -> ALValue
        """List the places of the map that the exploration went by."""
        return [[0.0, 0.0], [self._get_radius("getExplorationPath") / 2, 0.0], [0.0, 0.0]]

    def getMetricalMap(self):  # type: () -> ALValue
        """Return the map: [metres in a pixel, width, height, place of the first pixel, pixels], 100 where free."""
        radius = self._get_radius("getMetricalMap")
        metres = max(_MIN_PIXEL_M, 2 * radius / _MAX_MAP_PIXELS)
        size = -int(-2 * radius // metres)
        middles = [(at + 0.5) * metres - size * metres / 2 for at in range(size)]
        pixels = [100.0 if math.hypot(x, y) <= radius else 0.0 for y in reversed(middles) for x in middles]
        return [_round_to_32_bits(metres), size, size, [-size * metres / 2, size * metres / 2], pixels]

    def startLocalization(self):  # type: () -> None
        """Follow the robot's place in the map; raise RuntimeError without a map."""
        self._get_radius("startLocalization")
        self._is_localizing = True

    def stopLocalization(self):  # type: () -> None
        """Follow the robot's place no more."""
        self._is_localizing = False

    def relocalizeInMap(self, estimate):  # type: (List[float]) -> ALValue
        """Take a place of the map, [x, y] or [x, y, angle], for where the robot stands, and return it.

        Recorded on a Pepper: a place outside the map is an error (aldebaran/naoqi_navigation_samples, issue 10).
        """
        radius = self._get_radius("relocalizeInMap")
        here = self._place(estimate, "relocalizeInMap")
        if math.hypot(here.x, here.y) > radius:
            raise self._error("relocalizeInMap", "Target is too far from explored area.")
        self._origin = self.world.body.walk.place() * here.inverse()
        return self._list_location()

    def getRobotPositionInMap(self):  # type: () -> ALValue
        """Return the robot's place in the map, [x, y, angle], and its certainty."""
        self._get_followed_radius("getRobotPositionInMap")
        return self._list_location()

    def navigateToInMap(self, target):  # type: (List[float]) -> int
        """Walk to a place of the map; return 0 if the robot is there. The angle of [x, y, angle] is ignored."""
        radius = self._get_followed_radius("navigateToInMap")
        place = self._place(target, "navigateToInMap")
        if math.hypot(place.x, place.y) > radius:
            return _NOT_IN_MAP
        way = self._here().diff(place)
        return _DONE if self.world.service("ALMotion").call("moveTo", [way.x, way.y, 0.0]) else _CANCELLED

    def _here(self):  # type: () -> Pose2D
        return self._origin.diff(self.world.body.walk.place())

    def _list_location(self):  # type: () -> List[List[float]]
        return [list(self._here().toVector()), list(_UNCERTAINTY_ELLIPSE)]

    def _place(self, values, method):  # type: (ALValue, str) -> Pose2D
        given = [self._number(each, method, 0, -1000, 1000) for each in self._list(values, method)]
        if len(given) not in (2, 3):
            raise self._error(method, "A place is x, y and an angle, not %.60r." % (values,))
        return Pose2D(given[0], given[1], given[2] if len(given) == 3 else 0.0)

    def _get_radius(self, method):  # type: (str) -> float
        """Return the radius of the map; raise RuntimeError without a map."""
        if self._radius is None:
            raise self._error(method, "No exploration loaded.")
        return self._radius

    def _get_followed_radius(self, method):  # type: (str) -> float
        """Return the radius of the map; raise RuntimeError unless the robot's place in it is followed."""
        radius = self._get_radius(method)
        if not self._is_localizing:
            raise self._error(method, "The localization is not running.")
        return radius


def _read_radius(path):  # type: (str) -> Optional[float]
    """Return the radius of the exploration in a file, None for other files."""
    try:
        with open(path, "rb") as file:
            kept = json.loads(file.read(1000).decode("ascii"))
    except (EnvironmentError, ValueError):
        return None
    radius = kept.get("radius") if isinstance(kept, dict) and kept.get("kind") == _EXPLORATION_KIND else None
    return radius if isinstance(radius, float) and 0 < radius <= _MAX_RADIUS_M else None


# ALNavigation, and ALRobotPose of NAOqi 1.

_RADIUS_LIMITS_M = (0.0, 20.0)
_DISPLACEMENT_LIMITS_M = (0.0, 100.0)
_FREE_ZONE_FOUND = 0  # error code


@declare(
    number_setting("SecurityDistance", 0.4, (0, 10), "the distance kept from obstacles, in metres; none is ever met"),
    nothing("startFreeZoneUpdate", "the floor is free everywhere"),
)
@compose(("exploration", _Exploration))
class ALNavigation(Service):
    """Walks to places, without obstacles."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self.exploration = _Exploration(world)

    @overloads("f f f", "f f f m")
    def moveTo(self, x, y, theta, config=None):  # type: (float, float, float, ALValue) -> bool
        """Walk to a place relative to the robot, and return when it is there."""
        return bool(self.world.service("ALMotion").call("moveTo", [x, y, theta]))

    @overloads("f f f", "f f f m")
    def move(self, x, y, theta, config=None):  # type: (float, float, float, ALValue) -> None
        """Start walking at a speed, metres and radians a second, and return immediately; zeros stop."""
        self.world.service("ALMotion").call("move", [x, y, theta])

    @overloads("f f f", "f f f m")
    def moveToward(self, x, y, theta, config=None):  # type: (float, float, float, ALValue) -> None
        """Start walking at a fraction of full speed and return immediately; zeros stop."""
        self.world.service("ALMotion").call("moveToward", [x, y, theta])

    @overloads("f f", "f f m", "f f f", "f f f m")
    def navigateTo(self, x, y, theta=0.0, config=None):  # type: (float, float, ALValue, ALValue) -> bool
        """Walk to a place relative to the robot, and return when it is there: (x, y [, angle] [, settings])."""
        angle = 0.0 if isinstance(theta, (list, tuple)) else self._number(theta, "navigateTo", 2)
        return bool(self.moveTo(x, y, angle))

    def stopNavigateTo(self):  # type: () -> None
        """Stop a walk to a place."""
        self.world.service("ALMotion").call("stopMove", [])

    def moveAlong(self, trajectory):  # type: (ALValue) -> bool
        """Walk along a trajectory, as Move Along boxes do, and return whether its end was reached."""
        return bool(self.world.service("ALMotion").call("moveAlong", [trajectory]))

    def getFreeZone(self, radius, displacement):  # type: (float, float) -> ALValue
        """Return a free zone of this radius around the robot: [0, radius, [x, y]]."""
        return self._free_zone("getFreeZone", radius, displacement)

    def findFreeZone(self, radius, displacement):  # type: (float, float) -> ALValue
        """Return a free zone of this radius around the robot: [0, radius, [x, y]]."""
        return self._free_zone("findFreeZone", radius, displacement)

    def stopAndComputeFreeZone(self, radius, displacement):  # type: (float, float) -> ALValue
        """Return a free zone of this radius: the old name of getFreeZone."""
        return self._free_zone("stopAndComputeFreeZone", radius, displacement)

    def _free_zone(self, method, radius, displacement):  # type: (str, ALValue, ALValue) -> List[ALValue]
        self._number(displacement, method, 1, *_DISPLACEMENT_LIMITS_M)
        here = self.world.body.walk.place()
        return [_FREE_ZONE_FOUND, self._number(radius, method, 0, *_RADIUS_LIMITS_M), [here.x, here.y]]


#: The postures by name of NAOqi 1.
_POSE_NAMES = ["Back", "Belly", "Crouch", "Frog", "HeadBack", "Knee", "Left", "Right", "Sit", "Stand", "Unknown"]


class ALRobotPose(Service):
    """Names the posture: the service of NAOqi 1 that ALRobotPosture replaced."""

    def getActualPoseAndTime(self):  # type: () -> ALValue
        """Return the name of the posture, and the seconds since the robot took it."""
        return [get_pose_name(self.world.posture), self.world.clock.now() - self.world.posture_since]

    def getPoseNames(self):  # type: () -> List[str]
        """List the names of the postures."""
        return list(_POSE_NAMES)
