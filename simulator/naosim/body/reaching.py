"""Inverse kinematics: the angles that bring effectors to places, by damped least squares with bounded steps."""

from __future__ import absolute_import, division, print_function

from almath import position6DFromTransformDiff
from naosim.body import joints, skeleton

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Mapping, Sequence, Tuple

    from almath import Transform

    #: An effector, where it should be seen from the torso, and the mask of the axes that count.
    Goal = Tuple[str, Transform, int]
    Three = Tuple[float, float, float]

ROUNDS, ROUNDS_ON_THE_WAY = 80, 12
#: It gives up after so many rounds in which the error does not become less than this part of the least one.
PATIENT, PROGRESS = 8, 0.98
DAMPING = 0.02
LONGEST_STEP = 0.25  # radians a joint turns in one round
NEAR = 2e-6  # metres
#: Metres for a radian where place and turn cannot both be had: joints are five in an arm, and both hips share a motor.
LEVER = 0.1
#: Straight knees do not know which way to bend.
BENT = {"HipPitch": -0.08, "KneePitch": 0.16, "AnklePitch": -0.08}


def reached(goals, free, angles, turn, is_last=True):
    # type: (Sequence[Goal], Sequence[str], Mapping[str, float], Any, bool) -> Dict[str, float]
    """Return angles of the free joints that bring the effectors to their goals, or as near as was found.

    `turn` is the rotation in whose axes the masks of the goals count, seen from the torso. The last goal of a way is
    also looked for from other angles than those at hand.
    """
    motors = sorted({joints.SHARED.get(joint, joint) for joint in free if joint in skeleton.LINKS})
    rounds = ROUNDS if is_last else ROUNDS_ON_THE_WAY
    best, least = _improved(goals, motors, dict(angles), turn, rounds)
    for start in (_bent, _middle) if is_last else (_bent,):
        if least > NEAR and start(motors, best) != best:
            other, error = _improved(goals, motors, start(motors, best), turn, rounds)
            best, least = (other, error) if error < least else (best, least)
    return {joint: best[joint] for joint in motors}


def _bent(motors, angles):  # type: (List[str], Mapping[str, float]) -> Dict[str, float]
    """Bend the knees: straight ones do not know which way to go."""
    return dict(angles, **{joint: BENT[joint[1:]] for joint in motors if joint[1:] in BENT})


def _middle(motors, angles):  # type: (List[str], Mapping[str, float]) -> Dict[str, float]
    """Bring every joint to the middle of its range."""
    found = dict(angles, **{joint: sum(joints.LIMITS[joint]) / 2 for joint in motors})
    _share(found)
    return found


def _improved(goals, motors, angles, turn, rounds):
    # type: (Sequence[Goal], List[str], Dict[str, float], Any, int) -> Tuple[Dict[str, float], float]
    """Go down the slope of the error from angles; return the best found and its error."""
    best, least, idle = dict(angles), float("inf"), 0
    for _ in range(rounds):
        errors, slopes = _linear(goals, motors, angles, turn)
        size = max([abs(error) for error in errors] or [0.0])
        idle = 0 if size < least * PROGRESS else idle + 1
        if size < least:
            best, least = dict(angles), size
        if size < NEAR or idle > PATIENT:
            break
        steps = _steps(errors, slopes, motors, angles)
        longest = max([abs(step) for step in steps] or [0.0])
        if longest < NEAR / 100:
            break
        shrink = min(1.0, LONGEST_STEP / longest)
        for joint, step in zip(motors, steps):
            angles[joint] = joints.clamped(joint, angles[joint] + step * shrink)
        _share(angles)
    return best, least


def _linear(goals, motors, angles, turn):
    # type: (Sequence[Goal], List[str], Dict[str, float], Any) -> Tuple[List[float], List[List[float]]]
    """Return the errors of all goals, and for each the change that each joint would make."""
    errors, slopes = [], []  # type: Tuple[List[float], List[List[float]]]
    rows = [turn.toVector()[at::3] for at in range(3)]
    for effector, wanted, mask in goals:
        way = skeleton.frames(effector, angles)
        here = skeleton.end_of(effector, way)
        columns = dict.fromkeys(motors, [0.0] * 6)
        for joint, frame in way:
            motor = joints.SHARED.get(joint, joint)
            if motor in columns:
                columns[motor] = _turned_back(rows, *_pull(joint, frame, here))
        off = position6DFromTransformDiff(here, wanted)
        error = _turned_back(rows, (off.x, off.y, off.z), (off.wx, off.wy, off.wz))
        for number in range(6):
            if mask & (1 << number):
                errors.append(error[number])
                slopes.append([columns[joint][number] for joint in motors])
    return errors, slopes


def _pull(joint, frame, end):  # type: (str, Transform, Transform) -> Tuple[Three, Three]
    """Return how an end moves and turns for each radian of a joint."""
    x, y, z = skeleton.LINKS[joint][2]
    x, y, z = (
        frame.r1_c1 * x + frame.r1_c2 * y + frame.r1_c3 * z,
        frame.r2_c1 * x + frame.r2_c2 * y + frame.r2_c3 * z,
        frame.r3_c1 * x + frame.r3_c2 * y + frame.r3_c3 * z,
    )
    u, v, w = end.r1_c4 - frame.r1_c4, end.r2_c4 - frame.r2_c4, end.r3_c4 - frame.r3_c4
    return (y * w - z * v, z * u - x * w, x * v - y * u), (x, y, z)


def _turned_back(rows, way, turn):  # type: (Any, Three, Three) -> List[float]
    """Return a way and a turn, the latter as if at the end of a lever, in the axes in which masks count."""
    turn = (turn[0] * LEVER, turn[1] * LEVER, turn[2] * LEVER)
    return [row[0] * x + row[1] * y + row[2] * z for x, y, z in (way, turn) for row in rows]


def _steps(errors, slopes, motors, angles):
    # type: (List[float], List[List[float]], List[str], Dict[str, float]) -> List[float]
    """Return the steps that lessen the errors most, damped; joints at a limit do not go further."""
    held = set()  # type: set[int]
    steps = [0.0] * len(motors)
    for _ in range(3):
        rows = [[0.0 if at in held else value for at, value in enumerate(row)] for row in slopes]
        square = [[sum(a * b for a, b in zip(one, two)) for two in rows] for one in rows]
        for number in range(len(square)):
            square[number][number] += DAMPING**2 * min(1.0, max(abs(each) for each in errors) * 10 + 1e-3)
        pulls = _solved(square, errors)
        steps = [sum(row[at] * pull for row, pull in zip(rows, pulls)) for at in range(len(motors))]
        stuck = {at for at, joint in enumerate(motors) if at not in held and _blocked(joint, angles[joint], steps[at])}
        if not stuck:
            break
        held |= stuck
    return [0.0 if at in held else step for at, step in enumerate(steps)]


def _blocked(joint, angle, step):  # type: (str, float, float) -> bool
    low, high = joints.LIMITS[joint]
    return (angle <= low and step < 0) or (angle >= high and step > 0)


def _solved(square, wanted):  # type: (List[List[float]], List[float]) -> List[float]
    """Solve a system of linear equations by elimination with the greatest pivot."""
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


def _share(angles):  # type: (Dict[str, float]) -> None
    for joint, motor in joints.SHARED.items():
        if motor in angles:
            angles[joint] = angles[motor]
