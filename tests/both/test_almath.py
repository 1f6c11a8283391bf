"""The modules of NAOqi's SDK off the robot: almath by its definitions, the others by their numbers."""

from __future__ import absolute_import, division, print_function

import math

import pytest
from hypothesis import given, settings, strategies as st

import almath as al
import motion
import vision_definitions

ANGLE = st.floats(-3.1, 3.1)
PITCH = st.floats(-1.5, 1.5)
LENGTH = st.floats(-2.0, 2.0)
SIX = st.tuples(LENGTH, LENGTH, LENGTH, ANGLE, PITCH, ANGLE)
FEW = settings(max_examples=40, deadline=None)


def matrix(wx, wy, wz):
    """Write out Rz(wz) Ry(wy) Rx(wx), number by number."""
    (a, b), (c, d), (e, f) = [(math.cos(each), math.sin(each)) for each in (wx, wy, wz)]
    return [e * c, e * d * b - f * a, e * d * a + f * b, f * c, f * d * b + e * a, f * d * a - e * b, -d, c * b, c * a]


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


def test_a_wrong_number_of_numbers_is_refused():
    for kind, given_numbers in [
        (al.Pose2D, [1, 2]),
        (al.Position3D, [1, 2, 3, 4]),
        (al.Transform, range(9)),
        (al.Rotation, range(12)),
    ]:
        with pytest.raises(ValueError, match="%s takes" % kind.__name__):
            kind(list(given_numbers))


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


@FEW
@given(SIX)
def test_a_position_becomes_a_transform_and_back(six):
    there = al.transformFromPosition6D(al.Position6D(six))
    rows = there.toVector()
    assert rows[0:3] + rows[4:7] + rows[8:11] == pytest.approx(matrix(*six[3:]), abs=1e-9)
    assert [rows[3], rows[7], rows[11]] == list(six[:3])
    assert al.position6DFromTransform(there).toVector() == pytest.approx(list(six), abs=1e-6)
    assert there.isTransform() and (there * there.inverse()).isNear(al.Transform())
    assert al.determinant(there) == pytest.approx(1.0)


@FEW
@given(SIX, SIX)
def test_transforms_are_composed_as_their_points_are_moved(one, two):
    first, second = al.Transform.fromPosition(*one), al.Transform.fromPosition(*two)
    point = al.Position3D(0.3, -0.2, 0.1)
    assert ((first * second) * point).isNear(first * (second * point), 1e-9)
    assert (first * first.diff(second)).isNear(second, 1e-9)
    assert al.transformMean(first, second, 0.0).isNear(first, 1e-6)
    assert al.distance(first, second) == pytest.approx(math.sqrt(sum((a - b) ** 2 for a, b in zip(one[:3], two[:3]))))


@FEW
@given(st.tuples(*[st.floats(-1.0, 1.0)] * 6))
def test_a_velocity_is_the_logarithm_of_where_it_leads(numbers):
    velocity = al.Velocity6D(numbers)
    assert al.transformLogarithm(al.velocityExponential(velocity)).isNear(velocity, 1e-6)


@FEW
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


@FEW
@given(LENGTH, LENGTH, ANGLE)
def test_a_pose_seen_from_itself_is_the_origin(x, y, theta):
    pose = al.Pose2D(x, y, theta)
    assert (pose * pose.inverse()).isNear(al.Pose2D(), 1e-9)
    assert pose.diff(pose).isNear(al.Pose2D(), 1e-9)
    assert al.pinv(pose) == al.pose2DInverse(pose) == pose.inverse()
    assert al.pose2DFromTransform(al.transformFromPose2D(pose)).isNear(pose, 1e-9)
    assert (pose * al.Position2D(1, 0)).isNear(al.Position2D(x + math.cos(theta), y + math.sin(theta)), 1e-9)


def test_numbers():
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


def test_conversions():
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


def test_what_has_no_answer_is_an_error():
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


def test_frames_axes_and_cameras():
    assert (motion.FRAME_TORSO, motion.FRAME_WORLD, motion.FRAME_ROBOT) == (0, 1, 2)
    names = [name for name in dir(motion) if name.startswith("AXIS_MASK")]
    assert {name: getattr(motion, name) for name in names} == {name: getattr(al, name) for name in names}
    assert al.isAxisMask(motion.AXIS_MASK_ALL) and not al.isAxisMask(64)
    assert (vision_definitions.kVGA, vision_definitions.kBGRColorSpace, vision_definitions.kBottomCamera) == (2, 13, 1)


def arc(pose, radius, turn):
    """Return where an arc leads that turns so far, to the left for a positive turn."""
    side = math.copysign(radius, turn)
    return pose * al.Pose2D(radius * math.sin(abs(turn)), side * (1 - math.cos(turn)), turn)


@pytest.mark.parametrize("radius", [0.04, 0.2])
@pytest.mark.parametrize(
    "goal",
    [(0.0, -0.9, 0.0), (1.0, 0.0, 0.0), (-1.0, 0.3, 3.0), (0.5, 0.8, -2.0), (-0.2, -0.9, 1.0), (2.0, -2.0, -3.1)],
)
def test_the_arcs_and_the_line_of_a_dubins_curve_lead_to_the_goal(goal, radius):
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
