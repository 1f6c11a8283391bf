"""Ways of effectors through space, cut into short pieces, as the ways of the joints that lead there."""

from __future__ import absolute_import, division, print_function

import almath
from almath import Position6D, Transform, rotationFromTransform
from naosim.body import joints, reaching, skeleton

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Mapping, Sequence, Tuple

#: A way is cut into pieces of about so many metres and radians, into at most so many each, and at most so many in all.
PIECE = (0.02, 0.15)
MOST_PIECES, MOST_POINTS = 20, 200
FEET = ("LLeg", "RLeg")


class Plan(object):
    """Effectors on their way, from angles, in a frame; `torso` is where the torso is in that frame."""

    def __init__(self, effectors, masks, angles, torso):
        # type: (Sequence[str], Sequence[int], Mapping[str, float], Transform) -> None
        self._effectors, self._masks = list(effectors), list(masks)
        self._angles, self._torso = dict(angles), torso
        self._starts = [torso * skeleton.transform(name, angles) for name in effectors]
        self._feet = {foot: torso * skeleton.transform(foot, angles) for foot in FEET}
        self._free = sorted({joint for name in effectors for joint in skeleton.movable(name)})

    def along(self, paths, times, is_absolute):
        # type: (Sequence[Sequence[Any]], Sequence[Sequence[float]], bool) -> Dict[str, Tuple[List[float], List[float]]]
        """Return for each joint its times and angles along paths: a list of places for each effector, with their times.

        A place is a Position6D or a Transform, seen from the frame, or added to where the effector was.
        """
        ways = [
            [(0.0, start)] + [(moment, _goal(start, place, is_absolute)) for moment, place in zip(row, path)]
            for start, path, row in zip(self._starts, paths, times)
        ]
        found = {}  # type: Dict[str, Tuple[List[float], List[float]]]
        moments = _moments(ways)
        for moment in moments:
            places = [_place(way, moment) for way in ways]
            for joint, angle in self._reached(places, moment == moments[-1]).items():
                self._angles[joint] = angle
                row = found.setdefault(joint, ([], []))
                row[0].append(moment)
                row[1].append(angle)
            self._angles.update({twin: self._angles[motor] for twin, motor in joints.SHARED.items()})
        return found

    def _reached(self, places, is_last):  # type: (Sequence[Transform], bool) -> Dict[str, float]
        """Return the angles at which the effectors are at places."""
        torso, goals, from_torso = self._torso, [], self._torso.inverse()
        wanted = dict(zip(self._effectors, places))
        if skeleton.TORSO in wanted:
            # The torso moves on both feet, which stay where they are unless they are moved themselves.
            torso = _masked(self._torso, wanted[skeleton.TORSO], self._masks[self._effectors.index(skeleton.TORSO)])
            from_torso = torso.inverse()
            goals = [(foot, from_torso * self._feet[foot], almath.AXIS_MASK_ALL) for foot in FEET if foot not in wanted]
        for name, place, mask in zip(self._effectors, places, self._masks):
            if name != skeleton.TORSO:
                goals.append((name, from_torso * place, mask))
        return reaching.reached(goals, self._free, self._angles, rotationFromTransform(from_torso), is_last)


def _goal(start, place, is_absolute):  # type: (Transform, Any, bool) -> Transform
    """Return a place of a path, or where one leads that is added to the start."""
    if isinstance(place, Position6D):
        if not is_absolute:
            place = almath.position6DFromTransform(start) + place
        return almath.transformFromPosition6D(place)
    if is_absolute:
        return place  # type: ignore[no-any-return]
    turned = rotationFromTransform(place) * rotationFromTransform(start)
    return almath.transformFromRotationPosition3D(
        turned, almath.position3DFromTransform(start) + almath.position3DFromTransform(place)
    )


def _masked(current, wanted, mask):  # type: (Transform, Transform, int) -> Transform
    """Take from a wanted place only the axes of a mask."""
    here, there = (almath.position6DFromTransform(each).toVector() for each in (current, wanted))
    return Transform.fromPosition(*[there[at] if mask & (1 << at) else here[at] for at in range(6)])


def _moments(ways):  # type: (Sequence[Sequence[Tuple[float, Transform]]]) -> List[float]
    """Return the times of all places, and enough between them."""
    found = {way[-1][0] for way in ways}
    for way in ways:
        for (begin, one), (end, two) in _pairs(way):
            turn = almath.position6DFromTransformDiff(one, two).toVector()[3:]
            pieces = max(one.distance(two) / PIECE[0], max(abs(each) for each in turn) / PIECE[1])
            count = min(int(pieces) + 1, MOST_PIECES) if end > begin else 1
            found |= {begin + (end - begin) * number / count for number in range(1, count + 1)}
    kept = sorted(found)
    return kept[:: len(kept) // MOST_POINTS + 1][:-1] + kept[-1:]


def _place(way, moment):  # type: (Sequence[Tuple[float, Transform]], float) -> Transform
    """Return the place on a way at a time."""
    for (begin, one), (end, two) in _pairs(way):
        if moment < end:
            return almath.transformMean(one, two, (moment - begin) / (end - begin)) if _turnable(one, two) else two
    return way[-1][1]


def _turnable(one, two):  # type: (Transform, Transform) -> bool
    """Tell whether there is one shortest turn from a place to another: not where they look opposite ways."""
    try:
        almath.transformLogarithm(one.diff(two))
    except RuntimeError:
        return False
    return True


def _pairs(way):  # type: (Sequence[Tuple[float, Transform]]) -> List[Sequence[Tuple[float, Transform]]]
    return [way[at : at + 2] for at in range(len(way) - 1)]
