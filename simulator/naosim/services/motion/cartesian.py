"""The part of ALMotion that knows where parts of the body are, and brings effectors to places in space."""

from __future__ import absolute_import, division, print_function

import almath
from almath import Position6D, Transform
from naosim import kinematics
from naosim.body import Smooth
from naosim.kinematics import Plan
from naosim.services.base import overloads
from naosim.services.motion.footsteps import Footsteps

MYPY = False
if MYPY:
    from typing import Any, Callable, List, Sequence, Tuple

EFFECTORS = ["Head", "LArm", "RArm", "LLeg", "RLeg", "Torso"]
LONGEST = 600.0  # seconds of one movement
FARTHEST = 1000.0  # metres
MOST_PLACES = 500  # in one path


class Cartesian(Footsteps):
    """Positions and movements in space, by the published lengths: kinematics, not physics."""

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
        centre = kinematics.centre_of_mass(self._weighed(name, "getCOM"), angles)
        return list((self._torso(frame, angles, "getCOM") * centre).toVector())

    def getMass(self, name):  # type: (str) -> float
        """Return the mass of a joint, a chain, Torso or Body in kilograms."""
        return kinematics.part_mass(self._weighed(name, "getMass"))

    def positionInterpolation(self, effector, frame, path, mask, times, absolute):
        # type: (str, int, Any, int, Any, bool) -> None
        """Move an effector along positions of six numbers and return when it is there."""
        self._move_all("positionInterpolation", effector, frame, path, mask, times, absolute)

    def transformInterpolation(self, effector, frame, path, mask, times, absolute):
        # type: (str, int, Any, int, Any, bool) -> None
        """Move an effector along transforms and return when it is there."""
        self._move_all("transformInterpolation", effector, frame, path, mask, times, absolute)

    @overloads("[s] i m m m b", "m m m m m")
    def positionInterpolations(self, effectors, frame, paths, masks, times, absolute=True):
        # type: (Any, Any, Any, Any, Any, bool) -> None
        """Move effectors along positions of six numbers and return when all are there."""
        self._move_all("positionInterpolations", effectors, frame, paths, masks, times, absolute)

    @overloads("[s] i m m m b", "m m m m m")
    def transformInterpolations(self, effectors, frame, paths, masks, times, absolute=True):
        # type: (Any, Any, Any, Any, Any, bool) -> None
        """Move effectors along transforms and return when all are there."""
        self._move_all("transformInterpolations", effectors, frame, paths, masks, times, absolute)

    def setPosition(self, effector, frame, position, fraction, mask):
        # type: (str, int, List[float], float, int) -> None
        """Start moving an effector to a position and return at once."""
        self._aim_all("setPosition", effector, frame, position, fraction, mask)

    def setPositions(self, effectors, frame, positions, fraction, masks):  # type: (Any, Any, Any, float, Any) -> None
        """Start moving effectors to positions and return at once."""
        self._aim_all("setPositions", effectors, frame, positions, fraction, masks)

    def setTransform(self, effector, frame, transform, fraction, mask):
        # type: (str, int, List[float], float, int) -> None
        """Start moving an effector to a transform and return at once."""
        self._aim_all("setTransform", effector, frame, transform, fraction, mask)

    def setTransforms(self, effectors, frame, transforms, fraction, masks):  # type: (Any, Any, Any, float, Any) -> None
        """Start moving effectors to transforms and return at once."""
        self._aim_all("setTransforms", effectors, frame, transforms, fraction, masks)

    def changePosition(self, effector, frame, change, fraction, mask):
        # type: (str, int, List[float], float, int) -> None
        """Start moving an effector by six numbers and return at once."""
        self._aim_all("changePosition", effector, frame, change, fraction, mask, False)

    def changeTransform(self, effector, frame, change, fraction, mask):
        # type: (str, int, List[float], float, int) -> None
        """Start moving an effector by a transform and return at once."""
        self._aim_all("changeTransform", effector, frame, change, fraction, mask, False)

    def _where(self, name, frame, method):  # type: (Any, Any, str) -> Transform
        """Return where a part is, in a frame."""
        part, angles = self._one_of(name, kinematics.PARTS, method, "part of the body"), self.world.body.angles()
        return self._torso(frame, angles, method) * kinematics.part_transform(part, angles)  # type: ignore[no-any-return]

    def _torso(self, frame, angles, method):  # type: (Any, Any, str) -> Transform
        which = int(self._number(frame, method, 1, 0, 2))
        return kinematics.torso_transform(which, angles, self.world.body.walk.place())

    def _weighed(self, name, method):  # type: (Any, str) -> str
        if not kinematics.list_weighed_parts(self._text(name, method)):
            raise self._error(method, "%s is no joint with a mass, chain, Torso or Body of this robot." % name)
        return str(name)

    def _move_all(self, method, effectors, frame, paths, masks, times, absolute):
        # type: (str, Any, Any, Any, Any, Any, Any) -> None
        """Check paths, find the angles along them once the joints are free, and wait until the effectors are there."""
        names = self._names(effectors, EFFECTORS, method, "effector")
        is_absolute = self._flag(absolute, method, 5)
        given = self._ways(names, paths, method)
        moments = self._moments(given, times, method)
        numbers = self._masks(names, masks, method)
        booked = sorted({joint for name in names for joint in kinematics.list_moving_joints(name)})

        def start():  # type: () -> float
            plan = self._plan(frame, names, numbers, method)
            for joint, (when, angles) in plan.along(given, moments, is_absolute).items():
                self.world.body.move(joint, Smooth(self.world.body.angle(joint), when, angles))
            return max(row[-1] for row in moments)

        self._perform(method, booked, start, effectors=names)

    def _aim_all(self, method, effectors, frame, places, fraction, masks, absolute=True):
        # type: (str, Any, Any, Any, Any, Any, bool) -> None
        """Check places, find the angles there, and let the joints turn to them together."""
        names = self._names(effectors, EFFECTORS, method, "effector")
        speed = max(self._number(fraction, method, 3, 0, 1), 0.01)
        given = self._ways(names, places, method)
        plan = self._plan(frame, names, self._masks(names, masks, method), method)
        ends = plan.along(given, [[0.0]] * len(names), absolute)
        ways = [
            abs(angles[-1] - self.world.body.angle(joint)) / kinematics.MAX_SPEEDS[joint]
            for joint, (_, angles) in ends.items()
        ]
        seconds = min(max(ways or [0.0]) / speed, LONGEST)
        for joint, (_, angles) in sorted(ends.items()):
            if not self._using([joint]):
                self.world.body.move(joint, Smooth(self.world.body.angle(joint), [seconds], [angles[-1]]))
        self.world.trace.note("motion", method=method, duration=0.0, effectors=names)

    def _plan(self, frame, names, numbers, method):  # type: (Any, Sequence[str], Sequence[int], str) -> Plan
        angles = self.world.body.angles()
        return Plan(names, numbers, angles, self._torso(frame, angles, method))

    def _ways(self, names, paths, method):  # type: (Sequence[str], Any, str) -> List[List[Any]]
        """Return a list of places for each effector; lists around the only effector or place may be left out."""
        given, deep = self._list(paths, method, 2), _depth(paths)
        if deep < 2 or (deep == 2 and len(names) == 1):
            given = [given if deep == 2 else [given]]
        else:
            given = [[way] if _depth(way) == 1 else way for way in given]
        return [self._rows(row, method) for row in self._each(names, given, method)]

    def _moments(self, ways, times, method):  # type: (List[List[Any]], Any, str) -> List[List[float]]
        """Return the times of the places on each way, for all ways or for each one; they have to increase."""
        given = self._as_list(times)
        if _depth(given) < 2:
            given = [given] * len(ways) if all(len(way) == len(given) for way in ways) else [[each] for each in given]
        moments = [
            [self._number(each, method, 4, 0, LONGEST) for each in self._as_list(row)]
            for row in self._each(ways, given, method)
        ]
        for way, row in zip(ways, moments):
            if len(way) != len(row) or not row or row != sorted(set(row)):
                raise self._error(method, "The times %.60r do not go with a path of %d places." % (row, len(way)))
        return moments

    def _each(self, names, values, method):  # type: (Sequence[Any], Any, str) -> List[Any]
        """Return one value per effector; a single value serves them all."""
        given = self._as_list(values)
        if len(given) == 1:
            given = given * len(names)
        if len(given) != len(names):
            raise self._error(method, "%d values were given for %d effectors." % (len(given), len(names)))
        return given

    def _masks(self, names, masks, method):  # type: (Sequence[str], Any, str) -> List[int]
        return [int(self._number(mask, method, 4, 0, 63)) for mask in self._each(names, masks, method)]

    def _rows(self, rows, method):  # type: (Any, str) -> List[Any]
        """Check the places of a path, of 6, 12 or 16 numbers each, and return them."""
        found = []
        if len(self._list(rows, method, 2)) > MOST_PLACES:
            raise self._error(method, "%d places in one path, at most %d are accepted." % (len(rows), MOST_PLACES))
        for row in rows:
            numbers = [self._number(each, method, 2, -FARTHEST, FARTHEST) for each in self._list(row, method, 2)]
            if len(numbers) not in ((6,) if "osition" in method else (12, 16)):
                raise self._error(
                    method,
                    "%.80r is no %s."
                    % (row, "position of 6 numbers" if "osition" in method else "transform of 12 or 16 numbers"),
                )
            found.append(Position6D(numbers) if len(numbers) == 6 else Transform(numbers))
        return found


def _depth(value):  # type: (Any) -> int
    return 1 + _depth(value[0]) if isinstance(value, (list, tuple)) and value else 0
