"""The boxes of Choregraphe's library for the flow of a behaviour and for data, each in a small behaviour."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest
from behaviours import stock_logic as b
from stock_stage import loaded, played

from naosim.robot import Robot

PEOPLE = "PeoplePerception/PeopleList"
ONE, TWO = b.value("One", "tea"), b.value("Two", "milk")


def compared(operator, value, given):
    """Make the boxes and links of an If that gets a value."""
    return [b.value("Edit", given), b.condition(operator, value)], [
        ("root.onStart", "Edit.onStart"),
        ("Edit.output", "If.onData"),
    ]


BOTH = [("root.onStart", "One.onStart"), ("root.onStart", "Two.onStart")]
#: For each box: boxes and links, what happens meanwhile, then every line of the transcript and every signal.
STORIES = [
    (
        "Only Once",
        [ONE, TWO, b.once()],
        [
            ("root.onStart", "One.onStart"),
            ("One.output", "Only Once.onSignal"),
            ("One.output", "Two.onStart"),
            ("Two.output", "Only Once.onSignal"),
        ],
        (),
        ["One -> output tea", "Only Once -> firstTime tea", "Two -> output milk"],
    ),
    (
        "Counter",
        [ONE, TWO, b.counter(1)],
        [
            ("root.onStart", "One.onStart"),
            ("One.output", "Counter.onNext"),
            ("Counter.currentValue", "Two.onStart"),
            ("Two.output", "Counter.onInit"),
        ],
        (),
        ["One -> output tea", "Counter -> currentValue 1", "Two -> output milk", "Counter -> onReinitialized"],
    ),
    (
        "Wait For Signals",
        [ONE, TWO, b.both_signals()],
        BOTH + [("One.output", "Wait For Signals.signal1"), ("Two.output", "Wait For Signals.signal2")],
        (),
        ["One -> output tea", "Two -> output milk", "Wait For Signals -> signalsReceived"],
    ),
    (
        "Wait For Signals, one only",
        [ONE, b.both_signals()],
        BOTH[:1] + [("One.output", "Wait For Signals.signal1")],
        (),
        ["One -> output tea"],
    ),
    (
        "Delay",
        [b.delay("Long", 2.0), b.delay("Short", 0.5)],
        [("root.onStart", "Long.onStart"), ("root.onStart", "Short.onStart"), ("Long.timerOutput", "root.onStopped")],
        (),
        ["Short -> timerOutput", "Long -> timerOutput"],
    ),
    (
        "Get Attached File",
        [b.attached_file("/sounds/bell.wav")],
        [("root.onStart", "Get Attached File.onStart")],
        (),
        ["-> onStopped bell.wav"],
    ),
    ("Get Robot Pose", [b.robot_pose(5.0)], [("root.onStart", "Get Robot Pose.onStart")], (), ["-> robotPose Stand"]),
    (
        "Set Stiffness",
        [b.stiffness(1.0)],
        [("root.onStart", "Set Stiffness.onSet")],
        (),
        ["moves stiffnessInterpolation (1.0 s)", "moves stiffnessInterpolation (1.0 s)", "-> onReady"],
    ),
    (
        "Disable Anti-Collision",
        [b.anti_collision()],
        [("root.onStart", "Disable Anti-Collision.onStart"), ("Disable Anti-Collision.success", "root.onStopped")],
        (),
        [
            "moves setCollisionProtectionEnabled (0.0 s)",
            "-> success",
            "moves setCollisionProtectionEnabled (0.0 s)",
            "moves setCollisionProtectionEnabled (0.0 s)",
        ],
    ),
    (
        "Run Behavior that is not there",
        [b.run_behavior("my/dance")],
        [("root.onStart", "Run Behavior.onStart")],
        (),
        ["-> onError my/dance is not installed"],
    ),
    (
        "Run Behavior",
        [b.run_behavior("animations/Stand/Gestures/Yes_1")],
        [("root.onStart", "Run Behavior.onStart")],
        (),
        ["moves animations/Stand/Gestures/Yes_1", "-> onStopped"],
    ),
]
STORIES += [
    ("If %s %s %s" % (given, operator, value),)
    + compared(operator, value, given)
    + ((), ["Edit -> output %s" % (given,), "If -> output_" + way])
    for operator, value, given, way in [
        ("=", "1", "1.0", "then"),
        ("=", "tea", "tea", "then"),
        ("=", "tea", "milk", "else"),
        ("<", "2", 1, "then"),
        ("<", "2", 2, "else"),
        ("< or =", "2", "2", "then"),
        (">", "10", "9", "else"),
        ("> or =", "x", "y", "then"),
    ]
]


def test_a_stock_box():
    for name, boxes, links, acts, story in STORIES:
        with Robot() as robot:
            behaviour, seen = played(robot, boxes, acts, links)
            assert seen == story, name
            if not behaviour.ended:
                robot.stop()
            assert behaviour.failures == robot.leaks() == [], name


def test_a_stock_box_is_stopped_at_any_moment_and_leaves_nothing():
    for name, boxes, links, _acts, _story in STORIES:
        with Robot() as robot:
            behaviour = loaded(robot, boxes, links)
            robot.advance(0.3)
            if not behaviour.ended:
                robot.stop()
            robot.stay_silent(10.0)
            assert behaviour.failures == robot.leaks() == [], name


def test_random_int_is_within_its_limits():
    """Shuffled, each number comes once before any comes again."""
    for shuffle in [False, True]:
        with Robot() as robot:
            again = b.value("Again", 1)
            links = [("root.onStart", "Again.onStart"), ("Again.output", "Random Int..onStart")]
            behaviour = loaded(robot, [again, b.random_int(5, 1, shuffle)], links)
            for _ in range(10):
                robot.clock.soon_for(behaviour, behaviour.box("root/Again").call, "onInput_onStart")
                robot.advance(1.0)
            fired = [event.fields for event in robot.trace.of("output")]
            found = [fields["value"] for fields in fired if fields["port"] == "output_RandomValue"]
            assert len(found) == 11 and set(found) <= {1, 2, 3, 4, 5}, shuffle
            if shuffle:
                assert sorted(found[:5]) == sorted(found[5:10]) == [1, 2, 3, 4, 5]
            robot.stop()
            assert behaviour.failures == robot.leaks() == [], shuffle


def test_get_gender():
    for people, fired in [
        ([{"gender": "male"}], "-> onStopped male"),
        ([{"gender": "female"}], "-> onStopped female"),
        ([], "-> onError No face detected"),
        ([1, 2], "-> onError Multiple faces detected"),
        ([True], "-> onError Timeout"),
    ]:
        with Robot() as robot:
            robot.event(PEOPLE, people)
            behaviour, seen = played(robot, [b.gender()], (), [("root.onStart", "Get Gender.onStart")])
            assert seen[-1] == fired, people
            robot.stop()
            assert behaviour.failures == robot.leaks() == [], people


def test_get_robot_pose_waits_until_the_robot_is_still(robot):
    behaviour, seen = played(robot, [b.robot_pose(5.0)], (), [("root.onStart", "Get Robot Pose.onStart")])
    assert seen == ["-> robotPose Stand"]
    assert robot.now() == pytest.approx(0.6, abs=0.11)
    robot.stop()
    assert behaviour.failures == []


PATH = w.script("""
    def onInput_onStart(self):
        import os
        path = ALProxy("ALFrameManager").getBehaviorPath(self.behaviorId)
        self.logger.info(str(os.path.isfile(os.path.join(path, "behavior.xar"))))
        self.logger.info(path)
        self.onStopped()
""")


def test_a_behaviours_folder_lies_in_a_package_as_on_a_robot(robot, tmpdir):
    """Show App and others look for the package's name in the path; the folder's files are there."""
    path = w.save(
        tmpdir,
        w.behaviour([w.box("Path", PATH)], [("root.onStart", "Path.onStart"), ("Path.onStopped", "root.onStopped")]),
    )
    behaviour = robot.load(path)
    robot.start()
    robot.advance()
    is_there, place = [event.fields["text"] for event in robot.trace.of("log")]
    assert is_there == "True"
    assert place.replace("\\", "/").endswith("/PackageManager/apps/" + behaviour.id)
    assert behaviour.failures == []
    robot.close()
    assert tmpdir.join("behavior_1", "behavior.xar").isfile()
