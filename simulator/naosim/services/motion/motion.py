"""ALMotion: joints and stiffness, recorded and timed. Simulates no physics."""
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
    """Joints and walking: every angle is remembered and every movement takes its time, but nothing moves."""

    def __init__(self, world):
        # type: (World) -> None
        Walking.__init__(self, world)
        self._angles = {joint: joints.clamped(joint, 0.0) for joint in joints.BODY}  # type: Dict[str, float]
        self._stiffness = dict.fromkeys(joints.BODY, 1.0)  # type: Dict[str, float]

    def wakeUp(self):
        # type: () -> bool
        """Switch the motors on, stand up if the robot rests, and return True."""
        was_resting, self._awake = not self._awake, True
        self._stiffness = dict.fromkeys(joints.BODY, 1.0)
        self._move_for("wakeUp", 3.0 if was_resting else 0.1)
        return True

    @overloads("", "s")
    def rest(self, chain="Body"):
        # type: (str) -> None
        """Go to a relaxed posture and switch the motors off, of the whole robot or of a chain."""
        if chain != "Body":
            self._stiffen("rest", chain, 0.0, 1.0)
            return
        self._move_for("rest", 3.0 if self._awake else 0.1)
        self._awake = False
        self._stiffness = dict.fromkeys(joints.BODY, 0.0)

    def robotIsWakeUp(self):
        # type: () -> bool
        """Tell whether the robot is awake."""
        return self._awake

    def setStiffnesses(self, names, stiffnesses):
        # type: (Names, Any) -> None
        """Set stiffnesses, 0 to 1, at once."""
        self._stiffen("setStiffnesses", names, stiffnesses, 0.0)

    def stiffnessInterpolation(self, names, stiffnesses, times):
        # type: (Names, Any, Any) -> None
        """Change stiffnesses to values in so many seconds and return when they are reached."""
        last = [each[-1] if isinstance(each, list) and each else each for each in self._as_list(stiffnesses)]
        chosen = self._joints(names, "stiffnessInterpolation")
        seconds = self._last_moment(chosen, stiffnesses, times, "stiffnessInterpolation")
        self._stiffen("stiffnessInterpolation", names, last, seconds)

    def getStiffnesses(self, names):
        # type: (Names) -> List[float]
        """Return the stiffness of each joint."""
        return [self._stiffness[joint] for joint in self._joints(names, "getStiffnesses")]

    def angleInterpolation(self, names, angles, times, absolute):
        # type: (Names, Any, Any, bool) -> None
        """Move joints along angles, each list with its list of times, and return when they are there."""
        chosen = self._joints(names, "angleInterpolation")
        is_absolute = self._flag(absolute, "angleInterpolation", 3)
        targets = self._matched(chosen, angles, "angleInterpolation")
        seconds = self._last_moment(chosen, angles, times, "angleInterpolation")
        for joint, path in zip(chosen, targets):
            base = 0.0 if is_absolute else self._angles[joint]
            ends = [self._number(angle, "angleInterpolation", 1) for angle in self._as_list(path)]
            if not ends:
                raise self._error("angleInterpolation", "Joint %s has no angle." % joint)
            self._angles[joint] = joints.clamped(joint, base + ends[-1])
        self._move_for("angleInterpolation", seconds, joints=chosen)

    def angleInterpolationWithSpeed(self, names, angles, fraction):
        # type: (Names, Any, float) -> None
        """Move joints to angles at a fraction of full speed and return when they are there."""
        method = "angleInterpolationWithSpeed"
        self._move_for(method, self._set_targets(names, angles, fraction, method), joints=self._joints(names, method))

    def angleInterpolationBezier(self, names, times, controls):
        # type: (List[str], Any, Any) -> None
        """Move joints along Bezier curves and return when they are there."""
        method = "angleInterpolationBezier"
        chosen = self._joints(names, method)
        seconds = self._last_moment(chosen, controls, times, method)
        for joint, path in zip(chosen, self._matched(chosen, controls, method)):
            last = path[-1] if isinstance(path, (list, tuple)) and path else path
            end = last[0] if isinstance(last, (list, tuple)) and last else last
            self._angles[joint] = joints.clamped(joint, self._number(end, method, 2))
        self._move_for(method, seconds, joints=chosen)

    @overloads("m m f", "m m [f]")
    def setAngles(self, names, angles, fraction):
        # type: (Names, Any, Any) -> None
        """Start moving joints to angles and return at once; a list has one fraction of full speed per joint."""
        if isinstance(fraction, (list, tuple)):
            speeds = [self._number(each, "setAngles", 2, 0, 1) for each in fraction]
            if len(speeds) != len(self._joints(names, "setAngles")):
                raise self._error("setAngles", "%d speeds were given for %r." % (len(speeds), names))
            fraction = min(speeds or [1.0])
        self._set_targets(names, angles, fraction, "setAngles")
        self._move_for("setAngles", 0.0, joints=self._joints(names, "setAngles"))

    def changeAngles(self, names, changes, fraction):
        # type: (Names, Any, float) -> None
        """Start turning joints by angles and return at once."""
        chosen = self._joints(names, "changeAngles")
        wanted = [self._angles[joint] + self._number(each, "changeAngles", 1)
                  for joint, each in zip(chosen, self._matched(chosen, changes, "changeAngles"))]
        self._set_targets(chosen, wanted, fraction, "changeAngles")
        self._move_for("changeAngles", 0.0, joints=chosen)

    def getAngles(self, names, from_sensors):
        # type: (Names, bool) -> List[float]
        """Return the angle of each joint in radians."""
        self._flag(from_sensors, "getAngles", 1)
        return [self._angles[joint] for joint in self._joints(names, "getAngles")]

    def openHand(self, hand):
        # type: (str) -> None
        """Open LHand or RHand."""
        self._angles[self._one_of(hand, ["LHand", "RHand"], "openHand", "hand")] = 1.0
        self._move_for("openHand", HAND, joints=[hand])

    def closeHand(self, hand):
        # type: (str) -> None
        """Close LHand or RHand."""
        self._angles[self._one_of(hand, ["LHand", "RHand"], "closeHand", "hand")] = 0.0
        self._move_for("closeHand", HAND, joints=[hand])

    def getBodyNames(self, name):
        # type: (str) -> List[str]
        """List the joints of a chain."""
        return self._joints(name, "getBodyNames")

    def getJointNames(self, name):
        # type: (str) -> List[str]
        """List the joints of a chain: the old name of getBodyNames."""
        return self._joints(name, "getJointNames")

    def getSensorNames(self):
        # type: () -> List[str]
        """List the joints with a sensor: every one."""
        return list(joints.BODY)

    def getMotionCycleTime(self):
        # type: () -> int
        """Return the period at which joints are moved, in milliseconds."""
        return 20

    def getTaskList(self):
        # type: () -> Any
        """List the movements under way that could be killed one by one: none."""
        return []

    def areResourcesAvailable(self, names):
        # type: (List[str]) -> bool
        """Tell whether joints are free to move: always, unless no joint is named."""
        return bool(self._joints(self._texts(names, "areResourcesAvailable"), "areResourcesAvailable"))

    def getLimits(self, name):
        # type: (str) -> List[List[float]]
        """List for each joint its least and greatest angle, greatest speed and greatest torque."""
        return [list(joints.LIMITS[joint]) + [FULL_SPEED, 1.5] for joint in self._joints(name, "getLimits")]

    def getSummary(self):
        # type: () -> str
        """Return angles and stiffnesses as one text."""
        rows = ["%s %.3f %.1f" % (joint, self._angles[joint], self._stiffness[joint]) for joint in joints.BODY]
        return "\n".join(rows)

    def _joints(self, names, method):
        # type: (Names, str) -> List[str]
        chosen = []  # type: List[str]
        for name in self._as_list(names):
            found = joints.joints_of(self._text(name, method))
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
        """List one value per joint; a single value serves every joint, a list of numbers for one joint is its path."""
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
        """Check that the path of each joint has as many increasing times as places; return the last time of all."""
        last = 0.0
        for path, row in zip(self._matched(chosen, paths, method), self._matched(chosen, times, method)):
            moments = [self._number(each, method, 2, 0, LONGEST) for each in self._as_list(row)]
            if len(moments) != len(self._as_list(path)):
                raise self._error(method, "%d times do not go with the path %.60r." % (len(moments), path))
            if moments != sorted(set(moments)):
                raise self._error(method, "The times %.60r do not increase." % (moments,))
            last = max([last] + moments)
        return last

    def _set_targets(self, names, angles, fraction, method):
        # type: (Names, Any, float, str) -> float
        """Set the angles and return the seconds that the longest way takes."""
        chosen = self._joints(names, method)
        speed = self._number(fraction, method, 2, 0, 1)
        ways = [0.0]
        for joint, angle in zip(chosen, self._matched(chosen, angles, method)):
            end = joints.clamped(joint, self._number(angle, method, 1))
            ways.append(abs(end - self._angles[joint]))
            self._angles[joint] = end
        return min(max(ways) / (FULL_SPEED * max(speed, 0.01)), LONGEST)

    def _stiffen(self, method, names, stiffnesses, seconds):
        # type: (str, Names, Any, float) -> None
        chosen = self._joints(names, method)
        for joint, value in zip(chosen, self._matched(chosen, stiffnesses, method)):
            self._stiffness[joint] = self._number(value, method, 1, 0, 1)
        self._move_for(method, seconds, joints=chosen)
