"""ALMotion: movements of joints, and of effectors in space.

Its other parts are in `motion_base` and `walking`. Every angle is a function of the clock: kinematics, not physics.
"""

from __future__ import absolute_import, division, print_function

import almath
from almath import Position6D, Transform
from naosim import kinematics
from naosim.body import CONSTANT_CURVE, Bezier, Smooth
from naosim.services.base import Service, compose, constant, declare, overloads
from naosim.services.memory_keys import list_robot_keys
from naosim.services.motion_base import MOTION, ALRobotPosture, JointTasks, Reflexes, as_list, take_posture
from naosim.services.system_packages import is_in_wizard
from naosim.services.walking import Footsteps, Walking

MYPY = False
if MYPY:
    from typing import Any, Dict, Iterable, List, Sequence, Tuple

    from naosim.body import Body
    from naosim.compat import ALValue
    from naosim.services.motion_base import Names
    from naosim.world import World

# Positions and movements in space (ALMotion).

_MAX_MOVEMENT_S = 600.0  # longest movement
_MAX_DISTANCE_M = 1000.0  # greatest coordinate of a place
_MAX_PLACES = 500  # places in one path


class _Effectors(Service):
    """The part of ALMotion for positions and movements in space, by the published lengths."""

    def __init__(self, world, tasks):  # type: (World, JointTasks) -> None
        Service.__init__(self, world, MOTION)
        self._model = world.body.model
        self._tasks = tasks

    def getPosition(self, name, frame, from_sensors):  # type: (str, int, bool) -> List[float]
        """Return where a chain's end, a joint or a camera is: x, y, z, wx, wy, wz."""
        self._flag(from_sensors, "getPosition", 2)
        return list(almath.position6DFromTransform(self._where(name, frame, "getPosition")).toVector())

    def getTransform(self, name, frame, from_sensors):  # type: (str, int, bool) -> List[float]
        """Return where a chain's end, a joint or a camera is: the 16 numbers of a transform."""
        self._flag(from_sensors, "getTransform", 2)
        return list(self._where(name, frame, "getTransform").toVector())

    def getCOM(self, name, frame, from_sensors):  # type: (str, int, bool) -> List[float]
        """Return the centre of mass of a joint, a chain, Torso or Body."""
        self._flag(from_sensors, "getCOM", 2)
        angles = self.world.body.angles()
        centre = self._model.centre_of_mass(self._check_weighed(name, "getCOM"), angles)
        return list((self._torso(frame, angles, "getCOM") * centre).toVector())

    def getMass(self, name):  # type: (str) -> float
        """Return the mass of a joint, a chain, Torso or Body in kilograms."""
        return self._model.part_mass(self._check_weighed(name, "getMass"))

    def positionInterpolation(self, effector, frame, path, mask, times, absolute):
        # type: (str, int, ALValue, int, ALValue, bool) -> None
        """Move an effector along positions of six numbers and return when it is there."""
        self._move_all("positionInterpolation", effector, frame, path, mask, times, absolute)

    def transformInterpolation(self, effector, frame, path, mask, times, absolute):
        # type: (str, int, ALValue, int, ALValue, bool) -> None
        """Move an effector along transforms and return when it is there."""
        self._move_all("transformInterpolation", effector, frame, path, mask, times, absolute)

    @overloads("[s] i m m m b", "m m m m m")
    def positionInterpolations(self, effectors, frame, paths, masks, times, absolute=True):
        # type: (ALValue, ALValue, ALValue, ALValue, ALValue, bool) -> None
        """Move effectors along positions of six numbers and return when all are there."""
        self._move_all("positionInterpolations", effectors, frame, paths, masks, times, absolute)

    @overloads("[s] i m m m b", "m m m m m")
    def transformInterpolations(self, effectors, frame, paths, masks, times, absolute=True):
        # type: (ALValue, ALValue, ALValue, ALValue, ALValue, bool) -> None
        """Move effectors along transforms and return when all are there."""
        self._move_all("transformInterpolations", effectors, frame, paths, masks, times, absolute)

    def setPosition(self, effector, frame, position, fraction, mask):
        # type: (str, int, List[float], float, int) -> None
        """Start moving an effector to a position and return immediately."""
        self._aim_all("setPosition", effector, frame, position, fraction, mask)

    def setPositions(self, effectors, frame, positions, fraction, masks):  # type: (object, object, object, float, object) -> None
        """Start moving effectors to positions and return immediately."""
        self._aim_all("setPositions", effectors, frame, positions, fraction, masks)

    def setTransform(self, effector, frame, transform, fraction, mask):
        # type: (str, int, List[float], float, int) -> None
        """Start moving an effector to a transform and return immediately."""
        self._aim_all("setTransform", effector, frame, transform, fraction, mask)

    def setTransforms(self, effectors, frame, transforms, fraction, masks):  # type: (object, object, object, float, object) -> None
        """Start moving effectors to transforms and return immediately."""
        self._aim_all("setTransforms", effectors, frame, transforms, fraction, masks)

    def changePosition(self, effector, frame, change, fraction, mask):
        # type: (str, int, List[float], float, int) -> None
        """Start moving an effector by six numbers and return immediately."""
        self._aim_all("changePosition", effector, frame, change, fraction, mask, False)

    def changeTransform(self, effector, frame, change, fraction, mask):
        # type: (str, int, List[float], float, int) -> None
        """Start moving an effector by a transform and return immediately."""
        self._aim_all("changeTransform", effector, frame, change, fraction, mask, False)

    def _where(self, name, frame, method):  # type: (ALValue, ALValue, str) -> Transform
        """Return the place of a part, in a frame."""
        part, angles = self._one_of(name, self._model.parts, method, "part of the body"), self.world.body.angles()
        return self._torso(frame, angles, method) * self._model.part_transform(part, angles)  # type: ignore[no-any-return]

    def _torso(self, frame, angles, method):  # type: (ALValue, Any, str) -> Transform
        which = int(self._number(frame, method, 1, 0, 2))
        return self._model.torso_transform(which, angles, self.world.body.walk.place())

    def _check_weighed(self, name, method):  # type: (ALValue, str) -> str
        if not self._model.list_weighed_parts(self._text(name, method)):
            raise self._error(method, "%s is not a joint with a mass, chain, Torso or Body of this robot." % name)
        return str(name)

    def _move_all(self, method, effectors, frame, paths, masks, times, absolute):
        # type: (str, ALValue, ALValue, ALValue, ALValue, ALValue, ALValue) -> None
        """Check paths, find the angles along them once the joints are free, and wait until the effectors are there."""
        names = self._names(effectors, self._model.effectors, method, "effector")
        is_absolute = self._flag(absolute, method, 5)
        given = self._ways(names, paths, method)
        moments = self._moments(given, times, method)
        numbers = self._masks(names, masks, method)
        booked = sorted({joint for name in names for joint in self._model.list_moving_joints(name)})

        def start():  # type: () -> float
            plan = self._plan(frame, names, numbers, method)
            for joint, (when, angles) in plan.along(given, moments, is_absolute).items():
                self.world.body.move(joint, Smooth(self.world.body.angle(joint), when, angles))
            return max(row[-1] for row in moments)

        self._tasks.perform_movement(method, booked, start, effectors=names)

    def _aim_all(self, method, effectors, frame, places, fraction, masks, absolute=True):
        # type: (str, ALValue, ALValue, ALValue, ALValue, ALValue, bool) -> None
        """Check places, find the angles there, and let the joints turn to them together."""
        names = self._names(effectors, self._model.effectors, method, "effector")
        speed = self._number(fraction, method, 3, 0, 1)
        given = self._ways(names, places, method)
        plan = self._plan(frame, names, self._masks(names, masks, method), method)
        ends = plan.along(given, [[0.0]] * len(names), absolute)
        seconds = _get_turn_time(self.world.body, {joint: angles[-1] for joint, (_, angles) in ends.items()}, speed)
        for joint, (_, angles) in sorted(ends.items()):
            if not self._tasks.is_booked(joint):
                self.world.body.move(joint, Smooth(self.world.body.angle(joint), [seconds], [angles[-1]]))
        self.world.trace.note("motion", method=method, duration=0.0, effectors=names)

    def _plan(self, frame, names, numbers, method):  # type: (object, Sequence[str], Sequence[int], str) -> kinematics.Plan
        angles = self.world.body.angles()
        return kinematics.Plan(self._model, names, numbers, angles, self._torso(frame, angles, method))

    def _ways(self, names, paths, method):  # type: (Sequence[str], ALValue, str) -> List[List[ALValue]]
        """Return a list of places for each effector; lists around the only effector or place can be left out."""
        given, deep = self._list(paths, method, 2), _get_depth(paths)
        if deep < 2 or (deep == 2 and len(names) == 1):
            given = [given if deep == 2 else [given]]
        else:
            given = [[way] if _get_depth(way) == 1 else way for way in given]
        return [self._rows(row, method) for row in self._tasks.spread_values(names, given, method)]

    def _moments(self, ways, times, method):  # type: (List[List[ALValue]], ALValue, str) -> List[List[float]]
        """Return the times of the places on each way, for all ways or for each one; they have to increase."""
        given = as_list(times)
        if _get_depth(given) < 2:
            given = [given] * len(ways) if all(len(way) == len(given) for way in ways) else [[each] for each in given]
        rows = [as_list(row) for row in self._tasks.spread_values(ways, given, method)]
        moments = [[self._number(each, method, 4, 0, _MAX_MOVEMENT_S) for each in row] for row in rows]
        for way, row in zip(ways, moments):
            if len(way) != len(row) or not row or row != sorted(set(row)):
                raise self._error(method, "The times %.60r do not go with a path of %d places." % (row, len(way)))
        return moments

    def _masks(self, names, masks, method):  # type: (Sequence[str], ALValue, str) -> List[int]
        return [int(self._number(mask, method, 4, 0, 63)) for mask in self._tasks.spread_values(names, masks, method)]

    def _rows(self, rows, method):  # type: (Any, str) -> List[Any]
        """Check the places of a path, of 6, 12 or 16 numbers each, and return them."""
        found = []
        if len(self._list(rows, method, 2)) > _MAX_PLACES:
            counts = (len(rows), _MAX_PLACES)
            raise self._error(method, "%d places in one path are too many: at most %d are accepted." % counts)
        for row in rows:
            given = self._list(row, method, 2)
            numbers = [self._number(each, method, 2, -_MAX_DISTANCE_M, _MAX_DISTANCE_M) for each in given]
            is_position = "osition" in method
            if len(numbers) not in ((6,) if is_position else (12, 16)):
                wanted = "position of 6 numbers" if is_position else "transform of 12 or 16 numbers"
                raise self._error(method, "%.80r is not a %s." % (row, wanted))
            found.append(Position6D(numbers) if len(numbers) == 6 else Transform(numbers))
        return found


def _get_depth(value):  # type: (ALValue) -> int
    return 1 + _get_depth(value[0]) if isinstance(value, (list, tuple)) and value else 0


def _get_turn_time(body, ends, speed):  # type: (Body, Dict[str, float], float) -> float
    """Return the time in which all joints reach their angles at a fraction of full speed, at most ten minutes."""
    ways = [abs(end - body.angle(joint)) / body.model.speeds[joint] for joint, end in ends.items()]
    return min(max(ways or [0.0]) / max(speed, 0.01), _MAX_MOVEMENT_S)


# ALMotion: movements of joints.

#: The names of getRobotConfig, as recorded on a NAO V5 (bhuman/BHumanCodeRelease, issue 4); our guess for the others.
_CONFIGURATION = "Model Type, Head Version, Body Version, Laser, Legs, Arms, Extended Arms, Hands, Arm Version, "
_CONFIGURATION += "Number of Legs, Number of Arms, Number of Hands"
_CYCLE_TIME_MS = 20
#: getSummary as robots with NAOqi 2 print it, in four public recordings: the hands are last, and then the wheels.
_SUMMARY = """\
---------------------- Model ---------------------------
        BodyName   Stiffness     Command      Sensor
%s
---------------------- Tasks  --------------------------
            Name         ID
%s----------------- Motion Cycle Time --------------------
              %d ms"""
_SUMMARY_JOINT = "%16s%12.6f%12.6f%12.6f"
_SUMMARY_TASK = "%16s%12d\n"
_HAND_S = 0.6  # the time in which a hand opens or closes
_STAND_UP_S = 3.0  # the duration of standing up and of crouching
_FALL_S = 1.0  # the duration of a fall: our guess
#: The event of a fall that begins; its name has changed (documentation of NAOqi 2.1 to 2.8, fall manager).
_FALLING_EVENTS = {"2.1": "robotIsFalling"}
_FALLING_EVENT = "ALMotion/RobotIsFalling"


@declare(constant("getMotionCycleTime", _CYCLE_TIME_MS, "Return the period of the joints' movements, in milliseconds."))
@compose(
    ("walk", Walking),
    ("footsteps", Footsteps),
    ("effectors", _Effectors),
    ("tasks", JointTasks),
    ("reflexes", Reflexes),
)
class ALMotion(Service):
    """Joints: every angle is a function of the clock. Kinematics, not physics: nothing bumps or falls by itself."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._model = world.body.model
        self.tasks = JointTasks(world)
        self.reflexes = Reflexes(world)
        self.walk = Walking(world, self.tasks, self.reflexes)
        self.footsteps = Footsteps(world, self.walk)
        self.effectors = _Effectors(world, self.tasks)
        self.is_falling = False  # whether the robot is on its way to the floor

    def wakeUp(self):  # type: () -> bool
        """Switch the motors on, stand up if the robot rests, and return True; False in the wizard of a first start."""
        if is_in_wizard(self.world):
            return False
        was_resting = not self.world.body.is_awake
        self.world.body.stiffen_all(True)
        if was_resting:
            angles = self._model.posture_angles("StandInit")
            self.tasks.take_angles("wakeUp", self._model.body, angles, _STAND_UP_S)
            take_posture(self.world, "Stand")
        else:
            self.tasks.take_angles("wakeUp", [], {}, 0.1)
        return True

    @overloads("", "s")
    def rest(self, chain="Body"):  # type: (str) -> None
        """Go to a relaxed posture and switch the motors off, of the whole robot or of a chain."""
        if chain != "Body":
            self._stiffen("rest", chain, 0.0, 1.0)
            return
        if not self.walk.may_rest():
            told = "A Pepper does nothing here, directly after killAll: call stopMove between them."
            self.world.warn("ALMotion.rest", told)
            return
        is_awake = self.world.body.is_awake
        if is_awake and self.world.posture.startswith("Stand"):
            self.tasks.take_angles("rest", self._model.body, self._model.posture_angles("Crouch"), _STAND_UP_S)
            take_posture(self.world, "Crouch")
        else:
            self.tasks.take_angles("rest", self._model.body, {}, _STAND_UP_S if is_awake else 0.1)
        self.world.body.stiffen_all(False)

    def robotIsWakeUp(self):  # type: () -> bool
        """Return whether the robot is awake."""
        return bool(self.world.body.is_awake)

    def fall_over(self, posture):  # type: (str) -> None
        """Fall from standing to a lying posture.

        The fall manager ends all movements, brings the joints into that posture and switches the motors off:
        documentation of NAOqi 2.1 to 2.8. That movements which programs order meanwhile end with the fall is our guess.
        """
        world, is_managed = self.world, self.reflexes.is_protected()
        self.is_falling = True
        try:
            self._end_movements()
            world.trace.note("posture", method="fall", posture=posture, duration=_FALL_S)
            if is_managed:
                world.memory.raiseEvent(_FALLING_EVENTS.get(world.naoqi, _FALLING_EVENT), True)
                world.body.take(self._model.posture_angles(posture), _FALL_S)
            self._take_time(_FALL_S)
            self._end_movements()
        finally:
            self.is_falling = False
        take_posture(world, posture)
        if is_managed:
            world.body.stiffen_all(False)
            world.memory.raiseEvent("robotHasFallen", True)

    def _end_movements(self):  # type: () -> None
        """End walks, movements and changes of the posture; their calls have halted their joints when this returns."""
        changer = self.world.find(ALRobotPosture)
        if changer is not None:
            changer.stopAll()
        self.walk.killAll()
        self._take_time(0.0)

    def setStiffnesses(self, names, stiffnesses):  # type: (Names, ALValue) -> None
        """Set stiffnesses, 0 to 1, immediately."""
        self._stiffen("setStiffnesses", names, stiffnesses, 0.0)

    def stiffnessInterpolation(self, names, stiffnesses, times):  # type: (Names, ALValue, ALValue) -> None
        """Change stiffnesses to values at `times`, in seconds, and return when they are reached."""
        method = "stiffnessInterpolation"
        chosen = self.tasks.list_joints(names, method)
        paths = self._paths(chosen, stiffnesses, times, method)
        for _, values in paths:
            for value in values:
                self._number(value, method, 1, 0, 1)

        def start():  # type: () -> float
            for joint, (moments, values) in self._select_stiffenable(zip(chosen, paths), method):
                curve = Smooth(self.world.body.stiffness(joint), moments, values)
                self.world.body.stiffen(joint, curve.end, curve=curve)
            return max([moments[-1] for moments, _ in paths] or [0.0])

        self.tasks.perform_movement(method, [], start, joints=chosen)

    def getStiffnesses(self, names):  # type: (Names) -> List[float]
        """Return the stiffness of each joint."""
        return [self.world.body.stiffness(joint) for joint in self.tasks.list_joints(names, "getStiffnesses")]

    def angleInterpolation(self, names, angles, times, absolute):  # type: (Names, ALValue, ALValue, bool) -> None
        """Move joints along angles, each list with its list of times, and return when they are there."""
        chosen = self.tasks.list_joints(names, "angleInterpolation")
        is_absolute = self._flag(absolute, "angleInterpolation", 3)
        paths = self._paths(chosen, angles, times, "angleInterpolation")

        def start():  # type: () -> float
            for joint, (moments, values) in sorted(zip(chosen, paths), reverse=True):
                here = self.world.body.angle(joint)
                base = 0.0 if is_absolute else here
                ends = [self._model.clamp_angle(joint, base + value) for value in values]
                self.world.body.move(joint, Smooth(here, moments, ends))
            return max([moments[-1] for moments, _ in paths] or [0.0])

        self.tasks.perform_movement("angleInterpolation", chosen, start, joints=chosen)

    def angleInterpolationWithSpeed(self, names, angles, fraction):  # type: (Names, ALValue, float) -> None
        """Move joints to angles at a fraction of full speed and return when they are there."""
        method = "angleInterpolationWithSpeed"
        chosen = self.tasks.list_joints(names, method)
        wanted, speed = self._targets(chosen, angles, method), self._number(fraction, method, 2, 0, 1)

        def start():  # type: () -> float
            seconds = _get_turn_time(self.world.body, wanted, speed)
            self.world.body.take(wanted, seconds)
            return seconds

        self.tasks.perform_movement(method, chosen, start, joints=chosen)

    def angleInterpolationBezier(self, names, times, controls):  # type: (List[str], ALValue, ALValue) -> None
        """Move joints along Bezier curves and return when they are there."""
        method = "angleInterpolationBezier"
        chosen = self.tasks.list_joints(names, method)
        rows = self._match_times(chosen, controls, times, method)
        paths = [[self._key(moment, key) for moment, key in zip(moments, keys)] for moments, keys in rows]

        def start():  # type: () -> float
            for joint, path in sorted(zip(chosen, paths), reverse=True):
                self.world.body.move(joint, Bezier(self.world.body.angle(joint), path))
            return max([float(path[-1][0]) for path in paths] or [0.0])

        self.tasks.perform_movement(method, chosen, start, joints=chosen)

    @overloads("m m f", "m m [f]")
    def setAngles(self, names, angles, fraction):  # type: (Names, ALValue, ALValue) -> None
        """Start turning joints to angles and return immediately; a list has one fraction of full speed per joint."""
        chosen = self.tasks.list_joints(names, "setAngles")
        given = fraction if isinstance(fraction, (list, tuple)) else [fraction] * len(chosen)
        speeds = [self._number(each, "setAngles", 2, 0, 1) for each in given]
        if len(speeds) != len(chosen):
            raise self._error("setAngles", "%d speeds were given for %r." % (len(speeds), names))
        wanted = self._targets(chosen, angles, "setAngles")
        for joint, speed in sorted(zip(chosen, speeds), reverse=True):
            self.tasks.aim_joint(joint, wanted[joint], speed)
        self.world.trace.note("motion", method="setAngles", duration=0.0, joints=chosen)

    def changeAngles(self, names, changes, fraction):  # type: (Names, ALValue, float) -> None
        """Start turning joints by angles and return immediately."""
        chosen = self.tasks.list_joints(names, "changeAngles")
        speed = self._number(fraction, "changeAngles", 2, 0, 1)
        turns = [self._number(each, "changeAngles", 1) for each in self._match_values(chosen, changes, "changeAngles")]
        for joint, turn in sorted(zip(chosen, turns), reverse=True):
            self.tasks.aim_joint(joint, self._model.clamp_angle(joint, self.world.body.angle(joint) + turn), speed)
        self.world.trace.note("motion", method="changeAngles", duration=0.0, joints=chosen)

    def getAngles(self, names, from_sensors):  # type: (Names, bool) -> List[float]
        """Return the angle of each joint in radians, as it is now."""
        self._flag(from_sensors, "getAngles", 1)
        return [self.world.body.angle(joint) for joint in self.tasks.list_joints(names, "getAngles")]

    def openHand(self, hand):  # type: (str) -> None
        """Open LHand or RHand."""
        self._move_hand("openHand", hand, 1.0)

    def closeHand(self, hand):  # type: (str) -> None
        """Close LHand or RHand."""
        self._move_hand("closeHand", hand, 0.0)

    def getBodyNames(self, name):  # type: (str) -> List[str]
        """List the joints of a chain or a group; "Chains" stands for the names of the chains."""
        if name == "Chains":
            return [chain for chain in self._model.effectors if chain != "Torso"]
        return self.tasks.list_joints(name, "getBodyNames")

    def getJointNames(self, name):  # type: (str) -> List[str]
        """List the joints of a chain: the old name of getBodyNames."""
        return self.tasks.list_joints(name, "getJointNames")

    def getSensorNames(self):  # type: () -> List[str]
        """List the cameras and sensors, which getPosition and getTransform know."""
        return list(self._model.sensors)

    def getLimits(self, name):  # type: (str) -> List[List[float]]
        """List for each joint its least and greatest angle, greatest speed and greatest torque."""
        model = self._model
        joints = self.tasks.list_joints(name, "getLimits")
        return [list(model.limits[joint]) + [model.speeds[joint], model.torques[joint]] for joint in joints]

    def getRobotConfig(self):  # type: () -> ALValue
        """Return the names and the values of the model's properties: a NAO V5, a NAO6 with NAOqi 2.8, or a Pepper."""
        model = self._model
        kind = "julietteY20MP" if "Wheels" in model.chains else "naoH25"
        has_laser = "LaserSensor/Front" in model.sensors
        keys = list_robot_keys(self.world.robot_type, self.world.naoqi)
        version = "VERSION_" + "".join(filter(str.isdigit, keys["RobotConfig/Body/BaseVersion"].value))
        values = [kind, version, version, has_laser, True, True, True, True, version, len(model.feet), 2, 2]
        return [_CONFIGURATION.split(", "), values]

    def getSummary(self):  # type: () -> str
        """Return the stiffness and the angle of each joint, and the movements under way, as a table."""
        body, chains = self.world.body, self._model.chains
        last = chains["Actuators"] + chains.get("Wheels", [])
        joints = [joint for joint in self._model.body if joint not in last] + last
        rows = [(joint, body.stiffness(joint), body.angle(joint), body.angle(joint)) for joint in joints]
        tasks = "".join(_SUMMARY_TASK % task for task in self.tasks.list_tasks())
        return _SUMMARY % ("\n".join(_SUMMARY_JOINT % row for row in rows), tasks, _CYCLE_TIME_MS)

    def _match_values(self, chosen, values, method):  # type: (List[str], ALValue, str) -> List[ALValue]
        """List one value per joint; a list of numbers for one joint is its path."""
        given = as_list(values)
        if len(chosen) == 1 and len(given) != 1:
            return [given]
        return self.tasks.spread_values(chosen, given, method, "joints")

    def _match_times(self, chosen, paths, times, method):
        # type: (List[str], ALValue, ALValue, str) -> List[Tuple[List[float], List[ALValue]]]
        """Check that the path of each joint has as many increasing times as places; return times and places."""
        found = []
        for joint, path, row in zip(
            chosen, self._match_values(chosen, paths, method), self._match_values(chosen, times, method)
        ):
            moments = [self._number(each, method, 2, 0, _MAX_MOVEMENT_S) for each in as_list(row)]
            if len(moments) != len(as_list(path)):
                raise self._error(method, "%d times do not go with the path %.60r." % (len(moments), path))
            if moments != sorted(set(moments)):
                raise self._error(method, "The times %.60r do not increase." % (moments,))
            if not moments:
                raise self._error(method, "Joint %s has no angle." % joint)
            found.append((moments, as_list(path)))
        return found

    def _paths(self, chosen, values, times, method):
        # type: (List[str], ALValue, ALValue, str) -> List[Tuple[List[float], List[float]]]
        timed = self._match_times(chosen, values, times, method)
        return [(moments, [self._number(value, method, 1) for value in path]) for moments, path in timed]

    def _targets(self, chosen, angles, method):  # type: (List[str], ALValue, str) -> Dict[str, float]
        """Return the angle at which each joint will end, within its limits."""
        given = [self._number(angle, method, 1) for angle in self._match_values(chosen, angles, method)]
        return {joint: self._model.clamp_angle(joint, angle) for joint, angle in zip(chosen, given)}

    def _key(self, moment, key):  # type: (float, ALValue) -> Any
        """Check a key of a Bezier curve: an angle, or [angle, handle before it, handle after it]."""
        method = "angleInterpolationBezier"
        parts = as_list(key)
        handles = [self._list(handle, method, 2) for handle in parts[1:]]
        if not 1 <= len(parts) <= 3 or any(len(handle) != 3 for handle in handles):
            raise self._error(method, "A key is an angle and up to two handles of three numbers, not %.80r." % (key,))
        numbers = [[self._number(each, method, 2) for each in handle] for handle in handles]
        before, after = (numbers + [[3.0, 0.0, 0.0]] * 2)[:2]
        # Kinds: 0 keeps the angle, 1 goes straight, 2 and 3 are curves.
        kind = min(max(int(after[0]), CONSTANT_CURVE), 3)
        return (moment, self._number(parts[0], method, 2), (before[1], before[2]), (after[1], after[2]), kind)

    def _select_stiffenable(self, pairs, method):  # type: (Iterable[Tuple[str, ALValue]], str) -> List[Tuple[str, Any]]
        """Return the pairs of joints whose stiffness programs may change: on Pepper all but the leg and the wheels."""
        fixed = self._model.chains["Legs"] + self._model.chains["Wheels"] if "Wheels" in self._model.chains else []
        given = list(pairs)
        found = [pair for pair in given if pair[0] not in fixed]
        if given and not found:
            self.world.warn("ALMotion.%s" % method, "A program cannot change the stiffness of Pepper's leg and wheels.")
        return found

    def _move_hand(self, method, hand, end):  # type: (str, str, float) -> None
        joint = self._one_of(hand, ["LHand", "RHand"], method, "hand")
        self.tasks.take_angles(method, [joint], {joint: end}, _HAND_S, joints=[joint])

    def _stiffen(self, method, names, stiffnesses, seconds):  # type: (str, Names, ALValue, float) -> None
        chosen = self.tasks.list_joints(names, method)
        values = [self._number(each, method, 1, 0, 1) for each in self._match_values(chosen, stiffnesses, method)]
        for joint, value in self._select_stiffenable(zip(chosen, values), method):
            self.world.body.stiffen(joint, value, seconds)
        self.tasks.take_angles(method, [], {}, seconds, joints=chosen)
