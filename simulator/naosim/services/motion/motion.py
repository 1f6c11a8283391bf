"""Knows ALMotion: joints and stiffness, recorded and timed. Knows no physics."""
from __future__ import absolute_import, division, print_function

from naosim.services.base import overloads
from naosim.services.motion import joints
from naosim.services.motion.locomotion import Walking

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Union

    from naosim.world.world import World

    Names = Union[str, List[str]]

FULL_SPEED = 4.0  # radians a second of a joint at fraction 1
HAND = 0.6  # seconds to open or close
LONGEST = 600.0  # seconds of one movement


class ALMotion(Walking):
    """Moves nothing, but remembers every angle and takes the time a movement takes."""

    def __init__(self, world):
        # type: (World) -> None
        Walking.__init__(self, world)
        self._angles = {joint: joints.held(joint, 0.0) for joint in joints.BODY}  # type: Dict[str, float]
        self._stiffness = dict.fromkeys(joints.BODY, 1.0)  # type: Dict[str, float]

    def wakeUp(self):
        # type: () -> bool
        """Switches the motors on, stands up if the robot rests, and tells that it worked."""
        slept, self._awake = not self._awake, True
        self._stiffness = dict.fromkeys(joints.BODY, 1.0)
        self._took("wakeUp", 3.0 if slept else 0.1)
        return True

    @overloads("", "s")
    def rest(self, chain="Body"):
        # type: (str) -> None
        """Goes to a relaxed posture and switches the motors off, of the whole robot or of a chain."""
        if chain != "Body":
            self._stiffen("rest", chain, 0.0, 1.0)
            return
        self._took("rest", 3.0 if self._awake else 0.1)
        self._awake = False
        self._stiffness = dict.fromkeys(joints.BODY, 0.0)

    def robotIsWakeUp(self):
        # type: () -> bool
        """Tells whether the robot is awake."""
        return self._awake

    def setStiffnesses(self, names, stiffnesses):
        # type: (Names, Any) -> None
        """Sets stiffnesses, 0 to 1, at once."""
        self._stiffen("setStiffnesses", names, stiffnesses, 0.0)

    def stiffnessInterpolation(self, names, stiffnesses, times):
        # type: (Names, Any, Any) -> None
        """Brings stiffnesses to values in so many seconds."""
        last = [each[-1] if isinstance(each, list) and each else each for each in self._as_list(stiffnesses)]
        chosen = self._joints(names, "stiffnessInterpolation")
        seconds = self._last_moment(chosen, stiffnesses, times, "stiffnessInterpolation")
        self._stiffen("stiffnessInterpolation", names, last, seconds)

    def getStiffnesses(self, names):
        # type: (Names) -> List[float]
        """Tells the stiffness of each joint."""
        return [self._stiffness[joint] for joint in self._joints(names, "getStiffnesses")]

    def angleInterpolation(self, names, angles, times, absolute):
        # type: (Names, Any, Any, bool) -> None
        """Moves joints along angles, each list with its list of times, and returns when they are there."""
        chosen = self._joints(names, "angleInterpolation")
        is_absolute = self._flag(absolute, "angleInterpolation", 3)
        targets = self._matched(chosen, angles, "angleInterpolation")
        seconds = self._last_moment(chosen, angles, times, "angleInterpolation")
        for joint, path in zip(chosen, targets):
            base = 0.0 if is_absolute else self._angles[joint]
            ends = [self._number(angle, "angleInterpolation", 1) for angle in self._as_list(path)]
            if not ends:
                raise self._error("angleInterpolation", "Joint %s has no angle." % joint)
            self._angles[joint] = joints.held(joint, base + ends[-1])
        self._took("angleInterpolation", seconds, joints=chosen)

    def angleInterpolationWithSpeed(self, names, angles, fraction):
        # type: (Names, Any, float) -> None
        """Moves joints to angles at a fraction of full speed and returns when they are there."""
        seconds = self._aimed(names, angles, fraction, "angleInterpolationWithSpeed")
        self._took("angleInterpolationWithSpeed", seconds, joints=self._joints(names, "angleInterpolationWithSpeed"))

    def angleInterpolationBezier(self, names, times, controls):
        # type: (List[str], Any, Any) -> None
        """Moves joints along Bezier curves and returns when they are there."""
        method = "angleInterpolationBezier"
        chosen = self._joints(names, method)
        seconds = self._last_moment(chosen, controls, times, method)
        for joint, path in zip(chosen, self._matched(chosen, controls, method)):
            last = path[-1] if isinstance(path, (list, tuple)) and path else path
            end = last[0] if isinstance(last, (list, tuple)) and last else last
            self._angles[joint] = joints.held(joint, self._number(end, method, 2))
        self._took(method, seconds, joints=chosen)

    @overloads("m m f", "m m [f]")
    def setAngles(self, names, angles, fraction):
        # type: (Names, Any, Any) -> None
        """Sends joints to angles and returns at once; a list has one fraction of full speed per joint."""
        if isinstance(fraction, (list, tuple)):
            speeds = [self._number(each, "setAngles", 2, 0, 1) for each in fraction]
            if len(speeds) != len(self._joints(names, "setAngles")):
                raise self._error("setAngles", "%d speeds were given for %r." % (len(speeds), names))
            fraction = min(speeds or [1.0])
        self._aimed(names, angles, fraction, "setAngles")
        self._took("setAngles", 0.0, joints=self._joints(names, "setAngles"))

    def changeAngles(self, names, changes, fraction):
        # type: (Names, Any, float) -> None
        """Turns joints by angles and returns at once."""
        chosen = self._joints(names, "changeAngles")
        wanted = [self._angles[joint] + self._number(each, "changeAngles", 1)
                  for joint, each in zip(chosen, self._matched(chosen, changes, "changeAngles"))]
        self._aimed(chosen, wanted, fraction, "changeAngles")
        self._took("changeAngles", 0.0, joints=chosen)

    def getAngles(self, names, from_sensors):
        # type: (Names, bool) -> List[float]
        """Tells the angle of each joint in radians."""
        self._flag(from_sensors, "getAngles", 1)
        return [self._angles[joint] for joint in self._joints(names, "getAngles")]

    def openHand(self, hand):
        # type: (str) -> None
        """Opens LHand or RHand."""
        self._angles[self._one_of(hand, ["LHand", "RHand"], "openHand", "hand")] = 1.0
        self._took("openHand", HAND, joints=[hand])

    def closeHand(self, hand):
        # type: (str) -> None
        """Closes LHand or RHand."""
        self._angles[self._one_of(hand, ["LHand", "RHand"], "closeHand", "hand")] = 0.0
        self._took("closeHand", HAND, joints=[hand])

    def getBodyNames(self, name):
        # type: (str) -> List[str]
        """Lists the joints a chain consists of."""
        return self._joints(name, "getBodyNames")

    def getJointNames(self, name):
        # type: (str) -> List[str]
        """Is the old name of getBodyNames."""
        return self._joints(name, "getJointNames")

    def getSensorNames(self):
        # type: () -> List[str]
        """Lists the joints with a sensor: every one."""
        return list(joints.BODY)

    def getMotionCycleTime(self):
        # type: () -> int
        """Tells how often joints are moved, in milliseconds."""
        return 20

    def getTaskList(self):
        # type: () -> Any
        """Lists the movements under way that could be killed one by one: none."""
        return []

    def areResourcesAvailable(self, names):
        # type: (List[str]) -> bool
        """Tells whether joints are free to move: always."""
        return bool(self._joints(self._texts(names, "areResourcesAvailable"), "areResourcesAvailable"))

    def getLimits(self, name):
        # type: (str) -> List[List[float]]
        """Tells for each joint its least and greatest angle, greatest speed and greatest torque."""
        return [list(joints.LIMITS[joint]) + [FULL_SPEED, 1.5] for joint in self._joints(name, "getLimits")]

    def getSummary(self):
        # type: () -> str
        """Tells angles and stiffnesses as one text."""
        rows = ["%s %.3f %.1f" % (joint, self._angles[joint], self._stiffness[joint]) for joint in joints.BODY]
        return "\n".join(rows)

    def _joints(self, names, method):
        # type: (Names, str) -> List[str]
        chosen = []  # type: List[str]
        for name in self._as_list(names):
            found = joints.spread(self._text(name, method))
            if not found:
                raise self._error(method, "%s is not a joint or a chain of this robot." % name)
            chosen += found
        return chosen

    @staticmethod
    def _as_list(value):
        # type: (Any) -> List[Any]
        return list(value) if isinstance(value, (list, tuple)) else [value]

    def _matched(self, chosen, values, method):
        # type: (List[str], Any, str) -> List[Any]
        """One value per joint; a single value serves every joint, a list of numbers for one joint is its path."""
        given = self._as_list(values)
        if len(chosen) == 1 and len(given) != 1:
            return [given]
        if len(given) == 1:
            return given * len(chosen)
        if len(given) != len(chosen):
            raise self._error(method, "%d values were given for %d joints." % (len(given), len(chosen)))
        return given

    def _last_moment(self, chosen, paths, times, method):
        # type: (List[str], Any, Any, str) -> float
        """Checks that the path of each joint has as many increasing times as places; gives the last time of all."""
        last = 0.0
        for path, row in zip(self._matched(chosen, paths, method), self._matched(chosen, times, method)):
            moments = [self._number(each, method, 2, 0, LONGEST) for each in self._as_list(row)]
            if len(moments) != len(self._as_list(path)):
                raise self._error(method, "%d times do not go with the path %.60r." % (len(moments), path))
            if moments != sorted(set(moments)):
                raise self._error(method, "The times %.60r do not increase." % (moments,))
            last = max([last] + moments)
        return last

    def _aimed(self, names, angles, fraction, method):
        # type: (Names, Any, float, str) -> float
        """Takes over the angles and tells the seconds the longest way takes."""
        chosen = self._joints(names, method)
        speed = self._number(fraction, method, 2, 0, 1)
        ways = [0.0]
        for joint, angle in zip(chosen, self._matched(chosen, angles, method)):
            end = joints.held(joint, self._number(angle, method, 1))
            ways.append(abs(end - self._angles[joint]))
            self._angles[joint] = end
        return min(max(ways) / (FULL_SPEED * max(speed, 0.01)), LONGEST)

    def _stiffen(self, method, names, stiffnesses, seconds):
        # type: (str, Names, Any, float) -> None
        chosen = self._joints(names, method)
        for joint, value in zip(chosen, self._matched(chosen, stiffnesses, method)):
            self._stiffness[joint] = self._number(value, method, 1, 0, 1)
        self._took(method, seconds, joints=chosen)
