"""ALMotion: the part that moves single joints; the other parts are its bases."""

from __future__ import absolute_import, division, print_function

from naosim import kinematics
from naosim.body import CONSTANT_CURVE, Bezier, Smooth, posture_angles
from naosim.services.base import overloads
from naosim.services.motion.cartesian import Cartesian
from naosim.services.motion.posture import take_posture

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Tuple

    from naosim.services.motion.motion_tasks import Names

HAND = 0.6  # seconds to open or close
LONGEST = 600.0  # seconds of one movement
STANDING_UP = 3.0


class ALMotion(Cartesian):
    """Joints: every angle is a function of the clock. Kinematics, not physics: nothing weighs, bumps or falls."""

    def wakeUp(self):  # type: () -> bool
        """Switch the motors on, stand up if the robot rests, and return True."""
        was_resting = not self.world.body.is_awake
        self.world.body.stiffen_all(True)
        if was_resting:
            self._perform("wakeUp", kinematics.BODY, self._taking(posture_angles("StandInit"), STANDING_UP))
            take_posture(self.world, "Stand")
        else:
            self._perform("wakeUp", [], self._taking({}, 0.1))
        return True

    @overloads("", "s")
    def rest(self, chain="Body"):  # type: (str) -> None
        """Go to a relaxed posture and switch the motors off, of the whole robot or of a chain."""
        if chain != "Body":
            self._stiffen("rest", chain, 0.0, 1.0)
            return
        is_awake = self.world.body.is_awake
        if is_awake and self.world.posture.startswith("Stand"):
            self._perform("rest", kinematics.BODY, self._taking(posture_angles("Crouch"), STANDING_UP))
            take_posture(self.world, "Crouch")
        else:
            self._perform("rest", kinematics.BODY, self._taking({}, STANDING_UP if is_awake else 0.1))
        self.world.body.stiffen_all(False)

    def robotIsWakeUp(self):  # type: () -> bool
        """Tell whether the robot is awake."""
        return bool(self.world.body.is_awake)

    def setStiffnesses(self, names, stiffnesses):  # type: (Names, Any) -> None
        """Set stiffnesses, 0 to 1, at once."""
        self._stiffen("setStiffnesses", names, stiffnesses, 0.0)

    def stiffnessInterpolation(self, names, stiffnesses, times):  # type: (Names, Any, Any) -> None
        """Change stiffnesses to values in so many seconds and return when they are reached."""
        method = "stiffnessInterpolation"
        chosen = self._joints(names, method)
        paths = self._paths(chosen, stiffnesses, times, method)
        for _, values in paths:
            for value in values:
                self._number(value, method, 1, 0, 1)

        def start():  # type: () -> float
            for joint, (moments, values) in zip(chosen, paths):
                curve = Smooth(self.world.body.stiffness(joint), moments, values)
                self.world.body.stiffen(joint, curve.end, curve=curve)
            return max([moments[-1] for moments, _ in paths] or [0.0])

        self._perform(method, [], start, joints=chosen)

    def getStiffnesses(self, names):  # type: (Names) -> List[float]
        """Return the stiffness of each joint."""
        return [self.world.body.stiffness(joint) for joint in self._joints(names, "getStiffnesses")]

    def angleInterpolation(self, names, angles, times, absolute):  # type: (Names, Any, Any, bool) -> None
        """Move joints along angles, each list with its list of times, and return when they are there."""
        chosen = self._joints(names, "angleInterpolation")
        is_absolute = self._flag(absolute, "angleInterpolation", 3)
        paths = self._paths(chosen, angles, times, "angleInterpolation")

        def start():  # type: () -> float
            for joint, (moments, values) in sorted(zip(chosen, paths), reverse=True):
                here = self.world.body.angle(joint)
                base = 0.0 if is_absolute else here
                ends = [kinematics.clamp_angle(joint, base + value) for value in values]
                self.world.body.move(joint, Smooth(here, moments, ends))
            return max([moments[-1] for moments, _ in paths] or [0.0])

        self._perform("angleInterpolation", chosen, start, joints=chosen)

    def angleInterpolationWithSpeed(self, names, angles, fraction):  # type: (Names, Any, float) -> None
        """Move joints to angles at a fraction of full speed and return when they are there."""
        method = "angleInterpolationWithSpeed"
        chosen = self._joints(names, method)
        wanted, speed = self._targets(chosen, angles, method), self._number(fraction, method, 2, 0, 1)

        def start():  # type: () -> float
            ways = [
                abs(end - self.world.body.angle(joint)) / kinematics.MAX_SPEEDS[joint] for joint, end in wanted.items()
            ]
            seconds = min(max(ways or [0.0]) / max(speed, 0.01), LONGEST)
            self.world.body.take(wanted, seconds)
            return seconds

        self._perform(method, chosen, start, joints=chosen)

    def angleInterpolationBezier(self, names, times, controls):  # type: (List[str], Any, Any) -> None
        """Move joints along Bezier curves and return when they are there."""
        method = "angleInterpolationBezier"
        chosen = self._joints(names, method)
        rows = self._timed(chosen, controls, times, method)
        paths = [[self._key(moment, key) for moment, key in zip(moments, keys)] for moments, keys in rows]

        def start():  # type: () -> float
            for joint, path in sorted(zip(chosen, paths), reverse=True):
                self.world.body.move(joint, Bezier(self.world.body.angle(joint), path))
            return max([float(path[-1][0]) for path in paths] or [0.0])

        self._perform(method, chosen, start, joints=chosen)

    @overloads("m m f", "m m [f]")
    def setAngles(self, names, angles, fraction):  # type: (Names, Any, Any) -> None
        """Start turning joints to angles and return at once; a list has one fraction of full speed per joint."""
        chosen = self._joints(names, "setAngles")
        given = fraction if isinstance(fraction, (list, tuple)) else [fraction] * len(chosen)
        speeds = [self._number(each, "setAngles", 2, 0, 1) for each in given]
        if len(speeds) != len(chosen):
            raise self._error("setAngles", "%d speeds were given for %r." % (len(speeds), names))
        wanted = self._targets(chosen, angles, "setAngles")
        for joint, speed in sorted(zip(chosen, speeds), reverse=True):
            self._aim(joint, wanted[joint], speed)
        self.world.trace.note("motion", method="setAngles", duration=0.0, joints=chosen)

    def changeAngles(self, names, changes, fraction):  # type: (Names, Any, float) -> None
        """Start turning joints by angles and return at once."""
        chosen = self._joints(names, "changeAngles")
        speed = self._number(fraction, "changeAngles", 2, 0, 1)
        turns = [self._number(each, "changeAngles", 1) for each in self._matched(chosen, changes, "changeAngles")]
        for joint, turn in sorted(zip(chosen, turns), reverse=True):
            self._aim(joint, kinematics.clamp_angle(joint, self.world.body.angle(joint) + turn), speed)
        self.world.trace.note("motion", method="changeAngles", duration=0.0, joints=chosen)

    def getAngles(self, names, from_sensors):  # type: (Names, bool) -> List[float]
        """Return the angle of each joint in radians, as it is now."""
        self._flag(from_sensors, "getAngles", 1)
        return [self.world.body.angle(joint) for joint in self._joints(names, "getAngles")]

    def openHand(self, hand):  # type: (str) -> None
        """Open LHand or RHand."""
        self._move_hand("openHand", hand, 1.0)

    def closeHand(self, hand):  # type: (str) -> None
        """Close LHand or RHand."""
        self._move_hand("closeHand", hand, 0.0)

    def getBodyNames(self, name):  # type: (str) -> List[str]
        """List the joints of a chain."""
        return self._joints(name, "getBodyNames")

    def getJointNames(self, name):  # type: (str) -> List[str]
        """List the joints of a chain: the old name of getBodyNames."""
        return self._joints(name, "getJointNames")

    def getSensorNames(self):  # type: () -> List[str]
        """List the joints with a sensor: every one."""
        return list(kinematics.BODY)

    def getMotionCycleTime(self):  # type: () -> int
        """Return the period at which joints are moved, in milliseconds."""
        return 20

    def getLimits(self, name):  # type: (str) -> List[List[float]]
        """List for each joint its least and greatest angle, greatest speed and greatest torque."""
        return [
            list(kinematics.JOINT_LIMITS[joint]) + [kinematics.MAX_SPEEDS[joint], kinematics.MAX_TORQUES[joint]]
            for joint in self._joints(name, "getLimits")
        ]

    def getRobotConfig(self):  # type: () -> Any
        """Return the names of what there is to know about the model, and the values: NAO H25 V5."""
        names = [
            "Model Type",
            "Head Version",
            "Body Version",
            "Laser",
            "Legs",
            "Arms",
            "Extended Arms",
            "Number of Legs",
            "Number of Arms",
            "Number of Hands",
        ]
        return [names, ["naoH25", "VERSION_50", "VERSION_50", False, True, True, True, 2, 2, 2]]

    def getSummary(self):  # type: () -> str
        """Return angles and stiffnesses as one text."""
        body = self.world.body
        return "\n".join(
            "%s %.3f %.1f" % (joint, body.angle(joint), body.stiffness(joint)) for joint in kinematics.BODY
        )

    def _matched(self, chosen, values, method):  # type: (List[str], Any, str) -> List[Any]
        """List one value per joint; a single value serves every joint, a list of numbers for one joint is its path."""
        given = self._as_list(values)
        if len(chosen) == 1 and len(given) != 1:
            return [given]
        if len(given) == 1:
            return given * len(chosen)
        if len(given) != len(chosen):
            raise self._error(method, "%d values were given for %d joints." % (len(given), len(chosen)))
        return given

    def _timed(self, chosen, paths, times, method):
        # type: (List[str], Any, Any, str) -> List[Tuple[List[float], List[Any]]]
        """Check that the path of each joint has as many increasing times as places; return times and places."""
        found = []
        for joint, path, row in zip(chosen, self._matched(chosen, paths, method), self._matched(chosen, times, method)):
            moments = [self._number(each, method, 2, 0, LONGEST) for each in self._as_list(row)]
            if len(moments) != len(self._as_list(path)):
                raise self._error(method, "%d times do not go with the path %.60r." % (len(moments), path))
            if moments != sorted(set(moments)):
                raise self._error(method, "The times %.60r do not increase." % (moments,))
            if not moments:
                raise self._error(method, "Joint %s has no angle." % joint)
            found.append((moments, self._as_list(path)))
        return found

    def _paths(self, chosen, values, times, method):
        # type: (List[str], Any, Any, str) -> List[Tuple[List[float], List[float]]]
        """Check paths of numbers with their times."""
        return [
            (moments, [self._number(value, method, 1) for value in path])
            for moments, path in self._timed(chosen, values, times, method)
        ]

    def _targets(self, chosen, angles, method):  # type: (List[str], Any, str) -> Dict[str, float]
        """Return the angle at which each joint shall end, within its limits."""
        return {
            joint: kinematics.clamp_angle(joint, self._number(angle, method, 1))
            for joint, angle in zip(chosen, self._matched(chosen, angles, method))
        }

    def _key(self, moment, key):  # type: (float, Any) -> Any
        """Check a key of a Bezier curve: an angle, or [angle, handle before it, handle after it]."""
        method = "angleInterpolationBezier"
        parts = self._as_list(key)
        handles = [self._list(handle, method, 2) for handle in parts[1:]]
        if not 1 <= len(parts) <= 3 or any(len(handle) != 3 for handle in handles):
            raise self._error(method, "A key is an angle and up to two handles of three numbers, not %.80r." % (key,))
        numbers = [[self._number(each, method, 2) for each in handle] for handle in handles]
        before, after = (numbers + [[3.0, 0.0, 0.0]] * 2)[:2]
        # Kinds: 0 keeps the angle, 1 goes straight, 2 and 3 are curves.
        kind = min(max(int(after[0]), CONSTANT_CURVE), 3)
        return (moment, self._number(parts[0], method, 2), (before[1], before[2]), (after[1], after[2]), kind)

    def _move_hand(self, method, hand, end):  # type: (str, str, float) -> None
        joint = self._one_of(hand, ["LHand", "RHand"], method, "hand")
        self._perform(method, [joint], self._taking({joint: end}, HAND), joints=[joint])

    def _stiffen(self, method, names, stiffnesses, seconds):  # type: (str, Names, Any, float) -> None
        chosen = self._joints(names, method)
        values = [self._number(each, method, 1, 0, 1) for each in self._matched(chosen, stiffnesses, method)]
        for joint, value in zip(chosen, values):
            self.world.body.stiffen(joint, value, seconds)
        self._perform(method, [], self._taking({}, seconds), joints=chosen)
