"""Inverse kinematics: the joints' angles that bring parts of a body to given places, for any `models.Model`.

`reach_goals` finds the angles for given places. `Plan` turns paths of effectors into paths of joints. The head and the
arms can look and point at a place.
"""

from __future__ import absolute_import, division, print_function

import math

import almath
from almath import Position3D, Position6D, Transform, position6DFromTransformDiff, rotationFromTransform
from naosim.models import TORSO, Model

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Mapping, Sequence, Tuple

# Inverse kinematics: damped least squares with limited steps.

if MYPY:
    #: An effector, its target place seen from the torso, and the mask of the axes that count.
    Goal = Tuple[str, Transform, int]
    Three = Tuple[float, float, float]

_MAX_ROUNDS = 80  # iterations for the last goal of a path, where precision counts
_MAX_ROUNDS_ON_THE_WAY = 12  # iterations for each goal before
_MAX_STALLED_ROUNDS = 8  # iterations without progress after which the search ends
_PROGRESS_FACTOR = 0.98  # progress means an error below this fraction of the smallest one
_DAMPING = 0.02
_MAX_STEP_RAD = 0.25  # radians that a joint turns in one iteration
_NEAR_M = 2e-6  # metres; a smaller error counts as reached
#: Metres of position error that weigh as much as a radian of rotation error: often both cannot become zero, because an
#: arm has five joints and both hips share a motor.
_LEVER_M = 0.1
#: Radians of slightly bent legs; from straight ones the search cannot see which way the knees bend.
_BENT_KNEES = {"HipPitch": -0.08, "KneePitch": 0.16, "AnklePitch": -0.08}
#: The shares of the joints' ranges from which the search starts again, until it finds a place.
_STARTS = (0.5, 0.65, 0.35, 0.2, 0.8)


def reach_goals(model, goals, free, angles, turn, is_last=True):
    # type: (Model, Sequence[Goal], Sequence[str], Mapping[str, float], object, bool) -> Dict[str, float]
    """Return angles of the free joints that bring the effectors to their goals, or as near as possible.

    The masks of the goals refer to the axes of the rotation `turn`, seen from the torso. For the last goal of a path,
    the search also starts from other angles.
    """
    motors = sorted({model.shared_motors.get(joint, joint) for joint in free if joint in model.links})
    rounds = _MAX_ROUNDS if is_last else _MAX_ROUNDS_ON_THE_WAY
    best, least = _improve_angles(model, goals, motors, dict(angles), turn, rounds)
    for share in (None,) + (_STARTS if is_last else ()):
        if least <= _NEAR_M:
            break
        start = _bend_knees(motors, best) if share is None else _turn_all(model, motors, best, share)
        if start != best:
            other, error = _improve_angles(model, goals, motors, start, turn, rounds)
            best, least = (other, error) if error < least else (best, least)
    return {joint: best[joint] for joint in motors}


def _bend_knees(motors, angles):  # type: (List[str], Mapping[str, float]) -> Dict[str, float]
    bent = {joint: _BENT_KNEES[joint.lstrip("LR")] for joint in motors if joint.lstrip("LR") in _BENT_KNEES}
    return dict(angles, **bent)


def _turn_all(model, motors, angles, share):
    # type: (Model, List[str], Mapping[str, float], float) -> Dict[str, float]
    """Return the angles with each motor at a share of its range."""
    ranges = [(joint, model.limits[joint]) for joint in motors]
    found = dict(angles, **{joint: low + (high - low) * share for joint, (low, high) in ranges})
    _share(model, found)
    return found


def _improve_angles(model, goals, motors, angles, turn, rounds):
    # type: (Model, Sequence[Goal], List[str], Dict[str, float], object, int) -> Tuple[Dict[str, float], float]
    """Reduce the error step by step, from these angles; return the best angles and their error."""
    best, least, idle = dict(angles), float("inf"), 0
    for _ in range(rounds):
        errors, slopes = _linear(model, goals, motors, angles, turn)
        size = max([abs(error) for error in errors] or [0.0])
        idle = 0 if size < least * _PROGRESS_FACTOR else idle + 1
        if size < least:
            best, least = dict(angles), size
        if size < _NEAR_M or idle > _MAX_STALLED_ROUNDS:
            break
        steps = _compute_damped_steps(model, errors, slopes, motors, angles)
        longest = max([abs(step) for step in steps] or [0.0])
        if longest < _NEAR_M / 100:
            break
        shrink = min(1.0, _MAX_STEP_RAD / longest)
        for joint, step in zip(motors, steps):
            angles[joint] = model.clamp_angle(joint, angles[joint] + step * shrink)
        _share(model, angles)
    return best, least


def _linear(model, goals, motors, angles, turn):
    # type: (Model, Sequence[Goal], List[str], Dict[str, float], Any) -> Tuple[List[float], List[List[float]]]
    """Return the errors of all goals, and the change of each error with each joint."""
    errors, slopes = [], []  # type: Tuple[List[float], List[List[float]]]
    rows = [turn.toVector()[at::3] for at in range(3)]
    for effector, wanted, mask in goals:
        way = model.joint_frames(effector, angles)
        here = model.end_of_frames(effector, way)
        columns = dict.fromkeys(motors, [0.0] * 6)
        for joint, frame in way:
            motor = model.shared_motors.get(joint, joint)
            if motor in columns:
                columns[motor] = _turn_back(rows, *_pull(model.links[joint][2], frame, here))
        off = position6DFromTransformDiff(here, wanted)
        error = _turn_back(rows, (off.x, off.y, off.z), (off.wx, off.wy, off.wz))
        for number in range(6):
            if mask & (1 << number):
                errors.append(error[number])
                slopes.append([columns[joint][number] for joint in motors])
    return errors, slopes


def _pull(axis, frame, end):  # type: (Three, Transform, Transform) -> Tuple[Three, Three]
    """Return the movement and the rotation of an effector for each radian of a joint."""
    x, y, z = axis
    x, y, z = (
        frame.r1_c1 * x + frame.r1_c2 * y + frame.r1_c3 * z,
        frame.r2_c1 * x + frame.r2_c2 * y + frame.r2_c3 * z,
        frame.r3_c1 * x + frame.r3_c2 * y + frame.r3_c3 * z,
    )
    u, v, w = end.r1_c4 - frame.r1_c4, end.r2_c4 - frame.r2_c4, end.r3_c4 - frame.r3_c4
    return (y * w - z * v, z * u - x * w, x * v - y * u), (x, y, z)


def _turn_back(rows, way, turn):  # type: (Sequence[Sequence[float]], Three, Three) -> List[float]
    """Return a movement and a rotation (in metres, by the lever) in the axes to which masks refer."""
    turn = (turn[0] * _LEVER_M, turn[1] * _LEVER_M, turn[2] * _LEVER_M)
    return [row[0] * x + row[1] * y + row[2] * z for x, y, z in (way, turn) for row in rows]


def _compute_damped_steps(model, errors, slopes, motors, angles):
    # type: (Model, List[float], List[List[float]], List[str], Dict[str, float]) -> List[float]
    """Return the damped steps that reduce the errors most; joints at a limit do not move beyond it."""
    held = set()  # type: set[int]
    steps = [0.0] * len(motors)
    for _ in range(3):
        rows = [[0.0 if at in held else value for at, value in enumerate(row)] for row in slopes]
        square = [[sum(a * b for a, b in zip(one, two)) for two in rows] for one in rows]
        for number in range(len(square)):
            square[number][number] += _DAMPING**2 * min(1.0, max(abs(each) for each in errors) * 10 + 1e-3)
        pulls = _solve_linear(square, errors)
        steps = [sum(row[at] * pull for row, pull in zip(rows, pulls)) for at in range(len(motors))]
        moving = [(at, joint) for at, joint in enumerate(motors) if at not in held]
        stuck = {at for at, joint in moving if _is_blocked(model.limits[joint], angles[joint], steps[at])}
        if not stuck:
            break
        held |= stuck
    return [0.0 if at in held else step for at, step in enumerate(steps)]


def _is_blocked(limits, angle, step):  # type: (Tuple[float, float], float, float) -> bool
    low, high = limits
    return (angle <= low and step < 0) or (angle >= high and step > 0)


def _solve_linear(square, wanted):  # type: (List[List[float]], List[float]) -> List[float]
    """Solve a system of linear equations by Gaussian elimination with partial pivoting."""
    rows = [list(row) + [value] for row, value in zip(square, wanted)]
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for row in range(at + 1, size):
            factor = rows[row][at] / rows[at][at]
            rows[row] = [a - factor * b for a, b in zip(rows[row], rows[at])]
    found = [0.0] * size
    for at in reversed(range(size)):
        found[at] = (rows[at][size] - sum(rows[at][k] * found[k] for k in range(at + 1, size))) / rows[at][at]
    return found


def _share(model, angles):  # type: (Model, Dict[str, float]) -> None
    for joint, motor in model.shared_motors.items():
        if motor in angles:
            angles[joint] = angles[motor]


# Looking and pointing at a place.

_HEAD_ROUNDS = 8  # iterations of turning the head, because the camera moves with it


def head_angles_towards(model, place, angles):  # type: (Model, Position3D, Mapping[str, float]) -> Dict[str, float]
    """Return the head's angles for which the upper camera looks at a place, seen from the torso, or nearly."""
    found = dict(angles, HeadYaw=0.0, HeadPitch=0.0)
    for _ in range(_HEAD_ROUNDS):
        there = model.part_transform("CameraTop", found).inverse() * place
        found["HeadYaw"] = model.clamp_angle("HeadYaw", found["HeadYaw"] + math.atan2(there.y, there.x))
        down = math.atan2(-there.z, math.hypot(there.x, there.y))
        found["HeadPitch"] = model.clamp_angle("HeadPitch", found["HeadPitch"] + down)
    return {joint: found[joint] for joint in model.chains["Head"]}


def arm_angles_towards(model, arm, place):  # type: (Model, str, Position3D) -> Dict[str, float]
    """Return the angles of a straight arm that points at a place, seen from the torso, or nearly."""
    way = model.links[arm[0] + "ShoulderPitch"][1].inverse() * place
    pitch, roll = math.atan2(-way.z, way.x), math.atan2(way.y, math.hypot(way.x, way.z))
    wanted = {"ShoulderPitch": pitch, "ShoulderRoll": roll, "ElbowYaw": 0.0, "ElbowRoll": 0.0, "WristYaw": 0.0}
    return {arm[0] + joint: model.clamp_angle(arm[0] + joint, angle) for joint, angle in wanted.items()}


# Paths of effectors.

_PIECE_SIZE = (0.02, 0.15)  # metres and radians of one piece of a path
_MAX_PIECES = 20  # pieces between two places of a path
_MAX_POINTS = 200  # points of the whole path: a limit on the computing time


class Plan(object):
    """The paths of effectors in a frame, from the joints' current angles; `torso` is the torso's place in it."""

    def __init__(self, model, effectors, masks, angles, torso):
        # type: (Model, Sequence[str], Sequence[int], Mapping[str, float], Transform) -> None
        self._model = model
        self._effectors, self._masks = list(effectors), list(masks)
        self._angles, self._torso = dict(angles), torso
        self._starts = [torso * model.part_transform(name, angles) for name in effectors]
        self._feet = {foot: torso * model.part_transform(foot, angles) for foot in model.feet}
        self._free = sorted({joint for name in effectors for joint in model.list_moving_joints(name)})

    def along(self, paths, times, is_absolute):
        # type: (Sequence[Sequence[object]], Sequence[Sequence[float]], bool) -> Dict[str, Tuple[List[float], List[float]]]
        """Return for each joint the times and angles on paths, which have places and times for each effector.

        A place is a Position6D or a Transform; without `is_absolute`, it is relative to the effector's start.
        """
        ways = [
            [(0.0, start)] + [(moment, _goal(start, place, is_absolute)) for moment, place in zip(row, path)]
            for start, path, row in zip(self._starts, paths, times)
        ]
        found = {}  # type: Dict[str, Tuple[List[float], List[float]]]
        moments = _moments(ways)
        for moment in moments:
            places = [_place(way, moment) for way in ways]
            for joint, angle in self._solve_angles(places, moment == moments[-1]).items():
                self._angles[joint] = angle
                row = found.setdefault(joint, ([], []))
                row[0].append(moment)
                row[1].append(angle)
            self._angles.update({twin: self._angles[motor] for twin, motor in self._model.shared_motors.items()})
        return found

    def _solve_angles(self, places, is_last):  # type: (Sequence[Transform], bool) -> Dict[str, float]
        """Return the angles for which the effectors are at these places."""
        torso, goals, from_torso = self._torso, [], self._torso.inverse()
        wanted = dict(zip(self._effectors, places))
        if TORSO in wanted:
            # Feet that are not effectors stay in place while the torso moves.
            torso = _apply_mask(self._torso, wanted[TORSO], self._masks[self._effectors.index(TORSO)])
            from_torso = torso.inverse()
            resting = [foot for foot in self._model.feet if foot not in wanted]
            goals = [(foot, from_torso * self._feet[foot], almath.AXIS_MASK_ALL) for foot in resting]
        for name, place, mask in zip(self._effectors, places, self._masks):
            if name != TORSO:
                goals.append((name, from_torso * place, mask))
        turn = rotationFromTransform(from_torso)
        return reach_goals(self._model, goals, self._free, self._angles, turn, is_last)


def _goal(start, place, is_absolute):  # type: (Transform, Any, bool) -> Transform
    """Return a place of a path as a Transform in the frame."""
    if isinstance(place, Position6D):
        if not is_absolute:
            place = almath.position6DFromTransform(start) + place
        return almath.transformFromPosition6D(place)
    if is_absolute:
        return place  # type: ignore[no-any-return]
    turned = rotationFromTransform(place) * rotationFromTransform(start)
    here = almath.position3DFromTransform(start) + almath.position3DFromTransform(place)
    return almath.transformFromRotationPosition3D(turned, here)


def _apply_mask(current, wanted, mask):  # type: (Transform, Transform, int) -> Transform
    """Return the current place with the axes of the mask replaced by the axes of the target place."""
    here, there = (almath.position6DFromTransform(each).toVector() for each in (current, wanted))
    return Transform.fromPosition(*[there[at] if mask & (1 << at) else here[at] for at in range(6)])


def _moments(ways):  # type: (Sequence[Sequence[Tuple[float, Transform]]]) -> List[float]
    """Return the times of the points of the path: the times of all places, and enough between them."""
    found = {way[-1][0] for way in ways}
    for way in ways:
        for (begin, one), (end, two) in _pairs(way):
            turn = almath.position6DFromTransformDiff(one, two).toVector()[3:]
            pieces = max(one.distance(two) / _PIECE_SIZE[0], max(abs(each) for each in turn) / _PIECE_SIZE[1])
            count = min(int(pieces) + 1, _MAX_PIECES) if end > begin else 1
            found |= {begin + (end - begin) * number / count for number in range(1, count + 1)}
    kept = sorted(found)
    return kept[:: len(kept) // _MAX_POINTS + 1][:-1] + kept[-1:]


def _place(way, moment):  # type: (Sequence[Tuple[float, Transform]], float) -> Transform
    for (begin, one), (end, two) in _pairs(way):
        if moment < end:
            return almath.transformMean(one, two, (moment - begin) / (end - begin)) if _turnable(one, two) else two
    return way[-1][1]


def _turnable(one, two):  # type: (Transform, Transform) -> bool
    """Return whether one rotation between two places is shortest; if they are opposite, there is none."""
    try:
        almath.transformLogarithm(one.diff(two))
    except RuntimeError:
        return False
    return True


def _pairs(way):  # type: (Sequence[Tuple[float, Transform]]) -> List[Sequence[Tuple[float, Transform]]]
    return [way[at : at + 2] for at in range(len(way) - 1)]
