"""A body in time: angles follow the clock; movements run side by side, wait for each other and are killed."""

from __future__ import absolute_import, division, print_function

import math
import os

import pytest

from naosim import body
from naosim.body import Bezier, Smooth
from naosim.models import NAO
from naosim.proxies import PostedTask
from naosim.robot import Robot
from naosim.services import animations

ROBOT = {"posture": "StandZero"}


def post(robot, method, *arguments):
    task = PostedTask(robot.world, robot.service("ALMotion"), method, arguments)
    robot.clock.run(seconds=0)
    return task


def angle(robot, joint="HeadYaw"):
    return robot.service("ALMotion").getAngles(joint, True)[0]


@pytest.mark.parametrize(
    "method, arguments, moments",
    [
        ("angleInterpolation", ("HeadYaw", 1.0, 2.0, True), {0.5: 0.15625, 1.0: 0.5, 2.0: 1.0, 3.0: 1.0}),
        ("angleInterpolation", ("HeadYaw", [1.0, 0.0], [1.0, 2.0], True), {0.5: 0.5, 1.0: 1.0, 1.5: 0.5, 2.0: 0.0}),
        ("angleInterpolation", ("HeadYaw", [0.5, 1.0], [1.0, 2.0], True), {1.0: 0.5, 2.0: 1.0}),
        ("angleInterpolation", (["HeadYaw", "LHand"], [[1.0], [0.5]], [[2.0], [4.0]], True), {1.0: 0.5, 3.0: 1.0}),
        ("angleInterpolationWithSpeed", ("HeadYaw", 1.0, 0.1), {0.5 / 0.826797: 0.5, 1.0 / 0.826797: 1.0}),
        ("setAngles", ("HeadYaw", 1.0, 0.1), {0.5: 0.4133985, 1.0: 0.826797, 1.3: 1.0}),
        ("setAngles", ("HeadYaw", 9.0, 1.0), {0.1: 0.826797, 9.0: 2.0857}),
        ("changeAngles", ("HeadYaw", -0.5, 0.05), {0.5: -0.20669925, 2.0: -0.5}),
        (
            "angleInterpolationBezier",
            (["HeadYaw"], [[1.0, 2.0]], [[[0.5, [3, -0.1, 0], [3, 0.1, 0]], [1.0, [3, -0.1, 0]]]]),
            {1.0: 0.5, 1.5: 0.75, 2.0: 1.0},
        ),
        ("angleInterpolationBezier", (["HeadYaw"], [[1.0, 2.0]], [[0.5, 1.0]]), {1.0: 0.5, 1.5: 0.75, 2.0: 1.0}),
    ],
)
def test_half_way_is_half_way(robot, method, arguments, moments):
    post(robot, method, *arguments)
    begun = robot.now()
    for moment in sorted(moments):
        robot.clock.run(up_to=begun + moment)
        assert angle(robot) == pytest.approx(moments[moment], abs=1e-6), moment


def test_a_second_movement_of_a_joint_is_postponed_until_it_is_free(robot):
    """As the maker's documentation of motion tasks tells it."""
    motion = robot.service("ALMotion")
    first = post(robot, "angleInterpolation", "HeadYaw", 1.0, 4.0, True)
    robot.clock.run(seconds=1)
    assert not motion.areResourcesAvailable(["HeadYaw"])
    assert motion.areResourcesAvailable(["HeadPitch", "LArm"])
    second = post(robot, "angleInterpolation", "Head", [-1.0, 0.2], [2.0, 2.0], True)
    assert motion.getTaskList() == [["angleInterpolation", 1], ["angleInterpolation", 2]]
    robot.clock.run(seconds=3)
    assert first.done.is_set and not second.done.is_set
    assert [angle(robot), angle(robot, "HeadPitch")] == pytest.approx([1.0, 0.0])
    robot.clock.run(seconds=1)
    assert [angle(robot), angle(robot, "HeadPitch")] == pytest.approx([0.0, 0.1])
    robot.clock.run(seconds=1)
    assert (second.done.is_set, robot.now(), motion.getTaskList()) == (True, 6.0, [])
    assert robot.list_left_open() == []


def test_a_target_set_meanwhile_waits_too_and_a_target_takes_over_from_a_target(robot):
    post(robot, "angleInterpolation", "HeadYaw", 1.0, 2.0, True)
    robot.service("ALMotion").setAngles("HeadYaw", 0.0, 0.1)
    robot.clock.run(seconds=1)
    assert angle(robot) == pytest.approx(0.5)
    robot.clock.run(seconds=1.5)
    assert angle(robot) == pytest.approx(1.0 - 0.4133985)
    robot.service("ALMotion").setAngles("HeadYaw", 2.0, 0.1)
    robot.clock.run(seconds=0.5)
    assert angle(robot) == pytest.approx(1.0)
    post(robot, "angleInterpolation", "HeadYaw", 0.0, 1.0, True)
    robot.clock.run(seconds=0.5)
    assert angle(robot) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "end",
    [
        lambda motion, task: motion.killTask(motion.getTaskList()[0][1]),
        lambda motion, task: motion.killTasksUsingResources(["Head"]),
        lambda motion, task: motion.killAll(),
        lambda motion, task: task.stop(),
    ],
)
def test_a_movement_that_is_killed_leaves_the_joint_where_it_is(robot, end):
    task = post(robot, "angleInterpolation", "HeadYaw", 1.0, 2.0, True)
    robot.clock.run(seconds=1)
    end(robot.service("ALMotion"), task)
    robot.clock.run(seconds=5)
    assert angle(robot) == pytest.approx(0.5)
    assert task.done.is_set and robot.list_left_open() == []


def test_a_postponed_movement_can_be_killed_and_an_unknown_one_not(robot):
    motion = robot.service("ALMotion")
    post(robot, "angleInterpolation", "HeadYaw", 1.0, 2.0, True)
    second = post(robot, "angleInterpolation", "HeadYaw", -1.0, 2.0, True)
    assert motion.killTask(2) is True
    robot.clock.run(seconds=9)
    assert (second.done.is_set, angle(robot), motion.killTask(2)) == (True, pytest.approx(1.0), False)
    assert len(robot.trace.of("motion")) == 1


def test_a_joint_without_stiffness_does_not_move(robot):
    motion = robot.service("ALMotion")
    motion.setStiffnesses("Head", 0.0)
    motion.angleInterpolation("Head", [0.5, 0.3], [1.0, 1.0], True)
    assert motion.getAngles("Head", True) == pytest.approx([0.0, 0.0])
    post(robot, "stiffnessInterpolation", "HeadYaw", 1.0, 2.0)
    robot.clock.run(seconds=1)
    assert motion.getStiffnesses("Head") == pytest.approx([0.5, 0.0])
    motion.setAngles("HeadYaw", 1.0, 0.1)
    robot.clock.run(seconds=0.5)
    motion.setStiffnesses("HeadYaw", 0.0)
    robot.clock.run(seconds=5)
    assert angle(robot) == pytest.approx(0.4133985)


def test_postures_resting_and_waking_move_the_joints(robot):
    motion, posture = robot.service("ALMotion"), robot.service("ALRobotPosture")
    task = PostedTask(robot.world, posture, "goToPosture", ("StandInit", 0.5))
    robot.clock.run(seconds=1)
    wanted = NAO.posture_angles("StandInit")
    assert angle(robot, "LShoulderPitch") == pytest.approx(wanted["LShoulderPitch"] / 2)
    robot.clock.run(lambda: task.done.is_set)
    assert motion.getAngles("Body", True) == pytest.approx([wanted[joint] for joint in NAO.body])
    motion.rest()
    assert (posture.getPosture(), motion.getStiffnesses("Head")) == ("Crouch", [0.0, 0.0])
    assert angle(robot, "LKneePitch") == pytest.approx(NAO.posture_angles("Crouch")["LKneePitch"])
    motion.wakeUp()
    assert (posture.getPostureFamily(), angle(robot, "LKneePitch")) == ("Standing", pytest.approx(math.radians(40)))
    stopped = PostedTask(robot.world, posture, "goToPosture", ("StandZero", 1.0))
    robot.clock.run(seconds=0.5)
    posture.stopMove()
    robot.clock.run(lambda: stopped.done.is_set)
    assert angle(robot, "LKneePitch") == pytest.approx(math.radians(20))
    motion.angleInterpolation("LHand", 0.0, 1.0, True)
    post(robot, "openHand", "LHand")
    robot.clock.run(seconds=0.3)
    assert angle(robot, "LHand") == pytest.approx(0.5)
    robot.clock.run(seconds=0.3)
    assert angle(robot, "LHand") == pytest.approx(1.0)


@pytest.mark.parametrize(
    "posture", ["Stand", "StandInit", "StandZero", "Crouch", "Sit", "SitRelax", "LyingBack", "LyingBelly", "SitOnChair"]
)
def test_a_robot_begins_in_the_angles_of_its_posture(posture):
    with Robot(posture=posture) as made:
        angles = dict(zip(NAO.body, made.service("ALMotion").getAngles("Body", False)))
    assert angles == NAO.posture_angles(posture)
    assert all(low <= angles[joint] <= high for joint, (low, high) in NAO.limits.items())
    for joint in NAO.chains["LArm"] + NAO.chains["LLeg"]:
        sign = 1 if joint.endswith(("Pitch", "Hand")) else -1
        assert angles["R" + joint[1:]] == pytest.approx(sign * angles[joint])


def test_a_curve_keeps_to_its_angles_or_goes_where_its_handles_pull():
    curve = Smooth(0.0, [1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 3.0, 2.0])
    found = [curve.at(moment / 50.0) for moment in range(-10, 260)]
    assert min(found) == 0.0 and max(found) == pytest.approx(3.0)
    assert [curve.at(moment) for moment in (0, 1, 1.5, 2, 3, 4, 9)] == pytest.approx([0, 1, 1, 1, 3, 2, 2])
    flat = (0.0, 0.0)
    pulled = Bezier(0.0, [(2.0, 1.0, (-0.5, 0.5), flat, 3)])
    straight = Bezier(0.0, [(1.0, 0.0, flat, flat, 1), (2.0, 1.0, flat, flat, 1)])
    stairs = Bezier(0.0, [(1.0, 0.0, flat, flat, 0), (2.0, 1.0, flat, flat, 0)])
    assert pulled.at(1.9) > 1.0 and pulled.at(2.0) == 1.0
    assert straight.at(1.25) == pytest.approx(0.25)
    assert (stairs.at(1.9), stairs.at(2.0)) == (0.0, 1.0)


def place(robot):
    return robot.service("ALMotion").getRobotPosition(True)


def test_a_walk_follows_time_and_its_own_heading(robot):
    motion = robot.service("ALMotion")
    motion.moveTo(0.0, 0.0, math.pi / 2)
    task = post(robot, "moveTo", 0.2, 0.0, 0.0)
    assert motion.moveIsActive() and motion.getRobotVelocity() == pytest.approx([0.1, 0.0, 0.0])
    robot.clock.run(seconds=1)
    assert place(robot) == pytest.approx([0.0, 0.1, math.pi / 2])
    assert motion.getNextRobotPosition() == pytest.approx([0.0, 0.15, math.pi / 2])
    robot.clock.run(seconds=1)
    assert task.done.is_set and not motion.moveIsActive()
    assert place(robot) == motion.getNextRobotPosition() == pytest.approx([0.0, 0.2, math.pi / 2])
    motion.moveTo([[0.1, 0.0, -math.pi / 2], [0.1, 0.0, 0.0]])
    assert place(robot) == pytest.approx([0.1, 0.3, 0.0])


@pytest.mark.parametrize(
    "method, arguments, seconds, wanted",
    [
        ("move", (0.05, 0.0, 0.0), 2.0, [0.1, 0.0, 0.0]),
        ("move", (5.0, 0.0, 0.0), 2.0, [0.2, 0.0, 0.0]),
        ("moveToward", (0.5, 0.0, 0.0), 2.0, [0.1, 0.0, 0.0]),
        ("moveToward", (0.0, -1.0, 0.0), 2.0, [0.0, -0.2, 0.0]),
        ("move", (0.1, 0.0, 0.5), math.pi, [0.2, 0.2, math.pi / 2]),
        ("setWalkTargetVelocity", (1.0, 0.0, 0.0, 1.0), 1.0, [0.1, 0.0, 0.0]),
    ],
)
def test_a_walk_without_goal_goes_on_until_it_is_stopped(robot, method, arguments, seconds, wanted):
    motion = robot.service("ALMotion")
    motion.call(method, arguments)
    robot.clock.run(seconds=seconds)
    assert place(robot) == pytest.approx(wanted)
    assert (motion.moveIsActive(), robot.list_left_open()) == (True, ["ALMotion is still walking."])
    motion.stopMove()
    robot.clock.run(seconds=5)
    assert place(robot) == pytest.approx(wanted)
    assert (motion.moveIsActive(), robot.list_left_open()) == (False, [])


def test_a_walk_that_is_stopped_or_taken_over_ends_at_the_place_reached(robot):
    motion, results = robot.service("ALMotion"), []
    robot.clock.call_soon(lambda: results.append(motion.moveTo(1.0, 0.0, 0.0)))
    waiting = post(robot, "waitUntilMoveIsFinished")
    robot.clock.run(seconds=3)
    motion.stopMove()
    robot.clock.run(seconds=3)
    assert (results, waiting.done.is_set) == ([False], True)
    assert place(robot) == pytest.approx([0.3, 0.0, 0.0])
    first = post(robot, "moveTo", 1.0, 0.0, 0.0)
    robot.clock.run(seconds=1)
    motion.moveToward(0.0, 1.0, 0.0)
    robot.clock.run(seconds=1)
    assert first.done.is_set
    assert place(robot) == pytest.approx([0.4, 0.1, 0.0])
    motion.moveToward(0.0, 0.0, 0.0)
    assert not motion.moveIsActive() and motion.waitUntilMoveIsFinished() is None


def test_settings_of_the_walk(robot):
    motion = robot.service("ALMotion")
    least, usual, most = (dict(motion.getMoveConfig(kind)) for kind in ("Min", "Default", "Max"))
    # Floats of 32 bits, as SeanXP/Nao-Robot recorded them.
    assert (usual["MaxStepX"], usual["MaxStepTheta"]) == (0.03999999910593033, 0.3490658402442932)
    assert all(least[name] <= usual[name] <= most[name] for name in usual)
    names, values = motion.getRobotConfig()
    assert dict(zip(names, values))["Model Type"] == "naoH25"
    assert motion.getLimits("HeadYaw") == [[-2.0857, 2.0857, 8.26797, 1.547]]


def test_an_animation_waves_and_comes_back_within_speech_too_and_an_unknown_one_is_told(robot):
    before = robot.world.body.angles()
    task = PostedTask(robot.world, robot.service("ALAnimationPlayer"), "run", ("animations/Stand/Gestures/Hey_1",))
    robot.clock.run(seconds=1.25)
    assert angle(robot, "RShoulderPitch") < -0.8
    assert angle(robot, "LShoulderPitch") == before["LShoulderPitch"]
    robot.clock.run(lambda: task.done.is_set)
    assert robot.world.body.angles() == pytest.approx(before)
    speech = robot.service("ALAnimatedSpeech")
    speech.say("^start(animations/Stand/Gestures/Yes_1) Yes, I know ^wait(animations/Stand/Gestures/Yes_1)")
    assert "start" in [event.fields.get("annotation") for event in robot.trace.of("animate")]
    assert robot.trace.of("log") == []
    speech.say("^run(animations/Stand/Waiting/Zombie_1) Uh")
    assert [event.fields["text"] for event in robot.trace.of("log")] == [
        "The animation animations/Stand/Waiting/Zombie_1 is not drawn: it takes its time and moves no joint."
    ]


def test_every_gesture_keeps_to_the_joints_and_their_limits():
    for name, way in body.GESTURES.items():
        assert any(path.split("/")[-1].startswith(name) for path in animations.ANIMATION_PATHS), name
        for joint, keys in way.items():
            low, high = NAO.limits[joint]
            assert all(low - 0.01 <= math.radians(degrees) <= high + 0.01 for _, degrees in keys), (name, joint)
            parts = [0] + [part for part, _ in keys] + [1]
            assert parts == sorted(set(parts))


def test_the_frame_manager_moves_timelines_by_the_name_of_their_box():
    with Robot() as robot:
        robot.load(os.path.join(os.path.dirname(__file__), os.pardir, "behaviours", "dance.xar"))
        frames = robot.service("ALFrameManager")
        boxes = [name for name, box in robot.world.modules.items() if hasattr(box, "getTimeline") and box.getTimeline()]
        (name,) = boxes[:1]
        fps = frames.getTimelineFps(name)
        length = frames.getMotionLength(name)
        assert type(fps) is int and length > 0
        frames.setTimelineFps(name, 2 * fps)
        assert frames.getTimelineFps(name) == 2 * fps and abs(2 * frames.getMotionLength(name) - length) < 1e-9
        motion = robot.service("ALMotion")
        for method, args, moves in (
            ("gotoAndPlay", [2], True),
            ("gotoAndStop", [1], False),
            ("playTimeline", [], True),
            ("stopTimeline", [], False),
        ):
            frames.call(method, [name] + args)
            robot.clock.run(seconds=0.3)
            before = motion.getAngles("Body", True)
            robot.clock.run(seconds=0.3)
            assert (motion.getAngles("Body", True) != before) is moves, method
        for wrong in ([1], None, float("nan"), True):
            with pytest.raises(RuntimeError, match="ALFrameManager::gotoAndStop"):
                frames.gotoAndStop(name, wrong)
        with pytest.raises(RuntimeError, match="Box Nobody has no timeline"):
            frames.getTimelineFps("Nobody")
