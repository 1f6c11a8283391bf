"""Where the parts of the body are: published figures, formulas by hand, the solver; and the modules of NAOqi's SDK."""

from __future__ import absolute_import, division, print_function

import math
import os

import pytest
from hypothesis import given, strategies as st

import almath
import almath as al
import motion
import vision_definitions
from naosim import kinematics
from naosim.models import MODELS, NAO
from naosim.proxies import PostedTask

ROBOT = {"posture": "StandZero"}


def place_of(part, angles):
    """Return the place of a part in the torso's frame, in millimetres."""
    found = NAO.part_transform(part, angles)
    return [1000 * each for each in (found.r1_c4, found.r2_c4, found.r3_c4)]


def some(names):
    """Draw angles of joints within their limits."""
    return st.fixed_dictionaries({joint: st.floats(*NAO.limits[joint]) for joint in names})


@pytest.mark.parametrize(
    "part, turned, millimetres",
    [
        ("LArm", {}, (218.7, 113, 87.69)),
        ("RArm", {}, (218.7, -113, 87.69)),
        ("LLeg", {}, (0, 50, -333.09)),
        ("RLeg", {}, (0, -50, -333.09)),
        ("Head", {}, (0, 0, 126.5)),
        ("CameraTop", {}, (58.71, 0, 190.14)),
        ("CameraBottom", {}, (50.71, 0, 144.24)),
        ("LElbowYaw", {}, (105, 113, 100)),
        ("RWristYaw", {}, (160.95, -113, 100)),
        ("LKneePitch", {}, (0, 50, -185)),
        ("RAnkleRoll", {}, (0, -50, -287.9)),
        ("Torso", {}, (0, 0, 0)),
        ("LArm", {"LShoulderPitch": math.pi / 2}, (-12.31, 113, -118.7)),
        ("LArm", {"LShoulderRoll": math.pi / 2}, (-15, 316.7, 87.69)),
        ("RArm", {"RElbowRoll": math.pi / 2}, (105, 0.7, 87.69)),
        ("CameraTop", {"HeadYaw": math.pi / 2}, (0, 58.71, 190.14)),
        ("LLeg", {"LKneePitch": math.pi / 2}, (-148.09, 50, -185)),
        ("LLeg", {"LHipYawPitch": -math.pi / 2}, (248.09 / math.sqrt(2), 174.045, -209.045)),
    ],
)
def test_parts_of_a_body_lie_where_the_lengths_add_up(part, turned, millimetres):
    assert place_of(part, dict(dict.fromkeys(NAO.body, 0.0), **turned)) == pytest.approx(list(millimetres), abs=1e-6)


# Formulas of the chains, worked out by hand with sines and cosines alone, in millimetres.


def place_left_hand(angles):
    """Multiply the chain of the left arm out from the hand: each joint turns what hangs on it."""
    x, y, z = 57.75 + 55.95, 0.0, -12.31
    y, z = turned(y, z, angles["LWristYaw"])
    x, y = turned(x, y, angles["LElbowRoll"])
    y, z = turned(y, z, angles["LElbowYaw"])
    x, y = x + 105.0, y + 15.0
    x, y = turned(x, y, angles["LShoulderRoll"])
    z, x = turned(z, x, angles["LShoulderPitch"])
    return x, y + 98.0, z + 100.0


def turned(one, two, angle):
    return one * math.cos(angle) - two * math.sin(angle), one * math.sin(angle) + two * math.cos(angle)


@given(some(NAO.body))
def test_every_posture_agrees_with_the_formulas_within_a_millimetre(angles):
    def right_hand(angles):
        mirrored = {"L" + joint[1:]: (1 if joint.endswith("Pitch") else -1) * angle for joint, angle in angles.items()}
        x, y, z = place_left_hand(mirrored)
        return x, -y, z

    def foot(angles, side):
        """Multiply the chain of a leg out from the sole."""
        sign = 1 if side == "L" else -1
        x, y, z = 0.0, 0.0, -45.19
        y, z = turned(y, z, angles[side + "AnkleRoll"])
        z, x = turned(z, x, angles[side + "AnklePitch"])
        z -= 102.9
        z, x = turned(z, x, angles[side + "KneePitch"])
        z -= 100.0
        z, x = turned(z, x, angles[side + "HipPitch"])
        y, z = turned(y, z, angles[side + "HipRoll"])
        # The slanted axis: turn the world so that it becomes y, turn about that, and turn back.
        y, z = turned(y, z, sign * math.pi / 4)
        z, x = turned(z, x, angles[side + "HipYawPitch"])
        y, z = turned(y, z, -sign * math.pi / 4)
        return x, y + sign * 50.0, z - 85.0

    angles["RHipYawPitch"] = angles["LHipYawPitch"]
    formulas = {
        "LArm": place_left_hand(angles),
        "RArm": right_hand({name: angles[name] for name in NAO.chains["RArm"][:-1]}),
        "LLeg": foot(angles, "L"),
        "RLeg": foot(angles, "R"),
    }
    for part, wanted in formulas.items():
        assert place_of(part, angles) == pytest.approx(list(wanted), abs=1e-6)
        assert NAO.part_transform(part, angles).isTransform()


#: By how many millimetres frames may differ from the public descriptions.
FRAME_TOLERANCES_MM = {"Nao": 0.2, "Juliette": 0.1}


@pytest.mark.parametrize("robot_type", sorted(FRAME_TOLERANCES_MM))
def test_frames_agree_with_the_public_descriptions_at_200_poses(robot_type):
    def list_frames():
        """Return robot, number of the pose, and the places of parts from the file of golden frames."""
        found, robot_type, parts = [], "", []
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "body_frames.tsv")) as lines:
            for line in lines:
                row = line.rstrip("\n").split("\t")
                if row[0] in MODELS:
                    robot_type, parts = row[0], row[1:]
                elif not line.startswith("#"):
                    found.append((robot_type, int(row[0]), dict(zip(parts, row[1:]))))
        return found

    model, poses = MODELS[robot_type], [row for row in list_frames() if row[0] == robot_type]
    assert len(poses) == 200
    for _, pose, places in poses:
        angles = {}
        for number, joint in enumerate(model.body):
            low, high = model.limits[joint]
            angles[joint] = low + (high - low) * (pose * (number + 1) * 0.618034 % 1)
        angles.update((twin, angles[motor]) for twin, motor in model.shared_motors.items())
        for part, place in places.items():
            found = model.part_transform(part, angles)
            away = [
                1000 * each - float(wanted) / 100
                for each, wanted in zip((found.r1_c4, found.r2_c4, found.r3_c4), place.split())
            ]
            assert math.sqrt(sum(each**2 for each in away)) < FRAME_TOLERANCES_MM[robot_type], (pose, part)


def test_positions_in_frames(robot):
    almotion = robot.service("ALMotion")
    for name, frame, wanted in [
        ("Torso", 2, [0, 0, 0.33309, 0, 0, 0]),
        ("Torso", 0, [0] * 6),
        ("LLeg", 2, [0, 0.05, 0, 0, 0, 0]),
        ("Head", 2, [0, 0, 0.45959, 0, 0, 0]),
        ("CameraTop", 0, [0.05871, 0, 0.19014, 0, 0.0209, 0]),
    ]:
        assert almotion.getPosition(name, frame, True) == pytest.approx(wanted, abs=1e-9), name
        there = almath.Transform(almotion.getTransform(name, frame, False))
        assert almath.position6DFromTransform(there).toVector() == pytest.approx(wanted, abs=1e-9), name


def test_masses_and_their_centres(robot):
    almotion = robot.service("ALMotion")
    parts = sum(almotion.getMass(name) for name in ("Torso", "Head", "LArm", "RArm", "LLeg", "RLeg"))
    assert [almotion.getMass("Body"), parts] == pytest.approx([5.30535, 5.30535])
    assert almotion.getMass("LArm") == pytest.approx(0.57858)
    assert almotion.getCOM("Torso", 0, True) == pytest.approx([-0.00413, 0, 0.04342])
    assert almotion.getCOM("HeadPitch", 0, True) == pytest.approx([-0.00112, 0, 0.1265 + 0.05258])
    body, low = almotion.getCOM("Body", 2, True), almotion.getCOM("Legs", 2, True)
    assert body[1] == pytest.approx(0.0, abs=1e-9) and 0.0 < low[2] < body[2] < 0.33309
    almotion.angleInterpolation("LShoulderRoll", 1.0, 1.0, True)
    assert almotion.getCOM("Body", 2, True)[1] > 0.005
    assert set(NAO.masses) == {"Torso"} | set(NAO.chains["Joints"])


def reach(part, wanted, mask, start):
    """Return the angles that the solver finds for a place of a left limb."""
    joints = NAO.chains["LArm"] if part == "LArm" else NAO.chains["LLeg"]
    return dict(start, **kinematics.reach_goals(NAO, [(part, wanted, mask)], joints, start, almath.Rotation()))


@given(some(NAO.chains["LArm"][:-1]), some(NAO.chains["LLeg"]))
def test_the_solver_finds_back_to_where_an_arm_can_be_and_a_leg_stands(arm, leg):
    start, wanted = NAO.posture_angles("StandInit"), NAO.part_transform("LArm", arm)
    assert NAO.part_transform("LArm", reach("LArm", wanted, 7, start)).distance(wanted) < 0.03
    near = dict(arm, LShoulderRoll=NAO.clamp_angle("LShoulderRoll", arm["LShoulderRoll"] + 0.1))
    assert NAO.part_transform("LArm", reach("LArm", wanted, 7, near)).distance(wanted) < 0.001
    wanted = NAO.part_transform("LLeg", leg)
    found = reach("LLeg", wanted, 63, start)
    there = NAO.part_transform("LLeg", found)
    assert there.distance(wanted) < 0.001 and there.isNear(wanted, 0.001)
    assert all(low <= found[joint] <= high for joint, (low, high) in NAO.limits.items())


def position(robot, name, frame=2):
    return robot.service("ALMotion").getPosition(name, frame, True)


def test_a_hand_goes_straight_to_a_place_or_as_near_as_it_can(robot):
    almotion = robot.service("ALMotion")
    robot.service("ALRobotPosture").goToPosture("StandInit", 1.0)
    start = position(robot, "LArm", 0)
    wanted = [start[0] + 0.06, start[1] + 0.02, start[2] + 0.06] + start[3:]
    task = PostedTask(robot.world, almotion, "positionInterpolation", ("LArm", 0, wanted, 7, 2.0, True))
    robot.clock.run(seconds=1)
    half = [(one + two) / 2 for one, two in zip(start[:3], wanted[:3])]
    assert position(robot, "LArm", 0)[:3] == pytest.approx(half, abs=0.005)
    robot.clock.run(lambda: task.done.is_set)
    assert position(robot, "LArm", 0)[:3] == pytest.approx(wanted[:3], abs=0.0005)
    assert robot.trace.of("motion")[-1].fields["effectors"] == ["LArm"]
    almotion.positionInterpolation("LArm", 0, [3.0, 0.113, 0.1, 0, 0, 0], 7, 1.0, True)
    assert position(robot, "LArm", 0)[0] > 0.21
    for joint, angle in zip(NAO.body, almotion.getAngles("Body", True)):
        assert NAO.limits[joint][0] <= angle <= NAO.limits[joint][1]


@pytest.mark.parametrize(
    "method, arguments, change",
    [
        ("positionInterpolation", ("LArm", 0, [0.02, 0, 0.02, 0, 0, 0], 7, 1.0, False), (0.02, 0, 0.02)),
        (
            "positionInterpolation",
            ("RArm", 2, [[0.01, 0, 0, 0, 0, 0], [0.02, 0, 0.02, 0, 0, 0]], 7, [1.0, 2.0], False),
            (0.02, 0, 0.02),
        ),
        (
            "positionInterpolations",
            (["RArm", "LArm"], 2, [[[0.0, 0, 0.02, 0, 0, 0]], [[0.02, 0, 0, 0, 0, 0]]], [7, 7], [[1.0], [1.0]], False),
            (0, 0, 0.02),
        ),
        (
            "transformInterpolation",
            ("LArm", 2, [1, 0, 0, 0.02, 0, 1, 0, 0, 0, 0, 1, 0.02], 7, 1.0, False),
            (0.02, 0, 0.02),
        ),
        (
            "transformInterpolations",
            (["LArm"], 1, [[[1, 0, 0, 0.02, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]]], [7], [[1.0]], False),
            (0.02, 0, 0),
        ),
        ("changePosition", ("LArm", 2, [0.02, 0, 0.02, 0, 0, 0], 0.5, 7), (0.02, 0, 0.02)),
        ("changeTransform", ("RArm", 2, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.02], 0.5, 7), (0, 0, 0.02)),
        ("positionInterpolation", ("Torso", 2, [0.01, 0.02, -0.03, 0, 0, 0], 63, 1.0, False), (0.01, 0.02, -0.03)),
        ("positionInterpolation", ("LLeg", 0, [0.02, 0, 0.03, 0, 0, 0], 63, 1.0, False), (0.02, 0, 0.03)),
    ],
)
def test_movements_by_so_much(robot, method, arguments, change):
    robot.service("ALRobotPosture").goToPosture("StandInit", 1.0)
    part, frame = arguments[0][0] if isinstance(arguments[0], list) else arguments[0], arguments[1]
    wanted = [one + more for one, more in zip(position(robot, part, frame), change)]
    robot.service("ALMotion").call(method, arguments)
    robot.clock.run(seconds=3)
    assert position(robot, part, frame)[:3] == pytest.approx(wanted, abs=0.001)


def test_ways_to_give_one_place(robot):
    for method, make in [
        ("setPosition", lambda six: ("LArm", 0, six, 0.5, 7)),
        ("setPositions", lambda six: ("LArm", 0, six, 0.5, 7)),
        ("setPositions", lambda six: (["LArm"], 0, [six], 0.5, [7])),
        ("setTransform", lambda six: ("LArm", 0, list(almath.Transform.fromPosition(*six).toVector()), 0.5, 7)),
        ("setTransforms", lambda six: (["LArm"], 0, [list(almath.Transform.fromPosition(*six).toVector())], 0.5, 7)),
        ("positionInterpolations", lambda six: ("LArm", 0, [six], 7, [1.0])),
        ("positionInterpolations", lambda six: (["LArm"], 0, [six], [7], [1.0])),
    ]:
        robot.service("ALRobotPosture").goToPosture("StandInit", 1.0)
        six = position(robot, "LArm", 0)
        six[2] += 0.03
        robot.service("ALMotion").call(method, make(six))
        robot.clock.run(seconds=3)
        assert position(robot, "LArm", 0)[:3] == pytest.approx(six[:3], abs=0.001), method


def test_the_feet_stay_when_the_torso_sinks_from_straight_knees(robot):
    feet = [position(robot, "LLeg", 1), position(robot, "RLeg", 1)]
    robot.service("ALMotion").positionInterpolation("Torso", 2, [0, 0, -0.04, 0, 0, 0], 63, 1.0, False)
    assert position(robot, "Torso") == pytest.approx([0, 0, 0.29309, 0, 0, 0], abs=0.001)
    assert [position(robot, "LLeg", 1), position(robot, "RLeg", 1)] == [pytest.approx(each, abs=1e-3) for each in feet]


@pytest.mark.parametrize(
    "arguments", [([1.0, 0.5, 0.3], 0.5, False), ([1.0, -0.5, 0.6], 2, 0.5, False), ([2.0, 0.0, 0.0], 1, 0.5, False)]
)
def test_the_camera_looks_at_a_place(robot, arguments):
    almotion = robot.service("ALMotion")
    almotion.moveTo(0.5, 0.0, 0.3)
    robot.service("ALTracker").call("lookAt", arguments)
    frame = arguments[1] if len(arguments) == 4 else 0
    camera = almath.Transform(almotion.getTransform("CameraTop", frame, True))
    there = camera.inverse() * almath.Position3D(arguments[0])
    assert [there.y, there.z] == pytest.approx([0.0, 0.0], abs=0.001) and there.x > 0
    robot.service("ALTracker").lookAt([-1.0, 0.2, 0.3], 0.5, False)  # It is behind, and the neck turns only so far.
    assert almotion.getAngles("HeadYaw", True) == pytest.approx([2.0857])


def test_an_arm_points_at_a_place(robot):
    for arm, place in [("LArm", [1.0, 0.5, 0.4]), ("RArm", [0.5, -0.2, -0.2]), ("Arms", [2.0, 0.0, 0.1])]:
        robot.service("ALTracker").call("pointAt", [arm, place, 0, 0.5])
        for each in ("LArm", "RArm") if arm == "Arms" else (arm,):
            shoulder = robot.service("ALMotion").getPosition(each[0] + "ShoulderPitch", 0, True)[:3]
            elbow = robot.service("ALMotion").getPosition(each[0] + "WristYaw", 0, True)[:3]
            way, arm_way = [[end - start for end, start in zip(point, shoulder)] for point in (place, elbow)]
            assert almath.Position3D(way).normalize().dotProduct(almath.Position3D(arm_way).normalize()) > 0.99


ANGLE = st.floats(-3.1, 3.1)
PITCH = st.floats(-1.5, 1.5)
LENGTH = st.floats(-2.0, 2.0)
SIX = st.tuples(LENGTH, LENGTH, LENGTH, ANGLE, PITCH, ANGLE)


def test_what_is_made_and_what_it_holds():
    for made, numbers in [
        (al.Pose2D(), [0, 0, 0]),
        (al.Pose2D(1, 2, 3), [1, 2, 3]),
        (al.Position3D(2.0), [2, 2, 2]),
        (al.Position6D([1, 2, 3, 4, 5, 6]), [1, 2, 3, 4, 5, 6]),
        (al.Position2D((1, 2)), [1, 2]),
        (al.PositionAndVelocity(1.0), [1, 0]),
        (al.Quaternion(), [1, 0, 0, 0]),
        (al.Velocity3D(1, 2, 3), [1, 2, 3]),
        (al.Rotation(), [1, 0, 0, 0, 1, 0, 0, 0, 1]),
        (al.Transform(7, 8, 9), [1, 0, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9, 0, 0, 0, 1]),
        (al.Transform(range(12)), list(range(12)) + [0, 0, 0, 1]),
        (al.Transform(range(16)), list(range(12)) + [0, 0, 0, 1]),
        (al.Pose2D(1, 2, 3) + al.Pose2D(1, 1, 1), [2, 3, 4]),
        (-al.Position2D(1, 2), [-1, -2]),
        (2 * al.Position3D(1, 2, 3), [2, 4, 6]),
        (al.Position3D(2, 4, 6) / 2, [1, 2, 3]),
        (al.Velocity6D(2.0) - al.Velocity6D(0.5), [1.5] * 6),
        (al.Position2D.fromPolarCoordinates(2, al.PI_2), [0, 2]),
    ]:
        assert list(made.toVector()) == pytest.approx(numbers), made


def test_wrong_numbers_and_questions_without_an_answer_are_errors():
    for kind, given_numbers in [
        (al.Pose2D, [1, 2]),
        (al.Position3D, [1, 2, 3, 4]),
        (al.Transform, range(9)),
        (al.Rotation, range(12)),
    ]:
        with pytest.raises(ValueError, match="%s takes" % kind.__name__):
            kind(list(given_numbers))
    for call in [
        lambda: al.Position3D().normalize(),
        lambda: al.Pose2D().normalize(),
        lambda: al.Position2D(1, 1) / 0,
        lambda: al.meanAngle([0.0, math.pi]),
        lambda: al.transformLogarithm(al.Transform.fromRotX(math.pi)),
        lambda: al.getDubinsSolutions(al.Pose2D(0.1, 0.0, 0.0), 0.04),
    ]:
        with pytest.raises(RuntimeError, match=r"ALMath|four radii"):
            call()


def test_changes_in_place_and_how_they_print():
    place = al.Position3D(1, 2, 3)
    place += al.Position3D(1, 1, 1)
    place *= 2
    place -= al.Position3D(1.0)
    place /= 3
    assert place == al.Position3D(1, 5 / 3.0, 7 / 3.0)
    assert place not in (al.Position3D(1, 2, 2), 3)
    pose = al.Pose2D(1, 0, al.PI_2)
    pose *= al.Pose2D(1, 0, 0)
    assert pose.isNear(al.Pose2D(1, 1, al.PI_2))
    assert repr(al.Pose2D(1, 2.5, 0)) == "Pose2D(x=1, y=2.5, theta=0)"
    assert repr(al.Position2D(1, 2).toVector()) == "vectorFloat([1, 2])"
    assert str(al.Rotation()) == "[[1, 0, 0]\n [0, 1, 0]\n [0, 0, 1]]"
    places = al.vectorPose2D([al.Pose2D()])
    places.push_back(al.Pose2D(1, 2, 3))
    assert places.size() == 2 and places[1].y == 2 and al.vectorPosition6D().size() == 0


@given(SIX)
def test_a_position_becomes_a_transform_and_back(six):
    def matrix(wx, wy, wz):
        """Write out Rz(wz) Ry(wy) Rx(wx), number by number."""
        (a, b), (c, d), (e, f) = [(math.cos(each), math.sin(each)) for each in (wx, wy, wz)]
        first = [e * c, e * d * b - f * a, e * d * a + f * b]
        return first + [f * c, f * d * b + e * a, f * d * a - e * b, -d, c * b, c * a]

    there = al.transformFromPosition6D(al.Position6D(six))
    rows = there.toVector()
    assert rows[0:3] + rows[4:7] + rows[8:11] == pytest.approx(matrix(*six[3:]), abs=1e-9)
    assert [rows[3], rows[7], rows[11]] == list(six[:3])
    assert al.position6DFromTransform(there).toVector() == pytest.approx(list(six), abs=1e-6)
    assert there.isTransform() and (there * there.inverse()).isNear(al.Transform())
    assert al.determinant(there) == pytest.approx(1.0)


@given(SIX, SIX)
def test_transforms_are_composed_as_their_points_are_moved(one, two):
    first, second = al.Transform.fromPosition(*one), al.Transform.fromPosition(*two)
    point = al.Position3D(0.3, -0.2, 0.1)
    assert ((first * second) * point).isNear(first * (second * point), 1e-9)
    assert (first * first.diff(second)).isNear(second, 1e-9)
    assert al.transformMean(first, second, 0.0).isNear(first, 1e-6)
    assert al.distance(first, second) == pytest.approx(math.sqrt(sum((a - b) ** 2 for a, b in zip(one[:3], two[:3]))))


@given(st.tuples(*[st.floats(-1.0, 1.0)] * 6))
def test_a_velocity_is_the_logarithm_of_where_it_leads(numbers):
    velocity = al.Velocity6D(numbers)
    assert al.transformLogarithm(al.velocityExponential(velocity)).isNear(velocity, 1e-6)


@given(ANGLE, PITCH, ANGLE)
def test_quaternions_and_matrices_turn_alike(wx, wy, wz):
    angles, point = al.Rotation3D(wx, wy, wz), al.Position3D(1, 2, 3)
    quaternion = al.quaternionFromRotation3D(angles)
    rotation = al.Rotation.from3DRotation(wx, wy, wz)
    assert al.rotationFromQuaternion(quaternion).isNear(rotation, 1e-9)
    assert (quaternion * point).isNear(rotation * point, 1e-9)
    assert al.rotation3DFromQuaternion(quaternion).isNear(angles, 1e-6)
    assert (quaternion * quaternion.inverse()).isNear(al.Quaternion(), 1e-9)
    angle, x, y, z = al.angleAndAxisRotationFromQuaternion(quaternion)
    assert (rotation.transpose() * rotation).isNear(al.Rotation()) and rotation.isRotation()
    if angle > 1e-3:
        assert al.rotationFromAngleDirection(angle, al.Position3D(x, y, z)).isNear(rotation, 1e-6)


@given(LENGTH, LENGTH, ANGLE)
def test_a_pose_seen_from_itself_is_the_origin(x, y, theta):
    pose = al.Pose2D(x, y, theta)
    assert (pose * pose.inverse()).isNear(al.Pose2D(), 1e-9)
    assert pose.diff(pose).isNear(al.Pose2D(), 1e-9)
    assert al.pinv(pose) == al.pose2DInverse(pose) == pose.inverse()
    assert al.pose2DFromTransform(al.transformFromPose2D(pose)).isNear(pose, 1e-9)
    assert (pose * al.Position2D(1, 0)).isNear(al.Position2D(x + math.cos(theta), y + math.sin(theta)), 1e-9)


def test_numbers_and_conversions():
    for found, wanted in [
        (al.modulo2PI(math.pi + 0.1), 0.1 - math.pi),
        (al.modulo2PI(-7.0), 2 * math.pi - 7),
        (al.TO_RAD * 180, math.pi),
        (al.meanAngle([0.1, 0.3]), 0.2),
        (al.Position3D(3, 4, 0).norm(), 5.0),
        (al.Pose2D(3, 4, 9).norm(), 5.0),
        (al.Position6D(3, 4, 0, 9, 9, 9).distance(al.Position6D()), 5.0),
        (al.Position2D(1, 1).getAngle(), math.pi / 4),
        (al.Position2D(1, 2).crossProduct(al.Position2D(3, 4)), -2.0),
        (al.distanceSquared(al.Pose2D(), al.Pose2D(3, 4, 1)), 25.0),
        (al.norm(al.Transform(3, 4, 0)), 5.0),
        (al.Rotation.fromRotZ(0.5).determinant(), 1.0),
        (al.Quaternion(0, 3, 0, 4).norm(), 5.0),
    ]:
        assert found == pytest.approx(wanted), found
    one, turn, place = al.Position3D(1, 2, 3), al.Quaternion(0.6, 0, 0, 0.8), al.Transform.fromPosition
    for found, wanted in [
        (al.pose2DFromPosition6D(al.Position6D(1, 2, 3, 4, 5, 6)), al.Pose2D(1, 2, 6)),
        (al.position6DFromPose2D(al.Pose2D(1, 2, 3)), al.Position6D(1, 2, 0, 0, 0, 3)),
        (al.position3DFromPosition6D(al.Position6D(1, 2, 3, 4, 5, 6)), al.Position3D(1, 2, 3)),
        (al.transformFromRotX(0.3), al.Transform.from3DRotation(0.3, 0, 0)),
        (al.transformFromRotVec(al.AXIS_MASK_Z, 0.3, one), al.Transform_fromPosition(1, 2, 3, 0, 0, 0.3)),
        (al.transformFromRotationPosition3D(al.Rotation.fromRotY(0.2), 1, 2, 3), place(1, 2, 3, 0, 0.2, 0)),
        (al.transformFromRotation3D(al.Rotation3D(0.1, 0.2, 0.3)), al.transformFrom3DRotation(0.1, 0.2, 0.3)),
        (al.rotationFromAngleDirection(0.4, 0, 0, 2), al.rotationFromRotZ(0.4)),
        (
            al.position6DFromTransformDiff(al.Transform(), place(1, 2, 3, 0, 0, 1e-4)),
            al.Position6D(1, 2, 3, 0, 0, 1e-4),
        ),
        (al.Position3D(1, 0, 0).crossProduct(al.Position3D(0, 1, 0)), al.Position3D(0, 0, 1)),
        (al.rotationFromAxesXY(al.Position3D(0, 1, 0), al.Position3D(-1, 0, 0)), al.Rotation.fromRotZ(al.PI_2)),
        (al.quaternionFromTransform(al.transformFromQuaternion(turn)), turn),
    ]:
        assert type(found) is type(wanted), found
        assert found.isNear(wanted, 1e-6), found


def test_changes_of_reference_write_into_their_last_argument_and_a_skewed_matrix_into_itself():
    turned, six, pose = al.Position3D(), al.Velocity6D(), al.Pose2D()
    quarter = al.Transform.fromPosition(9, 9, 9, 0, 0, al.PI_2)
    al.changeReferencePosition3D(quarter, al.Position3D(1, 2, 3), turned)
    assert turned.isNear(al.Position3D(-2, 1, 3))
    al.changeReferenceVelocity6D(quarter, al.Velocity6D(1, 2, 3, 4, 5, 6), six)
    assert six.isNear(al.Velocity6D(-2, 1, 3, -5, 4, 6))
    al.changeReferencePose2D(al.PI_2, al.Pose2D(1, 2, 3), pose)
    assert pose.isNear(al.Pose2D(-2, 1, 3))
    moved = al.Transform()
    al.changeReferenceTransposeTransform(quarter, quarter, moved)
    assert moved.isNear(al.Transform())
    skewed = al.Rotation([1.1, 0.1, 0, 0, 0.9, 0, 0, 0, 1])
    assert not skewed.isRotation()
    skewed.normalizeRotation()
    assert skewed.isRotation()


def test_frames_axes_and_cameras():
    assert (motion.FRAME_TORSO, motion.FRAME_WORLD, motion.FRAME_ROBOT) == (0, 1, 2)
    names = [name for name in dir(motion) if name.startswith("AXIS_MASK")]
    assert {name: getattr(motion, name) for name in names} == {name: getattr(al, name) for name in names}
    assert al.isAxisMask(motion.AXIS_MASK_ALL) and not al.isAxisMask(64)
    assert (vision_definitions.kVGA, vision_definitions.kBGRColorSpace, vision_definitions.kBottomCamera) == (2, 13, 1)


@pytest.mark.parametrize("radius", [0.04, 0.2])
@pytest.mark.parametrize(
    "goal",
    [(0.0, -0.9, 0.0), (1.0, 0.0, 0.0), (-1.0, 0.3, 3.0), (0.5, 0.8, -2.0), (-0.2, -0.9, 1.0), (2.0, -2.0, -3.1)],
)
def test_the_arcs_and_the_line_of_a_dubins_curve_lead_to_the_goal(goal, radius):
    def arc(pose, radius, turn):
        """Return where an arc leads that turns so far, to the left for a positive turn."""
        side = math.copysign(radius, turn)
        return pose * al.Pose2D(radius * math.sin(abs(turn)), side * (1 - math.cos(turn)), turn)

    first, second, last = al.getDubinsSolutions(al.Pose2D(*goal), radius)
    assert last == al.Pose2D(*goal)
    assert arc(al.Pose2D(), radius, first.theta).isNear(first, 1e-6)
    line = first.diff(second)
    assert line.x >= 0 and abs(line.y) < 1e-6
    assert arc(second, radius, last.theta - second.theta).isNear(last, 1e-6)


def test_a_transform_and_a_velocity():
    both, other = al.TransformAndVelocity6D(), al.TransformAndVelocity6D()
    assert both == other and both.isNear(other)
    other.V.xd = 0.5
    assert both != other and not both.isNear(other) and both.isNear(other, 0.6)
    assert "V=Velocity6D(xd=0.5" in repr(other)


@pytest.mark.parametrize(
    "step, longest",
    [((0.3, 0.0, 0.2), 0.08), ((0.0, -0.3, 0.2), 0.07), ((0.2, 0.2, 0.0), 0.0745), ((-0.3, 0.01, 0.0), 0.08)],
)
def test_a_long_step_is_shortened_to_an_ellipse(step, longest):
    clipped = al.Pose2D(*step)
    assert al.clipFootWithEllipse(0.08, 0.07, clipped) is True
    assert math.hypot(clipped.x, clipped.y) == pytest.approx(longest, abs=1e-4)
    assert math.atan2(clipped.y, clipped.x) == pytest.approx(math.atan2(step[1], step[0]))
    assert clipped.theta == step[2] and al.clipFootWithEllipse(0.08, 0.07, clipped) is False


@pytest.mark.parametrize(
    "support, step, meets",
    [
        (False, (0.0, 0.1, 0.0), False),
        (False, (0.0, 0.16, -0.3), False),
        (False, (0.0, 0.1, 0.4), False),
        (True, (0.0, -0.1, -0.4), False),
        (False, (0.0, 0.09, -0.5), True),
        (True, (0.0, -0.09, 0.5), True),
    ],
)
def test_feet_that_would_meet_turn_less_and_others_as_they_are_told(support, step, meets):
    left, right = (
        al.vectorPosition2D([al.Position2D(x, y) for x, y in ((0.11, out), (0.11, low), (-0.047, low), (-0.047, out))])
        for out, low in ((0.05, -0.038), (0.038, -0.05))
    )
    pose = al.Pose2D(*step)
    assert al.avoidFootCollision(left, right, support, pose) is meets
    if meets:
        assert 0 < abs(pose.theta) < abs(step[2]) and pose.theta * step[2] > 0
        assert al.avoidFootCollision(left, right, support, pose) is False
    else:
        assert pose == al.Pose2D(*step)


def test_the_search_starts_again_from_other_angles():
    """From Stand the search ends 17 mm away, and from the middle of the joints' ranges, too."""
    arm = {
        "RElbowRoll": 0.412,
        "RElbowYaw": 1.066,
        "RShoulderPitch": -2.016,
        "RShoulderRoll": -1.303,
        "RWristYaw": -1.424,
    }
    standing = NAO.posture_angles("Stand")
    wanted = NAO.part_transform("RArm", dict(standing, **arm))
    joints, turn = NAO.list_moving_joints("RArm"), al.Rotation()
    found = kinematics.reach_goals(NAO, [("RArm", wanted, motion.AXIS_MASK_VEL)], joints, standing, turn)
    reached = NAO.part_transform("RArm", dict(standing, **found))
    assert reached.distance(wanted) < 1e-4
