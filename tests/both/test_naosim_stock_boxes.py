"""The boxes of Choregraphe's library, each played alone: what a robot does, and what the box fires."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest
from behaviours import stock_boxes as s
from stock_stage import loaded, played

from naosim.robot import Robot

NOD = "animations/Stand/Gestures/Yes_1"
FACE = [[0, 0], [[[0, 0.1, 0.1, 0.1, 0.1], [1, 0.9, "Ada"]], []], [0], [0], 0]

#: For each box: what happens to the robot meanwhile, then every line of the transcript and every signal of the box.
STORIES = [
    (
        "Animated Say",
        s.animated_say("contextual"),
        (),
        ["moves while speaking (contextual)", "says Hello", "-> onStopped"],
    ),
    (
        "Animated Say, disabled",
        s.animated_say("disabled", NOD),
        (),
        ["moves while speaking (disabled)", "moves animations/Stand/Gestures/Yes_1", "says Hello", "-> onStopped"],
    ),
    (
        "Animated Say, disabled, no animation",
        s.animated_say("disabled"),
        (),
        ["moves while speaking (disabled)", "says Hello", "-> onStopped"],
    ),
    (
        "Choice 1.14",
        s.stock("Choice", s.CHOICE, [s.out("answer", "string")]),
        [("hear", ("no",))],
        [
            "expects yes, no",
            "says Yes or no?",
            "lights FaceLeds #0000ff",
            "lights Head/Led/Front/Right/0/Actuator/Value #ffffff",
            "lights Ears/Led/Left/36Deg/Actuator/Value #ffffff",
            'hears "no" (0.90)',
            "-> answer no",
            "-> onStopped",
        ],
    ),
    (
        "Choice 1.14, asked again",
        s.stock("Choice", s.CHOICE, [s.out("answer", "string")]),
        [("hear", ("what",)), ("hear", ("yes",))],
        [
            "expects yes, no",
            "says Yes or no?",
            "lights FaceLeds #0000ff",
            "lights Head/Led/Front/Right/0/Actuator/Value #ffffff",
            "lights Ears/Led/Left/36Deg/Actuator/Value #ffffff",
            'hears "what" (0.90)',
            "says Yes or no?",
            "lights FaceLeds #0000ff",
            "lights Head/Led/Front/Right/0/Actuator/Value #ffffff",
            "lights Ears/Led/Left/36Deg/Actuator/Value #ffffff",
            'hears "yes" (0.90)',
            "-> answer yes",
            "-> onStopped",
        ],
    ),
    (
        "Bumpers",
        s.sensor("Bumpers", ["LeftBumperPressed", "RightBumperPressed"]),
        [("touch", ("RightBumperPressed",))],
        ["is touched RightBumperPressed", "-> RightBumperPressed 1.0", "-> RightBumperPressed 0.0"],
    ),
    (
        "Tactile Hands",
        s.sensor("Tactile L.Hand", ["HandLeftBackTouched", "HandLeftLeftTouched"]),
        [("touch", ("HandLeftBackTouched",))],
        ["is touched HandLeftBackTouched", "-> HandLeftBackTouched 1.0", "-> HandLeftBackTouched 0.0"],
    ),
    (
        "Sonar",
        s.sensor("Sonar", ["SonarLeftDetected", "SonarRightDetected"]),
        [("raiseEvent", ("SonarLeftDetected", 0.3))],
        ["-> SonarLeftDetected 0.3"],
    ),
    (
        "Face Detection",
        s.face_detection(),
        [("raiseEvent", ("FaceDetected", FACE)), ("raiseEvent", ("FaceDetected", FACE))],
        ["-> seen 1"],
    ),
    (
        "Face Tracker",
        s.stock("Face Tracker", s.FACE_TRACKER, [s.out("begun", "string"), s.out("lost"), s.out("reached")]),
        [("raiseEvent", ("ALTracker/TargetLost", "Face"))],
        ["-> begun Face", "-> lost"],
    ),
    (
        "Move To",
        s.either("Move To", s.MOVE_TO, "onArrived", "onStoppedBefore"),
        (),
        ["moves moveInit (1.0 s)", "moves moveTo (2.0 s)", "-> onArrived", "moves stopMove (0.0 s)"],
    ),
    (
        "Move Toward",
        s.stock("Move Toward", s.MOVE_TOWARD),
        (),
        [
            "moves moveInit (1.0 s)",
            "moves moveToward (0.0 s)",
            "moves stopMove (0.0 s)",
            "-> onStopped",
            "moves moveToward (0.0 s)",
        ],
    ),
    (
        "Stand Up",
        s.posture("Stand Up", "StandInit"),
        (),
        ["moves into StandInit", "-> success", "moves into StandInit"],
    ),
    ("Sit Down", s.posture("Sit Down", "Sit"), (), ["moves into Sit", "-> success", "moves into Sit"]),
    (
        "Hands",
        s.stock("Hands", s.HANDS),
        (),
        ["moves setStiffnesses (0.0 s)", "moves openHand (0.6 s)", "moves closeHand (0.6 s)", "-> onStopped"],
    ),
    (
        "Rest",
        s.stock("Rest", s.REST, [s.out("awake", "dynamic")]),
        (),
        ["moves rest (3.0 s)", "-> awake False", "moves wakeUp (3.0 s)", "-> awake True", "-> onStopped"],
    ),
    (
        "Point At",
        s.stock("Point At", s.POINT_AT),
        (),
        ["moves lookAt (1.0 s)", "moves pointAt (1.0 s)", "-> onStopped"],
    ),
    (
        "LEDs",
        s.stock("Eyes LEDs", s.LIGHTS),
        (),
        [
            "lights FaceLeds #ff8000",
            "lights FaceLeds #00ff00",
            "lights FaceLed0 #0000ff",
            "lights FaceLed1 #0000ff",
            "lights FaceLed2 #0000ff",
            "lights FaceLed3 #0000ff",
            "lights FaceLed4 #0000ff",
            "lights FaceLed5 #0000ff",
            "lights FaceLed6 #0000ff",
            "lights FaceLed7 #0000ff",
            "lights EarLeds #0000ff",
            "lights ChestLeds #000000",
            "lights Brain0 #7f7f7f",
            "lights LeftFaceLedsGreen #ffffff",
            "-> onStopped",
        ],
    ),
    (
        "Timer",
        s.stock("Timer", s.TIMER, [s.out("timer", "number")]),
        [("wait", (2.0,))],
        ["-> timer 1", "-> timer 2", "-> timer 3", "-> onStopped"],
    ),
    (
        "Get and Set Language",
        s.stock("Set Language", s.LANGUAGES, [s.out("language", "string")]),
        (),
        ["-> language English", "-> language French", "-> onStopped"],
    ),
    (
        "Set Speaker Vol.",
        s.stock("Set Speaker Vol.", s.VOLUME, [s.out("was", "number")]),
        (),
        ["-> was 50", "-> was 50", "-> onStopped"],
    ),
    ("Raise Event", s.stock("Raise Event", s.RAISE_EVENT), (), ["-> onStopped"]),
    (
        "Subscribe to Event",
        s.stock("Subscribe to Event", s.SUBSCRIBE, [s.out("onEvent", "dynamic")]),
        (),
        ["-> onEvent 4", "-> onStopped"],
    ),
    (
        "Learn Face",
        s.either("Learn Face", s.LEARN_FACE),
        (),
        ["lights FaceLeds #ff0000", "lights FaceLeds #2424ff", "-> failure"],
    ),
    (
        "Number Edit",
        s.stock("Number Edit", s.NUMBER_EDIT, [s.out("output", "number")]),
        (),
        [
            'warns root/Number Edit.output: the output is declared number and was fired with str "5"',
            "-> output 5",
            "-> onStopped",
        ],
    ),
]


def test_a_stock_box():
    for name, box, acts, story in STORIES:
        with Robot(languages=("English", "French")) as robot:
            behaviour, seen = played(robot, [box], acts)
            assert seen == story, name
            if not behaviour.ended:
                robot.stop()
            assert behaviour.failures == robot.leaks() == [], name


def test_a_stock_box_is_stopped_at_any_moment_and_leaves_nothing():
    for name, box, _acts, _story in STORIES:
        with Robot() as robot:
            behaviour = loaded(robot, [box])
            robot.advance(0.3)
            if not behaviour.ended:
                robot.stop()
            robot.stay_silent(10.0)
            assert behaviour.failures == robot.leaks() == [], name


def test_leaving_stops_the_nearest_timeline_and_not_the_behaviour(robot):
    """As `parentTimeline.stop()` does: no output is fired."""
    for how in ["ALFrameManager.exitBehavior(self.parentId)", "self.exitBehaviorParent()"]:
        behaviour, seen = played(robot, [s.leaving(how)])
        assert (seen, behaviour.ended) == ([], False), how
        assert not behaviour.box("root/Dance/Exit").is_loaded, how
        robot.stop()
        assert behaviour.failures == robot.leaks() == [], how


def test_leaving_the_behaviour_ends_it(robot):
    for how in ["ALFrameManager.exitBehavior(self.behaviorId)", "self.exitBehavior()"]:
        behaviour, _ = played(robot, [s.leaving(how)])
        assert behaviour.ended, how
        assert behaviour.failures == robot.leaks() == [], how


def test_without_a_timeline_leaving_the_parent_ends_the_behaviour(robot):
    behaviour, _ = played(robot, [s.stock("Exit", s.EXIT % "self.exitBehaviorParent()")])
    assert behaviour.ended
    assert behaviour.failures == robot.leaks() == []


def test_a_behaviour_that_is_not_there_cannot_be_left(robot):
    with pytest.raises(RuntimeError, match="Behavior nobody does not exist"):
        robot.service("ALFrameManager").exitBehavior("nobody")


def test_a_comment_box_is_no_trouble(robot):
    comment = w.box("Comment", w.script(s.COMMENT), [], [])
    box = s.stock("Raise Event", s.RAISE_EVENT)
    behaviour = robot.load(
        w.behaviour(
            [comment, box], [("root.onStart", "Raise Event.onStart"), ("Raise Event.onStopped", "root.onStopped")]
        )
    )
    robot.start()
    assert robot.advance().ended
    assert behaviour.failures == robot.leaks() == []
