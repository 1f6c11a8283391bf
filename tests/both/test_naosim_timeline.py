"""Timelines: frames on the clock, keyframes that come and go, and recorded motion."""

from __future__ import absolute_import, division, print_function

import math

import naosim_xar_writer as w
import pytest

from naosim.robot import Robot

LOG = w.script("""
    def onLoad(self):
        self.logger.info("load")
    def onUnload(self):
        self.logger.info("unload")
    def onInput_onStart(self):
        self.logger.info("start")
""")


def keyframe(index, name, script=LOG):
    return index, [w.box(name, script)], [("self.onLoad", name + ".onStart")]


def logged(robot):
    return [
        (round(event.time, 3), event.fields["box"].split("/")[-1], event.fields["text"])
        for event in robot.trace.of("log")
    ]


def play(robot, *boxes, **options):
    links = [("root.onStart", "Dance.onStart"), ("Dance.onStopped", "root.onStopped")] + options.get("links", [])
    behaviour = robot.load(w.behaviour(list(boxes), links))
    robot.start(behaviour)
    robot.advance()
    return behaviour


def test_keyframes_follow_each_other_and_the_end_stops_the_box(robot):
    dance = w.box(
        "Dance",
        layers=[[keyframe(1, "one"), keyframe(26, "two")], [keyframe(11, "beside")]],
        timeline={"fps": 10, "end_frame": 51},
    )
    behaviour = play(robot, dance)
    assert logged(robot) == [
        (0.0, "one", "load"),
        (0.0, "one", "start"),
        (1.0, "beside", "load"),
        (1.0, "beside", "start"),
        (2.5, "one", "unload"),
        (2.5, "two", "load"),
        (2.5, "two", "start"),
        (5.0, "two", "unload"),
        (5.0, "beside", "unload"),
    ]
    assert behaviour.ended
    assert behaviour.failures == robot.leaks() == []


def test_motion_is_noted_at_its_keys_in_the_robots_units(robot):
    dance = w.box("Dance", curves=[("HeadYaw", [(1, 0), (26, 90)]), ("HeadPitch", [(51, -18)])])
    behaviour = play(robot, dance)
    moves = [
        (event.fields["actuator"], event.fields["times"], event.fields["values"], event.fields["unit"])
        for event in robot.trace.of("motion")
    ]
    assert moves == [
        ("HeadYaw", [0.0, 1.0], [0.0, 1.570796], "degrees to radians"),
        ("HeadPitch", [2.0], [-0.314159], "degrees to radians"),
    ]
    # An end_frame of -1 means the last key.
    assert (behaviour.ended, robot.clock.now()) == (True, 2.0)


def test_scripts_move_the_time_cursor_of_their_parent():
    for call, expected in [
        ("gotoAndStopParent(60)", [(0.0, "one", "load"), (0.0, "one", "unload"), (0.0, "two", "load")]),
        ("gotoAndStopParent('keyframe51')", [(0.0, "one", "load"), (0.0, "one", "unload"), (0.0, "two", "load")]),
        (
            "getParentTimeline().goTo(96)",
            [(0.0, "one", "load"), (0.0, "one", "unload"), (0.0, "two", "load"), (0.5, "two", "unload")],
        ),
        (
            "getParentTimeline().setFPS(50)",
            [(0.0, "one", "load"), (1.0, "one", "unload"), (1.0, "two", "load"), (2.0, "two", "unload")],
        ),
        ("stopTimelineParent()", [(0.0, "one", "load")]),
    ]:
        with Robot() as robot:
            shape = LOG.replace('self.logger.info("start")', "%s")
            dance = w.box(
                "Dance",
                layers=[[keyframe(1, "one", shape % ("self." + call)), keyframe(51, "two", shape % "pass")]],
                timeline={"fps": 10, "end_frame": 101},
            )
            behaviour = play(robot, dance)
            assert logged(robot) == expected, call
            assert behaviour.failures == [], call


def test_a_box_reads_and_drives_its_own_timeline(robot):
    own = w.script("""
    def onInput_onStart(self):
        timeline = self.getTimeline()
        self.logger.info("%d frames at %d" % (timeline.getSize(), timeline.getFPS()))
        self.getTimeline().pause()
""")
    behaviour = play(robot, w.box("Dance", own, layers=[[keyframe(1, "one")]], timeline={"end_frame": 50}))
    assert logged(robot)[0] == (0.0, "Dance", "50 frames at 25")
    assert not behaviour.ended
    robot.stop(behaviour)
    assert robot.leaks() == behaviour.failures == []


def test_a_timeline_stopped_by_its_input_can_be_started_again_from_the_beginning(robot):
    again = w.script("""
    def onInput_onStart(self):
        for _ in range(2):
            time.sleep(1)
            self.stop()
            time.sleep(1)
            self.again()
""")
    director = w.box("Director", again, outputs=[w.port("stop", nature="punctual"), w.port("again", nature="punctual")])
    dance = w.box("Dance", layers=[[keyframe(1, "one"), keyframe(11, "two")]], timeline={"fps": 10, "end_frame": 21})
    links = [
        ("root.onStart", "Director.onStart"),
        ("Director.stop", "Dance.onStop"),
        ("Director.again", "Dance.onStart"),
    ]
    behaviour = play(robot, dance, director, links=links)
    starts = [row for row in logged(robot) if row[1:] == ("one", "start")]
    assert starts == [(0.0, "one", "start"), (2.0, "one", "start"), (4.0, "one", "start")]
    assert (behaviour.ended, robot.clock.now()) == (True, 6.0)


def test_a_flow_diagram_inside_a_keyframe_may_stop_the_whole_timeline(robot):
    stop = w.script("    def onInput_onStart(self):\n        time.sleep(1)\n        self.onStopped()\n")
    frame = (1, [w.box("Brake", stop)], [("self.onLoad", "Brake.onStart"), ("Brake.onStopped", "self.onStopped")])
    behaviour = play(robot, w.box("Dance", layers=[[frame]], timeline={"end_frame": 2500}))
    assert (behaviour.ended, robot.clock.now()) == (True, 1.0)
    assert behaviour.failures == robot.leaks() == []


# Joints follow the curves.


def motion_at(robot, behaviour, *moments):
    """Start a behaviour and return the angle of HeadYaw in degrees at moments."""
    robot.start(behaviour)
    found = []
    for moment in moments:
        robot.clock.run(up_to=moment)
        found.append(math.degrees(robot.service("ALMotion").getAngles("HeadYaw", True)[0]))
    return found


def dance_with(robot, curves, **timeline):
    return robot.load(w.sequence(w.box("Dance", curves=curves, timeline=timeline)))


def test_joints_follow_the_curves_of_a_timeline(robot):
    behaviour = dance_with(robot, [("HeadYaw", [(1, 0), (26, 80), (51, 80)]), ("Tail", [(1, 0), (9, 1)])])
    assert motion_at(robot, behaviour, 0.5, 1.0, 1.5, 9.0) == pytest.approx([40, 80, 80, 80])
    assert behaviour.failures == robot.leaks() == []


def test_tangents_shape_a_curve():
    for kind, before, after, quarter in [
        ("bezier", "-8.333333", "8.333333", 12.5),
        ("linear", "0", "0", 20.0),
        ("constant", "0", "0", 0.0),
    ]:
        with Robot() as robot:
            key = (
                '<Key frame="%d" value="%d">'
                '<Tangent side="left" interpType="%s" abscissaParam="%s" ordinateParam="0" />'
                '<Tangent side="right" interpType="%s" abscissaParam="%s" ordinateParam="0" /></Key>'
            )
            text = w.sequence(w.box("Dance", curves=[("HeadYaw", [(1, 0), (26, 80)])]))
            for frame, value in [(1, 0), (26, 80)]:
                shaped = key % (frame, value, kind, before, kind, after)
                text = text.replace(b'<Key frame="%d" value="%d" />' % (frame, value), shaped.encode("ascii"))
            assert motion_at(robot, robot.load(text), 0.25, 1.0) == pytest.approx([quarter, 80.0], abs=0.01), kind


def test_a_timeline_that_is_stopped_leaves_the_joints_where_they_are(robot):
    behaviour = dance_with(robot, [("HeadYaw", [(1, 0), (26, 80), (51, 0)])])
    assert motion_at(robot, behaviour, 0.5) == pytest.approx([40])
    robot.stop(behaviour)
    robot.clock.run(seconds=5)
    assert robot.service("ALMotion").getAngles("HeadYaw", True) == pytest.approx([math.radians(40)])


def test_a_joint_that_is_elsewhere_goes_to_the_first_key_as_fast_as_it_can(robot):
    behaviour = dance_with(robot, [("HeadYaw", [(1, 90), (51, 90)])])
    half = math.radians(90) / 8.26797 / 2
    assert motion_at(robot, behaviour, half, 2 * half, 1.0) == pytest.approx([45, 90, 90])
